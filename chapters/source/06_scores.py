# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 06 · Scores: dot, general, concat
#
# *How should a query be compared with a key?*
#
# **What you will be able to do.** Write the usual scores from memory, say what each can express and
# what it costs, and decide when to divide by √H.
#
# **What you need.** Scores → weights → context, the translator and the alignment error rate (AER)
# of chapter 5; saturation (chapter 4).
#
# **Time.** 26 minutes to read, 35 for exercises 6.1 and 6.2; the notebook runs in one to two
# minutes.

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
generator = seed_everything(6)

# %% id="first"
from attnbook.figures import scores_diagram
from attnlib.model import make_attention

KINDS = ("dot", "scaled_dot", "general", "concat", "additive")
modules = {kind: make_attention(kind, 128, 128, 64) for kind in KINDS}
scores_diagram(modules)

# %% [markdown] id="first-read"
# **Figure 1.** For every pair of a query $s_t$ and a key $h_j$, attention asks how well the two
# match. The answer is one number, the **score** $e_{tj}$ (스코어), and here are the five usual ways
# to compute it. "×, Σ" is a **dot product** (내적): an element-wise product, summed. The last line
# counts what is learned, for vectors of 128 numbers and a tanh of 64 units.

# %% [markdown] id="five"
# ## Five ways from two vectors to one number
#
# | score | $e_{tj}$ | what is learned | from |
# |---|---|---|---|
# | **dot** | $s_t^\top h_j$ | nothing | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# | **scaled dot** | $s_t^\top h_j / \sqrt{H}$ | nothing | [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) |
# | **general** | $s_t^\top W_a h_j$ | $W_a$ | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# | **concat** | $v_a^\top \tanh(W_a [s_t ; h_j])$ | $W_a, v_a$ | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# | **additive** | $v_a^\top \tanh(W_a s_t + U_a h_j)$ | $W_a, U_a, v_a$ | [Bahdanau et al. 2015](D_papers.ipynb#cell-id=bahdanau-2015) |
#
# $[s_t ; h_j]$ is one vector after the other, $H$ is the size of the vectors, and $A$ the number of
# units inside the tanh. The first three are also called **multiplicative**. Here are four of the
# five, by hand, on one query and three two-dimensional keys:

# %% id="hand-numbers"
s = torch.tensor([1.0, 2.0])  # the query s_t
h = torch.tensor([[2.0, -0.5], [0.0, 1.0], [1.0, 1.0]])  # the keys h_1, h_2, h_3
W = torch.tensor([[0.0, 1.0], [1.0, 0.0]])  # W_a of general: exchanges the two numbers
W_concat = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]])  # on [s ; h]
v = torch.tensor([-3.0, 1.0])  # v_a


def dot_product(a, b):
    return sum(float(x) * float(y) for x, y in zip(a, b))


# %% id="hand"
import math


def by_hand(key):
    """Four scores of the query s and one key."""
    mapped = [dot_product(row, key) for row in W]  # W_a h
    hidden = [math.tanh(dot_product(row, [*s, *key])) for row in W_concat]
    return {
        "dot": dot_product(s, key),
        "scaled_dot": dot_product(s, key) / math.sqrt(2),
        "general": dot_product(s, mapped),
        "concat": dot_product(v, hidden),
    }


hand = {}
for kind in ("dot", "scaled_dot", "general", "concat"):
    hand[kind] = [by_hand(key)[kind] for key in h]
print("scores of         h_1    h_2    h_3      weights")
for kind, scores in hand.items():
    line = f"  {kind:12}"
    for score in scores:
        line += f" {score:6.2f}"
    line += "   "
    for weight in torch.tensor(scores).softmax(-1):
        line += f" {weight:5.2f}"
    print(line)

# %% [markdown] id="hand-read"
# Dot prefers $h_3$, general $h_1$, concat $h_2$; scaled dot ranks the keys like dot, with more even
# weights. None of them is right yet: the score fixes the formula, training fills in the numbers.
#
# In Figure 2 the query stays, the key is every point of the plane in turn, and the point's color is
# its score. White lines join keys of equal score: dashed below 0, thick at 0.

# %% id="plane" tags=["hide-input"]
# draws Figure 2
def level_map(ax, score, query, title, mark=60):
    """Color the plane of keys by their score, light = high, with lines of equal score."""
    ends = torch.linspace(-2.4, 2.4, 61)
    points = torch.cartesian_prod(ends, ends)
    with torch.no_grad():
        level = score(query.expand(1, -1), points.unsqueeze(0)).view(61, 61).T
    colors = ax.contourf(ends, ends, level, 12, cmap="cividis")
    ax.contour(ends, ends, level, 12, colors="white", linewidths=0.7)  # dashed below 0
    ax.contour(ends, ends, level, [0.0], colors="white", linewidths=2.2)
    bar = ax.figure.colorbar(colors, ax=ax, orientation="horizontal", shrink=0.9)
    bar.locator = plt.MaxNLocator(4)
    bar.update_ticks()
    bar.set_label("score")
    look = {"color": figures.PALETTE[1], "edgecolor": "white", "zorder": 2.5}
    ax.scatter(*query[:2], marker="D", s=mark, **look)
    ax.set(title=title, aspect="equal", xlabel="first number of the key")
    ax.set_xticks(range(-2, 3))
    ax.set_yticks(range(-2, 3))


small = {kind: make_attention(kind, 2, 2) for kind in hand}  # the library's, by these numbers
with torch.no_grad():
    small["general"].project.weight.copy_(W)
    small["concat"].weight.copy_(W_concat)
    small["concat"].v.copy_(v)


def scored_by(kind):
    """The scores of a module as a function of queries (N, H) and keys (N, S, H)."""
    module = small[kind]
    return lambda query, keys: module.scores(
        query.unsqueeze(1), module.prepare(keys)
    ).squeeze(1)


