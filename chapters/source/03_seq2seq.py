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
# **What you will be able to do.** Build an encoder–decoder model, train it on sentences of
# different lengths so that padding changes no result, and let it translate until it says that it is
# done.
#
# **What you need.** The LSTM of chapter 2, and the loss and the training step of chapter 1.
#
# **Time.** About 34 minutes to read, and 42 for the four exercises; about a minute to run.
#
# <details><summary>Plan</summary>
#
# *Required*: everything from *An encoder, a decoder, and one vector between* to *Writing*. *Does
# padding change anything?* checks the result. *Optional*: *Why not one word for each word?*, if you
# know why a network with one output per input cannot translate.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import approx_text, check_range, exercise, predict, progress, recall, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
seed_everything(3)
figures.use_style()

# %% id="first"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

plain = Translator.load(bundled_directory().parent / "ko-en-plain", "cpu")
said = plain.translate("민수는 시장에서 큰 배를 샀습니다.", beam_size=1)
print(said.text)

# %% [markdown] id="first-text"
# That is right: word by word, the Korean says *Minsu · market-at · big · pear · bought*. The
# translator of chapter 0 had attention. This one has **none**: one network reads the Korean
# sentence (from both ends), another writes the English one, and all that passes between them is one
# vector of 128 numbers. Now let three more people do something after Minsu, one after the other.

# %% id="first-long"
import textwrap

clauses = ["민수는 시장에서 큰 배를 샀", "유나는 집에서 편지를 썼"]
clauses += ["현우는 공원에서 재미있는 책을 읽었", "지호는 학교에서 비싼 시계 두 개를 고쳤"]
for n in (1, 2, 3, 4):
    longer = plain.translate("고, ".join(clauses[:n]) + "습니다.", beam_size=1)  # 고: and
    length = len(longer.src_tokens) - 1  # without the end token
    print(textwrap.fill(f"{length} tokens: {longer.text}", 78))
print("should be: Minsu bought a big pear at the market, Yuna wrote a letter at home,")
print("Hyunwoo read an interesting book in the park, and Jiho fixed two expensive")
print("watches at school.")

# %% [markdown] id="first-read"
# Two clauses are translated correctly. With three, people change places, and Sujin appears, whom
# the Korean does not mention. With four, the English is fluent, but only Minsu is left. The network
# has read the whole sentence, but everything it read had to pass through the same 128 numbers as
# one clause. That vector is called the **bottleneck** (병목 현상) of the model. It is the first
# suspect.
#
# In this chapter you build a simpler translator of this kind and train it. [Chapter
# 03b](03b_bottleneck.ipynb) asks how much of the failure is the vector's, and how much is
# training's.

# %% [markdown] id="lengths-text"
# ## Why not one word for each word?
#
# The recurrent network of chapter 1 gives one output for each input. Could it translate, one
# English token for each Korean token? (A **token** is a word or a piece of one; `##` marks a piece
# that is attached to the piece before it, and `<eos>` marks the end of a sentence.)

# %% id="lengths"
from itertools import zip_longest

for step, (read, wanted) in enumerate(zip_longest(said.src_tokens, said.tgt_tokens), 1):
    print(f"step {step:2}: has just read {read:8} should write {wanted or 'nothing'}")

# %% [markdown] id="lengths-read"
# At step 2, the network would have to write *bought*, which it reads six steps later (샀). The two
# sentences also differ in length.
#
# Both problems come from the *layout*, an output above every input, and not from the cells. Another
# layout of the same cells has neither: **first read everything, then write.** It is the fourth
# layout in chapter 1's Figure 1, **many-to-many** (다대다).

