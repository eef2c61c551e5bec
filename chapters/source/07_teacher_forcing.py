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
# **What you will be able to do.** Run a decoder on the right words, on its own predictions, and on
# any mixture of them. Plant a mistake, measure its cost, and say what in the training changes that
# cost.
#
# **What you need.** An encoder, a decoder and the target shifted by one (chapter 3); attention,
# which lets a decoder look at the source (chapter 5).
#
# **Time.** 22 minutes to read, 40 for exercises 7.1 to 7.3; the notebook runs in about a minute.

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

next_word = {
    "<sos>": "I", "I": "went", "go": "home", "went": "to", "to": "house", "home": ".", "house": ".",
}
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
# *Figure 1. At each question mark a decoder reads either the right word (gold), from below, or the
# word it has just written, along the dotted line.*
#
# This decoder is a table: one next word for each word it reads. The source is `나는 집에 간다` (*I
# · to home · go*), the right translation *I go home.* The table has one fault: after *I* it writes
# *went*.
#
# If it reads the right words, this costs one word, because the next input is *go* again. If it
# reads its own predictions, *went* leads to *to*, and *to* leads to *house*. The fault is the same;
# the damage is not.
#
# A translator is trained in the first way and used in the second. [Ranzato et al.
# (2016)](D_papers.ipynb#cell-id=ranzato-2016) called this mismatch **exposure bias** (노출 편향):
# in training the model is never exposed to its own predictions.

# %% [markdown] id="note-text"
# ## Two ways to feed a decoder
#
# Feeding the right word in training, even after a wrong prediction, is called **teacher forcing**
# (교사 강요; [Williams and Zipser 1989](D_papers.ipynb#cell-id=williams-1989)). The right word is
# also called *gold*, *ground truth* or GT. This follows from maximum likelihood. The probability of
# a whole translation is a product over its words, so
#
# $$\log p(y \mid x) = \sum_t \log p(y_t \mid y_1, \dots, y_{t-1}, x),$$
#
# and in every term the words before $y_t$ are the *right* ones ([Goodfellow, Bengio and Courville,
# section 10.2.1](https://www.deeplearningbook.org/contents/rnn.html)).
#
# At **inference** (추론), when the trained model is used, there is no right word. The decoder reads
# what it has written, right or wrong. This is called **free running** (자기회귀 생성).

# %% [markdown] id="task-text"
# ### A task in which right and wrong are certain
#
# A sentence has many right translations, and one extra word shifts all that follow. To compare
# *position by position* we need exactly one right answer at every position: a row of 3 to 10 random
# digits, to be written backward. The model is chapter 3's, without attention: everything must pass
# through one vector, so it makes mistakes that we can study. We train it by teacher forcing.

# %% id="task" tags=["hide-input"]
# the task, the model and the recipe of training
import random

from attnlib.data import Batches, make_batch
from attnlib.model import Encoder, LuongDecoder, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit
from torch import nn


def reversed_digits(count, seed, shortest=3, longest=10):
    """Rows of random digits, and backward; the token of digit d is d + 4."""
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        length = draw.randint(shortest, longest)
        found.append([4 + draw.randrange(10) for _ in range(length)])
    return [(row, row[::-1]) for row in found]


def make_model(attention=False, kind=Seq2Seq):
    source, target = nn.Embedding(14, 32), nn.Embedding(14, 32)
    for table in (source, target):  # 4 special tokens, 10 digits
        nn.init.normal_(table.weight, std=32**-0.5)
    if attention:
        decoder = LuongDecoder(target, 96, 96, 32, attention="general")
    else:
        decoder = PlainDecoder(target, 96, 96, 32)
    return kind(Encoder(source, 96), decoder, nn.Linear(32, 14))


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

# %% id="train"
seed_everything(1)
model = make_model()
history = fit(model, batches, recipe, progress=False)

tens = reversed_digits(500, seed=3, shortest=10)  # 500 new rows of ten digits
batch = make_batch([x for x, _ in tens], [y for _, y in tens])
print("source:", [token - 4 for token in tens[0][0]])
print("target:", [token - 4 for token in tens[0][1]])

