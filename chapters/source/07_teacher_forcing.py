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
# translates. Measure the difference position by position. Write scheduled sampling with a coin for
# every token, draw its schedules, and report what it bought and what it cost. Recognise five
# numbers that pass for the validation loss and are something else.
#
# **What you need.** An encoder and a decoder (chapter 3), the shift of the target by one
# (chapters 3 and 5). Attention is needed in one section only.
#
# **Time.** 40 minutes to read, 70 more for the seven exercises, at most half a minute to run with
# one thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import json
import math
import random

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import exercise, progress
from attnlib import figures, training
from attnlib.data import Batches, bundled_directory, make_batch
from attnlib.device import seed_everything
from attnlib.model import Encoder, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit, teacher_forced_loss

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(7)

# %% [markdown] id="note-text"
# ## A sentence to put right
#
# A decoder writes one word after another, and before each it reads the previous word. Which one?
# The lecture notes say: in training, even after a wrong prediction, the right word is put in, and
# this is called **teacher forcing**. So it is. (The name is from [Williams and Zipser
# 1989](D_papers.ipynb#cell-id=williams-1989); the right word is also called *gold* or *ground
# truth*, GT.) Then the notes go on: at **inference**, "even if it went wrong, it is put in again as
# GT".
#
# If that means that the wrong word goes in *as if* it were right, it is exactly so. But it is
# easily read as "the GT is put in again", and that would be a slip, one worth a chapter. At
# inference there **is** no right word: if we had the translation, we would need no translator. The
# decoder reads *what it has written itself*. So it is trained on one kind of input and used on
# another. (Perhaps the lecture spoke of the validation *loss*, for which gold is indeed fed once
# more. The last section is about that.)
#
# Here is a decoder small enough to see it: a table that gives one next word for each word it reads.
# The source is `나는 집에 간다` (*I · to home · go*), the right translation *I go home .*

# %% id="table-decoder"
knows = {"<s>": "I", "I": "went", "go": "home", "went": "to", "to": "house"}
knows |= {"home": ".", "house": "."}
gold = ["I", "go", "home", "."]

forced = [knows[word] for word in ["<s>", *gold[:-1]]]  # reads the right word, every time
free = ["<s>"]
while free[-1] != "." and len(free) < 8:
    free.append(knows[free[-1]])  # reads its own word
print("right: ", " ".join(gold))
print("forced:", " ".join(forced))
print("free:  ", " ".join(free[1:]))

# %% [markdown] id="table-decoder-read"
# The table has one fault: after *I* it says *went*. Forced, that costs one word, for the next input
# is *go* again. Free, it reads *went*, is led to *to* and *house*, and does not find its way back.
# The fault is the same; the damage is not. [Ranzato et al.
# (2016)](D_papers.ipynb#cell-id=ranzato-2016) named the cause **exposure bias**: in training the
# model is never exposed to its own words.

# %% [markdown] id="task-text"
# ## A task in which right and wrong are certain
#
# A sentence has many right translations, and one extra word shifts all that follow. To compare
# *position by position* we need a task with exactly one right answer at every place: a row of 3 to
# 10 random digits, to be written backwards. The model is chapter 3's, without attention: everything
# must pass through one vector, so it does make mistakes.


# %% id="task"
def reversed_digits(count, seed, shortest=3, longest=10):
    """Rows of random digits and the same rows backwards; the token of digit d is d + 4."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        length = draw.randint(shortest, longest)
        rows.append([4 + draw.randrange(10) for _ in range(length)])
    return [(row, row[::-1]) for row in rows]


train, test = reversed_digits(20_000, seed=1), reversed_digits(1000, seed=2)
for name, row in zip(("source", "target"), test[4]):
    print(name, [token - 4 for token in row])


# %% id="model"
def make_model():
    source, target = nn.Embedding(14, 32), nn.Embedding(14, 32)  # 4 special tokens, 10 digits
    for table in (source, target):
        nn.init.normal_(table.weight, std=32**-0.5)
    return Seq2Seq(Encoder(source, 96), PlainDecoder(target, 96, 96, 32), nn.Linear(32, 14))


seed_everything(1)
model = make_model()
batches = Batches([x for x, _ in train], [y for _, y in train], size=32, seed=1)
recipe = Recipe(
    updates=1500, warmup=100, learning_rate=8e-3, label_smoothing=0.0,
    validate_every=1500, precision="fp32", seed=1,
)  # fmt: skip

# %% [markdown] id="train-text"
# The training, with teacher forcing: every step reads gold. It takes about 15 seconds, with
# AVX-512 or without.

# %% id="train" tags=["nbval-ignore-output"]
history = fit(model, batches, recipe)

# %% [markdown] id="forced-text"
# What teacher forcing reads is `tgt_in`, the target shifted by one behind a start token. All steps
# can be computed at once, since nothing has to be waited for.

# %% id="forced"
rows = reversed_digits(500, seed=3, shortest=10)  # 500 rows of exactly ten digits
batch = make_batch([x for x, _ in rows], [y for _, y in rows])
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
# <details><summary>Hint 1</summary>Two counts at each position: how many are right *and* real, and
# how many are real.</details>
# <details><summary>Hint 2</summary>`(written == gold) & mask` is True where both hold. `sum(0)`
# counts down the sentences.</details>
# <details><summary>Hint 3</summary>At padding both tables may hold the same number, so `==` alone
# would count padding as right.</details>


# %% id="ex-accuracy-by-position" tags=["exercise"]
@exercise
def accuracy_by_position(written, gold, mask):
    """Share of right tokens at each position. All (B, T), mask True = real token → (T,)."""
    ### BEGIN SOLUTION
    return ((written == gold) & mask).sum(0) / mask.sum(0)
    ### END SOLUTION


# %% [markdown] id="free-text"
# ### A run that never sees gold
#
# Now the other way. The decoder is a function `step(tokens, state)`: it reads one token of every
# sentence and gives back the logits of the next token, and its new state.

# %% [markdown] id="ex-free-running-text"
# ### Exercise 7.2 · Left alone
# *Core, 10 minutes.* `first` (B,) holds the start tokens. Run the decoder for `length` steps; at
# each it reads the most probable word of the step before. Return the *logits* of all steps,
# (B, length, V): the losses will be computed from them. There is no gold among the arguments, so
# nothing can leak.
#
# <details><summary>Hint 1</summary>Two things change from step to step: the tokens that are read
# and the state.</details>
# <details><summary>Hint 2</summary>`logits.argmax(-1)` turns logits (B, V) into the most probable
# words (B,).</details>
# <details><summary>Hint 3</summary>Collect the logits in a list and join them with
# `torch.stack(found, dim=1)`.</details>


# %% id="ex-free-running" tags=["exercise"]
@exercise
def free_running(step, state, first, length):
    """Logits (B, length, V) of a run fed by itself. step(tokens (B,), state) → (logits, state)."""
    ### BEGIN SOLUTION
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)
    ### END SOLUTION


# %% id="stepper"
def stepper(model, batch):
    """The model's decoder as step(tokens, state), and its first state."""
    memory = model.encode(batch.src, batch.src_mask)

    def step(tokens, state):
        features, state, _ = model.decoder.step(tokens.unsqueeze(1), memory, state)
        return model.output(features).squeeze(1), state

    return step, model.decoder.start(memory)