# %% [markdown] id="parts-text"
# ## An encoder, a decoder, and one vector between
#
# - The **encoder** (인코더) is a recurrent network that reads the source and writes nothing. Its
#   last state is the **context vector** (컨텍스트 벡터, 문맥 벡터), also called an embedding of the
#   sentence (문장 임베딩).
# - The **decoder** (디코더) is a second recurrent network, with its own parameters. Its first state
#   is computed from the context vector. At each step it receives the previous word and predicts the
#   next one.
#
# The probability of a translation is the product over its words, each given the source and the
# words before it: $p(y \mid x) = \prod_t p(y_t \mid y_{\lt t}, x)$.
#
# The pair is called **sequence to sequence**, seq2seq ([Sutskever, Vinyals and Le
# 2014](D_papers.ipynb#cell-id=sutskever-2014)). The decoder needs two special tokens. At the first
# step there is no previous word, so the decoder receives a **start token** (시작 토큰), `<sos>`,
# called `BOS` in the code. When the sentence is over, the decoder writes the **end token** (종료
# 토큰), `<eos>`.
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
# Three short sentences are our examples: `나는 집에 갔다` (*I · home · went*), `비가 온다` (*rain ·
# comes*), `고양이가 우유를 다 마셨다` (*cat · milk · all · drank*). Each word is replaced by its
# ID, its position in the vocabulary.

# %% id="sentences"
from attnlib.data import BOS, EOS, SPECIAL_TOKENS


def number_words(texts):
    """The vocabulary of some texts, and each text as a list of IDs."""
    vocabulary, ids = list(SPECIAL_TOKENS), []
    for text in texts:
        for word in text.split():
            if word not in vocabulary:
                vocabulary.append(word)
        ids.append([vocabulary.index(word) for word in text.split()])
    return vocabulary, ids


sources = ["나는 집에 갔다", "비가 온다", "고양이가 우유를 다 마셨다"]
targets = ["I went home", "it is raining", "the cat drank all the milk"]
ko_words, src_ids = number_words(sources)
en_words, tgt_ids = number_words(targets)
print("special tokens:", dict(enumerate(SPECIAL_TOKENS)))
print("source:", src_ids)
print("target:", tgt_ids)

# %% [markdown] id="two-layers-text"
# With two LSTM layers of torch, the whole idea takes two lines: the first layer reads, and the
# second starts from what the first has left, `last`.

# %% id="two-layers"
embed_src = nn.Embedding(len(ko_words), 6)
embed_tgt = nn.Embedding(len(en_words), 6)
encoder = nn.LSTM(6, 8, batch_first=True)
decoder = nn.LSTM(6, 8, batch_first=True)

first_src = torch.tensor([[*src_ids[0], EOS]])  # a batch of one sentence
first_tgt = torch.tensor([[BOS, *tgt_ids[0]]])
states, last = encoder(embed_src(first_src))
wrote, _ = decoder(embed_tgt(first_tgt), last)
print("h_1 … h_4, the encoder's states:", tuple(states.shape))
print("s_1 … s_4, the decoder's states:", tuple(wrote.shape))
print("what passes, state and memory:", tuple(last[0].shape), tuple(last[1].shape))

# %% id="diagram" tags=["hide-input"]
# draws figure 1
from attnbook.figures import encoder_decoder_diagram

ends = [*sources[0].split(), "<eos>"], [*targets[0].split(), "<eos>"]
encoder_decoder_diagram(*ends, states[0], wrote[0], memory=True)

# %% [markdown] id="diagram-read"
# **Figure 1.** The thick arrow carries everything that the decoder knows about the Korean sentence.
# An LSTM has a state $h$ and a memory $c$ of the same size, and both pass, so here the arrow stands
# for 16 numbers. The decoder receives the right English words, as in training.

# %% [markdown] id="shift-text"
# ## The shift
#
# In training, the decoder receives each word of the translation and must predict the *next* one.
# The translation is therefore needed twice: as **input** with `<sos>` in front, and as **target**
# with `<eos>` at the end.

# %% id="shift"
given = [BOS, *tgt_ids[0]]
to_predict = [*tgt_ids[0], EOS]
for name, row in (("tgt_in ", given), ("tgt_out", to_predict)):
    print(name, " ".join(f"{en_words[token]:7}" for token in row), row)

# %% [markdown] id="shift-read"
# Read it in columns: given `<sos>`, predict *I*; given *I*, predict *went*; given *home*, predict
# `<eos>`. The end is predicted like any other word. Feeding the *right* word instead of the
# model's own prediction is called **teacher forcing** (교사 강요); chapter 7 is about it.

