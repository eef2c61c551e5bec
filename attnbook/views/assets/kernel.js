// A point x asks all known points; the nearer one is, the more its answer counts:
// ŷ(x) = Σ α_i y_i with α = softmax(−(x − x_i)² / 2h²).
function draw(data, { stage, svg, says, controls }) {
  const ends = numbers => [Math.min(...numbers), Math.max(...numbers)];
  const [low, high] = ends([...data.x, ...data.truth.map(point => point[0])]);
  const [bottom, top] = ends([...data.y, ...data.truth.map(point => point[1])]);
  const grid = range(201).map(n => low + (high - low) * n / 200);
  // Three decades of bandwidths, from about a hundredth of the axis, and the one to start with.
  const least = 10 ** Math.floor(Math.log10((high - low) / 100 || 1));
  let width = within(Math.round(20 * Math.log10(data.h / least)), 0, 60);
  const widths = range(61).map(n => n === width ? data.h : least * 10 ** (n / 20));
  let at = 100, wide = 600, high_ = 300;
  // Three to seven round numbers of an axis.
  function ticks(from, to) {
    const room = (to - from || 1) / 3, power = 10 ** Math.floor(Math.log10(room));
    const step = power * Math.max(...[1, 2, 5].filter(n => n * power <= room));
    const first = Math.ceil(from / step), last = Math.floor(to / step);
    return range(last - first + 1).map(n => (first + n) * step);
  }

  const weights = x => softmax(data.x.map(key => -((x - key) ** 2) / (2 * widths[width] ** 2)));
  const answer = x => sum(weights(x).map((weight, i) => weight * data.y[i]));
  const X = x => 44 + (wide - 60) * (x - low) / (high - low);
  const Y = y => high_ - 46 - (high_ - 66) * (y - bottom) / (top - bottom || 1);
  const line = (points, attrs) => make("path",
    { d: "M" + points.map(([x, y]) => `${X(x).toFixed(1)},${Y(y).toFixed(1)}`).join("L"), ...attrs }, svg);

  function paint(room = wide) {
    wide = Math.min(room, 760);
    high_ = wide < 480 ? 260 : 320;
    svg.replaceChildren();
    size(svg, wide, high_);
    ticks(bottom, top).forEach(value => {
      make("line", { class: "grid", x1: X(low), x2: X(high), y1: Y(value), y2: Y(value) }, svg);
      make("text", { x: 38, y: Y(value) + 4, "text-anchor": "end" }, svg, short(value));
    });
    ticks(low, high).forEach(x => make("text", { class: "mid", x: X(x), y: high_ - 24 }, svg, short(x)));
    make("text", { class: "mid", x: wide / 2, y: high_ - 6 }, svg, "x (query)");
    make("text", { x: 4, y: 11 }, svg, "y (value)");
    if (data.truth.length) line(data.truth, { class: "line dashed" });
    line(grid.map(x => [x, answer(x)]), { class: "line orange" });
    const x = grid[at], w = weights(x), most = Math.max(...w);
    data.x.forEach((key, i) => {
      // The area of a point grows with its weight; a faint line leads from the query to it.
      if (w[i] > 0.01) make("line", { class: "ray", x1: X(x), y1: Y(answer(x)), x2: X(key),
        y2: Y(data.y[i]), "stroke-opacity": (w[i] / most).toFixed(3) }, svg);
      make("circle", { class: "point", cx: X(key), cy: Y(data.y[i]), r: 2.5 + 14 * Math.sqrt(w[i]) }, svg);
    });
    make("line", { class: "line dashed", x1: X(x), x2: X(x), y1: 16, y2: high_ - 42 }, svg);
    make("circle", { class: "query", cx: X(x), cy: Y(answer(x)), r: 8 }, svg);
  }
  function tell() {
    const x = grid[at], w = weights(x), best = ranked(w)[0];
    says.textContent = `Query x = ${fixed(x, 2)}, bandwidth h = ${short(widths[width])}: answer ` +
      `${fixed(answer(x), 3)}. The largest weight is ${w[best].toFixed(2)}, of the point at x = ` +
      `${fixed(data.x[best], 2)}, y = ${fixed(data.y[best], 2)}; together the weights are worth ` +
      `${(1 / sum(w.map(v => v * v))).toFixed(1)} points of equal weight.`;
  }
  const set = slider(controls, "query x", grid.length, at, n => fixed(grid[n], 2),
    n => { at = n; paint(); tell(); });
  slider(controls, "bandwidth h", widths.length, width, n => short(widths[n]),
    n => { width = n; paint(); tell(); });
  dragged(svg, x => set(within(Math.round(200 * (x - 44) / (wide - 60)), 0, 200)));
  fit(stage, paint);
  tell();
}
