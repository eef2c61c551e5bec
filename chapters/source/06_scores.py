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
# You will write the usual scores of attention from memory, say what each of them can express and
# what it costs, and choose one for given data.
#
# **What you need.** Scores → weights → context (chapter 5).
#
# **Time.** 28 minutes to read, 16 for exercises 6.1 and 6.2; the notebook runs in about half a
# minute.
#
# <details><summary>Plan</summary>
#
# Chapter 6 has two files: this one, and [06b](06b_scale.ipynb) (how large a score should be, and
# which one translates). Must be read: *Five ways*, *Dot*, *General*, *Concat*, *Three worlds*. May
# be skipped: *Which transpose is `linear.weight`?* until you copy a weight from one program to
# another, and *What they cost*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import check_range, exercise, predict, progress, recall, reveal
from attnlib import figures
from attnlib.device import seed_everything
from attnlib.model import make_attention

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(6)

# %% id="first"
from attnbook.figures import scores_diagram

KINDS = ("dot", "scaled_dot", "general", "concat", "additive")
modules = {kind: make_attention(kind, 128, 128, 64) for kind in KINDS}
scores_diagram(modules)

# %% [markdown] id="first-read"
# For every pair of a query $s_t$ and a key $h_j$ attention asks: *how well do the two match?* The
# answer is one number, the **score** $e_{tj}$ (스코어). What follows, softmax and weighted sum, is
# the same for all kinds of attention. The drawing shows the five usual ways to that number. "×, Σ"
# is a **dot product** (내적): an element-wise product, summed. $W_a$, $U_a$ and $v_a$ are learned;
# the last line counts their parameters for vectors of 128 numbers and a tanh of 64 units.
#
# This file asks what each score *can* express; [06b](06b_scale.ipynb) asks how large a score should
# be, and with which one a translator learns best.

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
# $[s_t ; h_j]$ is one vector after the other, $H$ is the size of the vectors, and $A$ will be the
# number of hidden units inside the tanh. The first three are also called **multiplicative**
# attention. (Bahdanau's query is the state one step earlier, $s_{t-1}$; the form of the score is
# the same.)
#
# <details><summary>Two more that you may meet</summary>
#
# The cosine times a *sharpness* $\beta$ ([Graves et al. 2014](D_papers.ipynb#cell-id=graves-2014),
# chapter 4), and *location*, which ignores the keys.
#
# </details>
#
# Four of the five by hand, on one query and three keys of two numbers:

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
    dot = dot_product(s, key)
    return {
        "dot": dot, "scaled_dot": dot / math.sqrt(2),
        "general": dot_product(s, mapped), "concat": dot_product(v, hidden),
    }


hand = {kind: [by_hand(key)[kind] for key in h] for kind in by_hand(s)}
print("scores of         h_1    h_2    h_3      weights")
for kind, row in hand.items():
    weights = torch.tensor(row).softmax(-1)
    numbers = [*[f"{e:6.2f}" for e in row], "  ", *[f"{w:5.2f}" for w in weights]]
    print(f"  {kind:12}", *numbers)

# %% [markdown] id="hand-read"
# Dot prefers $h_3$, general $h_1$, concat $h_2$; scaled dot ranks the keys like dot, with more even
# weights. None is "right": a score is a *form*, and training decides what it is filled with. The
# library finds the same numbers:

# %% id="agree"
query, keys = s.view(1, 1, 2), h.view(1, 3, 2)  # (B, T, H), (B, S, H)
small = {kind: make_attention(kind, 2, 2) for kind in hand}
with torch.no_grad():
    small["general"].project.weight.copy_(W)
    small["concat"].weight.copy_(W_concat)
    small["concat"].v.copy_(v)
    for kind, module in small.items():
        of_library = module.scores(query, module.prepare(keys))[0, 0]
        torch.testing.assert_close(of_library, torch.tensor(hand[kind]))
print("by hand = attnlib, for", ", ".join(small))

# %% [markdown] id="plane-text"
# A key of two numbers is a point in the plane. Keep the query, let the key be *every* point in
# turn, and color the point by its score. The white lines join keys of equal score: solid where it
# is positive, dashed where it is negative, thick where it is 0. (Each map has a color scale of its
# own.)


