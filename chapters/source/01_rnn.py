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
# **What you will be able to do.** Write a recurrent network as a loop. Say what a loss, a gradient
# and an optimizer are, and write the update by which networks learn. Train a network on Shakespeare
# until it writes lines that look like his, and measure how far back characters still help it.
#
# **What you need.** Python, matrix products, and what a derivative is. Of PyTorch you need only
# what chapter 0 showed: a tensor is an array of numbers.
#
# **Time.** 35 minutes to read, and 47 for the four exercises. It runs for about a minute.

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

# %% id="first"
record = read_record("01_characters")
looks = {look["update"]: look for look in record["runs"][0]["looks"]}
for update in (0, 30, 100, 300, 3000):
    written = looks[update]["written"]["0.5"][:126]  # 0.5: how freely it draws
    print(f"after {update:,} updates:")
    print("    " + written.replace("\n", "\n    "))
print(f"written by a network of {record['runs'][0]['parameters']:,} parameters")

# %% [markdown] id="first-read"
# A network has read plays of Shakespeare, character by character, and was asked now and then to
# write. At first it types at random. After 30 updates its groups of letters are as long as words.
# After 100, a name in capitals comes first, then a colon. After 3,000, nearly every word is
# English, and speakers and lines are where they belong.
#
# All it ever did was guess the next character and be corrected. It is one small function, applied
# at every character, with a memory of 320 numbers. You will build it, and train it for the first
# 300 updates.
#
# This is a recorded run (`studies/characters.py`), on the beginning of the text of Andrej
# Karpathy's [The unreasonable effectiveness of recurrent neural
# networks](https://karpathy.github.io/2015/05/21/rnn-effectiveness/), the page that made these
# networks famous.

# %% [markdown] id="order-text"
# ## Sequences in, sequences out
#
# A network that takes a fixed list of numbers cannot take a text, which can have any length. Nor
# may it lose the order: *the dog bit the man* and *the man bit the dog* have the same words. A
# person reads the first word, keeps something in mind, reads the second, and what is kept changes.
# A **recurrent network** (순환 신경망, RNN) does the same. What it keeps in mind is a vector, the
# **hidden state** (은닉 상태).
#
# Because it reads step by step, inputs and outputs can come at any step. Figure 1 shows the five
# usual layouts.

# %% id="layouts" tags=["hide-input"]
# draws the figure
from attnbook.figures import layouts_diagram

layouts_diagram()

# %% [markdown] id="layouts-read"
# *Figure 1. Inputs enter from below, outputs leave above, and the hidden state runs from left to
# right.* This chapter uses the last layout: at each step, one character in and a guess of the next
# one out. [Chapter 3](03_seq2seq.ipynb) uses the fourth, for translation.

# %% [markdown] id="cell-text"
# ## The cell: one step of reading
#
# The smallest example has four letters. The network reads *h, e, l, l* and should guess *e, l, l,
# o*. What it reads in one step is a **token** (토큰): a word, a piece of one, or here a character.
# The list of all tokens is the **vocabulary** (어휘 집합), and a token's place in it is its ID. A
# network computes with vectors, so each token becomes one. The simplest way is a **one-hot** vector
# (원-핫): a 1 at the token's ID, and 0 everywhere else.

# %% id="letters"
letters = "helo"  # the vocabulary, V = 4
ids = torch.tensor([letters.index(letter) for letter in "hell"])
one_hot = F.one_hot(ids, num_classes=4).float()  # (4, 4): one row per character
print("IDs:", ids.tolist())
print(one_hot)

# %% [markdown] id="cell-formula"
# One **time step** (타임 스텝) takes the vector $x_t$ of the new token and the state $h_{t-1}$ from
# before, and computes the new state:
#
# $$h_t = \tanh(W_{ih}\, x_t + b_{ih} + W_{hh}\, h_{t-1} + b_{hh})$$
#
# - The state $h_t$ has $H$ numbers, or **units**; $H$ is the **hidden size** (은닉 크기).
# - $W_{ih}$ (*input to hidden*; many textbooks write $W_{xh}$) is $H$ by $E$, where $E$ is the size
#   of the token's vector, and $W_{hh}$ (*hidden to hidden*) is $H$ by $H$.
# - The **biases** (편향) $b_{ih}$ and $b_{hh}$ have $H$ numbers each. Only their sum counts.
# - What is inside the tanh is the **pre-activation** (활성화 이전 값). The tanh, a **nonlinearity**
#   (비선형 함수), squashes each of its numbers into $(-1, 1)$.
#
# Torch's own cell is `nn.RNNCell`. Its matrices and biases are the **parameters**, the numbers that
# training will change. They begin as small random numbers, their **initialization** (초기화). Here
# is the first step, written with loops, with hidden size 3:

