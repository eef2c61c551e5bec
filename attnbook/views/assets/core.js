// Shared by all views. Labels enter the page as text nodes only, so no label can be markup.
function make(tag, attrs, parent, text) {
  const svg = ["svg", "g", "path", "line", "rect", "text", "circle"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attrs || {})) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}
const quote = text => "“" + text.replace(/\s+/g, " ") + "”";
const fixed = (number, digits) => number.toFixed(digits).replace("-", "−");
function size(svg, width, height) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
}
// A slider works with the keyboard and tells a screen reader its text.
function slider(box, name, count, start, word, choose) {
  const label = make("label", {}, box);
  make("span", {}, label, name);
  const input = make("input", { type: "range", min: 0, max: count - 1, step: 1 }, label);
  const shown = make("span", {}, label);
  const set = value => {
    input.value = value;
    const text = word(+input.value);
    input.setAttribute("aria-valuetext", text);
    shown.textContent = text;
    choose(+input.value);
  };
  input.addEventListener("input", () => set(+input.value));
  set(start);
  return set;
}
