# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 02 · LSTM: gates
#
# *How can a network decide what to remember?*
#
# **What you will be able to do.** Write an LSTM that agrees with PyTorch's, gradients included.
# Find in a trained network the number that holds a fact, and test that the network uses it.
#
# **What you need.** The plain recurrent network of [chapter 01](01_rnn.ipynb): a state that is
# rewritten at every step.
#
# **Time.** About 32 minutes to read, and 23 for exercises 2.1 to 2.3; about a minute to run.
#
# <details><summary>Plan</summary>
#
# Must be read: everything from the beginning to *What is left of the first word?*, and *Where is it
# kept?* You open the cell, build it, set its forget bias, and find where a trained one keeps
# *tomorrow*. May be skipped: *What does it cost?* and the open experiment.
#
# The second file of this chapter, [02b](02b_long_memory.ipynb), follows the gradient: why the
# memory lasts, and when it does not.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, recall, reveal, views
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(2)

# %% [markdown] id="first-text"
# ## Two networks go on with a story
#
# *Tomorrow, Minsu will go to the market. He* … After this beginning, a plain network that was
# trained on all of the book's sentences did not know whether the story is still to come or is over
# ([01b](01b_gradients.ipynb#cell-id=will-read)). Perhaps it had seen too few stories of tomorrow.
# So the two networks below read only stories that begin with *Yesterday* or *Tomorrow*, sixteen of
# each in every update. Both are language models like chapter 01's, trained by the same loop, one
# with the plain recurrent cell, the other with an **LSTM** cell.

# %% id="stories"
from attnlib.data import load_corpus

corpus = load_corpus("ko-en")
FIRST = ("Yesterday", "Tomorrow")
for first in FIRST:
    told = [pair.tgt for pair in corpus.train if pair.tgt.startswith(f"{first},")]
    print(f"{len(told):,} stories of {first.lower()}, such as: {told[0]}")

# %% id="training" tags=["hide-input"]
# makes numbers of the stories, and says how a network is trained on them
from attnlib.data import BOS, EOS, UNK, WordVocabulary, pad


def begun_with(pairs):
    """The English stories that begin with each first word."""
    texts = [pair.tgt for pair in pairs]
    return {first: [t for t in texts if t.startswith(f"{first},")] for first in FIRST}


def numbered(begun):
    """The stories' token numbers; those with an unknown word are left out."""
    told = {}
    for first, texts in begun.items():
        encoded = [[BOS, *vocabulary.encode(text), EOS] for text in texts]
        told[first] = [ids for ids in encoded if UNK not in ids]
    return told


begun = begun_with(corpus.train)
vocabulary = WordVocabulary.build([text for texts in begun.values() for text in texts])
learned, unseen = numbered(begun), numbered(begun_with([*corpus.valid, *corpus.test]))


class NextWord(nn.Module):
    """Words in, logits of the next word out."""

    def __init__(self, make_cells):
        super().__init__()
        self.embedding, self.cells = nn.Embedding(len(vocabulary), 32), make_cells()
        self.output = nn.Linear(self.cells.hidden_size, len(vocabulary))

    def forward(self, ids, state=None):
        states, state = self.cells(self.embedding(ids), state)
        return self.output(states), state


def plain_cells():
    return nn.RNN(32, 109, batch_first=True)


@torch.no_grad()
def lstm_cells(forget_bias=3.0, units=48):
    """Torch's initial weights, but for the biases of the forget gate (see below)."""
    cells = nn.LSTM(32, units, batch_first=True)
    cells.bias_ih_l0[units : 2 * units] = forget_bias
    cells.bias_hh_l0[units : 2 * units] = 0.0
    return cells


def word_loss(network, stories):
    """Mean cross-entropy per word, in nats."""
    ids, mask = pad(stories)
    logits, _ = network(ids[:, :-1])
    return F.cross_entropy(logits[mask[:, 1:]], ids[:, 1:][mask[:, 1:]])


def train(make_cells, seed, learning_rate=1e-2, updates=400):
    generator = seed_everything(seed)
    network = NextWord(make_cells)
    optimizer = torch.optim.Adam(network.parameters(), learning_rate)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
    for _ in range(updates):
        batch = []
        for told in learned.values():
            drawn = torch.randint(len(told), (16,), generator=generator)
            batch += [told[n] for n in drawn]
        optimizer.zero_grad()
        word_loss(network, batch).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        slower.step()
    return network

# %% id="networks"
networks = {"plain network": train(plain_cells, seed=5)}
networks["LSTM"] = train(lstm_cells, seed=5)
for name, network in networks.items():
    cell = sum(weights.numel() for weights in network.cells.parameters())
    everything = sum(weights.numel() for weights in network.parameters())
    print(f"{name:14} {cell:,} parameters in the cell, {everything:7,} in all")


# %% id="go-on"
@torch.no_grad()
def go_on(network, beginning):
    """The story goes on with the most probable word, again and again."""
    ids = [BOS, *vocabulary.encode(beginning)]
    known = len(ids)
    while ids[-1] != EOS and len(ids) < 26:
        ids.append(network(torch.tensor([ids]))[0][0, -1].argmax().item())
    return vocabulary.decode(ids[known:])


# %% id="will-stories"
from attnbook import approx_text

beginnings = ["Tomorrow, Minsu will go to the market. He"]
beginnings += ["Yesterday, Minsu went to the market. He"]
for beginning in beginnings:
    print(beginning, "…")
    for name, network in networks.items():
        words = go_on(network, beginning)
        print(f"  {name + ':':15}{approx_text(words[:1].lower() + words[1:])}")

# %% [markdown] id="will-stories-read"
# Look at the verb after *He*. The plain network tells the past both times, even where the sentence
# before says *will*. The LSTM goes on with *will* after *Tomorrow*. One story proves nothing, and
# the LSTM's sentences make less sense: both will be measured.
#
# Besides its state, an LSTM keeps a **memory**, here of 48 units. Let it read two sentences that
# differ in the first word alone, and subtract the memories (recorded from a training like the one
# above).

