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
# **What you will be able to do.** Turn an exact dictionary into a soft one and say what each step
# is for. Explain why a softmax is not a share of the total. Say how sharply a lookup can focus, and
# set its temperature. Derive its gradient by hand. Recognize attention in a method of statistics
# from 1964, and measure when it is a good one. Write the whole lookup in matrices, and translate a
# sentence with it.
#
# **What you need.** Vectors, the dot product, and what a gradient is for. No network is trained
# here, so you can read this chapter before chapters 1 to 3.
#
# **First sitting: what a lookup is.** 35 minutes to read, 25 for exercises 4.1 to 4.3. Its aim: you
# can explain every box of the drawing below, and what a temperature does to it. All of it must be
# read, except *Where the ratio breaks*, which may be skipped.
#
# **Second sitting: what it learns, and from where.** 35 minutes to read, 57 for exercises 4.4 to
# 4.7. Its aim: you know why attention is soft, and have met it in statistics. Must be read: *Why
# soft?*, *The same lookup, fifty years earlier*, *A weight is not a contribution*, *Many queries,
# many dictionaries, one call*. May be skipped: *From distance to dot product*, *A similarity that
# is learned* (the open experiment builds on it).
#
# **To run:** at most half a minute with one thread, on a processor with AVX-512 or with AVX2 alone.

# %% id="setup" tags=["setup"]
import math
import re
from collections import Counter

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

from attnbook import about, exercise, predict, progress, recall, reveal, views
from attnbook.figures import lookup_diagram
from attnlib import figures
from attnlib.data import bundled_directory, load_corpus
from attnlib.device import seed_everything
from attnlib.model import DotAttention
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(4)

# %% id="first"
# Two made-up numbers for each word: how much of an animal it is, and how devoted.
described = torch.tensor([[-0.1, 0.2], [0.7, 0.6], [0.7, 0.35]])  # computer, dog, cat
young_dog = torch.tensor([0.6, 0.8])
hours = torch.tensor([9.0, 2.0, 3.0])  # what each asks of you a day, let us say
lookup_diagram(["computer", "dog", "cat"], young_dog, described, hours)

# %% [markdown] id="first-read"
# This dictionary has three entries: *computer*, *dog* and *cat*. To each belongs a number, let us
# say the hours a day that it asks of its owner. Somebody looks up *puppy*. There is no *puppy*. A
# dictionary in Python would stop with an error; this one answers, 3.75 hours.
#
# Read the drawing from the top. The **query** (쿼리), what is being looked up, is compared with
# every **key** (키). Each comparison gives a **score**, here the **dot product** of two vectors of
# two numbers. A **softmax** turns the scores into **weights** that sum to 1. At the end the
# **values** (밸류) are added up, each times its weight. That is all of attention. This chapter
# builds it from an ordinary dictionary, one step at a time, and asks of each step: why like this,
# and what goes wrong otherwise?

# %% [markdown] id="recall-text"
# Before we begin, five short questions on earlier chapters. Answer them, or read on. If you came
# here before chapters 1 to 3, skip the first three.

# %% id="recall"
recall("04")

# %% [markdown] id="dictionary-text"
# ## An exact dictionary
#
# You bring a **query**, it is compared with every **key**, and you get the **value** of the key
# that fits. That is a dictionary, and it is also attention, once "fits" has become a matter of
# degree.
#
# First the exact dictionary, written in a roundabout way that will pay off: compare the query with
# every key, turn the comparisons into **weights** that sum to 1, and add up the values times the
# weights. (Python's own dictionary works differently, and much faster.)

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
# The same answers, for every key. The weight of the right key is 1 and all others are 0: such
# weights are called **one-hot**. The sum contains one value and nothing else.
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
# The dictionary refuses. Our function fails in another way: no key is the same, all weights are 0,
# and 0 is divided by 0. Remember this; the same division comes back in the last section, in a
# batch.
#
# It is a pity, too. A puppy is a young dog. A person who knows that a dog asks for 2 hours and a
# cat for 3 would not say "error", but "about 2".

# %% [markdown] id="soft-text"
# ## Make it soft
#
# So ask not *is it the same?* but *how similar is it?* (유사도, **similarity**). The drawing above
# had numbers for this: 0.1 for the computer, 0.9 for the dog, 0.7 for the cat. The simplest way to
# make weights of them is to let each be its share of the total.

# %% id="soft"
how_similar = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
total = sum(how_similar.values())
for word, value in dictionary.items():
    share = how_similar[word] / total
    print(f"{word:8}  {how_similar[word]} / {total:.1f} = {share:.3f}   × value {value}")
print(f"answer: {look_up('puppy', lambda key, query: how_similar[key]):.4f}")

# %% [markdown] id="soft-read"
# 2.8235, not quite what the drawing said; we shall see why. Nothing changed in `look_up` but the
# question it asks each key. The answer is a **weighted average** (가중평균) of the values: more
# than half of it is *dog*, a little is *computer*, and because the computer has the high value 9,
# that little pulls the answer up.
#
# A soft dictionary has no missing keys, as long as no similarity is negative and one is above 0.
# That is a blessing and a warning: it *always* answers. For a word that resembles every key equally
# little, it gives the plain mean of all values and does not say that it has no idea.

# %% [markdown] id="ratio-text"
# ### Where the ratio breaks
#
# Each weight was a share of the total (**normalization**, 정규화), $w_j = e_j / \sum_k e_k$, where
# $e_j$ is the similarity, or **score**, of key $j$. Similarities can be negative: the cosine of two
# vectors lies between −1 and 1. So lower the similarity of *cat* step by step, to just above −1.
# All values lie between 2 and 9. Can the answer leave this range, yes or no?

# %% id="predict-range"
predict("04.range", ...)

# %% id="ratio-breaks"
values = torch.tensor([9.0, 2.0, 3.0], dtype=torch.double)
for cat in (0.7, 0.0, -0.5, -0.8, -0.98):
    e = torch.tensor([0.1, 0.9, cat], dtype=torch.double)
    ratio_weights = e / e.sum()
    told = "  ".join(f"{w:6.1f}" for w in ratio_weights)
    print(f"cat {cat:5.2f}: weights by ratio {told}   answer {ratio_weights @ values:6.1f}")
reveal("04.range", "yes" if ratio_weights @ values < values.min() else "no")

# %% id="ratio-figure" tags=["hide-input"]
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
# The answer against the similarity of cat. A gray band marks the values from 2 to 9. The solid
# curve, by softmax, stays inside the band everywhere. The dashed curve, by ratio, is in the band on
# the right, falls out of it at about minus 0.7 and dives below minus 6 near minus 1.
#
# </details>

# %% [markdown] id="ratio-read"
# It can. Two similarities of opposite sign cancel in the total, and the shares become larger than 1
# and smaller than 0. Near −1, where the total is 0, the "average" of 2, 3 and 9 runs away toward
# minus infinity. A ratio makes sense only where every score is positive. The other curve shows what
# we want; it is the next step.

# %% [markdown] id="softmax-text"
# ## Softmax is not the ratio
#
# The **softmax** first takes the exponential, which is positive whatever the score, and then
# divides by the sum:
#
# $$\alpha_j = \frac{\exp e_j}{\sum_k \exp e_k}$$
#
# **You will often read that** a softmax gives each key its share of the total similarity. If that
# were so, the answer for the similarities .1, .9 and .7 would still be 2.8235. Which answer do you
# expect?

# %% id="predict-softmax"
predict("04.softmax", ...)

# %% id="softmax"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double)
for name, weights in (("ratio", e / e.sum()), ("softmax", e.softmax(0))):
    print(f"{name:8}", [round(w, 3) for w in weights.tolist()], f"answer {weights @ values:.3f}")
reveal("04.softmax", e.softmax(0) @ values, within=0.3)

