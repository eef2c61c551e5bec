# ---
# jupyter:
#   attnlib:
#     needs: multi30k-de-en
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 10 · A real translator
#
# *Can a network with attention translate real German?*
#
# You will turn two text files, German and English, into a translator: check the data, learn
# subwords, fill batches, train, translate your own sentences, and report a BLEU that others can
# compare with theirs.
#
# **What it cannot do.** It learns from captions of photographs and translates captions. Give it
# news, a question or a conversation, and it writes fluent nonsense without a warning.
#
# **What you need.** Chapters 5 (attention in a translator), 8 (beam search) and 9 (BLEU). If you
# come straight here: each term gets a sentence where it first occurs.
#
# **Time.** 33 minutes to read, 52 for exercises 10.1 to 10.4. The notebook runs for four to six
# minutes with one core, nearly all of it one training of 1,200 updates.
#
# <details><summary>Plan</summary>
#
# Must be read: *From characters to subwords*, *Training* and *How good is it?* May be skipped:
# *Batches without waste*, if you believe that padding is waste, and *Keep it*.
# [10b](10b_inside.ipynb) asks what the score is made of.
#
# **On your own functions.** With `YOURS = True` in the cell above section 1 this chapter runs on
# the functions that *you* wrote in the exercises of chapters 1 to 9. Save those notebooks first; a
# table then says which parts are yours. It takes longer: your searches go sentence by sentence.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress
from attnbook import read_record, recall, reveal
from attnlib import figures
from attnlib.device import best_device, seed_everything

figures.use_style()
device = best_device()  # a graphics card where there is one, else all cores of the processor
generator = seed_everything(1)

# %% id="first" tags=["hide-input"]
# draws the figure
from attnbook import views

learned = next(
    run
    for run in read_record("10_learning")["runs"]
    if run["corpus"] == "multi30k-de-en"
)
shots = []
for stage in learned["stages"]:
    one = stage["sentences"][10]
    words = [token.strip("▁") for token in one["tokens"] if token != "<eos>"][:14]
    weights = [
        [percent / 100 for percent in row] for row in one["weights"][: len(words)]
    ]
    note = f"validation BLEU {stage['valid bleu']:.1f}"
    shots.append(
        {"step": stage["update"], "tokens": words, "weights": weights, "note": note}
    )
views.learning_view(
    shots,
    [token.strip("▁<>") for token in learned["sentences"][10]["tokens"]],
    title="“In the park play many children with a red ball” (a recorded training)",
    alt="What a translator makes of the German for: in the park play many children with"
    " a red ball, at four moments of a training, and where it looks. After 100 updates:"
    " A group of people is is is, and so on. After 300: A child in a park playing a red"
    " ball in a red ball. After 900: A park in a park playing many balls in a park. And"
    " after 2,400: Many children playing with a red ball in the park.",
)

# %% id="first-stages" tags=["hide-input"]
# prints what it writes, and how sharp its weights are
for number in (10, 12):
    print(learned["sentences"][number]["src"])
    for stage in learned["stages"]:
        print(f"{stage['update']:8,}  {stage['sentences'][number]['text'][:74]}")
print()
for stage in learned["stages"]:
    rows = [row for one in stage["sentences"] for row in one["weights"]]
    sharpness = sum(map(max, rows)) / len(rows)
    print(
        f"after {stage['update']:5,} updates: BLEU {stage['valid bleu']:4.1f}, "
        f"largest weight of a row {sharpness:.0f} % on average"
    )

# %% [markdown] id="first-read"
# Move the slider: a translator like the one of this chapter, recorded while it learned. After 100
# updates it knows which English words are frequent, and repeats one. After 300 it writes English,
# and the words are often right. After 900 more words have their German partners, but it repeats
# what it has already written. After 2,400 the first sentence is right: *in the park* has moved from
# the beginning to the end. The second still is not.
#
# The last lines are a warning. The weights are sharpest after 300 updates, when the translations
# are poor: a sharp heat map is no sign of quality.

# %% id="own-functions"
from IPython.display import display

from attnbook.yours import use_yours

YOURS = False  # True: run on the functions that you wrote in chapters 1 to 9

if YOURS:
    display(use_yours())

# %% [markdown] id="corpus-text"
# ## 1 · The sentences
#
# Multi30k holds captions of photographs: written in English, translated into German by people
# ([Elliott et al. 2016](D_papers.ipynb#cell-id=elliott-2016)), free for education and research, not
# for commerce. It is downloaded once, checked, and kept. If that fails, the cell takes the book's
# own Korean–English corpus; all cells run on either, but the text speaks of German.

# %% id="corpus"
from attnlib.data import CorpusError, load_corpus

try:
    corpus = load_corpus("multi30k-de-en")
    corpus.train, corpus.valid, corpus.test  # reading shows whether the files are there
except CorpusError as problem:
    print(problem)
    corpus = load_corpus("ko-en-easy")
german = corpus.name == "multi30k-de-en"
for split in ("train", "valid", "test"):
    print(f"{split:5}  {len(corpus.split(split)):6,} pairs")
for pair in corpus.train[:3]:
    print(f"{pair.src}\n     {pair.tgt}")

# %% [markdown] id="leak-text"
# The *training* split changes the parameters. The **validation split** chooses: settings, and the
# moment to stop. The **test split** answers one question at the end, and nothing may be chosen on
# it. If test sentences also stand in the training split, the model may have learned them by heart,
# and the answer is worthless. So check.

