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
# **What you will be able to do.** Translate a sentence and see where the network looks, run a
# chapter, work on an exercise and read its feedback, and train a first small translator.
#
# **What you need.** Python, and an idea of what a vector is. Nothing about neural networks yet.
#
# **Time.** 20 minutes in one sitting; at most a minute to run with one thread, on a processor with
# AVX-512 or with AVX2 alone. In a hurry? Read as far as *How a chapter works* and do the exercise.

# %% id="setup" tags=["setup"]
import dataclasses
import sys

import matplotlib.pyplot as plt
import torch

from attnbook import about, exercise, predict, progress, reveal
from attnbook.figures import learning_curves
from attnlib import figures
from attnlib.data import bundled_directory, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.model import make_seq2seq
from attnlib.presets import make_batches, make_vocabularies, presets_for
from attnlib.training import fit
from attnlib.translator import Translator

torch.set_num_threads(1)
figures.use_style()

# %% id="first"
german = Translator.load(bundled_directory().parent / "de-en", "cpu")
first = german.translate("Zwei Frauen trinken im Park Kaffee.", beam=1)
print(first.text)
print(f"written by {sum(p.numel() for p in german.model.parameters()):,} numbers")

# %% id="first-map" tags=["hide-input"]
ax = figures.attention_heatmap(first.weights, first.src_tokens, first.tgt_tokens, title=first.text)
plt.show()

# %% [markdown] id="first-alt"
# <details><summary>The figure in words</summary>
#
# A heat map. The pieces of the German sentence stand along the top, the pieces of the English one
# down the side. In most rows one cell is brighter than the others: *women* looks at *Frauen*,
# *park* at *Park*. The row of *coffee* looks far to the right, past *im Park*, at *Kaff*.
#
# </details>

# %% [markdown] id="first-read"
# You have just translated German with a **neural network** of three million numbers. Nobody told it
# anything about German or English; it learned from 29,000 captions of photographs and their
# translations.
#
# The picture shows where it *looked*. Each row is a piece of the English sentence, in the order in
# which the network wrote it. Each column is a piece of the German one. The brighter a cell, the
# more of its **attention** the network gave to that piece while it wrote. German puts the coffee at
# the end; the row of *coffee* found it there.
#
# How a machine can learn where to look, what that is worth, and what such a picture does and does
# not prove: that is what this book is about. In chapter 10 you will train a translator like this
# one yourself, in minutes, and by then you will have built every part of it.

# %% [markdown] id="map-text"
# ## The story of the book
#
# A network that reads word by word must squeeze a whole sentence into one list of numbers, and
# forgets. *Attention* lets it look back instead.
#
# **Reading**
#
# - [01 RNN](01_rnn.ipynb): how does a network read one word after the other, and how soon does it
#   forget?
# - [02 LSTM](02_lstm.ipynb): how can it decide what to keep?
# - [03 Seq2seq](03_seq2seq.ipynb): how does it write a sentence in another language, and why do
#   long ones break?
#
# **Attention**
#
# - [04 Keys and values](04_keys_and_values.ipynb): how does one look something up when nothing fits
#   exactly?
# - [05 Attention](05_attention.ipynb): what changes when the writer can look back at every word?
# - [06 Scores](06_scores.ipynb): how is it decided which word to look at?
#
# **Writing**
#
# - [07 Teacher forcing](07_teacher_forcing.ipynb): what does a network learn that never sees its
#   own mistakes?
# - [08 Beam search](08_beam_search.ipynb): how is the best sentence found where there are too many
#   to try?
# - [09 BLEU](09_bleu.ipynb): how good is a translation, in one number?
#
# **Together**
#
# - [10 A real translator](10_translator.ipynb): German to English, from raw text to a score.
# - [11 Toward the Transformer](11_transformer.ipynb): what is left when the reading word by word
#   goes, too?
#
# The chapters build on each other. Whoever knows recurrent networks can begin with 03, and whoever
# wants the idea alone reads 04 and the first half of 05. [A](A_notation.ipynb) has every symbol and
# a glossary in English and Korean, [B](B_costs.ipynb) what it all costs in time and memory,
# [C](C_notes.ipynb) the notes from which the book grew, [D](D_papers.ipynb) the papers.

