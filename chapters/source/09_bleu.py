# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 09 · BLEU
#
# *How good is a translation, in one number?*
#
# **You will learn to** build BLEU from counted words; name, for each of its parts, the wrong
# translation that made it necessary; and report a score so that others can compare theirs with it.
#
# **What you need.** Words and counting. If you know precision, recall and F1, skip from Figure 1 to
# *Who sat on whom?*
#
# **Time.** 27 minutes to read, 57 for exercises 9.1 to 9.5; 15 seconds to run.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import exercise, predict, progress, recall, reveal
from attnlib import figures, metrics

torch.set_num_threads(1)
figures.use_style()

# %% id="first"
from attnbook import views
from attnlib.data import bundled_directory
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")
machine = german.translate("Zwei Frauen trinken im Park Kaffee.", beam_size=1).text
person = "Two women drink coffee in the park."
tries = [
    machine,
    "Two women drink tea in the park.",
    "Two women drink coffee.",
    "In the park, two women are having coffee.",
    "Park the coffee in two women drink.",
]
views.hypothesis_view(
    person, machine, suggestions=tries, title="Figure 1. Type a translation of your own"
)

# %% id="first-list"
for text in tries:
    print(f"{metrics.sentence_bleu(text, person).score:5.1f}  {text}")

# %% [markdown] id="first-read"
# In Figure 1, the *reference* is a person's translation of a German sentence from chapter 0, and
# *yours* is what the field contains, at first the machine's translation. The number that compares
# them, from 0 to 100, is BLEU. Type another translation, or press a button, and watch which words
# and runs of two, three and four words the two have in common.
#
# In the list, the machine's sentence is a good translation and scores 51. The second, with *tea*
# for *coffee*, is wrong but scores 50. The fourth is what a person might well say, but scores less
# than the last, a heap of words. (Scores of single sentences are *smoothed*; see below Figure 4.)
#
# **Warm-up.** In Figure 1, find a sentence that is plainly *wrong* and scores more than 70, then
# one other than the fourth that is plainly *right* and scores less than 20.
#
# For twenty years most results in machine translation were reported in this number. Here you build
# it; each of its parts exists because something simpler could be gamed. (`metrics.something` is the
# library's function; without `metrics.` it is *yours*.)

# %% [markdown] id="accuracy-text"
# ## Right word, right place
#
# How would you score what a translator writes, the **hypothesis** (가설), against what a person
# wrote, the **reference** (참조 번역)? The first idea is **accuracy** (정확도): compare word 1 with
# word 1 and so on, and take the share of places that agree.

# %% id="accuracy"
reference = "the cat sat on the mat"


def accuracy(hypothesis, reference):
    """The share of positions that have the same word."""
    said = hypothesis.split()
    known = reference.split()
    same = 0
    for one, other in zip(said, known):
        if one == other:
            same += 1
    return same / max(len(said), len(known))


