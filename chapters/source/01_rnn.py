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
# torch, and get the same numbers and the same gradients. Train one on Shakespeare until it writes
# lines that look like his, and measure how far back it really looks. Compute back-propagation
# through time by hand. Predict from one matrix what many steps do to a gradient, and measure what
# the tanh changes. Clip a gradient without bending it.
#
# **What you need.** Python, a little PyTorch (tensors, `backward()`), matrix products, the chain
# rule. Chapter 00 shows how exercises work.
#
# **Time.** Two sittings: 80 minutes to read and 94 for the eight exercises; at most a minute to run
# with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import json
import math
import re
from collections import Counter

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

import attnlib
from attnbook import about, exercise, predict, progress, recall, reveal
from attnbook.figures import first_cell_diagram, learning_curves, rnn_diagram
from attnbook.views import gradient_view, temperature_view
from attnlib import figures
from attnlib.data import BOS, EOS, WordVocabulary, bundled_directory, load_corpus, pad
from attnlib.device import seed_everything
from attnlib.masking import lengths_to_mask
from attnlib.training import perplexity

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(1)

# %% id="first"
data = bundled_directory().parent
record = json.loads((data / "runs" / "01_characters.json").read_text(encoding="utf-8"))
looks = {look["update"]: look for look in record["runs"][0]["looks"]}
for update in (0, 30, 100, 300, 3000):
    print(f"after {update:,} updates:")
    print("    " + looks[update]["written"]["0.5"][:126].replace("\n", "\n    "))
print(f"written by {record['runs'][0]['parameters']:,} numbers")

# %% [markdown] id="first-read"
# A network has read plays of Shakespeare, letter by letter, and now and then it was asked to write
# something itself. At first it types like a cat on a keyboard. After 30 updates of its numbers it
# makes groups of letters that are as long as words, after 100 it knows that somebody's name in
# capitals comes first and then a colon. After 3,000 nearly every word is English, and speakers,
# lines and speeches stand where they belong. It means nothing at all, but nobody has told the
# network what a word is, or a line, or a play.
#
# All that it ever did was to guess the next letter and be corrected. It is one small function,
# applied to one letter after the other, with a memory of 320 numbers. In this chapter you build it,
# train the first 300 of those updates yourself, and let it write. Then you ask how far back it
# remembers, and a network of the same kind, with words for letters, fails at a sentence that any
# child gets right. The second half finds out why.
#
# (The run above is a recorded one: `benchmarks/characters.py` made it in a little over a minute.
# Andrej Karpathy's page [The unreasonable effectiveness of recurrent neural
# networks](https://karpathy.github.io/2015/05/21/rnn-effectiveness/) made such networks famous (his
# had LSTM cells and several layers), and our text is the beginning of the one that he put
# together.)
#
# ## The map
#
# **First sitting: from one cell to a language model.** One step of reading, the loop over a
# sentence, guessing, writing, and a test of memory that the network fails. Afterward you could
# write such a network without looking anything up. About 40 minutes to read, and 39 for four
# exercises. *Must be read*: all but *Sentences of different lengths in one batch*, which chapter 03
# needs and this one does not.
#
# **Second sitting: how it learns, and what it cannot learn.** Back-propagation through time, how
# far a gradient reaches, and what to do when it explodes. Afterward you can tell from one matrix
# how fast a gradient would fade or grow without the tanh, and measure what the tanh makes of it.
# About 40 minutes to read, and 55 for four exercises. *Must be read*: *Back-propagation through
# time* and *How far does a gradient reach?* *May be skipped*: *Before and after training*, and the
# last part of *clipping*.

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five questions on chapter 00 and on the notation. Put a letter for each into the quotation marks,
# or leave the cell as it is.

# %% id="recall"
recall("01", "")

# %% [markdown] id="order-text"
# ## The problem: texts have an order and no fixed length
#
# A network that takes a fixed number of numbers cannot take a sentence. The simplest way out is to
# add up the vectors of the words, since a sum has the same size for any number of words. What does
# the sum know of *the dog bit the man* that it does not know of *the man bit the dog*?

# %% id="order"
words = ["the", "dog", "bit", "man"]
vectors = dict(zip(words, torch.randn(4, 3, generator=generator)))  # a vector for each word
news, no_news = ["the", "man", "bit", "the", "dog"], ["the", "dog", "bit", "the", "man"]
for heard in (news, no_news):
    added = torch.stack([vectors[word] for word in heard]).sum(0)
    print(" ".join(heard), "→", [round(number, 2) + 0.0 for number in added.tolist()])

# %% [markdown] id="order-read"
# Nothing. What is missing is time. A person reads the first word, keeps something in mind, reads
# the second, and what is kept changes. A **recurrent network** does this with a vector, the
# **hidden state** $h_t$ (or simply state): it is what the network has in mind after word $t$.

# %% [markdown] id="cell-text"
# ## The cell: one step of reading
#
# One step (a **time step**) takes the vector $x_t$ of the new word, or letter, and the state
# $h_{t-1}$ from before, and makes the new state:
#
# $$h_t = \tanh(W_{ih}\, x_t + b_{ih} + W_{hh}\, h_{t-1} + b_{hh})$$
#
# $W_{ih}$ (*input to hidden*) has a row for each of the $H$ numbers of the state and a column for
# each of the $E$ numbers of the word; $W_{hh}$ (*hidden to hidden*) is square, $H$ by $H$; the two
# $b$, the **biases**, are $H$ numbers each, simply added. The tanh, a **nonlinearity**, bends every
# number into $(-1, 1)$.
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
# follows writes it shorter. As a drawing, with the sizes of our tensors, this cell is the first
# piece of the picture that grows through this book:

# %% id="emblem"
korean, gloss = ["나는", "집에", "갔다"], ["I", "home", "went"]
first_cell_diagram(nn.RNNCell(3, 2), korean)

# %% [markdown] id="emblem-read"
# (나는 집에 갔다 is *I · home · went*: I went home. The sentence comes back in every chapter.)

# %% [markdown] id="ex-rnn-step-text"
# ### Exercise 1.1 · One step for a batch
# *Warm-up, 6 minutes.* Write the step with matrices, for $B$ sentences at once: x (B, E), state
# (B, H), `weight_ih` (H, E), `weight_hh` (H, H), both biases (H,), result (B, H). Use torch's
# functions: further down a gradient goes back through your step.
#
# <details><summary>Hint 1</summary>
#
# In a batch every sentence is a row, and a row stands to the left of its matrix: a weight (H, E)
# acts as `x @ weight_ih.T`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The state goes through its own matrix in the same way. A bias (H,) is added to every row by
# itself.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The formula has four parts inside one pair of parentheses. What is done last, and how often?
#
# </details>


# %% id="ex-rnn-step" tags=["exercise"]
@exercise
def rnn_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    """h_t = tanh(W_ih x_t + b_ih + W_hh h_{t−1} + b_hh). x (B, E), state (B, H) → (B, H)."""
    raise NotImplementedError


# %% [markdown] id="agree-text"
# The same step three times: the loop, the matrices, and torch's own `nn.RNNCell` with our numbers
# in it. Not only must the values agree: the gradients must, too. (A cell that asserts prints
# nothing about it, unless it fails.)

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
three_ways = {"loop": torch.stack(after), "matrices": step[0], "nn.RNNCell": by_torch[0]}
for name, numbers in three_ways.items():
    print(f"{name:10}", [round(number, 3) for number in numbers.tolist()])

# %% id="agree-gradients"
learnable = [parameter.clone().requires_grad_() for parameter in parameters]
rnn_step(x.unsqueeze(0), before.unsqueeze(0), *learnable).square().sum().backward()
torchs.zero_grad()
torchs(x.unsqueeze(0), before.unsqueeze(0)).square().sum().backward()
for ours, theirs in zip(learnable, torchs.parameters()):
    torch.testing.assert_close(ours.grad, theirs.grad)
for name, bias in (("b_ih", learnable[2]), ("b_hh", learnable[3])):
    print("gradient of", name, [round(number, 3) for number in bias.grad.tolist()])

# %% [markdown] id="biases-read"
# The two biases get the same gradient. They always do, because only their sum enters the formula;
# one would be enough, and many books write one. Torch keeps two because the library that runs it on
# graphics cards (cuDNN) has two. (Remember it when you *set* a bias: chapter 02 sets one, and
# setting both would count twice.)

# %% [markdown] id="unroll-text"
# ## A sentence: the same cell again and again
#
# A network reads a sentence by applying the cell at each word, with the *same* matrices every
# time, and handing the state on. This loop is all that "recurrent" means. Written out in time it
# becomes a long chain, the network **unrolled**. $T$ is the number of words.

# %% id="unroll"
sentence = torch.randn(1, 3, 3, generator=generator)  # a vector for each word: (B, T, E)
chain = [torch.zeros(1, 2)]  # h_0: nothing read yet
for t in range(3):
    chain.append(rnn_step(sentence[:, t], chain[-1], *parameters))
outputs, last = attnlib.model.unroll(torchs, sentence)  # the library's loop, here over torch's cell
torch.testing.assert_close(torch.stack(chain[1:], dim=1), outputs)
torch.testing.assert_close(outputs[:, -1], last)
for t, word in enumerate(korean, 1):
    print(f"h_{t} after {word} ({gloss[t - 1]}):", [round(n, 2) for n in chain[t][0].tolist()])

# %% id="unrolled-figure" tags=["hide-input"]
rnn_diagram(torchs, korean)

# %% [markdown] id="unrolled-read"
# Three steps, one set of weights. The number of weights does not depend on the length of the
# sentence, and the network can read sentences longer than any it was trained on (how *well* is
# another question). And unlike a sum, it notices the order:

# %% id="order-again"
for heard in (news, no_news):
    inputs = torch.stack([vectors[word] for word in heard]).unsqueeze(0)  # (1, 5, 3)
    final = attnlib.model.unroll(torchs, inputs)[1]
    print(" ".join(heard), "→", [round(number, 2) for number in final[0].tolist()])
print("weights:", sum(parameter.numel() for parameter in torchs.parameters()), "for any length")

# %% [markdown] id="mask-text"
# ### Sentences of different lengths in one batch
#
# To read many sentences at once they are filled up to the same length with **padding**. A
# **mask** marks what is real; in this book it is boolean and *True means: a real token* (a
# **token** is what is read in one step: a word, a punctuation mark, or a letter). If the cell
# simply read on, the state would drift away while it reads padding. So at padding the old state is
# kept.

# %% [markdown] id="ex-unroll-text"
# ### Exercise 1.2 · Read a padded batch
# *Core, 15 minutes.* `cell(x, state)` takes a word of each sentence (B, E) and a state (B, H), and
# gives the new state (B, H); a state of `None` means zeros. `inputs` are (B, T, E). Return all
# states, (B, T, H), and the last one, (B, H). Where `mask` (B, T) is False the state of that
# sentence stays what it was. Without a mask everything is real. Padding comes last in a sentence.
#
# <details><summary>Hint 1</summary>
#
# One loop over t: `new = cell(inputs[:, t], state)`, put it into a list, make it the state. At the
# end `torch.stack(list, dim=1)`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `torch.where(real, new, old)` chooses element by element. The mask's column is (B,); `mask[:,
# t].unsqueeze(1)` is (B, 1) and fits (B, H).
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Choose first, then keep: what goes into the list, and what is handed on, is the state after the
# choice. At the first word there may be no old state yet; what does `None` stand for?
#
# </details>


# %% id="ex-unroll" tags=["exercise"]
@exercise
def unroll(cell, inputs, state=None, mask=None):
    """All states (B, T, H) and the last (B, H); where mask (B, T) is False the state is kept."""
    raise NotImplementedError


# %% [markdown] id="padded-text"
# A sentence of 4 words in a batch of 10 columns; what stands at padding is garbage, on purpose.

# %% id="padded"
reader = nn.RNNCell(3, 12)
batch = torch.randn(2, 10, 3, generator=generator)
mask = lengths_to_mask(torch.tensor([10, 4]))
with torch.no_grad():
    states, final = unroll(reader, batch, mask=mask)
    alone, alone_final = unroll(reader, batch[1:, :4])
    careless, careless_final = unroll(reader, batch)
for name, reached in (("with the mask", final[1]), ("without", careless_final[1])):
    gap = (reached - alone_final[0]).norm() / alone_final.norm()
    print(f"{name:14} the last state is off by {gap:.2f} of its length")
torch.testing.assert_close(final[1], alone_final[0])

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
# padding begins. Without the mask the colors go on changing to the right of the line. With the
# mask every column right of the line is the same as column 4.
#
# </details>

# %% [markdown] id="padded-read"
# With the mask, columns 4 to 10 are equal: the sentence is over and the state waits. That is why
# the last state of a padded batch is well defined here; chapter 03 shows what goes wrong elsewhere.

# %% [markdown] id="language-text"
# ## Guessing what comes next
#
# What should a state remember? Whatever helps with the task. The classic task needs no labels: read
# a text and, at each token, guess the next one. A network that does this is a **language model**.
# ([Elman](D_papers.ipynb#cell-id=elman-1990) did it with a small artificial grammar in 1990,
# [Mikolov et al.](D_papers.ipynb#cell-id=mikolov-2010) with real text in 2010.) The state is turned
# into one number for each token of the **vocabulary**:
#
# $$y_t = W_{hy}\, h_t + b_y$$
#
# These numbers are not probabilities yet but **logits**: they may be negative and sum to nothing in
# particular. A **softmax** makes probabilities of them, $p_t = \mathrm{softmax}(y_t)$, and the loss
# is the **cross-entropy**: minus the logarithm of the probability that the right token got.

# %% id="logits"
to_tokens = nn.Linear(2, 5)  # W_hy (V, H) and b_y (V,), for a vocabulary of five
logits = to_tokens(last)  # (1, V)
p, right = logits.softmax(-1), torch.tensor([2])
print("logits:       ", [round(number, 2) for number in logits[0].tolist()])
print("probabilities:", [round(number, 2) for number in p[0].tolist()])
print(f"loss, if token 2 is right: −log {p[0, 2]:.2f} = {-p[0, 2].log():.2f}")
torch.testing.assert_close(F.cross_entropy(logits, right), -p[0, 2].log())

# %% [markdown] id="logits-read"
# `F.cross_entropy` takes the logits and does both steps at once.

# %% [markdown] id="ex-next-word-pairs-text"
# ### Exercise 1.3 · What is guessed from what
# *Warm-up, 8 minutes.* `sentence` is a list of words (any objects), its first the start and its
# last the end. Return the list of all guesses in it, in order: for each word but the first a tuple
# `(history, word)`, where history is the list of the words before it. A reader with a short memory
# knows at most the `most` words directly before (`most` is 1 or more); early in the sentence there
# are fewer.
#
# <details><summary>Hint 1</summary>
#
# The word at position t is guessed from `sentence[:t]`. Where does t start, where does it end?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Keep the *last* `most` words of the history: a slice that ends at t.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Early in the sentence the slice would begin below zero, and a negative start counts from the end
# of the list. What is the smallest start that you allow?
#
# </details>


# %% id="ex-next-word-pairs" tags=["exercise"]
@exercise
def next_word_pairs(sentence, most):
    """[(history, word), ...] for every word but the first; history is a list of at most `most`."""
    raise NotImplementedError


# %% id="pairs-use"
for history, word in next_word_pairs(["<s>", "the", "dog", "slept", ".", "</s>"], most=3):
    print(f"{' '.join(history):15} → {word}")

# %% [markdown] id="pairs-read"
# One sentence is many guesses. A network that reads from left to right makes them all in one
# pass, because $h_t$ has seen exactly the tokens up to $t$: the inputs are the text without its
# last token, the targets the same text without its first.

# %% [markdown] id="model-text"
# ## The network that wrote the first page
#
# An **embedding** (a vector for each token, learned), a recurrent layer, a linear layer to the
# logits. `nn.RNN` is torch's loop over the cell in fast code; that it computes what you have
# written is checked further down.


# %% id="model"
class NextToken(nn.Module):
    def __init__(self, tokens, hidden, embed=64):
        super().__init__()
        self.embed = nn.Embedding(tokens, embed)
        self.rnn = nn.RNN(embed, hidden, batch_first=True)
        self.output = nn.Linear(hidden, tokens)  # W_hy and b_y

    def forward(self, ids, state=None):
        """Token numbers (B, T) → states (B, T, H), and the last one, (1, B, H), to read on with."""
        return self.rnn(self.embed(ids), state)


# %% id="prose"
text = (data / "shakespeare" / "shakespeare.txt").read_text(encoding="utf-8")
letters = sorted(set(text))
play = torch.tensor([letters.index(letter) for letter in text])
learned, unread = play[: len(play) * 9 // 10], play[len(play) * 9 // 10 :]
print(f"{len(text):,} letters, {len(letters)} different ones; {len(unread):,} kept for the test")
for name in ("MENENIUS", "KING RICHARD III"):
    print(f"{name}: {text[: len(learned)].count(name)} times in the part to learn from,", end=" ")
    print(f"{text[len(learned) :].count(name)} times in the other")
print(text[:96])

# %% [markdown] id="scribe-text"
# (A *letter* is also a comma, a blank or the end of a line here.) The text is too long to go back
# through as a whole. So 32 readers begin at 32 places of it; in each update every one of them reads
# on by 64 letters. The state is handed on from update to update, but its history is cut off with
# `detach()`: the gradient goes back 64 letters at most. The line with `clip_grad_norm_` is the
# subject of the last section. This is the recorded run from above, its first 300 updates.

# %% id="scribe-train"
seed_everything(1)
scribe = NextToken(len(letters), hidden=320)
optimizer = torch.optim.Adam(scribe.parameters(), lr=0.003)
fading = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda update: 1 - update / 3000)
length = (len(learned) - 1) // 32
given, wanted = (part[: 32 * length].view(32, -1) for part in (learned, learned[1:]))
state, scribe_losses = None, []
for start in range(0, 300 * 64, 64):  # about nine seconds, fourteen with AVX2 alone
    low = start % (length - 64)
    state = None if low < 64 else state.detach()  # None: the text begins again
    states, state = scribe(given[:, low : low + 64], state)
    loss = F.cross_entropy(scribe.output(states).transpose(1, 2), wanted[:, low : low + 64])
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(scribe.parameters(), 1.0)
    optimizer.step()
    fading.step()
    scribe_losses.append(loss.item())

# %% [markdown] id="perplexity-text"
# A loss in **nats** (the unit that goes with the natural logarithm) is hard to picture. Divided by
# $\ln 2$ it is in **bits**. The exponential of the loss in nats ($2$ to the power of the bits) is
# the **perplexity**, the easiest of the three: a perplexity of 10 means that the network is as
# unsure as if it had to choose among 10 equally likely letters. For one that knows nothing it is
# the size of the vocabulary, 62.
#
# Among how many letters does our network still choose after its 300 updates, in a part of the text
# that it has never read?

# %% id="predict-letters"
predict("01.letters", ...)  # from 1 to 62


