# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 03b · The bottleneck
#
# *How much fits through one vector?*
#
# **What you will be able to do.** Measure how much an encoder hands over in one vector, tell a
# vector that is too small from a training that is too short, and build an encoder that reads both
# ways.
#
# **What you need.** The encoder and decoder of [chapter 03](03_seq2seq.ipynb): an LSTM reads the
# source, and all that the second LSTM gets of it is its last state, one vector.
#
# **Time.** About 45 minutes to read and 32 for the two exercises; about half a minute to run.
#
# <details><summary>Plan</summary>
#
# *Must be read*: *The bottleneck* with *Is it only a matter of training?*, and *A state for every
# word*. *May be skipped*: *Which digit is lost?*
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

seed_everything(3)
torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="by-length-text"
# Chapter 03 opened with a translator without attention that lost Hyunwoo in a sentence of four
# clauses. Was that one unlucky sentence? Here are all test sentences of its corpus: how many come
# out without a mistake? **BLEU**, from 0 to 100, is a milder measure: how much a translation has in
# common with the reference ([chapter 09](09_bleu.ipynb) builds it).

# %% id="by-length"
from attnlib.data import bundled_directory, load_corpus
from attnlib.metrics import corpus_bleu
from attnlib.translator import Translator

plain = Translator.load(bundled_directory().parent / "ko-en-plain", "cpu")
corpus = load_corpus("ko-en-easy")
written = plain.translate([pair.src for pair in corpus.test], beam_size=1)
buckets = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
texts = {bucket: [] for bucket in buckets}  # of each range: (written, reference)
for found, pair in zip(written, corpus.test):
    length = len(found.src_tokens) - 1  # without the end token
    (bucket,) = (bucket for bucket in buckets if bucket[0] <= length <= bucket[1])
    texts[bucket].append((found.text, pair.tgt))
for (low, high), both in texts.items():
    right = 100 * sum(text == reference for text, reference in both) / len(both)
    bleu = corpus_bleu(*zip(*both)).score
    kind = f"{len(both)} sentences of {low:2} to {high} tokens"
    print(f"{kind}: ≈{right:3.0f} % flawless, BLEU ≈{bleu:3.0f}")

# %% id="by-length-check" tags=["check"]
# checks what the text says
shares = [sum(text == reference for text, reference in both) for both in texts.values()]
for share, low, high in zip(shares, (70, 12, 0, 0, 0), (90, 32, 8, 4, 4)):
    check_range(share, low, high)
by_length = [corpus_bleu(*zip(*both)).score for both in texts.values()]
assert by_length == sorted(by_length, reverse=True)
references = [pair.tgt for pair in corpus.test]
whole = corpus_bleu([found.text for found in written], references).score
check_range(whole, 50, 62)

# %% [markdown] id="by-length-read"
# Most of the shortest come out right, some of the next, and then hardly any. A grammar wrote these
# sentences, all of the same few words, so that a long one is nothing but long. Why does length do
# this: is the vector too small, was the training too short, or is the beginning too far away?

# %% [markdown] id="dictation-text"
# ## The bottleneck
#
# The vector between the two networks has a fixed size, however long the sentence: it is the
# **bottleneck**. How much goes through? In the **copy task** no grammar helps: random digits are
# read, and written down again. Each digit is $\log_2 10 \approx 3.3$ bits that the vector must
# carry.
#
# The hidden size is 64, the strings have 1 to 16 digits. The forget gates begin near 1, with a bias
# of 3 ([02b](02b_long_memory.ipynb#cell-id=recall-text) shows why). Output layer and target
# embedding share one matrix (**weight tying**): the row that predicts a digit also embeds it.


# %% id="dictation-model"
import random

from attnlib.model import Encoder, PlainDecoder, Seq2Seq


@torch.no_grad()
def set_forget_bias(layer, bias):
    """Initialize the forget gates of an nn.LSTM at σ(bias); the order is i, f, g, o."""
    block = slice(layer.hidden_size, 2 * layer.hidden_size)
    layer.bias_ih_l0[block], layer.bias_hh_l0[block] = bias, 0.0


def make_copier(size=64):
    """Encoder and decoder of one hidden size, for ten digits."""
    source, target = nn.Embedding(15, 32), nn.Embedding(15, 32)
    for embedding in (source, target):
        nn.init.normal_(embedding.weight, std=32**-0.5)
    encoder = Encoder(source, size, bidirectional=False)
    decoder, output = PlainDecoder(target, size, size, 32), nn.Linear(32, 15)
    nn.init.zeros_(output.bias)
    output.weight = target.weight  # weight tying
    for layer in (encoder.layers[0], decoder.rnn):
        set_forget_bias(layer, 3.0)
    return Seq2Seq(encoder, decoder, output)


