# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 00 · How does this book work?
#
# **What you will be able to do.** Run a chapter, work on an exercise and read its feedback, and
# train a first small translator that shows where it looks.
#
# **What you need.** Python, and an idea of what a vector is. Nothing about neural networks yet.
#
# **Time.** 15 minutes to read, at most a minute to run with one thread, on a processor with AVX-512
# or with AVX2 alone.

# %% [markdown] id="cells-text"
# ## A chapter is a list of cells
#
# You are looking at a notebook. The grey boxes hold Python; click into one and press
# **Shift + Enter** to run it. What it prints or draws appears below it. Cells share their
# variables, so run them from top to bottom; *Run ▸ Run All Cells* does that for you.
#
# Nothing can break: change any cell, run it, and see what happens. *File ▸ Reload Notebook from
# Disk* brings the saved one back.
#
# The first cell of every chapter is its set-up. It imports what the chapter needs, and asks torch
# for one thread, so that everybody computes the same numbers.

# %% id="setup" tags=["setup"]
import dataclasses
import sys

import matplotlib.pyplot as plt
import torch

from attnbook import exercise, progress
from attnbook.figures import learning_curves
from attnlib import figures
from attnlib.data import load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.metrics import aer, links_from_weights
from attnlib.model import make_seq2seq
from attnlib.presets import make_batches, make_vocabularies, presets_for
from attnlib.training import fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="check-text"
# ## Is everything in place?
#
# The next cell asks your computer three questions. If a line does not say *fine*, run
# `python -m attnlib doctor` in a terminal: it lists versions and fonts, with a remedy for what is
# missing.

# %% id="check"
hangul = len(figures.hangul_font()) > 1  # a family for Latin letters, and one for Korean ones
product = torch.ones(2, 3) @ torch.ones(3, 4)
print("Python 3.10 or newer:       ", "fine" if sys.version_info >= (3, 10) else "too old")
print("torch multiplies matrices:  ", "fine" if (product == 3).all() else "wrong")
print("figures show Korean letters:", "fine" if hangul else "no font")

# %% [markdown] id="map-text"
# ## Where the book goes
#
# The book tells one story. A network that reads word by word must squeeze a whole sentence into
# one vector; *attention* lets it look back instead. Each chapter builds one part of that from
# nothing and measures what it is worth.

# %% id="map" tags=["hide-input"]
parts = {
    "reading": ["01 RNN", "02 LSTM", "03 seq2seq"],
    "attention": ["04 keys and values", "05 attention", "06 scores"],
    "writing": ["07 teacher forcing", "08 beam search", "09 BLEU"],
    "together": ["10 a translator", "11 Transformer"],
}
fig, ax = plt.subplots(figsize=(9, 2.9))
for column, (part, chapters) in enumerate(parts.items()):
    colour = figures.PALETTE[column]
    ax.text(column, 3, part, ha="center", color=colour, fontsize=13)
    for row, chapter in enumerate(chapters):
        box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour}
        ax.text(column, 2 - row, chapter, ha="center", va="center", bbox=box)
ax.set(xlim=(-0.6, 3.6), ylim=(-0.6, 3.6), title="The chapters, from left to right")
ax.axis("off")
plt.show()

# %% [markdown] id="map-alt"
# <details><summary>The figure in words</summary>
#
# Four columns of boxes. Reading: 01 RNN, 02 LSTM, 03 seq2seq. Attention: 04 keys and values, 05
# attention, 06 scores. Writing: 07 teacher forcing, 08 beam search, 09 BLEU. Together: 10 a
# translator, 11 Transformer.
#
# </details>

# %% [markdown] id="how-text"
# Four habits run through all chapters.
#
# - **Predict.** Before a result you are asked what it will be. Say a number aloud; being wrong is
#   how the right one sticks.
# - **Look.** Code comes in pieces of a few lines, and every piece shows what it made.
# - **Measure.** What a chapter claims, a cell of the chapter measures. Where the books of others
#   claim more than the measurement shows, the chapter says so.
# - **Do.** Exercises wait for you in between. You do not have to do them to read on.

