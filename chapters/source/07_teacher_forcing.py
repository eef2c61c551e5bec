# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 07 · Teacher forcing
#
# *What should the decoder read while it learns?*
#
# You will measure, position by position, what a decoder loses when it reads its own predictions
# instead of the right words, and find out what that loss depends on.
#
# **What you need.** An encoder and a decoder, and the target shifted by one (chapter 3); that
# attention lets a decoder look at the source (chapter 5).
#
# **Time.** 26 minutes to read, 16 for exercises 7.1 and 7.2; the notebook runs in about half a
# minute.
#
# <details><summary>Plan</summary>
#
# Chapter 7 has two files: this one, on what training never shows a decoder, and
# [07b](07b_scheduled_sampling.ipynb), on scheduled sampling, which is meant to repair it. Here
# everything is meant to be read; if time is short, leave out *And in a real translator?*
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress
from attnbook import read_record, recall, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(7)

# %% id="table-decoder"
from attnbook.figures import free_running_diagram

next_word = {"<sos>": "I", "I": "went", "go": "home", "went": "to", "to": "house"}
next_word |= {"home": ".", "house": "."}
right_words = ["I", "go", "home", "."]

forced = [next_word[word] for word in ["<sos>", *right_words[:-1]]]
free = ["<sos>"]
while free[-1] != "." and len(free) < 8:
    free.append(next_word[free[-1]])
print("right:                ", " ".join(right_words))
print("reads the right words:", " ".join(forced))
print("reads its predictions:", " ".join(free[1:]))
free_running_diagram(right_words, free[1:5])

# %% [markdown] id="table-decoder-read"
# This decoder is a table: one next word for each word it reads. The source is `나는 집에 간다` (*I
# · to home · go*), the right translation *I go home.* The table has one fault: after *I* it says
# *went*.
#
# At each circle of the drawing the decoder reads the word before. But *which*: the one of the right
# translation, from below, or the one it has just written, along the dotted line? If it reads the
# right words, the fault costs one word, for the next input is *go* again. If it reads its own
# predictions, it is led from *went* to *to* and *house* and does not find its way back. The fault
# is the same; the damage is not.
#
# A translator is trained in the first way and used in the second. [Ranzato et al.
# (2016)](D_papers.ipynb#cell-id=ranzato-2016) named what follows from it **exposure bias** (노출
# 편향): in training the model is never exposed to its own predictions.

# %% [markdown] id="note-text"
# ## Two ways to feed a decoder
#
# To feed the right word in training, even after a wrong prediction, is called **teacher forcing**
# (교사 강요; [Williams and Zipser 1989](D_papers.ipynb#cell-id=williams-1989)). The right word is
# also called *gold*, *ground truth* or GT. This is no trick: maximum likelihood asks for it. The
# probability of a whole translation is a product over its words, so
#
# $$\log p(y \mid x) = \sum_t \log p(y_t \mid y_1, \dots, y_{t-1}, x),$$
#
# and in every term the words before $y_t$ are the *right* ones ([Goodfellow, Bengio and Courville,
# section 10.2.1](https://www.deeplearningbook.org/contents/rnn.html)).
#
# At **inference** (추론), when the trained model is used, there *is* no right word: with the
# translation at hand we would need no translator. The decoder reads what it has written itself,
# right or wrong. This is called **free running** (자기회귀 생성).

# %% [markdown] id="task-text"
# ### A task in which right and wrong are certain
#
# A sentence has many right translations, and one extra word shifts all that follow. To compare
# *position by position* we need exactly one right answer at every place: a row of 3 to 10 random
# digits, to be written backward. The model is chapter 3's, without attention: everything must pass
# through one vector, so it does make mistakes.


# %% id="task"
import random


def reversed_digits(count, seed, shortest=3, longest=10):
    """Rows of random digits, and backward; the token of digit d is d + 4."""
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
from torch import nn

from attnlib.data import Batches
from attnlib.model import Encoder, LuongDecoder, PlainDecoder, Seq2Seq
from attnlib.training import Recipe


