# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 09 · How good is a translation, in one number?
#
# **What you will be able to do.** Build BLEU from counting words, and say for every part of it
# which wrong answer made it necessary. Get sacreBLEU's number to the sixth decimal. Know when two
# BLEU scores may be compared, how far to trust a difference, and what no BLEU can tell you.
# Measure how translation with attention and without it depends on the length of a sentence.
#
# **What you need.** Nothing but words and counting for the first half; for the measurements at the
# end the translators of chapter 5.
#
# **Time.** 60 minutes to read, 90 more for the seven exercises, at most a minute to run with one
# thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again. The library's
# own functions are called `metrics.something`; the same name without `metrics.` is *yours*, from an
# exercise.

# %% id="setup" tags=["setup"]
import itertools
import json
import math
import random
import re
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import torch
from sacrebleu.metrics import BLEU, CHRF
from torch import nn

from attnbook import about, budget, exercise, progress, views
from attnbook.figures import bleu_by_length
from attnlib import figures, metrics
from attnlib.data import Batches, WordVocabulary, bundled_directory, load_corpus
from attnlib.device import seed_everything
from attnlib.model import Encoder, LuongDecoder, Seq2Seq
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="accuracy-text"
# ## Right word, right place
#
# A translator gives a **hypothesis**; a person has given a **reference** (the *ground truth* or
# *GT* of the notes). How good is the hypothesis? The first idea is the **accuracy** of a school
# test: compare word 1 with word 1, word 2 with word 2, and take the share that agrees.
#
# **Predict.** What does each of these three get?

# %% id="accuracy"
reference = "the cat sat on the mat"


def accuracy(hypothesis, reference):
    """The share of positions at which the same word stands."""
    one, other = hypothesis.split(), reference.split()
    return sum(a == b for a, b in zip(one, other)) / max(len(one), len(other))