# %% id="free"
with torch.no_grad():
    step, state = stepper(model, batch)
    free_logits = free_running(step, state, batch.tgt_in[:, 0], batch.tgt_in.shape[1])
    features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in, teacher_forcing=0.0)
torch.testing.assert_close(free_logits, model.output(features), atol=1e-4, rtol=1e-4)
print("our loop and attnlib with teacher_forcing=0 agree")

# %% [markdown] id="free-read"
# The library's argument `teacher_forcing` is the probability of gold: 1 is forced, 0 is free
# (**free running**). What lies between is this chapter's second half.

# %% [markdown] id="position-text"
# ## Exposure bias, position by position
#
# The same model, the same 500 rows; only the input of the decoder differs.
#
# **Predict.** Draw two curves of accuracy over positions 1 to 10, forced and free. At which
# position are they equal for certain?


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
for ax, forced, free in zip(axes, (forced_loss, forced_accuracy), (free_loss, free_accuracy)):
    ax.plot(places, forced, "o-", color=figures.PALETTE[0], label="forced: reads gold")
    ax.plot(places, free, "s--", color=figures.PALETTE[1], label="free: reads itself")
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
# with a hump at position 8; free it climbs steadily to around 3 nats at position 10 and is near 0
# at the end token. Right, the accuracy: forced it dips at position 8 and recovers; free it falls
# from almost 1 to less than a half and returns to almost 1 at the end token.
#
# </details>

# %% id="position-numbers"
late = slice(6, 10)  # positions 7 to 10
lost = (forced_accuracy[late] - free_accuracy[late]).mean().item()
grown = (free_loss[late].mean() / forced_loss[late].mean()).item()
print("position 1, forced = free:", torch.allclose(forced_loss[0], free_loss[0], atol=1e-4))
print("positions 7 to 10, free accuracy at least 0.15 lower:", lost > 0.15)
print("positions 7 to 10, free loss at least 1.5 times as large:", grown > 1.5)

# %% [markdown] id="position-read"
# At position 1 both have read the same, the start token. From there on they part. Forced, the last
# two digits are *easier* again than those just before them; free, they have the highest loss of
# all. Whoever looks only at the forced numbers, and most training programs print no others, does
# not see it. (The end token comes out right either way. Perhaps because to know *when* to stop, one
# needs only to count: how long the row is, not which digits are in it.)

# %% [markdown] id="first-text"
# ### Only the first mistake is the model's own
#
# A question to think about before the cell: of 500 rows, how many does the model get right *from
# the first digit to the last*, forced and free?
#
# **Predict.** Which number is larger?

# %% id="first"
wrong = {"forced": forced_logits.argmax(-1) != batch.tgt_out}
wrong["free"] = free_logits.argmax(-1) != batch.tgt_out
whole = {name: ~rows.any(1) for name, rows in wrong.items()}
same = (whole["forced"] == whole["free"]).sum().item()
print(f"rows with the same verdict, whole or not: {same} of {len(batch.src)}")
first = {name: rows.double().argmax(1)[rows.any(1)] for name, rows in wrong.items()}
print("the first mistake stands at the same place:", torch.equal(first["forced"], first["free"]))

# %% [markdown] id="first-read"
# Neither: they are the same rows. As long as it has made no mistake, a decoder that reads its own
# words *reads gold*. So the first mistake is the same, forced or free, and a row is whole under one
# exactly when it is whole under the other. This holds for every model with greedy decoding, and it
# says precisely what exposure bias is: **what happens after the first mistake**. A measure that
# only asks "all right or not?" cannot see it.
#
# So let us split the free run at that point. But rows with a mistake may simply be hard rows. To be
# fair, we look at the *same rows and positions* once more, with gold fed instead.

# %% id="after"
before = wrong["free"].cumsum(1) - wrong["free"].long()  # mistakes made before position t
clean, spoilt = before == 0, before > 0
right = {name: ~rows for name, rows in wrong.items()}


