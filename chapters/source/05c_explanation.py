# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 05c · Is the map an explanation?
#
# You will put five tests to a heat map and then say what a strong cell proves.
#
# **What you need.** [05](05_attention.ipynb): attention in a translator from Korean to English,
# heat maps and the alignment error rate (AER). The translator of that notebook comes along and is
# only loaded here, so every reader looks at the same one.
#
# **Time.** 25 minutes to read, 10 for exercise 5.11; the notebook runs in about a quarter of a
# minute.
#
# <details><summary>Plan</summary>
#
# The five tests: is the map an alignment, what is in the state that it points at, what does a
# weight contribute, what if a word goes, what if the weights were others. Must be read: the tests
# 1, 4 and 5 and *What others found*.
#
# </details>

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures

torch.set_num_threads(1)
figures.use_style()

# %% [markdown] id="same-but-text"
# It is tempting to say that the heat map shows *why* the translator wrote a word. Does it? [Jacovi
# and Goldberg (2020)](D_papers.ipynb#cell-id=jacovi-2020) separate two things that an explanation
# can be: **plausible**, it convinces a person, and **faithful**, it says what the network computed.
# A heat map that looks like a dictionary is plausible. The tests below ask how faithful it is, a
# question of **interpretability**.
#
# One map to keep in mind: a sentence of the test split.

# %% id="map" tags=["hide-input"]
# loads a trained translator, and draws the figure
from attnlib.data import bundled_directory, load_corpus, make_batch
from attnlib.translator import Translator

translator = Translator.load(bundled_directory().parent / "ko-en-easy-attention", "cpu")
korean, english = translator.src_vocabulary, translator.tgt_vocabulary
attentive = translator.model.eval()
corpus = load_corpus("ko-en-easy")


