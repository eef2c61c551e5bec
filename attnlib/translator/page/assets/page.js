// The page: what somebody types, points at and changes, and what is shown of it.
const DATA = JSON.parse(document.getElementById("data").textContent);
const TRANSLATORS = DATA.models.map(() => null);  // made when first needed
const ALTERNATIVES = 5, PAUSE = 100;  // words offered for a word; milliseconds between two words
const part = id => document.getElementById(id);
const quote = text => `“${text}”`;
const shortened = text => text.length > 40 ? `${text.slice(0, 30)}…` : text;
const raised = text => element("sup", {}, null, text);
const signed = (number, digits) => number.toFixed(digits).replace("-", "−");
const still = matchMedia("(prefers-reduced-motion: reduce)");

// What is on show: the translator, the sentence read, its translation, how many words of it are
// written so far, and the beginning that the reader settled.
// `written` has the settled numbers of each of the first sentences; `run` counts what was asked for.
const now = { translator: null, read: null, result: null, shown: 0, written: [], timer: 0, chosen: null,
  part: 0, run: 0 };
const PATIENCE = 50;  // milliseconds of work after which the page looks whether somebody wants something

function translatorOf(number) {
  return TRANSLATORS[number] = TRANSLATORS[number] || new Translator(DATA.models[number]);
}

const attentionIs = () => document.querySelector("[name=attention]:checked").value;
const settings = () => ({ beam: +part("beam").value, alpha: +part("alpha").value,
  even: attentionIs() === "even" });

// Translating ---------------------------------------------------------------------------------------

async function translate(from = 0) {
  clearTimeout(now.timer);
  closeChange();
  part("result").textContent = part("score").textContent = "";
  const text = part("text").value, translator = translatorOf(attentionIs() === "without" ? 1 : 0);
  const same = now.text === text && now.result, known = same && now.translator === translator;
  const read = known ? now.read : translator.read(text), run = ++now.run;
  const result = await worked(translator.translating(read, { ...settings(), written: now.written }), run);
  if (!result) return;  // something else was asked for meanwhile
  const before = same ? now.result.text : "";
  Object.assign(now, { translator, read, text, result, part: known ? now.part : 0 });
  tellUnknown();
  drawSource();
  part("before").textContent = before && before !== now.result.text ? `Before: ${quote(before)}` : "";
  part("kept").hidden = !now.written.length;
  part("kept").firstElementChild.textContent =
    `You settled the first ${now.written.flat().length === 1 ? "token" : `${now.written.flat().length} tokens`}.`;
  part("target").replaceChildren();
  part("score").textContent = "";
  now.chosen = null;
  write(Math.min(from, now.result.words.length));
}

// The result of a search, which is interrupted again and again, so that the page stays alive; null
// where another run has begun meanwhile.
async function worked(search, run) {
  for (let end = performance.now() + PATIENCE; ;) {
    const { done, value } = search.next();
    if (done) return value;
    if (performance.now() < end) continue;
    part("score").textContent = "Translating …";
    await new Promise(resolve => setTimeout(resolve));
    if (run !== now.run) return null;
    end = performance.now() + PATIENCE;
  }
}

// One word more, and where it looked; then the next one.
function write(count) {
  const { words } = now.result;
  const target = still.matches ? words.length : Math.max(count, Math.min(1, words.length));
  while (part("target").children.length < target) addWord(part("target").children.length);
  now.shown = target;
  if (target) show({ row: "target", at: target - 1 });
  if (target < words.length) now.timer = setTimeout(() => write(target + 1), PAUSE);
  else finish();
}