def share_right(name, where):
    """Accuracy at positions 1 to 10 among the rows of ``where``; fewer than 30 say nothing."""
    line = (right[name] & where).sum(0) / where.sum(0)
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
# one, starts at the dotted line of guessing, 0.1, and rises to about a quarter. The line
# of the same places fed with gold lies far above that, near the first one.
#
# </details>

# %% id="after-numbers"
count = spoilt[:, :10].sum()
free_after, forced_after = ((right[n] & spoilt)[:, :10].sum() / count for n in ("free", "forced"))
print("places after a mistake, free run: accuracy below 0.3:", bool(free_after < 0.3))
gain = (forced_after - free_after).item()
print("the same places, fed gold: higher by at least 0.15:  ", gain > 0.15)

# %% [markdown] id="after-read"
# After its first mistake the free run is nearly lost, and not because the rows were hard: give the
# decoder gold at the very same places, and it knows the answer far more often. Nothing in training
# has ever shown it a prefix (what has been written so far) with a wrong digit in it. The right
# answer at position $t$ does not depend on what was written before, the source row says it all; but
# the decoder has learned to *rely* on the word before, as one that was always right.

# %% [markdown] id="mix-text"
# ## Scheduled sampling
#
# The notes go on: *not* forcing is closer to real use; the point is to combine the two in the right
# measure. That is the idea of **scheduled sampling** ([Bengio, Vinyals, Jaitly and Shazeer
# 2015](D_papers.ipynb#cell-id=bengio-2015)): in training, toss a coin. With probability $\epsilon$
# the next step reads gold, else it reads the model's own word.
#
# Whose coin? Bengio et al. toss one for *every token of every sentence*, and say in a footnote that
# one coin for a whole sequence did much worse. Popular tutorials toss a single coin for a whole
# *batch*, which is something else again.

# %% [markdown] id="ex-mix-inputs-text"
# ### Exercise 7.3 · A coin for every token
# *Core, 8 minutes.* `gold` and `own` (B, T) hold two candidates for every input; `share` is the
# probability of gold. Return the mixture, with coins from `generator`: in a large table, about this
# share of every row and of every column is gold.
#
# <details><summary>Hint 1</summary>`torch.rand(size, generator=generator)` draws numbers between 0
# and 1; each lies below `share` with probability `share`.</details>
# <details><summary>Hint 2</summary>How many coins? One for each token: the size of
# `gold`.</details>
# <details><summary>Hint 3</summary>`torch.where(condition, a, b)` takes from a where the condition
# is True, else from b.</details>


# %% id="ex-mix-inputs" tags=["exercise"]
@exercise
def mix_inputs(gold, own, share, generator):
    """Each token gold with probability share, else own. gold, own (B, T) → (B, T)."""
    ### BEGIN SOLUTION
    coins = torch.rand(gold.shape, generator=generator)
    return torch.where(coins < share, gold, own)
    ### END SOLUTION


# %% id="coins"
zeros, ones = torch.zeros(12, 24).long(), torch.ones(12, 24).long()
kinds = {"a token": mix_inputs(ones, zeros, 0.5, generator)}
kinds["a sentence"] = mix_inputs(ones[:, :1], zeros[:, :1], 0.5, generator).expand(12, 24)
kinds["a batch"] = mix_inputs(ones[:1, :1], zeros[:1, :1], 0.5, generator).expand(12, 24)

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
# table has one color.
#
# </details>

# %% [markdown] id="coins-read"
# All three read gold half of the time, on average. The last two show the decoder only extremes: a
# sentence that is all gold, with nothing to recover from, or one that is all its own, in which
# nothing leads back after a mistake. Only the first mixes within a sentence: *mostly right, with a
# mistake here and there*, and a right word again soon after it.
#
# A table of own words cannot be had in advance, though: what the model writes at step $t$ depends
# on what it was fed before. So the loop has to run step by step, and toss as it goes.

# %% [markdown] id="ex-scheduled-run-text"
# ### Exercise 7.4 · The mixed run
# *Hard, 20 minutes.* `gold` (B, T) is `tgt_in` and begins with the start token; `coins` (B, T) are
# already tossed, True means gold. Step $t$ reads `gold[:, t]` where `coins[:, t]` is True, else the
# most probable word of step $t-1$ *of this very run*. The start token is always read, whatever its
# coin. Return the logits (B, T, V); a loss on them is to train the decoder, so their gradient must
# not be cut. With all coins up this is teacher forcing, with all coins down it must not look at any
# gold word after the start.
#
# <details><summary>Hint 1</summary>Begin with your solution of 7.2. What changes is only which
# tokens are read.</details>
# <details><summary>Hint 2</summary>At $t = 0$ there is no word of its own yet. From $t = 1$ on it
# is `found[-1].argmax(-1)`.</details>
# <details><summary>Hint 3</summary>`torch.where(coins[:, t], gold[:, t], own)`; and do not fetch
# the own words from a run that was fed gold.</details>


# %% id="ex-scheduled-run" tags=["exercise"]
@exercise
def scheduled_run(step, state, gold, coins):
    """Logits (B, T, V); step t reads gold[:, t] where coins[:, t], else its own last word."""
    ### BEGIN SOLUTION
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            own = found[-1].argmax(-1)
            tokens = torch.where(coins[:, t], gold[:, t], own)
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)
    ### END SOLUTION


# %% id="scheduled"
step, state = stepper(model, batch)
for share, expected in ((1.0, forced_logits), (0.0, free_logits)):
    coins = torch.rand(batch.tgt_in.shape, generator=generator) < share
    mixed = scheduled_run(step, state, batch.tgt_in, coins)
    torch.testing.assert_close(mixed.detach(), expected, atol=1e-4, rtol=1e-4)
    print(f"share {share:.0f}: equals the {'forced' if share else 'free'} run")

