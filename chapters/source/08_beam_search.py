# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 08 · Beam search
#
# *Which of all possible sentences should a translator write?*
#
# You will run a beam search by hand, measure how often it misses the best sentence, and say why the
# most probable sentence can be an empty one, and what to do about it.
#
# **What you need.** A decoder that predicts the next word (chapters 3 and 5). BLEU is used as a
# number from 0 to 100; chapter 9 explains it.
#
# **Time.** 26 minutes to read, 20 for exercises 8.1 and 8.2; the notebook runs in about half a
# minute.
#
# <details><summary>Plan</summary>
#
# Chapter 8 has two files: this one on searching and what is found, and [08b](08b_decoding.ipynb) on
# beams and samples that work in practice. Here everything is meant to be read, except *Sums instead
# of products*, which may be skipped.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import check_range, exercise, predict, progress, read_record, recall, reveal
from attnlib import figures, search
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(8)

# %% id="first"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")
fire = "Ein Feuerwehrmann erklärt einer Schulklasse, wie man einen Brand löscht."
for k, alpha in ((1, 0), (5, 0), (50, 0), (150, 0), (50, 1)):
    found = german.translate(fire, k, alpha=alpha)
    log_prob = found.score * len(found.tgt_tokens) ** alpha  # the score is divided by it
    print(f"k = {k:3}, α = {alpha}   log P = {log_prob:5.1f}   {found.text!r}")

print("\nthe first sentence of this book:")
park = "Zwei Frauen trinken im Park Kaffee."
for k in (1, 5, 50):
    found = german.translate(park, k, alpha=0)
    print(f"k = {k:2}          log P = {found.score:5.1f}   {found.text!r}")

# %% [markdown] id="first-read"
# The German says: *A firefighter explains to a school class how to put out a fire.* This
# translator, the one of chapter 00, has learned from captions of photographs alone, which do not
# sound like this, and it is unsure. All lines come from this *one* translator.
#
# With $k = 1$ it takes the most probable word at every step. With $k = 5$ it keeps five prefixes
# and finds a more probable sentence. With $k = 50$ it finds something more probable still:
# **nothing**, an empty pair of quotation marks. With $k = 150$ it writes two words. The last line
# divides log P by the number of tokens, and a whole sentence is back, if a wrong one. For the
# second sentence, a caption, all searches agree.
#
# How is the most probable sentence found? And is it the one that we want?

# %% [markdown] id="problem-text"
# ## A model of next words is not yet a translation
#
# A translator gives probabilities of *one* next word. The probability of a sentence is their
# product, the end-of-sentence token `<eos>` included:
#
# $$P(Y \mid x) = \prod_t p(y_t \mid y_{\lt t}, x)$$
#
# ($x$ is the sentence to translate, $y_t$ word $t$ of the translation, $y_{\lt t}$ the words before
# it.) **Decoding** is the search for a good $Y$. Take 집에 갔다 (*to-home went*). Korean may leave
# the subject out, so the model has to guess. Here is all that a made-up model knows: what may come
# after each **prefix**, the words written so far. A prefix without a row ends.

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
# The simplest rule is **greedy search**: at every step take the most probable word.

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
# No. *I went home* has nearly twice the probability of greedy's *He went*: after *I* the model is
# much surer of what comes, but greedy search cannot take *He* back. (The fifth, `''`, is the empty
# output: `<eos>` at once.)
#
# That is an error of the **search**. Whether *I* is the right subject is another question, about
# the **model**. Keep the two apart.

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
import math


@exercise
def greedy_trap(p):
    """(probabilities after a, probabilities after b), two lists; greedy search takes a."""
    raise NotImplementedError


# %% [markdown] id="logs-text"
# ## Sums instead of products
#
# A search adds **log-probabilities**, $\log P(Y \mid x) = \sum_t \log p(y_t \mid y_{\lt t}, x)$.
# The logarithm is increasing, so the order of the sentences stays the same.

# %% id="largest"
for word, p in after(()).items():
    print(f"{word:5}  p = {p}   log p = {math.log(p):6.3f}   |log p| = {-math.log(p):.3f}")
zero_at = next(n for n in range(1, 400) if torch.tensor(0.1).pow(n) == 0)
print(f"in 32 bits 0.1 × 0.1 × … is 0 after {zero_at} steps")

