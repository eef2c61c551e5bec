# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # What it costs
#
# *How many minutes, how much memory and disk, and what do they buy?*
#
# What each file of the book takes, what is installed, and what quality the minutes of a training
# buy; then the library beside other people's programs on the same work. Nothing is measured on this
# page: it prints what `studies/notebooks.py`, `python -m studies.peers` and the recorded
# trainings wrote, each with its machine and its date.
#
# **What you need.** Nothing for the first three tables; chapters 5, 6, 8 and 9 for the rest.
#
# **Time.** 3 minutes to read what the book costs, 10 for all of it.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt

from attnbook import read_record
from attnlib import figures

figures.use_style()

# %% [markdown] id="files-text"
# ## What a file takes
#
# Minutes to read are those that each file states, without its exercises. The other columns were
# measured: the whole notebook from the start of its kernel to the last cell, exercises blank, on
# one core of a server with AVX-512 and products of 16 bits, the quickest kind that was measured
# here, and on the same core kept to AVX2, which is what most laptops have.

# %% id="results" tags=["hide-input"]
# reads the measurements
from attnbook import read_record

kinds = {"training": "AVX-512", "training-avx2": "AVX2 only"}


def results(name):
    return read_record(name, "results")

# %% id="files" tags=["hide-input"]
# prints the table
from attnbook.contents import CHAPTERS
from attnbook.minutes import MINUTES

wide, narrow = results("notebooks"), results("notebooks-avx2")
measured = [{row["notebook"]: row for row in found["results"]} for found in (wide, narrow)]
minutes = {chapter.notebook: MINUTES[number] for number, chapter in CHAPTERS.items()}
print("                               minutes to read    minutes to run      memory (MiB)")
print("                                                 AVX-512    AVX2     AVX-512    AVX2")
both = [name for name in measured[0] if name in measured[1]]
for name in both:
    ran = "".join(f"{m[name]['processor_seconds'] / 60:8.1f}" for m in measured)
    peaks = "".join(f"{m[name]['peak_mib']:10,}" for m in measured)
    print(f"{name:24}{minutes.get(name, ''):>22} {ran}{peaks}")
sums = [sum(m[name]["processor_seconds"] for name in both) / 60 for m in measured]
totals = "".join(f"{total:8.0f}" for total in sums)
print(f"{'all':24}{sum(minutes.values()):22} {totals}")
print(f"measured on {wide['date']} and {narrow['date']}, torch {wide['machine']['torch']}")

# %% id="files-check" tags=["check"]
# checks what the text says
assert all(set(m) >= set(minutes) for m in measured)
longest = {name: max(m[name]["processor_seconds"] for m in measured) for name in minutes}
assert all(seconds < 120 for name, seconds in longest.items() if name != "10_translator")
assert longest["10_translator"] < 9 * 60
peaks_of = {name: max(m[name]["peak_mib"] for m in measured) for name in minutes}
assert all(peak < 1300 for name, peak in peaks_of.items() if name != "10_translator")
assert peaks_of["10_translator"] < 2200

# %% [markdown] id="files-read"
# Every file but one runs in less than two minutes and needs little more than 1 GiB of memory at
# most, also with AVX2 alone. The one is chapter 10, which trains a real translator: four to six
# minutes and 1 GiB, or 2 GiB where it multiplies numbers of 16 bits. The minutes to run are seconds
# of the processor, because the machine had other work: on a free core you wait as long. No graphics
# card is needed, and none was used for this table.
#
# ## What is installed

# %% id="disk" tags=["hide-input"]
# prints the table
for name, size in wide["disk_mib"].items():
    print(f"{name:24}{size:8,} MiB")

