# ---
# jupyter:
#   attnlib:
#     needs: multi30k-de-en
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 10b · Inside the translator
#
# *What did the translator learn, and what not?*
#
# **What you will be able to do.** Read a comparison of models with its intervals, tell a rate of
# errors from a count, and test a translator with sentences that no test split contains.
#
# **What you need.** [10](10_translator.ipynb), which trained a translator of German captions. This
# file uses chapter 0's translator: the same architecture, a little narrower, trained on
# translations that three larger translators wrote (**distillation**, 지식 증류, [Kim and Rush
# 2016](D_papers.ipynb#cell-id=kim-2016)).
#
# **Time.** 18 minutes to read, 15 for exercise 10.4; the notebook runs for about half a minute.

# %% id="setup" tags=["setup"]
# set-up
import matplotlib.pyplot as plt
import torch

from attnbook import approx_text, check_range, exercise, predict, progress, read_trainings, reveal
from attnlib import figures

torch.set_num_threads(1)
figures.use_style()

# %% id="first"
from attnlib.data import bundled_directory, load_corpus
from attnlib.translator import Translator

MINE = None  # "my-run": a translator that you saved in 10, instead of the book's

translator = Translator.load(MINE or bundled_directory().parent / "de-en", "cpu")
for sentence in ("Der Mann jagt den Hund.", "Den Mann jagt der Hund."):
    print(f"{sentence:26}{approx_text(translator.translate(sentence).text)}")

# %% [markdown] id="first-read"
# In the first German sentence the man chases the dog, in the second the dog chases the man. The
# articles *der* and *den* show who does it. This translator writes the same for both. Nevertheless
# it scores well:

# %% id="translations"
from attnlib.metrics import bootstrap_interval

corpus = load_corpus("multi30k-de-en")
sources = [pair.src for pair in corpus.test]
references = [pair.tgt for pair in corpus.test]
translated = translator.translate(sources, beam_size=5, single_sentence=True)
best = [translation.text for translation in translated]
whole = bootstrap_interval(best, references, samples=200)
print(f"test split, beam 5: BLEU ≈{whole.score:.1f}")
print(f"95% interval: ≈{whole.low:.0f} to ≈{whole.high:.0f}")

# %% [markdown] id="ways-text"
# ## The ways to attend
#
# Chapter 10 compares attention with none. How much does it matter *how* a model attends? Here are
# the book's ways, with all recorded trainings of each: the preset "quick" with 1,800 updates, and a
# narrower decoder where a way needs more parameters.

# %% id="ways-intervals" tags=["hide-input"]
# computes the intervals
import math
import statistics


def differences(groups, base):
    """Each group's mean minus the mean of the base, with half the width of its 95% interval.

    All groups are taken to vary equally from training to training: their variances are pooled
    into one standard deviation. 2.1 is the factor of Student's t for about 20 degrees of freedom.
    """
    squares, degrees = 0.0, 0
    for scores in groups.values():
        squares += statistics.variance(scores) * (len(scores) - 1)
        degrees += len(scores) - 1
    deviation = math.sqrt(squares / degrees)
    result = {}
    for name, scores in groups.items():
        gap = statistics.mean(scores) - statistics.mean(groups[base])
        half = 2.1 * deviation * math.sqrt(1 / len(scores) + 1 / len(groups[base]))
        result[name] = (gap, half)
    return result


# %% id="ways"
WAYS = {
    "feeding": "Luong, input feeding",
    "dot": "Luong, dot score",
    "general": "Luong, general score",
    "additive": "Luong, additive score",
    "concat": "Luong, concat score",
    "bahdanau": "Bahdanau's decoder",
    "transformer": "Transformer",
    "none": "without attention",
}
trainings = {way: read_trainings("quick", way) for way in WAYS}
gaps = {}
for split in ("valid", "test"):
    bleu = {}
    for way, runs in trainings.items():
        bleu[way] = [run["bleu"][f"{split} beam 5"] for run in runs]
    gaps[split] = differences(bleu, "general")
