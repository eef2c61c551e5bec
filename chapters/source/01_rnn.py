# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 01 · RNN: memory through time
#
# *How can a network remember what it has read?*
#
# **What you will be able to do.** Write a recurrent network as a loop, with the same numbers and
# the same gradients as torch's. Write its training step and its sampling loop, train it on
# Shakespeare until it writes lines that look like his, and measure how far back it really looks.
#
# **What you need.** Python, a little PyTorch (tensors, `backward()`), matrix products. Chapter 00
# shows how exercises work.
#
# **Time.** 26 minutes to read, and 53 for the five exercises. It runs for about a minute.
#
# <details><summary>Plan</summary>
#
# *Must be read*: all but *A number that you can name*, which may be skipped. Afterward you could
# write such a network without looking anything up.
#
# The second file of this chapter, [01b](01b_gradients.ipynb), finds out why such a network
# forgets.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, recall, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(1)

# %% id="first"
record = read_record("01_characters")
looks = {look["update"]: look for look in record["runs"][0]["looks"]}
for update in (0, 30, 100, 300, 3000):
    print(f"after {update:,} updates:")
    print("    " + looks[update]["written"]["0.5"][:126].replace("\n", "\n    "))
print(f"written by a network of {record['runs'][0]['parameters']:,} parameters")

# %% [markdown] id="first-read"
# A network has read plays of Shakespeare, character by character, and was asked now and then to
# write. At first it types at random. After 30 updates its groups of letters are as long as words.
# After 100 a name in capitals comes first, then a colon. After 3,000 nearly every word is English,
# and speakers and lines stand where they belong. Nobody has told the network what a word, a line
# or a play is.
#
# All it ever did was guess the next character and be corrected. It is one small function, applied
# at every character, with a memory of 320 numbers. You will build it, train the first 300 of those
# updates, let it write, find a number in its memory that you can name, and ask how far back it
# remembers.
#
# (A recorded run, made by `studies/characters.py` on the beginning of Andrej Karpathy's text
# for [The unreasonable effectiveness of recurrent neural
# networks](https://karpathy.github.io/2015/05/21/rnn-effectiveness/), the page that made such
# networks famous.)

# %% [markdown] id="order-text"
# ## The problem: texts have an order and no fixed length
#
# A network that takes a fixed number of numbers cannot take a sentence. The simplest way out is to
# add up the vectors of its words. What does the sum know of *the dog bit the man* that it does not
# know of *the man bit the dog*?

# %% id="order"
words = ["the", "dog", "bit", "man"]
vectors = dict(zip(words, torch.randn(4, 3, generator=generator)))  # one per word
news, no_news = ["the", "man", "bit", "the", "dog"], ["the", "dog", "bit", "the", "man"]
for heard in (news, no_news):
    added = torch.stack([vectors[word] for word in heard]).sum(0)
    print(" ".join(heard), "→", [round(number, 2) + 0.0 for number in added.tolist()])

# %% [markdown] id="order-read"
# The two sums are the same. What is missing is time: a person reads the first word, keeps
# something in mind, reads the second, and what is kept changes. A **recurrent network** keeps a
# vector in mind, the **hidden state** $h_t$ (or simply state) after word $t$.

# %% [markdown] id="cell-text"
# ## The cell: one step of reading
#
# One **time step** takes the vector $x_t$ of the new **token** (what is read in one step: a word,
# a punctuation mark or a character) and the state $h_{t-1}$ from before, and makes the new state:
#
# $$h_t = \tanh(W_{ih}\, x_t + b_{ih} + W_{hh}\, h_{t-1} + b_{hh})$$
#
# The state has $H$ numbers, or **units**; $H$ is the **hidden size**. $W_{ih}$ (*input to hidden*)
# is $H$ by $E$, where $E$ is the size of the token's vector; $W_{hh}$ (*hidden to hidden*) is $H$
# by $H$; the two **biases** $b$ have $H$ numbers each. What stands inside the parentheses is the
# **pre-activation**. The tanh, a **nonlinearity**, presses each of its numbers into $(-1, 1)$.
#
# By hand first, with hidden size 2 and a token of three numbers:

# %% id="cell-weights"
weight_ih = torch.tensor([[0.5, -1.0, 0.0], [1.0, 0.0, 0.5]])  # (H, E)
weight_hh = torch.tensor([[0.0, 1.0], [-1.0, 0.5]])  # (H, H)
bias_ih, bias_hh = torch.tensor([0.1, -0.2]), torch.tensor([0.0, 0.3])  # (H,) each
x, before = torch.tensor([1.0, 0.5, -1.0]), torch.tensor([0.2, -0.4])  # x_t, h_{t-1}

# %% id="cell-loop"
after = []
for row in range(2):  # one unit of the new state after the other
    pre_activation = bias_ih[row] + bias_hh[row]
    for column in range(3):
        pre_activation = pre_activation + weight_ih[row, column] * x[column]
    for column in range(2):
        pre_activation = pre_activation + weight_hh[row, column] * before[column]
    after.append(torch.tanh(pre_activation))
print("h_t:", [round(float(number), 3) for number in after])

# %% [markdown] id="cell-read"
# Every new unit depends on the whole token *and* the whole old state. That is the entire idea. The
# drawing of the cell is the first piece of a picture that grows through this book. (나는 집에 갔다
# is *I · home · went*, I went home. The sentence comes back in every chapter.)

# %% id="emblem"
from attnbook.figures import first_cell_diagram

korean, gloss = ["나는", "집에", "갔다"], ["I", "home", "went"]
first_cell_diagram(nn.RNNCell(3, 2), korean)

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
    """tanh(W_ih x_t + b_ih + W_hh h_{t−1} + b_hh). x (B, E), state (B, H) → (B, H)."""
    raise NotImplementedError


# %% [markdown] id="agree-text"
# ### Three ways, one step
#
# The loop, the matrices, and torch's own `nn.RNNCell` with our numbers in it must agree, in values
# and in gradients. (`assert_close` stops the cell where they do not.)

# %% id="agree-values"
parameters = [weight_ih, weight_hh, bias_ih, bias_hh]
step = rnn_step(x.unsqueeze(0), before.unsqueeze(0), *parameters)  # (1, H)
torchs = nn.RNNCell(3, 2)
with torch.no_grad():
    for theirs, ours in zip(torchs.parameters(), parameters):  # the same order
        theirs.copy_(ours)
by_torch = torchs(x.unsqueeze(0), before.unsqueeze(0))
three_ways = {"loop": torch.stack(after), "matrices": step[0]}
three_ways["nn.RNNCell"] = by_torch[0]
for name, numbers in three_ways.items():
    torch.testing.assert_close(numbers, by_torch[0])
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
# The two biases always get the same gradient, because only their sum enters the formula. One would
# be enough, and most textbooks write one; torch keeps two because cuDNN, its library for graphics
# cards, has two. Remember it when you *set* a bias, as chapter 02 does: setting both would count
# twice.

# %% [markdown] id="unroll-text"
# ## A sentence: the same cell again and again
#
# A network reads a sentence by applying the cell at each token, with the *same* matrices every
# time, and handing the state on. This loop is all that "recurrent" means. Written out in time it
# is a chain of $T$ steps, the network **unrolled**.

# %% [markdown] id="ex-unroll-text"
# ### Exercise 1.2 · The loop over a sentence
# *Core, 10 minutes.* `cell(x, state)` takes one token of each sentence (B, E) and the state (B, H),
# and gives the new state (B, H). `inputs` are (B, T, E), and `state` (B, H) is $h_0$. Return all
# states $h_1 \dots h_T$, (B, T, H), and the last one, (B, H).
#
# <details><summary>Hint 1</summary>
#
# One loop over t: `inputs[:, t]` is one token of every sentence, (B, E).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Collect the states in a list. `torch.stack(states, dim=1)` makes one tensor with time as its
# second dimension.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The same name may stand on both sides: the cell is given `state` and makes the new `state`.
#
# </details>


# %% id="ex-unroll" tags=["exercise"]
@exercise
def unroll(cell, inputs, state):
    """All states (B, T, H) and the last one (B, H), of inputs (B, T, E) and h_0."""
    raise NotImplementedError


# %% [markdown] id="unroll-use-text"
# ### The chain, against torch
#
# Your loop over your step must agree with torch's own, `nn.RNN`, which is faster and which we use
# from here on.

