# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 11 · Toward the Transformer
#
# *What is left when the recurrence goes?*
#
# You will build every part of a GPT from the attention that you already have: heads, positions, a
# mask that hides the future, a residual stream. You show what each is for by taking it away, and
# train the whole to write.
#
# **What you need.** Attention inside a translator ([05](05_attention.ipynb)), the scaled dot score
# ([06](06_scores.ipynb)), teacher forcing ([07](07_teacher_forcing.ipynb)).
#
# **Time.** 29 minutes to read, 40 for exercises 11.1 to 11.3; about a minute to run.
#
# <details><summary>Plan</summary>
#
# All of it is meant to be read, but *Does one head really not suffice?* and *What do its heads look
# at?* may wait. The second file, [11b](11b_translation.ipynb), makes a translator of the same parts
# and sets it beside the LSTM.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn

from attnbook import check_range, exercise, predict, progress, read_record, recall, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(11)

# %% id="emblem"
from attnbook.figures import no_recurrence_diagram

korean_words, english_words = ["나는", "너를", "봤다"], ["I", "saw", "you"]
# three words of two numbers: (S, d)
x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
no_recurrence_diagram(korean_words, english_words, x, x)

# %% [markdown] id="emblem-read"
# Chapter 01's networks wrote Shakespeare and carried a state from character to character. This
# file's network has no state: each character *looks* at those before it, all at once, with the
# attention of chapter 05. Above is the book's drawing with the chains taken out. A box called
# *self-attention* stands where a chain of states was; vectors $p_j$, the positions, are added to
# the words; and the box in the middle is the one that you know.

# %% [markdown] id="idea"
# ## The function of chapter 05, once more
#
# [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) left the recurrence out. All that
# carries anything from one position to another is their Eq. 1:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d}}\right) V$$
#
# The rows of $Q$ are queries, those of $K$ and $V$ keys and values, $d$ is the size of a query: the
# scaled dot score of chapter 06, for all queries at once.


# %% id="attend"
import math

from attnlib.masking import masked_softmax


def scaled_attention(query, keys, values, allowed=None):
    """query (..., T, d), keys (..., S, d), values (..., S, v) → contexts, weights."""
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed)  # True = may be attended
    return weights @ values, weights


everyone = torch.ones(1, 1, 1, dtype=torch.bool)  # a mask that hides nothing

# %% [markdown] id="attend-text"
# It takes any number of leading dimensions, and `allowed` may differ from query to query; otherwise
# it is the function of chapter 05, and torch's. (The cell prints nothing unless they differ.)

# %% id="attend-agree"
from torch.nn import functional as F

from attnlib.model import ScaledDotAttention

queries, keys = torch.randn(2, 4, 8), torch.randn(2, 6, 8)  # (B, T, d), (B, S, d)
values = torch.randn(2, 6, 5)  # (B, S, v)
real = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])  # (B, S)
context, weights = scaled_attention(queries, keys, values, real.unsqueeze(1))
chapter_5 = ScaledDotAttention(8, 8)(queries, keys, values, real)
torch.testing.assert_close((context, weights), chapter_5)
of_torch = F.scaled_dot_product_attention(queries, keys, values, real.unsqueeze(1))
torch.testing.assert_close(context, of_torch)

# %% [markdown] id="self-text"
# ## A sentence attends to itself
#
# A **Transformer** uses this function in three places:
#
# | | queries from | keys and values from | who may be attended |
# |---|---|---|---|
# | **cross-attention** (chapter 05) | the decoder | the encoder | every real source word |
# | **self-attention** of the encoder | the source | the source itself | every real source word |
# | **self-attention** of the decoder | the target | the target itself | words written so far |
#
# In self-attention every word collects what it needs from its own sentence, which an encoder's
# LSTMs did by carrying a state along. Here are three words, `나는 너를 봤다` (*I · you · saw*),
# with the numbers of the drawing; each row of the view is a word that asks.

# %% id="self-steps"
from attnbook import views

views.attention_steps_view(
    x @ x.T / math.sqrt(2),
    x,
    korean_words,
    korean_words,
    title="나는 너를 봤다 attends to itself",
    verb="asks",
)

# %% id="self"
context, weights = scaled_attention(x, x, x)
for word, row in zip(korean_words, weights.tolist()):
    print(f"{word} gives the three words {[round(w, 2) for w in row]}")

# %% [markdown] id="self-read"
# Three queries, three answers, no loop: 봤다 did not wait for 너를. But why does 너를 give more
# weight to 봤다 than to itself?

# %% [markdown] id="project-text"
# Because $x_2^\top x_3 = 2$ and $x_2^\top x_2 = 1$: with a bare dot product long vectors win, and a
# word finds words *like itself*. But a verb looks for its subject. So learned matrices make three
# vectors of each word: a query $x W_Q$, a key $x W_K$ and a value $x W_V$.