# %% id="plane" tags=["hide-input"]
# draws the figure
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
fig.suptitle("One query (diamond): light where a key would get a high score")
plt.show()

# %% [markdown] id="plane-alt"
# <details><summary>The figure in words</summary>
#
# Three maps of the plane of keys, dark for low scores and light for high ones, each with lines of
# equal score and a color scale below. Dot: straight parallel lines, the thick line of score 0
# through the center, lightest toward the upper right, the direction of the query. General: straight
# parallel lines too, lightest toward the right, another direction. Concat: the lines are bent, and
# the map is lightest at the left edge. The three keys are white points.
#
# </details>

# %% [markdown] id="plane-read"
# The score of *dot* rises in the direction of the query and is the same along every line at right
# angles to it. *General* is that picture turned and stretched: its lines are straight as well,
# since $s^\top W_a h$ is **linear** in the key. A linear map has one uphill direction, and if it
# rises toward $h$, it falls toward $-h$. The lines of *concat* are curved.

# %% [markdown] id="dot-text"
# ## Dot: nothing to learn
#
# $s^\top h = \lVert s \rVert\, \lVert h \rVert \cos\varphi$, where $\varphi$ is the angle between
# the two. So the dot product asks two things at once: do they point the same way, and how long are
# they? A key three times as long has dot products three times as large, while the cosine (chapter
# 4) stays the same. A network can use the length to say how important a word is.
#
# The price of having nothing to learn: the numbers are multiplied in pairs, so both vectors need
# the same size, and the third number of the query must mean what the third number of the key means.

# %% [markdown] id="ex-dot-score-text"
# ### Exercise 6.1 · The dot score, and a clear refusal
# *Warm-up, 6 minutes.* All dot products of a batch: query (B, T, H), keys (B, S, H), result
# (B, T, S). If the two sizes differ, raise a `ValueError` whose message names both numbers. (Not
# every way to write the sum would fail on its own: broadcasting silently repeats a key of one
# number.)
#
# <details><summary>Hint 1</summary>
#
# <code>query.shape[-1]</code> and <code>keys.shape[-1]</code> are the two sizes. Compare them
# before anything else.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A matrix product sums over the last dimension of the left factor and the last but one of the
# right. The keys have H last.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# An `if` that raises; then one product of the query with the keys, whose last two dimensions have
# been exchanged.
#
# </details>


# %% id="ex-dot-score" tags=["exercise"]
@exercise
def dot_score(query, keys):
    """query (B, T, H), keys (B, S, H) → query keys^T (B, T, S); other sizes: error."""
    raise NotImplementedError


# %% [markdown] id="general-text"
# ## General: a matrix in between
#
# The score **general** puts a learned matrix between query and key. This **linear map** (선형 변환)
# carries each key into the space of the queries, so the sizes of the two can differ. Here are three
# matrices, and what they do to the dot product:

# %% id="general"
matrices = {
    "identity: the dot product itself": torch.eye(2),
    "diagonal: some numbers count more": torch.diag(torch.tensor([10.0, 0.0])),
    "any: the numbers may be mixed": W,
}
for name, matrix in matrices.items():
    print(f"{name:34}", [round(x, 1) for x in (s @ matrix @ h.T).tolist()])

# %% [markdown] id="general-read"
# It is tempting to call *general* a generalized **inner product** (일반화된 내적). Strictly it is
# not: an inner product is symmetric, and the product of a nonzero vector with itself is positive. A
# matrix for which both fail:

# %% id="bilinear"
skew = torch.tensor([[0.0, 1.0], [-2.0, 0.0]])
both_ways = (s @ skew @ h[0]).item(), (h[0] @ skew @ s).item()
print("score(s, h_1) and score(h_1, s):", *both_ways)
print("score(s, s):                    ", (s @ skew @ s).item())

# %% [markdown] id="bilinear-read"
# The proper name is **bilinear form**, and that is no defect: a query looks for something *other*
# than itself (a Korean word for an English one). Nor need $W_a$ be square: it may stand between
# vectors of different sizes. Then its two sides must not be confused.

