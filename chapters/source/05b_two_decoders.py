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
# *Which decoder state asks, and when?*
#
# You will build Bahdanau's decoder equation by equation, tell it from Luong's without seeing any
# code, and follow the gradient along two paths.
#
# **What you need.** [05](05_attention.ipynb): scores → weights → context, and
# $\tilde s_t = \tanh(W_c [c_t ; s_t])$ in a translator from Korean to English. A translator trained
# as it was there comes along and is only loaded.
#
# **Time.** 25 minutes to read, 54 for exercises 5.6 and 5.8 to 5.10; the notebook runs in about a
# quarter of a minute.
#
# <details><summary>Plan</summary>
#
# Must be read: *Bahdanau beside Luong* and *The gradient's shortcut*. May be skipped: *A query in
# another language* and *Bahdanau's decoder, equation by equation* (the exercises 5.6 and 5.8 are
# there).
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(6)

# %% [markdown] id="general-text"
# ## A query in another language
#
# A dot product multiplies the third number of $s_t$ with the third of $h_j$. But the two come from
# different networks; at the start nothing makes their third numbers mean the same. And their sizes
# must be equal:

# %% id="sizes"
from attnlib.model import DotAttention

try:
    DotAttention(query_size=3, key_size=2)
except ValueError as problem:
    print(problem)

# %% [markdown] id="general-formula"
# [Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015) put a learned matrix between the two, and
# call the score **general**:
#
# $$e_{tj} = s_t^\top W_a h_j, \qquad W_a \in \mathbb{R}^{H_{dec} \times H_{enc}}$$
#
# $W_a$ carries each key into the space of the queries by a **linear map**, so the sizes may differ.
# In code it is `query @ W_a @ keys.transpose(1, 2)`. ([Chapter
# 6](06_scores.ipynb#cell-id=worlds-text) asks what such a matrix can find.)
#
# <details><summary>The matrix and its transpose</summary>
#
# $W_a$ has a row for each number of the query and a column for each number of a key. Code often has
# a linear layer `A` on the decoder state: $h_j^\top (A s_t) = s_t^\top A^\top h_j$, so the layer's
# weight is $W_a$ transposed.
#
# </details>
#
# How can the dot product of 05 do without it? One could say that the decoder's recurrent network
# *itself* learns to make states that are good queries. Then $s_t$ should come to point the way of
# the states that it is linked to: the cosine with them, minus that with all others, should grow.


# %% id="trained" tags=["hide-input"]
# loads the corpus and a trained translator
from attnlib.data import bundled_directory, load_corpus
from attnlib.translator import Translator

translator = Translator.load(bundled_directory().parent / "ko-en-easy-attention", "cpu")
korean, english = translator.src_vocabulary, translator.tgt_vocabulary
attentive = translator.model.eval()
corpus = load_corpus("ko-en-easy")

# %% id="meeting"
from attnlib.data import make_batch
from attnlib.model import make_seq2seq


@torch.no_grad()
def closeness(model):
    """Mean cosine of s_t with the sure-linked states, minus that with all others."""
    near, far = [], []
    for p in [p for p in corpus.test if len(korean.encode(p.src)) <= 10][:60]:
        batch = make_batch([korean.encode(p.src)], [english.encode(p.tgt)])
        memory, decoder = model.encode(batch.src, batch.src_mask), model.decoder
        words = decoder.embed(batch.tgt_in).unsqueeze(1)
        s_t, _ = decoder.run(words, decoder.start(memory))
        states = F.normalize(memory.states[0], dim=-1)
        cosine = F.normalize(s_t[0, 0], dim=-1) @ states.T
        gold = torch.zeros_like(cosine, dtype=torch.bool)
        gold[[t for _, t in p.links.sure], [j for j, _ in p.links.sure]] = True
        near.append(cosine[gold])
        far.append(cosine[~gold])
    return (torch.cat(near).mean() - torch.cat(far).mean()).item()