for hypothesis in (reference, "the mat sat on the cat", "now the cat sat on the mat"):
    print(f"{accuracy(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="accuracy-read"
# The third has *every* word of the reference, in order, and gets 0: one word too many at the front
# has pushed all others out of their places. A sentence in which the mat sits on the cat gets 0.67.
# With this alone, the source note suspects, it is not easy to judge a translation. It is right:
# words do not have fixed places.

# %% [markdown] id="precision-text"
# ## Forget the places: precision
#
# So let a word count wherever it stands. **Precision** is the share of the hypothesis's words that
# occur in the reference: *how much of what was said is right?*
#
# **Predict.** What sentence gets the full mark under this rule without being a translation at all?


# %% id="precision"
def precision(hypothesis, reference):
    words, known = hypothesis.split(), reference.split()
    return sum(word in known for word in words) / len(words)


for hypothesis in ("now the cat sat on the mat", "the the the the the the", "the"):
    print(f"{precision(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="precision-read"
# The honest sentence gets 0.86, and six times *the* gets the full mark. [Papineni et
# al.](D_papers.ipynb#cell-id=papineni-2002) (2002, §2.1) begin with this very joke. (The notes
# define precision just so, without what comes now.) The remedy is **clipping**: the reference has
# two *the*, so at most two may be found. In general a word counts $\min(\text{count in hypothesis},
# \text{count in reference})$ times. Python's `Counter` has this as `&`.


# %% id="clipping"
def clipped_precision(hypothesis, reference):
    said, known = Counter(hypothesis.split()), Counter(reference.split())
    return (said & known).total() / said.total()


for hypothesis in ("now the cat sat on the mat", "the the the the the the", "the"):
    print(f"{clipped_precision(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="recall-text"
# ## Silence is no translation: recall
#
# Six times *the* is down to 0.33. But the last line still gets 1.00 for one word of six.
# **Recall** asks the other question, *how much of the reference was said?*, and divides the same
# overlap by the length of the reference.


# %% id="recall"
def recall(hypothesis, reference):
    said, known = Counter(hypothesis.split()), Counter(reference.split())
    return (said & known).total() / known.total()


everything = "a the the an cat dog sat stood on under mat rug and or not is was of"
for hypothesis in ("the", everything):
    both = clipped_precision(hypothesis, reference), recall(hypothesis, reference)
    print(f"precision {both[0]:.2f}, recall {both[1]:.2f}  {hypothesis}")

# %% [markdown] id="recall-read"
# Each is fooled by the opposite trick: precision by saying almost nothing, recall by saying
# everything. So both are needed, in one number. The plain mean would still give *the* more than one
# half. The **harmonic mean** $F_1 = 2PR/(P+R)$ stays near the smaller of the two:

# %% id="f-score"
for hypothesis in ("the", everything, "now the cat sat on the mat"):
    p, r = clipped_precision(hypothesis, reference), recall(hypothesis, reference)
    print(f"mean {(p + r) / 2:.2f}, F1 {2 * p * r / (p + r):.2f}  {hypothesis}")

# %% [markdown] id="order-text"
# ## Who sat on whom?
#
# Now both tricks fail. But look at what has been thrown away on the way.
#
# **Predict.** Take the six words of the reference in *every* order that there is. In how many of
# these sentences are precision, recall and F1 smaller than 1?

# %% id="order"
orders = sorted({" ".join(words) for words in itertools.permutations(reference.split())})
perfect = [h for h in orders if clipped_precision(h, reference) == recall(h, reference) == 1]
print(f"{len(orders)} different orders, {len(perfect)} of them with precision = recall = F1 = 1")
print(*perfect[:: len(perfect) // 4], sep="\n")

# %% [markdown] id="order-read"
# In none. Precision, recall and F cannot see order *at all*: shuffle the words as you like, the
# counts stay. "The mat sat on the cat" is perfect. That is the fault that the notes name, and their
# reason for turning to BLEU. Going back to positions is no way out (one word too many, and all is
# lost). What is needed is something between a word and a sentence.

# %% [markdown] id="ngrams-text"
# ## Count runs of words: n-grams
#
# An **n-gram** is a run of $n$ neighbouring tokens. "the cat" occurs in the reference, "the mat"
# occurs, "mat sat" does not: runs of two words (*bigrams*) know who stands beside whom, wherever in
# the sentence the run may be.

# %% [markdown] id="ex-ngram-counts-text"
# ### Exercise 9.1 · Count the n-grams
# *Warm-up, 6 minutes.* Given a list of tokens and $n$, return how often each run of $n$ tokens
# occurs: a dictionary from tuples to counts. Four tokens have three bigrams; a sentence shorter
# than $n$ has none, and the dictionary is empty.
#
# <details><summary>Hint 1</summary>The run that begins at token i is
# <code>tokens[i : i + n]</code>. What is the last i at which a whole run begins?</details>
# <details><summary>Hint 2</summary>The last one is <code>len(tokens) - n</code>, so i goes through
# <code>range(len(tokens) - n + 1)</code>. A list cannot be a key; <code>tuple(...)</code>
# can.</details>
# <details><summary>Hint 3</summary><code>Counter(...)</code> counts whatever a generator gives
# it.</details>


# %% id="ex-ngram-counts" tags=["exercise"]
@exercise
def ngram_counts(tokens, n):
    """How often each run of n tokens occurs. tokens: list of strings → dict tuple → int."""
    ### BEGIN SOLUTION
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    ### END SOLUTION


# %% [markdown] id="ex-overlap-text"
# ### Exercise 9.2 · Precision, recall and F1 of n-grams
# *Core, 10 minutes.* The clipped overlap of two texts: $\sum_g \min(\text{count in hypothesis},
# \text{count in reference})$ over the n-grams $g$. Divide it by the n-grams of the hypothesis
# (precision) and by those of the reference (recall), and return `(precision, recall, f1)` as
# numbers from 0 to 1. What would be divided by zero is 0. Cut the texts into tokens with
# `metrics.tokenize_13a` (it separates the full stop), count with `metrics.ngram_counts` or your
# own.
#
# <details><summary>Hint 1</summary>For two Counters, <code>a & b</code> is the smaller count of
# every key, and <code>a.total()</code> is the sum of all counts.</details>
# <details><summary>Hint 2</summary>Three numbers are all you need: the total of the overlap, of the
# hypothesis, of the reference.</details>
# <details><summary>Hint 3</summary>A sentence of two words has no trigrams, and two sentences may
# share nothing: <code>x / y if y else 0.0</code>, three times.</details>


# %% id="ex-overlap" tags=["exercise"]
@exercise
def overlap(hypothesis, reference, n):
    """(precision, recall, F1) of n-grams, clipped, 0 to 1. Two strings and n → three floats."""
    ### BEGIN SOLUTION
    said = metrics.ngram_counts(metrics.tokenize_13a(hypothesis), n)
    known = metrics.ngram_counts(metrics.tokenize_13a(reference), n)
    shared = (said & known).total()
    p = shared / said.total() if said else 0.0
    r = shared / known.total() if known else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0
    ### END SOLUTION


# %% id="ngrams"
print("precision of        n = 1     2     3     4")
for hypothesis in (
    "the mat sat on the cat",
    "now the cat sat on the mat",
    "the cat on the mat sat",
):
    shares = [overlap(hypothesis, reference, n)[0] for n in (1, 2, 3, 4)]
    assert shares == [metrics.overlap(hypothesis, reference, n).precision for n in (1, 2, 3, 4)]
    print(f"{hypothesis:26}" + "".join(f"{share:6.2f}" for share in shares))

# %% [markdown] id="ngrams-read"
# At last the sentence with the mat on top loses something, the more the longer the runs; and the
# one with *now* in front keeps nearly all. Short runs ask whether the right words were chosen,
# long runs whether they stand in the right order. (The library's `metrics.overlap` says the same;
# the
# assertion compares them.)

# %% [markdown] id="mean-text"
# ## Four precisions, one number
#
# **BLEU** takes $n = 1, 2, 3, 4$. How should four numbers become one? A note speaks of *the sum of
# the precisions*. Let us see what a sum would do. We need translations whose quality we know, so we
# make some: take English sentences of the book's corpus and let every word survive with probability
# $q$; otherwise a random word takes its place. A third "system" keeps all the right words and
# shuffles them.


# %% id="damage"
corpus = load_corpus("ko-en")
gold = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.test]  # tokens between spaces
words = sorted({word for text in gold for word in text.split() if word.isalpha()})


def damaged(text, q, draw):
    """The text; each of its words survives with probability q, else it is some word."""
    return " ".join(
        word if not word.isalpha() or draw.random() < q else words[int(draw.random() * len(words))]
        for word in text.split()
    )


def shuffled(text, draw):
    *inside, stop = text.split()  # what ends the text stays where it is
    return " ".join([*sorted(inside, key=lambda _: draw.random()), stop])


# %% id="damage-systems"
draw = random.Random(9)
systems = {f"q = {q}": [damaged(text, q, draw) for text in gold] for q in (0.9, 0.7, 0.45)}
systems["right words, shuffled"] = [shuffled(text, draw) for text in gold]
measured = {name: metrics.corpus_bleu(texts, gold) for name, texts in systems.items()}
for name, texts in systems.items():
    print(f"{name:22}{texts[7]}")

# %% [markdown] id="mean-predict"
# **Predict.** For $q = 0.7$, what will be the precision of single words, and what that of runs of
# four?

# %% id="mean-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
for (name, found), marker in zip(measured.items(), "osD^"):
    ax.semilogy((1, 2, 3, 4), found.precisions, marker=marker, label=name)
ax.set(title="Precision of n-grams on 1,500 sentences", xlabel="n (tokens)")
ax.set(ylabel="precision (%, logarithmic)", xticks=(1, 2, 3, 4))
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="mean-alt"
# <details><summary>The figure in words</summary>
#
# Precision on a logarithmic axis against n from 1 to 4. The three damaged systems fall along
# straight lines, the steeper the more words were exchanged. The shuffled sentences start at 100 %
# for single words and fall fastest, to less than a tenth of a percent for runs of four.
#
# </details>

# %% id="mean"
print(f"{'':24}p1   p2   p3   p4   arithmetic   geometric mean")
for name, found in measured.items():
    p = found.precisions
    geometric = math.exp(sum(math.log(x) for x in p) / 4)
    row = "".join(f"{x:5.0f}" for x in p)
    print(f"{name:21}{row}{sum(p) / 4:12.1f}{geometric:14.1f}")

# %% [markdown] id="mean-read"
# The lines are straight on a logarithmic axis: if a word is right with probability $q$, a run of
# $n$ words is right with about $q^n$. The four precisions therefore live on different scales. A
# sum, or arithmetic mean, listens mostly to the largest, $p_1$, and so it prefers the word salad to
# the system with $q = 0.45$. The **geometric mean** $(p_1 p_2 p_3 p_4)^{1/4}$, the exponential of
# the mean of the *logarithms*, treats all four alike (halve any one of them, and it falls by the
# same factor), and puts the salad last. This is BLEU's choice ([Papineni et al.
# 2002](D_papers.ipynb#cell-id=papineni-2002), §2.1.3): not a sum of precisions, but a product.
#
# **Predict.** Back to the cat. Over all 360 orders of its six words, where F1 was blind: how will
# the geometric mean spread?

# %% id="orders-figure"
scores = [metrics.sentence_bleu(order, reference).score for order in orders]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
ax.hist(scores, bins=np.arange(0, 105, 5), color=figures.PALETTE[0], edgecolor="white")
ax.axvline(100, color=figures.PALETTE[1], linestyle="--", label="F1 of every one of them (× 100)")
ax.set(title="The 360 orders of “the cat sat on the mat”", xlabel="BLEU (0 to 100)")
ax.set(ylabel="number of sentences")
ax.legend(frameon=False, loc="upper center")
plt.show()

# %% [markdown] id="orders-alt"
# <details><summary>The figure in words</summary>
#
# Histogram of the BLEU of all 360 word orders. Most lie between 10 and 40, with the highest bar
# just above 20; a few lie around 60, a single one at 100. A dashed line at 100 marks F1, which is 1
# for all of them.
#
# </details>

# %% id="orders"
ranked = sorted(zip(scores, orders), reverse=True)
for score, order in [ranked[0], ranked[1], *[r for r in ranked if "mat sat on the cat" in r[1]]]:
    print(f"{score:5.1f}  {order}")
print("orders with 100:", sum(score > 99.9 for score in scores))

# %% [markdown] id="orders-read"
# One order of 360 gets 100. (Where no run of four agrees the geometric mean would be 0; these
# scores use a small repair, *smoothing*, that comes below.)

# %% [markdown] id="brevity-text"
# ## What about recall?
#
# BLEU is made of precisions only. [Papineni et al. (2002)](D_papers.ipynb#cell-id=papineni-2002)
# wanted to allow *several* references for a sentence, and recall over all of them makes no sense:
# nobody should say *big* and *large* and *huge*. But without recall, silence pays again: "the cat
# sat on" has all its four precisions at 100 %. So a factor punishes what is too short. With $c$ the
# length of the hypothesis and $r$ that of the reference, the **brevity penalty** is
#
# $$\mathrm{BP} = \begin{cases} 1 & c \ge r \\ \exp(1 - r/c) & c < r \end{cases} \qquad\qquad
# \mathrm{BLEU} = 100 \cdot \mathrm{BP} \cdot \exp\Big(\tfrac14 \sum_{n=1}^4 \log p_n\Big)$$

# %% [markdown] id="ex-brevity-penalty-text"
# ### Exercise 9.3 · The brevity penalty
# *Core, 6 minutes.* From the two lengths in tokens to the factor. A hypothesis without a single
# token gets 0.
#
# <details><summary>Hint 1</summary>Three cases: nothing said; long enough; too short.</details>
# <details><summary>Hint 2</summary>At c = r both branches must give 1, so that nothing
# jumps.</details>
# <details><summary>Hint 3</summary><code>math.exp(1 - reference_length / hypothesis_length)</code>,
# once you know that it is not divided by 0.</details>


# %% id="ex-brevity-penalty" tags=["exercise"]
@exercise
def brevity_penalty(hypothesis_length, reference_length):
    """BP = 1 if c ≥ r, else exp(1 − r/c); 0 for c = 0. Two whole numbers → float."""
    ### BEGIN SOLUTION
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)
    ### END SOLUTION


# %% [markdown] id="brevity-compare-text"
# The simplest factor lowers the score "by as much as the translation is short": $\min(1, c/r)$.
# Many a blog has it in the place of BP. Is it the same?

# %% id="brevity-figure"
share = np.linspace(0.02, 1.3, 200)
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.plot(share, np.minimum(1, share), "--", color=figures.PALETTE[1], label="min(1, c/r)")
paper = [brevity_penalty(1000 * x, 1000) for x in share]
ax.plot(share, paper, color=figures.PALETTE[0], label="BLEU: exp(1 − r/c) below r")
ax.set(title="Two penalties for being short", xlabel="c / r (length as a share of the reference)")
ax.set(ylabel="factor")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="brevity-alt"
# <details><summary>The figure in words</summary>
#
# The factor against c/r. Both curves are 1 from c/r = 1 on and leave that point downwards with the
# same slope. The dashed line falls straight to 0; BLEU's curve bends below it, is at about 0.37
# where the line is at 0.5, and is practically 0 below c/r = 0.2.
#
# </details>

# %% id="brevity"
for c in (9, 8, 7, 5):
    print(f"c/r = {c / 10}: min(1, c/r) = {min(1, c / 10):.3f}, BP = {brevity_penalty(c, 10):.3f}")

# %% [markdown] id="brevity-read"
# Near $c = r$ the two agree (same slope), but the real one is harsher everywhere below. In general
# $1 + \ln y \le y$ for every $y > 0$; with $y = r/c$ this is $1 - r/c \le \ln(c/r)$, and therefore
# $\exp(1 - r/c) \le c/r$. Does the difference matter? Think of a system that knows the first half
# of every sentence well (95 % of its words) and has almost no idea of the second (10 %). It may
# say all it has, or fall silent early.
#
# **Predict.** Under $\min(1, c/r)$, how much of the sentence should it say to get the best score?

# %% id="silence"
draw = random.Random(3)
half_known = [
    [
        word if draw.random() < (0.95 if k < len(text) / 2 else 0.1)
        else words[int(draw.random() * len(words))]
        for k, word in enumerate(text)
    ]
    for text in (sentence.split() for sentence in gold)
]  # fmt: skip
said = [k / 10 for k in range(3, 11)]  # the share of each sentence that is said
curves = {"min(1, c/r)": [], "BLEU": []}
for part in said:
    found = metrics.corpus_bleu([" ".join(w[: round(part * len(w))]) for w in half_known], gold)
    ratio = found.hypothesis_length / found.reference_length
    curves["BLEU"].append(found.score)
    curves["min(1, c/r)"].append(found.score / found.brevity_penalty * min(1, ratio))

# %% id="silence-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for (name, curve), style in zip(curves.items(), ("--s", "-o")):
    ax.plot(said, curve, style, color=figures.PALETTE[name != "BLEU"], label=name)
    best = int(np.argmax(curve))
    ax.plot(said[best], curve[best], "*", color="black", markersize=16, zorder=5)
ax.set(title="Does it pay to fall silent? (star: the best choice)", ylim=(0, 60))
ax.set(xlabel="share of each sentence that is said", ylabel="score (0 to 100)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="silence-alt"
# <details><summary>The figure in words</summary>
#
# Score against the share of the sentence that is said. With min(1, c/r) the dashed curve is flat
# between a half and the whole and has its best point, a star, at 0.6. With BLEU's penalty the curve
# rises all the way and its star stands at 1.0.
#
# </details>

# %% id="silence-numbers"
for name, curve in curves.items():
    print(f"{name:12}: best when {said[int(np.argmax(curve))]:.0%} is said")

# %% [markdown] id="silence-read"
# With the linear factor it pays to keep quiet about the hard part; with BLEU's it does not, here.
# That is the reason to be harsh, and to use the real one: a score with $\min(1, c/r)$ is not BLEU.
# (What is too *long* needs no factor: every superfluous word has lowered the precisions already.)

# %% [markdown] id="corpus-text"
# ## A corpus is not the mean of its sentences
#
# BLEU was made for a whole test set. The matches of *all* sentences are summed, the totals are
# summed, the lengths are summed; then one divides, once.
#
# **Predict.** A short sentence is translated perfectly, a long one badly. Which number will be
# larger, the mean of the two sentence scores or the score of the two together?

# %% id="corpus"
pair = ["a small dog sleeps .", "the cat on a black mat was asleep in the sun all day long ."]
truth = [pair[0], "all day long the black cat slept on the mat in the warm sun ."]
each = [metrics.sentence_bleu(*both).score for both in zip(pair, truth)]
print(f"sentences {each[0]:.1f} and {each[1]:.1f}, mean {sum(each) / 2:.1f}")
print(f"together  {metrics.corpus_bleu(pair, truth).score:.1f}")

# %% [markdown] id="corpus-read"
# In a mean of sentences the short one weighs as much as the long one; in the sums every n-gram
# weighs the same. Lengths, too: a sentence that is one word too long makes up for one that is too
# short, and only the whole is penalised.

# %% [markdown] id="ex-corpus-bleu-text"
# ### Exercise 9.4 · BLEU
# *Hard, 20 minutes.* All of it, for lists of texts with one reference each, without smoothing. For
# every sentence: tokens by `metrics.tokenize_13a`, clipped matches and totals for $n = 1 \dots 4$,
# both lengths. Sum each over the sentences, and compute the score, 0 to 100. Where one of the four
# precisions is 0 (or there are no n-grams of that order at all), the score is 0.
#
# <details><summary>Hint 1</summary>Four sums of matches, four of totals, and c and r: keep ten
# numbers, and add to them sentence by sentence. Divide after the loop, not in it.</details>
# <details><summary>Hint 2</summary>Matches are the total of the clipped overlap of Exercise 9.2,
# the totals are the n-grams of the hypothesis.</details>
# <details><summary>Hint 3</summary>After the loop: <code>if min(matches) == 0: return 0.0</code>,
# then the mean of <code>math.log(m / t)</code>, its <code>math.exp</code>, times the penalty of
# <code>metrics.brevity_penalty(c, r)</code>, times 100.</details>


# %% id="ex-corpus-bleu" tags=["exercise"]
@exercise
def corpus_bleu(hypotheses, references):
    """BLEU of a corpus, 0 to 100, unsmoothed. Two lists of strings of equal length → float."""
    ### BEGIN SOLUTION
    c = r = 0
    matches, totals = [0] * 4, [0] * 4
    for hypothesis, reference in zip(hypotheses, references):
        one, other = metrics.tokenize_13a(hypothesis), metrics.tokenize_13a(reference)
        c, r = c + len(one), r + len(other)
        for n in range(4):
            said, known = metrics.ngram_counts(one, n + 1), metrics.ngram_counts(other, n + 1)
            matches[n] += (said & known).total()
            totals[n] += said.total()
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals)) / 4
    return 100 * metrics.brevity_penalty(c, r) * math.exp(mean)
    ### END SOLUTION


# %% id="corpus-agree"
texts = systems["q = 0.7"]
theirs = BLEU(force=True).corpus_score(texts, [gold])  # force: it would warn of " ."
print(f"yours {corpus_bleu(texts, gold):.4f}, "
      f"attnlib {metrics.corpus_bleu(texts, gold).score:.4f}, "
      f"sacreBLEU {theirs.score:.4f}")  # fmt: skip
assert abs(corpus_bleu(texts, gold) - theirs.score) < 1e-6
print(theirs)

# %% [markdown] id="corpus-agree-read"
# Three programs, one number. The last line is how sacreBLEU, the program that most papers use
# today, writes a score: the four precisions behind it, BP, and the lengths. Always look at the
# ratio of the lengths first.
#
# *Several references.* If a sentence has more than one, an n-gram is clipped by its *largest* count
# in any of them, and $r$ is the length of the reference that is closest in length (of two equally
# close, the shorter).

# %% id="several"
choices = ["a large dog runs", "the big dog is running fast"]
for given in (choices[:1], choices[1:], choices):
    print(f"{metrics.sentence_bleu('the big dog runs', given).score:5.1f} with {given}")
theirs = BLEU(effective_order=True).sentence_score("the big dog runs", choices)
assert abs(metrics.sentence_bleu("the big dog runs", choices).score - theirs.score) < 1e-6

# %% [markdown] id="zero-text"
# ## When a precision is zero
#
# A geometric mean has a trap door: one zero, and everything is zero. A whole test set nearly always
# has some run of four words right. A single sentence often has none.

# %% id="zero"
for hypothesis in ("the mat sat on the cat", "the cat lay on the mat", "dogs bark"):
    print(f"{corpus_bleu([hypothesis], [reference]):.1f}  {hypothesis}")

# %% [markdown] id="zero-read"
# All three get nothing, the nearly right one as well as the one that has nothing to do with it. For
# single sentences one therefore **smooths** ([Lin and Och 2004](D_papers.ipynb#cell-id=lin-2004),
# [Chen and Cherry 2014](D_papers.ipynb#cell-id=chen-2014)). sacreBLEU has four ways, and writes the
# one used into its signature:
#
# | name | an order $n$ with 0 matches of $t_n$ |
# |---|---|
# | `none` | stays 0 |
# | `floor` | gets $0.1 / t_n$ |
# | `exp` (the default) | the first such order gets $\frac12 / t_n$, the second $\frac14 / t_n$, … |
# | `add-k` | for every $n > 1$, zero or not: $(m_n + 1) / (t_n + 1)$ |
#
# And where not one word matches, the score is 0 in all of them.

# %% [markdown] id="ex-smoothed-precisions-text"
# ### Exercise 9.5 · Four ways around a zero
# *Core, 12 minutes.* From the four matches and the four totals (each at least 1) to four precisions
# between 0 and 1, for `smoothing` one of `"none"`, `"floor"`, `"exp"`, `"add-k"`, as in the table.
#
# <details><summary>Hint 1</summary>First the exception: if all matches are 0, return four
# zeros.</details>
# <details><summary>Hint 2</summary>For "exp" keep a count of the zeros met so far; the j-th of them
# is worth 0.5 ** j of a match.</details>
# <details><summary>Hint 3</summary>Change the number of matches first (and for "add-k" the total),
# and divide in one place at the end of the loop.</details>


# %% id="ex-smoothed-precisions" tags=["exercise"]
@exercise
def smoothed_precisions(matches, totals, smoothing):
    """Precisions p_1 … p_4, smoothed as in sacreBLEU. Two lists of 4 numbers, a name → 4 floats."""
    ### BEGIN SOLUTION
    if not any(matches):
        return [0.0] * 4
    found, zeros = [], 0
    for n in range(4):
        match, total = matches[n], totals[n]
        if smoothing == "add-k" and n > 0:
            match, total = match + 1, total + 1
        elif match == 0 and smoothing == "exp":
            zeros += 1
            match = 0.5**zeros
        elif match == 0 and smoothing == "floor":
            match = 0.1
        found.append(match / total)
    return found
    ### END SOLUTION


# %% id="smoothing"
print(f"{'':26}none  floor    exp  add-k")
for hypothesis in ("the mat sat on the cat", "the cat lay on the mat", "dogs bark in the sun now"):
    row = f"{hypothesis:24}"
    for kind in ("none", "floor", "exp", "add-k"):
        ours = metrics.corpus_bleu([hypothesis], [reference], smoothing=kind)
        p = smoothed_precisions(ours.counts, ours.totals, kind)
        mean = math.prod(p) ** (1 / 4)
        assert abs(100 * ours.brevity_penalty * mean - ours.score) < 1e-6
        row += f"{ours.score:7.1f}"
    print(row)

# %% [markdown] id="smoothing-read"
# The same sentence, four numbers. The first two lines differ far less from each other than each
# does from left to right: **the BLEU of a sentence can depend on the smoothing more than on the
# translation**. Is ours the same as sacreBLEU's in every one? Sixty little test sets of damaged
# sentences, each with every smoothing, and every sentence on its own:

# %% id="sacrebleu"
draw, largest, compared = random.Random(4), 0.0, 0
for _ in range(60):
    picked = [gold[int(draw.random() * len(gold))] for _ in range(3)]
    texts = [damaged(text, draw.random(), draw) for text in picked]
    for kind in ("none", "floor", "exp", "add-k"):
        theirs = BLEU(smooth_method=kind).corpus_score(texts, [picked]).score
        gaps = [metrics.corpus_bleu(texts, picked, smoothing=kind).score - theirs]
        for one, other in zip(texts, picked):
            alone = BLEU(smooth_method=kind, effective_order=True).sentence_score(one, [other])
            gaps.append(metrics.sentence_bleu(one, other, smoothing=kind).score - alone.score)
        largest, compared = max(largest, *map(abs, gaps)), compared + len(gaps)
print(f"{compared} scores compared with sacreBLEU, all within 0.000001: {largest < 1e-6}")

# %% [markdown] id="sacrebleu-read"
# So from here on our BLEU *is* sacreBLEU's. (For a single sentence the library also leaves out the
# orders for which it is too short, `effective_order`: two words have no runs of four.)

# %% [markdown] id="tokens-text"
# ## Two scores that must not be compared
#
# BLEU counts tokens, and nobody has said yet what a token is: how a text is cut into them is its
# **tokenization**. Take one set of Korean sentences and let a "system" do in all of them what
# learners often do: every topic particle 은/는 becomes the subject particle 이/가. (저는 집에
# 갔습니다, *as for me, I went home*, becomes 저가 집에 갔습니다. The right form would be 제가, but
# everybody understands it. Elsewhere the result may even be good Korean with another emphasis; BLEU
# compares strings, and cannot tell.)

# %% id="korean"
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
exchange = {"##은": "##이", "##는": "##가"}
verbs = {"있", "하", "산책하"}  # behind these, 는 is an ending and no particle
sources = [pair.src for pair in corpus.test]
mistaken = []
for text in sources:
    cut = korean.tokenize(text)
    swapped = [b if a in verbs else exchange.get(b, b) for a, b in zip(["", *cut], cut)]
    mistaken.append(re.sub(r" (##|(?=[.,?!]))", "", " ".join(swapped)))  # as Korean is written
print(mistaken[0], mistaken[20], sep="\n")

# %% [markdown] id="tokens-predict"
# In English: *Seoyeon wiped the desk this morning*, and *Yesterday, Sora bought peaches, but her
# friend bought bananas*. Only the particles after *Seoyeon*, *Sora* and *friend* have changed.
#
# **Predict.** What does BLEU say if tokens are cut at spaces (`none`), with punctuation cut off
# (`13a`, sacreBLEU's default), into word and particle, as our own translators cut Korean (`our
# pieces`), or if every syllable is a token (`char`)?

# %% id="tokens"
pieces = [[" ".join(korean.tokenize(text)) for text in texts] for texts in (mistaken, sources)]
protocols = {
    "none": metrics.corpus_bleu(mistaken, sources, tokenize="none"),
    "13a": metrics.corpus_bleu(mistaken, sources),
    "our pieces": metrics.corpus_bleu(*pieces, tokenize="none"),
    "char": metrics.corpus_bleu(mistaken, sources, tokenize="char"),
}
for name, found in protocols.items():
    print(f"{name:12}{found.score:5.1f}")

# %% id="tokens-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 2.8))
bars = ax.barh(list(protocols), [found.score for found in protocols.values()])
ax.bar_label(bars, fmt="%.1f", padding=4)
ax.set(title="The same Korean sentences, four kinds of tokens", xlim=(0, 105))
ax.set(xlabel="BLEU (0 to 100)", ylabel="tokenisation")
plt.show()

# %% [markdown] id="tokens-alt"
# <details><summary>The figure in words</summary>
#
# Four horizontal bars, BLEU of one and the same set of Korean sentences: cut at spaces is lowest, a
# little below 90; 13a is two points higher, the corpus's own pieces are two points higher again,
# and single syllables are the highest, near 95.
#
# </details>

# %% [markdown] id="tokens-read"
# One set of sentences, and the scissors alone move the score by more than six points. Cut at
# spaces, a Korean word (*eojeol*) is wrong as a whole when its particle is; cut into syllables,
# nearly everything is right. None of them is *the* truth. But two scores may be compared only if
# they were cut alike: [Post (2018)](D_papers.ipynb#cell-id=post-2018) found differences of up to
# 1.8 BLEU between common settings that papers did not even mention, and proposed to print a
# **signature** beside every score. (Chapter 10 meets a wide spread, too, on real captions.)

# %% id="signature"
for settings in (metrics.Settings(), metrics.Settings(tokenize="char", lowercase=True)):
    print(settings.signature())
metric = BLEU(lowercase=True, tokenize="char", force=True)
metric.corpus_score(mistaken, [sources])
same = str(metric.get_signature()).startswith(settings.signature())
print("sacreBLEU writes the same, and its version:", same)

# %% [markdown] id="signature-read"
# Read: one reference, case as it is, no effective order, tokeniser 13a, smoothing exp. The
# important habit is another one: give sacreBLEU *raw* text, hypothesis and reference as a reader
# would see them, and let it cut both. What comes of other habits? (600 English sentences,
# $q = 0.7$.)

# %% id="raw"
raw = [pair.tgt for pair in corpus.test[:600]]
draw = random.Random(6)
texts = [damaged(text, 0.7, draw) for text in raw]
cut = [" ".join(metrics.tokenize_13a(text)) for text in texts]
stops = [[re.sub(r"[.,?!]", "", text) for text in side] for side in (texts, raw)]
for name, sides in (("raw text on both sides", (texts, raw)), ("no punctuation", stops)):
    print(f"{name:38}{metrics.corpus_bleu(*sides).score:5.1f}")
for name, side in (("cut at spaces", texts), ("our side cut before, at spaces", cut)):
    print(f"{name:38}{metrics.corpus_bleu(side, raw, tokenize='none').score:5.1f}")

# %% [markdown] id="chrf-text"
# Four times the same translations, and the first line is the score to report. Without punctuation,
# or with every mark glued to its word, the easy tokens are gone that our damage never touches.
# Worst is the last line, one side cut and the other not: there *station* never meets *station.*
#
# ## Smaller than words: chrF
#
# For a language that glues endings to its words, whole words are coarse (a Korean word with all
# that is glued to it is an **eojeol**, 어절). **chrF** ([Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015)) counts n-grams of *letters* (for Korean, syllables),
# $n = 1 \dots 6$, spaces left out. Precision $P$ and recall $R$ are averaged over the $n$, and
# combined into
#
# $$\mathrm{chrF}_\beta = 100 \cdot \frac{(1 + \beta^2)\, P R}{\beta^2 P + R}, \qquad \beta = 2.$$
#
# With $\beta = 1$ this is the harmonic mean from above; $\beta = 2$, sacreBLEU's choice, makes
# recall count twice as much, so no brevity penalty is needed. And with up to 6 orders of letters
# averaged *before* F is taken, a zero in one of them ends nothing: no smoothing.

# %% [markdown] id="ex-sentence-chrf-text"
# ### Exercise 9.6 · chrF
# *Hard, 15 minutes.* chrF of one sentence, 0 to 100. Leave all white space out; for $n = 1 \dots 6$
# take clipped precision and recall of the letters' n-grams; average $P$ and $R$ over those $n$ for
# which *both* texts have n-grams; then $F$ with $\beta = 2$. Nothing in common is 0.
#
# <details><summary>Hint 1</summary><code>"".join(text.split())</code> takes out the white space,
# and <code>metrics.ngram_counts</code> counts the letters of a string as well as the words of a
# list.</details>
# <details><summary>Hint 2</summary>Two lists, one of precisions and one of recalls; an n for which
# one of the texts is too short adds to neither.</details>
# <details><summary>Hint 3</summary>F is taken once, of the two averages:
# <code>5 * P * R / (4 * P + R)</code>, unless both are 0.</details>


# %% id="ex-sentence-chrf" tags=["exercise"]
@exercise
def sentence_chrf(hypothesis, reference):
    """chrF2 of one sentence, 0 to 100. Two strings → float."""
    ### BEGIN SOLUTION
    one, other = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, 7):
        said, known = metrics.ngram_counts(one, n), metrics.ngram_counts(other, n)
        if said and known:
            shared = (said & known).total()
            precisions.append(shared / said.total())
            recalls.append(shared / known.total())
    if not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)
    ### END SOLUTION


