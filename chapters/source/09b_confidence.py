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
# *One translator is 0.6 BLEU ahead of another. Is it better?*
#
# **You will learn to** say what "better by 0.6 BLEU" means for other sentences, another training,
# and a human reader; and report a comparison.
#
# **What you need.** [09](09_bleu.ipynb): BLEU comes from counts summed over a corpus.
#
# **Time.** 21 minutes to read, 27 for exercises 9.6 and 9.7; 45 seconds to run.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures, metrics

torch.set_num_threads(1)
figures.use_style()
generator = torch.Generator().manual_seed(9)

# %% id="first"
captions = {}  # of every text: length, reference length, four matches, four totals
for name, run in zip("ABC", read_record("09_joined_captions")["runs"]):
    parts = [torch.tensor(part, dtype=torch.double) for part in run["sentences"]]
    recorded = torch.cat(parts)  # (texts, 6)
    length = recorded[:, :1]
    totals = (length - torch.tensor([0, 1, 2, 3])).clamp(min=0)  # n-grams of n = 1, 2, 3, 4
    captions[name] = torch.cat([recorded, totals], dim=1)


def score_of(sums):
    """BLEU of summed counts (..., 10), of any number of test sets."""
    c = sums[..., 0]
    r = sums[..., 1]
    precisions = sums[..., 2:6] / sums[..., 6:]
    geometric = precisions.clamp(min=1e-9).log().mean(-1).exp()
    brevity = (1 - r / c).clamp(max=0).exp()
    return 100 * brevity * geometric


for name, table in captions.items():
    print(f"translator {name}: BLEU {score_of(table.sum(0)):.1f} on {len(table)} texts")

# %% [markdown] id="first-read"
# Here are three translators of German, scored on the same texts of one to four captions each. C is
# ahead by 0.6 BLEU. Would it also be ahead on *other sentences*? After *another training*? Would
# *people* agree? Guess what C does differently from A and B; the answer is under *Another
# training*.
#
# For every text we keep a row of ten numbers: two lengths, and the matches and totals for runs of
# one to four words. The score of a test set is computed from the sums of its rows.

# %% [markdown] id="sample-text"
# ## Other sentences
#
# A test set is a *sample* of all sentences that you might want translated. To see how much samples
# differ, we need the whole population: 6,000 sentences, and a system S that damages them as in
# chapter 9, some more than others.

# %% id="texts" tags=["hide-input"]
# damages sentences of the corpus, and counts what BLEU needs
from attnlib.data import load_corpus

corpus = load_corpus("ko-en")
gold = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.test]
all_words = " ".join(gold).split()
words = sorted({word for word in all_words if word.isalpha()})


def damaged(text, q, draw):
    """Each word survives with probability q, else it is some word."""
    made = []
    for word in text.split():
        if word.isalpha() and draw.random() >= q:
            made.append(words[int(draw.random() * len(words))])
        else:
            made.append(word)
    return " ".join(made)


def rows_of(hypotheses, references):
    """c, r, matches and totals of n = 1 … 4 of every sentence: (N, 10)."""
    table = []
    for hypothesis, reference in zip(hypotheses, references):
        b = metrics.corpus_bleu([hypothesis], [reference])
        table.append([b.hypothesis_length, b.reference_length, *b.counts, *b.totals])
    return torch.tensor(table, dtype=torch.double)


# %% id="population"
import random

population = [" ".join(metrics.tokenize_13a(pair.tgt)) for pair in corpus.train[:6000]]
draw = random.Random(5)
ease = [1 - 0.6 * draw.random() for _ in population]  # the same for all systems
rows, true = {}, {}
for name, loss in (("S", 0), ("S′", 0), ("S1", 0.01), ("S2", 0.02), ("S4", 0.04)):
    made = [damaged(text, q - loss, draw) for text, q in zip(population, ease)]
    rows[name] = rows_of(made, population)
    true[name] = float(score_of(rows[name].sum(0)))
print(f"S on all {len(population):,} sentences: BLEU {true['S']:.1f}")

# %% [markdown] id="sample-predict"
# This is the *true* score. Draw ten of the 6,000 sentences as a test set and score S; draw another
# ten, and so on. How many BLEU points wide is the range that contains the middle 95% of these
# scores?

# %% id="predict-ten"
predict("09b.ten", ...)


