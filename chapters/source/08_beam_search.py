# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 08 · Which of all possible sentences should a translator write?
#
# **What you will be able to do.** Say why the best next word does not make the best sentence. Run a
# beam search by hand and write one. Prove when it may stop, and show that three popular rules stop
# too early. Measure search errors against the exact answer, explain why a *better* search can
# translate *worse*, correct for length, and sample when one answer is not enough.
#
# **What you need.** A decoder that predicts the next word (chapters 3 and 5). BLEU is used as a
# number from 0 to 100; chapter 9 explains it.
#
# **Time.** 60 minutes to read, 100 more for the eight exercises, at most a minute to run with one
# thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The setup cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import itertools
import json
import math

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

from attnbook import exercise, progress, views
from attnbook.figures import beam_tree
from attnlib import figures, search
from attnlib.data import (
    BOS,
    EOS,
    PAD,
    Batches,
    WordVocabulary,
    bundled_directory,
    load_corpus,
    make_batch,
    pad,
)
from attnlib.device import seed_everything
from attnlib.metrics import corpus_bleu
from attnlib.model import make_seq2seq
from attnlib.training import Recipe, fit

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(8)

# %% [markdown] id="problem-text"
# ## A model of next words is not yet a translation
#
# A translator gives probabilities of *one* next word. The probability of a whole sentence is their
# product, the end-of-sentence token `<eos>` included:
#
# $$P(Y \mid x) = \prod_t p(y_t \mid y_{<t}, x)$$
#
# ($x$ is the sentence to translate, $y_t$ word $t$ of the translation, $y_{<t}$ the words before
# it.) **Decoding** is the search for a good $Y$. Take a sentence that one can think through:
# 집에 갔다 (*to-home went*). Korean may leave the subject out, English may not, so the model has
# to guess. Here is all that a made-up model knows: after each **prefix**, the words written so
# far, what may come next. A prefix without a row ends for certain.

# %% id="table"
table = {
    (): {"He": 0.5, "I": 0.4, "<eos>": 0.1},
    ("He",): {"went": 0.4, "came": 0.35, "<eos>": 0.25},
    ("I",): {"went": 0.9, "came": 0.1},
    ("He", "went"): {"<eos>": 0.6, "home": 0.4},
    ("He", "came"): {"<eos>": 0.5, "home": 0.5},
    ("I", "went"): {"home": 0.6, "<eos>": 0.4},
    ("I", "came"): {"<eos>": 0.5, "home": 0.5},
}


def after(prefix):
    return table.get(prefix, {"<eos>": 1.0})


# %% [markdown] id="greedy-text"
# ## Greedy search
#
# The simplest rule: at every step take the most probable word. The note calls it short-sighted:
# one wrong word, and the rest has to live with it.
#
# **Predict.** Which sentence does it write, and with what probability?

# %% id="greedy"
prefix, probability = (), 1.0
while prefix[-1:] != ("<eos>",):
    word, p = max(after(prefix).items(), key=lambda item: item[1])
    prefix, probability = (*prefix, word), probability * p
    print(f"take {word:5} ({p})  so far {probability:.3f}")

# %% [markdown] id="all-text"
# Is that the best sentence? The model is small enough to list them all.


# %% id="all"
def complete(prefix=(), probability=1.0):
    """Every sentence that the model can write, with its probability."""
    for word, p in after(prefix).items():
        if word == "<eos>":
            yield probability * p, " ".join(prefix)
        else:
            yield from complete((*prefix, word), probability * p)


sentences = sorted(complete(), reverse=True)
for probability, text in sentences[:5]:
    print(f"{probability:.3f}  {text!r}")
print(f"{len(sentences)} sentences, together {sum(p for p, _ in sentences):.3f}")

# %% [markdown] id="all-read"
# No. *I went home* has nearly twice the probability of greedy's *He went*. The first word *He*
# looked best (0.5 against 0.4), but after *I* the model is much surer of what comes. Greedy search
# cannot know that, and cannot take *He* back. The note sees the way out: do not insist on the
# largest number at once, so that a later word can still turn things round. (The fifth in the list,
# `''`, is the empty sentence: `<eos>` at once. We shall meet it again.)
#
# It is a mistake of the **search**. Whether *I* is right, the Korean sentence does not say: that
# would be a question about the **model**. Keep the two apart.

# %% [markdown] id="ex-greedy-trap-text"
# ### Exercise 8.1 · A trap for greedy search
# *Warm-up, 8 minutes.* A model writes two words. The first is *a* with probability `p` (more than
# one half) or *b* with probability 1 − `p`. Choose what may follow, so that greedy search ends with
# a *less* probable sentence than the best. Return two lists of probabilities of any length: of the
# words that may follow *a*, and of those that may follow *b*. It must work for every `p` below 1.
#
# <details><summary>Hint 1</summary>Greedy search takes a, whatever follows. Its sentence has
# probability p times the largest number of the first list.</details>
# <details><summary>Hint 2</summary>Make the model certain after b, and as unsure as possible after
# a.</details>
# <details><summary>Hint 3</summary>With n equal shares after a, p / n must be less than 1 − p: how
# large must n be?</details>


# %% id="ex-greedy-trap" tags=["exercise"]
@exercise
def greedy_trap(p):
    """(probabilities after a, probabilities after b), two lists; greedy search takes a."""
    ### BEGIN SOLUTION
    words = math.ceil(p / (1 - p)) + 1
    return [1 / words] * words, [1.0]
    ### END SOLUTION


# %% id="greedy-trap-use"
for p in (0.6, 0.9, 0.99):
    after_a, after_b = greedy_trap(p)
    greedy, best = p * max(after_a), (1 - p) * max(after_b)
    print(f"p(a) = {p}: greedy loses: {greedy < best}")

# %% [markdown] id="greedy-trap-read"
# However sure the first step is, it can be the wrong one.

# %% [markdown] id="logs-text"
# ## Sums instead of products
#
# **Predict.** Two sentences of 400 tokens: in one every token has probability 0.1, in the other
# 0.2. What are the two products, in the computer?

# %% id="underflow"
for p in (0.1, 0.2):
    product, total = 1.0, 0.0
    for _ in range(400):
        product, total = product * p, total + math.log(p)
    print(f"p = {p}: product {product:.0e}  sum of logarithms {total:.1f}")
zero_at = next(n for n in range(1, 400) if torch.tensor(0.1).pow(n) == 0)
print("in 32 bits 0.1 × 0.1 × … is 0 within 50 steps:", zero_at <= 50)

# %% [markdown] id="underflow-read"
# One product is the tiniest trace of a number, the other exactly 0: **underflow**, and two
# different sentences that are both 0 cannot be ranked. (In 32 bits, in which networks compute, it
# happens within 50 tokens of probability 0.1.) The logarithm turns the product into a sum,
# $\log P(Y \mid x) = \sum_t \log p(y_t \mid \dots)$, and keeps the order, because it is increasing.
#
# **Log-probabilities** are negative. The note's advice for its worked example was to follow "the
# largest value (not absolute value)". Right: the largest is the one nearest to 0.

# %% id="largest"
for word, p in after(()).items():
    print(f"{word:5}  p = {p}   log p = {math.log(p):6.3f}   |log p| = {-math.log(p):.3f}")

# %% [markdown] id="step-text"
# ## What a search needs to know of a model
#
# A search needs no layers and no weights, only a **step function**:
#
#     step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights)
#
# B sentences, K prefixes of each. `tokens` are the *last* tokens of the prefixes; `state` is what a
# prefix carries along (a decoder's hidden state), `memory` is fixed for a sentence (the encoder's
# states), `weights` is attention or None. Our table becomes one if the state is the prefix itself.

# %% id="step-of"
words = ["<pad>", "<unk>", "<sos>", "<eos>", "He", "I", "went", "came", "home"]


def step_of(after, words):
    """A step function for a table: prefix → {word: probability}."""

    def step(tokens, memory, state):  # state (B, K, t): all tokens before the last
        state = torch.cat([state, tokens.unsqueeze(2)], dim=2)
        rows = torch.zeros(*tokens.shape, len(words))
        for place in itertools.product(*map(range, tokens.shape)):
            prefix = tuple(words[i] for i in state[place].tolist()[1:])  # without <sos>
            for word, p in after(prefix).items():
                rows[(*place, words.index(word))] = p
        return rows.log(), state, None

    return step


# %% id="step-use"
step = step_of(after, words)
memory, state = torch.zeros(1), torch.zeros(1, 1, 0, dtype=torch.long)
log_probs, state_1, _ = step(torch.tensor([[BOS]]), memory, state)
print(dict(zip(words, [round(p, 2) for p in log_probs[0, 0].exp().tolist()])))

