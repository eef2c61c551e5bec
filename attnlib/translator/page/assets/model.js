// The network, as attnlib/model has it: an encoder that reads, attention that looks, a decoder that
// writes. One sentence at a time; vectors are Float32Array, sums are taken in double precision.

// A matrix has its rows one after the other: W_ij stands at i · columns + j.
function matrix(rows, columns, data) {
  return { rows, columns, data };
}

const row = (weight, i) => weight.data.subarray(i * weight.columns, (i + 1) * weight.columns);

// W x + b. Nearly all of the time is spent here, so four rows are taken together: each x_j is then
// fetched once for four products.
function linear(weight, x, bias) {
  const { rows, columns, data } = weight, out = new Float32Array(rows);
  let i = 0;
  for (; i + 3 < rows; i += 4) {
    const p = i * columns, q = p + columns, r = q + columns, s = r + columns;
    let a = 0, b = 0, c = 0, d = 0;
    for (let j = 0; j < columns; j++) {
      const value = x[j];
      a += data[p + j] * value;
      b += data[q + j] * value;
      c += data[r + j] * value;
      d += data[s + j] * value;
    }
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = c;
    out[i + 3] = d;
  }
  for (; i < rows; i++) out[i] = dot(row(weight, i), x);
  if (bias) for (i = 0; i < rows; i++) out[i] += bias[i];
  return out;
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function concatenate(...vectors) {
  const out = new Float32Array(vectors.reduce((length, vector) => length + vector.length, 0));
  let at = 0;
  for (const vector of vectors) {
    out.set(vector, at);
    at += vector.length;
  }
  return out;
}

const sigmoid = x => 1 / (1 + Math.exp(-x));

function softmax(scores) {
  const top = scores.reduce((a, b) => Math.max(a, b)), powers = scores.map(e => Math.exp(e - top));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map(power => power / sum);
}

// Over the whole vocabulary at every step, so without a function call for each number.
function logSoftmax(logits) {
  const out = new Float32Array(logits.length);
  let top = -Infinity, sum = 0;
  for (let i = 0; i < logits.length; i++) if (logits[i] > top) top = logits[i];
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - top);
  const log = top + Math.log(sum);
  for (let i = 0; i < logits.length; i++) out[i] = logits[i] - log;
  return out;
}

// The cells of chapters 1 and 2. A state is { hidden } or, of an LSTM, { hidden, cell }.
const CELLS = {
  rnn(input, memory) {
    return { hidden: input.map((x, i) => Math.tanh(x + memory[i])) };
  },

  // i, f, g, o stand below each other: c_t = f c_{t−1} + i g and h_t = o tanh(c_t).
  lstm(input, memory, state) {
    const size = state.hidden.length, hidden = new Float32Array(size), cell = new Float32Array(size);
    const gate = (number, k) => input[number * size + k] + memory[number * size + k];
    for (let k = 0; k < size; k++) {
      cell[k] = sigmoid(gate(1, k)) * state.cell[k] + sigmoid(gate(0, k)) * Math.tanh(gate(2, k));
      hidden[k] = sigmoid(gate(3, k)) * Math.tanh(cell[k]);
    }
    return { hidden, cell };
  },

  // r, z, n: h_t = (1 − z) n + z h_{t−1}.
  gru(input, memory, state) {
    const size = state.hidden.length, hidden = new Float32Array(size);
    for (let k = 0; k < size; k++) {
      const reset = sigmoid(input[k] + memory[k]), update = sigmoid(input[size + k] + memory[size + k]);
      const candidate = Math.tanh(input[2 * size + k] + reset * memory[2 * size + k]);
      hidden[k] = (1 - update) * candidate + update * state.hidden[k];
    }
    return { hidden };
  },
};

class Recurrent {
  constructor(kind, weights, name) {
    const of = part => weights[`${name}.${part}_l0`];
    this.cell = CELLS[kind];
    [this.fromInput, this.fromHidden] = [of("weight_ih"), of("weight_hh")];
    [this.inputBias, this.hiddenBias] = [of("bias_ih"), of("bias_hh")];
  }

  step(x, state) {
    return this.cell(linear(this.fromInput, x, this.inputBias),
      linear(this.fromHidden, state.hidden, this.hiddenBias), state);
  }

  read(inputs) {
    const size = this.fromHidden.columns, states = [];
    let state = { hidden: new Float32Array(size), cell: new Float32Array(size) };
    for (const x of inputs) states.push((state = this.step(x, state)).hidden);
    return states;
  }
}

// The scores of chapter 6: prepare(key) once a sentence, then score(query) for every step.
function makeAttention(kind, weights, querySize) {
  const of = name => weights[`decoder.attention.${name}`];
  const tanhScore = (project, prepare) => ({
    prepare,
    query: project,
    score: (query, key) => {
      const v = of("v");
      let sum = 0;
      for (let k = 0; k < v.length; k++) sum += v[k] * Math.tanh(query[k] + key[k]);
      return sum;
    },
  });
  const same = x => x, product = { prepare: same, query: same, score: dot };
  if (kind === "scaled_dot") return { ...product, score: (s, h) => dot(s, h) / Math.sqrt(s.length) };
  if (kind === "general") return { ...product, prepare: h => linear(of("project.weight"), h) };
  if (kind === "additive") {
    return tanhScore(s => linear(of("from_query.weight"), s), h => linear(of("from_key.weight"), h));
  }
  if (kind === "concat") {  // W [s ; h] = W_1 s + W_2 h
    const both = of("weight"), { rows, columns } = both;
    const part = (from, to) => matrix(rows, to - from, concatenate(
      ...Array.from({ length: rows }, (_, i) => row(both, i).subarray(from, to))));
    const [ofQuery, ofKey] = [part(0, querySize), part(querySize, columns)];
    return tanhScore(s => linear(ofQuery, s), h => linear(ofKey, h));
  }
  return product;
}

