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
# and get the same numbers. Train a translator that looks back beside one that cannot. Tell
# Bahdanau's decoder from Luong's without seeing its code. Say what a heat map proves, and what it
# does not.
#
# **What you need.** An encoder and a decoder (chapter 3), queries, keys and values (chapter 4), an
# LSTM (chapter 2).
#
# **First sitting: the idea, and what it buys.** 35 minutes to read, 28 for exercises 5.1 to 5.4.
# Its aim: you can explain every cell of the picture below. *From the context to a word* may be
# skipped by whoever remembers chapter 3; the rest must be read.
#
# **Second sitting: the two papers, and the doubts.** 40 minutes to read, 70 for exercises 5.5 to
# 5.10. Its aim: you know whose decoder you have before you, and when to believe a heat map. Must be
# read: *Bahdanau beside Luong*, *The gradient's shortcut*, *Is it an explanation?* May be skipped:
# *Three traps of PyTorch*, *Bahdanau's decoder, equation by equation*, *What is needed, and what is
# decoration?*
#
# **To run:** at most a minute with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import json
from dataclasses import replace

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from attnbook import about, budget, exercise, predict, progress, recall, reveal, views
from attnbook.figures import (
    attention_diagram,
    bleu_by_length,
    both_ways_diagram,
    decoder_step_diagram,
    learning_curves,
)
from attnlib import figures
from attnlib.data import (
    UNK,
    Batches,
    Pair,
    WordVocabulary,
    bundled_directory,
    load_corpus,
    make_batch,
    pad,
    parse_links,
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


def read_record(name):
    """A recorded run: a file with the command, the seeds and the versions that made it."""
    path = bundled_directory().parent / "runs" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


# %% id="first"
learned = next(run for run in read_record("10_learning")["runs"] if run["corpus"] == "ko-en-easy")
shown = learned["sentences"][2]
meanings = "painter (topic) school at apple (object) ate and , journalist (topic) tree (object)"
meanings = [*meanings.split(), "drew", "(polite)", "."]
columns = [f"{t.removeprefix('##')} {word}" for t, word in zip(shown["tokens"], meanings)]
stages = []
for stage in learned["stages"]:
    text, weights = (stage["sentences"][2][part] for part in ("text", "weights"))
    shares = [[share / max(100, sum(row)) for share in row] for row in weights]  # were in percent
    note = f"left alone it writes: {' '.join(text.split()[:9])}"
    stages.append({"step": stage["update"], "weights": shares, "note": note})
    stages[-1]["tokens"] = shown["reference tokens"]
views.learning_view(
    stages,
    columns,
    title="A translator learns where to look (recorded)",
    alt="A heat map of fifteen English words by sixteen Korean tokens at six moments of a training."
    " After 25 updates all cells are alike. After 200 most rows have one dark cell. After 1,000"
    " painter, ate, apple, school, journalist, drew and tree each lie on their Korean word; ate is"
    " the third row and its cell lies in the seventh column.",
)

# %% id="first-still" tags=["hide-input"]
fig, axes = plt.subplots(1, 4, figsize=(11, 3.6), sharey=True)
for ax, stage in zip(axes, [s for s in stages if s["step"] in (25, 100, 200, 1000)]):
    ax.imshow(stage["weights"], vmin=0, vmax=1, cmap="Blues", aspect="auto")
    ax.set(title=f"{stage['step']:,} updates", xlabel="Korean token", xticks=range(0, 16, 5))
    ax.set_xticklabels(range(1, 17, 5))
    ax.grid(visible=False)
axes[0].set_yticks(range(15), shown["reference tokens"])
fig.suptitle("The same heat map, four moments")
plt.show()

# %% [markdown] id="first-alt"
# <details><summary>The figure in words</summary>
#
# Four heat maps side by side, fifteen English words down, sixteen Korean tokens across. After 25
# updates every cell is equally pale. After 100 there are pale vertical stripes: nearly all words
# look at the same few tokens. After 200 most rows have one dark cell, and after 1,000 nearly all
# have, in two blocks, a clause each: in each block the row of the verb lies far to the right.
#
# </details>

# %% [markdown] id="first-read"
# Move the upper slider. The picture shows where a translator looks in a Korean sentence (*The
# painter ate an apple at school, and the journalist drew a tree*) while it is given the English
# words one by one. A row is an English word; the darker a cell, the more of the row's attention
# that Korean token gets. After 25 updates every row looks everywhere. Then stripes appear, then
# single dark cells. At the end *ate*, the third word, looks at the verb, which Korean puts at the
# end of the clause.
#
# **Nobody showed it a single one of these links.** It was given sentences and their translations,
# and was asked to guess the next English word. This chapter builds the mechanism, trains it before
# your eyes, and then asks what such a picture proves.

# %% [markdown] id="recall-text"
# Before we begin, five short questions on earlier chapters. Answer them, or read on.

# %% id="recall"
recall("05")

# %% [markdown] id="bottleneck-text"
# ## The problem: one vector for any sentence
#
# A translator without attention has two parts. The **encoder** reads the source words one after
# the other and updates a state $h_j$ at each position $j$. The **decoder** starts from the *last*
# state and writes the target words. Whatever it should know about the source must fit into that.
#
# One sentence has 5 words, another has 50. How many numbers does the decoder get for each, and how
# many would it get if it could see every $h_j$?

# %% id="bottleneck"
reader = nn.LSTM(16, 32, num_layers=2, batch_first=True)  # two layers, one above the other
for length in (5, 50):
    states, (hidden, cell) = reader(torch.randn(1, length, 16, generator=generator))
    handed = hidden.numel() + cell.numel()
    print(f"{length:2} words: {handed} numbers handed over; all states have {states.numel():,}")

# %% [markdown] id="bottleneck-read"
# The same 128 numbers for 5 words and for 50: the last hidden state and the last memory cell of
# both layers. (What grows, `states`, holds the *upper* layer's $h_j$, and these are what attention
# will read.) This is the **bottleneck**: what is compressed into a fixed size must lose something
# as sentences grow. There is a second trouble, which is not the same one: to learn from the first
# word, the gradient has to travel back through every step in between. Below we measure both.
#
# [Cho et al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) reported the symptom: the BLEU of their
# translator fell quickly as sentences became longer. Chapter 3 varied the size of the vector; this
# chapter does away with it.

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
# "Roughly" is honest: nobody tells the network what its numbers should mean. And the word
# *attention* is a picture borrowed from people who concentrate; what is computed is a weighted
# average. Here is the book's drawing, now whole, made from the numbers of the next cells.

# %% id="emblem"
korean_words, english_words = ["나는", "집에", "갔다"], ["I", "went", "home"]
h = torch.tensor([[1.0, 0.0], [1.0, 2.0], [0.0, 1.0]])  # encoder states h_1, h_2, h_3: (S, H)
decoder_states = torch.tensor([[2.0, -2.0], [-3.0, 1.0], [1.0, 1.0]])  # s_1, s_2, s_3: (T, H)
s = decoder_states[2]  # about to write "home"
attention_diagram(korean_words, english_words, h, decoder_states, scores=h @ s)

# %% [markdown] id="hand-text"
# ### By hand
#
# Three source words, `나는 집에 갔다` (*I · to home · went*), with made-up states of two numbers.
# The decoder has written *I went*; its state is $s_3$. The score is the **dot product**
# $\mathrm{score}(s_t, h_j) = s_t^\top h_j$: one number for each of the words, from $h_1$ on, large
# where the two vectors point the same way.

# %% id="hand-scores"
e = []
for j in range(3):
    e.append(sum(s[d] * h[j, d] for d in range(2)))
print("scores e_3:", [round(float(score), 3) for score in e])

# %% [markdown] id="hand-weights-text"
# The second score is three times the others. How many times the others' weight will it get?

# %% id="predict-ratio"
predict("05.ratio", ...)

# %% id="hand-weights"
powers = [torch.exp(score) for score in e]
alpha = [power / sum(powers) for power in powers]
print("weights α_3: ", [round(float(weight), 3) for weight in alpha])
print("second / first:", round(float(alpha[1] / alpha[0]), 2))
assert abs(float(sum(alpha)) - 1) < 1e-6
reveal("05.ratio", alpha[1] / alpha[0], within=0.5)

# %% [markdown] id="hand-weights-read"
# More than seven times: $e^3 / e^1 = e^{3-1}$. The softmax turns *differences* of scores into
# *ratios* of weights. The weights are positive and sum to 1: together they are the **attention
# distribution**, over the positions of the *encoder*. (**Logits** are what goes *into* a softmax,
# here the scores; what comes out are weights.)

# %% id="hand-context"
c = [0.0, 0.0]
for j in range(3):
    for d in range(2):
        c[d] += float(alpha[j] * h[j, d])
print("context c_3:", [round(number, 3) for number in c])

# %% [markdown] id="hand-context-read"
# The context lies close to $h_2 = (1, 2)$, the state of 집에, which has most of the weight: each
# state is taken times its weight, and the products are added up. (Names differ between texts. Some
# call this vector the *attention value* $a_t$, while for Luong $a_t$ is the vector of *weights*.
# This book says $\alpha_t$ for weights and $c_t$ for the context, always.)

# %% [markdown] id="dynamic-text"
# ### A new context at every step
#
# The same three encoder states, and the decoder's three states one after the other. Step through
# it: scores, softmax, weighted sum.

# %% id="steps"
views.attention_steps_view(
    decoder_states @ h.T, h, korean_words, english_words, title="나는 집에 갔다 → I went home"
)

# %% id="dynamic"
for t, word in enumerate(english_words):
    mixed, looks = DotAttention(2, 2)(decoder_states[t].view(1, 1, 2), h[None], h[None])
    rounded = [[round(x, 2) for x in tensor[0, 0].tolist()] for tensor in (looks, mixed)]
    print(f"s_{t + 1}, {word:4}: weights {rounded[0]}, context {rounded[1]}")
print("without a query, the mean:              ", [round(x, 2) for x in h.mean(0).tolist()])

# %% [markdown] id="dynamic-read"
# One encoder, three contexts: *I* fetches 나는, *went* fetches 갔다 from the end, *home* comes back
# to 집에. This is what is meant by a *dynamic* context. The plain mean would see every word, too,
# but the same at every step; what that costs, the recorded runs near the end show.

# %% [markdown] id="ex-weighted-sum-text"
# ### Exercise 5.1 · The context
# *Warm-up, 5 minutes.* Write the last step for a whole batch: for each of $B$ sentences and each of
# $T$ queries, the weighted sum of the values. Weights have shape (B, T, S), values (B, S, H); the
# contexts have shape (B, T, H).
#
# <details><summary>Hint 1</summary>
#
# The loop above sums over j. Which dimension of the weights and which of the values is j?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A matrix product sums over the last dimension of the left factor and the last but one of the right
# factor.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# (B, T, S) times (B, S, H): the batch goes along by itself.
#
# </details>


# %% id="ex-weighted-sum" tags=["exercise"]
@exercise
def weighted_sum(weights, values):
    """Contexts c_t = Σ_j α_tj v_j. weights (B, T, S), values (B, S, H) → (B, T, H)."""
    raise NotImplementedError


# %% [markdown] id="matrix-text"
# ### In matrix form, and in the library
#
# The same three lines, for a batch. The leading dimension is the batch (one sentence here), then
# the queries (three), then features.

# %% id="matrix"
query, keys = decoder_states.view(1, 3, 2), h.view(1, 3, 2)  # (B, T, H), (B, S, H)
scores = query @ keys.transpose(1, 2)  # (B, T, S)
weights = scores.softmax(dim=-1)  # over the S positions
context = weighted_sum(weights, keys)  # (B, T, H)
print("scores:  ", scores[0].tolist())
print("contexts:", [[round(x, 2) for x in row] for row in context[0].tolist()])

# %% id="agree-dot"
library_context, library_weights = DotAttention(2, 2)(query, keys, keys)
torch.testing.assert_close(torch.stack(alpha), weights[0, 2])  # the loop
torch.testing.assert_close(torch.tensor(c), context[0, 2])
torch.testing.assert_close(library_weights, weights)  # the library
torch.testing.assert_close(library_context, context)

# %% [markdown] id="agree-read"
# Loop, matrices and `attnlib` agree; a cell that asserts this prints nothing, unless it fails. From
# here on `attention(query, keys, values, mask)` stands for these lines, with query = decoder
# states and keys = values = encoder states. It returns the context *and* the weights, so that they
# can be drawn, and keeps nothing for itself.

# %% [markdown] id="properties-text"
# ### What softmax weights promise
#
# What happens to the weights if 100 is added to every score? If every score is doubled? And what
# happens to the context if the source positions are shuffled?

# %% id="properties"
order = torch.tensor([2, 0, 1])
shuffled, _ = DotAttention(2, 2)(query, keys[:, order], keys[:, order])
changes = {
    "+ 100: weights change by at most   ": (scores + 100).softmax(-1) - weights,
    "× 2: weights change by at most     ": (scores * 2).softmax(-1) - weights,
    "shuffled: contexts change by at most": shuffled - context,
}
for what, change in changes.items():
    print(what, f"{change.abs().max():.2f}")
one_hot = torch.tensor([[[0.0, 1.0, 0.0]]])
print("one-hot weights fetch h_2 itself:  ", weighted_sum(one_hot, keys)[0, 0].tolist())
torch.testing.assert_close(weights.sum(-1), torch.ones(1, 3))

# %% [markdown] id="properties-read"
# Only differences of scores count, so + 100 does nothing; their size is a sharpness, so × 2 does a
# lot. Shuffling the states changes nothing: attention sees a *set*. It knows about order only
# because each $h_j$ was made by a network that reads in order. And with positive weights that sum
# to 1, a context never leaves the region between the states (their convex hull).

# %% [markdown] id="mask-text"
# ## Padding: the mask comes before the softmax
#
# Sentences in a batch are filled up to the same length with **padding**. A **mask** marks the real
# tokens; in this book it is boolean and *True means: may be attended*. What should happen to the
# scores of padding? Four candidates, on three real words and two of padding.
#
# One of them sets the scores of padding to 0. What share of the weight, in percent, does padding
# still get then?

# %% id="predict-zero"
predict("05.zero", ...)

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
reveal("05.zero", 100 * candidates["scores of padding set to 0"][~real].sum(), within=4)

# %% id="mask-figure" tags=["hide-input"]
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
# the softmax the padding is empty but the bars sum to 0.57. With the mask before the softmax only
# the real words have bars, and they sum to 1.
#
# </details>

# %% [markdown] id="mask-read"
# - *No mask*: 43 % of the context is made of padding.
# - *Score 0*: zero is a score like any other, $e^0 = 1$; padding still takes 15 %.
# - *After the softmax*: padding is gone, but it has taken its share of the sum with it. The weights
#   of the real words sum to 0.57, so the context shrinks, and by how much depends on how long the
#   *other* sentences of the batch are.
# - *Before*: $e^{-\infty} = 0$. The real words share the whole.
#
# The honest test: a sentence must be translated alike alone and in any batch.

# %% id="padding-leak"
alone = torch.randn(1, 3, 4, generator=generator)
padded = torch.cat([alone, torch.randn(1, 2, 4, generator=generator)], dim=1)  # + 2 × padding
asked, mask = torch.randn(1, 1, 4, generator=generator), lengths_to_mask(torch.tensor([3]), 5)
expected, _ = DotAttention(4, 4)(asked, alone, alone)
for name, given in (("without mask", None), ("with mask", mask)):
    found, _ = DotAttention(4, 4)(asked, padded, padded, given)
    print(f"{name:12}: the context is off by {(found - expected).abs().max():.2f}")

# %% [markdown] id="note-mask-text"
# ### Four traps of one line
#
# Many implementations mask in one line, `scores.masked_fill_(mask, -float('inf'))`, with a mask
# that is 1 at *padding*. The line is right, and has four traps.


# %% id="note-mask"
def one_line(states, scores, mask=None):
    """Mask, softmax, context, as one often sees it; ``mask`` is True at padding."""
    if mask is not None:
        scores.masked_fill_(mask, -torch.inf)
    return torch.bmm(scores.softmax(-1).unsqueeze(1), states)


# %% id="note-traps"
padding = torch.tensor([[0, 0, 0, 1, 1]])
try:
    one_line(padded, raw.view(1, 5), padding)
except RuntimeError as problem:
    print("1. a mask of 0 and 1:  ", problem.args[0].split(",")[0])
kept = raw.view(1, 5).clone()  # somebody keeps the scores, to draw them later
right = one_line(padded, kept, padding.bool())
print("2. the scores we kept: ", kept.tolist()[0])
swapped = one_line(padded, raw.view(1, 5).clone(), ~padding.bool())
print(f"3. the mask turned over: no error; off by {(right - swapped).abs().max():.2f}")
empty = one_line(padded, raw.view(1, 5).clone(), padding.bool() | True)
print("4. nothing but padding:", empty[0, 0].tolist())

# %% [markdown] id="note-traps-read"
# 1. Only boolean masks are taken.
# 2. The underscore writes into the argument: whoever kept the scores now has $-\infty$.
# 3. The opposite convention gives no error, only another context, the padding's.
# 4. A row with nothing to attend to becomes $0/0$, not a number, and poisons every gradient.
#
# (And nothing is returned that one could draw.) PyTorch itself has both conventions: for
# `F.scaled_dot_product_attention` True means *attend*, for `key_padding_mask` of
# `nn.MultiheadAttention` it means *ignore*.

# %% id="polarity"
sdpa = F.scaled_dot_product_attention(asked, padded, padded, attn_mask=mask.unsqueeze(1))
torch.testing.assert_close(sdpa, ScaledDotAttention(4, 4)(asked, padded, padded, mask)[0])
heads = nn.MultiheadAttention(4, 1, batch_first=True)
_, head_weights = heads(asked, padded, padded, key_padding_mask=~mask)
print("weights of the padding:", head_weights[0, 0, 3:].tolist())

# %% [markdown] id="ex-safe-softmax-text"
# ### Exercise 5.2 · A softmax that cannot be hurt
# *Core, 12 minutes.* Write the masked softmax over the last dimension. Allowed positions share 1,
# all others get exactly 0, a row with nothing allowed is all zeros (no NaN, and none in the
# gradient that goes back), the scores you are given stay as they are, and it works in half
# precision, whose largest number is 65504. (The weights may come back in a higher precision.)
#
# <details><summary>Hint 1</summary>
#
# `masked_fill` (without underscore) makes a new tensor. True means *may be attended*, and
# `masked_fill` fills where True.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Instead of −∞ take the smallest finite number of the type: `torch.finfo(scores.dtype).min`. A row
# full of it gives equal weights, not NaN.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Those equal weights are on forbidden positions. Fill once more, after the softmax.
#
# </details>


# %% id="ex-safe-softmax" tags=["exercise"]
@exercise
def safe_softmax(scores, mask):
    """Softmax over the last dimension where mask is True; 0 elsewhere. Both (..., S), mask bool."""
    raise NotImplementedError


# %% id="safe-use"
nothing = torch.zeros(5, dtype=torch.bool)
print("real words only: ", [round(w, 2) for w in safe_softmax(raw, real).tolist()])
print("nothing allowed: ", safe_softmax(raw, nothing).tolist())
filled = raw.masked_fill(~nothing, -1e9).softmax(-1)
print("filled with −10⁹:", [round(w, 2) for w in filled.tolist()])

# %% [markdown] id="safe-read"
# The popular $-10^9$ avoids NaN and hides the trouble: a row that may attend to nothing attends
# equally to everything forbidden. (And in half precision $-10^9$ does not exist.)

# %% [markdown] id="s-tilde-text"
# ## From the context to a word
#
# The context says what the source offers, the state what has been written so far. [Luong et al.
# (2015)](D_papers.ipynb#cell-id=luong-2015) join them:
#
# $$\tilde s_t = \tanh(W_c\,[c_t ; s_t]), \qquad
# p(y_t \mid y_{<t}, x) = \mathrm{softmax}(W_s \tilde s_t)$$
#
# $[c_t ; s_t]$ is **concatenation**: one vector after the other. (Written the other way round,
# $[s_t ; c_t]$, it only permutes the columns of $W_c$.) $\tilde s_t$ is the **attentional vector**,
# the box at the top right of the drawing.

# %% [markdown] id="ex-attentional-vector-text"
# ### Exercise 5.3 · The attentional vector
# *Warm-up, 5 minutes.* context (B, T, He), state (B, T, Hd), weight $W_c$ (O, He + Hd), result
# (B, T, O). No bias.
#
# <details><summary>Hint 1</summary>
#
# `torch.cat([...], dim=-1)` puts features side by side.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The context comes first: its He columns of the weight are on the left.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A weight (O, I) acts on rows of features (…, I) as `x @ weight.T`.
#
# </details>


# %% id="ex-attentional-vector" tags=["exercise"]
@exercise
def attentional_vector(context, state, weight):
    """s̃ = tanh(W_c [c ; s]). context (B, T, He), state (B, T, Hd), weight (O, He + Hd)."""
    raise NotImplementedError


# %% [markdown] id="loss-text"
# ### What the next step is fed
#
# When **translating**, a word is chosen from the distribution $p(y_t)$, and its embedding is fed to
# the next step. When **training**, the *gold* word (the one of the reference translation) is fed,
# whatever the model predicted: the input is the target shifted by one. Chapter 7 is about that
# difference.

# %% id="shift"
batch = make_batch([[10, 11, 12]], [[20, 21]])  # 2 starts a sentence, 3 ends it
print("decoder reads:       ", batch.tgt_in.tolist()[0])
print("decoder must predict:", batch.tgt_out.tolist()[0])

# %% [markdown] id="loss-read"
# The loss takes *logits*, the numbers before the softmax: `cross_entropy` is the log-softmax and
# the negative log-likelihood in one, and never takes the log of a rounded 0.

# %% id="cross-entropy"
logits, wanted = torch.tensor([[2.0, -1.0, 300.0]]), torch.tensor([0])
print("softmax, then log:", -logits.softmax(-1).log()[0, wanted].item())
print("cross_entropy:    ", F.cross_entropy(logits, wanted).item())
torch.testing.assert_close(
    F.nll_loss(logits.log_softmax(-1), wanted), F.cross_entropy(logits, wanted)
)

# %% [markdown] id="train-text"
# ## With attention and without
#
# Now the real thing: Korean to English, sentences of 4 to 50 tokens from the book's own corpus. A
# grammar wrote it, so every pair comes with its **gold alignment**, which word stands for which;
# the training does not see it. Korean puts the verb last and English puts it second, so the way
# from word to word is hardly ever straight. The sentence of chapter 0 is not among the pairs.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((pair.src for pair in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
links = "0-0 1?0 2?5 2?6 2-7 3-5 3?6 3?7 4-3 5-4 6-2 7?2 7?4 8?4 9-1 10?1 10?8 11?8"
story = Pair(
    "민수는 시장에서 작은 배 다섯 개를 샀습니다.",
    "Minsu bought five small pears at the market.",
    parse_links(links),  # by hand: 0-0 says that 민수 is sure to be Minsu, 1?0 that 는 may belong
)
print(f"{len(ids):,} pairs to learn from, {len(corpus.test)} to test on")
print(" ".join(korean.tokenize(story.src)))
assert story.src not in {pair.src for pair in corpus.train}

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
updates = budget(1000, slow=450, unit="AMX")
recipe = Recipe(
    updates=updates, warmup=updates // 4, learning_rate=4e-3, label_smoothing=0.0,
    validate_every=updates, precision="fp32", seed=1,
)
kinds = {
    "with attention": (LuongDecoder, 128, {"attention": "dot"}),
    "without": (PlainDecoder, 116, {"every_step": True}),
}

# %% [markdown] id="train-wait"
# Both trainings together take about half a minute: with AMX, which only some processors of servers
# have, or, at fewer updates, without. At the end each translates two sentences that it never saw:
# the sentence of chapter 0, and a long one from the test split. (Your lines may differ from the
# book's in a word or two.)

# %% id="train" tags=["nbval-ignore-output"]
long_pair = next(p for p in corpus.test if 30 < len(korean.encode(p.src)) < 34)
print("to say:        ", story.tgt, f"\n{'':15}", long_pair.tgt)
translators = {}
for name, (kind, width, options) in kinds.items():
    seed_everything(1)
    model = make_model(kind, width, **options)
    batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=1)
    fit(model, batches, recipe)
    translators[name] = Translator(model, korean, english)
    for sentence in (story.src, long_pair.src):
        print(f"{name:15}", translators[name].translate(sentence, beam=1).text)