# %% id="first-still" tags=["hide-input"]
# draws the figure
tense_record = read_record("02_tense")
inside = next(run["gates"] for run in tense_record["runs"] if "gates" in run)
tokens = inside["Tomorrow"]["tokens"]
of_yesterday, of_tomorrow = (torch.tensor(inside[first]["c"]).T for first in FIRST)
difference = of_tomorrow - of_yesterday
fig, ax = plt.subplots(figsize=(7, 5))
shown_map = ax.imshow(difference, vmin=-6, vmax=6, cmap="PuOr", aspect="auto")
words = ["<sos>", "(first word)", *tokens[2:]]
ax.set_xticks(range(len(words)), words, rotation=45, ha="right")
ax.set(xlabel="word read", ylabel="unit of the memory")
ax.set(yticks=range(0, 48, 8), yticklabels=range(1, 49, 8))
ax.grid(visible=False)
fig.colorbar(shown_map, ax=ax, label="after Tomorrow minus after Yesterday")
ax.set_title("What the first word alone changes in the memory")
plt.show()
apart_by_1 = (difference.abs() > 1).sum(0).tolist()
print("units that differ by more than 1:", end=" ")
print(f"{apart_by_1[1]} after the first word, {apart_by_1[-1]} after the last")

# %% [markdown] id="first-alt"
# <details><summary>The figure in words</summary>
#
# A heat map of 48 units by eleven words. The first column, before the first word is read, is white.
# From the second column on nearly all rows stay white or pale. A few have a color from the first
# word on, and two of them, units 7 and 31, keep it strongly to the last word.
#
# </details>

# %% [markdown] id="first-read"
# The first word leaves a few stripes in the memory, and two of them are still strong eight words
# later. **It looks as if this network has written *tomorrow* down.** How does it write and keep it?
# We open the cell and build it, and then test whether the network uses what it wrote.

# %% [markdown] id="emblem-text"
# ## The cell, opened
#
# In chapter 01 the cell was a closed box with one tanh inside. An **LSTM** (*long short-term
# memory*, [Hochreiter and Schmidhuber 1997](D_papers.ipynb#cell-id=hochreiter-1997)) has this in
# its place. For now notice the thick line along its top, the memory: no matrix and no tanh stands
# on it.

# %% id="emblem" tags=["hide-input"]
# draws the figure
from attnbook.figures import opened_cell_diagram

opened_cell_diagram(nn.LSTMCell(32, 48, device="meta"), ["Tomorrow", "Minsu", "will"])

# %% [markdown] id="one-number-text"
# ## A memory of one number
#
# An LSTM keeps two vectors: the **cell state** $c_t$, which is its memory, and the **hidden state**
# $h_t$, which it shows to the outside. Take a memory of a single number. A **gate** is a number
# between 0 and 1 that multiplies another. At each step the **forget gate** $f_t$ says how much of
# the old memory stays, and the **input gate** $i_t$ how much of a **candidate** $g_t$ is written:
#
# $$c_t = f_t\, c_{t-1} + i_t\, g_t$$
#
# What does the memory do with $f=1, i=0$? With $f=0, i=1$? With both 1?

# %% id="one-number"
candidates = [0.9, -0.4, 0.6, 0.2, -0.8, 0.5, 0.3, -0.6]
uses = {"keep: f = 1, i = 0": (1.0, 0.0), "replace: f = 0, i = 1": (0.0, 1.0)}
uses |= {"add up: f = 1, i = 1": (1.0, 1.0), "decay: f = 0.7, i = 0.3": (0.7, 0.3)}
memories = {}
for use, (f, i) in uses.items():
    c, memories[use] = 0.5, [0.5]
    for g in candidates:
        c = f * c + i * g
        memories[use].append(c)
    print(f"{use:24} c = {[round(c, 2) for c in memories[use][:5]]} …")

# %% id="one-number-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 4, figsize=(9, 2.9), sharey=True)
for ax, (use, memory) in zip(axes, memories.items()):
    ax.bar(range(1, 9), candidates, color="#bbbbbb", label="candidate $g_t$")
    ax.plot(range(9), memory, "o-", color=figures.PALETTE[0], label="memory $c_t$")
    ax.set_title(use.replace(": ", ":\n"), fontsize=11)
    ax.set(xlabel="time step t", ylim=(-1, 2.1))
    ax.set_xticks(range(0, 9, 2))
axes[0].set_ylabel("value")
labels = axes[0].get_legend_handles_labels()
fig.legend(*labels, loc="outside lower center", ncols=2, frameon=False)
fig.suptitle("One memory, the same candidates, four settings of two gates")
plt.show()

# %% [markdown] id="one-number-figure-alt"
# <details><summary>The figure in words</summary>
#
# Four panels with the same eight gray bars, the candidates. The blue line of the memory is level at
# 0.5 in the first panel, lies on the tips of the bars in the second, adds the bars up in the third
# and reaches nearly 2, and follows them slowly and softened in the fourth.
#
# </details>

# %% [markdown] id="one-number-read"
# Keep, replace, add up, decay: none of these needs a tanh on the memory itself. In a network the
# gates are computed at every step from what is read and what is remembered, so they can change from
# word to word.

# %% [markdown] id="equations"
# ## The LSTM
#
# With $\sigma(a) = 1/(1+e^{-a})$, which squeezes any number into 0 … 1, and $\odot$ for the
# element-wise product:
#
# $$\begin{aligned}
# i_t &= \sigma(W_{ii} x_t + b_{ii} + W_{hi} h_{t-1} + b_{hi}) &&\text{input gate}\\
# f_t &= \sigma(W_{if} x_t + b_{if} + W_{hf} h_{t-1} + b_{hf}) &&\text{forget gate}\\
# g_t &= \tanh(W_{ig} x_t + b_{ig} + W_{hg} h_{t-1} + b_{hg}) &&\text{candidate}\\
# o_t &= \sigma(W_{io} x_t + b_{io} + W_{ho} h_{t-1} + b_{ho}) &&\text{output gate}\\
# c_t &= f_t \odot c_{t-1} + i_t \odot g_t &&\text{write the memory}\\
# h_t &= o_t \odot \tanh(c_t) &&\text{read it}
# \end{aligned}$$
#
# What stands inside σ and tanh in the first four lines is called a **pre-activation**. Gates take
# the σ, because they are shares. The candidate takes the tanh, because what is written may be
# negative. The tanh in the last line brings the memory, which may grow large, back between −1 and 1
# before others see it. How much of it gets out is decided by the **output gate**.
#
# <details><summary>The names in Korean</summary>
#
# 입력 게이트, input gate; 망각 게이트 or 삭제 게이트, forget gate; 출력 게이트, output gate; 셀
# 상태, cell state.
#
# </details>

