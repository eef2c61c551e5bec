// c_t = f c_{t−1} + i g and h_t = o tanh(c_t), for every unit at every word.
function draw(data, { stage, svg, says, controls }) {
  const T = data.tokens.length, H = data.f[0].length;
  const at = (name, t, u) => t < 0 ? 0 : data[name][t][u] / 1000;
  const hidden = (t, u) => t < 0 ? 0 : at("o", t, u) * Math.tanh(at("c", t, u));
  const shown = [["forget gate f", "f"], ["input gate i", "i"], ["candidate g", "g"],
    ["output gate o", "o"], ["memory c", "c"], ["output h", "h"]];
  const value = (name, t, u) => name === "h" ? hidden(t, u) : at(name, t, u);
  let gate = data.gate, word = data.word, unit = data.unit, wide = 600, place = null;

  function paint(room = wide) {
    wide = Math.min(room, 760);
    const left = 34, right = Math.max(30, beyond([...data.tokens].reverse(), wide - left));
    const cell = (wide - left - right) / T, row = within(260 / H, 3, 16);
    const top = headRoom(data.tokens, cell), name = shown[gate][1], bars = top + H * row + 14;
    const all = range(T).flatMap(t => range(H).map(u => Math.abs(value(name, t, u))));
    const strong = "ifo".includes(name) ? 1 : Math.max(...all, 1e-9);
    place = { left, cell, top, row };
    svg.replaceChildren();
    size(svg, wide, bars + 4 * 24 + 8);
    heads(svg, data.tokens, t => left + (t + 0.5) * cell, top - 6, cell);
    range(T).forEach(t => range(H).forEach(u => make("rect", { class: row < 6 ? "cell thin" : "cell",
      x: left + t * cell, y: top + u * row, width: cell, height: row, style: tint(value(name, t, u), strong) }, svg)));
    make("rect", { class: "frame", x: left + word * cell, y: top, width: cell, height: H * row }, svg);
    make("rect", { class: "frame", x: left, y: top + unit * row, width: T * cell, height: row }, svg);
    make("text", { x: left - 5, y: top + (unit + 0.5) * row + 4, "text-anchor": "end" }, svg, unit + 1);
    // Below the map: what the chosen unit keeps and writes at the chosen word, and what it shows.
    const terms = [["keeps f·c", at("f", word, unit) * at("c", word - 1, unit)],
      ["writes i·g", at("i", word, unit) * at("g", word, unit)],
      ["memory c", at("c", word, unit)], ["output h", hidden(word, unit)]];
    const middle = 96 + (wide - 96 - 46) / 2, long = (wide - 96 - 46) / 2;
    const most = Math.max(1, ...terms.map(([, v]) => Math.abs(v)));
    terms.forEach(([text, v], n) => {
      const y = bars + n * 24, length = long * Math.abs(v) / most;
      make("text", { x: 0, y: y + 15 }, svg, text);
      make("rect", { class: v < 0 ? "bar below" : "bar", x: v < 0 ? middle - length : middle, y: y + 3,
        width: Math.max(1, length), height: 16 }, svg);
      make("text", { x: wide, y: y + 15, "text-anchor": "end" }, svg, fixed(v, 2));
    });
    make("line", { class: "grid", x1: middle, x2: middle, y1: bars, y2: bars + 96 }, svg);
  }
  function tell() {
    const v = name => fixed(at(name, word, unit), 2), before = fixed(at("c", word - 1, unit), 2);
    says.textContent = `${quote(data.tokens[word])}, unit ${unit + 1}: keeps ${v("f")} of the memory ` +
      `${before} and adds ${v("i")} × ${v("g")}, so c = ${v("c")}; it shows ${v("o")} of tanh c: ` +
      `h = ${fixed(hidden(word, unit), 2)}.`;
  }
  const update = () => { paint(); tell(); };
  choice(controls, "heat map", shown.map(pair => pair[0]), gate, n => { gate = n; update(); });
  const toWord = slider(controls, "word", T, word, n => data.tokens[n], n => { word = n; update(); });
  const toUnit = slider(controls, "unit", H, unit, n => `${n + 1} of ${H}`, n => { unit = n; update(); });
  player(controls, T, () => word, toWord, 900);
  dragged(svg, (x, y) => {
    if (y > place.top + H * place.row) return;
    toUnit(within(Math.floor((y - place.top) / place.row), 0, H - 1));
    toWord(within(Math.floor((x - place.left) / place.cell), 0, T - 1));
  });
  fit(stage, paint);
  tell();
}
