# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 04 · What should a dictionary answer when no key fits?
#
# **What you will be able to do.** Turn an exact dictionary into a soft one in three steps, and say
# what each step is for. Explain why a softmax is not a share of the total. Say how sharply a lookup
# can focus, and set its temperature. Compute its gradient by hand. Recognise attention in a method
# of statistics from 1964, and measure when it is a good one. Write the whole lookup in matrices.
#
# **What you need.** Vectors, the dot product, and what a gradient is for. No network is trained
# here, so you can read this chapter before chapters 1 to 3.
#
# **Time.** 50 minutes to read, 80 more for the seven exercises, at most half a minute to run with
# one thread, on a processor with AVX-512 or with AVX2 alone.

# %% [markdown] id="setup-text"
# The set-up cell: one processor thread, so that the numbers come out the same again.

# %% id="setup" tags=["setup"]
import math
import re
from collections import Counter

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

from attnbook import exercise, progress
from attnlib import figures
from attnlib.data import load_corpus
from attnlib.device import seed_everything
from attnlib.model import DotAttention

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(4)

# %% [markdown] id="dictionary-text"
# ## An exact dictionary
#
# One of the notes that this book grew from explains attention by something every programmer uses:
# a dictionary. You bring a **query** (쿼리), it is compared with every **key** (키), and you get
# the **value** (밸류) of the key that fits. *Attention is the same, where "fits" is a matter of
# degree.* The chapter follows the note, on the note's own numbers, and repairs what breaks on the
# way.
#
# First the exact dictionary, written in a roundabout way that will pay off: compare the query with
# every key, turn the comparisons into **weights** that sum to 1, add up the values times the
# weights. (Python's real dictionary works differently, and much faster.)

# %% id="dictionary"
dictionary = {"computer": 9, "dog": 2, "cat": 3}


def is_same(key, query):
    return 1.0 if key == query else 0.0


def look_up(query, similarity):
    weights = [similarity(key, query) for key in dictionary]
    total = sum(weights)
    weights = [weight / total for weight in weights]
    return sum(weight * value for weight, value in zip(weights, dictionary.values()))


# %% id="exact"
for word in dictionary:
    print(f"{word:8}  dictionary: {dictionary[word]}   look_up: {look_up(word, is_same)}")

# %% [markdown] id="exact-read"
# The same answers, for every key. The weight of the right key is 1, all others are 0, so the sum
# contains one value and nothing else.
#
# **Predict.** `puppy` is not in the dictionary. What does each of the two answer?

# %% id="missing-key"
for name, way in (
    ("dictionary", lambda q: dictionary[q]),
    ("look_up", lambda q: look_up(q, is_same)),
):
    try:
        print(f"{name}: {way('puppy')}")
    except (KeyError, ZeroDivisionError) as problem:
        print(f"{name}: {type(problem).__name__}")

# %% [markdown] id="missing-key-read"
# The dictionary refuses. The note's function fails in a way that its text does not mention: no key
# is the same, all weights are 0, and 0 is divided by 0. Remember this; the same division comes back
# in the last section, in a batch.
#
# It is a pity, too. A puppy is a young dog. A person who knows that a dog is a 2 and a cat is a 3
# would not say "error", but "about 2".

# %% [markdown] id="soft-text"
# ## Make it soft
#
# So ask not *is it the same?* but *how similar is it?* (유사도, **similarity**). Suppose somebody
# gives us numbers. The note's, for `puppy`:

# %% id="soft"
how_similar = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
total = sum(how_similar.values())
for word, value in dictionary.items():
    share = how_similar[word] / total
    print(f"{word:8}  {how_similar[word]} / {total:.1f} = {share:.3f}   × value {value}")
print(f"answer: {look_up('puppy', lambda key, query: how_similar[key]):.4f}")

# %% [markdown] id="soft-read"
# 2.8235. (The note prints 2.823, which is the same number cut off.) Nothing changed in `look_up`
# but the question it asks each key. The answer is a **weighted average** (가중평균) of the values:
# more than half of it is *dog*, a little is *computer*, and because computers have the high value
# 9, that little pulls the answer up.
#
# A soft dictionary has no missing keys, as long as one similarity is above 0. That is a blessing
# and a warning: it *always* answers. For a word that resembles every key equally little, it gives
# the plain mean of all values and does not say that it has no idea.

# %% [markdown] id="ratio-text"
# ### Where the ratio breaks
#
# Each weight was a share of the total (**normalization**, 정규화), $w_j = e_j / \sum_k e_k$, where
# $e_j$ is the similarity, or **score**, of key $j$. Similarities can be negative: the cosine of two
# vectors lies between −1 and 1. Lower the similarity of *cat* step by step.
#
# **Predict.** All values lie between 2 and 9. Can the answer leave this range?

# %% id="ratio-breaks"
values = torch.tensor([9.0, 2.0, 3.0], dtype=torch.double)
for cat in (0.7, 0.0, -0.5, -0.8, -0.98):
    e = torch.tensor([0.1, 0.9, cat], dtype=torch.double)
    ratio = e / e.sum()
    rounded = "  ".join(f"{w:6.1f}" for w in ratio)
    print(f"cat {cat:5.2f}: weights by ratio {rounded}   answer {ratio @ values:6.1f}")

# %% id="ratio-figure"
cats = torch.linspace(-0.99, 0.9, 190, dtype=torch.double)
e = torch.stack([torch.full_like(cats, 0.1), torch.full_like(cats, 0.9), cats], dim=1)
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.axhspan(2, 9, color="#eeeeee", label="from the smallest value to the largest")
ax.plot(cats, e / e.sum(1, keepdim=True) @ values, "--", color=figures.PALETTE[1], label="by ratio")
ax.plot(cats, e.softmax(1) @ values, color=figures.PALETTE[0], label="by softmax")
ax.set(ylim=(-6, 10), xlabel="similarity of cat (cosine, −1 to 1)", ylabel="answer (a value)")
ax.set_title("One similarity is lowered: two ways to make weights")
ax.legend(loc="lower right")
plt.show()

# %% [markdown] id="ratio-figure-alt"
# <details><summary>The figure in words</summary>
#
# The answer against the similarity of cat. A grey band marks the values from 2 to 9. The solid
# curve, by softmax, stays inside the band everywhere. The dashed curve, by ratio, is in the band on
# the right, falls out of it at about minus 0.7 and dives below minus 6 near minus 1.
#
# </details>

# %% [markdown] id="ratio-read"
# It can. Two similarities of opposite sign cancel in the total, the shares become larger than 1 and
# smaller than 0, and near −1, where the total is 0, the "average" of 2, 3 and 9 runs away towards
# minus infinity. A ratio makes sense only where every score is positive. The other curve shows what
# we want; it is the next step.

# %% [markdown] id="softmax-text"
# ## Softmax is not the ratio
#
# The note goes on to vectors and replaces the ratio by the **softmax**: first take the exponential,
# which is positive whatever the score, then divide by the sum.
#
# $$\alpha_j = \frac{\exp e_j}{\sum_k \exp e_k}$$
#
# It says: *softmax fixes the sum at 1, so each weight is filled with its share of the total
# similarity.* The first half is right.
#
# **Predict.** The similarities are still .1, .9 and .7. Will the answer still be 2.8235?

# %% id="softmax"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double)
for name, weights in (("ratio", e / e.sum()), ("softmax", e.softmax(0))):
    print(f"{name:8}", [round(w, 3) for w in weights.tolist()], f"answer {weights @ values:.3f}")

# %% id="softmax-figure"
fig, ax = plt.subplots(figsize=(7.5, 3.4))
for n, (name, weights) in enumerate((("ratio", e / e.sum()), ("softmax", e.softmax(0)))):
    places = torch.arange(3) + 0.36 * (n - 0.5)
    bars = ax.bar(places, weights, 0.34, color=figures.PALETTE[n], hatch="/"[:n], label=name)
    ax.bar_label(bars, fmt="%.3f")