fig, axes = plt.subplots(1, 3, figsize=(9.5, 4.6), sharey=True)
for ax, kind in zip(axes, ("dot", "general", "concat")):
    level_map(ax, scored_by(kind), s, kind)
    ax.scatter(*h.T, color="white", edgecolor="black", zorder=3)
    for n, (x, y) in enumerate(h.tolist(), 1):
        place = (6 if x < 2 else -22, -16)  # no label touches the frame
        ax.annotate(
            f"$h_{n}$", (x, y), place, textcoords="offset points", fontsize=10,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
        )
axes[0].set_ylabel("second number of the key")
fig.suptitle("Figure 2. One query (diamond): light where a key would get a high score")
plt.show()

# %% [markdown] id="plane-alt"
# <details><summary>The figure in words</summary>
#
# Three maps of the plane of keys, dark for low scores and light for high ones, each with lines of
# equal score and its own color scale below. Dot: straight parallel lines, the thick line of score 0
# through the center, lightest toward the upper right, the direction of the query. General: straight
# parallel lines as well, lightest toward the right, another direction. Concat: the lines are bent,
# and the map is lightest at the left edge. The three keys are white points.
#
# </details>

# %% [markdown] id="plane-read"
# The score of *dot* rises in the direction of the query. *General* is that picture turned and
# stretched. Both are **linear** in the key: they have one uphill direction, and what rises toward
# $h$ falls toward $-h$. The lines of *concat* are curved.

# %% [markdown] id="dot-text"
# ## Dot: nothing to learn
#
# $s^\top h = \lVert s \rVert\, \lVert h \rVert \cos\varphi$, where $\varphi$ is the angle between
# the two. So length counts: a key three times as long has dot products three times as large, while
# the cosine (chapter 4) stays the same. And both vectors need the same size: the third number of
# the query must mean what the third number of the key means.

# %% [markdown] id="general-text"
# ## General: a matrix in between
#
# The score **general** puts a learned matrix between query and key. This **linear map** (선형 변환)
# carries each key into the space of the queries, so the sizes of the two can differ. It is often
# called a generalized **inner product** (일반화된 내적). But an inner product is symmetric, and the
# product of a nonzero vector with itself is positive. Here is a matrix for which both fail:

# %% id="bilinear"
skew = torch.tensor([[0.0, 1.0], [-2.0, 0.0]])
print("score(s, h_1):", (s @ skew @ h[0]).item())
print("score(h_1, s):", (h[0] @ skew @ s).item())
print("score(s, s):  ", (s @ skew @ s).item())

# %% [markdown] id="bilinear-read"
# The proper name is **bilinear form** (쌍선형 형식), and the freedom is useful: a query looks for
# something *other* than itself.

# %% [markdown] id="transpose-text"
# ### Which transpose does a linear layer keep?
#
# In code $W_a$ is usually a linear layer, and `nn.Linear(n, m)` computes `x @ weight.T` with a
# weight of shape $(m, n)$. Is this $W_a$ or its transpose? That depends on **the side on which the
# layer acts**. Take a query of 3 numbers and keys of 5:

# %% id="transpose"
q = torch.randn(1, 1, 3, generator=generator)
k = torch.randn(1, 4, 5, generator=generator)
layers = {
    "acts on the key": (None, nn.Linear(5, 3, bias=False)),
    "acts on the query": (nn.Linear(3, 5, bias=False), None),
    "one on each side": (nn.Linear(3, 2, bias=False), nn.Linear(5, 2, bias=False)),
}


def shape_of(layer):
    return str(tuple(layer.weight.shape)) if layer else "-"


for name, (on_query, on_key) in layers.items():
    print(f"{name:18} query's weight {shape_of(on_query):7} key's weight {shape_of(on_key)}")

# %% [markdown] id="ex-general-matrix-text"
# ### Exercise 6.1 · Find the matrix in the middle
# *Core, 10 minutes.* Two linear layers, for queries of Hd and keys of He numbers, have the weights
# `from_query` (A, Hd) and `from_key` (A, He). The query goes through the first, the key through the
# second, and the score is the dot product of the results. One of the two may be `None`: no layer
# there. Return the matrix $W_a$ of shape (Hd, He) for which $s^\top W_a h$ is the same score.
#
# <details><summary>Hint 1</summary>
#
# A layer with weight P turns s into P s. Write the score with P s and R h instead of s and h.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# What is the transpose of a product, (P s)ᵀ?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# With both layers, one matrix product of one weight, transposed, and the other. No layer is the
# identity: what remains of that product if either layer is the identity?
#
# </details>


# %% id="ex-general-matrix" tags=["exercise"]
@exercise
def general_matrix(from_query, from_key):
    """W_a (Hd, He) of two layers' weights, (A, Hd) and (A, He); one may be None."""
    raise NotImplementedError


# %% [markdown] id="transpose-check-text"
# ### Three layers, three matrices

# %% id="transpose-check"
for name, (on_query, on_key) in layers.items():
    weight_of_query = on_query.weight if on_query else None
    weight_of_key = on_key.weight if on_key else None
    matrix = general_matrix(weight_of_query, weight_of_key)
    mapped_q = on_query(q) if on_query else q
    mapped_k = on_key(k) if on_key else k
    # the same scores:
    torch.testing.assert_close(q @ matrix @ k.transpose(1, 2), mapped_q @ mapped_k.transpose(1, 2))
    rank = torch.linalg.matrix_rank(matrix)
    print(f"{name:18} W_a has shape {tuple(matrix.shape)}, rank {rank}")

# %% [markdown] id="transpose-read"
# On the key (as in this library), `weight` *is* $W_a$; on the query, it is $W_a^\top$. With $P$ on
# the query and $R$ on the key, as in a Transformer, $W_a = P^\top R$: its **rank**, the number of
# its independent directions, is at most the number of rows of $P$. With square matrices the wrong
# transpose runs without an error, so test with sizes that differ.

# %% [markdown] id="concat-text"
# ## Concat: a small network
#
# Query and key are concatenated; then come a first layer $W_a$, a **nonlinearity** (the tanh), and
# a second layer $v_a$ with a single output. In PyTorch:

# %% id="network"
network = nn.Sequential(
    nn.Linear(4, 2, bias=False), nn.Tanh(), nn.Linear(2, 1, bias=False)
)
with torch.no_grad():
    network[0].weight.copy_(W_concat)  # the first layer is W_a
    network[2].weight.copy_(v.unsqueeze(0))  # the second is v_a as a matrix of one row
    pairs = torch.cat([s.expand(3, 2), h], dim=-1)  # [s ; h_j]: (3, 4)
    print("weight of the last layer:", tuple(network[2].weight.shape))
    of_network = network(pairs).squeeze(-1)
    print("a number for each pair:  ", [round(e, 2) for e in of_network.tolist()])

# %% [markdown] id="network-read"
# The last layer's matrix has one row, so the output is a **scalar** (스칼라), a single number. In a
# translator the network gets no labels for pairs: its only gradient comes from the translated
# words, back through context and softmax.

# %% [markdown] id="split-text"
# ### Concat and additive are one score
#
# Inside the tanh of concat, the left columns of $W_a$ meet only $s$, and the right ones only $h$:
#
# $$W_a [s ; h] = \begin{bmatrix} W_1 & W_2 \end{bmatrix} \begin{bmatrix} s \\ h \end{bmatrix}
# = W_1 s + W_2 h$$
#
# We write concat as it is printed, and give the two halves of its matrix to an additive score:


# %% id="split"
def concat_as_printed(query, keys, weight, v):
    """v^T tanh(W [s ; h]) with every pair [s ; h] written out: (B, T, S)."""
    T, S = query.shape[1], keys.shape[1]
    left = query.unsqueeze(2).expand(-1, -1, S, -1)  # (B, T, S, Hd)
    right = keys.unsqueeze(1).expand(-1, T, -1, -1)  # (B, T, S, He)
    return torch.tanh(torch.cat([left, right], dim=-1) @ weight.T) @ v


concat = make_attention("concat", 3, 5, 4)
additive = make_attention("additive", 3, 5, 4)
with torch.no_grad():
    additive.from_query.weight.copy_(concat.weight[:, :3])  # W_1, for the query
    additive.from_key.weight.copy_(concat.weight[:, 3:])  # W_2, for the key
    additive.v.copy_(concat.v)
    printed = concat_as_printed(q, k, concat.weight, concat.v)
    split = additive.scores(q, additive.prepare(k))
for name, row in (("concat as printed", printed), ("additive, attnlib", split)):
    print(f"{name:18}", [round(e, 4) for e in row[0, 0].tolist()])

# %% [markdown] id="split-read"
# They are equal. If "Luong's concat" and "Bahdanau's attention" differ in a benchmark, the reason
# is something else, such as *when* the decoder attends (chapter 5).

# %% [markdown] id="memory-text"
# ## What they cost
#
# The large part is not the parameters but the numbers *kept* between the forward and backward
# passes. They follow from the shapes. For a batch of 32 sentences, 50 words to 50 words, $H = 128$
# and $A = 64$, by what factor does additive keep more numbers than dot?

# %% id="predict-memory"
predict("06.memory", ...)


# %% id="memory"
def kept_numbers(kind, B=32, T=50, S=50, H=128, A=64):
    """How many numbers a score makes on its way, by the shapes of its tensors."""
    pairs = B * T * S
    on_the_way = {
        "dot": 0,
        "general": B * S * H,  # W_a h_j
        "additive": B * T * A + B * S * A + pairs * A,  # W_a s_t, U_a h_j and their sums
        "concat as printed": pairs * 2 * H + pairs * A,  # [s ; h] is written out for every pair
    }
    return pairs + on_the_way[kind]  # all need the scores themselves


# %% id="memory-numbers"
with reveal("06.memory", kept_numbers("additive") / kept_numbers("dot"), within=15):
    print("50 × 50 words, 4 bytes per number  here    at H = A = 1000, B = 128")
    for kind in ("dot", "general", "additive", "concat as printed"):
        sizes = kept_numbers(kind), kept_numbers(kind, B=128, H=1000, A=1000)
        print(f"{kind:28}", *[f"{count * 4e-6:12,.1f} MB" for count in sizes])

# %% [markdown] id="memory-read"
# <details><summary>What it says</summary>
#
# The right column has the size of Luong's network. Dot keeps $B \cdot T \cdot S$ scores. The tanh
# needs $A$ numbers for *every pair* of words, so even additive keeps more than $A$ times as much;
# concat as printed, with $[s ; h]$ written out, needs another $2H$ for each pair. Cutting its
# matrix in two makes it additive. A matrix costs little, because it is applied once per word, not
# once per pair of words. (We count the tensors made on the way; autograd keeps roughly these.)
#
# </details>

# %% [markdown] id="worlds-text"
# ## Three worlds
#
# A query lives in the decoder's space, a key in the encoder's (**latent spaces**, 잠재 공간). Which
# score finds the right key depends on how the two spaces are related. In these toy tasks a query
# was made from one of several keys of equal length. Which one?
#
# - **shared**: the query *is* the key;
# - **rotated**: the key, turned (or mirrored) by a matrix that keeps all lengths and angles;
# - **folded**: as rotated, and then every number loses its sign, a nonlinear map.

# %% id="worlds"
flat = torch.tensor([[0.26, -0.966], [0.966, 0.26]])  # turns the plane by 75 degrees
basis, upper = torch.linalg.qr(torch.randn(8, 8, generator=generator))
wide = basis * upper.diagonal().sign()  # with these signs every such matrix is equally likely
ROTATION = {2: flat, 8: wide}
WORLDS = ("shared", "rotated", "folded")


def query_from(world, key):
    """The query that belongs to a key, before noise."""
    if world == "shared":
        return key
    turned = key @ ROTATION[key.shape[-1]].T
    return turned if world == "rotated" else turned.abs()


