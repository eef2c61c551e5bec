"""The bundled Korean-English corpus: what its README promises, checked on every pair."""

import hashlib
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from programs import load

from attnlib.data import Links, Pair, WordVocabulary, bundled_directory, load_corpus

#: The corpus is made anew from its seed, a minute's work.
thorough = pytest.mark.thorough

HERE = bundled_directory()
NAMES = ("ko-en", "ko-en-easy")


@pytest.fixture(scope="module")
def programs():
    """The program that made the corpus, and the one that measures it, as modules."""
    before = set(sys.modules)
    sys.path.insert(0, str(HERE))
    try:
        yield load(HERE / "generate.py"), load(HERE / "measure.py")
    finally:
        sys.path.remove(str(HERE))
        for name in set(sys.modules) - before:  # easy, grammar, ...: names that others may use too
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == HERE:
                del sys.modules[name]


@pytest.fixture(scope="module")
def generator(programs):
    return programs[0]


@pytest.fixture(scope="module")
def measure(programs):
    return programs[1]


@pytest.fixture(scope="module")
def regenerated(generator):
    """Every file made again, before it is written."""
    return generator.corpus()


@pytest.fixture(scope="module")
def corpora():
    return {name: load_corpus(name) for name in NAMES}


@pytest.fixture(scope="module")
def vocabularies(corpora):
    return {
        name: (
            WordVocabulary.build((p.src for p in corpus.train), pieces=corpus.src_pieces),
            WordVocabulary.build(p.tgt for p in corpus.train),
        )
        for name, corpus in corpora.items()
    }


@pytest.fixture(scope="module")
def tokenized(corpora, vocabularies) -> list[tuple[Pair, list[str], list[str]]]:
    """Every pair with its tokens on both sides."""
    rows = []
    for name, corpus in corpora.items():
        src, tgt = vocabularies[name]
        for split in corpus.splits.values():
            rows += [(p, src.tokenize(p.src), tgt.tokenize(p.tgt)) for p in split]
    return rows


def test_a_folder_that_cannot_be_is_refused_before_the_work_and_a_new_one_is_made(
    generator, tmp_path, monkeypatch, capsys
):
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    monkeypatch.setattr(generator, "corpus", lambda: {})
    monkeypatch.setattr(sys, "argv", ["generate.py", "--out", str(tmp_path / "file" / "new")])
    with pytest.raises(SystemExit) as end:
        generator.main()
    error = capsys.readouterr().err.splitlines()[-1]
    assert end.value.code == 2 and error.endswith("(Not a directory): name another folder")
    monkeypatch.setattr(sys, "argv", ["generate.py", "--out", str(tmp_path / "new" / "folder")])
    generator.main()
    assert (tmp_path / "new" / "folder" / "pieces.txt").read_text(encoding="utf-8") == ""


@thorough
def test_generating_again_gives_the_same_bytes(generator, regenerated):
    written = dict(
        line.split()[::-1] for line in (HERE / "SHA256SUMS").read_text("utf-8").splitlines()
    )
    assert len(regenerated) == len(written) == 10
    for name, rows in regenerated.items():
        content = generator.as_bytes(rows)
        assert hashlib.sha256(content).hexdigest() == written[f"{name}.tsv"], name


@thorough
def test_the_pieces_file_lists_the_tokens_of_the_corpus(generator, regenerated):
    assert tuple(generator.piece_list(regenerated)) == load_corpus("ko-en").src_pieces


@thorough
def test_the_tokenising_rule_recovers_the_tokens_that_the_grammar_meant(regenerated, tokenized):
    tokens = {pair.src: tuple(src) for pair, src, _ in tokenized}
    for rows in regenerated.values():
        for row in rows:
            assert tokens[row.korean] == row.tokens, row.korean


def test_detokenising_gives_back_the_text_exactly(tokenized, vocabularies):
    some, other = vocabularies["ko-en"]
    for pair, src, tgt in tokenized:
        assert some.detokenize(src) == pair.src
        assert other.detokenize(tgt) == pair.tgt
        assert "<unk>" not in src and "<unk>" not in tgt, pair


@pytest.fixture(scope="module")
def readme():
    return (Path(HERE) / "README.md").read_text(encoding="utf-8")


def counted(row: str) -> int:
    """The last number of a row of a table."""
    return int(row.rsplit("|", 2)[1].replace(",", ""))


def test_the_corpus_is_as_large_and_as_wide_as_its_readme_states(corpora, measure, readme):
    pairs = {(p.src, p.tgt) for split in corpora["ko-en"].splits.values() for p in split}
    assert len(corpora["ko-en"].train) >= 45_000 and len(pairs) >= 48_000
    words = {row.split(" | ")[0].strip("| "): row for row in measure.words()}
    assert counted(words["all"]) >= 500 and counted(words["verb"]) >= 90  # in training
    for row in words.values():
        assert row in readme, row


def test_every_particle_and_ending_that_the_readme_counts_is_common(measure, readme):
    for row in measure.features():
        assert row in readme, row
        assert counted(row) >= 100, row


def test_the_vocabularies_are_as_large_as_the_readme_states(corpora, vocabularies, readme):
    for name, corpus in corpora.items():
        src, tgt = (len(vocabulary) - 4 for vocabulary in vocabularies[name])
        assert f"| `{name}` | {', '.join(corpus.splits)} | {src:,} | {tgt:,} |" in readme


def test_every_test_is_as_long_and_as_large_as_it_should_be(corpora, vocabularies):
    splits, (src, _) = corpora["ko-en"].splits, vocabularies["ko-en"]
    longest = max(len(src.tokenize(p.src)) for p in corpora["ko-en"].train)
    assert longest == 50
    lengths = [len(src.tokenize(p.src)) for p in splits["test_long"]]
    assert min(lengths) >= 51 and max(lengths) <= 70 and len(lengths) >= 500
    assert len(splits["test_composition"]) >= 500 and len(splits["test_written"]) >= 300