# %% id="project"
to_query = torch.tensor([[0.0, 3.0], [3.0, 0.0]])  # swaps the two numbers, times 3
to_key = to_value = torch.eye(2)
_, weights = scaled_attention(x @ to_query, x @ to_key, x @ to_value)
for word, row in zip(korean_words, weights.tolist()):
    print(f"{word} gives the three words {[round(w, 2) for w in row]}")

# %% [markdown] id="project-read"
# With these matrices 나는 asks for "a large second number" and finds 봤다.

# %% [markdown] id="bag-text"
# ## Positions
#
# `나는 너를 봤다` and `너를 나는 봤다` have the same words in another order. By how much does what
# 봤다 collects change, at most, when the first two words change places?

# %% id="predict-order"
predict("11.order", ...)

# %% id="bag"
order = [1, 0, 2]
straight, _ = scaled_attention(x, x, x)
swapped, _ = scaled_attention(x[order], x[order], x[order])
torch.testing.assert_close(swapped, straight[order])
with reveal("11.order", (swapped[2] - straight[2]).abs().max(), within=0.005):
    print("봤다 collects:", [round(number, 2) for number in straight[2].tolist()])
    print("and then:     ", [round(number, 2) for number in swapped[2].tolist()])

# %% [markdown] id="bag-read"
# <details><summary>What it says</summary>
#
# Not at all: attention sees a set (chapter 05); until now the recurrence knew the order.
#
# </details>
#
# ### Waves
#
# So the position is *written into* the words: a vector $p_t$ (**positional encoding**) is added to
# each embedding. Vaswani et al. (§3.5) take waves:
#
# $$p_{t,2i} = \sin\!\big(t \, / \, 10000^{2i/d}\big), \qquad
# p_{t,2i+1} = \cos\!\big(t \, / \, 10000^{2i/d}\big)$$
#
# Position $t$ and pair $i$ count from 0. It is a clock with many hands: the first pair turns fast,
# the last hardly at all.

# %% [markdown] id="ex-position-table-text"
# ### Exercise 11.1 · The clock
# *Core, 12 minutes.* Return the table of positions as a tensor (length, size): row $t$ is $p_t$,
# sines in the even columns, cosines in the odd ones. `size` is even.
#
# <details><summary>Hint 1</summary>
#
# Columns 0 and 1 share one speed, columns 2 and 3 the next. How many speeds are there?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# <code>torch.arange(0, size, 2)</code> is the exponent's 2i. Make positions a column (length, 1)
# and speeds a row; their product is every angle.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Begin with a table of zeros. Its even columns are a slice with step 2 that starts at 0, the odd
# ones start at 1; each takes a table of angles through sine or cosine.
#
# </details>


# %% id="ex-position-table" tags=["exercise"]
@exercise
def position_table(length, size):
    """Sinusoidal positions (Vaswani et al. 2017, §3.5): (length, size)."""
    raise NotImplementedError


# %% [markdown] id="positions-text"
# ### What the waves are good for

# %% id="positions-figure" tags=["hide-input"]
# draws the figure
table = position_table(50, 64)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
left.grid(False)
image = left.imshow(table, cmap="cividis", vmin=-1, vmax=1, aspect="auto")
left.set(title="The table", xlabel="column (feature)", ylabel="position t (words)")
fig.colorbar(image, ax=left, label="value (−1 to 1)")
for t, marker, size in ((5, "o", 11), (20, "s", 7), (40, "^", 4)):
    near = [k for k in range(-15, 16) if 0 <= t + k < 50]
    right.plot(
        near,
        [float(table[t] @ table[t + k]) for k in near],
        marker=marker,
        markersize=size,
        markerfacecolor="none",
        label=f"t = {t}",
    )
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

# %% id="positions-turn"
# the matrix by which seven steps turn each pair of columns
angles = 7 * 10000.0 ** (-torch.arange(0, 64, 2) / 64)
pairs = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]]) for a in angles]
turned = table[:40] @ torch.block_diag(*pairs)
gap = (turned - table[7:47]).abs().max()
print(f"turned p_t and p_(t+7) differ by at most {gap:.3f}")

# %% [markdown] id="positions-read"
# How alike two positions are depends on their distance, not on where they stand. And *one* matrix
# takes any $p_t$ to $p_{t+7}$, so a learned $W_Q$ can ask for "the word seven places on".
#
# <details><summary>Learned positions, and rotated ones</summary>
#
# Vaswani et al. found *learned* positions, an embedding matrix with a row per position, nearly as
# good (their Table 3, row E). GPT took those ([Radford et al.
# 2018](D_papers.ipynb#cell-id=radford-2018)); many later models rotate queries and keys instead
# (RoPE, [Su et al. 2021](D_papers.ipynb#cell-id=su-2021)).
#
# </details>

