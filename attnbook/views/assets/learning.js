// The same sentence again and again while a translator learns: what it says, and where it looks.
function draw(data, { stage, svg, says, controls }) {
  // Weights come in percent, which takes fewer bytes.
  const shots = data.shots.map(shot =>
    ({ ...shot, weights: shot.weights.map(row => row.map(weight => weight / 100)) }));
  const S = data.src.length, row = 24;
  const most = Math.max(1, ...shots.map(shot => shot.tgt.length));
  const said = make("p", { class: "said" });
  stage.before(said);
  let at = shots.length - 1, word = 0, wide = 600;

  const after = n => `${shots[n].step.toLocaleString("en-US")} ${data.unit}`;
  const sentence = () => shots[at].tgt.join(" ") || "(nothing)";
  function paint(room = wide) {
    wide = Math.min(room, 640);
    const left = Math.min(110, wide * 0.28);
    const right = Math.max(26, beyond([...data.src].reverse(), wide - left));
    // Pale enough for numbers to be read where there is room for them, strong enough for the dark.
    const cell = Math.min(56, (wide - left - right) / S), numbers = cell >= 32;
    const top = headRoom(data.src, cell), x = j => left + (j + 0.5) * cell;
    svg.replaceChildren();
    size(svg, wide, top + most * row + 6);
    heads(svg, data.src, x, top - 6, cell);
    shots[at].tgt.forEach((token, t) => {
      const y = top + t * row;
      label(svg, left - 8, y + 16, token, left - 10,
        { "text-anchor": "end", class: t === word ? "chosen" : "" });
      shots[at].weights[t].forEach((weight, j) => {
        make("rect", { class: "cell", x: left + j * cell, y, width: cell, height: row,
          style: tint(weight ** 0.75, numbers ? 1.7 : 1) }, svg);
        if (numbers && weight >= 0.1) make("text", { class: "mid", x: x(j), y: y + 16 }, svg, weight.toFixed(2));
      });
      if (t === word) make("rect", { class: "frame", x: left, y, width: cell * S, height: row }, svg);
    });
    said.textContent = sentence();
  }
  function tell() {
    const shot = shots[at], row = shot.weights[word];
    let text = `After ${after(at)}${shot.note ? ` (${shot.note})` : ""}: ${quote(sentence())}.`;
    if (row) text += ` ${quote(shot.tgt[word])} looks at ` + ranked(row).slice(0, 2)
      .map(j => `${quote(data.src[j])} ${row[j].toFixed(2)}`).join(", ") + ".";
    says.textContent = text;
  }
  const update = () => { paint(); tell(); };
  const move = slider(controls, data.unit, shots.length, at, after, n => { at = n; update(); });
  const choose = slider(controls, "word", most, word, n => `${n + 1}`, n => { word = n; update(); });
  player(controls, shots.length, () => at, move, 900);
  svg.addEventListener("click", event => {
    const box = svg.getBoundingClientRect(), high = svg.viewBox.baseVal.height;
    const y = (event.clientY - box.top) * high / box.height;
    choose(within(Math.floor((y - high + 6 + most * row) / row), 0, most - 1));
  });
  fit(stage, paint);
  tell();
}
