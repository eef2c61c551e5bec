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
# **What you will be able to do.** Write an LSTM that agrees with PyTorch's. Find in a trained
# network the number that holds a fact, and test that the network uses it. Choose a forget bias.
#
# **What you need.** The plain recurrent network of [chapter 1](01_rnn.ipynb): its state is
# rewritten at every step.
#
# **Time.** About 42 minutes to read, and 34 for exercises 2.1 to 2.3; about a minute and a half to
# run.
#
# <details><summary>Plan</summary>
#
# *Required:* everything through *Where is it kept?*, then *The path through the memory* and *Choose
# a forget bias*. The rest is optional. The side path [02b](02b_long_memory.ipynb) does one step
# backward by hand.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import math
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, recall, reveal, views
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="first-text"
# ## A story to remember
#
# *Tomorrow, Minsu will go to the market. He* … Is this story over, or is it still to come? To
# continue it, a language model must remember how it began. Ours, trained on stories that begin with
# *Yesterday* or *Tomorrow* and keep one tense to the end, has an **LSTM** cell: besides its state,
# it keeps a **memory**, here of 48 numbers. Let it read two sentences that differ only in the first
# word, and subtract one memory from the other.

# %% id="first-still" tags=["hide-input"]
# draws the figure from a recorded training, which runs live further down
FIRST = ("Yesterday", "Tomorrow")
tense_record = read_record("02_tense")
shown_run = next(run for run in tense_record["runs"] if "gates" in run)
inside = shown_run["gates"]
tokens = inside["Tomorrow"]["tokens"]
of_yesterday = torch.tensor(inside["Yesterday"]["c"])  # (words, units)
of_tomorrow = torch.tensor(inside["Tomorrow"]["c"])
difference = (of_tomorrow - of_yesterday).T
unit = shown_run["patched"]["unit"]  # differs most before the last word; counted from 0
fig, ax = plt.subplots(figsize=(7, 5))
limit = difference.abs().max().item()
shown_map = ax.imshow(difference, vmin=-limit, vmax=limit, cmap="PuOr", aspect="auto")
words = ["<sos>", "(first word)", *tokens[2:]]
ax.set_xticks(range(len(words)), words, rotation=45, ha="right")
ax.set(xlabel="word read", ylabel="unit of the memory")
ax.set(yticks=range(0, 48, 8), yticklabels=range(1, 49, 8))
ax.grid(visible=False)
fig.colorbar(shown_map, ax=ax, label="after Tomorrow minus after Yesterday")
ax.set_title("Figure 1. What the first word alone changes in the memory")
plt.show()
apart_by_1 = (difference.abs() > 1).sum(0).tolist()
print(f"units that differ by more than 1: {apart_by_1[1]} after the first word,", end=" ")
print(f"{apart_by_1[-1]} after the last; most of all unit {unit + 1}")

# %% [markdown] id="first-alt"
# <details><summary>The figure in words</summary>
#
# A heat map of 48 units by eleven words. The first column, before the first word is read, is white.
# From the second column on most rows are pale. A few have a color from the first word on, and at
# least one of them keeps it strongly to the last word.
#
# </details>

# %% [markdown] id="first-read"
# The first word leaves a few stripes in the memory, some of them still strong at the last word.
# **It looks as if this network has written *tomorrow* down.** How does it write and keep it? We
# open the cell, build it, and test whether the network uses what it wrote.

# %% [markdown] id="one-number-text"
# ## A memory of one number
#
# An **LSTM** (*long short-term memory*, 장단기 메모리, [Hochreiter and Schmidhuber
# 1997](D_papers.ipynb#cell-id=hochreiter-1997)) keeps two vectors: the **cell state** $c_t$ (셀
# 상태), which is its memory, and the **hidden state** $h_t$ (은닉 상태), which it shows to the rest
# of the network. Take a memory of a single number. A **gate** (게이트) is a number between 0 and 1
# that multiplies another. At each step, the **forget gate** $f_t$ (망각 게이트) decides how much of
# the old memory stays, and the **input gate** $i_t$ (입력 게이트) how much of a **candidate** $g_t$
# (후보 값) is written:
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
    c = 0.5
    memory = [c]
    for g in candidates:
        c = f * c + i * g
        memory.append(c)
    memories[use] = memory
    print(f"{use:24} c = {[round(c, 2) for c in memory[:5]]} …")

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
fig.suptitle("Figure 2. One memory, the same candidates, four settings of two gates")
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
# None of these needs a tanh on the memory itself. In a network, the gates are computed at every
# step, so they change from word to word.

# %% [markdown] id="equations"
# ## The LSTM
#
# With the **sigmoid** $\sigma(a) = 1/(1+e^{-a})$ (시그모이드), which squeezes any number into 0 …
# 1, and $\odot$ for the element-wise product:
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
# The indices of $W_{hf}$ mean *from h to f*. The argument of σ or tanh in each of the first four
# lines is a **pre-activation** (활성화 이전 값). A gate is a share, so it takes σ. The candidate
# can be negative, so it takes the tanh. The tanh in the last line brings the memory, which can grow
# large, back between −1 and 1, and the **output gate** (출력 게이트) decides how much is shown.

# %% id="lstm-drawing" tags=["hide-input"]
# draws the figure
from attnbook.figures import opened_cell_diagram

