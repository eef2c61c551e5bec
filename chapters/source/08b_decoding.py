# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 08b · Sampling and the vote
#
# *What should a model write where many answers are right?*
#
# **You will learn to** draw text instead of searching for it, cut off a distribution's tail, and
# choose among samples by a vote.
#
# **What you need.** [08](08_beam_search.ipynb): a beam keeps k prefixes; the most probable output
# can be empty.
#
# **Time.** 17 minutes to read, 24 for exercises 8.5 and 8.6; 20 seconds to run.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures, search

torch.set_num_threads(1)
figures.use_style()

# %% id="first"
import textwrap

record = read_record("08_characters")
written = {way: [r for r in record["runs"] if r["variant"] == way] for way in record["variants"]}
for way in ("greedy", "beam", "t1", "p0.9"):
    print(f"{record['variants'][way]}:")
    example = written[way][0]["example"][:150].replace("\n", " / ")
    print(textwrap.indent(textwrap.fill(example + " …", 74), "    "), end="\n\n")

# %% [markdown] id="first-read"
# An LSTM like chapter 1's has learned Shakespeare by characters, has read 100 characters that it
# had not seen before, and continues them in four ways (recorded by `studies/character_sampling.py`;
# a slash is a new line). Search looks for probable text, and it goes in circles. Drawing each
# character (**sampling**, 샘플링) gives something that looks like a play.

# %% [markdown] id="degenerate-text"
# ## Probable text is dull
#
# This network continued 40 passages by 300 characters each. In the table, *repeated* is the share
# of runs of 12 characters that had occurred before in the same passage, *known words* the share of
# words that occur in the training text, and *bits per character* how much the text surprises a
# network trained from another seed. What percentage of greedy search's text is repetition?

# %% id="predict-repeated"
predict("08b.repeated", ...)


# %% id="degenerate"
def mean(way, what):
    """The mean over the passages that were continued in this way."""
    return sum(run[what] for run in written[way]) / len(written[way])


with reveal("08b.repeated", 100 * mean("greedy", "repeated"), within=10):
    print(f"{'':34} repeated  known words  bits per character")
    for way in ("human", "greedy", "beam", "t1", "t0.7", "k5", "p0.9"):
        shares = f"{mean(way, 'repeated'):8.0%} {mean(way, 'known words'):12.0%}"
        print(f"{record['variants'][way]:34} {shares} {mean(way, 'bits'):19.1f}")

# %% [markdown] id="degenerate-read"
# <details><summary>What it says</summary>
#
# More than half of what search writes, it has already written in the same passage; drawn text
# repeats almost nothing. Nor do people write what is most probable: Shakespeare's own lines
# surprise the other network nearly as much as draws at T = 1 do, and far more than what search
# writes. [Holtzman et al. 2020](D_papers.ipynb#cell-id=holtzman-2020) found the same in a large
# language model, and called it *neural text degeneration*.
#
# Sampling has the opposite fault. Of its words at T = 1 a fifth do not occur in the training text,
# of Shakespeare's own fewer than a tenth. A lower temperature, the five most probable characters
# and the nucleus all bring it near that, and none of the three is clearly ahead here.
#
# This is one network and one judge, both small: a better judge would probably find Shakespeare less
# surprising, and the misspelled samples more.
#
# </details>

# %% [markdown] id="sampling-text"
# ## Four ways to change a distribution before the draw
#
# A fair draw sometimes steps into the long tail of unlikely tokens, and cannot step back. Three
# fixes change the distribution first:
#
# - **temperature** (온도) $T$: $p^{1/T}$, normalized; $T < 1$ sharpens, $T \to 0$ is greedy search;
# - **top-k** ([Fan et al. 2018](D_papers.ipynb#cell-id=fan-2018)): only the k most probable tokens;
# - **nucleus** or **top-p** ([Holtzman et al. 2020](D_papers.ipynb#cell-id=holtzman-2020)): the
#   fewest tokens that together reach p.
#
# A fourth, the **repetition penalty** (반복 페널티), makes every token that was already written
# less probable; it treats the symptom of a search that goes in circles. Here are the names in this
# book and in `generate` of Hugging Face's `transformers` (version 5.24):
#
# | `attnlib.search` | `generate` | its default |
# |---|---|---|
# | k, `beam_size` | `num_beams` | 1, greedy search |
# | α with `penalty="power"`, $n^\alpha$ | `length_penalty` | 1, the mean per token |
# | `stop`: exact, current_length, k_finished | `early_stopping`: "never", False, True | False |
# | `sample_search`: `temperature`, `top_k`, `top_p` | the same, with `do_sample=True` | 1, 50, 1 |
# | none | `repetition_penalty` | 1, none |