# %% [markdown] id="transpose-text"
# ### Which transpose does a linear layer keep?
#
# In code $W_a$ is usually a linear layer, and `nn.Linear(n, m)` computes `x @ weight.T` with a
# weight of shape $(m, n)$. Whether this is $W_a$ or its transpose depends on **the side on which
# the layer acts**: on the keys in this library, on the query in many programs, on both in a
# Transformer (chapter 11). A query of 3 numbers, keys of 5:

# %% id="transpose"
from torch import nn

q = torch.randn(1, 1, 3, generator=generator)
k = torch.randn(1, 4, 5, generator=generator)
layers = {
    "acts on the key": (None, nn.Linear(5, 3, bias=False)),
    "acts on the query": (nn.Linear(3, 5, bias=False), None),
    "one on each side": (nn.Linear(3, 2, bias=False), nn.Linear(5, 2, bias=False)),
}
for name, pair in layers.items():
    shapes = [tuple(layer.weight.shape) if layer else "-" for layer in pair]
    print(f"{name:18} query's weight {shapes[0]!s:7} key's weight {shapes[1]}")

# %% [markdown] id="ex-general-matrix-text"
# ### Exercise 6.2 · Find the matrix in the middle
# *Core, 10 minutes.* Two linear layers for queries of Hd and keys of He numbers: `from_query`
# (A, Hd) and `from_key` (A, He) are their weights. The query goes through the first, the key
# through the second, and the score is the dot product of the results. One of the two may be `None`:
# no layer there. Return the matrix $W_a$ of shape (Hd, He) for which $s^\top W_a h$ is the same
# score.
#
# <details><summary>Hint 1</summary>
#
# A layer with weight P makes P s of s. Write the score with P s and R h in place of s and h.
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
# identity: what is left of that product if the one is the identity, or the other?
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
    pair = [layer.weight if layer else None for layer in (on_query, on_key)]
    layered = dot_score(on_query(q) if on_query else q, on_key(k) if on_key else k)
    matrix = general_matrix(*pair)
    # the same scores:
    torch.testing.assert_close(q @ matrix @ k.transpose(1, 2), layered)
    rank = torch.linalg.matrix_rank(matrix)
    print(f"{name:18} W_a has shape {tuple(matrix.shape)}, rank {rank}")

# %% [markdown] id="transpose-read"
# On the key: `weight` *is* $W_a$. On the query: it is $W_a^\top$. With $P$ on the query and $R$ on
# the key: $W_a = P^\top R$, whose **rank** (the number of its independent directions) is at most
# the number of rows of $P$, here 2: a large $W_a$ with few parameters. With square matrices the
# wrong transpose runs without an error and even trains, so test with sizes that differ.

# %% [markdown] id="concat-text"
# ## Concat: a small network
#
# The third way is a small neural network that takes a query and a key and returns a number. The two
# are concatenated; then come a first layer $W_a$, a **nonlinearity** (the tanh), and a second layer
# $v_a$ with a single output. In PyTorch's words:

# %% id="network"
network = nn.Sequential(
    nn.Linear(4, 2, bias=False), nn.Tanh(), nn.Linear(2, 1, bias=False)
)
with torch.no_grad():
    network[0].weight.copy_(W_concat)  # the first layer is W_a
    network[2].weight.copy_(v.unsqueeze(0))  # the second is v_a as a matrix of one row
    pairs = torch.cat([s.expand(3, 2), h], dim=-1)  # [s ; h_j]: (3, 4)
    print("weight of the last layer:", tuple(network[2].weight.shape))
    found = network(pairs).squeeze(-1)
    print("a number for each pair:  ", [round(e, 2) for e in found.tolist()])

# %% [markdown] id="network-read"
# The same numbers as above. The last layer is a matrix with one row, so a **scalar** (스칼라), a
# single number, comes out. Nobody tells this small network which pairs belong together: its
# gradient comes through the softmax and the context from the words of the translation.