# %% [markdown] id="ex-greedy-tokens-text"
# ### Exercise 8.2 · Greedy search over a step function
# *Core, 12 minutes.* One sentence: `tokens` has shape (1, 1), the log-probabilities (1, 1, V).
# Begin with the start token `BOS` (2); choose the most probable token that is neither `PAD` (0) nor
# `BOS`; stop at `EOS` (3) or after `max_length` tokens, eos counted. Return the list of tokens
# without the eos, and the log-probability of all that was chosen, eos included. What `step` returns
# belongs to the model: change a copy.
#
# <details><summary>Hint 1</summary>Each round feeds the token chosen last, as
# `torch.tensor([[last]])`, and the state that the round before returned.</details>
# <details><summary>Hint 2</summary>`log_probs[0, 0]` is one row of V numbers. Clone it before you
# write −∞ into places 0 and 2.</details>
# <details><summary>Hint 3</summary>`int(row.argmax())` is the token, `float(row[token])` what it
# adds to the sum. Add first, then look whether it was the eos.</details>


# %% id="ex-greedy-tokens" tags=["exercise"]
@exercise
def greedy_tokens(step, memory, state, max_length):
    """The tokens of greedy search, without eos, and their log-probability, eos included."""
    ### BEGIN SOLUTION
    tokens, log_prob, last = [], 0.0, BOS
    for _ in range(max_length):
        log_probs, state, _ = step(torch.tensor([[last]]), memory, state)
        row = log_probs[0, 0].clone()
        row[[PAD, BOS]] = -math.inf
        last = int(row.argmax())
        log_prob += float(row[last])
        if last == EOS:
            break
        tokens.append(last)
    return tokens, log_prob
    ### END SOLUTION


# %% id="greedy-agree"
tokens, log_prob = greedy_tokens(step, memory, state, 5)
[[library]] = search.greedy_search(step, memory, state, max_length=5)
assert tokens == library.tokens and abs(log_prob - library.log_prob) < 1e-6
print([words[i] for i in tokens], f"log P = {log_prob:.3f}, P = {math.exp(log_prob):.3f}")

# %% [markdown] id="exhaustive-text"
# ## Trying everything
#
# Why not list all sentences, as above (**exhaustive search**)? With $V$ words and at most $T$ of
# them there are about $V^T$ sentences.

# %% id="exhaustive-count"
for V, T in ((5, 6), (90, 12), (3000, 30)):
    print(f"{V:5,} words, {T:2} steps: about 10^{T * math.log10(V):.0f} sentences")

# %% [markdown] id="exhaustive-prune"
# "Out of the question", says the note, and for a list that is true. But one can be exact without
# listing. Log-probabilities only *fall* as a sentence grows. So a prefix that is already less
# probable than some finished sentence can be left alone with everything that would follow
# ([Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019)). Depth first, the most
# probable word first:


# %% id="depth-first"
def depth_first(prefix=(), log_p=0.0, best=(-math.inf, ())):
    """The most probable sentence, exactly: (log P, words)."""
    visited.append(prefix)
    for word, p in sorted(after(prefix).items(), key=lambda item: -item[1]):
        total = log_p + math.log(p)
        if total > best[0]:  # else nothing below can be better
            if word == "<eos>":
                best = (total, prefix)
            else:
                best = depth_first((*prefix, word), total, best)
    return best


visited = []
log_p, best = depth_first()
print(f"best: {best}, P = {math.exp(log_p):.3f}")
print(f"{len(visited)} prefixes looked at, of 11")

# %% id="exhaustive-agree"
[[exact]] = search.exhaustive_search(step, memory, state, max_length=5)
assert tuple(words[i] for i in exact.tokens) == best and abs(exact.log_prob - log_p) < 1e-6
print("attnlib.search.exhaustive_search finds the same")

# %% [markdown] id="exhaustive-read"
# This is our **oracle**: too slow for long sentences of a large model, but where it ends, it is
# right, and every faster search can be measured against it.

# %% [markdown] id="beam-text"
# ## Beam search: k instead of one or all
#
# The compromise of the note: neither one word nor all of them, but **k hypotheses**, the k best
# prefixes, at every step (usually 5 to 10). One step of a beam:
#
# 1. extend every prefix by every word, and add the log-probability;
# 2. sort all continuations together, the largest first;
# 3. walk down the list: an ending is set aside, anything else lives on, until k live on.


# %% id="beam-step"
def extend(live, k):
    """All continuations, best first; the k that live on; the endings met on the way."""
    found = [
        (log_p + math.log(p), (*prefix, word))
        for log_p, prefix in live
        for word, p in after(prefix).items()
    ]
    found.sort(key=lambda pair: -pair[0])
    going, ended = [], []
    for pair in found:
        if len(going) == k:
            break
        (ended if pair[1][-1] == "<eos>" else going).append(pair)
    return found, going, ended


# %% [markdown] id="hand-text"
# The note's picture of a worked example with k = 2 is lost. Here is one again; take a pencil, or
# at least a calculator: $\log 0.5 = -0.693$, $\log 0.4 = -0.916$.
#
# **Predict.** After the second step, which two prefixes live?

# %% id="hand"
live, finished = [(0.0, ())], []
for t in (1, 2, 3, 4):
    found, live, ended = extend(live, k=2)
    finished += ended
    print(f"step {t}")
    for log_p, prefix in found:
        pair = (log_p, prefix)
        fate = "lives on" if pair in live else "set aside" if pair in ended else ""
        print(f"  {' '.join(prefix):18} {log_p:7.3f}  P = {math.exp(log_p):.3f}  {fate}")

# %% [markdown] id="hand-read"
# The first step keeps *He* **and** *I*. At the second, *I went* overtakes *He went*. (*He* `<eos>`
# stands below the two that live on, so the walk never comes to it.) At the third, two sentences
# end and are set aside, as the note says ("this path is no longer considered, it is stored
# separately"), while two others live on. At the fourth these end too, and nothing is left alive.
# The best of what was set aside is the answer.

# %% id="hand-agree"
log_p, prefix = max(finished)
records = []
[[found]] = search.beam_search(
    step, memory, state, max_length=4, beam_size=2, trace=records.append, stop="never"
)
assert [words[i] for i in found.tokens] == list(prefix[:-1])
assert abs(found.log_prob - log_p) < 1e-6
print(f"best of {len(finished)} finished: {' '.join(prefix)}, P = {math.exp(log_p):.3f}")

# %% [markdown] id="tree-text"
# The same as a tree, drawn from what the library's search tells about each of its hypotheses. (The
# endings that the walk did not reach are not drawn.) Below it a live view: the sliders grow the
# tree and read it out.

# %% id="tree"
records = [{**r, "token": words[r["token"]], "log_prob": round(r["log_prob"], 3)} for r in records]
ax = beam_tree(records, title="Beam search with k = 2, from a table")
plt.show()

# %% [markdown] id="tree-alt"
# <details><summary>The figure in words</summary>
#
# A tree that grows to the right. From the start grow He and I, both kept. The branch I, went, home
# and the end of the sentence is drawn thick, with log-probability −1.53. Two other endings and the
# ending of He went home are drawn as finished; He came and I came are dotted.
#
# </details>

# %% id="tree-live"
views.beam_view(records, title="The same beam search, step by step")

# %% [markdown] id="first-end-text"
# **When to stop?** Two rules stand in the note: stop at a maximal number of steps, *or* when a
# fixed number n of finished hypotheses has come together.
#
# **Predict.** Our search had two finished sentences after step 3. What would the second rule, with
# n = 2, have answered? (In the library `never` is the first rule and `k_finished` the second, with
# n = k; `first_finished` is n = 1.)

# %% id="first-end"
for rule in ("never", "k_finished", "first_finished"):
    [[found]] = search.beam_search(step, memory, state, max_length=4, beam_size=2, stop=rule)
    text = " ".join(words[i] for i in found.tokens)
    print(f"stop = {rule:15} {text:12} P = {math.exp(found.log_prob):.3f}")

# %% [markdown] id="first-end-read"
# *I went*, the worse one. A number of finished hypotheses says nothing about those that still
# live. A maximal number of steps is needed as a last resort, but it cuts off whatever is longer. A
# rule that cannot lose exists; it comes below, after the score has got its final form.

# %% [markdown] id="errors-text"
# ## How often does a beam miss the best?
#
# A **search error**: the model knows a better sentence than the one that the search found. One
# model proves nothing, so take a thousand random ones. Each has four words and `<eos>`, a
# distribution of its own after every prefix, and sentences of at most five words. The prefixes are
# numbered level by level: those that extend number $n$ have the numbers $4n+1$ to $4n+4$.

# %% id="random-models"
MODELS, LEVELS = 1000, 6
prefixes = sum(4**t for t in range(LEVELS))  # 1 + 4 + 16 + … + 1024
logits = 1.5 * torch.randn(MODELS, prefixes, 5, generator=generator)  # <eos> and four words
logits[:, -(4**5) :, 1:] = -math.inf  # after five words only <eos> may come
chances = logits.log_softmax(-1)