# %% [markdown] id="disk-read"
# The packages are those of `make` with the build of torch that has no CUDA, the *environment* is
# what they become in `.venv`, and *book* is everything that Git keeps, all data and translators
# included. Where pip takes torch with CUDA, as it does on Linux unless told otherwise, torch and
# what it needs are 2,600 MiB to download (counted from pip's list for Python 3.11);
# [INSTALL.md](../docs/INSTALL.md) says how to get the small build. Besides, chapters 10 and 10b
# download the captions of Multi30k once, less than 2 MB. A translator that you save takes a few
# megabytes.
#
# ## What a preset buys
#
# Chapter 10 trains 1,200 updates before your eyes (`quick-1200` in the table, a recorded run of the
# same); `quick` and `full` are recorded. German to English, test 2016 of Multi30k, beam of 5, and
# greedy search beside it. All with one thread and products of 16 bits.

# %% id="presets"
import statistics

recorded = {"quick-1200": [], "quick": [], "full": []}
for record in ("10_quick", "10_multi30k", "10_models"):
    for run in read_record(record)["runs"]:
        if run["preset"] in recorded and run.get("model", "general") == "general":
            recorded[run["preset"]].append(run)
print("preset      updates  minutes      trainings   BLEU: greedy  beam 5")
for preset, runs in recorded.items():
    times = sorted(round(run["minutes"]) for run in runs)
    once = {run["bleu"]["valid beam 5"]: run["bleu"] for run in runs}  # some are in two records
    greedy, beam = (
        statistics.mean(bleu[f"test {search}"] for bleu in once.values())
        for search in ("greedy", "beam 5")
    )
    updates = runs[0]["curve"]["update"][-1]
    took = f"{times[0]} to {times[-1]}" if len(times) > 1 else times[0]
    print(f"{preset:12}{updates:7,}  {took:<10}{len(once):12}{greedy:15.1f}{beam:8.1f}")

# %% id="presets-check" tags=["check"]
# checks what the text says
distinct = [{run["bleu"]["valid beam 5"] for run in runs} for runs in recorded.values()]
assert [len(of_preset) for of_preset in distinct] == [1, 8, 3]

# %% [markdown] id="presets-read"
# The shorter minutes are those of a core to itself, the longer ones had other trainings beside
# them: `full` takes 25 minutes with two threads and nothing else. Half more updates bring `quick`
# about a point and a half over the training of chapter 10 (one run); five times the updates of
# `quick` bring `full` two more. ([10b](10b_inside.ipynb#cell-id=recorded) counts four more
# trainings of `full`, whose minutes are not recorded; the mean of all seven is 43.1.)
#
# With a graphics card? One training of this book was made on both kinds of machine, with two seeds:
# the published recipe of [11b](11b_translation.ipynb#cell-id=tuned-text) at the budget of `full`
# took 43 minutes with one thread, and 1.3 on an H200 that had other trainings beside it
# (`data/runs/11_captions.json`). Chapter 10's model was not timed there.
#
# The curves of the recorded runs say when the quality comes, on the validation split, with greedy
# search. **A point inside a curve is not a shorter training.** The learning rate falls to 0 over a
# training's whole length: after 1,200 of 1,800 updates it is still high, and a training that was
# meant to end there has more BLEU.

# %% id="quality-figure" tags=["hide-input"]
# draws the figure, and prints its numbers
fig, ax = plt.subplots(figsize=(7.5, 4.2))
for n, (preset, marker) in enumerate((("quick", "o"), ("full", "s"))):
    for run in read_record("10_multi30k")["runs"]:
        if run["preset"] == preset:
            curve, look = run["curve"], {"color": figures.PALETTE[n], "alpha": 0.8}
            label = preset if run["seed"] == 1 else None
            ax.plot(curve["update"], curve["valid bleu, greedy"], f"{marker}-", label=label, **look)
(whole,) = recorded["quick-1200"]
end = whole["bleu"]["valid greedy"]
ax.plot(1200, end, "D", color=figures.PALETTE[2], label="chapter 10, its end")
ax.set(title="What updates buy: one line per run", xlabel="updates")
ax.set(ylabel="BLEU, validation split, greedy")
ax.legend(frameon=False, loc="lower right")
plt.show()
curves = [run["curve"] for run in recorded["quick"]]
inside = [curve["valid bleu, greedy"][curve["update"].index(1200)] for curve in curves]
print(f"1,200 updates: inside quick {min(inside):.1f} to {max(inside):.1f}", end=", ")
print(f"at the end of a training {end:.1f} (validation split, greedy)")

