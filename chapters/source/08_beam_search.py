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
# **You will learn to** write a beam search, measure how often it misses the best sentence, say why
# the most probable sentence can be empty, and fix that.
#
# **What you need.** A decoder that predicts the next word (chapters 3 and 5). BLEU is a number from
# 0 to 100; chapter 9 explains it.
#
# **Time.** 26 minutes to read, 60 for exercises 8.1 to 8.4; half a minute to run.

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
fisherman = "Ein Fischer flickt am Hafen sein Netz, neben ihm schläft eine Katze."
worker = (
    "Ein Arbeiter mit Helm sitzt auf einem Stahlträger hoch über der Stadt "
    "und isst sein Mittagessen."
)
for text in (fisherman, worker):
    for k, alpha in ((1, 0), (5, 0), (50, 0), (50, 1)):
        found = german.translate(text, k, alpha=alpha)
        log_prob = found.score * len(found.tgt_tokens) ** alpha  # the score is divided by it
        print(f"k = {k:2}, α = {alpha}   log P = {log_prob:5.1f}   {found.text!r}")
    print()

# %% [markdown] id="first-read"
# These are two captions: *A fisherman is mending his net in the harbor, and a cat is sleeping next
# to him*, and *A worker in a helmet sits on a steel girder high above the city and eats his lunch*.
# All eight lines come from *one* model, the German-to-English translator of chapter 10, trained on
# captions of photographs.
#
# With $k = 1$ it takes the most probable word at every step. With $k = 5$ it keeps the five best
# beginnings and finds a more probable sentence. With $k = 50$ it finds an even more probable
# output: for the first caption **nothing**, an empty pair of quotation marks, and for the second
# two words. With $\alpha = 1$, in the last line of each, it chooses by log P *divided by the number
# of tokens*, and returns a whole sentence.
#
# How is the most probable sentence found? And is it the sentence that we want?

# %% [markdown] id="problem-text"
# ## A model of next words is not yet a translation
#
# A translator gives the probabilities of *one* next word. The probability of a sentence is their
# product, the end-of-sentence token `<eos>` included:
#
# $$P(Y \mid x) = \prod_t p(y_t \mid y_{\lt t}, x)$$
#
# ($x$ is the sentence to translate, $y_t$ word $t$ of the translation, $y_{\lt t}$ the words before
# it.) **Decoding** (디코딩) is the search for a good $Y$. Take 집에 갔다 (*to-home went*). Korean
# can omit the subject, so the model has to guess. Here is all that a made-up model knows: which
# words can come after each **prefix**, the words written so far. After a prefix without a row,
# `<eos>` is certain.

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
# The simplest rule is **greedy search** (그리디 디코딩, 탐욕 탐색): at every step take the most
# probable word.

# %% id="greedy"
prefix = ()  # the words written so far
probability = 1.0
word = None
while word != "<eos>":
    choices = after(prefix)
    word = max(choices, key=choices.get)  # the one with the largest probability
    probability *= choices[word]
    prefix = (*prefix, word)
    print(f"take {word:5} ({choices[word]})  so far {probability:.3f}")

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
# That is an error of the **search**. Whether *I* is the right subject is a different question,
# about the **model**.

# %% [markdown] id="ex-greedy-trap-text"
# ### Exercise 8.1 · A trap for greedy search
# *Warm-up, 8 minutes.* A model writes two words. The first is *a* with probability `p` (more than
# one half) or *b* with probability 1 − `p`. Choose what can follow, so that greedy search ends with
# a *less* probable sentence than the best. Return two lists of probabilities of any length: of the
# words that can follow *a*, and of those that can follow *b*. It must work for every `p` below 1.
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
product = torch.tensor(0.1)
steps = 1
while product > 0:
    product = product * 0.1
    steps += 1
print(f"in 32 bits 0.1 × 0.1 × … is 0 after {steps} steps")

# %% [markdown] id="underflow-read"
# Log-probabilities are negative. The best is the *largest*, the nearest to 0, not the one with the
# largest absolute value. A product of many probabilities becomes exactly 0 in the computer
# (**underflow**), and two zeros cannot be ranked.

# %% [markdown] id="step-text"
# ## What a search needs to know of a model
#
# A search needs no layers and no weights, only a **step function**. It takes the *last* token of
# each prefix and the `state` that the prefix carries along, and returns the log-probabilities of
# all V next tokens and the new state:
#
#     step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights)
#
# B sentences are searched at once, with K prefixes each. `memory` contains the encoder's states;
# `weights` is the attention, or None. The next cell turns our table into a step function and calls
# it for the empty prefix.

