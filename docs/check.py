"""Check the log of a match in the scheme `hash`, from SPEC.md alone: python docs/check.py MATCH.storm

It knows no rule of any game, only that its hidden values are below 64 and differ.  It checks the handshake, every
signature, that every message hashes all that its author had seen, and that all seals, openings and seeds fit what was
committed to.  Needs Python 3.11 and `cryptography`.
"""

import hashlib
import hmac
import sys
from functools import partial

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LABELS = {3: "env", 4: "side", 5: "result", 6: "open-seed", 7: "verdict"}


def unpack(data, at=0):  # 3.1: a value of MessagePack, and where it ends
    first, at = data[at], at + 1
    if first < 0x80 or first >= 0xE0 or first == 0xC0:
        return None if first == 0xC0 else first - 256 * (first >= 0xE0), at
    if 0xCC <= first <= 0xD3:
        end = at + (1 << first % 4)
        return int.from_bytes(data[at:end], "big", signed=first >= 0xD0), end
    wide = {0xC4: 1, 0xC5: 2, 0xD9: 1, 0xDA: 2, 0xDC: 2}[first] if first >= 0xC0 else 0
    size = int.from_bytes(data[at : at + wide], "big") if wide else first & (15 if first < 0xA0 else 31)
    if first < 0xA0 or first == 0xDC:
        items, at = [], at + wide
        for _ in range(size):
            item, at = unpack(data, at)
            items.append(item)
        return items, at
    value = data[at + wide : at + wide + size]
    return value if first in (0xC4, 0xC5) else value.decode(), at + wide + size


def pack(value):  # 3.1: the shortest form, of what stands in seals and in the match id
    if value is None:
        return b"\xc0"
    if isinstance(value, bytes):
        return b"\xc4" + bytes([len(value)]) + value
    if isinstance(value, list):
        head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + len(value).to_bytes(2, "big")
        return head + b"".join(map(pack, value))
    if -32 <= value < 128:
        return bytes([value & 255])
    power = next(one for one in range(4) if (2 * ~value if value < 0 else value) < 256 ** (1 << one))
    return bytes([0xCC + power + 4 * (value < 0)]) + value.to_bytes(1 << power, "big", signed=value < 0)


def demand(holds, problem):
    if not holds:
        raise ValueError(problem)


def frame(label, *parts):  # 3.1
    plain = [one.to_bytes(8, "big") if isinstance(one, int) else one for one in parts]
    return b"".join(len(one).to_bytes(8, "big") + one for one in (b"storm-p2p/3", label.encode(), *plain))


def H(label, *parts):
    return hashlib.sha256(frame(label, *parts)).digest()


def D(secret, label, *parts):
    return hmac.digest(secret, frame(label, *parts), "sha256")


def verify(key, digest, signature, what):  # 3.2
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, digest)
    except InvalidSignature:
        raise ValueError(f"{what} is not signed by whom it names") from None


def read(data):  # 3.16: the frames, and the trailer
    if data[:16] != b"storm-p2p log 3\n":
        sys.exit("not checked: this is no log of protocol 3")
    frames, at = [], 16
    while data[at] != 255:
        size = int.from_bytes(data[at + 1 : at + 3], "big")
        frames.append(unpack(data[at + 3 : at + 3 + size])[0])
        at += 3 + size
    demand(len(data) == at + 68, "something stands behind the trailer")
    return frames, data[at + 3], H("log", data[: at + 4]), data[at + 4 :]


def check(data):
    (guest_hello, host_hello, guest_sign, host_sign, *frames), exporter, whole, by_exporter = read(data)
    guest, host = unpack(guest_hello[2])[0], unpack(host_hello[2])[0]  # 3.5
    coin, blind, pick, *by_guest = guest_sign[2:]
    demand((guest[0], host[0]) == (1, 0), "the hellos are not those of a guest and a host")
    demand((H("coin", coin), H("blind", blind)) == (guest[10], guest[11]), "the guest opens another coin or blind")
    match = H("match", guest_hello[2], host_hello[2], pack([coin, blind, pick]))
    for label, hello, signatures in (("sign-guest", guest, by_guest), ("sign-host", host, host_sign[5:])):
        for key, signature in zip(hello[4:6], signatures, strict=True):
            verify(key, H(label, match), signature, "the handshake")
    _, scheme, seating, _ = host[14]
    if scheme != "hash":
        sys.exit("not checked: this match hides its units in another way, which storm-p2p verify knows")
    lot = H("lot", coin, host[10])[0] & 1
    host_seat = (lot, seating[-1], pick is not None and 1 - pick)[seating[0]]
    players = (host, guest) if host_seat == 0 else (guest, host)
    verify(players[exporter][5], whole, by_exporter, "the file")

    chain, sides = [match], ([match], [match])
    batches, seals, seeds, serial = [], {}, {}, 0

    def holds(batch, value, salt):  # 3.7: whether a batch has this value; its number is its first slot
        seat, made, _, numbers = batch
        found = [one for one in numbers if H("token", match, seat, one, salt(one), value) in made]
        batch[3] = found or numbers
        return bool(found)

    def derive(seat, nonce, value, one):  # 3.3
        return D(seeds[seat], "token", match, seat, one, nonce, value, 0)

    for number, (kind, _, *fields) in enumerate(frames, 5):
        if kind not in LABELS:  # what a witness has signed, or the data of the game
            continue
        (match_id, seat, seq, counts, prev, *body), digest = unpack(fields[0])[0], H(LABELS[kind], fields[0])
        for key, signature in zip((players[seat][5], players[seat][4])[: 1 + (kind == 5)], fields[1:], strict=True):
            verify(key, digest, signature, f"message {number}")
        seen = H("link", chain[seq], *(heads[one] for heads, one in zip(sides, counts, strict=True)))  # 3.6
        demand((match_id, prev) == (match, seen), f"message {number} was signed over other messages")
        if kind in (3, 4):
            own, at = (chain, seq) if kind == 3 else (sides[seat], counts[seat])
            demand(at == len(own) - 1, f"message {number} is not the next one of its author")
            own.append(digest)
        elif kind == 5:
            print(f"seat {seat}, {players[seat][6]}, has signed {dict(body[0])}")
        elif kind == 6:
            demand(H("seed", players[seat][5], body[0]) == players[seat][12], "a seed that nobody committed to")
            seeds[seat] = body[0]
        for tag, *step in (body[1] if body[0] == 1 else body[1][0]) if kind == 3 else ():  # 3.7
            if tag in (4, 5):
                made = step[0] if tag == 4 else [one for part in step[0] for one in part]
                batches.append([seat, made, step[-1], range(1000)])
            elif tag == 2:
                seals[seat] = step[0]
            elif tag == 3:
                demand(seals.pop(seat) == H("sealed", match, seat, serial, step[1], pack(step[0])), "another seal")
            for value, salt in step[0] if tag == 6 else ():
                fits = any(one[0] == seat and holds(one, value, lambda _, salt=salt: salt) for one in batches)
                demand(fits, f"message {number} opens what nobody committed to")
            serial += not seals and tag in (1, 3, 4, 5, 6, 9)
    for batch in batches:
        seat, made, nonce, _ = batch
        if seat in seeds:
            values = [value for value in range(64) if holds(batch, value, partial(derive, seat, nonce, value))]
            demand(len(values) == len(made), f"seat {seat} hides what does not come from its seed")
            print(f"seat {seat} has hidden {values}")
    return f"match {match.hex()}: {len(chain) - 1} envelopes; every signature and every hash fits"


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        try:
            print(check(file.read()))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            sys.exit(f"this log does not fit: {error}")