opened_cell_diagram(nn.LSTMCell(32, 48, device="meta"), ["Tomorrow", "Minsu", "will"])

# %% [markdown] id="step-forget-text"
# *Figure 3. The memory runs along the top, and no matrix is on its path.*
#
# ### One gate at a time
#
# Here is a step of the network of Figure 1, in the unit that differs most at the end, at the first
# word of *Yesterday, Minsu will …* The **forget gate** comes first, computed from the word and the
# old state. What remains of the old memory is the product of the two printed numbers.

# %% id="step-forget"
from attnbook.figures import lstm_step_diagram

word = "Yesterday"  # the other story is "Tomorrow"
gates = {name: inside[word][name][1][unit] for name in "ifgo"}  # [1]: at the first word
old_memory = inside[word]["c"][0][unit]  # [0]: after the start token
print(f"old memory {old_memory:.3f}, forget gate {gates['f']:.3f}")
lstm_step_diagram("forget gate", old_memory, gates)

# %% [markdown] id="step-candidate-text"
# *Figure 4. Forget gate.*
#
# The **candidate** is what the cell could write. It comes from a tanh, so it is between −1 and 1.

# %% id="step-candidate"
print(f"candidate {gates['g']:.3f}")
lstm_step_diagram("candidate", old_memory, gates)

# %% [markdown] id="step-input-text"
# *Figure 5. Candidate.*
#
# The **input gate** decides how much of the candidate is *added* to what was kept. The sum is the
# new memory.

# %% id="step-input"
new_memory = gates["f"] * old_memory + gates["i"] * gates["g"]
print(f"input gate {gates['i']:.3f}, new memory {new_memory:.3f}")
lstm_step_diagram("input gate", old_memory, gates)

# %% [markdown] id="step-output-text"
# *Figure 6. Input gate.*
#
# Last, the **output gate** decides how much of the new memory the rest of the network sees at this
# word: $h_t = o_t \tanh(c_t)$.

# %% id="step-output"
shown = gates["o"] * torch.tensor(new_memory).tanh().item()
print(f"output gate {gates['o']:.3f}, shown {shown:.3f}")
lstm_step_diagram("output gate", old_memory, gates)

# %% [markdown] id="step-both-text"
# *Figure 7. Output gate.*
#
# What if the story had begun with *Tomorrow*? Here are this unit's numbers at the first word of
# either story, and its memory after the next words, the same in both.

# %% id="step-both"
print("at the first word:   old c     f      g      i   new c     o      h")
for word in FIRST:
    f, g, i, o = (inside[word][name][1][unit] for name in "fgio")
    c = f * old_memory + i * g
    h = o * math.tanh(c)
    print(f"  {word:17}{old_memory:6.2f}{f:7.2f}{g:7.2f}{i:7.2f}{c:7.2f}{o:7.2f}{h:7.2f}")
print("\nmemory after:", *[f"{token:>6}" for token in tokens[2:]])
for word in FIRST:
    numbers = [memory[unit] for memory in inside[word]["c"][2:]]
    print(f"  {word:11}", *[f"{number:6.2f}" for number in numbers])
numbers = [forget[unit] for forget in inside["Yesterday"]["f"][2:]]
print("  forget gate", *[f"{number:6.2f}" for number in numbers])

# %% [markdown] id="step-both-read"
# At both words the old memory is the same, and the forget gate and the input gate are almost fully
# open. The candidate is −1 for *Yesterday* and +1 for *Tomorrow*, so they leave different memories.
# The forget gate stays open. At some of the next words, *Tomorrow*'s story adds more, and the
# difference grows. Figure 8 shows all units: choose a gate, a word and a unit.

# %% id="first"
views.lstm_view(
    inside["Tomorrow"],
    tokens,
    start=unit,
    shown="c",
    word=len(tokens) - 1,
    title="Figure 8. An LSTM reads about tomorrow (recorded)",
)

# %% [markdown] id="ex-lstm-step-text"
# ### Exercise 2.1 · A step of an LSTM
# *Core, 12 minutes.* Return the new pair (hidden, cell) after one step for a batch, from x (B, E),
# `state`, the pair (hidden, cell) of (B, H), `weight_ih` (4H, E), `weight_hh` (4H, H) and two
# biases (4H,). Torch stacks the four blocks in the order **i, f, g, o** and adds two biases where
# one would be enough. Use torch's functions: the gradient must flow back through the step.
# **Warm-up.** Write the fifth equation for one number in Python.
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
# ### Does it agree with torch?
#
# Here are twenty steps on a batch of four, by your step and by `nn.LSTM`. The last line reads the
# blocks in the order i, f, o, g.

# %% id="agree"
generator = seed_everything(2)
fused = nn.LSTM(3, 5, batch_first=True)
names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
theirs = {name: getattr(fused, f"{name}_l0") for name in names}
inputs = torch.randn(4, 20, 3, generator=generator)


def twenty_steps(weights):
    state = (torch.zeros(4, 5), torch.zeros(4, 5))
    for x in inputs.unbind(1):
        state = lstm_step(x, state, **weights)
    return state[0]


swapped = {}  # the third and the fourth block have changed places
for name, weight in theirs.items():
    i, f, g, o = weight.chunk(4)
    swapped[name] = torch.cat([i, f, o, g])
