"""BLEU and chrF against sacreBLEU, hand counts and closed forms."""

import itertools
import math

import pytest
import sacrebleu
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF

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
    sentence_chrf,
    tokenize_13a,
)

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


@given(
    corpora,
    st.sampled_from(["13a", "none", "char"]),
    st.sampled_from(["none", "exp", "floor", "add-k"]),
    st.booleans(),
    st.booleans(),
)
def test_bleu_is_sacrebleus(corpus, tokenize, smoothing, lowercase, effective_order):
    hypotheses, references, streams = split(corpus)
    oracle = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smoothing,
        effective_order=effective_order,
    )
    theirs = oracle.corpus_score(hypotheses, streams)
    ours = corpus_bleu(
        hypotheses,
        references,
        tokenize=tokenize,
        smoothing=smoothing,
        lowercase=lowercase,
        effective_order=effective_order,
    )
    assert ours.score == pytest.approx(theirs.score, abs=1e-6)
    assert ours.precisions == pytest.approx(theirs.precisions, abs=1e-6)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-9)
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    if smoothing != "add-k":  # sacreBLEU adds k to the counts it shows
        assert [*ours.counts, *ours.totals] == [*theirs.counts, *theirs.totals]
        if theirs.score > 0:
            assert str(ours) == str(theirs)


@given(corpora)
def test_chrf_is_sacrebleus(corpus):
    hypotheses, references, streams = split(corpus)
    ours = corpus_chrf(hypotheses, references)
    assert ours == pytest.approx(CHRF().corpus_score(hypotheses, streams).score, abs=1e-6)
    first = sentence_chrf(hypotheses[0], references[0])
    theirs = CHRF().sentence_score(hypotheses[0], references[0]).score
    assert first == pytest.approx(theirs, abs=1e-6)


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
        {"smoothing": "add-k", "effective_order": True},
    ],
    ids=str,
)
def test_the_signature_is_sacrebleus(options):
    names = {"smoothing": "smooth_method"}
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
    p_value = approximate_randomization(one, other, references, trials=4000, seed=2)
    assert p_value == pytest.approx(exact, abs=0.03)


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
    p_value = approximate_randomization(one, other, references)
    assert p_value == approximate_randomization(one, other, references, trials=1000, seed=0)
    assert p_value != approximate_randomization(one, other, references, trials=1000, seed=1)
    loud = [text.upper() for text in one]
    assert approximate_randomization(loud, one, references, trials=99) < 0.05
    assert approximate_randomization(loud, one, references, trials=99, lowercase=True) == 1


def test_the_defaults_are_sacrebleus():
    """BLEU with every order and with case: each differs from its other setting here."""
    short, cased = ["the cat"], ["The cat sat on the Mat"]
    assert corpus_bleu(short, short).score == sacrebleu.corpus_bleu(short, [short]).score == 0
    assert corpus_bleu(short, short, effective_order=True).score == pytest.approx(100)
    lower = [text.lower() for text in cased]
    expected = sacrebleu.corpus_bleu(cased, [lower]).score
    assert corpus_bleu(cased, lower).score == pytest.approx(expected) != pytest.approx(100)
    assert corpus_bleu(cased, lower, lowercase=True).score == pytest.approx(100)
    assert Settings() == Settings("13a", "exp", False, False)


def test_a_hyphen_before_a_final_line_break_is_no_divided_word():
    ours = corpus_bleu(["a b c d-\n"], ["a b c d-"])
    assert ours.score == pytest.approx(sacrebleu.corpus_bleu(["a b c d-\n"], [["a b c d-"]]).score)
    assert ours.score == 100.0
