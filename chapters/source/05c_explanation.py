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
# You will put five tests to a heat map and then say what a strong cell proves, and which parts of
# the decoder are needed.
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
# 1, 4 and 5 and *What others found*. May be skipped: *What is needed, and what is decoration?*,
# which compares decoders and not maps.
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
# Heat map of seven English words by nine Korean tokens. In the rows of Minsu, drew, tree and school
# the strongest cell lies on the sure gold link. The row of "a" is shared between the noun and its
# particle. The row of "at" looks mostly at 학교 (school), beside its sure link, the particle 에서.
#
# </details>

# %% [markdown] id="alignment-text"
# ## 1. Do good translators have good maps?
#
# Recorded runs: BLEU beside AER, one point per training (each training counts once). Beside them
# stands **IBM Model 1** ([Brown et al. 1993](D_papers.ipynb#cell-id=brown-1993)), which learns word
# pairs by counting and translates nothing. Is the best translator the one with the best map?


# %% id="alignment-tools" tags=["hide-input"]
# reads the recorded trainings
def trainings(places, suffix=""):
    """Every recorded training of a model, each once; places: (record, variant)."""
    found = {}
    for name, variant in places:
        for run in read_record(name + suffix)["runs"]:
            if run["variant"] == variant:
                found.setdefault((run["seed"], *run["bleu"]), run)
    return list(found.values())


def span(values, form):
    """The lowest and the highest of some values."""
    return f"{min(values):{form}}–{max(values):{form}}" if values else "–"


def baseline(kind, corpus_name):
    runs = read_record("05_alignments")["runs"]
    wanted = corpus_name, kind
    return next(r["aer"] for r in runs if (r["corpus"], r["variant"]) == wanted)


compared = {
    "Luong, dot": [("05_attention", "luong"), ("06_scores", "dot")],
    "Luong, general": [("05_attention", "general"), ("06_scores", "general")],
    "Luong, additive": [("06_scores", "additive")],
    "Bahdanau, additive": [("05_attention", "bahdanau")],
    "dot, keys $h_j$ alone": [("05_attention", "states-only")],
    "general, keys $h_j$ alone": [("05_attention", "general-states-only")],
}

# %% id="alignment-record" tags=["hide-input"]
# draws the figure
fig, ax = plt.subplots(figsize=(8.5, 4.2))
for n, (label, places) in enumerate(compared.items()):
    runs = trainings(places)
    points = [sum(run["bleu"]) / 5 for run in runs], [run["aer"] for run in runs]
    ax.scatter(*points, label=label, color=figures.PALETTE[n], marker="osD^vP"[n], s=70)