print("BLEU, beam 5          runs   test   minus general, test   validation")
for way, name in WAYS.items():
    line = f"{name:22} {len(bleu[way]):3} {statistics.mean(bleu[way]):6.1f}"  # of the test split
    if way != "general":
        for split in ("test", "valid"):
            gap, half = gaps[split][way]
            line += f"{gap:+12.1f} ± {half:.1f}"
    print(line)

# %% [markdown] id="ways-read"
# **After 1,800 updates, how a model attends matters less than whether it does.** Removing attention
# costs sixteen points. The scores differ by about one: dot, which has no parameters, is within the
# noise of general, and concat and additive are a little behind. Input feeding (exercise 5.3) is
# ahead on the validation split only, which is no sure gain. Bahdanau's decoder and the Transformer
# (chapter 11) lose more, but that is no verdict on them: the recipe was made for the general score,
# and more than one thing differs. [05b](05b_two_decoders.ipynb) compares the two decoders' orders
# alone.
#
# <details><summary>How sure?</summary>
#
# The ± values are 95% intervals of the difference, from the spread between trainings, not corrected
# for seven comparisons. (Corrected, concat and additive remain behind; the lead of input feeding
# could be chance.) All models have the same number of parameters within 5%. Their losses were still
# falling; more updates were tried only for general and the Transformer. Bahdanau's decoder learns
# at the rates that were chosen for general, the Transformer at the best of four trials. With five
# times the updates and wider models, the Transformer is less far behind
# ([11b](11b_translation.ipynb#cell-id=captions-text)).
#
# </details>

# %% [markdown] id="samples-text"
# ## What does it get wrong?
#
# Here are three test sentences drawn at random, then the three worst by chrF (chapter 9).

# %% id="samples"
import random

from attnlib.metrics import sentence_chrf

quality = [sentence_chrf(a, b) for a, b in zip(best, references)]
numbers = range(len(best))
drawn = random.Random(10).sample(numbers, 3)
worst = sorted(numbers, key=lambda i: quality[i])[:3]
for label, chosen in (("random", drawn), ("worst", worst)):
    for i in chosen:
        print(f"{label}, chrF ≈{quality[i]:.0f}")
        print("   source", approx_text(sources[i], 88, indent=10))
        print("   person", approx_text(references[i], 88, indent=10))
        print("   model ", approx_text(best[i], 88, indent=10))

# %% [markdown] id="worst-read"
# The last two are *fluent*: where the decoder, a language model, does not know the German, it
# invents English. Some "errors" are a person's free choice of words, which a single reference
# cannot show. Six sentences prove little, so we count.

# %% [markdown] id="rare-text"
# ### Rare words, or many words?
#
# For every word or punctuation mark of the references: did the model write it, and how often did
# training show it? Words that training showed fewer than 20 times are missed most often. What
# percentage of *all missed words* are they?

# %% id="predict-rare"
predict("10b.rare", ...)  # a number from 0 to 100

# %% id="rare"
from collections import Counter

from attnlib.metrics import tokenize_13a

BANDS = {"never": 0, "1–4": 1, "5–19": 5, "20–99": 20, "100–999": 100, "1,000 +": 1000}


def words(text):
    """How often each word occurs in a text."""
    return Counter(word.lower() for word in tokenize_13a(text))


def band_of(times):
    """The name of the band of words that training showed so many times."""
    for name, least in BANDS.items():
        if times >= least:
            band = name
    return band


seen = Counter()
for pair in corpus.train:
    seen.update(words(pair.tgt))
in_band, missed = Counter(), Counter()
for reference, output in zip(references, best):
    written = words(output)
    for word, times in words(reference).items():
        band = band_of(seen[word])
        in_band[band] += times
        missed[band] += max(times - written[word], 0)
rate = {band: 100 * missed[band] / in_band[band] for band in BANDS}
rare = missed["never"] + missed["1–4"] + missed["5–19"]
frequent = missed["100–999"] + missed["1,000 +"]
rare_share = 100 * rare / missed.total()
frequent_share = 100 * frequent / missed.total()