# %% [markdown] id="cells-text"
# ## How a chapter works
#
# You are looking at a **notebook**: a list of cells. The gray boxes hold Python; click into one and
# press **Shift + Enter** to run it. What it prints or draws appears below it. Cells share their
# variables, so run them from top to bottom; *Run ▸ Run All Cells* does that for you. A cell that
# only draws is collapsed to a bar with three dots; a click on them opens it.
#
# Nothing can break: change any cell, run it, and see what happens. *File ▸ Reload Notebook from
# Disk* brings the saved one back. Try it now: put another German sentence into the second cell,
# such as *Ein Hund läuft durch den Schnee.*
#
# The first code cell of every chapter is its set-up. It imports what the chapter needs and asks
# torch for one thread, so that everybody computes the same numbers. Where the last digits may
# differ on your processor, a number is printed with the sign ≈.

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

# %% [markdown] id="how-text"
# Four habits run through all chapters.
#
# - **Predict.** Before a result that surprises you are asked what it will be. Being wrong is how
#   the right one sticks.
# - **Look.** Code comes in pieces of a few lines, and every piece shows what it made.
# - **Measure.** What a chapter claims, a cell of the chapter measures. Where that shows less than
#   others claim, the chapter says so.
# - **Do.** Exercises wait for you in between. You do not have to do them to read on.

# %% [markdown] id="predict-text"
# A prediction is one short line. Put a number in place of the three dots and run the cell; then run
# the one below, which has the answer. Left as it is, nothing happens. The question: *Zwei Frauen
# trinken im Park Kaffee* has six words. In how many pieces did the network read them, with the full
# stop and a mark for the end of the sentence? A rare word is cut into several pieces.

# %% id="predict-first"
predict("00.pieces", ...)

# %% id="reveal-first"
print(first.src_tokens)
reveal("00.pieces", len(first.src_tokens))

# %% [markdown] id="predict-read"
# The book keeps what you predict in a small file beside the notebooks, `progress.json`, and shows
# at the end of a chapter how often you were right. From chapter 01 on five short questions at the
# beginning of a chapter ask for what the earlier ones said; what you missed comes back. The file is
# yours: nothing is sent anywhere, and to begin anew you remove it.

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
# be **attention weights**: how much of its attention a network gives to each word. There you will
# also meet the **softmax**, which makes shares of numbers that may be negative. Each row of the
# picture above is a list of shares.

# %% [markdown] id="corpus-text"
# ## Watch one learn
#
# Now a network learns to translate Korean, before your eyes. How it works is what the book is
# about; today we only watch.
#
# The sentences come from a grammar that belongs to this book. They are simple, and for each of them
# we know which word translates which: the **gold alignment**. Korean puts the verb at the end and
# joins small words, called **particles** (조사), to the nouns. The **tokens** below, the units that
# a network reads, show them apart, marked with `##`.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
src_vocabulary, tgt_vocabulary = make_vocabularies(corpus, None)
print(f"{len(corpus.train):,} pairs to learn from, {len(corpus.test):,} to test on")
for pair in corpus.train[2:4]:
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
# A scatter plot. The points rise along a line, and nearly all lie below the dashed diagonal:
# English sentences have fewer tokens than the Korean ones they translate. The longest have about 50
# Korean tokens.
#
# </details>

# %% id="lengths-read"
print(f"English tokens for each Korean one: {sum(english) / sum(korean):.2f}")

# %% [markdown] id="model-text"
# English needs fewer, because most particles and **endings** (어미) that Korean spells out
# (*topic*, *object*, *polite*) have no word of their own in English. So a translator cannot work
# token by token: it must know where to look.
#
# Here is one, with random numbers inside: it has learned nothing. The sentence says *Minsu read
# four interesting novels in the library*.

# %% id="model"
preset = presets_for(corpus)["quick"]
seed_everything(3)
architecture = preset.architecture("general")
model = make_seq2seq(len(src_vocabulary), len(tgt_vocabulary), **architecture)
translator = Translator(model, src_vocabulary, tgt_vocabulary)
sentence = "민수는 도서관에서 재미있는 소설 네 권을 읽었습니다."
print(src_vocabulary.tokenize(sentence))

# %% [markdown] id="before-text"
# **Predict.** Which English words will the untrained network write, and where will it look?

# %% id="before"
gloss = ["Minsu", "(topic)", "library", "in", "interesting", "novel", "four", "(unit)", "(obj.)"]
gloss += ["read", "(end)", "."]


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
# Each row is one English word, and the colors of a row are its attention weights: they sum to 1.
# The untrained network writes at random and looks everywhere at once.
#
# Now it learns. An **update** shows the network a few dozen pairs and moves each of its numbers a
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
# The **loss** measures how surprised the network is by the right word: 0 would be no surprise. It
# falls on sentences that the network never trained on, too. (They come from the same grammar, and
# most of their clauses occur somewhere in what it trained on, in other company; the page of the
# data, `data/README.md`, counts how near they are.) Were it to fall only on those that it trained
# on, that would be **overfitting**. Why do the other sentences seem *easier*? Their loss is
# measured after an update, that of the training sentences is a mean over the updates before it; and
# in training some numbers are set to zero by lot (**dropout**), which makes every word harder.

