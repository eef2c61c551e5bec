# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 09b · How far to trust a score
#
# *How far can you trust a score?*
#
# You will find out what "better by 0.8 BLEU" is worth: for other tokens, other sentences, another
# training and a human reader. At the end you report a comparison.
#
# **What you need.** [09](09_bleu.ipynb): BLEU is a brevity penalty times the geometric mean of
# clipped n-gram precisions, from counts summed over a corpus. Its damaged sentences come back: each
# English word survives with probability $q$, else a random one takes its place.
#
# **Time.** 33 minutes to read, 54 for exercises 9.5 to 9.8; the notebook runs in about half a
# minute.
#
# <details><summary>Plan</summary>
#
# May be skipped: *When a precision is zero* (with 9.5) and *Smaller than words: chrF* (with 9.6).
# Run the skipped cells all the same: later ones use what they make.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures, metrics

torch.set_num_threads(1)
figures.use_style()
generator = torch.Generator().manual_seed(9)

# %% [markdown] id="zero-text"
# ## When a precision is zero
#
# If one of four precisions is zero, so is their geometric mean. A whole test set nearly always has
# some run of four words right; a single sentence often has none. Beside *the cat sat on the mat*:

# %% id="zero"
reference = "the cat sat on the mat"
for text in ("the mat sat on the cat", "dogs bark"):
    print(f"{metrics.corpus_bleu([text], [reference], smoothing='none').score:.0f}  {text}")

# %% [markdown] id="zero-read"
# For single sentences one therefore **smooths** ([Lin and Och
# 2004](D_papers.ipynb#cell-id=lin-2004), [Chen and Cherry 2014](D_papers.ipynb#cell-id=chen-2014)).
# sacreBLEU has four ways:
#
# | name | an order $n$ with 0 matches of $t_n$ |
# |---|---|
# | `none` | stays 0 |
# | `floor` | gets $0.1 / t_n$ |
# | `exp` (the default) | the first such order gets $\frac12 / t_n$, the second $\frac14 / t_n$, … |
# | `add-k` | for every $n > 1$, zero or not: $(m_n + 1) / (t_n + 1)$ |
#
# Where not one word matches, the score is 0 in all of them.

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
    """p_1 … p_4, smoothed as in sacreBLEU. Two lists of 4, a name → 4 floats."""
    raise NotImplementedError


# %% [markdown] id="smoothing-text"
# ### One sentence, four scores

# %% id="smoothing"
import math

print(f"{'':26}none  floor    exp  add-k")
nearly = ("the mat sat on the cat", "the cat lay on the mat")
for text in (*nearly, "dogs bark in the sun now"):
    row = f"{text:24}"
    for kind in ("none", "floor", "exp", "add-k"):
        ours = metrics.corpus_bleu([text], [reference], smoothing=kind)
        precisions = smoothed_precisions(ours.counts, ours.totals, kind)
        row += f"{100 * ours.brevity_penalty * math.prod(precisions) ** (1 / 4):7.1f}"
    print(row)

# %% [markdown] id="smoothing-read"
# **The BLEU of a sentence can depend on the smoothing more than on the translation**: the first two
# lines differ far less from each other than each does from left to right. Is ours sacreBLEU's?
# Sixty little test sets, and every sentence on its own:

# %% id="texts" tags=["hide-input"]
# loads the corpus; damages and scores texts
from attnlib.data import load_corpus

corpus = load_corpus("ko-en")
gold = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.test]
words = sorted({word for text in gold for word in text.split() if word.isalpha()})


def damaged(text, q, draw):
    """Each word survives with probability q, else it is some word."""
    return " ".join(
        word if not word.isalpha() or draw.random() < q
        else words[int(draw.random() * len(words))]
        for word in text.split()
    )


def rows_of(hypotheses, references):
    """c, r, matches and totals of n = 1 … 4 of every sentence: (N, 10)."""
    found = [metrics.corpus_bleu([h], [r]) for h, r in zip(hypotheses, references)]
    rows = [
        [b.hypothesis_length, b.reference_length, *b.counts, *b.totals] for b in found
    ]
    return torch.tensor(rows, dtype=torch.double)


def score_of(sums):
    """BLEU of summed counts (..., 10), of as many test sets as there are."""
    c, r, matches, totals = sums[..., 0], sums[..., 1], sums[..., 2:6], sums[..., 6:]
    geometric = (matches / totals).clamp(min=1e-9).log().mean(-1).exp()
    return 100 * (1 - r / c).clamp(max=0).exp() * geometric

# %% id="sacrebleu"
import random

from sacrebleu.metrics import BLEU

draw, largest, compared = random.Random(4), 0.0, 0
for _ in range(60):
    picked = [gold[int(draw.random() * len(gold))] for _ in range(3)]
    made = [damaged(text, draw.random(), draw) for text in picked]
    for kind in ("none", "floor", "exp", "add-k"):
        theirs = BLEU(smooth_method=kind).corpus_score(made, [picked]).score
        gaps = [metrics.corpus_bleu(made, picked, smoothing=kind).score - theirs]
        for one, other in zip(made, picked):
            alone = BLEU(smooth_method=kind, effective_order=True)
            ours = metrics.sentence_bleu(one, other, smoothing=kind).score
            gaps.append(ours - alone.sentence_score(one, [other]).score)
        largest, compared = max(largest, *map(abs, gaps)), compared + len(gaps)
print(f"{compared} scores compared with sacreBLEU, largest difference {largest:.6f}")