# %% id="leak"
for side, language in (("src", corpus.src_language), ("tgt", corpus.tgt_language)):
    seen = {getattr(pair, side) for pair in corpus.train}
    known = sum(getattr(pair, side) in seen for pair in corpus.test)
    print(
        f"{language}: {known} of {len(corpus.test):,} test sentences stand in training"
    )

# %% [markdown] id="leak-read"
# None does. (This finds exact copies only; captions resemble each other all the same.)

# %% [markdown] id="unknown-text"
# ## 2 · From characters to subwords
#
# A network computes with numbers, so every sentence becomes a list of token numbers. The first idea
# is a number per word. Its price is the words that training never showed.

# %% [markdown] id="unknown-predict"
# German writes compounds as one word (*Blumenverkäuferin*, a woman who sells flowers). How many
# times as frequent as in English will **unknown words** be in the German test sentences? Half as
# frequent, as frequent, twice, four times?

# %% id="predict-unknown"
predict("10.unknown", ...)  # a number, such as 0.5


# %% id="unknown"
import itertools
from collections import Counter

from attnlib.metrics import tokenize_13a


def words_of(split, side):
    """The words of every sentence of a split, on one side."""
    return [tokenize_13a(getattr(pair, side)) for pair in corpus.split(split)]


unknown_share, told = {}, []
for side, language in (("src", corpus.src_language), ("tgt", corpus.tgt_language)):
    counts = Counter(itertools.chain.from_iterable(words_of("train", side)))
    unknown = [
        [counts[word] == 0 for word in words] for words in words_of("test", side)
    ]
    unknown_share[side] = sum(map(sum, unknown)) / sum(map(len, unknown))
    told.append(
        f"{language}: {unknown_share[side]:.1%} of the test words unseen in training, "
        f"in {sum(map(any, unknown))} of {len(unknown):,} sentences"
    )
with reveal("10.unknown", unknown_share["src"] / (unknown_share["tgt"] or 1), within=0.5):
    print(*told, sep="\n")

# %% [markdown] id="pieces-text"
# <details><summary>What it says</summary>
#
# Few words are unknown, but every fourth German sentence holds one, and a word that was seen once
# or twice is hardly better than an unknown one.
#
# </details>
#
# ### Parts of words
#
# **Byte-pair encoding** (BPE, [Sennrich et al. 2016](D_papers.ipynb#cell-id=sennrich-2016)) learns
# **subwords** instead: it begins with single characters and again and again merges the two
# neighbors that occur together most often. Frequent words end up whole, rare ones in parts, and
# nothing is unknown.
#
# By hand, on three words. A word is a tuple of subwords, and its count says how often it occurs.

# %% id="merge-by-hand"
tiny = {("l", "o", "w"): 5, ("l", "o", "w", "e", "r"): 2, ("n", "e", "w", "e", "r"): 6}
neighbors = Counter()
for word, times in tiny.items():
    for pair in itertools.pairwise(word):
        neighbors[pair] += times
for pair, times in neighbors.most_common():
    print("·".join(pair), times)

# %% [markdown] id="merge-by-hand-read"
# Two pairs are equally frequent, `w·e` and `e·r`, both in *lower* and in *newer*. One of them
# becomes a subword, the counting begins anew, and so on, some thousands of times.

# %% [markdown] id="ex-bpe-merge-text"
# ### Exercise 10.1 · One merge
# *Core, 15 minutes.* `words` maps each word, a tuple of subwords, to its count. Find the pair of
# neighboring subwords that is most frequent, every word counted as often as it occurs; of equally
# frequent pairs, the first in alphabetical order (tuples compared as Python does). Return the pair
# (a tuple of two subwords), and a new dictionary with the same words and counts in which that pair
# is *one* subword wherever it stands, joined from left to right: with the pair a·a, the word a·a·a
# becomes aa·a. At least one word has two subwords, and no two words become the same.
#
# <details><summary>Hint 1</summary>
#
# The cell above counts. For the choice, <code>min</code> or <code>sorted</code> with a key of two
# parts helps: the larger count first, then the pair itself.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# To join, walk through the word and build a new list: where the pair stands, append the joined
# subword and go on two places, else append the subword and go on one.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# A string with spaces and <code>replace</code> would be shorter, and wrong: in <code>xa b</code> it
# finds the pair <code>a b</code>. Compare whole subwords, for instance with the last one of the
# list that you are building.
#
# </details>


# %% id="ex-bpe-merge" tags=["exercise"]
from collections import Counter


@exercise
def bpe_merge(words):
    """The most frequent pair of neighbors, and the words with that pair joined."""
    raise NotImplementedError


# %% [markdown] id="merges-text"
# ### The vocabulary
#
# Now on the corpus: all its words, each with `▁` where a space stands before it. Your function
# makes the first twelve merges; the library's vocabulary (the program `tokenizers`) went on until
# it had four thousand tokens.

# %% id="merges"
import re

from attnlib.data import normalize
from attnlib.translator import make_vocabularies, presets_for

preset = presets_for(corpus)["quick"]
src_vocabulary, tgt_vocabulary = make_vocabularies(corpus, preset.subwords)
found_words = Counter()
for text in itertools.chain.from_iterable(
    (pair.src, pair.tgt) for pair in corpus.train
):
    spaced = "▁" + normalize(text[:1].lower() + text[1:]).replace(" ", "▁")
    found_words.update(re.findall(r"▁?[^\W\d_]+", spaced))
cut_words, merges = {tuple(word): times for word, times in found_words.items()}, []
for _ in range(12):
    best_pair, cut_words = bpe_merge(cut_words)
    merges.append(" ".join(best_pair))