# %% id="step-of" tags=["hide-input"]
# makes a step function from a table, and calls it
from attnlib.data import BOS

words = ["<pad>", "<unk>", "<sos>", "<eos>", "He", "I", "went", "came", "home"]


def step_of(after, words):
    """A step function for a table: prefix → {word: probability}."""

    def step(tokens, memory, state):  # state (B, K, t): all tokens before the last
        state = torch.cat([state, tokens.unsqueeze(2)], dim=2)
        B, K = tokens.shape
        probs = torch.zeros(B, K, len(words))
        for b in range(B):
            for k in range(K):
                numbers = state[b, k].tolist()[1:]  # without <sos>
                prefix = tuple(words[number] for number in numbers)
                for word, p in after(prefix).items():
                    probs[b, k, words.index(word)] = p
        return probs.log(), state, None

    return step


step = step_of(after, words)
memory = torch.zeros(1)  # this model has no encoder
state = torch.zeros(1, 1, 0, dtype=torch.long)  # one sentence, one prefix, no token yet
log_probs, _, _ = step(torch.tensor([[BOS]]), memory, state)
print(f"log_probs has shape {tuple(log_probs.shape)}; the probabilities above 0 are")
for word, p in zip(words, log_probs[0, 0].exp()):
    if p > 0:
        print(f"{word:5} {p:.1f}")

# %% [markdown] id="ex-greedy-tokens-text"
# ### Exercise 8.2 · Greedy search over a step function
# *Core, 12 minutes.* One sentence: `tokens` has shape (1, 1), the log-probabilities (1, 1, V).
# Begin with the start token `BOS` (2); choose the most probable token that is neither `PAD` (0) nor
# `BOS`; stop at `EOS` (3) or after `max_length` tokens, eos counted. Return the list of tokens
# without the eos, and the log-probability of everything chosen, eos included. The tensors that
# `step` returns belong to the model: change only a copy.
#
# <details><summary>Hint 1</summary>
#
# Each round feeds the token chosen last, as `torch.tensor([[last]])`, and the state that the
# previous round returned.
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
# The place of the largest number of the row is the token; the number itself is added to the sum.
# Add first, then check whether it was the eos.
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
tokens, log_prob = greedy_tokens(step, memory, state, max_length=5)
[[library]] = search.greedy_search(step, memory, state, max_length=5)  # one sentence, one answer
print(
    f"yours    {[words[i] for i in tokens]}  log P = {log_prob:.3f}, P = {math.exp(log_prob):.3f}"
)
print(f"library  {[words[i] for i in library.tokens]}  log P = {library.log_prob:.3f}")

# %% [markdown] id="exhaustive-text"
# ## Trying everything
#
# Why not list all sentences, as above (**exhaustive search**, 완전 탐색)? With $V$ words and at
# most $T$ steps there are about $V^T$ sentences: for 3,000 words and 30 steps, a number of 105
# digits.
#
# A search can be exact without listing, though. Log-probabilities only *fall* as a sentence grows,
# so a prefix that is less probable than some finished sentence can be dropped, with all its
# continuations ([Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019)). This search
# goes depth first, and tries the most probable word first:


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
# The library's `exhaustive_search` finds the same sentence. Exact search is our **oracle**: slow,
# but certainly right.

# %% [markdown] id="beam-text"
# ## Beam search: k instead of one or all
#
# The compromise is **beam search** (빔 서치): at every step keep the k best prefixes, here called
# **hypotheses**. k is the **beam width** (빔 크기), often 4 to 10. One step of a beam:
#
# 1. extend every prefix by every word, and add the word's log-probability;
# 2. sort all continuations together, the largest first;
# 3. go down the list until k live on: an ending is set aside, any other prefix lives on.
#
# That is $k \cdot V$ continuations per step, and $k \cdot V \cdot T$ in all.


# %% id="beam-step"
def extend(prefixes, k):
    """All continuations, best first; the k that live on; the endings met on the way."""
    found = []
    for log_p, prefix in prefixes:
        for word, p in after(prefix).items():
            found.append((log_p + math.log(p), (*prefix, word)))
    found.sort(key=lambda pair: pair[0], reverse=True)
    going, ended = [], []
    for log_p, prefix in found:
        if len(going) == k:
            break
        if prefix[-1] == "<eos>":
            ended.append((log_p, prefix))
        else:
            going.append((log_p, prefix))
    return found, going, ended


# %% [markdown] id="hand-text"
# Do it once on paper with k = 2 ($\log 0.5 = -0.693$, $\log 0.4 = -0.916$). Which two prefixes live
# after the second step?

