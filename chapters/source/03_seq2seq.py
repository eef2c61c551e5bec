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
# **What you need.** The LSTM of chapter 02 and the loss of chapter 01.
#
# **Time.** Two sittings: 90 minutes to read and 91 for the nine exercises; at most a minute to run
# with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import dataclasses
import itertools
import json
import math
import random

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

import attnlib
from attnbook import about, exercise, predict, progress, recall, reveal
from attnbook.figures import both_ways_diagram, encoder_decoder_diagram, learning_curves
from attnbook.views import bleu_view, gradient_view
from attnlib import data, figures, masking
from attnlib.data import BOS, EOS, PAD, SPECIALS, Batches, bundled_directory, load_corpus
from attnlib.device import seed_everything
from attnlib.model import Encoder, LSTMCell, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(3)

# %% id="first"
plain = Translator.load(bundled_directory().parent / "ko-en-plain", "cpu")
said = plain.translate("민수는 시장에서 큰 배를 샀습니다.", beam=1)
print(said.text)

# %% [markdown] id="first-text"
# That is right: *Minsu · market-at · big · pear · bought*. You know Minsu and his pears from
# chapter 00. But this is another network. It has **no attention**: one half of it reads the Korean
# sentence, the other half writes the English one, and all that passes between them is one list of
# 128 numbers.
#
# Now let three more people do something after Minsu, one after the other.

# %% id="first-long"
clauses = {
    "민수는 시장에서 큰 배를 샀": "Minsu bought a big pear at the market",
    "유나는 집에서 편지를 썼": "Yuna wrote a letter at home",
    "현우는 공원에서 재미있는 책을 읽었": "Hyunwoo read an interesting book in the park",
    "지호는 학교에서 비싼 시계 두 개를 고쳤": "Jiho fixed two expensive watches at school",
}
for n in range(1, len(clauses) + 1):
    said = plain.translate("고, ".join([*clauses][:n]) + "습니다.", beam=1)  # 고: and
    print(f"{len(said.src_tokens) - 1} tokens: {said.text}")
print("should be:", ", ".join([*clauses.values()][:-1]) + ", and", [*clauses.values()][-1] + ".")

# %% [markdown] id="first-read"
# One clause is right, and two are. With three the people get mixed up. Of four the network makes a
# fluent English sentence in which the pear is an apple, Yuna writes at school, and a journalist,
# whom nobody has mentioned, reads Hyunwoo's book. Only the last clause is right. The network has
# read all of it, but what it read had to pass through the same 128 numbers as the one clause.
#
# Try a sentence of your own: the words that it knows stand in chapter 00, under *Your turn*. It was
# trained on thousands of such sentences, short and long (`benchmarks/plain_translator.py`); whether
# more training would have kept Yuna at home is one of the questions below.
#
# This chapter builds such a network, piece by piece, and then asks why it breaks.
#
# ## The map
#
# **First sitting: build it.** From two sentences of different lengths to a network that reads a
# string, writes another and knows when to stop. Afterward you could write every line of it. About
# 45 minutes to read, and 51 for six exercises. *Must be read*: the three sections from *An encoder,
# a decoder* to *The shift*, and *Writing*. *May be skipped*: *From scratch, one sentence*.
#
# **Second sitting: how much fits through it?** Longer strings, larger vectors, more training, the
# source read backward, a second reader: which of these help, and why? Afterward you can tell a
# vector that is too small from words that are too far away. About 45 minutes to read, and 40 for
# three exercises. *Must be read*: *The bottleneck*, and *Too small, or too far away?* *May be
# skipped*: *Which digit is lost?* and *One network for both jobs?*

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five questions on earlier chapters. Put a letter for each into the quotation marks, or leave the
# cell as it is.

# %% id="recall"
recall("03", "")

# %% [markdown] id="lengths-text"
# ## What a tagger cannot say
#
# A recurrent network gives one output for every input. That suits a **tagger**, which names the
# part of speech of each word, but not every task. Take a small one: unpack `3a2b` (three times *a*,
# twice *b*) into `aaabb`. Two inputs are read, `3` and `a`. Which outputs could a network give at
# these two steps?


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
# output for each input cannot do it, however it is trained.
#
# **You will often read that** a recurrent network predicts the next word from the words so far, *in
# other words*, that its input and its output have the same length. Those are two things. Seeing
# only the past comes from reading in one direction. Equal lengths come from one *layout*, an answer
# for every input. Other layouts read everything and answer once, or write many words from one
# input; and a network that may stay silent could read on and speak later.
#
# That is the idea of this chapter: **first read everything, then write.** The translator needs both
# halves of it, because a translation has another length than its source, and its first word may
# depend on the source's last.

# %% [markdown] id="parts-text"
# ## An encoder, a decoder, and one vector between
#
# - The **encoder** is a recurrent network that reads the source. It writes nothing. What it leaves
#   is its last state: the **context vector**.
# - The **decoder** is a second recurrent network. Its first state comes from that vector; at each
#   step it is given the previous word and predicts the next one.
#
# [Kalchbrenner and Blunsom (2013)](D_papers.ipynb#cell-id=kalchbrenner-2013), [Cho et al.
# (2014b)](D_papers.ipynb#cell-id=cho-2014b) and [Sutskever, Vinyals and Le
# (2014)](D_papers.ipynb#cell-id=sutskever-2014) translated this way. (The encoder of the first was
# convolutional. In [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a) such a pair scored phrases
# for a translator of an older kind.) It is called **sequence to sequence**, seq2seq. Writing begins
# after all reading is done: that is the only difference from the tagger. The two networks have
# weights of their own: they read different languages and do different jobs. (Must they? We shall
# measure it.)
#
# Two more symbols are needed. Before it has written anything the decoder must be given *something*:
# a **start token**, `<sos>` (in the code `BOS`). And somebody must say when the sentence is over,
# which is not known beforehand: the decoder itself, by writing the **end token** `<eos>`.
#
# Three short sentences will accompany us: `나는 집에 갔다` (*I · home · went*), `비가 온다` (*rain
# · comes*), `고양이가 우유를 다 마셨다` (*cat · milk · all · drank*).

# %% id="sentences"
sources = ["나는 집에 갔다", "비가 온다", "고양이가 우유를 다 마셨다"]
targets = ["I went home", "it is raining", "the cat drank all the milk"]
ko_words = [*SPECIALS, *dict.fromkeys(" ".join(sources).split())]
en_words = [*SPECIALS, *dict.fromkeys(" ".join(targets).split())]
src_ids = [[ko_words.index(word) for word in text.split()] for text in sources]
tgt_ids = [[en_words.index(word) for word in text.split()] for text in targets]
print("special tokens:", dict(enumerate(SPECIALS)))
print("source:", src_ids)
print("target:", tgt_ids)

# %% [markdown] id="two-layers-text"
# With two layers of torch the whole idea is three lines: one layer reads the first sentence, and
# what it leaves, `last`, is where the other one starts.

# %% id="two-layers"
embed_src, embed_tgt = nn.Embedding(len(ko_words), 6), nn.Embedding(len(en_words), 6)
reads, writes = nn.LSTM(6, 8, batch_first=True), nn.LSTM(6, 8, batch_first=True)
states, last = reads(embed_src(torch.tensor([[*src_ids[0], EOS]])))  # (1, 4, 8): h_1 … h_4
wrote, _ = writes(embed_tgt(torch.tensor([[BOS, *tgt_ids[0]]])), last)  # (1, 4, 8): s_1 … s_4
print("encoder's states:", tuple(states.shape), " decoder's states:", tuple(wrote.shape))

# %% id="diagram" tags=["hide-input"]
ends = [*sources[0].split(), "<eos>"], [*targets[0].split(), "<eos>"]
encoder_decoder_diagram(*ends, states[0], wrote[0])

# %% [markdown] id="diagram-read"
# Look at the thick arrow. *Everything* that the decoder knows about the Korean sentence comes
# through it. In the drawing the decoder is fed the right English words, as in training; to
# translate, each word that it predicts is fed back as the next input.
#
# Four things are missing before this can learn: batches of sentences of different lengths, inputs
# and goals, an output layer with a loss, and the loop that writes. One after the other.

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
# <details><summary>Hint 1</summary>
#
# Position j of row b is real exactly when j is smaller than lengths[b]. Positions count from 0.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `torch.arange(size)` holds the positions, (S,). Comparing it with something of shape (B, 1) gives
# (B, S).
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# One comparison of all positions with all lengths. Which of the two has to get one more dimension,
# and where?
#
# </details>