# %% id="softmax-figure" tags=["hide-input"]
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
# 3.748, the answer of the drawing. A softmax weight is a share of the total of the *exponentials*.
# *Dog* is nine times as similar as *computer*, but its exponential is only $e^{0.9}/e^{0.1} =
# e^{0.8}$ times as large, which is little more than twice, and that is the ratio of their weights.
# The computer gets a fifth, and its 9 pulls the answer up.
#
# | | ratio | softmax |
# |---|---|---|
# | $j$'s weight over $k$'s | $e_j / e_k$: their *ratio* | $e^{e_j - e_k}$: their *difference* |
# | a score of 0 | weight 0 | a weight like any other |
# | negative scores | break it | are welcome |
# | unchanged when all scores are | multiplied by the same number | increased by the same number |
#
# The last line, measured:


# %% id="invariance"
def ratio(e):
    return e / e.sum()


print("largest change of a weight when each score is   + 100     × 3")
for name, way in (("ratio", ratio), ("softmax", lambda e: e.softmax(0))):
    changes = [(way(changed) - way(e)).abs().max().item() for changed in (e + 100, 3 * e)]
    print(f"  {name:43}" + "".join(f"{change:8.3f}" for change in changes))
torch.testing.assert_close(ratio(e), e.log().softmax(0))  # one family, see below

# %% [markdown] id="invariance-read"
# Adding 100 to every score takes all meaning from a ratio and changes nothing in a softmax; with
# multiplying it is the other way round. And the two are one family: where all similarities are
# positive, the ratio *is* a softmax, of their logarithms, as the last line of the cell asserts. (A
# score of 0 has the logarithm −∞; that is why its weight is 0.) Keep both facts in mind: that
# *adding* changes nothing will save us a term, and that *multiplying* changes much will be a cure.

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
    """Σ_j w_j v_j, where the weights w sum to 1. Both (S,), kind "ratio" or "softmax" → ()."""
    raise NotImplementedError


# %% id="soft-lookup-use"
for kind in ("ratio", "softmax"):
    print(f"{kind:8} {soft_lookup(e, values, kind):.4f}")

# %% [markdown] id="vectors-text"
# ## Vectors as keys, queries and values
#
# Who says that *puppy* is 0.9 similar to *dog*? If every word is a vector, geometry does. One might
# try to write such a dictionary down in Python, with a list of numbers as the key:

# %% id="unhashable"
try:
    {[0.1, 0.3]: 2}
except TypeError as problem:
    print("a list as a key:", type(problem).__name__)

stored = {torch.tensor([0.1, 0.3]): 2}
print("a tensor as a key, found again:", torch.tensor([0.1, 0.3]) in stored)

# %% [markdown] id="unhashable-read"
# Lists change, so Python does not take them as keys. Tensors it takes, but finds each one again
# only by *being* it, not by its numbers, which is worse: no error, and nothing is ever found. What
# we need is not a Python dictionary at all, just two tables with a row for each of the $S$ entries,
# each row a vector of $H$ numbers: **keys** (S, H) and **values** (S, H); and a query (H,), one
# such vector.
#
# ### Where do the vectors come from?
#
# An old recipe needs no network: words that keep the same company mean similar things ([Firth
# 1957](D_papers.ipynb#cell-id=firth-1957)). Count, for every word that is not too rare, which words
# stand directly before and directly after it. Then ask how much *more often* than by chance each
# neighbor occurs: $\log \frac{\text{count}}{\text{expected}}$. This is the **pointwise mutual
# information** ([Church and Hanks 1990](D_papers.ipynb#cell-id=church-1990)); with all that is
# negative set to 0 it is called *positive* (**PPMI**).


# %% id="count"
def count_neighbors(sentences, least):
    """Words that occur at least so often, and how often each stands beside each: (N, 2N)."""
    counts = Counter(word for sentence in sentences for word in sentence)
    kept = sorted(word for word, count in counts.items() if count >= least)
    place = {word: n for n, word in enumerate(kept)}
    inside = [(place.get(a), place.get(b)) for s in sentences for a, b in zip(s, s[1:])]
    before, after = torch.tensor([pair for pair in inside if None not in pair]).T
    ones = torch.ones(len(before), dtype=torch.double)
    beside = torch.zeros(len(kept), 2 * len(kept), dtype=torch.double)
    beside.index_put_((after, before), ones, accumulate=True)  # left half: what stands before it
    beside.index_put_((before, len(kept) + after), ones, accumulate=True)  # right half: after it
    return kept, beside


# %% id="word-vectors"
def to_vectors(beside):
    """How much more often than by chance, as rows of length 1: a dot product is now a cosine."""
    expected = beside.sum(1, keepdim=True) * beside.sum(0) / beside.sum()
    surprise = torch.where(beside > 0, (beside / expected).log(), 0.0)
    return F.normalize(surprise.clamp(min=0), dim=1)


def nearest_words(word, kept, rows, count=4):
    """The words whose vectors have the largest cosine with the word's own, itself left out."""
    cosines = rows @ rows[kept.index(word)]
    return [f"{kept[n]} {cosines[n]:.2f}" for n in cosines.topk(count + 1).indices[1:]]


# %% [markdown] id="cosine-text"
# The **cosine similarity** (코사인 유사도) of two vectors is their dot product divided by both
# lengths: 1 if they point the same way, 0 at right angles, −1 if opposite. Does counting find
# anything? Try it on text that people wrote: the beginning of Shakespeare's plays, as chapter 1
# reads it, and the words that occur there at least twenty times.

# %% id="shakespeare"
plays = (bundled_directory().parent / "shakespeare" / "shakespeare.txt").read_text(encoding="utf-8")
lines = [re.findall(r"[a-z'-]+", line) for line in re.split("[.!?;:]", plays.lower())]
play_words, play_table = count_neighbors(lines, least=20)
play_vectors = to_vectors(play_table)
print(f"{len(plays):,} letters, {len(play_words)} words, each at least 20 times")
for word in ("king", "father", "love", "he"):
    print(f"{word:7}", ", ".join(nearest_words(word, play_words, play_vectors)))

# %% [markdown] id="shakespeare-read"
# With nothing but counting, a king is closest to a prince and a queen, a father to a husband and a
# brother, *he* to other pronouns. The closest to *love* is *hate*. Not all of it makes sense:
# *mind* comes close to the king and to the father, too, and *country* to *love*. Three hundred
# thousand letters are little. But *hate* is no mistake: both are said in the same places. *Similar*
# means here **said in the same company**, and opposites keep the same company.
#
# Networks learn shorter vectors for words, from much more text ([Mikolov et al.
# 2013](D_papers.ipynb#cell-id=mikolov-2013)), and a translator learns some of its own. Here are
# those of the German translator of chapter 0, which learned them from captions of photographs:

# %% id="learned-vectors"
german = Translator.load(bundled_directory().parent / "de-en", "cpu")
pieces = german.tgt_vocabulary.tokens  # ▁ marks the beginning of a word
embedded = F.normalize(german.model.decoder.embed.weight.detach(), dim=1)
for word in ("▁three", "▁red", "▁woman"):
    print(f"{word:7}", ", ".join(nearest_words(word, pieces, embedded, 3)))

# %% [markdown] id="learned-read"
# The same principle, found by gradient descent: a number lies near numbers, a color near colors.
#
# ### The vectors of this chapter
#
# *Puppy* occurs in neither text, so for the rest of the chapter we count in the book's own corpus.
# Keep in mind what that is: English sentences that **a grammar wrote**, not people. We decided in
# that grammar which nouns can be washed and which can be bought, and counting brings back what we
# put in. These vectors are good for studying a lookup. They say nothing about real dogs and cats.
#
# Two things must be decided before anything is counted. The stories of this corpus use many
# sentences again and again, so each different sentence is counted once. And the *'s* of *Jiho's
# puppy* is a word of its own, as it is for most programs that cut English into words.

