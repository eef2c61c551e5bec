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
# **You will learn to** turn a dictionary into attention, step by step; say how sharply a lookup can
# focus; derive the gradient that teaches a network what to look up.
#
# **What you need.** Vectors, the dot product, and derivatives. No network is trained here.
#
# **Time.** 36 minutes to read, 44 for exercises 4.1 to 4.3; 10 seconds to run.

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
hours = torch.tensor([9.0, 2.0, 3.0])  # that each takes from its owner per day
lookup_diagram(["computer", "dog", "cat"], young_dog, described, hours, solved=False)

# %% [markdown] id="first-read"
# **Figure 1.** A dictionary with three entries, *computer*, *dog* and *cat*, and the hours per day
# that each takes from its owner. We look up *puppy*, which is not an entry. A Python dictionary
# would stop with an error; this one answers with a number.
#
# Read the drawing from the top. The **query** (쿼리), what we look up, is compared with every
# **key** (키). Each comparison gives a **score** (스코어), here the **dot product** of two vectors.
# A **softmax** turns the scores into **weights** (가중치) that sum to 1. The **values** (밸류) are
# added up, each times its weight. That is all of attention. We now build it, and then fill in the
# question marks.

# %% [markdown] id="dictionary-text"
# ## An exact dictionary
#
# A dictionary returns the value of the key that is equal to the query. Here it is in a roundabout
# form, with the comparisons, weights and sum of Figure 1.

# %% id="exact"
dictionary = {"computer": 9, "dog": 2, "cat": 3}


def is_same(key, query):
    return 1.0 if key == query else 0.0


def look_up(query, similarity):
    weights = [similarity(key, query) for key in dictionary]
    total = sum(weights)
    return sum(w / total * value for w, value in zip(weights, dictionary.values()))


for word in dictionary:
    print(f"{word:8} dictionary: {dictionary[word]}  look_up: {look_up(word, is_same)}")

# %% [markdown] id="exact-read"
# The answers agree for every key. The weight of the right key is 1 and all others are 0: such
# weights are called **one-hot**. What do the two answer for `puppy`?

# %% id="missing-key"
try:
    print("dictionary:", dictionary["puppy"])
except KeyError:
    print("dictionary: KeyError")
try:
    print("look_up:", look_up("puppy", is_same))
except ZeroDivisionError:
    print("look_up: ZeroDivisionError")

# %% [markdown] id="missing-key-read"
# The dictionary refuses. (It finds a key by **hashing**: it computes a place in memory from the
# key, so a nearly right key is of no use.) Our function divides 0 by 0, because every weight is 0.
#
# But a puppy is a young dog. If you know that a dog takes 2 hours, you would say "about 2".

# %% [markdown] id="soft-text"
# ## Make it soft
#
# Instead of *is it the same?* we ask *how similar is it?* (**similarity**, 유사도). In Figure 1 the
# similarities are the dot products: 0.1 for the computer, 0.9 for the dog, 0.7 for the cat. The
# simplest weights are their shares of the total (**normalization**, 정규화).

# %% id="soft"
how_similar = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
total = sum(how_similar.values())
for word, value in dictionary.items():
    share = how_similar[word] / total
    print(f"{word:8} {how_similar[word]} / {total:.1f} = {share:.3f}   × value {value}")
print(f"answer: {look_up('puppy', lambda key, query: how_similar[key]):.4f}")

# %% [markdown] id="soft-read"
# The answer is a **weighted average** (가중평균) of the values. More than half of the weight is on
# *dog*; the little on *computer* pulls the answer up, because 9 is a large value.
#
# For a word that resembles every key equally little, it returns the plain mean, and nothing in the
# answer shows that it has no idea.

# %% [markdown] id="ratio-text"
# ### When a similarity is negative
#
# A dot product can be negative. What happens to the shares if *cat* becomes less and less similar?

# %% id="ratio-breaks"
values = hours.double()
for cat in (0.7, 0.0, -0.5, -0.8, -0.98):
    e = torch.tensor([0.1, 0.9, cat], dtype=torch.double)
    shares = e / e.sum()
    rounded = [round(share, 1) for share in shares.tolist()]
    print(f"cat {cat:5.2f}: shares {rounded}", end="   ")
    print(f"answer {shares @ values:.1f}, with a softmax {e.softmax(0) @ values:.1f}")

