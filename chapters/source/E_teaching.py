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
# How to teach a course with this book: which chapters in which week and how long they take, what to
# talk about, how to hand out notebooks and take them back.
#
# **What you need.** The book in a folder of its own, as `make lab` opens it. Your students need the
# installed package and no more.

# %% [markdown] id="ten-lines"
# ## A class in ten lines
#
# ```
# python -m attnlib assign week-3 04 05                   # two files, for your students
# python -m attnlib assign week-3-hard 04 05 --no-hints   # the same without hints
# # they fill in the exercises and send you their notebooks; put each into a folder of its owner:
# #   handed-in/ann/05_attention.ipynb, handed-in/bob/05_attention.ipynb ...
# python -m attnlib grade handed-in                       # a table
# python -m attnlib grade handed-in --answers-only        # only the exercises: seconds a notebook
# python -m attnlib grade handed-in --csv grades.csv --page class.html --jobs 4
# ```
#
# A number is one file, and each file is one sitting: `05` is *Attention in seq2seq* alone, `05b`
# the file after it, and `5` all of chapter 5. What is handed out holds no output, so that no figure
# answers a prediction before it was made (`--outputs` keeps them). Nothing that exists is
# overwritten. Each file needs the package with its data and nothing beside it; chapter 10 downloads
# its captions once.
#
# `grade` runs each notebook in processes of its own, within limits of time and memory. What it
# found is kept in `handed-in/.grades`: Ctrl-C loses no more than the notebooks that were being
# graded, and a second call grades only what is new or changed. A broken file, a notebook without
# exercises, a deleted exercise, one that was answered twice or in a cell of text, the same file
# from two students: each is a line of the table. The page for the class names mistakes and no
# student, so it can be projected.
#
# All this guards against accidents, not against malice. An answer runs in the process that judges
# it, so one that means to deceive can be marked ✓. Where an answer uses what no answer needs (the
# book's own functions, files, processes, what Python keeps private), a note asks you to read it;
# where there is no note, nothing is promised, so read the code before a mark counts. Limited are
# time, memory (of all processes of a notebook together) and the size of each file; the number of
# processes and files is not, nor is the network. Grade what strangers send in a container.

# %% id="setup" tags=["setup"]
# set-up
from attnbook.grading import course

# %% [markdown] id="six-text"
# ## Six weeks
#
# The straight way: what a recurrent network is, how two of them translate, where they fail, and
# attention, then how one searches, measures and builds a real translator. About an hour of reading
# a week and an hour and a quarter of exercises. The chapters 02, 07 and 11 are left to the curious,
# and so are the files 01b, 04b, 05c, 08b and 09b.

# %% id="six" tags=["hide-input"]
# prints the course
course(6)

# %% [markdown] id="twelve-text"
# ## Twelve weeks
#
# The whole book, two files a week; each file is one sitting with a question of its own. From week 7
# on a week is a chapter: read its first file before the lesson and the second one after it. An hour
# of reading a week and a little more than that for the exercises.

# %% id="twelve" tags=["hide-input"]
# prints the course
course(12)

# %% [markdown] id="files-text"
# ## What a file takes
#
# Minutes of the processor and memory of a whole notebook, exercises blank, on one core of a server
# with AVX-512, and on the same core kept to AVX2, which is what most laptops have
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
# Every file but one runs in less than two minutes and needs little more than 1 GiB of memory at
# most. The one is chapter 10, which trains a real translator: four to six minutes, and 1 GiB, or
# 2 GiB where it multiplies numbers of 16 bits. 10 and 10b download the captions of Multi30k once,
# less than 2 MB. No graphics card is needed.