# %% id="ex-lengths-to-mask" tags=["exercise"]
@exercise
def lengths_to_mask(lengths, size=None):
    """Mask (B, S) bool of lengths (B,): True where position j < lengths[b]. S = size or longest."""
    raise NotImplementedError


# %% [markdown] id="ex-pad-text"
# ### Exercise 3.2 · A rectangle of sentences
# *Core, 8 minutes.* `sentences` is a list of lists of token numbers, none of them empty. Return the
# table (B, S), short rows filled up with `PAD` at the end, and its mask.
#
# <details><summary>Hint 1</summary>
#
# How long is the longest? Every other row is that much short.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `[5, 6] + [PAD] * 2` is `[5, 6, 0, 0]`, a new list; `+=` would change the caller's.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A list of filled rows becomes the table; the lengths of the rows as they came become the mask, by
# exercise 3.1.
#
# </details>


# %% id="ex-pad" tags=["exercise"]
@exercise
def pad(sentences):
    """Lists of token numbers → (table (B, S), short rows end in PAD; mask (B, S), True = real)."""
    raise NotImplementedError


# %% id="padding"
src, src_mask = pad([[*sentence, EOS] for sentence in src_ids])  # the encoder sees the end, too
assert torch.equal(src, data.pad([[*sentence, EOS] for sentence in src_ids])[0])  # the library's
for numbers_of_row, real in zip(src, src_mask):
    words = " ".join(ko_words[token] for token in numbers_of_row)
    print(f"{str(numbers_of_row.tolist()):19} mask {real.int().tolist()}  {words}")
print("real:", int(src_mask.sum()), "of", src.numel(), " lengths:", src_mask.sum(1).tolist())

# %% [markdown] id="padding-read"
# Three rows of five columns; a 1 stands for True. Padding is bookkeeping. It must not have any
# effect on a result: not on a state, not on the loss, not on the translation. That has to be
# earned, as we shall see in a moment.

# %% [markdown] id="shift-text"
# ## The shift
#
# In training the whole translation is known. The decoder is given each word of it and must predict
# the *next* one. So the target is needed twice: as **input** with `<sos>` in front, and as **goal**
# with `<eos>` behind. The two are one row, shifted by one.

# %% id="shift"
for name, shifted in (("tgt_in ", [BOS, *tgt_ids[0]]), ("tgt_out", [*tgt_ids[0], EOS])):
    print(name, " ".join(f"{en_words[token]:7}" for token in shifted), shifted)

# %% [markdown] id="shift-read"
# Read it in columns: given `<sos>`, predict *I*; given *I*, predict *went*; given *home*, predict
# `<eos>`. Both rows have the same length, and one mask serves both. Feeding the *gold* word, not
# the model's own guess, is called **teacher forcing**; chapter 07 is about it.

# %% [markdown] id="ex-make-batch-text"
# ### Exercise 3.3 · A batch for training
# *Core, 12 minutes.* `src` and `tgt` are lists of sentences (lists of token numbers, without any
# special token). Return five tensors: the padded source, each sentence followed by `EOS`, and its
# mask; `tgt_in`, `tgt_out`, and the mask that serves both. `data.pad` is exercise 3.2.
#
# <details><summary>Hint 1</summary>
#
# Which of `BOS` and `EOS` does each of the three tables need?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Put the special tokens on the *sentences*, before you pad. In a padded table the end of a short
# row is not in the last column.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Three lists of sentences, three calls of `data.pad`. One of the two target masks is not needed,
# because the two are equal.
#
# </details>


# %% id="ex-make-batch" tags=["exercise"]
@exercise
def make_batch(src, tgt):
    """→ (src (B, S), src_mask, tgt_in (B, T) = BOS + y, tgt_out (B, T) = y + EOS, tgt_mask)."""
    raise NotImplementedError


# %% id="shift-batch"
src, src_mask, tgt_in, tgt_out, tgt_mask = make_batch(src_ids, tgt_ids)
for given, goal in zip(tgt_in, tgt_out):
    print(" ".join(en_words[token] for token in given if token != PAD))
    print("   predict:", " ".join(en_words[token] for token in goal if token != PAD))

# %% [markdown] id="shift-trap-text"
# A popular short cut pads `<sos> y <eos>` first and takes everything but the last column as input.
# Which rows does it spoil?

# %% id="shift-trap"
table, _ = data.pad([[BOS, *sentence, EOS] for sentence in tgt_ids])
for n, cut in enumerate(table[:, :-1].tolist(), 1):
    print(f"sentence {n}: <eos> ({EOS}) fed: {cut.count(EOS)}, input {cut}")

# %% [markdown] id="shift-trap-read"
# All but the longest. Whether it does harm depends on the mask that goes with it; at the least the
# decoder is run past the end of the sentence, and one mask no longer serves both rows: a short
# input now has one real token more than its goal. Shift each sentence, *then* pad.

# %% [markdown] id="hand-text"
# ## From scratch, one sentence
#
# Chapter 02's LSTM cell, twice. The next cell builds the library's model, still untrained, with
# embeddings of 6 numbers and states of 8; the cells after it run the same weights in two loops that
# you can follow. First, reading.

# %% id="model"
tiny = Seq2Seq(
    Encoder(embed_src, 8, bidirectional=False),  # reads from left to right only
    PlainDecoder(embed_tgt, 8, 8, 6),  # sizes: encoder's state, its own state, what it puts out
    nn.Linear(6, len(en_words)),  # a logit for each word
)


def cell_of(layer):
    """Chapter 02's cell with the weights of an nn.LSTM."""
    cell = LSTMCell(layer.input_size, layer.hidden_size)
    # nn.LSTM's names end in _l0, for layer 0; the cell's do not
    cell.load_state_dict({name[:-3]: weight for name, weight in layer.named_parameters()})
    return cell


# %% id="hand-read"
reader = cell_of(tiny.encoder.layers[0])
state = None  # chapter 02's cell starts from zeros
for token in [*src_ids[0], EOS]:
    state = reader(embed_src(torch.tensor([token])), state)
context = state[0]  # the last hidden state: (1, H)
print("the whole sentence is now", context.numel(), "numbers")

# %% [markdown] id="bridge-text"
# ### The bridge
#
# Is the context vector simply the first hidden state of the decoder? Nearly: an LSTM needs *two*
# first vectors, hidden and cell state, and the decoder's may have another size than the encoder's.
# In our three lines torch copied both; Sutskever et al. did so, too. In general a small layer
# stands between the two, often called a **bridge**,
#
# $$[\,s_0\,;\,c_0\,] = \tanh(W\,h_S + b).$$
#
# Here $h_S$ is the encoder's state after the last of $S$ tokens, and $c_0$ is the decoder's first
# *cell* state, as in chapter 02.
#
# After the exercise comes the writing. Each state $s_t$ goes through a small layer with a tanh (the
# decoder's `head`) and then through the output layer, which gives the logits of the next word.

# %% [markdown] id="ex-bridge-text"
# ### Exercise 3.4 · The first state
# *Warm-up, 5 minutes.* final $h_S$ (B, M), weight (2H, M), bias (2H,): M is the size of the
# encoder's final state, H that of the decoder's states. Return the pair (hidden, cell), each
# (B, H): the first H numbers of tanh(W h + b) and the last H.
#
# <details><summary>Hint 1</summary>
#
# A weight (2H, M) acts on rows as `final @ weight.T`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The tanh comes after the bias.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# One vector of 2H numbers for each row, then two halves of it along the last dimension: `chunk`
# cuts like that.
#
# </details>


# %% id="ex-bridge" tags=["exercise"]
@exercise
def bridge(final, weight, bias):
    """First state (hidden, cell), each (B, H), of final (B, M), weight (2H, M), bias (2H,)."""
    raise NotImplementedError


# %% id="hand-write"
writer, decoder = cell_of(tiny.decoder.rnn), tiny.decoder
state = bridge(context, decoder.bridge.weight, decoder.bridge.bias)
steps = []
for token in [BOS, *tgt_ids[0]]:  # tgt_in: the gold words
    state = writer(embed_tgt(torch.tensor([token])), state)
    steps.append(tiny.output(torch.tanh(decoder.head(state[0]))))  # logits of the next word
by_hand = torch.cat(steps)
print("logits:", tuple(by_hand.shape), "= a row for each word to predict, a column for each word")