def random_digits(count, shortest, longest, seed):
    """Strings as token numbers; digit 0 is token 4."""
    draw = random.Random(seed)
    lengths = [draw.randint(shortest, longest) for _ in range(count)]
    return [[4 + draw.randrange(10) for _ in range(length)] for length in lengths]


# %% id="dictation-train" tags=["nbval-ignore-output"]
from attnlib.data import Batches
from attnlib.training import Recipe, fit

strings = random_digits(20_000, 1, 16, seed=1)
recipe = Recipe(
    updates=1500,
    learning_rate=1e-2,
    warmup=100,
    label_smoothing=0.0,
    validate_every=1500,
    precision="fp32",
    seed=1,
)
seed_everything(1)
copier = make_copier()
history = fit(copier, Batches(strings, strings, batch_size=64, seed=1), recipe)


# %% id="dictation-write"
from attnlib import data


@torch.no_grad()
def is_right(model, strings):
    """Whether each token (B, T) of what the model writes is right, the end included."""
    batch = data.make_batch(strings, strings)
    memory, tokens = model.encode(batch.src, batch.src_mask), batch.tgt_in[:, :1]
    state, right = model.decoder.start(memory), []
    for t in range(batch.tgt_out.shape[1]):
        log_probs, state, _ = model.step(tokens, memory, state)
        tokens = log_probs.argmax(-1)
        right.append(tokens[:, 0] == batch.tgt_out[:, t])
    return torch.stack(right, 1)


copier.eval()
test = {n: random_digits(300, n, n, seed=10_000 + n) for n in range(1, 17)}
shares = [is_right(copier, test[n]).all(1).double().mean() for n in range(1, 17)]
live = torch.tensor(shares)

# %% [markdown] id="dictation-predict"
# The strings of training had all lengths up to 16, equally often. At which length will the model
# write half of the strings without a mistake?

# %% id="half"
def half(curve):
    """The length at which the share falls below one half, between two whole lengths."""
    n = next((n for n, share in enumerate(curve) if share < 0.5), None)
    if n is None:
        return float(len(curve))  # the cliff lies beyond the longest string
    return n + (curve[n - 1] - 0.5) / (curve[n - 1] - curve[n])


for n in (2, 8, 12, 16):
    print(f"strings of {n:2} digits: right in ≈{100 * live[n - 1]:3.0f} of 100")

# %% id="record" tags=["hide-input"]
# reads the recorded runs
record = read_record("03_seq2seq")


def recorded(variant, what="exact"):
    """One row per seed."""
    runs = [run for run in record["runs"] if run["variant"] == variant]
    return torch.tensor([run[what] for run in runs])

# %% id="record-check" tags=["check"]
# checks what the text says
for n, low, high in ((2, 0.95, 1), (8, 0.3, 0.9), (12, 0, 0.25), (16, 0, 0.05)):
    check_range(live[n - 1], low, high)
assert (live - recorded("size-64")[0]).abs().max() < 0.25  # the same seed, recorded

# %% [markdown] id="sizes-text"
# The recorded runs (`studies/seq2seq_chapter.py`, three seeds each) differ in nothing but the
# hidden size: 16, 32, 64 and 128. Seed 1 of size 64 is what you have just trained. How many digits
# more than size 64 does size 128 carry, where half of the strings are right?

# %% id="predict-double"
predict("03b.double", ...)  # digits more

# %% id="sizes" tags=["hide-input"]
# draws the figure
import math

from attnbook.figures import learning_curves

sizes = (16, 32, 64, 128)
exact = {f"hidden size {size}": recorded(f"size-{size}") for size in sizes}
title = "Copy task: strings written without a mistake (recorded, 3 seeds)"
axis = {"xlabel": "length of the string (digits)", "ylabel": "right (0 to 1)"}
halves = {n: [half(curve) for curve in recorded(f"size-{n}").tolist()] for n in sizes}
with reveal("03b.double", (sum(halves[128]) - sum(halves[64])) / 3, within=1):
    ax = learning_curves(range(1, 17), exact, title=title, **axis)
    circle = {"s": 60, "facecolors": "none", "edgecolors": "black", "zorder": 5}
    ax.scatter(range(1, 17), live, label="just trained (64)", **circle)
    ax.legend(frameon=False, loc="upper right")
    plt.show()
    print("recorded, mean of 3   half are right at      bits   parameters")
    for size, of_seeds in halves.items():
        digits = sum(of_seeds) / len(of_seeds)
        bits = digits * math.log2(10)
        count = int(recorded(f"size-{size}", "parameters")[0])
        print(f"hidden size {size:3} {digits:17.1f} digits {bits:9.0f} {count:12,}")
    print(f"room in 128 numbers of 32 bits each: {128 * 32 / math.log2(10):,.0f} digits")