ax.set_xticks(range(3), [f"{word}\nsimilarity {how_similar[word]}" for word in dictionary])
ax.set(ylabel="weight (0 to 1)", ylim=(0, 0.65), title="The same similarities, two sets of weights")
ax.legend()
plt.show()

# %% [markdown] id="softmax-figure-alt"
# <details><summary>The figure in words</summary>
#
# Paired bars for computer, dog and cat. By ratio the weights are 0.059, 0.529 and 0.412, by softmax
# 0.198, 0.441 and 0.361: the softmax gives the computer more than three times as much and is
# flatter.
#
# </details>

# %% [markdown] id="softmax-read"
# No: 3.748. So the second half of the sentence is not right. A softmax weight is a share of the
# total of the *exponentials*. *Dog* is nine times as similar as *computer*, but its exponential is
# only $e^{0.9}/e^{0.1} = e^{0.8} \approx 2.2$ times as large, and that is the ratio of their
# weights. The computer gets a fifth, and its 9 pulls the answer up.
#
# | | ratio | softmax |
# |---|---|---|
# | $j$'s weight over $k$'s | $e_j / e_k$: their *ratio* | $e^{e_j - e_k}$: their *difference* |
# | a score of 0 | weight 0 | a weight like any other |
# | negative scores | break it | are welcome |
# | unchanged when all scores are | multiplied by the same number | increased by the same number |
#
# The last line, checked, and one line more:


# %% id="invariance"
def ratio(e):
    return e / e.sum()


print("+100 changes the ratio:  ", not torch.allclose(ratio(e + 100), ratio(e)))
print("+100 changes the softmax:", not torch.allclose((e + 100).softmax(0), e.softmax(0)))
print("×3 changes the ratio:    ", not torch.allclose(ratio(3 * e), ratio(e)))
print("×3 changes the softmax:  ", not torch.allclose((3 * e).softmax(0), e.softmax(0)))
print("ratio = softmax of the logarithms:", torch.allclose(ratio(e), e.log().softmax(0)))

# %% [markdown] id="invariance-read"
# The two are one family: where all similarities are positive, the ratio *is* a softmax, of their
# logarithms. (A score of 0 has the logarithm −∞; that is why its weight is 0.) Keep both facts in
# mind: that *adding* changes nothing will save us a term, and that *multiplying* changes much will
# be a cure.

# %% [markdown] id="ex-soft-lookup-text"
# ### Exercise 4.1 · The soft dictionary
# *Warm-up, 8 minutes.* Given the similarities of all keys (S,) and their values (S,), return the
# answer, one number. `kind` says how weights are made: `"ratio"` or `"softmax"`.
#
# <details><summary>Hint 1</summary>Two steps: first the weights, which sum to 1; then the sum of
# weight times value. Only the first differs between the kinds.</details>
# <details><summary>Hint 2</summary>For the softmax take `torch.exp` of the similarities first (or
# `similarities.softmax(0)`), then divide by the sum.</details>
# <details><summary>Hint 3</summary>`(weights * values).sum()`, or `weights @ values`.</details>


# %% id="ex-soft-lookup" tags=["exercise"]
@exercise
def soft_lookup(similarities, values, kind):
    """Σ_j w_j v_j, where the weights w sum to 1. Both (S,), kind "ratio" or "softmax" → scalar."""
    ### BEGIN SOLUTION
    if kind == "ratio":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.softmax(dim=0)
    return weights @ values
    ### END SOLUTION


# %% id="soft-lookup-use"
for kind in ("ratio", "softmax"):
    print(f"{kind:8} {soft_lookup(e, values, kind):.4f}")

# %% [markdown] id="vectors-text"
# ## Vectors as keys, queries and values
#
# Who says that *puppy* is 0.9 similar to *dog*? If every word is a vector, geometry does. The note
# imagines a function `word2vec` and then writes `{word2vec('dog'): …}`, a dictionary with lists as
# keys. That line cannot run:

# %% id="unhashable"
try:
    {[0.1, 0.3]: 2}
except TypeError as problem:
    print("a list as a key:", "unhashable" in str(problem) and "unhashable")

stored = {torch.tensor([0.1, 0.3]): 2}
print("a tensor as a key, found again:", torch.tensor([0.1, 0.3]) in stored)

# %% [markdown] id="unhashable-read"
# Lists change, so Python does not take them as keys. Tensors it takes, but finds each one again
# only by *being* it, not by its numbers, which is worse: no error, and nothing is ever found. What
# we need is not a Python dictionary at all, just two tables with a row for each of the $S$ entries,
# each row a vector of $H$ numbers: **keys** (S, H) and **values** (S, H); and a query (H,), one
# such vector.
#
# Now for real word vectors. An old recipe needs no network: words that keep the same company mean
# similar things ([Firth 1957](D_papers.ipynb#cell-id=firth-1957)). In the book's own corpus count,
# for every English word that occurs at least 50 times, which words stand directly before and
# directly after it. Then ask how much *more often* than by chance each neighbour occurs: $\max(0,
# \log \frac{\text{count}}{\text{expected}})$, the positive pointwise mutual information.

# %% id="count"
sentences = [re.findall(r"[a-z'-]+", pair.tgt.lower()) for pair in load_corpus("ko-en").train]
counts = Counter(word for sentence in sentences for word in sentence)
words = sorted(word for word, count in counts.items() if count >= 50)
number = {word: n for n, word in enumerate(words)}
pairs = [
    (number[a], number[b])
    for s in sentences
    for a, b in zip(s, s[1:])
    if a in number and b in number
]
print(f"{len(words)} words, {len(pairs):,} pairs of neighbours")

# %% id="word-vectors"
before, after = torch.tensor(pairs).T
ones = torch.ones(len(pairs), dtype=torch.double)
table = torch.zeros(len(words), 2 * len(words), dtype=torch.double)
table.index_put_((after, before), ones, accumulate=True)  # left half: what stands before it
table.index_put_((before, len(words) + after), ones, accumulate=True)  # right half: after it

expected = table.sum(1, keepdim=True) * table.sum(0) / table.sum()
vectors = torch.where(table > 0, (table / expected).log(), 0.0).clamp(min=0)
vectors = F.normalize(vectors, dim=1)  # length 1: a dot product is now a cosine
print("vectors:", tuple(vectors.shape))

# %% [markdown] id="cosine-text"
# The **cosine similarity** (코사인 유사도) of two vectors is their dot product divided by both
# lengths: 1 if they point the same way, 0 at right angles, −1 if opposite.
#
# **Predict.** The note made up .1, .9 and .7 for *computer*, *dog* and *cat*. What will counting
# say?

# %% id="cosine"
puppy = vectors[number["puppy"]]
keys = torch.stack([vectors[number[word]] for word in dictionary])  # (S, H) = (3, 1524)
for word, key in zip(dictionary, keys):
    print(f"{word:8} {puppy @ key:.2f}")

# %% [markdown] id="cosine-read"
# The computer is far off, as in the note. But counting turns *dog* and *cat* round. It knows
# nothing of animals, only of company. Here a puppy and a cat are found or met, look cold, are
# brought home and washed, often in the same words; a dog is rare, and does other things. So
# *similar* means here: said in the same places. (Word2vec, [Mikolov et al.
# 2013](D_papers.ipynb#cell-id=mikolov-2013), learns shorter vectors from much more text; the
# principle is the same. These vectors have no negative numbers, so their cosines are never below
# 0.)
#
# Now the note's last version: cosine, softmax, and **the values are the keys themselves**. Once as
# a loop one can follow, then in two matrix products, then by the library.

