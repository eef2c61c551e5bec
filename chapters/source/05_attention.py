# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 05 · Attention in seq2seq
#
# *How can a translator look back at every word?*
#
# You will compute attention by hand, with matrices and with the library, and get the same numbers
# three times. Then you train a translator with attention beside one without, and say what attention
# buys and where it ends.
#
# **What you need.** Encoder and decoder (chapter 3), queries, keys and values (chapter 4), an LSTM
# (chapter 2).
#
# **Time.** 35 minutes to read, 33 for exercises 5.2 to 5.4; the notebook runs in about a minute.
#
# <details><summary>Plan</summary>
#
# Chapter 5 has three files: this one, [05b](05b_two_decoders.ipynb) (which decoder state asks, and
# what becomes of the gradient) and [05c](05c_explanation.ipynb) (whether a heat map explains
# anything). Here everything is meant to be read except *New combinations of known words*, which can
# wait. If you know attention already, begin at *The model, written out*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, recall, reveal, views
from attnlib import figures
from attnlib.device import seed_everything

torch.set_num_threads(1)
figures.use_style()
generator = seed_everything(5)

# %% id="first" tags=["hide-input"]
# draws the figure
recorded_runs = read_record("10_learning")["runs"]
learned = next(run for run in recorded_runs if run["corpus"] == "ko-en-easy")
shown = learned["sentences"][2]
meanings = "painter (topic) school at apple (object) ate and , journalist (topic) tree (object)"
meanings = [*meanings.split(), "drew", "(polite)", "."]
stages = []
for stage in learned["stages"]:
    text, weights = (stage["sentences"][2][part] for part in ("text", "weights"))
    # were in percent
    shares = [[share / max(100, sum(row)) for share in row] for row in weights]
    note = f"left alone it writes: {' '.join(text.split()[:9])}"
    stages.append({"step": stage["update"], "weights": shares, "note": note})
    stages[-1]["tokens"] = shown["reference tokens"]
views.learning_view(
    stages,
    meanings,
    title="A translator learns where to look (recorded)",
    alt="A heat map of fifteen English words by sixteen Korean tokens at six moments of a training."
    " After 25 updates all cells are alike. After 400 most rows have one strong cell. After 1,000"
    " painter, ate, apple, school, journalist, drew and tree each lie on their Korean word; ate is"
    " the third row and its cell lies in the seventh column.",
)

# %% id="first-still" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 4, figsize=(12, 4.2), sharey=True)
for ax, stage in zip(axes, [s for s in stages if s["step"] in (25, 100, 200, 1000)]):
    ax.imshow(stage["weights"], vmin=0, vmax=1, cmap="Blues", aspect="auto")
    ax.set(title=f"{stage['step']:,} updates", xlabel="meaning of the Korean token")
    ax.set_xticks(range(16), meanings, rotation=90, fontsize=8)
    ax.grid(visible=False)
axes[0].set_yticks(range(15), shown["reference tokens"], fontsize=9)
fig.suptitle("The same heat map, four moments")
plt.show()

# %% [markdown] id="first-alt"
# <details><summary>The figure in words</summary>
#
# Four heat maps side by side, fifteen English words down, the meanings of sixteen Korean tokens
# across. After 25 updates every cell is equally pale. After 100 there are pale vertical stripes:
# many words look at the same few tokens. After 200 some rows have a strong cell, on the painter or
# the journalist, and after 1,000 nearly all have one, in two blocks, one per clause: in each block
# the row of the verb, the third and the twelfth, lies far to the right.
#
# </details>

# %% [markdown] id="first-read"
# Move the upper slider. The picture shows where a translator looks in a Korean sentence (*The
# painter ate an apple at school, and the journalist drew a tree*) while it is given the English
# words one by one. A row is an English word, a column a Korean token, named by its meaning; the
# stronger the color, the more of the row's attention the token gets. At the end *ate*, the third
# word, looks at the verb, which Korean puts at the end of the clause. (Below the map stand the
# first nine words of what the translator writes on its own.)
#
# **Nobody showed it a single one of these links.** It was given sentences with their translations
# and learned to predict the next English word. This chapter builds the mechanism and trains it
# before your eyes.

# %% [markdown] id="bottleneck-text"
# ## The problem: one vector for any sentence
#
# A translator without attention has two parts. The **encoder** reads the source words one after the
# other and updates a state $h_j$ at each position $j$. The **decoder** starts from the *last* state
# and writes the target words. How many numbers does it get from a sentence of 5 words, and of 50?
# How many would it get if it could see every $h_j$?

# %% id="bottleneck"
# two layers, one above the other
reader = nn.LSTM(16, 32, num_layers=2, batch_first=True)
for length in (5, 50):
    states, (hidden, cell) = reader(torch.randn(1, length, 16, generator=generator))
    handed = hidden.numel() + cell.numel()
    every = states.numel()
    print(f"{length:2} words: {handed} numbers handed over; all states have {every:,}")

# %% [markdown] id="bottleneck-read"
# The same 128 numbers for 5 words and for 50: the last hidden state and the last memory cell of
# both layers. What grows, `states`, holds the upper layer's $h_j$, which attention will read. This
# is the **bottleneck**: what is compressed into a fixed size must lose something as sentences grow.
# [Cho et al. (2014b)](D_papers.ipynb#cell-id=cho-2014b) reported the symptom: the BLEU of their
# translator fell quickly with the length of the sentence. (The long path of the gradient is another
# trouble: [05b](05b_two_decoders.ipynb#cell-id=gradient-text).)

