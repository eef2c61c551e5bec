const test = require("node:test");
const assert = require("node:assert");
const { linear, matrix, softmax, logSoftmax, CELLS, makeAttention, readWeights } = require("./load.js");

const vector = (...numbers) => new Float32Array(numbers);
const near = (found, expected) => Array.from(found).forEach((x, i) =>
  assert.ok(Math.abs(x - expected[i]) < 1e-6, `${Array.from(found)} is not ${expected}`));

test("W x + b is right for any number of rows, of which four are taken together", () => {
  for (let rows = 1; rows < 10; rows++) {
    const data = Float32Array.from({ length: rows * 3 }, (_, i) => i - 7);
    const [x, bias] = [vector(1, -2, 0.5), Float32Array.from({ length: rows }, (_, i) => i)];
    const expected = Array.from({ length: rows }, (_, i) =>
      data[3 * i] - 2 * data[3 * i + 1] + 0.5 * data[3 * i + 2] + i);
    near(linear(matrix(rows, 3, data), x, bias), expected);
    near(linear(matrix(rows, 3, data), x), expected.map((y, i) => y - i));
  }
});

test("a softmax does not overflow, and its logarithm is the logarithm of it", () => {
  near(softmax([1000, 1000, -1000]), [0.5, 0.5, 0]);
  near(logSoftmax(vector(1, 2, 3)), softmax([1, 2, 3]).map(Math.log));
});

test("an LSTM whose forget gate is open and whose input gate is shut keeps its cell", () => {
  const gates = vector(-50, 50, 3, 50), state = { hidden: vector(0), cell: vector(0.7) };
  const { hidden, cell } = CELLS.lstm(gates, vector(0, 0, 0, 0), state);
  near(cell, [0.7]);
  near(hidden, [Math.tanh(0.7)]);
});

test("a GRU whose update gate is open keeps its state, and its reset comes after the product", () => {
  near(CELLS.gru(vector(0, 50, 9), vector(0, 0, 0), { hidden: vector(0.3) }).hidden, [0.3]);
  const half = CELLS.gru(vector(0, -50, 1), vector(0, 0, 2), { hidden: vector(0.3) });
  near(half.hidden, [Math.tanh(1 + 0.5 * 2)]);
});

test("the scores: dot, scaled dot, general, additive, and concat with its matrix in two", () => {
  const of = (name, table) => ({ [`decoder.attention.${name}`]: table });
  const score = (kind, weights, s, h) => {
    const attention = makeAttention(kind, weights, s.length);
    return attention.score(attention.query(s), attention.prepare(h));
  };
  near([score("dot", {}, vector(1, 2), vector(3, 4))], [11]);
  near([score("scaled_dot", {}, vector(1, 2, 0, 0), vector(3, 4, 9, 9))], [5.5]);
  near([score("general", of("project.weight", matrix(1, 2, vector(3, 5))), vector(2), vector(1, 1))], [16]);
  const v = of("v", vector(2));
  const both = { ...of("weight", matrix(1, 3, vector(0.1, 0.2, 0.3))), ...v };
  near([score("concat", both, vector(1), vector(1, 1))], [2 * Math.tanh(0.6)]);
  const two = { ...of("from_query.weight", matrix(1, 1, vector(0.1))),
    ...of("from_key.weight", matrix(1, 2, vector(0.2, 0.3))), ...v };
  near([score("additive", two, vector(1), vector(1, 1))], [2 * Math.tanh(0.6)]);
});

test("weights of eight bits have a scale for each row", () => {
  const text = array => Buffer.from(array.buffer).toString("base64");
  const weights = readWeights({
    a: { shape: [2, 2], values: text(Int8Array.of(127, -1, 0, 2)), scales: text(vector(1, 0.5)) },
    b: { shape: [3], values: text(vector(1, 2.5, -3)) },
  });
  near(weights.a.data, [127, -1, 0, 1]);
  assert.equal(weights.a.rows, 2);
  near(weights.b, [1, 2.5, -3]);
});
