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
# **What you will be able to do.** Write the five usual scores of attention from memory and check
# them against the library. Say what each can and cannot express, what it costs, and when dividing
# by a square root helps. Choose a score for given data, and compare scores in a translator without
# fooling yourself.
#
# **What you need.** Chapter 5: scores → weights → context, and the general and the additive score.
# Chapter 4 has the softmax and its temperature.
#
# **Time.** 50 minutes to read, 80 more for the eight exercises, at most a minute to run with one
# thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import json
import math
import time

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import about, budget, exercise, progress
from attnbook.figures import bleu_by_length, learning_curves
from attnlib import figures
from attnlib.data import Batches, WordVocabulary, bundled_directory, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.metrics import aer, corpus_bleu, links_from_weights, probability_mass
from attnlib.model import (
    AdditiveAttention,
    ConcatAttention,
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

# %% [markdown] id="five"
# ## Five answers to one question
#
# Attention asks one question for every pair of a query $s_t$ and a key $h_j$: *how well do you
# two match?* The answer is a number, the **score** $e_{tj}$. Everything after it (softmax, weighted
# sum) is the same for all kinds of attention.
#
# One of the notes that this book grew from comes to the slide with the formulas, writes "if I
# copied this by hand I would probably cry", and inserts pictures, which are lost. It remembers
# three: the plain inner product (내적), the generalised one (일반화된 내적), and a small network.
# With two relatives they are:
#
# | score | $e_{tj}$ | what is learned | from |
# |---|---|---|---|
# | **additive** | $v_a^\top \tanh(W_a s_t + U_a h_j)$ | $W_a, U_a, v_a$ | [Bahdanau et al. 2015](D_papers.ipynb#cell-id=bahdanau-2015) |
# | **dot** | $s_t^\top h_j$ | nothing | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# | **general** | $s_t^\top W_a h_j$ | $W_a$ | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# | **concat** | $v_a^\top \tanh(W_a [s_t ; h_j])$ | $W_a, v_a$ | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# | **scaled dot** | $s_t^\top h_j / \sqrt{H}$ | nothing | [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) |
#
# $[s_t ; h_j]$ is one vector after the other, and $H$ is the size of the vectors. (Bahdanau's query
# is the state one step earlier, $s_{t-1}$, as in chapter 5; the form of the score is the same.)
#
# Nobody need cry. Four of them by hand, on one query and three keys of two numbers. (The fifth,
# additive, will turn out to be concat in other clothes.)

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
    }  # fmt: skip


scores = {kind: [by_hand(key)[kind] for key in h] for kind in by_hand(s)}
for kind, row in scores.items():
    print(f"{kind:11}", [round(score, 2) for score in row])

# %% [markdown] id="hand-figure-text"
# **Predict.** Which key gets most of the weight under each score? (Two of the four must agree.)

# %% id="hand-figure"
fig, axes = plt.subplots(1, 4, figsize=(9, 2.8), sharey=True)
for n, (ax, (kind, row)) in enumerate(zip(axes, scores.items())):
    ax.bar(["$h_1$", "$h_2$", "$h_3$"], torch.tensor(row).softmax(-1), color=figures.PALETTE[n])
    ax.set(title=kind, xlabel="key")
axes[0].set(ylabel="weight (0 to 1)", ylim=(0, 1))
fig.suptitle("One query, three keys, four opinions")
plt.show()

# %% [markdown] id="hand-figure-alt"
# <details><summary>The figure in words</summary>
#
# Four small bar charts of the weights of three keys. Dot gives most to the third key, about two
# thirds; scaled dot ranks them alike, a little more evenly. General gives most to the first key and
# hardly anything to the second. Concat gives most to the second, nearly a half.
#
# </details>

# %% [markdown] id="hand-read"
# Dot and scaled dot rank the keys alike, as they must: the one is the other divided by a constant,
# so that its weights are more even. The matrix of general and the little network of concat have
# favourites of their own. None of them is "right": a score is a *form*, and training decides what
# it is filled with. What follows asks what each form can express, what it costs, and how it learns.
#
# But first: does the library find the same numbers?

# %% id="agree"
query, keys = s.view(1, 1, 2), h.view(1, 3, 2)  # (B, T, H), (B, S, H)
modules = {kind: make_attention(kind, 2, 2) for kind in ("dot", "scaled_dot", "general", "concat")}
with torch.no_grad():
    modules["general"].project.weight.copy_(W)
    modules["concat"].weight.copy_(both)
    modules["concat"].v.copy_(v)
    for module, row in zip(modules.values(), scores.values()):
        found = module.scores(query, module.prepare(keys))[0, 0]
        torch.testing.assert_close(found, torch.tensor(row))
print("by hand = attnlib.attention, four scores")

# %% [markdown] id="dot-text"
# ## Dot: nothing to learn
#
# $s^\top h = \lVert s \rVert\, \lVert h \rVert \cos\varphi$, where $\varphi$ is the angle between
# the two. So the dot product asks two things at once: do they point the same way, and how long are
# they?
#
# **Predict.** The key $h_2$ is made three times as long. Does its dot product change? Its cosine?

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
# <details><summary>Hint 1</summary><code>query.shape[-1]</code> and <code>keys.shape[-1]</code>
# are the two sizes.</details>
# <details><summary>Hint 2</summary>Compare them first:
# <code>raise ValueError(f"... {a} and {b}")</code>.</details>
# <details><summary>Hint 3</summary>Then <code>query @ keys.transpose(1, 2)</code>: the last
# dimension of the left factor is summed with the last but one of the right.</details>


# %% id="ex-dot-score" tags=["exercise"]
@exercise
def dot_score(query, keys):
    """Scores e = query keys^T. query (B, T, H), keys (B, S, H) → (B, T, S); other sizes: error."""
    ### BEGIN SOLUTION
    sizes = query.shape[-1], keys.shape[-1]
    if sizes[0] != sizes[1]:
        raise ValueError(f"query and keys must have the same size, got {sizes[0]} and {sizes[1]}")
    return query @ keys.transpose(1, 2)
    ### END SOLUTION


# %% id="refusal"
try:
    dot_score(torch.ones(1, 1, 3), torch.ones(1, 5, 2))
except ValueError as problem:
    print("3 and 2:", type(problem).__name__)
print(
    "loose:  ", tuple((torch.ones(1, 1, 1, 3) * torch.ones(1, 1, 5, 1)).sum(-1).shape), "no error"
)

# %% [markdown] id="refusal-read"
# Why bother, if `@` would fail anyway? Because other ways to write the same sum do not: with
# broadcasting, a key of one number is silently repeated, as the second line shows. An error at the
# border names the argument; an error ten calls deeper names a matrix.

