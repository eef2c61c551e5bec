# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 03 · Seq2seq
#
# *How does one network read a sentence and another write it?*
#
# **What you will be able to do.** Write an encoder–decoder model in plain torch with its training
# loop, and let it write until it says that it is done. Train it on sentences of different lengths
# so that padding has no effect on any result.
#
# **What you need.** The LSTM of chapter 02, and the loss and the training step of chapter 01.
#
# **Time.** About 35 minutes to read and 60 for the five exercises; about half a minute to run.
#
# <details><summary>Plan</summary>
#
# *Must be read*: from *An encoder, a decoder, and one vector between* to *Writing*, and the loss of
# a padded batch. *May be skipped*: *What a tagger cannot say*, if you know why a network with one
# output per input cannot translate.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import check_range, exercise, predict, progress, recall, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(3)

# %% id="first"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

plain = Translator.load(bundled_directory().parent / "ko-en-plain", "cpu")
said = plain.translate("민수는 시장에서 큰 배를 샀습니다.", beam_size=1)
print(said.text)

# %% [markdown] id="first-text"
# That is right: word by word the Korean says *Minsu · market-at · big · pear · bought*. The
# translator of chapter 00 had attention. This one has **none**: one half reads the Korean sentence,
# the other half writes the English one, and all that passes between them is one vector of 128
# numbers. Now three more people do something after Minsu, one after the other.

# %% id="first-long"
clauses = {
    "민수는 시장에서 큰 배를 샀": "Minsu bought a big pear at the market",
    "유나는 집에서 편지를 썼": "Yuna wrote a letter at home",
    "현우는 공원에서 재미있는 책을 읽었": "Hyunwoo read an interesting book in the park",
    "지호는 학교에서 비싼 시계 두 개를 고쳤": "Jiho fixed two expensive watches at school",
}
for n in range(1, len(clauses) + 1):
    said = plain.translate("고, ".join([*clauses][:n]) + "습니다.", beam_size=1)  # 고: and
    print(f"{len(said.src_tokens) - 1} tokens: {said.text}")
*others, final = clauses.values()
print("should be:", ", ".join(others) + ", and", final + ".")

# %% [markdown] id="first-read"
# Two clauses come out right. With three, people change places, and Sujin turns up, whom the Korean
# does not mention. With four the English is still fluent, but Hyunwoo is gone. The network has read
# all of the sentence, but what it read had to pass through the same 128 numbers as one clause.
#
# This chapter builds such a network. [Chapter 03b](03b_bottleneck.ipynb) asks why it breaks.

# %% [markdown] id="lengths-text"
# ## What a tagger cannot say
#
# A recurrent network gives one output per input. That suits a **tagger**, which names the part of
# speech of each word. Now take a small task: unpack `3a2b` (three times *a*, twice *b*) into
# `aaabb`. After reading `3`, which output should the network give?


# %% id="lengths"
import random


def packed(draw):
    """A random pair such as ("3a2b", "aaabb"): one or two letters, up to four each."""
    letters = draw.sample("abcdef", draw.randint(1, 2))
    counts = [draw.randint(1, 4) for _ in letters]
    short = "".join(f"{n}{x}" for n, x in zip(counts, letters))
    return short, "".join(n * x for n, x in zip(counts, letters))


draw = random.Random(3)
for short, long in [("3a2b", "aaabb"), *(packed(draw) for _ in range(3))]:
    print(f"{short:6} → {long:12} {len(short)} symbols in, {len(long):2} symbols out")

# %% [markdown] id="lengths-read"
# The answer begins with `a`, which has not been read yet. And five letters do not fit into the four
# steps of `3a2b`, while `1e1d` has more steps than letters. A network with one output per input
# cannot do this task, however it is trained.
#
# It is tempting to say that a recurrent network sees only the past, *and so* its input and output
# have the same length. Those are two things. Seeing only the past comes from reading in one
# direction; equal lengths come from one *layout*, an output above every input. Another layout of
# the same cells has neither restriction: **first read everything, then write.** A translator needs
# both: its sentence has another length than the source, and its first word may depend on the
# source's last.