@torch.no_grad()
def forced(pair):
    """α (T, S) while the model reads the reference, without the end token."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    _, weights = attentive(batch.src, batch.src_mask, batch.tgt_in)
    return weights[0, : len(tgt), : len(src)]


example = next(p for p in corpus.test if len(korean.encode(p.src)) == 9)
weights = forced(example)
fig, ax = plt.subplots(figsize=(8, 3.8))
figures.attention_heatmap(
    weights,
    [token.removeprefix("##") for token in korean.tokenize(example.src)],
    english.tokenize(example.tgt),
    gold=example.links,
    title="Attention, and the gold links",
    ax=ax,
)
plt.show()

# %% [markdown] id="map-alt"
# <details><summary>The figure in words</summary>
#
# Heat map of seven English words by nine Korean tokens. In the rows of Minsu, drew, tree, at and
# school the strongest cell lies on the sure gold link; that of "at" is the particle 에서. The row
# of "a" is shared between the noun and its particle.
#
# </details>

# %% [markdown] id="alignment-text"
# ## 1. Do good translators have good maps?
#
# Recorded runs: BLEU beside AER, one point per training (each training counts once). Beside them
# stand the two baselines of [05](05_attention.ipynb#cell-id=baselines-text), **IBM Model 1** and
# **HMM alignment**, which count and translate nothing. Is the best translator the one with the best
# map?


# %% id="alignment-tools" tags=["hide-input"]
# reads the recorded trainings
def trainings(variant):
    return [run for run in read_record("05_attention")["runs"] if run["variant"] == variant]


def span(values, form):
    """The lowest and the highest of some values."""
    return f"{min(values):{form}}–{max(values):{form}}"


def baseline(kind):
    runs = read_record("05_alignments")["runs"]
    wanted = "ko-en-easy", kind
    return next(r["aer"] for r in runs if (r["corpus"], r["variant"]) == wanted)


compared = {
    "Luong, dot": "luong",
    "Luong, additive": "additive",
    "Bahdanau": "bahdanau",
    "Bahdanau, Luong's order": "luong-order",
    "the same, context fed": "luong-order-fed",
}

# %% id="alignment-record" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8.5, 4.2))
for n, (label, variant) in enumerate(compared.items()):
    runs = trainings(variant)
    points = [sum(run["bleu"]) / 5 for run in runs], [run["aer"] for run in runs]
    ax.scatter(*points, label=label, color=figures.PALETTE[n], marker="osD^v"[n], s=70)
for kind, label, line in (("ibm1", "IBM Model 1", "--"), ("hmm", "HMM alignment", ":")):
    ax.axhline(baseline(kind), color="#444444", linestyle=line, label=label)
ax.set_title("Translation against alignment (recorded, one point per training)")
ax.set_ylim(0, 0.6)
ax.set(xlabel="BLEU (mean of the five ranges)", ylabel="alignment error rate (0 to 1)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="alignment-record-alt"
# <details><summary>The figure in words</summary>
#
# Scatter plot of five kinds of model, three trainings each: mean BLEU on the horizontal axis,
# alignment error rate on the vertical. All points stand between 97 and 100 BLEU. Luong's decoder
# with the dot score is at the bottom, at error rates near 0.1 and below; the additive score lies
# around the dotted line of HMM alignment, at 0.15; the three kinds of Bahdanau's decoder lie
# between 0.25 and 0.4, around and above the dashed line of IBM Model 1 at 0.28.
#
# </details>

# %% id="alignment-numbers"
baselines = {"hmm": "HMM alignment", "ibm1": "IBM Model 1", "diagonal": "the diagonal"}
print("three runs each                   BLEU          AER")
for label, variant in compared.items():
    runs = trainings(variant)
    bleu = span([sum(run["bleu"]) / len(run["bleu"]) for run in runs], ".1f")
    rates = span([run["aer"] for run in runs], ".2f")
    print(f"{label:24} {bleu:>13} {rates:>12}")
for kind, label in baselines.items():
    print(f"{label:24} {baseline(kind):26.2f}")

# %% [markdown] id="alignment-read"
# No. All of these trainings translate the easy corpus almost without a fault, and their error rates
# go from less than a tenth to more than a third. Luong's decoder with the dot score has better maps
# than counting; Bahdanau's, in either order, translates as well and has maps that are no better
# than that of IBM Model 1. So a good translation does not need a good map.
#
# Why? A state of a bidirectional encoder knows its neighbors
# ([05b](05b_two_decoders.ipynb#cell-id=both-ways-text)), so a word's meaning can be fetched from
# *beside* it. [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) saw the extreme in a
# German–English system: good translations, every point of the map off by one. [Ghader and Monz
# (2017)](D_papers.ipynb#cell-id=ghader-2017) found that in some cases attention captures something
# else that is useful. Attention *often* is an alignment, and does not have to be.

# %% [markdown] id="neighbours-text"
# ## 2. What is in the state that it looks at?
#
# Exchange one word and see which states change, in the trained encoder and in one that was only
# initialized.

# %% id="neighbours"
from attnlib.data import pad
from attnlib.model import make_seq2seq

twenty = [x for x in (korean.encode(p.src) for p in corpus.test) if len(x) == 20]
original, all_real = pad(twenty)
touched = original.clone()
touched[:, 10] = korean.encode("바나나")[0]  # banana
torch.manual_seed(1)
fresh = make_seq2seq(len(korean), len(english)).eval()
change = {}
for name, model in (("trained", attentive), ("untrained", fresh)):
    with torch.no_grad():
        one, other = (model.encoder(x, all_real)[0] for x in (original, touched))
    each = (one - other).norm(dim=-1) / one.norm(dim=-1)  # (sentences, 20)
    change[name] = each[original[:, 10] != touched[:, 10]].mean(0)
print("change of the state, as a share of that of token 11")
for name, line in change.items():
    shares = [f"token {j} {line[j - 1] / line[10]:4.0%}" for j in (5, 10, 12, 20)]
    print(f"  {name:10}{', '.join(shares)}")

# %% id="neighbours-figure" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(7.5, 3.4))
places = range(1, 21)
ax.bar(places, change["trained"], color=figures.PALETTE[0], label="trained")
ax.bar(11, change["trained"][10], color=figures.PALETTE[1], hatch="//")
look = {"color": "black", "markersize": 4, "label": "untrained"}
ax.plot(places, change["untrained"], "o--", **look)
ax.set_title("Token 11 is exchanged: how much does each state change?")
ax.set(xlabel="source position j (tokens)", ylabel="relative change (1 = its length)")
ax.set_xticks(places)
ax.legend()
plt.show()

# %% [markdown] id="neighbours-alt"
# <details><summary>The figure in words</summary>
#
# Bar chart over 20 source positions. The bar at position 11, hatched orange, is by far the highest,
# at about three quarters. On both sides the bars fall, first quickly, from about 0.3 and 0.2 at the
# neighbors, then slowly, and the last ones are low and not empty. A dashed line of the untrained
# encoder has a lower peak and falls to 0.
#
# </details>

# %% [markdown] id="neighbours-read"
# "Looks at word 11" really means "takes the state at position 11", and that state is a mixture:
# mostly the word at its own place, and a part of what the encoder has read on its way there from
# both sides. So a weight of 1 on position 10 brings some of word 11 along, and in the trained
# encoder even one on position 1 or 20 brings a little.

# %% [markdown] id="norm-text"
# ## 3. Ninety percent of what?
#
# It is tempting to say that $0.9 \times h_1$ means 90 % of the focus on word 1 (one of the [five
# notes](C_notes.ipynb) says so). But what is *added up* is $\alpha_{tj} h_j$: of a state of length
# 0.01 and one of length 3, $0.9 \times 0.01$ is far less than $0.1 \times 3$. [Kobayashi et al.
# (2020)](D_papers.ipynb#cell-id=kobayashi-2020) therefore look at the length of what is added,
# after the linear map behind it (in our translator the left half of $W_c$, which reads the
# context); in their Transformers it made a difference.

# %% [markdown] id="ex-contribution-shares-text"
# ### Exercise 5.11 · Who contributes what?
# *Core, 10 minutes.* For a batch: weights (B, T, S), values (B, S, H). Return (B, T, S): the length
# of $\alpha_{tj} v_j$ as a share of the sum of these lengths over $j$.
#
# <details><summary>Hint 1</summary>
#
# A weight is not negative, so $\lVert \alpha v \rVert = \alpha \lVert v \rVert$. You need not build
# the vectors $\alpha_{tj} v_j$.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The lengths of the values are (B, S), one row for all queries. Which dimension is missing so that
# they meet weights (B, T, S)?
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# Weight times length, then divide by the sum over the last dimension, which must be kept so that
# the division fits.
#
# </details>


# %% id="ex-contribution-shares" tags=["exercise"]
@exercise
def contribution_shares(weights, values):
    """‖α_tj v_j‖ as a share of its sum over j: (B, T, S), (B, S, H) → (B, T, S)."""
    raise NotImplementedError


# %% [markdown] id="contributions-text"
# ### The same maps, by what is added
#
# Three maps of each test sentence: by weight, by the length of $\alpha_{tj} h_j$, and by the length
# of $W_c\, \alpha_{tj} h_j$. How often does another word lead a row, and which map is nearest to
# the gold links?


# %% id="contributions"
from attnlib.metrics import aer, links_from_weights


@torch.no_grad()
def values_of(pair):
    """The h_j of a sentence (1, S, H), and what W_c makes of them (1, S, O)."""
    batch = make_batch([korean.encode(pair.src)], [english.encode(pair.tgt)])
    states = attentive.encode(batch.src, batch.src_mask).states[:, :-1]
    return states, states @ attentive.decoder.combine.weight[:, : states.shape[-1]].T


both = [values_of(pair) for pair in corpus.test]
lengths = torch.cat([states.norm(dim=-1)[0] for states, _ in both])
low, high = lengths.quantile(torch.tensor([0.05, 0.95]))
print(f"long states against short ones: {high / low:.1f} times")
links_of = [pair.links for pair in corpus.test]
looks_of = [forced(pair) for pair in corpus.test]
error = aer([links_from_weights(a) for a in looks_of], links_of)
print(f"by weights             AER {error:.2f}")
for n, name in enumerate(("‖α h_j‖", "‖W_c α h_j‖")):
    maps = [contribution_shares(a[None], v[n])[0] for a, v in zip(looks_of, both)]
    error = aer([links_from_weights(shares) for shares in maps], links_of)
    moved = torch.cat([a.argmax(-1) != b.argmax(-1) for a, b in zip(looks_of, maps)])
    told = f"another word leads {moved.double().mean():.0%} of the rows"
    print(f"by {name:12}        AER {error:.2f}, {told}")

# %% [markdown] id="contributions-read"
# Hardly any difference, with or without $W_c$: the states' lengths differ too little to change who
# leads a row. The doubt is right in principle, and laid to rest *for this model* by a measurement.

# %% [markdown] id="cause-text"
# ## 4. Does a high weight mean that the word mattered?
#
# A direct test of cause: replace source word $j$ by the unknown word and see how far $\log p(y_t)$
# falls. Compare with $\alpha_{tj}$, in 60 sentences of at most ten tokens. ([Ding et al.
# (2019)](D_papers.ipynb#cell-id=ding-2019) take the gradient instead of a replacement.) For English
# words that have a gold link: how often, in percent, is the word with the largest weight also the
# one with the largest effect?

# %% id="predict-cause"
predict("05c.cause", ...)


# %% id="cause"
from attnlib.data import UNK


@torch.no_grad()
def effects(pair, other=lambda: UNK):
    """How much log p(y_t) falls (T, S) when source token j becomes `other`."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    damaged = [src] + [
        [other() if k == j else x for k, x in enumerate(src)] for j in range(len(src))
    ]
    batch = make_batch(damaged, [tgt] * len(damaged))
    logits, _ = attentive(batch.src, batch.src_mask, batch.tgt_in)
    log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2))
    log_p = log_p.squeeze(2)[:, : len(tgt)]
    return (log_p[0] - log_p[1:]).T