# %% [markdown] id="general-text"
# ## General: a matrix in between
#
# The note is delighted: "put a matrix that can be learned into the middle, and the simple inner
# product becomes a more general one". So it is. Three matrices and what they make of the dot
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
# Is it still an inner product? In the strict sense of mathematics, no. An inner product is
# symmetric, and the product of a vector with itself is positive (unless the vector is 0). A matrix
# for which both fail:

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
# **the side on which the layer acts**. The class in the notes (chapter 5) lets it act on the query.
# The library lets it act on the keys. A Transformer (chapter 11) has one on each side.
#
# **Predict.** A query of 3 numbers, keys of 5. What shape does the weight of each layer below have,
# and which of them can be $W_a$, whose shape is $(3, 5)$?

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
# *Core, 10 minutes.* `from_query` (A, Hd) and `from_key` (A, He) are the weights of two linear
# layers. The query goes through the first, the key through the second, and the score is the dot
# product of the results. One of the two may be `None`: no layer there. Return the matrix $W_a$ of
# shape (Hd, He) for which $s^\top W_a h$ is the same score.
#
# <details><summary>Hint 1</summary>A layer with weight A makes A s of s. Write the score with A s
# and B h in place of s and h.</details>
# <details><summary>Hint 2</summary>(A s)ᵀ (B h) = sᵀ Aᵀ B h.</details>
# <details><summary>Hint 3</summary>No layer is the identity: what is left of Aᵀ B if A is the
# identity, or B?</details>


# %% id="ex-general-matrix" tags=["exercise"]
@exercise
def general_matrix(from_query, from_key):
    """W_a (Hd, He) of two layers' weights, (A, Hd) on the query and (A, He) on the key, or None."""
    ### BEGIN SOLUTION
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.T
    return from_query.T @ from_key
    ### END SOLUTION


# %% id="transpose-check"
for name, (on_query, on_key) in layers.items():
    weights = [layer.weight if layer else None for layer in (on_query, on_key)]
    layered = dot_score(on_query(q) if on_query else q, on_key(k) if on_key else k)
    ours = q @ general_matrix(*weights) @ k.transpose(1, 2)
    print(f"{name:18} s W_a h gives the same scores: {torch.allclose(layered, ours, atol=1e-6)}")
library = GeneralAttention(3, 5)
print("attnlib: project.weight is W_a itself:", tuple(library.project.weight.shape) == (3, 5))

# %% [markdown] id="transpose-read"
# On the key: `weight` *is* $W_a$. On the query: it is $W_a^\top$. With a weight $A$ on the query
# and $B$ on the key: $W_a = A^\top B$, whose rank (the number of its independent directions) is at
# most the number of rows of $A$. That is a cheap way to have a large $W_a$ with few parameters.
# With square matrices the wrong transpose runs without an error and even trains; only a weight that
# is *copied* from one program to another gives it away. Test with sizes that differ.

# %% [markdown] id="concat-text"
# ## Concat: a small network
#
# "A kind of small neural network that computes the similarity", says the note. Query and key are
# put end to end; then come a first layer $W_a$, a bend (the tanh), and a second layer, whose "$W_2$
# ends up spitting out a scalar". In PyTorch's words:

# %% id="network"
network = nn.Sequential(nn.Linear(4, 2, bias=False), nn.Tanh(), nn.Linear(2, 1, bias=False))
with torch.no_grad():
    network[0].weight.copy_(both)  # W_1 = W_a
    network[2].weight.copy_(v.unsqueeze(0))  # W_2 = v_a as a matrix of one row
    pairs = torch.cat([s.expand(3, 2), h], dim=-1)  # [s ; h_j]: (3, 4)
    print("W_2 has the shape", tuple(network[2].weight.shape), "so each pair gets one number:")
    print([round(score, 2) for score in network(pairs).squeeze(-1).tolist()])

# %% [markdown] id="network-read"
# The numbers of concat from above. $W_2$ is $v_a^\top$: a matrix with one row, and that is all
# there is to "spitting out a scalar". This is what the note means by a *score that has become a
# small trainable module*. It is not trained on matches, though: nobody says which pairs belong
# together. Its gradient comes through the softmax and the context from the words of the
# translation.

# %% [markdown] id="ex-concat-score-text"
# ### Exercise 6.3 · Luong's concat
# *Core, 12 minutes.* query (B, T, Hd), keys (B, S, He), `weight` $W_a$ (A, Hd + He), `v` (A,),
# result (B, T, S). No bias.
#
# <details><summary>Hint 1</summary>Every query must stand beside every key: a tensor
# (B, T, S, Hd + He).</details>
# <details><summary>Hint 2</summary><code>query.unsqueeze(2).expand(-1, -1, S, -1)</code> has shape
# (B, T, S, Hd). Do the same for the keys, at dimension 1; then
# <code>torch.cat([...], dim=-1)</code>.</details>
# <details><summary>Hint 3</summary><code>torch.tanh(pairs @ weight.T) @ v</code>.</details>


# %% id="ex-concat-score" tags=["exercise"]
@exercise
def concat_score(query, keys, weight, v):
    """v^T tanh(W [s ; h]). query (B, T, Hd), keys (B, S, He), weight (A, Hd + He), v (A,)."""
    ### BEGIN SOLUTION
    steps, positions = query.shape[1], keys.shape[1]
    left = query.unsqueeze(2).expand(-1, -1, positions, -1)  # (B, T, S, Hd)
    right = keys.unsqueeze(1).expand(-1, steps, -1, -1)  # (B, T, S, He)
    return torch.tanh(torch.cat([left, right], dim=-1) @ weight.T) @ v
    ### END SOLUTION


# %% [markdown] id="split-text"
# ### Concat and additive are one score
#
# Textbooks list concat (Luong) and additive (Bahdanau) as two. Look at the product inside:
# the left columns of $W_a$ meet only $s$, the right ones only $h$.
#
# $$W_a [s ; h] = \begin{bmatrix} W_1 & W_2 \end{bmatrix} \begin{bmatrix} s \\ h \end{bmatrix}
# = W_1 s + W_2 h$$

# %% [markdown] id="ex-split-concat-text"
# ### Exercise 6.4 · Cut it
# *Warm-up, 4 minutes.* `weight` $W_a$ is (A, Hd + He) and `query_size` is Hd. Return
# $(W_1, W_2)$ of shapes (A, Hd) and (A, He).
#
# <details><summary>Hint 1</summary>Rows or columns? Each row of $W_a$ reads the whole of
# [s ; h].</details>
# <details><summary>Hint 2</summary>The query stands first.</details>
# <details><summary>Hint 3</summary><code>weight[:, :n]</code> are the first n columns.</details>


# %% id="ex-split-concat" tags=["exercise"]
@exercise
def split_concat(weight, query_size):
    """W_a (A, Hd + He) → (W_1 (A, Hd), W_2 (A, He)) with W_a [s ; h] = W_1 s + W_2 h."""
    ### BEGIN SOLUTION
    return weight[:, :query_size], weight[:, query_size:]
    ### END SOLUTION


# %% id="split"
concat, additive = ConcatAttention(3, 5, hidden_size=4), AdditiveAttention(3, 5, hidden_size=4)
with torch.no_grad():
    first, second = split_concat(concat.weight, 3)
    additive.from_query.weight.copy_(first)
    additive.from_key.weight.copy_(second)
    additive.v.copy_(concat.v)
    one = concat_score(q, k, concat.weight, concat.v)
    torch.testing.assert_close(additive.scores(q, additive.prepare(k)), one)
    torch.testing.assert_close(concat.scores(q, concat.prepare(k)), one)
