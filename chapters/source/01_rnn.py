# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 01 · How can a network remember what it has read?
#
# **What you will be able to do.** Write a recurrent network with a loop, with matrices and with
# torch, and get the same numbers and the same gradients. Train one to guess the next word, let it
# write, and measure how many words back it really looks. Compute back-propagation through time by
# hand. Predict from one matrix how fast a network forgets. Clip a gradient without bending it.
#
# **What you need.** Python, a little PyTorch (tensors, `backward()`), matrix products, the chain
# rule. No chapter before this one, though chapter 00 shows how exercises work.
#
# **Time.** 60 minutes to read, 100 more for the eight exercises, at most a minute to run with one
# thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import math
from collections import Counter

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

import attnlib
from attnbook import about, exercise, progress
from attnbook.figures import learning_curves
from attnlib import figures
from attnlib.data import BOS, EOS, WordVocabulary, load_corpus, pad
from attnlib.device import seed_everything
from attnlib.masking import lengths_to_mask
from attnlib.training import perplexity

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(1)

# %% [markdown] id="order-text"
# ## The problem: sentences have an order and no fixed length
#
# A network that takes a fixed number of numbers cannot take a sentence. The simplest way out is to
# add up the vectors of the words, since a sum has the same size for any number of words.
#
# **Predict.** What does the sum know of *the dog bit the man* that it does not know of *the man bit
# the dog*?

# %% id="order"
words = ["the", "dog", "bit", "man"]
vectors = dict(zip(words, torch.randn(4, 3, generator=generator)))  # a vector for each word
news, no_news = ["the", "man", "bit", "the", "dog"], ["the", "dog", "bit", "the", "man"]
sums = [torch.stack([vectors[word] for word in text]).sum(0) for text in (news, no_news)]
print("the two sums are equal:", torch.allclose(*sums))

# %% [markdown] id="order-read"
# Nothing. What is missing is time. A person reads the first word, keeps something in mind, reads
# the second, and what is kept changes. A **recurrent network** does this with a vector, the
# **state** $h_t$: it is what the network has in mind after word $t$.

# %% [markdown] id="cell-text"
# ## The cell: one step of reading
#
# One step (a **time step**) takes the vector $x_t$ of the new word and the state $h_{t-1}$ from
# before, and makes the new state:
#
# $$h_t = \tanh(W_{ih}\, x_t + b_{ih} + W_{hh}\, h_{t-1} + b_{hh})$$
#
# $W_{ih}$ (*input to hidden*) has a row for each of the $H$ numbers of the state and a column for
# each of the $E$ numbers of the word; $W_{hh}$ (*hidden to hidden*) is square, $H$ by $H$; the two
# $b$, the **biases**, are $H$ numbers each, simply added. The tanh, a **nonlinearity**, bends every
# number into $(-1, 1)$. In one of the notes that this book grew from, the formula reads
# $\tanh(W_{hh}h_{t-1} + W\{xh\}x_t + b_h)$: a subscript that lost its underscore (it is $W_{xh}$,
# our $W_{ih}$), and one bias where torch has two. We will come to that.
#
# **By hand first**: a state of two numbers, a word of three, and every sum written out.

# %% id="cell-weights"
weight_ih = torch.tensor([[0.5, -1.0, 0.0], [1.0, 0.0, 0.5]])  # (H, E)
weight_hh = torch.tensor([[0.0, 1.0], [-1.0, 0.5]])  # (H, H)
bias_ih, bias_hh = torch.tensor([0.1, -0.2]), torch.tensor([0.0, 0.3])  # (H,) each
x, before = torch.tensor([1.0, 0.5, -1.0]), torch.tensor([0.2, -0.4])  # x_t (E,), h_{t-1} (H,)

# %% id="cell-loop"
after = []
for row in range(2):  # one number of the new state after the other
    total = bias_ih[row] + bias_hh[row]
    for column in range(3):
        total = total + weight_ih[row, column] * x[column]
    for column in range(2):
        total = total + weight_hh[row, column] * before[column]
    after.append(torch.tanh(total))
print("h_t:", [round(float(number), 3) for number in after])

# %% [markdown] id="cell-read"
# Every new number hears the whole word *and* the whole old state. That is the entire idea; what
# follows writes it shorter.

# %% [markdown] id="ex-rnn-step-text"
# ### Exercise 1.1 · One step for a batch
# *Warm-up, 6 minutes.* Write the step with matrices, for $B$ sentences at once: x (B, E), state
# (B, H), `weight_ih` (H, E), `weight_hh` (H, H), both biases (H,), result (B, H). Use torch's
# functions: further down a gradient goes back through your step.
#
# <details><summary>Hint 1</summary>In a batch every sentence is a row, and a row stands to the left
# of its matrix: a weight (H, E) acts as `x @ weight_ih.T`.</details>
# <details><summary>Hint 2</summary>The state goes through its own matrix in the same way. A bias
# (H,) is added to every row by itself.</details>
# <details><summary>Hint 3</summary>Add all four parts first, then one tanh over the
# sum.</details>


# %% id="ex-rnn-step" tags=["exercise"]
@exercise
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    """h_t = tanh(W_ih x_t + b_ih + W_hh h_{t−1} + b_hh). x (B, E), state (B, H) → (B, H)."""
    ### BEGIN SOLUTION
    return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)
    ### END SOLUTION


# %% [markdown] id="agree-text"
# The same step three times: the loop, the matrices, and torch's own `nn.RNNCell` with our numbers
# in it. Not only must the values agree: the gradients must, too.

# %% id="agree-values"
parameters = [weight_ih, weight_hh, bias_ih, bias_hh]
step = rnn_step(x.unsqueeze(0), before.unsqueeze(0), *parameters)  # a batch of one: (1, H)
torchs = nn.RNNCell(3, 2)
with torch.no_grad():
    for theirs, ours in zip(torchs.parameters(), parameters):  # the same four, in the same order
        theirs.copy_(ours)
by_torch = torchs(x.unsqueeze(0), before.unsqueeze(0))
torch.testing.assert_close(torch.stack(after), step[0])
torch.testing.assert_close(step, by_torch)
print("loop, matrices and nn.RNNCell agree")

# %% id="agree-gradients"
learnable = [parameter.clone().requires_grad_() for parameter in parameters]
rnn_step(x.unsqueeze(0), before.unsqueeze(0), *learnable).square().sum().backward()
by_torch.square().sum().backward()
for ours, theirs in zip(learnable, torchs.parameters()):
    torch.testing.assert_close(ours.grad, theirs.grad)
print("the gradients of all four agree")
print("gradients of the two biases equal:", torch.equal(learnable[2].grad, learnable[3].grad))

# %% [markdown] id="biases-read"
# The last line answers the question of the two biases. Only their sum enters the formula, so they
# get the same gradient, always; one would be enough, as in the note. Torch keeps two because the
# library that runs it on graphics cards (cuDNN) has two. (Remember it when you *set* a bias:
# chapter 2 sets one, and setting both would count twice.)

# %% [markdown] id="unroll-text"
# ## A sentence: the same cell again and again
#
# A network reads a sentence by applying the cell at each word, with the *same* matrices every
# time, and handing the state on. This loop is all that "recurrent" means. Written out in time it
# becomes a long chain, the network **unrolled**. Here it is over a Korean sentence of three
# words, 나는 집에 갔다 (*I went home*; word for word *I, home, went*), drawn with the shapes of the
# tensors themselves. $T$ is the number of words.

# %% id="unroll"
korean, gloss = ["나는", "집에", "갔다"], ["I", "home", "went"]
sentence = torch.randn(1, 3, 3, generator=generator)  # a vector for each word: (B, T, E)
chain = [torch.zeros(1, 2)]  # h_0: nothing read yet
for t in range(3):
    chain.append(rnn_step(sentence[:, t], chain[-1], *parameters))
outputs, last = attnlib.model.unroll(torchs, sentence)  # the library's loop, here over torch's cell
torch.testing.assert_close(torch.stack(chain[1:], dim=1), outputs)
print("states:", tuple(outputs.shape), "state after the sentence:", tuple(last.shape))
print("it is the last of them:", torch.equal(outputs[:, -1], last))


# %% id="draw-tools"
# A box with a text and an arrow with a label, for the drawings.
def box(ax, x, y, text, colour, size=11):
    look = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour}
    ax.text(x, y, text, ha="center", va="center", fontsize=size, bbox=look, zorder=3)


def arrow(ax, start, end, text="", colour="#444444", bend=0.0, room=20, up=0.13):
    line = {"arrowstyle": "-|>", "linewidth": 1.6, "color": colour, "shrinkA": room}
    line |= {"shrinkB": room, "connectionstyle": f"arc3,rad={bend}"}
    ax.annotate("", end, start, arrowprops=line, zorder=1)
    x, y = ((a + b) / 2 for a, b in zip(start, end))
    ax.text(x, y + up - bend, text, ha="center", va="center", color=colour, fontsize=10.5)


