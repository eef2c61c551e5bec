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
# beam search by hand and write one. Say why the most probable sentence can be a bad one, even an
# empty one, and what to do about it. Prove when a beam may stop. Measure search errors against the
# exact answer. Draw samples, and choose among them the one that the others agree with.
#
# **What you need.** A decoder that predicts the next word (chapters 3 and 5). BLEU is used as a
# number from 0 to 100; chapter 9 explains it.
#
# **First sitting: searching, and what is found.** 45 minutes to read, 33 for exercises 8.1 to 8.4.
# Its aim: you can run a beam by hand, you know how often it misses the best sentence, and why
# finding it does not always help. All of it must be read, except *Sums instead of products* and
# *Did it translate everything?* with exercise 8.4, which may be skipped.
#
# **Second sitting: beams and samples that work.** 55 minutes to read, 72 for exercises 8.5 to 8.8.
# Its aim: you have written a beam search, and know what its width and its penalty do to a
# translator. Must be read: *Beam search, whole*, *A real translator*, *When one answer is not
# enough* and *The answer that the others agree with*. May be skipped: *When may a beam stop?* with
# 8.5, *How much penalty?*, *Every prefix goes on from its own state* with 8.7. (Run the skipped
# cells all the same: later ones use what they make.)
#
# **To run:** at most a minute with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import itertools
import json
import math
from collections import Counter

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

from attnbook import about, exercise, predict, progress, recall, reveal, said, views
from attnbook.figures import beam_diagram, beam_tree
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
from attnlib.metrics import corpus_bleu, sentence_chrf
from attnlib.model import make_seq2seq
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(8)


def read_record(name):
    """A recorded run: a file with the command, the seeds and the versions that made it."""
    path = bundled_directory().parent / "runs" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


# %% id="first"
german = Translator.load(bundled_directory().parent / "de-en", "cpu")


def ready(text):
    """What a search of a German sentence starts from, and the most tokens it may write."""
    numbers = german.src_vocabulary.encode(text)
    src, mask = pad([[*numbers, EOS]])
    with torch.no_grad():
        encoded_text = german.model.encode(src, mask)
    return (encoded_text, german.model.decoder.start(encoded_text)), 2 * len(numbers) + 12


fire = "Ein Feuerwehrmann erklärt einer Schulklasse, wie man einen Brand löscht."
begin, limit = ready(fire)
for k, alpha in ((1, 0), (5, 0), (50, 0), (150, 0), (50, 1)):
    options = {"beam_size": k, "alpha": alpha, "penalty": "power", "max_length": limit}
    [[h]] = search.beam_search(german.model.step, *begin, **options)
    print(f"k = {k:3}, α = {alpha}   log P = {h.log_prob:5.1f}   "
          f"{german.tgt_vocabulary.decode(h.tokens)!r}")

# %% [markdown] id="first-read"
# The German says: *A firefighter explains to a school class how to put out a fire.* Nobody writes
# that under a photograph, and this translator, the one of chapter 00, has learned from nothing but
# captions. It is unsure, and not good. But look at what happens to *one and the same* translator
# from line to line. All that changes is how hard it searches for its best sentence.
#
# With $k = 1$ it takes the most probable word at every step. With $k = 5$ it keeps five beginnings
# in mind, and finds a more probable sentence (log P has grown). With $k = 50$ it searches ten times
# as hard, and finds something more probable still: **nothing**. The pair of quotation marks is
# empty. Nor is that the end: three times as hard again, and it writes two words, *A fireman.*, and
# leaves out all the rest. The last line searches with $k = 50$, but divides log P by the number of
# tokens, and there is a whole sentence again. (A firefighter should not tell children how to start
# a fire. That, however, is the model's mistake and not the search's: to the same sentence with *put
# out* it gives far less probability, as a later cell shows.)
#
# So there are two questions, and this chapter takes them in turn: how is the most probable sentence
# found? And is it the one that we want?

# %% id="first-sure"
park = "Zwei Frauen trinken im Park Kaffee."
begin_park, limit_park = ready(park)
for k in (1, 5, 50):
    [[h]] = search.beam_search(
        german.model.step, *begin_park, beam_size=k, max_length=limit_park
    )
    print(f"k = {k:2}   log P = {h.log_prob:5.1f}   {german.tgt_vocabulary.decode(h.tokens)!r}")

# %% [markdown] id="first-sure-read"
# The first sentence of this book is a caption, and all of this leaves it alone: here the translator
# is sure, and whoever is sure need not search. Search matters where a model is in doubt.

# %% [markdown] id="recall-text"
# Before we begin, five short questions on earlier chapters. Answer them, or read on.

# %% id="recall"
recall("08")

# %% [markdown] id="problem-text"
# ## A model of next words is not yet a translation
#
# A translator gives probabilities of *one* next word. The probability of a whole sentence is their
# product, the end-of-sentence token `<eos>` included:
#
# $$P(Y \mid x) = \prod_t p(y_t \mid y_{<t}, x)$$
#
# ($x$ is the sentence to translate, $y_t$ word $t$ of the translation, $y_{<t}$ the words before
# it.) **Decoding** is the search for a good $Y$. Take a sentence that one can think through: 집에
# 갔다 (*to-home went*). Korean may leave the subject out, English may not, so the model has to
# guess. Here is all that a made-up model knows: after each **prefix**, the words written so far,
# what may come next. A prefix without a row ends for certain.

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
# The simplest rule is **greedy search**: at every step take the most probable word. It is
# short-sighted. One wrong word, and the rest has to live with it.

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
# cannot know that, and cannot take *He* back. The way out is not to insist on the largest number at
# once, so that a later word can still turn things round. (The fifth in the list, `''`, is the empty
# sentence: `<eos>` at once. You have met it above.)
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
# <details><summary>Hint 1</summary>
#
# Greedy search takes a, whatever follows. Its sentence has probability p times the largest number
# of the first list.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Make the model certain after b, and as unsure as possible after a.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# With n equal shares after a, greedy's sentence has probability p / n. Which n makes that less than
# what b can reach?
#
# </details>


# %% id="ex-greedy-trap" tags=["exercise"]
@exercise
def greedy_trap(p):
    """(probabilities after a, probabilities after b), two lists; greedy search takes a."""
    raise NotImplementedError


# %% id="greedy-trap-use"
for p in (0.6, 0.9, 0.99):
    after_a, after_b = greedy_trap(p)
    greedy, best = p * max(after_a), (1 - p) * max(after_b)
    print(f"p(a) = {p}: greedy finds a sentence of {greedy:.4f}, the best has {best:.4f}")
    assert greedy < best

# %% [markdown] id="greedy-trap-read"
# However sure the first step is, it can be the wrong one.

# %% [markdown] id="logs-text"
# ## Sums instead of products
#
# Two sentences of 400 tokens: in one every token has probability 0.1, in the other 0.2. What are
# the two products, in the computer?

# %% id="underflow"
for p in (0.1, 0.2):
    product, summed = 1.0, 0.0
    for _ in range(400):
        product, summed = product * p, summed + math.log(p)
    print(f"p = {p}: product {product:.0e}  sum of logarithms {summed:.1f}")
zero_at = next(n for n in range(1, 400) if torch.tensor(0.1).pow(n) == 0)
print(f"in 32 bits 0.1 × 0.1 × … is 0 after {zero_at} steps")

# %% [markdown] id="underflow-read"
# One product is the tiniest trace of a number, the other exactly 0: **underflow**, and two
# different sentences that are both 0 cannot be ranked. (Networks compute in 32 bits, where fewer
# than 50 such tokens are enough.) The logarithm turns the product into a sum, $\log P(Y \mid x) =
# \sum_t \log p(y_t \mid \dots)$, and keeps the order, because it is increasing.
#
# **Log-probabilities** are negative, and the best is the *largest*: the one nearest to 0, not the
# one with the largest absolute value.

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
# states), `weights` is attention or None. (`german.model.step` at the top was one.) Our table
# becomes one if the state is the prefix itself.

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
# *Core, 12 minutes.* `step(tokens, memory, state)` returns the log-probabilities, the new state and
# the weights. One sentence: `tokens` has shape (1, 1), the log-probabilities (1, 1, V).
# Begin with the start token `BOS` (2); choose the most probable token that is neither `PAD` (0) nor
# `BOS`; stop at `EOS` (3) or after `max_length` tokens, eos counted. Return the list of tokens
# without the eos, and the log-probability of all that was chosen, eos included. What `step` returns
# belongs to the model: change a copy.
#
# <details><summary>Hint 1</summary>
#
# Each round feeds the token chosen last, as `torch.tensor([[last]])`, and the state that the round
# before returned.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `log_probs[0, 0]` is one row of V numbers. Clone it before you write −∞ into places 0 and 2.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The place of the largest number of the row is the token, the number itself is what it adds to the
# sum. Add first, then look whether it was the eos.
#
# </details>


# %% id="ex-greedy-tokens" tags=["exercise"]
@exercise
def greedy_tokens(step, memory, state, max_length):
    """The tokens of greedy search, without eos, and their log-probability, eos included."""
    raise NotImplementedError


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
# To *list* them is out of the question. But one can be exact without listing. Log-probabilities
# only *fall* as a sentence grows. So a prefix that is already less probable than some finished
# sentence can be left alone with everything that would follow ([Stahlberg and Byrne
# 2019](D_papers.ipynb#cell-id=stahlberg-2019)). Depth first, the most probable word first:


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
log_p, best_words = depth_first()
print(f"best: {' '.join(best_words)}, P = {math.exp(log_p):.3f}")
print(f"{len(visited)} prefixes looked at, of 11")
[[exact]] = search.exhaustive_search(step, memory, state, max_length=5)
assert tuple(words[i] for i in exact.tokens) == best_words and abs(exact.log_prob - log_p) < 1e-6