print("concat (yours) = concat (library) = additive with the two halves")

# %% [markdown] id="split-read"
# Equal but for rounding, with the same number of parameters. So whatever differs between "Luong's
# concat" and "Bahdanau's attention" in a benchmark, it is not the score: it is *when* the decoder
# attends (chapter 5), what its weights are before training, or what computing it costs.

# %% [markdown] id="cost-text"
# ## What they cost
#
# ### Parameters

# %% [markdown] id="ex-score-parameters-text"
# ### Exercise 6.5 · How many numbers are learned?
# *Warm-up, 6 minutes.* `kind` is "dot", "scaled_dot", "general", "concat" or "additive"; the sizes
# of query, key and hidden layer (A) are whole numbers. Return the number of parameters. No biases.
#
# <details><summary>Hint 1</summary>Write the shape of every letter in the table at the top that is
# learned.</details>
# <details><summary>Hint 2</summary>A matrix has rows × columns numbers. $v_a$ counts,
# too.</details>
# <details><summary>Hint 3</summary>Concat and additive must agree: you have just made one out of
# the other.</details>


# %% id="ex-score-parameters" tags=["exercise"]
@exercise
def score_parameters(kind, query_size, key_size, hidden_size):
    """Number of parameters of a score: "dot", "scaled_dot", "general", "concat" or "additive"."""
    ### BEGIN SOLUTION
    if kind in ("dot", "scaled_dot"):
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + hidden_size
    ### END SOLUTION


# %% id="parameters"
KINDS = ("dot", "scaled_dot", "general", "concat", "additive")
for kind in KINDS:
    counted = score_parameters(kind, 128, 128, 64)
    module = make_attention(kind, 128, 128, 64)
    assert counted == sum(parameter.numel() for parameter in module.parameters())
    print(f"{kind:10} {counted:7,}")

# %% [markdown] id="parameters-read"
# For query and keys of $H = 128$ and a hidden layer of $A = 64$. The width $A$ is free, and with
# $A = H/2$ concat costs what general costs, but for $v_a$. Further down we use just these sizes, so
# that no score wins by being bigger.

# %% [markdown] id="memory-text"
# ### Memory and time
#
# Parameters are the small part. What is large are the numbers that must be *held* between the
# forward and the backward pass. They follow from the shapes, and torch's "meta" device computes
# shapes without any numbers in them.
#
# **Predict.** A batch of 32 sentences, 50 words to 50 words. How many times more numbers does
# concat hold than dot?


# %% id="memory"
def held(kind, B=32, T=50, S=50, H=128, A=64):
    """How many numbers a score makes on its way, counted from the shapes of its tensors."""
    query, keys = torch.empty(B, T, H, device="meta"), torch.empty(B, S, H, device="meta")
    scores = [query @ keys.transpose(1, 2)]  # (B, T, S): these are needed by all
    if kind == "general":
        scores += [keys @ torch.empty(H, H, device="meta")]
    if kind != "dot" and kind != "general":
        made = [query @ torch.empty(H, A, device="meta"), keys @ torch.empty(H, A, device="meta")]
        scores += [*made, made[0].unsqueeze(2) + made[1].unsqueeze(1)]  # (B, T, S, A)
    if kind == "concat as printed":  # [s ; h] is written out for every pair
        scores[1:3] = [torch.empty(B, T, S, 2 * H, device="meta")]
    return sum(tensor.numel() for tensor in scores)


# %% id="memory-numbers"
forms = ("dot", "general", "concat = additive, split", "concat as printed")
for kind in forms:
    small, large = held(kind), held(kind, B=128, H=1000, A=1000)
    small, large = (f"{count * 4e-6:,.1f} MB" for count in (small, large))  # 4 bytes a number
    print(f"{kind:25} {small:>9}   at H = A = 1000, B = 128: {large:>11}")

# %% [markdown] id="memory-read"
# Four bytes a number. The left column has the sizes of this chapter's translator, the right one a
# batch of 128 at the size of Luong's network. Dot holds $B \cdot T \cdot S$ scores. The tanh of
# concat needs a vector of $A$ numbers for *every pair* of words, so that even the split form holds
# more than $A$ times as much as dot; and the formula as printed, with $[s ; h]$ written out, needs
# another $2H$ for each pair. Splitting the matrix, the exercise above, is what makes concat
# bearable. The library does it, holds only a few pairs at a time, and makes them anew in the
# backward pass.

# %% [markdown] id="time-text"
# Time follows memory: one forward and backward pass of the score alone, as a multiple of dot. (The
# numbers differ from machine to machine and from run to run.)

# %% id="time" tags=["nbval-ignore-output"]
big, small = torch.randn(32, 50, 128, requires_grad=True), torch.randn(32, 50, 128)
taken = {}
for kind in (*KINDS, *KINDS):  # the first round warms up
    module = make_attention(kind, 128, 128, 64)
    start = time.process_time()
    for _ in range(5):
        module(big, small, small)[0].sum().backward()
    taken[kind] = time.process_time() - start
print("time of one pass, dot = 1")
print({kind: round(seconds / taken["dot"], 1) for kind, seconds in taken.items()})

# %% [markdown] id="time-read"
# Attention alone is many times dearer with a tanh inside. In a whole translator that is diluted by
# everything else; the recorded runs below say by how much.

# %% [markdown] id="scale-text"
# ## Why divide by √H?
#
# A dot product sums $H$ products. If the numbers of query and key are independent with mean 0 and
# variance 1, each product has mean 0 and variance 1 as well, and variances of independent terms add
# up:
#
# $$\mathrm{Var}(s^\top h) = H \qquad\Rightarrow\qquad
# \mathrm{Var}\big(s^\top h / \sqrt{H}\big) = 1$$
#
# **Predict.** $H$ grows from 4 to 1024. By which factor does the *spread* (standard deviation) of
# the scores grow?

# %% id="variance"
for size in (4, 16, 64, 256, 1024):
    a, b = (torch.randn(4000, size, generator=generator) for _ in range(2))
    products = (a * b).sum(-1)
    print(f"H = {size:4}: variance / H = {products.var() / size:.1f}, spread ≈ {size**0.5:.0f}")

# %% [markdown] id="variance-read"
# From about 2 to about 32: $H$ grows 256 times, the spread $\sqrt{256} = 16$ times. And a softmax
# sees differences: with scores that lie 30 apart it is no longer soft.

# %% [markdown] id="ex-scaled-score-text"
# ### Exercise 6.6 · The scaled dot score
# *Core, 5 minutes.* query (B, T, H), keys (B, S, H), result (B, T, S), with variance 1 whenever
# the numbers of query and keys are independent with mean 0 and variance 1.
#
# <details><summary>Hint 1</summary>A number divided by c has a variance divided by c².</details>
# <details><summary>Hint 2</summary>The variance is H. What must c be?</details>
# <details><summary>Hint 3</summary>Which dimension is summed over: the words or the
# features?</details>