# %% id="sample-figure" tags=["hide-input"]
# draws Figure 1
def draw_samples():
    fig, ax = plt.subplots(figsize=(7.5, 3.8))
    ax.boxplot(
        [some.numpy() for some in many.values()],
        whis=(2.5, 97.5),
        showfliers=False,
        widths=0.5,
        medianprops={"color": "black"},
    )
    ax.axhline(true["S"], color=figures.PALETTE[1], linestyle="--", label="all sentences")
    ax.set_xticks(range(1, len(many) + 1), [f"{size:,}" for size in many])
    ax.set_title("Figure 1. BLEU of one and the same system on 500 test sets")
    ax.set(xlabel="sentences in the test set", ylabel="BLEU (0 to 100)", ylim=(0, 100))
    ax.legend(frameon=False)
    plt.show()


# %% id="sample"
def middle(some, level=0.95):
    """The two ends of the range that contains the middle 95% of some scores."""
    tails = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.double)
    return some.quantile(tails).tolist()


many = {}
for size in (10, 30, 100, 300, 1000):
    picks = torch.randint(6000, (500, size), generator=generator)  # 500 test sets
    many[size] = score_of(rows["S"][picks].sum(1))
low, high = middle(many[10])
with reveal("09b.ten", high - low, within=8):
    for size, some in many.items():
        low, high = middle(some)
        print(f"{size:5,} sentences: 95% of the test sets score from {low:.0f} to {high:.0f}")
    picks = torch.randint(400, (500, 10), generator=generator)  # texts of up to 20 words
    low, high = middle(score_of(captions["A"][picks].sum(1)))
    print(f"translator A, 10 texts of up to 20 words: 95% score from {low:.0f} to {high:.0f}")
    draw_samples()

# %% [markdown] id="sample-alt"
# <details><summary>The figure in words</summary>
#
# Five box plots of BLEU for test sets of 10, 30, 100, 300 and 1,000 sentences, whiskers around the
# middle 95%. With 10 sentences the whiskers reach from about 30 to more than 70, with 100 they are
# about 14 points apart, with 1,000 four or five. A dashed line marks the BLEU of all sentences,
# just above 50, and passes close to the median of every box.
#
# </details>

# %% [markdown] id="sample-read"
# <details><summary>What it says</summary>
#
# A BLEU of ten sentences means almost nothing, whether our rule damaged the sentences or a real
# translator wrote them. Even a hundred leave several points of uncertainty. Halving the range takes
# about four times as many sentences.
#
# </details>

# %% [markdown] id="bootstrap-text"
# ### The bootstrap: other test sets from the one you have
#
# You do not have 500 test sets. The **bootstrap** (부트스트랩; for BLEU: [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004)) treats your sentences as the population: draw the same
# number, *with replacement*, compute the score, and repeat a thousand times. The middle 95% of the
# scores are the **confidence interval** (신뢰 구간). A row of `draws` contains how often each
# sentence was drawn; multiplied by the table of ten numbers, it gives the sums.


# %% id="bootstrap"
def draws(size, samples=1000):
    """How often each sentence is in each resampled test set: (samples, size)."""
    picks = torch.randint(size, (samples, size), generator=generator)
    ones = torch.ones(samples, size, dtype=torch.double)
    counts = torch.zeros(samples, size, dtype=torch.double)
    return counts.scatter_add_(1, picks, ones)  # adds a 1 at every place that was picked


for name, table in captions.items():
    low, high = middle(score_of(draws(len(table)) @ table))
    print(f"translator {name}: {score_of(table.sum(0)):.1f}, 95% interval {low:.1f} to {high:.1f}")

# %% id="bootstrap-check" tags=["check"]
# draws the interval that the last cell compares with the library's and sacreBLEU's
draw = random.Random(9)
test_set = [damaged(text, 0.7, draw) for text in gold]
own_interval = middle(score_of(draws(len(gold)) @ rows_of(test_set, gold)))

# %% [markdown] id="coverage-text"
# Is the true score in 95 of 100 intervals of this kind? In our population we can count. The share
# has its own interval: about $\pm 1.96 \sqrt{p(1-p)/n}$ for a share $p$ of $n$ test sets.


