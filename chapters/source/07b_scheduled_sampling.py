# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 07b · Does scheduled sampling help?
#
# *And which loss would tell?*
#
# You will judge a claim about a training method with paired seeds and a sign test, say what
# scheduled sampling learns in the end, and recognize five numbers that pass for the validation
# loss.
#
# **What you need.** [07](07_teacher_forcing.ipynb): with teacher forcing a decoder reads the right
# words; running free it reads its own predictions, and is in trouble after its first mistake.
# Scheduled sampling lets a coin decide at every token.
#
# **Time.** 35 minutes to read, 28 for exercises 7.5 to 7.7; the notebook runs in about half a
# minute.
#
# <details><summary>Plan</summary>
#
# Must be read: *Does it help?*, *What does it teach, given all the time in the world?*, *The
# validation loss that people report* and *Which loss was the honest one?* May be skipped: *The
# schedule* (exercise 7.5 is there) and *Excursion: train on the measure itself*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(7)

# %% [markdown] id="schedule-text"
# ## The schedule
#
# The **teacher forcing ratio** $\epsilon$ is the probability that a step reads the right word.
# Early in training the model's predictions are noise, and reading noise teaches little. So
# $\epsilon$ begins near 1 and falls with the update $i$. [Bengio et al.
# (2015)](D_papers.ipynb#cell-id=bengio-2015) propose three ways, each with its own $k$ (and for a
# line a slope $c$):
#
# $$\text{linear: } \max(\epsilon_{min},\, k - c\,i) \qquad \text{exponential: } k^i,\; k < 1 \qquad
# \text{inverse sigmoid: } \frac{k}{k + e^{i/k}},\; k \ge 1$$

# %% [markdown] id="schedules-text"
# ### Four schedules
#
# The ratio at five of 1,500 updates:

# %% id="schedules"
from attnlib import training

families = {
    "constant 0.5": training.constant_schedule(0.5),
    "linear": training.linear_decay(1 / 1500),
    "exponential": training.exponential_decay(0.5 ** (1 / 500)),
    "inverse sigmoid": training.inverse_sigmoid(150),
}
print("update            0   500   750  1000  1500")
for name, schedule in families.items():
    ratios = [f"{schedule(i):6.2f}" for i in (0, 500, 750, 1000, 1500)]
    print(f"{name:15}", "".join(ratios))

# %% [markdown] id="schedules-read"
# The inverse sigmoid waits before it lets go. It is one half at $i = k \ln k$, so one chooses $k$
# to put that point where one wants it. `fit(..., teacher_forcing=schedule)` asks the schedule at
# every update.

# %% [markdown] id="ex-inverse-sigmoid-text"
# ### Exercise 7.5 · The inverse sigmoid
# *Core, 8 minutes.* `step` is the update $i$ (here a number, not the decoder), `rate` is $k$.
# Return $\epsilon_i$. Training can be long: with $k = 10$ it must still work at step 100,000,
# where $e^{i/k}$ is larger than any number a float can hold.
#
# <details><summary>Hint 1</summary>
#
# The formula as it stands works for small steps. Try `math.exp(1000)`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `math.exp(-1000)` gives 0.0 and no error. So a formula with $e^{-i/k}$ in it would be safe.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A fraction stays the same when numerator and denominator are multiplied by the same thing. By
# which, so that no large exponential is left?
#
# </details>


# %% id="ex-inverse-sigmoid" tags=["exercise"]
import math


@exercise
def inverse_sigmoid(step, rate):
    """ε_i = k / (k + exp(i / k)) at step i with rate k, without overflow → a number."""
    raise NotImplementedError


# %% id="schedules-check" tags=["check"]
# checks what the text says
for i in range(0, 1501, 10):
    assert math.isclose(inverse_sigmoid(i, 150), families["inverse sigmoid"](i))

# %% [markdown] id="sweep-text"
# ## Does it help?
#
# Recorded trainings answer. The model is that of 07, without attention, which writes rows of 3 to
# 10 digits backward. Eleven ways of feeding it, ten seeds each, with the same batches, learning
# rate and 1,500 updates; nothing was tuned for mixing. Measured on 1,000 other rows: the **forced
# loss**, by teacher forcing; the **free loss**, of a free run; and in the free run the share of
# **digits right** and of **whole rows** right.
#
# The seed often matters more than the way of feeding. So we compare *pairs* that share their seed,
# and count in how many of ten mixing is better. How many are enough?

# %% [markdown] id="ex-sign-test-text"
# ### Exercise 7.6 · Luck alone
# *Core, 10 minutes.* Mixing is better in `better` seeds and worse in `worse` (ties are left out).
# If only luck decided, each seed would be a fair coin. Return the probability of a split *at least
# as uneven* as this one, in either direction: the two-sided $p$ of the **sign test** (부호 검정).
# It is never above 1, and 1 where no seed is left. Of 10 and 0 it is $2/2^{10}$.
#
# <details><summary>Hint 1</summary>
#
# With $n$ coins, exactly $k$ heads come in $\binom{n}{k}$ of $2^n$ cases; `math.comb(n, k)`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# At least as uneven as 8 and 2: that is 8, 9 or 10 heads, or 8, 9 or 10 tails.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Sum from the larger of the two counts up to $n$, twice, over $2^n$. An even split is counted from
# both sides, hence the "never above 1".
#
# </details>