# %% id="chrf"
assert abs(sentence_chrf(mistaken[0], sources[0])
           - CHRF().sentence_score(mistaken[0], [sources[0]]).score) < 1e-6  # fmt: skip
right = "학생이 도서관에서 책을 읽었습니다"
for text in ("학생은 도서관에 책을 읽었어요", "아이가 방에서 책을 찢었다"):
    found = metrics.sentence_bleu(text, right).score, sentence_chrf(text, right)
    print(f"BLEU {found[0]:.0f}, chrF {found[1]:.0f}  {text}")
found = metrics.corpus_chrf(mistaken, sources), CHRF().corpus_score(mistaken, [sources]).score
print(f"the mistaken particles above: chrF {found[0]:.1f}, sacreBLEU's {found[1]:.1f}")

# %% [markdown] id="chrf-read"
# The reference means *a student read a book in the library*. The first hypothesis is understood as
# just that, with two other particles (도서관에 for 도서관에서, *in the library*, is a learner's
# slip) and a less formal ending; the second says *a child tore a book in the room*. To BLEU they
# are equal: of four words, one is right. chrF sees how many words are *nearly* right.

# %% [markdown] id="ladder-text"
# ### The whole ladder
#
# Every measure of this chapter on the same sentences; the reference is "the cat sat on the mat".