counting = baseline("ibm1", "ko-en-easy")
ax.axhline(counting, color="#444444", linestyle="--", label="IBM Model 1")
ax.set_title("Translation against alignment (recorded, one point per training)")
ax.set_ylim(0, 0.32)
ax.set(xlabel="BLEU (mean of the five ranges)", ylabel="alignment error rate (0 to 1)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %% [markdown] id="alignment-record-alt"
# <details><summary>The figure in words</summary>
#
# Scatter plot of six kinds of model, three or six trainings each: mean BLEU on the horizontal axis,
# alignment error rate on the vertical. Nearly all points stand in a column between 98 and 100 BLEU,
# at error rates from 0.02 to 0.15. Two points lie apart near 94 BLEU: one at 0.14, Luong with the
# general score, and one at 0.2, the general score without the word in the keys. A dashed line above
# all of them, at 0.28, is IBM Model 1.
#
# </details>

# %% id="alignment-numbers"
for suffix, name in (("", "ko-en-easy"), ("_ko-en", "ko-en")):
    print(f"{name:28} runs        BLEU          AER")
    for label, places in compared.items():
        if runs := trainings(places, suffix):
            bleu = span([sum(run["bleu"]) / len(run["bleu"]) for run in runs], ".1f")
            rates = span([run["aer"] for run in runs], ".2f")
            print(f"  {label.replace('$', ''):26} {len(runs):4} {bleu:>14} {rates:>11}")
    for kind, label in (("ibm1", "IBM Model 1"), ("diagonal", "the diagonal")):
        print(f"  {label:26} {baseline(kind, name):30.2f}")

# %% [markdown] id="alignment-read"
# Hardly. On the easy corpus all but two trainings translate almost without a fault, and even their
# error rates differ about sevenfold. Six trainings of one model, Luong's decoder with the general
# score, have maps from one end of that range almost to the other, so no order of the rows can be
# read from three. All of them beat counting. On the larger corpus not all do: Bahdanau's
# decoder, whose translations are among the best here, has a map that is no better than that of IBM
# Model 1. So a good translation does not need a good map.
#
# Why? A state of a bidirectional encoder knows its neighbors
# ([05b](05b_two_decoders.ipynb#cell-id=both-ways-text)), so a word's meaning can be fetched from
# *beside* it. [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) saw the extreme in a
# German–English system: good translations, every point of the map off by one. [Ghader and Monz
# (2017)](D_papers.ipynb#cell-id=ghader-2017) found that in some cases attention captures something
# else that is useful. Attention *often* is an alignment, and does not have to be.
#
# <details><summary>Does the word in the keys help the map?</summary>
#
# With $h_j + W x_j$ as keys and values the word itself is only to be had at its own position.
# Without $W x_j$ two of three trainings of the general score have a worse map than any of the six
# with it; with the dot score these trainings show no difference.
#
# </details>

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
fresh = make_seq2seq(len(korean), len(english), source_in_memory=True).eval()
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
# above 1. To the left the bars are low and shrink to nearly 0. To the right they are about a fifth
# of it and shrink slowly up to the last token. A dashed line of the untrained encoder has the same
# peak and falls to 0 within a few tokens on both sides.
#
# </details>

# %% [markdown] id="neighbours-read"
# "Looks at word 11" really means "takes the state at position 11", and that state is a mixture:
# mostly the word at its own place, and a part of what the encoder has read on its way. In the
# untrained encoder that part ends after a few tokens; in the trained one the left-to-right half
# carries the word on to the end of the sentence. So a weight of 1 on position 20 can bring some of
# word 11 along.

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

# %% id="contributions-recorded"
print("recorded           another leads    AER by α    ‖α h_j‖   ‖W_c α h_j‖")
for run in read_record("05_contributions")["runs"]:
    if run["variant"] != "none":
        found = run["contributions"]
        rates = [found["aer"][name] for name in ("weight", "length", "behind W_c")]
        told = "".join(f"{rate:11.3f}" for rate in rates)
        leads = found["another is first"]["behind W_c"]
        print(f"{run['variant']:12} seed {run['seed']}{leads:14.1%} {told}")

# %% [markdown] id="contributions-read"
# Hardly any difference, with or without $W_c$, here and in three seeds of two models: the states'
# lengths differ too little to change who leads a row, and no error rate moves by as much as 0.01.
# The doubt is right in principle, and laid to rest *for this model* by a measurement. (Not quite:
# long contributions may point in opposite directions and cancel.)

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
def with_weights(batch, change):
    """The most probable words when ``change`` makes other weights (B, T, S)."""
    made = []

    def instead(module, given, result):
        made.append(change(result[1], batch.src_mask.unsqueeze(1)))
        return made[-1] @ given[2], made[-1]

    hook = attentive.decoder.attention.register_forward_hook(instead)
    with torch.no_grad():
        words = attentive(batch.src, batch.src_mask, batch.tgt_in)[0].argmax(-1)
    hook.remove()
    return words, made[-1]


def shuffled(weights, mask):
    """Every row in an order of its own; padding stays where it is."""
    drawn = torch.rand(weights.shape, generator=lots).masked_fill(~mask, 2.0)
    return weights.gather(2, drawn.argsort(-1))


def equal(weights, mask):
    return (mask / mask.sum(-1, keepdim=True)).expand_as(weights)


# %% id="shuffle-recorded" tags=["hide-input"]
# prints the same for the recorded trainings
def print_recorded():
    print("recorded, 20 orders each; linked words that stay", end="   ")
    print("short sentences   all lengths")
    for run in read_record("05_contributions")["runs"]:
        if run["variant"] != "none":
            found = {
                part: [sum(run["shuffled"][size][part]) / 20 for size in ("short", "all")]
                for part in ("moved", "other words")
            }
            level = [run["shuffled"][size]["equal"] for size in ("short", "all")]
            told = "".join(f"{x:16.0%}" for x in found["moved"])
            print(f"  {run['variant']:12} seed {run['seed']}: peak moved{'':13}{told}")
            told = "".join(f"{x:16.0%}" for x in level)
            print(f"  {'':12}         all equal{'':14}{told}")

# %% id="shuffle-numbers"
lots = torch.Generator().manual_seed(0)
encoded = [(korean.encode(p.src), english.encode(p.tgt)) for p in some]
batch = make_batch(*zip(*encoded))
before, peaks = with_weights(batch, lambda weights, mask: weights)
linked = torch.zeros_like(batch.tgt_mask)
for n, words in enumerate(content):
    linked[n, words] = True
stay = {"moved": [], "where it was": []}
for _ in range(20):
    after, weights = with_weights(batch, shuffled)
    moved = weights.argmax(-1) != peaks.argmax(-1)
    stay["moved"].append((after == before)[linked & moved])
    stay["where it was"].append((after == before)[linked & ~moved])
after, _ = with_weights(batch, equal)
with reveal("05c.shuffle", 100 * torch.cat(stay["moved"]).double().mean(), within=10):
    for name, same in stay.items():
        share = torch.cat(same).double().mean()
        print(f"shuffled, peak {name:14}: {share:4.0%} of the words stay")
    print(f"all weights equal:{'':13}{(after == before)[linked].double().mean():4.0%}")
    print_recorded()

# %% id="shuffle-check" tags=["check"]
# checks what the text says
check_range(torch.cat(stay["moved"]).double().mean(), 0.05, 0.35)
check_range(torch.cat(stay["where it was"]).double().mean(), 0.9, 1)

# %% [markdown] id="shuffle-read"
# <details><summary>What it says</summary>
#
# In this translator the weights decide what is said: where the peak moved, most words with a
# meaning change, in three seeds and at all lengths; where the shuffle left it in its place, nearly
# all of them stay. With $h_j$ alone as keys and values (*states-only*) more words survive, probably
# because those states hold more of their neighbors. With equal weights a good part of the words is
# still right in short sentences, since the mean of seven or eight states is not empty; in longer
# ones that part shrinks.
#
# A text classifier reads one vector in which every state already holds the whole text; a translator
# needs another word at every step and has to fetch it. What a heat map proves depends on the model,
# the task and the word.
#
# </details>

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
# recorded parts have three seeds or more. Test 5 shuffles; it does not *search* for other weights
# that leave the answer as it was, which Jain and Wallace did as well. Real captions with their heat
# maps are in chapter 10, without gold links; several heads, each with a map of its own, are in
# chapter 11.
#
# </details>

# %% [markdown] id="ablation-text"
# ## What is needed, and what is decoration?
#
# So far we changed a trained model. Each of these recorded runs changes Luong's decoder *before* it
# is trained, in one thing; encoder, batches and updates stay. Rank them before you look: all
# weights equal; context alone without the state; no tanh; general instead of dot; vectors cut in
# half, one half for matching and one for content; and **local attention** (Luong's §3.2), which
# looks only at the ten tokens on either side of a place $p_t$: $p_t = t$ in its *monotonic* kind,
# local-m, and learned in the *predictive* one, local-p.
#
# <details><summary>The predicted place</summary>
#
# In local-p $p_t = S \cdot \sigma(v_p^\top \tanh(W_p s_t))$, and the weights fall off around it
# like a bell.
#
# </details>

# %% id="ablation"
parts = {
    "Luong, dot": [("05_attention", "luong"), ("06_scores", "dot")],
    "Luong, general": [("05_attention", "general"), ("06_scores", "general")],
    "no tanh": [("05_attention", "no-tanh")],
    "halves: match, content": [("05_attention", "split")],
    "local, predicted place": [("05_attention", "local-p")],
    "local, $p_t = t$": [("05_attention", "local-m")],
    r"$\tilde{s}$ from context only": [("05_attention", "context-only")],
    "all weights equal": [("05_attention", "uniform")],
    "no attention": [("05_attention", "none")],
}
print("recorded on ko-en-easy      runs         BLEU")
for part, places in parts.items():
    runs = trainings(places)
    bleu = span([sum(run["bleu"]) / len(run["bleu"]) for run in runs], ".1f")
    name = part.replace("$", "").replace(r"\tilde{s}", "s̃")
    print(f"  {name:26}{len(runs):4}{bleu:>13}")

# %% [markdown] id="larger-text"
# Most of them stand at the **ceiling**, close to 100. Only this can be read: equal weights lose
# nearly half of the BLEU, and with the context alone one seed of three went wrong. The larger
# corpus, `ko-en`, with three times the updates, is the test.


# %% id="larger-tools" tags=["hide-input"]
# reads the runs on the larger corpus
def composition(run):
    return run["others"]["test_composition"]


TESTS = {
    "3–50 tokens": lambda run: sum(run["bleu"]) / len(run["bleu"]),
    "51–70 tokens": lambda run: run["others"]["test_long"]["bleu"],
    "new combinations": lambda run: composition(run)["bleu"],
    "test, as short": lambda run: composition(run).get("same_lengths", {}).get("bleu"),
}


def on_larger(part, test):
    """BLEU of every training of a part's model on ko-en, where it is recorded."""
    scores = [TESTS[test](run) for run in trainings(parts[part], "_ko-en")]
    return [score for score in scores if score is not None]

# %% id="larger" tags=["hide-input"]
# draws the figure
fig, axes = plt.subplots(1, 3, figsize=(11, 4), sharey=True)
for ax, test in zip(axes, TESTS):
    for row, part in enumerate(parts):
        points = on_larger(part, test)
        look = {"color": figures.PALETTE[row > 0], "markersize": 6, "alpha": 0.7}
        ax.plot(points, [row] * len(points), "os"[row > 0], **look)
    first = on_larger("Luong, dot", test)
    ax.axvline(sum(first) / len(first), color=figures.PALETTE[0], linewidth=0.8)
    ax.set(title=test, xlabel="BLEU")
axes[0].set_yticks(range(len(parts)), parts)
axes[0].invert_yaxis()
fig.suptitle("One change at a time, larger corpus (recorded, one point per training)")
plt.show()

# %% [markdown] id="larger-alt"
# <details><summary>The figure in words</summary>
#
# Three dot plots of nine models, one per test; a line marks Luong's decoder with the dot score. On
# 3 to 50 tokens most stand near it, without the tanh to the right of it; the context alone is some
# ten BLEU to the left, equal weights twenty, the model without attention forty. On 51 to 70 tokens
# and on new combinations the order is much the same.
#
# </details>

# %% id="larger-numbers"
heads = ("3–50", "51–70", "new", "as short", "AER")
print(f"{'recorded on ko-en':28}runs" + "".join(f"{head:>11}" for head in heads))
for part, places in parts.items():
    runs = trainings(places, "_ko-en")
    rates = span([run["aer"] for run in runs if "aer" in run], ".2f")
    told = "".join(f"{span(on_larger(part, test), '.0f'):>11}" for test in TESTS)
    name = part.replace("$", "").replace(r"\tilde{s}", "s̃")
    print(f"  {name:26}{len(runs):4}{told}{rates:>11}")

# %% [markdown] id="larger-read"
# - *Equal weights* see every state and are far behind all the same: what helps is not the access,
#   it is the **choice**.
# - *Context only* is behind in every training, by ten BLEU and more. What has been written so far
#   had better reach the output, too: this is what the concatenation is for.
# - *No tanh* is ahead in every training and on every test, with the best map of all.
# - *General* has a matrix more than *dot* and translates no better here. Luong et al. found it
#   behind for global attention: 17.3 BLEU with general, 18.6 with dot (their Table 4).
# - *Local-m* is a poor guess about two languages of different order, and does well on sentences
#   longer than any in training, perhaps because its window is no wider there.
#
# With three trainings against three, chance alone separates two equal models completely in one case
# of ten, and eight comparisons are made here: small leads are hints, gaps of twenty BLEU are not.
# An ablation tells what a part is good for on this corpus, at this budget.
#
# <details><summary>Why no tanh? Halves, and the columns of the table</summary>
#
# A guess about the tanh: it keeps every number of $\tilde s_t$ between −1 and 1, and the more words
# there are to choose from, the larger the scores must be that set one word apart.
#
# Halves: a state has two jobs, to predict and to ask, and the encoder's states have two, to be
# found and to be fetched. Giving each job a half of its own ([Daniluk et al.
# 2017](D_papers.ipynb#cell-id=daniluk-2017)) costs nothing that three seeds could show.
#
# The composition test (*new*) has shorter sentences than the test split; beside it stands the
# test's BLEU on sentences of the same lengths (*as short*). Scores are exchangeable parts,
# everything else in the pipeline stayed; chapter 6 compares them properly.
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
#   counting words finds.
# - A weight points at a state, and a state is a mixture; in this model the lengths of the states
#   change nothing.
# - Replace the word or move the peak, and most words with a meaning change: for these the map is
#   largely faithful. For articles and periods it is not: their rows look somewhere because they
#   must.
# - A heat map is a hypothesis to be tested.
#
# **Left out.** Several layers and heads (chapter 11); maps of real text (chapter 10).
#
# <details><summary>Papers</summary>
#
# [Brown et al. 1993](D_papers.ipynb#cell-id=brown-1993); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017); [Ghader and Monz
# 2017](D_papers.ipynb#cell-id=ghader-2017); [Jain and Wallace
# 2019](D_papers.ipynb#cell-id=jain-2019); [Serrano and Smith
# 2019](D_papers.ipynb#cell-id=serrano-2019); [Wiegreffe and Pinter
# 2019](D_papers.ipynb#cell-id=wiegreffe-2019); [Vashishth et al.
# 2019](D_papers.ipynb#cell-id=vashishth-2019); [Ding, Xu and Koehn
# 2019](D_papers.ipynb#cell-id=ding-2019); [Jacovi and Goldberg
# 2020](D_papers.ipynb#cell-id=jacovi-2020); [Kobayashi et al.
# 2020](D_papers.ipynb#cell-id=kobayashi-2020); [Daniluk et al.
# 2017](D_papers.ipynb#cell-id=daniluk-2017); [Luong, Pham and Manning
# 2015](D_papers.ipynb#cell-id=luong-2015) (§3.2, Table 4).
#
# </details>
#
# **Next.** [Chapter 06](06_scores.ipynb): dot, general, concat, additive and scaled dot, side by
# side.