# %% id="worlds-2d" tags=["hide-input"]
# draws Figure 3
angles = torch.deg2rad(torch.tensor([10.0, 85.0, 150.0, 215.0, 300.0]))
around = math.sqrt(2) * torch.stack([angles.cos(), angles.sin()], dim=1)  # five keys
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.9), sharey=True)
for ax, world in zip(axes, WORLDS):
    ax.add_patch(plt.Circle((0, 0), math.sqrt(2), fill=False, color="#bbbbbb"))
    for n, key in enumerate(around, 1):
        look = {"arrowstyle": "-|>", "color": figures.PALETTE[0], "lw": 3 if n == 2 else 1}
        ax.annotate("", key.tolist(), (0, 0), arrowprops=look)
        ax.text(*(1.25 * key).tolist(), f"$h_{n}$", ha="center", va="center")
    turned = query_from(world, around[1])
    ax.scatter(*turned, marker="D", s=80, color=figures.PALETTE[1], zorder=3)
    ax.set(title=world, xlim=(-2.1, 2.1), ylim=(-2.1, 2.1), aspect="equal")
    ax.set_xlabel("first number")
axes[0].set_ylabel("second number")
fig.suptitle("Figure 3. Where is the query (diamond) that was made from the second key?")
plt.show()

# %% [markdown] id="worlds-2d-alt"
# <details><summary>The figure in words</summary>
#
# Three circles with five keys as arrows from the center, the second one thick and pointing up, and
# a query drawn as a diamond. Shared: the diamond lies on the tip of the thick arrow. Rotated: it
# lies 75 degrees further to the left, next to the third key. Folded: it lies at the right, next to
# the first key.
#
# </details>

# %% [markdown] id="worlds-2d-read"
# The dot product looks for the key that points where the diamond is. In the *rotated* world of
# Figure 3 that is $h_3$; a matrix that turns back would put it right. In the *folded* world it is
# $h_1$, and the key opposite to $h_2$ would have made the same query.
#
# Now the scores learn by gradient descent on the **cross-entropy** of the weights (here the right
# key is given). "concat + bias" has a bias inside its tanh, $W_a [s ; h] + b$.


# %% id="toy-examples"
def toy_examples(world, count, size=8, choices=10, noise=0.3):
    """Queries (N, H), their keys (N, choices, H), and which key is wanted (N,)."""
    keys = torch.randn(count, choices, size, generator=generator)
    keys = F.normalize(keys, dim=-1) * math.sqrt(size)
    wanted = torch.randint(choices, (count,), generator=generator)
    query = query_from(world, keys[torch.arange(count), wanted])
    return query + noise * torch.randn(count, size, generator=generator), keys, wanted


def make_score(kind, size):
    """A module with 48 hidden units where it has a hidden layer."""
    if kind != "concat + bias":
        return make_attention(kind, size, size, 48)
    module = make_attention("additive", size, size, 48)  # the same function as concat
    module.from_query = nn.Linear(size, 48, bias=True)
    return module