# %% [markdown] id="forced-text"
# With teacher forcing the decoder reads `tgt_in`, a start token and then the target. (The token of
# a digit is the digit plus 4.) All inputs are known beforehand, so one call of the recurrent layer
# does all steps.

# %% id="forced"
with torch.no_grad():
    forced_logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
print("reads:  ", batch.tgt_in[0].tolist(), "(2 starts)")
print("target: ", batch.tgt_out[0].tolist(), "(3 ends)")
print("logits: ", tuple(forced_logits.shape))

# %% [markdown] id="free-text"
# ### A run that never sees the right words
#
# Here the decoder is a function `step(tokens, state)`: it reads one token of every sentence and
# returns the logits of the next token, and its new state.


# %% id="stepper"
def stepper(model, batch):
    """The model's decoder as step(tokens, state), and its first state."""
    memory = model.encode(batch.src, batch.src_mask)

    def step(tokens, state):
        features, state, _ = model.decoder.step(tokens.unsqueeze(1), memory, state)
        return model.output(features).squeeze(1), state

    return step, model.decoder.start(memory)


# %% [markdown] id="ex-free-running-text"
# ### Exercise 7.1 · Left alone
# *Core, 10 minutes.* `first` (B,) contains the start tokens. Run the decoder for `length` steps;
# after the first, each reads the most probable word of the step before. Return the *logits* of all
# steps, (B, length, V). There is no right word among the arguments, so nothing can leak.
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


# %% [markdown] id="position-text"
# ### Position by position
#
# Your loop (or the book's, as long as the exercise is blank) runs free. The model and the 500 rows
# are the same; only the input of the decoder differs.

# %% id="free"
with torch.no_grad():
    step, state = stepper(model, batch)
    free_logits = free_running(step, state, batch.tgt_in[:, 0], 11)
written = {"forced": forced_logits.argmax(-1), "free": free_logits.argmax(-1)}
right = {name: tokens == batch.tgt_out for name, tokens in written.items()}  # (500, 11)
accuracy = {name: found.double().mean(0) for name, found in right.items()}
print("accuracy     digit 1    digits 7 to 10")
for name, share in accuracy.items():
    print(f"{name:12} ≈{share[0]:.2f}      ≈{share[6:10].mean():.2f}")

# %% id="position-figure" tags=["hide-input"]
# draws Figure 2
fig, ax = plt.subplots(figsize=(7.5, 3.4))
ax.plot(range(1, 11), accuracy["forced"][:10], "o-", label="teacher forcing")
ax.plot(range(1, 11), accuracy["free"][:10], "s--", label="free running")
ax.axhline(0.1, color="#777777", linewidth=1, linestyle=":", label="guessing")
ax.set(title="Figure 2. Accuracy at each digit of 500 rows", ylim=(0, 1.03))
ax.set(xlabel="target position t (digits)", ylabel="accuracy (0 to 1)")
ax.set_xticks(range(1, 11))
ax.legend(frameon=False, bbox_to_anchor=(1, 0.5), loc="center left")
plt.show()

# %% [markdown] id="position-alt"
# <details><summary>The figure in words</summary>
#
# Two lines over positions 1 to 10. With teacher forcing the accuracy dips near position 8 and rises
# again. Free running it starts at the same height, falls until position 8 and stays there, far
# below. A dotted line marks guessing, 0.1.
#
# </details>

# %% [markdown] id="position-read"
# At digit 1 both have read only the start token. Then they diverge, and the gap grows toward the
# end. Validation with teacher forcing sees only the upper line. (Why that line dips and rises again
# is left open.)

# %% [markdown] id="first-text"
# ## Where do the two runs part?
#
# Call a row *whole* if it is right from the first digit to the last. In which run are more of the
# 500 rows whole: forced or free, or is the number the same? Answer "forced", "free" or "same".

# %% id="predict-whole"
predict("07.whole", ..., choices=("forced", "free", "same"))


# %% id="rows" tags=["hide-input"]
# marks the mistakes of a row
def marked(line, right_line):
    """A row of digits: its first mistake in [], later ones in ()."""
    text, faults = "", 0
    for token, gold in zip(line.tolist(), right_line.tolist()):
        digit = "." if token == 3 else str(token - 4)
        brackets = "  " if token == gold else "()" if faults else "[]"
        text += brackets[0] + digit + brackets[1]
        faults += token != gold
    return approx_text(text.rstrip())


