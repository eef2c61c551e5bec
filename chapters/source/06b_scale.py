# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 06b · The scale of a score
#
# *How large should a score be, and which one translates?*
#
# You will say what a divisor does to a softmax and its gradient, measure whether its premise holds
# in a translator, and compare scores there without fooling yourself.
#
# **What you need.** [06](06_scores.ipynb): the five scores, of which concat and additive are one
# function. Chapter 5's translator and alignment error rate (AER: 0 if all links agree with the gold
# links, 1 if none does). Chapter 4's temperature.
#
# **Time.** 20 minutes to read, 10 for exercise 6.3; the notebook runs in a few seconds.
#
# <details><summary>Plan</summary>
#
# Must be read: *Why divide by √H?*, *Five scores in one translator*, *Real captions*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(6)

# %% [markdown] id="scale-text"
# ## Why divide by √H?
#
# The scaled dot score of [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) is
# $s^\top h / \sqrt{H}$. A dot product sums $H$ products. If the numbers of query and key are
# independent with mean 0 and variance 1, each product has mean 0 and variance 1 as well, and
# variances of independent terms add up:
#
# $$\mathrm{Var}(s^\top h) = H \qquad\Rightarrow\qquad
# \mathrm{Var}\big(s^\top h / \sqrt{H}\big) = 1$$

# %% id="variance"
print("size H   variance of s·h   its root, the spread   spread of s·h / √H")
for size in (4, 16, 64, 256, 1024):
    a, b = (torch.randn(4000, size, generator=generator) for _ in range(2))
    products = (a * b).sum(-1)
    spread = products.std().item()
    numbers = f"{products.var():13.1f} {spread:20.1f} {spread / size**0.5:21.2f}"
    print(f"{size:6} {numbers}")

# %% [markdown] id="variance-read"
# $H$ grows 256 times, the **spread** (the standard deviation) $\sqrt{256} = 16$ times. With scores
# that lie 30 apart a softmax gives one key all the weight: $\sqrt{H}$ is a temperature, in chapter
# 4's sense.

# %% [markdown] id="saturation-text"
# ### What saturation does to the gradient
#
# A softmax row passes the gradient on through its **Jacobian**, the table of all its derivatives,
#
# $$\frac{\partial \alpha_j}{\partial e_k} = \alpha_j (\delta_{jk} - \alpha_k),$$
#
# where $\delta_{jk}$ is 1 if $j = k$ and 0 otherwise. When one weight goes to 1, all entries go to
# 0: the softmax is **saturated** (포화).
#
# First with *two* keys, half done: $\alpha_1 = \sigma(e_1 - e_2)$, a **sigmoid**, and
# $\alpha_2 = 1 - \alpha_1$. The loss has the derivatives $g_1$ and $g_2$ with respect to the
# weights. When $e_1$ rises a little, $\alpha_1$ rises by $\alpha_1 (1 - \alpha_1)$ times as much:
# that is in the line "yours". What has it forgotten about the second weight?

# %% id="faded"
gap = torch.tensor([1.0, 0.0], requires_grad=True)  # the two scores
g = torch.tensor([3.0, 2.0])  # ∂L/∂α
alpha = gap.softmax(0)
(auto,) = torch.autograd.grad((alpha * g).sum(), gap)
first = alpha[0].item()
yours = first * (1 - first) * g[0].item()  # yours: and the second weight?
print(f"autograd {auto[0]:.3f}, yours {yours:.3f}")

# %% [markdown] id="ex-through-softmax-text"
# ### Exercise 6.3 · Back through a softmax
# *Core, 10 minutes.* In exercise 4.3 raising score $k$ pulled the *answer* of a lookup by
# $\alpha_k (v_k - c)$. Inside a network, what comes back to the softmax is the gradient of some
# loss with respect to the weights, $g_j = \partial L / \partial \alpha_j$. Given $\alpha$ and $g$,
# both (..., S), return the gradient with respect to the scores, $\partial L / \partial e_k$,
# without autograd.
#
# <details><summary>Hint 1</summary>
#
# Chain rule: $\sum_j g_j\, \partial \alpha_j / \partial e_k$. Put the Jacobian in.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The part with $\delta_{jk}$ leaves one term, the other is a sum over j that does not depend on k.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The weight times how far g is above its mean, and the mean is weighted by α. Along which
# dimension, and which shape must it keep?
#
# </details>


# %% id="ex-through-softmax" tags=["exercise"]
@exercise
def through_softmax(weights, gradient):
    """∂L/∂e of the scores; weights α and gradient ∂L/∂α are both (..., S)."""
    raise NotImplementedError