# %% id="after"
found = translator.translate(sentence, beam=1)
draw(found, f"After training: {found.text}")

# %% [markdown] id="after-alt"
# <details><summary>The figure in words</summary>
#
# The same heat map after training. Nearly every row now has one bright cell: the row of "Minsu" at
# the Korean name in the first column, the row of "read", the second word, at the verb near the end,
# the rows of "four", "interesting" and "novels" at their Korean words. The row of "library" is
# bright at the verb, too.
#
# </details>

# %% [markdown] id="after-read"
# Nobody told it which word translates which. It was only ever shown whole sentences, and looking at
# the right word is what made their English words easier to predict. Follow the row of *read*: it
# reaches over the whole sentence to the Korean verb at its end. And one row surprises: *library* is
# the right word, but the network does not look at the Korean library when it writes it.
#
# One picture can flatter, or mislead. For the test sentences we know the gold alignment, so we can
# count how often the largest weight of a row lies on a Korean token that the English word does
# *not* translate. Call that the **miss rate**. For *the* and *a* any token of their noun will do.
# (Chapter 05 has the measure that papers use, the alignment error rate.)
#
# The next cell reads the weights while the network is given the gold English words one by one, so
# that every network is asked about the same words.


# %% id="miss-rate"
@torch.no_grad()
def look(pair):
    """The attention weights of each word of the gold translation over the Korean tokens."""
    src, tgt = src_vocabulary.encode(pair.src), tgt_vocabulary.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    _, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    return weights[0, : len(tgt), : len(src)]


def miss_rate(weights):
    """How often the largest weight of a row is on a token that the word does not translate."""
    misses = []
    for rows, pair in zip(weights, pairs):
        for t, row in enumerate(rows):
            partners = {j for j, i in pair.links.possible if i == t}
            if partners:
                misses.append(int(row.argmax()) not in partners)
    return sum(misses) / len(misses)


model.eval()  # switches off dropout, which is for training only
pairs = corpus.test[:200]
trained = miss_rate([look(pair) for pair in pairs])
print("the trained network misses", about(trained, 0.0, 0.25, ".2f"))

# %% [markdown] id="miss-text"
# Is that good? **Predict** how often somebody misses who looks at a Korean token drawn at random;
# and who goes along both sentences at the same speed, which is what two languages of the same word
# order would need.

# %% id="predict-diagonal"
predict("00.diagonal", ...)  # the second: what share of the words, from 0 to 1?

# %% id="bars"
sizes = [(len(tgt_vocabulary.tokenize(p.tgt)), len(src_vocabulary.tokenize(p.src))) for p in pairs]
generator = torch.Generator().manual_seed(0)
chance = miss_rate([torch.rand(T, S, generator=generator) for T, S in sizes])
diagonal = miss_rate([torch.eye(S)[[t * S // T for t in range(T)]] for T, S in sizes])
rates = {"at random": chance, "along the diagonal": diagonal, "trained attention": trained}
reveal("00.diagonal", diagonal, within=0.1)

# %% id="bars-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7, 2.8))
bars = ax.barh(list(rates), list(rates.values()), color=figures.PALETTE[:3])
ax.bar_label(bars, fmt="%.2f", padding=4)
ax.set(xlim=(0, 1.08), xlabel="miss rate (share of the words)")
ax.set_title("Who looks at the right word?")
plt.show()

# %% [markdown] id="bars-alt"
# <details><summary>The figure in words</summary>
#
# Three bars of miss rates. Looking at random misses nearly always, going along the diagonal misses
# most of the time, and the trained attention has by far the shortest bar.
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
# Every chapter ends with the map of your progress: what is done, and how many minutes are left.

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
# **Papers.** [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015), *Neural machine
# translation by jointly learning to align and translate* (its Figure 3 has such heat maps). The
# German captions are from [Elliott et al. 2016](D_papers.ipynb#cell-id=elliott-2016), *Multi30K*.
#
# **Next.** [Chapter 01](01_rnn.ipynb) builds the simplest network that reads word by word, and
# measures how fast it forgets.
