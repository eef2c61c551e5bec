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
# **You will learn to** build every part of a GPT from the attention that you already have, test a
# network for a leak, and compare attention with an LSTM of the same size on a task of looking up.
#
# **What you need.** Attention in a translator ([05](05_attention.ipynb)), the scaled dot score
# ([06](06_scores.ipynb)), teacher forcing ([07](07_teacher_forcing.ipynb)).
#
# **Time.** 31 minutes to read, 40 for exercises 11.1 to 11.3; about two minutes to run.

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
generator = seed_everything(11)

# %% id="emblem"
from attnbook.figures import no_recurrence_diagram

korean_words, english_words = ["나는", "너를", "봤다"], ["I", "saw", "you"]
# three words, two numbers each
x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
no_recurrence_diagram(korean_words, english_words, x, x)

# %% [markdown] id="emblem-read"
# **Figure 1.** This is a translator without its chains of states. A box called *self-attention*
# replaces each chain; vectors $p_j$, the positions, are added to the words; the box in the middle
# is the attention of chapter 5.

# %% [markdown] id="idea"
# ## The function of chapter 5, again
#
# [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) left the recurrence out. Only their
# Eq. 1 moves anything from one position to another:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d}}\right) V$$
#
# The rows of $Q$ are queries of size $d$; the rows of $K$ and $V$ are keys and values. This is the
# scaled dot score of chapter 6, for all queries at once. In code, `allowed` can differ by query;
# otherwise it is chapter 5's function.

# %% id="attend"
import math

from attnlib.masking import masked_softmax


def scaled_attention(query, keys, values, allowed=None):
    """query (..., T, d), keys (..., S, d), values (..., S, v) → contexts, weights."""
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed)  # True = may be attended
    return weights @ values, weights


everyone = torch.ones(1, 1, 1, dtype=torch.bool)  # a mask that hides nothing

# %% [markdown] id="self-text"
# ## A sentence attends to itself
#
# A **Transformer** (트랜스포머) uses this function in three places:
#
# | | queries from | keys and values from | allowed positions |
# |---|---|---|---|
# | **cross-attention** (크로스 어텐션) | the decoder | the encoder | all real source words |
# | **self-attention** (셀프 어텐션), encoder | the source | the source | all real source words |
# | **self-attention**, decoder | the target | the target | words written so far |
#
# Cross-attention is chapter 5's. In self-attention, every word collects what it needs from its own
# sentence. Take `나는 너를 봤다` (*I · you · saw*), with made-up vectors: first the words are
# compared as they are, then a matrix $W_Q$ turns each word into a query.

# %% id="self"
to_query = torch.tensor([[0.0, 3.0], [3.0, 0.0]])  # swaps the two components, times 3
for name, queries in (("x as query", x), ("x W_Q as query", x @ to_query)):
    context, weights = scaled_attention(queries, x, x)
    for word, row in zip(korean_words, weights.tolist()):
        print(f"{name:14} {word} gives the three words {[round(w, 2) for w in row]}")

# %% [markdown] id="self-read"
# There is no loop: 봤다 did not wait for 너를. With a bare dot product, long vectors win, and a
# word finds words *like itself*. But a subject needs its verb, so learned matrices turn each word
# into a query $x W_Q$, a key $x W_K$ and a value $x W_V$. With the $W_Q$ above, 나는 asks for "a
# large second component" and finds 봤다.

# %% [markdown] id="bag-text"
# ## Positions
#
# `나는 너를 봤다` and `너를 나는 봤다` have the same words in a different order. What changes in
# the vector that 봤다 collects when the first two words change places?

# %% id="bag"
order = [1, 0, 2]
straight, _ = scaled_attention(x, x, x)
swapped, _ = scaled_attention(x[order], x[order], x[order])
print("봤다 collects:", [round(number, 2) for number in straight[2].tolist()])
print("and then:     ", [round(number, 2) for number in swapped[2].tolist()])

# %% [markdown] id="bag-read"
# The vector is the same. Attention sees a set; until now, the recurrence knew the order.
#
# ### Waves
#
# So the position is *written into* the words: a vector $p_t$ (**positional encoding**, 위치 인코딩)
# is added to each embedding. Vaswani et al. (§3.5) take waves:
#
# $$p_{t,2i} = \sin\!\big(t \, / \, 10000^{2i/D}\big), \qquad
# p_{t,2i+1} = \cos\!\big(t \, / \, 10000^{2i/D}\big)$$
#
# Position $t$ and pair $i$ count from 0; an embedding has $D$ features. The table is a clock with
# many hands: the first pair turns fast, the last one very slowly.

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
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.grid(False)
image = left.imshow(table, cmap="cividis", vmin=-1, vmax=1, aspect="auto")
left.set(title="The table", xlabel="column (feature)", ylabel="position t (words)")
fig.colorbar(image, ax=left, label="value (−1 to 1)")
fig.suptitle("Figure 2. Positions as waves")
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

