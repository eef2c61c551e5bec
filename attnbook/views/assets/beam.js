function draw(data, { stage, svg, says, controls }) {
  const nodes = data.nodes, steps = [...new Set(nodes.map(node => node.step))].sort((a, b) => a - b);
  const wide = 112, high = 46;
  // Each column stands in the order of its parents, so no two lines cross.
  const order = [];
  let rows = 0;
  steps.forEach((step, column) => {
    const here = nodes.map((node, i) => i).filter(i => nodes[i].step === step);
    const above = i => nodes[i].parent === null ? 0 : nodes[nodes[i].parent].y;
    here.sort((a, b) => above(a) - above(b) || nodes[b].log_prob - nodes[a].log_prob);
    here.forEach((i, rank) => Object.assign(nodes[i],
      { x: column * wide + 56, y: rank - (here.length - 1) / 2, column }));
    rows = Math.max(rows, here.length);
    order.push(...here);
  });
  nodes.forEach(node => { node.y = (node.y + rows / 2) * high; });
  const path = i => i === null ? [] : [...path(nodes[i].parent), i];
  const best = new Set(path(nodes.findIndex(node => node.status === "best")).filter(i => i >= 0));
  const corner = status => status === "live" || status === "pruned" ? 8 : 0;
  const look = i => best.has(i) ? "best" : nodes[i].status;
  size(svg, steps.length * wide, rows * high + 24);
  nodes.forEach((node, i) => {
    if (node.parent === null) return;
    const from = nodes[node.parent], d = `M${from.x + 44},${from.y}L${node.x - 44},${node.y}`;
    node.edge = make("path", { d, class: `edge ${look(i)}` });
  });
  order.filter(i => nodes[i].edge).sort((a, b) => best.has(a) - best.has(b))
    .forEach(i => svg.appendChild(nodes[i].edge));
  order.forEach((i, rank) => {
    const node = nodes[i];
    node.box = make("g", { class: `node ${look(i)}` }, svg);
    const box = { x: node.x - 44, y: node.y - 18, width: 88, height: 36, rx: corner(look(i)) };
    make("rect", box, node.box);
    label(node.box, node.x, node.y - 2, node.token, 84);
    make("text", { x: node.x, y: node.y + 13 }, node.box, fixed(node.log_prob, 2));
    node.box.addEventListener("pointerenter", () => choose(rank));
    node.box.addEventListener("click", () => choose(rank));
  });
  const key = make("div", { class: "key" });
  stage.before(key);
  for (const status of ["best", "finished", "live", "pruned"]) {
    if (!nodes.some((node, i) => look(i) === status)) continue;
    const item = make("span", {}, key);
    const icon = make("g", { class: `node ${status}` }, make("svg", { width: 26, height: 16 }, item));
    make("rect", { x: 2, y: 2, width: 22, height: 12, rx: corner(status) }, icon);
    item.append(status);
  }
  steps.forEach((step, column) => make("text",
    { class: "mid", x: column * wide + 56, y: rows * high + 18 }, svg, `step ${step}`));
  function reveal(last) {
    nodes.forEach(node => [node.box, node.edge].forEach(part =>
      part && part.classList.toggle("hidden", node.column > last)));
  }
  function tell(rank) {
    const line = path(order[rank]), node = nodes[order[rank]];
    nodes.forEach((other, i) => [other.box, other.edge].forEach(part =>
      part && part.classList.toggle("chosen", line.includes(i))));
    const words = line.map(i => nodes[i].token).join(" ");
    says.textContent = `${quote(words)}: log-probability ${fixed(node.log_prob, 2)} nats, ${node.status}` +
      (best.has(order[rank]) && node.status !== "best" ? ", on the way to the best" : "");
    if (node.column > shown) show(node.column);
  }
  let shown = steps.length - 1, show = () => {};
  show = slider(controls, "steps shown", steps.length, shown, n => `up to ${steps[n]}`,
    n => { shown = n; reveal(n); });
  const start = Math.max(0, order.findIndex(i => nodes[i].status === "best"));
  const choose = slider(controls, "hypothesis", order.length, start,
    rank => `${rank + 1} of ${order.length}`, tell);
  tell(start);
}
