# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 04 · Keys and values
#
# *What should a dictionary answer when no key fits?*
#
# **What you will be able to do.** Turn an exact dictionary into a soft one and give the reason for
# each step. Say how sharply a lookup can focus, and set its temperature.
#
# **What you need.** Vectors, the dot product, and what a gradient is for. No network is trained
# here, so you can read this chapter before chapters 1 to 3. 35 minutes to read, 25 for exercises
# 4.1 to 4.3; about a quarter of a minute to run.
#
# <details><summary>Plan</summary>
#
# At the end you can explain every box of the drawing below, and what a temperature does to it. All
# of this file must be read, except *When a similarity is negative*, which may be skipped. The
# second file, [04b](04b_kernel_regression.ipynb), shows why attention is soft, and that statistics
# has known it since 1964.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

from attnbook import exercise, predict, progress, recall, reveal, views
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(4)

# %% id="first"
from attnbook.figures import lookup_diagram

# Two made-up numbers for each word: how much of an animal it is, and how devoted.
described = torch.tensor([[-0.1, 0.2], [0.7, 0.6], [0.7, 0.35]])  # computer, dog, cat
young_dog = torch.tensor([0.6, 0.8])
hours = torch.tensor([9.0, 2.0, 3.0])  # what each asks of its owner on a day
lookup_diagram(["computer", "dog", "cat"], young_dog, described, hours, solved=False)

# %% [markdown] id="first-read"
# This dictionary has three entries, *computer*, *dog* and *cat*, with the hours per day that each
# asks of its owner. Somebody looks up *puppy*, which is no entry. A Python dictionary would stop
# with an error; this one answers with a number.
#
# Read the drawing from the top. The **query** (쿼리), what is being looked up, is compared with
# every **key** (키). Each comparison gives a **score**, here the **dot product** of two vectors. A
# **softmax** turns the scores into **weights** that sum to 1. The **values** (밸류) are added up,
# each times its weight. That is all of attention. We build it from an ordinary dictionary and ask
# of each step what goes wrong without it; then the question marks can be filled in.

# %% [markdown] id="dictionary-text"
# ## An exact dictionary
#
# A dictionary takes a **query** and gives the **value** of the **key** that fits. Here it is
# written in a roundabout way that will pay off: compare the query with every key, turn the
# comparisons into weights that sum to 1, and add up the values, each times its weight.

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
    print(f"{word:8} dictionary: {dictionary[word]}  look_up: {look_up(word, is_same)}")

# %% [markdown] id="exact-read"
# The same answers, for every key. The weight of the right key is 1 and all others are 0: such
# weights are called **one-hot**.
#
# `puppy` is not in the dictionary. What does each of the two answer?

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
# The dictionary refuses. Our function fails in another way: all weights are 0, and 0 is divided by
# 0, as it will be once more, in a batch, at the end of
# [04b](04b_kernel_regression.ipynb#cell-id=nothing).
#
# But a puppy is a young dog. A person who knows that a dog asks for 2 hours would say "about 2".

# %% [markdown] id="soft-text"
# ## Make it soft
#
# So ask not *is it the same?* but *how similar is it?* (유사도, **similarity**). The drawing has
# numbers: 0.1 for the computer, 0.9 for the dog, 0.7 for the cat. The simplest weights are their
# shares of the total.

# %% id="soft"
how_similar = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
total = sum(how_similar.values())
for word, value in dictionary.items():
    share = how_similar[word] / total
    print(f"{word:8} {how_similar[word]} / {total:.1f} = {share:.3f}   × value {value}")
print(f"answer: {look_up('puppy', lambda key, query: how_similar[key]):.4f}")

# %% [markdown] id="soft-read"
# Nothing changed in `look_up` but the question it asks each key. The answer is a **weighted
# average** (가중평균) of the values: more than half of it is *dog*, and the little that is
# *computer* pulls it up, because 9 is a high value.
#
# A soft dictionary has no missing keys, as long as no similarity is negative and one is above 0.
# But it *always* answers: for a word that resembles every key equally little, it gives the plain
# mean and does not say that it has no idea.