# %% [markdown] id="lstm-drawing-text"
# As a drawing: the memory runs along the top. The forget gate acts on it first, then what is
# written is added, and the output gate stands where it is read. [Christopher
# Olah](https://colah.github.io/posts/2015-08-Understanding-LSTMs/) explains the gates by the gender
# of a sentence's subject, which a new subject replaces. That is what a cell could do. What a
# trained one does has to be measured.

# %% id="lstm-drawing" tags=["hide-input"]
# draws the figure
from attnbook.figures import lstm_diagram

lstm_diagram(nn.LSTMCell(3, 5, device="meta"))  # sizes only: "meta" holds no numbers

# %% [markdown] id="step-forget-text"
# ### One gate at a time
#
# Here is a step that a trained network really took: unit 7 of the figure above, at the first word
# of *Yesterday, Minsu will …* The start token has left −0.96 in its memory. Four drawings go
# through the cell, each with the active part in color. First the **forget gate** looks at the word
# and at the old state, and says how much of the memory stays:
#
# $$f_t = \sigma(W_{if} x_t + b_{if} + W_{hf} h_{t-1} + b_{hf})$$

# %% id="step-forget"
from attnbook.figures import lstm_step_diagram

word, unit = "Yesterday", 6  # the other story is "Tomorrow"; units count from 0
gates = {name: inside[word][name][1][unit] for name in "ifgo"}  # [1]: at the first word
old_memory = inside[word]["c"][0][unit]  # [0]: after the start token
print(f"old memory {old_memory:.3f}, forget gate {gates['f']:.3f}")
lstm_step_diagram("forget gate", old_memory, gates)

# %% [markdown] id="step-candidate-text"
# The gate is nearly closed, and of −0.96 hardly anything is left. Next comes the **candidate**,
# what the cell would like to write. It comes out of a tanh, so it may be negative:
#
# $$g_t = \tanh(W_{ig} x_t + b_{ig} + W_{hg} h_{t-1} + b_{hg})$$

# %% id="step-candidate"
print(f"candidate {gates['g']:.3f}")
lstm_step_diagram("candidate", old_memory, gates)

# %% [markdown] id="step-input-text"
# It is the largest number that a tanh can give. The **input gate** says how much of it is let in
# and *added* to what was kept. The sum is the new memory:
#
# $$i_t = \sigma(W_{ii} x_t + b_{ii} + W_{hi} h_{t-1} + b_{hi}), \qquad
# c_t = f_t\, c_{t-1} + i_t\, g_t$$

# %% id="step-input"
new_memory = gates["f"] * old_memory + gates["i"] * gates["g"]
print(f"input gate {gates['i']:.3f}, new memory {new_memory:.3f}")
lstm_step_diagram("input gate", old_memory, gates)

# %% [markdown] id="step-output-text"
# The input gate is nearly 1: −0.96 has become 0.90. Last, the **output gate** says how much of the
# new memory the rest of the network may see at this word:
#
# $$o_t = \sigma(W_{io} x_t + b_{io} + W_{ho} h_{t-1} + b_{ho}), \qquad h_t = o_t \tanh(c_t)$$

# %% id="step-output"
shown = gates["o"] * torch.tensor(new_memory).tanh().item()
print(f"output gate {gates['o']:.3f}, shown {shown:.3f}")
lstm_step_diagram("output gate", old_memory, gates)

# %% [markdown] id="step-both-text"
# The output gate shows nearly all of it. And had the story begun with *Tomorrow*? Here are the
# unit's numbers at the first word of either story, and then its memory after each of the words that
# follow, which are the same in both.

# %% id="step-both"
print("at the first word:   old c     f      g      i   new c     o      h")
for word in FIRST:
    f, g, i, o = (inside[word][name][1][unit] for name in "fgio")
    c = f * old_memory + i * g
    h = o * torch.tensor(c).tanh().item()
    line = "".join(f"{number:7.2f}" for number in (f, g, i, c, o, h))
    print(f"  {word:17}{old_memory:6.2f}{line}")
print("\nmemory after:", *[f"{token:>6}" for token in tokens[2:]])
by_word = {word: torch.tensor(inside[word]["c"])[2:, unit] for word in FIRST}
by_word["difference"] = by_word["Tomorrow"] - by_word["Yesterday"]
by_word["forget gate"] = torch.tensor(inside["Yesterday"]["f"])[2:, unit]
for name, numbers in by_word.items():
    print(f"  {name:11}", *[f"{number:6.2f}" for number in numbers.tolist()])

# %% [markdown] id="step-both-read"
# *Tomorrow* leaves the forget gate near 1 (0.97) and offers −0.99 where *yesterday* offered 1.00.
# So one memory goes on from −0.96 to −1.88, and the other is replaced by 0.90. The output gate
# stays shut for *tomorrow* (0.03): the word is noted, and not shown yet.
#
# From there on this number changes at nearly every word, but by much the same amount in both
# stories, because the same words write much the same. Only at the full stop does the forget gate
# (0.42, last row) let more than half of the memory go. A *difference* of −2.71 is still there when
# *He* comes.
#
# We picked this unit because its stripe is the clearest. The view shows all 48 at every word.

# %% id="first"
views.lstm_view(
    inside["Tomorrow"],
    tokens,
    start=6,
    shown="c",
    word=len(tokens) - 1,
    title="An LSTM reads about tomorrow (recorded)",
)

