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
# *How well does a lookup predict, and what should count as near?*
#
# **What you will be able to do.** Recognize attention in a statistical method from 1964, choose its
# temperature from the data, and say why a lookup predicts well or badly.
#
# **What you need.** [Chapter 4](04_keys_and_values.ipynb): the scores of a query and all keys
# become weights by a softmax, and the answer is the weighted sum of the values. Scores divided by a
# small temperature τ give sharp weights (a *cold* lookup), a large τ nearly equal ones (a *hot*
# lookup).
#
# **Time.** 20 minutes to read, 27 for exercises 4.4 and 4.5; the notebook runs in less than half a
# minute. This file is optional: no later chapter needs it.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F
from attnbook import check_range, exercise, progress, read_record, views
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(4)


# %% id="kernel-view" tags=["hide-input"]
# draws fifty noisy points on a curve, in a view
def curve(x):
    return torch.sin(2 * x) + 0.5 * x


def draw(count):
    x = 5 * torch.rand(count, 1, generator=generator, dtype=torch.double)
    noise = 0.3 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, curve(x).squeeze(1) + noise


points, answers = draw(50)
axis = torch.linspace(0, 5, 101, dtype=torch.double)
dashed = torch.stack([axis, curve(axis)], dim=1)
title = "Figure 1. Fifty noisy points, and the answer at x"
views.kernel_view(points, answers, truth=dashed, bandwidth=2.0, title=title)

# %% [markdown] id="kernel-text"
# ## The same lookup, fifty years earlier
#
# The dots of Figure 1 are fifty measurements $(x_i, y_i)$ of the dashed curve, each with some
# noise. What is $y$ at a new $x$? This problem is called **regression** (회귀).
# [Nadaraya](D_papers.ipynb#cell-id=nadaraya-1964) and
# [Watson](D_papers.ipynb#cell-id=watson-1964) gave the same answer in 1964, independently: *the
# average of all $y_i$, weighted by how near $x_i$ is*,
#
# $$\hat y(x) = \frac{\sum_i e^{-u_i^2/2}\; y_i}{\sum_i e^{-u_i^2/2}}, \qquad
# u_i = \frac{\lVert x - x_i \rVert}{h}.$$
#
# The function $e^{-u^2/2}$ is a **kernel** (커널), the *Gaussian* one, and $h$ is its **bandwidth**
# (대역폭): points that are several bandwidths away barely count. The share of one point in the sum
# is the softmax of the $-u_i^2/2$, so **kernel regression** (커널 회귀) is the lookup of chapter 4
# under other names:
#
# | kernel regression | attention |
# |---|---|
# | a new point $x$ | query |
# | the known points $x_i$ | keys |
# | their answers $y_i$ | values |
# | $-\tfrac12 \lVert x - x_i \rVert^2$ | score |
# | bandwidth squared, $h^2$ | temperature $\tau$ |
#
# In Figure 1, move $x$: the points grow with their weights, and the orange line is the answer at
# every $x$. **Which bandwidth makes it follow the dashed curve best?**

# %% [markdown] id="ex-nadaraya-watson-text"
# ### Exercise 4.4 · Nadaraya and Watson
# *Core, 12 minutes.* Return the $T$ predictions of kernel regression, (T,), from `query` (T, D),
# `keys` (S, D), `values` (S,) and the number `bandwidth`. Points can have $D$ coordinates. A query
# far away from all keys must get an answer as well (not NaN): in a computer's numbers $e^{-1000}$
# is 0.
#
# <details><summary>Hint 1</summary>
#
# You need the distance of every query to every key, (T, S). A new dimension in the query lets you
# take the difference of all pairs at once, (T, S, D).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Where all kernels are 0, the ratio is 0/0. The softmax of their logarithms is the same ratio and
# stays finite. What is the logarithm of the kernel?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Three lines, as in every lookup: scores (T, S), with the bandwidth in them; weights over the keys;
# weights times values.
#
# </details>


# %% id="ex-nadaraya-watson" tags=["exercise"]
@exercise
def nadaraya_watson(query, keys, values, bandwidth):
    """Kernel regression, exp(−u²/2). (T, D), (S, D), (S,), a number → (T,)."""
    raise NotImplementedError


# %% [markdown] id="data-text"
# ### Three bandwidths
#
# Here is your function at every $x$, with three bandwidths.

