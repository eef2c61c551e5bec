# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 11b · A Transformer translates
#
# *What turns the parts of a GPT into a translator?*
#
# **You will learn to** write text without reading everything again, build a decoder's layer,
# compare the book's Transformer with torch's, weight by weight, and say what attention costs with
# length.
#
# **What you need.** [11](11_transformer.ipynb): multi-head attention, positions, the causal mask,
# pre-norm layers.
#
# **Time.** 21 minutes to read, 35 for exercises 11.4 and 11.5; about a minute to run.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn

from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(11)

# %% id="drawing"
from attnbook.figures import transformer_diagram
from attnlib.data import WordVocabulary, load_corpus
from attnlib.model import Transformer

corpus = load_corpus("ko-en-easy")
sources = [pair.src for pair in corpus.train]
korean = WordVocabulary.build(sources, pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
SIZES = {"hidden_size": 88, "num_heads": 4, "feedforward_size": 176}  # and two layers each
transformer_diagram(Transformer(len(korean), len(english), **SIZES))

# %% [markdown] id="drawing-read"
# **Figure 1.** The Transformer of [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017),
# with chapter 11's pre-norm layers (theirs are post-norm). To a GPT it adds one thing: a second
# tower, and an arrow from it.
#
# The left tower, the encoder, reads the source. It is chapter 11's stack without the causal mask.
# The right one, the decoder, is chapter 11's GPT with one more part in each layer,
# **cross-attention**, where the arrow ends: it carries all that the decoder knows about the source.
# Below, you write this layer, and a cache that makes it faster.

# %% [markdown] id="cache-text"
# ## Reading again is waste
#
# For each new token, chapter 11's GPT reads all tokens so far again. But under the mask the vectors
# of old tokens cannot change. Only the *new* token needs to go through the layers, if each layer
# keeps the keys and values of all the old ones in a *cache*.
#
# **Warm-up.** A network writes 200 tokens. How many vectors go through each layer with this cache,
# and how many without it?
#
# <details><summary>Answer</summary>
#
# With the cache there are 200, without it $1 + 2 + \dots + 200 = 20100$: a hundred times as many.
#
# </details>

# %% [markdown] id="ex-cached-step-text"
# ### Exercise 11.4 · Ask only for the new word
# *Hard, 15 minutes.* Keep the keys and values of the words already written. `query`, `key` and
# `value` (B, 1, d) belong to the new word; `past_keys` and `past_values` (B, t, d) to the t words
# before (t = 0 at first). Return three things: the context of the new word (B, 1, d), which attends
# to all past words *and itself* by the scaled dot score, and the keys and the values (B, t+1, d)
# for the next step. Do not change the tensors that come in.
#
# <details><summary>Hint 1</summary>
#
# Is a mask needed? Which words does the new one see?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# In what order must two things happen: making the tables longer, and attending?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Two longer tables, made of old and new along the dimension of words; then the scaled dot score,
# with one query and no mask.
#
# </details>


# %% id="ex-cached-step" tags=["exercise"]
import math


@exercise
def cached_step(query, key, value, past_keys, past_values):
    """(B, 1, d) and (B, t, d) → context (B, 1, d), keys and values (B, t + 1, d)."""
    raise NotImplementedError


# %% [markdown] id="cached-text"
# ### The same stack, token by token
#
# The next cell sends one new token at a time through a stack with your step; the heads take the
# place of the batch. The weights are random, because this tests the arithmetic and the time.

# %% id="cached-layer" tags=["hide-input"]
# sends tokens through the stack, one by one and read again
import math

from attnlib.model import EncoderStack, MultiHeadAttention
from attnlib.model import causal_mask, sinusoidal_positions  # your 11.3 and 11.1


def with_cache(layer, x, past):
    """A layer for one new token x (1, 1, D); past keys, values (heads, t, D/heads)."""
    attention, normed = layer.self_attn, layer.norm1(x)
    by_head = (attention.num_heads, 1, -1)  # (heads, 1, D / heads)
    query = attention.query(normed).view(by_head)
    key = attention.key(normed).view(by_head)
    value = attention.value(normed).view(by_head)
    past_keys, past_values = past
    context, keys, values = cached_step(query, key, value, past_keys, past_values)
    x = x + attention.out(context.reshape(1, 1, -1))
    return x + layer.feed_forward(layer.norm2(x)), (keys, values)


@torch.no_grad()
def one_by_one(stack, tokens):
    """Vectors of tokens (T,), each sent through the layers once: (T, D)."""
    size = stack.embed.embedding_dim
    heads = stack.layers[0].self_attn.num_heads
    places = sinusoidal_positions(len(tokens), size)
    nothing = torch.zeros(heads, 0, size // heads)
    pasts = [(nothing, nothing) for layer in stack.layers]
    rows = []
    for t, token in enumerate(tokens):
        x = (stack.embed(token) * math.sqrt(size) + places[t]).view(1, 1, size)
        for n, layer in enumerate(stack.layers):
            x, pasts[n] = with_cache(layer, x, pasts[n])
        rows.append(stack.norm(x)[0, 0])
    return torch.stack(rows)


@torch.no_grad()
def read_again(stack, tokens):
    """The same, reading all tokens so far again for each new one."""
    rows = []
    for t in range(1, len(tokens) + 1):
        rows.append(stack(tokens[None, :t], causal_mask(t))[0, -1])
    return torch.stack(rows)


# %% id="cached"
import time

stack = EncoderStack(62, 76, 4, 304, 2, dropout=0.0)
tokens = torch.randint(62, (300,))
with torch.no_grad():
    at_once = stack(tokens[None], causal_mask(300))[0]
seconds = {}
for way in (read_again, one_by_one):
    start = time.perf_counter()
    apart = (way(stack, tokens) - at_once).abs().max()
    seconds[way] = time.perf_counter() - start
    print(f"{way.__name__:11} differs from all at once by at most ≈{apart:.0e}")
print(f"reading again takes ≈{seconds[read_again] / seconds[one_by_one]:.0f} times the time")
for name, layers, size in (("this stack", 2, 76), ("GPT-3", 96, 12_288)):
    print(f"{name:10} keeps {2 * layers * size:9,} numbers per token written so far")

# %% [markdown] id="cached-read"
# All ways compute the same function: all at once under the mask, as in training, or one by one from
# the **KV cache** (KV 캐시), as in writing. (Reading again sends 150 times as many vectors through
# the layers, but many at once, so it does not take 150 times as long.) The price is memory: two
# vectors per token and layer (GPT-3's sizes are from [Brown et al.
# 2020](D_papers.ipynb#cell-id=brown-2020)), and fewer where heads share them ([Shazeer
# 2019](D_papers.ipynb#cell-id=shazeer-2019)).

# %% [markdown] id="decoder-text"
# ## The layer of a decoder
#
# Between self-attention and the feed-forward network, a decoder's layer has cross-attention: the
# target's vectors are the queries, and the encoder's vectors, the *memory*, give the keys and
# values.

# %% [markdown] id="ex-decoder-forward-text"
# ### Exercise 11.5 · The decoder's layer
# *Core, 20 minutes.* `layer` has the parts `self_attn`, `cross_attn` and `feed_forward`, with
# `norm1`, `norm2` and `norm3` in this order, and `dropout`. Each part reads the normalized stream
# (pre-norm); what it returns goes through the dropout and is added to the stream. An attention is
# called with what asks, what is asked and a mask, and returns contexts and weights. The memory is
# normalized already. Masks: `allowed` (1, T, T) for the target, `memory_allowed` (B, 1, S) for the
# memory. Return the stream (B, T, D) and the weights of the *cross-attention* (B, heads, T, S).
#
# <details><summary>Hint 1</summary>
#
# Pre-norm: what is added to? The stream as it is, not its normalized copy.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# In self-attention, what asks and what is asked are the same. In cross-attention, which of the two
# masks says what may be seen of the memory?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Three additions, one after the other; each norm reads the stream as the part before has left it.
#
# </details>


# %% id="ex-decoder-forward" tags=["exercise"]
@exercise
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    """x (B, T, D), memory (B, S, D) → x (B, T, D), weights (B, heads, T, S)."""
    raise NotImplementedError


# %% [markdown] id="decoder-layer-text"
# ### The whole model
#
# With your function the decoder is complete. Around layers like this one, the library's
# `Transformer` has embeddings, positions and the output layer, in which the row that predicts a
# word is the row that embeds it (**weight tying**, [Press and Wolf
# 2017](D_papers.ipynb#cell-id=press-2017)). Its `step` keeps a cache, as in exercise 11.4. (No
# output: they agree.)

# %% id="decoder-layer"
from attnlib.model import DecoderLayer

layer = DecoderLayer(12, num_heads=3, feedforward_size=24, dropout=0.0)
x, memory = torch.randn(2, 5, 12), torch.randn(2, 6, 12)
real = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])  # (B, S)
mine = decoder_forward(layer, x, causal_mask(5)[None], memory, real.unsqueeze(1))
keys_and_values = layer.cross_attn.prepare(memory)  # computed once for all steps of a search
theirs = layer(x, causal_mask(5), keys_and_values, real.unsqueeze(1))
torch.testing.assert_close(mine, theirs)