# %% id="ex-sign-test" tags=["exercise"]
import math


@exercise
def sign_test(better, worse):
    """Two-sided p of so uneven a split of fair coins; two whole numbers → a number."""
    raise NotImplementedError


# %% [markdown] id="luck-text"
# ### How many seeds are enough?
#
# Your function (or the book's) answers for ten seeds; beside it, how many such lines luck alone
# would give among 60.

# %% id="luck"
for better in (10, 9, 8, 7):
    p = sign_test(better, 10 - better)
    print(f"{better:2} of 10 seeds on one side: p = {p:.3f};", end=" ")
    by_chance = 2 * math.comb(10, better) / 2**10
    print(f"of 60 comparisons, {60 * by_chance:.1f} by chance alone")

# %% [markdown] id="luck-read"
# Eight of ten is *not decided*: luck alone does as much once in nine comparisons. The tables below
# make 60, so a few with eight or nine must be expected even if nothing had any effect. So we ask
# one question of each measure: is the *mean of the ten ways of mixing* better than teacher forcing
# with the same seed?
#
# Forced loss, free loss, digits right, whole rows: which get better in at least nine of ten seeds?

# %% id="sweep-tools" tags=["hide-input"]
# compares ways of feeding, seed by seed
import random


def reversed_digits(count, seed, shortest=3, longest=10):
    """Rows of random digits, and backward; the token of digit d is d + 4."""
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        length = draw.randint(shortest, longest)
        found.append([4 + draw.randrange(10) for _ in range(length)])
    return [(row, row[::-1]) for row in found]


test = reversed_digits(1000, seed=2)
with_digit = [sum(len(row) >= k for row, _ in test) for k in range(1, 11)]
with_digit = torch.tensor(with_digit).double()


def digits_right(run):
    """Share of right digits of the free run, the end token left out."""
    left = torch.tensor(run["free"]["mixed_left"][1:11]).double()
    return (left @ with_digit / with_digit.sum()).item()


def measured(runs, measures):
    """Measure → way of feeding → a number for each seed, seeds in order."""
    found = {name: {} for name in measures}
    for run in sorted(runs, key=lambda run: run["seed"]):
        for name, number in measures.items():
            found[name].setdefault(run["variant"], []).append(number(run))
    return {
        name: {way: torch.tensor(numbers) for way, numbers in ways.items()}
        for name, ways in found.items()
    }


def wins(name, gain):
    """In how many seeds a difference is for the better: of a loss, below zero."""
    return int(((gain < 0) if name.endswith("loss") else (gain > 0)).sum())


def row(label, cells):
    return f"{label:34}" + "".join(f"{cell:14}" for cell in cells).rstrip()


def medians(table):
    """Of the seeds with teacher forcing."""
    return [f"{ways['gold'].quantile(0.5):.2f}" for ways in table.values()]


def minus(table, way, other="gold"):
    """Seed by seed, one way minus another, of each measure."""
    return {name: ways[way] - ways[other] for name, ways in table.items()}


def gains(label, by_name):
    """Median difference of each measure, and in how many seeds it is better."""
    pairs = [(gain.quantile(0.5), wins(name, gain)) for name, gain in by_name.items()]
    return row(label, [f"{median:+.2f} ({won})" for median, won in pairs])


mixing = {
    "three-quarters": "ratio 0.75",
    "half": "ratio 0.5",
    "quarter": "ratio 0.25",
    "own": "ratio 0",
    "linear": "linear, 1 to 0",
    "exponential": "exponential",
    "inverse-sigmoid": "inverse sigmoid",
    "half-position": "ratio 0.5, one coin per position",
    "half-sentence": "ratio 0.5, one coin per sentence",
    "half-batch": "ratio 0.5, one coin per batch",
}

# %% id="sweep-numbers"
losses = {"forced loss": lambda run: run["forced"]["loss"]}
losses["free loss"] = lambda run: run["free"]["loss"]
whole_rows = {"whole rows": lambda run: run["free"]["whole"]}
reverse = read_record("07_reverse")["runs"]
digits = measured(reverse, {**losses, "digits right": digits_right, **whole_rows})

print(row("", digits))
print(row("teacher forcing (ratio 1)", medians(digits)))
print("minus teacher forcing: median (better in how many of 10 seeds)")
for way, label in mixing.items():
    print(gains(label, minus(digits, way)))
joined = {
    name: torch.stack([ways[way] for way in mixing]).mean(0) - ways["gold"]
    for name, ways in digits.items()
}
print(gains("mean of these ten", joined))
counts = [wins(name, gain) for name, gain in joined.items()]
print(row("its sign test", [f"p = {sign_test(won, 10 - won):.3f}" for won in counts]))