# %% id="bandwidth-figure" tags=["hide-input"]
# draws Figure 2
grid = torch.linspace(-0.5, 5.5, 600, dtype=torch.double).unsqueeze(1)
orange, gray, sky = (figures.PALETTE[n] for n in (1, 6, 5))
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.4), sharey=True)
for ax, h in zip(axes, (0.01, 0.2, 2.0)):
    ax.plot(grid, curve(grid), ":", color=gray, label="true curve")
    ax.plot(points, answers, "o", color=sky, markersize=4, label="keys, values")
    found = nadaraya_watson(grid, points, answers, h)
    ax.plot(grid, found, color=orange, label="lookup")
    ax.set(title=f"bandwidth h = {h}", xlabel="x (query)")
axes[0].set_ylabel("y (value)")
axes[2].legend(fontsize=9)
fig.suptitle("Figure 2. One lookup, three bandwidths")
plt.show()

# %% [markdown] id="bandwidth-figure-alt"
# <details><summary>The figure in words</summary>
#
# Three panels with the same 50 points around a wavy rising curve. With bandwidth 0.01 the lookup is
# a staircase through nearly every point; with 0.2 it follows the true curve, rounding its peaks off
# a little; with 2 it is almost a straight, gently rising line that misses the waves.
#
# </details>

# %% [markdown] id="bandwidth-read"
# With a small bandwidth (a cold lookup) the answer copies the nearest point together with its
# noise: **overfitting** (과적합). With a large one (a hot lookup) it averages the curve away:
# **underfitting** (과소적합). Beyond the last points the answer stays near the values at the edge
# while the curve continues: a lookup only averages what it has stored; it cannot **extrapolate**
# (**extrapolation**, 외삽).
#
# ### Choosing the bandwidth
#
# In practice the true curve is unknown. The usual way is **leave-one-out cross-validation** (단일
# 관측값 제거 교차 검증): predict each of the 50 points from the other 49, and take the bandwidth
# with the smallest error. Each query must not look up itself, so its own key is masked, as padding
# is in chapter 4: its score becomes $-\infty$ *before* the softmax, and its weight
# $e^{-\infty} = 0$.

# %% [markdown] id="ex-leave-one-out-text"
# ### Exercise 4.5 · Leave one out
# *Core, 15 minutes.* Return (S,): what kernel regression predicts at each of the $S \ge 2$ points
# from the *other* points, given `keys` (S, D), `values` (S,) and the number `bandwidth`. Two points
# can be at the same place; only the point itself is forbidden. The last section sends gradients
# back through your function, so compute with tensors throughout.
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
# Scores (S, S) as in exercise 4.4, then $-\infty$ on the diagonal, then softmax and values. The
# weights of the others then sum to 1.
#
# </details>


# %% id="ex-leave-one-out" tags=["exercise"]
@exercise
def leave_one_out(keys, values, bandwidth):
    """Each value, predicted from all others. keys (S, D), values (S,) → (S,)."""
    raise NotImplementedError


# %% id="choose"
def rms(prediction, truth):  # root mean square error
    return (prediction - truth).square().mean().sqrt().item()


bandwidths = torch.logspace(-2, 1, 40, dtype=torch.double).tolist()
left_out = [rms(leave_one_out(points, answers, h), answers) for h in bandwidths]
new, truth = draw(500)  # points that the lookup does not have
held_out = [rms(nadaraya_watson(new, points, answers, h), truth) for h in bandwidths]
for name, errors in (("leaving one out", left_out), ("the 500 new points", held_out)):
    n = errors.index(min(errors))
    print(f"best bandwidth by {name:19}{bandwidths[n]:.2f}, error there {held_out[n]:.2f}")

# %% id="choose-figure" tags=["hide-input"]
# draws Figure 3
fig, ax = plt.subplots(figsize=(7.5, 3.4))
ax.semilogx(bandwidths, left_out, color=orange, label="leaving one out of the 50")
ax.semilogx(bandwidths, held_out, "--", color=figures.PALETTE[0], label="500 new points")
ax.axhline(0.3, linestyle=":", color=gray, label="noise alone")
ax.set(xlabel="bandwidth h = √τ (log scale, units of x)", ylim=(0.2, 1.2))
ax.set(ylabel="error (units of y)", title="Figure 3. Too cold, right, too hot")
ax.legend(loc="upper left")
plt.show()

# %% [markdown] id="choose-figure-alt"
# <details><summary>The figure in words</summary>
#
# Two curves of the error against the bandwidth from 0.01 to 10 on a log scale: leaving one out, and
# 500 new points. Both start near 0.4 on the left, sink to a minimum near a bandwidth of 0.2, a
# little above the dotted line of the noise at 0.3, and climb to about 1 on the right.
#
# </details>

