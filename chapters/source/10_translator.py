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
# **What you will be able to do.** Turn two text files, German and English, into a translator: check
# the data, learn subwords, fill batches, train, translate sentences of your own, and report a BLEU
# that others can compare with theirs.
#
# **What it cannot do.** It learns from captions of photographs and translates captions. Given news,
# a question or a conversation, it may write nonsense.
#
# **What you need.** Chapters 5 (attention in a translator), 8 (beam search) and 9 (BLEU).
#
# **Time.** 30 minutes to read, 47 for exercises 10.1 to 10.3. The notebook runs for four to six
# minutes with one core, nearly all of it one training of 1,200 updates.
#
# <details><summary>Plan</summary>
#
# Required: *From characters to subwords*, *Training* and *How good is it?* Optional: *Batches
# without waste* and *Keep it*.
#
# **On your own functions.** With `YOURS = True` in the cell above section 1, this chapter runs on
# the functions that *you* wrote in the exercises of chapters 1 to 9. Save those notebooks first; a
# table then shows which parts are yours. It takes longer, because your searches translate one
# sentence at a time.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress
from attnbook import read_record, read_trainings, recall, reveal
from attnlib import figures
from attnlib.device import best_device, seed_everything

figures.use_style()
device = best_device()  # a graphics card where there is one, else all cores of the processor
generator = seed_everything(1)

# %% id="first" tags=["hide-input"]
# draws the view
from attnbook import views

learned = next(r for r in read_record("10_learning")["runs"] if r["corpus"] == "multi30k-de-en")
shots = []
for stage in learned["stages"]:
    sentence = stage["sentences"][10]
    words = [token.strip("▁") for token in sentence["tokens"] if token != "<eos>"][:14]
    shot = {"step": stage["update"], "tokens": words, "weights": []}
    for row in sentence["weights"][: len(words)]:
        shot["weights"].append([percent / 100 for percent in row])
    shot["note"] = f"validation BLEU {stage['valid bleu']:.1f}"
    shots.append(shot)
views.learning_view(
    shots,
    [token.strip("▁<>") for token in learned["sentences"][10]["tokens"]],
    title="Figure 1. “In the park play many children with a red ball” (recorded)",
    alt="What a translator makes of the German for: in the park play many children with"
    " a red ball, at four moments of a training, and where it looks. After 100 updates:"
    " A group of people is is is, and so on. After 300: A child in a park playing a red"
    " ball in a red ball. After 900: A park in a park playing many balls in a park. And"
    " after 2,400: Many children playing with a red ball in the park.",
)

# %% id="first-stages" tags=["hide-input"]
# prints the translations of two sentences
for number in (10, 12):
    print(learned["sentences"][number]["src"])
    for stage in learned["stages"]:
        print(f"{stage['update']:8,}  {stage['sentences'][number]['text'][:74]}")

# %% [markdown] id="first-read"
# Move the slider to watch a translator like this chapter's learn (recorded). After 100 updates it
# knows which English words are frequent, and repeats one. After 300 it writes English with some of
# the right words. After 2,400 the first sentence is right: *in the park* has moved from the
# beginning to the end. The second (*In the street, a group of people is waiting for the bus*) is
# still wrong.

# %% id="own-functions"
from IPython.display import display

from attnbook.yours import use_yours

YOURS = False  # True: run on the functions that you wrote in chapters 1 to 9

if YOURS:
    display(use_yours())

# %% [markdown] id="corpus-text"
# ## 1 · The sentences
#
# Multi30k contains captions of photographs, written in English and translated into German by people
# ([Elliott et al. 2016](D_papers.ipynb#cell-id=elliott-2016)). It is free for education and
# research, not for commerce. The next cell downloads it once. If that fails, the cell takes the
# book's own Korean–English corpus: all cells run on it, but the text is about German.

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
# The *training* split changes the parameters. The **validation split** (검증 데이터) is for
# choices: settings, and the moment to stop. The **test split** (테스트 데이터) answers one question
# at the end, and nothing may be chosen on it. If test sentences also occur in training, the model
# might have learned them by heart, and the answer is worthless.

# %% id="leak"
train_src = [pair.src for pair in corpus.train]
train_tgt = [pair.tgt for pair in corpus.train]
test_src = [pair.src for pair in corpus.test]
test_tgt = [pair.tgt for pair in corpus.test]
total = len(corpus.test)
for language, train, test in (
    (corpus.src_language, train_src, test_src),
    (corpus.tgt_language, train_tgt, test_tgt),
):
    seen = set(train)
    known = sum(sentence in seen for sentence in test)
    print(f"{language}: {known} of {total:,} test sentences occur in training")