# %% [markdown] id="ratio-text"
# ### When a similarity is negative
#
# Each weight was a share of the total (**normalization**, 정규화), $w_j = e_j / \sum_k e_k$, where
# $e_j$ is the similarity, or **score**, of key $j$. It can be negative: the cosine of two vectors
# lies between −1 and 1. Lower that of *cat* to just above −1. All values lie between 2 and 9. Can
# the answer leave this range, yes or no?

# %% id="predict-range"
predict("04.range", ..., choices=("yes", "no"))

# %% id="ratio-figure" tags=["hide-input"]
# draws the figure
def draw_ways():
    """The answer by ratio and by softmax while one similarity is lowered."""
    cats = torch.linspace(-0.99, 0.9, 190, dtype=torch.double)
    e = torch.stack([torch.full_like(cats, 0.1), torch.full_like(cats, 0.9), cats], dim=1)
    by_ratio = e / e.sum(1, keepdim=True) @ values
    fig, ax = plt.subplots(figsize=(7.5, 3.8))
    ax.axhspan(2, 9, color="#eeeeee", label="from the smallest value to the largest")
    ax.plot(cats, by_ratio, "--", color=figures.PALETTE[1], label="by ratio")
    ax.plot(cats, e.softmax(1) @ values, color=figures.PALETTE[0], label="by softmax")
    ax.set(xlabel="similarity of cat (cosine, −1 to 1)", ylabel="answer (hours)")
    ax.set_ylim(-6, 10)
    ax.set_title("One similarity is lowered: two ways to make weights")
    ax.legend(loc="lower right")
    plt.show()

# %% id="ratio-breaks"
values = torch.tensor([9.0, 2.0, 3.0], dtype=torch.double)
by_cat = {}
for cat in (0.7, 0.0, -0.5, -0.8, -0.98):
    e = torch.tensor([0.1, 0.9, cat], dtype=torch.double)
    by_cat[cat] = e / e.sum()
with reveal("04.range", "yes" if by_cat[-0.98] @ values < values.min() else "no"):
    for cat, ratio_weights in by_cat.items():
        told = " ".join(f"{w:6.1f}" for w in ratio_weights)
        print(f"cat {cat:5.2f}: weights {told}   answer {ratio_weights @ values:6.1f}")
    draw_ways()

# %% [markdown] id="ratio-figure-alt"
# <details><summary>The figure in words</summary>
#
# The answer against the similarity of cat. A gray band marks the values from 2 to 9. The solid
# curve, by softmax, stays inside the band everywhere. The dashed curve, by ratio, is in the band on
# the right, falls out of it at about minus 0.7 and dives below minus 6 near minus 1.
#
# </details>

# %% [markdown] id="ratio-read"
# <details><summary>What it says</summary>
#
# It can. Scores of opposite sign cancel in the total, and weights become negative or larger than 1.
# Near −1, where the total is 0, the "average" runs away toward minus infinity. A ratio needs scores
# that are not negative. The other curve, the softmax, is the next step.
#
# </details>

# %% [markdown] id="softmax-text"
# ## Softmax is not the ratio
#
# The **softmax** first takes the exponential, which is positive whatever the score, and then
# divides by the sum:
#
# $$\alpha_j = \frac{\exp e_j}{\sum_k \exp e_k}$$
#
# It is tempting to say that a softmax gives each key its share of the total similarity: to the
# *computer*, 0.059 as above. Which weight will it get?

# %% id="predict-softmax"
predict("04.softmax", ...)

# %% id="softmax"
from IPython.display import display

e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double)
with reveal("04.softmax", e.softmax(0)[0], within=0.03):
    for name, weights in (("ratio", e / e.sum()), ("softmax", e.softmax(0))):
        rounded = [round(w, 3) for w in weights.tolist()]
        print(f"{name:8} {rounded} answer {weights @ values:.3f}")
    display(lookup_diagram(["computer", "dog", "cat"], young_dog, described, hours))