# %% id="own-vectors"
texts = [pair.tgt.lower() for pair in load_corpus("ko-en").train]


def sentences_of(texts, apart=" 's", gather=dict.fromkeys):
    """The words of every sentence; a dictionary has each different sentence once."""
    texts = [text.replace("'s", apart) for text in texts]
    parts = gather(part.strip() for text in texts for part in re.findall("[^.!?]+", text))
    return [re.findall(r"[a-z'-]+", part) for part in parts]


sentences = sentences_of(texts)
words, table = count_neighbors(sentences, least=20)
vectors = to_vectors(table)
number = {word: n for n, word in enumerate(words)}
print(f"{len(sentences):,} different sentences, {table.sum() / 2:,.0f} pairs of neighbors")
print(f"{len(words)} words, each at least 20 times")
print("vectors:", tuple(vectors.shape))

# %% [markdown] id="cosine-ask"
# We made up .1, .9 and .7 for *computer*, *dog* and *cat*. Which of the three will counting find
# most similar to *puppy*?

# %% id="predict-cosine"
predict("04.cosine", ...)

# %% id="cosine"
puppy = vectors[number["puppy"]]
keys = torch.stack([vectors[number[word]] for word in dictionary])  # (S, H)
for word, key in zip(dictionary, keys):
    print(f"{word:8} {puppy @ key:.2f}")
reveal("04.cosine", max(dictionary, key=lambda word: puppy @ vectors[number[word]]))

# %% [markdown] id="company-text"
# The computer comes last, as expected. But *dog* and *cat* have changed places. A cosine can be
# taken apart: it is a sum over neighbors, and each neighbor that both words have adds to it.

# %% id="company"
for word, key in zip(dictionary, keys):
    together = puppy * key  # (H,) what each neighbor adds to the cosine
    top = together.topk(4).indices.tolist()
    seen = [f"{words[n]} ~" if n < len(words) else f"~ {words[n - len(words)]}" for n in top]
    count = (together > 0).sum()
    print(f"{word:8} shares {count:2} of puppy's {(puppy > 0).sum()} neighbors:", ", ".join(seen))

# %% [markdown] id="cosine-read"
# (The mark ~ stands for the word itself.) In the grammar's sentences a cat and a puppy are both
# small, and both drink and sleep; the cat shares most of the puppy's neighbors. The dog and the
# computer share about equally many, but not the same ones. The dog shares what a puppy does:
# *slept*, *plays*, *played*, *ate*. Only few words have such neighbors, so each of them adds much.
# The computer shares mainly an owner: *'s*, *his*, *her*. Counting knows nothing of animals, only
# of company. (These vectors have no negative numbers, so their cosines are never below 0.)
#
# How much hangs on the two decisions above? Take them back, one at a time and both:

# %% id="counting" tags=["hide-input"]
print("cosine with puppy          ", *dictionary, sep="  ")
for name, apart, gather in (
    ("as counted above", " 's", dict.fromkeys),
    ("every repetition counted", " 's", list),
    ("'s not cut off", "'s", dict.fromkeys),
    ("neither of the two", "'s", list),
):
    kept, beside = count_neighbors(sentences_of(texts, apart, gather), least=20)
    rows = to_vectors(beside)
    compared = [rows[kept.index(word)] @ rows[kept.index("puppy")] for word in dictionary]
    print(f"{name:27}" + "".join(f"{c:{len(w) + 2}.2f}" for c, w in zip(compared, dictionary)))

# %% [markdown] id="counting-read"
# The repetitions cost the dog much of its similarity, but it stays ahead of the computer. Where
# *'s* is not cut off, the computer comes out first, before the cat. *Jiho's*, *Sora's* and every
# other name with an *'s* are then words of their own, and rare ones; so what a puppy and a computer
# have in common, an owner, counts once for every name. (That it makes too much of rare neighbors is
# a well-known weakness of pointwise mutual information.) A similarity is no better than the
# counting behind it.
#
# Now the whole lookup with these vectors: the score is the cosine, the weights are the softmax, and
# **the values are the keys themselves**. First as a loop that one can follow, then in three lines.

# %% id="loop"
exponentials = [math.exp(sum((puppy * key).tolist())) for key in keys]
alpha = [x / sum(exponentials) for x in exponentials]
answer = sum(a * key for a, key in zip(alpha, keys))
print("weights:", [round(a, 2) for a in alpha])

# %% id="matrices"
scores = keys @ puppy  # (S, H) (H,) → (S,)
weights = scores.softmax(dim=0)  # (S,)
context = weights @ keys  # (S,) (S, H) → (H,)
print("weights:", [round(w, 2) for w in weights.tolist()])
torch.testing.assert_close(answer, context)

# %% id="library"
query, batch = puppy.view(1, 1, -1), keys.unsqueeze(0)  # (B, T, H), (B, S, H)
theirs, their_weights = DotAttention(len(puppy), len(puppy))(query, batch, batch)
torch.testing.assert_close(theirs[0, 0], context)
torch.testing.assert_close(their_weights[0, 0], weights, check_dtype=False)

# %% [markdown] id="loop-read"
# Loop, matrices and the library's `DotAttention` agree. (A cell that asserts this prints nothing,
# unless it fails.) The three lines, scores → weights → context, are **attention** (어텐션). The
# weights, which sum to 1, are also called the **attention distribution** (어텐션 분포). The result
# is called the **context** $c$ because that is its job in a translator. What did we fetch? A vector
# is hard to read, so ask which words it is closest to.

# %% id="fetched"
closeness = F.cosine_similarity(vectors, context.unsqueeze(0))
for value, n in zip(*closeness.topk(4)):
    print(f"{words[n]:8} {value:.2f}")

# %% [markdown] id="fetched-read"
# Something between *cat* and *dog*, and close to *puppy*, although no *puppy* was among the keys.
# And a quarter of it is computer. That computer is the next problem.

# %% [markdown] id="focus-text"
# ## Cosine and softmax cannot focus
#
# In a dictionary of three keys, the computer got a quarter of the weight. What happens among 863?
# To give the lookup every chance, let the query be **a key itself**: look up each word in the table
# of all words, itself included. An exact dictionary would give the right key all of the weight.
# What percentage of it does it get here?

# %% id="predict-crowd"
predict("04.crowd", ...)

# %% id="crowd"
everything = vectors @ vectors.T  # cosines of all pairs of words
own = everything.softmax(dim=1).diagonal()  # the weight of each word when it is the query
print(f"weight of the right key: from {own.min():.2%} to {own.max():.2%}")
print(f"an even share:           {1 / len(words):.2%}")
reveal("04.crowd", 100 * own.mean(), within=0.5)

# %% [markdown] id="bound-text"
# Between two and three times an even share, for every word, and so next to nothing. Would better
# vectors help? A cosine lies between −1 and 1. What is the best that can happen to the right key,
# and what weight does it get then? Work it out before you read on: the exercise asks for it.

# %% [markdown] id="ex-max-cosine-weight-text"
# ### Exercise 4.2 · The sharpest it can be
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
@exercise
def max_cosine_weight(n):
    """The largest softmax weight that n cosines allow: an upper bound. int → float."""
    raise NotImplementedError


# %% id="bound"
for size in (3, 20, 50, len(words)):
    print(f"{size:3} keys: at most {max_cosine_weight(size):.3f}")

# %% [markdown] id="attack-text"
# In the best case the right key has the cosine 1 and all others point in exactly the opposite
# direction, −1:
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
        print(f"update {step:3}: weight {weight:.3f}   bound {max_cosine_weight(20):.3f}")
    optimizer.zero_grad()
    (-weight).backward()
    optimizer.step()

