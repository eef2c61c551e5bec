# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 03 · How does one network read a sentence and another write it?
#
# **What you will be able to do.** Turn sentences of different lengths into one table with a mask,
# and say what goes wrong without it. Build an encoder and a decoder, shift the target so that the
# decoder learns to predict, and let it write until it says that it is done. Measure how much fits
# into the one vector between the two, and tell *too small* from *too far away*.
#
# **What you need.** The LSTM of chapter 2 and the loss of chapter 1.
#
# **Time.** 50 minutes to read, 90 more for the nine exercises, at most a minute to run with one
# thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import itertools
import json
import math
import random

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

import attnlib
from attnbook import exercise, progress
from attnbook.figures import bleu_by_length, learning_curves
from attnlib import data, figures, masking
from attnlib.data import BOS, EOS, PAD, SPECIALS, Batches, bundled_directory
from attnlib.device import seed_everything
from attnlib.model import Encoder, LSTMCell, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(3)

# %% [markdown] id="lengths-text"
# ## What a tagger cannot say
#
# A recurrent network gives one output for every input. That suits a **tagger**, which names the
# part of speech of each word, but not every task. Take a small one: unpack `3a2b` (three times *a*,
# twice *b*) into `aaabb`.
#
# **Predict.** Two inputs are read, `3` and `a`. Which outputs could a network give at these two
# steps?


# %% id="lengths"
def packed(draw):
    """A random pair such as ("3a2b", "aaabb"): one or two letters, each one to four times."""
    letters = draw.sample("abcdef", draw.randint(1, 2))
    counts = [draw.randint(1, 4) for _ in letters]
    short = "".join(f"{n}{x}" for n, x in zip(counts, letters))
    return short, "".join(n * x for n, x in zip(counts, letters))


draw = random.Random(3)
for short, long in [("3a2b", "aaabb"), *(packed(draw) for _ in range(3))]:
    print(f"{short:6} → {long:12} {len(short)} symbols in, {len(long):2} symbols out")

# %% [markdown] id="lengths-read"
# At the first step the answer is `a`, and `a` has not been read yet. And five letters do not fit
# into the four steps of `3a2b`, while `1e1d` has more steps than letters. A network that gives one
# output for each input cannot do it, in whatever way it is trained.
#
# One of the notes says that recurrent networks "predict the next word from the words so far, *in
# other words* the input and the output have the same length". Those are two different things. That
# a step sees only the past belongs to reading in one direction. That the lengths are equal belongs
# to one *layout* of a network, an answer for every input. Other layouts read everything and answer
# once, or write many words from one input. And a network that may stay silent could read on and
# speak later. That is the idea of this chapter: **first read everything, then write.** The
# translator needs both halves of it, because a translation has another length than its source, and
# its first word may depend on the source's last.

# %% [markdown] id="parts-text"
# ## An encoder, a decoder, and one vector between
#
# - The **encoder** is a recurrent network that reads the source. It writes nothing. What it leaves
#   is its last state: the **context**, or sentence vector.
# - The **decoder** is a second recurrent network. Its first state comes from that vector; at each
#   step it is given the previous word and predicts the next one.
#
# [Kalchbrenner and Blunsom (2013)](D_papers.ipynb#cell-id=kalchbrenner-2013), [Cho et al.
# (2014b)](D_papers.ipynb#cell-id=cho-2014b) and [Sutskever, Vinyals and Le
# (2014)](D_papers.ipynb#cell-id=sutskever-2014) translated this way. (In [Cho et al.
# 2014a](D_papers.ipynb#cell-id=cho-2014a) such a pair scored phrases for a translator of an older
# kind.) It is called **sequence to sequence**, seq2seq. Writing begins after all reading is done:
# that is the whole difference to the tagger above. The two networks have weights of their own: they
# read different languages and do different jobs. (Must they? We shall measure it.)
#
# Two more symbols are needed. Before it has written anything the decoder must be given *something*:
# a start token, `<sos>` (in the code `BOS`). And somebody must say when the sentence is over, which
# is not known beforehand: the decoder itself, by writing `<eos>` (a note calls it `<end>`).
#
# Three short sentences will accompany us. `나는 집에 갔다` (*I · home · went*), `비가 온다` (*rain
# · comes*), `고양이가 우유를 다 마셨다` (*cat · milk · all · drank*).

# %% id="sentences"
korean = ["나는 집에 갔다", "비가 온다", "고양이가 우유를 다 마셨다"]
english = ["I went home", "it is raining", "the cat drank all the milk"]
ko_words = [*SPECIALS, *dict.fromkeys(" ".join(korean).split())]
en_words = [*SPECIALS, *dict.fromkeys(" ".join(english).split())]
src_ids = [[ko_words.index(word) for word in text.split()] for text in korean]
tgt_ids = [[en_words.index(word) for word in text.split()] for text in english]
print("special tokens:", dict(enumerate(SPECIALS)))
print("source:", src_ids)
print("target:", tgt_ids)

# %% [markdown] id="padding-text"
# ## Padding, lengths and the mask
#
# A tensor is a rectangle, sentences are not. The usual way out: fill the short rows up with a
# **padding** token, and remember what is real. The **lengths** say it in one number a row. The
# **mask** says it for every position. In this book a mask is boolean, and **True means a real
# token**.

# %% [markdown] id="ex-lengths-to-mask-text"
# ### Exercise 3.1 · From lengths to a mask
# *Warm-up, 6 minutes.* `lengths` (B,) says how many real tokens each row has. Return the mask
# (B, S): True at the real positions. S is `size`, which is never below the largest length, or
# where it is None the largest length. A length may be 0.
#
# <details><summary>Hint 1</summary>Position j of row b is real exactly when j is smaller than
# lengths[b]. Positions count from 0.</details>
# <details><summary>Hint 2</summary>`torch.arange(size)` holds the positions, (S,). Comparing it
# with something of shape (B, 1) gives (B, S).</details>
# <details><summary>Hint 3</summary>`lengths.unsqueeze(1)` has shape (B, 1).</details>


# %% id="ex-lengths-to-mask" tags=["exercise"]
@exercise
def lengths_to_mask(lengths, size=None):
    """Mask (B, S) bool of lengths (B,): True where position j < lengths[b]. S = size or longest."""
    ### BEGIN SOLUTION
    size = int(lengths.max()) if size is None else size
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)
    ### END SOLUTION


# %% [markdown] id="ex-pad-text"
# ### Exercise 3.2 · A rectangle of sentences
# *Core, 8 minutes.* `sentences` is a list of lists of token numbers, none of them empty. Return the
# table (B, S), short rows filled up with `PAD` at the end, and its mask.
#
# <details><summary>Hint 1</summary>How long is the longest? Every other row is that much
# short.</details>
# <details><summary>Hint 2</summary>`[5, 6] + [PAD] * 2` is `[5, 6, 0, 0]`, a new list; `+=` would
# change the caller's.</details>
# <details><summary>Hint 3</summary>`torch.tensor(rows)` for the table; for the mask the lengths and
# exercise 3.1.</details>


# %% id="ex-pad" tags=["exercise"]
@exercise
def pad(sentences):
    """Lists of token numbers → (table (B, S), short rows end in PAD; mask (B, S), True = real)."""
    ### BEGIN SOLUTION
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    longest = int(lengths.max())
    rows = [list(sentence) + [PAD] * (longest - len(sentence)) for sentence in sentences]
    return torch.tensor(rows), masking.lengths_to_mask(lengths)
    ### END SOLUTION


# %% id="padding"
src, src_mask = pad([[*sentence, EOS] for sentence in src_ids])  # the encoder sees the end, too
print("table:  ", str(src.tolist()).replace("], ", "],\n          "))
print("lengths:", src_mask.sum(1).tolist())
print("equal to the library's:", torch.equal(src, data.pad([[*x, EOS] for x in src_ids])[0]))

# %% [markdown] id="batch-picture-text"
# The same batch as a picture.


