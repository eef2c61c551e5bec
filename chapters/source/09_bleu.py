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
# **What you will be able to do.** Build BLEU from counting words, and say of every part of it which
# wrong answer made it necessary. Get sacreBLEU's number to the sixth decimal. Know when two scores
# may be compared, how far to trust a difference, what no BLEU can tell you, and how to report a
# score so that others can use it.
#
# **What you need.** Words and counting; for one measurement the translators of chapter 5.
#
# **First sitting: build it and use it.** 40 minutes to read, 42 for exercises 9.1 to 9.4. Its aim:
# you can compute the BLEU of a small corpus by hand, and say what each factor is for. All of it
# must be read, but whoever knows precision, recall and F1 may begin at *Who sat on whom?*
#
# **Second sitting: how far to trust it.** 45 minutes to read, 42 for exercises 9.5 to 9.7. Its aim:
# you can say what the sentence "our system is better by 0.8 BLEU" is worth. May be skipped: *When a
# precision is zero* (with 9.5), *Smaller than words: chrF* (with 9.6), and *Real sentences: six
# recorded runs* after its first paragraph. But *One model, three trainings*, at the end of that
# section, must be read, like all the others. (Run the skipped cells all the same: later ones use
# what they make.)
#
# **To run:** at most a minute with one thread, on a processor with AVX-512 or with AVX2 alone.

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

from attnbook import about, budget, exercise, predict, progress, recall, reveal, views
from attnbook.figures import bleu_by_length, ngram_diagram
from attnlib import figures, metrics
from attnlib.data import Batches, WordVocabulary, bundled_directory, load_corpus
from attnlib.device import seed_everything
from attnlib.model import Encoder, LuongDecoder, Seq2Seq
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()


def read_record(name):
    """A recorded run: a file with the command, the seeds and the versions that made it."""
    path = bundled_directory().parent / "runs" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


# %% id="first"
german = Translator.load(bundled_directory().parent / "de-en", "cpu")
machine = german.translate("Zwei Frauen trinken im Park Kaffee.", beam=1).text
person = "Two women drink coffee in the park."
tries = [
    machine,
    "Two women drink tea in the park.",
    "Two women drink coffee.",
    "In the park, two women are having coffee.",
    "Park the coffee in two women drink.",
]
views.hypothesis_view(person, machine, suggestions=tries, title="Type a translation of your own")

# %% id="first-list"
for text in tries:
    print(f"{metrics.sentence_bleu(text, person).score:5.1f}  {text}")

# %% [markdown] id="first-read"
# You know the German sentence, *Zwei Frauen trinken im Park Kaffee*: it is the first one of this
# book, and the translator is the same, too. The line *reference* is what a person wrote, the line
# *yours* what stands in the field, at first the machine's sentence. The number that compares them,
# from 0 to 100, is BLEU. Type another translation into the field, or press a button, and watch what
# is underlined: the words, pairs, threes or fours of words that the two have in common.
#
# Now read the list. The machine's sentence is a good translation, and it gets 51. With *tea* in the
# place of *coffee* the sentence is wrong, and it gets 50. The fourth is what a person might well
# say, and it gets less than the last one, which is a heap of words.
#
# Can such a number be of any use? Many results of this book are stated in it, and for twenty years
# most results of the field were. In this sitting you build it; each of its parts is there
# because something simpler could be fooled. In the second sitting you find out how far to trust it.
# On one sentence, as you have just seen, that is hardly at all.

# %% [markdown] id="five-text"
# Before we begin, five short questions on earlier chapters. Answer them, or read on. (The library's
# own functions are called `metrics.something` below; the same name without `metrics.` is *yours*,
# from an exercise.)

# %% id="five"
recall("09")

# %% [markdown] id="accuracy-text"
# ## Right word, right place
#
# How would you score what a translator writes, the **hypothesis**, by what a person wrote, the
# **reference**? The first idea is the **accuracy** of a school test: compare
# word 1 with word 1, word 2 with word 2, and take the share of places that agree. Of the three
# hypotheses below one is perfect, in one the mat sits on the cat, and one has a word too many.

# %% id="accuracy"
reference = "the cat sat on the mat"


def accuracy(hypothesis, reference):
    """The share of positions at which the same word stands."""
    one, other = hypothesis.split(), reference.split()
    return sum(a == b for a, b in zip(one, other)) / max(len(one), len(other))