# %% [markdown] id="padding-text"
# ## Sentences of different lengths in one batch
#
# Training uses many sentences at once, a **batch**, and a tensor is a rectangle. Short rows are
# therefore filled with a **padding** token (패딩), `<pad>`, and a **mask** (마스크) marks each
# position as real or not. In this book a mask is boolean, and **True means a real token**. The
# library's `pad` makes both.

# %% id="padding"
from attnlib import data

table, real = data.pad([[*sentence, EOS] for sentence in src_ids])
for row, marks in zip(table, real):
    words = " ".join(ko_words[token] for token in row)
    print(f"{str(row.tolist()):19} mask {marks.int().tolist()}  {words}")
print("real:", int(real.sum()), "of", table.numel())

# %% [markdown] id="padding-read"
# A 1 stands for True. **Warm-up.** Which comparison of `torch.arange(5)` with the column of lengths
# `[[4], [3], [5]]` gives this mask?
#
# Padding must not change any result. It could do so in three places: in the shift, in the encoder's
# last state, and in the loss. On the target side, shift first and pad afterward: then input and
# target have equal lengths, and one mask serves both.

# %% [markdown] id="ex-make-batch-text"
# ### Exercise 3.1 · A batch for training
# *Core, 12 minutes.* Return five tensors for `src` and `tgt`, which are lists of sentences (lists
# of token IDs, without any special token): the padded source, each sentence followed by `EOS`, and
# its mask; `tgt_in`, `tgt_out`, and the mask that serves both. `data.pad` does the padding.
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
# A layer such as `nn.LSTM` knows nothing of padding: it reads `<pad>` like a word, and its state
# keeps changing. Suppose that we take the last column, `states[:, -1]`, as the last state. For how
# many of the three Korean sentences is that the state after the last token?

# %% id="predict-last"
predict("03.last", ...)  # 0, 1, 2 or 3

# %% id="last"
src, src_mask, *_ = make_batch(src_ids, tgt_ids)
out, _ = encoder(embed_src(src))  # (B, S, H)
gaps = []
for b, sentence in enumerate(src_ids):
    unpadded, _ = encoder(embed_src(torch.tensor([[*sentence, EOS]])))
    true_last = unpadded[0, -1]
    gaps.append(((out[b, -1] - true_last).norm() / true_last.norm()).item())
with reveal("03.last", sum(gap < 1e-5 for gap in gaps)):
    for b, (sentence, gap) in enumerate(zip(src_ids, gaps), 1):
        print(f"sentence {b}, {len(sentence) + 1} of 5 columns real: off by {gap:.2f}")

# %% [markdown] id="last-read"
# <details><summary>What it says</summary>
#
# The distances are relative to the norm of the right state. Only the sentence that fills its row is
# right. With the last column, the vector of a sentence depends on how long *another* sentence of
# its batch is. Such a model can be trained, but it translates a sentence differently when the rest
# of the batch changes.
#
# </details>
#
# <details><summary>Three solutions in use</summary>
#
# Pick each row's last real state, as `attnlib` does and the next exercise asks. Or keep the old
# state wherever the mask is False, `torch.where(real, new, old)` in a loop over cells. Or give
# torch the lengths; it then stops every row in time and reads no padding at all:
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
# ### Exercise 3.2 · The last real state
# *Core, 8 minutes.* Return each row's last real state, (B, F), from the states `x` (B, S, F) and
# `mask` (B, S), which marks the real ones; they come first. Training passes through this function,
# so gradients must reach `x`.
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


# %% [markdown] id="bridge-text"
# ## The model on one screen
#
# The model adds two things to the two layers. First, only the encoder's state $h_S$ after the last
# of $S$ real tokens passes to the decoder, without the memory. A small layer, often called a
# **bridge**, computes the decoder's first state $s_0$ and first memory $c_0$ from it, so that the
# two halves can have different sizes:
#
# $$[\,s_0\,;\,c_0\,] = \tanh(W\,h_S + b).$$
#
# (Sutskever et al. copied both vectors, as our two lines did.) Second, each state $s_t$ of the
# decoder goes through a layer with a tanh, the `head`, and then through the output layer, which
# gives one logit per word of the vocabulary.