# %% [markdown] id="scheduled-read"
# Two more things about the mixed run. The *choice* of a word has no gradient: what is fed is a
# whole number, the word's row in the embedding table, and nothing is propagated back through the
# argmax (the library detaches it, and Bengio et al. pass no gradient there either). And it costs:
# forced, all steps are one call of the recurrent layer; mixed, every step waits for the one before.

# %% id="cost"
calls, run = [], model.decoder.run
model.decoder.run = lambda *given: calls.append(1) or run(*given)  # the layer, counted
for share in (1.0, 0.5):
    calls.clear()
    model.features(batch.src, batch.src_mask, batch.tgt_in, share, generator)
    print(f"share {share}: {len(calls)} calls of the recurrent layer for 11 steps")
del model.decoder.run

# %% [markdown] id="schedule-text"
# ### The schedule
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
# *Core, 8 minutes.* `step` is the update $i$, `rate` is $k$. Return $\epsilon_i$. Training can be
# long: with $k = 10$ it must still work at step 100,000, where $e^{i/k}$ is larger than any number
# a float can hold.
#
# <details><summary>Hint 1</summary>The formula as it stands works for small steps. Try
# `math.exp(1000)`.</details>
# <details><summary>Hint 2</summary>`math.exp(-1000)` gives 0.0 and no error. Can the formula be
# written with $e^{-i/k}$?</details>
# <details><summary>Hint 3</summary>Multiply numerator and denominator by $e^{-i/k}$.</details>


# %% id="ex-inverse-sigmoid" tags=["exercise"]
@exercise
def inverse_sigmoid(step, rate):
    """ε_i = k / (k + exp(i / k)) at step i with rate k, without overflow → a number."""
    ### BEGIN SOLUTION
    share = rate * math.exp(-step / rate)
    return share / (share + 1)
    ### END SOLUTION


# %% id="schedules"
steps = range(0, 1501, 10)
families = {
    "constant 0.5": training.constant(0.5),
    "linear": training.linear(1 / 1500),
    "exponential": training.exponential(0.5 ** (1 / 500)),
    "inverse sigmoid": training.inverse_sigmoid(150),
}
assert all(math.isclose(inverse_sigmoid(i, 150), families["inverse sigmoid"](i)) for i in steps)
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, (name, schedule) in enumerate(families.items()):
    look = {"color": figures.PALETTE[n], "linestyle": ["-", "--", "-.", ":"][n], "linewidth": 2}
    ax.plot(steps, [schedule(i) for i in steps], label=name, **look)
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
# Now the measurement. Recorded runs, seeds 1 to 3 of each: the same model, the same batches and the
# same 1,500 updates; only what is read differs. (`benchmarks/teacher_forcing_chapter.py` makes
# them; seed 1 with share 1 is the model trained above.) First, does the run trained above fall
# inside the range of the recorded ones?

# %% id="record"
folder = bundled_directory().parent / "runs"
record = json.loads((folder / "07_reverse.json").read_text(encoding="utf-8"))


def recorded(variant, kind, what):
    """One number for each of seeds 1 to 3: kind "forced" or "free", what "loss" or "whole"."""
    runs = [run for run in record["runs"] if run["variant"] == variant and run["seed"] <= 3]
    return torch.tensor([run[kind][what] for run in runs])


live = {"forced": forced_accuracy, "free": free_accuracy}
for kind, line in live.items():
    runs = recorded("gold", kind, "accuracy_at")  # (3 seeds, 11 positions)
    outside = (runs.amin(0) - line).clamp(min=0) + (line - runs.amax(0)).clamp(min=0)
    print(f"{kind:6}: inside the recorded range, to 0.1 on average: {bool(outside.mean() < 0.1)}")

# %% [markdown] id="sweep-predict"
# Three measures on 1,000 rows of 3 to 10 digits: the **forced loss**, the **free loss**, and the
# share of rows that are right **as a whole**.
#
# **Predict.** As the share of gold goes from 1 down to 0: which of the three get better?

# %% id="sweep-figure" tags=["hide-input"]
shares = {"gold": 1.0, "three-quarters": 0.75, "half": 0.5, "quarter": 0.25, "own": 0.0}
panels = [("forced", "loss", "Forced loss", "loss (nats per token)")]
panels += [("free", "loss", "Free loss", "loss (nats per token)")]
panels += [("free", "whole", "Whole rows right", "share of rows (0 to 1)")]
fig, axes = plt.subplots(1, 3, figsize=(10.5, 3.4))
for ax, (kind, what, title, label) in zip(axes, panels):
    runs = torch.stack([recorded(v, kind, what) for v in shares])  # (5 shares, 3 seeds)
    for n, line in enumerate(runs.T):
        look = {"color": figures.PALETTE[n], "marker": "osD"[n], "linestyle": ["-", "--", ":"][n]}
        ax.plot(shares.values(), line, label=f"seed {n + 1}", **look)
    ax.set(title=title, ylabel=label, xlabel="share of gold in training", xlim=(1.08, -0.08))
    ax.set_ylim(bottom=0)
axes[2].legend(frameon=False, bbox_to_anchor=(1, 0.5), loc="center left")
fig.suptitle("Constant shares, recorded runs: a line a seed")
plt.show()

# %% [markdown] id="sweep-alt"
# <details><summary>The figure in words</summary>
#
# Three panels over the share of gold in training, from 1 down to 0, a line for each of three seeds.
# Seeds 1 and 3 lie close together, seed 2 is far worse in every panel. Forced loss: rising on the
# whole for seeds 1 and 3, a zigzag for seed 2. Free loss: highest at share 1 for every seed, lower
# at all other shares. Whole rows right: highest at share 1 for seeds 1 and 3 and lowest at share 0,
# a low zigzag for seed 2.
#
# </details>


