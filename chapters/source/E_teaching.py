# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   attnlib:
#     reads: [attnbook/checks/*/*.py]
# ---

# %% [markdown] id="title"
# # For teachers
#
# A course of six or twelve weeks, how long its files take, how to hand notebooks out and grade
# them, and what to talk about.
#
# **What you need.** The book in its own folder, as `make lab` opens it, and a terminal of this
# JupyterLab (elsewhere, first type `source .venv/bin/activate`). Your students need the
# installed package with JupyterLab (`pip install ".[lab]"` in that folder).
#
# We know of no course taught from it yet. If you teach with it, an issue that says what worked and
# what did not helps the next teacher.

# %% [markdown] id="ten-lines"
# ## A class in ten lines
#
# ```
# python -m attnlib assign week-3 04 05                   # two files, for your students
# python -m attnlib assign week-3-hard 04 05 --no-hints   # the same without hints
# # they fill in the exercises and send you their notebooks; put each into its owner's folder:
# #   handed-in/ann/05_attention.ipynb, handed-in/bob/05_attention.ipynb ...
# python -m attnlib grade handed-in                       # a table
# python -m attnlib grade handed-in --answers-only        # only the exercises: a few seconds each
# python -m attnlib grade handed-in --csv grades.csv --page class.html --jobs 4
# ```
#
# `05` is the file *Attention in seq2seq*, `05b` the one after it, and `5` all of chapter 5. The
# notebooks that you hand out contain no outputs, so no figure answers a prediction too early
# (`--outputs` keeps them). Nothing that exists is overwritten. A file needs only the package;
# chapter 10 downloads its captions once. Hand out `00` and `A` in the first week: links lead there,
# and 00 explains how exercises work.
#
# `grade` keeps what it found in `handed-in/.grades`, so a second call grades only what is new or
# changed, and Ctrl-C loses almost nothing. A broken file, a deleted exercise, one that was answered
# twice, and the same file from two students each have a line in the table. The page for the class
# names mistakes but no students, so you can project it.
#
# All this guards against accidents, not against malice. An answer runs in the process that grades
# it, so one meant to deceive can be marked ✓. Where an answer uses what no answer needs (the book's
# own functions, files, processes), a note asks you to read it; read the code before a mark counts.
# Time, memory and the size of files are limited; the network is not. Grade strangers' notebooks in
# a container.

# %% id="setup" tags=["setup"]
# set-up
from attnbook.grading import course

# %% [markdown] id="six-text"
# ## Six weeks
#
# This is the main line, two files a week, from one recurrent cell to the Transformer: about an hour
# to read, one to two for the exercises. At its end, a student can write an LSTM, an encoder–decoder
# with attention, a beam search and BLEU, has trained a translator, and can test a claim about it
# against a control. The course needs no side path (the files with a letter); give one to those who
# ask for more.

# %% id="six" tags=["hide-input"]
# prints the course
course(6)

# %% [markdown] id="twelve-text"
# ## Twelve weeks
#
# This is the whole book, about two files a week. Students read the first before the lesson and the
# other after it.

# %% id="twelve" tags=["hide-input"]
# prints the course
course(12)

# %% [markdown] id="files-text"
# ## What a file costs
#
# These are the processor minutes and the memory of whole notebooks, exercises blank, on one core of
# a server with AVX-512, and on the same core limited to AVX2, which most laptops have
# (`python -m studies.notebooks`).

# %% id="files" tags=["hide-input"]
# prints the table
from attnbook import read_record
from attnbook.contents import CHAPTERS

records = [read_record(name, "results") for name in ("notebooks", "notebooks-avx2")]
measured = [{row["notebook"]: row for row in one["results"]} for one in records]
print(f"{'':24}minutes to run     memory (MiB)")
print(f"{'':24}AVX-512    AVX2    AVX-512    AVX2")
for chapter in CHAPTERS.values():
    both = [rows[chapter.notebook] for rows in measured]
    minutes = "".join(f"{row['processor_seconds'] / 60:8.1f}" for row in both)
    memory = "".join(f"{row['peak_mib']:9,}" for row in both)
    print(f"{chapter.notebook:23}{minutes}  {memory}")

# %% id="files-check" tags=["check"]
# checks what the text says
for rows in measured:
    others = [row for name, row in rows.items() if name != "10_translator"]
    assert max(row["processor_seconds"] for row in others) < 120
    assert max(row["peak_mib"] for row in others) < 1300
    assert rows["10_translator"]["processor_seconds"] < 6 * 60
    assert rows["10_translator"]["peak_mib"] < 2200

# %% [markdown] id="files-read"
# Every file but one runs in less than two minutes and little more than 1 GiB of memory. The
# exception is chapter 10, which trains a real translator: four to six minutes, and 1 to 2 GiB. 10
# and 10b download the captions of Multi30k once, less than 2 MB. No graphics card is needed.