# %% id="fit"
def fit_score(kind, query, keys, wanted, updates=150):
    """Train a score; return it as a function (query, keys) → scores (N, S)."""
    module = make_score(kind, keys.shape[-1])

    def score(query, keys):
        return module.scores(query.unsqueeze(1), module.prepare(keys)).squeeze(1)

    if kind == "dot":  # it has nothing to train
        return score
    optimizer = torch.optim.Adam(module.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=updates)
    for _ in range(updates):
        rows = torch.randint(len(query), (32,), generator=generator)
        loss = F.cross_entropy(score(query[rows], keys[rows]), wanted[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
    return score


@torch.no_grad()
def accuracy(score, query, keys, wanted):
    return (score(query, keys).argmax(-1) == wanted).double().mean().item()


# %% [markdown] id="learned-maps-text"
# With five keys, guessing is right in 20% of the cases. After 2,000 examples of the folded world,
# what percentage of new ones does *general* get right?

# %% id="predict-folded"
predict("06.folded", ...)

# %% id="learned-maps-figure" tags=["hide-input"]
# draws Figure 4
def draw_learned_maps():
    fig, axes = plt.subplots(1, 4, figsize=(11, 4.5), sharey=True)
    for ax, ((kind, world), score) in zip(axes, learned.items()):
        mark = 220 if world == "shared" else 60  # there it lies under its key
        level_map(ax, score, query_from(world, around[1]), f"{kind}, {world}", mark)
        ax.scatter(*around.T, color="white", edgecolor="black", zorder=3, label="a key")
        ring = {"facecolor": "none", "edgecolor": "white", "linewidths": 2, "zorder": 4}
        ax.scatter(*around[1], s=150, **ring)
        ax.scatter(*-around[1], s=90, marker="x", color="white", zorder=4)
    axes[0].set_ylabel("second number of the key")
    fig.suptitle(
        "Figure 4. Learned scores: light where a key would get a high score "
        "(◆ query, ring: its key, ×: the place opposite)"
    )
    plt.show()

# %% id="learned-maps"
plane = {"size": 2, "choices": 5, "noise": 0.1}
learned, share = {}, {}
cases = [
    ("dot", "shared"), ("general", "rotated"), ("general", "folded"), ("concat + bias", "folded"),
]
for kind, world in cases:
    score = fit_score(kind, *toy_examples(world, 2000, **plane))
    learned[kind, world] = score
    share[kind, world] = 100 * accuracy(score, *toy_examples(world, 1000, **plane))
with reveal("06.folded", share["general", "folded"], within=10):
    for (kind, world), right in share.items():
        print(f"{kind:14} in the {world:8} world: ≈{right:2.0f}% right")
    draw_learned_maps()

# %% [markdown] id="learned-maps-alt"
# <details><summary>The figure in words</summary>
#
# Four maps of the plane of keys, with the five keys as points, the right one ringed, and a cross at
# the place opposite to it. Dot in the shared world, where the diamond lies beneath the ring, and
# general in the rotated one: straight lines, rising toward the ringed key and falling toward the
# cross. General in the folded world: straight lines, rising toward somewhere else. Concat + bias in
# the folded world: a dark valley through the center, light at the ringed key and, on the other
# side, at the cross. The scores span seven points or more in three of the maps, and about half a
# point in the third.
#
# </details>

# %% [markdown] id="learned-maps-read"
# <details><summary>What it says</summary>
#
# In the second map the score rises toward the ringed key although the diamond is far from it: the
# matrix has learned to undo the rotation. In the folded world the right score must be high at
# *both* ends of the line through ring and cross, but a linear score that rises toward one end falls
# toward the other. General finds no direction that works and keeps all its scores near 0 (read the
# color scale). It guesses. Another seed gives somewhat more or less than 20%, because nearly flat
# scores still prefer some direction, and which one is an accident of the fit. Concat has learned a
# *valley*, high at ring and cross. (Four keys in this plane produce the same query, and $h_5$ of
# Figure 3 is close to one of them. No score can distinguish these, so even one that knew the fold
# exactly would not always be right.)
#
# </details>
#
# ### How many examples does it take?
#
# Here are the same worlds with ten keys of eight numbers; guessing gives 10%.

# %% id="worlds-run"
KINDS_TRIED = ("dot", "general", "concat", "concat + bias")
result = {}  # world, kind → (three fits, two counts)
for world in WORLDS:
    test = toy_examples(world, 1000)
    for kind in KINDS_TRIED:
        right = torch.zeros(3, 2)
        for n in range(3):
            for column, count in enumerate((15, 2000)):
                score = fit_score(kind, *toy_examples(world, count))
                right[n, column] = 100 * accuracy(score, *test)
        result[world, kind] = right

# %% id="worlds-numbers"
print("right answers in % after 15 → after 2,000 examples, mean of three fits")
print("                       shared         rotated          folded")
for kind in KINDS_TRIED:
    line = f"  {kind:14}"
    for world in WORLDS:
        few, many = result[world, kind].mean(0)
        line += f"    ≈{few:3.0f} → ≈{many:3.0f}"
    print(line)

# %% [markdown] id="worlds-read"
# - *Shared*: dot knows the answer before it has seen an example.
# - *Rotated*: dot guesses, and has nothing to learn with; one matrix is missing.
# - *Folded*: no matrix helps. The network in concat learns most of the fold, given many examples.
#
# Concat needs a bias: without one it fails in the easiest world.
#
# <details><summary>Why plain concat cannot do what a dot product does</summary>
#
# The formula of concat has no **bias** (편향), and $\tanh(-x) = -\tanh(x)$. So
#
# $$\mathrm{score}(-s, -h) = v^\top \tanh(-W_1 s - W_2 h) = -\,\mathrm{score}(s, h).$$
#
# Such a function is called **odd**. A dot product is **even**: $(-s)^\top(-h) = s^\top h$. Flip the
# sign of all vectors of an example: in the shared world that is another example, just as probable,
# with the same answer. But plain concat gives the lowest score there to the key that had the
# highest, so it has no example right together with its mirror image. In the folded world it
# escapes: all queries there are positive except for noise, so the mirror image is not an example of
# that world.
#
# The formula as printed in both papers has no bias, and neither has the library. ([Bahdanau et al.
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015) state in §A.2 that they leave all bias terms out of
# the formulas to make them easier to read.) A translator's states come from networks with biases,
# which can supply the missing constant.
#
# </details>
#
# ### Is general hungry for data, or is its optimizer?
#
# After 15 examples general is far behind dot in the shared world, and does better in the rotated
# one. Here the same matrix is learned from 15 examples in three ways: by Adam, as above; by plain
# gradient steps with momentum (a running mean of the gradients); by least squares.

# %% id="optimizers"
# later seeds were used to choose the learning rates
made = [run for run in read_record("06_worlds")["runs"] if run["seed"] <= 30]
hungry = {}
print("general after 15 examples, right answers in %     shared   rotated")
for variant in ("adam", "momentum"):
    for world in ("shared", "rotated"):
        runs = [run for run in made if (run["world"], run["variant"]) == (world, variant)]
        hungry[world, variant] = 100 * sum(run["right"][0] for run in runs) / len(runs)
    line = f"  {variant:14} (recorded, mean of 30 fits)"
    print(f"{line:50}{hungry['shared', variant]:6.0f}{hungry['rotated', variant]:10.0f}")


def least_squares(world):
    """general's matrix from 15 right keys and their queries; its right answers in %."""
    query, keys, wanted = toy_examples(world, 15)
    matrix = torch.linalg.lstsq(keys[torch.arange(15), wanted], query).solution

    def score(query, keys):
        return (keys @ matrix @ query.unsqueeze(-1)).squeeze(-1)

    return 100 * accuracy(score, *toy_examples(world, 1000))


solved = {}
for world in ("shared", "rotated"):
    solved[world] = sum(least_squares(world) for _ in range(10)) / 10
line = f"  {'least squares':14} (made here, mean of 10 fits)"
print(f"{line:50}  ≈{solved['shared']:3.0f}      ≈{solved['rotated']:3.0f}")

# %% [markdown] id="optimizers-read"
# In the shared world, most of general's hunger was Adam's. With momentum it gets 89% right in both
# worlds, and a matrix found by least squares from the 15 examples is nearly always right.
#
# <details><summary>How sure?</summary>
#
# For $W_a$ the shared and the rotated world are one problem in different coordinates. Adam scales
# the step of each coordinate separately, so the axes matter to it; to momentum and least squares
# they do not. Adam and momentum each have their best learning rate, chosen with other seeds. Least
# squares takes the matrix that brings the 15 right keys closest to their queries.
#
# </details>

# %% [markdown] id="scale-text"
# ## Why divide by √H?
#
# A dot product sums $H$ products. If the numbers of query and key are independent with mean 0 and
# variance 1, each product has variance 1, and the variances add up. The scaled dot score of
# [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) undoes this:
#
# $$\mathrm{Var}(s^\top h) = H \qquad\Rightarrow\qquad
# \mathrm{Var}\big(s^\top h / \sqrt{H}\big) = 1$$
#
# With $H = 1{,}024$ the **spread** (the standard deviation) of the scores is 32. A softmax then
# gives one key nearly all the weight: it is **saturated** (포화), and almost no gradient passes
# (chapter 4).
#
# How much reaches the query? With keys in the rows of $K$ and no divisor, it is
# $\partial \alpha / \partial s = J K$, where $J$ has the derivatives of the softmax. With large
# $H$, $J$ is small but the keys are long. We measure the norm of this matrix for 1,000 random
# queries with 20 random keys each.


# %% id="query"
def query_gradients(size, divisor, count=1000, choices=20):
    """Scores, and ‖∂α/∂s‖ of random queries (N, H), each with its own keys (N, S, H)."""
    generator = torch.Generator().manual_seed(size)
    query = torch.randn(count, size, generator=generator, dtype=torch.double)
    keys = torch.randn(count, choices, size, generator=generator, dtype=torch.double)
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1) / divisor
    alpha = scores.softmax(-1)
    mean_key = (alpha.unsqueeze(-1) * keys).sum(1, keepdim=True)
    rows = alpha.unsqueeze(-1) * (keys - mean_key) / divisor  # J K / divisor
    return scores, rows.flatten(1).norm(dim=1)


