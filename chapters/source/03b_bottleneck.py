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
# **You will learn to** measure how much an encoder passes on in one vector; ask what limits it, the
# size of the vector or the training; build an encoder that reads both ways.
#
# **What you need.** The encoder and decoder of [chapter 3](03_seq2seq.ipynb).
#
# **Time.** 22 minutes to read, 32 for exercises 3.5 and 3.6; about half a minute to run.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

seed_everything(3)
torch.set_num_threads(1)
figures.use_style()

# %% id="by-length" tags=["hide-input"]
# translates the test sentences with chapter 3's translator, and counts the right ones
from attnlib.data import bundled_directory, load_corpus
from attnlib.translator import Translator

plain = Translator.load(bundled_directory().parent / "ko-en-plain", "cpu")
corpus = load_corpus("ko-en-easy")
written = plain.translate([pair.src for pair in corpus.test], beam_size=1)
buckets = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
texts = {bucket: [] for bucket in buckets}  # of each range of lengths: (written, reference)
for found, pair in zip(written, corpus.test):
    length = len(found.src_tokens) - 1  # without the end token
    for low, high in buckets:
        if low <= length <= high:
            texts[low, high].append((found.text, pair.tgt))
for (low, high), both in texts.items():
    right = 100 * sum(text == reference for text, reference in both) / len(both)
    print(f"{len(both)} sentences of {low:2} to {high} tokens: ≈{right:3.0f}% without a mistake")

# %% [markdown] id="by-length-read"
# Chapter 3's translator without attention lost Hyunwoo in a sentence of four clauses. Here are all
# test sentences of its corpus: most of the shortest are translated without a mistake, some of the
# next, then almost none. Is the vector between the two networks too small, was the training too
# short, or is the beginning of the sentence too far away?
#
# <details><summary>Are long sentences not harder anyway?</summary>
#
# A grammar wrote them all from the same few words, but a long one has more that can go wrong. If
# each word were as likely to be right as in the first range, about $0.8^6 \approx 0.26$ of the
# sentences six times as long would be without a mistake: a quarter, not none.
#
# </details>

# %% [markdown] id="dictation-text"
# ## Is the vector too small?
#
# All that the decoder gets of the source is the encoder's last hidden state $h_S$, one vector of
# fixed size. It is the **bottleneck** (병목). How much passes through it? In the **copy task** no
# grammar helps: random digits are read and then written again.
#
# The strings have 1 to 16 digits, at most $16 \log_2 10 \approx 53$ bits. The hidden size is 64,
# and 64 numbers of 32 bits have room for $64 \cdot 32 = 2048$. Does the network use it? The forget
# gates begin near 1 (bias 3, chapter 2). The output layer and the target embedding share one matrix
# (**weight tying**): the row that predicts a digit also embeds it.


# %% id="dictation-model" tags=["hide-input"]
# builds the model and draws the strings
import random

from attnlib.model import Encoder, PlainDecoder, Seq2Seq


@torch.no_grad()
def set_forget_bias(layer, bias):
    """Initialize the forget gates of an nn.LSTM at σ(bias); the order is i, f, g, o."""
    block = slice(layer.hidden_size, 2 * layer.hidden_size)
    layer.bias_ih_l0[block] = bias
    layer.bias_hh_l0[block] = 0.0


def make_copier(size=64):
    """Encoder and decoder of one hidden size, for ten digits."""
    source = nn.Embedding(15, 32)  # four special tokens, ten digits, and one that is not used
    target = nn.Embedding(15, 32)
    for embedding in (source, target):
        nn.init.normal_(embedding.weight, std=32**-0.5)
    encoder = Encoder(source, size, bidirectional=False)
    decoder = PlainDecoder(target, size, size, 32)
    output = nn.Linear(32, 15)
    nn.init.zeros_(output.bias)
    output.weight = target.weight  # weight tying
    for layer in (encoder.layers[0], decoder.rnn):
        set_forget_bias(layer, 3.0)
    return Seq2Seq(encoder, decoder, output)