# %% [markdown] id="quality-alt"
# <details><summary>The figure in words</summary>
#
# BLEU against updates, one line per run. The three runs of quick rise from 27 to 39 within 1,800
# updates. Those of full begin at 31 to 34 after 1,500 and end near 42 after 9,000. A single mark at
# 1,200 updates, the end of chapter 10's training, stands at 37, above all lines there.
#
# </details>

# %% [markdown] id="beside-text"
# ## Beside other programs
#
# From here on the question is whether another program would do the same work faster.

# %% [markdown] id="fair"
# ### What a fair comparison needs
#
# "Twice as fast" says nothing before four things are known.
#
# - **The same work.** Every program gets the same batches of Multi30k, the same sizes, and the same
#   kind of model; how far the parameters differ is printed below. The first loss of an untrained
#   model must be about $\log V$ in all of them: a program where it is not computes something else.
# - **The same moment.** Computers are noisy. The programs work in turn, a round each, and a *ratio*
#   is taken within a round, so that what slows a round slows all of them. The figures show the
#   median of the ratios, with a line from the least to the most.
# - **The same clock.** One thread, and seconds of the processor: moments in which something else
#   had the core do not count.
# - **The kind of processor.** Servers of recent years compute with vectors of 512 bits (AVX-512)
#   and multiply numbers of 16 bits (bf16). Most laptops have AVX2, half that width, and no bf16.
#   What was measured on one kind says little about the other.

# %% id="machines"
files = ("training", "training-avx2", "bf16", "decoding", "natural", "memory", "bleu", "quality")
for name in files:
    found = results(name)
    machine = found["machine"]
    wide = "avx512f" in machine["processor"]["flags"] and not machine["imitated"]
    kind = "AVX-512" if wide else "AVX2 only" + " (imitated)" * bool(machine["imitated"])
    version = machine["attnlib"]
    print(f"{name:14} {found['date']}   one thread, {kind}, attnlib {version}")

# %% [markdown] id="training-text"
# ## Training
#
# An update is forward, loss, backward, clipping and Adam in fp32, as each program's own trainer has
# them. A rate counts real target tokens: padding is nobody's work. The peers are
# [OpenNMT-py](https://github.com/OpenNMT/OpenNMT-py),
# [Joey NMT](https://github.com/joeynmt/joeynmt) and, for Bahdanau's model, [d2l](https://d2l.ai).
#
# Right of the line `attnlib` is the faster one.

# %% id="draw-ratios"
LOOKS = {
    "opennmt": ("OpenNMT-py", "o"),
    "joey": ("Joey NMT", "s"),
    "d2l": ("d2l", "^"),
    "sacrebleu": ("sacreBLEU", "D"),
}


def draw_ratios(ax, works, title):
    """The ratio to each peer, one row per kind of work: median, least and most."""
    for row, work in enumerate(works):
        peers = [each for each in work["rows"] if each["program"] != "attnlib"]
        for n, peer in enumerate(peers):
            label, marker = LOOKS[peer["program"]]
            color = figures.PALETTE[list(LOOKS).index(peer["program"])]
            middle, low, high = peer["ratio"]
            y = row + 0.16 * (2 * n - len(peers) + 1)
            span = [[middle - low], [high - middle]]
            ax.errorbar(middle, y, xerr=span, color=color, marker=marker, label=label, capsize=3)
    ax.axvline(1, color="black", linewidth=1)
    ax.set_yticks(range(len(works)), [work["name"] for work in works])
    ax.set(title=title, xlabel="time of the peer / time of attnlib", xlim=(0, None))
    ax.grid(axis="y", visible=False)