# %% [markdown] id="exhaustive-read"
# (The last line asserts that the library's `exhaustive_search` finds the same.) This is our
# **oracle**: too slow for long sentences of a large model, but where it ends, it is right, and
# every faster search can be measured against it.

# %% [markdown] id="beam-text"
# ## Beam search: k instead of one or all
#
# The compromise is **beam search**: keep neither one prefix nor all of them, but k, the k best
# **hypotheses**, at every step. k is the **beam width** (often 4 to 10). One step of a beam:
#
# 1. extend every prefix by every word, and add the log-probability;
# 2. sort all continuations together, the largest first;
# 3. walk down the list: an ending is set aside, anything else lives on, until k live on.
#
# It looks at $k \cdot V$ continuations a step, and at $k \cdot V \cdot T$ in all, where trying
# everything takes about $V^T$.


# %% id="beam-step"
def extend(prefixes, k):
    """All continuations, best first; the k that live on; the endings met on the way."""
    found = [
        (log_p + math.log(p), (*prefix, word))
        for log_p, prefix in prefixes
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
# Do it once by hand with k = 2; take a pencil, or at least a calculator: $\log 0.5 = -0.693$,
# $\log 0.4 = -0.916$. Which two prefixes live after the second step?

# %% id="hand"
alive, finished = [(0.0, ())], []
for t in (1, 2, 3, 4):
    everything, alive, ended = extend(alive, k=2)
    finished += ended
    print(f"step {t}")
    for log_p, prefix in everything:
        pair = (log_p, prefix)
        fate = "lives on" if pair in alive else "set aside" if pair in ended else ""
        print(f"  {' '.join(prefix):18} {log_p:7.3f}  P = {math.exp(log_p):.3f}  {fate}".rstrip())

# %% [markdown] id="hand-read"
# The first step keeps *He* **and** *I*. At the second, *I went* overtakes *He went*. (*He* `<eos>`
# stands below the two that live on, so the walk never comes to it.) At the third, two sentences
# end. They are no longer extended but stored separately, while two others live on. At the fourth
# these end too, and nothing is left alive. The best of what was set aside is the answer.

# %% id="hand-agree"
log_p, prefix = max(finished)
records = []
[[answer]] = search.beam_search(
    step, memory, state, max_length=4, beam_size=2, trace=records.append, stop="never"
)
assert [words[i] for i in answer.tokens] == list(prefix[:-1])
assert abs(answer.log_prob - log_p) < 1e-6
print(f"best of {len(finished)} finished: {' '.join(prefix)}, P = {math.exp(log_p):.3f}")

# %% [markdown] id="tree-text"
# Here is the same search drawn, from what the library's own `beam_search` tells about each of its
# hypotheses. A row is a step. Read it from below: every hypothesis knows its **parent**, the one
# that it extends, and the numbers at the left say in which slot of the row above that stood.

# %% id="tree"
drawn_tree = [
    {**r, "token": words[r["token"]], "log_prob": round(r["log_prob"], 3)} for r in records
]
beam_diagram(drawn_tree)

# %% [markdown] id="tree-read"
# Look at the row of the two *went*. The parents have changed places: the first comes from slot 1,
# *I*. A beam is no set of parallel lines. Branches die, others fork, and after a few steps all that
# live may descend from one. Below, the same as a live view, which also shows the hypotheses that
# were cut off: the sliders grow the tree and read it out.

# %% id="tree-live"
views.beam_view(drawn_tree, title="The same beam search, step by step")

# %% [markdown] id="first-end-text"
# **When to stop?** Two rules are common: stop at a maximal number of steps, *or* as soon as a fixed
# number n of hypotheses has finished. Our search had two finished sentences after step 3. What
# would the second rule, with n = 2, have answered? (In the library `never` is the first rule and
# `k_finished` the second, with n = k; `first_finished` is n = 1.)

# %% id="first-end"
for rule in ("never", "k_finished", "first_finished"):
    [[answer]] = search.beam_search(step, memory, state, max_length=4, beam_size=2, stop=rule)
    text = " ".join(words[i] for i in answer.tokens)
    print(f"stop = {rule:15} {text:12} P = {math.exp(answer.log_prob):.3f}")

# %% [markdown] id="first-end-read"
# *I went*, the worse one. A number of finished hypotheses says nothing about those that still live.
# A maximal number of steps is needed as a last resort, but it cuts off whatever is longer. A rule
# that cannot lose exists; the second sitting derives it.

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
# all: add up level by level, and take the largest ending. (The second cell asserts that depth-first
# search agrees, on 200 of the models.)

# %% id="oracle"
sums, endings, first = torch.zeros(MODELS, 1), [], 0
for t in range(LEVELS):
    rows = chances[:, first : first + 4**t]
    endings.append(sums + rows[..., 0])
    sums, first = (sums.unsqueeze(2) + rows[..., 1:]).flatten(1), first + 4**t
best, mode = torch.cat(endings, 1).max(1)  # the best log-probability, and the number of its prefix

# %% id="oracle-agree"
nodes = []
some = [part[:200] for part in start[1:]]
exact = search.exhaustive_search(random_step, *some, max_length=LEVELS, trace=nodes.append)
torch.testing.assert_close(torch.tensor([h.log_prob for [h] in exact]), best[:200])
print(f"prefixes expanded for each: {len(nodes) / 200:.0f} of {prefixes:,}")

# %% [markdown] id="errors-predict"
# In how many of the thousand does greedy search miss the best sentence?

# %% id="predict-errors"
predict("08.errors", ...)

# %% id="errors"
found = {}
for k in range(1, 9):
    hypotheses = search.beam_search(*start, max_length=LEVELS, beam_size=k)
    found[k] = torch.tensor([h.log_prob for [h] in hypotheses])
errors = {k: int((scores < best - 1e-5).sum()) for k, scores in found.items()}
for k, count in errors.items():
    print(f"k = {k}: {count:4} of {MODELS:,} models")
reveal("08.errors", errors[1], within=100)


# %% id="errors-figure" tags=["hide-input"]
def wilson(hits, n, z=1.96):
    """95 % confidence interval of a share (Wilson 1927)."""
    center, half = hits + z * z / 2, z * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return (center - half) / (n + z * z), (center + half) / (n + z * z)


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
# Half of the time greedy search is wrong, and a little width helps a lot, without any guarantee.
# (k = 1 is greedy search.) The trees of these toys are small. In real vocabularies the share falls
# far more slowly: [Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019), of whom more
# below, still counted search errors in 53.6 % of the sentences with a beam of 100.

# %% [markdown] id="monotone-text"
# ### Is a wider beam at least never worse?
#
# It sounds certain: whoever looks at more finds at least as much. Can a beam of $k + 1$ find a
# *less* probable sentence than a beam of $k$, yes or no?

# %% id="predict-monotone"
predict("08.monotone", ...)

# %% id="monotone"
for k in range(1, 5):
    worse = int((found[k + 1] < found[k] - 1e-5).sum())
    print(f"k = {k + 1} worse than k = {k}: {worse} of {MODELS:,}")
reveal("08.monotone", "yes" if bool((found[2] < found[1] - 1e-5).any()) else "no")

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
    print(f"k = {k}: {' '.join(letters[i] for i in h.tokens):5} P = {math.exp(h.log_prob):.3f}")

# %% [markdown] id="crowded-read"
# Alone, *a* goes on to *a x* and ends with 0.180. With k = 2 there is *b* beside it, whose two
# children (0.44 × 0.51 and 0.44 × 0.49, about 0.22 each) crowd *a x* (0.18) out of the beam, and
# both of them have a poor future. What a beam keeps is not a superset of what a narrower beam
# keeps, except when it is so wide that nothing is pruned.

# %% [markdown] id="mode-text"
# ## The best sentence may be no sentence
#
# So far more search was better. Now look at *what* an exact search finds. In how many of the
# thousand models is the *empty* sentence the most probable one?

# %% id="predict-empty"
predict("08.empty", ...)

# %% id="mode"
empty = int((mode == 0).sum())
low, high = wilson(empty, MODELS)
print(f"{empty} of {MODELS:,} models, 95 % interval {low:.0%} to {high:.0%}")
reveal("08.empty", empty, within=100)

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
# most probable one is called the **mode** of the distribution, and it need not be typical of it.
#
# This is no toy. [Stahlberg and Byrne (2019)](D_papers.ipynb#cell-id=stahlberg-2019) searched a
# strong English–German system exactly: for 51.8 % of the test sentences its most probable
# translation was empty, and exact search had 2.1 BLEU, where a beam of 10, with search errors in
# 57.7 % of the sentences, had 30.3.
#
# **You will often read that** beam search is a makeshift, because the best sentence cannot be
# found. For such models it is the other way round: the search errors of small beams *protect* them
# from their own best sentence. [Meister, Cotterell and Vieira
# (2020)](D_papers.ipynb#cell-id=meister-2020) ask "If beam search is the answer, what was the
# question?" Their answer: narrow beams prefer sentences in which surprise is spread evenly over
# the words, and so, it seems, do people.

# %% [markdown] id="why-text"
# ### Why short wins
#
# Back to the firefighter. Every word adds a negative number to log P. So let us watch the sum as it
# falls, for the sentence of the narrow beam and for the one that was rescued, beside the price of
# saying nothing.


# %% id="why"
def running_sum(numbers, begin):
    """log P of a sentence, token by token, the end included."""
    memory, state = begin
    sums, last = [0.0], BOS
    for number in [*numbers, EOS]:
        log_probs, state, _ = german.model.step(torch.tensor([[last]]), memory, state)
        sums.append(sums[-1] + float(log_probs[0, 0, number].detach()))
        last = number
    return sums


falling = {}
for k, alpha in ((5, 0), (50, 0), (50, 1)):
    options = {"beam_size": k, "alpha": alpha, "penalty": "power", "max_length": limit}
    [[h]] = search.beam_search(german.model.step, *begin, **options)
    falling[german.tgt_vocabulary.decode(h.tokens)] = running_sum(h.tokens, begin)
for text, sums_of_it in falling.items():
    tokens = len(sums_of_it) - 1
    below = next((n for n, s in enumerate(sums_of_it) if s < falling[""][-1]), None)
    print(f"{sums_of_it[-1]:6.1f} = {tokens:2} tokens × {sums_of_it[-1] / tokens:.2f}   {text!r}"
          + (f", less probable than silence from token {below} on" if below else ""))

print("two sentences of our own:")
for text in ("A firefighter is excited at a school class how to put out a fire.",
             "A firefighter explains to a school class how to put out a fire."):
    print(f"{running_sum(german.tgt_vocabulary.encode(text), begin)[-1]:6.1f}   {text!r}")

kept = []
[[h]] = search.beam_search(
    german.model.step, *begin, beam_size=200, max_length=limit, trace=kept.append
)
lived = [r for r in kept if r["status"] == "live" and r["step"] > 0]
bound = max(min(r["log_prob"] for r in lived if r["step"] == t)
            for t in {r["step"] for r in lived})
assert bound < h.log_prob
print(f"a beam of 200: {h.log_prob:.1f}   {german.tgt_vocabulary.decode(h.tokens)!r}; "
      f"all that it cut off lies below {bound:.1f}")

# %% id="why-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8, 3.8))
for n, (text, sums_of_it) in enumerate(text_sums for text_sums in falling.items() if text_sums[0]):
    look = {"marker": "os"[n], "color": figures.PALETTE[n], "markersize": 4}
    ax.plot(range(len(sums_of_it)), sums_of_it, label=text, **look)
silence = falling[""][-1]
ax.axhline(silence, color="#444444", linestyle="--")
ax.text(0, silence - 0.2, "nothing at all", va="top")
ax.set(title="Every token costs", xlabel="tokens so far", ylabel="log P so far (nats)")
ax.set_xticks(range(0, 20, 3))
fig.legend(frameon=False, loc="outside lower center")
plt.show()

# %% [markdown] id="why-alt"
# <details><summary>The figure in words</summary>
#
# Two falling staircases of log P against the number of tokens, for the sentence of the beam of five
# and for the rescued one, and a dashed level line near −8 for the empty translation. Both
# staircases cross the line long before their ends, and are between −10 and −12 there.
#
# </details>

# %% [markdown] id="why-read"
# Both sentences are cheap *per token*, and the empty one is very dear: it pays for its single
# decision, to end at once, as much as the others for a dozen. But it pays only once. If every token
# costs at least some fixed amount, a sentence that is long enough costs more than silence, whose
# price is fixed. The two words of the wide beam are the same bargain, and there is no better one:
# whatever a beam of 200 has cut off was already less probable than its answer, and can only fall.
# That proves it: this model's most probable translation is *A fireman.* The one that we want has
# −50.6. No search has overlooked it; this model prefers a great many others.
#
# No caption of the training was empty, so a perfect model would give silence no probability at all.
# Ours gives a first `<eos>` a little more than it deserves, and a wide beam finds that little.
# [Murray and Chiang (2018)](D_papers.ipynb#cell-id=murray-2018) call the root of it **label bias**:
# a model that normalizes at every step must spend all its probability on the next word and cannot
# say "what follows will be bad", so an early end is never made to pay for what it leaves out. That
# translators lose by wider beams is known as the **beam search curse** ([Yang, Huang and Ma
# 2018](D_papers.ipynb#cell-id=yang-2018)).

# %% [markdown] id="typical-text"
# ### The mode is not what a model writes
#
# A search asks a model for its best sentence. One can ask another question: what does it *write*,
# if each word is drawn with its probability? (More on this in the second sitting.) Draw 400
# translations of *Zwei Frauen trinken im Park Kaffee*, where the translator is sure and even a beam
# of 50 finds the right one. How many of the 400 will be exactly that sentence?

# %% id="predict-typical"
predict("08.typical", ...)

# %% id="typical"
typical = {}
for name, place, most in (("coffee", begin_park, limit_park), ("fire", begin, limit)):
    draw = torch.Generator().manual_seed(8)
    [drawn] = search.sample_search(
        german.model.step, *place, max_length=most, samples=400, generator=draw
    )
    [[top]] = search.beam_search(german.model.step, *place, max_length=most, beam_size=50)
    hits = sum(one.tokens == top.tokens for one in drawn)
    middle = torch.tensor([one.log_prob for one in drawn]).median()
    typical[name] = drawn, top
    other = len({tuple(one.tokens) for one in drawn})
    band = (30, 60) if name == "coffee" else (0, 2)
    print(f"{name:6} beam of 50: log P = {top.log_prob:4.1f}, "
          f"drawn {about(hits, *band, '.0f')} times; "
          f"{about(other, 270, 400, '.0f')} different; "
          f"median log P = {about(middle, -65, -12, '.0f')}")
    if name == "coffee":
        reveal("08.typical", hits, within=20)

# %% id="typical-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
for ax, (name, (drawn, top)) in zip(axes, typical.items()):
    ax.hist([one.log_prob for one in drawn], bins=range(-130, 1, 5), color=figures.PALETTE[0])
    ax.axvline(top.log_prob, color=figures.PALETTE[1], linestyle="--", linewidth=2)
    ax.set(xlabel="log P of a drawn sentence (nats)", title=f"The sentence about {name}")
axes[0].set_ylabel("draws, of 400")
fig.suptitle("What the model writes, and (dashed) the answer of a beam of 50")
plt.show()

# %% [markdown] id="typical-alt"
# <details><summary>The figure in words</summary>
#
# Two histograms of log P of 400 drawn translations. For the coffee most lie between −70 and 0, the
# tallest bar beside 0, where a dashed line marks the answer of a beam of 50. For the fire they
# spread from −130 to −10 around a peak near −55, and the dashed line stands far to their right,
# at −8.
#
# </details>

# %% [markdown] id="typical-read"
# Even here, about one draw in ten. The other nine are scattered over hundreds of sentences, most of
# them hopelessly improbable alone, and all together nearly everything that the model believes.
# (Information theory calls the sentences that are about as improbable as the average draw the
# **typical set**.) For the fire the beam's answer, silence, was hardly ever drawn: it says nothing
# about what this translator would do. One warning at once: this translator was trained with label
# smoothing (chapter 7), to leave a tenth of the probability of every step to all other tokens
# together. That alone makes fair draws worse, so these two pictures say less about translators in
# general than about this one; the second sitting comes back to it. [Eikema and Aziz
# (2020)](D_papers.ipynb#cell-id=eikema-2020) measured the same in translators of their own, and
# turned the argument round: the models are not as bad as their modes. What is inadequate is to ask
# a distribution for nothing but its highest point. We shall take up their proposal at the end of
# the chapter.

# %% [markdown] id="length-text"
# ## Paying for length
#
# The oldest remedy mends the score. A sum of negative numbers gets smaller with every term, so take
# the mean per token, $\frac1n \sum \log p$: that rescued the firefighter. [Wu et
# al.](D_papers.ipynb#cell-id=wu-2016) (2016, Eq. 14) divide by something milder:
#
# $$s(Y) = \frac{\log P(Y \mid x)}{lp(|Y|)} + cp,
# \qquad lp(n) = \Big(\frac{5 + n}{6}\Big)^{\alpha}$$
#
# α is a number to choose: α = 0 changes nothing; $lp(n) = n^\alpha$ with α = 1 is the mean per
# token. $n$ is the length and counts the eos. (The second term, $cp$, comes below; until then it is
# 0.)
#
# **You will often read that** a **length penalty** punishes long sentences. The name says so, and
# it is wrong: log-probabilities are *negative*, and dividing by more brings them nearer to 0. α > 0
# **helps** long sentences.

# %% [markdown] id="ex-length-penalty-text"
# ### Exercise 8.3 · The length penalty
# *Warm-up, 5 minutes.* Return $lp(n)$: `kind` is `"gnmt"` for the formula above or `"power"` for
# $n^\alpha$. `n` is a number or a tensor of numbers.
#
# <details><summary>Hint 1</summary>
#
# `**` raises to a power, for tensors as well.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# For n = 1 both kinds are 1, whatever α.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Both kinds are a base to the power alpha; only the base differs.
#
# </details>


# %% id="ex-length-penalty" tags=["exercise"]
@exercise
def length_penalty(n, alpha, kind="gnmt"):
    """lp(n) = ((5 + n) / 6)^alpha ("gnmt") or n^alpha ("power"); n counts the eos."""
    raise NotImplementedError


# %% [markdown] id="length-use-text"
# Two hypotheses, one of 3 tokens with log-probability −2.0 and one of 9 tokens with −2.6. The long
# one has more to divide by.

# %% id="length-use"
for alpha in (0.0, 0.2, 0.4, 0.6, 1.0):
    short, long = -2.0 / length_penalty(3.0, alpha), -2.6 / length_penalty(9.0, alpha)
    winner = "short" if short > long else "long"
    print(f"α = {alpha}: short {short:.3f}, long {long:.3f}: the {winner} one wins")
turn = math.log(2.6 / 2.0) / math.log((5 + 9) / (5 + 3))
tied = -2.0 / length_penalty(3.0, turn), -2.6 / length_penalty(9.0, turn)
print(f"α = {turn:.3f}: short {tied[0]:.3f}, long {tied[1]:.3f}: a draw")

# %% [markdown] id="length-use-read"
# Where do they change places? Set the two scores equal: the sixes cancel, and what is left is
#
# $$\Big(\frac{5 + 9}{5 + 3}\Big)^{\alpha} = \frac{2.6}{2.0}.$$
#
# So an α is a rate of exchange. It says how many times as improbable (in nats) a hypothesis may be
# for being so many times as long (five tokens added to both). With α = 0.469 the long one may cost
# 1.3 times as much, and with α = 1 up to 14/8 = 1.75 times.

# %% [markdown] id="rerank-text"
# ### Rank them yourself
#
# Here are the hypotheses that beams of 1, 5 and 50 found for the firefighter (recorded by
# `benchmarks/search_hypotheses.py`, with their attention). The sliders change k and the score by
# which they are ranked. Begin at α = 0, where silence wins (these beams end at 50), and move it
# slowly to 2. β belongs to the next section.

# %% id="rerank"
firefighter = read_record("08_hypotheses")["runs"][0]
recorded_beams = {
    int(k): [{**row, "weights": [row["coverage"]]} for row in rows]
    for k, rows in firefighter["beams"].items()
}
views.rerank_view(
    recorded_beams, reference=firefighter["reference"], title="A firefighter, ranked anew"
)

# %% [markdown] id="rerank-read"
# At α = 0 the order is that of log P, and on the whole the sentences grow longer downward. A small
# α is enough to lift a whole sentence above the empty one. At α = 2 the longest have climbed:
# *scrapping* comes second, because it is cut into more pieces than *excited*. So the dial can be
# turned too far in both directions. The column of BLEU has favorites of its own. It cannot tell
# *start a fire* from *wash a fire*, and it likes silence least of all, which log P likes best.

# %% [markdown] id="coverage-text"
# ### Did it translate everything?
#
# The second term looks at the attention. Add the attention weights $\alpha_{tj}$ (chapter 5; with
# indices, they have nothing to do with the exponent α) that source word $j$ received over all
# steps: its **coverage**, $\sum_t \alpha_{tj}$. A word that was hardly looked at may have been left
# out. β says how much that is to cost:
#
# $$cp = \beta \sum_j \log \min\Big(\sum_t \alpha_{tj},\ 1\Big)$$

# %% [markdown] id="ex-coverage-penalty-text"
# ### Exercise 8.4 · The coverage penalty
# *Core, 8 minutes.* `coverage` (…, S) holds the sums, `mask` (…, S) is True at real words; return
# cp with shape (…). Padding must cost nothing, and a word that was never looked at must not give
# −∞: put 1e-9 in the place of anything smaller before the logarithm.
#
# <details><summary>Hint 1</summary>
#
# The minimum with 1 and the lower limit are one operation of torch.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# What must padding add to the sum, so that it costs nothing? Put that into its place after the
# logarithm.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Clamp, logarithm, mask, sum over the last dimension, times beta. No minus sign: the logarithms are
# negative already.
#
# </details>


# %% id="ex-coverage-penalty" tags=["exercise"]
@exercise
def coverage_penalty(coverage, beta, mask):
    """cp = β Σ_j log min(coverage_j, 1) over real positions. coverage, mask (…, S) → (…)."""
    raise NotImplementedError


# %% id="coverage-use"
looks = torch.tensor([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]])  # two steps, two words and padding
received, real = looks.sum(0), torch.tensor([True, True, False])
print("coverage:", [round(x, 2) for x in received.tolist()])
print(f"both words read: cp = {coverage_penalty(received, 1.0, real):.3f}")
print(f"only the first:  cp = {coverage_penalty(2 * looks[0], 1.0, real):.3f}")
empty_one = recorded_beams[50][0]
of_nothing = torch.tensor(empty_one["coverage"])
all_real = torch.ones_like(of_nothing, dtype=torch.bool)
print(f"the empty sentence about the fire: cp = {coverage_penalty(of_nothing, 1.0, all_real):.1f}")

