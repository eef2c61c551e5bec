// Shared by all views. Labels enter the page as text nodes only, so no label can be markup.
function make(tag, attrs, parent, text) {
  const svg = ["svg", "g", "path", "line", "rect", "text", "circle", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  // JupyterLab takes the arrow keys for itself, unless the very element in focus forbids it.
  if (tag === "input" || tag === "button") node.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [name, value] of Object.entries(attrs || {})) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}
// The live picture takes the place of the still once it is drawn: if anything fails, that stays.
function begin(view, draw) {
  const part = name => view.querySelector("." + name), still = part("still"), stage = part("stage");
  const svg = make("svg", { role: "img", "aria-label": still.alt, width: 0, height: 0 }, stage);
  svg.addEventListener("pointerdown", event => event.preventDefault());  // dragging marks no text
  draw({ stage, svg, says: part("says"), controls: part("controls") });
  still.remove();
}
const quote = text => "“" + text.replace(/\s+/g, " ") + "”";
const fixed = (number, digits) => number.toFixed(digits).replace("-", "−");
// Three significant digits: 0.00123, 12.3, 1.2·10⁻⁷ would not be read aloud well, so e notation.
const short = number => (+number.toPrecision(3)).toString().replace("-", "−").replace("e−", "e-");
const range = count => [...Array(count).keys()];
const sum = numbers => numbers.reduce((a, b) => a + b, 0);
const within = (value, low, high) => Math.min(Math.max(value, low), high);
const ranked = numbers => range(numbers.length).sort((a, b) => numbers[b] - numbers[a]);
function softmax(scores) {  // null is a score of minus infinity: a forbidden key
  const top = Math.max(...scores.filter(score => score !== null));
  const powers = scores.map(score => score === null ? 0 : Math.exp(score - top));
  return powers.map(power => power / sum(powers));
}
function size(svg, width, height) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
}
// Paints anew whenever the room changes; what is not on show has none, and waits for its turn.
function fit(stage, paint) {
  let before = 0;
  const look = () => {
    const room = Math.floor(stage.clientWidth) - 8;
    if (room > 0 && room !== before) paint(before = room);
  };
  new ResizeObserver(look).observe(stage);
  look();
}
// About how wide a text is: a letter of Hangul is nearly two Latin ones.
const HANGUL = /[\u1100-\u11ff\u2e80-\uffdc]/;
const breadth = text => sum([...text].map(letter => HANGUL.test(letter) ? 13 : 7.5));
// A text that is cut to its room; the whole of it appears when the pointer rests on it.
function label(svg, x, y, text, room, attrs) {
  const kept = [...text], long = breadth(text) > room;
  while (long && kept.length > 1 && breadth(kept.join("") + "…") > room) kept.pop();
  const node = make("text", { x, y, ...attrs }, svg, long ? kept.join("") + "…" : text);
  if (long) make("title", {}, node, text);
  return node;
}
// Words above columns: level where all of them fit, else slanting, else upright, for slanting words
// are as near to each other as 0.64 columns.
const broadest = words => Math.max(...words.map(breadth));
const tilt = (words, room) => broadest(words) + 4 <= room ? 0 : room >= 22 ? 40 : 90;
function heads(svg, words, x, y, room) {
  const angle = tilt(words, room), shift = angle === 90 ? 4 : 0;
  words.forEach((word, i) => label(svg, x(i) + shift, y, word, angle ? 90 : 999, !angle ? { class: "mid" }
    : { transform: `rotate(-${angle} ${x(i) + shift} ${y})`, style: `font-size:${within(room - 1, 11, 13)}px` }));
}
// The room beside the columns into which slanting words reach, the nearest column first.
function beyond(words, room) {
  const at = n => (n + 0.5) / words.length;
  return tilt(words, room / words.length) !== 40 ? 0 : Math.max(0, ...words.map((word, n) =>
    (0.77 * Math.min(90, breadth(word)) + 8 - at(n) * room) / (1 - at(n))));
}
function headRoom(words, room) {
  const most = Math.min(90, broadest(words));
  return { 0: 20, 40: 16 + 0.67 * most, 90: 8 + 1.07 * most }[tilt(words, room)];
}
// A colored cell: blue for what is above zero, orange for what is below, as strong as it is large.
const tint = (value, top) =>
  `fill:var(--${value < 0 ? "orange" : "blue"});fill-opacity:${within(Math.abs(value) / top, 0, 1).toFixed(3)}`;
// Press and drag, with mouse, pen or finger alike, in the units of the picture.
function dragged(svg, move) {
  const at = event => {
    const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    move((event.clientX - box.left) * view.width / box.width,
      (event.clientY - box.top) * view.height / box.height);
  };
  svg.classList.add("drag");
  svg.addEventListener("pointerdown", event => { svg.setPointerCapture(event.pointerId); at(event); });
  svg.addEventListener("pointermove", event => {
    if (svg.hasPointerCapture(event.pointerId)) at(event);
  });
}
// A slider works with the keyboard and tells a screen reader its text. What it gives back sets it.
function slider(box, name, count, start, word, choose) {
  const label = make("label", {}, box);
  make("span", {}, label, name);
  const input = make("input", { type: "range", min: 0, max: count - 1, step: 1 }, label);
  const shown = make("span", { class: "value" }, label);
  const write = value => {
    input.value = value;
    const text = word(+input.value);
    input.setAttribute("aria-valuetext", text);
    shown.textContent = text;
  };
  const set = value => { write(value); choose(+input.value); };
  input.addEventListener("input", () => set(+input.value));
  write(start);
  return set;
}
// Buttons of which one is pressed.
function choice(box, name, words, start, choose) {
  const group = make("div", { class: "choice", role: "group", "aria-label": name }, box);
  make("span", {}, group, name);
  const buttons = words.map((word, i) => {
    const button = make("button", { type: "button" }, group, word);
    button.addEventListener("click", () => set(i));
    return button;
  });
  const write = at => buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === at));
  const set = at => { write(at); choose(at); };
  write(start);
  return set;
}
// A button that walks from here to the end, or from the start again; a second press halts.
function player(box, count, here, set, pause) {
  const button = make("button", { type: "button", class: "play" }, box, "Play");
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "Play"; };
  const step = () => {
    if (!button.isConnected || here() >= count - 1) return stop();
    set(here() + 1);
    if (here() >= count - 1) stop();
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (here() >= count - 1) set(0);
    button.textContent = "Pause";
    timer = setInterval(step, pause);
  });
}
