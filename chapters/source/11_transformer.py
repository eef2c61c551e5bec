# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 11 · What is left when the recurrence goes?
#
# **What you will be able to do.** Build a Transformer from the attention you already have: many
# heads, positions, a mask that hides the future, a residual stream. Show what each of these is for
# by taking it away. Train one beside the LSTM of chapter 5 and say what was gained, and what it
# costs with length.
#
# **What you need.** Attention inside a translator (chapter 5) and the scaled dot score (chapter 6).
#
# **Time.** 45 minutes to read, 60 more for the four exercises, at most a minute to run with one
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
from attnlib.masking import masked_softmax
from attnlib.metrics import aer, corpus_bleu, links_from_weights
from attnlib.model import Encoder, LuongDecoder, ScaledDotAttention, Seq2Seq
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(11)

# %% [markdown] id="idea"
# ## The call of chapter 5, once more
#
# In chapter 5 attention was a part of a translator: the decoder's state asked, the encoder's states
# answered. The states themselves were made by recurrent networks, one word after the other.
#
# [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) asked what happens if the recurrence
# is left out and attention is all that carries anything from one position to another. Here is
# everything they needed of it (their Eq. 1):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d}}\right) V$$
#
# The rows of $Q$ are queries, the rows of $K$ and $V$ keys and values, $d$ is the size of a query.
# It is the scaled dot score of chapter 6, for all queries at once.


# %% id="attend"
def scaled_attention(query, keys, values, allowed=None):
    """query (..., T, d), keys (..., S, d), values (..., S, v) → contexts (..., T, v), weights."""
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed)  # over the last dimension; True = may be attended
    return weights @ values, weights


everyone = torch.ones(1, 1, 1, dtype=torch.bool)  # a mask that hides nothing

# %% [markdown] id="attend-text"
# Only two things are new. It takes any number of leading dimensions, and the mask `allowed` may say
# something different for every query. Is it still the function of chapter 5?

# %% id="attend-agree"
query, keys = torch.randn(2, 4, 8), torch.randn(2, 6, 8)  # (B, T, d), (B, S, d)
values = torch.randn(2, 6, 5)  # (B, S, v)
real = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])  # (B, S)
context, weights = scaled_attention(query, keys, values, real.unsqueeze(1))
book_context, book_weights = ScaledDotAttention(8, 8)(query, keys, values, real)
torch_context = F.scaled_dot_product_attention(query, keys, values, real.unsqueeze(1))
torch.testing.assert_close(context, book_context)
torch.testing.assert_close(weights, book_weights)
torch.testing.assert_close(context, torch_context)
print("the formula, attnlib.attention and torch agree")

# %% [markdown] id="self-text"
# ## A sentence that asks itself
#
# Who asks whom? That is the whole difference between the three uses of this one function in a
# **Transformer**:
#
# | | queries from | keys and values from | who may be attended |
# |---|---|---|---|
# | **cross-attention** (chapter 5) | the decoder | the encoder | every real source word |
# | **self-attention** of the encoder | the source | the source itself | every real source word |
# | **self-attention** of the decoder | the target | the target itself | words written so far |
#
# In self-attention every word collects what it needs from the words of its own sentence, a job that
# the encoder's two LSTMs did by carrying a state along. Three words of two numbers, those of
# chapter 5:

# %% id="self"
x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]])  # (S, d)
context, weights = scaled_attention(x, x, x)
for j in range(3):
    looks = [round(w, 2) for w in weights[j].tolist()]
    print(f"word {j + 1} looks at the three words with {looks}")

# %% [markdown] id="self-read"
# Three queries, three answers, no loop: word 3 did not wait for word 2.
#
# **Predict.** Word 2 gives more weight to word 3 than to itself. Why?

# %% [markdown] id="project-text"
# Because $x_2^\top x_3 = 2$ and $x_2^\top x_2 = 1$: with a bare dot product, long vectors win, and
# a word can only look for words *like itself*. A verb that looks for its subject needs a question
# that differs from what it is. So each word makes three vectors of itself with learnt matrices: a
# query $x W_Q$, a key $x W_K$ and a value $x W_V$.

# %% id="project"
to_query, to_key, to_value = (nn.Linear(2, 2, bias=False) for _ in range(3))
to_query.weight.data = torch.tensor([[0.0, 3.0], [3.0, 0.0]])  # swaps the two numbers, times 3
to_key.weight.data = to_value.weight.data = torch.eye(2)
with torch.no_grad():
    _, weights = scaled_attention(to_query(x), to_key(x), to_value(x))
for j in range(3):
    print(
        f"word {j + 1} looks at the three words with {[round(w, 2) for w in weights[j].tolist()]}"
    )

# %% [markdown] id="project-read"
# With these matrices word 1 asks for "a large second number" and finds word 3. The question is no
# longer what the word is.

# %% [markdown] id="bag-text"
# ## Positions
#
# **Predict.** `나는 너를 봤다` (*I · you · saw*) and `너를 나는 봤다` (*you · I · saw*) have the
# same words in another order. What changes in the three outputs of self-attention?

# %% id="bag"
words = torch.randn(3, 8, generator=generator)  # 나는, 너를, 봤다
order = [1, 0, 2]
straight, _ = scaled_attention(words, words, words)
shuffled, _ = scaled_attention(words[order], words[order], words[order])
print("each word gets what it got before:", torch.allclose(shuffled, straight[order]))

# %% [markdown] id="bag-read"
# Nothing but the order in which the same outputs stand. Attention sees a set (chapter 5 said so);
# until now the recurrence knew the order, and it is gone. So the position is *written into* the
# words: a vector $p_t$ for each position (**positional encoding**), added to the embedding.
# Vaswani et al. (§3.5) take waves:
#
# $$p_{t,2i} = \sin\!\big(t \, / \, 10000^{2i/d}\big), \qquad
# p_{t,2i+1} = \cos\!\big(t \, / \, 10000^{2i/d}\big)$$
#
# Position $t$ and pair $i$ both count from 0. It is a clock with many hands: the first pair turns
# fast, the last hardly at all.

# %% [markdown] id="ex-position-table-text"
# ### Exercise 11.1 · The clock
# *Core, 12 minutes.* Return the table of positions as a tensor (length, size): row $t$ is $p_t$,
# sines in the even columns, cosines in the odd ones. `size` is even.
#
# <details><summary>Hint 1</summary>Columns 0 and 1 share one speed, columns 2 and 3 the next. How
# many speeds are there?</details>
# <details><summary>Hint 2</summary><code>torch.arange(0, size, 2)</code> is the exponent's 2i. Make
# positions a column (length, 1) and speeds a row; their product is every angle.</details>
# <details><summary>Hint 3</summary><code>table[:, 0::2]</code> are the even columns of a table of
# zeros; assign the sines to them and the cosines to <code>table[:, 1::2]</code>.</details>


