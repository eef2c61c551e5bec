# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 06 · How should a query be compared with a key?
#
# **What you will be able to do.** Draw the five usual scores of attention, write them from memory
# and check them against the library. Say what each can and cannot express, what it costs, and what
# dividing by a square root does. Choose a score for given data, and compare scores in a translator
# without fooling yourself.
#
# **What you need.** Chapter 5: scores → weights → context. Chapter 4 has the softmax and its
# temperature.
#
# **First sitting: what a score can say.** 40 minutes to read, 48 for exercises 6.1 to 6.4. Its aim:
# you can look at data and say which score can find the right key, and why the others cannot. Must
# be read: *Five ways*, *Dot*, *General*, *Concat*, *Three worlds*. May be skipped: *Which transpose
# is `linear.weight`?* (until you copy a weight from one program to another).
#
# **Second sitting: how large a score should be, and which one translates.** 40 minutes to read, 35
# for exercises 6.5 and 6.6. Its aim: you know what a divisor does to training, and how little, or
# how much, a score decides. Must be read: *Why divide by √H?*, *Five scores in one translator*,
# *Divide by another number*, *A larger corpus*, *Real captions*. May be skipped: *What they cost*,
# *One word off?*, *Did the missing bias hurt?*
#
# **To run:** at most a minute with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import json
import math
import time

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import about, budget, exercise, predict, progress, recall, reveal, said, views
from attnbook.figures import bleu_by_length, learning_curves, scores_diagram
from attnlib import figures
from attnlib.data import Batches, WordVocabulary, bundled_directory, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.metrics import aer, links_from_weights
from attnlib.model import (
    AdditiveAttention,
    ConcatAttention,
    DotAttention,
    Encoder,
    GeneralAttention,
    LuongDecoder,
    Seq2Seq,
    make_attention,
)
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(6)

# %% id="first"
KINDS = ("dot", "scaled_dot", "general", "concat", "additive")
modules = {kind: make_attention(kind, 128, 128, 64) for kind in KINDS}
scores_diagram(modules)

# %% [markdown] id="first-read"
# Attention asks one question for every pair of a query $s_t$ and a key $h_j$: *how well do you two
# match?* The answer is one number, the **score** $e_{tj}$ (스코어). Everything after it, softmax
# and weighted sum, is the same for all kinds of attention. The drawing shows the five usual ways
# from two vectors to that number. "×, Σ" multiplies number by number and adds up: a **dot product**
# (내적). What is learned has a letter of its own, $W_a$, $U_a$ or $v_a$, and the last line counts
# how many numbers that is for vectors of 128.
#
# So which one? Two of the five turn out to be the same. One cannot do what another does with
# nothing learned at all. And a single constant in the place of the "√H" can decide whether a
# translator translates, though √H itself will not.

# %% [markdown] id="recall-text"
# Before we begin, five short questions on earlier chapters. Answer them, or read on.

# %% id="recall"
recall("06")

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
# size of what is inside the tanh. (Bahdanau's query is the state one step earlier, $s_{t-1}$, as in
# chapter 5; the form of the score is the same.) Two more you may meet: the cosine times a
# *sharpness* $\beta$ ([Graves et al. 2014](D_papers.ipynb#cell-id=graves-2014), chapter 4), and
# *location*, which ignores the keys.
#
# Four of them by hand, on one query and three keys of two numbers. (The fifth, additive, will turn
# out to be concat in other clothes.)

# %% id="hand-numbers"
s = torch.tensor([1.0, 2.0])  # the query s_t
h = torch.tensor([[2.0, -0.5], [0.0, 1.0], [1.0, 1.0]])  # the keys h_1, h_2, h_3
W = torch.tensor([[0.0, 1.0], [1.0, 0.0]])  # W_a of general: exchanges the two numbers
both = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]])  # W_a of concat, on [s ; h]
v = torch.tensor([-3.0, 1.0])  # v_a


def times(a, b):
    return sum(float(x) * float(y) for x, y in zip(a, b))


# %% id="hand"
def by_hand(key):
    """All scores of s and one key, number by number."""
    mapped = [times(row, key) for row in W]  # W_a h
    hidden = [math.tanh(times(row, [*s, *key])) for row in both]  # tanh(W_a [s ; h])
    dot = times(s, key)
    return {
        "dot": dot, "scaled dot": dot / math.sqrt(2),
        "general": times(s, mapped), "concat": times(v, hidden),
    }


hand = {kind: [by_hand(key)[kind] for key in h] for kind in by_hand(s)}
print("scores of         h_1    h_2    h_3      weights")
for kind, row in hand.items():
    weights = torch.tensor(row).softmax(-1)
    print(f"  {kind:12}", *[f"{e:6.2f}" for e in row], "  ", *[f"{w:5.2f}" for w in weights])

# %% [markdown] id="hand-read"
# Dot prefers $h_3$, general $h_1$, concat $h_2$. Dot and scaled dot rank the keys alike, as they
# must: the one is the other divided by a constant, so that its weights are more even. The matrix of
# general and the little network of concat have favorites of their own. None of them is "right": a
# score is a *form*, and training decides what it is filled with.
#
# Does the library find the same numbers? If it did not, this cell would stop:

# %% id="agree"
query, keys = s.view(1, 1, 2), h.view(1, 3, 2)  # (B, T, H), (B, S, H)
small = {kind: make_attention(kind, 2, 2) for kind in ("dot", "scaled_dot", "general", "concat")}
with torch.no_grad():
    small["general"].project.weight.copy_(W)
    small["concat"].weight.copy_(both)
    small["concat"].v.copy_(v)
    for module, row in zip(small.values(), hand.values()):
        of_library = module.scores(query, module.prepare(keys))[0, 0]
        torch.testing.assert_close(of_library, torch.tensor(row))
print("by hand = attnlib, for", ", ".join(small))

# %% [markdown] id="plane-text"
# A key of two numbers is a point in the plane. So keep the query, let the key be *every* point in
# turn, and color the point by its score: the whole opinion of a score in one picture.


# %% id="plane" tags=["hide-input"]
def level_map(ax, score, query, title, mark=60):
    """Color the plane of keys by their score, light = high, with lines of equal score."""
    ends = torch.linspace(-2.4, 2.4, 61)
    points = torch.cartesian_prod(ends, ends)
    with torch.no_grad():
        level = score(query.expand(1, -1), points.unsqueeze(0)).view(61, 61).T
    ax.contourf(ends, ends, level, 12, cmap="cividis")
    ax.contour(ends, ends, level, 12, colors="white", linewidths=0.6)
    look = {"color": figures.PALETTE[1], "edgecolor": "white", "zorder": 2.5}
    ax.scatter(*query[:2], marker="D", s=mark, **look)
    ax.set(title=title, aspect="equal", xlabel="first number of the key")
    ax.set_xticks(range(-2, 3))
    ax.set_yticks(range(-2, 3))


def scored_by(kind):
    """The scores of a module as a function of queries (N, H) and keys (N, S, H)."""
    module = small[kind]
    return lambda query, keys: module.scores(query.unsqueeze(1), module.prepare(keys)).squeeze(1)


fig, axes = plt.subplots(1, 3, figsize=(9.5, 4.0), sharey=True)
for ax, kind in zip(axes, ("dot", "general", "concat")):
    level_map(ax, scored_by(kind), s, kind)
    ax.scatter(*h.T, color="white", edgecolor="black", zorder=3)
    for n, (x, y) in enumerate(h.tolist(), 1):
        place = (5 if x < 2 else -17, -13)  # no label touches the frame
        ax.annotate(f"$h_{n}$", (x, y), place, textcoords="offset points", color="white")
axes[0].set_ylabel("second number of the key")
fig.suptitle("One query (diamond): light where a key would get a high score")
plt.show()

# %% [markdown] id="plane-alt"
# <details><summary>The figure in words</summary>
#
# Three maps of the plane of keys, dark for low scores and light for high ones, with lines of equal
# score. Dot: straight parallel lines, lightest toward the upper right, the direction of the query.
# General: straight parallel lines too, lightest toward the right, another direction. Concat: the
# lines are bent, and the map is lightest at the left edge. The three keys are white points.
#
# </details>

# %% [markdown] id="plane-read"
# The score of *dot* rises in the direction of the query and is the same along every line at right
# angles to it. *General* is the same picture turned and stretched: its lines are straight as well,
# since $s^\top W_a h$ is **linear** in the key. Whatever $W_a$ is, a linear map has one uphill
# direction, and if it rises toward $h$, it falls toward $-h$. *Concat* has a bend in it. Keep these
# three pictures in mind; nearly everything below can be read off them.

# %% [markdown] id="dot-text"
# ## Dot: nothing to learn
#
# $s^\top h = \lVert s \rVert\, \lVert h \rVert \cos\varphi$, where $\varphi$ is the angle between
# the two. So the dot product asks two things at once: do they point the same way, and how long are
# they? Here $h_2$ is made three times as long:

# %% id="long"
for name, key in (("h_2", h[1]), ("3 h_2", 3 * h[1])):
    cosine = F.cosine_similarity(s, key, dim=0)
    print(f"{name:6} dot {s @ key:.2f}   cosine {cosine:.2f}")

# %% [markdown] id="long-read"
# A long key shouts: it gets a high score from every query that points its way even roughly.
# (Chapter 4 met the other extreme: a cosine cannot shout at all.) A network can use the length to
# say how important a word is.
#
# The price of having nothing to learn: number meets number, so both vectors need the same size, and
# the third number of the query must mean what the third number of the key means.

# %% [markdown] id="ex-dot-score-text"
# ### Exercise 6.1 · The dot score, and a clear refusal
# *Warm-up, 6 minutes.* All dot products of a batch: query (B, T, H), keys (B, S, H), result
# (B, T, S). If the two sizes differ, raise a `ValueError` whose message names both numbers.
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
    """Scores e = query keys^T. query (B, T, H), keys (B, S, H) → (B, T, S); other sizes: error."""
    raise NotImplementedError


# %% id="refusal"
try:
    dot_score(torch.ones(1, 1, 3), torch.ones(1, 5, 1))
except ValueError as problem:
    print("query of 3 numbers, keys of 1:", type(problem).__name__)
silent = (torch.ones(1, 1, 1, 3) * torch.ones(1, 1, 5, 1)).sum(-1)
print("the same sum by broadcasting:  no error, and scores of shape", tuple(silent.shape))

# %% [markdown] id="refusal-read"
# Why bother, if `@` would fail anyway? Because other ways to write the same sum do not: with
# broadcasting, a key of one number is silently repeated, as the second line shows. An error at the
# border names the argument; an error ten calls deeper names a matrix.