last = {"your step": twenty_steps(theirs), "torch": fused(inputs)[0][:, -1]}
last["i, f, o, g"] = twenty_steps(swapped)
for name, hidden in last.items():
    gradient = torch.autograd.grad(hidden.square().sum(), theirs["bias_hh"])[0]
    numbers = [round(number, 4) for number in hidden[0].tolist()]
    print(f"{name:11} h_20: {numbers}, a gradient: {gradient[-1]:.4f}")

# %% [markdown] id="agree-read"
# The shapes do not reveal the order: read as i, f, o, g, the step still runs but gives different
# numbers. Other libraries use other orders, which matters when you copy weights.

# %% [markdown] id="bias-text"
# ## How long does it remember before it has learned anything?
#
# PyTorch draws all weights from a narrow range around 0. So at initialization every pre-activation
# is near 0 and every gate near $\sigma(0) = 0.5$: **about half of the memory is lost at every
# step.** After $n$ steps with a constant forget gate $f$, the share $f^n$ is left. The simplest fix
# is a **forget bias** (망각 게이트 편향), a number added to the pre-activation of the forget gate,
# so that the gate begins near 1. The LSTM of Figure 1 began with a forget bias of 3. After how many
# steps would half of its memory be gone?

# %% id="predict-half"
predict("02.half", ...)  # steps until half is gone, with a forget bias of 3

# %% id="half-life"
gate_at, half_lives = {}, {}
for bias in (0, 1, 3, 5):
    gate_at[bias] = 1 / (1 + math.exp(-bias))
    half_lives[bias] = math.log(0.5) / math.log(gate_at[bias])
with reveal("02.half", half_lives[3], within=2):
    print("forget bias   gate σ(b)   steps until half is gone   left after 50 steps")
    for bias, gate in gate_at.items():
        print(f"{bias:8}{gate:14.3f}{half_lives[bias]:18.1f}{gate**50:25.1e}")

# %% [markdown] id="half-life-read"
# <details><summary>What it says</summary>
#
# The bias sets a half-life: one step, two, fourteen, a hundred. [Gers et al.
# (2000)](D_papers.ipynb#cell-id=gers-2000) already initialized the forget gate near 1; [Jozefowicz
# et al. (2015)](D_papers.ipynb#cell-id=jozefowicz-2015) recommended a bias of 1 after comparing
# many cells. PyTorch sets none: you have to write it into the second quarter of `bias_ih_l0`, and 0
# into the second quarter of `bias_hh_l0`, because the two are added. (Warm-up: do it for an
# `nn.LSTM(32, 48)`.)
#
# </details>

# %% [markdown] id="will-text"
# ## Does the LSTM use what it wrote?
#
# Figure 1 shows that the first word is in the memory, not that the network uses it. We train two
# networks by the same loop on the same stories, with about the same number of parameters. One has
# the plain recurrent cell, the other the LSTM.

# %% id="training" tags=["hide-input"]
# trains both networks on the stories, each at the learning rate that suits it
from attnbook import approx_text
from attnlib.data import BOS, EOS, UNK, WordVocabulary, bundled_directory, pad

path = bundled_directory().parent / "stories" / "train.txt"
begun = {first: [] for first in FIRST}  # the stories of each first word
for line in path.read_text(encoding="utf-8").splitlines():
    first = line.split(",")[0]
    if first in begun:
        begun[first].append(line)
vocabulary = WordVocabulary.build(begun["Yesterday"] + begun["Tomorrow"])
learned = {}  # the same as IDs
for first, texts in begun.items():
    learned[first] = [[BOS, *vocabulary.encode(text), EOS] for text in texts]


def reported(variant, updates=tense_record["updates"][0]):
    """The recorded runs of a network. Seed 0, left out, chose the learning rate."""
    runs = [run for run in tense_record["runs"] if run["variant"] == variant]
    return [run for run in runs if run["seed"] and run["updates"] == updates]


class NextWord(nn.Module):
    """Words in, logits of the next word out."""

    def __init__(self, make_cells):
        super().__init__()
        self.embedding = nn.Embedding(len(vocabulary), 32)
        self.cells = make_cells()
        self.output = nn.Linear(self.cells.hidden_size, len(vocabulary))

    def forward(self, ids, state=None):
        states, state = self.cells(self.embedding(ids), state)
        return self.output(states), state


@torch.no_grad()
def make_lstm(inputs, units, forget_bias):
    """Torch's own initial weights, except for the biases of the forget gate."""
    cells = nn.LSTM(inputs, units, batch_first=True)
    cells.bias_ih_l0[units : 2 * units] = forget_bias
    cells.bias_hh_l0[units : 2 * units] = 0.0
    return cells


def train(make_cells, seed, learning_rate, updates=400):
    generator = seed_everything(seed)
    network = NextWord(make_cells)
    optimizer = torch.optim.Adam(network.parameters(), learning_rate)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
    for _ in range(updates):
        batch = []
        for told in learned.values():  # sixteen of each first word
            drawn = torch.randint(len(told), (16,), generator=generator)
            batch += [told[n] for n in drawn]
        ids, mask = pad(batch)
        states, _ = network.cells(network.embedding(ids[:, :-1]))
        loss = F.cross_entropy(network.output(states[mask[:, 1:]]), ids[:, 1:][mask[:, 1:]])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        slower.step()
    return network


