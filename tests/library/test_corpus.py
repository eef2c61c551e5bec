"""Reading corpora: the bundled one, downloads, tables, and every way they can be broken."""

import gzip
import hashlib
import os
from pathlib import Path

import pytest

from attnlib.data import (
    Corpus,
    CorpusError,
    Links,
    Pair,
    Splits,
    load_corpus,
)
from attnlib.data.sources import MULTI30K_SHA256, bundled, cache_directory, multi30k

GERMAN = "Ein Hund läuft.\nZwei Männer lachen.\n"
ENGLISH = "A dog runs.\nTwo men laugh.\n"


def packed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def served(monkeypatch):
    """What is fetched, by name, in the place of a server (test_download has one)."""
    files = {"val.de.gz": packed(GERMAN), "val.en.gz": packed(ENGLISH), "requests": []}

    def fetch(url: str, hint: str) -> bytes:
        name = url.rpartition("/")[2]
        files["requests"].append(name)
        return files[name]

    sums = {name: digest(files[name]) for name in ("val.de.gz", "val.en.gz")}
    monkeypatch.setattr(multi30k, "fetch", fetch)
    monkeypatch.setattr(multi30k, "MULTI30K_SHA256", sums)
    return files


def table(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "mine.tsv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def complaint(of, *words: str) -> str:
    """The message of the CorpusError that a call raises: one line with all the words in it."""
    with pytest.raises(CorpusError) as caught:
        of()
    message = str(caught.value)
    assert "\n" not in message
    assert caught.value._render_traceback_() == [f"CorpusError: {message}"]  # in a notebook
    for word in words:
        assert word in message, message
    return message


# Names -----------------------------------------------------------------------------------------


def test_an_unknown_corpus_or_split_is_named_with_the_nearest_that_exists():
    complaint(lambda: load_corpus("multi30k-de-fr"), "'multi30k-de-fr'", "did you mean 'multi30k-")
    complaint(lambda: load_corpus("ko-en").split("tset"), "'tset'", "did you mean 'test'")
    multi30k = load_corpus("multi30k-de-en")
    assert "did you mean" not in complaint(lambda: multi30k.split("test_2019_flickr"))  # not 2018
    with pytest.raises(KeyError):
        load_corpus("ko-en").splits["tset"]


def test_asking_whether_a_split_exists_reads_nothing():
    splits = Splits({"train": lambda: pytest.fail("it was read")})
    assert "train" in splits and "test" not in splits


def test_only_what_comes_with_the_library_is_bundled_whatever_a_table_is_called(tmp_path):
    path = tmp_path / "ko-en.tsv"
    path.write_text("a\tb\nc\td\ne\tf\n", encoding="utf-8")
    mine = load_corpus(path)
    assert mine.name == "ko-en" and not mine.bundled and load_corpus("ko-en").swapped().bundled


def test_the_cache_is_the_argument_then_the_variable_then_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTNLIB_DATA", str(tmp_path / "variable"))
    assert cache_directory(tmp_path / "argument") == tmp_path / "argument"
    assert cache_directory() == tmp_path / "variable"
    monkeypatch.delenv("ATTNLIB_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(multi30k.sys, "platform", "linux")
    assert cache_directory() == tmp_path / "xdg" / "attnlib"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "attnlib"
    monkeypatch.setattr(multi30k.sys, "platform", "darwin")
    assert cache_directory() == tmp_path / "Library" / "Caches" / "attnlib"
    monkeypatch.setattr(multi30k.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_directory() == tmp_path / "local" / "attnlib"
    monkeypatch.delenv("LOCALAPPDATA")
    assert cache_directory() == tmp_path / "AppData" / "Local" / "attnlib"


def test_a_swapped_corpus_swaps_sentences_links_languages_and_pieces():
    there = load_corpus("ko-en-easy")
    back = there.swapped()
    assert (back.src_language, back.tgt_language) == ("English", "Korean")
    assert back.tgt_pieces == there.src_pieces and back.src_pieces == ()
    for one, other in zip(there.valid, back.valid):
        assert (one.src, one.tgt) == (other.tgt, other.src)
        assert {(t, j) for j, t in one.links.sure} == other.links.sure
        assert {(t, j) for j, t in one.links.possible} == other.links.possible
    assert any(one.links != other.links for one, other in zip(there.valid, back.valid))


def test_a_fingerprint_changes_with_anything_that_training_reads_and_with_nothing_else():
    def made(name="mine", train="ab", valid="cd", test="ef", src_pieces=(), tgt_pieces=()):
        splits = {"train": train, "valid": valid, "test": test}
        readers = {split: (lambda p=pair: [Pair(*p)]) for split, pair in splits.items()}
        return Corpus(name, Splits(readers), "X", "Y", src_pieces, tgt_pieces).fingerprint()

    assert len(made()) == 64 and made() == made(test="gh")
    others = [made(name="yours"), made(train="ax"), made(train="xb"), made(valid="cx")]
    others += [
        made(train="cd", valid="ab"),
        made(train=("a", "b", Links(frozenset(), frozenset()))),
    ]
    others += [made(src_pieces=("a",)), made(tgt_pieces=("a",))]
    assert len({made(), *others}) == len(others), "all differ but the one that only has links"


# Downloads -------------------------------------------------------------------------------------


def test_a_split_is_fetched_once_when_it_is_first_used(served, tmp_path, capsys):
    corpus = load_corpus("multi30k-de-en", cache=tmp_path)
    assert served["requests"] == []
    pairs = corpus.valid
    assert [tuple(p) for p in pairs] == [
        ("Ein Hund läuft.", "A dog runs.", None),
        ("Zwei Männer lachen.", "Two men laugh.", None),
    ]
    assert served["requests"] == ["val.de.gz", "val.en.gz"]
    assert "Elliott" in capsys.readouterr().err
    assert load_corpus("multi30k-de-en", cache=tmp_path).valid == pairs
    assert len(served["requests"]) == 2
    assert sorted(p.name for p in (tmp_path / "multi30k").iterdir()) == ["val.de.gz", "val.en.gz"]


def test_the_error_without_a_network_names_what_to_fetch_and_where_it_would_go(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(multi30k, "MULTI30K", "http://127.0.0.1:9/raw")
    corpus = load_corpus("multi30k-de-en", cache=tmp_path)
    fetch = f"put the files of {multi30k.BY_HAND} into {tmp_path / 'multi30k'} yourself"
    complaint(lambda: corpus.valid, "127.0.0.1:9/raw/val.de.gz", "cannot be downloaded", fetch)
    assert not any((tmp_path / "multi30k").iterdir())


def test_a_download_with_other_content_is_not_kept(served, tmp_path):
    right, served["val.de.gz"] = served["val.de.gz"], packed("Etwas anderes.\n")
    corpus = load_corpus("multi30k-de-en", cache=tmp_path)
    complaint(lambda: corpus.valid, "val.de.gz", "SHA-256", "not the pinned file")
    assert not any((tmp_path / "multi30k").iterdir())
    served["val.de.gz"] = right
    assert len(corpus.valid) == 2  # and the same corpus can try again


def test_a_damaged_file_in_the_cache_is_reported_and_never_deleted(served, tmp_path):
    content = packed(GERMAN)[:20]
    path = tmp_path / "multi30k" / "val.de.gz"
    path.parent.mkdir()
    path.write_bytes(content)
    corpus = load_corpus("multi30k-de-en", cache=tmp_path)
    complaint(lambda: corpus.valid, str(path), "delete it and run again")
    assert path.read_bytes() == content
    assert "val.de.gz" not in served["requests"]


def test_a_cache_that_cannot_be_a_directory_is_one_sentence(served, tmp_path):
    """It was told after the whole download; and nothing can be written to /proc, even by root."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    for cache in (tmp_path / "file", *map(Path, ["/proc/attnlib"] * os.path.isdir("/proc"))):
        corpus = load_corpus("multi30k-de-en", cache=cache)
        complaint(lambda corpus=corpus: corpus.valid, f"{cache}/multi30k cannot", "ATTNLIB_DATA")
    assert served["requests"] == []


def test_a_broken_gzip_with_the_right_sum_is_reported(served, tmp_path, monkeypatch):
    for content in (b"no gzip at all", packed(GERMAN)[:-9], packed(GERMAN)[:15] + b"\xff" * 20):
        path = tmp_path / "multi30k" / "val.de.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        monkeypatch.setitem(multi30k.MULTI30K_SHA256, "val.de.gz", digest(content))
        corpus = load_corpus("multi30k-de-en", cache=tmp_path)
        complaint(lambda corpus=corpus: corpus.valid, str(path), "not a complete gzip file")


@pytest.mark.network
@pytest.mark.parametrize("name", ["multi30k-de-en", "multi30k-fr-en"])
def test_the_real_files_have_the_pinned_content(name):
    folder = cache_directory() / "multi30k"
    missing = [file for file in MULTI30K_SHA256 if not (folder / file).exists()]
    if missing:
        pytest.skip(f"{folder} does not hold {missing[0]}; set ATTNLIB_DATA to a filled cache")
    corpus = load_corpus(name)
    sizes = {split: len(pairs) for split, pairs in corpus.splits.items()}
    assert sizes == {
        "train": 29000,
        "valid": 1014,
        "test": 1000,
        "test_2017_flickr": 1000,
        "test_2017_mscoco": 461,
        "test_2018_flickr": 1071,
    }
    assert corpus.train[0].tgt == "Two young, White males are outside near many bushes."


# The bundled corpus ----------------------------------------------------------------------------


def test_a_bundled_file_that_is_missing_or_changed_names_the_remedy(tmp_path, monkeypatch):
    real = bundled.bundled_directory()
    for name in ("SHA256SUMS", "pieces.txt", "easy-valid.tsv.gz"):
        (tmp_path / name).write_bytes((real / name).read_bytes())
    monkeypatch.setattr(bundled, "bundled_directory", lambda: tmp_path)
    corpus = load_corpus("ko-en-easy")
    assert len(corpus.valid) == 300
    complaint(lambda: corpus.test, "easy-test.tsv.gz", "does not exist")
    (tmp_path / "easy-test.tsv.gz").write_bytes(packed("가\tgo\t0-0\n"))
    complaint(lambda: corpus.test, "easy-test.tsv.gz", "SHA-256", "generate.py")
    (tmp_path / "SHA256SUMS").unlink()
    complaint(lambda: load_corpus("ko-en"), "SHA256SUMS", "does not exist")


# Tables ----------------------------------------------------------------------------------------


def test_a_table_is_split_by_content_and_more_columns_are_ignored(tmp_path):
    lines = [f"문장 {n}\tsentence {n}\tlicence {n}\n" for n in range(100)]
    corpus = load_corpus(table(tmp_path, "".join(lines)))
    assert {name: len(pairs) for name, pairs in corpus.splits.items()} == {
        "train": 90,
        "valid": 5,
        "test": 5,
    }
    assert corpus.name == "mine" and corpus.train[0].links is None
    assert corpus.train[0].tgt.startswith("sentence")
    turned = load_corpus(table(tmp_path, "".join(reversed(lines))))
    for name in corpus.splits:
        assert sorted(corpus.split(name)) == sorted(turned.split(name))


def test_pairs_that_share_a_sentence_stay_in_one_split(tmp_path):
    lines = [f"가 {n // 3}\tgo {n}\n나 {n}\tgo {n}\n" for n in range(300)]
    corpus = load_corpus(table(tmp_path, "".join(lines)))
    for side in (0, 1):
        sets = [{pair[side] for pair in corpus.split(s)} for s in ("train", "valid", "test")]
        assert all(sets) and not (sets[0] & sets[1] or sets[0] & sets[2] or sets[1] & sets[2])


def test_an_empty_table_is_refused(tmp_path):
    path = table(tmp_path, b"")
    complaint(lambda: load_corpus(path), str(path), "is empty")
