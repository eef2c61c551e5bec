# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 00 · Start here
#
# *Where does a translator look?*
#
# **What you will be able to do.** Translate a sentence and see where the network looks, run a
# chapter and get an exercise judged, watch a small translator learn, and count how often the
# picture of its attention is right.
#
# **What you need.** Python; an idea of what a vector is. A **tensor** is torch's array of numbers,
# like NumPy's. Nothing about neural networks yet.
#
# **Time.** 25 minutes to read and about a minute to run.
#
# <details><summary>Plan</summary>
#
# *Must read*: the first picture, *How a chapter works* and *How an exercise works* with its
# exercise; then *Where does it look for the place?*, which needs the cells of *Watch one learn*.
# *May skip*: the learning curve and *Your turn*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()

# %% id="first"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")
first = german.translate("Zwei Frauen trinken im Park Kaffee.", beam_size=1)
print(first.text)
print(f"{sum(p.numel() for p in german.model.parameters()):,} parameters")

# %% id="first-map" tags=["hide-input"]
# draws the figure
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
# You have just translated German with a **neural network** that has three million **parameters**,
# the numbers that training sets. Nobody told it anything about German or English. It learned from
# captions of photographs and English translations of them, which larger networks wrote after
# learning from human ones.
#
# The picture shows where it *looked*. Each row is a word of the English sentence, in the order in
# which the network wrote it. Each column is a piece of the German one. The stronger the color of a
# cell, the more of its **attention** the network gave to that piece while it wrote. German puts the
# coffee at the end; the row of *coffee* found it there. `<eos>` marks the end of a sentence, and
# some rows look there rather than at a word. A picture of attention is seldom tidy.
#
# How a machine can learn where to look, what that is worth, and what such a picture does and does
# not prove: that is what this book is about. In chapter 10 you will train a translator of this kind
# yourself, in minutes, and by then you will have built every part of it.

# %% [markdown] id="break-it-text"
# ## Now break it
#
# Put a sentence of your own into the list. The network has read nothing but captions. What will it
# make of *I love you*, and of a man who is bitten by a dog?

# %% id="break-it"
for german_text in [
    "Ein Hund läuft durch den Schnee.",
    "Ich liebe dich.",
    "Den Mann beißt der Hund.",
]:
    print(f"{german_text:34}{german.translate(german_text, beam_size=1).text}")

# %% [markdown] id="break-it-read"
# The first sentence could be a caption. The second could not, and the network writes nonsense. The
# third says that the *dog* bites the *man*: German may put the object first. The translation is
# fluent, and wrong.

# %% [markdown] id="cells-text"
# ## How a chapter works
#
# You are looking at a **notebook**: a list of cells. The gray boxes hold Python; click into one and
# press **Shift + Enter** to run it. Cells share their
# variables, so run them from top to bottom (*Run ▸ Run All Cells* does that for you). Nothing can
# break: change any cell and see what happens. A bar with three dots hides code that only imports,
# draws or checks; a click opens it.
#
# Each file is one sitting, and a long chapter has several: 05, 05b, 05c. What a chapter claims, one
# of its cells measures. A number behind the sign ≈ may have other digits on your computer, because
# training rounds a little differently on another processor.
#
# <details><summary>If something goes wrong</summary>
#
# - **An import fails, or letters are missing in a figure.** `python -m attnlib doctor` in a
#   terminal lists versions and fonts, with a remedy for what is missing.
# - **You changed too much.** *File ▸ Revert Notebook to Checkpoint…* brings back what was there
#   when you last saved it yourself or, if you never did, when you first opened it.
# - **A cell stays at `[*]` for minutes.** *Kernel ▸ Restart Kernel…* starts Python anew; what you
#   wrote is not lost.
# - **`NameError: name '…' is not defined`.** The cell needs one further up that has not run:
#   *Run ▸ Run All Above Selected Cell*, then the cell again.
# - **You read this in Google Colab or on Kaggle.** Run the collapsed cell above the first one: it
#   installs the book, and does nothing anywhere else.
#
# </details>