print("yours:      ", ", ".join(merges))

# %% id="merges-library" tags=["hide-input"]
# prints what the library's vocabulary does
if german:
    theirs = src_vocabulary.to_json()["tokenizer"]["model"]["merges"]
    print("the library:", ", ".join(" ".join(pair) for pair in theirs[:12]))
    print(f"             and {len(theirs) - 12:,} more")
print(f"{len(src_vocabulary):,} tokens in the source vocabulary")
print(src_vocabulary.tokenize("Eine Frau lacht, die Blumenverkäuferin lacht."))
held = [normalize(pair.src) for pair in corpus.valid]
same = [src_vocabulary.decode(src_vocabulary.encode(text)) == text for text in held]
print(
    f"{sum(same)} of {len(same)} validation sentences come back from encode and decode"
)

# %% [markdown] id="merges-read"
# The same twelve merges in the same order; the sixth makes `▁ein`, the German *a*. (The first
# character of a sentence is lowercased, so that *Ein* at its start is the *ein* of every other
# place.) A subword with `▁` begins a word. Common words are whole; the rare one is built from
# parts, some of which are words: `Blumen` is "flowers". German and English share one vocabulary, so
# that names, numbers and cognates have the same token in both. And nothing is lost: decoding gives
# every sentence back.

# %% [markdown] id="batches-text"
# ## 3 · Batches without waste
#
# Sentences that are translated together are padded to the longest of them, and work is done on the
# padding, too. A *bucketed* batch holds sentences of similar length.

# %% [markdown] id="ex-bucketed-text"
# ### Exercise 10.2 · Fill the buckets
# *Core, 12 minutes.* `lengths` are the lengths of sentences 0, 1, 2, …, at least one, and stay as
# they are. Return the batches as a list of lists of sentence *indices*. Go from the shortest
# sentence to the longest (equal ones in their order) and put each into the current batch, unless
# the padded table of that batch, number of sentences × longest sentence, would then have more than
# `budget` cells: in that case it begins a new batch. No single sentence is longer than the budget.
#
# <details><summary>Hint 1</summary>
#
# Sort indices, not lengths: <code>sorted(range(len(lengths)), key=…)</code>.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Lengths ascend, so the newest sentence is the longest of its batch. How large would the table be
# with it?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Keep a list of lists that begins with one empty batch. Ask before each sentence whether the last
# batch still has room for it.
#
# </details>


# %% id="ex-bucketed" tags=["exercise"]
@exercise
def bucketed(lengths, budget):
    """Batches of similar lengths: lists of indices, each within the budget of cells."""
    raise NotImplementedError


# %% [markdown] id="waste-text"
# ### How much is padding?
#
# Which share of the table is real tokens if 56 sentences are taken as they come? And in your
# buckets?

# %% id="waste"
encoded = [src_vocabulary.encode(pair.src) for pair in corpus.train]
lengths = [len(sentence) + 1 for sentence in encoded]  # with the end-of-sentence token
in_order = [
    list(range(i, min(i + 56, len(lengths)))) for i in range(0, len(lengths), 56)
]
buckets = bucketed(lengths, preset.batch_tokens)


def real_share(groups):
    """The share of the padded tables that is real tokens."""
    return sum(lengths) / sum(
        len(group) * max(lengths[i] for i in group) for group in groups
    )


print(
    f"as they come: {real_share(in_order):.1%} real tokens in {len(in_order)} batches"
)
print(f"in buckets:   {real_share(buckets):.1%} real tokens in {len(buckets)} batches")

# %% id="waste-picture" tags=["hide-input"]
# draws the figure
from attnlib.data import pad

chosen = min(buckets, key=lambda group: abs(max(lengths[i] for i in group) - 18))
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), width_ratios=(2, 1))
for ax, group, name in zip(axes, (in_order[0], chosen), ("as they come", "bucketed")):
    _, mask = pad([encoded[i] for i in group])
    ax.imshow(
        mask,
        aspect="auto",
        cmap="cividis",
        vmin=-0.3,
        vmax=1.0,
        interpolation="nearest",
    )
    ax.set(
        title=f"{name}: {float(mask.float().mean()):.0%} real",
        xlabel="position (tokens)",
    )
    ax.set(ylabel="sentence of the batch")
    ax.grid(visible=False)
fig.suptitle("Real tokens (light) and padding (dark)")
plt.show()

# %% [markdown] id="waste-alt"
# <details><summary>The figure in words</summary>
#
# Two padded batches as tables of cells, light for a real token, dark for padding. Left, sentences
# as they come: the lengths are ragged and about half of the table is dark, because one long
# sentence sets the width. Right, a bucketed batch: nearly every cell is light.
#
# </details>

# %% [markdown] id="waste-read"
# The same sentences take about half the cells. The library's `Batches` also sorts by the target's
# length, and shuffles the batches anew in every **epoch** (one pass through the corpus): learning
# from the shortest sentences first and the longest last would bias the model.

# %% id="batches"
from attnlib.translator import make_batches

batches, valid = make_batches(
    corpus, src_vocabulary, tgt_vocabulary, preset.batch_tokens, preset.recipe.seed
)
example = min(batches.epoch(0), key=lambda batch: batch.src.shape[1])
print("reads:         ", src_vocabulary.decode(example.src[0].tolist()))
print("is given:      ", [tgt_vocabulary.tokens[i] for i in example.tgt_in[0]])
print("should predict:", [tgt_vocabulary.tokens[i] for i in example.tgt_out[0]])