def show_rows(chosen):
    for n in chosen:
        print("\nright ", marked(batch.tgt_out[n], batch.tgt_out[n]))
        for name, tokens in written.items():
            print(f"{name:6}", marked(tokens[n], batch.tgt_out[n]))


# %% id="first"
whole = {name: found.all(1) for name, found in right.items()}
first = {name: (~found).int().argmax(1) for name, found in right.items()}
elsewhere = (first["forced"] != first["free"]).sum()
counts = {name: found.sum() for name, found in whole.items()}
answer = "same" if counts["forced"] == counts["free"] else max(counts, key=counts.get)
early = ((first["free"] > 1) & (first["free"] < 6)).nonzero().flatten()
with reveal("07.whole", answer):
    for name, count in counts.items():
        print(f"{name:6}: ≈{count} rows of 500 are whole")
    print(f"rows whose first mistake is at another digit: {elsewhere}")
    show_rows(early[:3].tolist())

# %% [markdown] id="first-read"
# <details><summary>What it says</summary>
#
# The same rows are whole. Until its first mistake, a decoder that reads its own predictions *reads
# the right words*. The first mistake (in square brackets) is therefore the same, forced or free,
# and only what follows differs (later mistakes are in round brackets). This is true of every model
# with greedy decoding. If there is one right answer, exposure bias can show only **after the first
# mistake**, and of two runs of one model the share of whole rows cannot reveal it.
#
# </details>

# %% [markdown] id="ex-first-mistake-rates-text"
# ### Exercise 7.2 · The rate of first mistakes
# *Core, 10 minutes.* Accuracy falls along the row, but does each digit get harder? `right` (B, T)
# is True where a prediction is right. For each position, take the rows that are right at *all*
# earlier positions. What share of them goes wrong here? Return (T,), and 0 where no row is left.
#
# <details><summary>Hint 1</summary>
#
# At position 0 all rows count. A row that has gone wrong once never counts again, whatever it does
# later.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `right.cumprod(1)` is 1 before a row's first mistake and 0 from that mistake onward.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Summed over the rows, that product is the number still right *after* each position. The number
# right *before* it is the same list moved by one place, with B in front. The rate is their
# difference divided by the number before; `clamp(min=1)` avoids 0 / 0.
#
# </details>


# %% id="ex-first-mistake-rates" tags=["exercise"]
@exercise
def first_mistake_rates(right):
    """Of the rows right before a position, the share that goes wrong there. (B, T) → (T,)."""
    raise NotImplementedError


# %% [markdown] id="rates-text"
# ### Two ways to count mistakes

# %% id="rates"
rates = {name: first_mistake_rates(found) for name, found in right.items()}


def show_digits(label, numbers):
    print(label + "".join(f"   ≈{numbers[t]:.2f}" for t in (0, 2, 4, 6, 8)))


print("at digit                   1       3       5       7       9")
for name in right:
    show_digits(f"{name:6}  all mistakes  ", 1 - accuracy[name])
    show_digits(f"{name:6}  first mistakes", rates[name])

# %% [markdown] id="rates-read"
# Counted by first mistakes, the two runs are the same, digit by digit. (This rate can exceed the
# share of all mistakes, because it is a share of fewer rows: those still right.) It is not
# constant: digit 7 goes wrong more often than digit 1 even where everything before it is right. The
# free run adds only later mistakes.

# %% [markdown] id="plant-text"
# ## One wrong digit, planted
#
# What does a mistake cost? Rows with a mistake might simply be hard rows. We therefore make the
# mistake ourselves: in *all* 500 rows the decoder is given the first three digits, once the right
# ones and once with a wrong third digit, and then reads its own predictions. One function can do
# this, and everything above.

# %% [markdown] id="faded-text"
# ### The same loop, half done
#
# Here every *third* step should read the right word, and all others the most probable word of the
# step before. As it stands, the others read the right word as well. Correct that one line, and
# fewer digits will be right.

# %% id="faded"
step, state = stepper(model, batch)
tokens = batch.tgt_in[:, 0]
third = []
for t in range(11):
    if t > 0 and t % 3 == 0:
        tokens = batch.tgt_in[:, t]
    elif t > 0:
        tokens = batch.tgt_in[:, t]  # yours: what has the last step just written?
    logits, state = step(tokens, state)
    third.append(logits.detach())