# %% [markdown] id="predict-text"
# ### Predictions
#
# Before a surprising result you are asked what it will be: a wrong guess helps the right answer
# stick. Put a number in place of the three dots and run the cell, then run the one below. What came
# out stays folded until you have answered, or open it yourself; if you leave the dots, nothing is
# compared. What you predict is kept in `progress.json` beside the notebooks; nothing is sent
# anywhere.
#
# From chapter 01 on, each chapter ends with five short questions about earlier ones; what you
# missed comes back.
#
# *Ein Straßenmusiker spielt Gitarre* (a street musician plays the guitar) has four words, and rare
# words are cut into pieces. How many pieces does the network read, with the period and the mark for
# the end?

# %% id="predict-first"
predict("00.pieces", ...)

# %% id="reveal-first"
pieces = german.translate("Ein Straßenmusiker spielt Gitarre.", beam_size=1).src_tokens
with reveal("00.pieces", len(pieces)):
    print(pieces)

# %% [markdown] id="predict-read"
# <details><summary>What it says</summary>
#
# A `▁` marks where a new word begins.
#
# </details>

# %% [markdown] id="exercise-text"
# ## How an exercise works
#
# An exercise is a function without a body under the word `@exercise`. Run the cell as it is, and
# you read `○ not attempted`. Write something wrong, and you read `✗` with the smallest input for
# which it is wrong. Write it right, and you read `✓` and what was checked. You can read on without
# doing any.
#
# Let us do one together: given some amounts, which share of the whole is each? The amounts 1 and 3
# make the shares 0.25 and 0.75. If you divide by the largest amount instead, you read:
#
# ```text
# ✗ shares: wrong
#   The largest share is 1, as if it were the whole. What is the whole here?
#   does not hold: the shares sum to 1
#   for: amounts = torch.tensor([1.0, 3.0])
#   expected: [0.25, 0.75]
#   got: [0.3333, 1]
#   Yours on this input again: exercise.mine(**exercise.failing). The chapter goes on with the book's own function.
# ```
#
# <details><summary>What an answer may do</summary>
#
# Networks learn by following a result back to what it was made of (chapter 01 shows how). Where a
# function is part of a network that learns (a step, a score, a loss), that way must stay open: use
# torch's functions, and no `.item()`, `.detach()` or NumPy on the way; the verdict tells you so.
# Where a function only measures, searches or prepares, plain numbers do as well.
#
# An answer that does not end is stopped after ten seconds. Two kinds cannot be stopped: one long
# operation inside Python itself, such as `sum(range(10**12))`, and code that kills the whole
# process. Then restart the kernel.
#
# </details>

# %% [markdown] id="ex-shares-text"
# ### Exercise 0.1 · Shares of a whole
#
# *Warm-up, 3 minutes.* `amounts` is a tensor of shape (n,) of numbers that are not negative.
# Return a tensor of the same shape: each amount divided by the sum of all.
#
# First run the cell as it is. Then put `return amounts / amounts.max()` in place of the last line
# and run it again. Then make it right.
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
# ### The chapter goes on
#
# The name `shares` now works, whatever you wrote: it is your function where yours is right, and the
# book's own where it is not.

# %% id="shares-used"
print(shares(torch.tensor([1.0, 3.0, 4.0])))

# %% [markdown] id="shares-meaning"
# Each row of the picture above is such a list of shares. In
# [chapter 04](04_keys_and_values.ipynb) the amounts will be *similarities*, and their shares the
# **attention weights**: how much of its attention a network gives to each word.

