# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 01b · Gradients through time
#
# *How far back can a network learn?*
#
# **What you will be able to do.** Compute back-propagation through time by hand. Predict from one
# matrix what many steps do to a gradient, and measure what the tanh changes. Clip a gradient
# without changing its direction.
#
# **What you need.** The recurrent network of [01](01_rnn.ipynb), matrix products, the chain rule.
#
# **Time.** 30 minutes to read, and 47 for the three exercises. It runs for a minute and a half.
#
# <details><summary>Plan</summary>
#
# *Must be read*: *Back-propagation through time*, *How far does a gradient reach?* and *A task
# that needs nothing but memory*. Afterward you can tell from one matrix how fast a gradient would
# decay or grow without the tanh, and measure what the tanh makes of it. *May be skipped*: *Before
# and after training*, and the end of *clipping*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import check_range, exercise, predict, progress, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="before"
# A plain recurrent network reads with one step, applied at every token:
# $h_t = \tanh(W_{ih}\, x_t + b_{ih} + W_{hh}\, h_{t-1} + b_{hh})$. The cell below trains the
# network of [01](01_rnn.ipynb) with words for tokens, on the English side of the book's own corpus:
# sentences and small stories that a grammar wrote. There we know what depends on what. A story
# keeps one tense to its end, so its first word may decide a verb thirty words later: *will* never
# comes after *Yesterday*, and in every story after *Tomorrow*. How probable is *will* as the next
# word, as a mean over six names,
#
# - right after *Tomorrow, Minsu* and *Yesterday, Minsu*;
# - after a whole sentence (three in turn) such as *Tomorrow, Minsu will go to the market. He*,
#   whose verb tells the tense a second time;
# - after the same sentence with nothing exchanged but its first word?

# %% id="words-train" tags=["hide-input"]
# trains the network of 01 on words
from torch.optim.lr_scheduler import LambdaLR

from attnlib.data import BOS, EOS, WordVocabulary, load_corpus

corpus = load_corpus("ko-en")
vocabulary = WordVocabulary.build(pair.tgt for pair in corpus.train)


class NextToken(nn.Module):
    """The network of 01: an embedding, a recurrent layer, a linear layer to logits."""

    def __init__(self, tokens, hidden, embed=64):
        super().__init__()
        self.embed = nn.Embedding(tokens, embed)
        self.rnn = nn.RNN(embed, hidden, batch_first=True)
        self.output = nn.Linear(hidden, tokens)

    def forward(self, ids, state=None):
        return self.rnn(self.embed(ids), state)


def numbered(sentence):
    return torch.tensor([BOS, *vocabulary.encode(sentence), EOS])


def loss_of(network, inputs, targets, state=None):
    """The mean cross-entropy of all targets, and the last state."""
    states, last = network(inputs, state)
    return F.cross_entropy(network.output(states).transpose(1, 2), targets), last