# %% id="rare-picture" tags=["hide-input"]
# prints the numbers and draws Figure 1
def draw_missed():
    fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    names = [name.replace(",", "") for name in BANDS]
    left.bar(names, list(rate.values()))
    left.set(title="How often such a word is missed", ylabel="missed (%)", ylim=(0, 103))
    right.bar(names, [missed[band] for band in BANDS], color=figures.PALETTE[1])
    right.set(title="How many words are missed", ylabel="missed words")
    for ax in (left, right):
        ax.set_xlabel("times that training showed the word")
        ax.tick_params(axis="x", labelsize=9)
    fig.suptitle("Figure 1. A rate and a count")
    plt.show()


with reveal("10b.rare", rare_share, within=10):
    print("shown in training    words   missed")
    for band in BANDS:
        print(f"{band:>8} times {in_band[band]:12,}   ≈{missed[band]:4}, ≈{rate[band]:3.0f}%")
    print(f"of all missed words, shown fewer than 20 times:  ≈{rare_share:.0f}%")
    print(f"of all missed words, shown 100 times or more:    ≈{frequent_share:.0f}%")
    draw_missed()

# %% [markdown] id="rare-alt"
# <details><summary>The figure in words</summary>
#
# Two bar charts over six bands: how often training showed a word, from never to 1,000 times and
# more. Left, the share of such words that is missed falls from nearly 100% to 15%. Right, the
# number of missed words rises from band to band, from about 140 to more than 1,100.
#
# </details>

# %% [markdown] id="rare-read"
# <details><summary>What it says</summary>
#
# Both are true: a rare word is missed most often, and **most missed words are frequent**. A word
# that training showed fewer than 20 times is missed more often than found, but such words are few,
# so about a fifth of the missed words are rare. Three fifths were shown 100 times or more. A rate
# shows where the model is weakest, a count shows where most is lost. "Most missed words are rare"
# would read a rate as a count. What *causes* a miss is another question: a rare German word can
# also spoil frequent English words around it, and this count does not see that.
#
# Not all of these are errors. For many words, the person could have chosen another, and the model
# did.
#
# </details>

# %% [markdown] id="case-text"
# ### Who chases whom
#
# Here are 60 pairs like the one at the top, from five nouns and three verbs, and 60 with a relative
# clause (*an A that chases the B*, *an A that the B chases*), a form that occurs in training. In
# each pair, only the two articles are exchanged, and with them the meaning; the **word order**
# (어순) stays the same.

# %% id="case"
import itertools
import re

NOUNS = {
    "Mann": "man",
    "Hund": "dog",
    "Spieler": "player",
    "Vogel": "bird",
    "Arbeiter": "worker",
}
VERBS = ("jagt", "beobachtet", "trägt")  # chases, watches, carries
FORMS = {
    "Der A jagt den B.": "Den A jagt der B.",
    "Ein A, der den B jagt.": "Ein A, den der B jagt.",
}
cases = []
for first, second in itertools.permutations(NOUNS, 2):
    for verb in VERBS:
        cases.append((first, second, verb))


def translate_all(form):
    """The translations of a form with all pairs of nouns and all verbs."""
    built = []
    for first, second, verb in cases:
        built.append(form.replace("A", first, 1).replace("B", second).replace("jagt", verb))
    return [translation.text for translation in translator.translate(built)]


def actor(text):
    """The noun that acts in English: after *by*, or the last one before the verb."""
    by = re.search(r" by (?:the|an?) (\w+)", text)
    if by:
        return by[1]
    parts = re.split(r" (?:chas|watch|carr|wear|hold)", text)  # before and after the verb
    nouns = [word for word in re.findall(r"\w+", parts[0]) if word in NOUNS.values()]
    if len(parts) == 1 or not nouns:  # no verb, or no noun before it
        return None
    return nouns[-1]