for hypothesis in (reference, "the mat sat on the cat", "now the cat sat on the mat"):
    print(f"{accuracy(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="accuracy-read"
# The third contains *every* word of the reference, in order, and scores 0, because the extra word
# has shifted all the others.

# %% [markdown] id="precision-text"
# ## Forget the places: precision
#
# **Precision** (정밀도) is the share of the hypothesis's words that occur anywhere in the
# reference: *how much of what was said is right?* Can you think of a sentence that gets the full
# score without being a translation at all?


# %% id="precision"
def word_precision(hypothesis, reference):
    said = hypothesis.split()
    known = reference.split()
    right = [word for word in said if word in known]
    return len(right) / len(said)


for hypothesis in ("now the cat sat on the mat", "the the the the the the", "the"):
    print(f"{word_precision(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="precision-read"
# Six times *the* gets the full score. [Papineni et al.](D_papers.ipynb#cell-id=papineni-2002)
# (2002, §2.1) begin with nearly the same example. Their fix is **clipping**: the reference has two
# *the*, so at most two are counted. A word counts
# $\min(\text{count in hypothesis}, \text{count in reference})$ times. Python's `Counter` has this
# as `&`.

# %% id="clipping"
from collections import Counter


def clipped_precision(hypothesis, reference):
    said = Counter(hypothesis.split())
    known = Counter(reference.split())
    return (said & known).total() / said.total()


for hypothesis in ("now the cat sat on the mat", "the the the the the the", "the"):
    print(f"{clipped_precision(hypothesis, reference):.2f}  {hypothesis}")

# %% [markdown] id="recall-text"
# ## Saying too little: recall
#
# Six times *the* is down to 0.33. But the last line still gets 1.00 for one word of six. **Recall**
# (재현율) answers the other question, *how much of the reference was said?* It divides the same
# overlap by the length of the reference.


# %% id="recall"
def word_recall(hypothesis, reference):
    said = Counter(hypothesis.split())
    known = Counter(reference.split())
    return (said & known).total() / known.total()


everything = "a the the an cat dog sat stood on under mat rug and or not is was of"
for hypothesis in ("the", everything):
    p = clipped_precision(hypothesis, reference)
    r = word_recall(hypothesis, reference)
    print(f"precision {p:.2f}, recall {r:.2f}  {hypothesis}")

# %% [markdown] id="recall-read"
# Precision is gamed by saying almost nothing, recall by saying everything. Both are needed, in one
# number. The plain mean would still give *the* more than one half. The **harmonic mean** (조화평균)
# $F_1 = 2PR/(P+R)$ stays near the smaller of the two:

# %% id="f-score"
for hypothesis in ("the", everything, "now the cat sat on the mat"):
    p = clipped_precision(hypothesis, reference)
    r = word_recall(hypothesis, reference)
    print(f"mean {(p + r) / 2:.2f}, F1 {2 * p * r / (p + r):.2f}  {hypothesis}")

# %% [markdown] id="order-text"
# ## Who sat on whom?
#
# Both tricks now fail. Take the six words of the reference in every possible order. In what
# percentage of these sentences is F1 smaller than 1?

# %% id="predict-orders"
predict("09.orders", ...)

# %% id="order"
import itertools

every = [" ".join(order) for order in itertools.permutations(reference.split())]
orders = sorted(set(every))  # each was there twice: "the" occurs twice
perfect = []
for order in orders:
    p = clipped_precision(order, reference)
    r = word_recall(order, reference)
    if p == 1 and r == 1:  # then F1 is 1, and only then
        perfect.append(order)
with reveal("09.orders", 100 * (1 - len(perfect) / len(orders))):
    print(f"{len(orders)} different orders, {len(perfect)} of them with F1 = 1")
    for order in perfect[::90]:  # every ninetieth
        print(order)

# %% [markdown] id="order-read"
# <details><summary>What it says</summary>
#
# In none of them. Precision, recall and F1 cannot see order *at all*: however you shuffle the
# words, the counts stay the same, and "the mat sat on the cat" is perfect. We need something
# between a word and a sentence.
#
# </details>

# %% [markdown] id="ngrams-text"
# ## Count runs of words: n-grams
#
# An **n-gram** (n그램) is a run of $n$ neighboring tokens. Runs of two words (*bigrams*) record
# which words are neighbors.

# %% id="ngram-drawing"
from attnbook.figures import ngram_diagram

mat_on_top = "the mat sat on the cat"
ngram_diagram(mat_on_top.split(), reference.split(), 2)

# %% [markdown] id="ngram-drawing-read"
# **Figure 2.** Four of the five pairs are found; *mat sat* is not. Apart from the lengths, BLEU
# sees only which runs can be joined by lines like these.

# %% [markdown] id="ex-ngram-counts-text"
# ### Exercise 9.1 · Count the n-grams
# *Warm-up, 6 minutes.* Return how often each run of $n$ tokens occurs in a list of tokens: a
# dictionary from tuples to counts (a `Counter` is one). Four tokens have three bigrams; a sentence
# shorter than $n$ has none, and the dictionary is empty.
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
# Four tokens, n = 2: i goes through 0, 1, 2. Write that as a range of len(tokens) and n. A list
# cannot be a key of a dictionary; what can?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Turn each run into a tuple, and pass all of them to something that counts.
#
# </details>


# %% id="ex-ngram-counts" tags=["exercise"]
from collections import Counter


@exercise
def ngram_counts(tokens, n):
    """How often each run of n tokens occurs. List of strings → dict tuple → int."""
    raise NotImplementedError


# %% [markdown] id="ex-overlap-text"
# ### Exercise 9.2 · Precision, recall and F1 of n-grams
# *Core, 10 minutes.* Return `(precision, recall, f1)` of the n-grams of two texts, as numbers from
# 0 to 1. Compute the clipped overlap
# $\sum_g \min(\text{count in hypothesis}, \text{count in reference})$ over all n-grams $g$. Divide
# it by the number of n-grams of the hypothesis for the precision, of the reference for the recall.
# A division by zero gives 0. Cut the texts into tokens with `metrics.tokenize_13a` (it separates
# the period), and count with `metrics.ngram_counts` or your own.
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
# You need only three numbers: the totals of the overlap, the hypothesis and the reference.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# There are three divisions, and each can meet a zero: a sentence of two words has no trigrams, and
# two sentences can share nothing.
#
# </details>


# %% id="ex-overlap" tags=["exercise"]
@exercise
def overlap(hypothesis, reference, n):
    """(precision, recall, F1) of n-grams, clipped. Two strings and n → three floats."""
    raise NotImplementedError


# %% [markdown] id="ngrams-runs"
# ### The longer the run, the more order it sees

# %% id="ngrams"
print("precision of n =")
print("   1     2     3     4")
for hypothesis in (
    "the mat sat on the cat",
    "now the cat sat on the mat",
    "the cat on the mat sat",
):
    for n in (1, 2, 3, 4):
        precision, _, _ = overlap(hypothesis, reference, n)
        print(f"{precision:.2f}", end="  ")
    print(hypothesis)

# %% [markdown] id="ngrams-read"
# Now the sentence with the mat on top loses something, and more for longer runs, while the sentence
# with *now* keeps at least three quarters. Short runs check for the right words, long runs for the
# right order.

# %% [markdown] id="mean-text"
# ## Four precisions, one number
#
# **BLEU** uses $n = 1, 2, 3, 4$. How should four numbers become one? To judge a way of averaging,
# we make translations whose damage we know: in English sentences of the book's corpus, every word
# survives with probability $q$, otherwise a random word replaces it; punctuation is kept. A fourth
# "system" keeps all the words and shuffles them.

# %% id="damage"
from attnlib.data import load_corpus

corpus = load_corpus("ko-en")
gold = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.test]
all_words = " ".join(gold).split()
words = sorted({word for word in all_words if word.isalpha()})
lengths = [len(text.split()) for text in gold]
shown = lengths.index(10)  # the first text of ten tokens


def damaged(text, q, draw):
    """Each word survives with probability q, else it is some word."""
    made = []
    for word in text.split():
        if word.isalpha() and draw.random() >= q:
            made.append(words[int(draw.random() * len(words))])
        else:
            made.append(word)
    return " ".join(made)


def shuffled(text, draw):
    """The same words in a random order; what ends the text stays where it is."""
    *inside, stop = text.split()
    inside.sort(key=lambda word: draw.random())
    return " ".join([*inside, stop])


# %% id="damage-systems"
import random

draw = random.Random(9)
systems = {}
for q in (0.9, 0.7, 0.45):
    systems[f"q = {q}"] = [damaged(text, q, draw) for text in gold]
systems["right words, shuffled"] = [shuffled(text, draw) for text in gold]

measured = {}
print(f"{'undamaged':23}{gold[shown]}")
for name, texts in systems.items():
    measured[name] = metrics.corpus_bleu(texts, gold)
    print(f"{name:23}{texts[shown]}")

# %% [markdown] id="mean-predict"
# For $q = 0.7$ about three of four tokens are right, counting punctuation. What percentage of the
# runs of *four* tokens is right?

# %% id="predict-runs"
predict("09.runs", ...)


# %% id="mean-figure" tags=["hide-input"]
# draws the figure
def draw_precisions():
    fig, ax = plt.subplots(figsize=(7.5, 4))
    for (name, result), marker in zip(measured.items(), "osD^"):
        ax.semilogy((1, 2, 3, 4), result.precisions, marker=marker, label=name)
    ax.set(title="Figure 3. Precision of n-grams on 1,500 sentences", xlabel="n (tokens)")
    ax.set(ylabel="precision (%, logarithmic)", xticks=(1, 2, 3, 4))
    ax.set_yticks([100, 10, 1, 0.1], ["100", "10", "1", "0.1"])
    ax.legend(frameon=False)
    plt.show()


# %% id="mean"
with reveal("09.runs", measured["q = 0.7"].precisions[3], within=8):
    print("                           p1      p2      p3      p4   arithmetic   geometric mean")
    for name, result in measured.items():
        p1, p2, p3, p4 = result.precisions
        arithmetic = (p1 + p2 + p3 + p4) / 4
        geometric = (p1 * p2 * p3 * p4) ** (1 / 4)
        print(
            f"{name:22}{p1:7.2f} {p2:7.2f} {p3:7.2f} {p4:7.2f}{arithmetic:13.1f}{geometric:17.1f}"
        )
    draw_precisions()

# %% [markdown] id="mean-alt"
# <details><summary>The figure in words</summary>
#
# Precision on a logarithmic axis against n from 1 to 4. The three damaged systems fall along nearly
# straight lines, more steeply the more words were replaced. The shuffled sentences start at 100%
# for single words and fall fastest, to less than a tenth of a percent for runs of four.
#
# </details>

# %% [markdown] id="mean-read"
# <details><summary>What it says</summary>
#
# On a logarithmic axis, the lines of the three damaged systems are nearly straight: if a word is
# right with probability $q$, a run of $n$ words is right with about $q^n$. For the shuffled
# sentences the four precisions differ by more than a factor of a thousand.
#
# </details>
#
# ### Which mean?
#
# The plain (arithmetic) mean depends mostly on the largest, $p_1$, and ranks the shuffled words
# above the system with $q = 0.45$. The **geometric mean** (기하평균) $(p_1 p_2 p_3 p_4)^{1/4}$, the
# exponential of the mean of the *logarithms*, treats all four equally: halve any one of them, and
# it falls by the same factor. It ranks the shuffled words last, and is BLEU's choice ([Papineni et
# al. 2002](D_papers.ipynb#cell-id=papineni-2002), §2.1.3). No arithmetic can decide whether they
# should be last: of the last two sentences printed under *Four precisions, one number*, a person
# might understand the shuffled one better.
#
# F1 was the same for all 360 orders of the cat's six words. What is the BLEU of each?

# %% id="orders-figure"
import numpy as np

scores = [metrics.sentence_bleu(order, reference).score for order in orders]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
ax.hist(scores, bins=np.arange(0, 105, 5), color=figures.PALETTE[0], edgecolor="white")
ax.axvline(100, color=figures.PALETTE[1], linestyle="--", label="F1 of each (× 100)")
ax.set(title="Figure 4. The 360 orders of “the cat sat on the mat”", xlabel="BLEU (0 to 100)")
ax.set(ylabel="number of sentences")
ax.legend(frameon=False, loc="upper center")
plt.show()

# %% [markdown] id="orders-alt"
# <details><summary>The figure in words</summary>
#
# Histogram of the BLEU of all 360 word orders. Most are between 10 and 40, with the highest bar
# just above 20; a few are around 60, two just below 80, one at 100. A dashed line at 100 marks F1,
# which is 1 for all of them.
#
# </details>

# %% id="orders"
ranked = sorted(zip(scores, orders), reverse=True)
for score, order in ranked[:2]:
    print(f"{score:5.1f}  {order}")
on_top = metrics.sentence_bleu(mat_on_top, reference).score
print(f"{on_top:5.1f}  {mat_on_top}")
print("orders with 100:", sum(score > 99.9 for score in scores))

# %% [markdown] id="orders-read"
# One order of 360 scores 100. Most have no right run of four, so their geometric mean would be 0.
# Scores of single sentences are therefore **smoothed**: a small number replaces a precision of 0.
#
# <details><summary>Four ways to smooth</summary>
#
# The score depends on how ([Lin and Och 2004](D_papers.ipynb#cell-id=lin-2004), [Chen and Cherry
# 2014](D_papers.ipynb#cell-id=chen-2014)). sacreBLEU, the program of most papers, has four ways:
#
# | name | an order $n$ with 0 matches of $t_n$ |
# |---|---|
# | `none` | stays 0 |
# | `floor` | gets $0.1 / t_n$ |
# | `exp` (the default) | the first such order gets $\frac12 / t_n$, the second $\frac14 / t_n$, … |
# | `add-k` | for every $n > 1$, zero or not: $(m_n + 1) / (t_n + 1)$, with $m_n$ matches |
#
# If no word matches, the score is 0 in all four.
#
# </details>

# %% [markdown] id="brevity-text"
# ## What about recall?
#
# So far BLEU consists only of precisions. [Papineni et al.
# (2002)](D_papers.ipynb#cell-id=papineni-2002) wanted to allow *several* references for a sentence,
# and recall over all of them makes no sense: no one should say *big* and *large* and *huge*. Then
# it pays again to say little: "the cat sat on" has four precisions of 100%. Therefore a factor, the
# **brevity penalty** (간결성 페널티) BP, penalizes texts that are too short. With $c$ the length of
# the hypothesis and $r$ the length of the reference,
#
# - where $c \ge r$, $\mathrm{BP} = 1$;
# - below, $\ln \mathrm{BP}$ is a straight line in $r/c$, 0 at $r/c = 1$ and $-1$ at $r/c = 2$.

# %% [markdown] id="ex-brevity-penalty-text"
# ### Exercise 9.3 · The brevity penalty
# *Warm-up, 6 minutes.* Find the formula from these two conditions, and return BP. A hypothesis
# without tokens gets 0.
#
# <details><summary>Hint 1</summary>
#
# A straight line through (1, 0) and (2, −1): what is its height at r/c?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# That height is the *logarithm* of the factor. At c = r both branches must give 1.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# exp(1 − r/c) below r; and the three cases (nothing said, long enough, too short) in an order in
# which nothing is ever divided by 0.
#
# </details>


# %% id="ex-brevity-penalty" tags=["exercise"]
import math


@exercise
def brevity_penalty(hypothesis_length, reference_length):
    """BP of a hypothesis of c tokens, reference r tokens. Two whole numbers → float."""
    raise NotImplementedError


# %% [markdown] id="brevity-compare-text"
# ### All of BLEU
#
# $$\mathrm{BP} = \begin{cases} 1 & c \ge r \\ \exp(1 - r/c) & c < r \end{cases} \qquad\qquad
# \mathrm{BLEU} = 100 \cdot \mathrm{BP} \cdot \exp\Big(\tfrac14 \sum_{n=1}^4 \log p_n\Big)$$
#
# Would $\min(1, c/r)$ do the same?

# %% id="brevity-figure"
share = np.linspace(0.02, 1.3, 200)
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.plot(share, np.minimum(1, share), "--", color=figures.PALETTE[1], label="min(1, c/r)")
paper = [brevity_penalty(1000 * x, 1000) for x in share]
ax.plot(share, paper, color=figures.PALETTE[0], label="BLEU: exp(1 − r/c) below r")
ax.set(title="Figure 5. Two penalties for being short", ylabel="factor")
ax.set_xlabel("c / r (length as a share of the reference)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="brevity-alt"
# <details><summary>The figure in words</summary>
#
# The factor against c/r. Both curves are 1 from c/r = 1 onward, and below it start to fall with the
# same slope. The dashed line falls straight to 0; BLEU's curve runs below it, is about 0.37 where
# the line is 0.5, and nearly 0 below c/r = 0.2.
#
# </details>

# %% id="brevity"
for c in (9, 7, 5):
    print(f"c/r = {c / 10}: min(1, c/r) = {min(1, c / 10):.3f}, BP = {brevity_penalty(c, 10):.3f}")

print()
print("BLEU of a text whose second half is wrong, and of its first half alone")
print("words    whole    half × c/r    half × BP")
for length in (8, 10, 20, 1000):
    truth = [f"w{k}" for k in range(length)]
    half = truth[: length // 2]  # its four precisions are 100
    whole = half + ["wrong"] * len(half)
    score = metrics.corpus_bleu([" ".join(whole)], [" ".join(truth)]).score
    penalty = brevity_penalty(len(half), length)
    print(f"{length:5,}{score:9.1f}{100 * 0.5:14.1f}{100 * penalty:13.1f}")

# %% [markdown] id="brevity-read"
# Near $c = r$ the two agree (same slope), but BP is smaller everywhere below. Suppose that the
# second half of a text is wrong, and leave it out. The precision of single words doubles, and the
# longer runs gain more, because the runs across the middle were also wrong. A factor of $c/r = 1/2$
# takes back only the doubling, so omitting half *pays* at every length. With BP it costs, except in
# the text of eight words. (A text that is too *long* needs no factor: superfluous words lower the
# precisions.)
#
# <details><summary>Why everywhere below?</summary>
#
# $1 + \ln y \le y$ for every $y > 0$. With $y = r/c$ this is $1 - r/c \le \ln(c/r)$. Take $\exp$ of
# both sides.
#
# </details>

# %% [markdown] id="corpus-text"
# ## A corpus is not the mean of its sentences
#
# BLEU was made for a whole test set: the matches of *all* sentences are summed, and so are the
# totals and lengths; then they are divided once. Below, a short sentence is translated perfectly
# and a long one badly. Which is larger: (a) the mean of the two sentences' scores, or (b) the score
# of the two together?

# %% id="predict-together"
predict("09.together", ..., choices="ab")

# %% id="corpus"
two = [
    "a small dog sleeps .",
    "the cat on a black mat was asleep in the sun all day long .",
]
right = [two[0], "all day long the black cat slept on the mat in the warm sun ."]
short = metrics.sentence_bleu(two[0], right[0]).score
long = metrics.sentence_bleu(two[1], right[1]).score
mean = (short + long) / 2
together = metrics.corpus_bleu(two, right).score
with reveal("09.together", "a" if mean > together else "b"):
    print(f"sentences {short:.1f} and {long:.1f}, mean {mean:.1f}")
    print(f"together  {together:.1f}")

# %% [markdown] id="corpus-read"
# <details><summary>What it says</summary>
#
# In a mean of sentences the short one counts as much as the long one; in the sums every n-gram
# counts the same. The lengths are also summed, so BP can miss a sentence that is too short if
# another is too long.
#
# </details>

# %% [markdown] id="faded-text"
# ### The same type of problem, half done
#
# *Sum first, divide once*, here for the clipped precision of single words over a corpus. The loop
# keeps two sums, but the marked line takes the mean of two shares, which is 0.90. Correct it.

# %% id="faded"
shares_each = []
matched = 0
spoken = 0
for one, other in zip(two, right):
    said_words = Counter(one.split())
    known_words = Counter(other.split())
    both = (said_words & known_words).total()
    shares_each.append(both / said_words.total())
    matched += both
    spoken += said_words.total()
corpus_precision = sum(shares_each) / len(shares_each)  # yours: one division
print(f"{corpus_precision:.2f}, and {matched} words of {spoken} were found")

# %% [markdown] id="ex-corpus-bleu-text"
# ### Exercise 9.4 · BLEU
# *Hard, 20 minutes.* Return the BLEU, 0 to 100, of a list of texts with one reference each, without
# smoothing. For every sentence, cut both texts into tokens with `metrics.tokenize_13a`, and find
# both lengths and, for $n = 1 \dots 4$, the clipped matches and the totals. Sum each of these over
# the sentences, then compute the score. If one of the four precisions is 0 (or there are no n-grams
# of that order), the score is 0.
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
# Matches are the total of the clipped overlap of Exercise 9.2; totals count the n-grams of the
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
import math


@exercise
def corpus_bleu(hypotheses, references):
    """BLEU of a corpus, 0 to 100, unsmoothed. Two lists of strings → float."""
    raise NotImplementedError


# %% [markdown] id="corpus-agree-text"
# ### Three programs, one number

# %% id="corpus-agree"
from sacrebleu.metrics import BLEU

# force: sacreBLEU would warn of the spaces before periods
theirs = BLEU(force=True).corpus_score(systems["q = 0.7"], [gold])
print(
    f"yours {corpus_bleu(systems['q = 0.7'], gold):.6f}, "
    f"attnlib {measured['q = 0.7'].score:.6f}, sacreBLEU {theirs.score:.6f}"
)
print(theirs)
print(metrics.Settings().signature())

# %% [markdown] id="corpus-agree-read"
# Yours agrees to the sixth decimal with **sacreBLEU**, the program of most papers. The second line
# is its way to write a score: BLEU, the four precisions, BP, the ratio of the lengths, the lengths.
# Look at the ratio first: below 1, the text is too short. The last line is the **signature**, which
# says how the score was computed.
#
# <details><summary>What this signature says</summary>
#
# One reference per sentence; case as it is; *eff:no*, all four orders count even for a text that is
# shorter than four tokens; tokenizer 13a; smoothing exp.
#
# </details>
#
# *Several references.* An n-gram is clipped by its *largest* count in any of them, and $r$ is the
# length of the reference that is closest in length.

# %% [markdown] id="levels-text"
# ## What does a BLEU of 47 look like?
#
# Here is the BLEU of all 1,500 sentences as the damage grows, with one of them as an example.

# %% id="levels"
print("words replaced   BLEU")
for q in (0.9, 0.8, 0.7, 0.6, 0.45):
    draw = random.Random(9)
    made = [damaged(text, q, draw) for text in gold]
    score = metrics.corpus_bleu(made, gold).score
    print(f"{1 - q:14.0%}{score:7.1f}   {made[shown]}")

# %% [markdown] id="levels-read"
# Here a BLEU of 80 means that one word in ten was replaced; 46.5 already means three in ten,
# because neighbors must be right together. Translators do not err at random: they can choose other
# words that are just as good. The translator that you train in chapter 10 scores about 39 on
# captions of photographs. On news, whose sentences are much harder, [Luong, Pham and Manning
# (2015)](D_papers.ipynb#cell-id=luong-2015) reported 25.9 as the best result of its time. **A BLEU
# means something only next to another one, on the same sentences.**

# %% [markdown] id="tokens-text"
# ## Cut in the same way
#
# Two BLEU scores can be compared only if both were computed in the same way. BLEU counts tokens,
# and how a text is cut into them is its **tokenization** (토큰화): at spaces (`none`), with
# punctuation cut off (`13a`, sacreBLEU's default), or every character separately (`char`). [Post
# (2018)](D_papers.ipynb#cell-id=post-2018) found differences of up to 1.8 BLEU between common
# settings that papers did not mention, and proposed to print a signature next to every score.
#
# <details><summary>Korean, and tokenizers for other languages</summary>
#
# Cut at spaces, a whole Korean word (**eojeol**, 어절) is wrong when its particle is wrong,
# although most of its syllables are right. The scores of one Korean translation by words, by word
# and particle, and by syllables are therefore far apart. sacreBLEU also has `ko-mecab`, a Korean
# morphological analyzer, and `flores200`, one vocabulary of subwords for two hundred languages;
# scores cut by that vocabulary are called **spBLEU** ([Goyal et al.
# 2022](D_papers.ipynb#cell-id=goyal-2022)). Both must be downloaded, so they are not run here.
#
# </details>
#
# Give sacreBLEU *raw* text. Here are 600 translations ($q = 0.7$), prepared in four ways:

# %% id="raw"
import re


def without_marks(texts):
    return [re.sub(r"[.,?!]", "", text) for text in texts]


raw = [pair.tgt for pair in corpus.test[:600]]
draw = random.Random(6)
made = [damaged(text, 0.7, draw) for text in raw]
cut = [" ".join(metrics.tokenize_13a(text)) for text in made]
results = {
    "raw text on both sides": metrics.corpus_bleu(made, raw),
    "no punctuation": metrics.corpus_bleu(without_marks(made), without_marks(raw)),
    "cut at spaces": metrics.corpus_bleu(made, raw, tokenize="none"),
    "our side cut by 13a, then at spaces": metrics.corpus_bleu(cut, raw, tokenize="none"),
}
for name, result in results.items():
    print(f"{name:38}{result.score:5.1f}")

# %% [markdown] id="raw-read"
# The first score is the one to report. Without punctuation, or with every mark glued to its word,
# the easy tokens are missing. In the last line a word before a period never matches: *station* is
# not *station.*

# %% [markdown] id="chrf-text"
# ## Smaller than words: chrF
#
# For languages that glue endings to words, whole words are a coarse unit. **chrF** ([Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015)) counts n-grams of *characters*, $n = 1 \dots 6$,
# without spaces. Precision $P$ and recall $R$ are averaged over the $n$ and combined, with
# $\beta = 2$, into
#
# $$\mathrm{chrF}_\beta = 100 \cdot \frac{(1 + \beta^2)\, P R}{\beta^2 P + R}.$$
#
# Recall is part of it and counts more, so no brevity penalty is needed. The means are plain, so a
# zero for one $n$ needs no smoothing.

# %% [markdown] id="ex-sentence-chrf-text"
# ### Exercise 9.5 · chrF
# *Hard, 15 minutes.* Return the chrF of one sentence, 0 to 100. Drop all white space, clip the
# matches, and average $P$ and $R$ over those $n$ for which *both* texts have n-grams. Texts with
# nothing in common score 0.
#
# <details><summary>Hint 1</summary>
#
# <code>"".join(text.split())</code> removes the white space, and <code>metrics.ngram_counts</code>
# counts the characters of a string as well as the words of a list.
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
# Compute F once, from the two averages, with β = 2; if both averages are 0, the formula would
# divide by 0.
#
# </details>


# %% id="ex-sentence-chrf" tags=["exercise"]
@exercise
def sentence_chrf(hypothesis, reference):
    """chrF2 of one sentence, 0 to 100. Two strings → float."""
    raise NotImplementedError


# %% [markdown] id="chrf-use-text"
# ### Nearly right words

# %% id="chrf"
korean = "학생이 도서관에서 책을 읽었습니다"
for text in ("학생은 도서관에 책을 읽었어요", "아이가 방에서 책을 찢었다"):
    print(
        f"BLEU {metrics.sentence_bleu(text, korean).score:.0f}, "
        f"chrF {sentence_chrf(text, korean):.0f}  {text}"
    )

# %% [markdown] id="chrf-read"
# The first hypothesis means *a student read a book in the library*, with another particle, also
# right (은 for 이), one that is wrong (에 for 에서), and a less formal ending; the second means *a
# child tore a book in the room*. To BLEU they are equal: of four words, one is right. chrF prefers
# the first. (Without smoothing, both BLEU scores would be 0.)

# %% [markdown] id="five-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each: `recall("09", "abcda")`.

# %% id="five"
recall("09")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Accuracy by position fails when one word is too many. Precision is gamed by *the the the* or,
#   with clipping, by saying little; recall by saying everything; F1 by any order of the words.
# - BLEU = brevity penalty × *geometric* mean of clipped n-gram precisions, from counts summed over
#   the whole corpus.
# - A BLEU means something only next to another one, on the same sentences, with the same signature.
# - chrF counts runs of characters, and gives credit for nearly right words.
#
# *Two women are drinking coffee in the park* scored 51 at the beginning. You can now say why: not
# because it is half right, but because one person, once, wrote *drink*.
#
# <details><summary>Papers</summary>
#
# [Papineni, Roukos, Ward and Zhu 2002](D_papers.ipynb#cell-id=papineni-2002) (§2.1 clipping, §2.1.3
# the geometric mean, §2.2 brevity); [Lin and Och 2004](D_papers.ipynb#cell-id=lin-2004) and [Chen
# and Cherry 2014](D_papers.ipynb#cell-id=chen-2014) (smoothing); [Post
# 2018](D_papers.ipynb#cell-id=post-2018) (sacreBLEU, signatures); [Goyal et al.
# 2022](D_papers.ipynb#cell-id=goyal-2022) (spBLEU); [Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015), [2017](D_papers.ipynb#cell-id=popovic-2017) (chrF,
# chrF++); [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015).
#
# </details>
#
# **Next.** [Chapter 10](10_translator.ipynb): a real translator, from raw captions to a BLEU with a
# signature. On the side, [09b](09b_confidence.ipynb): how far can you trust a score?

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Three programs, one number
for text in ("the mat sat on the cat", "now the cat sat on the mat", "the cat"):
    for n in (1, 2, 3, 4):
        p, r, f = overlap(text, reference, n)
        assert (p, r, f) == tuple(metrics.overlap(text, reference, n))[:3]
assert abs(corpus_bleu(systems["q = 0.7"], gold) - theirs.score) < 1e-6
assert abs(measured["q = 0.7"].score - theirs.score) < 1e-6

# Nearly right words
from sacrebleu.metrics import CHRF

for text, whole in zip(systems["q = 0.7"][:20], gold):
    assert abs(sentence_chrf(text, whole) - CHRF().sentence_score(text, [whole]).score) < 1e-6