# %% [markdown] id="whole-text"
# torch has both towers, without embeddings, positions and the output layer, as `nn.Transformer`.
# The next cell gives it our weights under its names. Then both read the same sentences.
#
# <details><summary>Our names and torch's</summary>
#
# | here | `nn.Transformer` | |
# |---|---|---|
# | `EncoderStack` | `nn.TransformerEncoder` | has no embeddings |
# | `DecoderStack` | `nn.TransformerDecoder` | has no embeddings |
# | `self_attn` | `self_attn` | query, key and value matrices in one: `in_proj_weight` |
# | `cross_attn` | `multihead_attn` | also "encoder–decoder attention" |
# | `feed_forward` | `linear1`, `linear2` | also "MLP"; ReLU, or `activation="gelu"` |
# | `norm1`, `norm2`, `norm3` | the same | `norm_first=True` is pre-norm; the default is post-norm |
# | `allowed`, True = may | `tgt_mask`, True = may *not* | for padding `src_key_padding_mask` |
#
# </details>


# %% id="whole-names" tags=["hide-input"]
# names the weights as torch does
def named_as_torch(model):
    """The weights of both stacks under the names of nn.Transformer."""
    state = {}

    def add(name, module):
        for part, value in module.state_dict().items():
            state[f"{name}.{part}"] = value

    def add_attention(name, attention):
        three = (attention.query, attention.key, attention.value)
        state[f"{name}.in_proj_weight"] = torch.cat([linear.weight for linear in three])
        state[f"{name}.in_proj_bias"] = torch.cat([linear.bias for linear in three])
        add(f"{name}.out_proj", attention.out)

    for name, stack in (("encoder", model.encoder), ("decoder", model.decoder)):
        add(f"{name}.norm", stack.norm)
        for n, layer in enumerate(stack.layers):
            here = f"{name}.layers.{n}"
            add_attention(f"{here}.self_attn", layer.self_attn)
            add(f"{here}.norm1", layer.norm1)
            add(f"{here}.norm2", layer.norm2)
            add(f"{here}.linear1", layer.feed_forward[0])
            add(f"{here}.linear2", layer.feed_forward[2])
            if name == "decoder":
                add_attention(f"{here}.multihead_attn", layer.cross_attn)
                add(f"{here}.norm3", layer.norm3)
    return state