# %% [markdown] id="exercise-text"
# ## How an exercise works
#
# An exercise is a function without a body under the word `@exercise`. Run the cell as it is, and
# you read `○ not attempted`. Write something wrong, and you read `✗` with the smallest input for
# which it is wrong, what was expected, what came, and what that points to. Write it right, and you
# read `✓` and what was checked.
#
# Let us do one together. *Shares*: given some amounts, which share of the whole is each? The
# amounts 1 and 3 make the shares 0.25 and 0.75.

# %% [markdown] id="ex-shares-text"
# ### Exercise 0.1 · Shares of a whole
#
# *Warm-up, 3 minutes.* `amounts` is a tensor of shape (n,) of numbers that are not negative.
# Return a tensor of the same shape: each amount divided by the sum of all.
#
# First run the cell as it is. Then put `return amounts / amounts.max()` in place of the last line,
# run it again, and read what is wrong with it. Then make it right.
#
# <details><summary>Hint 1</summary>
#
# `amounts.sum()` is the whole.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Dividing a tensor by a number divides each of its elements.
#
# </details>
#
# <details><summary>Hint 3</summary>
#
# `return amounts / …`: what stands below the line?
#
# </details>


# %% id="ex-shares" tags=["exercise"]
@exercise
def shares(amounts):
    """The share of each amount in the sum of all. amounts (n,) → (n,)."""
    ### BEGIN SOLUTION
    return amounts / amounts.sum()
    ### END SOLUTION


# %% [markdown] id="shares-used-text"
# Whatever you wrote, the name `shares` now works: it is your function where yours is right, and
# the book's own where it is not. So the chapter goes on either way.

# %% id="shares-used"
print(shares(torch.tensor([1.0, 3.0, 4.0])))

# %% [markdown] id="shares-meaning"
# Keep these numbers in mind. In chapter 4 the amounts will be *similarities* and the shares will
# be *attention weights*: how much of its attention a network gives to each word. There you will
# also meet the *softmax*, which makes shares of numbers that may be negative.

# %% [markdown] id="corpus-text"
# ## A first translation
#
# The rest of this chapter trains a small network to translate Korean, before your eyes, and draws
# where it looks. How it works is what the book is about; today we only watch.
#
# The sentences come from a grammar that belongs to this book. They are simple, and for each of
# them we know which word translates which: the *gold alignment*. Korean puts the verb at the end
# and joins small words, called *particles*, to the nouns. The tokens below show them apart, marked
# with `##`.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
src_vocabulary, tgt_vocabulary = make_vocabularies(corpus, None)
print(f"{len(corpus.train):,} pairs to learn from, {len(corpus.test):,} to test on")
for pair in corpus.train[:2]:
    print(" ".join(src_vocabulary.tokenize(pair.src)))
    print("   ", pair.tgt)

# %% [markdown] id="lengths-text"
# **Predict.** Korean says in 12 tokens what takes English how many: fewer, as many, or more? Each
# point below is a pair of sentences.

# %% id="lengths"
pairs = corpus.test[:300]
korean = [len(src_vocabulary.tokenize(pair.src)) for pair in pairs]
english = [len(tgt_vocabulary.tokenize(pair.tgt)) for pair in pairs]
fig, ax = plt.subplots(figsize=(6, 4))
ax.scatter(korean, english, s=14, alpha=0.5, color=figures.PALETTE[0])
ax.plot([0, 50], [0, 50], "--", color="#555555", label="as many")
ax.set(xlabel="Korean sentence (tokens)", ylabel="English sentence (tokens)")
ax.set_title("Lengths of 300 pairs of sentences")
ax.legend()
plt.show()

# %% [markdown] id="lengths-alt"
# <details><summary>The figure in words</summary>
#
# A scatter plot. The points rise along a line and lie below the dashed diagonal: English sentences
# have fewer tokens than the Korean ones they translate. The longest have about 50 Korean tokens.
#
# </details>

# %% id="lengths-read"
print(f"English tokens for each Korean one: {sum(english) / sum(korean):.2f}")

