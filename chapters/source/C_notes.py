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
# it, and put what they had understood where others could find it. We took their claims and formulas
# out of them, 86 in all, and asked of each: is it so, and how would one see it? The chapters are
# the answer; what is not asked in any of them is tried here.
#
# **What you need.** Nothing; the links lead into the chapters.
#
# **Time.** 5 minutes.

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
# processing with deep learning*), and 003 quotes it; 001 names Jay Alammar's [moving pictures of a
# translator](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/).
# The graph of quality by length in note 002 is credited there to [Stanford's
# CS224n](https://web.stanford.edu/class/cs224n/). Note 000 explains [Bahdanau, Cho and
# Bengio](https://arxiv.org/abs/1409.0473). Note 004 does not say whose lecture it was.
#
# The sentences in Korean are quotations. They belong to their authors, and the license of this book
# does not cover them.

# %% id="setup" tags=["setup"]
# set-up
import torch
from torch import nn

from attnbook import read_record
from attnlib.model import DotAttention, GeneralAttention

torch.set_num_threads(1)
_ = torch.manual_seed(1)

# %% [markdown] id="only-text"
# ## What only a note asks
#
# Some claims concern a line of a note's own code, or a question that no chapter needs. They are
# tried here.
#
# ### The code of note 002
#
# The note ends with a class for PyTorch. This is its arithmetic, beside `attnlib`'s general score.

# %% id="forward"
def note_002(h_src, h_t_tgt, linear, mask=None):
    """Note 002's forward pass: (B, S, H) and (B, 1, H) → the context (B, 1, H)."""
    query = linear(h_t_tgt.squeeze(1)).unsqueeze(-1)  # (B, H, 1)
    weight = torch.bmm(h_src, query).squeeze(-1)  # (B, S)
    if mask is not None:
        weight.masked_fill_(mask, -float("inf"))
    return torch.bmm(weight.softmax(-1).unsqueeze(1), h_src)


states, step = torch.randn(2, 5, 4), torch.randn(2, 1, 4)  # B = 2, S = 5, H = 4
linear, general = nn.Linear(4, 4, bias=False), GeneralAttention(4, 4)
weight = linear.weight.detach()
for name, matrix in (("the layer's weight", weight), ("its transpose", weight.T)):
    general.project.weight.data.copy_(matrix)  # W_a
    context, weights = general(step, states, states)
    gap = (context - note_002(states, step, linear)).abs().max()
    print(f"W_a = {name:18}  the contexts differ by {gap:.2f}")

# %% [markdown] id="forward-read"
# The same function, with $W_a$ transposed. The note's returns the context alone, so no heat map can
# be drawn. Its formulas have $c = H w$, with a *column* of $H$ for each source word. But
# $w = \mathrm{softmax}(h^\top W H)$ is a row:

# %% id="columns"
H, w = torch.randn(4, 5), torch.rand(1, 5).softmax(-1)  # (H, S), (1, S)
for name, right in (("H w", w), ("H wᵀ", w.T)):
    try:
        print(f"{name:5} {tuple((H @ right).shape)}")
    except RuntimeError:
        print(f"{name:5} the shapes do not fit")

# %% [markdown] id="steps-text"
# The note's function is made for one target step: with two `squeeze(1)` does nothing, and `bmm`
# meets a fourth dimension.

# %% id="steps"
for steps in (1, 2):
    queries = torch.randn(2, steps, 4)
    try:
        told = tuple(note_002(states, queries, linear).shape)
    except RuntimeError:
        told = "the shapes do not fit"
    ours = tuple(general(queries, states, states)[0].shape)
    print(f"target steps: {steps}   the note's: {told}   attnlib's: {ours}")

# %% [markdown] id="dimensions-text"
# What do `torch.bmm` and `torch.matmul` take?