def make_model(attention=False, kind=Seq2Seq):
    source, target = nn.Embedding(14, 32), nn.Embedding(14, 32)
    for table in (source, target):  # 4 special tokens, 10 digits
        nn.init.normal_(table.weight, std=32**-0.5)
    if attention:
        decoder = LuongDecoder(target, 96, 96, 32, attention="general")
    else:
        decoder = PlainDecoder(target, 96, 96, 32)
    return kind(Encoder(source, 96), decoder, nn.Linear(32, 14))


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

# %% [markdown] id="train-text"
# It is trained with teacher forcing, which takes about a quarter of a minute.

# %% id="train" tags=["nbval-ignore-output"]
from attnlib.training import fit

seed_everything(1)
model = make_model()
history = fit(model, batches, recipe)

# %% [markdown] id="forced-text"
# What teacher forcing reads is `tgt_in`, the target shifted by one behind a start token. All its
# inputs are known beforehand, so one call of the recurrent layer does all steps.

# %% id="forced"
from attnlib.data import make_batch

tens = reversed_digits(500, seed=3, shortest=10)  # 500 rows of exactly ten digits
batch = make_batch([x for x, _ in tens], [y for _, y in tens])
with torch.no_grad():
    forced_logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
print("reads:  ", batch.tgt_in[0].tolist(), "(2 starts)")
print("target: ", batch.tgt_out[0].tolist(), "(3 ends)")
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
    """Share of right tokens at each position. All (B, T), mask True = real → (T,)."""
    raise NotImplementedError


# %% [markdown] id="free-text"
# ### A run that never sees the right words
#
# Now the other way. The decoder is a function `step(tokens, state)`: it reads one token of every
# sentence and returns the logits of the next token, and its new state.


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
# (B, length, V): the losses will be computed from them. There is no right word among the arguments,
# so nothing can leak.
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
    """Logits (B, length, V) of a free run. step(tokens, state) → (logits, state)."""
    raise NotImplementedError


# %% [markdown] id="free-read"
# ### Three rows
#
# Your loop (or the book's, as long as the exercise is blank) gives the logits of the free run. The
# library has the same loop behind an argument `teacher_forcing`, the probability that a step reads
# the right word: 1 is forced, 0 is free.

# %% id="free"
with torch.no_grad():
    step, state = stepper(model, batch)
    free_logits = free_running(step, state, batch.tgt_in[:, 0], batch.tgt_in.shape[1])
    inputs = (batch.src, batch.src_mask, batch.tgt_in)
    features, _ = model.features(*inputs, teacher_forcing=0.0)
    by_library = model.output(features)
written = {"forced": forced_logits.argmax(-1), "free": free_logits.argmax(-1)}
print(f"largest difference of logits: ≈{(free_logits - by_library).abs().max():.0e}")

# %% [markdown] id="rows-text"
# Three of the 500 rows, each in both runs. A run's first mistake is in square brackets, later ones
# are in round brackets.


# %% id="rows" tags=["hide-input"]
# prints three rows with their mistakes
def marked(line, right_line):
    """A row of digits: its first mistake in [], later ones in ()."""
    text, faults = "", 0
    for token, right in zip(line.tolist(), right_line.tolist()):
        digit = "." if token == 3 else str(token - 4)
        brackets = "  " if token == right else "()" if faults else "[]"
        text += brackets[0] + digit + brackets[1]
        faults += token != right
    return approx_text(text.rstrip())


mistakes = {name: tokens != batch.tgt_out for name, tokens in written.items()}
early = mistakes["free"][:, 2:6].any(1) & ~mistakes["free"][:, :2].any(1)
for n in early.nonzero().flatten()[:3].tolist():
    print("right ", marked(batch.tgt_out[n], batch.tgt_out[n]))
    for name, tokens in written.items():
        print(f"{name:6}", marked(tokens[n], batch.tgt_out[n]))
    print()

# %% [markdown] id="rows-read"
# Compare each pair up to the square bracket, and after it. After it the forced run is handed the
# right digit each time and finds right digits again; the free run goes on from the wrong one and
# hardly finds any. (Another processor trains a slightly different model, and your rows may
# be others, hence the ≈ before the right ones, too.)