# %% [markdown] id="model-text"
# English needs fewer, because the particles and endings that Korean spells out (*topic*, *object*,
# *past*, *polite*) have no word of their own in English. So a translator cannot work token by
# token: it must know where to look.
#
# Here is one, with random numbers inside: it has learnt nothing. The sentence says *Minsu bought
# five small pears at the market*.

# %% id="model"
preset = presets_for(corpus)["quick"]
seed_everything(3)
architecture = preset.architecture("general")
model = make_seq2seq(len(src_vocabulary), len(tgt_vocabulary), **architecture)
translator = Translator(model, src_vocabulary, tgt_vocabulary)
sentence = "민수는 시장에서 작은 배 다섯 개를 샀습니다."
print(src_vocabulary.tokenize(sentence))

# %% [markdown] id="before-text"
# **Predict.** Which English words will the untrained network write, and where will it look?

# %% id="before"
gloss = ["Minsu", "(topic)", "market", "at", "small", "pear", "five", "(unit)", "(obj.)"]
gloss += ["bought", "(end)", "."]


def draw(found, title):
    """The heat map of a translation of the sentence above, with the meaning of each token."""
    labels = [f"{token.removeprefix('##')}\n{word}" for token, word in zip(found.src_tokens, gloss)]
    weights = found.weights[:12, : len(labels)]  # at most 12 words, without the end of sentence
    fig, ax = plt.subplots(figsize=(9, 4.6))
    figures.attention_heatmap(weights, labels, found.tgt_tokens[:12], title=title, ax=ax)
    plt.show()


draw(translator.translate(sentence, beam=1), "Before training")

# %% [markdown] id="before-alt"
# <details><summary>The figure in words</summary>
#
# A heat map with the Korean tokens and their meanings along the top and the words that the
# untrained network wrote down the side. No cell is bright: every row spreads its weight over all
# columns.
#
# </details>

# %% [markdown] id="before-read"
# Each row is one English word, and the colours of a row are shares of the network's attention: they
# sum to 1. The untrained network writes at random and looks everywhere at once.
#
# Now it learns. An *update* shows the network a few dozen pairs and moves each of its numbers a
# little in the direction that makes the right English words more probable.

# %% id="train" tags=["nbval-ignore-output"]
recipe = dataclasses.replace(
    preset.recipe, updates=700, warmup=175, learning_rate=4.5e-3, validate_every=70, seed=3
)
batches, valid = make_batches(corpus, src_vocabulary, tgt_vocabulary, preset.batch_tokens, seed=3)
history = fit(model, batches, recipe, valid=valid)  # about half a minute, with AVX-512 or without

# %% [markdown] id="curve-text"
# **Predict.** When does the loss fall fastest: at first, in the middle, or toward the end?

# %% id="curve"
losses = {"sentences it learns from": history.train_loss, "other sentences": history.valid_loss}
ax = learning_curves(history.update, losses, title="How surprised is it by the right word?")
plt.show()

# %% [markdown] id="curve-alt"
# <details><summary>The figure in words</summary>
#
# Two lines over 700 updates. The loss, in nats per token, falls steeply during the first half and
# flattens toward zero, for the training sentences as for the others.
#
# </details>

# %% [markdown] id="curve-read"
# The loss measures how surprised the network is by the right word: 0 would be no surprise. It falls
# on sentences that the network never trained on, too, so it has learnt rules and not a list.

# %% id="after"
found = translator.translate(sentence, beam=1)
draw(found, f"After training: {found.text}")

# %% [markdown] id="after-alt"
# <details><summary>The figure in words</summary>
#
# The same heat map after training. Nearly every row now has one bright cell: the row of "Minsu" at
# the Korean name in the first column, the row of "bought", the second word, at the verb near the
# end, the rows of "five", "small" and "pears" at their Korean words.
#
# </details>

# %% [markdown] id="after-read"
# Nobody told it which word translates which. It was only ever shown whole sentences, and looking at
# the right word is what made their English words easier to predict. Follow the row of *bought*: it
# reaches over the whole sentence to the Korean verb at its end.
#
# One picture can flatter. For the test sentences we know the gold alignment, so we can count how
# often the largest weight of a row misses. That is the *alignment error rate* (Och and Ney 2003):
# 0 is always right, 1 is always wrong.
#
# The next cell reads the weights while the network is given the gold English words one by one, so
# that every network is asked about the same words.