# %% id="hand-agree"
logits, _ = tiny(src, src_mask, tgt_in)  # the padded batch of three sentences
torch.testing.assert_close(by_hand, logits[0, :4])
for name, one in (("two loops", by_hand[1]), ("attnlib", logits[0, 1])):
    print(f"{name:10} after <sos> I:", " ".join(f"{x:6.3f}" for x in one[4:10].tolist()))

# %% [markdown] id="hand-agree-read"
# The library ran all three sentences with their padding, the loops ran one sentence alone, and the
# numbers are the same. (Six of the fifteen logits of the second step are printed.) How does the
# library manage that?

# %% [markdown] id="last-text"
# ## Where does a padded sentence end?
#
# A layer such as `nn.LSTM` knows nothing of padding. It reads it, and its state goes on changing.
# Much code takes the last column of the output, `out[:, -1]`, for "the last state". For how many of
# the three sentences is that the state after the last word?

# %% id="predict-last"
predict("03.last", ...)  # 0, 1, 2 or 3

# %% id="last"
layer = tiny.encoder.layers[0]
out, _ = layer(embed_src(src))  # (B, S, H): padding is read like words
right_ones = 0
for b, sentence in enumerate(src_ids):
    alone = layer(embed_src(torch.tensor([[*sentence, EOS]])))[0][0, -1]
    gap = ((out[b, -1] - alone).norm() / alone.norm()).item()
    right_ones += gap < 1e-5
    print(f"sentence {b + 1}, {len(sentence) + 1} of 5 positions real: off by {gap:.2f}")
reveal("03.last", right_ones)

# %% [markdown] id="last-read"
# Only for the longest. (A distance of 1 would be the length of the right state itself.) The others
# have been read on into the padding.

# %% [markdown] id="ex-last-real-text"
# ### Exercise 3.5 · The last real state
# *Core, 8 minutes.* `x` (B, S, F) are states, `mask` (B, S) marks the real ones, which come first.
# Return each row's last real state, (B, F). Training goes through it: gradients must get back to
# `x`.
#
# <details><summary>Hint 1</summary>
#
# `mask.sum(1)` is the length of each row. Which position is last?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Two index tensors side by side pick one entry a row: `x[rows, columns]`.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The columns come from the lengths; the rows are simply 0, 1, …, B − 1.
#
# </details>


# %% id="ex-last-real" tags=["exercise"]
@exercise
def last_real(x, mask):
    """Each row of x (B, S, F) at its last position where mask (B, S) is True → (B, F)."""
    raise NotImplementedError


# %% id="drift"
home = layer(embed_src(torch.tensor([[*src_ids[1], EOS]])))[0][:, -1]  # no padding at all
drift = []
for more in range(16):  # the same sentence with more and more padding behind it
    padded = torch.tensor([[*src_ids[1], EOS, *[PAD] * more]])
    along = layer(embed_src(padded))[0]
    both_ends = along[:, -1], last_real(along, padded != PAD)
    drift.append([((end - home).norm() / home.norm()).item() for end in both_ends])
for more in (0, 1, 2, 15):
    gaps = "out[:, -1] off by {:.2f}, last_real by {:.2f}".format(*drift[more])
    print(f"{more:2} × padding: {gaps}")

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
# rises at once and levels off after a few tokens; the line of the last real state stays at zero.
#
# </details>

# %% [markdown] id="drift-read"
# A few tokens of padding make it another vector. With `out[:, -1]` a sentence's vector depends on
# how long *another* sentence of its batch is: a model can be trained that way, and will translate
# differently when the batch is put together differently. Two cures are in use: pick the last real
# state (`attnlib` does), or hand the lengths to torch (`pack_padded_sequence`), which then stops
# each row in time.

# %% id="packing"
lengths = src_mask.sum(1)
packed_rows = nn.utils.rnn.pack_padded_sequence(
    embed_src(src), lengths, batch_first=True, enforce_sorted=False
)
_, (packed_last, _) = layer(packed_rows)
torch.testing.assert_close(packed_last[0], last_real(out, src_mask))
print(f"packed, the layer reads {len(packed_rows.data)} positions of {src.numel()}")

# %% [markdown] id="packing-read"
# The two agree (the cell would stop if they did not). The loss needs the same care: its mean is
# over *real* tokens, because padding is not to be predicted. Put five more columns of padding
# behind the batch and compute the mean over everything and the mean over what is real:

# %% id="loss"
wide_logits, _ = tiny(src, src_mask, F.pad(tgt_in, (0, 5)))
wide_out, wide_mask = F.pad(tgt_out, (0, 5)), F.pad(tgt_mask, (0, 5))
kinds = {"everything": (tgt_mask | True, wide_mask | True), "real tokens": (tgt_mask, wide_mask)}
print("mean loss over (nats)   as it is   five more columns")
for name, (narrow, wide) in kinds.items():
    before = F.cross_entropy(logits[narrow], tgt_out[narrow]).item()
    after = F.cross_entropy(wide_logits[wide], wide_out[wide]).item()
    print(f"{name:22}{before:10.3f}{after:20.3f}")

# %% [markdown] id="loss-read"
# Over everything, a batch with one long sentence in it has another loss than one without, for the
# same words. Over the real tokens nothing moves.

# %% [markdown] id="greedy-text"
# ## Writing
#
# To translate, the decoder is fed its own words. At each step the most probable next word is taken
# (**greedy decoding**; chapter 08 searches better), until it says `<eos>`, or until a limit,
# because nobody guarantees that it ever does.

# %% [markdown] id="ex-greedy-decode-text"
# ### Exercise 3.6 · Write until the end
# *Core, 12 minutes.* `step(token, state)` returns the logits (V,) of the next token and the new
# state. Start from `bos` and `state`, take the largest logit each time, stop at `eos`, write at
# most `max_length` tokens. Return the list of token numbers, without `bos` and `eos`. Take no step
# after the end.
#
# <details><summary>Hint 1</summary>
#
# Two things are carried from one step to the next.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `int(logits.argmax())` is a token number. Test it before you keep it.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A loop of at most `max_length` turns, in each a step, the largest logit, and a question: go on or
# leave the loop?
#
# </details>


# %% id="ex-greedy-decode" tags=["exercise"]
@exercise
def greedy_decode(step, state, bos, eos, max_length):
    """Most probable tokens, one after the other, up to eos (left out) or max_length: a list."""
    raise NotImplementedError


# %% [markdown] id="learn-text"
# ### Training, with an end and without
#
# Back to `3a2b`. The training loop is that of chapter 01: batch, logits, masked loss, step, with a
# learning rate that falls. The last argument, set to False, leaves `<eos>` out of the loss; all
# else stays.