# %% [markdown] id="idea"
# ## The idea: keep every state, and choose again at every step
#
# All states $h_1 \dots h_S$ stay, and at each target step $t$ the decoder mixes them anew into a
# **context** $c_t$:
#
# $$\underbrace{e_{tj} = \mathrm{score}(s_t, h_j)}_{\text{scores}} \;\to\;
# \underbrace{\alpha_{tj} = \frac{\exp e_{tj}}{\sum_k \exp e_{tk}}}_{\text{weights}} \;\to\;
# \underbrace{c_t = \sum_j \alpha_{tj}\, h_j}_{\text{context}}$$
#
# | in the language of chapter 4 | in translation |
# |---|---|
# | **query**: what am I looking for? | the decoder state $s_t$: roughly, what is written so far |
# | **keys**: what is each entry about? | the encoder states $h_j$: roughly, word $j$ in context |
# | **values**: what do I take away? | the same encoder states $h_j$ |
#
# "Roughly", because nobody tells the network what its numbers should mean. And *attention* is a
# word borrowed from people who concentrate; what is computed is a weighted average. The drawing is
# made from the numbers of the next cells.

# %% id="emblem"
from attnbook.figures import attention_diagram

korean_words, english_words = ["나는", "집에", "갔다"], ["I", "went", "home"]
# encoder states h_1, h_2, h_3: (S, H); decoder states s_1, s_2, s_3: (T, H)
h = torch.tensor([[1.0, 0.0], [1.0, 2.0], [0.0, 1.0]])
decoder_states = torch.tensor([[2.0, -2.0], [-3.0, 1.0], [1.0, 1.0]])
s = decoder_states[2]  # about to write "home"
attention_diagram(korean_words, english_words, h, decoder_states, scores=h @ s)

# %% [markdown] id="hand-text"
# ### By hand
#
# Three source words, `나는 집에 갔다` (*I · to home · went*), with made-up states of two numbers. The
# decoder has written *I went*; its state is $s_3$. The score is the **dot product**
# $\mathrm{score}(s_t, h_j) = s_t^\top h_j$: one number per word, large where the two vectors point
# the same way.

# %% id="hand-weights"
e = []
for j in range(3):
    e.append(sum(s[d] * h[j, d] for d in range(2)))
powers = [torch.exp(score) for score in e]
alpha = [power / sum(powers) for power in powers]
print("scores e_3: ", [round(float(score), 3) for score in e])
print("weights α_3:", [round(float(weight), 3) for weight in alpha])

# %% [markdown] id="hand-weights-read"
# The second score is three times the others and its weight more than seven times theirs: the
# softmax turns *differences* of scores into *ratios* of weights, $e^{3-1} \approx 7.4$ (chapter 4).
# The weights are positive and sum to 1: together they are the **attention distribution**, over the
# positions of the *encoder*.

# %% id="hand-context"
c = [0.0, 0.0]
for j in range(3):
    for d in range(2):
        c[d] += float(alpha[j] * h[j, d])
print("context c_3:", [round(number, 3) for number in c])

# %% [markdown] id="hand-context-read"
# The context lies close to $h_2 = (1, 2)$, the state of 집에, which has most of the weight: each
# state is multiplied by its weight, and the products are added up.
#
# <details><summary>Names in other texts</summary>
#
# Some texts call this vector the **attention value** $a_t$, while for Luong $a_t$ is the vector of
# *weights*. This book always says $\alpha_t$ for weights and $c_t$ for the context. **Logits** are
# what goes *into* a softmax, here the scores; what comes out are weights.
#
# </details>

# %% [markdown] id="dynamic-text"
# ### A new context at every step
#
# The same encoder states, and the decoder's three states one after the other. Step through scores,
# softmax and weighted sum.

# %% id="steps"
views.attention_steps_view(
    decoder_states @ h.T,
    h,
    korean_words,
    english_words,
    title="나는 집에 갔다 → I went home",
)

# %% id="dynamic"
from attnlib.model import DotAttention

for t, word in enumerate(english_words):
    mixed, looks = DotAttention(2, 2)(decoder_states[t].view(1, 1, 2), h[None], h[None])
    rounded = [[round(x, 2) for x in row[0, 0].tolist()] for row in (looks, mixed)]
    print(f"s_{t + 1}, {word:4}: weights {rounded[0]}, context {rounded[1]}")
mean = [round(x, 2) for x in h.mean(0).tolist()]
print("without a query, the mean:              ", mean)

# %% [markdown] id="dynamic-read"
# One encoder, three contexts: *I* fetches 나는, *went* fetches 갔다 from the end, *home* comes back to
# 집에. This is what is meant by a *dynamic* context. The plain mean sees every word, too, but is the
# same at every step; *Quality by length* below measures what that costs.

# %% [markdown] id="matrix-text"
# ### In matrix form, and in the library
#
# The same three lines for a batch. The leading dimension is the batch (one sentence here), then
# come the queries (three), then the features.

# %% id="matrix"
query, keys = decoder_states.view(1, 3, 2), h.view(1, 3, 2)  # (B, T, H), (B, S, H)
scores = query @ keys.transpose(1, 2)  # (B, T, S)
weights = scores.softmax(dim=-1)  # over the S positions
context = weights @ keys  # (B, T, H)
print("scores:  ", scores[0].tolist())
print("contexts:", [[round(x, 2) for x in row] for row in context[0].tolist()])

# %% id="agree-dot"
library_context, library_weights = DotAttention(2, 2)(query, keys, keys)
torch.testing.assert_close(torch.stack(alpha), weights[0, 2])  # the loop
torch.testing.assert_close(torch.tensor(c), context[0, 2])
torch.testing.assert_close(library_weights, weights)  # the library
torch.testing.assert_close(library_context, context)
shuffled = keys[:, torch.tensor([2, 0, 1])]  # the source positions in another order
torch.testing.assert_close(DotAttention(2, 2)(query, shuffled, shuffled)[0], context)