# %% [markdown] id="position-text"
# ## Exposure bias, position by position
#
# The same model, the same 500 rows; only the input of the decoder differs.


# %% id="position"
def by_position(logits):
    """Loss (nats) and accuracy at every position of the batch of ten digits."""
    log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
    accuracy = accuracy_by_position(logits.argmax(-1), batch.tgt_out, batch.tgt_mask)
    return -log_p.mean(0), accuracy


forced_loss, forced_accuracy = by_position(forced_logits)
free_loss, free_accuracy = by_position(free_logits)
parts = {
    "position 1": slice(0, 1),
    "positions 7 to 10": slice(6, 10),
    "the end token": slice(10, 11),
}
print("accuracy             forced    free")
for name, where in parts.items():
    pair = forced_accuracy[where].mean(), free_accuracy[where].mean()
    print(f"{name:20} ≈{pair[0]:.2f}    ≈{pair[1]:.2f}")

# %% id="position-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 2, figsize=(9, 3.6))
places = [*range(1, 11), 11]
measured = [(forced_loss, free_loss), (forced_accuracy, free_accuracy)]
for ax, (by_teacher, by_itself) in zip(axes, measured):
    ax.plot(places, by_teacher, "o-", color=figures.PALETTE[0], label="teacher forcing")
    ax.plot(places, by_itself, "s--", color=figures.PALETTE[1], label="free running")
    ax.set_xticks(places, [*map(str, range(1, 11)), "end"])
    ax.set_xlabel("target position t (tokens)")
axes[0].set(title="Loss by position", ylabel="loss (nats per token)")
axes[1].set(title="Accuracy by position", ylabel="accuracy (0 to 1)", ylim=(0, 1.03))
axes[0].legend(frameon=False)
plt.show()

# %% [markdown] id="position-alt"
# <details><summary>The figure in words</summary>
#
# Two panels over positions 1 to 10 and the end token. Left, the loss: with teacher forcing it stays
# below 1 nat, with a hump near position 8; free running it climbs steadily to around 3 nats at
# position 10 and is near 0 at the end token. Right, the accuracy: with teacher forcing it dips near
# position 8 and recovers; free running it falls from almost 1 to less than a half and returns to
# almost 1 at the end token.
#
# </details>

# %% [markdown] id="position-read"
# At position 1 both have read the same, the start token. From there on they part. With teacher
# forcing the last two digits are *easier* again than those just before them; in the free run they
# are among the hardest of all. Most training programs print the forced numbers alone, which do not
# show it. The end token comes out right either way: lost or not, the decoder counts.
#
# <details><summary>Why the end is right, and why the forced loss has a hump</summary>
#
# All 500 rows have ten digits, so the end could be right because every row ends there. The
# collapsed cell below takes the 1,000 test rows of 3 to 10 digits: in nearly all of those that have
# a wrong digit, the free run stops at the right place. To know *when* to stop, the decoder need not
# know which digits it has written.
#
# And the hump? All that the decoder knows of the row is one vector,
# $[\overrightarrow{h}_S; \overleftarrow{h}_1]$. Its first half has just read the *last* digit,
# which is written first, its second half the *first* digit, which is written last. The cell gives
# every row one half of another row's vector. With a wrong second half the first digits still come
# right, and the last are guesses. With a wrong first half the first digits are guesses, and the
# last fare little better: the decoder that writes them needs the first half, too. Each end of the
# row is kept by the half that has just read it, and what is far from both ends is hardest. (Why the
# hardest place lies beyond the middle we have not explained.)
#
# </details>

# %% id="lengths" tags=["hide-input"]
# counts where shorter rows end, and exchanges halves of the vector
mixed = make_batch([x for x, _ in test], [y for _, y in test])
with torch.no_grad():
    step, state = stepper(model, mixed)
    steps = mixed.tgt_in.shape[1]
    of_mixed = free_running(step, state, mixed.tgt_in[:, 0], steps).argmax(-1)