# %% [markdown] id="underflow-read"
# Log-probabilities are negative. The best is the *largest*, the one nearest to 0, not the one with
# the largest absolute value. A product of many probabilities becomes exactly 0 in the computer
# (**underflow**), and two zeros cannot be ranked.

# %% [markdown] id="step-text"
# ## What a search needs to know of a model
#
# A search needs no layers and no weights, only a **step function**:
#
#     step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights)
#
# B sentences, K prefixes of each. `tokens` are the *last* tokens of the prefixes, `state` is what a
# prefix carries along (a hidden state), `memory` the encoder's states, `weights` attention or None.
# The collapsed cell makes one of our table.

# %% id="step-of" tags=["hide-input"]
# makes a step function of a table
import itertools

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
from attnlib.data import BOS

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
import math

from attnlib.data import BOS, EOS, PAD


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
# To *list* them is out of the question. But a search can be exact without listing.
# Log-probabilities only *fall* as a sentence grows, so a prefix that is less probable than some
# finished sentence can be left alone, with all that would follow ([Stahlberg and Byrne
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

# %% [markdown] id="exhaustive-read"
# The library's `exhaustive_search` finds the same. This is our **oracle**: slow, but where it ends,
# it is right.

# %% [markdown] id="beam-text"
# ## Beam search: k instead of one or all
#
# The compromise is **beam search**: at every step keep neither one prefix nor all of them but the k
# best **hypotheses**. k is the **beam width** (often 4 to 10). One step of a beam:
#
# 1. extend every prefix by every word, and add the log-probability;
# 2. sort all continuations together, the largest first;
# 3. walk down the list: an ending is set aside, anything else lives on, until k live on.
#
# That is $k \cdot V$ continuations per step, and $k \cdot V \cdot T$ in all.


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
# Do it once by hand with k = 2 ($\log 0.5 = -0.693$, $\log 0.4 = -0.916$). Which two prefixes live
# after the second step?

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
log_p, prefix = max(finished)
print(f"best of {len(finished)} finished: {' '.join(prefix)}, P = {math.exp(log_p):.3f}")

# %% [markdown] id="hand-read"
# The first step keeps *He* **and** *I*. At the second, *I went* overtakes *He went*. (*He* `<eos>`
# stands below the two that live on, so the walk never comes to it.) At the third, two sentences
# end: they are stored separately and no longer extended. At the fourth the others end too, and the
# best of the four is the answer. ([08b](08b_decoding.ipynb#cell-id=stop-text) asks when a beam may
# stop earlier.)

# %% id="hand-agree" tags=["check"]
# checks what the text says
records = []
[[answer]] = search.beam_search(
    step, memory, state, max_length=4, beam_size=2, trace=records.append, stop="never"
)
assert [words[i] for i in answer.tokens] == list(prefix[:-1])
assert abs(answer.log_prob - log_p) < 1e-6
[[exact]] = search.exhaustive_search(step, memory, state, max_length=5)
assert exact.tokens == answer.tokens and best_words == prefix[:-1]
assert abs(exact.log_prob - log_p) < 1e-6

# %% [markdown] id="tree-text"
# The library's `beam_search` finds the same. In its drawing a row is a step, and an arrow leads
# from each hypothesis, the **parent**, to those that extend it. The numbers at the left say in
# which slot of the row above each parent stood.

# %% id="tree"
from attnbook.figures import beam_diagram

drawn_tree = [
    {**r, "token": words[r["token"]], "log_prob": round(r["log_prob"], 3)} for r in records
]
beam_diagram(drawn_tree)

# %% [markdown] id="tree-read"
# Look at the two *went*: their parents have changed places. Branches die, others fork.
# (`views.beam_view(drawn_tree)` lets the tree grow step by step and shows what was cut off.)

# %% [markdown] id="errors-text"
# ## How often does a beam miss the best?
#
# A **search error**: the model knows a better sentence than the one that the search found. Take a
# thousand random models of four words and `<eos>`, with a distribution of its own after every
# prefix, and sentences of at most five words. All prefixes fit into one tensor, so the exact answer
# needs no search: add up level by level, and take the largest ending.