def one_legend(fig):
    """The names of all panels once, below them."""
    named = {}
    for ax in fig.axes:
        named |= {text: mark for mark, text in zip(*ax.get_legend_handles_labels())}
    fig.legend(named.values(), named, loc="outside lower center", ncols=4, frameon=False)


# %% id="training-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 2, figsize=(10, 4.6), sharey=True)
for ax, (name, kind) in zip(axes, kinds.items()):
    draw_ratios(ax, results(name)["results"], kind)
names = [work["name"] for work in results("training")["results"]]
axes[0].set_yticks(range(len(names)), names)
axes[0].invert_yaxis()
one_legend(fig)
fig.suptitle("Training: how much longer a peer takes for the same update")
plt.show()

# %% [markdown] id="training-alt"
# <details><summary>The figure in words</summary>
#
# Two panels, AVX-512 and AVX2 only: for each kind of model and each peer a point, the median ratio,
# in a line from the least to the most of the rounds. On the left all points lie right of 1, the
# time of attnlib: OpenNMT-py between 1.1 and 1.4, Joey NMT between 1.1 and 1.3, d2l near 1.5. On
# the right OpenNMT-py stands at 1 with general and input feeding, just right of it with general
# alone, and between 1.1 and 1.4 in the other rows, Joey NMT between 1.1 and 1.4, d2l at 1.5. Some
# lines are long, and a few reach left of 1: the machine was busy.
#
# </details>

# %% id="training-table"
for name, kind in kinds.items():
    print(f"{kind}: program, target tokens per second, parameters, peak memory (MiB), utilisation")
    for work in results(name)["results"]:
        print(f"  {work['name']}")
        for row in work["rows"]:
            rate, used = row["rate"][0], row["utilisation"]
            numbers = f"{rate:6,.0f} {row['parameters']:12,} {row['peak_mib']:6,} {used:7.0%}"
            print(f"    {row['program']:9} {numbers}")

# %% [markdown] id="utilisation-text"
# *Utilisation* is the share of what this core can do at all: the matrix products that an update
# needs on real tokens, over the best rate at which the core runs `nn.LSTM` forward and backward.
# The rest is padding, softmax, dropout, Adam, and products too narrow to fill the core: with input
# feeding a loop over steps multiplies one row per sentence, where the fused decoder multiplies a
# whole batch of steps at once.

# %% id="feeding"
for name, kind in kinds.items():
    rates = {work["name"]: work["rows"][0]["rate"][0] for work in results(name)["results"]}
    ratio = rates["general"] / rates["general, input feeding"]
    print(f"{kind}: input feeding makes an update of attnlib {ratio:.2f} times as long")

# %% [markdown] id="bf16-text"
# Where the processor multiplies numbers of 16 bits, `attnlib` does so by itself; the peers cannot
# on a processor, and stay with fp32. (The utilisation is still that of `nn.LSTM` in fp32, so it can
# pass 100 %.)

# %% id="bf16-table"
for work in results("bf16")["results"]:
    print(work["name"])
    for row in work["rows"][1:]:
        middle, low, high = row["ratio"]
        name = LOOKS[row["program"]][0]
        print(f"    {name:10} takes {middle:.2f} times as long ({low:.2f}–{high:.2f})")

# %% [markdown] id="memory-text"
# ## Memory
#
# A score of the concat kind makes a vector for every pair of positions: $B \cdot T \cdot S \cdot A$
# numbers, where the dot product makes $B \cdot T \cdot S$. `attnlib` computes it in parts and makes
# each part again in the backward pass.

# %% id="memory-whole"
print(f"all vectors at once, 4 bytes a number: {128 * 100 * 100 * 512 * 4 / 1e9:.1f} GB")

# %% [markdown] id="memory-predict"
# The peak of the whole process during one update. (A notebook that computes nothing needs about 270
# MiB, in the first table: that much of every bar is Python and torch.) Concat, without input
# feeding, peaks at 1,638 MiB and dot at 1,423: 1.15 times as much.