newborn = make_seq2seq(len(korean), len(english), attention="dot").eval()
print(f"before training: {abs(closeness(newborn)):5.1f}")
print(f"after training:  {closeness(attentive):5.1f}")

# %% id="meeting-check" tags=["check"]
# checks what the text says
check_range(closeness(newborn), -0.1, 0.1)
check_range(closeness(attentive), 0.2, 0.7)

# %% [markdown] id="meeting-read"
# It does, in this training: the two recurrent networks learn to meet, and the state gets shaped
# into a good query. Attention needs no linear map between query and key.

# %% [markdown] id="equations"
# ## Bahdanau's decoder, equation by equation
#
# The first translator with attention was that of [Bahdanau, Cho and Bengio
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015). Its equations, in this book's letters:
#
# | | | |
# |---|---|---|
# | (4) | $p(y_t \mid y_{\lt t}, x) = g(y_{t-1}, s_t, c_t)$ | predict |
# | | $s_t = f(s_{t-1}, y_{t-1}, c_t)$ | the new state |
# | (5) | $c_t = \sum_j \alpha_{tj} h_j$ | the context |
# | (6) | $\alpha_{tj} = \exp e_{tj} / \sum_k \exp e_{tk}$ | weights |
# | | $e_{tj} = a(s_{t-1}, h_j)$ | scores |
# | (7) | $h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]$ | states, read both ways |
#
# Left to say: what $a$, $f$, $g$ and the first state $s_0$ are. We build them one after the other.

# %% [markdown] id="history"
# <details><summary>Who was first?</summary>
#
# In neural translation Bahdanau, Cho and Bengio were (2014 on arXiv). Soft windows that slide over
# an input are older: [Graves (2013)](D_papers.ipynb#cell-id=graves-2013) used one to write
# handwriting from text, as they say themselves in their section on related work, and [Larochelle
# and Hinton (2010)](D_papers.ipynb#cell-id=larochelle-2010) and [Mnih et al.
# (2014)](D_papers.ipynb#cell-id=mnih-2014) let networks glimpse at parts of an image.
#
# </details>

# %% [markdown] id="both-ways-text"
# ### Equation (7): states that know both sides
#
# Of six words, exchange word 5. Which half of $h_3$ changes? And if word 2 is exchanged?

# %% id="both-ways-diagram"
from attnbook.figures import bidirectional_diagram
from attnlib.model import Encoder

both_ways = Encoder(nn.Embedding(100, 8), hidden_size=8).eval()
src = torch.randint(100, (1, 6), generator=generator)
before, _ = both_ways(src, torch.ones(1, 6, dtype=torch.bool))
bidirectional_diagram(before[0, :3].detach(), ["나는", "집에", "갔다"])

# %% id="both-ways"
for word in (2, 5):
    other = src.clone()
    other[0, word - 1] = (other[0, word - 1] + 1) % 100
    after, _ = both_ways(other, torch.ones(1, 6, dtype=torch.bool))
    ahead, back = (after - before)[0, 2].abs().chunk(2)
    told = f"→h_3 changes by {ahead.max():.2f}, ←h_3 by {back.max():.2f}"
    print(f"word {word} exchanged: {told}")

# %% [markdown] id="both-ways-read"
# The forward half knows what came before, the backward half what comes after. In an encoder that
# reads one way only, $h_3$ is the same whatever word 5 is: if the translation of word 3 depends on
# the word after it, no training can help.

# %% [markdown] id="linear-text"
# ### The alignment model
#
# The paper's $a$ scores the previous decoder state against **every** $h_j$: a small network with
# one hidden layer, the **additive** score:
#
# $$e_{tj} = v_a^\top \tanh(W_a s_{t-1} + U_a h_j).$$
#
# ($U_a h_j$ is computed once per sentence, as the paper's §A.1.2 says.) Leave the tanh away. Two
# very different decoder states look at the same four keys: by how much do their weights differ, at
# most?

# %% id="predict-linear"
predict("05b.linear", ...)

