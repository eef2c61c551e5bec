"""A table larger than memory trains as one in memory does, a window at a time."""

import itertools
import pickle
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from attnlib.data import Batches, Corpus, CorpusError, Pair, StreamedBatches, load_corpus
from attnlib.data import batches as module
from attnlib.data.sources import table
from attnlib.files import StorageError
from attnlib.training import Recipe
from attnlib.translator import (
    RESUME,
    Preset,
    leave_out_long,
    make_batches,
    make_vocabularies,
    presets_for,
    read_tensors,
    train_translator,
)
from attnlib.translator.cli.parser import main

LINES = [f"satz {n} {n % 7}\tline {n % 5} {n}" for n in range(400)]
PAIRS = [Pair(*line.split("\t")) for line in LINES]
TINY = Preset(
    Recipe(updates=9, validate_every=3, precision="fp32"), 8, 8, 0.1, batch_tokens=60, subwords=60
)


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """A table in chunks of about 25 lines, two a window; every third pair is the sample."""
    path = tmp_path / "large.tsv"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    monkeypatch.setattr(table, "LARGE", path.stat().st_size // 3 + 100)
    monkeypatch.setattr(table, "CHUNK", 500)
    monkeypatch.setattr(module, "WINDOW", 2)
    return load_corpus(path)


def batches_of(corpus: Corpus) -> Batches:
    return make_batches(corpus, *make_vocabularies(corpus, 60), 60, seed=1)[0]


def streamed(corpus: Corpus) -> StreamedBatches:
    found = batches_of(corpus)
    assert isinstance(found, StreamedBatches)
    return found


def of_one_pass(batches: StreamedBatches, number: int) -> list[list[tuple]]:
    """The batches of one pass through the table, each as its sentence pairs."""
    return [
        [(tuple(s), tuple(t)) for s, t in zip(*sides)]
        for window in range(number * batches.windows, (number + 1) * batches.windows)
        for sides in batches.sentences(window)
    ]


def test_only_a_large_table_stays_on_disk(
    large: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(large.chunks) > 10
    monkeypatch.setattr(table, "LARGE", (tmp_path / "large.tsv").stat().st_size + 1)
    small = load_corpus(tmp_path / "large.tsv")
    assert small.chunks == {} and type(batches_of(small)) is Batches
    assert sorted(itertools.chain(*small.splits.values())) == sorted(PAIRS)


def test_the_splits_are_those_of_every_third_pair(
    large: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sorted(itertools.chain(*large.splits.values())) == sorted(PAIRS[::3])
    (tmp_path / "sample.tsv").write_text("\n".join(LINES[::3]), encoding="utf-8")
    monkeypatch.setattr(table, "LARGE", 10**6)
    assert dict(load_corpus(tmp_path / "sample.tsv").splits) == dict(large.splits)


def test_the_chunks_hold_every_pair_once_but_those_held_out(large: Corpus) -> None:
    read = [chunk() for chunk in large.chunks.values()]
    assert max(map(len, read)) < 50
    every = [*itertools.chain(*read), *large.valid, *large.test]
    assert sorted(every) == sorted(PAIRS)


def test_what_shares_a_sentence_with_a_held_out_pair_is_in_no_chunk(
    large: Corpus, tmp_path: Path
) -> None:
    held, other = large.test[0], large.valid[0]
    more = [*LINES, f"{held.src}\tanother line", f"noch ein satz\t{other.tgt}"]
    (tmp_path / "large.tsv").write_text("\n".join(more), encoding="utf-8")
    corpus = load_corpus(tmp_path / "large.tsv")
    assert {held.src, other.tgt} <= {
        text for pairs in (corpus.test, corpus.valid) for pair in pairs for text in pair[:2]
    }
    seen = {text for chunk in corpus.chunks.values() for pair in chunk() for text in pair[:2]}
    assert not seen & {held.src, other.tgt, "another line", "noch ein satz"}


def test_a_window_of_which_all_is_held_out_is_passed_over(large: Corpus) -> None:
    ours = streamed(large)
    ours.chunks = [lambda: [], lambda: []]
    assert [*ours.sentences(0)] == []


def test_every_pass_shows_all_pairs_once_in_another_order_bucketed_by_length(
    large: Corpus,
) -> None:
    ours = streamed(large)
    pairs = [pair for chunk in large.chunks.values() for pair in chunk()]
    expected = sorted((tuple(s), tuple(t)) for s, t in zip(*ours.encode(pairs)))
    first, second = of_one_pass(ours, 0), of_one_pass(ours, 1)
    for batches in (first, second):
        assert sorted(itertools.chain(*batches)) == expected
    assert first != second and first == of_one_pass(streamed(large), 0)
    for batch in first:
        assert len(batch) * max(len(side) + 1 for pair in batch for side in pair) <= 60
    assert len(first) < len(pairs) / 3


def test_batches_of_a_large_table_go_to_another_process(large: Corpus) -> None:
    ours, _ = make_batches(large, *make_vocabularies(large, 60), 60, 1)
    again = pickle.loads(pickle.dumps(ours))
    for batch, other in zip(ours.epoch(1), again.epoch(1), strict=True):
        assert all(map(torch.equal, batch, other))


def test_a_window_mixes_chunks_from_all_over_the_table_and_every_pass_others(
    large: Corpus,
) -> None:
    ours, read = streamed(large), list[int]()
    ours.chunks = [lambda n=n: read.append(n) or PAIRS[n : n + 1] for n in range(9)]
    ours.windows = 4
    passes = []
    for number in (0, 1):
        passes.append([])
        for window in range(4):
            assert [*ours.sentences(4 * number + window)]
            passes[-1].append(sorted(read))
            read.clear()
    for windows in passes:
        assert sorted(map(len, windows)) == [2, 2, 2, 3]
        assert sorted(itertools.chain(*windows)) == [*range(9)]
        assert any(
            after - before > 2 for window in windows for before, after in zip(window, window[1:])
        )
    assert sorted(passes[0]) != sorted(passes[1])


def test_a_window_can_be_entered_in_its_middle(large: Corpus) -> None:
    ours = streamed(large)
    assert [*ours.sentences(3, 2)] == [*ours.sentences(3)][2:] != []


def test_lengths_and_vocabulary_are_those_of_the_sample(large: Corpus) -> None:
    ours, sample = streamed(large), replace(large, chunks={})
    assert type(batches_of(sample)) is Batches
    assert ours.lengths == batches_of(sample).lengths
    assert len(ours.lengths) == len(large.train) < len(PAIRS) / 3
    assert ours.largest == batches_of(sample).largest


def test_a_run_stopped_inside_a_window_goes_on_with_the_same_batches(
    large: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_translator(large, TINY, tmp_path / "whole", progress=False)
    saved = StreamedBatches.sentences

    def unplugged(batches: StreamedBatches, epoch: int, start: int = 0):
        for number, sides in enumerate(saved(batches, epoch, start), start):
            if (epoch, number) == (0, 4):
                raise SystemExit
            yield sides

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(StreamedBatches, "sentences", unplugged)
        train_translator(large, TINY, tmp_path / "run", progress=False)
    about = read_tensors(tmp_path / "run" / RESUME)[1]["history"]
    assert (about["updates"], about["epoch"], about["position"]) == (3, 0, 3)
    train_translator(large, TINY, tmp_path / "run", resume=True, progress=False)
    ours, theirs = (read_tensors(tmp_path / name / RESUME)[0] for name in ("run", "whole"))
    assert all((ours[name] == theirs[name]).all() for name in ours | theirs)


def test_a_table_of_which_one_line_has_changed_is_another_run(
    large: Corpus, tmp_path: Path
) -> None:
    train_translator(large, TINY, tmp_path / "run", progress=False)
    before = large.fingerprint()
    sample = {pair for pairs in large.splits.values() for pair in pairs}
    place = next(number for number, pair in enumerate(PAIRS) if pair not in sample)
    lines = [*LINES[:place], LINES[place].replace("line", "LINE"), *LINES[place + 1 :]]
    (tmp_path / "large.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    other = load_corpus(tmp_path / "large.tsv")
    assert other.train == large.train and other.fingerprint() != before
    with pytest.raises(StorageError, match="was begun with corpus's checksum"):
        train_translator(other, TINY, tmp_path / "run", resume=True, progress=False)


def test_a_table_that_changes_while_it_is_used_is_named(large: Corpus, tmp_path: Path) -> None:
    path, (*_, last) = tmp_path / "large.tsv", large.chunks.values()
    path.write_bytes(path.read_bytes()[:-5] + b"else\n")
    with pytest.raises(CorpusError, match=r"large\.tsv from byte \d+ on has SHA-256 .* changed"):
        last()
    path.unlink()
    with pytest.raises(CorpusError, match="does not exist"):
        last()


def test_a_large_table_can_be_turned_round(large: Corpus) -> None:
    turned = large.swapped()
    assert [*turned.chunks] == [*large.chunks]
    for key, chunk in large.chunks.items():
        assert [pair[:2] for pair in turned.chunks[key]()] == [pair[1::-1] for pair in chunk()]
    assert turned.fingerprint() != large.fingerprint() == turned.swapped().fingerprint()


def test_a_broken_line_far_down_is_named_by_its_number(large: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "broken.tsv"
    found = {
        b"no tab": "line 301: there is no tab",
        b"a\t\xff": "line 301: byte 0xff",
    }
    for wrong, words in found.items():
        lines = [line.encode() for line in LINES]
        lines[300] = wrong
        path.write_bytes(b"\n".join(lines))
        with pytest.raises(CorpusError, match=words):
            load_corpus(path)


def test_a_chunk_of_blank_lines_is_no_empty_table(large: Corpus, tmp_path: Path) -> None:
    place = [start for start, _ in large.chunks][3]
    text = (tmp_path / "large.tsv").read_bytes()
    path = tmp_path / "blank.tsv"
    path.write_bytes(text[:place] + b"\n" * 1000 + text[place:])
    corpus = load_corpus(path)
    read = [pair for chunk in corpus.chunks.values() for pair in chunk()]
    assert sorted([*read, *corpus.valid, *corpus.test]) == sorted(PAIRS)


def test_pairs_longer_than_a_batch_are_left_out_of_every_chunk_and_it_is_said(
    large: Corpus, tmp_path: Path
) -> None:
    lines = [f"{line}{' satz' * 90 * (n in (101, 301))}" for n, line in enumerate(LINES)]
    assert all(n % step for n in (101, 301) for step in (3, 4)), "neither is in the sample"
    (tmp_path / "large.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    corpus = load_corpus(tmp_path / "large.tsv")
    fitting = leave_out_long(corpus, *make_vocabularies(corpus, 60), 60)
    assert [*fitting.chunks] == [*corpus.chunks]
    told, kept = list[str](), list[Pair]()
    for chunk in fitting.chunks.values():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            kept += chunk()
        told += [str(one.message) for one in caught]
    assert len(told) == 2 and set(told) == {
        "large: pairs of more than 60 pieces are left out wherever they stand"
    }
    every = [pair for chunk in corpus.chunks.values() for pair in chunk()]
    assert kept == [pair for pair in every if len(pair.tgt) < 200] and len(every) - len(kept) == 2


def test_presets_of_a_table_are_known_before_it_is_read(tmp_path: Path) -> None:
    assert presets_for(str(tmp_path / "not there.tsv")) == presets_for("multi30k-de-en")


def test_corpus_says_that_what_it_counts_is_a_sample(
    large: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", str(tmp_path / "large.tsv")]) == 0
    _, first, *_ = capsys.readouterr().out.splitlines()
    assert first == "  a sample (training reads all of the table, piece by piece):"
    assert main(["corpus", "ko-en-easy"]) == 0
    assert "sample" not in capsys.readouterr().out
