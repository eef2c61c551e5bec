// Cut texts into tokens and join them again: { vocabulary, texts } in, [{ numbers, text }] out.
const { readFileSync } = require("node:fs");
const { WordVocabulary, SubwordVocabulary } = require("./load.js");

const { vocabulary, texts } = JSON.parse(readFileSync(0, "utf8"));
const kind = vocabulary.kind === "words" ? WordVocabulary : SubwordVocabulary, made = new kind(vocabulary);
console.log(JSON.stringify(texts.map(text => {
  const numbers = made.tokenize(text).map(token => token.number);
  return { numbers, text: made.detokenize(numbers.filter(number => ![0, 2, 3].includes(number))) };
})));