# %% id="model"
class Seq2Seq(nn.Module):
    """An LSTM reads the source; another LSTM starts from its last state and writes."""

    def __init__(self, src_size, tgt_size, embedding_size=64, hidden_size=128):
        super().__init__()
        self.embed_src = nn.Embedding(src_size, embedding_size)
        self.encoder = nn.LSTM(embedding_size, hidden_size, batch_first=True)
        self.bridge = nn.Linear(hidden_size, 2 * hidden_size)
        self.embed_tgt = nn.Embedding(tgt_size, embedding_size)
        self.decoder = nn.LSTM(embedding_size, hidden_size, batch_first=True)
        self.head = nn.Linear(hidden_size, embedding_size)
        self.output = nn.Linear(embedding_size, tgt_size)

    def encode(self, src, src_mask):  # (B, S)
        states, _ = self.encoder(self.embed_src(src))  # (B, S, H)
        return last_real(states, src_mask)  # (B, H): the context vector

    def start(self, context):
        first = torch.tanh(self.bridge(context)).unsqueeze(0)  # (1, B, 2H)
        state, memory = first.chunk(2, dim=-1)
        return state.contiguous(), memory.contiguous()  # (1, B, H) each, for nn.LSTM

    def decode(self, tokens, state):  # (B, T)
        states, state = self.decoder(self.embed_tgt(tokens), state)  # (B, T, H)
        return self.output(torch.tanh(self.head(states))), state  # logits (B, T, V)

    def forward(self, src, src_mask, tgt_in):
        logits, _ = self.decode(tgt_in, self.start(self.encode(src, src_mask)))
        return logits


# %% [markdown] id="model-read"
# `encode` calls your exercise 3.2. `forward` is for training, when the whole translation is known:
# it runs all steps of the decoder in one call. Writing calls `encode`, `start` and `decode` one by
# one. What passes between the halves is now one vector of 128 numbers, as in the translator at the
# top.

# %% [markdown] id="loss-text"
# ### The loss of a padded batch
#
# The third place is the loss. Padding need not be predicted, so the mean is taken over the *real*
# target tokens only. Otherwise the loss of a sentence would depend on the length of its neighbors.

# %% [markdown] id="ex-masked-loss-text"
# ### Exercise 3.3 · The loss of real tokens
# *Core, 10 minutes.* Return the mean cross-entropy of the real target tokens, in nats, as a tensor
# without dimensions, from `logits` (B, T, V), the right tokens `target` (B, T), and `mask` (B, T).
# Every real token counts the same, whatever sentence it belongs to. The logits at padding must not
# matter.
#
# <details><summary>Hint 1</summary>
#
# `F.cross_entropy(logits, target)` takes logits (N, V) and targets (N,), and returns the mean of
# the losses. Which N rows do you want?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A mask as an index picks rows: `target[mask]` are the real tokens of all sentences, one after the
# other.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `logits[mask]` of logits (B, T, V) and a mask (B, T) are the real rows, (N, V); `target[mask]` are
# their tokens, (N,).
#
# </details>


# %% id="ex-masked-loss" tags=["exercise"]
@exercise
def masked_loss(logits, target, mask):
    """Mean cross-entropy (nats) of target (B, T) where mask is True; logits (B, T, V)."""
    raise NotImplementedError


# %% [markdown] id="pairs-text"
# ## Training
#
# All parts are there, so let us train a translator. It learns from the pairs with at most ten
# Korean tokens in the corpus of chapter 0.

# %% id="pairs"
from attnlib.data import load_corpus

corpus = load_corpus("ko-en-easy")
ko, en = plain.src_vocabulary, plain.tgt_vocabulary


def short_pairs(split):
    """The pairs of at most ten Korean tokens, as token IDs."""
    pairs = [(ko.encode(pair.src), en.encode(pair.tgt)) for pair in split]
    return [pair for pair in pairs if len(pair[0]) <= 10]


learned = short_pairs(corpus.train)
print(f"{len(learned):,} pairs; {len(ko)} Korean tokens, {len(en)} English ones")

# %% [markdown] id="loop-text"
# Every network of this book that learns to write is trained by these steps: forward, loss,
# backward, clip, step. Three lines are yours: the batch, the last state inside `model`, and the
# loss. A schedule lowers the learning rate to a hundredth of its first value.