# %% id="ladder"
print("acc.   P    R    F1  BLEU  chrF")
for hypothesis in (
    "the cat sat on the mat", "the mat sat on the cat", "cat the sat on mat the",
    "mat the on sat cat the", "the the the the the the", "the cat sat on",
):  # fmt: skip
    p, r, f = overlap(hypothesis, reference, 1)
    scores = (
        metrics.sentence_bleu(hypothesis, reference).score,
        sentence_chrf(hypothesis, reference),
    )
    place = accuracy(hypothesis, reference)
    print(f"{place:.2f} {p:.2f} {r:.2f} {f:.2f} {scores[0]:5.1f} {scores[1]:5.1f}  {hypothesis}")

# %% [markdown] id="ladder-read"
# Read column by column, each measure corrects the one before it. Read the second line: chrF
# forgives the exchanged *cat* and *mat* almost entirely, since most of the letters stay side by
# side. What repairs one blindness can bring another.

# %% [markdown] id="sample-text"
# ## How far can one trust a score?
#
# A test set is a *sample* of all the sentences that one might have asked for. Another sample would
# give another score. How different? Here we can look, because we own the population: 6,000
# sentences, and a system A whose damage we make ourselves. Some sentences are hard and some are
# easy, as in life. A system B has the same easy and hard sentences and is a little worse; A′ is
# made exactly like A.
#
# BLEU needs only ten sums, so we keep ten numbers for each sentence, and any test set is scored by
# adding rows.