# %% id="unroll"
def cell(x, state):
    return rnn_step(x, state, *parameters)


sentence = torch.randn(1, 3, 3, generator=generator)  # a vector per token: (B, T, E)
states, last = unroll(cell, sentence, torch.zeros(1, 2))
torchs_loop = nn.RNN(3, 2, batch_first=True)
with torch.no_grad():
    for theirs, ours in zip(torchs_loop.parameters(), parameters):
        theirs.copy_(ours)
torch.testing.assert_close(states, torchs_loop(sentence)[0])
for t, word in enumerate(korean):
    shown = [round(number, 2) for number in states[0, t].tolist()]
    print(f"h_{t + 1} after {word} ({gloss[t]}): {shown}")

# %% id="unrolled-figure" tags=["hide-input"]
# draws the figure
from attnbook.figures import rnn_diagram

rnn_diagram(torchs, korean)

# %% [markdown] id="unrolled-read"
# One set of weights serves any length, so the network can read sentences longer than any it was
# trained on (how *well* is another question). And unlike a sum, it notices the order:

# %% id="order-again"
for heard in (news, no_news):
    inputs = torch.stack([vectors[word] for word in heard]).unsqueeze(0)  # (1, 5, 3)
    final = torchs_loop(inputs)[0][0, -1]
    print(" ".join(heard), "→", [round(number, 2) for number in final.tolist()])
print("weights:", sum(parameter.numel() for parameter in parameters), "for any length")

# %% [markdown] id="language-text"
# ## Guessing what comes next
#
# What should a state remember? Whatever helps with the task. The classic task needs no labels:
# read a text and, at each token, guess the next one. A network that does this is a **language
# model** ([Elman 1990](D_papers.ipynb#cell-id=elman-1990) on a small artificial grammar, [Mikolov
# et al. 2010](D_papers.ipynb#cell-id=mikolov-2010) on real text). From the state it computes one
# number for each token of the **vocabulary**:
#
# $$y_t = W_{hy}\, h_t + b_y$$
#
# These **logits** may be negative, and they do not sum to 1. A **softmax** makes probabilities of
# them, $p_t = \mathrm{softmax}(y_t)$, and the loss is the **cross-entropy**: minus the logarithm
# of the probability of the right token.

# %% id="logits"
to_tokens = nn.Linear(2, 5)  # W_hy (V, H) and b_y (V,), for a vocabulary of five
logits = to_tokens(last)  # (1, V)
p, right = logits.softmax(-1), torch.tensor([2])
print("logits:       ", [round(number, 2) for number in logits[0].tolist()])
print("probabilities:", [round(number, 2) for number in p[0].tolist()])
print(f"loss, if token 2 is right: −log {p[0, 2]:.2f} = {-p[0, 2].log():.2f}")
torch.testing.assert_close(F.cross_entropy(logits, right), -p[0, 2].log())

# %% [markdown] id="pairs-read"
# `F.cross_entropy` takes the logits and does both steps at once.
#
# One text is many guesses, all made in one pass, because $h_t$ has seen exactly the tokens up to
# $t$. The inputs are the text without its last token, the targets the same text without its first.

# %% [markdown] id="model-text"
# ## The network that wrote the first page
#
# It has three parts: an **embedding** (a learned vector for each token), a recurrent layer, and a
# linear layer to the logits.


# %% id="model"
class NextToken(nn.Module):
    def __init__(self, tokens, hidden, embed=64):
        super().__init__()
        self.embed = nn.Embedding(tokens, embed)
        self.rnn = nn.RNN(embed, hidden, batch_first=True)
        self.output = nn.Linear(hidden, tokens)  # W_hy and b_y

    def forward(self, ids, state=None):
        """Token numbers (B, T) → states (B, T, H), and the last one, (1, B, H)."""
        return self.rnn(self.embed(ids), state)


# %% id="prose"
from attnlib.data import bundled_directory

path = bundled_directory().parent / "shakespeare" / "shakespeare.txt"
text = path.read_text(encoding="utf-8")
characters = sorted(set(text))
play = torch.tensor([characters.index(character) for character in text])
cut = len(play) * 9 // 10
learned, unread = play[:cut], play[cut:]
print(f"{len(text):,} characters, {len(characters)} different;", end=" ")
print(f"{len(unread):,} of them are kept apart")
for name in ("MENENIUS", "KING RICHARD III"):
    here, there = (part.count(name) for part in (text[:cut], text[cut:]))
    print(f"{name}: {here} times in the part to learn from, {there} times in the other")
