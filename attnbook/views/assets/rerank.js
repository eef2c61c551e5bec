// s(Y) = log P / lp(|Y|): the hypotheses stay, their order changes.
function draw(data, { stage, svg, says, controls }) {
  svg.remove();  // this view is a table: text that can be selected
  const alphas = range(41).map(n => +(n * 0.05).toFixed(2));
  let beam = data.beams.length - 1, a = 0;
  const graded = data.beams.some(({ rows }) => rows.some(row => "bleu" in row));

  const penalty = n => ((5 + n) / 6) ** alphas[a];
  const score = row => row.p / penalty(row.n);
  const table = make("table", { class: "ranking" }, stage);
  function paint() {
    table.replaceChildren();
    const head = make("tr", {}, make("thead", {}, table));
    ["", "hypothesis", "score", ...(graded ? ["BLEU"] : []), "log P", "tokens"]
      .forEach(name => make("th", { scope: "col" }, head, name));
    const body = make("tbody", {}, table), rows = data.beams[beam].rows;
    ranked(rows.map(score)).slice(0, 12).forEach((i, place) => {
      const row = rows[i], line = make("tr", place ? {} : { class: "first" }, body);
      [place + 1, row.text || "(nothing)", fixed(score(row), 3), ...(graded ? [fixed(row.bleu, 1)] : []),
        fixed(row.p, 2), row.n].forEach(text => make("td", {}, line, text));
    });
  }
  function tell() {
    const rows = data.beams[beam].rows, best = rows[ranked(rows.map(score))[0]];
    says.textContent = `k = ${data.beams[beam].k}, α = ${alphas[a]}: ` +
      `the best of ${rows.length} is ${quote(best.text)}, ` +
      `score ${fixed(score(best), 3)} = ${fixed(best.p, 2)} / ${penalty(best.n).toFixed(2)}` +
      `${graded ? `; BLEU ${fixed(best.bleu, 1)}` : ""}.`;
  }
  const update = () => { paint(); tell(); };
  slider(controls, "beam size k", data.beams.length, beam, n => `${data.beams[n].k}`,
    n => { beam = n; update(); });
  slider(controls, "length, α", alphas.length, a, n => `${alphas[n]}`, n => { a = n; update(); });
  update();
}