every_third = torch.stack(third, dim=1).argmax(-1)
right_digits = (every_third == batch.tgt_out)[:, :10].double().mean()
print(f"digits right: ≈{right_digits:.2f}")

# %% [markdown] id="ex-scheduled-run-text"
# ### Exercise 7.3 · Given, or its own
# *Hard, 20 minutes.* `gold` (B, T) contains the words that can be given; it begins with the start
# token. `coins` (B, T) decides what is read: step $t$ reads `gold[:, t]` where `coins[:, t]` is
# True, else the most probable word of step $t-1$ *of this run*. The start token is always read,
# whatever its coin. Return the logits (B, T, V); a loss on them may train the decoder, so their
# gradient must not be cut. With all coins False the run must not look at any word of `gold` after
# the start.
#
# <details><summary>Hint 1</summary>
#
# Begin with your solution of 7.1. What changes is only which tokens are read.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# At $t = 0$ there is no prediction yet. From $t = 1$ onward it is the most probable word by the
# last logits of this run, not of a forced one.
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
    """Logits (B, T, V); step t reads gold[:, t] where coins[:, t], else its own."""
    raise NotImplementedError


# %% [markdown] id="plant-how"
# ### What one wrong digit costs
#
# All coins True is teacher forcing, all False is free running, and the first four True (the start
# token and three digits) plant the mistake:


# %% id="plant"
@torch.no_grad()
def after_third(model):
    """Share of whole rows, and of right digits 4 to 10 after a right and a wrong third."""
    step, state = stepper(model, batch)

    def digits_right(gold, given):
        """Which digits are right (B, 11) if so many first inputs are given."""
        coins = torch.arange(11).expand(500, 11) < given
        return scheduled_run(step, state, gold, coins).argmax(-1) == batch.tgt_out

    gold = batch.tgt_in
    wrong = gold.clone()
    wrong[:, 3] = 4 + (gold[:, 3] - 4 + 1) % 10  # digit 7 becomes 8, digit 9 becomes 0
    found = {
        "whole": digits_right(gold, given=1).all(1),
        "right": digits_right(gold, given=4)[:, 3:10],
        "wrong": digits_right(wrong, given=4)[:, 3:10],
    }
    return {name: share.double().mean().item() for name, share in found.items()}


def tell(found):
    print(f"digits 4 to 10 right after a right third digit: ≈{found['right']:.2f}")
    print(f"digits 4 to 10 right after a wrong third digit: ≈{found['wrong']:.2f}")
    print(f"whole rows:                                     ≈{found['whole']:.2f}")


planted = after_third(model)
tell(planted)

# %% [markdown] id="plant-read"
# Most of the other seven digits are right after a right third digit, and about one fifth after a
# wrong one, twice what guessing would give. Yet the encoder has read all seven, and its vector has
# not changed.

# %% [markdown] id="cause-text"
# ## The cause, tested
#
# Has the decoder learned to *rely* on the digit before, which was always right in training? This
# can be tested. We train the same model again, with one thing changed: one input digit in ten is a
# random digit. The targets stay right, and the decoder never reads its own predictions.


# %% id="random-digits"
def random_digits(tgt_in):
    """The right inputs, but one in ten is a random digit (never the start token)."""
    replaced = torch.rand(tgt_in.shape) < 0.1
    replaced[:, 0] = False
    return torch.where(replaced, torch.randint_like(tgt_in, 4, 14), tgt_in)


class Corrupted(Seq2Seq):
    """In training, the decoder reads corrupt(tgt_in) in place of the right words."""

    corrupt = staticmethod(random_digits)

    def features(self, src, src_mask, tgt_in, *others):
        if self.training:
            tgt_in = self.corrupt(tgt_in)
        return super().features(src, src_mask, tgt_in, *others)


seed_everything(1)
warned = make_model(kind=Corrupted)
history = fit(warned, batches, recipe, progress=False)
tell(after_third(warned))