is_digit = mixed.tgt_mask & (mixed.tgt_out != 3)
lost = ((of_mixed != mixed.tgt_out) & is_digit).any(1)
stops = torch.where((of_mixed == 3).any(1), (of_mixed == 3).int().argmax(1), -1)
in_place = (stops == is_digit.sum(1)).double()
told = f"≈{lost.sum()} of {len(lost)}; the end in place in ≈{in_place[lost].mean():.2f}"
print(f"rows of 3 to 10 digits with a wrong digit: {told}")
halves = {}
with torch.no_grad():
    memory = model.encode(batch.src, batch.src_mask)
    for name, half in (("first", slice(0, 48)), ("second", slice(48, 96))):
        vector = memory.final.clone()
        vector[:, half] = memory.final[:, half].roll(1, dims=0)
        features, _ = model.decoder(batch.tgt_in, memory._replace(final=vector))
        guesses = model.output(features).argmax(-1)
        line = accuracy_by_position(guesses, batch.tgt_out, batch.tgt_mask)
        halves[name] = line[:3].mean(), line[7:10].mean()
        told = "digits 1 to 3 ≈{:.2f}, 8 to 10 ≈{:.2f}".format(*halves[name])
        print(f"another row's {name:6} half: {told}")

# %% [markdown] id="first-text"
# ## Where do the two runs part?
#
# Of 500 rows, how many does the model get right *from the first digit to the last*? More when it is
# forced, more when it runs free, or the same number? Answer "forced", "free" or "same".

# %% id="predict-whole"
predict("07.whole", ..., choices=("forced", "free", "same"))

# %% id="first"
whole = {name: ~wrong_at.any(1) for name, wrong_at in mistakes.items()}
first = {name: wrong[~whole[name]].int().argmax(1) for name, wrong in mistakes.items()}
elsewhere = (first["forced"] != first["free"]).sum()
with reveal("07.whole", "same" if torch.equal(whole["forced"], whole["free"]) else "forced"):
    for name, rows_right in whole.items():
        print(f"{name:6}: ≈{rows_right.sum()} rows of 500 right as a whole")
    print("rows right in one run and not in the other:", end=" ")
    print((whole["forced"] != whole["free"]).sum().item())
    print(f"rows whose first mistake stands elsewhere:  {elsewhere}")

# %% [markdown] id="first-read"
# <details><summary>What it says</summary>
#
# They are the same rows. Until its first mistake, a decoder that reads its own predictions *reads
# the right words*. So the first mistake is the same, forced or free; only what comes after it
# differs. This holds for every model with greedy decoding, and it says where exposure bias can
# show, if there is one right answer: only **after the first mistake**. A measure that asks "all
# right or not?" cannot see it.
#
# </details>
#
# ### After the first mistake
#
# Let us split the free run at its first mistake. Rows with a mistake may simply be hard rows, so we
# look at the *same rows and positions* once more with teacher forcing. One digit of ten can be
# guessed. Which share does the free run have right, after its first mistake?

# %% id="after"
# how many mistakes were made before position t
wrong_before = mistakes["free"].cumsum(1) - mistakes["free"].long()
clean, spoilt = wrong_before == 0, wrong_before > 0


def share_right(name, where):
    """Accuracy at positions 1 to 10 in the rows of ``where``, if 30 or more."""
    line = (~mistakes[name] & where).sum(0) / where.sum(0)
    return line.masked_fill(where.sum(0) < 30, float("nan"))[:10]


count = spoilt[:, :10].sum()
after = {name: (~mistakes[name] & spoilt)[:, :10].sum() / count for name in mistakes}
print(f"places after a mistake, free run:  ≈{after['free']:.2f} right")
print(f"the same places, teacher forcing:  ≈{after['forced']:.2f} right")

# %% id="after-check" tags=["check"]
# checks what the text says
torch.testing.assert_close(free_logits, by_library, atol=1e-4, rtol=1e-4)
torch.testing.assert_close(forced_loss[0], free_loss[0], atol=1e-4, rtol=1e-4)
for accuracy, low, high in ((forced_accuracy, 0.6, 0.95), (free_accuracy, 0.2, 0.65)):
    check_range(accuracy[0], 0.9, 1)
    check_range(accuracy[6:10].mean(), low, high)
    check_range(accuracy[10], 0.9, 1)