# %% id="bound-figure-data"
sizes = (3, 10, 30, 100, 300, len(words))
measured, picking = [], torch.Generator().manual_seed(4)
for size in sizes:  # 200 small dictionaries of so many words; the first word is the query
    picks = [torch.randperm(len(words), generator=picking)[:size] for _ in range(200)]
    measured.append(sum(everything[p[0], p].softmax(0)[0].item() for p in picks) / 200)
print("keys             " + "".join(f"{size:8}" for size in sizes))
print("weight, measured " + "".join(f"{weight:8.3f}" for weight in measured))
print("at most          " + "".join(f"{max_cosine_weight(size):8.3f}" for size in sizes))

# %% id="bound-figure" tags=["hide-input"]
many = torch.logspace(0.3, 3, 60, dtype=torch.double)
curves = {
    "bound e²/(e² + n − 1)": (math.e**2 / (math.e**2 + many - 1), "-", 0),
    "others at right angles": (math.e / (math.e + many - 1), "--", 2),
    "even share 1/n": (1 / many, ":", 6),
}
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for label, (heights, style, color) in curves.items():
    ax.loglog(many, heights, style, color=figures.PALETTE[color], label=label)
ax.loglog(sizes, measured, "s", color=figures.PALETTE[1], ms=7, label="word vectors, measured")
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
# The attack ends at the bound and not beyond. The measured word vectors do worse: most words have
# nothing to do with one another, so their cosine is near 0, not −1, and the points follow the
# middle curve.
#
# **You will often read that** attention *finds* the key that is most similar to the query. With
# cosines and a bare softmax it does not: however many keys there are, none ever gets more than
# $e^2$ times its even share, which is about seven times. On three keys it looks like finding; on
# 863 it is hardly more than an average of everything.
#
# <details><summary>How sure?</summary>
#
# The bound is proved, by the best case; the attack, from one random start, only shows that it is
# reached. The squares are means over 200 random dictionaries each.
#
# </details>

# %% [markdown] id="temperature-text"
# ## Temperature
#
# The cure is the fact from above: multiplying scores changes a softmax. Divide them by a number
# $\tau > 0$, the **temperature**:
#
# $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_k \exp(e_k / \tau)}$$
#
# Here are *computer*, *dog* and *cat* once more, with the made-up scores. Move the slider to the
# cold end and to the hot end, and find the temperature at which *dog* gets 0.88.

# %% id="temperature-view"
views.temperature_view([0.1, 0.9, 0.7], list(dictionary), title="Looking up puppy, cold and hot")

# %% id="temperature"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double)
for tau in (0.01, 0.1, 0.5, 1.0, 100.0):
    weights = (e / tau).softmax(0)
    print(f"τ = {tau:6}: {[round(w, 3) for w in weights.tolist()]}   answer {weights @ values:.3f}")

# %% id="temperature-figure" tags=["hide-input"]
taus = torch.logspace(-2, 1.3, 120, dtype=torch.double)
by_tau = (e / taus.unsqueeze(1)).softmax(1)
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for n, word in enumerate(dictionary):
    ax.semilogx(taus, by_tau[:, n], ("-", "--", ":")[n], color=figures.PALETTE[n], label=word)
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
# Cold ($\tau \to 0$) gives the hard choice of the nearest key; hot ($\tau \to \infty$) gives the
# plain mean of the values, $(9 + 2 + 3)/3$ (**average pooling**). The exact dictionary is one end
# of the scale, "no idea" the other. (Between equal scores no temperature decides: they always share
# alike.)
#
# How cold must it be? With a temperature the best case of exercise 4.2 becomes $e^{2/\tau} /
# (e^{2/\tau} + n - 1)$. Solve it for $\tau$.

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
@exercise
def temperature_for(n, target):
    """The τ at which e^(2/τ) / (e^(2/τ) + n − 1) = target. ValueError where there is none."""
    raise NotImplementedError


# %% id="learn-temperature"
best_case = torch.tensor([1.0] + [-1.0] * 19, dtype=torch.double)
log_tau = torch.zeros((), dtype=torch.double, requires_grad=True)  # τ = e^0 = 1: bare softmax
optimizer = torch.optim.Adam([log_tau], lr=0.05)
for _ in range(300):
    loss = ((best_case / log_tau.exp()).softmax(0)[0] - 0.9) ** 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("20 keys, weight 0.9")
print(f"  by formula: τ = {temperature_for(20, 0.9):.3f}")
print(f"  learned:    τ = {log_tau.exp():.3f}")

# %% [markdown] id="learn-temperature-read"
# The temperature is an ordinary parameter: gradient descent finds it as well. (It learns $\log
# \tau$, so that $\tau$ cannot become negative.) And the counted words, which are no best case?

# %% id="words-temperature"
print(f"best case, {len(words)} keys, weight 0.9: τ = {temperature_for(len(words), 0.9):.2f}")
for tau in (1.0, 0.22, 0.1, 0.05, 0.02, 0.002):
    own = (everything / tau).softmax(1).diagonal()
    print(f"τ = {tau:5}: right key on average {own.mean():.2f}, at worst {own.min():.2f}")

# %% id="twins"
twins = (everything > 0.9999).double()
groups = {" ".join(words[j] for j in row.nonzero()) for row in twins if row.sum() > 1}
print("words with one and the same vector:", *sorted(groups), sep="\n  ")
met = table[number["shorter"]].nonzero().flatten().tolist()
sides = [f"{words[n]} ~" if n < len(words) else f"~ {words[n - len(words)]}" for n in met]
print("all neighbors of shorter:", ", ".join(sides))

# %% [markdown] id="twins-read"
# The formula gives the *warmest* temperature at which such a weight is possible at all; real keys
# need it colder. And even at 0.002 the worst key has only 0.25: some keys are nearly the same, and
# some entirely. *Larger*, *quieter*, *shorter* and *taller* stand only between "is" and "than" in
# this corpus, so all four have one and the same vector, and a quarter of the weight each, however
# cold it is. A lookup cannot tell apart what its keys do not.
#
# **Who sets the temperature in a translator?** Nobody, it seems: the score there is often a bare
# dot product. But $q^\top k = \lVert q \rVert\,\lVert k \rVert \cos(q, k)$, and the lengths are
# free to grow. A long query *is* a low temperature:

# %% id="length"
sharp = (keys @ puppy / 0.1).softmax(0)
long_query = (keys @ (10 * puppy)).softmax(0)
print("cosine, τ = 0.1:                   ", [round(w, 3) for w in sharp.tolist()])
print("dot product, query 10 times as long:", [round(w, 3) for w in long_query.tolist()])
scaled = F.scaled_dot_product_attention(query, batch, batch, scale=10.0)  # PyTorch's own
torch.testing.assert_close(scaled[0, 0], sharp @ keys)

# %% [markdown] id="length-read"
# So a network can learn its temperature through the length of its vectors. Those that do compare by
# cosine need the factor: [Graves, Wayne and Danihelka (2014)](D_papers.ipynb#cell-id=graves-2014),
# whose Neural Turing Machine looks up its memory by cosine and softmax, first multiply by a **key
# strength** that the network itself puts out. Chapter 6 comes back to the lengths: in high
# dimensions dot products tend to be too large by themselves, and are divided by $\sqrt{d}$.
#
# *Here the first sitting ends. You have built every box of the drawing at the top, and you know
# that between the scores and the weights there is a knob.*

# %% [markdown] id="gradient-text"
# ## Why soft? A hard lookup cannot learn
#
# *Second sitting.* Soft answers for missing keys are pleasant, but the true reason for softness is
# another. A network learns by gradients: *if this number were a little larger, how would the answer
# change?* Put three keys on a line, at 1, 2 and 4, with our values 9, 2 and 3, and let the query be
# a number. The **hard lookup** (in networks: **hard attention**) takes the nearest key; for the
# soft one, the score is minus half the squared distance. At the query 1.3, how fast does each
# answer change?

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