# %% [markdown] id="stuck-text"
# ### A softmax that is surely wrong
#
# A context should be the first of two values, and the scores favor the second, by 1, by 4, by 12.
# The error grows. By which factor does the gradient that should repair it *fall*, from 1 to 12?

# %% id="stuck"
values, repair = torch.eye(2), []  # the context should be values[0]
for lead in (1.0, 4.0, 12.0):
    two = torch.tensor([0.0, lead], requires_grad=True)
    alpha = two.softmax(-1)
    loss = (alpha @ values - values[0]).square().sum()
    (auto,) = torch.autograd.grad(loss, two)
    g = 2 * (alpha @ values - values[0]) @ values.T  # ∂L/∂α
    torch.testing.assert_close(through_softmax(alpha, g), auto)
    repair.append(auto[0].abs().item())
    told = f"gradient of the right score {repair[-1]:.5f}"
    print(f"gap {lead:4.0f}: error {loss:.2f}, {told}")

# %% [markdown] id="stuck-read"
# The error is largest where the gradient is smallest. This is the argument of Vaswani et al. for
# $\sqrt{H}$ (they write $\sqrt{d_k}$, and offer it as a suspicion, §3.2.1). But the scores are not
# what is trained; the vectors are.
#
# <details><summary>And a loss on the weights themselves?</summary>
#
# Their cross-entropy would not suffer: its gradient is $\alpha - y$, where $y$ is 1 for the right
# key and 0 for the others. A translator has no such loss: nobody tells it the right weights, so
# everything it learns about scores passes the Jacobian.
#
# </details>

# %% [markdown] id="query-text"
# ### How much gradient reaches the query
#
# With keys in the rows of $K$ and scores $e = K q / c$, the weights depend on the query by
#
# $$\frac{\partial \alpha}{\partial q} = J K / c,$$
#
# where $J$ is the Jacobian of the softmax. With large $H$ and no divisor ($c = 1$) $J$ is small,
# but the keys are long; with $c = \sqrt{H}$ the divisor is paid a second time. Take 1,000 random
# queries with 20 random keys each, and the **Frobenius norm** of this matrix (the root of the sum
# of its squared entries). With plain dot, from $H = 4$ to $H = 1{,}024$: does the *mean* norm
# grow or shrink?

# %% id="query"
def query_gradients(size, divisor, count=1000, choices=20):
    """‖∂α/∂q‖ of random queries (N, H), each with its own keys (N, S, H): (N,)."""
    generator = torch.Generator().manual_seed(size)
    q = torch.randn(count, size, generator=generator, dtype=torch.double)
    keys = torch.randn(count, choices, size, generator=generator, dtype=torch.double)
    alpha = ((keys @ q.unsqueeze(-1)).squeeze(-1) / divisor).softmax(-1)
    mean_key = (alpha.unsqueeze(-1) * keys).sum(1, keepdim=True)
    rows = alpha.unsqueeze(-1) * (keys - mean_key) / divisor  # J K / c
    return rows.flatten(1).norm(dim=1)


SIZES = (4, 16, 64, 256, 1024)
SHARES = torch.tensor([0.05, 0.25, 0.5, 0.75, 0.95], dtype=torch.double)
norms, quantiles = {}, {}
for name in ("dot", "scaled dot"):
    divisors = [1.0 if name == "dot" else size**0.5 for size in SIZES]
    norms[name] = [query_gradients(size, c) for size, c in zip(SIZES, divisors)]
    quantiles[name] = torch.stack([found.quantile(SHARES) for found in norms[name]])

# %% id="query-numbers"
print("‖∂α/∂q‖      size H      mean     5 % are below    median    5 % are above")
for name, found in norms.items():
    for n in (0, 2, 4):
        low, _, median, _, high = quantiles[name][n]
        numbers = f"{found[n].mean():9.2f} {low:17.0e} {median:9.3f} {high:16.2f}"
        print(f"  {name:12} {SIZES[n]:4} {numbers}")

# %% id="query-check" tags=["check"]
# checks what the text says
for run in read_record("06_query_gradient")["runs"]:  # other random queries and keys
    name = run["variant"].replace("_", " ")
    for size, row, found in zip(SIZES, run["rows"], norms[name]):
        assert row["size"] == size
        check_range(found.mean(), row["mean"] / 1.3, row["mean"] * 1.3)
        check_range(found.median(), row["quantiles"][2] / 4, row["quantiles"][2] * 4)

