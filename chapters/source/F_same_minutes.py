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
# # Better for the same minutes
#
# What else was tried to raise the score of chapter 10's translator: the other rows of the table in
# [10b](10b_inside.ipynb#cell-id=ladder-text), ensembles, distillation, averaged weights. All of it
# is recorded (programs in `studies/`); only the averaging runs here.
#
# **How a conclusion is drawn.** Two trainings of one model differ by chance, by half a point of
# BLEU and more. So each number has a 95 % interval of that chance (not of the sentences, which are
# the same for all), and a sentence concludes only what validation split *and* test split show.
# Nothing was chosen on the test split.
#
# **What you need.** [10](10_translator.ipynb) and [10b](10b_inside.ipynb). 11 minutes to read, half
# a minute to run.

# %% id="setup" tags=["setup"]
# set-up
import torch

from attnbook import check_range, read_record

torch.set_num_threads(1)

# %% id="quick" tags=["hide-input"]
# collects the recorded trainings of two presets
SPLITS = ("valid", "test")
SEARCHES = ("greedy", "beam 5")
ladder = read_record("10_ladder")["runs"]
trainings = {}  # of the preset "quick": each once, though several records hold it
for name in ("10_models", "10_quick", "10_multi30k", "10_ladder"):
    for run in read_record(name)["runs"]:
        named = run.get("preset", run.get("variant")), run.get("model", "general")
        if named == ("quick", "general"):
            known = run["seed"], run["bleu"]["valid beam 5"]
            trainings.setdefault(known, run)
quick = list(trainings.values())
full = [
    run["bleu"] for run in read_record("10_multi30k")["runs"] if run["preset"] == "full"
]
print(f"trainings of quick: {len(quick)}")

# %% [markdown] id="ladder-text"
# ## The other rows
#
# Each row is the model of chapter 10 after 1,800 updates with one change (in some rows two, as they
# say), in three trainings; "quick" has eight. *Embeddings × 4* is their learning rate; *read times
# 4* multiplies them where they are read. *Muon of 4* keeps Muon's directions for four updates.
# **R-Drop** ([Liang et al. 2021](D_papers.ipynb#cell-id=liang-2021)) sends each sentence through
# the model twice, with different dropout, and asks that both answers agree. **BPE-dropout**
# ([Provilkov et al. 2020](D_papers.ipynb#cell-id=provilkov-2020)) leaves out merges at random, so
# that the model sees the same word split in several ways. Row (a) of 10b, whose trainings lie
# fourteen points apart, is left out.

# %% id="ladder" tags=["hide-input"]
# prints the table
import math
import statistics

NAMES = {
    "tables x 0.5": "embeddings × 0.5",
    "tables x 2.0": "embeddings × 2",
    "tables x 4.0": "embeddings × 4",
    "tables x 16": "embeddings × 16",
    "read times 4": "embeddings read times 4",
    "rest slower": "half the rate, embeddings × 24",
    "counted": "embeddings start from co-occurrence",
    "dropout .1": "dropout 0.1",
    "dropout .2": "dropout 0.2",
    "Muon of 4": "Muon of 4, dropout 0.1",
    "8,000 pieces": "8,000 subwords, 1,200 updates",
    "2,000 pieces": "2,000 subwords",
    "twice as long": "3,600 updates, dropout 0.2",
    "R-Drop": "R-Drop, half the sentences per batch",
    "two layers": "two layers, 1,100 updates",
    "two layers, slower": "two layers, half rate, 1,100 updates",
}
rows = {}
for run in ladder:
    if not run["variant"].startswith("full") and run["variant"] != "quick, distilled":
        rows.setdefault(run["variant"], []).append(run)
rows["quick"] = quick
of_row = {
    name: {split: [run["bleu"][f"{split} beam 5"] for run in runs] for split in SPLITS}
    for name, runs in rows.items()
}
UNSTEADY = "before, all faster"  # its trainings lie fourteen points apart