# %% [markdown] id="cause-how"
# That was one seed, a lucky one for teacher forcing. The recorded runs
# (`studies/teacher_forcing_chapter.py`; their seed 1 starts from different weights) compare the two
# with ten seeds, at 1,500 and 3,000 updates, and with one seed at half and twice the learning rate.

# %% id="cause" tags=["hide-input"]
# prints the recorded runs
recorded = {"0.008": read_record("07_recovery")["runs"]}
for run in read_record("07_rates")["runs"]:
    recorded.setdefault(f"{run['rate']:.3f}", []).append(run)
MEASURES = ("after a right third digit", "after a wrong third digit", "whole")


def measured(way, rate="0.008"):
    """Of each seed the three shares: (seeds, 3)."""
    rows = []
    for run in recorded[rate]:
        if run["variant"] == way:
            rows.append([run[name] for name in MEASURES])
    return torch.tensor(rows).double()


def line(label, shares):
    right_third, wrong_third, whole_rows = shares.quantile(0.5, dim=0).tolist()
    print(f"{label:40}{right_third:11.2f}{wrong_third:14.2f}{whole_rows:14.2f}")


ways = {"teacher forcing": "gold", "one digit in ten random": "noise"}
longer = {f"{name}, 3,000 updates": f"{way}-long" for name, way in ways.items()}
print(" " * 40 + "digits 4 to 10 after a")
print(" " * 40 + "right third   wrong third   whole rows")
print(f"median of {len(measured('gold'))} seeds")
for name, way in {**ways, **longer}.items():
    line(name, measured(way))
print("seed 1 at three learning rates")
for rate in ("0.004", "0.008", "0.016"):
    for name, way in ways.items():
        line(f"{rate} {name}", measured(way, rate)[:1])
print("random digits minus teacher forcing, pairs of one seed")
gains = {}
for updates, budget in (("1,500", ""), ("3,000", "-long")):
    gain = measured("noise" + budget) - measured("gold" + budget)
    gains[updates] = gain
    print(f"{updates} updates: after a wrong digit better in {(gain[:, 1] > 0).sum()};", end=" ")
    print(f"whole rows fewer in {(gain[:, 2] < 0).sum()}, more in {(gain[:, 2] > 0).sum()}")

# %% [markdown] id="cause-read"
# The test supports this: trained with random digits, the model gets more right after a wrong digit
# in every pair, and at each of three learning rates. After 3,000 updates a wrong third digit costs
# it little, 0.78 against 0.84; teacher forcing falls from 0.81 to 0.23. After 1,500 there is a
# price: where teacher forcing has whole rows at all, random digits leave fewer. After 3,000 this is
# not clear.

# %% [markdown] id="attention-text"
# ## Must it be so?
#
# Is teacher forcing to blame, then? The next cell trains, on the same rows, a model whose decoder
# can look at the source with attention (it is a little larger, and 600 updates are enough). It has
# never read a wrong digit either. What share of digits 4 to 10 is right after a wrong third one?

# %% id="predict-attention"
predict("07.attention", ...)

# %% id="attention"
from dataclasses import replace

seed_everything(1)
looking = make_model(attention=True)
history = fit(looking, batches, replace(recipe, updates=600, validate_every=600), progress=False)
looked = after_third(looking)
with reveal("07.attention", looked["wrong"], within=0.1):
    tell(looked)
    print("recorded, three seeds each      whole rows   right after a wrong digit, in these rows")
    runs = read_record("07_planted")["runs"]
    for kind, label in (("plain", "without attention"), ("attention", "with attention")):
        for updates in sorted({run["budget"] for run in runs if run["variant"] == kind}):
            same = [run for run in runs if (run["variant"], run["budget"]) == (kind, updates)]
            rows = [run["rows"] for run in same]
            shares = [run["after"] for run in same]
            print(f"{label:17} {updates:6,} updates", end="")
            print(f"{min(rows):6} to {max(rows)}{min(shares):12.2f} to {max(shares):.2f}")