# %% id="scribe-bits"
@torch.no_grad()
def bits(network, ids):
    """Bits for each token of a text, read in one go."""
    states, _ = network(ids[:-1].unsqueeze(0))
    return F.cross_entropy(network.output(states[0]), ids[1:]).item() / math.log(2)


rows = [(f"counting: {name}", value) for name, value in record["counted"].items()]
rows += [(f"recorded, {update:5,} updates", looks[update]["bits"]) for update in looks]
print("on the unread tenth               bits   letters to choose from")
for name, value in rows:
    print(f"{name:30}{value:8.2f}{2**value:12.1f}")
live = bits(scribe, unread)
shown = about(live, 2.3, 2.5), about(2**live, 4.9, 5.7, ".1f")
print(f"{'just trained, 300 updates':30}{shown[0]:>8}{shown[1]:>12}")
assert abs(live - looks[300]["bits"]) < 0.05
reveal("01.letters", 2**live, within=2)

# %% id="scribe-figure" tags=["hide-input"]
of_rnn = [run for run in record["runs"] if run["variant"] == "rnn"]
curves = {"recorded, three seeds": [run["train_bits"] for run in of_rnn]}
ax = learning_curves(range(50, 3000, 100), curves, title="Learning to guess the next letter")
shown_losses = torch.tensor(scribe_losses).view(-1, 30).mean(1) / math.log(2)
circle = {"s": 45, "facecolors": "none", "edgecolors": "black", "zorder": 5}
ax.scatter(range(15, 300, 30), shown_losses, label="just trained", **circle)
for name, height in record["counted"].items():
    ax.axhline(height, linestyle="--", color="#555555", linewidth=1)
    ax.text(2990, height + 0.08, f"counting: {name}", ha="right", color="#555555")
ax.set(xlabel="updates", ylabel="bits for each letter", ylim=(1.5, 6.4))
ax.legend(frameon=False, loc=(0.25, 0.5))
plt.show()

# %% [markdown] id="scribe-alt"
# <details><summary>The figure in words</summary>
#
# Bits for each letter against updates, from 0 to 3,000. Three dashed lines mark what counting
# reaches: 6.0 where all letters are alike, 4.9 by their frequency, 3.6 from the letter before. The
# recorded curve begins below the lowest of them, falls steeply to about 2.4 in the first 300
# updates and then slowly to about 1.7. Open circles, the live run, lie on its beginning; the first
# of them lies above the lowest line.
#
# </details>

# %% [markdown] id="scribe-read"
# Counting which letter follows which needs no network, and leaves twelve letters to choose from.
# After 30 updates the network is past that, so it must know more than the one letter before. After
# 300 updates about five are left, and after ten times as many a little more than four. (The curve
# shows the loss on what it learns from; the table, what it has never read. At the end the curve is
# clearly lower. One reason is that the text is short, and the network begins to know it by heart,
# which is called **overfitting**. Another is that the unread tenth is not of the same kind: it is
# the end of a play, with other names in it; the cell with the text has counted two.)

# %% [markdown] id="draw-word-text"
# ### Letting it write
#
# A model that guesses the next token can write: guess, *draw* a token from the probabilities, feed
# it back as the next input (**sampling**). How daring should the drawing be? That is set by a
# **temperature**, by which the logits are divided before the softmax: below 1 it sharpens the
# probabilities, above 1 it flattens them.

# %% [markdown] id="ex-draw-word-text"
# ### Exercise 1.4 · Draw a token
# *Core, 10 minutes.* `logits` (V,), `temperature` above 0, and `chance`, a number drawn evenly from
# [0, 1). Lay the probabilities of the tokens (here: letters) side by side on a line from 0 to 1:
# token 0 first, then token 1, and so on. Return the number of the token in whose piece `chance`
# lies, an int.
#
# With probabilities 0.25, 0.25, 0.5 the pieces end at 0.25, 0.5 and 1: chance 0.1 draws token 0,
# chance 0.25 and chance 0.4 draw token 1, chance 0.9 draws token 2.
#
# <details><summary>Hint 1</summary>
#
# First the probabilities: softmax of the logits, *divided* by the temperature.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `p.cumsum(0)` says where each piece ends.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# How many pieces lie wholly to the left of `chance`? Mind a chance that lies exactly on an end: see
# the example.
#
# </details>


# %% id="ex-draw-word" tags=["exercise"]
@exercise
def draw_word(logits, temperature, chance):
    """The number of the token in whose share of [0, 1) `chance` lies. logits (V,) → int."""
    raise NotImplementedError


# %% [markdown] id="temperature-text"
# Try the temperature on something simple: the letters that follow *th* in our plays, and how often
# (where the word does not end there). If the logarithms of these counts are the logits, a softmax
# at temperature 1 gives back the shares that were counted. Move the slider.

# %% id="temperature-view"
followers = Counter(text[n + 2] for n in range(len(text) - 2) if text[n : n + 2] == "th")
likely = [(letter, count) for letter, count in followers.most_common(9) if letter.isalpha()]
names_of, counts_of = zip(*likely)
scores = [math.log(count) for count in counts_of]
temperature_view(scores, names_of, title="What follows “th”, at a temperature of your choice")

# %% id="temperature"
for temperature in (0.25, 1.0, 4.0):
    chances = [(n + 0.5) / 1000 for n in range(1000)]  # a thousand draws, evenly spread
    drawn = Counter(draw_word(torch.tensor(scores), temperature, chance) for chance in chances)
    listed = ", ".join(f"{name} {drawn[n]}" for n, name in enumerate(names_of))
    print(f"temperature {temperature:4}, of 1000 draws: {listed}")


# %% id="write"
@torch.no_grad()
def go_on(network, ids, temperature, count, end=None):
    """The token numbers ids, and up to `count` more that the network draws after them."""
    chances = torch.rand(count, generator=torch.Generator().manual_seed(0)).tolist()
    ids, (states, state) = list(ids), network(torch.tensor([ids]))
    for chance in chances:
        logits = network.output(states[0, -1])
        drawn = draw_word(logits, temperature, chance)
        ids.append(min(drawn, len(logits) - 1))  # rounding may end the pieces at 0.9999999
        if ids[-1] == end:
            break
        states, state = network(torch.tensor([[ids[-1]]]), state)  # one step at a time
    return ids


def write(begin, temperature, count):
    ids = go_on(scribe, [letters.index(letter) for letter in begin], temperature, count)
    return "".join(letters[n] for n in ids[len(begin) :])


# %% id="samples"
for temperature in (0.2, 0.7, 1.5):
    print(f"temperature {temperature}:")
    print("    " + write("\n", temperature, 150).replace("\n", "\n    "))

# %% [markdown] id="write-read"
# This is *your* network, 300 updates old. At a low temperature it repeats its favorite words, at
# a high one it raves; at 1 it would draw exactly what it believes. Let it go on from words of your
# own: `print(write("JULIET:\n", 0.7, 200))`. (Chapter 08 returns to drawing, and to better ways of
# searching for a good sentence.)
#
# And where it does not rave you can see what it has *not* learned. Letters fit the letters before
# them, now and then a word fits the one before it, but a sentence has forgotten by its end how it
# began.

# %% [markdown] id="back-text"
# ### How far back does it look?
#
# **You will often read that** a recurrent network predicts from a vector that has *accumulated
# everything* before. As a description of the formula this is right: every earlier letter has a path
# into $h_t$. But does it still matter what stood there? The test: give the fully trained network
# only the last $k$ letters before the one to be guessed, for growing $k$. (Measured at 2,000 places
# of the unread tenth, so the numbers differ a little from the table above.) From how many letters
# on does it no longer help to know more?

# %% id="predict-back"
predict("01.back", ...)  # letters

# %% id="back"
back = {}
for variant in record["variants"]:
    of_variant = [run["bits_by_context"] for run in record["runs"] if run["variant"] == variant]
    back[variant] = torch.tensor(of_variant)
contexts, mean = record["contexts"], back["rnn"].mean(0).tolist()
print("recorded; letters known  " + "".join(f"{k:7}" for k in contexts))
for variant, of_variant in back.items():
    print(f"{variant:4} bits, mean of three " + "".join(f"{x:7.2f}" for x in of_variant.mean(0)))
enough = next(k for k, value in zip(contexts, mean) if value < mean[-1] + 0.01)
print(f"within 0.01 bits of all that the RNN can do: from {enough} letters on")
for variant in back:
    last_bits = [run["train_bits"][-1] for run in record["runs"] if run["variant"] == variant]
    print(f"{variant:4} on the text that it learns from, at the end: {sum(last_bits) / 3:.2f} bits")
reveal("01.back", enough, within=8)

# %% id="back-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for variant, marker, colour in zip(back, "os", figures.PALETTE):
    ends = back[variant].min(0).values, back[variant].max(0).values
    label = record["variants"][variant].split(",")[0]
    ax.plot(contexts, back[variant].mean(0), marker + "-", color=colour, label=label)
    ax.fill_between(contexts, *ends, color=colour, alpha=0.2)
ax.axhline(record["counted"]["the character before"], linestyle="--", color="#555555", linewidth=1)
ax.text(128, 3.66, "counting pairs", ha="right", color="#555555")
ax.set(title="How many letters back? (recorded, three seeds, mean and range)", xscale="log")
ax.set(xlabel="letters known before the one to guess", ylabel="bits for each letter")
ax.set_xticks(contexts, contexts)
ax.minorticks_off()
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="back-alt"
# <details><summary>The figure in words</summary>
#
# Bits for each letter against the number of letters known, 1 to 128, on a logarithmic axis. The
# plain RNN falls from above 5 to about 2.1 at 16 letters and is level from there on. The LSTM
# begins lower, at about 4.4, is above the RNN from 8 to 32 letters, and falls until 64, where both
# meet. A dashed line at 3.6 marks counting pairs.
#
# </details>