class Model {
  // shape: the arguments of make_seq2seq; weights: matrices and vectors under torch's names.
  constructor(shape, weights) {
    Object.assign(this, { shape, weights });
    this.sourceTable = weights["encoder.embed.weight"];
    this.targetTable = shape.shared_embedding ? this.sourceTable : weights["decoder.embed.weight"];
    this.outputTable = shape.tied_output ? this.targetTable : weights["output.weight"];
    this.forward = new Recurrent(shape.cell, weights, "encoder.layers.0");
    this.backward = shape.bidirectional && new Recurrent(shape.cell, weights, "encoder.layers.1");
    this.decoder = new Recurrent(shape.cell, weights, "decoder.rnn");
    this.attends = shape.decoder !== "plain";
    this.attention = this.attends && makeAttention(shape.attention, weights, shape.decoder_size);
  }

  apply(name, x) {
    return linear(this.weights[`${name}.weight`], x, this.weights[`${name}.bias`]);
  }

  // What a sentence is to the decoder: h_j = [→h_j ; ←h_j], and the final states [→h_S ; ←h_1].
  encode(numbers) {
    const words = numbers.map(number => row(this.sourceTable, number));
    let states = this.forward.read(words), final = states[states.length - 1];
    if (this.backward) {
      const back = this.backward.read([...words].reverse()).reverse();
      final = concatenate(final, back[0]);
      states = states.map((state, j) => concatenate(state, back[j]));
    }
    if (this.shape.source_in_memory) {
      states = states.map((state, j) => this.apply("encoder.from_embedding", words[j])
        .map((x, i) => x + state[i]));
    }
    return { states, final, prepared: this.attends ? states.map(this.attention.prepare) : [] };
  }

  start({ final }) {
    const first = this.apply("decoder.bridge", final).map(Math.tanh), size = this.shape.decoder_size;
    const state = { hidden: first.subarray(0, size), cell: first.subarray(size) };
    if (this.shape.input_feeding) state.fed = new Float32Array(this.shape.output_size);
    return state;
  }

  // Scores, weights, context: chapter 5. With `even`, every source position gets the same weight.
  look(query, { states, prepared }, even) {
    const asked = this.attention.query(query);
    const scores = prepared.map(key => even ? 0 : this.attention.score(asked, key));
    const weights = softmax(scores), context = new Float32Array(states[0].length);
    states.forEach((state, j) => state.forEach((x, i) => { context[i] += weights[j] * x; }));
    return { context, weights };
  }

  // One step: the log-probabilities of every next token, the new state, and where it looked.
  step(token, memory, state, even = false) {
    const word = row(this.targetTable, token);
    const { features, weights, ...next } = this[this.shape.decoder](word, memory, state, even);
    const logits = linear(this.outputTable, features, this.weights["output.bias"]);
    return { logProbs: logSoftmax(logits), state: next.state, weights };
  }

  plain(word, memory, before) {
    const input = this.shape.every_step ? concatenate(word, memory.final) : word;
    const state = this.decoder.step(input, before);
    return { features: this.apply("decoder.head", state.hidden).map(Math.tanh), state, weights: null };
  }

  // Attention after the recurrent step: s̃_t = tanh(W_c [c_t ; s_t]).
  luong(word, memory, before, even) {
    const feeding = this.shape.input_feeding;
    const state = this.decoder.step(feeding ? concatenate(word, before.fed) : word, before);
    const { context, weights } = this.look(state.hidden, memory, even);
    const features = this.apply("decoder.combine", concatenate(context, state.hidden)).map(Math.tanh);
    return { features, state: feeding ? { ...state, fed: features } : state, weights };
  }

  // Attention before the recurrent step, and of each pair of features the larger one.
  bahdanau(word, memory, before, even) {
    const { context, weights } = this.look(before.hidden, memory, even);
    const state = this.decoder.step(concatenate(word, context), before);
    const pairs = this.apply("decoder.head", concatenate(state.hidden, word, context));
    const features = new Float32Array(pairs.length / 2);
    for (let k = 0; k < features.length; k++) features[k] = Math.max(pairs[2 * k], pairs[2 * k + 1]);
    return { features, state, weights };
  }
}

// Weights as the exporter wrote them: base64 of float32, or of one byte each with a scale a row.
function readWeights(tensors) {
  const weights = {};
  for (const [name, { shape, values, scales }] of Object.entries(tensors)) {
    const [rows, columns] = shape.length === 2 ? shape : [1, shape[0]];
    const data = scales ? scaled(new Int8Array(bytes(values)), new Float32Array(bytes(scales)), columns)
      : new Float32Array(bytes(values));
    weights[name] = shape.length === 2 ? matrix(rows, columns, data) : data;
  }
  return weights;
}

function bytes(base64) {
  const letters = atob(base64), out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i);
  return out.buffer;
}

function scaled(whole, scales, columns) {
  const data = new Float32Array(whole.length);
  for (let i = 0, at = 0; i < scales.length; i++) {
    for (let j = 0; j < columns; j++, at++) data[at] = whole[at] * scales[i];
  }
  return data;
}