# %% id="unrolled-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8.5, 3.9))
for t in range(4):
    box(ax, 2 * t, 1, f"$h_{t}$  {tuple(chain[t].shape)}", figures.PALETTE[0])
    if t:
        box(ax, 2 * t, 0, f"$x_{t}$  {tuple(sentence[:, t - 1].shape)}", figures.PALETTE[2])
        ax.text(2 * t, -0.5, f"{korean[t - 1]} ({gloss[t - 1]})", ha="center", va="center")
        arrow(ax, (2 * t, 0), (2 * t, 1), room=16)
        arrow(ax, (2 * t - 2, 1), (2 * t, 1), "$W_{hh}$", room=34)
        ax.text(2 * t + 0.12, 0.5, "$W_{ih}$", va="center", fontsize=10.5, color="#444444")
        arrow(ax, (2 * t, 1), (2 * t, 2), room=16)
        box(ax, 2 * t, 2, f"a guess at word {t + 1}", figures.PALETTE[1])
ax.set(title="One cell, used three times", xlim=(-0.9, 7), ylim=(-0.8, 2.5))
ax.axis("off")
plt.show()

# %% [markdown] id="unrolled-alt"
# <details><summary>The figure in words</summary>
#
# Four boxes in a row, the states h 0 to h 3, each of shape (1, 2), joined by arrows from left to
# right that all carry the same matrix W hh. From below, the three Korean words come in as vectors
# of shape (1, 3), each through the same matrix W ih. Upward, each state from h 1 on leads to a
# guess at the next word.
#
# </details>

# %% [markdown] id="unrolled-read"
# Three steps, one set of weights. The number of weights does not depend on the length of the
# sentence, and the network can read sentences longer than any it was trained on (how *well* is
# another question). And unlike a sum, it notices the order:

# %% id="order-again"
finals = []
for text in (news, no_news):
    inputs = torch.stack([vectors[word] for word in text]).unsqueeze(0)  # (1, 5, 3)
    finals.append(attnlib.model.unroll(torchs, inputs)[1])
print("the two last states are equal:", torch.allclose(*finals))
print("weights:", sum(parameter.numel() for parameter in torchs.parameters()), "for any length")

# %% [markdown] id="mask-text"
# ### Sentences of different lengths in one batch
#
# To read many sentences at once they are filled up to the same length with **padding**. A
# **mask** marks what is real; in this book it is boolean and *True means: a real token* (a
# **token** is a word or a punctuation mark). If the cell simply read on, the state would drift
# away while it reads padding. So at padding the old state is kept.
#
# **Predict.** Below, a sentence of 4 words stands in a batch of 10 columns. Which columns of the
# picture will be equal?

# %% [markdown] id="ex-unroll-text"
# ### Exercise 1.2 · Read a padded batch
# *Core, 15 minutes.* `cell(x, state)` takes a word of each sentence (B, E) and a state (B, H), and
# gives the new state (B, H); a state of `None` means zeros. `inputs` are (B, T, E). Return all
# states, (B, T, H), and the last one, (B, H). Where `mask` (B, T) is False the state of that
# sentence stays what it was. Without a mask everything is real. Padding comes last in a sentence.
#
# <details><summary>Hint 1</summary>One loop over t: `new = cell(inputs[:, t], state)`, put it into
# a list, make it the state. At the end `torch.stack(list, dim=1)`.</details>
# <details><summary>Hint 2</summary>`torch.where(real, new, old)` chooses element by element. The
# mask's column is (B,); `mask[:, t].unsqueeze(1)` is (B, 1) and fits (B, H).</details>
# <details><summary>Hint 3</summary>What goes into the list is the state *after* the choice, and the
# last state is the last of the list. If the state is still None there is nothing to keep: take
# `torch.zeros_like(new)` as the old one.</details>


# %% id="ex-unroll" tags=["exercise"]
@exercise
def unroll(cell, inputs, state=None, mask=None):
    """All states (B, T, H) and the last (B, H); where mask (B, T) is False the state is kept."""
    ### BEGIN SOLUTION
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), state
    ### END SOLUTION


# %% id="padded"
reader = nn.RNNCell(3, 12)
batch = torch.randn(2, 10, 3, generator=generator)  # padding holds rubbish here, on purpose
mask = lengths_to_mask(torch.tensor([10, 4]))
with torch.no_grad():
    states, final = unroll(reader, batch, mask=mask)
    alone, alone_final = unroll(reader, batch[1:, :4])
    careless, _ = unroll(reader, batch)
print("short sentence, same last state as alone:", torch.allclose(final[1], alone_final[0]))
print("without the mask:                        ", torch.allclose(careless[1, -1], alone_final[0]))

# %% id="padded-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(8.5, 3.4), sharey=True)
panels = {"without the mask": careless[1], "with the mask": states[1]}
for ax, (title, table) in zip(axes, panels.items()):
    image = ax.imshow(table.T, cmap="PuOr", vmin=-1, vmax=1, aspect="auto")
    ax.axvline(3.5, color="#000000", linewidth=2, linestyle="--")
    ax.set(title=title, xlabel="position t (4 words, then padding)")
    ax.set_xticks(range(10), range(1, 11))
    ax.grid(visible=False)
axes[0].set_ylabel("unit of the state")
fig.colorbar(image, ax=axes, label="value of the unit (−1 to 1)")
plt.show()

# %% [markdown] id="padded-alt"
# <details><summary>The figure in words</summary>
#
# Two heat maps of twelve units over ten positions, with a dashed line after position 4 where
# padding begins. Without the mask the colours go on changing to the right of the line. With the
# mask every column right of the line is the same as column 4.
#
# </details>

# %% [markdown] id="padded-read"
# With the mask, columns 4 to 10 are equal: the sentence is over and the state waits. This is the
# reason why the last state of a padded batch is well defined here; chapter 3 shows what goes wrong
# elsewhere.

# %% [markdown] id="language-text"
# ## Guessing the next word
#
# What should a state remember? Whatever helps with the task. The classic task needs no labels: read
# a sentence and, at each word, guess the next (a **language model**;
# [Elman](D_papers.ipynb#cell-id=elman-1990) did it with a small artificial grammar in 1990,
# [Mikolov et al.](D_papers.ipynb#cell-id=mikolov-2010) with real text in 2010). The state is turned
# into one number for each word of the **vocabulary**:
#
# $$y_t = W_{hy}\, h_t + b_y$$
#
# The note stops here. These numbers are not probabilities yet but **logits**: they may be
# negative and sum to nothing in particular. A softmax makes probabilities of them,
# $p_t = \mathrm{softmax}(y_t)$, and the loss is the **cross-entropy**: minus the logarithm of the
# probability that the right word got.

# %% id="logits"
to_words = nn.Linear(2, 5)  # W_hy (V, H) and b_y (V,), for a vocabulary of five words
logits = to_words(last)  # (1, V)
p, right = logits.softmax(-1), torch.tensor([2])
print("logits:       ", [round(number, 2) for number in logits[0].tolist()])
print("probabilities:", [round(number, 2) for number in p[0].tolist()])
torch.testing.assert_close(F.cross_entropy(logits, right), -p[0, 2].log())
print("F.cross_entropy takes the logits and gives −log p(right word)")

# %% [markdown] id="corpus-text"
# Our text is the English side of the book's corpus: sentences and small stories from a grammar,
# simple in their words, though some of them are long. `BOS` (*beginning of sentence*) is put in
# front and `EOS` (*end*) behind, so that the first word can be guessed from something and the end
# can be guessed at all.

# %% id="corpus"
corpus = load_corpus("ko-en")
vocabulary = WordVocabulary.build(pair.tgt for pair in corpus.train)


def numbered(text):
    return torch.tensor([BOS, *vocabulary.encode(text), EOS])


train, test = ([numbered(pair.tgt) for pair in part] for part in (corpus.train, corpus.test))
print(f"{len(train):,} sentences to learn from, {len(vocabulary)} words")
print(corpus.train[2].tgt)

# %% [markdown] id="ex-next-word-pairs-text"
# ### Exercise 1.3 · What is guessed from what
# *Warm-up, 8 minutes.* `sentence` is a list of words (any objects), its first the start and its
# last the end. Return the list of all guesses in it, in order: for each word but the first a tuple
# `(history, word)`, where history is the list of the words before it. A reader with a short memory
# knows at most the `most` words directly before (`most` is 1 or more); early in the sentence there
# are fewer.
#
# <details><summary>Hint 1</summary>The word at position t is guessed from `sentence[:t]`. Where
# does t start, where does it end?</details>
# <details><summary>Hint 2</summary>Keep the *last* `most` words of the history: a slice from
# `t - most` to `t`.</details>
# <details><summary>Hint 3</summary>A negative start would count from the end of the list: take
# `max(0, t - most)`.</details>


# %% id="ex-next-word-pairs" tags=["exercise"]
@exercise
def next_word_pairs(sentence, most):
    """[(history, word), ...] for every word but the first; history is a list of at most `most`."""
    ### BEGIN SOLUTION
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence))]
    ### END SOLUTION


# %% id="pairs-use"
for history, word in next_word_pairs(["<s>", "the", "dog", "slept", ".", "</s>"], most=3):
    print(f"{' '.join(history):15} → {word}")

# %% [markdown] id="pairs-read"
# One sentence is many guesses. A network that reads from left to right makes them all in one
# pass, because $h_t$ has seen exactly the words up to $t$: the inputs are the sentence without its
# last word, the targets the same sentence without its first.

# %% [markdown] id="model-text"
# ### The model, and its training
#
# An **embedding** (a vector for each word, learnt), a recurrent layer, a linear layer to the
# logits. `nn.RNN` is torch's loop over the cell in fast code; that it computes what you have
# written is checked below. (One peculiarity, for a measurement to come: half of the sentences are
# shown from a random word on, so that the network also learns to begin in the middle.)