some = [p for p in corpus.test if len(korean.encode(p.src)) <= 10][:60]
pairs = [(forced(p), effects(p)) for p in some]
# target words with a sure link
content = [sorted({t for _, t in p.links.sure}) for p in some]


# %% id="cause-figure" tags=["hide-input"]
# draws the figure
def draw_effects():
    """What replacing a word does, by the weight that it had."""
    weight, effect = (torch.cat([pair[n].flatten() for pair in pairs]) for n in (0, 1))
    edges = (0, 0.01, 0.1, 0.5, 0.9, 1.01)
    bands = [effect[(weight >= a) & (weight < b)] for a, b in zip(edges, edges[1:])]
    fig, ax = plt.subplots(figsize=(8, 4))
    boxes = ax.boxplot(bands, showfliers=False, patch_artist=True, whis=(5, 95))
    for box in boxes["boxes"]:
        box.set_facecolor(figures.PALETTE[0])
        box.set_alpha(0.5)
    names = [
        f"{low:g}–{min(high, 1):g}\nn = {len(b):,}"
        for low, high, b in zip(edges, edges[1:], bands)
    ]
    ax.set_xticks(range(1, len(names) + 1), names)
    ax.axhline(0, color="#444444", linewidth=1)
    ax.set_title("Weight against effect: median, half, and nine tenths of the cells")
    ax.set_xlabel("weight of the cell (0 to 1)")
    ax.set_ylabel("fall of log p, word replaced (nats)")
    plt.show()