# %% [markdown] id="ratio-read"
# Scores of opposite sign cancel in the total, so shares become negative or larger than 1, and at
# −0.8 the "average" has left the range of the values, from 2 to 9. Shares need similarities that
# are not negative; the softmax accepts any score.

# %% [markdown] id="softmax-text"
# ## Softmax is not the ratio
#
# The **softmax** (소프트맥스) first takes the exponential, which is positive for every score, and
# then divides by the sum. With the score $e_j$ of key $j$ and its weight $\alpha_j$:
#
# $$\alpha_j = \frac{\exp e_j}{\sum_k \exp e_k}$$
#
# By the ratio, the *computer* gets the weight 0.059. What weight, from 0 to 1, does it get from the
# softmax?

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
# A softmax weight is a share of the total of the *exponentials*. *Dog* is nine times as similar as
# *computer*, but its weight is only $e^{0.9}/e^{0.1} = e^{0.8}$ times as large, a little more than
# twice. The computer gets a fifth of the weight instead of a seventeenth, and its 9 pulls the
# answer up to 3.748 hours.
#
# </details>

# %% [markdown] id="kinds-text"
# ### Ratio and softmax, side by side
#
# | | ratio | softmax |
# |---|---|---|
# | $j$'s weight over $k$'s | $e_j / e_k$ | $e^{e_j - e_k}$ |
# | a score of 0 | weight 0 | a weight like any other |
# | negative scores | not allowed | allowed |
# | unchanged when all scores are | multiplied by one number | increased by one number |
#
# The cell measures the last line.


# %% id="invariance"
def ratio(e):
    return e / e.sum()


def softmax(e):
    return e.softmax(0)


print("largest change of a weight if each score is increased by 100, or multiplied by 3")
for name, way in (("ratio", ratio), ("softmax", softmax)):
    increased = (way(e + 100) - way(e)).abs().max()
    multiplied = (way(3 * e) - way(e)).abs().max()
    print(f"{name:8} increased {increased:.3f}, multiplied {multiplied:.3f}")

# %% [markdown] id="invariance-read"
# A softmax depends only on the *differences* of scores, a ratio only on their *ratios*. (For
# positive similarities, the ratio is the softmax of their logarithms.) That adding changes nothing
# is useful: $e^{1000}$ is too large for a computer, so programs first subtract the largest score.
#
# **Warm-up.** Add an entry *cushion* with the value 5 and the similarity 0. What weight does it get
# from the ratio, and what weight from the softmax?
#
# <details><summary>Answer</summary>
#
# Ratio: $0/1.7 = 0$. Softmax: $e^0/(e^{0.1} + e^{0.9} + e^{0.7} + e^0) \approx 0.15$, although the
# similarity is 0.
#
# </details>

# %% [markdown] id="vectors-text"
# ## The whole lookup in three lines
#
# If every word is a vector, similarities come from geometry. The dot product of two vectors is
# large if they are long and point the same way. Divided by both lengths, it is the **cosine
# similarity** (코사인 유사도): 1 for the same direction, 0 at right angles, −1 for opposite
# directions.
#
# A dictionary of $S$ entries is then two tables with one row per entry, keys (S, H) and values, and
# a query is one vector of $H$ numbers, (H,). Here is the lookup of Figure 1, first as a loop, then
# in three lines.

# %% id="loop"
import math

exponentials = [math.exp(key @ young_dog) for key in described]
alpha = [x / sum(exponentials) for x in exponentials]
answer = sum(a * value for a, value in zip(alpha, hours))
print(f"answer by a loop: {answer:.3f}")

# %% id="matrices"
scores = described @ young_dog  # (S, H) (H,) → (S,)
weights = scores.softmax(dim=0)  # (S,)
context = weights @ hours  # (S,) (S,) → one number
print(f"answer by matrices: {context:.3f}")

