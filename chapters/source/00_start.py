# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 00 · Where does a translator look?
#
# **What you will be able to do.** Translate a sentence and see where the network looks, run a
# chapter, work on an exercise and read its feedback, and train a first small translator.
#
# **What you need.** Python; an idea of what a vector is. A **tensor** is torch's array of numbers,
# like NumPy's. Nothing about neural networks yet.
#
# **Time.** 20 minutes in one sitting; at most a minute to run, with one thread, on any laptop whose
# processor has AVX2, as most do. In a hurry? Run the cells down to the first picture, *Now break
# it* and the exercise.

# %% id="setup" tags=["setup"]
import copy
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
pieces = [piece.removeprefix("▁") for piece in first.src_tokens]
words = [word.removeprefix("▁") for word in first.tgt_tokens]
ax = figures.attention_heatmap(first.weights, pieces, words, title="Where it looked")
ax.collections[0].set_clim(0, 0.5)
ax.collections[0].colorbar.set_label("share of its attention (0.5 and more: darkest)")
ax.set(xlabel="what it read", ylabel="what it wrote")
plt.show()

# %% [markdown] id="first-alt"
# <details><summary>The figure in words</summary>
#
# A heat map. The pieces of the German sentence stand along the top, the words of the English one
# down the side. In six of ten rows the darkest cell is on a matching word: *women* on *Frauen*,
# *are* and *drinking* on *trinken*, *coffee* far to the right on *Kaff*, *in* on *im*, *park* on
# *Park*. The rows of *two*, *the*, the period and the end are darkest at the end mark, and that
# of the end is the darkest of all.
#
# </details>

# %% [markdown] id="first-read"
# You have just translated German with a **neural network** of three million numbers. Nobody told it
# anything about German or English. It learned from captions of photographs and English translations
# of them, which larger networks wrote after learning from human ones ([chapter
# 10](10_translator.ipynb#cell-id=student-text) says how and why).
#
# The picture shows where it *looked*. Each row is a word of the English sentence, in the order in
# which the network wrote it. Each column is a piece of the German one. The darker a cell, the
# more of its **attention** the network gave to that piece while it wrote. German puts the coffee at
# the end; the row of *coffee* found it there.
#
# `<eos>` marks the end of a sentence. Some rows look there rather than at a word: *two* does nearly
# as much as at *zwei*. A picture of attention is seldom tidy.
#
# How a machine can learn where to look, what that is worth, and what such a picture does and does
# not prove: that is what this book is about. In chapter 10 you will train a translator of this kind
# yourself, in minutes, and by then you will have built every part of it.

# %% [markdown] id="break-it-text"
# ## Now break it
#
# Put a sentence of your own into the list. The network has read captions and nothing else. What
# will it make of *I love you*, and of a man who is bitten by a dog?

# %% id="break-it"
for german_text in [
    "Ein Hund läuft durch den Schnee.",
    "Ich liebe dich.",
    "Den Mann beißt der Hund.",
]:
    print(f"{german_text:34}{german.translate(german_text, beam=1).text}")

# %% [markdown] id="break-it-read"
# The first is a caption. The second is none, and the network writes nonsense without a blush. The
# third says that the *dog* bites the *man*: German can put whom it bites first. The translation is
# fluent, and wrong. Chapter 09 measures such mistakes and chapter 10 hunts for them.

# %% [markdown] id="cells-text"
# ## How a chapter works
#
# You are looking at a **notebook**: a list of cells. The gray boxes hold Python; click into one and
# press **Shift + Enter** to run it. What it prints or draws appears below it. Cells share their
# variables, so run them from top to bottom; *Run ▸ Run All Cells* does that for you. A cell that
# only draws is collapsed to a bar with three dots; a click on them opens it.
#
# Nothing can break: change any cell, run it, and see what happens. JupyterLab saves by itself, now
# and then. *File ▸ Revert Notebook to Checkpoint…* brings back what was there when you last saved
# it yourself or, if you never did, when you first opened it.
#
# Every chapter begins with two code cells. The collapsed one installs the book where you read it in
# Google Colab or on Kaggle, and does nothing anywhere else. The other one is the chapter's setup.
# It imports what the chapter needs and asks torch for one thread, so that everybody computes very
# nearly the same numbers. Where the last digits may differ on your processor, a number is printed
# with the sign ≈.

