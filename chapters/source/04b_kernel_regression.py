# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 04b · Lookup as regression
#
# *How does a lookup learn what is near?*
#
# **What you will be able to do.** Derive the gradient of a lookup by hand, and say why attention is
# soft. Recognize attention in a method of statistics from 1964, and measure when it is a good one.
#
# **What you need.** [Chapter 04](04_keys_and_values.ipynb): a lookup gives each value a weight, the
# softmax of the scores; scores divided by a temperature τ are sharper where it is cold. Its
# dictionary gave for *puppy* the scores .1 (computer, value 9), .9 (dog, 2) and .7 (cat, 3), and
# the answer 3.748. 40 minutes to read, 47 for exercises 4.4 to 4.6; less than half a minute to run.
#
# <details><summary>Plan</summary>
#
# Must be read: *Why soft?*, *The same lookup, fifty years earlier*, *Many queries, many
# dictionaries, one call*. May be skipped: *From distance to dot product*, and *A similarity that is
# learned* (the open experiment builds on it).
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, reveal, views
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(4)

# %% [markdown] id="gradient-text"
# ## Why soft? A hard lookup cannot learn
#
# The main reason for softness is the gradient. Put three keys on a line, at 1, 2 and 4, with our
# values 9, 2 and 3, and let the query be a number. The **hard lookup** takes the nearest key; for
# the soft one, the score is minus half the squared distance. (In networks they are called **hard
# attention** and **soft attention**, after [Xu et al. 2015](D_papers.ipynb#cell-id=xu-2015).) At
# the query 1.3, how fast does each answer change?

# %% id="finite-differences"
# The dictionary of chapter 04, which was asked for "puppy".
words = ("computer", "dog", "cat")
values = torch.tensor([9.0, 2.0, 3.0], dtype=torch.double)
places = torch.tensor([1.0, 2.0, 4.0], dtype=torch.double)


def hard(x):
    return values[(x - places).abs().argmin()]


def soft(x, tau=0.15):
    return (-0.5 * (x - places) ** 2 / tau).softmax(0) @ values


x = torch.tensor(1.3, dtype=torch.double, requires_grad=True)
for name, way in (("hard", hard), ("soft", soft)):
    slope = (way(x + 1e-4) - way(x - 1e-4)) / 2e-4  # finite differences: try it
    try:
        told = f"{torch.autograd.grad(way(x), x)[0]:.3f}"
    except RuntimeError:
        told = "no path back to x"
    print(f"{name}: by trying {slope:.3f}, by autograd {told}")

# %% id="gradient-figure" tags=["hide-input"]
# draws the figure
line_of_queries = torch.linspace(0, 5, 400, dtype=torch.double)
fig, axes = plt.subplots(2, 1, figsize=(7.5, 5), sharex=True)
ways = {"hard": hard, "soft, τ = 0.15": soft, "soft, τ = 1.5": lambda x: soft(x, 1.5)}
for n, (name, way) in enumerate(ways.items()):
    replies = torch.stack([way(x) for x in line_of_queries])
    look = {"color": figures.PALETTE[(6, 0, 1)[n]], "label": name}
    look["linestyle"] = (":", "-", "--")[n]
    axes[0].plot(line_of_queries, replies, **look)
    steepness = replies.diff() / line_of_queries.diff()
    steepness = steepness.masked_fill(steepness.abs() > 30, torch.nan)  # not at a step
    axes[1].plot(line_of_queries[1:], steepness, **look)
axes[0].plot(places, values, "o", color="#444444", ms=8, label="keys and values")
axes[0].set(ylabel="answer (a value)")
axes[0].set_title("The answer, and its slope, as the query moves")
axes[1].set(xlabel="query x", ylabel="slope of the answer")
axes[0].legend(fontsize=9)
plt.show()

# %% [markdown] id="gradient-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two panels against the query from 0 to 5. Above: the hard answer is a staircase of three steps, 9,
# 2, 3; the soft answer with temperature 0.15 follows it in a smooth curve; with temperature 1.5 it
# falls gently all the way. Below: the slope of the hard answer is 0 everywhere; that of the colder
# soft one has a deep dip at the first step and a small bump at the second, and is 0 in between and
# outside; that of the warmer one is a little below 0 nearly everywhere.
#
# </details>

# %% [markdown] id="gradient-read"
# The hard answer does not change *at all*: its gradient is zero everywhere except at the steps,
# where there is none. Nothing tells the query which way to go. The soft answer has a slope, so it
# can be trained.
#
# But away from the steps the colder curve is as flat as the hard one (**saturation**). *Cold
# lookups focus well and learn badly.* And who exactly gets no gradient?

# %% id="value-gradient"
nearest = (x - places).abs().argmin()
trained = values.clone().requires_grad_()
slopes = torch.autograd.grad(trained[nearest], trained)[0]
print("hard lookup, slope for the three values:", slopes.tolist())

