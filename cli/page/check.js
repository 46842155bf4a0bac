// The quick check of a log (SPEC.md, "Web page"): handshake, order, links, every signature, the hash of every board, both
// results, seeds against their commitments.  It knows no rule of any game and says "holds", never "verified".
"use strict";

class Fault extends Error {
  constructor(code, message = null) {
    super(code);
    this.code = code;
    this.at = message;
  }
}

const utf8 = new TextEncoder();
const hex = (bytes) => [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
const alike = (a, b) => a instanceof Uint8Array && b instanceof Uint8Array && hex(a) === hex(b);
const demand = (holds, code, message) => {
  if (!holds) throw new Fault(code, message);
};

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function number(value, size) {
  return Uint8Array.from({ length: size }, (_, at) => Number((BigInt(value) >> BigInt(8 * (size - 1 - at))) & 255n));
}

// 3.1: the hash of a label and parts.
async function hash(label, ...parts) {
  const plain = parts.map((part) => (typeof part === "number" ? number(part, 8) : part));
  const all = [utf8.encode("storm-p2p/3"), utf8.encode(label), ...plain];
  const framed = join(...all.flatMap((part) => [number(part.length, 8), part]));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", framed));
}

// 3.1: the shortest encoding of a value.
function pack(value) {
  const headed = (first, size, width, ...rest) => join(Uint8Array.of(first), number(size, width), ...rest);
  if (value === null) return Uint8Array.of(0xc0);
  if (value instanceof Uint8Array) return headed(...(value.length < 256 ? [0xc4, value.length, 1] : [0xc5, value.length, 2]), value);
  if (typeof value === "string") {
    const text = utf8.encode(value);
    if (text.length < 32) return join(Uint8Array.of(0xa0 | text.length), text);
    return headed(...(text.length < 256 ? [0xd9, text.length, 1] : [0xda, text.length, 2]), text);
  }
  if (Array.isArray(value)) {
    const items = value.map(pack);
    return value.length < 16 ? join(Uint8Array.of(0x90 | value.length), ...items) : headed(0xdc, value.length, 2, ...items);
  }
  if (value >= -32 && value < 128) return Uint8Array.of(value & 255);
  const power = [0, 1, 2, 3].find((one) => BigInt(value < 0 ? 2 * ~value : value) < 256n ** BigInt(1 << one));
  return headed(0xcc + power + (value < 0 ? 4 : 0), value, 1 << power);
}

// 3.1: the one value whose encoding some bytes are.
function unpack(bytes) {
  let at = 0;
  const take = (size) => {
    demand(at + size <= bytes.length, "form");
    return bytes.slice(at, (at += size));
  };
  const size = (width) => take(width).reduce((sum, one) => sum * 256 + one, 0);
  const text = (length) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(length));
  const integer = (width, signed) => {
    const found = take(width).reduce((sum, one) => (sum << 8n) | BigInt(one), 0n);
    const value = signed ? BigInt.asIntN(8 * width, found) : found;
    demand(value > -(2n ** 53n) && value < 2n ** 53n, "form");
    return Number(value);
  };
  const read = (depth) => {
    demand(depth < 16, "form");
    const first = take(1)[0];
    const array = (length) => Array.from({ length }, () => read(depth + 1));
    if (first < 0x80 || first >= 0xe0) return first < 0x80 ? first : first - 256;
    if (first >= 0x90 && first < 0xc0) return first < 0xa0 ? array(first & 15) : text(first & 31);
    if (first >= 0xcc && first <= 0xd3) return integer(1 << (first & 3), first >= 0xd0);
    switch (first) {
      case 0xc0: return null;
      case 0xc4: return take(size(1));
      case 0xc5: return take(size(2));
      case 0xd9: return text(size(1));
      case 0xda: return text(size(2));
      case 0xdc: return array(size(2));
    }
    throw new Fault("form");
  };
  const value = read(0);
  demand(at === bytes.length && alike(pack(value), bytes), "form");
  return value;
}

// 3.16: the records, and what the exporter has signed; a running match has no trailer yet.
async function parse(data) {
  demand(data.length <= 12 * 2 ** 20 && new TextDecoder().decode(data.slice(0, 16)) === "storm-p2p log 3\n", "form");
  const records = [];
  for (let at = 16; at < data.length; ) {
    const [kind, length] = [data[at], data[at + 1] * 256 + data[at + 2]];
    demand(length >= 1 && at + 3 + length <= data.length, "form");
    const body = data.slice(at + 3, at + 3 + length);
    at += 3 + length;
    if (kind === 255) {
      demand(length === 65 && at === data.length, "form");
      return [records, { seat: body[0], digest: await hash("log", data.slice(0, at - 64)), signature: body.slice(1) }];
    }
    const frame = unpack(body);
    demand(length <= 16384 && records.length < 32768 && frame[0] === kind && frame[1] === 3, "form");
    records.push([kind, frame.slice(2)]);
  }
  return [records, null];
}