# %% id="ex-position-table" tags=["exercise"]
@exercise
def position_table(length, size):
    """Sinusoidal positions (Vaswani et al. 2017, §3.5). Two numbers → tensor (length, size)."""
    ### BEGIN SOLUTION
    speeds = 10000.0 ** (-torch.arange(0, size, 2) / size)  # (size / 2,)
    angles = torch.arange(length).unsqueeze(1) * speeds  # (length, size / 2)
    table = torch.zeros(length, size)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table
    ### END SOLUTION


# %% id="positions-figure"
table = position_table(50, 64)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
left.grid(False)
image = left.imshow(table, cmap="cividis", vmin=-1, vmax=1, aspect="auto")
left.set(title="The table", xlabel="column (feature)", ylabel="position t (words)")
fig.colorbar(image, ax=left, label="value (−1 to 1)")
for t, marker in ((5, "o"), (20, "s"), (40, "^")):
    right.plot(range(-15, 16), [float(table[t] @ table[(t + k) % 50]) if 0 <= t + k < 50 else None
               for k in range(-15, 16)], marker=marker, markersize=4, label=f"t = {t}")  # fmt: skip
right.set(
    title="How alike two positions are",
    xlabel="distance k (words)",
    ylabel="dot product $p_t^T p_{t+k}$",
)
right.legend(frameon=False)
plt.show()

# %% [markdown] id="positions-alt"
# <details><summary>The figure in words</summary>
#
# Left, a heat map of 50 positions by 64 columns: stripes that change quickly with position in the
# first columns and are constant in the last. Right, the dot product of position t with position t +
# k against k, for t = 5, 20 and 40: three curves that lie on one another, with their peak at 0,
# falling to both sides in small waves.
#
# </details>

# %% id="positions-check"
near = torch.stack([table[t : t + 11] @ table[t] for t in (5, 20, 35)])  # (3, 11)
print("depends on the distance only:", torch.allclose(near[0], near[1], atol=1e-4))
print("largest at distance 0:       ", near.argmax(-1).tolist())
angles = 7 * 10000.0 ** (-torch.arange(0, 64, 2) / 64)  # by which seven steps turn each pair
turn = torch.block_diag(*[torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]]) for a in angles])
moved = torch.allclose(table[:40] @ turn, table[7:47], atol=1e-4)
print("one matrix moves every p_t on by 7:", moved)

# %% [markdown] id="positions-read"
# The likeness of two positions depends on how far apart they are, not on where they stand. And one
# matrix turns *any* $p_t$ into $p_{t+7}$, so a learnt $W_Q$ can ask for "the word seven places on".
# (Vaswani et al. chose waves for that reason, and found learnt tables equally good, their Table 3
# row E. Today's models mostly turn queries and keys instead of adding: [Su et al.
# 2021](D_papers.ipynb#cell-id=su-2021).)

# %% [markdown] id="heads-text"
# ## Heads: more than one look at a time
#
# A softmax gives *one* weighted average. Suppose a word needs two things at once, say its left
# neighbour and its right neighbour. One average of both cannot say which was which. So the $d$
# features are cut into $h$ **heads** of $d/h$ features; each head attends for itself, with its own
# weights, and the results stand side by side again:
#
# $$\mathrm{head}_i = \mathrm{Attention}(Q_i, K_i, V_i), \qquad
# \mathrm{MultiHead} = [\mathrm{head}_1 ; \dots ; \mathrm{head}_h]\, W_O$$
#
# Here $Q_i$ is the $i$-th slice of $x W_Q$. More heads cost no more parameters: the matrices are as
# large as before, they are only read in slices.

# %% [markdown] id="ex-multi-head-text"
# ### Exercise 11.2 · Many heads
# *Hard, 20 minutes. This one hurts: three shapes must be right at once.* `query` (B, T, D), `keys`
# and `values` (B, S, D) have been through their matrices already. Cut D into `heads` slices of
# neighbouring features, attend in each with scores divided by the root of the *slice's* size, and
# put the contexts side by side in the same order. `allowed` is boolean and broadcasts to (B, T, S);
# it holds for all heads. Return contexts (B, T, D) and weights (B, heads, T, S).
# ($W_O$ comes afterwards and is not your business.)
#
# <details><summary>Hint 1</summary><code>x.unflatten(-1, (heads, -1))</code> makes (B, T, D) into
# (B, T, heads, D / heads). Which two dimensions must then change places, so that a matrix product
# runs over positions?</details>
# <details><summary>Hint 2</summary>The scores are (B, heads, T, S). <code>allowed</code> has no
# dimension for heads: <code>allowed.unsqueeze(-3)</code> gives it one of size 1.
# <code>masked_softmax(scores, allowed)</code> is imported.</details>
# <details><summary>Hint 3</summary>On the way back:
# <code>.transpose(1, 2).flatten(-2)</code>, in this order.</details>


# %% id="ex-multi-head" tags=["exercise"]
@exercise
def multi_head(query, keys, values, allowed, heads):
    """query (B, T, D), keys, values (B, S, D) → contexts (B, T, D), weights (B, heads, T, S)."""
    ### BEGIN SOLUTION
    query, keys, values = (
        x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values)
    )  # each (B, heads, T or S, D / heads)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))  # (B, heads, T, S)
    return (weights @ values).transpose(1, 2).flatten(-2), weights
    ### END SOLUTION


# %% id="multi-head-class"
class MultiHead(nn.Module):
    """The four matrices around it; x (B, T, D) asks memory (B, S, D)."""

    def __init__(self, size, heads):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(size, size) for _ in range(4))
        self.heads = heads

    def forward(self, x, memory, allowed):
        asked, keys, values = self.query(x), self.key(memory), self.value(memory)
        context, weights = multi_head(asked, keys, values, allowed, self.heads)
        return self.out(context), weights


# %% [markdown] id="multi-head-agree-text"
# torch has this module too, `nn.MultiheadAttention`, with the three first matrices in one and **the
# opposite mask**: there True means "may *not* be attended". With the same numbers in it:

# %% id="multi-head-agree"
ours, theirs = MultiHead(12, heads=3), nn.MultiheadAttention(12, 3, batch_first=True)
with torch.no_grad():
    three = [ours.query, ours.key, ours.value]
    theirs.in_proj_weight.copy_(torch.cat([matrix.weight for matrix in three]))
    theirs.in_proj_bias.copy_(torch.cat([matrix.bias for matrix in three]))
    theirs.out_proj.weight.copy_(ours.out.weight), theirs.out_proj.bias.copy_(ours.out.bias)
x, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
context, weights = ours(x, memory, real.unsqueeze(1))
expected, averaged = theirs(x, memory, memory, key_padding_mask=~real)
torch.testing.assert_close(context, expected)
torch.testing.assert_close(weights.mean(1), averaged)  # torch returns the mean over the heads
print("heads: ours and torch's agree")

# %% [markdown] id="neighbours-text"
# ### Does one head really not suffice?
#
# The task from above: sentences of eight random symbols; at each place the network must name the
# left *and* the right neighbour. One layer of attention, then one linear layer. 1, 2 or 4 heads,
# always the same number of parameters, three seeds each.
#
# **Predict.** How often will one head get both neighbours right?


# %% id="neighbours"
def learn_neighbours(heads, seed, symbols=10, length=8, size=32):
    """Share of places with both neighbours right after 300 updates, and the attention module."""
    seed_everything(seed)
    embed, attention = nn.Embedding(symbols, size), MultiHead(size, heads)
    both_sides = nn.Linear(size, 2 * symbols)
    modules = nn.ModuleList([embed, attention, both_sides])
    optimizer = torch.optim.Adam(modules.parameters(), lr=5e-3)
    for _ in range(300):
        ids = torch.randint(symbols, (64, length))
        x = embed(ids) + position_table(length, size)
        context, weights = attention(x, x, everyone)
        logits = both_sides(context)[:, 1:-1].unflatten(-1, (2, symbols))
        goal = torch.stack([ids[:, :-2], ids[:, 2:]], dim=-1)
        loss = F.cross_entropy(logits.flatten(0, 2), goal.flatten())
        optimizer.zero_grad(), loss.backward(), optimizer.step()
    return (logits.argmax(-1) == goal).all(-1).float().mean().item(), weights[0].detach()


# %% id="neighbours-run"
results = {heads: [learn_neighbours(heads, seed) for seed in (1, 2, 3)] for heads in (1, 2, 4)}
for heads, runs in results.items():
    rates = [rate for rate, _ in runs]
    print(f"heads: {heads}   below 30 %: {max(rates) < 0.3!s:5}  above 95 %: {min(rates) > 0.95}")

# %% id="neighbours-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 4, figsize=(10, 3.2), width_ratios=[1.25, 1, 1, 1])
for heads, runs in results.items():
    axes[0].scatter([str(heads)] * 3, [100 * rate for rate, _ in runs], color=figures.PALETTE[0])
axes[0].set(title="Both right", xlabel="heads", ylabel="places (%)", ylim=(-3, 103))
maps = {"The one head": results[1][0][1][0], "Head 1 of 2": results[2][0][1][0]}
maps["Head 2 of 2"] = results[2][0][1][1]
for ax, (title, weights) in zip(axes[1:], maps.items()):
    ax.grid(False)
    image = ax.imshow(weights, cmap="cividis", vmin=0, vmax=1)
    ax.set(title=title, xlabel="place looked at")
axes[1].set_ylabel("place that asks")
fig.colorbar(image, ax=axes[3], label="weight (0 to 1)", fraction=0.05)
plt.show()

# %% [markdown] id="neighbours-alt"
# <details><summary>The figure in words</summary>
#
# Left, points: with one head about 15 percent of the places have both neighbours right, with two
# and four heads all of them, in every one of three seeds. Right, three weight maps of eight by
# eight places: the one head spreads its weight over the main diagonal and the ones beside it; of
# the two heads, the first has most of it one place to the right, the second one to the left.
#
# </details>

# %% [markdown] id="neighbours-read"
# One head looks at both neighbours and hands on their *mixture*. That may say which two symbols
# they are, but not which stands where. Two heads are enough, in all three seeds and with the same
# number of parameters: in the run drawn here each takes a side. (Nobody told the heads to share the
# work. In a large model most heads do nothing so tidy, and many can be cut out afterwards: [Michel
# et al. 2019](D_papers.ipynb#cell-id=michel-2019).)

# %% [markdown] id="future-text"
# ## The decoder must not see the future
#
# In training the decoder reads the whole gold translation at once (teacher forcing, chapter 7). A
# recurrent decoder could not look ahead: its state at step $t$ had read $y_1 \dots y_{t-1}$ and no
# more. Self-attention *can* look ahead, and then predicting the next word is copying it. The mask
# must forbid it (a **causal mask**): position $t$ may attend to positions $1 \dots t$. It may see
# itself, because what the decoder reads at position $t$ is the word before, $y_{t-1}$; the first
# position holds the start token.

# %% [markdown] id="ex-decoder-mask-text"
# ### Exercise 11.3 · Who may look where
# *Warm-up, 8 minutes.* `real` (B, T) is True at the real tokens of a padded batch of targets.
# Return a boolean tensor (B, T, T): entry $[b, t, j]$ is True if position $t$ may attend to
# position $j$, that is, if $j$ is real and not after $t$.
#
# <details><summary>Hint 1</summary>Two conditions joined by "and": one depends on b and j, the
# other on t and j.</details>
# <details><summary>Hint 2</summary><code>torch.ones(T, T, dtype=torch.bool).tril()</code> is True
# on and below the diagonal. Rows are t.</details>
# <details><summary>Hint 3</summary><code>real.unsqueeze(1)</code> has shape (B, 1, T): the same for
# every t. <code>&</code> broadcasts.</details>


# %% id="ex-decoder-mask" tags=["exercise"]
@exercise
def decoder_mask(real):
    """real (B, T), boolean → who may attend to whom (B, T, T), True = may."""
    ### BEGIN SOLUTION
    steps = real.shape[1]
    past = torch.ones(steps, steps, dtype=torch.bool, device=real.device).tril()
    return real.unsqueeze(1) & past
    ### END SOLUTION


# %% [markdown] id="leak-text"
# A test that needs no training: change the *last* word and see which positions notice.

# %% id="leak"
attention, x = MultiHead(8, heads=2), torch.randn(1, 5, 8)
changed = x.clone()
changed[0, 4] += 1.0
past = decoder_mask(torch.ones(1, 5, dtype=torch.bool))
for name, allowed in (("no mask", everyone), ("with it", past)):
    moved = (attention(x, x, allowed)[0] - attention(changed, changed, allowed)[0]).abs().amax(-1)
    print(f"{name}: positions that notice: {[t + 1 for t in range(5) if moved[0, t] > 1e-6]}")