# %% [markdown] id="batches-read"
# The target occurs twice, shifted by one: what the decoder is given at a step, and what it should
# predict from it. In training it is given the **gold word**, that of the human translation,
# whatever it would have written itself (*teacher forcing*, chapter 7).

# %% [markdown] id="model-text"
# ## 4 · The model
#
# The **encoder** (an LSTM in each direction) reads German; its state $h_j$ describes subword $j$ in
# its surroundings. The **decoder** (an LSTM) writes English from left to right. At step $t$ its
# state $s_t$ asks how relevant each $h_j$ is:
#
# $$e_{tj} = s_t^\top W_a h_j, \qquad \alpha_{tj} = \frac{\exp e_{tj}}{\sum_k \exp e_{tk}}, \qquad
# c_t = \sum_j \alpha_{tj} h_j, \qquad \tilde s_t = \tanh(W_c [c_t ; s_t])$$
#
# ([Luong et al. 2015](D_papers.ipynb#cell-id=luong-2015), "general" score.) The scores become
# weights that sum to 1, the weights mix the states into the context $c_t$, and a softmax over the
# vocabulary gives every subword a probability, $p_t = \mathrm{softmax}(W_s \tilde s_t)$. [Chapter
# 5](05_attention.ipynb#cell-id=s-tilde-text) writes this decoder out as a module. Three things
# differ from the model of Luong et al.: one encoder layer that reads both ways, no input feeding,
# and $h_j$ is the encoder's state *plus* a projection of the subword's embedding. **Weight tying**
# ([Press and Wolf 2017](D_papers.ipynb#cell-id=press-2017)): one embedding matrix serves the
# source, the target and the output, where it is $W_s$.

# %% id="model"
import copy
import math

from attnlib.model import make_seq2seq
from attnlib.training import teacher_forced_loss

architecture = preset.architecture("general")
model = make_seq2seq(len(src_vocabulary), len(tgt_vocabulary), **architecture).to(
    device
)
untrained = copy.deepcopy(model.state_dict())
shared = model.output.weight.numel()
count = sum(parameter.numel() for parameter in model.parameters())
print(
    f"{count / 1e6:.1f} million parameters, {shared / 1e6:.1f} in the embedding matrix"
)
print(f"log V:               {math.log(len(tgt_vocabulary)):.1f} nats")
print(f"the untrained model: {teacher_forced_loss(model, valid):.1f} nats per subword")

# %% [markdown] id="untrained-text"
# A first test that costs nothing. If each of the $V$ subwords were equally likely, the loss per
# token would be $\log V$ (in **nats**, the unit of the natural logarithm: a subword that was given
# the probability $1/e$ costs one). The untrained model is there. A loss far above it would be a
# mistake in the initialization or in the loss.

# %% [markdown] id="train-text"
# ## 5 · Training
#
# An *update* shows the model one batch and moves every parameter a little against the gradient of
# the loss. How far, the **optimizer** decides. **Adam** ([Kingma and Ba
# 2015](D_papers.ipynb#cell-id=kingma-2015)) keeps for every single number $\theta$ of the
# parameters two running means, of its gradient $g_t$ and of the square of it:
#
# $$m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \qquad v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2$$
#
# Both begin at 0 and are too small at first, so they are corrected before they are used:
#
# $$\theta_t = \theta_{t-1} - \eta\, \frac{\hat m_t}{\sqrt{\hat v_t} + \varepsilon}, \qquad
# \hat m_t = \frac{m_t}{1 - \beta_1^t}, \qquad \hat v_t = \frac{v_t}{1 - \beta_2^t}$$
#
# With the library's $\beta_1 = 0.9$ and $\beta_2 = 0.98$, for two
# gradients that differ by a factor of a thousand:

# %% id="faded"
for gradient in (1.0, 0.001):
    mean, square = 0.0, 0.0
    for step in (1, 2):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.98 * square + 0.02 * gradient**2
        print(
            f"gradient {gradient:5}, step {step}: mean {mean:.2g}, square {square:.2g}"
        )

# %% [markdown] id="faded-text"
# The means are still far from the gradients, because they began at 0. How far does each number
# move? The rest is yours.

# %% [markdown] id="ex-adam-step-text"
# ### Exercise 10.3 · A step of Adam
# *Core, 20 minutes.* For tensors of one shape: the `parameter`, its `gradient`, and the two running
# means `mean` and `square` from before the step. `step` is $t$, 1 at the first update; `rate` is
# $\eta$. Return three new tensors, the parameter, the mean and the square after the step, and leave
# the given ones as they are. $\beta_1 = 0.9$, $\beta_2 = 0.98$, $\varepsilon = 10^{-8}$.
#
# <details><summary>Hint 1</summary>
#
# The corrected means are used for the step and not kept: which two go back?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# At the first step, $\hat m_1$ is the gradient itself and $\hat v_1$ its square. By how much does
# every number move then?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Five lines, in the order of the equations: mean, square, both corrections, and the new parameter.
# The root is taken of the corrected square, and $\varepsilon$ is added to the root.
#
# </details>


# %% id="ex-adam-step" tags=["exercise"]
@exercise
def adam_step(parameter, gradient, mean, square, step, rate):
    """One update by Adam → the parameter, the mean and the square after it."""
    raise NotImplementedError


# %% [markdown] id="adam-text"
# ### What Adam makes of the size of a gradient

# %% id="adam"
gradients = torch.tensor([1.0, 0.001, -0.001])
zeros = torch.zeros(3)
moved, *_ = adam_step(zeros, gradients, zeros, zeros, 1, 0.1)
for gradient, value in zip(gradients.tolist(), moved.tolist()):
    print(f"gradient {gradient:6g}: moves by {value:+.1f}")