# %% id="ex-scaled-score" tags=["exercise"]
@exercise
def scaled_score(query, keys):
    """Scores e = query keys^T / √H. query (B, T, H), keys (B, S, H) → (B, T, S)."""
    ### BEGIN SOLUTION
    return query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    ### END SOLUTION


# %% [markdown] id="saturation-text"
# ### What saturation does to the gradient
#
# A softmax row passes the gradient on through its Jacobian, the table of all its derivatives,
#
# $$\frac{\partial \alpha_j}{\partial e_k} = \alpha_j (\delta_{jk} - \alpha_k),$$
#
# where $\delta_{jk}$ is 1 if $j = k$ and 0 otherwise. When one weight goes to 1, all entries go
# to 0. We measure the table by its Frobenius norm, the root of the sum of its squared entries.
# Twenty random keys, five values of $H$:


# %% id="saturation"
def sharpness(scores):
    """Mean over the rows: the largest weight, and the size of the softmax's Jacobian."""
    alpha = scores.softmax(-1)
    jacobian = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
    return alpha.amax(-1).mean().item(), jacobian.flatten(-2).norm(dim=-1).mean().item()


sizes = (4, 16, 64, 256, 1024)
curves = {"dot": [], "scaled dot": []}
for size in sizes:
    a = torch.randn(1, 200, size, generator=generator)
    b = torch.randn(1, 20, size, generator=generator)
    curves["dot"].append(sharpness(dot_score(a, b)))
    curves["scaled dot"].append(sharpness(scaled_score(a, b)))

# %% id="saturation-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.5))
labels = ("largest weight of 20 keys (0 to 1)", "size of the Jacobian (Frobenius norm)")
for part, (ax, label) in enumerate(zip(axes, labels)):
    for n, (name, points) in enumerate(curves.items()):
        numbers = [point[part] for point in points]
        ax.plot(sizes, numbers, "os"[n] + "-", color=figures.PALETTE[n], label=name)
    ax.set(xlabel="size H of query and key (numbers)", ylabel=label, ylim=(0, None))
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, sizes)
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

# %% id="saturation-numbers"
dead, alive = curves["dot"][-1], curves["scaled dot"][-1]
print("H = 1024, dot:    largest weight above 0.9:", dead[0] > 0.9)
print("H = 1024, scaled: largest weight below 0.4:", alive[0] < 0.4)
print("the Jacobian is more than 3 times larger with scaling:", alive[1] > 3 * dead[1])

# %% [markdown] id="ex-through-softmax-text"
# ### Exercise 6.7 · Back through a softmax
# *Hard, 15 minutes.* Given the weights $\alpha$ and the gradient of some loss with respect to the
# weights, $g_j = \partial L / \partial \alpha_j$, both (..., S), return the gradient with respect
# to the scores, $\partial L / \partial e_k$. Use the Jacobian above; do not call autograd.
#
# <details><summary>Hint 1</summary>Chain rule: $\sum_j g_j\, \partial \alpha_j / \partial e_k$.
# Put the Jacobian in.</details>
# <details><summary>Hint 2</summary>The part with $\delta_{jk}$ leaves one term, the other is a sum
# over j that does not depend on k.</details>
# <details><summary>Hint 3</summary>$\alpha_k (g_k - \sum_j \alpha_j g_j)$: how far g is above its
# weighted mean.</details>


# %% id="ex-through-softmax" tags=["exercise"]
@exercise
def through_softmax(weights, gradient):
    """Gradient with respect to the scores; weights α and gradient ∂L/∂α are both (..., S)."""
    ### BEGIN SOLUTION
    mean = (weights * gradient).sum(dim=-1, keepdim=True)
    return weights * (gradient - mean)
    ### END SOLUTION


# %% [markdown] id="stuck-text"
# Does a dying gradient matter, as long as the attention is *right*? It matters when it is wrong. A
# context should be the first of two values, and the scores favour the second, a little or a lot.
#
# **Predict.** The gap between the scores grows from 1 to 12, and the error grows with it. And the
# gradient that should repair it?

# %% id="stuck"
values = torch.tensor([[1.0, 0.0], [0.0, 1.0]])  # the context should be values[0]
for gap in (1.0, 4.0, 12.0):
    scores = torch.tensor([0.0, gap], requires_grad=True)
    alpha = scores.softmax(-1)
    loss = (alpha @ values - values[0]).square().sum()
    (auto,) = torch.autograd.grad(loss, scores)
    g = 2 * (alpha @ values - values[0]) @ values.T  # ∂L/∂α
    torch.testing.assert_close(through_softmax(alpha, g), auto)
    size = f"{auto[0].abs():.0e}"
    print(f"gap {gap:4.0f}: error {loss:.2f}, gradient of the right score {size}")

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
# 1*. We shall see a translator in which it does not hold.

# %% [markdown] id="worlds-text"
# ## Three worlds
#
# The notes argue: two languages, two spaces (**latent spaces**, 잠재 공간), so put a linear map in
# between. Chapter 5 confirmed it on a rotation. Now dot, general and concat, in three worlds in
# which we know the truth. (Scaled dot ranks the keys as dot does, and additive is concat.) A puzzle
# is a query and ten keys of eight numbers, all keys equally long; which key is the query's?
#
# - **shared**: the query *is* the key;
# - **rotated**: the query is the key, turned by a matrix that keeps all lengths and angles (a
#   rotation; a mirror may be part of it);
# - **folded**: as rotated, and then every number loses its sign: a *warp*, as if the space had been
#   folded up like a sheet of paper.
#
# In all three a little noise is added to the query.

# %% id="worlds"
SIZE = 8
turn, _ = torch.linalg.qr(torch.randn(SIZE, SIZE, generator=generator))
WORLDS = {
    "shared": lambda key: key,
    "rotated": lambda key: key @ turn.T,
    "folded": lambda key: (key @ turn.T).abs(),
}


def puzzles(world, count):
    """Queries (N, H), their keys (N, 10, H), and which key is wanted (N,)."""
    keys = torch.randn(count, 10, SIZE, generator=generator)
    keys = F.normalize(keys, dim=-1) * math.sqrt(SIZE)
    wanted = torch.randint(10, (count,), generator=generator)
    query = WORLDS[world](keys[torch.arange(count), wanted])
    return query + 0.3 * torch.randn(count, SIZE, generator=generator), keys, wanted


# %% [markdown] id="fit-text"
# A score is fitted by gradient descent on the cross-entropy of the weights (here somebody does tell
# the right ones), 150 updates, the same for all. "concat + 1" is concat with a 1 appended to every
# query; its story comes below.


