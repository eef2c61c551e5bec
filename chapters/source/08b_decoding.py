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
# *What should a model write when many answers are right?*
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
written = {}  # of each way to continue, its runs
for way in record["variants"]:
    written[way] = [run for run in record["runs"] if run["variant"] == way]
for way in ("greedy", "beam", "t1", "p0.9"):
    print(f"{record['variants'][way]}:")
    example = written[way][0]["example"][:150].replace("\n", " / ")
    print(textwrap.indent(textwrap.fill(example + " …", 74), "    "), end="\n\n")

# %% [markdown] id="first-read"
# An LSTM like chapter 1's has learned Shakespeare by characters, has read 100 characters that it
# had not seen before, and continues them in four ways (recorded by `studies/character_sampling.py`;
# a slash is a new line). Search looks for probable text, and goes in circles. Drawing each
# character (**sampling**, 샘플링) gives something that looks like a play.

# %% [markdown] id="degenerate-text"
# ## Probable text is dull
#
# This network continued 40 passages by 300 characters each. In the table, *repeated* is the share
# of runs of 12 characters that occurred before in the same passage, *known words* the share of
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
# More than half of what search writes repeats what it wrote earlier in the same passage; drawn text
# repeats almost nothing. Nor do people write what is most probable: Shakespeare's own lines
# surprise the other network nearly as much as draws at T = 1 do, and far more than what search
# writes. [Holtzman et al. 2020](D_papers.ipynb#cell-id=holtzman-2020) found the same in a large
# language model, and called it *neural text degeneration*.
#
# Sampling has a different fault. Of its words at T = 1, one fifth do not occur in the training
# text; of Shakespeare's own, fewer than one tenth. A lower temperature, the five most probable
# characters and the nucleus all bring it near that, and none of the three is clearly ahead here.
#
# One small network wrote, and another was surprised: a better second one would probably find
# Shakespeare less surprising, and the misspelled samples more.
#
# </details>

# %% [markdown] id="sampling-text"
# ## Four ways to change a distribution before the draw
#
# A fair draw sometimes picks a token from the long tail of unlikely ones, and cannot take it back.
# Three fixes change the distribution first:
#
# - **temperature** (온도) $T$: $p^{1/T}$, normalized; $T < 1$ sharpens, $T \to 0$ is greedy search;
# - **top-k** ([Fan et al. 2018](D_papers.ipynb#cell-id=fan-2018)): keep only the k most probable
#   tokens;
# - **nucleus** or **top-p** ([Holtzman et al. 2020](D_papers.ipynb#cell-id=holtzman-2020)): keep
#   the fewest tokens that together reach p.
#
# A fourth, the **repetition penalty** (반복 페널티), makes every token already written less
# probable; it treats only the symptom of a search that goes in circles. Here are the names in this
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
# kept (among equals, whichever you like). Set the rest to 0 and make each row a distribution again.
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
# A token is kept if the tokens *before* it have not yet reached top_p. What is their sum, if
# `cumsum` counts the token itself?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# `scatter` puts values back in their places: start from zeros like `probs`. Then divide each row by
# its sum.
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
squared = shapes**2
top_five = shapes * (rank <= 5)
filtered = {
    "as it is": shapes,
    "temperature 0.5": squared / squared.sum(1, keepdim=True),
    "top-k, k = 5": top_five / top_five.sum(1, keepdim=True),
    "nucleus, p = 0.8": nucleus(shapes, 0.8),
}
fig, axes = plt.subplots(2, 4, figsize=(9, 4.4), sharex=True, sharey="row")
for column, (name, kept) in enumerate(filtered.items()):
    for which in (0, 1):  # the flat distribution above, the peaked one below
        ax = axes[which, column]
        ax.bar(rank, kept[which], color=figures.PALETTE[which])
        title = f"{int((kept[which] > 0).sum())} tokens"
        if which == 0:
            title = f"{name}\n{title}"
        ax.set_title(title, fontsize=10)
    axes[1, column].set_xlabel("rank of the token")
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
        state = german.model.decoder.start(memory)
    [drawn] = search.sample_search(
        german.model.step,
        memory,
        state,
        max_length=2 * len(numbers) + 12,
        samples=samples,
        generator=torch.Generator().manual_seed(seed),
        **options,  # temperature, top_k, top_p
    )
    return [german.tgt_vocabulary.decode(one.tokens) for one in drawn]