same_text, acting = {}, {}
for a_acts, b_acts in FORMS.items():
    differing, a_right, b_right = [], 0, 0
    for case, a_text, b_text in zip(cases, translate_all(a_acts), translate_all(b_acts)):
        first, second, verb = case
        if a_text != b_text:
            differing.append((a_text, b_text))
        if actor(a_text) == NOUNS[first]:
            a_right += 1
        if actor(b_text) == NOUNS[second]:
            b_right += 1
    same_text[a_acts] = len(cases) - len(differing)
    acting[a_acts] = (a_right, b_right)
    print(f"{a_acts}  →  {b_acts}")
    print(f"    same translation, word for word: ≈{same_text[a_acts]} of {len(cases)}")
    print(f"    A acts in German, and in English too: ≈{a_right} of {len(cases)}")
    print(f"    B acts in German, and in English too: ≈{b_right} of {len(cases)}")
    for a_text, b_text in differing[:2]:
        print(f"    different: {approx_text(a_text)} → {approx_text(b_text)}")

# %% id="case-counts"
PATTERNS = {
    "Der … (or Ein …) at the beginning": r"^(Der|Ein) ",
    "Den … (or Einen …) at the beginning": r"^(Den|Einen) ",
    ", der den (or einen) …: the noun before it acts": r", der (den|einen) ",
    ", den der (or ein, er, …) …: it is acted on": r", den (der|die|das|ein|eine|er|sie|es) ",
}
print("training  test  captions with")
for name, pattern in PATTERNS.items():
    in_training = [pair for pair in corpus.train if re.search(pattern, pair.src)]
    in_test = [pair for pair in corpus.test if re.search(pattern, pair.src)]
    print(f"{len(in_training):8,}{len(in_test):6}  {name}")

# %% [markdown] id="case-read"
# In most pairs the translator writes the same English for two opposite sentences, and where B acts
# in German, B almost never does in English. It translates the **word order**, not *der* and *den*.
# In captions that is nearly always right: none begins with *Den* or *Einen*, and relative clauses
# with *den* as object are rare. The test split contains neither, so its score cannot show the gap;
# such pairs can.
#
# <details><summary>How sure?</summary>
#
# One translator, and sentences as simple as these. Who acts is read by a rule, which also accepts
# *a man that the dog is chasing* and *a man being chased by the dog*. It finds A in all
# translations of sentences in which A acts, and where it finds B, the English is garbled. In most
# of the captions' relative clauses with *den* as object, the subject is a pronoun (*den er hält*,
# that he is holding), and the German order is also the English one. With another phrase in front
# (*Im Park jagt den Hund der Mann*) the translator often loses a noun, and then no one can tell who
# acts.
#
# </details>

# %% [markdown] id="where-text"
# ## Where does it look?

# %% [markdown] id="ex-word-attention-text"
# ### Exercise 10.4 · From subwords to words
# *Hard, 15 minutes.* Heat maps of subwords are hard to read: return the weights of *words*, from
# the weights of subwords, `weights` (T, S). `src_words[j]` is the index of the word that source
# subword `j` belongs to (0, 0, 1 means two subwords of word 0, then word 1), and `tgt_words[t]`
# likewise. To look at a word is to look at *any* of its subwords; a target word of several subwords
# looked several times, and counts as the mean of its looks. Every row must still sum to 1.
#
# <details><summary>Hint 1</summary>
#
# One direction adds, the other averages. Which one keeps the rows at a sum of 1?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A loop over the target words and, inside, over the source words is fine: pick
# <code>weights[rows][:, columns]</code>.
#
# </details>
#
# <details><summary>Solution idea</summary>
#
# For target word a and source word b take the block of entries whose row belongs to a and whose
# column belongs to b. One number of subwords divides its sum.
#
# </details>


# %% id="ex-word-attention" tags=["exercise"]
@exercise
def word_attention(weights, src_words, tgt_words):
    """Weights of words from weights of subwords (T, S) → (words, words)."""
    raise NotImplementedError


