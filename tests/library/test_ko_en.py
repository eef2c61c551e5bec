"""The bundled Korean-English corpus: what its README promises, checked on every pair."""

import hashlib
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from programs import load

from attnlib.data import Links, Pair, WordVocabulary, bundled_directory, load_corpus

HERE = bundled_directory()
NAMES = ("ko-en", "ko-en-easy")


@pytest.fixture(scope="module")
def generator():
    """The program that made the corpus, as a module."""
    before = set(sys.modules)
    sys.path.insert(0, str(HERE))
    try:
        yield load(HERE / "generate.py")
    finally:
        sys.path.remove(str(HERE))
        for name in set(sys.modules) - before:  # easy, grammar, ...: names that others may use too
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == HERE:
                del sys.modules[name]


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


def test_generating_again_gives_the_same_bytes(generator, regenerated):
    written = dict(
        line.split()[::-1] for line in (HERE / "SHA256SUMS").read_text("utf-8").splitlines()
    )
    assert len(regenerated) == len(written) == 6
    for name, rows in regenerated.items():
        content = generator.as_bytes(rows)
        assert hashlib.sha256(content).hexdigest() == written[f"{name}.tsv"], name


def test_packed_files_hold_neither_time_nor_name_and_are_small(corpora):
    packed = sorted(HERE.glob("*.tsv.gz"))
    assert len(packed) == 6
    for path in packed:
        head = path.read_bytes()[:10]
        assert head[3] == 0 and head[4:8] == b"\0\0\0\0", path.name
    for corpus in corpora.values():
        assert set(corpus.splits) == {"train", "valid", "test"}
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < 4_000_000


def test_the_pieces_file_lists_the_tokens_of_the_corpus(generator, regenerated):
    assert tuple(generator.piece_list(regenerated)) == load_corpus("ko-en").src_pieces


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


def test_thirty_thousand_pairs_and_three_hundred_words(corpora, generator):
    pairs = {(p.src, p.tgt) for split in corpora["ko-en"].splits.values() for p in split}
    assert len(pairs) >= 30_000
    entries = {(entry.kind, entry.ko) for entry in generator.read_lexicon()}
    assert len(entries) >= 300


def test_every_word_of_the_lexicon_occurs(generator, tokenized):
    seen = {token.removeprefix("##") for _, src, _ in tokenized for token in src}
    kinds = ("name", "person", "family", "animal", "noun", "place", "number", "transport", "tool")
    missing = [e.ko for e in generator.read_lexicon() if e.kind in kinds and e.ko not in seen]
    assert missing == []


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
        unsaid = {"you"}  # Korean leaves it out where the verb's politeness says it
        assert {tgt[t] for t in set(range(len(tgt))) - targets} <= unsaid, pair


def test_content_words_have_sure_links_and_articles_and_marks_only_possible_ones(tokenized):
    function = {"of", "to", "you", "do", "does", "did", "is", "are", "am", "was", "were", "please",
                "there", "it", "that", "who", "at", "for", "around"}  # fmt: skip
    for pair, _, tgt in tokenized:
        sure = {t for _, t in pair.links.sure}
        for t, word in enumerate(tgt):
            if word in {"a", "an", "the", ".", "?", ","}:
                assert t not in sure, (pair, word)
            elif word not in function and t not in sure:
                raise AssertionError((pair, word))


def test_the_alignment_is_never_the_diagonal(tokenized):
    """In every sentence with an object or an adverbial some links cross."""
    crossed = total = 0
    for pair, src, _ in tokenized:
        if len(src) < 8:
            continue
        links = sorted(pair.links.sure)
        total += 1
        crossed += any(a[0] < b[0] and a[1] > b[1] for a in links for b in links)
    assert total > 30_000
    assert crossed / total > 0.99


def batchim(word: str) -> int:
    return (ord(word[-1]) - 0xAC00) % 28


def test_particles_follow_the_final_consonant(tokenized, generator):
    """An independent rule: closed syllables take 은 이 을 과 으로, open ones 는 가 를 와 로."""
    kinds = ("name", "person", "family", "animal", "noun", "place", "transport", "tool")
    nouns = {e.ko for e in generator.read_lexicon() if e.kind in kinds} | {"저", "우리", "##들"}
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


def test_a_sentence_keeps_one_level_of_politeness(tokenized):
    for pair, src, _ in tokenized:
        polite = src[-2] in {"##니다", "##습니다", "##니까", "##습니까", "##입니다", "##입니까",
                             "##요", "##어요", "##예요", "##이에요", "##에요", "##시오", "##시다",
                             "##이세요", "##이십니다"}  # fmt: skip
        humble, familiar = {"저", "제"} & set(src), {"나", "내", "너"} & set(src)
        assert not (humble and not polite) and not (familiar and polite), pair.src


def test_articles_fit_the_sound_that_follows(tokenized):
    for pair, _, tgt in tokenized:
        for article, word in zip(tgt, tgt[1:]):
            vowel = word[0].lower() in "aeiou" and not word.startswith(("uni", "one", "use"))
            if article in ("a", "an"):
                assert (article == "an") == vowel, pair.tgt


def test_times_agree_with_tenses(tokenized):
    for pair, src, tgt in tokenized:
        words = set(tgt)
        if src[0] in ("어제", "그저께", "어젯밤", "지난") and not {"that", "who"} & words:
            assert "will" not in words, pair
        if {"내일", "모레", "이번", "다음"} & set(src):
            assert words & {"will", "must", "want"}, pair
        if "지금" in src:
            assert words & {"is", "are", "am"} and "##고" in src, pair


def test_the_easy_subset_is_small_and_its_lengths_are_flat(corpora, vocabularies):
    src, tgt = vocabularies["ko-en-easy"]
    assert len(src) < 120 and len(tgt) < 120
    lengths = [len(src.tokenize(pair.src)) for pair in corpora["ko-en-easy"].test]
    assert min(lengths) == 4 and max(lengths) == 50
    for low, high in ((4, 10), (11, 20), (21, 30), (31, 40), (41, 50)):
        assert sum(low <= length <= high for length in lengths) == 100


def test_the_full_corpus_has_all_lengths_and_constructions(regenerated):
    lengths = Counter(len(row.tokens) for row in regenerated["train"])
    assert set(lengths) == set(range(3, 51))
    kinds = Counter(row.kind for name in ("train", "test") for row in regenerated[name])
    assert set(kinds) == {
        "clause", "modal", "weather", "adjective", "copula", "existence", "relative", "sequence",
        "adverbial", "purpose", "reported", "coordination", "question", "command",
    }  # fmt: skip
    readme = (Path(HERE).parent / "README.md").read_text(encoding="utf-8")
    for kind, count in kinds.items():
        assert count > 50 and re.search(rf"\b{kind}\b", readme), kind