# %% [markdown] id="general-text"
# ## General: a matrix in between
#
# Put a matrix that can be learned between the two. Three matrices, and what they make of the dot
# product:

# %% id="general"
matrices = {
    "identity: the dot product itself": torch.eye(2),
    "diagonal: some numbers count more": torch.diag(torch.tensor([10.0, 0.0])),
    "any: the numbers may be mixed": W,
}
for name, matrix in matrices.items():
    print(f"{name:34}", [round(x, 1) for x in (s @ matrix @ h.T).tolist()])

# %% [markdown] id="general-read"
# **You will often read that** *general* is a generalized **inner product** (일반화된 내적). In the
# strict sense of mathematics it is not. An inner product is symmetric, and the product of a vector
# with itself is positive (unless the vector is 0). A matrix for which both fail:

# %% id="bilinear"
skew = torch.tensor([[0.0, 1.0], [-2.0, 0.0]])
print("score(s, h_1) and score(h_1, s):", (s @ skew @ h[0]).item(), (h[0] @ skew @ s).item())
print("score(s, s):                    ", (s @ skew @ s).item())

# %% [markdown] id="bilinear-read"
# Neither holds for an arbitrary $W_a$; the proper name is **bilinear form**. That is no defect: a
# query looks for something *other* than itself (a verb for its subject, a Korean word for an
# English one), so there is no reason why the score should be symmetric. Nor need $W_a$ be square:
# it may stand between vectors of different sizes. Then its two sides must not be confused.

# %% [markdown] id="transpose-text"
# ### Which transpose is `linear.weight`?
#
# In code $W_a$ is usually a linear layer, and a layer made by `nn.Linear(n, m)` keeps a weight of
# shape $(m, n)$ and computes `x @ weight.T`. Whether `weight` is $W_a$ or its transpose depends on
# **the side on which the layer acts**. The library lets it act on the keys; many programs let it
# act on the query. A Transformer (chapter 11) has one on each side. A query of 3 numbers, keys of
# 5:

# %% id="transpose"
q, k = torch.randn(1, 1, 3, generator=generator), torch.randn(1, 4, 5, generator=generator)
layers = {
    "acts on the key": (None, nn.Linear(5, 3, bias=False)),
    "acts on the query": (nn.Linear(3, 5, bias=False), None),
    "one on each side": (nn.Linear(3, 2, bias=False), nn.Linear(5, 2, bias=False)),
}
for name, pair in layers.items():
    shapes = [tuple(layer.weight.shape) if layer else "-" for layer in pair]
    print(f"{name:18} query's weight {shapes[0]!s:7} key's weight {shapes[1]}")

# %% [markdown] id="ex-general-matrix-text"
# ### Exercise 6.2 · Find $W_a$
# *Core, 10 minutes.* Two linear layers for queries of Hd and keys of He numbers: `from_query`
# (A, Hd) and `from_key` (A, He) are their weights. The query goes through the first, the key
# through the second, and the score is the dot product of the results, of A numbers each. One of
# the two may be `None`: no layer there. Return the matrix $W_a$ of shape (Hd, He) for which
# $s^\top W_a h$ is the same score.
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
    """W_a (Hd, He) of two layers' weights, (A, Hd) on the query and (A, He) on the key, or None."""
    raise NotImplementedError


# %% id="transpose-check"
for name, (on_query, on_key) in layers.items():
    pair = [layer.weight if layer else None for layer in (on_query, on_key)]
    layered = dot_score(on_query(q) if on_query else q, on_key(k) if on_key else k)
    matrix = general_matrix(*pair)
    torch.testing.assert_close(q @ matrix @ k.transpose(1, 2), layered)  # the same scores
    print(f"{name:18} W_a has shape {tuple(matrix.shape)}, rank {torch.linalg.matrix_rank(matrix)}")
assert GeneralAttention(3, 5).project.weight.shape == (3, 5)  # the library's weight is W_a itself

# %% [markdown] id="transpose-read"
# On the key: `weight` *is* $W_a$. On the query: it is $W_a^\top$. With a weight $P$ on the query
# and $R$ on the key: $W_a = P^\top R$, whose **rank** (the number of its independent directions) is
# at most the number of rows of $P$, here 2. That is a cheap way to have a large $W_a$ with few
# parameters. With square matrices the wrong transpose runs without an error and even trains; only a
# weight that is *copied* from one program to another gives it away. Test with sizes that differ.

# %% [markdown] id="concat-text"
# ## Concat: a small network
#
# The third way is a small neural network that is given a query and a key and answers with a number.
# The two are put end to end; then come a first layer $W_a$, a bend (the tanh, a **nonlinearity**),
# and a second layer $v_a$ with a single output. In PyTorch's words:

# %% id="network"
network = nn.Sequential(nn.Linear(4, 2, bias=False), nn.Tanh(), nn.Linear(2, 1, bias=False))
with torch.no_grad():
    network[0].weight.copy_(both)  # W_1 = W_a
    network[2].weight.copy_(v.unsqueeze(0))  # W_2 = v_a as a matrix of one row
    pairs = torch.cat([s.expand(3, 2), h], dim=-1)  # [s ; h_j]: (3, 4)
    print("weight of the last layer:", tuple(network[2].weight.shape))
    print("a number for each pair:  ", [round(e, 2) for e in network(pairs).squeeze(-1).tolist()])

# %% [markdown] id="network-read"
# The numbers of concat from above. The last layer is $v_a^\top$, a matrix with one row, and that is
# why a **scalar** (스칼라), a single number, comes out. So the score has become a small module that
# is trained. It is not trained on matches, though: nobody says which pairs belong together. Its
# gradient comes through the softmax and the context from the words of the translation.

# %% [markdown] id="ex-concat-score-text"
# ### Exercise 6.3 · Luong's concat
# *Core, 12 minutes.* query (B, T, Hd), keys (B, S, He), `weight` $W_a$ (A, Hd + He), `v` (A,),
# result (B, T, S). No bias.
#
# <details><summary>Hint 1</summary>
#
# Every query must stand beside every key: a tensor (B, T, S, Hd + He).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# <code>query.unsqueeze(2).expand(-1, -1, S, -1)</code> has shape (B, T, S, Hd). Do the same for the
# keys, at another dimension.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Join the two along the last dimension; then a product with the transposed weight, the tanh, and a
# product with v. Or leave [s ; h] unwritten and give each its own columns of the weight.
#
# </details>


# %% id="ex-concat-score" tags=["exercise"]
@exercise
def concat_score(query, keys, weight, v):
    """v^T tanh(W [s ; h]). query (B, T, Hd), keys (B, S, He), weight (A, Hd + He), v (A,)."""
    raise NotImplementedError


# %% [markdown] id="split-text"
# ### Concat and additive are one score
#
# **You will often read that** concat (Luong) and additive (Bahdanau) are two kinds of attention
# score. Look at the product inside: the left columns of $W_a$ meet only $s$, the right ones only
# $h$.
#
# $$W_a [s ; h] = \begin{bmatrix} W_1 & W_2 \end{bmatrix} \begin{bmatrix} s \\ h \end{bmatrix}
# = W_1 s + W_2 h$$
#
# So cut the matrix of a concat score in two, give the halves to an additive one, and compare.

# %% id="split"
concat, additive = ConcatAttention(3, 5, hidden_size=4), AdditiveAttention(3, 5, hidden_size=4)
with torch.no_grad():
    additive.from_query.weight.copy_(concat.weight[:, :3])  # W_1: the columns of the query
    additive.from_key.weight.copy_(concat.weight[:, 3:])  # W_2: those of the key
    additive.v.copy_(concat.v)
    one = concat_score(q, k, concat.weight, concat.v)
    other = additive.scores(q, additive.prepare(k))
torch.testing.assert_close(one, other)
for name, row in (("concat, yours  ", one), ("additive, attnlib", other)):
    print(f"{name:18}", [round(e, 4) for e in row[0, 0].tolist()])

# %% [markdown] id="split-read"
# Equal, with the same number of parameters. In the drawing at the top the last two columns differ
# only in where the matrix is cut. So whatever differs between "Luong's concat" and "Bahdanau's
# attention" in a benchmark, it is not the score: it is *when* the decoder attends (chapter 5), what
# its weights are before training, or what computing it costs.

# %% [markdown] id="parameters-text"
# How many numbers are learned? General has $H_d H_e$, concat and additive have $A (H_d + H_e) + A$,
# for queries of $H_d$ and keys of $H_e$ numbers. The width $A$ is free:

# %% id="parameters"
print("sizes of query, key, A      general    concat = additive")
for query_size, key_size, width in ((128, 128, 64), (128, 128, 128), (1000, 2000, 1000)):
    pair = [make_attention(kind, query_size, key_size, width) for kind in ("general", "additive")]
    counted = [sum(p.numel() for p in module.parameters()) for module in pair]
    assert counted == [query_size * key_size, width * (query_size + key_size + 1)]
    print(f"{query_size:6} {key_size:6} {width:6} {counted[0]:16,} {counted[1]:14,}")

# %% [markdown] id="parameters-read"
# With $A = H/2$ concat costs what general costs, but for $v_a$. Further down we use just these
# sizes, so that no score wins by being bigger.

# %% [markdown] id="worlds-text"
# ## Three worlds
#
# Two languages, two spaces (**latent spaces**, 잠재 공간): a query lives in the decoder's, a key in
# the encoder's. Which score finds the right key depends on how the one space lies in the other. So
# take worlds in which we know. A puzzle is a query and some keys, all equally long; the query was
# made from one of them, and the task is to say from which.
#
# - **shared**: the query *is* the key;
# - **rotated**: the query is the key, turned by a matrix that keeps all lengths and angles (a
#   rotation; a mirror may be part of it);
# - **folded**: as rotated, and then every number loses its sign: a *warp*, as if the space had been
#   folded up like a sheet of paper.

# %% id="worlds"
flat = torch.tensor([[0.26, -0.966], [0.966, 0.26]])  # turns the plane by 75 degrees
wide, _ = torch.linalg.qr(torch.randn(8, 8, generator=generator))
WORLDS, TURNS = ("shared", "rotated", "folded"), {2: flat, 8: wide}


def asked(world, key):
    """The query that belongs to a key, before noise."""
    turned = key @ TURNS[key.shape[-1]].T
    return {"shared": key, "rotated": turned, "folded": turned.abs()}[world]


# %% [markdown] id="worlds-2d-text"
# First in two dimensions, where one can see it. In each panel the query (the diamond) was made from
# $h_2$, the thick arrow.

