// The page around the board: what the checks found, the steps, the views (SPEC.md, "Web page").
const $ = (selector) => document.querySelector(selector);
const built = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
const svg = (name, attributes = {}, ...children) => built(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
const tag = (name, attributes = {}, ...children) => built(document.createElement(name), attributes, children);
const fill = (template, gaps) => template.replace(/\{(\w+)\}/g, (whole, name) => gaps[name] ?? whole);
const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
const stored = (name) => JSON.parse($(`#${name}`).textContent);
// Boards that cannot be read or drawn are none; the quick check says so.
const attempt = (work, otherwise) => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};

const [story, boards, log] = [stored("story"), attempt(() => stored("boards"), []), $("#log").textContent];
const { words, steps, views } = story;
const proved = new Set();
let [at, view, used, running] = [0, story.view, [], false];

// Shows what a check found; the whole check comes later and says more, but takes no red verdict back.
function settle(look, said) {
  if ($("#verdict").className === "bad" && look !== "bad") return;
  $("#verdict").textContent = said;
  $("#verdict").className = look;
}

// What a reader with this view sees in a slot of a seat: its value, and whether the whole check has found the same.
function hidden(slot, seat) {
  const value = story.opened[slot];
  if (value === undefined || !views[view].seats.includes(seat)) return null;
  $("#unproved").hidden &&= proved.has(String(slot));
  return { value, proved: proved.has(String(slot)) };
}

function linesOf(step) {
  return step.lines[view] ?? step.lines.public;
}

function draw(step) {
  $("#unproved").hidden = true;
  const state = JSON.parse(boards[step.seq - 1]);
  $("#board").replaceChildren(drawBoard(state, hidden, story.names));
  const spent = used[step.seq - 1];
  const clocks = spent ? [fill(words.used, { left: minutes(spent[0]), right: minutes(spent[1]) })] : [];
  $("#head").textContent = [...headOf(state, hidden, story.names), ...clocks].join(" · ");
  return true;
}