# %% id="model"
class NextWord(nn.Module):
    def __init__(self, words, embed=64, hidden=128):
        super().__init__()
        self.embed = nn.Embedding(words, embed)
        self.rnn = nn.RNN(embed, hidden, batch_first=True)
        self.output = nn.Linear(hidden, words)  # W_hy and b_y

    def forward(self, ids, state=None):
        """Word numbers (B, T) → states (B, T, H)."""
        return self.rnn(self.embed(ids), state)[0]


# %% id="batch"
def draw_batch(count=32):
    """Inputs, targets and mask, each (B, T): sentences drawn at random, half of them cut."""
    drawn = []
    for index in torch.randint(len(train), (count,)).tolist():
        cut = torch.randint(len(train[index]) - 1, ()) if torch.rand(()) < 0.5 else 0
        drawn.append(train[index][cut:].tolist())
    ids, mask = pad(drawn)
    return ids[:, :-1], ids[:, 1:], mask[:, 1:]


def surprise(model, inputs, targets, mask):
    """Mean cross-entropy of the real words, in nats."""
    return F.cross_entropy(model.output(model(inputs)[mask]), targets[mask])


# %% id="train"
seed_everything(1)
model, untrained = NextWord(len(vocabulary)), NextWord(len(vocabulary))
optimizer = torch.optim.Adam(model.parameters(), lr=0.004)
slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=800)
losses = []
for _ in range(800):  # about ten seconds, with AVX-512 or without
    loss = surprise(model, *draw_batch())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    slower.step()
    losses.append(loss.item())

# %% id="own-loop"
weights = [parameter.detach() for parameter in model.rnn.parameters()]
words = test[0][:-1].unsqueeze(0)
with torch.no_grad():
    ours, _ = unroll(lambda x, h: rnn_step(x, h, *weights), model.embed(words), torch.zeros(1, 128))
    torch.testing.assert_close(ours, model(words), atol=1e-5, rtol=1e-4)
print("your loop over your step computes what nn.RNN computes")

# %% [markdown] id="perplexity-text"
# A loss in **nats** (the unit that goes with the natural logarithm) is hard to picture. Its
# exponential, the **perplexity**, is not: a perplexity of 10 means that the network is as unsure
# as if it had to choose among 10 equally likely words. For one that knows nothing the perplexity
# is the size of the vocabulary.
#
# **Predict.** Of more than a thousand words, how many are left to choose from on average after 800
# updates: 300, 50, 4?

# %% id="loss-figure"
fig, ax = plt.subplots(figsize=(7.5, 3.8))
smooth = torch.tensor(losses).view(-1, 20).mean(1).exp()  # each the mean of 20 updates
ax.plot(range(10, 800, 20), smooth)
ax.axhline(len(vocabulary), linestyle="--", color="#555555")
ax.text(790, len(vocabulary) * 0.75, "every word equally likely", ha="right", color="#555555")
ax.set(title="Learning to guess the next word (one run)", yscale="log")
ax.set(xlabel="updates", ylabel="perplexity (words to choose from)")
plt.show()

# %% [markdown] id="loss-alt"
# <details><summary>The figure in words</summary>
#
# Perplexity on a logarithmic axis over 800 updates. A dashed line above 1,000 words marks the guess
# that every word is equally likely. The curve, a mean over every 20 updates, begins below it near
# 200, falls steeply to about 9 in the first 200 updates and then more slowly to about 4.
#
# </details>

# %% id="test-perplexity"
with torch.no_grad():
    ids, mask = pad([sentence.tolist() for sentence in test])
    total = surprise(model, ids[:, :-1], ids[:, 1:], mask[:, 1:]) * mask[:, 1:].sum()
unseen = perplexity(total.item(), int(mask[:, 1:].sum()))
print("words to choose from, on sentences it never saw:", about(unseen, 3.0, 6.0, ".1f"))

# %% [markdown] id="surprise-text"
# The lowest of the three guesses was right. But the average hides the interesting part. Which
# words of a sentence are easy to guess, and which are not? Nobody can know *where* somebody went;
# but what comes right after *went*? And the sentence below says *bananas* twice. Is the word as
# surprising the second time?

# %% id="surprise-figure"
text = "Jiho went to the market to buy bananas, but there were no bananas, so he bought grapes."
ids = numbered(text)
with torch.no_grad():
    log_p = model.output(model(ids[:-1].unsqueeze(0)))[0].log_softmax(-1)
nats = -log_p[range(len(ids) - 1), ids[1:]]
fig, ax = plt.subplots(figsize=(8.5, 3.4))
ax.bar(range(len(nats)), nats, color=figures.PALETTE[0])
ax.set_xticks(range(len(nats)), [*vocabulary.tokenize(text), "(end)"], rotation=40, ha="right")
ax.set(title="How surprising is each word, given all before it?")
ax.set(xlabel="word that is guessed", ylabel="−log p (nats)")
plt.show()

# %% [markdown] id="surprise-alt"
# <details><summary>The figure in words</summary>
#
# Bar chart over the words of "Jiho went to the market to buy bananas, but there were no bananas, so
# he bought grapes". The bars of words that carry news, such as "Jiho", "went", "bananas" and
# "grapes", are high; those of words that the grammar demands, such as "to" and "the" after "went",
# and "were", are near zero. The bar of the second "bananas" is about as high as that of the first.
#
# </details>

# %% [markdown] id="surprise-read"
# After *went* the network is almost sure of *to*. Words that grammar demands cost little, words
# that carry news cost most. Nobody told the network about grammar. But look at the second
# *bananas*. It is no news: it stands there already, six tokens before. The network is about as
# surprised as the first time. It knows that a fruit is due, and not which one.

# %% [markdown] id="draw-word-text"
# ### Letting it write
#
# A model that guesses the next word can write: guess, *draw* a word from the probabilities, feed
# it back as the next input. How daring should the drawing be? That is set by a **temperature**,
# by which the logits are divided before the softmax: below 1 it sharpens the probabilities, above
# 1 it flattens them.

# %% [markdown] id="ex-draw-word-text"
# ### Exercise 1.4 · Draw a word
# *Core, 10 minutes.* `logits` (V,), `temperature` above 0, and `chance`, a number drawn evenly from
# [0, 1). Lay the probabilities of the words side by side on a line from 0 to 1: word 0 first, then
# word 1, and so on. Return the number of the word in whose piece `chance` lies, an int.
#
# With probabilities 0.2, 0.5, 0.3 the pieces end at 0.2, 0.7 and 1: chance 0.1 draws word 0, chance
# 0.2 and chance 0.65 draw word 1, chance 0.9 draws word 2.
#
# <details><summary>Hint 1</summary>First the probabilities: softmax of the logits, *divided* by the
# temperature.</details>
# <details><summary>Hint 2</summary>`p.cumsum(0)` says where each piece ends.</details>
# <details><summary>Hint 3</summary>The number of pieces that end at or before `chance` is the
# number of the word: `(ends <= chance).sum()`. Turn it into an int.</details>


# %% id="ex-draw-word" tags=["exercise"]
@exercise
def draw_word(logits, temperature, chance):
    """The number of the word in whose share of [0, 1) `chance` lies. logits (V,) → int."""
    ### BEGIN SOLUTION
    ends = (logits / temperature).softmax(-1).cumsum(-1)
    return int((ends <= chance).sum())
    ### END SOLUTION


# %% id="temperature"
few = torch.tensor([2.0, 1.0, 0.0])
for temperature in (0.25, 1.0, 4.0):
    chances = [(n + 0.5) / 1000 for n in range(1000)]  # a thousand draws, evenly spread
    drawn = Counter(draw_word(few, temperature, chance) for chance in chances)
    print(f"temperature {temperature:4}: of 1000 draws {[drawn[word] for word in range(3)]}")


# %% id="write"
@torch.no_grad()
def write(temperature, longest=25):
    ids, state = [BOS], torch.zeros(1, 1, 128)
    while ids[-1] != EOS and len(ids) < longest:
        states = model(torch.tensor([[ids[-1]]]), state)  # one step at a time
        state = states.transpose(0, 1)  # (1, B, H), as nn.RNN wants it
        chance = torch.rand((), generator=generator).item()
        word = draw_word(model.output(states[0, 0]), temperature, chance)
        ids.append(min(word, len(vocabulary) - 1))  # rounding may end the last piece below 1
    return vocabulary.decode(ids)


# %% [markdown] id="write-text"
# **Predict.** The temperatures are 0.3, 1 and 2. Which of them will write sentences that you
# might find in the corpus, which will repeat itself, which will rave?

# %% id="write-figure"
fig, ax = plt.subplots(figsize=(9, 4.6))
for row, temperature in enumerate((0.3, 1.0, 2.0)):
    ax.text(0, 3.3 * row, f"temperature {temperature}", fontsize=12, color=figures.PALETTE[row])
    for line in range(3):
        text = write(temperature)
        text = text if len(text) < 92 else text[:90].rsplit(" ", 1)[0] + " ..."
        ax.text(0.03, 3.3 * row + 0.8 * (line + 1), text, fontsize=10.5)