# %% [markdown] id="agree-read"
# Loop, matrices and `attnlib` agree (such a cell prints nothing unless it fails), and shuffling the
# states changes no context: attention sees a *set*. Order is known only because each $h_j$ was made
# by a network that reads in order. The same call serves one step or fifty, and has no parameters of
# its own for each. It costs $T \times S$ scores, which a decoder without attention does not
# compute: attention adds capacity, not speed.

# %% [markdown] id="mask-text"
# ## Padding: the mask comes before the softmax
#
# Sentences in a batch are filled up to the same length with **padding**. A **mask** marks the real
# tokens; in this book *True means: may be attended*. Here are four ways to treat the scores of two
# padding positions beside three real words. One of them sets these scores to 0. What share of the
# weight, in percent, does padding still get then?

# %% id="predict-zero"
predict("05.zero", ...)

# %% id="mask-figure" tags=["hide-input"]
# draws the figure
def draw_padding():
    """The weights of five positions in four ways."""
    fig, axes = plt.subplots(1, 4, figsize=(9, 3.2), sharey=True)
    for ax, (name, row) in zip(axes, candidates.items()):
        ax.bar(range(1, 4), row[:3], color=figures.PALETTE[0])
        ax.bar(range(4, 6), row[3:], color=figures.PALETTE[1], hatch="//")
        ax.set_title(
            name.replace(" the ", "\nthe ").replace("of padding", "of\npadding"),
            fontsize=11,
        )
        ax.set_xlabel(f"source position j\nsum {row.sum():.2f}")
        ax.set_xticks(range(1, 6))
    axes[0].set(ylabel="weight (0 to 1)", ylim=(0, 0.7))
    fig.suptitle("Four ways to treat padding (hatched orange)")
    plt.show()

# %% id="mask-candidates"
# scores; padding has scores, too
raw = torch.tensor([1.0, 2.0, 0.5, 1.5, 1.5])
real = torch.tensor([True, True, True, False, False])
candidates = {
    "no mask": raw.softmax(-1),
    "scores of padding set to 0": raw.masked_fill(~real, 0.0).softmax(-1),
    "mask after the softmax": raw.softmax(-1) * real,
    "mask before the softmax": raw.masked_fill(~real, -torch.inf).softmax(-1),
}
of_padding = 100 * candidates["scores of padding set to 0"][~real].sum()
with reveal("05.zero", of_padding, within=4):
    for name, row in candidates.items():
        words, rest = row[real].sum(), row[~real].sum()
        print(f"{name:26} real words {words:.2f}   padding {rest:.2f}")
    draw_padding()

# %% [markdown] id="mask-figure-alt"
# <details><summary>The figure in words</summary>
#
# Four bar charts of five weights each, three real words in blue and two padding positions in
# hatched orange. Without a mask and with scores of 0, padding has visible bars. With the mask after
# the softmax the padding is empty but the bars sum to 0.57. With the mask before the softmax only
# the real words have bars, and they sum to 1.
#
# </details>

# %% [markdown] id="mask-read"
# <details><summary>What it says</summary>
#
# - *No mask*: 43 % of the context is made of padding.
# - *Score 0*: zero is a score like any other, $e^0 = 1$; padding still takes 15 %.
# - *After the softmax*: the real words' weights sum to 0.57, so the context shrinks, and by how
#   much depends on how long the *other* sentences of the batch are.
# - *Before*: $e^{-\infty} = 0$. The real words share the whole.
#
# </details>

# %% [markdown] id="leak-text"
# ### The test that counts
#
# A translation must not depend on the other sentences of its batch.

# %% id="padding-leak"
from attnlib.masking import lengths_to_mask

alone = torch.randn(1, 3, 4, generator=generator)
padding = torch.randn(1, 2, 4, generator=generator)
padded = torch.cat([alone, padding], dim=1)
asked = torch.randn(1, 1, 4, generator=generator)
mask = lengths_to_mask(torch.tensor([3]), 5)
expected, _ = DotAttention(4, 4)(asked, alone, alone)
for name, given in (("without mask", None), ("with mask", mask)):
    found, _ = DotAttention(4, 4)(asked, padded, padded, given)
    print(f"{name:12}: the context is off by {(found - expected).abs().max():.2f}")

# %% [markdown] id="ex-safe-softmax-text"
# ### Exercise 5.2 · A softmax that cannot be hurt
# *Core, 12 minutes.* Write the masked softmax over the last dimension. Allowed positions share 1,
# all others get exactly 0, a row with nothing allowed is all zeros (no NaN, and none in its
# gradient), the scores you are given stay as they are, and it works in half precision, whose
# largest number is 65504. (The weights may come back in a higher precision.) The translator below
# is trained with your function.
#
# <details><summary>Hint 1</summary>
#
# `masked_fill` (without underscore) makes a new tensor. True means *may be attended*, and
# `masked_fill` fills where True.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Instead of −∞ take the smallest finite number of the type: `torch.finfo(scores.dtype).min`. A row
# full of it gives equal weights, not NaN.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Those equal weights are on forbidden positions. Fill once more, after the softmax.
#
# </details>


# %% id="ex-safe-softmax" tags=["exercise"]
@exercise
def safe_softmax(scores, mask):
    """Softmax over the last dimension where mask is True, else 0. Both (..., S)."""
    raise NotImplementedError


# %% [markdown] id="safe-text"
# ### Where nothing may be attended, and two conventions

# %% id="safe-use"
nothing = torch.zeros(5, dtype=torch.bool)
print("real words only:      ", [round(w, 2) for w in safe_softmax(raw, real).tolist()])
print("nothing allowed:      ", safe_softmax(raw, nothing).tolist())
filled = {low: raw.masked_fill(~nothing, low).softmax(-1) for low in (-torch.inf, -1e9)}
print("  the same with −∞:   ", filled[-torch.inf].tolist())
print("  the same with −10⁹: ", [round(w, 2) for w in filled[-1e9].tolist()])