# %% id="learn"
import random


def train(model, pairs, updates, seed):
    """Train a model in place; return the loss of every update."""
    draw = random.Random(seed)
    losses = []
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, updates)
    for _ in range(updates):
        chosen = draw.choices(pairs, k=64)
        batch = make_batch([x for x, _ in chosen], [y for _, y in chosen])
        src, src_mask, tgt_in, tgt_out, tgt_mask = batch
        logits = model(src, src_mask, tgt_in)  # forward: (B, T, V)
        loss = masked_loss(logits, tgt_out, tgt_mask)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return losses


# %% [markdown] id="learn-run-text"
# The forget gates begin near 1, for the reason in chapter 2.

# %% id="learn-run"
import math

seed_everything(1)
model = Seq2Seq(len(ko), len(en))
with torch.no_grad():
    for layer in (model.encoder, model.decoder):
        layer.bias_ih_l0[128:256] = 3.0  # the second quarter: of i, f, g, o the forget gate
        layer.bias_hh_l0[128:256] = 0.0
losses = train(model, learned, updates=500, seed=1)
print(f"guessing among {len(en)} tokens: {math.log(len(en)):.1f} nats per token")
for n in range(0, 500, 100):
    print(f"updates {n + 1:3} to {n + 100}: loss ≈{sum(losses[n : n + 100]) / 100:.2f}")

# %% [markdown] id="greedy-text"
# ## Writing
#
# When the model translates, the right words are unknown, so the decoder receives its own
# predictions: at each step the most probable next token becomes the next input (**greedy
# decoding**, 그리디 디코딩; chapter 8 searches better). It needs this input, because several words
# can be probable, and the next one depends on which of them was written. Writing stops at `<eos>`
# or at a limit, because nothing guarantees that the decoder ever writes `<eos>`.

# %% id="fed-back-diagram" tags=["hide-input"]
# draws figure 2
encoder_decoder_diagram(*ends, states[0], wrote[0], fed_back=True, memory=True)

# %% [markdown] id="ex-greedy-decode-text"
# **Figure 2.** Each word that is written is also the next input.
#
# ### Exercise 3.4 · Write until the end
# *Core, 12 minutes.* Return a list of token IDs, without `bos` and `eos`. `step(token, state)`
# returns the logits (V,) of the next token and the new state. Start from `bos` and `state`, take
# the largest logit each time, stop at `eos`, and write at most `max_length` tokens. Take no step
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
# `int(logits.argmax())` is a token ID. Test it before you keep it.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A loop of at most `max_length` turns, in each a step, the largest logit, and a question: continue
# or leave the loop?
#
# </details>


# %% id="ex-greedy-decode" tags=["exercise"]
@exercise
def greedy_decode(step, state, bos, eos, max_length):
    """Most probable tokens, one by one, up to eos (left out) or max_length: a list."""
    raise NotImplementedError


# %% [markdown] id="write-text"
# ### Your translator at work


# %% id="write"
@torch.no_grad()
def translate(source):
    """Token IDs of the translation, and the probabilities (V,) of every step."""
    seen = []

    def step(token, state):
        logits, state = model.decode(torch.tensor([[token]]), state)
        seen.append(logits[0, 0].softmax(-1))
        return logits[0, 0], state

    src = torch.tensor([[*source, EOS]])
    no_padding = torch.ones_like(src, dtype=torch.bool)
    start = model.start(model.encode(src, no_padding))
    return greedy_decode(step, start, BOS, EOS, max_length=50), seen


test = short_pairs(corpus.test)
for source, target in test[:5]:
    tokens, _ = translate(source)
    print(f"{approx_text(en.decode(tokens))}  reference: {en.decode(target)}")

# %% [markdown] id="count-text"
# None of these sentences was in training. How many of the 100 test sentences are translated without
# a mistake?

# %% id="count"
seen_in_training = {tuple(target) for _, target in learned}


def count(pairs):
    """How many translations are right, and how many wrong ones are sentences of the training."""
    right = copied = 0
    for source, target in pairs:
        tokens, _ = translate(source)
        if tokens == target:
            right += 1
        elif tuple(tokens) in seen_in_training:
            copied += 1
    return right, copied