ax.set(title="Sentences that the network wrote", xlim=(0, 1), ylim=(9.6, -0.8))
ax.axis("off")
plt.show()

# %% [markdown] id="write-alt"
# <details><summary>The figure in words</summary>
#
# Nine sentences written by the network, three for each temperature. At 0.3 they are alike and
# mostly well-formed; at 1.0 they are varied, some of them odd in grammar or meaning; at 2.0 the
# words hardly fit together.
#
# </details>

# %% [markdown] id="write-read"
# At a low temperature it repeats its favourite words, at a high one it raves. At 1 it draws what it
# believes. And where it does not rave you can see what it has *not* learnt: most words fit the one
# or two before them, but a sentence may have forgotten at its end how it began. We now measure
# that. (Chapter 8 returns to drawing words, and to better ways of searching for a good sentence.)

# %% [markdown] id="history-text"
# ## How far back does it really look?
#
# The note says that the next word is predicted from "a vector made by accumulating *all* words so
# far". As a description of the formula this is right: every earlier word has a path into $h_t$. But
# does what it wrote into the vector fifteen words ago still matter?
#
# The test: words deep in long sentences, each with at least 24 tokens before it. Give the network
# only the last $k$ of those, the short histories of exercise 1.3 (it starts from a state of
# zeros, which it has practised), for growing $k$. For $k = 0$ no network is needed: all that can
# be known then is how frequent each word is.
#
# **Predict.** The perplexity with 1, 4 and 24 previous words. From which $k$ on will more words not
# help any more?


# %% id="context"
long = [sentence for sentence in test if len(sentence) > 26]


@torch.no_grad()
def surprise_with(k):
    """Mean cross-entropy of the words from position 24 on, if k words before are known."""
    windows = torch.cat([s.unfold(0, k + 1, 1)[24 - k :] for s in long])  # (N, k + 1)
    logits = model.output(model(windows[:, :-1])[:, -1])
    return F.cross_entropy(logits, windows[:, -1]).item()


context = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24]
known = {k: math.exp(surprise_with(k)) for k in context}

# %% id="context-none"
counts = Counter(word for sentence in train for word in sentence[1:].tolist())
guessed = [word for sentence in long for word in sentence[24:].tolist()]
total = sum(-math.log(counts[word] / counts.total()) for word in guessed)
known = {0: perplexity(total, len(guessed)), **known}
print(f"{len(guessed):,} words in {len(long)} sentences")

# %% id="context-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
ax.plot(list(known), list(known.values()), "o-")
ax.set(title="How many previous words does the network use? (one run)", yscale="log")
ax.set(xlabel="words it may use, k", ylabel="perplexity (words to choose from)")
ax.set_yticks([3, 5, 10, 20, 50, 100, 200], [3, 5, 10, 20, 50, 100, 200])
ax.minorticks_off()
plt.show()

# %% [markdown] id="context-alt"
# <details><summary>The figure in words</summary>
#
# Perplexity on a logarithmic axis against the number of previous words from 0 to 24. It falls from
# above 100 with no word to about 16 with one, about 7 with two, about 3 with five, and is level
# from about ten words on.
#
# </details>

# %% id="context-numbers"
print("a first word of context halves the perplexity at least:", known[1] < known[0] / 2)
print("the second word: another quarter at least:             ", known[2] < 0.75 * known[1])
further = about(100 * (1 - known[24] / known[10]), -1, 4, ".1f")
print(f"all that lies more than 10 words back lowers it by {further} %")

# %% [markdown] id="context-read"
# Accumulated: yes. Used: the last ten words or so, and chiefly the last five. Everything more than
# ten words back lowers the perplexity of this network by hardly anything. (One run, one size, 800
# updates. The note's sentence describes what the state *may* hold; this curve is about what it does
# hold.)
#
# Perhaps there is simply nothing of interest further back? In this corpus there is. A story keeps
# one tense to its end, so its first word may decide a verb thirty words later.

# %% id="will-counts"
for first in ("Yesterday,", "Tomorrow,"):
    texts = [pair.tgt for pair in corpus.train if pair.tgt.startswith(first)]
    print(f"{first:10} {len(texts):5} sentences, with 'will': {sum(' will ' in t for t in texts)}")

# %% [markdown] id="will-text"
# Never after *yesterday*, always after *tomorrow* (where *will* is missing, it says *won't*): as
# clear as language gets. So let the network read *Yesterday, Minsu* and *Tomorrow, Minsu*, and ask
# how probable *will* is next. Then the same with a sentence in between, three of them in turn:
# *Tomorrow, Minsu will go to the market. He*. That sentence is in the right tense itself, so
# whoever reads it is told the tense twice. To see what the first word alone does, we also exchange
# nothing but it. Six names take turns, and we take the mean.
#
# **Predict.** Right after the beginning, by what factor is *will* more probable after *Tomorrow*?
# And after the sentence?


# %% id="will"
@torch.no_grad()
def p_will(texts):
    """The mean probability of "will" after the texts."""
    logits = [model.output(model(numbered(text)[:-1].unsqueeze(0))[0, -1]) for text in texts]
    return torch.stack(logits).softmax(-1)[:, vocabulary.index["will"]].mean().item()


people = {"Minsu": "He", "Jiho": "He", "Junho": "He", "Sora": "She", "Yuna": "She", "Eunji": "She"}
past = ["went to the market", "went to the library with Sujin and borrowed three books"]
past += ["met a friend at the theater and watched a movie"]
future = ["will go to the market", "will go to the library with Sujin and borrow three books"]
future += ["will meet a friend at the theater and watch a movie"]


def stories(first, clauses):
    return [f"{first}, {name} {c}. {pronoun}" for name, pronoun in people.items() for c in clauses]


# %% id="will-numbers"
at_once = [p_will([f"{first}, {name}" for name in people]) for first in ("Tomorrow", "Yesterday")]
later = p_will(stories("Tomorrow", future)), p_will(stories("Yesterday", past))
swapped = p_will(stories("Yesterday", future))
print("will is more probable by a factor of")
print("  at once:                         ", about(at_once[0] / at_once[1], 1.5, 30, ".1f"))
print("  a sentence later:                ", about(later[0] / later[1], 0.8, 3, ".1f"))
print("  where only the first word counts:", about(later[0] / swapped, 0.85, 1.15, ".2f"))

# %% [markdown] id="will-read"
# In the corpus the factor is infinite. Right after the beginning the network has noticed, though
# not more than that. A sentence later little is left, and that little comes from the verb of the
# sentence in between: whether it all began with *yesterday* or *tomorrow*, the network does not
# know any more. (One run and three sentences, here too.) The information would be worth having, the
# formula has room for it, and it is gone. "Words from the beginning become fainter and fainter",
# says the note, and it is right about this network. The rest of the chapter finds out why, and the
# reason lies in how a network *learns*.

# %% [markdown] id="bptt-text"
# ## Back-propagation through time
#
# How does the loss at the end teach the first word's step? Unrolled, the network is an ordinary
# deep one: as many layers as words, all with the same weights. The chain rule walks through it
# backward. Let us do that by hand on three steps, with a state of one number and a target $y$ for
# the last state:
#
# $$h_t = \tanh(w\, h_{t-1} + u\, x_t), \qquad L = \tfrac{1}{2}(h_3 - y)^2$$

# %% id="bptt-forward"
w, u, y = 0.8, 1.0, 1.0
xs = [0.5, -0.3, 0.2]
h = [0.0]
for x_t in xs:
    h.append(math.tanh(w * h[-1] + u * x_t))
loss = 0.5 * (h[3] - y) ** 2
print("h_0 to h_3:", [round(number, 3) for number in h], "loss", round(loss, 3))

# %% [markdown] id="bptt-formula"
# Backward, one step at a time. Write $g_t$ for $\partial L / \partial h_t$. Through the tanh it
# shrinks by the slope of the tanh, $1 - h_t^2$, and becomes $a_t$; this splits three ways: to $w$
# (times what $w$ was multiplied with, $h_{t-1}$), to $u$ (times $x_t$), and on to the state
# before (times $w$):
#
# $$a_t = g_t\,(1 - h_t^2), \qquad
# \frac{\partial L}{\partial w} \mathrel{+}= a_t\, h_{t-1}, \qquad
# \frac{\partial L}{\partial u} \mathrel{+}= a_t\, x_t, \qquad
# g_{t-1} = w\, a_t$$
#
# The $\mathrel{+}=$ is the "through time": $w$ was used three times, and every use adds its part.
#
# **Predict.** $w$ is used three times. Which of its three parts is exactly zero?

# %% id="bptt-hand"
g = [0.0, 0.0, 0.0, h[3] - y]  # g_3 = dL/dh_3; the others are to come
parts_w, parts_u = [], []
for t in (3, 2, 1):
    a = g[t] * (1 - h[t] ** 2)
    parts_w.append(a * h[t - 1])
    parts_u.append(a * xs[t - 1])
    g[t - 1] = w * a
print("parts of dL/dw at t = 3, 2, 1:", [round(part + 0.0, 4) for part in parts_w])
print("g_3 to g_0:", [round(number, 3) for number in g[::-1]])

