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
# *Does a decoder that meets its own mistakes in training become a better one?*
#
# **What you will be able to do.** Toss the coins of scheduled sampling the way the paper does,
# judge its effect with pairs of seeds and a sign test, and say what this training converges to.
#
# **What you need.** [07](07_teacher_forcing.ipynb): teacher forcing, free running, and the planted
# digit.
#
# **Time.** 18 minutes to read, 18 for exercises 7.4 and 7.5; the notebook runs in seconds.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything
from torch.nn import functional as F

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(7)

# %% id="coins-drawing"
from attnbook.figures import scheduled_sampling_diagram

next_word = {
    "<sos>": "I", "I": "went", "go": "home", "went": "to", "to": "house", "home": ".", "house": ".",
}
right_words = ["I", "go", "home", "."]
tossed = [False, False, True]
says = [next_word["<sos>"]]
for right_word, by_teacher in zip(right_words, tossed):
    read = right_word if by_teacher else says[-1]
    says.append(next_word[read])
scheduled_sampling_diagram(right_words, says, tossed)

# %% [markdown] id="mix-text"
# *Figure 1. A coin decides what the next step reads: the right word or the decoder's own.*
#
# A decoder trained by teacher forcing reads its first wrong word only in use. **Scheduled
# sampling** (스케줄드 샘플링; [Bengio, Vinyals, Jaitly and Shazeer
# 2015](D_papers.ipynb#cell-id=bengio-2015)) lets it read some in training: with probability
# $\epsilon$ the next step reads the right word, otherwise the model's own prediction. In code,
# $\epsilon$ is usually called the **teacher forcing ratio**. In Figure 1 the decoder is the table
# of chapter 7. The first two coins choose its own predictions, and it goes wrong, as before. The
# third chooses the right word: the last step reads *home*, and learns that a period comes next.
#
# ## Its own predictions in training
#
# Bengio et al. toss one coin for *every token of every sentence*, and say in a footnote that one
# coin for a whole sequence did much worse.

# %% [markdown] id="ex-mix-inputs-text"
# ### Exercise 7.4 · A coin for every token
# *Core, 8 minutes.* `gold` and `own` (B, T) contain two candidates for every input, the right words
# and the model's predictions; `share` is the probability of the right word. Return the mixture,
# with coins from `generator`: in a large table, right words make up about this share of every row
# and of every column.
#
# <details><summary>Hint 1</summary>
#
# A number drawn evenly between 0 and 1 is below `share` with probability `share`. `torch.rand`
# draws such numbers, from a generator if it is given one.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# How many coins are there? One for each token, and so a table of the same shape as `gold`.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Make a table of coins, True where the right word is read. A function of torch takes from one table
# where a condition is true, and from another elsewhere.
#
# </details>


# %% id="ex-mix-inputs" tags=["exercise"]
@exercise
def mix_inputs(gold, own, share, generator):
    """Each token gold with probability share, else own. gold, own (B, T) → (B, T)."""
    raise NotImplementedError


# %% [markdown] id="coins-text"
# ### Four coins
#
# Two well-known programs toss fewer coins. [PyTorch's chatbot
# tutorial](https://docs.pytorch.org/tutorials/beginner/chatbot_tutorial.html) tosses one per batch.
# [Trevett's notebooks](https://github.com/bentrevett/pytorch-seq2seq) toss one per position, for
# all sentences of the batch. Here are 12 sentences with each type of coin, at a ratio of one half:

# %% id="coins-figure" tags=["hide-input"]
# draws Figure 2
zeros = torch.zeros(12, 24).long()
ones = torch.ones(12, 24).long()
coin_sizes = {"token": (12, 24), "position": (1, 24), "sentence": (12, 1), "batch": (1, 1)}
generator.manual_seed(3)
tables = {}
for kind, (height, width) in coin_sizes.items():
    coins = mix_inputs(ones[:height, :width], zeros[:height, :width], 0.5, generator)
    tables[kind] = coins.expand(12, 24)