# %% [markdown] id="questions"
# ## Questions to talk about
#
# Each has an answer in its chapter; in italics, what a good answer says.
#
# **00.** The network writes a right place. Did it know it? *One sentence cannot tell: ask many, and
# ask for probabilities. It knows the preposition; of the place it knows hardly more than the verb
# tells.*
#
# **01.** A plain network's gradient fades. Is that a fault of training, or does the network forget,
# too? *Both are one product, read from its two ends: what fades backward is what is forgotten
# forward.* Why does clipping not help? *It mends gradients that are too long and keeps their
# direction; one that has vanished has nothing to keep.*
#
# **02.** Does an LSTM's gradient vanish? *It depends on the forget gates: along the memory it is
# their product. Torch starts them near one half.* When would you not care? *Where something can be
# learned from short distances, as in adding; in recall nothing can.*
#
# **03.** Is one vector too small, or are the words too far away? *Two problems: a larger vector or
# more training solves the first, forget gates near 1 the second.* Reversing the source leaves the
# average distance as it is. Why could it help all the same? *Some words come near at once, and
# training can begin there.*
#
# **04.** Why a softmax and not shares of the scores? *A share breaks on negative scores; a softmax
# depends on differences alone.* Why must a lookup be soft to be learned? *A hard choice gives query
# and keys no gradient.*
#
# **05.** Does a heat map explain a translation? *It is a hypothesis: exchange the weights, take a
# word away, and see what changes. In the chapter's translator weights decide, and yet a position
# stands for more than its word.* Where does the mask belong, and what happens elsewhere? *Before
# the softmax; after it, padding has taken its share along.*
#
# **06.** Which score is best? *On this book's captions any attention is worth about ten points or
# more and the choice one or two, but for the divisor √d, which costs four to six.* Must scores be
# divided by √d? *The variance is d if the numbers have variance 1. In the LSTM translators of 06
# they are much smaller.*
#
# **07.** What does exposure bias do before the first mistake? *Nothing: until then a greedy decoder
# reads the right words.* Does scheduled sampling help? *Not on the digits of 07b. It lowers the
# loss of a free run in ten seeds of ten, and decides nothing else; nothing was tuned for mixing.*
#
# **08.** A wider beam finds a more probable sentence that is worse. Whose fault is it? *The
# model's: every token costs, and the empty output pays once.* When may a search stop? *When nothing
# alive can still reach the best finished score, at any length.*
#
# **09.** Two systems differ by half a point. What do you ask? *The signature, the same sentences, a
# paired test, and other trainings.* What can BLEU not see? *Meaning: large and small are equally
# wrong where the reference has big.*
#
# **10.** Why look at the data before the model? *Leaks and unknown words set what a score can
# mean.*
#
# **11.** What is left of chapter 5 in a Transformer? *Its function, called by three askers.* Why
# positions? *Attention is blind to order.* Is a Transformer better? *Not on these captions
# with this book's recipe; others report the reverse on the same test set.*

# %% [markdown] id="nbgrader"
# ## nbgrader
#
# ```
# python -m attnlib assign COURSE 04 05 --nbgrader    # fills COURSE/source: an assignment a file
# cd COURSE && nbgrader generate_assignment 04_keys_and_values
# # nbgrader collects into COURSE/submitted/STUDENT/04_keys_and_values/
# nbgrader autograde 04_keys_and_values && nbgrader export
# ```
#
# Each exercise gives one point; change that in `source`. The cell that gives it asks the same check
# that the student saw under the cell, it is locked, and nbgrader restores it where it was changed.
# `nbgrader_config.py` is written once: cells may take fifteen minutes, for some chapters train.
# nbgrader runs the whole notebook, so a class of thirty takes half an hour for most chapters.

# %% [markdown] id="slides"
# ## Slides
#
# Every chapter is a show as well: a section begins a slide, the rest appears a cell at a time,
# figures in words are the speaker's notes, and exercises, recall and set-up are left out.
#
# ```
# jupyter nbconvert --to slides chapters/05_attention.ipynb --SlidesExporter.reveal_scroll=True \
#     --SlidesExporter.reveal_theme=white --SlidesExporter.reveal_width=1280 \
#     --SlidesExporter.reveal_height=800 --TagRemovePreprocessor.enabled=True \
#     --TagRemovePreprocessor.remove_input_tags=hide-input --no-prompt --output-dir show
# ```
#
# The page that this writes loads reveal.js, jQuery, RequireJS and MathJax from the network. For a
# room without one, install them beside it and name them:
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
# Space goes on, S opens the notes; a slide that is longer than the screen can be scrolled.

# %% [markdown] id="hub"
# ## JupyterHub
#
# The third of these was run when this page was written; the first two were not, and follow what
# their projects document.
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
# # jupyterhub_config.py: for a trial on this machine only, for anybody may log in as anybody
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
