# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 05b · Two decoders
#
# *Does a decoder look at the source before its step, or after it?*
#
# **What you will be able to do.** Tell Bahdanau's decoder from Luong's without seeing any code.
# Build Bahdanau's decoder equation by equation. Measure along which path a gradient reaches a
# source word.
#
# **What you need.** [Chapter 5](05_attention.ipynb): scores, weights, context, the attentional
# vector $\tilde s_t$. The LSTM's gates (chapter 2).
#
# **Time.** 22 minutes to read, 54 for exercises 5.4 to 5.7; the notebook runs in about 5 seconds.
# If you have half an hour, do 5.4 and 5.7.

# %% id="setup" tags=["setup"]
# set-up
import torch
from torch import nn
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib.device import seed_everything

torch.set_num_threads(1)
generator = seed_everything(6)

# %% id="draw" tags=["hide-input"]
# makes three small decoders with random weights, and draws a step of the first
from dataclasses import replace

from attnbook.figures import decoder_step_diagram
from attnlib.masking import lengths_to_mask
from attnlib.model import BahdanauDecoder, LuongDecoder, Memory

sizes = {"memory_size": 8, "hidden_size": 5, "output_size": 4, "cell": "gru"}
decoders = {
    "bahdanau": BahdanauDecoder(nn.Embedding(9, 6), **sizes),
    "luong": LuongDecoder(nn.Embedding(9, 6), **sizes),
    "input feeding": LuongDecoder(nn.Embedding(9, 6), input_feeding=True, **sizes),
}
# two sentences of four and two words: their encoder states, and the words y_{t-1}
states = torch.randn(2, 4, 8, generator=generator)
real = lengths_to_mask(torch.tensor([4, 2]))
words = torch.tensor([[7], [8]])


def one_step(decoder, words, keys, old=None):
    """α_t and the new state of one step, after s_0 if no old state is given."""
    memory = Memory(keys, decoder.prepare(keys), real, states[:, 0])
    old = decoder.start(memory) if old is None else old
    _, new, weights = decoder.step(words, memory, old)
    return weights, new


@torch.no_grad()
def drawn(order, number):
    """The drawing of one step of a decoder, with the numbers of the second sentence."""
    decoder = decoders[order]
    memory = Memory(states, decoder.prepare(states), real, states[:, 0])
    old_state = decoder.start(memory)["hidden"][1, 0]
    word = decoder.embed(words)[1, 0]
    weights, _ = one_step(decoder, words, states)
    drawing = decoder_step_diagram(order, word, old_state, states[1], weights[1, 0])
    return replace(drawing, title=f"Figure {number}. {drawing.title}")


drawn("bahdanau", 1)

# %% id="draw-luong" tags=["hide-input"]
# draws the same step of the second
drawn("luong", 2)

