// Translate with exported pages, for tests that compare with Python:
//
//     node translate.js < jobs.json      [{ "page": "out.html", "model": 0, "asked": [[text, options], …] }, …]
//
// Prints for each job a list of answers.
const { readFileSync } = require("node:fs");
const { Translator } = require("./load.js");

function dataOf(page) {
  const [, json] = readFileSync(page, "utf8").match(/<script id="data"[^>]*>(.*?)<\/script>/s);
  return JSON.parse(json);
}

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ page, model = 0, asked }) => {
  const translator = new Translator(dataOf(page).models[model]);
  return asked.map(([text, { whole = false, written, ...options }]) => {
    const start = process.cpuUsage(), read = whole
      ? { sentences: [translator.readSentence(text)].filter(one => one.tokens.length) } : translator.read(text);
    const { numbers, logProb, score, finished, weights, sentences, ...found } = translator.translate(read,
      { ...options, written: written && [written] });
    const { user, system } = process.cpuUsage(start), seconds = (user + system) / 1e6;
    const looked = weights.map(row => row && Array.from(row));
    return { numbers, text: found.text, logProb, score, finished, weights: looked, seconds,
      notes: found.notes, tokens: sentences.flatMap(one => one.tokens) };
  });
});
console.log(JSON.stringify(answers));