# %% id="linear"
W, U, v = (torch.randn(*size, generator=generator) for size in ((6, 5), (6, 8), (6,)))
# two queries s_{t-1}
opposite = torch.tensor([[[1.0, 1, 1, 1, 1]], [[-1.0, -1, -1, -1, -1]]])
four_keys = torch.randn(1, 4, 8, generator=generator).expand(2, -1, -1)
gaps = {}
for name, nonlinearity in (("linear", lambda x: x), ("tanh", torch.tanh)):
    hidden = nonlinearity(opposite @ W.T + four_keys @ U.T)  # (2, 1, A) + (2, 4, A)
    weights = (hidden @ v).softmax(-1)
    gaps[name] = float((weights[0] - weights[1]).abs().max())
with reveal("05b.linear", gaps["linear"], within=0.005):
    for name, gap in gaps.items():
        print(f"{name:6}: largest difference of the weights {gap:.2f}")

# %% [markdown] id="linear-read"
# <details><summary>What it says</summary>
#
# Not at all. A linear score is $v^\top W_a s + v^\top U_a h_j$; its first part is the same for all
# $j$, and the softmax does not see what is added to every score. Such a score could not look at
# different words at different steps. (A dot product *multiplies* $s$ and $h_j$, so it can.) The
# tanh, its **nonlinearity**, is what makes the query matter.
#
# </details>

