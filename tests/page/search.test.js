const test = require("node:test");
const assert = require("node:assert");
const { root, greedySearch, beamSearch, likeliest } = require("./load.js");

// A language of two words, a (4) and b (5), whose next word depends on the words before.
const probabilities = { "": [0.1, 0.6, 0.3], a: [0.2, 0.4, 0.4], b: [0.9, 0.05, 0.05] };
const spoken = node => node.parent ? spoken(node.parent) + " ab"[node.token - 3].trim() : "";
const step = node => {
  const [end, a, b] = probabilities[spoken(node)] || [0.5, 0.25, 0.25];
  return { logProbs: Float64Array.from([0, 0, 0, end, a, b], Math.log), state: null, weights: null };
};
const tokens = node => node.parent ? [...tokens(node.parent), node.token] : [];

test("the likeliest tokens come best first, and none that may not be written", () => {
  assert.deepEqual([...likeliest([9, 1, 9, 3, 2, 3], 3)], [3, 5, 4]);
  assert.deepEqual([...likeliest([9, 1, 9, 3], 9)], [3, 1]);
});

test("greedy search falls into the trap that a beam of two avoids", () => {
  const options = { limit: 5, size: 2, alpha: 0 };
  assert.deepEqual(tokens(greedySearch(step, root(null), options).best), [4, 4, 3]);
  const { best } = beamSearch(step, root(null), options);
  assert.deepEqual(tokens(best), [5, 3]);  // 0.3 × 0.9, where greedy search finds 0.6 × 0.4 × 0.5
  assert.ok(Math.abs(best.total - Math.log(0.27)) < 1e-12);
});

test("the tree holds all that lived and all that ended, and one of them is the best", () => {
  const { nodes, best } = beamSearch(step, root(null), { limit: 5, size: 2, alpha: 0 });
  assert.equal(nodes.filter(node => node.status === "best").length, 1);
  assert.ok(nodes.includes(best));
  for (const node of nodes) assert.ok(node.parent === null || nodes.includes(node.parent));
});

test("a search begins where it is told to and never runs past its limit", () => {
  const start = { ...root(null), token: 4, parent: root(null), length: 1, total: Math.log(0.6) };
  const { best } = greedySearch(step, start, { limit: 2 });
  assert.deepEqual(tokens(best), [4, 4]);
  assert.equal(beamSearch(step, start, { limit: 2, size: 3, alpha: 1 }).best.length, 2);
});

test("with a negative exponent, too, nothing that could still win is given up", () => {
  const certain = node => ({ ...step(node), logProbs: Float64Array.from(
    node.parent ? [0, 0, 0, 0.98, 0.01, 0.01] : [0, 0, 0, 0.3, 0.6, 0.1], Math.log) });
  const { best } = beamSearch(certain, root(null), { limit: 5, size: 2, alpha: -1 });
  assert.deepEqual(tokens(best), [4, 3]);  // 2 · log 0.588 is more than 1 · log 0.3
});
