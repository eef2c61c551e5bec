"""BLEU and chrF against sacreBLEU, hand counts and closed forms."""

import itertools
import math
import subprocess
import sys

import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

from attnlib.metrics import (
    Settings,
    approximate_randomization,
    bootstrap_interval,
    brevity_penalty,
    corpus_bleu,
    corpus_chrf,
    ngram_counts,
    overlap,
    paired_bootstrap,
    sentence_bleu,
    sentence_chrf,
    tokenize_13a,
)
from attnlib.metrics.tokenizers import split_mark

REFERENCE = "the cat sat on the mat"
WORDS = """the The cat sat on mat a , . ! 1,000.5 3-4 -5 well-known don't (so) &quot; &amp; U.S.
나는 학교에 갔습니다. 갔다 고양이 … İ ß 日本 e\u0301 <skipped> "quoted" [x] a.b x,y 5. .5"""
words = st.sampled_from(WORDS.split())
sentences = st.lists(words, max_size=9).map(" ".join)
noise = st.text(max_size=20)
texts = st.one_of(sentences, sentences, noise)
corpora = st.integers(1, 3).flatmap(  # several sentences with the same number of references
    lambda refs: st.lists(
        st.tuples(texts, st.lists(texts, min_size=refs, max_size=refs)), min_size=1, max_size=5
    )
)


def split(corpus):
    hypotheses, references = (list(side) for side in zip(*corpus))
    return hypotheses, references, [list(stream) for stream in zip(*references)]


@settings(max_examples=300, deadline=None)
@given(
    corpora,
    st.sampled_from(["13a", "none", "char"]),
    st.sampled_from(
        [
            ("none", None),
            ("exp", None),
            ("floor", None),
            ("floor", 0.3),
            ("add-k", None),
            ("add-k", 2),
        ]
    ),
    st.booleans(),
    st.booleans(),
)
def test_bleu_is_sacrebleus(corpus, tokenize, smoothing, lowercase, effective_order):
    hypotheses, references, streams = split(corpus)
    method, value = smoothing
    oracle = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=method,
        smooth_value=value,
        effective_order=effective_order,
    )
    theirs = oracle.corpus_score(hypotheses, streams)
    ours = corpus_bleu(
        hypotheses,
        references,
        tokenize=tokenize,
        smoothing=method,
        smoothing_value=value,
        lowercase=lowercase,
        effective_order=effective_order,
    )
    assert ours.score == pytest.approx(theirs.score, abs=1e-6)
    assert ours.precisions == pytest.approx(theirs.precisions, abs=1e-6)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-9)
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    if method != "add-k":  # sacreBLEU adds k to the counts it shows
        assert [*ours.counts, *ours.totals] == [*theirs.counts, *theirs.totals]
        if theirs.score > 0:
            assert str(ours) == str(theirs)


@settings(max_examples=150, deadline=None)
@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(["exp", "floor", "add-k"]))
def test_sentence_bleu_is_sacrebleus_with_effective_order(hypothesis, references, smoothing):
    oracle = BLEU(smooth_method=smoothing, effective_order=True)
    theirs = oracle.sentence_score(hypothesis, references).score
    assert sentence_bleu(hypothesis, references, smoothing=smoothing).score == pytest.approx(
        theirs, abs=1e-6
    )


@pytest.mark.parametrize("beta", [1e9, 1e200, 10**400])
def test_with_a_beta_beyond_all_measure_chrf_is_recall(beta):
    # n = 1 to 4 of the reference "cats"; the hypothesis has 3, 2, 1 and 0 of 4, 3, 2 and 1.
    recall = 100 * (3 / 4 + 2 / 3 + 1 / 2) / 3
    assert corpus_chrf(["cat"], ["cats"], beta=beta) == pytest.approx(recall, rel=1e-12)


@settings(max_examples=300, deadline=None)
@given(
    corpora,
    st.sampled_from([0, 1, 2]),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([6, 3]),
    st.booleans(),
)
def test_chrf_is_sacrebleus(corpus, word_order, beta, char_order, lowercase):
    hypotheses, references, streams = split(corpus)
    oracle = CHRF(word_order=word_order, beta=beta, char_order=char_order, lowercase=lowercase)
    options = {"word_order": word_order, "beta": beta, "char_order": char_order}
    ours = corpus_chrf(hypotheses, references, lowercase=lowercase, **options)
    assert ours == pytest.approx(oracle.corpus_score(hypotheses, streams).score, abs=1e-6)
    first = sentence_chrf(hypotheses[0], references[0], lowercase=lowercase, **options)
    theirs = oracle.sentence_score(hypotheses[0], references[0]).score
    assert first == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("cats.", ["cats", "."]),
        ("(so", ["(", "so"]),
        ("(so)", ["(so", ")"]),  # one mark a word, the last before the first
        ("so.)", ["so.", ")"]),
        ("a.bc", ["a.bc"]),  # none within a word
        ("x-", ["x", "-"]),
        ("-x", ["-", "x"]),
        (".", ["."]),
        ("..", [".", "."]),
    ],
)
def test_the_words_of_chrf_are_without_one_mark_at_their_edge(word, parts):
    assert split_mark(word) == parts
    oracle = CHRF(word_order=2).corpus_score([word], [["cats . so x"]]).score
    assert corpus_chrf([word], ["cats . so x"], word_order=2) == pytest.approx(oracle)