known, _ = count(test)
print(f"test sentences: ≈{known} of {len(test)} without a mistake")

# %% [markdown] id="new-text"
# Nearly all. Has the network learned to translate, or to recognize what it has seen? A harder test
# has sentences of the same lengths, and all their words were in training. But every pair of a verb
# and its object is new: people borrowed books and bicycles, and now they borrow umbrellas. How many
# of these 100 sentences are translated without a mistake?

# %% id="predict-new"
predict("03.new", ...)  # 0 to 100

# %% id="new"
from attnbook import read_record

new = short_pairs(corpus.split("test_composition"))
right, copied = count(new)
runs = read_record("03_short")["runs"]
with reveal("03.new", right, within=15):
    print(f"new combinations: ≈{right} of {len(new)} without a mistake")
    print(f"of the wrong ones ≈{copied} are, word for word, sentences of the training")
    print("\nrecorded, three more trainings, sentences of 100 without a mistake:")
    for times in (1, 10):
        of_known = [run["known"]["right"] for run in runs if run["times"] == times]
        of_new = [run["new"]["right"] for run in runs if run["times"] == times]
        print(f"{500 * times:5,} updates: known combinations {of_known}, new ones {of_new}")

# %% [markdown] id="new-read"
# <details><summary>What it says</summary>
#
# After 500 updates the network fails on most new combinations, although it knows every word. About
# half of its wrong translations or more are, word for word, sentences that it has learned: it
# writes a familiar sentence instead of the new one. After ten times the updates, it makes no
# mistake on known combinations, and still gets only 53 to 62 of the 100 new ones right.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# One small corpus, one recipe (no dropout, which you will meet in chapter 5), and one learning rate
# for both lengths of training. Known and new combinations have the same words and lengths.
#
# </details>

# %% [markdown] id="steps-text"
# ### One translation, step by step
#
# Here is the new sentence at which the network is least sure of one of its words.

# %% id="steps"
lowest = 1.0
for source, target in new:
    tokens, probabilities = translate(source)
    least_sure = min(p.max().item() for p in probabilities)
    if least_sure < lowest:
        lowest, unsure = least_sure, (source, target, tokens, probabilities)
source, target, tokens, probabilities = unsure
print(ko.decode(source), "→", approx_text(en.decode(tokens)))
print("reference:", en.decode(target))

# %% id="steps-figure" tags=["hide-input"]
# draws figure 3
fed = ["<sos>", *(en.tokens[token] for token in tokens)]
fig, ax = plt.subplots(figsize=(9, 2.9))
for t, (word, p) in enumerate(zip(fed, probabilities)):
    ax.text(t, -1.3, word, ha="center", va="center")
    for place, (chance, token) in enumerate(zip(*p.topk(3))):
        shade = plt.cm.Blues(0.75 * chance.item())
        ax.add_patch(plt.Rectangle((t - 0.45, 2 - place - 0.4), 0.9, 0.8, color=shade))
        text = f"{en.tokens[token]}\n{chance:.2f}"
        ink = "white" if chance > 0.7 else "black"
        ax.text(t, 2 - place, text, ha="center", va="center", color=ink, fontsize=9)
    if t + 1 < len(fed):
        look = {"color": figures.PALETTE[2], "lw": 1.2}
        ax.plot([t + 0.45, t + 0.5, t + 0.5], [2, 2, -0.7], **look)
        arrow = {"arrowstyle": "->", "shrinkA": 0, "shrinkB": 0, **look}
        ax.annotate("", (t + 1, -1.05), (t + 0.5, -0.7), arrowprops=arrow)
ax.set(xlim=(-0.6, len(fed) - 0.4), ylim=(-1.7, 2.6), xlabel="step")
ax.set_xticks(range(len(fed)), range(1, len(fed) + 1))
ax.set_yticks([-1.3, 0, 1, 2], ["fed", "third", "second", "most probable"])
ax.set_title("Figure 3. Greedy decoding: the most probable word is fed next")
ax.grid(False)
plt.show()