# %% id="random-models" tags=["hide-input"]
# makes a thousand random models
# The prefixes are numbered level by level: those that extend n have the numbers 4n + 1 to 4n + 4.
from torch.nn import functional as F

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


def interval(hits, n=MODELS, z=1.96):
    """The 95 % confidence interval of a share (Wilson 1927), as text."""
    center, half = hits + z * z / 2, z * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return f"{max(center - half, 0) / (n + z * z):.1%} to {(center + half) / (n + z * z):.1%}"


# %% id="oracle"
sums, endings, first = torch.zeros(MODELS, 1), [], 0
for t in range(LEVELS):
    rows = chances[:, first : first + 4**t]
    endings.append(sums + rows[..., 0])
    sums, first = (sums.unsqueeze(2) + rows[..., 1:]).flatten(1), first + 4**t
# the best log-probability of each model, and the number of its prefix
best, mode = torch.cat(endings, 1).max(1)

# %% id="oracle-agree" tags=["check"]
# checks what the text says
some = [part[:200] for part in start[1:]]
exact = search.exhaustive_search(random_step, *some, max_length=LEVELS)
torch.testing.assert_close(torch.tensor([h.log_prob for [h] in exact]), best[:200])

# %% [markdown] id="errors-predict"
# In how many of the thousand does greedy search miss the best sentence?

# %% id="predict-errors"
predict("08.errors", ...)

# %% id="errors"
found = {}
for k in range(1, 8):
    hypotheses = search.beam_search(*start, max_length=LEVELS, beam_size=k)
    found[k] = torch.tensor([h.log_prob for [h] in hypotheses])
errors = {k: int((scores < best - 1e-5).sum()) for k, scores in found.items()}
with reveal("08.errors", errors[1], within=100):
    for k, count in errors.items():
        print(f"k = {k}: {count:4} of {MODELS:,} models, 95 % interval {interval(count)}")

# %% [markdown] id="errors-read"
# <details><summary>What it says</summary>
#
# Greedy search (k = 1) is wrong half of the time, and a little width helps a lot. With real
# vocabularies the share falls far more slowly: [Stahlberg and Byrne
# 2019](D_papers.ipynb#cell-id=stahlberg-2019) still met search errors in 53.6 % of the sentences
# with a beam of 100.
#
# </details>

# %% [markdown] id="monotone-text"
# ### Is a wider beam at least never worse?
#
# It is tempting to say that a search which looks at more finds at least as much. How often does a
# beam of $k + 1$ find a *less* probable sentence?

# %% id="monotone"
for k in range(1, 5):
    worse = int((found[k + 1] < found[k] - 1e-5).sum())
    print(f"k = {k + 1} worse than k = {k}: {worse} of {MODELS:,}")

# %% [markdown] id="monotone-read"
# It is rare, but it happens. A small table shows how:

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
# both end badly. A wider beam does not keep all that a narrower one keeps.

# %% [markdown] id="mode-text"
# ## The best sentence may be no sentence
#
# So far more search was better. Now look at *what* an exact search finds. In how many of the
# thousand models is the *empty* output the most probable one?

# %% id="predict-empty"
predict("08.empty", ...)

# %% id="mode"
empty = int((mode == 0).sum())
with reveal("08.empty", empty, within=100):
    print(f"{empty} of {MODELS:,} models, 95 % interval {interval(empty)}")

# %% [markdown] id="mode-read"
# <details><summary>What it says</summary>
#
# Nearly half: each decision costs something, and the empty output pays for only one.
#
# </details>
#
# ### A sensible model
#
# Those models are random. Here is a sensible one. It wants to write n words, each in one of three
# equally good ways ("big", "large", "great"), and with a probability of only 2 % it ends at once.

# %% id="synonyms"
for n in range(1, 7):
    best_real = 0.98 / 3**n
    winner = "the empty output" if best_real < 0.02 else f"a sentence of length {n}"
    print(f"n = {n}: {3**n:3} good sentences, each P = {best_real:.4f}.  Most probable: {winner}")