seed_everything(2)
ours = Transformer(30, 20, hidden_size=12, num_heads=3, feedforward_size=24, dropout=0.0)
options = {"dropout": 0.0, "batch_first": True, "norm_first": True}
reader = nn.TransformerEncoder(
    nn.TransformerEncoderLayer(12, 3, 24, **options),
    2,
    nn.LayerNorm(12),
    enable_nested_tensor=False,
)
whole = nn.Transformer(12, 3, 2, 2, 24, custom_encoder=reader, **options)
_ = whole.load_state_dict(named_as_torch(ours))

# %% id="whole-agree"
source, target = torch.randint(30, (2, 6)), torch.randint(20, (2, 5))
hidden = ~causal_mask(5)  # torch: True = may not
theirs = whole(
    ours.encoder.embedded(source),
    ours.decoder.embedded(target),
    tgt_mask=hidden,
    src_key_padding_mask=~real,
    memory_key_padding_mask=~real,
)
gap = (ours.features(source, real, target)[0] - theirs).detach().abs().max()
count = sum(parameter.numel() for parameter in whole.parameters())
print(f"{count:,} weights carried over; results differ by at most ≈{gap:.0e}")

# %% [markdown] id="whole-read"
# Up to rounding, the layers of this chapter are torch's.

# %% [markdown] id="train-text"
# ## It translates
#
# It learns Korean to English on the corpus of chapter 5: 600 updates of 32 sentence pairs, with
# Adam, a learning rate that rises and then falls, and dropout 0.1.