# %% [markdown] id="sizes-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length from 1 to 16 digits, for four hidden sizes.
# Every curve starts at 1 and falls to 0 over five to nine digits; the larger the size, the farther
# right the cliff. Open circles, the live run, lie near the band of size 64.
#
# </details>

# %% [markdown] id="half-read"
# <details><summary>What it says</summary>
#
# A cliff: short strings are nearly always right, long ones never. (One wrong digit, and the string
# is wrong.) Twice the hidden size never carries twice the digits, only one or two more.
#
# It is tempting to say that a long string does not *fit* into the vector. The column of bits
# contradicts that: 128 numbers have room for more than a thousand digits. What runs out is what a
# network of this kind, trained like this, can write into a vector and read out again.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# Three seeds of each size. A larger vector brings a larger network with it, as the last column
# says: the effects of the two are not separated here.
#
# </details>

# %% [markdown] id="longer-text"
# ### Is it only a matter of training?
#
# "Trained like this" means 1,500 updates, and the loss was still falling, as the cell below prints.
# So the same networks were trained with **ten times the updates**, on ten times the strings, so
# that none is read more often. After 1,500 updates size 64 wrote no string of 16 digits without a
# mistake. How many of a hundred will it write now?

# %% id="predict-longer"
predict("03b.longer", ...)  # from 0 to 100

# %% id="longer-figure" tags=["hide-input"]
# draws the figure
def draw_longer():
    """The copy task after ten times the updates."""
    before_and_after = {"size 64, 1,500 updates": recorded("size-64")}
    for n in sorted(longer):  # each size in the color of the figure above
        before_and_after[f"size {n}, 15,000 updates"] = longer[n]
    title = "Copy task with ten times the training (recorded)"
    ax = learning_curves(range(1, 17), before_and_after, title=title, **axis)
    ax.legend(frameon=False, loc="lower left")
    plt.show()

# %% id="longer"
longer = {n: recorded(f"size-{n}-long") for n in (32, 64, 128)}
last = recorded("size-64", "loss").mean(0)[-4:].tolist()
runs_of = {"1,500": "", "4,500": "-3x", "15,000": "-long"}
with reveal("03b.longer", 100 * longer[64][:, 15].mean(), within=15):
    print("loss of size 64 at the end of 1,500 updates:", *[f"{x:.2f}" for x in last], end="")
    print(f" (knowing nothing: {record['digits']['loss of knowing nothing']:.2f})")
    print("recorded, right of 100 strings of 4     8    12    16 digits   last loss")
    for size in sizes:
        for updates, ending in runs_of.items():
            shares = recorded(f"size-{size}{ending}").mean(0)
            cut = "".join(f"{100 * shares[n - 1]:6.0f}" for n in (4, 8, 12, 16))
            loss = recorded(f"size-{size}{ending}", "loss").mean(0)[-1]
            print(f"size {size:3}, {updates:>6} updates  {cut}{loss:19.2f}")
    draw_longer()

# %% [markdown] id="longer-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length from 1 to 16 digits. The curve of size 64 after
# 1,500 updates falls from 1 to 0 between 5 and 12 digits. After 15,000 updates that of the same
# size stays near 1 up to 16 digits, nearly covered by that of 128, which stays at 1; that of size
# 32 falls only toward the end.
#
# </details>

# %% [markdown] id="longer-read"
# <details><summary>What it says</summary>
#
# The cliff of size 64 is out of sight: the same vector now carries sixteen digits nearly every
# time. Even size 32 carries more, after the long training, than 128 did after the short one. So
# what broke at eight or nine digits was not the vector: the network had not yet *learned* to use
# it. A larger vector still helps; more training helped more.
#
# Ask two questions of every cliff, in this book too: *was the loss still falling?* and *what
# happens with ten times the training?*
#
# </details>

# %% [markdown] id="contrary-text"
# ### A report to the contrary
#
# [Cho et al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) saw such a fall in real translation. In the
# same year [Sutskever, Vinyals and Le](D_papers.ipynb#cell-id=sutskever-2014), who had been
# "convinced that the LSTM would fail on long sentences due to its limited memory", found "no
# degradation on sentences with less than 35 words" and "only a minor degradation on the longest
# sentences" (§5, Figure 3). What was different? Count first how many numbers there were per word.

# %% id="contrary"
handed_over = [
    ("Sutskever et al.", 4 * 2 * 1000, 35),
    ("our translator, four clauses", 128, 41),
    ("copy task, size 64", 64, 10),
]
for name, passed, length in handed_over:
    of_each = f"{passed / length:6.1f} per token"
    print(f"{name:29} {passed:5,} numbers for {length} tokens: {of_each}")

# %% [markdown] id="contrary-read"
# Four layers of 1,000 units hand over eight thousand numbers (hidden and cell state of each).
# Besides, this LSTM read the source in reverse, of which below, and was trained for ten days on
# twelve million sentence pairs; Cho et al. trained on sentences of at most thirty words. And a
# sentence is not a random string: *at the* needs hardly a bit when one knows what comes before. So
# the two reports need not contradict each other.