# %% [markdown] id="back-read"
# Accumulated: yes. Used: about three words. What stands more than sixteen letters back can be left
# out, and the network guesses just as well. (With one or two letters alone it does worse than
# counting pairs: in training it hardly ever had to begin in the middle.)
#
# The other line is an LSTM, the cell of chapter 02, with as many parameters. It goes on gaining up
# to 64 letters: it does remember longer. Yet it does not guess better here. The last lines of the
# cell say why: after as many updates it has learned the training text itself less well. Memory is
# one thing that a language model needs, and not the only one.

# %% [markdown] id="corpus-text"
# ## The same network, with words
#
# Among letters nobody can say how far back it *should* look. So the same class once more, with
# words instead of letters, on the English side of the book's own corpus: sentences and small
# stories that a grammar wrote, simple in their words. There we know what hangs on what. `BOS`
# (*beginning of sentence*) is put in front and `EOS` (*end*) behind, so that the first word can be
# guessed from something and the end can be guessed at all.

# %% id="corpus"
corpus = load_corpus("ko-en")
vocabulary = WordVocabulary.build(pair.tgt for pair in corpus.train)


def numbered(sentence):
    return torch.tensor([BOS, *vocabulary.encode(sentence), EOS])


train, test = ([numbered(pair.tgt) for pair in part] for part in (corpus.train, corpus.test))
print(f"{len(train):,} sentences to learn from, {len(vocabulary)} words")
print(corpus.train[2].tgt)

# %% [markdown] id="batch-text"
# (One peculiarity, for a measurement to come: half of the sentences are shown from a random word
# on, so that this network does learn to begin in the middle.)


# %% id="batch"
def draw_batch(count=32):
    """Inputs, targets and mask, each (B, T): sentences drawn at random, half of them cut."""
    some = []
    for index in torch.randint(len(train), (count,)).tolist():
        start_at = torch.randint(len(train[index]) - 1, ()) if torch.rand(()) < 0.5 else 0
        some.append(train[index][start_at:].tolist())
    table, real = pad(some)
    return table[:, :-1], table[:, 1:], real[:, 1:]


def surprise(network, inputs, targets, mask):
    """Mean cross-entropy of the real words, in nats."""
    states, _ = network(inputs)
    return F.cross_entropy(network.output(states[mask]), targets[mask])


# %% id="train"
seed_everything(1)
model, untrained = (NextToken(len(vocabulary), hidden=128) for _ in range(2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.004)
slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=600)
for _ in range(600):  # about nine seconds, twelve with AVX2 alone
    loss = surprise(model, *draw_batch())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    slower.step()

# %% [markdown] id="own-loop-text"
# Does your loop over your step compute what `nn.RNN` computes? The trained network, one test
# sentence:

# %% id="own-loop"
weights = [parameter.detach() for parameter in model.rnn.parameters()]
heard_words = test[0][:-1].unsqueeze(0)
with torch.no_grad():
    embedded = model.embed(heard_words)
    by_loop, _ = unroll(lambda x, h: rnn_step(x, h, *weights), embedded, torch.zeros(1, 128))
    apart = (by_loop - model(heard_words)[0]).abs().max()
print(f"{by_loop.numel():,} numbers, the largest difference: {apart:.3f}")

# %% id="test-perplexity"
with torch.no_grad():
    table, real = pad([ids.tolist() for ids in test])
    total = surprise(model, table[:, :-1], table[:, 1:], real[:, 1:]) * real[:, 1:].sum()
unseen = perplexity(total.item(), int(real[:, 1:].sum()))
print(f"words to choose from, if one knows nothing: {len(vocabulary):,}")
print("and after the training, in sentences never seen:", about(unseen, 3.5, 7.0, ".1f"))

# %% [markdown] id="surprise-text"
# The average hides the interesting part. Which words of a sentence are easy to guess, and which are
# not? Nobody can know *where* somebody went; but what comes right after *went*? And the sentence
# below says *bananas* twice. Is the word as surprising the second time?

# %% id="surprise"
told = "Jiho went to the market to buy bananas, but there were no bananas, so he bought grapes."
ids, labels = numbered(told), [*vocabulary.tokenize(told), "(end)"]
with torch.no_grad():
    log_p = model.output(model(ids[:-1].unsqueeze(0))[0][0]).log_softmax(-1)
nats = -log_p[range(len(ids) - 1), ids[1:]]
bands = {1: (1, 5), 2: (0, 0.5), 7: (1, 5), 13: (1, 5), 18: (1.5, 6)}
for place, band in bands.items():
    print(f"{labels[place]:8}{about(nats[place], *band):>6} nats")

# %% id="surprise-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8.5, 3.4))
ax.bar(range(len(nats)), nats, color=figures.PALETTE[0])
ax.set_xticks(range(len(nats)), labels, rotation=40, ha="right")
ax.set(title="How surprising is each word, given all before it?")
ax.set(xlabel="word that is guessed", ylabel="−log p (nats)")
plt.show()

# %% [markdown] id="surprise-alt"
# <details><summary>The figure in words</summary>
#
# Bar chart over the words of "Jiho went to the market to buy bananas, but there were no bananas, so
# he bought grapes". The bars of words that carry news, such as "Jiho", "went", "bananas" and
# "grapes", are high; those of words that the grammar demands, such as "to" and "the" after "went",
# and "were", are near zero. The bar of the second "bananas" is lower than that of the first, but
# among the highest.
#
# </details>

# %% [markdown] id="surprise-read"
# After *went* the network is almost sure of *to*. Words that grammar demands cost little, words
# that carry news cost most. Nobody told the network about grammar. But look at the second
# *bananas*. It is no news: it stands there already, six tokens before. A reader who remembers it is
# not surprised at all. The network is a little less surprised than the first time, and far from
# sure. What did it expect? And could it have known?

# %% id="surprise-again"
shape = re.compile(r"to buy (\w+), but there were no (\w+),")
wanted_missing = [found.groups() for pair in corpus.train if (found := shape.search(pair.tgt))]
same = sum(wanted_word == missing for wanted_word, missing in wanted_missing)
fruits = sorted({missing for _, missing in wanted_missing})
expected = log_p[13].exp()  # what comes after "but there were no"
on_fruits = expected[[vocabulary.index[fruit] for fruit in fruits]].sum()
print(f"{len(wanted_missing)} training sentences of this shape; the same word twice in {same}")
print("the words:", ", ".join(fruits))
print("after “there were no”, probability of these words:", about(on_fruits, 0.35, 1))
print("and of “bananas”:", about(expected[vocabulary.index["bananas"]], 0, 0.3))

# %% [markdown] id="surprise-again-read"
# It knows that a fruit is due, and not which one. In all training sentences of this shape the two
# words are the same; the network has not picked that up.

# %% [markdown] id="history-text"
# ### How many words back?
#
# The test from above, with words deep in long sentences, each with at least 24 tokens before it.
# The network is given only the last $k$ of those, the short histories of exercise 1.3. For $k = 0$
# no network is needed: all that can be known then is how frequent each word is.


# %% id="context"
long = [ids for ids in test if len(ids) > 26][:300]


@torch.no_grad()
def surprise_with(k):
    """Mean cross-entropy of the words from position 24 on, if k words before are known."""
    windows = torch.cat([ids.unfold(0, k + 1, 1)[24 - k :] for ids in long])  # (N, k + 1)
    logits = model.output(model(windows[:, :-1])[1][0])
    return F.cross_entropy(logits, windows[:, -1]).item()


known = {k: math.exp(surprise_with(k)) for k in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24)}

# %% id="context-none"
counts = Counter(word for ids in train for word in ids[1:].tolist())
guessed = [word for ids in long for word in ids[24:].tolist()]
blind = sum(-math.log(counts[word] / counts.total()) for word in guessed)
known = {0: perplexity(blind, len(guessed)), **known}
bands = {0: (80, 400), 1: (14, 28), 2: (6, 11), 5: (3.5, 6), 10: (3.2, 5.3), 24: (3.2, 5.3)}
print(f"{len(guessed):,} words in {len(long)} sentences; words to choose from,")
for k, band in bands.items():
    print(f"  if {k:2} words before are known: {about(known[k], *band, '.1f'):>6}")
further = about(100 * (1 - known[24] / known[10]), -1, 4, ".1f")
print(f"all that lies more than 10 words back saves {further} %")

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
# above 100 with no word to about 17 with one, about 7 with two and below 4 with five, and is level
# from about ten words on.
#
# </details>

# %% [markdown] id="context-read"
# Used: the last ten words or so, and chiefly the last five. Everything more than ten words back
# lowers the perplexity of this network by hardly anything. (One run, one size, 600 updates.)
#
# Perhaps there is simply nothing of interest further back? In this corpus there is. A story keeps
# one tense to its end, so its first word may decide a verb thirty words later.

# %% [markdown] id="will-counts-text"
# ## Yesterday and tomorrow
#
# How often does *will* stand in a story that begins with *Yesterday*, and how often in one that
# begins with *Tomorrow*?

# %% id="will-counts"
for first in ("Yesterday,", "Tomorrow,"):
    texts = [pair.tgt for pair in corpus.train if pair.tgt.startswith(first)]
    print(f"{first:10} {len(texts):5} sentences, with 'will': {sum(' will ' in t for t in texts)}")