# %% id="sacrebleu-check" tags=["check"]
# checks what the text says
assert largest < 1e-6
for kind in ("none", "floor", "exp", "add-k"):
    for text in ("the mat sat on the cat", "dogs bark in the sun now"):
        ours = metrics.corpus_bleu([text], [reference], smoothing=kind)
        product = math.prod(smoothed_precisions(ours.counts, ours.totals, kind))
        assert abs(100 * ours.brevity_penalty * product ** (1 / 4) - ours.score) < 1e-6

# %% [markdown] id="sacrebleu-read"
# So our BLEU *is* sacreBLEU's. (For single sentences both leave out the orders for which the
# sentence is too short: `effective_order`.)

# %% [markdown] id="tokens-text"
# ## Two scores that must not be compared
#
# BLEU counts tokens, and how a text is cut into them is its **tokenization**: at spaces (`none`),
# with punctuation cut off (`13a`, sacreBLEU's default), every character alone (`char`), and many
# ways more. Two scores may be compared only if they were cut alike: [Post
# (2018)](D_papers.ipynb#cell-id=post-2018) found differences of up to 1.8 BLEU between common
# settings that papers did not mention, and proposed to print a **signature** beside every score.
#
# <details><summary>Korean, and tokenizers for other languages</summary>
#
# Cut at spaces, a Korean word (**eojeol**, 어절) is wrong as a whole when its particle is; of its
# syllables most are right. So the scores of one Korean translation by words, by word and particle,
# and by syllables lie far apart. sacreBLEU also has `ko-mecab`, a Korean morphological analyzer,
# and `flores200`, one vocabulary of subwords for two hundred languages; scores cut by such a
# vocabulary are called **spBLEU** ([Goyal et al. 2022](D_papers.ipynb#cell-id=goyal-2022)). Both
# must be downloaded, so they are not run here.
#
# </details>

# %% id="signature"
for settings in (metrics.Settings(), metrics.Settings(tokenize="char", lowercase=True)):
    print(settings.signature())

# %% [markdown] id="signature-read"
# Read: one reference, case as it is, no effective order, tokenizer 13a, smoothing exp. (sacreBLEU
# adds its version.) More important is a habit: give sacreBLEU *raw* text, as a reader would see it.
# What do other habits cost? (600 English sentences, $q = 0.7$.)

# %% id="raw"
import re

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
# Four scores of the same text; the first is the one to report. Without punctuation, or with every
# mark glued to its word, the easy tokens are gone. In the last line *station* never meets
# *station.*

# %% [markdown] id="chrf-text"
# ## Smaller than words: chrF
#
# For a language that glues endings to its words, whole words are coarse. **chrF** ([Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015)) counts n-grams of *characters*, $n = 1 \dots 6$,
# spaces left out. Precision $P$ and recall $R$ are averaged over the $n$, and combined into
#
# $$\mathrm{chrF}_\beta = 100 \cdot \frac{(1 + \beta^2)\, P R}{\beta^2 P + R}, \qquad \beta = 2.$$
#
# With $\beta = 2$ recall counts twice as much, so no brevity penalty is needed. Six orders are
# averaged *before* $F$ is taken, so a zero in one needs no smoothing.

# %% [markdown] id="ex-sentence-chrf-text"
# ### Exercise 9.6 · chrF
# *Hard, 15 minutes.* chrF of one sentence, 0 to 100: precision and recall clipped, all white space
# left out, $P$ and $R$ averaged over those $n$ for which *both* texts have n-grams. Nothing in
# common is 0.
#
# <details><summary>Hint 1</summary>
#
# <code>"".join(text.split())</code> takes out the white space, and
# <code>metrics.ngram_counts</code> counts the characters of a string as well as the words of a
# list.
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


# %% [markdown] id="chrf-use-text"
# ### Nearly right words

# %% id="chrf"
from sacrebleu.metrics import CHRF

right = "학생이 도서관에서 책을 읽었습니다"
for text in ("학생은 도서관에 책을 읽었어요", "아이가 방에서 책을 찢었다"):
    print(f"BLEU {metrics.sentence_bleu(text, right).score:.0f}, "
          f"chrF {sentence_chrf(text, right):.0f}  {text}")
print(f"the damaged sentences: chrF {metrics.corpus_chrf(made, raw):.1f}, "
      f"sacreBLEU's {CHRF().corpus_score(made, [raw]).score:.1f}")

# %% id="chrf-check" tags=["check"]
# checks what the text says
theirs = CHRF().sentence_score(made[0], [raw[0]]).score
assert abs(sentence_chrf(made[0], raw[0]) - theirs) < 1e-6
metric = BLEU(lowercase=True, tokenize="char", force=True)
metric.corpus_score(made, [raw])
assert str(metric.get_signature()).startswith(settings.signature())

# %% [markdown] id="chrf-read"
# The first hypothesis says *a student read a book in the library* with two slips in the particles
# and a less formal ending; the second says *a child tore a book in the room*. BLEU finds them
# equal: of four words, one is right. chrF sees *nearly* right words. (It has a blindness of its
# own: *the mat sat on the cat* gets 88.)

# %% [markdown] id="sample-text"
# ## Other sentences
#
# A test set is a *sample* of the sentences that one might have asked for. How different would
# another sample's score be? Here we own the population: 6,000 sentences, and a system A whose
# damage we make ourselves, more on some sentences than on others. B1, B2 and B4 have the same easy
# and hard sentences and are a little worse, by more and more; A′ is made exactly like A. Each
# sentence keeps its ten numbers (`rows_of`); a test set is scored by adding rows (`score_of`, as in
# 09).