@pytest.mark.parametrize("easy", [False, True])
@thorough
def test_no_verb_has_an_object_in_the_composition_test_that_it_has_in_training(regenerated, easy):
    prefix = "easy-" if easy else ""
    trained = set().union(*(row.combinations for row in regenerated[prefix + "train"]))
    clauses = {part for row in regenerated[prefix + "train"] for part in row.parts()}
    words = {token for row in regenerated[prefix + "train"] for token in row.tokens}
    for row in regenerated[prefix + "test_composition"]:
        assert row.combinations and not row.combinations & trained, row.korean
        assert not clauses & set(row.parts()), row.korean
        assert words >= set(row.tokens), row.korean


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", [0, 1])
def test_no_sentence_of_either_language_is_in_two_splits_or_twice_in_one(corpora, name, side):
    sentences = Counter(p[side] for split in corpora[name].splits.values() for p in split)
    assert [s for s, count in sentences.items() if count > 1] == []


def test_links_lie_inside_the_sentence_and_reach_every_word(tokenized):
    for pair, src, tgt in tokenized:
        links = pair.links
        assert isinstance(links, Links) and links.sure <= links.possible
        sources, targets = {j for j, _ in links.possible}, {t for _, t in links.possible}
        assert sources == set(range(len(src))), pair
        assert targets == set(range(len(tgt))), pair


def test_the_alignment_is_never_the_diagonal(tokenized):
    """In every sentence with an object or an adverbial some links cross."""
    crossed = total = 0
    for pair, src, _ in tokenized:
        if len(src) < 8:
            continue
        links = sorted(pair.links.sure)
        total += 1
        crossed += any(a[0] < b[0] and a[1] > b[1] for a in links for b in links)
    assert total > 40_000
    assert crossed / total > 0.97


def batchim(word: str) -> int:
    return (ord(word[-1]) - 0xAC00) % 28


def test_particles_follow_the_final_consonant(tokenized, generator):
    """An independent rule: closed syllables take 은 이 을 과 으로, open ones 는 가 를 와 로."""
    kinds = ("name", "person", "family", "animal", "noun", "place")
    nouns = {e.ko for e in generator.read_lexicon() if e.kind in kinds} | {"저", "우리", "##들"}
    nouns -= {"이", "새", "달", "나", "배"}  # also something else than a noun
    closed = {"##은": True, "##이": True, "##을": True, "##과": True, "##으로": True}
    open_ = {"##는": False, "##가": False, "##를": False, "##와": False, "##로": False}
    met = Counter()
    for pair, src, _ in tokenized:
        for before, particle in zip(src, src[1:]):
            if particle in closed | open_ and before in nouns:
                final = batchim(before)
                wanted = bool(final) and not (particle in ("##로", "##으로") and final == 8)
                assert (closed | open_)[particle] == wanted, (pair.src, before, particle)
                met[particle] += 1
    assert all(met[particle] > 30 for particle in closed | open_), met


def test_the_easy_subset_is_small_and_its_lengths_are_flat(corpora, vocabularies):
    src, tgt = vocabularies["ko-en-easy"]
    assert len(src) < 120 and len(tgt) < 120
    lengths = [len(src.tokenize(pair.src)) for pair in corpora["ko-en-easy"].test]
    assert min(lengths) == 4 and max(lengths) == 50
    for low, high in ((4, 10), (11, 20), (21, 30), (31, 40), (41, 50)):
        assert sum(low <= length <= high for length in lengths) == 100


@thorough
def test_the_full_corpus_has_all_lengths_and_constructions(regenerated, readme):
    lengths = Counter(len(row.tokens) for row in regenerated["train"])
    assert set(lengths) == set(range(3, 51))
    kinds = Counter(row.kind for row in regenerated["train"])
    assert len(kinds) >= 22 and min(kinds.values()) >= 50
    for kind, count in kinds.items():
        assert re.search(rf"^\| {kind} \| {count:,} \|", readme, re.MULTILINE), (kind, count)


def test_the_tables_of_the_readme_are_those_of_the_corpus(measure, readme):
    """Lengths, and how near every test is to training."""
    for row in [*measure.lengths(), *measure.near_duplicates()]:
        assert row in readme, row


def test_distances_are_counted_in_edits_of_tokens(measure):
    assert measure.distance("abc", "abc", 2) == 0
    assert measure.distance("abc", "axc", 2) == 1
    assert measure.distance("abc", "bcd", 2) == 2
    assert measure.distance("abc", "xyz", 2) == measure.distance("abcd", "wxyz", 2) == 3
    assert measure.distance("aa", "aaa", 2) == 1  # each of the three may be the one too many
    assert measure.distance("abab", "ab", 2) == measure.distance("", "ab", 2) == 2
    near = measure.nearest([tuple("abcdef"), tuple("uvw")], [tuple("xabcdf"), tuple("zzz")])
    assert near == [2, 3]


def test_the_nearest_sentence_is_the_one_that_a_search_through_all_finds(measure):
    train = [line.tokens for line in measure.table("ko-en", "train")[:300]]
    tests = [t[1:] for t in train[:20]] + [("x", *t[1:-1]) for t in train[20:40]]
    tests += [("x", "y", "z", *t[3:]) for t in train[40:60]] + train[60:70]
    expected = [min(measure.distance(test, one, 2) for one in train) for test in tests]
    assert measure.nearest(tests, train) == expected
    assert set(expected) == {0, 1, 2, 3}
