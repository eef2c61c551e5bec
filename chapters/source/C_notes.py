# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # About the five notes
#
# This book grew from five notes in Korean, by people who were learning about attention, or teaching
# it, and put what they had understood where others could find it. We took every formula and every
# claim out of them, 79 in all, and asked of each: is it so, and how would one see it? The chapters
# are the answer. Here is what became of each claim, in the note's own words, with the cell that
# shows it.
#
# **What you need.** Nothing; the links lead into the chapters.
#
# **Time.** 10 minutes for the corrections, as long as you like for the rest.

# %% [markdown] id="thanks"
# ## Thanks
#
# To the five authors: without your notes there would be no book. To write down what one has just
# understood, with formulas, is the best way to learn, and a brave one, for everybody can read it.
# Where the book contradicts you, it is because you wrote precisely enough to be checked.
#
# | note | by | what it is |
# |---|---|---|
# | 000 | finddme | [Attention in sequence to sequence](https://finddme.github.io/natural%20language%20processing/2019/11/12/Attention/), a walk through Bahdanau, Cho and Bengio's paper. We read it when it broke off in the middle; its author has finished it since. |
# | 001 | yunhyechoi | [Attention Mechanism](https://github.com/yunhyechoi/paper-review/blob/1dd8d08710804576e7ccc6ce6508c2347410f6f0/LLM/Attention%20Is%20All%20You%20Need/README.md), from the RNN to attention, in a collection of paper reviews |
# | 002 | Kim Ki Hyun (김기현) | [Attention](https://kh-kim.gitbook.io/natural-language-processing-with-pytorch/00-cover-9/03-attention), a section of his book *Natural Language Processing with PyTorch* (CC BY-NC-SA 2.0 KR) |
# | 003 | devsaka | [Attention, 어텐션](https://github.com/catSirup/catSirup.github.io/blob/ef9a8bdf708baf361d30e532b7b83e7e67dfafb8/_posts/2020-03-27-attention.md), dot-product attention step by step |
# | 004 | unknown to us | *Seq-to-Seq Attention*, notes taken in a lecture, from seq2seq to BLEU; the pictures are lost. If they are yours, please tell us. |
#
# The notes have teachers of their own, who are ours as well. Notes 001 and 003 name the Korean book
# [딥 러닝을 이용한 자연어 처리 입문](https://wikidocs.net/22893) (*introduction to natural language
# processing with deep learning*), and 003 quotes it; 001 names Jay Alammar's
# [moving pictures of a translator](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/).
# The graph of quality by length in note 002 is credited there to
# [Stanford's CS224n](https://web.stanford.edu/class/cs224n/). Note 000 explains
# [Bahdanau, Cho and Bengio](https://arxiv.org/abs/1409.0473). Note 004 does not say whose lecture
# it was.
#
# The sentences in Korean are quotations. They belong to their authors, and the license of this book
# does not cover them.

# %% [markdown] id="count-text"
# ## The count
#
# - The book **corrects** what is not so as it is said.
# - It **sharpens** what is right as far as it goes: a condition, a limit or a word is missing.
# - It **confirms** what holds as it is said.
# - It **leaves open** what it did not settle.

# %% id="setup" tags=["setup"]
from attnbook import claims

# %% id="count"
print(f"{'note':6}" + "".join(f"{verdict:>13}" for verdict in claims().count()))
for note in ("000", "001", "002", "003", "004", ""):
    counts = claims(note=note).count()
    print(f"{note or 'all':6}" + "".join(f"{count:13}" for count in counts.values()))

# %% id="count-check"
share = len(claims("corrects")) / len(claims())
assert share < 0.2 and len(claims("leaves open")) == 1
print(f"contradicted: {share:.0%} of {len(claims())} claims")

# %% [markdown] id="count-read"
# Fewer than one claim in five had to be contradicted. The others hold as they are said or with a
# word more, but for one, on which the book is silent.

# %% [markdown] id="corrections-text"
# ## What the book corrects
#
# None of these is a foolish mistake. Most can be read in many other places, and each has a reason,
# which stands beside it: where an idea is easily misunderstood, it helps to know what leads one
# there.

# %% id="corrections"
claims("corrects")

# %% [markdown] id="note-000-text"
# ## Note 000: attention in sequence to sequence

# %% id="note-000"
claims(note="000")

# %% [markdown] id="note-001-text"
# ## Note 001: from the RNN to attention

# %% id="note-001"
claims(note="001")

# %% [markdown] id="note-002-text"
# ## Note 002: keys and values

# %% id="note-002"
claims(note="002")

# %% [markdown] id="note-003-text"
# ## Note 003: dot-product attention, step by step

# %% id="note-003"
claims(note="003")

# %% [markdown] id="note-004-text"
# ## Note 004: from seq2seq to BLEU

# %% id="note-004"
claims(note="004")

# %% [markdown] id="end"
# ## If you find more
#
# The tables are drawn from one file, `attnbook/ledger/assets/claims.md`, and tests hold it to the
# chapters: each claim has its original and a verdict, and each cell that is named exists. If a
# verdict does not convince you, if a quotation is unfair to its note, or if you are one of the
# authors and want something changed, please write to us.