# %% [markdown] id="softmax-read"
# <details><summary>What it says</summary>
#
# No question mark is left. A softmax weight is a share of the total of the *exponentials*. *Dog* is
# nine times as similar as *computer*, but its weight is only $e^{0.9}/e^{0.1} = e^{0.8}$ times as
# large, little more than twice. The computer gets a fifth instead of a seventeenth, and its 9 pulls
# the answer up to 3.748 hours.
#
# </details>

# %% [markdown] id="kinds-text"
# ### Ratio and softmax, side by side
#
# | | ratio | softmax |
# |---|---|---|
# | $j$'s weight over $k$'s | $e_j / e_k$ | $e^{e_j - e_k}$ |
# | a score of 0 | weight 0 | a weight like any other |
# | negative scores | break it | are welcome |
# | unchanged when all scores are | multiplied by one number | increased by one number |
#
# The last line, measured:

# %% id="invariance"
def ratio(e):
    return e / e.sum()


def largest_change(make_weights, changed):
    return (make_weights(changed) - make_weights(e)).abs().max()


print("largest change of a weight when each score is  + 100    × 3")
for name, way in (("ratio", ratio), ("softmax", lambda e: e.softmax(0))):
    added, multiplied = largest_change(way, e + 100), largest_change(way, 3 * e)
    print(f"  {name:42}{added:8.3f}{multiplied:7.3f}")

# %% id="invariance-check" tags=["check"]
# checks what the text says
torch.testing.assert_close(ratio(e), e.log().softmax(0))  # one family, see below

# %% [markdown] id="invariance-read"
# Adding 100 makes the weights of a ratio nearly equal and leaves a softmax as it is; multiplying
# changes only the softmax. The two are one family: where all similarities are positive, the ratio
# *is* a softmax, of their logarithms. (The collapsed cell asserts it. A score of 0 has the
# logarithm −∞, and so the weight 0.) Both facts return: *adding* will save us a term in 04b, and
# *multiplying* will be a cure.

# %% [markdown] id="ex-soft-lookup-text"
# ### Exercise 4.1 · The soft dictionary
# *Warm-up, 8 minutes.* Given the similarities of all keys (S,) and their values (S,), return the
# answer, one number, as a scalar tensor with its gradient. `kind` says how weights are made:
# `"ratio"` or `"softmax"`.
#
# <details><summary>Hint 1</summary>
#
# Two steps: first the weights, which sum to 1; then the sum of weight times value. Only the first
# differs between the kinds.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# For the softmax the exponentials come first, then they are divided by their sum. torch has a
# method that does both.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Choose the weights with an `if`. The sum of products of two vectors is their dot product.
#
# </details>

# %% id="ex-soft-lookup" tags=["exercise"]
@exercise
def soft_lookup(similarities, values, kind):
    """Σ_j w_j v_j, where the weights w sum to 1. Both arguments (S,) → ()."""
    raise NotImplementedError

# %% [markdown] id="vectors-text"
# ## Vectors as keys, queries and values
#
# Who says that *puppy* is 0.9 similar to *dog*? If every word is a vector, geometry does. The
# **cosine similarity** (코사인 유사도) of two vectors is their dot product divided by both lengths:
# 1 if they point the same way, 0 at right angles, −1 if opposite.

# %% [markdown] id="unhashable-read"
# A Python dictionary cannot hold such keys: it refuses a list, and it finds a tensor only if it is
# the same object, not if it has the same entries. Two tables with one row per entry do what is
# meant: **keys** (S, H) and **values** (S, H). A query is one vector (H,).
#
# ### Where do the vectors come from?
#
# An old recipe needs no network: words that keep the same company mean similar things ([Firth
# 1957](D_papers.ipynb#cell-id=firth-1957)). Count the words directly before and directly after each
# word, and compare with chance: $\log \frac{\text{count}}{\text{expected}}$, the **pointwise mutual
# information** ([Church and Hanks 1990](D_papers.ipynb#cell-id=church-1990)). With all that is
# negative set to 0 it is called *positive* (**PPMI**). Each word gets its row of these numbers,
# divided by its length. (The collapsed cell counts.)