def random_digits(count, shortest, longest, seed):
    """Strings as token IDs; digit 0 is token 4."""
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
    """Whether each token (B, T) that the model writes is right, the end included."""
    batch = data.make_batch(strings, strings)
    memory = model.encode(batch.src, batch.src_mask)
    state = model.decoder.start(memory)
    tokens = batch.tgt_in[:, :1]  # the start token
    right = []
    for t in range(batch.tgt_out.shape[1]):
        log_probs, state, _ = model.step(tokens, memory, state)
        tokens = log_probs.argmax(-1)
        right.append(tokens[:, 0] == batch.tgt_out[:, t])
    return torch.stack(right, 1)


copier.eval()
live = torch.zeros(16)  # for 1 to 16 digits, the share of strings without a mistake
for n in range(1, 17):
    digits = random_digits(300, n, n, seed=10_000 + n)
    live[n - 1] = is_right(copier, digits).all(1).float().mean()
for n in (2, 8, 12, 16):
    print(f"strings of {n:2} digits: ≈{100 * live[n - 1]:3.0f} of 100 without a mistake")

# %% id="record" tags=["hide-input"]
# reads the recorded runs
record = read_record("03_seq2seq")


def recorded(variant, what="exact"):
    """One row per seed."""
    runs = [run for run in record["runs"] if run["variant"] == variant]
    return torch.tensor([run[what] for run in runs])


def half(curve):
    """The length at which the share falls below one half, between two whole lengths."""
    for n in range(1, len(curve)):
        at_n, one_longer = curve[n - 1], curve[n]
        if one_longer < 0.5:
            return n + (at_n - 0.5) / (at_n - one_longer)
    return float("inf")  # beyond the longest string


def halves(variant):
    """The mean over the seeds."""
    return sum(half(curve) for curve in recorded(variant).tolist()) / 3


# %% [markdown] id="sizes-text"
# The recorded runs (three seeds each) differ only in the hidden size: 16, 32, 64 and 128. Seed 1 of
# size 64 is what you have just trained. For each size, we find the length at which half of the
# strings are written without a mistake. How many digits longer is it for size 128 than for size 64?

# %% id="predict-double"
predict("03b.double", ...)  # digits more

# %% id="sizes" tags=["hide-input"]
# draws the figure
from attnbook.figures import learning_curves

sizes = (16, 32, 64, 128)
axis = {"xlabel": "length of the string (digits)", "ylabel": "strings without a mistake (0 to 1)"}
with reveal("03b.double", halves("size-128") - halves("size-64"), within=1):
    exact = {f"hidden size {size}": recorded(f"size-{size}") for size in sizes}
    title = "Figure 1. Copy task after 1,500 updates (recorded, 3 seeds)"
    ax = learning_curves(range(1, 17), exact, title=title, **axis)
    circle = {"s": 60, "facecolors": "none", "edgecolors": "black", "zorder": 5}
    ax.scatter(range(1, 17), live, label="just trained (64)", **circle)
    ax.legend(frameon=False, loc="upper right")
    plt.show()
    print("recorded       half are right at   parameters")
    for size in sizes:
        count = int(recorded(f"size-{size}", "parameters")[0])
        print(f"hidden size {size:3} {halves(f'size-{size}'):8.1f} digits {count:12,}")

# %% [markdown] id="sizes-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length from 1 to 16 digits, for four hidden sizes.
# Every curve starts at 1 and falls to 0 over six to ten digits; the larger the size, the farther
# right the cliff. Open circles, the live run, are near the band of size 64.
#
# </details>

# %% [markdown] id="half-read"
# <details><summary>What it says</summary>
#
# Figure 1 shows a cliff: short strings are nearly always right, long ones never. (One wrong digit
# makes the whole string wrong.) After 1,500 updates at one learning rate, twice the hidden size
# carries only one or two digits more. A better learning rate does as much: one three times as high
# took size 64 as far as size 128 gets here (tried once, not recorded).
#
# </details>