# %% [markdown] id="loop-read"
# The loop and the matrices agree. The three lines, scores → weights → context, are **attention**
# (어텐션). The weights are also called the **attention distribution** (어텐션 분포), and the result
# the **context** (컨텍스트 벡터), after its role in a translator.
#
# A value can also be a vector. We take **word embeddings** (단어 임베딩), vectors of words that a
# network has learned, as query, keys and values: the English ones of a translator that ships with
# the book.

# %% id="fetched"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

translator = Translator.load(bundled_directory().parent / "ko-en-attention", "cpu")
words = translator.tgt_vocabulary.tokens[4:]  # without the special tokens
learned = translator.model.decoder.embed.weight.detach()[4:].double()  # (N, 128)
vectors = F.normalize(learned, dim=1)  # of length 1, so dot products are cosines

puppy, mother = vectors[words.index("puppy")], vectors[words.index("mother")]
keys = torch.stack([vectors[words.index(word)] for word in dictionary])  # (S, H)
fetched = (keys @ puppy).softmax(0) @ keys  # (H,): the keys are the values as well
for name, vector in (("puppy", puppy), ("mother", mother), ("fetched", fetched)):
    cosines = vectors @ F.normalize(vector, dim=0)
    nearest = [f"{words[n]} {cosines[n]:.2f}" for n in cosines.topk(5).indices]
    print(f"{name:8} is closest to {', '.join(nearest)}")

# %% [markdown] id="fetched-read"
# In these vectors the neighbors of *mother* are other people. What *puppy* fetches from *computer*,
# *dog* and *cat* is something between the three, and not much farther from *computer* than from
# *dog*: the weights are too equal.

# %% [markdown] id="focus-text"
# ## How sharply can a lookup focus?
#
# Give the lookup every chance: let the query be **a key itself**. Each of the 1,233 words is looked
# up among all of them by cosine and softmax. What percentage of the weight does the right key get?

# %% id="predict-crowd"
predict("04.crowd", ...)

# %% id="crowd"
everything = vectors @ vectors.T  # cosines of all pairs of words
own = everything.softmax(dim=1).diagonal()  # the weight of each word, looked up by itself
with reveal("04.crowd", 100 * own.mean(), within=0.5):
    print(f"weight of the right key: from {own.min():.2%} to {own.max():.2%}")
    print(f"an even share of {len(words):,}:   {1 / len(words):.2%}")

# %% [markdown] id="bound-text"
# <details><summary>What it says</summary>
#
# Every word gets two to three times an even share: almost nothing.
#
# </details>
#
# ### The most that a key can get
#
# In the best case among $n$ keys, the right one has the cosine 1 and all others have −1:
#
# $$\alpha_{\max} = \frac{e^{1}}{e^{1} + (n-1)\,e^{-1}} = \frac{e^2}{e^2 + n - 1}$$


# %% id="bound-figure" tags=["hide-input"]
# measures and draws the figure
def max_cosine_weight(n):
    return math.e**2 / (math.e**2 + n - 1)


sizes = (3, 10, 30, 100, 300, len(words))
picking = torch.Generator().manual_seed(4)
measured = []
for size in sizes:  # the first word drawn is the query; there is one dictionary of all words
    drawn = [torch.randperm(len(words), generator=picking)[:size] for _ in range(200)]
    found = [everything[some[0], some].softmax(0)[0].item() for some in drawn]
    measured.append(sum(found) / len(found))
many = torch.logspace(0.3, 3.2, 60, dtype=torch.double)
curves = {
    "bound e²/(e² + n − 1)": (max_cosine_weight(many), "-", 0),
    "others at right angles": (math.e / (math.e + many - 1), "--", 2),
    "even share 1/n": (1 / many, ":", 6),
}
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for label, (heights, style, color) in curves.items():
    ax.loglog(many, heights, style, color=figures.PALETTE[color], label=label)
