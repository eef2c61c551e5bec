# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 07 · What should the decoder read while it learns?
#
# **What you will be able to do.** Say what a decoder is fed in training and what it is fed when it
# translates. Measure the difference position by position, and say where it can show. Write
# scheduled sampling with a coin for every token, and report what it buys and what it costs.
# Recognize five numbers that pass for the validation loss and are something else.
#
# **What you need.** An encoder and a decoder (chapter 3), the shift of the target by one
# (chapters 3 and 5). Of attention no more than that there is some.
#
# **First sitting: what training never shows.** 40 minutes to read, 44 for exercises 7.1 to 7.4. Its
# aim: you can say what happens after a decoder's first mistake, why, and how a coin for every token
# is meant to help. All of it must be read, except *Two ends of a row*, which may be skipped.
#
# **Second sitting: does it help, and what does a loss say?** 45 minutes to read, 26 for exercises
# 7.5 to 7.7. Its aim: you can judge a claim about scheduled sampling, and a "validation loss". Must
# be read: *Does it help?*, *What does it teach, given all the time in the world?* and *The
# validation loss that people report*. May be skipped: *Whose coin?*, *The budget decides, too*,
# *Train on the measure itself*.
#
# **To run:** at most a minute with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import json
import math
import random
from collections import Counter
from dataclasses import replace

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import about, exercise, predict, progress, recall, reveal, said
from attnbook.figures import fed_diagram, feeding_diagram
from attnlib import figures, metrics, training
from attnlib.data import Batches, bundled_directory, make_batch
from attnlib.device import seed_everything
from attnlib.model import Encoder, LuongDecoder, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit, teacher_forced_loss
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(7)

# %% id="table-decoder"
knows = {"<sos>": "I", "I": "went", "go": "home", "went": "to", "to": "house"}
knows |= {"home": ".", "house": "."}
right_words = ["I", "go", "home", "."]

fed_gold = [knows[word] for word in ["<sos>", *right_words[:-1]]]  # reads the right word, always
fed_itself = ["<sos>"]
while fed_itself[-1] != "." and len(fed_itself) < 8:
    fed_itself.append(knows[fed_itself[-1]])  # reads its own word
print("right:     ", " ".join(right_words))
print("fed gold:  ", " ".join(fed_gold))
print("fed itself:", " ".join(fed_itself[1:]))
fed_diagram(right_words, fed_itself[1:5])

# %% [markdown] id="table-decoder-read"
# This decoder is small enough to see all of it: a table that gives one next word for each word it
# reads. The source is `나는 집에 간다` (*I · to home · go*), the right translation *I go home.* The
# table has one fault: after *I* it says *went*.
#
# Look at the circles in the drawing. Before each word but the first, the decoder reads the word
# before. But *which* word before: the one of the right translation, from below, or the one that it
# has just written, along the dotted line? Fed with the right words, the fault costs one word, for
# the next input is *go* again. Fed with its own, it reads *went*, is led to *to* and *house*, and
# does not find its way back. The fault is the same; the damage is not.
#
# A translator is trained in the first way and used in the second. [Ranzato et al.
# (2016)](D_papers.ipynb#cell-id=ranzato-2016) named what follows from it **exposure bias** (노출
# 편향): in training the model is never exposed to its own words.

# %% [markdown] id="recall-text"
# Before we begin, five short questions on earlier chapters. Answer them, or read on.

# %% id="recall"
recall("07")

# %% [markdown] id="note-text"
# ## Two ways to be fed
#
# To feed the right word in training, even after a wrong prediction, is called **teacher forcing**
# (교사 강요). The name comes from [Williams and Zipser
# (1989)](D_papers.ipynb#cell-id=williams-1989); the right word is also called *gold* or *ground
# truth*, GT. At **inference** (추론), when the trained model is used, there *is* no right word: if
# we had the translation, we would need no translator. The decoder reads what it has written itself,
# right or wrong. This is called **free running**.
#
# Here is the free run once more, with the way of every word.

# %% id="free-drawing"
title = "Free running: its own word, always"
feeding_diagram(right_words, fed_itself[1:5], [False, False, False], title)

# %% [markdown] id="free-drawing-read"
# The circles are switches. In teacher forcing all three would take the word from the right; here
# all take the word just written. The second half of this sitting replaces them by coins.

# %% [markdown] id="task-text"
# ## A task in which right and wrong are certain
#
# A sentence has many right translations, and one extra word shifts all that follow. To compare
# *position by position* we need a task with exactly one right answer at every place: a row of 3 to
# 10 random digits, to be written backward. The model is chapter 3's, without attention: everything
# must pass through one vector, so it does make mistakes.


# %% id="task"
def reversed_digits(count, seed, shortest=3, longest=10):
    """Rows of random digits and the same rows backward; the token of digit d is d + 4."""
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        length = draw.randint(shortest, longest)
        found.append([4 + draw.randrange(10) for _ in range(length)])
    return [(row, row[::-1]) for row in found]


train, test = reversed_digits(20_000, seed=1), reversed_digits(1000, seed=2)
for name, row in zip(("source", "target"), test[4]):
    print(name, [token - 4 for token in row])


# %% id="model"
def make_model(attention=False, kind=Seq2Seq):
    source, target = nn.Embedding(14, 32), nn.Embedding(14, 32)  # 4 special tokens, 10 digits
    for table in (source, target):
        nn.init.normal_(table.weight, std=32**-0.5)
    encoder = Encoder(source, 96)
    if attention:
        decoder = LuongDecoder(target, 96, 96, 32, attention="general")
    else:
        decoder = PlainDecoder(target, 96, 96, 32)
    return kind(encoder, decoder, nn.Linear(32, 14))


batches = Batches([x for x, _ in train], [y for _, y in train], size=32, seed=1)
recipe = Recipe(
    updates=1500, warmup=100, learning_rate=8e-3, label_smoothing=0.0,
    validate_every=1500, precision="fp32", seed=1,
)

# %% [markdown] id="train-text"
# The training, with teacher forcing: every step reads gold. It takes about 15 seconds, with
# AVX-512 or without.

# %% id="train" tags=["nbval-ignore-output"]
seed_everything(1)
model = make_model()
history = fit(model, batches, recipe)

# %% [markdown] id="forced-text"
# What teacher forcing reads is `tgt_in`, the target shifted by one behind a start token. All its
# inputs are known beforehand, so one call of the recurrent layer does all steps.

# %% id="forced"
tens = reversed_digits(500, seed=3, shortest=10)  # 500 rows of exactly ten digits
batch = make_batch([x for x, _ in tens], [y for _, y in tens])
with torch.no_grad():
    forced_logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
print("reads:  ", batch.tgt_in[0].tolist(), "(2 starts)")
print("goal:   ", batch.tgt_out[0].tolist(), "(3 ends)")
print("logits: ", tuple(forced_logits.shape))

# %% [markdown] id="ex-accuracy-by-position-text"
# ### Exercise 7.1 · Right, but where?
# *Warm-up, 6 minutes.* `written` and `gold` hold token numbers (B, T), `mask` (B, T) is True at
# real tokens. Return the accuracy at every position, (T,): of the sentences that have a real token
# there, the share in which it is right. (The longest sentence reaches the last position.)
#
# <details><summary>Hint 1</summary>
#
# Two counts at each position: how many are right *and* real, and how many are real.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `&` joins two tables of True and False, and a sum counts what is True. Along which dimension do
# the sentences lie?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Count down the sentences, twice, and divide. At padding both tables may hold the same number, so a
# comparison alone would count padding as right.
#
# </details>


# %% id="ex-accuracy-by-position" tags=["exercise"]
@exercise
def accuracy_by_position(written, gold, mask):
    """Share of right tokens at each position. All (B, T), mask True = real token → (T,)."""
    raise NotImplementedError


# %% [markdown] id="free-text"
# ### A run that never sees gold
#
# Now the other way. The decoder is a function `step(tokens, state)`: it reads one token of every
# sentence and gives back the logits of the next token, and its new state.


# %% id="stepper"
def stepper(model, batch):
    """The model's decoder as step(tokens, state), and its first state."""
    memory = model.encode(batch.src, batch.src_mask)

    def step(tokens, state):
        features, state, _ = model.decoder.step(tokens.unsqueeze(1), memory, state)
        return model.output(features).squeeze(1), state

    return step, model.decoder.start(memory)


# %% [markdown] id="ex-free-running-text"
# ### Exercise 7.2 · Left alone
# *Core, 10 minutes.* `first` (B,) holds the start tokens. Run the decoder for `length` steps; at
# each it reads the most probable word of the step before. Return the *logits* of all steps,
# (B, length, V): the losses will be computed from them. There is no gold among the arguments, so
# nothing can leak.
#
# <details><summary>Hint 1</summary>
#
# Two things change from step to step: the tokens that are read and the state.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Logits (B, V) become the most probable words (B,) by an argmax over the words.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A loop of `length` turns: one step, its logits into a list, its most probable words into the next
# turn. At the end the list becomes one tensor with a new dimension for the steps.
#
# </details>


# %% id="ex-free-running" tags=["exercise"]
@exercise
def free_running(step, state, first, length):
    """Logits (B, length, V) of a run fed by itself. step(tokens (B,), state) → (logits, state)."""
    raise NotImplementedError


# %% id="free"
with torch.no_grad():
    step, state = stepper(model, batch)
    free_logits = free_running(step, state, batch.tgt_in[:, 0], batch.tgt_in.shape[1])
    features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in, teacher_forcing=0.0)
torch.testing.assert_close(free_logits, model.output(features), atol=1e-4, rtol=1e-4)
written = {"forced": forced_logits.argmax(-1), "free": free_logits.argmax(-1)}

# %% [markdown] id="free-read"
# Your loop (or the book's, as long as the exercise is blank) and the library agree; the cell
# asserts it. The library's argument `teacher_forcing` is the probability of gold: 1 is forced, 0 is
# free (**free running**, 자기회귀 생성). What lies between is the matter of *Scheduled sampling*.
#
# ### Three rows
#
# Enough preparation; here is what it writes. Three of the 500 rows, each in both runs. The first
# mistake of a run is in square brackets, later ones are in round brackets.