@torch.no_grad()
def continued(network, beginning):
    """The story continues with the most probable word, again and again."""
    ids = [BOS, *vocabulary.encode(beginning)]
    known = len(ids)
    while ids[-1] != EOS and len(ids) < 26:
        ids.append(network(torch.tensor([ids]))[0][0, -1].argmax().item())
    return vocabulary.decode(ids[known:])


seed = shown_run["seed"]
plain_rate = reported("rnn")[0]["rate"]
lstm_rate = reported("lstm-3")[0]["rate"]
networks = {
    "plain network": train(lambda: nn.RNN(32, 109, batch_first=True), seed, plain_rate),
    "LSTM": train(lambda: make_lstm(32, 48, 3.0), seed, lstm_rate),
}
for first, told in learned.items():
    print(f"{len(told):,} stories of {first.lower()}, each read {400 * 16 / len(told):.0f} times")

# %% id="will-stories"
beginnings = ["Tomorrow, Minsu will go to the market. He"]
beginnings += ["Yesterday, Minsu went to the market. He"]
for beginning in beginnings:
    print(beginning, "…")
    for name, network in networks.items():
        words = continued(network, beginning)
        print(f"  {name + ':':15}{approx_text(words[:1].lower() + words[1:])}")

# %% [markdown] id="will-stories-read"
# Look at the verb after *He*. The LSTM continues with *will* after *Tomorrow* and with the past
# after *Yesterday*. To the plain network the first word makes no difference, as we now measure.
#
# How probable is *will* after *Tomorrow, Minsu will go to the market. He*, and after the same words
# with *Yesterday* in front? No story contains both *Yesterday* and *will*; we combine them so that
# only the first word differs. We take the mean over six names and three sentences.

# %% id="will-numbers"
people = {"Minsu": "He", "Jiho": "He", "Junho": "He"}
people |= {"Sora": "She", "Yuna": "She", "Eunji": "She"}
future = ["will go to the market", "will meet a friend at the theater and watch a movie"]
future += ["will go to the library with Sujin and borrow three books"]


def openings(first):
    return [f"{first}, {name}" for name in people]


def stories(first):
    texts = []
    for name, pronoun in people.items():
        for clause in future:
            texts.append(f"{first}, {name} {clause}. {pronoun}")
    return texts


@torch.no_grad()
def p_will(network, texts):
    """The mean probability of "will" after the texts."""
    answers = []
    for text in texts:
        logits, _ = network(torch.tensor([[BOS, *vocabulary.encode(text)]]))
        p = logits[0, -1].softmax(-1)
        answers.append(p[vocabulary.index["will"]].item())
    return sum(answers) / len(answers)


factors = {}
print("probability of “will”    right after the name    after “… will go …. He”")
for name, network in networks.items():
    row = f"{name:24}"
    for texts in (openings, stories):
        yesterday = p_will(network, texts("Yesterday"))
        tomorrow = p_will(network, texts("Tomorrow"))
        factors[name] = tomorrow / yesterday  # the last one, after the story, stays
        row += f" ≈{yesterday:.3f} → ≈{tomorrow:.3f}    "
    print(f"{row} factor ≈{factors[name]:.3g}")

# %% [markdown] id="will-read"
# The arrows go from *Yesterday* to *Tomorrow*. Right after the name, both networks know the first
# word. One sentence later, it makes no difference to the plain network, although half of the
# stories that it read began with *Tomorrow*. The LSTM still knows. This seed is one of the two
# clearest of ten. How are the others?


# %% id="will-record"
def median(numbers):
    return torch.tensor(numbers).quantile(0.5).item()


def factor_of(run):
    yesterday, tomorrow = run["after_future"]  # the probability of "will"
    return tomorrow / yesterday


factors_of = {}
print("recorded             median   seeds with a factor above 1.5    distance left")
print("                     factor   400 updates   1,200 updates        (median)")
for variant in ("rnn", "rnn-orthogonal", "lstm-0", "lstm-3", "gru"):
    runs = reported(variant)  # after 400 updates
    factors_of[variant] = [factor_of(run) for run in runs]
    longer = [factor_of(run) for run in reported(variant, 1200)]
    above = sum(factor > 1.5 for factor in factors_of[variant])
    above_later = sum(factor > 1.5 for factor in longer)
    left = median([run["apart"][-1] for run in runs])
    row = f"{tense_record['variants'][variant]:20}{median(factors_of[variant]):7.2f}"
    print(f"{row}{above:8} of {len(runs)}{above_later:11} of {len(longer)}{left:17.0%}")
ahead = 0
for with_3 in factors_of["lstm-3"]:
    for with_0 in factors_of["lstm-0"]:
        if with_3 > with_0:
            ahead += 1
print(f"a run of bias 3 has the larger factor than one of bias 0 in {ahead} of 100 pairs")

# %% [markdown] id="will-record-read"
# The plain network learned to use the first word in none of ten seeds, nor with an orthogonal
# matrix, which keeps lengths, nor in three seeds with three times the updates. The LSTM with a
# forget bias of 3 learns to use it far more often than one with 0. The last row is another gated
# cell, the GRU of [05b](05b_two_decoders.ipynb): as torch initializes it, it uses the first word in
# most seeds, and then more strongly.
#
# Even with bias 0, much of the distance between the two memories is left at the end (column
# *distance left*). To keep something is one thing; to learn to read it is another.
#
# <details><summary>How sure?</summary>
#
# Ten seeds of one task; the line below the table does not depend on the limit of 1.5. The networks
# have the same number of parameters, within 5%. One more seed tried six learning rates with each
# network, and the loss on stories that were set aside (the *validation split*) chose. With so few
# stories of tomorrow, each is read many times.
#
# </details>