# %% id="cell-loop"
seed_everything(1)  # a seed: the same random numbers every time
torchs_cell = nn.RNNCell(input_size=4, hidden_size=3)
# Its four arrays of numbers; without detach, PyTorch would record what is computed from them.
weight_ih, weight_hh, bias_ih, bias_hh = (p.detach() for p in torchs_cell.parameters())

x, before = one_hot[0], torch.zeros(3)  # the letter h; nothing has been read yet
after = []
for row in range(3):  # one unit of the new state at a time
    pre_activation = bias_ih[row] + bias_hh[row]
    for column in range(4):
        pre_activation = pre_activation + weight_ih[row, column] * x[column]
    for column in range(3):
        pre_activation = pre_activation + weight_hh[row, column] * before[column]
    after.append(torch.tanh(pre_activation))
print("h_1:", [round(float(number), 3) for number in after])

# %% [markdown] id="cell-read"
# Every new unit depends on the whole token and on the whole old state.
#
# Networks read many texts at once, because a computer handles many small computations faster
# together. Texts side by side are a **batch** (배치), one per row: x has the **shape** (B, E), B
# rows of E numbers, and the state (B, H). A row vector is to the left of its matrix, and the matrix
# is transposed: `x @ weight_ih.T` is (B, H).
#
# **Warm-up.** Write the step with matrices, for a whole batch, before you look at the next cell.


# %% id="agree-values"
def rnn_step(x, state):
    return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


one_text, one_state = x.unsqueeze(0), before.unsqueeze(0)  # a batch of one: (1, E), (1, H)
three_ways = {
    "loops": torch.stack(after),
    "matrices": rnn_step(one_text, one_state)[0],
    "nn.RNNCell": torchs_cell(one_text, one_state)[0],
}
for name, numbers in three_ways.items():
    print(f"{name:10}", [round(number, 3) for number in numbers.tolist()])

# %% [markdown] id="unroll-text"
# ## A text: the same cell again and again
#
# A network reads a text by applying the cell at each token, with the *same* matrices every time,
# and passing the state on. This loop is all that "recurrent" means. Written out in time it is a
# chain of steps, the network **unrolled** (시간 축으로 펼치기), as in Figure 2.

# %% id="unrolled-figure" tags=["hide-input"]
# draws the figure
from attnbook.figures import rnn_diagram

rnn_diagram(torchs_cell, list("hell"))

# %% [markdown] id="ex-unroll-text"
# *Figure 2. A recurrent cell: the loop, and the same loop unrolled over four letters.*
#
# ### Exercise 1.1 · The loop over a text
# *Core, 10 minutes.* Return all states $h_1 \dots h_T$ of a batch, (B, T, H), and the last one, (B,
# H). `cell(x, state)` takes one token of each text, (B, E), and the state, (B, H), and returns the
# new state, (B, H). `inputs` are (B, T, E): B texts of T tokens. `state`, (B, H), is $h_0$.
#
# <details><summary>Hint 1</summary>
#
# Use one loop over t: `inputs[:, t]` is one token of every text, (B, E).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Collect the states in a list. `torch.stack(states, dim=1)` turns it into one tensor with time as
# its second dimension.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The same name can appear on both sides: the cell is given `state` and computes the new `state`.
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
# Your loop must agree with torch's own, `nn.RNN`, which is faster and used from here on.

# %% id="unroll"
rnn = nn.RNN(input_size=4, hidden_size=3, batch_first=True)
renamed = {}  # nn.RNN can have several layers; ours is layer 0
for name, numbers in torchs_cell.state_dict().items():
    renamed[f"{name}_l0"] = numbers
rnn.load_state_dict(renamed)
states, last = unroll(rnn_step, one_hot.unsqueeze(0), torch.zeros(1, 3))
torch.testing.assert_close(states, rnn(one_hot.unsqueeze(0))[0])
for letter, state in zip("hell", states[0]):
    print(f"after {letter}:", [round(number, 2) for number in state.tolist()])

# %% [markdown] id="unrolled-read"
# One set of weights serves any length. The two letters *l* have the same vector but not the same
# state, because the state also depends on what came before.

