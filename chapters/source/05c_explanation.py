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
# *Does a heat map show why a translator wrote a word?*
#
# **What you will be able to do.** Put a heat map to four tests, search for other weights that give
# the same word, and say what a strong cell proves.
#
# **What you need.** [Chapter 5](05_attention.ipynb): attention in a translator from Korean to
# English, heat maps and the alignment error rate (AER). The translator is loaded here, already
# trained, so every reader sees the same maps.
#
# **Time.** 26 minutes to read, 15 for exercise 5.8; the notebook runs in about 15 seconds.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F
from attnbook import check_range, exercise, predict, progress, read_record, reveal
from attnlib import figures

torch.set_num_threads(1)
figures.use_style()

# %% id="map" tags=["hide-input"]
# loads a trained translator, and draws Figure 1
from attnlib.data import bundled_directory, load_corpus, make_batch
from attnlib.translator import Translator

translator = Translator.load(bundled_directory().parent / "ko-en-easy-attention", "cpu")
korean, english = translator.src_vocabulary, translator.tgt_vocabulary
attentive = translator.model.eval().requires_grad_(False)
corpus = load_corpus("ko-en-easy")


def forced(pair):
    """α (T, S) while the model reads the reference, without the end token."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    batch = make_batch([src], [tgt])
    return attentive(batch.src, batch.src_mask, batch.tgt_in)[1][0, : len(tgt), : len(src)]


example = next(p for p in corpus.test if len(korean.encode(p.src)) == 9)
gloss = ["Minsu", "(topic)", "school", "at", "tree", "(object)", "drew", "(polite)", "."]
tokens = [token.removeprefix("##") for token in korean.tokenize(example.src)]
labels = [f"{token}\n{meaning}" for token, meaning in zip(tokens, gloss)]
labels[-1] = "."
fig, ax = plt.subplots(figsize=(8, 4))
figures.attention_heatmap(
    forced(example),
    labels,
    english.tokenize(example.tgt),
    gold=example.links,
    title="Figure 1. Attention, and the gold links",
    ax=ax,
)
plt.show()

# %% [markdown] id="map-alt"
# <details><summary>The figure in words</summary>
#
# Heat map of seven English words by nine Korean tokens, each with its meaning. In the rows of
# Minsu, drew, tree, at and school the strongest cell lies on the sure gold link; in the row of "at"
# this is the particle 에서. The row of "a" is shared between the noun and its particle.
#
# </details>

# %% [markdown] id="same-but-text"
# Figure 1 looks like a dictionary: *tree* looks at 나무, *school* at 학교. Does that show *why* the
# translator wrote these words? An explanation can be two things ([Jacovi and Goldberg
# 2020](D_papers.ipynb#cell-id=jacovi-2020)). It is **plausible** (그럴듯한) if it convinces people,
# and **faithful** (충실한) if it shows what the network computed. Test 1 asks whether good
# translations need plausible maps; the other three ask how faithful a map is, a question of
# **interpretability** (해석 가능성).

# %% [markdown] id="alignment-text"
# ## 1. Do good translators have good maps?
#
# If a good translation needed a plausible map, the best translators should have the best maps. Here
# are three kinds of translator, and two programs that only align words, by counting ([chapter
# 5](05_attention.ipynb#cell-id=baselines-text)). *New* is BLEU on new combinations of known words.

# %% id="alignment-numbers"
runs = read_record("05_attention")["runs"]
print("recorded, three trainings each       new BLEU          AER")
translators = {
    "Luong, dot score": "luong",
    "Luong, additive score": "additive",
    "Bahdanau": "bahdanau",
}
for name, variant in translators.items():
    three = [run for run in runs if run["variant"] == variant]
    bleu = [run["others"]["test_composition"]["bleu"] for run in three]
    error = [run["aer"] for run in three]
    print(f"{name:34} {min(bleu):5.1f}–{max(bleu):.1f}    {min(error):.2f}–{max(error):.2f}")
counted = [run for run in read_record("05_alignments")["runs"] if run["corpus"] == "ko-en-easy"]
for name, variant in (("HMM alignment", "hmm"), ("IBM Model 1", "ibm1")):
    (run,) = [run for run in counted if run["variant"] == variant]
    print(f"{name:34}     none         {run['aer']:.2f}")

# %% [markdown] id="alignment-read"
# The best translator here also has the best maps. But Bahdanau's decoder translates as well as
# Luong's with the additive score, and its maps have about twice the errors, no fewer than IBM Model
# 1: a translator can be as good with a worse map. (These two also differ in width, output layer and
# learning rate, which was chosen only for Bahdanau's.)
#
# [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) saw a German–English system with
# good translations in which every point of the map was off by one. [Ghader and Monz
# (2017)](D_papers.ipynb#cell-id=ghader-2017) found that attention sometimes captures something
# other than an alignment that is also useful. How can a translator look *next to* the right word?

# %% [markdown] id="neighbours-text"
# ## 2. What is in the state that it looks at?
#
# Replace one source word and see which encoder states change, in the trained encoder and in one
# with random weights.

# %% id="neighbours"
from attnlib.data import pad
from attnlib.model import make_seq2seq

encoded = [korean.encode(pair.src) for pair in corpus.test]
twenty = [ids for ids in encoded if len(ids) == 20]
original, all_real = pad(twenty)
touched = original.clone()
touched[:, 10] = korean.encode("바나나")[0]  # banana
replaced = original[:, 10] != touched[:, 10]  # all sentences without a banana there
torch.manual_seed(1)
fresh = make_seq2seq(len(korean), len(english)).eval().requires_grad_(False)
change = {}
for name, model in (("trained", attentive), ("untrained", fresh)):
    before, _ = model.encoder(original, all_real)
    after, _ = model.encoder(touched, all_real)
    each = (before - after).norm(dim=-1) / before.norm(dim=-1)  # (sentences, 20)
    change[name] = each[replaced].mean(0)
print("token 11 is replaced: change of a state, as a share of that of token 11")
print("  token         5     10     12     20")
for name, line in change.items():
    shares = line / line[10]
    print(f"  {name:9}" + "".join(f"{shares[j - 1]:7.0%}" for j in (5, 10, 12, 20)))

# %% id="neighbours-figure" tags=["hide-input"]
# draws Figure 2
fig, ax = plt.subplots(figsize=(7.5, 3.4))
places = range(1, 21)
ax.bar(places, change["trained"], color=figures.PALETTE[0], label="trained")
ax.bar(11, change["trained"][10], color=figures.PALETTE[1], hatch="//")
look = {"color": "black", "markersize": 4, "label": "untrained"}
ax.plot(places, change["untrained"], "o--", **look)
ax.set_title("Figure 2. Token 11 is replaced: how much does each state change?")
ax.set(xlabel="source position j (tokens)", ylabel="change (1 = the state's length)")
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
# "Looks at word 11" means "takes the state at position 11", and this state is a mixture of the word
# at its place and of what the encoder has read on its way there from both sides. So a weight of 1
# on position 10 also brings some of word 11. A recurrent encoder mixes before any training (the
# dashed line); the trained one mixes relatively less into the token after it and more into distant
# ones.

# %% [markdown] id="norm-text"
# What is *added up* is $\alpha_{tj} h_j$, and 0.9 of a short vector can be less than 0.1 of a long
# one. So [Kobayashi et al. (2020)](D_papers.ipynb#cell-id=kobayashi-2020) measure the length of
# what is added. In this translator that changes the leading word in almost no row, so we stay with
# the weights.

# %% [markdown] id="cause-text"
# ## 3. Does a high weight mean that the word mattered?
#
# Replace source word $j$ with the unknown word `<unk>` and measure how far $\log p(y_t)$ falls;
# call this the *effect* of the word. The rows are the English words with a sure gold link in 60
# sentences of at most ten tokens. In what percentage of them is the source word with the largest
# weight also the word with the largest effect?

# %% id="predict-cause"
predict("05c.cause", ...)

# %% id="rows" tags=["hide-input"]
# collects what the decoder has at each English word with a sure gold link
some = [p for p in corpus.test if len(korean.encode(p.src)) <= 10][:60]
linked = []  # one pair (n, t) for each: word t of sentence n
for n, pair in enumerate(some):
    for t in sorted({t for _, t in pair.links.sure}):
        linked.append((n, t))
sources = [korean.encode(pair.src) for pair in some]
targets = [english.encode(pair.tgt) for pair in some]
batch = make_batch(sources, targets)
memory = attentive.encode(batch.src, batch.src_mask)
decoder = attentive.decoder
read = decoder.embed(batch.tgt_in).unsqueeze(1)
every_s = decoder.run(read, decoder.start(memory))[0].squeeze(1)
_, every_weight = decoder.attend(every_s, memory)
# of these, R rows, one for each linked word
sentence, place = torch.tensor(linked).T
states = memory.states[sentence]  # (R, S, H)
real = batch.src_mask[sentence]  # (R, S)
s_t = every_s[sentence, place]  # (R, H)
weights = every_weight[sentence, place]  # (R, S)


# %% id="cause"
from attnlib.data import UNK


def effects(pair, replacement):
    """How much log p(y_t) falls (T, S) when source token j is replaced."""
    src, tgt = korean.encode(pair.src), english.encode(pair.tgt)
    damaged = [src[:j] + [replacement()] + src[j + 1 :] for j in range(len(src))]
    batch = make_batch([src, *damaged], [tgt] * (len(src) + 1))
    logits, _ = attentive(batch.src, batch.src_mask, batch.tgt_in)
    log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
    fall = log_p[0] - log_p[1:]  # (S, T + 1), with the end token
    return fall[:, : len(tgt)].T


def unknown():
    return UNK


def any_word():
    return int(torch.randint(4, len(korean), ()))  # the first four are special


# %% id="cause-compare"
maps = [forced(pair) for pair in some]
effect = [effects(pair, unknown) for pair in some]
torch.manual_seed(0)
of_any_word = []
for _ in range(5):
    of_any_word.append([effects(pair, any_word) for pair in some])
# of row t in sentence n: the heaviest source word, and those with a sure gold link
heaviest, gold = {}, {}
for n, t in linked:
    heaviest[n, t] = {int(maps[n][t].argmax())}
    gold[n, t] = {j for j, end in some[n].links.sure if end == t}


def agreement(chosen, found, rows=linked):
    """In what share of the rows the word with the largest effect is a chosen one."""
    agreed = 0
    for n, t in rows:
        agreed += int(found[n][t].argmax()) in chosen[n, t]
    return agreed / len(rows)


def of_draws(chosen):
    """The mean agreement of the five draws."""
    return sum(agreement(chosen, draw) for draw in of_any_word) / 5


# %% id="cause-figure" tags=["hide-input"]
# draws Figure 3
def draw_effects():
    """What replacing a word does, by the weight that it had."""
    weight = torch.cat([cells.flatten() for cells in maps])
    fall = torch.cat([cells.flatten() for cells in effect])
    edges = (0, 0.01, 0.1, 0.5, 0.9, 1.01)
    bands = [fall[(weight >= a) & (weight < b)] for a, b in zip(edges, edges[1:])]
    fig, ax = plt.subplots(figsize=(8, 4))
    boxes = ax.boxplot(bands, showfliers=False, patch_artist=True, whis=(5, 95))
    for box in boxes["boxes"]:
        box.set_facecolor(figures.PALETTE[0])
        box.set_alpha(0.5)
    names = [
        f"{low:g}–{min(high, 1):g}\nn = {len(b):,}" for low, high, b in zip(edges, edges[1:], bands)
    ]
    ax.set_xticks(range(1, len(names) + 1), names)
    ax.axhline(0, color="#444444", linewidth=1)
    ax.set_title("Figure 3. Weight and effect: median, middle half and middle 90% of the cells")
    ax.set_xlabel("weight of the cell (0 to 1)")
    ax.set_ylabel("fall of log p, word replaced (nats)")
    plt.show()


# %% id="cause-numbers"
apart = [row for row in linked if not heaviest[row] & gold[row]]
chance = sum(1 / maps[n].shape[1] for n, _ in linked) / len(linked)
recorded = read_record("05_explanation")["runs"]
with reveal("05c.cause", 100 * agreement(heaviest, effect), within=8):
    print("in what share of the rows does this word have the largest effect?")
    print(f"  the heaviest word, <unk> in its place      {agreement(heaviest, effect):.0%}")
    print(f"  a gold link, <unk> in its place            {agreement(gold, effect):.0%}")
    print(f"  the heaviest word, any word in its place  ≈{of_draws(heaviest):.0%}")
    print(f"  a gold link, any word in its place        ≈{of_draws(gold):.0%}")
    print(f"  a word chosen by chance                    {chance:.0%}")
    by_weight = round(len(apart) * agreement(heaviest, effect, apart))
    by_link = round(len(apart) * agreement(gold, effect, apart))
    print(f"heaviest word and gold link differ in {len(apart)} of {len(linked)} rows; in these the")
    print(f"  largest effect is the word's {by_weight} times, the link's {by_link} times")
    for size in ("4-10", "21-30"):
        seeds = " ".join(f"{run[size]['replaced']['agree']:.0%}" for run in recorded)
        by_chance = recorded[0][size]["replaced"]["by chance"]
        print(f"recorded, {size} tokens, heaviest word: {seeds} (chance {by_chance:.0%})")
    draw_effects()

# %% [markdown] id="cause-alt"
# <details><summary>The figure in words</summary>
#
# Five boxes of effects, one per range of weights, with the number of cells under each. Up to a
# weight of 0.9 all boxes are flat at an effect of 0; only the last of these has a long whisker, up
# to about 1.5 nats. From 0.9 onward the median is above two nats, half of the cells are between
# about 0.7 and 4.4, and the lower whisker reaches nearly down to 0.
#
# </details>

# %% [markdown] id="cause-break-text"
# <details><summary>What it says</summary>
#
# In short sentences the source word with the largest weight is nearly always the word whose
# replacement hurts most, in longer ones usually. `<unk>` never occurs in training, so part of its
# effect can come from an unfamiliar vector. With random Korean words instead, the two still agree
# in about six of seven rows.
#
# But a *dictionary* does nearly as well. The gold links know nothing of this network. They point at
# the largest effect a little less often than its weights do, and equally often if random words
# replace `<unk>`. Map and dictionary differ in a few rows only, too few to say which of them is
# right there (by a sign test, two-sided $p \approx 0.1$). On sentences as simple as these, the test
# barely separates faithful from plausible.
#
# Figure 3 shows that it is nearly all or nothing: effects appear mostly where the weight is close
# to 1.
#
# </details>

# %% [markdown] id="idle-text"
# ### Large weights without an effect
#
# Some effects are 0 even where the weight is close to 1. For which words? We count effects below
# 0.1 **nats** (the unit of a natural logarithm; 0.1 less makes a probability a tenth smaller).

# %% id="cause-break"
groups = ("words with a gold link", "articles", "periods and the rest")
heavy = dict.fromkeys(groups, 0)  # weights above 0.5
idle = dict.fromkeys(groups, 0)  # those of them that have hardly an effect
for n, pair in enumerate(some):
    for t, token in enumerate(english.tokenize(pair.tgt)):
        if (n, t) in gold:
            group = "words with a gold link"
        elif token in ("a", "an", "the"):
            group = "articles"
        else:
            group = "periods and the rest"
        j = int(maps[n][t].argmax())
        if maps[n][t, j] > 0.5:
            heavy[group] += 1
            idle[group] += int(effect[n][t, j] < 0.1)
print("how many of the weights above 0.5 have an effect below 0.1 nats:")
for group in groups:
    print(f"  {group:24} {idle[group]:3} of {heavy[group]:3}")

# %% [markdown] id="cause-read"
# Most of the last group, nearly half of the articles and some words with a gold link have almost no
# effect. A row *must* sum to 1, so it puts its weight somewhere even where the decoder can predict
# the word from its own state. A strong cell alone does not show that the word mattered.

# %% [markdown] id="shuffle-text"
# ## 4. What if the weights were different?
#
# The opposite test (after [Jain and Wallace 2019](D_papers.ipynb#cell-id=jain-2019)) keeps the
# words and shuffles the *weights* of each row, or makes them all equal. In their text classifiers
# the answer often stayed the same: so, they argue, the weights do not explain it. A shuffle can
# leave the largest weight, the **peak**, where it was; so we draw 20 orders and look at the rows
# whose peak *moved*. In what percentage of them does the most probable word stay the same?

# %% id="predict-shuffle"
predict("05c.shuffle", ...)


# %% id="shuffle"
def predicted(weights, states=states):
    """The logits (R, V) of the rows with these weights (R, S)."""
    context = (weights.unsqueeze(1) @ states).squeeze(1)
    s_tilde = torch.tanh(attentive.decoder.combine(torch.cat([context, s_t], dim=-1)))
    return attentive.output(s_tilde)


word = predicted(weights).argmax(-1)


def stays(weights, states=states):
    return predicted(weights, states).argmax(-1) == word


# %% id="shuffle-numbers"
lots = torch.Generator().manual_seed(0)
stay = {"moved": [], "where it was": []}
for _ in range(20):
    # a random order of the real positions; padding gets 2 and stays at the end
    drawn = torch.rand(weights.shape, generator=lots).masked_fill(~real, 2.0)
    shuffled = weights.gather(1, drawn.argsort(-1))
    moved = shuffled.argmax(-1) != weights.argmax(-1)
    stay["moved"].append(stays(shuffled)[moved])
    stay["where it was"].append(stays(shuffled)[~moved])
equal = real / real.sum(-1, keepdim=True)
with reveal("05c.shuffle", 100 * torch.cat(stay["moved"]).double().mean(), within=10):
    for name, same in stay.items():
        rows = torch.cat(same).double()
        print(f"shuffled, peak {name:14}: {rows.mean():4.0%} of {len(rows):,} words stay")
    print(f"all weights equal:                {stays(equal).double().mean():4.0%} of {len(word)}")
    print(f"no context at all:                {stays(0 * weights).double().mean():4.0%}")
    for size in ("4-10", "21-30"):
        seeds = " ".join(f"{run[size]['other weights']['shuffled']:.0%}" for run in recorded)
        print(f"recorded, {size} tokens, three trainings, peak moved: {seeds}")

# %% [markdown] id="shuffle-read"
# <details><summary>What it says</summary>
#
# Where the peak moved, three words in ten stay in these short sentences; where the shuffle left the
# peak in place, nearly all do. With no context at all, when the decoder has only its own state, it
# is three in ten as well, but these need not be the same words: a wrong context can also push away
# a word that the state alone would write. With equal weights, more than half stay.
#
# A text classifier reads one vector, a mixture of states that can each contain the whole text. A
# translator needs a different word at every step.
#
# </details>

# %% [markdown] id="search-text"
# ### Weights that give the same word
#
# A shuffle puts the peak on a *random* wrong state. Four questions are fairer:
#
# - What if only the peak is erased and the rest scaled up ([Serrano and Smith
#   2019](D_papers.ipynb#cell-id=serrano-2019))?
# - Is all the weight on *one other* position enough?
# - Are there *any* weights, with exactly 0 where the peak was, that give the same word, as in Jain
#   and Wallace's search?
# - What would that prove? Let the same search mix the states of *another sentence*, whose
#   translation does not contain the word.

# %% [markdown] id="ex-search-weights-text"
# ### Exercise 5.8 · Search for weights
# *Hard, 15 minutes.* Search weights for R words at once. `logits_of(weights)` returns logits (R, V)
# for weights (R, S), `word` (R,) contains the IDs of the words, and `allowed` (R, S) is a boolean
# mask. The weights are the softmax of scores (R, S), with the scores of positions that are not
# allowed set to −∞. Begin with scores of 0, make `steps` steps of `torch.optim.Adam` with learning
# rate `rate` on the cross-entropy of `word`, summed over the rows, and return the weights (R, S)
# after the last step, detached.
#
# <details><summary>Hint 1</summary>
#
# What is trained here is not a network. Which tensor must require a gradient?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# `torch.optim.Adam([scores], lr=rate)`; then each step is as in any training loop. Every step
# computes the softmax again.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# scores → `masked_fill(~allowed, -torch.inf)` → softmax → `logits_of` →
# `F.cross_entropy(..., reduction="sum")` → `zero_grad`, `backward`, `step`. After the loop, the
# softmax once more.
#
# </details>


# %% id="ex-search-weights" tags=["exercise"]
@exercise
def search_weights(logits_of, word, allowed, steps, rate):
    """Weights (R, S), 0 where not allowed, searched so that logits_of(weights) prefers word."""
    raise NotImplementedError


# %% [markdown] id="search-table-text"
# ### What the search finds

# %% id="strangers" tags=["hide-input"]
# finds for every row a sentence whose translation lacks the word
texts = [set(ids) for ids in targets]
strangers = []
for (n, _), wanted in zip(linked, word.tolist()):
    m = (n + 1) % len(some)
    while wanted in texts[m]:
        m = (m + 1) % len(some)
    strangers.append(m)
theirs = memory.states[strangers]
their_real = batch.src_mask[strangers]

# %% id="search"
def one_position(allowed, states):
    """Which words stay with all the weight on some one of the allowed positions, (R,)."""
    kept_word = torch.zeros(len(word)).bool()
    for j in range(allowed.shape[1]):
        all_on_j = torch.zeros(allowed.shape)
        all_on_j[:, j] = 1
        kept_word |= allowed[:, j] & stays(all_on_j, states)
    return kept_word


peak = F.one_hot(weights.argmax(-1), weights.shape[1]).bool()
allowed = real & ~peak
rest = weights.masked_fill(peak, 0)
found = search_weights(predicted, word, allowed, steps=100, rate=0.3)
elsewhere = search_weights(lambda x: predicted(x, theirs), word, their_real, steps=100, rate=0.3)
kept = {
    "peak erased": stays(rest / rest.sum(-1, keepdim=True)),
    "one other position": one_position(allowed, states),
    "searched": stays(found) | one_position(allowed, states),
    "in another sentence": stays(elsewhere, theirs) | one_position(their_real, theirs),
}

# %% id="search-numbers"
print("words that stay          here     recorded, three trainings")
print("                                  4–10 tokens   21–30 tokens")
for name, same in kept.items():
    line = f"{name:25}≈{same.double().mean():.0%}"
    for size in ("4-10", "21-30"):
        three = [run[size]["other weights"][name] for run in recorded]
        line += f"{min(three):10.0%}–{max(three):.0%}"
    print(line)

# %% [markdown] id="search-read"
# (The last two rows also count words that one position alone gives.) Without the peak most words
# stay, probably because the neighbors' states contain some of the word too (test 2). Other weights
# that give the same word exist for most rows, in longer sentences for nearly all, so Jain and
# Wallace's point applies here. But the last row shows how little that proves: in sentences of 21 to
# 30 tokens the search finds the word in most cases even among the states of a sentence *without*
# it. (The decoder's own state, which is kept, narrows the choice to words that fit.) [Wiegreffe and
# Pinter (2019)](D_papers.ipynb#cell-id=wiegreffe-2019) object: weights that a search can find are
# not weights that the model would choose.
#
# <details><summary>How sure?</summary>
#
# Test 2, the dictionary of test 3 and the column *here* are of one model (that of Figure 1,
# seed 1), on a small corpus that a grammar wrote, with one layer of attention. The recorded parts
# have three trainings. A search by gradient descent can miss weights that exist, so the last two
# rows are lower bounds.
#
# </details>

# %% [markdown] id="literature"
# ## What others found
#
# - [Jain and Wallace (2019)](D_papers.ipynb#cell-id=jain-2019), *Attention is not explanation*: do
#   different weights change the answer of a text classifier? Often not.
# - [Serrano and Smith (2019)](D_papers.ipynb#cell-id=serrano-2019), *Is attention interpretable?*:
#   how many of the largest weights must be erased until the decision changes? Often many; ranked by
#   gradients, fewer.
# - [Wiegreffe and Pinter (2019)](D_papers.ipynb#cell-id=wiegreffe-2019), *Attention is not not
#   explanation*: that depends on what you call an explanation. They propose four tests, one of them
#   equal weights.
# - [Vashishth et al. (2019)](D_papers.ipynb#cell-id=vashishth-2019): changed weights cost a
#   classifier of one text little, and a translator, or a model that compares two texts, much.
# - [Ding et al. (2019)](D_papers.ipynb#cell-id=ding-2019): saliency (the size of a gradient at the
#   input) shows the alignments of translators better than attention weights do.
# - [Bastings and Filippova (2020)](D_papers.ipynb#cell-id=bastings-2020): if you want to know which
#   input words mattered, use a saliency method. Attention weighs states, not inputs (test 2).
# - [Bibal et al. (2022)](D_papers.ipynb#cell-id=bibal-2022) survey the whole debate.
#
# They disagree less than their titles suggest. A heat map is often plausible; how faithful it is
# must be tested for the model and task at hand.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - Translators that are equally good can have quite different maps.
# - A weight points at a state, and a state is a mixture of words.
# - The word with the largest weight is usually the word that mattered; a dictionary points at it
#   nearly as often. Articles and periods can have large weights without an effect.
# - Move the peak, and most words change; erase it, and most stay. Different weights that give the
#   same word can be found by search, but often in an unrelated sentence as well.
# - A heat map is a hypothesis to be tested.
#
# **Left out.** Maps of real text (chapter 10); several layers and heads (chapter 11).
#
# <details><summary>Papers</summary>
#
# [Koehn and Knowles 2017](D_papers.ipynb#cell-id=koehn-2017); [Ghader and Monz
# 2017](D_papers.ipynb#cell-id=ghader-2017); [Jain and Wallace
# 2019](D_papers.ipynb#cell-id=jain-2019); [Serrano and Smith
# 2019](D_papers.ipynb#cell-id=serrano-2019); [Wiegreffe and Pinter
# 2019](D_papers.ipynb#cell-id=wiegreffe-2019); [Vashishth et al.
# 2019](D_papers.ipynb#cell-id=vashishth-2019); [Ding, Xu and Koehn
# 2019](D_papers.ipynb#cell-id=ding-2019); [Jacovi and Goldberg
# 2020](D_papers.ipynb#cell-id=jacovi-2020); [Kobayashi et al.
# 2020](D_papers.ipynb#cell-id=kobayashi-2020); [Bastings and Filippova
# 2020](D_papers.ipynb#cell-id=bastings-2020); [Bibal et al.
# 2022](D_papers.ipynb#cell-id=bibal-2022).
#
# </details>
#
# **Next.** [Chapter 6](06_scores.ipynb): dot, general, concat, additive and scaled dot, side by
# side.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# What is in the state that it looks at?
W_context = attentive.decoder.combine.weight[:, : states.shape[-1]]  # left half of W_c
added = weights * (states @ W_context.T).norm(dim=-1)  # ‖W_c α_tj h_j‖ for each row t
check_range((added.argmax(-1) == weights.argmax(-1)).double().mean(), 0.97, 1)

# Large weights without an effect
check_range(agreement(heaviest, effect), 0.9, 1)
check_range(agreement(gold, effect), 0.88, 1)
for chosen in (heaviest, gold):
    check_range(sum(agreement(chosen, e) for e in of_any_word) / 5, 0.75, 0.92)
check_range(len(apart), 10, 30)
check_range(idle["words with a gold link"] / heavy["words with a gold link"], 0, 0.25)
check_range(idle["periods and the rest"] / heavy["periods and the rest"], 0.5, 1)

# What the search finds
share = {name: float(same.double().mean()) for name, same in kept.items()}
check_range(share["peak erased"], 0.5, 0.85)
check_range(share["searched"], 0.75, 1)
check_range(share["in another sentence"], 0.3, 0.7)
longer = {row: [run["21-30"]["other weights"][row] for run in recorded] for row in kept}
assert min(longer["searched"]) > 0.9 and min(longer["in another sentence"]) > 0.8

# What if the weights were different?
check_range(torch.cat(stay["moved"]).double().mean(), 0.1, 0.45)
check_range(torch.cat(stay["where it was"]).double().mean(), 0.9, 1)
check_range(stays(equal).double().mean(), 0.5, 0.85)
check_range(stays(0 * weights).double().mean(), 0.15, 0.45)