# %% [markdown] id="longer-text"
# ## Was the training too short?
#
# After 1,500 updates the loss was still falling. So the same networks were trained with **ten times
# the updates**, on ten times the strings, so that none is read more often. After 1,500 updates,
# size 64 wrote no string of 16 digits without a mistake. How many of a hundred does it write after
# 15,000?

# %% id="predict-longer"
predict("03b.longer", ...)  # from 0 to 100


# %% id="longer" tags=["hide-input"]
# prints the table and draws the figure
def draw_longer():
    """Color means the size, as in Figure 1; the line means the number of updates."""
    curves = {f"hidden size {n}, 15,000": recorded(f"size-{n}-long") for n in sizes}
    title = "Figure 2. Copy task after 1,500 (dotted) and 15,000 updates (recorded)"
    ax = learning_curves(range(1, 17), curves, title=title, **axis)
    for size, line in zip(sizes, ax.get_lines()):
        before = recorded(f"size-{size}").mean(0)
        ax.plot(range(1, 17), before, ":", color=line.get_color())
    ax.legend(frameon=False, loc="lower left")
    plt.show()


with reveal("03b.longer", 100 * recorded("size-64-long")[:, 15].mean(), within=15):
    last = recorded("size-64", "loss").mean(0)[-4:].tolist()
    print("loss of size 64 at the end of 1,500 updates:", *[f"{x:.2f}" for x in last])
    print("recorded         half are right at (digits)   right, of 100 strings of 16 digits")
    print("updates:           1,500    15,000                  15,000")
    for size in sizes:
        short, long = halves(f"size-{size}"), halves(f"size-{size}-long")
        beyond = f"{long:.1f}" if long < 16 else "over 16"
        sixteen = 100 * recorded(f"size-{size}-long")[:, 15].mean()
        print(f"hidden size {size:3}{short:9.1f}{beyond:>10}{sixteen:24.0f}")
    draw_longer()

# %% [markdown] id="longer-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length from 1 to 16 digits, one color per hidden size.
# The dotted curves, after 1,500 updates, are those of Figure 1. After 15,000 updates all have moved
# to the right: size 16 falls to one half at about 8 digits, size 32 near 15, and sizes 64 and 128
# stay near 1 up to 16 digits.
#
# </details>

# %% [markdown] id="longer-read"
# <details><summary>What it says</summary>
#
# The cliff of size 64 is out of sight (Figure 2): the same vector now carries sixteen digits nearly
# every time, and even size 32 carries more than size 128 did after the short training. What failed
# at nine digits with size 64 was not the vector: the network had not yet *learned* to use it.
#
# A larger vector can add *more* after the long training. From size 16 to size 32, the length at
# which half are right rises by less than two digits after 1,500 updates, and almost doubles after
# 15,000. (The losses of sizes 16 and 32 were still falling.)
#
# Before you blame the size, ask what happens with *ten times the training*. (A falling loss is no
# proof that it helps: the sinking learning rate lowers the loss as well.)
#
# </details>
#
# <details><summary>How sure?</summary>
#
# Three seeds of each, one learning rate for all. A larger vector brings a larger network with it
# (see its parameters): the two effects are not separated.
#
# </details>

# %% [markdown] id="reverse-text"
# ## Is the beginning too far away?
#
# To translate *I go home*, the decoder first needs *I*, which was read first, long ago. So
# [Sutskever, Vinyals and Le (2014)](D_papers.ipynb#cell-id=sutskever-2014) feed the source in
# **reverse**, and report 30.6 BLEU instead of 25.9 for English to French.
#
# Count the steps between reading a word and writing it, where $S$ words are copied in order.
# Forward, word $j$ is read at step $j$ and written at step $S + j$: always $S$ steps. Reversed, it
# is read at step $S + 1 - j$, which makes $2j - 1$ steps. What happens to the *average*?

# %% id="predict-lags"
predict("03b.lags", ..., choices=("shorter", "the same", "longer"))