# %% id="train" tags=["hide-input"]
# trains the translator
from attnlib.data import Batches
from attnlib.training import Recipe, fit

seed_everything(1)
model = Transformer(len(korean), len(english), **SIZES)
korean_ids = [korean.encode(pair.src) for pair in corpus.train]
english_ids = [english.encode(pair.tgt) for pair in corpus.train]
batches = Batches(korean_ids, english_ids, batch_size=32, seed=1)
recipe = Recipe(
    updates=600,
    warmup=150,
    learning_rate=2e-3,
    label_smoothing=0.0,
    validate_every=600,
    precision="fp32",
    seed=1,
)
history = fit(model, batches, recipe, progress=False)

# %% [markdown] id="write-text"
# Now it writes the sentence of chapter 3, *Minsu · market-at · big · pear · bought*. The loop is
# greedy decoding as in chapter 3. Only the new token goes through the decoder, because `state`
# keeps the keys and values of what it has written, and `memory` those of the source.

# %% id="write"
from attnbook import approx_text
from attnlib.data import BOS, EOS


@torch.no_grad()
def write(source, most=50):
    """Token ids of the translation, and the log-probabilities of every step."""
    memory = model.encode(source, torch.ones_like(source, dtype=torch.bool))
    state = model.decoder.start(memory)  # keys and values of no token
    written, steps = [BOS], []
    while written[-1] != EOS and len(written) <= most:
        log_probs, state, _ = model.step(torch.tensor([[written[-1]]]), memory, state)
        steps.append(log_probs[0, 0])
        written.append(int(log_probs[0, 0].argmax()))
    return written, torch.stack(steps)


model.eval()
source = torch.tensor([[*korean.encode("민수는 시장에서 큰 배를 샀습니다."), EOS]])
written, steps = write(source)
print(approx_text(english.decode(written[1:-1])))

# %% id="write-check" tags=["check"]
# checks that one by one and all at once, as in training, are the same
with torch.no_grad():
    logits, _ = model(source, source > -1, torch.tensor([written[:-1]]))
check_range((logits[0].log_softmax(-1) - steps).abs().max(), 0, 1e-3)
assert written[-1] == EOS

# %% [markdown] id="heads-text"
# ### Where it looks
#
# Here is what the four heads of the last layer look at while the model reads the reference of
# 학생은 도서관에서 편지 세 통을 썼습니다. (*The student wrote three letters in the library.*)

# %% id="heads-figure" tags=["hide-input"]
# draws Figure 2
from attnlib.data import make_batch

wanted = "The student wrote three letters in the library."
pair = next(p for p in corpus.test if p.tgt == wanted)
batch = make_batch([korean.encode(pair.src)], [english.encode(pair.tgt)])
with torch.no_grad():
    _, head_weights = model.features(batch.src, batch.src_mask, batch.tgt_in)