# %% id="loop"
exponentials = [math.exp(sum((puppy * key).tolist())) for key in keys]
alpha = [x / sum(exponentials) for x in exponentials]
answer = sum(a * key for a, key in zip(alpha, keys))

scores = keys @ puppy  # (S, H) (H,) → (S,)
weights = scores.softmax(dim=0)  # (S,)
context = weights @ keys  # (S,) (S, H) → (H,)

query, batch = puppy.view(1, 1, -1), keys.unsqueeze(0)  # (B, T, H), (B, S, H)
theirs, their_weights = DotAttention(1524, 1524)(query, batch, batch)
torch.testing.assert_close(torch.tensor(alpha, dtype=torch.double), weights)
torch.testing.assert_close(answer, context)
torch.testing.assert_close(theirs[0, 0], context)
torch.testing.assert_close(their_weights[0, 0], weights, check_dtype=False)
print("loop, matrices and library agree; weights", [round(w, 2) for w in weights.tolist()])

# %% [markdown] id="loop-read"
# These three lines, scores → weights → context, are **attention** (어텐션). The weights, which sum
# to 1, are also called the **attention distribution** (어텐션 분포). The result is called the
# **context** $c$ because that is its job in a translator. What did we fetch? A vector is hard to
# read, so ask which words it is closest to.

# %% id="fetched"
closeness = F.cosine_similarity(vectors, context.unsqueeze(0))
for value, n in zip(*closeness.topk(4)):
    print(f"{words[n]:8} {value:.2f}")

# %% [markdown] id="fetched-read"
# Something between *cat* and *dog*, and close to *puppy*, although no *puppy* was among the keys.
# And a fifth of it is computer. That computer is the next problem.

# %% [markdown] id="focus-text"
# ## Cosine and softmax cannot focus
#
# In a dictionary of three keys, the computer got 0.20 of the weight. What happens among 762? To
# give the lookup every chance, let the query be **a key itself**: look up *puppy* in the table of
# all words, *puppy* included. An exact dictionary would give it 1.
#
# **Predict.** What weight does the one key that is exactly right get: 0.9, 0.1, or 0.004?

# %% id="crowd"
everything = vectors @ vectors.T  # cosines of all pairs of words
own = everything.softmax(dim=1).diagonal()  # the weight of each word when it is the query
print(f"smallest {own.min():.4f}   largest {own.max():.4f}   an even share {1 / len(words):.4f}")

# %% [markdown] id="bound-text"
# Between two and three times an even share, and next to nothing, for every word. Better vectors
# would not help by much. A cosine lies between −1 and 1, so the best that can happen is: the right
# key has cosine 1 and all $n - 1$ others point in exactly the opposite direction, −1. Then its
# weight is
#
# $$\alpha_{\max} = \frac{e^{1}}{e^{1} + (n-1)\,e^{-1}} = \frac{e^2}{e^2 + n - 1}.$$

# %% [markdown] id="ex-max-cosine-weight-text"
# ### Exercise 4.2 · The sharpest it can be
# *Warm-up, 5 minutes.* Return the largest weight that one of `n` keys can get when scores are
# cosines and weights are their softmax. A plain number.
#
# <details><summary>Hint 1</summary>One key has score 1. Which score do the others have in the best
# case?</details>
# <details><summary>Hint 2</summary>Write the softmax with these scores, then multiply numerator and
# denominator by e.</details>
# <details><summary>Hint 3</summary>`math.e ** 2` is e². How many *other* keys are
# there?</details>


# %% id="ex-max-cosine-weight" tags=["exercise"]
@exercise
def max_cosine_weight(n):
    """The largest softmax weight that n cosines allow: an upper bound. int → float."""
    ### BEGIN SOLUTION
    return math.e**2 / (math.e**2 + n - 1)
    ### END SOLUTION


# %% id="bound"
for n in (3, 20, 50, len(words)):
    print(f"{n:3} keys: at most {max_cosine_weight(n):.3f}")

# %% [markdown] id="attack-text"
# Do not believe a bound that nobody attacked. Take 20 random keys and move them by gradient ascent
# so that the first gets as much weight as possible:

# %% id="attack"
target = torch.tensor([1.0, 0.0, 0.0], dtype=torch.double)
moving = torch.randn(20, 3, generator=generator, dtype=torch.double).requires_grad_()
optimizer = torch.optim.Adam([moving], lr=0.1)
for step in range(301):
    weight = F.cosine_similarity(moving, target, dim=1).softmax(0)[0]
    if step % 100 == 0:
        print(f"update {step:3}: weight {weight:.3f}   bound {max_cosine_weight(20):.3f}")
    optimizer.zero_grad()
    (-weight).backward()
    optimizer.step()

# %% id="bound-figure-data"
sizes = (3, 10, 30, 100, 300, 762)
measured = []
for n in sizes:  # 200 small dictionaries of n words; the first word is the query
    picks = [torch.randperm(len(words), generator=generator)[:n] for _ in range(200)]
    measured.append(sum(everything[p[0], p].softmax(0)[0].item() for p in picks) / 200)

# %% id="bound-figure"
n = torch.logspace(0.3, 3, 60, dtype=torch.double)
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.loglog(
    n, math.e**2 / (math.e**2 + n - 1), color=figures.PALETTE[0], label="bound e²/(e² + n − 1)"
)
ax.loglog(
    n, math.e / (math.e + n - 1), "--", color=figures.PALETTE[2], label="others at right angles"
)
ax.loglog(n, 1 / n, ":", color=figures.PALETTE[6], label="even share 1/n")
ax.loglog(
    sizes, measured, "s", color=figures.PALETTE[1], markersize=7, label="word vectors, measured"
)
ax.set(xlabel="number of keys n", ylabel="weight of the right key (0 to 1)")
ax.set_title("Cosine and softmax: the more keys, the less focus")
ax.legend()
plt.show()

# %% [markdown] id="bound-figure-alt"
# <details><summary>The figure in words</summary>
#
# Log-log plot of the weight of the right key against the number of keys from 2 to 1000. Three
# falling lines: the bound on top, below it the curve for keys at right angles, lowest the even
# share. Orange squares, measured with word vectors, lie on or just below the middle curve.
#
# </details>

# %% [markdown] id="bound-read"
# The attack (from one random start) ends at the bound and not beyond. The measured word vectors do
# worse: most words have nothing to do with one another, so their cosine is near 0, not −1, and the
# points follow the middle curve. And however many keys there are, bare cosine and softmax never
# give a key more than $e^2 \approx 7.4$ times its even share. The note says of this function that
# it *finds the keys similar to the query*. On three keys it looks like that; on 762 it is hardly
# more than an average of everything.

# %% [markdown] id="temperature-text"
# ## Temperature
#
# The cure is the fact from above: multiplying scores changes a softmax. Divide them by a number
# $\tau > 0$, the **temperature**:
#
# $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_k \exp(e_k / \tau)}$$
#
# **Predict.** What do the weights of *computer*, *dog* and *cat* become when $\tau$ is tiny? And
# when it is huge?

# %% id="temperature"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double)
for tau in (0.01, 0.1, 0.5, 1.0, 100.0):
    weights = (e / tau).softmax(0)
    print(f"τ = {tau:6}: {[round(w, 3) for w in weights.tolist()]}   answer {weights @ values:.3f}")

# %% id="temperature-figure"
taus = torch.logspace(-2, 1.3, 120, dtype=torch.double)
curves = (e / taus.unsqueeze(1)).softmax(1)
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, word in enumerate(dictionary):
    ax.semilogx(taus, curves[:, n], ("-", "--", ":")[n], color=figures.PALETTE[n], label=word)