squares = {"color": figures.PALETTE[1], "ms": 7, "label": "learned word vectors, measured"}
ax.loglog(sizes, measured, "s", **squares)
ax.set(xlabel="number of keys n", ylabel="weight of the right key (0 to 1)")
ax.set_title("Figure 2. Cosine and softmax: the more keys, the less focus")
ax.legend()
plt.show()
print("keys             " + "".join(f"{size:8}" for size in sizes))
print("weight, measured " + "".join(f"{weight:8.3f}" for weight in measured))
print("at most          " + "".join(f"{max_cosine_weight(size):8.3f}" for size in sizes))
replies = everything.softmax(1) @ vectors  # each word looked up among all
near = F.cosine_similarity(replies, vectors.mean(0), dim=1).mean()
print(f"cosine of an answer among {len(words):,} and the plain mean: {near:.3f}")

# %% [markdown] id="bound-figure-alt"
# <details><summary>The figure in words</summary>
#
# Log-log plot of the weight of the right key against the number of keys from 2 to 1,600. Three
# falling lines: the bound on top, below it the curve for keys at right angles, lowest the even
# share. Orange squares, measured with learned word vectors, are on the middle curve or just below
# it.
#
# </details>

# %% [markdown] id="bound-read"
# The word vectors stay below the bound (Figure 2; means over 200 random dictionaries of each size),
# because most pairs of them are nearly at right angles.
#
# Does attention *find* the key that is most similar to the query? With cosines and a bare softmax
# it ranks that key first but cannot single it out: no key gets more than $e^2 \approx 7.4$ times
# its even share. Among three keys that looks like finding. Among 1,233 the answer is nearly the
# average of everything (cosine 0.998).

# %% [markdown] id="temperature-text"
# ## Temperature
#
# Larger differences sharpen a softmax. So divide the scores by a small number $\tau > 0$, the
# **temperature** (온도):
#
# $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_k \exp(e_k / \tau)}$$
#
# Move the slider to both ends, and find the temperature at which *dog* gets 0.88.

# %% id="temperature-view"
title = "Figure 3. Looking up puppy: cold, hot"
views.temperature_view(e, list(dictionary), title=title)

# %% id="temperature"
for tau in (0.01, 0.1, 0.5, 1.0, 100.0):
    weights = (e / tau).softmax(0)
    rounded = [round(w, 3) for w in weights.tolist()]
    print(f"τ = {tau:6}: {rounded}   answer {weights @ values:.3f}")

# %% [markdown] id="temperature-read"
# Cold ($\tau \to 0$) gives the hard choice of the nearest key, as in the exact dictionary; hot
# ($\tau \to \infty$) gives the plain mean of the values, $(9 + 2 + 3)/3$ (**average pooling**, 평균
# 풀링).
#
# How cold must it be? With a temperature, the best case among $n$ keys becomes
# $e^{2/\tau} / (e^{2/\tau} + n - 1)$. Solve it for $\tau$.

# %% [markdown] id="ex-temperature-for-text"
# ### Exercise 4.1 · How cold must it be?
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
# compute: refuse an impossible one with your own message, not with the logarithm's error.
#
# </details>

# %% id="ex-temperature-for" tags=["exercise"]
import math


@exercise
def temperature_for(n, target):
    """The τ at which e^(2/τ) / (e^(2/τ) + n − 1) = target, or a ValueError."""
    raise NotImplementedError


# %% [markdown] id="words-temperature-text"
# ### Length instead of a temperature
#
# A bare dot product needs no temperature,
# $q^\top k = \lVert q \rVert\,\lVert k \rVert \cos(q, k)$: long vectors make large differences. The
# cell looks up each word again, by cosine, and then with the vectors as long as training left them.

# %% id="words-temperature"
print(f"best case, {len(words):,} keys, weight 0.9: τ = {temperature_for(len(words), 0.9):.2f}")
for tau in (1.0, 0.21, 0.1, 0.05):
    own = (everything / tau).softmax(1).diagonal()  # the weight of each word, looked up by itself
    print(f"cosine, τ = {tau:4}: weight of the right key {own.mean():.2f}")
own = (learned @ learned.T).softmax(1).diagonal()
print(f"dot product     : weight of the right key {own.mean():.2f}")
lengths = learned.norm(dim=1)
print(f"lengths from {lengths.min():.1f} to {lengths.max():.1f}")