# %% id="polarity" tags=["hide-input"]
# compares the two conventions of torch
from attnlib.model import ScaledDotAttention

given = asked, padded, padded
sdpa = F.scaled_dot_product_attention(*given, attn_mask=mask.unsqueeze(1))
torch.testing.assert_close(sdpa, ScaledDotAttention(4, 4)(*given, mask)[0])
heads = nn.MultiheadAttention(4, 1, batch_first=True)
_, head_weights = heads(asked, padded, padded, key_padding_mask=~mask)
print("both conventions, weights of the padding:", head_weights[0, 0, 3:].tolist())

# %% [markdown] id="safe-read"
# With −∞ a row with nothing to attend to becomes $0/0$, not a number, and poisons every gradient.
# The popular $-10^9$ avoids the NaN and hides the trouble: such a row attends equally to everything
# forbidden. (In half precision $-10^9$ does not even exist.)
#
# <details><summary>Two conventions, and two traps in code that you meet</summary>
#
# For `F.scaled_dot_product_attention` True means *attend*, for `key_padding_mask` of
# `nn.MultiheadAttention` it means *ignore*: the cell above tries both. In the usual line
# `scores.masked_fill_(mask, -float('inf'))` the underscore writes into the caller's scores, and the
# mask is True at *padding*.
#
# </details>

# %% [markdown] id="s-tilde-text"
# ## From the context to a word
#
# The context says what the source offers, the state what has been written so far. [Luong et al.
# (2015)](D_papers.ipynb#cell-id=luong-2015) join them:
#
# $$\tilde s_t = \tanh(W_c\,[c_t ; s_t]), \qquad
# p(y_t \mid y_{\lt t}, x) = \mathrm{softmax}(W_s \tilde s_t)$$
#
# $[c_t ; s_t]$ is **concatenation**, one vector after the other. (The other order only permutes the
# columns of $W_c$.) $\tilde s_t$ is the **attentional vector**, the box at the top right of the
# drawing.

# %% [markdown] id="train-text"
# ## With attention and without
#
# Korean to English, sentences of 4 to 50 tokens from the book's own corpus. A grammar wrote it, so
# every pair comes with its **gold alignment**, which word stands for which; the training does not
# see it. Korean puts the verb last and English second, so the links cross.

# %% id="corpus"
from attnlib.data import Pair, WordVocabulary, load_corpus, parse_links

corpus = load_corpus("ko-en-easy")
korean_side = (pair.src for pair in corpus.train)
korean = WordVocabulary.build(korean_side, pieces=corpus.src_pieces)
english = WordVocabulary.build(pair.tgt for pair in corpus.train)
ids = [(korean.encode(pair.src), english.encode(pair.tgt)) for pair in corpus.train]
# links by hand: 0-0 says that 민수 is sure to be Minsu, 1?0 that 는 may belong to it
links = "0-0 1?0 2?5 2?6 2-7 3-5 3?6 3?7 4-3 5-4 6-2 7?2 7?4 8?4 9-1 10?1 10?8 11?8"
story = Pair(
    "민수는 시장에서 작은 배 다섯 개를 샀습니다.",
    "Minsu bought five small pears at the market.",
    parse_links(links),
)
assert story.src not in {pair.src for pair in corpus.train}
print(f"{len(ids):,} pairs to learn from, {len(corpus.test)} to test on")
print(" ".join(korean.tokenize(story.src)))

# %% [markdown] id="model-text"
# ### The model, written out
#
# The encoder is chapter 3's, an LSTM in each direction. The decoder is Luong's, with the dot score.
# All its $T$ states are computed in one call: the input in training is the *gold* sentence shifted
# by one (chapter 3), and no state waits for a context.


# %% id="model"
from attnlib.model import Encoder


class LuongTranslator(nn.Module):
    """Encoder, attention, decoder: Luong et al. 2015 with the dot score."""

    def __init__(self, source_words, target_words, size=128, dropout=0.2):
        super().__init__()
        source = nn.Embedding(source_words, size)
        self.encoder = Encoder(source, size, dropout=dropout)
        self.embed = nn.Embedding(target_words, size)
        # last encoder states → first decoder state, cell
        self.bridge = nn.Linear(size, 2 * size)
        self.rnn = nn.LSTM(size, size, batch_first=True)
        self.combine = nn.Linear(2 * size, size)  # W_c
        self.output = nn.Linear(size, target_words)  # W_s
        # weight tying: W_s is the embedding matrix
        self.output.weight = self.embed.weight
        self.dropout = nn.Dropout(dropout)
        for matrix in (source.weight, self.embed.weight):
            nn.init.normal_(matrix, std=size**-0.5)
        nn.init.zeros_(self.output.bias)

    def forward(self, src, src_mask, tgt_in):
        h, last = self.encoder(src, src_mask)  # (B, S, H), (B, H)
        hidden, cell = torch.tanh(self.bridge(last)).unsqueeze(0).chunk(2, dim=-1)
        words = self.dropout(self.embed(tgt_in))  # (B, T, H)
        s, _ = self.rnn(words, (hidden.contiguous(), cell.contiguous()))  # (B, T, H)
        scores = s @ h.transpose(1, 2)  # (B, T, S)
        weights = safe_softmax(scores, src_mask.unsqueeze(1)).to(h.dtype)
        context = weights @ h  # (B, T, H)
        s_tilde = torch.tanh(self.combine(torch.cat([context, s], dim=-1)))
        return self.output(self.dropout(s_tilde)), weights


# %% [markdown] id="loop-text"
# ### The loop, written out
#
# One update: a batch, the loss of its real tokens, the gradient, clipping, a step. The learning
# rate first rises, then falls.

# %% id="loop"
from attnlib.data import Batches
from attnlib.training import Recipe