# %% id="sweep-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 3, figsize=(11, 4), sharey=True)
panels = ("free loss", "digits right", "whole rows")
units = ("nats per token", "share of digits", "share of rows")
for ax, name, unit in zip(axes, panels, units):
    for place, way in enumerate(mixing):
        gain = digits[name][way] - digits[name]["gold"]
        color = figures.PALETTE[1 + (place > 3) + (place > 6)]
        ax.plot(gain, [place] * len(gain), "o", color=color, alpha=0.5)
        middle = gain.quantile(0.5)
        ax.plot([middle] * 2, [place - 0.35, place + 0.35], color="black", linewidth=2)
    ax.axvline(0, color="#444444", linewidth=1, linestyle=":")
    ax.set(title=name.capitalize(), xlabel=f"difference ({unit})")
axes[0].set_yticks(range(len(mixing)), mixing.values())
axes[0].invert_yaxis()
fig.suptitle("Mixing minus teacher forcing: ten seeds and their median (recorded)")
plt.show()

# %% [markdown] id="sweep-alt"
# <details><summary>The figure in words</summary>
#
# Three dot plots with ten rows, one for each way of mixing; a dot is the difference to teacher
# forcing with the same seed, a stroke the median, a dotted line marks zero. Free loss: nearly all
# dots and all medians lie left of zero. Digits right: the dots lie on both sides, the medians close
# to zero. Whole rows: the medians lie left of zero, but for ratio 0.75, and in most rows one or two
# dots lie far to the right.
#
# </details>

# %% id="sweep-sure"
late = [run["free"]["loss_at"][8:10] for run in reverse if run["variant"] == "gold"]
ninth, tenth = torch.tensor(late).quantile(0.5, dim=0)
print(f"teacher forcing, free run, digits 9 and 10: {ninth:.2f}, {tenth:.2f} nats")
print(f"guessing one of ten digits: {math.log(10):.2f} nats")
whole = digits["whole rows"]["gold"]
print("whole rows with teacher forcing, and what mixing adds (mean of ten ways):")
pairs = sorted(zip(whole.tolist(), joined["whole rows"].tolist()))
print("  ".join(f"{start:.2f} {added:+.2f}" for start, added in pairs[:5]))
print("  ".join(f"{start:.2f} {added:+.2f}" for start, added in pairs[5:]))

# %% [markdown] id="sweep-read"
# One of the four is decided.
#
# - *Free loss*: lower in ten of ten seeds ($p$ = .002, for four questions at most .008). That is
#   not yet a decoder that finds its way back. On the last digits the teacher-forced model is so
#   sure of its mistakes that it pays more than guessing would, 3.31 and 3.72 nats against 2.30; a
#   model that is merely less sure pays less.
# - *The other three*: better in two of ten seeds, not decided ($p$ = .11). For whole rows these are
#   the two in which teacher forcing had gone worst, and after a bad draw any other training looks
#   like a remedy.
#
# With teacher forcing alone 0.12 to 0.86 of the rows are whole: a single run of each way could have
# "proved" almost anything.
#
# <details><summary>And the single ways?</summary>
#
# Three of them have fewer whole rows in nine of ten seeds. Chance gives about one such line in 60,
# and these three are compared with the same ten trainings: a reason for more seeds, not a finding.
#
# </details>

# %% [markdown] id="mixing-text"
# ### Which coin, and how long?
#
# The rest of the 60: one coin per token against the three other coins, and half and twice the
# updates.

# %% id="mixing"
print(row("one coin per token minus", digits))
for other in ("half-position", "half-sentence", "half-batch"):
    label = f"  {mixing[other].removeprefix('ratio 0.5, ')}"
    print(gains(label, minus(digits, "half", other)))
print("ratio 0.5 minus teacher forcing (in brackets: its median of whole rows)")
for ending, updates in {"-short": 750, "": 1500, "-long": 3000}.items():
    start = digits["whole rows"][f"gold{ending}"].quantile(0.5)
    label = f"  {updates:5,} updates ({start:.2f})"
    print(gains(label, minus(digits, f"half{ending}", f"gold{ending}")))

# %% [markdown] id="mixing-read"
# - *Coins*: one per token beats one per position, the loop of many tutorials, in four to six of ten
#   seeds, one per batch in six, one per sentence in six to eight. None of this is decided, though
#   the last has the direction that Bengio et al. report.
# - *Updates*: with teacher forcing the median of whole rows is 0.20 after 750 updates and 0.89
#   after 3,000. No way of feeding comes near that.

# %% [markdown] id="translate-text"
# ## And in a translator?
#
# *Scheduled sampling* is named for a word that is **drawn** (sampled) from the model's prediction
# and fed in place of the most probable one. So here are four ways, Korean to English, chapter 5's
# model with attention, sources of at most 20 tokens, ten seeds each (recorded). All translate with
# their most probable words; *words* are the percentages of right words, with the right prefix and
# in the free run. First the book's easy corpus:

# %% id="translate"
translated = {
    **losses,
    "forced words": lambda run: 100 * run["forced"]["accuracy"],
    "free words": lambda run: 100 * run["free"]["accuracy"],
    "BLEU": lambda run: run["bleu"],
}
ways_of_translating = {"half": "ratio 0.5", "half-drawn": "ratio 0.5, drawn words"}
ways_of_translating["linear-drawn"] = "linear 1 to 0, drawn words"