# %% id="worlds-2d" tags=["hide-input"]
angles = torch.deg2rad(torch.tensor([10.0, 85.0, 150.0, 215.0, 300.0]))
around = math.sqrt(2) * torch.stack([angles.cos(), angles.sin()], dim=1)  # five keys
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.9), sharey=True)
for ax, world in zip(axes, WORLDS):
    ax.add_patch(plt.Circle((0, 0), math.sqrt(2), fill=False, color="#bbbbbb"))
    for n, key in enumerate(around, 1):
        look = {"arrowstyle": "-|>", "color": figures.PALETTE[0], "lw": 3 if n == 2 else 1}
        ax.annotate("", key.tolist(), (0, 0), arrowprops=look)
        ax.text(*(1.25 * key).tolist(), f"$h_{n}$", ha="center", va="center")
    ax.scatter(*asked(world, around[1]), marker="D", s=80, color=figures.PALETTE[1], zorder=3)
    ax.set(title=world, xlim=(-2.1, 2.1), ylim=(-2.1, 2.1), aspect="equal", xlabel="first number")
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
    found = around @ asked(world, around[1])
    print(f"  {world:16}", *[f"{e:6.2f}" for e in found], f"  best: h_{1 + int(found.argmax())}")

# %% [markdown] id="worlds-2d-read"
# Dot looks for the key that points where the query points. In the shared world that is right, in
# the other two it is another key. In the *rotated* world a matrix that turns back would put it
# right. In the *folded* world the query has lost its signs: from the key opposite to $h_2$ the same
# query would have been made. The right score must be high on *both* ends of that line, and we have
# seen that no straight map can be.
#
# Now let scores learn. Each is fitted by gradient descent on the **cross-entropy** of the weights
# (here somebody does tell the right ones), 150 updates, the same for all. "concat + 1" is concat
# with a 1 appended to every query; its story comes below.


# %% id="fit"
def puzzles(world, count, size=8, choices=10, noise=0.3):
    """Queries (N, H), their keys (N, choices, H), and which key is wanted (N,)."""
    keys = torch.randn(count, choices, size, generator=generator)
    keys = F.normalize(keys, dim=-1) * math.sqrt(size)
    wanted = torch.randint(choices, (count,), generator=generator)
    query = asked(world, keys[torch.arange(count), wanted])
    return query + noise * torch.randn(count, size, generator=generator), keys, wanted