# %% id="population"
def statistics(hypothesis, reference):
    """c, r, matches of n = 1 … 4, totals of n = 1 … 4 of one sentence."""
    one = metrics.corpus_bleu([hypothesis], [reference], tokenize="none")
    return [one.hypothesis_length, one.reference_length, *one.counts, *one.totals]


def score_of(sums):
    """BLEU of summed statistics (..., 10), for as many test sets at once as there are."""
    c, r, matches, totals = sums[..., 0], sums[..., 1], sums[..., 2:6], sums[..., 6:]
    mean = (matches / totals).clamp(min=1e-9).log().mean(-1)
    return 100 * (1 - r / c).clamp(max=0).exp() * mean.exp()


# %% id="population-systems"
population = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.train[:6000]]
draw, rows = random.Random(5), {"A": [], "B": [], "A′": []}
for text in population:
    easy = 1 - 0.6 * draw.random()  # the same for all three
    for name, q in (("A", easy), ("B", easy - 0.015), ("A′", easy)):
        rows[name].append(statistics(damaged(text, q, draw), text))
rows = {name: torch.tensor(table, dtype=torch.double) for name, table in rows.items()}
true = {name: float(score_of(table.sum(0))) for name, table in rows.items()}
print({name: round(score, 1) for name, score in true.items()})

# %% [markdown] id="sample-predict"
# **Predict.** Draw 10 of the 6,000 sentences as a test set and score A. Draw another 10. How far
# apart may the two scores be: 2 points, 10, 40? And with 300 sentences?

# %% id="sample"
generator = torch.Generator().manual_seed(9)
sizes = (3, 10, 30, 100, 300)
many = {}
for size in sizes:
    picks = torch.randint(6000, (500, size), generator=generator)  # 500 test sets
    many[size] = score_of(rows["A"][picks].sum(1))

# %% id="sample-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
boxes = ax.boxplot(
    [many[size].numpy() for size in sizes], whis=(2.5, 97.5), showfliers=False, widths=0.5
)
ax.axhline(true["A"], color=figures.PALETTE[1], linestyle="--", label="all 6,000 sentences")
ax.set_xticks(range(1, 6), sizes)
ax.set(title="BLEU of one and the same system on 500 test sets", ylim=(0, 100))
ax.set(xlabel="sentences in the test set", ylabel="BLEU (0 to 100)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="sample-alt"
# <details><summary>The figure in words</summary>
#
# Five box plots of BLEU for test sets of 3, 10, 30, 100 and 300 sentences, whiskers around the
# middle 95 %. With 3 sentences the whiskers reach from above 10 to almost 90, with 10 from above 30
# to 70, with 100 they are some 13 points apart, with 300 about 8. A dashed line marks the BLEU of
# all sentences, near 50, and goes through every box.
#
# </details>

# %% id="sample-numbers"
for size in sizes:
    low, high = many[size].quantile(torch.tensor([0.025, 0.975], dtype=torch.double)).tolist()
    print(f"{size:3} sentences: 95 % of the test sets score between {low:.0f} and {high:.0f}")

# %% [markdown] id="sample-read"
# A BLEU of ten sentences is a rumour. Even of a hundred it is a number with an error of several
# points, for *this* population; more uniform sentences spread less. This is why no comparison in
# this book rests on the BLEU of fewer than 30 sentences.

# %% [markdown] id="bootstrap-text"
# ### The bootstrap: other test sets out of the one you have
#
# Nobody has 500 test sets. The **bootstrap** (for BLEU: [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004)) takes the sentences that one has as if they were the
# population: draw as many as there are, *with replacement*, so that some occur twice and some not
# at all; score; do it a thousand times. The middle 95 % of these scores are the **confidence
# interval**.


# %% id="bootstrap"
def bootstrap(table, samples=1000):
    """Scores of resampled test sets. table (N, 10), a row a sentence → (samples,)."""
    picks = torch.randint(len(table), (samples, len(table)), generator=generator)
    return score_of(table[picks].sum(1))


def middle(scores, level=0.95):
    ends = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.double)
    return scores.quantile(ends).tolist()


test = torch.randint(6000, (100,), generator=generator)  # one test set of 100 sentences
low, high = middle(bootstrap(rows["A"][test]))
print(f"BLEU {score_of(rows['A'][test].sum(0)):.0f}, 95 % interval {low:.0f} to {high:.0f}")

# %% id="bootstrap-agree"
draw, some = random.Random(7), [population[i] for i in test]
texts = [damaged(text, 0.7, draw) for text in some]
ours = middle(bootstrap(torch.tensor([statistics(*p) for p in zip(texts, some)]).double()))
library = metrics.bootstrap_interval(texts, some, tokenize="none")
gap = max(abs(ours[0] - library.low), abs(ours[1] - library.high))
print(f"within 1 BLEU of the library's interval (each draws for itself): {gap < 1}")

# %% [markdown] id="coverage-text"
# Can it be believed? "95 %" is a promise that can be tested: of many test sets, 95 % should have an
# interval in which the true score lies. For 300 test sets of each size:
#
# **Predict.** Will the promise be kept with 10 sentences? With 300?