for hypothesis in (reference, "the mat sat on the cat", "now the cat sat on the mat"):
    print(f"{accuracy(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="accuracy-read"
# The third has *every* word of the reference, in order, and gets 0: the one word too many at the
# front has pushed all others out of their places. The sentence in which the mat sits on the cat
# gets 0.67. Words do not have fixed places.

# %% [markdown] id="precision-text"
# ## Forget the places: precision
#
# So let a word count wherever it stands. **Precision** is the share of the hypothesis's words that
# occur in the reference: *how much of what was said is right?* Can you think of a sentence that
# gets the full mark under this rule without being a translation at all?


# %% id="precision"
def word_precision(hypothesis, reference):
    said, known = hypothesis.split(), reference.split()
    return sum(word in known for word in said) / len(said)


for hypothesis in ("now the cat sat on the mat", "the the the the the the", "the"):
    print(f"{word_precision(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="precision-read"
# The honest sentence gets 0.86, and six times *the* gets the full mark. [Papineni et
# al.](D_papers.ipynb#cell-id=papineni-2002) (2002, §2.1) begin with nearly this joke (seven *the*).
# The remedy is **clipping**: the reference has two *the*, so at most two may be found. In general a
# word counts $\min(\text{count in hypothesis}, \text{count in reference})$ times. Python's
# `Counter` has this as `&`.


# %% id="clipping"
def clipped_precision(hypothesis, reference):
    said, known = Counter(hypothesis.split()), Counter(reference.split())
    return (said & known).total() / said.total()


for hypothesis in ("now the cat sat on the mat", "the the the the the the", "the"):
    print(f"{clipped_precision(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="recall-text"
# ## Silence is no translation: recall
#
# Six times *the* is down to 0.33. But the last line still gets 1.00 for one word of six. **Recall**
# asks the other question, *how much of the reference was said?*, and divides the same overlap by
# the length of the reference.


# %% id="recall"
def word_recall(hypothesis, reference):
    said, known = Counter(hypothesis.split()), Counter(reference.split())
    return (said & known).total() / known.total()


everything = "a the the an cat dog sat stood on under mat rug and or not is was of"
for hypothesis in ("the", everything):
    p, r = clipped_precision(hypothesis, reference), word_recall(hypothesis, reference)
    print(f"precision {p:.2f}, recall {r:.2f}  {hypothesis}")

# %% [markdown] id="recall-read"
# Each is fooled by the opposite trick: precision by saying almost nothing, recall by saying
# everything. So both are needed, in one number. The plain mean would still give *the* more than one
# half. The **harmonic mean** $F_1 = 2PR/(P+R)$ stays near the smaller of the two:

# %% id="f-score"
for hypothesis in ("the", everything, "now the cat sat on the mat"):
    p, r = clipped_precision(hypothesis, reference), word_recall(hypothesis, reference)
    print(f"mean {(p + r) / 2:.2f}, F1 {2 * p * r / (p + r):.2f}  {hypothesis}")

# %% [markdown] id="order-text"
# ## Who sat on whom?
#
# Now both tricks fail. But look at what has been thrown away on the way. Take the six words of the
# reference in *every* order that there is. In what percentage of these sentences is F1 smaller than
# 1?

# %% id="predict-orders"
predict("09.orders", ...)

# %% id="order"
orders = sorted({" ".join(some) for some in itertools.permutations(reference.split())})
perfect = [
    order for order in orders
    if clipped_precision(order, reference) == word_recall(order, reference) == 1
]
print(f"{len(orders)} different orders, {len(perfect)} of them with precision = recall = F1 = 1")
print(*perfect[:: len(perfect) // 4], sep="\n")
reveal("09.orders", 100 * (1 - len(perfect) / len(orders)))

# %% [markdown] id="order-read"
# There is none. Precision, recall and F1 cannot see order *at all*: shuffle the words as you like,
# the counts stay. "The mat sat on the cat" is perfect. Going back to places is no way out (one word
# too many, and all is lost). What is needed is something between a word and a sentence.

# %% [markdown] id="ngrams-text"
# ## Count runs of words: n-grams
#
# An **n-gram** is a run of $n$ neighboring tokens. "the cat" occurs in the reference, "the mat"
# occurs, "mat sat" does not: runs of two words (*bigrams*) know who stands beside whom, wherever in
# the sentence the run may be.

# %% id="ngram-drawing"
mat_on_top = "the mat sat on the cat"
ngram_diagram(mat_on_top.split(), reference.split(), 2)

# %% [markdown] id="ngram-drawing-read"
# Four of the five pairs are found, wherever they stand; *mat sat* is not. This drawing is all of
# BLEU's eyesight: it sees which runs can be joined by a line, and nothing else.

# %% [markdown] id="ex-ngram-counts-text"
# ### Exercise 9.1 · Count the n-grams
# *Warm-up, 6 minutes.* Given a list of tokens and $n$, return how often each run of $n$ tokens
# occurs: a dictionary from tuples to counts (a `Counter` is one). Four tokens have three bigrams; a
# sentence shorter than $n$ has none, and the dictionary is empty.
#
# <details><summary>Hint 1</summary>
#
# The run that begins at token i is <code>tokens[i : i + n]</code>. What is the last i at which a
# whole run begins?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Four tokens, n = 2: i goes through 0, 1, 2. Write that as a range of len(tokens) and n. And a list
# cannot be a key of a dictionary; what can?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Make a tuple of each run, and hand all of them to something that counts what it is given.
#
# </details>


# %% id="ex-ngram-counts" tags=["exercise"]
@exercise
def ngram_counts(tokens, n):
    """How often each run of n tokens occurs. tokens: list of strings → dict tuple → int."""
    raise NotImplementedError


# %% [markdown] id="ex-overlap-text"
# ### Exercise 9.2 · Precision, recall and F1 of n-grams
# *Core, 10 minutes.* The clipped overlap of two texts: $\sum_g \min(\text{count in hypothesis},
# \text{count in reference})$ over the n-grams $g$. Divide it by the n-grams of the hypothesis
# (precision) and by those of the reference (recall), and return `(precision, recall, f1)` as
# numbers from 0 to 1. What would be divided by zero is 0. Cut the texts into tokens with
# `metrics.tokenize_13a` (it separates the full stop), count with `metrics.ngram_counts` or your
# own.
#
# <details><summary>Hint 1</summary>
#
# For two Counters, <code>a & b</code> is the smaller count of every key, and <code>a.total()</code>
# is the sum of all counts.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Three numbers are all you need: the total of the overlap, of the hypothesis, of the reference.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Three divisions, and each of them can meet a zero: a sentence of two words has no trigrams, and
# two sentences may share nothing.
#
# </details>


# %% id="ex-overlap" tags=["exercise"]
@exercise
def overlap(hypothesis, reference, n):
    """(precision, recall, F1) of n-grams, clipped, 0 to 1. Two strings and n → three floats."""
    raise NotImplementedError


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
# one with *now* in front keeps nearly all. Short runs ask whether the right words were chosen, long
# runs whether they stand in the right order. (The library's `metrics.overlap` says the same; the
# assertion compares them.)

# %% [markdown] id="mean-text"
# ## Four precisions, one number
#
# **BLEU** takes $n = 1, 2, 3, 4$. How should four numbers become one? To judge a way of averaging
# we need translations whose quality we know, so we make some: take English sentences of the book's
# corpus and let every word survive with probability $q$; otherwise a random word takes its place. A
# fourth "system" keeps all the right words and shuffles them. To look at, the first sentence of ten
# tokens is printed.

# %% id="damage"
corpus = load_corpus("ko-en")
gold = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.test]  # tokens between spaces
words = sorted({word for text in gold for word in text.split() if word.isalpha()})
shown = next(k for k, text in enumerate(gold) if len(text.split()) == 10)


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
print(f"{'undamaged':23}{gold[shown]}")
for name, texts in systems.items():
    print(f"{name:23}{texts[shown]}")

# %% [markdown] id="mean-predict"
# For $q = 0.7$ about three of four tokens are right. What percentage of the runs of *four* is?

# %% id="predict-runs"
predict("09.runs", ...)

# %% id="mean-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
for (name, result), marker in zip(measured.items(), "osD^"):
    ax.semilogy((1, 2, 3, 4), result.precisions, marker=marker, label=name)
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
for name, result in measured.items():
    four = result.precisions
    geometric = math.exp(sum(math.log(x) for x in four) / 4)
    row = "".join(f"{x:5.0f}" for x in four)
    print(f"{name:21}{row}{sum(four) / 4:12.1f}{geometric:14.1f}")
reveal("09.runs", measured["q = 0.7"].precisions[3], within=8)

# %% [markdown] id="mean-read"
# The lines of the three damaged systems are straight on a logarithmic axis: if a word is right with
# probability $q$, a run of $n$ words is right with about $q^n$. The four precisions therefore live
# on different scales.
#
# **You will often read that** BLEU adds up the precisions, or takes their mean. A sum, or the plain
# (arithmetic) mean, listens mostly to the largest, $p_1$, and so it prefers the word salad to the
# system with $q = 0.45$. The **geometric mean** $(p_1 p_2 p_3 p_4)^{1/4}$, the exponential of the
# mean of the *logarithms*, treats all four alike: halve any one of them, and it falls by the same
# factor. It puts the salad last. This is BLEU's choice ([Papineni et al.
# 2002](D_papers.ipynb#cell-id=papineni-2002), §2.1.3), a product and not a sum.
#
# Back to the cat. Over all 360 orders of its six words F1 was blind. What does the geometric mean
# say of them?

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
# just above 20; a few lie around 60, two just below 80, a single one at 100. A dashed line at 100
# marks F1, which is 1 for all of them.
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
#
# That is all of it: four precisions, their geometric mean, and one factor for being short.

# %% [markdown] id="ex-brevity-penalty-text"
# ### Exercise 9.3 · The brevity penalty
# *Core, 6 minutes.* From the two lengths in tokens to the factor. A hypothesis without a single
# token gets 0.
#
# <details><summary>Hint 1</summary>
#
# Three cases: nothing said; long enough; too short.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# At c = r both branches must give 1, so that nothing jumps.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The formula above, in an order of the three cases in which nothing is ever divided by 0. Mind
# which length is above the line.
#
# </details>


# %% id="ex-brevity-penalty" tags=["exercise"]
@exercise
def brevity_penalty(hypothesis_length, reference_length):
    """BP = 1 if c ≥ r, else exp(1 − r/c); 0 for c = 0. Two whole numbers → float."""
    raise NotImplementedError


# %% [markdown] id="brevity-compare-text"
# **You will often read that** the score is lowered "by as much as the translation is short": by
# $\min(1, c/r)$. Is that the same?

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
# $\exp(1 - r/c) \le c/r$. When does the difference matter? Think of a system that knows the first
# half of every sentence well (95 % of its words) and has almost no idea of the second (10 %). It
# may say all it has, or fall silent early. How much should it say to get the best score?

# %% id="silence"
draw = random.Random(3)
half_known = [
    [
        word if draw.random() < (0.95 if k < len(text) / 2 else 0.1)
        else words[int(draw.random() * len(words))]
        for k, word in enumerate(text)
    ]
    for text in (sentence.split() for sentence in gold)
]
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
    best = int(np.argmax(curve))
    print(f"{name:12}: best when {said[best]:.0%} is said, {curve[best]:.1f}; "
          f"everything said, {curve[-1]:.1f}")

# %% [markdown] id="silence-read"
# For this system, which was made for the purpose, the share $c/r$ rewards silence about the hard
# part, if only by about a point; BLEU's factor does not. So the two are not the same, and a score
# with $\min(1, c/r)$ is not BLEU. (What is too *long* needs no factor: every superfluous word has
# lowered the precisions already.)

# %% [markdown] id="corpus-text"
# ## A corpus is not the mean of its sentences
#
# BLEU was made for a whole test set. The matches of *all* sentences are summed, the totals are
# summed, the lengths are summed; then one divides, once. Below, a short sentence is translated
# perfectly and a long one badly. Which number will be larger, (a) the mean of the two sentences'
# scores or (b) the score of the two together?

# %% id="predict-together"
predict("09.together", ...)

# %% id="corpus"
pair = ["a small dog sleeps .", "the cat on a black mat was asleep in the sun all day long ."]
truth = [pair[0], "all day long the black cat slept on the mat in the warm sun ."]
each = [metrics.sentence_bleu(*both).score for both in zip(pair, truth)]
together = metrics.corpus_bleu(pair, truth).score
print(f"sentences {each[0]:.1f} and {each[1]:.1f}, mean {sum(each) / 2:.1f}")
print(f"together  {together:.1f}")
reveal("09.together", "a" if sum(each) / 2 > together else "b")

# %% [markdown] id="corpus-read"
# In a mean of sentences the short one weighs as much as the long one; in the sums every n-gram
# weighs the same. Lengths, too: a sentence that is one word too long makes up for one that is too
# short, and only the whole is penalized.

# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# The next exercise is the heart of the chapter. Its shape is *sum first, divide once*; here it is
# with something simpler, the clipped precision of single words over a corpus. The loop keeps two
# sums. But its last line takes the mean of two shares, and comes to 0.90. What should it do
# instead?

# %% id="faded"
shares_each, matched, spoken = [], 0, 0
for one, other in zip(pair, truth):
    said_words, known_words = Counter(one.split()), Counter(other.split())
    shares_each.append((said_words & known_words).total() / said_words.total())
    matched += (said_words & known_words).total()
    spoken += said_words.total()
corpus_precision = sum(shares_each) / len(shares_each)  # yours: one division
print(f"{corpus_precision:.2f}, and {matched} words of {spoken} were found")

# %% [markdown] id="ex-corpus-bleu-text"
# ### Exercise 9.4 · BLEU
# *Hard, 20 minutes.* All of it, for lists of texts with one reference each, without smoothing. For
# every sentence: tokens by `metrics.tokenize_13a`, clipped matches and totals for $n = 1 \dots 4$,
# both lengths. Sum each over the sentences, and compute the score, 0 to 100. Where one of the four
# precisions is 0 (or there are no n-grams of that order at all), the score is 0.
#
# <details><summary>Hint 1</summary>
#
# Four sums of matches, four of totals, and c and r: keep ten numbers, and add to them sentence by
# sentence. Divide after the loop, not in it.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Matches are the total of the clipped overlap of Exercise 9.2, the totals are the n-grams of the
# hypothesis.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# After the loop, in this order: is one of the four sums of matches 0? Then the mean of four
# logarithms, its exponential, the penalty of <code>metrics.brevity_penalty(c, r)</code>, and 100.
#
# </details>


# %% id="ex-corpus-bleu" tags=["exercise"]
@exercise
def corpus_bleu(hypotheses, references):
    """BLEU of a corpus, 0 to 100, unsmoothed. Two lists of strings of equal length → float."""
    raise NotImplementedError


# %% id="corpus-agree"
theirs = BLEU(force=True).corpus_score(systems["q = 0.7"], [gold])  # force: it would warn of " ."
print(f"yours {corpus_bleu(systems['q = 0.7'], gold):.4f}, "
      f"attnlib {measured['q = 0.7'].score:.4f}, sacreBLEU {theirs.score:.4f}")
assert abs(corpus_bleu(systems["q = 0.7"], gold) - theirs.score) < 1e-6
print(theirs)

# %% [markdown] id="corpus-agree-read"
# Three programs, one number. The last line is how sacreBLEU, the program that most papers use
# today, writes a score: the four precisions behind it, BP, and the lengths. Always look at the
# ratio of the lengths first.
#
# *Several references.* If a sentence has more than one, an n-gram is clipped by its *largest* count
# in any of them, and $r$ is the length of the reference that is closest in length (of two equally
# close, the shorter). The machine of the first cell gains by a second person's words:

# %% id="several"
persons = [person, "Some women are drinking coffee outdoors."]
theirs = BLEU(effective_order=True).sentence_score(machine, persons)
for given in ([persons[0]], [persons[1]], persons):
    print(f"{metrics.sentence_bleu(machine, given).score:5.1f} with {given}")
assert abs(metrics.sentence_bleu(machine, persons).score - theirs.score) < 1e-6

# %% id="several-view"
views.hypothesis_view(persons, machine, suggestions=tries, title="The same, with two references")

# %% [markdown] id="several-read"
# Alone, the second reference would give the machine less than the first; together they give it more
# than either, since a run may be found in one or in the other. The view computes what you have just
# built (and what exercise 9.5 adds for single sentences). A challenge: get more than 70 with a
# sentence that is plainly *wrong*. Then get less than 20 with one that is plainly *right*. Both
# take about a minute, and the second sitting is about why.

# %% [markdown] id="levels-text"
# ## What does a 47 look like?
#
# A reader new to BLEU asks: is 40 good? Look at the BLEU of all 1,500 sentences as the damage
# grows, and at the sentence from above, *Miyoung will throw a ball on the field tomorrow*.

# %% id="levels"
print("words exchanged    p1    p4   BLEU")
for q in (0.9, 0.8, 0.7, 0.6, 0.45):
    draw = random.Random(9)
    made = [damaged(text, q, draw) for text in gold]
    result = metrics.corpus_bleu(made, gold)
    print(f"{1 - q:11.0%}{result.precisions[0]:10.0f}{result.precisions[3]:6.0f}"
          f"{result.score:7.1f}   {made[shown]}")

# %% [markdown] id="levels-read"
# A BLEU of 80 is one word in ten exchanged, and one below 50 is already three in ten: the score
# falls much faster than the share of right words, because four neighbors must be right together.
# (The sentence shown is one draw each time: at 20 % it was luckier than at 10 %.) That is the
# *scale*. But damage by chance is not what translators do, and a person who says the same in other
# words is "damaged", too. So ask what real translators of this book got:

# %% id="levels-real"
captions = read_record("10_multi30k")["runs"]
joined = read_record("09_joined_captions")["runs"]
easy_runs = read_record("05_attention")["runs"]


def typical(some):
    return f"{np.mean(some):5.1f}  (seeds: {', '.join(f'{score:.1f}' for score in sorted(some))})"


print("tidy Korean (ch. 5), mean of 5 ranges              ", typical(
    [np.mean(run["bleu"]) for run in easy_runs if run["variant"] == "luong"]))
for preset in ("full", "quick"):
    print(f"German captions, {preset:5} (ch. 10)                    ", typical(
        [run["bleu"]["test beam 5"] for run in captions if run["preset"] == preset]))
print("captions joined, 46 words and more, no attention   ", typical(
    [run["bleu"][4] for run in joined if run["variant"] == "without"]))

# %% [markdown] id="levels-real-read"
# Nobody should read this as "the Korean translator is twice as good". It has a tiny vocabulary and
# a grammar with few surprises; the captions were written by people. And on news, English to German,
# [Luong, Pham and Manning (2015)](D_papers.ipynb#cell-id=luong-2015) reported 25.9 as the best
# result of its time. **A BLEU means something only beside another one, on the same sentences.** If
# you must read one alone, here is a rule of thumb, for one reference and text by people. Tables
# like it circulate with translation services; nothing in this chapter measures it:
#
# | BLEU | what to expect |
# |---|---|
# | below 10 | something is broken, or the texts are of another kind |
# | 10 to 20 | one can guess what it is about |
# | 20 to 40 | one understands it; grammar and words are often wrong |
# | 40 to 60 | good, in a narrow field or between close languages |
# | above 60 | suspicious: easy test set, or test sentences in the training data |
#
# It moves with the language, the texts and the number of references.

# %% [markdown] id="length-text"
# ## The first use: BLEU by length
#
# Now we have the instrument, and the question that this book began with: what happens to *long*
# sentences? Two translators, Korean to English, of chapter 5: the same encoder, the same batches,
# parameters within 5 %. Chapter 5 trained seed 1 of both before your eyes. Here seed 2 of the one
# with attention is trained (1,000 updates, or fewer on a processor without AMX), and of the one
# without the three seeds are read from chapter 5's record.

# %% id="models"
easy = load_corpus("ko-en-easy")
easy_korean = WordVocabulary.build((pair.src for pair in easy.train), pieces=easy.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in easy.train)


def make_model():
    """Chapter 5's model with attention."""
    source, target = nn.Embedding(len(easy_korean), 128), nn.Embedding(len(english), 128)
    for embedding in (source, target):
        nn.init.normal_(embedding.weight, std=128**-0.5)
    encoder = Encoder(source, 128, dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, 128, 128, 128, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(128, len(english))
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    return Seq2Seq(encoder, decoder, output)


# %% id="recipe"
ids = [(easy_korean.encode(pair.src), english.encode(pair.tgt)) for pair in easy.train]
updates = budget(1000, slow=500, unit="AMX")
recipe = Recipe(
    updates=updates, warmup=updates // 4, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=updates, precision="fp32", seed=2,
)

# %% id="train" tags=["nbval-ignore-output"]
seed_everything(2)
model = make_model()
batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=2)
fit(model, batches, recipe)  # about twenty seconds, with AMX or without
translator = Translator(model, easy_korean, english)

# %% id="translate"
translations = translator.translate([pair.src for pair in easy.test], beam=1)
outputs = {"with attention, live": [translation.text for translation in translations]}

# %% [markdown] id="control-text"
# Before looking: would BLEU *itself* fall with length, even if every word were as easy to get
# right in a long sentence as in a short one? A measurement needs a control, so a third "system"
# gets each word right with probability 0.8, whatever the length.

# %% id="length"
references = [pair.tgt for pair in easy.test]
draw = random.Random(8)
tokens = [" ".join(metrics.tokenize_13a(text)) for text in references]
outputs["each word right with q = 0.8"] = [damaged(text, 0.8, draw) for text in tokens]
lengths = [len(easy_korean.encode(pair.src)) for pair in easy.test]
buckets = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in buckets]


def of_bucket(texts, picks):
    """The hypotheses of a bucket and their references."""
    return [texts[i] for i in picks], [references[i] for i in picks]


# %% id="length-lines"
lines = {
    name: [metrics.corpus_bleu(*of_bucket(texts, picks)).score for picks in chosen]
    for name, texts in outputs.items()
}
kinds = {kind: [run for run in easy_runs if run["variant"] == kind] for kind in ("luong", "none")}
without = torch.tensor([run["bleu"] for run in kinds["none"]])  # (3 seeds, 5 ranges)
name = "without, recorded: three seeds"
lines[name] = without.mean(0).tolist()
ends = {name: torch.stack([without.amin(0), without.amax(0)], 1)}
parameters = [some[0]["parameters"] for some in kinds.values()]
print(f"parameters: {parameters[0]:,} with attention, {parameters[1]:,} without")
assert abs(parameters[0] / parameters[1] - 1) < 0.05

# %% id="length-figure" tags=["hide-input"]
ax = bleu_by_length(
    buckets, lines, intervals=ends, counts=[len(picks) for picks in chosen],
    title="BLEU by length (bars: from the worst seed to the best)",
)
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
control = lines["each word right with q = 0.8"]
seed_two = next(run["bleu"] for run in kinds["luong"] if run["seed"] == 2)
behind = 10 if updates == 1000 else 45  # the record had 1,000 updates
print("source tokens            ", *[f"{low:>3}-{high:<2}" for low, high in buckets])
print("with attention, recorded ", *[f"{score:6.1f}" for score in seed_two])
print("                live     ", *[about(a, b - behind, b + 10, "5.1f")
                                     for a, b in zip(live, seed_two)])
print("without, mean of 3 seeds ", *[f"{score:6.1f}" for score in without.mean(0)])
print("        best minus worst ", *[f"{gap:6.1f}" for gap in without.amax(0) - without.amin(0)])
print("control, q = 0.8         ", *[f"{score:6.1f}" for score in control])
assert all(a > b for a, b in list(zip(live, without.amax(0)))[1:])
assert (without[:, -1] < without[:, 0] / 2).all()

# %% [markdown] id="length-read"
# Live you see one run; chapter 5 compares three seeds of each. Within the lengths that it was
# trained on, the model with attention keeps its score up to the longest range (after fewer updates
# it loses some of it there); the model without loses more than half of its own on the way there, in
# all three seeds. And the control shows that the fall comes from the *model*: where every word is
# equally easy, BLEU moves up and down and has no trend. (Beyond the trained lengths attention
# falls, too; chapter 5 shows that.)
#
# <details><summary>How sure?</summary>
#
# This corpus is at its ceiling: with attention nearly every sentence is right, so nothing better
# could be seen on it. One recipe, chosen for the model with attention, was used for both. On
# captions that people wrote the question comes back below, with intervals.
#
# </details>
#
# **Here the first sitting ends.** You have built the number and used it. The next one asks what it
# is worth.

# %% [markdown] id="zero-text"
# ## When a precision is zero
#
# **Second sitting.** A geometric mean has a trap door: one zero, and everything is zero. A whole
# test set nearly always has some run of four words right. A single sentence often has none.

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
# If no order has a match, return four zeros, whatever the smoothing.
#
# <details><summary>Hint 1</summary>
#
# The exception comes first, before any loop: it is one question about all four matches.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# For "exp" keep a count of the zeros met so far; the j-th of them is worth how much of a match?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Change the number of matches first (and for "add-k" the total, where n is not 1), and divide in
# one place at the end of the loop.
#
# </details>


# %% id="ex-smoothed-precisions" tags=["exercise"]
@exercise
def smoothed_precisions(matches, totals, smoothing):
    """Precisions p_1 … p_4, smoothed as in sacreBLEU. Two lists of 4 numbers, a name → 4 floats."""
    raise NotImplementedError


# %% id="smoothing"
print(f"{'':26}none  floor    exp  add-k")
for hypothesis in ("the mat sat on the cat", "the cat lay on the mat", "dogs bark in the sun now"):
    row = f"{hypothesis:24}"
    for kind in ("none", "floor", "exp", "add-k"):
        ours = metrics.corpus_bleu([hypothesis], [reference], smoothing=kind)
        geometric = math.prod(smoothed_precisions(ours.counts, ours.totals, kind)) ** (1 / 4)
        assert abs(100 * ours.brevity_penalty * geometric - ours.score) < 1e-6
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
    made = [damaged(text, draw.random(), draw) for text in picked]
    for kind in ("none", "floor", "exp", "add-k"):
        theirs = BLEU(smooth_method=kind).corpus_score(made, [picked]).score
        gaps = [metrics.corpus_bleu(made, picked, smoothing=kind).score - theirs]
        for one, other in zip(made, picked):
            alone = BLEU(smooth_method=kind, effective_order=True).sentence_score(one, [other])
            gaps.append(metrics.sentence_bleu(one, other, smoothing=kind).score - alone.score)
        largest, compared = max(largest, *map(abs, gaps)), compared + len(gaps)
assert largest < 1e-6
print(f"{compared} scores compared with sacreBLEU; those that differ by 0.000001 or more: 0")

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
verbs = {"있", "가", "오", "치", "읽", "만드", "여행하"}  # here 는 is an ending and no particle
sources = [pair.src for pair in corpus.test]
mistaken = []
for text in sources:
    cut = korean.tokenize(text)
    swapped = [b if a in verbs else exchange.get(b, b) for a, b in zip(["", *cut], cut)]
    mistaken.append(re.sub(r" (##|(?=[.,?!]))", "", " ".join(swapped)))  # as Korean is written
print(sources[shown], mistaken[shown], sep="\n")

# %% [markdown] id="tokens-predict"
# That is *Miyoung will throw a ball on the field tomorrow* once more, as it was and with the
# mistake: only the particle after *Miyoung* has changed.
#
# The tokens may be cut at spaces (`none`), with punctuation cut off (`13a`, sacreBLEU's default),
# into word and particle, as our own translators cut Korean (`our pieces`), or every syllable may be
# a token (`char`). How many points lie between the lowest and the highest of the four scores?

# %% id="predict-scissors"
predict("09.scissors", ...)

# %% id="tokens"
pieces = [[" ".join(korean.tokenize(text)) for text in side] for side in (mistaken, sources)]
protocols = {
    "none": metrics.corpus_bleu(mistaken, sources, tokenize="none").score,
    "13a": metrics.corpus_bleu(mistaken, sources).score,
    "our pieces": metrics.corpus_bleu(*pieces, tokenize="none").score,
    "char": metrics.corpus_bleu(mistaken, sources, tokenize="char").score,
}
for name, score in protocols.items():
    print(f"{name:12}{score:5.1f}")
reveal("09.scissors", max(protocols.values()) - min(protocols.values()), within=1.5)

# %% [markdown] id="tokens-read"
# One set of sentences, and the scissors alone move the score by more than seven points. Cut at
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
print(str(metric.get_signature()).rpartition("|")[0], "  (sacreBLEU's own, less its version)")
assert str(metric.get_signature()).startswith(settings.signature())

# %% [markdown] id="signature-read"
# Read: one reference, case as it is, no effective order, tokenizer 13a, smoothing exp. More
# important than the signature is a habit: give sacreBLEU *raw* text, hypothesis and reference as a
# reader would see them, and let it cut both. What comes of other habits? (600 English sentences,
# damaged with $q = 0.7$.)

# %% id="raw"
raw = [pair.tgt for pair in corpus.test[:600]]
draw = random.Random(6)
made = [damaged(text, 0.7, draw) for text in raw]
cut = [" ".join(metrics.tokenize_13a(text)) for text in made]
stops = [[re.sub(r"[.,?!]", "", text) for text in side] for side in (made, raw)]
for name, sides in (("raw text on both sides", (made, raw)), ("no punctuation", stops)):
    print(f"{name:38}{metrics.corpus_bleu(*sides).score:5.1f}")
for name, side in (("cut at spaces", made), ("our side cut before, at spaces", cut)):
    print(f"{name:38}{metrics.corpus_bleu(side, raw, tokenize='none').score:5.1f}")

# %% [markdown] id="raw-read"
# Four scores of the same damaged text; the first is the one to report. Without punctuation, or with
# every mark glued to its word, the easy tokens are gone that our damage never touches. Worst is the
# last line, one side cut and the other not: there *station* never meets *station.*

# %% [markdown] id="chrf-text"
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
# <details><summary>Hint 1</summary>
#
# <code>"".join(text.split())</code> takes out the white space, and
# <code>metrics.ngram_counts</code> counts the letters of a string as well as the words of a list.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Two lists, one of precisions and one of recalls; an n for which one of the texts is too short adds
# to neither.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# F is taken once, of the two averages, with β = 2 put into the formula; where both averages are 0
# it would divide by 0.
#
# </details>


# %% id="ex-sentence-chrf" tags=["exercise"]
@exercise
def sentence_chrf(hypothesis, reference):
    """chrF2 of one sentence, 0 to 100. Two strings → float."""
    raise NotImplementedError


# %% id="chrf"
assert abs(sentence_chrf(mistaken[0], sources[0])
           - CHRF().sentence_score(mistaken[0], [sources[0]]).score) < 1e-6
right = "학생이 도서관에서 책을 읽었습니다"
for text in ("학생은 도서관에 책을 읽었어요", "아이가 방에서 책을 찢었다"):
    print(f"BLEU {metrics.sentence_bleu(text, right).score:.0f}, "
          f"chrF {sentence_chrf(text, right):.0f}  {text}")
print(f"the mistaken particles above: chrF {metrics.corpus_chrf(mistaken, sources):.1f}, "
      f"sacreBLEU's {CHRF().corpus_score(mistaken, [sources]).score:.1f}")

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
):
    p, r, f = overlap(hypothesis, reference, 1)
    place = accuracy(hypothesis, reference)
    by_words = metrics.sentence_bleu(hypothesis, reference).score
    by_letters = sentence_chrf(hypothesis, reference)
    row = f"{place:.2f} {p:.2f} {r:.2f} {f:.2f} {by_words:5.1f} {by_letters:5.1f}"
    print(f"{row}  {hypothesis}")

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
# easy, as in life. Three systems B have the same easy and hard sentences and are a little worse, by
# more and more; A′ is made exactly like A.
#
# BLEU needs only ten sums, so we keep ten numbers for each sentence, and any test set is scored by
# adding rows.


# %% id="population"
def statistics(hypothesis, reference):
    """c, r, matches of n = 1 … 4, totals of n = 1 … 4 of one sentence."""
    one = metrics.corpus_bleu([hypothesis], [reference])
    return [one.hypothesis_length, one.reference_length, *one.counts, *one.totals]


def score_of(sums):
    """BLEU of summed statistics (..., 10), for as many test sets at once as there are."""
    c, r, matches, totals = sums[..., 0], sums[..., 1], sums[..., 2:6], sums[..., 6:]
    mean = (matches / totals).clamp(min=1e-9).log().mean(-1)
    return 100 * (1 - r / c).clamp(max=0).exp() * mean.exp()


def rows_of(hypotheses, references):
    """The ten numbers of every sentence: (N, 10)."""
    return torch.tensor([statistics(*both) for both in zip(hypotheses, references)]).double()


# %% id="population-systems"
population = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.train[:6000]]
draw, rows = random.Random(5), {}
ease = [1 - 0.6 * draw.random() for _ in population]  # the same for all systems
for name, worse in (("A", 0), ("A′", 0), ("B1", 0.01), ("B2", 0.02), ("B4", 0.04)):
    made = [damaged(text, q - worse, draw) for text, q in zip(population, ease)]
    rows[name] = rows_of(made, population)
true = {name: float(score_of(all_rows.sum(0))) for name, all_rows in rows.items()}
print({name: round(score, 1) for name, score in true.items()})

# %% [markdown] id="population-read"
# A′ has 0.1 more than A, and nothing but the draw distinguishes them: even 6,000 sentences leave a
# little luck in the damage. "True" below means the score of these very translations on the whole
# population. It does not say which *recipe* of damage is better; *One model, three trainings* comes
# back to that.

# %% [markdown] id="sample-predict"
# Draw ten of the 6,000 sentences as a test set and score A; draw another ten, and so on. How many
# points wide is the range in which 95 % of these scores lie?

# %% id="predict-ten"
predict("09.ten", ...)

# %% id="sample"
generator = torch.Generator().manual_seed(9)
test_sizes = (3, 10, 30, 100, 300, 1000)
many = {}
for size in test_sizes:
    picks = torch.randint(6000, (500, size), generator=generator)  # 500 test sets
    many[size] = score_of(rows["A"][picks].sum(1))

# %% id="sample-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
boxes = ax.boxplot(
    [many[size].numpy() for size in test_sizes], whis=(2.5, 97.5), showfliers=False, widths=0.5,
    medianprops={"color": "black"},
)
ax.axhline(true["A"], color=figures.PALETTE[1], linestyle="--", label="all 6,000 sentences")
ax.set_xticks(range(1, len(test_sizes) + 1), [f"{size:,}" for size in test_sizes])
ax.set(title="BLEU of one and the same system on 500 test sets", ylim=(0, 100))
ax.set(xlabel="sentences in the test set", ylabel="BLEU (0 to 100)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="sample-alt"
# <details><summary>The figure in words</summary>
#
# Six box plots of BLEU for test sets of 3, 10, 30, 100, 300 and 1,000 sentences, whiskers around
# the middle 95 %. With 3 sentences the whiskers reach from about 15 to more than 85, with 10 from
# about 30 to more than 70, with 100 they are some 14 points apart, with 1,000 four or five. A
# dashed line marks the BLEU of all sentences, just above 50, and goes through every box, close to
# its median, a black line.
#
# </details>


# %% id="sample-numbers"
def middle(some, level=0.95):
    """The two ends between which the middle 95 % of some scores lie."""
    tails = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.double)
    return some.quantile(tails).tolist()


for size in test_sizes:
    low, high = middle(many[size])
    print(f"{size:5,} sentences: 95 % of the test sets score between {low:.0f} and {high:.0f}")
low, high = middle(many[10])
reveal("09.ten", high - low, within=8)

# %% [markdown] id="sample-read"
# A BLEU of ten sentences is a rumor. Even of a hundred it is a number with an error of several
# points, for *this* population; more uniform sentences spread less. To halve the error takes about
# four times the sentences.

# %% [markdown] id="bootstrap-text"
# ### The bootstrap: other test sets out of the one you have
#
# Nobody has 500 test sets. The **bootstrap** (for BLEU: [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004)) takes the sentences that one has as if they were the
# population: draw as many as there are, *with replacement*, so that some occur twice and some not
# at all; score; do it a thousand times. The middle 95 % of these scores are the **confidence
# interval**. In `draws` below a row says how often each sentence was drawn; times the ten numbers
# of the sentences, that is the sums of the resampled test set.


# %% id="bootstrap"
def draws(size, samples=1000):
    """How often each of the sentences is in each resampled test set: (samples, size)."""
    picks = torch.randint(size, (samples, size), generator=generator)
    ones = torch.ones(samples, size, dtype=torch.double)
    return torch.zeros_like(ones).scatter_add_(1, picks, ones)


some_rows = torch.randint(6000, (100,), generator=generator)  # one test set of 100 sentences
test_set = rows["A"][some_rows]
low, high = middle(score_of(draws(100) @ test_set))
print(f"BLEU {score_of(test_set.sum(0)):.0f}, 95 % interval {low:.0f} to {high:.0f}")

# %% id="bootstrap-agree"
theirs = BLEU(force=True).corpus_score(systems["q = 0.7"], [gold], n_bootstrap=1000)
ours = metrics.bootstrap_interval(systems["q = 0.7"], gold)
low, high = middle(score_of(draws(len(gold)) @ rows_of(systems["q = 0.7"], gold)))
print(f"1,500 sentences, q = 0.7: {theirs.score:.1f}")
for name, half in (
    ("this cell", (high - low) / 2),
    ("attnlib", (ours.high - ours.low) / 2),
    ("sacreBLEU", theirs._ci),
):
    print(f"  {name:10} ± {about(half, 0.6, 0.95, '.1f')}")

# %% [markdown] id="bootstrap-read"
# Each draws for itself, and they agree. sacreBLEU prints such an interval when it is called with
# `--confidence`.

# %% [markdown] id="coverage-text"
# Can it be believed? "95 %" is a promise that can be tested: of many test sets, 95 % should have an
# interval in which the true score lies. For 300 test sets of each size:

# %% id="coverage"
print("sentences   width of the interval   intervals with the truth inside")
for size in (10, 30, 100, 300):
    inside, width = 0, 0.0
    for _ in range(300):
        picks = torch.randint(6000, (size,), generator=generator)
        low, high = middle(score_of(draws(size, 200) @ rows["A"][picks]))
        inside, width = inside + (low <= true["A"] <= high), width + (high - low) / 300
    print(f"{size:9}{width:24.0f}{inside / 300:34.0%}")

# %% [markdown] id="coverage-read"
# With ten sentences the promise is not kept, since so few do not show how varied the world is; from
# thirty on it nearly is. So an interval of few sentences is wide *and* too optimistic.

# %% [markdown] id="paired-text"
# ### Is A better than B2?
#
# Now the question that people really ask. On the whole population A is better than B2 by between
# two and three points. But with 100 sentences an interval is about 13 points wide, so their two
# intervals will overlap almost entirely.
#
# **You will often read that** two systems whose intervals overlap do not differ. The intervals are
# wide because sentences differ in *difficulty*, and a hard sentence is hard for both. What matters
# is the *difference*, on the same sentences. The **paired bootstrap** ([Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004), §4) scores both systems on each resampled test set and
# counts who wins. One says "A is better with 95 % confidence" if A wins at least 95 % of the
# samples.

# %% [markdown] id="ex-paired-bootstrap-text"
# ### Exercise 9.7 · The paired bootstrap
# *Hard, 15 minutes.* Three lists of texts of equal length (two systems, and the references), a
# number of samples and a seed. Return two shares: of the samples in which the first is better, and
# in which the second is (a tie is neither). So that your numbers can be checked, draw like this:
# `draw = random.Random(seed)` once, and for each sample `picks = draw.choices(range(n), k=n)`.
# Score with `metrics.corpus_bleu(hypotheses, references).score`.
#
# <details><summary>Hint 1</summary>
#
# One draw, two scores: both systems get the same picks.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Three lists are picked from, not two: what is hypothesis i compared with?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Two counters, one for each winner, and neither of them moves at a tie; divide both by the number
# of samples at the end.
#
# </details>


# %% id="ex-paired-bootstrap" tags=["exercise"]
@exercise
def paired_bootstrap(first, second, references, samples, seed):
    """(share of samples the first wins, share the second wins). Three lists of texts, two ints."""
    raise NotImplementedError


# %% id="paired-agree"
sixty = gold[:60]
draw = random.Random(7)
candidates = {q: [damaged(text, q, draw) for text in sixty] for q in (0.75, 0.7)}
wins = paired_bootstrap(candidates[0.75], candidates[0.7], sixty, 50, 1)
library = metrics.paired_bootstrap(candidates[0.75], candidates[0.7], sixty, samples=50, seed=1)
assert wins == (library.first_wins, library.second_wins)
print(f"60 sentences: q = 0.75 wins {wins[0]:.0%} of the samples, q = 0.7 wins {wins[1]:.0%}")

# %% [markdown] id="power-text"
# ### What a difference is worth
#
# The truth is known here, so three questions can be asked of 300 test sets: how often are the two
# *intervals* of A and B2 apart? How often does the *paired* bootstrap find A better, for each of
# the three true differences? And how often does it claim a difference where there is none? For the
# last one a coin decides for every sentence whose translation, A's or A′'s, belongs to which of two
# systems, so that neither can be better.
#
# Take the middle difference, between two and three points, and 300 sentences. In what percentage of
# the test sets will the paired bootstrap find it?

# %% id="predict-power"
predict("09.power", ...)

# %% id="power"
gaps_true = [true["A"] - true[name] for name in ("B1", "B2", "B4")]
heads = "".join(f"  by {gap:.1f}" for gap in gaps_true)
print(f"sentences   intervals apart   paired: {heads}   none (false)")
power = {}
for size in (30, 100, 300, 1000):
    apart, hits, false = 0, [0, 0, 0], 0
    for _ in range(300):
        picks = torch.randint(6000, (size,), generator=generator)
        counts = draws(size, 200)
        first, *others = (score_of(counts @ rows[n][picks]) for n in ("A", "B1", "B2", "B4"))
        apart += middle(first)[0] > middle(others[1])[1]
        hits = [n + (int((first > other).sum()) >= 190) for n, other in zip(hits, others)]
        coin = torch.rand(size, 1, generator=generator) < 0.5
        one, two = rows["A"][picks], rows["A′"][picks]
        left = score_of(counts @ torch.where(coin, one, two))
        right_side = score_of(counts @ torch.where(coin, two, one))
        false += max(int((left > right_side).sum()), int((left < right_side).sum())) >= 190
    power[size] = [n / 300 for n in hits]
    print(f"{size:9,}{apart / 300:18.0%}           "
          + "".join(f"{share:8.0%}" for share in power[size]) + f"{false / 300:15.0%}")
reveal("09.power", 100 * power[300][1], within=10)

# %% [markdown] id="power-read"
# Waiting for the intervals to part finds next to nothing, while the paired test, on the same
# sentences, finds the middle difference in about three of four test sets of 300. The last column is
# the price: where neither is better, one of them "wins" in about ten cases of a hundred, as agreed
# (five for each side). With 30 sentences it is more: the bootstrap is again too optimistic. (A
# count over 300 test sets strays by two points or so.)
#
# Read the table by its columns. A difference of less than one and a half points is missed by most
# test sets of 300, and by a third of those of 1,000; one of almost six points is found by four in
# five of 100 sentences, and by all of 300. (Two real systems that are near relatives make many of
# the same mistakes; there the paired test is sharper than in this table.)
#
# What it does *not* answer: whether the same model, **trained once more**, would win again. It
# resamples sentences, not trainings ([Clark et al. 2011](D_papers.ipynb#cell-id=clark-2011)). Nor
# does it say whether *people* would see the difference.

# %% [markdown] id="people-text"
# ### Would people agree?
#
# What is a judge of translations asked for? For a long time it was two marks of one to five:
# **adequacy**, how much of the meaning is there, and **fluency**, how well it reads. Later it was
# one number from 0 to 100, set with a slider (**direct assessment**). Today, where it matters,
# professional translators mark every error, with its kind and how grave it is, and these are added
# up to a score (**MQM**, *multidimensional quality metrics*); by such scores [Freitag et al.
# (2022)](D_papers.ipynb#cell-id=freitag-2022) judge the metrics. What people say is a measurement,
# too: it depends on who is asked, and for what.
#
# [Papineni et al. (2002)](D_papers.ipynb#cell-id=papineni-2002) had five systems judged, two of
# them human translators and three programs: the correlation of BLEU with the judges was 0.99 and
# 0.96, for two groups of judges. Such a number depends on *which* systems one takes ([Mathur,
# Baldwin and Cohn 2020](D_papers.ipynb#cell-id=mathur-2020)). Five systems of ours, whose quality
# $q$ we know, and 300 test sets of 200 sentences: first far apart, then as near to one another as
# serious competitors are.

# %% id="correlation"
draw = random.Random(3)
for qualities in ((0.5, 0.6, 0.7, 0.8, 0.9), (0.700, 0.705, 0.710, 0.715, 0.720)):
    tables = torch.stack([rows_of([damaged(text, q, draw) for text in gold], gold)
                          for q in qualities])
    found = []
    for _ in range(300):
        picks = torch.randint(1500, (200,), generator=generator)
        bleus = score_of(tables[:, picks].sum(1))
        found.append(np.corrcoef(bleus.tolist(), qualities)[0, 1])
    low, half, high = np.quantile(found, (0.025, 0.5, 0.975))
    print(f"q from {qualities[0]} to {qualities[-1]}: correlation {half:.2f} in the middle, "
          f"95 % of the test sets {low:.2f} to {high:.2f}")

# %% [markdown] id="correlation-read"
# The same BLEU and the same kind of damage. With systems that are far apart even 200 sentences give
# 0.99; with systems that are close, the test set decides, and the correlation may come out
# negative. (Here it is a correlation with $q$, which we know; with people it is harder.) A
# correlation of 0.99 is no promise about your two systems.
#
# [Kocmi et al. (2024)](D_papers.ipynb#cell-id=kocmi-2024) asked the question the other way round:
# two systems differ by so much BLEU; how often do people agree which is better? They fitted a curve
# to many pairs of systems that people had judged, and publish its two numbers with their tool
# ([MT-Thresholds](https://github.com/kocmitom/MT-Thresholds)).

# %% id="agreement"
for gap in (0.5, 1, 2, 4):
    agree = 88.33 / (1 + math.exp(-0.9664 * gap))  # their curve for BLEU
    print(f"{gap:3} BLEU more: people agree in {agree:.0f} % of the pairs")

# %% [markdown] id="agreement-read"
# Half a point is hardly better than a coin. Two points are something; and at four points people
# still disagree with BLEU about one pair in eight. A gain has three hurdles to take. Together, for
# a test set of some hundred sentences:
#
# | a gain of | other sentences | another training (below) | people |
# |---|---|---|---|
# | 0.5 BLEU | mostly lost in the noise | a change of seed can do it | nearly a coin |
# | 1 BLEU | wants a thousand and more | several seeds of each | two of three agree |
# | 2 BLEU | a paired test may find it | several seeds of each | three of four agree |
# | 5 BLEU | hard to miss | likely to hold, but not sure | most agree |
#
# (Not sure: in *BLEU by length* the seeds of the model without attention lie more than 18 points
# apart in the shortest range.)

# %% [markdown] id="record-text"
# ## Real sentences: six recorded runs
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
record = read_record("09_joined_captions")
ranges = ["≤ 10", "11–20", "21–30", "31–45", "46 +"]  # source words
runs = {kind: [r for r in record["runs"] if r["variant"] == kind] for kind in ("with", "without")}


def table(run, bucket):
    """The ten numbers of every sentence of a bucket: (N, 10)."""
    kept = torch.tensor(run["sentences"][bucket], dtype=torch.double)  # c, r, four matches
    return torch.cat([kept, (kept[:, :1] - torch.arange(4)).clamp(min=0)], dim=1)


for kind, some in runs.items():
    print(f"recorded, {kind:8}{len(some)} seeds, {some[0]['parameters']:,} parameters")
    for run in some:
        from_counts = [float(score_of(table(run, k).sum(0))) for k in range(5)]
        assert max(abs(a - b) for a, b in zip(from_counts, run["bleu"])) < 0.01
assert abs(runs["with"][0]["parameters"] / runs["without"][0]["parameters"] - 1) < 0.05
print("sentences:", dict(zip(ranges, record["sentences a bucket"])))

# %% id="record-lines"
lines, ends = {}, {}
for kind, some in runs.items():
    name = {"with": "with attention", "without": "without attention"}[kind]
    lines[name], ends[name] = [], []
    for k in range(5):
        tables = torch.stack([table(run, k) for run in some])  # (seeds, N, 10)
        resampled = score_of(draws(tables.shape[1]) @ tables).mean(0)  # the mean of the seeds
        lines[name].append(float(score_of(tables.sum(1)).mean()))
        ends[name].append(middle(resampled))

# %% id="record-figure" tags=["hide-input"]
counts = record["sentences a bucket"]
ax = bleu_by_length(
    ranges, lines, intervals=ends, counts=counts,
    title="Joined captions, recorded runs: mean of the seeds, 95 % intervals",
)
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
views.bleu_view(
    ranges,
    lines,
    intervals=ends,
    counts=record["sentences a bucket"],
    title="Joined captions",
)

# %% id="record-numbers"
ends_of = {name: [f"{low:.0f}–{high:.0f}" for low, high in ends[name]] for name in ends}
print(f"{'recorded, 95 % intervals':25}" + "".join(f"{name:>9}" for name in ranges))
for name, row in ends_of.items():
    print(f"{name:25}" + "".join(f"{text:>9}" for text in row))
shorter = [b / a for a, b in zip(*lines.values())]
print(f"{'without / with':25}" + "".join(f"{share:9.2f}" for share in shorter))
for name, line in lines.items():
    print(f"{name}: the longest range has {line[-1] / line[0]:.2f} times the BLEU of the shortest")

# %% [markdown] id="record-read"
# On real sentences, too, the line with attention is level, up to four captions in a row, and the
# one without falls. The three trainings of a model, the small dots, differ far less than the two
# models do. Two things are not as on the tidy corpus. Without attention the model is far behind on
# *short* captions already: real captions have a far larger vocabulary, and 2,800 updates seem to be
# too few for it. And it falls by fewer points: it has fewer to lose.
#
# <details><summary>How sure?</summary>
#
# All six had the recipe that was chosen for the model with attention, on captions; a recipe and a
# longer training of its own would probably help the other. What the figure shows is equal budgets.
#
# </details>
#
# What goes wrong in the long sentences? The record can tell us something: are the translations of
# the model without attention too short, or are their words wrong?

# %% id="record-why"
print("recorded, mean of the seeds            " + "".join(f"{name:>7}" for name in ranges))
for kind, some in runs.items():
    sums = torch.stack([torch.stack([table(run, k).sum(0) for k in range(5)]) for run in some])
    shares = 100 * (sums[..., 2:6] / sums[..., 6:]).mean(0)  # (5 ranges, n)
    ratio = 100 * (sums[..., 0] / sums[..., 1]).mean(0)
    for name, row in (("c / r, %", ratio), ("p1, %", shares[:, 0]), ("p4, %", shares[:, 3])):
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
# ### One model, three trainings
#
# The runs with attention are trainings of *one and the same* model. Let the paired bootstrap judge
# them, two at a time, on all the sentences together. Of the three comparisons, how many will come
# out "better with 95 % confidence"?

# %% id="predict-seeds"
predict("09.seeds", ...)

# %% id="seeds"
whole = [(run["seed"], torch.cat([table(run, k) for k in range(5)])) for run in runs["with"]]
sure = 0
for (one, first), (other, second) in itertools.combinations(whole, 2):
    counts = draws(len(first))
    gaps = score_of(counts @ first) - score_of(counts @ second)
    gap = round(float(score_of(first.sum(0)) - score_of(second.sum(0))), 1) + 0.0  # no -0.0
    most = max(int((gaps > 0).sum()), int((gaps < 0).sum())) / 1000
    sure += most >= 0.95
    print(f"with attention, seeds {one} and {other}: {gap:+.1f} BLEU, "
          f"the better wins {most:.0%} of the samples")
reveal("09.seeds", sure)

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
# BLEU compares strings. To see what that means, change sentences of the corpus on purpose: once so
# that the *meaning stays*, and once, in the same sentences and at the same place, so that it
# *changes*. A judge of translations should prefer the first every time.
#
# | what is touched | meaning stays | meaning changes |
# |---|---|---|
# | a number | *two* → *2* | *two* → *three* |
# | an adjective | *big* → *large* | *big* → *small* |
# | a negation | *did not* → *didn't* | *did not* → *did* |
# | a time | *at the pool last Monday* → *last Monday at the pool* | *Monday* → *Tuesday* |

# %% id="blind-rules"
numbers = {"two": ("2", "three"), "three": ("3", "four"), "four": ("4", "five")}
kinds_of = {"big": ("large", "small"), "small": ("little", "big")}
kinds_of |= {"expensive": ("costly", "cheap"), "delicious": ("tasty", "bland")}
short = {"do": "don't", "will": "won't"}
short |= {verb: f"{verb}n't" for verb in ("did", "is", "was", "were", "does", "could", "are")}
days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
after = dict(zip(days, days[1:] + days[:1]))
place = r" ((?:at|in|on) the [a-z]+(?: [a-z]+)?)"

# %% id="blind-edits"
edits = {  # what is looked for, and the two changes
    "number": (rf"\b({'|'.join(numbers)})\b",
               lambda m: numbers[m[1]][0], lambda m: numbers[m[1]][1]),
    "adjective": (rf"\b({'|'.join(kinds_of)})\b",
                  lambda m: kinds_of[m[1]][0], lambda m: kinds_of[m[1]][1]),
    "negation": (rf"\b({'|'.join(short)}) not\b", lambda m: short[m[1]], lambda m: m[1]),
    "time": (rf"{place} ((?:last|this|every) )({'|'.join(days)})\.$",
             lambda m: f" {m[2]}{m[3]} {m[1]}.", lambda m: f" {m[1]} {m[2]}{after[m[3]]}."),
}
single = [pair.tgt for pair in corpus.train if not re.search(r"[.?!] ", pair.tgt)]
print(f"{len(single):,} texts of one sentence each")

# %% [markdown] id="blind-predict"
# Which of the four pairs will BLEU judge as you would: (a) all four, (b) the negation only, (c)
# none?

# %% id="predict-blind"
predict("09.blind", ...)


# %% id="blind"
def compare(originals, same, other):
    """BLEU and chrF of two ways to change the same sentences, and the interval of the gap."""
    tables = [rows_of(texts, originals) for texts in (same, other)]
    counts = draws(len(originals))
    gap = score_of(counts @ tables[0]) - score_of(counts @ tables[1])
    whole_scores = [float(score_of(one.sum(0))) for one in tables]
    return whole_scores, middle(gap), [metrics.corpus_chrf(t, originals) for t in (same, other)]


judged = {}
for name, (pattern, stays, changes) in edits.items():
    touched = [text for text in single if len(re.findall(pattern, text)) == 1]
    pairs = [[re.sub(pattern, change, text) for text in touched] for change in (stays, changes)]
    judged[name] = compare(touched, *pairs)
    print(f"{name}, {len(touched)} sentences: {touched[0]}")
    print(f"   stays:   {pairs[0][0]}\n   changes: {pairs[1][0]}")

# %% id="blind-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8, 3.8))
behind_text = {"facecolor": "white", "edgecolor": "none", "pad": 2}
for k, (name, shade, hatch) in enumerate((("stays", 2, ""), ("changes", 1, "//"))):
    y = np.arange(4) + 0.4 * k - 0.2
    bars = ax.barh(y, [found_there[0][k] for found_there in judged.values()], height=0.36,
                   color=figures.PALETTE[shade], hatch=hatch, label=f"meaning {name}")
    ax.bar_label(bars, fmt="%.0f", label_type="center", bbox=behind_text)
    ax.plot([found_there[2][k] for found_there in judged.values()], y, "D", color="black")
ax.set_yticks(range(4), list(judged))
ax.invert_yaxis()
ax.set(title="The same sentences, changed in two ways", xlim=(0, 100))
ax.set(xlabel="bar: BLEU, diamond: chrF (0 to 100)", ylabel="what is touched")
fig.legend(frameon=False, loc="outside lower center", ncols=2)
plt.show()

# %% [markdown] id="blind-alt"
# <details><summary>The figure in words</summary>
#
# Four pairs of horizontal bars of BLEU, plain where the meaning stays and hatched where it changes.
# Number and adjective: both bars of a pair are equal, near 68 and 75. Negation: about 60 where the
# meaning stays, about 69 where the *not* is lost. Time: about 55 where it only moved, above 80
# where the day is wrong. Diamonds, chrF, lie between 79 and 89 for all eight; only for the negation
# is the one that keeps the meaning clearly higher.
#
# </details>

# %% id="blind-numbers"
print("             BLEU stays  changes   stays − changes (95 %)     chrF stays  changes")
better = 0
for name, (by_words, (low, high), letters) in judged.items():
    better += low > 0
    print(f"{name:13}{by_words[0]:10.1f}{by_words[1]:9.1f}"
          f"{f'{low + 0.0:.1f} to {high + 0.0:.1f}':>25}"
          f"{letters[0]:15.1f}{letters[1]:9.1f}")
reveal("09.blind", {0: "c", 4: "a"}.get(better, "b"))

# %% [markdown] id="blind-read"
# It judges none of them as you would. Where one word is exchanged for another, *large* and *small*
# are equally wrong: neither is in the reference. Where the right version touches more tokens, BLEU
# prefers the wrong one, by nine points and by more than twenty. (Compare only within a pair: each
# pair has its own sentences.) chrF sees most of *did not* in *didn't*, and is otherwise as blind.
#
# BLEU is no judge of a sentence. What it can do is to compare systems over many sentences, where
# such accidents strike all alike: then a higher BLEU usually goes with a better translation.
# *Usually*: for systems of different kinds, or small differences, it need not ([Callison-Burch,
# Osborne and Koehn 2006](D_papers.ipynb#cell-id=callison-burch-2006)). It is blind to
#
# - *meaning*: a changed digit, name or negation is one token among many;
# - *other words for the same thing*, with one reference even more so;
# - *free word order*: 개가 사람을 물었다 and 사람을 개가 물었다 both say *the dog bit the man*,
#   since the particles say who does what; BLEU takes the other order for an error;
# - *everything beyond the sentence*.
#
# So look at translations too, not only at scores. Chapter 10 does, at length. And there are metrics
# that were *trained* on human judgments, such as COMET ([Rei et al.
# 2020](D_papers.ipynb#cell-id=rei-2020)): a large network reads source, hypothesis and reference.
# They agree with people better than BLEU does: those who compare metrics every year called one of
# their reports "Stop using BLEU" ([Freitag et al. 2022](D_papers.ipynb#cell-id=freitag-2022)). Such
# a network is far larger than any in this book, so it is not run here.

# %% [markdown] id="report-text"
# ## How to report a score
#
# [Marie, Fujita and Rubino (2021)](D_papers.ipynb#cell-id=marie-2021) read 769 papers and found
# more and more of them resting on a difference of two BLEU scores alone: no test of significance,
# scores copied from other papers, cut by who knows which tokenizer. Here is what to write instead,
# for the recorded captions, made from the record.

# %% id="report"
per_seed = {kind: [float(score_of(torch.cat([table(run, k) for k in range(5)]).sum(0)))
                   for run in some] for kind, some in runs.items()}
for kind, some in per_seed.items():
    each_one = ", ".join(f"{score:.1f}" for score in sorted(some))
    print(f"{kind + ' attention':20}BLEU {np.mean(some):.1f} (seeds: {each_one})")
stacked = [torch.stack([torch.cat([table(run, k) for k in range(5)]) for run in some])
           for some in runs.values()]
counts = draws(stacked[0].shape[1])
gap = score_of(counts @ stacked[0]).mean(0) - score_of(counts @ stacked[1]).mean(0)
low, high = middle(gap)
print(f"difference: {np.mean(per_seed['with']) - np.mean(per_seed['without']):.1f}, "
      f"95 % interval {low:.1f} to {high:.1f} (paired, sentences resampled)")
print(f"test set: {record['corpus']} {record['split']}, captions joined one to four at a time, "
      f"{stacked[0].shape[1]} texts; {record['search']} search")
print(f"signature: {record['signature']}")

# %% [markdown] id="report-read"
# Seven things, and none takes more than a line:
#
# 1. **the test set**, with split and version, and that nothing was chosen on it;
# 2. **raw text in**: translations with capitals, spaces and punctuation put back, as a reader sees
#    them;
# 3. **the signature**, which sacreBLEU prints, with its version;
# 4. **several trainings**, each score or mean and spread;
# 5. **a paired test** of the difference, on the same sentences, and *no* score copied from a paper
#    whose signature you do not know;
# 6. **a second metric** of another kind (chrF; COMET where one can run it);
# 7. **the translations themselves**, put where others can score them in ten years.
#
# Ours falls short of its own list: it names no version of the data; the record holds counts and no
# text, so there is neither chrF nor anything to reread; and the signature comes from our program,
# without sacreBLEU's version. A record that keeps the translations would be better.
#
# On the command line, for files with a sentence a line:
#
# ```
# sacrebleu reference.txt -i ours.txt theirs.txt -m bleu chrf --paired-bs
# ```

# %% [markdown] id="experiment-text"
# ## Open experiment: fool the judge
#
# *30 minutes, no check.* Find a change that a reader would hardly notice and that costs as much
# BLEU as possible, and, at the same place, one that spoils the meaning and costs as little as
# possible.
#
# 1. **Change**: write a pattern and two replacements, like those of `edits`.
# 2. **Predict** both scores and the interval of their difference, before you run it. Count tokens:
#    how many runs of $n$ does each change destroy?
# 3. **Measure** on the same sentences; then once more by chrF.
# 4. **Report** in three sentences: what you changed, what you expected, what came.
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one place | sentences differ | same sentences, several changes | same sentences, one place |
# | prediction | none | a direction | numbers, from counted n-grams |
# | evidence | one sentence | a score of many | the interval of the difference |
# | conclusion | "BLEU is bad" | what came | what came, and what it does not show |

# %% id="experiment"
MINE = None  # (r"\bbought\b", "purchased", "sold"), for example

if MINE is not None:
    pattern, stays, changes = MINE
    touched = [text for text in single if len(re.findall(pattern, text)) == 1]
    pairs = [[re.sub(pattern, change, text) for text in touched] for change in (stays, changes)]
    two, (low, high), letters = compare(touched, *pairs)
    print(
        f"{len(touched)} sentences; BLEU {two[0]:.1f} and {two[1]:.1f}, "
        f"difference {low:.1f} to {high:.1f}; chrF {letters[0]:.1f} and {letters[1]:.1f}"
    )

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Accuracy by position fails when one word is too many; precision without clipping is fooled by
#   *the the the*, with clipping by silence; recall by saying everything; F1 by any order of the
#   words.
# - BLEU = brevity penalty × *geometric* mean of clipped n-gram precisions, from counts summed over
#   the whole corpus. The penalty is $\exp(1 - r/c)$.
# - Ours is sacreBLEU's to the sixth decimal, with every smoothing. A single sentence's BLEU can be
#   mostly its smoothing.
# - A score means something beside another one, on the same sentences, cut by the same rules: give
#   the signature.
# - A score of few sentences is noise; a bootstrap interval says how much. Two systems are compared
#   *paired*, on the same sentences; that says nothing about another training, nor about people.
# - In our runs BLEU hardly depends on length with attention, within the trained lengths; without
#   attention it falls.
# - BLEU sees strings, not meaning: it cannot tell *large* from *small* where the reference has
#   *big*.
#
# The machine's *Two women are drinking coffee in the park* got 51 at the beginning. You can now say
# why: not because it is half right, but because one person, once, wrote *drink*.
#
# **Left out.** *Human judgment*: nobody was asked for this book, so we quote. *Korean tokenized by
# a morphological analyzer* (sacreBLEU's `ko-mecab`) needs a program that we do not install; the
# corpus's own pieces stand in for it. *Trained metrics* (COMET, BLEURT) need a large network. The
# joined captions are random neighbors, so that nothing is learned from one about the next: they are
# long inputs, not long *texts*.
#
# **Papers.** [Papineni, Roukos, Ward and Zhu 2002](D_papers.ipynb#cell-id=papineni-2002) (BLEU:
# §2.1 clipping, §2.1.3 the geometric mean, §2.2 brevity); [Lin and Och
# 2004](D_papers.ipynb#cell-id=lin-2004) and [Chen and Cherry
# 2014](D_papers.ipynb#cell-id=chen-2014) (smoothing); [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004) (bootstrap, paired); [Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015), [2017](D_papers.ipynb#cell-id=popovic-2017) (chrF,
# chrF++); [Post 2018](D_papers.ipynb#cell-id=post-2018) (sacreBLEU, signatures); [Clark, Dyer,
# Lavie and Smith 2011](D_papers.ipynb#cell-id=clark-2011) (several trainings); [Callison-Burch,
# Osborne and Koehn 2006](D_papers.ipynb#cell-id=callison-burch-2006), [Mathur, Baldwin and Cohn
# 2020](D_papers.ipynb#cell-id=mathur-2020), [Kocmi et al. 2024](D_papers.ipynb#cell-id=kocmi-2024)
# and [Freitag et al. 2022](D_papers.ipynb#cell-id=freitag-2022) (BLEU and people); [Marie, Fujita
# and Rubino 2021](D_papers.ipynb#cell-id=marie-2021) (how it is used); [Rei et al.
# 2020](D_papers.ipynb#cell-id=rei-2020) (COMET); [Cho et al.
# 2014b](D_papers.ipynb#cell-id=cho-2014b) and [Bahdanau, Cho and Bengio
# 2015](D_papers.ipynb#cell-id=bahdanau-2015) (early pictures of BLEU by length).
#
# **Next.** [Chapter 10](10_translator.ipynb): a real translator, from raw captions to a BLEU with a
# signature.