# %% id="population"
population = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.train[:6000]]
draw, rows = random.Random(5), {}
ease = [1 - 0.6 * draw.random() for _ in population]  # the same for all systems
for name, worse in (("A", 0), ("A′", 0), ("B1", 0.01), ("B2", 0.02), ("B4", 0.04)):
    made = [damaged(text, q - worse, draw) for text, q in zip(population, ease)]
    rows[name] = rows_of(made, population)
true = {name: float(score_of(all_rows.sum(0))) for name, all_rows in rows.items()}
print({name: round(score, 1) for name, score in true.items()})

# %% [markdown] id="sample-predict"
# A′ differs from A by luck alone. ("True" below means the score of these very translations on the
# whole population.)
#
# Draw ten of the 6,000 sentences as a test set and score A; draw another ten, and so on. How many
# points wide is the range in which 95 % of these scores lie?

# %% id="predict-ten"
predict("09b.ten", ...)

# %% id="sample-figure" tags=["hide-input"]
# draws the figure
def draw_samples():
    fig, ax = plt.subplots(figsize=(7.5, 3.8))
    ax.boxplot(
        [some.numpy() for some in many.values()],
        whis=(2.5, 97.5), showfliers=False, widths=0.5,
        medianprops={"color": "black"},
    )
    ax.axhline(true["A"], color=figures.PALETTE[1], linestyle="--", label="all sentences")
    ax.set_xticks(range(1, len(many) + 1), [f"{size:,}" for size in many])
    ax.set(title="BLEU of one and the same system on 500 test sets", ylim=(0, 100))
    ax.set(xlabel="sentences in the test set", ylabel="BLEU (0 to 100)")
    ax.legend(frameon=False)
    plt.show()

# %% id="sample"
def middle(some, level=0.95):
    """The two ends between which the middle 95 % of some scores lie."""
    tails = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.double)
    return some.quantile(tails).tolist()


many = {}
for size in (3, 10, 30, 100, 300, 1000):
    picks = torch.randint(6000, (500, size), generator=generator)  # 500 test sets
    many[size] = score_of(rows["A"][picks].sum(1))
low, high = middle(many[10])
with reveal("09b.ten", high - low, within=8):
    for size, some in many.items():
        low, high = middle(some)
        print(f"{size:5,} sentences: 95 % of the test sets from {low:.0f} to {high:.0f}")
    draw_samples()

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


# %% [markdown] id="sample-read"
# <details><summary>What it says</summary>
#
# A BLEU of ten sentences says next to nothing. Even of a hundred it has an error of several points,
# in *this* population. To halve it takes about four times the sentences.
#
# </details>

# %% [markdown] id="bootstrap-text"
# ### The bootstrap: other test sets out of the one you have
#
# Nobody has 500 test sets. The **bootstrap** (for BLEU: [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004)) takes the sentences that one has for the population:
# draw as many as there are, *with replacement*; score; do it a thousand times. The middle 95 % of
# these scores are the **confidence interval**. (A row of `draws` says how often each sentence was
# drawn; times the sentences' ten numbers, it gives the sums of the new test set.)


# %% id="bootstrap"
def draws(size, samples=1000):
    """How often each sentence is in each resampled test set: (samples, size)."""
    picks = torch.randint(size, (samples, size), generator=generator)
    ones = torch.ones(samples, size, dtype=torch.double)
    return torch.zeros_like(ones).scatter_add_(1, picks, ones)


some_rows = torch.randint(6000, (100,), generator=generator)
test_set = rows["A"][some_rows]
low, high = middle(score_of(draws(100) @ test_set))
print(f"BLEU {score_of(test_set.sum(0)):.0f}, 95 % interval {low:.0f} to {high:.0f}")

# %% id="bootstrap-agree"
draw = random.Random(9)
made = [damaged(text, 0.7, draw) for text in gold]
theirs = BLEU(force=True).corpus_score(made, [gold], n_bootstrap=1000)
library = metrics.bootstrap_interval(made, gold)
low, high = middle(score_of(draws(len(gold)) @ rows_of(made, gold)))
halves = {
    "this cell": (high - low) / 2,
    "attnlib": (library.high - library.low) / 2,
    "sacreBLEU": theirs._ci,
}
for name, half in halves.items():
    print(f"{theirs.score:.1f} ± {half:.1f}  {name}")

# %% [markdown] id="coverage-text"
# Each draws for itself, and they agree. (sacreBLEU's command has `--confidence` for it.) "95 %" is
# a promise that can be tested: of many test sets, 95 % should have an interval in which the true
# score lies. For 300 test sets of each size:

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
# With ten sentences the promise is not kept: so few do not show how varied the world is. Their
# interval is wide *and* too optimistic.

# %% [markdown] id="paired-text"
# ## Is A better than B2?
#
# On the whole population it is, by between two and three points. But with 100 sentences an interval
# is about 13 points wide, and the two overlap almost entirely. It is tempting to conclude that such
# systems do not differ. But the intervals are wide because sentences differ in *difficulty*, and a
# hard sentence is hard for both. The **paired bootstrap** ([Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004), §4) scores both systems on each resampled test set; "A
# is better with 95 % confidence" means that A wins at least 95 % of the samples.

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
import random


@exercise
def paired_bootstrap(first, second, references, samples, seed):
    """(share of samples the first wins, share the second wins)."""
    raise NotImplementedError


# %% [markdown] id="paired-use-text"
# ### Sixty sentences

# %% id="paired-agree"
sixty, draw = gold[:60], random.Random(7)
better, worse = ([damaged(text, q, draw) for text in sixty] for q in (0.75, 0.7))
wins = paired_bootstrap(better, worse, sixty, 50, 1)
print(f"q = 0.75 wins {wins[0]:.0%} of the samples, q = 0.7 wins {wins[1]:.0%}")