# %% id="learn"
def learn(model, batches, updates, with_end=True):
    """Train a model in place; the loop that attnlib.training elaborates."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    rate = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, updates)
    epochs = map(batches.epoch, itertools.count())  # every epoch shuffles anew
    for batch in itertools.islice(itertools.chain.from_iterable(epochs), updates):
        counted = batch.tgt_mask if with_end else batch.tgt_mask & (batch.tgt_out != EOS)
        logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
        loss = F.cross_entropy(logits[counted], batch.tgt_out[counted])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()


# %% id="learn-data"
symbols = [*SPECIALS, *"1234abcdef"]
all_pairs = {packed(draw) for _ in range(9000)}
unseen = sorted(draw.sample(sorted(all_pairs), 100))  # to test with
pairs = [pair for pair in (packed(draw) for _ in range(6000)) if pair not in unseen]
assert not {*pairs} & {*unseen}
numbered = [[[symbols.index(x) for x in text] for text in side] for side in zip(*pairs)]
print(f"{len(pairs):,} pairs to learn from; {len(unseen)} to test with, none of them among these")


# %% id="learn-step"
@torch.no_grad()
def write(model, text, max_length=20):
    """What a model unpacks one string to, by exercise 3.6."""
    src, mask = data.pad([[*(symbols.index(x) for x in text), EOS]])
    memory = model.encode(src, mask)  # all that the encoder hands on

    def step(token, state):
        log_probs, state, _ = model.step(torch.tensor([[token]]), memory, state)
        return log_probs[0, 0], state

    tokens = greedy_decode(step, model.decoder.start(memory), BOS, EOS, max_length)
    return "".join(symbols[token] for token in tokens)


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
    networks = Encoder(tables[0], 64, bidirectional=False), PlainDecoder(tables[1], 64, 64, 32)
    for rnn in (networks[0].layers[0], networks[1].rnn):
        open_gates(rnn, 3.0)
    unpackers[name] = Seq2Seq(*networks, nn.Linear(32, 14))
    learn(unpackers[name], Batches(*numbered, size=32, seed=1), updates=500, with_end=with_end)

# %% [markdown] id="learn-predict"
# One of the two was never told about the end. Will it stop too early, too late, or at the right
# place, because it can count?

# %% id="learn-check"
bands = {"with <eos>": ((70, 100), (90, 100)), "without": ((0, 5), (0, 5))}
for name, model in unpackers.items():
    texts = [write(model, short) for short, _ in unseen]
    counts = [
        sum(text == long for text, (_, long) in zip(texts, unseen)),
        sum(text.startswith(long) for text, (_, long) in zip(texts, unseen)),
        sum(len(text) < 20 for text in texts),
    ]
    shown = [about(counts[0], *bands[name][0], "3.0f"), about(counts[1], 70, 100, "3.0f")]
    shown.append(about(counts[2], *bands[name][1], "3.0f"))
    print("{:10}: right {}, begin right {}, stopped by itself {}".format(name, *shown))

# %% [markdown] id="learn-read"
# The first model unpacks most of the hundred strings, though it never saw them, and the length of
# the input does not tell it when to stop: it counts, and stops. The second begins most right (a
# letter too many does no harm here), but only the limit stops it. `<eos>` is not a formality. To
# say "I am done" is a prediction like any other and has to be learned. (One run of each.)

# %% [markdown] id="break-text"
# *Here the first sitting ends.* You have batches, a mask, an encoder, a decoder, a loss, a loop
# that writes, and a model that does what no tagger can. What comes next asks how far it goes.

# %% [markdown] id="dictation-text"
# ## The bottleneck
#
# The vector between the two networks has a fixed size, however long the sentence. It is called the
# **bottleneck**. Let us measure how much goes through. The cleanest task is **dictation**: random
# digits are read, and written down again. There is no grammar to lean on. Each digit is
# $\log_2 10 \approx 3.3$ bits that must be carried by the vector, or be lost.
#
# The network has a final state of 64 numbers, the strings have 1 to 16 digits. (The forget gates
# start open, with a bias of 3, as in `3a2b`; chapter 02 opened them, and the last experiment of
# this chapter shows why. `fit` is the loop above with a learning rate that rises, then falls.)


# %% id="dictation-model"
def make_translator(size=64):
    """Encoder and decoder with states of so many numbers, for ten digits."""
    source, target = nn.Embedding(15, 32), nn.Embedding(15, 32)
    for embedding in (source, target):
        nn.init.normal_(embedding.weight, std=32**-0.5)
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
dictated = make_translator()
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
# The model has seen strings of all lengths up to 16, equally often. At which length will it write
# half of the strings without a mistake? And if the vector had twice as many numbers, 128: how many
# digits more?

# %% id="predict-half"
predict("03.half", ...)  # digits, with 64 numbers
predict("03.double", ...)  # digits more, with 128

# %% id="record"
record = bundled_directory().parent / "runs" / "03_seq2seq.json"
record = json.loads(record.read_text(encoding="utf-8"))


def recorded(variant, what="exact"):
    """One row a seed."""
    return torch.tensor([run[what] for run in record["runs"] if run["variant"] == variant])


for n, *band in ((2, 95, 100), (8, 30, 90), (12, 0, 25), (16, 0, 5)):
    print(f"strings of {n:2} digits: right in {about(100 * live[n - 1], *band, '3.0f')} of 100")
assert (live - recorded("size-64")[0]).abs().max() < 0.25  # the recorded run of the same seed

# %% [markdown] id="sizes-text"
# A cliff: short strings are nearly always right, long ones never. The recorded runs
# (`benchmarks/seq2seq_chapter.py`, three seeds each) have vectors of 16, 32, 64 and 128 numbers,
# and are otherwise alike. Seed 1 of 64 is what you have just trained.

# %% id="sizes" tags=["hide-input"]
sizes = (16, 32, 64, 128)
exact = {f"{size} numbers": recorded(f"size-{size}") for size in sizes}
title = "Dictation: strings written without a mistake (recorded, 3 seeds)"
axis = {"xlabel": "length of the string (digits)", "ylabel": "right (0 to 1)"}
ax = learning_curves(range(1, 17), exact, title=title, **axis)
circle = {"s": 60, "facecolors": "none", "edgecolors": "black", "zorder": 5}
ax.scatter(range(1, 17), live, label="just trained (64)", **circle)
ax.legend(frameon=False, loc="upper right")
plt.show()

# %% [markdown] id="sizes-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length from 1 to 16 digits, for four sizes of the
# vector. Every curve starts at 1 and falls to 0 over five to nine digits; the larger the
# vector, the farther right the cliff. Open circles, the live run, lie near the band of 64 numbers.
#
# </details>


# %% id="half"
def half(curve):
    """The length at which the share falls below one half, between two whole lengths."""
    n = next((n for n, share in enumerate(curve) if share < 0.5), None)
    if n is None:
        return float(len(curve))  # the cliff lies beyond the longest string
    return n + (curve[n - 1] - 0.5) / (curve[n - 1] - curve[n])


halves = {n: [half(curve) for curve in recorded(f"size-{n}").tolist()] for n in sizes}
print("recorded, mean of 3   half are right at      bits   parameters")
for size, of_seeds in halves.items():
    digits, count = sum(of_seeds) / len(of_seeds), recorded(f"size-{size}", "parameters")[0]
    print(f"{size:11} numbers {digits:13.1f} digits {digits * math.log2(10):9.0f} {int(count):12,}")
print(f"room in 128 numbers of 32 bits each: {128 * 32 / math.log2(10):,.0f} digits")
reveal("03.half", sum(halves[64]) / 3, within=1)
reveal("03.double", (sum(halves[128]) - sum(halves[64])) / 3, within=1)

# %% [markdown] id="half-read"
# The vector has a fixed size, and the share of strings that get through falls off a cliff. (The
# measure is strict: one wrong digit, and the string is wrong. Digit by digit, as we shall see, the
# fall is gentler.) A larger vector moves the cliff, but by less than one would hope: twice the
# numbers never carry twice the digits, only one or two more.
#
# **You will often read that** a long sentence does not *fit* into the vector. The column of bits
# says otherwise: $L$ random digits are $L \log_2 10$ bits, and the largest vector has room for more
# than a thousand digits. It is not the *room* that runs out. It is what a network of this kind,
# trained like this, can write into a vector and read out again.
#
# <details><summary>How sure?</summary>
#
# Three seeds of each size. A larger vector brings a larger network with it, as the last column
# says: the two cannot be told apart here.
#
# </details>

# %% [markdown] id="longer-text"
# ### Is it only a matter of training?
#
# "Trained like this" means 1,500 updates, and the loss was still falling, as the next cell prints.
# So the same networks once more, with **ten times the updates**, and ten times the strings, so that
# none is read more often than before. Of strings of 16 digits, the longest, the network of 64
# numbers wrote none without a mistake. How many of a hundred will it write now?

# %% id="predict-longer"
predict("03.longer", ...)  # from 0 to 100

# %% id="longer"
longer = {n: recorded(f"size-{n}-long") for n in (32, 64, 128)}
longer = {n: of_seeds for n, of_seeds in longer.items() if len(of_seeds)}
last = recorded("size-64", "loss").mean(0)[-4:].tolist()
print("loss of 64 numbers at the end of 1,500 updates:", *[f"{x:.2f}" for x in last])
print("recorded, right of 100 strings of        4     8    12    16 digits")
for size, of_long in longer.items():
    for updates, shares in (("1,500", recorded(f"size-{size}")), ("15,000", of_long)):
        cut = "".join(f"{100 * shares[:, n - 1].mean():6.0f}" for n in (4, 8, 12, 16))
        print(f"{size:4} numbers, {updates:>6} updates ({len(shares)} seeds) {cut}")
if 64 in longer:
    reveal("03.longer", 100 * longer[64][:, 15].mean(), within=15)

# %% id="longer-figure" tags=["hide-input"]
before_and_after = {"64 numbers, 1,500 updates": recorded("size-64")}
for n in sorted(longer, reverse=True):  # 64 above 128, which it nearly covers
    before_and_after[f"{n} numbers, 15,000 updates"] = longer[n]
title = "Dictation with ten times the training (recorded)"
ax = learning_curves(range(1, 17), before_and_after, title=title, **axis)
ax.legend(frameon=False, loc="lower left")
plt.show()

# %% [markdown] id="longer-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length from 1 to 16 digits. The curve of 64 numbers
# after 1,500 updates falls from 1 to 0 between 5 and 12 digits. After 15,000 updates that of the
# same 64 numbers stays near 1 up to 16 digits, that of 128 stays at 1, and that of 32 numbers falls
# only toward the end.
#
# </details>

# %% [markdown] id="longer-read"
# The cliff of 64 numbers is out of sight. The same vector now carries sixteen digits nearly every
# time, and how many it could carry this test no longer tells. Even 32 numbers carry more, after the
# long training, than 128 did after the short one. So what broke at eight or nine digits was not the
# vector: it was a network that had not yet *learned* to write so much into it and to read it out
# again. A larger vector still helps, as the last column says; patience helped more.
#
# Remember this when somebody shows you a cliff, this book included. Ask two questions: *was the
# loss still falling?* and *what happens with ten times the training?*

# %% [markdown] id="contrary-text"
# ### A report to the contrary
#
# [Cho et al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) saw such a fall in real translation:
# quality fell quickly as sentences grew longer. In the same year Sutskever, Vinyals and Le reported
# the opposite. They had been "convinced that the LSTM would fail on long sentences due to its
# limited memory", and then found "no degradation on sentences with less than 35 words" and "only a
# minor degradation on the longest sentences" (§5, Figure 3). What was different? Count first how
# many numbers there were for a word.

# %% id="contrary"
rows = [("Sutskever et al.", 4 * 2 * 1000, 35), ("our translator", 128, len(said.src_tokens) - 1)]
for name, passed, length in [*rows, ("dictation", 64, 10)]:
    print(f"{name:17} {passed:5,} numbers for {length} tokens: {passed / length:6.1f} for each")

# %% [markdown] id="contrary-read"
# Four layers of 1,000 units hand over eight thousand numbers (hidden and cell state of each). That
# is one difference. Three more: the LSTM was deep; it read the source in reverse, of which below;
# and it was trained for ten days on twelve million pairs. What training alone can do we have just
# seen. And a sentence is not a random string: *at the* needs hardly a bit when one knows what comes
# before, so that a vector that carries ten digits may carry more than ten words.
#
# So the two reports need not contradict each other. The bottleneck is there in any such network; at
# which length it shows depends on size, on training and on how much there is to carry. What none of
# this changes: whatever the length, the same list of numbers must do.

# %% [markdown] id="probe-text"
# ### Which digit is lost?
#
# Is a lost digit not *in* the vector, or can the decoder not find it? Ask the vector itself: for
# strings of ten digits, a single linear layer, a **probe**, tries to read digit $j$ from the final
# state alone. (The encoder is the one that you trained, with 1,500 updates, and stays as it is.)
# Which digits will be easiest to read: the first, or the last, which the encoder has just seen?

# %% id="predict-probe"
predict("03.probe", ...)  # "first" or "last"


# %% id="probe"
@torch.no_grad()
def final_states(strings):
    batch = data.make_batch(strings, strings)
    return dictated.encode(batch.src, batch.src_mask).final, torch.tensor(strings) - 4


(x, digits_in), (x_test, digits_test) = (final_states(numbers(n, 10, 10, n)) for n in (6000, 1000))
probe = nn.Linear(64, 100)  # ten digits at ten positions
optimizer = torch.optim.Adam(probe.parameters(), lr=0.05)
for _ in range(150):
    loss = F.cross_entropy(probe(x).view(-1, 10), digits_in.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
readable = (probe(x_test).view(-1, 10, 10).argmax(-1) == digits_test).double().mean(0)
decoded = is_right(dictated, test[10])[:, :10].double().mean(0)

# %% id="probe-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.plot(range(1, 11), decoded, "o-", color=figures.PALETTE[0], label="written by the decoder")
ax.plot(range(1, 11), readable, "s--", color=figures.PALETTE[1], label="read by the probe")
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
# final state: nearly 1 at the first digit, then at once about a half and slowly down to a third.
# From the eighth digit on the two lie together. A gray line at 0.1 marks guessing.
#
# </details>

# %% id="probe-numbers"
some = (1, 2, 5, 9, 10)
limits = {
    "written by the decoder": ((0.9, 1), (0.6, 1), (0.3, 1), (0.15, 0.6), (0.15, 0.7)),
    "read by the probe": ((0.9, 1), *[(0.2, 0.65)] * 4),
}
print("share right at digit       " + "".join(f"{n:6}" for n in some))
for (name, pairs_of), shares in zip(limits.items(), (decoded, readable)):
    print(f"{name:26}", *(about(shares[n - 1], *pair) for n, pair in zip(some, pairs_of)))
assert decoded[1] > readable[1] + 0.2
reveal("03.probe", "first" if readable[0] > readable[9] else "last")

# %% [markdown] id="probe-read"
# Two surprises (in one run). The safest digit is the **first**, which was read longest ago; the
# late ones, just read, are mostly lost. So it is not simply true that early words fade. Training
# decides what stays: here, what is needed first. And from the second digit to the middle of the
# string the decoder does much better than a linear look at the same vector. The decoder has no
# other source, so those digits are in there, but folded up: they come out step by step. So a probe
# that finds little does not prove that there is little.

# %% [markdown] id="reverse-text"
# ## Reading backward
#
# Here is a trick from the same paper, [Sutskever et al.
# (2014)](D_papers.ipynb#cell-id=sutskever-2014). To translate *I go home* the subject is needed
# first, and it was read first, long ago. So: feed the source in **reverse**. They report for
# English to French a test perplexity of 4.7 instead of 5.8 and 30.6 **BLEU** instead of 25.9.
# (BLEU, from 0 to 100, says how much a translation has in common with one by a person; more is
# better. [Chapter 09](09_bleu.ipynb) builds it.)
#
# Count the steps between reading a word and writing it, for a source of $S$ words that is copied in
# order. Forward, word $j$ is read at step $j$ and written at step $S + j$: always $S$ steps.
# Reversed it is read at $S + 1 - j$: that makes $2j - 1$ steps. What happens to the *average*?

# %% id="predict-lags"
predict("03.lags", ...)  # "shorter", "the same" or "longer"

# %% id="lags"
S = 10
lags = {
    "forward": [(S + j) - j for j in range(1, S + 1)],
    "reversed": [(S + j) - (S + 1 - j) for j in range(1, S + 1)],
}
for name, lag in lags.items():
    print(f"{name:8}: shortest {min(lag):2}, mean {sum(lag) / S}, longest {max(lag)}: {lag}")
reveal("03.lags", "the same")

# %% [markdown] id="lags-read"
# **You will often read that** reversing brings each word closer to its translation. On average it
# does not: the mean is exactly the same. What falls is the *shortest* time lag. Sutskever et al.
# say so themselves (§3.3), and suspect that training then has an easier time "establishing
# communication" between source and target. They had expected that the early words would gain and
# the late ones lose. Here is our dictation, with everything alike but the direction of the source.
# Which digits gain?

# %% id="predict-late"
predict("03.late", ...)  # "early" or "late"

# %% id="reverse-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
panels = [
    ("exact", range(1, 17), "length (digits)", "share of strings right"),
    ("by_position", range(1, 11), "position j of ten digits", "share of digits right"),
    ("loss", range(100, 1501, 100), "updates", "training loss (nats per token)"),
]
for ax, (what, steps_of, xlabel, ylabel) in zip(axes, panels):
    pair = {"forward": recorded("size-64", what), "reversed": recorded("reversed", what)}
    learning_curves(steps_of, pair, title="", xlabel=xlabel, ylabel=ylabel, ax=ax)
axes[1].set_ylim(0, 1.04)
axes[2].set_ylim(bottom=0)
fig.suptitle("The source forward and reversed (recorded, three seeds, mean and range)")
plt.show()

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

# %% id="reverse-numbers"
print("recorded, three seeds        forward   reversed")
directions = ("size-64", "reversed")
fits = [half(recorded(variant).mean(0).tolist()) for variant in directions]
print("half are right at (digits) {:9.1f} {:10.1f}".format(*fits))
by_place = [100 * recorded(variant, "by_position").mean(0) for variant in directions]
for n in (1, 5, 10):
    print(f"digit {n:2} of 10 right (%)    {by_place[0][n - 1]:9.0f} {by_place[1][n - 1]:10.0f}")
gains = (by_place[1] - by_place[0]).tolist()
reveal("03.late", "late" if gains[9] > gains[0] else "early")

# %% [markdown] id="reverse-read"
# Reversed, the cliff stands two digits farther right, with not one parameter more, and the loss is
# lower once the easy part is learned. The *first* digits, whose way has become shorter, hardly
# gain: they were safe. It is the **late** digits that gain, although their way is now longer: 19
# steps instead of 10 for the tenth. So the trick does not help by carrying each word less far. It
# makes the task easier to *learn*, and a network that has learned better gets more into its vector.
# Sutskever et al. concluded the same from their long sentences: "better memory utilization".

# %% [markdown] id="ko-text"
# ### And sentences?
#
# Korean to English on the book's own corpus, whose sentences a grammar wrote, without attention,
# one-way encoders with a state of 128 numbers. Korean puts the verb last, English puts it second.
# The same two directions, after 1,000 updates and after ten times as many. Choose a range of
# lengths with the slider; the table below has the numbers of each seed.

# %% id="ko-figure" tags=["hide-input"]
buckets = [tuple(bucket) for bucket in record["buckets"]]
names = {
    "forward": "ko-forward",
    "reversed": "ko-reversed",
    "forward, 10 × the updates": "ko-forward-long",
    "reversed, 10 × the updates": "ko-reversed-long",
}
scores = {label: recorded(name, "bleu") for label, name in names.items()}
scores = {label: bleu for label, bleu in scores.items() if len(bleu)}
means = {label: bleu.mean(0) for label, bleu in scores.items()}
spans = {label: torch.stack([b.min(0).values, b.max(0).values], 1) for label, b in scores.items()}
title = "Korean to English without attention (recorded, mean and range of the seeds)"
bleu_view(buckets, means, intervals=spans, title=title)

# %% id="ko-numbers"
print("recorded, mean BLEU by length" + "".join(f"{f'{a}–{b}':>7}" for a, b in buckets))
for label, mean in means.items():
    print(f"  {label:27}" + "".join(f"{x:7.0f}" for x in mean))
print("each seed on 4 to 10 tokens, and the mean on the composition test")
for label, bleu in scores.items():
    others = [run["others"] for run in record["runs"] if run["variant"] == names[label]]
    composed = sum(other["test_composition"]["bleu"] for other in others) / len(others)
    each = " ".join(f"{x:.0f}" for x in bleu[:, 0])
    print(f"  {label:27} seeds {each:12} composition {composed:3.0f}")

# %% [markdown] id="ko-read"
# **More training** changes nearly everything. After ten times the updates short sentences come out
# without a mistake, and those of 21 to 30 tokens nearly so. Most of what looked like a vector that
# is too small was a network that had not learned enough; it would probably have helped Yuna's
# letter, too. What stays is the shape: past 30 tokens the score falls, and the longest sentences do
# worst.
#
# **The direction** makes no difference that three seeds could show after 1,000 updates: the best
# model on short sentences is a reversed one, and so are the two worst. Whoever had trained seed 2
# alone would have reported a success. After the long training, where only long sentences are left
# to lose, the reversed source is well ahead on these, with every seed. That is what Sutskever et
# al. saw: their reversed networks "did much better on long sentences" (§3.3).
#
# **The composition test** is the surprise. Its sentences join verbs with objects that never met in
# training, and there the same well-trained networks have half the score. In the usual test most
# clauses occurred in training, in other company. A clause known by heart is *one* thing to hand
# over, not ten words. So a perfect score on twenty tokens does not say that this vector can carry
# any twenty tokens.
#
# <details><summary>How sure?</summary>
#
# Three seeds of each. The translations are greedy. One corpus, made by a grammar, and a network
# with one layer: the sizes of all these effects will differ elsewhere. Chapter 05 takes the same
# corpus and measures the fall with length without attention and with it.
#
# </details>

# %% [markdown] id="by-length-text"
# The translator that opened this chapter is of the same kind, somewhat better fed: it reads both
# ways and is given the vector at every step, two things to which we come now. With 3,000 updates it
# stands between the two trainings. All 500 test sentences, one after the other: how many come out
# without a single mistake?

# %% id="by-length"
corpus = load_corpus("ko-en-easy")
written = plain.translate([pair.src for pair in corpus.test], beam=1)
perfect = {bucket: [] for bucket in buckets}  # whether each sentence of the range is right
for found, pair in zip(written, corpus.test):
    length = len(found.src_tokens) - 1  # without the end token
    (bucket,) = (bucket for bucket in buckets if bucket[0] <= length <= bucket[1])
    perfect[bucket].append(found.text == pair.tgt)
expected = ((75, 85), (16, 26), (0, 5), (0, 3), (0, 3))
for (shortest, longest), right, band in zip(perfect, perfect.values(), expected):
    share = about(100 * sum(right) / len(right), *band, "3.0f")
    print(f"{shortest:2} to {longest} tokens: {share} of {len(right)} without a mistake")

# %% [markdown] id="by-length-read"
# Four of five of the shortest, one of five of the next, and then hardly any. (The measure is strict
# again: one wrong word, and the sentence is wrong.) The sentences of the corpus are built alike,
# from the same few words, so that a long one is nothing but long.

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
# ### Exercise 3.7 · The context beside every word
# *Core, 8 minutes.* embedded (B, T, E) are the embeddings of `tgt_in`, final (B, M) is each
# sentence's final state. Return the decoder's inputs (B, T, E + M): at every step the word, then
# the final state of the *same* sentence. Training goes through both.
#
# <details><summary>Hint 1</summary>
#
# `torch.cat` wants two tensors that agree in all dimensions but one. Which dimension is final
# missing?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `final.unsqueeze(1)` has shape (B, 1, M).
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Repeat that along the steps, each row for itself (`expand` does it without copying), and put it
# behind the words.
#
# </details>


# %% id="ex-every-step-inputs" tags=["exercise"]
@exercise
def every_step_inputs(embedded, final):
    """Decoder inputs [E y ; c] (B, T, E + M) of embedded (B, T, E) and final (B, M)."""
    raise NotImplementedError


# %% id="wiring-agree"
cho = PlainDecoder(embed_tgt, 8, 8, 6, every_step=True)
memory = tiny.encode(src, src_mask)
together = every_step_inputs(embed_tgt(tgt_in), memory.final)
assert torch.equal(together, cho.inputs(embed_tgt(tgt_in), memory))  # attnlib's decoder
print("a word:", embed_tgt(tgt_in).shape[-1], "numbers; with the context:", together.shape[-1])

# %% [markdown] id="wiring-predict"
# Three wirings, with about as many parameters (the decoder's own state is smaller where its input
# is wider): the first state only; every step only, from a first state of zeros; both, as Cho et al.
# did (who also gave it to the output layer). Which carries the longest strings?

# %% id="wiring-figure" tags=["hide-input"]
wirings = {"first state only": "size-64", "every step only": "every-step", "both": "both"}
of_wirings = {label: recorded(variant) for label, variant in wirings.items()}
title = "Dictation: three ways to hand over the context (recorded, 3 seeds)"
learning_curves(range(1, 17), of_wirings, title=title, **axis)
plt.show()

# %% [markdown] id="wiring-alt"
# <details><summary>The figure in words</summary>
#
# Share of strings without a mistake against length, three wirings. All start at 1 and fall to 0.
# The curve of "first state only" falls first, "every step only" about one digit later, "both" last,
# about two digits after the first.
#
# </details>

# %% id="wiring-numbers"
print("recorded             parameters   half are right at (digits, three seeds)")
for label, variant in wirings.items():
    of_seeds = sorted(round(half(curve), 1) for curve in recorded(variant).tolist())
    print(f"  {label:18}{int(recorded(variant, 'parameters')[0]):11,}   {of_seeds}")

# %% [markdown] id="wiring-read"
# At equal size it pays to say it again. A likely reason: a decoder told once must carry the whole
# string through its own states, and not write over it while it writes. If the vector is there at
# every step, the state only has to know how far it has come; and if it is the first state as well,
# so much the better. Chapter 05 gives its translator without attention both, the kindest form of
# the bottleneck, and so does the one that opened this chapter.
#
# <details><summary>How sure?</summary>
#
# Three seeds of each, after 1,500 updates, and the wirings hardly overlap. As with the size of the
# vector, what a wiring buys may be speed of learning. A widely read set of notebooks, bentrevett's
# *pytorch-seq2seq*, reports 13.8 BLEU with the first state only and 20.6 with the context at every
# step, from German to English. Between the two the cell, the number of layers and the input of the
# output layer change as well, so that gain is not the wiring's alone.
#
# </details>

# %% [markdown] id="tied-text"
# ### One network for both jobs?
#
# Encoder and decoder usually have parameters of their own. What if they share one LSTM? (Here, in
# dictation, the two even read the same digits.)

# %% id="tied"
for label, variant in {"two layers": "size-64", "one shared layer": "tied"}.items():
    of_seeds = sorted(round(half(curve), 1) for curve in recorded(variant).tolist())
    size = int(recorded(variant, "parameters")[0])
    print(f"recorded, {label:17}: {size:6,} parameters, half are right at {of_seeds} digits")

# %% [markdown] id="tied-read"
# It works, with well over a third of the parameters gone, and costs less than a digit. So two sets
# of weights are the custom, and seem to help a little (the seeds overlap); they are not what makes
# it a seq2seq model. (And dictation is the friendliest case: both sides speak the same language,
# and only the state and the input tell the layer whether it is reading or writing.)

# %% [markdown] id="causes-text"
# ## Too small, or too far away?
#
# Two reasons are given why one vector fails on long sentences: the vector is too small, and
# gradients vanish on the way to the early words. They are **two different diseases** with the same
# symptom, and strings let us have mostly the one or mostly the other.
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

# %% [markdown] id="causes-view-text"
# Step by step, from the decoder on the right back to the digits on the left (press Play; the darker
# a box, the more of the gradient arrives):

# %% id="causes-view" tags=["hide-input"]
string = ["7", "3", "9", *["·"] * 24]  # three digits and 24 blanks
through = {
    f"forget bias {bias}": [(1 / (1 + math.exp(-bias))) ** d for d in range(26, -1, -1)]
    for bias in (1, 5)
}
gradient_view(through, string, title="What the forget gates let through, on the way back")

# %% [markdown] id="causes-predict"
# Four models, two tasks. With 128 numbers and a bias of 1, how many of a hundred *far* strings will
# be right: three digits past 24 blanks?

# %% id="predict-far"
predict("03.far", ...)  # from 0 to 100

# %% id="causes-numbers"
print("recorded              right of 100 strings, mean (and each of three seeds)")
print("                          many: 8 digits      far: 3 digits, 24 blanks")
for size, bias in ((32, 1), (128, 1), (32, 5), (128, 5)):
    cells = []
    for task in ("many", "far"):
        right = 100 * recorded(f"{task}-{size}-{bias}").flatten()
        each = " ".join(f"{seed:3.0f}" for seed in right)
        cells.append(f"{right.mean():10.0f}  ({each})")
    print(f"{size:3} numbers, bias {bias}", "    ".join(cells))
reveal("03.far", 100 * recorded("far-128-1").mean(), within=10)

# %% [markdown] id="causes-read"
# Read the right column first. With gates that are only partly open no model gets three digits past
# 24 blanks, and four times the numbers are no help. With open gates both models write most strings,
# the *small* one no worse than the large one on average. **Size is no remedy for distance.** Now
# the left column. Eight digits need open gates, too (they are a way of eight steps, and here there
# are no shorter strings to begin with), but that is not enough: the small vector mostly fails, the
# large one succeeds. **An open way alone is not enough.**
#
# But after dictation you know what to ask. These models had 800 updates: was the loss still
# falling? Somebody who knows how many digits come, and nothing else, has the loss $\ln 10$ for each
# digit and 0 for the end.

# %% id="causes-losses"
print("recorded, loss (nats per token) after    200    400    800 updates   knowing nothing")
for task, count, model in (("far", 3, "128-1"), ("far", 3, "32-5"), ("many", 8, "32-5")):
    curve = recorded(f"{task}-{model}", "loss").mean(0).tolist()
    told = "{} numbers, bias {}".format(*model.split("-"))
    points = " ".join(f"{curve[n]:6.2f}" for n in (1, 3, 7))
    guess = count / (count + 1) * math.log(10)
    print(f"{task:5} {told:32} {points} {guess:17.2f}")

# %% [markdown] id="causes-losses-read"
# There the two diseases look different. **Too far**: from update 200 on the loss stands still, at
# the value of knowing nothing. Hardly any gradient arrives, learning has not *begun*, and nothing
# in the curve promises more. **Too small**: the loss is falling to the last. Learning only takes
# longer, as in dictation; there the remedy is size, or patience.
#
# A long sentence suffers from both at once. And an LSTM *can* have vanishing gradients, if its
# gates start partly closed: chapter 02 showed it on gradients, here it is the difference between
# nothing and most strings.
#
# <details><summary>How sure?</summary>
#
# Three seeds of each model; with open gates they differ widely. That the small vector would get
# there with more updates is what the falling loss suggests; it was not run. (In dictation, where
# shorter strings come along, 32 numbers did get there.)
#
# </details>

# %% [markdown] id="both-ways-text"
# ## A state for every word
#
# Larger, opened, fed at every step, filled in a better order, trained for longer: each helps. Yet
# the encoder has had a state for *every* word in its hands, and threw all but one away. Say it in
# numbers, for the sentence of four clauses:

# %% id="thrown-away"
src_of_long, mask_of_long = data.pad([[*plain.src_vocabulary.encode(said.src), EOS]])
with torch.no_grad():
    memory = plain.model.encode(src_of_long, mask_of_long)
made, passed = memory.states.numel(), memory.final.numel()
print(f"computed: {made:,} numbers; handed over: {passed}; thrown away: {1 - passed / made:.1%}")

# %% [markdown] id="states-text"
# If these states are to be used one by one, each should know as much as possible. The state
# $\overrightarrow{h}_j$ of a reader that goes from left to right knows words 1 to $j$. A second
# reader, from right to left, knows words $j$ to $S$; side by side, as a **bidirectional** encoder,
# they know the whole sentence, from the point of view of word $j$: $h_j = [\overrightarrow{h}_j ;
# \overleftarrow{h}_j]$ ([Schuster and Paliwal 1997](D_papers.ipynb#cell-id=schuster-1997)).

# %% id="both-ways-diagram" tags=["hide-input"]
two_ways = nn.LSTM(6, 4, batch_first=True, bidirectional=True)
both_ways_diagram(two_ways(embed_src(src[:1, :4]))[0][0], ends[0])

# %% [markdown] id="trap-text"
# In a padded batch the second reader has a trap waiting. Turn the whole table round, and it meets
# the padding *first*.

# %% [markdown] id="ex-reverse-real-text"
# ### Exercise 3.8 · Reverse what is real
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
# where it takes its row from (at padding: from itself), a table (B, S), and let `gather` fetch; it
# wants the table in the shape of x.
#
# </details>


# %% id="ex-reverse-real" tags=["exercise"]
@exercise
def reverse_real(x, mask):
    """x (B, S, F) with each row's real tokens (mask (B, S)) reversed; padding stays at the end."""
    raise NotImplementedError


# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# The next exercise needs three moves: turn the words round, read them from left to right, turn the
# result round again. Here they are on something simpler than an LSTM. Its "reader" is a running
# sum, and wanted is, for each number, the sum of *itself and all that follow it* in its row: 6 5 3
# for the row 1 2 3, and 9 5 for the row 4 5 with one padding. Two moves are done. The third line is
# yours.

# %% id="faded"
row_values = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]).unsqueeze(-1)  # (2, 3, 1)
row_mask = torch.tensor([[True, True, True], [True, True, False]])
turned = reverse_real(row_values, row_mask)  # 3 2 1 and 5 4
summed = turned.cumsum(1)  # a reader from left to right
answer = summed  # yours: bring each sum back to its own number
for of_row, real in zip(answer, row_mask):
    print(of_row[real].flatten().tolist())

# %% [markdown] id="ex-read-both-ways-text"
# ### Exercise 3.9 · Both directions, exactly
# *Hard, 20 minutes. This one hurts.* `forward_layer(inputs)` and `backward_layer(inputs)` are
# recurrent layers: from inputs (B, S, F) they give the states (B, S, H) and, as torch's do, the
# last state (1, B, H). Both read left to right. Return the states
# $[\overrightarrow{h}_j ; \overleftarrow{h}_j]$ (B, S, 2H), and the final states
# $[\overrightarrow{h}_S ; \overleftarrow{h}_1]$ (B, 2H): what each reader knows when it has read
# the whole sentence. A sentence must get the same states alone and in a padded batch.
# `attnlib.model.last_real` and `attnlib.model.reverse_real` are exercises 3.5 and 3.8.
# What the states at padding are is up to you.
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
# Turn the backward states round once more before you put them beside the forward ones.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The states are the faded example with two layers. For the final ones ask each layer for its last
# real state; of the backward one *before* that second turn.
#
# </details>