# %% [markdown] id="parts-text"
# ## An encoder, a decoder, and one vector between
#
# - The **encoder** is a recurrent network that reads the source. It writes nothing. What it leaves
#   is its last state: the **context vector**.
# - The **decoder** is a second recurrent network. Its first state comes from that vector. At each
#   step it is given the previous word and predicts the next one.
#
# The pair is called **sequence to sequence**, seq2seq ([Sutskever, Vinyals and Le
# 2014](D_papers.ipynb#cell-id=sutskever-2014)). Two more symbols are needed. Before it has written
# anything the decoder must be given *something*: a **start token**, `<sos>` (in the code `BOS`).
# And it must itself say when the sentence is over, by writing the **end token** `<eos>`.
#
# <details><summary>Who built it first?</summary>
#
# [Kalchbrenner and Blunsom (2013)](D_papers.ipynb#cell-id=kalchbrenner-2013) had a convolutional
# encoder, measured perplexity and rescored the candidates of another system; [Cho et al.
# (2014a)](D_papers.ipynb#cell-id=cho-2014a) scored phrases for a translator of an older kind; [Cho
# et al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) and Sutskever et al. let such networks translate
# on their own.
#
# </details>
#
# Three short sentences will be our examples: `나는 집에 갔다` (*I · home · went*), `비가 온다`
# (*rain · comes*), `고양이가 우유를 다 마셨다` (*cat · milk · all · drank*).

# %% id="sentences"
from attnlib.data import SPECIAL_TOKENS

sources = ["나는 집에 갔다", "비가 온다", "고양이가 우유를 다 마셨다"]
targets = ["I went home", "it is raining", "the cat drank all the milk"]
ko_words = [*SPECIAL_TOKENS, *dict.fromkeys(" ".join(sources).split())]
en_words = [*SPECIAL_TOKENS, *dict.fromkeys(" ".join(targets).split())]
src_ids = [[ko_words.index(word) for word in text.split()] for text in sources]
tgt_ids = [[en_words.index(word) for word in text.split()] for text in targets]
print("special tokens:", dict(enumerate(SPECIAL_TOKENS)))
print("source:", src_ids)
print("target:", tgt_ids)

# %% [markdown] id="two-layers-text"
# With two LSTM layers of torch the whole idea is two lines: one reads the first sentence, and the
# other starts from what it left, `last`.

# %% id="two-layers"
from attnlib.data import BOS, EOS

embed_src, embed_tgt = nn.Embedding(len(ko_words), 6), nn.Embedding(len(en_words), 6)
encoder, decoder = nn.LSTM(6, 8, batch_first=True), nn.LSTM(6, 8, batch_first=True)
states, last = encoder(embed_src(torch.tensor([[*src_ids[0], EOS]])))
wrote, _ = decoder(embed_tgt(torch.tensor([[BOS, *tgt_ids[0]]])), last)
print("h_1 … h_4, the encoder's states:", tuple(states.shape))
print("s_1 … s_4, the decoder's states:", tuple(wrote.shape))

# %% id="diagram" tags=["hide-input"]
# draws the figure
from attnbook.figures import encoder_decoder_diagram

ends = [*sources[0].split(), "<eos>"], [*targets[0].split(), "<eos>"]
encoder_decoder_diagram(*ends, states[0], wrote[0])

# %% [markdown] id="diagram-read"
# *Everything* that the decoder knows about the Korean sentence comes through the thick arrow. Here
# it is fed the right English words, as in training.

# %% [markdown] id="bridge-text"
# ## The model on one screen
#
# Two things are added to the two layers. An LSTM starts from *two* vectors, hidden and cell state,
# and the decoder's hidden size may differ from the encoder's. So a small layer, often called a
# **bridge**, makes the decoder's first states $s_0$ and $c_0$ of the context vector, the encoder's
# state $h_S$ after the last of $S$ tokens:
#
# $$[\,s_0\,;\,c_0\,] = \tanh(W\,h_S + b).$$
#
# (Sutskever et al. simply copied both vectors, as our two lines did.) And each state $s_t$ of the
# decoder goes through a layer with a tanh, the `head`, and the output layer, which gives one logit
# per word of the vocabulary.