# %% id="count" tags=["hide-input"]
# counts the neighbors of each word
import re
from collections import Counter


def sentences_of(texts, apart=" 's", gather=dict.fromkeys):
    """The words of every sentence; a dictionary has each different sentence once."""
    texts = [text.lower().replace("'s", apart) for text in texts]
    found = [part.strip() for text in texts for part in re.findall("[^.!?]+", text)]
    return [re.findall(r"[a-z'-]+", part) for part in gather(found)]


def count_neighbors(sentences, least=20):
    """Words that are not rare, and how often each stands beside each: (N, 2N)."""
    counts = Counter(word for sentence in sentences for word in sentence)
    kept = sorted(word for word, count in counts.items() if count >= least)
    place = {word: n for n, word in enumerate(kept)}
    inside = [(place.get(a), place.get(b)) for s in sentences for a, b in zip(s, s[1:])]
    before, after = torch.tensor([pair for pair in inside if None not in pair]).T
    ones = torch.ones(len(before), dtype=torch.double)
    beside = torch.zeros(len(kept), 2 * len(kept), dtype=torch.double)
    # Left half: what stands before a word; right half: what stands after it.
    beside.index_put_((after, before), ones, accumulate=True)
    beside.index_put_((before, len(kept) + after), ones, accumulate=True)
    return kept, beside


def to_vectors(beside):
    """How much more often than by chance; of length 1, so dot products are cosines."""
    expected = beside.sum(1, keepdim=True) * beside.sum(0) / beside.sum()
    surprise = torch.where(beside > 0, (beside / expected).log(), 0.0)
    return F.normalize(surprise.clamp(min=0), dim=1)

# %% id="own-vectors"
from attnlib.data import load_corpus

texts = [pair.tgt for pair in load_corpus("ko-en").train]  # the English half
words, table = count_neighbors(sentences_of(texts))
vectors = to_vectors(table)  # (N, 2N): one row per word
number = {word: n for n, word in enumerate(words)}
print(f"{len(words)} words, vectors {tuple(vectors.shape)}; the closest, by cosine:")
for word in ("monday", "mother", "two", "yesterday"):
    closest = (vectors @ vectors[number[word]]).topk(4)
    pairs = zip(closest.indices[1:], closest.values[1:])  # the first is the word itself
    print(f"{word:10}", ", ".join(f"{words[n]} {cosine:.2f}" for n, cosine in pairs))

# %% [markdown] id="own-read"
# With nothing but counting, Monday lies near other days, a mother near her family, and two near
# three. The closest to *yesterday* is *tomorrow*: *similar* means here **said in the same
# company**, and opposites keep the same company. Networks learn shorter vectors from more text by
# the same principle ([Mikolov et al. 2013](D_papers.ipynb#cell-id=mikolov-2013)).
#
# The text is the book's own corpus, English sentences that **a grammar wrote**. Counting brings
# back what the grammar put in; it says nothing about real dogs and cats.

# %% [markdown] id="cosine-ask"
# We made up .1, .9 and .7 for *computer*, *dog* and *cat*. Which of the three will counting find
# most similar to *puppy*?

# %% id="cosine"
puppy = vectors[number["puppy"]]
keys = torch.stack([vectors[number[word]] for word in dictionary])  # (S, H)
for word, key in zip(dictionary, keys):
    print(f"{word:8} {puppy @ key:.2f}")

# %% id="company" tags=["hide-input"]
# prints the neighbors that two words share
def sides(places):
    """Neighbors as one reads them: "small ~" stands before it, "~ slept" after it."""
    size = len(words)
    return [f"{words[n]} ~" if n < size else f"~ {words[n - size]}" for n in places]


for word, key in zip(dictionary, keys):
    together = puppy * key  # (H,) what each neighbor adds to the cosine
    seen = sides(together.topk(4).indices.tolist())
    count = (together > 0).sum()
    of = f"shares {count:2} of puppy's {(puppy > 0).sum()} neighbors"
    print(f"{word:8} {of}:", ", ".join(seen))