# %% [markdown] id="length-read"
# These keys need a colder lookup than the best case. And a long query *is* a low temperature:
# $(10\,q)^\top k = q^\top k / 0.1$. So a network that compares by dot products can learn its
# temperature through the lengths of its vectors. One that compares by cosine needs a factor: the
# Neural Turing Machine of [Graves, Wayne and Danihelka
# (2014)](D_papers.ipynb#cell-id=graves-2014) computes a **key strength** that sharpens its cosines.
# In high dimensions, dot products can be too large; chapter 6 divides them by $\sqrt{H}$.

# %% [markdown] id="sentence-text"
# ## A sentence is a dictionary
#
# *민수는 시장에서 작은 배 다섯 개를 샀습니다* means *Minsu bought five small pears at the market*.
# Korean puts a short particle after many words that shows their role: 는 makes Minsu the topic,
# 에서 makes the market the place, and 를 marks the object. What a word can be *found by* is its
# **key**; what the word means is its **value**.
#
# One key is ambiguous. The object is 배, the pear, but its 를 comes after 다섯 개, *five*. A query
# for the object therefore fits 배, and 다섯 개를 nearly as well.
#
# Each word is one vector $x_j$ of twelve numbers, six for its role and six for its meaning. Two
# matrices compute its key and its value, $k_j = x_j W_K$ and $v_j = x_j W_V$.

# %% id="story"
korean = ["민수는", "시장에서", "작은", "배", "다섯 개를", "샀습니다"]
roles = ["who", "where", "what kind", "what", "how many", "did what"]
meanings = ["Minsu", "market", "small", "pear", "five", "bought"]
found_by = torch.eye(6)  # one role per word …
found_by[4, roles.index("what")] = 0.8  # … but 다섯 개를 has the particle of the object
x = torch.cat([found_by, torch.eye(6)], dim=1)  # (S, 12): role, then meaning

W_K, W_V = torch.eye(12)[:, :6], torch.eye(12)[:, 6:]  # one picks the role, one the meaning
sentence_keys, sentence_values = x @ W_K, x @ W_V  # (S, 6) each

asks = {  # each English word, in its order, and the role that it asks for
    "Minsu": "who",
    "bought": "did what",
    "five": "how many",
    "small": "what kind",
    "pears": "what",
    "market": "where",
}
# A long query is a low temperature: 4 times a role.  (T, 6)
queries = torch.stack([4 * torch.eye(6)[roles.index(role)] for role in asks.values()])

# %% id="story-attend"
looks = (queries @ sentence_keys.T).softmax(dim=-1)  # (T, S): one row per query
for (word, role), row in zip(asks.items(), looks @ sentence_values):
    most = [f"{meanings[n]} {row[n]:.2f}" for n in row.topk(2).indices if row[n] > 0.1]
    print(f"{word:7} asks {role:10} fetches {', '.join(most)}")
fifth = looks[4] @ sentence_keys  # what "pears" would fetch if the keys were the values
print(f"with the keys as values, “pears” would fetch: {roles[fifth.argmax()]}")

# %% id="story-view"
title = "Figure 4. Six queries to one sentence"
scores = queries @ sentence_keys.T
glossed = [f"{word} {meaning}" for word, meaning in zip(korean, meanings)]
views.attention_steps_view(scores, sentence_values, glossed, list(asks), title=title)

# %% [markdown] id="story-read"
# Step through Figure 4. Six queries, in English order, fetch *Minsu, bought, five, small, pear,
# market* from a sentence that has its verb at the end. The query for *what* fetches the pear and
# the five, and English needs both to choose *pears*. With the keys as values, each query would only
# get its own question back. Two words with equal keys get equal weights at every temperature, so a
# lookup cannot distinguish them.
#
# **Learned keys and values.** Here a person chose the roles, the queries and both matrices. In
# chapter 5 an encoder state is both, and training decides what it can be found by. Memory networks
# separated the two ([Miller et al. 2016](D_papers.ipynb#cell-id=miller-2016)). The Transformer
# ([Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017); chapter 11) learns $W_K$, $W_V$ and a
# third matrix $W_Q$ for the queries, as most language models do today. The keys and values of
# earlier words, which such a model stores while it writes, are its **KV cache**.