print(text[:96])

# %% [markdown] id="writer-text"
# A *character* is also a comma, a blank or the end of a line. The text is too long to go back
# through as a whole, so it is cut into 32 rows, read at the same time, and each update reads the
# next 64 characters of every row. The state is handed on to the next update, but `detach()` cuts
# off its history: the gradient goes back 64 characters at most.

# %% [markdown] id="ex-training-step-text"
# ### Exercise 1.3 · One update
# *Core, 15 minutes.* `network` is a `NextToken`. `inputs` and `targets` are token numbers, (B, T);
# `state` is (1, B, H), or `None` at the beginning. Make one update: read the inputs and compute the
# mean cross-entropy of all targets; set all gradients to zero (`zero_grad`), since `backward` adds
# to what is there; go backward; clip the gradient at a joint norm of 1
# (`nn.utils.clip_grad_norm_`, see 01b); step. Return the loss, a number, and the last state, cut
# off from its history.
#
# <details><summary>Hint 1</summary>
#
# `network(inputs, state)` gives the states of all tokens and the last one;
# `network.output(states)` gives logits (B, T, V). `F.cross_entropy` wants the vocabulary in
# dimension 1: transpose, or flatten the first two dimensions of both.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `optimizer.zero_grad()`, `loss.backward()`,
# `nn.utils.clip_grad_norm_(network.parameters(), 1.0)`, `optimizer.step()`.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `.item()` makes a number of the loss. What does `.detach()` do to a state, and what would the next
# update go back through without it?
#
# </details>


# %% id="ex-training-step" tags=["exercise"]
@exercise
def training_step(network, optimizer, inputs, targets, state):
    """One update. Tokens (B, T), state (1, B, H) or None → loss, last state."""
    raise NotImplementedError


# %% [markdown] id="train-text"
# ### The training loop
#
# All that is left is to walk through the text. The **learning rate**, the length of the
# optimizer's step, falls along a line to zero over all planned updates. These are the first 300
# updates of the recorded run.


# %% id="train"
from torch.optim.lr_scheduler import LambdaLR