# %% [markdown] id="word-attention-text"
# ### A map of words
#
# *Ein Straßenmusiker spielt Akkordeon vor einem Schaufenster* means that a street musician plays
# the accordion in front of a shop window. By words, the row of *musician* points to
# *Straßenmusiker*.


# %% id="word-attention"
def words_and_numbers(tokens):
    """The words of a list of tokens, and for each token the index of its word."""
    parts, word_of = [], []
    for token in tokens:
        if not token[0].isalpha():  # a word begins with ▁, or is a mark
            parts.append("")
        parts[-1] += token.strip("▁")
        word_of.append(len(parts) - 1)
    return parts, word_of


look = translator.translate("Ein Straßenmusiker spielt Akkordeon vor einem Schaufenster.")
src_words, src_numbers = words_and_numbers(look.src_tokens)
tgt_words, tgt_numbers = words_and_numbers(look.tgt_tokens)
merged = word_attention(look.weights, src_numbers, tgt_numbers)
print(f"{len(look.src_tokens)} subwords are {len(src_words)} words")

# %% id="word-attention-picture" tags=["hide-input"]
# draws Figure 2
def heat_map(weights, src, tgt, unit, ax):
    """A heat map whose colors end at its own largest weight."""
    figures.attention_heatmap(weights, src, tgt, title=f"{unit.capitalize()}s", ax=ax)
    ax.set(xlabel=f"source {unit} j", ylabel=f"target {unit} t")
    ax.collections[0].set_clim(0, float(weights.max()))
    ax.collections[0].colorbar.set_label("attention weight, up to the largest here")


fig, axes = plt.subplots(2, 1, figsize=(9, 9.5), height_ratios=(1.25, 1))
heat_map(look.weights, look.src_tokens, look.tgt_tokens, "subword", axes[0])
heat_map(merged, src_words, tgt_words, "word", axes[1])
fig.suptitle("Figure 2. One look, by subwords and by words")
plt.show()

# %% [markdown] id="word-attention-alt"
# <details><summary>The figure in words</summary>
#
# Two heat maps of the same sentence. Above, by subwords: the parts of the compounds have a column
# each. Below, by words: one column for each German word; the row of *musician*, pale above, has one
# cell that is darker than the rest. The rows of the first *a*, of *of* and of the end token are
# darkest at the end token.
#
# </details>

# %% [markdown] id="alignment-text"
# ### Is that alignment?
#
# [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) found a German–English system whose
# attention was off by one word throughout while its translations were good. Multi30k has no gold
# alignment, but where *Hund* is in the source and *dog* in the output, each once, the partner is
# clear. How often is the largest weight on the partner, in the row of the word, in the row before
# and in the row after? Captions are often translated in order, so the strongest baseline knows no
# words: the **diagonal**, the source position at the same relative place in the sentence.

# %% id="alignment"
PARTNERS = {"Mann": "man", "Männer": "men", "Frau": "woman", "Frauen": "women", "Kind": "child"}
PARTNERS |= {"Kinder": "children", "Junge": "boy", "Mädchen": "girl", "Hund": "dog"}
PARTNERS |= {"Wasser": "water", "Straße": "street", "Gitarre": "guitar"}
PARTNERS |= {"zwei": "two", "drei": "three"}
rows_right = []  # of each pair: is the guess in the diagonal, or in one of three rows, right?
for translation in translated:
    src = [token.strip("▁") for token in translation.src_tokens]
    tgt = [token.strip("▁") for token in translation.tgt_tokens]
    largest = translation.weights.argmax(1).tolist()  # where each row has its largest weight
    for source_word, target_word in PARTNERS.items():
        if src.count(source_word) == 1 and tgt.count(target_word) == 1:
            partner, row = src.index(source_word), tgt.index(target_word)
            diagonal = round(row * (len(src) - 1) / (len(tgt) - 1))
            before = largest[max(row - 1, 0)]
            after = largest[min(row + 1, len(tgt) - 1)]
            guesses = (diagonal, before, largest[row], after)
            rows_right.append([guess == partner for guess in guesses])