# %% id="cause-numbers"
def rank_correlation(a, b):
    ranks = torch.stack([a, b]).argsort(1).argsort(1).double()
    return torch.corrcoef(ranks)[0, 1].item()


def rows_with_link(effects_of):
    """Weights and effects of each linked row; effects_of[n] belongs to sentence n."""
    rows = zip(pairs, effects_of, content)
    return [(a[t], e[t]) for (a, _), e, words in rows for t in words]


def agreement(rows):
    return sum(int(a.argmax() == e.argmax()) for a, e in rows) / len(rows)


def any_word():
    return int(torch.randint(4, len(korean), ()))  # the first four are special


torch.manual_seed(0)
several = ([effects(p, any_word) for p in some] for _ in range(5))
drawn = [row for one in several for row in rows_with_link(one)]
linked_rows = rows_with_link([e for _, e in pairs])
n_rows = len(linked_rows)
chance = sum(1 / len(a) for a, _ in linked_rows) / n_rows
within = sum(rank_correlation(a, e) for a, e in linked_rows) / n_rows
agreed = agreement(linked_rows)
with reveal("05c.cause", 100 * agreed, within=8):
    print(f"largest weight = largest effect: {agreed:.0%} of {n_rows} rows")
    print(f"  a random word instead:        ≈{agreement(drawn):.0%}")
    print(f"  by chance:                     {chance:.0%}")
    print(f"rank correlation within a row:   {within:.1f} on the mean")
    draw_effects()

# %% [markdown] id="cause-alt"
# <details><summary>The figure in words</summary>
#
# Five boxes of effects, one per range of weights, with the number of cells under each. Up to a
# weight of 0.9 all boxes are flat at an effect of 0. From 0.9 on the median is above two nats, half
# of the cells lie between 0.2 and 5.6, and the lower whisker reaches down to 0.
#
# </details>