# %% id="query-figure" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.9), sharey=True)
for ax, (name, rows) in zip(axes, quantiles.items()):
    rows = rows.clamp(min=1e-9)  # what lies below is drawn at the edge
    for low, high, alpha in ((0, 4, 0.15), (1, 3, 0.3)):
        ax.fill_between(SIZES, rows[:, low], rows[:, high], alpha=alpha, color=figures.PALETTE[0])
    ax.plot(SIZES, rows[:, 2], "o-", color=figures.PALETTE[0], label="median")
    ax.plot(SIZES, [x.mean() for x in norms[name]], "s--", color=figures.PALETTE[1], label="mean")
    ax.set(title=name, xlabel="size H of query and keys", yscale="log", ylim=(1e-9, 100))
    ax.set_xscale("log", base=2)
    ax.set_xticks(SIZES, SIZES)
axes[0].set_ylabel("‖∂α/∂q‖ (log scale)")
axes[0].legend(loc="lower left", frameon=False)
fig.suptitle("Gradient at 1,000 random queries (bands: half of them, and nine tenths)")
plt.show()

# %% [markdown] id="query-alt"
# <details><summary>The figure in words</summary>
#
# Two panels over sizes 4 to 1,024, the norm of the gradient on a logarithmic axis. Dot: the band of
# nine tenths of the queries is narrow at size 4 and opens like a funnel; at 1,024 it reaches from
# below a billionth, the edge of the panel, to above 10. The median falls to about a thousandth, and
# the dashed mean rises above 1. Scaled dot: a narrow level band near 0.28, mean and median together
# in its middle.
#
# </details>

# %% [markdown] id="query-read"
# With the plain dot product the gradient **vanishes for most queries and explodes for a few**. At
# $H = 1{,}024$ the median is below a hundredth of what it was, and the mean has *grown*: it is made
# by the few queries whose two best keys score nearly alike, so that $J$ is not small while $K$ is
# long. The divisor $\sqrt{H}$ buys not more gradient, but an even one: every query gets about the
# same, at every size.
#
# Mind the premise, though: *independent numbers of variance 1*.

# %% [markdown] id="translators-text"
# ## Five scores in one translator
#
# In a translator the vectors are *made* by networks that are trained along with the score, and may
# change until it fits. With which score does the whole learn best, on the same budget? Take chapter
# 5's translator with Luong's decoder, and exchange only the score. With $A = 64$ none wins by being
# bigger.

# %% id="matched"
from attnlib.data import WordVocabulary, load_corpus
from attnlib.model import make_seq2seq