# %% [markdown] id="leak-read"
# There is no exact copy. Near copies, which this check does not see, are possible.

# %% [markdown] id="unknown-text"
# ## 2 · From characters to **subwords**
#
# A network computes with numbers, so every sentence becomes a list of token IDs. The first idea is
# one ID per word. Its price: a word that training never showed has no ID.

# %% [markdown] id="unknown-predict"
# German writes compounds as one word (*Blumenverkäuferin*, a woman who sells flowers). In the test
# split, what is the share of **unknown words** (미등록 단어) in German, divided by their share in
# English? (0.5 would mean that they are half as frequent in German.)

# %% id="predict-unknown"
predict("10.unknown", ...)  # a number, such as 0.5


# %% id="unknown"
import itertools
from collections import Counter

from attnlib.metrics import tokenize_13a


def unknown_words(train, test):
    """The share of test's words that train never showed; how many sentences have one."""
    known = set()
    for sentence in train:
        known.update(tokenize_13a(sentence))
    words, unknown, sentences = 0, 0, 0
    for sentence in test:
        tokens = tokenize_13a(sentence)
        new = [token for token in tokens if token not in known]
        words += len(tokens)
        unknown += len(new)
        if new:
            sentences += 1
    return unknown / words, sentences


src_share, src_sentences = unknown_words(train_src, test_src)
tgt_share, tgt_sentences = unknown_words(train_tgt, test_tgt)
with reveal("10.unknown", src_share / (tgt_share or 1), within=0.5):
    print("test words unseen in training, and test sentences with one")
    print(f"{corpus.src_language:8} {src_share:.1%}, in {src_sentences} of {total:,} sentences")
    print(f"{corpus.tgt_language:8} {tgt_share:.1%}, in {tgt_sentences} of {total:,} sentences")

# %% [markdown] id="pieces-text"
# <details><summary>What it says</summary>
#
# Few words are unknown, but every fourth German sentence contains one, and a word that was seen
# once or twice is barely better known.
#
# </details>
#
# ### Parts of words
#
# **Byte-pair encoding** (BPE, 바이트 페어 인코딩, [Sennrich et al.
# 2016](D_papers.ipynb#cell-id=sennrich-2016)) learns **subwords** (서브워드) instead. It begins
# with single characters and again and again merges the two neighbors that occur together most
# often. Frequent words end up whole, rare ones in parts, and only new characters are unknown.
#
# Here it is by hand, on three words. A word is a tuple of subwords, and its count is how often it
# occurs.

# %% id="merge-by-hand"
tiny = {("l", "o", "w"): 5, ("l", "o", "w", "e", "r"): 2, ("n", "e", "w", "e", "r"): 6}
neighbors = Counter()
for word, times in tiny.items():
    for pair in itertools.pairwise(word):
        neighbors[pair] += times
for pair, times in neighbors.most_common():
    print("·".join(pair), times)

# %% [markdown] id="merge-by-hand-read"
# Two pairs are equally frequent: `w·e` and `e·r`, both in *lower* and in *newer*. One of them
# becomes a subword, the pairs are counted again, and so on, thousands of times.

# %% [markdown] id="ex-bpe-merge-text"
# ### Exercise 10.1 · One merge
# *Core, 15 minutes.* `words` maps each word, a tuple of subwords, to its count. Find the pair of
# neighboring subwords that is most frequent, every word counted as often as it occurs; of equally
# frequent pairs, the first in alphabetical order (tuples compared as Python does). Return the pair
# (a tuple of two subwords), and a new dictionary with the same words and counts in which that pair
# is *one* subword wherever it occurs, joined from left to right: with the pair a·a, the word a·a·a
# becomes aa·a. Some word has at least two subwords, and no two words become the same.
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
# To join, walk through the word and build a new list: where the pair occurs, append the joined
# subword and move on two places; otherwise append the subword and move on one.
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
# Now take all words of the corpus, each with `▁` where a space precedes it. Your function makes the
# first twelve merges; the library's vocabulary continued until it had four thousand tokens.

# %% id="merges"
import re

from attnlib.data import normalize
from attnlib.translator import make_vocabularies, presets_for