# %% [markdown] id="value-gradient-read"
# The fetched *value* does get one, even from a hard lookup. It is the query and the keys, the
# choice itself, that gradients cannot train.

# %% [markdown] id="by-hand-ask"
# ### The gradient by hand
#
# How does the answer of a soft lookup change with one score? Here is the first step, on two keys,
# half done. Raise the *first* score a little and watch both weights. The slope of the first is
# given; put that of the second in place of the dots.

# %% id="faded"
pair = torch.tensor([1.0, 0.0], dtype=torch.double)
first, second = pair.softmax(0)
raised = (pair + torch.tensor([1e-6, 0.0])).softmax(0)
tried = (raised - pair.softmax(0)) / 1e-6
print("by trying: ", [round(slope, 4) for slope in tried.tolist()])
slope_of_first = first * (1 - first)  # the quotient rule, on e^a / (e^a + e^b)
slope_of_second = ...  # yours: raising the first score changes the second weight, too
print("by formula:", round(slope_of_first.item(), 4))
if slope_of_second is not ...:
    print("yours:     ", round(float(slope_of_second), 4))

# %% [markdown] id="ex-lookup-gradient-text"
# ### Exercise 4.4 · The gradient of a lookup
# *Hard, 20 minutes.* Scores (S,), values (S, H), one vector per key; a score may be as large as
# 200. Return the gradient (S, H): row $j$ holds $\partial c / \partial e_j$. For `kind="soft"` the
# answer is $c = \sum_k \alpha_k v_k$ with $\alpha = \mathrm{softmax}(e)$; for `kind="hard"` it is
# the value of the largest score. Without autograd, please: the formula is shorter. It stands below
# the exercise; do not look yet.
#
# <details><summary>Hint 1</summary>
#
# The hard answer: add a little to any score. Does it change?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The soft answer: find $\partial \alpha_k / \partial e_j$ first, for $k = j$ and for $k \ne j$. For
# two keys you have just seen both.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Sum $v_k\, \partial \alpha_k / \partial e_j$ over $k$. Everything has the factor $\alpha_j$; in
# what is left you meet $c$ again.
#
# </details>

# %% id="ex-lookup-gradient" tags=["exercise"]
@exercise
def lookup_gradient(scores, values, kind):
    """Row j = ∂c/∂e_j, kind "soft" or "hard". scores (S,), values (S, H) → (S, H)."""
    raise NotImplementedError

# %% [markdown] id="by-hand-text"
# ### What the gradient says
#
# When score $j$ rises, its weight rises, and all weights, $j$'s too, shrink by one factor so that
# the sum stays 1. Written out, $\partial \alpha_k / \partial e_j = \alpha_k ([k = j] - \alpha_j)$,
# where $[k = j]$ is 1 for the key itself and 0 for the others. Summed up:
#
# $$\frac{\partial c}{\partial e_j} = \alpha_j\,(v_j - c)$$
#
# It is worth reading aloud. *Raising a score pulls the answer toward its value, in proportion to
# the weight it already has.* A value equal to the answer has no pull, nor has a key with no weight.
# In a cold lookup every key is nearly one or the other: that is why it learns badly.

# %% id="gradient-agree"
e = torch.tensor([0.1, 0.9, 0.7], dtype=torch.double, requires_grad=True)
by_autograd = torch.autograd.grad(e.softmax(0) @ values, e)[0]
by_formula = lookup_gradient(e.detach(), values.unsqueeze(1), "soft").squeeze(1)
for word, formula, autograd in zip(words, by_formula, by_autograd):
    print(f"{word:8} by formula {formula:5.2f}, by autograd {autograd:5.2f}")

# %% [markdown] id="gradient-agree-read"
# Formula and autograd agree. More similarity with *computer*, whose 9 lies above the answer 3.748,
# would raise it; more with *dog* or *cat* would lower it. The slopes sum to 0: raising all scores
# together changes nothing.

# %% [markdown] id="descent-text"
# ### Learning the similarity
#
# Suppose we know no similarities, only that the answer for `puppy` should be 2.2. Start with three
# equal scores and follow the gradient of the squared error. Then wish for the answer 10: at which
# answer will the same descent come to rest?

# %% id="predict-ten"
predict("04b.ten", ...)

# %% id="descent"
def descend(wanted, kind, updates=300):
    e = torch.zeros(3, dtype=torch.double)
    for _ in range(updates):
        answer = e.softmax(0) @ values if kind == "soft" else values[e.argmax()]
        slope = lookup_gradient(e, values.unsqueeze(1), kind).squeeze(1)  # (S,)
        e = e - 0.1 * 2 * (answer - wanted) * slope
    return e, answer


