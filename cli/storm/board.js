// The board of Storm over Olympus from the dump of its public state (SPEC.md 2.3).
const [SIDE, HALF] = [40, 34.64];
const place = (names, region) => [50 + names.column[region] * SIDE * 1.5, 45 + (10 - names.altitude[region]) * HALF];

// The unit of a token: everybody's, or what this view shows of it.
function unitOf([slot, can, known], seat, hidden) {
  if (known) return { value: 31 - Math.clz32(can), proved: true, known };
  return hidden(slot, seat);
}

const tokensOf = (group) => Array.from({ length: Math.floor(group.length / 3) }, (_, at) => group.slice(1 + 3 * at, 4 + 3 * at));

function drawBoard([game], hidden, names) {
  const fight = game[10]?.[0] ?? game[11];
  const board = svg("svg", { viewBox: "0 0 340 436", role: "img", "aria-label": names.words.board });
  for (let region = 1; region <= 24; region += 1) {
    const [x, y] = place(names, region);
    const corners = [0, 1, 2, 3, 4, 5].map((corner) => [x + SIDE * Math.cos((corner * Math.PI) / 3), y + SIDE * Math.sin((corner * Math.PI) / 3)].map((one) => one.toFixed(1)).join());
    const look = ["ground", names.realms[region], names.bases.includes(region) && "base", region === fight && "fight"].filter(Boolean);
    board.append(svg("polygon", { points: corners.join(" "), class: look.join(" ") }), svg("text", { x, y: y - 22, class: "number" }, region));
  }
  for (const [from, to] of names.styx) {
    const [[x, y], [right, up]] = [place(names, from), place(names, to)];
    const [along, across] = [((up - y) / (2 * HALF)) * (SIDE / 2), ((right - x) / (2 * HALF)) * (SIDE / 2)];
    const [middle, height] = [(x + right) / 2, (y + up) / 2];
    board.append(svg("line", { x1: middle - along, y1: height + across, x2: middle + along, y2: height - across, class: "river" }));
  }
  const standing = {};
  game[6].forEach((groups, seat) => groups.forEach((group) => tokensOf(group).forEach((token) => {
    if (group[0]) (standing[group[0]] ??= []).push([seat, unitOf(token, seat, hidden)]);
  })));
  for (const [region, tokens] of Object.entries(standing)) {
    const [x, y] = place(names, region);
    const columns = tokens.length > 6 ? 4 : 3;
    tokens.forEach(([seat, unit], number) => {
      const [row, column] = [Math.floor(number / columns), number % columns];
      const [left, top] = [x + (column - Math.min(tokens.length, columns) / 2 + 0.5) * 20, y - 5 + row * 15];
      const hollow = unit && !unit.proved ? " hollow" : "";
      const shape = { x: left - 9.5, y: top - 7, width: 19, height: 13.5, rx: seat ? 1 : 6, class: `piece seat${seat}${hollow}` };
      const called = unit ? names.units[unit.value] : names.words.unseen;
      const text = unit ? names.codes[unit.value] + (unit.known ? "*" : "") : "?";
      board.append(svg("g", {}, svg("title", {}, `${called}, ${story.seats[seat]}`), svg("rect", shape), svg("text", { x: left, y: top + 3, class: `name${hollow && " open"}` }, text)));
    });
  }
  return board;
}

function headOf([game], hidden, names) {
  const { words } = names;
  const said = (seat) => fill(words.stock, { side: story.seats[seat], honor: game[4][seat], energy: game[5][seat] });
  const gone = names.units.filter((_, unit) => (game[8] >> unit) & 1);
  return [
    fill(words.turn, { number: game[3], side: story.seats[game[2]] }), words.phases[game[1]], said(0), said(1),
    ...(gone.length ? [fill(words.eliminated, { units: gone.join(", ") })] : []),
  ];
}