# %% id="ex-read-both-ways" tags=["exercise"]
@exercise
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    """States [→h_j ; ←h_j] (B, S, 2H) and final states [→h_S ; ←h_1] (B, 2H), padding ignored."""
    raise NotImplementedError


# %% [markdown] id="both-naive-text"
# torch's own `bidirectional=True`, given a padded batch without lengths, falls into the trap: only
# the longest row, which has no padding, is read right. The same weights, without lengths and with
# your function: how far is $h_1$ from what it is when the sentence is alone?

# %% id="both-naive"
readers = [nn.LSTM(6, 4, batch_first=True) for _ in range(2)]
for one_way, ending in zip(readers, ("", "_reverse")):
    taken = {name: getattr(two_ways, name + ending) for name, _ in one_way.named_parameters()}
    one_way.load_state_dict(taken)
inputs = embed_src(src)
naive, exactly = two_ways(inputs)[0][:, 0], read_both_ways(*readers, inputs, src_mask)[0][:, 0]
for b, n in enumerate(lengths):
    alone = two_ways(inputs[b, :n].unsqueeze(0))[0][0, 0]
    gaps = [(h[b] - alone).norm() / alone.norm() for h in (naive, exactly)]
    print(f"sentence {b + 1}: without lengths off by {gaps[0]:.2f}, read_both_ways {gaps[1]:.2f}")