function show() {
  const step = steps[at];
  if (step) $("#said").textContent = linesOf(step).join("\n");
  if (step && !attempt(() => draw(step), false)) for (const part of ["#board", "#head"]) $(part).replaceChildren();
  const list = $("#steps");
  [...list.children].forEach((item, number) => {
    item.firstChild.textContent = linesOf(steps[number]).join("\n") || "·";
    item.firstChild.tabIndex = number === at ? 0 : -1; // Tab goes to the current one alone.
    if (number === at) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const current = list.children[at];
  if (list.contains(document.activeElement)) current.firstChild.focus({ preventScroll: true });
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  const cursor = $("#cursor");
  if (cursor && steps.length) {
    const along = (100 * at) / Math.max(1, steps.length - 1);
    cursor.setAttribute("x1", along);
    cursor.setAttribute("x2", along);
  }
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function go(step) {
  at = Math.max(0, Math.min(steps.length - 1, step));
  show();
  if (steps[at]) history.replaceState(null, "", at === steps.length - 1 ? "#" : `#${steps[at].seq}`);
}

function jump() {
  const wanted = Number(location.hash.slice(1));
  const named = wanted ? steps.findLastIndex((step) => step.seq <= wanted) : -1;
  go(named < 0 ? steps.length - 1 : named);
}

function build() {
  const moves = [["«", words.first, () => 0], ["◀", words.back, () => at - 1], ["▶", words.next, () => at + 1], ["»", words.last, () => steps.length - 1]];
  for (const [sign, said, where] of moves) {
    const button = tag("button", { "aria-label": said, title: said }, sign);
    button.onclick = () => go(where());
    $("#controls").append(button);
  }
  const choice = tag("select", { "aria-label": words.view }, ...Object.entries(views).map(([name, one]) => tag("option", { value: name }, one.called)));
  choice.value = view;
  choice.onchange = () => {
    view = choice.value;
    show();
  };
  $("#controls").append(choice);
  steps.forEach((step, number) => {
    const button = tag("button", {}, "");
    button.onclick = () => go(number);
    // The end of a match that no move has brought about comes with the last message.
    const numbered = step.seq !== steps[number - 1]?.seq;
    $("#steps").append(tag("li", numbered ? { value: step.seq } : { class: "end" }, button));
  });
  for (const part of ["#controls", "#steps", "#listed"]) $(part).hidden = false;
  const keys = { ArrowRight: () => at + 1, ArrowLeft: () => at - 1, PageDown: () => at + 10, PageUp: () => at - 10, Home: () => 0, End: () => steps.length - 1 };
  document.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.target.closest("select") || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(keys[event.key]());
  });
  addEventListener("hashchange", jump);
  matchMedia("(max-width: 50em)").onchange = show;
  jump();
}

async function quickCheck() {
  try {
    const found = await check(bytesOf(log), boards);
    [running, used] = [found.running, found.used];
    const { winner, reason } = found.result ?? {};
    const result = found.result ? (story.results[`${winner} ${reason}`] ?? `${winner} (${reason})`) : running ? words.running : words.unfinished;
    const names = found.signed.map((seat) => found.players[seat].name);
    const signed = !names.length ? "" : names.length > 1 ? words.both : fill(words.one, { name: names[0] });
    const gaps = { signatures: found.signatures, boards: found.messages, signed, result };
    const told = Object.values(story.problems).join("; ");
    // What its maker has found no signature shows; the whole check may take it back.
    settle(told ? "bad told" : "ok", told ? fill(words.told, { problems: told }) : fill(signed ? words.holds_signed : words.holds, gaps));
    show();
  } catch (error) {
    const code = !crypto.subtle ? "plain" : words[`fault_${error.code}`] ? error.code : "form";
    settle(["old", "plain"].includes(code) ? "" : "bad", fill(words[`fault_${code}`], { number: error.at ?? "" }));
  }
  if (running) setInterval(() => at === steps.length - 1 && !document.hidden && location.reload(), 15000);
}

function tellWhole({ facts, slots, error }) {
  document.documentElement.dataset.whole = "done";
  if (error) return tellRuntime(fill(words.failed, { why: error }));
  const { winner, reason } = facts.result;
  const result = winner === null ? words.unfinished : (story.results[`${winner} ${reason}`] ?? `${winner} (${reason})`);
  const problems = facts.problems.map((one) => story.problems[`${one.code} ${one.seat ?? ""}`] ?? one.code);
  const other = Object.entries(story.opened).some(([slot, value]) => slots[slot] !== undefined && slots[slot] !== value);
  for (const [slot, value] of Object.entries(story.opened)) if (slots[slot] === value) proved.add(slot);
  $("#facts-of-code").textContent = JSON.stringify(facts);
  show();
  if (facts.convicted.length) return settle("bad", fill(words.convicted, { problems: problems.join("; ") }));
  if (!facts.ok) return settle("bad", fill(words.damaged, { problems: problems.join("; ") }));
  if (other) return settle("bad", words.other_units);
  const gaps = { result, confirmed: words[facts.confirmed ? "confirmed" : "unconfirmed"], audited: words[facts.audited ? "audited" : "unaudited"] };
  return settle("ok", fill(words.verified, gaps));
}

const tellRuntime = (said) => {
  $("#runtime").textContent = said;
};
const PARTS = ["asm", "wasm", "mjs", "std", "app"];
const hexDigest = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
const unzip = async (bytes) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());

async function digestOf(parts) {
  const digests = await Promise.all(PARTS.map(async (name) => hexDigest(await unzip(bytesOf(parts[name])))));
  return hexDigest(utf8.encode(digests.join("")));
}

// The second implementation itself, in a classic worker: a module worker from a blob does not start from a file.
async function wholeCheck() {
  let parts = null;
  if (RUNTIME && !crypto.subtle) return tellRuntime(words.fault_plain);
  if (RUNTIME && globalThis.stormRuntime) {
    parts = globalThis.stormRuntime;
    if ((await digestOf(parts).catch(() => "")) !== RUNTIME) return tellRuntime(words.other_runtime);
  } else if ($("#wasm")) parts = Object.fromEntries(PARTS.map((name) => [name, $(`#${name}`).textContent]));
  else return tellRuntime(RUNTIME ? words.no_runtime : "");
  const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  worker.onmessage = (event) => tellWhole(event.data);
  worker.onerror = (event) => tellWhole({ error: event.message });
  return worker.postMessage({ ...parts, log });
}

settle("", words.checking);
build();
await quickCheck();
document.documentElement.dataset.quick = "done";
await wholeCheck();