# %% [markdown] id="cosine-read"
# The computer comes last, as expected. But *dog* and *cat* have changed places. A cosine is a sum
# over the neighbors that both words have, and these add most to it (~ stands for the word itself).
# A cat and a puppy are both small, and both drink and sleep. The dog shares neighbors that few
# words have, so each adds much; the computer shares mainly an owner.
#
# How much hangs on two decisions about the text? Above, each different sentence counted once, and
# the *'s* of *Jiho's puppy* was a word of its own. Take them back:

# %% id="counting" tags=["hide-input"]
# prints the cosines after four ways of counting
print("cosine with puppy          ", *dictionary, sep="  ")
for name, apart, gather in (
    ("as counted above", " 's", dict.fromkeys),
    ("every repetition counted", " 's", list),
    ("'s not cut off", "'s", dict.fromkeys),
    ("neither of the two", "'s", list),
):
    kept, beside = count_neighbors(sentences_of(texts, apart, gather))
    rows = dict(zip(kept, to_vectors(beside)))
    compared = {word: rows[word] @ rows["puppy"] for word in dictionary}
    print(f"{name:27}" + "".join(f"{c:{len(w) + 2}.2f}" for w, c in compared.items()))

# %% [markdown] id="counting-read"
# One of the two decides the order: where *'s* is not cut off, the computer comes out first. A
# similarity is no better than the counting behind it.
#
# <details><summary>Why the computer?</summary>
#
# *Jiho's*, *Sora's* and other such names are then rare words of their own, and having an owner
# counts once for every name. Pointwise mutual information is known to make too much of rare
# neighbors.
#
# </details>
#
# ### The whole lookup in three lines
#
# Look up *puppy* with these vectors: the score is the cosine, the weights are the softmax, and
# **the values are the keys themselves**. First as a loop, then in three lines.

# %% id="loop"
import math

exponentials = [math.exp(sum((puppy * key).tolist())) for key in keys]
alpha = [x / sum(exponentials) for x in exponentials]
answer = sum(a * key for a, key in zip(alpha, keys))
print("weights:", [round(a, 2) for a in alpha])

# %% id="matrices"
from attnlib.model import DotAttention

scores = keys @ puppy  # (S, H) (H,) → (S,)
weights = scores.softmax(dim=0)  # (S,)
context = weights @ keys  # (S,) (S, H) → (H,)
print("weights:", [round(w, 2) for w in weights.tolist()])

query, batch = puppy.view(1, 1, -1), keys.unsqueeze(0)  # (B, T, H), (B, S, H)
theirs, their_weights = DotAttention(len(puppy), len(puppy))(query, batch, batch)
print("library:", [round(w, 2) for w in their_weights[0, 0].tolist()])

# %% id="library-check" tags=["check"]
# checks what the text says
torch.testing.assert_close(answer, context)
torch.testing.assert_close(theirs[0, 0], context)
torch.testing.assert_close(their_weights[0, 0], weights, check_dtype=False)
scaled = F.scaled_dot_product_attention(query, batch, batch, scale=10.0)
torch.testing.assert_close(scaled[0, 0], (10 * scores).softmax(dim=0) @ keys)

# %% [markdown] id="loop-read"
# Loop, matrices and the library's `DotAttention` agree. The three lines, scores → weights →
# context, are **attention** (어텐션). The weights are also called the **attention distribution**
# (어텐션 분포), and the result is called the **context** $c$, after its job in a translator. Which
# words is it closest to?

# %% id="fetched"
closeness = F.cosine_similarity(vectors, context.unsqueeze(0))
for value, n in zip(*closeness.topk(4)):
    print(f"{words[n]:8} {value:.2f}")

# %% [markdown] id="fetched-read"
# Something between *cat* and *dog*, and close to *puppy*, although no *puppy* was among the keys.