def fit_score(kind, query, keys, wanted):
    """Train a score on puzzles; return it as a function (query, keys) → scores (N, S)."""
    size, one = keys.shape[-1], int(kind.endswith("1"))
    module = make_attention(kind.removesuffix(" + 1"), size + one, size, 48)

    def score(query, keys):
        query = F.pad(query, (0, one), value=1.0).unsqueeze(1)  # (N, 1, H or H + 1)
        return module.scores(query, module.prepare(keys)).squeeze(1)

    if kind != "dot":  # it has nothing to train
        optimizer = torch.optim.Adam(module.parameters())
        rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=150)
        for _ in range(150):
            rows = torch.randint(len(query), (32,), generator=generator)
            loss = F.cross_entropy(score(query[rows], keys[rows]), wanted[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rate.step()
    return score


# %% id="learned-maps"
def accuracy(score, query, keys, wanted):
    with torch.no_grad():
        return (score(query, keys).argmax(-1) == wanted).double().mean().item()


flatland = {"size": 2, "choices": 5, "noise": 0.1}
learned = {}
for kind, world in (
    ("dot", "shared"), ("general", "rotated"), ("general", "folded"), ("concat + 1", "folded")
):
    learned[kind, world] = fit_score(kind, *puzzles(world, 2000, **flatland))
    share = 100 * accuracy(learned[kind, world], *puzzles(world, 1000, **flatland))
    low, high = {("general", "folded"): (8, 35), ("concat + 1", "folded"): (48, 85)}.get(
        (kind, world), (78, 99)
    )
    print(f"{kind:10} in the {world:8} world: {about(share, low, high, '.0f')} % right (guess: 20)")

# %% id="learned-maps-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 4, figsize=(11, 3.5), sharey=True)
for ax, ((kind, world), score) in zip(axes, learned.items()):
    mark = 220 if world == "shared" else 60  # there it lies under its key
    level_map(ax, score, asked(world, around[1]), f"{kind}, {world}", mark)
    ax.scatter(*around.T, color="white", edgecolor="black", zorder=3)
    ax.scatter(*around[1], s=150, facecolor="none", edgecolor="white", linewidths=2, zorder=4)
    ax.scatter(*-around[1], s=90, marker="x", color="white", zorder=4)
axes[0].set_ylabel("second number of the key")
fig.suptitle("Learned scores: light where a key would get a high score")
plt.show()

# %% [markdown] id="learned-maps-alt"
# <details><summary>The figure in words</summary>
#
# Four maps of the plane of keys, with the five keys as points, the right one ringed, and a cross at
# the place opposite to it. Dot in the shared world, where the diamond lies beneath the ring, and
# general in the rotated one: straight lines, rising toward the ringed key and falling toward the
# cross. General in the folded world: straight lines, rising toward somewhere else. Concat + 1 in
# the folded world: a dark valley through the center, light at the ringed key and, on the other
# side, at the cross.
#
# </details>

# %% [markdown] id="learned-maps-read"
# In the second map the diamond is far from the ringed key, and yet the map rises toward the key:
# the matrix has learned to turn back. In the folded world general finds no direction that works,
# because there is none. Concat + 1 has learned a *valley*, high at the ringed key and high at the
# cross opposite to it, which is just what the folded world asks for. (It cannot tell the two apart,
# nor can anybody: both make this query. So in the plane nobody is always right.)
#
# Now in earnest: ten keys of eight numbers, more noise, and the question is how many puzzles it
# takes. Guessing gives 10 %. In the folded world, how many percent does *general* get right after
# 2,000 puzzles?

# %% id="predict-folded"
predict("06.folded", ...)

# %% id="worlds-run"
counts, tried = (15, 60, 240, 2000), ("dot", "general", "concat", "concat + 1")
result = {}  # world, kind → (three fits, four counts)
for world in WORLDS:
    test = puzzles(world, 1000)
    for kind in tried:
        fits = [[fit_score(kind, *puzzles(world, n)) for n in counts] for _ in range(3)]
        result[world, kind] = torch.tensor([[accuracy(f, *test) for f in row] for row in fits])

# %% id="worlds-numbers"
bands = {  # of 15 puzzles and of 2,000, where the score decides; elsewhere anything goes
    ("shared", "dot"): ((95, 100), (95, 100)), ("shared", "general"): ((25, 75), (97, 100)),
    ("shared", "concat"): ((3, 28), (3, 28)), ("rotated", "dot"): ((0, 20), (0, 20)),
    ("rotated", "general"): ((60, 96), (97, 100)), ("rotated", "concat"): ((3, 28), (3, 28)),
    ("rotated", "concat + 1"): ((15, 65), (97, 100)), ("folded", "dot"): ((3, 20), (3, 20)),
    ("folded", "general"): ((4, 20), (4, 20)), ("folded", "concat"): ((5, 30), (60, 97)),
}
print("right answers in %, mean of three fits:   after 15 puzzles     after 2,000")
for (world, kind), runs in result.items():
    few, many = 100 * runs[:, 0].mean(), 100 * runs[:, -1].mean()
    low, high = bands.get((world, kind), ((5, 75), (55, 100)))
    shown = f"{about(few, *low, '.0f'):>10} {about(many, *high, '.0f'):>16}"
    print(f"  {world:8} {kind:12} {shown:>48}")
reveal("06.folded", 100 * result["folded", "general"][:, -1].mean(), within=10)

# %% id="worlds-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.9), sharey=True)
for ax, world in zip(axes, WORLDS):
    for n, kind in enumerate(tried):
        runs, look = 100 * result[world, kind], {"color": figures.PALETTE[n], "label": kind}
        ax.plot(counts, runs.mean(0), "osD^"[n] + ("-", "--", "-.", ":")[n], **look)
        ax.fill_between(counts, runs.amin(0), runs.amax(0), color=figures.PALETTE[n], alpha=0.2)
    ax.set(title=world, xlabel="puzzles to learn from", xscale="log", ylim=(0, 104))
    ax.set_xticks(counts, counts)
axes[0].set_ylabel("right answers (%)")
fig.suptitle("Which key? New puzzles, mean and range of three fits")
handles, names = axes[0].get_legend_handles_labels()
fig.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
plt.show()

# %% [markdown] id="worlds-figure-alt"
# <details><summary>The figure in words</summary>
#
# Three line charts of right answers in percent against 15, 60, 240 and 2,000 puzzles. Shared world:
# dot is level at 100; general and concat + 1 start at about half or less and reach 100. Rotated
# world: dot lies near the bottom, general starts near 85, concat + 1 lower, and both reach 100.
# Folded world: dot and general stay near 10; concat and concat + 1 rise together. In the first two
# worlds plain concat stays near 15, however many puzzles it sees.
#
# </details>

# %% [markdown] id="worlds-read"
# - *Shared*: dot knows the answer before it has seen a puzzle. General has 64 numbers to find, and
#   with few puzzles it finds wrong ones. More general is not better; it is *hungrier*.
# - *Rotated*: dot is worse than guessing (this matrix happens to turn more away from a key than
#   toward it), and no amount of data helps, since it has nothing to learn with. One matrix is
#   exactly what is missing.
# - *Folded*: no matrix can help, as the maps have shown: what a linear score gains on a key $h$ it
#   loses on $-h$. The network in concat can learn the fold, given many puzzles.
#
# So match the score to the map between the spaces. But look at plain concat in the first two
# worlds.

# %% [markdown] id="odd-text"
# ### The score that cannot do what a dot product does
#
# With 2,000 puzzles, concat does well in the *hardest* world and fails in the *easiest*. Its
# formula has no **bias** (편향), and $\tanh(-x) = -\tanh(x)$. So
#
# $$\mathrm{score}(-s, -h) = v^\top \tanh(-W_1 s - W_2 h) = -\,\mathrm{score}(s, h).$$
#
# Such a function is called **odd**. A dot product is **even**: $(-s)^\top(-h) = s^\top h$. Turn all
# vectors of a puzzle round. In the shared world that is again a puzzle, just as frequent, with the
# same answer; but concat now ranks the ten keys in *reverse*. Of 1,000 puzzles and their mirror
# images, how many *pairs* can plain concat have entirely right?

# %% id="predict-odd"
predict("06.odd", ...)

# %% id="odd"
query, keys, wanted = puzzles("shared", 1000)
print("puzzles that are right together with their mirror image, of 1,000")
for kind in ("general", "concat + 1", "concat"):
    score = fit_score(kind, *puzzles("shared", 2000))
    right = (score(query, keys).argmax(-1) == wanted) & (score(-query, -keys).argmax(-1) == wanted)
    count = int(right.sum())
    print(f"  {kind:12}", count if kind == "concat" else about(count, 900, 1000, ".0f"))
reveal("06.odd", count)

# %% [markdown] id="odd-read"
# None: whoever is first in one is last in the other. This is not a matter of training, of width or
# of luck; the *formula* cannot. In the folded world it escapes: all queries there are positive but
# for noise, so $-s$ is hardly ever asked, and the mirror image is no puzzle of that world.
#
# A single constant mends it: with a 1 beside the query, $W_1 [s ; 1]$ is a matrix times $s$ plus a
# vector $b$, and the symmetry is broken. That is "concat + 1", which does well in all three worlds
# once it has enough data. With a bias inside, as `nn.Linear` has unless told otherwise, concat
# learns all three. The formula as printed in both papers has none, and neither has the library.
# (That says nothing about the authors' programs: [Bahdanau et al.
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015) state in §A.2 that they leave all bias terms out of
# the formulas to make them easier to read.)
#
# Does it hurt a translator? Its states come out of networks that have biases of their own and need
# not be symmetric around zero, so a constant comes for free. Recorded runs below test it.

# %% [markdown] id="ex-pick-score-text"
# ### Exercise 6.4 · Let the data choose
# *Hard, 20 minutes.* `fit(kind, query, keys, wanted)` trains a score and returns a function
# `score(query, keys)` that gives (N, S) scores. The kinds are "dot", "general" and "concat". You
# get N examples: query (N, H), keys (N, S, H), wanted (N,). Fit every kind on the first half, count
# how often the highest score is that of the wanted key on the second half, and return the best
# kind. Of equally good ones return the first in the order above: the simplest.
#
# <details><summary>Hint 1</summary>
#
# Cut all three tensors at <code>len(query) // 2</code>.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The choice of a score in each example is the argmax over its last dimension.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Go through the kinds in their order and keep the count of each. Python's <code>max</code> returns
# the first of several largest.
#
# </details>


# %% id="ex-pick-score" tags=["exercise"]
@exercise
def pick_score(fit, query, keys, wanted):
    """ "dot", "general" or "concat": whichever is best on the half that it was not fitted to."""
    raise NotImplementedError


# %% id="pick"
def fit_any(kind, query, keys, wanted):
    return fit_score("concat + 1" if kind == "concat" else kind, query, keys, wanted)


for world, count in (("shared", 40), ("rotated", 100), ("folded", 3000)):
    print(f"{world:8} {count:5,} examples: {pick_score(fit_any, *puzzles(world, count))}")

# %% [markdown] id="pick-read"
# The half that was held out picks the score that fits the world, and nobody had to look at a map.
# Toy worlds are clean, though: their vectors are given. Here ends the first sitting. The second
# asks what happens where the vectors are learned along with the score.

# %% [markdown] id="cost-text"
# ## Second sitting: what they cost
#
# Parameters are the small part. What is large are the numbers that must be *held* between the
# forward and the backward pass. They follow from the shapes, and torch's "meta" device computes
# shapes without any numbers in them. A batch of 32 sentences, 50 words to 50 words: how many times
# more numbers does additive hold than dot?

# %% id="predict-memory"
predict("06.memory", ...)


# %% id="memory"
def held(kind, B=32, T=50, S=50, H=128, A=64):
    """How many numbers a score makes on its way, counted from the shapes of its tensors."""
    query, keys = torch.empty(B, T, H, device="meta"), torch.empty(B, S, H, device="meta")
    kept = [query @ keys.transpose(1, 2)]  # (B, T, S): these are needed by all
    if kind == "general":
        kept += [keys @ torch.empty(H, H, device="meta")]
    if kind != "dot" and kind != "general":
        made = [query @ torch.empty(H, A, device="meta"), keys @ torch.empty(H, A, device="meta")]
        kept += [*made, made[0].unsqueeze(2) + made[1].unsqueeze(1)]  # (B, T, S, A)
    if kind == "concat as printed":  # [s ; h] is written out for every pair
        kept[1:3] = [torch.empty(B, T, S, 2 * H, device="meta")]
    return sum(tensor.numel() for tensor in kept)


# %% id="memory-numbers"
print("50 × 50 words, 4 bytes a number  here    at H = A = 1000, B = 128")
for kind in ("dot", "general", "additive (concat, split)", "concat as printed"):
    sizes = held(kind), held(kind, B=128, H=1000, A=1000)
    print(f"{kind:26}", *[f"{count * 4e-6:12,.1f} MB" for count in sizes])
reveal("06.memory", held("additive") / held("dot"), within=15)

# %% [markdown] id="memory-read"
# The left column has the sizes of this chapter's translator, the right one a batch of 128 at the
# size of Luong's network. Dot holds $B \cdot T \cdot S$ scores. The tanh needs a vector of $A$
# numbers for *every pair* of words, so that even the split form holds more than $A$ times as much;
# and the formula as printed, with $[s ; h]$ written out, needs another $2H$ for each pair. Cutting
# the matrix in two is what makes concat bearable. The library does it; from some millions of
# numbers on it holds only a few pairs at a time, and makes them anew in the backward pass.
#
# Time follows memory: one forward and backward pass of the score alone. (These numbers differ from
# machine to machine and from run to run.) And the whole training of a translator with each score,
# recorded three times: the runs that *Five scores in one translator* looks at below.

# %% id="time" tags=["nbval-ignore-output"]
big, narrow = torch.randn(32, 50, 128, requires_grad=True), torch.randn(32, 50, 128)
taken = {}
for kind in (*KINDS, *KINDS):  # the first round warms up
    start = time.process_time()
    for _ in range(5):
        modules[kind](big, narrow, narrow)[0].sum().backward()
    taken[kind] = time.process_time() - start
print("time of one pass, dot = 1")
for kind, seconds in taken.items():
    print(f"  {kind:12} {seconds / taken['dot']:5.1f}")


# %% id="time-recorded"
def read_record(name):
    """A file of recorded runs, with the command that made it."""
    path = bundled_directory().parent / "runs" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


record = read_record("06_scores")


def recorded(variant, what, of=record):
    """One row a seed."""
    return torch.tensor([run[what] for run in of["runs"] if run["variant"] == variant])


def span(numbers, digits=0):
    return f"{numbers.min():.{digits}f} – {numbers.max():.{digits}f}"


base = recorded("dot", "seconds").mean()
print("recorded: time of a whole training, dot = 1 (lowest – highest)")
for kind in KINDS:
    print(f"  {kind:12} {span(recorded(kind, 'seconds') / base, 1)}")

# %% [markdown] id="time-read"
# Attention alone takes many times as long with a tanh inside (the library computes it twice). In a
# whole translator that is diluted by everything else: the tanh makes this training about a quarter
# longer, part of it because it is computed twice to save that memory. A matrix costs next to
# nothing: it is applied to the keys once a sentence, not once a pair of words. These are timings of
# a shared machine, so trust no more than the first digit.

# %% [markdown] id="scale-text"
# ## Why divide by √H?
#
# A dot product sums $H$ products. If the numbers of query and key are independent with mean 0 and
# variance 1, each product has mean 0 and variance 1 as well, and variances of independent terms add
# up:
#
# $$\mathrm{Var}(s^\top h) = H \qquad\Rightarrow\qquad
# \mathrm{Var}\big(s^\top h / \sqrt{H}\big) = 1$$

# %% id="variance"
print("size H   variance of s·h   its root, the spread   spread of s·h / √H")
for size in (4, 16, 64, 256, 1024):
    a, b = (torch.randn(4000, size, generator=generator) for _ in range(2))
    products = (a * b).sum(-1)
    spread = products.std().item()
    print(f"{size:6} {products.var():13.1f} {spread:20.1f} {spread / size**0.5:21.2f}")

# %% [markdown] id="variance-read"
# $H$ grows 256 times, the **spread** (the standard deviation) $\sqrt{256} = 16$ times, from about 2
# to about 32. And a softmax sees differences: with scores that lie 30 apart it is no longer soft.
# So $\sqrt{H}$ is a temperature, in chapter 4's sense. Here are the scores of six random keys of 64
# numbers for one random query. Find the step nearest to $\tau = 8$, which is $\sqrt{64}$ (the
# slider has 7.94), and compare it with $\tau = 1$, no division at all. Below, both are printed.

# %% id="temperature-view"
a = torch.randn(64, generator=torch.Generator().manual_seed(1))
b = torch.randn(6, 64, generator=torch.Generator().manual_seed(2))
views.temperature_view(b @ a, [f"key {n}" for n in range(1, 7)], title="√H is a temperature")

# %% id="temperature-root"
print("weights of key   ", *[f"{n:4}" for n in range(1, 7)])
for name, tau in (("τ = 1", 1), ("τ = 8 = √64", 8)):
    print(f"  {name:15}", *[f"{weight:4.2f}" for weight in (b @ a / tau).softmax(-1)])

# %% [markdown] id="saturation-text"
# ### What saturation does to the gradient
#
# A softmax row passes the gradient on through its **Jacobian**, the table of all its derivatives,
#
# $$\frac{\partial \alpha_j}{\partial e_k} = \alpha_j (\delta_{jk} - \alpha_k),$$
#
# where $\delta_{jk}$ is 1 if $j = k$ and 0 otherwise. When one weight goes to 1, all entries go to
# 0: the softmax is **saturated** (포화). We measure the table by its **Frobenius norm**, the root
# of the sum of its squared entries. Twenty random keys, five values of $H$:


# %% id="saturation"
def sharpness(rows):
    """Mean over the rows: the largest weight, and the size of the softmax's Jacobian."""
    alpha = rows.softmax(-1)
    jacobian = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
    return alpha.amax(-1).mean().item(), jacobian.flatten(-2).norm(dim=-1).mean().item()


curves = {"dot": [], "scaled dot": []}
print("            largest of 20 weights      size of the Jacobian")
print("size H         dot    scaled dot         dot    scaled dot")
for size in (4, 16, 64, 256, 1024):
    a = torch.randn(1, 200, size, generator=generator)
    b = torch.randn(1, 20, size, generator=generator)
    plain = dot_score(a, b)
    curves["dot"].append(sharpness(plain))
    curves["scaled dot"].append(sharpness(plain / math.sqrt(size)))
    (w, j), (scaled_w, scaled_j) = curves["dot"][-1], curves["scaled dot"][-1]
    print(f"{size:6} {w:11.2f} {scaled_w:13.2f} {j:11.2f} {scaled_j:13.2f}")

# %% id="saturation-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.5))
labels = ("largest weight of 20 keys (0 to 1)", "size of the Jacobian (Frobenius norm)")
for part, (ax, label) in enumerate(zip(axes, labels)):
    for n, (name, points) in enumerate(curves.items()):
        numbers, look = [point[part] for point in points], "os"[n] + ("-", "--")[n]
        ax.plot((4, 16, 64, 256, 1024), numbers, look, color=figures.PALETTE[n], label=name)
    ax.set(xlabel="size H of query and key (numbers)", ylabel=label, ylim=(0, None))
    ax.set_xscale("log", base=2)
    ax.set_xticks((4, 16, 64, 256, 1024), (4, 16, 64, 256, 1024))
axes[0].legend(frameon=False)
fig.suptitle("Random queries and keys: the softmax hardens, its gradient dies")
plt.show()

# %% [markdown] id="saturation-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two line charts over sizes 4 to 1024. On the left the largest of twenty weights rises with the
# plain dot product from below one half to nearly 1, and stays near 0.2 with the scaled one. On the
# right the size of the softmax's Jacobian is level with the scaled dot product; with the plain one
# it starts slightly higher and falls to a small fraction.
#
# </details>

# %% [markdown] id="faded-text"
# ### The same shape of problem, half done
#
# The next exercise takes a gradient back through a softmax of any size. With *two* keys a softmax
# is a **sigmoid** of the gap between the scores: $\alpha_1 = \sigma(e_1 - e_2)$, and
# $\alpha_2 = 1 - \alpha_1$. Let the loss have the derivatives $g_1$ and $g_2$ with respect to the
# two weights. When $e_1$ rises a little, the first weight rises by $\alpha_1 (1 - \alpha_1)$ times
# as much. The line "yours" has taken that into account. What has it forgotten about the second
# weight?

# %% id="faded"
gap = torch.tensor([1.0, 0.0], requires_grad=True)  # the two scores
g = torch.tensor([3.0, 2.0])  # ∂L/∂α
alpha = gap.softmax(0)
(auto,) = torch.autograd.grad((alpha * g).sum(), gap)
first = alpha[0].item()
yours = first * (1 - first) * g[0].item()  # yours: and the second weight?
print(f"autograd {auto[0]:.3f}, yours {yours:.3f}")

# %% [markdown] id="ex-through-softmax-text"
# ### Exercise 6.5 · Back through a softmax
# *Hard, 15 minutes.* Given the weights $\alpha$ and the gradient of some loss with respect to the
# weights, $g_j = \partial L / \partial \alpha_j$, both (..., S), return the gradient with respect
# to the scores, $\partial L / \partial e_k$. Use the Jacobian above; do not call autograd.
#
# <details><summary>Hint 1</summary>
#
# Chain rule: $\sum_j g_j\, \partial \alpha_j / \partial e_k$. Put the Jacobian in.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The part with $\delta_{jk}$ leaves one term, the other is a sum over j that does not depend on k.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The weight times how far g is above its mean, and the mean is weighted by α. Along which
# dimension, and which shape must it keep?
#
# </details>


# %% id="ex-through-softmax" tags=["exercise"]
@exercise
def through_softmax(weights, gradient):
    """Gradient with respect to the scores; weights α and gradient ∂L/∂α are both (..., S)."""
    raise NotImplementedError


# %% [markdown] id="stuck-text"
# Does a dying gradient matter, as long as the attention is *right*? It matters when it is wrong. A
# context should be the first of two values, and the scores favor the second, by 1, by 4, by 12. The
# error grows. By which factor does the gradient that should repair it *fall*, from 1 to 12? (A
# power of ten will do: 3 for a thousand.)

# %% id="predict-stuck"
predict("06.stuck", ...)

# %% id="stuck"
values, repair = torch.eye(2), []  # the context should be values[0]
for lead in (1.0, 4.0, 12.0):
    two = torch.tensor([0.0, lead], requires_grad=True)
    alpha = two.softmax(-1)
    loss = (alpha @ values - values[0]).square().sum()
    (auto,) = torch.autograd.grad(loss, two)
    g = 2 * (alpha @ values - values[0]) @ values.T  # ∂L/∂α
    torch.testing.assert_close(through_softmax(alpha, g), auto)
    repair.append(auto[0].abs().item())
    print(f"gap {lead:4.0f}: error {loss:.2f}, gradient of the right score {repair[-1]:.5f}")
reveal("06.stuck", math.log10(repair[0] / repair[-1]), within=1)

# %% [markdown] id="stuck-read"
# The error is largest where the gradient is smallest: a softmax that is surely wrong cannot be
# talked out of it. (The cross-entropy *of the weights themselves* would not suffer: its gradient is
# $\alpha - y$, where $y$ is 1 for the right key and 0 for the others. A translator has no such
# loss: nobody tells it the right weights, so everything it learns about scores passes this
# Jacobian.)
#
# This is the argument of [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) for
# $\sqrt{H}$ (they write $\sqrt{d_k}$, and offer it as a suspicion). They report that additive
# attention does better than the unscaled dot product when the vectors are long, citing [Britz et
# al. (2017)](D_papers.ipynb#cell-id=britz-2017). Mind the premise: *independent numbers of variance
# 1*.

# %% [markdown] id="translators-text"
# ## Five scores in one translator
#
# In a translator the vectors are *made* by networks that are trained along with the score, and may
# bend themselves until it fits (chapter 5 saw two spaces meet). So the question is not "which score
# fits?" but "with which score does the whole learn best, on the same budget?"
#
# Chapter 5's translator from Korean to English, with Luong's decoder: the same encoder, batches and
# learning rate; only the score is exchanged. Where it has a hidden layer, the width of that is $A =
# 64$, so that no score wins by being bigger.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
print(f"{len(ids):,} pairs to learn from, {len(english)} English words and marks")


def make_model(attention):
    """Chapter 5's translator with this attention module."""
    source, target = nn.Embedding(len(korean), 128), nn.Embedding(len(english), 128)
    for table in (source, target):
        nn.init.normal_(table.weight, std=128**-0.5)
    encoder = Encoder(source, 128, cell="lstm", dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, 128, 128, 128, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(128, len(english))
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    decoder.attention = attention
    return Seq2Seq(encoder, decoder, output)


# %% id="matched"
totals = {}
for kind in KINDS:
    whole = make_model(make_attention(kind, 128, 128, 64))
    totals[kind] = sum(p.numel() for p in whole.parameters())
print("parameters:", ", ".join(f"{kind} {total:,}" for kind, total in totals.items()))
print(f"the largest is {100 * (max(totals.values()) / min(totals.values()) - 1):.1f} % larger")
assert max(totals.values()) < 1.05 * min(totals.values())


# %% [markdown] id="record-text"
# Five scores with three **seeds** each take minutes on any processor: they are **recorded runs** of
# 1,000 updates, made by `python benchmarks/scores_chapter.py` and read from a file.


# %% id="record"
before = read_record("05_attention")
for what in ("bleu", "aer"):  # dot is chapter 5's Luong model: its records are the same numbers
    assert torch.equal(recorded("dot", what), recorded("luong", what, before))
print(f"{record['updates']:,} updates, {len(recorded('dot', 'seed'))} seeds a score")

# %% id="length-numbers"
print("recorded, three seeds, BLEU   4–10 tokens   11–40 tokens   41–50 tokens   new combinations")
for kind in KINDS:
    bleu = recorded(kind, "bleu")
    others = [run["others"] for run in record["runs"] if run["variant"] == kind]
    new = torch.tensor([other["test_composition"]["bleu"] for other in others])
    columns = (bleu[:, 0], bleu[:, 1:4], bleu[:, 4], new)
    print(f"  {kind:12}", " " * 10, *[f"{span(column):>14}" for column in columns])
print("general, seed by seed, 4–10, 11–20, 21–30, 31–40, 41–50 tokens")
for number, scores in enumerate(recorded("general", "bleu"), 1):
    print(f"  seed {number}", *[f"{score:6.1f}" for score in scores])

# %% [markdown] id="length-read"
# **This is a ceiling.** Nearly everything stands between 95 and 100, because the corpus is small
# and clean, and so is the test of new combinations, in which a verb has an object that it never had
# in training. A test that everybody passes ranks nobody: concat and additive, one and the same
# function, differ by up to two BLEU, so that gaps of that size mean nothing. And one run stands
# apart. General with its second seed is behind the other two at every length, by about six BLEU
# from 11 tokens on. Whoever had trained that one alone would have written that general is the worst
# of the five.
#
# So this table answers *does it work?* (all five do) and not *which is better?* For that we need
# what is *not* at the ceiling: how soon the alignment is found, what happens when a score is made
# worse on purpose, and harder data. One after the other.

# %% [markdown] id="found-text"
# ### Who finds the alignment first?
#
# While each run trained, its **alignment error rate** on 100 validation pairs was noted every 100
# updates (chapter 5: 0 if every link agrees with the *gold* links, those that the grammar gives, 1
# if none does).

# %% id="found" tags=["hide-input"]
lines = {kind: recorded(kind, "aer_while") for kind in KINDS}
learning_curves(
    record["watched"],
    lines,
    title="Alignment error while training (recorded runs, mean and range of three seeds)",
    xlabel="updates",
    ylabel="alignment error rate (0 to 1)",
)
plt.show()

# %% [markdown] id="found-alt"
# <details><summary>The figure in words</summary>
#
# Alignment error rate against 100 to 1,000 updates, falling from about 0.9 for all. Dot falls first
# and is near 0.2 after 300 updates, general follows, then scaled dot, then concat and additive,
# close together. At the end all lie below 0.2, dot, scaled dot and general near 0.1.
#
# </details>

# %% id="found-numbers"
print("recorded             AER after 300 updates   at the end (test)   weight on gold links")
for kind in KINDS:
    early, late = recorded(kind, "aer_while")[:, 2], recorded(kind, "aer")
    columns = span(early, 2), span(late, 2), span(recorded(kind, "probability_mass"), 2)
    print(f"  {kind:12} {columns[0]:>24} {columns[1]:>19} {columns[2]:>22}")
starts = modules["additive"].from_query.weight.std(), modules["concat"].weight.std()
print("spread of the matrix before training: additive {:.3f}, concat {:.3f}".format(*starts))

# %% [markdown] id="found-read"
# - *Dot first, concat last*: the simplest score is the quickest. But it is not the number of
#   parameters: scaled dot has none and is slower than general.
# - *Concat and additive* stay close but do not coincide (0.47–0.49 and 0.43–0.44 after 300
#   updates): the same function, but additive's matrices start about 1.4 times as large. A gap of
#   that size between two scores need not be about the scores.
# - *The last column*, the share of the weight that falls on the gold links. Dot and general put
#   about four fifths or more there. Scaled dot puts about half there, in all seeds: its weights are
#   *soft*. Concat and additive lie in between. A likely reason: a tanh stays between −1 and 1, so
#   their score can never exceed the sum of the absolute values in $v_a$, and sharp weights need a
#   large $v_a$ first.

# %% [markdown] id="premise-text"
# ## Divide by another number
#
# Scaled dot is softer than dot and slower to align. But was scaling not a good thing? **You will
# often read that** dot products must be divided by $\sqrt{H}$, or training stalls. The argument had
# a premise, numbers of variance 1, so that the scores of 128 numbers have a spread of 11.3. What
# spread do they have *here*, in an untrained translator? Measure it. What a softmax sees are
# differences within a row, so that is where the spread must be measured.

# %% id="predict-spread"
predict("06.spread", ...)

# %% [markdown] id="ex-score-spread-text"
# ### Exercise 6.6 · The number that √H stands for
# *Hard, 20 minutes.* How far do the dot products of a batch spread within a row? query (B, T, H)
# and keys (B, S, H) are padded; `query_mask` (B, T) and `key_mask` (B, S) are True where a word is
# real. For every *real* query take its scores with the *real* keys of its sentence, and their
# variance: the mean of the squared distances from the mean of this row (divided by their number,
# not one less). Take the mean of the variances of all real queries in the batch, and of that the
# root. Return this one number, a scalar tensor or a float.
#
# <details><summary>Hint 1</summary>
#
# A loop over sentences and queries is fine, and <code>keys[b, key_mask[b]]</code> are the real keys
# of one sentence. Without a loop: sums over the last dimension of scores times mask, divided by how
# many are real.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# <code>mean()</code> and <code>var()</code> count padding as well, and <code>var()</code> divides
# by one less unless told otherwise.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A variance for each row, (B, T); then only the real rows, which a boolean index picks; then one
# mean and one root, at the very end.
#
# </details>


# %% id="ex-score-spread" tags=["exercise"]
@exercise
def score_spread(query, keys, query_mask, key_mask):
    """Root of the mean variance of a row of real scores. (B, T, H), (B, S, H), (B, T), (B, S)."""
    raise NotImplementedError


# %% id="premise"
@torch.no_grad()
def spread_of(model):
    """The spread of s·h in the rows of 64 training pairs."""
    batch = make_batch([x for x, _ in ids[:64]], [y for _, y in ids[:64]])
    memory, decoder = model.encode(batch.src, batch.src_mask), model.decoder
    states, _ = decoder.run(decoder.embed(batch.tgt_in).unsqueeze(1), decoder.start(memory))
    return float(score_spread(states.squeeze(1), memory.states, batch.tgt_mask, batch.src_mask))


seed_everything(1)
measured = spread_of(make_model(DotAttention(128, 128)).eval())
print(f"the premise says {128**0.5:.1f}")
print(f"before training  {measured:.3f}")
reveal("06.spread", measured, within=0.1)

# %% [markdown] id="premise-read"
# The scores are not too large; they are far too *small*. The numbers in an LSTM's state lie between
# −1 and 1, and before training they are close to 0; so are those of the $W x_j$ in the keys
# (chapter 5). Dividing them by 11.3 flattens an almost flat softmax still further.
#
# That suggests a hypothesis: *scaled dot is slower because its scores start too small.* Then the
# right divisor is not $\sqrt{H}$ but what the spread really is, so that the scores start with a
# spread of 1; and with this number a translator should learn the alignment sooner than with plain
# dot. A hypothesis that one can test is worth more than a reason that sounds well. So: divide by
# another number, and train.

# %% [markdown] id="divided-text"
# Two translators with the same seed, batches and updates. One has the plain dot product, the other
# divides it by the number that you have just measured. Which of them has the smaller alignment
# error after training, "plain" or "measured"?

# %% id="predict-divided"
predict("06.divided", ...)


# %% id="divided"
class DividedDot(DotAttention):
    """e_tj = s_tᵀ h_j / c."""

    divisor = 1.0

    def scores(self, query, prepared):
        return super().scores(query, prepared) / self.divisor


@torch.no_grad()
def largest_weight(model):
    """The largest weight that a step gives to a word, mean of all steps of 64 training pairs."""
    batch = make_batch([x for x, _ in ids[:64]], [y for _, y in ids[:64]])
    _, weights = model.eval()(batch.src, batch.src_mask, batch.tgt_in)
    return weights.amax(-1)[batch.tgt_mask].mean().item()


def train_divided(divisor, updates, seed):
    """A translator whose dot products are divided by a number, and its largest weights so far."""
    seed_everything(seed)
    score = DividedDot(128, 128)
    score.divisor = divisor
    model = make_model(score)
    batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=seed)
    recipe = Recipe(
        updates=updates, warmup=updates // 4, learning_rate=4e-3, label_smoothing=0.0,
        validate_every=50, precision="fp32", seed=seed,
    )
    seen = [largest_weight(model)]

    def watch(model):
        """Look on, every 50 updates; the count that it returns makes the last weights the best."""
        seen.append(largest_weight(model))
        return len(seen)

    fit(model, batches, recipe, score=watch)
    return Translator(model.eval(), korean, english), seen


@torch.no_grad()
def forced(translator, pairs):
    """α (T, S) of every pair while the model reads the reference, without the end tokens."""
    sides = [(korean.encode(p.src), english.encode(p.tgt)) for p in pairs]
    batch = make_batch(*zip(*sides))
    _, weights = translator.model(batch.src, batch.src_mask, batch.tgt_in)
    return [w[: len(y), : len(x)] for w, (x, y) in zip(weights, sides)]


# %% id="updates"
updates = budget(500, slow=300, unit="AMX")

# %% id="train" tags=["nbval-ignore-output"]
divisors = {"plain": 1.0, "measured": measured}
trained = {name: train_divided(c, updates, seed=1) for name, c in divisors.items()}
translators = {name: translator for name, (translator, _) in trained.items()}

# %% id="divided-result"
gold, error = [pair.links for pair in corpus.test], {}
for name, translator in translators.items():
    error[name] = aer([links_from_weights(w) for w in forced(translator, corpus.test)], gold)
    low, high = {"plain": (0.05, 0.45), "measured": (0.35, 0.95)}[name]
    shown = about(error[name], low, high)
    print(f"{name:9} ÷ {divisors[name]:5.3f}: alignment error rate {shown}")
assert error["plain"] + 0.1 < error["measured"]
reveal("06.divided", min(error, key=error.get))

# %% id="hardened"
bands = {
    "plain": ((0.03, 0.1), (0.03, 0.5), (0.15, 0.7), (0.3, 0.9)),
    "measured": ((0.1, 0.4), (0.75, 1), (0.8, 1), (0.85, 1)),
}
print("the largest weight of a step, mean, after     0     50    100    200 updates")
for name, (_, seen) in trained.items():
    looks = zip((0, 50, 100, 200), bands[name])
    print(f"  {name:36}", *[f"{about(seen[n // 50], *band):>6}" for n, band in looks])

# %% id="divided-story"
story = (
    "민수는 시장에서 작은 배 다섯 개를 샀습니다."  # Minsu bought five small pears at the market.
)
for name, translator in translators.items():
    print(f"{name:9}", said(translator.translate([story], beam=1)[0].text))

# %% [markdown] id="divided-read"
# The prediction has failed, and by a wide margin. The measured divisor makes every score about
# forty times as large. A spread of 1 is not yet saturated (*scaled dot* in the table of twenty
# keys). But *any* small step of the weights now moves the scores forty times as far, and the table
# above shows what comes of it: after 50 updates most of the weight of a step lies on one word. That
# is before there is anything to know (in the figure of alignment errors every score is still
# near 0.9 after 100), and what saturation does to the gradient we have seen. The plain dot product
# makes up its mind later, while its error falls. Compare the two translations of the story's
# sentence; *Minsu bought five small pears at the market* would be right.
#
# Was this one unlucky seed? Recorded runs with 1,000 updates and five divisors; two of them are the
# runs of dot and scaled dot above, the others come from `python benchmarks/divisors.py`:

# %% id="divisors"
divided = read_record("06_divisors")
of_divisor = {  # the recorded runs, the largest divisor first
    "128 = H": [run for run in divided["runs"] if run["variant"] == "128"],
    "11.3 = √H": [run for run in record["runs"] if run["variant"] == "scaled_dot"],
    "1 (dot)": [run for run in record["runs"] if run["variant"] == "dot"],
    "0.25": [run for run in divided["runs"] if run["variant"] == "0.25"],
    "as measured": [run for run in divided["runs"] if run["variant"] == "measured"],
}
print("divided by     seeds   AER after 300    AER (test)    weight on gold   BLEU, 41–50 tokens")
for name, runs in of_divisor.items():
    early = torch.tensor([run["aer_while"][2] for run in runs])
    late, mass = (torch.tensor([run[what] for run in runs]) for what in ("aer", "probability_mass"))
    long = torch.tensor([run["bleu"][-1] for run in runs])
    columns = span(early, 2), span(late, 2), span(mass, 2), span(long)
    print(f"{name:12} {len(runs):5}", *[f"{column:>15}" for column in columns])

# %% id="divisors-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8, 3.8))
for number in range(3):
    runs = [runs[number] for runs in of_divisor.values()]
    places = [128, 128**0.5, 1, 0.25, runs[-1]["divisor"]]
    ax.plot(places, [run["aer"] for run in runs], marker="osD"[number], label=f"seed {number + 1}",
            ls=("-", "--", "-.")[number], color=figures.PALETTE[number])
ax.axvline(math.sqrt(128), color="gray", lw=1, ls=":")
ax.annotate("√H", (math.sqrt(128), 0.72), (4, 0), textcoords="offset points")
ax.set(xscale="log", ylim=(0, 0.8), xlabel="the dot product is divided by (log scale)")
ax.set(ylabel="alignment error rate (0 to 1)")
ax.set_title("Too sharp on the left, too soft on the right (recorded, a line for each seed)")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="divisors-alt"
# <details><summary>The figure in words</summary>
#
# Alignment error rate after 1,000 updates against the divisor on a logarithmic axis, a line for
# each seed. All lines have the shape of a U: high at the left, where the divisor is the measured
# 0.02, low and nearly level from 0.25 over 1 to the square root of H, and highest at 128.
#
# </details>

# %% [markdown] id="trained-spread-text"
# What became of the spread? Before and after training (dot and scaled dot were trained once more
# for this, and came out the same):

# %% id="trained-spread"
print("spread of s·h in a row, mean of the seeds")
print("divided by   seeds    before    after training   so the softmax gets")
told = dict(zip(("128", "root", "1", "0.25", "measured"), of_divisor))
for again, kind in (("root", "scaled_dot"), ("1", "dot")):  # made again: the same numbers
    assert torch.equal(recorded(again, "aer", divided), recorded(kind, "aer"))
for variant, name in told.items():
    spreads, by = recorded(variant, "spread", divided), recorded(variant, "divisor", divided)
    got = (spreads[:, 1] / by).mean()
    print(f"{name:12} {len(by):5} {spreads[:, 0].mean():9.3f} {spreads[:, 1].mean():17.1f} "
          f"{got:21.2f}")

# %% [markdown] id="divisors-read"
# The curve has the shape of a U, and no seed disagrees. Divided by $H$ itself (a slip that is
# easily made) the translator fails too, at the other end. In between lies a valley so wide that
# $\sqrt{H}$, 1 and 0.25 all end at about the same error. The last table tells more:
#
# - *Training stretches the vectors.* Whatever the divisor, the dot products end some two hundred
#   times as far apart as they began, or more. **A learned vector has a length of its own, and
#   training can undo a constant that is not too far off.** Divided by $\sqrt{H}$ they stretch more
#   than three times as far as undivided.
# - *But not without end.* Divided by $\sqrt{H}$ the dot products end with a spread of about 20,
#   divided by $H$ with no more. For $\sqrt{H}$ that leaves the softmax nearly 2, which makes soft
#   weights; for $H$ next to nothing, and the weights are still flat when the training ends. Why it
#   ends near 20 we have not tested.
# - *And it does not shrink.* Divided by the measured number the softmax gets a spread of more than
#   two hundred: it is as hard as a choice can be, and was hard too early, as we have seen.
#
# These runs refute that a spread of 1 is the best start. But a divisor changes two things: where
# the scores start, and how far each step of the weights moves them. Which of the two is it, at the
# left end of the U? If it is the step, then a quarter of the learning rate must help the measured
# divisor. A small rate is slow in itself, so there are also runs with a quarter of the rate *and*
# four times the updates. And a divisor can be *learned*, $c = e^a$ with everything else, from 1 or
# from the measured number. Write down, before you run the cell, which of these will end near the
# plain dot product.

# %% id="divisors-controls"
ways = {"": "the rate of all chapters", "-slow": "a quarter of it",
        "-slow-long": "a quarter, 4 × the updates"}
print("recorded, three seeds       AER (test), divisor 1     AER, divisor as measured")
for way, name in ways.items():
    aer_pair = [recorded(f"{start}{way}", "aer", divided) for start in ("1", "measured")]
    print(f"{name:26}", *[f"{span(column, 2):>26}" for column in aer_pair])
freed = [recorded(kind, "aer", divided) for kind in ("learned", "learned-measured")]
print(f"{'learned, starting there':26}", *[f"{span(column, 2):>26}" for column in freed])
ends = [recorded(kind, "divisor", divided) for kind in ("learned", "learned-measured")]
print(f"{'   where it ends':26}", *[f"{span(column, 2):>26}" for column in ends])
for way in ways:  # with no rate does the measured divisor reach the plain one, in any seed
    one, other = (recorded(f"{start}{way}", "aer", divided) for start in ("1", "measured"))
    assert one.max() < other.min()
assert freed[0].max() < freed[1].min()

# %% [markdown] id="divisors-why"
# A smaller step does not help. With a quarter of the rate the measured divisor is further behind
# the plain one, with four times the updates it is about where it was, and so it is when it may
# learn its divisor: it moves the number up, about threefold, and there it ends, far from 1. So it
# is not the size of the step alone: what is started wrong at the left end, training does not mend.
# One reading is the one of the section on saturation: weights that are sharp before anything is
# known pass hardly any gradient, and there is nothing to unlearn them with.
#
# At the right end it is the other way round: $\sqrt{H}$ starts far too soft, and stretches its
# vectors until it has what it needs. The simplest reading of all the tables: a softmax has to
# become sharp *while* it learns where to look, no later and no sooner. That is a reading, not a
# proof; the open experiment below lets you attack it. And a Transformer normalizes its vectors
# before it compares them (chapter 11), so that it starts about where the premise of $\sqrt{H}$
# assumes. There $\sqrt{H}$ has its good reason.
#
# <details><summary>How sure?</summary>
#
# One small corpus, one architecture, five divisors, and the number of seeds that the tables print.
# At a quarter of the learning rate the plain dot product is the best of the five as well
# (`06_divisors.json`); at a sixteenth nothing is learned in 1,000 updates by either of the two that
# were tried. Where the valley ends, between 0.02 and 0.25 and between 11.3 and 128, nobody has
# looked.
#
# </details>

# %% [markdown] id="larger-text"
# ## A larger corpus
#
# The easy corpus has fewer than a hundred English words. `ko-en`, the other one of this book, has
# many times as many, and tests that nobody passes. The same five translators on it, three times
# the updates (recorded with `--corpus ko-en`).

# %% id="larger"
larger = read_record("06_scores_ko-en")
twice = read_record("05_attention_ko-en")  # where chapter 5 made the dot's runs once more
assert torch.equal(recorded("dot", "bleu", larger), recorded("luong", "bleu", twice))


def on_test(kind, name, what="bleu"):
    """One number a seed, of another test than the usual one."""
    runs = [run["others"][name] for run in larger["runs"] if run["variant"] == kind]
    return torch.tensor([run[what] for run in runs])


def of_larger(kind, what="bleu"):
    return recorded(kind, what, larger)


print(f"recorded, {larger['updates']:,} updates, three seeds: BLEU (lowest – highest)")
print("              3–40 tokens   41–50     51–70   new combinations   written by people")
for kind in KINDS:
    bleu = of_larger(kind)
    print(f"  {kind:12}", *[f"{span(column):>9}" for column in (bleu[:, :4].mean(1), bleu[:, 4])],
          f"{span(on_test(kind, 'test_long')):>9}",
          f"{span(on_test(kind, 'test_composition')):>14}",
          f"{span(on_test(kind, 'test_written')):>18}")

# %% id="larger-figure" tags=["hide-input"]
by_kind = {
    kind: torch.cat([of_larger(kind), on_test(kind, "test_long").unsqueeze(1)], 1)  # (3 seeds, 6)
    for kind in KINDS
}
ax = bleu_by_length(
    [*larger["buckets"], (51, 70)],
    {kind: rows.mean(0) for kind, rows in by_kind.items()},
    intervals={kind: torch.stack([r.amin(0), r.amax(0)], 1) for kind, r in by_kind.items()},
    title="Five scores on the larger corpus (recorded, mean and range of three seeds)",
)
ax.axvspan(4.5, 5.5, color="#eeeeee", zorder=0)
ax.text(5, 98, "longer than\nany in training", ha="center", va="top")
ax.set(ylim=(40, 100), ylabel="BLEU (40 to 100 of 100)")
ax.legend(loc="lower left", ncol=2, frameon=False)
plt.show()

# %% [markdown] id="larger-alt"
# <details><summary>The figure in words</summary>
#
# BLEU of five scores in six ranges of source length, from 3 to 70 tokens, with bars from the lowest
# to the highest of three seeds. From 3 to 20 tokens all lie between 85 and 92, concat, additive and
# scaled dot some points above dot and general. From 21 tokens on all fall, to between 51 and 58 at
# 41 to 50: concat and additive stay highest, dot comes next, and scaled dot falls behind it. At 51
# to 70, shaded as longer than any in training, dot, concat and additive lie together near 50,
# scaled dot and general near 45.
#
# </details>

# %% id="larger-aer"
print("recorded      AER, test      AER, 51–70    weight on gold links, test and 51–70")
for kind in KINDS:
    print(f"  {kind:12}{span(of_larger(kind, 'aer'), 2):>12}",
          f"{span(on_test(kind, 'test_long', 'aer'), 2):>15}",
          f"{span(of_larger(kind, 'probability_mass'), 2):>16}",
          f"{span(on_test(kind, 'test_long', 'probability_mass'), 2):>14}")

# %% [markdown] id="larger-read"
# Away from the ceiling the scores do differ:
#
# - *Up to 40 tokens* concat and additive lead: each of their six runs is ahead of each of the nine
#   others. On 51 to 70 tokens, longer than any in training, and on sentences that *people* wrote,
#   dot, with nothing to learn, is level with them.
# - *Scaled dot* keeps up with the two on short sentences and falls behind dot on long ones;
#   *general* is behind dot on the mean of every column.
# - *The maps* are ranked otherwise. Dot and general put the most weight on the gold links. Scaled
#   dot puts less than two fifths of it there, and on the long sentences about a fifth, and
#   translates short sentences better than dot does. Once more a good translator need not have a
#   good map (chapter 5).
#
# All of this at one budget and one learning rate. It does not say that "additive is best": concat
# and additive are one function of two names, and dot ties with them wherever sentences are hardest.
# It says that an experiment with one test, the short sentences or the long ones, would have ranked
# dot and scaled dot one way or the other way round.

# %% [markdown] id="captions-text"
# ## Real captions
#
# A grammar wrote both corpora. Nobody wrote Multi30k by rule: captions of photos,
# German to English, written by people. Chapter 10 trains on it. These are recorded trainings of its
# preset "quick" (`benchmarks/multi30k.py`), with another score and nothing else changed, and beside
# them a decoder without attention.

# %% id="captions"
captions = read_record("10_models")["runs"] + read_record("06_scaled_dot")["runs"]
captions = [run for run in captions if run["preset"] == "quick"]
print("recorded, test 2016        seed   parameters   BLEU greedy   BLEU, beam of 5")
in_captions = {}
for kind in ("none", *KINDS):
    in_captions[kind] = [run for run in captions if run["model"] == kind]
    for run in in_captions[kind]:
        greedy, beam = (run["bleu"][f"test {how}"] for how in ("greedy", "beam 5"))
        millions = f"{run['parameters'] / 1e6:.2f} million"
        print(f"  {kind:22} {run['seed']:6} {millions:>14} {greedy:10.1f} {beam:16.1f}")

# %% id="captions-gap"
greedy_of = {
    kind: [run["bleu"]["test greedy"] for run in runs] for kind, runs in in_captions.items() if runs
}
means = {kind: sum(scores) / len(scores) for kind, scores in greedy_of.items()}
print("means, greedy:", ", ".join(f"{kind} {mean:.1f}" for kind, mean in means.items()))
print("from its best training to its worst:",
      ", ".join(f"{kind} {max(each) - min(each):.1f}" for kind, each in greedy_of.items()))
order = sorted(means, key=means.get)
print("from each to the next:",
      ", ".join(f"{b} {means[b] - means[a]:+.1f}" for a, b in zip(order, order[1:])))
assert order[:2] == ["none", "scaled_dot"]
assert max(greedy_of["none"]) + 8 < min(greedy_of["scaled_dot"])
assert max(greedy_of["scaled_dot"]) + 3 < min(min(greedy_of[kind]) for kind in order[2:])

# %% [markdown] id="captions-read"
# Here is room above, and the answer has three sizes. From no attention to *any* attention it is
# about ten points or more. Among dot, general, concat and additive it is a point or two, little
# more than between two trainings of one score: with greedy search, general is first of all in one
# of its trainings and behind all of dot's in another. And dividing by $\sqrt{H}$, which changes
# nothing but a constant, costs four points and more in every training. One reading is the one of
# the section on divisors: states that start with a small variance must be stretched first, and that
# takes updates. With more of them the gap may close; these runs do not say. (The parameters are not
# matched here; dot and scaled dot have the same.)

# %% [markdown] id="shift-text"
# ### One word off?
#
# Luong et al. (footnote 14) take the weights of their content-based scores to align the word just
# *read*, not the one to be written; and [Koehn and Knowles
# (2017)](D_papers.ipynb#cell-id=koehn-2017) show a German–English map whose every point is off by
# one. Each map of the recorded runs, scored as it is and with every row moved one target word up or
# down: it fits best as it is.

# %% id="shift-numbers"
print("recorded, AER with the rows moved by      −1             0            +1")
for kind in KINDS:
    moved = [span(recorded(kind, what), 2) for what in ("aer-1", "aer", "aer+1")]
    print(f"  {kind:30}", *[f"{column:>14}" for column in moved])
best_shifts = {int(x) for kind in KINDS for x in recorded(kind, "best_shift")}
print("best shift of all fifteen runs:", *best_shifts)

# %% [markdown] id="bias-text"
# ### Did the missing bias hurt?
#
# In the toy worlds concat without a bias could not do what a dot product does. The recorded runs
# "additive_bias" are additive with a $b$ inside the tanh.

# %% id="bias"
print(
    "recorded, three seeds: mean BLEU of the five lengths, and alignment error (lowest – highest)"
)
for name, made in (("easy", record), ("larger", larger)):
    for kind in ("additive", "additive_bias"):
        bleu, errors = recorded(kind, "bleu", made).mean(1), recorded(kind, "aer", made)
        print(f"  {name:7} {kind:14} {span(bleu, 1)}    {span(errors, 2)}")

# %% [markdown] id="bias-read"
# No difference that three seeds could show, on either corpus. The likely reason is the one given
# above: the states of a translator need not be symmetric around zero, so the score can take its
# constant from them. A weakness of a *formula* need not be a weakness of the *system* that it is
# part of.

# %% [markdown] id="luong-text"
# ## What others found
#
# The paper that named these scores compared them on English → German. Its numbers, for attention
# over the whole sentence ("global"), **as reported there** (perplexity, and BLEU before unknown
# words are replaced):
#
# | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015), Table 4 | perplexity | BLEU |
# |---|---|---|
# | global, location | 6.4 | 18.1 |
# | global, dot | 6.1 | 18.6 |
# | global, general | 6.1 | 17.3 |
#
# (*Location* scores positions from the state alone, without looking at the keys; this book leaves
# it out.) With attention to a *local* window the order turns round: there general is best, with
# 19.0. Concat is not in the table: a footnote says that it did not do well, with perplexities of
# 6.7 and more, and that part of its $W_a$ was held fixed at the identity.
#
# Is 1.3 BLEU much, from general to dot? The table gives one number for each score and no spread.
# Ours has a spread. General three times, and three times more from chapter 5, whose runs differ
# from these in nothing but the order in which random numbers were drawn:

# %% id="luong"
six = torch.cat([recorded("general", "bleu"), recorded("general", "bleu", before)]).mean(1)
three = recorded("dot", "bleu").mean(1)
print("recorded, mean BLEU of the five lengths")
print("  general, six draws:  ", *[f"{score:6.1f}" for score in six])
print("  dot, three draws:    ", *[f"{score:6.1f}" for score in three])
print(f"  general without its lowest: mean {six.sort().values[1:].mean():.1f}, "
      f"dot: mean {three.mean():.1f}")

# %% [markdown] id="luong-read"
# One of the six is several BLEU behind; without it the two scores agree to a tenth (which is unfair
# to dot, whose worst stays in, and shows only that one run makes the gap). Whoever had made that
# run and one of dot would have published a difference larger than the paper's. **The draw can
# matter more than the score**, and a comparison without a spread, the paper's or anybody's, cannot
# tell the two apart.
#
# [Britz et al. (2017)](D_papers.ipynb#cell-id=britz-2017) trained a great many translators, several
# of each kind. They report that additive attention was slightly ahead of the multiplicative score
# (a matrix on each side, as in *Which transpose?*, and *unscaled*), and that the latter fell behind
# clearly when the projected vectors had 1,024 numbers. On our captions concat and additive are
# behind dot and general; on the larger grammar corpus they lead, but for the longest sentences. On
# the 1,024 these runs can say nothing. There is no winner for all systems; there are differences in
# price that are always there, and there is a scale that can be wrong.

# %% [markdown] id="choose"
# ## Which one, then?
#
# | take | if |
# |---|---|
# | dot | both sides have the same size and are trained together: nothing to learn, quickest here |
# | general | the sizes differ, or the two spaces are given and cannot move |
# | scaled dot | the vectors have variance about 1 and are long, as in a Transformer |
# | concat, additive | the map between the spaces is bent, and memory is no worry; a bias costs nothing and may be needed |
#
# And whichever you take: watch the largest weight. Near 1 while the loss is still high, or still
# near $1/S$ when the loss has stopped falling: then suspect the scale.

# %% [markdown] id="experiment-text"
# ## Open experiment: attack our reading
#
# *40 minutes, no check.* We said: sharp is good only if it is not too soon. Then the measured
# divisor must do no harm to a translator that has *begun* to learn. Choose **one** change that
# tests it: divide by the measured number only after the first half of the updates ("later"); or
# take a divisor of *your own*, where nobody has looked, between those of the table; or think of
# another. Before you train, write down which of three numbers you expect to change, and which way:
# alignment error, the spread that the softmax gets after training, and the translation of the
# story's sentence. Then put its name in place of `None`, run, and report.
#
# | a report that convinces | |
# |---|---|
# | prediction | written before the run, for each of the three, with a reason |
# | one change | data, updates and everything else as above; learned numbers are counted |
# | seeds | at least three, or the sentence says "one run"; the spread is shown |
# | numbers | beside those of the plain dot product with the same seeds |
# | conclusion | could have come out otherwise, and says what it does not show |

# %% id="experiment"
CHANGE = None  # "later", "mine", or one of your own
MINE = 4.0  # the divisor of "mine"


class LaterDot(DividedDot):
    """e_tj = s_tᵀ h_j in the first half of the training, then divided."""

    batches = 0

    def scores(self, query, prepared):
        self.batches += self.training
        late = self.batches > updates // 2 or not self.training
        return super().scores(query, prepared) * (1.0 if late else self.divisor)


def changed_translator(change, seed):
    seed_everything(seed)
    score = LaterDot(128, 128) if change == "later" else DividedDot(128, 128)
    score.divisor = MINE if change == "mine" else measured
    model = make_model(score)
    batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=seed)
    recipe = Recipe(
        updates=updates, warmup=updates // 4, learning_rate=4e-3,
        label_smoothing=0.0, validate_every=updates, precision="fp32", seed=seed,
    )
    fit(model, batches, recipe)
    return Translator(model.eval(), korean, english)