# %% [markdown] id="positions-read"
# How alike two positions are depends on their distance, not on where they are. And *one* matrix,
# which turns each pair of columns like a clock hand, takes any $p_t$ to $p_{t+7}$, so a learned
# $W_Q$ can ask for "the word seven places on".
#
# **Rotary positions** (RoPE, [Su et al. 2021](D_papers.ipynb#cell-id=su-2021)), common in later
# language models, use that rotation directly. Instead of an addition, the query at $t$ and the key
# at $s$ are turned, pair by pair, by the angles of their positions. If both words move by seven
# places, both are turned further by the same matrix, and their dot product stays the same: the
# score depends only on the two words and on $t - s$. GPT *learned* its $p_t$ ([Radford et al.
# 2018](D_papers.ipynb#cell-id=radford-2018)).

# %% [markdown] id="heads-text"
# ## Heads: more than one look at a time
#
# A softmax gives *one* weighted average. The usual argument for more is that a word that needs both
# its neighbors gets a mixture of them. So the $D$ features are cut into $h$ **heads** (헤드) of
# $d = D/h$ features. Each attends separately, and the results are concatenated: **multi-head
# attention** (멀티 헤드 어텐션).
#
# $$\mathrm{head}_i = \mathrm{Attention}(Q_i, K_i, V_i), \qquad
# \mathrm{MultiHead} = [\mathrm{head}_1 ; \dots ; \mathrm{head}_h]\, W_O$$
#
# $Q_i$ is slice $i$ of $x W_Q$, so more heads cost no more parameters. Here are two heads on three
# words of size four. Replace the dots with the second one.

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
# the contexts in the same order. `allowed` is boolean and broadcasts to (B, T, S); it applies to
# all heads. Return contexts (B, T, D) and weights (B, heads, T, S). ($W_O$ comes afterward.)
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
#
# Three learned matrices come before the function, and $W_O$ after it.


# %% id="multi-head-class"
class MultiHead(nn.Module):
    """Multi-head attention: x (B, T, D) asks memory (B, S, D)."""

    def __init__(self, size, heads):
        super().__init__()
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size, size)
        self.out = nn.Linear(size, size)
        self.heads = heads

    def forward(self, x, memory, allowed):
        asked, keys, values = self.query(x), self.key(memory), self.value(memory)
        context, weights = multi_head(asked, keys, values, allowed, self.heads)
        return self.out(context), weights


# %% [markdown] id="multi-head-agree-text"
# This is torch's `nn.MultiheadAttention`, which joins the first three matrices into one, returns
# the mean of the heads' weights, and has **the opposite mask**: there True means "may *not* be
# attended".

# %% [markdown] id="neighbours-text"
# ### Is one head not enough?
#
# Here is a task that seems to need two looks: in eight random symbols, name the left *and* the
# right neighbor of each place. One layer of attention is read by a linear layer, by a hidden layer,
# or inside the whole layer of the next section.

# %% id="neighbours" tags=["hide-input"]
# prints recorded runs
record = read_record("11_heads")
ways = {"linear": "a linear layer", "hidden": "a hidden layer", "layer": "a whole layer"}
print("places of 100 with both neighbors right, each of three seeds")
print("after updates:                       300             1,500")
for heads, said in ((1, "one head, "), (2, "two heads,")):
    for way, text in ways.items():
        line = f"  {said} {text:15}"
        runs = [run for run in record["runs"] if run["variant"] == f"{heads}-{way}"]
        for look in (0, 1):  # after 300 updates, after 1,500
            line += "   "
            for run in runs:
                line += f"{100 * run['both'][look]:5.0f}"
        print(line)

# %% [markdown] id="neighbours-read"
# Read by a linear layer, one head fails, and two heads succeed. But the mixture can be taken apart:
# if the head gives left and right unequal weights, a hidden layer sorts most of them out. In a
# whole layer, one head is nearly as good as two. What fails is the *linear reading*. In trained
# translators, many heads can be removed with little loss ([Michel et al.
# 2019](D_papers.ipynb#cell-id=michel-2019)).

# %% [markdown] id="future-text"
# ## It must not see the future
#
# In training, a decoder reads the whole text at once (teacher forcing, chapter 7). Self-attention,
# unlike recurrence, could look ahead, and then predicting the next word is copying it. A **causal
# mask** (인과 마스크, 룩어헤드 마스크) forbids it: position $t$ can attend only to itself, where
# the decoder reads the previous word $y_{t-1}$, and to the positions before it.

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
# Without the mask, all five positions know the fifth word, four of them before it is written.