@settings(max_examples=300, deadline=None)
@given(texts)
@example("well-\nknown a\nb")
@example("1 &lt; 2 &gt; &amp; &quot;x&quot; <skipped>y 5-6 10-9")
def test_the_13a_tokeniser_is_sacrebleus(text):
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    assert tokenize_13a(text) == Tokenizer13a()(text).split()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lowercase": True, "tokenize": "char"},
        {"smoothing": "floor"},
        {"smoothing": "add-k", "smoothing_value": 2, "effective_order": True},
        {"smoothing": "none", "tokenize": "none"},
    ],
    ids=str,
)
def test_the_signature_is_sacrebleus(options):
    names = {"smoothing": "smooth_method", "smoothing_value": "smooth_value"}
    oracle = BLEU(**{names.get(key, key): value for key, value in options.items()})
    oracle.corpus_score(["a"], [["a"], ["b"]])
    theirs = str(oracle.get_signature()).rsplit("|version", 1)[0]
    assert Settings(**options).signature(2) == theirs


def test_one_reference_may_stand_without_a_list():
    hypotheses, references = ["a b c d e", "x y"], ["a b c d f", "x z"]
    single = corpus_bleu(hypotheses, references)
    assert single == corpus_bleu(hypotheses, [[reference] for reference in references])
    mixed = corpus_bleu(hypotheses, [["a b c d f", "a b c d e"], "x z"])
    assert mixed.score > single.score


def test_the_table_of_words_moved_about():
    """Reference "the cat sat on the mat": P, R, F1, BLEU, chrF2."""
    table = {
        "the cat sat on the mat": (1, 1, 1, 100, 100),
        "the mat sat on the cat": (1, 1, 1, 42.7, 88.0),
        "cat the sat on mat the": (1, 1, 1, 21.4, 40.6),
        "mat the on sat cat the": (1, 1, 1, 12.7, 33.7),
        "the the the the the the": (0.33, 0.33, 0.33, 9.65, 15.0),
        "the cat sat on": (1, 0.67, 0.80, 60.7, 63.3),
    }
    for hypothesis, (p, r, f, bleu, chrf) in table.items():
        assert overlap(hypothesis, REFERENCE) == pytest.approx((p, r, f), abs=0.005)
        assert sentence_bleu(hypothesis, REFERENCE).score == pytest.approx(bleu, abs=0.05)
        assert sentence_chrf(hypothesis, REFERENCE) == pytest.approx(chrf, abs=0.05)


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8), st.randoms())
def test_precision_recall_and_f_do_not_see_the_order_of_words(tokens, random):
    shuffled = random.sample(tokens, len(tokens))
    reference = "a b a c d d"
    assert overlap(" ".join(tokens), reference) == overlap(" ".join(shuffled), reference)


@given(texts, texts)
def test_precision_and_recall_change_places_with_the_sides(one, other):
    for n in (1, 2):
        forth, back = overlap(one, other, n), overlap(other, one, n)
        assert (forth.precision, forth.recall) == (back.recall, back.precision)
        assert forth.f1 == pytest.approx(back.f1)
        assert 0 <= forth.f1 <= 1


def test_counts_are_clipped():
    assert overlap("the " * 7, "the cat is on the mat").precision == pytest.approx(2 / 7)
    assert corpus_bleu(["the " * 7], ["the cat is on the mat"]).counts == (2, 0, 0, 0)
    assert overlap("the cat the cat", "the cat sat", 2).precision == pytest.approx(1 / 3)
    assert sum(ngram_counts(list("abab"), 5).values()) == 0


@given(st.integers(0, 50), st.integers(0, 50))
def test_the_brevity_penalty_is_never_milder_than_the_ratio_of_lengths(c, r):
    penalty = brevity_penalty(c, r)
    assert 0 <= penalty <= 1
    assert (penalty == 1) == (c >= r)
    if 0 < c < r:
        assert penalty < c / r
        assert math.log(penalty) == pytest.approx(1 - r / c)