# %% id="fit"
def fit_score(kind, query, keys, wanted):
    """Train a score on puzzles; return it as a function (query, keys) → scores (N, 10)."""
    one = kind.endswith("1")
    module = make_attention(kind.removesuffix(" + 1"), SIZE + one, SIZE, 48)

    def score(query, keys):
        query = F.pad(query, (0, int(one)), value=1.0).unsqueeze(1)  # (N, 1, H or H + 1)
        return module.scores(query, module.prepare(keys)).squeeze(1)

    if kind != "dot":  # it has nothing to train
        optimizer = torch.optim.Adam(module.parameters())
        rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=150)
        for _ in range(150):
            rows = torch.randint(len(query), (32,), generator=generator)
            loss = F.cross_entropy(score(query[rows], keys[rows]), wanted[rows])
            optimizer.zero_grad(), loss.backward(), optimizer.step(), rate.step()
    return score


# %% id="worlds-run"
def accuracy(score, query, keys, wanted):
    with torch.no_grad():
        return (score(query, keys).argmax(-1) == wanted).double().mean().item()


counts, tried = (15, 60, 240, 2000), ("dot", "general", "concat", "concat + 1")
result = {}  # world, kind → (three fits, four counts)
for world in WORLDS:
    test = puzzles(world, 1000)
    for kind in tried:
        fits = [[fit_score(kind, *puzzles(world, n)) for n in counts] for _ in range(3)]
        result[world, kind] = torch.tensor([[accuracy(f, *test) for f in row] for row in fits])

# %% [markdown] id="worlds-predict"
# **Predict.** Which line is on top in each world, with 15 puzzles to learn from and with 2,000?
# Guessing gives 10 %.

# %% id="worlds-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.9), sharey=True)
for ax, world in zip(axes, WORLDS):
    for n, kind in enumerate(tried):
        runs, look = 100 * result[world, kind], {"color": figures.PALETTE[n], "label": kind}
        ax.plot(counts, runs.mean(0), "osD^"[n] + "-", **look)
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
# dot is level at 100; general starts near 60, concat + 1 near 40, and both reach 100. Rotated
# world: dot lies near the bottom, general starts near 90, concat + 1 near 40 and catches up. Folded
# world: dot and general stay near 10; concat and concat + 1 rise together from near 15 to between
# 70 and 80. In the first two worlds plain concat stays near 15, however many puzzles it sees.
#
# </details>

# %% id="worlds-numbers"
few, many = {}, {}
for key, runs in result.items():
    few[key], many[key] = runs[:, 0].mean().item(), runs[:, -1].mean().item()
print("shared, 15 puzzles:    dot above 95 %, general below 75 %:",
      few["shared", "dot"] > 0.95 and few["shared", "general"] < 0.75)  # fmt: skip
print("rotated, 15 puzzles:   general ahead of concat + 1 by 10 points:",
      few["rotated", "general"] > few["rotated", "concat + 1"] + 0.1)  # fmt: skip
print("rotated, 2000 puzzles: dot below 20 %, general above 95 %:",
      many["rotated", "dot"] < 0.2 and many["rotated", "general"] > 0.95)  # fmt: skip
print("folded, 2000 puzzles:  general below 20 %, concat above 60 %:",
      many["folded", "general"] < 0.2 and many["folded", "concat"] > 0.6)  # fmt: skip

# %% [markdown] id="worlds-read"
# - *Shared*: dot knows the answer before it has seen a puzzle. General has 64 numbers to find, and
#   with few puzzles it finds wrong ones. More general is not better; it is *hungrier*.
# - *Rotated*: dot is worse than guessing (this matrix happens to turn more away from a key than
#   towards it), and no amount of data helps, since it has nothing to learn with. One matrix is
#   exactly what is missing.
# - *Folded*: no matrix can help. A key $h$ and its opposite $-h$ make the same query, and a score
#   that is linear in the key gives them opposite numbers: what it gains on one it loses on the
#   other. The network in concat can learn the fold, given many puzzles.
#
# So far the expected: match the score to the map between the spaces. But look at plain concat in
# the first two worlds.

# %% [markdown] id="odd-text"
# ### The score that cannot do what a dot product does
#
# With 2,000 puzzles, concat is the best in the *hardest* world and fails in the *easiest*. Its
# formula has no bias, and $\tanh(-x) = -\tanh(x)$. So
#
# $$\mathrm{score}(-s, -h) = v^\top \tanh(-W_1 s - W_2 h) = -\,\mathrm{score}(s, h).$$
#
# A dot product does the opposite: $(-s)^\top(-h) = s^\top h$. Turn all vectors of a puzzle round.
# In the shared and in the rotated world that is again a puzzle, just as frequent, with the same
# answer; but concat now ranks the ten keys in *reverse*.
#
# **Predict.** Of 1,000 puzzles and their mirror images, how many *pairs* can plain concat have
# entirely right?

# %% id="odd"
query, keys, wanted = puzzles("shared", 1000)
for kind in ("concat", "concat + 1", "general"):
    score = fit_score(kind, *puzzles("shared", 2000))
    right = (score(query, keys).argmax(-1) == wanted) & (score(-query, -keys).argmax(-1) == wanted)
    count = int(right.sum())
    print(f"{kind:10}: {'none' if count == 0 else 'more than 800' if count > 800 else count}")

# %% [markdown] id="odd-read"
# None: whoever is first in one is last in the other. This is not a matter of training, of width or
# of luck; the *formula* cannot. And a single constant mends it: with a 1 beside the query,
# $W_1 [s ; 1]$ is a matrix times $s$ plus a vector $b$, and the symmetry is broken. That is
# "concat + 1", which does well in all three worlds once it has enough data.
#
# We had not planned this section: the plan said that concat would learn all three worlds. With a
# bias inside, as `nn.Linear` has unless told otherwise, it does. The formula as printed in both
# papers has none, and neither has the library. (Formulas in print often leave biases out to be
# easier to read, so this says nothing about the authors' programs.)
#
# Does it hurt a translator? Its states come out of networks that have biases of their own and need
# not be symmetric around zero, so a constant comes for free. Some of the recorded runs below test
# it.

# %% [markdown] id="ex-pick-score-text"
# ### Exercise 6.8 · Let the data choose
# *Hard, 20 minutes.* `fit(kind, query, keys, wanted)` trains a score and returns a function
# `score(query, keys)` that gives (N, S) scores. The kinds are "dot", "general" and "concat". You
# get N examples: query (N, H), keys (N, S, H), wanted (N,). Fit every kind on the first half, count
# how often the highest score is that of the wanted key on the second half, and return the best
# kind. Of equally good ones return the first in the order above: it has the fewest parameters.
#
# <details><summary>Hint 1</summary><code>half = len(query) // 2</code>, then
# <code>query[:half]</code> and
# <code>query[half:]</code>; cut all three tensors.</details>
# <details><summary>Hint 2</summary><code>score(...).argmax(-1) == wanted[half:]</code> says where
# it is right.</details>
# <details><summary>Hint 3</summary><code>max(kinds, key=...)</code> returns the first of several
# largest. Go through the kinds in order.</details>