# %% [markdown] id="stream-text"
# ## The residual stream
#
# Attention moves information between positions. After it, a **feed-forward** network (피드포워드
# 신경망) of two linear layers works on each position separately; the two together are a layer. Each
# *adds* its result to what was there before (a **residual connection**, 잔차 연결):
#
# $$x \leftarrow x + \mathrm{MultiHead}(\mathrm{norm}(x)), \qquad
# x \leftarrow x + \max(0, \mathrm{norm}(x)\, W_1)\, W_2$$
#
# This running sum is the **residual stream**: every layer reads from it and writes to it.
# $\mathrm{norm}$ is **layer normalization** (층 정규화, [Ba et al.
# 2016](D_papers.ipynb#cell-id=ba-2016)): each vector is shifted and scaled to mean 0 and variance
# 1, then by learned numbers. (Biases are left out here.)

# %% id="layer"
class Layer(nn.Module):
    """Self-attention, then a feed-forward network for each position; pre-norm."""

    def __init__(self, size, heads, inner, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHead(size, heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(size, inner), nn.ReLU(), nn.Linear(inner, size)
        )
        self.norm1 = nn.LayerNorm(size)
        self.norm2 = nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, allowed):
        normed = self.norm1(x)
        x = x + self.dropout(self.self_attn(normed, normed, allowed)[0])
        return x + self.dropout(self.feed_forward(self.norm2(x)))


# %% [markdown] id="depth-read"
# ### Why add, and why normalize first?
#
# The addition is a path along which the gradient passes whatever the layers do: the memory cell of
# the LSTM (chapter 2, with every forget gate at 1), turned from time into depth ([He et al.
# 2016](D_papers.ipynb#cell-id=he-2016)).
#
# Vaswani et al. normalized *after* each addition, $x \leftarrow \mathrm{norm}(x + f(x))$
# (**post-norm**), so that the path runs through every norm. Ours is **pre-norm**, as in GPT-2 and
# most later models: the path runs past the norms. [Xiong et al.
# (2020)](D_papers.ipynb#cell-id=xiong-2020) show that with post-norm the gradients near the output
# are large when training begins, which is why it is trained with a **warm-up** (웜업), a learning
# rate that rises from 0.

# %% id="norms" tags=["hide-input"]
# prints recorded runs
six = {}  # (norm, updates of warm-up, rate) → bits of three seeds, for six layers
for run in read_record("11_norms")["runs"]:
    if run["layers"] == 6:
        norm = "post" if run["variant"].startswith("post") else "pre"
        warmup = 0 if run["variant"].endswith("-cold") else 50
        six.setdefault((norm, warmup, run["rate"]), []).append(run["bits"][-1])
frequencies = read_record("11_counts")["runs"][0]["rows"][0]["bits"]  # no character before it
print("the GPT built below, with six layers, recorded: bits per unread character after 300")
print("updates, lowest–highest of three seeds")
print("  learning rate              0.001       0.005")
for norm in ("pre", "post"):
    for warmup in (50, 0):
        line = f"  {norm + '-norm,':10} warm-up {warmup:2}"
        for rate in (0.001, 0.005):
            bits = six[norm, warmup, rate]
            bits.sort()
            line += f"{bits[0]:8.2f}–{bits[-1]:.2f}"
        print(line)
print(f"knowing only how frequent each character is: {frequencies:.2f}")

# %% [markdown] id="norms-read"
# At 0.001 post-norm learns as well or slightly better. At 0.005 without warm-up it learns no more
# than how frequent each character is (4.90), and with warm-up less than pre-norm in every seed.
# Pre-norm learns in every setting and needs no warm-up.

# %% [markdown] id="model-text"
# ## From layers to a network
#
# Embeddings *times $\sqrt{D}$*, plus positions (Vaswani et al., §3.4), go through some layers
# and, with pre-norm, one more norm.
#
# <details><summary>Why times √D?</summary>
#
# They give no reason. But embeddings begin at size $1/\sqrt{D}$, and the waves have size
# $\sqrt{1/2}$ for every $D$: without the factor, they would drown the words.
#
# </details>

# %% id="model"
class Stack(nn.Module):
    """Word ids (B, T) → vectors (B, T, D): embeddings, positions, layers, a norm."""

    def __init__(self, words, size, heads, inner, layers, dropout):
        super().__init__()
        self.embed = nn.Embedding(words, size)
        nn.init.normal_(self.embed.weight, std=size**-0.5)
        self.norm = nn.LayerNorm(size)
        self.layers = nn.ModuleList(
            Layer(size, heads, inner, dropout) for _ in range(layers)
        )
        self.dropout = nn.Dropout(dropout)
        self.positions = True

    def embedded(self, ids):
        length, size = ids.shape[1], self.embed.embedding_dim
        x = self.embed(ids) * math.sqrt(size)
        if self.positions:
            x = x + position_table(length, size).to(x.device)
        return self.dropout(x)

    def forward(self, ids, allowed):
        x = self.embedded(ids)
        for layer in self.layers:
            x = layer(x, allowed)
        return self.norm(x)