fig, axes = plt.subplots(1, 4, figsize=(11, 3.1), sharey=True)
for ax, (kind, table) in zip(axes, tables.items()):
    ax.imshow(table, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    ax.set(title=f"one coin per {kind}", xlabel="target position t (tokens)")
    ax.grid(visible=False)
axes[0].set_ylabel("sentence of the batch")
title = "Figure 2. The decoder reads the right word (yellow) or its prediction (dark blue)"
fig.suptitle(title)
plt.show()

# %% [markdown] id="coins-alt"
# <details><summary>The figure in words</summary>
#
# Four tables of 12 sentences by 24 positions. With one coin per token, yellow and dark cells are
# scattered. With one coin per position, whole columns are yellow or dark. With one coin per
# sentence, whole rows are. With one coin per batch, the entire table has one color.
#
# </details>

# %% [markdown] id="coins-read"
# Over many tosses, all four read the right word half of the time. With the last two, however, a
# sentence has right words only, with nothing to recover from, or predictions only, as in free
# running.

# %% [markdown] id="update-text"
# ### The mixed run
#
# What the model writes at step $t$ depends on what it read before, so the decoder runs step by
# step, as `scheduled_run` of exercise 7.3 does, now with random coins. The library runs this loop
# if you give it the ratio. This is one update:

# %% id="model" tags=["hide-input"]
# makes an untrained model of 07 and a batch of 32 rows of ten digits
from attnlib.data import make_batch
from attnlib.model import Encoder, PlainDecoder, Seq2Seq
from torch import nn

decoder = PlainDecoder(nn.Embedding(14, 32), 96, 96, 32)
model = Seq2Seq(Encoder(nn.Embedding(14, 32), 96), decoder, nn.Linear(32, 14))
digits = torch.randint(4, 14, (32, 10), generator=generator).tolist()
batch = make_batch(digits, [row[::-1] for row in digits])

# %% id="update"
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
features, _ = model.features(
    batch.src, batch.src_mask, batch.tgt_in, teacher_forcing=0.5, generator=generator
)
real = batch.tgt_mask
loss = F.cross_entropy(model.output(features)[real], batch.tgt_out[real])
optimizer.zero_grad()
loss.backward()
nn.utils.clip_grad_norm_(model.parameters(), 1.0)
optimizer.step()
print(f"loss of this batch, ratio 0.5: ≈{loss:.1f} nats per token")

# %% [markdown] id="update-read"
# The *choice* of a word has no gradient: the argmax returns a whole number, and no gradient flows
# back through it. The loop also costs time: with teacher forcing, all steps are one call of the
# recurrent layer; with mixing, every step needs the previous step.
#
# *Scheduled* means that $\epsilon$ falls during training, because at first the predictions are no
# better than noise. Bengio et al. propose a line, an exponential $k^i$ and an inverse sigmoid
# $\frac{k}{k+e^{i/k}}$ of the update $i$: in the library `linear_decay`, `exponential_decay` and
# `inverse_sigmoid`, for `fit(..., teacher_forcing=schedule)`.

# %% [markdown] id="sweep-text"
# ## Does it help?
#
# The answer comes from recorded trainings: the digits of chapter 7, written backward without
# attention, with ten seeds of each type of mixing and the same batches, learning rate and 1,500
# updates. Their $\epsilon$ is constant: we measure the mixing, not a schedule. Coins are tossed per
# token unless the row names another. There are four measures, on 500 rows of ten digits: the share
# of digits 4 to 10 that is right *after a planted wrong third digit*, which scheduled sampling is
# meant to raise; the *gap*, digits right when forced minus when free (smaller is better); *digits
# right* when free; and *whole rows* right.
#
# The seed often matters more than what is fed, so we compare *pairs* that share their seed, and
# count the pairs in which mixing is better. How many are enough?

# %% [markdown] id="ex-sign-test-text"
# ### Exercise 7.5 · Luck alone
# *Core, 10 minutes.* Mixing is better in `better` seeds and worse in `worse` (ties are left out).
# If only luck decided, each seed would be a fair coin. Return the probability of a split *at least
# as uneven* as this one, in either direction: the two-sided $p$ of the **sign test** (부호 검정).
# It is never above 1, and is 1 where no seed is left. For 10 and 0 it is $2/2^{10}$.
#
# <details><summary>Hint 1</summary>
#
# With $n$ coins, exactly $k$ heads occur in $\binom{n}{k}$ of $2^n$ cases; `math.comb(n, k)`.
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
# Your function (or the book's) answers for ten seeds. The second number is how many splits at least
# this uneven luck alone would give in 24 comparisons (six ways of mixing, four measures).

# %% id="luck"
for better in (10, 9, 8):
    p = sign_test(better, 10 - better)
    print(f"{better:2} of 10 seeds on one side: p = {p:.3f};", end=" ")
    print(f"of 24 comparisons, {24 * p:.2f} by chance alone")

# %% [markdown] id="luck-read"
# Eight of ten decides nothing: luck alone does as much in one of nine comparisons, two or three
# times in 24. We therefore ask only one question per measure: is the *mean of the six ways of
# mixing* better than teacher forcing with the same seed, and by how much?

# %% id="sweep-tools" tags=["hide-input"]
# reads the recorded runs
mixing = {
    "three-quarters": "ratio 0.75",
    "half": "ratio 0.5",
    "quarter": "ratio 0.25",
    "half-position": "ratio 0.5, coin per position",
    "half-sentence": "ratio 0.5, coin per sentence",
    "half-batch": "ratio 0.5, coin per batch",
}
columns = ("after a wrong digit", "gap", "digits right", "whole rows")
recovery = read_record("07_recovery")["runs"]


def measured(way):
    """Of each seed, in order, the four measures: (seeds, 4)."""
    chosen = [run for run in recovery if run["variant"] == way]
    chosen.sort(key=lambda run: run["seed"])
    rows = []
    for run in chosen:
        gap = run["forced"] - run["free"]
        rows.append([run["after a wrong third digit"], gap, run["free"], run["whole"]])
    return torch.tensor(rows).double()


def better_in(gain):
    """In how many seeds each measure is better: a gap where it is smaller."""
    return (gain * torch.tensor([1.0, -1.0, 1.0, 1.0]) > 0).sum(0).tolist()


def p_values(gain):
    """Of the sign test, for each measure; ties are left out."""
    return [sign_test(n, m) for n, m in zip(better_in(gain), better_in(-gain))]


def show(label, gain):
    """A row: of each measure the median, and in how many seeds it is better."""
    line = f"{label:32}"
    for median, count in zip(gain.quantile(0.5, dim=0).tolist(), better_in(gain)):
        cell = f"{median:+.2f} ({count})"
        line += f"{cell:>20}"
    print(line)


# %% id="sweep-numbers"
forced_only = measured("gold")
gains = {label: measured(way) - forced_only for way, label in mixing.items()}
joined = torch.stack([*gains.values()]).mean(0)  # of each seed the mean of the six ways

forced_median = forced_only.quantile(0.5, dim=0)
gain_median = joined.quantile(0.5, dim=0)
print("                     teacher    mixing      better in     sign")
print("medians              forcing    minus it    of 10 seeds   test")
for n, name in enumerate(columns):
    print(f"{name:20}{forced_median[n]:7.2f}{gain_median[n]:+11.2f}", end="")
    print(f"{better_in(joined)[n]:12}        p = {p_values(joined)[n]:.3f}")
free_digits = torch.cat([measured(way)[:, 2] for way in mixing])
guessing = (free_digits < 0.15).sum()
print(f"mixed trainings that hardly got beyond guessing: {guessing} of {len(free_digits)}")

# %% id="sweep-figure" tags=["hide-input"]
# draws Figure 3
fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True)
panels = {"After a wrong digit": 0, "Digits right, free": 2, "Whole rows": 3}
for ax, (name, column) in zip(axes, panels.items()):
    for place, gain in enumerate(gains.values()):
        ax.plot(gain[:, column], [place] * len(gain), "o", color=figures.PALETTE[0], alpha=0.5)
        median = gain[:, column].quantile(0.5)
        ax.plot([median] * 2, [place - 0.35, place + 0.35], color="black", linewidth=2)
    ax.axvline(0, color="#777777", linewidth=1, linestyle=":")
    ax.set(title=name, xlabel="difference (share, 0 to 1)")