# %% id="temperatures"
park = "Zwei Frauen trinken im Park Kaffee."
settings = {
    "T = 0.2": {"temperature": 0.2},
    "T = 1": {"temperature": 1.0},
    "nucleus, p = 0.8": {"top_p": 0.8},
}
for name, options in settings.items():
    print(name)
    for text in samples_of(park, 4, **options):
        print("   ", approx_text(text, indent=6))

# %% [markdown] id="temperatures-read"
# At T = 0.2 it writes the same sentence four times. Fair draws at T = 1 can fall into fragments of
# words, and even into German: the two languages share one vocabulary, and label smoothing in
# training gave one tenth of the probability to all tokens. The nucleus cuts most of that off. A
# single fair sample can be a poor translation. What can be done with many?

# %% [markdown] id="risk-text"
# ## The answer that the others agree with
#
# Draw N translations. Each is a guess at what a person might have written. Choose the one that is,
# on average, most similar to all of them:
#
# $$\hat y = \arg\max_{y} \ \frac1N \sum_{j=1}^{N} u(y, y_j), \qquad y_j \sim P(Y \mid x)$$
#
# ($y$ runs through the same samples.) The **utility** $u$ (효용) says how good $y$ is if $y_j$ is
# right. A metric such as BLEU can be the utility: then it compares samples with samples, to choose;
# as a judge, it compares the choice with a reference. This choice is **minimum Bayes risk**
# decoding (최소 베이즈 위험), **MBR** ([Kumar and Byrne 2004](D_papers.ipynb#cell-id=kumar-2004)).
# [Eikema and Aziz (2020)](D_papers.ipynb#cell-id=eikema-2020) propose it with samples: these can be
# good on the whole when the single most probable output is not.

# %% [markdown] id="ex-least-risk-text"
# ### Exercise 8.6 · Least risk
# *Core, 12 minutes.* `candidates` and `voters` are lists of texts (for MBR with samples both are
# the same list). `utility(y, other)` is a number, how good `y` is if `other` is right; it can be
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
votes = []
for text in (fisherman, worker):
    texts = samples_of(text, temperature=0.6)
    chosen, closeness = least_risk(texts, texts, sentence_chrf)
    different = len(set(texts))
    votes.append((different, closeness))
    print(
        f"≈{different} different translations of 32; chosen, with a mean chrF of ≈{closeness:.0f}:"
    )
    print("   ", approx_text(chosen, indent=6))

# %% [markdown] id="risk-read"
# The winner is the sample closest to the others. What only one sample says has little chance, but
# what many get wrong stays: *dock his net*. How good is the vote? Take 250 validation captions and
# 32 samples of each at T = 1 (recorded, this translator). Which has the higher BLEU: (a) the *most
# probable* of the 32, or (b) the winner of the vote by chrF?

# %% id="predict-risk"
predict("08b.risk", ..., choices="ab")

# %% id="risk-recorded" tags=["hide-input"]
# prints the recorded runs
rows = {run["part"]: run["rows"] for run in read_record("08_multi30k")["runs"]}
of_ways = {"one sample": [], "most probable": [], "vote by chrF": [], "vote by BLEU": []}
for row in rows["samples"]:  # at T = 0.3, 0.7 and 1
    singles = [one["bleu"] for one in row["single"]]
    of_ways["one sample"].append(sum(singles) / len(singles))
    of_ways["most probable"].append(row["most probable"]["bleu"])
    for vote in row["least risk"]:
        name = "vote by BLEU" if vote["utility"] == "bleu" else "vote by chrF"
        if vote["candidates"] == 32:
            of_ways[name].append(vote["bleu"])
for row in rows["widths"]:
    if row["k"] == 1:
        of_ways["greedy"] = [row["bleu"]]
    elif row["k"] == 5 and row["penalty"] == "power":  # log P per token
        of_ways["beam 5"] = [row["bleu"]]