# %% [markdown] id="will-text"
# Never after *yesterday*, always after *tomorrow*: as clear as language gets. You know Minsu from
# chapter 00, where he read four novels at the library. Today he goes to the market. Let the network
# read two beginnings of a story about him, and go on itself.

# %% id="will-stories"
future_begun = "Tomorrow, Minsu will go to the market. He"
past_begun = "Yesterday, Minsu went to the market. He"
for begun in (future_begun, past_begun):
    ids = go_on(model, numbered(begun)[:-1].tolist(), temperature=0.5, count=25, end=EOS)
    print(vocabulary.decode(ids))

# %% [markdown] id="will-stories-read"
# In our run both go on in the past, and by *I read* the network has forgotten whom the story is
# about, too. (The same chances decide in both.) One story proves nothing, so let us ask for
# numbers: how probable is *will* as the next word? Once right after *Tomorrow, Minsu* and
# *Yesterday, Minsu*. Then with a sentence in between, three of them in turn, such as *Tomorrow,
# Minsu will go to the market. He*: that sentence is in the right tense itself, so whoever reads it
# is told the tense twice. And last, to see what the first word alone does, we exchange nothing but
# it. Six names take turns, and we take the mean.
#
# In the corpus the factor is infinite. By what factor is *will* more probable after *Tomorrow* than
# after *Yesterday*, once that sentence stands in between?

# %% id="predict-later"
predict("01.later", ...)  # a factor


# %% id="will"
@torch.no_grad()
def p_will(texts):
    """The mean probability of "will" after the texts."""
    heard_ids = [numbered(sentence)[:-1].unsqueeze(0) for sentence in texts]
    logits = torch.stack([model.output(model(ids)[0][0, -1]) for ids in heard_ids])
    return logits.softmax(-1)[:, vocabulary.index["will"]].mean().item()


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
asked = {
    "at once": (*at_once, (1.5, 30)),
    "a sentence later": (*later, (0.8, 3)),
    "where only the first word differs": (later[0], swapped, (0.85, 1.15)),
}
print("probability of “will”              Tomorrow   Yesterday   factor")
for name, (of_tomorrow, of_yesterday, band) in asked.items():
    shares = f"{about(of_tomorrow, 0.005, 0.7):>9}{about(of_yesterday, 0.005, 0.4):>12}"
    print(f"{name:34}{shares}{about(of_tomorrow / of_yesterday, *band):>9}")
assert at_once[0] / at_once[1] > 1.3 * later[0] / later[1]
reveal("01.later", later[0] / later[1], within=1)

# %% [markdown] id="will-read"
# Right after the beginning the network has noticed, though not more than that. A sentence later
# little is left, and that little comes from the verb of the sentence in between: whether it all
# began with *yesterday* or *tomorrow* makes no difference to the network's guess any more. The
# information would be worth having, the formula has room for it, and hardly a trace of it is left.
#
# Keep this sentence in mind. Chapter 02 gives it to a better cell.
#
# <details><summary>How sure?</summary>
#
# One run of one network, six names and three sentences. The bands that the cell allows leave room
# for other seeds: put another number into `seed_everything(1)` of the training cell and see.
#
# And it read 600 times 32, or 19,200 sentences, fewer than the corpus holds, and *Tomorrow* opens
# few of those, as the counts above say. Part of the failure may be too few examples. The task at
# the end of this chapter, which has no lack of them, shows that memory alone is enough to fail; and
# chapter 02 lets such a network read nothing but stories of yesterday and tomorrow.
#
# </details>

# %% [markdown] id="break-text"
# *Here the first sitting ends.* You have a cell, a loop, a loss, a network that writes, and a test
# that it fails. Is it too small? It has 128 numbers for one bit, yesterday or tomorrow. A large
# part of the reason lies in how a network *learns*.

# %% [markdown] id="bptt-text"
# ## Back-propagation through time
#
# How does the loss at the end teach the first word's step? Unrolled, the network is an ordinary
# deep one: as many layers as words, all with the same weights. The chain rule walks through it
# backward ([Werbos 1990](D_papers.ipynb#cell-id=werbos-1990)). Let us do that by hand on three
# steps, with a state of one number and a target $y$ for the last state:
#
# $$h_t = \tanh(w\, h_{t-1} + u\, x_t), \qquad L = \tfrac{1}{2}(h_3 - y)^2$$

# %% id="bptt-forward"
w, u, y = 0.8, 1.0, 1.0
xs = [0.5, -0.3, 0.2]
h = [0.0]
for x_t in xs:
    h.append(math.tanh(w * h[-1] + u * x_t))
loss_by_hand = 0.5 * (h[3] - y) ** 2
print("h_0 to h_3:", [round(number, 3) for number in h], "loss", round(loss_by_hand, 3))

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
# At which of the three steps is the part of $w$ exactly zero?

# %% id="predict-zero"
predict("01.zero", ...)  # 1, 2 or 3

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
reveal("01.zero", 3 - parts_w.index(0))

# %% id="bptt-figure" tags=["hide-input"]
blue, red = figures.PALETTE[0], "#A04000"


def box(ax, x, y, inside, colour):
    look = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour}
    ax.text(x, y, inside, ha="center", va="center", fontsize=11, bbox=look, zorder=3)


def arrow(ax, start, end, label="", colour="#444444", bend=0.0, room=20, at=(0, 0)):
    drawn = {"arrowstyle": "-|>", "linewidth": 1.6, "color": colour, "shrinkA": room}
    drawn |= {"shrinkB": room, "connectionstyle": f"arc3,rad={bend}"}
    ax.annotate("", end, start, arrowprops=drawn, zorder=1)
    middle = [(a + b) / 2 + off for a, b, off in zip(start, end, at)]
    ax.text(*middle, label, ha="center", va="center", color=colour, fontsize=10.5)


fig, ax = plt.subplots(figsize=(9, 3.9))
for t in range(4):
    box(ax, 2.4 * t, 1, f"$h_{t}$ = {h[t]:.3f}", blue)
    ax.text(2.4 * t, 1.55, f"$g_{t}$ = −{abs(g[t]):.3f}", ha="center", color=red, fontsize=11)
    if t:
        box(ax, 2.4 * t, 0, f"$x_{t}$ = {xs[t - 1]}".replace("-", "−"), figures.PALETTE[2])
        arrow(ax, (2.4 * t, 0), (2.4 * t, 1), f"× u = {u:.0f}", room=16, at=(0.5, 0))
        arrow(ax, (2.4 * t - 2.4, 1), (2.4 * t, 1), f"× w = {w}", room=40, at=(0, -0.2))
        share = f"× {w * (1 - h[t] ** 2):.2f}"
        ends = (2.4 * t, 1.6), (2.4 * t - 2.4, 1.6)
        arrow(ax, *ends, share, red, bend=0.3, room=36, at=(0, 0.12))
box(ax, 9.3, 1, f"$L$ = {loss_by_hand:.3f}", "#000000")
arrow(ax, (7.2, 1), (9.3, 1), room=38)
title = "Forward to the right (each h is the tanh of what arrives, added up), backward in red"
ax.set_title(title, fontsize=12)
ax.set(xlim=(-0.8, 10.1), ylim=(-0.4, 2.3))
ax.axis("off")
plt.show()

# %% [markdown] id="bptt-alt"
# <details><summary>The figure in words</summary>
#
# The unrolled network of three steps with its numbers. Along the middle the states from h 0 = 0 to
# h 3 and the loss, joined by arrows to the right that carry times w = 0.8; from below the three
# inputs, times u = 1. Above the states, the gradients, largest in size at h 3; red arrows lead from
# each to the one before and carry factors between 0.6 and 0.8.
#
# </details>

# %% id="bptt-autograd"
w_, u_ = torch.tensor(w, requires_grad=True), torch.tensor(u, requires_grad=True)
reached = torch.zeros(())
for x_t in xs:
    reached = torch.tanh(w_ * reached + u_ * x_t)
(0.5 * (reached - y) ** 2).backward()
torch.testing.assert_close(torch.tensor(sum(parts_w)), w_.grad)
torch.testing.assert_close(torch.tensor(sum(parts_u)), u_.grad)
for name, by_parts, auto in (("w", sum(parts_w), w_.grad), ("u", sum(parts_u), u_.grad)):
    print(f"dL/d{name}: by hand {by_parts:.4f}, by autograd {auto:.4f}")

# %% [markdown] id="bptt-read"
# The part of step 1 is zero because $h_0$ is. And look at the numbers on the arrows that go back:
# each step multiplies the gradient by $w(1 - h_t^2)$, here by less than one. Three steps have cost
# more than half of it. Thirty would leave next to nothing.
#
# With vectors the same formulas hold: the slope multiplies number by number (written $\odot$),
# and the way back through $W_{hh}$ is its **transpose**,
#
# $$a_t = g_t \odot (1 - h_t^2), \qquad g_{t-1} = W_{hh}^\top a_t + (\text{what } L
# \text{ says to } h_{t-1} \text{ directly}).$$
#
# The term in parentheses is for losses that look at *every* state, as a language model's does.

# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# The next exercise is the hardest of the chapter. Here is its skeleton on something simpler: no
# tanh, one number, $h_t = w\,h_{t-1} + x_t$, and the loss is simply $h_3$. With $w = 0.5$ and the
# inputs 2, 4, 6 the states are 2, 5 and 8.5, and $dL/dw$ should be 6. The loop goes back, every use
# of $w$ adds its part. One line is yours: what arrives at the state before?