# %% id="coverage"
def share(count, of):
    """A share as a percentage, with its own 95% interval."""
    p = (count + 2) / (of + 4)  # two of each kind added: a count of 0 has an interval too
    half = 1.96 * (p * (1 - p) / of) ** 0.5
    return f"{100 * count / of:.0f} ± {100 * half:.0f}%"


print("sentences   intervals that contain the true score")
for size in (10, 30, 100, 300):
    inside = 0
    for _ in range(1000):
        picks = torch.randint(6000, (size,), generator=generator)
        low, high = middle(score_of(draws(size, 400) @ rows["S"][picks]))
        inside += low <= true["S"] <= high
    print(f"{size:9}   {share(inside, 1000)}")

# %% [markdown] id="coverage-read"
# On ten and thirty sentences, too few intervals contain it, by more than the error of the count; on
# a hundred or more, nearly enough do.

# %% [markdown] id="paired-text"
# ## Two systems on the same sentences
#
# S2 is like S, but three points worse in the whole population. On 100 sentences their intervals are
# about 14 points wide and mostly overlap. They are wide because sentences differ in *difficulty*,
# but a hard sentence is hard for both. The **paired bootstrap** scores both on each resampled test
# set and looks at the difference.

# %% [markdown] id="ex-paired-bootstrap-text"
# ### Exercise 9.6 · The paired bootstrap
# *Hard, 15 minutes.* Return the share of the samples in which the first system is better, and the
# share in which the second is better (a tie counts for neither). You are given three lists of `n`
# texts (two systems and the references), the number of samples and a seed. So that your numbers can
# be checked, draw like this: `draw = random.Random(seed)` once, and for each sample
# `picks = draw.choices(range(n), k=n)`. Score with
# `metrics.corpus_bleu(hypotheses, references).score`.
#
# <details><summary>Hint 1</summary>
#
# One draw, two scores: both systems get the same picks.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Pick from three lists, not two: what is hypothesis i compared with?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Keep two counters, one for each winner; neither moves at a tie. At the end, divide both by the
# number of samples.
#
# </details>


# %% id="ex-paired-bootstrap" tags=["exercise"]
import random


@exercise
def paired_bootstrap(first, second, references, samples, seed):
    """(share of samples the first wins, share the second wins)."""
    raise NotImplementedError


# %% [markdown] id="swap-text"
# ### The other test: swap who said it
#
# If two systems were equally good, it would not matter which wrote which translation. **Approximate
# randomization** (근사 무작위화 검정; [Riezler and Maxwell
# 2005](D_papers.ipynb#cell-id=riezler-2005)) therefore tosses a coin for each sentence to decide
# whether the two translations change places. In what share of the trials is the difference of the
# scores at least as large as the real one, in either direction? That is the **p-value** (the real
# assignment counts as one more trial):
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


sixty = gold[:60]
draw = random.Random(7)
better = [damaged(text, 0.75, draw) for text in sixty]
worse = [damaged(text, 0.7, draw) for text in sixty]
better_rows = rows_of(better, sixty)
worse_rows = rows_of(worse, sixty)
wins = paired_bootstrap(better, worse, sixty, samples=50, seed=1)
p = randomization_p(better_rows, worse_rows, toss(60))
print(f"60 sentences: q = 0.75 wins {wins[0]:.0%} of the samples, q = 0.7 wins {wins[1]:.0%}")
print(f"randomization: p = {p:.2f}")

# %% [markdown] id="swap-agree-text"
# With the coins of sacreBLEU's own test (`--paired-ar`), ours must return its $p$.

# %% id="swap-agree"
import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest


def theirs_p(one, other):
    """p of sacreBLEU."""
    test = PairedTest(
        [("A", one), ("B", other)],
        {"BLEU": BLEU(force=True)},
        [sixty],
        test_type="ar",
        n_samples=1000,
    )
    return test()[1]["BLEU"][1].p_value


coins = np.random.default_rng(12345).integers(2, size=(1000, 60), dtype=bool)  # sacreBLEU's
coins = torch.tensor(coins, dtype=torch.double)
ours = randomization_p(better_rows, worse_rows, coins)
itself = randomization_p(better_rows, better_rows, coins)
print(f"with sacreBLEU's coins: ours {ours:.6f}, sacreBLEU {theirs_p(better, worse):.6f}")
print(f"a system against itself: ours {itself:.3f}, sacreBLEU {theirs_p(better, better):.3f}")