def random_step(tokens, memory, state):  # state: the prefix's number, memory: the model's
    node = torch.where(tokens == BOS, 0, 4 * state + tokens - 3)
    rows = chances[memory.unsqueeze(1).expand(node.shape), node]
    return F.pad(rows, (3, 0), value=-math.inf), node, None  # <pad>, <unk>, <sos>: never


start = (random_step, torch.arange(MODELS), torch.zeros(MODELS, 1, dtype=torch.long))

# %% [markdown] id="oracle-text"
# The whole tree of a thousand models fits into one tensor, so the exact answer needs no search at
# all: add up level by level, and take the largest ending.

# %% id="oracle"
total, endings, first = torch.zeros(MODELS, 1), [], 0
for t in range(LEVELS):
    rows = chances[:, first : first + 4**t]
    endings.append(total + rows[..., 0])
    total, first = (total.unsqueeze(2) + rows[..., 1:]).flatten(1), first + 4**t
best, mode = torch.cat(endings, 1).max(1)  # the best log-probability, and the number of its prefix

# %% id="oracle-agree"
nodes = []
some = [part[:200] for part in start[1:]]
exact = search.exhaustive_search(random_step, *some, max_length=LEVELS, trace=nodes.append)
torch.testing.assert_close(torch.tensor([h.log_prob for [h] in exact]), best[:200])
print("depth-first search agrees with the oracle on 200 models")
print(f"prefixes expanded for each: {len(nodes) / 200:.0f} of {prefixes:,}")

# %% [markdown] id="errors-predict"
# **Predict.** In how many of the thousand does greedy search miss the best sentence? A beam of 2?
# Of 5?

# %% id="errors"
found = {}
for k in range(1, 9):
    hypotheses = search.beam_search(*start, max_length=LEVELS, beam_size=k)
    found[k] = torch.tensor([h.log_prob for [h] in hypotheses])
errors = {k: int((scores < best - 1e-5).sum()) for k, scores in found.items()}
for k, count in errors.items():
    print(f"k = {k}: {count:4} of {MODELS:,} models")


# %% id="errors-figure"
def wilson(hits, n, z=1.96):
    """95 % confidence interval of a share (Wilson 1927)."""
    centre, half = hits + z * z / 2, z * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return (centre - half) / (n + z * z), (centre + half) / (n + z * z)


def share_bars(ax, xs, hits, n, **look):
    shares = [h / n for h in hits]
    ends = [wilson(h, n) for h in hits]
    low = [max(s - a, 0) for s, (a, _) in zip(shares, ends)]
    high = [max(b - s, 0) for s, (_, b) in zip(shares, ends)]
    ax.errorbar(xs, shares, yerr=[low, high], capsize=4, **look)


fig, ax = plt.subplots(figsize=(7.5, 3.6))
share_bars(ax, list(errors), list(errors.values()), MODELS, color=figures.PALETTE[0], marker="o")
ax.set(
    title="Search errors of 1,000 random models (95 % intervals)",
    xlabel="beam width k (hypotheses)",
    ylabel="share of models (0 to 1)",
    ylim=(0, 0.6),
)
plt.show()

# %% [markdown] id="errors-alt"
# <details><summary>The figure in words</summary>
#
# Share of models with a search error against beam width 1 to 8, with error bars. It falls steeply
# from about one half at k = 1 over about a fifth at k = 2, and is practically 0 from k = 5 on.
#
# </details>

# %% [markdown] id="errors-read"
# Half of the time greedy search is wrong, and a little width helps a lot. There is no guarantee:
# the note is right to say that a beam is not certain to be better, only better in general. (k = 1
# is greedy search. And the tree of our toys is small. In real vocabularies the share falls far more
# slowly: [Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019), of whom more below,
# still counted search errors in 53.6 % of the sentences with a beam of 100.)

# %% [markdown] id="monotone-text"
# ### Is a wider beam at least never worse?
#
# It sounds certain: whoever looks at more finds at least as much. **Predict.** In how many of the
# thousand models does k + 1 find a *worse* sentence than k?

# %% id="monotone"
for k in range(1, 5):
    worse = int((found[k + 1] < found[k] - 1e-5).sum())
    print(f"k = {k + 1} worse than k = {k}: {worse} of {MODELS:,}")

# %% [markdown] id="monotone-read"
# Rare, but not never. How can it be? A small table shows it:

# %% id="crowded"
crowd = {
    (): {"a": 0.45, "b": 0.44, "<eos>": 0.11},
    ("a",): {"x": 0.4, "y": 0.31, "z": 0.29},
    ("b",): {"u": 0.51, "v": 0.49},
    ("b", "u"): {"<eos>": 0.3, "x": 0.34, "y": 0.36},
    ("b", "v"): {"<eos>": 0.3, "x": 0.34, "y": 0.36},
}
letters = ["<pad>", "<unk>", "<sos>", "<eos>", *"abuvxyz"]
crowded = step_of(lambda prefix: crowd.get(prefix, {"<eos>": 1.0}), letters)
for k in (1, 2, 3):
    [[h]] = search.beam_search(crowded, memory, state, max_length=5, beam_size=k)
    print(f"k = {k}: {' '.join(letters[i] for i in h.tokens):4} P = {math.exp(h.log_prob):.3f}")

# %% [markdown] id="crowded-read"
# Alone, *a* goes on to *a x* and ends with 0.180. With k = 2 there is *b* beside it, whose two
# children (0.44 × 0.51 and 0.44 × 0.49, about 0.22 each) crowd *a x* (0.18) out of the beam, and
# both of them have a poor future. What a beam keeps is not a superset of what a narrower beam
# keeps, except when it is so wide that nothing is pruned.

# %% [markdown] id="mode-text"
# ## The best sentence may be no sentence
#
# So far more search was better. Now look at *what* the exact search finds. **Predict.** How many of
# the thousand models have the *empty* sentence as their most probable one?

# %% id="mode"
empty = int((mode == 0).sum())
low, high = wilson(empty, MODELS)
print(f"{empty} of {MODELS:,} models, 95 % interval {low:.0%} to {high:.0%}")

# %% [markdown] id="mode-read"
# Nearly half. The empty sentence pays for one decision, a sentence of three words for four, and
# each decision costs something. Is it because random models are silly? Here is a sensible one: it
# wants to write n words, each in one of three equally good ways ("big", "large", "great"), and
# with a probability of only 2 % it ends at once.

# %% id="synonyms"
for n in range(1, 7):
    best_real = 0.98 / 3**n
    winner = "the empty sentence" if best_real < 0.02 else f"a sentence of length {n}"
    print(f"n = {n}: {3**n:3} good sentences, each P = {best_real:.4f}.  Most probable: {winner}")

# %% [markdown] id="synonyms-read"
# From four words on the *most probable* sentence is empty, in a model that is right in 98 % of all
# cases. Probability is spread over many good answers, and no single one of them is probable. The
# **mode** of a distribution need not be typical of it.
#
# This is no toy. [Stahlberg and Byrne (2019)](D_papers.ipynb#cell-id=stahlberg-2019) searched a
# strong English–German system exactly: for 51.8 % of the test sentences its most probable
# translation was empty, and exact search had 2.1 BLEU, where a beam of 10, with search errors in
# 57.7 % of the sentences, had 30.3. The search errors of small beams *protect* such models from
# themselves.

# %% [markdown] id="length-text"
# ## Paying for length
#
# The note's last picture of a beam is lost, too, but the text names the trouble: "if we keep
# subtracting, it has to get smaller". The first remedy is the mean per token, $\frac1n \sum \log
# p$. [Wu et al.](D_papers.ipynb#cell-id=wu-2016) (2016, Eq. 14) divide by something milder:
#
# $$s(Y) = \frac{\log P(Y \mid x)}{lp(|Y|)} + cp,
# \qquad lp(n) = \Big(\frac{5 + n}{6}\Big)^{\alpha}$$
#
# α is a number to choose: α = 0 changes nothing; $lp(n) = n^\alpha$ with α = 1 is the mean per
# token. $n$ is the length and counts the eos. (The second term, $cp$, comes below; until then it
# is 0.)
#
# **A trap of words.** "**Length penalty**" sounds as if long sentences were punished. But
# log-probabilities are *negative*: dividing by more brings them nearer to 0, so α > 0 **helps**
# long sentences.