# %% id="gradient-figure" tags=["hide-input"]
line_of_queries = torch.linspace(0, 5, 400, dtype=torch.double)
fig, axes = plt.subplots(2, 1, figsize=(7.5, 5), sharex=True)
ways = {"hard": hard, "soft, τ = 0.15": soft, "soft, τ = 1.5": lambda x: soft(x, 1.5)}
for n, (name, way) in enumerate(ways.items()):
    replies = torch.stack([way(x) for x in line_of_queries])
    look = {"color": figures.PALETTE[(6, 0, 1)[n]], "linestyle": (":", "-", "--")[n], "label": name}
    axes[0].plot(line_of_queries, replies, **look)
    steepness = replies.diff() / line_of_queries.diff()
    axes[1].plot(
        line_of_queries[1:], steepness.masked_fill(steepness.abs() > 30, torch.nan), **look
    )
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
# it is zero everywhere except at the steps, where there is none. Nothing tells the query which way
# to go. The soft answer has a slope, so it can be trained.
#
# Soft alone is not enough, though. Look at the colder curve: away from the steps it is as flat as
# the hard one (**saturation**). *Cold lookups focus well and learn badly.*
#
# And one thing to be exact about: who gets no gradient?

# %% id="value-gradient"
fetched = values.clone().requires_grad_()
nearest = (x - places).abs().argmin()
slopes = torch.autograd.grad(fetched[nearest], fetched)[0]
print("hard lookup, slope for the three values:", slopes.tolist())

# %% [markdown] id="value-gradient-read"
# The *value* that was fetched does get one, even from a hard lookup. It is the query and the keys,
# the choice itself, that cannot be learned.

# %% [markdown] id="by-hand-ask"
# ### The gradient by hand
#
# How does the answer $c = \sum_k \alpha_k v_k$ of a soft lookup change with one score $e_j$? The
# exercise asks you to find out. Here is its first step, on two keys, half done. Raise the *first*
# score a little and watch both weights. The slope of the first weight is given; put that of the
# second in place of the dots. (Left as it is, the cell runs.)

# %% id="faded"
pair = torch.tensor([1.0, 0.0], dtype=torch.double)
first, second = pair.softmax(0)
raised = (pair + torch.tensor([1e-6, 0.0])).softmax(0)
print("by trying: ", [round(slope, 4) for slope in ((raised - pair.softmax(0)) / 1e-6).tolist()])
slope_of_first = first * (1 - first)  # the quotient rule, on e^a / (e^a + e^b)
slope_of_second = ...  # yours: what does raising the first score do to the second weight?
print("by formula:", round(slope_of_first.item(), 4))
if slope_of_second is not ...:
    print("yours:     ", round(float(slope_of_second), 4))

# %% [markdown] id="ex-lookup-gradient-text"
# ### Exercise 4.4 · The gradient of a lookup
# *Hard, 20 minutes.* Scores (S,), values (S, H), one vector a key; a score may be as large as 200.
# Return the gradient (S, H): row $j$ holds $\partial c / \partial e_j$. For `kind="soft"` the
# answer is $c = \sum_k \alpha_k v_k$ with $\alpha = \mathrm{softmax}(e)$. For `kind="hard"` it is
# the value of the largest score. Without autograd, please: once you have the formula, it is
# shorter. The formula stands below the exercise; do not look yet.
#
# <details><summary>Hint 1</summary>
#
# The hard answer: add a little to any score. Does it change?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The soft answer: find $\partial \alpha_k / \partial e_j$ first, for $k = j$ and for $k \ne j$. For
# two keys you have just seen both.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Sum $v_k\, \partial \alpha_k / \partial e_j$ over $k$. Everything has the factor $\alpha_j$; in
# what is left you meet $c$ again.
#
# </details>


# %% id="ex-lookup-gradient" tags=["exercise"]
@exercise
def lookup_gradient(scores, values, kind):
    """Row j = ∂c/∂e_j of the lookup "soft" or "hard". scores (S,), values (S, H) → (S, H)."""
    raise NotImplementedError


# %% [markdown] id="by-hand-text"
# When one score rises, two things happen: the weight of $j$ rises, and so that the sum stays 1, all
# weights, $j$'s too, shrink by the same factor. Written out, $\partial \alpha_k / \partial e_j =
# \alpha_k ([k = j] - \alpha_j)$, where $[k = j]$ is 1 for the key itself and 0 for the others.
# Summed up:
#
# $$\frac{\partial c}{\partial e_j} = \alpha_j\,(v_j - c)$$
#
# It is worth reading aloud. *Raising a score pulls the answer toward its value, in proportion to
# the weight it has already.* A value equal to the answer has no pull; nor has a key with no weight,
# and that is why a cold lookup learns badly.

# %% id="gradient-agree"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double, requires_grad=True)
by_autograd = torch.autograd.grad(e.softmax(0) @ values, e)[0]
by_formula = lookup_gradient(e.detach(), values.unsqueeze(1), "soft").squeeze(1)
torch.testing.assert_close(by_formula, by_autograd)
for word, slope in zip(dictionary, by_formula):
    print(f"{word:8} {slope:5.2f}")

# %% [markdown] id="gradient-agree-read"
# The formula and autograd agree. The answer for *puppy* was 3.748. More similarity with *computer*,
# whose 9 lies far above, would raise it; more with *dog* or *cat* would lower it. The three slopes
# sum to 0: raising all scores together changes nothing.

# %% [markdown] id="descent-text"
# ### Learning the similarity
#
# Nobody has to give us .1, .9 and .7. Suppose all we know is that the answer for `puppy` should be
# 2.2. Start with three equal scores and follow the gradient of the squared error; the formula is
# all we need. And then wish for the answer 10: at which answer will the same descent come to rest?

# %% id="predict-ten"
predict("04.ten", ...)


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
    rounded = [round(w, 2) for w in path[-1].tolist()]
    came = f"answer {path[-1] @ values:.2f}" if kind == "soft" else "nothing has moved"
    print(f"{kind}, wanted {wanted:4}: weights {rounded}, {came}")
assert (descend(2.2, "hard") == 1 / 3).all()
reveal("04.ten", path[-1] @ values, within=0.3)

# %% id="descent-figure" tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(8.5, 3.4))
for ax, wanted in zip(axes, (2.2, 10.0)):
    path = descend(wanted, "soft", 100)
    for n, word in enumerate(dictionary):
        style = ("-", "--", ":")[n]
        ax.plot(path[:, n], style, color=figures.PALETTE[n], label=f"weight of {word}")
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
# *computer*: nobody told it a similarity, it found one that serves. (Others would serve as well. A
# single answer does not settle three similarities.) The hard one has learned nothing. And 10 is out
# of reach: weights that are positive and sum to 1 give an average, a **convex combination**, and an
# average never leaves the range of the values. It comes to rest at *computer*, close to 9.
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
# $K$ is called the **kernel**, and this one is the *Gaussian*. Others serve, too: a *boxcar*, which
# is 1 up to a distance and 0 beyond it, or a *triangular* one, which falls to 0 along a straight
# line. But a kernel that is 0 far away brings 0/0 back, wherever no point is near. The Gaussian is
# positive everywhere, on paper at least. So this is a ratio of positive similarities, and such a
# ratio is the softmax of their logarithms:
#
# | **kernel regression** | attention |
# |---|---|
# | a new point $x$ | query |
# | the known points $x_i$ | keys |
# | their answers $y_i$ | values |
# | $-\tfrac12 \lVert x - x_i \rVert^2$ | score |
# | **bandwidth** squared, $h^2$ | temperature $\tau$ |
#
# Take a curve that we know, and 50 noisy points on it as keys and values. **Drag the query along
# the curve.** The points that it looks at grow with their weights, and the orange line is what the
# lookup answers at every $x$. Then make the bandwidth very small, and very large. Which one follows
# the dashed curve best?