# %% id="swap-check" tags=["check"]
# tosses the coins with which the last cell checks randomization_p on ten sentences
few_coins = toss(10, 1000)
many_coins = toss(10, 10_000)

# %% [markdown] id="swap-read"
# The last line is a warning: sacreBLEU (2.6) does not count ties, and finds a system significantly
# different from itself. Where ties are rare, the two agree.
#
# <details><summary>And sacreBLEU's paired bootstrap?</summary>
#
# `--paired-bs` resamples as Koehn does, but reports a $p$ instead of his share of wins: in how many
# samples the difference exceeds the mean of all samples by more than the real difference. Ties are
# left out there as well, which a comment in its source calls intended.
#
# </details>

# %% [markdown] id="null-text"
# ### When neither is better
#
# "One of the two wins 95% of the samples" and $p \le 0.1$ both promise to name a winner in at most
# 10% of the test sets where neither system is better. In a recorded run, a coin decided for every
# sentence which of two systems gets the translation of S and which of S′, a system made exactly
# like S:

# %% id="null"
record = read_record("09_null")["runs"]
print("test sets in which a winner is named, though there is none")
print("sentences   paired bootstrap   randomization")
for size in (10, 30, 100, 300):
    bootstrap, randomization = [run for run in record if run["size"] == size]
    by_bootstrap = share(bootstrap["named"], bootstrap["of"])
    by_coins = share(randomization["named"], randomization["of"])
    print(f"{size:9}{by_bootstrap:>19}{by_coins:>16}")

# %% [markdown] id="null-read"
# Randomization keeps its promise at every size, and must: where coins decided which system wrote
# what, new coins produce the same kinds of differences. The bootstrap names too many winners on ten
# and thirty sentences; from a hundred onward, no excess is visible.
#
# <details><summary>What others found</summary>
#
# [Riezler and Maxwell (2005)](D_papers.ipynb#cell-id=riezler-2005) also found that the bootstrap
# names winners more readily. [Graham, Mathur and Baldwin
# (2014)](D_papers.ipynb#cell-id=graham-2014) compared such tests with people's judgments and found
# little difference between them. [Dror et al. (2018)](D_papers.ipynb#cell-id=dror-2018) found
# significance tests often ignored or misused, and recommend how to choose one.
#
# </details>

# %% [markdown] id="power-text"
# ### When S is better
#
# What does a test *miss*? S1, S2 and S4 are increasingly worse than S. The paired test finds this
# if the 95% interval of the difference is above 0; the naive way, for S2, if the intervals of the
# two systems do not overlap.

# %% id="power"
print("test sets in which a system is found to be worse than S (in brackets: by how many BLEU)")
header = "sentences"
for name in ("S1", "S2", "S4"):
    label = f"{name} ({true['S'] - true[name]:.1f})"
    header += f"{label:>13}"
print(header + "    S2, naive way")
for size in (100, 300, 1000):
    hits = {"S1": 0, "S2": 0, "S4": 0}
    apart = 0
    for _ in range(300):
        picks = torch.randint(6000, (size,), generator=generator)
        counts = draws(size, 400)
        s_scores = score_of(counts @ rows["S"][picks])
        for name in hits:
            worse_scores = score_of(counts @ rows[name][picks])
            low, high = middle(s_scores - worse_scores)
            hits[name] += low > 0
            if name == "S2":
                apart += middle(s_scores)[0] > middle(worse_scores)[1]
    cells = [share(count, 300) for count in (*hits.values(), apart)]
    print(f"{size:9,}" + "".join(f"{text:>13}" for text in cells))

# %% [markdown] id="power-read"
# Most of these test sets of 300 sentences miss S1's 1.6 BLEU, and so do about a third of those of
# 1,000: "not significant" often means too few sentences. The naive way misses S2's three points in
# nearly every test set. Systems that make the same errors are told apart with fewer sentences:
# these err independently.

# %% [markdown] id="many-text"
# ### Many comparisons
#
# A paper makes twenty comparisons of equal systems. How likely is it that at least one has
# $p \le 0.05$? If they are independent, $1 - 0.95^{20}$, or 64%. (Variants compared with one
# baseline on one test set are not independent; there it is less.) The usual correction multiplies
# each $p$ by the number of comparisons (**Bonferroni**). Here are 200 papers like this, with 30 new
# sentences for each comparison, and S and S′ mixed by coins:

# %% id="many"
smallest = []  # of the p-values of each paper
for _ in range(200):
    p_values = []
    for _ in range(20):
        picks = torch.randint(6000, (30,), generator=generator)
        one = rows["S"][picks]
        other = rows["S′"][picks]
        coin = toss(30, 1).T  # (30, 1)
        first = coin * one + (1 - coin) * other
        second = coin * other + (1 - coin) * one
        p_values.append(randomization_p(first, second, toss(30, 400)))
    smallest.append(min(p_values))
for label, times in (("as they are", 1), ("times 20", 20)):
    papers = sum(p * times <= 0.05 for p in smallest)
    print(f"p {label:11}: {share(papers, 200)} of the papers report a winner")

# %% [markdown] id="many-read"
# Every look at a test set is a comparison, mentioned or not.

# %% [markdown] id="seeds-text"
# ## Another training

# %% id="seeds"
for one, other in (("A", "B"), ("A", "C"), ("B", "C")):
    first, second = captions[one], captions[other]
    counts = draws(len(first))
    low, high = middle(score_of(counts @ second) - score_of(counts @ first))
    gap = score_of(second.sum(0)) - score_of(first.sum(0))
    p = randomization_p(first, second, toss(len(first), 4000))
    print(
        f"{other} − {one}: {gap:+.1f} BLEU, 95% from {low:+.1f} to {high:+.1f}, p = {p:.2f}, "
        f"times 3 comparisons {min(1, 3 * p):.2f}"
    )

# %% [markdown] id="seeds-read"
# A, B and C are **one and the same model, trained from three random seeds.** Yet, taken alone, two
# of three comparisons pass at 0.05. Corrected for three, none does. (Even 0.04 is too small, and
# the intervals are too narrow, because most captions occur in several texts, which the tests take
# to be independent.)
#
# Both tests are about *these weights* on other sentences, not about a *model*. Compare a change to
# a model with the spread of its trainings, at least 0.6 BLEU here. That takes several trainings
# ([Clark et al. 2011](D_papers.ipynb#cell-id=clark-2011)).

# %% [markdown] id="people-text"
# ## Would people agree?
#
# At a difference of 0.5 BLEU, people would agree barely more often than a coin would. By a curve
# that [Kocmi et al. (2024)](D_papers.ipynb#cell-id=kocmi-2024) fitted to many judged pairs, people
# prefer the system with more BLEU in 55% of the pairs at a difference of 0.5, in 64% at 1 and in
# 87% at 4. Over five systems, [Papineni et al. (2002)](D_papers.ipynb#cell-id=papineni-2002) found
# correlations of 0.99 and 0.96 with two groups of judges; among similar systems, little of this can
# be left ([Mathur, Baldwin and Cohn 2020](D_papers.ipynb#cell-id=mathur-2020)).
#
# <details><summary>What judges are asked for, and metrics trained on it</summary>
#
# For a long time, judges gave two marks from one to five: **adequacy**, how much of the meaning is
# there, and **fluency**, how well it reads. Later they gave one number from 0 to 100 (**direct
# assessment**). Today professional translators mark every error with its type and severity, and
# these are added up (**MQM**, *multidimensional quality metrics*). Some metrics are *trained* on
# such judgments, for instance COMET ([Rei et al. 2020](D_papers.ipynb#cell-id=rei-2020)), a network
# too large for this book that reads source, hypothesis and reference. They agree better with
# people; a yearly comparison of metrics was called "Stop using BLEU" ([Freitag et al.
# 2022](D_papers.ipynb#cell-id=freitag-2022)).
#
# </details>

# %% [markdown] id="blind-text"
# ### What BLEU does not see
#
# We change sentences of the corpus once so that the *meaning stays*, and once, at the same place,
# so that it *changes*. *Two* becomes *2* or *three*; *big* becomes *large* or *small*; *did not*
# becomes *didn't* or *did*; *at the pool last Monday* becomes *last Monday at the pool* or *at the
# pool last Tuesday*. A judge should always prefer the first.

# %% id="blind-rules" tags=["hide-input"]
# changes sentences, and scores them
import re