# %% id="ex-pick-score" tags=["exercise"]
@exercise
def pick_score(fit, query, keys, wanted):
    """ "dot", "general" or "concat": whichever is best on the half that it was not fitted to."""
    ### BEGIN SOLUTION
    half, right = len(query) // 2, {}
    for kind in ("dot", "general", "concat"):
        score = fit(kind, query[:half], keys[:half], wanted[:half])
        found = score(query[half:], keys[half:]).argmax(-1)
        right[kind] = int((found == wanted[half:]).sum())
    return max(right, key=lambda kind: right[kind])
    ### END SOLUTION


# %% id="pick"
def fit_any(kind, query, keys, wanted):
    return fit_score("concat + 1" if kind == "concat" else kind, query, keys, wanted)


for world, count in (("shared", 40), ("rotated", 100), ("folded", 3000)):
    print(f"{world:8} {count:5,} examples: {pick_score(fit_any, *puzzles(world, count))}")

# %% [markdown] id="translators-text"
# ## Five scores in one translator
#
# The held-out half picked the score that fits in each of the three worlds. But toy worlds are
# clean: the vectors are given. In a translator the vectors are *made* by networks that are trained
# along with the score, and may bend themselves until it fits (chapter 5 saw two spaces meet). So
# the question is not "which score fits?" but "with which score does the whole learn best, on the
# same budget?"
#
# Chapter 5's translator from Korean to English, with Luong's decoder: the same encoder, batches,
# learning rate and 1,000 updates; only the score is exchanged. Where it has a hidden layer, the
# width of that is $A = 64$.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
print(f"{len(ids):,} pairs to learn from, {len(english)} English words and marks")


def make_model(kind):
    """Chapter 5's translator with another score."""
    source, target = nn.Embedding(len(korean), 128), nn.Embedding(len(english), 128)
    for table in (source, target):
        nn.init.normal_(table.weight, std=128**-0.5)
    encoder = Encoder(source, 128, cell="lstm", dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, 128, 128, 128, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(128, len(english))
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    decoder.attention = make_attention(kind, 128, 128, 64)  # last: all else starts the same
    return Seq2Seq(encoder, decoder, output)


# %% id="matched"
totals = [sum(p.numel() for p in make_model(kind).parameters()) for kind in KINDS]
for kind, total in zip(KINDS, totals):
    print(f"{kind:10} {total:,} parameters")
print("the largest is less than 5 % larger than the smallest:", max(totals) < 1.05 * min(totals))

# %% [markdown] id="record-text"
# Five scores with three seeds take minutes on any processor: they are **recorded runs**, made by
# `python benchmarks/scores_chapter.py` (which says how) and read from a file. One of them, scaled
# dot with seed 1, is trained here, and has to fall where its record lies; with fewer updates, on a
# processor without AVX-512, below it.
#
# **Predict.** 128 numbers, so scaled dot divides by 11.3. Will that help, hurt, or do nothing?

# %% id="updates"
updates = budget(1000, slow=600)

# %% id="train" tags=["nbval-ignore-output"]
seed_everything(1)
model = make_model("scaled_dot")
batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=1)
recipe = Recipe(
    updates=updates, warmup=updates // 4, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=updates, precision="fp32", seed=1,
)  # fmt: skip
history = fit(model, batches, recipe)  # about twenty seconds, with AVX-512 or without
translator = Translator(model.eval(), korean, english)


# %% id="record"
def read(name):
    path = bundled_directory().parent / "runs" / name
    return json.loads(path.read_text(encoding="utf-8"))


record = read("06_scores.json")
buckets = [tuple(bucket) for bucket in record["buckets"]]


def recorded(kind, what, record=record):
    """One row a seed."""
    return torch.tensor([run[what] for run in record["runs"] if run["variant"] == kind])


# %% id="live"
lengths = [len(korean.encode(pair.src)) for pair in corpus.test]
texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam=1)]
live = []
for low, high in buckets:
    rows = [i for i, n in enumerate(lengths) if low <= n <= high]
    live.append(corpus_bleu([texts[i] for i in rows], [corpus.test[i].tgt for i in rows]).score)
was = recorded("scaled_dot", "bleu")[0].tolist()
behind = 10 if updates == 1000 else 40  # the record had 1,000 updates
print("source tokens", *[f"{low:>3}-{high:<2}" for low, high in buckets])
print("recorded     ", *[f"{score:6.1f}" for score in was])
print("just trained ", *[about(x, y - behind, y + 10, "5.1f") for x, y in zip(live, was)])


# %% id="live-weights"
@torch.no_grad()
def forced(pairs):
    """α (T, S) of every pair while the model reads the reference, without the end tokens."""
    sides = [(korean.encode(p.src), english.encode(p.tgt)) for p in pairs]
    batch = make_batch(*zip(*sides))
    _, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    return [w[: len(y), : len(x)] for w, (x, y) in zip(weights, sides)]


looks, gold = forced(corpus.test), [pair.links for pair in corpus.test]
rate = aer([links_from_weights(w) for w in looks], gold)
mass = probability_mass(looks, gold)
was = recorded("scaled_dot", "aer")[0].item()
print("alignment error rate, recorded:    ", f"{was:.2f}")
print("alignment error rate, just trained:", about(rate, was - 0.1, was + behind / 100))
print("weight on the gold links:          ", about(mass, 0.35 if updates == 1000 else 0.2, 0.7))

# %% id="same-as-before"
before = read("05_attention.json")
same = all(
    torch.equal(recorded("dot", what), recorded("luong", what, before)) for what in ("bleu", "aer")
)
print("dot is chapter 5's Luong model, and its three records are the same numbers:", same)

# %% [markdown] id="length-text"
# ### Quality by length
#
# **Predict.** Which of the five falls first when sentences get longer?

# %% id="length" tags=["hide-input"]
means = {kind: recorded(kind, "bleu").mean(0) for kind in KINDS}
ends = {
    kind: torch.stack([recorded(kind, "bleu").amin(0), recorded(kind, "bleu").amax(0)], 1)
    for kind in KINDS
}
title = "BLEU by length: five scores, recorded runs, mean and range of three seeds"
ax = bleu_by_length(buckets, means, intervals=ends, title=title)
circle = {"s": 110, "facecolors": "none", "edgecolors": "black", "zorder": 5}
ax.scatter(range(5), live, label="scaled_dot, just trained", **circle)
ax.set_ylim(min(85, min(live) - 2), 101)
ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
plt.show()

# %% [markdown] id="length-alt"
# <details><summary>The figure in words</summary>
#
# BLEU from 85 to 101 over five ranges of source length. From 11 to 40 tokens all lines but that of
# general lie at 100. General lies near 97 throughout, and its range reaches from 92 to 100. At 4 to
# 10 tokens scaled dot is as low; at 41 to 50 all others lie between 98 and 99.5. The open circles
# of the live run lie on the line of scaled dot (lower after fewer updates).
#
# </details>