UPDATES = 1000
recipe = Recipe(
    updates=UPDATES,
    warmup=UPDATES // 4,
    learning_rate=4e-3,
    label_smoothing=0.0,
    validate_every=UPDATES,
    precision="fp32",
)
batches = Batches([src for src, _ in ids], [tgt for _, tgt in ids], batch_size=32, seed=1)


def train(model, updates=UPDATES):
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    stream = (batch for epoch in range(99) for batch in batches.epoch(epoch))
    model.train()
    for n, batch in zip(range(updates), stream):
        logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
        loss = F.cross_entropy(logits[batch.tgt_mask], batch.tgt_out[batch.tgt_mask])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate_at(n, n / UPDATES)
        optimizer.step()
        if (n + 1) % 250 == 0:
            print(f"update {n + 1:5,}: loss ≈{loss.item():.3f} nats per token")
    return model.eval()


# %% [markdown] id="library-text"
# Is this the library's model and loop? From the same weights each makes three updates with its own
# loop (without dropout, which is random).


# %% id="library-agrees"
from dataclasses import replace

from attnlib.model import make_seq2seq
from attnlib.training import fit


def as_library(model):
    """The same weights, under the names that the library's model gives them."""
    inside = ("embed", "bridge", "rnn", "combine")
    state = model.state_dict().items()
    return {("decoder." + n if n.startswith(inside) else n): w for n, w in state}


mine = LuongTranslator(len(korean), len(english), dropout=0.0)
kind = {"decoder": "luong", "attention": "dot"}
theirs = make_seq2seq(len(korean), len(english), **kind)
theirs.load_state_dict(as_library(mine))
one = next(batches.epoch(0))[:3]
torch.testing.assert_close(mine(*one), theirs(*one))  # logits and weights
train(mine, updates=3)
fit(theirs, batches, replace(recipe, updates=3, final_rate=1.0), progress=False)
gap = (mine(*one)[0] - theirs(*one)[0]).abs().max()
print(f"largest difference of their logits after three updates: {gap:.2f}")

# %% [markdown] id="ex-feeding-decoder-text"
# ### Exercise 5.3 · The forward pass with input feeding
# *Core, 15 minutes.* In the model above no state knows where the model has looked. Luong's **input
# feeding** (§3.3) gives each step $\tilde s_{t-1}$ beside the word:
# $s_t = f([E y_{t-1} ; \tilde s_{t-1}],\, s_{t-1})$ with $\tilde s_0 = 0$. Then the steps must
# loop. Write that forward pass and return all $\tilde s_t$, (B, T, O), and all weights, (B, T, S).
# The arguments:
#
# - `words` (B, T, E): the embedded inputs; `state` (B, Hd): $s_0$; `weight` (O, He + Hd): $W_c$,
#   without a bias;
# - `cell(inputs, state)` returns the next state from inputs (B, E + O);
# - `attend(query, keys, values, mask)` takes a query (B, 1, Hd) and returns the context (B, 1, He)
#   and the weights (B, 1, S).
#
# <details><summary>Hint 1</summary>
#
# In which order do the four lines of the model's forward pass come, if they are run for one step?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `state.unsqueeze(1)` makes a query (B, 1, Hd) of (B, Hd), and `context.squeeze(1)` goes the other
# way. Two things are carried from step to step.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Per step: cell, attend with the new state, concatenate context and state, multiply by $W_c$, tanh.
# Keep the vectors in a list and `torch.stack` them along dimension 1.
#
# </details>


# %% id="ex-feeding-decoder" tags=["exercise"]
@exercise
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    """words (B, T, E), s_0 (B, Hd), keys (B, S, He) → s̃ (B, T, O), weights (B, T, S)."""
    raise NotImplementedError


# %% [markdown] id="feeding-text"
# ### Your loop beside the library's
#
# With the same weights (and a GRU, whose state is one vector) both find the same vectors. This
# notebook goes on without feeding.

# %% id="feeding-agrees"
options = {**kind, "input_feeding": True, "cell": "gru"}
fed = make_seq2seq(len(korean), len(english), **options)
memory, decoder = fed.encode(*one[:2]), fed.decoder
nn.init.zeros_(decoder.combine.bias)
gru = nn.GRUCell(256, 128)
named = decoder.rnn.named_parameters()
gru.load_state_dict({name.removesuffix("_l0"): w for name, w in named})
start, attention = decoder.start(memory)["hidden"][:, 0], decoder.attention
given = decoder.embed(one[2]), start, memory.states, one[1]
vectors, looks = feeding_decoder(*given, attention, gru, decoder.combine.weight)
for found, wanted in zip((vectors, looks), decoder(one[2], memory)):
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)
print("s̃:", tuple(vectors.shape), "weights:", tuple(looks.shape))

# %% [markdown] id="train-wait"
# ### The training
#
# Half a minute. Afterwards the weights move into the library's model, which can also search for a
# translation (chapter 8).

# %% id="train"
from attnlib.translator import Translator

seed_everything(1)
attentive = train(LuongTranslator(len(korean), len(english)))
model = make_seq2seq(len(korean), len(english), **kind)
model.load_state_dict(as_library(attentive))
translators = {"with attention": Translator(model.eval(), korean, english)}

# %% [markdown] id="without-text"
# The same loop trains a model without attention: the same encoder, batches and updates, parameters
# within 5 %. Its decoder gets the encoder's last states at the start *and* beside every input word
# ([Cho et al. 2014a](D_papers.ipynb#cell-id=cho-2014a)), so it need not carry them along.

# %% id="train-without"
seed_everything(1)
kind_without = {"decoder": "plain", "every_step": True, "decoder_size": 108}
plain = train(make_seq2seq(len(korean), len(english), **kind_without, dropout=0.2))
translators["without"] = Translator(plain, korean, english)
counts = [sum(p.numel() for p in m.parameters()) for m in (attentive, plain)]
print(f"parameters: {counts[0]:,} with attention, {counts[1]:,} without")