# %% [markdown] id="swap-text"
# ### The other test: swap who said it
#
# **Approximate randomization** ([Riezler and Maxwell 2005](D_papers.ipynb#cell-id=riezler-2005))
# starts from the other side. Were the two systems equally good, it would not matter which of them
# wrote which translation. So let a coin decide, for each sentence, whether the two change places.
# In what share of a thousand trials is the difference of the scores at least as large as the real
# one? That is the **p-value** (the real assignment counts as one more trial):
#
# $$p = \frac{1 + \#\{\text{trials with } |\text{difference}| \ge
# |\text{real difference}|\}}{1 + \#\text{trials}}$$


# %% id="swap"
def randomization_p(first, second, coins):
    """p of two tables of rows (N, 10); coins (trials, N): 1 leaves, 0 swaps."""
    one = score_of(coins @ first + (1 - coins) @ second)
    other = score_of((1 - coins) @ first + coins @ second)
    real = (score_of(first.sum(0)) - score_of(second.sum(0))).abs()
    as_large = (one - other).abs() >= real - 1e-9  # a tie counts
    return (1 + int(as_large.sum())) / (1 + len(coins))


def toss(size, trials=1000):
    return (torch.rand(trials, size, generator=generator) < 0.5).double()


tables = [rows_of(system, sixty) for system in (better, worse)]
p = randomization_p(*tables, toss(60))
print(f"60 sentences, q = 0.75 against q = 0.7: p = {p:.2f}")

# %% [markdown] id="swap-agree-text"
# Two proofs. With the coins of sacreBLEU's own test (`--paired-ar`), ours must give its $p$. And
# ten sentences have only $2^{10} = 1{,}024$ ways to swap: all together give the exact $p$, to which
# a thousand random ones must come near.

# %% id="swap-agree"
import itertools

import numpy as np
from sacrebleu.significance import PairedTest


def theirs_p(one, other):
    test = PairedTest([("A", one), ("B", other)], {"BLEU": BLEU(force=True)}, [sixty],
                      test_type="ar", n_samples=1000)
    return test()[1]["BLEU"][1].p_value


coins = np.random.default_rng(12345).integers(2, size=(1000, 60), dtype=bool)
coins = torch.tensor(coins, dtype=torch.double)  # sacreBLEU's
print(f"with sacreBLEU's coins: ours {randomization_p(*tables, coins):.6f}, "
      f"sacreBLEU {theirs_p(better, worse):.6f}")
every = torch.tensor(list(itertools.product((0, 1), repeat=10)), dtype=torch.double)
ten = [some[:10] for some in tables]
print(f"ten sentences: all 1,024 ways {randomization_p(*ten, every):.3f}, "
      f"1,000 random ones {randomization_p(*ten, toss(10)):.3f}")
itself = randomization_p(tables[0], tables[0], coins)
print(f"a system against itself: ours {itself:.3f}, "
      f"sacreBLEU {theirs_p(better, better):.3f}")

# %% id="swap-check" tags=["check"]
# checks what the text says
library = metrics.paired_bootstrap(better, worse, sixty, samples=50, seed=1)
assert wins == (library.first_wins, library.second_wins)
assert abs(randomization_p(*tables, coins) - theirs_p(better, worse)) < 1e-9
exact = randomization_p(*ten, every)
assert abs(randomization_p(*ten, toss(10, 10_000)) - exact) < 0.02
first_ten = better[:10], worse[:10], sixty[:10]
library = metrics.approximate_randomization(*first_ten, trials=5000)
assert abs(library - exact) < 0.03

# %% [markdown] id="swap-read"
# The last line is a warning: sacreBLEU (2.6) does not count a tie, and so calls a system
# significantly different from itself, with the smallest $p$ that 1,000 trials can give. Where ties
# are rare the two definitions agree.
#
# <details><summary>And sacreBLEU's paired bootstrap?</summary>
#
# `--paired-bs` resamples as Koehn does, but reports a $p$ instead of his share of wins: in how many
# samples the difference exceeds the mean of all samples by more than the real difference. Ties are
# left out there as well; a comment in its source says that this is meant.
#
# </details>

# %% [markdown] id="false-text"
# ### When neither is better
#
# Where neither is better, a test promises to name a winner rarely. "A wins 95 % of the samples",
# for A or for B, allows 10 % of such errors; so does $p \le 0.1$. Here a coin decides for every
# sentence which of two systems gets the translation of A and which that of A′, so neither can be
# better.

# %% id="false"
def bootstrap_names(first, second, samples=200):
    counts = draws(len(first), samples)
    gaps = score_of(counts @ first) - score_of(counts @ second)
    return max((gaps > 1e-9).sum(), (gaps < -1e-9).sum()) >= 0.95 * samples


def randomization_names(first, second, trials=200):
    return randomization_p(first, second, toss(len(first), trials)) <= 0.1


tests = {"paired bootstrap": bootstrap_names, "randomization": randomization_names}
print("sentences" + "".join(f"{name:>19}" for name in tests))
for size in (10, 30, 100, 300):
    found = dict.fromkeys(tests, 0)
    for _ in range(1000):
        picks = torch.randint(6000, (size,), generator=generator)
        pair, coin = (rows["A"][picks], rows["A′"][picks]), toss(1, size)
        first, second = (coin * a + (1 - coin) * b for a, b in (pair, pair[::-1]))
        for name, names_one in tests.items():
            found[name] += bool(names_one(first, second))
    print(f"{size:9}" + "".join(f"{count / 1000:19.0%}" for count in found.values()))