# %% [markdown] id="cause-break-text"
# <details><summary>What it says</summary>
#
# For words with a gold link the word with the largest weight is nearly always the one whose loss
# hurts most: here the weights do tell what mattered. (`<unk>` occurs in no training sentence, so a
# part of its effect may come from a strange vector. With any Korean word in its place, five draws,
# the two agree in about five of six rows.) But it is nearly all or nothing. The figure
# shows effects only where the weight is close to 1, and behind the first place the order of weights
# and effects agrees only in part.
#
# </details>

# %% [markdown] id="idle-text"
# ### Large weights without an effect
#
# Even where the weight is close to 1, some effects are 0: whose are the large weights without an
# effect? (0.1 **nats**, the unit of a natural logarithm, is a probability a tenth smaller.)

# %% id="cause-break"
idle_rows, heavy_rows = {}, {}
for pair, (a, e), words in zip(some, pairs, content):
    for t, word in enumerate(english.tokenize(pair.tgt)):
        group = "articles" if word in ("a", "an", "the") else "periods and the rest"
        group = "words with a gold link" if t in words else group
        j = int(a[t].argmax())
        if a[t, j] > 0.5:
            heavy_rows[group] = heavy_rows.get(group, 0) + 1
            idle_rows[group] = idle_rows.get(group, 0) + int(e[t, j] < 0.1)
print("of the weights above 0.5 so many change log p by less than 0.1 nats:")
for group in ("words with a gold link", "articles", "periods and the rest"):
    print(f"  {group:24} {idle_rows[group]:3} of {heavy_rows[group]:3}")

# %% id="cause-check" tags=["check"]
# checks what the text says
check_range(agreed, 0.9, 1)
check_range(agreement(drawn), 0.75, 0.92)
idle = {group: idle_rows[group] / heavy_rows[group] for group in heavy_rows}
check_range(idle["words with a gold link"], 0, 0.25)
check_range(idle["periods and the rest"], 0.5, 1)

# %% [markdown] id="cause-read"
# Most of them belong to articles, periods and question marks, which the decoder knows from its own
# state: a row *must* sum to 1, so it looks somewhere. Some belong to words with a gold link, which
# can be guessed from the rest of the sentence. A strong cell is not yet a reason.

# %% [markdown] id="shuffle-text"
# ## 5. What if the weights were others?
#
# The opposite test (after [Jain and Wallace 2019](D_papers.ipynb#cell-id=jain-2019)): keep the
# words and shuffle the *weights* of each row, or make them all equal. In their text classifiers the
# answer often did not change, so the weights were no explanation of it. A shuffle may leave the
# largest weight where it was, and then nothing was tested; so 20 orders, and only rows whose peak
# *moved*. How many percent of the words that have a gold link stay the same?

# %% id="predict-shuffle"
predict("05c.shuffle", ...)


# %% id="shuffle"
from torch.nn import functional as F


@torch.no_grad()
def linked_rows(pairs):
    """For each linked word: the states, which are real, the decoder's state, the weights."""
    encoded = [(korean.encode(p.src), english.encode(p.tgt)) for p in pairs]
    batch, decoder = make_batch(*zip(*encoded)), attentive.decoder
    memory = attentive.encode(batch.src, batch.src_mask)
    words = decoder.embed(batch.tgt_in).unsqueeze(1)
    hidden = decoder.run(words, decoder.start(memory))[0].squeeze(1)
    weights = decoder.attend(hidden, memory)[1]
    linked = [(n, t) for n, p in enumerate(pairs) for t in sorted({t for _, t in p.links.sure})]
    n, t = torch.tensor(linked).T
    return memory.states[n], batch.src_mask[n], hidden[n, t], weights[n, t]


states, real, hidden, weights = linked_rows(some)  # (R, S, H), (R, S), (R, H), (R, S)


def predicted(weights, states=states):
    """The logits of the words when the weights are these, (R, V)."""
    context = (weights.unsqueeze(1) @ states).squeeze(1)
    s_tilde = torch.tanh(attentive.decoder.combine(torch.cat([context, hidden], dim=-1)))
    return attentive.output(s_tilde)


word = predicted(weights).argmax(-1)


def stays(weights, states=states):
    return predicted(weights, states).argmax(-1) == word