# %% [markdown] id="attention-read"
# <details><summary>What it says</summary>
#
# It was trained by teacher forcing and continues as if nothing had happened. It is also the better
# model, with nearly all rows whole; the recorded runs separate the two, by counting only in rows
# that the model gets whole. After 300 updates, with fewer rows whole, attention already recovers.
# Without attention, recovery comes with training: nearly all rows are whole after 12,000 updates
# and after 24,000, but of the digits after a wrong one 0.60 to 0.76 are right at first, and 0.77 to
# 0.93 later.
#
# So teacher forcing does not have to leave a decoder helpless after a mistake. Attention, long
# training and corrupted inputs each made a mistake cheaper. A likely common reason is that the
# model then *needs* the word before it less; we have measured the cost, not the need. (All have one
# learning rate, tuned neither for attention nor for long training.)
#
# </details>

# %% [markdown] id="real-text"
# ## And in a real translator?
#
# Chapter 0's translator of captions has attention and was trained by teacher forcing. Let it
# translate *Zwei Frauen trinken im Park Kaffee* (*two women drink in the park coffee*), force the
# word *dog* on it at one position after another, and let it continue.

# %% id="dogs"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")
english = german.tgt_vocabulary
dog = english.index["▁dog"]


@torch.no_grad()
def with_dogs(text):
    """The translation, and what it writes after a dog at each position."""
    alone = english.encode(german.translate(text, beam_size=1).text)
    one = make_batch([german.src_vocabulary.encode(text)], [alone])
    step, state = stepper(german.model, one)
    found = []
    for place in range(len(alone)):
        given = [2, *alone[:place], dog]  # 2 is the start token
        # after the given words there is room (zeros, never read) for its own
        gold = torch.tensor([given + [0] * (len(alone) + 3)])
        coins = torch.arange(gold.shape[1])[None] < len(given)
        written = scheduled_run(step, state, gold, coins).argmax(-1)[0].tolist()
        went_on = written[place + 1 :]
        if 3 in went_on:  # the end token
            went_on = went_on[: went_on.index(3)]
        found.append(went_on)
    return alone, found


# %% id="dogs-story"
alone, found = with_dogs("Zwei Frauen trinken im Park Kaffee.")
print("by itself:  ", english.decode(alone))
for place, went_on in enumerate(found):
    print(f"dog as no. {place + 1}", english.decode([*alone[:place], dog, *went_on]))

# %% [markdown] id="dogs-story-read"
# It picks up the thread: if coffee and park are still to come, it mentions them. As the first word,
# the dog drinks the coffee; instead of the coffee, the dog is what they drink. The decoder cannot
# take the dog back.
#
# Now take twenty captions, with a dog at every position. Of the words that were still to come
# without the dog, what share comes after it?

# %% id="dogs-twenty"
from collections import Counter

captions = read_record("10_learning")["runs"][0]["sentences"]
stories = [with_dogs(caption["src"]) for caption in captions]


def common_words(some, others):
    """How many words two lists have in common, in any order."""
    return (Counter(some) & Counter(others)).total()


expected, come, by_chance = 0, 0, 0
for n, (alone, found) in enumerate(stories):
    for place, went_on in enumerate(found[:-1]):
        still_to_come = alone[place + 1 :]
        expected += len(still_to_come)
        come += common_words(still_to_come, went_on)
        for m, (other, _) in enumerate(stories):
            if m != n:
                by_chance += common_words(still_to_come, other[place + 1 :])
print(f"{come / expected:.2f} of {expected} tokens, in any order")
by_chance /= len(stories) - 1  # the mean over the other captions
print(f"chance: {by_chance / expected:.2f} are in another caption, cut there")

# %% [markdown] id="dogs-read"
# More than four in five come. Another caption, cut at the same place, shares one in five (*a*, *in*
# and the period are everywhere). [He et al. (2021)](D_papers.ipynb#cell-id=he-2021), who compared
# what language models write after right prefixes and after their own, also found little harm, and
# speak of **self-recovery**; [Arora et al. (2022)](D_papers.ipynb#cell-id=arora-2022), who measure
# differently, find that errors accumulate.
#
# Counting words misses that the dog stays and that some sentences are built around it. [Wang and
# Sennrich (2020)](D_papers.ipynb#cell-id=wang-2020) trace **hallucinations** (환각), fluent
# translations that have nothing to do with the source, in part to exposure bias, above all where
# the test sentences are unlike the training sentences.