def train(network, ids, updates, rate, planned):
    """Read a text in 32 rows, 64 tokens per update; the loss of every update."""
    rows = ids[: len(ids) // 32 * 32].view(32, -1)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    decay = LambdaLR(optimizer, lambda update: 1 - update / planned)
    state, losses = None, []
    for update in range(updates):
        at = 64 * update % (rows.shape[1] - 64)
        state = None if at < 64 else state  # None: the text begins again
        inputs, targets = rows[:, at : at + 64], rows[:, at + 1 : at + 65]
        loss, state = training_step(network, optimizer, inputs, targets, state)
        decay.step()
        losses.append(loss)
    return losses


# %% id="writer-train"
seed_everything(1)
writer = NextToken(len(characters), hidden=320)
writer_losses = train(writer, learned, updates=300, rate=0.003, planned=3000)

# %% [markdown] id="perplexity-text"
# A loss in **nats** (the unit of the natural logarithm) divided by $\ln 2$ is in **bits**. The
# exponential of the loss in nats ($2$ to the power of the bits) is the **perplexity**, the easiest
# to picture: at a perplexity of 10 the network is as unsure as if it chose among 10 equally likely
# characters. For one that knows nothing it is the size of the vocabulary, 62.
#
# Among how many characters does our network still choose after its 300 updates, in a part of the
# text that it has never read?

# %% id="predict-characters"
predict("01.characters", ...)  # from 1 to 62

# %% id="writer-figure" tags=["hide-input"]
# draws the figure
from attnbook.figures import learning_curves


def draw_training():
    """Bits per character against updates, and what counting reaches."""
    of_rnn = [run for run in record["runs"] if run["variant"] == "rnn"]
    trained_bits = [run["train_bits"] for run in of_rnn]
    curves = {"recorded, three seeds (nearly the same)": trained_bits}
    title = "Learning to guess the next character"
    ax = learning_curves(range(50, 3000, 100), curves, title=title)
    shown_losses = torch.tensor(writer_losses).view(-1, 30).mean(1) / math.log(2)
    circle = {"s": 45, "facecolors": "none", "edgecolors": "black", "zorder": 5}
    ax.scatter(range(15, 300, 30), shown_losses, label="just trained", **circle)
    for name, height in record["counted"].items():
        ax.axhline(height, linestyle="--", color="#555555", linewidth=1)
        ax.text(2990, height + 0.08, f"counting: {name}", ha="right", color="#555555")
    ax.set(xlabel="updates", ylabel="bits per character", ylim=(1.5, 6.4))
    ax.legend(frameon=False, loc=(0.2, 0.53))
    plt.show()

# %% id="writer-bits"
import math


@torch.no_grad()
def bits(network, ids):
    """Bits per token of a text, read in one go."""
    states, _ = network(ids[:-1].unsqueeze(0))
    return F.cross_entropy(network.output(states[0]), ids[1:]).item() / math.log(2)


rows = [(f"counting: {name}", value) for name, value in record["counted"].items()]
rows += [(f"recorded, {update:5,} updates", looks[update]["bits"]) for update in looks]
live = bits(writer, unread)
with reveal("01.characters", 2**live, within=2):
    print("on the unread tenth               bits   perplexity")
    for name, value in rows:
        print(f"{name:30}{value:8.2f}{2**value:13.1f}")
    print(f"{'just trained, 300 updates':30}   ≈{live:.2f}         ≈{2**live:.1f}")
    draw_training()

# %% [markdown] id="writer-alt"
# <details><summary>The figure in words</summary>
#
# Bits per character against updates, from 0 to 3,000. Three dashed lines mark what counting
# reaches: 6.0 where all characters are alike, 4.9 by their frequency, 3.6 from the character
# before. The recorded curve begins below the lowest of them, falls steeply to about 2.4 in the
# first 300 updates and then slowly to about 1.7; three seeds lie on one line. Open circles, the
# live run, lie on its beginning; the first of them lies above the lowest line.
#
# </details>

# %% id="writer-bits-check" tags=["check"]
# checks what the text says
check_range(live, 2.3, 2.5)
check_range(live - looks[300]["bits"], -0.05, 0.05)

# %% [markdown] id="writer-read"
# <details><summary>What it says</summary>
#
# Counting which character follows which leaves a perplexity of twelve. After 30 updates the
# network is past that, so it uses more than the one character before. After 300 updates it chooses
# among about five, after ten times as many among a little more than four.
#
# The curve, on what the network learns from, ends lower than the table, on what it has never read.
# One reason is **overfitting**: the text is short, and the network begins to know it by heart.
# Another is that the unread tenth has other names, as the counts beside the text show.
#
# </details>

# %% [markdown] id="draw-word-text"
# ### Letting it write
#
# A model that guesses the next token can write: *draw* a token from the probabilities and feed it
# back as the next input. This is **sampling**. A **temperature**, by which the logits are divided
# before the softmax, sets how far the draw may stray from the likeliest tokens: below 1 it
# sharpens the probabilities, above 1 it flattens them.

# %% [markdown] id="ex-draw-word-text"
# ### Exercise 1.4 · Draw a token
# *Core, 10 minutes.* `logits` (V,), `temperature` above 0, and `chance`, a number drawn evenly from
# [0, 1). Lay the probabilities of the tokens side by side on a line from 0 to 1: token 0 first,
# then token 1, and so on. Return the number of the token in whose piece `chance` lies, an int.
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
    """The token in whose share of [0, 1) `chance` lies. logits (V,) → its number."""
    raise NotImplementedError


# %% [markdown] id="temperature-text"
# ### What the temperature does
#
# Take the letters that follow *th* in our plays. If the logarithms of their counts are the logits,
# a softmax at temperature 1 gives back the shares that were counted. Move the slider.

# %% id="temperature-view"
import re
from collections import Counter

from attnbook.views import temperature_view

followers = Counter(re.findall("(?<=th)[a-z]", text)).most_common(7)
scores = [math.log(count) for _, count in followers]
names_of = [letter for letter, _ in followers]
temperature_view(scores, names_of, title="What follows “th”, at your temperature")

# %% id="temperature"
for temperature in (0.25, 1.0, 4.0):
    chances = [(n + 0.5) / 1000 for n in range(1000)]  # a thousand draws, evenly spread
    logits = torch.tensor(scores)
    drawn = Counter(draw_word(logits, temperature, chance) for chance in chances)
    listed = ", ".join(f"{name} {drawn[n]}" for n, name in enumerate(names_of))
    print(f"temperature {temperature:4}, of 1000 draws: {listed}")

# %% [markdown] id="ex-go-on-text"
# ### Exercise 1.5 · The sampling loop
# *Core, 12 minutes.* `ids` is a list of token numbers, the beginning of a text. For each number in
# the list `chances`, draw one more token with your `draw_word` and let the network read it. Return
# the whole text, the beginning included, as a new list.
#
# <details><summary>Hint 1</summary>
#
# Read the beginning once: `network(torch.tensor([ids]))` gives the states (1, T, H) and the state
# to read on with. The next token depends on the last of the states.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Afterward the network reads one token per turn, `torch.tensor([[token]])`, from the newest state.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Each turn has three parts: logits of the last state, a draw, one step of reading. In which order,
# if the beginning has been read already?
#
# </details>


# %% id="ex-go-on" tags=["exercise"]
@exercise
def go_on(network, ids, temperature, chances):
    """The list ids, and behind it one more token for each of the chances."""
    raise NotImplementedError


# %% [markdown] id="samples-text"
# ### Your network writes


# %% id="samples"
def chances_of(count):
    """The same random numbers from [0, 1) every time."""
    return torch.rand(count, generator=torch.Generator().manual_seed(0)).tolist()


@torch.no_grad()
def write(begin, temperature, count):
    ids = [characters.index(character) for character in begin]
    ids = go_on(writer, ids, temperature, chances_of(count))
    return "".join(characters[n] for n in ids[len(begin) :])


for temperature in (0.2, 0.7, 1.5):
    written = write("\n", temperature, 150)
    print(f"temperature {temperature}:\n≈“{written}”")

# %% [markdown] id="samples-read"
# At a low temperature it repeats its favorite words, at a high one it produces nonsense; at 1 it
# draws exactly what it believes. A character fits those before it, now and then a word fits the
# one before it, but a sentence has forgotten by its end how it began.
#
# <details><summary>From words or a text of your own</summary>
#
# Let it go on from your own beginning: `print(write("JULIET:\n", 0.7, 200))`. Or let it learn from
# your own text: put the path of a `.txt` of a hundred thousand characters or more into the cell
# that reads Shakespeare, and run on from there. Chapter 08 returns to sampling, and to better ways
# of searching for a good sentence.
#
# </details>

# %% [markdown] id="units-text"
# ### A number that you can name
#
# In larger networks with LSTM cells, [Karpathy, Johnson and Li
# (2015)](D_papers.ipynb#cell-id=karpathy-2015) found units with a meaning: one counts the
# characters of a line, one is on inside quotation marks. Is there such a unit in ours, after 300
# updates? We mark the text by two rules: *this character is a vowel*, and *this line names the
# speaker*. The unit that correlates best with a mark is chosen on text that the network has
# learned from and reported on text that it has not. The control is the same search before
# training.

# %% id="units"
MARKS = {
    "a vowel": lambda part: [c in "aeiouAEIOU" for c in part],
    "a line that names the speaker": lambda part: [
        line.endswith(":\n") for line in part.splitlines(keepends=True) for _ in line
    ],
}


@torch.no_grad()
def with_marks(network, part, mark):
    """All units along a part of the text, (T, H), and how each goes with a mark."""
    units = network(play[part].unsqueeze(0))[0][0]
    marks = torch.tensor(MARKS[mark](text[part])).float()
    return units, torch.corrcoef(torch.cat([units.T, marks.unsqueeze(0)]))[-1, :-1]


# %% id="units-numbers"
seed_everything(1)
networks = {"before training": NextToken(len(characters), hidden=320), "after": writer}
seen, fresh = slice(0, 20_000), slice(cut, cut + 20_000)
found = {}
for mark in MARKS:
    for name, network in networks.items():
        best = with_marks(network, seen, mark)[1].abs().argmax()
        found[mark, name] = best, abs(with_marks(network, fresh, mark)[1][best].item())
        print(f"{mark:30} {name:16} ≈{found[mark, name][1]:.2f}")

# %% id="units-check" tags=["check"]
# checks what the text says
by_hand = {key: value for key, (_, value) in found.items()}
check_range(by_hand["a vowel", "before training"], 0.4, 0.8)
check_range(by_hand["a vowel", "after"], 0.4, 0.8)
check_range(by_hand["a line that names the speaker", "before training"], 0.1, 0.4)
check_range(by_hand["a line that names the speaker", "after"], 0.5, 0.95)

# %% id="units-shown" tags=["hide-input"]
# draws where the best unit is high
mark = "a line that names the speaker"
unit, _ = found[mark, "after"]
units, related = with_marks(writer, seen, mark)
named = torch.tensor(MARKS[mark](text[seen]))
middle = (units[named, unit].mean() + units[~named, unit].mean()) / 2
place = text.index("\n\n", cut + 1500) + 2
along = with_marks(writer, slice(cut, place + 300), mark)[0][:, unit]
high = (along - middle) * related[unit] > 0
drawn_lines = []
for line in text[place : place + 300].splitlines()[:12]:
    here = high[place - cut : place - cut + len(line)].tolist()
    drawn_lines += [line, "".join("▔" if on else " " for on in here).rstrip()]
    place += len(line) + 1
print("≈“", *filter(None, drawn_lines), "”", sep="\n")

# %% [markdown] id="units-read"
# For vowels training has changed nothing: whether the last character was a vowel can be read off
# *any* network's state. Whether this line names a speaker depends on characters further back. The
# best unit of the untrained network hardly goes with it; one of the trained network does. Each
# character at which that unit is high has a bar below it. At the first letter of a line it is
# often high: nothing has decided yet whether a name follows. Nobody asked for such a unit, but who
# knows that a name is being written can guess the next character better.

# %% [markdown] id="back-text"
# ## How far back does it look?
#
# **You will often read that** the hidden state "stores the sequence information up to time step
# $t - 1$" ([*Dive into deep learning*](https://d2l.ai/chapter_recurrent-neural-networks/rnn.html),
# for one). Every earlier character does have a path into $h_t$. But does it still matter what
# stood there? The test gives the fully trained network only the last $k$ characters before the one
# to be guessed, at 2,000 places of the unread tenth. As a control, in case there is nothing of
# interest further back, the LSTM of chapter 02, with as many parameters, is asked the same.
#
# Both are trained equally long, each at the best of five learning rates. From how many characters
# on does knowing more no longer help the plain network, by as much as 0.02 bits?

# %% id="predict-back"
predict("01.back", ...)  # characters

# %% id="back-figure" tags=["hide-input"]
# draws the figure
def draw_contexts():
    """Bits per character against the number of characters known."""
    fig, axes = plt.subplots(1, 2, figsize=(10, 3.9))
    for cell, marker, color in zip(back, "os", figures.PALETTE):
        ends = back[cell].min(0).values, back[cell].max(0).values
        label = rates["variants"][cell].split(",")[0]
        for ax in axes:
            ax.plot(contexts, back[cell].mean(0), marker + "-", color=color, label=label)
            ax.fill_between(contexts, *ends, color=color, alpha=0.2)
    pairs = rates["counted"]["the character before"]
    axes[0].axhline(pairs, linestyle="--", color="#555555", linewidth=1)
    axes[0].text(128, pairs + 0.06, "counting pairs", ha="right", color="#555555")
    axes[0].set(title="How many characters back?", ylabel="bits per character")
    axes[1].set(title="The same from 8 on, enlarged", xlim=(7.2, 142), ylim=(1.97, 2.27))
    for ax, shown in zip(axes, (contexts, contexts[3:])):
        ax.set(xscale="log", xlabel="characters known before the one to guess, k")
        ax.set_xticks(shown, shown)
        ax.minorticks_off()
    axes[0].legend(frameon=False)
    fig.suptitle("Recorded, three seeds per cell: mean and range")
    plt.show()

# %% id="back"
rates = read_record("01_rates")
contexts, chosen = rates["contexts"], rates["learning rate"]["chosen"]
back, held_out = {}, {}
for cell, rate in chosen.items():
    wanted = [(cell, rate, seed) for seed in (1, 2, 3)]  # seed 4 chose the rates
    runs = rates["runs"]
    of_cell = [r for r in runs if (r["variant"], r["rate"], r["seed"]) in wanted]
    back[cell] = torch.tensor([run["bits_by_context"] for run in of_cell])
    held_out[cell] = [run["looks"][-1]["bits"] for run in of_cell]
mean = back["rnn"].mean(0)
near = [k for k, value in zip(contexts, mean) if value < mean[-1] + 0.02]
with reveal("01.back", near[0], within=8):
    print("recorded; k =            " + "".join(f"{k:7}" for k in contexts))
    for cell, of_seeds in back.items():
        values = "".join(f"{value:7.2f}" for value in of_seeds.mean(0))
        print(f"{cell:4} bits, mean of three {values}")
    for cell, values in held_out.items():
        told = ", ".join(f"{value:.3f}" for value in values)
        print(f"{cell:4} bits on the whole unread tenth, by seed: {told}")
    print(f"the plain network is within 0.02 bits of its last value from k = {near[0]} on")
    draw_contexts()

# %% [markdown] id="back-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of bits per character against the number of characters known, from 1 to 128 and from 8
# to 128, on a logarithmic axis. The plain RNN falls from above 5 to below 2.1 at 16 characters and
# is nearly level from there on. The LSTM begins lower, at about 4.5, lies above the RNN at 8 and
# 16 characters and below it from 32 on, and is level from 64 on. Bands show the range of three
# seeds. A dashed line at 3.6 marks counting pairs.
#
# </details>

# %% [markdown] id="back-read"
# <details><summary>What it says</summary>
#
# What stands more than 16 characters back (about three words) hardly helps the network, and what
# stands more than 32 back not at all. These are upper bounds: a zero state in the middle of a text
# is new to the network, which with one or two characters does worse than counting pairs. And there
# *is* something of interest further back. The LSTM goes on gaining up to 64 characters, and on the
# whole unread tenth each of its three seeds is better than each of the plain network's, by two
# hundredths of a bit on average.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# Three seeds of each cell, one size, one text. If the cells were equally good, all three seeds of
# one of them would be below all three of the other in one of ten such comparisons. The rates were
# chosen on a fourth seed that is not reported, but on the same unread text. Why so much care about
# the rate? With 0.003 for both, a usual value, the order is reversed: the LSTM learns more slowly
# at that rate. One learning rate for two kinds of cell compares learning rates.
#
# </details>

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on chapter 00 and on the notation. Answer with a letter for each:
# `recall("01", "abcda")`.

# %% id="recall"
recall("01")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A recurrent network is one small function, applied at every token, that hands on a state.
# - $y_t$ are logits; cross-entropy trains them, perplexity makes the result readable.
# - One update: forward, loss, `zero_grad`, `backward`, clip, step; the state is handed on without
#   its history.
# - A model that guesses the next token can write, the more freely the higher its temperature.
# - Every token has a path into the state, but the network used only about 16 to 32 characters.
#
# **Left out.** Several layers; means against overfitting; outputs that are not as long as
# the input (chapter 03). The named unit is one run of one model.
#
# <details><summary>Papers</summary>
#
# [Elman 1990](D_papers.ipynb#cell-id=elman-1990), *Finding structure in time*; [Mikolov et al.
# 2010](D_papers.ipynb#cell-id=mikolov-2010) (recurrent language models); [Graves
# 2013](D_papers.ipynb#cell-id=graves-2013) (writing character by character, with LSTMs);
# [Karpathy, Johnson and Li 2015](D_papers.ipynb#cell-id=karpathy-2015) (units with a meaning).
# Andrej Karpathy's [page on characters](https://karpathy.github.io/2015/05/21/rnn-effectiveness/),
# the Korean book [딥 러닝을 이용한 자연어 처리 입문](https://wikidocs.net/22893) (*introduction to
# natural language processing with deep learning*) and Jay Alammar's [moving pictures of a
# translator](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/).
#
# </details>
#
# **Next.** [01b](01b_gradients.ipynb) measures how far a gradient reaches back, and so how far such
# a network can *learn*.
