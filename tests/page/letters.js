// What JavaScript thinks of letters: code points in; is it of a word, white space, its case swapped,
// and does this node's Unicode know it at all?
const { readFileSync } = require("node:fs");
const { SPACE, WORD, swapFirst } = require("./load.js");

const inWord = new RegExp(WORD.source.match(/^\[[^\]]*\]/)[0], "u"), space = new RegExp(`[${SPACE}]`, "u");
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(point => {
  const letter = String.fromCodePoint(point);
  return [inWord.test(letter), space.test(letter), swapFirst(letter), !/\p{Cn}/u.test(letter)];
})));