# %% id="hand"
alive = [(0.0, ())]  # log P and words of each prefix
finished = []
for t in (1, 2, 3, 4):
    everything, alive, ended = extend(alive, k=2)
    finished += ended
    print(f"step {t}")
    for log_p, prefix in everything:
        fate = "dropped"
        if (log_p, prefix) in alive:
            fate = "lives on"
        elif (log_p, prefix) in ended:
            fate = "set aside"
        print(f"  {' '.join(prefix):18} {log_p:7.3f}  P = {math.exp(log_p):.3f}  {fate}")
log_p, prefix = max(finished)
print(f"best of {len(finished)} finished: {' '.join(prefix)}, P = {math.exp(log_p):.3f}")

# %% [markdown] id="hand-read"
# The first step keeps *He* **and** *I*. At the second, *I went* overtakes *He went*. (*He* `<eos>`
# is below the two that live on, so it is never reached.) At the third, two sentences end: they are
# set aside and no longer extended. At the fourth, the others also end, and the best of the four is
# the answer. The library's `beam_search` finds the same. In the drawing of its search, a row is a
# step, and an arrow leads from each hypothesis, the **parent**, to those that extend it.

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

# %% id="tree"
from attnbook.figures import beam_diagram

drawn_tree = []
for r in records:
    drawn = dict(r)
    drawn["token"] = words[r["token"]]
    drawn["log_prob"] = round(r["log_prob"], 3)
    drawn_tree.append(drawn)
beam_diagram(drawn_tree)

# %% [markdown] id="tree-read"
# *Figure 1. The beam of two. The numbers at the left are the parents' places in the row above.*
#
# Look at the two *went*: they have changed places relative to their parents.
# (`views.beam_view(drawn_tree)` of `attnbook` grows the tree step by step, and shows what was
# dropped.)

# %% [markdown] id="state-text"
# ## Every prefix goes on from its own state
#
# A library keeps the states of all K prefixes in one tensor. After a step, place 0 can contain a
# continuation of the prefix that was in place 2. Each place then needs the state of its **parent**.

# %% [markdown] id="ex-reorder-text"
# ### Exercise 8.3 · States follow their prefixes
# *Core, 10 minutes.* `state` is a dictionary of tensors (B, K, …) of any further dimensions;
# `parents` (B, K') contains, for every new place, the number of the old place that it extends.
# Return a new dictionary of tensors (B, K', …).
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
# Use the numbers of the sentences, as a column, for every tensor of the dictionary.
#
# </details>


# %% id="ex-reorder" tags=["exercise"]
@exercise
def reorder(state, parents):
    """The state of each new place's parent. state: name → (B, K, …), parents (B, K')."""
    raise NotImplementedError


# %% [markdown] id="reorder-use-text"
# ### The bug that raises no error
#
# Here is a beam of 4 on the first caption, for 12 steps, once with your `reorder` and once with
# states that stay where they are. The search *claims* a log-probability; to check it, the model
# then reads the same tokens from the start.

# %% id="german" tags=["hide-input"]
# begins a search of a German caption, and lets the model read a translation
from attnlib.data import pad


def ready(text):
    """Memory and state from which a search of a German caption starts, and its most tokens."""
    numbers = german.src_vocabulary.encode(text)
    src, mask = pad([[*numbers, EOS]])
    with torch.no_grad():
        memory = german.model.encode(src, mask)
        state = german.model.decoder.start(memory)
    return memory, state, 2 * len(numbers) + 12


@torch.no_grad()
def running_sum(numbers, text):
    """log P of a translation of a caption after each of its tokens; the first entry is 0."""
    memory, state, _ = ready(text)
    sums, last = [0.0], BOS
    for number in numbers:
        log_probs, state, _ = german.model.step(torch.tensor([[last]]), memory, state)
        sums.append(sums[-1] + float(log_probs[0, 0, number]))
        last = number
    return sums


def stay(state, parents):
    """The bug: hypothesis k continues from the state that was in place k."""
    return state