# %% [markdown] id="probe-text"
# ### Which digit is lost?
#
# Is a lost digit not *in* the vector, or can the decoder not find it? For strings of ten digits, a
# single linear layer, a **probe**, tries to read digit $j$ from the final state of your encoder.
# Which digits will be easier to read: the first, or the last, which the encoder has just seen?

# %% id="probe"
@torch.no_grad()
def final_states(strings):
    batch = data.make_batch(strings, strings)
    return copier.encode(batch.src, batch.src_mask).final, torch.tensor(strings) - 4


x, digits_in = final_states(random_digits(6000, 10, 10, 6000))
x_test, digits_test = final_states(random_digits(1000, 10, 10, 1000))
probe = nn.Linear(64, 100)  # ten digits at ten positions
optimizer = torch.optim.Adam(probe.parameters(), lr=0.05)
for _ in range(150):
    optimizer.zero_grad()
    loss = F.cross_entropy(probe(x).view(-1, 10), digits_in.flatten())
    loss.backward()
    optimizer.step()
readable = (probe(x_test).view(-1, 10, 10).argmax(-1) == digits_test).double().mean(0)
decoded = is_right(copier, test[10])[:, :10].double().mean(0)

# %% id="probe-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(7.5, 3.8))
both_lines = {"written by the decoder": decoded, "read by the probe": readable}
for n, (name, shares) in enumerate(both_lines.items()):
    style = {"color": figures.PALETTE[n], "label": name}
    ax.plot(range(1, 11), shares, ("o-", "s--")[n], **style)
ax.axhline(0.1, color="#777777", linewidth=1, label="guessing")
ax.set(title="Strings of ten digits: what is right, by position", ylim=(0, 1.02))
ax.set(xlabel="position in the string (digits)", ylabel="right (0 to 1)")
ax.set_xticks(range(1, 11))
ax.legend(frameon=False, loc="upper right")
plt.show()
some = (1, 2, 5, 9, 10)
print("share right at digit    " + "".join(f"{n:7}" for n in some))
for name, shares in both_lines.items():
    print(f"{name:24}", *(f" ≈{shares[n - 1]:.2f}" for n in some))

# %% [markdown] id="probe-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings in which each of ten digits is right. Written by the decoder: from nearly 1 at
# the first digit down to about a third at the eighth and ninth. Read by a linear layer from the
# final state: nearly 1 at the first digit, then at once about a half and slowly down to a third.
# From the eighth digit on the two lie together. A gray line at 0.1 marks guessing.
#
# </details>

# %% id="probe-check" tags=["check"]
# checks what the text says
for n, low, high in zip(some, (0.9, 0.6, 0.3, 0.15, 0.15), (1, 1, 1, 0.6, 0.7)):
    check_range(decoded[n - 1], low, high)
    check_range(readable[n - 1], 0.9 if n == 1 else 0.2, 1 if n == 1 else 0.65)
assert decoded[1] > readable[1] + 0.2

# %% [markdown] id="probe-read"
# Two surprises (in one run). The safest digit is the **first**, which was read longest ago. So it
# is not simply true that early words fade: training decides what stays, here what is needed first.
# And from the second digit to the middle of the string the decoder does much better than a linear
# layer on the same vector. It has no other source, so those digits are in there, but encoded
# nonlinearly. A probe that finds little does not prove that there is little.

# %% [markdown] id="reverse-text"
# ## Reading backward
#
# To translate *I go home* the subject is needed first, and it was read first, long ago. So
# Sutskever et al. feed the source in **reverse**, and report for English to French a test
# perplexity of 4.7 instead of 5.8 and 30.6 BLEU instead of 25.9.
#
# Count the steps between reading a word and writing it, where $S$ words are copied in order.
# Forward, word $j$ is read at step $j$ and written at step $S + j$: always $S$ steps. Reversed it
# is read at $S + 1 - j$: that makes $2j - 1$ steps. What happens to the *average*?

# %% id="predict-lags"
predict("03b.lags", ..., choices=("shorter", "the same", "longer"))

# %% id="lags"
S = 10
lags = {
    "forward": [(S + j) - j for j in range(1, S + 1)],
    "reversed": [(S + j) - (S + 1 - j) for j in range(1, S + 1)],
}
with reveal("03b.lags", "the same"):
    for name, lag in lags.items():
        mean = sum(lag) / S
        print(f"{name:8}: shortest {min(lag):2}, mean {mean}, longest {max(lag)}: {lag}")

# %% [markdown] id="lags-read"
# <details><summary>What it says</summary>
#
# It is tempting to say that reversing brings each word closer to its translation. On average it
# does not; what falls is the *shortest* time lag. Sutskever et al. say so (§3.3), and suspect that
# this helps "establishing communication" between source and target.
#
# </details>