# what a word becomes: once with the same meaning, once with another
numbers = {"two": ("2", "three"), "three": ("3", "four"), "four": ("4", "five")}
adjectives = {
    "big": ("large", "small"),
    "small": ("little", "big"),
    "expensive": ("costly", "cheap"),
    "delicious": ("tasty", "bland"),
}
negations = {"do not": ("don't", "do"), "will not": ("won't", "will")}
for verb in ("did", "is", "was", "were", "does", "could", "are"):
    negations[f"{verb} not"] = (f"{verb}n't", verb)
tables = {"number": numbers, "adjective": adjectives, "negation": negations}
days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
place = r"(?:at|in|on) the [a-z]+(?: [a-z]+)?"
time = rf" ({place}) ((?:last|this|every) )({'|'.join(days)})\.$"  # at the pool last Monday.
patterns = {name: rf"\b({'|'.join(table)})\b" for name, table in tables.items()}
patterns["time"] = time
single = [pair.tgt for pair in corpus.train if not re.search(r"[.?!] ", pair.tgt)]
print(f"{len(single):,} texts of one sentence each")


def in_place_of(name, match):
    """What replaces a match: with the same meaning, and with another."""
    if name == "time":
        where, which, day = match.groups()
        next_day = days[(days.index(day) + 1) % 7]
        return f" {which}{day} {where}.", f" {where} {which}{next_day}."
    return tables[name][match[1]]


def changed_once(name):
    """Texts with one place to change, and the same texts with each of the two changes."""
    originals, same, different = [], [], []
    for text in single:
        matches = list(re.finditer(patterns[name], text))
        if len(matches) == 1:
            before, after = text[: matches[0].start()], text[matches[0].end() :]
            stays, changes = in_place_of(name, matches[0])
            originals.append(text)
            same.append(before + stays + after)
            different.append(before + changes + after)
    return originals, same, different


def compare(originals, same, different):
    """BLEU of two changes of the same sentences, the interval of the gap, chrF."""
    same_rows = rows_of(same, originals)
    different_rows = rows_of(different, originals)
    counts = draws(len(originals))
    gap = score_of(counts @ same_rows) - score_of(counts @ different_rows)
    bleus = score_of(same_rows.sum(0)), score_of(different_rows.sum(0))
    chrfs = metrics.corpus_chrf(same, originals), metrics.corpus_chrf(different, originals)
    return bleus, middle(gap), chrfs


# %% [markdown] id="blind-predict"
# For which of the four pairs will BLEU be higher where the meaning stays: (a) all four, (b) only
# the negation, (c) none?

# %% id="predict-blind"
predict("09b.blind", ..., choices="abc")

# %% id="blind"
changed, judged = {}, {}
preferred = 0  # pairs in which BLEU prefers the right one
for name in patterns:
    changed[name] = changed_once(name)
    judged[name] = compare(*changed[name])
    low, high = judged[name][1]
    preferred += low > 0
answer = "b"
if preferred == 0:
    answer = "c"
elif preferred == len(patterns):
    answer = "a"
with reveal("09b.blind", answer):
    for name, (bleus, (low, high), chrfs) in judged.items():
        originals, same, different = changed[name]
        print(f"{name}, {len(originals)} sentences: {originals[0]}")
        print(f"   stays   BLEU {bleus[0]:.1f}, chrF {chrfs[0]:.1f}   {same[0]}")
        print(f"   changes BLEU {bleus[1]:.1f}, chrF {chrfs[1]:.1f}   {different[0]}")
        print(f"   difference in BLEU, 95%: {low + 0.0:.1f} to {high + 0.0:.1f}")

# %% [markdown] id="blind-read"
# <details><summary>What it says</summary>
#
# For none. To BLEU, *large* and *small* are equally wrong, because neither is in the reference. In
# the last two pairs the right version differs from the reference in more n-grams, and BLEU prefers
# the wrong one, by eight points and by almost thirty. We chose the pairs: if the wrong version
# differed in more n-grams, BLEU would prefer the right one, and see the meaning just as little.
# (Compare only within a pair: each has its own sentences.) chrF recognizes most of *did not* in
# *didn't*, and is otherwise equally blind.
#
# </details>
#
# ### When to trust it
#
# BLEU is not a judge of a sentence. Over many sentences these accidents affect similar systems
# about equally, and a higher BLEU usually means better translations; for systems of different
# kinds, or small differences, it need not ([Callison-Burch, Osborne and Koehn
# 2006](D_papers.ipynb#cell-id=callison-burch-2006)).