# %% id="rows"
def marked(line, goal):
    """A row of digits: its first mistake in square brackets, later ones in round ones."""
    text, faults = "", 0
    for token, right in zip(line.tolist(), goal.tolist()):
        digit = "." if token == 3 else str(token - 4)
        text += f" {digit} " if token == right else f"[{digit}]" if not faults else f"({digit})"
        faults += token != right
    return said(text.rstrip())


mistakes = {name: tokens != batch.tgt_out for name, tokens in written.items()}
early = mistakes["free"][:, 2:6].any(1) & ~mistakes["free"][:, :2].any(1)
for n in early.nonzero().flatten()[:3].tolist():
    print("right ", marked(batch.tgt_out[n], batch.tgt_out[n]))
    for name, tokens in written.items():
        print(f"{name:6}", marked(tokens[n], batch.tgt_out[n]))
    print()

# %% [markdown] id="rows-read"
# Read each pair of runs from the left. Up to the square bracket they are the same, and the digit in
# the bracket is the same, too. From there on the forced run is handed the right digit each time, so
# its next mistakes are new ones; it may make several, as in the first row in print, but it finds
# right digits again. The free run goes on from the wrong one and hardly finds any. Your digits may
# be others than the ones in print, since another processor trains to a slightly different model;
# up to the bracket the two runs are the same all the same (you will see why).

# %% [markdown] id="position-text"
# ## Exposure bias, position by position
#
# The same model, the same 500 rows; only the input of the decoder differs.


# %% id="position"
def by_position(logits):
    """Loss (nats) and accuracy at every position of the batch of ten digits."""
    losses = -logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
    return losses.mean(0), accuracy_by_position(logits.argmax(-1), batch.tgt_out, batch.tgt_mask)


forced_loss, forced_accuracy = by_position(forced_logits)
free_loss, free_accuracy = by_position(free_logits)

# %% id="position-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.6))
places = [*range(1, 11), 11]
measured = [(forced_loss, free_loss), (forced_accuracy, free_accuracy)]
for ax, (by_gold, by_itself) in zip(axes, measured):
    ax.plot(places, by_gold, "o-", color=figures.PALETTE[0], label="forced: reads gold")
    ax.plot(places, by_itself, "s--", color=figures.PALETTE[1], label="free: reads itself")
    ax.set_xticks(places, [*map(str, range(1, 11)), "end"])
    ax.set_xlabel("target position t (tokens)")
axes[0].set(title="Loss by position", ylabel="loss (nats per token)")
axes[1].set(title="Accuracy by position", ylabel="accuracy (0 to 1)", ylim=(0, 1.03))
axes[0].legend(frameon=False)
plt.show()

# %% [markdown] id="position-alt"
# <details><summary>The figure in words</summary>
#
# Two panels over positions 1 to 10 and the end token. Left, the loss: forced it stays below 1 nat,
# with a hump near position 8; free it climbs steadily to around 3 nats at position 10 and is near 0
# at the end token. Right, the accuracy: forced it dips near position 8 and recovers; free it falls
# from almost 1 to less than a half and returns to almost 1 at the end token.
#
# </details>

# %% id="position-numbers"
torch.testing.assert_close(forced_loss[0], free_loss[0], atol=1e-4, rtol=1e-4)
parts = {  # where, and the bands of both accuracies
    "position 1": (slice(0, 1), (0.9, 1), (0.9, 1)),
    "positions 7 to 10": (slice(6, 10), (0.6, 0.95), (0.2, 0.65)),
    "the end token": (slice(10, 11), (0.95, 1), (0.9, 1)),
}
print("accuracy           forced   free")
for name, (where, by_gold, by_itself) in parts.items():
    print(f"{name:18} {about(forced_accuracy[where].mean(), *by_gold)}    "
          f"{about(free_accuracy[where].mean(), *by_itself)}")
assert forced_accuracy[6:10].mean() - free_accuracy[6:10].mean() > 0.15

# %% [markdown] id="position-read"
# At position 1 both have read the same, the start token, and are
# equal. From there on they part. Forced, the last two digits are *easier* again than those just
# before them; free, they are among the hardest of all. Whoever looks only at the forced numbers,
# and most training programs print no others, does not see it.
#
# Two things in the figure want an explanation: the end token, which comes out right either way, and
# the hump of the *forced* loss.

# %% [markdown] id="lengths-text"
# ### It counts, even where it is lost
#
# All 500 rows have ten digits, the longest that there were in training. So the end could come out
# right because every row ends there. Take the 1,000 test rows instead, of 3 to 10 digits, mixed,
# and only those in which the free run writes at least one wrong digit. In how many of them does it
# stop at the right place all the same?

# %% id="lengths"
mixed = make_batch([x for x, _ in test], [y for _, y in test])
with torch.no_grad():
    step, state = stepper(model, mixed)
    of_mixed = free_running(step, state, mixed.tgt_in[:, 0], mixed.tgt_in.shape[1]).argmax(-1)
is_digit = mixed.tgt_mask & (mixed.tgt_out != 3)
lost = ((of_mixed != mixed.tgt_out) & is_digit).any(1)
stops = torch.where((of_mixed == 3).any(1), (of_mixed == 3).int().argmax(1), -1)
in_place = stops == is_digit.sum(1)
print(f"rows with a wrong digit:        {about(lost.sum(), 80, 320, '.0f')} of {len(lost)}")
print(f"of these, stop in place:        {about(in_place[lost].double().mean(), 0.85, 1)}")
print(f"rows without, stop in place:    {about(in_place[~lost].double().mean(), 0.99, 1)}")

# %% [markdown] id="lengths-read"
# In nearly all of the spoiled rows. So to know *when* to stop, it need not know which digits it has
# written; it seems to count. In the record of several trainings, over all rows, the end token is
# right nearly always, in every seed, the seed with few whole rows included.

# %% id="recorded"
folder = bundled_directory().parent / "runs"
record = json.loads((folder / "07_reverse.json").read_text(encoding="utf-8"))


def recorded(variant, kind, what):
    """One number, or one row of them, for each seed: kind "forced" or "free"."""
    return torch.tensor([run[kind][what] for run in record["runs"] if run["variant"] == variant])


at_end = {kind: recorded("gold", kind, "mixed_left")[:, 0] for kind in ("forced", "free")}
for kind, shares_right in at_end.items():
    print(f"recorded, {kind:6} accuracy of the end token: median {shares_right.quantile(0.5):.3f}, "
          f"lowest of {len(shares_right)} seeds {shares_right.min():.3f}")

# %% id="mixed-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
for n, (kind, name) in enumerate((("forced", "forced"), ("free", "free"))):
    for ax, what in zip(axes, ("mixed_at", "mixed_left")):
        lines = recorded("gold", kind, what)[:, :11]
        x = range(1, 12) if what == "mixed_at" else range(11)
        look = {"color": figures.PALETTE[n], "linestyle": ["-", "--"][n]}
        ax.plot(x, lines.T, linewidth=0.9, alpha=0.6, **look)
        ax.plot(x, lines.quantile(0.5, dim=0), "os"[n], linewidth=2, label=name, **look)
axes[0].set(title="Counted from the start", ylabel="accuracy (0 to 1)", ylim=(0, 1.03))
axes[0].set_xlabel("target position t (tokens)")
axes[1].set(title="Counted from the end", xlabel="tokens still to come (0: the end token)")
axes[1].legend(frameon=False)
fig.suptitle("Rows of 3 to 10 digits, recorded: a thin line a seed, thick their median")
plt.show()

# %% [markdown] id="mixed-alt"
# <details><summary>The figure in words</summary>
#
# Two panels, accuracy of recorded trainings by position, forced and free. Left, counted from the
# start: the forced medians dip to about 0.8 near position 7 and rise again, the free ones fall to
# about a half at position 9, and both are near 1 at position 11, the end token of the longest rows.
# Right, counted from the end: both are near 1 at 0, the end token; with one to four tokens to come
# the free medians are lowest, and farther from the end both are high again.
#
# </details>

# %% [markdown] id="ends-text"
# ### Two ends of a row
#
# And the hump? All that the decoder knows of the row is one vector, $[\overrightarrow{h}_S;
# \overleftarrow{h}_1]$. Its first half has just read the *last* digit, which is written first; its
# second half has just read the *first* digit, which is written last. Suppose that each half
# remembers its own end. Then the digits far from both ends must be the hardest. To see whether it
# is so, give every row one half of *another row's* vector, feed gold, and look at which positions
# fall to guessing, 0.10.

# %% id="ends"
with torch.no_grad():
    memory = model.encode(batch.src, batch.src_mask)
    for name, half in (("first", slice(0, 48)), ("second", slice(48, 96))):
        vector = memory.final.clone()
        vector[:, half] = memory.final[:, half].roll(1, dims=0)
        features, _ = model.decoder(batch.tgt_in, memory._replace(final=vector))
        line = accuracy_by_position(
            model.output(features).argmax(-1), batch.tgt_out, batch.tgt_mask
        )
        start, end = line[:3].mean(), line[7:10].mean()
        low, high = (0, 0.4) if name == "first" else (0.8, 1)
        print(f"another row's {name:6} half: positions 1 to 3 {about(start, low, high)}, "
              f"8 to 10 {about(end, 0, 0.5)}")

# %% id="hardest"
tens_recorded = recorded("gold", "forced", "accuracy_at")[:, :10]
print("recorded, hardest position of ten, forced, by seed:", (tens_recorded.argmin(1) + 1).tolist())

# %% [markdown] id="ends-read"
# With a wrong *second* half the first digits still come right, and the last are guesses: those were
# in the second half. With a wrong *first* half the first digits are guesses, and the last fare
# little better; the decoder that writes them needs the first half, too, perhaps to know where it
# is. So the end of a row is kept by the half that has just read it, and what is far from both ends
# is the hardest. (Why the hardest place lies beyond the middle, near the eighth digit, we
# have not explained.)

# %% [markdown] id="first-text"
# ## Only the first mistake is the model's own
#
# Now the heart of the matter. Of 500 rows, how many does the model get right *from the first digit
# to the last*? More when it is fed gold, more when it is fed itself, or the same number? Say
# "gold", "itself" or "same".

# %% id="predict-whole"
predict("07.whole", ...)

# %% id="first"
whole = {name: ~wrong_at.any(1) for name, wrong_at in mistakes.items()}
for name, rows_right in whole.items():
    print(f"{name:6}: {about(rows_right.sum(), 50, 260, '.0f')} rows of 500 right as a whole")