# %% id="lags"
S = 10
lags = {
    "forward": [(S + j) - j for j in range(1, S + 1)],
    "reversed": [(S + j) - (S + 1 - j) for j in range(1, S + 1)],
}
mean = {name: sum(lag) / S for name, lag in lags.items()}
change = "the same"
if mean["reversed"] < mean["forward"]:
    change = "shorter"
elif mean["reversed"] > mean["forward"]:
    change = "longer"
with reveal("03b.lags", change):
    for name, lag in lags.items():
        print(f"{name:8}: shortest {min(lag):2}, mean {mean[name]}, longest {max(lag)}: {lag}")

# %% [markdown] id="lags-read"
# <details><summary>What it says</summary>
#
# The mean distance stays the same: the first words come closer, the last move away. Sutskever et
# al. point this out themselves (§3.3), and suspect that the short distances help in "establishing
# communication" between source and target.
#
# </details>

# %% [markdown] id="ko-text"
# ### And sentences?
#
# We translate Korean to English on the corpus of the first table, with the source forward or
# reversed, hidden size 128, and 1,000 or (10×) 10,000 updates. **BLEU**, from 0 to 100, measures
# how much a translation has in common with a reference ([chapter 9](09_bleu.ipynb) builds it). The
# **composition test** has sentences of the same lengths, made of known words, whose verbs and
# objects never occurred together in training.

# %% id="ko-figure" tags=["hide-input"]
# draws the figure
from attnbook.views import bleu_view

names = {
    "forward": "ko-forward",
    "reversed": "ko-reversed",
    "forward, 10×": "ko-forward-long",
    "reversed, 10×": "ko-reversed-long",
}
scores = {label: recorded(name, "bleu") for label, name in names.items()}
means = {label: bleu.mean(0) for label, bleu in scores.items()}
spans = {}
for label, bleu in scores.items():
    spans[label] = torch.stack([bleu.min(0).values, bleu.max(0).values], 1)
title = "Figure 3. Korean to English without attention (recorded, mean and range of 3 seeds)"
bleu_view(buckets, means, intervals=spans, title=title)


# %% id="ko-numbers" tags=["hide-input"]
# prints the table
def composition(runs):
    """BLEU of the composition test, per seed."""
    return torch.tensor([run["others"]["test_composition"]["bleu"] for run in runs])


def of_variant(some_record, variant):
    return [run for run in some_record["runs"] if run["variant"] == variant]


words_of = torch.zeros(len(buckets))  # of the references, in each range of lengths
for n, bucket in enumerate(buckets):
    words_of[n] = sum(len(reference.split()) for _, reference in texts[bucket])
weight = words_of / words_of.sum()  # the test as a whole: ranges by their words


def whole_test(runs):
    """BLEU of the test as a whole, per seed."""
    return torch.tensor([run["bleu"] for run in runs]) @ weight


with_attention = read_record("05_attention")
rows = {label: of_variant(record, names[label]) for label in ("forward, 10×", "reversed, 10×")}
rows["chapter 5's encoder, 3×"] = of_variant(with_attention, "none-longer")
rows["the same, with attention, 1×"] = of_variant(with_attention, "luong")
print("recorded, mean BLEU of 3 seeds    test   composition   composition ÷ test")
for label, runs in rows.items():
    usual, fresh = whole_test(runs), composition(runs)
    shares = fresh / usual
    print(f"{label:30}{usual.mean():8.0f}{fresh.mean():14.0f}", end="")
    print(f"          {shares.min():.2f}–{shares.max():.2f}")

# %% id="ko-clauses"
import re


def clauses(text):
    return re.split(", and |, but |, | and | but ", text.rstrip(".?!"))


known = set()
for pair in corpus.train:
    known.update(clauses(pair.tgt))
for name in ("test", "test_composition"):
    found = []
    for pair in corpus.split(name):
        found += clauses(pair.tgt)
    share = sum(clause in known for clause in found) / len(found)
    print(f"{name:16} {share:4.0%} of {len(found):,} clauses occur in training")