def compare(name):
    """The four ways of one record: medians, and differences to teacher forcing."""
    runs = read_record(name)["runs"]
    table = measured(runs, translated)
    print(row(f"{runs[0]['updates']:,} updates", table))
    print(row("teacher forcing", medians(table)))
    for way, label in ways_of_translating.items():
        print(gains(label, minus(table, way)))
    return table


easy = compare("07_translate")

# %% [markdown] id="translate-read"
# This is the ceiling: nearly every word is right, and a remedy can do little but harm. An honest
# sentence is: *no improvement seen, where there was nothing to repair*.
#
# And where more goes wrong? In `ko-en`, the larger corpus with many times as many words, the free
# loss of teacher forcing is several times its forced loss. In how many of ten seeds will ratio 0.5
# (with the most probable words) have the higher BLEU?

# %% id="predict-larger"
predict("07b.larger", ...)

# %% id="translate-larger"
larger = measured(read_record("07_translate_ko-en")["runs"], translated)
higher = wins("BLEU", larger["BLEU"]["half"] - larger["BLEU"]["gold"])
with reveal("07b.larger", higher, within=1):
    compare("07_translate_ko-en")

# %% [markdown] id="translate-larger-read"
# <details><summary>What it says</summary>
#
# With every way the free loss is lower in every seed. **And with every way BLEU is lower, in every
# seed**, most of all with the falling ratio. (By chance, ten of ten happens in one line of five
# hundred; here in fourteen of fifteen.)
#
# The words say what happened. The free run has no more of them right, and with drawn words fewer,
# in every seed. So fewer nats are paid for as many mistakes or more: the model is less *sure* of
# them, which a loss rewards and a translation does not show. And with the right prefix, too, it has
# fewer words right: learning to go on from bad prefixes has cost it some of the good ones. (All
# this after equal updates, with nothing tuned for mixing.)
#
# </details>

# %% [markdown] id="paper-text"
# ### What papers measured
#
# [Bengio et al. (2015)](D_papers.ipynb#cell-id=bengio-2015) found it useful. Captions of pictures
# (MSCOCO), BLEU-4: 28.8 with teacher forcing, 30.6 with scheduled sampling, 11.2 when the model
# *always* read its own predictions. [Zhang et al. (2019)](D_papers.ipynb#cell-id=zhang-2019), the
# best long paper of its ACL, feed an *oracle* instead: a word of the beam's candidate with the best
# BLEU, say. They report significant gains for Chinese to English and English to German. So mixing
# *can* help on real text, where a sentence has many right translations. Our corpora cannot refute
# that; they say that it has to be measured, with pairs of seeds.
#
# <details><summary>More results</summary>
#
# [Mihaylova and Martins (2019)](D_papers.ipynb#cell-id=mihaylova-2019) bring scheduled sampling to
# the Transformer, by two passes of the decoder, and come *close to* teacher forcing on two pairs of
# languages. In speech (TIMIT), Bengio et al. report 15.0 % wrong frames when the next one was
# predicted from the right one, 46.0 % when decoding; scheduled sampling brought decoding to 34.5 %,
# and there, always reading its own predictions did nearly as well (35.8 %). [Goyal et al.
# (2017)](D_papers.ipynb#cell-id=goyal-2017) soften the argmax, so that a gradient passes through
# the choice of a word, and report results ahead of teacher forcing and of scheduled sampling in
# tagging names and in translation. [Ranzato et al. (2016)](D_papers.ipynb#cell-id=ranzato-2016)
# report 17.7 BLEU for German–English with teacher forcing and 20.1 with a relative of scheduled
# sampling (data as demonstrator; greedy). [Lamb et al. (2016)](D_papers.ipynb#cell-id=lamb-2016)
# keep teacher forcing and train the *states* instead: **professor forcing** has a second network
# guess whether a run was forced or free, and trains the decoder until it cannot tell.
#
# </details>

# %% [markdown] id="improper-text"
# ## What does it teach, given all the time in the world?
#
# There is a deeper doubt, from [Huszár (2015)](D_papers.ipynb#cell-id=huszar-2015). A language has
# two sentences, each said half of the time: *A A* and *B B*. Teacher forcing has an easy task: the
# second word equals the one it reads. With scheduled sampling the model sometimes reads *its own*
# first word, while the second word to be predicted still comes from the *given* sentence. If it
# wrote A and the given sentence was B B, it is taught: after A comes B.
#
# With $\epsilon = 0$ it always reads its own. Which share of what the trained model says (0 to 1)
# is not in the language at all?

# %% id="predict-improper"
predict("07b.improper", ...)


# %% id="improper"
from torch.nn import functional as F