# %% [markdown] id="corpus-text"
# ## Watch one learn
#
# Now a network learns to translate Korean, before your eyes. A grammar that belongs to this
# book wrote the sentences, so for each of them we know which word translates which: the **gold
# alignment**. Korean puts the verb at the end. It joins small words, called **particles** (조사),
# to the nouns, and **endings** (어미) to the verbs. The **tokens** below, the units that a
# network reads, show both apart, marked with `##`.

# %% id="corpus"
from attnlib.data import load_corpus
from attnlib.translator import make_vocabularies

corpus = load_corpus("ko-en-easy")
src_vocabulary, tgt_vocabulary = make_vocabularies(corpus, None)
print(f"{len(corpus.train):,} pairs to learn from, {len(corpus.test):,} to test on")
print(f"entries in the vocabularies: {len(src_vocabulary)} and {len(tgt_vocabulary)}")
for pair in corpus.train[2:4]:
    print(" ".join(src_vocabulary.tokenize(pair.src)))
    print("   ", pair.tgt)

# %% [markdown] id="model-text"
# Here is a network with random parameters: it has learned nothing. The sentence that we follow says
# *Minsu read four interesting novels in the library*.

# %% id="draw" tags=["hide-input"]
# draws the figure
glosses = """
민수 Minsu  유나 Yuna  소라 Sora  ##는 (topic)  도서관 library  공원 park  학교 school  카페 cafe
##에서 in/at  재미있는 interesting  네 four  권 (unit)  소설 novel  책 book  편지 letter
##을 (obj.)  ##를 (obj.)  읽었 read  썼 wrote  ##습니다 (polite)  . (period)  <eos> (end)
"""
gloss = dict(zip(glosses.split()[::2], glosses.split()[1::2]))


def draw(found, title):
    """The heat map of a translation, with the meaning of each Korean token below it."""
    read = found.src_tokens
    tokens = [f"{token.removeprefix('##')}\n{gloss.get(token, '')}" for token in read]
    rows = found.tgt_tokens[:12]  # at most 12 words
    fig, ax = plt.subplots(figsize=(9.5, 1.8 + 0.28 * len(rows)))
    figures.attention_heatmap(found.weights[:12], tokens, rows, title=title, ax=ax)
    ax.set_xticklabels(tokens, rotation=0, ha="center", fontsize=9)
    ax.set(xlabel="what it read", ylabel="what it wrote")
    ax.collections[0].colorbar.set_label("share of its attention")
    plt.show()


def draw_stages(stages):
    """The heat maps of one sentence after so many updates, side by side."""
    fig, axes = plt.subplots(2, 2, figsize=(9.6, 6.8))
    for ax, (updates, found) in zip(axes.flat, stages.items()):
        rows = found.tgt_tokens[:12]
        shades = ax.imshow(found.weights[:12], "Blues", vmin=0, vmax=1, aspect="auto")
        tokens = [gloss.get(token, token) for token in found.src_tokens]
        # Every second label stands a line higher, so that it has room.
        columns = [token + "\n" * (j % 2) for j, token in enumerate(tokens)]
        ax.set_xticks(range(len(columns)), columns, fontsize=8)
        ax.set_yticks(range(len(rows)), rows, fontsize=9)
        ax.xaxis.tick_top()
        ax.tick_params(length=0)
        ax.grid(False)
        ax.set_title(f"after {updates} updates", fontsize=11)
    fig.suptitle("Where it looks while it learns")
    fig.supxlabel("what it read (the meanings of the Korean tokens)", fontsize=11)
    fig.supylabel("what it wrote", fontsize=11)
    fig.colorbar(shades, ax=axes, label="share of its attention", shrink=0.6, pad=0.01)
    plt.show()


# %% id="model"
import copy

from attnlib.model import make_seq2seq
from attnlib.translator import presets_for