def pooled(split):
    """The standard deviation of trainings of one row, pooled; not the unsteady one."""
    lists = [scores[split] for name, scores in of_row.items() if name != UNSTEADY]
    free = sum(len(x) - 1 for x in lists)
    return math.sqrt(
        sum(statistics.variance(x) * (len(x) - 1) for x in lists) / free
    ), free


sigma = {split: pooled(split)[0] for split in SPLITS}


def difference(name, base, split):
    """Mean minus mean, and half of its 95 % interval (2.01: t of 49 degrees)."""
    x, y = of_row[name][split], of_row[base][split]
    half = 2.01 * sigma[split] * math.sqrt(1 / len(x) + 1 / len(y))
    return statistics.mean(x) - statistics.mean(y), half


both = {}  # rows whose interval leaves 0 out on both splits
for base in ("before", "quick"):
    print(f"minus {base:38}validation           test")
    found = [name for name in rows if name.startswith(base + ",") and name != UNSTEADY]
    for name in sorted(found, key=lambda name: -difference(name, base, "valid")[0]):
        told = [difference(name, base, split) for split in SPLITS]
        if all(abs(gain) > half for gain, half in told):
            both[name] = told[0][0] > 0
        short = name.removeprefix(base + ", ")
        cells = "     ".join(f"{gain:+6.1f} ± {half:.1f}" for gain, half in told)
        row = f"    {NAMES.get(short, short):38}{cells}   {'both' * (name in both)}"
        print(row.rstrip())
print(
    f"standard deviation of trainings: {sigma['valid']:.2f}, {sigma['test']:.2f}, from "
    f"{pooled('test')[1]} degrees of freedom"
)

# %% id="ladder-check" tags=["check"]
# checks what the text says
assert len(quick) == 8
assert not [
    name for name, better in both.items() if better and name.startswith("quick")
]
of_quick = {name.removeprefix("quick, ") for name in both if name.startswith("quick")}
assert of_quick == {
    "tables x 16",
    "2,000 pieces",
    "R-Drop",
    "BPE-dropout",
    "two layers",
    "two layers, slower",
}
better_than_before = {
    name.removeprefix("before, ") for name, better in both.items() if better
}
assert better_than_before == {"tables x 2.0", "tables x 4.0", "Muon", "Muon of 4"}

# %% [markdown] id="ladder-read"
# *Nothing is ahead of "quick" on both splits.* Twice the updates (with more dropout) is ahead on
# the validation split alone. Five changes are behind on both: embeddings at sixteen times the rate,
# half as many subwords, R-Drop, BPE-dropout, and a second layer (at either rate). R-Drop and
# BPE-dropout were made for longer trainings: this is no verdict on them.
#
# Among some twenty comparisons one or two intervals leave out 0 by chance. Those that do so on both
# splits by more than a point are hardly among them; of the smallest one may doubt it.

# %% [markdown] id="student-text"
# ## Several models together, and one small model
#
# In an **ensemble** several translators, trained alike from different seeds, each give every next
# subword a probability, and the mean decides (`attnlib.search.ensemble`). They make different
# mistakes, so the mean makes fewer. It takes as long as all of them one after the other.
#
# **Sequence-level distillation** ([Kim and Rush 2016](D_papers.ipynb#cell-id=kim-2016)) puts that
# into one model: the teachers translate the *training* sentences together, and a student is trained
# on their translations. Of the five hypotheses of a beam the one most like the human translation is
# kept, which Kim and Rush call sequence-level *interpolation*.
#
# Two students were made so (`studies/distil.py`). The small one comes with the book; its targets
# are by two models of the preset "full" and one that was trained for 6,000 updates. The other has
# the size of "full", and four full models taught it. Where would one more ordinary training of
# "full" lie? Seven of them give the 95 % interval of an eighth.

# %% id="student" tags=["hide-input"]
# prints the table
small = {run["variant"]: run for run in read_record("10_student")["runs"]}
grown = {run["variant"]: run for run in read_record("10_best")["runs"]}
ordinary = full + list(grown["ensemble"]["members"].values())
MEASURES = [f"{split} {search}" for split in SPLITS for search in SEARCHES]