right = torch.tensor(rows_right).double()
crossed = right[right[:, 0] == 0]  # where the diagonal is wrong
percent = (100 * right.mean(0)).tolist()
percent.append(100 * crossed[:, 2].mean().item())
names = ("the diagonal", "the row before", "its own row", "the row after")
for name, value in zip(names, percent):
    print(f"{name:15} ≈{value:3.0f}% of ≈{len(right)} pairs")
print(f"its own row, where the diagonal is wrong: ≈{percent[4]:.0f}% of ≈{len(crossed)} pairs")

# %% [markdown] id="alignment-read"
# For these words, the attention of this model is mostly alignment, without a shift, although
# training did not require it. The diagonal is right for more than three quarters of the pairs, so
# the share for its own row proves little. But where the diagonal is wrong, the largest weight is
# nearly always on the partner: it finds the word, not the place. These are frequent nouns and
# numbers, the easiest case, in one training. [Chapter 5](05_attention.ipynb#cell-id=aer-read)
# measures every word against gold alignments, and [05c](05c_explanation.ipynb) finds models that
# translate equally well and align clearly worse.

# %% [markdown] id="progress-text"
# ## Your exercises

# %% id="progress"
progress()

# %% [markdown] id="end"
# ## What you now know
#
# - After 1,800 updates, how a model attends matters less than whether it does.
# - Rare words are missed most often, but most missed words are frequent: a rate is not a count.
# - This translator follows the word order, not the articles *der* and *den*. Pairs built for the
#   question show that; the test split cannot.
# - For frequent nouns and numbers, its largest weight is mostly on the word that they translate.
#
# <details><summary>Papers</summary>
#
# [Bahdanau, Cho and Bengio 2015](D_papers.ipynb#cell-id=bahdanau-2015) (attention); [Luong, Pham
# and Manning 2015](D_papers.ipynb#cell-id=luong-2015) (scores, input feeding); [Kim and Rush
# 2016](D_papers.ipynb#cell-id=kim-2016) (distillation); [Koehn and Knowles
# 2017](D_papers.ipynb#cell-id=koehn-2017) (attention against alignment).
#
# </details>
#
# **Next.** [Chapter 11](11_transformer.ipynb): the same attention without recurrence.

# %% id="checks" tags=["check"]
# checks what the text says, section by section
# The translations
if MINE is None:
    pair = ("Der Mann jagt den Hund.", "Den Mann jagt der Hund.")
    assert len({translator.translate(sentence).text for sentence in pair}) == 1
    check_range(whole.score, 43.0, 43.5)
    check_range(whole.low, 40, 43)
    check_range(whole.high, 43.5, 46)

# The ways to attend
sizes = {way: {run.get("parameters") for run in trainings[way]} - {None} for way in WAYS}
(of_general,) = sizes["general"]
assert all(abs(size / of_general - 1) < 0.05 for found in sizes.values() for size in found)
for found in gaps.values():
    assert all(sum(found[way]) < 0 for way in ("concat", "additive", "bahdanau", "transformer"))
    assert found["none"][0] < 2 * found["transformer"][0]
    assert abs(found["dot"][0]) < found["dot"][1]
    assert found["none"][0] < 10 * found["concat"][0]
assert gaps["test"]["feeding"][0] < gaps["test"]["feeding"][1]

# Who chases whom
if MINE is None:
    for form in FORMS:
        check_range(same_text[form], 35, 60)
        check_range(acting[form][0], 54, 60)
        check_range(acting[form][1], 0, 8)

# A map of words
assert (merged.sum(1) - 1).abs().max() < 1e-3

# Is that alignment?
if MINE is None:
    for value, low, high in zip(percent, (72, 4, 83, 0, 88), (84, 14, 91, 4, 99)):
        check_range(value, low, high)

# Rare words
if MINE is None:
    rates = list(rate.values())
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 90 and rates[2] > 50 and rates[-1] < 20
    check_range(rare_share, 18, 26)
    check_range(frequent_share, 57, 66)