# %% [markdown] id="focus-text"
# ## How sharply can a lookup focus?
#
# With three keys, the computer got a quarter of the weight. What happens among 863? To give the
# lookup every chance, let the query be **a key itself**: look up each word in the table of all
# words, itself included. What percentage of the weight does the right key get?

# %% id="predict-crowd"
predict("04.crowd", ...)

# %% id="crowd"
everything = vectors @ vectors.T  # cosines of all pairs of words
own = everything.softmax(dim=1).diagonal()  # the weight of each word, asked for itself
with reveal("04.crowd", 100 * own.mean(), within=0.5):
    print(f"weight of the right key: from {own.min():.2%} to {own.max():.2%}")
    print(f"an even share:           {1 / len(words):.2%}")

# %% [markdown] id="bound-text"
# <details><summary>What it says</summary>
#
# Between two and three times an even share, for every word: next to nothing.
#
# </details>

# %% [markdown] id="ex-max-cosine-weight-text"
# ### Exercise 4.2 · The sharpest it can be
# Would better vectors help? A cosine lies between −1 and 1. What weight does the right key get in
# the best case?
#
# *Warm-up, 5 minutes.* Return the largest weight that one of `n` keys can get when scores are
# cosines and weights are their softmax. A plain number.
#
# <details><summary>Hint 1</summary>
#
# Which score does the right key have in the best case, and which score do the others have?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Write the softmax with these scores. How many *other* keys are there?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Multiply numerator and denominator by e: then a single power of e is left, the same above and
# below the line.
#
# </details>

# %% id="ex-max-cosine-weight" tags=["exercise"]
import math


@exercise
def max_cosine_weight(n):
    """The largest softmax weight that n cosines allow: an upper bound. int → float."""
    raise NotImplementedError

# %% [markdown] id="attack-text"
# ### The bound, attacked
#
# In the best case the right key has the cosine 1 and all others −1, in the opposite direction:
#
# $$\alpha_{\max} = \frac{e^{1}}{e^{1} + (n-1)\,e^{-1}} = \frac{e^2}{e^2 + n - 1}$$
#
# Do not believe a bound that nobody attacked. Take 20 random keys and move them by gradient ascent
# so that the first gets as much weight as possible:

# %% id="attack"
target = torch.tensor([1.0, 0.0, 0.0], dtype=torch.double)
moving = torch.randn(20, 3, generator=generator, dtype=torch.double).requires_grad_()
optimizer = torch.optim.Adam([moving], lr=0.1)
for step in range(301):
    weight = F.cosine_similarity(moving, target, dim=1).softmax(0)[0]
    if step % 100 == 0:
        print(f"update {step:3}: weight {weight:.3f} bound {max_cosine_weight(20):.3f}")
    optimizer.zero_grad()
    (-weight).backward()
    optimizer.step()

# %% [markdown] id="bound-figure-text"
# And real vectors? Take the right key and some other words, drawn at random, again and again:

# %% id="bound-figure-data"
sizes = (3, 10, 30, 100, 300, len(words))
measured, picking = [], torch.Generator().manual_seed(4)
for size in sizes:  # the first word drawn is the query; there is one dictionary of all
    draws = 200 if size < len(words) else 1
    found = []
    for _ in range(draws):
        picked = torch.randperm(len(words), generator=picking)[:size]
        found.append(everything[picked[0], picked].softmax(0)[0].item())
    measured.append(sum(found) / draws)
print("keys             " + "".join(f"{size:8}" for size in sizes))
print("weight, measured " + "".join(f"{weight:8.3f}" for weight in measured))
bounds = [max_cosine_weight(size) for size in sizes]
print("at most          " + "".join(f"{bound:8.3f}" for bound in bounds))

# %% id="bound-figure" tags=["hide-input"]
# draws the figure
many = torch.logspace(0.3, 3, 60, dtype=torch.double)
curves = {
    "bound e²/(e² + n − 1)": (math.e**2 / (math.e**2 + many - 1), "-", 0),
    "others at right angles": (math.e / (math.e + many - 1), "--", 2),
    "even share 1/n": (1 / many, ":", 6),
}
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for label, (heights, style, color) in curves.items():
    ax.loglog(many, heights, style, color=figures.PALETTE[color], label=label)