def one_more(runs, measure):
    """The 95 % interval of another training, from those that there are."""
    scores = [run[measure] for run in runs]
    t_value = {6: 2.571, 7: 2.447}[len(scores)]
    half = t_value * statistics.stdev(scores) * math.sqrt(1 + 1 / len(scores))
    return statistics.mean(scores) - half, statistics.mean(scores) + half


def table(label, runs, systems):
    """Print the interval of one more training; systems above it get a star."""
    print(f"{'':32}{'validation':22}test")
    print(f"{'recorded BLEU':32}greedy     beam 5     greedy     beam 5")
    limits = {measure: one_more(runs, measure) for measure in MEASURES}
    spans = "  ".join(f"{low:.1f}–{high:.1f}" for low, high in limits.values())
    print(f"{label:32}{spans}")
    above = {}
    for name, bleu in systems.items():
        above[name] = [bleu[measure] > limits[measure][1] for measure in MEASURES]
        cells = [
            f"{bleu[m]:.1f}{' *' * star}" for m, star in zip(MEASURES, above[name])
        ]
        print(f"{name:32}" + "".join(f"{cell:11}" for cell in cells).rstrip())
    print("* above the interval")
    return above


above = table(
    "one more training of full",
    ordinary,
    {
        "three full and a shorter one": small["ensemble"]["bleu"],
        "four full ones together": grown["ensemble"]["bleu"],
        "student, 3.0 million": small["student"]["bleu"],
        "student of full size": grown["best"]["bleu"],
    },
)
print(
    f"full: {grown['best']['parameters'] / 1e6:.1f} million parameters, "
    f"{len(ordinary)} trainings"
)
seconds = [
    small[name]["bleu"]["test beam 5, processor seconds"]
    for name in ("ensemble", "student")
]
print(
    f"time of the 1,000 test sentences, beam 5: {seconds[0]:.0f} s four together, "
    f"{seconds[1]:.0f} s the small student"
)

# %% id="student-check" tags=["check"]
# checks what the text says
assert len(ordinary) == 7
assert all(all(stars) for name, stars in above.items() if "together" in name)
for name in ("student, 3.0 million", "student of full size"):
    assert above[name][:2] == [True, True] and above[name][2:] == [False, False]
    bleu = {
        "student, 3.0 million": small["student"],
        "student of full size": grown["best"],
    }[name]
    lows = [one_more(ordinary, measure)[0] for measure in MEASURES]
    assert all(bleu["bleu"][m] > low for m, low in zip(MEASURES, lows))

# %% [markdown] id="student-read"
# - *The ensembles are above any single training*, on both splits and with both searches, at four
#   times the price of translating.
# - *A student is as good as one of its teachers*: above the interval on the validation split,
#   inside it on the test split. The small one reaches that with 3.0 million parameters in place of
#   4.8.
# - Whether a student is *better* than a teacher, and a larger one better than a small one, these
#   two cannot say: each is one training, and the splits disagree.
#
# How can a student be as good as its teachers? Its targets were written by several of them
# together, with a beam, and chosen for their likeness to what people wrote. And they are *easier*:
# a machine translates the same phrase alike where people vary, as [Zhou et al.
# (2020)](D_papers.ipynb#cell-id=zhou-2020) measured. Kim and Rush found that a student hardly needs
# a beam; here a beam still gains it a point.

# %% [markdown] id="renumber-text"
# ## The mean of the weights
#
# An ensemble takes the mean of what its models *predict*, and pays for all of them. Could one take
# the mean of their *weights*, and pay for one?
#
# A thought experiment. Take the small student and permute the numbers of every embedding, in the
# same way for all subwords, and with them the columns of the matrices that read an embedding and
# the rows of the one that makes $\tilde s_t$. Every sum has the same terms as before, so the
# permuted model writes what the first writes. Will the mean of the two, weight by weight, be a
# translator, too?


# %% id="renumber"
import copy


