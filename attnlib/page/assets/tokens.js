// From text to tokens and back, letter for letter as attnlib/data/words.py and subwords.py do it.
//
// A token knows three things: its number, the piece of the text that it was made from, and whether
// it begins a word. The first four numbers mean the same in every vocabulary.
const [PAD, UNK, BOS, EOS] = [0, 1, 2, 3];
const END = "<eos>";

// What Python calls white space; JavaScript's \s differs in six characters.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const EDGES = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "gu");
const LETTER = "\\p{L}\\p{N}_";  // what Python calls \w
const DIGIT = "\\p{Nd}";

// A word keeps inner apostrophes and hyphens, a number its commas, points and colons.
const WORD = new RegExp(
  `[${LETTER}]+(?:(?:['’-]|(?<=${DIGIT})[.,:](?=${DIGIT}))[${LETTER}]+)*|[^${LETTER}${SPACE}]`, "gu");
const CLOSING = new Set(".,?!:;)]}%…”’");
const OPENING = new Set("([{“‘„\"");
const CLOSED_BY = { "\"": "\"", "„": "“" };
const CONTINUES = "##";  // marks a piece that is glued to the one before it

function makeVocabulary(description) {
  return description.kind === "words" ? new WordVocabulary(description)
    : new SubwordVocabulary(description);
}

// Strings are walked by whole letters, not by JavaScript's units of 16 bits.
function splitFirst(text) {
  const [first = ""] = text;
  return [first, text.slice(first.length)];
}

// Whole words, and pieces of words where a language needs them: 학교에서 → 학교 ##에서.
class WordVocabulary {
  constructor({ tokens }) {
    this.names = tokens;
    this.index = new Map(tokens.map((name, number) => [name, number]));
  }

  // Longest match first: a known beginning, then known continuations; else unknown as a whole.
  cut(word) {
    const letters = [...word], tokens = [];
    for (let start = 0, end; start < letters.length; start = end) {
      let number;
      for (end = letters.length; end > start; end--) {
        const piece = letters.slice(start, end).join("");
        number = this.index.get((start ? CONTINUES : "") + piece);
        if (number !== undefined) break;
      }
      if (number === undefined) return [{ number: UNK, text: word, begins: true }];
      tokens.push({ number, text: letters.slice(start, end).join(""), begins: start === 0 });
    }
    return tokens;
  }

  // The first letter of a sentence is written small, unless only the word with its capital is known.
  tokenize(text) {
    const words = text.match(WORD) || [];
    if (words.length) {
      const [first, rest] = splitFirst(words[0]), small = first.toLowerCase() + rest;
      if (!this.index.has(words[0]) || this.index.has(small)) words[0] = small;
    }
    return words.flatMap(word => this.cut(word));
  }

  // A word that somebody writes into the middle of a translation.
  insert(text, atStart) {
    return atStart ? this.tokenize(text) : (text.match(WORD) || []).flatMap(word => this.cut(word));
  }

  begins(number) {
    const name = this.names[number];
    return !(name.startsWith(CONTINUES) && name.length > CONTINUES.length);
  }

  // The letters of some tokens, as they stand inside a sentence.
  spell(numbers) {
    return numbers.map(n => this.begins(n) ? this.names[n] : this.names[n].slice(CONTINUES.length)).join("");
  }

  detokenize(numbers) {
    let text = "", glue = true, awaited = "";  // awaited: what closes the newest quotation
    for (const number of numbers) {
      const name = this.names[number], continues = !this.begins(number);
      const closes = CLOSING.has(name) || name === awaited;
      text += glue || continues || closes ? "" : " ";
      text += continues ? name.slice(CONTINUES.length) : name;
      awaited = name === awaited ? "" : CLOSED_BY[name] || awaited;
      glue = OPENING.has(name) && !closes;
    }
    const [first, rest] = splitFirst(text), large = first.toUpperCase();
    return large.toLowerCase() === first.toLowerCase() ? large + rest : text;
  }
}

const isUpper = letter => /^\p{Uppercase}$/u.test(letter);
const isLower = letter => /^\p{Lowercase}$/u.test(letter);
const swapCase = text => Array.from(text, letter => isUpper(letter) ? letter.toLowerCase()
  : isLower(letter) ? letter.toUpperCase() : letter).join("");

// The case of the first letter is swapped, so that "Ein" at the start is the "ein" of elsewhere.
function swapFirst(text) {
  const [first, rest] = splitFirst(text), swapped = swapCase(first);
  return swapCase(swapped) === first ? swapped + rest : text;
}

// Letters, digits and each other mark apart; a space is drawn as ▁ and belongs to what follows it.
const PIECE = /▁?\p{L}+|▁?\p{N}|▁?[^\p{L}\p{N}▁]|▁/gu;

// Byte-pair encoding: single letters at first, then the merge that was learned earliest, again and
// again.
class SubwordVocabulary {
  constructor({ tokens, merges }) {
    this.names = tokens;
    this.index = new Map(tokens.map((name, number) => [name, number]));
    this.ranks = new Map(merges.map(([left, right], rank) => [left + " " + right, rank]));
  }

  cut(piece) {
    const parts = Array.from(piece, text => ({ text, known: this.index.has(text) }));
    const rank = i => parts[i].known && parts[i + 1].known
      ? this.ranks.get(parts[i].text + " " + parts[i + 1].text) ?? Infinity : Infinity;
    for (;;) {
      let first = Infinity, at = -1;
      for (let i = 0; i + 1 < parts.length; i++) if (rank(i) < first) first = rank(at = i);
      if (at < 0) break;
      const text = parts[at].text + parts[at + 1].text;
      parts.splice(at, 2, { text, known: true });
    }
    return parts.map(({ text, known }, i) => ({ number: known ? this.index.get(text) : UNK,
      text: text.replaceAll("▁", ""), begins: i === 0 }));
  }

  pieces(text) {
    return (text.match(PIECE) || []).flatMap(piece => this.cut(piece));
  }

  tokenize(text) {
    const swapped = swapFirst(text.replace(EDGES, "")).replaceAll(" ", "▁");
    return swapped ? this.pieces(swapped.startsWith("▁") ? swapped : "▁" + swapped) : [];
  }

  insert(text, atStart) {
    const plain = text.replace(EDGES, "");
    return atStart ? this.tokenize(plain) : plain ? this.pieces("▁" + plain.replaceAll(" ", "▁")) : [];
  }

  // A mark begins a word of its own, also where no space stands before it, and so does a digit.
  begins(number) {
    return !/^\p{L}/u.test(this.names[number]);
  }

  spell(numbers) {
    return numbers.map(number => this.names[number]).join("").replaceAll("▁", " ").trim();
  }

  detokenize(numbers) {
    const text = numbers.map(number => this.names[number]).join("").replaceAll("▁", " ");
    return swapFirst(text.startsWith(" ") ? text.slice(1) : text);
  }
}