preset = presets_for(corpus)["quick"]
seed = 3
seed_everything(seed)
architecture = preset.architecture("general")
model = make_seq2seq(len(src_vocabulary), len(tgt_vocabulary), **architecture)
untrained = copy.deepcopy(model.state_dict())  # its random parameters
translator = Translator(model, src_vocabulary, tgt_vocabulary)
sentence = "민수는 도서관에서 재미있는 소설 네 권을 읽었습니다."
tokens = src_vocabulary.tokenize(sentence)
print(" · ".join(f"{token} {gloss[token]}" for token in tokens))

# %% [markdown] id="before-text"
# What does it write before it has learned anything, and where does it look?

# %% id="before"
found = translator.translate(sentence, beam_size=1)
print(found.text)
print(f"weights from {found.weights.min():.2f} to {found.weights.max():.2f}")

# %% [markdown] id="before-read"
# It writes *four four* and stops. Each word that it writes has a row of 13 **attention weights**,
# one for each of the twelve tokens and one for the end, which sum to 1. Here all are about 1/13 =
# 0.08: the network looks everywhere at once.
#
# Now it learns. An **update** shows the network a few dozen pairs and moves each parameter a little
# in the direction that makes the right English words more probable.

# %% id="batches"
from attnlib.translator import make_batches

batches, valid = make_batches(
    corpus, src_vocabulary, tgt_vocabulary, preset.batch_tokens, seed=seed
)
print(f"pairs in an update: {len(corpus.train) / len(batches):.0f} on average")

# %% id="train" tags=["nbval-ignore-output"]
import dataclasses

from attnlib.training import fit

recipe = dataclasses.replace(preset.recipe, updates=700, validate_every=70, seed=seed)
recipe = dataclasses.replace(recipe, warmup=175, learning_rate=4.5e-3)
stages = {}  # after so many updates: the translation and its weights


def watch(model):
    """Print what the network writes by now; the newest parameters count as the best."""
    updates = 70 * (len(stages) + 1)
    stages[updates] = translator.translate(sentence, beam_size=1)
    print(f"{updates:4} updates: {stages[updates].text}")
    return updates


model.load_state_dict(untrained)  # run again, it begins again
history = fit(model, batches, recipe, valid=valid, score=watch, progress=False)

# %% [markdown] id="train-read"
# (It takes about half a minute, and your lines may differ in a word or two.) In a few hundred
# updates nonsense turns into English, and English into *this* sentence. First comes what many
# sentences share, such as *at* and *the*. Where did the network look meanwhile?

# %% id="stages" tags=["hide-input"]
# draws the figure
draw_stages({updates: stages[updates] for updates in (70, 140, 280, 700)})

# %% [markdown] id="stages-alt"
# <details><summary>The figure in words</summary>
#
# Four heat maps of the same Korean sentence, whose tokens stand along the top by their meanings.
# The English words that the network wrote stand down the side. After 70 updates the cells are pale,
# most rows spread over many columns, and the rows of the same word look alike. After 140 updates
# some rows have one dark cell, *Minsu* at the name and *at* at the particle; the rows of *read* and
# *novel* are spread over *interesting*, *novel* and *four*. After 280 and 700 updates nearly every
# row has one dark cell: *read*, the second row, at the verb far to the right, *four*, *interesting*
# and *novels* at their Korean words, *in* and *the* at the particle. The row of *library* is dark
# at the verb after 280 updates and at *library* after 700 (on other processors still at the verb).
#
# </details>

# %% [markdown] id="after-read"
# Follow the row of *read*: after 280 updates it reaches over the whole sentence to the verb. Nearly
# every row now has one strong cell, mostly on the word that it translates.
#
# Nobody told the network which word translates which. It was only ever shown whole sentences; where
# to look is something that it found out while it learned to predict their words.

# %% [markdown] id="curve-text"
# How surprised was the network by the right words along the way?

# %% id="curve" tags=["hide-input"]
# draws the figure
from attnbook.figures import learning_curves