# %% [markdown] id="late-text"
# ### Which digits gain?
#
# Sutskever et al. had expected that the early words would gain and the late ones lose. Here is our
# copy task, all alike but the direction of the source.

# %% id="reverse-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
panels = [
    ("exact", range(1, 17), "length (digits)", "share of strings right"),
    ("by_position", range(1, 11), "position j of ten digits", "share of digits right"),
    ("loss", range(100, 1501, 100), "updates", "training loss (nats per token)"),
]
for ax, (what, steps_of, xlabel, ylabel) in zip(axes, panels):
    ways = {"forward": "size-64", "reversed": "reversed"}
    ways = {label: recorded(variant, what) for label, variant in ways.items()}
    learning_curves(steps_of, ways, title="", xlabel=xlabel, ylabel=ylabel, ax=ax)
axes[1].set_ylim(0, 1.04)
axes[2].set_ylim(bottom=0)
fig.suptitle("The source forward and reversed (recorded, three seeds, mean and range)")
plt.show()
print("recorded, three seeds        forward   reversed")
directions = ("size-64", "reversed")
fits = [half(recorded(variant).mean(0).tolist()) for variant in directions]
print("half are right at (digits) {:9.1f} {:10.1f}".format(*fits))
by_place = [100 * recorded(variant, "by_position").mean(0) for variant in directions]
for n in (1, 5, 10):
    ahead, back = (place[n - 1] for place in by_place)
    print(f"digit {n:2} of 10 right (%)    {ahead:9.0f} {back:10.0f}")

# %% [markdown] id="reverse-alt"
# <details><summary>The figure in words</summary>
#
# Three panels, forward with circles, reversed with squares. Left: share of strings right against
# length; both fall from 1 to 0, the reversed about two digits later. Middle: share of right digits
# by position in strings of ten; both begin near 1, forward falls to little more than a third at the
# ninth digit, reversed only to about three quarters. Right: training loss; the two fall together at
# first; from about 600 updates on the reversed lies below.
#
# </details>

# %% [markdown] id="reverse-read"
# Reversed, the cliff stands two digits farther right, with not one parameter more, and the loss is
# lower once the easy part is learned. The *first* digits, whose path is now shorter, hardly gain:
# they were safe. It is the **late** digits that gain, although their path is now longer: 19 steps
# instead of 10 for the tenth. So the trick does not help by carrying each word less far. It makes
# the task easier to *learn*. Sutskever et al. concluded from their long sentences: "better memory
# utilization".

# %% [markdown] id="ko-text"
# ### And sentences?
#
# Korean to English on the corpus of the opening, the source forward and in reverse, with one-way
# encoders of hidden size 128, after 1,000 updates and after ten times as many. In the table, *all*
# is the mean of the five ranges of length, weighted by their tokens. Beside it stands the BLEU of
# the **composition test**: sentences as long, of known words, that join verbs with objects that
# never met in training.

# %% id="ko-figure" tags=["hide-input"]
# draws the figure
from attnbook.views import bleu_view

names = {
    "forward": "ko-forward",
    "reversed": "ko-reversed",
    "forward, 10 × the updates": "ko-forward-long",
    "reversed, 10 × the updates": "ko-reversed-long",
}
scores = {label: recorded(name, "bleu") for label, name in names.items()}
means = {label: bleu.mean(0) for label, bleu in scores.items()}
spans = {label: torch.stack(bleu.aminmax(dim=0), 1) for label, bleu in scores.items()}
title = "Korean to English without attention (recorded, mean and range of the seeds)"
bleu_view(buckets, means, intervals=spans, title=title)

# %% id="ko-numbers" tags=["hide-input"]
# prints the table
def composition(variant):
    """BLEU of the composition test, per seed."""
    runs = [run for run in record["runs"] if run["variant"] == variant]
    return torch.tensor([run["others"]["test_composition"]["bleu"] for run in runs])


words_of = [sum(len(text.split()) for _, text in texts[bucket]) for bucket in buckets]
weight = torch.tensor(words_of) / sum(words_of)
print("recorded, mean BLEU by length" + "".join(f"{f'{a}–{b}':>7}" for a, b in buckets))
for label, mean in means.items():
    print(f"  {label:27}" + "".join(f"{x:7.0f}" for x in mean))
print("each seed                      4–10 tokens     41–50          all  composition")
for label, bleu in scores.items():
    columns = (bleu[:, 0], bleu[:, -1], bleu @ weight, composition(names[label]))
    print(f"  {label:27}", "  ".join(" ".join(f"{x:3.0f}" for x in c) for c in columns))

# %% id="ko-clauses"
import re


def clauses(text):
    return re.split(", and |, but |, | and | but ", text.rstrip(".?!"))