# %% id="reorder-use"
@torch.no_grad()
def twelve_steps(move, K=4):
    """The K best beginnings of 12 tokens, and the log-probabilities claimed for them."""
    memory, state, _ = ready(fisherman)
    state = reorder(state, torch.zeros(1, K, dtype=torch.long))  # K copies of the first state
    claimed = torch.tensor([[0.0] + [-math.inf] * (K - 1)])  # only the first copy counts
    tokens = torch.full((1, K), BOS)
    written = torch.zeros(1, K, 0, dtype=torch.long)
    for _ in range(12):
        log_probs, state, _ = german.model.step(tokens, memory, state)
        V = log_probs.shape[2]
        sums = claimed.unsqueeze(2) + log_probs  # (1, K, V)
        claimed, pick = sums.flatten(1).topk(K)
        parents = pick // V
        tokens = pick % V
        state = move(state, parents)
        written = torch.cat([written[0, parents], tokens.unsqueeze(2)], dim=2)
    return written[0].tolist(), claimed[0].tolist()


gaps = {}
for name, move in (("reordered", reorder), ("not reordered", stay)):
    texts, claims = twelve_steps(move)
    read = [running_sum(text, fisherman)[-1] for text in texts]
    gaps[name] = max(abs(r - c) for r, c in zip(read, claims))
    print(
        f"{name:13} claims {claims[0]:6.2f}, read again {read[0]:6.2f}: "
        f"{german.tgt_vocabulary.decode(texts[0])!r}"
    )

# %% [markdown] id="reorder-read"
# There is no error and no warning, only wrong numbers. With the bug, the search claims almost the
# same log-probability, but for a beginning that the model itself finds far less probable. The best
# beginning can be right by luck, so read *all* K prefixes again.

# %% [markdown] id="errors-text"
# ## How often does a beam miss the best?
#
# A **search error** means that the model gives some sentence a higher probability than the sentence
# found. We take a thousand random models, with four words and `<eos>`, a random distribution after
# every prefix, and sentences of at most five words. All prefixes fit into one tensor, so the exact
# answer is simple: add log-probabilities level by level, and take the largest sum that ends in
# `<eos>`.

# %% id="random-models" tags=["hide-input"]
# makes a thousand random models, and finds their best sentences
# The prefixes are numbered level by level: those that extend n have the numbers 4n + 1 to 4n + 4.
MODELS, LEVELS = 1000, 6
prefixes = sum(4**t for t in range(LEVELS))  # 1 + 4 + 16 + … + 1024
logits = 1.5 * torch.randn(MODELS, prefixes, 5, generator=generator)  # <eos> and four words
logits[:, -(4**5) :, 1:] = -math.inf  # after five words only <eos> may come
next_log_probs = logits.log_softmax(-1)


def random_step(tokens, memory, state):  # memory: numbers of the models, state: of the prefixes
    extended = 4 * state + tokens - 3  # the words are the tokens 4 to 7
    numbers = torch.where(tokens == BOS, 0, extended)
    rows = next_log_probs[memory.unsqueeze(1), numbers]
    never = torch.full((*tokens.shape, 3), -math.inf)  # <pad>, <unk>, <sos>
    return torch.cat([never, rows], dim=2), numbers, None


models = torch.arange(MODELS)
roots = torch.zeros(MODELS, 1, dtype=torch.long)  # every search starts at prefix 0


def interval(hits, n=MODELS, z=1.96):
    """The 95% confidence interval of a share (Wilson 1927), as text."""
    center = hits + z**2 / 2
    half = z * math.sqrt(hits * (n - hits) / n + z**2 / 4)
    low = max(center - half, 0) / (n + z**2)
    high = (center + half) / (n + z**2)
    return f"{low:.1%} to {high:.1%}"


sums = torch.zeros(MODELS, 1)  # log P of all prefixes of a level
endings = []
start = 0  # number of the first prefix of the level
for t in range(LEVELS):
    level = next_log_probs[:, start : start + 4**t]
    endings.append(sums + level[:, :, 0])
    sums = (sums.unsqueeze(2) + level[:, :, 1:]).flatten(1)
    start += 4**t
best = torch.cat(endings, dim=1).max(dim=1).values  # the best log P of each model

# %% [markdown] id="errors-predict"
# In how many of the thousand models does greedy search miss the best sentence?

# %% id="predict-errors"
predict("08.errors", ...)

# %% id="errors"
found, errors = {}, {}
for k in range(1, 8):
    hypotheses = search.beam_search(random_step, models, roots, max_length=LEVELS, beam_size=k)
    found[k] = torch.tensor([h.log_prob for [h] in hypotheses])  # one for each model
    errors[k] = int((found[k] < best - 1e-5).sum())
with reveal("08.errors", errors[1], within=100):
    for k, count in errors.items():
        print(f"k = {k}: {count:4} of {MODELS:,} models, 95% interval {interval(count)}")