function finish() {
  const { result } = now, tokens = result.numbers.length;
  part("result").textContent = result.text;
  if (!tokens) part("score").textContent = "Type a sentence, and press Translate.";
  else {
    part("score").append(
      `log P = ${signed(result.logProb, 2)} nats over ${tokens} ${tokens === 1 ? "token" : "tokens"}; `
      + `score log P / ${tokens}`, raised("α"), ` = ${signed(result.score, 3)}`
      + (result.finished ? "" : "; cut at the limit of length, before its end"));
  }
  part("warning").textContent = { on: "",
    even: "The context is now the mean of all keys. This model learned with attention and needs it: "
      + "a model that was trained without manages short sentences.",
    without: "This model reads the whole sentence into one vector, and writes from that alone.",
  }[attentionIs()];
  show(null);
  part("hint").textContent = hint(result.words[0] && result.words[0].weights);
  part("weights").hidden = !(result.words[0] && result.words[0].weights);
  if (part("weights").open) drawTable();
  if (part("tree").open) openTree();
}

// What the model does not know ----------------------------------------------------------------------

function tellUnknown() {
  const tokens = now.result.sentences.flatMap(sentence => sentence.tokens);
  const strange = [...new Set(tokens.filter(token => token.number === UNK).map(token => token.text))];
  const kind = now.translator.source instanceof WordVocabulary ? "word" : "letter", many = strange.length > 1;
  part("unknown").textContent = !strange.length ? ""
    : `This model never learned the ${kind}${many ? "s" : ""} ${strange.map(shortened).map(quote).join(", ")}. Whatever `
      + `${many ? "they mean" : "it means"}, it reads ${quote("unknown")} and has to guess.`;
  const says = { unknown: "most of its letters are unknown to this model",
    long: `only its first ${LONGEST} tokens are translated: it is too long`,
    guess: `this is probably a guess: it learned ${learned() || "other texts"}` };
  const several = now.result.sentences.length > 1;
  const notes = now.result.notes.map(({ note, sentence }) =>
    `${several ? `Sentence ${sentence + 1}: ` : ""}${says[note]}.`);
  if (now.read.cut) notes.unshift(`Only the first ${MOST_SENTENCES} sentences are translated.`);
  part("notes").textContent = notes.map(upperFirst).join(" ");
}

const learned = () => DATA.models[0].about.learned;

// Words and where they looked -----------------------------------------------------------------------

function chip(row, at, text, classes) {
  const button = element("button", { type: "button", class: classes, tabindex: at ? -1 : 0 }, row, text);
  element("small", {}, button);
  const here = { row: row.id, at };
  button.addEventListener("pointerenter", () => show(here));
  for (const event of ["focus", "click"]) {  // a tap does not focus everywhere
    button.addEventListener(event, () => { now.chosen = here; show(here); });
  }
  button.addEventListener("keydown", event => walk(event, row, at));
  return button;
}

function drawSource() {
  const row = part("source");
  row.replaceChildren();
  for (const { tokens } of now.result.sentences) {
    for (const { number, text, begins } of tokens) {
      chip(row, row.children.length, text || "▁",
        `${begins ? "begins" : "glued"} ${number === UNK ? "unknown" : ""}`);
    }
    chip(row, row.children.length, "end", "begins end");
  }
}

// The numbers before a word: those of the sentences before it, and of its own.
function before({ part, at }) {
  const { parts } = now.result;
  return [...parts.slice(0, part).map(one => one.numbers), parts[part].numbers.slice(0, at)];
}

const more = (written, numbers) => [...written.slice(0, -1), [...written[written.length - 1], ...numbers]];

function addWord(at) {
  const { numbers, text, part: sentence, at: place } = now.result.words[at];
  const settled = place < (now.written[sentence] || []).length;
  const end = numbers[0] === EOS;
  const button = chip(part("target"), at, end ? "end" : text,
    `begins ${end ? "end" : ""} ${settled ? "written" : ""}`);
  button.setAttribute("aria-haspopup", "true");
  button.addEventListener("click", () => {
    const other = now.part !== sentence;
    now.part = sentence;
    if (other && part("tree").open) openTree();
    openChange(at);
  });
}