# %% id="bptt-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(9, 3.7))
blue, red = figures.PALETTE[0], "#A04000"
for t in range(4):
    box(ax, 2.4 * t, 1, f"$h_{t}$ = {h[t]:.3f}", blue)
    ax.text(2.4 * t, 1.55, f"$g_{t}$ = −{abs(g[t]):.3f}", ha="center", color=red, fontsize=11)
    if t:
        box(ax, 2.4 * t, 0, f"$x_{t}$ = {xs[t - 1]}".replace("-", "−"), figures.PALETTE[2])
        arrow(ax, (2.4 * t, 0), (2.4 * t, 1), room=16)
        arrow(ax, (2.4 * t - 2.4, 1), (2.4 * t, 1), "× w, tanh", room=40, up=-0.2)
        factor = w * (1 - h[t] ** 2)
        text = f"× {factor:.2f}"
        arrow(ax, (2.4 * t, 1.6), (2.4 * t - 2.4, 1.6), text, red, bend=0.3, room=36, up=0.42)
box(ax, 9.3, 1, f"$L$ = {loss:.3f}", "#000000")
arrow(ax, (7.2, 1), (9.3, 1), room=38)
ax.set(
    title="Three steps: forward to the right, backward in red", xlim=(-0.8, 10.1), ylim=(-0.4, 2.3)
)
ax.axis("off")
plt.show()

# %% [markdown] id="bptt-alt"
# <details><summary>The figure in words</summary>
#
# The unrolled network of three steps with its numbers. Along the middle the states from h 0 = 0 to
# h 3 and the loss, joined by arrows to the right; from below the three inputs. Above the states,
# the gradients, largest in size at h 3; red arrows lead from each to the one before and carry
# factors between 0.6 and 0.8.
#
# </details>

# %% id="bptt-autograd"
w_, u_ = torch.tensor(w, requires_grad=True), torch.tensor(u, requires_grad=True)
state = torch.zeros(())
for x_t in xs:
    state = torch.tanh(w_ * state + u_ * x_t)
(0.5 * (state - y) ** 2).backward()
torch.testing.assert_close(torch.tensor(sum(parts_w)), w_.grad)
torch.testing.assert_close(torch.tensor(sum(parts_u)), u_.grad)
print("by hand = autograd, for w and for u")

# %% [markdown] id="bptt-read"
# The part of step 1 is zero because $h_0$ is. And look at the red numbers: each step back
# multiplies the gradient by $w(1 - h_t^2)$, here by less than one. Three steps have cost more
# than half of it. Thirty would leave next to nothing.
#
# With vectors the same formulas hold: the slope multiplies number by number (written $\odot$),
# and the way back through $W_{hh}$ is its **transpose**,
#
# $$a_t = g_t \odot (1 - h_t^2), \qquad g_{t-1} = W_{hh}^\top a_t + (\text{what } L
# \text{ says to } h_{t-1} \text{ directly}).$$
#
# The bracket is for losses that look at *every* state, as a language model's does.

# %% [markdown] id="ex-bptt-text"
# ### Exercise 1.5 · Back-propagation through time
# *Hard, 25 minutes; this one hurts.* No autograd. `inputs` (T, E) are $x_1 \dots x_T$; `states`
# (T+1, H) are $h_0 \dots h_T$ of $h_t = \tanh(W_{ih} x_t + W_{hh} h_{t-1} + b)$; `grad_states`
# (T, H) is what the loss says directly to $h_1 \dots h_T$; `weight_hh` (H, H). Return the three
# gradients for $W_{ih}$ (H, E), $W_{hh}$ (H, H) and $b$ (H,), as a tuple.
#
# <details><summary>Hint 1</summary>Go from t = T down to 1 with a vector `carried`, zeros at first:
# what comes back from later steps. The gradient at h_t is `carried` plus what the loss says to it
# directly. Mind the numbering: h_t is `states[t]`, its x_t is `inputs[t - 1]`.</details>
# <details><summary>Hint 2</summary>`a = (carried + direct) * (1 - states[t] ** 2)`. A weight's part
# is an outer product: rows belong to a, columns to what the weight was multiplied
# with.</details>
# <details><summary>Hint 3</summary>`torch.outer(a, inputs[t - 1])` for W_ih,
# `torch.outer(a, states[t - 1])` for W_hh, a itself for b; add them up over all steps. Then
# `carried = weight_hh.T @ a`.</details>


# %% id="ex-bptt" tags=["exercise"]
@exercise
def bptt(inputs, states, grad_states, weight_hh):
    """Gradients for W_ih (H, E), W_hh (H, H), b (H,) from x (T, E), h (T+1, H), dL/dh (T, H)."""
    ### BEGIN SOLUTION
    grad_ih = torch.zeros(states.shape[1], inputs.shape[1])
    grad_hh, grad_bias = torch.zeros_like(weight_hh), torch.zeros(states.shape[1])
    carried = torch.zeros(states.shape[1])
    for t in range(len(inputs), 0, -1):
        a = (carried + grad_states[t - 1]) * (1 - states[t] ** 2)
        grad_ih = grad_ih + torch.outer(a, inputs[t - 1])
        grad_hh = grad_hh + torch.outer(a, states[t - 1])
        grad_bias = grad_bias + a
        carried = weight_hh.T @ a
    return grad_ih, grad_hh, grad_bias
    ### END SOLUTION


# %% [markdown] id="bptt-use-text"
# The same on the trained language model and one of its test sentences, against torch's
# `backward()`: 128 units, every word with its own loss.

# %% id="bptt-use"
model.zero_grad()
ids = test[0]
embedded = model.embed(ids[:-1]).detach()
states = model(ids[:-1].unsqueeze(0))
states.retain_grad()  # what the loss says to each state directly: the recurrence is inside nn.RNN
F.cross_entropy(model.output(states[0]), ids[1:]).backward()
h_all = torch.cat([torch.zeros(1, 128), states[0].detach()])
by_hand = bptt(embedded, h_all, states.grad[0], model.rnn.weight_hh_l0.detach())
names = ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0"]
for ours, name in zip(by_hand, names):
    torch.testing.assert_close(ours, getattr(model.rnn, name).grad, atol=1e-5, rtol=1e-3)
print("by hand = torch's backward(), for a network of 128 units")

# %% [markdown] id="truncated-text"
# Going all the way back needs all states in memory. On a text of a million words one cuts the
# chain every so many steps (**truncated** back-propagation through time): the state is handed on,
# the gradient is not. Our sentences are short enough to do without the cut. What the cut throws
# away may have been next to nothing anyway, as you will see now.

# %% [markdown] id="reach-text"
# ## How far does a gradient reach?
#
# From $h_T$ back to $h_t$ the gradient is multiplied $T - t$ times by a matrix:
#
# $$\frac{\partial h_t}{\partial h_{t-1}} = \mathrm{diag}(1 - h_t^2)\, W_{hh}$$
#
# ($\mathrm{diag}$ puts the slopes on the diagonal of a matrix of zeros.) In many products with one
# matrix, what decides is its **spectral radius** $\rho$, the largest absolute value among its
# eigenvalues. (An **eigenvalue** $\lambda$ belongs to a vector $v$ that the matrix only stretches,
# $W v = \lambda v$. It may be a complex number; then the matrix also turns.) Leave the slopes aside
# for a moment. Then $d$ steps back are $d$ products by $W_{hh}^\top$, and for large $d$ they grow
# or shrink like $\rho^d$: above 1 they **explode**, below 1 they **vanish**. [Bengio, Simard and
# Frasconi (1994)](D_papers.ipynb#cell-id=bengio-1994) and
# [Hochreiter](D_papers.ipynb#cell-id=hochreiter-1991) in his thesis (1991) saw that this is not an
# accident of a program but the nature of the chain. What suffers are **long-term dependencies**
# (장기 의존성): words that depend on others far back.
#
# How large is $\rho$ when training begins? Here are four ways to fill the matrix (its
# **initialization**), and the eigenvalues that come out. (An **orthogonal** matrix turns or mirrors
# a vector and leaves its length as it is.)
#
# **Predict.** Torch fills a recurrent matrix with evenly spread random numbers between
# $-1/\sqrt{H}$ and $1/\sqrt{H}$. Is its $\rho$ below 1, about 1, or above?

# %% id="starts"
STARTS = {
    "torch's default": lambda w: nn.init.uniform_(w, -(len(w) ** -0.5), len(w) ** -0.5),
    "normal, 1/√H": lambda w: nn.init.normal_(w, 0.0, len(w) ** -0.5),
    "orthogonal": lambda w: nn.init.orthogonal_(w),
    "orthogonal × 1.5": lambda w: nn.init.orthogonal_(w, gain=1.5),
}


def make_matrix(start, seed, size=64):
    seed_everything(seed)
    return STARTS[start](torch.empty(size, size, dtype=torch.float64))