# %% [markdown] id="errors-read"
# <details><summary>What it says</summary>
#
# Greedy search (k = 1) misses it in half of the models, and a little width helps a lot. (The
# interval is where the share in *all* random models of this kind probably is; we drew only a
# thousand.) How fast the errors fall depends on the model: in a strong translator of news,
# [Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019) still found search errors in
# 53.6% of the sentences with a beam of 100.
#
# </details>

# %% [markdown] id="monotone-text"
# ### Is a wider beam at least never worse?
#
# How often does a beam of $k + 1$ find a *less* probable sentence than a beam of $k$?

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
letters = ["<pad>", "<unk>", "<sos>", "<eos>", "a", "b", "u", "v", "x", "y", "z"]


def after_crowd(prefix):
    return crowd.get(prefix, {"<eos>": 1.0})


crowded = step_of(after_crowd, letters)
for k in (1, 2, 3):
    [[h]] = search.beam_search(crowded, memory, state, max_length=5, beam_size=k)
    print(f"k = {k}: {' '.join(letters[i] for i in h.tokens):5} P = {math.exp(h.log_prob):.3f}")

# %% [markdown] id="crowded-read"
# Alone, *a* continues to *a x* and ends with 0.180. With k = 2 the beam also keeps *b*, whose two
# children (0.44 × 0.51 and 0.44 × 0.49, about 0.22 each) crowd *a x* (0.18) out of the beam, and
# both end badly. A wider beam need not keep all that a narrower one keeps.

# %% [markdown] id="mode-text"
# ## The best sentence may be no sentence
#
# So far, more search was nearly always better. Why then does the widest beam write nothing for the
# fisherman? Every word adds a negative number to log P. Watch the sum fall:


# %% id="why"
def translated(text, k, trace=None):
    """The most probable hypothesis of a beam of k, and its text."""
    memory, state, limit = ready(text)
    [[h]] = search.beam_search(
        german.model.step, memory, state, max_length=limit, beam_size=k, trace=trace
    )
    return h, german.tgt_vocabulary.decode(h.tokens)


falling = {}  # output: log P after each of its tokens
for k in (1, 5, 50):
    h, text = translated(fisherman, k)
    path = running_sum([*h.tokens, EOS], fisherman)
    falling[text] = path
    n = len(path) - 1
    print(f"{path[-1]:5.2f} = {n:2} tokens × {path[-1] / n:5.2f}   {text!r}")

# %% id="why-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8, 3.8))
for marker, color, (text, path) in zip("os", figures.PALETTE, falling.items()):  # the sentences
    ax.plot(range(len(path)), path, marker=marker, color=color, markersize=4, label=text)
nothing = falling[""][-1]
ax.axhline(nothing, color="#444444", linestyle="--")
ax.text(0, nothing + 0.1, "the empty output", va="bottom")
ax.set(xlabel="tokens so far", ylabel="log P so far (nats)")
ax.set_title("Figure 2. Every token costs")
ax.set_xticks(range(0, 20, 3))
fig.legend(frameon=False, loc="outside lower center")
plt.show()

# %% [markdown] id="why-alt"
# <details><summary>The figure in words</summary>
#
# Two falling staircases of log P against the number of tokens, from 0 to 19, for the sentences that
# beams of one and of five find, and a dashed level line at −7.7 for the empty output. Both stay
# above the line until the last two tokens, and end below it, at −9 and at −8.
#
# </details>

# %% [markdown] id="why-read"
# *Per token* both sentences cost little. The empty output is a single decision, so improbable that
# it costs nearly as much as nineteen cheap ones, but it is paid only once.
#
# Does anything cost even less? A beam that is wide enough can *prove* that nothing does:

# %% id="why-proof"
leads = []
for name, text in (("fisherman", fisherman), ("worker", worker)):
    kept = []
    proved, answer = translated(text, 200, trace=kept.append)
    live = [r for r in kept if r["status"] == "live"]
    bounds = []  # what a step drops is below the least probable prefix that it keeps
    for t in range(1, live[-1]["step"] + 1):
        bounds.append(min(r["log_prob"] for r in live if r["step"] == t))
    leads.append(proved.log_prob - max(bounds))
    print(
        f"{name:9}: the beam of 200 finds {answer!r}, log P = {proved.log_prob:.1f}; "
        f"all that it dropped is below {max(bounds):.1f}"
    )

# %% [markdown] id="why-proof-read"
# Every prefix that this beam dropped was already less probable than its answer, and can only become
# less so. The search is not to blame: the *model's* most probable translations are nothing and *A
# worker.*
#
# ### A model that is right in 98 of 100 cases
#
# The most probable output is called the **mode** (최빈값) of a distribution. Can the mode of a good
# model be empty? Suppose that a model writes n words, each in one of three equally good ways
# ("big", "large", "great"), and ends at once with a probability of only 2%.