# %% [markdown] id="same-read"
# Both write good English: a decoder is a language model. What the one without attention loses is
# the *details*: how many of what, who, where. It has kept the kind of sentence.

# %% id="same-check"
for sentence in (story, long_pair):
    wanted_words = set(sentence.tgt.split())
    print(f"{len(korean.encode(sentence.src))} Korean tokens; of the reference's words are there")
    for name, translator in translators.items():
        words = translator.translate(sentence.src, beam=1).text.split()
        low, high = (0.8, 1) if name == "with attention" else (0, 0.95)
        share = sum(word in words for word in wanted_words) / len(wanted_words)
        print(f"  {name:14} {about(share, low, high, '.0%')}")

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
# Two sentences are stories, not measurements. The test split has 100 sentences in each of five
# ranges of length. **BLEU** (chapter 9) goes from 0 to 100.

# %% id="length-tools"
record = read_record("05_attention")
buckets = [tuple(bucket) for bucket in record["buckets"]]
lengths = [len(korean.encode(pair.src)) for pair in corpus.test]
chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in buckets]
bands = {"with attention": (85, 100) if updates == 1000 else (50, 100), "without": (3, 80)}


def by_length(translator):
    texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam=1)]
    return [
        corpus_bleu([texts[i] for i in rows], [corpus.test[i].tgt for i in rows]).score
        for rows in chosen
    ]