# %% [markdown] id="ex-length-penalty-text"
# ### Exercise 8.3 · The length penalty
# *Warm-up, 5 minutes.* Return $lp(n)$: `kind` is `"gnmt"` for the formula above or `"power"` for
# $n^\alpha$. `n` is a number or a tensor of numbers.
#
# <details><summary>Hint 1</summary>`**` raises to a power, for tensors as well.</details>
# <details><summary>Hint 2</summary>Both kinds are a base to the power alpha; only the base
# differs.</details>
# <details><summary>Hint 3</summary>The base is n, or (5 + n) / 6.</details>


# %% id="ex-length-penalty" tags=["exercise"]
@exercise
def length_penalty(n, alpha, kind="gnmt"):
    """lp(n) = ((5 + n) / 6)^alpha ("gnmt") or n^alpha ("power"); n counts the eos."""
    ### BEGIN SOLUTION
    base = n if kind == "power" else (5 + n) / 6
    return base**alpha
    ### END SOLUTION


# %% [markdown] id="length-use-text"
# Two hypotheses, one of 3 tokens with log-probability −2.0 and one of 9 tokens with −2.6.
#
# **Predict.** From which α on does the long one win?

# %% id="length-use"
for alpha in (0.0, 0.2, 0.4, 0.6, 1.0):
    short, long = -2.0 / length_penalty(3.0, alpha), -2.6 / length_penalty(9.0, alpha)
    winner = "short" if short > long else "long"
    print(f"α = {alpha}: short {short:.3f}, long {long:.3f}: the {winner} one wins")

# %% [markdown] id="coverage-text"
# ### Did it translate everything?
#
# The second term looks at the attention. Add the attention weights $\alpha_{tj}$ (chapter 5; with
# indices, they have nothing to do with the exponent α) that source word $j$ received over all
# steps: its **coverage**, $\sum_t \alpha_{tj}$. A word that was hardly looked at may have been
# left out. β says how much that is to cost:
#
# $$cp = \beta \sum_j \log \min\Big(\sum_t \alpha_{tj},\ 1\Big)$$

# %% [markdown] id="ex-coverage-penalty-text"
# ### Exercise 8.4 · The coverage penalty
# *Core, 8 minutes.* `coverage` (…, S) holds the sums, `mask` (…, S) is True at real words; return
# cp with shape (…). Padding must cost nothing, and a word that was never looked at must not give
# −∞: put 1e-9 in the place of anything smaller before the logarithm.
#
# <details><summary>Hint 1</summary>`clamp(low, high)` does the minimum with 1 and the lower limit
# in one go.</details>
# <details><summary>Hint 2</summary>`masked_fill(~mask, 0)` after the logarithm: log 1 = 0 is what
# padding should add.</details>
# <details><summary>Hint 3</summary>Sum over the last dimension, times beta. No minus sign: the
# logarithms are negative already.</details>


# %% id="ex-coverage-penalty" tags=["exercise"]
@exercise
def coverage_penalty(coverage, beta, mask):
    """cp = β Σ_j log min(coverage_j, 1) over real positions. coverage, mask (…, S) → (…)."""
    ### BEGIN SOLUTION
    logs = coverage.clamp(1e-9, 1).log()
    return beta * logs.masked_fill(~mask, 0).sum(-1)
    ### END SOLUTION


# %% id="coverage-use"
looks = torch.tensor([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]])  # two steps, two words and padding
sums, real = looks.sum(0), torch.tensor([True, True, False])
print("coverage:", [round(x, 2) for x in sums.tolist()])
print(f"both words read: cp = {coverage_penalty(sums, 1.0, real):.3f}")
print(f"only the first:  cp = {coverage_penalty(2 * looks[0], 1.0, real):.3f}")

# %% [markdown] id="stop-text"
# ## When may a beam stop?
#
# Let $\ell$ be the log-probability of the best prefix alive, of $t$ tokens like all that live, and
# *best* the score of the best finished hypothesis (if several answers are wanted, of the last of
# them). Whatever completes the prefix has $n = t+1, \dots, n_{max}$ tokens and at most the
# log-probability $\ell$, for it can only fall; and $cp \le 0$. So no completion scores higher than
#
# $$\max_{t < n \le n_{max}} \frac{\ell}{lp(n)}.$$
#
# If *best* is at least that, stop: nothing can be lost. For α = 0 this reads "stop when the best
# finished beats the best alive" ([Huang, Zhao and Ma 2017](D_papers.ipynb#cell-id=huang-2017)). For
# α > 0 the bound lies at the *largest* length allowed.

# %% id="bound-figure"
lengths = torch.arange(4.0, 13.0)
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for alpha, dash, marker in ((0.0, "-", "o"), (0.6, "--", "s"), (1.0, ":", "^"), (-0.7, "-.", "D")):
    bound = -1.5 / search.length_penalty(lengths, alpha)
    ax.plot(lengths, bound, dash, marker=marker, label=f"α = {alpha:g}".replace("-", "−"))
ax.set(
    title="The best score that a prefix of 3 tokens, log-probability −1.5, can reach",
    xlabel="length of the completed hypothesis (tokens, with eos)",
    ylabel="score (nats)",
)
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="bound-alt"
# <details><summary>The figure in words</summary>
#
# Four curves of the reachable score against length 4 to 12. For α = 0 it is level at −1.5. For α =
# 0.6 and 1 it rises toward 0, so the longest completion has the best chance. For α = −0.7 it falls,
# so the shortest has.
#
# </details>

# %% [markdown] id="ex-can-stop-text"
# ### Exercise 8.5 · May it stop?
# *Hard, 20 minutes.* `best` is the score of the best finished hypothesis (−∞ if there is none),
# `live` the log-probability of the best prefix alive, which has `t` tokens. Completions have t + 1
# to `max_length` tokens, eos counted; α may be negative. Return True if and only if no completion
# can score *higher* than `best`. The check enumerates all lengths.
#
# <details><summary>Hint 1</summary>The rest of a prefix can at best have probability 1. What is the
# score of a completion of n tokens then?</details>
# <details><summary>Hint 2</summary>`search.length_penalty(float(n), alpha)` is lp(n). You may go
# through all n; there are few.</details>
# <details><summary>Hint 3</summary>`all(best >= … for n in range(t + 1, max_length + 1))`. Where no
# n is left, `all` of nothing is True, and that is right.</details>


# %% id="ex-can-stop" tags=["exercise"]
@exercise
def can_stop(best, live, t, max_length, alpha):
    """Whether no completion of a prefix of t tokens can score higher than best (GNMT penalty)."""
    ### BEGIN SOLUTION
    lengths = range(t + 1, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)
    ### END SOLUTION


# %% id="can-stop-use"
for alpha in (0.0, 0.6, 1.0):
    print(f"α = {alpha}: best −1.0, alive −1.5 after 3 of 12:", can_stop(-1.0, -1.5, 3, 12, alpha))

# %% [markdown] id="stop-rules-text"
# ### Three rules that lose
#
# - *first finished*: stop when something has ended;
# - *k finished*: stop when k hypotheses have ended (the note's second rule, n = k);
# - *present length*: stop when the best finished beats the best alive, which is scored at the
#   length that it has *now*. This one looks exact, and for α = 0 it is.
#
# The first two lost above. For the third a table again: after *b* all goes on with certainty.

# %% id="present-length"
patient = {(): {"a": 0.4, "b": 0.35, "<eos>": 0.25}, ("b",): {"x": 1.0}, ("b", "x"): {"y": 1.0}}
patient = step_of(lambda prefix, rows=patient: rows.get(prefix, {"<eos>": 1.0}), letters)
options = {"max_length": 5, "beam_size": 2, "alpha": 1.0, "penalty": "power"}
for rule in ("exact", "current_length"):
    [[h]] = search.beam_search(patient, memory, state, stop=rule, **options)
    print(f"{rule:15} {' '.join(letters[i] for i in h.tokens):6} score {h.score:.3f}")

# %% [markdown] id="present-length-read"
# After two steps *a* has ended with $\log 0.4 / 2 = -0.458$, and *b x* stands at
# $\log 0.35 / 2 = -0.525$: worse, so the rule stops. Two more tokens would have cost nothing and
# made it $\log 0.35 / 4 = -0.262$.
#
# **Predict.** How often do the three lose on the random models, with k = 3? With the plain sum, and
# with the mean per token?

# %% id="stop-count"
lost = {}
for alpha in (0.0, 1.0):
    options = {"max_length": LEVELS, "beam_size": 3, "alpha": alpha, "penalty": "power"}
    exact = search.beam_search(*start, **options)
    never = search.beam_search(*start, stop="never", **options)
    assert all(a.score == b.score for [a], [b] in zip(exact, never))  # the exact rule loses nothing
    for rule in ("first_finished", "k_finished", "current_length"):
        early = search.beam_search(*start, stop=rule, **options)
        lost[rule, alpha] = sum(a.score < b.score - 1e-5 for [a], [b] in zip(early, exact))
        print(f"α = {alpha}  {rule:15} loses in {lost[rule, alpha]:3} of {MODELS:,} models")