# %% id="model"
class Seq2Seq(nn.Module):
    """An LSTM reads the source; another one starts from what it left, and writes."""

    def __init__(self, src_size, tgt_size, embedding_size=32, hidden_size=64):
        super().__init__()
        self.embed_src = nn.Embedding(src_size, embedding_size)
        self.encoder = nn.LSTM(embedding_size, hidden_size, batch_first=True)
        self.bridge = nn.Linear(hidden_size, 2 * hidden_size)
        self.embed_tgt = nn.Embedding(tgt_size, embedding_size)
        self.decoder = nn.LSTM(embedding_size, hidden_size, batch_first=True)
        self.head = nn.Linear(hidden_size, embedding_size)
        self.output = nn.Linear(embedding_size, tgt_size)

    def encode(self, src):  # (B, S)
        states, _ = self.encoder(self.embed_src(src))  # (B, S, H)
        return states[:, -1]  # (B, H): the context vector

    def start(self, context):
        first = torch.tanh(self.bridge(context)).unsqueeze(0)  # (1, B, 2H)
        hidden, cell = first.chunk(2, dim=-1)
        return hidden.contiguous(), cell.contiguous()  # (1, B, H) each, for nn.LSTM

    def decode(self, tokens, state):  # (B, T)
        states, state = self.decoder(self.embed_tgt(tokens), state)  # (B, T, H)
        return self.output(torch.tanh(self.head(states))), state  # logits (B, T, V)

    def forward(self, src, tgt_in):
        logits, _ = self.decode(tgt_in, self.start(self.encode(src)))
        return logits


# %% [markdown] id="model-read"
# `forward` is for training, when the whole translation is known: it runs all steps of the decoder
# in one call. Writing will call `encode`, `start` and `decode` one by one. What is `tgt_in`?

# %% [markdown] id="shift-text"
# ## The shift
#
# In training the decoder is given each word of the translation and must predict the *next* one. So
# the translation is needed twice: as **input** with `<sos>` in front, and as **target** with
# `<eos>` behind.

# %% id="shift"
for name, shifted in (("tgt_in ", [BOS, *tgt_ids[0]]), ("tgt_out", [*tgt_ids[0], EOS])):
    print(name, " ".join(f"{en_words[token]:7}" for token in shifted), shifted)

# %% [markdown] id="shift-read"
# Read it in columns: given `<sos>`, predict *I*; given *I*, predict *went*; given *home*, predict
# `<eos>`. Feeding the *right* word, not the model's own prediction, is called **teacher forcing**;
# chapter 07 is about it.

# %% id="model-run"
import math

untrained = Seq2Seq(len(ko_words), len(en_words), embedding_size=6, hidden_size=8)
src, tgt_in = torch.tensor([[*src_ids[0], EOS]]), torch.tensor([[BOS, *tgt_ids[0]]])
logits = untrained(src, tgt_in)
print("logits:", tuple(logits.shape), "= (sentences, words to predict, vocabulary)")
loss = F.cross_entropy(logits[0], torch.tensor([*tgt_ids[0], EOS]))
guess = math.log(len(en_words))
print(f"loss {loss:.1f} nats per token; guessing has ln {len(en_words)} = {guess:.1f}")

# %% [markdown] id="model-run-read"
# Untrained, the model is as good as guessing among the 15 entries of its vocabulary.

# %% [markdown] id="learn-text"
# ## The training loop
#
# The task is `3a2b`. A tensor is a rectangle, so for now all pairs of a batch have the same lengths
# on both sides. (Sutskever et al. put sentences of about the same length into a batch, too, to save
# time: §3.4.)

# %% id="learn-data"
symbols = [*SPECIAL_TOKENS, *"1234abcdef"]
all_pairs = sorted({packed(draw) for _ in range(9000)})
unseen = sorted(draw.sample(all_pairs, 100))  # to test with
pairs = [pair for pair in all_pairs if pair not in unseen]
print(f"{len(pairs)} pairs to learn from, {len(unseen)} others to test with")


def ids(text):
    return [symbols.index(symbol) for symbol in text]


# %% id="learn-batches"
from collections import defaultdict


def batches_of_one_length(pairs, updates, size=32, seed=1):
    """Batches (src, tgt_in, tgt_out); in each all rows have the same lengths."""
    kinds, draw = defaultdict(list), random.Random(seed)
    for short, long in pairs:
        kinds[len(short), len(long)].append((short, long))
    for _ in range(updates):
        short, long = draw.choice(pairs)
        rows = draw.choices(kinds[len(short), len(long)], k=size)
        src = [[*ids(short), EOS] for short, _ in rows]  # the encoder sees the end, too
        tgt_in = [[BOS, *ids(long)] for _, long in rows]
        tgt_out = [[*ids(long), EOS] for _, long in rows]
        yield torch.tensor(src), torch.tensor(tgt_in), torch.tensor(tgt_out)