# %% id="synonyms"
for n in range(1, 7):
    best_real = 0.98 / 3**n
    winner = "the empty output" if best_real < 0.02 else f"a sentence of length {n}"
    print(f"n = {n}: {3**n:3} good sentences, each P = {best_real:.4f}.  Most probable: {winner}")

# %% [markdown] id="synonyms-read"
# From four words onward, the *most probable* output is empty. Probability is spread over many good
# sentences, so no single one has much; the mode need not be typical.
#
# [Stahlberg and Byrne (2019)](D_papers.ipynb#cell-id=stahlberg-2019) searched a strong
# English–German system exactly: for 51.8% of the test sentences the mode was empty. Exact search
# scored 2.1 BLEU; a beam of 10, with search errors in 57.7% of the sentences, scored 30.3. The
# search errors of small beams *protect* such models from their own mode. That wide beams translate
# worse is known as the **beam search curse** (빔 서치의 저주; [Yang, Huang and Ma
# 2018](D_papers.ipynb#cell-id=yang-2018)).
#
# <details><summary>The root of it</summary>
#
# [Murray and Chiang (2018)](D_papers.ipynb#cell-id=murray-2018) name it **label bias**: a model
# that normalizes at every step must spend all its probability on the next word and cannot say "what
# follows will be bad", so an early end never pays for what it leaves out.
#
# No caption of the training was empty: how can the empty output win? [Shi, Xiao and Knight
# (2020)](D_papers.ipynb#cell-id=shi-2020) name two reasons, neither of them tested here. The first
# is **label smoothing** (라벨 스무딩), with which this translator was also trained: at every step
# the target takes one tenth of the probability from the right token and spreads it over all 4,000
# tokens. That makes every long sentence less probable. (It gives `<eos>` itself very little: one
# tenth of 1/4,000 has log P = −10.6, far below the −7.7 of the fisherman's empty output.) The
# second is that the same `<eos>` ends sentences of every length, so that some of its probability
# leaks to length zero. [Kulikov, Eremeev and Cho (2022)](D_papers.ipynb#cell-id=kulikov-2022) call
# probability on outputs that are too short **oversmoothing** and train against it. [Meister,
# Cotterell and Vieira (2020)](D_papers.ipynb#cell-id=meister-2020) ask what else a beam prefers:
# surprise spread evenly over the words.
#
# </details>

# %% [markdown] id="length-text"
# ## Paying for length
#
# The usual fix changes the score. A sum of negative numbers falls with every term, so rank by the
# mean per token, $\frac1n \sum \log p$, which brought the fisherman back. [Wu et
# al.](D_papers.ipynb#cell-id=wu-2016) (2016, Eq. 14) divide by something milder:
#
# $$s(Y) = \frac{\log P(Y \mid x)}{lp(|Y|)},
# \qquad lp(n) = \Big(\frac{5 + n}{6}\Big)^{\alpha}$$
#
# α = 0 changes nothing; $lp(n) = n^\alpha$ with α = 1 is the mean per token. The length $n$ counts
# the eos.
#
# Does a **length penalty** (길이 페널티) penalize long sentences, as its name says?
# Log-probabilities are *negative*, and dividing by a larger number brings them nearer to 0: α > 0
# **helps** long sentences. Here are two hypotheses, one of 3 tokens with log-probability −2.0 and
# one of 9 tokens with −2.6:

# %% id="length-use"
for alpha in (0.0, 0.2, 0.4, 0.6, 1.0):
    short = -2.0 / search.length_penalty(3.0, alpha)
    long = -2.6 / search.length_penalty(9.0, alpha)
    winner = "short" if short > long else "long"
    print(f"α = {alpha}: short {short:.3f}, long {long:.3f}: the {winner} one wins")
turn = math.log(2.6 / 2.0) / math.log((5 + 9) / (5 + 3))
print(f"they change places at α = {turn:.3f}")

# %% [markdown] id="length-use-read"
# <details><summary>Where do they change places?</summary>
#
# There the two scores are equal, and the sixes cancel:
#
# $$\Big(\frac{5 + 9}{5 + 3}\Big)^{\alpha} = \frac{2.6}{2.0}.$$
#
# </details>
#
# How much does it gain? Here is a translator of captions, German to English, on 250 validation
# captions (recorded by `studies/search_sweep.py`). Only the beam width and the ranking differ.