// Checks the bytes of a log, and the dump of the public state after each envelope; throws a Fault.
async function check(data, boards) {
  const keys = new Map();
  let signatures = 0;
  const verify = async (key, digest, signature, code, message) => {
    signatures += 1;
    const name = hex(key);
    try {
      if (!keys.has(name)) keys.set(name, await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]));
    } catch (error) {
      throw error.name === "NotSupportedError" ? new Fault("old") : new Fault("handshake");
    }
    demand(await crypto.subtle.verify("Ed25519", keys.get(name), signature, digest), code, message);
  };

  const [records, trailer] = await parse(data);
  demand(records.length >= 4 && records.slice(0, 4).map((one) => one[0]).join() === "1,1,2,2", "handshake");
  const [[guestHello], [hostHello], [coin, blind, pick, ...byGuest], [...hostSign]] = records.map((one) => one[1]);
  const [guest, host] = [unpack(guestHello), unpack(hostHello)];
  demand(guest[0] === 1 && host[0] === 0 && guest[7] === host[7] && guest[8] === host[8], "handshake");
  demand(alike(await hash("coin", coin), guest[10]) && alike(await hash("blind", blind), guest[11]), "handshake");
  demand(hostSign.slice(0, 3).every((one) => one === null), "handshake");
  const match = await hash("match", guestHello, hostHello, pack([coin, blind, pick]));
  for (const [label, hello, signed] of [["sign-guest", guest, byGuest], ["sign-host", host, hostSign.slice(3)]])
    for (const at of [0, 1]) await verify(hello[4 + at], await hash(label, match), signed[at], "handshake");
  const [, scheme, seating] = host[14];
  const hostSeat = [(await hash("lot", coin, host[10]))[0] & 1, seating.at(-1), 1 - pick][seating[0]];
  demand((hostSeat === 0 || hostSeat === 1) && (pick === null) === (seating[0] !== 2), "handshake");
  const players = hostSeat === 0 ? [host, guest] : [guest, host];

  const [chain, sides, results, seeds, verdicts] = [[match], [[match], [match]], [], [], []];
  const [spent, used] = [[0, 0], []];
  let message = 0;
  for (const [kind, fields] of records.slice(4)) {
    if (kind === 13 || kind === 15) continue; // what a witness has signed, and the data of the game
    const label = { 3: "env", 4: "side", 5: "result", 6: "open-seed", 7: "verdict" }[kind];
    demand(label !== undefined, "form");
    const [named, seat, seq, counts, prev, ...body] = unpack(fields[0]);
    const digest = await hash(label, fields[0]);
    message = kind === 3 ? seq + 1 : message;
    demand(alike(named, match) && (seat === 0 || seat === 1) && counts.length === 2, "order", message);
    await verify(players[seat][5], digest, fields[1], "signature", message);
    if (kind === 5) await verify(players[seat][4], digest, fields[2], "signature", message);
    demand(seq < chain.length && counts.every((count, of) => count < sides[of].length), "order", message);
    const seen = await hash("link", chain[seq], sides[0][counts[0]], sides[1][counts[1]]);
    demand(alike(prev, seen), "order", message);
    if (kind === 3) {
      demand(seq === chain.length - 1, "order", message);
      chain.push(digest);
      if (body[0] === 2) {
        spent[seat] += body[1][1];
        used[seq] = [...spent];
      }
      if (boards) demand(seq < boards.length && alike(body[2], await hash("state", utf8.encode(boards[seq]))), "board", message);
    } else if (kind === 4) {
      demand(counts[seat] === sides[seat].length - 1, "order", message);
      sides[seat].push(digest);
    } else if (kind === 5) {
      demand(!results[seat] && seq === chain.length - 1, "result");
      results[seat] = body;
    } else if (kind === 6) {
      demand(results[seat] && !seeds[seat], "order");
      demand(alike(players[seat][12], await hash("seed", players[seat][5], body[0])), "seed");
      seeds[seat] = body[0];
    } else {
      demand(seeds[0] && seeds[1] && !verdicts[seat], "order");
      verdicts[seat] = body[0];
    }
  }
  if (results[0] && results[1]) demand(JSON.stringify(results[0][0]) === JSON.stringify(results[1][0]), "result");
  if (trailer) {
    demand(trailer.seat < 2, "trailer");
    await verify(players[trailer.seat][5], trailer.digest, trailer.signature, "trailer");
  }
  if (boards) demand(boards.length === chain.length - 1, "board");
  const result = results.find(Boolean);
  return {
    match: hex(match),
    game: host[7],
    scheme,
    players: players.map((one) => ({ name: one[6], key: hex(one[4]) })),
    messages: chain.length - 1,
    signatures,
    result: result ? Object.fromEntries(result[0]) : null,
    signed: [0, 1].filter((seat) => results[seat]),
    seeds: [0, 1].filter((seat) => seeds[seat]),
    used, // seconds of both seats behind each envelope, in a match with a clock
    running: trailer === null,
  };
}