# %% [markdown] id="adam-read"
# At the first step every number moves by the learning rate: only the sign of its gradient counts.
# Later, a number whose gradients agree moves by nearly the rate, and one whose gradients change
# sign moves less. This is the recipe of the preset "quick", with 1,200 updates in place of its
# 1,800:

# %% id="recipe"
import dataclasses

recipe = dataclasses.replace(preset.recipe, updates=1200, validate_every=300)
shown_recipe = {**dataclasses.asdict(preset), **dataclasses.asdict(recipe)}
del shown_recipe["recipe"]
for field, value in shown_recipe.items():
    if value is not None:
        print(f"{field:16} {value}")

# %% [markdown] id="recipe-read"
# *Embedding rate*: the embedding matrix learns at eight times the rate of the rest, a factor that
# was chosen on the validation split. *Warm-up*: the rate grows over the first 200 updates, and it
# falls in a straight line to the end; the smaller of the two counts, so its highest value is less
# than 0.004.
#
# <details><summary>The other lines</summary>
#
# *Dropout*: at each update a tenth of the activations, chosen at random, is set to 0, so that the
# model cannot rely on any one of them. *Label smoothing*: the target distribution gives the right
# subword a little less than 1 and all others together a little more than 0, so that certainty is
# not rewarded without end. *Clip*: a gradient whose norm is above 1 is shortened to 1. No precision
# is named: then products of matrices run in **bf16** (bfloat16: 16 bits, two or three digits) where
# the hardware is faster with it.
#
# </details>

# %% id="rate-picture" tags=["hide-input"]
# draws the figure, and prints its numbers
every = range(0, recipe.updates + 1, 10)
of_rest = [recipe.learning_rate_at(n, n / recipe.updates) for n in every]
fig, ax = plt.subplots(figsize=(9, 2.6))
of_embeddings = [recipe.embedding_rate * rate for rate in of_rest]
ax.plot(every, of_embeddings, ls="--", label="the embedding matrix")
ax.plot(every, of_rest, label="all other parameters")
ax.set(
    title="The learning rate: up, then down", xlabel="updates", ylabel="learning rate"
)
ax.legend(frameon=False)
plt.show()
top = max(range(recipe.updates), key=lambda n: recipe.learning_rate_at(n, n / recipe.updates))
print(f"highest at update {top + 1}: {recipe.learning_rate_at(top, top / recipe.updates):.4f}")

# %% [markdown] id="rate-alt"
# <details><summary>The figure in words</summary>
#
# Two lines over the updates. Both rise in a straight line until shortly before update 200, where
# that of all other parameters is at 0.0034, and then fall in a straight line nearly to zero at the
# last update. The dashed line of the embedding matrix is eight times as high throughout.
#
# </details>

# %% [markdown] id="one-update-text"
# ### The training loop
#
# What does the library's `fit` do, over and over? This, with your Adam:


# %% id="one-update"
from torch.nn import functional as F


def one_update(model, batch, moments, n, recipe):
    """What fit does with batch number n: forward, loss, backward, clip, step."""
    features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in)
    logits = model.output(features)[batch.tgt_mask]  # nothing is predicted at padding
    gold = batch.tgt_out[batch.tgt_mask]
    loss = F.cross_entropy(logits, gold, label_smoothing=recipe.label_smoothing)
    model.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    for parameter in model.parameters():
        rate = recipe.learning_rate_at(n, n / recipe.updates)
        if parameter is model.output.weight:  # the embedding matrix
            rate = recipe.embedding_rate * rate
        after, *moments[parameter] = adam_step(
            parameter.detach(), parameter.grad, *moments[parameter], n + 1, rate
        )
        parameter.data = after
    return loss.item()


# %% [markdown] id="one-update-agree-text"
# Two copies of the untrained model, without dropout, and the same two batches: one copy takes the
# steps above, the other the library's.

# %% id="one-update-agree" tags=["hide-input"]
# takes two updates both ways
from attnlib.training import fit

twice = dataclasses.replace(recipe, updates=2, precision="fp32", validate_every=2)
sizes_of = len(src_vocabulary), len(tgt_vocabulary)
by_hand = make_seq2seq(*sizes_of, **{**architecture, "dropout": 0.0}).to(device)
by_hand.load_state_dict(untrained)
by_library = copy.deepcopy(by_hand)
fit(by_library, batches, twice, progress=False)
zero = {p: [torch.zeros_like(p), torch.zeros_like(p)] for p in by_hand.parameters()}
for n, batch in enumerate(itertools.islice(batches.epoch(0), 2)):
    one_update(by_hand.train(), batch.to(device), zero, n, twice)
moves, gaps = [
    max(
        (a - b).abs().max().item()
        for a, b in zip(other.parameters(), by_hand.parameters())
    )
    for other in (model, by_library)
]
print(f"the parameters moved by up to ≈{moves:.5f}")
print(f"the two copies differ by at most ≈{gaps / moves:.1%} of that")

# %% id="one-update-check" tags=["check"]
# checks what the text says
check_range(moves, 1e-6, 1e-3)
if german:  # there all embeddings are one matrix
    check_range(gaps / moves, 0, 0.05)

# %% [markdown] id="one-update-read"
# The library adds the counting, a faster way to the same gradient, and the files from which an
# interrupted training goes on.
#
# ### And now all of them
#
# Every 300 updates the next function measures and draws; the weights with the best BLEU on the
# validation split are kept. Both losses are measured without dropout and label smoothing, so that
# the gap between them means how much better the model fits what it was trained on.