preset = presets_for(corpus)["quick"]
src_vocabulary, tgt_vocabulary = make_vocabularies(corpus, preset.subwords)
found_words = Counter()
for text in train_src + train_tgt:
    lowered = text[:1].lower() + text[1:]  # the first character only
    spaced = "▁" + normalize(lowered).replace(" ", "▁")
    found_words.update(re.findall(r"▁?[^\W\d_]+", spaced))  # letters, no marks
cut_words = {tuple(word): times for word, times in found_words.items()}
merges = []
for _ in range(12):
    best_pair, cut_words = bpe_merge(cut_words)
    merges.append(" ".join(best_pair))
print("yours:      ", ", ".join(merges))

# %% id="merges-library" tags=["hide-input"]
# prints the merges and tokens of the library's vocabulary
if german:
    theirs = src_vocabulary.to_json()["tokenizer"]["model"]["merges"]
    print("the library:", ", ".join(" ".join(pair) for pair in theirs[:12]))
    print(f"             and {len(theirs) - 12:,} more")
print(f"{len(src_vocabulary):,} tokens in the source vocabulary")
print(src_vocabulary.tokenize("Eine Frau lacht, die Blumenverkäuferin lacht."))
held = [normalize(pair.src) for pair in corpus.valid]
same = [src_vocabulary.decode(src_vocabulary.encode(text)) == text for text in held]
print(f"{sum(same)} of {len(same)} validation sentences survive encode and decode")

# %% [markdown] id="merges-read"
# These are the same twelve merges in the same order; the sixth makes `▁ein`, the German *a*. (The
# first character of a sentence is lowercased.) Common words are whole. The rare one is built from
# parts, and some are words: `Blumen` means *flowers*. German and English share one vocabulary, so
# that names and numbers have the same token in both. Decoding restores every sentence.

# %% [markdown] id="batches-text"
# ## 3 · Batches without waste
#
# Sentences that are translated together are padded to the longest of them, and the network computes
# on the padding as well. A *bucketed* batch contains sentences of similar length.

# %% [markdown] id="ex-bucketed-text"
# ### Exercise 10.2 · Fill the buckets
# *Core, 12 minutes.* Return batches as a list of lists of sentence *indices*. `lengths` are the
# lengths of sentences 0, 1, 2, …, all at least one; leave the list as it is. Go from the shortest
# sentence to the longest (equal ones in their order) and put each into the current batch, unless
# the padded table of that batch, number of sentences × longest sentence, would then have more than
# `budget` cells. In that case the sentence begins a new batch. No single sentence is longer than
# the budget.
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
# Keep a list of lists that begins with one empty batch. Before each sentence, check whether the
# last batch has room for it.
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
# On the German side, the next cell compares batches of 56 sentences, in the order of the corpus,
# with your buckets of at most 900 cells.

# %% id="waste"
encoded = [src_vocabulary.encode(sentence) for sentence in train_src]
lengths = [len(tokens) + 1 for tokens in encoded]  # with the end-of-sentence token
indices = list(range(len(lengths)))
in_order = [indices[start : start + 56] for start in range(0, len(indices), 56)]
buckets = bucketed(lengths, preset.batch_tokens)
for name, groups in (("in order", in_order), ("in buckets", buckets)):
    cells = 0
    for group in groups:
        longest = max(lengths[i] for i in group)
        cells += len(group) * longest
    print(f"{name:10} {sum(lengths) / cells:.1%} real tokens in {len(groups)} batches")

# %% [markdown] id="waste-read"
# The German sentences take about half the cells. The library's `Batches` also sorts by the length
# of the target. In every **epoch** (에폭), one pass through the corpus, it shuffles the batches
# again, so that short sentences do not always come first.

# %% id="batches"
from attnlib.translator import make_batches

batches, valid = make_batches(
    corpus, src_vocabulary, tgt_vocabulary, preset.batch_tokens, preset.recipe.seed
)
example = min(batches.epoch(0), key=lambda batch: batch.src.shape[1])  # the shortest
print("reads:         ", src_vocabulary.decode(example.src[0].tolist()))
print("is given:      ", [tgt_vocabulary.tokens[i] for i in example.tgt_in[0]])
print("should predict:", [tgt_vocabulary.tokens[i] for i in example.tgt_out[0]])

# %% [markdown] id="batches-read"
# The target occurs twice, shifted by one: the decoder's input at each step, and what it should
# predict there. In training, the input is the **gold word** (정답 단어) of the human translation,
# whatever the model predicts (*teacher forcing*, chapter 7).