# %% [markdown] id="library-text"
# `attnlib.model` has the parts of this file for [11b](11b_translation.ipynb). Their names there are
# `sinusoidal_positions`, `MultiHeadAttention`, `causal_mask`, `EncoderLayer` and `EncoderStack`.

# %% [markdown] id="gpt-text"
# ## A tiny GPT
#
# Under the causal mask this stack reads what is written and predicts what comes next. That is the
# plan of GPT ([Radford et al. 2018](D_papers.ipynb#cell-id=radford-2018)) and of most language
# models since: the decoder of a Transformer on its own. Ours reads the plays of chapter 1.

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
        allowed = everyone
        if self.masked:
            allowed = decoder_mask(torch.ones_like(ids, dtype=torch.bool))
        return self.output(self.decoder(ids, allowed))


# %% [markdown] id="gpt-learn-text"
# To train it, take windows of 65 characters from anywhere in the text, and let it predict the last
# 64 of them from those before, all at once. It takes half a minute, and your text may differ.

# %% id="gpt-learn"
def learning(model, updates, count=16, length=64, rate=5e-3):
    """Train on random windows; after each update: its number, bits per character."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for update in range(1, updates + 1):
        schedule = min(update / 50, 1 - (update - 1) / updates)  # rises, then falls to 0
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
        logits = model(ids[:, -length:])[:, -1]  # of the last position
        probabilities = (logits / temperature).softmax(-1)
        drawn = probabilities.multinomial(1, generator=draws)
        ids = torch.cat([ids, drawn], dim=1)
    return "".join(characters[i] for i in ids[0])


# %% id="gpt-train" tags=["nbval-ignore-output"]
seed_everything(1)
gpt = GPT(len(characters))
for update, bits in learning(gpt, 600):  # trains
    if update in (1, 100, 300, 600):
        print(f"--- update {update}, {bits:.2f} bits ---", write(gpt, 130))


# %% [markdown] id="gpt-record-text"
# ### Compared with chapter 1, and with counting
#
# The recorded runs took five times the updates, with twice the text in each: the GPT, with and
# without positions, and chapter 1's plain RNN and LSTM. All have the same number of
# parameters, within 5%, and have read the same number of characters.

# %% id="gpt-record" tags=["hide-input"]
# measures the GPT, and prints recorded runs and what counting gives
@torch.no_grad()
def unread_bits(model, length=64):
    """Bits per character of the unread tenth, half a window or more before each."""
    rows = unread.unfold(0, length + 1, length // 2)  # windows that overlap by half
    logits = model(rows[:, :-1])[:, length // 2 :]
    target = rows[:, length // 2 + 1 :]
    return F.cross_entropy(logits.flatten(0, 1), target.flatten()).item() / math.log(2)


readers = {
    "RNN": ("01_rates", "rnn", 0.01),
    "LSTM": ("01_rates", "lstm", 0.006),
    "GPT": ("11_gpt", "gpt", None),
    "GPT without positions": ("11_gpt", "no-positions", None),
}
curves, gpt_bits = {}, unread_bits(gpt)
size_of = sum(p.numel() for p in gpt.parameters())
print(f"bits per unread character: this GPT, {size_of:,} parameters, 600 updates: ≈{gpt_bits:.2f}")
print("recorded, mean of 3 seeds                    after 300   1,000   3,000 updates")
for name, (file, variant, rate) in readers.items():
    of_seeds = []
    for run in read_record(file)["runs"]:
        if run["variant"] == variant and run.get("rate") == rate and run["seed"] < 4:
            of_seeds.append([look["bits"] for look in run["looks"][-3:]])
    assert len(of_seeds) == 3
    curves[name] = torch.tensor(of_seeds).mean(0)
    print(f"  {name:43}" + "".join(f"{number:8.2f}" for number in curves[name].tolist()))
counted = {row["characters"]: row["bits"] for row in read_record("11_counts")["runs"][0]["rows"]}
print("counting, with so many characters before it:")
print("  " + ", ".join(f"{before}: {counted[before]:.2f}" for before in (1, 2, 3, 5, 7)))

# %% [markdown] id="gpt-record-read"
# Half a minute takes the GPT past counting *one* previous character, near to counting two. After
# 3,000 updates it is one to four hundredths of a bit behind the recurrent networks. Counting five
# characters, with shorter counts mixed in (Kneser–Ney smoothing; [Chen and Goodman
# 1999](D_papers.ipynb#cell-id=chen-1999)), is level with the LSTM, though all four networks were
# still gaining. Without positions, the GPT has not reached counting three; in large language models
# the causal mask alone did nearly as well ([Haviv et al. 2022](D_papers.ipynb#cell-id=haviv-2022)).
#
# At this size, the task does not show what attention is *for*; the last section's does.
#
# <details><summary>How sure?</summary>
#
# Three seeds each. The recurrent networks' learning rates are the best of five, the GPT's of two,
# and they read the unread text from its beginning, while the GPT sees at most 64 characters. No
# longer training was tried.
#
# </details>

# %% [markdown] id="unmasked-text"
# ## The same without the mask
#
# Now train two copies of the GPT for 200 updates on windows of 16 characters, one with the causal
# mask and one without. The first will need about three and a half bits per unread character. How
# many will the second need?

# %% id="predict-unmasked"
predict("11.unmasked", ...)

# %% id="unmasked"
copies, bits_of = {}, {}
for name, masked in (("with mask", True), ("without", False)):
    seed_everything(1)
    copies[name] = GPT(len(characters), masked=masked)
    list(learning(copies[name], 200, count=24, length=16))  # trains
    bits_of[name] = unread_bits(copies[name], length=16)
with reveal("11.unmasked", bits_of["without"], within=0.4):
    for name, bits in bits_of.items():
        print(f"{name:9}: ≈{bits:.2f} bits per unread character")

# %% [markdown] id="unmasked-read"
# <details><summary>What it says</summary>
#
# This is far too good, and the text is unread. Suspect a **leak** (정보 누출): the next character
# is in the input, one place to the right, and can be copied, in unread text as well. (The second
# copy does not need 0 bits because it does not copy perfectly, and because the last place of a
# window, one of the eight that are scored, has nothing to copy.)
#
# </details>
#
# ### The character after the window
#
# Now let both predict the character *after* the window, where there is no future to look at, as
# when a network writes.

# %% id="unmasked-fails" tags=["nbval-ignore-output"]
import textwrap

rows = unread.unfold(0, 17, 8)
next_bits = {}
for name, copy in copies.items():  # trained elsewhere, they may write otherwise
    with torch.no_grad():
        loss = F.cross_entropy(copy(rows[:, :-1])[:, -1], rows[:, -1])
    next_bits[name] = loss.item() / math.log(2)
    print(f"{name:9}: {next_bits[name]:.1f} bits; writes")
    print(textwrap.fill(repr(write(copy, 60, length=16)), 78))

# %% [markdown] id="unmasked-fails-read"
# Where it cannot look ahead, it does worse than counting one previous character, because it did not
# learn to predict what it could copy. So before you believe a loss, change the last word and see
# which positions notice, and let the network write.
#
# ### BERT: both sides, and no leak
#
# **BERT** ([Devlin et al. 2019](D_papers.ipynb#cell-id=devlin-2019)) reads finished text from both
# sides, without a causal mask. It is trained without a leak, because the answers are hidden in the
# *input*: only some words are predicted, and most of them are replaced with a mask token (**masked
# language modeling**). Its vectors are used to classify, tag and search texts. GPT is only a
# decoder, BERT only an encoder, and a translator ([11b](11b_translation.ipynb)) has both.

# %% [markdown] id="lookup-text"
# ## What attention is for
#
# In chapter 4 a dictionary returned the value of a key. Can a network learn that from examples? It
# reads ten pairs of a key and a value, new each time. Then the ten keys follow in a different
# order, and after each, the network must name its value. The task is called **associative recall**
# (연관 회상). [Arora et al. (2023)](D_papers.ipynb#cell-id=arora-2023) traced to it 82% of the gap
# in quality between language models with attention and with gated convolutions.

# %% id="lookup-task"
KEYS, VALUES, PAIRS = 48, 24, 10  # different keys and values; pairs that are read


def examples(count):
    """Token ids (count, 30): ten pairs, then their keys; the values of these (count, 10)."""
    keys = torch.rand(count, KEYS).argsort(-1)[:, :PAIRS]  # all different
    values = torch.randint(VALUES, (count, PAIRS))
    asked = torch.rand(count, PAIRS).argsort(-1)  # the second order
    written = torch.stack([keys, KEYS + values], dim=-1).flatten(1)  # key, value, key, value, …
    questions, answers = keys.gather(1, asked), values.gather(1, asked)
    return torch.cat([written, questions], dim=1), answers


def named(ids):
    """Token ids as k0, k1, … for keys and v0, v1, … for values."""
    return [f"k{i}" if i < KEYS else f"v{i - KEYS}" for i in ids.tolist()]


seed_everything(4)
ids, wanted = examples(1)
print("is read:   ", *named(ids[0, :20]))
print("then:      ", *named(ids[0, 20:]))
print("wanted:    ", *named(KEYS + wanted[0]))

# %% [markdown] id="lookup-models-text"
# Three networks learn it, with the same number of parameters within 5%: a causal Transformer of two
# layers, an LSTM, and that LSTM with chapter 5's answer, dot attention over its own states.


# %% id="lookup-models"
class CausalTransformer(nn.Module):
    """Token ids (B, 30) → logits of the values of the last ten (B, 10, 24)."""

    def __init__(self):
        super().__init__()
        self.decoder = Stack(KEYS + VALUES, 64, 4, 256, layers=2, dropout=0.0)
        self.output = nn.Linear(64, VALUES)

    def forward(self, ids):
        causal = decoder_mask(torch.ones_like(ids, dtype=torch.bool))
        return self.output(self.decoder(ids, causal)[:, -PAIRS:])


class LookupLSTM(nn.Module):
    """The same by an LSTM; with attention, the last ten states attend to those of the pairs."""

    def __init__(self, size, attention):
        super().__init__()
        self.embed = nn.Embedding(KEYS + VALUES, size)
        self.rnn = nn.LSTM(size, size, batch_first=True)
        self.combine = nn.Linear(2 * size, size) if attention else None
        self.output = nn.Linear(size, VALUES)

    def forward(self, ids):
        states, _ = self.rnn(self.embed(ids))
        read, asking = states[:, :-PAIRS], states[:, -PAIRS:]
        if self.combine is not None:
            found = (asking @ read.transpose(1, 2)).softmax(-1) @ read
            asking = torch.tanh(self.combine(torch.cat([found, asking], dim=-1)))
        return self.output(asking)


# %% id="lookup-learn"
@torch.no_grad()
def right_of_100(model):
    """Right answers of 100, in a hundred new examples."""
    ids, wanted = examples(100)
    answers = model(ids).argmax(-1)
    return 100 * (answers == wanted).double().mean().item()


def learn_lookup(make, rate, updates=500):
    """A trained network, and its right answers of 100 after every 50 updates."""
    seed_everything(1)
    model = make()
    right = []
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for update in range(1, updates + 1):
        optimizer.param_groups[0]["lr"] = rate * min(update / 100, 1)
        ids, wanted = examples(32)
        loss = F.cross_entropy(model(ids).flatten(0, 1), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if update % 50 == 0:
            right.append(right_of_100(model))
    return model, right


# %% id="lookup-record" tags=["hide-input"]
# reads recorded runs: several seeds, up to 5,000 updates
tried = [run for run in read_record("11_recall")["runs"] if run["seed"] > 0]
VARIANTS = {"LSTM": "lstm", "LSTM with attention": "lstm-attention", "Transformer": "transformer"}
recorded = ["recorded, several seeds, each at the best of four rates:"]
for name, variant in VARIANTS.items():
    runs = [run for run in tried if run["variant"] == variant and run["pairs"] == PAIRS]
    solved = [run["solved"] for run in runs if run["solved"]]
    line = f"  {name:22} {len(solved)} of {len(runs)} reach 99 of 100"
    if solved:
        line += f", after {min(solved)} to {max(solved)} updates"
    else:
        best = max(max(run["right"]) for run in runs)
        line += f" in {runs[0]['updates']:,} updates, and none passes {100 * best:.0f}"
    recorded.append(line)

# %% [markdown] id="lookup-predict-text"
# Guessing gives 4 right answers of 100. The LSTM carries the ten pairs, fewer than 80 bits, in two
# vectors of 108 numbers, which is room enough. How many of 100 will it get right after 500 updates?

# %% id="predict-lookup"
predict("11.lookup", ...)

# %% id="lookup"
learned = {  # trains
    "LSTM": learn_lookup(lambda: LookupLSTM(108, attention=False), rate=3e-3),
    "LSTM with attention": learn_lookup(lambda: LookupLSTM(96, attention=True), rate=3e-2),
    "Transformer": learn_lookup(CausalTransformer, rate=3e-3),
}
ids, wanted = examples(1000)
frequent = (ids[:, 1:20:2] - KEYS).mode(dim=1).values  # of the ten values that were read
guess = 100 * (frequent[:, None] == wanted).double().mean().item()
_, right_lstm = learned["LSTM"]
with reveal("11.lookup", right_lstm[-1], within=7):
    print("right of 100, after        100   200   300   400   500 updates")
    for name, (_, right) in learned.items():
        print(f"  {name:22}" + "".join(f" ≈{number:4.0f}" for number in right[1::2]))
    print(f"naming the most frequent of the ten values, whatever the key: ≈{guess:.0f}")
    print(*recorded, sep="\n")

# %% [markdown] id="lookup-read"
# <details><summary>What it says</summary>
#
# The LSTM gets about as many right as it would by ignoring the keys and naming the value that it
# has read most often. In the recorded runs, at the best of four learning rates, it is still there
# after ten times the updates in nine of ten seeds; the tenth has begun to do better. The
# Transformer stays there for a while. Then, within a hundred updates or two, it finds out how to
# look things up, and nearly all its answers are right, in every recorded seed.
#
# It does so *without recurrence*. But what wins is attention, not the absence of recurrence: the
# same LSTM, allowed to look back at its own states, learns it even sooner, probably because its
# state after a value has just read the key as well, so that the pair is already joined. The
# Transformer must first learn to join the two.
#
# (A further seed chose the learning rates. This does not show that no LSTM can learn it: ours has
# one layer, one size and torch's forget bias.)
#
# </details>
#
# ### How does it do it?
#
# In the first of its two layers, the position of a value could fetch its key from the position
# before it. In the second, a key that is asked could then find that position and fetch the value.
# Do the weights look like this?

# %% id="lookup-weights" tags=["hide-input"]
# takes the first layer's heads out, and draws Figure 3
from copy import deepcopy


@torch.no_grad()
def weights_of(model, ids):
    """The weights of each layer's heads for ids (B, T): a list of (B, heads, T, T)."""
    causal = decoder_mask(torch.ones_like(ids, dtype=torch.bool))
    x = model.decoder.embedded(ids)
    found = []
    for layer in model.decoder.layers:
        normed = layer.norm1(x)
        _, weights = layer.self_attn(normed, normed, causal)
        found.append(weights)
        x = layer(x, causal)
    return found