# %% [markdown] id="same-text"
# Two sentences that neither has seen: the one of chapter 0, and a long one from the test split.

# %% id="same"
from attnbook import approx_text

long_pair = next(p for p in corpus.test if 30 < len(korean.encode(p.src)) < 34)
for sentence in (story, long_pair):
    print(f"{'to say':14}", sentence.tgt)
    for name, translator in translators.items():
        print(f"{name:14}", approx_text(translator.translate(sentence.src, beam_size=1).text))

# %% id="same-check" tags=["check"]
# checks what the text says
assert abs(counts[1] / counts[0] - 1) < 0.05
for sentence in (story, long_pair):
    wanted_words = set(sentence.tgt.split())
    for name, band in (("with attention", (0.8, 1)), ("without", (0, 0.95))):
        words = translators[name].translate(sentence.src, beam_size=1).text.split()
        check_range(sum(word in words for word in wanted_words) / len(wanted_words), *band)

# %% [markdown] id="same-read"
# Both write good English: a decoder is a language model. Without attention the *details* are lost,
# how many of what, who and where. (Your lines may differ in a word or two.)

# %% [markdown] id="length-text"
# ### Quality by length
#
# Two sentences are stories, not measurements. The test split has 100 sentences in each of five
# ranges of length; **BLEU** (chapter 9) goes from 0 to 100.

# %% id="length-check"
from attnlib.metrics import corpus_bleu

record = read_record("05_attention")
buckets = [tuple(bucket) for bucket in record["buckets"]]
lengths = [len(korean.encode(pair.src)) for pair in corpus.test]
chosen = [[i for i, n in enumerate(lengths) if a <= n <= b] for a, b in buckets]


def by_length(translator):
    texts = [t.text for t in translator.translate([p.src for p in corpus.test], beam_size=1)]
    return [
        corpus_bleu([texts[i] for i in rows], [corpus.test[i].tgt for i in rows]).score
        for rows in chosen
    ]


live = {name: by_length(translator) for name, translator in translators.items()}
print("source tokens ", *[f"{low:>3}-{high:<3}" for low, high in buckets])
for name in live:
    print(f"{name:14}", *[f"≈{score:5.1f} " for score in live[name]])

# %% id="length-bands" tags=["check"]
# checks what the text says
for with_it, without in zip(live["with attention"], live["without"]):
    check_range(with_it, 88, 100)
    check_range(without, 10, 85)
check_range(live["without"][0], 50, 85)
check_range(live["without"][-1], 10, 35)

# %% [markdown] id="beyond-text"
# These were one seed each. **Recorded runs** (`studies/attention_chapter.py`) repeat both with
# three seeds, and add three: the model without attention trained for three times as long; one whose
# weights are all equal, so that it sees every state and cannot choose; and one *with* attention
# that only ever saw sentences of at most 20 tokens. Which BLEU does that last one reach on 41 to 50
# tokens?

# %% id="predict-beyond"
predict("05.beyond", ...)


# %% id="length-figure" tags=["hide-input"]
# draws the figure
from attnbook.figures import bleu_by_length


def draw_lengths():
    """BLEU by length of the recorded runs, and of those just trained."""
    ends = {k: torch.stack([v.min(0).values, v.max(0).values], 1) for k, v in bleu.items()}
    means = {label: runs.mean(0) for label, runs in bleu.items()}
    title = "BLEU by length: recorded runs, mean and range of three seeds"
    ax = bleu_by_length(buckets, means, intervals=ends, title=title)
    circle = {"s": 110, "facecolors": "none", "edgecolors": "black", "zorder": 5}
    ax.scatter(range(5), live["with attention"], label="just trained", **circle)
    ax.scatter(range(5), live["without"], **circle)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    plt.show()

# %% id="length-recorded"
def recorded(variant):
    """BLEU, one row per seed and one column per range of lengths."""
    runs = [run for run in record["runs"] if run["variant"] == variant]
    return torch.tensor([run["bleu"] for run in runs])


variants = {
    "with attention": "luong",
    "without": "none",
    "without, 3 × the updates": "none-longer",
    "with, all weights equal": "uniform",
    "with, trained on ≤ 20 tokens": "short",
}
# each (3 seeds, 5 ranges)
bleu = {label: recorded(variant) for label, variant in variants.items()}
with reveal("05.beyond", bleu["with, trained on ≤ 20 tokens"][:, 4].mean(), within=10):
    print("recorded, mean of three seeds     4-10   21-30   41-50 tokens")
    for label, runs in bleu.items():
        print(f"  {label:30}" + "".join(f"{runs[:, n].mean():6.0f}  " for n in (0, 2, 4)))
    draw_lengths()

# %% [markdown] id="length-alt"
# <details><summary>The figure in words</summary>
#
# BLEU in five ranges of source length. With attention the line stays close to 100 from 4 to 50
# tokens. Without, it begins near 75 and falls steeply to about 20. Trained three times as long
# without attention, it begins at 100 and still falls to below 50. With equal weights it runs some
# ten BLEU above the line without attention. Trained on short sentences only, the model with
# attention is good up to 20 tokens and falls steeply beyond, to about 25. Open circles of the live
# runs lie on or near the first two lines.
#
# </details>