# %% id="dimensions"
pairs = (
    ((3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((1, 3, 4), (2, 4, 5)),
    ((6, 2, 3, 4), (6, 2, 4, 5)),
)
for left, right in pairs:
    shapes = []
    for product in (torch.bmm, torch.matmul):
        try:
            shapes.append(str(tuple(product(torch.randn(left), torch.randn(right)).shape)))
        except RuntimeError:
            shapes.append("refused")
    print(f"{str(left):13}{str(right):15}bmm: {shapes[0]:12}matmul: {shapes[1]}")

# %% [markdown] id="mask-text"
# The note's mask is True at *padding*, and `masked_fill_` writes into its argument.

# %% id="mask"
scores = torch.tensor([[1.0, 2.0, 0.5]]).repeat(3, 1)
padding = torch.tensor([[0, 0, 1], [1, 1, 0], [1, 1, 1]]).bool()
scores.masked_fill_(padding, -float("inf"))
kinds = ("padding last", "upside down", "all padding")
for kind, before, after in zip(kinds, scores.tolist(), scores.softmax(-1)):
    print(f"{kind:14}scores now {before}, weights {[round(x, 2) for x in after.tolist()]}")

# %% [markdown] id="mask-read"
# The first row is right. In the second the mask has the opposite sense, and all the weight goes to
# the padding, without an error. In the third nothing is left: $0/0$, which spoils every gradient.

# %% [markdown] id="keys-text"
# ### Vectors as the keys of a dictionary

# %% id="keys"
try:
    {[0.1, 0.3, -0.7]: "dog"}
except TypeError as problem:
    print(type(problem).__name__)
dictionary = {torch.tensor([0.1, 0.3]): "dog"}
print("the same numbers found again:", torch.tensor([0.1, 0.3]) in dictionary)

# %% [markdown] id="keys-read"
# Python refuses a list, and finds a tensor only if it is the same object. Two tables, one of keys
# and one of values, do what is meant.

# %% [markdown] id="scores-text"
# ### What attention holds and what it computes

# %% id="scores-counted"
for words in (10, 20, 40, 80):
    keys = torch.randn(1, words, 128)
    _, weights = DotAttention(128, 128)(torch.randn(1, words, 128), keys, keys)
    kept = f"{keys.numel():6,} numbers in reach instead of 128"
    print(f"{words} words in, {words} out: {kept}, {weights.numel():5,} scores instead of 0")

# %% [markdown] id="length-text"
# ### Quality by length on the larger corpus
#
# In [chapter 05](05_attention.ipynb#cell-id=length-recorded) the lines of the easy corpus part, one
# level at 100 and one falling. These are the trainings of the larger one, 3,000 updates each, all
# on sentences of 3 to 50 tokens; both models have the same encoder and batches, and parameters
# within 5 %.

# %% id="length-larger"
larger = read_record("05_attention_ko-en")
ranges = [f"{low}–{high}" for low, high in larger["buckets"]]
print("BLEU, mean of three seeds" + "".join(f"{tokens:>8}" for tokens in ranges) + " tokens")
size, of_seeds = {}, {}
for name, variant in (("with attention", "luong"), ("without", "none")):
    runs = [run for run in larger["runs"] if run["variant"] == variant]
    of_seeds[name] = torch.tensor([run["bleu"] for run in runs])
    size[name] = runs[0]["parameters"]
    print(f"{name:25}" + "".join(f"{mean:8.0f}" for mean in of_seeds[name].mean(0).tolist()))

# %% id="length-check" tags=["check"]
# checks what the text says
one, other = of_seeds.values()
assert len(one) == len(other) == 3 and larger["buckets"][-1][1] == 50
assert abs(size["without"] / size["with attention"] - 1) < 0.05
assert (other.mean(0) < 0.55 * one.mean(0)).all()
assert (one.min(0).values > other.max(0).values).all()

# %% [markdown] id="length-read"
# Here both fall beyond 20 tokens, and at every length the translator without attention has about
# half of the other's score or less (and lies below it in every seed). "It does not fall with
# attention" holds for the easy corpus, at its ceiling; what holds on both is the distance.

# %% [markdown] id="end"
# ## If you find more
#
# What became of each claim stands in one file, `attnbook/ledger/assets/claims.md`, and tests hold
# it to the chapters: each claim has its original and a verdict, and each cell that is named exists.
# If a verdict does not convince you, if a quotation is unfair to its note, or if you are one of the
# authors and want something changed, please write to us.
