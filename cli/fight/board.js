// The board of Fight for Olympus from the dump of its public state (docs/fight-rules.md).
const [WIDE, TALL, GAP] = [104, 118, 8];

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function drawCard(unit, x, y, names) {
  const body = { x, y, width: WIDE, height: TALL, rx: 6 };
  if (!unit) return svg("rect", { ...body, class: "card plain", "stroke-dasharray": "4 4", opacity: 0.5 });
  const [number, damage, gear, attacked] = unit;
  const card = names.cards[number];
  const line = (up, look, said) => svg("text", { x: x + 7, y: y + up, class: look }, said);
  const said = [card.name, card.colour_name, fill(names.words.values, card)];
  if (damage) said.push(fill(names.words.damage, { damage }));
  if (gear !== null) said.push(fill(names.words.with, { card: names.cards[gear].name }));
  if (attacked) said.push(names.words.attacked);
  const tilt = attacked ? { transform: `rotate(3 ${x + WIDE / 2} ${y + TALL / 2})` } : {};
  return svg("g", { role: "img", "aria-label": said.join(", "), ...tilt },
    svg("rect", { ...body, class: `card ${card.colour}` }), line(20, "label", cut(card.name, 12)), line(37, "label", cut(card.colour_name, 12)),
    line(66, "large", `${card.attack}/${card.defence}`), line(86, "label", "✶".repeat(Math.min(damage, 5)) + (damage ? ` −${damage}` : "")),
    line(108, "label", gear === null ? "" : `+ ${cut(names.cards[gear].name, 10)}`));
}

// The cards of a hand that this view or everybody knows, and how many others there are.
function handOf(state, seat, hidden, names) {
  const known = state.hands[seat].map((entry) => (entry < 0 ? -1 - entry : hidden(entry, seat)?.value)).filter((card) => card !== undefined);
  const cards = known.length ? `: ${known.map((card) => names.cards[card].name).join(", ")}` : "";
  return fill(names.words.hand, { side: story.seats[seat], number: state.hands[seat].length }) + cards;
}

function drawBoard(state, hidden, names) {
  const across = 6 * (WIDE + GAP) + GAP;
  const board = svg("svg", { viewBox: `0 0 ${across} ${2 * TALL + 112}`, role: "group", "aria-label": names.words.board });
  names.areas.forEach(([area, from]) => board.append(svg("text", { x: GAP + (from - 1) * (WIDE + GAP), y: 16, class: "label" }, area)));
  [1, 0].forEach((seat, row) => {
    const top = 24 + row * (TALL + 58);
    state.sides[seat].forEach((unit, space) => board.append(drawCard(unit, GAP + space * (WIDE + GAP), top, names)));
  });
  const middle = TALL + 56;
  for (let point = -7; point <= 7; point += 1) {
    const x = across / 2 + point * 34;
    const here = state.counter === point;
    board.append(svg("rect", { x: x - 14, y: middle - 17, width: 28, height: 25, rx: 4, class: here ? "card base" : "card plain" }));
    board.append(svg("text", { x, y: middle, class: "label", "text-anchor": "middle", "font-weight": here ? 700 : 400 }, here ? `[${Math.abs(point)}]` : Math.abs(point)));
  }
  return board;
}

function headOf(state, hidden, names) {
  const { words } = names;
  const leader = state.counter ? fill(words.ahead, { side: story.seats[state.counter > 0 ? 0 : 1], number: Math.abs(state.counter) }) : words.level;
  const markers = state.markers.map((seat, colour) => `${names.colours[colour]}: ${seat === null ? words.on_board : story.seats[seat]}`).join(", ");
  return [
    fill(words.turn, { number: state.number, side: story.seats[state.active] }), leader, fill(words.pile, { number: state.pile.length }),
    fill(words.discards, { number: state.discards.length }), fill(words.markers, { markers }), handOf(state, 0, hidden, names), handOf(state, 1, hidden, names),
  ];
}