# %% [markdown] id="synonyms-read"
# From four words on the *most probable* output is empty, in a model that is right in 98 % of all
# cases. Probability is spread over many good answers, and no single one is probable. The most
# probable one is called the **mode** of the distribution; it need not be typical of it.
#
# [Stahlberg and Byrne (2019)](D_papers.ipynb#cell-id=stahlberg-2019) searched a strong
# English–German system exactly: for 51.8 % of the test sentences its mode was empty. Exact search
# had 2.1 BLEU, and a beam of 10, with search errors in 57.7 % of the sentences, 30.3.
#
# **It is tempting to say that** a beam is a poor substitute for exact search. Here it is the other
# way round: the search errors of small beams *protect* such models from their own mode. [Meister,
# Cotterell and Vieira (2020)](D_papers.ipynb#cell-id=meister-2020) find what else a beam prefers:
# surprise spread evenly over the words (**uniform information density**).

# %% [markdown] id="why-text"
# ### Why short wins
#
# Back to the firefighter. Every word adds a negative number to log P. Watch the sum fall, for two
# of the sentences above.


# %% id="german" tags=["hide-input"]
# searches a German sentence, and adds up log P token by token
from attnlib.data import pad


def ready(text):
    """What a search of a German sentence starts from, and the most tokens it may write."""
    numbers = german.src_vocabulary.encode(text)
    src, mask = pad([[*numbers, EOS]])
    with torch.no_grad():
        encoded_text = german.model.encode(src, mask)
    return (encoded_text, german.model.decoder.start(encoded_text)), 2 * len(numbers) + 12


def translated(text, k, alpha=0.0, **options):
    """The best hypothesis of a beam of k, and its text."""
    begin, limit = ready(text)
    options |= {"beam_size": k, "alpha": alpha, "penalty": "power", "max_length": limit}
    [[h]] = search.beam_search(german.model.step, *begin, **options)
    return h, german.tgt_vocabulary.decode(h.tokens)


def running_sum(numbers, begin):
    """log P of a sentence, token by token, the end included."""
    memory, state = begin
    sums, last = [0.0], BOS
    for number in [*numbers, EOS]:
        log_probs, state, _ = german.model.step(torch.tensor([[last]]), memory, state)
        sums.append(sums[-1] + float(log_probs[0, 0, number].detach()))
        last = number
    return sums

# %% id="why"
begin, limit = ready(fire)
falling = {}
for k, alpha in ((5, 0), (50, 0), (50, 1)):
    h, text = translated(fire, k, alpha)
    falling[text] = running_sum(h.tokens, begin)
for text, path in falling.items():
    tokens = len(path) - 1
    print(f"{path[-1]:6.1f} = {tokens:2} tokens × {path[-1] / tokens:.2f}   {text!r}")

print("two sentences of our own:")
for text in ("A firefighter is excited at a school class how to put out a fire.",
             "A firefighter explains to a school class how to put out a fire."):
    path = running_sum(german.tgt_vocabulary.encode(text), begin)
    print(f"{path[-1]:6.1f}   {text!r}")

# %% id="why-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8, 3.8))
for n, (text, path) in enumerate(pair for pair in falling.items() if pair[0]):
    look = {"marker": "os"[n], "color": figures.PALETTE[n], "markersize": 4}
    ax.plot(range(len(path)), path, label=text, **look)
nothing = falling[""][-1]
ax.axhline(nothing, color="#444444", linestyle="--")
ax.text(0, nothing - 0.2, "the empty output", va="top")
ax.set(title="Every token costs", xlabel="tokens so far", ylabel="log P so far (nats)")
ax.set_xticks(range(0, 20, 3))
fig.legend(frameon=False, loc="outside lower center")
plt.show()

# %% [markdown] id="why-alt"
# <details><summary>The figure in words</summary>
#
# Two falling staircases of log P against the number of tokens, for the sentence of the beam of five
# and for the rescued one, and a dashed level line near −8 for the empty output. Both staircases
# cross the line well before their ends, which lie between −10 and −12.
#
# </details>

# %% [markdown] id="why-read"
# *Per token* both sentences cost little. The empty output is a single decision, so improbable that
# it costs as much as a dozen tokens of the others; a longer sentence costs more.
#
# *A fireman.* wins for the same reason. Does anything cost less still? A beam that is wide enough
# can prove that nothing does:

# %% id="why-proof"
kept = []
proved, text = translated(fire, 200, trace=kept.append)
lived = [r for r in kept if r["status"] == "live" and r["step"] > 0]
least = {}  # of each step: the least probable prefix that the beam kept
for r in lived:
    least[r["step"]] = min(r["log_prob"], least.get(r["step"], 0.0))