def test_the_reference_closest_in_length_counts_and_of_two_the_shorter():
    assert corpus_bleu(["a b c d"], [["a b c", "a b c d e"]]).reference_length == 3
    assert corpus_bleu(["a b c d"], [["a", "a b c d e"]]).reference_length == 5


def test_corpus_bleu_is_not_the_mean_of_sentence_bleus():
    hypotheses = ["the cat sat on the mat", "a dog"]
    references = ["the cat sat on the mat", "the dog ran away from us"]
    mean = sum(sentence_bleu(h, r).score for h, r in zip(hypotheses, references)) / 2
    theirs = sacrebleu.corpus_bleu(hypotheses, [references]).score
    assert corpus_bleu(hypotheses, references).score == pytest.approx(theirs, abs=1e-6)
    assert abs(mean - theirs) > 2


def test_the_confidence_interval_holds_the_score_and_depends_only_on_the_seed():
    hypotheses = [f"w{i} the cat sat on a mat w{i % 3}" for i in range(40)]
    references = [f"w{i} the cat sat on {'a' if i % 2 else 'the'} mat w{i % 5}" for i in range(40)]
    interval = bootstrap_interval(hypotheses, references, samples=200, seed=1)
    assert interval.low < interval.score < interval.high
    assert interval.score == corpus_bleu(hypotheses, references).score
    assert interval == bootstrap_interval(hypotheses, references, samples=200, seed=1)
    assert interval != bootstrap_interval(hypotheses, references, samples=200, seed=2)
    narrow = bootstrap_interval(hypotheses, references, samples=200, seed=1, level=0.5)
    assert interval.low < narrow.low < narrow.high < interval.high
    many = bootstrap_interval(hypotheses * 9, references * 9, samples=200)
    ratio = (many.high - many.low) / (interval.high - interval.low)
    assert ratio == pytest.approx(1 / 3, abs=0.12)  # nine times the sentences: a third as wide


def test_where_nothing_is_said_a_bootstrap_has_a_thousand_samples_of_seed_0_and_covers_95_percent():
    hypotheses = [f"w{i} the cat sat on a mat w{i % 3}" for i in range(12)]
    references = [f"w{i} the cat sat on {'a' if i % 2 else 'the'} mat w{i % 5}" for i in range(12)]
    said = {"level": 0.95, "samples": 1000, "seed": 0}
    for measure, texts in [
        (bootstrap_interval, [hypotheses]),
        (paired_bootstrap, [hypotheses, hypotheses[::-1]]),
    ]:
        found = measure(*texts, references)
        assert found == measure(*texts, references, **said)
        assert found != measure(*texts, references, **{**said, "seed": 1})


def test_a_sample_draws_every_sentence_equally_often():
    """One perfect sentence of two: a sample is perfect with probability 1/4, worthless with 1/4."""
    perfect, wrong = "a b c d", "x y z w"
    compared = paired_bootstrap(
        [perfect, wrong], [perfect, perfect], [perfect, perfect], samples=2000, seed=3
    )
    assert compared.second_wins == pytest.approx(3 / 4, abs=0.04)
    assert compared.first_wins == 0
    assert compared.first < compared.second == 100
    assert compared.low == -100 and compared.high == 0


def test_the_bounds_hold_the_middle_of_the_samples():
    """Of two sentences one is perfect: 1/4 of the samples are worthless, 1/4 are perfect."""
    perfect, wrong = "a b c d", "x y z w"
    corpus = ([perfect, wrong], [perfect, perfect])
    middle = corpus_bleu(*corpus).score
    for level, expected in ((0.6, (0, 100)), (0.4, (middle, middle))):  # tails of 0.2 and of 0.3
        interval = bootstrap_interval(*corpus, samples=800, level=level)
        assert (interval.low, interval.high) == pytest.approx(expected)


def test_exchanging_the_systems_exchanges_the_bounds():
    references = [f"a{i} b{i} c d e f" for i in range(9)]
    one = [r.replace("c", "x") if i % 2 else r for i, r in enumerate(references)]
    other = [" ".join(r.split()[: 3 + i % 4]) for i, r in enumerate(references)]
    for level in (0.95, 0.5, 0.2):  # with 25 samples neighbours in the order differ
        forth = paired_bootstrap(one, other, references, samples=25, level=level)
        back = paired_bootstrap(other, one, references, samples=25, level=level)
        assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low))
        assert (forth.first_wins, forth.second_wins) == (back.second_wins, back.first_wins)