# %% [markdown] id="questions"
# ## Questions to talk about
#
# Each question has an answer in its chapter; a good one is in italics.
#
# **00.** The network writes a right place. Did it know it? *One sentence cannot tell: put another
# place into the source, and see whether its probability follows.*
#
# **01.** A plain network's gradient fades. Is that a fault of training, or does the network forget
# as well? *Both: one product of matrices carries gradients back and memories forward.* Why does
# clipping not help? *It shortens gradients that are too long; one that has vanished has nothing to
# keep.*
#
# **02.** Does an LSTM's gradient vanish? *It depends on the forget gates: along the memory it is
# their product, and torch starts them near one half.*
#
# **03.** Why does the target enter the decoder shifted by one? *So that no step reads the word that
# it should guess.* What must padding not change? *The states, the loss, the translation.*
#
# **04.** Why a softmax and not shares of the scores? *A share breaks on negative scores; a softmax
# depends only on differences.* Why must a lookup be soft to be learned? *A hard choice gives query
# and keys no gradient.*
#
# **05.** Does a heat map explain a translation? *It is a hypothesis: exchange the weights, take a
# word away, and see what changes.* Where does the mask belong? *Before the softmax; after it,
# padding has already taken its share.*
#
# **06.** Must scores be divided by the root of the size? *It helps where the numbers have variance
# 1. In the book's LSTM translators they are much smaller, and in short trainings dividing hurt.*
#
# **07.** What does exposure bias do before the first mistake? *With one right answer, nothing:
# until then a greedy decoder reads the right words.* In its task of digits, what made mistakes
# multiply? *Probably, the decoder relied on the digit before.*
#
# **08.** A wider beam finds a more probable sentence that is worse. Whose fault is it? *The
# model's: every token lowers log P, and the empty output has only one.*
#
# **09.** Two systems differ by half a point. What do you ask for? *The signature, the same
# sentences, a paired test, and more trainings.* What can BLEU not see? *Meaning.*
#
# **10.** Why look at the data before the model? *Leaks and unknown words set what a score can
# mean.* What must a translator beat? *A dictionary made by counting.*
#
# **11.** What is left of chapter 5 in a Transformer? *Its function, called in three places.* Why
# positions? *Without a causal mask, attention is blind to order.* What did attention learn that an
# LSTM of the same size did not? *To look up the value of a key; that no LSTM can is not shown.*

# %% [markdown] id="nbgrader"
# ## nbgrader
#
# ```
# pip install nbgrader    # better in its own environment, with the book
# python -m attnlib assign COURSE 04 05 --nbgrader    # fills COURSE/source: one assignment per file
# cd COURSE && nbgrader generate_assignment 04_keys_and_values
# # nbgrader collects into COURSE/submitted/STUDENT/04_keys_and_values/
# nbgrader autograde 04_keys_and_values && nbgrader export
# ```
#
# Each exercise gives one point; change that in `source`. The locked cell that gives it runs the
# same check that the student saw. nbgrader runs the whole notebook, so a class of thirty takes half
# an hour for most chapters; `nbgrader_config.py` allows a cell fifteen minutes.

# %% [markdown] id="slides"
# ## Slides
#
# A section begins a slide, the rest appears one cell at a time, figures in words are the speaker's
# notes, and exercises, recall and setup are left out.
#
# ```
# jupyter nbconvert --to slides chapters/05_attention.ipynb --SlidesExporter.reveal_scroll=True \
#     --SlidesExporter.reveal_theme=white --SlidesExporter.reveal_width=1280 \
#     --SlidesExporter.reveal_height=800 --TagRemovePreprocessor.enabled=True \
#     --TagRemovePreprocessor.remove_input_tags=hide-input --no-prompt --output-dir show
# ```
#
# The page loads reveal.js, jQuery, RequireJS and MathJax from the network. For a room without one,
# install them next to it and name them:
#
# ```
# cd show && npm install reveal.js@4 jquery@3 requirejs@2 mathjax@2
# # and above, in addition:
# #   --SlidesExporter.reveal_url_prefix=node_modules/reveal.js
# #   --SlidesExporter.jquery_url=node_modules/jquery/dist/jquery.min.js
# #   --SlidesExporter.require_js_url=node_modules/requirejs/require.js
# #   --SlidesExporter.mathjax_url=node_modules/mathjax/MathJax.js?config=TeX-AMS_CHTML-full,Safe
# ```
#
# Space goes to the next slide, S opens the notes; a slide that is longer than the screen can be
# scrolled.

# %% [markdown] id="hub"
# ## JupyterHub
#
# Only the third of these was run; the first two follow their projects' documentation.
#
# **One server** ([The Littlest JupyterHub](https://tljh.jupyter.org)). As its administrator, with
# the book in `/srv/attention`:
#
# ```
# sudo -E pip install -c /srv/attention/.ci/constraints.txt '/srv/attention[lab]'
# sudo tljh-config set limits.memory 4G
# sudo tljh-config set limits.cpu 2
# sudo tljh-config reload
# ```
#
# Put what `assign` wrote into `/etc/skel` before you add users, and each finds it at home.
#
# **Kubernetes** ([Zero to JupyterHub](https://z2jh.jupyter.org)). An image with the package, and
# in `config.yaml`:
#
# ```
# singleuser:
#   image: {name: your-registry/attention, tag: "1"}   # FROM quay.io/jupyter/minimal-notebook
#   defaultUrl: /lab/tree/week-3/05_attention.ipynb
#   memory: {guarantee: 2G, limit: 4G}
#   cpu: {guarantee: 1, limit: 2}
# ```
#
# **To try it on your own machine**, in an environment that has the book, with Node for the proxy:
#
# ```
# pip install jupyterhub && npm install configurable-http-proxy
# jupyterhub -f jupyterhub_config.py
# ```
#
# ```python
# # jupyterhub_config.py: for a trial on this machine only: anyone can log in as anyone
# c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# c.JupyterHub.authenticator_class = "dummy"
# c.Authenticator.allow_all = True
# c.JupyterHub.spawner_class = "simple"
# c.SimpleLocalProcessSpawner.home_dir_template = "/tmp/hub/{username}"
# c.ConfigurableHTTPProxy.command = ["node_modules/.bin/configurable-http-proxy"]
# c.Spawner.notebook_dir = "/srv/attention/chapters"
# c.Spawner.default_url = "/lab/tree/05_attention.ipynb"
# c.Spawner.start_timeout = c.Spawner.http_timeout = 180  # seconds; a busy machine starts slowly
# ```