# %% id="shuffle-numbers"
lots = torch.Generator().manual_seed(0)
stay = {"moved": [], "where it was": []}
for _ in range(20):
    drawn = torch.rand(weights.shape, generator=lots).masked_fill(~real, 2.0)
    shuffled = weights.gather(1, drawn.argsort(-1))
    moved = shuffled.argmax(-1) != weights.argmax(-1)
    stay["moved"].append(stays(shuffled)[moved])
    stay["where it was"].append(stays(shuffled)[~moved])
equal = real / real.sum(-1, keepdim=True)
with reveal("05c.shuffle", 100 * torch.cat(stay["moved"]).double().mean(), within=10):
    for name, same in stay.items():
        share = torch.cat(same).double().mean()
        print(f"shuffled, peak {name:14}: {share:4.0%} of {len(word)} words stay")
    print(f"all weights equal:{'':13}{stays(equal).double().mean():4.0%}")

# %% id="shuffle-check" tags=["check"]
# checks what the text says
check_range(torch.cat(stay["moved"]).double().mean(), 0.1, 0.45)
check_range(torch.cat(stay["where it was"]).double().mean(), 0.9, 1)

# %% [markdown] id="shuffle-read"
# <details><summary>What it says</summary>
#
# Where the peak moved, most words with a meaning change; where the shuffle left it in its place,
# nearly all of them stay. With equal weights a good part of the words is still right in short
# sentences, since the mean of seven or eight states is not empty.
#
# A text classifier reads one vector in which every state already holds the whole text; a translator
# needs another word at every step and has to fetch it. What a heat map proves depends on the model,
# the task and the word.
#
# </details>

# %% [markdown] id="search-text"
# ### Weights that give the same word
#
# A shuffle puts the peak on a *random* wrong state. Fairer questions: what if the peak is only
# erased and the rest scaled up ([Serrano and Smith 2019](D_papers.ipynb#cell-id=serrano-2019))? Is
# there any *other* position that would do alone? Are there any weights at all, with exactly 0 where
# the peak was, that give the same word? (Jain and Wallace search for such weights, too.) And what
# would it prove? Let the same search mix the states of *another sentence*, whose translation does
# not have the word.

# %% id="search"
def search(allowed, states, steps=100):
    """Whether gradient descent finds weights, 0 where not allowed, that give the word."""
    scores = torch.zeros(allowed.shape, requires_grad=True)
    optimizer = torch.optim.Adam([scores], lr=0.3)
    found = torch.zeros(len(allowed), dtype=torch.bool)
    for _ in range(steps):
        logits = predicted(scores.masked_fill(~allowed, -torch.inf).softmax(-1), states)
        found |= logits.argmax(-1) == word
        optimizer.zero_grad()
        F.cross_entropy(logits, word, reduction="sum").backward()
        optimizer.step()
    return found


# %% id="search-numbers"
peak = F.one_hot(weights.argmax(-1), weights.shape[1]).bool()
rest, allowed = weights.masked_fill(peak, 0), real & ~peak
with torch.no_grad():
    alone = [stays(one.expand_as(weights)) for one in torch.eye(weights.shape[1])]
    others = (torch.stack(alone, 1) & allowed).any(-1)
# for every row a sentence whose translation lacks the word
texts = [set(english.encode(p.tgt)) for p in some]
owner = [n for n, words in enumerate(content) for _ in words]
missing = [
    next(m % len(some) for m in range(n + 1, n + len(some)) if w not in texts[m % len(some)])
    for n, w in zip(owner, word.tolist())
]
first = [owner.index(m) for m in missing]  # a row of that sentence
kept = {
    "peak erased, rest scaled up": stays(rest / rest.sum(-1, keepdim=True)),
    "all on one other position": others,
    "searched, the peak's weight 0": search(allowed, states) | others,
    "searched in another sentence": search(real[first], states[first]),
}
for name, same in kept.items():
    print(f"{name:30}≈{same.double().mean():4.0%} of the words stay")

# %% id="search-recorded" tags=["hide-input"]
# prints the same for the recorded trainings
runs = read_record("05_explanation")["runs"]
sizes = ("4-10", "21-30")
print("recorded, words that stay, three trainings each")
print(f"{'':24}4–10 tokens    21–30 tokens")
for row in runs[0][sizes[0]]["other weights"]:
    if row != "rows":
        shares = [[run[size]["other weights"][row] for run in runs] for size in sizes]
        short, long = (" ".join(f"{share:4.0%}" for share in three) for three in shares)
        print(f"  {row:20}{short:>16}{long:>16}")