ax.axvline(1, color="#888888", linewidth=1)
ax.annotate("bare softmax", (1.05, 0.9), color="#444444")
ax.set(xlabel="temperature τ (log scale)", ylabel="weight (0 to 1)")
ax.set_title("Cold picks the nearest key, hot averages all")
ax.legend(loc="center left")
plt.show()

# %% [markdown] id="temperature-figure-alt"
# <details><summary>The figure in words</summary>
#
# The weights of computer, dog and cat against the temperature from 0.01 to 20. On the cold left dog
# has weight 1 and the others 0; with rising temperature first cat, then computer rise, and on the
# hot right all three meet at one third. A grey line marks temperature 1.
#
# </details>

# %% [markdown] id="temperature-read"
# Cold ($\tau \to 0$) gives the hard choice of the nearest key; hot ($\tau \to \infty$) gives the
# plain mean of the values, $(9 + 2 + 3)/3$. The exact dictionary is one end of the scale, "no idea"
# the other. (Between equal scores no temperature decides: they always share alike.)
#
# How cold must it be? With temperature the best case becomes $e^{2/\tau} / (e^{2/\tau} + n - 1)$.
# Solve for $\tau$.

# %% [markdown] id="ex-temperature-for-text"
# ### Exercise 4.3 · How cold must it be?
# *Core, 12 minutes.* Return the temperature at which the largest weight that `n` cosines allow is
# `target`. No temperature makes it 1 or more, and none makes it $1/n$ or less: for such targets
# raise a `ValueError`.
#
# <details><summary>Hint 1</summary>Call $x = e^{2/\tau}$. Then $x / (x + n - 1) =$ target: solve
# for $x$ first.</details>
# <details><summary>Hint 2</summary>$x = \text{target}\,(n-1) / (1 - \text{target})$, and
# $2/\tau = \log x$ with the natural logarithm, `math.log`.</details>
# <details><summary>Hint 3</summary>Check the target before you compute:
# `if not 1 / n < target < 1: raise ValueError("…")`.</details>


# %% id="ex-temperature-for" tags=["exercise"]
@exercise
def temperature_for(n, target):
    """The τ at which e^(2/τ) / (e^(2/τ) + n − 1) = target. ValueError where there is none."""
    ### BEGIN SOLUTION
    if not 1 / n < target < 1:
        raise ValueError(f"target must lie between 1/{n} and 1, got {target}")
    return 2 / math.log(target * (n - 1) / (1 - target))
    ### END SOLUTION


# %% id="learn-temperature"
best_case = torch.tensor([1.0] + [-1.0] * 19, dtype=torch.double)
log_tau = torch.zeros((), dtype=torch.double, requires_grad=True)  # τ = e^0 = 1: bare softmax
optimizer = torch.optim.Adam([log_tau], lr=0.05)
for _ in range(300):
    loss = ((best_case / log_tau.exp()).softmax(0)[0] - 0.9) ** 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"20 keys, weight 0.9: by formula τ = {temperature_for(20, 0.9):.3f}, learnt τ = "
      f"{log_tau.exp():.3f}")  # fmt: skip

# %% [markdown] id="learn-temperature-read"
# The temperature is an ordinary parameter: gradient descent finds it as well. (It learns $\log
# \tau$, so that $\tau$ cannot become negative.) And the real words, which are no best case?

# %% id="words-temperature"
print(f"best case, {len(words)} keys, weight 0.9: τ = {temperature_for(len(words), 0.9):.2f}")
for tau in (1.0, 0.23, 0.1, 0.05, 0.02, 0.002):
    own = (everything / tau).softmax(1).diagonal()
    print(f"τ = {tau:5}: right key on average {own.mean():.2f}, at worst {own.min():.2f}")

# %% id="twins"
twins = (everything > 0.9999).double()
groups = {" ".join(words[j] for j in row.nonzero()) for row in twins if row.sum() > 1}
print("words with one and the same vector:", *sorted(groups), sep="\n  ")

# %% [markdown] id="twins-read"
# The formula gives the *warmest* temperature at which such a weight is possible at all; real keys
# need it colder. And even at 0.002 the worst key has only 0.43: some keys are nearly the same, and
# *shorter* and *taller* entirely. In this corpus they stand only between "is" and "than", so they
# have one and the same vector, and share the weight however cold it is. (They are opposites, too:
# the company of a word does not tell its meaning.) A lookup cannot tell apart what its keys do not.
#
# **Who sets the temperature in a translator?** Nobody, it seems: the score there is often a bare
# dot product. But $q^\top k = \lVert q \rVert\,\lVert k \rVert \cos(q, k)$, and the lengths are
# free to grow. A long query *is* a low temperature:

# %% id="length"
sharp = (keys @ puppy / 0.1).softmax(0)
long_query = 10 * puppy
print("cosine with τ = 0.1 =  dot product with a query of length 10:",
      torch.allclose(sharp, (keys @ long_query).softmax(0)))  # fmt: skip
scaled = F.scaled_dot_product_attention(query, batch, batch, scale=10.0)
print("F.scaled_dot_product_attention(…, scale = 10) fetches the same:",
      torch.allclose(scaled[0, 0], sharp @ keys))  # fmt: skip

# %% [markdown] id="length-read"
# So networks learn their temperature by the length of their vectors. Those that do compare by
# cosine need the factor: [Graves, Wayne and Danihelka (2014)](D_papers.ipynb#cell-id=graves-2014),
# whose Neural Turing Machine looks up its memory by cosine and softmax as the note does, first
# multiply by a **key strength** that the network itself puts out. Chapter 6 comes back to the
# lengths: in high dimensions dot products tend to be too large by themselves, and are divided by
# $\sqrt{d}$.

# %% [markdown] id="gradient-text"
# ## Why soft? A hard lookup cannot learn
#
# Soft answers for missing keys are pleasant, but the true reason for softness is another. A network
# learns by gradients: *if this number were a little larger, how would the answer change?* Put three
# keys on a line, at 1, 2 and 4, with our values 9, 2 and 3, and let the query be a number. The hard
# lookup takes the nearest key; for the soft one, the score is minus half the squared distance.
#
# **Predict.** Move the query from 1.30 to 1.31. How much does each answer change?

# %% id="line"
places = torch.tensor([1.0, 2.0, 4.0], dtype=torch.double)


def hard(x):
    return values[(x - places).abs().argmin()]


def soft(x, tau=0.15):
    return (-0.5 * (x - places) ** 2 / tau).softmax(0) @ values


# %% id="finite-differences"
x = torch.tensor(1.3, dtype=torch.double, requires_grad=True)
for name, way in (("hard", hard), ("soft", soft)):
    slope = (way(x + 1e-4) - way(x - 1e-4)) / 2e-4  # finite differences: try it
    try:
        told = f"{torch.autograd.grad(way(x), x)[0]:.3f}"
    except RuntimeError as problem:
        told = "no path back to x" if "grad" in str(problem) else str(problem)
    print(f"{name}: by trying {slope:.3f}, by autograd {told}")

# %% id="gradient-figure"
grid = torch.linspace(0, 5, 400, dtype=torch.double)
fig, axes = plt.subplots(2, 1, figsize=(7.5, 5), sharex=True)
for n, (name, way) in enumerate({"hard": hard, "soft, τ = 0.15": soft,
                                 "soft, τ = 1.5": lambda x: soft(x, 1.5)}.items()):  # fmt: skip
    answers = torch.stack([way(x) for x in grid])
    look = {"color": figures.PALETTE[(6, 0, 1)[n]], "linestyle": (":", "-", "--")[n], "label": name}
    axes[0].plot(grid, answers, **look)
    slopes = answers.diff() / grid.diff()
    axes[1].plot(grid[1:], slopes.masked_fill(slopes.abs() > 30, torch.nan), **look)