# %% id="sweep-numbers"
def better(variant, what):
    """In how many of the three seeds it is better than always gold: a lower loss, or more rows."""
    gain = recorded(variant, "free", what) - recorded("gold", "free", what)
    return int((gain < 0).sum() if what == "loss" else (gain > 0).sum())


print("recorded, mean of three seeds (lowest to highest)")
print("gold    forced loss           free loss             whole rows")
for variant, share in shares.items():
    cells = [recorded(variant, kind, what) for kind, what, *_ in panels]
    told = [f"{c.mean():.2f} ({c.min():.2f} to {c.max():.2f})" for c in cells]
    print(f"{share:.2f}    " + "   ".join(told))
print("seeds of three that beat gold alone, 0.75 down to 0:")
for what in ("loss", "whole"):
    print(f"  free {what:6}", [better(v, what) for v in list(shares)[1:]])

# %% [markdown] id="sweep-read"
# Read it panel by panel.
#
# - *Free loss*: lower than with gold alone, at every share and in every seed. Scheduled sampling
#   does what it was made for: the decoder has learned to go on after a mistake.
# - *Forced loss*: nothing gained on average, and in the two better seeds it grows, on the whole, as
#   the share falls. So the gap between the two closes from both sides, and a small gap alone is no
#   virtue.
# - *Whole rows*: in most runs *fewer*. A row is whole if it has no first mistake, and to avoid that
#   one, gold alone was the better lesson at this budget. The free loss can fall all the same: it
#   also counts what happens after the first mistake, and that is where the mixed runs gain.
# - *Seed 2*: the same program with another random start, and everything is far worse. The seed
#   matters more than the share. One run of each setting could have "proved" almost anything.

# %% [markdown] id="kinds-text"
# ### Schedules, and whose coin
#
# The same budget once more: three falling schedules, and the constant half with one coin for each
# token, each sentence, or each batch.

# %% id="kinds-figure" tags=["hide-input"]
names = {"gold": "always gold", "linear": "linear 1 → 0", "exponential": "exponential"}
names |= {"inverse-sigmoid": "inverse sigmoid", "half": "0.5, a coin for each token"}
names |= {"half-sentence": "0.5, one for each sentence", "half-batch": "0.5, one for each batch"}
fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.8), sharey=True)
for ax, (kind, what, title, label) in zip(axes, panels[1:]):
    for row, variant in enumerate(names):
        points = recorded(variant, kind, what)
        kind_of = 0 if row == 0 else 1 + (row > 3)  # gold, a schedule, a constant half
        look = {"color": figures.PALETTE[kind_of], "marker": "osD"[kind_of], "linestyle": ""}
        ax.plot(points, [row] * len(points), **look)
    ax.set(title=title, xlabel=label)
axes[0].set_yticks(range(len(names)), names.values())
axes[0].invert_yaxis()
fig.suptitle("The same budget, recorded runs, one point for each seed")
plt.show()

# %% [markdown] id="kinds-alt"
# <details><summary>The figure in words</summary>
#
# Two dot plots of seven ways of feeding, three seeds each. In both, every way has one seed, seed 2,
# far worse than its others. Free loss: the worst point of all is one of always gold, one of the
# linear schedule is close to it; the two other points of always gold coincide, to the right of
# those of the three schedules and of a coin a token. Whole rows right: always gold has the two best
# points.
#
# </details>

# %% id="kinds-numbers"
print("recorded, mean of three seeds   free loss   whole rows")
for variant, name in names.items():
    loss, rows = (recorded(variant, "free", what).mean() for what in ("loss", "whole"))
    print(f"  {name:30}{loss:9.2f}{rows:13.2f}")
token = recorded("half", "free", "loss")
for other in ("half-sentence", "half-batch"):
    seeds = int((token < recorded(other, "free", "loss")).sum())
    print(f"a coin a token has the lower free loss than {other}: {seeds} of 3 seeds")

# %% [markdown] id="kinds-read"
# On average no falling schedule does better here than the constant half. And a coin for each token
# has a lower free loss, in every seed, than a coin for a sentence or for a batch. For the sentence,
# that is the order which the footnote of Bengio et al. reports (in our runs, how much worse differs
# from seed to seed), and the picture of the coins suggests why: one coin a sentence or a batch
# never mixes gold and own words within a sentence. The tutorials' coin a batch is *not* the method
# of the paper.

# %% [markdown] id="budget-text"
# ### The budget decides, too
#
# One more thing that a single table hides: how long we trained. Half and twice the updates, the
# rest as before.

# %% id="budget-figure" tags=["hide-input"]
budgets = {"-short": 750, "": 1500, "-long": 3000}
labels = {"gold": "always gold", "half": "half gold", "own": "always its own word"}
fig, axes = plt.subplots(1, 2, figsize=(10, 3.6))
for ax, (kind, what, title, label) in zip(axes, panels[1:]):
    for n, (variant, name) in enumerate(labels.items()):
        runs = torch.stack([recorded(variant + end, kind, what) for end in budgets])
        ax.plot(budgets.values(), runs, "osD"[n], color=figures.PALETTE[n], alpha=0.6)
        look = {"color": figures.PALETTE[n], "linestyle": ["-", "--", ":"][n]}
        ax.plot(budgets.values(), runs.mean(1), label=name, **look)
    ax.set(title=title, ylabel=label, xlabel="updates (logarithmic)", xscale="log")
    ax.set_xticks(list(budgets.values()), [f"{b:,}" for b in budgets.values()])
    ax.minorticks_off()