# %% id="eigenvalues-figure"
fig, axes = plt.subplots(1, 4, figsize=(10, 3.2), sharey=True)
circle = torch.exp(1j * torch.linspace(0, 2 * math.pi, 200))
for ax, start, colour in zip(axes, STARTS, figures.PALETTE):
    values = torch.linalg.eigvals(make_matrix(start, seed=1))
    ax.plot(circle.real, circle.imag, color="#555555", linewidth=1.2)
    ax.scatter(values.real, values.imag, s=14, color=colour)
    ax.set(title=start, xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal", xlabel="real part")
axes[0].set_ylabel("imaginary part")
fig.suptitle("Eigenvalues of four recurrent matrices; the circle has radius 1")
plt.show()

# %% [markdown] id="eigenvalues-alt"
# <details><summary>The figure in words</summary>
#
# Four scatter plots of 64 complex eigenvalues each with the unit circle. Torch's default fills a
# disc of radius about 0.6. The normal start fills a disc that just reaches the circle. The
# orthogonal start lies exactly on the circle, the one times 1.5 on a larger circle.
#
# </details>

# %% id="radius"
print("start               spectral radius   largest singular value   (mean of 5 matrices)")
for start in STARTS:
    five = torch.stack([make_matrix(start, seed) for seed in range(5)])
    rho = torch.linalg.eigvals(five).abs().amax(1).mean()
    print(f"{start:18}{rho:12.2f}{torch.linalg.svdvals(five).amax(1).mean():22.2f}")
print(f"1/√3 = {3**-0.5:.2f}")

# %% [markdown] id="radius-read"
# Torch's default starts far inside the circle. This is no accident. The eigenvalues of a large
# matrix of independent random entries with mean 0 and variance $\sigma^2$ nearly fill a disc of
# radius $\sigma\sqrt{H}$ (the circular law); numbers spread evenly between $\pm 1/\sqrt H$ have
# variance $1/(3H)$; and so the radius is about $1/\sqrt 3$, however large the network.
#
# Look at the second column, too. The largest *singular value* says how much one single product can
# stretch a vector at most. [Pascanu, Mikolov and Bengio
# (2013)](D_papers.ipynb#cell-id=pascanu-2013) proved that gradients must vanish if it is below 1,
# and that it must be above 1 for them to explode. The default's is above 1, and its gradients
# vanish all the same: one product may stretch, many shrink.

# %% [markdown] id="ex-spectral-text"
# ### Exercise 1.6 · Set the spectral radius
# *Core, 8 minutes.* Scale a square matrix so that its spectral radius becomes `radius`, and return
# it. (The matrix you are given has an eigenvalue other than zero.)
#
# <details><summary>Hint 1</summary>Multiplying a matrix by a number multiplies each of its
# eigenvalues by that number.</details>
# <details><summary>Hint 2</summary>`torch.linalg.eigvals(weight)` are complex numbers. What
# counts is how far each lies from 0, in whichever direction.</details>
# <details><summary>Hint 3</summary>`.abs()` of a complex number is its distance from 0. Divide the
# matrix by the largest, multiply by `radius`.</details>


# %% id="ex-spectral" tags=["exercise"]
@exercise
def with_spectral_radius(weight, radius):
    """The matrix weight (H, H), scaled so that its largest |eigenvalue| is `radius`."""
    ### BEGIN SOLUTION
    return weight * (radius / torch.linalg.eigvals(weight).abs().max())
    ### END SOLUTION


# %% id="powers"
matrix = make_matrix("normal, 1/√H", seed=3)
for radius in (0.9, 1.0, 1.1):
    power = torch.linalg.matrix_power(with_spectral_radius(matrix, radius), 100)
    size = math.log10(torch.linalg.matrix_norm(power, 2))
    print(f"ρ = {radius}: a hundred products have a size of 10 to the power {size:.0f}")

# %% [markdown] id="powers-read"
# A tenth more or less in one number, and a hundred products are more than ten thousand times
# larger or smaller. (At $\rho = 1$ the size is about ten and not one. A matrix that is not
# orthogonal also stretches some directions for a while; that factor does not grow with the number
# of products.)

# %% [markdown] id="ex-reach-text"
# ### Exercise 1.7 · Gradient reach
# *Core, 12 minutes.* `run(inputs)` makes states (T, H) of inputs (T, E). Take the sum of the
# numbers in the *last* state and its gradient with respect to the inputs, (T, E). Return how
# long the gradient is at each distance d = 0, 1, …, T − 1 from the last input, relative to
# distance 0: a tensor (T,) that begins with 1.
#
# <details><summary>Hint 1</summary>`torch.autograd.grad(number, inputs)[0]` needs inputs that
# require a gradient: `inputs = inputs.detach().requires_grad_()` makes a fresh tensor.</details>
# <details><summary>Hint 2</summary>`.norm(dim=1)` is the length of each row: one number for
# each position. Position T − 1 is distance 0.</details>
# <details><summary>Hint 3</summary>`.flip(0)` turns positions into distances. Then divide by the
# first.</details>


# %% id="ex-reach" tags=["exercise"]
@exercise
def gradient_reach(run, inputs):
    """‖∂(Σ h_T)/∂x_{T−d}‖ relative to d = 0. run: inputs (T, E) → states (T, H); returns (T,)."""
    ### BEGIN SOLUTION
    inputs = inputs.detach().requires_grad_()
    (gradient,) = torch.autograd.grad(run(inputs)[-1].sum(), inputs)
    norms = gradient.norm(dim=1).flip(0)
    return norms / norms[0]
    ### END SOLUTION


# %% [markdown] id="reach-experiment-text"
# Now measure: untrained networks of 64 units read 100 random vectors. First without a tanh, where
# the theory above is exact, then with it. There are five networks of each kind: in the picture a
# line is their mean, and the band around it runs from the lowest to the highest.
#
# **Predict.** Eight curves. Which of them fall, which are level, which rise? In particular: will
# *orthogonal × 1.5* explode with the tanh in it?


# %% id="reach-networks"
def network(weight_hh, bend):
    weight_ih = (torch.rand(64, 64, dtype=torch.float64) * 2 - 1) / 8  # as torch fills it

    def run(inputs):
        state, states = torch.zeros(64, dtype=torch.float64), []
        for x_t in inputs:
            state = bend(weight_ih @ x_t + weight_hh @ state)
            states.append(state)
        return torch.stack(states)

    return run


def measured(start, bend):
    """Gradient reach of five networks, (5, T)."""
    runs = [network(make_matrix(start, seed), bend) for seed in range(5)]
    return torch.stack([gradient_reach(r, torch.randn(100, 64, dtype=torch.float64)) for r in runs])


# %% id="reach-figure"
bends = {"without tanh": lambda total: total, "with tanh": torch.tanh}
reach = {name: {s: measured(s, bend) for s in STARTS} for name, bend in bends.items()}
fig, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True)
for ax, (name, curves) in zip(axes, reach.items()):
    shown = {start: curve[:, :81] for start, curve in curves.items()}
    learning_curves(range(81), shown, title=name, log=True, ax=ax)
    ax.set(xlabel="distance d (steps)", ylabel="")
axes[0].set_ylabel("gradient relative to d = 0")
plt.show()

# %% [markdown] id="reach-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of gradient size on a logarithmic axis against a distance of 0 to 80 steps. Without
# tanh: orthogonal × 1.5 rises in a straight line, the normal start rises slowly, orthogonal is
# level, torch's default falls in a straight line over some seventeen powers of ten. With tanh all
# four fall: orthogonal × 1.5 only to about a twentieth in 80 steps, orthogonal and normal together
# by more than ten powers of ten, the default steepest of all. Bands around the lines show the range
# of five networks.
#
# </details>

# %% id="reach-numbers"
print("start               per step, without tanh   with tanh   (1 = level)")
for start in STARTS:
    line = f"{start:18}"
    for curves in reach.values():
        ratio = curves[start][:, 60] / curves[start][:, 20]
        line += f"{ratio.log().mean().div(40).exp():16.2f}"
    print(line)

# %% [markdown] id="reach-read"
# Without the tanh the factor per step (measured from distance 20 to 60) is the spectral radius to
# within about a hundredth, as it should be. With the tanh, the slopes $1 - h_t^2$, none of them
# above 1, are multiplied in as well, and three things follow.
#
# - Torch's default loses more than half of the gradient *at every step*. After twenty steps less
#   than a millionth is left.
# - Even the orthogonal matrix, which alone would pass everything on, fades: the tanh takes its
#   toll.
# - *Orthogonal × 1.5* does not explode. Where the matrix pushes the state outward, the tanh gets
#   flatter and takes it back; here the two nearly cancel. "ρ above 1 explodes" is a statement about
#   the network *without* the bend; with it, a bounded state is a brake. Not a perfect one: write a
#   larger gain than 1.5 into `STARTS` and see when the gradient grows in spite of the tanh.
#   (Chapter 2 has a better idea than such a balance.)
#
# Does a faint gradient matter, as long as it is not zero? The parts of all distances are *added
# up* in one gradient of $W_{hh}$, and torch's usual numbers have single precision, about seven
# digits. What is left of a far part beside a near one?

# %% id="lost-in-the-sum"
near, far = torch.tensor(1.0), torch.tensor(1e-8)
print("1 + 0.00000001 == 1:", bool(near + far == near))

# %% [markdown] id="trained-text"
# A part as small as that does not merely count for little, it is rounded away. The gradient as a
# whole does *not* vanish: it has a healthy size, but it is all about the last few words.
#
# ### Before and after training
#
# So far the networks were untrained. Does training help itself to a longer memory? Two views of our
# language model. Backward: the gradient of the loss of one word with respect to each earlier
# word's vector. Forward: exchange the first word of a sentence, *yesterday* for *tomorrow*, and
# watch how different the two states are, word by word.