# %% [markdown] id="model-text"
# ## 4 · The model
#
# This is [chapter 5's translator](05_attention.ipynb#cell-id=s-tilde-text). The **encoder**, an
# LSTM in each direction, turns the German subwords into states $h_j$. The **decoder**, also an
# LSTM, writes English. Its state $s_t$ looks back at all $h_j$ with scores ("general", [Luong et
# al. 2015](D_papers.ipynb#cell-id=luong-2015)), weights and a context:
#
# $$e_{tj} = s_t^\top W_a h_j, \qquad \alpha_{tj} = \frac{\exp e_{tj}}{\sum_k \exp e_{tk}}, \qquad
# c_t = \sum_j \alpha_{tj} h_j$$
#
# From context and state follow the probabilities of the next subword:
#
# $$\tilde s_t = \tanh(W_c [c_t ; s_t]), \qquad p_t = \mathrm{softmax}(W_s \tilde s_t)$$
#
# Two things are new. One embedding matrix serves the source, the target and the output, where it is
# $W_s$: **weight tying** (가중치 공유, [Press and Wolf 2017](D_papers.ipynb#cell-id=press-2017)) of
# all three. Also, a projection of the subword's embedding is added to each $h_j$, so that the
# context also carries the word itself.

# %% id="model"
import copy
import math

from attnlib.model import make_seq2seq
from attnlib.training import teacher_forced_loss

architecture = preset.architecture("general")
model = make_seq2seq(len(src_vocabulary), len(tgt_vocabulary), **architecture).to(device)
untrained = copy.deepcopy(model.state_dict())
shared = model.output.weight.numel()
count = sum(parameter.numel() for parameter in model.parameters())
print(f"{count / 1e6:.1f} million parameters, {shared / 1e6:.1f} in the embedding matrix")
print(f"log V:               {math.log(len(tgt_vocabulary)):.1f} nats")
print(f"the untrained model: {teacher_forced_loss(model, valid):.1f} nats per subword")

# %% [markdown] id="untrained-text"
# This is a first test, before any training. If each of the $V$ subwords were equally likely, the
# loss per subword would be $\log V$ (in **nats**, the unit of the natural logarithm). The untrained
# model has this loss. A much larger one would indicate a mistake in the initialization or the loss.

# %% [markdown] id="train-text"
# ## 5 · Training
#
# An *update* shows the model one batch and moves every parameter a little against the gradient of
# the loss. The **optimizer** (옵티마이저) decides how far. **Adam** ([Kingma and Ba
# 2015](D_papers.ipynb#cell-id=kingma-2015)) keeps two running means for every single parameter $w$,
# one of its gradient $g_t$ and one of the square of this gradient:
#
# $$m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \qquad v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2$$
#
# Both begin at 0 and are too small at first, so they are corrected before they are used:
#
# $$\hat m_t = \frac{m_t}{1 - \beta_1^t}, \qquad \hat v_t = \frac{v_t}{1 - \beta_2^t}, \qquad
# w_t = w_{t-1} - \eta\, \frac{\hat m_t}{\sqrt{\hat v_t} + 10^{-8}}$$
#
# $\eta$ is the learning rate. Here are the two means with the library's $\beta_1 = 0.9$ and
# $\beta_2 = 0.98$, for two gradients that differ by a factor of a thousand:

# %% id="faded"
for gradient in (1.0, 0.001):
    mean, square = 0.0, 0.0
    for step in (1, 2):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.98 * square + 0.02 * gradient**2
        print(f"gradient {gradient:5}, step {step}: mean {mean:.2g}, square {square:.2g}")

# %% [markdown] id="faded-text"
# The means are still far from the gradients, because they began at 0. The rest is yours: how far
# does each parameter move?

# %% [markdown] id="ex-adam-step-text"
# ### Exercise 10.3 · A step of Adam
# *Hard, 20 minutes.* Return three new tensors: the parameter, the mean and the square after one
# step of Adam. You are given the `parameter`, its `gradient`, and the two running means `mean` and
# `square` from before the step, all of one shape; leave them as they are. `step` is $t$, 1 at the
# first update; `rate` is $\eta$. Take $\beta_1 = 0.9$ and $\beta_2 = 0.98$.
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
# The root is taken of the corrected square, and $10^{-8}$ is added to the root.
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
# At the first step every parameter whose gradient is not 0 moves by the learning rate: only the
# sign counts. Later, a parameter whose gradients agree moves by nearly the rate, and one whose
# gradients change sign moves less.
#
# ### The recipe
#
# The recipe is that of the preset "quick", with 1,200 updates instead of its 1,800:

# %% id="recipe"
import dataclasses

recipe = dataclasses.replace(preset.recipe, updates=1200, validate_every=300)
settings = dataclasses.asdict(preset) | dataclasses.asdict(recipe)
del settings["recipe"]
for field, value in settings.items():
    if value is not None:
        print(f"{field:16} {value}")

# %% [markdown] id="recipe-read"
# **Label smoothing** (라벨 스무딩) changes the target. Instead of probability 1 for the right
# subword $y$ and 0 for all others, every subword $v$ gets
# $q(v) = (1 - \varepsilon)\,[v = y] + \varepsilon / V$, where $[v = y]$ is 1 for the right subword
# and 0 otherwise. Here $\varepsilon = 0.1$. The loss becomes
#
# $$-\sum_v q(v) \log p(v) = (1 - \varepsilon)\,(-\log p(y)) +
# \varepsilon \cdot \frac{1}{V} \sum_v (-\log p(v))$$
#
# The second term makes certainty costly: it grows without bound when some $p(v)$ approaches 0.
#
# <details><summary>The other lines</summary>
#
# *Embedding rate*: the embedding matrix learns at eight times the rate of the rest, a factor chosen
# on the validation split. *Warm-up* (웜업): one line rises over the first 200 updates, and a second
# one falls from the start to the end; the rate is the smaller of the two, so its peak is below
# 0.004. **Dropout** (드롭아웃): at each update a tenth of the activations, chosen at random, is set
# to 0, so that the model cannot rely on any one of them. *Clip*: a gradient with a norm above 1 is
# shortened to 1. No precision is set: matrix products then run in **bf16** (bfloat16: 16 bits, two
# or three digits) where the hardware is faster with it.
#
# </details>

# %% [markdown] id="one-update-text"
# ### The training loop
#
# This is what the library's `fit` repeats, here with your Adam:


# %% id="one-update"
from torch.nn import functional as F


def one_update(model, batch, moments, n, recipe):
    """One update with batch n, as in fit: forward, loss, backward, clip, step."""
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
        old, gradient = parameter.detach(), parameter.grad
        mean, square = moments[parameter]
        new, mean, square = adam_step(old, gradient, mean, square, n + 1, rate)
        moments[parameter] = (mean, square)
        parameter.data = new
    return loss.item()


# %% [markdown] id="one-update-agree-text"
# The next cell takes two copies of the untrained model, without dropout, and the same two
# batches. One copy is updated by this function, the other by the library.

# %% id="one-update-agree" tags=["hide-input"]
# makes two updates both ways
from attnlib.training import fit

twice = dataclasses.replace(recipe, updates=2, precision="fp32", validate_every=2)
sizes_of = len(src_vocabulary), len(tgt_vocabulary)
by_hand = make_seq2seq(*sizes_of, **{**architecture, "dropout": 0.0}).to(device)
by_hand.load_state_dict(untrained)
by_library = copy.deepcopy(by_hand)
fit(by_library, batches, twice, progress=False)
moments = {p: (torch.zeros_like(p), torch.zeros_like(p)) for p in by_hand.parameters()}
for n, batch in enumerate(itertools.islice(batches.epoch(0), 2)):
    one_update(by_hand.train(), batch.to(device), moments, n, twice)


def largest_gap(other):
    pairs = zip(other.parameters(), by_hand.parameters())
    return max((a - b).abs().max().item() for a, b in pairs)


moves, gaps = largest_gap(model), largest_gap(by_library)
print(f"the parameters moved by up to ≈{moves:.5f}")
print(f"the two copies differ by at most ≈{gaps / moves:.1%} of that")

# %% [markdown] id="one-update-read"
# The two agree.
#
# ### And now all of them
#
# Every 300 updates, the next function measures and draws. The weights with the best BLEU on the
# validation split are kept. Both losses are measured without dropout and label smoothing.

# %% id="watch"
probe = list(itertools.islice(batches.epoch(0), 20))  # some training batches
listened = "Zwei Kinder essen Eis." if german else corpus.valid[0].src


def watch(model):
    """Measure the model, draw what was measured, and return the validation BLEU."""
    curves["updates"].append(recipe.validate_every * len(curves["updates"]))
    curves["training"].append(teacher_forced_loss(model, probe))
    curves["validation"].append(teacher_forced_loss(model, valid))
    curves["BLEU"].append(translator.bleu(corpus.valid, beam_size=1))
    heard.append(translator.translate(listened, beam_size=1).text)
    draw()
    return curves["BLEU"][-1]