# %% [markdown] id="coverage-read"
# Silence has looked at next to nothing, and with β = 1 that costs it far more than all its
# advantage. Try β in the view above. (This ends the first sitting.)

# %% [markdown] id="stop-text"
# ## When may a beam stop?
#
# Something has ended, something else still lives. When is it certain that nothing alive can win any
# more? ([Huang, Zhao and Ma 2017](D_papers.ipynb#cell-id=huang-2017): "When to finish?") Let
# $\ell$ be the log-probability of the best prefix alive, of $t$ tokens like all that live, and
# *best* the score of the best finished hypothesis (if several answers are wanted, of the last of
# them). Log-probabilities only fall, and that sounds like an answer: stop when *best* is at least
# the score of the prefix. But a score is divided by $lp(n)$, and nobody knows yet how long the
# prefix will become. Find the rule yourself.

# %% [markdown] id="ex-can-stop-text"
# ### Exercise 8.5 · May it stop?
# *Hard, 20 minutes.* `best` is the score of the best finished hypothesis (−∞ if there is none),
# `live` the log-probability of the best prefix alive, which has `t` tokens. Completions have t + 1
# to `max_length` tokens, eos counted; α may be negative. Return True if and only if no completion
# can score *higher* than `best`. The check enumerates all lengths.
#
# <details><summary>Hint 1</summary>
#
# The rest of a prefix can at best have probability 1. What is the score of a completion of n tokens
# then?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `search.length_penalty(float(n), alpha)` is lp(n). You may go through all n; there are few.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# It may stop if `best` is at least what *every* length that is left could reach. And where no
# length is left, nothing can be lost.
#
# </details>