known = {clause for pair in corpus.train for clause in clauses(pair.tgt)}
for name in ("test", "test_composition"):
    found = [clause for pair in corpus.split(name) for clause in clauses(pair.tgt)]
    share = sum(clause in known for clause in found) / len(found)
    print(f"{name:16} {share:4.0%} of {len(found):,} clauses occur in training")

# %% id="ko-check" tags=["check"]
# checks what the text says
check_range(weight @ torch.tensor(by_length) - whole, -2, 2)  # the mean stands for the whole
assert buckets == [tuple(bucket) for bucket in record["buckets"]]
for name in ("ko-forward-long", "ko-reversed-long"):
    for ratio in composition(name) / (recorded(name, "bleu") @ weight):
        check_range(ratio, 0.5, 0.66)
slow, fast = recorded("ko-forward-long", "bleu"), recorded("ko-reversed-long", "bleu")
assert (fast[:, 2:].min(0).values > slow[:, 2:].max(0).values).all()

# %% [markdown] id="ko-read"
# **More training** changes nearly everything. After ten times the updates sentences of up to 20
# tokens come out without a mistake: what looked like a vector that is too small was mostly a
# network that had not learned enough. What stays is the shape: past 30 tokens the score falls.
#
# **The direction** makes no difference that three seeds could show after 1,000 updates. After the
# long training every seed of the reversed source is ahead of every seed of the other on the long
# sentences, the only ones left to lose. Sutskever et al. saw the same: reversed networks "did much
# better on long sentences" (§3.3).
#
# **The composition test** is the surprise. There the same well-trained networks have less than two
# thirds of their score on the usual test, at the same lengths. In the usual test nearly four of
# five clauses occurred in training, word for word; here none did. A clause known by heart is *one*
# thing to hand over, not ten words. So a perfect score on twenty tokens does not say that this
# vector can carry any twenty tokens.
#
# <details><summary>How sure?</summary>
#
# Three seeds of each; three seeds of one kind ahead of three of another come about by chance in one
# of ten orders, in either direction, and the three ranges of lengths are not independent. The
# translations are greedy. One corpus, made by a grammar, and a network with one layer: the sizes of
# all these effects will differ elsewhere. The composition test is not simply harder: the models
# with attention of chapter 05 (`05_attention`, 1,000 updates, three seeds) score nearly as high on
# it as on the usual test.
#
# </details>

# %% [markdown] id="both-ways-text"
# ## A state for every word
#
# A larger vector, more training, a reversed source: each helps. Yet the encoder has computed a
# state for *every* word, and all but one are thrown away. For the four clauses:

# %% id="thrown-away"
from attnlib.data import EOS

four_clauses = (
    "민수는 시장에서 큰 배를 샀고, 유나는 집에서 편지를 썼고, 현우는 공원에서 재미있는 책을 "
    "읽었고, 지호는 학교에서 비싼 시계 두 개를 고쳤습니다."
)
token_numbers = [*plain.src_vocabulary.encode(four_clauses), EOS]
with torch.no_grad():
    memory = plain.model.encode(*data.pad([token_numbers]))
made, passed = memory.states.numel(), memory.final.numel()
lost = 1 - passed / made
print(f"computed: {made:,} numbers; handed over: {passed}; thrown away: {lost:.1%}")

# %% [markdown] id="states-text"
# If these states are to be used one by one, each should know as much as possible. The state
# $\overrightarrow{h}_j$ of a reader from left to right knows words 1 to $j$; that of a second
# reader, from right to left, words $j$ to $S$. Side by side, in a **bidirectional** encoder, they
# know the whole sentence from the point of view of word $j$:
# $h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]$ ([Schuster and Paliwal
# 1997](D_papers.ipynb#cell-id=schuster-1997)).

# %% id="both-ways-diagram" tags=["hide-input"]
# draws the figure
from attnbook.figures import bidirectional_diagram

sources = ["나는 집에 갔다", "비가 온다", "고양이가 우유를 다 마셨다"]  # as in chapter 03
korean = sorted({word for text in sources for word in text.split()})
token_ids = [[4 + korean.index(word) for word in text.split()] for text in sources]
src, src_mask = data.pad(token_ids)
embed = nn.Embedding(4 + len(korean), 6)
two_ways = nn.LSTM(6, 4, batch_first=True, bidirectional=True)
bidirectional_diagram(two_ways(embed(src[:1, :3]))[0][0], sources[0].split())

# %% [markdown] id="trap-text"
# In a padded batch there is a trap. If whole rows are reversed, the second reader meets the padding
# *first*, as with torch's `bidirectional=True` when it is given no lengths.