# %% [markdown] id="grow-text"
# ### Why do nearly all rows grow?
#
# In the view most rows become stronger from word to word. Here are means over the 48 units, in the
# story of tomorrow.

# %% id="grow"
memory, forget, write, new = (torch.tensor(inside["Tomorrow"][name]) for name in "cfig")
added = write * new
further = (added * memory > 0).double().mean(1)  # the share that moves away from 0
saturated = (memory.tanh().abs() > 0.995).sum(1)
print("          forget gate  added |i·g|  away from 0  memory |c|  |tanh c| > 0.995")
for t, token in enumerate(tokens):
    sizes = forget[t].mean(), added[t].abs().mean(), 100 * further[t]
    print("{:9}{:10.2f}{:13.2f}{:11.0f} %".format(token, *sizes), end="")
    print(f"{memory[t].abs().mean():12.2f}{saturated[t]:11} of 48")

# %% [markdown] id="grow-read"
# The forget gates are near 0.9, and at every word nearly every unit adds about 0.8 in the direction
# in which it went before. At *Minsu* the mean size passes 3, and tanh 3 = 0.995: from there the
# tanh hardly changes. At *He* that holds for 38 of the 48 units: they have **saturated**. A memory
# whose forget gates stay near 1 drifts like this unless something lowers them, as unit 7's is
# lowered at the full stop, just before it is needed.
#
# <details><summary>Who saw this drift first</summary>
#
# [Gers, Schmidhuber and Cummins (2000)](D_papers.ipynb#cell-id=gers-2000) saw it in long streams
# and invented the forget gate against it; [02b](02b_long_memory.ipynb#cell-id=history-text) repeats
# that.
#
# </details>

# %% [markdown] id="ex-write-memory-text"
# ### Exercise 2.1 · Write the memory
# *Warm-up, 5 minutes.* Only the fifth line: given the old memory and the *pre-activations* of the
# input gate, the forget gate and the candidate, all (B, H), return the new memory (B, H).
#
# <details><summary>Hint 1</summary>
#
# Each pre-activation has to go through its nonlinearity first.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `torch.sigmoid` for shares, `torch.tanh` for the candidate.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Two products, added: the old memory with its gate, the candidate with its gate. ⊙ is Python's `*`,
# no matrix product.
#
# </details>


# %% id="ex-write-memory" tags=["exercise"]
@exercise
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    """c_t = σ(pre_forget) ⊙ c_{t−1} + σ(pre_input) ⊙ tanh(pre_candidate), (B, H)."""
    raise NotImplementedError


# %% [markdown] id="by-hand-text"
# ### A whole step by hand
#
# Now a step with every sum written out, with the weights of one of PyTorch's own cells: 3 numbers
# in, 2 units. PyTorch stacks the four blocks in the order **i, f, g, o**, and adds two biases where
# one would do.

# %% id="by-hand"
torch_cell = nn.LSTMCell(3, 2)
x, h, c = (torch.randn(size, generator=generator) for size in (3, 2, 2))
W, U = torch_cell.weight_ih.tolist(), torch_cell.weight_hh.tolist()  # 2 rows per block
b, d = torch_cell.bias_ih.tolist(), torch_cell.bias_hh.tolist()
pre = []
for row in range(8):
    seen = sum(W[row][k] * float(x[k]) for k in range(3))
    remembered = sum(U[row][k] * float(h[k]) for k in range(2))
    pre.append(seen + b[row] + remembered + d[row])
i, f, g, o = (torch.tensor(pre[first : first + 2]) for first in (0, 2, 4, 6))

# %% id="by-hand-agrees"
new_c = write_memory(c, i, f, g)
new_h = torch.sigmoid(o) * torch.tanh(new_c)
their_h, their_c = torch_cell(x.unsqueeze(0), (h.unsqueeze(0), c.unsqueeze(0)))
print("shapes", [*torch_cell.weight_ih.shape], [*torch_cell.weight_hh.shape])
print("h by hand:         ", [round(number, 4) for number in new_h.tolist()])
print("by nn.LSTMCell:    ", [round(number, 4) for number in their_h[0].tolist()])
wrong_c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(o)  # g and o exchanged
wrong_h = torch.sigmoid(g) * torch.tanh(wrong_c)
print("read as i, f, o, g:", [round(number, 4) for number in wrong_h.tolist()])

# %% [markdown] id="by-hand-read"
# The shapes do not tell the order: read as i, f, o, g, a step still runs, with other numbers. Other
# libraries have other orders, which matters when you copy weights.

# %% [markdown] id="ex-lstm-step-text"
# ### Exercise 2.2 · A step of an LSTM
# *Core, 12 minutes.* The whole step for a batch: x (B, E), `state` the pair (hidden, cell), each
# (B, H), `weight_ih` (4H, E), `weight_hh` (4H, H), two biases (4H,), blocks in torch's order.
# Return the new pair (hidden, cell). Use torch's functions: the gradient is to go back through it.
#
# <details><summary>Hint 1</summary>
#
# All four pre-activations at once: `x @ weight_ih.T + bias_ih + …` has shape (B, 4H).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `.chunk(4, dim=-1)` cuts it into four pieces of (B, H), in torch's order.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# First write the cell, then read the *new* cell. Which of the four pieces takes a tanh?
#
# </details>


# %% id="ex-lstm-step" tags=["exercise"]
@exercise
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    """One LSTM step: x (B, E), state (hidden, cell) of (B, H); blocks i, f, g, o."""
    raise NotImplementedError


# %% [markdown] id="agree-text"
# ### Three LSTMs, one result
#
# After twenty steps on a batch of four, do the last state and the gradients of all weights agree
# between your step, this book's `LSTMCell` and PyTorch's `nn.LSTM`, which does all steps in one
# call?

# %% id="agree"
from attnlib.model import LSTMCell, unroll

