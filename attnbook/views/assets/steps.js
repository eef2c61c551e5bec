// One step of a decoder: the query meets every key (scores), a softmax makes weights of the scores,
// and the context is the sum of the values, each times its weight.
function draw(data, { stage, svg, says, controls }) {
  const parts = ["scores", "softmax", "weighted sum"], row = 26, head = 22;
  const S = data.src.length, T = data.tgt.length, units = data.values[0].length;
  const top = Math.max(...data.values.flat().map(Math.abs), 1e-9);
  let t = 0, part = 0, wide = 600;

  const weights = () => softmax(data.scores[t]);
  const context = w => range(units).map(u => sum(w.map((weight, j) => weight * data.values[j][u])));
  function paint(room = wide) {
    wide = Math.min(room, 760);
    svg.replaceChildren();
    size(svg, wide, head + (S + 1) * row + 22);
    // Four columns: word (key), score, weight, value.
    const word = wide * 0.25, score = word + 54, weight = score + wide * 0.2, strip = weight + 14;
    const cell = Math.min(26, (wide - strip - 4) / units), w = weights();
    [[word, "key"], [score, "score"], [weight, "weight"]].forEach(([x, name], n) =>
      make("text", { x, y: 13, "text-anchor": "end", class: n > part + 1 ? "later" : "" }, svg, name));
    make("text", { x: strip, y: 13 }, svg, part < 2 ? "value" : "weight × value");
    data.src.forEach((name, j) => {
      const y = head + j * row, e = data.scores[t][j];
      label(svg, word, y + 17, name, word, { "text-anchor": "end" });
      make("text", { x: score, y: y + 17, "text-anchor": "end" }, svg, e === null ? "−∞" : fixed(e, 2));
      if (part > 0) {
        const long = wide * 0.2 - 50;
        make("rect", { class: "bar", x: score + 10, y: y + 4, width: Math.max(1, long * w[j]), height: row - 8 }, svg);
        make("text", { x: weight, y: y + 17, "text-anchor": "end" }, svg, w[j].toFixed(2));
      }
      data.values[j].forEach((value, u) => make("rect", { class: "cell", x: strip + u * cell, y: y + 2,
        width: cell, height: row - 4, style: tint(value * (part < 2 ? 1 : w[j]), top) }, svg));
    });
    const y = head + S * row + 8;
    make("line", { class: "grid", x1: 0, x2: wide, y1: y - 4, y2: y - 4 }, svg);
    make("text", { x: weight, y: y + 17, "text-anchor": "end", class: part < 2 ? "later" : "" }, svg, "context Σ");
    context(w).forEach((value, u) => make("rect", { class: part < 2 ? "cell open" : "cell",
      x: strip + u * cell, y: y + 2, width: cell, height: row - 4,
      style: part < 2 ? "" : tint(value, top) }, svg));
  }
  function tell() {
    const w = weights(), order = ranked(w), name = j => quote(data.src[j]);
    const word = quote(data.tgt[t]);
    const start = `Step ${t + 1} of ${T}${data.verb ? `: ${word} ${data.verb}` : `, which writes ${word}`}. `;
    const forbidden = data.scores[t].filter(e => e === null).length;
    const shown = order.slice(0, 3).map(j => `${name(j)} ${w[j].toFixed(2)}`).join(", ");
    says.textContent = start + [
      `The query meets ${S} keys. Highest score: ${name(order[0])}, ${fixed(data.scores[t][order[0]], 2)}.` +
        (forbidden ? ` ${forbidden} may not be attended.` : ""),
      `The softmax makes weights that sum to 1: ${shown}.`,
      `The context is ${order.slice(0, 3).map(j => `${w[j].toFixed(2)} × the value of ${name(j)}`).join(" + ")}` +
        `${S > 3 ? " + …" : ""}: ${context(w).slice(0, 3).map(v => fixed(v, 2)).join(", ")}` +
        `${data.units > 3 ? `, … (${data.units} numbers)` : ""}.`,
    ][part];
  }
  const update = () => { paint(); tell(); };
  const move = slider(controls, "step", T, t, n => `${n + 1} of ${T}: ${data.tgt[n]}`,
    n => { t = n; update(); });
  const show = choice(controls, "part", parts, part, n => { part = n; update(); });
  // Playing goes through the three parts of every step.
  player(controls, 3 * T, () => 3 * t + part, n => {
    part = n % 3;
    move(Math.floor(n / 3));
    show(part);
  }, 1200);
  fit(stage, paint);
  tell();
}