# %% [markdown] id="length-read"
# <details><summary>What it says</summary>
#
# 1. *At the same budget* the model without attention is behind everywhere: it learns more slowly.
#    That alone proves no bottleneck.
# 2. *Given three times the updates* it translates short sentences as well as the model with
#    attention, and still loses more than half of its BLEU on the long ones. That is what a
#    bottleneck looks like. Was it trained enough now? In
#    [03b](03b_bottleneck.ipynb#cell-id=ko-read) ten times the updates moved the fall of such
#    translators to longer sentences and did not end it.
# 3. The model with attention is level here, **inside the lengths it was trained on**.
# 4. *Equal weights* see every state and are far behind all the same: what helps is not the access,
#    it is the **choice**.
#
# It is tempting to say that with attention the quality does not drop for long sentences. Trained on
# at most 20 tokens it does: from 31 on it is below the model without attention that was trained for
# longer. In Figure 2 of [Bahdanau et al. (2015)](D_papers.ipynb#cell-id=bahdanau-2015) the model
# trained on up to 50 words is level, and the one trained on at most 30 falls after 30. [Koehn and
# Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) met the drop at 60 and more subwords.
#
# Nor is it level on every corpus. On the book's [larger one](C_notes.ipynb#cell-id=length-larger)
# the model with attention has more than twice the BLEU of the other at every length, and still
# loses more than a third of its own from 11–20 to 41–50 tokens.
#
# </details>
#
# <details><summary>How sure?</summary>
#
# Three seeds of each, and where the text puts one line above another, no seed of the one meets a
# seed of the other. All share one learning rate, chosen for neither decoder on its own. A grammar
# wrote the corpus, with few words: the sizes of these effects differ elsewhere.
#
# </details>

# %% [markdown] id="composition-text"
# ### New combinations of known words
#
# Has a translator learned whole clauses, or how to put them together? In the split
# `test_composition` all words are known and lengths are as before, but no verb has an object there
# that it has in training.

# %% id="composition"
print("recorded, mean of three seeds     test   new combinations")
for label, variant in variants.items():
    runs = [run["others"] for run in record["runs"] if run["variant"] == variant]
    fresh = torch.tensor([others["test_composition"]["bleu"] for others in runs])
    print(f"  {label:30}{bleu[label].mean():6.0f}{fresh.mean():14.0f}")

# %% [markdown] id="composition-read"
# With attention next to nothing is lost; trained on short sentences, a fifth. Without it half of
# the BLEU goes, even after three times the updates. A word can be looked up in any company; a
# vector for a whole sentence is of use if one like it was there in training.

# %% [markdown] id="heat-text"
# ## What the weights show
#
# A **heat map**: target words down, source words along the top, one row of weights per step, so
# that each row sums to 1 (the last column is the end token). The outlined cells are gold links. The
# Korean order is *Minsu – market – at – small – pear – five – bought*. Before you run the cell, say
# which English words will look far from the place where they stand themselves.

# %% id="heat" tags=["hide-input"]
# draws the figure
from attnlib.data import make_batch

gloss = "Minsu (topic) market at small pear five (counter) (object) bought (polite)"
pairs_of = zip(korean.tokenize(story.src), gloss.split())
labels = [f"{token.removeprefix('##')}\n{word}" for token, word in pairs_of]
labels += [".", "end"]


@torch.no_grad()
def forced(translator, pair):
    """α (T, S + 1) while the reference is read; the last column is the end token."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    return translator.model(batch.src, batch.src_mask, batch.tgt_in)[1][0, : len(tgt)]


story_weights = forced(translators["with attention"], story)
fig, ax = plt.subplots(figsize=(9, 4.4))
figures.attention_heatmap(
    story_weights,
    labels,
    english.tokenize(story.tgt),
    gold=story.links,
    title="Attention, and the gold links",
    ax=ax,
)
plt.show()

# %% [markdown] id="heat-alt"
# <details><summary>The figure in words</summary>
#
# Heat map with twelve Korean tokens and the end token along the top and nine English words down the
# side. Nearly every outlined sure link is the strongest cell of its row. The row of "bought", the
# second, has it in the tenth column, far to the right; "five" looks at the seventh, "market" at the
# third. The period's row is spread over the polite ending, the period and the end token.
#
# </details>

# %% [markdown] id="aer-text"
# ### Is it an alignment? A number
#
# The links found, $A$, are the strongest cells of the rows. Gold links are *sure* ($S$) or only
# *possible* ($P \supseteq S$: articles, particles). The **alignment error rate** ([Och and Ney
# 2003](D_papers.ipynb#cell-id=och-2003)) punishes missing a sure link, and finding one outside $P$:
#
# $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

# %% [markdown] id="ex-error-rate-text"
# ### Exercise 5.4 · Alignment error rate
# *Core, 6 minutes.* All three arguments are sets of pairs (j, t); `found` and `sure` are not both
# empty. Return the alignment error rate.
#
# <details><summary>Hint 1</summary>
#
# `a & b` is the intersection of two sets, `len` counts.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A link in S is in P as well, so a sure link that is found counts twice above, and twice below.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# P stands above the line only.
#
# </details>


# %% id="ex-error-rate" tags=["exercise"]
@exercise
def error_rate(found, sure, possible):
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of three sets of links (j, t)."""
    raise NotImplementedError


# %% [markdown] id="baselines-text"
# ### Against what?
#
# The diagonal and a random source word look at nothing. Two baselines learn from the same training
# pairs by counting (expectation–maximization), without a network. **IBM Model 1** ([Brown et al.
# 1993](D_papers.ipynb#cell-id=brown-1993)) learns word pairs and knows no word order. **HMM
# alignment** ([Vogel et al. 1996](D_papers.ipynb#cell-id=vogel-1996)) also knows how far the link
# of one word usually lies from that of the word before.

# %% id="aer"
from attnlib.metrics import aer, best_shift, links_from_weights

links_of = [p.links for p in corpus.test]
looks_of = [forced(translators["with attention"], p)[:, :-1] for p in corpus.test]
found_of = [links_from_weights(weights) for weights in looks_of]
mine_first = error_rate(found_of[0], *links_of[0])
torch.testing.assert_close(mine_first, aer(found_of[0], links_of[0]))
error = aer(found_of, links_of)
print(f"AER of attention:                      ≈{error:.2f}")
told = {"hmm": "HMM alignment", "ibm1": "IBM Model 1"}
told |= {"diagonal": "the diagonal", "random": "a random word"}
for run in read_record("05_alignments")["runs"]:
    if run["corpus"] == "ko-en-easy" and run["variant"] in told:
        print(f"  recorded, {told[run['variant']]:27}{run['aer']:7.2f}")