# %% id="batch-tools"
def draw_table(ax, table, mask, words, title):
    """Token words in a grid; padding is hatched and grey."""
    for b, row in enumerate(table.tolist()):
        for j, token in enumerate(row):
            look = {"facecolor": "white", "edgecolor": "#444444"}
            if not mask[b, j]:
                look = {"facecolor": "#E4E4E4", "edgecolor": "#BBBBBB", "hatch": "//"}
            ax.add_patch(plt.Rectangle((j, b), 1, 1, **look))
            look = {"ha": "center", "va": "center", "fontsize": 10, "parse_math": False}
            ax.text(j + 0.5, b + 0.35, words[token], **look)
            ax.text(j + 0.5, b + 0.75, f"{token} · {bool(mask[b, j])}", **look | {"fontsize": 8})
    ax.set(title=title, xlim=(0, table.shape[1]), ylim=(len(table), 0))
    ax.set(xlabel="position j (tokens)", ylabel="sentence b")
    ax.set_xticks([j + 0.5 for j in range(table.shape[1])], range(1, table.shape[1] + 1))
    ax.set_yticks([b + 0.5 for b in range(len(table))], range(1, len(table) + 1))
    ax.grid(visible=False)


# %% id="batch-picture"
fig, ax = plt.subplots(figsize=(8, 3.4))
draw_table(ax, src, src_mask, ko_words, "A padded batch: word, number · mask")
plt.show()

# %% [markdown] id="batch-picture-alt"
# <details><summary>The figure in words</summary>
#
# A grid of three rows and five columns. Each cell shows a Korean word, its number and its mask. Row
# 1 has three words and the end token, then one hatched grey cell of padding with mask False; row 2
# two words, the end and two cells of padding; row 3 four words and the end, no padding.
#
# </details>

# %% [markdown] id="batch-picture-read"
# Twelve of the fifteen cells are real. Padding is bookkeeping. It must not have any effect on a
# result: not on a state, not on the loss, not on the translation. That has to be earned, as we
# shall see in a moment.

# %% [markdown] id="shift-text"
# ## The shift
#
# In training the whole translation is known. The decoder is given each word of it and must predict
# the *next* one. So the target is needed twice: as **input** with `<sos>` in front, and as **goal**
# with `<eos>` behind. The two are one row, shifted by one.

# %% id="shift"
for name, row in (("tgt_in ", [BOS, *tgt_ids[0]]), ("tgt_out", [*tgt_ids[0], EOS])):
    print(name, " ".join(f"{en_words[token]:7}" for token in row), row)

# %% [markdown] id="shift-read"
# Read it in columns: given `<sos>`, predict *I*; given *I*, predict *went*; given *home*, predict
# `<eos>`. Both rows have the same length, and one mask serves both. (Feeding the *gold* word, not
# the model's own guess, is called **teacher forcing**; chapter 7 is about it.)

# %% [markdown] id="ex-make-batch-text"
# ### Exercise 3.3 · A batch for training
# *Core, 12 minutes.* `src` and `tgt` are lists of sentences (lists of token numbers, without any
# special token). Return five tensors: the padded source, each sentence followed by `EOS`, and its
# mask; `tgt_in`, `tgt_out`, and the mask that serves both. `data.pad` is exercise 3.2.
#
# <details><summary>Hint 1</summary>Which of `BOS` and `EOS` does each of the three tables
# need?</details>
# <details><summary>Hint 2</summary>Put the special tokens on the *sentences*, before you pad. In a
# padded table the end of a short row is not in the last column.</details>
# <details><summary>Hint 3</summary>`data.pad([[BOS, *sentence] for sentence in tgt])` is
# `tgt_in` and the mask.</details>


# %% id="ex-make-batch" tags=["exercise"]
@exercise
def make_batch(src, tgt):
    """→ (src (B, S), src_mask, tgt_in (B, T) = BOS + y, tgt_out (B, T) = y + EOS, tgt_mask)."""
    ### BEGIN SOLUTION
    source, source_mask = data.pad([[*sentence, EOS] for sentence in src])
    tgt_in, tgt_mask = data.pad([[BOS, *sentence] for sentence in tgt])
    tgt_out, _ = data.pad([[*sentence, EOS] for sentence in tgt])
    return source, source_mask, tgt_in, tgt_out, tgt_mask
    ### END SOLUTION


# %% id="shift-batch"
src, src_mask, tgt_in, tgt_out, tgt_mask = make_batch(src_ids, tgt_ids)
for row_in, row_out in zip(tgt_in, tgt_out):
    print(" ".join(en_words[token] for token in row_in if token != PAD))
    print("   predict:", " ".join(en_words[token] for token in row_out if token != PAD))

# %% [markdown] id="shift-trap-text"
# A popular short cut pads `<sos> y <eos>` first and takes everything but the last column as input.
#
# **Predict.** Which rows does it spoil?

# %% id="shift-trap"
table, _ = data.pad([[BOS, *sentence, EOS] for sentence in tgt_ids])
print("inputs by the short cut:", str(table[:, :-1].tolist()).replace("], ", "],\n" + " " * 25))
print("rows in which <eos> is fed to the decoder:", (table[:, :-1] == EOS).any(1).tolist())

# %% [markdown] id="shift-trap-read"
# All but the longest. Whether it does harm depends on the mask that goes with it; at the least the
# decoder is run past the end of the sentence, and one mask no longer serves both rows: a short
# input now has one real token more than its goal. Shift each sentence, *then* pad.

# %% [markdown] id="diagram-text"
# The whole model, unrolled over the first sentence. Nothing in this picture is new; it only puts
# the rows of the batch where they belong.


# %% id="diagram-tools"
def box(ax, x, y, text, colour="#777777"):
    style = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": colour}
    look = {"ha": "center", "va": "center", "fontsize": 10, "parse_math": "$" in text}
    ax.text(x, y, text, bbox=style, zorder=3, **look)


def arrow(ax, start, end, **look):
    line = {"arrowstyle": "-|>", "color": "#444444", "shrinkA": 15, "shrinkB": 15, "linewidth": 1.4}
    ax.annotate("", end, start, arrowprops=line | look, zorder=1)


# %% id="diagram" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(9.5, 4))
rows = ((ko_words, src), (en_words, tgt_in), (en_words, tgt_out))
read, fed, wanted = ([words[token] for token in table[0] if token] for words, table in rows)
for n in range(8):
    box(ax, n, 1, f"$h_{n + 1}$" if n < 4 else f"$s_{n - 3}$", figures.PALETTE[0 if n < 4 else 2])
    box(ax, n, 0, [*read, *fed][n])
    arrow(ax, (n, 0), (n, 1))
    if n < 7:
        thick = {"linewidth": 4, "color": figures.PALETTE[1]} if n == 3 else {}
        arrow(ax, (n, 1), (n + 1, 1), **thick)
    if n > 3:
        box(ax, n, 2, wanted[n - 4])
        arrow(ax, (n, 1), (n, 2))
    if 3 < n < 7:
        bend = {"linestyle": ":", "connectionstyle": "arc3,rad=0", "color": figures.PALETTE[1]}
        arrow(ax, (n, 2), (n + 1, 0), **bend)
ax.text(3.5, 1.25, "context", ha="center", color="#A04000")
ax.text(1.5, 2, "encoder: reads, writes nothing", ha="center", color=figures.PALETTE[0])
ax.set(title="Encoder and decoder: source and tgt_in below, tgt_out above", xlim=(-0.6, 7.6))
ax.set(ylim=(-0.4, 2.4), xlabel="time (steps)", xticks=range(8), xticklabels=range(1, 9))
ax.set(yticks=[0, 1, 2], yticklabels=["in", "state", "out"])
ax.grid(visible=False)
plt.show()

# %% [markdown] id="diagram-alt"
# <details><summary>The figure in words</summary>
#
# Diagram over eight time steps. Steps 1 to 4: three Korean words and the end token go into the
# encoder states h1 to h4. One thick orange arrow, the context, leads from h4 to the first decoder
# state. Steps 5 to 8: the decoder states s1 to s4 are fed the start token, I, went, home, and
# predict I, went, home and the end token. Dotted arrows go from each predicted word to the next
# step's input.
#
# </details>

# %% [markdown] id="diagram-read"
# The dotted arrows are for translating: then there is no gold word, and what was predicted is fed
# back. And look at the thick arrow. *Everything* that the decoder knows about the Korean sentence
# has come through it.

# %% [markdown] id="hand-text"
# ### From scratch, one sentence
#
# Chapter 2's LSTM cell, twice. The next cell builds the library's model, still untrained, with
# embeddings of 6 numbers and states of 8; the cells after it run the same weights in two loops that
# you can follow. First, reading.