# %% id="stop-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.4))
rules = ["first_finished", "k_finished", "current_length"]
for shift, (alpha, marker) in zip((-0.1, 0.1), ((0.0, "o"), (1.0, "s"))):
    look = {"linestyle": "none", "marker": marker, "color": figures.PALETTE[int(alpha)]}
    look["label"] = "plain sum (α = 0)" if alpha == 0 else "mean per token (α = 1)"
    share_bars(ax, [n + shift for n in range(3)], [lost[r, alpha] for r in rules], MODELS, **look)
ax.set_xticks(range(3), ["first finished", "k finished", "present length"])
ax.set(title="Stopping too early, 1,000 random models, k = 3", ylim=(-0.03, 1))
ax.set(xlabel="stopping rule", ylabel="share of models that lose\n(0 to 1)")
ax.legend(loc="upper right")
plt.show()

# %% [markdown] id="stop-alt"
# <details><summary>The figure in words</summary>
#
# Share of models in which three stopping rules lose. With the plain sum: about a quarter for first
# finished, a few percent for k finished, none for present length. With the mean per token: about
# four fifths, two fifths and more than a third.
#
# </details>

# %% [markdown] id="stop-read"
# The note's rule, "n finished" (here n = 3), is nearly harmless for a plain sum and bad for a
# mean. And the exact rule cost nothing: it found what searching to the end finds (the `assert`).
# Exact means here: nothing *within the beam* is lost. What the beam has pruned no **stopping rule**
# brings back. (A library whose search stops by present length is not wrong to do so, if it says
# that this is a heuristic.)

# %% [markdown] id="ex-beam-tokens-text"
# ### Exercise 8.6 · Beam search
# *Hard, 30 minutes: this one hurts.* Everything together, for one sentence and in plain Python:
# keep a list of live prefixes, each with its log-probability, tokens and *own* state. At each step
# $t = 1, \dots$, `max_length`:
#
# 1. call `step` for every live prefix (tokens of shape (1, 1)) and collect all continuations,
#    except by `PAD` and `BOS` and those of probability 0;
# 2. walk down the sorted list: an eos goes to the finished, with score log P / lp(t); anything else
#    lives on; end the walk when `beam_size` live on;
# 3. go on until `max_length`, or until nothing is alive (or you may stop: but only by a rule that
#    cannot lose).
#
# Return tokens (without eos) and log-probability (not divided) of the finished hypothesis with the
# highest *score*. If nothing has ended, return the best prefix.
#
# <details><summary>Hint 1</summary>A live prefix is a tuple (log_prob, tokens, state); the first is
# (0.0, [], state). The cell `beam-step` above has the walk.</details>
# <details><summary>Hint 2</summary>The state that `step` returns belongs to all continuations of
# *this* prefix: put it into their tuples. Sort with `key=lambda c: -c[0]`, because states cannot be
# compared.</details>
# <details><summary>Hint 3</summary>The last token to feed is `(tokens or [BOS])[-1]`. A finished
# hypothesis is a tuple (score, tokens, log_prob), score = log_prob /
# search.length_penalty(float(t), alpha, penalty). Simplest stop: none before max_length, but leave
# the loop when live is empty.</details>


# %% id="ex-beam-tokens" tags=["exercise"]
@exercise
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    """The tokens, without eos, of the best hypothesis of a beam, and their log-probability."""
    ### BEGIN SOLUTION
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, state in live:
            last = torch.tensor([[(tokens or [BOS])[-1]]])
            log_probs, new, _ = step(last, memory, state)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    found.append((total + gain, [*tokens, token], new))
        found.sort(key=lambda candidate: -candidate[0])
        live = []
        for total, tokens, new in found:
            if len(live) == beam_size:
                break
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, new))
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    _, tokens, total = max(finished, key=lambda hypothesis: hypothesis[0])
    return tokens, total
    ### END SOLUTION


# %% id="beam-agree"
library = search.beam_search(*start, max_length=LEVELS, beam_size=3, alpha=1.0)
for number in range(100):
    mine = [part[number : number + 1] for part in start[1:]]
    tokens, log_prob = beam_tokens(random_step, *mine, LEVELS, 3, 1.0)
    assert tokens == library[number][0].tokens
    assert abs(log_prob - library[number][0].log_prob) < 1e-4
print("100 random models: the same sentences as attnlib.search.beam_search")

# %% [markdown] id="real-text"
# ## A real translator
#
# Toys show what can happen. What *does* happen? A small translator with attention (Luong's, general
# score, chapter 5), Korean to English, **stopped early on purpose** after 600 updates: a model
# that is often unsure, as real ones are on real text. All measurements are on the 300 *validation*
# sentences; the test split is left alone.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
pairs = corpus.valid
print(f"{len(ids):,} pairs to learn from, {len(pairs)} to search; {len(english)} English tokens")

# %% id="train" tags=["nbval-ignore-output"]
seed_everything(1)
model = make_seq2seq(
    len(korean), len(english), embedding_size=64, hidden_size=64, dropout=0.1
)  # fmt: skip
recipe = Recipe(
    updates=600, warmup=150, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=600, precision="fp32", seed=1,
)  # fmt: skip
history = fit(model, Batches([x for x, _ in ids], [y for _, y in ids], size=32, seed=1), recipe)
model = model.eval()


# %% id="searching"
def encoded(pairs):
    """Memory, state, mask and limits of some sentences, ready to be searched."""
    sources = [korean.encode(pair.src) for pair in pairs]
    src, mask = pad([[*source, EOS] for source in sources])
    with torch.no_grad():
        memory = model.encode(src, mask)
        return memory, model.decoder.start(memory), mask, [2 * len(s) + 12 for s in sources]


def searched(k, pairs=pairs, **options):
    """The best hypothesis of every sentence; k = 1 is greedy search."""
    memory, state, mask, limits = encoded(pairs)
    if k == 1:
        found = search.greedy_search(model.step, memory, state, max_length=limits)
    else:
        options |= {"beam_size": k, "src_mask": mask, "max_length": limits}
        found = search.beam_search(model.step, memory, state, **options)
    return [hypotheses[0] for hypotheses in found]


# %% id="measuring"
def measured(found, pairs=pairs):
    """BLEU, and tokens written per token of the reference."""
    texts = [english.decode(h.tokens) for h in found]
    length = sum(len(h.tokens) for h in found) / sum(len(english.encode(p.tgt)) for p in pairs)
    return corpus_bleu(texts, [p.tgt for p in pairs]).score, length


# %% [markdown] id="real-tree-text"
# First one sentence as a tree, with k = 3: 오늘 누가 나무를 그렸습니까?
# (*today – who – tree – drew?*). The reference is *Who drew a tree today?*

# %% id="real-tree"
pair = next(p for p in pairs if p.tgt == "Who drew a tree today?")
records = []
one = encoded([pair])
[[h]] = search.beam_search(
    model.step, *one[:2], max_length=one[3], beam_size=3, trace=records.append
)
records = [{**r, "token": english.tokens[r["token"]]} for r in records]
print("greedy search:", english.decode(searched(1, [pair])[0].tokens))
print("a beam of 3:  ", english.decode(h.tokens))

# %% id="real-tree-figure"
ax = beam_tree(records, pruned=False, title="The beam of a real translator, k = 3")
plt.show()

# %% [markdown] id="real-tree-alt"
# <details><summary>The figure in words</summary>
#
# A tree that grows to the right over seven steps, with at most three branches alive at each. One
# branch, drawn thick, spells the reference, *who drew a tree today?*, and ends with log-probability
# −4.30; another one, *who drew a tree yesterday?*, ends beside it with −4.84. Neighboring branches
# differ in single words: *drew*, *wrote* and *fixed*; *big* and *red* before the tree; *today* and
# *yesterday*.
#
# </details>

# %% [markdown] id="real-tree-read"
# The trap of the beginning, in a real translator: at step 4 *big* is the most probable word, greedy
# search takes it, and the end costs more than it gained. The beam keeps *tree* beside it and finds
# the reference. Look at the prefixes that live together, too: they are near-copies of each other,
# so beams are less diverse than their width suggests. (For other sentences the thick branch is not
# the reference. If that stands among the finished ones with a lower log-probability, the search is
# not to blame: the *model* prefers something else, and no search can mend that.)

# %% [markdown] id="real-errors-text"
# ### Search errors of the translator
#
# For short sentences the exact search comes to an end.

# %% id="real-errors"
short = [p for p in pairs if len(korean.encode(p.src)) <= 12]
one = encoded(short)
exact = search.exhaustive_search(model.step, *one[:2], max_length=one[3], max_nodes=20_000)
gaps = {}
for k in (1, 5):
    gaps[k] = [e.log_prob - h.log_prob for [e], h in zip(exact, searched(k, short))]
    assert min(gaps[k]) > -1e-3  # nothing beats the exact search
