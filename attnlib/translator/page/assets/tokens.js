// From text to tokens and back, letter for letter as attnlib/data/words.py and subwords.py do it.
//
// A token knows three things: its number, the piece of the text that it was made from, and whether
// it begins a word. The first four numbers mean the same in every vocabulary.
const [PAD, UNK, BOS, EOS] = [0, 1, 2, 3];
const END = "<eos>";

// A word, or a sign with its marks. A word keeps inner apostrophes and hyphens, a number its commas,
// points and colons; marks and joiners belong to the letter before them.
const LETTERS = `[${LETTER}][${LETTER}\\p{M}${JOINERS}]*`, SIGN = `[^${LETTER}${SPACE}]\\p{M}*`;
const WORD = new RegExp(`(?:${LETTERS}['’-](?=[${LETTER}])|(?:${LETTERS})?${DIGIT}[.,:](?=${DIGIT}))*${LETTERS}`
  + `|${SIGN}(?:[${JOINERS}]${SIGN})*`, "gu");
const CLOSING = new Set(".,?!:;)]}%…”’।॥،؛؟۔。，！？、：；");
const OPENING = new Set("([{“‘„\"");
const CLOSED_BY = { "\"": "\"", "„": "“" };
const CONTINUES = "##";  // marks a piece that is glued to the one before it

function makeVocabulary(description) {
  return description.kind === "words" ? new WordVocabulary(description)
    : new SubwordVocabulary(description);
}

// A text in the case that a vocabulary knows, where its words are all large, all small or all
// capitalized: each is taken in the form with the fewest unknown tokens, the fewest tokens, the
// smallest numbers.
function inKnownCase(text, vocabulary) {
  const small = text.toLowerCase(), large = text.toUpperCase(), titled = capitalized(small);
  if (small === large || ![small, large, titled].includes(text)) return text;
  const cost = word => {
    const numbers = vocabulary.tokenize(`. ${word}`).slice(1).map(token => token.number);
    return [numbers.filter(number => number === UNK).length, numbers.length, Math.max(0, ...numbers)];
  };
  const less = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  const forms = [small, titled, large].map(form => form.split(" "));
  return forms[0].map((_, i) => {
    const costs = forms.map(form => [form[i], cost(form[i])]);
    return costs.reduce((best, one) => less(one[1], best[1]) < 0 ? one : best)[0];
  }).join(" ");
}

// Whole words, and pieces of words where a language needs them: 학교에서 → 학교 ##에서.
class WordVocabulary {
  constructor({ tokens }) {
    this.names = tokens;
    this.index = new Map(tokens.map((name, number) => [name, number]));
    this.longest = Math.max(...tokens.map(name => name.length));
  }

  // Longest match first: a known beginning, then known continuations; else unknown as a whole.
  cut(word) {
    const letters = [...word], tokens = [];
    for (let start = 0, end; start < letters.length; start = end) {
      let number;
      for (end = Math.min(letters.length, start + this.longest); end > start; end--) {
        const piece = letters.slice(start, end).join("");
        number = this.index.get((start ? CONTINUES : "") + piece);
        if (number !== undefined) break;
      }
      if (number === undefined) return [{ number: UNK, text: word, begins: true }];
      tokens.push({ number, text: letters.slice(start, end).join(""), begins: start === 0 });
    }
    return tokens;
  }

  // The first letter of a sentence is written small, or large where only so the word is known.
  tokenize(text) {
    const words = normalize(text).match(WORD) || [];
    if (words.length) {
      const small = lowerFirst(words[0]), large = upperFirst(words[0]);
      words[0] = this.index.has(large) && !this.index.has(small) ? large : small;
    }
    return words.flatMap(word => this.cut(word));
  }

  // A word that somebody writes into the middle of a translation.
  insert(text, atStart) {
    return atStart ? this.tokenize(text)
      : (normalize(text).match(WORD) || []).flatMap(word => this.cut(word));
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
    return upperFirst(text);
  }
}

// Letters with their marks, digits and each other sign apart; a space is drawn as ▁ and belongs to
// what follows it.
const PIECE = new RegExp(`▁?\\p{L}[\\p{L}\\p{M}${JOINERS}]*|▁?\\p{N}|▁?[^\\p{L}\\p{N}▁]|▁`, "gu");

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
    const rank = ({ text, known }, next) => known && next && next.known
      ? this.ranks.get(text + " " + next.text) ?? Infinity : Infinity;
    const ranks = parts.map((part, i) => rank(part, parts[i + 1]));
    for (;;) {
      let at = 0;
      for (let i = 1; i < ranks.length; i++) if (ranks[i] < ranks[at]) at = i;
      if (!(ranks[at] < Infinity)) break;
      parts.splice(at, 2, { text: parts[at].text + parts[at + 1].text, known: true });
      ranks.splice(at, 2, rank(parts[at], parts[at + 1]));
      if (at) ranks[at - 1] = rank(parts[at - 1], parts[at]);
    }
    return parts.map(({ text, known }, i) => ({ number: known ? this.index.get(text) : UNK,
      text: text.replaceAll("▁", ""), begins: i === 0 }));
  }

  pieces(text) {
    return (text.match(PIECE) || []).flatMap(piece => this.cut(piece));
  }

  tokenize(text) {
    const plain = lowerFirst(normalize(text)).replaceAll(" ", "▁");
    return plain ? this.pieces(plain.startsWith("▁") ? plain : "▁" + plain) : [];
  }

  insert(text, atStart) {
    const plain = normalize(text);
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
    return upperFirst(text.startsWith(" ") ? text.slice(1) : text);
  }
}
