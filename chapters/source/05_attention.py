# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 05 · How can a translator look back at every word?
#
# **What you will be able to do.** Compute attention by hand, with matrices and with the library,
# and get the same numbers. Say where the mask belongs and what breaks without it. Tell Bahdanau's
# decoder from Luong's without seeing its code. Measure what attention does to gradients, to long
# sentences and to word alignment, and where a heat map stops being evidence.
#
# **What you need.** An encoder and a decoder (chapter 3), and queries, keys and values (chapter 4).
# Every term is repeated where it first occurs.
#
# **Time.** 60 minutes to read, 100 more for the ten exercises, at most a minute to run with one
# thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import json
from textwrap import wrap

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import about, budget, exercise, progress
from attnbook.figures import bleu_by_length, learning_curves
from attnlib import figures
from attnlib.data import (
    UNK,
    Batches,
    WordVocabulary,
    bundled_directory,
    load_corpus,
    make_batch,
    pad,
)
from attnlib.device import seed_everything
from attnlib.masking import lengths_to_mask
from attnlib.metrics import aer, best_shift, corpus_bleu, links_from_weights
from attnlib.model import (
    AdditiveAttention,
    BahdanauDecoder,
    DotAttention,
    Encoder,
    GRUCell,
    LuongDecoder,
    Memory,
    PlainDecoder,
    ScaledDotAttention,
    Seq2Seq,
)
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(5)

# %% [markdown] id="bottleneck-text"
# ## The problem: one vector for any sentence
#
# A translator without attention has two parts. The **encoder** reads the source words one after
# the other and updates a state $h_j$ at each position $j$. The **decoder** starts from the *last*
# state and writes the target words. Whatever the decoder should know about the source must fit
# into that one vector.
#
# **Predict.** One sentence has 5 words, another has 50. How many numbers does the decoder get for
# each? How many would it get if it could see every $h_j$?

# %% id="bottleneck"
encoder = Encoder(nn.Embedding(100, 16), hidden_size=32)
for length in (5, 50):
    src = torch.randint(100, (1, length), generator=generator)
    states, final = encoder(src, torch.ones(1, length, dtype=torch.bool))
    print(f"{length:2} words: all states {tuple(states.shape)}, last state {tuple(final.shape)}")

# %% [markdown] id="bottleneck-read"
# The last state has 32 numbers for 5 words and the same 32 for 50. This is the **bottleneck**:
# compression into a fixed size must lose something as sentences grow. There is a second trouble,
# which is not the same one: to learn from the first word, the gradient has to travel back through
# every step in between, and it shrinks on the way. Below we measure both: quality by length, and
# gradient by distance. Chapter 3 varies the vector's size.
#
# [Cho et al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) reported the symptom: the BLEU of their
# translator without attention fell quickly as sentences became longer.

# %% [markdown] id="history"
# > **Who was first?** The notes that this book grew from say that attention was introduced by
# > [Bahdanau, Cho and Bengio](D_papers.ipynb#cell-id=bahdanau-2015) (arXiv 1409.0473, 2014) for
# > translation. For *neural translation* that is right. Soft windows that slide over an input are
# > older: [Graves (2013)](D_papers.ipynb#cell-id=graves-2013) used one to write handwriting from
# > text, as Bahdanau et al. say themselves in their section on related work, and [Larochelle and
# > Hinton (2010)](D_papers.ipynb#cell-id=larochelle-2010) and [Mnih et al.
# > (2014)](D_papers.ipynb#cell-id=mnih-2014) let networks glimpse at parts of an image.

# %% [markdown] id="idea"
# ## The idea: keep every state, and choose again at every step
#
# Attention throws nothing away. All states $h_1 \dots h_S$ stay, and at each target step $t$ the
# decoder mixes them anew into a **context** $c_t$:
#
# $$\underbrace{e_{tj} = \mathrm{score}(s_t, h_j)}_{\text{scores}} \;\to\;
# \underbrace{\alpha_{tj} = \frac{\exp e_{tj}}{\sum_k \exp e_{tk}}}_{\text{weights}} \;\to\;
# \underbrace{c_t = \sum_j \alpha_{tj}\, h_j}_{\text{context}}$$
#
# | in the language of chapter 4 | in translation |
# |---|---|
# | **query**: what am I looking for? | the decoder state $s_t$: roughly, what is written so far |
# | **keys**: what is each entry about? | the encoder states $h_j$: roughly, word $j$ in context |
# | **values**: what do I take away? | the same encoder states $h_j$ |
#
# "Roughly" is honest: nobody tells the network what its numbers should mean.
#
# *A caution about words.* The notes compare attention with a person who concentrates on what
# matters. It is a good picture for remembering the name. What is computed is a weighted average.

# %% [markdown] id="hand-text"
# ### By hand
#
# Three source words, `나는 집에 갔다` (*I · to home · went*), with made-up states of two numbers,
# and one decoder state. The score here is the **dot product** $s_t^\top h_j$: one number for each
# word, large where the two vectors point the same way. (Two arguments: $\mathrm{score}(s_t, h_j)$.
# A note writes $\mathrm{score}(s_t \cdot h_i)$, a product that has swallowed the comma, and begins
# its list of scores at $h_i$; it begins at $h_1$.)

# %% id="hand-scores"
h = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]])  # encoder states h_1, h_2, h_3: (S, H)
s = torch.tensor([1.0, 1.0])  # decoder state s_t: (H,)

e = []
for j in range(3):
    e.append(sum(s[d] * h[j, d] for d in range(2)))
print("scores e_t:", [round(float(score), 3) for score in e])

# %% [markdown] id="hand-weights-text"
# **Predict.** The third score is three times the others. Will its weight be three times theirs?

# %% id="hand-weights"
powers = [torch.exp(score) for score in e]
alpha = [power / sum(powers) for power in powers]
print("weights α_t:", [round(float(weight), 3) for weight in alpha])
print("their sum:  ", round(float(sum(alpha)), 3))
print("third / first:", round(float(alpha[2] / alpha[0]), 2))

# %% [markdown] id="hand-weights-read"
# No, more than seven times: $e^3 / e^1 = e^{3-1}$. The softmax turns *differences* of scores into
# *ratios* of weights. The weights are positive and sum to 1. One of the notes calls them logits;
# **logits** are what goes *into* a softmax, here the scores. And the softmax runs over the
# *encoder's* positions $j$; "over all the decoder's hidden states", as another note has it, is a
# slip.

# %% id="hand-context"
c = [0.0, 0.0]
for j in range(3):
    for d in range(2):
        c[d] += float(alpha[j] * h[j, d])
print("context c_t:", [round(number, 3) for number in c])

# %% [markdown] id="hand-context-read"
# The context lies close to $h_3 = (1, 2)$, which has most of the weight. It is a *weighted* sum: a
# note that "adds up all values mapped to the keys" leaves the essential word out. (Names: that note
# calls this vector $a_t$, the *attention value*. For Luong $a_t$ is the vector of *weights*. This
# book says $\alpha_t$ for weights and $c_t$ for the context, always.)

# %% [markdown] id="ex-weighted-sum-text"
# ### Exercise 5.1 · The context
# *Warm-up, 5 minutes.* Write the last step for a whole batch: for each of $B$ sentences and each of
# $T$ queries, the weighted sum of the values. Weights have shape (B, T, S), values (B, S, H); the
# contexts have shape (B, T, H).
#
# <details><summary>Hint 1</summary>The loop above sums over j. Which dimension of the weights and
# which of the values is j?</details>
# <details><summary>Hint 2</summary>A matrix product sums over the last dimension of the left factor
# and the last but one of the right factor.</details>
# <details><summary>Hint 3</summary>(B, T, S) times (B, S, H): the batch goes along by
# itself.</details>


# %% id="ex-weighted-sum" tags=["exercise"]
@exercise
def weighted_sum(weights, values):
    """Contexts c_t = Σ_j α_tj v_j. weights (B, T, S), values (B, S, H) → (B, T, H)."""
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION


# %% [markdown] id="matrix-text"
# ### In matrix form, and in the library
#
# The same three lines, for a batch. The leading dimension is the batch (one sentence here), then
# the queries (one), then features.

# %% id="matrix"
query, keys = s.view(1, 1, 2), h.view(1, 3, 2)  # (B, T, H), (B, S, H)
scores = query @ keys.transpose(1, 2)  # (B, T, S)
weights = scores.softmax(dim=-1)  # over the S positions
context = weighted_sum(weights, keys)  # (B, T, H)
print("scores ", scores.tolist())

# %% id="agree-dot"
library_context, library_weights = DotAttention(2, 2)(query, keys, keys)
torch.testing.assert_close(torch.stack(alpha), weights[0, 0])  # the loop
torch.testing.assert_close(torch.tensor(c), context[0, 0])
torch.testing.assert_close(library_weights, weights)  # the library
torch.testing.assert_close(library_context, context)
print("loop, matrices and attnlib.attention agree")

# %% [markdown] id="agree-read"
# From here on `attention(query, keys, values, mask)` stands for these lines: query = decoder
# state, keys = values = encoder states. It returns the context *and* the weights, so that they can
# be drawn, and keeps nothing for itself.

# %% [markdown] id="properties-text"
# ### What softmax weights promise
#
# **Predict.** Which of these change the weights: adding 100 to every score? multiplying every score
# by 2? And does shuffling the source positions change the context?

# %% id="properties"
order = torch.tensor([2, 0, 1])
shuffled, _ = DotAttention(2, 2)(query, keys[:, order], keys[:, order])
one_hot = torch.tensor([[[0.0, 1.0, 0.0]]])
print("rows sum to 1:           ", torch.allclose(weights.sum(-1), torch.ones(1, 1)))
print("+100 changes the weights:", not torch.allclose((scores + 100).softmax(-1), weights))
print("×2 changes the weights:  ", not torch.allclose((scores * 2).softmax(-1), weights))
print("one-hot weights fetch h_2:", weighted_sum(one_hot, keys).tolist())
print("shuffling changes c_t:   ", not torch.allclose(shuffled, context))

# %% [markdown] id="properties-read"
# Only differences of scores count (+100 does nothing); their size is a sharpness (×2 does a lot).
# Shuffling the states with their keys changes nothing: attention sees a *set*. It knows about order
# only because each $h_j$ was made by a network that reads in order. With positive weights that sum
# to 1, a context never leaves the region spanned by the states.

# %% [markdown] id="dynamic-text"
# ### A new context at every step
#
# Two decoder states, the same three encoder states. Beside them the context that a decoder
# without a query would have to make do with, the plain mean.