axes[0].set_yticks(range(len(gains)), gains)
axes[0].invert_yaxis()
fig.suptitle("Figure 3. Mixing minus teacher forcing: ten seeds and their median (recorded)")
plt.show()

# %% [markdown] id="sweep-alt"
# <details><summary>The figure in words</summary>
#
# Three dot plots with six rows, one for each way of mixing. A dot is the difference from teacher
# forcing with the same seed, a stroke the median, and a dotted line marks zero. After a wrong
# digit: all dots except three are right of zero. Digits right: the dots are on both sides, more of
# them on the right. Whole rows: most dots are at zero or close to it; in five rows two are far to
# the left, in the first row one far to the left and one far to the right.
#
# </details>

# %% [markdown] id="sweep-read"
# - *After a wrong digit* the six ways, on average, get more right in every seed; the share about
#   doubles.
# - *The gap* shrinks by more than *digits right* increases: the forced run also gets worse.
# - *Digits right*: not decided. Mixing loses in the two seeds in which teacher forcing went best,
#   and where it went badly, any second training would look better. Three mixed trainings barely got
#   beyond guessing.
# - *Whole rows*: not decided. They are far fewer in those two seeds; the other seeds had few to
#   lose.
#
# Nor do ten seeds separate the coins (Figure 3). The coin per sentence, much worse in the paper,
# taught about as much recovery here.