# %% [markdown] id="batch-text"
# ## Many queries, many dictionaries, one call
#
# In a batch of $B$ sentences, each is a separate dictionary with $S$ keys and values, and each of
# the $T$ target words brings a query. With queries, keys and values in $Q$, $K$ and $V$, the three
# lines stay:
#
# $$\underbrace{Q K^\top}_{(B,\,T,\,S)} \;\to\; \underbrace{\mathrm{softmax}(Q K^\top)}_{\text{over
# the keys}} \;\to\; \underbrace{\mathrm{softmax}(Q K^\top)\,V}_{(B,\,T,\,D)}$$
#
# Shorter sentences are filled up to the longest (**padding**, 패딩). A **mask** (마스크) marks the
# real entries: boolean, (B, S), *True = may be looked up*.

# %% [markdown] id="ex-attend-text"
# ### Exercise 4.2 · Attention
# *Core, 12 minutes.* Return the context (B, T, D) and the weights (B, T, S) of the queries `query`
# (B, T, H) to the `keys` (B, S, H) and `values` (B, S, D). Scores are dot products. Padding, where
# `mask` (B, S) is False, must get the weight 0, and the rest of each row must still sum to 1.
#
# <details><summary>Hint 1</summary>
#
# Which dimensions of `keys` must change places so that `query @ …` has the shape (B, T, S)?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Which score does the exponential turn into 0? `scores.masked_fill(where, number)` writes a number
# where a mask is True, and a mask (B, 1, S) serves all T queries.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Scores; −∞ where the mask is False, before the softmax; softmax over the last dimension; weights
# times values.
#
# </details>


# %% id="ex-attend" tags=["exercise"]
@exercise
def attend(query, keys, values, mask):
    """Context (B, T, D) and weights (B, T, S); mask (B, S) is True at real entries."""
    raise NotImplementedError


# %% id="attend-use"
many_q = torch.randn(2, 4, 6, generator=generator)  # two sentences, four queries each
many_k = torch.randn(2, 5, 6, generator=generator)
many_v = torch.randn(2, 5, 3, generator=generator)
mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])  # the second has three words
many_c, weights = attend(many_q, many_k, many_v, mask)
print("second sentence, first query:", [round(w, 2) for w in weights[1, 0].tolist()])

# %% [markdown] id="attend-read"
# The padding has weight 0. (The last cell of this file compares `attend` with PyTorch's
# `scaled_dot_product_attention`.) If a mask forbids every entry, 0 is divided by 0 again. In
# chapter 5 you write a softmax that answers with zeros instead.

# %% [markdown] id="gradient-text"
# ## Why soft? A hard lookup has no gradient
#
# A network learns by gradients (chapter 1): each number moves in the direction that lowers the
# loss. Put our three keys on a line, at 1, 2 and 4, and let the query be a number $x$. The **hard
# lookup** takes the nearest key; in the soft one, the score is minus half the squared distance, and
# $\tau = 0.15$. (In networks they are called **hard attention** and **soft attention**, after [Xu
# et al. 2015](D_papers.ipynb#cell-id=xu-2015).) At the query 1.3, how fast does each answer change?
# We try it, and then ask PyTorch: `torch.autograd.grad(answer, x)` returns the derivative, if there
# is a differentiable path from `x` to the answer.

# %% id="finite-differences"
places = torch.tensor([1.0, 2.0, 4.0], dtype=torch.double)


def hard(x):
    return values[(x - places).abs().argmin()]


def soft(x, tau=0.15):
    return (-0.5 * (x - places) ** 2 / tau).softmax(0) @ values


at = torch.tensor(1.3, dtype=torch.double, requires_grad=True)
for name, way in (("hard", hard), ("soft", soft)):
    slope = (way(at + 1e-4) - way(at - 1e-4)) / 2e-4  # try it
    try:
        told = f"{torch.autograd.grad(way(at), at)[0]:.3f}"
    except RuntimeError:
        told = "no path back to x"
    print(f"{name}: by trying {slope:.3f}, by autograd {told}")