# %% [markdown] id="split-text"
# ### Concat and additive are one score
#
# It is tempting to count concat (Luong) and additive (Bahdanau) as two scores. Look at the product
# inside: the left columns of $W_a$ meet only $s$, the right ones only $h$.
#
# $$W_a [s ; h] = \begin{bmatrix} W_1 & W_2 \end{bmatrix} \begin{bmatrix} s \\ h \end{bmatrix}
# = W_1 s + W_2 h$$
#
# So write concat as it is printed, give the two halves of its matrix to an additive score, and
# compare.


# %% id="split"
def concat_as_printed(query, keys, weight, v):
    """v^T tanh(W [s ; h]) with every pair [s ; h] written out: (B, T, S)."""
    T, S = query.shape[1], keys.shape[1]
    left = query.unsqueeze(2).expand(-1, -1, S, -1)  # (B, T, S, Hd)
    right = keys.unsqueeze(1).expand(-1, T, -1, -1)  # (B, T, S, He)
    return torch.tanh(torch.cat([left, right], dim=-1) @ weight.T) @ v


concat, additive = (make_attention(kind, 3, 5, 4) for kind in ("concat", "additive"))
with torch.no_grad():
    additive.from_query.weight.copy_(concat.weight[:, :3])  # W_1, for the query
    additive.from_key.weight.copy_(concat.weight[:, 3:])  # W_2, for the key
    additive.v.copy_(concat.v)
    printed = concat_as_printed(q, k, concat.weight, concat.v)
    split = additive.scores(q, additive.prepare(k))
for name, row in (("concat as printed", printed), ("additive, attnlib", split)):
    print(f"{name:18}", [round(e, 4) for e in row[0, 0].tolist()])

# %% [markdown] id="split-read"
# Equal, with the same number of parameters. So whatever differs between "Luong's concat" and
# "Bahdanau's attention" in a benchmark, it is not the score: it is *when* the decoder attends
# (chapter 5), what its weights are before training, or what computing it costs.

# %% [markdown] id="parameters-text"
# ## What they cost
#
# General has $H_d H_e$, concat and additive have $A (H_d + H_e) + A$, for queries of
# $H_d$ and keys of $H_e$ numbers. The hidden size $A$ is free:

# %% id="parameters"
print("sizes of query, key, A      general    concat = additive")
for sizes in ((128, 128, 64), (128, 128, 128), (1000, 2000, 1000)):
    pair = [make_attention(kind, *sizes) for kind in ("general", "additive")]
    counted = [sum(p.numel() for p in module.parameters()) for module in pair]
    print("{:6} {:6} {:6}".format(*sizes), f"{counted[0]:16,} {counted[1]:14,}")

# %% id="forms-check" tags=["check"]
# checks what the text says
from attnlib.model import GeneralAttention

assert GeneralAttention(3, 5).project.weight.shape == (3, 5)  # the library's weight is W_a itself
torch.testing.assert_close(printed, split)
torch.testing.assert_close(printed, concat.scores(q, concat.prepare(k)))
assert counted == [1000 * 2000, 1000 * (1000 + 2000 + 1)]

# %% [markdown] id="memory-text"
# With $A = H/2$ concat costs what general costs, but for $v_a$; 06b uses just these sizes.
#
# ### Memory
#
# What is large are not the parameters but the numbers that must be *kept* between the
# forward and the backward pass. They follow from the shapes, which torch's "meta" device computes
# without storing a number. For a batch of 32 sentences, 50 words to 50 words, $H = 128$ and
# $A = 64$: how many times as many numbers does additive keep as dot?

# %% id="predict-memory"
predict("06.memory", ...)


# %% id="memory"
def kept_numbers(kind, B=32, T=50, S=50, H=128, A=64):
    """How many numbers a score makes on its way, by the shapes of its tensors."""
    query, keys = (torch.empty(B, n, H, device="meta") for n in (T, S))
    kept = [query @ keys.transpose(1, 2)]  # (B, T, S): these are needed by all
    if kind == "general":
        kept += [keys @ torch.empty(H, H, device="meta")]
    if kind not in ("dot", "general"):
        mapped = [x @ torch.empty(H, A, device="meta") for x in (query, keys)]
        kept += mapped
        kept += [mapped[0].unsqueeze(2) + mapped[1].unsqueeze(1)]  # (B, T, S, A)
    if kind == "concat as printed":  # [s ; h] is written out for every pair
        kept[1:3] = [torch.empty(B, T, S, 2 * H, device="meta")]
    return sum(tensor.numel() for tensor in kept)