transformer, _ = learned["Transformer"]
first_layer, second_layer = weights_of(transformer, ids)
at = torch.arange(1, 20, 2)  # positions of the values; each one's key is just before it
before = first_layer[:, :, at, at - 1].mean((0, 2))  # of each head
asked, read = ids[:, 20:], ids[:, 0:20:2]  # the keys that are asked, and those that were read
same_key = asked[:, :, None] == read[:, None, :]  # (1000, 10, 10)
on_values = second_layer[:, :, 20:, 1:20:2]  # weights of the asked keys on all values
to_value = (on_values * same_key[:, None]).sum(-1).mean((0, 2))  # on the right one, of each head
for said, by_head in (
    ("layer 1: a value's weight on the key before it", before),
    ("layer 2: a key's weight on its own value", to_value),
):
    print(f"{said + ', by head:':58}" + " ".join(f"≈{weight:.2f}" for weight in by_head))


def right_with_one(head):
    """Right answers of 100 where the first layer has the results of this head only."""
    model = deepcopy(transformer)
    out = model.decoder.layers[0].self_attn.out.weight.data
    for other in range(4):
        if other != head:
            out[:, 16 * other : 16 * other + 16] = 0  # the 16 features of that head
    return right_of_100(model)


most = right_with_one(before.argmax())
least = right_with_one(before.argmin())
print("right of 100, if of layer 1's heads only one is kept")
print(f"  the one with the most weight there: ≈{most:.0f}; with the least: ≈{least:.0f}")
rows, columns = named(ids[0, 20:]), named(ids[0, :20])
links = {(2 * j + 1, t) for t, j in same_key[0].nonzero().tolist()}  # (value read, key asked)
ax = figures.attention_heatmap(
    second_layer[0, to_value.argmax(), 20:, :20],
    columns,
    rows,
    gold=(links, set()),
    title="Figure 3. Where the keys that are asked look, second layer, best head",
)
ax.set(xlabel="token that was read", ylabel="key that is asked")
ax.get_legend().get_texts()[0].set_text("the value of this key")
plt.show()