# %% id="data"
def curve(x):
    return torch.sin(2 * x) + 0.5 * x


def draw(count):
    x = 5 * torch.rand(count, 1, generator=generator, dtype=torch.double)
    noise = 0.3 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, curve(x).squeeze(1) + noise


points, answers = draw(50)

# %% id="kernel-view"
axis = torch.linspace(0, 5, 101, dtype=torch.double)
views.kernel_view(
    points,
    answers,
    truth=torch.stack([axis, curve(axis)], dim=1),
    title="Fifty noisy points, asked at x",
)

# %% [markdown] id="ex-nadaraya-watson-text"
# ### Exercise 4.5 · Nadaraya and Watson
# *Core, 12 minutes.* Points may have $D$ coordinates: query (T, D), keys (S, D), values (S,),
# `bandwidth` $h$ a number. Return the $T$ predictions. A query far away from all keys must get an
# answer, too (not NaN): in numbers on a computer $e^{-1000}$ is 0.
#
# <details><summary>Hint 1</summary>
#
# You need the distance of every query to every key, (T, S). A new dimension in the query lets the
# difference be taken for all pairs at once, (T, S, D).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Where all kernels are 0, a ratio is 0/0. The softmax of the logarithms is the same ratio and does
# not mind: what is the logarithm of K?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Three lines, as always: scores (T, S), with the bandwidth in them; weights over the keys; weights
# times values.
#
# </details>


# %% id="ex-nadaraya-watson" tags=["exercise"]
@exercise
def nadaraya_watson(query, keys, values, bandwidth):
    """Kernel regression with K(u) = exp(−u²/2). query (T, D), keys (S, D), values (S,) → (T,)."""
    raise NotImplementedError


# %% [markdown] id="data-text"
# Now with your function: the same points at three bandwidths, and below each curve what a
# translator will draw as its heat map, the weights of every query on every key.

# %% id="bandwidth-figure" tags=["hide-input"]
grid = torch.linspace(-0.5, 5.5, 600, dtype=torch.double).unsqueeze(1)
in_order = points.squeeze(1).argsort()  # the keys from left to right
fig, axes = plt.subplots(2, 3, figsize=(9.5, 6.4), sharey="row")
for (top, low), h in zip(axes.T, (0.01, 0.2, 2.0)):
    top.plot(grid, curve(grid), ":", color=figures.PALETTE[6], label="true curve")
    top.plot(points, answers, "o", color=figures.PALETTE[5], markersize=4, label="keys, values")
    found = nadaraya_watson(grid, points, answers, h)
    top.plot(grid, found, color=figures.PALETTE[1], label="lookup")
    top.set(title=f"bandwidth h = {h}", xlabel="x (query)")
    squares = (grid[::10] - points[in_order].T) ** 2  # (T, S) = (60, 50)
    looks = (-squares / (2 * h**2)).softmax(1)
    low.imshow(looks, cmap="Blues", aspect="auto", origin="lower", extent=(0, 50, -0.5, 5.5))
    low.set(title=f"largest weight {looks.max():.2f}", xlabel="key, from left to right")
    low.grid(visible=False)
axes[0, 0].set_ylabel("y (value)")
axes[1, 0].set_ylabel("x (query)")
axes[0, 2].legend(fontsize=9)
fig.suptitle("One lookup, three bandwidths (below: its weights, darkest = largest)")
plt.show()

# %% [markdown] id="bandwidth-figure-alt"
# <details><summary>The figure in words</summary>
#
# Above, three panels with the same 50 points around a wavy rising curve. With bandwidth 0.01 the
# lookup is a jagged staircase through every point; with 0.2 it follows the true curve, rounding its
# peaks off a little; with 2 it is almost a straight, gently rising line that misses the waves.
# Below, three heat maps, a row a query and a column a key. The first has a thin dark staircase from
# bottom left to top right, the second a soft band along the same way, the third is dark in two
# broad patches, at the bottom left and at the top right, and paler everywhere else.
#
# </details>

# %% [markdown] id="bandwidth-read"
# Cold copies the nearest point with its noise (**overfitting**), hot averages the curve away
# (**underfitting**), and one in between is right. Beyond the first and the last point the staircase
# stays level while the curve goes on: a lookup cannot answer what it has not stored
# (**extrapolation**).
#
# Now measure it, on 500 **held-out** points, over 20 data sets drawn anew: the error (root mean
# square) for many bandwidths. The bandwidth must be chosen without these points. The usual way is
# **leave-one-out cross-validation**: predict each of the 50 points from the 49 others, that is,
# forbid each query to look up itself. A forbidden key gets the score $-\infty$.

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

# %% id="error-figure" tags=["hide-input"]
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
ax.set(title="Too cold, right, too hot (gray: single data sets)", ylim=(0.2, 1.2))
ax.legend(loc="upper left")
plt.show()

# %% [markdown] id="error-figure-alt"
# <details><summary>The figure in words</summary>
#
# Held-out error against the bandwidth from 0.01 to 10 on a log scale: 20 thin gray curves and their
# mean in blue. On the left they lie at the level of the nearest key, about 0.43, sink to a minimum
# of about 0.34 near 0.2, close to the noise of 0.3, and climb to 1 on the right.
#
# </details>

# %% [markdown] id="measure-read"
# The soft lookup beats the hard one on all 20 data sets: a hard lookup copies the noise of one
# point, a soft one averages it out. It comes close to the noise itself, which nothing can predict.
# And it is not magic: a polynomial whose degree suits the curve is as good (0.34 each). The
# strength of the lookup is that it assumes no shape (it is **nonparametric**), only a notion of
# *near*.
#
# <details><summary>How sure?</summary>
#
# ± is the standard deviation over the 20 data sets, which share one curve and one strength of
# noise. The degree 7 was chosen knowing the curve, the bandwidth without knowing it: the comparison
# is kind to the polynomial.
#
# </details>

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
# see. What must hold for the last term, so that both scores give the same weights?

# %% id="dot-kernel"
q = torch.randn(5, generator=generator, dtype=torch.double)
free = torch.randn(8, 5, generator=generator, dtype=torch.double)
for name, k in (("keys of any length", free), ("keys of length 1", F.normalize(free, dim=1))):
    by_distance = (-(q - k).square().sum(1) / 2).softmax(0)
    apart = (by_distance - (k @ q).softmax(0)).abs().max()
    print(f"{name:18}: a weight differs by at most {apart:.2f}")

# %% [markdown] id="dot-kernel-read"
# It must not depend on the key. For keys of equal length, attention with a dot product *is*
# Nadaraya and Watson's regression. Otherwise long keys have an advantage: a dot product rewards not
# only pointing the right way but also being long.

# %% [markdown] id="learn-text"
# ## A similarity that is learned
#
# Near in *what*? Take points with six coordinates, of which only the first two matter for $y$. A
# single bandwidth treats all six alike, so two points that agree in what matters seem far apart
# because of what does not. Give each coordinate an importance $w_d$ of its own in the score,
#
# $$e_{ij} = -\tfrac12 \sum_d w_d^2\,(x_{id} - x_{jd})^2,$$
#
# and learn the six $w_d$ by gradient descent on the leave-one-out error. This is a small piece of
# **metric learning**, and it is possible because the lookup is soft. What will become of the four
# useless coordinates?


# %% id="learn"
def draw_wide(count, useless=4):
    x = torch.rand(count, 2 + useless, generator=generator, dtype=torch.double)
    noise = 0.2 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, torch.sin(6 * x[:, 0]) + 2 * x[:, 1] + noise