descents = ((2.2, "hard"), (2.2, "soft"), (10.0, "soft"))
ends = [descend(wanted, kind) for wanted, kind in descents]  # scores, answer
with reveal("04b.ten", ends[-1][1], within=0.3):
    for (wanted, kind), (e, answer) in zip(descents, ends):
        rounded = [round(w, 2) for w in e.softmax(0).tolist()]
        print(f"{kind}, wanted {wanted:4}: answer {answer:.2f}, weights {rounded}")

# %% id="descent-check" tags=["check"]
# checks what the text says
torch.testing.assert_close(by_formula, by_autograd)
assert (descend(2.2, "hard")[0] == 0).all()

# %% [markdown] id="descent-read"
# <details><summary>What it says</summary>
#
# For 2.2 the soft lookup has made *puppy* most like *dog*, a little like *cat* and not like
# *computer*. (Others would serve as well: one answer does not settle three similarities.) The hard
# one has learned nothing: its scores are still equal. And 10 is out of reach: weights that are
# positive and sum to 1 give an average, a **convex combination**, which never leaves the range of
# the values.
#
# In a network the scores are computed from a query and keys; the gradient goes on into those.
#
# </details>

# %% [markdown] id="kernel-text"
# ## The same lookup, fifty years earlier
#
# Statisticians know this problem as regression. Given points $(x_i, y_i)$, what is $y$ at a new
# $x$? [Nadaraya](D_papers.ipynb#cell-id=nadaraya-1964) and
# [Watson](D_papers.ipynb#cell-id=watson-1964) answered independently in 1964: *the average of all
# $y_i$, weighted by how near $x_i$ is*,
#
# $$\hat y(x) = \frac{\sum_i K\!\left(\frac{x - x_i}{h}\right) y_i}
# {\sum_i K\!\left(\frac{x - x_i}{h}\right)}, \qquad K(u) = e^{-u^2/2}.$$
#
# $K$ is called the **kernel**, here the *Gaussian*. A *boxcar*, 1 up to a distance and 0 beyond it,
# brings 0/0 back wherever no point is near; the Gaussian is positive everywhere. So this is a ratio
# of positive similarities, which is the softmax of their logarithms:
#
# | **kernel regression** | attention |
# |---|---|
# | a new point $x$ | query |
# | the known points $x_i$ | keys |
# | their answers $y_i$ | values |
# | $-\tfrac12 \lVert x - x_i \rVert^2$ | score |
# | **bandwidth** squared, $h^2$ | temperature $\tau$ |
#
# Take 50 noisy points on a curve that we know as keys and values. The points that the query looks
# at grow with their weights; the orange line is what the lookup answers at every $x$. **Which
# bandwidth makes it follow the dashed curve best?**

# %% id="data"
def curve(x):
    return torch.sin(2 * x) + 0.5 * x


def draw(count):
    x = 5 * torch.rand(count, 1, generator=generator, dtype=torch.double)
    noise = 0.3 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, curve(x).squeeze(1) + noise


points, answers = draw(50)

# %% id="kernel-view"
axis = torch.linspace(0, 5, 101, dtype=torch.double)
views.kernel_view(
    points,
    answers,
    truth=torch.stack([axis, curve(axis)], dim=1),
    bandwidth=2.0,
    title="Fifty noisy points, asked at x",
)

# %% [markdown] id="ex-nadaraya-watson-text"
# ### Exercise 4.5 · Nadaraya and Watson
# *Core, 12 minutes.* Points may have $D$ coordinates: query (T, D), keys (S, D), values (S,),
# `bandwidth` $h$ a number. Return the $T$ predictions. A query far away from all keys must get an
# answer, too (not NaN): in numbers on a computer $e^{-1000}$ is 0.
#
# <details><summary>Hint 1</summary>
#
# You need the distance of every query to every key, (T, S). A new dimension in the query lets the
# difference be taken for all pairs at once, (T, S, D).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Where all kernels are 0, a ratio is 0/0. The softmax of the logarithms is the same ratio and does
# not mind: what is the logarithm of K?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Three lines, as always: scores (T, S), with the bandwidth in them; weights over the keys; weights
# times values.
#
# </details>

# %% id="ex-nadaraya-watson" tags=["exercise"]
@exercise
def nadaraya_watson(query, keys, values, bandwidth):
    """Kernel regression, K(u) = exp(−u²/2). (T, D), (S, D), (S,), a number → (T,)."""
    raise NotImplementedError

# %% [markdown] id="data-text"
# ### Three bandwidths
#
# Now with your function, and below each curve the weights of every query on every key, as a heat
# map.