def two_words(ratio):
    """Learn p(first) and p(second | first) of the language by scheduled sampling."""
    draw = torch.Generator().manual_seed(0)
    first = torch.zeros(2, requires_grad=True)
    second = torch.zeros(2, 2, requires_grad=True)
    optimizer = torch.optim.Adam([first, second], lr=0.1)
    for update in range(300):
        given = torch.randint(2, (400,), generator=draw)  # 0 is A A, 1 is B B
        predicted = first.detach().softmax(-1).multinomial(400, True, generator=draw)
        coins = torch.rand(400, generator=draw) < ratio
        read = torch.where(coins, given, predicted)
        loss = F.cross_entropy(first.expand(400, 2), given)
        loss = loss + F.cross_entropy(second[read], given)
        optimizer.param_groups[0]["lr"] = 0.1 * (1 - update / 300)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    p_same = second.softmax(-1).diagonal()
    return (first.softmax(-1) @ p_same).item()  # how often it says AA or BB


# %% id="improper-numbers" tags=["hide-input"]
# prints the table
tried = {ratio: two_words(ratio) for ratio in (1.0, 0.75, 0.5, 0.25, 0.0)}
with reveal("07b.improper", 1 - tried[0.0], within=0.05):
    print("ratio   not in the language   promised, (1 − ε) / 2")
    for ratio, same_word in tried.items():
        told = f"≈{1 - same_word:.2f}               {(1 - ratio) / 2:.3f}"
        print(f" {ratio:4.2f}         {told}")

# %% id="improper-check" tags=["check"]
# checks what the text says
for ratio, same_word in tried.items():
    check_range(1 - same_word - (1 - ratio) / 2, -0.05, 0.05)

# %% [markdown] id="improper-read"
# <details><summary>What it says</summary>
#
# With probability $\epsilon$ the model reads the given first word, and the second is the same for
# certain. Else it reads a word drawn without looking at the given sentence, and the second is the
# same half of the time. So it learns
#
# $$q(\text{same} \mid \text{first}) = \epsilon \cdot 1 + (1 - \epsilon) \cdot \tfrac12
# = \frac{1 + \epsilon}{2}.$$
#
# At $\epsilon = 0$ it knows how often each word is said *in each place*, and nothing else. More
# data and more training make this *more* exact, not better. Teacher forcing is maximum likelihood
# and has no such fault. Huszár calls the objective *improper*: the model that minimizes it is not
# the language. So a schedule that goes to 0 and stays there is a gamble.
#
# Our digits do not suffer from it: the next right digit is right whatever was written before. In
# languages the source decides much, and the words already written the rest.
#
# </details>

# %% [markdown] id="risk-text"
# ## Excursion: train on the measure itself
#
# One can train without any right prefix: let the model write whole sentences, ask of each what it
# *costs* (one minus its BLEU, say), and make the expected cost small. This expectation is the
# **risk**, and to lower it **minimum risk training** ([Shen et al.
# 2016](D_papers.ipynb#cell-id=shen-2016); [Och 2003](D_papers.ipynb#cell-id=och-2003) for the few
# weights of an older kind of translator).
#
# <details><summary>The gradient of the risk</summary>
#
# With $\Delta(y)$ for the cost of a sentence $y$,
#
# $$R = \sum_y p(y \mid x)\, \Delta(y), \qquad \nabla R = \sum_y p(y \mid x)\,
# \bigl(\Delta(y) - R\bigr)\, \nabla \log p(y \mid x).$$
#
# A sentence that costs more than the average is made less probable, one that costs less more
# probable, and $\Delta$ itself need not have a gradient. The sum over all sentences is out of
# reach; one takes a few candidates and lets their probabilities sum to 1. (The collapsed cell
# checks the formula on four.)
#
# </details>

# %% id="risk-check" tags=["check"]
# checks what the text says
log_p = torch.randn(4, generator=generator).requires_grad_()  # of four candidates
costs = torch.rand(4, generator=generator)
q = log_p.softmax(0)
risk = q @ costs
risk.backward()
torch.testing.assert_close(log_p.grad, (q * (costs - risk)).detach())  # the formula

# %% [markdown] id="risk-read"
# What does it learn in the end? Say *A A* has probability 0.6 and *B B* 0.4, and a sentence costs 1
# unless it is the one that was said. How often (0 to 1) will the model that minimizes the risk say
# *A A*?

# %% id="objectives"
often = torch.tensor([0.6, 0.4])  # A A, B B


def learned(objective):
    """p of AA, AB, BA, BB (2, 2), after training on one of three objectives."""
    start = torch.zeros(2, requires_grad=True)
    after_word = torch.zeros(2, 2, requires_grad=True)
    optimizer = torch.optim.Adam([start, after_word], lr=0.1)
    for _ in range(500):
        p, then = start.softmax(-1), after_word.softmax(-1)
        if objective == "likelihood":  # teacher forcing
            loss = -(often * (p.log() + then.diagonal().log())).sum()
        elif objective == "ratio 0":  # scheduled sampling with ε = 0
            loss = -(often * p.log()).sum()
            loss = loss - (p.detach().unsqueeze(1) * often * then.log()).sum()
        else:
            loss = 1 - (often * p * then.diagonal()).sum()  # the risk
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (p.unsqueeze(1) * then).detach()


# %% id="objectives-table"
print("                     A A     B B     A B or B A")
print("the language         0.60    0.40    0.00")
students = {name: learned(name) for name in ("likelihood", "ratio 0", "risk")}
for name, student in students.items():
    aa, bb = student.diagonal()
    print(f"{name:19} ≈{aa:.2f}   ≈{bb:.2f}   ≈{abs(1 - aa - bb):.2f}")