# %% id="model"
embed_src, embed_tgt = nn.Embedding(len(ko_words), 6), nn.Embedding(len(en_words), 6)
tiny = Seq2Seq(
    Encoder(embed_src, 8, bidirectional=False),  # reads from left to right only
    PlainDecoder(embed_tgt, 8, 8, 6),  # sizes: encoder's state, its own state, what it puts out
    nn.Linear(6, len(en_words)),  # a logit for each word
)


def cell_of(layer):
    """Chapter 2's cell with the weights of an nn.LSTM."""
    cell = LSTMCell(layer.input_size, layer.hidden_size)
    # nn.LSTM's names end in _l0, for layer 0; the cell's do not
    cell.load_state_dict({name[:-3]: weight for name, weight in layer.named_parameters()})
    return cell


# %% id="hand-read"
reader = cell_of(tiny.encoder.layers[0])
state = None  # chapter 2's cell starts from zeros
for token in [*src_ids[0], EOS]:
    state = reader(embed_src(torch.tensor([token])), state)
context = state[0]  # the last hidden state: (1, H)
print("the whole sentence is now", context.numel(), "numbers")

# %% [markdown] id="bridge-text"
# ### The bridge
#
# "The context is the first hidden state of the decoder", says a note. Nearly: an LSTM needs *two*
# first vectors, hidden and cell state (another note remembers the second), and the decoder's may
# have another size than the encoder's. So a small layer stands between the two,
#
# $$[\,s_0\,;\,c_0\,] = \tanh(W\,h_S + b).$$
#
# Here $h_S$ is the encoder's state after the last of $S$ tokens, and $c_0$ is the decoder's first
# *cell* state, as in chapter 2. (Sutskever et al. copied the states; with equal sizes that is
# possible, too.)
#
# After the exercise comes the writing. Each state $s_t$ goes through a small layer with a tanh (the
# decoder's `head`) and then through the output layer, which gives the logits of the next word.

# %% [markdown] id="ex-bridge-text"
# ### Exercise 3.4 · The first state
# *Warm-up, 5 minutes.* final $h_S$ (B, M), weight (2H, M), bias (2H,): M is the size of the
# encoder's final state, H that of the decoder's states. Return the pair (hidden, cell), each
# (B, H): the first H numbers of tanh(W h + b) and the last H.
#
# <details><summary>Hint 1</summary>A weight (2H, M) acts on rows as `final @ weight.T`.</details>
# <details><summary>Hint 2</summary>The tanh comes after the bias.</details>
# <details><summary>Hint 3</summary>`x.chunk(2, dim=-1)` cuts in two halves.</details>


# %% id="ex-bridge" tags=["exercise"]
@exercise
def bridge(final, weight, bias):
    """First state (hidden, cell), each (B, H), of final (B, M), weight (2H, M), bias (2H,)."""
    ### BEGIN SOLUTION
    hidden, cell = torch.tanh(final @ weight.T + bias).chunk(2, dim=-1)
    return hidden, cell
    ### END SOLUTION


# %% id="hand-write"
writer, decoder = cell_of(tiny.decoder.rnn), tiny.decoder
state = bridge(context, decoder.bridge.weight, decoder.bridge.bias)
rows = []
for token in [BOS, *tgt_ids[0]]:  # tgt_in: the gold words
    state = writer(embed_tgt(torch.tensor([token])), state)
    rows.append(tiny.output(torch.tanh(decoder.head(state[0]))))  # logits of the next word
by_hand = torch.cat(rows)
print("logits:", tuple(by_hand.shape), "= a row for each word to predict, a column for each word")

# %% id="hand-agree"
logits, _ = tiny(src, src_mask, tgt_in)  # the padded batch of three sentences
torch.testing.assert_close(by_hand, logits[0, :4])
print("two loops and attnlib.seq2seq agree:", tuple(logits.shape))

# %% [markdown] id="hand-agree-read"
# The library ran all three sentences with their padding, the loops ran one sentence alone, and the
# numbers are the same. How does the library manage that?

# %% [markdown] id="last-text"
# ## Where does a padded sentence end?
#
# A layer such as `nn.LSTM` knows nothing of padding. It reads it, and its state goes on changing.
# Much code takes the last column of the output, `out[:, -1]`, for "the last state".
#
# **Predict.** For which of the three sentences is `out[:, -1]` the state after its last word?

# %% id="last"
layer = tiny.encoder.layers[0]
out, _ = layer(embed_src(src))  # (B, S, H): padding is read like words
for b, sentence in enumerate(src_ids):
    alone, _ = layer(embed_src(torch.tensor([[*sentence, EOS]])))
    same, real = torch.allclose(out[b, -1], alone[0, -1], atol=1e-6), int(src_mask[b].sum())
    print(f"sentence {b + 1}: {real} of 5 positions real, out[:, -1] right: {same}")

# %% [markdown] id="last-read"
# Only for the longest. The others have been read on into the padding. And how far is the wrong
# state from the right one?

# %% [markdown] id="ex-last-real-text"
# ### Exercise 3.5 · The last real state
# *Core, 8 minutes.* `x` (B, S, F) are states, `mask` (B, S) marks the real ones, which come first.
# Return each row's last real state, (B, F). Training goes through it: gradients must get back to
# `x`.
#
# <details><summary>Hint 1</summary>`mask.sum(1)` is the length of each row. Which position is
# last?</details>
# <details><summary>Hint 2</summary>Two index tensors side by side pick one entry a row: `x[rows,
# columns]`.</details>
# <details><summary>Hint 3</summary>The rows are `torch.arange(len(x))`.</details>


# %% id="ex-last-real" tags=["exercise"]
@exercise
def last_real(x, mask):
    """Each row of x (B, S, F) at its last position where mask (B, S) is True → (B, F)."""
    ### BEGIN SOLUTION
    return x[torch.arange(len(x), device=x.device), mask.sum(1) - 1]
    ### END SOLUTION


# %% id="drift"
home = layer(embed_src(torch.tensor([[*src_ids[1], EOS]])))[0][:, -1]  # no padding at all
drift = []
for more in range(16):  # the same sentence with more and more padding behind it
    row = torch.tensor([[*src_ids[1], EOS, *[PAD] * more]])
    out, mask = layer(embed_src(row))[0], row != PAD
    found = out[:, -1], last_real(out, mask)
    drift.append([((state - home).norm() / home.norm()).item() for state in found])
print("out[:, -1] after 15 × padding is off by more than a half:", drift[-1][0] > 0.5)
print("the last real state never moves:", all(ours < 1e-5 for _, ours in drift))

# %% id="drift-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, name in enumerate(("out[:, -1]", "last real state")):
    ax.plot([pair[n] for pair in drift], "os"[n] + "-", color=figures.PALETTE[1 - n], label=name)