if CHANGE is not None:
    for seed in (1, 2, 3):  # half a minute each, with the plain one
        tried_out = {"plain": train_divided(1.0, updates, seed)[0]}
        tried_out[CHANGE] = changed_translator(CHANGE, seed)
        for name, translator in tried_out.items():
            maps = [links_from_weights(w) for w in forced(translator, corpus.test)]
            print(f"seed {seed}, {name:8} AER {aer(maps, gold):.2f}, spread of s·h "
                  f"{spread_of(translator.model):.1f}")
            print("   ", translator.translate([story], beam=1)[0].text)

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Five formulas, and that two of them are one: concat is additive with its matrices side by side.
# - `linear.weight` is $W_a$ if the layer acts on the keys, $W_a^\top$ if it acts on the query.
# - A linear score has one uphill direction in the plane of keys. Dot needs a shared space, general
#   a linear map, concat learns a bent one; each step needs more data.
# - Without a bias, concat is **odd**, $f(-x) = -f(x)$, and a dot product is even: there are simple
#   tasks that it cannot do.
# - The variance of a dot product is $H$ *if* its numbers have variance 1; a saturated softmax
#   passes hardly any gradient, even when it is wrong.
# - In our LSTM translator the scores are tiny before training. Dividing by what they are made it
#   fail, dividing by $H$ too; in the wide valley between, training mends the scale by itself. At
#   the left end neither a smaller rate nor a learned divisor mended it.
# - A test at the ceiling ranks nobody. Off the ceiling concat and additive lead on sentences like
#   those of the training, and dot is level on the hardest. On captions any attention is worth ten
#   BLEU and more; the choice among four scores is worth little beside it, and the draw of the
#   random numbers can matter more; the divisor costs four.
#
# **Left out.** Location-based scores. Vectors longer than 128 in a translator trained here, where
# an unscaled multiplicative score is reported to suffer ([Britz et al.
# 2017](D_papers.ipynb#cell-id=britz-2017)). Memory is counted from shapes, not measured. A learning
# rate tuned for each score: all have chapter 5's, and a score that learns late may only want
# another rate.
#
# **Papers.** [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (§A.1.2, §A.2);
# [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3.1, Table 4, footnote 14);
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (§3.2.1); [Britz et al.
# 2017](D_papers.ipynb#cell-id=britz-2017); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017); [Graves et al.
# 2014](D_papers.ipynb#cell-id=graves-2014).
#
# **Next.** In training the decoder has read the *right* previous word at every step.
# [Chapter 07](07_teacher_forcing.ipynb) asks what happens when it has to live with its own.