# %% [markdown] id="loop-text"
# Every network of this book that learns to write is trained by these steps: forward, loss,
# backward, clip, step. The learning rate falls to a hundredth of its first value. For an
# experiment, `with_end=False` leaves the last column, `<eos>`, out of the loss.


# %% id="learn"
def train(model, batches, updates, with_end=True):
    """Train a model in place; returns the loss of every update."""
    losses = []
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, updates)
    columns = slice(None) if with_end else slice(0, -1)
    for src, tgt_in, tgt_out in batches:
        optimizer.zero_grad()
        logits = model(src, tgt_in)[:, columns]  # forward: (B, T, V)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt_out[:, columns].flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return losses


# %% [markdown] id="learn-run-text"
# Two kinds of model, alike in everything but `with_end`, three seeds of each. Their forget gates
# begin near 1, as chapter 02 recommends.


# %% id="forget-bias"
@torch.no_grad()
def set_forget_bias(layer, bias):
    """Initialize the forget gates of an nn.LSTM at σ(bias); the order is i, f, g, o."""
    block = slice(layer.hidden_size, 2 * layer.hidden_size)
    layer.bias_ih_l0[block], layer.bias_hh_l0[block] = bias, 0.0


# %% id="learn-run"
def trained(seed, with_end):
    seed_everything(seed)
    model = Seq2Seq(len(symbols), len(symbols))
    for layer in (model.encoder, model.decoder):
        set_forget_bias(layer, 3.0)
    losses = train(model, batches_of_one_length(pairs, 500, seed=seed), 500, with_end)
    first, last = (sum(part) / 50 for part in (losses[:50], losses[-50:]))
    name = "with <eos>" if with_end else "without"
    print(f"{name:10} seed {seed}, loss: first 50 ≈{first:.2f}, last 50 ≈{last:.2f}")
    return model


seeds = (1, 2, 3)
unpackers = {
    "with <eos>": [trained(seed, with_end=True) for seed in seeds],
    "without": [trained(seed, with_end=False) for seed in seeds],
}

# %% [markdown] id="greedy-text"
# ## Writing
#
# Nobody knows the right words now, so the decoder is fed its own: at each step the most probable
# next token becomes the next input (**greedy decoding**; chapter 08 searches better). It stops at
# `<eos>`, or at a limit, because nothing guarantees that the decoder ever says `<eos>`.

# %% id="fed-back-diagram" tags=["hide-input"]
# draws the figure
encoder_decoder_diagram(*ends, states[0], wrote[0], fed_back=True)

# %% [markdown] id="ex-greedy-decode-text"
# ### Exercise 3.1 · Write until the end
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
    """Most probable tokens, one by one, up to eos (left out) or max_length: a list."""
    raise NotImplementedError


# %% [markdown] id="learn-predict"
# ### With an end and without
#
# Models of the second kind were never told about the end. Will they stop too early, too late, or at
# the right place, because they can count?


# %% id="learn-step"
@torch.no_grad()
def write(model, text, max_length=20):
    """What a model unpacks a string to, by exercise 3.1."""

    def step(token, state):
        logits, state = model.decode(torch.tensor([[token]]), state)
        return logits[0, 0], state

    state = model.start(model.encode(torch.tensor([[*ids(text), EOS]])))
    tokens = greedy_decode(step, state, BOS, EOS, max_length)
    return "".join(symbols[token] for token in tokens)


# %% id="learn-look"
for name, models in unpackers.items():
    for short, _ in unseen[::33]:
        print(f"{name:10} {short:4} → ≈“{write(models[0], short)}”")

# %% id="learn-check"
counts = defaultdict(list)  # per seed: right, begin right, too short, stopped by itself
for name, models in unpackers.items():
    for model in models:
        both = [(write(model, short), long) for short, long in unseen]
        right = sum(text == long for text, long in both)
        begun = sum(text.startswith(long) for text, long in both)
        early = sum(len(text) < len(long) for text, long in both)
        stopped = sum(len(text) < 20 for text, _ in both)
        counts[name].append((right, begun, early, stopped))
