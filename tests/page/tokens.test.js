const test = require("node:test");
const assert = require("node:assert");
const { WordVocabulary, SubwordVocabulary, lowerFirst, upperFirst } = require("./load.js");

const SPECIALS = ["<pad>", "<unk>", "<sos>", "<eos>"];
const plain = list => JSON.parse(JSON.stringify(list));

test("a word is cut into the longest pieces that are known, and each keeps its letters", () => {
  const words = new WordVocabulary({ tokens: [...SPECIALS, "학교", "학", "##에서", "##교", "."] });
  assert.deepEqual(plain(words.tokenize("학교에서.")), [
    { number: 4, text: "학교", begins: true }, { number: 6, text: "에서", begins: false },
    { number: 8, text: ".", begins: true }]);
  assert.deepEqual(plain(words.tokenize("집에서")), [{ number: 1, text: "집에서", begins: true }]);
});

test("the first letter is written small unless only the word with its capital is known", () => {
  const words = new WordVocabulary({ tokens: [...SPECIALS, "the", "Minsu", "The"] });
  assert.deepEqual(words.tokenize("The").map(token => token.number), [4]);
  assert.deepEqual(words.tokenize("Minsu Minsu").map(token => token.number), [5, 5]);
});

test("merges are made in the order in which they were learned, not from left to right", () => {
  const tokens = [...SPECIALS, "▁", "a", "b", "c", "bc", "▁a"];
  const subwords = new SubwordVocabulary({ tokens, merges: [["b", "c"], ["a", "b"], ["▁", "a"]] });
  assert.deepEqual(subwords.tokenize("Abc").map(token => tokens[token.number]), ["▁a", "bc"]);
  assert.deepEqual(plain(subwords.tokenize("aXb").map(token => token.text)), ["a", "X", "b"]);
});

test("the first letter's case is changed where that can be undone", () => {
  for (const text of ["Ein", "ßa", "Ünder", "ǅ", "", "3x", "𐐀b", "İx"]) {
    assert.equal(upperFirst(lowerFirst(text)), text);
  }
  assert.equal(lowerFirst("Ein Haus"), "ein Haus");
  assert.equal(upperFirst("ein Haus"), "Ein Haus");
});

test("a word that is written into the middle keeps its capital, at the start it may lose it", () => {
  const words = new WordVocabulary({ tokens: [...SPECIALS, "dog", "Dog"] });
  assert.deepEqual(words.insert("Dog", false).map(token => token.number), [5]);
  assert.deepEqual(words.insert("Dog", true).map(token => token.number), [4]);
});