# %% id="trained-reach"
def word_reach(model):
    """Gradient of the loss of word 25 by distance, mean over 300 test sentences: (25,)."""
    ids = torch.stack([sentence[:26] for sentence in long[:300]])
    vectors = model.embed(ids[:, :-1]).detach().requires_grad_()
    logits = model.output(model.rnn(vectors)[0][:, -1])
    loss = F.cross_entropy(logits, ids[:, -1], reduction="sum")
    norms = torch.autograd.grad(loss, vectors)[0].norm(dim=2).mean(0).flip(0)
    return norms / norms[0]


@torch.no_grad()
def difference_after_swap(model):
    """How different the states are, relative to their size, after the first word was swapped."""
    one = torch.stack(
        [s[:20] for s in test if s[1] == vocabulary.index["yesterday"] and len(s) > 20]
    )
    other = one.clone()
    other[:, 1] = vocabulary.index["tomorrow"]
    one, other = model(one), model(other)
    return ((one - other).norm(dim=2) / one.norm(dim=2)).mean(0)[1:]


# %% id="trained-figure"
kinds = {"before training": untrained, "after training": model}
backward = {name: word_reach(m) for name, m in kinds.items()}
forward = {name: difference_after_swap(m) for name, m in kinds.items()}
fig, axes = plt.subplots(1, 2, figsize=(10, 4.2))
learning_curves(range(25), backward, title="Backward: gradient", log=True, ax=axes[0])
learning_curves(range(19), forward, title="Forward: swapped word", log=True, ax=axes[1])
axes[0].set(xlabel="distance d (words)", ylabel="gradient relative to d = 0")
axes[1].set(xlabel="words since the swap", ylabel="difference (relative to the state)")
axes[1].set_xticks(range(0, 19, 3))
plt.show()

# %% [markdown] id="trained-alt"
# <details><summary>The figure in words</summary>
#
# Two plots with logarithmic axes. Left, the gradient by distance in words: before training it falls
# about seven powers of ten over 24 words, after training about three. Right, the
# difference of the states after the first word was exchanged: both lines fall by a nearly constant
# factor per word, the trained network's more slowly.
#
# </details>

# %% id="trained-numbers"
far = {name: curve[20].item() for name, curve in backward.items()}
rho = {n: torch.linalg.eigvals(m.rnn.weight_hh_l0.detach()).abs().max() for n, m in kinds.items()}
print("after training at least ten times as much arrives from 20 words away:", end=" ")
print(far["after training"] > 10 * far["before training"])
print("and still less than a hundredth of the nearest word's:               ", end=" ")
print(far["after training"] < 0.01)
print("spectral radius below 0.8 before, above 1.5 after:                   ", end=" ")
print(bool(rho["before training"] < 0.8 and rho["after training"] > 1.5))
print("another first word is forgotten (below 5 %) after 12 words:          ", end=" ")
print(forward["after training"][12].item() < 0.05)

# %% [markdown] id="trained-read"
# Training does stretch the memory (in this one run): the spectral radius rises far above 1 (and
# nothing explodes: the brake again), and from twenty words away at least ten times as much
# gradient arrives. It is not enough. What the state has lost going forward, and what the gradient
# has lost going backward, are the same product of the same matrices, read from its two ends. This
# is the vicious circle of the plain recurrent network: to learn to keep a word it needs a
# gradient from far away, and there is one only if the word is kept.

# %% [markdown] id="recall-text"
# ### A task that needs nothing but memory
#
# To be sure that it is memory that fails, take a task that needs nothing else. A first symbol, one
# of eight; then $T$ random other symbols; then the question: which was the first? The networks are
# the same but for the start of $W_{hh}$, and train equally long, with three seeds each.
#
# **Predict.** Guessing gives one in eight. Up to which $T$ does torch's default learn the task?
# Which start will get furthest?


# %% id="recall"
def recall(start, wait, seed, updates=200):
    """Share of right answers on 500 new strings, for a network trained from one start of W_hh."""
    seed_everything(seed)
    embed, rnn, output = nn.Embedding(16, 16), nn.RNN(16, 32, batch_first=True), nn.Linear(32, 8)
    STARTS[start](rnn.weight_hh_l0.data)
    parts = nn.ModuleList([embed, rnn, output])
    optimizer = torch.optim.Adam(parts.parameters(), lr=0.003)
    for update in range(updates + 1):
        first = torch.randint(8, (32 if update < updates else 500, 1))
        noise = torch.randint(8, 16, (len(first), wait))
        logits = output(rnn(embed(torch.cat([first, noise], dim=1)))[0][:, -1])
        optimizer.zero_grad()
        F.cross_entropy(logits, first[:, 0]).backward()
        optimizer.step()
    return (logits.argmax(1) == first[:, 0]).double().mean().item()


# %% id="recall-runs"
waits, chosen = [2, 5, 10, 20], ["torch's default", "orthogonal", "orthogonal × 1.5"]
share = {
    s: torch.tensor([[recall(s, T, seed) for T in waits] for seed in (1, 2, 3)]) for s in chosen
}

# %% id="recall-figure"
fig, ax = plt.subplots(figsize=(7.5, 4))
for shift, (start, table) in enumerate(share.items()):
    places = torch.arange(4) + 0.24 * (shift - 1) + 0.06 * torch.arange(-1, 2).unsqueeze(1)
    look = {"color": figures.PALETTE[[0, 2, 3][shift]], "marker": "os^"[shift], "s": 55}
    ax.scatter(places, 100 * table, label=start, alpha=0.75, **look)
ax.axhline(12.5, linestyle="--", color="#555555")
ax.text(0.5, 15, "guessing", ha="center", color="#555555")
ax.set_xticks(range(4), waits)
ax.set(title="Which was the first symbol? (three seeds for each start)", ylim=(0, 105))
ax.set(xlabel="symbols in between, T", ylabel="right answers (%)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="recall-alt"
# <details><summary>The figure in words</summary>
#
# Right answers in percent against 2, 5, 10 and 20 symbols in between, three points for each of
# three starts. At 2 and 5 all points are near 100. At 10 torch's default is near the dashed line of
# guessing, orthogonal has one point at 100 and two near 25, and orthogonal × 1.5 is near 100. At 20
# torch's default is at the line, orthogonal lies between the line and 40, and orthogonal × 1.5 has
# two points near 100 and one near 20.
#
# </details>

# %% id="recall-numbers"
default, larger = share["torch's default"], share["orthogonal × 1.5"]
five = min(table[:, 1].min().item() for table in share.values())
ahead = (larger[:, 2].mean() - default[:, 2].mean()).item()
print("5 in between: all nine networks above 95 %:    ", five > 0.95)
print("10: the larger start at least 30 points ahead: ", ahead > 0.3)
print("20: no network from torch's default above 40 %:", default[:, 3].max().item() < 0.4)
print("20: the best from the larger start above 60 %: ", larger[:, 3].max().item() > 0.6)

# %% [markdown] id="recall-read"
# Five steps are easy for all. At ten, the start of one matrix decides between learning the task and
# guessing, in the order that the reach predicted (luck has its part, too: look at how the seeds
# scatter). At twenty the default start learns nothing in this time, though a state of 32 numbers
# has ample room for one symbol of eight, and though the same network from another start can do it.
# It is not that it *cannot* hold the symbol. It is never taught to.
#
# So the note's sentence needs a rider. Early words fade in a plain recurrent network *as it
# usually starts and trains*; how fast is a property of a matrix and of the tanh, which you can now
# measure. Its next sentence, that the LSTM was made to cure this, is chapter 2.

# %% [markdown] id="clip-text"
# ## When gradients explode: clipping
#
# The other case is rarer and louder. A recurrent network is the same function applied many times;
# where it tips from one resting state to another, the loss has a wall. Here is a network of one
# unit, $h_t = \tanh(1.5\, h_{t-1} + b)$, started at $h_0 = 1$, with the loss
# $(h_T - \tfrac12)^2$ as a function of $b$.


# %% id="cliff"
def cliff(b, steps=50):
    state = torch.ones_like(b)
    for _ in range(steps):
        state = torch.tanh(1.5 * state + b)
    return (state - 0.5) ** 2


def slope(b, steps=50):
    b = b.detach().requires_grad_()
    return torch.autograd.grad(cliff(b, steps).sum(), b)[0]


# %% id="cliff-figure"
b = torch.linspace(-0.45, 0.15, 4001, dtype=torch.float64)
fig, axes = plt.subplots(1, 2, figsize=(10, 3.9))
for steps, style, colour in zip((5, 15, 50), (":", "--", "-"), figures.PALETTE):
    axes[0].plot(b, cliff(b, steps), style, color=colour, label=f"T = {steps}")
    axes[1].plot(b, slope(b, steps).abs(), style, color=colour, label=f"T = {steps}")
axes[0].set(title="The loss gets a wall ...", xlabel="bias b", ylabel="loss")
axes[1].set(title="... and the slope explodes on it", xlabel="bias b", yscale="log")
axes[1].set(ylabel="|slope|", ylim=(1e-2, 1e4))
axes[0].legend(frameon=False)
plt.show()

# %% [markdown] id="cliff-alt"
# <details><summary>The figure in words</summary>
#
# Two plots against the bias b, for 5, 15 and 50 steps. Left, the loss is high on the left side and
# low on the right for 15 and 50 steps; with 50 it drops all at once at about −0.21, with 15
# somewhat less steeply at about −0.26, with 5 it only bends. Right, the size of the slope on a
# logarithmic axis: at the drop it rises to about a hundred for 15 steps and beyond a thousand for
# 50.
#
# </details>

# %% [markdown] id="cliff-read"
# One step of gradient descent that happens to start *on* the wall is as long as the slope is large:
# it throws away everything that was learnt. The cure is blunt and good ([Pascanu, Mikolov and
# Bengio 2013](D_papers.ipynb#cell-id=pascanu-2013)). The gradient's *direction* is fine, its
# *length* is not. So if the whole gradient is longer than a threshold $\theta$, shorten it to
# $\theta$:
#
# $$g \leftarrow g \cdot \min\!\left(1, \frac{\theta}{\lVert g \rVert}\right)$$
#
# where $\lVert g \rVert$ is taken over the numbers of *all* **parameters** (all that training
# changes) together.

# %% [markdown] id="ex-clip-text"
# ### Exercise 1.8 · Clip by norm
# *Core, 10 minutes.* `gradients` is a list of tensors of any shapes, one for each parameter. Return
# a tuple: the list of clipped gradients, and the norm *before* clipping (a number). Leave the given
# tensors as they are. A gradient of zeros stays zeros.
#
# <details><summary>Hint 1</summary>The norm of everything: the square root of the sum of the
# squares of all numbers in all tensors.</details>
# <details><summary>Hint 2</summary>One factor for all of them: θ divided by the norm, but never
# above 1.</details>
# <details><summary>Hint 3</summary>`factor = max_norm / norm if norm > max_norm else 1.0`; so
# nothing is ever divided by zero.</details>


# %% id="ex-clip" tags=["exercise"]
@exercise
def clip_by_norm(gradients, max_norm):
    """(gradients scaled to a joint norm of at most max_norm, their joint norm before)."""
    ### BEGIN SOLUTION
    norm = math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients))
    factor = max_norm / norm if norm > max_norm else 1.0
    return [gradient * factor for gradient in gradients], norm
    ### END SOLUTION