fused = nn.LSTM(3, 5, batch_first=True)
names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
theirs = [getattr(fused, f"{name}_l0") for name in names]
copies = {name: w.detach().clone().requires_grad_() for name, w in zip(names, theirs)}
library_cell = LSTMCell(3, 5)
library_cell.load_state_dict(copies)
inputs = torch.randn(4, 20, 3, generator=generator)
state = (torch.zeros(4, 5), torch.zeros(4, 5))
for x in inputs.unbind(1):
    state = lstm_step(x, state, **copies)
last = {"your step": state[0], "library": unroll(library_cell, inputs)[1][0]}
last["torch"] = fused(inputs)[0][:, -1]

# %% id="agree-gradients"
weights_of = {"your step": list(copies.values())}
weights_of["library"] = [getattr(library_cell, name) for name in names]
weights_of["torch"] = theirs
gradients = {}
for name, hidden in last.items():
    loss = hidden.square().sum()
    gradients[name] = torch.autograd.grad(loss, weights_of[name], retain_graph=True)
    shown = [round(number, 4) for number in hidden[0].tolist()]
    print(f"{name:9} h_20: {shown}, a gradient: {gradients[name][-1][-1]:.4f}")

# %% id="agree-check" tags=["check"]
# checks what the text says
torch.testing.assert_close(new_h, their_h[0])
torch.testing.assert_close(new_c, their_c[0])
assert not torch.allclose(wrong_h, new_h)
for name, hidden in last.items():
    torch.testing.assert_close(hidden, last["torch"])
    torch.testing.assert_close(gradients[name], gradients["torch"])

# %% [markdown] id="bias-text"
# ## How long does it remember before it has learned anything?
#
# PyTorch draws all weights from a narrow range around 0. So at initialization every pre-activation
# is near 0 and every gate near $\sigma(0) = 0.5$: **about half of the memory is lost at every
# step.** After $n$ steps with a constant forget gate $f$, the share $f^n$ is left. The simplest
# cure is a **forget bias**, a number added to the forget gate's pre-activation, so that the gate
# begins near 1.
#
# Our LSTM had a forget bias of 3. After how many steps is half of its memory gone?

# %% id="predict-half"
predict("02.half", ...)  # steps until half is gone, with a forget bias of 3

# %% id="half-life"
gate_at, half_lives = {}, {}
for bias in (0.0, 1.0, 3.0, 5.0):
    gate_at[bias] = torch.sigmoid(torch.tensor(bias, dtype=torch.float64))
    half_lives[bias] = (torch.log(torch.tensor(0.5)) / torch.log(gate_at[bias])).item()
with reveal("02.half", half_lives[3.0], within=2):
    print("forget bias   gate σ(b)   steps until half is gone   left after 50 steps")
    for bias, gate in gate_at.items():
        print(f"{bias:8.0f}{gate:14.3f}{half_lives[bias]:18.1f}{gate**50:25.1e}")

# %% [markdown] id="half-life-read"
# <details><summary>What it says</summary>
#
# The bias sets a half-life: one step, two, fourteen, a hundred.
#
# </details>
#
# <details><summary>What was recommended</summary>
#
# [Gers et al. (2000)](D_papers.ipynb#cell-id=gers-2000) already initialized the forget gate near 1;
# [Jozefowicz et al. (2015)](D_papers.ipynb#cell-id=jozefowicz-2015) recommended a bias of 1 after
# comparing many cells.
#
# </details>

# %% [markdown] id="ex-with-forget-bias-text"
# ### Exercise 2.3 · Set the forget bias
# *Warm-up, 6 minutes.* PyTorch sets no forget bias: you have to do it yourself, and PyTorch keeps
# **two** biases for each gate. Given these (4H,), return new ones that add up to `value` for the
# forget gate: put it into `bias_ih`, and 0 into `bias_hh`. All other gates keep theirs, and the
# arguments stay as they were.
#
# <details><summary>Hint 1</summary>
#
# `bias_ih.clone()` is a copy that you may write into.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Order i, f, g, o: the forget gate has the second quarter of the rows.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# How many units are there, if a bias has 4H numbers? One slice, filled with two different numbers
# in the two copies.
#
# </details>


# %% id="ex-with-forget-bias" tags=["exercise"]
@exercise
def with_forget_bias(bias_ih, bias_hh, value):
    """New (bias_ih, bias_hh), each (4H,), whose forget gate adds up to value."""
    raise NotImplementedError


# %% [markdown] id="bias-check-text"
# ### What torch's initialization leaves
#
# The forget gates of a fresh LSTM of our size, as torch makes it and with your biases:

# %% id="bias-check"
untouched = nn.LSTM(32, 48)
biases = {"as torch makes it": (untouched.bias_ih_l0, untouched.bias_hh_l0)}
biases["with forget bias 3"] = with_forget_bias(*biases["as torch makes it"], 3.0)
for name, (bias_ih, bias_hh) in biases.items():
    gate = torch.sigmoid((bias_ih + bias_hh)[48:96])
    print(f"{name}: mean forget gate without input {gate.mean().item():.2f}")

# %% [markdown] id="will-text"
# ## Does the LSTM use what it wrote?
#
# How probable is *will* after *Tomorrow, Minsu will go to the market. He*, and after the same words
# with *Yesterday* in front? We average over six names and three sentences. *Yesterday* with *will*,
# or *Tomorrow* with *went*, is nowhere in the corpus: such lines show on which word the guess
# depends.
#
# In the LSTM, by what factor does the first word alone change the probability of *will* after *…
# will go …*?

# %% id="predict-first-word"
predict("02.first-word", ...)  # Tomorrow against Yesterday, after "… will go …"

# %% id="will" tags=["hide-input"]
# asks for “will” after six names and three sentences
people = dict.fromkeys(("Minsu", "Jiho", "Junho"), "He")
people |= dict.fromkeys(("Sora", "Yuna", "Eunji"), "She")
past = ["went to the market", "went to the library with Sujin and borrowed three books"]
past += ["met a friend at the theater and watched a movie"]
future = ["will go to the market"]
future += ["will go to the library with Sujin and borrow three books"]
future += ["will meet a friend at the theater and watch a movie"]