trained = [run["rows"] for run in read_record("08_vote")["runs"]]
better = "a" if of_ways["most probable"][-1] > of_ways["vote by chrF"][-1] else "b"
with reveal("08b.risk", better):
    print("BLEU of this translator, at  T = 0.3     0.7       1")
    for name, scores in of_ways.items():
        print(f"{name:28}" + "".join(f"{score:8.1f}" for score in scores))
    print()
    print("three other translators, T = 1      BLEU          chrF       words per caption")
    for name in of_ways:
        line = f"{name:32}"
        for measure in ("bleu", "chrf", "words"):
            three = [translator[name.lower()][measure] for translator in trained]
            line += f"{min(three):.1f}–{max(three):.1f}".ljust(14)
        print(line.rstrip())

# %% [markdown] id="risk-recorded-read"
# <details><summary>What it says</summary>
#
# **Against the most probable.** At T = 1 a single sample scores 24 BLEU, the most probable of 32
# far more, the winner of a vote still more. In the other three translators that is true of the vote
# by BLEU, which has an advantage: its utility is also the measure. There the vote by chrF is no
# better in BLEU than the most probable, but better in chrF. (The most probable is short: choosing
# by probability favors short texts even without a beam. Ranking per token was not tried.)
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
# weight of recall set the length? We change only this weight. Let $P$ be the share of $y$'s words
# that the other text also has, $R$ the share of the other's words that $y$ has, and
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
    """The utility u of this β."""

    def utility(y, other):
        mine = Counter(y.split())
        theirs = Counter(other.split())
        same = (mine & theirs).total()
        if same == 0:
            return 0.0
        P = same / mine.total()
        R = same / theirs.total()
        return (1 + beta**2) * P * R / (beta**2 * P + R)

    return utility


def bleu(y, other):
    return sentence_bleu(y, other).score


utilities = {
    "β = 0.25": shared_words(0.25),
    "β = 1": shared_words(1),
    "β = 4": shared_words(4),
    "BLEU": bleu,
    "chrF": sentence_chrf,
}
lengths = {}  # of the winners, in words
for name, utility in utilities.items():
    total = 0
    for texts in crowds:
        winner, _ = least_risk(texts, texts, utility)
        total += len(winner.split())
    lengths[name] = total / len(crowds)
    print(f"vote by {name:8} ≈{lengths[name]:.1f} words per caption")

# %% [markdown] id="taste-read"
# On these eight captions, the more recall counts, the more the winner writes. A vote has the length
# that its utility rewards, as a beam has the length that its penalty rewards.
#
# <details><summary>Can the empty text win a vote?</summary>
#
# A text that shares nothing with the others, like the empty one, cannot win by these utilities. By
# a utility of 1 for equality and 0 otherwise, the most frequent sample wins, empty or not.
#
# </details>
#
# ### Open experiment: a better vote
#
# *30 minutes, no check.* Can a vote beat the beam? Change **one thing at a time**: the temperature
# of `samples_of`, the number of samples, a nucleus, a new utility. Write down first what you
# expect, and translate the eight captions yourself, so that you can measure BLEU.
#
# <details><summary>What a convincing report has</summary>
#
# | a report that convinces | |
# |---|---|
# | prediction | a number, written before the run, with a reason |
# | one change | everything else as in the run before |
# | spread | at least three seeds of the sampler; the spread is shown |
# | compared with | greedy search, a beam, and the length of the translations |
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
# - Where many continuations are right, greedy search and a beam went in circles. Sampling did not;
#   a lower temperature, top-k or a nucleus made unknown words rarer.
# - Of many samples, the vote chooses the one most similar to the others. In translation, by BLEU or
#   chrF, it was not ahead of a beam.
# - On eight captions, the utility set the mean length of the winners.
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
for different, closeness in votes:
    check_range(different, 2, 32)
    check_range(closeness, 30, 100)

# The same section, three other translators
for ways in trained:
    for measure in ("bleu", "chrf"):
        sample = ways["one sample"][measure]
        by_bleu = ways["vote by bleu"][measure]
        by_chrf = ways["vote by chrf"][measure]
        greedy = ways["greedy"][measure]
        assert sample < max(by_bleu, by_chrf) < greedy < ways["beam 5"][measure]
    assert ways["vote by bleu"]["words"] < ways["vote by chrf"]["words"]

# The utility sets the length
assert lengths["β = 0.25"] < lengths["β = 1"] < lengths["β = 4"]
assert lengths["BLEU"] < lengths["chrF"]