# %% id="dynamic"
for name, state in (("s_1", [1.0, 1.0]), ("s_2", [2.0, -1.0])):
    mixed, looks = DotAttention(2, 2)(torch.tensor([[state]]), keys, keys)
    rounded = [[round(x, 2) for x in tensor[0, 0].tolist()] for tensor in (looks, mixed)]
    print(f"{name}: weights {rounded[0]}, context {rounded[1]}")
print("mean:                             context", [round(x, 2) for x in h.mean(0).tolist()])

# %% [markdown] id="dynamic-read"
# One encoder, two contexts: $s_1$ fetches $h_3$, $s_2$ fetches $h_1$. This is what the notes mean
# by a *dynamic* context vector. (Trained with the mean instead, a translator falls far back; the
# recorded runs near the end show how far.)

# %% [markdown] id="norm-text"
# ### Ninety percent of what?
#
# "$h_1 \times 0.9$ means 90 % focus on word 1", says a note. Look at what is *added*.

# %% id="norm"
share = torch.tensor([0.9, 0.1])
values = torch.tensor([[0.01, 0.0], [0.0, 3.0]])  # h_1 is tiny, h_2 is long
parts = (share.unsqueeze(1) * values).norm(dim=1)  # the length of α_j h_j
print("weights:            ", [f"{w:.0%}" for w in share])
print("share of the lengths:", [f"{p:.0%}" for p in parts / parts.sum()])

# %% [markdown] id="norm-read"
# The word with 90 % of the weight brings 3 % of the length of what is added up. A weight says how
# much of a *value* is taken, and the value may be small. [Kobayashi et al.
# (2020)](D_papers.ipynb#cell-id=kobayashi-2020) therefore look at $\lVert \alpha_{tj} h_j \rVert$
# as well.

# %% [markdown] id="general-text"
# ## A query in another language
#
# A dot product compares number with number: the third of $s_t$ with the third of $h_j$. But the two
# come from different networks that read different languages; at the start nothing makes their third
# numbers mean the same. And their sizes must be equal, or the product does not exist:

# %% id="sizes"
try:
    DotAttention(query_size=3, key_size=2)
except ValueError as problem:
    print(problem)

# %% [markdown] id="general-formula"
# [Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015) put a learnt matrix between the two, and
# call the score **general**:
#
# $$e_{tj} = s_t^\top W_a h_j, \qquad W_a \in \mathbb{R}^{H_{dec} \times H_{enc}}$$
#
# $W_a$ carries each key into the space of the queries. It has a row for each number of the query
# and a column for each number of a key, so the sizes may differ.

# %% [markdown] id="ex-general-score-text"
# ### Exercise 5.2 · Luong's general score
# *Core, 8 minutes.* All scores of a batch at once: query (B, T, Hd), keys (B, S, He), weight
# $W_a$ (Hd, He), result (B, T, S).
#
# <details><summary>Hint 1</summary>Write the shapes under the formula for one pair:
# (1, Hd) (Hd, He) (He, 1).</details>
# <details><summary>Hint 2</summary>`query @ weight` has shape (B, T, He). Now every row must meet
# every key.</details>
# <details><summary>Hint 3</summary>`keys.transpose(1, 2)` has shape (B, He, S).</details>


# %% id="ex-general-score" tags=["exercise"]
@exercise
def general_score(query, keys, weight):
    """Scores e = query W keys^T. query (B, T, Hd), keys (B, S, He), weight (Hd, He) → (B, T, S)."""
    ### BEGIN SOLUTION
    return query @ weight @ keys.transpose(1, 2)
    ### END SOLUTION


# %% [markdown] id="rotation-text"
# **Does a matrix find the way between two spaces?** A test in which we know the answer: each query
# is one of ten keys, turned by a rotation that nobody tells the model, plus a little noise. Which
# of the ten was it?
#
# **Predict.** How often will the plain dot product be right? And a matrix after 150 updates?

# %% id="rotation"
rotation, _ = torch.linalg.qr(torch.randn(16, 16, generator=generator))


def lost_and_found(count):
    keys = torch.randn(count, 10, 16, generator=generator)
    wanted = torch.randint(10, (count,), generator=generator)
    query = keys[torch.arange(count), wanted] @ rotation.T
    noise = 0.1 * torch.randn(count, 16, generator=generator)
    return (query + noise).unsqueeze(1), keys, wanted