# %% id="length-check"
live = {name: by_length(translator) for name, translator in translators.items()}
print("source tokens ", *[f"{low:>3}-{high:<2}" for low, high in buckets])
for name in live:
    print(f"{name:14}", *[about(score, *bands[name], "5.1f") for score in live[name]])
assert min(live["with attention"]) > max(live["without"]) and live["without"][-1] < 35

# %% [markdown] id="beyond-text"
# These were one seed each. **Recorded runs** (`benchmarks/attention_chapter.py`) repeat both with
# three seeds, and add two: the model without attention trained for three times as long, and one
# *with* attention that was only ever shown sentences of at most 20 tokens. Which BLEU does that
# last one reach on 41 to 50 tokens?

# %% id="predict-beyond"
predict("05.beyond", ...)


# %% id="length-recorded"
def recorded(variant, what="bleu"):
    """One row a seed."""
    return torch.tensor([run[what] for run in record["runs"] if run["variant"] == variant])


variants = {
    "with attention": "luong",
    "without": "none",
    "without, 3 × the updates": "none-longer",
    "with, trained on ≤ 20 tokens": "short",
}
bleu = {label: recorded(variant) for label, variant in variants.items()}  # (3 seeds, 5 ranges)
print("recorded, mean of three seeds     4-10   41-50 tokens")
for label, runs in bleu.items():
    print(f"  {label:30}{runs[:, 0].mean():6.0f}{runs[:, 4].mean():8.0f}")
reveal("05.beyond", bleu["with, trained on ≤ 20 tokens"][:, 4].mean(), within=10)

# %% id="length-figure" tags=["hide-input"]
ends = {k: torch.stack([v.min(0).values, v.max(0).values], 1) for k, v in bleu.items()}
means = {label: runs.mean(0) for label, runs in bleu.items()}
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
# BLEU in five ranges of source length. With attention the line stays close to 100 from 4 to 50
# tokens. Without, it begins near 75 and falls steeply to about 20. Trained three times as long
# without attention, it begins at 100 and still falls to below 50. Trained on short sentences only,
# the model with attention is good up to 20 tokens and falls steeply beyond, to about 25. Open
# circles of the live runs lie on or near the first two lines (below them after fewer updates).
#
# </details>

# %% [markdown] id="length-read"
# Read it in three steps.
#
# 1. *At the same budget* the model without attention is behind everywhere: it learns more slowly.
#    That alone proves no bottleneck.
# 2. *Given three times the updates* it translates short sentences as well as anybody, and still
#    loses more than half of its BLEU on the long ones. That is what a bottleneck looks like.
# 3. The model with attention is level, **inside the lengths it was trained on**.
#
# **You will often read that** with attention the quality does not drop for long sentences.
# Bahdanau's Figure 2 does show that level part. What our runs show: it does not drop *up to the
# lengths of the training*. (Bahdanau's model, trained on up to 50 words, held a little beyond.) The
# last line of the table fell, from 21 tokens on below the model without attention that was trained
# for longer. In Bahdanau's same figure the model that was trained on at most 30 words falls after
# 30, and [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) met the drop at 60 and more
# subwords.

# %% [markdown] id="composition-text"
# ### New combinations of known words
#
# Most clauses of the test split occur in some training sentence. So there is a second test,
# `test_composition`: all its words are known, but no verb has an object there that it has in
# training, and no clause was ever seen. Has a translator learned clauses, or how to put them
# together?


# %% id="composition"
def on_new(variant):
    """BLEU on test_composition, one number a seed."""
    runs = [run["others"] for run in record["runs"] if run["variant"] == variant]
    return torch.tensor([others["test_composition"]["bleu"] for others in runs])


print("recorded, mean of three seeds     test   new combinations")
for label, variant in variants.items():
    print(f"  {label:30}{bleu[label].mean():6.0f}{on_new(variant).mean():14.0f}")

# %% [markdown] id="composition-read"
# With attention, trained on all lengths, next to nothing is lost; trained on short sentences, a
# fifth. Without it half of the BLEU goes, even after three times the updates. To look a word up and
# write it down works for a word in any company; a vector for a whole sentence is of use if one like
# it was there in training.

# %% [markdown] id="third-text"
# ## What the weights show
#
# First a single step. The decoder has read *Minsu bought* and is about to write *five*; the bars
# are its $\alpha_{3j}$.


# %% id="third"
def forced(translator, pair):
    """α (T, S) while the model reads the reference; the end of the sentence left out."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    with torch.no_grad():
        _, weights = translator.model(batch.src, batch.src_mask, batch.tgt_in)
    return weights[0, : len(tgt), : len(src)]


story_weights = forced(translators["with attention"], story)
gloss = ["Minsu", "(topic)", "market", "at", "small", "pear", "five", "(counter)", "(object)"]
gloss += ["bought", "(polite)"]
labels = [f"{t.removeprefix('##')}\n{word}" for t, word in zip(korean.tokenize(story.src), gloss)]
labels.append(".")

# %% id="third-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(9, 3.2))
ax.bar(range(len(labels)), story_weights[2], color=figures.PALETTE[0])
ax.set_xticks(range(len(labels)), labels, parse_math=False)
ax.set(
    title="Step 3: about to write “five”",
    xlabel="source token j",
    ylabel="weight (0 to 1)",
    ylim=(0, 1),
)
plt.show()

# %% [markdown] id="third-alt"
# <details><summary>The figure in words</summary>
#
# Bar chart of twelve source tokens with English glosses. One bar, that of 다섯 (five), reaches
# nearly to 1; all others are close to 0.
#
# </details>

# %% [markdown] id="heat-text"
# One row of bars for every step makes the **heat map**: target words down, source words along the
# top, each row sums to 1. The outlined cells are gold links, set by hand as the corpus sets them.
# The Korean order is *Minsu – market – at – small – pear – five – bought*: before you run the cell,
# say in which column the darkest cell of *bought* lies (dark is much, as before).

# %% id="heat" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(9, 4.4))
figures.attention_heatmap(
    story_weights,
    labels,
    english.tokenize(story.tgt),
    gold=story.links,
    title="Attention, and the gold links",
    ax=ax,
)
plt.show()

# %% [markdown] id="heat-alt"
# <details><summary>The figure in words</summary>
#
# Heat map with twelve Korean tokens along the top and nine English words down the side. Nearly
# every outlined sure link is the darkest cell of its row. The row of "bought", the second, has it
# in the tenth column, far to the right; "five" looks at the seventh, "market" at the third.
#
# </details>

# %% [markdown] id="aer-text"
# ### Is it alignment? A number
#
# Take from each row the darkest cell: those are the links found, $A$. Gold links are of two
# kinds, *sure* ($S$) and *possible* ($P \supseteq S$: articles, particles). The **alignment error
# rate** ([Och and Ney 2003](D_papers.ipynb#cell-id=och-2003)) punishes missing a sure link, and
# finding one outside $P$:
#
# $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

# %% [markdown] id="ex-error-rate-text"
# ### Exercise 5.4 · Alignment error rate
# *Core, 6 minutes.* All three arguments are sets of pairs (j, t); `found` and `sure` are not both
# empty. Return the alignment error rate, a number from 0 to 1.
#
# <details><summary>Hint 1</summary>
#
# `a & b` is the intersection of two sets, `len` counts.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A link in S is in P as well, so a sure link that is found counts twice above, and twice below.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# P stands above the line only.
#
# </details>


# %% id="ex-error-rate" tags=["exercise"]
@exercise
def error_rate(found, sure, possible):
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of three sets of links (j, t)."""
    raise NotImplementedError


# %% id="aer"
links_of = [p.links for p in corpus.test]
looks_of = [forced(translators["with attention"], p) for p in corpus.test]
found_of = [links_from_weights(weights) for weights in looks_of]
torch.testing.assert_close(error_rate(found_of[0], *links_of[0]), aer(found_of[0], links_of[0]))
straight = aer([{(t, t) for _, t in found} for found in found_of], links_of)
print("AER of attention:      ", about(aer(found_of, links_of), 0.0, 0.25))
print(f"AER of the diagonal:     {straight:.2f}")
shift = best_shift(looks_of, links_of)
print(f"best shift of the rows:  {shift}")

# %% [markdown] id="aer-read"
# Alignment came by itself, as a by-product of learning to translate. A test that many skip: would
# the map be *better* if every row were read one word up or down? Luong's footnote 14 takes the
# weights of a content-based score to align the word that was just *read*, not the one to be
# written. Here the best shift is 0.
#
# What are the errors that remain? Count them by English word.

# %% id="errors"
missed, all_of = {}, {}
for pair, weights in zip(corpus.test, looks_of):
    for t, word in enumerate(english.tokenize(pair.tgt)):
        sure = {j for j, i in pair.links.sure if i == t}
        group = "prepositions" if word in ("at", "in", "from") else "other words"
        group = "and" if word == "and" else group
        if sure:
            all_of[group] = all_of.get(group, 0) + 1
            missed[group] = missed.get(group, 0) + (int(weights[t].argmax()) not in sure)
for group, most in (("and", 1), ("prepositions", 1), ("other words", 0.25)):
    print(f"{group:12}: {about(missed[group] / all_of[group], 0, most, '.0%')} look elsewhere")

# %% [markdown] id="errors-read"
# Mostly words of grammar. For *at* the gold link is the particle 에서, and the decoder may as well
# look at the noun that it is tied to, since that state knows its neighbor; *and* looks at the comma
# beside its 고. So an "error" here is often another way to find the same thing: the first hint that
# a heat map must be read with care.

# %% [markdown] id="first-end"
# ## The end of the first sitting
#
# You have seen a decoder with one vector forget who bought what, and one that looks back remember.
# Scores → softmax → weighted sum; the mask before the softmax; $\tilde s$ for the word. From it
# comes a map that nobody trained, with an error rate far below the diagonal's. Before you go on: do
# exercises 5.1 to 5.4, and move the slider of the first figure once more. Its last picture should
# hold no secret now.
#
# The second sitting asks what the first took for granted. Which score? Which decoder's state? What
# does it do to the gradient? And does a dark cell *explain* anything?

# %% [markdown] id="general-text"
# ## Second sitting: a query in another language
#
# A dot product compares number with number: the third of $s_t$ with the third of $h_j$. But the two
# come from different networks that read different languages; at the start nothing makes their third
# numbers mean the same. And their sizes must be equal, or the product does not exist:

# %% id="sizes"
generator = seed_everything(6)  # the second sitting begins anew, however long the training was
try:
    DotAttention(query_size=3, key_size=2)
except ValueError as problem:
    print(problem)

# %% [markdown] id="general-formula"
# [Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015) put a learned matrix between the two, and
# call the score **general**:
#
# $$e_{tj} = s_t^\top W_a h_j, \qquad W_a \in \mathbb{R}^{H_{dec} \times H_{enc}}$$
#
# $W_a$ carries each key into the space of the queries. It has a row for each number of the query
# and a column for each number of a key, so the sizes may differ.

# %% [markdown] id="ex-general-score-text"
# ### Exercise 5.5 · Luong's general score
# *Core, 8 minutes.* All scores of a batch at once: query (B, T, Hd), keys (B, S, He), weight
# $W_a$ (Hd, He), result (B, T, S).
#
# <details><summary>Hint 1</summary>
#
# Write the shapes under the formula for one pair: (1, Hd) (Hd, He) (He, 1).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `query @ weight` has shape (B, T, He). Now every row must meet every key.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `keys.transpose(1, 2)` has shape (B, He, S).
#
# </details>


# %% id="ex-general-score" tags=["exercise"]
@exercise
def general_score(query, keys, weight):
    """Scores e = query W keys^T. query (B, T, Hd), keys (B, S, He), weight (Hd, He) → (B, T, S)."""
    raise NotImplementedError


# %% [markdown] id="rotation-text"
# **Does a matrix find the way between two spaces?** A test in which we know the answer: each query
# is one of ten keys, turned by a rotation that nobody tells the model, plus a little noise. Which
# of the ten was it? Guessing gives 10 %.

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
    turned, ten, which = lost_and_found(64)
    loss = F.cross_entropy(general_score(turned, ten, matrix).squeeze(1), which)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

turned, ten, which = lost_and_found(2000)
for name, weight, band in (
    ("dot product", torch.eye(16), (0, 0.25)),
    ("learned matrix", matrix.detach(), (0.95, 1)),
):
    right = general_score(turned, ten, weight).argmax(-1).squeeze(1) == which
    print(f"{name:14}: {about(right.double().mean(), *band, '.0%')} right")