# %% [markdown] id="false-read"
# (Shares of 1,000 test sets stray by a point or two.) Approximate randomization keeps its promise
# at every size, and must: where coins decided who said what, other coins make the same kind of
# differences. The bootstrap names more winners than it may, most of all for ten sentences, as
# [Riezler and Maxwell (2005)](D_papers.ipynb#cell-id=riezler-2005) found on real systems. What it
# has instead is an *interval*: how large the difference may be.

# %% [markdown] id="power-text"
# ### When A is better
#
# What does a test *miss*? Take the middle difference, between two and three points, and 300
# sentences: in what percentage of the test sets does the paired bootstrap find A better? (The table
# has a row per size of the test set. Its first three columns are headed by how much better A is on
# the whole population; the last says how often two *single* intervals lay apart.)

# %% id="power"
names = ("B1", "B2", "B4")
print("A is better by   " + "".join(f"{true['A'] - true[name]:8.1f}" for name in names)
      + "     (two intervals apart, B2)")
power = {}
for size in (30, 100, 300, 1000):
    apart, hits = 0, [0, 0, 0]
    for _ in range(300):
        picks = torch.randint(6000, (size,), generator=generator)
        counts = draws(size, 200)
        first, *others = (score_of(counts @ rows[n][picks]) for n in ("A", *names))
        apart += middle(first)[0] > middle(others[1])[1]
        won = [int((first > other).sum()) >= 190 for other in others]
        hits = [n + one for n, one in zip(hits, won)]
    power[size] = [n / 300 for n in hits]
    print(f"{size:5,} sentences  " + "".join(f"{share:8.0%}" for share in power[size])
          + f"{apart / 300:18.0%}")

# %% [markdown] id="power-read"
# Read it by its columns. A difference of less than one and a half points is missed by most test
# sets of 300, and by more than a third of those of 1,000; one of almost six is found by more than
# four in five of 100 sentences. (Part of the smallest is luck, as A′ shows; but these very
# translations differ by it.) Waiting for the two intervals to part finds next to nothing. Where two
# systems make the *same* mistakes, as real ones often do, a paired test is sharper.

# %% [markdown] id="seeds-text"
# ## Another training
#
# Both tests look at sentences, not at trainings ([Clark et al.
# 2011](D_papers.ipynb#cell-id=clark-2011)). Here are three recorded trainings of *one and the same*
# model with attention, on captions joined one to four at a time. The record keeps $c$, $r$ and the
# four matches of every text, all that BLEU needs. Let the paired bootstrap judge them, two at a
# time, on all 899 texts. How many of the three comparisons will come out "better
# with 95 % confidence"?

# %% id="predict-seeds"
predict("09b.seeds", ...)

# %% id="seeds"
record, trained = read_record("09_joined_captions"), {}
for run in record["runs"]:
    kept = torch.tensor(sum(run["sentences"], []), dtype=torch.double)
    totals = (kept[:, :1] - torch.arange(4)).clamp(min=0)
    trained[run["seed"]] = torch.cat([kept, totals], dim=1)
sure, verdicts = 0, []
for one, other in itertools.combinations(trained, 2):
    first, second = trained[one], trained[other]
    counts = draws(len(first))
    gaps = score_of(counts @ first) - score_of(counts @ second)
    gap = float(score_of(first.sum(0)) - score_of(second.sum(0)))
    most = max(int((gaps > 0).sum()), int((gaps < 0).sum())) / 1000
    sure += most >= 0.95
    p = randomization_p(first, second, toss(len(first)))
    verdicts.append(f"seeds {one} and {other}: {gap:+5.2f} BLEU, "
                    f"the better wins {most:.0%}, p = {p:.2f}")
with reveal("09b.seeds", sure):
    print(*verdicts, sep="\n")

# %% [markdown] id="seeds-read"
# <details><summary>What it says</summary>
#
# Two of three pass, by both tests, and the runs differ in nothing but the seed! The tests have made
# no error. They ask whether *these two sets of weights* would finish in the same order on other
# sentences, and of that they are sure (perhaps a little too sure: a caption can occur in several
# texts). Which *model* is better they cannot say; here there is only one. So one run against one
# run, "significant" or not, shows less than it seems to.
#
# </details>

# %% [markdown] id="people-text"
# ## Would people agree?
#
# [Papineni et al. (2002)](D_papers.ipynb#cell-id=papineni-2002) had five systems judged by people;
# the correlation with BLEU was 0.99 and 0.96, for two groups of judges. Such a number depends on
# *which* systems are taken ([Mathur, Baldwin and Cohn 2020](D_papers.ipynb#cell-id=mathur-2020)).
# Here are five of ours, of known quality $q$, on 300 test sets of 200 sentences: first far apart,
# then as near as serious competitors are.
#
# <details><summary>What judges are asked for</summary>
#
# For a long time two marks of one to five: **adequacy**, how much of the meaning is there, and
# **fluency**, how well it reads. Later one number from 0 to 100 (**direct assessment**). Today
# professional translators mark every error with its kind and severity, and these are added up
# (**MQM**, *multidimensional quality metrics*); by such scores [Freitag et al.
# (2022)](D_papers.ipynb#cell-id=freitag-2022) judge the metrics.
#
# </details>