missed = {k: sum(gap > 1e-3 for gap in gap_list) for k, gap_list in gaps.items()}
print("greedy search misses at least one best translation:", missed[1] > 0)
print("a beam of 5 misses fewer:                          ", missed[5] < missed[1])

# %% [markdown] id="real-errors-read"
# The recorded runs (`benchmarks/search_chapter.py`: three seeds, trained for 600, 1,200 and 2,400
# updates) counted them in sentences of at most 16 tokens. What was just trained is seed 1 at 600.

# %% id="record"
record = bundled_directory().parent / "runs" / "08_search.json"
record = json.loads(record.read_text(encoding="utf-8"))


def runs_of(updates):
    return [run for run in record["runs"] if run["updates"] == updates]


print("recorded, three seeds together: sentences with a search error")
for updates in (600, 1200, 2400):
    counts = [run["search"] for run in runs_of(updates)]
    missed = {k: sum(c["errors"][k] for c in counts) for k in ("1", "2", "5", "20")}
    total, given_up = (sum(c[key] for c in counts) for key in ("sentences", "given_up"))
    print(f"  {updates:5,} updates: {missed} of {total}, {given_up} given up")

# %% id="real-errors-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, (updates, marker) in enumerate(zip((600, 1200, 2400), "os^")):
    counts = [run["search"] for run in runs_of(updates)]
    widths, total = list(counts[0]["errors"]), sum(c["sentences"] for c in counts)
    hits = [sum(c["errors"][k] for c in counts) for k in widths]
    places = [x + 0.08 * (n - 1) for x in range(len(widths))]
    label = f"{updates:,} updates"
    share_bars(ax, places, hits, total, marker=marker, label=label, color=figures.PALETTE[n])
ax.set_xticks(range(len(widths)), widths)
ax.set(title="Search errors of a translator, short sentences (recorded, 95 % intervals)")
ax.set(xlabel="beam width k (hypotheses)", ylabel="share of sentences (0 to 1)")
ax.legend()
plt.show()

# %% [markdown] id="real-errors-alt"
# <details><summary>The figure in words</summary>
#
# Share of short sentences with a search error against beam width 1 to 50, for three lengths of
# training. After 600 updates it falls from about a third at k = 1 over a tenth at k = 5 to about
# 1 % at k = 50. After 1,200 it begins at a few percent and is 0 from k = 5 on, and after 2,400 it
# is 0 at every width.
#
# </details>

# %% [markdown] id="real-errors-say"
# The better the model has learned, the less there is to search: a model that is sure of every word
# makes greedy search exact. Search matters where the model is in doubt. (The exact search of a
# sentence would have been given up after a thousand prefixes; none needed so many. The intervals
# take the three models' answers to one sentence as independent, which they are not quite.)

# %% [markdown] id="curves-text"
# ### Beam width, and the sum that shrinks
#
# Now BLEU. First the model that was just trained, on all 300 sentences, scored by the plain sum
# (α = 0) and with the length penalty α = 1.
#
# **Predict.** From k = 2 to k = 50 with the plain sum: will BLEU rise, stay, or fall?

# %% id="sweep"
WIDTHS = (1, 2, 5, 10, 20, 50)
live = {alpha: [measured(searched(k, alpha=alpha)) for k in WIDTHS] for alpha in (0.0, 1.0)}

# %% id="sweep-check"
bleu, ratio = zip(*live[0.0])
print("greedy search between 15 and 85 BLEU:           ", 15 < bleu[0] < 85)
print("k = 50, plain sum: at least 10 BLEU below k = 2: ", bleu[5] < bleu[1] - 10)
print("... and its translations are shorter:            ", ratio[5] < ratio[1] - 0.1)
print("α = 1 brings back at least 10 BLEU at k = 50:    ", live[1.0][5][0] > bleu[5] + 10)


# %% id="widths-figure"
def recorded(updates, k, alpha, beta=0.0, what="bleu"):
    """One number a seed."""
    wanted = k, alpha if k > 1 else 0.0, beta  # greedy search was recorded once
    rows = [row for run in runs_of(updates) for row in run["sweep"]]
    return torch.tensor([r[what] for r in rows if (r["k"], r["alpha"], r["beta"]) == wanted])


fig, axes = plt.subplots(1, 2, figsize=(9, 3.8))
names = {"bleu": "BLEU (0 to 100)", "ratio": "tokens written / tokens of reference"}
for column, (ax, (what, name)) in enumerate(zip(axes, names.items())):
    for n, (alpha, marker) in enumerate(zip((0.0, 0.6, 1.0), "os^")):
        rows = torch.stack([recorded(600, k, alpha, what=what) for k in WIDTHS])
        look = {"color": figures.PALETTE[n], "marker": marker, "label": f"α = {alpha:g}"}
        ax.plot(range(6), rows.mean(1), **look)
        ax.fill_between(range(6), rows.amin(1), rows.amax(1), color=figures.PALETTE[n], alpha=0.15)
    for alpha in live:
        circle = {"s": 90, "facecolors": "none", "edgecolors": "black", "zorder": 5}
        label = "just trained" if alpha else "_"
        ax.scatter(range(6), [row[column] for row in live[alpha]], label=label, **circle)
    ax.set_xticks(range(6), WIDTHS)
    ax.set(xlabel="beam width k (hypotheses)", ylabel=name)
axes[1].legend(loc="lower left")
fig.suptitle("A wider beam of a half-trained model (recorded: mean and range of three seeds)")
plt.show()

# %% [markdown] id="widths-alt"
# <details><summary>The figure in words</summary>
#
# Two panels against beam width 1 to 50, with lines for three values of α. On the left, BLEU with
# the plain sum is level up to k = 5, near 53, and then falls, at k = 50 to half of that; with α = 1
# it rises a little and stays nearly level. On the right, the length of the translations: with the
# plain sum it falls from nearly 1 to about half of the reference, with α = 1 to a little more than
# four fifths. α = 0.6 lies between. The bands of the three seeds are wide; open circles of the live
# model (α = 0 and 1) follow the same shapes, in BLEU along the upper edge of the bands but for the
# plain sum at k = 50.
#
# </details>

# %% id="widths-recorded"
print("recorded, three seeds: k =", *(f"{k:5}" for k in WIDTHS))
for updates in (600, 1200, 2400):
    for alpha in (0.0, 1.0):
        means = [recorded(updates, k, alpha).mean() for k in WIDTHS]
        print(f"{updates:5,} updates, α = {alpha}:  ", *(f"{mean:5.0f}" for mean in means))
blank = [recorded(600, k, 0.0, what="empty").mean() for k in WIDTHS]
print("empty translations, 600, α = 0:", *(f"{share:5.0%}" for share in blank))

# %% [markdown] id="widths-read"
# "Generally better", says the note about beam search. Measured: a little width helps a little; a
# *better search* then translates *worse*. The wide beam finds what the narrow one missed, sentences
# that are more probable and too short, even empty ones. [Koehn and Knowles
# (2017)](D_papers.ipynb#cell-id=koehn-2017) met the same in real systems: the best width lay
# between 4 and about 30, depending on the language pair, and wider beams lost because translations
# became shorter. With the length penalty most of the damage is gone. And a model that has learned
# its task needs none of it: after 2,400 updates all widths are within one BLEU of each other.
#
# How close are our translators to preferring silence? Compare log P of the empty translation with
# that of the reference, and with what a beam of 5 found.

# %% id="empty-beats"
print("recorded, share of 300 sentences whose empty translation is more probable than")
print("                     the reference   what a beam of 5 found")
for updates in (600, 1200, 2400):
    runs = runs_of(updates)
    means = [
        sum(run[f"empty_beats_{what}"] for run in runs) / 3 for what in ("reference", "beam_5")
    ]
    print(f"  {updates:5,} updates {means[0]:16.0%} {means[1]:18.0%}")

# %% [markdown] id="empty-beats-read"
# In half-trained models for a fifth of the sentences the beam's answer is a search error that does
# us good. In well-trained ones on this easy task it is gone. Stahlberg and Byrne found it in
# well-trained models of a *hard* task: what counts, it seems, is how unsure the model is.

# %% [markdown] id="alphas-text"
# ### How much penalty?
#
# **Predict.** If α = 1 is good, is α = 2 better?

# %% id="alphas-figure" tags=["hide-input"]
alphas = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.8))
for ax, (what, name) in zip(axes, names.items()):
    for n, (k, marker) in enumerate(zip((2, 5, 20), "os^")):
        rows = torch.stack([recorded(600, k, alpha, what=what) for alpha in alphas])
        look = {"color": figures.PALETTE[n], "marker": marker, "label": f"k = {k}"}
        ax.plot(alphas, rows.mean(1), **look)
        ax.fill_between(alphas, rows.amin(1), rows.amax(1), color=figures.PALETTE[n], alpha=0.15)
    ax.set(xlabel="exponent α of the length penalty", ylabel=name)