# %% id="length-numbers"
print("recorded, three seeds    4–10 tokens   41–50 tokens   new combinations   (BLEU)")
for kind in KINDS:
    short, long = recorded(kind, "bleu")[:, 0], recorded(kind, "bleu")[:, -1]
    others = [run["others"] for run in record["runs"] if run["variant"] == kind]
    new = torch.tensor([other["test_composition"]["bleu"] for other in others])
    spans = [f"{x.min():.0f} – {x.max():.0f}" for x in (short, long, new)]
    print(f"  {kind:12} {spans[0]:>21} {spans[1]:>14} {spans[2]:>18}")
print("general, seed by seed, mean of the lengths:", end=" ")
print(*[f"{score:.1f}" for score in recorded("general", "bleu").mean(1)], sep=", ")

# %% [markdown] id="length-read"
# All five translate this little language well, also where a verb has an object that it never had in
# training (the last column). On the shortest sentences every seed of scaled dot is behind every
# seed of dot. All other differences between scores are as small as those between seeds, and concat
# and additive, which are one and the same function, differ as much. And one run stands apart:
# general with its second seed is several BLEU behind the other two, at every length. Whoever had
# trained that one alone would have written that general is the worst of the five.

# %% [markdown] id="found-text"
# ### Who finds the alignment first?
#
# While each run trained, its alignment error on 100 validation pairs was noted every 100 updates.
#
# **Predict.** A score with more freedom must learn more. Does the order of the lines follow the
# number of parameters?

# %% id="found" tags=["hide-input"]
curves = {kind: recorded(kind, "aer_while") for kind in KINDS}
ax = learning_curves(
    record["watched"],
    curves,
    title="Alignment error while training (recorded runs, mean and range of three seeds)",
    xlabel="updates",
    ylabel="alignment error rate (0 to 1)",
)
plt.show()

# %% [markdown] id="found-alt"
# <details><summary>The figure in words</summary>
#
# Alignment error rate against 100 to 1,000 updates, falling from about 0.9 for all. Dot falls first
# and is near 0.2 after 300 updates, general follows, then scaled dot, then concat and additive
# together. At the end all lie below 0.2, dot, scaled dot and general near 0.1.
#
# </details>

# %% id="found-numbers"
print("recorded             AER after 300 updates   at the end (test)   weight on gold links")
for kind in KINDS:
    early, late = recorded(kind, "aer_while")[:, 2], recorded(kind, "aer")
    share = recorded(kind, "probability_mass")
    spans = [f"{x.min():.2f} – {x.max():.2f}" for x in (early, late, share)]
    print(f"  {kind:12} {spans[0]:>24} {spans[1]:>19} {spans[2]:>22}")

# %% [markdown] id="found-read"
# - *Dot first, concat last*: the simplest score is the quickest, and the lines of concat and
#   additive lie on one another, as they should. But it is not the number of parameters: scaled dot
#   has none and is slower than general.
# - *The last column*, the share of the weight that falls on the gold links. Dot and general put
#   about four fifths or more there. Scaled dot puts about half there, in all seeds: its weights are
#   *soft*. Concat and additive lie in between. A likely reason: a tanh stays between −1 and 1, so
#   their score can never exceed the sum of the absolute values in $v_a$, and sharp weights need a
#   large $v_a$ first.

# %% [markdown] id="premise-text"
# ### When √H is the wrong number
#
# Against dot, scaled dot is softer, slower to align and behind on short sentences. But was scaling
# not a good thing? The argument had a premise: numbers of variance 1. The numbers in an LSTM's
# state lie between −1 and 1, and before training they are close to 0; so are those of the $W x_j$
# in the keys (chapter 5). So what is the variance of the scores in an untrained translator? The
# premise says 128.

# %% id="premise"
seed_everything(1)
fresh = make_model("dot").eval()
batch = make_batch([x for x, _ in ids[:64]], [y for _, y in ids[:64]])
with torch.no_grad():
    memory, decoder = fresh.encode(batch.src, batch.src_mask), fresh.decoder
    states, _ = decoder.run(decoder.embed(batch.tgt_in).unsqueeze(1), decoder.start(memory))
    raw = dot_score(states.squeeze(1), memory.states)
real = batch.tgt_mask.unsqueeze(2) & batch.src_mask.unsqueeze(1)  # (B, T, S)
print("variance of s·h before training below 0.1:", raw[real].var().item() < 0.1)
print("... divided by √128, below 0.001:         ", (raw[real] / 128**0.5).var().item() < 0.001)

# %% [markdown] id="premise-read"
# The scores are not too large; they are far too *small*. Dividing them by 11.3 flattens an almost
# flat softmax still further. A Transformer normalizes its vectors before it compares them, and
# there the premise holds roughly (chapter 11). The lesson is not "never scale" but "scale by what
# the variance *is*", and, best of all, watch the largest weight.
#
# Dot and scaled dot differ in nothing but this division, so the division is what sets them apart.
# That it hurts *because* the scores are small before training is our reading, not a proof. What
# would test it: divide by another number, train again. The program in `benchmarks/` is short.

# %% [markdown] id="shift-text"
# ### One word off?
#
# Luong et al. warn in their footnote 14 that a content-based score may align the word just *read*
# instead of the one to be written, and [Koehn and Knowles
# (2017)](D_papers.ipynb#cell-id=koehn-2017) show a German–English map whose every point is off by
# one. So each map is scored three times: as it is, and with every row moved one target word up or
# down.

# %% id="shift" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(8, 3.6))
for n, kind in enumerate(KINDS):
    for place, what in enumerate(("aer-1", "aer", "aer+1")):
        points = recorded(kind, what)
        look = {"color": figures.PALETTE[n], "marker": "osD^v"[n], "s": 45}
        where = [place + 0.13 * (n - 2)] * len(points)
        ax.scatter(where, points, label=kind if place == 0 else None, **look)