losses = {"training sentences": history.train_loss}
losses["other sentences"] = history.valid_loss
ax = learning_curves(history.validated_at, losses, title="Surprise at the right word")
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
# would be no surprise. It falls on sentences that the network never trained on, too. If it fell
# only on those that it trained on, that would be **overfitting**.
#
# <details><summary>How new are the other sentences, and why do they seem easier?</summary>
#
# They come from the same grammar, and many of their clauses occur in what the network trained on,
# in other company; [the page of the data](../data/README.md) counts how near they are. Their loss
# is measured after an update, that of the training sentences is a mean over the updates before it.
# And in training some numbers inside the network are set to zero at random (**dropout**), which
# makes every word harder.
#
# </details>

# %% [markdown] id="miss-rate-text"
# ## Is the picture right?
#
# One picture can flatter, or mislead. For the test sentences we know the gold alignment, so we can
# count how often the largest weight of a row lies on a Korean token that the English word does
# *not* translate. Call that the **miss rate**. (A particle, an ending or a unit counts as part of
# its word, and for *the* and *a* any token of their noun will do. [Chapter 05](05_attention.ipynb)
# has the measure that papers use, the alignment error rate.) The weights are read while the network
# is given the gold English words, so that its words and the gold links match.
#
# How often would you miss if you moved along both sentences at the same speed, which is what two
# languages of the same word order would need?

# %% id="predict-diagonal"
predict("00.diagonal", ...)  # what share of the words, from 0 to 1?

# %% id="miss-tools" tags=["hide-input"]
# reads the weights, and counts the misses
from attnlib.data import make_batch

model.eval()  # switches off dropout, which is for training only


@torch.no_grad()
def given_gold(pair):
    """Given the gold words: probabilities (T, V) of the next word, weights (T, S)."""
    src, tgt = src_vocabulary.encode(pair.src), tgt_vocabulary.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    scores, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    return scores[0].softmax(dim=-1), weights[0]


def miss_rate(weights, pairs):
    """How often a row's largest weight is where its word has no partner."""
    misses = []
    for rows, pair in zip(weights, pairs):
        for t, row in enumerate(rows):
            partners = {j for j, i in pair.links.possible if i == t}
            if partners:
                misses.append(int(row.argmax()) not in partners)
    return sum(misses) / len(misses)