# %% id="objectives-check" tags=["check"]
# checks what the text says
for name, low in (("likelihood", 0.58), ("ratio 0", 0.34), ("risk", 0.95)):
    check_range(students[name][0, 0], low, low + 0.05)
check_range(1 - students["ratio 0"].trace(), 0.45, 0.5)

# %% [markdown] id="objectives-read"
# *Likelihood* learns the language, *ratio 0* how often each word is said in each place. *Risk*
# forgets the second sentence: it is not paid for knowing how often things are said, but for being
# right as often as possible. For a translator that may be just what one wants.
#
# <details><summary>What papers found</summary>
#
# [Ranzato et al. (2016)](D_papers.ipynb#cell-id=ranzato-2016) begin with teacher forcing and pass
# over to the measure a few words at a time, from the end of the sentence to its front: 20.7 BLEU,
# where teacher forcing had 17.7 (greedy; with a beam of ten about 21.8 and 20.3 are reported, and
# there the relative of scheduled sampling had more, about 22.4). [Shen et al.
# (2016)](D_papers.ipynb#cell-id=shen-2016) report gains over maximum likelihood in several pairs of
# languages. [Wang and Sennrich (2020)](D_papers.ipynb#cell-id=wang-2020) trained translators both
# ways and tested them on texts of other kinds: minimum risk made hallucinations rarer there. (They
# also link exposure bias to the harm that a wide beam does, a matter of chapter 8.) The price: the
# model must write several sentences for every one that it is given, and it gets what is measured,
# with the blindness of the measure (chapter 9).
#
# </details>

# %% [markdown] id="loss-text"
# ## The validation loss that people report
#
# "Validation loss 0.4" is a sentence with a hole in it. Forced or free? Averaged how? Let us build
# the right one first: the mean over *real tokens* of $-\log p(\text{right token})$.
#
# In training, a smoothed version is common (**label smoothing**, 라벨 스무딩; [Szegedy et al.
# 2016](D_papers.ipynb#cell-id=szegedy-2016)): the target is not 1 for the right word $y$ and 0 for
# the rest of the $V$ words, but
#
# $$q = (1 - \varepsilon)\,\mathrm{onehot}(y) + \varepsilon / V, \qquad
# \ell = -\sum_v q_v \log p_v
# = (1-\varepsilon)\,(-\log p_y) + \varepsilon \cdot \frac1V \sum_v (-\log p_v).$$
#
# (This $\varepsilon$ has nothing to do with the ratio $\epsilon$; the papers use the same letter.)

# %% [markdown] id="ex-token-cross-entropy-text"
# ### Exercise 7.7 · Cross-entropy, smoothed
# *Core, 10 minutes.* `logits` (N, V) of N real tokens, `targets` (N,); `label_smoothing` is
# $\varepsilon$. Return the mean of $\ell$, a scalar tensor with its gradient: training goes back
# through it. Build it from `log_softmax`; `F.cross_entropy` is what it will be compared with below.
#
# <details><summary>Hint 1</summary>
#
# One call of `log_softmax` gives all $\log p_v$ and does not overflow.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `gather` picks one number from every row, if the numbers of the columns are a table with one
# column, as in the cells of this chapter that compute a loss.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The right-hand form: one part from the right word, one part from the *mean* over all V words, the
# right one included. Weigh them, and take the mean over the tokens.
#
# </details>


# %% id="ex-token-cross-entropy" tags=["exercise"]
@exercise
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    """Mean smoothed cross-entropy in nats. logits (N, V), targets (N,) → scalar ()."""
    raise NotImplementedError


# %% [markdown] id="smooth-text"
# ### What smoothing costs

# %% id="smooth"
certain = torch.tensor([[0.0, 30.0]])
for smoothing in (0.0, 0.1):
    loss = token_cross_entropy(certain, torch.tensor([1]), smoothing)
    print(f"certain and right, smoothed by {smoothing}: {abs(loss):.2f}")

# %% id="smooth-check" tags=["check"]
# checks what the text says
some_logits = torch.randn(6, 5, generator=generator)
some_targets = torch.tensor([0, 1, 2, 3, 4, 0])
for smoothing in (0.0, 0.1):
    ours = token_cross_entropy(some_logits, some_targets, smoothing)
    theirs = F.cross_entropy(some_logits, some_targets, label_smoothing=smoothing)
    torch.testing.assert_close(ours, theirs)

# %% [markdown] id="smooth-read"
# The smoothed loss of a prediction that is certain and right is *not* 0: it punishes certainty, and
# that is its purpose. So it is no likelihood, and exp of it is no perplexity.

# %% [markdown] id="reports-text"
# ### Six numbers that have been called validation loss
#
# All of one model, that of 07 (trained again in the collapsed cell), on one set of 1,000 rows. The
# first is the right one, the forced loss per real token. The others: the mean of the batches' means
# (a batch holds rows of like length); the sum divided by all cells of the table, padding included;
# padding counted as a word; the smoothed loss; the loss of a free run. How many of the five are
# *lower* than the right one?