print(f"rows right in one run and not in the other: {(whole['forced'] != whole['free']).sum()}")
first = {name: wrong_at[~whole[name]].int().argmax(1) for name, wrong_at in mistakes.items()}
print(f"rows whose first mistake stands elsewhere:  {(first['forced'] != first['free']).sum()}")
reveal("07.whole", "same" if torch.equal(whole["forced"], whole["free"]) else "gold")

# %% [markdown] id="first-read"
# They are the same rows. As long as it has made no mistake, a decoder that reads its own words
# *reads gold*. So the first mistake is the same, forced or free, and a row is whole under one
# exactly when it is whole under the other. This holds for every model with greedy decoding, and it
# says where exposure bias can show, if there is one right answer: only **after the first mistake**.
# A measure that only asks "all right or not?" cannot see it.
#
# So let us split the free run at that point. But rows with a mistake may simply be hard rows. To be
# fair, we look at the *same rows and positions* once more, with gold fed instead. One digit of ten
# can be guessed. Which share do you expect the free run to have right, after its first mistake?

# %% id="predict-after"
predict("07.after", ...)

# %% id="after"
wrong_before = mistakes["free"].cumsum(1) - mistakes["free"].long()  # made before position t
clean, spoilt = wrong_before == 0, wrong_before > 0


def share_right(name, where):
    """Accuracy at positions 1 to 10 among the rows of ``where``; fewer than 30 say nothing."""
    line = (~mistakes[name] & where).sum(0) / where.sum(0)
    return line.masked_fill(where.sum(0) < 30, float("nan"))[:10]


lines = {"free, no mistake yet": share_right("free", clean)}
lines["free, after a mistake"] = share_right("free", spoilt)
lines["the same places, fed gold"] = share_right("forced", spoilt)

# %% id="after-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for n, (name, line) in enumerate(lines.items()):
    ax.plot(range(1, 11), line, "osD"[n] + "-", color=figures.PALETTE[n], label=name)
ax.axhline(0.1, color="#444444", linewidth=1, linestyle=":", label="guessing one of ten digits")
ax.set(title="Free running, before and after the first mistake", ylim=(0, 1.03))
ax.set(xlabel="target position t (tokens)", ylabel="accuracy (0 to 1)")
ax.set_xticks(range(1, 11))
ax.legend(frameon=False, bbox_to_anchor=(1, 0.5), loc="center left")
plt.show()

# %% [markdown] id="after-alt"
# <details><summary>The figure in words</summary>
#
# Line chart of accuracy over ten positions. The line "free, no mistake yet" runs between about 0.6
# and 1. The line "free, after a mistake", drawn from position 5 on, where at least 30 rows have
# one, starts at the dotted line of guessing, 0.1, and rises to about a quarter. The line of the
# same places fed with gold lies far above that, near the first one.
#
# </details>

# %% id="after-numbers"
count = spoilt[:, :10].sum()
after = {name: (~mistakes[name] & spoilt)[:, :10].sum() / count for name in mistakes}
print(f"places after a mistake, free run:  {about(after['free'], 0.1, 0.35)} right")
print(f"the same places, fed gold:         {about(after['forced'], 0.45, 0.95)} right")
reveal("07.after", after["free"], within=0.1)

# %% [markdown] id="after-read"
# After its first mistake the free run is nearly lost, and not because the rows were hard: give the
# decoder gold at the very same places, and it knows the answer far more often. Nothing in training
# has ever shown it a prefix (what has been written so far) with a wrong digit in it. The right
# answer at position $t$ does not depend on what was written before, the source row says it all; but
# the decoder has learned to *rely* on the word before, as one that was always right.

# %% [markdown] id="plant-text"
# ## One wrong word, planted
#
# A cleaner experiment: take rows that the model writes without any mistake, put *one* wrong digit
# in, and let it go on by itself. Now the rows are easy for certain, and the mistake is ours.


# %% id="continue"
def continue_from(step, state, prefix, length):
    """Read the prefix (B, K), then feed itself; return the words after it, (B, length)."""
    for tokens in prefix.T:
        logits, state = step(tokens, state)
    own = [logits.argmax(-1)]
    while len(own) < length:
        logits, state = step(own[-1], state)
        own.append(logits.argmax(-1))
    return torch.stack(own, dim=1)


# %% id="plant"
def after_planting(model):
    """Accuracy of digits 4 to 10 and of the end, where the third digit is right, then wrong."""
    with torch.no_grad():
        step, state = stepper(model, batch)
        alone = continue_from(step, state, batch.tgt_in[:, :1], 11)
        perfect = (alone == batch.tgt_out).all(1)
        found = {"rows": perfect.sum().item()}
        for name, shift in (("right", 0), ("wrong", 1)):
            prefix = batch.tgt_in[:, :4].clone()  # the start token and three digits
            prefix[:, 3] = 4 + (prefix[:, 3] - 4 + shift) % 10
            went_on = continue_from(step, state, prefix, 8)
            found[name] = (went_on == batch.tgt_out[:, 3:])[perfect].double().mean(0)
    return found


planted = after_planting(model)
assert planted["right"].min() == 1.0  # what it writes by itself, once more
print(f"{about(planted['rows'], 50, 260, '.0f')} rows that it writes without a mistake")
print(f"third digit wrong: digits 4 to 10 {about(planted['wrong'][:7].mean(), 0.1, 0.4)} right, "
      f"end in place {about(planted['wrong'][7], 0.7, 1)}")

# %% [markdown] id="plant-read"
# Seven digits that it would have written without a mistake, and one wrong digit before them brings
# them down near to guessing. The end it still finds.
#
# **You will often read that** this is what must happen: one wrong word leads to the next, and the
# sentence is lost. Here it is so. But is it the fault of teacher forcing alone? Train once more, in
# the same way, on the same rows, a model whose decoder may look at the source with attention. (That
# makes it a little larger, and it needs fewer updates.) It will be asked about rows that it writes
# without a mistake, too. After a wrong third digit, which share of digits 4 to 10 will be right?

# %% id="predict-attention"
predict("07.attention", ...)

# %% id="attention-train" tags=["nbval-ignore-output"]
seed_everything(1)
looking = make_model(attention=True)
history = fit(looking, batches, replace(recipe, updates=600, validate_every=600))

# %% id="attention"
looked = after_planting(looking)
print(f"{about(looked['rows'], 400, 500, '.0f')} rows that it writes without a mistake")
print(f"third digit wrong: digits 4 to 10 {about(looked['wrong'][:7].mean(), 0.7, 1)} right, "
      f"end in place {about(looked['wrong'][7], 0.9, 1)}")
reveal("07.attention", looked["wrong"][:7].mean(), within=0.1)

# %% [markdown] id="attention-read"
# Nearly all of them. It was trained by teacher forcing, has never seen a wrong digit, and goes on
# as if nothing had happened; presumably it finds its place in the source again at each step (we
# have not looked at the weights). So exposure bias is no fate. How much it costs seems to depend on
# whether the model *needs* to lean on the word before. (This is one training of each, and the
# second is also the better model. That explains a part: in recorded runs,
# `data/runs/07_planted.json`, three seeds, the first was trained eight times as long, until
# practically all of its rows were whole, too. Even then a quarter to two fifths of what it writes
# after the planted digit is wrong. After sixteen times as many updates it mostly recovers. What
# attention makes easy can be learned without it.)
#
# ### And in a real translator?
#
# Chapter 00's translator of captions has attention, and was trained by teacher forcing. Let it
# translate *Zwei Frauen trinken im Park Kaffee*, but at one place after the other put a *dog* into
# its mouth, and let it go on from there.

# %% id="dogs"
german = Translator.load(bundled_directory().parent / "de-en", "cpu")
english = german.tgt_vocabulary
dog = english.index["▁dog"]


@torch.no_grad()
def with_dogs(text):
    """The translation, and for each place the words before it, and those it writes after a dog."""
    own = english.encode(german.translate(text, beam=1).text)
    one = make_batch([german.src_vocabulary.encode(text)], [own])
    step, state = stepper(german.model, one)
    found = []
    for place in range(len(own)):
        prefix = torch.tensor([[2, *own[:place], dog]])
        went_on = continue_from(step, state, prefix, len(own) + 4)[0].tolist()
        found.append(went_on[: went_on.index(3)] if 3 in went_on else went_on)
    return own, found


# %% id="dogs-story"
own, found = with_dogs("Zwei Frauen trinken im Park Kaffee.")
print("by itself:  ", english.decode(own))
for place, went_on in enumerate(found):
    print(f"dog as no. {place + 1}", english.decode([*own[:place], dog, *went_on]))

# %% [markdown] id="dogs-story-read"
# Nearly every time it picks up the thread: what was still to be said gets said, the coffee and the
# park among it. A dog in the place of the women drinks the coffee; a dog in the place of the coffee
# is drunk. At the seventh and eighth place the thread is lost, or nearly so. What it never does is
# take the dog back. It cannot, and it goes on *as if the dog were true*.
#
# One sentence is one sentence. Here are twenty, the captions of chapter 10, with a dog at every
# place. Of the words that were still to come without the dog, how many come after it?

# %% id="dogs-twenty"
captions = json.loads((folder / "10_learning.json").read_text(encoding="utf-8"))["runs"][0]
told_all = [with_dogs(sentence["src"]) for sentence in captions["sentences"]]
come, by_chance, expected = 0, 0, 0
for n, (own, found) in enumerate(told_all):
    others = [other for other, _ in told_all[:n] + told_all[n + 1 :]]
    for place, went_on in enumerate(found[:-1]):
        still = Counter(own[place + 1 :])
        come += (still & Counter(went_on)).total()
        tails = [Counter(other[place + 1 :]) for other in others]
        by_chance += sum((still & tail).total() for tail in tails) / len(tails)
        expected += still.total()
print(f"{come / expected:.2f} of {expected} words, wherever they stand")
print(f"{by_chance / expected:.2f} of them stand in another caption, cut at the same place")