# %% [markdown] id="heads-text"
# ## Heads: more than one look at a time
#
# A softmax gives *one* weighted average. Suppose a word needs its left neighbor and its right one:
# an average of both cannot say which was which. So the $d$ features are cut into $h$ **heads** of
# $d/h$ features; each head attends for itself, and the results are concatenated:
#
# $$\mathrm{head}_i = \mathrm{Attention}(Q_i, K_i, V_i), \qquad
# \mathrm{MultiHead} = [\mathrm{head}_1 ; \dots ; \mathrm{head}_h]\, W_O$$
#
# $Q_i$ is slice $i$ of $x W_Q$, so more heads cost no more parameters. Here are two on three
# words of four numbers. Put the second in place of the dots. (Left as it is, the cell runs.)

# %% id="faded"
four = torch.tensor([[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0], [1.0, 2.0, 0.0, 1.0]])
first_head, _ = scaled_attention(four[:, :2], four[:, :2], four[:, :2])
second_head = ...  # yours: the same, on the other two numbers, without the weights
print("the first head's contexts:", tuple(first_head.shape))
if second_head is not ...:
    joined = torch.cat([first_head, second_head], dim=-1)
    rounded = [round(n, 2) for n in joined[2].tolist()]
    print("concatenated:", tuple(joined.shape), rounded)

# %% [markdown] id="ex-multi-head-text"
# ### Exercise 11.2 · Many heads
# *Hard, 20 minutes: three shapes must be right at once.* `query` (B, T, D), `keys` and `values`
# (B, S, D) have been through their matrices already. Cut D into `heads` slices of neighboring
# features, attend in each with scores divided by the root of the *slice's* size, and concatenate
# the contexts in the same order. `allowed` is boolean and broadcasts to (B, T, S); it holds for all
# heads. Return contexts (B, T, D) and weights (B, heads, T, S). ($W_O$ comes afterward.)
#
# <details><summary>Hint 1</summary>
#
# <code>x.unflatten(-1, (heads, -1))</code> makes (B, T, D) into (B, T, heads, D / heads). Which two
# dimensions must then change places, so that a matrix product runs over positions?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The scores are (B, heads, T, S). <code>allowed</code> has no dimension for heads: it needs one of
# size 1, third from the end, before <code>masked_softmax(scores, allowed)</code>, which is
# imported.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Undo the cut in the opposite order: first the two dimensions change places again, then heads and
# their features become one dimension.
#
# </details>


# %% id="ex-multi-head" tags=["exercise"]
import math

from attnlib.masking import masked_softmax


@exercise
def multi_head(query, keys, values, allowed, heads):
    """query (B, T, D), keys, values (B, S, D) → (B, T, D), weights (B, heads, T, S)."""
    raise NotImplementedError


# %% [markdown] id="multi-head-text"
# ### The module around it


# %% id="multi-head-class"
class MultiHead(nn.Module):
    """Multi-head attention: x (B, T, D) asks memory (B, S, D)."""

    def __init__(self, size, heads):
        super().__init__()
        self.query, self.key, self.value, self.out = (
            nn.Linear(size, size) for _ in range(4)
        )
        self.heads = heads

    def forward(self, x, memory, allowed):
        asked, keys, values = self.query(x), self.key(memory), self.value(memory)
        context, weights = multi_head(asked, keys, values, allowed, self.heads)
        return self.out(context), weights


# %% [markdown] id="multi-head-agree-text"
# It is torch's `nn.MultiheadAttention`, which has the first three matrices in one, returns the mean
# of the heads' weights, and has **the opposite mask**: there True means "may *not* be attended".

# %% id="multi-head-agree"
our_heads = MultiHead(12, heads=3)
torch_heads = nn.MultiheadAttention(12, 3, batch_first=True)
three = [our_heads.query, our_heads.key, our_heads.value]
with torch.no_grad():
    torch_heads.in_proj_weight.copy_(torch.cat([linear.weight for linear in three]))
    torch_heads.in_proj_bias.copy_(torch.cat([linear.bias for linear in three]))
    torch_heads.out_proj.load_state_dict(our_heads.out.state_dict())
queries, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
context, weights = our_heads(queries, memory, real.unsqueeze(1))
expected, averaged = torch_heads(queries, memory, memory, key_padding_mask=~real)
torch.testing.assert_close((context, weights.mean(1)), (expected, averaged))

# %% [markdown] id="neighbours-text"
# ### Does one head really not suffice?
#
# The task from above: eight random symbols; at each place the network must name the left *and* the
# right neighbor. One layer of attention, one linear layer; 1, 2 or 4 heads with as many parameters.
# In how many places of a hundred will one head get both right?

