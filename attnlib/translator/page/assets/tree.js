// The beam as a tree: what lived, what ended, and the way to the best (chapter 8).
const [WIDE, HIGH, BOX] = [104, 46, 88];

function element(tag, attributes = {}, parent = null, text = null) {
  const svg = ["svg", "g", "path", "rect", "text"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;  // never markup, whatever somebody typed
  if (parent) parent.append(node);
  return node;
}

// Columns are steps; each stands in the order of its parents, so that no two lines cross.
function placed(nodes) {
  const columns = [];
  for (const node of nodes) (columns[node.length] = columns[node.length] || []).push(node);
  const used = columns.filter(Boolean), rows = Math.max(...used.map(column => column.length));
  const at = new Map(), y = node => at.has(node) ? at.get(node).y : 0;
  used.forEach((column, number) => {
    column.sort((a, b) => y(a.parent) - y(b.parent) || b.total - a.total);
    column.forEach((node, rank) => at.set(node,
      { x: number * WIDE + WIDE / 2, y: (rank - (column.length - 1) / 2 + rows / 2) * HIGH + HIGH / 2 }));
  });
  return { at, width: used.length * WIDE, height: (rows + 1) * HIGH };
}

// Draws into `stage`; `label(node)` names a node, `choose(node)` is told of each that is pointed at.
// Returns the nodes from left to right, and a function that marks the way to one of them.
function drawTree(stage, nodes, best, label, choose) {
  const { at, width, height } = placed(nodes), onTheWay = new Set([best, ...ancestors(best)]);
  const svg = element("svg", { width, height, role: "img", "aria-label": "The beam as a tree" });
  const drawn = new Map();
  const kind = node => onTheWay.has(node) ? "best" : node.status || "start";
  for (const node of nodes) {
    if (!at.has(node.parent)) continue;
    const [from, to] = [at.get(node.parent), at.get(node)];
    const d = `M${from.x + BOX / 2},${from.y}L${to.x - BOX / 2},${to.y}`;
    drawn.set(node, [element("path", { d, class: `edge ${kind(node)}` }, svg)]);
  }
  for (const node of nodes) {
    const { x, y } = at.get(node), group = element("g", { class: `node ${kind(node)}` }, svg);
    element("rect", { x: x - BOX / 2, y: y - 18, width: BOX, height: 36 }, group);
    const letters = [...label(node)];
    const short = letters.length > 10 ? letters.slice(0, 9).join("") + "…" : letters.join("");
    element("text", { x, y: y - 2 }, group, short);
    element("text", { x, y: y + 13 }, group, node.total.toFixed(2).replace("-", "−"));
    group.addEventListener("pointerenter", () => choose(node));
    group.addEventListener("click", () => choose(node));
    drawn.set(node, [...drawn.get(node) || [], group]);
  }
  stage.replaceChildren(svg);
  const order = [...nodes].sort((a, b) => a.length - b.length || at.get(a).y - at.get(b).y);
  const mark = chosen => {
    const way = new Set([chosen, ...ancestors(chosen)]);
    for (const [node, parts] of drawn) for (const part of parts) part.classList.toggle("chosen", way.has(node));
  };
  return { order, mark };
}