def test_the_paired_bootstrap_finds_a_steady_difference_and_none_between_equals():
    references = [f"a{i} b c d e f g{i}" for i in range(30)]
    better = [r if i % 3 else r.replace("c", "x") for i, r in enumerate(references)]
    worse = [r.replace("e", "y") for r in better]
    compared = paired_bootstrap(better, worse, references, samples=200, smoothing="floor")
    assert compared.first_wins == 1.0 and 0 < compared.low < compared.high
    assert compared.first == corpus_bleu(better, references, smoothing="floor").score
    same = paired_bootstrap(better, better, references, samples=50)
    assert (same.first_wins, same.second_wins, same.low, same.high) == (0, 0, 0, 0)
    reversed_ = paired_bootstrap(worse, better, references, samples=200, smoothing="floor")
    assert reversed_.second_wins == 1.0
    assert (reversed_.low, reversed_.high) == pytest.approx((-compared.high, -compared.low))


def _two_systems(size):
    """References, and two systems with errors in other sentences and places."""
    references = [f"a{i} b c d e f g h{i % 3}" for i in range(size)]
    one = [r.replace("a", "x") if i % 3 == 0 else r for i, r in enumerate(references)]
    other = [r.replace("c", f"y{i}") if i % 4 == 1 else r for i, r in enumerate(references)]
    return one, other, references


def test_randomization_comes_near_the_share_of_all_ways_to_swap():
    one, other, references = _two_systems(8)

    def gap(swaps):
        first = [b if swap else a for a, b, swap in zip(one, other, swaps)]
        second = [a if swap else b for a, b, swap in zip(one, other, swaps)]
        return abs(corpus_bleu(first, references).score - corpus_bleu(second, references).score)

    real, ways = gap([False] * 8), list(itertools.product((False, True), repeat=8))
    exact = sum(gap(swaps) >= real for swaps in ways) / len(ways)
    assert 0.05 < exact < 0.95
    found = approximate_randomization(one, other, references, trials=4000, seed=2)
    assert found == pytest.approx(exact, abs=0.03)


def test_randomization_comes_near_sacrebleu():
    one, other, references = _two_systems(40)
    systems = [("one", one), ("other", other)]
    _, found = PairedTest(systems, {"BLEU": BLEU()}, [references], "ar", n_samples=3000)()
    p = approximate_randomization(one, other, references, trials=3000)
    assert p == pytest.approx(found["BLEU"][1].p_value, abs=0.04)


def test_randomization_knows_equals_and_does_not_know_who_comes_first():
    one, other, references = _two_systems(20)
    assert approximate_randomization(one, one, references, trials=40) == 1
    forth, back = (
        approximate_randomization(*pair, references, trials=199, seed=5)
        for pair in ((one, other), (other, one))
    )
    assert forth == back
    assert (forth * 200) == pytest.approx(round(forth * 200))


def test_randomization_hands_its_settings_on_and_has_a_thousand_trials_of_seed_0():
    one, other, references = _two_systems(12)
    found = approximate_randomization(one, other, references)
    assert found == approximate_randomization(one, other, references, trials=1000, seed=0)
    assert found != approximate_randomization(one, other, references, trials=1000, seed=1)
    loud = [text.upper() for text in one]
    assert approximate_randomization(loud, one, references, trials=99) < 0.05
    assert approximate_randomization(loud, one, references, trials=99, lowercase=True) == 1


@pytest.mark.parametrize("measure", [corpus_bleu, corpus_chrf, bootstrap_interval])
def test_what_is_no_corpus_is_refused_in_a_sentence(measure):
    with pytest.raises(ValueError, match="hypotheses must be a list of strings, got one string"):
        measure("a cat", ["a cat"])
    with pytest.raises(ValueError, match="references must be a list of strings, got one string"):
        measure(["a cat"], "a cat")
    with pytest.raises(ValueError, match="one entry for each of 2 hypotheses .*, got 1"):
        measure(["a", "b"], [["a", "b"]])
    with pytest.raises(ValueError, match="at least one sentence, got none"):
        measure([], [])
    with pytest.raises(ValueError, match="number 1 is not: join tokens"):
        measure(["a", "b"], ["a", []])