axes[0].plot(places, values, "o", color="#444444", markersize=8, label="keys and their values")
axes[0].set(ylabel="answer (a value)", title="The answer, and its slope, as the query moves")
axes[1].set(xlabel="query x", ylabel="slope of the answer")
axes[0].legend(fontsize=9)
plt.show()

# %% [markdown] id="gradient-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two panels against the query from 0 to 5. Above: the hard answer is a staircase of three steps, 9,
# 2, 3; the soft answer with temperature 0.15 follows it in a smooth curve; with temperature 1.5 it
# falls gently all the way. Below: the slope of the hard answer is 0 everywhere; that of the colder
# soft one has a deep dip at the first step and a small bump at the second, and is 0 in between and
# outside; that of the warmer one is a little below 0 nearly everywhere.
#
# </details>

# %% [markdown] id="gradient-read"
# The hard answer does not change *at all*, and that is the trouble. Its gradient is not just small:
# it is zero everywhere except at the steps, where there is none, exactly as the note says of
# `is_same`. Nothing tells the query which way to go. The soft answer has a slope (from 1.30 to 1.31
# it falls by about a hundredth of it, 0.08), so it can be trained.
#
# Soft alone is not enough, though. Look at the colder curve: away from the steps it is as flat as
# the hard one. **Cold lookups focus well and learn badly.**
#
# And one thing to be exact about: who gets no gradient?

# %% id="value-gradient"
fetched = values.clone().requires_grad_()
nearest = (x - places).abs().argmin()
slopes = torch.autograd.grad(fetched[nearest], fetched)[0]
print("hard lookup, slope for the three values:", slopes.tolist())

# %% [markdown] id="value-gradient-read"
# The *value* that was fetched does get one, even from a hard lookup. It is the query and the keys,
# the choice itself, that cannot be learnt.

# %% [markdown] id="by-hand-text"
# ### The gradient by hand
#
# How does the answer $c = \sum_k \alpha_k v_k$ change with one score $e_j$? Two things happen: the
# weight of $j$ rises, and so that the sum stays 1, all weights, $j$'s too, shrink by the same
# factor. Written out, $\partial \alpha_k / \partial e_j = \alpha_k ([k = j] - \alpha_j)$, where
# $[k = j]$ is 1 for the key itself and 0 for the others. Summed up:
#
# $$\frac{\partial c}{\partial e_j} = \alpha_j\,(v_j - c)$$
#
# It is worth reading aloud. *Raising a score pulls the answer towards its value, in proportion to
# the weight it has already.* A value equal to the answer has no pull; nor has a key with no weight.

# %% [markdown] id="ex-lookup-gradient-text"
# ### Exercise 4.4 · The gradient of a lookup
# *Hard, 20 minutes.* Scores (S,), values (S, H), one vector a key; a score may be as large as 200.
# Return the gradient (S, H): row $j$ holds $\partial c / \partial e_j$. For `kind="soft"` the
# answer is $c = \sum_k \alpha_k v_k$ with $\alpha = \mathrm{softmax}(e)$. For `kind="hard"` it is
# the value of the largest score.
# Without autograd, please: the formula is shorter. Before you look at the formula above once more,
# try to derive it.
#
# <details><summary>Hint 1</summary>The hard answer: add a little to any score. Does it
# change?</details>
# <details><summary>Hint 2</summary>Soft: compute the weights (S,) and the answer c (H,) first.
# `values - c` is (S, H).</details>
# <details><summary>Hint 3</summary>Each row is multiplied by its own weight:
# `weights.unsqueeze(1)` is (S, 1).</details>


# %% id="ex-lookup-gradient" tags=["exercise"]
@exercise
def lookup_gradient(scores, values, kind):
    """Row j = ∂c/∂e_j of the lookup "soft" or "hard". scores (S,), values (S, H) → (S, H)."""
    ### BEGIN SOLUTION
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(dim=0)  # (S,)
    return weights.unsqueeze(1) * (values - weights @ values)
    ### END SOLUTION


# %% id="gradient-agree"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double, requires_grad=True)
by_autograd = torch.autograd.grad(e.softmax(0) @ values, e)[0]
by_formula = lookup_gradient(e.detach(), values.unsqueeze(1), "soft").squeeze(1)
torch.testing.assert_close(by_formula, by_autograd)
for word, slope in zip(dictionary, by_formula):
    print(f"{word:8} {slope:5.2f}")

# %% [markdown] id="gradient-agree-read"
# The formula and autograd agree, on the note's own numbers. The answer for *puppy* was 3.748. More
# similarity with *computer*, whose 9 lies far above, would raise it; more with *dog* or *cat* would
# lower it. The three slopes sum to 0: raising all scores together changes nothing.

# %% [markdown] id="descent-text"
# ### Learning the similarity
#
# Nobody has to give us .1, .9 and .7. Suppose all we know is that the answer for `puppy` should be
# 2.2. Start with three equal scores and follow the gradient of the squared error; the formula is
# all we need.
#
# **Predict.** Which score rises, which falls? And could the same descent reach the answer 10?


# %% id="descent"
def descend(wanted, kind, updates=300):
    e, history = torch.zeros(3, dtype=torch.double), []
    for _ in range(updates):
        history.append(e.softmax(0))
        answer = e.softmax(0) @ values if kind == "soft" else values[e.argmax()]
        slope = lookup_gradient(e, values.unsqueeze(1), kind).squeeze(1)  # (S,)
        e = e - 0.1 * 2 * (answer - wanted) * slope
    return torch.stack(history)


for wanted, kind in ((2.2, "hard"), (2.2, "soft"), (10.0, "soft")):
    path = descend(wanted, kind)
    weights = [round(w, 2) for w in path[-1].tolist()]
    moved = "" if (path[0] != path[-1]).any() else "   (nothing has moved)"
    print(f"{kind}, wanted {wanted:4}: weights {weights}{moved}")

# %% id="descent-figure"
fig, axes = plt.subplots(1, 2, figsize=(8.5, 3.4))
for ax, wanted in zip(axes, (2.2, 10.0)):
    path = descend(wanted, "soft", 100)
    for n, word in enumerate(dictionary):
        ax.plot(
            path[:, n], ("-", "--", ":")[n], color=figures.PALETTE[n], label=f"weight of {word}"
        )
    ax.set(xlabel="update", ylabel="weight (0 to 1)", title=f"wanted answer {wanted}")
axes[0].legend(fontsize=9)
fig.suptitle("Learning how similar puppy is to each key")
plt.show()

# %% [markdown] id="descent-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two panels of three weights over 100 updates, all starting at one third. Left, for the wanted
# answer 2.2: dog rises to more than 0.8, cat rises for a moment and then falls slowly to little
# more than 0.1, computer falls fast to near 0. Right, for the wanted answer 10: computer rises to
# nearly 1 and both others fall to 0.
#
# </details>

# %% [markdown] id="descent-read"
# For 2.2 the soft lookup has made *puppy* most like *dog*, a little like *cat* and not like
# *computer*: the note's claim that this function can be used in deep learning, seen at work. (Other
# weights would give 2.2 as well, about 0.03 *computer* and the rest *dog*, say. A single answer
# does not settle three similarities.) The hard one has learnt nothing. And 10 is out of reach:
# weights that are positive and sum to 1 give an average, and an average never leaves the range of
# the values. It comes to rest at *computer*, 9.
#
# In a network the scores are not free numbers, they are computed from a query and keys; the
# gradient goes on into those, and shapes the vectors that ask and the vectors that answer.