@torch.no_grad()
def p_will(network, texts):
    """The mean probability of "will" after the texts."""
    ids = [torch.tensor([[BOS, *vocabulary.encode(text)]]) for text in texts]
    logits = torch.stack([network(read)[0][0, -1] for read in ids])
    return logits.softmax(-1)[:, vocabulary.index["will"]].mean().item()


def stories(first, clauses):
    told = [(name, clause) for name in people for clause in clauses]
    return [f"{first}, {name} {clause}. {people[name]}" for name, clause in told]


def asked(first, place):
    """The texts after which "will" is asked for."""
    clauses = {"after “… will go …”": future, "after “… went …”": past}
    if place in clauses:
        return stories(first, clauses[place])
    return [f"{first}, {name}" for name in people]

# %% id="will-numbers"
rows, factors = {}, {}
for name, network in networks.items():
    for place in ("right after the name", "after “… will go …”", "after “… went …”"):
        before, after = (p_will(network, asked(first, place)) for first in FIRST)
        rows[name, place] = before, after
        factors[name, place] = after / before
with reveal("02.first-word", factors["LSTM", "after “… will go …”"], within=1):
    print(f"{'probability of “will”':36}Yesterday   Tomorrow   factor")
    for (name, place), (before, after) in rows.items():
        line = "{:14}{:22}    ≈{:4.2f}      ≈{:4.2f}     ≈{:5.1f}"
        print(line.format(name, place, before, after, after / before))

# %% [markdown] id="will-read"
# <details><summary>What it says</summary>
#
# Right after the name both networks know. One sentence later the plain network gives *will* the
# same chance after *Yesterday* and after *Tomorrow*, although half of the stories that it read
# began with *Tomorrow*. The LSTM still knows. After *Tomorrow*, *will* is nearly twice as likely,
# and several times as likely after *… went …*, where the first word speaks against the verb just
# read.
#
# </details>

# %% [markdown] id="apart-text"
# ### What is left of the first word?
#
# How far apart are a network's two memories (for the plain network, its states) after each word of
# the two beginnings? The distance right after the first word counts as 1.


# %% id="apart"
@torch.no_grad()
def memories_of(network, text):
    """The cell state after each word (T, H); of a plain network, its state."""
    _, state = network(torch.tensor([[BOS]]))
    kept = []
    for token in vocabulary.encode(text):
        _, state = network(torch.tensor([[token]]), state)
        kept.append((state[1] if isinstance(state, tuple) else state)[0, 0])
    return torch.stack(kept)


# %% id="apart-numbers"
template, apart = "{}, Minsu will go to the market. He", {}
for name, network in networks.items():
    one, other = (memories_of(network, template.format(first)) for first in FIRST)
    apart[name] = (one - other).norm(dim=1) / (one - other)[0].norm()
    left = 100 * apart[name][-1]
    print(f"{name:14} after the last word ≈{left:.0f} % of the distance is left")

# %% id="apart-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8, 3.8))
for n, (variant, name) in enumerate((("rnn", "plain network"), ("lstm-3", "LSTM"))):
    for run in tense_record["runs"]:
        if run["variant"] == variant:
            look = {"color": figures.PALETTE[1 - n], "alpha": 0.35}
            ax.plot(run["apart"], ["--", "-"][n], **look)
    ax.plot(apart[name], "os"[n], color=figures.PALETTE[1 - n], label=f"{name}, live")
ax.plot([], [], color="#888888", alpha=0.5, label="thin: recorded,\nten seeds")
ax.set_title("How far apart are the memories after Tomorrow and after Yesterday?")
ax.set(ylabel="distance (1 after the first word)", xlabel="word read", yscale="log")
ax.set_xticks(range(10), ["(first)", *tokens[2:]])
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="apart-alt"
# <details><summary>The figure in words</summary>
#
# Two bundles of thin lines each over the words of the sentence, on a logarithmic axis, and one row
# of markers in each bundle, the live run. The dashed lines of the plain network fall from 1, slowly
# at first, then steadily, and end between 0.07 and 0.22. The solid lines of the LSTM stay between
# 0.6 and 2.2 up to the last word.
#
# </details>

# %% id="will-check" tags=["check"]
# checks what the text says
beginning = beginnings[0]
assert go_on(networks["LSTM"], beginning).startswith("Will")
assert "will" not in go_on(networks["plain network"], beginning)
for place in ("after “… will go …”", "after “… went …”"):
    check_range(factors["plain network", place], 0.8, 1.25)
check_range(factors["LSTM", "after “… will go …”"], 1.4, 4)
check_range(factors["LSTM", "after “… went …”"], 2.5, 30)
check_range(apart["plain network"][-1], 0, 0.3)
check_range(apart["LSTM"][-1], 0.4, 2)

# %% [markdown] id="apart-read"
# The plain network rewrites its whole state at every word, and each time the trace of the first one
# decays. In the LSTM the memories are about as far apart at the end as at the beginning: where a
# forget gate is near 1, what was written stays. Is that so with every seed?

# %% id="will-record"
SHOWN = ("rnn", "rnn-orthogonal", "rnn-orthogonal-1.5", "lstm-0", "lstm-1", "lstm-3")
print("recorded, ten seeds each: “will” after … will go …, medians")
print(f"{'':23}Yesterday  Tomorrow  factor  above 1.5  distance left")
for variant in SHOWN:
    same = [run for run in tense_record["runs"] if run["variant"] == variant]
    chances = torch.tensor([run["after_future"] for run in same])
    factor = chances[:, 1] / chances[:, 0]
    middle = [*chances.quantile(0.5, dim=0).tolist(), factor.quantile(0.5).item()]
    left = torch.tensor([run["apart"][-1] for run in same]).quantile(0.5)
    line = "{:23}{:9.2f}{:10.2f}{:8.2f}{:8} of 10{:13.0f} %"
    above = int((factor > 1.5).sum())
    print(line.format(tense_record["variants"][variant], *middle, above, 100 * left))