# %% [markdown] id="ko-read"
# **More training** changes nearly everything (Figure 3). After ten times the updates, sentences of
# up to 20 tokens are translated almost without a mistake: what looked like a vector that is too
# small was mostly a network that had not learned enough. Past 20 tokens (reversed: past 30) the
# score still falls.
#
# **The direction** makes no clear difference after 1,000 updates. After 10,000, all three seeds of
# the reversed source are ahead of all three of the forward source on sentences of more than 20
# tokens.
#
# **Composition.** On new combinations, the longer-trained networks have less than two thirds of
# their score on the usual test. So does a network with chapter 5's encoder, which reads both ways,
# after three times the updates; *with attention* it keeps nearly all after 1,000. In the usual test
# nearly four of five clauses occurred in training word for word, in the composition test none:
# perhaps a clause known by heart is *one* thing to pass on, not ten words. Whether still more
# training would close the gap is not recorded.
#
# <details><summary>How sure?</summary>
#
# *Test* is the mean of the five ranges, weighted by their words. Three seeds and one learning rate
# of each, and one corpus, made by a grammar. Three seeds of one kind ahead of three of another come
# about by chance in one of ten orders, in either direction.
#
# [Sutskever et al. (2014)](D_papers.ipynb#cell-id=sutskever-2014) found "no degradation on
# sentences with less than 35 words" (Figure 3), and [Cho et al.
# (2014b)](D_papers.ipynb#cell-id=cho-2014b) a steep fall. The first passed on the states of four
# layers of 1,000 units and trained for ten days; the reports do not settle which of these mattered.
#
# </details>

# %% [markdown] id="both-ways-text"
# ## A state for every word
#
# A larger vector, more training and a reversed source all helped. Yet the encoder has computed a
# state for every word, and only one is passed on. What share is lost in chapter 3's four clauses?

# %% id="thrown-away"
from attnlib.data import EOS

four_clauses = (
    "민수는 시장에서 큰 배를 샀고, 유나는 집에서 편지를 썼고, 현우는 공원에서 재미있는 책을 "
    "읽었고, 지호는 학교에서 비싼 시계 두 개를 고쳤습니다."
)
token_ids = [*plain.src_vocabulary.encode(four_clauses), EOS]
with torch.no_grad():
    memory = plain.model.encode(*data.pad([token_ids]))
made, passed = memory.states.numel(), memory.final.numel()
print(f"computed: {made:,} numbers; passed on: {passed}; not passed on: {1 - passed / made:.1%}")

# %% [markdown] id="states-text"
# If we use these states one by one, each should know as much as possible. The state
# $\overrightarrow{h}_j$ of a reader from left to right knows words 1 to $j$; the state of a second
# reader, from right to left, knows words $j$ to $S$. Side by side, in a **bidirectional** (양방향)
# encoder, they know the whole sentence from the point of view of word $j$:
# $h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]$ ([Schuster and Paliwal
# 1997](D_papers.ipynb#cell-id=schuster-1997)).

# %% id="both-ways-diagram" tags=["hide-input"]
# draws the figure
from attnbook.figures import bidirectional_diagram

sources = ["나는 집에 갔다", "비가 온다", "고양이가 우유를 다 마셨다"]
korean = sorted({word for text in sources for word in text.split()})
src, src_mask = data.pad([[4 + korean.index(word) for word in text.split()] for text in sources])
torch.manual_seed(3)
embed = nn.Embedding(4 + len(korean), 6)
two_ways = nn.LSTM(6, 4, batch_first=True, bidirectional=True)
bidirectional_diagram(two_ways(embed(src[:1, :3]))[0][0], sources[0].split())

# %% [markdown] id="trap-text"
# **Figure 4.** Two readers, one state per word. If whole rows of a padded batch are reversed, the
# second reader meets the padding *first*, as with torch's `bidirectional=True` when it is given no
# lengths.