# %% id="watch"
probe = list(itertools.islice(batches.epoch(0), 20))  # some training batches
held_out = [(pair.src, pair.tgt) for pair in corpus.valid]
listened = "Zwei Kinder essen Eis." if german else corpus.valid[0].src


def watch(model):
    """Measure the model, draw what was measured, and return the validation BLEU."""
    curves["updates"].append(recipe.validate_every * len(curves["updates"]))
    curves["training"].append(teacher_forced_loss(model, probe))
    curves["validation"].append(teacher_forced_loss(model, valid))
    curves["BLEU"].append(translator.bleu(held_out, 1))
    heard.append(translator.translate(listened, beam_size=1).text)
    draw()
    return curves["BLEU"][-1]


# %% id="draw" tags=["hide-input"]
# draws the two panels anew
from attnbook.figures import learning_curves


def draw():
    """Draw both panels anew and show them in the place of the old ones."""
    for ax, names in ((left, ("training", "validation")), (right, ("BLEU",))):
        ax.clear()
        lines = {name: curves[name] for name in names}
        learning_curves(curves["updates"], lines, title="", ax=ax)
        ax.set(xlim=(0, recipe.updates * 1.03))
    left.set(title="Loss, gold words given")
    right.set(title="BLEU, own output (greedy)", ylabel="BLEU (0 to 100)")
    left.set_xlabel(f"updates; it writes: {heard[-1][:44]}")
    live.update(fig)


# %% [markdown] id="train-predict"
# The loss begins at $\log V$. Which share of its way down will it have gone after the first 300
# updates? Below the left panel stands what the model makes of *Zwei Kinder essen Eis*
# (two children are eating ice cream). The figure grows while you read on.

# %% id="train"
from attnlib.translator import Translator

model.load_state_dict(untrained)  # run again, the cell begins again
translator = Translator(model, src_vocabulary, tgt_vocabulary, {"corpus": corpus.name})
# watch() fills both.
curves = {"updates": [], "training": [], "validation": [], "BLEU": []}
heard = []
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
plt.close(fig)  # shown here and drawn again by watch()
live = display(fig, display_id=True)
watch(model)  # before the first update
history = fit(model, batches, recipe, score=watch, progress=False)
for update, text in zip(curves["updates"], heard):
    print(f"{update:6,}  {approx_text(text[:60])}")

# %% [markdown] id="train-alt"
# <details><summary>The figure in words</summary>
#
# Two line charts over the updates of this training. Left, training and validation loss fall steeply
# at first and then more slowly; they cross, and the validation loss ends slightly above. Right, the
# BLEU on the validation split: it rises throughout, at the end less steeply than at first.
#
# </details>

# %% id="train-shares"
ways = {
    name: (curves[name][1] - curves[name][0]) / (curves[name][-1] - curves[name][0])
    for name in ("training", "validation", "BLEU")
}
print("the first 300 updates went, of the way from the first measurement to the last:")
print(
    f"validation loss ≈{100 * ways['validation']:.0f} %, "
    f"BLEU ≈{100 * ways['BLEU']:.0f} %"
)
gap = curves["validation"][-1] - curves["training"][-1]
print(f"validation loss minus training loss, at the end: ≈{gap:.2f}")

# %% id="train-check" tags=["check"]
# checks what the text says
if german:
    check_range(100 * ways["validation"], 65, 95)
    check_range(100 * ways["BLEU"], 35, 80)
    check_range(gap, 0, 0.6)
    assert ways["validation"] > ways["BLEU"]

# %% [markdown] id="train-read"
# The loss goes most of its way before the first measurement; the BLEU goes less of its own. On the
# left the model is given the *gold* English prefix and asked only for the next subword. On the
# right it must continue its own output, as it does when you use it. The two losses cross (the
# probed training sentences are harder ones), and a small gap opens. As long as the validation loss
# falls, more updates may help.

# %% [markdown] id="yours-text"
# ### Translate your own
#
# Before any score: what does it write? Change the list and run the cell again. The fourth sentence
# is that of chapter 0 in German (*Minsu bought five small pears at the market*), the fifth comes
# from the news (*The Bundestag passed the new law yesterday*), the sixth is in capitals.

# %% id="yours"
yours = [
    "Zwei Kinder essen Eis.",
    "Eine alte Frau verkauft Blumen auf dem Markt.",
    "Ein Junge kauft auf dem Markt fünf Äpfel.",
    "Minsu kaufte auf dem Markt fünf kleine Birnen.",
    "Der Bundestag hat gestern das neue Gesetz verabschiedet.",
    "EIN MANN LÄUFT.",
]
if not german:
    yours = [pair.src for pair in corpus.test[4:10]]
answers = translator.translate(yours, single_sentence=True)  # as it stands, capitals and all
for answer in answers:
    print(answer.src)
    print(f"    ≈{answer.score:.2f} per subword ", approx_text(answer.text, indent=7))
in_training = Counter(itertools.chain.from_iterable(words_of("train", "src")))
for word in (
    "Kinder",
    "Markt",
    "Äpfel",
    "Birnen",
    "Minsu",
    "kaufte",
    "Gesetz",
    "LÄUFT",
):
    print(f"{word:7} occurs {in_training[word]:5,} times in the training captions")

# %% id="yours-check" tags=["check"]
# checks what the text says
if german and "Minsu" in yours[3]:  # not if the list was changed
    assert min(a.score for a in answers[:2]) > max(a.score for a in answers[3:6])