ax.set_xticks(range(3), ["−1", "0", "+1"])
ax.set(title="Is the map off by one? (recorded runs, a point a seed)", ylim=(0, 1))
ax.set(xlabel="shift of the rows (target words)", ylabel="alignment error rate (0 to 1)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="shift-alt"
# <details><summary>The figure in words</summary>
#
# Dot plot of alignment error rates at shifts −1, 0 and +1, five scores with three seeds each. At 0
# all points lie below 0.2, at −1 and +1 all lie between 0.7 and 0.9.
#
# </details>

# %% id="shift-numbers"
shifts = {int(x) for kind in KINDS for x in recorded(kind, "best_shift")}
print("recorded: best shift of all fifteen runs:", sorted(shifts))

# %% [markdown] id="shift-read"
# No run is displaced: each map fits best as it is, and moved by one row it is wrong in most places.

# %% [markdown] id="cost-record-text"
# ### What it cost
#
# The training time of the recorded runs, as multiples of the mean of dot; timings of a shared
# machine, so trust no more than the first digit.

# %% id="cost-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4))
base = recorded("dot", "seconds").mean()
for n, kind in enumerate(KINDS):
    points = recorded(kind, "seconds") / base
    axes[0].scatter(points, [n] * len(points), color=figures.PALETTE[n], marker="osD^v"[n])
axes[0].set(title="training time", xlabel="multiples of dot", xlim=(0, 1.6))
form = {"concat": forms[2], "additive": forms[2], "scaled_dot": "dot"}
memory_of = [held(form.get(kind, kind)) * 4 / 1e6 for kind in KINDS]
for n, size in enumerate(memory_of):
    axes[1].scatter([size], [n], color=figures.PALETTE[n], marker="osD^v"[n])
axes[1].set(title="held by the score, one batch", xlabel="megabytes (log scale)")
axes[1].set(xscale="log", xlim=(0.1, 100))
for ax in axes:
    ax.set_yticks(range(5), KINDS)
    ax.invert_yaxis()
fig.suptitle("The price of a score in this translator")
plt.show()

# %% [markdown] id="cost-figure-alt"
# <details><summary>The figure in words</summary>
#
# Left, a dot plot of training time relative to dot: dot, scaled dot and general lie at about 1,
# concat and additive at 1.1 to 1.4. Right, megabytes on a logarithmic axis: dot and scaled dot
# below 1, general about 1, concat and additive above 20.
#
# </details>

# %% [markdown] id="cost-figure-read"
# A matrix costs next to nothing: it is applied to the keys once a sentence, not once a pair of
# words. The tanh makes this whole training about a quarter longer, and its memory is the only one
# that shows.

# %% [markdown] id="bias-text"
# ### Did the missing bias hurt?
#
# In the toy worlds concat without a bias could not do what a dot product does. The recorded runs
# "additive_bias" are additive with a $b$ inside the tanh. (Mean BLEU is the mean over the five
# ranges of length.)

# %% id="bias"
print("recorded, three seeds: mean BLEU and alignment error, lowest to highest")
for kind in ("additive", "additive_bias"):
    bleu, error = recorded(kind, "bleu").mean(1), recorded(kind, "aer")
    print(
        f"  {kind:14} {bleu.min():.1f} – {bleu.max():.1f}    {error.min():.2f} – {error.max():.2f}"
    )

# %% [markdown] id="bias-read"
# No difference that three seeds could show. The likely reason is the one given above: the states of
# a translator need not be symmetric around zero, so the score can take its constant from them. A
# weakness of a *formula* need not be a weakness of the *system* that it is part of.

# %% [markdown] id="luong-text"
# ## Luong's Table 4 beside ours
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

# %% id="luong" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.3))
axes[0].scatter([18.6, 17.3], [0, 1], color=figures.PALETTE[6], marker="X", s=80)
axes[0].set(title="Luong et al. 2015 (as reported)", xlim=(16, 20))
for n, kind in enumerate(("dot", "general", "concat")):
    points = recorded(kind, "bleu").mean(1)
    axes[1].scatter(points, [n] * len(points), color=figures.PALETTE[0], s=50)
earlier = recorded("general", "bleu", before).mean(1)
look = {"facecolors": "none", "edgecolors": figures.PALETTE[1], "s": 90}
axes[1].scatter(earlier, [1] * 3, label="chapter 5's runs", **look)
axes[1].set(title="this book (recorded, three seeds)", xlim=(90, 101))
axes[1].legend(frameon=False, loc="lower left")
for ax, label in zip(axes, ("newstest2014, en → de", "bundled corpus, ko → en")):
    ax.set_yticks(range(3), ["dot", "general", "concat"])
    ax.set(ylim=(2.4, -0.4), xlabel=f"BLEU, {label}")
plt.show()

# %% [markdown] id="luong-alt"
# <details><summary>The figure in words</summary>
#
# Two dot plots with different axes. Left, as reported by Luong et al.: dot at 18.6, general at
# 17.3, nothing for concat. Right, this book: dot and concat at 99 to 100, general at 93, at 99 and
# at nearly 100. Open circles, chapter 5's runs of general, lie at 99 to 100.
#
# </details>

# %% [markdown] id="luong-read"
# The two axes must not be read against one another. What differs: a real language pair against a
# small grammar; four layers of 1,000 against one of 128; a vocabulary of 50,000 against 89 words
# and marks; input feeding and a reversed source there, neither here; tokenised BLEU of newstest2014
# against the mean BLEU of five ranges of length, on sentences that have one right answer.
#
# What can be compared is the *direction*. In both, dot is on average ahead of general for global
# attention; concat, which did not do well there, does here. Is 1.3 BLEU much? The table gives one
# number for each score and no spread. Look at general: our three runs, and as open circles three
# from chapter 5 that differ from ours in nothing but the order in which random numbers were drawn.
# One of the six is several BLEU behind, and it alone puts general behind dot. **The draw can matter
# more than the score**, and a comparison without a spread, the paper's or anybody's, cannot tell
# the two apart.
#
# [Britz et al. (2017)](D_papers.ipynb#cell-id=britz-2017), who trained a great many translators,
# report that additive attention was slightly ahead of the dot product in theirs. There is no winner
# for all systems; there are differences in price that are always there.

# %% [markdown] id="choose"
# ## Which one, then?
#
# | take | if |
# |---|---|
# | dot | both sides have the same size and are trained together: nothing to learn, quickest here |
# | general | the sizes differ, or the two spaces are given and cannot move |
# | scaled dot | the vectors have variance about 1 and are long |
# | concat, additive | the map between the spaces is bent, and memory is no worry; give it a bias |
#
# And whichever you take: look at the largest weight in the first hundred updates. Always near 1, or
# always near $1/S$, and the scale is probably wrong.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Five formulas, and that two of them are one: concat is additive with its matrices side by side.
# - `linear.weight` is $W_a$ if the layer acts on the keys, $W_a^\top$ if it acts on the query.
# - Dot needs a shared space, general a linear map, concat learns a bent one; each step needs more
#   data.
# - Without a bias, concat is **odd**, $f(-x) = -f(x)$, and a dot product is even: there are simple
#   tasks that it cannot do.
# - The variance of a dot product is $H$ *if* its numbers have variance 1; a saturated softmax
#   passes hardly any gradient, even when it is wrong. In our LSTM translator the numbers are small
#   before training, and dividing by $\sqrt{H}$ did not help.
# - In our translator dot and general learned the alignment soonest, and concat and additive cost
#   about a quarter more time; the draw of the random numbers can move BLEU more than the score
#   does.
#
# **Left out, or done otherwise.** Location-based and local attention. Vectors longer than 128 in a
# trained translator, where an unscaled dot product is reported to suffer ([Britz et al.
# 2017](D_papers.ipynb#cell-id=britz-2017)): more than a minute of one thread, with AVX-512 or
# without. Memory is counted from shapes, not measured. A learning rate tuned for each score: all
# have chapter 5's, and a score that learns late may only want another rate. Our plan said that
# concat would learn all three worlds; with the printed formula it learns only the folded one.
#
# **Papers.** [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (§A.1.2);
# [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3.1, Table 4, footnote 14);
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (§3.2.1); [Britz et al.
# 2017](D_papers.ipynb#cell-id=britz-2017); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017).
#
# **Next.** In training the decoder has read the *right* previous word at every step. Chapter 7 asks
# what happens when it has to live with its own.