# %% [markdown] id="ex-nucleus-text"
# ### Exercise 8.5 · The nucleus
# *Core, 12 minutes.* `probs` (N, V) are distributions. In each row keep the most probable tokens,
# in descending order, until they together reach `top_p`; the token that reaches it is the last one
# kept (of equal ones whichever you like). Set the rest to 0 and make each row a distribution again.
# Every token keeps its place.
#
# <details><summary>Hint 1</summary>
#
# `probs.sort(-1, descending=True)` gives the sorted values and their places.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A token is kept if the tokens *before* it have not yet reached top_p. What is the sum of those
# before, if `cumsum` counts the token itself?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `scatter` puts values back to their places: start from zeros like `probs`. Then each row is
# divided by its sum.
#
# </details>


# %% id="ex-nucleus" tags=["exercise"]
@exercise
def nucleus(probs, top_p):
    """The smallest set of tokens that reaches top_p, as distributions again. probs (N, V)."""
    raise NotImplementedError


# %% [markdown] id="filters-text"
# ### A flat distribution and a peaked one
#
# How many tokens does top-k with k = 5 keep of each, and the nucleus with p = 0.8?

# %% id="filters" tags=["hide-input"]
# cuts two distributions with your nucleus, and draws the figure
rank = torch.arange(1.0, 16.0)
shapes = torch.stack([rank**-0.4, rank**-2.5])
shapes = shapes / shapes.sum(1, keepdim=True)
top_five = shapes * (rank <= 5)
filtered = {
    "as it is": shapes,
    "temperature 0.5": shapes**2 / (shapes**2).sum(1, keepdim=True),
    "top-k, k = 5": top_five / top_five.sum(1, keepdim=True),
    "nucleus, p = 0.8": nucleus(shapes, 0.8),
}
fig, axes = plt.subplots(2, 4, figsize=(9, 4.4), sharex=True, sharey="row")
for column, (name, kept) in zip(axes.T, filtered.items()):
    for ax, row, shade in zip(column, kept, figures.PALETTE):
        ax.bar(rank, row, color=shade)
        ax.set_title(f"{int((row > 0).sum())} tokens", fontsize=10)
    column[0].set_title(f"{name}\n{column[0].get_title()}", fontsize=10)
    column[1].set_xlabel("rank of the token")
axes[0, 0].set_ylabel("flat:\nprobability")
axes[1, 0].set_ylabel("peaked:\nprobability")
fig.suptitle("Figure 1. Two distributions of 15 tokens, before the draw")
plt.show()

# %% [markdown] id="filters-alt"
# <details><summary>The figure in words</summary>
#
# Eight bar charts of 15 tokens, a flat distribution above and a peaked one below. Temperature makes
# both steeper and removes nothing. Top-k leaves five bars in each. The nucleus leaves eleven of the
# flat one and only two of the peaked one.
#
# </details>

# %% [markdown] id="filters-read"
# Temperature removes nothing. Top-k keeps five tokens, whether the model is sure or not; the
# nucleus keeps eleven of the flat distribution and two of the peaked one.

# %% [markdown] id="translation-text"
# ## In translation, few answers are right
#
# Chapter 8's German translator samples the caption *Two women are drinking coffee in the park*:

# %% id="captions-translator" tags=["hide-input"]
# loads the translator of captions, and draws from it
from attnlib.data import EOS, bundled_directory, pad
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")