# %% [markdown] id="report-text"
# ## How to report a comparison
#
# [Marie, Fujita and Rubino (2021)](D_papers.ipynb#cell-id=marie-2021) read 769 papers. More and
# more of them rested only on a difference of two BLEU scores, or on scores copied from other
# papers. State instead:
#
# 1. **the test set**: split, version, size, that its texts are independent, and that nothing was
#    chosen on it;
# 2. **raw text and the signature** ([09](09_bleu.ipynb#cell-id=tokens-text));
# 3. **several trainings** of each system, with their spread;
# 4. **the difference with its interval**, paired;
# 5. **p**, times the **number of comparisons** that you made;
# 6. **a second metric** of a different kind;
# 7. **the translations themselves**, where others can find them.

# %% [markdown] id="ex-report-text"
# ### Exercise 9.7 · Report a comparison
# *Core, 12 minutes.* Return a dictionary for two systems' translations of one test set, given the
# references, the total number of comparisons that you make, the number of trials and a seed.
#
# | key | value |
# |---|---|
# | `"sentences"` | how many there are |
# | `"bleu"` | the two scores, each rounded to 1 decimal |
# | `"difference"` | first minus second, rounded to 1 decimal *after* the subtraction |
# | `"interval"` | `low` and `high` of the paired bootstrap, 1 decimal |
# | `"p"` | of approximate randomization, times `comparisons`, at most 1, 3 decimals |
# | `"signature"` | of `metrics.Settings()` |
#
# `metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)` has the fields
# `first`, `second`, `low` and `high`; `metrics.approximate_randomization`, with `trials=trials`
# instead, returns p, a float.
#
# <details><summary>Hint 1</summary>
#
# Round last: what is subtracted or multiplied is not rounded. Which entries would be wrong
# otherwise?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A probability is never larger than 1. Three comparisons with p = 0.5: what do you report?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Call both tests once and keep their results; everything except the number of sentences and the
# signature is read from these two.
#
# </details>


# %% id="ex-report" tags=["exercise"]
@exercise
def report(first, second, references, comparisons, trials, seed):
    """What to report of two systems. Three lists of texts, three ints → dict."""
    raise NotImplementedError


# %% [markdown] id="written-text"
# ### Two real comparisons
#
# On 305 Korean sentences written by people: does attention help? Does a beam of five help?

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
for one, other in (
    ("attention, greedy", "no attention, greedy"),
    ("attention, beam 5", "attention, greedy"),
):
    told = report(systems[one], systems[other], references, comparisons=2, trials=1000, seed=1)
    reports[one] = told
    first_bleu, second_bleu = told["bleu"]
    low, high = told["interval"]
    first_chrf = metrics.corpus_chrf(systems[one], references)
    second_chrf = metrics.corpus_chrf(systems[other], references)
    print(f"{one} − {other}, {told['sentences']} sentences")
    print(f"  BLEU ≈{first_bleu:.1f} and ≈{second_bleu:.1f}, difference ≈{told['difference']:.1f}")
    print(f"  95% from ≈{low:.1f} to ≈{high:.1f}, p ≈{told['p']:.3f}")
    print(f"  chrF ≈{first_chrf:.1f} and ≈{second_chrf:.1f}; {told['signature']}")

# %% [markdown] id="written-read"
# For these two trainings the first difference is beyond doubt: no trial was as large ($p = 1/1001$,
# times two comparisons). But there is only one training of each. The second could be chance, which
# does not make the searches equal: by its interval, a beam could gain almost a point or lose more
# than one.
#
# <details><summary>On the command line</summary>
#
# For files with one sentence per line (sacreBLEU takes 10,000 trials):
#
# ```
# sacrebleu reference.txt -i ours.txt theirs.txt -m bleu chrf --paired-ar
# ```
#
# </details>

# %% [markdown] id="experiment-text"
# ### Open experiment: fool BLEU
#
# *30 minutes, no check.* Find a change that a reader would barely notice but that costs much BLEU,
# and one at the same place that spoils the meaning but costs little. **Predict** both scores and
# the interval of their difference, from the n-grams that each destroys. **Measure** on the same
# sentences, also by chrF. **Report** in three sentences.
#
# <details><summary>How it would be graded</summary>
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one place | sentences differ | same sentences, several changes | same sentences, one place |
# | prediction | none | a direction | numbers, from counted n-grams |
# | evidence | one sentence | a score of many | the interval of the difference |
# | conclusion | "BLEU is bad" | what you found | what you found, and what it does not show |
#
# </details>