ax.set_title("The same two words, and more and more padding")
ax.set(xlabel="padding behind the sentence (tokens)", ylabel="distance (1 = length of state)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="drift-alt"
# <details><summary>The figure in words</summary>
#
# Relative distance from the right state against 0 to 15 padding tokens. The line of out[:, -1]
# rises at once and levels off a little above 1; the line of the last real state stays at zero.
#
# </details>

# %% [markdown] id="drift-read"
# A few tokens of padding make it another vector, off by about its own length. With `out[:, -1]` a
# sentence's vector depends on how long *another* sentence of its batch is. A model can be trained
# that way, and will translate differently when the batch is put together differently. Two cures are
# in use: pick the last real state (`attnlib` does), or hand the lengths to torch
# (`pack_padded_sequence`), which then stops each row in time.

# %% id="packing"
lengths = src_mask.sum(1)  # below, True: batch_first; False: rows are not sorted by length
packed_rows = nn.utils.rnn.pack_padded_sequence(embed_src(src), lengths, True, False)
_, (packed_last, _) = layer(packed_rows)
ours = last_real(layer(embed_src(src))[0], src_mask)
print("packing and picking agree:", torch.allclose(packed_last[0], ours, atol=1e-6))

# %% [markdown] id="loss-text"
# The loss needs the same care. The mean is over *real* tokens; padding is not to be predicted.

# %% id="loss"
wide = F.pad(tgt_out, (0, 5)), F.pad(tgt_mask, (0, 5))  # five more columns of padding
wide_logits, _ = tiny(src, src_mask, F.pad(tgt_in, (0, 5)))
for name, take in (("mean over everything", lambda m: m | True), ("mean over real", lambda m: m)):
    few = F.cross_entropy(logits[take(tgt_mask)], tgt_out[take(tgt_mask)])
    many = F.cross_entropy(wide_logits[take(wide[1])], wide[0][take(wide[1])])
    print(f"{name:20}: unchanged by five more columns: {torch.allclose(few, many)}")

# %% [markdown] id="both-ways-text"
# ## Reading in both directions
#
# The state $\overrightarrow{h}_j$ of a reader that goes from left to right knows words 1 to $j$.
# A second reader, from right to left, knows words $j$ to $S$; side by side they know the whole
# sentence, from the point of view of word $j$:
# $h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]$.
#
# In a padded batch the second reader has a trap waiting. Turn the whole table round, and it meets
# the padding *first*.

# %% [markdown] id="ex-reverse-real-text"
# ### Exercise 3.6 · Reverse what is real
# *Core, 12 minutes.* Reverse the order of each row's real tokens and leave the padding where it is.
# x (B, S, F), mask (B, S), result (B, S, F). Doing it twice must undo it.
#
# <details><summary>Hint 1</summary>In a row of length n, position j takes what stands at n − 1 −
# j.</details>
# <details><summary>Hint 2</summary>A loop over the rows is fine: `x[b, :n].flip(0)` is the real
# part reversed. Work on a copy, `x.clone()`.</details>
# <details><summary>Hint 3</summary>Without a loop: the wanted positions (B, S) with `torch.where`
# (at padding: j itself), then `x.gather(1, positions.unsqueeze(-1).expand_as(x))`.</details>


# %% id="ex-reverse-real" tags=["exercise"]
@exercise
def reverse_real(x, mask):
    """x (B, S, F) with each row's real tokens (mask (B, S)) reversed; padding stays at the end."""
    ### BEGIN SOLUTION
    position = torch.arange(x.shape[1], device=x.device).expand(mask.shape)
    mirrored = mask.sum(1, keepdim=True) - 1 - position
    source = torch.where(mask, mirrored, position)
    return x.gather(1, source.unsqueeze(-1).expand_as(x))
    ### END SOLUTION


# %% [markdown] id="ex-read-both-ways-text"
# ### Exercise 3.7 · Both directions, exactly
# *Hard, 20 minutes. This one hurts.* `forward_layer(inputs)` and `backward_layer(inputs)` are
# recurrent layers: from inputs (B, S, F) they give the states (B, S, H) and, as torch's do, the
# last state (1, B, H). Both read left to right. Return the states
# $[\overrightarrow{h}_j ; \overleftarrow{h}_j]$ (B, S, 2H), and the final states
# $[\overrightarrow{h}_S ; \overleftarrow{h}_1]$ (B, 2H): what each reader knows when it has read
# the whole sentence. A sentence must get the same states alone and in a padded batch.
# `attnlib.model.last_real` and `attnlib.model.reverse_real` are exercises 3.5 and 3.6.
# What the states at padding are is up to you.
#
# <details><summary>Hint 1</summary>Give the backward layer the words in reverse. In which order do
# its states come out, and where is the one of word j?</details>
# <details><summary>Hint 2</summary>Turn the backward states round once more before you put them
# beside the forward ones.</details>
# <details><summary>Hint 3</summary>The final backward state is the last real one *before* that
# second turn (or position 0 after it).</details>


# %% id="ex-read-both-ways" tags=["exercise"]
@exercise
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    """States [→h_j ; ←h_j] (B, S, 2H) and final states [→h_S ; ←h_1] (B, 2H), padding ignored."""
    ### BEGIN SOLUTION
    ahead, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    final = [attnlib.model.last_real(ahead, mask), attnlib.model.last_real(back, mask)]
    states = [ahead, attnlib.model.reverse_real(back, mask)]
    return torch.cat(states, dim=-1), torch.cat(final, dim=-1)
    ### END SOLUTION


# %% [markdown] id="both-naive-text"
# torch's own `bidirectional=True`, given a padded batch without lengths, falls into the trap: only
# the longest row, which has no padding, is read right. The same weights, without lengths and with
# your function:

# %% id="both-naive"
both = nn.LSTM(6, 4, batch_first=True, bidirectional=True)
readers = [nn.LSTM(6, 4, batch_first=True) for _ in range(2)]
for reader, ending in zip(readers, ("", "_reverse")):
    weights = {name: getattr(both, name + ending) for name, _ in reader.named_parameters()}
    reader.load_state_dict(weights)
words = embed_src(src)
alone = [both(row[:n].unsqueeze(0))[0][0, 0] for row, n in zip(words, lengths)]  # h_1 of each
naive, ours = both(words)[0][:, 0], read_both_ways(*readers, words, src_mask)[0][:, 0]
for b in range(3):
    print(f"sentence {b + 1}: h_1 as alone? without lengths: {torch.allclose(naive[b], alone[b])},"
          f" read_both_ways: {torch.allclose(ours[b], alone[b], atol=1e-6)}")  # fmt: skip

# %% [markdown] id="a-an-text"
# ### A task that only two directions can do
#
# English *a* or *an* depends on the word that comes *after* it. (Korean particles do it the other
# way round: the topic marker is 은 after a consonant and 는 after a vowel.) So let a network read
# random letters, half of them vowels, and say at every position, from $h_j$ alone, whether *a* or
# *an* belongs there: *an* where the **next** letter is a vowel. Two encoders, the same number of
# features in $h_j$; the one-way encoder even has more parameters.
#
# **Predict.** What will each of them reach, if half is chance?


# %% id="a-an-models"
def a_or_an(ways, updates=150):
    """Train a tagger whose encoder reads one way or both; what it gets right on new letters."""
    generator = seed_everything(1)
    embed, answer = nn.Embedding(10, 8), nn.Linear(32, 2)
    layers = nn.ModuleList(nn.LSTM(8, 32 // ways, batch_first=True) for _ in range(ways))
    module = nn.ModuleList([embed, layers, answer])
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-2)
    for update in range(updates + 1):
        x = torch.randint(10, (32 if update < updates else 1000, 12), generator=generator)
        if ways == 1:
            h, _ = attnlib.model.read_forward(layers[0], embed(x), x >= 0)
        else:
            h, _ = read_both_ways(*layers, embed(x), x >= 0)
        logits, an = answer(h[:, :-1]), (x[:, 1:] < 5).long()  # letters 0 to 4 are vowels
        optimizer.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), an.flatten()).backward()
        optimizer.step()
    size = sum(p.numel() for p in module.parameters())
    return (logits.argmax(-1) == an).double().mean().item(), size


# %% id="a-an"
for name, ways in (("one way", 1), ("both ways", 2)):
    share, size = a_or_an(ways)
    band = "between 45 and 55" if 0.45 < share < 0.55 else "above 99" if share > 0.99 else "other"
    print(f"{name:9}: {size:,} parameters, right in per cent: {band}")

# %% [markdown] id="a-an-read"
# The one-way encoder guesses. It could be trained for a year: when it is at position $j$, the
# letter that decides has not arrived, and what has not been read is not in $\overrightarrow{h}_j$.
# (One run each; the reason holds for any run.) Mind what this does *not* show. A decoder that
# starts only after *everything* has been read can find all of it in the last one-way state, as far
# as it fits in there. Two directions matter when single states are used, one for each word. With
# attention they will be.

# %% [markdown] id="greedy-text"
# ## Writing
#
# To translate, the decoder is fed its own words. At each step the most probable next word is taken
# (**greedy** decoding; chapter 8 searches better), until it says `<eos>`, or until a limit, because
# nobody guarantees that it ever does.

# %% [markdown] id="ex-greedy-decode-text"
# ### Exercise 3.8 · Write until the end
# *Core, 12 minutes.* `step(token, state)` returns the logits (V,) of the next token and the new
# state. Start from `bos` and `state`, take the largest logit each time, stop at `eos`, write at
# most `max_length` tokens. Return the list of token numbers, without `bos` and `eos`. Take no step
# after the end.
#
# <details><summary>Hint 1</summary>Two things are carried from one step to the next.</details>
# <details><summary>Hint 2</summary>`int(logits.argmax())` is a token number. Test it before you
# keep it.</details>
# <details><summary>Hint 3</summary>`for _ in range(max_length):` step, argmax, `break` if it is
# `eos`, append.</details>