# %% [markdown] id="kernel-text"
# ## The same lookup, fifty years earlier
#
# Statisticians know this problem as regression. Given points $(x_i, y_i)$, what is $y$ at a new
# $x$? [Nadaraya](D_papers.ipynb#cell-id=nadaraya-1964) and
# [Watson](D_papers.ipynb#cell-id=watson-1964) answered independently in 1964: *the average of all
# $y_i$, weighted by how near $x_i$ is*,
#
# $$\hat y(x) = \frac{\sum_i K\!\left(\frac{x - x_i}{h}\right) y_i}
# {\sum_i K\!\left(\frac{x - x_i}{h}\right)}, \qquad K(u) = e^{-u^2/2}.$$
#
# It is a ratio of positive similarities, and a ratio is the softmax of the logarithms. So:
#
# | **kernel regression** | attention |
# |---|---|
# | a new point $x$ | query |
# | the known points $x_i$ | keys |
# | their answers $y_i$ | values |
# | $-\tfrac12 \lVert x - x_i \rVert^2$ | score |
# | **bandwidth** squared, $h^2$ | temperature $\tau$ |

# %% [markdown] id="ex-nadaraya-watson-text"
# ### Exercise 4.5 · Nadaraya and Watson
# *Core, 12 minutes.* Points may have $D$ coordinates: query (T, D), keys (S, D), values (S,),
# `bandwidth` $h$ a number. Return the $T$ predictions. A query far away from all keys must get an
# answer, too (not NaN): in numbers on a computer $e^{-1000}$ is 0.
#
# <details><summary>Hint 1</summary>`query.unsqueeze(1) - keys` has shape (T, S, D). Square it, and
# sum over the coordinates.</details>
# <details><summary>Hint 2</summary>Where all kernels are 0, a ratio is 0/0. The softmax of the
# logarithms is the same ratio and does not mind: what is the logarithm of K?</details>
# <details><summary>Hint 3</summary>Scores −distance²/(2h²), (T, S); softmax over the keys; times
# the values.</details>


# %% id="ex-nadaraya-watson" tags=["exercise"]
@exercise
def nadaraya_watson(query, keys, values, bandwidth):
    """Kernel regression with K(u) = exp(−u²/2). query (T, D), keys (S, D), values (S,) → (T,)."""
    ### BEGIN SOLUTION
    squares = (query.unsqueeze(1) - keys).square().sum(dim=-1)  # (T, S)
    return (-squares / (2 * bandwidth**2)).softmax(dim=-1) @ values
    ### END SOLUTION


# %% [markdown] id="data-text"
# A curve that we know, 50 noisy points on it as keys and values, and a query at every $x$. Three
# bandwidths.
#
# **Predict.** Which of $h$ = 0.01, 0.2 and 2 will follow the curve? What do the other two do?


# %% id="data"
def curve(x):
    return torch.sin(2 * x) + 0.5 * x


def draw(count):
    x = 5 * torch.rand(count, 1, generator=generator, dtype=torch.double)
    noise = 0.3 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, curve(x).squeeze(1) + noise


points, answers = draw(50)

# %% id="bandwidth-figure"
grid = torch.linspace(-0.5, 5.5, 600, dtype=torch.double).unsqueeze(1)
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.4), sharey=True)
for ax, h in zip(axes, (0.01, 0.2, 2.0)):
    ax.plot(grid, curve(grid), ":", color=figures.PALETTE[6], label="true curve")
    ax.plot(points, answers, "o", color=figures.PALETTE[5], markersize=4, label="keys, values")
    ax.plot(
        grid, nadaraya_watson(grid, points, answers, h), color=figures.PALETTE[1], label="lookup"
    )
    ax.set(title=f"bandwidth h = {h}", xlabel="x (query)")
axes[0].set_ylabel("y (value)")
axes[2].legend(fontsize=9)
fig.suptitle("One lookup, three bandwidths")
plt.show()

# %% [markdown] id="bandwidth-figure-alt"
# <details><summary>The figure in words</summary>
#
# Three panels with the same 50 points around a wavy rising curve. With bandwidth 0.01 the lookup is
# a jagged staircase through every point; with 0.2 it follows the true curve, rounding its peaks off
# a little; with 2 it is almost a straight, gently rising line that misses the waves.
#
# </details>

# %% [markdown] id="bandwidth-read"
# Cold copies the nearest point with its noise, hot averages the curve away, and one in between is
# right. Beyond the first and the last point the staircase stays level while the curve goes on: a
# lookup cannot answer what it has not stored.
#
# Now measure it. On 500 **held-out** points, over 20 data sets drawn anew: the error (root mean
# square) for many bandwidths. The bandwidth must be chosen without these points. The usual way is
# *leave one out*: predict each of the 50 points from the 49 others, that is, forbid each query to
# look up itself. A forbidden key gets the score $-\infty$.

# %% id="held-out"
bandwidths = torch.logspace(-2, 1, 40, dtype=torch.double)


def leave_one_out(x, y, h):
    """Mean squared error at each point when it is predicted from all the others."""
    squares = (x.unsqueeze(1) - x).square().sum(-1)  # (S, S)
    itself = torch.eye(len(x), dtype=torch.bool)
    scores = (-squares / (2 * h**2)).masked_fill(itself, -torch.inf)
    return (scores.softmax(-1) @ y - y).square().mean()


def rms(prediction, truth):
    return (prediction - truth).square().mean().sqrt().item()


# %% id="rivals"
def polynomial(x, y, new, degree):
    """Least squares with powers of x up to the degree."""
    design, ask = (torch.cat([(z / 2.5 - 1) ** k for k in range(degree + 1)], 1) for z in (x, new))
    return ask @ torch.linalg.lstsq(design, y).solution


def contest(x, y, new, truth):
    h = min(bandwidths, key=lambda h: leave_one_out(x, y, h))
    return {
        "mean of all values": rms(y.mean(), truth),
        "straight line": rms(polynomial(x, y, new, 1), truth),
        "nearest key (hard lookup)": rms(y[(new - x.T).abs().argmin(1)], truth),
        "kernel regression": rms(nadaraya_watson(new, x, y, h), truth),
        "polynomial of degree 7": rms(polynomial(x, y, new, 7), truth),
    }


# %% id="measure"
sets = [(*draw(50), *draw(500)) for _ in range(20)]
results = [contest(*one) for one in sets]
for name in results[0]:
    errors = torch.tensor([result[name] for result in results])
    print(f"{name:26} error {errors.mean():.2f} ± {errors.std():.2f}")
wins = sum(r["kernel regression"] < r["nearest key (hard lookup)"] for r in results)
print(f"kernel regression better than the nearest key: {wins} of 20; noise alone: 0.30")

# %% id="error-figure"
by_width = torch.tensor(
    [[rms(nadaraya_watson(new, x, y, h), t) for h in bandwidths] for x, y, new, t in sets]
)
fig, ax = plt.subplots(figsize=(7.5, 3.8))
ax.semilogx(bandwidths, by_width.T, color="#bbbbbb", linewidth=0.8)
ax.semilogx(bandwidths, by_width.mean(0), color=figures.PALETTE[0], label="mean of 20 data sets")
nearest = sum(r["nearest key (hard lookup)"] for r in results) / 20
for level, style, name in ((nearest, "--", "nearest key"), (0.3, ":", "noise alone")):
    ax.axhline(level, linestyle=style, color=figures.PALETTE[1 if style == "--" else 6], label=name)
ax.set(xlabel="bandwidth h = √τ (log scale, units of x)", ylabel="held-out error (units of y)")
ax.set(title="Too cold, right, too hot (grey: single data sets)", ylim=(0.2, 1.2))
ax.legend(loc="upper left")
plt.show()

# %% [markdown] id="error-figure-alt"
# <details><summary>The figure in words</summary>
#
# Held-out error against the bandwidth from 0.01 to 10 on a log scale: 20 thin grey curves and their
# mean in blue. On the left they lie at the level of the nearest key, about 0.43, sink to a minimum
# of about 0.34 near 0.2, close to the noise of 0.3, and climb to 1 on the right.
#
# </details>