# %% id="curse"
sweep = read_record("08_multi30k")
[widths] = [run["rows"] for run in sweep["runs"] if run["part"] == "widths"]
ranked_by = {(0.0, "gnmt"): "log P", (1.0, "power"): "log P per token"}  # by α and penalty
print(f"{sweep['sentences']} captions; length = tokens written / tokens of the reference")
print("   k   ranked by          BLEU   length")
for row in widths:
    how = ranked_by.get((row["alpha"], row["penalty"]))
    if row["k"] in (1, 5, 50) and how:
        print(f"{row['k']:4}   {how:16}{row['bleu']:7.1f}{row['ratio']:9.2f}")

# %% [markdown] id="curse-read"
# By log P, a beam of 50 loses more than one quarter of the BLEU of a beam of 5, and writes one
# third fewer tokens. Ranked by the mean per token, the same beam of the same model loses nothing.
# Its lead of less than two points over greedy search could be noise on 250 captions and one
# training (side path [09b](09b_confidence.ipynb)); the fall of twelve is not. The best widths of
# real systems are between 4 and about 30 ([Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017)).

# %% [markdown] id="rerank-text"
# ### Rank them yourself
#
# Here is what beams of 1, 5 and 50 found for the fisherman (recorded by
# `studies/search_hypotheses.py`). Begin at α = 0 and move the slider slowly to 2.

# %% id="rerank"
from attnbook import views

[recorded] = read_record("08_hypotheses")["runs"]
views.rerank_view(
    {int(k): rows for k, rows in recorded["beams"].items()},
    reference=recorded["reference"],
    title="Figure 3. A fisherman, ranked again",
)

# %% [markdown] id="rerank-read"
# A small α ranks whole sentences above the empty output. At α = 2, with k = 50, the longest
# hypothesis of the list wins, although it is the *least* probable: α can also be too large. No α
# finds *mending*: a ranking only chooses among what the beam has found.

# %% [markdown] id="stop-text"
# <details><summary>When may a beam stop?</summary>
#
# A hypothesis has ended while others are still alive. Log-probabilities only fall, but they are
# divided by $lp(n)$, and how long a prefix will become is not yet known. Let the best prefix alive
# have $t$ tokens and the log-probability $\ell$. A completion has $n = t+1, \dots, n_{max}$ tokens
# and a log-probability of at most $\ell$, so none scores higher than
#
# $$\max_{t < n \le n_{max}} \frac{\ell}{lp(n)}.$$
#
# If the best finished score is at least that, stop ([Huang, Zhao and Ma
# 2017](D_papers.ipynb#cell-id=huang-2017)). This **stopping rule** (종료 조건), *exact*, loses
# nothing that the beam still contains; no rule brings back what the beam has dropped. For α = 0 it
# says "stop when the best finished beats the best alive". For α > 0 the bound is reached at the
# *largest* length allowed. *First finished* and *k finished* wait for one ending or for k endings,
# whatever is still alive; *current length* compares with the best prefix alive at the length that
# it has *now*. These three can lose. Under every rule the search ends after `max_length` steps at
# the latest.
#
# </details>

# %% [markdown] id="faded-text"
# ## Beam search, whole
#
# Here is the core of the next exercise, half done: one step of a beam over a *step function*. Two
# prefixes are alive, *He* and *I*, each with its own log-probability and state. The loop collects
# their continuations, but with only the parent's log-probability. Fix the marked line; then *I
# went* should lead with −1.022.

# %% id="faded"
row, after_start, _ = step(torch.tensor([[BOS]]), memory, state)
two = []  # of each live prefix: log P, tokens, state
for word in ("He", "I"):
    number = words.index(word)
    two.append((float(row[0, 0, number]), [number], after_start))
continued = []
for so_far, tokens, own in two:
    row, new, _ = step(torch.tensor([[tokens[-1]]]), memory, own)
    for token, gain in enumerate(row[0, 0].tolist()):
        if gain > -math.inf:
            # yours: what has so_far grown to?
            continued.append((so_far, [*tokens, token], new))
continued.sort(key=lambda candidate: -candidate[0])
for so_far, tokens, _ in continued[:3]:
    print(f"{so_far:.3f}  {' '.join(words[i] for i in tokens)}")