# %% [markdown] id="transplant-text"
# ## Where is it kept?
#
# A number that changes with *tomorrow* need not be the number that decides. **Activation patching**
# (활성화 패칭) tests it. Let the LSTM read *Yesterday, Minsu will go to the market.* up to the
# period. Replace a few numbers of its memory with those from the reading that began with
# *Tomorrow*. Then let it read *He*: how probable is *will*? We choose the numbers on this one
# story, by how much they differ, and test them on seventeen others.


# %% id="transplant"
@torch.no_grad()
def before_the_end(network, story):
    """The state after all words but the last, and the last word."""
    ids = [BOS, *vocabulary.encode(story)]
    _, state = network(torch.tensor([ids[:-1]]))
    return state, torch.tensor([ids[-1:]])


@torch.no_grad()
def patched(network, story, units):
    """The probability of "will" after yesterday's story with units of tomorrow's."""
    (hidden, cell), end = before_the_end(network, story.format("Yesterday"))
    (_, other_cell), _ = before_the_end(network, story.format("Tomorrow"))
    cell[..., units] = other_cell[..., units]
    logits, _ = network(end, (hidden, cell))
    return logits[0, -1].softmax(-1)[vocabulary.index["will"]].item()


# %% id="transplant-numbers"
lstm = networks["LSTM"]
template, *tested = [story.replace("Tomorrow", "{}") for story in stories("Tomorrow")]
(_, yesterdays), _ = before_the_end(lstm, template.format("Yesterday"))
(_, tomorrows), _ = before_the_end(lstm, template.format("Tomorrow"))
ranked = (tomorrows - yesterdays)[0, 0].abs().argsort(descending=True)  # units
exchanged = {"nothing": ranked[:0], "the one that differs most": ranked[:1]}
exchanged |= {"the next ten": ranked[1:11], "all except that one": ranked[1:], "all 48": ranked}
with_patch = {}
print(f"probability of “will” in {len(tested)} stories of yesterday, exchanged:")
for name, units in exchanged.items():
    with_patch[name] = sum(patched(lstm, story, units) for story in tested) / len(tested)
    print(f"  {name:27} ≈{with_patch[name]:.2f}")

# %% [markdown] id="transplant-read"
# With the whole memory exchanged, the network takes the story of yesterday for a story of tomorrow,
# although the hidden state is still yesterday's: the first word is read from the memory. How much
# of this does one number do? Here are the ten recorded seeds.

# %% id="transplant-record"
print("recorded: probability of “will” after yesterday, exchanged")
print("seed   nothing   one unit   all others   all 48")
using = 0
one_does = 0
for run in reported("lstm-3"):
    p = run["patched"]
    nothing, one, others, every = p["nothing"], p["first"], p["all but the first"], p["all"]
    print(f"{run['seed']:4}{nothing:10.2f}{one:10.2f}{others:13.2f}{every:9.2f}")
    if every > 1.5 * nothing:  # the memory decides at all
        using += 1
        if one - nothing > (every - nothing) / 2:
            one_does += 1
print(f"the memory decides in {using} seeds; in {one_does} of them, one unit does more than half")

# %% [markdown] id="transplant-record-read"
# A fact *can* be stored in one number of the memory, most clearly in seed 7, the one above; in
# other seeds it is not. The number that differs most is a suspect; only the exchange shows whether
# it is read.
#
# <details><summary>How sure?</summary>
#
# One fact and ten networks; the seventeen stories share their words and their tense with the story
# by which the unit was chosen. Single units that hold a fact have been found before: [Karpathy,
# Johnson and Li (2015)](D_papers.ipynb#cell-id=karpathy-2015) found some that are on inside
# quotation marks, and [Radford et al. (2017)](D_papers.ipynb#cell-id=radford-2017) one that tells
# whether a review is positive.
#
# </details>

# %% [markdown] id="task-text"
# ## What the forget bias decides
#
# Why does the initial bias matter, when training can change the gates? Here is a pure test of
# memory: the first input is +1 or −1, in its own feature; 49 random numbers follow in another
# feature; at the end, the network must answer what the first input was. We train the same LSTM with
# three forget biases, each for 100 updates in three seeds.
#
# With a bias of 1, which is often recommended, how many of the three seeds answer more than 95%
# right?

# %% id="predict-task"
predict("02.recall", ...)  # 0, 1, 2 or 3


# %% id="task-training" tags=["hide-input"]
# makes the sequences, and trains one network on them
def recall_data(count, length, generator):
    inputs = torch.zeros(count, length, 2)
    inputs[:, 1:, 0] = 2 * torch.rand(count, length - 1, generator=generator) - 1
    signs = torch.randint(2, (count,), generator=generator)
    inputs[:, 0, 1] = 2.0 * signs - 1
    return inputs, signs


def train_recall(forget_bias, seed, length=50, updates=100, rate=3e-3):
    """The share of right answers in the last twenty updates."""
    generator = seed_everything(seed)
    cells, head = make_lstm(2, 32, forget_bias), nn.Linear(32, 2)
    model, right = nn.ModuleList([cells, head]), []
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(updates):
        inputs, signs = recall_data(64, length, generator)
        answer = head(cells(inputs)[0][:, -1])
        optimizer.zero_grad()
        F.cross_entropy(answer, signs).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        right.append((answer.argmax(1) == signs).double().mean().item())
    return sum(right[-20:]) / 20