# %% [markdown] id="check-text"
# ## Is everything in place?
#
# The next cell asks your computer three questions. If a line does not say *fine*, run
# `python -m attnlib doctor` in a terminal: it lists versions and fonts, with a remedy for what is
# missing.

# %% id="check"
hangul = figures.packaged_font().is_file()  # NanumGothic, which comes along with the book
product = torch.ones(2, 3) @ torch.ones(3, 4)
print("Python 3.10 or newer:       ", "fine" if sys.version_info >= (3, 10) else "too old")
print("torch multiplies matrices:  ", "fine" if (product == 3).all() else "wrong")
print("figures show Korean letters:", "fine" if hangul else "no font")

# %% [markdown] id="how-text"
# Four habits run through all chapters.
#
# - **Predict.** Before a surprising result, you are asked what it will be. A wrong guess helps the
#   right answer stick.
# - **Look.** Code comes in pieces of a few lines, and every piece shows what it made.
# - **Measure.** What a chapter claims, a cell of the chapter measures. Where that shows less than
#   others claim, the chapter says so.
# - **Do.** Exercises wait for you in between. You do not have to do them to read on.

# %% [markdown] id="predict-text"
# A prediction is one short line. Put a number in place of the three dots and run the cell; then run
# the one below, which has the answer. If you leave the dots, nothing happens. The question: *Ein
# Straßenmusiker spielt Gitarre* (a street musician plays the guitar) has four words. In how many
# pieces does the network read it, with the period and a mark for the end of the sentence? A rare
# word is cut into several pieces.

# %% id="predict-first"
predict("00.pieces", ...)

# %% id="reveal-first"
pieces = german.translate("Ein Straßenmusiker spielt Gitarre.", beam=1).src_tokens
print(pieces)
reveal("00.pieces", len(pieces))

# %% [markdown] id="predict-read"
# A `▁` marks where a new word begins. The book keeps what you predict in a small file beside the
# notebooks, `progress.json`, and shows at the end of a chapter how often you were right. From
# chapter 01 on, each chapter opens with five short questions about the earlier ones; what you
# missed comes back. The file is yours: nothing is sent anywhere, and to begin anew you remove it.

# %% [markdown] id="exercise-text"
# ## How an exercise works
#
# An exercise is a function without a body under the word `@exercise`. Run the cell as it is, and
# you read `○ not attempted`. Write something wrong, and you read `✗` with the smallest input for
# which it is wrong, what was expected, what came, and what that points to. Write it right, and you
# read `✓` and what was checked.
#
# Networks learn by following a result back to what it was made of (chapter 01 shows how). So where
# tensors come in and a tensor goes out, that way must stay open: use torch's functions, and no
# `.item()`, `.detach()` or NumPy on the way, unless an exercise asks for a plain number.
#
# An answer that does not end is stopped after ten seconds. Two kinds cannot be stopped: one long
# operation inside Python itself, such as `sum(range(10**12))`, and code that kills the whole
# process. If a cell stays at `[*]` for a minute, choose *Kernel ▸ Restart Kernel…*; what you wrote
# is not lost.
#
# Let us do one together. *Shares*: given some amounts, which share of the whole is each? The
# amounts 1 and 3 make the shares 0.25 and 0.75. Whoever divides by the largest amount instead, with
# `return amounts / amounts.max()`, reads:
#
# ```text
# ✗ shares: wrong
#   does not hold: the shares sum to 1
#   for: amounts = [1, 3]
#   expected: [0.25, 0.75]
#   got: [0.3333, 1]
#   diagnosis: The largest share is 1, as if it were the whole. What is the whole here?
#   The chapter goes on with the book's own function.
# ```