axes[1].axhline(1, color="#444444", linewidth=1)
axes[1].legend(loc="upper left")
fig.suptitle("Length penalty, 600 updates (recorded: mean and range of three seeds)")
plt.show()

# %% [markdown] id="alphas-alt"
# <details><summary>The figure in words</summary>
#
# Two panels against α from 0 to 2, with lines for k = 2, 5 and 20. On the left, up to α = 1 BLEU is
# level for k = 2, rises a little for k = 5 and by about ten for k = 20; beyond 1 it falls for all,
# steeply up to α = 2. On the right, up to α = 1 the translations are a little shorter than the
# reference, for k = 20 more so, and then climb to between one and a half times and a little more
# than twice its length at α = 2.
#
# </details>

# %% [markdown] id="alphas-read"
# No. Beyond 1 the translations grow far longer than the reference, in the end about twice as long
# for the widest beam: a hypothesis gains more from the larger divisor than its words cost. The best
# α depends on the model and on k; choose it on *validation* sentences, never on the test. [Wu et
# al.](D_papers.ipynb#cell-id=wu-2016) (2016, Table 2) show the same hill: 30.3 BLEU without
# penalty, 31.2 at α = 0.8, 31.1 at 1.
#
# And the coverage penalty? Here is their table with our models: k = 10, the rows are β, the
# columns α.

# %% id="coverage-grid"
for updates in (600, 2400):
    print(f"recorded, {updates:,} updates, mean BLEU.  α =", *(f"{a:5}" for a in alphas[:6]))
    for beta in (0.0, 0.2, 1.0):
        means = [recorded(updates, 10, alpha, beta).mean() for alpha in alphas[:6]]
        print(f"                     β = {beta}             ", *(f"{mean:5.0f}" for mean in means))

# %% [markdown] id="coverage-grid-read"
# In the half-trained model a little of both (β = 0.2, α = 0.4) is narrowly the best cell,
# and too much of both is a disaster. In the well-trained one the mild corner neither gains nor
# costs, and the rest does harm: a translation that was right is made longer until every
# word has been looked at for a whole step. (That is more than a particle or a period ever
# needs.) Wu et al. chose α = β = 0.2, and for their later, better model the gain shrank from 1.1
# to 0.2 BLEU. A penalty repairs a model's bias; where there is none, it makes one.

# %% [markdown] id="state-text"
# ## Every prefix goes on from its own state
#
# A batched beam keeps K states in one tensor. After a step place 0 may hold a continuation of what
# stood in place 2. The tokens know it; the states must follow: place $k$ is given the state of its
# **parent**.

# %% [markdown] id="ex-reorder-text"
# ### Exercise 8.7 · States follow their prefixes
# *Core, 10 minutes.* `state` is a dictionary of tensors (B, K, …) of any further dimensions;
# `parents` (B, K') holds, for every new place, the number of the old place it grew from. Return a
# new dictionary of tensors (B, K', …).
#
# <details><summary>Hint 1</summary>For one sentence b and one tensor it is `x[b, parents[b]]`.
# </details>
# <details><summary>Hint 2</summary>Two index tensors that broadcast do it for all sentences:
# `x[rows, parents]`.</details>
# <details><summary>Hint 3</summary>`rows = torch.arange(B).unsqueeze(1)` has shape (B, 1). Do it
# for every tensor of the dictionary.</details>


# %% id="ex-reorder" tags=["exercise"]
@exercise
def reorder(state, parents):
    """The state of each new place's parent. state: name → (B, K, …), parents (B, K')."""
    ### BEGIN SOLUTION
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in state.items()}
    ### END SOLUTION


# %% [markdown] id="reorder-use-text"
# A beam of 4 without endings, 8 steps, on 60 sentences: the heart of the algorithm in ten lines.
# Beside it the bug: the same steps with states that do not follow. One test finds it: a search
# *claims* a log-probability; let the model read the tokens once more, from the start, and compare.


# %% id="reorder-use"
@torch.no_grad()
def eight_steps(move, K=4):
    """Tokens (B, K, 8) and the log-probabilities (B, K) that the search claims for them."""
    memory, state, _, _ = encoded(pairs[:60])
    tokens = torch.full((60, 1), BOS)
    total, written = torch.zeros(60, 1), torch.zeros(60, 1, 0, dtype=torch.long)
    for _ in range(8):
        log_probs, state, _ = model.step(tokens, memory, state)
        flat = (total.unsqueeze(2) + log_probs).flatten(1)  # (B, K · V)
        total, pick = flat.topk(K)
        parents, tokens = pick // len(english), pick % len(english)
        state = move(state, parents)
        written = torch.cat([reorder({"": written}, parents)[""], tokens.unsqueeze(2)], 2)
    return written, total


def stay(state, parents):
    """The bug: place k goes on from whatever state stood in place k."""
    last = next(iter(state.values())).shape[1] - 1
    return reorder(state, torch.arange(4).clamp(max=last).expand(60, 4))


# %% id="reorder-check"
def reread(written):
    """Log-probability (B, K) of the tokens when the model reads them from the start."""
    sources = [korean.encode(p.src) for p in pairs[:60] for _ in range(4)]
    batch = make_batch(sources, written.flatten(0, 1).tolist())
    with torch.no_grad():
        log_probs = model(batch.src, batch.src_mask, batch.tgt_in)[0].log_softmax(-1)
    return log_probs[:, :8].gather(2, written.flatten(0, 1).unsqueeze(2)).sum((1, 2)).view(60, 4)


for name, move in (("reordered", reorder), ("not reordered", stay)):
    written, claimed = eight_steps(move)
    gap = (reread(written) - claimed).abs()
    print(f"{name:14} claims agree to 0.01 nats: {bool((gap < 0.01).all())!s:5}  "
          f"some are off by more than 1: {bool((gap > 1).any())}")  # fmt: skip


# %% [markdown] id="forget-text"
# No error, no warning, only wrong numbers. What does it do to translations? The same bug in the
# whole search: a step function that keeps its states to itself, in the order of the step before.


# %% id="forget"
def forgetful(step):
    kept = {}

    def wrong(tokens, memory, state):
        if tokens.shape[1] > 1:  # not the first step: the state handed over is ignored
            state = {name: x.expand(-1, tokens.shape[1], *x.shape[2:]) for name, x in kept.items()}
        log_probs, state, weights = step(tokens, memory, state)
        kept.update(state)
        return log_probs, state, weights

    return wrong


# %% id="forget-bleu"
memory_150, state_150, _, _ = encoded(pairs[:150])
gaps = {}
for k in (2, 10):
    scores = []
    for function in (model.step, forgetful(model.step)):
        options = {"max_length": 60, "beam_size": k, "stop": "never"}  # no sentence leaves early
        found_150 = search.beam_search(function, memory_150, state_150, **options)
        scores.append(measured([h for [h] in found_150], pairs[:150])[0])
    gaps[k] = scores[0] - scores[1]
print("k = 10 loses more than 3 BLEU:", gaps[10] > 3)
print("k = 2 loses less than 10:     ", gaps[2] < 10)

# %% [markdown] id="forget-read"
# We had expected a collapse, and there is none: with a narrow beam most of the BLEU is still
# there, because the prefixes of a beam are near-copies of each other and so are their states. With
# k = 10 the loss shows. A bug like this can live in a program for years. BLEU is a poor test of a
# search; reading its claims once more is a good one. (One model; which is why the cell prints
# bands.)
#
# It is one more reason to keep state out of modules: chapter 5's attention, too, kept nothing for
# itself. In this book a search never repeats or reorders the encoder's side: `memory` is the same
# for all prefixes of a sentence.

# %% [markdown] id="sampling-text"
# ## When one answer is not enough: sampling
#
# A search asks for the best. To write several translations, dialogues or stories one **samples**:
# $y_t$ is drawn from the model's distribution. Is the draw fair? On the table from the beginning:

# %% id="sample-fair"
draws = search.sample_search(
    step, memory, state, max_length=5, samples=4000, generator=generator
)  # fmt: skip
texts = [" ".join(words[i] for i in h.tokens) for h in draws[0]]
gap = max(abs(texts.count(text) / len(texts) - p) for p, text in sentences)
print(f"{len(set(texts))} different sentences, every share within 0.03 of its P: {gap < 0.03}")

