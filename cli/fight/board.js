// The board of Fight for Olympus from the dump of its public state (docs/fight-rules.md).
// Six cards in a row; in a narrow window six rows with two cards each.
const NARROW = matchMedia("(max-width: 50em)");
const WIDELY = { wide: 104, tall: 118, texts: [[7, 20], [7, 37], [7, 66], [7, 86], [7, 108]] };
const NARROWLY = { wide: 160, tall: 56, texts: [[7, 18], [7, 34], [106, 34], [7, 51], [62, 51]] };
const GAP = 8;

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function drawCard(unit, x, y, { wide, tall, texts }, where, names) {
  const body = { x, y, width: wide, height: tall, rx: 6 };
  if (!unit) return svg("rect", { ...body, class: "card plain", "stroke-dasharray": "4 4", opacity: 0.5 });
  const [number, damage, gear, attacked] = unit;
  const card = names.cards[number];
  const said = [`${where}: ${card.name}`, card.colour_name, fill(names.words.values, card)];
  if (damage) said.push(fill(names.words.damage, { damage }));
  if (gear !== null) said.push(fill(names.words.with, { card: names.cards[gear].name }));
  if (attacked) said.push(names.words.attacked);
  const shown = [
    cut(card.name, 13), cut(card.colour_name, 12), `${card.attack}/${card.defence}`,
    "✶".repeat(Math.min(damage, 5)) + (damage ? ` −${damage}` : ""), gear === null ? "" : `+ ${cut(names.cards[gear].name, 10)}`,
  ];
  const narrow = { textLength: 90, lengthAdjust: "spacingAndGlyphs" };
  const lines = shown.map((text, at) => svg("text", { x: x + texts[at][0], y: y + texts[at][1], class: at === 2 ? "large" : "label", ...(text.length > (at ? 11 : 10) && narrow) }, text));
  const tilt = attacked ? { transform: `rotate(3 ${x + wide / 2} ${y + tall / 2})` } : {};
  return svg("g", { role: "img", "aria-label": said.join(", "), ...tilt }, svg("rect", { ...body, class: `card ${card.colour}` }), ...lines);
}

// The cards of a hand that this view or everybody knows, and how many others there are.
function handOf(state, seat, hidden, names) {
  const known = state.hands[seat].map((entry) => (entry < 0 ? { value: -1 - entry, proved: true } : hidden(entry, seat))).filter(Boolean);
  const cards = known.length ? `: ${known.map(({ value, proved }) => names.cards[value].name + (proved ? "" : "?")).join(", ")}` : "";
  return fill(names.words.hand, { side: story.seats[seat], number: state.hands[seat].length }) + cards;
}

function drawBoard(state, hidden, names) {
  const narrow = NARROW.matches;
  const size = narrow ? NARROWLY : WIDELY;
  const [step, cell] = narrow ? [size.wide + GAP, 22] : [size.wide + GAP, 34];
  const across = (narrow ? 2 : 6) * step + GAP;
  const areaOf = (space) => names.areas.filter(([, from]) => from <= space).length;
  const column = (seat, space) => GAP + (narrow ? seat : space) * step;
  const row = (seat, space) => (narrow ? 56 + space * (size.tall + GAP) + areaOf(space + 1) * 20 : seat ? 44 : size.tall + 92);
  const bottom = row(0, 5) + size.tall;
  const board = svg("svg", { viewBox: `0 0 ${across} ${bottom + (narrow ? GAP : 28)}`, role: "group", "aria-label": names.words.board });
  const write = (x, y, said, look) => board.append(svg("text", { x, y, class: "label", ...look }, said));
  names.areas.forEach(([area, from]) => write(column(0, from - 1), row(1, from - 1) - 6, area));
  [0, 1].forEach((seat) => {
    write(column(seat, 0), narrow || seat ? 16 : bottom + 20, cut(story.seats[seat], 20), { "font-weight": 700 });
    state.sides[seat].forEach((unit, space) => board.append(drawCard(unit, column(seat, space), row(seat, space), size, `${story.seats[seat]} ${space + 1}`, names)));
  });
  const middle = narrow ? 38 : size.tall + 72;
  // A point is a step towards its player.
  for (let point = -7; point <= 7; point += 1) {
    const x = across / 2 - point * cell;
    const here = state.counter === point;
    const half = cell * (here ? 0.5 : 0.41);
    board.append(svg("rect", { x: x - half, y: middle - 12.5, width: 2 * half, height: 25, rx: 4, class: here ? "card base" : "card plain" }));
    write(x, middle + 5, here ? `[${Math.abs(point)}]` : Math.abs(point), { "text-anchor": "middle", "font-weight": here ? 700 : 400, "aria-hidden": true });
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
    words.printed,
  ];
}