# %% id="experiment"
MINE = None  # (r"\bbought\b", "purchased", "sold"), for example

if MINE is not None:
    pattern, stays, changes = MINE
    touched = [text for text in single if len(re.findall(pattern, text)) == 1]
    with_stays = [re.sub(pattern, stays, text) for text in touched]
    with_changes = [re.sub(pattern, changes, text) for text in touched]
    bleus, (low, high), chrfs = compare(touched, with_stays, with_changes)
    print(f"{len(touched)} sentences; chrF {chrfs[0]:.1f} and {chrfs[1]:.1f}")
    print(f"BLEU {bleus[0]:.1f} and {bleus[1]:.1f}, difference {low:.1f} to {high:.1f}")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - The score of a few sentences means little. Two systems are compared *paired*: by the bootstrap,
#   which gives an interval, or by approximate randomization, which gives a p-value.
# - Of twenty independent comparisons of equal systems, at least one will probably pass at 0.05.
#   Count your comparisons.
# - Neither test says anything about another training, or about people.
# - BLEU sees strings, not meaning.
#
# <details><summary>Papers</summary>
#
# [Koehn 2004](D_papers.ipynb#cell-id=koehn-2004) (bootstrap, paired); [Riezler and Maxwell
# 2005](D_papers.ipynb#cell-id=riezler-2005) (approximate randomization); [Clark, Dyer, Lavie and
# Smith 2011](D_papers.ipynb#cell-id=clark-2011) (several trainings); [Graham, Mathur and Baldwin
# 2014](D_papers.ipynb#cell-id=graham-2014) and [Dror, Baumer, Shlomov and Reichart
# 2018](D_papers.ipynb#cell-id=dror-2018) (which test); [Callison-Burch, Osborne and Koehn
# 2006](D_papers.ipynb#cell-id=callison-burch-2006), [Mathur, Baldwin and Cohn
# 2020](D_papers.ipynb#cell-id=mathur-2020), [Kocmi et al. 2024](D_papers.ipynb#cell-id=kocmi-2024)
# and [Freitag et al. 2022](D_papers.ipynb#cell-id=freitag-2022) (BLEU and people); [Marie, Fujita
# and Rubino 2021](D_papers.ipynb#cell-id=marie-2021) (how it is used); [Rei et al.
# 2020](D_papers.ipynb#cell-id=rei-2020) (COMET).
#
# </details>
#
# **Next.** [Chapter 10](10_translator.ipynb): a real translator, from raw captions to a BLEU with a
# signature.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# The bootstrap: the library and sacreBLEU compute the same interval
half_width = BLEU(force=True).corpus_score(test_set, [gold], n_bootstrap=1000)._ci
of_library = metrics.bootstrap_interval(test_set, gold)
for low, high in (own_interval, (of_library.low, of_library.high)):
    check_range((high - low) / 2, 0.85 * half_width, 1.15 * half_width)

# Swap who said it: the library, sacreBLEU, and all 1,024 ways to swap ten sentences
import itertools

library_wins = metrics.paired_bootstrap(better, worse, sixty, samples=50, seed=1)
assert wins == (library_wins.first_wins, library_wins.second_wins)
assert abs(ours - theirs_p(better, worse)) < 1e-9
ten_better, ten_worse = better_rows[:10], worse_rows[:10]
every_way = torch.tensor(list(itertools.product((0, 1), repeat=10)), dtype=torch.double)
exact_p = randomization_p(ten_better, ten_worse, every_way)
assert abs(randomization_p(ten_better, ten_worse, few_coins) - exact_p) < 0.05
assert abs(randomization_p(ten_better, ten_worse, many_coins) - exact_p) < 0.02
library_p = metrics.approximate_randomization(better[:10], worse[:10], sixty[:10], trials=5000)
assert abs(library_p - exact_p) < 0.03

# Two real comparisons
with_or_without, beam_or_greedy = reports.values()
assert with_or_without["p"] <= 0.05 and with_or_without["difference"] > 15
assert beam_or_greedy["interval"][0] < -0.3 and beam_or_greedy["interval"][1] > 0.3
check_range(beam_or_greedy["p"], 0.4, 1)