# %% [markdown] id="ex-shares-text"
# ### Exercise 0.1 · Shares of a whole
#
# *Warm-up, 3 minutes.* `amounts` is a tensor of shape (n,) of numbers that are not negative.
# Return a tensor of the same shape: each amount divided by the sum of all.
#
# First run the cell as it is. Then put `return amounts / amounts.max()` in place of the last line,
# run it again, and find what you have just read. Then make it right.
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
    raise NotImplementedError


# %% [markdown] id="shares-used-text"
# Whatever you wrote, the name `shares` now works: it is your function where yours is right, and
# the book's own where it is not. So the chapter goes on either way.

# %% id="shares-used"
print(shares(torch.tensor([1.0, 3.0, 4.0])))

# %% [markdown] id="shares-meaning"
# Keep these numbers in mind. In [chapter 04](04_keys_and_values.ipynb) the amounts will be
# *similarities* and the shares will be **attention weights**: how much of its attention a network
# gives to each word. There you will also meet the **softmax**, which makes shares of numbers that
# may be negative. Each row of the picture above is a list of shares.

# %% [markdown] id="corpus-text"
# ## Watch one learn
#
# Now a network learns to translate Korean, before your eyes. How it works is what the book is
# about; today we only watch.
#
# The sentences come from a grammar that belongs to this book. They are simple, and for each of them
# we know which word translates which: the **gold alignment**. Korean puts the verb at the end. It
# joins small words, called **particles** (조사), to the nouns, and **endings** (어미) to the verbs.
# The **tokens** below, the units that a network reads, show both apart, marked with `##`.

# %% id="corpus"
corpus = load_corpus("ko-en-easy")
src_vocabulary, tgt_vocabulary = make_vocabularies(corpus, None)
print(f"{len(corpus.train):,} pairs to learn from, {len(corpus.test):,} to test on")
print(f"vocabularies of {len(src_vocabulary)} Korean and {len(tgt_vocabulary)} English entries")
for pair in corpus.train[2:4]:
    print(" ".join(src_vocabulary.tokenize(pair.src)))
    print("   ", pair.tgt)

# %% id="lengths"
pairs = corpus.test[:300]
korean = [len(src_vocabulary.tokenize(pair.src)) for pair in pairs]
english = [len(tgt_vocabulary.tokenize(pair.tgt)) for pair in pairs]
print(f"the longest: {max(korean)} Korean tokens, {max(english)} English ones")
print(f"English tokens for each Korean one: {sum(english) / sum(korean):.2f}")

# %% id="lengths-figure" tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6, 4))
ax.scatter(korean, english, s=14, alpha=0.5, color=figures.PALETTE[0])
ax.plot([0, 50], [0, 50], "--", color="#555555", label="as many")
ax.set(xlabel="Korean sentence (tokens)", ylabel="English sentence (tokens)")
ax.set_title(f"Lengths of {len(pairs)} pairs of sentences")
ax.legend()
plt.show()

# %% [markdown] id="lengths-alt"
# <details><summary>The figure in words</summary>
#
# A scatter plot, a point for each pair of sentences. The points rise along a line, and nearly all
# lie below the dashed diagonal: English sentences have fewer tokens than the Korean ones they
# translate.
#
# </details>

# %% [markdown] id="model-text"
# English needs fewer, because most particles and endings that Korean spells out (*topic*, *object*,
# *polite*) have no word of their own in English. So a translator cannot work token by token: it
# must know where to look.
#
# Here is one, with random numbers inside: it has learned nothing. The sentence says *Minsu read
# four interesting novels in the library*.

# %% id="model"
preset = presets_for(corpus)["quick"]
seed_everything(3)
architecture = preset.architecture("general")
model = make_seq2seq(len(src_vocabulary), len(tgt_vocabulary), **architecture)
untrained = copy.deepcopy(model.state_dict())  # its random numbers
translator = Translator(model, src_vocabulary, tgt_vocabulary)
sentence = "민수는 도서관에서 재미있는 소설 네 권을 읽었습니다."
print(src_vocabulary.tokenize(sentence))
stages = []  # what it writes while it learns