# %% [markdown] id="held-out-text"
# The two curves of Figure 3 have their minima close together: the fifty points alone choose nearly
# the best bandwidth.
#
# ## A contest
#
# Recorded runs (`studies/kernel_regression.py`) use 20 more data sets, each with 50 points and 500
# new ones. Kernel regression competes with two **hard** lookups: the plain mean of the $k$ nearest
# values, or of all values within a distance $r$, the *hard window*. Leaving one out chooses the
# bandwidth, $k$, $r$ and the degree of a polynomial. The noise alone makes an error of 0.30
# unavoidable.

# %% id="measure"
by_method = {}
for run in read_record("04b_contest")["runs"]:
    by_method.setdefault(run["variant"], []).append(run["error"])
methods = ["mean of all values", "nearest", "k nearest", "hard window", "kernel"]
methods.append("polynomial, degree chosen")
mean = {name: sum(by_method[name]) / 20 for name in methods}
print("recorded: error on new points, mean of 20 data sets (noise alone 0.30)")
for name in methods:
    print(f"  {name:27}{mean[name]:.2f}")

share = (mean["nearest"] - mean["hard window"]) / (mean["nearest"] - mean["kernel"])
print(f"from the nearest to the kernel, the hard window goes {share:.0%} of the way")
wins = sum(soft < hard for soft, hard in zip(by_method["kernel"], by_method["hard window"]))
print(f"kernel better than the hard window: in {wins} of 20")
print(f"the noise counted twice: √(0.3² + 0.3²) = {(0.3**2 + 0.3**2) ** 0.5:.2f}")

# %% [markdown] id="measure-read"
# The error of the nearest key is a little more than $\sqrt2$ times the noise. The new point has its
# own noise, and the value of the key has noise of the same size; the squares of independent errors
# add up, which gives 0.42. (The key is also a little to one side of the query.)
#
# **One point brings its noise along, and averaging reduces it.** Softness is not needed for that:
# the hard window has seven eighths of the kernel's gain over the nearest key. Soft weights add the
# last eighth (better in 17 of 20 data sets) and the gradient of chapter 4.
#
# On this smooth curve, a polynomial whose degree the fifty points choose does at least as well as
# the kernel. A lookup assumes no form of the curve (it is **nonparametric**, 비모수적), only a
# notion of *near*.
#
# <details><summary>How sure?</summary>
#
# The 20 data sets share one curve and one strength of noise; with other curves, much more noise or
# points in many dimensions, the order of the methods can differ. The data set of Figure 3, where
# the kernel has 0.31, is an easy one.
#
# </details>

# %% [markdown] id="dot-kernel-text"
# ## From distance to dot product
#
# In a translator the score is a dot product, not a distance. Multiply out the square:
#
# $$-\tfrac12 \lVert q - k_j \rVert^2 = q^\top k_j - \tfrac12 \lVert q \rVert^2
# - \tfrac12 \lVert k_j \rVert^2$$
#
# The middle term is the same for all keys, so it does not change the softmax (chapter 4). When do
# both scores give the same weights?

# %% id="dot-kernel"
q = torch.randn(5, generator=generator, dtype=torch.double)
unit = F.normalize(torch.randn(8, 5, generator=generator, dtype=torch.double), dim=1)
lengths = torch.linspace(0.5, 4, 8, dtype=torch.double).unsqueeze(1)
for name, k in (("lengths from 0.5 to 4", lengths * unit), ("all of length 1", unit)):
    by_distance = (-(q - k).square().sum(1) / 2).softmax(0)
    by_dot = (k @ q).softmax(0)
    apart = (by_distance - by_dot).abs().max()
    print(f"{name:21}: a weight differs by at most {apart:.2f}")

# %% [markdown] id="dot-kernel-read"
# They do when the last term is also the same for all keys. For keys of equal length, attention with
# a dot product *is* Nadaraya and Watson's regression, with $h^2 = \tau$. Otherwise the dot product
# favors long keys.

# %% [markdown] id="learn-text"
# ## Learning what is near
#
# Take 150 points with six coordinates; only the first two matter for $y$. With one bandwidth for
# all, two points that agree in what matters still seem far apart, and each useless coordinate makes
# this worse (the *curse of dimensionality*). Give each coordinate $d$ an importance $w_d$ in the
# score,
#
# $$e_{ij} = -\tfrac12 \sum_d w_d^2\,(x_{id} - x_{jd})^2,$$
#
# and learn the six by gradient descent on the leave-one-out error, a small case of **metric
# learning** (거리 학습). All six start at $1/h$, where $h$ is the best single bandwidth. (Do not
# start much larger: a cold lookup has almost no gradient, chapter 4.) For comparison, another
# lookup is told which two coordinates matter, and has one bandwidth for these two.