# %% [markdown] id="will-record-read"
# The plain network forgets with every seed. An orthogonal matrix, with which its gradient reached
# farther in [01b](01b_gradients.ipynb#cell-id=reach-read), is no help here. The LSTM with a forget
# bias of 3 learns to use the first word with seven seeds of ten; with bias 1 and with bias 0 it
# mostly does not.
#
# Yet with bias 0, too, most of the distance is left at the end (last column). To keep something is
# one thing; to learn that it is worth reading is another. [02b](02b_long_memory.ipynb) finds out
# why a forget gate near 1 helps with both.
#
# <details><summary>How sure?</summary>
#
# Ten seeds of one task, 400 updates, and one learning rate, which the next section changes. With
# the line at 1.2 in the place of 1.5 the counts are the same for forget bias 3 and 0, one more for
# bias 1, and one for the second orthogonal matrix. That seven seeds against two fall so or more
# clearly by chance has a probability of 0.035. Our live seed 5 is one in the middle.
#
# </details>

# %% [markdown] id="cost-text"
# ### What does it cost?
#
# A language model must predict all words, not only *will*. Here is the recorded networks' loss on
# the stories that they learned from and on unseen ones (validation and test splits).

# %% id="cost"
print("unseen stories:", tense_record["unseen stories"])
print("recorded, medians of ten seeds: loss per word in nats, and perplexity")
print(f"{'':23}stories learned from     unseen stories          perplexity, unseen")
print(f"{'':23}" + 3 * "Yesterday  Tomorrow     ")
for variant in SHOWN:
    same = [run for run in tense_record["runs"] if run["variant"] == variant]
    kept = [run["loss"]["train"] + run["loss"]["unseen"] for run in same]
    kept = [one + run["perplexity"]["unseen"] for one, run in zip(kept, same)]
    middle = torch.tensor(kept).quantile(0.5, dim=0).tolist()
    line = "{:23}" + 2 * "{:9.2f}{:10.2f}     " + "{:9.2f}{:10.2f}"
    print(line.format(tense_record["variants"][variant], *middle))

# %% [markdown] id="cost-read"
# As a language model the LSTM is clearly worse here: on unseen stories of yesterday its perplexity
# is 6.22 where the plain network has 2.56. The forget bias explains little: with bias 0 it is 5.35.
# Two suspects are left. *The width*: for as many parameters the LSTM has 48 units, not 109. *The
# learning rate*: 0.01 was chosen for the plain network. We try three times that rate, for both.

# %% id="rates"
quick = {"plain network": train(plain_cells, seed=5, learning_rate=0.03)}
quick["LSTM"] = train(lstm_cells, seed=5, learning_rate=0.03)

# %% id="rates-numbers"
@torch.no_grad()
def unseen_loss(network):
    return [word_loss(network, unseen[first]).item() for first in FIRST]


measured = {}
print("seed 5          rate   unseen: Yesterday  Tomorrow   factor of the first word")
for rate, trained in ((0.01, networks), (0.03, quick)):
    for name, network in trained.items():
        before, after = (p_will(network, stories(first, future)) for first in FIRST)
        measured[name, rate] = (*unseen_loss(network), after / before)
        line = "{:14}{:6.2f}           ≈{:4.2f}      ≈{:4.2f}        ≈{:4.1f}"
        print(line.format(name, rate, *measured[name, rate]))

# %% id="rates-check" tags=["check"]
# checks what the text says
check_range(measured["LSTM", 0.01][0] - measured["plain network", 0.01][0], 0.6, 1.1)
check_range(measured["LSTM", 0.03][0] - measured["plain network", 0.03][0], 0, 0.35)
check_range(measured["plain network", 0.03][1] - measured["LSTM", 0.03][1], 0, 0.35)
check_range(measured["plain network", 0.03][2], 0.7, 1.5)
check_range(measured["LSTM", 0.03][2], 3, 100)

# %% [markdown] id="rates-read"
# For this seed most of the price was the learning rate. At three times the rate the LSTM is a
# little behind the plain network on stories of yesterday and a little ahead on stories of tomorrow,
# and it uses the first word much more. Two networks at one learning rate are not a comparison of
# two cells: each needs the rate that suits it.
#
# <details><summary>How sure?</summary>
#
# One seed, two rates, 400 updates, and only 23 unseen stories of tomorrow. The width was not tried
# alone. How many seeds use the first word at the higher rate is not recorded. For the rest of this
# file we keep the network of the lower rate, because the record has ten seeds of it.
#
# </details>

# %% [markdown] id="transplant-text"
# ## Where is it kept?
#
# A number that *goes along with* tomorrow need not be what decides. **Activation patching** tests
# it. Let the LSTM read *Yesterday, Minsu will go to the market. He* up to the full stop. Replace a
# few numbers of its memory by those of the reading that began with *Tomorrow*. Then let it read
# *He*, and ask for *will*. The numbers are chosen on this one story, by how much they differ, and
# tested on seventeen others.


# %% id="transplant"
@torch.no_grad()
def patched(network, story, units):
    """The probability of "will" after yesterday's story with units of tomorrow's."""
    *text, end = [BOS, *vocabulary.encode(story.format("Yesterday"))]
    donor = [BOS, *vocabulary.encode(story.format("Tomorrow"))[:-1]]
    _, (hidden, cell) = network(torch.tensor([text]))
    _, (_, other_cell) = network(torch.tensor([donor]))
    cell[..., units] = other_cell[..., units]
    logits, _ = network(torch.tensor([[end]]), (hidden, cell))
    return logits[0, -1].softmax(-1)[vocabulary.index["will"]].item()


# %% id="ranked"
lstm = networks["LSTM"]
readings = [memories_of(lstm, template.format(first)) for first in FIRST]
at_the_stop = (readings[1] - readings[0])[-2].abs()
ranked = at_the_stop.argsort(descending=True)
tested = [story.replace("Tomorrow", "{}") for story in stories("Tomorrow", future)]
tested.remove(template)
print(f"of {len(ranked)} units, unit {ranked[0] + 1} differs most")