# %% id="error-rate"
@torch.no_grad()
def look(pair):
    """For each word of the gold translation, the Korean token with the largest weight."""
    src, tgt = src_vocabulary.encode(pair.src), tgt_vocabulary.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    _, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    return links_from_weights(weights[0, : len(tgt), : len(src)])


model.eval()  # switches off dropout, which is for training only
pairs = corpus.test[:200]
gold = [pair.links for pair in pairs]
trained = aer([look(pair) for pair in pairs], gold)
print("the largest weight misses less often than one time in four:", trained < 0.25)

# %% [markdown] id="error-rate-text"
# Is that good? **Predict** how often one would miss who looks at a Korean token drawn at random;
# and who goes along both sentences at the same speed, which is what two languages of the same word
# order would need.

# %% id="bars"
sizes = [(len(tgt_vocabulary.tokenize(p.tgt)), len(src_vocabulary.tokenize(p.src))) for p in pairs]
generator = torch.Generator().manual_seed(0)
random_links = [links_from_weights(torch.rand(T, S, generator=generator)) for T, S in sizes]
diagonal = [frozenset((t * S // T, t) for t in range(T)) for T, S in sizes]
rates = {
    "at random": aer(random_links, gold),
    "along the diagonal": aer(diagonal, gold),
    "trained attention": trained,
}
fig, ax = plt.subplots(figsize=(7, 2.8))
bars = ax.barh(list(rates), list(rates.values()), color=figures.PALETTE[:3])
ax.bar_label(bars, fmt="%.2f", padding=4)
ax.set(xlim=(0, 1.08), xlabel="alignment error rate (0 = always right)")
ax.set_title("Who looks at the right word?")
plt.show()

# %% [markdown] id="bars-alt"
# <details><summary>The figure in words</summary>
#
# Three bars of alignment error rates. Looking at random misses nearly always, going along the
# diagonal misses most of the time, and the trained attention has by far the shortest bar.
#
# </details>

# %% [markdown] id="yours-text"
# ## Your turn
#
# Change the sentence and run the cell. The network knows few words; these you may use.
#
# - People: 민수 *Minsu*, 유나 *Yuna*, 소라 *Sora*.
# - Things: 책 *book*, 소설 *novel*, 편지 *letter*.
# - Places: 공원 *park*, 학교 *school*, 카페 *cafe*.
#
# The sentence below says *Yuna read a book in the park*. Is every row right? The bar above says
# that some are not. A network may write the right word while it looks at a wrong one: chapter 5
# asks how that can be.

# %% id="yours"
mine = translator.translate("유나는 공원에서 책을 읽었습니다.", beam=1)
ax = figures.attention_heatmap(mine.weights, mine.src_tokens, mine.tgt_tokens, title=mine.text)
plt.show()

# %% [markdown] id="yours-alt"
# <details><summary>The figure in words</summary>
#
# A heat map of the sentence "Yuna read a book in the park". The row of the English verb is bright
# at the Korean verb near the end and most other rows at their Korean words; a row or two may be
# bright at a word that they do not translate.
#
# </details>

# %% [markdown] id="progress-text"
# ## What is done
#
# Every chapter ends with a table of its exercises.

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A chapter is run from top to bottom, and you may change everything in it.
# - An exercise tells you what is wrong, on the smallest input for which it is, and never stops the
#   chapter.
# - A network can learn where to look from whole sentences alone, and a heat map shows it.
#
# **Left out.** Everything that is inside the network: that is what the chapters are for.
#
# **Papers.** Bahdanau, Cho and Bengio 2015, *Neural machine translation by jointly learning to
# align and translate* (its Figure 3 has such heat maps); Och and Ney 2003 (alignment error rate).
#
# **Next.** Chapter 01 builds the simplest network that reads word by word, and measures how fast it
# forgets.
