// What JavaScript thinks of letters: code points in; is it of a word, white space, small and large,
// and does this node's Unicode know it at all?
const { readFileSync } = require("node:fs");
const { SPACE, WORD, lowerFirst, upperFirst } = require("./load.js");

const inWord = new RegExp(WORD.source.match(/\[[^\]]*\]/)[0], "u"), space = new RegExp(`[${SPACE}]`, "u");
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(point => {
  const letter = String.fromCodePoint(point);
  return [inWord.test(letter), space.test(letter), lowerFirst(letter), upperFirst(letter), !/\p{Cn}/u.test(letter)];
})));