# %% id="correlation"
draw = random.Random(3)
for qualities in ((0.5, 0.6, 0.7, 0.8, 0.9), (0.700, 0.705, 0.710, 0.715, 0.720)):
    five = torch.stack([rows_of([damaged(text, q, draw) for text in gold], gold)
                        for q in qualities])
    found = []
    for _ in range(300):
        picks = torch.randint(1500, (200,), generator=generator)
        bleus = score_of(five[:, picks].sum(1))
        found.append(np.corrcoef(bleus.tolist(), qualities)[0, 1])
    low, half, high = np.quantile(found, (0.025, 0.5, 0.975))
    print(f"q from {qualities[0]} to {qualities[-1]}: correlation {half:.2f} in the "
          f"middle, 95 % of the test sets {low:.2f} to {high:.2f}")

# %% [markdown] id="correlation-read"
# With systems that are close the test set decides, and the correlation may come out negative.
#
# [Kocmi et al. (2024)](D_papers.ipynb#cell-id=kocmi-2024) asked the other way round: where two
# systems differ by so much BLEU, how often do people prefer the same one? They fitted a curve to
# many judged pairs ([MT-Thresholds](https://github.com/kocmitom/MT-Thresholds)).

# %% id="agreement"
for gap in (0.5, 1, 2, 4):
    agree = 88.33 / (1 + math.exp(-0.9664 * gap))  # their curve for BLEU
    print(f"{gap:3} BLEU more: people agree in {agree:.0f} % of the pairs")

# %% [markdown] id="agreement-read"
# Half a point is hardly better than a coin, and at four points people still disagree with BLEU
# about one pair in eight.
#
# <details><summary>Three hurdles for a gain, in one table</summary>
#
# For a test set of some hundred sentences:
#
# | a gain of | other sentences | another training | people |
# |---|---|---|---|
# | 0.5 BLEU | mostly lost in the noise | a change of seed can do it | nearly chance |
# | 1 BLEU | needs a thousand or more | needs several seeds | two of three agree |
# | 2 BLEU | a paired test may find it | needs several seeds | three of four agree |
# | 5 BLEU | hard to miss | [not sure](05_attention.ipynb#cell-id=length-read) | most agree |
#
# </details>

# %% [markdown] id="blind-text"
# ## What BLEU does not see
#
# Change sentences of the corpus on purpose: once so that the *meaning stays*, and once, at the same
# place, so that it *changes*. A judge of translations should prefer the first every time.
#
# | what is touched | meaning stays | meaning changes |
# |---|---|---|
# | a number | *two* → *2* | *two* → *three* |
# | an adjective | *big* → *large* | *big* → *small* |
# | a negation | *did not* → *didn't* | *did not* → *did* |
# | a time | *at the pool last Monday* → *last Monday at the pool* | *Monday* → *Tuesday* |

# %% id="blind-rules" tags=["hide-input"]
# changes sentences, and scores them
numbers = {"two": ("2", "three"), "three": ("3", "four"), "four": ("4", "five")}
kinds_of = {"big": ("large", "small"), "small": ("little", "big")}
kinds_of |= {"expensive": ("costly", "cheap"), "delicious": ("tasty", "bland")}
short = {"do": "don't", "will": "won't"}
negated = "did", "is", "was", "were", "does", "could", "are"
short |= {verb: f"{verb}n't" for verb in negated}
days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
after = dict(zip(days, days[1:] + days[:1]))
place = r" ((?:at|in|on) the [a-z]+(?: [a-z]+)?)"
edits = {  # what is looked for, and the two changes
    "number": (rf"\b({'|'.join(numbers)})\b",
               lambda m: numbers[m[1]][0], lambda m: numbers[m[1]][1]),
    "adjective": (rf"\b({'|'.join(kinds_of)})\b",
                  lambda m: kinds_of[m[1]][0], lambda m: kinds_of[m[1]][1]),
    "negation": (rf"\b({'|'.join(short)}) not\b",
                 lambda m: short[m[1]], lambda m: m[1]),
    "time": (rf"{place} ((?:last|this|every) )({'|'.join(days)})\.$",
             lambda m: f" {m[2]}{m[3]} {m[1]}.",
             lambda m: f" {m[1]} {m[2]}{after[m[3]]}."),
}
single = [pair.tgt for pair in corpus.train if not re.search(r"[.?!] ", pair.tgt)]
print(f"{len(single):,} texts of one sentence each")


def compare(originals, same, other):
    """BLEU of two changes of the same sentences, the interval of the gap, chrF."""
    tables = [rows_of(texts, originals) for texts in (same, other)]
    counts = draws(len(originals))
    gap = score_of(counts @ tables[0]) - score_of(counts @ tables[1])
    whole_scores = [float(score_of(one.sum(0))) for one in tables]
    letters = [metrics.corpus_chrf(texts, originals) for texts in (same, other)]
    return whole_scores, middle(gap), letters

# %% [markdown] id="blind-predict"
# Which of the four pairs will BLEU judge as you would: (a) all four, (b) the negation only, (c)
# none?

# %% id="predict-blind"
predict("09b.blind", ..., choices="abc")


# %% id="blind-figure" tags=["hide-input"]
# draws the figure
def draw_changes():
    fig, ax = plt.subplots(figsize=(8, 3.8))
    behind_text = {"facecolor": "white", "edgecolor": "none", "pad": 2}
    for k, (name, shade, hatch) in enumerate((("stays", 2, ""), ("changes", 1, "//"))):
        y = np.arange(4) + 0.4 * k - 0.2
        bars = ax.barh(y, [there[0][k] for there in judged.values()], height=0.36,
                       color=figures.PALETTE[shade], hatch=hatch, label=f"meaning {name}")
        ax.bar_label(bars, fmt="%.0f", label_type="center", bbox=behind_text)
        ax.plot([there[2][k] for there in judged.values()], y, "D", color="black")
    ax.set_yticks(range(4), list(judged))
    ax.invert_yaxis()
    ax.set(title="The same sentences, changed in two ways", xlim=(0, 100))
    ax.set(xlabel="bar: BLEU, diamond: chrF (0 to 100)", ylabel="what is touched")
    fig.legend(frameon=False, loc="outside lower center", ncols=2)
    plt.show()