# %% id="rotation-learn"
matrix = torch.zeros(16, 16, requires_grad=True)
optimizer = torch.optim.Adam([matrix], lr=0.05)
for _ in range(150):
    query, keys, wanted = lost_and_found(64)
    loss = F.cross_entropy(general_score(query, keys, matrix).squeeze(1), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

query, keys, wanted = lost_and_found(2000)
for name, weight in (("dot product", torch.eye(16)), ("learnt matrix", matrix)):
    right = (general_score(query, keys, weight).argmax(-1).squeeze(1) == wanted).double().mean()
    print(f"{name:13}: below 25 % right: {bool(right < 0.25)}, above 95 %: {bool(right > 0.95)}")

# %% id="rotation-figure"
fig, axes = plt.subplots(1, 2, figsize=(8, 3.6))
found = matrix.detach()
for ax, (name, table) in zip(axes, {"hidden rotation": rotation, "learnt matrix": found}.items()):
    image = ax.imshow(table / table.abs().max(), cmap="PuOr", vmin=-1, vmax=1)
    ax.set(title=name, xlabel="number of the key", ylabel="number of the query")
    ax.grid(visible=False)
fig.colorbar(image, ax=axes, label="entry (largest = 1)")
plt.show()
cosine = F.cosine_similarity(rotation.flatten(), found.flatten(), dim=0)
print(f"cosine between the two above 0.8: {bool(cosine > 0.8)}")

# %% [markdown] id="rotation-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two square tables of sixteen by sixteen coloured cells, the hidden rotation and the learnt matrix.
# Most cells that are dark orange or dark purple in one are so in the other.
#
# </details>

# %% [markdown] id="rotation-read"
# Ten keys, so guessing gives 10 %. The dot product does no better than a rough guess, the learnt
# matrix is nearly always right: back-propagation through the scores found the rotation, up to its
# size. One of the notes says it well: the decoder *learns to ask good queries*, as one learns to
# use a search engine. But it goes on that learning the linear map **is** attention. That is too
# strong: the dot score has no matrix and attends all the same, because the two recurrent networks
# can learn to agree on a space between them. Runs near the end of the chapter show it. Where the
# map between the spaces is not linear, a matrix is not enough; chapter 6 bends them.

# %% [markdown] id="transpose-text"
# ### Which side does the matrix stand on?
#
# The notes give a PyTorch class. Its arithmetic, without the class: a linear layer `A` acts on the
# decoder state, then a batched product with the encoder states. So $e_{tj} = h_j^\top (A s_t) =
# s_t^\top A^\top h_j$: the layer's weight is Luong's $W_a$ **transposed**.

# %% id="transpose"
h_src, h_tgt = torch.randn(2, 5, 4, generator=generator), torch.randn(2, 1, 4, generator=generator)
A = nn.Linear(4, 4, bias=False)

note_query = A(h_tgt.squeeze(1)).unsqueeze(-1)  # (B, H, 1)
note_scores = torch.bmm(h_src, note_query).squeeze(-1)  # (B, S)
ours = general_score(h_tgt, h_src, A.weight.T).squeeze(1)
wrong = general_score(h_tgt, h_src, A.weight).squeeze(1)
print("W_a = A.weight.T:", torch.allclose(note_scores, ours, atol=1e-6))
print("W_a = A.weight:  ", torch.allclose(note_scores, wrong, atol=1e-6))

# %% [markdown] id="columns-text"
# The same note writes $c = H^{src} \cdot w$ with $w$ a row, made by $h^\top W \cdot H^{src}$. Count
# the columns: $H^{src}$ has one for each source word, so the weights must stand as a column.

# %% id="columns"
H = h.T  # the note's H^src: a column for each source word, (hs, n)
w = torch.stack(alpha).view(1, 3)  # its w is a row: (1, n)
try:
    H @ w
except RuntimeError as problem:
    print("H w :", "shapes do not fit" if "shapes" in str(problem) else problem)
print("H wᵀ:", torch.allclose((H @ w.T).squeeze(1), torch.tensor(c)), "(the context from above)")

# %% [markdown] id="bmm-text"
# And about `torch.bmm` the note says that it takes tensors of two or more dimensions and treats
# all but the last two as the batch. That describes `torch.matmul`, the `@` sign. `bmm` takes
# exactly three dimensions and broadcasts nothing:

# %% id="bmm"
left, right = torch.randn(2, 3, 4, generator=generator), torch.randn(2, 4, 5, generator=generator)
same = [left @ right, torch.einsum("bik,bkj->bij", left, right)]
print("bmm = @ = einsum:", all(torch.allclose(torch.bmm(left, right), x, atol=1e-6) for x in same))
for name, product in (("bmm", torch.bmm), ("@", torch.matmul)):
    try:
        print(
            f"{name:3} of 4-D tensors:", tuple(product(left.unsqueeze(0), right.unsqueeze(0)).shape)
        )
    except RuntimeError as problem:
        print(f"{name:3} of 4-D tensors:", str(problem)[:33])

# %% [markdown] id="mask-text"
# ## Padding: the mask comes before the softmax
#
# Sentences in a batch are filled up to the same length with **padding**. A **mask** marks the real
# tokens; in this book it is boolean and *True means: may be attended*. What should happen to the
# scores of padding? Four candidates, on three real words and two of padding.
#
# **Predict.** Which of the four rows of bars sums to 1 over the real words?

# %% id="mask-candidates"
raw = torch.tensor([1.0, 2.0, 0.5, 1.5, 1.5])  # scores; the encoder gave padding scores, too
real = torch.tensor([True, True, True, False, False])
candidates = {
    "no mask": raw.softmax(-1),
    "scores of padding set to 0": raw.masked_fill(~real, 0.0).softmax(-1),
    "mask after the softmax": raw.softmax(-1) * real,
    "mask before the softmax": raw.masked_fill(~real, -torch.inf).softmax(-1),
}
for name, row in candidates.items():
    print(f"{name:26} real words {row[real].sum():.2f}   padding {row[~real].sum():.2f}")

# %% id="mask-figure"
fig, axes = plt.subplots(1, 4, figsize=(9, 3.2), sharey=True)
for ax, (name, row) in zip(axes, candidates.items()):
    ax.bar(range(1, 4), row[:3], color=figures.PALETTE[0])
    ax.bar(range(4, 6), row[3:], color=figures.PALETTE[1], hatch="//")
    ax.set_title(name.replace(" the ", "\nthe ").replace("of padding", "of\npadding"), fontsize=11)
    ax.set_xlabel(f"source position j\nsum {row.sum():.2f}")
    ax.set_xticks(range(1, 6))
axes[0].set(ylabel="weight (0 to 1)", ylim=(0, 0.7))
fig.suptitle("Four ways to treat padding (hatched orange)")
plt.show()

# %% [markdown] id="mask-figure-alt"
# <details><summary>The figure in words</summary>
#
# Four bar charts of five weights each, three real words in blue and two padding positions in
# hatched orange. Without a mask and with scores of 0, padding has visible bars. With the mask after
# the softmax the padding is empty but the bars sum to about a half. With the mask before the
# softmax only the real words have bars, and they sum to 1.
#
# </details>

# %% [markdown] id="mask-read"
# - *No mask*: almost half of the context is made of padding.
# - *Score 0*: zero is a score like any other, $e^0 = 1$; padding still takes a tenth or more.
# - *After the softmax*: padding is gone, but it has taken its share of the sum with it. The weights
#   of the real words sum to about a half, so the context shrinks, and by how much depends on
#   how long the *other* sentences of the batch are.
# - *Before*: $e^{-\infty} = 0$. The real words share the whole.
#
# The honest test: a sentence must be translated alike alone and in any batch.

# %% id="padding-leak"
alone = torch.randn(1, 3, 4, generator=generator)
padded = torch.cat([alone, torch.randn(1, 2, 4, generator=generator)], dim=1)  # + 2 × padding
query, mask = torch.randn(1, 1, 4, generator=generator), lengths_to_mask(torch.tensor([3]), 5)
attention = DotAttention(4, 4)
expected, _ = attention(query, alone, alone)
for name, given in (("without mask", None), ("with mask", mask)):
    context, _ = attention(query, padded, padded, given)
    print(f"{name:12}: same context as alone: {torch.allclose(context, expected, atol=1e-6)}")

# %% [markdown] id="note-mask-text"
# ### Four traps of one line
#
# The note's class masks with `weight.masked_fill_(mask, -float('inf'))`, where the mask is 1 at
# *padding*. The line works in its own setting. It also has four traps:


# %% id="note-mask"
def note_attention(h_src, scores, mask=None):
    """The second half of the note's class: mask, softmax, context."""
    if mask is not None:
        scores.masked_fill_(mask, -torch.inf)
    weight = scores.softmax(-1)
    return torch.bmm(weight.unsqueeze(1), h_src)


# %% id="note-traps"
padding = torch.tensor([[0, 0, 0, 1, 1]])  # 1 marks padding, as in the note
try:
    note_attention(padded, raw.view(1, 5), padding)
except RuntimeError as problem:
    print("1. a mask of 0 and 1:  ", problem.args[0].split(",")[0])
kept = raw.view(1, 5).clone()  # somebody keeps the scores, to draw them later
right = note_attention(padded, kept, padding.bool())
print("2. the scores we kept: ", kept.tolist()[0])
swapped = note_attention(padded, raw.view(1, 5).clone(), ~padding.bool())
print("3. the mask turned over:", "no error, same context:", torch.allclose(right, swapped))
empty = note_attention(padded, raw.view(1, 5).clone(), padding.bool() | True)
print("4. nothing but padding:", empty[0, 0].tolist())

# %% [markdown] id="note-traps-read"
# 1. Only boolean masks are taken. 2. The underscore writes into the argument: whoever kept the
# scores now keeps $-\infty$. 3. The opposite convention gives no error, only another context (the
# padding's). 4. A row with nothing to attend to becomes $0/0$, not a number, and poisons every
# gradient. It returns no weights to look at, either. And its `squeeze(1)` does nothing when
# there is more than one target step, so that `bmm` then meets four dimensions and stops.
#
# PyTorch itself has both conventions:

# %% id="polarity"
keys = padded
sdpa = F.scaled_dot_product_attention(query, keys, keys, attn_mask=mask.unsqueeze(1))
context, _ = ScaledDotAttention(4, 4)(query, keys, keys, mask)
print("F.scaled_dot_product_attention, True = attend:", torch.allclose(sdpa, context, atol=1e-6))
heads = nn.MultiheadAttention(4, 1, batch_first=True)
_, weights = heads(query, keys, keys, key_padding_mask=~mask)
print("nn.MultiheadAttention, True = ignore:         ", weights[0, 0, 3:].tolist())

# %% [markdown] id="ex-safe-softmax-text"
# ### Exercise 5.3 · A softmax that cannot be hurt
# *Core, 12 minutes.* Write the masked softmax over the last dimension. Allowed positions share 1,
# all others get exactly 0, a row with nothing allowed is all zeros (no NaN), the scores you are
# given stay as they are, and it works in half precision, whose largest number is 65504.
#
# <details><summary>Hint 1</summary>`masked_fill` (without underscore) makes a new tensor. True
# means *may be attended*, and `masked_fill` fills where True.</details>
# <details><summary>Hint 2</summary>Instead of −∞ take the smallest finite number of the type:
# `torch.finfo(scores.dtype).min`. A row full of it gives equal weights, not NaN.</details>
# <details><summary>Hint 3</summary>Those equal weights are on forbidden positions. Fill once more,
# after the softmax.</details>


# %% id="ex-safe-softmax" tags=["exercise"]
@exercise
def safe_softmax(scores, mask):
    """Softmax over the last dimension where mask is True; 0 elsewhere. Both (..., S), mask bool."""
    ### BEGIN SOLUTION
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(-1)
    return weights.masked_fill(~mask, 0.0)
    ### END SOLUTION


# %% id="safe-use"
nothing = torch.zeros(5, dtype=torch.bool)
print("real words only:", [round(w, 2) for w in safe_softmax(raw, real).tolist()])
print("nothing allowed:", safe_softmax(raw, nothing).tolist())
print(
    "filled with −10⁹:", [round(w, 2) for w in raw.masked_fill(~nothing, -1e9).softmax(-1).tolist()]
)

# %% [markdown] id="safe-read"
# The popular $-10^9$ avoids NaN and hides the trouble: a row that may attend to nothing attends
# equally to everything forbidden. (And in half precision $-10^9$ does not exist.)

# %% [markdown] id="s-tilde-text"
# ## From the context to a word
#
# The context says what the source offers, the state what has been written so far. Luong joins them:
#
# $$\tilde s_t = \tanh(W_c\,[c_t ; s_t]), \qquad
# p(y_t \mid y_{<t}, x) = \mathrm{softmax}(W_s \tilde s_t)$$
#
# $[c_t ; s_t]$ is **concatenation**: one vector after the other. $\tilde s_t$ is the **attentional
# vector**. One note stops at $v_t = [a_t ; s_t]$, "the input of the computation of $\hat y$"; these
# two formulas are the rest. Another writes $[s_t ; c_t]$: that only permutes the columns of $W_c$.

# %% [markdown] id="ex-attentional-vector-text"
# ### Exercise 5.4 · The attentional vector
# *Warm-up, 5 minutes.* context (B, T, He), state (B, T, Hd), weight $W_c$ (O, He + Hd), result
# (B, T, O). No bias.
#
# <details><summary>Hint 1</summary>`torch.cat([...], dim=-1)` puts features side by side.</details>
# <details><summary>Hint 2</summary>The context comes first: its He columns of the weight are on the
# left.</details>
# <details><summary>Hint 3</summary>A weight (O, I) acts on rows of features (…, I) as
# `x @ weight.T`.</details>


# %% id="ex-attentional-vector" tags=["exercise"]
@exercise
def attentional_vector(context, state, weight):
    """s̃ = tanh(W_c [c ; s]). context (B, T, He), state (B, T, Hd), weight (O, He + Hd)."""
    ### BEGIN SOLUTION
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight.T)
    ### END SOLUTION


# %% [markdown] id="loss-text"
# ### What the next step is fed
#
# A note says that the distribution $\hat y_t$ becomes the next step's input. Two things happen in
# fact. When **translating**, a word is chosen from the distribution, and its embedding is fed. When
# **training**, the *gold* word is fed whatever the model predicted (chapter 7 is about that): the
# input is the target shifted by one.

# %% id="shift"
batch = make_batch([[10, 11, 12]], [[20, 21]])  # 2 starts a sentence, 3 ends it
print("decoder reads:      ", batch.tgt_in.tolist()[0])
print("decoder must predict:", batch.tgt_out.tolist()[0])

# %% [markdown] id="loss-read"
# And the loss takes *logits*, the numbers before the softmax: `cross_entropy` is the log-softmax
# and the negative log-likelihood in one, and does not overflow.

# %% id="cross-entropy"
logits, gold = torch.tensor([[2.0, -1.0, 300.0]]), torch.tensor([0])
print("log(softmax):     ", -logits.softmax(-1).log()[0, gold].item())
print("log_softmax + nll:", F.nll_loss(logits.log_softmax(-1), gold).item())
print("cross_entropy:    ", F.cross_entropy(logits, gold).item())

# %% [markdown] id="sleepy"
# ## The note that stopped halfway
#
# One of the five notes walks through Bahdanau, Cho and Bengio's paper, comes to "the formula below
# is …", shows a picture that is lost, and ends: *unfinished post, too sleepy.* Let us finish it.
# The paper's equations, in this book's letters (their $i$ for the target step is our $t$; their
# $x_i$ and $h_j$ use two letters for the same position, ours is $j$ for both):
#
# | | | |
# |---|---|---|
# | (4) | $p(y_t \mid y_{<t}, x) = g(y_{t-1}, s_t, c_t)$ | predict |
# | | $s_t = f(s_{t-1}, y_{t-1}, c_t)$ | the new state |
# | (5) | $c_t = \sum_j \alpha_{tj} h_j$ | the context |
# | (6) | $\alpha_{tj} = \exp e_{tj} / \sum_k \exp e_{tk}$ | weights |
# | | $e_{tj} = a(s_{t-1}, h_j)$ | scores |
# | (7) | $h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]$ | states, read both ways |
#
# Left to say: what $a$, $f$, $g$ and the first state $s_0$ are. We build them one after the other.

# %% [markdown] id="both-ways-text"
# ### Equation (7): states that know both sides
#
# **Predict.** Position 3 of six words. If word 5 is exchanged, which half of $h_3$ changes? And if
# word 2 is?

# %% id="both-ways"
encoder = Encoder(nn.Embedding(100, 8), hidden_size=8).eval()
src = torch.randint(100, (1, 6), generator=generator)
mask = torch.ones(1, 6, dtype=torch.bool)
before, _ = encoder(src, mask)
for word in (2, 5):
    other = src.clone()
    other[0, word - 1] = (other[0, word - 1] + 1) % 100
    after, _ = encoder(other, mask)
    forward, backward = (after != before)[0, 2].chunk(2)
    moved = bool(forward.any()), bool(backward.any())
    print(f"word {word} exchanged: does →h_3 change? {moved[0]}. Does ←h_3? {moved[1]}.")