# %% [markdown] id="leak-read"
# Without the mask all five positions know the fifth word, four of them before it is written. It is
# a mistake that looks like success: the training loss is wonderful, and the translations are
# nonsense.

# %% [markdown] id="stream-text"
# ## The residual stream
#
# One layer of attention moves information between positions. Then a small network of two linear
# layers works on each position by itself, and the pair is repeated. Each of them *adds* its result
# to what was there before (a **residual connection**, 잔차 연결):
#
# $$x \leftarrow x + \mathrm{MultiHead}(\mathrm{norm}(x)), \qquad
# x \leftarrow x + \max(0, \mathrm{norm}(x)\, W_1)\, W_2$$
#
# What runs through is called the **residual stream**: every layer reads from it and writes to it.
# $\mathrm{norm}$ is **layer normalisation** ([Ba et al. 2016](D_papers.ipynb#cell-id=ba-2016)):
# each vector is shifted and scaled to mean 0 and variance 1, then multiplied by learnt numbers, and
# learnt numbers are added. (Vaswani et al. normalise *after* the addition. Training is easier if it
# is done before, as here: [Xiong et al. 2020](D_papers.ipynb#cell-id=xiong-2020). The formula
# leaves out the biases.)


# %% id="layer"
class Layer(nn.Module):
    """Self-attention, cross-attention if it is a decoder's, and a network for each position."""

    def __init__(self, size, heads, inner, cross=False, dropout=0.1):
        super().__init__()
        self.look = MultiHead(size, heads)
        self.look_across = MultiHead(size, heads) if cross else None
        self.think = nn.Sequential(nn.Linear(size, inner), nn.ReLU(), nn.Linear(inner, size))
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, allowed, memory=None, memory_allowed=None):
        normed, weights = self.norms[0](x), None
        x = x + self.dropout(self.look(normed, normed, allowed)[0])
        if self.look_across is not None:
            found, weights = self.look_across(self.norms[1](x), memory, memory_allowed)
            x = x + self.dropout(found)
        return x + self.dropout(self.think(self.norms[2](x))), weights


# %% [markdown] id="layer-agree-text"
# torch has this layer as `nn.TransformerEncoderLayer(..., norm_first=True)`. Same weights in, same
# numbers out?

# %% id="layer-agree"
ours = Layer(12, heads=3, inner=24, dropout=0.0)
theirs = nn.TransformerEncoderLayer(12, 3, 24, 0.0, batch_first=True, norm_first=True)
names = {"linear1": ours.think[0], "linear2": ours.think[2], "self_attn.out_proj": ours.look.out}
names |= {"norm1": ours.norms[0], "norm2": ours.norms[2]}
state = {f"{name}.{k}": v for name, module in names.items() for k, v in module.state_dict().items()}
for part in ("weight", "bias"):
    three = [getattr(m, part) for m in (ours.look.query, ours.look.key, ours.look.value)]
    state[f"self_attn.in_proj_{part}"] = torch.cat(three)
theirs.load_state_dict(state)
x = torch.randn(2, 6, 12)
mine, torchs = ours(x, real.unsqueeze(1))[0], theirs(x, src_key_padding_mask=~real)
torch.testing.assert_close(mine[real], torchs[real])  # at padding both may write what they like
print("a layer: ours and torch's agree at every real position")

# %% [markdown] id="depth-text"
# ### Why add?
#
# Chapters 1 and 2 followed the gradient through *time*. The same question, now through *depth*:
# 36 layers, the loss at the top, and the gradient that arrives at each layer's input. Once with
# the additions, once with `x = MultiHead(norm(x))` and so on. Five random networks, untrained.
#
# **Predict.** What is the recurrent relative of the residual stream?


# %% id="depth"
def gradient_by_depth(add, seed, layers=36, size=32):
    """Gradient norm at the input of each layer, as a share of that at the last layer's."""
    torch.manual_seed(seed)
    stack = [Layer(size, 4, 64, dropout=0.0) for _ in range(layers)]
    x, inputs = torch.randn(1, 10, size, requires_grad=True), []
    for layer in stack:
        inputs.append(x)
        normed = layer.norms[0](x)
        looked = layer.look(normed, normed, everyone)[0]
        x = x + looked if add else looked
        x = x + layer.think(layer.norms[2](x)) if add else layer.think(layer.norms[2](x))
    grads = torch.autograd.grad((x * torch.randn(x.shape)).sum(), inputs)
    return torch.stack([grad.norm() / grads[-1].norm() for grad in grads])


# %% id="depth-figure"
curves = {
    "with addition": torch.stack([gradient_by_depth(True, seed) for seed in range(5)]),
    "without": torch.stack([gradient_by_depth(False, seed) for seed in range(5)]),
}
ax = learning_curves(
    range(1, 37),
    curves,
    title="Gradient that reaches each layer (5 networks, mean and range)",
    xlabel="layer (1 = next to the words)",
    ylabel="gradient norm, share of layer 36's",
    log=True,
)
plt.show()

# %% [markdown] id="depth-alt"
# <details><summary>The figure in words</summary>
#
# Gradient norm relative to the last layer on a logarithmic axis, against layer 1 to 36. With
# addition it stays near 1 and rises slightly toward the first layer. Without, the mean falls to
# less than a hundredth at layer 1, and the five networks lie about two powers of ten apart.
#
# </details>

# %% id="depth-check"
first = {name: curve[:, 0] for name, curve in curves.items()}
print(
    "with addition, layer 1 within a factor 4: ",
    bool((first["with addition"].log().abs() < 1.4).all()),
)
print("without, layer 1 less than a tenth:        ", bool((first["without"] < 0.1).all()))

# %% [markdown] id="depth-read"
# The addition is a road on which the gradient passes unchanged, whatever the layers do: it is the
# cell state of the LSTM (chapter 2, $\partial c_T / \partial c_t$ with every forget gate at 1),
# turned from time into depth. Without it the gradient is what each layer makes of it, and another
# network makes something else of it. (The normalisations keep it from falling much faster still.
# [He et al. 2016](D_papers.ipynb#cell-id=he-2016) used the same road in networks for images.)

# %% [markdown] id="reach-text"
# And through time? An encoder of two layers reads 40 words; the loss is taken at the *last*
# position. How much gradient arrives at each word? Beside it the one-way LSTM, at torch's usual
# start, as in chapter 5.