# %% [markdown] id="language-text"
# ## Guessing what comes next
#
# A state should remember whatever helps with the task. In the classic task the text itself contains
# the right answers: read a text and, at each token, guess the next one. A network that does this is
# a **language model** (언어 모델; [Elman 1990](D_papers.ipynb#cell-id=elman-1990) on a small
# artificial grammar, [Mikolov et al. 2010](D_papers.ipynb#cell-id=mikolov-2010) on real text). From
# the state it computes one number for each token of the vocabulary:
#
# $$y_t = W_{hy}\, h_t + b_y$$
#
# These **logits** (로짓) can be negative, and they do not sum to 1. A **softmax** (소프트맥스)
# turns them into probabilities: it raises $e$ to the power of each and divides by the sum, so that
# $p_i = e^{y_i} / \sum_k e^{y_k}$.
#
# How wrong is the guess? The **loss** (손실) is one number that training makes smaller. For guesses
# of tokens it is the **cross-entropy** (교차 엔트로피), $-\log p$ of the right token: 0 if the
# network was certain of it, and without limit as $p$ goes to 0. With the natural logarithm its unit
# is the **nat** (나트). The loss of a text is the mean over its tokens.

# %% id="logits"
output = nn.Linear(3, 4)  # computes W_hy h + b_y; holds W_hy (V, H) and b_y (V,)
targets = torch.tensor([letters.index(letter) for letter in "ello"])


def hello_loss():
    states, last = rnn(one_hot.unsqueeze(0))  # (1, 4, 3)
    return F.cross_entropy(output(states[0]), targets)  # softmax, −log and mean in one


def show_guesses():
    states, last = rnn(one_hot.unsqueeze(0))
    p = output(states[0]).softmax(-1).detach()  # (4, V)
    for letter, row, target in zip("hell", p, targets):
        listed = "  ".join(f"{name} {float(share):.2f}" for name, share in zip(letters, row))
        print(f"after {letter}:  {listed}   loss ≈{-row[target].log():.2f}")
    print(f"mean loss ≈{hello_loss().item():.3f}")


show_guesses()

# %% [markdown] id="pairs-read"
# The network has learned nothing yet: one quarter for each letter would leave a loss of
# $\log 4 = 1.39$. One text gives many guesses, all made in one pass, because $h_t$ has seen the
# tokens up to $t$ and no others.

# %% [markdown] id="gradient-text"
# ## Learning: downhill, step by step
#
# The loss depends on all parameters, 43 of them here. How does it change if one of them changes?
# Nudge it by 0.01 and see: the change of the loss, divided by 0.01, is nearly the slope of the loss
# in this parameter. The slopes of all parameters together are the **gradient** (기울기,
# 그래디언트).
#
# `loss.backward()` computes all slopes at once. It follows the computation backward by the chain
# rule, which is called **back-propagation** (역전파), and leaves each slope in the parameter's
# `.grad`.

# %% id="gradient"
parameters = [*rnn.parameters(), *output.parameters()]
print("parameters:", sum(parameter.numel() for parameter in parameters))
for parameter in parameters:
    parameter.grad = None  # backward() adds to what is there
loss = hello_loss()
loss.backward()
with torch.no_grad():  # a change that no gradient should follow
    output.bias[2] += 0.01  # the bias of the letter l
    nudged = hello_loss()
    output.bias[2] -= 0.01
print(f"slope by nudging:    {(nudged - loss).item() / 0.01:.2f}")
print(f"slope by backward(): {output.bias.grad[2]:.2f}")

# %% [markdown] id="step-text"
# The slope is negative: a larger bias of *l* makes the loss smaller, because *l* is right in two of
# the four places. A **step** moves every parameter a little against its slope. This is **gradient
# descent** (경사 하강법):
#
# $$\text{parameter} \leftarrow \text{parameter} - \text{learning rate} \times \text{slope}$$
#
# The **learning rate** (학습률) sets the length of the step. If it is too small, learning is slow;
# if it is too large, the step overshoots and the loss can rise.

# %% id="step"
with torch.no_grad():
    for parameter in parameters:
        parameter -= 0.1 * parameter.grad
print(f"loss before the step: {loss.item():.3f}   after it: {hello_loss().item():.3f}")