# %% [markdown] id="both-ways-read"
# The forward half knows what came before, the backward half what comes after. An encoder that reads
# one way only has an $h_3$ that is *bit for bit the same* whatever word 5 is. If the translation of
# word 3 depends on the word after it (English *a* or *an*, say), no training can help such a state.

# %% [markdown] id="linear-text"
# ### The alignment model $a$, and why it cannot be linear
#
# The note says that the previous decoder state and *the current step's* encoder vector go into a
# *linear function*. Two corrections. The state is scored against **every** $h_j$, not one. And
# the function is a small network with one hidden layer,
#
# $$e_{tj} = v_a^\top \tanh(W_a s_{t-1} + U_a h_j).$$
#
# **Predict.** Leave the tanh away, so that it *is* linear. Two very different decoder states: how
# different are their weights?

# %% id="linear"
W, U, v = (torch.randn(*size, generator=generator) for size in ((6, 5), (6, 8), (6,)))
states = torch.tensor([[[1.0, 1, 1, 1, 1]], [[-1.0, -1, -1, -1, -1]]])  # two queries s_{t-1}
keys = torch.randn(1, 4, 8, generator=generator).expand(2, -1, -1)  # the same four keys
for name, bend in (("linear", lambda x: x), ("tanh", torch.tanh)):
    scores = bend(states @ W.T + keys @ U.T) @ v  # (2, 1, A) + (2, 4, A) → (2, 4)
    first, second = scores.softmax(-1)
    print(f"{name:6}: largest difference of the weights {(first - second).abs().max():.2f}")

# %% [markdown] id="linear-read"
# Exactly none. A linear score is $v^\top W_a s + v^\top U_a h_j$; its first part is the same for
# all $j$, and the softmax does not see what is added to every score. A *linear* alignment model
# could not look at different words at different steps. The bend of the tanh is what makes the query
# matter.

# %% [markdown] id="ex-additive-score-text"
# ### Exercise 5.5 · Bahdanau's score
# *Core, 12 minutes.* All scores at once: query (B, T, Hd), keys (B, S, He), `w` (A, Hd), `u`
# (A, He), `v` (A,), result (B, T, S).
#
# <details><summary>Hint 1</summary>Every query meets every key: the sum W s + U h has four
# dimensions, (B, T, S, A).</details>
# <details><summary>Hint 2</summary>`unsqueeze` puts in a dimension of size 1, and a dimension of
# size 1 is repeated as needed: (B, T, 1, A) + (B, 1, S, A).</details>
# <details><summary>Hint 3</summary>After the tanh, `@ v` sums over the last dimension.</details>


# %% id="ex-additive-score" tags=["exercise"]
@exercise
def additive_score(query, keys, w, u, v):
    """v^T tanh(W s + U h_j). query (B, T, Hd), keys (B, S, He), w (A, Hd), u (A, He), v (A,)."""
    ### BEGIN SOLUTION
    hidden = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)  # (B, T, S, A)
    return torch.tanh(hidden) @ v
    ### END SOLUTION


# %% [markdown] id="cached-text"
# $U_a h_j$ does not depend on the step, so it is computed once a sentence (the paper's appendix
# A.1.2 says so). How many matrix–vector products does that save on a translation of 30 words?

# %% id="cached"
module = AdditiveAttention(5, 8, hidden_size=6)
calls = []
module.from_key.register_forward_hook(lambda *_: calls.append(1))
queries, keys = torch.randn(1, 30, 5, generator=generator), keys[:1]
again = torch.cat([module(q, keys, keys)[1] for q in queries.split(1, 1)], 1)
count_again = len(calls)
prepared = module.prepare(keys)
once = torch.cat([module(q, keys, keys, prepared=prepared)[1] for q in queries.split(1, 1)], 1)
print("projections of the keys:", count_again, "or", len(calls) - count_again)
print("same weights:", torch.allclose(again, once))

# %% [markdown] id="cost-read"
# A note concludes that attention is "more efficient" because it uses every encoder state. It has
# more *capacity*; it is not cheaper. Each of $T$ target words scores each of $S$ source words, so
# there are $T \times S$ scores where a decoder without attention computes none. Sentences twice as
# long need four times as many. Bahdanau et al. name it as a drawback themselves.

# %% id="cost"
for length in (10, 20, 40, 80):
    queries, keys = torch.zeros(1, length, 5), torch.zeros(1, length, 8)
    print(
        f"{length:2} words → {length:2} words: {module(queries, keys, keys)[1].numel():5,} scores"
    )

# %% [markdown] id="s0-text"
# ### The first state
#
# Bahdanau's decoder starts from $s_0 = \tanh(W_s \overleftarrow{h}_1)$: the *backward* state at the
# *first* word, which has just read the whole sentence from its end. In a padded batch it is easy to
# take the wrong corner.

# %% [markdown] id="ex-first-state-text"
# ### Exercise 5.6 · Where the backward reading ends
# *Core, 8 minutes.* `states` (B, S, 2H) holds $[\overrightarrow{h}_j ; \overleftarrow{h}_j]$ of a
# padded batch, `weight` $W_s$ is (D, H). Return $s_0 = \tanh(W_s \overleftarrow{h}_1)$, of shape
# (B, D).
#
# <details><summary>Hint 1</summary>Which half of the last dimension is backward?</details>
# <details><summary>Hint 2</summary>Reading from right to left, which position comes last?</details>
# <details><summary>Hint 3</summary>`states[:, 0]` is (B, 2H); its right half is (B, H).</details>


# %% id="ex-first-state" tags=["exercise"]
@exercise
def first_state(states, weight):
    """s_0 = tanh(W_s ←h_1). states (B, S, 2H) = [→h_j ; ←h_j], weight (D, H) → (B, D)."""
    ### BEGIN SOLUTION
    backward = states[:, 0].chunk(2, dim=-1)[1]  # (B, H)
    return torch.tanh(backward @ weight.T)
    ### END SOLUTION


# %% [markdown] id="f-text"
# ### The state: a GRU that reads word and context
#
# $f$ is a gated recurrent unit (chapter 2). The context enters beside the embedding of the previous
# word, $s_t = \mathrm{GRU}([E y_{t-1} ; c_t],\, s_{t-1})$, and so reaches every gate. The note
# says "concatenate $s_{t-1}$ with the context, then run the decoder": the context is
# concatenated with the *input*, $s_{t-1}$ is the recurrent state, and the previous word
# $y_{t-1}$ is missing from its sentence. (The GRU of torch and that of the paper differ in two
# details: where the reset gate multiplies, and which way round the update gate counts. Chapter 2.)

# %% [markdown] id="ex-bahdanau-step-text"
# ### Exercise 5.7 · One step of Bahdanau's decoder
# *Core, 12 minutes.* `attend(query, keys, values, mask)` returns (context, weights), where query is
# (B, 1, Hd), context (B, 1, He) and weights (B, 1, S). `cell(inputs, state)` returns the next state
# (B, Hd) from inputs (B, E + He). Return the new state and the weights.
#
# <details><summary>Hint 1</summary>Which state exists *before* the step?</details>
# <details><summary>Hint 2</summary>`state.unsqueeze(1)` makes (B, 1, Hd) of (B, Hd);
# `context.squeeze(1)` goes the other way.</details>
# <details><summary>Hint 3</summary>attend, concatenate word and context, cell. The word comes
# first.</details>


# %% id="ex-bahdanau-step" tags=["exercise"]
@exercise
def bahdanau_step(word, state, keys, mask, attend, cell):
    """word E y_{t−1} (B, E), state s_{t−1} (B, Hd), keys (B, S, He) → (s_t (B, Hd), weights)."""
    ### BEGIN SOLUTION
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    inputs = torch.cat([word, context.squeeze(1)], dim=-1)  # (B, E + He)
    return cell(inputs, state), weights
    ### END SOLUTION


# %% [markdown] id="g-text"
# ### The deep output $g$
#
# The word is predicted from all three, $\tilde t_t = U_o s_t + V_o E y_{t-1} + C_o c_t$, of which
# neighbouring pairs keep the larger number (**maxout**), and a softmax layer follows. (The paper
# is of two minds: its Eq. (4) has $s_t$ here, its appendix A.2.2 writes $s_{t-1}$. The library
# follows Eq. (4).)
#
# Everything together, against the library's decoder with the same weights:

# %% id="finished"
library = BahdanauDecoder(nn.Embedding(9, 6), memory_size=8, hidden_size=5, output_size=4)
keys, mask = torch.randn(2, 4, 8, generator=generator), lengths_to_mask(torch.tensor([4, 2]))
memory = Memory(keys, library.prepare(keys), mask, keys[:, 0])
state, tokens = library.start(memory), torch.tensor([[7], [8]])
features, new, weights = library.step(tokens, memory, state)

# %% id="finished-scratch"
cell = GRUCell(6 + 8, 5)
cell.load_state_dict({name[:-3]: p for name, p in library.rnn.named_parameters()})
W, U, v = (
    library.attention.from_query.weight,
    library.attention.from_key.weight,
    library.attention.v,
)


def attend(query, keys, values, mask):
    alpha = safe_softmax(additive_score(query, keys, W, U, v), mask.unsqueeze(1))
    return weighted_sum(alpha, values), alpha


# %% id="finished-agree"
word, s_0 = library.embed(tokens[:, 0]), state["hidden"][:, 0]
s_1, alpha = bahdanau_step(word, s_0, keys, mask, attend, cell)
c_1, _ = attend(s_0.unsqueeze(1), keys, keys, mask)
deep = library.head(torch.cat([s_1, word, c_1.squeeze(1)], dim=-1))  # [U_o V_o C_o]
maxout = deep.unflatten(-1, (-1, 2)).amax(-1)  # the larger of each pair
torch.testing.assert_close(alpha, weights)
torch.testing.assert_close(s_1, new["hidden"][:, 0])
torch.testing.assert_close(maxout, features[:, 0])
print("weights, state and output agree: the post is finished")