# %% [markdown] id="ex-reverse-real-text"
# ### Exercise 3.5 · Reverse what is real
# *Core, 12 minutes.* Return x (B, S, F) with the real tokens of each row (mask (B, S)) in reverse
# order and the padding left in place. Doing it twice must undo it.
#
# <details><summary>Hint 1</summary>
#
# In a row of length n, which position moves to position j?
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
# needs that tensor in the shape of x.
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
# result. Here the reader is a running sum, and we want, for each number, the sum of *itself and all
# that follow it*: 6 5 3 for 1 2 3. Two moves are done; the third is yours.

# %% id="faded"
row_values = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]).unsqueeze(-1)  # (2, 3, 1)
row_mask = torch.tensor([[True, True, True], [True, True, False]])
backward_values = reverse_real(row_values, row_mask)  # 3 2 1 and 5 4
summed = backward_values.cumsum(1)  # a reader from left to right
answer = summed  # yours: bring each sum back to its own number
for of_row, real in zip(answer, row_mask):
    print(of_row[real].flatten().tolist())

# %% [markdown] id="ex-read-both-ways-text"
# ### Exercise 3.6 · Both directions, exactly
# *Hard, 20 minutes.* Return the states $[\overrightarrow{h}_j ; \overleftarrow{h}_j]$ (B, S, 2H)
# and the final states $[\overrightarrow{h}_S ; \overleftarrow{h}_1]$ (B, 2H), what each reader
# knows at its end. `forward_layer(inputs)` and `backward_layer(inputs)` are recurrent layers, both
# from left to right: from inputs (B, S, F) they return the states (B, S, H) and, as torch's do, the
# last state (1, B, H). A sentence must get the same states alone and in a padded batch; states at
# padding can be anything. Exercises 3.2 and 3.5 are in the library, as `attnlib.model.last_real`
# and `attnlib.model.reverse_real`.
#
# <details><summary>Hint 1</summary>
#
# Give the backward layer the words in reverse. In which order are its states, and where is the one
# of word j?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Reverse the backward states again before you put them next to the forward ones.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The states are the faded example with two layers. For the final ones, ask each layer for its last
# real state, of the backward layer *before* that second reversal.
#
# </details>


# %% id="ex-read-both-ways" tags=["exercise"]
import attnlib


@exercise
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    """States [→h_j ; ←h_j] (B, S, 2H) and final states [→h_S ; ←h_1] (B, 2H)."""
    raise NotImplementedError


# %% [markdown] id="later-word-text"
# ### What a state can know
#
# In the third sentence, *고양이가 우유를 다 마셨다* (*the cat drank all the milk*), we exchange the
# last word for *갔다* (*went*), and see which states change.

# %% id="later-word"
readers = [nn.LSTM(6, 4, batch_first=True), nn.LSTM(6, 4, batch_first=True)]
weights = two_ways.state_dict()  # the weights of Figure 4's two readers
for layer, ending in zip(readers, ("", "_reverse")):
    layer.load_state_dict({name: weights[name + ending] for name in layer.state_dict()})
other = src.clone()
other[2, 3] = src[0, 2]  # 마셨다 becomes 갔다
before, _ = read_both_ways(*readers, embed(src), src_mask)
after, _ = read_both_ways(*readers, embed(other), src_mask)
moved = (before - after)[2].abs()  # of the third sentence: (S, 2H)
print("largest change of a number in the state of each word:")
for word, of_word in zip(sources[2].split(), moved):
    print(f"{word:5} forward half {of_word[:4].max():.3f}, backward half {of_word[4:].max():.3f}")