# %% id="miss-rate"
trained = [given_gold(pair)[1] for pair in corpus.test]  # weights (T, S)
shapes = [weights.shape for weights in trained]
generator = torch.Generator().manual_seed(0)
chance = [torch.rand(T, S, generator=generator) for T, S in shapes]
diagonal = [torch.eye(S)[[t * S // T for t in range(T)]] for T, S in shapes]
rates = [miss_rate(weights, corpus.test) for weights in (chance, diagonal, trained)]
with reveal("00.diagonal", rates[1], within=0.1):
    print(f"at random           {rates[0]:.2f}")
    print(f"along the diagonal  {rates[1]:.2f}")
    print(f"trained attention  ≈{rates[2]:.2f}")

# %% id="miss-rate-check" tags=["check"]
# checks what the text says
check_range(rates[2], 0, 0.25)

# %% [markdown] id="miss-rate-read"
# <details><summary>What it says</summary>
#
# Korean and English order really differ. The trained network misses far fewer words than both, and
# it was never told a single link.
#
# </details>

# %% [markdown] id="place-text"
# ## Where does it look for the place?
#
# In the last panel, which cell is the strongest in the row of *library*? (It depends on the
# processor.) One row proves little. Ask all test sentences that name a place behind *in the* or *at
# the*: on which token is the largest weight of the row of the place most often? On the place, on
# the particle behind it (에서), on the verb, or on something else?

# %% id="place-tools" tags=["hide-input"]
# finds the words for a place, and what each row looks at
from collections import Counter
from itertools import pairwise

places = {"in the": ["library", "park"], "at the": ["cafe", "market", "store"]}
endings = [pairwise(src_vocabulary.tokenize(pair.src)) for pair in corpus.train]
kinds = {stem: "verb" for pairs in endings for stem, end in pairs if end == "##습니다"}
kinds["##에서"] = "particle"


def place_words(pair):
    """For each word for a place: its number, the words before it, its verb, itself."""
    tokens, words = src_vocabulary.tokenize(pair.src), tgt_vocabulary.tokenize(pair.tgt)
    for t in range(2, len(words)):
        before = " ".join(words[t - 2 : t])
        if words[t] in places.get(before, []):
            start = min(j for j, i in pair.links.possible if i == t)
            verb = next(token for token in tokens[start:] if kinds.get(token) == "verb")
            yield t, (before, verb, words[t])


counts = Counter(which for pair in corpus.train for _, which in place_words(pair))


def place_rows(pair):
    """For each word for a place: where two rows look, how probable two words are."""
    tokens = [*src_vocabulary.tokenize(pair.src), "<eos>"]
    right = tgt_vocabulary.encode(pair.tgt)
    probabilities, weights = given_gold(pair)
    for t, (before, verb, place) in place_words(pair):
        gold = {j for j, i in pair.links.possible if i == t}
        at, preposition_at = int(weights[t].argmax()), int(weights[t - 2].argmax())
        seen = {two: [counts[two, verb, one] for one in places[two]] for two in places}
        yield {
            "place": kinds.get(tokens[at], "place" if at in gold else "other"),
            "preposition": kinds.get(tokens[preposition_at], "other"),
            "p(place)": float(probabilities[t, right[t]]),
            "p(preposition)": float(probabilities[t - 2, right[t - 2]]),
            "by chance": 1 / len(places[before]),
            "by the verb": counts[before, verb, place] / sum(seen[before]),
            "preposition by the verb": sum(seen[before]) / sum(map(sum, seen.values())),
        }


def share(row, kind):
    """The share of such rows whose largest weight is on a token of this kind."""
    return sum(one[row] == kind for one in found_places) / len(found_places)


def mean(what):
    """The mean of a probability over all words for a place."""
    return sum(one[what] for one in found_places) / len(found_places)

# %% id="place"
found_places = [row for pair in corpus.test for row in place_rows(pair)]
print(f"{len(found_places)} words for a place; the largest weight of the row is on")
looks = {kind: share("place", kind) for kind in ("place", "particle", "verb", "other")}
for kind, part in looks.items():
    print(f"  {kind:9}≈{part:4.0%}")

# %% [markdown] id="place-known-text"
# Does the network know the place, then, or does it guess? After *in the* a guess can choose among
# two places, after *at the* among three. A better guess also knows the verb: it counts how often
# each place stood with both in the training sentences.

# %% id="place-known"
on_particle = share("preposition", "particle")
print("mean probability of the right place")
print(f"  the network                           ≈{mean('p(place)'):.2f}")
print(f"  a guess from the preposition           {mean('by chance'):.2f}")
print(f"  a guess from the preposition and verb  {mean('by the verb'):.2f}")
print("mean probability of the right preposition")
print(f"  the network                           ≈{mean('p(preposition)'):.2f}")
print(f"  a guess from the verb                  {mean('preposition by the verb'):.2f}")
print(f"rows of the preposition that look at 에서 ≈{on_particle:4.0%}")

# %% id="place-check" tags=["check"]
# checks what the text says
if seed == 3:  # which the text is about
    check_range(looks["verb"], 0.75, 1)
    check_range(mean("p(place)"), 0.6, 0.9)
    check_range(mean("p(preposition)"), 0.95, 1)
    check_range(on_particle, 0.75, 1)

# %% [markdown] id="place-read"
# The row of the place is mostly on the *verb*, a miss each time, where rows of all words together
# seldom miss. In the training sentences nobody writes in the park, and all repairs are made at the
# store. A guess from such habits has 0.75, so a right place alone does not show that the network
# has read it. The right translations flattered the network; the picture, here, did not.
#
# The preposition it does know. Its row looks at 에서, the same token behind every place. How can
# it tell *in* from *at*? **A column is more than its word**: before the network writes, it has
# read the sentence in both directions, so the column of 에서 can tell of the word in front of it.
# [Chapter 05c](05c_explanation.ipynb) puts such pictures to the test.
#
# This is one training. With another random seed the row may look at the place far more often, and
# the place be known far better: change `seed` above, and run the cells from
# there on.

# %% [markdown] id="yours-text"
# ## Your turn
#
# Change the sentence and run the cell. The network knows few words; these you may use.
#
# - People: 민수 *Minsu*, 유나 *Yuna*, 소라 *Sora*, each with 는 (topic).
# - Things, with their particles: 책을 *book*, 소설을 *novel*, 편지를 *letter*.
# - Places, each with 에서 (in, at): 도서관 *library*, 공원 *park*, 카페 *cafe*.
# - Verbs: 읽었습니다 *read*, 썼습니다 *wrote*.
#
# The sentence says *Sora wrote a letter in the park*. What does the network write?

# %% id="yours"
mine = translator.translate("소라는 공원에서 편지를 썼습니다.", beam_size=1)
print(approx_text(mine.text))
draw(mine, "Your sentence")

# %% [markdown] id="yours-alt"
# <details><summary>The figure in words</summary>
#
# A heat map of the Korean sentence for "Sora wrote a letter in the park". The rows of "Sora",
# "wrote" and "letter" are dark at their Korean words. The network writes "in the library": the row
# of "in" is dark at the particle and that of "library" at the verb.
#
# </details>

# %% [markdown] id="yours-read"
# If it writes *library* where the sentence says *park*, you see the habit at work: the row of the
# place is dark at the verb, and in the training sentences nobody writes in the park. Try another
# verb, and predict the place before you run the cell.

# %% [markdown] id="map-text"
# ## Where this goes
#
# A network that reads word by word must squeeze a sentence into one list of numbers, and forgets.
# *Attention* lets it look back instead.
#
# **Reading**
#
# - [01 RNN](01_rnn.ipynb): how does a network read word by word, and how soon does it forget?
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
# - [08 Beam search](08_beam_search.ipynb): how is a good sentence found among too many to try?
# - [09 BLEU](09_bleu.ipynb): how good is a translation, in one number?
#
# **Together**
#
# - [10 A real translator](10_translator.ipynb): German to English, from raw text to a score.
# - [11 Toward the Transformer](11_transformer.ipynb): what is left when the network no longer reads
#   word by word?
#
# By the minutes that each file states at its top, that is about twelve hours of reading and
# fourteen of exercises. If you know recurrent networks, you can begin with 03; if you want the idea
# alone, read 04 and 05. [A](A_notation.ipynb) has every symbol and a glossary in English and
# Korean, [C](C_notes.ipynb) the notes from which the book grew, [D](D_papers.ipynb) the papers.

# %% [markdown] id="progress-text"
# ## What is done
#
# Every file ends with this list of all files: what is done in each, and how many minutes the
# remaining exercises take.

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A chapter is run from top to bottom, you may change everything in it, and an exercise never
#   stops it.
# - A network can learn where to look from whole sentences alone, and a heat map shows it.
# - A right word may be a guess: a probability says something only beside that of the best guess.
# - A column of the picture stands for more than its word.
#
# **Left out.** Everything that is inside the network: that is what the chapters are for.
#
# **Papers.** [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015), *Neural machine
# translation by jointly learning to align and translate* (its Figure 3 has such heat maps). The
# German captions are from [Elliott et al. 2016](D_papers.ipynb#cell-id=elliott-2016), *Multi30K*.
#
# **Next.** [Chapter 01](01_rnn.ipynb) builds the simplest network that reads word by word, and
# measures how fast it forgets.