# %% [markdown] id="measure-read"
# The soft lookup beats the hard one on all 20 data sets: a hard lookup copies the noise of one
# point, a soft one averages it out. It comes close to the noise itself, which nothing can predict.
# And it is not magic: a polynomial whose degree suits the curve is as good, here even a shade
# better on average. The strength of the lookup is that it assumes no shape, only a notion of
# *near*. (± is the standard deviation over the 20 data sets.)

# %% [markdown] id="dot-kernel-text"
# ### From distance to dot product
#
# In a translator the score is a dot product, not a distance. How far apart are the two? Multiply
# out:
#
# $$-\tfrac12 \lVert q - k_j \rVert^2 = q^\top k_j - \tfrac12 \lVert q \rVert^2
# - \tfrac12 \lVert k_j \rVert^2$$
#
# The middle term is the same for all keys, and what is added to all scores the softmax does not
# see. **Predict.** What must hold for the last term, so that both scores give the same weights?

# %% id="dot-kernel"
q = torch.randn(5, generator=generator, dtype=torch.double)
free = torch.randn(8, 5, generator=generator, dtype=torch.double)
for name, k in (("keys of any length", free), ("keys of length 1", F.normalize(free, dim=1))):
    by_distance = (-(q - k).square().sum(1) / 2).softmax(0)
    print(f"{name:18}: same weights: {torch.allclose(by_distance, (k @ q).softmax(0))}")

# %% [markdown] id="dot-kernel-read"
# It must not depend on the key. For keys of equal length, attention with a dot product *is*
# Nadaraya and Watson's regression. Otherwise long keys have an advantage: a dot product rewards not
# only pointing the right way but also being long.

# %% [markdown] id="learn-text"
# ## A similarity that is learnt
#
# Near in *what*? Take points with six coordinates, of which only the first two matter for $y$. A
# single bandwidth treats all six alike, so two points that agree in what matters seem far apart
# because of what does not. Give each coordinate an importance $w_d$ of its own in the score,
#
# $$e_{ij} = -\tfrac12 \sum_d w_d^2\,(x_{id} - x_{jd})^2,$$
#
# and learn the six $w_d$ by gradient descent on the leave-one-out error. It is differentiable,
# because the lookup is soft.
#
# **Predict.** What will become of the four useless coordinates?


# %% id="learn"
def draw_six(count):
    x = torch.rand(count, 6, generator=generator, dtype=torch.double)
    noise = 0.2 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, torch.sin(6 * x[:, 0]) + 2 * x[:, 1] + noise


def learn(x, y, start, updates=150):
    w = torch.full((6,), start, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.2)
    for _ in range(updates):
        loss = leave_one_out(x * w, y, 1.0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return w.detach().abs()


# %% id="learn-measure"
line, shared, own, learnt = [], [], [], []
for _ in range(5):
    x, y = draw_six(150)
    new, truth = draw_six(500)
    h = min(bandwidths, key=lambda h: leave_one_out(x, y, h)).item()
    w = learn(x, y, start=1 / h)
    with_one = [F.pad(z, (0, 1), value=1.0) for z in (x, new)]  # a column of ones: the intercept
    line.append(rms(with_one[1] @ torch.linalg.lstsq(with_one[0], y).solution, truth))
    shared.append(rms(nadaraya_watson(new, x, y, h), truth))
    own.append(rms(nadaraya_watson(new * w, x * w, y, 1.0), truth))
    learnt.append(w)

# %% id="learn-numbers"
print(f"straight line:     mean held-out error {sum(line) / 5:.2f}")
print(f"one bandwidth:     mean held-out error {sum(shared) / 5:.2f}")
print(f"learnt similarity: below 0.3 on {sum(error < 0.3 for error in own)} of 5 data sets")

# %% id="learn-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.4))
for n, w in enumerate(learnt):
    look = {"color": figures.PALETTE[n], "markerfacecolor": "none", "markeredgewidth": 2}
    ax.plot(range(1, 7), w, "osD^v"[n], markersize=8, label=f"data set {n + 1}", **look)
ax.set(xlabel="coordinate d (only 1 and 2 matter)", ylabel="importance |w| (1 / bandwidth)")
ax.set_title("What counts as near, learnt by gradient descent")
ax.legend(fontsize=9)
plt.show()

# %% [markdown] id="learn-figure-alt"
# <details><summary>The figure in words</summary>
#
# Learnt importances of six coordinates on five data sets. Coordinate 1 lies between about 14 and
# 16, coordinate 2 between about 8 and 13, coordinates 3 to 6 between 0 and about 2.
#
# </details>

# %% [markdown] id="learn-read"
# With one bandwidth for all, the lookup does no better than a straight line. With learnt
# importances its error falls below 0.3 on each of the five data sets, on the way to the noise of
# 0.2: the gradient has found out what to look at, and made the lookup colder where it matters. (The
# useless coordinates come close to 0, not always quite: 150 points can deceive.) This is what
# happens in a network, on a grander scale: *which differences between query and key count* is
# learnt from the answers. In chapters 5 and 6 a whole matrix stands between the two.

# %% [markdown] id="contribution-text"
# ## A weight is not a contribution
#
# "This key has the largest weight, so the answer comes from there." Careful: what is *added up* is
# $\alpha_j v_j$, and values may be long or short. Look up *puppy* among all other words, at $\tau =
# 0.2$; the keys are the normalised vectors as before, but the values are now the raw counts of
# neighbours, which are long for frequent words.
#
# **Predict.** Which word has the largest weight? Which contributes the longest vector
# $\lVert \alpha_j v_j \rVert$?

# %% [markdown] id="ex-contribution-shares-text"
# ### Exercise 4.6 · Who contributes what?
# *Core, 10 minutes.* For a batch: weights (B, T, S), values (B, S, H). Return (B, T, S): the length
# of $\alpha_{tj} v_j$ as a share of the sum of these lengths over $j$.
#
# <details><summary>Hint 1</summary>A weight is not negative, so $\lVert \alpha v \rVert = \alpha
# \lVert v \rVert$.</details>
# <details><summary>Hint 2</summary>`values.norm(dim=-1)` is (B, S): the length of each
# value.</details>
# <details><summary>Hint 3</summary>`.unsqueeze(1)` makes it (B, 1, S), one row for all queries.
# Shares: divide by the sum over the last dimension, with `keepdim=True`.</details>


# %% id="ex-contribution-shares" tags=["exercise"]
@exercise
def contribution_shares(weights, values):
    """‖α_tj v_j‖ as a share of its sum over j. weights (B, T, S), values (B, S, H) → (B, T, S)."""
    ### BEGIN SOLUTION
    lengths = weights * values.norm(dim=-1).unsqueeze(1)  # (B, T, S)
    return lengths / lengths.sum(dim=-1, keepdim=True)
    ### END SOLUTION


# %% id="contribution"
others = [n for n in range(len(words)) if words[n] != "puppy"]
weights = (vectors[others] @ puppy / 0.2).softmax(0)
shares = contribution_shares(weights.view(1, 1, -1), table[others].unsqueeze(0))[0, 0]
for name, what in (("weight", weights), ("contribution", shares)):
    top = [f"{words[others[n]]} {what[n]:.1%}" for n in what.topk(4).indices]
    print(f"largest {name:12}:", ", ".join(top))
print(f"weight of the: {weights[others.index(number['the'])]:.1%}")

# %% id="contribution-figure" tags=["hide-input"]
chosen = ["cat", "dog", "vendor", "the", "to", "with"]
fig, ax = plt.subplots(figsize=(7.5, 3.4))
for n, (name, what) in enumerate((("weight", weights), ("share of what is added", shares))):
    heights = [100 * what[others.index(number[word])].item() for word in chosen]
    places_x = torch.arange(len(chosen)) + 0.38 * (n - 0.5)
    ax.bar(places_x, heights, 0.36, color=figures.PALETTE[n], hatch="/"[:n], label=name)
ax.set_xticks(range(len(chosen)), chosen)
ax.set(
    xlabel="key",
    ylabel="per cent of the whole",
    title="Looking up puppy: weight against contribution",
)
ax.legend()
plt.show()

# %% [markdown] id="contribution-figure-alt"
# <details><summary>The figure in words</summary>
#
# Paired bars for six keys. Cat has by far the largest bars, a weight of 11 per cent and a share of
# almost 10. Dog and vendor have about 1 per cent of weight and contribute next to nothing. The, to
# and with have next to no weight; the and to contribute 2 to 3 per cent each, with a little less
# than 1.
#
# </details>

# %% [markdown] id="contribution-read"
# *Cat* comes first in both. But behind it the order is another one. *Dog*, second in weight, adds
# next to nothing; *the*, with a thousandth of the total weight, contributes second most: its value
# is enormous. So a picture of weights alone can mislead; [Kobayashi et al.
# (2020)](D_papers.ipynb#cell-id=kobayashi-2020) propose to look at $\lVert \alpha_j v_j \rVert$,
# and chapter 5 comes back to it for heat maps. Not the last word either: long contributions may
# point in opposite directions and cancel.

# %% [markdown] id="batch-text"
# ## Many queries, many dictionaries, one call
#
# In a translator each sentence of a batch is a dictionary of its own, $S$ keys and values, and each
# target word brings a query, $T$ of them. The three lines stay. With a leading dimension $B$ for
# the batch, and transposing the last two dimensions of the keys,
#
# $$\underbrace{E = Q K^\top}_{(B,\,T,\,S)} \;\to\; \underbrace{A = \mathrm{softmax}(E)}_{\text{over
# the last dimension}} \;\to\; \underbrace{C = A V}_{(B,\,T,\,H)}.$$
#
# Sentences differ in length, so shorter dictionaries are filled up with entries that are not there
# (**padding**). A **mask** says which are: boolean, (B, S), *True = a real entry that may be looked
# up*. An entry that is not there must get weight 0. As with leaving one out, its score becomes
# $-\infty$ **before** the softmax; $e^{-\infty} = 0$.

# %% [markdown] id="ex-attend-text"
# ### Exercise 4.7 · The whole lookup
# *Core, 15 minutes.* query (B, T, H), keys (B, S, H), values (B, S, Hv), mask (B, S) boolean or
# `None` (then all entries are real). Return `context, weights`: (B, T, Hv) and (B, T, S). The score
# is the bare dot product, and may be large. Each dictionary has at least one real entry.
#
# <details><summary>Hint 1</summary>`keys.transpose(1, 2)` is (B, H, S); `query @` it is
# (B, T, S).</details>
# <details><summary>Hint 2</summary>The mask is (B, S), the scores are (B, T, S).
# `mask.unsqueeze(1)` is (B, 1, S), the same row for every query.</details>
# <details><summary>Hint 3</summary>`scores.masked_fill(~mask, -torch.inf)` fills where the mask is
# False; softmax over the last dimension; times the values.</details>


# %% id="ex-attend" tags=["exercise"]
@exercise
def attend(query, keys, values, mask):
    """Context (B, T, Hv) and weights (B, T, S). query (B, T, H), keys (B, S, H), mask (B, S)."""
    ### BEGIN SOLUTION
    scores = query @ keys.transpose(1, 2)  # (B, T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ values, weights
    ### END SOLUTION


# %% id="attend-use"
q = torch.randn(2, 4, 6, generator=generator)  # two sentences, four queries each
k, v = torch.randn(2, 5, 6, generator=generator), torch.randn(2, 5, 3, generator=generator)
mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])  # the second has three entries
context, weights = attend(q, k, v, mask)
theirs, their_weights = DotAttention(6, 6)(q, k, v, mask)
torch.testing.assert_close(context, theirs)
torch.testing.assert_close(weights, their_weights)
torch.testing.assert_close(
    context, F.scaled_dot_product_attention(q, k, v, mask.unsqueeze(1), scale=1.0)
)
print("attend, attnlib.attention and torch agree")
print("weights of the second sentence, first query:", [round(w, 2) for w in weights[1, 0].tolist()])

