"""From a corpus to a trained folder: what is kept, what is refused, what can be resumed."""

import contextlib
import pickle

import pytest

from attnlib.data import (
    Corpus,
    CorpusError,
    CorpusWarning,
    Pair,
    Splits,
    SubwordVocabulary,
    load_corpus,
)
from attnlib.files import StorageError
from attnlib.model import BahdanauDecoder, LuongDecoder, PlainDecoder
from attnlib.training import Recipe
from attnlib.translator import (
    BEST_FILE,
    BUNDLED_PRESETS,
    CARD_FILE,
    CHECKPOINT_FILE,
    DEFAULT_PRESETS,
    LengthLimit,
    Preset,
    Translator,
    make_batches,
    make_vocabularies,
    presets_for,
    train_translator,
)
from attnlib.translator.presets import ATTENTIONS, filter_long_pairs

TINY = Preset(
    Recipe(updates=4, validate_every=2, precision="fp32"), 8, 8, 0.1, batch_tokens=60, subwords=60
)


@pytest.fixture
def corpus(tmp_path):
    nouns, verbs = ["dog", "cat", "horse", "child", "man"], ["sees", "finds", "likes"]
    lines = [f"the {a} {v} the {b}.\tDas {b} {v} {a}." for a in nouns for v in verbs for b in nouns]
    (tmp_path / "toy.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load_corpus(str(tmp_path / "toy.tsv"))


def test_a_translator_knows_how_many_sentences_its_lines_had(corpus, tmp_path):
    lines = (tmp_path / "toy.tsv").read_text("utf-8").splitlines()
    two = [line.replace(".\t", ". The cat sleeps.\t") for line in lines]
    (tmp_path / "two.tsv").write_text("\n".join(two), encoding="utf-8")
    translator, _ = train_translator(str(tmp_path / "two.tsv"), TINY, tmp_path / "run")
    assert translator.max_sentences == 2


def test_training_leaves_a_folder_that_translates(corpus, tmp_path):
    translator, history = train_translator(corpus, TINY, tmp_path / "run", progress=False)
    assert history.updates == 4 and len(history.score) == 2
    again = Translator.load(tmp_path / "run", "cpu")
    sentences = [pair.src for pair in corpus.test[:3]]
    assert [t.score for t in again.translate(sentences)] == pytest.approx(
        [t.score for t in translator.translate(sentences)], abs=1e-5
    )
    assert again.max_sentences == 1
    src, tgt = translator.src_vocabulary, translator.tgt_vocabulary
    lengths = [(len(src.encode(p.src)) + 1, len(tgt.encode(p.tgt)) + 1) for p in corpus.train]
    assert again.limit == translator.limit == LengthLimit.learn(lengths) != LengthLimit()
    assert again.about["corpus"] == corpus.name and again.about["recipe"]["updates"] == 4
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        CARD_FILE,
        BEST_FILE,
        CHECKPOINT_FILE,
    }


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_kind_of_attention_can_be_trained(corpus, tmp_path, attention):
    translator, _ = train_translator(
        corpus, TINY, tmp_path / "run", attention=attention, progress=False
    )
    kinds = {"none": PlainDecoder, "bahdanau": BahdanauDecoder}
    assert type(translator.model.decoder) is kinds.get(attention, LuongDecoder)


def test_a_run_is_resumed_with_its_own_corpus_wherever_that_lies_now(corpus, tmp_path):
    """Another corpus used to be accepted: old weights with a new vocabulary."""
    old, new = tmp_path / "toy.tsv", tmp_path / "elsewhere"
    train_translator(str(old), TINY, tmp_path / "run", progress=False)
    new.mkdir()
    lines = old.read_text(encoding="utf-8").splitlines(keepends=True)
    (new / "toy.tsv").write_text("".join(lines), encoding="utf-8")
    more = {"resume": True, "progress": False}
    assert train_translator(str(new / "toy.tsv"), TINY, tmp_path / "run", **more)[1].updates == 4
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    (new / "toy.tsv").write_text("".join(lines[1:]), encoding="utf-8")
    with pytest.raises(StorageError, match="was begun with corpus's checksum=[0-9a-f]{12}, not"):
        train_translator(str(new / "toy.tsv"), TINY, tmp_path / "run", **more)
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def test_the_model_without_attention_has_at_least_as_many_parameters(corpus):
    from attnlib.model import make_seq2seq

    for preset in (*DEFAULT_PRESETS.values(), *BUNDLED_PRESETS.values()):
        sizes = {}
        for attention in ("none", "general"):
            model = make_seq2seq(2000, 2000, **preset.architecture(attention))
            sizes[attention] = sum(p.numel() for p in model.parameters())
        assert sizes["none"] >= 0.95 * sizes["general"], sizes


def test_validation_batches_hold_the_validation_split(corpus):
    src, tgt = make_vocabularies(corpus, None)
    batches, valid = make_batches(corpus, src, tgt, 60, seed=1)
    assert sum(len(batch.src) for batch in valid) == len(corpus.valid)
    assert len(batches.src) == len(corpus.train)
    rows = [row[mask].tolist() for batch in valid for row, mask in zip(batch.src, batch.src_mask)]
    ordered = sorted(corpus.valid, key=lambda pair: len(pair.src))  # which pads least
    assert [row[:-1] for row in rows] == [src.encode(pair.src) for pair in ordered]