# %% id="reach"
def gradient_by_word(kind, seed, size=32, length=40):
    torch.manual_seed(seed)
    x = torch.randn(1, length, size, requires_grad=True)
    if kind == "LSTM":
        top = nn.LSTM(size, size, batch_first=True)(x)[0]
    else:
        top = x + position_table(length, size)
        for layer in [Layer(size, 4, 64, dropout=0.0) for _ in range(2)]:
            top, _ = layer(top, everyone)
    return torch.autograd.grad(top[0, -1].sum(), x)[0][0].norm(dim=-1)


# %% id="reach-figure"
curves = {
    kind: torch.stack([gradient_by_word(kind, seed) for seed in range(5)])
    for kind in ("self-attention, 2 layers", "LSTM")
}
ax = learning_curves(
    range(1, 41),
    curves,
    title="Gradient of the last position at each word (5 networks, mean and range)",
    xlabel="word",
    ylabel="gradient norm",
    log=True,
)
plt.show()

# %% [markdown] id="reach-alt"
# <details><summary>The figure in words</summary>
#
# Gradient norm on a logarithmic axis against word 1 to 40. Self-attention is level from word 1 to
# 39, with a jump up at word 40 itself. The LSTM falls along a straight line by many powers of ten
# from word 40 to word 1.
#
# </details>

# %% id="reach-check"
look, chain = (curve.mean(0) for curve in curves.values())
print("self-attention, word 1 within a factor 4 of word 39:", bool(0.25 < look[0] / look[38] < 4))
print("LSTM, word 1 less than a millionth of word 39:      ", bool(chain[0] < 1e-6 * chain[38]))
print("self-attention, word 40 at least 5 times word 39:   ", bool(look[39] > 5 * look[38]))

# %% [markdown] id="reach-read"
# For attention every word is one step away. Chapter 5 had to add that its shortcut ends at $h_j$,
# which is still the end of a chain. Here there is no chain. The jump at word 40 is the residual
# stream: a word's own vector passes straight up.

# %% [markdown] id="model-text"
# ## The whole model
#
# Two layers read the source, two layers write the target. Before the first, the embedding times
# $\sqrt{d}$ plus the position (Vaswani et al., §3.4 and §3.5); after the last, one more
# normalisation. The methods have the names that `attnlib.training` and `attnlib.translator` call,
# so that everything around the model stays as it was.


# %% id="model"
class Side(nn.Module):
    """Words to vectors, then layers: the encoder, and with ``cross`` the decoder."""

    def __init__(self, words, size, heads, inner, layers, cross, dropout):
        super().__init__()
        self.embed, self.norm = nn.Embedding(words, size), nn.LayerNorm(size)
        nn.init.normal_(self.embed.weight, std=size**-0.5)
        self.layers = nn.ModuleList(
            Layer(size, heads, inner, cross, dropout) for _ in range(layers)
        )
        self.dropout, self.positions = nn.Dropout(dropout), True

    def forward(self, ids, allowed, *memory):
        x = self.embed(ids) * math.sqrt(self.embed.embedding_dim)
        if self.positions:
            x = x + position_table(*x.shape[1:]).to(x.device)
        x = self.dropout(x)
        for layer in self.layers:
            x, weights = layer(x, allowed, *memory)
        return self.norm(x), weights  # the cross-attention weights of the last layer

    def start(self, memory):
        """Before the first step nothing is written: (B, 1, 0) tokens."""
        return memory[1].new_zeros(len(memory[1]), 1, 0, dtype=torch.long)


# %% id="model-forward"
class Transformer(nn.Module):
    """Encoder, decoder, output layer; the row that predicts a word is the row that embeds it."""

    def __init__(self, src_size, tgt_size, size=88, heads=4, inner=176, layers=2, dropout=0.1):
        super().__init__()
        sizes = (size, heads, inner, layers)
        self.encoder = Side(src_size, *sizes, cross=False, dropout=dropout)
        self.decoder = Side(tgt_size, *sizes, cross=True, dropout=dropout)
        self.output = nn.Linear(size, tgt_size)
        self.output.weight = self.decoder.embed.weight
        nn.init.zeros_(self.output.bias)

    def encode(self, src, mask):
        return self.encoder(src, mask.unsqueeze(1))[0], mask

    def features(self, src, src_mask, tgt_in, *_):
        states, mask = self.encode(src, src_mask)
        allowed = decoder_mask(torch.ones_like(tgt_in, dtype=torch.bool))
        return self.decoder(tgt_in, allowed, states, mask.unsqueeze(1))

    def step(self, tokens, memory, written):
        """Search: read all that is written of each hypothesis again, and predict what follows."""
        written = torch.cat([written, tokens.unsqueeze(-1)], dim=-1)  # (B, K, t)
        beams, ids = written.shape[1], written.flatten(0, 1)  # (B·K, t)
        states, mask = (part.repeat_interleave(beams, 0) for part in memory)
        allowed = decoder_mask(torch.ones_like(ids, dtype=torch.bool))
        x, weights = self.decoder(ids, allowed, states, mask.unsqueeze(1))
        log_probs = self.output(x[:, -1]).log_softmax(-1).unflatten(0, (-1, beams))
        return log_probs, written, weights[:, :, -1].mean(1).unflatten(0, (-1, beams))


# %% [markdown] id="model-read"
# Two remarks. Padding at the *end* of a target needs no place in the decoder's mask: no real
# position may look at anything after itself, and the loss leaves padding out. And `step` is
# wasteful: it reads the whole prefix again for every new word. The last exercise repairs that.

# %% [markdown] id="ex-cached-step-text"
# ### Exercise 11.4 · Ask only for the new word
# *Hard, 15 minutes.* Keys and values of the words already written do not change. Keep them.
# `query`, `key` and `value` (B, 1, d) belong to the new word; `past_keys` and `past_values`
# (B, t, d) to the t words before (t = 0 at first). Return three things: the context of the new word
# (B, 1, d), which attends to all past words *and itself* by the scaled dot score, and the keys and
# the values (B, t+1, d) for the next step. The tensors that come in must not be changed.
#
# <details><summary>Hint 1</summary>Is a mask needed? Which words does the new one see?</details>
# <details><summary>Hint 2</summary><code>torch.cat([past, new], dim=1)</code> makes the longer
# table; do it before attending.</details>
# <details><summary>Hint 3</summary>Then the formula at the top of the chapter, with these keys and
# values and no mask.</details>