# %% id="memory-numbers"
with reveal("06.memory", kept_numbers("additive") / kept_numbers("dot"), within=15):
    print("50 × 50 words, 4 bytes per number  here    at H = A = 1000, B = 128")
    for kind in ("dot", "general", "additive (concat, split)", "concat as printed"):
        sizes = kept_numbers(kind), kept_numbers(kind, B=128, H=1000, A=1000)
        print(f"{kind:28}", *[f"{count * 4e-6:12,.1f} MB" for count in sizes])

# %% [markdown] id="memory-read"
# <details><summary>What it says</summary>
#
# The right column has the size of Luong's network. Dot keeps $B \cdot T \cdot S$ scores. The tanh
# needs $A$ numbers for *every pair* of words, so even the split form keeps more than $A$ times as
# much; the formula as printed, with $[s ; h]$ written out, needs another $2H$ for each pair.
# Cutting the matrix in two makes concat bearable.
#
# </details>
#
# ### Time
#
# Whole trainings of a translator, recorded three times with each score:

# %% id="time-recorded"
from attnbook import read_record

runs = read_record("06_scores")["runs"]
seconds = {k: [run["seconds"] for run in runs if run["variant"] == k] for k in KINDS}
print("recorded: time of a whole training, mean of dot = 1 (lowest – highest)")
for kind in KINDS:
    ratios = [x * 3 / sum(seconds["dot"]) for x in seconds[kind]]
    print(f"  {kind:12} {min(ratios):.1f} – {max(ratios):.1f}")

# %% [markdown] id="time-read"
# The tanh makes this training about a quarter longer (part of it because the library computes it
# twice, to save that memory). A matrix costs next to nothing: it is applied once per sentence, not
# once per pair of words. (The machine was shared.)

# %% [markdown] id="worlds-text"
# ## Three worlds
#
# A query lives in the decoder's space, a key in the encoder's (**latent spaces**, 잠재 공간). Which
# score finds the right key depends on how the one space lies in the other. In these toy tasks we
# know. An example is a query and some keys, all equally long; the query was made from one of the
# keys, and the task is to say from which.
#
# - **shared**: the query *is* the key;
# - **rotated**: the query is the key, turned by a matrix that keeps all lengths and angles (a
#   rotation; a reflection may be part of it);
# - **folded**: as rotated, and then every number loses its sign, a nonlinear map.

# %% id="worlds"
flat = torch.tensor([[0.26, -0.966], [0.966, 0.26]])  # turns the plane by 75 degrees
wide, _ = torch.linalg.qr(torch.randn(8, 8, generator=generator))
WORLDS, ROTATION = ("shared", "rotated", "folded"), {2: flat, 8: wide}


def query_from(world, key):
    """The query that belongs to a key, before noise."""
    turned = key @ ROTATION[key.shape[-1]].T
    return {"shared": key, "rotated": turned, "folded": turned.abs()}[world]


# %% [markdown] id="worlds-2d-text"
# First in two dimensions, where one can see it. In each panel the query (the diamond) was made from
# $h_2$, the thick arrow.

# %% id="worlds-2d" tags=["hide-input"]
# draws the figure
angles = torch.deg2rad(torch.tensor([10.0, 85.0, 150.0, 215.0, 300.0]))
around = math.sqrt(2) * torch.stack([angles.cos(), angles.sin()], dim=1)  # five keys
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.9), sharey=True)
for ax, world in zip(axes, WORLDS):
    ax.add_patch(plt.Circle((0, 0), math.sqrt(2), fill=False, color="#bbbbbb"))
    for n, key in enumerate(around, 1):
        look = {"arrowstyle": "-|>", "color": figures.PALETTE[0], "lw": 3 if n == 2 else 1}
        ax.annotate("", key.tolist(), (0, 0), arrowprops=look)
        ax.text(*(1.25 * key).tolist(), f"$h_{n}$", ha="center", va="center")
    made = query_from(world, around[1])
    ax.scatter(*made, marker="D", s=80, color=figures.PALETTE[1], zorder=3)
    ax.set(title=world, xlim=(-2.1, 2.1), ylim=(-2.1, 2.1), aspect="equal")
    ax.set_xlabel("first number")