def samples_of(text, samples=32, seed=1, **options):
    """Translations drawn from the translator of captions, as text."""
    numbers = german.src_vocabulary.encode(text)
    src, mask = pad([[*numbers, EOS]])
    with torch.no_grad():
        memory = german.model.encode(src, mask)
    options |= {"generator": torch.Generator().manual_seed(seed), "samples": samples}
    begin = memory, german.model.decoder.start(memory)
    longest = 2 * len(numbers) + 12
    [drawn] = search.sample_search(german.model.step, *begin, max_length=longest, **options)
    return [german.tgt_vocabulary.decode(one.tokens) for one in drawn]


# %% id="temperatures"
park = "Zwei Frauen trinken im Park Kaffee."
for how in ({"temperature": 0.2}, {"temperature": 1.0}, {"top_p": 0.8}):
    print(", ".join(f"{name} {value}" for name, value in how.items()))
    for text in samples_of(park, 4, **how):
        print("   ", approx_text(text, indent=6))

# %% [markdown] id="temperatures-read"
# At T = 0.2 it writes the same sentence four times. Fair draws at T = 1 can fall into fragments of
# words, and even into German, because the two languages share one vocabulary, and because label
# smoothing in training left a tenth of the probability to all tokens; the nucleus cuts most of that
# off. A single fair sample is a poor translation. What can be done with many?

# %% [markdown] id="risk-text"
# ## The answer that the others agree with
#
# Draw N translations. Each is a guess at what a person might have written. Choose the one that is,
# on average, most similar to all of them:
#
# $$\hat y = \arg\max_{y} \ \frac1N \sum_{j=1}^{N} u(y, y_j), \qquad y_j \sim P(Y \mid x)$$
#
# ($y$ runs through the same samples.) The **utility** $u$ (효용) says how good $y$ is where $y_j$
# is right. This is **minimum Bayes risk** decoding (최소 베이즈 위험), **MBR** ([Kumar and Byrne
# 2004](D_papers.ipynb#cell-id=kumar-2004)). [Eikema and Aziz
# (2020)](D_papers.ipynb#cell-id=eikema-2020) propose it with samples: these can be good on the
# whole where the single most probable output is not.

# %% [markdown] id="ex-least-risk-text"
# ### Exercise 8.6 · Least risk
# *Core, 12 minutes.* `candidates` and `voters` are lists of texts (for MBR with samples both are
# the same list). `utility(y, other)` is a number, how good `y` is where `other` is right; it may be
# negative, and need not be symmetric. Return the candidate with the highest mean utility over all
# voters, and that mean. A text that was drawn three times votes three times, and a candidate that
# is among the voters votes for itself.
#
# <details><summary>Hint 1</summary>
#
# For one candidate y: the sum of utility(y, other) over all voters, divided by their number.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Which of the two arguments of `utility` does the candidate take? Do not make a set of the voters:
# their number is their probability.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Go through the candidates, keep the best mean so far and its text. (For speed, a Counter of the
# voters lets you compare equal ones once.)
#
# </details>


# %% id="ex-least-risk" tags=["exercise"]
@exercise
def least_risk(candidates, voters, utility):
    """The candidate that all voters are, on average, closest to, and that mean utility."""
    raise NotImplementedError


# %% [markdown] id="risk-use-text"
# ### The vote, on two captions
#
# The utility is chrF, which compares texts by the runs of characters that they share (chapter 9).
# The captions are chapter 8's: the fisherman, for whom the most probable translation is empty, and
# the worker, whose is *A worker.*

# %% id="risk"
from attnlib.metrics import sentence_bleu, sentence_chrf

fisherman = "Ein Fischer flickt am Hafen sein Netz, neben ihm schläft eine Katze."
worker = (
    "Ein Arbeiter mit Helm sitzt auf einem Stahlträger hoch über der Stadt "
    "und isst sein Mittagessen."
)
votes = {}
for text in (fisherman, worker):
    texts = samples_of(text, temperature=0.6)
    chosen, closeness = least_risk(texts, texts, sentence_chrf)
    votes[text] = len(set(texts)), closeness
    print(
        f"of ≈{votes[text][0]} different translations, "
        f"chrF ≈{closeness:.0f} on average: {approx_text(chosen)}"
    )