# %% [markdown] id="yours-read"
# The captions come out well or nearly; what training hardly showed, such as *Äpfel*, is lost first.
# The last three become something else, sometimes with words that do not exist, since subwords can
# be joined to anything: the model never says that it does not know, it invents. It never met pears,
# the name or *bought*, and a word in capitals falls into single characters. One warning there is,
# for those who look: the number before each translation, the mean log-probability of its subwords,
# is higher for the first two captions than for the last three.

# %% [markdown] id="ex-perplexity-text"
# ### Exercise 10.4 · Perplexity over batches
# *Warm-up, 5 minutes.* The *perplexity* is exp of the mean loss per token: between how many equally
# likely words is the model undecided? `batches` is a list of pairs (sum of the losses in nats,
# number of tokens), one for each batch. Return the perplexity of all tokens together.
#
# <details><summary>Hint 1</summary>
#
# Batches have different sizes. Should a token weigh more because its batch is small?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Two batches, (4.0, 2) and (1.0, 8), hold ten tokens. What is the loss of one of these tokens on
# average?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Add up before you divide. The losses are in nats, so the base of the power is e.
#
# </details>


# %% id="ex-perplexity" tags=["exercise"]
import math


@exercise
def perplexity(batches):
    """exp of the loss per token. batches: list of (sum of losses in nats, tokens)."""
    raise NotImplementedError


# %% [markdown] id="perplexity-text"
# ### Per subword, per word
#
# One model, one loss on the validation split, divided by two numbers of tokens:

# %% id="perplexity"
from attnlib.training import batch_loss

with torch.no_grad():
    sizes = [int(batch.tgt_mask.sum()) for batch in valid]
    sums = [batch_loss(model, b.to(device)).item() * n for b, n in zip(valid, sizes)]
per_subword = perplexity(list(zip(sums, sizes)))
word_count = sum(len(tokenize_13a(pair.tgt)) + 1 for pair in corpus.valid)
per_word = perplexity([(sum(sums), word_count)])
print(f"{sum(sizes):,} subwords are {word_count:,} words")
print(f"perplexity per subword: ≈{per_subword:.1f}")
print(f"perplexity per word:    ≈{per_word:.1f}")

# %% id="perplexity-check" tags=["check"]
# checks what the text says
assert math.isclose(
    per_subword, math.exp(teacher_forced_loss(model, valid)), rel_tol=1e-3
)
if german:
    check_range(per_subword, 4, 8)
    check_range(per_word, per_subword, 12)

# %% [markdown] id="perplexity-read"
# The same sentences with the same probability have two perplexities, because there are more
# subwords than words to share the loss. A perplexity says nothing without its unit, and those of
# different vocabularies can be compared only when converted to one unit, as here.

# %% [markdown] id="bleu-text"
# ## 6 · How good is it?
#
# BLEU compares the translations of the test split with those of a person, 0 to 100. *Greedy* search
# takes the best subword at every step; *beam* search keeps the five best prefixes (chapter 8;
# scores are divided by the length). By how many points will the beam help?

# %% id="predict-beam"
predict("10.beam", ...)  # points of BLEU

# %% id="bleu"
import sacrebleu

sources, references = zip(*[(pair.src, pair.tgt) for pair in corpus.test])
outputs = {}
for name, width in (("greedy", 1), ("beam 5", 5)):
    # whole: each line as it stands, not cut into sentences
    found = translator.translate(sources, beam_size=width, single_sentence=True)
    outputs[name] = [translation.text for translation in found]
metric = sacrebleu.metrics.BLEU()
scores = {
    k: metric.corpus_score(texts, [references]).score for k, texts in outputs.items()
}
with reveal("10.beam", scores["beam 5"] - scores["greedy"], within=1):
    print(f"{len(references):,} sentences that it never saw:")
    for name, score in scores.items():
        print(f"    BLEU, {name}: ≈{score:.1f}")
    print("signature:", metric.get_signature())

# %% id="bleu-check" tags=["check"]
# checks what the text says
from attnlib.metrics import corpus_bleu

if german:
    check_range(scores["greedy"], 35, 40.5)
    check_range(scores["beam 5"], 37, 42)
for name, texts in outputs.items():  # chapter 9's BLEU, or yours
    assert abs(corpus_bleu(texts, references).score - scores[name]) < 1e-6

# %% id="bleu-luck"
from attnlib.metrics import paired_bootstrap

luck = paired_bootstrap(outputs["beam 5"], outputs["greedy"], references)
print(
    f"the beam is ahead in ≈{100 * luck.first_wins:.0f} % of 1,000 resampled test sets"
)

# %% id="bleu-luck-check" tags=["check"]
# checks what the text says
if german:
    check_range(luck.first_wins, 0.9, 1)

# %% [markdown] id="bleu-read"
# (*Resampled*: a thousand times as many sentences were drawn from the test split with replacement,
# and both searches scored on them, chapter 9.) The *signature* says how the number was computed;
# without it the number means little ([Post
# 2018](D_papers.ipynb#cell-id=post-2018)).

# %% [markdown] id="bleu-scale-text"
# ### Two systems without a network
#
# Leave the German as it is, or always answer with the most frequent caption of the training split.

# %% id="bleu-scale"
frequent = Counter(pair.tgt for pair in corpus.train).most_common(1)[0][0]
naive = {"the German itself": sources, "one caption": [frequent] * len(sources)}
for name, texts in naive.items():
    print(f"{name:20} {corpus_bleu(texts, references).score:5.1f}")