# %% id="ex-can-stop" tags=["exercise"]
@exercise
def can_stop(best, live, t, max_length, alpha):
    """Whether no completion of a prefix of t tokens can score higher than best (GNMT penalty)."""
    raise NotImplementedError


# %% id="can-stop-use"
for alpha in (0.0, 0.6, 1.0):
    answer = "stop" if can_stop(-1.0, -1.5, 3, 12, alpha) else "go on"
    print(f"α = {alpha}: best −1.0, alive −1.5 after 3 of 12: {answer}")

# %% [markdown] id="bound-text"
# Here is the rule as a formula. Whatever completes the prefix has $n = t+1, \dots, n_{max}$ tokens
# and at most the log-probability $\ell$, for it can only fall; and $cp \le 0$. So no completion
# scores higher than
#
# $$\max_{t < n \le n_{max}} \frac{\ell}{lp(n)}.$$
#
# If *best* is at least that, stop: nothing can be lost. For α = 0 this reads "stop when the best
# finished beats the best alive", which is the rule of Huang, Zhao and Ma. For α > 0 the bound lies
# at the *largest* length allowed.

# %% id="bound-figure" tags=["hide-input"]
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

# %% [markdown] id="stop-rules-text"
# ### Three rules that lose
#
# - *first finished*: stop when something has ended;
# - *k finished*: stop when k hypotheses have ended;
# - *present length*: stop when the best finished beats the best alive, which is scored at the
#   length that it has *now*. This one looks exact, and for α = 0 it is.
#
# The first two lost above. For the third a table again: after *b* all goes on with certainty.

# %% id="present-length"
patient = {(): {"a": 0.4, "b": 0.35, "<eos>": 0.25}, ("b",): {"x": 1.0}, ("b", "x"): {"y": 1.0}}
patient_step = step_of(lambda prefix: patient.get(prefix, {"<eos>": 1.0}), letters)
options = {"max_length": 5, "beam_size": 2, "alpha": 1.0, "penalty": "power"}
for rule in ("exact", "current_length"):
    [[h]] = search.beam_search(patient_step, memory, state, stop=rule, **options)
    print(f"{rule:15} {' '.join(letters[i] for i in h.tokens):6} score {h.score:.3f}")

# %% [markdown] id="present-length-read"
# After two steps *a* has ended with $\log 0.4 / 2 = -0.458$, and *b x* stands at
# $\log 0.35 / 2 = -0.525$: worse, so the rule stops. Two more tokens would have cost nothing and
# made it $\log 0.35 / 4 = -0.262$.
#
# How often do the three lose on the random models, with k = 3? Take the rule *k finished* and the
# mean per token: in how many of the thousand?

# %% id="predict-stop"
predict("08.stop", ...)

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
reveal("08.stop", lost["k_finished", 1.0], within=100)

# %% [markdown] id="stop-read"
# *k finished* is nearly harmless for a plain sum and bad for a mean. And the exact rule cost
# nothing: it found what searching to the end finds, as the cell asserts. Exact means here: nothing
# *within the beam* is lost. What the beam has pruned no **stopping rule** brings back. (A library
# whose search stops by present length is not wrong to do so, if it says that this is a heuristic.)

# %% [markdown] id="faded-text"
# ## Beam search, whole
#
# The next exercise is the hardest of the chapter, so here is its heart, half done: one step of a
# beam over a *step function*. Two prefixes live, *He* and *I*; each carries its own log-probability
# and its own state. The loop collects their continuations, with the state that belongs to each. But
# the number that it keeps is still the parent's. Mend the line that is marked; then *I went*
# should lead with −1.022, as in the drawing. (Left as it is, the cell runs.)

# %% id="faded"
row, after_start, _ = step(torch.tensor([[BOS]]), memory, state)
two = [(float(row[0, 0, words.index(w)]), [words.index(w)], after_start) for w in ("He", "I")]
continued = []
for so_far, tokens, own in two:
    row, new, _ = step(torch.tensor([[tokens[-1]]]), memory, own)
    for token, gain in enumerate(row[0, 0].tolist()):
        if gain > -math.inf:
            continued.append((so_far, [*tokens, token], new))  # yours: what has it grown to?
continued.sort(key=lambda candidate: -candidate[0])
for so_far, tokens, _ in continued[:3]:
    print(f"{so_far:.3f}  {' '.join(words[i] for i in tokens)}")