# %% id="blind"
affected, changed, judged = {}, {}, {}
for name, (pattern, *changes) in edits.items():
    affected[name] = [text for text in single if len(re.findall(pattern, text)) == 1]
    changed[name] = [[re.sub(pattern, one, text) for text in affected[name]] for one in changes]
    judged[name] = compare(affected[name], *changed[name])
better = sum(low > 0 for _, (low, _), _ in judged.values())
with reveal("09b.blind", {0: "c", 4: "a"}.get(better, "b")):
    for name, (bleus, (low, high), chrfs) in judged.items():
        print(f"{name}, {len(affected[name])} sentences: {affected[name][0]}")
        for kind, made, bleu, chrf in zip(("stays", "changes"), changed[name], bleus, chrfs):
            print(f"   {kind:8}BLEU {bleu:.1f}, chrF {chrf:.1f}   {made[0]}")
        print(f"   difference in BLEU (95 %): {low + 0.0:.1f} to {high + 0.0:.1f}")
    draw_changes()

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

# %% [markdown] id="blind-read"
# <details><summary>What it says</summary>
#
# It judges none of them as you would. *Large* and *small* are equally wrong: neither is in the
# reference. Where the right version touches more tokens, BLEU prefers the wrong one, by nine points
# and by more than twenty. (Compare only within a pair: each has its own sentences.) chrF sees most
# of *did not* in *didn't*, and is otherwise as blind.
#
# </details>
#
# ### When to trust it
#
# BLEU is no judge of a sentence. Over many sentences such accidents strike all systems alike, and a
# higher BLEU usually goes with a better translation; for systems of different kinds, or small
# differences, it need not ([Callison-Burch, Osborne and Koehn
# 2006](D_papers.ipynb#cell-id=callison-burch-2006)). It is blind to *meaning*, to *other words for
# the same thing*, to *free word order* (개가 사람을 물었다 and 사람을 개가 물었다 both say *the dog
# bit the man*) and to *everything beyond the sentence*. So look at translations too; chapter 10
# does.
#
# Some metrics were *trained* on human judgments, such as COMET ([Rei et al.
# 2020](D_papers.ipynb#cell-id=rei-2020)), a network too large for this book that reads source,
# hypothesis and reference. They agree with people better; a yearly comparison of metrics was called
# "Stop using BLEU" ([Freitag et al. 2022](D_papers.ipynb#cell-id=freitag-2022)).

# %% [markdown] id="report-text"
# ## How to report a score
#
# [Marie, Fujita and Rubino (2021)](D_papers.ipynb#cell-id=marie-2021) read 769 papers and found
# more and more of them resting on a difference of two BLEU scores alone, or on scores copied from
# other papers. What to write instead:
#
# 1. **the test set**: split, version, how many sentences, and that nothing was chosen on it;
# 2. **raw text in**, with capitals, spaces and punctuation, as a reader sees it;
# 3. **the signature** that sacreBLEU prints, with its version;
# 4. **several trainings**, each score or mean and spread;
# 5. **a paired test**, on the same sentences, and *no* score copied from a paper whose signature
#    you do not know;
# 6. **a second metric** of another kind (chrF; COMET where one can run it);
# 7. **the translations themselves**, put where others can score them in ten years.

# %% [markdown] id="ex-report-text"
# ### Exercise 9.8 · Report a comparison
# *Core, 12 minutes.* Two systems' translations of one test set, the references, a number of trials
# and a seed. Return a dictionary:
#
# | key | value |
# |---|---|
# | `"sentences"` | how many there are |
# | `"bleu"` | the two scores, each rounded to 1 decimal |
# | `"difference"` | first minus second, rounded to 1 decimal *after* the subtraction |
# | `"interval"` | 95 % of the paired bootstrap: `low` and `high`, 1 decimal |
# | `"p"` | of approximate randomization, 3 decimals |
# | `"better"` | `"first"` or `"second"` where $p \le 0.05$, else `"undecided"` |
# | `"signature"` | of `metrics.Settings()` |
#
# `metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)` has `first`,
# `second`, `low` and `high`; `metrics.approximate_randomization` takes the same arguments, but
# `trials=trials`, and returns p.
#
# <details><summary>Hint 1</summary>
#
# Round last: what is compared and subtracted is not rounded. Which entries would be wrong
# otherwise?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Two questions decide about `"better"`: is p small enough, and which score is higher?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Call both tests once and keep their results; everything but the number of sentences and the
# signature is read from these two.
#
# </details>


# %% id="ex-report" tags=["exercise"]
@exercise
def report(first, second, references, trials, seed):
    """What a report says of two systems. Three lists of texts, two ints → dict."""
    raise NotImplementedError

# %% [markdown] id="written-text"
# ### Two real comparisons
#
# Translators of this book, on 305 Korean sentences written by people. Does attention help? Does a
# beam of five help over greedy search ([chapter 8](08_beam_search.ipynb))?

# %% id="written"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

pairs = corpus.splits["test_written"]
sources, references = [pair.src for pair in pairs], [pair.tgt for pair in pairs]
systems = {}
for name, kind, beam in (
    ("attention, greedy", "attention", 1),
    ("attention, beam 5", "attention", 5),
    ("no attention, greedy", "without", 1),
):
    folder = bundled_directory().parent / f"ko-en-{kind}"
    translator = Translator.load(folder, "cpu")
    systems[name] = [found.text for found in translator.translate(sources, beam_size=beam)]