# %% [markdown] id="risk-read"
# The winner is the sample closest to the others; what only one sample says has little chance. But
# what many get wrong stays: *dock his net*. How good is it? Take 250 validation captions and 32
# samples of each at T = 1 (recorded, this translator). Which has the higher BLEU: (a) the *most
# probable* of the 32, or (b) the winner of the vote?

# %% id="predict-risk"
predict("08b.risk", ..., choices="ab")

# %% id="risk-recorded" tags=["hide-input"]
# prints the recorded runs
rows = {run["part"]: run["rows"] for run in read_record("08_multi30k")["runs"]}
of_ways = {"one sample": [], "most probable": [], "vote by chrf": [], "vote by bleu": []}
for row in rows["samples"]:  # at T = 0.3, 0.7 and 1
    voted = {r["utility"]: r["bleu"] for r in row["least risk"] if r["candidates"] == 32}
    of_ways["one sample"].append(sum(s["bleu"] for s in row["single"]) / len(row["single"]))
    of_ways["most probable"].append(row["most probable"]["bleu"])
    for utility, score in voted.items():
        of_ways[f"vote by {utility}"].append(score)
for way, found in (("greedy", (1, "gnmt")), ("beam 5", (5, "power"))):  # power: per token
    of_ways[way] = [r["bleu"] for r in rows["widths"] if (r["k"], r["penalty"]) == found]
trained = [run["rows"] for run in read_record("08_vote")["runs"]]
better = "a" if of_ways["most probable"][-1] > of_ways["vote by chrf"][-1] else "b"
with reveal("08b.risk", better):
    print("32 samples      this translator, BLEU    three other translators, T = 1")
    print("per caption     T = 0.3    0.7      1         BLEU       chrF      words per caption")
    for way, scores in of_ways.items():
        name = way.replace("chrf", "chrF").replace("bleu", "BLEU")
        line = name.ljust(16) + "".join(f"{score:7.1f}" for score in scores)
        for measure, width in (("bleu", 42), ("chrf", 54), ("words", 66)):
            three = [translator[way][measure] for translator in trained]
            line = line.ljust(width) + f"{min(three):.1f}–{max(three):.1f}"
        print(line)

# %% [markdown] id="risk-recorded-read"
# <details><summary>What it says</summary>
#
# **Against the most probable.** At T = 1 a single sample is worth 24 BLEU, the most probable of 32
# far more, the winner of a vote still more. In the other three translators that is true of the vote
# by BLEU, which is also the judge; in BLEU the vote by chrF is no better than the most probable.
# (That one is short: choosing by probability favors short texts even without a beam. Ranked per
# token it might do better; that was not tried.)
#
# **Against search.** No vote is ahead of a beam of 5, ranked by the mean per token. At T = 1 none
# is ahead even of greedy search, and in the other three translators the vote by chrF is behind both
# in chrF itself. Here search is better, and costs a fraction of 32 samples and 1,024 comparisons.
# With metrics trained on human judgments as utilities, people preferred the vote to the beam
# ([Fernandes et al. 2022](D_papers.ipynb#cell-id=fernandes-2022)).
#
# </details>
#
# ## The utility sets the length
#
# From the same samples, the vote by BLEU writes less than the vote by chrF. Why? A guess: chrF
# weights recall, how much of the *other* text you have, more than precision, how much of *yours* is
# right; BLEU consists of precisions, held in check by a penalty for brevity (chapter 9). Does the
# weight of recall set the length? Let us change it. Of the words that two texts share, let $P$ be
# the share of $y$'s words, $R$ that of the other's words, and
#
# $$u_\beta = \frac{(1 + \beta^2) \, P R}{\beta^2 P + R}.$$
#
# With a small β precision decides, with a large β recall. The samples of eight captions stay the
# same:

# %% id="captions" tags=["hide-input"]
# eight captions, and 32 samples of each
captions = [
    fisherman,
    worker,
    "Ein alter Mann füttert im Park die Tauben.",
    "Eine Ärztin untersucht ein Kind.",
    "Ein Straßenmusiker spielt Akkordeon vor einem Café.",
    "Ein Mädchen in einem gelben Regenmantel springt in eine Pfütze, und ihre Mutter lacht.",
    "Eine Band spielt auf einer kleinen Bühne, und das Publikum hält Handys in die Luft.",
    "Drei Männer tragen ein Klavier die Treppe hinauf.",
]
crowds = [samples_of(text) for text in captions]