# %% [markdown] id="before-text"
# First, what does the network do before it has learned anything? Which English words will it write?

# %% id="draw" tags=["hide-input"]
korean_tokens = "민수 유나 소라 ##는 도서관 공원 학교 카페 ##에서 재미있는 네 권 "
korean_tokens += "소설 책 편지 ##을 ##를 읽었 썼 ##습니다 . <eos>"
meanings = "Minsu Yuna Sora (topic) library park school cafe in/at interesting four (unit) "
meanings += "novel book letter (obj.) (obj.) read wrote (polite) . (end)"
gloss = dict(zip(korean_tokens.split(), meanings.split()))


def draw(found, title):
    """The heat map of a translation, with the meaning of each Korean token below it."""
    read = [f"{token.removeprefix('##')}\n{gloss.get(token, '')}" for token in found.src_tokens]
    rows = found.tgt_tokens[:12]  # at most 12 words
    fig, ax = plt.subplots(figsize=(9, 1.8 + 0.28 * len(rows)))
    figures.attention_heatmap(found.weights[:12], read, rows, title=title, ax=ax)
    ax.set(xlabel="what it read", ylabel="what it wrote")
    ax.collections[0].colorbar.set_label("share of its attention")
    plt.show()


# %% id="before"
found = translator.translate(sentence, beam=1)
print(found.text)
draw(found, f"After {70 * len(stages)} updates")

# %% [markdown] id="before-alt"
# <details><summary>The figure in words</summary>
#
# A heat map with the Korean tokens and their meanings along the top and the words that the
# untrained network wrote, and the end, down the side. It is pale all over: every row spreads its
# weight evenly over all columns.
#
# </details>

# %% [markdown] id="before-read"
# Each row is one English word, and the colors of a row are its attention weights: they sum to 1.
# The untrained network wrote *four four* and stopped, and it looked everywhere at once.
#
# Now it learns. An **update** shows the network a few dozen pairs and moves each of its numbers a
# little in the direction that makes the right English words more probable.

# %% id="batches"
batches, valid = make_batches(corpus, src_vocabulary, tgt_vocabulary, preset.batch_tokens, seed=3)
print(f"pairs in an update: {len(corpus.train) / len(batches):.0f} on average")

# %% id="train" tags=["nbval-ignore-output"]
recipe = dataclasses.replace(
    preset.recipe, updates=700, warmup=175, learning_rate=4.5e-3, validate_every=70, seed=3
)


def watch(model):
    """Print what the network writes by now; the newest weights count as the best."""
    stages.append(translator.translate(sentence, beam=1))
    print(f"{70 * len(stages):4} updates: {stages[-1].text}")
    return len(stages)


# about half a minute in all; run again, it begins again
stages.clear()
model.load_state_dict(untrained)
history = fit(model, batches, recipe, valid=valid, score=watch, progress=False)

# %% [markdown] id="train-read"
# (Your lines may differ from the book's in a word or two.) In a few hundred updates nonsense turns
# into English, and English into *this* sentence. First comes what many sentences share, such as
# *at* and *the*; which of the places it is comes late.

# %% [markdown] id="curve-text"
# How surprised was the network by the right words along the way?

# %% id="curve" tags=["hide-input"]
losses = {"sentences it learns from": history.train_loss, "other sentences": history.valid_loss}
ax = learning_curves(history.update, losses, title="How surprised is it by the right word?")
ax.set_ylabel("loss (surprise per token, in nats)")
plt.show()

# %% [markdown] id="curve-alt"
# <details><summary>The figure in words</summary>
#
# Two lines over 700 updates. The loss falls steeply during the first half and flattens toward zero,
# for the training sentences as for the others, whose line is the lower one.
#
# </details>