# %% id="bandwidth-figure" tags=["hide-input"]
# draws the figure
grid = torch.linspace(-0.5, 5.5, 600, dtype=torch.double).unsqueeze(1)
in_order = points.squeeze(1).argsort()  # the keys from left to right
orange, gray, sky = (figures.PALETTE[n] for n in (1, 6, 5))
fig, axes = plt.subplots(2, 3, figsize=(9.5, 6.4), sharey="row")
for (top, low), h in zip(axes.T, (0.01, 0.2, 2.0)):
    top.plot(grid, curve(grid), ":", color=gray, label="true curve")
    top.plot(points, answers, "o", color=sky, markersize=4, label="keys, values")
    found = nadaraya_watson(grid, points, answers, h)
    top.plot(grid, found, color=orange, label="lookup")
    top.set(title=f"bandwidth h = {h}", xlabel="x (query)")
    squares = (grid[::10] - points[in_order].T) ** 2  # (T, S) = (60, 50)
    looks = (-squares / (2 * h**2)).softmax(1)
    place = {"origin": "lower", "extent": (0, 50, -0.5, 5.5), "aspect": "auto"}
    low.imshow(looks, cmap="Blues", **place)
    low.set(title=f"largest weight {looks.max():.2f}", xlabel="key, from left to right")
    low.grid(visible=False)
axes[0, 0].set_ylabel("y (value)")
axes[1, 0].set_ylabel("x (query)")
axes[0, 2].legend(fontsize=9)
fig.suptitle("One lookup, three bandwidths (below: its weights, darkest = largest)")
plt.show()

# %% [markdown] id="bandwidth-figure-alt"
# <details><summary>The figure in words</summary>
#
# Above, three panels with the same 50 points around a wavy rising curve. With bandwidth 0.01 the
# lookup is a jagged staircase through every point; with 0.2 it follows the true curve, rounding its
# peaks off a little; with 2 it is almost a straight, gently rising line that misses the waves.
# Below, three heat maps, one row per query and one column per key. The first has a thin dark
# staircase from bottom left to top right, the second a soft band along the same path, the third is
# dark in two broad patches, at the bottom left and at the top right, and paler everywhere else.
#
# </details>

# %% [markdown] id="bandwidth-read"
# Cold copies the nearest point with its noise (**overfitting**), hot averages the curve away
# (**underfitting**). Beyond the last points the cold answer stays level while the curve goes on: a
# lookup cannot answer what it has not stored (**extrapolation**).
#
# ### Choosing the bandwidth
#
# Outside of a textbook nobody knows the true curve. The usual way is **leave-one-out
# cross-validation**: predict each of the 50 points from the 49 others, that is, forbid each query
# to look up itself. A forbidden key gets the score $-\infty$ **before** the softmax, so that its
# weight is $e^{-\infty} = 0$. This is a **mask**.

# %% [markdown] id="ex-leave-one-out-text"
# ### Exercise 4.6 · Leave one out
# *Core, 15 minutes.* keys (S, D), values (S,), `bandwidth` $h$. Return (S,): for each of the
# $S \ge 2$ points what kernel regression predicts at its place from the *other* points. Two points
# may lie at the same place; only the point itself is forbidden. A learned similarity will send
# gradients through your function, so stay with tensors.
#
# <details><summary>Hint 1</summary>
#
# The keys are their own queries. Their squared distances are (S, S). Which entries of this matrix
# belong to a point and itself?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `torch.eye(S, dtype=torch.bool)` is True exactly there, and `masked_fill` writes a number where a
# mask is True.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Scores (S, S) as in exercise 4.5, then $-\infty$ on the diagonal, then softmax and values. The
# weights of the others sum to 1 by themselves.
#
# </details>

# %% id="ex-leave-one-out" tags=["exercise"]
@exercise
def leave_one_out(keys, values, bandwidth):
    """Each value, predicted from all others. keys (S, D), values (S,) → (S,)."""
    raise NotImplementedError

# %% [markdown] id="held-out-text"
# ### A contest
#
# Over 20 data sets drawn anew, measure the error (root mean square) on 500 **held-out** points.
# Kernel regression has its bandwidth chosen by leaving one out, and so has the mean of the $k$
# nearest values its $k$. The noise makes an error of 0.30 that nothing can predict. Which error
# will the nearest key have, the hard lookup?

# %% id="predict-nearest"
predict("04b.nearest", ...)

# %% id="held-out"
def rms(prediction, truth):
    return (prediction - truth).square().mean().sqrt().item()


bandwidths = torch.logspace(-2, 1, 40, dtype=torch.double)


def best_bandwidth(x, y):
    return min(bandwidths.tolist(), key=lambda h: rms(leave_one_out(x, y, h), y))

# %% id="baselines"
def polynomial(x, y, new, degree):
    """Least squares with powers of x up to the degree."""
    design, ask = (
        torch.cat([(z / 2.5 - 1) ** k for k in range(degree + 1)], 1) for z in (x, new)
    )
    return ask @ torch.linalg.lstsq(design, y).solution


def k_nearest(x, y, new, k):
    return y[(new - x.T).abs().topk(k, largest=False).indices].mean(1)


