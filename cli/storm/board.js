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
  const board = svg("svg", { viewBox: "0 0 340 436", role: "group", "aria-label": names.words.board });
  // What has a thick edge is drawn over the edges of its neighbours.
  const marked = [...names.bases, fight];
  const regions = Array.from({ length: 24 }, (_, at) => at + 1).sort((one, other) => marked.includes(one) - marked.includes(other));
  for (const region of regions) {
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
    // The fewer there are, the larger they are.
    const [columns, size] = [[1, 2], [2, 1.5], [2, 1.25], [2, 1.25]][tokens.length - 1] ?? [3, tokens.length > 6 ? 0.85 : 0.95];
    const told = [];
    const group = svg("g", { role: "img" });
    tokens.forEach(([seat, unit], number) => {
      const [row, column] = [Math.floor(number / columns), number % columns];
      const across = (column - (Math.min(tokens.length, columns) - 1) / 2) * 20;
      const down = (row - (Math.ceil(tokens.length / columns) - 1) / 2) * 15;
      const hollow = unit && !unit.proved ? " hollow" : "";
      const code = unit ? names.codes[unit.value] + (unit.known ? "*" : "") : "?";
      const called = `${unit ? names.units[unit.value] : names.words.unseen}, ${story.seats[seat]}`;
      const width = code.length > 3 ? { textLength: 16.5, lengthAdjust: "spacingAndGlyphs" } : {};
      told.push(called);
      group.append(svg("g", { transform: `translate(${x + across * size} ${y + 5 + down * size}) scale(${size})` },
        svg("title", {}, called), svg("rect", { x: -9.5, y: -7, width: 19, height: 14, rx: seat ? 1 : 6, class: `piece seat${seat}${hollow}` }),
        svg("text", { y: 2.8, class: `name${hollow && " open"}`, ...width }, code)));
    });
    group.setAttribute("aria-label", `${region}: ${told.join("; ")}`);
    board.append(group);
  }
  return board;
}

function headOf([game], hidden, names) {
  const { words } = names;
  const said = (seat) => fill(words.stock, { side: story.seats[seat], honor: game[4][seat], energy: game[5][seat] });
  const gone = names.units.filter((_, unit) => (game[8] >> unit) & 1);
  return [
    fill(words.turn, { number: game[3], side: story.seats[game[2]] }), words.phases[game[1]], `●\u00a0${said(0)}`, `■\u00a0${said(1)}`,
    ...(gone.length ? [fill(words.eliminated, { units: gone.join(", ") })] : []),
  ];
}