# %% [markdown] id="lookup-alt"
# <details><summary>The figure in words</summary>
#
# Heat map with the twenty tokens of ten pairs along the top, keys and values in turn, and the ten
# keys that are asked down the side. In each row one outlined cell marks the key's own value. It is
# the darkest of its row, and in most rows nearly all of the weight is in it.
#
# </details>

# %% [markdown] id="lookup-end"
# The weights do, and here it matters: if the first layer keeps only the head with the most weight
# there, most answers stay right; with only the head that has the least, most go wrong. The network
# has built chapter 4's dictionary out of chapter 5's function: keys joined with values, and a query
# that finds them by a dot product. Heads that complete a pattern in two such steps are called
# **induction heads** (인덕션 헤드; [Olsson et al. 2022](D_papers.ipynb#cell-id=olsson-2022)), and
# large language models have them.
#
# What, then, is gained by leaving the recurrence out, if an LSTM with attention learns the same
# sooner? No comparison in this book shows a gain in quality, but no position waits for the one
# before it. On one thread of a processor our version saves no time ([11b](11b_translation.ipynb)
# measures it); the gain is on hardware that does thousands of things at once.

# %% [markdown] id="experiment-text"
# ## Open experiment: change one thing
#
# *30 minutes, no check.* Choose **one** change to the GPT or to the Transformer that looks up: one
# head instead of four; no positions; one layer, or three; post-norm. Write down how many bits per
# character, or right answers, it will gain or lose. Then replace `None` with its name (edit
# `changed_gpt` for any but the first two), run, and report.
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
# - One function, called in three places, moves all information between positions. Without a causal
#   mask it is blind to order, so positions are added, or rotated in.
# - Heads are several looks for the price of one, useful but not necessary.
# - The causal mask hides the future. A leak looks like a loss too good to be true, even on held-out
#   text.
# - The residual stream does for depth what the LSTM's memory cell does for time.
# - To guess the next character, a state did as well as attention at this budget. Of our three
#   networks, the two with attention learned to look something up, one of them recurrent.
#
# <details><summary>Papers</summary>
#
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (Eq. 1, §3.2–3.5); [Radford et al.
# 2018](D_papers.ipynb#cell-id=radford-2018); [Devlin et al.
# 2019](D_papers.ipynb#cell-id=devlin-2019); [Ba, Kiros and Hinton
# 2016](D_papers.ipynb#cell-id=ba-2016); [He et al. 2016](D_papers.ipynb#cell-id=he-2016); [Xiong
# et al. 2020](D_papers.ipynb#cell-id=xiong-2020); [Michel, Levy and Neubig
# 2019](D_papers.ipynb#cell-id=michel-2019); [Su et al. 2021](D_papers.ipynb#cell-id=su-2021);
# [Haviv et al. 2022](D_papers.ipynb#cell-id=haviv-2022); [Olsson et al.
# 2022](D_papers.ipynb#cell-id=olsson-2022); [Arora et al.
# 2023](D_papers.ipynb#cell-id=arora-2023).
#
# </details>
#
# **Next.** [11b](11b_translation.ipynb): the same layers translate.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# The module around it
from attnlib.model import ScaledDotAttention

# attention: chapter 5's and torch's
queries, keys = torch.randn(2, 4, 8), torch.randn(2, 6, 8)  # (B, T, d), (B, S, d)
values = torch.randn(2, 6, 5)  # (B, S, v)
real = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])  # (B, S)
context, weights = scaled_attention(queries, keys, values, real.unsqueeze(1))
chapter_5 = ScaledDotAttention(8, 8)(queries, keys, values, real)
torch.testing.assert_close((context, weights), chapter_5)
of_torch = F.scaled_dot_product_attention(queries, keys, values, real.unsqueeze(1))
torch.testing.assert_close(context, of_torch)