# %% id="faded"
line_w, line_h = 0.5, [0.0, 2.0, 5.0, 8.5]
arrives, collected = 1.0, 0.0  # dL/dh_3, and what w has got so far
for t in (3, 2, 1):
    collected += arrives * line_h[t - 1]  # w was multiplied with the state before
    arrives = arrives  # yours: what the step back does to the gradient
print("dL/dw:", collected)

# %% [markdown] id="ex-bptt-text"
# ### Exercise 1.5 · Back-propagation through time
# *Hard, 25 minutes; this one hurts.* No autograd. `inputs` (T, E) are $x_1 \dots x_T$; `states`
# (T+1, H) are $h_0 \dots h_T$ of $h_t = \tanh(W_{ih} x_t + W_{hh} h_{t-1} + b)$; `grad_states`
# (T, H) is what the loss says directly to $h_1 \dots h_T$; `weight_hh` (H, H). Return the three
# gradients for $W_{ih}$ (H, E), $W_{hh}$ (H, H) and $b$ (H,), as a tuple.
#
# <details><summary>Hint 1</summary>
#
# Go from t = T down to 1 with a vector `carried`, zeros at first: what comes back from later steps.
# The gradient at h_t is `carried` plus what the loss says to it directly. Mind the numbering: h_t
# is `states[t]`, its x_t is `inputs[t - 1]`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `a = (carried + direct) * (1 - states[t] ** 2)`. A weight's part is an outer product: rows belong
# to a, columns to what the weight was multiplied with.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The faded loop with vectors: three sums instead of one (what was each weight multiplied with, and
# what was b?), and at the end of a turn the line that you wrote there, with the transposed matrix
# in the place of w.
#
# </details>


# %% id="ex-bptt" tags=["exercise"]
@exercise
def bptt(inputs, states, grad_states, weight_hh):
    """Gradients for W_ih (H, E), W_hh (H, H), b (H,) from x (T, E), h (T+1, H), dL/dh (T, H)."""
    raise NotImplementedError


# %% [markdown] id="bptt-use-text"
# The same on the trained language model and one of its test sentences, against torch's
# `backward()`: 128 units, every word with its own loss.