# %% id="train" tags=["hide-input"]
# trains the model of 07
from torch import nn

from attnlib.data import Batches
from attnlib.model import Encoder, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit

seed_everything(1)
source, target = nn.Embedding(14, 32), nn.Embedding(14, 32)
for embedding in (source, target):
    nn.init.normal_(embedding.weight, std=32**-0.5)
decoder = PlainDecoder(target, 96, 96, 32)
model = Seq2Seq(Encoder(source, 96), decoder, nn.Linear(32, 14))
train = reversed_digits(20_000, seed=1)
batches = Batches([x for x, _ in train], [y for _, y in train], batch_size=32, seed=1)
recipe = Recipe(
    updates=1500,
    warmup=100,
    learning_rate=8e-3,
    label_smoothing=0.0,
    validate_every=1500,
    precision="fp32",
    seed=1,
)
history = fit(model, batches, recipe, progress=False)


# %% id="reports"
@torch.no_grad()
def logits_of(batch, ratio=1.0):
    inputs = (batch.src, batch.src_mask, batch.tgt_in)
    return model.output(model.features(*inputs, ratio)[0])


def mean_loss(logits, batch, smoothing=0.0):
    """Mean over the real tokens (exercise 3.5), in nats."""
    targets, real = batch.tgt_out, batch.tgt_mask
    return training.masked_cross_entropy(logits, targets, real, smoothing).item()


sources, targets = [x for x, _ in test], [y for _, y in test]
test_batches = list(Batches(sources, targets, batch_size=32).epoch(0))
means = [mean_loss(logits_of(b), b) for b in test_batches]
sizes = [int(b.tgt_mask.sum()) for b in test_batches]
total = sum(mean * size for mean, size in zip(means, sizes))

# %% id="reports-six"
from attnlib.data import make_batch

everything = make_batch(sources, targets)  # all rows in one table, with much padding
forced, free = logits_of(everything), logits_of(everything, 0.0)
right_words = everything.tgt_out.flatten()
truth = total / sum(sizes)
reports = {"forced, per real token": truth}
reports["mean of the batches' means"] = sum(means) / len(means)
reports["divided by padding, too"] = total / everything.tgt_mask.numel()
reports["padding as a word"] = F.cross_entropy(forced.flatten(0, 1), right_words).item()
reports["smoothed by 0.1"] = mean_loss(forced, everything, 0.1)
reports["free running"] = mean_loss(free, everything)
for name, value in reports.items():
    verdict = "" if value == truth else "   too low" if value < truth else "   higher"
    print(f"{name:28}≈{value:.3f}{verdict}")

# %% id="reports-check" tags=["check"]
# checks what the text says
from attnlib.training import teacher_forced_loss

assert math.isclose(truth, teacher_forced_loss(model, test_batches), rel_tol=1e-4)
assert math.isclose(math.exp(truth), training.perplexity(total, sum(sizes)))
bands = [(0.04, 0.35), (0.03, 0.3), (0.02, 0.22), (2, 15), (0.5, 2), (0.2, 1.2)]
for value, (low, high) in zip(reports.values(), bands):
    check_range(value, low, high)
assert sum(value < truth for value in reports.values()) == 2

# %% [markdown] id="reports-read"
# - *Mean of the batches' means*: a batch of short rows weighs as much as one of long rows, and
#   short rows are easier.
# - *Divided by padding, too*: the more padding, the better the model seems.
# - *Padding as a word*: this model was never asked to predict padding and is very wrong about it.
#   (A model trained *with* it is sure of it, and the number flatters.)
# - *Smoothed*: the training loss, not a likelihood.
# - *Free running*: the only one that has felt exposure bias. But it is not the probability of the
#   right text, so exp of it is no perplexity; and where many answers are right, it punishes a good
#   translation that began with another word.

# %% [markdown] id="honest-loss-text"
# ## Which loss was the honest one?
#
# The forced loss never sees a free run; the free loss measures just what the model will be used
# for. So it is tempting to take the second: [Trevett's
# notebooks](https://github.com/bentrevett/pytorch-seq2seq) compute their validation loss with a
# teacher forcing ratio of 0, and keep the checkpoint where it is lowest. We have both losses of
# every recorded model, 110 on the digits and 40 on each corpus, and what was wanted of it.
# Spearman's **rank correlation** is −1 if a lower loss always means a better model, 0 if the loss
# says nothing. (*Unseen*: combinations of words that training never showed.)

# %% id="correlations"
def ranks(values):
    below = (values.unsqueeze(1) > values).sum(1)
    return below + (values.unsqueeze(1) == values).sum(1) / 2  # equal ones share theirs


def rank_correlation(x, y):
    """Spearman's ρ: Pearson's correlation of the ranks."""
    return torch.corrcoef(torch.stack([ranks(x), ranks(y)]))[0, 1].item()


def among_seeds(x, y):
    """The same among the seeds of each way: ranks (W, N) within the ways."""
    ranked = [torch.cat([ranks(way) for way in table]) for table in (x, y)]
    return torch.corrcoef(torch.stack(ranked))[0, 1].item()