axes[0].set_ylabel("second number")
fig.suptitle("Where is the query (diamond) that was made from the second key?")
plt.show()

# %% [markdown] id="worlds-2d-alt"
# <details><summary>The figure in words</summary>
#
# Three circles with five keys as arrows from the center, the second one thick and pointing up, and
# a query drawn as a diamond. Shared: the diamond lies on the tip of the thick arrow. Rotated: it
# lies a quarter turn further to the left, next to the third key. Folded: it lies at the right, next
# to the first key.
#
# </details>

# %% id="worlds-2d-dot"
print("dot product with  ", *[f"   h_{n}" for n in range(1, 6)])
for world in WORLDS:
    found = around @ query_from(world, around[1])
    best = f"best: h_{1 + int(found.argmax())}"
    print(f"  {world:16}", *[f"{e:6.2f}" for e in found], f"  {best}")

# %% [markdown] id="worlds-2d-read"
# Dot looks for the key that points where the query points. In the *rotated* world that is another
# key, and a matrix that turns back would put it right. In the *folded* world the query has lost its
# signs: the key opposite to $h_2$ would have made the same query.
#
# Now let scores learn, by gradient descent on the **cross-entropy** of the weights (here the right
# key is given), 150 updates for all. "concat + bias" has a bias inside its tanh, $W_a [s ; h] + b$
# (the next section says why).


# %% id="toy-examples"
from torch.nn import functional as F


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
# In the plane there are five keys, so that guessing is right in 20 % of the cases. After 2,000
# examples of the folded world, how many percent of new ones does *general* get right?

# %% id="predict-folded"
predict("06.folded", ...)

# %% id="learned-maps-figure" tags=["hide-input"]
# draws the figure
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
        "Learned scores: light where a key would get a high score "
        "(◆ query, ring: its key, ×: the place opposite)"
    )
    plt.show()

# %% id="learned-maps"
plane = {"size": 2, "choices": 5, "noise": 0.1}
learned, share = {}, {}
for case in (
    ("dot", "shared"), ("general", "rotated"),
    ("general", "folded"), ("concat + bias", "folded"),
):
    kind, world = case
    learned[case] = fit_score(kind, *toy_examples(world, 2000, **plane))
    share[case] = 100 * accuracy(learned[case], *toy_examples(world, 1000, **plane))
with reveal("06.folded", share["general", "folded"], within=10):
    for (kind, world), right in share.items():
        print(f"{kind:14} in the {world:8} world: ≈{right:2.0f} % right")
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
# In the second map the diamond is far from the ringed key, and yet the map rises toward the key:
# the matrix has learned to turn back. In the folded world the right score must be high at *both*
# ends of the line through ring and cross, and a linear score that rises toward one end falls toward
# the other. General finds no direction that works and keeps all its scores near 0 (read the color
# scale). Concat has learned a *valley*, high at ring and cross. (It cannot tell the two apart, and
# nothing can: both make this query.)
#
# </details>
#
# ### How many examples does it take?
#
# The same with ten keys of eight numbers and more noise; guessing gives 10 %.

# %% id="worlds-run"
import itertools

counts, tried = (15, 60, 240, 2000), ("dot", "general", "concat", "concat + bias")
result = {}  # world, kind → (three fits, four counts)
for world in WORLDS:
    test = toy_examples(world, 1000)
    for kind in tried:
        right = torch.zeros(3, len(counts))
        for fit, column in itertools.product(range(3), range(len(counts))):
            score = fit_score(kind, *toy_examples(world, counts[column]))
            right[fit, column] = 100 * accuracy(score, *test)
        result[world, kind] = right

# %% id="worlds-numbers"
print("right answers in %, mean of three fits:   after 15 examples    after 2,000")
for (world, kind), right in result.items():
    few, _, _, many = right.mean(0)
    print(f"  {world:8} {kind:14} {f'≈{few:3.0f}':>26} {f'≈{many:3.0f}':>18}")