# %% id="ex-greedy-decode" tags=["exercise"]
@exercise
def greedy_decode(step, state, bos, eos, max_length):
    """Most probable tokens, one after the other, up to eos (left out) or max_length: a list."""
    ### BEGIN SOLUTION
    tokens, token = [], bos
    for _ in range(max_length):
        logits, state = step(token, state)
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens
    ### END SOLUTION


# %% [markdown] id="learn-text"
# ### Training, with an end and without
#
# Back to `3a2b`. The training loop is that of chapter 1: batch, logits, masked loss, step, with a
# learning rate that falls. The last argument, set to False, leaves `<eos>` out of the loss; all
# else stays.


# %% id="learn"
def learn(model, src, tgt, updates, with_end=True):
    """Train a model in place; the loop that attnlib.training elaborates."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    rate = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, updates)
    epochs = map(Batches(src, tgt, size=32, seed=1).epoch, itertools.count())
    for batch in itertools.islice(itertools.chain.from_iterable(epochs), updates):
        counted = batch.tgt_mask & (batch.tgt_out != EOS) if not with_end else batch.tgt_mask
        logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
        loss = F.cross_entropy(logits[counted], batch.tgt_out[counted])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step(), rate.step()


# %% id="learn-data"
symbols = [*SPECIALS, *"1234abcdef"]
everything = {packed(draw) for _ in range(9000)}
unseen = set(draw.sample(sorted(everything), 100))
pairs = [pair for pair in (packed(draw) for _ in range(6000)) if pair not in unseen]
numbered = [[[symbols.index(x) for x in text] for text in side] for side in zip(*pairs)]
print(len(unseen), "test pairs, none of them among the training pairs:", unseen.isdisjoint(pairs))


# %% id="learn-step"
@torch.no_grad()
def write(model, tokens, max_length=20):
    """The translation of one source, by exercise 3.8."""
    src, mask = data.pad([[*tokens, EOS]])
    memory = model.encode(src, mask)  # all that the encoder hands on

    def step(token, state):
        log_probs, state, _ = model.step(torch.tensor([[token]]), memory, state)
        return log_probs[0, 0], state

    return greedy_decode(step, model.decoder.start(memory), BOS, EOS, max_length)


# %% id="open-gates"
@torch.no_grad()
def open_gates(layer, bias):
    """Let the forget gates of an nn.LSTM start at σ(bias); torch's order is i, f, g, o."""
    block = slice(layer.hidden_size, 2 * layer.hidden_size)
    layer.bias_ih_l0[block], layer.bias_hh_l0[block] = bias, 0.0


# %% id="learn-run"
unpackers = {}
for name, with_end in (("with <eos>", True), ("without", False)):
    seed_everything(1)
    tables = nn.Embedding(14, 32), nn.Embedding(14, 32)
    parts = Encoder(tables[0], 64, bidirectional=False), PlainDecoder(tables[1], 64, 64, 32)
    unpackers[name] = Seq2Seq(*parts, nn.Linear(32, 14))
    for layer in (parts[0].layers[0], parts[1].rnn):
        open_gates(layer, 3.0)
    learn(unpackers[name], *numbered, updates=500, with_end=with_end)

# %% [markdown] id="learn-predict"
# **Predict.** How much will the model write that was never told about the end?

# %% id="learn-check"
unseen = sorted(unseen)
for name, model in unpackers.items():
    written = ["".join(symbols[t] for t in write(model, [symbols.index(x) for x in short]))
               for short, _ in unseen]  # fmt: skip
    exact = sum(text == long for text, (_, long) in zip(written, unseen)) / len(unseen)
    begins = sum(text.startswith(long) for text, (_, long) in zip(written, unseen)) / len(unseen)
    stopped = sum(len(text) < 20 for text in written)
    stopped = {0: "never", len(written): "always"}.get(stopped, "sometimes")
    print(f"{name:10}: more than 70 % right: {exact > 0.7}, more than 70 % begin right:"
          f" {begins > 0.7}, stopped by itself: {stopped}")  # fmt: skip

# %% [markdown] id="learn-read"
# The first model unpacks most of the strings, though it never saw them, and the length of the input
# does not tell it when to stop: it counts, and stops. The second begins most of them right, too,
# and then never stops; only the limit of 20 does that for it. `<eos>` is not a formality. To say
# "I am done" is a prediction like any other and has to be learnt. (One run of each.)

# %% [markdown] id="dictation-text"
# ## The bottleneck
#
# "The hidden vector has a fixed size, however long the sentence; everything must be squeezed into
# it", say the notes. Let us measure how much goes in. The cleanest task is **dictation**: random
# digits are read, and written down again. There is no grammar to lean on. Each digit is
# $\log_2 10 \approx 3.3$ bits that must be carried by the vector, or be lost.
#
# The network has a final state of 64 numbers, the strings have 1 to 16 digits. (The forget gates
# start open, with a bias of 3, as in `3a2b`; chapter 2 opened them, and the last experiment of this
# chapter shows why. `fit` is the loop above with a learning rate that rises, then falls.)


# %% id="dictation-model"
def make_translator(size=64):
    """Encoder and decoder with states of so many numbers, for ten digits."""
    source, target = nn.Embedding(15, 32), nn.Embedding(15, 32)
    for table in (source, target):
        nn.init.normal_(table.weight, std=32**-0.5)
    encoder = Encoder(source, size, bidirectional=False)
    decoder, output = PlainDecoder(target, size, size, 32), nn.Linear(32, 15)
    nn.init.zeros_(output.bias)
    output.weight = target.weight  # the row that predicts a digit is the row that embeds it
    for layer in (encoder.layers[0], decoder.rnn):
        open_gates(layer, 3.0)
    return Seq2Seq(encoder, decoder, output)


def numbers(count, shortest, longest, seed):
    """Random strings of digits; digit 0 is token 4."""
    draw = random.Random(seed)
    lengths = [draw.randint(shortest, longest) for _ in range(count)]
    return [[4 + draw.randrange(10) for _ in range(length)] for length in lengths]


# %% id="dictation-train" tags=["nbval-ignore-output"]
strings = numbers(20_000, 1, 16, seed=1)
seed_everything(1)
dictated = make_translator()
recipe = Recipe(
    updates=1500, learning_rate=1e-2, warmup=100, label_smoothing=0.0,
    validate_every=1500, precision="fp32", seed=1,
)  # fmt: skip
history = fit(dictated, Batches(strings, strings, size=64, seed=1), recipe)


# %% id="dictation-write"
@torch.no_grad()
def is_right(model, strings):
    """Whether each token (B, T), the end included, is right when the model reads its own output."""
    batch = data.make_batch(strings, strings)
    memory, tokens = model.encode(batch.src, batch.src_mask), batch.tgt_in[:, :1]
    state, right = model.decoder.start(memory), []
    for t in range(batch.tgt_out.shape[1]):
        log_probs, state, _ = model.step(tokens, memory, state)
        tokens = log_probs.argmax(-1)
        right.append(tokens[:, 0] == batch.tgt_out[:, t])
    return torch.stack(right, 1)


dictated.eval()
test = {n: numbers(300, n, n, seed=10_000 + n) for n in range(1, 17)}
live = torch.tensor([is_right(dictated, test[n]).all(1).double().mean() for n in range(1, 17)])

# %% [markdown] id="dictation-predict"
# **Predict.** The model has seen strings of all lengths up to 16, equally often. At which length
# will half of the strings be right? And if the vector had twice the numbers?

# %% id="record"
record = bundled_directory().parent / "runs" / "03_seq2seq.json"
record = json.loads(record.read_text(encoding="utf-8"))


def recorded(variant, what="exact"):
    """One row a seed."""
    return torch.tensor([run[what] for run in record["runs"] if run["variant"] == variant])


print("just trained: two digits, more than 95 % right:  ", bool(live[1] > 0.95))
print("just trained: sixteen digits, less than 5 % right:", bool(live[15] < 0.05))
gap = (live - recorded("size-64")[0]).abs().max().item()
print("within 0.25 of the recorded run of the same seed: ", gap < 0.25)

# %% [markdown] id="sizes-text"
# The recorded runs (`benchmarks/seq2seq_chapter.py`, three seeds each) have vectors of 16, 32, 64
# and 128 numbers, and are otherwise alike. Seed 1 of 64 is what you have just trained.