# %% [markdown] id="control-text"
# ### Two controls
#
# Do only the model's *own* mistakes teach recovery? In chapter 7 random digits did, without any
# loop. And what do twice the updates change?

# %% id="control"
print("medians (better in how many of ten seeds)")
print(" " * 32 + "".join(f"{name:>20}" for name in columns))
print("random digits minus ratio 0.5")
show("  with 1,500 updates each", measured("noise") - measured("half"))
show("  with 3,000 updates each", measured("noise-long") - measured("half-long"))
print("ratio 0.5 minus teacher forcing")
show("  with 3,000 updates each", measured("half-long") - measured("gold-long"))
line = f"{'teacher forcing, 3,000, median':32}"
for median in measured("gold-long").quantile(0.5, dim=0).tolist():
    line += f"{median:20.2f}"
print(line)

# %% [markdown] id="control-read"
# Random digits teach recovery about as well as the model's own predictions, and after 3,000 updates
# better, in every seed. Their gap is wider in nine seeds after 1,500 updates, but in only four
# after 3,000. After 3,000 updates mixing still gains after a wrong digit, but in whole rows the
# seeds fall on both sides: more updates make rows whole, not the coins. (The learning rate is the
# best of three for teacher forcing, by one seed in chapter 7. For mixing nothing was tuned, and the
# shares of wrong inputs differ.)

# %% [markdown] id="captions-text"
# ## Does it help a translator?
#
# Chapter 10's translator has attention and writes captions, from German to English. Each row shows
# three recorded trainings. The last two rows replace teacher forcing with coins per token and a
# constant $\epsilon$; everything else is the same. To measure recovery, a model is given three
# words of a reference and continues greedily, once with the right third word, once with another
# caption's. What share of the reference's remaining words does it write?

# %% id="captions" tags=["hide-input"]
# prints the recorded runs
ratios = {"gold": "teacher forcing", "quarter": "ratio 0.75", "half": "ratio 0.5"}
runs = read_record("07_captions")["runs"]
results = {}
print(" " * 18 + "   BLEU of the test         remaining words said (share)")
print(" " * 18 + "   greedy     beam of 5     third word right     wrong")
for way, label in ratios.items():
    rows = []
    for run in runs:
        if run["variant"] == way:
            bleu, recovered = run["bleu"], run["recovery"]
            row = [bleu["test greedy"], bleu["test beam 5"]]
            row += [recovered["after the right word"], recovered["after a wrong word"]]
            rows.append(row)
    results[way] = torch.tensor(rows, dtype=torch.double)  # (trainings, 4)
    low = results[way].amin(0).tolist()
    high = results[way].amax(0).tolist()
    line = f"{label:18}   {low[0]:.1f}–{high[0]:.1f}    {low[1]:.1f}–{high[1]:.1f}"
    print(f"{line}        {low[2]:.2f}–{high[2]:.2f}    {low[3]:.2f}–{high[3]:.2f}")