# %% id="draw" tags=["hide-input"]
# draws Figure 2 again
from attnbook.figures import learning_curves


def draw():
    """Draw both panels again and show them in place of the old ones."""
    for ax, names in ((left, ("training", "validation")), (right, ("BLEU",))):
        ax.clear()
        lines = {name: curves[name] for name in names}
        learning_curves(curves["updates"], lines, title="", ax=ax)
        ax.set(xlim=(0, recipe.updates * 1.03))
    right.get_legend().remove()  # its one line is named by the axis
    left.set(title="Loss, gold words given")
    right.set(title="Validation BLEU, own output", ylabel="BLEU (0 to 100)")
    live.update(fig)

# %% [markdown] id="train-predict"
# Left, the decoder is given the *gold* English prefix and predicts only the next subword. Right, it
# continues its own output, as it does when you use it. The figure grows while you read on. Below
# it, at the end, are the translations of *Zwei Kinder essen Eis* (two children are eating ice
# cream).

# %% id="train"
from attnlib.translator import Translator

model.load_state_dict(untrained)  # run again, the cell begins again
translator = Translator(model, src_vocabulary, tgt_vocabulary, {"corpus": corpus.name})
curves = {"updates": [], "training": [], "validation": [], "BLEU": []}
heard = []
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
fig.suptitle("Figure 2. The training")
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
# at first and then more slowly; at the end they are close together. Right, the BLEU on the
# validation split rises, steeply at first.
#
# </details>

# %% [markdown] id="train-read"
# The validation loss is still falling at the end, and it is close to the loss on training sentences
# (at first even lower: these training batches are a little harder). The model has learned little by
# heart so far, and more updates might help; in recorded trainings they do (section 6). One sentence
# is not a measurement: its translation can get worse while the BLEU of all validation sentences
# rises.

# %% [markdown] id="yours-text"
# ### Translate your own
#
# Before any score, look at what it writes. Change the list and run the cell again. The second
# sentence is chapter 0's without the ball (*Three dogs are playing on the beach*), the third is *A
# boy is buying five apples at the market*. The fourth is news (*The Bundestag passed the new law
# yesterday*), the fifth conversation (*When did you last call your mother?*), the sixth (*A man is
# running*) is in capitals.

# %% id="yours"
yours = [
    "Zwei Kinder essen Eis.",
    "Am Strand spielen drei Hunde.",
    "Ein Junge kauft auf dem Markt fünf Äpfel.",
    "Der Bundestag hat gestern das neue Gesetz verabschiedet.",
    "Wann hast du zuletzt deine Mutter angerufen?",
    "EIN MANN LÄUFT.",
]
if not german:
    yours = [pair.src for pair in corpus.test[4:10]]
answers = translator.translate(yours, single_sentence=True)  # as it is, capitals and all
for answer in answers:
    print(answer.src)
    print(f"    ≈{answer.score:.2f} per subword ", approx_text(answer.text, indent=7))
in_training = Counter()
for sentence in train_src:
    in_training.update(tokenize_13a(sentence))
for word in ("Kinder", "Strand", "Markt", "Äpfel", "Gesetz", "hast", "angerufen", "LÄUFT"):
    print(f"{word:9} occurs {in_training[word]:4} times in the training captions")

# %% [markdown] id="yours-read"
# The first caption is right or nearly so; in the next two, parts can be repeated or lost, such as
# the rare *Äpfel*. The last three become something else, sometimes with invented words, because
# subwords can be joined to anything. The model never admits that it does not know. The number
# before each translation, the mean log-probability of its subwords, is on average lower for these
# three than for the first two, but it is no guarantee: an invention can also be probable.

# %% [markdown] id="bleu-text"
# ## 6 · How good is it?
#
# Now we compute the BLEU on the test split. *Greedy* search takes the best subword at every step;
# *beam* search keeps the five best prefixes (chapter 8; scores are divided by the length). What is
# the beam's BLEU minus greedy search's (negative if the beam loses)?

# %% id="predict-beam"
predict("10.beam", ...)  # points of BLEU

# %% id="bleu"
import sacrebleu