# %% id="bptt-use"
model.zero_grad()
heard_ids = test[0]
embedded = model.embed(heard_ids[:-1]).detach()
states, _ = model(heard_ids[:-1].unsqueeze(0))
states.retain_grad()  # what the loss says to each state directly: the recurrence is inside nn.RNN
F.cross_entropy(model.output(states[0]), heard_ids[1:]).backward()
h_all = torch.cat([torch.zeros(1, 128), states[0].detach()])
by_bptt = bptt(embedded, h_all, states.grad[0], model.rnn.weight_hh_l0.detach())
for by_hand, name in zip(by_bptt, ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0")):
    by_backward = getattr(model.rnn, name).grad
    torch.testing.assert_close(by_hand, by_backward, atol=1e-5, rtol=1e-3)
    apart = (by_hand - by_backward).norm() / by_backward.norm()
    print(f"{name:13} {by_hand.numel():6,} numbers, off by {apart:.3f} of their length")

# %% [markdown] id="truncated-text"
# Going all the way back needs all states in memory. On a text of a million words one cuts the chain
# every so many steps, as we did with Shakespeare: the state is handed on, the gradient is not
# (**truncated** back-propagation through time, [Williams and Peng
# 1990](D_papers.ipynb#cell-id=williams-1990)). What the cut throws away may have been next to
# nothing anyway, as you will see now.

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
# **initialization**). (An **orthogonal** matrix turns or mirrors a vector and leaves its length as
# it is.) Torch fills a recurrent matrix with evenly spread random numbers between $-1/\sqrt{H}$ and
# $1/\sqrt{H}$. Is its $\rho$ below 1, about 1, or above?

# %% id="predict-radius"
predict("01.radius", ...)  # "below", "about" or "above"

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


# %% id="radius"
print("start               spectral radius   largest singular value   (mean of 5 matrices)")
for start_name in STARTS:
    five = torch.stack([make_matrix(start_name, seed) for seed in range(5)])
    rho = torch.linalg.eigvals(five).abs().amax(1).mean()
    print(f"{start_name:18}{rho:12.2f}{torch.linalg.svdvals(five).amax(1).mean():22.2f}")
print(f"1/√3 = {3**-0.5:.2f}")
reveal("01.radius", "below")

# %% id="eigenvalues-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 4, figsize=(10, 3.2), sharey=True)
circle_of = torch.exp(1j * torch.linspace(0, 2 * math.pi, 200))
for ax, start_name, colour in zip(axes, STARTS, figures.PALETTE):
    values = torch.linalg.eigvals(make_matrix(start_name, seed=1))
    ax.plot(circle_of.real, circle_of.imag, color="#555555", linewidth=1.2)
    ax.scatter(values.real, values.imag, s=14, color=colour)
    ax.set(title=start_name, xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal")
    ax.set_xlabel("real part")
axes[0].set_ylabel("imaginary part")
fig.suptitle("Eigenvalues of four recurrent matrices; the circle has radius 1")
plt.show()

# %% [markdown] id="eigenvalues-alt"
# <details><summary>The figure in words</summary>
#
# Four scatter plots of 64 complex eigenvalues each with the unit circle. Torch's default fills a
# disk of radius about 0.6. The normal start fills a disk that just reaches the circle. The
# orthogonal start lies exactly on the circle, the one times 1.5 on a larger circle.
#
# </details>

# %% [markdown] id="radius-read"
# Torch's default starts far inside the circle. This is no accident. The eigenvalues of a large
# matrix of independent random entries with mean 0 and variance $\sigma^2$ nearly fill a disk of
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
# <details><summary>Hint 1</summary>
#
# Multiplying a matrix by a number multiplies each of its eigenvalues by that number.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `torch.linalg.eigvals(weight)` are complex numbers. What counts is how far each lies from 0, in
# whichever direction.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Which one number would make the radius 1? And which one makes it what is wanted?
#
# </details>


# %% id="ex-spectral" tags=["exercise"]
@exercise
def with_spectral_radius(weight, radius):
    """The matrix weight (H, H), scaled so that its largest |eigenvalue| is `radius`."""
    raise NotImplementedError


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
# <details><summary>Hint 1</summary>
#
# `torch.autograd.grad(number, inputs)[0]` needs inputs that require a gradient: `inputs =
# inputs.detach().requires_grad_()` makes a fresh tensor.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `.norm(dim=1)` is the length of each row: one number for each position. Position T − 1 is
# distance 0.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The lengths come in the order of the positions. What turns positions into distances, and what
# makes the first of them 1?
#
# </details>


# %% id="ex-reach" tags=["exercise"]
@exercise
def gradient_reach(run, inputs):
    """‖∂(Σ h_T)/∂x_{T−d}‖ relative to d = 0. run: inputs (T, E) → states (T, H); returns (T,)."""
    raise NotImplementedError


# %% [markdown] id="reach-experiment-text"
# Now measure: untrained networks of 64 units read 100 random vectors. First without a tanh, where
# the theory above is exact, then with it. There are five networks of each kind. Will *orthogonal ×
# 1.5*, whose radius is above 1, explode with the tanh in it?

# %% id="predict-explode"
predict("01.explode", ...)  # "yes" or "no"


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


# %% id="reach-numbers"
bends = {"without tanh": lambda total: total, "with tanh": torch.tanh}
reach = {name: {s: measured(s, bend) for s in STARTS} for name, bend in bends.items()}
print("factor per step     without tanh   with tanh   left after 20 steps, with tanh")
for start_name in STARTS:
    cut_out = [curves[start_name] for curves in reach.values()]
    ratios = [(curve[:, 60] / curve[:, 20]).log().mean().div(40).exp() for curve in cut_out]
    left = cut_out[1][:, 20].log().mean().exp()
    print(f"{start_name:18}{ratios[0]:12.2f}{ratios[1]:14.2f}{left:18.0e}")
reveal("01.explode", "no")

# %% id="reach-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True)
for ax, (name, curves) in zip(axes, reach.items()):
    drawn_curves = {start: curve[:, :81] for start, curve in curves.items()}
    learning_curves(range(81), drawn_curves, title=name, log=True, ax=ax)
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

# %% [markdown] id="reach-read"
# Without the tanh the factor per step (measured from distance 20 to 60) is the spectral radius to
# within about a hundredth, as it should be. With the tanh, the slopes $1 - h_t^2$, none of them
# above 1, are multiplied in as well. Torch's default loses more than half of the gradient *at every
# step*: after twenty steps less than a millionth is left. Even the orthogonal matrix, which alone
# would pass everything on, fades.
#
# **You will often read that** a spectral radius above 1 makes gradients explode. That is true of
# the network *without* the bend. *Orthogonal × 1.5* does not explode here: where the matrix pushes
# the state outward, the tanh gets flatter and takes it back, and the two nearly cancel. A bounded
# state is a brake. Not a perfect one: write a larger gain than 1.5 into `STARTS` and see when the
# gradient grows in spite of the tanh. (Chapter 02 has a better idea than such a balance.)

# %% [markdown] id="gradient-view-text"
# Here is what this means for our story. Three of these untrained networks read it, each word a
# random vector, and a loss looks at the state after *He*. The darker a box, the more of the
# gradient arrives there. The picture shows the end of its journey; press Play to see it travel.

# %% id="gradient-view"
story = [*vocabulary.tokenize("Tomorrow, Minsu will go to the market. He")]
story_vectors = torch.randn(
    len(story), 64, dtype=torch.float64, generator=torch.Generator().manual_seed(1)
)
arriving = {}
for start_name in ("torch's default", "orthogonal", "orthogonal × 1.5"):
    untaught = network(make_matrix(start_name, 1), torch.tanh)
    arriving[start_name] = gradient_reach(untaught, story_vectors).flip(0)
gradient_view(arriving, story, title="From “He” back to “Tomorrow”")

# %% id="gradient-numbers"
for start_name, sizes in arriving.items():
    print(f"{start_name:18} of the gradient at “He” arrives at “Tomorrow”: {100 * sizes[0]:.2g} %")

# %% [markdown] id="lost-text"
# Does a faint gradient matter, as long as it is not zero? The parts of all distances are *added up*
# in one gradient of $W_{hh}$, and torch's usual numbers have single precision, about seven digits.
# What is left of a far part of a hundred-millionth beside a near one of 1?

# %% id="lost-in-the-sum"
near, faint = torch.tensor(1.0), torch.tensor(1e-8)
print(f"(1 + 0.00000001) − 1 = {(near + faint - near).item()}")

# %% [markdown] id="trained-text"
# It is rounded away. With more digits it would survive and still change next to nothing: the step
# goes where the near words point. The gradient as a whole does *not* vanish: it has a healthy size,
# but it is all about the last few words.
#
# ### Before and after training
#
# So far the networks were untrained. Does training help itself to a longer memory? Two views of our
# language model. Backward: the gradient of the loss of one word with respect to each earlier
# word's vector. Forward: exchange the first word of a sentence, *yesterday* for *tomorrow*, and
# watch how different the two states are, word by word.


# %% id="trained-reach"
def word_reach(network):
    """Gradient of the loss of word 25 by distance, mean over 300 test sentences: (25,)."""
    cuts = torch.stack([ids[:26] for ids in long])
    embedded = network.embed(cuts[:, :-1]).detach().requires_grad_()
    logits = network.output(network.rnn(embedded)[0][:, -1])
    loss = F.cross_entropy(logits, cuts[:, -1], reduction="sum")
    norms = torch.autograd.grad(loss, embedded)[0].norm(dim=2).mean(0).flip(0)
    return norms / norms[0]


@torch.no_grad()
def difference_after_swap(network):
    """How different the states are, relative to their size, after the first word was swapped."""
    yesterday, tomorrow = (vocabulary.index[word] for word in ("yesterday", "tomorrow"))
    one = torch.stack([ids[:20] for ids in test if ids[1] == yesterday and len(ids) > 20])
    other = one.clone()
    other[:, 1] = tomorrow
    one, other = network(one)[0], network(other)[0]
    return ((one - other).norm(dim=2) / one.norm(dim=2)).mean(0)[1:]


# %% id="trained-numbers"
stages = {"before training": untrained, "after training": model}
backward = {name: word_reach(network_of) for name, network_of in stages.items()}
forward = {name: difference_after_swap(network_of) for name, network_of in stages.items()}
bands = {"before training": (1e-8, 1e-4), "after training": (1e-4, 3e-2)}
radii = {"before training": (0.5, 0.8), "after training": (1.5, 4)}
swaps = {"before training": (1e-5, 5e-3), "after training": (1e-3, 5e-2)}
print("                  gradient 20 words back   swap, 12 words later   spectral radius")
for name, network_of in stages.items():
    hidden_weight = network_of.rnn.weight_hh_l0.detach()
    radius = torch.linalg.eigvals(hidden_weight).abs().max()
    arrived = about(backward[name][20], *bands[name], ".0e")
    differs = about(forward[name][12], *swaps[name], ".4f")
    print(f"{name:16}{arrived:>24}{differs:>24}{about(radius, *radii[name]):>18}")
gain = backward["after training"][20] / backward["before training"][20]
print("as much gradient as before:", about(gain, 50, 20_000, ".0f"), "times")

# %% id="trained-figure" tags=["hide-input"]
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

# %% [markdown] id="trained-read"
# Training does stretch the memory: the spectral radius rises far above 1 (and nothing explodes: the
# brake again), and from twenty words away many times as much gradient arrives (the last line). It
# is not enough. What the state has lost going forward, and what the gradient has lost going
# backward, are, for small differences, the same product of the same matrices, read from its two
# ends. This is the vicious circle of the plain recurrent network: to learn to keep a word it needs
# a gradient from far away, and there is one only if the word is kept.

# %% [markdown] id="wait-text"
# ### A task that needs nothing but memory
#
# To be sure that it is memory that fails, take a task that needs nothing else. A first symbol, one
# of eight; then $T$ random other symbols; then the question: which was the first? The networks are
# the same but for the start of $W_{hh}$, and train equally long, with three seeds each. $T$ is 2,
# 5, 10 or 20, and guessing gives one in eight. Up to which $T$ does torch's default learn the task?

# %% id="predict-wait"
predict("01.wait", ...)  # 0, 2, 5, 10 or 20


# %% id="wait"
def strings(count, wait):
    """Symbols (count, 1 + wait), and the first of each, which is asked for."""
    first = torch.randint(8, (count, 1))
    noise = torch.randint(8, 16, (count, wait))
    return torch.cat([first, noise], dim=1), first[:, 0]


def remembers(fill, wait, seed, updates=200, **options):
    """Share of right answers on 500 new strings, after training; ``fill`` fills W_hh."""
    seed_everything(seed)
    embed, rnn = nn.Embedding(16, 16), nn.RNN(16, 32, batch_first=True, **options)
    output = nn.Linear(32, 8)
    fill(rnn.weight_hh_l0.data)
    optimizer = torch.optim.Adam(nn.ModuleList([embed, rnn, output]).parameters(), lr=0.003)
    for _ in range(updates):
        symbols, asked = strings(32, wait)
        loss = F.cross_entropy(output(rnn(embed(symbols))[1][0]), asked)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        symbols, asked = strings(500, wait)
        return (output(rnn(embed(symbols))[1][0]).argmax(1) == asked).double().mean().item()


# %% id="wait-runs"
waits, chosen = [2, 5, 10, 20], ["torch's default", "orthogonal", "orthogonal × 1.5"]
answers = {}
for start_name in chosen:
    per_seed = [[remembers(STARTS[start_name], T, seed) for T in waits] for seed in (1, 2, 3)]
    answers[start_name] = 100 * torch.tensor(per_seed)

# %% id="wait-numbers"
limits = {
    "torch's default": ((95, 100), (95, 100), (0, 60), (0, 40)),
    "orthogonal": ((95, 100), (95, 100), (10, 100), (0, 80)),
    "orthogonal × 1.5": ((95, 100), (95, 100), (60, 100), (25, 100)),
}
print("right answers (%), mean of three seeds    T = 2    T = 5   T = 10   T = 20")
for start_name, of_seeds in answers.items():
    pairs = zip(of_seeds.mean(0), limits[start_name])
    print(f"{start_name:37}", *[about(value, *band, "7.0f") for value, band in pairs])
default, larger = answers["torch's default"], answers["orthogonal × 1.5"]
assert larger[:, 2].mean() > default[:, 2].mean() + 30
assert default[:, 3].max() < 40 < 60 < larger[:, 3].max()
reveal("01.wait", max(T for T, value in zip(waits, default.min(0).values) if value > 90))

# %% id="wait-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
for shift, (start_name, of_seeds) in enumerate(answers.items()):
    places = torch.arange(4) + 0.24 * (shift - 1) + 0.06 * torch.arange(-1, 2).unsqueeze(1)
    look = {"color": figures.PALETTE[[0, 2, 3][shift]], "marker": "os^"[shift], "s": 55}
    ax.scatter(places, of_seeds, label=start_name, alpha=0.75, **look)
ax.axhline(12.5, linestyle="--", color="#555555")
ax.text(0.5, 15, "guessing", ha="center", color="#555555")
ax.set_xticks(range(4), waits)
ax.set(title="Which was the first symbol? (three seeds for each start)", ylim=(0, 105))
ax.set(xlabel="symbols in between, T", ylabel="right answers (%)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="wait-alt"
# <details><summary>The figure in words</summary>
#
# Right answers in percent against 2, 5, 10 and 20 symbols in between, three points for each of
# three starts. At 2 and 5 all points are near 100. At 10 torch's default is near the dashed line of
# guessing, orthogonal has one point at 100 and two near 25, and orthogonal × 1.5 is near 100. At 20
# torch's default is at the line, orthogonal lies between the line and 40, and orthogonal × 1.5 has
# two points near 100 and one near 20.
#
# </details>

# %% [markdown] id="wait-read"
# Five steps are easy for all. At ten, the start of one matrix decides between learning the task and
# guessing, in the order that the reach predicted (luck has its part, too: look at how the seeds
# scatter). At twenty the default start learns nothing in this time, though a state of 32 numbers
# has ample room for one symbol of eight, and though the same network from another start can do it.
# It is not that it *cannot* hold the symbol. It is never taught to.
#
# **You will often read that** in a recurrent network the first words fade. They do, in a plain one
# *as it usually starts and trains*; how fast is a property of a matrix and of the tanh, which you
# can now measure. That the LSTM was made to cure this is the subject of chapter 02.

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


# %% id="cliff-numbers"
b = torch.linspace(-0.45, 0.15, 4001, dtype=torch.float64)
for steps in (5, 15, 50):
    steepest = slope(b, steps).abs().max()
    print(f"T = {steps:2}: the steepest slope in the picture: {steepest:8,.1f}, at b = ", end="")
    print(f"{b[slope(b, steps).abs().argmax()]:.2f}")

# %% id="cliff-figure" tags=["hide-input"]
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
# somewhat less steeply at about −0.26; with 5 its slope is gentler, and steepest at the left edge.
# Right, the size of the slope on a
# logarithmic axis: at the drop it rises to about a hundred for 15 steps and beyond a thousand for
# 50.
#
# </details>

# %% [markdown] id="cliff-read"
# One step of gradient descent that happens to start *on* the wall is as long as the slope is large:
# it throws away everything that was learned. The cure is blunt and good ([Pascanu, Mikolov and
# Bengio 2013](D_papers.ipynb#cell-id=pascanu-2013)). The gradient's *direction* is fine, its
# *length* is not. So if the whole gradient is longer than a threshold $\theta$, shorten it to
# $\theta$ (**gradient clipping**):
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
# <details><summary>Hint 1</summary>
#
# The norm of everything: the square root of the sum of the squares of all numbers in all tensors.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# One factor for all of them: θ divided by the norm, but never above 1.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# When would you divide by zero, and is anything to be clipped then? Ask first, then divide.
#
# </details>


# %% id="ex-clip" tags=["exercise"]
@exercise
def clip_by_norm(gradients, max_norm):
    """(gradients scaled to a joint norm of at most max_norm, their joint norm before)."""
    raise NotImplementedError


# %% [markdown] id="clip-step-text"
# Now take one step from the wall, with a **learning rate** of 0.01. The plot above is 0.6 wide. How
# far does the step move $b$ without clipping?

# %% id="predict-leap"
predict("01.leap", ...)

# %% id="clip-step"
on_the_wall = torch.tensor(-0.2139, dtype=torch.float64)
raw = slope(on_the_wall)
(clipped,), norm_before = clip_by_norm([raw], max_norm=1.0)
for name, gradient in (("as it is", raw), ("clipped", clipped)):
    landed = on_the_wall - 0.01 * gradient
    print(f"{name:8}: b moves by {abs(landed - on_the_wall):6.2f}, slope there", end=" ")
    print(f"{abs(slope(landed)):.2f}" if abs(slope(landed)) > 1e-12 else "0: stuck")
reveal("01.leap", 0.01 * abs(raw), within=10)

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
# does: worth writing down in every training, since that number tells how near to a wall you are. It
# was in the loop that read Shakespeare.
#
# Does it matter outside a toy? Here is the language model of words once more, now with plain
# gradient descent, whose step is as long as the gradient says (Adam, which we used above, rescales
# it). Forty updates, three seeds, four settings: a step (a learning rate) of 1 or a bold one of 5,
# with and without clipping at 0.5.


# %% id="clip-runs"
def descend(rate, max_norm, seed, updates=40):
    """Losses and gradient norms of a language model trained by plain gradient descent."""
    seed_everything(seed)
    walker, losses, norms = NextToken(len(vocabulary), hidden=128), [], []
    for _ in range(updates):
        loss = surprise(walker, *draw_batch(16))
        computed = torch.autograd.grad(loss, list(walker.parameters()))
        gradients, norm = clip_by_norm(computed, max_norm)
        with torch.no_grad():
            for parameter, gradient in zip(walker.parameters(), gradients):
                parameter -= rate * gradient
        losses.append(loss.item())
        norms.append(norm)
    return losses, norms


settings = {}
for rate in (1, 5):
    for top in (0.5, math.inf):
        settings[rate, top] = [descend(rate, top, seed) for seed in (1, 2, 3)]

# %% id="clip-numbers"
limits = {(1, 0.5): (3.5, 5.5), (1, math.inf): (3.2, 5.5), (5, 0.5): (3, 4.8)}
at_end = {key: [sum(losses[-10:]) / 10 for losses, _ in kept] for key, kept in settings.items()}
print("step   clipped at   loss at the end   longest gradient   (mean of three seeds)")
for (rate, top), ends in at_end.items():
    longest = sum(max(norms) for _, norms in settings[rate, top]) / 3
    end = about(sum(ends) / 3, *limits.get((rate, top), (6, 60)), "11.1f")
    print(f"{rate:4}{top:12}    {end}       {about(longest, 0.5, 1e6, '11,.0f')}")
assert max(at_end[5, 0.5]) + 1 < min(at_end[5, math.inf])
assert max(at_end[5, 0.5]) < min(at_end[1, 0.5] + at_end[1, math.inf])

# %% id="clip-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True)
for ax, rate in zip(axes, (1, 5)):
    pair = {"clipped at 0.5": settings[rate, 0.5], "not clipped": settings[rate, math.inf]}
    lines = {name: [losses for losses, _ in kept] for name, kept in pair.items()}
    learning_curves(range(40), lines, title=f"step of {rate}", log=True, ax=ax)
axes[0].set_yticks([3, 5, 10, 20, 50], [3, 5, 10, 20, 50])
axes[1].set_ylabel("")
fig.suptitle("Plain gradient descent on the language model (three seeds: mean and range)")
plt.show()

# %% [markdown] id="clip-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of loss on a logarithmic axis over 40 updates. With a step of 1 the clipped and the
# unclipped line both fall from 7 to between 4 and 5, close together. With a step of 5 the clipped
# line falls to about 4, while the unclipped one jumps far above the start, comes down unevenly and
# ends above where it started.
#
# </details>

# %% [markdown] id="clip-read"
# With the bold step the unclipped runs are thrown far off early, and after forty updates they are
# still no better than when they began; clipped, the same step learns, and ends lowest of the four
# settings. With the small step both learn, and clipping buys nothing. It is a seat belt: it moves
# nobody, it lets one drive faster. And it does nothing whatever against *vanishing*: a gradient
# that is too short stays too short.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: remember the first symbol
#
# Twenty random symbols, then the question which was the first. Can you make a plain recurrent
# network learn it with all three seeds, without a new kind of cell and without more than 200
# updates? Some ideas that people have had: the identity as $W_{hh}$ with a ReLU in the place of the
# tanh ([Le, Jaitly and Hinton 2015](D_papers.ipynb#cell-id=le-2015)); an orthogonal start with
# another gain ([Saxe, McClelland and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014)); a matrix
# with a radius of your choice (exercise 1.6); short strings first.
#
# 1. **Change** one thing: `mine` fills the matrix, `options` go to `nn.RNN`.
# 2. **Predict** the share of right answers for each seed, and write it down before you train.
# 3. **Train**: put 200 in the place of 0. It takes about two seconds.
# 4. **Report** in three sentences: what you changed and why, what you expected, what came.
#
# (Or something lighter: let it learn from a text of your own. Put the path of a `.txt` of a hundred
# thousand letters or more into the cell that reads Shakespeare. Then run that cell again, the
# training below it, and the cells of `write` and its samples.)
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one change | several at once | one, but the budget changed with it | one, all else alike |
# | prediction | none | a direction | a number, written before |
# | evidence | one seed | three seeds | three seeds, and another $T$ as well |
# | conclusion | "it works" | what came | what came, what it does not show, what comes next |

# %% id="open-experiment"
UPDATES, options = 0, {}  # 200 as above; {"nonlinearity": "relu"}, for example


def mine(weight):
    nn.init.orthogonal_(weight, gain=1.5)  # your start: nn.init.eye_(weight), for example


if UPDATES:
    for seed in (1, 2, 3):
        print(seed, f"{100 * remembers(mine, 20, seed, UPDATES, **options):.0f} % right")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A recurrent network is one small function, applied at every token, that hands on a state.
# - $y_t$ are logits; cross-entropy trains them, perplexity makes the result readable. A model that
#   guesses the next token can write, more or less daringly by its temperature.
# - Every token has a path into the state; how much of it is left is another matter. One network
#   used about sixteen letters, another about ten words, and lost *tomorrow* within a sentence.
# - Back-propagation through time adds up one part for every use of a weight, and multiplies by
#   $\mathrm{diag}(1 - h_t^2) W_{hh}$ for each step back.
# - The spectral radius says what many such products do without the bend; the tanh makes them
#   smaller. With torch's default start they vanish.
# - Forgetting forward and vanishing backward are one product, read from its two ends.
# - Clipping by the joint norm keeps the direction. It helps against walls, not against fading.
#
# **Left out.** Several layers; networks with rectified units (ReLU) beyond the open experiment;
# dropout and other means against overfitting; whether the input and the output of a recurrent
# network must be equally long (they need not; chapter 03). Perplexity by context, the test with
# *will* and the reach after training are one run of one model.
#
# **Papers.** [Elman 1990](D_papers.ipynb#cell-id=elman-1990), *Finding structure in time*; [Mikolov
# et al. 2010](D_papers.ipynb#cell-id=mikolov-2010) (recurrent language models); [Graves
# 2013](D_papers.ipynb#cell-id=graves-2013) (writing letter by letter, with LSTMs); [Werbos
# 1990](D_papers.ipynb#cell-id=werbos-1990) (back-propagation through time); [Hochreiter
# 1991](D_papers.ipynb#cell-id=hochreiter-1991) and [Bengio, Simard and Frasconi
# 1994](D_papers.ipynb#cell-id=bengio-1994) (vanishing); [Pascanu, Mikolov and Bengio
# 2013](D_papers.ipynb#cell-id=pascanu-2013) (the conditions, the wall, clipping); [Saxe, McClelland
# and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014) (orthogonal starts). To read beside it: Andrej
# Karpathy's [page on letters](https://karpathy.github.io/2015/05/21/rnn-effectiveness/), the Korean
# book [딥 러닝을 이용한 자연어 처리 입문](https://wikidocs.net/22893) (*introduction to natural
# language processing with deep learning*) and Jay Alammar's [moving pictures of a
# translator](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/).
#
# **Next.** Chapter 02 gives the state a second line on which things are added, not multiplied, and
# gates that decide what stays. Then we ask again about yesterday and tomorrow.