# %% [markdown] id="curve-read"
# The **loss** measures how surprised the network is by the right word, in units called **nats**: 0
# would be no surprise. It falls on sentences that the network never trained on, too. (They come
# from the same grammar, and many of their clauses occur somewhere in what it trained on, in other
# company; [the page of the data](../data/README.md) counts how near they are.) If it fell only on
# those that it trained on, that would be **overfitting**. Why do the other sentences seem *easier*?
# Their loss is measured after an update, that of the training sentences is a mean over the updates
# before it; and in training some numbers are set to zero at random (**dropout**), which makes every
# word harder.

# %% id="after"
found = translator.translate(sentence, beam=1)
print(found.text)
draw(found, f"After {70 * len(stages)} updates")

# %% [markdown] id="after-alt"
# <details><summary>The figure in words</summary>
#
# The same heat map after training. Nearly every row now has one dark cell: the row of "Minsu" at
# the Korean name in the first column, the row of "read", the second word, at the verb near the end,
# the rows of "four", "interesting" and "novels" at their Korean words. "In" and "the" are darkest
# at the particle 에서 (in, at) behind the library. Where the row of "library" is dark differs from
# processor to processor.
#
# </details>

# %% [markdown] id="unsure-text"
# Nearly every row looks at the right word. Follow the row of *read*: it reaches over the whole
# sentence to the Korean verb at its end. One row is a toss of a coin. On some processors the row of
# *library* is dark at the Korean library; on others the network writes *library*, or *park*, and
# looks elsewhere. Does it know the place, or is it lucky? One sentence cannot tell, so ask all test
# sentences that name a place: give the network the words up to *in the* or *at the*, and see how
# probable it finds the right place, and where it looks.

# %% id="unsure"
places = {"in the": "library park", "at the": "cafe market store"}


def chances(pair):
    """For each place: its probability, that of all its kind, and whether it is looked at."""
    words = tgt_vocabulary.tokenize(pair.tgt)
    batch = make_batch([src_vocabulary.encode(pair.src)], [tgt_vocabulary.encode(pair.tgt)])
    scores, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    for t in range(2, len(words)):
        alike = places.get(" ".join(words[t - 2 : t]), "")
        if words[t] in alike.split():
            p = scores[0, t].softmax(dim=-1)
            looks = (int(weights[0, t].argmax()), t) in pair.links.possible
            yield *(p[tgt_vocabulary.encode(some)].sum() for some in (words[t], alike)), looks


# %% id="unsure-print"
model.eval()  # switches off dropout, which is for training only
with torch.no_grad():
    asked = torch.tensor([one for pair in corpus.test for one in chances(pair)])
right, alike, looks = asked.mean(dim=0)
print(f"of {len(asked)} places, the mean probability")
print("of the right one:                          ", about(right, 0.6, 0.9))
print("of others that follow the same two words:  ", about(alike - right, 0.1, 0.4))
print("of all other words:                        ", about(1 - alike, 0, 0.05, ".3f"))
print("share of rows that are darkest at the place:", about(looks, 0, 0.4))

# %% [markdown] id="after-read"
# It knows less than a picture tells. Which kind of place it is, *in the* or *at the*, it knows
# nearly always. Which of them it is it knows much less well, and it seldom looks there.
#
# How does it know that much without looking at the place? The particle 에서 is the same for all
# places, but English says *in the* library and *at the* cafe; the network looked at 에서 and wrote
# *in*. A column is more than its word: by then the network has read the sentence in both
# directions, so that the column of 에서 can know of the library in front of it.
#
# Nobody told it which word translates which. It was only ever shown whole sentences; where to look
# is something that it found out while it learned to predict their words.
#
# One picture can flatter, or mislead. For the test sentences we know the gold alignment, so we can
# count how often the largest weight of a row lies on a Korean token that the English word does
# *not* translate. Call that the **miss rate**. A particle, an ending or a unit counts as part of
# its word, and for *the* and *a* any token of their noun will do. ([Chapter 05](05_attention.ipynb)
# has the measure that papers use, the alignment error rate.)
#
# The next cell reads the weights while the network is given the gold English translation word by
# word, so that its words and the gold links match.


