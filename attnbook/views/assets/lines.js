const COLOURS = ["b", "o", "g", "p", "y", "s"];
const SHAPES = ["M-5,0A5,5 0 1 0 5,0A5,5 0 1 0 -5,0Z", "M-4.5,-4.5H4.5V4.5H-4.5Z", "M0,-6L6,5H-6Z",
  "M0,-6.5L6.5,0L0,6.5L-6.5,0Z", "M-6,-5H6L0,6Z", "M-2,-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z"];
const DASHES = ["", "9 4", "3 3", "12 3 3 3", "6 2", "2 5"];
const ink = n => `color-mix(in srgb, var(--${COLOURS[n % 6]}) 80%, currentColor)`;

function draw(data, { stage, svg, says, controls }) {
  const W = within(stage.clientWidth - 8 || 760, 44 * data.x.length + 70, 760), L = 58, R = 12, T = 12;
  const [low, high] = data.range, step = (W - L - R) / data.x.length;
  const slant = broadest(data.x) + 4 > step;
  const B = slant ? 84 : 46, H = 250 + B;
  const x = i => L + (i + 0.5) * step, y = v => T + (H - T - B) * (high - v) / (high - low);
  size(svg, W, H);
  const parts = low < 0 ? 4 : 5;
  for (let n = 0; n <= parts; n++) {
    const value = low + (high - low) * n / parts;
    make("line", { class: "grid", x1: L, x2: W - R, y1: y(value), y2: y(value) }, svg);
    const text = fixed(value, high - low > 20 ? 0 : 1);
    make("text", { x: L - 8, y: y(value) + 4, "text-anchor": "end" }, svg, text);
  }
  data.x.forEach((word, i) => {
    const [at, down] = [x(i), H - B + 18];
    const turn = { transform: `rotate(-35 ${at} ${down})`, "text-anchor": "end" };
    label(svg, at, down, word, slant ? 90 : 999, slant ? turn : { class: "mid" });
  });
  make("text", { x: (L + W - R) / 2, y: H - 4, class: "mid" }, svg, data.xlabel);
  const side = `rotate(-90 14 ${(H - B) / 2})`;
  make("text", { x: 14, y: (H - B) / 2, class: "mid", transform: side }, svg, data.ylabel);
  const cursor = make("line", { class: "cursor", y1: T, y2: H - B }, svg), plot = make("g", {}, svg);
  const key = make("div", { class: "key" });
  stage.before(key);
  data.lines.forEach((line, n) => {
    const item = make("span", {}, key), icon = make("svg", { width: 34, height: 14 }, item);
    item.append(line.name);
    make("path", { d: "M1,7H33", style: `stroke:${ink(n)}`, "stroke-width": 2.2,
      "stroke-dasharray": DASHES[n % 6] }, icon);
    make("path", { d: SHAPES[n % 6], transform: "translate(17 7)", style: `fill:${ink(n)}` }, icon);
  });
  // A line holds a value for each point, or a row of units for each point.
  const value = (line, i) => unit === null || !Array.isArray(line.y[i]) ? line.y[i]
    : unit ? line.y[i][unit - 1] : line.y[i].reduce((a, b) => a + b, 0) / line.y[i].length;
  let unit = data.units ? 0 : null, at = 0;
  function paint() {
    plot.replaceChildren();
    data.lines.forEach((line, n) => {
      const ys = data.x.map((_, i) => value(line, i));
      const path = ys.map((v, i) => v === null ? "" :
        `${i && ys[i - 1] !== null ? "L" : "M"}${x(i)},${y(v)}`).join("");
      make("path", { d: path, style: `fill:none;stroke:${ink(n)}`, "stroke-width": 2.2,
        "stroke-dasharray": DASHES[n % 6] }, plot);
      ys.forEach((v, i) => {
        if (v === null) return;
        if (line.ends && line.ends[i]) make("path", { style: `stroke:${ink(n)}`, "stroke-width": 2,
          d: line.ends[i].map(e => `M${x(i) - 7},${y(e)}h14m-7,0`).join("") +
            `V${y(line.ends[i][0])}` }, plot);
        make("path", { d: SHAPES[n % 6], transform: `translate(${x(i)} ${y(v)})`,
          style: `fill:${ink(n)}` }, plot);
      });
    });
  }
  function tell() {
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
    const told = data.lines.map((line, n) => {
      const v = value(line, at), ends = line.ends && line.ends[at];
      if (v === null) return `${line.name}: no value`;
      const band = ends ? ` (${ends.map(e => fixed(e, data.digits)).join(" to ")})` : "";
      return `${line.name}: ${fixed(v, data.digits)}${band}`;
    });
    says.textContent = `${quote(data.x[at])}${data.notes ? ", " + data.notes[at] : ""}. ` + told.join("; ");
  }
  const move = slider(controls, data.step, data.x.length, 0, i => data.x[i], i => { at = i; tell(); });
  if (data.units) slider(controls, "unit", data.units + 1, 0,
    n => n ? `${n} of ${data.units}` : "mean of all", n => { unit = n; paint(); tell(); });
  const point = event => {
    const box = svg.getBoundingClientRect();
    const i = Math.floor(((event.clientX - box.left) * W / box.width - L) / step);
    if (i >= 0 && i < data.x.length) move(i);
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("click", point);
  paint();
  tell();
}