// The arrow keys walk along a row, up and down between the two; the row is one stop of the tab key.
function walk(event, row, at) {
  const count = row.children.length, other = part(row.id === "source" ? "target" : "source");
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
  const over = (event.key === "ArrowUp" && row.id === "target") || (event.key === "ArrowDown" && row.id === "source");
  const next = over ? other.children[Math.min(at, other.children.length - 1)]
    : row.children[Math.min(Math.max(to, 0), count - 1)];
  if (event.key === "Escape") closeChange();
  if (!next) return;
  event.preventDefault();
  for (const button of next.parentElement.children) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

const labels = row => Array.from(part(row).children, button => button.firstChild.textContent);
const weightOf = (row, here, there) => row === "target" ? now.result.words[here].weights[there]
  : now.result.words[there].weights[here];

// What is shown before anybody points: the written word that looked at one word the most.
function striking() {
  const ends = Array.from(part("source").children, button => button.classList.contains("end"));
  const { words } = now.result, most = ({ weights }) => Math.max(...weights.filter((_, j) => !ends[j]));
  const inside = words.map((word, at) => ({ word, at })).filter(({ word }) => word.numbers[0] !== EOS);
  if (!inside.length || !words[0].weights || now.shown < words.length) return null;
  return { row: "target", at: inside.reduce((a, b) => most(b.word) > most(a.word) ? b : a).at };
}

// Shades one row by the weights of a word of the other; the stronger its color, the more.
function show(choice) {
  const attends = now.result && now.result.words[0] && now.result.words[0].weights;
  choice = choice || (now.result && striking());
  for (const row of ["source", "target"]) {
    Array.from(part(row).children).forEach((button, i) => {
      const other = choice && attends && row !== choice.row;
      const weight = other ? weightOf(choice.row, choice.at, i) : 0;
      button.style.background = weight >= 0.01
        ? `color-mix(in srgb, var(--shade) ${(60 * weight).toFixed(1)}%, transparent)` : "";
      button.lastChild.textContent = weight >= 0.05 ? weight.toFixed(2) : "";
      button.classList.toggle("chosen", Boolean(choice) && row === choice.row && i === choice.at);
    });
  }
  part("says").textContent = !choice ? "" : attends ? sentence(choice) : probability(choice);
}

const hint = attends => !now.result.words.length ? "" : attends
  ? "Move over a word, or walk with the arrow keys, to see where it looked. Press a written word to change it."
  : "This model has no attention, so there is nothing to see of where it looked. Press a written word to change it.";

function sentence({ row, at }) {
  const [mine, theirs] = [labels(row), labels(row === "source" ? "target" : "source")];
  const most = theirs.map((text, i) => [weightOf(row, at, i), text]).sort((a, b) => b[0] - a[0]);
  const list = most.slice(0, 3).filter(([weight]) => weight >= 0.05)
    .map(([weight, text]) => `${quote(text)} ${weight.toFixed(2)}`).join(", ");
  if (settings().even) return `Every word has the same weight, ${most[0][0].toFixed(2)}${probability({ row, at }, ". ")}`;
  const verb = row === "target" ? "looked at" : "was looked at by";
  return `${quote(mine[at])} ${verb} ${list || "nothing in particular"}${probability({ row, at }, ". ")}`;
}

function probability({ row, at }, before = "") {
  if (row !== "target") return "";
  const { text, logProb } = now.result.words[at], likely = Math.exp(logProb);
  return `${before}${quote(text === END ? "end" : text)} had a probability of ${percent(likely, likely < 0.1 ? 1 : 0)}.`;
}

// A probability in percent; what is not nothing is not shown as nothing.
const percent = (probability, digits) => {
  const shown = (100 * probability).toFixed(digits);
  return `${+shown || !probability ? shown : "< 0.1"}\u00a0%`;
};

// Changing a word -----------------------------------------------------------------------------------

function openChange(at) {
  if (now.shown < now.result.words.length) return;  // still being written
  const { text, numbers, part: sentence } = now.result.words[at], written = before(now.result.words[at]);
  Object.assign(now, { changing: { at, written } });
  part("change-title").textContent = `Instead of ${quote(text === END ? "end" : text)}`;
  part("refused").textContent = part("word").value = "";
  part("alternatives").replaceChildren();
  const found = now.translator.alternatives(
    now.result.sentences[sentence], written[sentence], ALTERNATIVES, settings().even);
  for (const one of found) {
    const same = String(one.numbers) === String(numbers);
    const button = element("button", { type: "button", "aria-pressed": same }, part("alternatives"),
      `${one.text === END ? "end" : one.text} `);
    element("small", {}, button, percent(one.probability, 1));
    button.addEventListener("click", () => settle(more(written, one.numbers), at));
  }
  part("change").hidden = false;
  part("alternatives").firstElementChild.focus();
}

function closeChange() {
  if (part("change").hidden) return;
  part("change").hidden = true;
  const button = part("target").children[now.changing.at];
  if (button) button.focus();
}

async function settle(written, at) {
  now.written = written;
  await translate(at + 1);
  const button = part("target").children[at];
  if (button) button.focus();
}

function writeTyped(event) {
  event.preventDefault();
  const { at, written } = now.changing, text = part("word").value.trim();
  const tokens = now.translator.target.insert(text, written[written.length - 1].length === 0);
  const strange = tokens.filter(token => token.number === UNK).map(token => token.text);
  if (!tokens.length) part("refused").textContent = "Type a word first.";
  else if (strange.length) {
    part("refused").textContent = `This model cannot write ${quote(strange.join(" "))}: it never learned it.`;
  } else settle(more(written, tokens.map(token => token.number)), at);
}

// The tree and the table ----------------------------------------------------------------------------

function openTree() {
  const { parts } = now.result, several = parts.length > 1;
  part("stage").replaceChildren();
  part("branch").textContent = "";
  part("which").textContent = several ? `Sentence ${now.part + 1} of ${parts.length}: press a word of another to see its tree.` : "";
  if (!parts.length) return;
  now.part = Math.min(now.part, parts.length - 1);  // perhaps all are translated at once now
  const { nodes, best } = parts[now.part];  // of the sentence of which a word was pressed
  const { target } = now.translator;
  const name = node => node.token === BOS ? "start" : node.token === EOS ? "end" : target.spell([node.token]) || "▁";
  const tell = node => {
    mark(node);
    part("walk").value = order.indexOf(node);
    const tokens = path(node).map(one => one.token), text = now.translator.write(tokens);
    const state = { best: "the best ending", finished: "an ending", written: "settled by you" }[node.status]
      || (nodes.some(other => other.parent === node) ? "lived on" : "given up");
    part("branch").textContent = `${quote(text)}: log P = ${signed(node.total, 2)} nats, ${node.length ? state : "the start"}`;
    part("walk").setAttribute("aria-valuetext", part("branch").textContent);
  };
  const { order, mark } = drawTree(part("stage"), nodes, best, name, tell);
  part("walk").max = order.length - 1;
  part("walk").oninput = () => tell(order[+part("walk").value]);
  tell(best);
}

// Drawn when somebody looks: of a long text it has many thousand cells.
function drawTable() {
  const table = document.querySelector("#weights table"), { words } = now.result;
  table.replaceChildren();
  if (part("weights").hidden) return;
  const head = element("tr", {}, element("thead", {}, table)), body = element("tbody", {}, table);
  element("td", {}, head);
  for (const text of labels("source")) element("th", { scope: "col" }, head, text);
  words.forEach(({ text, weights }) => {
    const line = element("tr", {}, body);
    element("th", { scope: "row" }, line, text === END ? "end" : text);
    for (const weight of weights) {
      const style = `background: color-mix(in srgb, var(--shade) ${(60 * weight).toFixed(1)}%, transparent)`;
      element("td", { style }, line, weight.toFixed(2));
    }
  });
}

// The start -----------------------------------------------------------------------------------------

// "multi30k-de-en" → German, English; the browser knows the names.
function languages() {
  const [, ...codes] = (DATA.models[0].corpus || "").match(/\b([a-z]{2})-([a-z]{2})\b/) || [];
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  return codes.map(code => ({ code, name: names.of(code) }));
}

function begin() {
  const [from, to] = languages(), millions = (DATA.models[0].parameters / 1e6).toFixed(1);
  if (from) {
    part("title").textContent = document.title = `${from.name} → ${to.name}, in this page`;
    part("ask-label").textContent = `Your sentence, in ${from.name}`;
    for (const id of ["text", "source"]) part(id).lang = from.code;
    for (const id of ["target", "result", "before", "word", "alternatives"]) part(id).lang = to.code;
  }
  part("about").textContent = (learned() ? `It learned ${learned()}; whatever else you type, it has to guess. ` : "")
    + `A network of ${millions} million numbers is in this file, and your browser `
    + "computes with them. Nothing that you type leaves it.";
  for (const [text, gloss] of DATA.examples) {
    const button = element("button", { type: "button" }, part("examples"), text);
    if (from) button.lang = from.code;
    if (gloss) element("small", { lang: "en" }, button, gloss);
    button.addEventListener("click", () => ask(text));
  }
  part("more").hidden = !DATA.examples.length;
  // On a phone, and in a frame, they would push the translation off the screen.
  part("more").open = innerWidth > 700 && !framed;
  part("attention").hidden = DATA.models[0].architecture.decoder === "plain";
  part("without").hidden = DATA.models.length < 2;
  if (DATA.models.length > 1) {
    const { parameters, source } = DATA.models[1];
    part("without").append(` (${(parameters / 1e6).toFixed(1)} million numbers, ${source.tokens.length} tokens)`);
  }
  listen();
  ask(sentenceInAddress() || (DATA.examples[0] || [""])[0]);
}

// page.html#Ein%20Hund opens with that sentence.
function sentenceInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";  // an address that somebody cut short
  }
}