def best_k(x, y):
    """How many of the others predict each point best."""
    others = (x - x.T).abs().fill_diagonal_(torch.inf).argsort(1)
    return min(range(1, 21), key=lambda k: rms(y[others[:, :k]].mean(1), y))


def contest(x, y, new, truth):
    h = best_bandwidth(x, y)
    return {
        "mean of all values": rms(y.mean(), truth),
        "straight line": rms(polynomial(x, y, new, 1), truth),
        "nearest key (hard lookup)": rms(k_nearest(x, y, new, 1), truth),
        "k nearest keys (hard)": rms(k_nearest(x, y, new, best_k(x, y)), truth),
        "kernel regression": rms(nadaraya_watson(new, x, y, h), truth),
        "polynomial of degree 7": rms(polynomial(x, y, new, 7), truth),
    }

# %% id="error-figure" tags=["hide-input"]
# draws the figure
def draw_errors():
    """Held-out error against the bandwidth."""
    by_width = torch.tensor(
        [
            [rms(nadaraya_watson(new, x, y, h), truth) for h in bandwidths]
            for x, y, new, truth in sets
        ]
    )
    fig, ax = plt.subplots(figsize=(7.5, 3.8))
    ax.semilogx(bandwidths, by_width.T, color="#bbbbbb", linewidth=0.8)
    blue, orange, gray = (figures.PALETTE[n] for n in (0, 1, 6))
    ax.semilogx(bandwidths, by_width.mean(0), color=blue, label="mean of 20 data sets")
    ax.axhline(sum(hard_errors) / 20, linestyle="--", color=orange, label="nearest key")
    ax.axhline(0.3, linestyle=":", color=gray, label="noise alone")
    ax.set(xlabel="bandwidth h = √τ (log scale, units of x)", ylim=(0.2, 1.2))
    ax.set(ylabel="held-out error (units of y)")
    ax.set(title="Too cold, right, too hot (gray: single data sets)")
    ax.legend(loc="upper left")
    plt.show()

# %% id="measure"
sets = [(*draw(50), *draw(500)) for _ in range(20)]
results = [contest(*one) for one in sets]
hard_errors = [result["nearest key (hard lookup)"] for result in results]
wins = sum(r["kernel regression"] < nearby for r, nearby in zip(results, hard_errors))
with reveal("04b.nearest", sum(hard_errors) / 20, within=0.03):
    for name in results[0]:
        errors = torch.tensor([result[name] for result in results])
        print(f"{name:26} error {errors.mean():.2f} ± {errors.std():.2f}")
    print(f"kernel regression better than the nearest key: {wins} of 20")
    print(f"the noise once: 0.30; counted twice, √2 · 0.30 = {2**0.5 * 0.3:.2f}")
    draw_errors()

# %% [markdown] id="error-figure-alt"
# <details><summary>The figure in words</summary>
#
# Held-out error against the bandwidth from 0.01 to 10 on a log scale: 20 thin gray curves and their
# mean in blue. On the left they lie at the level of the nearest key, about 0.44, sink to a minimum
# of about 0.34 near 0.2, close to the noise of 0.3, and climb to 1 on the right.
#
# </details>

# %% [markdown] id="measure-read"
# <details><summary>What it says</summary>
#
# The nearest key makes about $\sqrt2$ times the error of the noise, and for a reason: the held-out
# point has its own noise, the key's value another of the same size, and the squares of independent
# errors add up, $\sqrt{0.3^2 + 0.3^2} = 0.42$. **One point brings its noise along, and averaging
# removes it**: the mean of the $k$ nearest values, still a hard lookup, has most of the gain. Soft
# weights add the rest, and the gradient. A polynomial whose degree suits the curve does about as
# well. But a lookup assumes no shape (it is **nonparametric**), only a notion of *near*.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# The nearest key makes a little more than 0.42 because it lies to one side of the query. ± is the
# standard deviation over the 20 data sets, which share one curve and one strength of noise. The
# degree 7 was chosen knowing the curve, the bandwidth without knowing it: the comparison is kind to
# the polynomial.
#
# </details>

# %% [markdown] id="dot-kernel-text"
# ### From distance to dot product
#
# In a translator the score is a dot product, not a distance. Multiply out:
#
# $$-\tfrac12 \lVert q - k_j \rVert^2 = q^\top k_j - \tfrac12 \lVert q \rVert^2
# - \tfrac12 \lVert k_j \rVert^2$$
#
# The middle term is the same for all keys, so the softmax does not see it. What must hold for the
# last term, so that both scores give the same weights?

# %% id="dot-kernel"
q = torch.randn(5, generator=generator, dtype=torch.double)
unit = F.normalize(torch.randn(8, 5, generator=generator, dtype=torch.double), dim=1)
lengths = torch.linspace(0.5, 4, 8, dtype=torch.double).unsqueeze(1)
for name, k in (("lengths from 0.5 to 4", lengths * unit), ("all of length 1", unit)):
    by_distance = (-(q - k).square().sum(1) / 2).softmax(0)
    apart = (by_distance - (k @ q).softmax(0)).abs().max()
    print(f"{name:21}: a weight differs by at most {apart:.2f}")