# %% [markdown] id="ex-beam-tokens-text"
# ### Exercise 8.6 · Beam search
# *Hard, 30 minutes: this one hurts.* Everything together, for one sentence and in plain Python:
# keep a list of live prefixes, each with its log-probability, tokens and *own* state. At each step
# $t = 1, \dots$, `max_length`:
#
# 1. call `step` for every live prefix (tokens of shape (1, 1)) and collect all continuations,
#    except by `PAD` and `BOS` and those of probability 0 (one is always left);
# 2. walk down the sorted list: an eos goes to the finished, with score log P / lp(t); anything else
#    lives on; end the walk when `beam_size` live on;
# 3. go on until `max_length`, or until nothing is alive (or you may stop: but only by a rule that
#    cannot lose).
#
# Return tokens (without eos) and log-probability (not divided) of the finished hypothesis with the
# highest *score*. If nothing has ended, return the best prefix. (At `max_length` the library also
# takes endings below the k-th survivor; yours need not.)
#
# <details><summary>Hint 1</summary>
#
# A live prefix is a tuple (log_prob, tokens, state); the first is (0.0, [], state). The cells
# `beam-step` and `faded` above have the walk and the collecting.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The state that `step` returns belongs to all continuations of *this* prefix: put it into their
# tuples. Sort by the number alone, because states cannot be compared. What is fed to a prefix
# without tokens?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Two lists, live and finished. A finished hypothesis needs three things: the score by which it is
# chosen, its tokens, and its own log-probability, which is returned. Simplest stop: none before
# max_length, but leave the loop when nothing lives.
#
# </details>


# %% id="ex-beam-tokens" tags=["exercise"]
@exercise
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    """The tokens, without eos, of the best hypothesis of a beam, and their log-probability."""
    raise NotImplementedError


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
# Toys show what can happen. What *does* happen? First a small translator with attention (Luong's,
# general score, chapter 5), Korean to English, **stopped early on purpose** after 600 updates: a
# model that is often unsure. It is trained before your eyes and searched on 300 *validation*
# sentences; the test split is left alone. (Recorded runs of larger ones come below.)

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
)
recipe = Recipe(
    updates=600, warmup=150, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=600, precision="fp32", seed=1,
)
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
# One sentence as a tree, with k = 3: 오늘 누가 나무를 그렸습니까? (*today – who – tree – drew?*).
# The reference is *Who drew a tree today?*

# %% id="real-tree"
pair = next(p for p in pairs if p.tgt == "Who drew a tree today?")
traced = []
one = encoded([pair])
[[h]] = search.beam_search(
    model.step, *one[:2], max_length=one[3], beam_size=3, trace=traced.append
)
traced = [{**r, "token": english.tokens[r["token"]]} for r in traced]
print("greedy search:", said(english.decode(searched(1, [pair])[0].tokens)))
print("a beam of 3:  ", said(english.decode(h.tokens)))

# %% id="real-tree-figure" tags=["hide-input"]
ax = beam_tree(traced, pruned=False, title="The beam of a real translator, k = 3")
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
# In the recorded output above it is the trap of the beginning: at step 4 *big* is the most
# probable word, greedy search takes it, and the end costs more than it gained. The beam keeps
# *tree* beside it and finds the reference. Look at the prefixes that live together, too: they are
# near-copies of each other, so beams are less diverse than their width suggests. (For other
# sentences the thick branch is not the reference. Where that stands among the finished ones with a
# lower log-probability, the search is not to blame: the *model* prefers something else, and no
# search can mend that.)

# %% [markdown] id="real-errors-text"
# ### Search errors of the translator
#
# For short sentences the exact search comes to an end.

# %% id="real-errors"
short_pairs = [p for p in pairs if len(korean.encode(p.src)) <= 12]
one = encoded(short_pairs)
exact = search.exhaustive_search(model.step, *one[:2], max_length=one[3], max_nodes=20_000)
missed = {}
for k in (1, 5):
    gaps = [e.log_prob - h.log_prob for [e], h in zip(exact, searched(k, short_pairs))]
    assert min(gaps) > -1e-3  # nothing beats the exact search
    missed[k] = sum(gap > 1e-3 for gap in gaps)
told = [about(missed[1], 2, 25, ".0f"), about(missed[5], 0, 4, ".0f")]
print(f"of {len(short_pairs)} short sentences greedy search misses the best of {told[0]}, "
      f"a beam of 5 of {told[1]}")
assert missed[5] < missed[1]

# %% [markdown] id="real-errors-read"
# The recorded runs (`benchmarks/search_chapter.py`: three seeds, trained for 600, 1,200 and 2,400
# updates) counted them in sentences of at most 16 tokens. What was just trained is seed 1 at 600.

# %% id="record"
record = read_record("08_search")


def runs_of(updates):
    return [run for run in record["runs"] if run["updates"] == updates]


print("recorded, three seeds together: sentences with a search error")
for updates in (600, 1200, 2400):
    counts = [run["search"] for run in runs_of(updates)]
    wrong = {k: sum(c["errors"][k] for c in counts) for k in ("1", "2", "5", "20")}
    whole, given_up = (sum(c[key] for c in counts) for key in ("sentences", "given_up"))
    line = ", ".join(f"k = {k}: {n}" for k, n in wrong.items())
    print(f"  {updates:5,} updates: {line}; of {whole}, {given_up} given up")

# %% id="real-errors-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, (updates, marker) in enumerate(zip((600, 1200, 2400), "os^")):
    counts = [run["search"] for run in runs_of(updates)]
    widths, whole = list(counts[0]["errors"]), sum(c["sentences"] for c in counts)
    by_width = [sum(c["errors"][k] for c in counts) for k in widths]
    places = [x + 0.08 * (n - 1) for x in range(len(widths))]
    label = f"{updates:,} updates"
    share_bars(ax, places, by_width, whole, marker=marker, label=label, color=figures.PALETTE[n])
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
# makes greedy search exact.
#
# <details><summary>How sure?</summary>
#
# Three seeds; the sentences are the same for all, so the intervals, which take the three models'
# answers to one sentence as independent, are a little too narrow. The exact search of a sentence
# would have been given up after a thousand prefixes; none needed so many.
#
# </details>

# %% [markdown] id="curves-text"
# ### Beam width, and the sum that shrinks
#
# Now BLEU. First the model that was just trained, on all 300 sentences, scored by the plain sum (α
# = 0) and with the length penalty α = 1. From k = 2 to k = 50 with the plain sum: will BLEU (a)
# rise, (b) stay within two points, or (c) fall?

# %% id="predict-wider"
predict("08.wider", ...)

# %% id="sweep"
WIDTHS = (1, 2, 5, 10, 20, 50)
live = {alpha: [measured(searched(k, alpha=alpha)) for k in WIDTHS] for alpha in (0.0, 1.0)}
print("k =                   ", *(f"{k:6}" for k in WIDTHS))
for alpha, rows_of_alpha in live.items():
    scores, ratios = zip(*rows_of_alpha)
    print(f"α = {alpha:g}  BLEU          ", *(about(x, 15, 85, "5.1f") for x in scores))
    print("       tokens written", *(about(x, 0.3, 1.3, "5.2f") for x in ratios))
assert live[0.0][5][0] < live[0.0][1][0] - 10 < live[1.0][5][0]
gain = live[0.0][5][0] - live[0.0][1][0]
reveal("08.wider", "a" if gain > 2 else "b" if gain > -2 else "c")


# %% id="widths-figure" tags=["hide-input"]
def recorded(updates, k, alpha, beta=0.0, what="bleu"):
    """One number a seed."""
    wanted = k, alpha if k > 1 else 0.0, beta  # greedy search was recorded once
    rows = [row for run in runs_of(updates) for row in run["sweep"]]
    return torch.tensor([r[what] for r in rows if (r["k"], r["alpha"], r["beta"]) == wanted])


fig, axes = plt.subplots(1, 2, figsize=(9, 3.8))
names = {"bleu": "BLEU (0 to 100)", "ratio": "tokens written / tokens of reference"}
for ax, (what, name) in zip(axes, names.items()):
    for n, (alpha, marker) in enumerate(zip((0.0, 0.6, 1.0), "os^")):
        rows = torch.stack([recorded(600, k, alpha, what=what) for k in WIDTHS])
        look = {"color": figures.PALETTE[n], "marker": marker, "label": f"α = {alpha:g}"}
        ax.plot(range(6), rows.mean(1), **look)
        ax.fill_between(range(6), rows.amin(1), rows.amax(1), color=figures.PALETTE[n], alpha=0.15)
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
# four fifths. α = 0.6 lies between. The bands of the three seeds are wide.
#
# </details>

# %% [markdown] id="widths-recorded-text"
# Three models give three different curves, so look at them one by one before you look at a mean:

# %% id="widths-recorded"
print("recorded, 600 updates, plain sum: BLEU (tokens written / tokens of the reference)")
print("          k =", *(f"{k:<13}" for k in WIDTHS[:-1]), WIDTHS[-1])
for seed in range(3):
    of_seed = [[recorded(600, k, 0.0, what=w)[seed] for w in ("bleu", "ratio")] for k in WIDTHS]
    line = "   ".join(f"{bleu:.1f} ({ratio:.2f})" for bleu, ratio in of_seed)
    print(f"  seed {seed + 1}:    {line}")
print("recorded, means of three seeds:")
for updates in (600, 1200, 2400):
    for alpha in (0.0, 1.0):
        means = [recorded(updates, k, alpha).mean() for k in WIDTHS]
        print(f"{updates:5,} updates, α = {alpha:g}", *(f"{mean:6.0f}" for mean in means))
blank = [recorded(600, k, 0.0, what="empty").mean() for k in WIDTHS]
print("empty, 600, α = 0   ", *(f"{share:6.0%}" for share in blank))

# %% [markdown] id="widths-read"
# **You will often read that** beam search translates better than greedy search, and the wider the
# better. Look at the three models: from k = 1 to k = 5 one stays where it was, one gains three
# points, and one loses two. And the one that gains had written too much before, so a part of its
# gain is nothing but shrinking. Then a *better search* translates *worse*. The wide beam finds what
# the narrow one missed, sentences that are more probable and too short, even empty ones. [Koehn and
# Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) met the same in real systems: the best width
# lay between 4 and about 30, depending on the language pair, and wider beams lost because
# translations became shorter. With the length penalty most of the damage is gone. And a model that
# has learned its task needs none of it: after 2,400 updates the means of all widths are within one
# BLEU of each other. (But 100 is the ceiling, and this corpus is easy.)
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