# %% [markdown] id="side-text"
# ## Bahdanau beside Luong
#
# Both decoders attend; they do it at different moments, and most confusion about "the" attention
# comes from mixing them. A note, for example, scores with $s_t$ *and* lets the new value take part
# in computing the state of the same step: with $s_t$ as the query, the recurrent step is already
# over.
#
# | | [Bahdanau et al. 2015](D_papers.ipynb#cell-id=bahdanau-2015) | [Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015) |
# |---|---|---|
# | query | $s_{t-1}$ | $s_t$ |
# | order | attend → recurrent step → predict | recurrent step → attend → predict |
# | context enters | the recurrent step, and the output | only $\tilde s_t$, so only the output |
# | state | $s_t = f([E y_{t-1} ; c_t], s_{t-1})$ | $s_t = f(E y_{t-1}, s_{t-1})$ |
# | predicts | $s_t$, $E y_{t-1}$, $c_t$ | $\tilde s_t = \tanh(W_c [c_t ; s_t])$ |
# | all steps at once in training? | no, each waits for the last | yes, without input feeding |
#
# **Input feeding** (Luong's §3.3) hands $\tilde s_{t-1}$ to the next recurrent step as well, so
# that the model knows where it looked. Only then is $\tilde s$ fed back; without it the
# recurrent state never sees the context.
#
# The two as a drawing, made from the tensors of the step that we have just taken: shapes and line
# widths are live.


# %% id="draw-tools"
def box(ax, x, y, text, colour):
    style = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": colour}
    ax.text(x, y, text, ha="center", va="center", fontsize=10.5, bbox=style, zorder=3)


def arrow(ax, start, end, number="", width=1.5, room=22):
    line = {"arrowstyle": "-|>", "linewidth": width, "color": "#444444", "shrinkA": 16}
    ax.annotate("", end, start, arrowprops=line | {"shrinkB": room}, zorder=1)
    if number:
        x, y = ((a + b) / 2 for a, b in zip(start, end))
        circle = {"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": "#D55E00"}
        ax.text(x, y, number, ha="center", va="center", color="#A04000", bbox=circle, zorder=4)


# %% id="draw-plan" tags=["hide-input"]
blue, green, pink = figures.PALETTE[0], figures.PALETTE[2], figures.PALETTE[3]
old, new_state, context_at = (0, 2.9), (4, 2.9), (2, 1.4)
word_at, out = (4, 4.5), (6.2, 1.4)
columns = [0.2, 1.4, 2.6, 3.8]  # of the encoder states
PLANS = {  # arrows in the order of time; the first goes from the query
    "Bahdanau: attend, then step": [
        (old, context_at, "1"),
        (context_at, new_state, "2"),
        (old, new_state, ""),
        (word_at, new_state, ""),
        (new_state, out, "3"),
        (context_at, out, ""),
    ],
    "Luong: step, then attend": [
        (old, new_state, "1"),
        (word_at, new_state, ""),
        (new_state, context_at, "2"),
        (context_at, out, "3"),
        (new_state, out, ""),
    ],
}

# %% id="draw" tags=["hide-input"]
fig, axes = plt.subplots(2, 1, figsize=(8, 8.6))
for ax, (title, arrows) in zip(axes, PLANS.items()):
    for j, x in enumerate(columns):
        arrow(ax, (x, 0), context_at, width=0.5 + 8 * float(weights[1, 0, j].detach()))
        box(ax, x, 0, f"$h_{j + 1}$", blue)
    for start, end, number in arrows:
        arrow(ax, start, end, number, room=50 if end == out else 22)
    box(ax, *old, f"$s_{{t-1}}$\n{tuple(s_0.shape)}", green)
    box(ax, *new_state, f"$s_t$\n{tuple(s_1.shape)}", green)
    box(ax, *word_at, f"word $y_{{t-1}}$\n{tuple(word.shape)}", "#777777")
    box(ax, *context_at, f"$c_t$\n{tuple(c_1.squeeze(1).shape)}", pink)
    box(ax, *out, "deep output" if "Bah" in title else r"$\tilde{s}_t$, then softmax", "#000000")
    ax.set(title=title, xlim=(-0.9, 7.4), ylim=(-0.5, 5))
    ax.axis("off")
fig.supxlabel(f"$h_j$: encoder states {tuple(keys.shape)}, two of them padding; width = weight")
plt.show()

# %% [markdown] id="draw-alt"
# <details><summary>The figure in words</summary>
#
# Two diagrams. In both, four encoder states at the bottom send arrows to the context vector, two
# thick ones and two hair-thin ones (padding). Above, Bahdanau: arrow 1 from the old state to the
# context, arrow 2 from the context to the new state, arrow 3 from there to the output. Below,
# Luong: arrow 1 from the old state to the new state, arrow 2 from the new state to the context,
# arrow 3 from the context to the output; nothing leads from the context to the state.
#
# </details>

# %% [markdown] id="perturb-text"
# ### Told apart from outside
#
# The table can be tested without reading any code. Change one input, hold the rest, and watch.
#
# **Predict.** Fill in six answers: for Bahdanau, Luong, and Luong with input feeding, does
# $\alpha_t$ change with the previous word $y_{t-1}$? Does $s_t$ change with a key $h_j$?


# %% id="perturb"
def answers(decoder):
    """Whether α_t depends on y_{t-1}, s_t on h_j, and s_{t+1} on h_j."""
    first = Memory(keys, decoder.prepare(keys), mask, keys[:, 0])
    second = first._replace(states=keys + 1, prepared=decoder.prepare(keys + 1))
    start = decoder.start(first)
    _, s_t, alpha = decoder.step(tokens, first, start)
    _, _, alpha_word = decoder.step(tokens - 1, first, start)
    _, s_key, _ = decoder.step(tokens, second, start)
    after, after_key = (decoder.step(tokens, first, state)[1] for state in (s_t, s_key))
    pairs = [(alpha, alpha_word)]
    pairs += [(a["hidden"], b["hidden"]) for a, b in ((s_t, s_key), (after, after_key))]
    return ["no " if torch.equal(a, b) else "yes" for a, b in pairs]


# %% id="perturb-table"
sizes = {"memory_size": 8, "hidden_size": 5, "output_size": 4, "cell": "gru"}
decoders = {
    "Bahdanau": BahdanauDecoder(nn.Embedding(9, 6), **sizes),
    "Luong": LuongDecoder(nn.Embedding(9, 6), **sizes),
    "Luong, input feeding": LuongDecoder(nn.Embedding(9, 6), input_feeding=True, **sizes),
}
print(f"{'':22}α_t on y_t-1   s_t on h_j   s_t+1 on h_j")
for name, decoder in decoders.items():
    print(f"{name:22}{'            '.join(answers(decoder))}")

# %% [markdown] id="perturb-read"
# Bahdanau: the weights are chosen before the last word is read, and the state feels the keys.
# Luong: the other way round, on both counts. With input feeding the keys reach the state one step
# later. Three models, three fingerprints.

# %% [markdown] id="ex-which-decoder-text"
# ### Exercise 5.8 · Which decoder is it?
# *Hard, 15 minutes.* You get a decoder as a black box: `step(word, state, keys)` returns
# `(new_state, weights)`. Return `"bahdanau"` if it attends before the recurrent step and feeds the
# context to it, `"luong"` if it attends with the new state and keeps the context out of it, and
# `"another"` if it does neither of the two.
#
# <details><summary>Hint 1</summary>Two questions: do the weights depend on the word? Does the new
# state depend on the keys?</details>
# <details><summary>Hint 2</summary>There are four pairs of answers. Two have a name.</details>
# <details><summary>Hint 3</summary>Call `step` three times: as it is, with `word + 1`, and with
# `keys + 1`. Do not change the arguments in place.</details>


# %% id="ex-which-decoder" tags=["exercise"]
@exercise
def which_decoder(step, word, state, keys):
    """ "bahdanau", "luong" or "another". step(word (E,), state (H,), keys (S, He)) → (s_t, α_t)."""
    ### BEGIN SOLUTION
    new, weights = step(word, state, keys)
    _, weights_of_word = step(word + 1, state, keys)
    new_of_keys, _ = step(word, state, keys + 1)
    word_moves_weights = not torch.allclose(weights, weights_of_word)
    keys_move_state = not torch.allclose(new, new_of_keys)
    if keys_move_state and not word_moves_weights:
        return "bahdanau"
    if word_moves_weights and not keys_move_state:
        return "luong"
    return "another"
    ### END SOLUTION


# %% [markdown] id="shared-text"
# ### One module for all steps
#
# The attention module has no weights of its own for step 1, 2, 3: the same few matrices serve every
# step and every length.

# %% id="shared"
module = decoders["Bahdanau"].attention
for steps in (1, 5, 50):
    _, looks = module(torch.zeros(2, steps, 5), keys, keys, mask)
    size = sum(parameter.numel() for parameter in module.parameters())
    print(f"{steps:2} steps: weights {tuple(looks.shape)}, parameters {size}")

# %% [markdown] id="gradient-text"
# ## The gradient's shortcut
#
# Attention was invented for information that has to get *forward* from $h_j$ to step $t$. The
# gradient travels the same roads backward, and now there are two: the **chain** (from $s_t$ through
# every decoder step to the last encoder state and on through every encoder step) and the
# **shortcut** (from $c_t$ straight to each $h_j$, as strong as $\alpha_{tj}$). To see each alone,
# cut the other: `detach()` passes a tensor on and stops the gradient.

# %% [markdown] id="ex-gradients-by-path-text"
# ### Exercise 5.9 · One road at a time
# *Hard, 15 minutes.* `encode(x)` gives states (S, H) of an input x (S, E). `decode(keys, last)`
# gives a number, the loss, from all states (S, H) and the last state (H,). Normally the loss is
# `decode(states, states[-1])`. Return two gradients of the loss with respect to x, both (S, E):
# the one that flows only through the keys, and the one that flows only through the last state.
#
# <details><summary>Hint 1</summary>`torch.autograd.grad(loss, x)[0]` is the gradient, once x is a
# tensor that requires one: `x = x.detach().requires_grad_()`.</details>
# <details><summary>Hint 2</summary>Build the loss twice. The first time detach the last state, the
# second time the keys.</details>
# <details><summary>Hint 3</summary>The two must add up to the gradient with nothing
# detached.</details>


# %% id="ex-gradients-by-path" tags=["exercise"]
@exercise
def gradients_by_path(encode, decode, x):
    """(gradient through the keys, gradient through the last state), both like x (S, E)."""
    ### BEGIN SOLUTION
    x = x.detach().requires_grad_()
    states = encode(x)
    through_keys = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    states = encode(x)
    through_last = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return through_keys, through_last
    ### END SOLUTION


# %% [markdown] id="reach-text"
# The experiment: an LSTM encoder at torch's usual start reads 40 words left to right, an LSTM
# decoder writes; the loss is taken at its fifth step. How large is the gradient at each source
# word? Five random networks.
#
# **Predict.** Word 1 against word 40: equal, ten times smaller, a million times smaller? On each
# road?