# %% id="rotation-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(8, 3.6))
learned_matrix = matrix.detach()
tables = {"hidden rotation": rotation, "learned matrix": learned_matrix}
for ax, (name, table) in zip(axes, tables.items()):
    image = ax.imshow(table / table.abs().max(), cmap="PuOr", vmin=-1, vmax=1)
    ax.set(title=name, xlabel="number of the key", ylabel="number of the query")
    ax.grid(visible=False)
fig.colorbar(image, ax=axes, label="entry (largest = 1)")
plt.show()

# %% [markdown] id="rotation-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two square tables of sixteen by sixteen colored cells, the hidden rotation and the learned matrix.
# Most cells that are dark orange or dark purple in one are so in the other.
#
# </details>

# %% id="rotation-cosine"
cosine = F.cosine_similarity(rotation.flatten(), learned_matrix.flatten(), dim=0)
print("cosine between the two:", about(cosine, 0.8, 1))

# %% [markdown] id="rotation-read"
# The dot product does worse than a guess (this turn happens to point most keys away from
# themselves), the learned matrix is nearly always right: back-propagation through the scores found
# the rotation, up to its size. One can say that the decoder *learns to ask good queries*, as one
# learns to use a search engine. Does a dot score, which has no such **linear map**, then not
# attend? It did in the first sitting. There the two recurrent networks learned to agree on a space
# between them; a cell near the end shows it. Where no linear map leads from one space to the other,
# a matrix is not enough; chapter 6 bends them.

# %% [markdown] id="transpose-text"
# ### Three traps of PyTorch
#
# **Which side does the matrix stand on?** Often a linear layer `A` acts on the decoder state, and a
# batched product with the encoder states follows. So $e_{tj} = h_j^\top (A s_t) =
# s_t^\top A^\top h_j$: the layer's weight is Luong's $W_a$ **transposed**.

# %% id="transpose"
h_src, h_tgt = torch.randn(2, 5, 4, generator=generator), torch.randn(2, 1, 4, generator=generator)
A = nn.Linear(4, 4, bias=False)
by_layer = torch.bmm(h_src, A(h_tgt.squeeze(1)).unsqueeze(-1)).squeeze(-1)  # (B, S)
for name, weight in (("A.weight.T", A.weight.T), ("A.weight  ", A.weight)):
    off = (by_layer - general_score(h_tgt, h_src, weight).squeeze(1)).abs().max()
    print(f"W_a = {name}: scores are off by {off:.2f}")

# %% [markdown] id="columns-text"
# **Rows or columns?** On paper $H$ often has a *column* for each source word, and the context is
# $c = H \alpha$ with $\alpha$ a column. The weights that come out of $s^\top W_a H$ stand as a row.

# %% id="columns"
H, alpha_row = h.T, torch.stack(alpha).view(1, 3)  # (2, S), (1, S)
try:
    H @ alpha_row
except RuntimeError as problem:
    print("H α: ", "shapes do not fit" if "shapes" in str(problem) else problem)
print("H αᵀ:", [round(x, 3) for x in (H @ alpha_row.T).squeeze(1).tolist()])
torch.testing.assert_close((H @ alpha_row.T).squeeze(1), torch.tensor(c))

# %% [markdown] id="bmm-text"
# **`bmm` or `@`?** `torch.bmm` takes exactly three dimensions and broadcasts nothing;
# `torch.matmul`, the `@` sign, takes two or more and treats all but the last two as the batch. With
# *two* target steps the `squeeze(1)` above does nothing, and `bmm` meets a fourth dimension.

# %% id="bmm"
left, right_side = torch.randn(2, 3, 4), torch.randn(2, 4, 5)
torch.testing.assert_close(torch.bmm(left, right_side), left @ right_side)
torch.testing.assert_close(left @ right_side, torch.einsum("bik,bkj->bij", left, right_side))
two_steps = A(torch.randn(2, 2, 4).squeeze(1)).unsqueeze(-1)
print("after squeeze(1) and unsqueeze(-1):", tuple(two_steps.shape))
try:
    torch.bmm(h_src, two_steps)
except RuntimeError as problem:
    print("bmm:", str(problem)[:33])

# %% [markdown] id="sleepy"
# ## Bahdanau's decoder, equation by equation
#
# The first translator with attention was that of [Bahdanau, Cho and Bengio
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015). One of the student's notes from which this book
# grew walks through that paper. When we read it, it came to "the formula below is …", showed a
# picture that is lost, and ended: *unfinished post, too sleepy.* Its author has finished it since,
# and so shall we. The equations, in this book's letters:
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

# %% [markdown] id="history"
# > **Who was first?** In neural translation Bahdanau, Cho and Bengio were (2014 on arXiv). Soft
# > windows that slide over an input are older:
# > [Graves (2013)](D_papers.ipynb#cell-id=graves-2013) used one to write handwriting from text, as
# > they say themselves in their section on related work, and
# > [Larochelle and Hinton (2010)](D_papers.ipynb#cell-id=larochelle-2010) and
# > [Mnih et al. (2014)](D_papers.ipynb#cell-id=mnih-2014) let networks glimpse at parts of an image.

# %% [markdown] id="both-ways-text"
# ### Equation (7): states that know both sides
#
# Position 3 of six words. If word 5 is exchanged, which half of $h_3$ changes? And if word 2 is?

# %% id="both-ways-diagram"
both_ways = Encoder(nn.Embedding(100, 8), hidden_size=8).eval()
src = torch.randint(100, (1, 6), generator=generator)
before, _ = both_ways(src, torch.ones(1, 6, dtype=torch.bool))
both_ways_diagram(before[0, :3].detach(), korean_words)

# %% id="both-ways"
for word in (2, 5):
    other = src.clone()
    other[0, word - 1] = (other[0, word - 1] + 1) % 100
    after, _ = both_ways(other, torch.ones(1, 6, dtype=torch.bool))
    ahead, back = (after - before)[0, 2].abs().chunk(2)
    print(f"word {word} exchanged: →h_3 changes by {ahead.max():.2f}, ←h_3 by {back.max():.2f}")

# %% [markdown] id="both-ways-read"
# The forward half knows what came before, the backward half what comes after. An encoder that reads
# one way only has an $h_3$ that is *bit for bit the same* whatever word 5 is. If the translation of
# word 3 depends on the word after it (English *a* or *an*, say), no training can help such a state.

# %% [markdown] id="linear-text"
# ### The alignment model $a$, and why it cannot be linear
#
# The previous decoder state is scored against **every** $h_j$ by a small network with one hidden
# layer, the **additive** score:
#
# $$e_{tj} = v_a^\top \tanh(W_a s_{t-1} + U_a h_j).$$
#
# Leave the tanh away, so that it is linear. Two very different decoder states look at the same four
# keys: by how much do their weights differ, at most?

# %% id="predict-linear"
predict("05.linear", ...)

# %% id="linear"
W, U, v = (torch.randn(*size, generator=generator) for size in ((6, 5), (6, 8), (6,)))
opposite = torch.tensor([[[1.0, 1, 1, 1, 1]], [[-1.0, -1, -1, -1, -1]]])  # two queries s_{t-1}
four_keys = torch.randn(1, 4, 8, generator=generator).expand(2, -1, -1)
gaps = {}
for name, bend in (("linear", lambda x: x), ("tanh", torch.tanh)):
    both = (bend(opposite @ W.T + four_keys @ U.T) @ v).softmax(-1)  # (2, 1, A) + (2, 4, A)
    gaps[name] = float((both[0] - both[1]).abs().max())
    print(f"{name:6}: largest difference of the weights {gaps[name]:.2f}")
reveal("05.linear", gaps["linear"], within=0.005)

# %% [markdown] id="linear-read"
# Exactly none. A linear score is $v^\top W_a s + v^\top U_a h_j$; its first part is the same for
# all $j$, and the softmax does not see what is added to every score. A score that only *adds* a
# part for $s$ to a part for $h_j$ could not look at different words at different steps. (A dot
# product *multiplies* them, so it can.) The bend of the tanh, its **nonlinearity**, is what makes
# the query matter.

# %% [markdown] id="ex-additive-score-text"
# ### Exercise 5.6 · Bahdanau's score
# *Core, 12 minutes.* All scores at once: query (B, T, Hd), keys (B, S, He), `w` (A, Hd), `u`
# (A, He), `v` (A,), result (B, T, S).
#
# <details><summary>Hint 1</summary>
#
# Every query meets every key: the sum W s + U h has four dimensions, (B, T, S, A).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `unsqueeze` puts in a dimension of size 1, and a dimension of size 1 is repeated as needed: (B, T,
# 1, A) + (B, 1, S, A).
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# After the tanh, a product with v sums over the last dimension.
#
# </details>


# %% id="ex-additive-score" tags=["exercise"]
@exercise
def additive_score(query, keys, w, u, v):
    """v^T tanh(W s + U h_j). query (B, T, Hd), keys (B, S, He), w (A, Hd), u (A, He), v (A,)."""
    raise NotImplementedError


# %% [markdown] id="cached-text"
# $U_a h_j$ does not depend on the step, so it is computed once a sentence (the paper's appendix
# A.1.2 says so). What does that save on a translation of 30 words?

# %% id="cached"
module = AdditiveAttention(5, 8, hidden_size=6)
calls = []
module.from_key.register_forward_hook(lambda *_: calls.append(1))
thirty, some_keys = torch.randn(1, 30, 5, generator=generator), four_keys[:1]
again = torch.cat([module(q, some_keys, some_keys)[1] for q in thirty.split(1, 1)], 1)
count_again = len(calls)
prepared = module.prepare(some_keys)
once = [module(q, some_keys, some_keys, prepared=prepared)[1] for q in thirty.split(1, 1)]
print("projections of the keys:", count_again, "or", len(calls) - count_again)
torch.testing.assert_close(again, torch.cat(once, 1))

# %% [markdown] id="cost-read"
# What cannot be saved is the scores. Using every encoder state gives the model more **capacity**;
# it does not make it cheaper. Each of $T$ target words scores each of $S$ source words, where a
# decoder without attention computes no score at all: sentences twice as long need four times as
# many. Bahdanau et al. name it as a drawback themselves.

# %% id="cost"
for length in (10, 20, 40, 80):
    asks, read = torch.zeros(1, length, 5), torch.zeros(1, length, 8)
    print(f"{length:2} words → {length:2} words: {module(asks, read, read)[1].numel():5,} scores")

# %% [markdown] id="s0-text"
# ### The first state
#
# Bahdanau's decoder starts from $s_0 = \tanh(W_s \overleftarrow{h}_1)$: the *backward* state at the
# *first* word, which has just read the whole sentence from its end. In a padded batch it is easy to
# take the wrong corner.

# %% [markdown] id="ex-first-state-text"
# ### Exercise 5.7 · Where the backward reading ends
# *Core, 8 minutes.* `states` (B, S, 2H) holds $[\overrightarrow{h}_j ; \overleftarrow{h}_j]$ of a
# padded batch, `weight` $W_s$ is (D, H). Return $s_0 = \tanh(W_s \overleftarrow{h}_1)$, of shape
# (B, D).
#
# <details><summary>Hint 1</summary>
#
# Which half of the last dimension is backward?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Reading from right to left, which position comes last?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The states of the first position are (B, 2H); their right half is (B, H).
#
# </details>


# %% id="ex-first-state" tags=["exercise"]
@exercise
def first_state(states, weight):
    """s_0 = tanh(W_s ←h_1). states (B, S, 2H) = [→h_j ; ←h_j], weight (D, H) → (B, D)."""
    raise NotImplementedError


# %% [markdown] id="f-text"
# ### The state: a GRU that reads word and context
#
# $f$ is a gated recurrent unit (chapter 2), as in a decoder without attention but for its input:
# the context is concatenated with the *embedding of the previous word*,
# $s_t = \mathrm{GRU}([E y_{t-1} ; c_t],\, s_{t-1})$, and so reaches every gate. $s_{t-1}$ itself
# stays the recurrent state. (The GRU of torch and that of the paper differ in two details: where
# the reset gate multiplies, and which way round the update gate counts. Chapter 2.)

# %% [markdown] id="ex-bahdanau-step-text"
# ### Exercise 5.8 · One step of Bahdanau's decoder
# *Core, 12 minutes.* `attend(query, keys, values, mask)` returns (context, weights), where query is
# (B, 1, Hd), context (B, 1, He) and weights (B, 1, S). `cell(inputs, state)` returns the next state
# (B, Hd) from inputs (B, E + He). Return the new state, and the weights as `attend` returns them,
# (B, 1, S).
#
# <details><summary>Hint 1</summary>
#
# Which state exists *before* the step?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `state.unsqueeze(1)` makes (B, 1, Hd) of (B, Hd); `context.squeeze(1)` goes the other way.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# attend, concatenate word and context, cell. The word comes first.
#
# </details>


