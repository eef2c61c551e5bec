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
# matrix what many steps do to a gradient without a tanh. Clip a gradient without changing its
# direction.
#
# **What you need.** The network of [01](01_rnn.ipynb) and its training loop, matrix products, the
# chain rule.
#
# **Time.** 29 minutes to read, and 47 for the three exercises. It runs for half a minute.
#
# <details><summary>Plan</summary>
#
# This file is a side path: chapter 2 does not need it. With ten minutes to spare, read
# *Back-propagation through time* and *How far does a gradient reach?*
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import math
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="before"
# The network of chapter 1 has learned to continue stories that a grammar wrote, word by word. Where
# a story begins with *Tomorrow*, *will* always occurs; where it begins with *Yesterday*, never. How
# probable is *will* as the next word
#
# - right after *Tomorrow, Minsu* and *Yesterday, Minsu*;
# - a sentence later, after *Tomorrow, Minsu will go to the market. He* and *Yesterday, Minsu went
#   to the market. He*;
# - with *will go* in both, so that only the first word differs?

# %% id="words-train" tags=["hide-input"]
# trains the network of 01 on words
from torch.optim.lr_scheduler import LambdaLR

from attnlib.data import BOS, EOS, WordVocabulary, bundled_directory

path = bundled_directory().parent / "stories" / "train.txt"
told = path.read_text(encoding="utf-8").splitlines()
vocabulary = WordVocabulary.build(told)


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


