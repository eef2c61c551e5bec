// s(Y) = log P / lp(|Y|) + β Σ_j log min(Σ_t α_tj, 1): the hypotheses stay, their order changes.
function draw(data, { stage, svg, says, controls }) {
  svg.remove();  // this view is a table: text that can be selected
  const grid = (count, step) => range(count).map(n => +(n * step).toFixed(2));
  const alphas = grid(41, 0.05), betas = grid(21, 0.05);
  const nearest = (numbers, value) =>
    ranked(numbers.map(number => -Math.abs(number - value)))[0];
  let beam = data.beams.length - 1, a = nearest(alphas, data.a), b = nearest(betas, data.b);
  const graded = data.beams.some(({ rows }) => rows.some(row => "bleu" in row));

  const penalty = n => data.penalty === "power" ? n ** alphas[a] : ((5 + n) / 6) ** alphas[a];
  const score = row => row.p / penalty(row.n) + betas[b] * (row.cover || 0);
  const table = make("table", { class: "ranking" }, stage);
  function paint() {
    table.replaceChildren();
    const head = make("tr", {}, make("thead", {}, table));
    ["", "hypothesis", "score", ...(graded ? ["BLEU"] : []), "log P", "tokens",
      ...(data.covered ? ["coverage"] : [])].forEach(name => make("th", { scope: "col" }, head, name));
    const body = make("tbody", {}, table), rows = data.beams[beam].rows;
    ranked(rows.map(score)).slice(0, 12).forEach((i, place) => {
      const row = rows[i], line = make("tr", place ? {} : { class: "first" }, body);
      [place + 1, row.text || "(nothing)", fixed(score(row), 3), ...(graded ? [fixed(row.bleu, 1)] : []),
        fixed(row.p, 2), row.n, ...(data.covered ? [fixed(row.cover, 2)] : [])]
        .forEach(text => make("td", {}, line, text));
    });
  }
  function tell() {
    const rows = data.beams[beam].rows, best = rows[ranked(rows.map(score))[0]];
    const cover = data.covered ? ` + ${betas[b]} × ${fixed(best.cover, 2)}` : "";
    says.textContent = `k = ${data.beams[beam].k}, α = ${alphas[a]}` +
      `${data.covered ? `, β = ${betas[b]}` : ""}: the best of ${rows.length} is ${quote(best.text)}, ` +
      `score ${fixed(score(best), 3)} = ${fixed(best.p, 2)} / ${penalty(best.n).toFixed(2)}${cover}` +
      `${graded ? `; BLEU ${fixed(best.bleu, 1)}` : ""}.`;
  }
  const update = () => { paint(); tell(); };
  slider(controls, "beam size k", data.beams.length, beam, n => `${data.beams[n].k}`,
    n => { beam = n; update(); });
  slider(controls, "length, α", alphas.length, a, n => `${alphas[n]}`, n => { a = n; update(); });
  if (data.covered) slider(controls, "coverage, β", betas.length, b, n => `${betas[n]}`,
    n => { b = n; update(); });
  update();
}