# %% [markdown] id="steps-figure-alt"
# <details><summary>The figure in words</summary>
#
# One column per step. At the bottom is the word that is fed, first the start token. Above it are
# the three most probable next words with their probabilities, the darker the more probable. An
# arrow leads from the top word of each column to the fed word of the next. The last top word is the
# end token. In at least one column no word is dark.
#
# </details>

# %% [markdown] id="steps-read"
# Where the top word is not dark, greedy decoding follows only one of several probable words.

# %% [markdown] id="agree-text"
# ## Does padding change anything?
#
# The library's `make_seq2seq` can build the same model. The collapsed cell copies our weights into
# it, under the library's names.

# %% id="agree-copy" tags=["hide-input"]
# copies the weights into the library's model
import attnlib

library = attnlib.model.make_seq2seq(
    len(ko),
    len(en),
    decoder="plain",
    embedding_size=64,
    hidden_size=128,
    bidirectional=False,
    tied_output=False,
)
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
print(f"{len(weights)} tensors of our model are now the library's")

# %% [markdown] id="agree-loss-text"
# We compute the loss of twelve test sentences one by one, without any padding; then in one batch,
# with your functions and with the library; then in two careless ways: with the last column as the
# last state, and with padding in the mean as well.

# %% id="agree"
from attnlib import training
from attnlib.data import Batch

twelve = test[:12]
batch = Batch(*make_batch([x for x, _ in twelve], [y for _, y in twelve]))
with torch.no_grad():
    alone = 0.0
    for source, target in twelve:
        src, mask, tgt_in, tgt_out, _ = make_batch([source], [target])
        logits = model(src, mask, tgt_in)
        alone += F.cross_entropy(logits[0], tgt_out[0], reduction="sum").item()
    careful = model(batch.src, batch.src_mask, batch.tgt_in)
    last_column = torch.ones_like(batch.src_mask)  # every position is called real
    careless = model(batch.src, last_column, batch.tgt_in)
    all_positions = F.cross_entropy(careless.flatten(0, 1), batch.tgt_out.flatten())
    results = {
        "one by one, no padding": alone / batch.tgt_mask.sum().item(),
        "padded, your functions": masked_loss(careful, batch.tgt_out, batch.tgt_mask).item(),
        "padded, attnlib": training.batch_loss(library, batch).item(),
        "last column as last state": masked_loss(careless, batch.tgt_out, batch.tgt_mask).item(),
        "… and padding in the mean": all_positions.item(),
    }
for name, result in results.items():
    print(f"{name:25} ≈{result:.4f} nats per token")

# %% [markdown] id="agree-read"
# The first three agree: padding changes nothing. The careless versions are worse with the very same
# weights. In the fourth, the encoder reads past the end of short sources; in the fifth, the mean
# includes padding as well, which the model never learned to predict.
#
# From here on we use the library's model and its `fit`: the same steps, with a learning rate that
# first rises and then falls.

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
# - The decoder's input and target are the same row, shifted by one. Shift first, pad afterward.
# - `<sos>` begins a sentence, and `<eos>`, which is predicted like a word, ends it.
# - A mask marks the real tokens (True). The context vector is the last *real* state, and the loss
#   is a mean over *real* tokens.
# - A translator that knows all the words of a sentence can still fail on a new combination of them.
#
# **Left out.** Encoders and decoders of several layers, as Sutskever et al. had; a search better
# than greedy (chapter 8); feeding the model's own predictions in training (chapter 7).
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
# **Next.** [Chapter 4](04_keys_and_values.ipynb) looks things up without a fixed vector; optional
# before it, [03b](03b_bottleneck.ipynb): how much fits through one vector, and what helps?

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Does padding change anything?
right_loss, yours, theirs, read_on, off = results.values()
torch.testing.assert_close(
    torch.tensor([yours, theirs]), torch.full((2,), right_loss), atol=1e-5, rtol=1e-4
)
check_range(right_loss, 0.0, 0.5)
check_range(read_on / right_loss, 1.2, 10_000)
check_range(off / read_on, 1.2, 10_000)

# New combinations of known words
for value, low, high in (
    (known, 93, 100),
    (right, 4, 65),
    (copied / (len(new) - right), 0.4, 0.95),
):
    check_range(value, low, high)