# %% id="sizes" tags=["hide-input"]
sizes = (16, 32, 64, 128)
curves = {f"{size} numbers": recorded(f"size-{size}") for size in sizes}
title = "Dictation: strings written without an error (recorded, 3 seeds)"
ax = learning_curves(
    range(1, 17),
    curves,
    title=title,
    xlabel="length of the string (digits)",
    ylabel="right (0 to 1)",
)
circle = {"s": 60, "facecolors": "none", "edgecolors": "black", "zorder": 5}
ax.scatter(range(1, 17), live, label="just trained (64)", **circle)
ax.legend(frameon=False, loc="upper right")
plt.show()

# %% [markdown] id="sizes-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without an error against length from 1 to 16 digits, for four sizes of the
# vector. Every curve starts at 1 and falls to 0 within a few digits, like a cliff; the larger the
# vector, the farther right the cliff. Open circles, the live run, lie along the lower edge of the
# band of 64 numbers.
#
# </details>


# %% id="half"
def half(curve):
    """The length at which the share falls below one half, between two whole lengths."""
    n = next(i for i, share in enumerate(curve) if share < 0.5)
    return n + (curve[n - 1] - 0.5) / (curve[n - 1] - curve[n])


halves = {size: torch.tensor([half(curve) for curve in recorded(f"size-{size}").tolist()])
          for size in sizes}  # fmt: skip
print("recorded   half are right at   bits    parameters")
for size, found in halves.items():
    bits, count = found.mean().item() * math.log2(10), recorded(f"size-{size}", "parameters")[0]
    print(f"{size:4} numbers {found.mean():8.1f} digits {bits:8.0f} {int(count):12,}")
print(f"room in 128 numbers of 32 bits each: {128 * 32 / math.log2(10):,.0f} digits")

# %% id="half-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for size, found in halves.items():
    ax.plot([size] * len(found), found, "o", color=figures.PALETTE[0], markersize=8)
ax.plot(sizes, [found.mean() for found in halves.values()], color=figures.PALETTE[0])
ax.set_xscale("log", base=2)
ax.set_xticks(sizes, sizes)
ax.set(title="How long a string fits (recorded, a point a seed)", ylim=(0, None))
ax.set(xlabel="size of the vector (numbers, doubling)", ylabel="length with half right (digits)")
plt.show()

# %% [markdown] id="half-alt"
# <details><summary>The figure in words</summary>
#
# Length at which half of the strings are right, against the size of the vector on a doubling scale.
# The points of three seeds lie close together, farthest apart at 128 numbers. The line through
# their means rises from left to right, by one to two digits for each doubling.
#
# </details>

# %% [markdown] id="half-read"
# The vector has a fixed size, and the share of strings that fit falls off a cliff: at one length
# nearly all are right, a few digits later nearly none. (The measure is strict. One wrong digit, and
# the string is wrong; digit by digit, as we shall see, the fall is gentler.) A larger vector moves
# the cliff, but by less than one would hope: twice the numbers never hold twice the digits. [Cho et
# al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) saw such a fall in translation: quality fell
# quickly with the length of the sentence.
#
# There is a report to the contrary. [Sutskever, Vinyals and Le
# (2014)](D_papers.ipynb#cell-id=sutskever-2014) had no difficulty with long sentences: the BLEU of
# their LSTM hardly fell up to 35 words. Theirs had four layers of 1,000 units, so 8,000 numbers
# between encoder and decoder; it read the source in reverse; it was trained for ten days on twelve
# million pairs; and sentences share structure that random digits do not have. The bottleneck is
# real, and where it bites hangs on all of these.
#
# The column of bits puts the notes' sentence into numbers. $L$ random digits are $L \log_2 10$
# bits, whoever carries them. There would be room for more than a thousand digits in the largest
# vector. So it is not the *room* that runs out: it is what a network of this kind, trained with
# this budget, can write into a vector and read out again. (The comparison is one at equal
# updates; longer training may move the cliffs. And a larger vector brings a larger network with it,
# as the last column says: the two cannot be told apart here.)

# %% [markdown] id="probe-text"
# ### Which digit is lost?
#
# Is a lost digit not *in* the vector, or can the decoder not find it? Ask the vector itself: for
# strings of ten digits, a single linear layer, a **probe**, tries to read digit $j$ from the final
# state alone. (The encoder is the one just trained, and stays as it is.)
#
# **Predict.** Which digits will be easiest to read: the first, or the last, which the encoder has
# just seen?


# %% id="probe"
@torch.no_grad()
def final_states(strings):
    batch = data.make_batch(strings, strings)
    return dictated.encode(batch.src, batch.src_mask).final, torch.tensor(strings) - 4