check_range(forced_accuracy[6:10].mean() - free_accuracy[6:10].mean(), 0.15, 0.7)
check_range(lost.sum(), 80, 320)
check_range(in_place[lost].mean(), 0.85, 1)
check_range(in_place[~lost].mean(), 0.99, 1)
check_range(halves["first"][0], 0, 0.4)
check_range(halves["second"][0], 0.8, 1)
check_range(max(halves["first"][1], halves["second"][1]), 0, 0.5)
check_range(whole["forced"].sum(), 50, 260)
assert torch.equal(whole["forced"], whole["free"]) and elsewhere == 0
check_range(after["free"], 0.1, 0.35)
check_range(after["forced"], 0.45, 0.95)

# %% id="after-figure" tags=["hide-input"]
# draws the figure
lines = {
    "free, no mistake yet": share_right("free", clean),
    "free, after a mistake": share_right("free", spoilt),
    "the same places, forced": share_right("forced", spoilt),
}
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for n, (name, line) in enumerate(lines.items()):
    ax.plot(range(1, 11), line, "osD"[n] + "-", color=figures.PALETTE[n], label=name)
label = "guessing one of ten digits"
ax.axhline(0.1, color="#444444", linewidth=1, linestyle=":", label=label)
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
# same places with teacher forcing lies far above that, near the first one.
#
# </details>

# %% [markdown] id="after-read"
# After its first mistake the free run is nearly lost, and not because the rows were hard: at the
# very same places, with the right word before it, the decoder knows the answer far more often.
# Training has never shown it a prefix (what has been written so far) with a wrong digit in it. The
# source row alone says what is right; but the decoder has learned to *rely* on the word before, as
# one that was always right.

# %% [markdown] id="plant-text"
# ## One wrong word, planted
#
# A cleaner experiment: take rows that the model writes without any mistake, put *one* wrong digit
# in, and let it go on by itself. Now the rows are easy for certain, and the mistake is ours.


# %% id="continue"
def continue_from(step, state, prefix, length):
    """Read the prefix (B, K), then run free; return the words after it, (B, length)."""
    for tokens in prefix.T:
        logits, state = step(tokens, state)
    predictions = [logits.argmax(-1)]
    while len(predictions) < length:
        logits, state = step(predictions[-1], state)
        predictions.append(logits.argmax(-1))
    return torch.stack(predictions, dim=1)


# %% id="plant"
@torch.no_grad()
def after_planting(model):
    """Accuracy of digits 4 to 10 and the end, after a right and a wrong digit."""
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


def tell(found):
    print(f"≈{found['rows']} rows that it writes without a mistake")
    digits, end = found["wrong"][:7].mean(), found["wrong"][7]
    print(f"third digit wrong: digits 4 to 10 ≈{digits:.2f} right, end ≈{end:.2f}")


planted = after_planting(model)
tell(planted)

# %% [markdown] id="plant-read"
# One wrong digit brings seven digits, all of which it would have written right, down near to
# guessing. It is tempting to say that this must happen. But is teacher forcing alone to blame?
# Train once more, in the same way and on the same rows, a model whose decoder may look at the
# source with attention (a little larger, and it needs fewer updates). Of its rows without a
# mistake, after a wrong third digit, which share of digits 4 to 10 will be right?

# %% id="predict-attention"
predict("07.attention", ...)

# %% id="attention-train" tags=["nbval-ignore-output"]
from dataclasses import replace

seed_everything(1)
looking = make_model(attention=True)
history = fit(looking, batches, replace(recipe, updates=600, validate_every=600))

# %% id="attention"
looked = after_planting(looking)
with reveal("07.attention", looked["wrong"][:7].mean(), within=0.1):
    tell(looked)

# %% id="attention-check" tags=["check"]
# checks what the text says
assert planted["right"].min() == 1.0  # what it writes by itself, once more
check_range(planted["rows"], 50, 260)
check_range(planted["wrong"][:7].mean(), 0.1, 0.4)
check_range(planted["wrong"][7], 0.7, 1)
check_range(looked["rows"], 400, 500)
check_range(looked["wrong"][:7].mean(), 0.7, 1)
check_range(looked["wrong"][7], 0.9, 1)