trained = values.clone().requires_grad_()
slopes = torch.autograd.grad(trained[(at - places).abs().argmin()], trained)[0]
print("hard lookup, slope for each of the three values:", slopes.tolist())

# %% id="gradient-figure" tags=["hide-input"]
# draws the figure
line_of_queries = torch.linspace(0, 5, 400, dtype=torch.double)
fig, axes = plt.subplots(2, 1, figsize=(7.5, 5), sharex=True)
ways = {
    "hard": (hard, ":", 6),
    "soft, τ = 0.15": (soft, "-", 0),
    "soft, τ = 1.5": (lambda x: soft(x, 1.5), "--", 1),
}
for name, (way, style, color) in ways.items():
    replies = torch.stack([way(x) for x in line_of_queries])
    look = {"color": figures.PALETTE[color], "linestyle": style, "label": name}
    axes[0].plot(line_of_queries, replies, **look)
    steepness = replies.diff() / line_of_queries.diff()
    steepness = steepness.masked_fill(steepness.abs() > 30, torch.nan)  # not at a step
    axes[1].plot(line_of_queries[1:], steepness, **look)
axes[0].plot(places, values, "o", color="#444444", ms=8, label="keys and values")
axes[0].set(ylabel="answer (a value)")
axes[0].set_title("Figure 5. The answer, and its slope, as the query moves")
axes[1].set(xlabel="query x", ylabel="slope of the answer")
axes[0].legend(fontsize=9)
plt.show()

# %% [markdown] id="gradient-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two panels against the query from 0 to 5. Above: the hard answer is a staircase of three steps, 9,
# 2, 3; the soft answer with temperature 0.15 follows it in a smooth curve; with temperature 1.5 it
# falls gently all the way. Below: the slope of the hard answer is 0 everywhere; the slope of the
# colder soft answer has a deep dip at the first step and a small bump at the second, and is 0 in
# between and outside; the slope of the warmer one is a little below 0 nearly everywhere.
#
# </details>

# %% [markdown] id="gradient-read"
# The hard answer does not change *at all*: its slope is zero except at the steps, where it has none
# (Figure 5). Only the *value* that was fetched gets a gradient; the query and the keys, and so the
# choice itself, get none. The soft answer has a slope. But far from the steps, the colder soft
# curve is almost as flat as the hard one (**saturation**).

# %% [markdown] id="by-hand-ask"
# ### The gradient by hand
#
# How does a soft answer change with one score? Raise the *first* of two scores a little and watch
# both weights. The slope of the first is given; replace the dots with the second.

# %% id="faded"
pair = torch.tensor([1.0, 0.0], dtype=torch.double)
first, second = pair.softmax(0)
raised = (pair + torch.tensor([1e-6, 0.0])).softmax(0)
tried = (raised - pair.softmax(0)) / 1e-6
print("by trying: ", [round(slope, 4) for slope in tried.tolist()])
slope_of_first = first * (1 - first)  # the quotient rule, on e^a / (e^a + e^b)
slope_of_second = ...  # yours: raising the first score also changes the second weight
print("by formula:", round(slope_of_first.item(), 4))
if slope_of_second is not ...:
    print("yours:     ", round(float(slope_of_second), 4))

# %% [markdown] id="ex-lookup-gradient-text"
# ### Exercise 4.3 · The gradient of a lookup
# *Hard, 20 minutes.* Return the gradient (S, H) of a lookup with `scores` (S,) and `values` (S, H),
# one vector per key: row $j$ contains $\partial c / \partial e_j$. For `kind="soft"` the answer is
# $c = \sum_k \alpha_k v_k$ with $\alpha = \mathrm{softmax}(e)$; for `kind="hard"` it is the value
# with the largest score. A score can be as large as 200. Do not use autograd.
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
    """Row j = ∂c/∂e_j, kind "soft" or "hard". scores (S,), values (S, H) → (S, H)."""
    raise NotImplementedError