# %% [markdown] id="attend-read"
# The two entries that are not there have weight 0. The whole chapter is in this function, and it is
# what stands in `attnlib/attention.py`.
#
# One case is left. A dictionary with *no* entry at all:

# %% id="nothing"
nothing = torch.full((1, 5), -torch.inf)
print("softmax where nothing is allowed:", nothing.softmax(-1)[0].tolist())
empty = DotAttention(6, 6)(q[:1], k[:1], v[:1], torch.zeros(1, 5, dtype=torch.bool))[1]
print("the library's weights:           ", empty[0, 0].tolist())

# %% [markdown] id="nothing-read"
# 0 divided by 0 once more, the missing key of the first page. The library answers with zeros, "I
# found nothing"; in chapter 5 you build a softmax that does so.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A lookup has three steps: scores → weights → context. The exact dictionary is the case in which
#   one weight is 1.
# - A softmax weight is a share of *exponentials*. It depends on differences of scores, so adding to
#   all does nothing and multiplying does a lot. A ratio does the reverse, and breaks on negative
#   scores.
# - Cosine and softmax alone cannot focus: at most $e^2/(e^2 + n - 1)$. A temperature cures it, and
#   may be learnt; the length of a query is one in disguise.
# - A hard lookup gives query and keys no gradient. A soft one has $\alpha_j (v_j - c)$ for score
#   $j$, which fades when the lookup is too cold.
# - Kernel regression is attention with the score $-\tfrac12 \lVert q - k \rVert^2$ and the
#   temperature $h^2$. An answer never leaves the range of the values.
# - A large weight is not yet a large contribution.
#
# **Left out.** The note's word2vec vectors of 100 numbers, which are not in the note; counted
# neighbours took their place and can be read. Keys and values that are made of different vectors by
# learnt matrices (chapters 5, 6 and 11). Dividing by $\sqrt{d}$ (chapter 6). Hard lookups that are
# trained by sampling instead of gradients through the choice. Local-linear regression, the usual
# repair of kernel regression at the edges.
#
# **Papers.** [Firth 1957](D_papers.ipynb#cell-id=firth-1957); [Nadaraya
# 1964](D_papers.ipynb#cell-id=nadaraya-1964) and [Watson 1964](D_papers.ipynb#cell-id=watson-1964)
# (kernel regression); [Church and Hanks 1990](D_papers.ipynb#cell-id=church-1990) (pointwise mutual
# information for words); [Mikolov et al. 2013](D_papers.ipynb#cell-id=mikolov-2013) (word2vec);
# [Graves, Wayne and Danihelka 2014](D_papers.ipynb#cell-id=graves-2014) (Neural Turing Machines:
# cosine, softmax and a key strength); [Bahdanau, Cho and Bengio
# 2015](D_papers.ipynb#cell-id=bahdanau-2015); [Miller et al.
# 2016](D_papers.ipynb#cell-id=miller-2016) (key–value memory networks); [Vaswani et al.
# 2017](D_papers.ipynb#cell-id=vaswani-2017) (queries, keys, values); [Kobayashi et al.
# 2020](D_papers.ipynb#cell-id=kobayashi-2020) (norms of what is added).
#
# **Next.** Chapter 5 puts this lookup into a translator: the query is the decoder's state, keys and
# values are the encoder's states.
