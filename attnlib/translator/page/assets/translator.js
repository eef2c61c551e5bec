// Text in, text and alignment out: what attnlib/translator.py is to attnlib.
// A sentence is cut after so many tokens, and letters, and a text after so many sentences.
const [LONGEST, MOST_LETTERS, MOST_SENTENCES] = [250, 5000, 100];

class Translator {
  constructor({ architecture, limit, tensors, source, target, about }) {
    this.model = new Model(architecture, readWeights(tensors));
    this.source = makeVocabulary(source);
    this.target = target ? makeVocabulary(target) : this.source;
    Object.assign(this, { limit, about: about || {} });
  }

  // What somebody typed: its sentences, each read once, and all of it as one sentence where the
  // model learned to translate several at once.
  read(text) {
    const all = splitSentences(text), sentences = all.slice(0, MOST_SENTENCES), many = sentences.length;
    const together = many > 1 && many <= (this.about.sentences ?? 1);
    const one = together ? [this.readSentence(normalize(text))] : null;
    const cut = all.length > many;
    return { sentences: sentences.map(sentence => this.readSentence(sentence)), together: one, cut };
  }

  // Its tokens, how long its translation may be, what is to be said of it; and what the decoder
  // needs of it, once it is asked.
  readSentence(sentence) {
    const kept = Array.from(sentence).slice(0, MOST_LETTERS).join("");
    const all = this.source.tokenize(inKnownCase(kept, this.source)), tokens = all.slice(0, LONGEST);
    const [ratio, more] = this.limit, limit = Math.trunc(ratio * (tokens.length + 1)) + more;
    const model = this.model, notes = [];
    if (2 * letters(all.filter(token => token.number === UNK)) > letters(all)) notes.push("unknown");
    if (kept !== sentence || all.length > LONGEST) notes.push("long");
    return { tokens, limit, notes,
      get memory() {
        this.encoded = this.encoded || model.encode([...tokens.map(token => token.number), EOS]);
        return this.encoded;
      } };
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

  // Translate what was read. `written` has for each of its first sentences the numbers of tokens
  // with which the translation must begin; the other options are those of the search, and `even`
  // (see Model.look). Several sentences at once are kept where none is lost and they are the more
  // probable ones.
  translate(read, options) {
    return finished(this.translating(read, options));
  }

  *translating(read, options = {}) {
    const { written = [] } = options;
    if (!written.length) read.chosen = null;
    if (read.together && !read.chosen) {
      const whole = yield* this.each(read.together, options), one = yield* this.each(read.sentences, options);
      const mean = ({ logProb, numbers }) => logProb / Math.max(numbers.length, 1);
      const complete = splitSentences(whole.text).length === read.sentences.length;
      read.chosen = complete && mean(whole) >= mean(one) ? read.together : read.sentences;
      return read.chosen === read.together ? whole : one;
    }
    return yield* this.each(read.chosen || read.sentences, options);
  }

  // Every sentence on its own, and all as one result: no word looks into another sentence.
  *each(sentences, { written = [], ...options } = {}) {
    const parts = [];
    for (const [i, sentence] of sentences.entries()) {
      parts.push(yield* this.sentence(sentence, { ...options, written: written[i] }));
    }
    const width = sentences.reduce((sum, { tokens }) => sum + tokens.length + 1, 0);
    let before = 0;
    const wide = parts.map((part, i) => {
      const at = before;
      before += sentences[i].tokens.length + 1;
      return weights => {
        if (!weights) return weights;
        const row = new Float64Array(width);
        row.set(weights, at);
        return row;
      };
    });
    const sum = of => parts.reduce((total, part) => total + of(part), 0);
    const length = sum(part => part.numbers.length), logProb = sum(part => part.logProb);
    return {
      parts, sentences, logProb, score: length ? logProb / length ** (options.alpha ?? 1) : 0,
      numbers: parts.flatMap(part => part.numbers),
      weights: parts.flatMap((part, i) => part.weights.map(wide[i])),
      words: parts.flatMap((part, i) => part.words.map(word => ({ ...word, part: i, weights: wide[i](word.weights) }))),
      text: parts.map(part => part.text).join(" "),
      finished: parts.every(part => part.finished),
      notes: parts.flatMap((part, i) => {
        const guessed = part.logProb < (this.about.guesses ?? -Infinity) * part.numbers.length;
        const notes = sentences[i].notes.length || !guessed ? sentences[i].notes : ["guess"];
        return notes.map(note => ({ note, sentence: i }));
      }),
    };
  }

  *sentence(read, { beam = 5, alpha = 1, written = [], even = false }) {
    const { node, step } = this.begin(read, written, even);
    const options = { limit: Math.max(read.limit, written.length + 1), size: beam, alpha };
    const search = node.token === EOS ? ended : beam === 1 ? greedySteps : beamSteps;
    const { best, nodes } = yield* search(step, node, options);
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

const letters = tokens => tokens.reduce((sum, { text }) => sum + [...text].length, 0);