squares = {"color": figures.PALETTE[1], "ms": 7, "label": "word vectors, measured"}
ax.loglog(sizes, measured, "s", **squares)
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

# %% id="bound-check" tags=["check"]
# checks what the text says
assert (everything == 0).double().mean() > 0.5  # most pairs share no neighbor

# %% [markdown] id="bound-read"
# The attack ends at the bound and not beyond. The word vectors do worse: they have no negative
# entries, so no cosine is below 0, and most pairs of words share no neighbor, so most cosines are
# 0. The points follow the middle curve.
#
# It is tempting to say that attention *finds* the key that is most similar to the query. With
# cosines and a bare softmax it does not: none ever gets more than $e^2$ times its even share, about
# seven times. On three keys that looks like finding; on 863 it is hardly more than an average of
# everything.
#
# <details><summary>How sure?</summary>
#
# The bound is proved, by the best case; the attack, from one random start, only shows that it is
# reached. The squares are means over 200 random dictionaries each; the last one is a single
# dictionary, all 863 words, asked for one word.
#
# </details>

# %% [markdown] id="temperature-text"
# ## Temperature
#
# Multiplying scores changes a softmax, and that is the cure. Divide them by a number $\tau > 0$,
# the **temperature**:
#
# $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_k \exp(e_k / \tau)}$$
#
# Move the slider to the cold end and to the hot end, and find the temperature at which *dog* gets
# 0.88.

# %% id="temperature-view"
made_up = [0.1, 0.9, 0.7]
views.temperature_view(made_up, list(dictionary), title="Looking up puppy: cold, hot")

# %% id="temperature"
e = torch.tensor(made_up, dtype=torch.double)
for tau in (0.01, 0.1, 0.5, 1.0, 100.0):
    rounded = [round(w, 3) for w in (e / tau).softmax(0).tolist()]
    mixed = soft_lookup(e / tau, values, "softmax")  # exercise 4.1
    print(f"τ = {tau:6}: {rounded}   answer {mixed:.3f}")

# %% id="temperature-figure" tags=["hide-input"]
# draws the figure
taus = torch.logspace(-2, 1.3, 120, dtype=torch.double)
by_tau = (e / taus.unsqueeze(1)).softmax(1)
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, word in enumerate(dictionary):
    style = ("-", "--", ":")[n]
    ax.semilogx(taus, by_tau[:, n], style, color=figures.PALETTE[n], label=word)
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
# has weight 1 and the others 0; with rising temperature first cat rises, a little beyond one third,
# then computer, and on the hot right all three meet at one third. A gray line marks temperature 1.
#
# </details>

# %% [markdown] id="temperature-read"
# Cold ($\tau \to 0$) gives the hard choice of the nearest key, as in the exact dictionary; hot
# ($\tau \to \infty$) gives the plain mean of the values, $(9 + 2 + 3)/3$ (**average pooling**).
#
# How cold must it be? With a temperature the best case of exercise 4.2 becomes
# $e^{2/\tau} / (e^{2/\tau} + n - 1)$. Solve it for $\tau$.

# %% [markdown] id="ex-temperature-for-text"
# ### Exercise 4.3 · How cold must it be?
# *Core, 12 minutes.* Return the temperature at which the largest weight that `n` cosines allow is
# `target`. No temperature makes it 1 or more, and none makes it $1/n$ or less: for such targets
# raise a `ValueError`.
#
# <details><summary>Hint 1</summary>
#
# Call $x = e^{2/\tau}$. Then $x / (x + n - 1) =$ target: solve for $x$ first.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Multiply by the denominator and bring every $x$ to one side.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# From $x$ the temperature follows by a natural logarithm, `math.log`. Look at the target before you
# compute: an impossible one has to be refused with a sentence of your own, not by the logarithm's
# error.
#
# </details>