# %% id="ex-bahdanau-step" tags=["exercise"]
@exercise
def bahdanau_step(word, state, keys, mask, attend, cell):
    """word E y_{t−1} (B, E), state s_{t−1} (B, Hd), keys (B, S, He) → s_t, weights (B, 1, S)."""
    raise NotImplementedError


# %% [markdown] id="g-text"
# ### The deep output $g$
#
# The word is predicted from all three, $\tilde t_t = U_o s_t + V_o E y_{t-1} + C_o c_t$, of each
# neighboring pair the larger number is kept (**maxout**), and a softmax layer follows. (The paper
# is of two minds: its Eq. (4) has $s_t$ here, its appendix A.2.2 writes $s_{t-1}$. The library
# follows Eq. (4).)
#
# Everything together, against the library's decoder with the same weights:

# %% id="finished"
sizes = {"memory_size": 8, "hidden_size": 5, "output_size": 4, "cell": "gru"}
library = BahdanauDecoder(nn.Embedding(9, 6), **sizes)
read_states = torch.randn(2, 4, 8, generator=generator)
read_mask = lengths_to_mask(torch.tensor([4, 2]))
memory = Memory(read_states, library.prepare(read_states), read_mask, read_states[:, 0])
state, tokens = library.start(memory), torch.tensor([[7], [8]])
features, new, step_weights = library.step(tokens, memory, state)

# %% id="finished-scratch"
gru = GRUCell(6 + 8, 5)
gru.load_state_dict({name[:-3]: p for name, p in library.rnn.named_parameters()})
parts = library.attention
W_a, U_a, v_a = parts.from_query.weight, parts.from_key.weight, parts.v


def attend(query, keys, values, mask):
    alpha = safe_softmax(additive_score(query, keys, W_a, U_a, v_a), mask.unsqueeze(1))
    return weighted_sum(alpha, values), alpha


# %% id="finished-agree"
word_before, s_0 = library.embed(tokens[:, 0]), state["hidden"][:, 0]
s_1, alpha_1 = bahdanau_step(word_before, s_0, read_states, read_mask, attend, gru)
c_1, _ = attend(s_0.unsqueeze(1), read_states, read_states, read_mask)
deep = library.head(torch.cat([s_1, word_before, c_1.squeeze(1)], dim=-1))  # [U_o V_o C_o]
maxout = deep.unflatten(-1, (-1, 2)).amax(-1)  # the larger of each pair
torch.testing.assert_close(alpha_1, step_weights)
torch.testing.assert_close(s_1, new["hidden"][:, 0])
torch.testing.assert_close(maxout, features[:, 0])
print("weights, state and output are those of the library: the post is finished")

# %% [markdown] id="side-text"
# ## Bahdanau beside Luong
#
# **You will often read that** the decoder scores the encoder states with its current state $s_t$
# *and* feeds the context into the same recurrent step. That would need $s_t$ before it exists. What
# is true: there are two decoders, [Bahdanau et al. (2015)](D_papers.ipynb#cell-id=bahdanau-2015)
# and [Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015), and they attend at different
# moments.
#
# | | Bahdanau | Luong |
# |---|---|---|
# | query | $s_{t-1}$ | $s_t$ |
# | order | attend → recurrent step → predict | recurrent step → attend → predict |
# | context enters | the recurrent step, and the output | only $\tilde s_t$, so only the output |
# | state | $s_t = f([E y_{t-1} ; c_t], s_{t-1})$ | $s_t = f(E y_{t-1}, s_{t-1})$ |
# | predicts from | $s_t$, $E y_{t-1}$, $c_t$ | $\tilde s_t = \tanh(W_c [c_t ; s_t])$ |
# | attention for all steps at once in training? | no, each waits for the last | yes, without input feeding |
#
# **Input feeding** (Luong's §3.3) hands $\tilde s_{t-1}$ to the next recurrent step as well, so
# that the model knows where it looked. Only then is $\tilde s$ fed back; without it the recurrent
# state never sees the context.
#
# One step of each, drawn from tensors of small random decoders that get the same word and the same
# four encoder states, of which two are padding. Follow the numbers 1, 2, 3.

# %% id="draw-tools"
decoders = {
    "bahdanau": library,
    "luong": LuongDecoder(nn.Embedding(9, 6), **sizes),
    "input feeding": LuongDecoder(nn.Embedding(9, 6), input_feeding=True, **sizes),
}


def drawn(order):
    """The drawing of one step of a decoder, from its own tensors; the second sentence."""
    decoder = decoders[order]
    memory = Memory(read_states, decoder.prepare(read_states), read_mask, read_states[:, 0])
    start = decoder.start(memory)
    _, _, alpha = decoder.step(tokens, memory, start)
    word, old = decoder.embed(tokens)[1, 0], start["hidden"][1, 0]
    step = [x.detach() for x in (word, old, read_states[1], alpha[1, 0])]
    return decoder_step_diagram(order, *step)


# %% id="draw"
drawn("bahdanau")

# %% id="draw-luong"
drawn("luong")

# %% id="draw-feeding"
drawn("input feeding")

# %% [markdown] id="perturb-text"
# ### Told apart from outside
#
# The table can be tested without reading any code. Change one input, hold the rest, and watch. For
# Bahdanau, Luong, and Luong with input feeding: does $\alpha_t$ change with the previous word
# $y_{t-1}$? Does $s_t$ change with a key $h_j$? Fill in the six answers before you run the cells.


# %% id="perturb"
def answers(decoder):
    """Whether α_t depends on y_{t-1}, s_t on h_j, and s_{t+1} on h_j."""
    first = Memory(read_states, decoder.prepare(read_states), read_mask, read_states[:, 0])
    moved = read_states + 1
    second = first._replace(states=moved, prepared=decoder.prepare(moved))
    start = decoder.start(first)
    _, s_t, alpha = decoder.step(tokens, first, start)
    _, _, alpha_word = decoder.step(tokens - 1, first, start)
    _, s_key, _ = decoder.step(tokens, second, start)
    after, after_key = (decoder.step(tokens, first, state)[1] for state in (s_t, s_key))
    pairs = [(alpha, alpha_word)]
    pairs += [(a["hidden"], b["hidden"]) for a, b in ((s_t, s_key), (after, after_key))]
    return ["no " if torch.equal(a, b) else "yes" for a, b in pairs]


# %% id="perturb-table"
print(f"{'':14}α_t on y_t-1   s_t on h_j   s_t+1 on h_j")
for name, decoder in decoders.items():
    print(f"{name:14}{'            '.join(answers(decoder))}")

# %% [markdown] id="perturb-read"
# Bahdanau: the weights are chosen before the last word is read, and the state feels the keys.
# Luong: the other way round, on both counts. With input feeding the keys reach the state one step
# later. Three models, three fingerprints.

# %% [markdown] id="ex-which-decoder-text"
# ### Exercise 5.9 · Which decoder is it?
# *Hard, 15 minutes.* You get a decoder as a black box: `step(word, state, keys)` returns
# `(new_state, weights)`. Return `"bahdanau"` if it attends before the recurrent step and feeds the
# context to it, `"luong"` if it attends with the new state and keeps the context out of it, and
# `"another"` if it does neither of the two.
#
# <details><summary>Hint 1</summary>
#
# Two questions: do the weights depend on the word? Does the new state depend on the keys?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# There are four pairs of answers. Two have a name.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Call `step` three times: as it is, with `word + 1`, and with `keys + 1`. Do not change the
# arguments in place.
#
# </details>


# %% id="ex-which-decoder" tags=["exercise"]
@exercise
def which_decoder(step, word, state, keys):
    """ "bahdanau", "luong" or "another". step(word (E,), state (H,), keys (S, He)) → (s_t, α_t)."""
    raise NotImplementedError


# %% [markdown] id="shared-text"
# ### One module for all steps
#
# The attention module has no weights of its own for step 1, 2, 3: the same few matrices serve every
# step and every length.

# %% id="shared"
module_b = decoders["bahdanau"].attention
for steps in (1, 5, 50):
    _, at_steps = module_b(torch.zeros(2, steps, 5), read_states, read_states, read_mask)
    size = sum(parameter.numel() for parameter in module_b.parameters())
    print(f"{steps:2} steps: weights {tuple(at_steps.shape)}, parameters {size}")

# %% [markdown] id="gradient-text"
# ## The gradient's shortcut
#
# Attention was invented for information that has to get *forward* from $h_j$ to step $t$. The
# gradient travels the same roads backward, and now there are two: the **chain** (from $s_t$ through
# every decoder step to the last encoder state and on through every encoder step) and the
# **shortcut** (from $c_t$ straight to each $h_j$: through the value, as strong as $\alpha_{tj}$,
# and through the score that made $\alpha_{tj}$). To see one, close the other: `detach()` keeps the
# numbers and stops the gradient.
#
# Here is the trick on two numbers, half done. The loss uses `x` in two places. The first road is
# shown; put the second in place of the dots. The two must add up to the gradient with nothing
# closed. (Left as it is, the cell runs.)

# %% id="faded"
x = torch.tensor([2.0, 3.0], requires_grad=True)


def two_roads(first, second):
    return (first**2).sum() * second.sum()


through_first = torch.autograd.grad(two_roads(x, x.detach()), x)[0]
through_second = ...  # yours: the first road closed, the second open
print("first road:    ", through_first.tolist())
if through_second is not ...:
    print("both together: ", (through_first + through_second).tolist())
print("nothing closed:", torch.autograd.grad(two_roads(x, x), x)[0].tolist())

# %% [markdown] id="ex-gradients-by-path-text"
# ### Exercise 5.10 · One road at a time
# *Hard, 15 minutes.* `encode(x)` gives states (S, H) of an input x (S, E). `decode(keys, last)`
# gives a number, the loss, from all states (S, H) and the last state (H,). Normally the loss is
# `decode(states, states[-1])`. Return two gradients of the loss with respect to x, both (S, E):
# the one that flows only through the keys, and the one that flows only through the last state.
#
# <details><summary>Hint 1</summary>
#
# `torch.autograd.grad(loss, x)[0]` is the gradient, once x is a tensor that requires one: `x =
# x.detach().requires_grad_()`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Build the loss twice. The first time detach the last state, the second time the keys.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The two must add up to the gradient with nothing detached.
#
# </details>


# %% id="ex-gradients-by-path" tags=["exercise"]
@exercise
def gradients_by_path(encode, decode, x):
    """(gradient through the keys, gradient through the last state), both like x (S, E)."""
    raise NotImplementedError


# %% [markdown] id="reach-text"
# ### Before training
#
# An LSTM encoder at torch's usual start, its **initialization**, reads 40 words left to right, an
# LSTM decoder writes; the loss is taken at its fifth step. How large is the gradient at each source
# word? Five random networks. On the chain, how many powers of ten is it smaller at word 1 than at
# word 40?

# %% id="predict-reach"
predict("05.reach", ...)


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


# %% id="reach-numbers"
norms = torch.stack([reach(seed) for seed in range(5)])  # (5 networks, 2 roads, 40 words)
first_word, last_word = norms.mean(0)[:, 0], norms.mean(0)[:, 39]  # (2,): shortcut, chain
ratio = first_word / last_word
print("gradient at word 1 against word 40")
print("  shortcut:", about(ratio[0], 0.25, 4, ".1f"))
print("  chain:   ", about(ratio[1], 1e-11, 1e-6, ".0e"))
reveal("05.reach", -ratio[1].log10(), within=1)

# %% id="reach-figure" tags=["hide-input"]
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

# %% [markdown] id="reach-read"
# A decoder without attention has the falling road alone: at this start, word 1 teaches it nothing.
# With attention every word is reached about equally. But that is no wonder: *untrained* weights are
# nearly equal, so the shortcut is equally wide everywhere. And an LSTM can learn to open its forget
# gates (chapter 2). So what is left of this in the translators that we trained?
#
# One thing is left in any case. The shortcut ends at $h_j$, and $h_j$ is itself the state of a
# recurrent network. Word $k$ reaches $h_j$ only along the encoder's chain:

# %% id="local"
torch.manual_seed(0)
lstm, x = nn.LSTM(32, 32), torch.randn(40, 32, requires_grad=True)
to_last = torch.autograd.grad(lstm(x)[0][29].sum(), x)[0].norm(dim=-1)  # of h_30
print("gradient of h_30, as a share of what word 30 gets")
for distance in (1, 5, 10, 20):
    part = float(to_last[29 - distance] / to_last[29])
    print(f"  word {30 - distance}:", about(part, 1e-7, 0.9, ".0e"))

# %% [markdown] id="local-read"
# At this start each $h_j$ is mostly about its own neighborhood (trained states: test 2 below). The
# shortcut is short because it goes to the *right place*, not because recurrence has gone. (Chapter
# 11 removes it.)