# %% id="task"
shares, solved = {}, {}
for bias in (0, 1, 3):
    shares[bias] = [train_recall(bias, seed) for seed in (1, 2, 3)]
    solved[bias] = sum(share > 0.95 for share in shares[bias])
recalled = read_record("02b_recall")
with reveal("02.recall", solved[1]):
    print("share of right answers after 100 updates, three seeds")
    for bias, three in shares.items():
        print(f"  forget bias {bias}:", *[f"≈{share:.2f}" for share in three])
    print("\nrecorded: how many of five seeds solve it")
    print("                learning rate   after 100    600   3,000 updates")
    for bias in shares:
        runs = [run for run in recalled["runs"] if run["variant"] == f"lstm-{bias}"]
        runs = [run for run in runs if run["seed"] != 0]  # seed 0 chose the rate
        row = f"  forget bias {bias}:{runs[0]['rate']:11}"
        for updates in (100, 600, 3000):
            at = updates // recalled["every"] - 1
            row += f"{sum(run['curve'][at] > 0.95 for run in runs):9}"
        print(row)

# %% [markdown] id="task-read"
# <details><summary>What it says</summary>
#
# Cell, data and seeds are the same. A bias of 3 needs a hundred updates or less. A bias of 1 is
# still guessing then. At a learning rate of 0.001, a few hundred updates more are enough for it; at
# 0.003, the rate of the live runs, the one seed that tried it learned nothing in 3,000. A bias of 0
# learned nothing in 3,000 either.
#
# The record has five seeds for each bias, at the best of four learning rates, chosen by another
# seed; for bias 0, that seed was guessing at all four.
#
# </details>

# %% [markdown] id="road-text"
# ## The path through the memory
#
# Take the gates and the candidate as given numbers. Then $c_t = f_t \odot c_{t-1} + i_t \odot g_t$
# is linear in $c_{t-1}$ with slope $f_t$, and from $c_t$ to $c_T$ the slopes multiply:
#
# $$\left.\frac{\partial c_T}{\partial c_t}\right|_{\text{gates given}} =
# f_{t+1} \odot f_{t+2} \odot \dots \odot f_T$$
#
# No matrix and no tanh is on this path: if the forget gates are 1, nothing decays. If they are 0.5,
# it decays like $0.5^n$: the path is *linear*, not *lossless*.

# %% [markdown] id="ex-cell-path-text"
# ### Exercise 2.2 · The product of the gates
# *Core, 10 minutes.* Return, for the forget gates $f_1 \dots f_T$ in the rows of `forget` (T, H),
# the product of the gates *after* each step, (T, H): in row $t$ (counted from 1)
# $f_{t+1} \odot \dots \odot f_T$, and ones in the last row. A gate can be exactly 0.
#
# <details><summary>Hint 1</summary>
#
# Write it for T = 3: the rows are f₂f₃, f₃, 1.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A loop from the end: begin with ones, multiply by the last gate, and so on.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Without a loop: `cumprod` multiplies from the front, and `flip` turns the rows around. A product
# from each row to the end has one gate too many: which row of it do you need where, and what is
# left for the last?
#
# </details>


# %% id="ex-cell-path" tags=["exercise"]
@exercise
def cell_path(forget):
    """∂c_T/∂c_t along the cell alone, (T, H): in row t the product of later rows."""
    raise NotImplementedError


# %% [markdown] id="road-check-text"
# ### Against autograd
#
# We run an untrained LSTM for 30 steps twice: once with $h_{t-1}$ detached, so that the gates are
# given numbers, and once as it is. For every $t$ we compute the **Jacobian matrix** (야코비 행렬)
# $\partial c_T/\partial c_t$: its row $k$ contains the slopes of number $k$ of the last memory.

# %% id="road-agrees"
from attnlib.model import LSTMCell


def run_cell(cell, inputs, gates_given):
    """Forget gates (T, H), and ∂c_T/∂c_t (T, H, H)."""
    h = torch.zeros(1, 16).double().requires_grad_()
    c = h
    gates, memories_of_steps = [], []
    for x in inputs.unbind(1):
        if gates_given:
            h = h.detach()
        i, f, g, o = (cell.from_input(x) + cell.from_hidden(h)).chunk(4, dim=-1)
        gates.append(torch.sigmoid(f)[0])
        h, c = cell(x, (h, c))
        memories_of_steps.append(c)
    jacobian = torch.zeros(len(gates), 16, 16).double()
    for k, number in enumerate(c[0]):  # row k, of every step at once
        slopes = torch.autograd.grad(number, memories_of_steps, retain_graph=True)
        jacobian[:, k] = torch.cat(slopes)
    return torch.stack(gates), jacobian


cell = LSTMCell(8, 16).double().set_forget_bias(1.0)
inputs = torch.randn(1, 30, 8, generator=generator).double()
forget, straight = run_cell(cell, inputs, gates_given=True)
diagonal = straight.diagonal(dim1=1, dim2=2)  # (T, H)
off = (straight - torch.diag_embed(diagonal)).abs().max()
gap = (diagonal - cell_path(forget)).abs().max()
print(f"gates given: the diagonal is Π f, with a difference of {gap:.0e}")
print(f"gates given: the largest number off the diagonal is {off:.0f}")
_, full = run_cell(cell, inputs, gates_given=False)
print(f"all paths, five steps back: {full[-6].norm() / straight[-6].norm():.2f} times the norm")