# %% id="honest-loss" tags=["hide-input"]
# prints the table of rank correlations
unseen = {"unseen BLEU": lambda run: run["others"]["test_composition"]["bleu"]}
larger |= measured(read_record("07_translate_ko-en")["runs"], unseen)
same_updates = ["gold", *mixing]
asked = [("digits", digits, same_updates, "digits right")]
asked += [("digits", digits, same_updates, "whole rows")]
asked += [("ko-en-easy", easy, list(easy["BLEU"]), "BLEU")]
asked += [("ko-en", larger, list(larger["BLEU"]), "BLEU")]
asked += [("ko-en", larger, list(larger["BLEU"]), "unseen BLEU")]
print("                             all runs        medians of ways  seeds of a way")
print("rank correlation with        forced   free   forced   free    forced   free")
for corpus, table, ways, wanted in asked:
    goods = torch.stack([table[wanted][way] for way in ways])
    cells = []
    for loss in ("forced loss", "free loss"):
        values = torch.stack([table[loss][way] for way in ways])
        pairs = [(values.flatten(), goods.flatten())]
        pairs.append((values.quantile(0.5, dim=1), goods.quantile(0.5, dim=1)))
        found = [rank_correlation(*pair) for pair in pairs]
        cells.append([*found, among_seeds(values, goods)])
    told = "".join(f"{a:+9.2f}{b:+7.2f}" for a, b in zip(*cells))
    print(f"{corpus + ', ' + wanted:24}{told}")

# %% [markdown] id="honest-loss-read"
# - *Among the seeds of one way* (on the right), where only luck differs, both losses say which
#   training went better; of unseen combinations neither does.
# - *Between the ways*, which is what one wants a loss for here, they can part. The forced loss
#   keeps its sign everywhere. On the larger corpus the free loss has the *wrong* one: teacher
#   forcing has the highest free loss and the best BLEU, in ten of ten seeds. (Chance puts four ways
#   into one given order once in 24; it is the ten seeds that carry this.)
# - With *whole rows* the forced loss must agree: a row is whole exactly when the *forced* run makes
#   no mistake in it ([07](07_teacher_forcing.ipynb#cell-id=first-read)). But with *digits right*,
#   which do feel what happens after a mistake, it agrees about as well as the free loss.
#
# So the dull loss was the honest one in every table, and the realistic one misled on the larger
# corpus: it pays a model for being less sure of its mistakes, and scheduled sampling teaches just
# that.
#
# How far does this go? One kind of model, eleven and four ways of training it, corpora of our own.
# And where the *objective* is another one, distrust the forced loss as well: the student that
# minimizes the risk always says *A A*, the best decision, and has a very bad likelihood.

# %% [markdown] id="honest-text"
# <details><summary>What an honest report says</summary>
#
# 1. The forced loss per real token, without smoothing, and a *free* measure of the task (accuracy,
#    BLEU), both named.
# 2. Equal updates, what an update cost, and for which variant the recipe was tuned.
# 3. Several seeds, in pairs, all shown; how many are on one side, the $p$ of that, and how many
#    comparisons were made.
# 4. What got worse as well as what got better.
#
# </details>

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Seeds are compared in pairs. Ten of ten on one side are decided ($p$ = .002), unless it was the
#   best of many comparisons; eight of ten are not ($p$ = .11).
# - On the digits mixing lowered the free loss, and ten seeds decide nothing else; on the larger
#   Korean corpus it lowered BLEU, too. Papers report gains on real text.
# - Where a word depends on the words before it and not on the source alone, scheduled sampling
#   learns the wrong distribution, however long it trains.
# - In every table the forced loss per real token told which way of training was better; the free
#   loss told it in some, and the opposite on the larger corpus.
#
# **Left out.** Minimum risk training of a whole translator; mixing on real text.
#
# <details><summary>Papers</summary>
#
# [Bengio, Vinyals, Jaitly and Shazeer 2015](D_papers.ipynb#cell-id=bengio-2015) (§2.4, Tables 1 and
# 3); [Goyal et al. 2017](D_papers.ipynb#cell-id=goyal-2017); [Ranzato, Chopra, Auli and Zaremba
# 2016](D_papers.ipynb#cell-id=ranzato-2016); [Zhang et al.
# 2019](D_papers.ipynb#cell-id=zhang-2019); [Mihaylova and Martins
# 2019](D_papers.ipynb#cell-id=mihaylova-2019); [Lamb et al.
# 2016](D_papers.ipynb#cell-id=lamb-2016); [Huszár 2015](D_papers.ipynb#cell-id=huszar-2015); [Shen
# et al. 2016](D_papers.ipynb#cell-id=shen-2016) and [Och 2003](D_papers.ipynb#cell-id=och-2003)
# (minimum risk); [Wang and Sennrich 2020](D_papers.ipynb#cell-id=wang-2020); [Szegedy et al.
# 2016](D_papers.ipynb#cell-id=szegedy-2016) (§7).
#
# </details>
#
# **Next.** The decoder now reads its own prediction, the most probable word at every step. Does
# that lead to the most probable sentence? [Chapter 08](08_beam_search.ipynb) searches.