metric = sacrebleu.metrics.BLEU()
outputs, scores = {}, {}
for name, width in (("greedy", 1), ("beam 5", 5)):
    # single_sentence: each line as it stands, not cut into sentences
    found = translator.translate(test_src, beam_size=width, single_sentence=True)
    outputs[name] = [translation.text for translation in found]
    scores[name] = metric.corpus_score(outputs[name], [test_tgt]).score
gains = []
for preset_name in ("quick", "quick-1200", "full"):
    for run in read_trainings(preset_name):
        gains.append(run["bleu"]["test beam 5"] - run["bleu"]["test greedy"])
with reveal("10.beam", scores["beam 5"] - scores["greedy"], within=1):
    print(f"{total:,} sentences that it never saw:")
    for name, score in scores.items():
        print(f"    BLEU, {name}: ≈{score:.1f}")
    print("signature:", metric.get_signature())
    print(
        f"{len(gains)} recorded trainings of this model, beam minus greedy: "
        f"{min(gains):.1f} to {max(gains):.1f} points"
    )

# %% [markdown] id="bleu-read"
# <details><summary>What it says</summary>
#
# A beam of five is ahead, as in all twelve recorded trainings (three of them with the wider preset
# "full"). The *signature* records how the number was computed; without it the number means little
# ([Post 2018](D_papers.ipynb#cell-id=post-2018)).
#
# </details>

# %% [markdown] id="bleu-scale-text"
# ### Compared with what?
#
# Two systems know no German: one leaves the German as it is, one always answers with the most
# frequent training caption. A third is a **dictionary**: it replaces each German word by its most
# probable English word and keeps the German order. It was learned by counting (IBM Model 1, chapter
# 5). A fourth is a network without attention: the same subwords, encoder and batches, but its
# decoder receives only the encoder's last states.

# %% id="bleu-scale"
from attnlib.metrics import corpus_bleu

frequent = Counter(train_tgt).most_common(1)[0][0]
naive = {"the German itself": test_src, "one caption": [frequent] * total}
for name, texts in naive.items():
    print(f"{name:24}{corpus_bleu(texts, test_tgt).score:6.1f}")
print(f"{'your translator':25}≈{scores['beam 5']:.1f}")

TESTS = ("test", "test_2017_flickr", "test_2018_flickr", "test_2017_mscoco")
counting = read_record("05_word_by_word")["runs"]
dictionary = max(counting, key=lambda run: run["bleu"]["valid"])
systems = {"dictionary": [dictionary["bleu"]]}
for name, attention in (("without attention", "none"), ("with attention", "general")):
    systems[name] = []
    for run in read_trainings("quick", attention):
        if "test sets" in run:  # two runs were measured on one test set only
            systems[name].append(run["test sets"]["beam 5"]["bleu"])
print("\nrecorded; networks with 1,800 updates, mean of their runs")
print("                    runs  2016  2017  2018  COCO")
for name, runs in systems.items():
    print(f"{name:19}{len(runs):5}", end="")
    for test in TESTS:
        mean_bleu = sum(run[test] for run in runs) / len(runs)
        print(f"{mean_bleu:6.1f}", end="")
    print()
full = [run["bleu"]["test beam 5"] for run in read_trainings("full")]
print(f"full, 9,000 updates{len(full):5}{sum(full) / len(full):6.1f}")

# %% [markdown] id="bleu-scale-read"
# **After 1,800 updates, the network without attention is worse than a dictionary**, on all four
# test sets and in every run. With attention, it is ahead of the dictionary by 9 to 14 points.
#
# Your score is for captions from the source of the training data (2016). On captions of other years
# and other photographs (COCO), the same recipe scores 5 to 14 points less. The dictionary, counted
# from the same captions, loses at least as much on two of them, and on COCO three points less. More
# updates help: the preset "quick" with all its 1,800 reaches 40.9. ("Full", five times as long, but
# also wider and with a different recipe, reaches 43.2.)
#
# <details><summary>How sure?</summary>
#
# The dictionary's rounds of counting were chosen on the validation split. The network without
# attention has the same number of parameters, within 5%, and learning rates that were chosen for
# the one with attention. Its loss was still falling, and in chapter 5, on easier sentences, three
# times the updates doubled the score of such a network. With more updates it might pass the
# dictionary; we have not tried.
#
# </details>