# %% [markdown] id="dot-kernel-read"
# It must not depend on the key. For keys of equal length, attention with a dot product *is*
# Nadaraya and Watson's regression. Otherwise long keys have an advantage.

# %% [markdown] id="learn-text"
# ## A similarity that is learned
#
# Near in *what*? Take points with six coordinates, of which only the first two matter for $y$. With
# a single bandwidth, two points that agree in what matters seem far apart because of the rest. Give
# each coordinate an importance $w_d$ in the score,
#
# $$e_{ij} = -\tfrac12 \sum_d w_d^2\,(x_{id} - x_{jd})^2,$$
#
# and learn the six $w_d$ by gradient descent on the leave-one-out error, a small piece of **metric
# learning**. What will become of the four useless coordinates?

# %% id="learn"
def draw_wide(count, useless=4):
    x = torch.rand(count, 2 + useless, generator=generator, dtype=torch.double)
    noise = 0.2 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, torch.sin(6 * x[:, 0]) + 2 * x[:, 1] + noise


def learn(x, y, start, updates=150):
    w = torch.full((x.shape[1],), start, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.2)
    for _ in range(updates):
        loss = (leave_one_out(x * w, y, 1.0) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return w.detach().abs()

# %% id="learn-measure"
def compare(x, y, new, truth):
    def error(a, b, h):  # of the points b, looked up among the points a
        return rms(nadaraya_watson(b, a, y, h), truth)

    h, useful = best_bandwidth(x, y), best_bandwidth(x[:, :2], y)
    w, cold = learn(x, y, start=1 / h), learn(x, y, start=10 / h)
    ones = [F.pad(z, (0, 1), value=1.0) for z in (x, new)]  # the intercept
    line = ones[1] @ torch.linalg.lstsq(ones[0], y).solution
    return w, {
        "straight line": rms(line, truth),
        "one bandwidth": error(x, new, h),
        "one bandwidth, only the two useful": error(x[:, :2], new[:, :2], useful),
        "learned similarity": error(x * w, new * w, 1.0),
        "learned, begun at bandwidth h/10": error(x * cold, new * cold, 1.0),
    }


learned, compared = zip(*(compare(*draw_wide(150), *draw_wide(500)) for _ in range(5)))

# %% id="learn-numbers" tags=["hide-input"]
# prints the errors
print("held-out error, mean of 5 data sets and the worst (noise alone: 0.20)")
for name in compared[0]:
    five = [one[name] for one in compared]
    sign = "≈" if name.startswith("learned") else " "
    print(f"  {name:36}{sign}{sum(five) / 5:.2f}  {sign}{max(five):.2f}")

# %% id="learn-check" tags=["check"]
# checks what the text says
by_name = {name: [one[name] for one in compared] for name in compared[0]}
check_range(sum(by_name["learned similarity"]) / 5, 0.2, 0.28)
check_range(max(by_name["learned similarity"]), 0.2, 0.3)
check_range(sum(by_name["learned, begun at bandwidth h/10"]) / 5, 0.5, 0.75)

# %% id="learn-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(7.5, 3.4))
for n, w in enumerate(learned):
    look = {"color": figures.PALETTE[n], "mfc": "none", "mew": 2}
    ax.plot(range(1, 7), w, "osD^v"[n], markersize=8, label=f"data set {n + 1}", **look)
ax.set(xlabel="coordinate d (only 1 and 2 matter)")
ax.set(ylabel="importance |w| (1 / bandwidth)")
ax.set_title("What counts as near, learned by gradient descent")
ax.legend(fontsize=9)
plt.show()

# %% [markdown] id="learn-figure-alt"
# <details><summary>The figure in words</summary>
#
# Learned importances of six coordinates on five data sets. Coordinate 1 lies between about 15 and
# 17, coordinate 2 between about 8 and 12, coordinates 3 to 6 between 0 and about 2.5.
#
# </details>

# %% [markdown] id="learn-read"
# With one bandwidth for all, the lookup does no better than a straight line. With learned
# importances its error is that of a lookup that is told the two useful coordinates (the third row),
# in the mean and on the worst data set. So *which differences between query and key count* can be
# learned from the answers; in chapters 5 and 6 a whole matrix does it.
#
# In the last row, started with a tenth of the bandwidth, each query sees little more than its
# nearest key, the answers hardly change with the importances, and the lookup ends worse than a
# straight line. *Cold lookups learn badly.*
#
# <details><summary>How sure?</summary>
#
# Five data sets of one kind, 150 updates each, one learning rate. The third row has one bandwidth
# for its two coordinates, chosen by leaving one out; two bandwidths would be a slightly stronger
# control. The useless coordinates come close to 0, not always quite: 150 points can deceive.
# Whether a much longer training would free the cold start, this cell does not say; the open
# experiment at the end is the place to try.
#
# </details>

# %% [markdown] id="batch-text"
# ## Many queries, many dictionaries, one call
#
# In a translator each sentence of a batch is a dictionary of its own, $S$ keys and values, and each
# target word brings a query, $T$ of them. The three lines stay, with a leading dimension $B$ for
# the batch:
#
# $$\underbrace{E = Q K^\top}_{(B,\,T,\,S)} \;\to\; \underbrace{A = \mathrm{softmax}(E)}_{\text{over
# the last dimension}} \;\to\; \underbrace{C = A V}_{(B,\,T,\,H)}.$$
#
# Shorter sentences are filled up (**padding**). A mask says which entries are real: boolean, (B,
# S), *True = may be looked up*. The others get the score $-\infty$, as in leaving one out.

# %% id="attend"
def attend(query, keys, values, mask=None):
    scores = query @ keys.transpose(1, 2)  # (B, T, H) (B, H, S) → (B, T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(dim=-1)  # over the keys
    return weights @ values, weights  # (B, T, Hv), (B, T, S)

# %% id="attend-use"
q = torch.randn(2, 4, 6, generator=generator)  # two sentences, four queries each
k = torch.randn(2, 5, 6, generator=generator)
v = torch.randn(2, 5, 3, generator=generator)
mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])  # the second has three
context, weights = attend(q, k, v, mask)
print("second sentence, first query:", [round(w, 2) for w in weights[1, 0].tolist()])