# %% [markdown] id="side-text"
# **Figures 1 and 2.** One step of two decoders with attention, of [Bahdanau et al.
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015) and of [Luong et al.
# (2015)](D_papers.ipynb#cell-id=luong-2015). Both have just written a word, whose embedding is
# $y_{t-1}$, and see the same four encoder states $h_j$; the last two are padding. Follow the
# numbers 1, 2, 3: Bahdanau's decoder looks at the source *before* its recurrent step, Luong's
# *after* it.
#
# No decoder can do both with one state: to look with $s_t$ and to compute this same $s_t$ from what
# it sees, it would need $s_t$ before $s_t$ exists. The two ways out:
#
# | | Bahdanau | Luong |
# |---|---|---|
# | query | the old state $s_{t-1}$ | the new state $s_t$ |
# | order | attend → recurrent step → predict | recurrent step → attend → predict |
# | new state | $s_t = f(s_{t-1}, [y_{t-1} ; c_t])$ | $s_t = f(s_{t-1}, y_{t-1})$ |
# | predicts from | $s_t$, $y_{t-1}$, $c_t$: *deep output* | $\tilde s_t = \tanh(W_c [c_t ; s_t])$ |
# | all steps at once in training? | no, each needs the context before it | yes |
#
# In Luong's decoder the recurrent state never sees a context. **Input feeding** (인풋 피딩,
# exercise 5.3) changes that: it gives $\tilde s_{t-1}$ to the next recurrent step, and the steps
# must be computed one after the other again.

# %% [markdown] id="perturb-text"
# ## Which decoder is it?
#
# Suppose that you can run a decoder but cannot read its code. Change one input, keep all others,
# and watch what changes. Answer first, from the drawings, for Bahdanau, Luong, and Luong with input
# feeding:
#
# 1. Do the weights $\alpha_t$ change with the previous word $y_{t-1}$?
# 2. Does the new state $s_t$ change with the keys $h_j$?
# 3. Does the next state, $s_{t+1}$, change with the keys of step $t$?

# %% id="perturb-table"
def differ(one, other):
    return "no" if torch.equal(one, other) else "yes"


print("changes?        α_t with y_t-1   s_t with h_j   s_t+1 with h_j")
for name, decoder in decoders.items():
    weights, new = one_step(decoder, words, states)
    weights_of_word, _ = one_step(decoder, words - 1, states)
    _, new_of_keys = one_step(decoder, words, states + 1)
    # one more step from both, with the keys as they were
    _, after = one_step(decoder, words, states, new)
    _, after_keys = one_step(decoder, words, states, new_of_keys)
    line = f"{name:16}{differ(weights, weights_of_word):17}"
    line += f"{differ(new['hidden'], new_of_keys['hidden']):15}"
    print(line + differ(after["hidden"], after_keys["hidden"]))

# %% [markdown] id="perturb-read"
# Bahdanau's weights are fixed before the decoder reads the previous word, and its new state depends
# on the keys. In Luong's decoder both answers are the opposite. With input feeding, the keys reach
# the state one step later.

# %% [markdown] id="ex-which-decoder-text"
# ### Exercise 5.4 · Which decoder is it?
# *Core, 15 minutes.* You get a decoder as a black box: `step(word, state, keys)` returns
# `(new_state, weights)`, all of them tensors of floating-point numbers: `word` (E,), `state` (H,),
# `keys` (S, He), `weights` (S,). Return `"bahdanau"` if the weights do not depend on the word and
# the new state depends on the keys, `"luong"` if both are the opposite, and `"another"` in all
# other cases.
#
# <details><summary>Hint 1</summary>
#
# Two questions: do the weights depend on the word? Does the new state depend on the keys?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# There are four pairs of answers. Two of them have a name.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Call `step` three times: as it is, with `word + 1`, and with `keys + 1`. Do not change the
# arguments in place.
#
# </details>


# %% id="ex-which-decoder" tags=["exercise"]
@exercise
def which_decoder(step, word, state, keys):
    """ "bahdanau", "luong" or "another", judged by what step(word, state, keys) returns."""
    raise NotImplementedError


# %% [markdown] id="equations"
# ## Bahdanau's decoder, equation by equation
#
# Bahdanau, Cho and Bengio built the first neural translator with attention. Their equations, in
# this book's letters:
#
# | number | equation | what it gives |
# |---|---|---|
# | (4) | $p(y_t \mid y_{\lt t}, x) = g(y_{t-1}, s_t, c_t)$ | predict |
# | | $s_t = f(s_{t-1}, y_{t-1}, c_t)$ | the new state |
# | (5) | $c_t = \sum_j \alpha_{tj} h_j$ | the context |
# | (6) | $\alpha_{tj} = \exp e_{tj} / \sum_k \exp e_{tk}$ | weights |
# | | $e_{tj} = a(s_{t-1}, h_j)$ | scores |
# | (7) | $h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]$ | states, read both ways |
#
# Equation (7) is a **bidirectional** encoder (양방향), as in chapter 5: the first half of $h_j$
# knows the words before, the second half the words after. The equations leave $a$, $f$ and $g$
# open. We build them one by one.
#
# <details><summary>Who was first?</summary>
#
# In neural translation, Bahdanau, Cho and Bengio were (2014 on arXiv). Soft windows that slide over
# an input are older: [Graves (2013)](D_papers.ipynb#cell-id=graves-2013) used one to write
# handwriting from text, as they say themselves, and [Larochelle and Hinton
# (2010)](D_papers.ipynb#cell-id=larochelle-2010) and [Mnih et al.
# (2014)](D_papers.ipynb#cell-id=mnih-2014) let networks glimpse at parts of an image.
#
# </details>

# %% [markdown] id="linear-text"
# ### The score a
#
# The paper's $a$ is a small network with one hidden layer, the **additive score** (가산 스코어):
#
# $$e_{tj} = v_a^\top \tanh(W_a s_{t-1} + U_a h_j).$$
#
# The product $U_a h_j$ does not depend on the step, so it is computed once per sentence. What is
# the tanh for? Drop it. Two opposite decoder states now look at the same four keys, and each gets
# four weights. What is the largest difference between a weight of the first state and the same
# weight of the second, from 0 to 1?

# %% id="predict-linear"
predict("05b.linear", ...)

# %% id="linear"
W = torch.randn(6, 5, generator=generator)
U = torch.randn(6, 8, generator=generator)
v = torch.randn(6, generator=generator)
opposite = torch.stack([torch.ones(1, 5), -torch.ones(1, 5)])  # two s_{t-1}: (2, 1, 5)
four_keys = torch.randn(1, 4, 8, generator=generator).expand(2, -1, -1)
sums = opposite @ W.T + four_keys @ U.T  # W s + U h_j: (2, 4, 6)
gaps = {}
for name, hidden in (("linear", sums), ("tanh", sums.tanh())):
    weights = (hidden @ v).softmax(-1)
    gaps[name] = float((weights[0] - weights[1]).abs().max())
with reveal("05b.linear", gaps["linear"], within=0.005):
    for name, gap in gaps.items():
        print(f"{name:6}: largest difference of the weights {gap:.2f}")

# %% [markdown] id="linear-read"
# <details><summary>What it says</summary>
#
# Without the tanh the two states get the same weights. A linear score is
# $v^\top W_a s + v^\top U_a h_j$. Its first part is the same for all $j$, and a softmax ignores
# what is added to every score. This score cannot look at different words at different steps. The
# tanh, its **nonlinearity** (비선형 함수), is what makes the query matter. A dot product needs
# none, because it *multiplies* $s$ and $h_j$.
#
# </details>

# %% [markdown] id="ex-additive-score-text"
# ### Exercise 5.5 · Bahdanau's score
# *Core, 12 minutes.* Return the scores of every query with every key, (B, T, S), from `query` (B,
# T, Hd), `keys` (B, S, He) and the weights `w` (A, Hd), `u` (A, He) and `v` (A,).
#
# <details><summary>Hint 1</summary>
#
# Every query meets every key: the sum W s + U h has four dimensions, (B, T, S, A).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `unsqueeze` inserts a dimension of size 1, and a dimension of size 1 is repeated as needed: (B, T,
# 1, A) + (B, 1, S, A).
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# After the tanh, a product with v sums over the last dimension.
#
# </details>


# %% id="ex-additive-score" tags=["exercise"]
@exercise
def additive_score(query, keys, w, u, v):
    """v^T tanh(W s + U h_j): query (B, T, Hd), keys (B, S, He) → (B, T, S)."""
    raise NotImplementedError


# %% [markdown] id="gru-text"
# ### The recurrent step f: a GRU
#
# An LSTM carries two vectors, its state and its memory. [Cho et al.
# (2014a)](D_papers.ipynb#cell-id=cho-2014a) built a cell with one vector and two gates, later named
# the **gated recurrent unit** (GRU, 게이트 순환 유닛). As PyTorch defines it, with input $x_t$:
#
# $$\begin{aligned}
# r_t &= \sigma(W_{ir} x_t + b_{ir} + W_{hr} s_{t-1} + b_{hr}) &&\text{reset gate}\\
# z_t &= \sigma(W_{iz} x_t + b_{iz} + W_{hz} s_{t-1} + b_{hz}) &&\text{update gate}\\
# n_t &= \tanh(W_{in} x_t + b_{in} + r_t \odot (W_{hn} s_{t-1} + b_{hn})) &&\text{candidate}\\
# s_t &= (1 - z_t) \odot n_t + z_t \odot s_{t-1} &&\text{mix old and new}
# \end{aligned}$$
#
# The update gate does the work of two LSTM gates: the share $z$ of the old state that is kept and
# the share $1-z$ of the candidate that is added sum to 1. A gate $z$ near 1 keeps the past, as a
# forget gate near 1 does in an LSTM. The reset gate decides how much of the old state the candidate
# sees.

# %% id="gru-drawing" tags=["hide-input"]
# draws Figure 3
from attnbook.figures import gru_diagram

gru_diagram(nn.GRUCell(3, 5, device="meta"))

# %% [markdown] id="ex-gru-step-text"
# **Figure 3.** The inside of a GRU cell. The drawing calls the state $h$, as torch does.
#
# ### Exercise 5.6 · A step of a GRU, as torch has it
# *Core, 12 minutes.* Return the new state (B, H) from `x` (B, E), `state` (B, H), `weight_ih` (3H,
# E), `weight_hh` (3H, H) and the two biases (3H,). The blocks are in the order r, z, n.
#
# <details><summary>Hint 1</summary>
#
# Here the part from x and the part from the state cannot be added up first: compute them
# separately, each (B, 3H), and cut each into three.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# r multiplies the *result* of the product with the state, its bias included.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Two gates from added parts, a candidate from two parts kept apart, then the mix. Try it: z = 1
# must return the old state.
#
# </details>


# %% id="ex-gru-step" tags=["exercise"]
@exercise
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    """One GRU step of torch's kind: x (B, E), state (B, H) → (B, H); blocks r, z, n."""
    raise NotImplementedError


# %% [markdown] id="f-text"
# ### The output g, and everything together
#
# The input of Bahdanau's GRU is $[y_{t-1} ; c_t]$, so the context reaches both gates and the
# candidate. The output $g$, the *deep output* of Figure 1, reads all three vectors: the numbers of
# $U_o s_t + V_o y_{t-1} + C_o c_t$ are taken in pairs, and of each pair only the larger is kept
# (**maxout**). A softmax layer follows. Here is the step, from your score and your GRU:

# %% id="finished-scratch"
from attnlib.masking import masked_softmax

library = decoders["bahdanau"]
W_a = library.attention.from_query.weight
U_a = library.attention.from_key.weight
v_a = library.attention.v
gru_weights = library.rnn.all_weights[0]  # two matrices and two biases


def bahdanau_step(word, old, keys, mask):
    """y_{t-1} (B, E), s_{t-1} (B, Hd), keys (B, S, He) → s_t, weights, maxout."""
    scores = additive_score(old.unsqueeze(1), keys, W_a, U_a, v_a)
    weights = masked_softmax(scores, mask.unsqueeze(1))  # (B, 1, S)
    context = (weights @ keys).squeeze(1)
    read = torch.cat([word, context], dim=-1)
    new = gru_step(read, old, *gru_weights)
    output = library.head(torch.cat([new, read], dim=-1))  # U_o s_t + V_o y_{t-1} + C_o c_t
    pairs = output.unflatten(-1, (-1, 2))
    return new, weights, pairs.amax(-1)  # the larger of each pair


# %% [markdown] id="finished-text"
# Does it agree with the library's decoder, which has the same weights?

# %% id="finished-agree"
memory = Memory(states, library.prepare(states), real, states[:, 0])
start = library.start(memory)
features, new, weights = library.step(words, memory, start)
mine = bahdanau_step(library.embed(words[:, 0]), start["hidden"][:, 0], states, real)
theirs = new["hidden"][:, 0], weights, features[:, 0]
for name, one, other in zip(("s_t", "weights", "maxout"), mine, theirs):
    print(f"{name:8} largest difference {(one - other).abs().max():.5f}")

# %% [markdown] id="details"
# <details><summary>Three details in which the library and the paper differ</summary>
#
# The first state: the paper has $s_0 = \tanh(W_0 \overleftarrow{h}_1)$, from the *backward* state
# at the *first* word, which has just read the whole sentence. The library reads both ends,
# $s_0 = \tanh(W_0 [\overrightarrow{h}_S ; \overleftarrow{h}_1] + b_0)$.
#
# The GRU (§A.1.1): in the paper the reset gate multiplies *before* the matrix,
# $W_{hn}(r_t \odot s_{t-1})$, which torch does after it. The paper's update gate is also the other
# way around: its $z_t$ is the share of the *new*.
#
# The output: the paper's Eq. (4) has $s_t$, its appendix A.2.2 has $s_{t-1}$. The library follows
# Eq. (4).
#
# </details>

# %% [markdown] id="better-text"
# ## Which order translates better?
#
# The two papers differ in the order, the score and what predicts the word. Here only the order
# changes: Bahdanau's decoder (LSTM cell, additive score, maxout), and the same with the recurrent
# step first. That step gets $c_{t-1}$, since its state would otherwise see no context; the
# parameters are equal. Three trainings of each were recorded, on captions (chapter 10, preset
# `quick`) and on new combinations in chapter 5's easy corpus.

# %% id="better-table" tags=["hide-input"]
# prints the recorded runs
easy = read_record("05_attention")["runs"]
on_easy, on_captions = {}, {}
orders = {"attend → step": "bahdanau", "step → attend": "luong-order-fed"}
for order, variant in orders.items():
    on_easy[order] = [run for run in easy if run["variant"] == variant]
captions = read_record("10_models")["runs"]
on_captions["attend → step"] = [run for run in captions if run["model"] == "bahdanau"]
on_captions["step → attend"] = read_record("05_orders")["runs"]
bleu = {}
print("BLEU                captions: test    validation    new combinations")
for order in orders:
    bleu[order, "test"] = [run["bleu"]["test beam 5"] for run in on_captions[order]]
    bleu[order, "valid"] = [run["bleu"]["valid beam 5"] for run in on_captions[order]]
    bleu[order, "new"] = [run["others"]["test_composition"]["bleu"] for run in on_easy[order]]
    line = f"{order:20}"
    for part in ("test", "valid", "new"):
        three = bleu[order, part]
        line += f"      {min(three):.1f}–{max(three):.1f}"
    print(line)

# %% [markdown] id="better-read"
# On captions every training that attends *after* its step is ahead of every one that attends before
# it, at the one learning rate that was tried; another may suit the first order better. On the easy
# corpus the two overlap: three trainings of each cannot distinguish the orders.
#
# <details><summary>How sure?</summary>
#
# If the order made no difference, three and three would still be separated as on captions, one way
# or the other, one time in ten. The learning rate there was chosen for Luong's general score. On
# the easy corpus, which a grammar wrote, trainings of one order differ by more than the two means;
# all had 1,000 updates, each order at the best of four learning rates (the highest tried), chosen
# by the loss on the validation split with a seed that is not in the table (`05_rates`).
#
# </details>

# %% [markdown] id="gradient-text"
# ## The gradient's shortcut
#
# With attention the gradient of a loss has two paths to a source word. The **chain** goes from
# $s_t$ back through every decoder step to the last encoder state, and on through every encoder
# step. The **shortcut** (지름길) goes from $c_t$ straight to each $h_j$. To measure one path, close
# the other: `detach()` keeps the numbers of a tensor and stops the gradient.
#
# Here is the trick on two numbers, half done. The loss uses `x` in two places. The gradient along
# the first is shown; replace the dots to get the second. The two must add up to the gradient with
# nothing closed.

# %% id="faded"
x = torch.tensor([2.0, 3.0], requires_grad=True)


def two_paths(first, second):
    return (first**2).sum() * second.sum()


through_first = torch.autograd.grad(two_paths(x, x.detach()), x)[0]
through_second = ...  # yours: the first path closed, the second open
print("first path:    ", through_first.tolist())
if through_second is not ...:
    print("both together: ", (through_first + through_second).tolist())
print("nothing closed:", torch.autograd.grad(two_paths(x, x), x)[0].tolist())

# %% [markdown] id="ex-gradients-by-path-text"
# ### Exercise 5.7 · One path at a time
# *Hard, 15 minutes.* `encode(x)` returns states (S, H) from an input x (S, E). `decode(keys, last)`
# returns a number, the loss, from all states (S, H) and the last state (H,). Normally the loss is
# `decode(states, states[-1])`. Return two gradients of the loss with respect to x, both (S, E): the
# gradient that flows only through the keys, and the gradient that flows only through the last
# state.
#
# <details><summary>Hint 1</summary>
#
# `torch.autograd.grad(loss, x)[0]` is the gradient, once x is a tensor that requires one:
# `x = x.detach().requires_grad_()`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Build the loss twice. The first time detach the last state, the second time the keys.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# The two must add up to the gradient with nothing detached.
#
# </details>


# %% id="ex-gradients-by-path" tags=["exercise"]
@exercise
def gradients_by_path(encode, decode, x):
    """Two gradients like x (S, E): through the keys, through the last state."""
    raise NotImplementedError


# %% [markdown] id="reach-text"
# ### Before training
#
# An untrained LSTM encoder reads 40 words from left to right. An LSTM decoder starts from its last
# hidden state; the loss is taken at the fifth step. How large is the gradient at word 1, compared
# with word 40? The biases of the encoder's forget gates start near 0, as torch has them, near 1 or
# near 2 (chapter 2).


# %% id="reach"
def reach(seed, forget_bias, size=32, length=40):
    """The gradient's norm at every source word, (2, S): along the shortcut, the chain."""
    torch.manual_seed(seed)
    reader = nn.LSTM(size, size)
    writer = nn.LSTM(size, size)
    reader.bias_ih_l0.data[size : 2 * size] += forget_bias  # this block is the forget gate's
    inputs = torch.randn(5, size)  # five random words for the decoder to read
    combine = nn.Linear(2 * size, size)

    def encode(x):
        return reader(x)[0]  # all hidden states, (S, H)

    def decode(keys, last):
        hidden, _ = writer(inputs, (last.unsqueeze(0), torch.zeros(1, size)))
        s_t = hidden[-1]  # at the fifth step
        context = (keys @ s_t).softmax(0) @ keys  # the dot score
        return torch.tanh(combine(torch.cat([context, s_t]))).sum()

    gradients = gradients_by_path(encode, decode, torch.randn(length, size))
    return torch.stack([gradient.norm(dim=-1) for gradient in gradients])


# %% id="reach-numbers"
ratios = {}
print("mean gradient at word 1 ÷ that at word 40, five networks")
for bias in (0.0, 1.0, 2.0):
    norms = torch.stack([reach(seed, bias) for seed in range(5)]).mean(0)
    ratios[bias] = norms[:, 0] / norms[:, 39]
    shortcut, chain = ratios[bias]
    print(f"  forget bias {bias:.0f}:   shortcut {shortcut:3.1f}   chain {chain:.0e}")

# %% [markdown] id="reach-read"
# A decoder without attention has only the chain. With torch's initialization almost nothing arrives
# at word 1; with a forget bias of 2 only one power of ten is lost. The shortcut needs no such care.
# For every bias it reaches word 1 at least as well as word 40, because *untrained* weights are
# nearly equal at all positions.
#
# The shortcut ends at $h_j$, which is itself a recurrent state: word 40 is in one state, word 1 in
# all of them, so the ratio exceeds 1 and grows with the bias. Attention takes the gradient straight
# to *every* place, in proportion to the weight there; it does not remove the recurrence.
#
# <details><summary>How sure?</summary>
#
# Five networks with random weights and inputs, before any training; the differences along the chain
# are powers of ten. Once the weights are uneven, a word that gets none receives no more through the
# shortcut than its own later states pass back. That training starts more slowly *because* of the
# chain is not shown here.
#
# </details>

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Bahdanau's decoder attends with $s_{t-1}$ before the recurrent step, Luong's with $s_t$ after
#   it; changing one input at a time shows which one it is.
# - An additive score without its tanh cannot use the query at all.
# - A GRU keeps a share $z$ of its state and fills the rest with the candidate.
# - With equal parameters, attending after the step was ahead on captions in all three trainings, at
#   one learning rate; on the easy corpus the orders could not be distinguished.
# - Before training the chain brings almost no gradient to the first word, unless the forget bias is
#   high; the shortcut brings it at least as much as the last word.
#
# **Left out.** Which score is best, and why scores are scaled (chapter 6).
#
# <details><summary>Papers</summary>
#
# [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (Eqs. 4–7, §A.1.1, §A.2.2);
# [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3); [Cho et al.
# 2014a](D_papers.ipynb#cell-id=cho-2014a) (the GRU); [Graves
# 2013](D_papers.ipynb#cell-id=graves-2013); [Larochelle and Hinton
# 2010](D_papers.ipynb#cell-id=larochelle-2010); [Mnih et al.
# 2014](D_papers.ipynb#cell-id=mnih-2014).
#
# </details>
#
# **Next.** [05c](05c_explanation.ipynb): does the map explain what the translator does?

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# Which order translates better?
first, second = orders
assert len({run["parameters"] for order in orders for run in on_easy[order]}) == 1
fresh = bleu[first, "new"], bleu[second, "new"]
assert min(fresh[0]) < max(fresh[1]) and min(fresh[1]) < max(fresh[0])
spread = min(max(three) - min(three) for three in fresh)
assert abs(sum(fresh[0]) - sum(fresh[1])) / 3 < spread
settings = [(run["preset"], run["parameters"]) for order in orders for run in on_captions[order]]
assert len(settings) == 6 and len(set(settings)) == 1
for split in ("test", "valid"):
    check_range(min(bleu[second, split]) - max(bleu[first, split]), 0.1, 3)

# Before training
for shortcut, _ in ratios.values():
    check_range(shortcut, 0.25, 12)
check_range(ratios[0.0][1], 1e-10, 1e-7)
check_range(ratios[1.0][1], 1e-5, 1e-2)
check_range(ratios[2.0][1], 0.03, 0.5)
check_range(norms[0, 0] / norms[1, 0], 20, 2000)  # in size, with the highest bias
torch.testing.assert_close(mine[0], new["hidden"][:, 0])
torch.testing.assert_close(mine[2], features[:, 0])
