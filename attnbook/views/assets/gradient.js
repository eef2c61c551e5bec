// The gradient of a loss at the end, on its way back through a chain of words. Where attention is,
// it need not take that way: one step leads from the loss to every word.
function draw(data, { stage, svg, says, controls }) {
  const T = data.tokens.length, block = 74;
  let back = T - 1, wide = 600, left = 6;  // arrived: a page that nobody touches shows the whole way

  const reached = (line, j) => line.direct || j >= T - 1 - back;
  function paint(room = wide) {
    wide = Math.min(room, 760);
    left = Math.max(6, beyond(data.tokens, wide - 42));
    const cell = (wide - 42 - left) / T, x = j => left + (j + 0.5) * cell, end = left + T * cell;
    const box = Math.min(cell * 0.72, 40), foot = headRoom(data.tokens, cell);
    svg.replaceChildren();
    size(svg, wide, data.lines.length * block + foot + 4);
    data.lines.forEach((line, n) => {
      const y = n * block + 46;
      make("text", { x: 0, y: y - 34 + 2, class: "strong" }, svg, line.name);
      line.y.forEach((norm, j) => {
        const on = reached(line, j);
        if (on && line.direct) make("path", { class: "way", "stroke-opacity": (0.15 + 0.85 * line.shade[j]).toFixed(3),
          d: `M${end + 20},${y - 11}C${end - 4},${y - 34} ${x(j) + 10},${y - 34} ${x(j)},${y - 13}` }, svg);
        if (on && !line.direct) make("line", { class: "way", x1: x(j) + box / 2,
          x2: j === T - 1 ? end + 6 : x(j + 1) - box / 2, y1: y, y2: y,
          "stroke-opacity": (0.15 + 0.85 * line.shade[j]).toFixed(3) }, svg);
        make("rect", { class: on ? "cell" : "cell open", x: x(j) - box / 2, y: y - 12, width: box, height: 24,
          rx: 4, style: on ? tint(line.shade[j], 1) : "" }, svg);
      });
      make("text", { x: end + 8, y: y + 4 }, svg, "loss");
    });
    const y = data.lines.length * block + 8;
    const angle = tilt(data.tokens, cell);
    data.tokens.forEach((word, j) => label(svg, x(j), y + 4, word, angle ? 90 : 999, angle
      ? { transform: `rotate(-${angle} ${x(j)} ${y + 4})`, "text-anchor": "end" }
      : { class: j === T - 1 - back ? "mid strong" : "mid" }));
    data.lines.forEach((_, n) => make("rect", { class: "frame", x: x(T - 1 - back) - cell / 2, y: n * block + 29,
      width: cell, height: 34 }, svg));  // one per model: a single one would cross their names
  }
  function tell() {
    const j = T - 1 - back;
    says.textContent = `${back} step${back === 1 ? "" : "s"} back, at ${quote(data.tokens[j])}. ` +
      data.lines.map(line => {
        const share = line.y[j] / line.y[T - 1];
        const own = line.y[T - 1] === 1;  // already relative: not the same number twice
        const beside = j === T - 1 || !isFinite(share) ? "" :
          own ? " of the last word's" : `, ${short(share)} of the last word's`;
        return `${line.name}: ${short(line.y[j])}${beside}${line.direct ? " (in one step)" : ""}`;
      }).join("; ") + ".";
  }
  const set = slider(controls, "steps back", T, back, n => `${n}: ${data.tokens[T - 1 - n]}`,
    n => { back = n; paint(); tell(); });
  player(controls, T, () => back, set, 600);
  dragged(svg, x => set(T - 1 - within(Math.floor((x - left) / ((wide - 42 - left) / T)), 0, T - 1)));
  fit(stage, paint);
  tell();
}