corpus = load_corpus("ko-en-easy")
korean = WordVocabulary.build((p.src for p in corpus.train), pieces=corpus.src_pieces)
english = WordVocabulary.build(p.tgt for p in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
OPTIONS = {"dropout": 0.2}
KINDS = ("dot", "scaled_dot", "general", "concat", "additive")


def make_model(kind):
    """Chapter 5's translator with a score."""
    width = {"attention_size": 64} if kind in ("concat", "additive") else {}
    return make_seq2seq(len(korean), len(english), attention=kind, **width, **OPTIONS)


totals = {kind: sum(p.numel() for p in make_model(kind).parameters()) for kind in KINDS}
print("parameters:", ", ".join(f"{kind} {total:,}" for kind, total in totals.items()))
largest = max(totals.values()) / min(totals.values())
print(f"the largest is {100 * (largest - 1):.1f} % larger than the smallest")

# %% [markdown] id="record-text"
# Five scores with three **seeds** each are **recorded runs** of 1,000 updates
# (`python -m studies.scores_chapter`):


# %% id="records" tags=["hide-input"]
# reads the recorded runs
record = read_record("06_scores")


def recorded(variant, what, of=record):
    """One row per seed."""
    return torch.tensor([run[what] for run in of["runs"] if run["variant"] == variant])


def span(numbers, digits=0):
    return f"{numbers.min():.{digits}f} – {numbers.max():.{digits}f}"


def on_test(kind, name, what="bleu", of=record):
    """One number per seed, of another test than the usual one."""
    runs = [run["others"][name] for run in of["runs"] if run["variant"] == kind]
    return torch.tensor([run[what] for run in runs])

# %% id="length-numbers"
print("recorded, BLEU     4–10 tokens   11–40 tokens   41–50 tokens   new pairs")
for kind in KINDS:
    bleu = recorded(kind, "bleu")
    columns = [bleu[:, 0], bleu[:, 1:4], bleu[:, 4], on_test(kind, "test_composition")]
    print(f"  {kind:12}", *[f"{span(column):>14}" for column in columns])

# %% [markdown] id="length-read"
# **This is a ceiling.** Nearly everything lies between 95 and 100: the corpus is small and clean.
# Concat and additive, one and the same function, differ by up to two BLEU, so gaps of that size
# mean nothing. All five scores *work*; which is better shows only off the ceiling: in how soon the
# alignment is found, and on harder data.

# %% [markdown] id="found-text"
# ### Which score finds the alignment first?
#
# AER on 100 validation pairs, noted every 100 updates:

# %% id="found" tags=["hide-input"]
# draws the figure
from attnbook.figures import learning_curves

lines = {kind: recorded(kind, "aer_while") for kind in KINDS}
learning_curves(
    record["watched"],
    lines,
    title="Alignment error while training (recorded, mean and range of three seeds)",
    xlabel="updates",
    ylabel="alignment error rate (0 to 1)",
)
plt.show()

# %% [markdown] id="found-alt"
# <details><summary>The figure in words</summary>
#
# Alignment error rate against 100 to 1,000 updates, falling from about 0.9 for all. Dot falls first
# and is near 0.2 after 300 updates, general follows, then scaled dot, then concat and additive,
# close together. At the end all lie below 0.2, dot, scaled dot and general near 0.1.
#
# </details>

# %% id="found-numbers"
from attnlib.model import make_attention

print("recorded       AER after 300 updates   at the end (test)   weight on gold links")
for kind in KINDS:
    early, late = recorded(kind, "aer_while")[:, 2], recorded(kind, "aer")
    mass = span(recorded(kind, "probability_mass"), 2)
    print(f"  {kind:12} {span(early, 2):>21} {span(late, 2):>19} {mass:>22}")
additive = make_attention("additive", 128, 128, 64)
concat = make_attention("concat", 128, 128, 64)
starts = additive.from_query.weight.std(), concat.weight.std()
print("initialization, spread: additive {:.3f}, concat {:.3f}".format(*starts))

# %% [markdown] id="found-read"
# - *Dot first, concat last*, at one learning rate for all. It is not the number of parameters:
#   scaled dot has none and is slower than general.
# - *Concat and additive*, the same function, do not coincide after 300 updates: additive's matrices
#   start about 1.4 times as large. A gap of that size between two scores need not be about the
#   scores.
# - *Scaled dot is soft*: it puts about half of the weight on the gold links, dot and general about
#   four fifths or more.

# %% [markdown] id="premise-text"
# ## Does a translator meet the premise?
#
# Scaled dot is softer than dot and slower to align. But was scaling not a good thing? With numbers
# of variance 1, dot products of 128 numbers have a spread of 11.3. What is it in an *untrained*
# translator? A softmax sees only differences within a row, so that is where it must be measured.

# %% id="predict-spread"
predict("06b.spread", ...)

# %% id="premise"
from attnlib.data import make_batch


@torch.no_grad()
def spread_of(model):
    """The spread of s·h in a row: 64 training pairs, without the padding."""
    batch = make_batch([x for x, _ in ids[:64]], [y for _, y in ids[:64]])
    memory, decoder = model.encode(batch.src, batch.src_mask), model.decoder
    words = decoder.embed(batch.tgt_in).unsqueeze(1)
    states, _ = decoder.run(words, decoder.start(memory))
    scores = states.squeeze(1) @ memory.states.transpose(1, 2)  # (B, T, S)
    tables = zip(scores, batch.tgt_mask, batch.src_mask)
    rows = [table[words][:, keys].var(-1, correction=0) for table, words, keys in tables]
    return torch.cat(rows).mean().sqrt().item()


seed_everything(1)
measured = spread_of(make_model("dot").eval())
with reveal("06b.spread", measured, within=0.1):
    print(f"the premise says {128**0.5:.1f}")
    print(f"before training  {measured:.3f}")

# %% [markdown] id="premise-read"
# <details><summary>What it says</summary>
#
# The scores are far too *small*. The numbers in an LSTM's state lie between −1 and 1, and before
# training close to 0. Dividing by 11.3 flattens an almost flat softmax still further, and training
# has to stretch the vectors first.
#
# A Transformer normalizes its vectors before it compares them (chapter 11), so that it starts about
# where the premise assumes. There $\sqrt{H}$ has its good reason.
#
# </details>

# %% [markdown] id="captions-text"
# ## Real captions
#
# A grammar wrote our corpus. People wrote Multi30k: captions of photos, German to English, on
# which chapter 10 trains. Recorded trainings of its preset "quick" (`studies/multi30k.py`) with
# another score and nothing else changed, beside a decoder without attention:

# %% id="captions" tags=["hide-input"]
# prints the table of recorded runs
captions = read_record("10_models")["runs"] + read_record("06_scaled_dot")["runs"]
captions = [run for run in captions if run["preset"] == "quick"]
print("recorded, three trainings each  parameters     BLEU, greedy     BLEU, beam of 5")
greedy = {}
for kind in ("none", *KINDS):
    runs = [run for run in captions if run["model"] == kind]
    greedy[kind] = torch.tensor([run["bleu"]["test greedy"] for run in runs])
    beam = torch.tensor([run["bleu"]["test beam 5"] for run in runs])
    millions = f"{runs[0]['parameters'] / 1e6:.2f} million"
    print(f"  {kind:22} {millions:>18} {span(greedy[kind], 1):>16} {span(beam, 1):>19}")
told = ", ".join(f"{kind} {bleu.mean():.1f}" for kind, bleu in greedy.items())
print("greedy, means:", told)
curves = {
    kind: torch.tensor([r["curve"]["valid bleu, greedy"] for r in captions if r["model"] == kind])
    for kind in ("dot", "scaled_dot")
}  # (trainings, 3)
gaps = curves["dot"].mean(0) - curves["scaled_dot"].mean(0)
gaps = ", ".join(f"{gap:.1f}" for gap in gaps)
print(f"dot ahead of scaled_dot, validation, after 600, 1,200, 1,800 updates: {gaps}")

# %% id="captions-check" tags=["check"]
# checks what the text says
assert greedy["none"].max() + 8 < greedy["scaled_dot"].min()
for kind in ("dot", "general", "concat", "additive"):
    assert greedy["scaled_dot"].max() + 3 < greedy[kind].min()
for ahead in ("dot", "general"):
    for behind in ("concat", "additive"):
        assert greedy[ahead].min() > greedy[behind].max()

# %% [markdown] id="captions-read"
# Here is room above, and there are three answers.
#
# - *Any attention at all* is worth about ten points or more.
# - *Dividing by $\sqrt{H}$*, a mere constant, costs dot between four and six points, with every
#   seed and either search. This fits what was just measured: states that start with a small
#   variance must be stretched first, and that takes updates. The gap becomes smaller while the two
#   train; whether it would close these runs do not say.
# - *Among the other four* it is a point or two. With greedy search all six trainings of dot and
#   general are ahead of all six of concat and additive, which have more parameters (if nothing
#   differed, a split as clean as this, either way round, would come in one case of 462). With a
#   beam they overlap.
#
# <details><summary>A comparison with several trainings of each kind, and longer vectors</summary>
#
# [Britz et al. (2017)](D_papers.ipynb#cell-id=britz-2017) report that additive attention was
# slightly ahead of the multiplicative score (a matrix on each side, and *unscaled*), which fell
# behind clearly when the projected vectors had 1,024 numbers. Ours are shorter and can say nothing
# on that.
#
# </details>

# %% [markdown] id="choose"
# ## Which one, then?
#
# | take | if |
# |---|---|
# | dot | both sides have the same size and are trained together: nothing to learn, quickest here |
# | general | the sizes differ, or the two spaces are given and cannot move |
# | scaled dot | the vectors have variance about 1 and are long, as in a Transformer |
# | concat, additive | the map between the spaces is nonlinear, and memory allows; with a bias |
#
# And with any of them watch the largest weight: if it is near 1 while the loss is still high, or
# near $1/S$ when it has stopped falling, suspect the scale.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - With numbers of variance 1 a dot product has variance $H$, and the gradient at the query
#   vanishes for most queries and explodes for a few; $\sqrt{H}$ makes it even. A softmax that is
#   surely wrong passes hardly any.
# - In our LSTM translator the scores are tiny before training: the premise of $\sqrt{H}$ does not
#   hold there.
# - On captions any attention is worth about ten BLEU or more, and $\sqrt{H}$ costs four to six; the
#   other four scores differ by one or two.
#
# **Left out.** Longer vectors (Britz et al.). A learning rate tuned for each score: one that learns
# late may only want another rate.
#
# <details><summary>Papers</summary>
#
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (§3.2.1);
# [Britz et al. 2017](D_papers.ipynb#cell-id=britz-2017).
#
# </details>
#
# **Next.** In training the decoder has read the *right* previous word at every step.
# [Chapter 07](07_teacher_forcing.ipynb) asks what happens when it has to live with its own.