# %% id="query-numbers"
reached = {}
print("              H   spread of the scores   gradient: mean   median")
for name in ("dot", "scaled dot"):
    for size in (4, 64, 1024):
        divisor = 1.0 if name == "dot" else size**0.5
        scores, norms = query_gradients(size, divisor)
        reached[name, size] = norms
        print(f"{name:10} {size:4} {scores.std():22.2f}{norms.mean():17.2f}{norms.median():9.4f}")

# %% [markdown] id="query-read"
# At $H = 1{,}024$ the plain dot product's gradient **almost vanishes for most queries and is large
# for a few**. The median is below a hundredth of that at $H = 4$, yet the mean has *grown*: a few
# queries have two best keys with nearly the same score, so $J$ is not small, and the keys are long.
# Dividing makes the gradient even, not larger on average. All this rests on *independent numbers of
# variance 1*.

# %% [markdown] id="normalized-text"
# ## Does a translator meet the premise?
#
# The states of an LSTM are between −1 and 1, and close to 0 before training. But we can make the
# premise *true*: normalize each query and each key to mean 0 and variance 1, or leave them as they
# are, and then divide or not.

# %% id="normalized-dot"
from attnlib.model import DotAttention, make_seq2seq


class NormalizedDot(DotAttention):
    """s·h of vectors that are normalized first or not, divided by √H or not."""

    def __init__(self, size, normalize, divide):
        super().__init__(size, size)
        self.normalize = normalize
        self.divisor = size**0.5 if divide else 1.0

    def scores(self, query, prepared):
        if self.normalize:  # mean 0 and variance 1 within each vector; nothing is learned
            query, prepared = (F.layer_norm(x, x.shape[-1:]) for x in (query, prepared))
        return query @ prepared.transpose(1, 2) / self.divisor


# %% id="two-train" tags=["hide-input"]
# trains chapter 5's translator twice, 400 updates each
from attnlib.data import Batches, WordVocabulary, load_corpus, make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.training import Recipe, fit

corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((p.src for p in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(p.tgt for p in corpus.train)
RECIPE = Recipe(
    updates=400, warmup=100, learning_rate=4e-3, validate_every=400,
    label_smoothing=0.0, precision="fp32", seed=1,
)


def encoded(pairs):
    return [korean.encode(p.src) for p in pairs], [english.encode(p.tgt) for p in pairs]


def train_with(normalize, divide):
    """Chapter 5's translator with one of the four scores."""
    seed_everything(1)
    model = make_seq2seq(len(korean), len(english), attention="dot", dropout=0.2)
    model.decoder.attention = NormalizedDot(128, normalize, divide)
    fit(model, Batches(*encoded(corpus.train), batch_size=32, seed=1), RECIPE, progress=False)
    return model.eval()


@torch.no_grad()
def error_of(model):
    """Alignment error rate on the test set: 0 if all links agree with the gold links."""
    looks = []
    for src, tgt in zip(*encoded(corpus.test)):
        batch = make_batch([src], [tgt])
        weights = model(batch.src, batch.src_mask, batch.tgt_in)[1][0]
        looks.append(links_from_weights(weights[: len(tgt), : len(src) - 1]))
    return aer(looks, [pair.links for pair in corpus.test])


errors = {}
for name, normalize in (("as they are", False), ("normalized", True)):
    errors[name] = error_of(train_with(normalize, divide=True))
    print(f"vectors {name:12} divided by √128: AER ≈{errors[name]:.2f}")

# %% [markdown] id="normalized-record"
# Both scores are divided, and only the second translator has found the alignment. All four scores,
# with three seeds each, are **recorded runs** (`python -m studies.score_controls`). "Divided" is by
# $\sqrt{128} \approx 11.3$, the spread that the premise promises. For 400 updates each score has
# the best of three learning rates, 0.002, 0.004 and 0.008, by the training loss (0.008, the
# highest, in every case); for 1,200 it has 0.004.

# %% id="normalized" tags=["hide-input"]
# prints the table of recorded runs
controls = read_record("06_normalized")["runs"]


def recorded(variant, budget):
    """Three seeds at the learning rate with the lowest training loss."""
    by_rate = {}
    for run in controls:
        if (run["variant"], run["budget"]) == (variant, budget):
            by_rate.setdefault(run["rate"], []).append(run)
    return min(by_rate.values(), key=lambda runs: sum(run["loss"][-1] for run in runs))


def span(numbers, digits=2):
    return f"{min(numbers):.{digits}f} – {max(numbers):.{digits}f}"


FOUR = {
    "bare": "as they are",
    "bare-divided": "as they are, divided",
    "normalized": "normalized",
    "normalized-divided": "normalized, divided",
}
rates = set()
crossing, longer = {}, {}
print("                         spread of scores         AER after      AER after")
print("vectors (recorded)       before training        400 updates  1,200 updates")
for name, label in FOUR.items():
    short, long = recorded(name, "short"), recorded(name, "long")
    crossing[name] = [run["aer"] for run in short]
    longer[name] = [run["aer"] for run in long]
    spread = sum(run["spread"][0] for run in short) / 3
    print(f"{label:24}{spread:12.3f}{span(crossing[name]):>23}{span(longer[name]):>15}")
    rates.add(short[0]["rate"])
print("best learning rate after 400 updates:", *sorted(rates))

# %% [markdown] id="normalized-read"
# In every seed, the two pairs of rows go opposite ways. Vectors as they are do better *without* the
# divisor: their scores start near 0, so dividing flattens an almost flat softmax still further.
# Normalized vectors do better *with* it. (Their scores spread less than promised, probably because
# the keys of a sentence resemble each other.) **Dividing by √H helped vectors with variance 1 and
# hurt the small states of this LSTM.** (It slows learning: with more updates the error falls.) The
# plain dot product of these states is nearly as good as normalizing and dividing.

# %% [markdown] id="gradient-text"
# ### What a normalized score cannot learn
#
# The plain dot product becomes sharper if its vectors become longer. Can a normalized one? Ask its
# gradient. First a simpler case, half done: the query is only divided by its length
# $\lVert s \rVert = 5$. The line "yours" treats this length as a constant. What does it miss?

# %% id="faded"
toward = torch.tensor([1.0, 0.0])  # the key
start = torch.tensor([3.0, 4.0], requires_grad=True)  # the query
auto = torch.autograd.grad(toward @ start / start.norm(), start)[0]
yours = toward / start.detach().norm()  # yours: the length changes as well
print("autograd", [round(x, 3) for x in auto.tolist()])
print("yours   ", [round(x, 3) for x in yours.tolist()])

# %% [markdown] id="ex-normalized-gradient-text"
# ### Exercise 6.2 · The gradient of a normalized score
# *Hard, 25 minutes.* Let $\mathrm{norm}(x) = (x - m) / \sigma$, with the mean $m$ of the $H$
# numbers of $x$ and their standard deviation $\sigma$ ($\sigma^2$ is the mean squared deviation
# from $m$). The score is $e = \mathrm{norm}(s)^\top \mathrm{norm}(h) / \sqrt{H}$. Given `query` and
# `key`, both (..., H), return $\partial e / \partial s$, (..., H), for each pair of a query and
# its key. Do not use autograd.
#
# <details><summary>Hint 1</summary>
#
# Call the normalized vectors u and v. Raise one number $s_i$ a little: m changes by 1/H of that, σ
# changes as well, and so every number of u changes.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# $\partial \sigma / \partial s_i = u_i / H$. Put both into $\partial u_k / \partial s_i$, and
# remember that the numbers of v sum to 0.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# What remains is v without its part along u, divided by σ √H. That part is u times the
# mean of their element-wise product.
#
# </details>


# %% id="ex-normalized-gradient" tags=["exercise"]
@exercise
def normalized_gradient(query, key):
    """∂e/∂s of e = norm(s)·norm(h)/√H; query s and key h are both (..., H)."""
    raise NotImplementedError


# %% [markdown] id="angle-text"
# ### A right angle

# %% id="angle"
query, key = torch.randn(2, 128, generator=generator, dtype=torch.double)
for times in (1, 2, 10):
    slope = normalized_gradient(times * query, key)
    cosine = F.cosine_similarity(slope, query, dim=0)
    print(f"query × {times:2}: gradient's length {slope.norm():.3f}", end="")
    print(f", cosine with the query {cosine.abs():.3f}")

# %% [markdown] id="angle-read"
# The gradient is at a right angle to the query: a longer query has the same scores, and only gets a
# smaller gradient. So a normalized score cannot become sharper by growing.
#
# <details><summary>And in a Transformer?</summary>
#
# There (chapter 11) vectors are normalized *before* the matrices that turn them into queries and
# keys; queries and keys themselves are not normalized. So the premise is roughly true at the start,
# and training can change that. **QK-norm** (QK 정규화; [Henry et al.
# 2020](D_papers.ipynb#cell-id=henry-2020)) divides each query and key by its length, and multiplies
# the cosine by a *learned* number instead of $1/\sqrt{H}$: long vectors cannot make large scores,
# and the sharpness can still be learned.
#
# </details>

# %% [markdown] id="captions-text"
# ## Real captions
#
# A grammar wrote the sentences above; people wrote Multi30k, captions of photos, German to English,
# on which chapter 10 trains. In these short recorded trainings of its translator
# (`studies/multi30k.py`) only the score differs. Each score had three learning rates: the rate of
# chapter 10, which was chosen for *general*, half of it, and twice.

# %% id="captions" tags=["hide-input"]
# prints the table of recorded runs
captions = read_record("10_models")["runs"] + read_record("06_captions")["runs"]
greedy = {}
print("BLEU, greedy; three trainings, or one")
print("learning rate         parameters         0.002         0.004         0.008")
for kind in ("none", *KINDS):
    size = next(run["parameters"] for run in captions if run["model"] == kind)
    line = f"  {kind:14}{size / 1e6:8.2f} million"
    for preset in ("quick-slower", "quick", "quick-faster"):
        runs = [run for run in captions if (run["model"], run["preset"]) == (kind, preset)]
        bleu = [run["bleu"]["test greedy"] for run in runs]
        greedy[kind, preset] = bleu
        if len(bleu) > 1:
            cell = span(bleu, 1)
        else:
            cell = f"{bleu[0]:.1f}" if bleu else ""
        line += f"{cell:>14}"
    print(line)

# %% [markdown] id="captions-read"
# At the rate of chapter 10, any attention at all adds about ten points or more. Dividing by
# $\sqrt{H}$ costs dot five to six there, and still three to four if the divided score has half that
# rate, the best of its three (a lower one was not tried). Do not rank the other four: the rate was
# chosen for one of them. (With 1,024 numbers, a score without a divisor fell behind clearly in
# [Britz et al. 2017](D_papers.ipynb#cell-id=britz-2017).)

# %% [markdown] id="choose"
# ## Which one, then?
#
# | take | if |
# |---|---|
# | dot | both sides have the same size and are trained together from small states, as in our LSTM translators |
# | general | the sizes differ, or the two spaces were learned separately |
# | scaled dot | the numbers of query and key have a variance of about 1, as at the start of a Transformer |
# | concat, additive | the map between the spaces is nonlinear, and memory allows; with a bias |

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("06", "abcda")`.

# %% id="recall"
recall("06")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Concat and additive are one function. `linear.weight` is $W_a$ if the layer acts on the keys,
#   $W_a^\top$ if it acts on the query.
# - A matrix costs little; a tanh costs $A$ numbers for each pair of words.
# - Dot needs a shared space, general a linear map, and concat, with a bias, learns a nonlinear one.
# - Dividing by $\sqrt{H}$ suits vectors with variance 1. In our short trainings it hurt the small
#   states of LSTM translators.
#
# **Left out.** Luong's location-based score, which looks only at the decoder's state.
#
# <details><summary>Papers</summary>
#
# [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (§A.1.2, §A.2); [Luong, Pham
# and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3.1); [Vaswani et al.
# 2017](D_papers.ipynb#cell-id=vaswani-2017) (§3.2.1, who offer the argument for $\sqrt{H}$ as a
# suspicion); [Henry et al. 2020](D_papers.ipynb#cell-id=henry-2020); [Britz et al.
# 2017](D_papers.ipynb#cell-id=britz-2017).
#
# </details>
#
# **Next.** In training the decoder has read the *right* previous word at every step. [Chapter
# 7](07_teacher_forcing.ipynb) asks what happens when it must live with its own.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Concat and additive are one score
from attnlib.model import GeneralAttention

assert GeneralAttention(3, 5).project.weight.shape == (3, 5)  # the library's weight is W_a itself
torch.testing.assert_close(printed, split)
torch.testing.assert_close(printed, concat.scores(q, concat.prepare(k)))
torch.testing.assert_close(of_network, torch.tensor(hand["concat"]))
with torch.no_grad():
    for kind, row in hand.items():  # the library finds the same numbers
        of_library = scored_by(kind)(s.view(1, 2), h.unsqueeze(0))[0]
        torch.testing.assert_close(of_library, torch.tensor(row))

# Is general hungry for data, or is its optimizer?
check_range(share["dot", "shared"], 78, 99)
check_range(share["general", "rotated"], 78, 99)
check_range(share["general", "folded"], 8, 35)
check_range(share["concat + bias", "folded"], 45, 85)
bands = {  # after 15 examples and after 2,000, where the score decides
    ("shared", "dot"): ((95, 100), (95, 100)), ("shared", "general"): ((25, 75), (97, 100)),
    ("shared", "concat"): ((3, 28), (3, 28)), ("rotated", "dot"): ((0, 20), (0, 20)),
    ("rotated", "general"): ((60, 96), (97, 100)), ("rotated", "concat"): ((3, 28), (3, 28)),
    ("rotated", "concat + bias"): ((15, 65), (97, 100)),
    ("shared", "concat + bias"): ((15, 65), (97, 100)),
    ("folded", "dot"): ((3, 20), (3, 20)), ("folded", "general"): ((4, 20), (4, 20)),
    ("folded", "concat"): ((5, 30), (60, 97)), ("folded", "concat + bias"): ((5, 30), (55, 97)),
}
for key, (few, many) in bands.items():
    check_range(result[key][:, 0].mean(), *few)
    check_range(result[key][:, -1].mean(), *many)
learns = [run["right"][2] for run in made if run["variant"] == "momentum"]  # after 240 examples
assert sum(learns) / len(learns) > 0.99
assert abs(hungry["shared", "momentum"] - hungry["rotated", "momentum"]) < 2
assert hungry["shared", "adam"] + 25 < hungry["shared", "momentum"]
for right in solved.values():
    check_range(right, 97.5, 100)

# Does a translator meet the premise?
of_4, of_1024 = reached["dot", 4], reached["dot", 1024]
assert of_1024.mean() > 1.5 * of_4.mean()
assert of_1024.median() < of_4.median() / 100
assert of_1024.quantile(0.05) < 1e-6
for size in (4, 64, 1024):
    check_range(reached["scaled dot", size].mean(), 0.2, 0.4)
    check_range(reached["scaled dot", size].median(), 0.2, 0.4)
for aers in (crossing, longer):
    assert max(aers["bare"]) < min(aers["bare-divided"])
    assert max(aers["normalized-divided"]) < min(aers["normalized"])
assert errors["normalized"] < errors["as they are"]

# Real captions
others = ("dot", "general", "concat", "additive")
at_chosen = {kind: greedy[kind, "quick"] for kind in ("none", *KINDS)}
assert max(at_chosen["none"]) + 8 < min(at_chosen["scaled_dot"])
dot = greedy["dot", "quick"]
for preset, low, high in (("quick", 4, 6.5), ("quick-slower", 2.5, 4.5)):
    scaled = greedy["scaled_dot", preset]
    assert len(dot) == len(scaled) == 3
    check_range(min(dot) - max(scaled), low, high)
    check_range(max(dot) - min(scaled), low, high)
assert max(max(at_chosen[k]) for k in others) - min(min(at_chosen[k]) for k in others) < 2.5
for kind in KINDS:
    assert greedy[kind, "quick-faster"][0] < min(greedy[kind, "quick"]) - 2