# %% id="ex-cached-step" tags=["exercise"]
@exercise
def cached_step(query, key, value, past_keys, past_values):
    """All (B, 1, d) and (B, t, d) → context (B, 1, d), keys and values (B, t + 1, d)."""
    ### BEGIN SOLUTION
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values
    ### END SOLUTION


# %% id="cached"
q, k, v = (torch.randn(1, 6, 8) for _ in range(3))
at_once, _ = scaled_attention(q, k, v, decoder_mask(torch.ones(1, 6, dtype=torch.bool)))
past_keys = past_values = torch.zeros(1, 0, 8)
one_by_one = []
for t in range(6):
    new = (part[:, t : t + 1] for part in (q, k, v))
    context, past_keys, past_values = cached_step(*new, past_keys, past_values)
    one_by_one.append(context)
torch.testing.assert_close(torch.cat(one_by_one, dim=1), at_once)
print("word by word from the cache = all at once under the mask")

# %% [markdown] id="cached-read"
# Training computes all positions at once under the mask; writing goes word by word with the cache
# (the **KV cache**: keys and values of the words so far). They are the same function. (Our small
# model keeps the wasteful `step`, which is easier to read.)

# %% [markdown] id="train-text"
# ## Beside the LSTM of chapter 5
#
# The same corpus, the same batches, 1,000 updates, parameters within 5 %: chapter 5's translator
# with the dot score, and the Transformer. Each has its own peak learning rate, reached after a
# **warm-up** (it rises from 0 during the first quarter of the updates): 0.004 for the LSTM, as in
# chapter 5, and 0.002 for the Transformer, chosen on the validation split.
#
# The Transformer is trained now, with fewer updates on a processor without AVX-512. The LSTM you
# have trained in chapter 5, so here its three seeds are *recorded*, beside three of the Transformer
# (`benchmarks/transformer_chapter.py` makes the record; it runs the very cells of this chapter).
#
# **Predict.** Two layers of attention against two recurrent networks with attention between them:
# which one will be ahead on sentences of 41–50 tokens?

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]


# %% id="lstm"
def make_lstm():
    """The model with attention of chapter 5."""
    source, target = nn.Embedding(len(korean), 128), nn.Embedding(len(english), 128)
    for table in (source, target):
        nn.init.normal_(table.weight, std=128**-0.5)
    encoder = Encoder(source, 128, dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, 128, 128, 128, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(128, len(english))
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    return Seq2Seq(encoder, decoder, output)


# %% id="train-function"
def train(make, rate, seed=1, longest=50, updates=1000):
    """The translator, and the validation loss on the way: a tenth of the updates a point."""
    seed_everything(seed)
    model = make()
    some = [(x, y) for x, y in ids if len(x) <= longest]
    batches = Batches([x for x, _ in some], [y for _, y in some], size=32, seed=seed)
    valid = [
        make_batch([korean.encode(p.src) for p in part], [english.encode(p.tgt) for p in part])
        for part in (corpus.valid[:60], corpus.valid[-60:])
    ]
    recipe = Recipe(
        updates=updates, warmup=updates // 4, learning_rate=rate, label_smoothing=0.0,
        validate_every=updates // 10, precision="fp32", seed=seed,
    )  # fmt: skip
    history = fit(model, batches, recipe, valid=valid, progress=False)
    return Translator(model, korean, english), history


# %% id="record"
def recorded(chapter, variant, what="bleu"):
    """One row a seed."""
    path = bundled_directory().parent / "runs" / f"{chapter}.json"
    runs = json.loads(path.read_text(encoding="utf-8"))["runs"]
    return torch.tensor([run[what] for run in runs if run["variant"] == variant])


counts = [recorded("11_transformer", kind, "parameters")[0] for kind in ("transformer", "lstm")]
print(f"parameters that learn: Transformer {counts[0]:,}, LSTM {counts[1]:,}")
same = recorded("11_transformer", "lstm").equal(recorded("05_attention", "luong"))
print("recorded, the LSTM of this chapter scores what chapter 5's did:", same)

# %% [markdown] id="train-wait"
# The training takes about half a minute, with AVX-512 or, at fewer updates, without.

# %% id="train"
updates = budget(1000, slow=400)
transformer, history = train(lambda: Transformer(len(korean), len(english)), 2e-3, updates=updates)
trained = sum(p.numel() for p in transformer.model.parameters() if p.grad is not None)
assert trained == counts[0] and abs(trained / counts[1] - 1) < 0.05

# %% id="curves-figure" tags=["hide-input"]
curves = {
    f"{name}, recorded": recorded("11_transformer", kind, "valid_loss")
    for name, kind in (("LSTM", "lstm"), ("Transformer", "transformer"))
}
ax = learning_curves(
    range(100, 1001, 100), curves, log=True,
    title="Validation loss while training (recorded: three seeds, mean and range)",
    ylabel="loss (nats per token)",
)  # fmt: skip
ax.plot(history.update, history.valid_loss, "k:^", label="Transformer, live")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="curves-alt"
# <details><summary>The figure in words</summary>
#
# Loss on the validation split on a logarithmic axis, against updates up to 1,000: three recorded
# seeds each of the LSTM and the Transformer as a mean in a band, and, dotted, the Transformer just
# trained. All fall by more than two powers of ten; at the end the LSTM is the lowest.
#
# </details>

# %% id="length"
lengths = [len(korean.encode(pair.src)) for pair in corpus.test]
buckets = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in buckets]


def by_length(translator):
    texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam=1)]
    return [
        corpus_bleu([texts[i] for i in rows], [corpus.test[i].tgt for i in rows]).score
        for rows in chosen
    ]


live = by_length(transformer)
print("source tokens           ", *[f"{low:>3}-{high:<2}" for low, high in buckets])
low = 80 if updates == 1000 else 20
print("Transformer, just trained", *[about(score, low, 100, "5.1f") for score in live])

# %% [markdown] id="recorded-text"
# One run says little. The record has three seeds of the LSTM, of the Transformer, and of three
# variants of the Transformer: without positions, with one head, and trained on sentences of at most
# 20 tokens.
#
# **Predict.** Which of the three hurts most, and at which lengths?


# %% id="recorded"
scores = {
    "LSTM": recorded("11_transformer", "lstm"),
    "Transformer": recorded("11_transformer", "transformer"),
    "one head": recorded("11_transformer", "one-head"),
    "no positions": recorded("11_transformer", "no-positions"),
    "≤ 20 tokens only": recorded("11_transformer", "short"),
    "LSTM, ≤ 20 only": recorded("05_attention", "short"),
}