@torch.no_grad()
def permuted(model, order):
    """The same translator, the numbers of its embeddings in another order."""
    other = copy.deepcopy(model)
    plain = (
        other.encoder.embed,
        other.decoder.embed,
        other.output,
        other.encoder.from_embedding,
    )
    recurrent = (*other.encoder.layers, other.decoder.rnn)
    weights = [part.weight for part in plain] + [
        part.weight_ih_l0 for part in recurrent
    ]
    for weight in {
        id(one): one for one in weights
    }.values():  # some are one and the same
        weight.copy_(weight[:, order])
    for rows_of in (other.decoder.combine.weight, other.decoder.combine.bias):
        rows_of.copy_(rows_of[order])
    return other


@torch.no_grad()
def mean_of_weights(models):
    """A model whose every weight is the mean of theirs."""
    mean = copy.deepcopy(models[0])
    for weight, *others in zip(mean.parameters(), *(m.parameters() for m in models)):
        weight.copy_(torch.stack(others).mean(0))
    return mean


# %% id="renumber-mean"
from attnlib.data import bundled_directory, load_corpus
from attnlib.metrics import corpus_bleu
from attnlib.translator import Translator

student = Translator.load(bundled_directory().parent / "de-en", "cpu")
pairs = load_corpus("multi30k-de-en").valid
model = student.model.eval()
width = model.encoder.embed.embedding_dim
order = torch.randperm(width, generator=torch.Generator().manual_seed(10))
twin = permuted(model, order)
greedy = {}
for name, one in {
    "the student": model,
    "permuted": twin,
    "mean of both": mean_of_weights([model, twin]),
}.items():
    speaker = Translator(
        one, student.src_vocabulary, student.tgt_vocabulary, limit=student.limit
    )
    texts = [
        t.text for t in speaker.translate([p.src for p in pairs], beam_size=1, single_sentence=True)
    ]
    greedy[name] = corpus_bleu(texts, [p.tgt for p in pairs]).score
    print(f"{name:14}validation, greedy: ≈{greedy[name]:.1f}")

# %% id="renumber-check" tags=["check"]
# checks what the text says
check_range(greedy["the student"], 42.4, 43.1)
assert abs(greedy["permuted"] - greedy["the student"]) < 0.5  # sums in another order
assert greedy["mean of both"] < 0.7 * greedy["the student"]

# %% [markdown] id="endings-text"
# It is a much worse one: number 3 of an embedding means one thing here and another there, and the
# mean mixes them. Two trainings from different seeds have no reason to agree on what number 3
# means.
#
# Unless they begin together. Let *one* training run for two thirds of its updates, and finish it
# several times from there, with other batches and other dropout. The mean of such fine-tuned
# weights is called a **model soup** ([Wortsman et al. 2022](D_papers.ipynb#cell-id=wortsman-2022)).
# `studies/endings.py` finished a full model six times (six *endings*), trained on the human
# translations and those of five teachers (two of them translate from English and wrote German for
# human captions, [Nguyen et al. 2020](D_papers.ipynb#cell-id=nguyen-2020)). Where would a seventh
# ending lie?

# %% id="endings"
(ended,) = [
    run for run in read_record("10_endings")["runs"] if run["variant"] == "taught"
]
above = table(
    "one more ending",
    ended["endings"],
    {
        "the mean of their weights": ended["bleu"],
        "the six as an ensemble": ended["together"],
    },
)
updates = ended["settings"]["recipe"]["updates"]
trunk = ended["updates before the endings"]
print(f"{trunk + 6 * (updates - trunk):,} updates in all, in place of {updates:,}")
times = [ended[name]["test beam 5, processor seconds"] for name in ("together", "bleu")]
print(
    f"the test, beam 5: the ensemble takes {times[0] / times[1]:.0f} times as long"
)

# %% id="endings-check" tags=["check"]
# checks what the text says
assert above["the mean of their weights"] == [True, False, True, False]
assert above["the six as an ensemble"] == [False, False, False, False]

# %% [markdown] id="endings-read"
# *With greedy search the mean of the weights is above a further ending, on both splits*, at the
# price of one model. With a beam it lies within the interval. The ensemble of the six is above on
# neither split: they are too much alike. It is one experiment, with six endings of one training,
# and no free gain: the endings together took more than twice as many updates.
#
# [Back to 10b](10b_inside.ipynb#cell-id=recorded).