def learn(x, y, start, updates=150):
    w = torch.full((x.shape[1],), start, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.2)
    for _ in range(updates):
        loss = leave_one_out(x * w, y, 1.0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return w.detach().abs()


# %% id="learn-measure"
line, shared, own_errors, cold_errors, learned = [], [], [], [], []
for _ in range(5):
    x, y = draw_wide(150)
    new, truth = draw_wide(500)
    h = min(bandwidths, key=lambda h: leave_one_out(x, y, h)).item()
    w = learn(x, y, start=1 / h)
    with_one = [F.pad(z, (0, 1), value=1.0) for z in (x, new)]  # a column of ones: the intercept
    line.append(rms(with_one[1] @ torch.linalg.lstsq(with_one[0], y).solution, truth))
    shared.append(rms(nadaraya_watson(new, x, y, h), truth))
    own_errors.append(rms(nadaraya_watson(new * w, x * w, y, 1.0), truth))
    learned.append(w)
    cold = learn(x, y, start=10 / h)
    cold_errors.append(rms(nadaraya_watson(new * cold, x * cold, y, 1.0), truth))

# %% id="learn-numbers"
print("held-out error, mean of 5 data sets (noise alone: 0.20)")
print(f"  straight line:               {sum(line) / 5:.2f}")
print(f"  one bandwidth:               {sum(shared) / 5:.2f}")
print(f"  learned similarity:          {about(sum(own_errors) / 5, 0.2, 0.28)}")
print(f"  the worst of the five:       {about(max(own_errors), 0.2, 0.3)}")
print(f"  begun at bandwidth h/10:     {about(sum(cold_errors) / 5, 0.5, 0.75)}")

# %% id="learn-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.4))
for n, w in enumerate(learned):
    look = {"color": figures.PALETTE[n], "markerfacecolor": "none", "markeredgewidth": 2}
    ax.plot(range(1, 7), w, "osD^v"[n], markersize=8, label=f"data set {n + 1}", **look)
ax.set(xlabel="coordinate d (only 1 and 2 matter)", ylabel="importance |w| (1 / bandwidth)")
ax.set_title("What counts as near, learned by gradient descent")
ax.legend(fontsize=9)
plt.show()

# %% [markdown] id="learn-figure-alt"
# <details><summary>The figure in words</summary>
#
# Learned importances of six coordinates on five data sets. Coordinate 1 lies between about 14 and
# 17, coordinate 2 between about 10 and 14, coordinates 3 to 6 between 0 and about 2.5.
#
# </details>

# %% [markdown] id="learn-read"
# With one bandwidth for all, the lookup does no better than a straight line. With learned
# importances its error comes close to the noise on each of the five data sets: the gradient has
# found out what to look at, and made the bandwidth small where it matters. (The useless coordinates
# come close to 0, not always quite: 150 points can deceive.) This is what happens in a network, on
# a grander scale: *which differences between query and key count* is learned from the answers. In
# chapters 5 and 6 a whole matrix stands between the two.
#
# The last line is the warning from above come true. Started with a tenth of the bandwidth, each
# query sees little more than its nearest key. The answers hardly change with the importances, the
# descent finds no way, and the lookup ends worse than a straight line. *Cold lookups learn badly.*
#
# <details><summary>How sure?</summary>
#
# Five data sets of one kind, 150 updates each, one learning rate. Whether a much longer training
# would free the cold start, this cell does not say; the open experiment at the end is the place to
# try.
#
# </details>

# %% [markdown] id="contribution-text"
# ## A weight is not a contribution
#
# **You will often read that** the answer comes mostly from the keys with the largest weights. What
# is *added up* is $\alpha_j v_j$, and values may be long or short. Look up *puppy* among all other
# words, at $\tau = 0.2$; the keys are the normalized vectors as before, but the values are now the
# raw counts of neighbors, which are long for frequent words. Which words have the largest weights,
# and which contribute the longest vectors $\lVert \alpha_j v_j \rVert$?

# %% [markdown] id="ex-contribution-shares-text"
# ### Exercise 4.6 · Who contributes what?
# *Core, 10 minutes.* For a batch: weights (B, T, S), values (B, S, H). Return (B, T, S): the length
# of $\alpha_{tj} v_j$ as a share of the sum of these lengths over $j$.
#
# <details><summary>Hint 1</summary>
#
# A weight is not negative, so $\lVert \alpha v \rVert = \alpha \lVert v \rVert$. You need not build
# the vectors $\alpha_{tj} v_j$.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The lengths of the values are (B, S), one row for all queries. Which dimension is missing so that
# they meet weights (B, T, S)?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Weight times length, then divide by the sum over the last dimension, which must be kept so that
# the division fits.
#
# </details>


# %% id="ex-contribution-shares" tags=["exercise"]
@exercise
def contribution_shares(weights, values):
    """‖α_tj v_j‖ as a share of its sum over j. weights (B, T, S), values (B, S, H) → (B, T, S)."""
    raise NotImplementedError


# %% id="contribution"
others = [n for n in range(len(words)) if words[n] != "puppy"]
weights = (vectors[others] @ puppy / 0.2).softmax(0)
shares = contribution_shares(weights.view(1, 1, -1), table[others].unsqueeze(0))[0, 0]
for name, what in (("weight", weights), ("contribution", shares)):
    top = [f"{words[others[n]]} {what[n]:.1%}" for n in what.topk(4).indices]
    print(f"largest {name:12}:", ", ".join(top))
print(f"weight of the: {weights[others.index(number['the'])]:.1%}")

# %% id="contribution-figure" tags=["hide-input"]
chosen = ["cat", "dog", "wallet", "the", "to", "day"]
fig, ax = plt.subplots(figsize=(7.5, 3.4))
for n, (name, what) in enumerate((("weight", weights), ("share of what is added", shares))):
    heights = [100 * what[others.index(number[word])].item() for word in chosen]
    places_x = torch.arange(len(chosen)) + 0.38 * (n - 0.5)
    ax.bar(places_x, heights, 0.36, color=figures.PALETTE[n], hatch="/"[:n], label=name)
ax.set_xticks(range(len(chosen)), chosen)
ax.set(
    xlabel="key",
    ylabel="percent of the whole",
    title="Looking up puppy: weight against contribution",
)
ax.legend()
plt.show()

# %% [markdown] id="contribution-figure-alt"
# <details><summary>The figure in words</summary>
#
# Paired bars for six keys. Cat has by far the largest weight, more than 5 percent, and a share of
# almost 3 in what is added. Dog and wallet have less than 1 percent of weight and contribute next
# to nothing. The, to and day have next to no weight and contribute 2 to 3 percent each.
#
# </details>

# %% [markdown] id="contribution-read"
# *Cat* has by far the largest weight, and yet *the*, with a thousandth of the total weight,
# contributes as much: its value is enormous. *Dog*, second in weight, adds next to nothing. So a
# picture of weights alone can mislead; [Kobayashi et al.
# (2020)](D_papers.ipynb#cell-id=kobayashi-2020) propose to look at $\lVert \alpha_j v_j \rVert$.
# Whether it makes a difference in a translator is a question of how much the lengths of its values
# differ, and chapter 5 [measures it](05_attention.ipynb#cell-id=contributions). Not the last word
# either: long contributions may point in opposite directions and cancel.

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
# <details><summary>Hint 1</summary>
#
# Scores: a matrix product sums over the last dimension of the left factor and the last but one of
# the right. The keys have H last: what must be done to them?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The mask is (B, S), the scores are (B, T, S). Every query of a sentence has the same mask: which
# dimension is missing?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `masked_fill` fills where its mask is True, and ours is True where nothing is to be filled. Then
# the softmax over the last dimension, then the values.
#
# </details>


# %% id="ex-attend" tags=["exercise"]
@exercise
def attend(query, keys, values, mask):
    """Context (B, T, Hv) and weights (B, T, S). query (B, T, H), keys (B, S, H), mask (B, S)."""
    raise NotImplementedError


# %% id="attend-use"
q = torch.randn(2, 4, 6, generator=generator)  # two sentences, four queries each
k, v = torch.randn(2, 5, 6, generator=generator), torch.randn(2, 5, 3, generator=generator)
mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])  # the second has three entries
context, weights = attend(q, k, v, mask)
theirs, their_weights = DotAttention(6, 6)(q, k, v, mask)
torch.testing.assert_close(context, theirs)
torch.testing.assert_close(weights, their_weights)
of_torch = F.scaled_dot_product_attention(q, k, v, mask.unsqueeze(1), scale=1.0)
torch.testing.assert_close(context, of_torch)
print("weights of the second sentence, first query:", [round(w, 2) for w in weights[1, 0].tolist()])