# %% [markdown] id="road-read"
# With the gates given, the Jacobian matrix is diagonal, and its diagonal is the product of the
# forget gates, exactly. But gates and candidate depend on $h_{t-1}$, and so on $c_{t-1}$: that
# opens more paths, and their share grows with the distance ([02b](02b_long_memory.ipynb)).

# %% [markdown] id="residual"
# **The same idea in depth.** $c_t = c_{t-1} + \dots$ *adds* to what was there instead of
# recomputing it, so the gradient has a path on which nothing shrinks it. Deep networks use it
# between layers: highway networks with gates, like the LSTM ([Srivastava, Greff and Schmidhuber
# 2015](D_papers.ipynb#cell-id=srivastava-2015)); **residual connections** (잔차 연결; [He et al.
# 2016](D_papers.ipynb#cell-id=he-2016)) without, $y = x + F(x)$, a forget gate that is always 1.
# Every layer of the Transformer of chapter 11 has them.

# %% [markdown] id="reach-text"
# ## Can the gradient of an LSTM vanish?
#
# It is often said that LSTMs solve the vanishing gradient problem: on its way back, a gradient
# shrinks toward 0. Untrained cells of 64 units read 100 random inputs. How large is the gradient of
# the sum of the last state with respect to the input $d$ steps before, relative to $d = 0$?


# %% id="all-cells-numbers"
def input_reach(forget_bias, steps=100, seeds=5):
    """Mean over seeds of ‖∂(Σ h_T)/∂x_{T−d}‖, relative to d = 0; d = 0 … steps − 1."""
    found = []
    for seed in range(seeds):
        seed_everything(seed)
        if forget_bias is None:
            network = nn.RNN(16, 64, batch_first=True).double()
        else:
            network = make_lstm(16, 64, forget_bias).double()
        inputs = torch.randn(1, steps, 16).double().requires_grad_()
        states, _ = network(inputs)
        states[:, -1].sum().backward()
        norms = inputs.grad[0].norm(dim=1).flip(0)
        found.append(norms / norms[0])
    return torch.stack(found).mean(0)


reaches = {"plain RNN": input_reach(None)}
for bias in (0, 1, 3):
    reaches[f"LSTM, forget bias {bias}"] = input_reach(bias)
print("what is left of the gradient   8 steps back    49 steps back    99 steps back")
for name, reach in reaches.items():
    print(f"{name:24}{reach[8]:17.0e}{reach[49]:17.0e}{reach[99]:17.0e}")
gate = gate_at[3]
print(f"a constant gate, bias 3 {gate**8:17.0e}{gate**49:17.0e}{gate**99:17.0e}")

# %% id="all-cells-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8.5, 4))
for n, (name, reach) in enumerate(reaches.items()):
    look = {"color": figures.PALETTE[n], "markevery": (2 * n, 14), "label": name}
    ax.plot(reach, figures.MARKERS[n] + "-", **look)