# %% [markdown] id="ex-reverse-real-text"
# ### Exercise 3.6 · Reverse what is real
# *Core, 12 minutes.* Reverse the order of each row's real tokens and leave the padding where it is.
# x (B, S, F), mask (B, S), result (B, S, F). Doing it twice must undo it.
#
# <details><summary>Hint 1</summary>
#
# In a row of length n, position j takes what stands at n − 1 − j.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A loop over the rows is fine: `x[b, :n].flip(0)` is the real part reversed. Work on a copy,
# `x.clone()`.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# With the loop: put each reversed part into the copy. Without a loop: compute for every position
# where it takes its row from (at padding: from itself), a tensor (B, S), and let `gather` fetch; it
# wants that tensor in the shape of x.
#
# </details>


# %% id="ex-reverse-real" tags=["exercise"]
@exercise
def reverse_real(x, mask):
    """x (B, S, F) with each row's real tokens (mask (B, S)) reversed, then padding."""
    raise NotImplementedError


# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# The next exercise needs three moves: reverse the words, read them from left to right, reverse the
# result. Here the reader is a running sum, and wanted is, for each number, the sum of *itself and
# all that follow it*: 6 5 3 for 1 2 3. Two moves are done. The third line is yours.

# %% id="faded"
row_values = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]).unsqueeze(-1)  # (2, 3, 1)
row_mask = torch.tensor([[True, True, True], [True, True, False]])
backward_values = reverse_real(row_values, row_mask)  # 3 2 1 and 5 4
summed = backward_values.cumsum(1)  # a reader from left to right
answer = summed  # yours: bring each sum back to its own number
for of_row, real in zip(answer, row_mask):
    print(of_row[real].flatten().tolist())

# %% [markdown] id="ex-read-both-ways-text"
# ### Exercise 3.7 · Both directions, exactly
# *Hard, 20 minutes.* `forward_layer(inputs)` and `backward_layer(inputs)` are recurrent layers:
# from inputs (B, S, F) they give the states (B, S, H) and, as torch's do, the last state (1, B,
# H). Both read left to right. Return the states $[\overrightarrow{h}_j ; \overleftarrow{h}_j]$ (B,
# S, 2H), and the final states $[\overrightarrow{h}_S ; \overleftarrow{h}_1]$ (B, 2H): what each
# reader knows at its end. A sentence must get the same states alone and in a padded batch; those
# at padding are up to you. `attnlib.model.last_real` and `attnlib.model.reverse_real` are
# exercises 3.4 and 3.6.
#
# <details><summary>Hint 1</summary>
#
# Give the backward layer the words in reverse. In which order do its states come out, and where is
# the one of word j?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Reverse the backward states once more before you put them beside the forward ones.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The states are the faded example with two layers. For the final ones ask each layer for its last
# real state; of the backward one *before* that second reversal.
#
# </details>


# %% id="ex-read-both-ways" tags=["exercise"]
import attnlib


@exercise
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    """States [→h_j ; ←h_j] (B, S, 2H) and final states [→h_S ; ←h_1] (B, 2H)."""
    raise NotImplementedError


# %% id="both-naive" tags=["check"]
# checks what the text says
readers = [nn.LSTM(6, 4, batch_first=True) for _ in range(2)]
for one_way, ending in zip(readers, ("", "_reverse")):
    parts = [name for name, _ in one_way.named_parameters()]
    one_way.load_state_dict({name: getattr(two_ways, name + ending) for name in parts})
inputs = embed(src)
naive = two_ways(inputs)[0][:, 0]  # torch's layer, without lengths
exactly = read_both_ways(*readers, inputs, src_mask)[0][:, 0]
for b, n in enumerate(src_mask.sum(1)):
    alone = two_ways(inputs[b, :n].unsqueeze(0))[0][0, 0]
    torch.testing.assert_close(exactly[b], alone)
    if n < src.shape[1]:
        check_range(((naive[b] - alone).norm() / alone.norm()).item(), 0.01, 2)

# %% [markdown] id="a-an-text"
# ### A task that only two directions can do
#
# English *a* or *an* depends on the *next* word. So a network reads random letters, half of them
# vowels, and says at every position, from $h_j$ alone, whether the **next** letter is a vowel. Two
# encoders have equally many features in $h_j$; the one-way encoder even has more parameters.