axes[1].legend(frameon=False, bbox_to_anchor=(1, 0.5), loc="center left")
fig.suptitle("Three budgets, recorded runs, one point for each seed, lines their means")
plt.show()

# %% [markdown] id="budget-alt"
# <details><summary>The figure in words</summary>
#
# Two panels over 750, 1,500 and 3,000 updates. Free loss: the line of always gold lies above the
# two others at every budget. Whole rows right: always gold is ahead at 750 and 1,500 updates, half
# gold at 3,000, where one point of always gold lies far below all others.
#
# </details>

# %% id="budget-numbers"
print("recorded, mean of three seeds: free loss, whole rows")
for variant, name in labels.items():
    told = []
    for end, updates in budgets.items():
        loss, rows = (recorded(variant + end, "free", what).mean() for what in ("loss", "whole"))
        told.append(f"{updates:5} updates {loss:.2f}, {rows:.2f}")
    print(f"  {name:20}" + "   ".join(told))
print("seeds of three in which half gold beats always gold:")
for end, updates in budgets.items():
    pairs = [(recorded(v + end, "free", w)) for w in ("loss", "whole") for v in ("half", "gold")]
    wins = int((pairs[0] < pairs[1]).sum()), int((pairs[2] > pairs[3]).sum())
    print(f"  {updates:5} updates: free loss {wins[0]}, whole rows {wins[1]}")

# %% [markdown] id="budget-read"
# The verdict on *whole rows* turns round. After 750 and 1,500 updates gold alone is ahead on
# average, after 3,000 half gold is. Whoever stops early reports that scheduled sampling does harm,
# whoever stops late that it helps, and each is right about those runs. But look at the points on
# the right: two of the three seeds of gold alone are as good as any, and the mean is pulled down by
# one (seed 2, again) that is not finished yet. With three seeds that is a hint, no more. The free
# loss is lower with mixing in every seed at the two shorter budgets and in two of three at the long
# one, when there is little left to repair. (An update with mixing also takes longer, since every
# step waits for the one before: equal updates are not equal time.)

# %% [markdown] id="translate-text"
# ### And a translator with attention?
#
# Korean to English, sources of at most 20 tokens, chapter 5's model with attention, 800 updates,
# three seeds each way (recorded with `--task translate`).
#
# **Predict.** Will the gap between forced and free be larger or smaller than for the digits?

# %% id="translate"
translations = json.loads((folder / "07_translate.json").read_text(encoding="utf-8"))["runs"]
print("recorded        seed   forced loss   free loss   BLEU (greedy)")
for run in translations:
    if run["variant"] not in ("gold", "half") or run["seed"] > 3:
        continue
    losses = f"{run['forced']['loss']:11.3f}{run['free']['loss']:12.3f}"
    print(f"{run['variant']:14}{run['seed']:6}{losses}{run['bleu']:14.1f}")
print(f"sentences: {translations[0]['sentences']}")

# %% [markdown] id="translate-read"
# Much smaller, in nats. Forced and free loss lie within a hundredth of a nat or so of each other
# even with gold alone, and in seed 2 there is no gap to close. Feeding the model's own words bought
# nothing: in all three seeds both losses are higher with it and BLEU (0 to 100, more is better:
# chapter 9) is lower, each time by little. The honest sentence is: *no improvement seen, and a
# small price*.
#
# There are two likely reasons. A decoder with attention looks the source up again at every step,
# and may find its way back by itself. And this translator is right nearly everywhere: exposure bias
# is what happens after the first mistake, and here are few mistakes to learn from. (The corpus is
# the easy one, and its grammar is simple; in a language with more ways to go wrong it may be
# different.)

# %% [markdown] id="paper-text"
# ### What the paper measured
#
# [Bengio et al. (2015)](D_papers.ipynb#cell-id=bengio-2015) found it useful. Captions of pictures
# (MSCOCO), BLEU-4: 28.8 with teacher forcing, 30.6 with scheduled sampling, 11.2 when the model
# *always* read its own words. In speech (TIMIT), the gap itself was large: 15.0 % wrong frames when
# the next one was predicted from gold, 46.0 % when decoding; scheduled sampling brought decoding to
# 34.5 %, and there, always reading its own words did nearly as well (35.8 %). [Ranzato et al.
# (2016)](D_papers.ipynb#cell-id=ranzato-2016) report 17.7 BLEU for German–English with teacher
# forcing and 20.1 with a relative of scheduled sampling (data as demonstrator; greedy). So it *can*
# help. Our runs do not contradict that; they say that it has to be measured, on the task at hand.

# %% [markdown] id="improper-text"
# ## What does it teach, if it is given all the time in the world?
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
# **Predict.** With $\epsilon = 0$, which share of what the trained model says is not in the
# language at all?


# %% id="improper"
def two_words(share):
    """Learn p(first) and p(second | first) of the language AA, BB with scheduled sampling."""
    draw = torch.Generator().manual_seed(0)
    first, second = torch.zeros(2, requires_grad=True), torch.zeros(2, 2, requires_grad=True)
    optimizer = torch.optim.Adam([first, second], lr=0.1)
    for update in range(300):
        gold = torch.randint(2, (400, 1), generator=draw)  # 0 is A A, 1 is B B
        own = first.detach().softmax(-1).multinomial(400, True, generator=draw).unsqueeze(1)
        read = mix_inputs(gold, own, share, draw).squeeze(1)
        loss = F.cross_entropy(first.expand(400, 2), gold.squeeze(1))
        loss = loss + F.cross_entropy(second[read], gold.squeeze(1))
        optimizer.param_groups[0]["lr"] = 0.1 * (1 - update / 300)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    p = first.softmax(-1)
    return (p @ second.softmax(-1).diagonal()).item()  # how often it says AA or BB