# %% id="length-figure" tags=["hide-input"]
ends = {k: torch.stack([v.min(0).values, v.max(0).values], 1) for k, v in scores.items()}
means = {label: runs.mean(0) for label, runs in scores.items()}
title = "BLEU by length: recorded runs, mean and range of three seeds"
ax = bleu_by_length(buckets, means, intervals=ends, title=title)
ring = {"s": 110, "facecolors": "none", "edgecolors": "black", "zorder": 5}
ax.scatter(range(5), live, label="Transformer, live", **ring)
ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
plt.show()

# %% [markdown] id="length-alt"
# <details><summary>The figure in words</summary>
#
# BLEU in five ranges of source length. LSTM, Transformer and the Transformer with one head are near
# 100 up to 40 tokens; on 41 to 50 the LSTM stays there and both Transformers are near 95. Without
# positions the line starts near 100, falls at once to little above 70 and steadily to about 40.
# Trained on at most 20 tokens, the LSTM is at 100 up to there and falls to below 30; the
# Transformer begins near 90 and falls to below 20, and on 11 to 20 tokens the bar of its three
# seeds reaches from about 20 to above 90. The open circles of the live run lie on the Transformer's
# line or close to it (below it after fewer updates).
#
# </details>

# %% id="length-numbers"
print("mean of three seeds         4-10     11-20     41-50")
for label, mean in means.items():
    print(f"  {label:20}{mean[0]:10.0f}{mean[1]:10.0f}{mean[-1]:10.0f}")

# %% [markdown] id="length-read"
# Four things, in the order of the lines.
#
# 1. *The Transformer does not win here.* On the longest sentences it is behind the LSTM with
#    attention in every one of three seeds, with the same updates and about as many parameters. The
#    validation loss says the same. Its fame comes from much larger models, where
#    being parallel lets you train on far more in the same time. This corpus and this budget are
#    small.
# 2. *One head* is nearly as good as four on this corpus. What heads can do was shown above; whether
#    a task needs it is another question.
# 3. *Without positions* it still translates sentences of at most 10 tokens almost without a fault.
#    A likely reason: a short sentence of this corpus has one person, one verb and at most one
#    thing, and a bag of these words leaves no doubt who did what. Most longer ones join two
#    statements (*Sora ate a banana, and Jiho drew a tree*), and a bag cannot tell what belongs to
#    whom. (Its decoder is not quite without order: under the mask position $t$ sees $t$ words,
#    which is a kind of counting; [Haviv et al. 2022](D_papers.ipynb#cell-id=haviv-2022).)
# 4. *Trained on short sentences*, it is no better beyond them than the LSTM was; being without a
#    chain does not help with lengths, and positions, that it has never seen. In 1,000 updates on
#    short sentences it has not even learnt those for certain, which the LSTM has: one seed of the
#    three is lost on 11–20 tokens already (the long bar).

# %% [markdown] id="cross-text"
# ## Chapter 5 is still there
#
# The middle part of a decoder layer is chapter 5's attention: the target asks, the source answers.
# To prove it, follow one sentence into the last layer, 학생은 도서관에서 편지 세 통을 썼습니다.
# (*The student wrote three letters in the library.*), and hand the queries, keys and values of
# each head to the module of chapter 5.

# %% id="cross"
pair = next(p for p in corpus.test if p.tgt == "The student wrote three letters in the library.")
batch = make_batch([korean.encode(pair.src)], [english.encode(pair.tgt)])
caught = {}
layer = transformer.model.eval().decoder.layers[-1].look_across
hook = layer.register_forward_hook(lambda module, given, made: caught.update(x=given, w=made[1]))
with torch.no_grad():
    transformer.model.features(batch.src, batch.src_mask, batch.tgt_in)
hook.remove()

# %% id="cross-agree"
x, memory, _ = caught["x"]
size = x.shape[-1] // layer.heads
with torch.no_grad():
    projected = [layer.query(x), layer.key(memory), layer.value(memory)]
    for head in range(layer.heads):
        q, k, v = (part[..., head * size : (head + 1) * size] for part in projected)
        _, weights = ScaledDotAttention(size, size)(q, k, v, batch.src_mask)
        torch.testing.assert_close(weights, caught["w"][:, head])
print("each head is one call of chapter 5's attention(query, keys, values, mask)")

# %% id="heads-figure"
tokens = [*korean.tokenize(pair.src), "(end)"]
gloss = ["student", "(topic)", "library", "in", "letter", "three", "(counter)", "(object)"]
gloss += ["wrote", "(polite)", "", ""]
labels = [f"{token} {word}" for token, word in zip(tokens, gloss)]
written = [*english.tokenize(pair.tgt), "(end)"]
fig, axes = plt.subplots(2, 2, figsize=(10, 7), sharex=True, sharey=True)
for head, ax in enumerate(axes.flat):
    ax.grid(False)
    image = ax.imshow(caught["w"][0, head], cmap="cividis", vmin=0, vmax=1, aspect="auto")
    ax.set_title(f"Head {head + 1}")
for ax in axes[1]:
    ax.set_xticks(range(len(labels)), labels, rotation=90, parse_math=False)
    ax.set_xlabel("source token j")
for ax in axes[:, 0]:
    ax.set_yticks(range(len(written)), written)
    ax.set_ylabel("about to write")
fig.colorbar(image, ax=axes, label="weight (0 to 1)", fraction=0.03)
fig.suptitle("Cross-attention of the last layer, head by head")
plt.show()

# %% [markdown] id="heads-alt"
# <details><summary>The figure in words</summary>
#
# Four heat maps, one a head, of nine English tokens by the Korean tokens with glosses. In all four,
# wrote looks at the verb stem 썼, and in three of them “three” at 세. Elsewhere they differ:
# “letters” looks at 편지 (letter) in one head and at the counter 통 in three, “student” at 학생
# (student) or at the particle behind it, “in” at 에서 (in) or at 도서관 (library). “The”, which has
# no Korean partner, mostly spreads its weight. The full stop looks at the full stop or at the verb
# ending.
#
# </details>


# %% id="aer"
@torch.no_grad()
def error_rates(translator, pairs):
    """AER of each head of the last layer, and of the mean of its heads, under the reference."""
    found = []
    for p in pairs:
        b = make_batch([korean.encode(p.src)], [english.encode(p.tgt)])
        _, weights = translator.model.features(b.src, b.src_mask, b.tgt_in)
        weights = weights[0, :, :-1, :-1]  # without the row and the column of the end
        found.append([links_from_weights(w) for w in [*weights, weights.mean(0)]])
    gold = [p.links for p in pairs]
    return [aer(list(links), gold) for links in zip(*found)]