# %% [markdown] id="sample-read"
# Fair, and that is the trouble: a fair sample of a model with thousands of words steps into the
# long tail of unlikely ones now and then, and cannot step back. Three remedies change the
# distribution before the draw:
#
# - **temperature** $T$: $p^{1/T}$, normalized; $T < 1$ sharpens, $T \to 0$ is greedy search;
# - **top-k** ([Fan et al. 2018](D_papers.ipynb#cell-id=fan-2018)): only the k most probable tokens;
# - **nucleus** or **top-p** ([Holtzman et al. 2020](D_papers.ipynb#cell-id=holtzman-2020)): the
#   fewest tokens that together reach p.

# %% [markdown] id="ex-nucleus-text"
# ### Exercise 8.8 · The nucleus
# *Core, 12 minutes.* `probs` (N, V) are distributions. In each row keep the most probable tokens,
# in descending order, until they together reach `top_p`; the token that reaches it is the last one
# kept (of equal ones whichever you like). Set the rest to 0 and make each row a distribution again.
# Every token keeps its place.
#
# <details><summary>Hint 1</summary>`probs.sort(-1, descending=True)` gives the sorted values and
# their places.</details>
# <details><summary>Hint 2</summary>A token is kept if the tokens *before* it have not yet reached
# top_p: `ranked.cumsum(-1) - ranked < top_p`.</details>
# <details><summary>Hint 3</summary>`torch.zeros_like(probs).scatter(-1, places, kept)` puts the
# kept values back to their places. Then divide by the sum of each row.</details>


# %% id="ex-nucleus" tags=["exercise"]
@exercise
def nucleus(probs, top_p):
    """The smallest set of tokens that reaches top_p, as distributions again. probs (N, V)."""
    ### BEGIN SOLUTION
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked.masked_fill(ranked.cumsum(-1) - ranked >= top_p, 0.0)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)
    ### END SOLUTION


# %% [markdown] id="filters-text"
# **Predict.** One distribution is flat, one has a clear favourite. How many tokens does top-k with
# k = 5 keep of each? And the nucleus with p = 0.8?

# %% id="filters"
rank = torch.arange(1.0, 16.0)
rows = torch.stack([rank**-0.4, rank**-2.5])
rows = rows / rows.sum(1, keepdim=True)
top_five = rows * (rank <= 5)
filtered = {
    "as it is": rows,
    "temperature 0.5": rows**2 / (rows**2).sum(1, keepdim=True),
    "top-k, k = 5": top_five / top_five.sum(1, keepdim=True),
    "nucleus, p = 0.8": nucleus(rows, 0.8),
}
for name, kept in filtered.items():
    left = [int((row > 0).sum()) for row in kept]
    print(f"{name:17} tokens left: flat {left[0]:2}, peaked {left[1]:2}")

# %% id="filters-figure" tags=["hide-input"]
fig, axes = plt.subplots(2, 4, figsize=(9, 4.2), sharex=True, sharey="row")
for column, (name, kept) in zip(axes.T, filtered.items()):
    for ax, row, colour in zip(column, kept, figures.PALETTE):
        ax.bar(rank, row, color=colour)
    column[0].set_title(name, fontsize=11)
    column[1].set_xlabel("rank of the token")
axes[0, 0].set_ylabel("flat:\nprobability")
axes[1, 0].set_ylabel("peaked:\nprobability")
fig.suptitle("Two distributions of 15 tokens, before the draw")
plt.show()

# %% [markdown] id="filters-alt"
# <details><summary>The figure in words</summary>
#
# Eight bar charts of 15 tokens, a flat distribution above and a peaked one below. Temperature makes
# both steeper and removes nothing. Top-k leaves five bars in each. The nucleus leaves eleven of the
# flat one and only two of the peaked one.
#
# </details>

# %% [markdown] id="filters-read"
# Top-k keeps the same number whether the model is sure or not; the nucleus adapts. Now the
# translator: five samples of each of 60 sentences. Quality is the BLEU of the samples, diversity
# the share of different texts among a sentence's five.

# %% id="diversity"
some = pairs[:60]
memory_60, state_60, _, limits_60 = encoded(some)


def sampled(**options):
    """(diversity, BLEU) of five samples a sentence."""
    draw = torch.Generator().manual_seed(1)
    options |= {"max_length": limits_60, "samples": 5, "generator": draw}
    found = search.sample_search(model.step, memory_60, state_60, **options)
    distinct = sum(len({tuple(h.tokens) for h in five}) for five in found) / (5 * len(found))
    everything, references = [h for five in found for h in five], [p for p in some for _ in "12345"]
    return distinct, measured(everything, references)[0]


families = {
    "temperature": ("temperature", (0.2, 0.5, 0.8, 1.0, 1.3)),
    "top-k": ("top_k", (2, 5, 20)),
    "nucleus": ("top_p", (0.5, 0.8, 0.95)),
}
points = {
    name: [sampled(**{option: value}) for value in values]
    for name, (option, values) in families.items()
}

# %% id="diversity-check"
cold, hot = points["temperature"][0], points["temperature"][-1]
print("hotter is more diverse:                 ", hot[0] > cold[0] + 0.1)
print("hotter is worse:                        ", hot[1] < cold[1] - 5)
print("every family trades one for the other:  ",
      all(p[0][0] < p[-1][0] and p[0][1] > p[-1][1] for p in points.values()))  # fmt: skip

# %% id="diversity-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4.2))
for n, (name, (_, values)) in enumerate(families.items()):
    xs, ys = zip(*points[name])
    ax.plot(xs, ys, marker="os^"[n], color=figures.PALETTE[n], label=name, linewidth=1)
    for x, y, value in zip(xs, ys, values):
        look = {"xytext": ((6, 5), (2, 9), (-28, -13))[n], "color": figures.PALETTE[n]}
        ax.annotate(f"{value:g}", (x, y), textcoords="offset points", fontsize=10, **look)
ax.set(
    title="Five samples of each of 60 sentences (one model)",
    ylabel="BLEU of the samples (0 to 100)",
)
ax.set(xlabel="share of different texts among the five (0.2 to 1)")
ax.legend(loc="lower left")
plt.show()

# %% [markdown] id="diversity-alt"
# <details><summary>The figure in words</summary>
#
# BLEU against diversity for temperature, top-k and nucleus. All three families lie near one falling
# curve: from the upper left (temperature 0.2, fewest different texts, best BLEU) to the lower right
# (temperature 1.3, nearly all texts different, worst BLEU).
#
# </details>

# %% [markdown] id="diversity-read"
# Nobody gets diversity for nothing: what differs is mostly where on one and the same curve a
# setting lies. For translation, where a few answers are right, quality wins, and one searches.
# [Holtzman et al. (2020)](D_papers.ipynb#cell-id=holtzman-2020) wrote *stories*, where the most
# probable text is dull and repeats itself; there, text sampled from the nucleus came closest to
# what people write. (One model, one seed: an illustration.)

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - The most probable next word does not make the most probable sentence; log-probabilities add up
#   and do not underflow.
# - A beam keeps k prefixes; endings are set aside. Search errors fall fast with k, not always
#   monotonically; only pruning that cannot lose (a bound) is exact.
# - Better search is not better translation: the mode can be short, even empty.
# - Dividing by lp(n) *helps* long hypotheses; α and β are chosen on validation data, and a model
#   without a bias needs neither.
# - Stop when the best finished score is at least the best that anything alive can reach, at any
#   length. "First finished", "k finished" and "present length" lose.
# - States follow their parents; a search's claim can be checked by reading its answer once more.
# - Sampling trades quality for diversity; the nucleus adapts to how sure the model is.
#
# **Left out.** Diverse and stochastic beams; minimum Bayes risk decoding, which chooses by
# agreement among samples instead of by probability; lexical constraints; speed (a batched beam is
# one tensor program in `attnlib.search`; ours in exercise 8.6 is a loop). The curves are measured
# on an easy corpus with a model stopped early, because the one trained to the end makes no search
# errors worth counting; on real text even good models are in doubt (chapter 10 has a beam on
# Multi30k).
#
# **Papers.** [Wu et al. 2016](D_papers.ipynb#cell-id=wu-2016) (§7, Eq. 14, Table 2); [Huang, Zhao
# and Ma 2017](D_papers.ipynb#cell-id=huang-2017) (when to finish); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017) (beam width); [Stahlberg and Byrne
# 2019](D_papers.ipynb#cell-id=stahlberg-2019) (exact search, empty modes); [Fan et al.
# 2018](D_papers.ipynb#cell-id=fan-2018) (top-k); [Holtzman et al.
# 2020](D_papers.ipynb#cell-id=holtzman-2020) (nucleus); [Graves
# 2012](D_papers.ipynb#cell-id=graves-2012) and [Sutskever et al.
# 2014](D_papers.ipynb#cell-id=sutskever-2014) (beam search in neural sequence models); [Wilson
# 1927](D_papers.ipynb#cell-id=wilson-1927) (the intervals).
#
# **Next.** Chapter 9 opens the number that this chapter took on trust: BLEU.