# %% [markdown] id="planted-text"
# <details><summary>What it says</summary>
#
# It was trained by teacher forcing, has never seen a wrong digit, and goes on as if nothing had
# happened. But it is also the *better* model: nearly all of its rows are whole. Perhaps any model
# as good would recover.
#
# </details>
#
# ### With fewer and with more updates
#
# Both models were trained for several numbers of updates, each a training of its own, with three
# seeds (recorded; lowest to highest; where a seed has no whole row, no digit could be planted):

# %% id="planted"
runs = read_record("07_planted")["runs"]
kinds = {"plain": "without attention", "attention": "with attention"}
print("                      updates   whole rows   right after the planted digit")
for kind, budget in dict.fromkeys((r["variant"], r["budget"]) for r in runs):
    same = [r for r in runs if (r["variant"], r["budget"]) == (kind, budget)]
    rows = [r["rows"] for r in same]
    shares = [r["after"] for r in same if r["rows"]]
    print(f"{kinds[kind]:20}{budget:9,}   {min(rows):3} to {max(rows):3}", end="")
    print(f"   {min(shares):.2f} to {max(shares):.2f}")

# %% [markdown] id="attention-read"
# Read it at equal whole rows. After 12,000 updates the model without attention writes 498 to 500 of
# the 500 rows, as many as the other after 600, and has 0.60 to 0.76 right after the planted digit,
# against 0.99 and more. The model with attention recovers even after 300 updates (0.97 and more),
# with *fewer* whole rows in each training. So being the better model explains a part of the first
# difference (0.22 against 0.99), and not this one. After 24,000 updates the model without attention
# mostly recovers, too: what attention makes easy can be learned without it.
#
# Exposure bias, then, is no fate. What it costs depends on how much the model *needs* to lean on
# the word before.

# %% [markdown] id="real-text"
# ### And in a real translator?
#
# Chapter 00's translator of captions has attention, and was trained by teacher forcing. Let it
# translate *Zwei Frauen trinken im Park Kaffee*, but at one place after the other force the word
# *dog* on it, and let it go on.

# %% id="dogs"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")
english = german.tgt_vocabulary
dog = english.index["▁dog"]


@torch.no_grad()
def with_dogs(text):
    """The translation, and what it writes after a dog at each place."""
    alone = english.encode(german.translate(text, beam_size=1).text)
    one = make_batch([german.src_vocabulary.encode(text)], [alone])
    step, state = stepper(german.model, one)
    found = []
    for place in range(len(alone)):
        prefix = torch.tensor([[2, *alone[:place], dog]])
        went_on = continue_from(step, state, prefix, len(alone) + 4)[0].tolist()
        found.append(went_on[: went_on.index(3)] if 3 in went_on else went_on)
    return alone, found


# %% id="dogs-story"
alone, found = with_dogs("Zwei Frauen trinken im Park Kaffee.")
print("by itself:  ", english.decode(alone))
for place, went_on in enumerate(found):
    print(f"dog as no. {place + 1}", english.decode([*alone[:place], dog, *went_on]))

# %% [markdown] id="dogs-story-read"
# It picks up the thread: where coffee and park are still to come, they get said. A dog in the place
# of the women drinks the coffee; a dog in the place of the coffee is drunk. What the decoder never
# does is take the dog back. It cannot, and it goes on *as if the dog were true*.
#
# Now twenty captions, with a dog at every place. Of the words that were still to come without the
# dog, how many come after it?

# %% id="dogs-twenty"
from collections import Counter

captions = read_record("10_learning")["runs"][0]["sentences"]
stories = [with_dogs(caption["src"]) for caption in captions]
come, by_chance, expected = 0, 0, 0
for n, (alone, found) in enumerate(stories):
    others = [other for other, _ in stories[:n] + stories[n + 1 :]]
    for place, went_on in enumerate(found[:-1]):
        still = Counter(alone[place + 1 :])
        come += (still & Counter(went_on)).total()
        tails = [Counter(other[place + 1 :]) for other in others]
        by_chance += sum((still & tail).total() for tail in tails) / len(tails)
        expected += still.total()