# %% [markdown] id="a-an-text"
# ### A task that only two directions can do
#
# English *a* or *an* depends on the word that comes *after* it. (Korean particles do it the other
# way round: the topic marker is 은 after a consonant and 는 after a vowel.) So let a network read
# random letters, half of them vowels, and say at every position, from $h_j$ alone, whether *a* or
# *an* belongs there: *an* where the **next** letter is a vowel. Two encoders, the same number of
# features in $h_j$; the one-way encoder even has more parameters.


# %% id="a-an-models"
class Tagger(nn.Module):
    """Says at every letter but the last whether the next one is a vowel; reads one way or both."""

    def __init__(self, ways):
        super().__init__()
        self.embed, self.answer = nn.Embedding(10, 8), nn.Linear(32, 2)
        self.readers = nn.ModuleList(nn.LSTM(8, 32 // ways, batch_first=True) for _ in range(ways))

    def forward(self, letters):  # (B, 12) → (B, 11, 2)
        read = attnlib.model.read_forward if len(self.readers) == 1 else read_both_ways
        states, _ = read(*self.readers, self.embed(letters), letters >= 0)
        return self.answer(states[:, :-1])


# %% id="a-an-train"
def vowel_follows(letters):
    return (letters[:, 1:] < 5).long()  # letters 0 to 4 are vowels


def taught(ways, updates=150):
    """A trained tagger, and the share that it gets right on letters it has not seen."""
    generator = seed_everything(1)
    tagger = Tagger(ways)
    optimizer = torch.optim.Adam(tagger.parameters(), lr=1e-2)
    for _ in range(updates):
        letters = torch.randint(10, (32, 12), generator=generator)
        loss = F.cross_entropy(tagger(letters).flatten(0, 1), vowel_follows(letters).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    letters = torch.randint(10, (1000, 12), generator=generator)
    return tagger, (tagger(letters).argmax(-1) == vowel_follows(letters)).double().mean()


# %% id="a-an"
for name, count, *band in (("one way", 1, 45, 55), ("both ways", 2, 99, 100)):
    tagger, share = taught(count)
    size = sum(p.numel() for p in tagger.parameters())
    print(f"{name:9}: {size:,} parameters, right in {about(100 * share, *band, '3.0f')} %")

# %% [markdown] id="a-an-read"
# The one-way encoder guesses. It could be trained for a year: when it is at position $j$, the
# letter that decides has not arrived, and what has not been read is not in $\overrightarrow{h}_j$.
# (One run each; the reason holds for any run.) Mind what this does *not* show. A decoder that
# starts only after *everything* has been read can find all of it in the last one-way state, as far
# as it gets through. Two directions matter when single states are used, one for each word. With
# attention they will be.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: move the cliff
#
# Dictation with 64 numbers breaks at a certain length. Can you move that cliff without a larger
# vector and without more updates? Some ideas that people have had: feed the source **twice**, one
# copy behind the other ([Zaremba and Sutskever 2014](D_papers.ipynb#cell-id=zaremba-2014)); begin
# with short strings and let them grow (a *curriculum*); read both ways; other forget biases; a GRU.
#
# 1. **Change** one thing. What the encoder reads is `changed`; the model is `make_translator`.
# 2. **Predict** how many digits the cliff will move, and write it down before you train.
# 3. **Train**: put 1500 in the place of 0. It takes about 20 seconds. Then once more with another
#    seed.
# 4. **Report** in three sentences: what you changed and why, what you expected, what came.
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one change | several at once | one, but the budget changed with it | one, all else alike |
# | prediction | none | a direction | a number, written before |
# | evidence | one run | two seeds | two seeds of both, and the spread named |
# | conclusion | "it works" | what came | what came, what it does not show, what comes next |

# %% id="open-experiment"
UPDATES = 0  # 1500 as above


def changed(string):
    return string  # your change: string + string, for example


if UPDATES:
    seed_everything(1)
    model = make_translator()
    batches = Batches([changed(string) for string in strings], strings, size=64, seed=1)
    fit(model, batches, dataclasses.replace(recipe, updates=UPDATES), progress=False)
    model.eval()  # measure it as above: what does the model write from the changed source?

# %% [markdown] id="bridge-to-attention"
# ## What is left
#
# Yuna's letter became a novel because the whole sentence had to pass through 128 numbers, and a
# network that was two minutes old did not know how. We enlarged the vector, turned the source
# round, said it at every step, opened the gates, and trained for ten times as long. All of it
# helped, patience most of all. But ten times the training is a high price, past thirty tokens even
# that was not enough, and clauses that were new were written half as well. Meanwhile the encoder
# had a state for every word, letter and all, and nobody asked.
#
# To keep those states, and to choose among them at every step, is **attention**. Chapter 04 builds
# the choosing; chapter 05 puts it between the encoder and the decoder, and then Yuna may write her
# letter.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - First read, then write: with `<sos>` to begin and `<eos>`, which has to be learned, to stop.
# - The decoder's input and goal are one row, shifted by one; shift first, pad afterward.
# - A mask marks what is real (True). `out[:, -1]` is the last state of the longest row only; a
#   backward reader that is given whole rows meets padding first.
# - One vector holds what training gets into it: after a short training one or two digits more for
#   each doubling, and behind that a cliff; after ten times the training, from 64 numbers on, nearly
#   all that dictation asked for.
# - Reversing the source leaves the average distance as it is. It made dictation easier to learn,
#   and helped with long Korean sentences once the training was long enough. Handing the context
#   over at every step helps, too.
# - A good score on clauses that occurred in training is not one on new clauses.
# - Too small and too far away are two diseases: size or patience cures the one, open gates the
#   other.
# - A one-way state cannot know what comes after it; a two-way state can.
#
# **Left out.** Reading and writing with several layers, as Sutskever et al. did; packed sequences
# beyond one cell (`attnlib` does without); searching better than greedily (chapter 08); feeding the
# model's own words in training (chapter 07); whether reversing still helps beside attention, and
# reversing at full scale on real text.
#
# **Papers.** [Sutskever, Vinyals and Le 2014](D_papers.ipynb#cell-id=sutskever-2014) (§3.3 on
# reversing, §3.7 on long sentences); [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a) (the
# context at every step) and [2014b](D_papers.ipynb#cell-id=cho-2014b) (quality against length);
# [Kalchbrenner and Blunsom 2013](D_papers.ipynb#cell-id=kalchbrenner-2013); [Schuster and Paliwal
# 1997](D_papers.ipynb#cell-id=schuster-1997) (reading both ways); [Zaremba and Sutskever
# 2014](D_papers.ipynb#cell-id=zaremba-2014) (the source twice); [Jozefowicz, Zaremba and Sutskever
# 2015](D_papers.ipynb#cell-id=jozefowicz-2015) (forget bias).
#
# **Next.** [Chapter 04](04_keys_and_values.ipynb): a dictionary that returns a little of every
# entry.