# %% id="worlds-check" tags=["check"]
# checks what the text says
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

# %% id="worlds-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.9), sharey=True)
for ax, world in zip(axes, WORLDS):
    for n, kind in enumerate(tried):
        right, color = result[world, kind], figures.PALETTE[n]
        style = "osD^"[n] + ("-", "--", "-.", ":")[n]
        ax.plot(counts, right.mean(0), style, color=color, label=kind)
        ax.fill_between(counts, right.amin(0), right.amax(0), color=color, alpha=0.2)
    ax.set(title=world, xlabel="examples to learn from", xscale="log", ylim=(0, 104))
    ax.set_xticks(counts, counts)
axes[0].set_ylabel("right answers (%)")
fig.suptitle("Which key? New examples, mean and range of three fits")
handles, names = axes[0].get_legend_handles_labels()
fig.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
plt.show()

# %% [markdown] id="worlds-figure-alt"
# <details><summary>The figure in words</summary>
#
# Three line charts of right answers in percent against 15, 60, 240 and 2,000 examples. Shared
# world: dot is level at 100; general starts near 60, concat with a bias near 30, and both reach
# 100. Rotated world: dot lies near the bottom, general starts near 85, concat with a bias lower,
# and both reach 100. Folded world: dot and general stay near 10; concat and concat with a bias rise
# together. In the first two worlds plain concat stays near 15, however many examples it sees.
#
# </details>

# %% [markdown] id="worlds-read"
# - *Shared*: dot knows the answer before it has seen an example. General has 64 numbers to find: a
#   more general score needs more data.
# - *Rotated*: dot is worse than guessing (this matrix happens to turn more away from a key than
#   toward it), and no amount of data helps, since it has nothing to learn with. One matrix is what
#   is missing.
# - *Folded*: no matrix can help: what a linear score gains on a key $h$ it loses on $-h$. The
#   network in concat can learn the fold, given many examples.
#
# So match the score to the map between the spaces. But look at plain concat: with 2,000 examples it
# does well in the *hardest* world and fails in the *easiest*.

# %% [markdown] id="odd-text"
# <details><summary>Why plain concat cannot do what a dot product does</summary>
#
# The formula of concat has no **bias** (편향), and $\tanh(-x) = -\tanh(x)$. So
#
# $$\mathrm{score}(-s, -h) = v^\top \tanh(-W_1 s - W_2 h) = -\,\mathrm{score}(s, h).$$
#
# Such a function is called **odd**. A dot product is **even**: $(-s)^\top(-h) = s^\top h$. Flip the
# sign of all vectors of an example: in the shared world that is another example, just as probable,
# with the same answer. But of the keys, the one with the highest score in an example has the lowest
# in its mirror image, so plain concat has no example right together with its mirror image. This is
# not a matter of training or width; the *formula* cannot. In the folded world it escapes: all
# queries there are positive but for noise, so the mirror image is no example of that world.
#
# A bias breaks the symmetry, and concat learns all three worlds. The formula as printed in both
# papers has none, and neither has the library. ([Bahdanau et al.
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015) state in §A.2 that they leave all bias terms out of
# the formulas to make them easier to read.) A translator's states come out of networks with biases
# of their own, so that a constant may come for free.
#
# </details>

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
# - Five formulas, of which two are one function: concat is additive with its matrices side by side.
# - `linear.weight` is $W_a$ if the layer acts on the keys, $W_a^\top$ if it acts on the query.
# - Dot needs a shared space, general a linear map, concat learns a nonlinear one; each step needs
#   more data.
# - Without a bias concat is odd and a dot product even: there are simple tasks that concat cannot
#   do.
# - A matrix costs little, a tanh costs memory: $A$ numbers for each pair of words.
#
# **Left out.** Location-based scores. Memory is counted from shapes, not measured.
#
# <details><summary>Papers</summary>
#
# [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (§A.1.2, §A.2); [Luong, Pham
# and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3.1);
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (§3.2.1);
# [Graves et al. 2014](D_papers.ipynb#cell-id=graves-2014).
#
# </details>
#
# **Next.** [06b](06b_scale.ipynb): how large a score should be, and which one translates.