# %% [markdown] id="captions-text"
# ### And a translator trained to the end?
#
# A half-trained model on an easy corpus may be a special case. So here is the opposite: real
# captions (Multi30k, German to English), a translator trained with all the care of chapter 10, and
# 250 sentences of the validation split, searched with beams of up to 100 (recorded by
# `benchmarks/search_sweep.py`; one model).

# %% id="captions"
captions = read_record("08_multi30k")
parts = {run["part"]: run["rows"] for run in captions["runs"] if run["model"] == "good"}
rankings = {
    "plain sum": (0.0, "gnmt"),
    "lp, α = 0.6": (0.6, "gnmt"),
    "lp, α = 1": (1.0, "gnmt"),
    "mean per token": (1.0, "power"),
}


def of_ranking(name, rows=parts["widths"]):
    """The rows of one way to rank, from greedy search to the widest beam."""
    return [r for r in rows if r["k"] == 1 or (r["alpha"], r["penalty"]) == rankings[name]]


all_k = [f"k = {r['k']:<9}" for r in of_ranking("plain sum")]
print("BLEU (tokens written)", "".join(all_k).rstrip())
for name in rankings:
    cells = [f"{r['bleu']:.1f} ({r['ratio']:.2f})" for r in of_ranking(name)]
    print(f"{name:21}", "  ".join(cells))
silent = [f"{r['empty']:.0%}" for r in of_ranking("plain sum")]
print("empty, plain sum     ", "".join(f"{share:13}" for share in silent).rstrip())

# %% id="captions-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.8))
for ax, (what, name) in zip(axes, names.items()):
    for n, (ranking, marker) in enumerate(zip(rankings, "os^D")):
        values = [r[what] for r in of_ranking(ranking)]
        ax.plot(range(8), values, color=figures.PALETTE[n], marker=marker, label=ranking)
    ax.set_xticks(range(8), [r["k"] for r in of_ranking("plain sum")])
    ax.set(xlabel="beam width k (hypotheses)", ylabel=name)
axes[1].legend(loc="lower left")
fig.suptitle("A translator trained to the end, Multi30k (recorded, 250 sentences)")
plt.show()

# %% [markdown] id="captions-alt"
# <details><summary>The figure in words</summary>
#
# Two panels against beam width 1 to 100, with lines for four ways to rank. On the left, all four
# begin at 42 BLEU. With the plain sum BLEU rises by less than a point up to k = 5 and then falls to
# 31. With the three others it rises to between 43 and 44 and stays there; α = 0.6 loses a point at
# the end. On the right, how much is written: with the plain sum it falls from 0.94 to 0.60, with α
# = 0.6 to 0.84, with α = 1 hardly, and with the mean per token it rises to 0.96.
#
# </details>

# %% [markdown] id="captions-read"
# It is not only the half-trained. Up to k = 5 a beam gains less than a point. From k = 10 on the
# plain sum pays for every more probable sentence that it finds, and with k = 100 it has lost more
# than a quarter of its BLEU and writes 60 tokens for 100 of the reference. Some translations are
# empty; more are merely short. The four lines come from the same model. All that differs is the
# number by which hypotheses are ranked, and with the mean per token, which no theory of probability
# recommends, a beam of 100 has lost nothing.
#
# How much is a beam worth, then? Beside greedy search: less than one point with the plain sum, and
# under two with the best ranking, of which three quarters are there at k = 3. Thirty times that
# work buys 0.3 more, which is noise. And a mistake in the ranking can cost twelve.
#
# <details><summary>How sure?</summary>
#
# One model, one seed, 250 sentences: differences of a few tenths are noise (chapter 9), the fall of
# twelve points is not. The model was trained with label smoothing (chapter 7), which keeps the
# probability of `<eos>` from becoming tiny and so makes silence cheaper. But that is not the whole
# reason: the half-trained translator of the easy corpus was trained without it, and falls, too.
#
# </details>

# %% [markdown] id="captions-half-text"
# And a half-trained translator of the *same* captions? This is the preset "quick" of chapter 10
# with a third of its updates (recorded too; one model). Before you look: will a beam of 100 cost it
# more than the well-trained one, or less?

# %% id="captions-half"
[little] = [run["rows"] for run in captions["runs"]
            if run["model"] == "half-trained" and run["part"] == "widths"]
print("BLEU (tokens written)", "".join(all_k).rstrip())
for name in ("plain sum", "mean per token"):
    cells = [f"{r['bleu']:.1f} ({r['ratio']:.2f})" for r in of_ranking(name, little)]
    print(f"{name:21}", "  ".join(cells))
silent = [f"{r['empty']:.0%}" for r in of_ranking("plain sum", little)]
print("empty, plain sum     ", "".join(f"{share:13}" for share in silent).rstrip())

# %% [markdown] id="captions-half-read"
# More: with the plain sum more than half of its BLEU is gone at k = 100, and a third of its
# translations are empty. But the fall does not begin sooner. At k = 20 this model has lost less
# than two points, the well-trained one more than five. So more training does not by itself move the
# fall to wider beams; what does away with it, in both, is the ranking. (The two differ in width and
# dropout as well, so this is one observation, not a comparison.)

# %% [markdown] id="alphas-text"
# ### How much penalty?
#
# If α = 1 is good, is α = 2 better? By how many points of BLEU will it differ from α = 1, for the
# half-trained translator with k = 5? (Below 0: it is worse.)

# %% id="predict-alpha"
predict("08.alpha", ...)

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

# %% id="alphas"
print("recorded, 600 updates: BLEU (tokens written), means of three seeds")
for k in (5, 20):
    told = [
        f"α = {a:g}: {recorded(600, k, a).mean():.0f} "
        f"({recorded(600, k, a, what='ratio').mean():.2f})"
        for a in (0.0, 0.6, 1.0, 1.5, 2.0)
    ]
    print(f"  k = {k:2}  ", "  ".join(told))
reveal("08.alpha", (recorded(600, 5, 2.0) - recorded(600, 5, 1.0)).mean(), within=10)

# %% [markdown] id="alphas-read"
# Far worse. Beyond 1 the translations grow far longer than the reference, in the end about twice as
# long for the widest beam: a hypothesis gains more from the larger divisor than its words cost. The
# best α depends on the model and on k; choose it on *validation* sentences, never on the test. [Wu
# et al.](D_papers.ipynb#cell-id=wu-2016) (2016, Table 2) show the same hill: 30.3 BLEU without
# penalty, 31.2 at α = 0.8, 31.1 at 1.
#
# And the coverage penalty? Here is their table with our models: k = 10, the rows are β, the columns
# α. Behind each BLEU stands how much was written.


# %% id="coverage-grid"
def grid_of_captions(alpha, beta):
    """BLEU and tokens written of the translator trained to the end, with a beam of 10."""
    [r] = [r for r in parts["penalties"] if (r["alpha"], r["beta"]) == (alpha, beta)]
    return r["bleu"], r["ratio"]


def grid_of_half_trained(alpha, beta):
    """The same of the half-trained one on the easy corpus, means of three seeds."""
    return [recorded(600, 10, alpha, beta, what).mean() for what in ("bleu", "ratio")]


for name, grid in (("half-trained, easy corpus", grid_of_half_trained),
                   ("trained to the end, captions", grid_of_captions)):
    print(f"{name}: BLEU (tokens written / tokens of the reference)")
    print("  α =        ", *(f"{a:<12g}" for a in alphas[:5]), alphas[5])
    for beta in (0.0, 0.2, 1.0):
        cells = ["{:4.1f} ({:.2f})".format(*grid(a, beta)) for a in alphas[:6]]
        print(f"  β = {beta:<7g}", "  ".join(cells))

# %% [markdown] id="coverage-grid-read"
# In both models a little of the penalties helps. In the well-trained one it hardly matters which:
# eleven of the eighteen cells lie within a point of each other. In the half-trained one β = 0.2
# alone is worth 4.0 points, α = 0.2 alone 0.6, the best pair 5.6. Too much of both is a disaster:
# in the last corner a translation is 2.6 and 1.9 times as long as the reference. Wu et al. chose
# α = β = 0.2. When they had refined their model by reinforcement learning, the gain shrank from 1.1
# to 0.2 BLEU. A penalty repairs a model's bias; where there is none, it makes one.

# %% [markdown] id="captions-stops-text"
# ### And the stopping rules?
#
# In the toys three popular rules lost often. What do they cost a translator, in BLEU and in steps?
# The captions once more:

# %% id="captions-stops"
print("BLEU (tokens written), steps of a sentence")
for k, alpha in ((5, 0.0), (10, 0.0), (10, 1.0)):
    print(f"  k = {k}, {'mean per token' if alpha else 'plain sum'}")
    for r in parts["stops"]:
        if (r["k"], r["alpha"]) == (k, alpha):
            told = [f"{r['bleu']:.1f} ({r['ratio']:.2f})", f"{r['steps']:.1f} steps"]
            print(f"    {r['stop']:15}", *told, f"{r['empty']:.0%} empty", sep="  ")

# %% [markdown] id="captions-stops-read"
# *First finished* is as bad as feared with k = 10: more than a fifth of the translations are empty,
# since an early `<eos>` needs only to be among the ten. (With k = 5 it loses 3.6 points.) With the
# mean per token the two others need about seven tenths of the exact rule's steps, and cost at most
# half a point. They do lose hypotheses of a better *score*; but a better score is not a better
# translation, as this chapter has shown. The exact rule says what the model prefers. Whether one
# wants to wait for that is another question. With the plain sum there is nothing to ask: there the
# exact rule is the cheaper one, too, for *k finished* takes more steps and is no better. (And
# `never` takes twice the steps of *exact* or more, for the same answers.)