ax.set(yscale="log", ylim=(1e-18, 30))
ax.set_title("Figure 9. How far back the gradient reaches, before training")
ax.set_xlabel("distance d (steps)")
ax.set_ylabel("gradient (1 at d = 0)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="all-cells-figure-alt"
# <details><summary>The figure in words</summary>
#
# Four lines on a logarithmic scale over 100 steps. The plain RNN falls fastest and leaves the
# picture at 1e-18 near distance 70; the LSTM with bias 0 leaves it near 90; the LSTM with bias 1
# ends between 1e-8 and 1e-7. The LSTM with bias 3 stays between a fifth and three over the whole
# distance.
#
# </details>

# %% [markdown] id="all-cells-read"
# *It can vanish.* With forget bias 0, about where PyTorch initializes it, ten powers of ten are
# lost after 49 steps; with a forget bias of 3, less than one. The last line is what the memory
# alone would leave with a bias of 3: from far back, most of the gradient comes by the other paths,
# through $W_{hh}$ ([02b](02b_long_memory.ipynb)). In the test of memory above, the biases that
# leave more gradient here learned sooner.

# %% [markdown] id="decide-text"
# ## Choose a forget bias
#
# A constant gate $f$ leaves $f^n$ of the memory after $n$ steps, so the bias can be computed from
# the distance of a task. Which gate leaves half after 100 steps, and which bias gives that gate?

# %% [markdown] id="ex-forget-bias-for-text"
# ### Exercise 2.3 · The bias for a distance
# *Core, 12 minutes.* Return the forget bias (a number) with which a constant forget gate leaves the
# share `share` of the memory after `distance` steps. `share` is between 0 and 1; `distance` is at
# least 1.
#
# <details><summary>Hint 1</summary>
#
# First the gate: $f^{\text{distance}} = \text{share}$. What is $f$?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Then undo the sigmoid: solve $f = 1/(1+e^{-b})$ for $b$.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# $f = \text{share}^{1/\text{distance}}$ and $b = \log\frac{f}{1-f}$. Check it on the table above:
# half after 14.3 steps is a bias of 3.
#
# </details>


# %% id="ex-forget-bias-for" tags=["exercise"]
@exercise
def forget_bias_for(distance, share):
    """The bias b with σ(b) ** distance = share. distance at least 1, 0 < share < 1."""
    raise NotImplementedError


# %% id="decide"
print(f"half is left after 100 steps with a forget bias of {float(forget_bias_for(100, 0.5)):.2f}")

# %% [markdown] id="decide-read"
# Where only the largest distance is known, [Tallec and Ollivier
# (2018)](D_papers.ipynb#cell-id=tallec-2018) draw a distance up to it for each unit, and compute
# the unit's bias from that.

# %% [markdown] id="today"
# ## What became of recurrent networks?
#
# The Transformer of chapter 11 has replaced them in most language models. It reads all words of a
# text at the same time, while an LSTM must read one after the other, because its gates need
# $h_{t-1}$. Several recent recurrent cells remove this dependence. Then the line
# $c_t = f_t \odot c_{t-1} + i_t \odot g_t$ is linear in the memory and can be computed for all
# steps in parallel. minLSTM and minGRU ([Feng et al. 2024](D_papers.ipynb#cell-id=feng-2024)) do
# little more than that; Mamba ([Gu and Dao 2023](D_papers.ipynb#cell-id=gu-2023)) and the mLSTM
# cell of xLSTM ([Beck et al. 2024](D_papers.ipynb#cell-id=beck-2024)) also have a larger memory.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: a memory for tomorrow
#
# Can you make a network that carries *tomorrow* better, or with less? **Change** one thing in
# `changed`. **Predict** by what factor the first word alone will change the probability of *will*
# after *… will go …*. **Train**: replace 0 by 400 (four seeds). **Report** in three sentences.
#
# <details><summary>Some ideas</summary>
#
# Other forget biases; another learning rate; `nn.GRU`; an orthogonal `weight_hh_l0`; half the
# units; twice the updates.
#
# </details>

# %% id="open-experiment"
UPDATES = 0  # 400 as above


def changed():
    return make_lstm(32, 48, forget_bias=3.0)  # your change


if UPDATES:
    for seed in (1, 2, 3, 4):
        mine = train(changed, seed, reported("lstm-3")[0]["rate"], UPDATES)
        before, after = (p_will(mine, stories(first)) for first in FIRST)
        print(f"seed {seed}: factor {after / before:.1f}")

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
#   $h_t=o_t\odot\tanh(c_t)$.
# - An LSTM can use the first word one sentence later, where a plain network did not. Exchanging
#   numbers shows where it is kept, sometimes in a single unit.
# - Along the memory alone, $\partial c_T/\partial c_t$ is the product of the forget gates. The
#   gradient of an LSTM can vanish.
# - Torch initializes forget gates near one half. Before training a forget bias sets the half-life
#   of the memory; it can be computed from a distance.
#
# <details><summary>Left out, and papers</summary>
#
# Left out: peephole connections, layer normalization, several layers; how the gates change during
# training. For its drawings, read [Understanding LSTM
# Networks](https://colah.github.io/posts/2015-08-Understanding-LSTMs/) by Christopher Olah.
#
# [Hochreiter and Schmidhuber 1997](D_papers.ipynb#cell-id=hochreiter-1997); [Gers, Schmidhuber and
# Cummins 2000](D_papers.ipynb#cell-id=gers-2000); [Jozefowicz, Zaremba and Sutskever
# 2015](D_papers.ipynb#cell-id=jozefowicz-2015) (the forget bias); [Karpathy, Johnson and Li
# 2015](D_papers.ipynb#cell-id=karpathy-2015) and [Radford et al.
# 2017](D_papers.ipynb#cell-id=radford-2017) (single units); [He et al.
# 2016](D_papers.ipynb#cell-id=he-2016) (residual connections).
#
# </details>
#
# **Next.** [Chapter 3](03_seq2seq.ipynb) joins two such networks, one that reads and one that
# writes, into a translator. The side path [02b](02b_long_memory.ipynb) goes one step backward by
# hand, looks at the other bias, and ends with this chapter's Korean words.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Does it agree with torch?
torch.testing.assert_close(last["your step"], last["torch"])
assert not torch.allclose(last["i, f, o, g"], last["torch"])

# Where is it kept?
assert "will" in continued(networks["LSTM"], beginnings[0]).lower().split()[:1]
check_range(factors["plain network"], 0.7, 1.4)
check_range(factors["LSTM"], 1.5, 1e4)
check_range(with_patch["all 48"] / with_patch["nothing"], 1.5, 1e4)
medians = {name: torch.tensor(ratios).quantile(0.5) for name, ratios in factors_of.items()}
assert max(medians, key=medians.get) == "gru"
assert sum(ratio > 1.5 for ratio in factors_of["gru"]) > 5
from itertools import combinations

# The rank test, two-sided: how many ways to deal out the ranks are as uneven, or more?
ranks = torch.tensor(factors_of["lstm-3"] + factors_of["lstm-0"]).argsort().argsort() + 1
uneven = abs(int(ranks[:10].sum()) - 105)
ways = [abs(sum(some) - 105) >= uneven for some in combinations(range(1, 21), 10)]
assert sum(ways) / len(ways) < 0.01

# What the forget bias decides
assert [solved[bias] for bias in (0, 1, 3)] == [0, 0, 3]
