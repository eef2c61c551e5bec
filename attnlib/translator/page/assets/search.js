// Greedy search and beam search (chapter 8), with the rules of attnlib/search.
//
// A node is a prefix: its last token, its parent, how many tokens it has (the end counts), the sum
// of their log-probabilities. `step(node)` says what may come next: { logProbs, state, weights }.
const NEVER = new Set([PAD, BOS]);  // never written

const root = state => ({ token: BOS, parent: null, length: 0, total: 0, state, weights: null });

// The prefix that is one token longer. It keeps the weights with which that token was chosen.
function grow(node, told, token, status = "live") {
  const total = node.total + told.logProbs[token];
  return { token, parent: node, length: node.length + 1, total, state: told.state,
    weights: told.weights, status };
}

function path(node) {
  const nodes = [];
  for (; node.parent; node = node.parent) nodes.unshift(node);
  return nodes;
}

const ancestors = node => node.parent ? [...ancestors(node.parent), node.parent] : [];

// Searches are generators that yield after every step, so that a page can do something else between
// two of them; whoever has time runs them to their end.
function finished(search) {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

const greedySearch = (...given) => finished(greedySteps(...given));
const beamSearch = (...given) => finished(beamSteps(...given));

// The most probable token at every step.
function* greedySteps(step, start, { limit }) {
  let node = start;
  while (node.length < limit && node.token !== EOS) {
    const told = step(node), [best] = likeliest(told.logProbs, 1);
    node = grow(node, told, best);
    yield;
  }
  node.status = "best";
  return { best: node, nodes: [start, ...path(node).filter(one => one.length > start.length)] };
}

// Where the end is written already there is nothing to search.
function* ended(step, start) {
  return { best: start, nodes: [start] };
}

// The n best tokens that may be written, best first; of equals the one with the smaller number.
function likeliest(logProbs, n, but = NEVER) {
  const best = [];
  for (let token = 0; token < logProbs.length; token++) {
    const last = best.length === n ? logProbs[best[n - 1]] : -Infinity;
    if (!(logProbs[token] > last) || but.has(token)) continue;
    let at = best.length === n ? n - 1 : best.length;
    while (at && logProbs[best[at - 1]] < logProbs[token]) {
      best[at] = best[at - 1];
      at--;
    }
    best[at] = token;
  }
  return best;
}

// The K best prefixes live on; an ending counts where fewer than K of them are better. The search
// stops when nothing that lives can still overtake the best ending (score: log P / length^α).
function* beamSteps(step, start, { limit, size, alpha }) {
  const score = (total, length) => total / length ** alpha, nodes = [start];
  let live = [start], best = null;
  for (let t = start.length + 1; ; t++, yield) {
    const told = live.map(step), survivors = expand(live, told, size), last = t >= limit;
    const endings = live.map((node, k) => grow(node, told[k], EOS, "finished"))
      .filter((ending, k) => betterThan(ending, survivors, told[k].logProbs, last) < size);
    for (const ending of endings) {
      if (!best || score(ending.total, t) > score(best.total, best.length)) best = ending;
    }
    nodes.push(...survivors, ...endings);
    if (last && !best) [best] = survivors;  // cut where it stands
    const [first] = live = survivors;
    // Divided by the largest length that it may reach (for α < 0, the smallest).
    const reach = first && first.total / Math.max(limit ** alpha, (t + 1) ** alpha);
    if (last || !first || (best && score(best.total, best.length) >= reach)) break;
  }
  best.status = "best";
  return { best, nodes };
}

// The best continuations of all prefixes by one token, the end not among them.
function expand(live, told, size) {
  const but = new Set([...NEVER, EOS]);
  const grown = live.flatMap((node, k) => likeliest(told[k].logProbs, size, but)
    .map(token => grow(node, told[k], token)));
  return grown.sort((a, b) => b.total - a.total).slice(0, size);
}

// How many prefixes are better than an ending. Nothing lives on after the last position, so there
// it competes with the other tokens of its own prefix alone.
function betterThan(ending, survivors, logProbs, last) {
  if (!last) return survivors.filter(node => node.total > ending.total).length;
  let count = 0;
  logProbs.forEach((logProb, token) => { count += logProb > logProbs[EOS] && !NEVER.has(token); });
  return count;
}