# %% [markdown] id="state-text"
# ## Every prefix goes on from its own state
#
# A batched beam keeps K states in one tensor. The numbers at the left of the drawing say what must
# happen to them: after a step place 0 may hold a continuation of what stood in place 2. The tokens
# know it; the states must follow: place $k$ is given the state of its **parent**. These are the
# numbers of the drawing, as a program keeps them, a row of **parents** for every step:

# %% id="parents"
for t in range(1, 5):
    row_of_beam = [r for r in drawn_tree if r["step"] == t and r["status"] != "pruned"]
    slots = [int(r["parent"].split(".")[-1]) for r in row_of_beam]
    print(f"step {t}: parents {slots}, writing {[r['token'] for r in row_of_beam]}")

# %% [markdown] id="ex-reorder-text"
# ### Exercise 8.7 · States follow their prefixes
# *Core, 10 minutes.* `state` is a dictionary of tensors (B, K, …) of any further dimensions;
# `parents` (B, K') holds, for every new place, the number of the old place it grew from. Return a
# new dictionary of tensors (B, K', …).
#
# <details><summary>Hint 1</summary>
#
# For one sentence b and one tensor it is `x[b, parents[b]]`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Two index tensors that broadcast do it for all sentences: `x[rows, parents]`. Which shape must
# `rows` have?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The numbers of the sentences, as a column. Do it for every tensor of the dictionary.
#
# </details>


# %% id="ex-reorder" tags=["exercise"]
@exercise
def reorder(state, parents):
    """The state of each new place's parent. state: name → (B, K, …), parents (B, K')."""
    raise NotImplementedError


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
    claimed, written = torch.zeros(60, 1), torch.zeros(60, 1, 0, dtype=torch.long)
    for _ in range(8):
        log_probs, state, _ = model.step(tokens, memory, state)
        flat = (claimed.unsqueeze(2) + log_probs).flatten(1)  # (B, K · V)
        claimed, pick = flat.topk(K)
        parents, tokens = pick // len(english), pick % len(english)
        state = move(state, parents)
        written = torch.cat([reorder({"": written}, parents)[""], tokens.unsqueeze(2)], 2)
    return written, claimed


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


print("claimed log P beside what the model says when it reads the tokens once more:")
for name, move, most in (("reordered", reorder, 0.01), ("not reordered", stay, 30)):
    written, claimed = eight_steps(move)
    gap = (reread(written) - claimed).abs()
    print(f"  {name:14} off by up to {about(gap.max(), 0, most, '.2f')} nats")
assert gap.max() > 1

# %% [markdown] id="forget-text"
# No error, no warning, only wrong numbers. What does it do to translations? The same bug in the
# whole search: a step function that keeps its states to itself, in the order of the step before.


# %% id="forget"
def forgetful(step):
    kept = {}

    def wrong_step(tokens, memory, state):
        if tokens.shape[1] > 1:  # not the first step: the state handed over is ignored
            state = {name: x.expand(-1, tokens.shape[1], *x.shape[2:]) for name, x in kept.items()}
        log_probs, state, weights = step(tokens, memory, state)
        kept.update(state)
        return log_probs, state, weights

    return wrong_step


# %% id="forget-bleu"
memory_150, state_150, _, _ = encoded(pairs[:150])
for k, most in ((2, 10), (10, 40)):
    scores = []
    for function in (model.step, forgetful(model.step)):
        options = {"max_length": 60, "beam_size": k, "stop": "never"}  # no sentence leaves early
        found_150 = search.beam_search(function, memory_150, state_150, **options)
        scores.append(measured([h for [h] in found_150], pairs[:150])[0])
    lost_points = about(scores[0] - scores[1], 0 if k == 2 else 3, most, ".1f")
    right, wrong = about(scores[0], 15, 85, ".1f"), about(scores[1], 5, 85, ".1f")
    print(f"k = {k:2}: BLEU {right}, with the bug {wrong}: it costs {lost_points}")

# %% [markdown] id="forget-read"
# One might expect a collapse, and there is none: with a narrow beam most of the BLEU is still
# there, perhaps because the prefixes of a beam are near-copies of each other, as in the tree above,
# and so are their states. With k = 10 the loss shows. A bug like this can live in a program for
# years. BLEU is a poor test of a search; reading its claims once more is a good one. (One model.)
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
)
texts = [" ".join(words[i] for i in h.tokens) for h in draws[0]]
for p, text in sentences[:5]:
    print(f"P = {p:.3f}, share of 4,000 draws {texts.count(text) / len(texts):.3f}   {text!r}")

# %% [markdown] id="sample-read"
# Fair, and that is the trouble: a fair sample of a model with thousands of words steps into the
# long tail of unlikely ones now and then, and cannot step back. Three remedies change the
# distribution before the draw:
#
# - **temperature** $T$: $p^{1/T}$, normalized; $T < 1$ sharpens, $T \to 0$ is greedy search;
# - **top-k** ([Fan et al. 2018](D_papers.ipynb#cell-id=fan-2018)): only the k most probable tokens;
# - **nucleus** or **top-p** ([Holtzman et al. 2020](D_papers.ipynb#cell-id=holtzman-2020)): the
#   fewest tokens that together reach p.
#
# The first sentence of the book, sampled at three temperatures, and once from the nucleus:

# %% id="temperatures"
for how in ({"temperature": 0.2}, {"temperature": 1.0}, {"temperature": 1.3}, {"top_p": 0.8}):
    print(", ".join(f"{name} {value}" for name, value in how.items()))
    draw = torch.Generator().manual_seed(1)
    [drawn] = search.sample_search(
        german.model.step, *begin_park, max_length=limit_park, samples=4, generator=draw, **how
    )
    for one in drawn:
        print("   ", said(german.tgt_vocabulary.decode(one.tokens), indent=6))

# %% [markdown] id="temperatures-read"
# Cold, it says the same thing every time. At T = 1, the fair draw, every second translation is
# right and the others fall off a cliff, into pieces of words and even into German (the two
# languages share one vocabulary). At T = 1.3 nothing holds. The nucleus, in the output above,
# brings back sense in three of its four, without freezing it.
#
# Why is a fair draw so bad, from a translator that is so good? It was trained with **label
# smoothing** (chapter 7): never to be entirely sure, but to leave a tenth of the probability to all
# other tokens together. It has learned that well, and over ten tokens a tenth each time adds up. A
# narrow beam never sees it; a wide one finds the part that lies on `<eos>`. So do not judge a
# model's samples without asking how it was trained.

# %% [markdown] id="ex-nucleus-text"
# ### Exercise 8.8 · The nucleus
# *Core, 12 minutes.* `probs` (N, V) are distributions. In each row keep the most probable tokens,
# in descending order, until they together reach `top_p`; the token that reaches it is the last one
# kept (of equal ones whichever you like). Set the rest to 0 and make each row a distribution again.
# Every token keeps its place.
#
# <details><summary>Hint 1</summary>
#
# `probs.sort(-1, descending=True)` gives the sorted values and their places.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A token is kept if the tokens *before* it have not yet reached top_p. What is the sum of those
# before, if `cumsum` counts the token itself?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `scatter` puts values back to their places: start from zeros like `probs`. Then each row is
# divided by its sum.
#
# </details>


# %% id="ex-nucleus" tags=["exercise"]
@exercise
def nucleus(probs, top_p):
    """The smallest set of tokens that reaches top_p, as distributions again. probs (N, V)."""
    raise NotImplementedError


# %% [markdown] id="filters-text"
# One distribution is flat, one has a clear favorite. How many tokens does top-k with k = 5 keep of
# each? And the nucleus with p = 0.8?

# %% id="filters"
rank = torch.arange(1.0, 16.0)
shapes = torch.stack([rank**-0.4, rank**-2.5])
shapes = shapes / shapes.sum(1, keepdim=True)
top_five = shapes * (rank <= 5)
filtered = {
    "as it is": shapes,
    "temperature 0.5": shapes**2 / (shapes**2).sum(1, keepdim=True),
    "top-k, k = 5": top_five / top_five.sum(1, keepdim=True),
    "nucleus, p = 0.8": nucleus(shapes, 0.8),
}
for name, kept in filtered.items():
    left = [int((row > 0).sum()) for row in kept]
    print(f"{name:17} tokens left: flat {left[0]:2}, peaked {left[1]:2}")

# %% id="filters-figure" tags=["hide-input"]
fig, axes = plt.subplots(2, 4, figsize=(9, 4.2), sharex=True, sharey="row")
for column, (name, kept) in zip(axes.T, filtered.items()):
    for ax, row, shade in zip(column, kept, figures.PALETTE):
        ax.bar(rank, row, color=shade)
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
# half-trained translator: five samples of each of 60 sentences. Quality is the BLEU of the samples,
# diversity the share of different texts among a sentence's five.

# %% id="diversity"
sixty = pairs[:60]
memory_60, state_60, _, limits_60 = encoded(sixty)


def sampled(**options):
    """(diversity, BLEU) of five samples a sentence."""
    draw = torch.Generator().manual_seed(1)
    options |= {"max_length": limits_60, "samples": 5, "generator": draw}
    found = search.sample_search(model.step, memory_60, state_60, **options)
    distinct = sum(len({tuple(h.tokens) for h in five}) for five in found) / (5 * len(found))
    drawn_texts = [h for five in found for h in five]
    return distinct, measured(drawn_texts, [p for p in sixty for _ in range(5)])[0]