# %% id="improper-numbers"
tried = [1.0, 0.75, 0.5, 0.25, 0.0]
says = [two_words(share) for share in tried]
for share, found in zip(tried, says):
    promised = (1 + share) / 2
    print(f"ε = {share:4.2f}: within 0.05 of {promised:.3f}: {abs(found - promised) < 0.05}")

# %% id="improper-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7, 3.5))
ax.plot([1, 0], [0, 0.5], color=figures.PALETTE[0], label=r"$(1-\epsilon)/2$")
ax.plot(tried, [1 - s for s in says], "s", color=figures.PALETTE[1], label="trained", markersize=8)
ax.set(title="Sentences that the language does not have (AB or BA)", xlim=(1.05, -0.05))
ax.set(xlabel="probability of gold in training, ε", ylabel="share of what it says (0 to 1)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="improper-alt"
# <details><summary>The figure in words</summary>
#
# A straight line rises from 0 at ε = 1 to one half at ε = 0. Five square markers of trained models
# lie on it.
#
# </details>

# %% [markdown] id="improper-read"
# The more of its own words the model reads, the more it forgets that the two words belong together;
# at $\epsilon = 0$ it has learned how often each word is said *in each place*, and nothing else,
# and half of its sentences do not exist. More data and more training make this *more* exact, not
# better. Teacher forcing is maximum likelihood and has no such fault. This is what Huszár means
# when he calls the objective *improper*: the model that minimises it is not the language. And it is
# why a schedule that goes all the way to 0 and stays there is a gamble.
#
# Our digits do not suffer from it: each row has one answer, so gold's next digit is right whatever
# was written before. Languages lie in between: the source sentence decides much, and the words
# already written decide the rest.

# %% [markdown] id="loss-text"
# ## The validation loss that people report
#
# "Validation loss 0.4" is a sentence with a hole in it. Fed what? Averaged how? Let us build the
# right one first. It is the mean over *real tokens* of $-\log p(\text{gold token})$.
#
# In training, a smoothed version is common (**label smoothing**, [Szegedy et al.
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
# *Core, 10 minutes.* `logits` (N, V) of N real tokens, `targets` (N,). Return the mean of $\ell$.
# Build it from `log_softmax`; `F.cross_entropy` is what it will be compared with below.
#
# <details><summary>Hint 1</summary>`logits.log_softmax(-1)` gives all $\log p_v$ and does not
# overflow.</details>
# <details><summary>Hint 2</summary>`log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)` picks
# $\log p_y$ from every row.</details>
# <details><summary>Hint 3</summary>The right-hand form: one part from the right word, one part
# from the *mean* over all V words, the right one included.</details>


# %% id="ex-token-cross-entropy" tags=["exercise"]
@exercise
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    """Mean smoothed cross-entropy in nats. logits (N, V), targets (N,) → a number."""
    ### BEGIN SOLUTION
    log_probs = logits.log_softmax(-1)
    right = log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)  # (N,)
    return -((1 - label_smoothing) * right + label_smoothing * log_probs.mean(-1)).mean()
    ### END SOLUTION


# %% id="smooth"
logits, targets = torch.randn(6, 5, generator=generator), torch.tensor([0, 1, 2, 3, 4, 0])
for smoothing in (0.0, 0.1):
    ours = token_cross_entropy(logits, targets, smoothing)
    torch.testing.assert_close(ours, F.cross_entropy(logits, targets, label_smoothing=smoothing))
certain = torch.tensor([[0.0, 30.0]])
print("equal to torch's, smoothed and not")
for smoothing in (0.0, 0.1):
    loss = token_cross_entropy(certain, torch.tensor([1]), smoothing)
    print(f"certain and right, smoothed by {smoothing}: {abs(loss):.2f}")

# %% [markdown] id="smooth-read"
# The smoothed loss of a prediction that is certain and right is *not* 0: it punishes certainty, and
# that is its purpose. So it can never be read as a likelihood, and exp of it is not a perplexity.

# %% [markdown] id="ex-masked-cross-entropy-text"
# ### Exercise 7.7 · ... of a padded batch
# *Core, 8 minutes.* `logits` (B, T, V), `targets` and `mask` (B, T), mask True at real tokens.
# Return the loss per real token. A test you can make yourself: two more columns of padding must
# change nothing. `F.cross_entropy` may be used here (it is imported).
#
# <details><summary>Hint 1</summary>A boolean mask picks: `targets[mask]` has shape (N,), N real
# tokens.</details>
# <details><summary>Hint 2</summary>`logits[mask]` has shape (N, V). Padding is gone before anything
# is computed.</details>
# <details><summary>Hint 3</summary>`F.cross_entropy(logits[mask], targets[mask], ...)` takes
# `label_smoothing` as a keyword.</details>


# %% id="ex-masked-cross-entropy" tags=["exercise"]
@exercise
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    """Loss per real token, in nats. logits (B, T, V), targets, mask (B, T), True = real."""
    ### BEGIN SOLUTION
    return F.cross_entropy(logits[mask], targets[mask], label_smoothing=label_smoothing)
    ### END SOLUTION


# %% [markdown] id="reports-text"
# Now six numbers that have all been called *validation loss*, of one model, on one set of 1,000
# rows. (exp of any of them has been called *perplexity*: between how many equally likely words the
# model hesitates. Chapter 10 has an exercise on that.)
#
# **Predict.** Which are too low, which too high?


# %% id="reports"
@torch.no_grad()
def logits_of(batch, share=1.0):
    return model.output(model.features(batch.src, batch.src_mask, batch.tgt_in, share)[0])