# %% id="coverage"
print("sentences   width of the interval   intervals with the truth inside")
for size in (10, 30, 100, 300):
    inside, width = 0, 0.0
    for _ in range(300):
        picks = torch.randint(6000, (size,), generator=generator)
        low, high = middle(bootstrap(rows["A"][picks], samples=200))
        inside, width = inside + (low <= true["A"] <= high), width + (high - low) / 300
    print(f"{size:9}{width:24.0f}{inside / 300:34.0%}")

# %% [markdown] id="coverage-read"
# Nearly. With ten sentences the promise is not kept, since so few do not show how varied the world
# is; from thirty on it is, but for a point or two. So an interval of few sentences is wide *and*
# too optimistic.

# %% [markdown] id="paired-text"
# ### Is A better than B?
#
# Now the question that people really ask. On the whole population A is about a point and a half
# better than B. But with 100 sentences an interval is about 13 points wide, so their two intervals
# will overlap almost entirely. Can nothing be said, then?
#
# It can. The intervals are wide because sentences differ in *difficulty*, and a hard sentence is
# hard for both. What matters is the *difference*, on the same sentences. The **paired bootstrap**
# ([Koehn 2004](D_papers.ipynb#cell-id=koehn-2004), §4) scores both systems on each resampled test
# set and counts who wins. One says "A is better with 95 % confidence" if A wins at least 95 % of
# the samples.

# %% [markdown] id="ex-paired-bootstrap-text"
# ### Exercise 9.7 · The paired bootstrap
# *Hard, 15 minutes.* Three lists of texts of equal length (two systems, and the references), a
# number of samples and a seed. Return two shares: of the samples in which the first is better, and
# in which the second is (a tie is neither). So that your numbers can be checked, draw like this:
# `draw = random.Random(seed)` once, and for each sample `picks = draw.choices(range(n), k=n)`.
# Score with `metrics.corpus_bleu(hypotheses, references).score`.
#
# <details><summary>Hint 1</summary>One draw, two scores: both systems get the same
# picks.</details>
# <details><summary>Hint 2</summary><code>[first[i] for i in picks]</code>, and the references
# likewise.</details>
# <details><summary>Hint 3</summary><code>wins += a > b</code> and <code>losses += a < b</code>
# count what they should; divide both by the number of samples at the end.</details>


# %% id="ex-paired-bootstrap" tags=["exercise"]
@exercise
def paired_bootstrap(first, second, references, samples, seed):
    """(share of samples the first wins, share the second wins). Three lists of texts, two ints."""
    ### BEGIN SOLUTION
    draw, n = random.Random(seed), len(references)
    wins = losses = 0
    for _ in range(samples):
        picks = draw.choices(range(n), k=n)
        truth = [references[i] for i in picks]
        a = metrics.corpus_bleu([first[i] for i in picks], truth).score
        b = metrics.corpus_bleu([second[i] for i in picks], truth).score
        wins, losses = wins + (a > b), losses + (a < b)
    return wins / samples, losses / samples
    ### END SOLUTION


# %% id="paired-agree"
better = [damaged(text, 0.75, draw) for text in some[:20]]
shares = paired_bootstrap(better, texts[:20], some[:20], 50, 1)
library = metrics.paired_bootstrap(better, texts[:20], some[:20], samples=50, seed=1)
print("yours and the library's agree:", shares == (library.first_wins, library.second_wins))

# %% [markdown] id="power-text"
# The truth is known here: A *is* better than B, and A′ as good as A but for chance. So three
# questions can be asked of 300 test sets: how often are the two intervals apart? How often does the
# paired bootstrap find A better than B? And how often does it claim a difference between A and A′,
# where there is none worth the name?
#
# **Predict.** For 300 sentences, three percentages.

# %% id="power"
print("sentences   intervals apart   paired: A over B   paired: A and A′ differ (false)")
for size in (30, 100, 300):
    apart = found = false = 0
    for _ in range(300):
        picks = torch.randint(6000, (size,), generator=generator)
        again = torch.randint(size, (200, size), generator=generator)
        a, b, c = (score_of(rows[name][picks][again].sum(1)) for name in ("A", "B", "A′"))
        apart += middle(a)[0] > middle(b)[1]
        found += int((a > b).sum()) >= 190  # 95 % of 200 samples
        false += max(int((a > c).sum()), int((a < c).sum())) >= 190
    print(f"{size:9}{apart / 300:18.0%}{found / 300:19.0%}{false / 300:34.0%}")

# %% [markdown] id="power-read"
# *Intervals that overlap do not mean that there is no difference*: waiting for them to part finds
# nothing, while the paired test, on the same sentences, finds the real difference in more than a
# third of the test sets of 300. The price: where A and A′ are equally good, one of them "wins" in
# more than ten of a hundred cases. Ten were agreed (five for each side): with 30 sentences the
# bootstrap is again too optimistic, with more of them a little at most. A difference at 95 % in one
# test is a reason to test again.
#
# What it does *not* answer: whether the same model, **trained once more**, would win again. It
# resamples sentences, not trainings ([Clark et al. 2011](D_papers.ipynb#cell-id=clark-2011)). Below
# we shall see what that means.

# %% [markdown] id="length-text"
# ## BLEU by length, with attention and without
#
# Now we have the instrument, and the question that this book began with: what happens to *long*
# sentences? First on the corpus of chapter 5: two translators, Korean to English, the same encoder,
# the same batches, 1,000 updates, parameters within 5 %. Chapter 5 trained seed 1 of both before
# your eyes. Here seed 2 of the one with attention is trained (with fewer updates on a processor
# without AVX-512), and of the one without the three seeds are read from chapter 5's record.


# %% id="models"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)


def make_model():
    """Chapter 5's model with attention."""
    source, target = nn.Embedding(len(korean), 128), nn.Embedding(len(english), 128)
    for table in (source, target):
        nn.init.normal_(table.weight, std=128**-0.5)
    encoder = Encoder(source, 128, dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, 128, 128, 128, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(128, len(english))
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    return Seq2Seq(encoder, decoder, output)


# %% id="recipe"
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
updates = budget(1000, slow=500)
recipe = Recipe(
    updates=updates, warmup=updates // 4, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=updates, precision="fp32", seed=2,
)  # fmt: skip

# %% id="train" tags=["nbval-ignore-output"]
seed_everything(2)
model = make_model()
batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=2)
fit(model, batches, recipe)  # about twenty seconds, with AVX-512 or without
translator = Translator(model, korean, english)

# %% id="translate"
found = translator.translate([pair.src for pair in corpus.test], beam=1)
outputs = {"with attention, live": [translation.text for translation in found]}

# %% [markdown] id="control-text"
# Before looking: would BLEU *itself* fall with length, even if every word were as easy to get
# right in a long sentence as in a short one? A measurement needs a control, so a third "system"
# gets each word right with probability 0.8, whatever the length.

# %% id="length"
references = [pair.tgt for pair in corpus.test]
draw = random.Random(8)
tokens = [" ".join(metrics.tokenize_13a(text)) for text in references]
outputs["each word right with q = 0.8"] = [damaged(text, 0.8, draw) for text in tokens]
lengths = [len(korean.encode(pair.src)) for pair in corpus.test]
buckets = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in buckets]


def by_length(texts):
    """An interval for every bucket: BLEU, low, high."""
    pairs = [([texts[i] for i in picks], [references[i] for i in picks]) for picks in chosen]
    return [metrics.bootstrap_interval(*pair, samples=500) for pair in pairs]


found = {name: by_length(texts) for name, texts in outputs.items()}

# %% id="length-record"
path = bundled_directory().parent / "runs" / "05_attention.json"
runs = json.loads(path.read_text(encoding="utf-8"))["runs"]
kinds = {kind: [run for run in runs if run["variant"] == kind] for kind in ("luong", "none")}
without = torch.tensor([run["bleu"] for run in kinds["none"]])  # (3 seeds, 5 ranges)
sizes = [some[0]["parameters"] for some in kinds.values()]
print("parameters within 5 %:", abs(sizes[0] / sizes[1] - 1) < 0.05)

# %% id="length-figure" tags=["hide-input"]
lines = {name: [one.score for one in row] for name, row in found.items()}
ends = {name: [(one.low, one.high) for one in row] for name, row in found.items()}
name = "without, recorded: three seeds"
lines[name], ends[name] = without.mean(0), torch.stack([without.amin(0), without.amax(0)], 1)
ax = bleu_by_length(
    buckets, lines, intervals=ends, counts=[len(picks) for picks in chosen],
    title="BLEU by length (bars: 95 % intervals; of the recorded, the range)",
)  # fmt: skip
plt.show()

# %% [markdown] id="length-alt"
# <details><summary>The figure in words</summary>
#
# BLEU in five ranges of source length from 4–10 to 41–50 tokens, 100 sentences each. With attention
# the line is level near 100 (somewhat lower at both ends after fewer updates). The control, each
# word right with q = 0.8, stays near 60 with no trend. Without attention the line falls from above
# 75 in the first range to about 20 in the last, steeply at first; its seeds lie some 18 points
# apart in the first range and close together in the last ones, everywhere far below the line with
# attention.
#
# </details>