# %% id="reach"
def reach(seed, size=32, length=40):
    """Gradient norms (2, S) at every source word: through the keys, through the last state."""
    torch.manual_seed(seed)
    reader, writer = nn.LSTM(size, size), nn.LSTM(size, size)
    words, join = torch.randn(5, size), nn.Linear(2 * size, size)

    def decode(keys, last):
        hidden, _ = writer(words, (last.unsqueeze(0), torch.zeros(1, size)))
        context = DotAttention(size, size)(hidden[-1].view(1, 1, size), keys[None], keys[None])[0]
        return torch.tanh(join(torch.cat([context[0, 0], hidden[-1]]))).sum()

    roads = gradients_by_path(lambda x: reader(x)[0], decode, torch.randn(length, size))
    return torch.stack([road.norm(dim=-1) for road in roads])


# %% id="reach-figure"
norms = torch.stack([reach(seed) for seed in range(5)])  # (5 networks, 2 roads, 40 words)
curves = {"shortcut: keys and values": norms[:, 0], "chain: last state only": norms[:, 1]}
ax = learning_curves(
    range(1, 41),
    curves,
    title="Gradient that reaches each source word (5 networks, mean and range)",
    xlabel="source position j (words)",
    ylabel="gradient norm",
    log=True,
)
plt.show()

# %% [markdown] id="reach-alt"
# <details><summary>The figure in words</summary>
#
# Gradient norm on a logarithmic axis against source position 1 to 40. Through the keys it is nearly
# level from the first word to the last. Through the last state it falls along a straight line
# toward the first word, over about eight powers of ten.
#
# </details>

# %% id="reach-numbers"
first, last = norms.mean(0)[:, 0], norms.mean(0)[:, 39]  # word 1, word 40
print("chain, word 1 less than a millionth of word 40:   ", bool(first[1] < 1e-6 * last[1]))
print("shortcut, word 1 within a factor 4 of word 40:    ", bool(0.25 < first[0] / last[0] < 4))
print("word 40 itself: the shortcut is the larger part:  ", bool(last[0] > last[1]))

# %% [markdown] id="reach-read"
# A decoder without attention has the orange road alone: at this start, word 1 teaches it nothing.
# (An LSTM is not immune to vanishing gradients; with its forget gates open it does far better, see
# chapter 2.) With attention every word is reached about equally.
#
# The notes say that through the shortcut "no time step is passed at all". Almost: it ends at $h_j$,
# and $h_j$ is itself the state of a recurrent network. Word $k$ reaches $h_j$ only along the chain
# of the encoder:

# %% id="local"
torch.manual_seed(0)
reader, x = nn.LSTM(32, 32), torch.randn(40, 32, requires_grad=True)
to_last = torch.autograd.grad(reader(x)[0][29].sum(), x)[0].norm(dim=-1)  # of h_30
for distance in (0, 1, 5, 10, 20):
    ratio = (to_last[29 - distance] / to_last[29]).item()
    print(f"word {30 - distance:2}: at least a tenth of the gradient of word 30: {ratio >= 0.1}")

# %% [markdown] id="local-read"
# Each $h_j$ is mostly about its own neighbourhood. The shortcut is short because it goes to the
# *right place*, not because recurrence has gone. (Chapter 11 removes it.)

# %% [markdown] id="train-text"
# ## A translator with attention, and one without
#
# Now the real thing: Korean to English, sentences of 4 to 50 tokens from the book's own corpus,
# which knows for every pair which word stands for which. Korean puts the verb last, English puts it
# second, so only in a sentence of two or three words is the right alignment the diagonal.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
pair = next(p for p in corpus.test if p.tgt == "Minsu bought four bananas at the store.")
print(f"{len(ids):,} pairs to learn from, {len(corpus.test)} to test on")
print(pair.src, "=", pair.tgt)
print(" ".join(korean.tokenize(pair.src)))

# %% [markdown] id="models-text"
# Two models, alike in everything but the decoder: the same encoder, the same batches, as many
# updates, and parameters within 5 %. The one without attention gets the last states at the start
# *and* beside every input word ([Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a)), which is the
# kindest form of the bottleneck. The one with attention is Luong's with the dot score. Keys and
# values are $h_j + W x_j$, the encoder state plus a projection of the word itself; why, we shall
# see.


# %% id="models"
def make_model(kind, width, **options):
    """The same encoder for all; the decoder's kind and the width of its state differ."""
    source, target = nn.Embedding(len(korean), 128), nn.Embedding(len(english), 128)
    for table in (source, target):
        nn.init.normal_(table.weight, std=128**-0.5)
    encoder = Encoder(source, 128, dropout=0.2, source_in_memory=True)
    decoder = kind(target, 128, width, 128, cell="lstm", dropout=0.2, **options)
    output = nn.Linear(128, len(english))
    nn.init.zeros_(output.bias)
    output.weight = target.weight  # the row that predicts a word is the row that embeds it
    return Seq2Seq(encoder, decoder, output)


# %% id="recipe"
updates = budget(1000, slow=450)
recipe = Recipe(
    updates=updates, warmup=updates // 4, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=updates, precision="fp32", seed=1,
)  # fmt: skip
kinds = {
    "with attention": (LuongDecoder, 128, {"attention": "dot"}),
    "without": (PlainDecoder, 116, {"every_step": True}),
}

# %% [markdown] id="train-wait"
# Both trainings together take about half a minute, with AVX-512 or, at fewer updates, without.

# %% id="train" tags=["nbval-ignore-output"]
translators = {}
for name, (kind, width, options) in kinds.items():
    seed_everything(1)
    model = make_model(kind, width, **options)
    batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=1)
    fit(model, batches, recipe)
    translators[name] = Translator(model, korean, english)

# %% id="parameters"
counts = {
    name: sum(p.numel() for p in translator.model.parameters() if p.grad is not None)
    for name, translator in translators.items()
}
for name, count in counts.items():
    print(f"{name:14}: {count:,} parameters that learn")
assert abs(counts["without"] / counts["with attention"] - 1) < 0.05

# %% [markdown] id="length-text"
# ### Quality by length
#
# The test split has 100 sentences in each of five ranges of length. BLEU (chapter 9) goes from 0 to
# 100. The text of the record says what three seeds of each model gave
# (`benchmarks/attention_chapter.py`); seed 1 is what was just trained. They had 1,000 updates. With
# fewer, on a processor without AVX-512, both models stop earlier, and lower.
#
# **Predict.** Draw the two lines before you run the cell.

# %% id="length"
record = bundled_directory().parent / "runs" / "05_attention.json"
record = json.loads(record.read_text(encoding="utf-8"))
buckets = [tuple(bucket) for bucket in record["buckets"]]
lengths = [len(korean.encode(pair.src)) for pair in corpus.test]
chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in buckets]


def recorded(variant, what="bleu"):
    """One row a seed."""
    return torch.tensor([run[what] for run in record["runs"] if run["variant"] == variant])


def by_length(translator):
    texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam=1)]
    return [
        corpus_bleu([texts[i] for i in rows], [corpus.test[i].tgt for i in rows]).score
        for rows in chosen
    ]


# %% id="length-check"
live = {name: by_length(translator) for name, translator in translators.items()}
print("source tokens ", *[f"{low:>3}-{high:<2}" for low, high in buckets])
for name, variant in (("with attention", "luong"), ("without", "none")):
    same_seed = recorded(variant)[0].tolist()
    less = 35 if name == "with attention" else 65  # the record had 1,000 updates
    behind = 10 if updates == 1000 else less
    scores = [about(x, was - behind, was + 10, "5.1f") for x, was in zip(live[name], same_seed)]
    print(f"{name:14}", *scores)
assert min(live["with attention"]) > max(live["without"]) and live["without"][-1] < 35

# %% id="length-figure" tags=["hide-input"]
variants = {
    "with attention": "luong",
    "without": "none",
    "without, 3 × the updates": "none-longer",
    "with, trained on ≤ 20 tokens": "short",
}
scores = {label: recorded(variant) for label, variant in variants.items()}  # (3 seeds, 5 ranges)
ends = {k: torch.stack([v.min(0).values, v.max(0).values], 1) for k, v in scores.items()}
means = {label: runs.mean(0) for label, runs in scores.items()}
title = "BLEU by length: recorded runs, mean and range of three seeds"
ax = bleu_by_length(buckets, means, intervals=ends, title=title)
circle = {"s": 110, "facecolors": "none", "edgecolors": "black", "zorder": 5}
ax.scatter(range(5), live["with attention"], label="just trained", **circle)
ax.scatter(range(5), live["without"], **circle)
ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
plt.show()

# %% [markdown] id="length-alt"
# <details><summary>The figure in words</summary>
#
# BLEU in five ranges of source length. With attention the line stays above 90 from 4 to 50 tokens.
# Without, it begins near 70 and falls steeply to about 20. Trained three times as long without
# attention, it begins near 100 and still falls to about 40. Trained on short sentences only, the
# model with attention is good up to 20 tokens and falls steeply beyond. Open circles of the live
# runs lie on the first two lines (below them after fewer updates).
#
# </details>

# %% id="length-recorded"
print("recorded, mean of three seeds    shortest range   longest range")
for label, mean in means.items():
    print(f"  {label:30}{mean[0]:10.0f}{mean[-1]:16.0f}")

# %% [markdown] id="length-read"
# Read it in three steps.
#
# 1. *At the same budget* the model without attention is behind everywhere: it learns more slowly.
#    That alone proves no bottleneck.
# 2. *Given three times the updates* it translates short sentences as well as anybody, and still
#    loses more than half of its BLEU on the long ones. That is what a bottleneck looks like. (More
#    training narrows the gap; how far a larger vector does is a question for chapter 3.)
# 3. The model with attention is level, **inside the lengths it was trained on**. Trained on at most
#   20 tokens, it falls steeply beyond them, in the end below the model without attention that was
#   trained for longer. The notes' graph ("quality does not drop for long sentences") and Bahdanau's
#   Fig. 2 show the level part; in that same figure the model trained on at most 30 words does fall
#   after 30. [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) met it at 60 and more
#   subwords.

# %% [markdown] id="same-text"
# ### The same sentence, with attention and without
#
# One long sentence of the test split.
#
# **Predict.** What will the model without attention lose: the grammar or the facts?

# %% id="same"
number = next(i for i in chosen[3] if lengths[i] < 34)
source, reference = corpus.test[number].src, corpus.test[number].tgt
texts = {name: t.translate(source, beam=1).text for name, t in translators.items()}
fig, ax = plt.subplots(figsize=(9, 3.3))
ax.axis("off")
ax.set_title("One sentence, two decoders")
for row, (name, text) in enumerate({"source": source, "reference": reference, **texts}.items()):
    ax.text(0, 0.95 - 0.26 * row, name, va="top", color="#555555")
    ax.text(0.18, 0.95 - 0.26 * row, "\n".join(wrap(text, 60)), va="top", parse_math=False)