# %% [markdown] id="captions-read"
# In 1,800 updates mixing gained nothing. The more of its own predictions a model read, the more
# BLEU it lost, and after a wrong third word it writes no more of the rest than the model trained by
# teacher forcing. The wrong word costs all three about the same, three to five hundredths, so there
# was little to fix, as in [chapter 7](07_teacher_forcing.ipynb#cell-id=dogs-read). Attention might
# be the reason; no model without it was tried.
#
# <details><summary>How sure?</summary>
#
# Three trainings of each, 1,800 updates, and the losses were still falling. The learning rate was
# chosen for teacher forcing. No schedule was tried, and no other language.
#
# </details>
#
# [Bengio et al. (2015)](D_papers.ipynb#cell-id=bengio-2015) gained with captions of *pictures*
# (MSCOCO, BLEU-4: 28.8 with teacher forcing, 30.6 with a falling $\epsilon$, 29.2 with random words
# mixed in, 11.2 when the model *always* read its own). [Zhang et al.
# (2019)](D_papers.ipynb#cell-id=zhang-2019), who choose the fed words partly by BLEU, report
# significant gains in translation; [Mihaylova and Martins
# (2019)](D_papers.ipynb#cell-id=mihaylova-2019), who bring it to the Transformer, came only *close
# to* teacher forcing.

# %% [markdown] id="improper-text"
# ## What does it teach, given all the time in the world?
#
# A deeper doubt comes from [Huszár (2015)](D_papers.ipynb#cell-id=huszar-2015). A language has two
# sentences, each said half of the time: *A A* and *B B*. With teacher forcing the task is easy: the
# second word equals the one that is read. With scheduled sampling the model sometimes reads *its
# own* first word (here drawn from its probabilities), while the second word to be predicted still
# comes from the *given* sentence. If it wrote A and the given sentence is B B, it learns that B
# comes after A.
#
# With $\epsilon = 0$ it always reads its own. What share (0 to 1) of the sentences that the trained
# model writes is not in the language at all?

# %% id="predict-improper"
predict("07b.improper", ...)


# %% id="improper"
def two_words(ratio):
    """Learn p(first) and p(second | first) of the language by scheduled sampling."""
    draw = torch.Generator().manual_seed(0)
    first = torch.zeros(2, requires_grad=True)  # scores of A and B as the first word
    second = torch.zeros(2, 2, requires_grad=True)  # by the word read (row), as the second
    optimizer = torch.optim.Adam([first, second], lr=0.1)
    for update in range(300):
        given = torch.randint(2, (400,), generator=draw)  # 400 sentences: 0 is A A, 1 is B B
        p_first = first.detach().softmax(-1)
        written = p_first.multinomial(400, replacement=True, generator=draw)
        coins = torch.rand(400, generator=draw) < ratio
        read = torch.where(coins, given, written)
        loss_of_first = F.cross_entropy(first.expand(400, 2), given)
        loss_of_second = F.cross_entropy(second[read], given)
        optimizer.param_groups[0]["lr"] = 0.1 * (1 - update / 300)
        optimizer.zero_grad()
        (loss_of_first + loss_of_second).backward()
        optimizer.step()
    p_same = second.softmax(-1).diagonal()  # that A follows A, that B follows B
    return (first.softmax(-1) * p_same).sum().item()  # how often it says A A or B B


# %% id="improper-numbers" tags=["hide-input"]
# prints the table
tried = {ratio: two_words(ratio) for ratio in (1.0, 0.75, 0.5, 0.25, 0.0)}
with reveal("07b.improper", 1 - tried[0.0], within=0.05):
    print("ratio   not in the language   promised, (1 − ε) / 2")
    for ratio, same_word in tried.items():
        promised = (1 - ratio) / 2
        print(f" {ratio:4.2f}         ≈{1 - same_word:.2f}               {promised:.3f}")

