// What a person types, made plain, rule for rule as attnlib/data/text.py does it: one spelling of
// what looks the same, one sentence at a time.

// What Python calls white space; JavaScript's \s differs in six characters.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACES = new RegExp(`[${SPACE}]+`, "gu");
const LETTER = "\\p{L}\\p{N}_";  // what Python calls \w
const DIGIT = "\\p{Nd}";
const JOINERS = "\\u200c\\u200d";  // spelling in Hindi, Persian and emoji

const HIDDEN = new RegExp(`(?![${SPACE}${JOINERS}])[\\p{Cc}\\p{Cf}]`, "gu");
const JOINER = new RegExp(`[${JOINERS}]`, "u"), INSIDE = /[\p{L}\p{M}\p{N}\p{S}]/u;

function normalize(text) {
  const spaced = withoutLoose(text.replace(HIDDEN, "")).replace(SPACES, " ");
  return spaced.replace(/^ | $/g, "").normalize("NFC");
}

// A joiner belongs between letters or signs; any other is loose. (Not by an expression that looks
// behind: there WebKit knows no letter or sign of more than 16 bits, and no emoji.)
function withoutLoose(text) {
  if (!JOINER.test(text)) return text;
  const letters = [...text], inside = i => INSIDE.test(letters[i] || "");
  return letters.filter((letter, i) => !JOINER.test(letter) || (inside(i - 1) && inside(i + 1))).join("");
}

// Strings are walked by whole letters, not by JavaScript's units of 16 bits.
function splitFirst(text) {
  const [first = ""] = text;
  return [first, text.slice(first.length)];
}

// A first letter is changed where that can be undone.
function lowerFirst(text) {
  const [first, rest] = splitFirst(text), small = first.toLowerCase();
  return small.toUpperCase() === first ? small + rest : text;
}

function upperFirst(text) {
  const [first, rest] = splitFirst(text), large = first.toUpperCase();
  return large.toLowerCase() === first ? large + rest : text;
}

const capitalized = text => text.replace(/[\p{L}\p{Nl}\p{No}]+/gu, upperFirst);

// The sentences of a text, each normalized. Not by Intl.Segmenter, which ends one after "Dr." and
// in "am 3. Mai", and none where there is no capital; and browsers differ in it.
const MARKS = /(?:([.!?…।॥؟۔]+)|[。！？｡]+)([)\]}"'”’»“›」』）】]*)( ?)/gu;
const OPENS = /^[([{“"'„‘‚«»‹¿¡—–-]*/u;
// What goes on with the sentence behind speech in quotation marks or brackets.
const GOES_ON = new RegExp("^(?:って|など|なんて|みたい|まで|と(?!ても|っても|ころ|き|にかく|もかく|りあえず|うとう)"
  + "|は(?!い|じめ|や|は|っきり)|を|が(?!んば|っか)|に(?!ほん|わ|げ|や|っこり)|の(?!ち|ん)"
  + "|も(?!う|し|の|ちろん|っと)|で(?!は|も|き|すが|すから)|だ(?=[。、とろっ])|から(?!だ|す)"
  + "|(?:이?라[고는며]|하[고며])(?= |$))", "u");
const SHORT = new RegExp(`^(?:(?:[${LETTER}]\\.)*[${LETTER}]|${DIGIT}{2}|[IVX]+)$`, "u");
const ABBREVIATION = new RegExp("^(?:bzw|ca|dr|dipl|evtl|fr|frl|ggf|hr|hrsg|ing|inkl|jh|jhd|mio|mrd"
  + "|nr|prof|sog|st|str|tel|vgl|approx|capt|dept|fig|gov|lt|messrs|mme|mr|mrs|ms|mt|rev|sgt|vs)$");
const BEFORE_NUMBER = /^(?:abb|abs|art|bd|ch|chap|kap|no|nos|pp|sec|vol)$/;

function splitSentences(given) {
  const text = normalize(given), small = text === text.toLowerCase(), found = [];
  let start = 0;
  for (const mark of text.matchAll(MARKS)) {
    const end = mark.index + mark[0].length;
    if (!endsSentence(text.slice(Math.max(start, mark.index - 20), mark.index), mark, text.slice(end, end + 20), small)) continue;
    found.push(text.slice(start, end).trimEnd());
    start = end;
  }
  return text.slice(start) ? [...found, text.slice(start)] : found;
}

// Whether a mark ends a sentence, and another one follows.
function endsSentence(before, [, mark, closed, gap], rest, small) {
  if (closed && GOES_ON.test(rest)) return false;
  const [after] = splitFirst(rest.replace(OPENS, ""));
  if (!mark) return rest !== "";
  if (!gap) return /(?:(?=\p{L})\p{Lowercase}){2}$/u.test(before) && /\p{Uppercase}/u.test(after);
  const number = /\p{Nd}/u.test(after);
  const begins = number || (/\p{L}/u.test(after) && (small || !/\p{Lowercase}/u.test(after)));
  if (!begins || mark !== ".") return begins;
  const word = before.slice(before.lastIndexOf(" ") + 1).replace(OPENS, ""), low = word.toLowerCase();
  return !((number && BEFORE_NUMBER.test(low)) || SHORT.test(word) || ABBREVIATION.test(low));
}
