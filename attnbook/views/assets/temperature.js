// Weights are softmax(scores / τ): a small τ sharpens them, a large one evens them out.
function draw(data, { stage, svg, says, controls }) {
  const count = data.scores.length, row = 26;
  const degrees = range(81).map(n => 10 ** ((n - 40) / 20));  // 0.01 to 100, with 1 in the middle
  let at = 40, wide = 600;

  const weights = () => softmax(data.scores.map(score => score / degrees[at]));
  function paint(room = wide) {
    wide = Math.min(room, 640);
    const left = Math.min(150, wide * 0.34), most = wide - left - 52;
    svg.replaceChildren();
    size(svg, wide, count * row + 4);
    weights().forEach((weight, i) => {
      const y = i * row + 4;
      label(svg, left - 8, y + 15, data.labels[i], left - 12, { "text-anchor": "end" });
      make("rect", { class: "bar", x: left, y, width: Math.max(1, most * weight), height: row - 6 }, svg);
      make("text", { x: left + most * weight + 6, y: y + 15 }, svg, weight.toFixed(2));
    });
  }
  function tell() {
    const w = weights(), nats = -sum(w.filter(x => x > 0).map(x => x * Math.log(x)));
    const best = ranked(w).slice(0, 3).map(i => `${quote(data.labels[i])} ${w[i].toFixed(2)}`);
    says.textContent = `τ = ${short(degrees[at])}: ${best.join(", ")}. Entropy ${fixed(nats + 0, 2)} ` +
      `nats, as much as of ${Math.exp(nats).toFixed(1)} equally likely entries.`;
  }
  const set = slider(controls, "temperature τ", degrees.length, at, n => short(degrees[n]),
    n => { at = n; paint(); tell(); });
  const marks = make("div", { class: "choice" }, controls);
  [[0, "cold (0.01)"], [40, "τ = 1"], [80, "hot (100)"]].forEach(([n, name]) =>
    make("button", { type: "button" }, marks, name).addEventListener("click", () => set(n)));
  fit(stage, paint);
  tell();
}
