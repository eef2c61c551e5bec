// Make texts plain and cut them into sentences: { texts, vocabulary? } in, for each text
// [plain, sentences] out, and with a vocabulary the text in the case that it knows, too.
const { readFileSync } = require("node:fs");
const { normalize, splitSentences, makeVocabulary, inKnownCase } = require("./load.js");

const { texts, vocabulary } = JSON.parse(readFileSync(0, "utf8")), known = vocabulary && makeVocabulary(vocabulary);
console.log(JSON.stringify(texts.map(text =>
  [normalize(text), splitSentences(text), ...known ? [inKnownCase(text, known)] : []])));