def test_words_serve_the_bundled_corpus_and_subwords_any_other(corpus):
    assert presets_for("ko-en-easy")["quick"].subwords is None
    assert presets_for("multi30k-de-en")["quick"].subwords == 4000
    assert presets_for(corpus)["quick"].subwords == 4000
    joint, same = make_vocabularies(corpus, 60)
    src, tgt = make_vocabularies(corpus, None)
    assert joint is same and src is not tgt and "horse" in src.index


@pytest.mark.parametrize("name", ["ko-en.tsv", "./ko-en-news.tsv"])
def test_a_table_of_ones_own_gets_subwords_however_its_path_begins(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("가\ta\n나\tb\n다\tc\n", encoding="utf-8")
    assert (
        presets_for(name) is DEFAULT_PRESETS and presets_for(load_corpus(name)) is DEFAULT_PRESETS
    )
    assert presets_for("ko-en") is presets_for(load_corpus("ko-en").swapped()) is BUNDLED_PRESETS


# What is longer than a batch ---------------------------------------------------------------------


def longer(path, lines: int, words: int = 5000):
    """A table of these many pairs more, each longer than any batch; and its path."""
    text = path.read_text(encoding="utf-8")
    more = (f"long {n} {'a b ' * words}\tlang {n}\n" for n in range(lines))
    path.write_text(text + "".join(more), encoding="utf-8")
    return str(path)


def test_a_pair_longer_than_a_batch_is_named_once_and_changes_nothing_else(corpus, tmp_path):
    """One pair of 60,000 words took 32 seconds an update, and then all memory."""
    path = longer(tmp_path / "toy.tsv", 1)
    whole = load_corpus(path)
    src, tgt = make_vocabularies(whole, TINY.subwords)
    pattern = r"^toy: 1 pair is longer than 60 pieces and left out; the first begins 'long 0 a b "
    with pytest.warns(CorpusWarning, match=pattern) as caught:
        fitting = filter_long_pairs(whole, src, tgt, TINY.batch_tokens)
    assert len(caught) == 1
    assert pickle.loads(pickle.dumps(fitting)).train == fitting.train
    for name in ("train", "valid"):
        kept = [pair for pair in whole.split(name) if not pair.src.startswith("long")]
        assert fitting.split(name) == kept
    assert fitting.test is whole.test and fitting.name == whole.name
    with pytest.warns(CorpusWarning):
        translator, history = train_translator(path, TINY, tmp_path / "run", progress=False)
    assert history.updates == 4
    assert translator.about["corpus's checksum"] == whole.fingerprint()[:12], "of the whole table"


@pytest.mark.parametrize(
    ("words", "fits"), [(58, True), (59, True), (60, False), (61, False)], ids=str
)
def test_the_longest_pair_that_stays_fills_a_batch_alone(words, fits):
    vocabulary = SubwordVocabulary.build(["a b c d " * 30], 40)
    long = Pair("a", " ".join("a" * words))
    assert len(vocabulary.encode(long.tgt)) == words
    splits = Splits({"train": lambda: [Pair("a", "b"), long], "valid": lambda: [Pair("a", "c")]})
    corpus = Corpus("mine", splits, "X", "Y")
    with pytest.warns(CorpusWarning) if not fits else contextlib.nullcontext():
        kept = filter_long_pairs(corpus, vocabulary, vocabulary, 60).train
    assert (long in kept) is fits
    batches, _ = make_batches(corpus, vocabulary, vocabulary, 60, seed=1)
    assert any(batch.tgt_mask.sum() == 60 for batch in batches.epoch(0)) is (words == 59)


def test_several_long_pairs_are_counted_and_a_split_of_nothing_else_is_refused(corpus, tmp_path):
    whole = load_corpus(longer(tmp_path / "toy.tsv", 40))
    vocabularies = make_vocabularies(whole, TINY.subwords)
    number = sum(pair.src.startswith("long") for pair in [*whole.train, *whole.valid])
    assert number > 1
    with pytest.warns(CorpusWarning, match=rf"^toy: {number} pairs are longer .*; the first"):
        filter_long_pairs(whole, *vocabularies, TINY.batch_tokens)
    (tmp_path / "toy.tsv").write_text("", encoding="utf-8")
    with pytest.raises(CorpusError, match="every train pair of toy is longer than 60 pieces"):
        filter_long_pairs(load_corpus(longer(tmp_path / "toy.tsv", 9)), *vocabularies, 60)


@pytest.mark.parametrize(
    "name",
    [
        "ko-en-easy",
        pytest.param("ko-en", marks=pytest.mark.thorough),
        pytest.param("multi30k-de-en", marks=[pytest.mark.network, pytest.mark.thorough]),
    ],
)
def test_no_corpus_of_the_book_has_a_pair_that_is_left_out(name):
    corpus = load_corpus(name)
    preset = presets_for(corpus)["quick"]
    vocabularies = make_vocabularies(corpus, preset.subwords)
    fitting = filter_long_pairs(corpus, *vocabularies, preset.batch_tokens)
    assert fitting.train == corpus.train and fitting.valid == corpus.valid