print(f"{'reference':20} {references[0]}")
for name, texts in systems.items():
    print(f"{name:20} {approx_text(texts[0])}")

# %% id="written-report"
reports = {}
for one, other in (("attention, greedy", "no attention, greedy"),
                   ("attention, beam 5", "attention, greedy")):
    pair = systems[one], systems[other], references
    reports[one] = told = report(*pair, 1000, 1)
    print(f"{one} − {other}, {told['sentences']} sentences")
    print("  BLEU ≈{:.1f} and ≈{:.1f},".format(*told["bleu"]),
          f"difference ≈{told['difference']:.1f}",
          "(95 % ≈{:.1f} to ≈{:.1f}),".format(*told["interval"]), f"p ≈{told['p']:.3f}")
    letters = [metrics.corpus_chrf(systems[name], references) for name in (one, other)]
    print("  chrF ≈{:.1f} and ≈{:.1f};".format(*letters), told["signature"])

# %% id="written-check" tags=["check"]
# checks what the text says
with_or_without, beam_or_greedy = reports.values()
assert with_or_without["better"] == "first" and with_or_without["difference"] > 15
assert beam_or_greedy["interval"][0] < -0.3 and beam_or_greedy["interval"][1] > 0.3
check_range(beam_or_greedy["p"], 0.2, 1)

# %% [markdown] id="written-read"
# The first difference needs no test. The second is well within chance. That does not show that the
# two searches are equally good: by its interval a beam may gain or lose a point here. So report the
# interval, and fix the number of trials before you look (sacreBLEU takes 10,000).
#
# Ours still falls short of the list: one training of each, no version of the data, a signature
# without sacreBLEU's version; and no person was asked.
#
# On the command line, for files with a sentence per line:
#
# ```
# sacrebleu reference.txt -i ours.txt theirs.txt -m bleu chrf --paired-ar
# ```

# %% [markdown] id="experiment-text"
# ## Open experiment: fool the judge
#
# *30 minutes, no check.* Find a change that a reader would hardly notice and that costs as much
# BLEU as possible, and one at the same place that spoils the meaning and costs as little as
# possible. **Predict** both scores and the interval of their difference: how many runs of $n$ does
# each change destroy? **Measure** on the same sentences, by chrF too. **Report** in three
# sentences.
#
# <details><summary>How it would be marked</summary>
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one place | sentences differ | same sentences, several changes | same sentences, one place |
# | prediction | none | a direction | numbers, from counted n-grams |
# | evidence | one sentence | a score of many | the interval of the difference |
# | conclusion | "BLEU is bad" | what came | what came, and what it does not show |
#
# </details>

# %% id="experiment"
MINE = None  # (r"\bbought\b", "purchased", "sold"), for example

if MINE is not None:
    pattern, stays, changes = MINE
    touched = [text for text in single if len(re.findall(pattern, text)) == 1]
    pairs = [
        [re.sub(pattern, change, text) for text in touched]
        for change in (stays, changes)
    ]
    two, (low, high), letters = compare(touched, *pairs)
    print(
        f"{len(touched)} sentences; BLEU {two[0]:.1f} and {two[1]:.1f}, "
        f"difference {low:.1f} to {high:.1f}; "
        f"chrF {letters[0]:.1f} and {letters[1]:.1f}"
    )

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A sentence's BLEU can be mostly its smoothing, and a corpus's BLEU moves by points with the
#   tokenizer: give the signature.
# - A score of few sentences says little. Two systems are compared *paired*: by the bootstrap, which
#   gives an interval, or by approximate randomization, which keeps its promise even for ten
#   sentences.
# - Neither says anything about another training, nor about people.
# - BLEU sees strings, not meaning.
#
# **Left out.** *Human judgment*: nobody was asked for this book, so we quote.
#
# <details><summary>Papers</summary>
#
# [Lin and Och 2004](D_papers.ipynb#cell-id=lin-2004) and [Chen and Cherry
# 2014](D_papers.ipynb#cell-id=chen-2014) (smoothing); [Post 2018](D_papers.ipynb#cell-id=post-2018)
# (sacreBLEU, signatures); [Goyal et al. 2022](D_papers.ipynb#cell-id=goyal-2022) (spBLEU); [Popović
# 2015](D_papers.ipynb#cell-id=popovic-2015), [2017](D_papers.ipynb#cell-id=popovic-2017) (chrF,
# chrF++); [Koehn 2004](D_papers.ipynb#cell-id=koehn-2004) (bootstrap, paired); [Riezler and Maxwell
# 2005](D_papers.ipynb#cell-id=riezler-2005) (approximate randomization); [Clark, Dyer, Lavie and
# Smith 2011](D_papers.ipynb#cell-id=clark-2011) (several trainings); [Callison-Burch, Osborne and
# Koehn 2006](D_papers.ipynb#cell-id=callison-burch-2006), [Mathur, Baldwin and Cohn
# 2020](D_papers.ipynb#cell-id=mathur-2020), [Kocmi et al. 2024](D_papers.ipynb#cell-id=kocmi-2024)
# and [Freitag et al. 2022](D_papers.ipynb#cell-id=freitag-2022) (BLEU and people); [Marie, Fujita
# and Rubino 2021](D_papers.ipynb#cell-id=marie-2021) (how it is used); [Rei et al.
# 2020](D_papers.ipynb#cell-id=rei-2020) (COMET).
#
# </details>
#
# **Next.** [Chapter 10](10_translator.ipynb): a real translator, from raw captions to a BLEU with a
# signature.