# %% [markdown] id="optimizer-text"
# An **optimizer** (옵티마이저) is the rule that turns gradients into steps. Plain gradient descent
# is one. This book mostly uses **Adam** ([Kingma and Ba 2015](D_papers.ipynb#cell-id=kingma-2015)).
# For each parameter it keeps a running mean of the slopes and one of their squares, and divides the
# first by the root of the second. A parameter with a steady slope then moves by about the learning
# rate, whether the slope is large or small. (You will write Adam in chapter 10.) One **update**
# (업데이트) is the four lines inside the loop, for this network as for every other in the book:

# %% id="descend"
optimizer = torch.optim.Adam(parameters, lr=0.1)
for _ in range(100):
    loss = hello_loss()
    optimizer.zero_grad()  # empties every .grad
    loss.backward()
    optimizer.step()
show_guesses()

# %% [markdown] id="descend-read"
# Now it spells *hello*. Could it do so without a memory? If you count which letter follows which,
# you find that *l* is followed by *l* once and by *o* once, so the best guess gives each one half,
# and the mean loss is $(\log 2 + \log 2)/4 = 0.35$. No function of the current letter alone gets
# below that. The network does, so its state tells the first *l* from the second.

# %% [markdown] id="model-text"
# ## The network that wrote the first page
#
# A network with many parts needs a place to keep them. In PyTorch that is an **`nn.Module`**: a
# class that contains parameters and other modules, lists them all with `parameters()`, and says in
# `forward` what it computes. `nn.RNN` and `nn.Linear` are modules, and ours contains both.
#
# It has one more part. A one-hot vector times a matrix picks one row of the matrix, so we can skip
# the multiplication and look the row up. A table with a learned vector for each token is an
# **embedding** (임베딩).


# %% id="model"
class NextToken(nn.Module):
    def __init__(self, tokens, hidden, embed=64):
        super().__init__()  # every module begins with this
        self.embed = nn.Embedding(tokens, embed)
        self.rnn = nn.RNN(embed, hidden, batch_first=True)
        self.output = nn.Linear(hidden, tokens)  # W_hy and b_y

    def forward(self, ids, state=None):
        """Token IDs (B, T) → states (B, T, H), and the last one, (1, B, H)."""
        return self.rnn(self.embed(ids), state)


tiny = NextToken(tokens=4, hidden=3, embed=2)
looked_up, multiplied = tiny.embed(ids), one_hot @ tiny.embed.weight
torch.testing.assert_close(looked_up, multiplied)
print("the letter h by lookup:", [round(number, 2) for number in looked_up[0].tolist()])
print("one-hot times matrix:  ", [round(number, 2) for number in multiplied[0].tolist()])

# %% id="prose"
from attnlib.data import bundled_directory

path = bundled_directory().parent / "shakespeare" / "shakespeare.txt"
text = path.read_text(encoding="utf-8")
characters = sorted(set(text))
play = torch.tensor([characters.index(character) for character in text])
cut = len(play) * 9 // 10
learned, unread = play[:cut], play[cut:]
print(f"{len(text):,} characters, {len(characters)} different")
print(f"{len(unread):,} of them, the last tenth, are kept apart for testing")
print(text[:96])

# %% [markdown] id="writer-text"
# Commas, spaces and line breaks are *characters* too. The text is too long to back-propagate
# through in one piece, so each update sees only a part of it, a batch: the text is cut into 32 rows
# that are read side by side, and each update reads the next 64 characters of every row. The targets
# are the same characters moved by one. The state is passed on from update to update, but `detach()`
# cuts off its history: the gradient goes back 64 characters at most.

# %% [markdown] id="ex-training-step-text"
# ### Exercise 1.2 · One update
# *Core, 15 minutes.* Make one update of `network`, a `NextToken`, as in the loop that learned
# *hello*, and return the loss as a number and the last state without its history. `inputs` and
# `targets` are token IDs, (B, T); `state` is (1, B, H), or `None` at the beginning. The loss is the
# mean over all targets. One thing is new: between `backward()` and the step, **clip** the gradient
# (기울기 클리핑). `nn.utils.clip_grad_norm_(network.parameters(), 1.0)` shortens it to length 1
# where it is longer, so that one huge gradient cannot dominate what Adam remembers.
#
# <details><summary>Hint 1</summary>
#
# `network(inputs, state)` gives the states of all tokens and the last one; `network.output(states)`
# gives logits (B, T, V). `F.cross_entropy` wants one row per guess: `.flatten(0, 1)` joins the
# first two dimensions, of the logits and of the targets.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The order is: loss, `zero_grad()`, `backward()`, clip, `step()`. Which of them changes the
# parameters?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `.item()` turns the loss into a number. What does `.detach()` do to a state, and what would the
# next update go back through without it?
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
# The loop walks through the text. The learning rate falls along a line to zero over all planned
# updates. These are the first 300 updates of the recorded run.