print(f"{'your translator':20} ≈{scores['beam 5']:.1f}")

# %% [markdown] id="bleu-scale-read"
# With the preset's own 1,800 updates, eight recorded trainings have a mean of 40.9
# ([10b](10b_inside.ipynb#cell-id=ways-text)).

# %% [markdown] id="experiment-text"
# ## 7 · Open experiment: move the score
#
# *Half an hour; no check.* Choose **one** change, or think of another: the *dot* score in place of
# the general one; no label smoothing; vocabularies of 1,000 subwords (fewer subwords also change
# how many sentences a batch of 900 tokens holds: say so). Before you train, write down what you
# expect of the validation BLEU after 600 updates, and why. Then put its name in place of `None`,
# run, and report.
#
# <details><summary>What a convincing report has</summary>
#
# | a report that convinces | |
# |---|---|
# | prediction | written before the run, with a reason |
# | one change | data and updates are as above; parameters are counted; what else changes is said |
# | seeds | at least two of each model, or the sentence says "one run"; the spread is shown |
# | split | the choice was made on the validation split; the test split is for the last line |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% id="experiment"
CHANGE = None  # "dot", "no smoothing", "1,000 subwords", "nothing", or one of your own


def try_out(change, seed):
    """Validation BLEU, greedy, after 600 updates with one change; the parameters."""
    size = 1000 if change == "1,000 subwords" else preset.subwords
    src, tgt = make_vocabularies(corpus, size)
    seed_everything(seed)
    kind = "dot" if change == "dot" else "general"
    candidate = make_seq2seq(len(src), len(tgt), **preset.architecture(kind)).to(device)
    smoothing = 0.0 if change == "no smoothing" else preset.recipe.label_smoothing
    short = dataclasses.replace(
        preset.recipe,
        updates=600,
        validate_every=600,
        label_smoothing=smoothing,
        seed=seed,
    )
    made, _ = make_batches(corpus, src, tgt, preset.batch_tokens, seed)
    fit(candidate, made, short, progress=True)
    size_of = sum(p.numel() for p in candidate.parameters())
    return Translator(candidate.eval(), src, tgt).bleu(corpus.valid, 1), size_of


if CHANGE is not None:
    for seed in (1, 2):
        for change in ("nothing", CHANGE):
            reached, size_of = try_out(change, seed)
            print(
                f"seed {seed}, {change:14} {reached:.1f} BLEU, {size_of:,} parameters"
            )

# %% [markdown] id="save-text"
# ## 8 · Keep it
#
# A translator is saved as a folder: the weights as safetensors, all else as JSON. Loading it
# executes nothing, so a folder from a stranger is safe to open.

# %% id="save"
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:  # a name of your own keeps it: "my-run"
    translator.save(folder)
    for file in sorted(Path(folder).iterdir()):
        print(f"{file.name:20} {file.stat().st_size / 1e6:5.1f} MB")
    again = Translator.load(folder, device)
alike = [
    a.text == b.text
    for a, b in zip(again.translate(yours), translator.translate(yours))
]
print(f"the loaded one writes the same for {sum(alike)} of {len(alike)} sentences")

# %% [markdown] id="commands"
# The command line does all of this without a notebook, goes on where it was interrupted, reads a
# corpus of your own, and makes one HTML file that translates in a browser, offline.
#
# <details><summary>The commands</summary>
#
# ```
# python -m attnlib train --corpus multi30k-de-en --attention general --preset full --out my-run
# python -m attnlib evaluate my-run --split test --beam 5
# python -m attnlib translate my-run --align "Ein Hund läuft durch den Schnee."
# python -m attnlib export my-run --page my-translator.html
# ```
#
# For a language of your own, write a file with two sentences that mean the same on each line, a tab
# between them, and name it as the corpus: `--corpus mine.tsv`.
#
# </details>

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("10", "abcda")`.

# %% id="recall"
recall("10")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Before training: look at the data, check for leaks, know how much of the test is unknown.
# - Subwords make every word writable; batches of similar lengths spend their work on tokens.
# - A training loop is forward, loss, backward, clip, step.
# - The loss with gold prefixes and the BLEU of the model's own output are two measurements; a
#   perplexity has a unit.
# - A BLEU needs its signature, and a system without a network beside it.
#
# <details><summary>How sure?</summary>
#
# The training that you watched is one training, and its digits are your machine's; a recorded one
# with as many updates has 39.3. It is one corpus of captions, one direction, one reference per
# sentence.
#
# </details>
#
# **Left out.** Input feeding, copying of names, back-translation, and pre-trained models, which
# would beat all of this with other people's data.
#
# <details><summary>Papers</summary>
#
# [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (the score used here);
# [Sennrich, Haddow and Birch 2016](D_papers.ipynb#cell-id=sennrich-2016) (byte-pair encoding);
# [Press and Wolf 2017](D_papers.ipynb#cell-id=press-2017) (weight tying); [Kingma and Ba
# 2015](D_papers.ipynb#cell-id=kingma-2015) (Adam); [Papineni et al.
# 2002](D_papers.ipynb#cell-id=papineni-2002) (BLEU); [Koehn
# 2004](D_papers.ipynb#cell-id=koehn-2004) (resampling); [Post
# 2018](D_papers.ipynb#cell-id=post-2018) (sacreBLEU and its signature); [Elliott et al.
# 2016](D_papers.ipynb#cell-id=elliott-2016) (Multi30k).
#
# </details>
#
# **Next.** [10b](10b_inside.ipynb): what the score is made of, what attention has to do with it,
# and what it hides.