# %% id="length-check"
live = lines["with attention, live"]
recorded = next(run["bleu"] for run in kinds["luong"] if run["seed"] == 2)
behind = 10 if updates == 1000 else 45  # the record had 1,000 updates
print("source tokens            ", *[f"{low:>3}-{high:<2}" for low, high in buckets])
print("with attention, recorded ", *[f"{score:6.1f}" for score in recorded])
print("                live     ", *[about(a, b - behind, b + 10, "5.1f")
                                     for a, b in zip(live, recorded)])  # fmt: skip
print("without, mean of 3 seeds ", *[f"{score:6.1f}" for score in without.mean(0)])
first, *_, last = found["each word right with q = 0.8"]
print("control, longest range inside the interval of the shortest:",
      first.low < last.score < first.high)  # fmt: skip
longer = list(zip(found["with attention, live"], without.amax(0)))[1:]
assert all(with_attention.low > most for with_attention, most in longer)
assert (without[:, -1] < without[:, 0] / 2).all()

# %% [markdown] id="length-read"
# Live you see one run; chapter 5 compares three seeds of each. Within the lengths that it was
# trained on, the model with attention keeps its score up to the longest range (after fewer updates
# it loses some of it there); the model without loses more than half of its own on the way there, in
# all three seeds.
# And the control says that the fall is the *model's*: where every word is equally easy, BLEU moves
# up and down and has no trend. (Beyond the trained lengths attention falls, too; chapter 5 shows
# that.)

# %% [markdown] id="record-text"
# ### Real sentences: six recorded runs
#
# Our corpus is tidy. Real captions (Multi30k, German to English, chapter 10) are not, but most of
# them are short. So captions are joined, one to four at a time, for training and for testing. (The
# same test caption may stand in several ranges of length, alone and joined, but never twice in
# one.) Six translators of about 3.5 million parameters, three seeds with attention and three
# without, have the same encoder, batches and 2,800 updates; each took minutes, which is why they
# are *recorded* (`benchmarks/joined_captions.py` makes them). The record keeps six numbers for each
# test sentence ($c$, $r$ and the four matches; the totals follow from $c$) and no text, which is
# all that BLEU and the bootstrap need.


# %% id="record"
path = bundled_directory().parent / "runs" / "09_joined_captions.json"
record = json.loads(path.read_text(encoding="utf-8"))
ranges = ["≤ 10", "11–20", "21–30", "31–45", "46 +"]  # source words
runs = {kind: [r for r in record["runs"] if r["variant"] == kind] for kind in ("with", "without")}


def table(run, bucket):
    """The ten numbers of every sentence of a bucket: (N, 10)."""
    kept = torch.tensor(run["sentences"][bucket], dtype=torch.double)  # c, r, four matches
    return torch.cat([kept, (kept[:, :1] - torch.arange(4)).clamp(min=0)], dim=1)


for kind, some in runs.items():
    print(f"recorded, {kind:8}{len(some)} seeds, {some[0]['parameters']:,} parameters")
    for run in some:
        ours = [float(score_of(table(run, k).sum(0))) for k in range(5)]
        assert max(abs(a - b) for a, b in zip(ours, run["bleu"])) < 0.01
sizes = [some[0]["parameters"] for some in runs.values()]
print("parameters within 5 %:", abs(sizes[0] / sizes[1] - 1) < 0.05)
print("sentences:", dict(zip(ranges, record["sentences a bucket"])))

# %% [markdown] id="record-predict"
# **Predict.** Draw both lines, from up to 10 words to 46 and more, before you look.

# %% id="record-lines"
lines, ends = {}, {}
for kind, some in runs.items():
    name = {"with": "with attention", "without": "without attention"}[kind]
    lines[name], ends[name] = [], []
    for k in range(5):
        tables = torch.stack([table(run, k) for run in some])  # (seeds, N, 10)
        picks = torch.randint(tables.shape[1], (1000, tables.shape[1]), generator=generator)
        resampled = torch.stack([score_of(one[picks].sum(1)) for one in tables]).mean(0)
        lines[name].append(float(score_of(tables.sum(1)).mean()))  # the mean of the seeds
        ends[name].append(middle(resampled))

# %% id="record-figure" tags=["hide-input"]
counts = record["sentences a bucket"]
ax = bleu_by_length(
    ranges, lines, intervals=ends, counts=counts,
    title="Joined captions, recorded runs: mean of the seeds, 95 % intervals",
)  # fmt: skip
for n, some in enumerate(runs.values()):
    for run in some:
        x = [k + 0.06 * (n - 0.5) + 0.12 for k in range(5)]
        ax.scatter(x, run["bleu"], s=14, color=figures.PALETTE[n], alpha=0.7)
ax.set(xlabel="source length (words)", ylim=(0, 60))
plt.show()

# %% [markdown] id="record-alt"
# <details><summary>The figure in words</summary>
#
# BLEU of joined captions in five ranges of length, up to 10 words to 46 and more. With attention
# the line is level, a little below 40. Without attention it is far below in every range, and falls
# from about 16 in the first to about 9 in the last, most of it in the first two steps. The
# intervals (95 %) of the two lines are far apart everywhere. Three small dots beside each point,
# the seeds, lie within two points of it.
#
# </details>

# %% [markdown] id="record-view-text"
# The same as a view: move the slider (or the arrow keys) to read out a range.

# %% id="record-view"
views.bleu_view(ranges, lines, intervals=ends, counts=counts, title="Joined captions")

# %% id="record-numbers"
ends_of = {name: [f"{low:.0f}–{high:.0f}" for low, high in ends[name]] for name in ends}
print(f"{'recorded, 95 % intervals':25}" + "".join(f"{name:>9}" for name in ranges))
for name, row in ends_of.items():
    print(f"{name:25}" + "".join(f"{text:>9}" for text in row))
shares = {name: row[-1] / row[0] for name, row in lines.items()}
print("with attention, longest against shortest within 10 %:",
      abs(shares["with attention"] - 1) < 0.1)  # fmt: skip
print("without, longest less than three quarters of shortest:", shares["without attention"] < 0.75)
print("without, less than two thirds of the other everywhere:",
      all(b < 2 / 3 * a for a, b in zip(*lines.values())))  # fmt: skip

# %% [markdown] id="record-read"
# On real sentences, too, the line with attention is level, up to four captions in a row, and the
# one without falls. The three trainings of a model, the small dots, differ far less than the two
# models do. Two things are not as on the tidy corpus. Without attention the model is far behind on
# *short* captions already: real captions have a far larger vocabulary, and 2,800 updates seem to be
# too few for it. And it falls by fewer points: it has fewer to lose. All six had the recipe that
# was chosen for the model with attention, on captions; a recipe and a longer training of its own
# would probably help the other. What the figure shows is equal budgets.
#
# What goes wrong in the long sentences? The record can tell us something.
#
# **Predict.** Without attention: are the translations of long sentences too short, or are their
# words wrong?

# %% id="record-why"
print("recorded, mean of the seeds            " + "".join(f"{name:>7}" for name in ranges))
for kind, some in runs.items():
    sums = torch.stack([torch.stack([table(run, k).sum(0) for k in range(5)]) for run in some])
    p = 100 * (sums[..., 2:6] / sums[..., 6:]).mean(0)  # (5 ranges, n)
    rows = {
        "c / r, %": 100 * (sums[..., 0] / sums[..., 1]).mean(0),
        "p1, %": p[:, 0],
        "p4, %": p[:, 3],
    }
    for name, row in rows.items():
        print(f"{kind + ' attention':20}{name:19}" + "".join(f"{x:7.0f}" for x in row.tolist()))

# %% [markdown] id="record-why-read"
# Look at the lengths first, as always: they are right within about five percent everywhere, and it
# is the model *with* attention that is a little short. So the brevity penalty is not what separates
# the two. With attention all three rows are nearly level. Without it, fewer words are right from
# the start, and the share goes down a little further, from 48 % to 42 %; the runs of four fall from
# 6 % to 2 %. The two belong together: remember $q^n$, by which a small loss in single words is a
# large one in runs of four. So the translations of long sentences have about the right number of
# words, but more than half of these are not in the reference. (Even 42 % may flatter: the longer a
# reference, the more words are found in it by chance.)

# %% [markdown] id="seeds-text"
# **One more use of the record.** The runs with attention are trainings of *one and the same* model.
# Let the paired bootstrap judge them, two at a time, on all the sentences together.
#
# **Predict.** How sure will it be that one of two equal models is the better one?