# %% id="memory-figure" tags=["hide-input"]
# draws the figure
(work,) = results("memory")["results"]
scores = ["dot", "scaled_dot", "general", "concat", "additive"]
fig, ax = plt.subplots(figsize=(8, 3.8))
for shift, feeding, label, hatch in ((-0.2, False, "without", None), (0.2, True, "with", "//")):
    peak = {r["score"]: r["peak_mib"] for r in work["rows"] if r["input feeding"] is feeding}
    bars = ax.barh(
        [n + shift for n in range(5)], [peak[score] / 1024 for score in scores], 0.36,
        label=f"{label} input feeding", hatch=hatch, color=figures.PALETTE[feeding], alpha=0.8,
    )
    ax.bar_label(bars, fmt="%.1f", padding=3)
ax.set_yticks(range(5), scores)
ax.invert_yaxis()
ax.set(title=f"Peak memory of an update, {work['name']}", xlabel="peak memory of the process (GiB)")
ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] id="memory-alt"
# <details><summary>The figure in words</summary>
#
# Two bars of peak memory for each of five scores, without and with input feeding, their numbers at
# their ends. All ten lie between 1.3 and 1.7 GiB.
#
# </details>

# %% [markdown] id="decoding-text"
# ## Translating
#
# 100 test sentences, exactly 30 steps each (with random weights no sentence ends by itself), greedy
# and with five hypotheses.

# %% id="decoding-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8, 3.4))
draw_ratios(ax, results("decoding")["results"], "Translating: how much longer a peer takes")
ax.invert_yaxis()
one_legend(fig)
plt.show()

# %% [markdown] id="decoding-alt"
# <details><summary>The figure in words</summary>
#
# Points in short lines, two for each of four rows. Joey NMT lies between 1.4 and 1.9, furthest
# right for beam 5. OpenNMT-py lies just right of 1 in three rows, and on it for greedy search with
# input feeding.
#
# </details>

# %% id="decoding-table"
for work in results("decoding")["results"]:
    rates = [f"{row['program']} {row['rate'][0]:.0f}" for row in work["rows"]]
    print(f"{work['name']:32} {work['unit']}:", ", ".join(rates))

# %% [markdown] id="natural-text"
# With random weights no sentence ends by itself. Here one trained translator, the small one that
# comes with the book (chapter 10), runs in both programs with the same weights, and sentences end
# where they end. OpenNMT-py stops when its best hypothesis ends. With a length penalty
# ($\alpha = 1$) that rule is not exact: a hypothesis that is still being written may win later.
# `attnlib` has the inexact rule, too (`current_length`), and goes on until nothing can win where it
# is asked for the exact one (chapter 8).
#
# Lines that say bf16 are of `attnlib` with products of 16 bits beside OpenNMT-py in fp32. You get
# them with `with attnlib.device.autocast("bf16", "cpu"):` around `translate`. Nobody gets them by
# default, because a few translations come out differently, and a book should say the same on every
# processor.

# %% id="natural-table"
for work in results("natural")["results"]:
    middle, low, high = work["rows"][1]["ratio"]
    print(f"{work['name']}\n    OpenNMT-py takes {middle:.2f} times as long ({low:.2f}–{high:.2f})")

# %% [markdown] id="natural-read"
# Not everywhere is `attnlib` ahead: with greedy search in fp32 OpenNMT-py is the faster one. With a
# beam `attnlib` is, even where its rule is exact and theirs is not, and with bf16 the more so.

# %% [markdown] id="bleu-text"
# ## BLEU
#
# Chapter 9's BLEU counts 50,000 pairs beside sacreBLEU, with the same result to the last digit.

# %% id="bleu-table"
for work in results("bleu")["results"]:
    ours, theirs = work["rows"]
    middle, low, high = theirs["ratio"]
    print(f"{work['name']:32} sacreBLEU takes {middle:.2f} times as long ({low:.2f}–{high:.2f})")