(x, digits), (x_test, digits_test) = (final_states(numbers(n, 10, 10, n)) for n in (6000, 1000))
probe = nn.Linear(64, 100)  # ten digits at ten positions
optimizer = torch.optim.Adam(probe.parameters(), lr=0.05)
for _ in range(150):
    loss = F.cross_entropy(probe(x).view(-1, 10), digits.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
found = (probe(x_test).view(-1, 10, 10).argmax(-1) == digits_test).double().mean(0)
decoded = is_right(dictated, test[10])[:, :10].double().mean(0)

# %% id="probe-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.plot(range(1, 11), decoded, "o-", color=figures.PALETTE[0], label="written by the decoder")
ax.plot(range(1, 11), found, "s--", color=figures.PALETTE[1], label="read from the final state")
ax.axhline(0.1, color="#777777", linewidth=1, label="guessing")
ax.set(title="Strings of ten digits: what is right, by position", ylim=(0, 1.02))
ax.set(xlabel="position in the string (digits)", ylabel="right (0 to 1)", xticks=range(1, 11))
ax.legend(frameon=False, loc="upper right")
plt.show()

# %% [markdown] id="probe-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings in which each of ten digits is right. Written by the decoder: from nearly 1 at
# the first digit down to about a third at the eighth and ninth. Read by a linear layer from the
# final state: nearly 1 at the first digit, then at once just below a half and slowly down to a
# third. From the eighth digit on the two lie together, with a small rise at the tenth. A grey line
# at 0.1 marks guessing.
#
# </details>

# %% id="probe-numbers"
print("digit 1 is read in more than 90 % of the strings:          ", bool(found[0] > 0.9))
print("digits 2 to 10 all in less than 65 %, more than 20 %:      ",
      bool((found[1:] < 0.65).all() and (found[1:] > 0.2).all()))  # fmt: skip
print(
    "digit 2: the decoder is at least 25 points (of 100) ahead: ",
    bool(decoded[1] > found[1] + 0.25),
)
print(
    "digit 1 is written right more often than digit 9:          ",
    bool(decoded[0] > decoded[8] + 0.3),
)

# %% [markdown] id="probe-read"
# Two surprises (in one run). The safest digit is the **first**, which was read longest ago; the
# late ones, just read, are mostly lost. So it is not simply true that early words fade. Training
# decides what stays, and here it kept ready what is needed first. And from the second digit to the
# middle of the string the decoder does much better than a linear look at the same vector. The
# decoder has no other source, so those digits are in there, but folded up: they come out step by
# step. So a probe that finds little does not prove that there is little.

# %% [markdown] id="reverse-text"
# ## Reading backwards
#
# A note tells of a trick. To translate *I go home* the subject is needed first, and by the end of
# the sentence the encoder may have lost its first word. So: feed the source in **reverse**.
# [Sutskever et al. (2014)](D_papers.ipynb#cell-id=sutskever-2014) did, and report for English to
# French a test perplexity of 4.7 instead of 5.8 and 30.6 BLEU instead of 25.9. (BLEU, from 0 to
# 100, says how much a translation has in common with one by a person; more is better. Chapter 9
# builds it.)
#
# Count the steps between reading a word and writing it, for a source of $S$ words that is copied in
# order. Forward, word $j$ is read at step $j$ and written at step $S + j$: always $S$ steps.
# Reversed it is read at $S + 1 - j$: that makes $2j - 1$ steps.
#
# **Predict.** Is the *average* shorter?

# %% id="lags"
S = 10
forward_lags = [(S + j) - j for j in range(1, S + 1)]
reversed_lags = [(S + j) - (S + 1 - j) for j in range(1, S + 1)]
for name, lags in (("forward", forward_lags), ("reversed", reversed_lags)):
    print(f"{name:8}: shortest {min(lags):2}, mean {sum(lags) / S}, longest {max(lags)}: {lags}")

# %% [markdown] id="lags-read"
# It is exactly the same. What falls is the *shortest* time lag. Sutskever et al. say so
# themselves (§3.3), and suspect that training then has an easier time "establishing communication"
# between source and target. Perhaps the first words are learnt at once, and the rest can lean on
# them. Here is our dictation, with everything alike but the direction of the source:

# %% id="reverse-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
panels = [("exact", range(1, 17), "length (digits)", "share of strings right"),
          ("by_position", range(1, 11), "position j of ten digits", "share of digits right"),
          ("loss", range(100, 1501, 100), "updates", "training loss (nats per token)")]  # fmt: skip
for ax, (what, x, xlabel, ylabel) in zip(axes, panels):
    pair = {"forward": recorded("size-64", what), "reversed": recorded("reversed", what)}
    learning_curves(x, pair, title="", xlabel=xlabel, ylabel=ylabel, ax=ax)
axes[1].set_ylim(0, 1.04)
fig.suptitle("The source forward and reversed (recorded, three seeds, mean and range)")
plt.show()

# %% [markdown] id="reverse-alt"
# <details><summary>The figure in words</summary>
#
# Three panels, forward in blue, reversed in orange. Left: share of strings right against length;
# both fall from 1 to 0, the reversed about two digits later. Middle: share of right digits by
# position in strings of ten; both begin near 1, forward falls to little more than a third at the
# ninth digit, reversed only to about three quarters. Right: training loss; the two fall together at
# first; from about 600 updates on the reversed lies below.
#
# </details>

# %% id="reverse-numbers"
print("recorded, three seeds       forward   reversed")
rows = {"half are right at (digits)": [half(recorded(v).mean(0).tolist())
                                       for v in ("size-64", "reversed")]}  # fmt: skip
for name, place in (("digit 1 of 10 right (%)", 0), ("digit 10 of 10 right (%)", 9)):
    rows[name] = [100 * recorded(v, "by_position").mean(0)[place] for v in ("size-64", "reversed")]
for name, pair in rows.items():
    print(f"{name:26}" + "".join(f"{value:9.{int('half' in name)}f}" for value in pair))

# %% [markdown] id="reverse-read"
# Reversed, the cliff stands two digits farther right, with not one parameter more, and the loss is
# lower once the easy part is learnt. Now the middle panel. The *first* digits, whose way has
# become shorter, hardly gain: they were safe. It is the **late** digits that gain, although their
# way is now longer: 19 steps instead of 10 for the tenth. So the trick does not help by carrying
# each word less far. It seems to make the task easier to *learn*, and a network that has learnt
# better gets more into its vector. That fits what Sutskever et al. suspected; it does not prove it.

# %% [markdown] id="ko-text"
# And sentences of a language? Korean to English on the book's own corpus, whose sentences a grammar
# wrote, without attention, one-way encoders, three seeds. Korean puts the verb last, English puts
# it second.
#
# **Predict.** Does reversing help here, too?

# %% id="ko-figure" tags=["hide-input"]
buckets = [tuple(bucket) for bucket in record["buckets"]]
runs = {name: recorded(f"ko-{name}", "bleu") for name in ("forward", "reversed")}
ends = {name: torch.stack([x.min(0).values, x.max(0).values], 1) for name, x in runs.items()}
means = {name: x.mean(0) for name, x in runs.items()}
title = "Korean to English: the source forward and reversed (recorded, 3 seeds)"
ax = bleu_by_length(buckets, means, intervals=ends, title=title)
ax.set_ylim(0, 60)
plt.show()

# %% [markdown] id="ko-alt"
# <details><summary>The figure in words</summary>
#
# BLEU in five ranges of source length, forward and reversed. The two lines lie close together: both
# fall from about 40 on 4 to 10 tokens to about 25 on 11 to 20 and to about 15 on the longest. Bars
# show the range of the three seeds. They overlap everywhere; the one of the reversed source on 4 to
# 10 tokens is by far the longest, and reaches beyond both ends of the forward one.
#
# </details>

# %% id="ko-numbers"
print("recorded, mean of three seeds " + "".join(f"{f'{a}-{b}':>7}" for a, b in buckets))
for name, mean in means.items():
    print(f"  {name:28}" + "".join(f"{x:7.0f}" for x in mean))
print("sources of 4 to 10 tokens     " + "".join(f" seed {n}" for n in (1, 2, 3)))
for name, seeds in runs.items():
    print(f"  {name:28}" + "".join(f"{x:7.0f}" for x in seeds[:, 0]))

# %% [markdown] id="ko-read"
# No difference that three seeds could show. On the shortest sentences the means are almost the
# same, and yet the best model of all six is a reversed one, and so are the two worst: whoever had
# trained seed 2 alone would have reported a success, and seed 3 alone a failure. On the longest
# sentences all models are lost, and there is little to compare. (At 1,000 updates they are far from
# finished, too; this says nothing about a long training.)
#
# Here, too, reversing brings some words nearer and moves others away. The first Korean word is
# often the first English one, the subject: reversed, it is read last, just before it is needed. The
# verb, last in Korean and second in English, is then read first, far from where it is needed. Why
# dictation gains by such an exchange and Korean does not, these runs do not say. So the trick is no
# cure for length, and whether it helps has to be measured, on the languages at hand. Chapter 5
# takes the same corpus, reads it both ways, trains a model without attention for longer, too, and
# measures the fall by length without attention and with it.

# %% [markdown] id="wiring-text"
# ## Where the context goes in
#
# So far the vector sets the first state, and the decoder must keep it in mind while it writes. [Cho
# et al. (2014a)](D_papers.ipynb#cell-id=cho-2014a) hand it to the decoder again **at every step**,
# beside the word:
#
# $$s_t = f([\,E y_{t-1}\,;\,c\,],\; s_{t-1}).$$
#
# Here $f$ is the recurrent cell, $E y_{t-1}$ the embedding of the previous word, $c$ the context.

# %% [markdown] id="ex-every-step-inputs-text"
# ### Exercise 3.9 · The context beside every word
# *Core, 8 minutes.* embedded (B, T, E) are the embeddings of `tgt_in`, final (B, M) is each
# sentence's final state. Return the decoder's inputs (B, T, E + M): at every step the word, then
# the final state of the *same* sentence. Training goes through both.
#
# <details><summary>Hint 1</summary>`torch.cat` wants two tensors that agree in all dimensions but
# one. Which dimension is final missing?</details>
# <details><summary>Hint 2</summary>`final.unsqueeze(1)` has shape (B, 1, M).</details>
# <details><summary>Hint 3</summary>`.expand(-1, T, -1)` repeats it along the steps, each row for
# itself.</details>


# %% id="ex-every-step-inputs" tags=["exercise"]
@exercise
def every_step_inputs(embedded, final):
    """Decoder inputs [E y ; c] (B, T, E + M) of embedded (B, T, E) and final (B, M)."""
    ### BEGIN SOLUTION
    context = final.unsqueeze(1).expand(-1, embedded.shape[1], -1)
    return torch.cat([embedded, context], dim=-1)
    ### END SOLUTION


# %% id="wiring-agree"
cho = PlainDecoder(embed_tgt, 8, 8, 6, every_step=True)
memory = tiny.encode(src, src_mask)
ours = every_step_inputs(embed_tgt(tgt_in), memory.final)
print("the inputs of attnlib's decoder:", torch.equal(ours, cho.inputs(embed_tgt(tgt_in), memory)))

# %% [markdown] id="wiring-predict"
# Three wirings, with about as many parameters (the decoder's own state is smaller where its input
# is wider): the first state only; every step only, from a first state of zeros; both, which is what
# Cho et al. did.
#
# **Predict.** Which carries the longest strings?

# %% id="wiring-figure" tags=["hide-input"]
wirings = {"first state only": "size-64", "every step only": "every-step", "both": "both"}
curves = {label: recorded(variant) for label, variant in wirings.items()}
title = "Dictation: three ways to hand over the context (recorded, 3 seeds)"
ax = learning_curves(
    range(1, 17),
    curves,
    title=title,
    xlabel="length of the string (digits)",
    ylabel="right (0 to 1)",
)
plt.show()

# %% [markdown] id="wiring-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without an error against length, three wirings. All start at 1 and fall to 0. The
# curve of "first state only" falls first, "every step only" about one digit later, "both" last,
# about two digits after the first.
#
# </details>

# %% id="wiring-numbers"
print("recorded             parameters   half are right at (seeds)")
for label, variant in wirings.items():
    found = sorted(round(half(curve), 1) for curve in recorded(variant).tolist())
    print(f"  {label:18}{int(recorded(variant, 'parameters')[0]):11,}   {found}")

# %% [markdown] id="wiring-read"
# At equal size it pays to say it again. A likely reason: a decoder told once must carry the whole
# string through its own states, and not write over it while it writes. If the vector is there at
# every step, the state only has to know how far it has come; and if it is the first state as well,
# so much the better. (A widely read set of notebooks, bentrevett's *pytorch-seq2seq*, reports 13.8
# BLEU with the first state only and 20.6 with the context at every step, from German to English.
# Between the two the cell and the number of layers change as well, so the gain is not the wiring's
# alone.) Chapter 5 gives its translator without attention both, the kindest form of the bottleneck.

# %% [markdown] id="tied-text"
# ### One network for both jobs?
#
# A note remarks that encoder and decoder "have different parameters". What if they share one LSTM?
# (Here, in dictation, the two even read the same digits.)

# %% id="tied"
for label, variant in {"two layers": "size-64", "one shared layer": "tied"}.items():
    found = sorted(round(half(curve), 1) for curve in recorded(variant).tolist())
    size = int(recorded(variant, "parameters")[0])
    print(f"recorded, {label:17}: {size:6,} parameters, half are right at {found} digits")

# %% [markdown] id="tied-read"
# It works, with well over a third of the parameters gone, and costs less than a digit. So two sets
# of weights are the custom, and seem to help a little (the seeds overlap); they are not what makes
# it a seq2seq model. (And dictation is the friendliest case: both sides speak the same language,
# and only the state and the input tell the layer whether it is reading or writing.)

# %% [markdown] id="causes-text"
# ## Too small, or too far away?
#
# Two of the notes give two reasons why one vector fails on long sentences: the vector is too small,
# and gradients vanish. That is right, and it is worth seeing that they are **two different
# diseases** with the same symptom. Strings make it possible to have one without the other.
#
# - **many**: eight digits, no detour. Much to carry.
# - **far**: three digits, then 24 blanks that say nothing, and only then the decoder. Little to
#   carry, but the gradient has a long way back to the digits.
#
# And two remedies: a vector of 128 numbers instead of 32 (in a larger network), against the first;
# forget gates that start wide open, against the second. A gate at $\sigma(b)$ lets the share
# $\sigma(b)^{24}$ of a cell's gradient through 24 steps:

# %% id="causes-gates"
for bias in (1, 5):
    gate = 1 / (1 + math.exp(-bias))
    print(f"forget bias {bias}: gate {gate:.3f}, through 24 steps {gate**24:.4f}")

# %% [markdown] id="causes-predict"
# **Predict.** Four models, two tasks: fill in a table of eight with "learns" or "fails".

# %% id="causes-figure" tags=["hide-input"]
models = {"32-1": "32 numbers, bias 1", "128-1": "128 numbers, bias 1",
          "32-5": "32 numbers, bias 5", "128-5": "128 numbers, bias 5"}  # fmt: skip
tasks = {"many": "many: 8 digits", "far": "far: 3 digits, 24 blanks"}
shares = torch.stack([torch.stack([100 * recorded(f"{task}-{model}").flatten() for model in models])
                      for task in tasks])  # (2 tasks, 4 models, 3 seeds)  # fmt: skip
fig, ax = plt.subplots(figsize=(8.5, 3.8))
image = ax.imshow(shares.mean(-1), cmap="cividis", vmin=0, vmax=100, aspect="auto")
for (row, column), mean in zip(itertools.product(range(2), range(4)), shares.mean(-1).flatten()):
    seeds = " ".join(f"{x:.0f}" for x in shares[row, column])
    look = {"ha": "center", "va": "center", "color": "white" if mean < 50 else "black"}
    ax.text(column, row, f"{mean:.0f} %\nseeds:\n{seeds}", **look)
ax.set_xticks(range(4), [label.replace(", ", "\n") for label in models.values()])
ax.set_yticks(range(2), [label.replace(": ", "\n") for label in tasks.values()])
ax.set(title="Strings without an error (recorded)", xlabel="model", ylabel="task")
ax.grid(visible=False)
fig.colorbar(image, label="right (%)")
plt.show()

# %% [markdown] id="causes-alt"
# <details><summary>The figure in words</summary>
#
# A table of two rows and four columns, coloured by the share of right strings. Row "far": the two
# models with forget bias 1 are dark, at 0 per cent; the two with bias 5 are bright, at 80 per cent
# and more. Row "many": dark for both models with bias 1 and for the small one with bias 5; only the
# large model with bias 5 is bright.
#
# </details>

# %% id="causes-numbers"
print("recorded, three seeds      " + "   ".join(f"{label:>18}" for label in tasks.values()))
for n, label in enumerate(models.values()):
    print(f"  {label:22}" + "".join(f"{mean:18.0f} %" for mean in shares[:, n].mean(-1)))

# %% [markdown] id="causes-read"
# Read the lower row first. With gates that are only partly open no model gets three digits past 24
# blanks, and four times the numbers are no help. With open gates both models write most strings,
# the *small* one no worse than the large one on average (the seeds differ widely). **Size is no
# remedy for distance.** Now the upper row. Eight digits need open gates, too (they are a way of
# eight steps, and here there are no shorter strings to begin with), but that is not enough: the
# small vector mostly fails, the large one succeeds. **An open way is no remedy for a vector that is
# too small.** Two diseases, two remedies. (A model that "fails" has failed within 800 updates; more
# might help some.)
#
# A long sentence suffers from both at once, which is why the notes could list them in one breath.
# And a question that the notes answer in two ways is settled, with the gradients of chapter 2: an
# LSTM *can* have vanishing gradients, if its gates start partly closed. Attention will treat both
# diseases: a state for every word instead of one vector, and a short way to each.

# %% [markdown] id="bridge-to-attention"
# ## What is left
#
# Everything above lives with one vector. Larger, opened, fed at every step, filled in a better
# order: each helps within limits. Yet the encoder has had a state for *every* word in its hands,
# and threw all but one away. To keep them, and to choose among them at every step, is attention.
# Chapter 4 builds the choosing, chapter 5 puts it between the encoder and the decoder and shows,
# on Korean sentences of up to 50 tokens, how far quality falls with length without it.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - First read, then write: with `<sos>` to begin and `<eos>`, which has to be learnt, to stop.
# - The decoder's input and goal are one row, shifted by one; shift first, pad afterwards.
# - A mask marks what is real (True). `out[:, -1]` is the last state of the longest row only; a
#   backward reader that is given whole rows meets padding first.
# - A one-way state cannot know what comes after it; a two-way state can.
# - One vector holds what training gets into it: one or two digits more for each doubling, and
#   behind that a cliff.
# - Reversing the source leaves the average distance as it is. It made dictation easier to learn; on
#   Korean sentences no difference was seen. Handing the context over at every step helps, too.
# - Too small and too far away are two diseases: size cures the one, open gates the other.
#
# **Left out.** Reading and writing with several layers, as Sutskever et al. did; packed sequences
# beyond one cell (`attnlib` does without); searching better than greedily (chapter 8); feeding the
# model's own words in training (chapter 7); whether reversing still helps beside attention, and
# reversing at full scale on real text. The dictation is at equal updates: how far each cliff moves
# with more training was not shown.
#
# **Papers.** [Sutskever, Vinyals and Le 2014](D_papers.ipynb#cell-id=sutskever-2014) (§3.3 on
# reversing); [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a) (the context at every step) and
# [2014b](D_papers.ipynb#cell-id=cho-2014b) (quality against length); [Schuster and Paliwal
# 1997](D_papers.ipynb#cell-id=schuster-1997) (reading both ways); [Jozefowicz, Zaremba and
# Sutskever 2015](D_papers.ipynb#cell-id=jozefowicz-2015) (forget bias).
#
# **Next.** Chapter 4: a dictionary that returns a little of every entry.