print(f"a beam of 200: {proved.log_prob:.1f}   {text!r}")
print(f"all that it cut off lies below {max(least.values()):.1f}")

# %% [markdown] id="why-proof-read"
# Whatever this beam cut off was already less probable than its answer, and can only fall. So this
# model's most probable translation is *A fireman.* The sentence that we want has −50.6: no search
# has overlooked it. That wide beams translate worse is known as the **beam search curse** ([Yang,
# Huang and Ma 2018](D_papers.ipynb#cell-id=yang-2018)).
#
# <details><summary>The root of it</summary>
#
# [Murray and Chiang (2018)](D_papers.ipynb#cell-id=murray-2018) name it **label bias**: a model
# that normalizes at every step must spend all its probability on the next word and cannot say "what
# follows will be bad", so an early end never pays for what it leaves out.
#
# And no caption of the training was empty: where does the empty output get its probability from?
# This translator was trained with **label smoothing** (라벨 스무딩): at every step the target
# leaves a tenth of the probability to all tokens together, `<eos>` among them. [Shi, Xiao and
# Knight (2020)](D_papers.ipynb#cell-id=shi-2020) name that as one of two reasons; the other is that
# one and the same `<eos>` ends sentences of every length. [Kulikov, Eremeev and Cho
# (2022)](D_papers.ipynb#cell-id=kulikov-2022) call probability on outputs that are too short
# **oversmoothing** and train against it.
#
# </details>

# %% [markdown] id="typical-text"
# ### The mode is not what a model writes
#
# What does a model *write*, if each word is drawn with its probability? Draw 400 translations of
# *Zwei Frauen trinken im Park Kaffee.*, where all searches agreed. How many will be exactly the
# sentence that they found?

# %% id="predict-typical"
predict("08.typical", ...)

# %% id="typical"
drawn_of, likeliest = {}, {}
for name, text in (("coffee", park), ("fire", fire)):
    begin_text, longest = ready(text)
    draw = torch.Generator().manual_seed(8)
    options = {"max_length": longest, "samples": 400, "generator": draw}
    [drawn] = search.sample_search(german.model.step, *begin_text, **options)
    top, _ = translated(text, 50)
    hits = sum(one.tokens == top.tokens for one in drawn)
    different = len({tuple(one.tokens) for one in drawn})
    middle = torch.tensor([one.log_prob for one in drawn]).median()
    drawn_of[name] = hits, different, float(middle)
    likeliest[name] = top.log_prob
with reveal("08.typical", drawn_of["coffee"][0], within=20):
    for name, (hits, different, middle) in drawn_of.items():
        print(f"{name:6}: beam of 50, log P = {likeliest[name]:4.1f}, drawn ≈{hits} times; "
              f"≈{different} different; median log P ≈{middle:.0f}")

# %% id="typical-check" tags=["check"]
# checks what the text says
assert max(least.values()) < proved.log_prob  # the proof that no search has overlooked anything
for name, most in (("coffee", (30, 60)), ("fire", (0, 2))):
    hits, different, middle = drawn_of[name]
    check_range(hits, *most)
    check_range(different, 270, 400)
    check_range(middle, -65, -12)

# %% [markdown] id="typical-read"
# <details><summary>What it says</summary>
#
# Even here it is about one draw in ten, as its log P of −2.3 says. The others are scattered over
# hundreds of sentences, most of them hopelessly improbable alone. (Those about as improbable as the
# average draw are the **typical set**.) For the fire the beam's answer was hardly ever drawn.
# [Eikema and Aziz (2020)](D_papers.ipynb#cell-id=eikema-2020) measured the same and conclude: the
# models are not as bad as their modes; what is inadequate is to ask a distribution for its highest
# point alone. [08b](08b_decoding.ipynb#cell-id=risk-text) takes up their proposal.
#
# </details>