# %% [markdown] id="dogs-read"
# More than four in five; of the words of *another* caption, cut at the same place, it would be one
# in five (*a*, *in* and the full stop come again and again). [He et al.
# (2021)](D_papers.ipynb#cell-id=he-2021) compared what language models write after gold prefixes
# with what they write after their own, and found little harm, and none that grew along the text;
# they speak of a **self-recovery** that works against exposure bias. It is not the last word:
# [Arora et al. (2022)](D_papers.ipynb#cell-id=arora-2022), who measure in another way, do find that
# errors pile up.
#
# And look again at the sentences with the dog. They show a harm that no count of words sees: fluent
# English about something that is not in the source. [Wang and Sennrich
# (2020)](D_papers.ipynb#cell-id=wang-2020) trace such **hallucinations** in part to exposure bias,
# above all where the test sentences are of another kind than those of the training.

# %% [markdown] id="mix-text"
# ## Scheduled sampling
#
# The digits' trouble had two causes: a decoder that leans on the word before, and a training in
# which that word is always right. The first can be changed by attention. The second is changed by
# **scheduled sampling** (스케줄드 샘플링; [Bengio, Vinyals, Jaitly and Shazeer
# 2015](D_papers.ipynb#cell-id=bengio-2015)): in training, toss a coin. With probability $\epsilon$
# the next step reads gold, else it reads the model's own word. The decoder of the first page, with
# one coin for each switch:

# %% id="coins-drawing"
tossed = [False, False, True]
says = [knows["<sos>"]]
for gold_word, by_gold in zip(right_words, tossed):
    says.append(knows[gold_word if by_gold else says[-1]])
feeding_diagram(right_words, says, tossed)

# %% [markdown] id="coins-drawing-read"
# The first two coins say *its own word*, so it goes wrong, as before. The third says *gold*: the
# last step reads *home*, and is told that a full stop comes after it. In this way a decoder is
# shown prefixes with a mistake in them, together with the right word to follow.
#
# Whose coin is it? Bengio et al. toss one for *every token of every sentence*, and say in a
# footnote that one coin for a whole sequence did much worse.

# %% [markdown] id="ex-mix-inputs-text"
# ### Exercise 7.3 · A coin for every token
# *Core, 8 minutes.* `gold` and `own` (B, T) hold two candidates for every input; `share` is the
# probability of gold. Return the mixture, with coins from `generator`: in a large table, about this
# share of every row and of every column is gold.
#
# <details><summary>Hint 1</summary>
#
# A number drawn evenly between 0 and 1 lies below `share` with probability `share`. `torch.rand`
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
# A table of coins, True where gold is to be read, and a function of torch that takes from one table
# where a condition holds and else from another.
#
# </details>


# %% id="ex-mix-inputs" tags=["exercise"]
@exercise
def mix_inputs(gold, own, share, generator):
    """Each token gold with probability share, else own. gold, own (B, T) → (B, T)."""
    raise NotImplementedError


# %% [markdown] id="coins-text"
# **You will often read that** scheduled sampling tosses its coin once for each *batch*; much code
# in tutorials does so. Three tables of 12 sentences, made by `mix_inputs` with a share of one half,
# once a token, once a sentence, once a batch:

# %% id="coins"
zeros, ones = torch.zeros(12, 24).long(), torch.ones(12, 24).long()
generator.manual_seed(3)
kinds = {"a token": mix_inputs(ones, zeros, 0.5, generator)}
kinds["a sentence"] = mix_inputs(ones[:, :1], zeros[:, :1], 0.5, generator).expand(12, 24)
kinds["a batch"] = mix_inputs(ones[:1, :1], zeros[:1, :1], 0.5, generator).expand(12, 24)
for name, table in kinds.items():
    changes = (table[:, 1:] != table[:, :-1]).sum(1).double().mean()
    print(f"a coin {name:10}: switches between gold and own: "
          f"{about(changes, 0, 16, '.1f')} times a sentence")