# %% id="ex-temperature-for" tags=["exercise"]
import math


@exercise
def temperature_for(n, target):
    """The τ at which e^(2/τ) / (e^(2/τ) + n − 1) = target, or a ValueError."""
    raise NotImplementedError

# %% [markdown] id="words-temperature-text"
# And the counted words, which are no best case?

# %% id="words-temperature"
size = len(words)
print(f"best case, {size} keys, weight 0.9: τ = {temperature_for(size, 0.9):.2f}")
for tau in (1.0, 0.22, 0.1, 0.05, 0.02, 0.002):
    own = (everything / tau).softmax(1).diagonal()
    mean, least = own.mean(), own.min()
    print(f"τ = {tau:5}: weight of the right key {mean:.2f}, at worst {least:.2f}")

# %% id="twins" tags=["hide-input"]
# prints the words that no vector tells apart
twins = (everything > 0.9999).double()
groups = {" ".join(words[j] for j in row.nonzero()) for row in twins if row.sum() > 1}
print("words with one and the same vector:", *sorted(groups), sep="\n  ")
met = table[number["shorter"]].nonzero().flatten().tolist()
print("all neighbors of shorter:", ", ".join(sides(met)))

# %% [markdown] id="twins-read"
# The formula gives the *warmest* temperature at which such a weight is possible; real keys need it
# colder. And even at 0.002 the worst key has only 0.25. *Larger*, *quieter*, *shorter* and *taller*
# stand only between "is" and "than" in this corpus, so all four have the same vector and share the
# weight, however cold it is. A lookup cannot tell apart what its keys do not.
#
# **Who sets the temperature in a translator?** The score there is often a bare dot product,
# $q^\top k = \lVert q \rVert\,\lVert k \rVert \cos(q, k)$, and the lengths are free to grow. A long
# query *is* a low temperature:

# %% id="length"
sharp = (keys @ puppy / 0.1).softmax(0)
long_query = (keys @ (10 * puppy)).softmax(0)
print("cosine, τ = 0.1:       ", [round(w, 3) for w in sharp.tolist()])
print("query 10 times as long:", [round(w, 3) for w in long_query.tolist()])

# %% [markdown] id="length-read"
# So a network can learn its temperature through the length of its vectors. One that compares by
# cosine needs a factor: the Neural Turing Machine of [Graves, Wayne and Danihelka
# (2014)](D_papers.ipynb#cell-id=graves-2014) looks up its memory by cosine and softmax, sharpened
# by a **key strength** that the network itself puts out. In high dimensions dot products tend to be
# too large; chapter 6 divides them by $\sqrt{d}$.

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("04", "abcda")`. If you have not read chapters 01 to 03, leave the first three out with a
# dot: `"...da"`.

# %% id="recall"
recall("04")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A lookup has three steps: scores → weights → context.
# - A softmax weight is a share of *exponentials*: adding to all scores does nothing, multiplying
#   does a lot. A ratio does the reverse, and breaks on negative scores.
# - Cosine and softmax alone cannot focus: at most $e^2/(e^2 + n - 1)$. A temperature cures it; the
#   length of a query is one in disguise.
# - A lookup cannot tell apart what its keys do not.
#
# **Left out.** Keys and values made by learned matrices (chapters 5, 6 and 11).
#
# <details><summary>Papers</summary>
#
# [Firth 1957](D_papers.ipynb#cell-id=firth-1957); [Church and Hanks
# 1990](D_papers.ipynb#cell-id=church-1990) (pointwise mutual information for words); [Mikolov et
# al. 2013](D_papers.ipynb#cell-id=mikolov-2013) (word2vec); [Graves, Wayne and Danihelka
# 2014](D_papers.ipynb#cell-id=graves-2014) (Neural Turing Machines: cosine, softmax and a key
# strength; besides, lookups by place).
#
# </details>
#
# **Next.** [04b](04b_kernel_regression.ipynb): how such a lookup learns what to look for, and where
# it was known fifty years earlier.