# %% [markdown] id="length-text"
# ## Paying for length
#
# The oldest remedy mends the score. A sum of negative numbers gets smaller with every term, so take
# the mean per token, $\frac1n \sum \log p$: that rescued the firefighter. [Wu et
# al.](D_papers.ipynb#cell-id=wu-2016) (2016, Eq. 14) divide by something milder:
#
# $$s(Y) = \frac{\log P(Y \mid x)}{lp(|Y|)},
# \qquad lp(n) = \Big(\frac{5 + n}{6}\Big)^{\alpha}$$
#
# α = 0 changes nothing; $lp(n) = n^\alpha$ with α = 1 is the mean per token. The length $n$ counts
# the eos.
#
# **It is tempting to say that** a **length penalty** punishes long sentences, as its name says. But
# log-probabilities are *negative*, and dividing by more brings them nearer to 0: α > 0 **helps**
# long sentences. Here are two hypotheses, of 3 tokens with log-probability −2.0 and of 9 tokens
# with −2.6:

# %% id="length-use"
for alpha in (0.0, 0.2, 0.4, 0.6, 1.0):
    short = -2.0 / search.length_penalty(3.0, alpha)
    long = -2.6 / search.length_penalty(9.0, alpha)
    winner = "short" if short > long else "long"
    print(f"α = {alpha}: short {short:.3f}, long {long:.3f}: the {winner} one wins")
turn = math.log(2.6 / 2.0) / math.log((5 + 9) / (5 + 3))
print(f"they change places at α = {turn:.3f}")

# %% [markdown] id="length-use-read"
# α is a rate of exchange: it says how many times as many nats a hypothesis may cost for being so
# many times as long (with five tokens added to both).
#
# <details><summary>Where do they change places?</summary>
#
# There the two scores are equal, and the sixes cancel:
#
# $$\Big(\frac{5 + 9}{5 + 3}\Big)^{\alpha} = \frac{2.6}{2.0}.$$
#
# </details>

# %% [markdown] id="rerank-text"
# ### Rank them yourself
#
# Here is what beams of 1, 5 and 50 found for the firefighter (recorded by
# `studies/search_hypotheses.py`). Begin at α = 0 and move the slider slowly to 2.

# %% id="rerank"
from attnbook import views

firefighter = read_record("08_hypotheses")["runs"][0]
recorded_beams = {int(k): rows for k, rows in firefighter["beams"].items()}
views.rerank_view(
    recorded_beams, reference=firefighter["reference"], title="A firefighter, ranked anew"
)

# %% [markdown] id="rerank-read"
# A small α lifts a whole sentence above the empty one. At α = 2 the longest have climbed:
# *scrapping* comes second, because it is cut into more subwords than *excited*. So α can be too
# large as well. BLEU cannot tell *start a fire* from *wash a fire*.

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("08", "abcda")`.

# %% id="recall"
recall("08")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - The most probable next word does not make the most probable sentence.
# - A beam keeps k prefixes; endings are set aside. Search errors fall with k.
# - Better search is not better translation: the mode can be empty, because a sentence pays for
#   every token and the empty output pays once.
# - What a model writes by fair draws need not be like its mode.
# - Dividing by lp(n) *helps* long hypotheses.
#
# **Left out.** When a beam may stop, how wide it should be, and sampling: see the second file.
#
# <details><summary>Papers</summary>
#
# [Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019) (exact search, empty modes);
# [Meister, Cotterell and Vieira 2020](D_papers.ipynb#cell-id=meister-2020) ("If beam search is the
# answer, what was the question?"); [Murray and Chiang 2018](D_papers.ipynb#cell-id=murray-2018) and
# [Yang, Huang and Ma 2018](D_papers.ipynb#cell-id=yang-2018) (why short wins); [Shi, Xiao and
# Knight 2020](D_papers.ipynb#cell-id=shi-2020) and [Kulikov, Eremeev and Cho
# 2022](D_papers.ipynb#cell-id=kulikov-2022) (label smoothing, oversmoothing); [Eikema and Aziz
# 2020](D_papers.ipynb#cell-id=eikema-2020) (mode and typical set); [Wu et al.
# 2016](D_papers.ipynb#cell-id=wu-2016) (§7, Eq. 14); [Graves
# 2012](D_papers.ipynb#cell-id=graves-2012) and [Sutskever et al.
# 2014](D_papers.ipynb#cell-id=sutskever-2014) (beam search in neural sequence models); [Wilson
# 1927](D_papers.ipynb#cell-id=wilson-1927) (the intervals).
#
# </details>
#
# **Next.** [08b](08b_decoding.ipynb): how does one decode in practice?