# %% id="search-check" tags=["check"]
# checks what the text says
share = {name: float(same.double().mean()) for name, same in kept.items()}
check_range(share["peak erased, rest scaled up"], 0.5, 0.85)
check_range(share["searched, the peak's weight 0"], 0.75, 1)
check_range(share["searched in another sentence"], 0.3, 0.7)

# %% [markdown] id="search-read"
# Erase the peak, and most words are still right: part of a word stands in the states beside its own
# (test 2). Other weights that give the same word exist for nearly all rows, so Jain and Wallace's
# point holds here. But the last row shows how little that proves. In sentences of 21 to 30 tokens a
# search over the states of a sentence *without* the word finds it in most rows as well. This is
# Wiegreffe and Pinter's point: weights that a search can find are not weights that the model would
# make.

# %% [markdown] id="literature"
# ## What others found
#
# - [Jain and Wallace (2019)](D_papers.ipynb#cell-id=jain-2019), *Attention is not explanation*: do
#   other weights give another answer, in text classifiers? Often not.
# - [Serrano and Smith (2019)](D_papers.ipynb#cell-id=serrano-2019), *Is attention interpretable?*:
#   which weights must be erased until the decision changes? Often not simply the largest ones.
# - [Wiegreffe and Pinter (2019)](D_papers.ipynb#cell-id=wiegreffe-2019), *Attention is not not
#   explanation*: that depends on what one calls an explanation. They propose four tests, of which
#   equal weights are one. Other weights that give the same answer can be found, but do badly on
#   another of the tests.
# - [Vashishth et al. (2019)](D_papers.ipynb#cell-id=vashishth-2019): both views are right, each on
#   its tasks. Changed weights cost a classifier of one text little, and a translator, or a model
#   that compares two texts, much.
# - [Ding et al. (2019)](D_papers.ipynb#cell-id=ding-2019): translators do learn word alignments,
#   and saliency, made from gradients, shows them better than attention weights do.
# - [Kobayashi et al. (2020)](D_papers.ipynb#cell-id=kobayashi-2020): in Transformers the lengths of
#   what is added come closer to an alignment than the weights.
#
# They disagree less than their titles: a heat map is plausible by nature, and faithful as far as
# tests like these go. Jacovi and Goldberg ask for just that, faithfulness by degrees instead of yes
# or no.
#
# <details><summary>How sure?</summary>
#
# Test 2 and the live parts of 3 to 5 are of one model (seed 1), on a small corpus that a grammar
# wrote, with one layer of attention; tests 4 and 5 use 60 sentences of at most ten tokens. The
# recorded parts have three seeds. A search by gradient descent can miss weights that exist. Real
# captions with their heat maps are in chapter 10, without gold links; several heads, each with a
# map of its own, are in chapter 11.
#
# </details>

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Translators that are equally good can have quite different maps, better or worse than what
#   counting finds.
# - A weight points at a state, and a state is a mixture; in this model the lengths of the states
#   change nothing.
# - Replace the word or move the peak, and most words with a meaning change; erase the peak, and
#   most stay. Other weights that give the same word can be found by search, but often in an
#   unrelated sentence, too. The rows of articles and periods look somewhere because they must.
# - A heat map is a hypothesis to be tested.
#
# **Left out.** Several layers and heads (chapter 11); maps of real text (chapter 10).
#
# <details><summary>Papers</summary>
#
# [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017); [Ghader and Monz
# 2017](D_papers.ipynb#cell-id=ghader-2017); [Jain and Wallace
# 2019](D_papers.ipynb#cell-id=jain-2019); [Serrano and Smith
# 2019](D_papers.ipynb#cell-id=serrano-2019); [Wiegreffe and Pinter
# 2019](D_papers.ipynb#cell-id=wiegreffe-2019); [Vashishth et al.
# 2019](D_papers.ipynb#cell-id=vashishth-2019); [Ding, Xu and Koehn
# 2019](D_papers.ipynb#cell-id=ding-2019); [Jacovi and Goldberg
# 2020](D_papers.ipynb#cell-id=jacovi-2020); [Kobayashi et al.
# 2020](D_papers.ipynb#cell-id=kobayashi-2020).
#
# </details>
#
# **Next.** [Chapter 06](06_scores.ipynb): dot, general, concat, additive and scaled dot, side by
# side.