# %% [markdown] id="ex-additive-score-text"
# ### Exercise 5.6 · Bahdanau's score
# *Core, 12 minutes.* All scores at once: query (B, T, Hd), keys (B, S, He), `w` (A, Hd), `u`
# (A, He), `v` (A,), result (B, T, S).
#
# <details><summary>Hint 1</summary>
#
# Every query meets every key: the sum W s + U h has four dimensions, (B, T, S, A).
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `unsqueeze` puts in a dimension of size 1, and a dimension of size 1 is repeated as needed: (B, T,
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


# %% [markdown] id="f-text"
# ### The states: where they start, and a GRU that reads word and context
#
# The decoder starts from $s_0 = \tanh(W_s \overleftarrow{h}_1)$: the *backward* state at the
# *first* word, which has just read the whole sentence from its end. (In a padded batch, position 1
# is right whatever the length.)
#
# $f$ is a GRU (chapter 2). The context is concatenated with the *embedding of the previous word*,
# $s_t = \mathrm{GRU}([E y_{t-1} ; c_t],\, s_{t-1})$, and so reaches every gate; $s_{t-1}$ stays the
# recurrent state.
#
# <details><summary>The GRU of torch and that of the paper</summary>
#
# They differ in two details (chapter 2): where the reset gate multiplies, and which way round the
# update gate counts.
#
# </details>

# %% [markdown] id="ex-bahdanau-step-text"
# ### Exercise 5.8 · One step of Bahdanau's decoder
# *Core, 12 minutes.* `attend(query, keys, values, mask)` returns (context, weights), where query is
# (B, 1, Hd), context (B, 1, He) and weights (B, 1, S). `cell(inputs, state)` returns the next state
# (B, Hd) from inputs (B, E + He). Return the new state, and the weights as `attend` returns them,
# (B, 1, S).
#
# <details><summary>Hint 1</summary>
#
# Which state exists *before* the step?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `state.unsqueeze(1)` makes (B, 1, Hd) of (B, Hd); `context.squeeze(1)` goes the other way.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# attend, concatenate word and context, cell. The word comes first.
#
# </details>


# %% id="ex-bahdanau-step" tags=["exercise"]
@exercise
def bahdanau_step(word, state, keys, mask, attend, cell):
    """word (B, E), state s_{t−1} (B, Hd), keys (B, S, He) → s_t, weights."""
    raise NotImplementedError


# %% [markdown] id="g-text"
# ### The deep output
#
# The paper's $g$ predicts the word from all three,
# $\tilde t_t = U_o s_t + V_o E y_{t-1} + C_o c_t$; of each neighboring pair the larger number is
# kept (**maxout**), and a softmax layer follows. Here is everything together, from your score and
# your step, against the library's decoder with the same weights.
#
# <details><summary>Which state enters the output?</summary>
#
# The paper is of two minds: its Eq. (4) has $s_t$ here, its appendix A.2.2 writes $s_{t-1}$. The
# library follows Eq. (4).
#
# </details>

# %% id="finished"
from attnlib.masking import lengths_to_mask
from attnlib.model import BahdanauDecoder, Memory

sizes = {"memory_size": 8, "hidden_size": 5, "output_size": 4, "cell": "gru"}
library = BahdanauDecoder(nn.Embedding(9, 6), **sizes)
read_states = torch.randn(2, 4, 8, generator=generator)
read_mask = lengths_to_mask(torch.tensor([4, 2]))
memory = Memory(read_states, library.prepare(read_states), read_mask, read_states[:, 0])
state, tokens = library.start(memory), torch.tensor([[7], [8]])
features, new, step_weights = library.step(tokens, memory, state)

# %% id="finished-scratch"
from attnlib.masking import masked_softmax
from attnlib.model import GRUCell

gru = GRUCell(6 + 8, 5)
gru.load_state_dict({name[:-3]: p for name, p in library.rnn.named_parameters()})
parts = library.attention
W_a, U_a, v_a = parts.from_query.weight, parts.from_key.weight, parts.v


def attend(query, keys, values, mask):
    scores = additive_score(query, keys, W_a, U_a, v_a)
    alpha = masked_softmax(scores, mask.unsqueeze(1))
    return alpha @ values, alpha


# %% id="finished-agree"
word_before, s_0 = library.embed(tokens[:, 0]), state["hidden"][:, 0]
s_1, alpha_1 = bahdanau_step(word_before, s_0, read_states, read_mask, attend, gru)
c_1, _ = attend(s_0.unsqueeze(1), read_states, read_states, read_mask)
joined = torch.cat([s_1, word_before, c_1.squeeze(1)], dim=-1)
deep = library.head(joined)  # [U_o V_o C_o]
maxout = deep.unflatten(-1, (-1, 2)).amax(-1)  # the larger of each pair
torch.testing.assert_close(alpha_1, step_weights)
torch.testing.assert_close(s_1, new["hidden"][:, 0])
torch.testing.assert_close(maxout, features[:, 0])
print("weights, state and output are those of the library's decoder")

# %% [markdown] id="side-text"
# ## Bahdanau beside Luong
#
# It is tempting to say that the decoder scores the encoder states with its current state $s_t$
# *and* feeds the context into the same recurrent step. That would need $s_t$ before it exists.
# There are two decoders, [Bahdanau et al. (2015)](D_papers.ipynb#cell-id=bahdanau-2015) and [Luong
# et al. (2015)](D_papers.ipynb#cell-id=luong-2015), and they attend at different moments.
#
# | | Bahdanau | Luong |
# |---|---|---|
# | query | $s_{t-1}$ | $s_t$ |
# | order | attend → recurrent step → predict | recurrent step → attend → predict |
# | context enters | the recurrent step, and the output | only $\tilde s_t$, so only the output |
# | state | $s_t = f([E y_{t-1} ; c_t], s_{t-1})$ | $s_t = f(E y_{t-1}, s_{t-1})$ |
# | predicts from | $s_t$, $E y_{t-1}$, $c_t$ | $\tilde s_t = \tanh(W_c [c_t ; s_t])$ |
# | all steps at once in training? | no, each waits for the last | yes, without input feeding |
#
# **Input feeding** (Luong's §3.3, exercise 5.3) hands $\tilde s_{t-1}$ to the next recurrent step
# as well; without it the recurrent state never sees the context.
#
# One step of each, drawn from tensors of small random decoders that get the same word and the same
# four encoder states, two of them padding. Follow the numbers 1, 2, 3.

# %% id="draw-tools" tags=["hide-input"]
# draws the figure
from attnbook.figures import decoder_step_diagram
from attnlib.model import LuongDecoder

decoders = {
    "bahdanau": library,
    "luong": LuongDecoder(nn.Embedding(9, 6), **sizes),
    "input feeding": LuongDecoder(nn.Embedding(9, 6), input_feeding=True, **sizes),
}


def drawn(order):
    """The drawing of one step of a decoder, from its own tensors."""
    decoder = decoders[order]
    prepared = decoder.prepare(read_states)
    memory = Memory(read_states, prepared, read_mask, read_states[:, 0])
    start = decoder.start(memory)
    _, _, alpha = decoder.step(tokens, memory, start)
    word, old = decoder.embed(tokens)[1, 0], start["hidden"][1, 0]
    step = [x.detach() for x in (word, old, read_states[1], alpha[1, 0])]
    return decoder_step_diagram(order, *step)


# %% id="draw"
drawn("bahdanau")

# %% id="draw-luong"
drawn("luong")

# %% id="draw-feeding"
drawn("input feeding")

# %% [markdown] id="perturb-text"
# ### Told apart from outside
#
# Change one input, hold the rest, and watch. For Bahdanau, Luong, and Luong with input feeding:
# does $\alpha_t$ change with the previous word $y_{t-1}$? Does $s_t$ change with a key $h_j$? Fill
# in the six answers before you run the cells.


# %% id="perturb"
def answers(decoder):
    """Whether α_t depends on y_{t-1}, s_t on h_j, and s_{t+1} on h_j."""
    prepared = decoder.prepare(read_states)
    first = Memory(read_states, prepared, read_mask, read_states[:, 0])
    moved = read_states + 1
    second = first._replace(states=moved, prepared=decoder.prepare(moved))
    start = decoder.start(first)
    _, s_t, alpha = decoder.step(tokens, first, start)
    _, _, alpha_word = decoder.step(tokens - 1, first, start)
    _, s_key, _ = decoder.step(tokens, second, start)
    after, after_key = (decoder.step(tokens, first, state)[1] for state in (s_t, s_key))
    pairs = [(alpha, alpha_word)]
    pairs += [(a["hidden"], b["hidden"]) for a, b in ((s_t, s_key), (after, after_key))]
    return ["no " if torch.equal(a, b) else "yes" for a, b in pairs]


# %% id="perturb-table"
print(f"{'':14}α_t on y_t-1   s_t on h_j   s_t+1 on h_j")
for name, decoder in decoders.items():
    print(f"{name:14}{'            '.join(answers(decoder))}")

# %% [markdown] id="perturb-read"
# Bahdanau: the weights are chosen before the last word is read, and the state depends on the keys.
# Luong: the other way round. With input feeding the keys reach the state one step later.

# %% [markdown] id="ex-which-decoder-text"
# ### Exercise 5.9 · Which decoder is it?
# *Hard, 15 minutes.* You get a decoder as a black box: `step(word, state, keys)` returns
# `(new_state, weights)`. Return `"bahdanau"` if it attends before the recurrent step and feeds the
# context to it, `"luong"` if it attends with the new state and keeps the context out of it, and
# `"another"` if it does neither of the two.
#
# <details><summary>Hint 1</summary>
#
# Two questions: do the weights depend on the word? Does the new state depend on the keys?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# There are four pairs of answers. Two have a name.
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
    """ "bahdanau", "luong" or "another", by what step(word, state, keys) returns."""
    raise NotImplementedError


# %% [markdown] id="better-text"
# ### Which of the two translates better?
#
# The two papers differ in the *order*, in the *score* and in what predicts the word. A fair pair
# differs in the order alone: Bahdanau's decoder, and the same decoder (state, cell, additive score,
# deep output) with the recurrent step first. In Luong's order the state never sees a context; so
# there is a third row, *context fed*, which hands $c_{t-1}$ to the recurrent step and has exactly
# the parameters of Bahdanau's. Recorded runs on the easy corpus of 05, the three orders each at the
# best of four learning rates:

# %% id="better"
rows = {
    "Luong, dot": "luong",
    "Luong, additive": "additive",
    "Bahdanau": "bahdanau",
    "Bahdanau, Luong's order": "luong-order",
    "the same, context fed": "luong-order-fed",
}


# %% id="better-tools" tags=["hide-input"]
# how a row is printed
def span(values, form):
    """The lowest and the highest of some values."""
    return f"{min(values):{form}}–{max(values):{form}}"

# %% id="better-table"
recorded = read_record("05_attention")["runs"]
print("three runs each                   BLEU     new pairs           AER")
for name, variant in rows.items():
    runs = [run for run in recorded if run["variant"] == variant]
    bleu = span([sum(run["bleu"]) / len(run["bleu"]) for run in runs], ".1f")
    others = span([run["others"]["test_composition"]["bleu"] for run in runs], ".1f")
    error = span([run["aer"] for run in runs], ".2f")
    print(f"{name:26} {bleu:>11} {others:>13} {error:>13}")

# %% [markdown] id="better-read"
# All of them translate the test nearly without a fault, and new combinations of known words (*new
# pairs*) nearly as well. The strict pair, Bahdanau's decoder and the same parameters in Luong's
# order, cannot be told apart by three seeds, in any column: *when* the question is asked decides
# nothing here. What comes with Bahdanau's decoder is another map, in either order: with the same
# additive score its error rate is higher in every training ([05c](05c_explanation.ipynb) asks what
# a map means).
#
# <details><summary>How sure?</summary>
#
# Three trainings of each, and of three against three chance alone puts all of one model first in
# one case of ten. A seed that is not shown tried several learning rates with each model, by the
# loss of the validation split (`05_rates`).
#
# </details>

# %% [markdown] id="gradient-text"
# ## The gradient's shortcut
#
# With attention the gradient has two paths: the **chain** (from $s_t$ through every decoder step to
# the last encoder state and on through every encoder step) and the **shortcut** (from $c_t$
# straight to each $h_j$: through the value, as strong as $\alpha_{tj}$, and through the score that
# made $\alpha_{tj}$). To see one, close the other: `detach()` keeps the numbers and stops the
# gradient.
#
# Here is the trick on two numbers, half done. The loss uses `x` in two places. The first path is
# shown; put the second in place of the dots. The two must add up to the gradient with nothing
# closed.

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
# ### Exercise 5.10 · One path at a time
# *Hard, 15 minutes.* `encode(x)` gives states (S, H) of an input x (S, E). `decode(keys, last)`
# gives a number, the loss, from all states (S, H) and the last state (H,). Normally the loss is
# `decode(states, states[-1])`. Return two gradients of the loss with respect to x, both (S, E):
# the one that flows only through the keys, and the one that flows only through the last state.
#
# <details><summary>Hint 1</summary>
#
# `torch.autograd.grad(loss, x)[0]` is the gradient, once x is a tensor that requires one: `x =
# x.detach().requires_grad_()`.
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
# An LSTM encoder with torch's default **initialization**, the biases of its forget gates near 0,
# reads 40 words left to right. An LSTM decoder is handed the last hidden state, and a memory cell
# of zeros; the loss is taken at its fifth step. Five random networks. On the chain, how many powers
# of ten is the gradient smaller at word 1 than at word 40?

# %% id="predict-reach"
predict("05b.reach", ...)


# %% id="reach"
def reach(seed, forget_bias=0.0, size=32, length=40):
    """Gradient norms (2, S) at every source word: keys, last state."""
    torch.manual_seed(seed)
    reader, writer = nn.LSTM(size, size), nn.LSTM(size, size)
    reader.bias_ih_l0.data[size : 2 * size] += forget_bias
    words, join = torch.randn(5, size), nn.Linear(2 * size, size)

    def decode(keys, last):
        hidden, _ = writer(words, (last.unsqueeze(0), torch.zeros(1, size)))
        query = hidden[-1].view(1, 1, size)
        context, _ = DotAttention(size, size)(query, keys[None], keys[None])
        return torch.tanh(join(torch.cat([context[0, 0], hidden[-1]]))).sum()

    paths = gradients_by_path(lambda x: reader(x)[0], decode, torch.randn(length, size))
    return torch.stack([path.norm(dim=-1) for path in paths])


# %% id="reach-figure" tags=["hide-input"]
# draws the figure
from attnbook.figures import learning_curves


def draw_reach():
    """The gradient at each source word, with torch's initial biases."""
    norms = torch.stack([reach(seed) for seed in range(5)])
    paths = ("shortcut: keys and values", "chain: last state only")
    curves = {name: norms[:, n] for n, name in enumerate(paths)}
    learning_curves(
        range(1, 41),
        curves,
        title="Gradient that reaches each source word (5 networks, mean and range)",
        xlabel="source position j (words)",
        ylabel="gradient norm",
        log=True,
    )
    plt.show()

# %% id="reach-numbers"
ratios = {}
for bias in (0.0, 1.0, 2.0):
    # (5 networks, 2 paths, 40)
    norms = torch.stack([reach(seed, bias) for seed in range(5)])
    ratios[bias] = norms.mean(0)[:, 0] / norms.mean(0)[:, 39]
with reveal("05b.reach", -ratios[0.0][1].log10(), within=1):
    print("gradient at word 1 against word 40:  shortcut    chain")
    for bias, (shortcut, chain) in ratios.items():
        print(f"  forget bias {bias:.0f}  {shortcut:27.1f}   {chain:8.0e}")
    draw_reach()

# %% [markdown] id="reach-alt"
# <details><summary>The figure in words</summary>
#
# Gradient norm on a logarithmic axis against source position 1 to 40. Through the keys it is nearly
# level from the first word to the last. Through the last state it falls along a straight line
# toward the first word, over more than eight powers of ten.
#
# </details>

# %% id="reach-check" tags=["check"]
# checks what the text says
for shortcut, _ in ratios.values():
    check_range(shortcut, 0.25, 12)
check_range(ratios[0.0][1], 1e-10, 1e-7)

# %% [markdown] id="reach-read"
# <details><summary>What it says</summary>
#
# A decoder without attention has the falling path alone: with this initialization, word 1 teaches
# it nothing. How steeply it falls is a matter of the initialization: a bias of 1 at the forget
# gates takes away more than half of the powers of ten, and with 2 only one is left (chapter 2).
# With attention every word is reached within a factor of ten, and that is no wonder either:
# *untrained* weights are nearly equal, so the shortcut is equally wide everywhere.
#
# And the shortcut ends at $h_j$, itself a recurrent state: word $k$ reaches it only along the
# encoder's chain ([05c](05c_explanation.ipynb#cell-id=neighbours) measures how far). It is short
# because it goes to the *right place*, not because recurrence has gone.
#
# </details>

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - An additive score without its tanh cannot use the query at all.
# - Bahdanau attends with $s_{t-1}$ before the recurrent step, Luong with $s_t$ after it; two
#   perturbations tell them apart.
# - In two decoders of equal parts the order alone decides nothing that three seeds show.
# - Before training the chain brings next to nothing from the first word; the shortcut brings as
#   much from there as from the last.
#
# **Left out.** Which score is best, and why scores are scaled (chapter 6); coverage, a memory of
# what was already looked at (chapter 8).
#
# <details><summary>Papers</summary>
#
# [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (Eqs. 4–7, §A.1.2, §A.2.2);
# [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3); [Graves
# 2013](D_papers.ipynb#cell-id=graves-2013); [Larochelle and Hinton
# 2010](D_papers.ipynb#cell-id=larochelle-2010); [Mnih et al.
# 2014](D_papers.ipynb#cell-id=mnih-2014).
#
# </details>
#
# **Next.** [05c](05c_explanation.ipynb): does the map explain what the translator does?
