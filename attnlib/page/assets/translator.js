// Text in, text and alignment out: what attnlib/translator.py is to attnlib.
class Translator {
  constructor({ architecture, limit, tensors, source, target, about }) {
    this.model = new Model(architecture, readWeights(tensors));
    this.source = makeVocabulary(source);
    this.target = target ? makeVocabulary(target) : this.source;
    Object.assign(this, { limit, about });
  }

  // A sentence, read once: its tokens with their end, and what the decoder needs of them.
  read(text) {
    const tokens = this.source.tokenize(text);
    const numbers = [...tokens.map(token => token.number), EOS];
    const [ratio, more] = this.limit, limit = Math.trunc(ratio * numbers.length) + more;
    return { tokens, limit, memory: this.model.encode(numbers) };
  }

  // The node in which a given beginning of a translation ends, and how to go on from any node.
  begin({ memory }, written = [], even = false) {
    const step = node => {
      node.told = node.told || this.model.step(node.token, memory, node.state, even);
      return node.told;
    };
    let node = root(this.model.start(memory));
    for (const number of written) node = grow(node, step(node), number, "written");
    return { node, step };
  }

  // Translate what was read. `written` are numbers of tokens with which the translation must begin;
  // the other options are those of the search, and `even` (see Model.look).
  translate(read, { beam = 5, alpha = 1, written = [], even = false } = {}) {
    if (!read.tokens.length) return { numbers: [], weights: [], text: "", words: [], score: 0, nodes: [] };
    const { node, step } = this.begin(read, written, even);
    const options = { limit: Math.max(read.limit, written.length + 1), size: beam, alpha };
    const search = node.token === EOS ? ended : beam === 1 ? greedySearch : beamSearch;
    const { best, nodes } = search(step, node, options);
    const way = path(best), numbers = way.map(one => one.token);
    return {
      numbers, nodes: [...ancestors(node), ...nodes], best,
      finished: best.token === EOS,
      logProb: best.total, score: best.total / best.length ** alpha,
      weights: way.map(one => one.weights),
      text: this.write(numbers), words: this.words(way),
    };
  }

  write(numbers) {
    return this.target.detokenize(numbers.filter(number => ![PAD, BOS, EOS].includes(number)));
  }

  // The words of a translation: which tokens each is made of, and where the model looked, on the
  // mean of its tokens. The end is a word, too.
  words(way) {
    const groups = [];
    way.forEach((node, at) => {
      if (!at || node.token === EOS || this.target.begins(node.token)) groups.push([]);
      groups[groups.length - 1].push(node);
    });
    return groups.map((nodes, i) => {
      const numbers = nodes.map(node => node.token), rows = nodes.map(node => node.weights);
      const weights = rows[0] && rows[0].map((_, j) =>
        rows.reduce((sum, weights) => sum + weights[j], 0) / rows.length);
      const before = nodes[0].parent, logProb = nodes[nodes.length - 1].total - before.total;
      return { numbers, weights, logProb, at: before.length, text: this.wordText(numbers, i === 0) };
    });
  }

  wordText(numbers, atStart) {
    if (numbers[0] === EOS) return END;
    return atStart ? this.write(numbers) : this.target.spell(numbers);
  }

  // What else the model might write after some tokens: its n best words with their probabilities.
  alternatives(read, written, n, even = false) {
    const { node, step } = this.begin(read, written, even);
    const { logProbs } = step(node);
    return likeliest(logProbs, n).map(token => {
      let last = grow(node, step(node), token);
      while (last.token !== EOS && last.length < written.length + 12) {  // the rest of the word
        const told = step(last), [next] = likeliest(told.logProbs, 1);
        if (next === EOS || this.target.begins(next)) break;
        last = grow(last, told, next);
      }
      const numbers = path(last).slice(written.length).map(one => one.token);
      const text = this.wordText(numbers, written.length === 0);
      return { numbers, text, probability: Math.exp(last.total - node.total) };
    });
  }
}