# %% id="a-an-models"
class Tagger(nn.Module):
    """Says whether the next letter is a vowel, at every letter but the last."""

    def __init__(self, ways):
        super().__init__()
        self.embed, self.answer = nn.Embedding(10, 8), nn.Linear(32, 2)
        lstms = (nn.LSTM(8, 32 // ways, batch_first=True) for _ in range(ways))
        self.readers = nn.ModuleList(lstms)

    def forward(self, letters):  # (B, 12) → (B, 11, 2)
        read = attnlib.model.read_forward if len(self.readers) == 1 else read_both_ways
        states, _ = read(*self.readers, self.embed(letters), letters >= 0)
        return self.answer(states[:, :-1])


# %% id="a-an-train" tags=["hide-input"]
# defines how a tagger is trained
def vowel_follows(letters):
    return (letters[:, 1:] < 5).long()  # letters 0 to 4 are vowels


def taught(ways, updates=150):
    """A trained tagger, and the share that it gets right on letters it has not seen."""
    generator = seed_everything(1)
    tagger = Tagger(ways)
    optimizer = torch.optim.Adam(tagger.parameters(), lr=1e-2)
    for _ in range(updates):
        letters = torch.randint(10, (32, 12), generator=generator)
        optimizer.zero_grad()
        logits = tagger(letters).flatten(0, 1)
        loss = F.cross_entropy(logits, vowel_follows(letters).flatten())
        loss.backward()
        optimizer.step()
    letters = torch.randint(10, (1000, 12), generator=generator)
    right = tagger(letters).argmax(-1) == vowel_follows(letters)
    return tagger, right.double().mean()

# %% id="a-an"
shares_right = []
for name, count in (("one way", 1), ("both ways", 2)):
    tagger, share = taught(count)
    size = sum(p.numel() for p in tagger.parameters())
    print(f"{name:9}: {size:,} parameters, right in ≈{100 * share:.0f} %")
    shares_right.append(100 * share)

# %% id="a-an-check" tags=["check"]
# checks what the text says
check_range(shares_right[0], 45, 55)
check_range(shares_right[1], 99, 100)

# %% [markdown] id="a-an-read"
# The one-way encoder guesses, however long it is trained: at position $j$ the letter that decides
# has not been read. (One run each; the reason holds for any run.) A decoder that starts after
# *everything* has been read can still find all of it in the last one-way state, as far as it gets
# through. Two directions matter when single states are used, one per word, as with attention.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: move the cliff
#
# Can you move the cliff of the copy task without a larger vector and without more updates? Some
# ideas: feed the source **twice** ([Zaremba and Sutskever
# 2014](D_papers.ipynb#cell-id=zaremba-2014)); begin with short strings (a *curriculum*); read both
# ways; other forget biases; a GRU.
#
# 1. **Change** one thing. What the encoder reads is `changed`; the model is `make_copier`.
# 2. **Predict** how many digits the cliff will move, before you train.
# 3. **Train**: put 1500 in the place of 0. Then once more with another seed.
# 4. **Report** in three sentences: what you changed and why, what you expected, what came.
#
# <details><summary>Rubric</summary>
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one change | several at once | one, but the budget changed with it | one, all else alike |
# | prediction | none | a direction | a number, written before |
# | evidence | one run | two seeds | two seeds of both, and the spread named |
# | conclusion | "it works" | what came | what came, what it does not show, what comes next |
#
# </details>

# %% id="open-experiment"
import dataclasses

UPDATES = 0  # 1500 as above


def changed(string):
    return string  # your change: string + string, for example


if UPDATES:
    seed_everything(1)
    model = make_copier()
    batches = Batches([changed(string) for string in strings], strings, batch_size=64, seed=1)
    fit(model, batches, dataclasses.replace(recipe, updates=UPDATES), progress=False)
    model.eval()  # measure it as above: what does it write from the changed source?

# %% [markdown] id="bridge-to-attention"
# ## What is left
#
# Hyunwoo's sentence had to pass through 128 numbers, in a network that had probably not been
# trained enough to do it well. But past thirty tokens even ten times the training was not enough,
# and new clauses came out much worse than known ones. Meanwhile the encoder had computed a state
# for every word, Hyunwoo's included, and the decoder never looked at it. To keep those states, and
# to choose among them at every step, is **attention**: chapter 04 builds the choosing, and chapter
# 05 puts it between encoder and decoder.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - One vector holds what training gets into it. A short training ends in a cliff; twice the hidden
#   size moves it by one or two digits, ten times the training much farther.
# - A reversed source leaves the average distance as it is, and makes training easier.
# - A one-way state cannot know what comes after it; a two-way state can.
#
# **Left out.** Encoders of several layers; reversing beside attention, or on real text.
#
# <details><summary>Papers</summary>
#
# [Sutskever, Vinyals and Le 2014](D_papers.ipynb#cell-id=sutskever-2014) (§3.3 on reversing, §3.7
# on long sentences); [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a) (the context at every
# step) and [2014b](D_papers.ipynb#cell-id=cho-2014b) (quality against length); [Schuster and
# Paliwal 1997](D_papers.ipynb#cell-id=schuster-1997) (reading both ways); [Zaremba and Sutskever
# 2014](D_papers.ipynb#cell-id=zaremba-2014) (the source twice); [Jozefowicz, Zaremba and Sutskever
# 2015](D_papers.ipynb#cell-id=jozefowicz-2015) (forget bias).
#
# </details>
#
# **Next.** [Chapter 04](04_keys_and_values.ipynb): a dictionary that returns a little of every
# entry.