shift = best_shift(looks_of, links_of)
print(f"best shift of the rows: {shift} words")

# %% id="aer-check" tags=["check"]
# checks what the text says
check_range(error, 0.03, 0.15)
assert shift == 0

# %% [markdown] id="aer-read"
# Alignment came as a by-product of learning to translate, with fewer errors than counting leaves,
# also where the counting knows about order. (On the book's larger corpus counting comes nearer:
# [05c](05c_explanation.ipynb#cell-id=alignment-text).)
#
# <details><summary>Why look for the best shift of the rows?</summary>
#
# A map may be off by one: in footnote 14 Luong et al. take the weights to align the word just
# *read*, not the one to be written. So try whether the error rate falls when every row is read one
# word up or down. Here the best shift is 0.
#
# </details>
#
# What are the errors that remain? Count them by English word.

# %% id="errors"
missed, beside, all_of = {}, {}, {}
for pair, weights in zip(corpus.test, looks_of):
    for t, word in enumerate(english.tokenize(pair.tgt)):
        if sure := {j for j, i in pair.links.sure if i == t}:
            group = "at, in, from" if word in ("at", "in", "from") else "other words"
            away = min(abs(int(weights[t].argmax()) - j) for j in sure)
            all_of[group] = all_of.get(group, 0) + 1
            missed[group] = missed.get(group, 0) + (away > 0)
            beside[group] = beside.get(group, 0) + (away == 1)
for group in ("at, in, from", "other words"):
    line = f"{group:12}: ≈{missed[group] / all_of[group]:4.0%} look elsewhere"
    print(f"{line}, of these ≈{beside[group] / missed[group]:4.0%} at a neighbor")

# %% id="errors-check" tags=["check"]
# checks what the text says
check_range(missed["at, in, from"] / all_of["at, in, from"], 0.1, 1)
check_range(missed["other words"] / all_of["other words"], 0, 0.15)
check_range(beside["at, in, from"] / missed["at, in, from"], 0.7, 1)

# %% [markdown] id="errors-read"
# The prepositions stand out, and where they miss, they miss by one. For *at* the gold link is the
# particle 에서, and the decoder may as well look at the noun beside it, whose state knows its
# neighbor: a first hint that a heat map must be read with care.

# %% [markdown] id="experiment-text"
# ## Open experiment: change the model
#
# *30 minutes, no check.* Choose **one** change: an encoder that reads *one way* only, or one of your
# own. First write down how three numbers will change: BLEU on the shortest and on the longest
# range, and the alignment error rate. Then put its name in place of `None` and run.
#
# <details><summary>A report that convinces</summary>
#
# | | |
# |---|---|
# | prediction | written before the run, for each of the three numbers, with a reason |
# | one change | data, updates, learning rate and width are as above; parameters are counted |
# | seeds | at least three, or the sentence says "one run"; the spread is shown |
# | numbers | beside those of the unchanged model with the same seeds |
# | conclusion | could have come out otherwise, and says what it does not show |
#
# </details>

# %% id="experiment"
CHANGE = None  # "one way", or one of your own

if CHANGE is not None:
    for seed in (1, 2, 3):  # half a minute each
        seed_everything(seed)
        options = {**kind, "bidirectional": CHANGE != "one way", "dropout": 0.2}
        changed = train(make_seq2seq(len(korean), len(english), **options))
        trained = Translator(changed, korean, english)
        maps = [links_from_weights(forced(trained, p)[:, :-1]) for p in corpus.test]
        now = [round(score) for score in by_length(trained)]
        print(f"seed {seed}: BLEU by length {now}, AER {aer(maps, links_of):.2f}")

# %% [markdown] id="recall-text"
# ## What do you remember?
#
# Five short questions on earlier chapters. Answer with a letter for each:
# `recall("05", "abcda")`.

# %% id="recall"
recall("05")

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Attention keeps all encoder states and mixes them anew at every step: scores → weights →
#   context; $\tilde s_t$ joins the context with the state and predicts the word.
# - The mask comes before the softmax; a row with nothing allowed is zeros, not NaN.
# - Attention removes the bottleneck inside the lengths it was trained on, not beyond; on a larger
#   corpus its quality falls with the length as well, from a much higher level.
# - Without input feeding all steps of the decoder are computed at once; with it they must loop.
# - An alignment comes as a by-product, and on this corpus it is better than those of IBM Model 1
#   and of an HMM.
#
# **Left out.** Which score is best (chapter 6); feeding the gold word or the model's own (chapter
# 7); how a translation is searched (chapter 8); what BLEU measures (chapter 9).
#
# <details><summary>Papers</summary>
#
# [Luong, Pham and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (§3, footnote 14); [Bahdanau,
# Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (Figure 2); [Cho et al.
# 2014a](D_papers.ipynb#cell-id=cho-2014a), [2014b](D_papers.ipynb#cell-id=cho-2014b); [Koehn and
# Knowles 2017](D_papers.ipynb#cell-id=koehn-2017); [Och and Ney
# 2003](D_papers.ipynb#cell-id=och-2003) (AER); [Brown et al.
# 1993](D_papers.ipynb#cell-id=brown-1993) (IBM Model 1); [Vogel et al.
# 1996](D_papers.ipynb#cell-id=vogel-1996) (HMM alignment).
#
# </details>
#
# **Next.** [05b](05b_two_decoders.ipynb): Bahdanau's decoder beside Luong's, and the gradient's
# shortcut.