stream = torch.cat([numbered(pair.tgt) for pair in corpus.train])
rows = stream[: len(stream) // 32 * 32].view(32, -1)
test = [numbered(pair.tgt) for pair in corpus.test]
seed_everything(1)
model = NextToken(len(vocabulary), hidden=128)
untrained = NextToken(len(vocabulary), hidden=128)
untrained.load_state_dict(model.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=0.008)
decay = LambdaLR(optimizer, lambda update: 1 - update / 400)
state = None
for at in range(0, 400 * 64, 64):
    inputs, targets = rows[:, at : at + 64], rows[:, at + 1 : at + 65]
    loss, state = loss_of(model, inputs, targets, state)
    state = state.detach()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    decay.step()
print(f"trained: {len(vocabulary):,} words, 128 units;", end=" ")
print(f"perplexity at the end ≈{loss.exp():.1f}")

# %% id="will" tags=["hide-input"]
# asks for the next word after stories of yesterday and of tomorrow
@torch.no_grad()
def p_will(texts):
    """The mean probability of "will" after the texts."""
    heard_ids = [numbered(sentence)[:-1].unsqueeze(0) for sentence in texts]
    logits = torch.stack([model.output(model(ids)[0][0, -1]) for ids in heard_ids])
    return logits.softmax(-1)[:, vocabulary.index["will"]].mean().item()


people = dict.fromkeys(("Minsu", "Jiho", "Junho"), "He")
people |= dict.fromkeys(("Sora", "Yuna", "Eunji"), "She")
past = ["went to the market", "met a friend at the theater and watched a movie"]
past += ["went to the library with Sujin and borrowed three books"]
future = ["will go to the market"]
future += ["will meet a friend at the theater and watch a movie"]
future += ["will go to the library with Sujin and borrow three books"]


def stories(first, clauses):
    who = people.items()
    return [f"{first}, {name} {c}. {pronoun}" for name, pronoun in who for c in clauses]


# %% id="will-numbers"
begun = ("Tomorrow", "Yesterday")
at_once = [p_will([f"{first}, {name}" for name in people]) for first in begun]
later = p_will(stories("Tomorrow", future)), p_will(stories("Yesterday", past))
swapped = later[0], p_will(stories("Yesterday", future))
asked = {"at once": at_once, "a sentence later": later}
asked["only the first word differs"] = swapped
print("probability of “will” after Tomorrow   Yesterday   factor")
for name, (tomorrow, yesterday) in asked.items():
    factor = tomorrow / yesterday
    print(f"{name:30}≈{tomorrow:.2f}       ≈{yesterday:.2f}    ≈{factor:.2f}")

# %% id="will-check" tags=["check"]
# checks what the text says
check_range(at_once[0] / at_once[1], 1.8, 60)
check_range(later[0] / later[1], 0.5, 2)
for first in begun:
    texts = [pair.tgt for pair in corpus.train if pair.tgt.startswith(f"{first},")]
    assert all((" will " in text) == (first == "Tomorrow") for text in texts)
check_range(swapped[0] / swapped[1], 0.8, 1.3)
assert at_once[0] / at_once[1] > 1.3 * later[0] / later[1]

# %% [markdown] id="will-read"
# Right after the beginning the network has noticed. A sentence later hardly anything is left of
# it: whether the story began with *yesterday* or *tomorrow*, and even whether the sentence in
# between said *went* or *will go*, makes next to no difference. The information would be worth
# having, the network has 128 units for this one bit, and it is gone. A large part of the reason
# lies in how it *learns*.
#
# <details><summary>How sure?</summary>
#
# Six names, three sentences, and one seed; chapter 02 has ten. *Tomorrow* opens few stories, so
# part of the failure may be too few examples. The toy task below, which has no lack of them, shows
# that memory alone is enough to fail; and chapter 02 lets such a network read nothing but stories
# of yesterday and tomorrow.
#
# </details>

# %% [markdown] id="bptt-text"
# ## Back-propagation through time
#
# How does a loss at the end reach the first word? Unrolled, the network is an ordinary deep one,
# with as many layers as words and the same weights in all of them. The chain rule walks through it
# backward ([Werbos 1990](D_papers.ipynb#cell-id=werbos-1990)). By hand, on three steps, with a
# state of one number and a target $y$ for the last state:
#
# $$h_t = \tanh(w\, h_{t-1} + u\, x_t), \qquad L = \tfrac{1}{2}(h_3 - y)^2$$

# %% id="bptt-forward"
import math

w, u, y = 0.8, 1.0, 1.0
xs = [0.5, -0.3, 0.2]
h = [0.0]
for x_t in xs:
    h.append(math.tanh(w * h[-1] + u * x_t))
loss_by_hand = 0.5 * (h[3] - y) ** 2
print("h_0 to h_3:", [round(number, 3) for number in h], "loss", round(loss_by_hand, 3))

# %% [markdown] id="bptt-formula"
# Backward, one step at a time. Write $g_t$ for $\partial L / \partial h_t$. Through the tanh it
# shrinks by the slope, $1 - h_t^2$, and becomes $a_t$, the gradient at the pre-activation. This
# splits three ways: to $w$ (times $h_{t-1}$, which $w$ was multiplied with), to $u$ (times $x_t$),
# and on to the state before (times $w$):
#
# $$a_t = g_t\,(1 - h_t^2), \qquad
# \frac{\partial L}{\partial w} \mathrel{+}= a_t\, h_{t-1}, \qquad
# \frac{\partial L}{\partial u} \mathrel{+}= a_t\, x_t, \qquad
# g_{t-1} = w\, a_t$$
#
# The $\mathrel{+}=$ is the "through time": $w$ was used three times, and every use adds its part.
# At which of the three steps is the part of $w$ exactly zero?

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
# draws the figure
blue, red = figures.PALETTE[0], "#A04000"


def box(ax, x, y, inside, color):
    look = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": color}
    ax.text(x, y, inside, ha="center", va="center", fontsize=11, bbox=look, zorder=3)


def arrow(ax, start, end, label="", color="#444444", curve=0.0, room=20, at=(0, 0)):
    drawn = {"arrowstyle": "-|>", "linewidth": 1.6, "color": color, "shrinkA": room}
    drawn |= {"shrinkB": room, "connectionstyle": f"arc3,rad={curve}"}
    ax.annotate("", end, start, arrowprops=drawn, zorder=1)
    middle = [(a + b) / 2 + off for a, b, off in zip(start, end, at)]
    ax.text(*middle, label, ha="center", va="center", color=color, fontsize=10.5)


fig, ax = plt.subplots(figsize=(9, 3.9))
for t in range(4):
    box(ax, 2.4 * t, 1, f"$h_{t}$ = {h[t]:.3f}", blue)
    box(ax, 2.4 * t, 1.75, f"$g_{t}$ = −{abs(g[t]):.3f}", red)
    if t:
        given = f"$x_{t}$ = {xs[t - 1]}".replace("-", "−")
        box(ax, 2.4 * t, 0, given, figures.PALETTE[2])
        arrow(ax, (2.4 * t, 0), (2.4 * t, 1), f"× u = {u:.0f}", room=16, at=(0.5, 0))
        arrow(ax, (2.4 * t - 2.4, 1), (2.4 * t, 1), f"× w = {w}", room=40, at=(0, -0.2))
        share = f"× {w * (1 - h[t] ** 2):.2f}"
        ends = (2.4 * t, 1.75), (2.4 * t - 2.4, 1.75)
        arrow(ax, *ends, share, red, room=45, at=(0, 0.2))
box(ax, 9.3, 1, f"$L$ = {loss_by_hand:.3f}", "#000000")
arrow(ax, (7.2, 1), (9.3, 1), room=38)
arrow(ax, (9.3, 1), (7.2, 1.75), color=red, room=26)
ax.set_title("Back-propagation through three steps", fontsize=12)
ax.set(xlim=(-0.8, 10.1), ylim=(-0.4, 2.2))
ax.axis("off")
plt.show()

# %% [markdown] id="bptt-alt"
# <details><summary>The figure in words</summary>
#
# The unrolled network of three steps with its numbers. In the middle row the states from h 0 = 0 to
# h 3 and the loss, joined by gray arrows to the right that carry times w = 0.8; from below the
# three inputs, times u = 1. In the top row, in red, the gradients g: an arrow leads from the loss
# to g 3, and from each g to the one on its left, with factors between 0.6 and 0.8.
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
print(f"dL/dw: by hand {sum(parts_w):.4f}, by autograd {w_.grad:.4f}")
print(f"dL/du: by hand {sum(parts_u):.4f}, by autograd {u_.grad:.4f}")

# %% [markdown] id="bptt-read"
# The part of step 1 is zero because $h_0$ is. On the red arrows, each step multiplies the gradient
# by $w(1 - h_t^2)$, here by less than one. Three steps have cost more than half of it. Thirty
# would leave next to nothing.
#
# With vectors the slope is an element-wise factor (written $\odot$), and the path back through
# $W_{hh}$ is its **transpose**. A loss that looks at *every* state, as a language model's does,
# adds the term in parentheses:
#
# $$a_t = g_t \odot (1 - h_t^2), \qquad g_{t-1} = W_{hh}^\top a_t + (\text{what } L
# \text{ says to } h_{t-1} \text{ directly}).$$

# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# The next exercise is the hardest of the chapter. Here is its skeleton without a tanh:
# $h_t = w\,h_{t-1} + x_t$, one number, and the loss is simply $h_3$. With $w = 0.5$ and the inputs
# 2, 4, 6 the states are 2, 5 and 8.5, and $dL/dw$ should be 6. One line is yours: what arrives at
# the state before?

# %% id="faded"
line_w, line_h = 0.5, [0.0, 2.0, 5.0, 8.5]
arrives, collected = 1.0, 0.0  # dL/dh_3, and what w has got so far
for t in (3, 2, 1):
    collected += arrives * line_h[t - 1]  # w was multiplied with the state before
    arrives = arrives  # yours: what the step back does to the gradient
print("dL/dw:", collected)

# %% [markdown] id="ex-bptt-text"
# ### Exercise 1.6 · Back-propagation through time
# *Hard, 25 minutes.* No autograd. `inputs` (T, E) are $x_1 \dots x_T$; `states` (T+1, H) are
# $h_0 \dots h_T$ of $h_t = \tanh(W_{ih} x_t + W_{hh} h_{t-1} + b)$; `grad_states` (T, H) is what
# the loss says directly to $h_1 \dots h_T$; `weight_hh` (H, H). Return the three gradients for
# $W_{ih}$ (H, E), $W_{hh}$ (H, H) and $b$ (H,), as a tuple.
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
# in place of w.
#
# </details>


# %% id="ex-bptt" tags=["exercise"]
@exercise
def bptt(inputs, states, grad_states, weight_hh):
    """Gradients for W_ih, W_hh, b from x (T, E), h (T+1, H), dL/dh (T, H), W_hh."""
    raise NotImplementedError


# %% [markdown] id="bptt-use-text"
# ### Against torch
#
# The same on the trained language model and a sentence that it has never seen: 128 units, every
# word with its own loss.

# %% id="bptt-use"
model.zero_grad()
heard_ids = test[0]
embedded = model.embed(heard_ids[:-1]).detach()
states, _ = model(heard_ids[:-1].unsqueeze(0))
states.retain_grad()  # what the loss says to each state directly
F.cross_entropy(model.output(states[0]), heard_ids[1:]).backward()
h_all = torch.cat([torch.zeros(1, 128), states[0].detach()])
by_bptt = bptt(embedded, h_all, states.grad[0], model.rnn.weight_hh_l0.detach())
for by_hand, name in zip(by_bptt, ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0")):
    by_backward = getattr(model.rnn, name).grad
    torch.testing.assert_close(by_hand, by_backward, atol=1e-5, rtol=1e-3)
    apart = (by_hand - by_backward).norm() / by_backward.norm()
    print(f"{name:13} {by_hand.numel():6,} numbers, off by {apart:.3f} of their length")

# %% [markdown] id="truncated-text"
# Going back to the first token needs all states in memory. On a long text the chain is cut every
# so many steps, as in 01: the state is handed on, the gradient is not (**truncated**
# back-propagation through time, [Williams and Peng 1990](D_papers.ipynb#cell-id=williams-1990)).
# What does the cut throw away?

# %% [markdown] id="reach-text"
# ## How far does a gradient reach?
#
# From $h_T$ back to $h_t$ the gradient is multiplied $T - t$ times by a matrix:
#
# $$\frac{\partial h_t}{\partial h_{t-1}} = \mathrm{diag}(1 - h_t^2)\, W_{hh}$$
#
# ($\mathrm{diag}$ puts the slopes on the diagonal of a matrix of zeros.) Leave the slopes aside
# for a moment. Then $d$ steps back are $d$ products by $W_{hh}^\top$, and what decides is the
# **spectral radius** $\rho$ of the matrix, the largest absolute value among its **eigenvalues**.
# For large $d$ the products grow or shrink like $\rho^d$: above 1 they **explode**, below 1 they
# **vanish**. [Hochreiter (1991)](D_papers.ipynb#cell-id=hochreiter-1991) and [Bengio, Simard and
# Frasconi (1994)](D_papers.ipynb#cell-id=bengio-1994) saw that this lies in the nature of the
# chain. What suffers are **long-term dependencies** (장기 의존성): words that depend on others far
# back.
#
# <details><summary>What an eigenvalue is</summary>
#
# An eigenvalue $\lambda$ belongs to a vector $v$ that the matrix only stretches,
# $W v = \lambda v$; it may be a complex number, and then the matrix also turns.
#
# </details>
#
# How large is $\rho$ when training begins? Below are four **initializations** of the matrix. (An
# **orthogonal** matrix turns or mirrors a vector and leaves its length as it is.) Torch fills a
# recurrent matrix with evenly spread random numbers between $-1/\sqrt{H}$ and $1/\sqrt{H}$. Is its
# $\rho$ below 1, about 1, or above?

# %% id="initializations"
INITIALIZATIONS = {
    "torch's default": lambda w: nn.init.uniform_(w, -(len(w) ** -0.5), len(w) ** -0.5),
    "normal, 1/√H": lambda w: nn.init.normal_(w, 0.0, len(w) ** -0.5),
    "orthogonal": lambda w: nn.init.orthogonal_(w),
    "orthogonal × 1.5": lambda w: nn.init.orthogonal_(w, gain=1.5),
}


def make_matrix(kind, seed, size=64):
    seed_everything(seed)
    return INITIALIZATIONS[kind](torch.empty(size, size, dtype=torch.float64))


# %% id="radius"
print("mean of 5 matrices  spectral radius   largest singular value")
for kind in INITIALIZATIONS:
    five = torch.stack([make_matrix(kind, seed) for seed in range(5)])
    rho = torch.linalg.eigvals(five).abs().amax(1).mean()
    print(f"{kind:18}{rho:12.2f}{torch.linalg.svdvals(five).amax(1).mean():22.2f}")
print(f"1/√3 = {3**-0.5:.2f}")
print(f"to the power of 100: 0.9 gives {0.9**100:.5f}, 1.1 gives {1.1**100:,.0f}")

# %% id="eigenvalues-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 4, figsize=(10, 3.2), sharey=True)
circle_of = torch.exp(1j * torch.linspace(0, 2 * math.pi, 200))
for ax, kind, color in zip(axes, INITIALIZATIONS, figures.PALETTE):
    values = torch.linalg.eigvals(make_matrix(kind, seed=1))
    ax.plot(circle_of.real, circle_of.imag, color="#555555", linewidth=1.2)
    ax.scatter(values.real, values.imag, s=14, color=color)
    ax.set(title=kind, xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal")
    ax.set_xlabel("real part")
axes[0].set_ylabel("imaginary part")
fig.suptitle("Eigenvalues of four recurrent matrices; the circle has radius 1")
plt.show()

# %% [markdown] id="eigenvalues-alt"
# <details><summary>The figure in words</summary>
#
# Four scatter plots of 64 complex eigenvalues each with the unit circle. Torch's default fills a
# disk of radius about 0.6. The normal initialization fills a disk that just reaches the circle. The
# orthogonal one lies exactly on the circle, the one times 1.5 on a larger circle.
#
# </details>

# %% [markdown] id="radius-read"
# Torch's default lies far inside the circle, with a radius of about $1/\sqrt 3$ whatever the
# hidden size. A tenth more or less is no small thing, as the last line says.
#
# <details><summary>Why one over the root of three?</summary>
#
# The eigenvalues of a large matrix of independent random entries with mean 0 and variance
# $\sigma^2$ nearly fill a disk of radius $\sigma\sqrt{H}$ (the circular law), and numbers spread
# evenly between $\pm 1/\sqrt H$ have variance $1/(3H)$.
#
# </details>
#
# The largest *singular value* says how much one single product can stretch a vector at most.
# [Pascanu, Mikolov and Bengio (2013)](D_papers.ipynb#cell-id=pascanu-2013) proved that gradients
# must vanish if it is below 1, and that it must be above 1 for them to explode. The default's is
# above 1, and its gradients vanish all the same: one product may stretch, many shrink.

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
    """‖∂(Σ h_T)/∂x_{T−d}‖ relative to d = 0, (T,). run: (T, E) → states (T, H)."""
    raise NotImplementedError


# %% [markdown] id="reach-experiment-text"
# ### Four initializations, without the tanh and with it
#
# Untrained networks, five of each kind, read 100 random vectors, first without a tanh, where the
# theory above is exact, then with it. Will *orthogonal × 1.5*, whose radius is above 1, explode
# with the tanh in it?

# %% id="predict-explode"
predict("01b.explode", ..., choices=("yes", "no"))


# %% id="reach-networks"
def network(weight_hh, nonlinearity):
    weight_ih = (torch.rand(64, 64, dtype=torch.float64) * 2 - 1) / 8  # as torch does

    def run(inputs):
        state, states = torch.zeros(64, dtype=torch.float64), []
        for x_t in inputs:
            state = nonlinearity(weight_ih @ x_t + weight_hh @ state)
            states.append(state)
        return torch.stack(states)

    return run


def measured(kind, nonlinearity):
    """Gradient reach of five networks, (5, T)."""
    found = []
    for seed in range(5):
        run = network(make_matrix(kind, seed), nonlinearity)
        found.append(gradient_reach(run, torch.randn(100, 64, dtype=torch.float64)))
    return torch.stack(found)


# %% id="reach-figure" tags=["hide-input"]
# draws the figure
from attnbook.figures import learning_curves


def draw_reach():
    """How far a gradient reaches, without tanh and with it."""
    fig, axes = plt.subplots(1, 2, figsize=(10, 4.4))
    for ax, (name, curves) in zip(axes, reach.items()):
        drawn_curves = {kind: curve[:, :81] for kind, curve in curves.items()}
        learning_curves(range(81), drawn_curves, title=name, log=True, ax=ax)
        ax.set(xlabel="distance d (steps)", ylabel="gradient relative to d = 0")
        ax.legend(frameon=False, loc="lower left" if name == "with tanh" else "upper left")
    plt.show()

# %% id="reach-numbers"
both = {"without tanh": lambda pre_activation: pre_activation, "with tanh": torch.tanh}
reach = {}
for name, nonlinearity in both.items():
    reach[name] = {kind: measured(kind, nonlinearity) for kind in INITIALIZATIONS}
with reveal("01b.explode", "no"):
    print("factor per step     without tanh   with tanh   left after 20 steps, with tanh")
    for kind in INITIALIZATIONS:
        logs = torch.stack([curves[kind] for curves in reach.values()]).log().mean(1)
        linear, bounded = ((logs[:, 60] - logs[:, 20]) / 40).exp()
        print(f"{kind:18}{linear:12.2f}{bounded:14.2f}{logs[1, 20].exp():18.0e}")
    draw_reach()

# %% [markdown] id="reach-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of gradient size on logarithmic axes, each with its own scale, against a distance of 0
# to 80 steps. Without tanh: orthogonal × 1.5 rises in a straight line, the normal initialization
# rises slowly, orthogonal is level, torch's default falls in a straight line over some seventeen
# powers of ten. With tanh all four fall: orthogonal × 1.5 only to about a tenth in 80 steps,
# orthogonal and normal together by about ten powers of ten, the default by 28. Bands around the
# lines show the range of five networks.
#
# </details>

# %% [markdown] id="reach-read"
# <details><summary>What it says</summary>
#
# Without the tanh the factor per step (measured from distance 20 to 60) is the spectral radius to
# within about a hundredth. With it the slopes $1 - h_t^2$, none of them above 1, are multiplied in
# as well. Torch's default loses more than half of the gradient *at every step*: after twenty steps
# less than a millionth is left. Even the orthogonal matrix, which alone would pass everything on,
# loses a quarter per step.
#
# It is tempting to say that a spectral radius above 1 makes gradients explode. Textbooks derive it
# *without* the nonlinearity ([Goodfellow, Bengio and Courville, section
# 10.7](https://www.deeplearningbook.org/contents/rnn.html)), and there it is true. *Orthogonal ×
# 1.5* does not explode here: where the matrix pushes the state outward, the tanh gets flatter, and
# the two nearly cancel. The tanh is a brake, though not a perfect one: write a larger gain into
# `INITIALIZATIONS` and see when the gradient grows in spite of it.
#
# </details>

# %% [markdown] id="gradient-view-text"
# ### From “He” back to “Tomorrow”
#
# Three of these untrained networks read our story, each word a random vector, and a loss looks at
# the state after *He*. The shade of a box is logarithmic: full color for all of the gradient, half
# for a hundredth, none for a ten-thousandth or less. Press Play to see it travel.

# %% id="gradient-view"
from attnbook.views import gradient_view

story = [*vocabulary.tokenize("Tomorrow, Minsu will go to the market. He")]
made = torch.Generator().manual_seed(1)
story_vectors = torch.randn(len(story), 64, dtype=torch.float64, generator=made)
arriving = {}
for kind in ("torch's default", "orthogonal", "orthogonal × 1.5"):
    fresh = network(make_matrix(kind, 1), torch.tanh)
    arriving[kind] = gradient_reach(fresh, story_vectors).flip(0)
gradient_view(arriving, story, title="From “He” back to “Tomorrow” (log scale)")

# %% id="gradient-numbers"
print("of the gradient at “He” arrives at “Tomorrow”")
for kind, sizes in arriving.items():
    print(f"{kind:18}{100 * sizes[0]:8.2g} %")

# %% [markdown] id="gradient-read"
# Why does a small gradient matter, as long as it is not zero? The parts of all distances are
# *added up* in one gradient of $W_{hh}$, and the step goes where the near words point. The
# gradient as a whole does *not* vanish, but with torch's default it is nearly all about the last
# few words. So a cut chain throws away little of the gradient, and with it everything that could
# be learned about words before the cut.

# %% [markdown] id="trained-text"
# ### Before and after training
#
# Does training lengthen the memory? Two looks at our language model. Backward: the gradient of the
# loss of one word with respect to each earlier word's vector. Forward: exchange the first word,
# *yesterday* for *tomorrow*, and watch how different the two states are, word by word.


# %% id="trained-reach"
def word_reach(network):
    """Gradient of the loss of word 25 by distance, mean of 300 sentences: (25,)."""
    cuts = torch.stack([ids[:26] for ids in test if len(ids) > 26][:300])
    embedded = network.embed(cuts[:, :-1]).detach().requires_grad_()
    logits = network.output(network.rnn(embedded)[0][:, -1])
    loss = F.cross_entropy(logits, cuts[:, -1], reduction="sum")
    norms = torch.autograd.grad(loss, embedded)[0].norm(dim=2).mean(0).flip(0)
    return norms / norms[0]


@torch.no_grad()
def difference_after_swap(network):
    """How different the states are, relative to their size, after a swapped word."""
    yesterday, tomorrow = (vocabulary.index[word] for word in ("yesterday", "tomorrow"))
    about = [ids for ids in test if ids[1] == yesterday and len(ids) > 20]
    one = torch.stack([ids[:20] for ids in about])
    other = one.clone()
    other[:, 1] = tomorrow
    one, other = network(one)[0], network(other)[0]
    return ((one - other).norm(dim=2) / one.norm(dim=2)).mean(0)[1:]


# %% id="trained-numbers"
stages = {"before training": untrained, "after training": model}
backward = {name: word_reach(stage) for name, stage in stages.items()}
forward = {name: difference_after_swap(stage) for name, stage in stages.items()}
radii = {
    name: torch.linalg.eigvals(stage.rnn.weight_hh_l0.detach()).abs().max()
    for name, stage in stages.items()
}
print("                 gradient 20 words back   swap, 12 words later   radius")
for name in stages:
    numbers = f"≈{backward[name][20]:.0e}                ≈{forward[name][12]:.4f}"
    print(f"{name:16}            {numbers}    ≈{radii[name]:.2f}")
gain = backward["after training"][20] / backward["before training"][20]
print(f"as much gradient as before: ≈{gain:.0f} times")

# %% id="trained-check" tags=["check"]
# checks what the text says
check_range(backward["before training"][20], 1e-8, 1e-4)
check_range(backward["after training"][20], 1e-4, 5e-2)
check_range(forward["before training"][12], 1e-5, 5e-3)
check_range(forward["after training"][12], 1e-3, 1e-1)
check_range(radii["before training"], 0.5, 0.8)
check_range(radii["after training"], 1.3, 6)
check_range(gain, 50, 1e5)

# %% id="trained-figure" tags=["hide-input"]
# draws the figure
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
# by more than seven powers of ten over 24 words, after training by two and a half. Right, the
# difference of the states after the first word was exchanged: both lines fall by a nearly constant
# factor per word, the trained network's far more slowly.
#
# </details>

# %% [markdown] id="trained-read"
# Training does lengthen the memory: the spectral radius rises far above 1 (and nothing explodes:
# the brake again), and from twenty words away many times as much gradient arrives. It is still not
# enough, as 01 has shown. What the state loses going forward and what the gradient loses going
# backward are, for small differences, the same product of the same matrices, read from its two
# ends. This is the vicious circle of the plain recurrent network: to learn to keep a word it needs
# a gradient from far away, and there is one only if the word is kept. (One run of one model.)

# %% [markdown] id="wait-text"
# ## A task that needs nothing but memory
#
# Is it memory that fails? Here is a task that needs nothing else: a first symbol, one of eight;
# then $T$ random other symbols; then the question which was the first. The networks differ only in
# the initialization of $W_{hh}$; each has ten seeds, and guessing is right in one of eight. Up to
# which $T$, of 5, 10, 20 and 40, does torch's default learn the task with every seed?

# %% id="predict-wait"
predict("01b.wait", ...)  # 0, 5, 10, 20 or 40


# %% id="wait"
def strings(count, wait):
    """Symbols (count, 1 + wait), and the first of each, which is asked for."""
    first = torch.randint(8, (count, 1))
    noise = torch.randint(8, 16, (count, wait))
    return torch.cat([first, noise], dim=1), first[:, 0]


def remembers(fill, wait, seed, updates=200, rate=0.01, **options):
    """Share of right answers on 500 new strings after training; ``fill`` fills W_hh."""
    seed_everything(seed)
    embed, rnn = nn.Embedding(16, 16), nn.RNN(16, 32, batch_first=True, **options)
    output = nn.Linear(32, 8)
    fill(rnn.weight_hh_l0.data)
    parameters = nn.ModuleList([embed, rnn, output]).parameters()
    optimizer = torch.optim.Adam(parameters, lr=rate)
    for _ in range(updates):
        symbols, asked = strings(32, wait)
        loss = F.cross_entropy(output(rnn(embed(symbols))[1][0]), asked)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        symbols, asked = strings(500, wait)
        answered = output(rnn(embed(symbols))[1][0]).argmax(1)
        return (answered == asked).double().mean().item()


# %% id="wait-figure" tags=["hide-input"]
# draws the figure
def draw_wait():
    """Right answers against the symbols in between."""
    fig, ax = plt.subplots(figsize=(7.5, 4))
    for shift, (kind, of_seeds) in enumerate(answers.items()):
        beside = 0.28 * (shift - 1) + 0.024 * torch.arange(-4.5, 5).unsqueeze(1)
        look = {"color": figures.PALETTE[[0, 2, 3][shift]], "marker": "os^"[shift], "s": 40}
        ax.scatter(torch.arange(4) + beside, of_seeds, label=kind, alpha=0.7, **look)
    ax.axhline(12.5, linestyle="--", color="#555555")
    ax.text(0.5, 15, "guessing", ha="center", color="#555555")
    ax.set_xticks(range(4), waits)
    ax.set(title="Which was the first symbol? (ten seeds each)", ylim=(0, 105))
    ax.set(xlabel="symbols in between, T", ylabel="right answers (%)")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    plt.show()

# %% id="wait-numbers"
waits, answers = [5, 10, 20, 40], {}
for kind in ("torch's default", "orthogonal", "orthogonal × 1.5"):
    fill, of_seeds = INITIALIZATIONS[kind], []
    for seed in range(4, 14):
        of_seeds.append([100 * remembers(fill, T, seed) for T in waits])
    answers[kind] = torch.tensor(of_seeds)
lowest = answers["torch's default"].min(0).values
with reveal("01b.wait", max(T for T, value in zip(waits, lowest) if value > 90)):
    print("right answers in %, mean of ten seeds (in brackets: seeds above 90 %)")
    print(" " * 18 + "".join(f"      T = {T:2}" for T in waits))
    for kind, of_seeds in answers.items():
        means, learned = of_seeds.mean(0), (of_seeds > 90).sum(0)
        print(f"{kind:18}", *[f"≈{mean:4.0f} (≈{n:2})" for mean, n in zip(means, learned)])
    draw_wait()

# %% [markdown] id="wait-alt"
# <details><summary>The figure in words</summary>
#
# Right answers in percent against 5, 10, 20 and 40 symbols in between, ten points for each of
# three initializations. At 5 all points are at 100. At 10 the points of torch's default lie
# anywhere from 25 to 100, nearly all of orthogonal and all of orthogonal × 1.5 are at 100. At 20
# the points of all three scatter from the dashed line of guessing to 100. At 40 torch's default
# and orthogonal are at the line, and some of orthogonal × 1.5 lie clearly above it, up to 75.
#
# </details>

# %% id="wait-check" tags=["check"]
# checks what the text says
limits = {
    "torch's default": ((97, 100), (30, 85), (15, 65), (5, 20)),
    "orthogonal": ((97, 100), (80, 100), (25, 85), (5, 22)),
    "orthogonal × 1.5": ((97, 100), (92, 100), (25, 85), (17, 60)),
}
for kind, bands in limits.items():
    for value, band in zip(answers[kind].mean(0), bands):
        check_range(value, *band)
at_ten = {kind: of_seeds[:, 1] for kind, of_seeds in answers.items()}
assert at_ten["orthogonal × 1.5"].mean() > at_ten["torch's default"].mean() + 15
assert at_ten["torch's default"].min() < 90

# %% [markdown] id="wait-read"
# <details><summary>What it says</summary>
#
# Five steps are easy for all. At ten, the initialization of one matrix decides: torch's default
# fails with about half of the seeds, the two orthogonal ones hardly ever, as their reach lets one
# expect. At twenty the seeds differ more than the matrices. At forty only *orthogonal × 1.5* does
# better than guessing, with some of its seeds, though a state of 32 units has ample room for one
# symbol of eight. It is not that such a network *cannot* hold the symbol. It is hardly ever taught
# to.
#
# **You will often read that** plain recurrent networks cannot, in practice, learn long-term
# dependencies (on Christopher Olah's [page on
# LSTMs](https://colah.github.io/posts/2015-08-Understanding-LSTMs/), for one). As they are usually
# initialized and trained, they hardly do. How fast the first words fade is a property of a matrix
# and of the tanh.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# Ten seeds each. The learning rate is 0.01, the one of four (0.001, 0.003, 0.01, 0.03) with which
# each of the three did best, or within a hair of it, on seeds 1 to 3, which are not counted here.
# It matters: at 0.003 torch's default does not get beyond guessing at ten in any of those three,
# and one would conclude more than is true.
#
# </details>

# %% [markdown] id="clip-text"
# ## When gradients explode: clipping
#
# The other case is rarer and easier to notice. A recurrent network is one function applied many
# times; where it tips from one resting state to another, the loss has a wall. Here is a network of
# one unit, $h_t = \tanh(1.5\, h_{t-1} + b)$, with the initial state $h_0 = 1$ and the loss
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


b = torch.linspace(-0.45, 0.15, 4001, dtype=torch.float64)
for steps in (5, 15, 50):
    slopes = slope(b, steps).abs()
    at = b[slopes.argmax()]
    print(f"T = {steps:2}: the steepest slope is {slopes.max():8,.1f}, at b = {at:.2f}")

# %% id="cliff-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 2, figsize=(10, 3.9))
for steps, style, color in zip((5, 15, 50), (":", "--", "-"), figures.PALETTE):
    axes[0].plot(b, cliff(b, steps), style, color=color, label=f"T = {steps}")
    axes[1].plot(b, slope(b, steps).abs(), style, color=color, label=f"T = {steps}")
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
# Right, the size of the slope on a logarithmic axis: at the drop it rises to about a hundred for 15
# steps and beyond a thousand for 50.
#
# </details>

# %% [markdown] id="cliff-read"
# A step of gradient descent that begins *on* the wall is as long as the slope is large: it throws
# away everything that was learned. The cure is blunt and good ([Pascanu, Mikolov and Bengio
# 2013](D_papers.ipynb#cell-id=pascanu-2013)). The gradient's *direction* is fine, its *length* is
# not. So if the whole gradient, over *all* **parameters** (all that training changes) together, is
# longer than a threshold $\theta$, shorten it to $\theta$ (**gradient clipping**):
#
# $$g \leftarrow g \cdot \min\!\left(1, \frac{\theta}{\lVert g \rVert}\right)$$

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
import math


@exercise
def clip_by_norm(gradients, max_norm):
    """(gradients scaled to a joint norm of at most max_norm, the joint norm before)."""
    raise NotImplementedError


# %% [markdown] id="clip-step-text"
# ### One step from the wall
#
# Take one step of gradient descent from the wall, with a learning rate of 0.01. The plot above is
# 0.6 wide.

# %% id="clip-step"
on_the_wall = torch.tensor(-0.2139, dtype=torch.float64)
raw = slope(on_the_wall)
(clipped,), norm_before = clip_by_norm([raw], max_norm=1.0)
for name, gradient in (("as it is", raw), ("clipped", clipped)):
    landed = on_the_wall - 0.01 * gradient
    after = f"{abs(slope(landed)):.2f}" if abs(slope(landed)) > 1e-12 else "0: stuck"
    print(f"{name:8}: b moves by {abs(landed - on_the_wall):6.2f}, slope there {after}")

# %% [markdown] id="clip-kinds-read"
# Unclipped, the step leaps far out of the plot, to where the unit is saturated and the slope is
# zero: no gradient ever leads back. Clipped, it moves by a hundredth and can go on.
# `nn.utils.clip_grad_norm_` does what you have written, and returns the norm from before, as yours
# does. Write it down in every training: it tells how near to a wall you are.
#
# <details><summary>Other things that are called clipping</summary>
#
# Only the kind above keeps the direction. If each *number* is clipped at 1
# (`nn.utils.clip_grad_value_`), the gradient (30, 40) becomes (1, 1), which points elsewhere. If
# each *parameter's* gradient is clipped for itself, (30, 40) is shortened fifty times and (0.3,
# −0.4) beside it is not: the small one has gained weight.
#
# </details>

# %% [markdown] id="clip-runs-text"
# ### Does it matter outside a toy?
#
# Here is the language model of words with plain gradient descent, whose step is as long as the
# gradient says (Adam, used above, rescales it): forty updates, three seeds, a learning rate of 1
# or a large one of 5, with and without clipping at 0.5.


# %% id="clip-runs"
def descend(rate, max_norm, seed, updates=40):
    """Losses and gradient norms of a language model under plain gradient descent."""
    seed_everything(seed)
    learner, losses, norms = NextToken(len(vocabulary), hidden=128), [], []
    for at in range(0, 20 * updates, 20):
        inputs, targets = rows[:, at : at + 20], rows[:, at + 1 : at + 21]
        loss, _ = loss_of(learner, inputs, targets)
        computed = torch.autograd.grad(loss, list(learner.parameters()))
        gradients, norm = clip_by_norm(computed, max_norm)
        with torch.no_grad():
            for parameter, gradient in zip(learner.parameters(), gradients):
                parameter -= rate * gradient
        losses.append(loss.item())
        norms.append(norm)
    return losses, norms


# %% id="clip-numbers"
settings, at_end = {}, {}
print("rate   clipped at   loss at the end   longest gradient   (mean of three seeds)")
for rate, top in ((1, 0.5), (1, math.inf), (5, 0.5), (5, math.inf)):
    settings[rate, top] = [descend(rate, top, seed) for seed in (1, 2, 3)]
    at_end[rate, top] = [sum(losses[-10:]) / 10 for losses, _ in settings[rate, top]]
    end = sum(at_end[rate, top]) / 3
    longest = sum(max(norms) for _, norms in settings[rate, top]) / 3
    print(f"{rate:4}{top:12}    ≈{end:11.1f}       ≈{longest:11,.0f}")

# %% id="clip-check" tags=["check"]
# checks what the text says
assert max(at_end[5, 0.5]) + 1 < min(at_end[5, math.inf])
assert max(at_end[5, 0.5]) < min(at_end[1, 0.5] + at_end[1, math.inf])

# %% id="clip-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True)
for ax, rate in zip(axes, (1, 5)):
    kinds = {"clipped at 0.5": 0.5, "not clipped": math.inf}
    runs = {name: settings[rate, top] for name, top in kinds.items()}
    lines = {name: [losses for losses, _ in kept] for name, kept in runs.items()}
    learning_curves(range(40), lines, title=f"learning rate {rate}", log=True, ax=ax)
axes[0].set_yticks([3, 5, 10, 20, 50], [3, 5, 10, 20, 50])
axes[1].set_ylabel("")
axes[1].get_legend().remove()
fig.suptitle("Plain gradient descent on words (three seeds: mean and range)")
plt.show()

# %% [markdown] id="clip-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two plots of loss on a logarithmic axis over 40 updates. With a learning rate of 1 the clipped and
# the unclipped line both fall from 7 to between 4 and 5, close together. With 5 the clipped line
# falls to about 4, while the unclipped one jumps far above the beginning, comes down unevenly and
# ends above where it began.
#
# </details>

# %% [markdown] id="clip-read"
# With the large rate the unclipped runs are thrown far off, and end no better than they began;
# clipped, the same rate ends lowest of the four settings. With the small rate clipping costs a
# little, because it shortens steps that were not too long. So clipping makes the larger rate
# possible. It does nothing against *vanishing*: a gradient that is too short stays too short.

# %% [markdown] id="open-experiment-text"
# ## Open experiment: remember the first symbol
#
# Twenty random symbols, then the question which was the first. Can you make a plain recurrent
# network learn it with seeds 1, 2 and 3, without a new kind of cell and within 200 updates?
#
# 1. **Change** one thing: `mine` fills the matrix, `options` go to `nn.RNN` (and `rate` to Adam).
# 2. **Predict** the share of right answers for each seed, in writing, before you train.
# 3. **Train**: put 200 in the place of 0. It takes about two seconds.
# 4. **Report** in three sentences: what you changed and why, what you expected, what came.
#
# <details><summary>Ideas that people have had</summary>
#
# The identity as $W_{hh}$ with a ReLU in place of the tanh ([Le, Jaitly and Hinton
# 2015](D_papers.ipynb#cell-id=le-2015)); an orthogonal initialization with another gain ([Saxe,
# McClelland and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014)); a matrix with a spectral radius
# of your choice (divide it by its own, then multiply by yours); short strings first.
#
# </details>
#
# <details><summary>What a good report has</summary>
#
# | | 0 points | 1 point | 2 points |
# |---|---|---|---|
# | one change | several at once | one, but the budget changed with it | one, all else alike |
# | prediction | none | a direction | a number, written before |
# | evidence | one seed | three seeds | three seeds, and another $T$ as well |
# | conclusion | "it works" | what came | what came, what it does not show, what comes next |
#
# </details>

# %% id="open-experiment"
UPDATES, options = 0, {}  # 200 as above; {"nonlinearity": "relu"}, for example


def mine(weight):
    nn.init.orthogonal_(weight, gain=1.5)  # or yours: nn.init.eye_(weight), for example


if UPDATES:
    for seed in (1, 2, 3):
        share = remembers(mine, 20, seed, UPDATES, **options)
        print(seed, f"{100 * share:.0f} % right")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Back-propagation through time adds up one part for every use of a weight, and multiplies by
#   $\mathrm{diag}(1 - h_t^2) W_{hh}$ for each step back.
# - The spectral radius says what many such products do without the nonlinearity; the tanh makes
#   them smaller. With torch's default initialization they vanish.
# - Forgetting forward and vanishing backward are one product, read from its two ends.
# - Clipping by the joint norm keeps the direction. It helps against walls, not against vanishing.
#
# **Left out.** Several layers; networks with rectified units (ReLU) beyond the open experiment.
#
# <details><summary>Papers</summary>
#
# [Werbos 1990](D_papers.ipynb#cell-id=werbos-1990) (back-propagation through time); [Hochreiter
# 1991](D_papers.ipynb#cell-id=hochreiter-1991) and [Bengio, Simard and Frasconi
# 1994](D_papers.ipynb#cell-id=bengio-1994) (vanishing); [Pascanu, Mikolov and Bengio
# 2013](D_papers.ipynb#cell-id=pascanu-2013) (the conditions, the wall, clipping); [Saxe,
# McClelland and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014) (orthogonal initialization).
#
# </details>
#
# **Next.** [Chapter 02](02_lstm.ipynb) gives the state a second line on which things are added,
# not multiplied, and gates that decide what stays. The LSTM was made to cure what you have
# measured here.