# positions: turned by seven steps
angles = 7 * 10000.0 ** (-torch.arange(0, 64, 2) / 64)
pairs = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]]) for a in angles]
by_seven = torch.block_diag(*pairs)  # turns each pair of columns
torch.testing.assert_close(table[:40] @ by_seven, table[7:47], atol=1e-3, rtol=0)
a_query, a_key = torch.randn(2, 64)
turned = (a_query @ by_seven) @ (a_key @ by_seven)
torch.testing.assert_close(turned, a_query @ a_key, atol=1e-3, rtol=1e-3)

# heads: torch's module with the same weights, and the opposite mask
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

# From layers to a network
from attnlib.model import EncoderStack, causal_mask

sizes = (62, 76, 4, 304, 2, 0.0)  # words, size, heads, inner, layers, dropout
mine, theirs = Stack(*sizes), EncoderStack(*sizes)
theirs.load_state_dict(mine.state_dict())
some = torch.randint(62, (2, 9))
allowed = decoder_mask(torch.ones_like(some, dtype=torch.bool))
torch.testing.assert_close(mine(some, allowed), theirs(some, causal_mask(9)))

for warmup in (50, 0):
    pre, post = six["pre", warmup, 0.001], six["post", warmup, 0.001]
    assert post[0] < pre[0] and post[-1] < pre[-1]
    assert six["pre", warmup, 0.005][-1] < six["post", warmup, 0.005][0] - 0.2