plt.show()

# %% [markdown] id="same-alt"
# <details><summary>The figure in words</summary>
#
# Four texts: a Korean sentence of three clauses, its English reference, the translation with
# attention, which has the same people, things and places, and the translation without attention,
# which is fluent English about other people, things or places.
#
# </details>

# %% id="same-check"
for name, (low, high) in {"with attention": (0.8, 1), "without": (0, 0.9)}.items():
    got, gold = texts[name].split(), set(reference.split())
    share = sum(word in got for word in gold) / len(gold)
    print(f"{name:14}: {about(share, low, high, '.0%')} of the reference's words")

# %% [markdown] id="same-read"
# Both write good English: the decoder is a language model. What the model without attention loses
# is *who, what and where*. It has kept the kind of sentence, clauses joined by *and* and *but*, and
# forgotten the details. (One sentence, one run: an illustration, not a measurement.)

# %% [markdown] id="third-text"
# ## What the weights show
#
# First a single step. The decoder has read two words of the translation and is about to write the
# third; the bars are its $\alpha_{3j}$.

# %% id="third"
seen = translators["with attention"].translate(pair.src, beam=1)
gloss = ["Minsu", "(topic)", "store", "at", "banana", "four", "(counter)", "(object)", "bought"]
gloss += ["(polite)", "", "(end)"]
labels = [f"{token}\n{word}" for token, word in zip(seen.src_tokens, gloss)]

# %% id="third-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(9, 3.2))
ax.bar(range(len(labels)), seen.weights[2], color=figures.PALETTE[0])
ax.set_xticks(range(len(labels)), labels, parse_math=False)
ax.set(
    title=f"Step 3: about to write “{seen.tgt_tokens[2]}”",
    xlabel="source token j",
    ylabel="weight (0 to 1)",
    ylim=(0, 1),
)
plt.show()

# %% [markdown] id="third-alt"
# <details><summary>The figure in words</summary>
#
# Bar chart of twelve source tokens with English glosses. One bar, that of 네 (four), is much
# higher than all others.
#
# </details>

# %% [markdown] id="heat-text"
# One row of bars for every step makes the **heat map**: target words down, source words along the
# top, each row sums to 1. The outlined cells are the corpus's gold links.
#
# **Predict.** The Korean order is *Minsu – store – at – banana – four – bought*. In which column
# lies the bright cell of *bought*, the second row?


# %% id="heat"
def forced(translator, pair):
    """α (T, S) while the model reads the reference; the end of the sentence left out."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    with torch.no_grad():
        _, weights = translator.model(batch.src, batch.src_mask, batch.tgt_in)
    return weights[0, : len(tgt), : len(src)]


ax = figures.attention_heatmap(
    forced(translators["with attention"], pair),
    labels[:-1],
    english.tokenize(pair.tgt),
    gold=pair.links,
    title="Attention, and the gold links",
)
plt.show()

# %% [markdown] id="heat-alt"
# <details><summary>The figure in words</summary>
#
# Heat map with Korean tokens along the top and English words down the side. Nearly every outlined
# sure link is the brightest cell of its row; the verb's row has it far to the right, the rows of
# the place to the left.
#
# </details>

# %% [markdown] id="aer-text"
# ### Is it alignment? A number
#
# Take from each row the brightest cell: those are the links found, $A$. Gold links are of two
# kinds, *sure* ($S$) and *possible* ($P \supseteq S$: articles, particles). The **alignment error
# rate** ([Och and Ney 2003](D_papers.ipynb#cell-id=och-2003)) punishes a sure link that is missing
# and a link that is not even possible:
#
# $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

# %% [markdown] id="ex-error-rate-text"
# ### Exercise 5.10 · Alignment error rate
# *Core, 6 minutes.* All three arguments are sets of pairs (j, t).
#
# <details><summary>Hint 1</summary>`a & b` is the intersection of two sets, `len` counts.</details>
# <details><summary>Hint 2</summary>A link in S is in P as well, so a sure link that is found counts
# twice above, and twice below.</details>
# <details><summary>Hint 3</summary>P stands above the line only.</details>


# %% id="ex-error-rate" tags=["exercise"]
@exercise
def error_rate(found, sure, possible):
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of three sets of links (j, t)."""
    ### BEGIN SOLUTION
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))
    ### END SOLUTION


# %% id="aer"
gold = [p.links for p in corpus.test]
looks = [forced(translators["with attention"], p) for p in corpus.test]
found = [links_from_weights(weights) for weights in looks]
torch.testing.assert_close(error_rate(found[0], *gold[0]), aer(found[0], gold[0]))
rate, diagonal = aer(found, gold), aer([{(t, t) for _, t in links} for links in found], gold)
print("AER of attention:         ", about(rate, 0.0, 0.2))
print("recorded, the same seed:   ", f"{recorded('luong', 'aer')[0]:.2f}")
print("AER of the diagonal:      ", about(diagonal, 0.6, 0.9))
print("best shift of the rows:    ", best_shift(looks, gold))

# %% [markdown] id="aer-read"
# Nobody showed the model a single link. Alignment came by itself, as a by-product of translating;
# so far the notes are right. A test that many skip: would the map be *better* if every row were
# read one word up or down? Luong's footnote 14 warns that a content-based score may align the word
# that was just *read* instead of the one to be written. Here the best shift is 0.

# %% [markdown] id="same-but-text"
# ### Good translators, better and worse maps
#
# Recorded runs, three seeds each: BLEU beside AER.
#
# **Predict.** Is the best translator the one with the best map?

# %% id="alignment-record" tags=["hide-input"]
names = {"luong": "Luong, dot", "general": "Luong, general", "bahdanau": "Bahdanau"}
names |= {"no-dropout": "dot, no dropout", "states-only": "dot, $h_j$ without $W x_j$"}
names |= {"general-states-only": "general, $h_j$ without $W x_j$"}
fig, ax = plt.subplots(figsize=(8, 4))
for n, (variant, label) in enumerate(names.items()):
    look = {"label": label, "color": figures.PALETTE[n], "marker": "osD^vP"[n], "s": 70}
    ax.scatter(recorded(variant).mean(1), recorded(variant, "aer"), **look)