// A page that shows this one in a frame is told how high it is, and has a title of its own.
const framed = parent !== window;
document.documentElement.classList.toggle("framed", framed);
if (framed) {
  new ResizeObserver(() => parent.postMessage({ height: document.body.offsetHeight }, "*")).observe(document.body);
}

// It may say whether it is light or dark.
addEventListener("message", event => {
  const theme = event.source === parent && event.data && event.data.theme;
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
});

function ask(text) {
  part("text").value = text;
  now.written = [];
  translate();
}

function listen() {
  part("ask").addEventListener("submit", event => {
    event.preventDefault();
    now.written = [];
    translate();
  });
  const tell = id => {
    const value = +part(id).value, power = value.toFixed(1), output = document.querySelector(`output[for=${id}]`);
    const said = id === "alpha" ? ["score: log P / length", raised(power)]
      : [value === 1 ? "1: greedy search" : `${value} prefixes kept`];
    output.replaceChildren(...said);
    part(id).setAttribute("aria-valuetext", id === "alpha" ? `${said[0]} to the power of ${power}` : said[0]);
  };
  for (const id of ["beam", "alpha"]) {
    tell(id);
    part(id).addEventListener("input", () => tell(id));
    part(id).addEventListener("change", () => translate(Infinity));
  }
  part("attention").addEventListener("change", () => {
    now.written = [];  // the other model may number its words otherwise
    translate();
  });
  for (const row of ["source", "target"]) {
    part(row).addEventListener("pointerleave", event => {
      if (event.pointerType !== "mouse") return;  // a finger that is lifted has not gone away
      if (!now.result || now.shown < now.result.words.length) return;
      // A word that is being changed stays: the page may have scrolled away under the pointer.
      const stays = !part("change").hidden || part(row).contains(document.activeElement);
      show(stays ? now.chosen : null);
    });
  }
  part("typed").addEventListener("submit", writeTyped);
  part("leave").addEventListener("click", closeChange);
  part("change").addEventListener("keydown", event => { if (event.key === "Escape") closeChange(); });
  part("afresh").addEventListener("click", () => ask(part("text").value));
  part("tree").addEventListener("toggle", () => { if (part("tree").open) openTree(); });
  part("weights").addEventListener("toggle", () => { if (part("weights").open) drawTable(); });
}

begin();