# %% [markdown] id="clip-step-text"
# Now take one step from the wall, with a **learning rate** of 0.01. **Predict.** The plot above is
# 0.6 wide. Where does the step without clipping land?

# %% id="clip-step"
on_the_wall = torch.tensor(-0.2139, dtype=torch.float64)
raw = slope(on_the_wall)
(clipped,), norm = clip_by_norm([raw], max_norm=1.0)
for name, gradient in (("as it is", raw), ("clipped", clipped)):
    landed = on_the_wall - 0.01 * gradient
    print(f"{name:8}: b moves by {abs(landed - on_the_wall):6.2f}, slope there", end=" ")
    print(f"{abs(slope(landed)):.2f}" if abs(slope(landed)) > 1e-12 else "0: stuck")

# %% [markdown] id="clip-step-read"
# Unclipped, the step leaps out of the picture to a place where the unit is saturated and the slope
# is zero: no gradient ever leads back. Clipped, it moves by a hundredth and can go on.
#
# "Clipping" names several things. Only the one above keeps the direction:

# %% id="clip-kinds"
gradients = [torch.tensor([30.0, 40.0]), torch.tensor([0.3, -0.4])]
whole = torch.cat(gradients)
kinds = {
    "all together": torch.cat(clip_by_norm(gradients, 1.0)[0]),
    "each parameter": torch.cat([clip_by_norm([g], 1.0)[0][0] for g in gradients]),
    "each number": whole.clamp(-1.0, 1.0),
}
for name, result in kinds.items():
    cosine = F.cosine_similarity(whole, result, dim=0)
    print(f"{name:15} norm {result.norm():.2f}, cosine with the gradient {cosine:.2f}")

# %% [markdown] id="clip-kinds-read"
# `nn.utils.clip_grad_norm_` is the first of the three, and returns the norm from before, as yours
# does: worth writing down in every training, since that number tells how near to a wall you are.
#
# Does it matter outside a toy? Here is the language model once more, now with plain gradient
# descent, whose step is as long as the gradient says (Adam, which we used above, rescales it).
# Sixty updates, three seeds.
#
# **Predict.** Four settings: a step (a learning rate) of 1 or a bold one of 5, with and without
# clipping at 0.5. Which of them fail?


# %% id="clip-runs"
def descend(rate, max_norm, seed, updates=60):
    """Losses and gradient norms of a language model trained by plain gradient descent."""
    seed_everything(seed)
    model, losses, norms = NextWord(len(vocabulary)), [], []
    for _ in range(updates):
        loss = surprise(model, *draw_batch(16))
        gradients, norm = clip_by_norm(
            torch.autograd.grad(loss, list(model.parameters())), max_norm
        )
        with torch.no_grad():
            for parameter, gradient in zip(model.parameters(), gradients):
                parameter -= rate * gradient
        losses.append(loss.item())
        norms.append(norm)
    return losses, norms


settings = {}
for rate in (1, 5):
    for top in (0.5, math.inf):
        settings[rate, top] = [descend(rate, top, seed) for seed in (1, 2, 3)]

# %% id="clip-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True)
for ax, rate in zip(axes, (1, 5)):
    curves = {"clipped at 0.5": settings[rate, 0.5], "not clipped": settings[rate, math.inf]}
    lines = {name: [losses for losses, _ in runs] for name, runs in curves.items()}
    learning_curves(range(60), lines, title=f"step of {rate}", log=True, ax=ax)
axes[0].set_yticks([3, 5, 10, 20, 50], [3, 5, 10, 20, 50])
axes[1].set_ylabel("")
fig.suptitle("Plain gradient descent on the language model (three seeds: mean and range)")
plt.show()

# %% [markdown] id="clip-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of loss on a logarithmic axis over 60 updates. With a step of 1 the clipped and the
# unclipped line both fall to about 4, close together. With a step of 5 the clipped line falls to
# about 3.5, while the unclipped one jumps far above the start, comes down unevenly and ends above
# where it started.
#
# </details>

# %% id="clip-numbers"
end = {key: [sum(losses[-10:]) / 10 for losses, _ in runs] for key, runs in settings.items()}
highest = [max(norms) for _, norms in settings[5, math.inf]]
print("step 5: every clipped run ends more than 1 nat below every other:", end=" ")
print(max(end[5, 0.5]) + 1 < min(end[5, math.inf]))
print("step 5, not clipped: norms beyond 20 in every run:               ", min(highest) > 20)
print("step 1: clipped or not, all six end below 4.5:                    ", end=" ")
print(max(end[1, 0.5] + end[1, math.inf]) < 4.5)
print("lowest of all, the bold step with clipping:                       ", end=" ")
print(max(end[5, 0.5]) < min(end[1, 0.5] + end[1, math.inf]))

# %% [markdown] id="clip-read"
# With the bold step the unclipped runs are thrown far off early, and after sixty updates they are
# still no better than when they began; clipped, the same step learns, and ends lowest of the four
# settings. With the small step both learn, and clipping buys nothing. It is a seat belt: it moves
# nobody, it lets one drive faster. And it does nothing whatever against *vanishing*: a gradient
# that is too short stays too short.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A recurrent network is one small function, applied at every word, that hands on a state.
# - $y_t$ are logits; cross-entropy trains them, perplexity makes the result readable.
# - Every word has a path into the state; how much of it is left is another matter. Our model used
#   about ten words, chiefly the last five, and lost its first word within a sentence.
# - Back-propagation through time adds up one part for every use of a weight, and multiplies by
#   $\mathrm{diag}(1 - h_t^2) W_{hh}$ for each step back.
# - The spectral radius says what many such products do without the bend; the tanh makes them
#   smaller. With torch's default start they vanish.
# - Forgetting forward and vanishing backward are one product, read from its two ends.
# - Clipping by the joint norm keeps the direction. It helps against walls, not against fading.
#
# **Left out, or done otherwise.** Letters instead of words (the plan was a model of the letters of
# the notes themselves; but the notes are short, and the corpus says more about tense); several
# layers; networks with rectified units (ReLU), started at the identity; truncation in practice;
# whether the input and the output of a recurrent network must be equally long, which one note
# concludes from "it predicts $t+1$ from the words up to $t$" (they need not; chapter 3).
# Perplexity by context, the test with *will* and the reach after training are one run of one model.
#
# **Papers.** [Elman 1990](D_papers.ipynb#cell-id=elman-1990), *Finding structure in time*; [Mikolov
# et al. 2010](D_papers.ipynb#cell-id=mikolov-2010) (recurrent language models); [Werbos
# 1990](D_papers.ipynb#cell-id=werbos-1990) (back-propagation through time); [Hochreiter
# 1991](D_papers.ipynb#cell-id=hochreiter-1991) and [Bengio, Simard and Frasconi
# 1994](D_papers.ipynb#cell-id=bengio-1994) (vanishing); [Pascanu, Mikolov and Bengio
# 2013](D_papers.ipynb#cell-id=pascanu-2013) (the conditions, the wall, clipping); [Saxe, McClelland
# and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014) (orthogonal starts). To read beside it,
# recommended by the notes whose lost pictures are drawn anew here: the Korean book [딥 러닝을
# 이용한 자연어 처리 입문](https://wikidocs.net/22893) (*introduction to natural language processing
# with deep learning*) and Jay Alammar's [moving pictures of a
# translator](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/).
#
# **Next.** Chapter 02 gives the state a second line on which things are added, not multiplied, and
# gates that decide what stays.