for rate in (0.001, 0.005):
    assert six["pre", 0, rate][-1] < six["pre", 50, rate][-1]
check_range(six["post", 0, 0.005][0], frequencies - 0.03, frequencies + 0.03)

# The character after the window
check_range(gpt_bits, 2.5, 3.0)
assert counted[3] < 2.4 and counted[1] > 3.1
ends = {name: float(curve[-1]) for name, curve in curves.items()}
assert counted[5] < ends["LSTM"] < ends["RNN"] < ends["GPT"] < counted[3]
assert counted[3] < ends["GPT without positions"] < counted[2]
check_range(bits_of["with mask"], 3, 3.8)
check_range(bits_of["without"], 0.7, 2)
check_range(next_bits["with mask"], 3, 3.8)
check_range(next_bits["without"], 3.8, 6.5)

# How does it do it?
ends = {name: right[-1] for name, (_, right) in learned.items()}
check_range(ends["LSTM"], 12, 30)
check_range(guess, 18, 24)
check_range(ends["LSTM with attention"], 90, 100)
check_range(ends["Transformer"], 90, 100)
check_range(learned["LSTM with attention"][1][3], 90, 100)  # after 200
check_range(learned["Transformer"][1][3], 3, 70)
numbers = [sum(p.numel() for p in model.parameters()) for model, _ in learned.values()]
assert max(numbers) < 1.05 * min(numbers)
for run in tried:
    if run["pairs"] == PAIRS:
        assert (run["solved"] is None) == (run["variant"] == "lstm")
        assert run["variant"] != "lstm" or max(run["right"]) < 0.3
check_range(before.max(), 0.6, 1)
check_range(to_value.max(), 0.7, 1)
check_range(most, 60, 100)
check_range(least, 0, 50)