labels = [*korean.tokenize(pair.src), "(end)"]
gloss = ["student", "(topic)", "library", "in", "letter", "three", "(counter)"]
gloss += ["(object)", "wrote", "(polite)", "", ""]
labels = [f"{token} {word}" for token, word in zip(labels, gloss)]
written = [*english.tokenize(pair.tgt), "(end)"]
fig, axes = plt.subplots(2, 2, figsize=(10, 7), sharex=True, sharey=True)
for head, ax in enumerate(axes.flat):
    ax.grid(False)
    grid = head_weights[0, head]
    image = ax.imshow(grid, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    ax.set_title(f"Head {head + 1}")
for ax in axes[1]:
    ax.set_xticks(range(len(labels)), labels, rotation=90, parse_math=False)
    ax.set_xlabel("source token j")
for ax in axes[:, 0]:
    ax.set_yticks(range(len(written)), written)
    ax.set_ylabel("about to write")
fig.colorbar(image, ax=axes, label="weight (0 to 1)", fraction=0.03)
fig.suptitle("Figure 2. Cross-attention of the last layer, head by head")
plt.show()

# %% [markdown] id="heads-alt"
# <details><summary>The figure in words</summary>
#
# Four heat maps, one per head, of ten English tokens, the end among them, by the Korean tokens with
# glosses. In all four, wrote looks at the verb stem 썼, and in three of them “three” at 세 (three).
# Elsewhere they differ: “letters” looks at 편지 (letter) in one head and at the counter 통 in two,
# “student” at 학생 (student) or at the particle after it, “in” at 에서 (in) or 도서관 (library).
# “The”, which has no Korean partner, looks with the word after it in some heads and spreads its
# weight in another. The period looks at the period or at the verb ending.
#
# </details>


# %% [markdown] id="heads-read"
# A layer has four heads, and they look in different places. Showing one heat map means choosing a
# head and a layer, so it is weaker evidence than the maps of chapter 5c.

# %% [markdown] id="captions-text"
# ### On real captions
#
# Chapter 10's corpus is 29,000 pairs of German and English captions, written by people. These are
# recorded trainings on it (`studies/multi30k.py`): chapter 10's translator with Luong's attention,
# the same without attention, and the Transformer, with the same subwords and batches and the same
# number of parameters within 5%. "quick" is 1,800 updates of 900 tokens; "full" is 9,000 of 1,200,
# with larger models and more dropout. The first line is not a network but a dictionary learned by
# counting (chapter 5).

# %% id="captions" tags=["hide-input"]
# reads and prints recorded trainings
import statistics


def trainings(kind, preset):
    """BLEU of all different trainings of a model at a budget, of whatever record."""
    found = set()
    for file in ("10_models", "10_multi30k", "10_quick"):
        for run in read_record(file)["runs"]:
            if run.get("model", "general") == kind and run["preset"] == preset:
                found.add((run["seed"], run["bleu"]["test beam 5"]))
    return [bleu for _, bleu in sorted(found)]


by_words = max(read_record("05_word_by_word")["runs"], key=lambda run: run["bleu"]["valid"])
print(f"{'BLEU, test 2016':28}mean   each training")
print(f"{'a dictionary':28}{by_words['bleu']['test']:.1f}")
means = {}
for name, kind, preset in (
    ("LSTM, no attention: quick", "none", "quick"),
    ("LSTM, attention: quick", "general", "quick"),
    ("Transformer: quick", "transformer", "quick"),
    ("LSTM, attention: full", "general", "full"),
    ("Transformer: full", "transformer", "full"),
):
    each = trainings(kind, preset)
    means[name] = statistics.mean(each)
    print(f"{name:28}{means[name]:.1f}   " + " ".join(f"{bleu:.1f}" for bleu in each))

# %% [markdown] id="captions-read"
# **With or without attention?** At the same budget, both networks that can look back at the source
# are ahead of the one that cannot by more than ten points, in every training. The one that cannot
# is behind even the dictionary. (No quick training had stopped improving, and without attention no
# longer one was tried.)
#
# **LSTM or Transformer?** The table does not decide. Both budgets and the recipe were made for the
# LSTM with attention, in small batches, and the Transformer's settings had four trials.
# On the same captions, others find the opposite order: [bentrevett's
# notebooks](https://github.com/bentrevett/pytorch-seq2seq) 4 and 6 (commit 7faa64a) report 28.11
# BLEU for a GRU with attention and 36.52 for a smaller Transformer (lowercased, greedy: compare
# them only with each other), and [Wu et al. (2021)](D_papers.ipynb#cell-id=wu-2021) publish a
# recipe for a small Transformer, in batches of 8,192 tokens. On millions of pairs, a recurrent
# translator that was given the Transformer's other inventions overtook the Transformer of its day
# ([Chen et al. 2018](D_papers.ipynb#cell-id=chen-2018)).

# %% [markdown] id="cost-text"
# ## What it costs with length
#
# Count multiplications for one sentence of $S$ words and vectors of size $D$.
#
# - A one-way LSTM layer has 8 matrices of size $D \times D$ at every step (four gates, each reads
#   the word and the state): $8 S D^2$.
# - Self-attention has 4, $4 S D^2$, and then every word meets every word, twice (scores and
#   contexts): $2 S^2 D$ more.
# - The feed-forward network, $4D$ wide inside as usual, is another $8 S D^2$.
#
# Attention is said to be expensive because it is quadratic (for example by [Dao et al.
# 2022](D_papers.ipynb#cell-id=dao-2022)). At which length $S$, in words, does the quadratic part
# equal all the rest of the layer, with $D = 128$?

# %% id="predict-cost"
predict("11b.cost", ...)

# %% id="cost"
D = 128
lstm = 8 * D**2  # all counts are per word: those above, divided by S
projections = 4 * D**2  # the four matrices of self-attention
feed_forward = 8 * D**2

equal = 1  # the first length at which the quadratic part is as large as the rest
while 2 * equal * D < projections + feed_forward:
    equal += 1
with reveal("11b.cost", equal, within=100):
    print("     S   quadratic part of the layer   self-attention / LSTM")
    for S in (10, 50, 256, equal, 4000, 32000):
        quadratic = 2 * S * D
        share = quadratic / (quadratic + projections + feed_forward)
        times = (quadratic + projections) / lstm
        print(f"{S:6}{share:22.0%}{times:24.1f}")

# %% [markdown] id="cost-read"
# <details><summary>What it says</summary>
#
# At $S = 6D$ they are equal. Sentences are far shorter, and most of their work is the feed-forward
# network; in whole books the square is nearly everything. The usual reason for replacing recurrence
# is not in this table: in reading, and so in training, the LSTM waits $S$ times for the previous
# step, self-attention never, and a graphics card does thousands of things at once.
#
# </details>
#
# ### And the time?
#
# Our function writes down all $S \times S$ weights. torch's *fused* kernel computes the same
# contexts block by block and never stores the weights (on graphics cards this is FlashAttention,
# from the same paper).

# %% id="fused"
from torch.nn import functional as F

attention = MultiHeadAttention(D, 4)
words = torch.randn(1, 256, D)


def by_head(vectors):
    """(B, S, D) → (B, heads, S, D / heads)."""
    return vectors.unflatten(-1, (4, -1)).transpose(1, 2)


query = by_head(attention.query(words))
key = by_head(attention.key(words))
value = by_head(attention.value(words))
fused = F.scaled_dot_product_attention(query, key, value)
fused = attention.out(fused.transpose(1, 2).flatten(-2))
stored, _ = attention(words, words)  # ours, which stores the weights
fused_gap = (fused - stored).detach().abs().max()
print(f"ours and the fused kernel differ by at most ≈{fused_gap:.0e}")

# %% id="time" tags=["hide-input"]
# prints recorded times
timed = read_record("11_attention_time")["runs"]
spans = [row["length"] for row in timed[0]["rows"]]
ratios = {}
for part in ("self-attention", "fused", "feed-forward"):
    ratios[part] = []
    for n in range(len(spans)):
        three = [run["rows"][n]["times the LSTM's"][part] for run in timed]
        ratios[part].append(statistics.median(three))
layer_times = {}  # attention with the feed-forward network
for part in ("self-attention", "fused"):
    layer_times[part] = [a + b for a, b in zip(ratios[part], ratios["feed-forward"])]
print("time to read a sentence, as a multiple of an LSTM layer's (recorded, one thread)")
print(f"{'words':24}" + "".join(f"{span:8,}" for span in spans))
for label, line in (
    ("attention, by the count", [(2 * S * D + projections) / lstm for S in spans]),
    ("attention, ours", ratios["self-attention"]),
    ("attention, fused", ratios["fused"]),
    ("whole layer, ours", layer_times["self-attention"]),
    ("whole layer, fused", layer_times["fused"]),
):
    print(f"{label:24}" + "".join(f"{ratio:8.2f}" for ratio in line))
print("\nan update in training: chapter 11's Transformer, as a multiple of its LSTM (recorded)")
trained = read_record("11_training_time")["runs"]
for n, row in enumerate(trained[0]["rows"]):
    three = [run["rows"][n]["times the LSTM's"]["transformer"] for run in trained]
    print(f"{row['length']:7} tokens: from {min(three):.1f} to {max(three):.1f}")

# %% [markdown] id="time-read"
# At 2,048 words our self-attention takes about 24 times as long as the LSTM, the fused one about 3
# times: a factor of eight is the implementation's, not attention's. The fused one still grows with
# the square, because it saves no multiplications. A whole layer with it reads up to 64 words in two
# thirds to four fifths of an LSTM layer's time, and more slowly from 256 on; with ours it is slower
# at every length.
#
# In training, chapter 11's two-layer Transformer takes twice as long per update as an LSTM with the
# same number of parameters at 32 tokens, and 18 to 20 times as long at 512. (Numbers so near 0 that
# some processors slow down are set to 0.) All this is one thread of one processor; the large gain
# needs hardware that does many things at once.

# %% [markdown] id="return-text"
# ## The first sentence
#
# In chapter 0 two women drank coffee in a park. The same translator writes the sentence again.

# %% id="return"
from attnlib.data import bundled_directory
from attnlib.translator import Translator

german = Translator.load(bundled_directory().parent / "de-en", "cpu")
told = german.translate("Zwei Frauen trinken im Park Kaffee.", beam_size=1)
print(" ".join(told.src_tokens))
print(told.text)

# %% id="return-parts" tags=["hide-input"]
# prints which part has how many parameters
encoder, decoder = german.model.encoder, german.model.decoder
of_part = {
    "embeddings, also the output (03, 10)": [encoder.embed, german.model.output],
    "the LSTMs that read (02, 03)": [encoder.layers],
    "the LSTM that writes (02, 03)": [decoder.rnn, decoder.bridge],
    "the score of the attention (05, 06)": [decoder.attention],
    "joining word, state and context (05)": [encoder.from_embedding, decoder.combine],
}
counted = set()
for name, modules in of_part.items():
    own = set()  # a matrix that has two uses counts once
    for module in modules:
        own.update(module.parameters())
    print(f"{name:38}{sum(p.numel() for p in own):10,} parameters")
    counted |= own
assert counted == set(german.model.parameters())

# %% [markdown] id="return-read"
# In chapter 0 this was a machine of three million numbers. Now every line has a chapter. The
# attention that finds the coffee is the smallest of the five. A Transformer keeps line one; its
# rest is attention and feed-forward networks. All source words would be read at once, layer by
# layer; writing would still take one step per word, because each word depends on those before it.

# %% [markdown] id="next-text"
# ## Where to go next
#
# - To train a GPT that writes well: Karpathy's [nanoGPT](https://github.com/karpathy/nanoGPT).
# - To build a large language model step by step: Raschka's
#   [LLMs-from-scratch](https://github.com/rasbt/LLMs-from-scratch).
# - To read the paper of 2017 line by line, with code: [The Annotated
#   Transformer](https://nlp.seas.harvard.edu/annotated-transformer/).

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - A decoder's layer attends twice, to the target so far and to the memory. With a KV cache, each
#   new word goes through the layers once, and the result is the same.
# - The book's Transformer is torch's, up to rounding and names.
# - On real captions, after the same short training, looking back at the source was worth more than
#   ten points. Whether an LSTM or a Transformer does it better was not decided.
# - The part that grows with the square of the length is a small share of the work in sentences,
#   nearly all of it in long texts.
#
# **Left out.** The art of training large models, and sampling from them (chapter 8b).
#
# <details><summary>Papers</summary>
#
# [Vaswani et al. 2017](D_papers.ipynb#cell-id=vaswani-2017) (§3, §5.1); [Wu et al.
# 2021](D_papers.ipynb#cell-id=wu-2021); [Chen et al. 2018](D_papers.ipynb#cell-id=chen-2018); [Dao
# et al. 2022](D_papers.ipynb#cell-id=dao-2022); [Press and Wolf
# 2017](D_papers.ipynb#cell-id=press-2017); [Shazeer 2019](D_papers.ipynb#cell-id=shazeer-2019);
# [Brown et al. 2020](D_papers.ipynb#cell-id=brown-2020).
#
# </details>
#
# **Next.** This was the last chapter. [A](A_notation.ipynb) has the notation and the glossary.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# The same stack, token by token
check_range(apart, 0, 1e-4)
check_range(seconds[read_again] / seconds[one_by_one], 1, 100)

# The whole model
check_range(gap, 0, 1e-5)

# On real captions
without = trainings("none", "quick")
for kind in ("general", "transformer"):
    assert min(trainings(kind, "quick")) > max(without) + 10
quick = (run for run in read_record("10_models")["runs"] if run["preset"] == "quick")
assert {run["best update"] for run in quick} == {1800}  # the last
assert max(without) + 2 < by_words["bleu"]["test"] < min(trainings("transformer", "quick")) - 5

# And the time?
check_range(fused_gap, 0, 1e-5)
both = list(zip(layer_times["fused"], layer_times["self-attention"]))
assert spans[:2] == [16, 64]
check_range(both[0][0], 0.6, 0.7)
check_range(both[1][0], 0.75, 0.85)
assert all(1 < fused < own for fused, own in both[2:])
assert min(own for _, own in both) > 1