def raised(*calls: str) -> list[str]:
    """What each raises as a reader calls it: in a process where nobody checks types."""
    program = f"""
from attnlib.metrics import *
for call in {calls!r}:
    try:
        print(eval(call))
    except Exception as problem:
        print(f"{{type(problem).__name__}}: {{problem}}")
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    return answer.stdout.splitlines()


def test_sentences_given_as_tokens_are_refused():
    calls = [
        f"{measure}({given})"
        for measure in ("corpus_bleu", "corpus_chrf", "bootstrap_interval")
        for given in (
            "['a b', ['a', 'b']], ['a b', 'a b']",
            "['a b', 'a b'], ['a b', [['a', 'b']]]",
            "['a b', 'a b'], [['a b'], ['a b', None]]",
            "['a b', 'a b'], ['a b', ()]",
        )
    ]
    refused = "ValueError: every sentence must be a string with at least one reference; number 1 is"
    assert raised(*calls) == [f"{refused} not: join tokens to text first"] * 12


def test_a_sentence_given_as_tokens_is_refused():
    one = "ValueError: hypothesis must be one string, got list"
    both = ("sentence_bleu", "sentence_chrf")
    given = ("['a', 'b'], 'a b'", "'a b', [['a', 'b']]")
    said = raised(*(f"{measure}({text})" for text in given for measure in both))
    assert said[:2] == [one, one]
    assert all("number 0 is not: join tokens" in line for line in said[2:]) and len(said) == 4


def test_the_defaults_are_sacrebleus():
    """BLEU with every order, chrF with case: each differs from its other setting here."""
    short, cased = ["the cat"], ["The cat sat on the Mat"]
    assert corpus_bleu(short, short).score == sacrebleu.corpus_bleu(short, [short]).score == 0
    assert corpus_bleu(short, short, effective_order=True).score == pytest.approx(100)
    lower = [text.lower() for text in cased]
    for ours, theirs in (
        (corpus_bleu, sacrebleu.corpus_bleu),
        (corpus_chrf, sacrebleu.corpus_chrf),
    ):
        plain, folded = ours(cased, lower), ours(cased, lower, lowercase=True)
        expected = theirs(cased, [lower]).score
        assert getattr(plain, "score", plain) == pytest.approx(expected)
        assert getattr(folded, "score", folded) == pytest.approx(100) != pytest.approx(expected)
    assert Settings() == Settings("13a", "exp", None, False, False)


def test_wrong_settings_are_refused_and_the_nearest_name_is_suggested():
    with pytest.raises(ValueError, match="tokenize must be one of 13a, none, char, got '13'; did"):
        corpus_bleu(["a"], ["a"], tokenize="13")
    with pytest.raises(ValueError, match="smoothing must be one of .*, got 'addk'; did .*'add-k'"):
        sentence_bleu("a", "a", smoothing="addk")
    with pytest.raises(ValueError, match="smoothing_value must be a finite .* at least 0, got -1"):
        corpus_bleu(["a"], ["a"], smoothing="add-k", smoothing_value=-1)
    with pytest.raises(ValueError, match="tokenize must be one of"):
        overlap("a", "a", tokenize="words")
    with pytest.raises(ValueError, match="smoothing_value must be None .*, got 0.5 for 'exp'"):
        corpus_bleu(["a"], ["a"], smoothing_value=0.5)
    with pytest.raises(ValueError, match="smoothing must be one of .*, got 'addk'"):
        Settings(smoothing="addk").signature()
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, got 0"):
        overlap("a", "a", 0)
    with pytest.raises(ValueError, match="must be at least 0, got -1 and 5"):
        brevity_penalty(-1, 5)
    with pytest.raises(ValueError, match="must be at least 0, got 2 and -1"):
        brevity_penalty(2, -1)
    for orders, match in (
        ((0, 0), "char_order or word_order must be at least 1, got 0 and 0"),
        ((-1, 0), "char_order must be a whole number of at least 0, got -1"),
        ((6, -1), "word_order must be a whole number of at least 0, got -1"),
    ):
        with pytest.raises(ValueError, match=match):
            corpus_chrf(["a"], ["a"], char_order=orders[0], word_order=orders[1])
    for beta in (-1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match=f"beta must be a finite .* at least 0, got {beta}"):
            corpus_chrf(["a"], ["a"], beta=beta)
    with pytest.raises(ValueError, match="samples must be a whole number of at least 1, got 0"):
        paired_bootstrap(["a"], ["a"], ["a"], samples=0)
    with pytest.raises(ValueError, match="level must lie between 0 and 1, got 1"):
        bootstrap_interval(["a"], ["a"], level=1)


def test_a_hyphen_before_a_final_line_break_is_no_divided_word():
    ours = corpus_bleu(["a b c d-\n"], ["a b c d-"])
    assert ours.score == pytest.approx(sacrebleu.corpus_bleu(["a b c d-\n"], [["a b c d-"]]).score)
    assert ours.score == 100.0