# %% id="train"
from torch.optim.lr_scheduler import LambdaLR


def train(network, ids, updates, rate, planned):
    """Read a text in 32 rows, 64 tokens per update; the loss of every update."""
    rows = ids[: len(ids) // 32 * 32].view(32, -1)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    decay = LambdaLR(optimizer, lambda update: 1 - update / planned)
    state = None
    losses = []
    for update in range(updates):
        at = 64 * update % (rows.shape[1] - 64)  # where to read; from the front when all is read
        state = None if at < 64 else state  # at the front there is no state yet
        inputs, targets = rows[:, at : at + 64], rows[:, at + 1 : at + 65]
        loss, state = training_step(network, optimizer, inputs, targets, state)
        decay.step()
        losses.append(loss)
    return losses


seed_everything(1)
writer = NextToken(len(characters), hidden=320)
writer_losses = train(writer, learned, updates=300, rate=0.003, planned=3000)

# %% [markdown] id="perplexity-text"
# The exponential of the loss is the **perplexity** (펄플렉서티): at a perplexity of 10 the network
# is as unsure as if it chose among 10 equally likely characters. For one that knows nothing it is
# the size of the vocabulary, 62. (The loss divided by $\log 2$ is in **bits** (비트); one bit less
# halves the perplexity.)
#
# What is the perplexity of our network after its 300 updates, on the tenth of the text that it has
# never read?

# %% id="predict-characters"
predict("01.characters", ...)  # from 1 to 62

# %% id="writer-figure" tags=["hide-input"]
# draws the figure
import math

from attnbook.figures import learning_curves


def draw_training():
    """Perplexity against updates, and what counting reaches."""
    on_learned, on_unread = [], []  # bits of each seed
    for run in record["runs"]:
        if run["variant"] == "rnn":
            on_learned.append(run["train_bits"])
            on_unread.append([look["bits"] for look in run["looks"]])
    title = "Figure 3. Learning to guess the next character (recorded, three seeds)"
    curves = {"on the text that it learns from": 2 ** torch.tensor(on_learned)}
    ax = learning_curves(range(50, 3000, 100), curves, title=title, ylabel="perplexity", log=True)
    mean_unread = (2 ** torch.tensor(on_unread)).mean(0)
    ax.plot([*looks], mean_unread, "s-", color=figures.PALETTE[1], label="on the unread tenth")
    for name, value in counted.items():
        ax.axhline(2**value, linestyle="--", color="#555555", linewidth=1)
        below = value == min(counted.values())  # above its line are the curves
        place = {"y": 0.98 * 2**value, "va": "top"} if below else {"y": 1.03 * 2**value}
        ax.text(2990, s=f"counting: {name}", ha="right", color="#555555", **place)
    ax.set(ylim=(3, 75), yticks=[4, 8, 16, 32, 64], yticklabels=[4, 8, 16, 32, 64])
    ax.minorticks_off()
    ax.legend(frameon=False, loc=(0.25, 0.5))
    plt.show()


# %% id="writer-bits"
@torch.no_grad()
def bits(network, ids):
    """Bits per token of a text, read in one go."""
    states, _ = network(ids[:-1].unsqueeze(0))
    return F.cross_entropy(network.output(states[0]), ids[1:]).item() / math.log(2)


counted = dict(record["counted"])  # bits, by name
by_count = read_record("11_counts")["runs"][0]["rows"][6]  # of 0 to 7 characters, 6 is the best
counted[f"up to {by_count['characters']} before"] = by_count["bits"]
live = bits(writer, unread)
with reveal("01.characters", 2**live, within=2):
    print(f"perplexity, just trained, 300 updates: ≈{2**live:.1f}")
    print("recorded:")
    for update in (100, 300, 3000):
        print(f"{2 ** looks[update]['bits']:6.1f}  after {update:,} updates")
    print("counting:")
    for name, value in counted.items():
        print(f"{2**value:6.1f}  {name}")
    draw_training()

# %% [markdown] id="writer-alt"
# <details><summary>The figure in words</summary>
#
# Perplexity, on a logarithmic axis, against updates from 0 to 3,000. Four dashed lines mark what
# counting reaches: 62 where all characters are equally likely, 30 by their frequency, 12 from the
# character before, 4.2 from up to six characters before. Both curves of the network fall below 6
# within 300 updates. On the text that it learns from, the curve then falls slowly to about 3.3; on
# the unread tenth it ends at 4.4, a little above the last dashed line.
#
# </details>

# %% [markdown] id="writer-read"
# <details><summary>What it says</summary>
#
# After 100 updates the network is well past counting which character follows which: it uses more
# than the one character before. After 300 it chooses among about five characters, after 3,000 among
# a little more than four. But counting can do more. If it looks up to six characters back, and
# mixes shorter and longer counts in the best-known way (Kneser–Ney smoothing; [Chen and Goodman
# 1999](D_papers.ipynb#cell-id=chen-1999)), it leaves fewer characters than this network.
#
# In Figure 3 the curves part. The gap is **overfitting** (과적합): the text is short, and the
# network begins to know it by heart.
#
# </details>

# %% [markdown] id="draw-word-text"
# ### Letting it write
#
# To write, *draw* a token at random, according to the probabilities, and feed it back as the next
# input. This is **sampling** (샘플링). A **temperature** (온도) sets how far the draw strays from
# the likeliest tokens. The logits are divided by it before the softmax: below 1 it sharpens the
# probabilities, above 1 it flattens them. Move the slider.

# %% id="temperature-view"
import re
from collections import Counter

from attnbook.views import temperature_view

followers = Counter(re.findall("(?<=th)[a-z]", text)).most_common(7)
after_th = [letter for letter, count in followers]
scores = [math.log(count) for letter, count in followers]  # at temperature 1, the shares counted
temperature_view(scores, after_th, title="What follows “th”, at your temperature")

# %% [markdown] id="ex-draw-word-text"
# ### Exercise 1.3 · Draw a token
# *Core, 10 minutes.* Return the ID, an int, of the token that `chance` draws. `logits` are (V,),
# `temperature` is above 0, and `chance` is a random number from [0, 1). Lay the probabilities of
# the tokens side by side on a line from 0 to 1: token 0 first, then token 1, and so on. The drawn
# token is the one whose piece contains `chance`.
#
# With probabilities 0.25, 0.25, 0.5 the pieces end at 0.25, 0.5 and 1: chance 0.1 draws token 0,
# chance 0.25 and chance 0.4 draw token 1, chance 0.9 draws token 2.
#
# <details><summary>Hint 1</summary>
#
# First compute the probabilities: the softmax of the logits, *divided* by the temperature.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `p.cumsum(0)` gives the end of each piece.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# How many pieces lie entirely to the left of `chance`? For a chance that is exactly at an end, see
# the example.
#
# </details>


# %% id="ex-draw-word" tags=["exercise"]
@exercise
def draw_word(logits, temperature, chance):
    """The token in whose share of [0, 1) `chance` lies. logits (V,) → its ID."""
    raise NotImplementedError


# %% [markdown] id="ex-go-on-text"
# ### Exercise 1.4 · The sampling loop
# *Core, 12 minutes.* Return a text that begins with `ids`, a list of token IDs, and continues with
# one more token for each number in the list `chances`. Draw each with your `draw_word`, and let the
# network read it. Return a new list, the beginning included.
#
# <details><summary>Hint 1</summary>
#
# Read the beginning once: `network(torch.tensor([ids]))` gives the states (1, T, H) and the state
# to continue from. The next token depends on the last of the states.
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
    """The list ids, and after it one more token for each of the chances."""
    raise NotImplementedError


# %% [markdown] id="samples-text"
# ### Your network writes


# %% id="samples"
@torch.no_grad()
def write(begin, temperature, count):
    chances = torch.rand(count, generator=torch.Generator().manual_seed(0)).tolist()
    ids = [characters.index(character) for character in begin]
    ids = go_on(writer, ids, temperature, chances)
    return "".join(characters[n] for n in ids[len(begin) :])


for temperature in (0.2, 0.7, 1.5):
    written = write("\n", temperature, 150)
    print(f"temperature {temperature}:\n≈“{written}”")

# %% [markdown] id="samples-read"
# At a low temperature the network repeats its favorite words, at a high one it produces nonsense.
# (At 1 it would draw by its own probabilities.) A character fits those before it, and now and then
# a word fits the word before it, but by its end a sentence has forgotten how it began.
#
# <details><summary>From a text of your own</summary>
#
# Give it a beginning: `print(write("JULIET:\n", 0.7, 200))`. Or train it on your own text: put the
# path of a `.txt` of a hundred thousand characters or more into the cell that reads Shakespeare,
# and run on from there. Chapter 8 returns to sampling.
#
# </details>

# %% [markdown] id="back-text"
# ## How far back does it look?
#
# **You will often read that** the hidden state "stores the sequence information up to time step
# $t - 1$" ([*Dive into deep learning*](https://d2l.ai/chapter_recurrent-neural-networks/rnn.html),
# for one). Every earlier character does have a path into $h_t$. Does it still matter which
# character it was? To find out, we give a network like ours, trained for 3,000 updates, only the
# last $k$ characters before the one to be guessed, at 2,000 places of the unread tenth. The LSTM of
# chapter 2, with about as many parameters, takes the same test: it shows whether there was more to
# find. Each has the best of five learning rates.
#
# How many characters does the plain network need to come within 0.02 bits of its best value: 1, 2,
# 4, 8, 16, 32, 64 or 128?

# %% id="predict-back"
predict("01.back", ...)  # characters


# %% id="back-figure" tags=["hide-input"]
# reads the records, and draws the figure
rates = read_record("01_rates")
contexts = rates["contexts"]  # 1, 2, 4, … 128 characters
by_length = read_record("11_counts")["runs"][0]["rows"][1:]  # from one character on


def runs_of(cell):
    """The runs of seeds 1 to 3 at the learning rate that seed 4 chose."""
    chosen = rates["learning rate"]["chosen"][cell]
    of_cell = [run for run in rates["runs"] if run["variant"] == cell]
    return [run for run in of_cell if run["rate"] == chosen and run["seed"] != 4]


def needed(values):
    """The smallest k within 0.02 bits of the best."""
    return next(k for k, value in zip(contexts, values) if value < min(values) + 0.02)


back = {}  # bits by the number of characters known, (seeds, contexts)
held_out = {}  # bits on the whole unread tenth, by seed
for cell in ("rnn", "lstm"):
    back[cell] = torch.tensor([run["bits_by_context"] for run in runs_of(cell)])
    held_out[cell] = [run["looks"][-1]["bits"] for run in runs_of(cell)]
near = needed(back["rnn"].mean(0).tolist())
by_rate = {}
for run in rates["runs"]:
    if run["variant"] == "rnn" and run["seed"] == 4:
        by_rate[run["rate"]] = needed(run["bits_by_context"])
begun_anew = [run for run in read_record("01b_truncation")["runs"] if run["state"] == "reset"]
reset = torch.tensor([run["bits_by_context"] for run in begun_anew])
shown = {"plain RNN": back["rnn"], "LSTM": back["lstm"], "LSTM, reset every 8": reset}


def draw_contexts():
    """Bits per character against the number of characters known."""
    fig, axes = plt.subplots(1, 2, figsize=(10, 3.9))
    for (label, of_seeds), marker, color in zip(shown.items(), "os^", figures.PALETTE):
        lowest, highest = of_seeds.min(0).values, of_seeds.max(0).values
        for ax in axes:
            ax.plot(contexts, of_seeds.mean(0), marker + "-", color=color, label=label)
            ax.fill_between(contexts, lowest, highest, color=color, alpha=0.2)
    known = [row["characters"] for row in by_length]
    counts = [row["bits"] for row in by_length]
    axes[0].plot(known, counts, "--", color="#555555", linewidth=1.2, label="counting")
    axes[0].set(title="How many characters back?", ylabel="bits per character")
    axes[1].set(title="The same from 8 on, enlarged", xlim=(7.2, 142), ylim=(1.97, 2.27))
    for ax, marked in zip(axes, (contexts, contexts[3:])):
        ax.set(xscale="log", xlabel="characters known before the one to guess, k")
        ax.set_xticks(marked, marked)
        ax.minorticks_off()
    axes[0].legend(frameon=False)
    fig.suptitle("Figure 4. Recorded, three seeds each: mean and range")
    plt.show()


# %% id="back"
with reveal("01.back", near, within=8):
    print(f"the plain network comes within 0.02 bits of its best with {near} characters\n")
    print("bits (recorded); k =" + "".join(f"{k:6}" for k in contexts))
    for label, of_seeds in shown.items():
        print(f"{label:20}" + "".join(f"{value:6.2f}" for value in of_seeds.mean(0)))
    print("\non the whole unread tenth, every character before known:")
    for label, cell in (("plain RNN", "rnn"), ("LSTM", "lstm")):
        print(f"{label:20}{sum(held_out[cell]) / len(held_out[cell]):6.2f}")
    draw_contexts()

# %% [markdown] id="back-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of bits per character against the number of characters known, from 1 to 128 and from 8
# to 128, on a logarithmic axis. The plain RNN falls from above 5 to below 2.1 at 16 characters and
# is nearly level from there on. The LSTM begins at about 4.5, is above the RNN from 4 to 16
# characters, and falls to 2.0 at 64. The LSTM whose state was reset in training is below both up to
# 16 characters, and level from 8 on, at 2.03. Bands show the range of three seeds. A dashed line,
# counting, falls from 3.6 at one character to 2.1 at four and is level from five on.
#
# </details>

# %% [markdown] id="back-read"
# <details><summary>What it says</summary>
#
# Characters more than 16 back (about three words) hardly help the plain network, and those more
# than 32 back not at all. Does it forget, or is nothing of interest there? The LSTM improves up to
# 64, but less than it seems: both networks begin here with a zero state in the middle of a text,
# which is new to them, and part of what they gain with $k$ is getting over it. With four characters
# they do worse than counting.
#
# The third network knows this beginning: in training, its state was reset every 8 characters
# ([01b](01b_gradients.ipynb#cell-id=truncated-text)). At 8 characters it is nearly where the other
# LSTM gets with 128. To an LSTM of this size, characters more than 8 back are worth a few
# hundredths of a bit. On the whole unread tenth the plain network and the LSTM are nearly level,
# and both were still learning.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# Three seeds of each cell, one size, one text, 3,000 updates, with a learning rate that falls to
# zero. The plain network needs 16 characters at four of the five learning rates that were tried.
# The rates were chosen on a fourth seed that is not reported, but on the same unread text.
#
# </details>

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on chapter 0 and on the notation. Answer with a letter for each:
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
# - A recurrent network is one small function, applied at every token, that passes on a state.
# - The logits become probabilities by a softmax; the loss is the cross-entropy, and perplexity
#   makes it readable.
# - The gradient is the slope of the loss in every parameter. One update is: loss, `zero_grad`,
#   `backward`, clip, step; the optimizer decides how far each parameter moves.
# - A model that guesses the next token can write, the more freely the higher its temperature.
# - Every token has a path into the state, but characters more than 16 to 32 back hardly helped the
#   plain network.
#
# **Left out.** Several layers; ways to limit overfitting, such as **dropout** (드롭아웃), which
# sets some numbers inside the network to 0 at random in training; outputs that are not as long as
# the input (chapter 3).
#
# <details><summary>Papers</summary>
#
# [Elman 1990](D_papers.ipynb#cell-id=elman-1990), *Finding structure in time*; [Mikolov et al.
# 2010](D_papers.ipynb#cell-id=mikolov-2010) (recurrent language models); [Graves
# 2013](D_papers.ipynb#cell-id=graves-2013) (writing character by character, with LSTMs); [Kingma
# and Ba 2015](D_papers.ipynb#cell-id=kingma-2015) (Adam). Andrej Karpathy's [page on
# characters](https://karpathy.github.io/2015/05/21/rnn-effectiveness/), from which the four letters
# come; the Korean book [딥 러닝을 이용한 자연어 처리 입문](https://wikidocs.net/22893)
# (*introduction to natural language processing with deep learning*) and Jay Alammar's [animations
# of a
# translator](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/).
#
# </details>
#
# **Next.** [02](02_lstm.ipynb) gives the network a memory that it can keep. If you want to see
# first why this one forgets, [01b](01b_gradients.ipynb) measures how far a gradient reaches back;
# it also lists this chapter's Korean words.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Learning: downhill, step by step
check_range(hello_loss().item(), 0, 0.02)

# How far back does it look?
check_range(live, 2.3, 2.5)
check_range(live - looks[300]["bits"], -0.05, 0.05)
check_range(reset.mean(0)[2].item(), 2.05, 2.15)
check_range(reset.mean(0)[3].item() - back["lstm"].mean(0).min().item(), 0, 0.05)
rows = read_record("11_counts")["runs"][0]["rows"]
assert min(rows, key=lambda row: row["held out"])["characters"] == by_count["characters"] == 6
assert len(by_rate) == 5 and list(by_rate.values()).count(near) == 4
assert all(back[cell].mean(0)[2] > by_length[3]["bits"] for cell in back)
assert by_length[3]["characters"] == contexts[2] == 4