# %% [markdown] id="by-hand-text"
# ### What the gradient means
#
# <details><summary>The gradient (after the exercise)</summary>
#
# When score $j$ rises, its own weight rises at the rate $\alpha_j (1 - \alpha_j)$ and every other
# weight falls at the rate $\alpha_k \alpha_j$. Summed over the values:
#
# $$\frac{\partial c}{\partial e_j} = \alpha_j\,(v_j - c)$$
#
# </details>
#
# *Raising a score pulls the answer toward its value, in proportion to the weight it already has.* A
# value equal to the answer has no pull, nor does a key with no weight. In a cold lookup, nearly
# every key is one or the other.
#
# Suppose we only know that the answer for `puppy` should be 2.2. Start with three equal scores and
# move them against the gradient of the squared error. Then ask for the answer 10.


# %% id="descent"
def descend(wanted, kind, updates=300):
    e = torch.zeros(3, dtype=torch.double)
    for _ in range(updates):
        answer = e.softmax(0) @ values if kind == "soft" else values[e.argmax()]
        slope = lookup_gradient(e, values.unsqueeze(1), kind).squeeze(1)  # (S,)
        e = e - 0.1 * 2 * (answer - wanted) * slope
    return answer, e


for wanted, kind in ((2.2, "hard"), (2.2, "soft"), (10.0, "soft")):
    reached, e = descend(wanted, kind)
    rounded = [round(w, 2) for w in e.softmax(0).tolist()]
    print(f"{kind}, wanted {wanted:4}: answer {reached:.2f}, weights {rounded}")

# %% [markdown] id="descent-read"
# For 2.2 the soft lookup now gives *dog* the most weight (other weights would give 2.2 as well).
# The scores of the hard lookup have not moved. And 10 is out of reach: weights that are positive
# and sum to 1 give an average, a **convex combination** (볼록 결합), which never leaves the range
# of the values. In a network the scores are computed from a query and keys, so the gradient
# continues into those.

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each: `recall("04", "abcda")`.
# A dot skips a question.

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
# - A softmax weight is a share of *exponentials*: only differences of scores count.
# - With cosines a softmax gives no key more than $e^2/(e^2 + n - 1)$. A low temperature, or a long
#   query, sharpens it.
# - A key is what an entry is found by, a value is what is returned.
# - A hard lookup gives the query and the keys no gradient. A soft one gives score $j$ the gradient
#   $\alpha_j (v_j - c)$.
#
# **Left out.** Hard lookups trained by sampling ([Mnih et al.
# 2014](D_papers.ipynb#cell-id=mnih-2014)).
#
# <details><summary>Papers</summary>
#
# [Graves, Wayne and Danihelka 2014](D_papers.ipynb#cell-id=graves-2014) (Neural Turing Machines:
# cosine, softmax and a key strength); [Xu et al. 2015](D_papers.ipynb#cell-id=xu-2015) (hard and
# soft attention); [Miller et al. 2016](D_papers.ipynb#cell-id=miller-2016) (key–value memory
# networks); [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (queries, keys, values).
#
# </details>
#
# **Next.** [Chapter 5](05_attention.ipynb): the decoder's state is the query, the encoder's states
# are keys and values. The side path [04b](04b_kernel_regression.ipynb) meets the same lookup in
# statistics, as kernel regression.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Ratio and softmax, side by side
some = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double)
torch.testing.assert_close(ratio(some), some.log().softmax(0))

# The most that a key can get
assert ((everything.abs() < 0.25).double().mean()) > 0.9

# Exercise 4.2 · Attention
from attnlib.model import DotAttention

theirs, their_weights = DotAttention(6, 6)(many_q, many_k, many_v, mask)
torch.testing.assert_close(many_c, theirs)
torch.testing.assert_close(weights, their_weights)
of_torch = F.scaled_dot_product_attention(many_q, many_k, many_v, mask.unsqueeze(1), scale=1.0)
torch.testing.assert_close(many_c, of_torch)

# What the gradient means
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double, requires_grad=True)
by_autograd = torch.autograd.grad(e.softmax(0) @ values, e)[0]
by_formula = lookup_gradient(e.detach(), values.unsqueeze(1), "soft").squeeze(1)
torch.testing.assert_close(by_formula, by_autograd)
assert (descend(2.2, "hard")[1] == 0).all()