# %% id="attend-check" tags=["check"]
# checks what the text says
from attnlib.model import DotAttention

theirs, their_weights = DotAttention(6, 6)(q, k, v, mask)
torch.testing.assert_close(context, theirs)
torch.testing.assert_close(weights, their_weights)
of_torch = F.scaled_dot_product_attention(q, k, v, mask.unsqueeze(1), scale=1.0)
torch.testing.assert_close(context, of_torch)

# %% [markdown] id="attend-read"
# The padding has weight 0, and `attend`, the library and PyTorch's own attention agree, as the
# collapsed cell asserts.
#
# ### A sentence is a dictionary
#
# *민수는 시장에서 작은 배 다섯 개를 샀습니다* means *Minsu bought five small pears at the market*.
# Korean puts a little mark behind many words that says what they are there for: 는 makes Minsu the
# topic, 에서 makes the market the place, and 를 marks the object. Such a mark is just what a
# **key** is for: not the word's meaning, but what it can be *found by*. What the word means is its
# **value**. So keys and values need not be the same vectors.
#
# One key is ambiguous. The thing that was bought is 배, the pear, but 배 stands bare: the 를 of the
# object hangs behind 다섯 개, *five*. So a query for the object fits 배, and 다섯 개를 nearly as
# well.

# %% id="story"
korean = ["민수는", "시장에서", "작은", "배", "다섯 개를", "샀습니다"]
roles = ["who", "where", "what kind", "what", "how many", "did what"]
meanings = ["Minsu", "market", "small", "pear", "five", "bought"]
sentence_keys = torch.eye(6)  # one role per word, at right angles …
sentence_keys[4, roles.index("what")] = 0.8  # … but 다섯 개를 bears the mark of the object

asks = {"Minsu": "who", "bought": "did what", "five": "how many"}  # in English order
asks |= {"small": "what kind", "pears": "what", "market": "where"}
queries = torch.stack([4 * torch.eye(6)[roles.index(role)] for role in asks.values()])

# %% id="story-attend"
fetched, looks = attend(queries[None], sentence_keys[None], torch.eye(6)[None])
for (word, role), row in zip(asks.items(), fetched[0]):
    most = [f"{meanings[n]} {row[n]:.2f}" for n in row.topk(2).indices if row[n] > 0.1]
    print(f"{word:7} asks {role:10} fetched {', '.join(most)}")

# %% id="story-view"
views.attention_steps_view(
    queries @ sentence_keys.T,
    torch.eye(6),
    korean,
    list(asks),
    title="Six queries to one sentence",
)

# %% [markdown] id="story-read"
# Step through it. Six queries, in English order, fetch *Minsu, bought, five, small, pear, market*
# from a sentence that has its verb at the end. The query for *what* was bought fetches the pear
# together with the five, and English needs both to choose between *pear* and *pears*: Korean need
# not mark that on the noun. A hard lookup would have brought one of them.
#
# Here a person wrote the keys and the queries. In chapter 5 a network learns from translations
# alone what its words should be found by, and what to ask for.

# %% [markdown] id="nothing-text"
# ### A dictionary with no entry
#
# What if a mask forbids every entry?