# %% [markdown] id="trained-text"
# ### With trained weights
#
# Now the two translators of the first sitting. Take the gradient of $\log p(y_t)$ for one target
# word, with respect to the embedding $x_j$ of one source word. All of them make a table with a row
# for each target word, like a heat map. How sure the model is changes the length of a whole row, so
# each row is divided by its sum: it says how one word's gradient is *shared out* over the source.


# %% id="trained-rows"
def rows_of(model, batch, roads=("states", "prepared", "final")):
    """Lengths of ∂ log p(y_t) / ∂ x_j, (B, T, S), through these parts of the memory alone."""
    kept = []
    hook = model.encoder.embed.register_forward_hook(lambda _, __, output: kept.append(output))
    memory = model.encode(batch.src, batch.src_mask)
    hook.remove()
    closed = Memory(*(part.detach() for part in memory))
    memory = closed._replace(**{road: getattr(memory, road) for road in roads})
    log_p = model.output(model.decoder(batch.tgt_in, memory)[0]).log_softmax(-1)
    log_p = log_p.gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)  # (B, T)
    rows = [torch.autograd.grad(p.sum(), kept[0], retain_graph=True)[0] for p in log_p.T]
    return torch.stack([row.norm(dim=-1) for row in rows], 1)


attentive = translators["with attention"].model.eval()
one = make_batch([korean.encode(story.src)], [english.encode(story.tgt)])
story_rows = rows_of(attentive, one)[0]  # (T, S), with the end of both sentences
story_shares = (story_rows / story_rows.sum(-1, keepdim=True))[:-1, :-1]

# %% id="trained-map" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(11, 4.2), sharey=True)
pictures = {"weights α": story_weights, "gradient of log p(y), shared out": story_shares}
for ax, (title, table) in zip(axes, pictures.items()):
    image = ax.imshow(table, vmin=0, vmax=1, cmap="Blues", aspect="auto")
    ax.set_xticks(range(12), [label.split("\n")[-1] for label in labels], rotation=60, ha="right")
    ax.set(title=title, xlabel="source token")
    ax.grid(visible=False)
axes[0].set_yticks(range(len(story_weights)), english.tokenize(story.tgt))
fig.colorbar(image, ax=axes, label="share of the row (0 to 1)")
plt.show()

# %% [markdown] id="trained-map-alt"
# <details><summary>The figure in words</summary>
#
# Two heat maps side by side, nine English words down, the meanings of twelve Korean tokens across.
# Left the attention weights, right the gradient. In the rows of the words with a meaning of their
# own the darkest cell is the same in both; the gradient also has paler cells around it.
#
# </details>

# %% [markdown] id="trained-map-read"
# A row at a time the gradient is anything but level: it goes where the row looks. And over the
# whole sentence? Ten test sentences of more than 40 tokens, each source cut into tenths, and every
# row counted alike.

# %% id="trained-tenths"
long_pairs = [p for p, n in zip(corpus.test, lengths) if n > 40][:10]
numbers = [(korean.encode(p.src), english.encode(p.tgt)) for p in long_pairs]
ten_long = make_batch(*zip(*numbers))
cells = ten_long.src_mask.unsqueeze(1) & ten_long.tgt_mask.unsqueeze(2)  # (B, T, S): real ones
tenth = torch.arange(cells.shape[2]) * 10 // ten_long.src_mask.sum(1, keepdim=True)  # (B, S)
by_tenth, row_shares = {}, {}
for name, (kind, width, options) in kinds.items():
    seed_everything(1)
    fresh = make_model(kind, width, **options).eval()
    for when, network in (("untrained", fresh), ("trained", translators[name].model.eval())):
        rows = rows_of(network, ten_long)
        shared = rows / rows.sum(-1, keepdim=True)
        row_shares[name, when] = shared
        inside = [shared[cells & (tenth == n).unsqueeze(1)].sum() for n in range(10)]
        by_tenth[f"{name}, {when}"] = torch.stack(inside) / ten_long.tgt_mask.sum()

# %% id="trained-numbers"
level, sagging = [(0.05, 0.16)] * 3, [(0.1, 0.65), (0, 0.09), (0.08, 0.6)]
print("share of the gradient in the   first    fifth    last tenth of the source")
for name, tenths in by_tenth.items():
    limits = sagging if name.startswith("without") else level
    told = [about(tenths[n], *limit, ".4f") for n, limit in zip((0, 4, 9), limits)]
    print(f"{name:28}", *told)

# %% id="trained-rows-numbers"
heaviest = attentive(ten_long.src, ten_long.src_mask, ten_long.tgt_in)[1].argmax(-1)
away = (torch.arange(cells.shape[2]) - heaviest.unsqueeze(-1)).abs()  # (B, T, S), in tokens
print("one row, with attention: share at the heaviest token, 1 away, 5 away")
peaks = {}
for when, limits in {
    "untrained": [(0.01, 0.05)] * 3,
    "trained": [(0.3, 0.8), (0.03, 0.15), (0.005, 0.05)],
}.items():
    shared = row_shares["with attention", when]
    peaks[when] = [float(shared[cells & (away == d)].mean()) for d in range(11)]
    print(f"  {when:10}", *[about(peaks[when][d], *x, ".3f") for d, x in zip((0, 1, 5), limits)])

# %% id="trained-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(11, 4))
for name, tenths in by_tenth.items():
    style = "-" if name.endswith(", trained") else "--"
    look = {"marker": "s", "color": figures.PALETTE[1]}
    look = {"marker": "o", "color": figures.PALETTE[0]} if name.startswith("with ") else look
    look["markerfacecolor"] = None if style == "-" else "white"
    axes[0].plot(range(1, 11), tenths, style, label=name, **look)
axes[0].set(yscale="log", ylim=(3e-5, 6), title="The sentence, all rows together")
axes[0].set(xlabel="tenth of the source, first word to last", ylabel="share of the gradient")
axes[0].legend(fontsize=9, ncol=2, loc="upper center", handlelength=4)
for when, line in peaks.items():
    style, face = ("-", None) if when == "trained" else ("--", "white")
    look = {"color": figures.PALETTE[0], "marker": "o", "markerfacecolor": face}
    axes[1].plot(line, style, label=f"with attention, {when}", **look)
axes[1].set(xlabel="tokens from the one with the largest weight", ylabel="mean share of a cell")
axes[1].set_title("One row at a time")
axes[1].legend(fontsize=9, handlelength=4)
plt.show()

# %% [markdown] id="trained-alt"
# <details><summary>The figure in words</summary>
#
# Two panels. Left, share of the gradient by tenth of the source, on a logarithmic axis: with
# attention, trained or not, a level line at about a tenth. Without attention two hanging ropes,
# high at both ends and low in the middle: the untrained one hangs down to about a ten-thousandth,
# the trained one to a few hundredths. Right, with attention, one row at a time, against the
# distance from the token with the largest weight: untrained a level line near zero, trained a peak
# of about a half at distance 0 that falls to below a tenth at distance 1 and on toward zero.
#
# </details>

# %% [markdown] id="trained-read"
# Three things can be read from this.
#
# - *Without attention* the ends of the sentence are heard best: the encoder reads both ways, so its
#   last states have just seen the last word and the first one. Before training next to nothing
#   arrives in the middle. Training mended much of that (chapter 2: forget gates can learn to open);
#   the middle still gets a small part of what the ends get. So here the vanishing gradient is
#   above all a trouble of the *start*, which is where learning has to begin.
# - *With attention* each tenth gets about a tenth, before training and after it.
# - But for two reasons. Untrained, because every row is level. Trained, because every row is a
#   **peak**, and the peaks of all rows together cover the sentence. The shortcut has become
#   selective and is as fair as before.

# %% id="trained-recorded"
opened = read_record("05_contributions")["runs"]  # three seeds of three models, looked into
print("recorded, without attention, 40 sentences: fifth tenth against the first")
for run in opened:
    if run["variant"] == "none":
        tenths = run["gradients"]["last state"]["a word"]
        print(f"  seed {run['seed']}: {tenths[4] / tenths[0]:.2f}")

# %% [markdown] id="shares-text"
# Which road carries it? The states are used three times: as values that are mixed, as keys that are
# scored (the scores carry gradient, too), and the last one starts the decoder. The next cell opens
# one road at a time, and compares the gradients where they all arrive, at the word $x_j$. It does
# so before and after training.

# %% id="shares"
roads = {"values h_j": "states", "keys h_j": "prepared", "last state": "final"}


def shares_of_roads(model):
    """Share of a row's gradient that comes by each road, mean over the rows."""
    alone_on = [rows_of(model, ten_long, [part]).masked_fill(~cells, 0).sum(-1)
                for part in roads.values()]
    alone_on = torch.stack(alone_on)[:, ten_long.tgt_mask]  # (3, rows)
    return (alone_on / alone_on.sum(0)).mean(1)


kind, width, options = kinds["with attention"]
seed_everything(1)
before, after = map(shares_of_roads, (make_model(kind, width, **options).eval(), attentive))
expected = {"values h_j": [(0.85, 1), (0.45, 0.95)], "keys h_j": [(0, 0.1), (0.04, 0.5)],
            "last state": [(0, 0.08), (0, 0.08)]}
print("share of a row's gradient   untrained   trained")
for name, *found in zip(roads, before, after):
    told = [about(value, *band, ".0%") for value, band in zip(found, expected[name])]
    print(f"{name:29} {told[0]:10} {told[1]}")

# %% [markdown] id="shares-read"
# The chain through the last state is a side path, and it was one before the first update: that is
# built in, not learned. What training changes is the part of the keys, which is how *where to look*
# is taught. For the decoder without attention the chain is the only road there is.

# %% [markdown] id="same-but-text"
# ## Is it an explanation?
#
# The heat map looks as if the network told its reasons. Does it (**interpretability**)? Five tests,
# from outside in.
#
# ### 1. Do good translators have good maps?
#
# Recorded runs, three seeds each: BLEU beside AER. Is the best translator the one with the best
# map?

# %% id="alignment-record" tags=["hide-input"]
compared = {"luong": "Luong, dot", "general": "Luong, general", "bahdanau": "Bahdanau"}
compared |= {"no-dropout": "dot, no dropout", "states-only": "dot, $h_j$ without $W x_j$"}
compared |= {"general-states-only": "general, $h_j$ without $W x_j$"}
fig, ax = plt.subplots(figsize=(8, 4))
for n, (variant, label) in enumerate(compared.items()):
    look = {"label": label, "color": figures.PALETTE[n], "marker": "osD^vP"[n], "s": 70}
    ax.scatter(recorded(variant).mean(1), recorded(variant, "aer"), **look)