# %% id="seeds"
whole = [(run["seed"], torch.cat([table(run, k) for k in range(5)])) for run in runs["with"]]
for (one, first), (other, second) in itertools.combinations(whole, 2):
    picks = torch.randint(len(first), (1000, len(first)), generator=generator)
    gaps = score_of(first[picks].sum(1)) - score_of(second[picks].sum(1))
    gap = round(float(score_of(first.sum(0)) - score_of(second.sum(0))), 1) + 0.0  # no -0.0
    share = max(int((gaps > 0).sum()), int((gaps < 0).sum())) / 1000
    print(f"with attention, seeds {one} and {other}: {gap:+.1f} BLEU, "
          f"the better wins {share:.0%} of the samples")  # fmt: skip

# %% [markdown] id="seeds-read"
# (The gap is the first minus the second, so here it is seed 3 that wins.) Seeds 1 and 2 are as good
# as equal. But two of the three comparisons pass the 95 %, and the only difference between the runs
# is the seed! The bootstrap has made no error. It asks whether *these two sets of weights* would
# finish in the same order on other sentences, and of that it is sure, perhaps a little too sure,
# since a caption can occur in several ranges. Which *model* is better it cannot say; here there is
# only one. That is why this book compares several trainings of each, and why one run against one
# run, "significant" or not, shows less than it seems to.

# %% [markdown] id="blind-text"
# ## What BLEU does not see
#
# BLEU compares strings. To see what that means, take sentences of the big corpus (those that stand
# alone: in a story of five sentences one word more or less hardly shows) and change them on
# purpose, in five ways: three that change what is *said*, and two that do not.


# %% id="blind-edits"
def edited(pattern, change, pairs):
    """The texts in which the pattern occurs, changed, and as they were."""
    kept = [text for text in pairs if re.search(pattern, text)]
    return [re.sub(pattern, change, text) for text in kept], kept


raw = [pair.tgt for pair in load_corpus("ko-en").train[:6000]]
raw = [text for text in raw if not re.search(r"[.?!] ", text)]  # one sentence each
print(f"{len(raw):,} sentences")

# %% id="blind-rules"
short = {
    "did": "didn't",
    "is": "isn't",
    "was": "wasn't",
    "do": "don't",
    "Do": "Don't",
    "will": "won't",
    "were": "weren't",
    "does": "doesn't",
    "could": "couldn't",
}
negated = rf"\b({'|'.join(short)}) not\b"
number = dict(zip(["two", "three", "four", "five"], ["three", "four", "five", "two"]))
opening = r"^((?:Yesterday|Today|Last|Every|This) ?\w*), (\w)([^,]+)\.$"
people = ["Minsu", "Sujin", "Hyunwoo", "Seoyeon", "Junho", "Eunji", "Donghyun", "Sora", "Miyoung"]
people += ["Taemin", "Jimin", "Hyejin", "Minjun", "Jiho", "Seongjin", "Yuna"]
other = dict(zip(people, people[1:] + people[:1]))


def to_the_end(found):
    time, first, rest = found.groups()
    return f"{first.upper()}{rest} {time[0].lower()}{time[1:]}."


# %% id="blind"
edits = {
    "another number": edited(rf"\b({'|'.join(number)})\b", lambda m: number[m[1]], raw),
    "another person": edited(rf"\b({'|'.join(people)})\b", lambda m: other[m[1]], raw),
    "“not” left out": edited(negated, r"\1", raw),
    "time moved to the end": edited(opening, to_the_end, raw),
    "“didn't” for “did not”": edited(negated, lambda m: short[m[1]], raw),
}
for name, (changed, kept) in edits.items():
    print(f"{name:23}{len(kept):5}  {min(changed, key=len)}")

# %% [markdown] id="blind-predict"
# (The number says how many of the sentences have something to change; each change is scored on
# these.)
#
# **Predict.** Which of the five does BLEU punish most?

# %% id="blind-figure"
marks = {name: metrics.corpus_bleu(*both).score for name, both in edits.items()}
letters = {name: metrics.corpus_chrf(*both) for name, both in edits.items()}
colours = [figures.PALETTE[1]] * 3 + [figures.PALETTE[2]] * 2
fig, ax = plt.subplots(figsize=(8, 3.4))
bars = ax.barh(list(marks), list(marks.values()), color=colours)
for bar in bars[:3]:
    bar.set_hatch("//")
paper = {"facecolor": "white", "edgecolor": "none", "pad": 2}
ax.bar_label(bars, fmt="%.0f", label_type="center", bbox=paper)
ax.plot(list(letters.values()), list(letters), "D", color="black")
ax.invert_yaxis()
ax.set(title="Three changes of what is said (hatched), two of how", ylabel="change")
ax.set(xlabel="bar: BLEU, diamond: chrF (0 to 100)", xlim=(0, 100))
plt.show()

# %% [markdown] id="blind-alt"
# <details><summary>The figure in words</summary>
#
# Horizontal bars of BLEU for five changes, and a diamond for chrF on each. Hatched, meaning
# changed: another person lies highest, near 78, another number near 71, “not” left out near 67.
# Plain, meaning kept: time moved to the end near 63, and “didn't” for “did not” lowest of all, near
# 57. chrF lies between 80 and 90 for all five.
#
# </details>

# %% id="blind-numbers"
ranked = sorted(marks, key=marks.get)
print("from the lowest BLEU to the highest:", *ranked, sep="\n  ")

# %% [markdown] id="blind-read"
# Saying *didn't* for *did not* costs more than leaving out the *not*; a moved *yesterday* costs
# more than the wrong person. BLEU is no judge of a sentence. What it can do is to compare systems
# over many sentences, where such accidents strike all alike: then a higher BLEU usually goes with a
# better translation, as [Papineni et al. (2002)](D_papers.ipynb#cell-id=papineni-2002) reported.
# *Usually*: for systems of different kinds, or small differences, it need not ([Callison-Burch,
# Osborne and Koehn 2006](D_papers.ipynb#cell-id=callison-burch-2006); [Mathur, Baldwin and Cohn
# 2020](D_papers.ipynb#cell-id=mathur-2020)). It is blind to
#
# - *meaning*: a changed digit, name or negation is one token among many;
# - *other words for the same thing*, with one reference even more so;
# - *free word order*: 개가 사람을 물었다 and 사람을 개가 물었다 both say *the dog bit the man*,
# since the particles say who does what; BLEU takes the other order for an error;
# - *everything beyond the sentence*.
#
# So look at translations too, not only at scores. Chapter 10 does, at length.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Accuracy by position fails when one word is too many; precision without clipping is fooled by
# *the the the*, with clipping by silence; recall by saying everything; F1 by any order of the
# words.
# - BLEU = brevity penalty × *geometric* mean of clipped n-gram precisions, from counts summed over
# the whole corpus. The penalty is $\exp(1 - r/c)$; $\min(1, c/r)$ rewards silence.
# - Ours is sacreBLEU's to the sixth decimal, with every smoothing. A single sentence's BLEU can be
# mostly its smoothing.
# - Scores cut by different rules must not be compared: give the signature.
# - A score of few sentences is noise; a bootstrap interval says how much. Two systems are compared
# *paired*, on the same sentences; that says nothing about another training.
# - In our runs BLEU hardly depends on length with attention, within the trained lengths; without
# attention it falls.
# - BLEU sees strings, not meaning.
#
# **Left out, or done otherwise than planned.** *Human judgement*: the correlations that Papineni
# et al. report need their judges; we quote, and do not repeat. *Korean tokenised by a
# morphological analyser* (sacreBLEU's `ko-mecab`) needs a program that we do not install; the
# corpus's own pieces stand in for it. *Learnt metrics* (COMET, BLEURT) see meaning better, and
# need a large trained network. The joined captions are random neighbours, so that nothing is
# learnt from one about the next: they are long inputs, not long *texts*. Three seeds each; one
# recipe for both; greedy search.
#
# **Papers.** [Papineni, Roukos, Ward and Zhu 2002](D_papers.ipynb#cell-id=papineni-2002) (BLEU:
# §2.1 clipping, §2.1.3 the geometric mean, §2.2 brevity); [Lin and Och
# 2004](D_papers.ipynb#cell-id=lin-2004) and [Chen and Cherry
# 2014](D_papers.ipynb#cell-id=chen-2014) (smoothing); [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004) (bootstrap, paired); [Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015), [2017](D_papers.ipynb#cell-id=popovic-2017) (chrF,
# chrF++); [Post 2018](D_papers.ipynb#cell-id=post-2018) (sacreBLEU, signatures); [Clark, Dyer,
# Lavie and Smith 2011](D_papers.ipynb#cell-id=clark-2011) (several trainings); [Callison-Burch,
# Osborne and Koehn 2006](D_papers.ipynb#cell-id=callison-burch-2006); [Mathur, Baldwin and Cohn
# 2020](D_papers.ipynb#cell-id=mathur-2020); [Cho et al. 2014b](D_papers.ipynb#cell-id=cho-2014b)
# and [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (early pictures of BLEU
# by length).
#
# **Next.** Chapter 10: a real translator, from raw captions to a BLEU with a signature.