# %% id="learn"
def draw_wide(count, useless=4):
    x = torch.rand(count, 2 + useless, generator=generator, dtype=torch.double)
    noise = 0.2 * torch.randn(count, generator=generator, dtype=torch.double)
    return x, torch.sin(6 * x[:, 0]) + 2 * x[:, 1] + noise


def best_bandwidth(x, y):
    return min(bandwidths, key=lambda h: rms(leave_one_out(x, y, h), y))


def learn(x, y, start, updates=150):
    w = torch.full((x.shape[1],), start, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.2)
    for _ in range(updates):
        loss = (leave_one_out(x * w, y, 1.0) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return w.detach().abs()


print("error on 500 new points (noise alone 0.20), and the importances w")
single, learned, told = [], [], []
for trial in range(1, 6):  # five data sets
    x, y = draw_wide(150)
    new, truth = draw_wide(500)
    h = best_bandwidth(x, y)
    single.append(rms(nadaraya_watson(new, x, y, h), truth))
    w = learn(x, y, start=1 / h)
    learned.append(rms(nadaraya_watson(new * w, x * w, y, 1.0), truth))
    h = best_bandwidth(x[:, :2], y)
    told.append(rms(nadaraya_watson(new[:, :2], x[:, :2], y, h), truth))
    print(f"{trial}: one bandwidth ≈{single[-1]:.2f}, learned ≈{learned[-1]:.2f},", end=" ")
    print(f"told ≈{told[-1]:.2f};  w:", " ".join(f"≈{one:.1f}" for one in w.tolist()))

# %% id="learn-check" tags=["check"]
# checks what the text says
first, second, *rest = w.tolist()
check_range(min(first, second), 5, 30)
check_range(max(rest), 0, 4)
for alone, own, best in zip(single, learned, told):
    check_range(own, 0.2, 0.3)
    check_range(alone / best, 1.6, 2.2)
    check_range(own / best, 0.85, 1.1)

# %% [markdown] id="learn-read"
# On all five data sets, one bandwidth for all six coordinates makes nearly twice the error of a
# lookup that is told which two matter. With learned importances the error is about the same as when
# told: the first two have grown, and the other four have shrunk. So *which differences count can be
# learned from the answers*; in chapter 6 a whole matrix does it.
#
# <details><summary>How sure?</summary>
#
# The five data sets share one function, one strength of noise and one learning rate.
#
# </details>
#
# ### Open experiment
#
# *30 minutes, no check.* Choose **one** change, or think of your own: a whole *matrix* $W$ instead
# of the six importances, so that the score is $-\tfrac12 \lVert W^\top x_i - W^\top x_j \rVert^2$;
# *twenty* useless coordinates instead of four; a kernel with *longer tails*, $1/(1 + u^2)$, whose
# score is $-\log(1 + u^2)$. Before you run it, write down whether the error on new points will
# rise, fall or stay (within 0.02), and why. Then replace `None` with its name, run the cell, and
# report.
#
# <details><summary>A report that convinces</summary>
#
# | part | what it contains |
# |---|---|
# | prediction | written before the run, with a reason |
# | one change | data, updates and learning rate as above; learned numbers are counted |
# | data sets | at least five, the same for both; the spread is shown |
# | numbers | next to the numbers of the unchanged lookup on the same data sets |
# | conclusion | could have turned out otherwise, and says what it does not show |
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
        changed = rms(weights_between(new @ matrix, x @ matrix, CHANGE) @ y, truth)
        w = learn(x[:, :6], y, start)  # four useless coordinates, whatever the change
        unchanged = rms(nadaraya_watson(new[:, :6] * w, x[:, :6] * w, y, 1.0), truth)
        print(f"data set {trial}: unchanged {unchanged:.2f}, changed {changed:.2f}")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Kernel regression is attention with the score $-\tfrac12 \lVert q - k \rVert^2$ and the
#   temperature $h^2$; leaving one out chooses $h$ without knowing the curve.
# - A lookup of one point copies its noise. Averaging over several reduces it, hard or soft; soft
#   weights add a little, and the gradient.
# - A dot product and a distance give the same weights if all keys have the same length.
# - What counts as near can be learned from the answers.
#
# **Left out.** Local-linear regression, the usual repair at the edges, and how the best bandwidth
# shrinks as data grow.
#
# <details><summary>Papers</summary>
#
# [Nadaraya 1964](D_papers.ipynb#cell-id=nadaraya-1964) and [Watson
# 1964](D_papers.ipynb#cell-id=watson-1964) (kernel regression).
#
# </details>
#
# **Next.** [Chapter 5](05_attention.ipynb): the query becomes the decoder's state, and the
# encoder's states become keys and values.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# A contest
assert wins == 17 and 0.86 < share < 0.9