# %% [markdown] id="later-word-read"
# No forward state before the last word changes: a one-way state cannot know what comes after it,
# however long it is trained. Every backward state does change. A decoder that starts after
# *everything* has been read can make do with one direction. Two directions matter when single
# states are used, one per word, as with attention.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: move the cliff
#
# Can you move the cliff of the copy task without a larger vector and without more updates? Some
# ideas: feed the source **twice** ([Zaremba and Sutskever
# 2014](D_papers.ipynb#cell-id=zaremba-2014)) or reversed; begin with short strings (a
# *curriculum*); read both ways; other forget biases.
#
# 1. **Change** one thing. What the encoder reads is `changed`; the model is `make_copier`.
# 2. **Predict** how many digits the cliff will move, before you train.
# 3. **Train**: replace 0 with 1500. Then repeat with another seed.
# 4. **Report** in three sentences: what you changed and why, what you expected, what you found.
#
# <details><summary>Rubric</summary>
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one change | several at once | one, but the budget changed with it | one, all else equal |
# | prediction | none | a direction | a number, written before |
# | evidence | one run | two seeds | two seeds of both, and the spread named |
# | conclusion | "it works" | the result | the result, what it does not show, the next step |
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
# ## What remains
#
# Hyunwoo's sentence had to pass through 128 numbers. Even after 10,000 updates the score falls on
# long sentences, and on new combinations it stays much lower. Meanwhile the encoder had computed a
# state for every word, Hyunwoo's included, and the decoder never looked at it. Keeping those
# states, and choosing among them at every step, is **attention**: chapter 4 builds the choice, and
# chapter 5 puts it between encoder and decoder.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - One vector carries what training puts into it. A short training ends in a cliff; longer training
#   moves it, and lets a larger vector add more.
# - A reversed source leaves the average distance as it is; after longer training it was ahead on
#   long sentences in all three seeds.
# - After ten times the training without attention, new combinations still score much lower.
# - A one-way state cannot know what comes after it; a two-way state can.
#
# **Left out.** Encoders of several layers; reversing with attention, or on real text.
#
# <details><summary>Papers</summary>
#
# [Sutskever, Vinyals and Le 2014](D_papers.ipynb#cell-id=sutskever-2014) (§3.3 on reversing, §3.7
# on long sentences); [Cho et al. 2014b](D_papers.ipynb#cell-id=cho-2014b) (quality against length);
# [Schuster and Paliwal 1997](D_papers.ipynb#cell-id=schuster-1997) (reading both ways); [Zaremba
# and Sutskever 2014](D_papers.ipynb#cell-id=zaremba-2014) (the source twice).
#
# </details>
#
# **Next.** [Chapter 4](04_keys_and_values.ipynb): a dictionary that returns a little of every
# entry.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# By length
rights = [sum(text == reference for text, reference in both) for both in texts.values()]
for count, low, high in zip(rights, (70, 12, 0, 0, 0), (90, 32, 8, 4, 4)):
    check_range(count, low, high)

# Is the vector too small?
for n, low, high in ((2, 0.95, 1), (8, 0.3, 0.9), (12, 0, 0.25), (16, 0, 0.05)):
    check_range(live[n - 1], low, high)
assert (live - recorded("size-64")[0]).abs().max() < 0.25  # the same seed, recorded

# And sentences?
assert buckets == [tuple(bucket) for bucket in record["buckets"]]
*without, attending = rows.values()
for runs in without:
    for ratio in composition(runs) / whole_test(runs):
        check_range(ratio, 0.5, 0.66)
for ratio in composition(attending) / whole_test(attending):
    check_range(ratio, 0.94, 1)
slow, fast = recorded("ko-forward-long", "bleu"), recorded("ko-reversed-long", "bleu")
assert (fast[:, 2:].min(0).values > slow[:, 2:].max(0).values).all()

# What a state can know
naive = two_ways(embed(src))[0][:, 0]  # torch's layer, without lengths
exactly = read_both_ways(*readers, embed(src), src_mask)[0][:, 0]
for b, n in enumerate(src_mask.sum(1)):
    alone = two_ways(embed(src[b, :n]).unsqueeze(0))[0][0, 0]
    torch.testing.assert_close(exactly[b], alone)
    if n < src.shape[1]:
        check_range(((naive[b] - alone).norm() / alone.norm()).item(), 0.01, 2)