# %% id="transplant-numbers"
exchanged = {"nothing": ranked[:0], "the unit that differs most": ranked[:1]}
exchanged |= {"the next ten": ranked[1:11], "all but that one": ranked[1:]}
exchanged["all 48"] = ranked
with_patch = {}
print(f"probability of “will” in {len(tested)} stories of yesterday, patched:")
for name, units in exchanged.items():
    with_patch[name] = sum(patched(lstm, story, units) for story in tested) / len(tested)
    print(f"  {name:27} ≈{with_patch[name]:.2f}")

# %% id="transplant-check" tags=["check"]
# checks what the text says
check_range(with_patch["the unit that differs most"] - with_patch["nothing"], 0.1, 0.5)
check_range(with_patch["all but that one"] - with_patch["nothing"], -0.1, 0.1)
check_range(with_patch["all 48"] - with_patch["the unit that differs most"], -0.1, 0.1)

# %% [markdown] id="transplant-read"
# One number of 48 does it. With it exchanged, the network takes the story of yesterday for one of
# tomorrow nearly as surely as with the whole memory exchanged, and all 47 others together do next
# to nothing. (The hidden state stays yesterday's.) So unit 7, whose gates you watched, does not
# merely go along with *tomorrow*: the word is kept there and read from there.
#
# <details><summary>How sure?</summary>
#
# One network and one fact; the seventeen stories share their words and their tense with the one by
# which the unit was chosen. That the memory of this network has such a place says nothing of other
# networks, which is the next question.
#
# </details>

# %% [markdown] id="single-text"
# ### Is it always one number?
#
# Single units that hold a fact have been found before. How often is that so? In a recorded study
# small LSTMs learn sentences of which half are questions, so before the last token, `?` or `.`,
# they must know how the sentence began. In each, we flip the sign of the unit that tells questions
# from statements best.
#
# <details><summary>Single units that were found, and how ours is chosen</summary>
#
# [Karpathy, Johnson and Li (2015)](D_papers.ipynb#cell-id=karpathy-2015) found single units that
# are on inside quotation marks, and [Radford et al. (2017)](D_papers.ipynb#cell-id=radford-2017)
# one that holds whether a review is positive. Our unit is chosen on the validation split; its sign
# is flipped on the test split (`studies/single_unit.py`). As a control the record flips every
# other unit, too: with no seed does another one alone decide most end marks of both kinds.
#
# </details>

# %% id="unit-record"
study = [run for run in read_record("02_single_unit")["runs"] if run["updates"] == 600]
decides = sum(min(run["turned"]) > 0.5 for run in study)
print("recorded: the sign of one unit decides most end marks of both kinds:", end=" ")
print(f"{decides} of {len(study)} seeds")

# %% [markdown] id="unit-record-read"
# With four seeds of ten this one number decides, with the other six it does not. So a fact *can*
# sit in one number of a memory, and often it does not.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: a memory for tomorrow
#
# Can you make a network that carries *tomorrow* better, or with less? Change one thing in
# `changed`, and write down your prediction: by what factor will the first word alone change the
# probability of *will* after *… will go …*? Then put 400 in the place of 0 (four seeds, about five
# seconds each), and report in three sentences.
#
# <details><summary>Some ideas</summary>
#
# Other forget biases; another learning rate; `nn.GRU` (see
# [02b](02b_long_memory.ipynb#cell-id=gru-text)), with a bias on its update gate; the identity
# matrix with ReLU; half the units; twice the updates.
#
# </details>
#
# <details><summary>How a report is judged</summary>
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one change | several at once | one, but the budget changed with it | one, all else alike |
# | prediction | none | a direction | a number, written before |
# | evidence | one seed | four seeds | four seeds beside the ten of the record, spread named |
# | conclusion | "it works" | what came | what came, what it does not show, what comes next |
#
# </details>

# %% id="open-experiment"
UPDATES = 0  # 400 as above


def changed():
    return lstm_cells(forget_bias=3.0)  # your change


if UPDATES:
    for seed in (1, 2, 3, 4):
        mine = train(changed, seed, updates=UPDATES)
        before, after = (p_will(mine, stories(first, future)) for first in FIRST)
        print(f"seed {seed}: factor {after / before:.1f}, unseen {unseen_loss(mine)}")

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("02", "abcda")`.

# %% id="recall"
recall("02")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - An LSTM writes its memory with $c_t = f_t \odot c_{t-1} + i_t \odot g_t$ and reads it with
#   $h_t=o_t\odot\tanh(c_t)$; torch stacks the blocks i, f, g, o.
# - Torch initializes forget gates near one half; the forget bias sets the half-life of the memory.
# - An LSTM can carry one word across a sentence that makes a plain network forget it. Patching
#   shows where it is kept, perhaps in a single unit.
# - A memory whose forget gates stay near 1 drifts until its units saturate.
# - Two networks at one learning rate are not a comparison of two cells.
#
# **Left out.** Peephole connections, layer normalization, several layers; how the gates change
# during training.
#
# <details><summary>Read next to it</summary>
#
# [Understanding LSTM Networks](https://colah.github.io/posts/2015-08-Understanding-LSTMs/) by
# Christopher Olah, for its drawings.
#
# </details>
#
# <details><summary>Papers</summary>
#
# [Hochreiter and Schmidhuber 1997](D_papers.ipynb#cell-id=hochreiter-1997); [Gers, Schmidhuber and
# Cummins 2000](D_papers.ipynb#cell-id=gers-2000); [Jozefowicz, Zaremba and Sutskever
# 2015](D_papers.ipynb#cell-id=jozefowicz-2015) (the forget bias); [Karpathy, Johnson and Li
# 2015](D_papers.ipynb#cell-id=karpathy-2015) and [Radford et al.
# 2017](D_papers.ipynb#cell-id=radford-2017) (single units).
#
# </details>
#
# **Next.** [02b](02b_long_memory.ipynb) asks why the memory lasts, and decides a forget bias for a
# given distance.