seed_everything(1)
stream = torch.cat([numbered(told[n]) for n in torch.randperm(len(told)).tolist()])
rows = stream[: len(stream) // 32 * 32].view(32, -1)
model = NextToken(len(vocabulary), hidden=128)
optimizer = torch.optim.Adam(model.parameters(), lr=0.008)
decay = LambdaLR(optimizer, lambda update: 1 - update / 400)
passes = (rows.shape[1] - 1) // 64  # updates in which all is read once
state = None
for update in range(400):
    at = update % passes * 64
    state = state if at else None
    inputs, targets = rows[:, at : at + 64], rows[:, at + 1 : at + 65]
    states, state = model(inputs, state)
    loss = F.cross_entropy(model.output(states).transpose(1, 2), targets)
    state = state.detach()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    decay.step()
print(f"trained: {len(vocabulary):,} words, 128 units;", end=" ")
print(f"perplexity at the end ≈{loss.exp():.1f}")


# %% id="will-numbers" tags=["hide-input"]
# asks for the next word after stories of yesterday and of tomorrow
@torch.no_grad()
def p_will(texts):
    """The mean probability of "will" after the texts."""
    answers = []
    for sentence in texts:
        heard = numbered(sentence)[:-1]  # all but the end mark
        states, _ = model(heard.unsqueeze(0))
        p = model.output(states[0, -1]).softmax(-1)
        answers.append(p[vocabulary.index["will"]].item())
    return sum(answers) / len(answers)


people = {"Minsu": "He", "Jiho": "He", "Junho": "He"}
people |= {"Sora": "She", "Yuna": "She", "Eunji": "She"}
past = ["went to the market", "met a friend at the theater and watched a movie"]
past += ["went to the library with Sujin and borrowed three books"]
future = ["will go to the market"]
future += ["will meet a friend at the theater and watch a movie"]
future += ["will go to the library with Sujin and borrow three books"]


def stories(first, clauses):
    told_so_far = []
    for name, pronoun in people.items():
        for clause in clauses:
            told_so_far.append(f"{first}, {name} {clause}. {pronoun}")
    return told_so_far


begun = ("Tomorrow", "Yesterday")
at_once = [p_will([f"{first}, {name}" for name in people]) for first in begun]
later = [p_will(stories("Tomorrow", future)), p_will(stories("Yesterday", past))]
swapped = [later[0], p_will(stories("Yesterday", future))]
asked = {"at once": at_once, "a sentence later": later}
asked["only the first word differs"] = swapped
print("probability of “will” after Tomorrow   Yesterday   factor")
for name, (tomorrow, yesterday) in asked.items():
    factor = tomorrow / yesterday
    print(f"{name:30}≈{tomorrow:.3f}     ≈{yesterday:.3f}      ≈{factor:.3g}")

# %% [markdown] id="will-read"
# Right after the name, the network knows the first word. One sentence later, neither that word nor
# the verb makes much difference, though one bit would be enough. It has seen few stories of
# *Tomorrow*. There is another obstacle, the subject of this page: what teaches a network to keep a
# word is a gradient that comes back from where the word is needed. As torch initializes the
# network, about half of it, or more, is lost *at every step*.
#
# <details><summary>How sure?</summary>
#
# Means over six names and three sentences, but one seed. Two more seeds forget as well, and so does
# a network whose matrix lets gradients reach far (the last one below; tried, not recorded):
# the few examples may be reason enough. The waiting task below never runs out of examples, and
# [chapter 2](02_lstm.ipynb) trains ten seeds on stories of yesterday and tomorrow alone.
#
# </details>

# %% [markdown] id="bptt-text"
# ## Back-propagation through time
#
# How does a loss at the end reach the first word? Written out, the network is a deep one: a layer
# for each word, with the same weights in all. The chain rule goes through it backward:
# **back-propagation through time** (BPTT, 시간 역전파; [Werbos
# 1990](D_papers.ipynb#cell-id=werbos-1990)). We do it by hand, for three steps, a state of one
# number and a target $y$:
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
# Now backward. Write $g_t$ for $\partial L / \partial h_t$. The tanh multiplies it by its slope,
# $1 - h_t^2$, which gives $a_t$, the gradient at the pre-activation (the argument of the tanh).
# From there it goes to $w$ (times $h_{t-1}$, which $w$ was multiplied by), to $u$ and to the state
# before:
#
# $$a_t = g_t\,(1 - h_t^2), \qquad
# \frac{\partial L}{\partial w} \mathrel{+}= a_t\, h_{t-1}, \qquad
# \frac{\partial L}{\partial u} \mathrel{+}= a_t\, x_t, \qquad
# g_{t-1} = w\, a_t$$
#
# The $\mathrel{+}=$ is the "through time": $w$ was used three times, and every use adds its part.
# At which step is the part of $w$ exactly zero?

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
ax.set_title("Figure 1. Back-propagation through three steps", fontsize=12)
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
loss = 0.5 * (reached - y) ** 2
loss.backward()
torch.testing.assert_close(torch.tensor(sum(parts_w)), w_.grad)
torch.testing.assert_close(torch.tensor(sum(parts_u)), u_.grad)
print(f"dL/dw: by hand {sum(parts_w):.4f}, by autograd {w_.grad:.4f}")
print(f"dL/du: by hand {sum(parts_u):.4f}, by autograd {u_.grad:.4f}")

# %% [markdown] id="bptt-read"
# The part of step 1 is zero because $h_0$ is zero. Along the red arrows of Figure 1, each step back
# multiplies the gradient by $w(1 - h_t^2)$, here by less than one: three steps cost more than half.
#
# With vectors, the slope is an element-wise factor ($\odot$), and the path back multiplies by the
# **transpose** (전치) of $W_{hh}$, rows and columns exchanged. A loss that depends on *every*
# state, as a language model's does, adds a term:
#
# $$a_t = g_t \odot (1 - h_t^2), \qquad g_{t-1} = W_{hh}^\top a_t + \left(\text{the gradient that }
# h_{t-1} \text{ gets directly from } L\right).$$

# %% [markdown] id="faded-text"
# ### The same kind of problem, half done
#
# Here is the skeleton of the next exercise, for one number and without a tanh:
# $h_t = w\,h_{t-1} + x_t$, the loss is $h_3$, $w = 0.5$, and the inputs are 2, 4, 6. One line is
# yours: what reaches the state before?

# %% id="faded"
line_w, line_h = 0.5, [0.0, 2.0, 5.0, 8.5]
arrives, collected = 1.0, 0.0  # dL/dh_3, and what w has received so far
for t in (3, 2, 1):
    collected += arrives * line_h[t - 1]  # w was multiplied by the state before
    arrives = arrives  # yours: what the step back does to the gradient
print("dL/dw:", collected, "✓" if collected == 6 else "(it should be 6: correct the marked line)")

# %% [markdown] id="ex-bptt-text"
# ### Exercise 1.5 · Back-propagation through time
# *Hard, 25 minutes.* Without autograd, return the gradients for $W_{ih}$ (H, E), $W_{hh}$ (H, H)
# and $b$ (H,) of $h_t = \tanh(W_{ih} x_t + W_{hh} h_{t-1} + b)$, as a tuple. You get `inputs` (T,
# E), $x_1 \dots x_T$; `states` (T+1, H), $h_0 \dots h_T$; `grad_states` (T, H), what
# $h_1 \dots h_T$ get directly from the loss; and `weight_hh`.
#
# <details><summary>Hint 1</summary>
#
# Go from t = T down to 1 with a vector `carried`, zeros at first: what comes back from later steps.
# The gradient at h_t is `carried` plus the direct one. Mind the numbering: h_t is `states[t]`, its
# x_t is `inputs[t - 1]`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `a = (carried + direct) * (1 - states[t] ** 2)`. The part of a weight matrix is an outer product:
# its rows belong to a, its columns to the vector that the matrix was multiplied by.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The half-done loop with vectors: three sums instead of one (what was each weight multiplied by,
# and what was b multiplied by?), and at the end of each turn the line that you wrote there, with
# the transposed matrix instead of w.
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
# The trained language model reads one of the stories that it learned from.

# %% id="bptt-use"
model.zero_grad()
heard_ids = numbered(told[0])
embedded = model.embed(heard_ids[:-1]).detach()
states, _ = model(heard_ids[:-1].unsqueeze(0))
states.retain_grad()  # the direct gradient of each state
loss = F.cross_entropy(model.output(states[0]), heard_ids[1:])
loss.backward()
h_all = torch.cat([torch.zeros(1, 128), states[0].detach()])
by_bptt = bptt(embedded, h_all, states.grad[0], model.rnn.weight_hh_l0.detach())
for by_hand, name in zip(by_bptt, ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0")):
    by_backward = model.rnn.get_parameter(name).grad
    torch.testing.assert_close(by_hand, by_backward, atol=1e-5, rtol=1e-3)
    apart = (by_hand - by_backward).norm() / by_backward.norm()
    print(f"{name:13} {by_hand.numel():6,} numbers, off by {apart:.3f} of their length")

# %% [markdown] id="reach-text"
# ## How far does a gradient reach?
#
# One step back multiplies the gradient by $W_{hh}^\top \mathrm{diag}(1 - h_t^2)$, the transpose of
#
# $$\frac{\partial h_t}{\partial h_{t-1}} = \mathrm{diag}(1 - h_t^2)\, W_{hh},$$
#
# where $\mathrm{diag}$ puts the slopes on a diagonal. What do many such steps do?
#
# Leave the slopes aside for a moment. If the state is one number, $d$ steps multiply by $w^d$: for
# $|w|$ below 1 the gradient **vanishes** (기울기 소실), above 1 it **explodes** (기울기 폭주). What
# is lost are **long-term dependencies** (장기 의존성), words that depend on others far back
# ([Hochreiter 1991](D_papers.ipynb#cell-id=hochreiter-1991); [Bengio, Simard and Frasconi
# 1994](D_papers.ipynb#cell-id=bengio-1994)).

# %% id="powers"
print(f"to the power of 100: 0.9 gives {0.9**100:.5f}, 1.1 gives {1.1**100:,.0f}")
small = torch.tensor([[0.9, 0.8], [0.0, 0.5]], dtype=torch.float64)
v = torch.ones(2, dtype=torch.float64)
for step in range(1, 13):
    longer = small @ v
    if step in (1, 2, 3, 12):
        print(f"product {step:2}: the vector gets {longer.norm() / v.norm():.2f} times as long")
    v = longer
print("eigenvalues:", [round(x, 2) for x in torch.linalg.eigvals(small).real.tolist()])
print(f"largest singular value: {torch.linalg.svdvals(small)[0]:.2f}")

# %% [markdown] id="powers-read"
# The small matrix above first stretches the vector, then shrinks it by a factor that approaches
# 0.90. That factor is an **eigenvalue** (고윳값) $\lambda$: some vector $v$ is only stretched or
# shrunk, $W v = \lambda v$. The largest absolute value of all eigenvalues is the **spectral
# radius** $\rho$ (스펙트럼 반지름): over $d$ products, for large $d$, lengths grow or shrink like
# $\rho^d$. One product alone can stretch by more, up to the largest **singular value** (특잇값).

# %% [markdown] id="initializations-text"
# How large is $\rho$ when training begins? That depends on the **initialization** (초기화). Torch
# takes evenly spread random numbers between $-1/\sqrt{H}$ and $1/\sqrt{H}$. Another choice is an
# **orthogonal** matrix (직교 행렬), which rotates or reflects a vector and keeps its length.


# %% id="initializations"
def torchs_default(weight):
    bound = 1 / math.sqrt(len(weight))
    return nn.init.uniform_(weight, -bound, bound)


INITIALIZATIONS = {  # each fills a matrix, (H, H)
    "torch's default": torchs_default,
    "normal, 1/√H": lambda weight: nn.init.normal_(weight, 0.0, 1 / math.sqrt(len(weight))),
    "orthogonal": nn.init.orthogonal_,
    "orthogonal × 1.5": lambda weight: nn.init.orthogonal_(weight, gain=1.5),
}


def make_matrix(kind, seed, size=64):
    seed_everything(seed)
    return INITIALIZATIONS[kind](torch.empty(size, size, dtype=torch.float64))


# %% id="radius"
print("mean of 5 matrices  spectral radius   largest singular value")
for kind in INITIALIZATIONS:
    radii, singular = [], []
    for seed in range(5):
        matrix = make_matrix(kind, seed)
        radii.append(torch.linalg.eigvals(matrix).abs().max().item())
        singular.append(torch.linalg.svdvals(matrix).max().item())
    print(f"{kind:18}{sum(radii) / 5:12.2f}{sum(singular) / 5:22.2f}")
print(f"1/√3 = {3**-0.5:.2f}")

# %% [markdown] id="radius-read"
# Torch's default has a spectral radius well below 1, near $1/\sqrt 3$, and yet a largest singular
# value above 1: one product may stretch a vector, but many shrink it.
#
# <details><summary>Why one over the root of three, and what was proved</summary>
#
# The eigenvalues of a large matrix of independent random entries with mean 0 and variance
# $\sigma^2$ nearly fill a disk of radius $\sigma\sqrt{H}$ (the circular law), and numbers spread
# evenly between $\pm 1/\sqrt H$ have variance $1/(3H)$.
#
# [Pascanu, Mikolov and Bengio (2013)](D_papers.ipynb#cell-id=pascanu-2013) proved that with a tanh
# a largest singular value below 1 is enough for vanishing, and one above 1 is necessary, though not
# enough, for exploding.
#
# </details>

# %% [markdown] id="ex-reach-text"
# ### Exercise 1.6 · Gradient reach
# *Core, 12 minutes.* `run(inputs)` turns inputs (T, E) into states (T, H). Take the gradient of the
# sum of the *last* state's numbers with respect to each input. Return its length at the distances d
# = 0, 1, …, T − 1 from the last input, divided by the length at 0: a tensor (T,) that begins with
# 1.
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
# ### Without the tanh and with it
#
# Untrained networks, five for each initialization, read 100 random vectors, without a tanh and with
# it. *Orthogonal × 1.5* has a spectral radius above 1. Does its gradient still explode with the
# tanh?

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


def unchanged(pre_activation):
    return pre_activation


reach = {"without tanh": {}, "with tanh": {}}
for kind in INITIALIZATIONS:
    reach["without tanh"][kind] = measured(kind, unchanged)
    reach["with tanh"][kind] = measured(kind, torch.tanh)

# %% id="reach-numbers" tags=["hide-input"]
# prints the factors and draws the figure
from attnbook.figures import learning_curves

farthest = reach["with tanh"]["orthogonal × 1.5"][:, 80].mean()  # relative to distance 0


def after(steps, name, kind):
    """The share of the gradient that is left, geometric mean of the five networks."""
    return reach[name][kind][:, steps].log().mean().exp()


with reveal("01b.explode", "yes" if farthest > 1 else "no"):
    print("factor per step     without tanh   with tanh   left after 20 steps, with tanh")
    for kind in INITIALIZATIONS:
        row = f"{kind:18}"
        for name in reach:
            per_step = (after(60, name, kind) / after(20, name, kind)) ** (1 / 40)
            row += f"{per_step:13.2f}"
        print(f"{row}{after(20, 'with tanh', kind):18.0e}")
    fig, axes = plt.subplots(1, 2, figsize=(10, 4.4))
    for ax, (name, curves) in zip(axes, reach.items()):
        drawn_curves = {kind: curve[:, :81] for kind, curve in curves.items()}
        learning_curves(range(81), drawn_curves, title=name, log=True, ax=ax)
        ax.set(xlabel="distance d (steps)", ylabel="gradient relative to d = 0")
        ax.legend(frameon=False, loc="lower left" if name == "with tanh" else "upper left")
    fig.suptitle("Figure 2. How far a gradient reaches in an untrained network")
    plt.show()

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
# Without the tanh, the factor per step (measured from distance 20 to 60) is the spectral radius,
# within about a hundredth. With the tanh, the slopes $1 - h_t^2$ are multiplied in as well, and
# none of them is above 1. Here torch's default loses more than half of the gradient *at every
# step*: after twenty steps less than a millionth is left. Even the orthogonal matrix, which on its
# own would pass everything on, loses about a quarter per step.
#
# A spectral radius above 1 is often given as the reason for exploding gradients. Textbooks derive
# it *without* the nonlinearity ([Goodfellow, Bengio and Courville, section
# 10.7](https://www.deeplearningbook.org/contents/rnn.html)), and there it is true. *Orthogonal ×
# 1.5* does not explode here: inputs of this size push the state to where the tanh is flat, and the
# two nearly cancel. The tanh is no perfect brake: make the inputs a third as large, or write a
# larger gain into `INITIALIZATIONS`, and see when the gradient grows in spite of it.
#
# </details>

# %% [markdown] id="gradient-view-text"
# ### From “He” back to “Tomorrow”
#
# Three of these networks read our story, with a random vector for each word. The color is
# logarithmic: full for the whole gradient, half for a hundredth, none for a ten-thousandth.

# %% id="gradient-view"
from attnbook.views import gradient_view

beginning = "Tomorrow, Minsu will go to the market. He"
story = [*vocabulary.tokenize(beginning)]
made = torch.Generator().manual_seed(1)
story_vectors = torch.randn(len(story), 64, dtype=torch.float64, generator=made)
arriving = {}
for kind in ("torch's default", "orthogonal", "orthogonal × 1.5"):
    fresh = network(make_matrix(kind, 1), torch.tanh)
    arriving[kind] = gradient_reach(fresh, story_vectors).flip(0)
    print(f"{kind:18}{100 * arriving[kind][0]:8.2g}% of the gradient at “He” reaches “Tomorrow”")
gradient_view(arriving, story, title="From “He” back to “Tomorrow” (log scale)")


# %% id="trained-reach" tags=["hide-input"]
# measures the same in the network of the opening, before and after its training
def word_reach(network_of_words):
    """The share of the gradient at “He” that reaches “Tomorrow”."""
    vectors = network_of_words.embed(numbered(beginning)[:-1]).detach()
    lengths = gradient_reach(lambda x: network_of_words.rnn(x.unsqueeze(0))[0][0], vectors)
    return lengths[len(story) - 1].item()


seed_everything(1)
before_training = word_reach(NextToken(len(vocabulary), hidden=128))
after_training = word_reach(model)
print(f"network of the opening: ≈{100 * before_training:.1f}% before training,", end=" ")
print(f"≈{100 * after_training:.1f}% after it")

# %% [markdown] id="gradient-read"
# Why does a small gradient matter, as long as it is not zero? The parts of all distances are *added
# up* in one gradient of $W_{hh}$. For a loss at the last word, with torch's default, nearly all of
# the sum comes from the last few words.
#
# The same product determines how much of a small change is left in the state later. To learn to
# keep a word, a network needs a gradient from far away, and at first little arrives. In the
# opening's network far more arrives after training, and it has still lost the word.

# %% [markdown] id="truncated-text"
# ### What does it cost to cut the chain?
#
# On a long text the chain is cut every so many steps: the state is handed on, the gradient is not
# (**truncated** BPTT, [Williams and Peng 1990](D_papers.ipynb#cell-id=williams-1990)). The
# opening's training cut every 64 words. Here LSTMs (the cell of chapter 2) read Shakespeare; in the
# row *reset*, the state also begins again at every cut.

# %% id="truncated"
bits = {"every 64, handed on": []}
for run in read_record("01_rates")["runs"]:
    if run["variant"] == "lstm" and run["rate"] == 0.006 and run["seed"] < 4:
        bits["every 64, handed on"].append(run["looks"][-1]["bits"])
for run in read_record("01b_truncation")["runs"]:
    name = f"every {run['cut']}, {run['state']}"  # handed on, or reset
    bits.setdefault(name, []).append(run["bits"])
print("recorded, bits per character of the unread tenth; LSTMs, three seeds")
for name, of_seeds in bits.items():
    print(f"gradient cut {name:22}", *[f"{value:7.3f}" for value in of_seeds])

# %% [markdown] id="truncated-read"
# Three seeds show no clear cost, but this text has little to gain from farther back ([chapter
# 1](01_rnn.ipynb#cell-id=back-read)).
#
# <details><summary>How sure?</summary>
#
# 3,000 updates; the learning rate was chosen with another seed, at a cut of 64.
#
# </details>

# %% [markdown] id="wait-text"
# ## A task that needs nothing but memory
#
# Does it help if the gradient reaches farther from the start? First comes a symbol, one of eight;
# then $T$ random symbols of eight others; at the end, the network must name the first. The networks
# differ only in the initialization of $W_{hh}$.


# %% id="wait" tags=["hide-input"]
# makes the strings, and trains one network on them
def strings(count, wait, generator):
    """Symbols (count, 1 + wait), and the first of each, which is the right answer."""
    first = torch.randint(8, (count, 1), generator=generator)
    noise = torch.randint(8, 16, (count, wait), generator=generator)
    return torch.cat([first, noise], dim=1), first[:, 0]


def remembers(fill, wait, seed, updates=200, rate=0.01, **options):
    """Share of right answers on 500 new strings after training; ``fill`` fills W_hh."""
    generator = seed_everything(seed)
    embed, rnn = nn.Embedding(16, 16), nn.RNN(16, 32, batch_first=True, **options)
    output = nn.Linear(32, 8)
    fill(rnn.weight_hh_l0.data)
    parameters = nn.ModuleList([embed, rnn, output]).parameters()
    optimizer = torch.optim.Adam(parameters, lr=rate)
    for _ in range(updates):
        symbols, right = strings(32, wait, generator)
        loss = F.cross_entropy(output(rnn(embed(symbols))[1][0]), right)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        symbols, right = strings(500, wait, torch.Generator().manual_seed(99))
        answered = output(rnn(embed(symbols))[1][0]).argmax(1)
        return (answered == right).double().mean().item()


for kind in ("torch's default", "orthogonal × 1.5"):
    share = 100 * remembers(INITIALIZATIONS[kind], wait=10, seed=5)
    print(f"{kind:18}T = 10, seed 5: ≈{share:.0f}% right")

# %% id="wait-numbers"
record = read_record("01b_waiting")


def solved(kind, T, updates):
    """How many of ten seeds give more than 90% right answers after so many updates."""
    n = record["updates"].index(updates)
    of_kind = [run for run in record["runs"] if run["variant"] == kind]
    return sum(run["right"][n] > 0.9 for run in of_kind if run["length"] == T)


print("recorded: how many of ten seeds give more than 90% right answers")
print("initialization    updates   T = 10   T = 20   T = 40")
for kind in ("torch's default", "orthogonal", "orthogonal × 1.5"):
    for updates in (200, 2000):
        counts = [solved(kind, T, updates) for T in (10, 20, 40)]
        print(f"{kind:18}{updates:5,}  " + "".join(f"{count:8}" for count in counts))

# %% [markdown] id="wait-read"
# At ten steps, at this learning rate, the initialization makes the difference: torch's default
# solves the task in less than half of the seeds, *orthogonal × 1.5* in all, and ten times the
# updates do not change that. At twenty, ten seeds cannot rule out luck; at forty none has solved
# the task.
#
# <details><summary>How sure?</summary>
#
# Guessing is right in one of eight cases. The rate never falls, and no gradient is clipped: with a
# lower, falling rate and clipping, some of the failing seeds can succeed (tried once, not
# recorded). So at ten steps torch's matrix makes the task harder, not impossible. The learning
# rate, 0.01, is the one of four (0.001, 0.003, 0.01, 0.03) with which each of the three did best,
# or almost, after 200 updates on seeds 1 to 3, which are not counted here. At twenty steps some
# networks get worse again, and at forty they were still learning.
#
# </details>

# %% [markdown] id="clip-text"
# ## When gradients explode: clipping
#
# Where a function that is applied many times tips from one fixed point (a state that it leaves
# unchanged) to another, the loss has a wall. Here is a network of one unit,
# $h_t = \tanh(1.5\, h_{t-1} + b)$, with $h_0 = 1$ and the loss $(h_T - \tfrac12)^2$.


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
fig.suptitle("Figure 3. One unit, applied T times")
plt.show()

# %% [markdown] id="cliff-alt"
# <details><summary>The figure in words</summary>
#
# Two plots against the bias b, for 5, 15 and 50 steps. Left, the loss is high on the left side and
# low on the right for 15 and 50 steps; with 50 it drops all at once at about −0.21, with 15
# somewhat less steeply at about −0.26; with 5 its slope is gentler, and steepest at the left edge.
# Right, the size of the slope on a logarithmic axis: at the drop it rises to about a hundred for 15
# steps and above a thousand for 50.
#
# </details>

# %% [markdown] id="cliff-read"
# A step of gradient descent that begins *on* the wall is far too long and can throw away what was
# learned ([Pascanu, Mikolov and Bengio 2013](D_papers.ipynb#cell-id=pascanu-2013)). Its *direction*
# points downhill; its *length* means nothing. So put the gradients of *all* **parameters**
# (파라미터, all numbers that training changes) into one vector $g$, and if it is longer than a
# threshold $\theta$, shorten it to $\theta$ (**gradient clipping**, 기울기 클리핑):
#
# $$g \leftarrow g \cdot \min\!\left(1, \frac{\theta}{\lVert g \rVert}\right)$$

# %% [markdown] id="ex-clip-text"
# ### Exercise 1.7 · Clip by norm
# *Core, 10 minutes.* Return a tuple: the list of clipped gradients, and their joint norm *before*
# clipping (a number). `gradients` is a list of tensors of any shapes, one for each parameter.
# Leave them as they are. A gradient of zeros stays zeros.
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
# Here is one step of gradient descent, at a learning rate of 0.01.

# %% id="clip-step"
on_the_wall = torch.tensor(-0.2139, dtype=torch.float64)
raw = slope(on_the_wall)
(clipped,), norm_before = clip_by_norm([raw], max_norm=1.0)
for name, gradient in (("as it is", raw), ("clipped", clipped)):
    landed = on_the_wall - 0.01 * gradient
    moved = abs(landed - on_the_wall)
    print(f"{name:8}: b moves by {moved:6.2f}, size of the slope there {abs(slope(landed)):.2f}")

# %% [markdown] id="clip-kinds-read"
# Unclipped, the step leaps far out of figure 3, to where the slope is zero and no gradient leads
# back. Clipped, it moves by a hundredth and can continue. Against *vanishing*, clipping does
# nothing. `nn.utils.clip_grad_norm_` does the same as your function.
#
# <details><summary>Other things that are called clipping</summary>
#
# Only the kind above keeps the direction. If each *number* is clipped at 1
# (`nn.utils.clip_grad_value_`), the gradient (30, 40) becomes (1, 1), which points elsewhere. If
# each *parameter's* gradient is clipped separately, (30, 40) is shortened fifty times and (0.3,
# −0.4) next to it is not: the small one has gained weight.
#
# </details>

# %% [markdown] id="open-experiment-text"
# ## Open experiment: remember the first symbol
#
# Can a plain recurrent network remember the first symbol for $T = 20$ with seeds 1, 2 and 3, within
# 200 updates? **Change** one thing: `mine` fills the matrix, `options` go to `nn.RNN` (and `rate`
# to Adam). **Predict** the share of right answers. **Train**: replace 0 by 200. **Report** what you
# changed and what happened.
#
# <details><summary>Ideas that people have had</summary>
#
# The identity as $W_{hh}$ with a ReLU instead of the tanh ([Le, Jaitly and Hinton
# 2015](D_papers.ipynb#cell-id=le-2015)); an orthogonal initialization with another gain ([Saxe,
# McClelland and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014)); a matrix with a spectral radius
# of your choice (divide it by its own, then multiply by yours); short strings first.
#
# </details>

# %% id="open-experiment"
UPDATES, options = 0, {}  # 200 as above; {"nonlinearity": "relu"}, for example


def mine(weight):
    nn.init.orthogonal_(weight, gain=1.5)  # or yours: nn.init.eye_(weight), for example


if UPDATES:
    for seed in (1, 2, 3):
        share = remembers(mine, 20, seed, UPDATES, **options)
        print(seed, f"{100 * share:.0f}% right")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Back-propagation through time adds up one part for every use of a weight, and multiplies by
#   $\mathrm{diag}(1 - h_t^2) W_{hh}$ for each step back.
# - The spectral radius determines what many such products do; the tanh makes them smaller. With
#   torch's default initialization, gradients vanish before training.
# - A cut in the chain stops the gradient, not the state that is passed on.
# - Clipping by the joint norm helps against walls, not against vanishing.
#
# <details><summary>Left out, and papers</summary>
#
# Left out: several layers; networks with rectified units (ReLU) beyond the open experiment.
#
# [Werbos 1990](D_papers.ipynb#cell-id=werbos-1990) (back-propagation through time); [Hochreiter
# 1991](D_papers.ipynb#cell-id=hochreiter-1991) and [Bengio, Simard and Frasconi
# 1994](D_papers.ipynb#cell-id=bengio-1994) (vanishing); [Pascanu, Mikolov and Bengio
# 2013](D_papers.ipynb#cell-id=pascanu-2013) (the conditions, the wall, clipping); [Saxe,
# McClelland and Ganguli 2014](D_papers.ipynb#cell-id=saxe-2014) (orthogonal initialization).
#
# </details>
#
# **Next.** [Chapter 2](02_lstm.ipynb) gives the network a second line on which things are added
# instead of multiplied, and gates that decide what stays.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
check_range(at_once[0] / at_once[1], 10, 1e6)
check_range(later[0] / later[1], 0.5, 2)
for first in begun:
    texts = [text for text in told if text.startswith(f"{first},")]
    assert all((" will " in text) == (first == "Tomorrow") for text in texts)
check_range(swapped[0] / swapped[1], 0.8, 1.3)
assert at_once[0] / at_once[1] > 1.3 * later[0] / later[1]

# From “He” back to “Tomorrow”
check_range(before_training, 0.0005, 0.005)
check_range(after_training, 0.02, 0.3)