# %% [markdown] id="peers-text"
# ## The same minutes for everyone
#
# Would another program have given a better translation in the same time? Each was trained by its
# own trainer for the minutes that `quick` takes without bf16, one thread, in fp32. All read the
# same subwords, keep the checkpoint with the best greedy BLEU on the validation split, and
# are scored alike. Nobody can be shown at their best by somebody else, so the first two peers have
# two recipes: *its own*, an example from the program's documents, and *quick's*, the sizes,
# batches and optimizer of `quick` as far as the program can be told. It is one run each, and none
# of these recipes was made for so short a time.

# %% id="peers-figure"
found = results("quality")
PROGRAMS = LOOKS | {"attnlib": ("attnlib", "x")}  # the colors of above
fig, ax = plt.subplots(figsize=(8, 4.2))
for run in found["results"]:
    name, marker = PROGRAMS[run["program"]]
    own = run["recipe"] == "its own"
    minutes, scores = zip(*((m["minutes"], m["valid greedy"]) for m in run["marks"]))
    color = figures.PALETTE[list(PROGRAMS).index(run["program"])]
    style = {"color": color, "marker": marker, "linestyle": "--" if own else "-"}
    ax.plot(minutes, scores, label=f"{name}, {run['recipe']}", **style)
ax.set(title="The same minutes", xlabel="minutes of training, one thread, fp32")
ax.set(ylabel="BLEU of the validation split", xlim=(0, None), ylim=(0, None))
ax.legend(title="program, recipe", frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] id="peers-alt"
# <details><summary>The figure in words</summary>
#
# BLEU on the validation split against minutes of training, up to six: a line for each program and
# recipe with a point at each third of the time, whole for quick's recipe and dashed for a program's
# own. The line of attnlib rises from 27 over 33 to 39; OpenNMT-py with quick's recipe from 31 over
# 36 to 37, so it is ahead at two minutes and at four, and behind at six; Joey NMT with quick's
# recipe from 6 to
# 25. The dashed lines stay below 8.
#
# </details>

# %% id="peers-table"
print("program, recipe          parameters  updates  test BLEU: greedy  beam 5")
for run in found["results"]:
    name = f"{PROGRAMS[run['program']][0]}, {run['recipe']}"
    size, last, beam = run["parameters"] / 1e6, run["marks"][-1], run.get("test beam 5")
    greedy, beam = f"{run['test greedy']:.1f}", "no beam" if beam is None else f"{beam:.1f}"
    print(f"{name:24} {size:7.1f} M {last['update']:8,} {greedy:>18} {beam:>7}")

# %% [markdown] id="peers-read"
# With the book's recipe another program comes close, and for two thirds of the time it is
# ahead. More updates of attnlib fit into the minutes; that may be all that is left between the two.
# And a recipe is worth more than a program. Each program's own recipe was written for more data and
# much more time: it begins slowly because it means to go far, and after six minutes it has hardly
# begun. It was one run each, while the other core was busy with other trainings: a difference of
# one BLEU may be chance.
#
# <details><summary>How sure?</summary>
#
# How fast the training's own core was is recorded before and after each (the best rate
# of `nn.LSTM`, `lstm_gflops` in `data/results/quality.json`), and it was alike for all.
#
# </details>

# %% [markdown] id="own"
# ## Measure it yourself
#
# `python -m studies.peers` installs the peers beside the book's own environment, measures, and
# writes the files that this page draws; `python -m studies.peers --quick` shows the main
# tables in a few minutes and writes nothing. `studies/peers/README.md` says what had to be worked
# around so that three programs of different years run in one environment. Your ratios will differ
# from these: caches, clock and memory do.
#
# Times that a chapter states are those of one thread and name the kind of processor. Two threads
# help a model of this size less than one might think: its products are small, and threads wait for
# each other after each of them. Two *processes* that each take half of a batch wait once an update.