test_batches = list(Batches([x for x, _ in test], [y for _, y in test], size=32).epoch(0))
means = [masked_cross_entropy(logits_of(b), b.tgt_out, b.tgt_mask).item() for b in test_batches]
sizes = [int(b.tgt_mask.sum()) for b in test_batches]
total = sum(mean * size for mean, size in zip(means, sizes))
assert math.isclose(total / sum(sizes), teacher_forced_loss(model, test_batches), rel_tol=1e-4)

# %% id="reports-six"
everything = make_batch([x for x, _ in test], [y for _, y in test])  # one table, much padding
goal, mask = everything.tgt_out, everything.tgt_mask
forced_all, free_all = logits_of(everything), logits_of(everything, 0.0)
reports = {"forced, per real token": total / sum(sizes)}
reports["mean of the batches' means"] = sum(means) / len(means)
reports["divided by padding, too"] = total / mask.numel()
reports["padding as a word"] = F.cross_entropy(forced_all.flatten(0, 1), goal.flatten()).item()
reports["smoothed by 0.1"] = masked_cross_entropy(forced_all, goal, mask, 0.1).item()
reports["free-running"] = masked_cross_entropy(free_all, goal, mask).item()
right = math.exp(reports["forced, per real token"])
assert math.isclose(right, training.perplexity(total, sum(sizes)))

# %% id="reports-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8, 3.4))
colours = [figures.PALETTE[0], *[figures.PALETTE[1]] * 4, figures.PALETTE[2]]
ax.scatter(list(reports.values()), list(reports), c=colours, s=70, zorder=3)
look = {"xytext": (10, 0), "textcoords": "offset points", "va": "center"}
look["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1}
for row, value in enumerate(reports.values()):
    ax.annotate(f"{value:.3f}", (value, row), **look)
ax.axvline(reports["forced, per real token"], color="#444444", linewidth=1, linestyle=":")
ax.invert_yaxis()
ax.set(title="Six “validation losses” of one model on the same rows", xscale="log")
ax.set_xlabel("loss (nats, logarithmic)")
ax.margins(x=0.2)
plt.show()

# %% [markdown] id="reports-alt"
# <details><summary>The figure in words</summary>
#
# Six points on a logarithmic axis of loss. The forced loss per real token lies just below 0.1; the
# mean of the batches' means and the one divided by padding lie left of it, the free-running one at
# about five times as much, the smoothed one above 1 and the one with padding as a word far to the
# right, above 6.
#
# </details>

# %% id="reports-check"
truth = reports["forced, per real token"]
for name, value in list(reports.items())[1:]:
    print(f"{name:28}", "too low" if value < truth else "higher")

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
# And the first, the right one, is *forced*: exact, cheap, fit to compare models, and silent about
# how the model behaves when it is left alone.

# %% [markdown] id="honest-text"
# ### What an honest report says
#
# 1. The forced loss per real token, without smoothing, and a *free* measure of the task (accuracy,
#    BLEU), both named.
# 2. Every variant with the same number of updates, and what an update cost.
# 3. At least three seeds, all of them shown; a difference inside their spread is "no difference
#    seen".
# 4. What got worse as well as what got better. Ours in one sentence: on reversed digits, without
#    attention, mixing lowered the free loss and cost whole rows as long as the training was short,
#    and after a long training the difference was within the seeds' spread; in a translator with
#    attention, right nearly everywhere, it cost a little in every seed and gained nothing.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Teacher forcing feeds gold in training; at inference there is no gold, the decoder reads its own
#   words.
# - Until its first mistake a greedy decoder reads gold; exposure bias is what happens after.
# - Scheduled sampling tosses a coin for every token. A coin a sentence or a batch is another
#   method.
# - On the digits it lowered the free loss and cost whole rows at the short budgets; at the long one
#   little was left to gain. The seed mattered more than the share. Measure it, with several seeds.
# - However long it trains, scheduled sampling learns the wrong distribution where a word depends on
#   the words before it and not on the source alone.
# - A validation loss is forced or free, per token or not, smoothed or not: the report has to say.
#
# **Left out.** Passing a gradient through the choice of a word; training on the measure itself
# ([Ranzato et al. 2016](D_papers.ipynb#cell-id=ranzato-2016)) or on an adversary's verdict
# (professor forcing, [Lamb et al. 2016](D_papers.ipynb#cell-id=lamb-2016)); the view of imitation
# learning, where the same trouble is known since DAgger ([Ross et al.
# 2011](D_papers.ipynb#cell-id=ross-2011)); sampling the own word from the distribution instead of
# taking the most probable one, which Bengio et al. allow as well (the two-word language above
# samples, the digits take the most probable). And the sweep over all shares was made on digits
# only, where positions can be compared; of the translator two settings were shown, always gold and
# half.
#
# **Papers.** [Williams and Zipser 1989](D_papers.ipynb#cell-id=williams-1989); [Bengio, Vinyals,
# Jaitly and Shazeer 2015](D_papers.ipynb#cell-id=bengio-2015) (§2.4, Tables 1 and 3); [Ranzato,
# Chopra, Auli and Zaremba 2016](D_papers.ipynb#cell-id=ranzato-2016); [Huszár
# 2015](D_papers.ipynb#cell-id=huszar-2015); [Lamb et al. 2016](D_papers.ipynb#cell-id=lamb-2016);
# [Ross, Gordon and Bagnell 2011](D_papers.ipynb#cell-id=ross-2011); [Szegedy et al.
# 2016](D_papers.ipynb#cell-id=szegedy-2016) (§7).
#
# **Next.** The decoder now reads its own word, the most probable one at every step. Is the most
# probable word at every step the way to the most probable sentence? Chapter 8 searches.