# %% id="taste"
from collections import Counter


def shared_words(beta):
    def utility(y, other):
        mine, theirs = Counter(y.split()), Counter(other.split())
        same = (mine & theirs).total()
        if not same:
            return 0.0
        P, R = same / mine.total(), same / theirs.total()
        return (1 + beta**2) * P * R / (beta**2 * P + R)

    return utility


lengths = {}
utilities = {f"β = {beta:g}": shared_words(beta) for beta in (0.25, 1.0, 4.0)}
utilities |= {"BLEU": lambda y, other: sentence_bleu(y, other).score, "chrF": sentence_chrf}
for name, utility in utilities.items():
    winners = [least_risk(texts, texts, utility)[0] for texts in crowds]
    lengths[name] = sum(len(text.split()) for text in winners) / len(winners)
    print(f"vote by {name:8} ≈{lengths[name]:.1f} words per caption")

# %% [markdown] id="taste-read"
# The length follows β: the more recall counts, the more the winner writes. A vote has the length
# that its utility rewards, as a beam has the length that its penalty rewards.
#
# <details><summary>Can the empty text win a vote?</summary>
#
# A text that shares nothing with the others, like the empty one, cannot win by these utilities; by
# one that gives 1 for equality and 0 otherwise, the vote would choose the most frequent sample,
# empty or not.
#
# </details>
#
# ### Open experiment: a better vote
#
# *30 minutes, no check.* Can a vote beat the beam? Change **one thing at a time**: the temperature
# of `samples_of`, how many samples, a nucleus, a utility of your own. Write down first what you
# expect, and translate the eight captions yourself, so that you can measure BLEU.
#
# <details><summary>What a convincing report has</summary>
#
# | a report that convinces | |
# |---|---|
# | prediction | a number, written before the run, with a reason |
# | one change | everything else as in the run before |
# | spread | at least three seeds of the sampler; the spread is shown |
# | beside it | greedy search, a beam, and the length of the translations |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Where many continuations are right, greedy search and a beam go in circles. Sampling does not; a
#   lower temperature, top-k or a nucleus makes unknown words rarer.
# - Of many samples, the vote chooses the one that the others agree with. In translation, by BLEU or
#   chrF, it was not ahead of a beam.
# - Its length is what the utility rewards.
#
# **Left out.** Beams made to differ from each other, outputs that must contain given words, and
# *speculative decoding*, in which a small model writes drafts.
#
# <details><summary>Papers</summary>
#
# [Fan et al. 2018](D_papers.ipynb#cell-id=fan-2018) (top-k); [Holtzman et al.
# 2020](D_papers.ipynb#cell-id=holtzman-2020) (nucleus); [Kumar and Byrne
# 2004](D_papers.ipynb#cell-id=kumar-2004) and [Eikema and Aziz
# 2020](D_papers.ipynb#cell-id=eikema-2020) (MBR); [Fernandes et al.
# 2022](D_papers.ipynb#cell-id=fernandes-2022) (MBR with learned utilities).
#
# </details>
#
# **Next.** [Chapter 9](09_bleu.ipynb) opens the number that this chapter took on trust: BLEU.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# The vote, on two captions
for different, closeness in votes.values():
    check_range(different, 2, 32)
    check_range(closeness, 30, 100)
for rows in trained:
    for measure in ("bleu", "chrf"):
        votes_of = [rows[f"vote by {utility}"][measure] for utility in ("bleu", "chrf")]
        assert rows["one sample"][measure] < max(votes_of) < rows["greedy"][measure]
        assert rows["greedy"][measure] < rows["beam 5"][measure]
    assert rows["vote by bleu"]["words"] < rows["vote by chrf"]["words"]

# The utility sets the length
assert lengths["β = 0.25"] < lengths["β = 1"] < lengths["β = 4"]
assert lengths["BLEU"] < lengths["chrF"]