# %% id="neighbours"
def learn_neighbors(heads, seed, symbols=10, length=8, size=32):
    """Places of 100 with both right after 300 updates, answers of 100, the weights."""
    seed_everything(seed)
    embed, attention = nn.Embedding(symbols, size), MultiHead(size, heads)
    both_sides = nn.Linear(size, 2 * symbols)
    modules = nn.ModuleList([embed, attention, both_sides])
    optimizer = torch.optim.Adam(modules.parameters(), lr=5e-3)
    for _ in range(300):
        sentences = torch.randint(symbols, (64, length))
        words = embed(sentences) + position_table(length, size)
        context, weights = attention(words, words, everyone)
        logits = both_sides(context)[:, 1:-1].unflatten(-1, (2, symbols))
        target = torch.stack([sentences[:, :-2], sentences[:, 2:]], dim=-1)
        loss = F.cross_entropy(logits.flatten(0, 2), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    right = 100 * (logits.argmax(-1) == target).float()
    both, single = right.min(-1).values.mean(), right.mean()
    return both.item(), single.item(), weights[0].detach()


# %% id="neighbours-run"
results = {
    heads: [learn_neighbors(heads, seed) for seed in (1, 2, 3)] for heads in (1, 2, 4)
}
print("of 100, three seeds  places with both right   single answers right")
for heads, runs in results.items():
    both, single, _ = zip(*runs)
    print(f"  heads: {heads}        ", *[f"≈{rate:5.1f}" for rate in both], end="   ")
    print(*[f"≈{rate:5.1f}" for rate in single])

# %% id="neighbours-check" tags=["check"]
# checks what the text says
for heads, runs in results.items():
    for both, single, _ in runs:
        check_range(both, *((5, 30) if heads == 1 else (95, 100)))
        check_range(single, *((48, 63) if heads == 1 else (95, 100)))

# %% id="neighbours-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 3, figsize=(9, 3.2))
maps = {"The one head": results[1][0][2][0], "Head 1 of 2": results[2][0][2][0]}
maps["Head 2 of 2"] = results[2][0][2][1]
for ax, (title, grid) in zip(axes, maps.items()):
    ax.grid(False)
    image = ax.imshow(grid, cmap="Blues", vmin=0, vmax=1)
    ax.set(title=title, xlabel="place looked at")
axes[0].set_ylabel("place that asks")
fig.colorbar(image, ax=axes, label="weight (0 to 1)", fraction=0.02)
plt.show()

# %% [markdown] id="neighbours-alt"
# <details><summary>The figure in words</summary>
#
# Three weight maps of eight by eight places, from the first seed: the one head spreads its weight
# over the main diagonal and the ones beside it; of the two heads, the first has most of it one
# place to the right, the second one to the left.
#
# </details>

# %% [markdown] id="neighbours-read"
# One head hands on a *mixture* of both neighbors. Knowing both symbols but not their order makes 55
# of 100 answers right (10 for equal neighbors, half of the rest): that is what it reaches. Left and
# right are read from the same mixture, so it mostly names one symbol twice, and both are right in
# little more than the 10. Two heads are enough: in the run drawn here each takes a side. (In
# trained translation models many heads can be removed with little loss: [Michel et al.
# 2019](D_papers.ipynb#cell-id=michel-2019).)

# %% [markdown] id="future-text"
# ## It must not see the future
#
# In training a decoder reads the whole text at once (teacher forcing, chapter 07). Self-attention,
# unlike recurrence, could look ahead, and then predicting the next word is copying it. A **causal
# mask** forbids it: position $t$ may attend to positions $1 \dots t$. It may see itself, for what
# the decoder reads there is the word before, $y_{t-1}$ (at the first position the start token).

# %% [markdown] id="ex-decoder-mask-text"
# ### Exercise 11.3 · Who may look where
# *Warm-up, 8 minutes.* `real` (B, T) is True at the real tokens of a padded batch of targets.
# Return a boolean tensor (B, T, T): entry $[b, t, j]$ is True if position $t$ may attend to
# position $j$, that is, if $j$ is real and not after $t$.
#
# <details><summary>Hint 1</summary>
#
# Two conditions joined by "and": one depends on b and j, the other on t and j.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Of a table (T, T), is the part that may be seen above the diagonal or below it? Rows are t.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The first condition is the same for every t: which dimension of size 1 does <code>real</code>
# need, so that it meets a table (T, T)?
#
# </details>


# %% id="ex-decoder-mask" tags=["exercise"]
@exercise
def decoder_mask(real):
    """real (B, T), boolean → who may attend to whom (B, T, T), True = may."""
    raise NotImplementedError


# %% [markdown] id="leak-text"
# ### A test that needs no training
#
# Change the *last* of five words and see which positions notice.

# %% id="leak"
attention, five = MultiHead(8, heads=2), torch.randn(1, 5, 8)
changed = five.clone()
changed[0, 4] += 1.0
past = decoder_mask(torch.ones(1, 5, dtype=torch.bool))
for name, allowed in (("no mask", everyone), ("causal mask", past)):
    before = attention(five, five, allowed)[0]
    after = attention(changed, changed, allowed)[0]
    moved = (after - before)[0].abs().amax(-1)
    noticed = [t + 1 for t in range(5) if moved[t] > 1e-6]
    print(f"{name:11} positions that notice: {noticed}")

# %% [markdown] id="leak-read"
# Without the mask all five positions know the fifth word, four of them before it is written. The
# last section shows what that does to a training.

# %% [markdown] id="stream-text"
# ## The residual stream
#
# Attention moves information between positions. After it a **feed-forward** network of two linear
# layers works on each position by itself; the two together are a layer. Each *adds* its result to
# what was there before (a **residual connection**, 잔차 연결):
#
# $$x \leftarrow x + \mathrm{MultiHead}(\mathrm{norm}(x)), \qquad
# x \leftarrow x + \max(0, \mathrm{norm}(x)\, W_1)\, W_2$$
#
# What runs through is the **residual stream**: every layer reads from it and writes to it.
# $\mathrm{norm}$ is **layer normalization** ([Ba et al. 2016](D_papers.ipynb#cell-id=ba-2016)):
# each vector is shifted and scaled to mean 0 and variance 1, then scaled and shifted by learned
# numbers. (Biases are left out here. Instead of the ReLU, $\max(0, \cdot)$, GPT has the smooth
# GELU.)


# %% id="layer"
class Layer(nn.Module):
    """Self-attention, then a feed-forward network for each position; pre-norm."""

    def __init__(self, size, heads, inner, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHead(size, heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(size, inner), nn.ReLU(), nn.Linear(inner, size)
        )
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, allowed):
        normed = self.norm1(x)
        x = x + self.dropout(self.self_attn(normed, normed, allowed)[0])
        return x + self.dropout(self.feed_forward(self.norm2(x)))


# %% [markdown] id="depth-read"
# The addition is a path on which the gradient passes whatever the layers do: the memory cell of the
# LSTM (chapter 02, with every forget gate at 1), turned from time into depth. (It comes from
# networks for images, [He et al. 2016](D_papers.ipynb#cell-id=he-2016).) Vaswani et al. normalized
# *after* each addition, $x \leftarrow \mathrm{norm}(x + f(x))$ (**post-norm**), so that every norm
# stands *on* that path and rescales what passes; ours is **pre-norm**, and none does. [Xiong et al.
# (2020)](D_papers.ipynb#cell-id=xiong-2020) show that post-norm's gradients are large near the
# output when training starts, and why it is trained with a **warm-up**, a learning rate that rises
# from 0.

# %% [markdown] id="layer-read"
# ### What a mask tells about order
#
# **You will often read that** without positions a Transformer cannot know the order of words: "we
# must inject some information" about it, write Vaswani et al. (§3.5). Of an encoder it is true at
# any depth. And of a decoder? Take six random words *without positions* and let the first two
# change places. How much does the vector of the *last* change?

# %% id="mask-order"
six = torch.randn(1, 6, 32, generator=generator)
causal = decoder_mask(torch.ones(1, 6, dtype=torch.bool))
for name, allowed in (("encoder, no mask", everyone), ("decoder, causal mask", causal)):
    one, other, changes = six, six[:, [1, 0, 2, 3, 4, 5]], []
    for depth in (1, 2):
        torch.manual_seed(depth)
        layer = Layer(32, 4, 64, dropout=0.0)
        one, other = layer(one, allowed), layer(other, allowed)
        changes.append(float((one - other)[0, -1].detach().abs().max()))
    print(f"{name:21} after 1 layer {changes[0]:.2f}, after 2 layers {changes[1]:.2f}")

# %% [markdown] id="mask-order-read"
# Under the mask the second layer knows. In the first, word 1 saw itself alone and word 2 saw both,
# so their vectors differ by *where they stood*, and the last word reads that one layer later.
# (Large language models without positions did nearly as well, [Haviv et al.
# 2022](D_papers.ipynb#cell-id=haviv-2022); our small one, below, does not.)

# %% [markdown] id="model-text"
# ## From layers to a network
#
# Embeddings *times $\sqrt{d}$*, plus positions, some layers, one more norm (Vaswani et al., §3.4
# and §3.5). Why $\sqrt{d}$? The entries of the embedding matrix begin at size $1/\sqrt{d}$, because
# in a translator it is the output layer as well, and logits should begin near 1. The waves are of
# size $\sqrt{1/2}$ whatever $d$ is ($\sin^2 + \cos^2 = 1$): without the factor they would drown the
# words.


# %% id="model"
class Stack(nn.Module):
    """Word ids (B, T) → vectors (B, T, D): embeddings, positions, layers, a norm."""

    def __init__(self, words, size, heads, inner, layers, dropout):
        super().__init__()
        self.embed, self.norm = nn.Embedding(words, size), nn.LayerNorm(size)
        nn.init.normal_(self.embed.weight, std=size**-0.5)
        self.layers = nn.ModuleList(
            Layer(size, heads, inner, dropout) for _ in range(layers)
        )
        self.dropout, self.positions = nn.Dropout(dropout), True

    def embedded(self, ids):
        x = self.embed(ids) * math.sqrt(self.embed.embedding_dim)
        if self.positions:
            x = x + position_table(*x.shape[1:]).to(x.device)
        return self.dropout(x)

    def forward(self, ids, allowed):
        x = self.embedded(ids)
        for layer in self.layers:
            x = layer(x, allowed)
        return self.norm(x)


# %% [markdown] id="library-text"
# `attnlib.model` has the parts of this file, and
# [11b](11b_translation.ipynb) takes them from there. `position_table` is `sinusoidal_positions` in
# it, `decoder_mask` is `causal_mask`, and the modules are `MultiHeadAttention`, `EncoderLayer` and
# `EncoderStack`, for an encoder is where torch and most papers have them. (The cell prints nothing
# unless they differ.)

# %% id="library-agrees"
from attnlib.model import EncoderStack, causal_mask

sizes = (62, 76, 4, 304, 2, 0.0)  # words, size, heads, inner, layers, dropout
mine, theirs = Stack(*sizes), EncoderStack(*sizes)
theirs.load_state_dict(mine.state_dict())
some = torch.randint(62, (2, 9))
allowed = decoder_mask(torch.ones_like(some, dtype=torch.bool))
torch.testing.assert_close(mine(some, allowed), theirs(some, causal_mask(9)))

# %% [markdown] id="gpt-text"
# ## A tiny GPT
#
# Under the causal mask such a stack reads what is written and says what comes next: the decoder of
# a Transformer standing alone, the plan of GPT ([Radford et al.
# 2018](D_papers.ipynb#cell-id=radford-2018)) and of most language models since. Ours reads the
# plays of chapter 01, as in Karpathy's [nanoGPT](https://github.com/karpathy/nanoGPT) and his
# lesson [*Let's build GPT*](https://www.youtube.com/watch?v=kCc8FmEb1nY).

# %% id="prose"
from attnlib.data import bundled_directory

path = bundled_directory().parent / "shakespeare" / "shakespeare.txt"
prose = path.read_text(encoding="utf-8")
characters = sorted(set(prose))
ids = torch.tensor([characters.index(character) for character in prose])
known, unread = ids[: len(ids) * 9 // 10], ids[len(ids) * 9 // 10 :]
print(f"{len(characters)} different characters")
print(f"{len(known):,} to learn from, {len(unread):,} unread")


# %% id="gpt"
class GPT(nn.Module):
    """Characters so far (B, T) → logits of the next (B, T, V)."""

    def __init__(self, words, size=76, heads=4, inner=304, layers=2, masked=True):
        super().__init__()
        self.decoder = Stack(words, size, heads, inner, layers, dropout=0.0)
        self.output = nn.Linear(size, words)
        nn.init.zeros_(self.output.weight)  # at first all are equally probable
        nn.init.zeros_(self.output.bias)
        self.masked = masked

    def forward(self, ids):
        causal = decoder_mask(torch.ones_like(ids, dtype=torch.bool))
        return self.output(self.decoder(ids, causal if self.masked else everyone))


# %% [markdown] id="gpt-learn-text"
# To train it, take windows of 65 characters from anywhere in the text and let it predict the last
# 64 of them from those before, all at once. (The learning rate rises for 50 updates, then falls
# linearly to zero.)


# %% id="gpt-learn"
def learning(model, updates, count=16, length=64, rate=5e-3):
    """Train on random windows; after each update: its number, bits per character."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for update in range(1, updates + 1):
        schedule = min(update / 50, 1 - (update - 1) / updates)
        optimizer.param_groups[0]["lr"] = rate * schedule
        starts = torch.randint(len(known) - length, (count, 1))
        window = known[starts + torch.arange(length + 1)]  # (count, length + 1)
        logits = model(window[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), window[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield update, loss.item() / math.log(2)


# %% id="gpt-write"
@torch.no_grad()
def write(model, count, start="\n", temperature=0.7, length=64, seed=0):
    """Draw a character, append it, read the last 64 again, and so on."""
    draws = torch.Generator().manual_seed(seed)
    ids = torch.tensor([[characters.index(character) for character in start]])
    for _ in range(count):
        probabilities = (model(ids[:, -length:])[:, -1] / temperature).softmax(-1)
        ids = torch.cat([ids, probabilities.multinomial(1, generator=draws)], dim=1)
    return "".join(characters[i] for i in ids[0])


# %% [markdown] id="gpt-train-text"
# Now watch for half a minute. What it writes on your computer may differ from what stands here.

# %% id="gpt-train" tags=["nbval-ignore-output"]
seed_everything(1)
gpt = GPT(len(characters))
for update, bits in learning(gpt, 600):  # trains
    if update in (1, 100, 300, 600):
        print(f"--- update {update}, {bits:.2f} bits ---", write(gpt, 130))


# %% id="gpt-bits" tags=["hide-input"]
# measures bits per unread character
@torch.no_grad()
def unread_bits(model, length=64):
    """Bits per character of the unread tenth, half a window or more before each."""
    rows = unread.unfold(0, length + 1, length // 2)  # windows that overlap by half
    logits = model(rows[:, :-1])[:, length // 2 :]
    target = rows[:, length // 2 + 1 :]
    return F.cross_entropy(logits.flatten(0, 1), target.flatten()).item() / math.log(2)


# %% id="gpt-numbers"
counted = read_record("01_characters")["counted"]
print(f"bits, from character frequencies: {counted['frequency']:.2f}")
print(f"from the character before:        {counted['the character before']:.2f}")
gpt_bits = unread_bits(gpt)
print(f"the GPT, on unread text:         ≈{gpt_bits:.2f}")
print(f"parameters of the GPT: {sum(p.numel() for p in gpt.parameters()):,}")

# %% [markdown] id="gpt-read"
# It is far better than counting pairs, so it uses more than one character. A large language model
# has the same parts or close relatives of them, subwords, billions of parameters (here a hundred
# and fifty thousand) and far more text. Twice the text per update and five times the updates
# already show (recorded; `studies/gpt_chapter.py`):

# %% id="gpt-longer"
longer = read_record("11_gpt")["runs"][0]["looks"][-1]
print(f"--- {longer['update']:,} updates, {longer['bits']:.2f} bits, unread text ---")
print(longer["written"].strip())

# %% [markdown] id="gpt-record-text"
# ### Beside the networks of chapter 01
#
# Three seeds of that longer training, and three without positions, beside chapter 01's plain RNN
# and LSTM: as many parameters (within 5 %), as many characters of the same text. These two have an
# advantage: they read the unread text from its beginning, where the GPT sees at most 63 characters
# back, and their learning rates are the best of five, not of two. Which is best after 300 updates:
# `"RNN"`, `"LSTM"`, `"GPT"` or `"no positions"` (the GPT without them)?

# %% id="predict-early"
predict("11.early", ..., choices=("RNN", "LSTM", "GPT", "no positions"))

# %% id="gpt-record"
readers = {
    "RNN": ("01_rates", "rnn", 0.01),
    "LSTM": ("01_rates", "lstm", 0.006),
    "GPT": ("11_gpt", "gpt", None),
    "no positions": ("11_gpt", "no-positions", None),
}
curves, counts = {}, {}
for name, (file, variant, rate) in readers.items():
    runs = [run for run in read_record(file)["runs"] if run["variant"] == variant]
    runs = [run for run in runs if run["seed"] < 4 and run.get("rate") == rate]
    of_seeds = torch.tensor([[look["bits"] for look in run["looks"]] for run in runs])
    curves[name], counts[name] = of_seeds.mean(0), len(runs)
with reveal("11.early", min(curves, key=lambda name: curves[name][3])):
    print("bits per unread character, mean   after 100   300 1,000 3,000 updates")
    for name, curve in curves.items():
        shown = " ".join(f"{number:5.2f}" for number in curve[2:].tolist())
        print(f"  {name:22} ({counts[name]} seeds)      {shown}")

# %% [markdown] id="gpt-record-read"
# <details><summary>What it says</summary>
#
# At first the GPT is far behind, probably because it has to learn what is built into a network that
# carries a state: characters come in an order, and the last matter most. In the end it is one and
# four hundredths of a bit behind. What is gained is not quality: all predictions of a window were
# made at once. Without positions it stays further behind, yet far ahead of counting pairs: the mask
# tells something of the order, not all.
#
# </details>

# %% [markdown] id="gpt-looks-text"
# ### What do its heads look at?
#
# How much of its weight does each layer put on the last eight characters, and how much on spaces
# and line ends?


# %% id="gpt-shares" tags=["hide-input"]
# prints the table
@torch.no_grad()
def weights_of(model, ids):
    """All heads of all layers for ids (B, T): (B, layers · heads, T, T)."""
    found = []
    hooks = [
        layer.self_attn.register_forward_hook(
            lambda module, inputs, outputs: found.append(outputs[1])
        )
        for layer in model.decoder.layers
    ]
    model(ids)
    for hook in hooks:
        hook.remove()
    return torch.cat(found, dim=1)


windows = unread.unfold(0, 64, 640)  # 64 characters from every 640
blank = torch.tensor([character.isspace() for character in characters])[windows]


def shares(model, layer, first=32):
    """A layer's weight on the last eight characters, and on blanks."""
    weights = weights_of(model, windows)[:, 4 * layer : 4 * layer + 4]
    behind = [
        weights.diagonal(-k, dim1=2, dim2=3)[..., first - k :].mean() for k in range(8)
    ]
    on_blanks = (weights * blank[:, None, None]).sum(-1)[..., first:].mean()
    return float(sum(behind)), float(on_blanks)


seed_everything(1)
found = {"untrained": shares(GPT(len(characters)), 0)}
found |= {f"layer {n + 1}": shares(gpt, n) for n in (0, 1)}
print("share of the weight on   the last eight   spaces and line ends")
for name, (eight, blanks) in found.items():
    print(f"  {name:20} ≈{eight:.2f} ≈{blanks:.2f}")

# %% id="gpt-shares-check" tags=["check"]
# checks what the text says
check_range(gpt_bits, 2.4, 3.1)
check_range(found["layer 1"][0], 0.5, 0.99)
check_range(found["layer 2"][1], 0.25, 0.95)

# %% [markdown] id="gpt-shares-read"
# Nobody told them to, but the layers share the work on the unread text. The first looks *nearby*,
# several times as much as untrained; the second at *where lines and words begin*, perhaps because
# spelling needs to know how long ago the last space was. (Weights say where something was read, not
# what was done with it, and this is one small model from one seed.)

# %% [markdown] id="seer-text"
# ## The same without the mask
#
# Two twins, trained alike for 200 updates on windows of 16 characters: one with the mask, one
# without, which may look at the next characters as well. The first will need about three and a half
# bits per unread character. How many will the second need?

# %% id="predict-seer"
predict("11.seer", ...)

# %% id="seer"
twins, bits_of = {}, {}
for name, masked in (("with mask", True), ("without", False)):
    seed_everything(1)
    twins[name] = GPT(len(characters), masked=masked)
    list(learning(twins[name], 200, count=24, length=16))  # trains
    bits_of[name] = unread_bits(twins[name], length=16)
with reveal("11.seer", bits_of["without"], within=0.4):
    for name, bits in bits_of.items():
        print(f"{name:9}: ≈{bits:.2f} bits per unread character")

# %% [markdown] id="seer-read"
# <details><summary>What it says</summary>
#
# A triumph, and on text that it has never seen! When a loss falls like this, suspect a leak: the
# next character can be copied from where it stands, in unread text as well.
#
# </details>
#
# ### The character after the window
#
# Now ask both for the character *after* the window, where there is no future to look at, as when a
# network writes.

# %% id="seer-fails"
rows = unread.unfold(0, 17, 8)
next_bits = {}
for name, twin in twins.items():
    with torch.no_grad():
        loss = F.cross_entropy(twin(rows[:, :-1])[:, -1], rows[:, -1])
    next_bits[name] = loss.item() / math.log(2)
    print(f"{name:9}: ≈{next_bits[name]:.2f} bits for the character after the window")

# %% id="seer-check" tags=["check"]
# checks what the text says
check_range(bits_of["with mask"], 3, 3.8)
check_range(bits_of["without"], 0.7, 2)
check_range(next_bits["with mask"], 3, 3.8)
check_range(next_bits["without"], 3.8, 6.5)

# %% id="seer-writes" tags=["nbval-ignore-output"]
for name, twin in twins.items():  # trained elsewhere, they may write otherwise
    print(f"{name:9}: ", repr(write(twin, 75, length=16)))

# %% [markdown] id="seer-fails-read"
# Where it cannot look it is worse than a guess from the character before: what it could copy it did
# not learn to predict. So before you believe a loss, make two tests: change the last word and see
# who notices; let the network write.

# %% [markdown] id="experiment-text"
# ## Open experiment: change the GPT
#
# *30 minutes, no check.* Choose **one** change: one head instead of four; no positions, or learned
# ones; one layer, or three; GELU instead of ReLU; post-norm. Write down how many bits per character
# it will gain or lose on unread text. Then put its name in place of `None`, run, and report.
#
# <details><summary>A report that convinces</summary>
#
# | | |
# |---|---|
# | prediction | a number with a sign, written before the run, with a reason |
# | one change | updates, windows and learning rate as above; parameters are counted |
# | seeds | at least three of both, or the sentence says "one run"; the spread is shown |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% id="experiment"
CHANGE = None  # "one head", "no positions", or one of your own


def changed_gpt(change):
    model = GPT(len(characters), heads=1 if change == "one head" else 4)
    model.decoder.positions = change != "no positions"
    return model


if CHANGE is not None:
    for seed in (1, 2, 3):  # half a minute each
        for change in (None, CHANGE):
            seed_everything(seed)
            mine = changed_gpt(change)
            list(learning(mine, 600))
            print(f"seed {seed}, change {change}: {unread_bits(mine):.2f} bits")

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("11", "abcda")`.

# %% id="recall"
recall("11")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Attention is blind to order, so positions are added; under a causal mask two layers find
#   something of the order without them.
# - One softmax gives one average; heads give several, for as many parameters.
# - The mask hides the future; a leak is a loss too good to be true, on held-out text as well.
# - The residual stream does for depth what the LSTM's memory cell does for time; pre-norm leaves it
#   untouched.
#
# **Left out.** Encoders alone (BERT); what a million times more text changes.
#
# <details><summary>Papers</summary>
#
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (Eq. 1, §3.2–3.5, Table 3); [Radford et
# al. 2018](D_papers.ipynb#cell-id=radford-2018); [Ba, Kiros and Hinton
# 2016](D_papers.ipynb#cell-id=ba-2016); [He et al. 2016](D_papers.ipynb#cell-id=he-2016); [Xiong et
# al. 2020](D_papers.ipynb#cell-id=xiong-2020); [Michel, Levy and Neubig
# 2019](D_papers.ipynb#cell-id=michel-2019); [Su et al. 2021](D_papers.ipynb#cell-id=su-2021);
# [Haviv et al. 2022](D_papers.ipynb#cell-id=haviv-2022).
#
# </details>
#
# **Next.** [11b](11b_translation.ipynb): the same layers translate, beside the LSTM of chapter 05.