# %% id="coins-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(9, 2.9), sharey=True)
for ax, (name, table) in zip(axes, kinds.items()):
    ax.imshow(table, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    ax.set(title=f"one coin {name}", xlabel="target position t (tokens)")
    ax.grid(visible=False)
axes[0].set_ylabel("sentence of the batch")
fig.suptitle("What the decoder reads: gold (yellow) or its own word (dark blue)")
plt.show()

# %% [markdown] id="coins-alt"
# <details><summary>The figure in words</summary>
#
# Three tables of 12 sentences by 24 positions. With a coin a token, yellow and dark cells are
# scattered. With a coin a sentence, whole rows are yellow or dark. With a coin a batch, the entire
# table has one color, at this toss yellow.
#
# </details>

# %% [markdown] id="coins-read"
# On average over many batches all three read gold half of the time (the batch of the last table had
# gold at this toss). But the last two show the decoder only extremes: a sentence that is all gold,
# with nothing to recover from, or one that is all its own, in which nothing leads back after a
# mistake. Only the first of the three mixes within a sentence: *mostly right, with a mistake here
# and there*, and a right word again soon after it.
#
# A fourth kind is as common in tutorials: one coin for each *position*, tossed inside the loop over
# the steps, for all sentences of the batch. It does mix within a sentence, but all sentences mix
# alike. The recorded runs have it, too: ten seeds show no difference between it and the first kind.
#
# A table of own words cannot be had in advance, though: what the model writes at step $t$ depends
# on what it was fed before. So the loop has to run step by step, and toss as it goes.

# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# That loop is the next exercise. Here is one of the same shape, without coins: every *third* step
# reads gold, all others the most probable word of the step before. As it stands, the others read
# gold as well, so that this is teacher forcing. Mend the one line, and fewer digits will be right.

# %% id="faded"
step, state = stepper(model, batch)
tokens, third = batch.tgt_in[:, 0], []
for t in range(11):
    if t > 0 and t % 3 == 0:
        tokens = batch.tgt_in[:, t]
    elif t > 0:
        tokens = batch.tgt_in[:, t]  # yours: what has the last step just written?
    logits, state = step(tokens, state)
    third.append(logits.detach())
every_third = torch.stack(third, dim=1).argmax(-1)
right_digits = (every_third == batch.tgt_out)[:, :10].double().mean()
print(f"digits right: {about(right_digits, 0.6, 0.95)}")

# %% [markdown] id="ex-scheduled-run-text"
# ### Exercise 7.4 · The mixed run
# *Hard, 20 minutes.* `gold` (B, T) is `tgt_in` and begins with the start token; `coins` (B, T) are
# already tossed, True means gold. Step $t$ reads `gold[:, t]` where `coins[:, t]` is True, else the
# most probable word of step $t-1$ *of this very run*. The start token is always read, whatever its
# coin. Return the logits (B, T, V); a loss on them is to train the decoder, so their gradient must
# not be cut. With all coins up this is teacher forcing, with all coins down it must not look at any
# gold word after the start.
#
# <details><summary>Hint 1</summary>
#
# Begin with your solution of 7.2. What changes is only which tokens are read.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# At $t = 0$ there is no word of its own yet. From $t = 1$ on it is the most probable word by the
# logits found last, in this run, not in one that was fed gold.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Before each step but the first, two candidates (B,): a column of `gold` and the words just
# written. A column of `coins` chooses between them, sentence by sentence.
#
# </details>


# %% id="ex-scheduled-run" tags=["exercise"]
@exercise
def scheduled_run(step, state, gold, coins):
    """Logits (B, T, V); step t reads gold[:, t] where coins[:, t], else its own last word."""
    raise NotImplementedError


# %% id="scheduled"
step, state = stepper(model, batch)
for share, same in ((1.0, forced_logits), (0.5, None), (0.0, free_logits)):
    coins = torch.rand(batch.tgt_in.shape, generator=generator) < share
    mixed_logits = scheduled_run(step, state, batch.tgt_in, coins).detach()
    if same is not None:  # all coins up is the forced run, all coins down the free one
        torch.testing.assert_close(mixed_logits, same, atol=1e-4, rtol=1e-4)
    right_digits = (mixed_logits.argmax(-1) == batch.tgt_out)[:, :10].double().mean()
    low, high = {1.0: (0.75, 0.98), 0.5: (0.6, 0.92), 0.0: (0.45, 0.85)}[share]
    print(f"share of gold {share}: {about(right_digits, low, high)} of the digits right")

# %% [markdown] id="scheduled-read"
# All coins up, and it is the forced run; all coins down, the free one. Two more things about what
# lies between. The *choice* of a word has no gradient: what is fed is a whole number, the word's
# row in the embedding table, and nothing is propagated back through the argmax (the library
# detaches it, and Bengio et al. pass no gradient there either). And it costs: forced, all steps are
# one call of the recurrent layer; mixed, every step waits for the one before.
#
# In a training loop the whole method is one argument:
# `fit(model, batches, recipe, teacher_forcing=training.constant(0.5))`.

# %% id="cost"
calls, run_layer = [], model.decoder.run
model.decoder.run = lambda *given: calls.append(1) or run_layer(*given)  # the layer, counted
for share in (1.0, 0.5):
    calls.clear()
    model.features(batch.src, batch.src_mask, batch.tgt_in, share, generator)
    print(f"share {share}: {len(calls)} calls of the recurrent layer for 11 steps")
del model.decoder.run

# %% [markdown] id="sitting-two"
# **Here the first sitting ends.** You know what a decoder never sees in training, that its first
# mistake is its own and that exposure bias shows in the ones after it, and a training that
# shows it such prefixes. Whether that training helps is the question of the second sitting.

# %% [markdown] id="schedule-text"
# ## The schedule
#
# At the start of training the model's own words are noise, and reading noise teaches little. So
# $\epsilon$ begins near 1 and falls with the update $i$. Bengio et al. propose three ways:
#
# $$\text{linear: } \max(\epsilon_{min},\, k - c\,i) \qquad \text{exponential: } k^i,\; k < 1 \qquad
# \text{inverse sigmoid: } \frac{k}{k + e^{i/k}},\; k \ge 1$$
#
# In the linear one, $k$ is where the line begins, $c$ how much it falls at each update, and
# $\epsilon_{min}$ the least share of gold. In the two others $k$ sets how fast they fall; each has
# a $k$ of its own.

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
@exercise
def inverse_sigmoid(step, rate):
    """ε_i = k / (k + exp(i / k)) at step i with rate k, without overflow → a number."""
    raise NotImplementedError


# %% id="schedules"
families = {
    "constant 0.5": training.constant(0.5),
    "linear": training.linear(1 / 1500),
    "exponential": training.exponential(0.5 ** (1 / 500)),
    "inverse sigmoid": training.inverse_sigmoid(150),
}
print("update            0   500   750  1000  1500")
for name, schedule in families.items():
    print(f"{name:15}", "".join(f"{schedule(i):6.2f}" for i in (0, 500, 750, 1000, 1500)))
for i in range(0, 1501, 10):
    assert math.isclose(inverse_sigmoid(i, 150), families["inverse sigmoid"](i))

# %% id="schedules-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, (name, schedule) in enumerate(families.items()):
    look = {"color": figures.PALETTE[n], "linestyle": ["-", "--", "-.", ":"][n], "linewidth": 2}
    ax.plot(range(0, 1501, 10), [schedule(i) for i in range(0, 1501, 10)], label=name, **look)
ax.set(title="Four schedules for a training of 1,500 updates", xlabel="update i")
ax.set(ylabel="probability of gold (0 to 1)", ylim=(0, 1.03))
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="schedules-alt"
# <details><summary>The figure in words</summary>
#
# Four lines of the probability of gold over 1,500 updates. The constant one is level at 0.5. The
# linear one falls straight from 1 to 0. The exponential one falls fast at first and reaches about
# an eighth. The inverse sigmoid stays above 0.9 for about 400 updates, passes one half at about 750
# and ends near 0.
#
# </details>

# %% [markdown] id="schedules-read"
# The inverse sigmoid waits before it lets go, which is the reason for its odd form. It is one half
# at $i = k \ln k$, so we choose $k$ to put that point where we want it (150 puts it near the middle
# here). `fit(..., teacher_forcing=schedule)` asks the schedule at every update.

# %% [markdown] id="sweep-text"
# ## Does it help?
#
# Now the measurement. Recorded runs, several seeds of each: the same model, the same batches and
# the same 1,500 updates; only what is read differs. (`benchmarks/teacher_forcing_chapter.py` makes
# them; seed 1 with share 1 is the model trained above.) First, is the run trained above like the
# recorded one?

# %% id="record"
for kind, line in (("forced", forced_accuracy), ("free", free_accuracy)):
    there = recorded("gold", kind, "accuracy_at")  # (seeds, 11 positions)
    outside = (there.amin(0) - line).clamp(min=0) + (line - there.amax(0)).clamp(min=0)
    print(f"{kind:6}: {about(line[:10].mean(), 0.4, 0.98)} of the digits right, recorded from "
          f"{there[:, :10].mean(1).min():.2f} to {there[:, :10].mean(1).max():.2f}; outside the "
          f"range at a position by {about(outside.mean(), 0, 0.1)} on average")

# %% [markdown] id="sweep-predict"
# Three measures on 1,000 rows of 3 to 10 digits: (f) the **forced loss**, (l) the **free loss**,
# and (w) the share of rows that are right as a **whole**. As the share of gold goes from 1 down to
# one half: which get better *in at least four fifths of the seeds*? Answer with the letters, "fl"
# for the two losses, say, or "none".

# %% id="predict-sweep"
predict("07.sweep", ...)


# %% id="sweep-tools"
def told(values, form=".2f"):
    """Median of the seeds, and the lowest and the highest of them."""
    return f"{values.quantile(0.5):{form}} ({values.min():{form}} to {values.max():{form}})"


rows_with = torch.stack([(is_digit.sum(1) >= k).sum() for k in range(1, 11)]).double()


def of_seeds(variant, kind, what):
    """As recorded; "digits" is the share of right digits, the end token left out."""
    if what != "digits":
        return recorded(variant, kind, what)
    left = recorded(variant, kind, "mixed_left")[:, 1:11].double()  # by digits still to come
    return left @ rows_with / rows_with.sum()


def wins(variant, base, what, kind="free"):
    """In how many seeds it is better than ``base`` with the same seed."""
    gain = of_seeds(variant, kind, what) - of_seeds(base, kind, what)
    return ((gain < 0) if what == "loss" else (gain > 0)).sum().item()


shares = {"gold": 1.0, "three-quarters": 0.75, "half": 0.5, "quarter": 0.25, "own": 0.0}
panels = [("forced", "loss", "Forced loss", "loss (nats per token)")]
panels += [("free", "loss", "Free loss", "loss (nats per token)")]
panels += [("free", "whole", "Whole rows right", "share of rows (0 to 1)")]

# %% id="sweep-numbers"
measures = {"forced loss": ("forced", "loss"), "free loss": ("free", "loss")}
measures |= {"free digits right": ("free", "digits"), "whole rows": ("free", "whole")}
count = len(recorded("gold", "free", "loss"))
print(f"gold   median of {count} seeds (lowest to highest)")
print("       " + "".join(f"{name:21}" for name in measures).rstrip())
for variant, share in shares.items():
    columns = [f"{told(of_seeds(variant, *where)):21}" for where in measures.values()]
    print(f"{share:4.2f}   " + "".join(columns).rstrip())
print(f"\nbetter than gold alone, in how many of {count} seeds")
for variant, share in list(shares.items())[1:]:
    columns = [wins(variant, "gold", what, kind) for kind, what in measures.values()]
    print(f"{share:4.2f}   " + "".join(f"{won:<21}" for won in columns).rstrip())
print(f"by luck alone, all seeds on one side: in {2 / 2**count:.1%} of cases")
better = {w[0]: wins("half", "gold", w, k) >= 0.8 * count for k, w, *_ in panels[1:]}
better = {"f": wins("half", "gold", "loss", "forced") >= 0.8 * count, **better}
reveal("07.sweep", "".join(letter for letter, yes in better.items() if yes) or "none")

# %% id="sweep-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(10.5, 3.4))
for ax, (kind, what, title, label) in zip(axes, panels):
    seeds = torch.stack([recorded(v, kind, what) for v in shares])  # (5 shares, seeds)
    look = {"color": figures.PALETTE[1], "linewidth": 0.7, "marker": ".", "alpha": 0.6}
    thin = ax.plot(shares.values(), seeds, **look)
    middle = seeds.quantile(0.5, dim=1)
    thick = ax.plot(shares.values(), middle, "o-", color=figures.PALETTE[0], linewidth=2.5)
    ax.set(title=title, ylabel=label, xlabel="share of gold in training", xlim=(1.08, -0.08))
    ax.set_ylim(bottom=0)
axes[2].legend([thick[0], thin[0]], ["median", "a seed"], frameon=False,
               bbox_to_anchor=(1, 0.5), loc="center left")
fig.suptitle("Constant shares, recorded runs")
plt.show()

# %% [markdown] id="sweep-alt"
# <details><summary>The figure in words</summary>
#
# Three panels over the share of gold in training, from 1 down to 0: thin lines for the seeds, a
# thick one for their median. The seeds are spread widely in every panel. Forced loss: the median is
# low at shares 1 and 0.75 and rises to share 0. Free loss: the median is highest at share 1, and
# lower and nearly level at the others. Whole rows right: the median is highest at shares 1 and 0.75
# and lower at the others.
#
# </details>

# %% id="sweep-sure"
ends = [recorded("gold", "free", "loss_at")[:, place].quantile(0.5) for place in (8, 9)]
print(f"gold alone, free, positions 9 and 10 of ten: {ends[0]:.2f} and {ends[1]:.2f} nats; "
      f"guessing one of ten digits: {math.log(10):.2f}")
for kind in ("forced", "free"):
    middle = [of_seeds(variant, kind, "digits").quantile(0.5) for variant in ("gold", "own")]
    print(f"digits right, {kind:6}: gold alone {middle[0]:.2f}, own alone {middle[1]:.2f}")

# %% [markdown] id="sweep-read"
# Read it column by column.
#
# - *Free loss*: lower than with gold alone at every share, by the median and in nearly every seed.
#   That is not yet a decoder that finds its way back: gold alone is so sure of its wrong digits
#   that it costs more than guessing (the first line of the last cell), and a model that is merely
#   less sure costs less.
# - *Free digits right*: at no share do the seeds agree that there are more. So the free loss, too,
#   wants a second number beside it.
# - *Forced loss*: higher by the median at one half and below. So the gap between the two losses
#   closes from both sides; in the digits that are right it closes from the forced side (the last
#   two lines). A small gap alone is no virtue.
# - *Whole rows*: at a quarter and below there are *fewer*, in four fifths of the seeds or more; at
#   one half and above the seeds do not agree. A row is whole if it has no first mistake, and
#   nothing here says that mixing helps to avoid that one. The free loss can fall all the same: it
#   also counts what happens after the first mistake, and that is where the mixed runs gain, in
#   loss.
# - *The seeds*: the same program with another random start, and everything can be far better or far
#   worse. Look at the ranges: for whole rows the seed matters more than the share. One run of each
#   setting could have “proved” almost anything.

# %% [markdown] id="kinds-text"
# ### Whose coin?
#
# The same budget once more: three falling schedules, and the constant half with one coin for each
# token, each sentence, or each batch.

# %% id="kinds-numbers"
names = {"gold": "always gold", "linear": "linear 1 → 0", "exponential": "exponential"}
names |= {"inverse-sigmoid": "inverse sigmoid", "half": "0.5, a coin for each token"}
names |= {"half-sentence": "0.5, one for each sentence", "half-batch": "0.5, one for each batch"}
print("recorded, median of the seeds    free loss   free digits right   whole rows")
for variant, name in names.items():
    middle = [of_seeds(variant, "free", w).quantile(0.5) for w in ("loss", "digits", "whole")]
    print(f"  {name:30}{middle[0]:9.2f}{middle[1]:20.2f}{middle[2]:13.2f}")
for other in ("half-sentence", "half-batch"):
    won = [wins("half", other, what) for what in ("loss", "digits", "whole")]
    print(f"a coin a token beats {other}, of {count} seeds: free loss in {won[0]}, "
          f"digits right in {won[1]}, whole rows in {won[2]}")

# %% id="kinds-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.8), sharey=True)
for ax, (kind, what, title, label) in zip(axes, panels[1:]):
    for row, variant in enumerate(names):
        points = recorded(variant, kind, what)
        kind_of = 0 if row == 0 else 1 + (row > 3)  # gold, a schedule, a constant half
        look = {"color": figures.PALETTE[kind_of], "marker": "osD"[kind_of], "linestyle": ""}
        ax.plot(points, [row] * len(points), alpha=0.5, **look)
        middle = points.quantile(0.5)
        ax.plot([middle, middle], [row - 0.3, row + 0.3], color="black", linewidth=2)
    ax.set(title=title, xlabel=label)
axes[0].set_yticks(range(len(names)), names.values())
axes[0].invert_yaxis()
fig.suptitle("The same budget, recorded runs: a point a seed, a stroke their median")
plt.show()

# %% [markdown] id="kinds-alt"
# <details><summary>The figure in words</summary>
#
# Two dot plots of seven ways of feeding, a point a seed, a stroke at the median; the points of each
# way are spread widely and overlap with those of all others. Free loss: the stroke of always gold
# is far to the right of the six others, which lie close together. Whole rows right: the stroke of
# always gold is farthest to the right.
#
# </details>

# %% [markdown] id="kinds-read"
# By the medians the six ways of mixing can hardly be told apart; no falling schedule stands out.
# The *pairs* say more, the same seed fed in two ways: a coin for each token beats a coin for a
# sentence in four fifths of the seeds, in digits right and in whole rows. That is the order which
# the footnote of Bengio et al. reports, though here it is not “much worse”; and the picture of the
# coins suggests why: one coin a sentence never mixes gold and own words within it. Against one coin
# for a batch, which does not mix them either, it wins a little more than half of the seeds, as a
# tossed coin might. Whatever it costs, the coin a batch is *not* the method of the paper.

# %% [markdown] id="budget-text"
# ### The budget decides, too
#
# One more thing that a single table hides: how long we trained. Half and twice the updates, the
# rest as before.

# %% id="budget-numbers"
budgets = {"-short": 750, "": 1500, "-long": 3000}
print("recorded, median of the seeds (lowest to highest)")
print("updates   fed with       free loss            whole rows")
for end, updates in budgets.items():
    for variant, name in {"gold": "gold", "half": "half gold", "own": "its own word"}.items():
        columns = [told(recorded(variant + end, "free", what)) for what in ("loss", "whole")]
        print(f"{updates:7}   {name:15}{columns[0]:21}{columns[1]}")
print(f"\nhalf gold better than gold alone, in how many of {count} seeds")
print("updates   free loss   free digits right   whole rows")
for end, updates in budgets.items():
    won = [wins("half" + end, "gold" + end, what) for what in ("loss", "digits", "whole")]
    print(f"{updates:7}   {won[0]:<12}{won[1]:<20}{won[2]}")

# %% [markdown] id="budget-read"
# At 750 updates few rows are whole, at 3,000 most are: the budget matters far more than the
# feeding. On *whole rows* the seeds agree at no budget whether half gold is better than gold alone.
# Whoever tries one seed at one budget may report that scheduled sampling helps or that it does
# harm, and be right about that run. The free loss is lower with half gold in nearly every seed at
# the two shorter budgets, and in fewer at the long one, when there is less left to repair; the free
# run has more digits right in more than half of the seeds at the shortest budget only. (An update
# with mixing also takes longer, since every step waits for the one before: equal updates are not
# equal time.)

# %% [markdown] id="translate-text"
# ### Sampled words, in a translator
#
# *Scheduled sampling* has its name from *sampling*: Bengio et al. allow to feed a word that is
# **drawn** from what the model predicts, in place of its most probable one. Korean to English, the
# easy corpus of this book, sources of at most 20 tokens, chapter 5's model with attention, 800
# updates, ten seeds of each (recorded with `--task translate`): always gold; half gold and half its
# most probable words; half gold and half drawn words; a share of gold that falls from 1 to 0, with
# drawn words. Whatever was fed in training, all four then read their own most probable words.

# %% id="translate"
ways = {"gold": "always gold", "half": "half, most probable words"}
ways |= {"half-drawn": "half, drawn words", "linear-drawn": "1 to 0, drawn words"}


def show_translations(name):
    """Medians of a record's seeds, and in how many of them a way does worse than gold."""
    runs = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["runs"]
    table_of = {}
    for run in runs:
        row = [run["forced"]["loss"], run["free"]["loss"], 100 * run["free"]["accuracy"]]
        row += [run["bleu"], run["others"]["test_composition"]["bleu"]]
        table_of.setdefault(run["variant"], []).append(row)
    tables = {variant: torch.tensor(rows) for variant, rows in table_of.items()}
    print(f"{runs[0]['updates']:,} updates, {len(tables['gold'])} seeds: the median; BLEU on "
          f"{runs[0]['sentences']} test sentences, and on compositions never seen")
    print(f"{'':27}      loss              free,")
    print(f"{'':27}forced    free   words right    BLEU  unseen   seeds worse than gold")
    for variant, way in ways.items():
        middle = tables[variant].quantile(0.5, dim=0)
        more = (tables[variant] > tables["gold"]).sum(0)[:2].tolist()
        less = (tables[variant] < tables["gold"]).sum(0)[3]
        worse = f"   forced {more[0]}, free {more[1]}, BLEU {less}" if variant != "gold" else ""
        print(f"{way:26}{middle[0]:7.3f}{middle[1]:8.3f}{middle[2]:11.1f} %{middle[3]:9.1f}"
              f"{middle[4]:8.1f}{worse}")
    drawn, best = (tables[variant][:, 1] for variant in ("half-drawn", "half"))
    print(f"half: drawn words have the lower free loss in {(drawn < best).sum()} of {len(best)} "
          "seeds")


show_translations("07_translate")

# %% [markdown] id="translate-read"
# First of all: this is the ceiling. Fed gold alone, the model is right nearly everywhere, and where
# nearly nothing goes wrong, a remedy can do little but harm. In this setting it does a little: all
# three ways of mixing have higher losses, forced and free, than gold alone, in eight of ten seeds
# and more. Whether its own words are drawn or its best guesses makes no difference that the seeds
# let us see. The honest sentence is: *no improvement seen, and a small price, where there was
# nothing to repair*.
#
# And where more goes wrong? `ko-en` is the larger corpus of this book, with many times as many
# words. The same four ways there (recorded with `--corpus ko-en`). Before you look: the free loss
# of gold alone is now several times its forced loss. Will mixing lower it? And will the
# translations be better for it?

# %% id="translate-larger"
show_translations("07_translate_ko-en")

# %% [markdown] id="translate-larger-read"
# Now there is something to repair, and mixing repairs it: every way has a much lower free loss, in
# every seed. **And every way translates worse**, most of all the one that ends without gold. The
# column of the words tells what happened: with none of the three ways has the free run more words
# right than before, and fed with drawn words it has fewer in every seed. So fewer nats are paid for
# as many mistakes or more: the model has become less *sure* of them, which a loss rewards and a
# translation does not show. The forced loss has gone up for the same reason, or because a model
# that is trained on bad prefixes as well has less left for the good ones; these runs do not tell
# the two apart.
#
# So two measures of the *free* run disagree, and the one that mixing trains for is the wrong one
# here. The digits hinted at it; this is the same in a translator.

# %% [markdown] id="paper-text"
# ### What papers measured
#
# [Bengio et al. (2015)](D_papers.ipynb#cell-id=bengio-2015) found it useful. Captions of pictures
# (MSCOCO), BLEU-4: 28.8 with teacher forcing, 30.6 with scheduled sampling, 11.2 when the model
# *always* read its own words. In speech (TIMIT), the gap itself was large: 15.0 % wrong frames when
# the next one was predicted from gold, 46.0 % when decoding; scheduled sampling brought decoding to
# 34.5 %, and there, always reading its own words did nearly as well (35.8 %). [Ranzato et al.
# (2016)](D_papers.ipynb#cell-id=ranzato-2016) report 17.7 BLEU for German–English with teacher
# forcing and 20.1 with a relative of scheduled sampling (data as demonstrator; greedy). [Lamb et
# al. (2016)](D_papers.ipynb#cell-id=lamb-2016) keep gold and train the *states* instead:
# **professor forcing** has a second network guess whether a run was forced or free, and trains the
# decoder until it cannot tell. So mixing *can* help. Our runs do not contradict that; they say that
# it has to be measured, on the task at hand.

# %% [markdown] id="improper-text"
# ## What does it teach, given all the time in the world?
#
# There is a deeper doubt, from [Huszár (2015)](D_papers.ipynb#cell-id=huszar-2015). A language of
# two sentences, each said half of the time: *A A* and *B B*. Teacher forcing has an easy task: the
# second word equals the one it reads. With scheduled sampling the model sometimes reads *its own*
# first word, while the second word to be predicted still comes from the *gold* sentence. If it
# wrote A and the gold sentence was B B, it is taught: after A comes B.
#
# With probability $\epsilon$ the word it reads is gold, and then gold's second word is the same for
# certain. Else it reads a word drawn without looking at gold, and gold's second word is the same
# only half of the time. So this is what it learns:
#
# $$q(\text{same} \mid \text{first}) = \epsilon \cdot 1 + (1 - \epsilon) \cdot \tfrac12
# = \frac{1 + \epsilon}{2}.$$
#
# With $\epsilon = 0$, which share of what the trained model says (0 to 1) is not in the language at
# all?

# %% id="predict-improper"
predict("07.improper", ...)


# %% id="improper"
def two_words(share):
    """Learn p(first) and p(second | first) of the language AA, BB with scheduled sampling."""
    draw = torch.Generator().manual_seed(0)
    first_word, second = torch.zeros(2, requires_grad=True), torch.zeros(2, 2, requires_grad=True)
    optimizer = torch.optim.Adam([first_word, second], lr=0.1)
    for update in range(300):
        gold = torch.randint(2, (400, 1), generator=draw)  # 0 is A A, 1 is B B
        own = first_word.detach().softmax(-1).multinomial(400, True, generator=draw).unsqueeze(1)
        read = mix_inputs(gold, own, share, draw).squeeze(1)
        loss = F.cross_entropy(first_word.expand(400, 2), gold.squeeze(1))
        loss = loss + F.cross_entropy(second[read], gold.squeeze(1))
        optimizer.param_groups[0]["lr"] = 0.1 * (1 - update / 300)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    p = first_word.softmax(-1)
    return (p @ second.softmax(-1).diagonal()).item()  # how often it says AA or BB


# %% id="improper-numbers"
tried = [1.0, 0.75, 0.5, 0.25, 0.0]
same_word = [two_words(share) for share in tried]
print("share of gold   not in the language   promised, (1 − ε) / 2")
for share, found_share in zip(tried, same_word):
    promised = (1 - share) / 2
    outside = about(1 - found_share, promised - 0.05, promised + 0.05)
    print(f"     {share:4.2f}             {outside}               {promised:.3f}")
reveal("07.improper", 1 - same_word[-1], within=0.05)

# %% [markdown] id="improper-read"
# The more of its own words the model reads, the more it forgets that the two words belong together;
# at $\epsilon = 0$ it has learned how often each word is said *in each place*, and nothing else,
# and half of its sentences do not exist. More data and more training make this *more* exact, not
# better. Teacher forcing is maximum likelihood and has no such fault. This is what Huszár means
# when he calls the objective *improper*: the model that minimizes it is not the language. And it is
# why a schedule that goes all the way to 0 and stays there is a gamble.
#
# Our digits do not suffer from it: each row has one answer, so gold's next digit is right whatever
# was written before. Languages lie in between: the source sentence decides much, and the words
# already written decide the rest.

# %% [markdown] id="risk-text"
# ## Train on the measure itself
#
# There is a way to train without any gold prefix. Let the model write whole sentences $y$, ask of
# each what it *costs*, $\Delta(y)$, one minus its BLEU, say, and make the expected cost small. This
# is the **risk**, and to lower it **minimum risk training** ([Shen et al.
# 2016](D_papers.ipynb#cell-id=shen-2016); [Och 2003](D_papers.ipynb#cell-id=och-2003) did so for
# the few weights of an older kind of translator):
#
# $$R = \sum_y p(y \mid x)\, \Delta(y), \qquad \nabla R = \sum_y p(y \mid x)\,
# \bigl(\Delta(y) - R\bigr)\, \nabla \log p(y \mid x).$$
#
# Read the gradient: a sentence that costs more than the average is made less probable, one that
# costs less more probable, and $\Delta$ itself need not have a gradient, so that any measure will
# do. The sum over all sentences is out of reach; one takes a few candidates and lets their
# probabilities sum to 1. Here are four for chapter 00's sentence, with a person's *Two women drink
# coffee in the park* for the judge.

# %% id="risk"
reference = "Two women drink coffee in the park."
candidates = [
    "Two women are drinking coffee in the park.",
    "Two women drinking coffee in the park.",
    reference,
    "Two women are drinking in the park.",
]
german_words = german.src_vocabulary.encode("Zwei Frauen trinken im Park Kaffee.")
four = make_batch([german_words] * 4, [english.encode(text) for text in candidates])
with torch.no_grad():
    each = german.model(four.src, four.src_mask, four.tgt_in)[0].log_softmax(-1)
each = each.gather(2, four.tgt_out.unsqueeze(2)).squeeze(2)  # log p of every word, fed gold
log_p = (each * four.tgt_mask).sum(1).requires_grad_()
bleu = [metrics.sentence_bleu(text, reference).score / 100 for text in candidates]
costs = 1 - torch.tensor(bleu)

# %% id="risk-push"
q = log_p.softmax(0)  # among the four
risk = q @ costs
log_p.grad = None
risk.backward()
torch.testing.assert_close(log_p.grad, (q * (costs - risk)).detach())  # the formula
print(f"risk {risk:.2f}\n    q   cost   push of log p")
for share, cost, slope, text in zip(q, costs, log_p.grad, candidates):
    print(f"{share:5.2f}  {cost:5.2f}  {-slope:+6.3f}         {text}")

# %% [markdown] id="risk-read"
# The most probable candidate costs more than the average and is pushed down, the judge's own
# sentence is pushed up, and nothing was said about single words or prefixes. But look at *what* is
# pushed down: a good translation, because one person once wrote *drink*. The one bad translation,
# without the coffee, is hardly pushed: its $q$ is almost 0. Whoever trains on a measure gets what
# it measures, its blindness included (chapter 9).
#
# What does such a training learn in the end? The language of two sentences again; but now *A A* is
# said with probability 0.6, *B B* with 0.4. A sentence costs 1 unless it is the one that was said.
# All sums can be written out here, so nothing is drawn. How often (0 to 1) will the model that
# minimizes the risk say *A A*?

# %% id="predict-risk"
predict("07.risk", ...)

# %% id="objectives"
often = torch.tensor([0.6, 0.4])  # A A, B B


def learned(objective):
    """p of AA, AB, BA, BB (2, 2), after training on one of three objectives, exactly."""
    start, after_word = torch.zeros(2, requires_grad=True), torch.zeros(2, 2, requires_grad=True)
    optimizer = torch.optim.Adam([start, after_word], lr=0.1)
    for _ in range(500):
        p, then = start.softmax(-1), after_word.softmax(-1)
        if objective == "likelihood":  # teacher forcing
            loss = -(often * (p.log() + then.diagonal().log())).sum()
        elif objective == "own words":  # scheduled sampling with ε = 0
            loss = -(often * p.log()).sum() - (p.detach().unsqueeze(1) * often * then.log()).sum()
        else:
            loss = 1 - (often * p * then.diagonal()).sum()  # the risk
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (p.unsqueeze(1) * then).detach()


# %% id="objectives-table"
print("                     A A     B B     A B or B A")
print("the language         0.60    0.40    0.00")
for objective in ("likelihood", "own words", "risk"):
    said_by_it = learned(objective)
    aa, bb = said_by_it.diagonal()
    low = {"likelihood": 0.58, "own words": 0.34, "risk": 0.95}[objective]
    print(f"{objective:19}", "  ", "   ".join((about(aa, low, low + 0.05), about(bb, 0, 0.42),
          about(1 - aa - bb, 0, 0.5))))
reveal("07.risk", aa, within=0.1)

# %% [markdown] id="objectives-read"
# Three objectives, three different students. *Likelihood* learns the language. *Its own words*
# learns how often each word is said in each place. *Risk* never says what is not in the language,
# and forgets that there was a second sentence: it is not paid for knowing how often things are
# said, but for being right as often as possible. For a translator that may be just what one wants.
#
# **What papers found.** [Ranzato et al. (2016)](D_papers.ipynb#cell-id=ranzato-2016) begin with
# teacher forcing and pass over to the measure a few words at a time, from the end of the sentence
# to its front: 20.7 BLEU, where teacher forcing had 17.7 (greedy; with a beam of ten about 21.8 and
# 20.3 are reported, and there the relative of scheduled sampling had more, about 22.4). [Shen et
# al. (2016)](D_papers.ipynb#cell-id=shen-2016) report gains over maximum likelihood in several
# pairs of languages. [Wang and Sennrich (2020)](D_papers.ipynb#cell-id=wang-2020) trained
# translators both ways and tested them on texts of other kinds: minimum risk made hallucinations
# rarer there, and they conclude that it can be worth its price even where it gains nothing on texts
# of the usual kind. (They also link exposure bias to the harm that a wide beam does, a matter of
# chapter 8.) The price: the model must write several sentences for every one that it is given.

# %% [markdown] id="loss-text"
# ## The validation loss that people report
#
# "Validation loss 0.4" is a sentence with a hole in it. Fed what? Averaged how? Let us build the
# right one first. It is the mean over *real tokens* of $-\log p(\text{gold token})$.
#
# In training, a smoothed version is common (**label smoothing**, 라벨 스무딩; [Szegedy et al.
# 2016](D_papers.ipynb#cell-id=szegedy-2016)): the target is not 1 for the right word and 0 for the
# rest, but
#
# $$q = (1 - \varepsilon)\,\mathrm{onehot}(y) + \varepsilon / V, \qquad
# \ell = -\sum_v q_v \log p_v
# = (1-\varepsilon)\,(-\log p_y) + \varepsilon \cdot \frac1V \sum_v (-\log p_v).$$
#
# Here $V$ is the number of words in the vocabulary, and $\mathrm{onehot}(y)$ is 1 at the right word
# $y$ and 0 at all others. (This $\varepsilon$ has nothing to do with the coin's $\epsilon$; the
# papers use the same letter.)

# %% [markdown] id="ex-token-cross-entropy-text"
# ### Exercise 7.6 · Cross-entropy, smoothed
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
    """Mean smoothed cross-entropy in nats. logits (N, V), targets (N,) → scalar tensor ()."""
    raise NotImplementedError


# %% id="smooth"
some_logits = torch.randn(6, 5, generator=generator)
some_targets = torch.tensor([0, 1, 2, 3, 4, 0])
for smoothing in (0.0, 0.1):
    ours = token_cross_entropy(some_logits, some_targets, smoothing)
    theirs = F.cross_entropy(some_logits, some_targets, label_smoothing=smoothing)
    torch.testing.assert_close(ours, theirs)
certain = torch.tensor([[0.0, 30.0]])
for smoothing in (0.0, 0.1):
    loss = token_cross_entropy(certain, torch.tensor([1]), smoothing)
    print(f"certain and right, smoothed by {smoothing}: {abs(loss):.2f}")

# %% [markdown] id="smooth-read"
# (That it equals torch's is asserted.) The smoothed loss of a prediction that is certain and right
# is *not* 0: it punishes certainty, and that is its purpose. So it can never be read as a
# likelihood, and exp of it is not a perplexity.

# %% [markdown] id="ex-masked-cross-entropy-text"
# ### Exercise 7.7 · ... of a padded batch
# *Core, 8 minutes.* `logits` (B, T, V), `targets` and `mask` (B, T), mask True at real tokens.
# Return the loss per real token, a scalar tensor with its gradient. A test you can make yourself:
# two more columns of padding must change nothing. `F.cross_entropy` may be used here (it is
# imported).
#
# <details><summary>Hint 1</summary>
#
# A boolean mask picks: of a table (B, T) indexed with it, the N real tokens are left, in one row.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The same index on a tensor (B, T, V) leaves (N, V). Padding is gone before anything is computed.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Index both, and hand what is left to a function of torch that takes (N, V), (N,) and the smoothing
# as a keyword.
#
# </details>


# %% id="ex-masked-cross-entropy" tags=["exercise"]
@exercise
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    """Loss per real token in nats. logits (B, T, V), targets, mask (B, T) → scalar tensor ()."""
    raise NotImplementedError


# %% [markdown] id="reports-text"
# Now six numbers that have all been called *validation loss*, of the first model, on one set of
# 1,000 rows. (exp of any of them has been called *perplexity*: between how many equally likely
# words the model hesitates. Chapter 10 has an exercise on that.) The first is the right one. The
# others are
#
# - the mean of the batches' means (the batches hold rows of like length);
# - the sum divided by the number of all cells of the table, padding included;
# - padding counted as a word;
# - the smoothed loss;
# - the loss of a free run.
#
# How many of these five are *lower* than the right one?

# %% id="predict-reports"
predict("07.reports", ...)


# %% id="reports"
@torch.no_grad()
def logits_of(batch, share=1.0):
    return model.output(model.features(batch.src, batch.src_mask, batch.tgt_in, share)[0])


test_batches = list(Batches([x for x, _ in test], [y for _, y in test], size=32).epoch(0))
means = [masked_cross_entropy(logits_of(b), b.tgt_out, b.tgt_mask).item() for b in test_batches]
sizes = [int(b.tgt_mask.sum()) for b in test_batches]
total = sum(mean * size for mean, size in zip(means, sizes))
assert math.isclose(total / sum(sizes), teacher_forced_loss(model, test_batches), rel_tol=1e-4)
assert math.isclose(math.exp(total / sum(sizes)), training.perplexity(total, sum(sizes)))

# %% id="reports-six"
goal, real = mixed.tgt_out, mixed.tgt_mask  # all 1,000 rows in one table, with much padding
forced_all, free_all = logits_of(mixed), logits_of(mixed, 0.0)
reports = {"forced, per real token": total / sum(sizes)}
reports["mean of the batches' means"] = sum(means) / len(means)
reports["divided by padding, too"] = total / real.numel()
reports["padding as a word"] = F.cross_entropy(forced_all.flatten(0, 1), goal.flatten()).item()
reports["smoothed by 0.1"] = masked_cross_entropy(forced_all, goal, real, 0.1).item()
reports["free-running"] = masked_cross_entropy(free_all, goal, real).item()
bands = [(0.04, 0.35), (0.03, 0.3), (0.02, 0.22), (2, 15), (0.5, 2), (0.2, 1.2)]
truth = reports["forced, per real token"]
for (name, value), (low, high) in zip(reports.items(), bands):
    verdict = "" if value == truth else "   too low" if value < truth else "   higher"
    print(f"{name:28}{about(value, low, high, '.3f')}{verdict}")
reveal("07.reports", sum(value < truth for value in reports.values()))

# %% id="reports-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8, 3.4))
colors = [figures.PALETTE[0], *[figures.PALETTE[1]] * 4, figures.PALETTE[2]]
for place, value in enumerate(reports.values()):
    ax.plot(value, place, "Doooos"[place], color=colors[place], markersize=8)
look = {"xytext": (10, 0), "textcoords": "offset points", "va": "center"}
look["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1}
for place, value in enumerate(reports.values()):
    ax.annotate(f"{value:.3f}", (value, place), **look)
ax.axvline(truth, color="#444444", linewidth=1, linestyle=":")
ax.set_yticks(range(6), list(reports))
ax.invert_yaxis()
ax.set(title="Six “validation losses” of one model on the same rows", xscale="log")
ax.set_xlabel("loss (nats, logarithmic)")
ax.margins(x=0.2)
plt.show()

# %% [markdown] id="reports-alt"
# <details><summary>The figure in words</summary>
#
# Six points on a logarithmic axis of loss. The forced loss per real token, a diamond, lies just
# below 0.1; the mean of the batches' means and the one divided by padding lie left of it, the
# free-running one, a square, at about five times as much, the smoothed one near 1 and the one with
# padding as a word far to the right, above 6.
#
# </details>

# %% [markdown] id="reports-read"
# - *Mean of the batches' means*: a batch of short rows weighs as much as one of long rows. Short
#   rows are easier, so the number flatters.
# - *Divided by padding, too*: the losses at padding were set to 0, but the sum is divided by all
#   cells of the table. The more padding, the better the model seems.
# - *Padding as a word*: this model was never asked to predict padding and is very wrong about it.
#   (A model trained *with* it predicts it for certain, and the number flatters.)
# - *Smoothed*: the training loss, not a likelihood.
# - *Free-running*: a number in its own right, and the only one of the six that has felt exposure
#   bias. But exp of it is no perplexity, for it is not the probability of the gold text: it needs
#   a name of its own. Where many answers are right it is not even fair: it goes on punishing a good
#   translation that began with another word. There one translates and measures BLEU (chapter 9).
#
# It is tempting to say that the forced loss is blind and the free one tells how the model behaves
# when it is left alone. Over the runs of `07_reverse` and of `07_translate_ko-en` the *forced* loss
# ranks them almost as whole rows and BLEU do. The free loss ranks the digits less well than that,
# and the translators of the larger corpus the wrong way round (`python benchmarks/correlations.py`
# prints both, with their limits: among nearly perfect translators, on the easy corpus, the two are
# about equally good).

# %% [markdown] id="honest-text"
# ### What an honest report says
#
# 1. The forced loss per real token, without smoothing, and a *free* measure of the task (accuracy,
#    BLEU), both named.
# 2. Every variant with the same number of updates, and what an update cost.
# 3. Several seeds, all of them shown, with their median, so that one failed training does not
#    decide; a difference inside their spread is "no difference seen".
# 4. What got worse as well as what got better. Ours in one sentence: on reversed digits, without
#    attention, mixing lowered the free loss in nearly every seed, in good part by making the model
#    less sure of its mistakes; half gold made no difference to whole rows that the seeds let us
#    see, and less gold than that cost some; in a translator with attention, right nearly
#    everywhere, it cost a little and gained nothing.

# %% [markdown] id="experiment-text"
# ## Open experiment: another way to meet mistakes
#
# *40 minutes, no check.* Scheduled sampling shows the decoder its *own* mistakes, and must wait for
# each step to make them. Choose **one** other way to bring wrong words into the prefix, which costs
# nothing: one input in ten is replaced by a *random* digit (`"noise"`), or by the token for unknown
# words (`"unknown"`), or by something of your own. Before you run it, write down two numbers and
# why: the share of whole rows, and the accuracy after a planted digit, both beside those of the
# unchanged training. Then put the name in place of `None`, run, and report.
#
# | a report that convinces | |
# |---|---|
# | prediction | both numbers written before the run, with a reason |
# | one change | rows, updates and learning rate as above |
# | seeds | at least three, the same for both; all shown |
# | two measures | one that only sees the first mistake, one that sees what comes after |
# | conclusion | could have come out otherwise, and says what it does not show |

# %% id="experiment"
CHANGE = None  # "noise", "unknown", or one of your own


class Changed(Seq2Seq):
    """In training, one input word in ten is replaced, whatever the coins say."""

    def features(self, src, src_mask, tgt_in, teacher_forcing=1.0, generator=None):
        if self.training:
            replaced = torch.rand(tgt_in.shape) < 0.1
            replaced[:, 0] = False  # the start token stays
            other = torch.ones_like(tgt_in)  # 1 is the token for unknown words
            if CHANGE == "noise":
                other = torch.randint_like(tgt_in, 4, 14)
            tgt_in = torch.where(replaced, other, tgt_in)
        return super().features(src, src_mask, tgt_in, teacher_forcing, generator)


if CHANGE is not None:
    for seed in (1, 2, 3):  # about half a minute each
        for kind in (Seq2Seq, Changed):
            seed_everything(seed)
            trained = make_model(kind=kind)
            fit(trained, batches, recipe, progress=False)
            result = after_planting(trained)
            print(f"seed {seed}, {kind.__name__}: {result['rows'] / 500:.2f} of the rows whole, "
                  f"{result['wrong'][:7].mean():.2f} right after a planted digit")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Teacher forcing feeds gold in training; at inference there is no gold, the decoder reads its own
#   words.
# - Until its first mistake a greedy decoder reads gold; what exposure bias does, it does after
#   that.
# - What happens after hangs on the model. Without attention one planted digit brought nearly all
#   that followed to guessing; with attention, trained in the same way, hardly anything was lost. A
#   real translator goes on as well, but tells its story as if the wrong word were true.
# - Scheduled sampling tosses a coin for every token. A coin a sentence or a batch is another
#   method.
# - On the digits it lowered the free loss, in good part by making the model less sure of its
#   mistakes; it made no more rows whole that the seeds let us see, and with little gold fewer. The
#   seed mattered more than the share: measure it, with several seeds.
# - On the larger Korean corpus it lowered the free loss in every seed, and BLEU too: a lower free
#   loss is not a better translation.
# - However long it trains, scheduled sampling learns the wrong distribution where a word depends on
#   the words before it and not on the source alone. Minimum risk learns to decide, not to describe.
# - A validation loss is forced or free, per token or not, smoothed or not: the report has to say.
#
# **Left out.** Passing a gradient through the choice of a word; minimum risk training of a whole
# translator, and professor forcing, of which you saw the idea only; the view of imitation learning,
# where the same trouble is known since DAgger ([Ross et al.
# 2011](D_papers.ipynb#cell-id=ross-2011)); real text, on which the papers above did gain.
#
# **Papers.** [Williams and Zipser 1989](D_papers.ipynb#cell-id=williams-1989); [Bengio, Vinyals,
# Jaitly and Shazeer 2015](D_papers.ipynb#cell-id=bengio-2015) (§2.4, Tables 1 and 3); [Ranzato,
# Chopra, Auli and Zaremba 2016](D_papers.ipynb#cell-id=ranzato-2016); [Huszár
# 2015](D_papers.ipynb#cell-id=huszar-2015); [Lamb et al. 2016](D_papers.ipynb#cell-id=lamb-2016);
# [Shen et al. 2016](D_papers.ipynb#cell-id=shen-2016) and [Och
# 2003](D_papers.ipynb#cell-id=och-2003) (minimum risk); [Wang and Sennrich
# 2020](D_papers.ipynb#cell-id=wang-2020); [He et al. 2021](D_papers.ipynb#cell-id=he-2021); [Arora
# et al. 2022](D_papers.ipynb#cell-id=arora-2022); [Ross, Gordon and Bagnell
# 2011](D_papers.ipynb#cell-id=ross-2011); [Szegedy et al.
# 2016](D_papers.ipynb#cell-id=szegedy-2016) (§7).
#
# **Next.** The decoder now reads its own word, the most probable one at every step. Is the most
# probable word at every step the way to the most probable sentence? [Chapter
# 08](08_beam_search.ipynb) searches.