families = {
    "temperature": ("temperature", (0.2, 0.5, 0.8, 1.0, 1.3)),
    "top-k": ("top_k", (2, 5, 20)),
    "nucleus": ("top_p", (0.5, 0.8, 0.95)),
}
points = {
    name: [sampled(**{option: value}) for value in values]
    for name, (option, values) in families.items()
}
for name, (_, values) in families.items():
    for value, (different, score) in zip(values, points[name]):
        print(f"{name:12}{value:5g}: {about(100 * different, 20, 100, '3.0f')} % different, "
              f"BLEU {about(score, 5, 80, '4.1f')}")
    assert points[name][0][0] < points[name][-1][0] and points[name][0][1] > points[name][-1][1]

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
# setting lies. For translation, where a few answers are right, quality counts more.
# [Holtzman et al. (2020)](D_papers.ipynb#cell-id=holtzman-2020) let a language model (GPT-2)
# *continue passages from the web*, where the most probable text is dull and repeats itself; there,
# text sampled from the nucleus came closest to what people write. (One model, one seed: an
# illustration.)

# %% [markdown] id="risk-text"
# ## The answer that the others agree with
#
# Back to the question of the beginning: which sentence? Here is an answer that does not ask for the
# most probable one. Draw N translations. Each is a guess at what a person might have written. If
# the truth is one of them, which of them is the safest to hand in? The one that is, on average, the
# most similar to all of them:
#
# $$\hat y = \arg\max_{y} \ \frac1N \sum_{j=1}^{N} u(y, y_j), \qquad y_1, \dots, y_N \sim P(Y \mid
# x)$$
#
# ($y$ runs through the same samples.) $u$, the **utility**, says how good $y$ is where $y_j$ is
# right; here chrF, which compares strings by the runs of letters that they share (chapter 9). To
# make the expected loss small is called **minimum Bayes risk** decoding, **MBR** ([Kumar and Byrne
# 2004](D_papers.ipynb#cell-id=kumar-2004); with samples, [Eikema and Aziz
# 2020](D_papers.ipynb#cell-id=eikema-2020)). In code it is a few lines:


# %% id="risk"
def least_risk(texts, utility=sentence_chrf, voters=None):
    """The text that all voters (without any: the texts) are closest to on average; how close."""
    count = Counter(voters or texts)  # equal ones are compared once
    different = dict.fromkeys(texts)
    worth = {y: sum(n * utility(y, other) for other, n in count.items()) for y in different}
    return max(worth, key=worth.get), max(worth.values()) / count.total()


for place, most in ((begin_park, limit_park), (begin, limit)):
    draw = torch.Generator().manual_seed(1)
    options = {"max_length": most, "samples": 32, "temperature": 0.6, "generator": draw}
    [drawn] = search.sample_search(german.model.step, *place, **options)
    texts = [german.tgt_vocabulary.decode(one.tokens) for one in drawn]
    chosen, closeness = least_risk(texts)
    print(f"of {about(len(set(texts)), 2, 32, '.0f')} different translations, chrF "
          f"{about(closeness, 30, 100, '.0f')} on average: {said(chosen)}")

# %% [markdown] id="risk-read"
# Where the samples agree, the vote is unanimous; where they do not, the winner is the sentence in
# the middle of the crowd, and the average says how little the crowd agrees. An empty sentence
# cannot win this vote: it resembles nobody. There is no length penalty in it, and no need of one.
# But for the fire the winner, in the output above, is greedy search's sentence of the beginning: no
# better. The vote protects against silence, not against a bad model.
#
# How good is it? Here are the 250 captions once more, with the translator that was trained to the
# end. Of 32 samples at T = 1, which will have the higher BLEU: (a) the *most probable* of the 32,
# or (b) the one of least risk?

# %% id="predict-risk"
predict("08.risk", ...)

# %% id="risk-recorded"
by_temperature = {}
print("BLEU (tokens written / tokens of the reference)    of 32 samples a sentence:")
print("        one sample        different     most probable   least risk: chrF   by BLEU")
for row in parts["samples"]:
    one_bleu, one_ratio = (sum(s[w] for s in row["single"]) / 4 for w in ("bleu", "ratio"))
    risk = {r["utility"]: r for r in row["least risk"] if r["candidates"] == 32}
    likely = row["most probable"]
    by_temperature[row["temperature"]] = likely["bleu"], risk["chrf"]["bleu"]
    print(f"T = {row['temperature']}   {one_bleu:.1f} ({one_ratio:.2f})  "
          f"{row['distinct']:11.1f} of 32{likely['bleu']:10.1f} ({likely['ratio']:.2f})"
          f"{risk['chrf']['bleu']:12.1f} ({risk['chrf']['ratio']:.2f})"
          f"{risk['bleu']['bleu']:8.1f} ({risk['bleu']['ratio']:.2f})")
reveal("08.risk", "a" if by_temperature[1.0][0] > by_temperature[1.0][1] else "b")

# %% [markdown] id="risk-recorded-read"
# One fair sample is worth 24 BLEU. Of 32 of them the most probable is far better, and a fifth too
# short: choosing by probability has the old disease even without a beam. The one of least risk is
# better still, and has the right length. With colder samples both come to about 42 or 43, and the
# most probable keeps writing less. None of it beats the beam of 5 with the mean per token above,
# which has 43.6; on 250 sentences a difference of a point decides nothing. (With BLEU as the
# utility one is judged by the measure that one chooses by; that is why chrF stands first.)
#
# What it costs: 32 samples and, where all of them differ, 1,024 comparisons a sentence. What it
# needs: samples that mean something, and a utility that knows a good translation. With utilities
# that were trained on human judgments (chapter 9 names one) it has become a serious rival of beam
# search.

# %% [markdown] id="experiment-text"
# ## Open experiment: a better vote
#
# *40 minutes, no check.* Can the vote beat the beam? The translator that was trained above is half
# trained, its beam of 5 is known, and everything is there: choose how to sample, how many, and by
# which utility to vote, **one change at a time**. Before you run, write down the BLEU that you
# expect, beside greedy search and beam search on the same 60 sentences, and why. Ideas: the
# temperature; 8, 16 or 64 samples; a nucleus instead of a temperature; candidates from a *beam*
# and voters from samples (`least_risk(candidates, UTILITY, voters)`); a utility of your own,
# the share of common words, say.
#
# | a report that convinces | |
# |---|---|
# | prediction | a number, written before the run, with a reason |
# | one change | everything else as in the run before |
# | spread | at least three seeds of the sampler; the spread is shown |
# | beside it | greedy search, a beam, and the length of what was written |
# | conclusion | could have come out otherwise, and says what it does not show |

# %% id="experiment"
SAMPLES = None  # for example {"samples": 16, "temperature": 0.5}
UTILITY = sentence_chrf

if SAMPLES is not None:
    for k, alpha in ((1, 0.0), (5, 1.0)):
        score, ratio = measured(searched(k, sixty, alpha=alpha), sixty)
        print(f"k = {k}: BLEU {score:.1f}, tokens written {ratio:.2f}")
    for seed in (1, 2, 3):
        draw = torch.Generator().manual_seed(seed)
        drawn = search.sample_search(
            model.step, memory_60, state_60, max_length=limits_60, generator=draw, **SAMPLES
        )
        votes = [least_risk([english.decode(h.tokens) for h in of_one], UTILITY)[0]
                 for of_one in drawn]
        print(f"vote, seed {seed}: BLEU {corpus_bleu(votes, [p.tgt for p in sixty]).score:.1f}")

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
# - Better search is not better translation: the mode can be short, even empty, because a sentence
#   pays for every token and silence pays once.
# - A model's fair draws are scattered over very many sentences; the mode need not be like them.
# - Dividing by lp(n) *helps* long hypotheses; α and β are chosen on validation data, and too much
#   of them is worse than none.
# - Stop when the best finished score is at least the best that anything alive can reach, at any
#   length. "First finished", "k finished" and "present length" lose.
# - States follow their parents; a search's claim can be checked by reading its answer once more.
# - Sampling trades quality for diversity; the nucleus adapts to how sure the model is.
# - Of many samples, choose the one that the others agree with: it is neither short nor empty.
#
# The firefighter of the beginning is still badly translated. No search can mend that, and you can
# now say why: this model gives the sentence that we want log P = −50.6, forty nats below what it
# prefers, and no search by probability will choose it.
#
# **Left out.** Diverse and stochastic beams; lexical constraints; speed (a batched beam is one
# tensor program in `attnlib.search`; ours in exercise 8.6 is a loop).
#
# **Papers.** [Wu et al. 2016](D_papers.ipynb#cell-id=wu-2016) (§7, Eq. 14, Table 2); [Huang, Zhao
# and Ma 2017](D_papers.ipynb#cell-id=huang-2017) (when to finish); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017) (beam width); [Murray and Chiang
# 2018](D_papers.ipynb#cell-id=murray-2018) and [Yang, Huang and Ma
# 2018](D_papers.ipynb#cell-id=yang-2018) (why short wins); [Stahlberg and Byrne
# 2019](D_papers.ipynb#cell-id=stahlberg-2019) (exact search, empty modes); [Meister, Cotterell and
# Vieira 2020](D_papers.ipynb#cell-id=meister-2020) (what a beam prefers); [Eikema and Aziz
# 2020](D_papers.ipynb#cell-id=eikema-2020) (mode and typical set, MBR from samples); [Kumar and
# Byrne 2004](D_papers.ipynb#cell-id=kumar-2004) (MBR); [Fan et al.
# 2018](D_papers.ipynb#cell-id=fan-2018) (top-k); [Holtzman et al.
# 2020](D_papers.ipynb#cell-id=holtzman-2020) (nucleus); [Graves
# 2012](D_papers.ipynb#cell-id=graves-2012) and [Sutskever et al.
# 2014](D_papers.ipynb#cell-id=sutskever-2014) (beam search in neural sequence models); [Wilson
# 1927](D_papers.ipynb#cell-id=wilson-1927) (the intervals).
#
# **Next.** [Chapter 9](09_bleu.ipynb) opens the number that this chapter took on trust: BLEU.