*heads, mean = error_rates(transformer, corpus.test[::5])
worst = 0.25 if updates == 1000 else 0.5  # the record had 1,000 updates
print("just trained, the mean of the heads: AER", about(mean, 0.05, worst))
print("recorded, mean of three seeds")
for name, chapter, variant in (
    ("LSTM", "05_attention", "luong"),
    ("Transformer", "11_transformer", "transformer"),
    ("one head", "11_transformer", "one-head"),
    ("no positions", "11_transformer", "no-positions"),
):
    print(f"  {name:13} AER {recorded(chapter, variant, 'aer').mean():.2f}")
each = recorded("11_transformer", "transformer", "aer_heads")  # (3 seeds, 4 heads)
mixed = recorded("11_transformer", "transformer", "aer")
print("a head alone: from", round(each.min().item(), 2), "to", round(each.max().item(), 2))
print("seeds in which the mean of the heads beats each of them:",
      int((mixed < each.min(1).values).sum()), "of 3")  # fmt: skip

# %% [markdown] id="aer-read"
# The alignment error rate (chapter 5: 0 is best) needs *one* answer to "where does this word
# look?", and here are four in every layer. The mean of the last layer's heads aligns better than
# any of them alone, and about as well as the LSTM's single attention; a head alone can be far off
# while the translation is right. Which head and which layer to show is a choice, so a heat map of
# one head is even weaker evidence than chapter 5 found.

# %% [markdown] id="cost-text"
# ## What it costs with length
#
# Nothing is free. Count multiplications for one sentence of $S$ words and vectors of size $d$: a
# one-way LSTM layer uses 8 matrices of size $d \times d$ at every step (four gates, each reads word
# and state), $8 S d^2$ in all. A self-attention layer has 4 such matrices, $4 S d^2$, and then
# every word meets every word, twice (scores and contexts): $2 S^2 d$ more. (The feed-forward half
# of a Transformer's layer is not counted: with the usual width of $4 d$ it adds another $8 S d^2$.)
#
# **Predict.** At which length does self-attention begin to cost more than the LSTM?

# %% id="cost"
d = 128
print("     S   LSTM (million)   self-attention   steps one after the other")
for S in (10, 50, 256, 512, 1000, 4000):
    lstm_count, self_count = 8 * S * d**2, 4 * S * d**2 + 2 * S**2 * d
    print(f"{S:6}{lstm_count / 1e6:14.1f}{self_count / 1e6:18.1f}{S:12} against 1")

# %% [markdown] id="cost-read"
# At $S = 2d$ the two are equal: sentences are far shorter than that, books far longer. The last
# column is a main reason why Transformers took over: the LSTM must wait $S$ times for the step
# before, self-attention never. A graphics card, which does thousands of things at once, can use
# that; one processor thread can use a little of it. Measured here:


# %% id="time"
def seconds(module, *inputs, repeat=3):
    """The fastest of a few runs, without gradients."""
    best = math.inf
    with torch.no_grad():
        for _ in range(repeat):
            start = time.perf_counter()
            module(*inputs)
            best = min(best, time.perf_counter() - start)
    return best


sizes = (16, 64, 256, 1024, 2048)
taken = {"LSTM": [], "self-attention": []}
recurrent, looking = nn.LSTM(d, d, batch_first=True), MultiHead(d, 4)
for S in sizes:
    x = torch.randn(1, S, d)
    taken["LSTM"].append(seconds(recurrent, x))
    taken["self-attention"].append(seconds(looking, x, x, everyone))

# %% id="time-figure" tags=["nbval-ignore-output"]
fig, ax = plt.subplots(figsize=(7.5, 4))
for (name, times), marker in zip(taken.items(), "so"):
    ax.plot(sizes, [1000 * t for t in times], marker=marker, label=name)
ax.set(title="Time for one sentence (one layer, one thread, d = 128)")
ax.set(xlabel="length S (words)", ylabel="time (milliseconds)", xscale="log", yscale="log")
ax.legend(frameon=False)
plt.show()

# %% [markdown] id="time-alt"
# <details><summary>The figure in words</summary>
#
# Time in milliseconds against length from 16 to 2,048 words, both axes logarithmic. From the middle
# on the line of the LSTM rises in proportion to length. Self-attention takes no longer than the
# LSTM at first, rises more and more steeply, crosses it at a few hundred words, and ends more than
# an order of magnitude above it.
#
# </details>

# %% [markdown] id="time-read"
# For long sentences the slopes are nearly those of the formulas: one for the LSTM, toward two for
# self-attention once $S$ passes $2d$. If its line is steeper still at the end, memory is a likely
# cause: the table of weights, $S \times S$ for each head, outgrows the processor's fast memory.
# (The times are those of the computer that made this picture; on yours the lines may cross
# elsewhere.)

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A Transformer is chapter 5's function, called by three askers.
# - Attention is blind to order, so positions are added; without them a sentence is a bag.
# - One softmax gives one average; heads give several, for the same number of parameters.
# - The decoder's mask hides the future: a leak shows as a loss too good to be true.
# - The residual stream does for depth what the LSTM's cell does for time.
# - No chain is left between two words; the price is $S^2$.
# - On a small corpus with a small budget it did not beat the LSTM with attention.
#
# **Left out.** The art of training large ones (of which we used the warm-up); translating with the
# cache; turning queries and keys instead of adding positions ([Su et al.
# 2021](D_papers.ipynb#cell-id=su-2021)); encoders alone and decoders alone, which is what language
# models are; what changes when there are a million times more sentences.
#
# **Papers.** [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (Eq. 1, §3.2–3.5, Table 3);
# [Ba, Kiros and Hinton 2016](D_papers.ipynb#cell-id=ba-2016); [He et al.
# 2016](D_papers.ipynb#cell-id=he-2016) (residual connections); [Xiong et al.
# 2020](D_papers.ipynb#cell-id=xiong-2020); [Michel, Levy and Neubig
# 2019](D_papers.ipynb#cell-id=michel-2019); [Su et al. 2021](D_papers.ipynb#cell-id=su-2021);
# [Haviv et al. 2022](D_papers.ipynb#cell-id=haviv-2022).
#
# **Next.** There is no next chapter. The notation and the glossary stand at the end of the book,
# and chapter 10 has a switch: set it, and a translator runs on the functions that you wrote.