# %% [markdown] id="experiment-text"
# ## Open experiment: what else teaches recovery?
#
# *40 minutes, no check.* Random digits helped. Must it be a *false* digit, or is a hole enough (the
# token 1, which stands for a word that a vocabulary lacks)? One in ten, or one in a hundred? Choose
# **one** change, and predict two numbers, with a reason: the share of whole rows, and the accuracy
# after a wrong third digit, both compared with teacher forcing. Then write the function, replace
# `None` with its name, run, and report.
#
# <details><summary>What a convincing report has</summary>
#
# | a report that convinces | |
# |---|---|
# | prediction | both numbers written before the run, with a reason |
# | one change | rows, updates and learning rate as above |
# | seeds | at least three, the same for both, all shown |
# | two measures | one that only sees the first mistake, one that sees what comes after |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% id="experiment"
CHANGE = None  # a function like random_digits


class Changed(Corrupted):
    corrupt = staticmethod(CHANGE)


if CHANGE is not None:
    for seed in (1, 2, 3):  # about half a minute each
        for kind in (Seq2Seq, Changed):
            seed_everything(seed)
            trained = make_model(kind=kind)
            fit(trained, batches, recipe, progress=False)
            print(f"seed {seed}, {kind.__name__}")
            tell(after_third(trained))

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
# - Until its first mistake, a greedy decoder reads the right words. Where there is one right
#   answer, exposure bias can show only after that.
# - On the digits, without attention, one wrong digit spoiled many of those that followed. Random
#   digits in training, attention, or much longer training made the decoder recover.
# - A translator of captions also recovered, but the wrong word stayed.
#
# **Left out.** Passing a gradient through the choice of a word ([Goyal et al.
# 2017](D_papers.ipynb#cell-id=goyal-2017)); imitation learning, where the same problem has been
# known since DAgger ([Ross et al. 2011](D_papers.ipynb#cell-id=ross-2011)).
#
# <details><summary>Papers</summary>
#
# [Williams and Zipser 1989](D_papers.ipynb#cell-id=williams-1989); [Ranzato, Chopra, Auli and
# Zaremba 2016](D_papers.ipynb#cell-id=ranzato-2016); [Wang and Sennrich
# 2020](D_papers.ipynb#cell-id=wang-2020); [He et al. 2021](D_papers.ipynb#cell-id=he-2021); [Arora
# et al. 2022](D_papers.ipynb#cell-id=arora-2022); [Ross, Gordon and Bagnell
# 2011](D_papers.ipynb#cell-id=ross-2011); [Goyal et al. 2017](D_papers.ipynb#cell-id=goyal-2017).
#
# </details>
#
# **Next.** The decoder reads its own prediction, the most probable word at every step. Does that
# lead to the most probable sentence? [Chapter 08](08_beam_search.ipynb) searches. The side path
# [07b](07b_scheduled_sampling.ipynb) measures what a decoder learns if it meets its own mistakes in
# training.

# %% id="checks" tags=["check"]
# checks what the text says
torch.testing.assert_close(rates["forced"], rates["free"])
assert rates["free"][6] > rates["free"][0] + 0.1
with torch.no_grad():
    for share, logits in ((1.0, forced_logits), (0.0, free_logits)):
        features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in, share)
        torch.testing.assert_close(model.output(features), logits, atol=1e-4, rtol=1e-4)
for name, low, high in (("forced", 0.6, 0.95), ("free", 0.2, 0.65)):
    check_range(accuracy[name][0], 0.9, 1)
    check_range(accuracy[name][6:10].mean(), low, high)
check_range(accuracy["forced"][6:10].mean() - accuracy["free"][6:10].mean(), 0.15, 0.7)
assert torch.equal(whole["forced"], whole["free"]) and elsewhere == 0
check_range(whole["free"].sum(), 50, 260)
check_range(right_digits, 0.6, 0.95)
check_range(planted["wrong"], 0.13, 0.27)
check_range(planted["right"], 0.5, 0.9)
check_range(looked["wrong"], 0.9, 1)
assert all((gain[:, 1] > 0).all() for gain in gains.values())
assert not (gains["1,500"][:, 2] > 0).any()
check_range((gains["3,000"][:, 2] > 0).sum(), 2, 8)
after = measured("noise-long").quantile(0.5, dim=0)
check_range(after[0] - after[1], 0, 0.1)
