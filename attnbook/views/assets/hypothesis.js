// BLEU of a sentence as attnlib computes it (and sacreBLEU): tokenizer 13a, smoothing "exp",
// effective order. White space is what Python says it is.
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const END = new RegExp(SPACE.source + "$", "u");
const pieces = text => text.split(SPACE).filter(piece => piece);
const TOKENIZERS = {
  none: pieces,
  char: text => pieces(text).flatMap(piece => [...piece]),
  "13a": text => {
    text = text.replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
    for (const [name, sign] of [["&quot;", '"'], ["&amp;", "&"], ["&lt;", "<"], ["&gt;", ">"]]) {
      text = text.replaceAll(name, sign);
    }
    return pieces(` ${text} `.replace(/([{-~[-` -&(-+:-@/])/g, " $1 ")
      .replace(/([^0-9])([.,])/gu, "$1 $2 ").replace(/([.,])([^0-9])/gu, " $1 $2")
      .replace(/([0-9])(-)/g, "$1 $2 "));
  },
};
const runs = (tokens, n) =>
  range(Math.max(0, tokens.length - n + 1)).map(i => JSON.stringify(tokens.slice(i, i + n)));
function counts(items) {
  const found = new Map();
  items.forEach(item => found.set(item, (found.get(item) || 0) + 1));
  return found;
}
// For each n, which runs of the first tokens are found in one of the others, no run more often than
// there: clipping takes them from left to right.
function matched(tokens, others, n) {
  const allowed = new Map(), seen = new Map();
  others.forEach(other => counts(runs(other, n)).forEach((count, run) =>
    allowed.set(run, Math.max(count, allowed.get(run) || 0))));
  return runs(tokens, n).map(run => {
    seen.set(run, (seen.get(run) || 0) + 1);
    return seen.get(run) <= (allowed.get(run) || 0);
  });
}
function bleu(tokens, references) {
  const c = tokens.length, by = (a, b) => Math.abs(a - c) - Math.abs(b - c) || a - b;
  const r = references.map(reference => reference.length).sort(by)[0];
  const penalty = c >= r ? 1 : c ? Math.exp(1 - r / c) : 0, orders = [1, 2, 3, 4];
  const hits = orders.map(n => matched(tokens, references, n).filter(hit => hit).length);
  const totals = orders.map(n => Math.max(0, c - n + 1)), p = [0, 0, 0, 0];
  let used = 4, halvings = 0;
  if (sum(hits)) {
    for (const n of range(4)) {
      if (!totals[n]) break;
      used = n + 1;  // effective order: runs longer than the sentence do not count
      p[n] = (hits[n] || 0.5 ** ++halvings) / totals[n];  // ½, ¼, … of a match where there is none
    }
  }
  const logs = p.slice(0, used).map(Math.log);
  const score = p.slice(0, used).every(x => x > 0) ? 100 * penalty * Math.exp(sum(logs) / used) : 0;
  return { c, r, penalty, hits, totals, p, score };
}

function draw(data, { stage, svg, says, controls }) {
  svg.remove();  // this view is text that can be selected
  const split = text => TOKENIZERS[data.tokenize](text.replace(END, "")), references = data.refs.map(split);
  const rows = data.refs.map(() => make("p", { class: "tokens" }, stage));
  const own = make("p", { class: "tokens" }, stage);
  const table = make("table", {}, stage);
  let n = 0;

  // Tokens in a run that was found are underlined and colored, the others are not.
  function mark(box, name, tokens, hits) {
    box.replaceChildren();
    make("b", {}, box, name + " ");
    tokens.forEach((token, i) => {
      const hit = hits.some((found, at) => found && at <= i && i <= at + n);
      make(hit ? "mark" : "span", {}, box, token);
      box.append(" ");
    });
  }
  function update() {
    const tokens = split(field.value), result = bleu(tokens, references);
    mark(own, "yours:", tokens, matched(tokens, references, n + 1));
    references.forEach((reference, k) =>
      mark(rows[k], "reference:", reference, matched(reference, [tokens], n + 1)));
    table.replaceChildren();
    const head = make("tr", {}, make("thead", {}, table)), body = make("tbody", {}, table);
    ["", "matches", "of", "percent"].forEach(name => make("th", { scope: "col" }, head, name));
    range(4).forEach(k => {
      const line = make("tr", k === n ? { class: "first" } : {}, body);
      const smoothed = result.totals[k] && !result.hits[k] && result.p[k] ? " (smoothed)" : "";
      [`p${"₁₂₃₄"[k]}`, result.hits[k], result.totals[k], (100 * result.p[k]).toFixed(1) + smoothed]
        .forEach(text => make("td", {}, line, text));
    });
    const found = range(4).map(k => `p${k + 1} ${result.hits[k]}/${result.totals[k]}`).join(", ");
    says.textContent = `BLEU ${result.score.toFixed(2)}. ${found}; brevity penalty ` +
      `${result.penalty.toFixed(3)} (${result.c} tokens, reference ${result.r}).`;
    stage.dataset.bleu = JSON.stringify(result);  // for programs: a test compares it with attnlib's
  }
  const label = make("label", {}, controls);
  make("span", {}, label, "hypothesis");
  const field = make("input", { type: "text", spellcheck: "false", autocomplete: "off" }, label);
  field.value = data.start;
  field.addEventListener("input", update);
  choice(controls, "marked", ["words", "pairs", "threes", "fours"], n, k => { n = k; update(); });
  if (data.more.length) {
    const more = make("div", { class: "choice more" }, controls);
    make("span", {}, more, "try");
    data.more.forEach(text => make("button", { type: "button" }, more, text)
      .addEventListener("click", () => { field.value = text; update(); }));
  }
  update();
}