ax.set_title("Translation against alignment (recorded runs, a point a seed)")
ax.set(xlabel="BLEU (mean of the five ranges)", ylabel="alignment error rate (0 to 1)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="alignment-record-alt"
# <details><summary>The figure in words</summary>
#
# Scatter plot of six kinds of model, three seeds each: mean BLEU from about 90 to 100 on the
# horizontal axis, alignment error rate from near 0 to about 0.3 on the vertical. The points fall
# from upper left to lower right, loosely; the general score without the word in the keys lies
# highest, the dot score lowest.
#
# </details>

# %% id="alignment-numbers"
print("recorded             mean BLEU  AER of the three seeds")
for variant in names:
    rates = sorted(round(rate, 2) for rate in recorded(variant, "aer").tolist())
    print(f"{variant:20}{recorded(variant).mean():9.0f}       {rates}")

# %% [markdown] id="alignment-read"
# Good translations and good maps go together here, but loosely: Bahdanau's decoder translates about
# as well as Luong's with the dot score and has more than twice the error rate, and one and the same
# model can have quite different maps from seed to seed. Taking $W x_j$ away makes the map worse on
# average, with either score. The reason lies in equation (7): a state of a bidirectional encoder
# knows its neighbours, so the decoder may as well fetch a word's meaning from *beside* it. With
# $h_j + W x_j$ the word itself is only to be had at its own position. [Koehn and Knowles
# (2017)](D_papers.ipynb#cell-id=koehn-2017) saw the extreme in a German–English system: good
# translations, every point of the map off by one. So: attention *often* is an alignment. It does
# not have to be.
#
# How much of word $k$ is in $h_j$? Exchange a word and look at its neighbours.

# %% id="neighbours"
model = translators["with attention"].model.eval()
src, mask = pad([x for x in (korean.encode(p.src) for p in corpus.test) if len(x) == 20])
touched = src.clone()
touched[:, 10] = korean.encode("바나나")[0]  # banana
with torch.no_grad():
    one, other = model.encoder(src, mask)[0], model.encoder(touched, mask)[0]
change = (one - other).norm(dim=-1) / one.norm(dim=-1)  # (sentences, 20)
change = change[src[:, 10] != touched[:, 10]].mean(0)

# %% id="neighbours-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.2))
ax.bar(range(1, 21), change, color=figures.PALETTE[0])
ax.bar(11, change[10], color=figures.PALETTE[1], hatch="//")
ax.set_title("Token 11 is exchanged: how much does each state change?")
ax.set(xlabel="source position j (tokens)", ylabel="relative change (1 = its length)")
ax.set_xticks(range(1, 21))
plt.show()

# %% [markdown] id="neighbours-alt"
# <details><summary>The figure in words</summary>
#
# Bar chart over 20 source positions. The bar at position 11, hatched orange, is by far the highest,
# above 1. Its neighbours on both sides have bars of a tenth to a fifth of it, and they shrink with
# distance.
#
# </details>

# %% [markdown] id="neighbours-read"
# "Looks at word 11" really means "takes the state at position 11", and that state is a mixture.

# %% [markdown] id="cause-text"
# ### Does a high weight mean that the word mattered?
#
# A direct test of cause: replace source word $j$ by the unknown word and see how far
# $\log p(y_t)$ falls. Compare with $\alpha_{tj}$.
#
# **Predict.** Rank the source words of a target word by weight and by effect. Will the winner be
# the same word: nearly always, about half of the time, rarely?


# %% id="cause"
@torch.no_grad()
def effects(pair):
    """How much log p(y_t) falls (T, S) when source token j is replaced by the unknown word."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    damaged = [src] + [[UNK if k == j else x for k, x in enumerate(src)] for j in range(len(src))]
    batch = make_batch(damaged, [tgt] * len(damaged))
    logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
    log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)[:, : len(tgt)]
    return (log_p[0] - log_p[1:]).T


some = [p for p in corpus.test if len(korean.encode(p.src)) <= 10][:60]
pairs = [(forced(translators["with attention"], p), effects(p)) for p in some]
content = [sorted({t for _, t in p.links.sure}) for p in some]  # target words with a sure link

# %% id="cause-numbers"
every = torch.cat([torch.stack([a.flatten(), e.flatten()]) for a, e in pairs], 1)
rows = [(a[t], e[t]) for (a, e), words in zip(pairs, content) for t in words]
same = sum(int(a.argmax() == e.argmax()) for a, e in rows) / len(rows)
ranks = every.argsort(1).argsort(1).double()
rho = torch.corrcoef(ranks)[0, 1].item()
idle = (every[1][every[0] > 0.5] < 0.1).double().mean().item()
print(f"words with a sure link: largest weight = largest effect in more than 80 %: {same > 0.8}")
print(f"rank correlation over all cells between 0.2 and 0.8: {0.2 < rho < 0.8}")
print(f"weights above 0.5 whose word hardly matters (< 0.1 nats): more than 10 %: {idle > 0.1}")

# %% id="cause-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
ax.scatter(every[0], every[1], s=10, alpha=0.4, color=figures.PALETTE[0])
ax.axhline(0, color="#444444", linewidth=1)
ax.set(
    title=f"Weight against effect, {every.shape[1]:,} cells (rank correlation {rho:.2f})",
    xlabel="weight (0 to 1)",
    ylabel="fall of log p when the word is removed (nats)",
)
plt.show()

# %% [markdown] id="cause-alt"
# <details><summary>The figure in words</summary>
#
# Scatter plot of weight against effect. Most cells lie at weight near 0 and effect near 0. Large
# effects occur nearly only at weights near 1, but at weights near 1 there are effects of all sizes
# down to 0.
#
# </details>

# %% [markdown] id="cause-read"
# For words that have a gold link the heaviest source word is nearly always the one whose loss hurts
# most: here the weights do tell what mattered. But look at the right edge of the picture. More than
# a tenth of the weights above one half lie on words that could as well be missing. Most belong to
# articles, question marks and the like, which the decoder knows from its own state; a row *must*
# sum to 1, so it looks somewhere. A bright cell is not yet a reason.

# %% [markdown] id="shuffle-text"
# The opposite test (after [Jain and Wallace 2019](D_papers.ipynb#cell-id=jain-2019)): keep the
# words and shuffle the *weights* of each row. In their text classifiers the answer often did not
# change, so the weights were no explanation. And here?


# %% id="shuffle"
class Shifted(DotAttention):
    """The same weights, each moved three positions to the right."""

    def forward(self, query, keys, values, mask=None, prepared=None):
        _, weights = super().forward(query, keys, values, mask, prepared)
        weights = weights.roll(3, dims=-1)  # one sentence at a time: no padding
        return weights @ values, weights


@torch.no_grad()
def predictions(pair):
    batch = make_batch([korean.encode(pair.src)], [english.encode(pair.tgt)])
    return model(batch.src, batch.src_mask, batch.tgt_in)[0][0].argmax(-1)


# %% id="shuffle-numbers"
plain = [predictions(p) for p in some]
as_trained, model.decoder.attention = model.decoder.attention, Shifted(128, 128)
moved = [predictions(p) for p in some]
model.decoder.attention = as_trained
kept = torch.cat([(a == b)[words] for a, b, words in zip(plain, moved, content)]).double().mean()
print(f"words with a sure link that stay the same: less than half: {bool(kept < 0.5)}")

# %% [markdown] id="shuffle-read"
# In this translator the weights decide. A classifier reads one vector in which every state already
# holds the whole sentence; a translator needs another word at every step and has to fetch it. What
# a heat map proves depends on the model and the task: test it there.

# %% [markdown] id="shares-text"
# ### Both roads in a trained model
#
# Back to the gradient, in the translator just trained: how much of it goes through the attention,
# and how much through the chain?

# %% id="shares"
batch = make_batch(
    *zip(*[(korean.encode(p.src), english.encode(p.tgt)) for p in corpus.test[-40:]])
)
memory = model.encode(batch.src, batch.src_mask)
states, final = memory.states.detach().requires_grad_(), memory.final.detach().requires_grad_()
memory = Memory(states, model.decoder.prepare(states), memory.mask, final)
features, _ = model.decoder(batch.tgt_in, memory)
loss = F.cross_entropy(model.output(features)[batch.tgt_mask], batch.tgt_out[batch.tgt_mask])
keys_road, chain_road = torch.autograd.grad(loss, [states, final])
share = (keys_road.norm() / (keys_road.norm() + chain_road.norm())).item()
print(f"share of the shortcut in the gradient's length above 70 %: {share > 0.7}")

# %% [markdown] id="ablation-text"
# ## What is needed, and what is decoration?
#
# Each of the following recorded runs changes one thing in Luong's decoder; encoder, batches and
# updates stay. Three seeds each.
#
# **Predict.** Rank them: all weights equal; context alone without the state; no tanh; dot instead
# of general; vectors cut in half, one half for matching and one for content.

# %% id="ablation" tags=["hide-input"]
names = {"luong": "Luong, dot", "general": "Luong, general", "bahdanau": "Bahdanau, additive"}
names |= {"no-tanh": "no tanh", "split": "halves: match, content"}
names |= {"context-only": r"$\tilde{s}$ from context only", "uniform": "all weights equal"}
names |= {"none": "no attention"}
fig, ax = plt.subplots(figsize=(8, 4))
for row, variant in enumerate(names):
    points = recorded(variant).mean(1)
    ax.plot(
        points, [row] * len(points), "os"[row > 0], color=figures.PALETTE[row > 0], markersize=8
    )
ax.set_yticks(range(len(names)), names.values())
ax.invert_yaxis()
ax.set_title("One change at a time (recorded runs, a point a seed)")
ax.set_xlabel("BLEU (mean of the five ranges of length)")
plt.show()

# %% [markdown] id="ablation-alt"
# <details><summary>The figure in words</summary>
#
# Dot plot of eight models, three seeds each, by mean BLEU. Five of them lie between about 92 and
# 100; with the context alone the seeds spread from 73 to 97. Equal weights lie near 50, the model
# without attention lowest, near 36.
#
# </details>

# %% id="ablation-numbers"
parameters = {run["variant"]: run["parameters"] for run in record["runs"]}
print("recorded, three seeds        BLEU: lowest, highest   parameters")
for variant in names:
    scores = recorded(variant).mean(1)
    print(f"  {variant:26}{scores.min():10.0f}{scores.max():10.0f}{parameters[variant]:16,}")

# %% [markdown] id="ablation-read"
# - *All weights equal* sees every state and still loses half of its BLEU: what helps is not the
#   access, it is the **choice**. (Its context is one and the same at every step.)
# - *Context only* is behind on average, and its seeds differ most: what has been written so far
#   must reach the output, too. This is what the concatenation is for.
# - *No tanh*: no loss that three seeds could show. Decoration, here.
# - *Halves*: a state has two jobs, to predict and to ask, and the encoder's states have two, to be
#   found and to be fetched. Giving each job a half of its own ([Daniluk et al.
#   2017](D_papers.ipynb#cell-id=daniluk-2017)) costs nothing that three seeds could show.
# - *General* has a matrix more than *dot* and gains nothing here; one seed of three is behind.
#   Luong et al. found it behind for global attention: 17.3 BLEU with general, 18.6 with dot (their
#   Table 4).
# - *Bahdanau's* order and *Luong's* are equally good here.
#
# Scores are exchangeable parts: everything else in the pipeline stayed. Chapter 6 compares them
# properly.

# %% [markdown] id="meeting-text"
# ### How can the dot product work without a matrix?
#
# Earlier a rotation between queries and keys made the dot product helpless. Here two different
# networks make them, and it does as well as any score. The explanation of the notes: the decoder's
# recurrent network *itself* learns to make states that are good queries. If so, $s_t$ should come
# to point the way of the states that it is linked to.


# %% id="meeting"
@torch.no_grad()
def closeness(model):
    """Mean cosine of s_t with the sure-linked states, minus the mean with all others."""
    linked, others = [], []
    for p in some:
        batch = make_batch([korean.encode(p.src)], [english.encode(p.tgt)])
        memory, decoder = model.encode(batch.src, batch.src_mask), model.decoder
        s_t, _ = decoder.run(decoder.embed(batch.tgt_in).unsqueeze(1), decoder.start(memory))
        cosine = F.normalize(s_t[0, 0], dim=-1) @ F.normalize(memory.states[0], dim=-1).T
        gold = torch.zeros_like(cosine, dtype=torch.bool)
        gold[[t for _, t in p.links.sure], [j for j, _ in p.links.sure]] = True
        linked.append(cosine[gold]), others.append(cosine[~gold])
    return (torch.cat(linked).mean() - torch.cat(others).mean()).item()


# %% id="meeting-numbers"
seed_everything(1)
untrained = make_model(LuongDecoder, 128, attention="dot").eval()
print("before training within 0.1 of 0:", abs(closeness(untrained)) < 0.1)
print("after training above 0.2:       ", closeness(model) > 0.2)

# %% [markdown] id="meeting-read"
# Two spaces that had nothing to do with one another have met. So one half of the notes' claim
# holds, that the recurrent state is shaped into a good query; the other half, that the linear map
# *is* attention, does not: there is none here.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Attention keeps all encoder states and mixes them anew at every step: scores → weights →
#   context.
# - The mask comes before the softmax; True means "may be attended"; a row with nothing allowed is
#   zeros, not NaN.
# - A score that is linear in the query cannot use the query at all.
# - Bahdanau attends with $s_{t-1}$ before the recurrent step, Luong with $s_t$ after it; two
#   perturbations tell them apart.
# - The gradient has two roads; the shortcut is level, the chain falls by powers of ten.
# - Attention removes the bottleneck inside the lengths it was trained on, not beyond.
# - Alignment comes by itself, often and not always; a heat map is a hypothesis to be tested.
#
# **Left out.** Training a one-way encoder against a two-way one (the argument above needs none);
# timings (they differ from machine to machine; the counts do not); reading word $j$ back out of the
# last state, and the size of its vector (chapter 3); which score is best, and why scores are scaled
# (chapter 6); feeding the gold word or the model's own (chapter 7); how the translation is searched
# (chapter 8); what BLEU measures (chapter 9); local attention and coverage.
#
# **Papers.** [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (Eqs. 4–7,
# §A.1.2, §A.2.2); [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3, footnote
# 14); [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a),
# [2014b](D_papers.ipynb#cell-id=cho-2014b); [Graves 2013](D_papers.ipynb#cell-id=graves-2013);
# [Koehn and Knowles 2017](D_papers.ipynb#cell-id=koehn-2017); [Daniluk et al.
# 2017](D_papers.ipynb#cell-id=daniluk-2017) (halves of a vector for matching and content); [Jain
# and Wallace 2019](D_papers.ipynb#cell-id=jain-2019); [Kobayashi et al.
# 2020](D_papers.ipynb#cell-id=kobayashi-2020); [Och and Ney 2003](D_papers.ipynb#cell-id=och-2003)
# (AER).
#
# **Next.** Chapter 6 sets the scores side by side: dot, general, concat, additive, scaled dot.