# %% id="nothing"
nothing = torch.full((1, 5), -torch.inf)
print("softmax where nothing is allowed:", nothing.softmax(-1)[0].tolist())
empty = DotAttention(6, 6)(q[:1], k[:1], v[:1], torch.zeros(1, 5, dtype=torch.bool))[1]
print("the library's weights:           ", empty[0, 0].tolist())

# %% [markdown] id="nothing-read"
# 0 divided by 0 once more: the missing key with which the chapter began. The library answers with
# zeros, "I found nothing"; in chapter 5 you build a softmax that does so.

# %% [markdown] id="experiment-text"
# ## Open experiment: another notion of near
#
# *30 minutes, no check.* Choose **one** change to *A similarity that is learned*, or think of
# another: a whole *matrix* $W$ in place of the six importances, so that the score is
# $-\tfrac12 \lVert W^\top x_i - W^\top x_j \rVert^2$; *twenty* useless coordinates in place of
# four; a kernel with *longer tails*, $K(u) = 1/(1 + u^2)$, whose score is $-\log(1 + u^2)$. Before
# you run it, write down whether the held-out error will rise, fall or stay (within 0.02), and why.
# Then put the name in place of `None`, run, and report.
#
# <details><summary>A report that convinces</summary>
#
# | part | what it holds |
# |---|---|
# | prediction | written before the run, with a reason |
# | one change | data, updates and learning rate as above; learned numbers are counted |
# | data sets | at least five, the same for both; the spread is shown |
# | numbers | beside those of the unchanged lookup on the same data sets |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% id="experiment"
CHANGE = None  # "matrix", "useless", "tails", or one of your own


def weights_between(x, z, change):
    squares = (x.unsqueeze(1) - z).square().sum(-1)
    scores = -(1 + squares).log() if change == "tails" else -squares / 2
    itself = squares.detach() == 0
    return scores.masked_fill(itself, -torch.inf).softmax(-1)


def learn_matrix(x, y, change, start, updates=150):
    width = x.shape[1]
    which = torch.ones(width, width) if change == "matrix" else torch.eye(width)
    matrix = (start * torch.eye(width, dtype=torch.double)).requires_grad_()
    optimizer = torch.optim.Adam([matrix], lr=0.2)
    for _ in range(updates):
        seen = x @ (matrix * which)
        loss = (weights_between(seen, seen, change) @ y - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (matrix * which).detach()


if CHANGE is not None:
    for trial in range(5):  # about a second each
        generator.manual_seed(trial)
        useless = 20 if CHANGE == "useless" else 4
        x, y = draw_wide(150, useless)
        new, truth = draw_wide(500, useless)
        start = 1 / best_bandwidth(x, y)
        matrix = learn_matrix(x, y, CHANGE, start)
        found = weights_between(new @ matrix, x @ matrix, CHANGE) @ y
        w = learn(x[:, :6], y, start)  # four useless coordinates, whatever the change
        unchanged = rms(nadaraya_watson(new[:, :6] * w, x[:, :6] * w, y, 1.0), truth)
        changed = rms(found, truth)
        print(f"data set {trial}: unchanged {unchanged:.2f}, changed {changed:.2f}")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A hard lookup gives query and keys no gradient. A soft one has $\alpha_j (v_j - c)$ for score
#   $j$, which vanishes when the lookup is too cold.
# - Kernel regression is attention with the score $-\tfrac12 \lVert q - k \rVert^2$ and the
#   temperature $h^2$. An answer never leaves the range of the values.
# - A lookup of one point copies its noise. Averaging over several removes it, hard or soft.
# - A key is what an entry is found by, a value what is taken away. What counts as near can be
#   learned.
#
# **Left out.** Hard lookups trained by sampling ([Mnih et al.
# 2014](D_papers.ipynb#cell-id=mnih-2014); [Xu et al. 2015](D_papers.ipynb#cell-id=xu-2015)).
# Local-linear regression, the usual repair at the edges. Whether a large weight is a large
# contribution (chapter 5).
#
# <details><summary>Papers</summary>
#
# [Nadaraya 1964](D_papers.ipynb#cell-id=nadaraya-1964) and [Watson
# 1964](D_papers.ipynb#cell-id=watson-1964) (kernel regression); [Xu et al.
# 2015](D_papers.ipynb#cell-id=xu-2015) (hard and soft attention); [Bahdanau, Cho and Bengio
# 2015](D_papers.ipynb#cell-id=bahdanau-2015); [Miller et al.
# 2016](D_papers.ipynb#cell-id=miller-2016) (key–value memory networks); [Vaswani et al.
# 2017](D_papers.ipynb#cell-id=vaswani-2017) (queries, keys, values).
#
# </details>
#
# **Next.** [Chapter 05](05_attention.ipynb): the query becomes the decoder's state, keys and values
# the encoder's states.