# %% [markdown] id="ex-beam-tokens-text"
# ### Exercise 8.4 · Beam search
# *Hard, 30 minutes.* For one sentence, in plain Python: keep a list of live prefixes, each with its
# log-probability, tokens and *own* state. At each step $t = 1, \dots$, `max_length`:
#
# 1. call `step` for every live prefix (tokens of shape (1, 1)) and collect all continuations,
#    except those by `PAD` and `BOS` and those of probability 0 (at least one is always left);
# 2. go down the sorted list: a hypothesis that ends in eos is finished, with score log P / lp(t);
#    any other lives on; stop when `beam_size` live on;
# 3. continue until `max_length`, or until nothing is alive (you can stop earlier, but only by a
#    rule that cannot lose).
#
# Return tokens (without eos) and log-probability (not divided) of the finished hypothesis with the
# highest *score*. If nothing has ended, return the best prefix.
#
# <details><summary>Hint 1</summary>
#
# A live prefix is a tuple (log_prob, tokens, state); the first is (0.0, [], state). The function
# `extend` above goes down the list; the cell before this exercise collects.
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
# chosen, its tokens, and its own log-probability, which is returned. The simplest rule stops only
# at max_length, or when nothing is alive. (At max_length the library also takes endings below the
# k-th survivor; yours need not.)
#
# </details>

# %% id="ex-beam-tokens" tags=["exercise"]
import math

from attnlib.data import BOS, EOS, PAD


@exercise
def beam_tokens(step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    """The tokens, without eos, of the best hypothesis of a beam, and their log-probability."""
    raise NotImplementedError


# %% id="beam-agree"
sizes = {"max_length": LEVELS, "beam_size": 3, "alpha": 1.0}
answers = search.beam_search(random_step, models, roots, **sizes)
same, largest_gap = 0, 0.0
for number in range(100):
    model, root = models[number : number + 1], roots[number : number + 1]
    tokens, log_prob = beam_tokens(random_step, model, root, **sizes)
    [h] = answers[number]
    same += tokens == h.tokens
    largest_gap = max(largest_gap, abs(log_prob - h.log_prob))
print(f"{same} of 100 random models: the same sentence as attnlib.search.beam_search")

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
# - The most probable next words need not lead to the most probable sentence.
# - A beam keeps k prefixes, each with its own state; endings are set aside. Search errors fall with
#   k, but a wider beam can do worse.
# - Better search need not give better translations: the mode can be empty, because every token
#   lowers a sentence's log P, and the empty output has only one.
# - Dividing by lp(n) *helps* long hypotheses.
#
# <details><summary>Papers</summary>
#
# [Stahlberg and Byrne 2019](D_papers.ipynb#cell-id=stahlberg-2019) (exact search, empty modes);
# [Meister, Cotterell and Vieira 2020](D_papers.ipynb#cell-id=meister-2020) ("If beam search is the
# answer, what was the question?"); [Koehn and Knowles 2017](D_papers.ipynb#cell-id=koehn-2017)
# (beam width); [Murray and Chiang 2018](D_papers.ipynb#cell-id=murray-2018) and [Yang, Huang and Ma
# 2018](D_papers.ipynb#cell-id=yang-2018) (why short wins); [Shi, Xiao and Knight
# 2020](D_papers.ipynb#cell-id=shi-2020) and [Kulikov, Eremeev and Cho
# 2022](D_papers.ipynb#cell-id=kulikov-2022) (label smoothing, oversmoothing); [Huang, Zhao and Ma
# 2017](D_papers.ipynb#cell-id=huang-2017) (when to finish); [Wu et al.
# 2016](D_papers.ipynb#cell-id=wu-2016) (§7, Eq. 14); [Graves
# 2012](D_papers.ipynb#cell-id=graves-2012) and [Sutskever et al.
# 2014](D_papers.ipynb#cell-id=sutskever-2014) (beam search in neural sequence models); [Wilson
# 1927](D_papers.ipynb#cell-id=wilson-1927) (the intervals).
#
# </details>
#
# **Next.** [Chapter 9](09_bleu.ipynb) opens the number that this chapter took on trust: BLEU. A
# side path, [08b](08b_decoding.ipynb), draws words at random instead of searching.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# What a search needs to know of a model
tokens, log_prob = greedy_tokens(step, memory, state, max_length=5)
assert tokens == library.tokens
assert abs(log_prob - library.log_prob) < 1e-6

# The bug that raises no error
assert gaps["reordered"] < 0.001
assert gaps["not reordered"] > 3

# How often does a beam miss the best?
exact = search.exhaustive_search(random_step, models[:200], roots[:200], max_length=LEVELS)
torch.testing.assert_close(torch.tensor([h.log_prob for [h] in exact]), best[:200])

# The best sentence may be no sentence
assert min(leads) > 0  # nothing that was dropped is more probable

# Beam search, whole
assert same == 100
assert largest_gap < 1e-4