# %% id="miss-rate"
@torch.no_grad()
def look(pair):
    """The attention weights of each word of the gold translation over the Korean tokens."""
    src, tgt = src_vocabulary.encode(pair.src), tgt_vocabulary.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    _, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    return weights[0, : len(tgt), : len(src)]


def miss_rate(weights, pairs):
    """How often the largest weight of a row is on a token that the word does not translate."""
    misses = []
    for rows, pair in zip(weights, pairs):
        for t, row in enumerate(rows):
            partners = {j for j, i in pair.links.possible if i == t}
            if partners:
                misses.append(int(row.argmax()) not in partners)
    return sum(misses) / len(misses)


tested = corpus.test[:200]
trained = miss_rate([look(pair) for pair in tested], tested)
print("the trained network misses", about(trained, 0.0, 0.25, ".2f"))

# %% [markdown] id="miss-text"
# Is that good? **Predict** how often you would miss if you picked a Korean token at random, or
# moved along both sentences at the same speed, which is what two languages of the same word order
# would need.

# %% id="predict-diagonal"
predict("00.diagonal", ...)  # the second: what share of the words, from 0 to 1?

# %% id="bars"
sizes = [(len(tgt_vocabulary.encode(p.tgt)), len(src_vocabulary.encode(p.src))) for p in tested]
generator = torch.Generator().manual_seed(0)
chance = miss_rate([torch.rand(T, S, generator=generator) for T, S in sizes], tested)
diagonal = miss_rate([torch.eye(S)[[t * S // T for t in range(T)]] for T, S in sizes], tested)
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

# %% id="bars-print"
for name, rate in rates.items():
    print(f"{name:20}", about(rate, 0, 0.25) if rate == trained else f" {rate:.2f}")

# %% [markdown] id="bars-read"
# Going along the diagonal misses two words of three: Korean and English order really differ. The
# trained network misses far fewer, and it was never told a single link. It is not perfect: a row
# may look elsewhere and its word be right all the same. Whether looking *explains* a word is a
# question of its own, for [chapter 05](05_attention.ipynb).

# %% [markdown] id="yours-text"
# ## Your turn
#
# Change the sentence and run the cell. The network knows few words; these you may use.
#
# - People: 민수 *Minsu*, 유나 *Yuna*, 소라 *Sora*, each with 는 (topic).
# - Things, with their particles: 책을 *book*, 소설을 *novel*, 편지를 *letter*.
# - Places, each with 에서 (in, at): 학교 *school*, 공원 *park*, 카페 *cafe*.
# - Verbs: 읽었습니다 *read*, 썼습니다 *wrote*.
#
# The sentence below says *Sora read a novel at school*. Now put her into the park: what would you
# expect after what you saw above, and what does the network write? A network may also write the
# right word while it looks at a wrong one: [chapter 05](05_attention.ipynb) asks how that can be.

# %% id="yours"
mine = translator.translate("소라는 학교에서 소설을 읽었습니다.", beam=1)
print(mine.text)
draw(mine, "Your sentence")

# %% [markdown] id="yours-alt"
# <details><summary>The figure in words</summary>
#
# A heat map of the sentence "Sora read a novel at school". The row of the English verb is dark at
# the Korean verb near the end and most other rows at their Korean words; a row or two may be dark
# at a word that they do not translate.
#
# </details>

# %% [markdown] id="map-text"
# ## Where this goes
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
# By the chapters' own times that is about fifteen hours of reading and sixteen of exercises. The
# chapters build on each other. Whoever knows recurrent networks can begin with 03, and whoever
# wants the idea alone reads 04 and the first half of 05. [A](A_notation.ipynb) has every symbol and
# a glossary in English and Korean, [B](B_costs.ipynb) what it all costs in time and memory,
# [C](C_notes.ipynb) the notes from which the book grew, [D](D_papers.ipynb) the papers.

# %% [markdown] id="progress-text"
# ## What is done
#
# Every chapter ends with the map of your progress: what is done, and how many minutes the remaining
# exercises take.

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