heads = "of 100, three seeds", "right", "begin right", "too short", "stopped by itself"
print("{:22}{:16}{:16}{:16}{}".format(*heads))
for name, of_seeds in counts.items():
    columns = (" ".join(f"≈{n:3}" for n in column) for column in zip(*of_seeds))
    print(f"{name:18}", *columns, sep="  ")

# %% id="learn-hold" tags=["check"]
# checks what the text says
for of_seed, without in zip(counts["with <eos>"], counts["without"]):
    for count, low, high in zip(of_seed, (65, 70, 0, 90), (100, 100, 20, 100)):
        check_range(count, low, high)
    for count, low, high in zip(without, (0, 93, 0, 0), (5, 100, 2, 5)):
        check_range(count, low, high)
first_kind, second_kind = ([begun for _, begun, *_ in of] for of in counts.values())
assert sum(first_kind) < sum(second_kind)

# %% [markdown] id="learn-read"
# Models of the first kind unpack most of a hundred strings that they never saw. The length of the
# input does not tell them when to stop: they count. Those of the second kind are never right as a
# whole, since only the limit stops them. To say "I am done" is a prediction like any other and has
# to be learned.
#
# **Stopping has its price.** Nearly all strings *begin* right in models of the second kind, where
# an extra letter is no mistake; in those of the first some do not, and some of these stop too
# early. A model that can stop must learn both what to write and when to end.

# %% [markdown] id="padding-text"
# ## Sentences of different lengths in one batch
#
# Real sentences do not come in groups of equal length. So short rows are filled up with a
# **padding** token, and a **mask** says for every position whether it is real. In this book a mask
# is boolean, and **True means a real token**. Padding must have no effect on any result. There are
# three places where it can: the shift, the last state, and the loss.

# %% [markdown] id="ex-pad-text"
# ### Exercise 3.2 · A rectangle of sentences
# *Warm-up, 8 minutes.* `sentences` is a list of lists of token numbers, none of them empty. Return
# the table (B, S), short rows filled up with `PAD` at the end, and its mask (B, S).
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
# A list of filled rows becomes the tensor. Position j of a row is real where j is smaller than the
# length of the row as it came: compare `torch.arange(S)` with the lengths as a column (B, 1).
#
# </details>


# %% id="ex-pad" tags=["exercise"]
from attnlib.data import PAD


@exercise
def pad(sentences):
    """Lists of token numbers → (table (B, S), short rows end in PAD; mask (B, S))."""
    raise NotImplementedError


# %% [markdown] id="padding-use"
# ### Shift, then pad

# %% id="padding"
src, src_mask = pad([[*sentence, EOS] for sentence in src_ids])
for row, real in zip(src, src_mask):
    words = " ".join(ko_words[token] for token in row)
    print(f"{str(row.tolist()):19} mask {real.int().tolist()}  {words}")
print("real:", int(src_mask.sum()), "of", src.numel())
print("lengths:", src_mask.sum(1).tolist())

# %% [markdown] id="padding-read"
# A 1 stands for True. On the target side each sentence is shifted first, and padded afterward: then
# input and target have equal lengths, and one mask serves both.
#
# <details><summary>Why not pad first, and shift the columns?</summary>
#
# A popular shortcut pads `<sos> y <eos>` and takes everything but the last column as input. In
# every row but the longest that feeds `<eos>` to the decoder, which then runs past the end of the
# sentence, and the input of a short row has one real token more than its target, so that one mask
# no longer fits both.
#
# </details>

# %% [markdown] id="ex-make-batch-text"
# ### Exercise 3.3 · A batch for training
# *Core, 12 minutes.* `src` and `tgt` are lists of sentences (lists of token numbers, without any
# special token). Return five tensors: the padded source, each sentence followed by `EOS`, and its
# mask; `tgt_in`, `tgt_out`, and the mask that serves both. `data.pad` is exercise 3.2.
#
# <details><summary>Hint 1</summary>
#
# Which of `BOS` and `EOS` does each of the three tensors need?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Put the special tokens on the *sentences*, before you pad. In a padded tensor the end of a short
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
from attnlib import data
from attnlib.data import BOS, EOS


@exercise
def make_batch(src, tgt):
    """→ src (B, S), src_mask, tgt_in = BOS + y (B, T), tgt_out = y + EOS, tgt_mask."""
    raise NotImplementedError