# %% [markdown] id="improper-read"
# <details><summary>What it says</summary>
#
# With probability $\epsilon$ the model reads the given first word, and the second is certainly the
# same. Otherwise it reads a word drawn without looking at the given sentence, and the second is the
# same half of the time. It therefore learns
#
# $$q(\text{same} \mid \text{first}) = \epsilon \cdot 1 + (1 - \epsilon) \cdot \tfrac12
# = \frac{1 + \epsilon}{2}.$$
#
# At $\epsilon = 0$ it knows how often each word is said *in each place*, and nothing else. More
# data and more training make this *more* exact, not better. Teacher forcing is maximum likelihood
# and does not have this fault. Huszár calls the objective *improper*: the model that minimizes it
# does not have the distribution of the language.
#
# Our digits are not affected: the next digit is the right target whatever was written before. In
# translation the source decides much of the next word, and the words already written decide the
# rest.
#
# </details>

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Compare seeds in pairs. Luck alone gives eight of ten or more in one of nine comparisons; the
#   size of a difference matters as well as its direction.
# - On digits, without attention, mixing taught recovery, on average, in every seed, and random
#   digits did about as well or better. Whether either makes a better model was not decided.
# - A caption translator with attention gained nothing from it in a short training, and lost BLEU.
# - Where a word depends on the words before it and not only on the source, scheduled sampling can
#   converge to the wrong distribution.
#
# <details><summary>Papers</summary>
#
# [Bengio, Vinyals, Jaitly and Shazeer 2015](D_papers.ipynb#cell-id=bengio-2015) (§2.4, Table 1);
# [Zhang et al. 2019](D_papers.ipynb#cell-id=zhang-2019); [Mihaylova and Martins
# 2019](D_papers.ipynb#cell-id=mihaylova-2019); [Huszár 2015](D_papers.ipynb#cell-id=huszar-2015).
# Also: training that makes forced and free states indistinguishable ([Lamb et al.
# 2016](D_papers.ipynb#cell-id=lamb-2016)).
#
# </details>
#
# **Next.** The decoder reads its own prediction, the most probable word at every step. Does that
# lead to the most probable sentence? [Chapter 8](08_beam_search.ipynb) searches.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Four coins
bands = {"token": (8, 15), "position": (4, 19), "sentence": (0, 0), "batch": (0, 0)}
for kind, (low, high) in bands.items():
    changed = tables[kind][:, 1:] != tables[kind][:, :-1]
    check_range(changed.sum(1).double().mean(), low, high)

# How many seeds are enough?
won = better_in(joined)
seeds = len(joined)
assert won[0] == seeds and won[1] >= 0.9 * seeds
assert min(p_values(joined)[2:]) > 0.05
best = forced_only[:, 2].argsort()[-2:]  # the two seeds in which teacher forcing went best
assert (joined[best, 2] < 0).all() and (joined[:, 2] < 0).sum() == 2
assert guessing == 3 and forced_only[:, 2].min() > 0.2
assert (joined[best, 3] < -0.1).all() and (joined[:, 3] < -0.1).sum() == 2

# Two controls
half, long = measured("noise") - measured("half"), measured("half-long") - measured("gold-long")
noise = measured("noise-long") - measured("half-long")
assert better_in(half)[0] == 5 and better_in(noise)[0] == better_in(long)[0] == seeds
assert better_in(-half)[1] == 9 and better_in(-noise)[1] == 4
assert min(p_values(long)[3], p_values(noise)[3]) > 0.05

# What does it teach, given all the time in the world?
for ratio, same_word in tried.items():
    check_range(1 - same_word - (1 - ratio) / 2, -0.05, 0.05)
for more, less in (("gold", "quarter"), ("quarter", "half")):
    assert (results[more][:, :2].amin(0) > results[less][:, :2].amax(0)).all()
assert results["gold"][:, 3].mean() > results["quarter"][:, 3].mean() > results["half"][:, 3].mean()
for found in results.values():
    check_range((found[:, 2] - found[:, 3]).min().item(), 0.03, 0.05)
    check_range((found[:, 2] - found[:, 3]).max().item(), 0.03, 0.05)