print(f"{come / expected:.2f} of {expected} words, wherever they stand")
print(f"chance: {by_chance / expected:.2f} stand in another caption, cut there")

# %% [markdown] id="dogs-read"
# More than four in five; of the words of *another* caption it would be one in five (*a*, *in* and
# the full stop come again and again). [He et al. (2021)](D_papers.ipynb#cell-id=he-2021), who
# compared what language models write after right prefixes and after their own, found little harm as
# well, and speak of **self-recovery**; [Arora et al. (2022)](D_papers.ipynb#cell-id=arora-2022),
# who measure in another way, find that errors pile up.
#
# And the sentences with the dog show a harm that no count of words sees: fluent English about
# something that is not in the source. [Wang and Sennrich (2020)](D_papers.ipynb#cell-id=wang-2020)
# trace such **hallucinations** in part to exposure bias, above all where the test sentences are of
# another kind than those of the training.

# %% [markdown] id="experiment-text"
# ## Open experiment: a training that meets mistakes
#
# *40 minutes, no check.* Does a decoder that has met wrong words in training go on better after
# one? One input in ten becomes
# a *random* digit (`"noise"`), the token for unknown words (`"unknown"`), or something of your own.
# Choose **one**, and write down two numbers and why: the share of whole rows, and the accuracy
# after a planted digit, both beside the unchanged training. Then put its name in place of `None`,
# run, and report.
#
# <details><summary>What a convincing report has</summary>
#
# | a report that convinces | |
# |---|---|
# | prediction | both numbers written before the run, with a reason |
# | one change | rows, updates and learning rate as above |
# | seeds | at least three, the same for both; all shown |
# | two measures | one that only sees the first mistake, one that sees what comes after |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% id="experiment"
CHANGE = None  # "noise", "unknown", or one of your own


class Changed(Seq2Seq):
    """In training, one input word in ten is replaced."""

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
            rows, after_it = result["rows"] / 500, result["wrong"][:7].mean()
            print(f"seed {seed}, {kind.__name__}: {rows:.2f} whole,", end=" ")
            print(f"{after_it:.2f} right after a planted digit")

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("07", "abcda")`.

# %% id="recall"
recall("07")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Teacher forcing is maximum likelihood: every word is learned after the right ones. At inference
#   the decoder reads its own predictions.
# - Until its first mistake a greedy decoder reads the right words; what exposure bias does, it does
#   after that.
# - How much it does depends on the model. Of two as good in whole rows, the one without attention
#   lost a quarter to two fifths of the digits after a planted one, the other hardly any.
# - A real translator goes on as well, but as if the wrong word were true.
#
# **Left out.** Passing a gradient through the choice of a word
# ([07b](07b_scheduled_sampling.ipynb#cell-id=paper-text) names a paper); imitation learning, where
# the same trouble is known since DAgger ([Ross et al. 2011](D_papers.ipynb#cell-id=ross-2011)).
#
# <details><summary>Papers</summary>
#
# [Williams and Zipser 1989](D_papers.ipynb#cell-id=williams-1989); [Bengio, Vinyals, Jaitly and
# Shazeer 2015](D_papers.ipynb#cell-id=bengio-2015) (§2.4); [Ranzato, Chopra, Auli and Zaremba
# 2016](D_papers.ipynb#cell-id=ranzato-2016); [Wang and Sennrich
# 2020](D_papers.ipynb#cell-id=wang-2020); [He et al. 2021](D_papers.ipynb#cell-id=he-2021); [Arora
# et al. 2022](D_papers.ipynb#cell-id=arora-2022); [Ross, Gordon and Bagnell
# 2011](D_papers.ipynb#cell-id=ross-2011).
#
# </details>
#
# **Next.** The decoder reads its own prediction, the most probable word at every step. Does that
# lead to the most probable sentence? [Chapter 08](08_beam_search.ipynb) searches. Whether a
# training that meets its own mistakes gives a better model is measured in
# [07b](07b_scheduled_sampling.ipynb).