# %% [markdown] id="last-text"
# ### Where does a padded sentence end?
#
# A layer such as `nn.LSTM` knows nothing of padding. It reads it, and its state goes on changing.
# Our `encode` takes the last column, `states[:, -1]`, for the last state. For how many of the three
# Korean sentences is that the state after the last token?

# %% id="predict-last"
predict("03.last", ...)  # 0, 1, 2 or 3

# %% id="last"
src, src_mask, tgt_in, tgt_out, tgt_mask = make_batch(src_ids, tgt_ids)
out, _ = encoder(embed_src(src))  # (B, S, H): padding is read like words
gaps = []
for b, sentence in enumerate(src_ids):
    alone = encoder(embed_src(torch.tensor([[*sentence, EOS]])))[0][0, -1]
    gaps.append(((out[b, -1] - alone).norm() / alone.norm()).item())
with reveal("03.last", sum(gap < 1e-5 for gap in gaps)):
    for b, (sentence, gap) in enumerate(zip(src_ids, gaps), 1):
        print(f"sentence {b}, {len(sentence) + 1} of 5 columns real: off by {gap:.2f}")

# %% [markdown] id="last-read"
# <details><summary>What it says</summary>
#
# The distances are relative to the norm of the right state. Only the sentence that fills its row is
# right. With `out[:, -1]` the vector of a sentence depends on how long *another* sentence of its
# batch is. Such a model can be trained, and will translate differently when the batch is put
# together differently.
#
# </details>
#
# <details><summary>Three remedies in use</summary>
#
# Pick each row's last real state, as `attnlib` does and the next exercise asks. Or keep the old
# state wherever the mask is False, `torch.where(real, new, old)` in a loop over cells. Or hand the
# lengths to torch, which then stops every row in time and reads no padding at all:
#
# ```python
# rows = nn.utils.rnn.pack_padded_sequence(
#     embed_src(src), src_mask.sum(1), batch_first=True, enforce_sorted=False
# )
# _, (last_hidden, last_cell) = encoder(rows)
# ```
#
# All three give the same states.
#
# </details>

# %% id="packing" tags=["check"]
# checks what the text says
rows = nn.utils.rnn.pack_padded_sequence(
    embed_src(src), src_mask.sum(1), batch_first=True, enforce_sorted=False
)
_, (last_hidden, _) = encoder(rows)
torch.testing.assert_close(last_hidden[0], out[torch.arange(3), src_mask.sum(1) - 1])
assert len(rows.data) == src_mask.sum()

# %% [markdown] id="ex-last-real-text"
# ### Exercise 3.4 · The last real state
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
# Two index tensors side by side pick one entry per row: `x[rows, columns]`.
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
    """Each row of x (B, S, F) at its last real position by mask (B, S) → (B, F)."""
    raise NotImplementedError


# %% [markdown] id="loss-text"
# ### The loss of a padded batch
#
# The third place is the loss. Padding is not to be predicted, so the mean is taken over the *real*
# target tokens only; otherwise the same words would have another loss beside a longer sentence.

# %% [markdown] id="ex-seq2seq-loss-text"
# ### Exercise 3.5 · Forward pass and loss
# *Core, 20 minutes.* `model` has the layers of the class above (`embed_src`, `encoder`, `bridge`,
# `embed_tgt`, `decoder`, `head`, `output`) and none of its methods. The other arguments are the
# five tensors of exercise 3.3. Return the mean cross-entropy of the real target tokens, in nats, as
# a tensor without dimensions. More padding must not change it. `attnlib.model.last_real` is
# exercise 3.4.
#
# <details><summary>Hint 1</summary>
#
# The pass has three parts: read the source up to the last real state; make the decoder's first
# hidden and cell state of it, (1, B, H) each; run the decoder over `tgt_in`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `logits[mask]` of logits (B, T, V) and a mask (B, T) are the real rows, (N, V).
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The lines of `encode`, `start` and `decode`, with two changes: `last_real` in the place of the
# last column, and `logits[tgt_mask]` and `tgt_out[tgt_mask]` in `F.cross_entropy`.
#
# </details>


# %% id="ex-seq2seq-loss" tags=["exercise"]
import attnlib


@exercise
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    """Mean cross-entropy (nats) of the real tokens of tgt_out, given src and tgt_in."""
    raise NotImplementedError


# %% [markdown] id="agree-text"
# ## The library's model
#
# `attnlib` has the same model, which can do more; `make_seq2seq` puts one together. The collapsed
# cell copies the weights of our first model into it, under the library's names.