# %% [markdown] id="attend-read"
# The two entries that are not there have weight 0, and `attend`, the library and PyTorch agree. The
# whole chapter is in this function, and it is what stands in `attnlib/model/attention.py`.
#
# ### A sentence is a dictionary
#
# Now look up something that matters. *민수는 시장에서 작은 배 다섯 개를 샀습니다* means *Minsu
# bought five small pears at the market*, and you will meet it again in chapter 5. Korean puts a
# little mark behind many words that says what they are there for: 는 makes Minsu the topic, 에서
# makes the market the place, 개 counts and 를 marks the object, and the verb 샀습니다 comes last.
# (배, the pear, goes without one of its own: the 를 behind 개 stands for the whole phrase.) Such a
# mark is just what a **key** is for: not the word's meaning, but what it can be *found by*. What
# the word means is its **value**. So keys and values need not be the same vectors.

# %% id="story"
entries = ["민수는", "시장에서", "작은", "배", "다섯 개를", "샀습니다"]
found_by = ["who", "where", "what kind", "what", "how many", "did what"]
meanings = ["Minsu", "market", "small", "pear", "five", "bought"]
key_of = dict(zip(found_by, torch.eye(6)))  # six keys at right angles
asks = {
    "Minsu": 4 * key_of["who"],
    "bought": 4 * key_of["did what"],
    "five": 4 * key_of["how many"],
    "small": 4 * key_of["what kind"],
    "pears": 4 * key_of["what"] + 3 * key_of["how many"],  # one pear, or more?
    "market": 4 * key_of["where"],
}
sentence_keys, sentence_values = torch.stack(list(key_of.values())), torch.eye(6)

# %% id="story-attend"
six = torch.stack(list(asks.values()))  # a query for each English word, in English order
fetched, looks = attend(six[None], sentence_keys[None], sentence_values[None], None)
for word, row in zip(asks, fetched[0]):
    most = ", ".join(f"{meanings[n]} {row[n]:.2f}" for n in row.topk(2).indices if row[n] > 0.1)
    print(f"asked for {word:7} fetched {most}")

# %% id="story-view"
views.attention_steps_view(
    six @ sentence_keys.T,
    sentence_values,
    [f"{korean} ({role})" for korean, role in zip(entries, found_by)],
    list(asks),
    title="Six queries to one sentence",
)

# %% [markdown] id="story-read"
# Step through it. Six queries, in English order, fetch *Minsu, bought, five, small, pear, market*
# from a sentence that has its verb at the end. And one of them gains from being soft: English must
# know whether it is *pear* or *pears*, and Korean need not mark it on the noun. So the query for
# *pears* asks for the thing and, less strongly, for the number, and fetches a mixture of both. A
# hard lookup could not.
#
# Here a person wrote the keys and the queries. In chapter 5 nobody does: a network learns from
# translations alone what its words should be found by, and what to ask for.

# %% [markdown] id="nothing-text"
# One case is left. A dictionary with *no* entry at all:

# %% id="nothing"
nothing = torch.full((1, 5), -torch.inf)
print("softmax where nothing is allowed:", nothing.softmax(-1)[0].tolist())
empty = DotAttention(6, 6)(q[:1], k[:1], v[:1], torch.zeros(1, 5, dtype=torch.bool))[1]
print("the library's weights:           ", empty[0, 0].tolist())

# %% [markdown] id="nothing-read"
# 0 divided by 0 once more, the missing key of the first page. The library answers with zeros, "I
# found nothing"; in chapter 5 you build a softmax that does so.

# %% [markdown] id="experiment-text"
# ## Open experiment: another notion of near
#
# *30 minutes, no check.* *A similarity that is learned* gave each coordinate an importance. Choose
# **one** change, or think of another: a whole *matrix* $W$ in place of the six importances, so that
# the score is $-\tfrac12 \lVert W^\top x_i - W^\top x_j \rVert^2$; *twenty* useless coordinates in
# place of four; a kernel with *longer tails*, $K(u) = 1/(1 + u^2)$, whose score is $-\log(1 +
# u^2)$. Before you run it, write down whether the held-out error of the learned similarity will
# rise, fall or stay (within 0.02), and why. Then put the name in place of `None`, run, and report.
#
# | a report that convinces | |
# |---|---|
# | prediction | written before the run, with a reason |
# | one change | data, updates and learning rate as above; learned numbers are counted |
# | data sets | at least five, the same for both; the spread is shown |
# | numbers | beside those of the unchanged lookup on the same data sets |
# | conclusion | could have come out otherwise, and says what it does not show |

# %% id="experiment"
CHANGE = None  # "matrix", "useless", "tails", or one of your own


def weights_between(x, z, change):
    squares = (x.unsqueeze(1) - z).square().sum(-1)
    scores = -(1 + squares).log() if change == "tails" else -squares / 2
    return scores.masked_fill(squares.detach() == 0, -torch.inf).softmax(-1)  # never itself


def learn_matrix(x, y, change, start, updates=150):
    width = x.shape[1]
    which = torch.ones(width, width) if change == "matrix" else torch.eye(width)
    matrix = (start * torch.eye(width, dtype=torch.double)).requires_grad_()
    optimizer = torch.optim.Adam([matrix], lr=0.2)
    for _ in range(updates):
        seen = x @ (matrix * which)
        loss = (weights_between(seen, seen, change) @ y - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (matrix * which).detach()


if CHANGE is not None:
    for trial in range(5):  # about a second each
        generator.manual_seed(trial)
        useless = 20 if CHANGE == "useless" else 4
        x, y = draw_wide(150, useless)
        new, truth = draw_wide(500, useless)
        h = min(bandwidths, key=lambda h: leave_one_out(x, y, h)).item()
        matrix = learn_matrix(x, y, CHANGE, 1 / h)
        found = weights_between(new @ matrix, x @ matrix, CHANGE) @ y
        w = learn(x[:, :6], y, 1 / h)  # with four useless coordinates, whatever the change
        unchanged = rms(nadaraya_watson(new[:, :6] * w, x[:, :6] * w, y, 1.0), truth)
        print(f"data set {trial}: unchanged {unchanged:.2f}, changed {rms(found, truth):.2f}")

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
#   may be learned; the length of a query is one in disguise.
# - A hard lookup gives query and keys no gradient. A soft one has $\alpha_j (v_j - c)$ for score
#   $j$, which fades when the lookup is too cold.
# - Kernel regression is attention with the score $-\tfrac12 \lVert q - k \rVert^2$ and the
#   temperature $h^2$. An answer never leaves the range of the values.
# - A large weight is not yet a large contribution.
# - A key is what an entry is found by, a value what is taken away; they need not be the same.
#
# **Left out.** Keys and values that are made of different vectors by learned matrices (chapters 5,
# 6 and 11). Dividing by $\sqrt{d}$ (chapter 6). Hard lookups that are trained by sampling instead
# of gradients through the choice ([Mnih et al. 2014](D_papers.ipynb#cell-id=mnih-2014)). Lookups by
# place instead of content, which a Neural Turing
# Machine has, too. Local-linear regression, the usual repair of kernel regression at the edges.
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
# **Next.** [Chapter 05](05_attention.ipynb) puts this lookup into a translator: the query is the
# decoder's state, keys and values are the encoder's states.