# %% [markdown] id="experiment-text"
# ## 7 · Open experiment: move the score
#
# *Half an hour; no check.* Choose **one** change: the *dot* score; no label smoothing; vocabularies
# of 1,000 subwords (which also changes how many sentences fit into a batch: say so); or your own.
# Write down what you expect of the validation BLEU after 600 updates, and why. Then replace `None`
# with its name and run.
#
# <details><summary>A report that convinces</summary>
#
# | | |
# |---|---|
# | prediction | written before the run, with a reason |
# | one change | data and updates are as above; parameters are counted; what else changes is said |
# | seeds | at least two of each model, or the sentence says "one run"; the spread is shown |
# | split | the choice was made on the validation split; the test split is for the last line |
# | conclusion | could have turned out otherwise, and says what it does not show |
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
    changes = {"updates": 600, "validate_every": 600, "label_smoothing": smoothing}
    short = dataclasses.replace(preset.recipe, seed=seed, **changes)
    made, _ = make_batches(corpus, src, tgt, preset.batch_tokens, seed)
    fit(candidate, made, short, progress=True)
    size_of = sum(p.numel() for p in candidate.parameters())
    return Translator(candidate.eval(), src, tgt).bleu(corpus.valid, 1), size_of


if CHANGE is not None:
    for seed in (1, 2):
        for change in ("nothing", CHANGE):
            reached, size_of = try_out(change, seed)
            print(f"seed {seed}, {change:14} {reached:.1f} BLEU, {size_of:,} parameters")

# %% [markdown] id="save-text"
# ## 8 · Keep it
#
# A translator is a folder: the weights as safetensors, all else as JSON. Loading it executes no
# code, so a folder from a stranger can be opened safely.

# %% id="save"
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:  # a name of your own keeps it: "my-run"
    translator.save(folder)
    for file in sorted(Path(folder).iterdir()):
        print(f"{file.name:20} {file.stat().st_size / 1e6:5.1f} MB")
    again = Translator.load(folder, device)
both = zip(again.translate(yours), translator.translate(yours))
same_texts = [a.text == b.text for a, b in both]
print(f"the loaded one writes the same for {sum(same_texts)} of {len(same_texts)} sentences")

# %% [markdown] id="commands"
# The command line does all of this without a notebook, resumes an interrupted training, reads a
# corpus of your own, and writes one HTML file that translates in a browser, offline.
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
# For a language of your own, write a file with a sentence, a tab and its translation on each line,
# and name it as the corpus: `--corpus mine.tsv`.
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
# - Subwords can write any word of known characters; batches of similar lengths spend their work on
#   tokens.
# - A training loop is forward, loss, backward, clip, step.
# - A BLEU needs its signature, and a system without a network to compare with.
# - After 1,800 updates, a network without attention is worse than a dictionary, and one with
#   attention is far better.
#
# <details><summary>How sure?</summary>
#
# You watched one training, and its digits are your machine's; a recorded one with the same number
# of updates scores 39.3. All of this is about captions, in one direction, with one reference per
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
# 2002](D_papers.ipynb#cell-id=papineni-2002) (BLEU); [Post
# 2018](D_papers.ipynb#cell-id=post-2018) (sacreBLEU and its signature); [Elliott et al.
# 2016](D_papers.ipynb#cell-id=elliott-2016) (Multi30k).
#
# </details>
#
# **Next.** [Chapter 11](11_transformer.ipynb): attention without recurrence. A side path begins
# here: [10b](10b_inside.ipynb) asks what the score is made of and what it hides.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# The training loop
check_range(moves, 1e-6, 1e-3)
if german:  # there all embeddings are one matrix
    check_range(gaps / moves, 0, 0.05)

# And now all of them
loss_of = curves["validation"]
assert loss_of == sorted(loss_of, reverse=True) and curves["BLEU"][-1] > curves["BLEU"][1]
if german:
    check_range(loss_of[-1] - curves["training"][-1], -0.1, 0.3)

# Translate your own
if german and "Bundestag" in yours[3]:  # not if the list was changed
    scores_of = [answer.score for answer in answers]
    assert sum(scores_of[:2]) / 2 > sum(scores_of[3:6]) / 3 + 0.2

# How good is it?
for name, texts in outputs.items():  # chapter 9's BLEU, or yours
    assert abs(corpus_bleu(texts, test_tgt).score - scores[name]) < 1e-6

# Compared with what?
if german:
    check_range(scores["greedy"], 35, 40.5)
    check_range(scores["beam 5"], 37, 42)
for test in TESTS:
    counted = dictionary["bleu"][test]
    assert all(run[test] < counted for run in systems["without attention"])
    assert all(run[test] > counted + 7 for run in systems["with attention"])