# %% id="agree-copy" tags=["hide-input"]
# copies the weights into the library's model
model = unpackers["with <eos>"][0]
options = {"embedding_size": 32, "hidden_size": 64, "tied_output": False}
options |= {"decoder": "plain", "bidirectional": False}
library = attnlib.model.make_seq2seq(len(symbols), len(symbols), **options)
name_of = {
    "embed_src": "encoder.embed",
    "encoder": "encoder.layers.0",
    "bridge": "decoder.bridge",
    "embed_tgt": "decoder.embed",
    "decoder": "decoder.rnn",
    "head": "decoder.head",
    "output": "output",
}
weights = {}
for ours, tensor in model.state_dict().items():
    part, _, rest = ours.partition(".")
    weights[f"{name_of[part]}.{rest}"] = tensor
library.load_state_dict(weights)
print(f"{len(weights)} weights of the one are those of the other")

# %% [markdown] id="agree-loss-text"
# Now the loss of the dozen shortest unseen strings: one by one, without padding, by the class
# above; in one padded batch, by your function and by the library; and in the same batch by the
# class above, first with short sources read on into padding, then with padding in the mean as well.

# %% id="agree"
from attnlib import training
from attnlib.data import Batch

twelve = sorted(unseen, key=lambda pair: len(pair[0]))[:12]  # two lengths
sides = [[ids(text) for text in side] for side in zip(*twelve)]
batch = Batch(*make_batch(*sides))
one_by_one = 0.0
for short, long in twelve:
    tokens = torch.tensor([[BOS, *ids(long), EOS]])
    logits = model(torch.tensor([[*ids(short), EOS]]), tokens[:, :-1])
    one_by_one += F.cross_entropy(logits[0], tokens[0, 1:], reduction="sum").item()
logits = model(batch.src, batch.tgt_in)  # the last column for the last state
real = F.cross_entropy(logits[batch.tgt_mask], batch.tgt_out[batch.tgt_mask])
everything = F.cross_entropy(logits.flatten(0, 1), batch.tgt_out.flatten())
losses = {
    "one by one, no padding": one_by_one / batch.tgt_mask.sum().item(),
    "padded, your function": seq2seq_loss(model, *batch).item(),
    "padded, attnlib": training.batch_loss(library, batch).item(),
    "padding read": real.item(),
    "… and in the mean": everything.item(),
}
for name, loss in losses.items():
    print(f"{name:24} ≈{loss:.4f} nats per token")

# %% id="agree-check" tags=["check"]
# checks what the text says
right_loss, yours, theirs, read_on, off = losses.values()
torch.testing.assert_close(torch.tensor([yours, theirs]), torch.full((2,), right_loss))
check_range(right_loss, 0.0, 1.0)
check_range(read_on / right_loss, 1.2, 1000)
check_range(off / right_loss, 3, 100_000)

# %% [markdown] id="agree-read"
# Three ways, one number: padding has no effect any more. Without care both mistakes show: short
# sources were read on into padding, and the mean has padding in it, which the model never learned
# to predict.
#
# From here on the library's model stands for ours, and its `fit` for our loop: the same steps, with
# a learning rate that first rises and then falls, and with checkpoints.

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("03", "abcda")`.

# %% id="recall"
recall("03")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - First read, then write: an encoder leaves one vector, and a decoder starts from it.
# - The decoder's input and target are one row, shifted by one; shift first, pad afterward.
# - `<sos>` begins, and `<eos>`, which has to be learned, ends.
# - A mask marks what is real (True). The context vector is the last *real* state, and the loss is a
#   mean over *real* tokens.
#
# **Left out.** Encoders and decoders of several layers, as Sutskever et al. had; a search better
# than greedy (chapter 08); feeding the model's own predictions in training (chapter 07).
#
# <details><summary>Papers</summary>
#
# [Sutskever, Vinyals and Le 2014](D_papers.ipynb#cell-id=sutskever-2014);
# [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a) and
# [2014b](D_papers.ipynb#cell-id=cho-2014b);
# [Kalchbrenner and Blunsom 2013](D_papers.ipynb#cell-id=kalchbrenner-2013).
#
# </details>
#
# **Next.** [03b](03b_bottleneck.ipynb): how much fits through one vector, and what helps where it
# does not.
