// The scripts of an exported page as node sees them: what computes, without what draws.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const vm = require("node:vm");

const ASSETS = join(__dirname, "..", "..", "attnlib", "translator", "page", "assets");
const NAMES = ["SPACE", "WORD", "WordVocabulary", "SubwordVocabulary", "normalize", "splitSentences",
  "lowerFirst", "upperFirst", "makeVocabulary", "inKnownCase", "linear", "matrix",
  "softmax", "logSoftmax", "CELLS", "makeAttention", "readWeights", "root", "greedySearch", "beamSearch",
  "likeliest", "Translator"];

// They are classic scripts, which share one scope; a context of their own is given that scope.
const context = vm.createContext({ atob });
for (const name of ["text", "tokens", "model", "search", "translator"]) {
  vm.runInContext(readFileSync(join(ASSETS, `${name}.js`), "utf8"), context, { filename: `${name}.js` });
}
module.exports = vm.runInContext(`({ ${NAMES.join(", ")} })`, context);