ax.set_title("Translation against alignment (recorded runs, one point for each seed)")
ax.set(xlabel="BLEU (mean of the five ranges)", ylabel="alignment error rate (0 to 1)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="alignment-record-alt"
# <details><summary>The figure in words</summary>
#
# Scatter plot of six kinds of model, three seeds each: mean BLEU on the horizontal axis, alignment
# error rate on the vertical. Nearly all points stand in a column between 98 and 100 BLEU, at error
# rates from 0.02 to 0.15. One point lies apart, at 94 BLEU and 0.2: the general score without
# the word in the keys.
#
# </details>

# %% id="alignment-numbers"
print("recorded             mean BLEU  AER of the three seeds")
for variant in compared:
    rates = sorted(round(rate, 2) for rate in recorded(variant, "aer").tolist())
    print(f"{variant:20}{recorded(variant).mean():9.0f}       {rates}")

# %% [markdown] id="alignment-read"
# Hardly: nearly all of them translate almost without a fault, and their error rates differ widely.
# Bahdanau's decoder translates about as well as Luong's with the general score and has the worse
# map; one and the same model can have quite different maps from seed to seed. Only the point far
# to the left, the worst translator, has the worst map as well.
#
# Why can a good translator look beside the word? By equation (7): a state of a bidirectional
# encoder knows its neighbors, so the decoder may as well fetch a word's meaning from *beside* it.
# With $h_j + W x_j$ as keys and values the word itself is only to be had at its own position.
# Taking $W x_j$ away makes the map of the general score worse with each of three seeds; with the
# dot score the three seeds disagree. [Koehn and Knowles
# (2017)](D_papers.ipynb#cell-id=koehn-2017) saw the extreme in a German–English system: good
# translations, every point of the map off by one. So: attention *often* is an alignment. It does
# not have to be.
#
# ### 2. What is in the state that it looks at?
#
# Exchange one word and see which states change.

# %% id="neighbours"
twenty = [x for x in (korean.encode(p.src) for p in corpus.test) if len(x) == 20]
original, all_real = pad(twenty)
touched = original.clone()
touched[:, 10] = korean.encode("바나나")[0]  # banana
with torch.no_grad():
    one_way, other_way = (attentive.encoder(x, all_real)[0] for x in (original, touched))
change = (one_way - other_way).norm(dim=-1) / one_way.norm(dim=-1)  # (sentences, 20)
change = change[original[:, 10] != touched[:, 10]].mean(0)
print(
    "neighbors, as a share of token 11 itself:",
    about(change[[9, 11]].mean() / change[10], 0.03, 0.5),
)

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
# above 1. Its neighbors on both sides have much lower bars, which shrink with distance.
#
# </details>

# %% [markdown] id="neighbours-read"
# "Looks at word 11" really means "takes the state at position 11", and that state is a mixture.

# %% [markdown] id="norm-text"
# ### 3. Ninety percent of what?
#
# **You will often read that** $0.9 \times h_1$ means 90 % of the focus on word 1. Look at what is
# *added*: the length of $\alpha_{tj} h_j$.

# %% id="norm"
made_up = torch.tensor([[0.01, 0.0], [0.0, 3.0]])  # h_1 is tiny, h_2 is long
parts_of = (torch.tensor([[0.9], [0.1]]) * made_up).norm(dim=1)  # the lengths of α_j h_j
print("weights 90 %, 10 %; shares of the length:", [f"{p:.0%}" for p in parts_of / parts_of.sum()])

# %% [markdown] id="norm-read"
# The word with 90 % of the weight brings 3 % of the length of what is added up. So a weight is not
# a contribution: it says how much of a *value* is taken, and the value may be small. [Kobayashi et
# al. (2020)](D_papers.ipynb#cell-id=kobayashi-2020) therefore look at the length of $\alpha_{tj}$
# times the value, as it is added up. These two vectors are made up; in Kobayashi's Transformers it
# made a difference. In our translator?


# %% id="contributions"
@torch.no_grad()
def state_lengths(pair):
    """The length of each h_j, (S,); the end of the sentence left out."""
    batch = make_batch([korean.encode(pair.src)], [english.encode(pair.tgt)])
    return attentive.encode(batch.src, batch.src_mask).states[0, :-1].norm(dim=-1)


every_length = [state_lengths(p) for p in corpus.test]
added = [weights * size for weights, size in zip(looks_of, every_length)]
added = [part / part.sum(-1, keepdim=True) for part in added]
changed = [a.argmax(-1) != b.argmax(-1) for a, b in zip(looks_of, added)]
low_length, high_length = torch.cat(every_length).quantile(torch.tensor([0.05, 0.95]))
print("long states against short ones:  ", about(high_length / low_length, 1, 3, ".1f"), "times")
print(
    "rows in which another word leads:", about(torch.cat(changed).double().mean(), 0, 0.06, ".1%")
)
print("AER by weights:                  ", about(aer(found_of, links_of), 0, 0.25, ".3f"))
print("AER by lengths:                  ", about(
    aer([links_from_weights(part) for part in added], links_of), 0, 0.2, ".3f"))

# %% id="contributions-recorded"
print("recorded                AER by weights   by lengths   another word leads")
for run in opened:
    if run["variant"] != "none":
        got = run["contributions"]
        rates, leads = got["aer"], got["another is first"]["length"]
        print(f"{run['variant']:12} seed {run['seed']}{rates['weight']:17.3f}{rates['length']:13.3f}"
              f"{leads:17.1%}")

# %% [markdown] id="contributions-read"
# Hardly any difference, here or in three seeds of two models. The lengths of the states differ
# too little to change who leads a row. The doubt was right in principle, and it can be laid to rest
# *for this model*, because it was measured.

# %% [markdown] id="cause-text"
# ### 4. Does a high weight mean that the word mattered?
#
# A direct test of cause: replace source word $j$ by the unknown word and see how far
# $\log p(y_t)$ falls. Compare with $\alpha_{tj}$. For English words that have a gold link: how
# often, in percent, is the word with the largest weight also the one with the largest effect?

# %% id="predict-cause"
predict("05.cause", ...)


# %% id="cause"
@torch.no_grad()
def effects(pair):
    """How much log p(y_t) falls (T, S) when source token j is replaced by the unknown word."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    damaged = [src] + [[UNK if k == j else x for k, x in enumerate(src)] for j in range(len(src))]
    batch = make_batch(damaged, [tgt] * len(damaged))
    logits, _ = attentive(batch.src, batch.src_mask, batch.tgt_in)
    log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)[:, : len(tgt)]
    return (log_p[0] - log_p[1:]).T


some = [p for p in corpus.test if len(korean.encode(p.src)) <= 10][:60]
pairs = [(forced(translators["with attention"], p), effects(p)) for p in some]
content = [sorted({t for _, t in p.links.sure}) for p in some]  # target words with a sure link

# %% id="cause-numbers"
linked_rows = [(a[t], e[t]) for (a, e), words in zip(pairs, content) for t in words]
agreement = sum(int(a.argmax() == e.argmax()) for a, e in linked_rows) / len(linked_rows)
print("largest weight = largest effect:      ", about(agreement, 0.8, 1, ".0%"))
every = torch.cat([torch.stack([a.flatten(), e.flatten()]) for a, e in pairs], 1)
ranks = every.argsort(1).argsort(1).double()
rho = torch.corrcoef(ranks)[0, 1].item()
print("rank correlation over all cells:      ", about(rho, 0.2, 0.8))
idle = (every[1][every[0] > 0.5] < 0.1).double().mean()
print(
    "weights > 0.5 that hardly matter:     ", about(idle, 0.1, 0.45, ".0%"), "(less than 0.1 nats)"
)
reveal("05.cause", 100 * agreement, within=8)

# %% id="cause-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
ax.scatter(every[0], every[1], s=10, alpha=0.4, color=figures.PALETTE[0])
ax.axhline(0, color="#444444", linewidth=1)
ax.set(
    title=f"Weight against effect, {every.shape[1]:,} cells (rank correlation {rho:.2f})",
    xlabel="weight (0 to 1)",
    ylabel="fall of log p, word replaced (nats)",
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

# %% [markdown] id="cause-break-text"
# For words with a gold link the heaviest source word is nearly always the one whose loss hurts
# most: here the weights do tell what mattered. But look at the right edge of the picture, at heavy
# weights without an effect. (A **nat** is the unit of a natural logarithm: 0.1 nats less is a
# probability a tenth smaller.) Whose are they?

# %% id="cause-break"
idle_rows, heavy_rows = {}, {}
for pair, (a, e), words in zip(some, pairs, content):
    for t, word in enumerate(english.tokenize(pair.tgt)):
        group = "articles" if word in ("a", "an", "the") else "periods and the rest"
        group = "words with a gold link" if t in words else group
        j = int(a[t].argmax())
        if a[t, j] > 0.5:
            heavy_rows[group] = heavy_rows.get(group, 0) + 1
            idle_rows[group] = idle_rows.get(group, 0) + int(e[t, j] < 0.1)
ranges = {"words with a gold link": (0, 0.3), "articles": (0.2, 0.9)}
for group in ("words with a gold link", "articles", "periods and the rest"):
    told = about(idle_rows[group] / heavy_rows[group], *ranges.get(group, (0.5, 1)), ".0%")
    print(f"{group:24}: {told} of the weights above 0.5 hardly matter")

# %% [markdown] id="cause-read"
# The idle weights are mostly those of articles, periods and question marks, which the decoder
# knows from its own state. A row *must* sum to 1, so it looks somewhere. A dark cell is not yet a
# reason.

# %% [markdown] id="shuffle-text"
# ### 5. What if the weights were others?
#
# The opposite test (after [Jain and Wallace 2019](D_papers.ipynb#cell-id=jain-2019)): keep the
# words and shuffle the *weights* of each row; or make all weights of a row equal. In their text
# classifiers the answer often did not change, so the weights were no explanation of it. Here: how
# many percent of the words that have a gold link stay the same when the weights are shuffled?

# %% id="predict-shuffle"
predict("05.shuffle", ...)


# %% id="shuffle"
class Shuffled(DotAttention):
    """The weights of each row in another order; one sentence at a time, so no padding."""

    def forward(self, query, keys, values, mask=None, prepared=None):
        _, weights = super().forward(query, keys, values, mask, prepared)
        lot = torch.Generator().manual_seed(0)
        orders = [torch.randperm(weights.shape[2], generator=lot) for _ in weights[0]]
        weights = weights.gather(2, torch.stack(orders).unsqueeze(0))
        return weights @ values, weights


class Equal(DotAttention):
    """All weights of a row alike."""

    def forward(self, query, keys, values, mask=None, prepared=None):
        _, weights = super().forward(query, keys, values, mask, prepared)
        weights = torch.full_like(weights, 1 / weights.shape[2])
        return weights @ values, weights


@torch.no_grad()
def predictions(pair):
    batch = make_batch([korean.encode(pair.src)], [english.encode(pair.tgt)])
    return attentive(batch.src, batch.src_mask, batch.tgt_in)[0][0].argmax(-1)


# %% id="shuffle-numbers"
plain = [predictions(p) for p in some]
as_trained = attentive.decoder.attention
linked = torch.cat([torch.isin(torch.arange(len(row)), torch.tensor(words))
                    for row, words in zip(plain, content)])
stay = {}
print("the same word as before    linked words   other words")
for name, changed_attention in {"shuffled": Shuffled, "all equal": Equal}.items():
    attentive.decoder.attention = changed_attention(128, 128)
    same = torch.cat([a == predictions(p) for a, p in zip(plain, some)]).double()
    attentive.decoder.attention = as_trained
    stay[name] = float(same[linked].mean())
    share_of_others = about(same[~linked].mean(), 0.6, 1, ".0%")
    print(f"weights {name:18} {about(stay[name], 0, 0.7, '.0%'):12}   {share_of_others}")
reveal("05.shuffle", 100 * stay["shuffled"], within=12)

# %% [markdown] id="shuffle-read"
# In this translator the weights decide what is said: shuffled, most words with a meaning change.
# But they decide it *there*. The other words, articles and periods, hardly notice; and with
# equal weights, in sentences as short as these, a good part of the words is still right, since the
# mean of seven or eight states is not empty. A text classifier reads one vector in which every
# state already holds the whole text; a translator needs another word at every step and has to
# fetch it. What a heat map proves depends on the model, the task and the word.

# %% [markdown] id="literature"
# ### What others found
#
# - [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017): does attention agree with a word
#   aligner? Mostly; in one system everything was off by one, and its translations were good.
# - [Jain and Wallace (2019)](D_papers.ipynb#cell-id=jain-2019), *Attention is not explanation*: do
#   other weights give another answer, in text classifiers? Often not.
# - [Serrano and Smith (2019)](D_papers.ipynb#cell-id=serrano-2019), *Is attention interpretable?*:
#   which weights must be erased until the decision changes? Often not simply the largest ones.
# - [Wiegreffe and Pinter (2019)](D_papers.ipynb#cell-id=wiegreffe-2019), *Attention is not not
#   explanation*: what would disprove it? That depends on what one calls an explanation. They
#   propose four tests, of which equal weights are one; other weights that give the same answer can
#   be found, but do badly on another.
# - [Kobayashi et al. (2020)](D_papers.ipynb#cell-id=kobayashi-2020): weights, or lengths of what is
#   added? In Transformers the lengths come closer to an alignment.
#
# They disagree less than their titles. An explanation may be **faithful** (it says what the network
# computed) or only **plausible** (it says what a person likes to hear); a heat map is plausible by
# nature, and faithful as far as tests such as the five above go.
#
# <details><summary>How sure?</summary>
#
# Tests 2, 4 and 5 are of one model, the one trained above (seed 1), on a small corpus that a
# grammar wrote, with one layer of attention. Tests 4 and 5 use 60 sentences of at most ten tokens.
# Tests 1 and 3 have three seeds. Real captions with their heat maps are in chapter 10, without gold
# links; several heads, each with a map of its own, are in chapter 11.
#
# </details>

# %% [markdown] id="ablation-text"
# ## What is needed, and what is decoration?
#
# Each of the following recorded runs changes Luong's decoder, most of them in one thing (*bahdanau*
# in several; *general-feeding* has a narrower state, too); encoder, batches and updates stay. Three
# seeds each. Rank them before you look: all weights equal; context alone without the state; no
# tanh; dot instead of general; vectors cut in half, one half for matching and one for content;
# input feeding; and **local attention** (Luong's §3.2), which may only look at the ten tokens on
# either side of a place $p_t$. *Monotonic*, local-m: $p_t = t$. *Predictive*, local-p: $p_t = S
# \cdot \sigma(v_p^\top \tanh(W_p s_t))$, and weights fall off around it like a bell.

# %% id="ablation" tags=["hide-input"]
made = {run["variant"] for run in record["runs"]}
names = {"luong": "Luong, dot", "general": "Luong, general", "bahdanau": "Bahdanau, additive"}
names |= {"feeding": "input feeding", "general-feeding": "general, input feeding"}
names |= {"no-tanh": "no tanh", "split": "halves: match, content"}
names |= {"local-p": "local, predicted place", "local-m": "local, $p_t = t$"}
names |= {"context-only": r"$\tilde{s}$ from context only", "uniform": "all weights equal"}
names |= {"none": "no attention"}
names = {variant: name for variant, name in names.items() if variant in made}
fig, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True)
for ax, ends, part in zip(axes, ((35, 101), (98, 100.1)), ("all", "the best, enlarged")):
    for row, variant in enumerate(names):
        points = recorded(variant).mean(1)
        look = {"color": figures.PALETTE[row > 0], "markersize": 7, "alpha": 0.7}
        ax.plot(points, [row] * len(points), "os"[row > 0], **look)
    ax.set(xlim=ends, title=part, xlabel="BLEU (mean of the five ranges)")
axes[0].set_yticks(range(len(names)), names.values())
axes[0].invert_yaxis()
fig.suptitle("One change at a time (recorded runs, one point for each seed)")
plt.show()

# %% [markdown] id="ablation-alt"
# <details><summary>The figure in words</summary>
#
# Two dot plots of models, three seeds each, by mean BLEU: all, and the best enlarged. Most of them
# crowd between about 98 and 100. With the context alone two seeds stand there, too, and one near
# 81. Equal weights lie near 55, the model without attention near 41.
#
# </details>

# %% id="ablation-numbers"
parameters = {run["variant"]: run["parameters"] for run in record["runs"]}
print("recorded, three seeds   BLEU: lowest, highest   parameters   new combinations, mean")
for variant in names:
    found, fresh_pairs = recorded(variant).mean(1), on_new(variant).mean()
    ends_of = f"{found.min():15.1f}{found.max():10.1f}"
    print(f"  {variant:16}{ends_of}{parameters[variant]:14,}{fresh_pairs:14.1f}")

# %% [markdown] id="ablation-read"
# - *All weights equal* sees every state and still loses nearly half of its BLEU: what helps is not
#   the access, it is the **choice**. (Its context is one and the same at every step.)
# - *Context only*: two seeds get by, the third falls far behind. What has been written so far had
#   better reach the output, too. This is what the concatenation is for.
# - *No tanh*: no loss that three seeds could show. Decoration, here.
# - *Halves*: a state has two jobs, to predict and to ask, and the encoder's states have two, to be
#   found and to be fetched. Giving each job a half of its own ([Daniluk et al.
#   2017](D_papers.ipynb#cell-id=daniluk-2017)) costs nothing that three seeds could show.
# - *General* has a matrix more than *dot* and translates no better here. Luong et al. found it
#   behind for global attention: 17.3 BLEU with general, 18.6 with dot (their Table 4).
# - *Input feeding* buys nothing that three seeds could show, with either score. Luong et al. gained
#   1.3 BLEU with it on real text (their Table 1).
# - *Local* attention comes within about a point of looking everywhere, on the plain test. On new
#   combinations, in the last column, *local-m* falls behind: $p_t = t$ is a guess about the two
#   languages, and Korean and English do not keep to it. *Local-p* learns its place.
# - *Bahdanau's* order and *Luong's* are equally good here.
#
# The best of them stand close to 100, at the **ceiling** of an easy corpus with fewer than a
# hundred English words: what is equal up there may differ on harder text. Scores are exchangeable
# parts: everything else in the pipeline stayed. Chapter 6 compares them properly.

# %% [markdown] id="larger-text"
# ### Where nothing is at the ceiling
#
# The same changes on `ko-en`, the larger corpus of this book: many times as many words, three times
# the updates, three seeds (recorded with `--corpus ko-en`). Four tests: lengths that were trained
# on; new combinations of known words; sentences of 51 to 70 tokens, longer than any in training;
# and sentences that people wrote with the grammar's words. Rank the changes once more before you
# look: which of those that cost nothing above will cost something here?

# %% id="larger" tags=["hide-input"]
larger = read_record("05_attention_ko-en")
four = {"3–50 tokens": None, "new combinations": "test_composition",
        "51–70 tokens": "test_long", "written by people": "test_written"}


def on_larger(variant, test):
    """BLEU, one number a seed; of the usual test the mean of the five ranges."""
    runs = [run for run in larger["runs"] if run["variant"] == variant]
    if test is None:
        return torch.tensor([run["bleu"] for run in runs]).mean(1)
    return torch.tensor([run["others"][test]["bleu"] for run in runs])


fig, axes = plt.subplots(1, 4, figsize=(11, 4.4), sharey=True)
for ax, (title, test) in zip(axes, four.items()):
    for row, variant in enumerate(names):
        points = on_larger(variant, test)
        look = {"color": figures.PALETTE[row > 0], "markersize": 6, "alpha": 0.7}
        ax.plot(points, [row] * len(points), "os"[row > 0], **look)
    ax.axvline(on_larger("luong", test).mean(), color=figures.PALETTE[0], linewidth=0.8)
    ax.set(title=title, xlabel="BLEU")
axes[0].set_yticks(range(len(names)), names.values())
axes[0].invert_yaxis()
fig.suptitle("One change at a time, on the larger corpus (recorded, one point for each seed)")
plt.show()

# %% [markdown] id="larger-alt"
# <details><summary>The figure in words</summary>
#
# Four dot plots of twelve models, three seeds each, one plot for each test; a line marks Luong's
# decoder with the dot score. On 3 to 50 tokens most stand between 68 and 77, without the tanh at
# the right end, the context alone near 60, equal weights near 50, without attention near 31. The
# order is much the same on new combinations, where most stand near 80, on 51 to 70 tokens, where
# most stand near 48, and on what people wrote, near 32.
#
# </details>

# %% id="larger-numbers"
print("recorded, means of three seeds   3–50      new    51–70   people      AER")
for variant in names:
    averages = "".join(f"{on_larger(variant, test).mean():9.1f}" for test in four.values())
    rates = [run["aer"] for run in larger["runs"] if run["variant"] == variant and "aer" in run]
    print(f"  {variant:26}{averages}", f"{sum(rates) / len(rates):8.2f}" if rates else "       –")

# %% [markdown] id="larger-read"
# Some answers stay, and some turn round:
#
# - *Equal weights* and *no attention* are far behind again. That the choice matters was no accident
#   of the easy corpus.
# - *Context only* got by there in two seeds of three. Here it is ten BLEU and more behind in every
#   seed. What has been written so far is needed.
# - *No tanh*: so far decoration, and here worth removing. Without it the translator is ahead in
#   every seed and on every test, and has the best map of all. A tanh keeps every number of
#   $\tilde s_t$ between −1 and 1; the more words there are to choose from, the larger the scores
#   must be that set one word apart. That is a guess. Three seeds say only that it helps *here*.
# - *Bahdanau's* decoder is ahead of Luong's with the dot score, with a worse map. But it has
#   another score as well: Luong's with the additive score (chapter 6 has its runs) has about the
#   same BLEU up to 50 tokens, and a better map.
# - *Local-m* looked like a poor guess. It is no worse than looking at every state, and on sentences
#   longer than any in training it is ahead of it, perhaps because its window is no wider there.
# - *General* and *local-p*, which have more to learn than *dot*, translate no better with it;
#   *input feeding* and *halves* change little.
#
# An ablation, then, does not tell what a part is good for. It tells what it is good for on this
# corpus, at this budget.

# %% [markdown] id="meeting-text"
# ### How can the dot product work without a matrix?
#
# Earlier a rotation between queries and keys made the dot product helpless. Here two different
# networks make them, and it does as well as any score. One could say that the decoder's recurrent
# network *itself* learns to make states that are good queries. If so, $s_t$ should come to point
# the way of the states that it is linked to: the cosine with them, minus that with all others.


# %% id="meeting"
@torch.no_grad()
def closeness(model):
    """Mean cosine of s_t with the sure-linked states, minus the mean with all others."""
    near, far = [], []
    for p in some:
        batch = make_batch([korean.encode(p.src)], [english.encode(p.tgt)])
        memory, decoder = model.encode(batch.src, batch.src_mask), model.decoder
        s_t, _ = decoder.run(decoder.embed(batch.tgt_in).unsqueeze(1), decoder.start(memory))
        cosine = F.normalize(s_t[0, 0], dim=-1) @ F.normalize(memory.states[0], dim=-1).T
        gold = torch.zeros_like(cosine, dtype=torch.bool)
        gold[[t for _, t in p.links.sure], [j for j, _ in p.links.sure]] = True
        near.append(cosine[gold])
        far.append(cosine[~gold])
    return (torch.cat(near).mean() - torch.cat(far).mean()).item()


# %% id="meeting-numbers"
seed_everything(1)
newborn = make_model(LuongDecoder, 128, attention="dot").eval()
print("before training:", about(closeness(newborn), -0.1, 0.1))
print("after training: ", about(closeness(attentive), 0.2, 0.7))

# %% [markdown] id="meeting-read"
# Two spaces that had nothing to do with one another have met. So the recurrent state does get
# shaped into a good query. So attention is not the learning of a *linear map*: there is no map
# between the two here, and there is attention.

# %% [markdown] id="experiment-text"
# ## Open experiment: change the reader
#
# *30 minutes, no check.* Choose **one** change, or think of another: an encoder that reads *one
# way* only; keys and values *without the word* $W x_j$. Before you train, write down which of three
# numbers you expect to change, and which way: BLEU on the shortest and on the longest range, and
# the alignment error rate. Then put its name in place of `None`, run, and report.
#
# | a report that convinces | |
# |---|---|
# | prediction | written before the run, for each of the three numbers, with a reason |
# | one change | data, updates, learning rate and width are as above; parameters are counted |
# | seeds | at least three, or the sentence says "one run"; the spread is shown |
# | numbers | beside those of the unchanged model with the same seeds |
# | conclusion | could have come out otherwise, and says what it does not show |

# %% id="experiment"
CHANGE = None  # "one way", "no word", or one of your own


def changed_model(change):
    model = make_model(LuongDecoder, 128, attention="dot")
    reads = {"bidirectional": change != "one way", "source_in_memory": change != "no word"}
    model.encoder = Encoder(model.encoder.embed, 128, dropout=0.2, **reads)
    return model


if CHANGE is not None:
    for seed in (1, 2, 3):  # half a minute each
        seed_everything(seed)
        mine = changed_model(CHANGE)
        batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], size=32, seed=seed)
        fit(mine, batches, replace(recipe, seed=seed))
        made_by_me = Translator(mine.eval(), korean, english)
        maps = [links_from_weights(forced(made_by_me, p)) for p in corpus.test]
        bleu_now = [round(score) for score in by_length(made_by_me)]
        print(f"seed {seed}: BLEU by length {bleu_now}, AER {aer(maps, links_of):.2f}")

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
# - Attention removes the bottleneck inside the lengths it was trained on, not beyond.
# - An additive score without its tanh cannot use the query at all.
# - Bahdanau attends with $s_{t-1}$ before the recurrent step, Luong with $s_t$ after it; two
#   perturbations tell them apart.
# - The gradient's shortcut leads, a row at a time, to the few words that the row looks at; over a
#   sentence each part gets its share. The chain begins by losing the middle and never quite mends
#   it.
# - Alignment comes by itself, often and not always; a heat map is a hypothesis to be tested.
#
# **Left out.** Which score is best, and why scores are scaled (chapter 6); feeding the gold word or
# the model's own (chapter 7); how the translation is searched (chapter 8); what BLEU measures
# (chapter 9); coverage, which keeps book of what was already looked at (chapter 8 has its penalty).
#
# **Papers.** [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (Eqs. 4–7,
# §A.1.2, §A.2.2); [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3, footnote
# 14); [Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a),
# [2014b](D_papers.ipynb#cell-id=cho-2014b); [Graves 2013](D_papers.ipynb#cell-id=graves-2013);
# [Larochelle and Hinton 2010](D_papers.ipynb#cell-id=larochelle-2010); [Mnih et al.
# 2014](D_papers.ipynb#cell-id=mnih-2014); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017); [Daniluk et al.
# 2017](D_papers.ipynb#cell-id=daniluk-2017); [Jain and Wallace
# 2019](D_papers.ipynb#cell-id=jain-2019); [Serrano and Smith
# 2019](D_papers.ipynb#cell-id=serrano-2019); [Wiegreffe and Pinter
# 2019](D_papers.ipynb#cell-id=wiegreffe-2019); [Kobayashi et al.
# 2020](D_papers.ipynb#cell-id=kobayashi-2020); [Och and Ney 2003](D_papers.ipynb#cell-id=och-2003)
# (AER).
#
# **Next.** [Chapter 06](06_scores.ipynb) sets the scores side by side: dot, general, concat,
# additive, scaled dot.
