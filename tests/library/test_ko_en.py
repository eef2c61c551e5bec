"""The bundled Korean-English corpus: what its README promises, checked on every pair."""

import hashlib
import itertools
import re
import sys
import types
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


def test_packed_files_hold_neither_time_nor_name_and_are_small(corpora):
    packed = sorted(HERE.glob("*.tsv.gz"))
    assert len(packed) == 10
    for path in packed:
        head = path.read_bytes()[:10]
        assert head[3] == 0 and head[4:8] == b"\0\0\0\0", path.name
    for corpus in corpora.values():
        assert {"train", "valid", "test", "test_composition"} <= set(corpus.splits)
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < 7_000_000


@thorough
def test_the_pieces_file_lists_the_tokens_of_the_corpus(generator, regenerated):
    assert tuple(generator.piece_list(regenerated)) == load_corpus("ko-en").src_pieces


@thorough
def test_the_tokenising_rule_recovers_the_tokens_that_the_grammar_meant(regenerated, tokenized):
    tokens = {pair.src: tuple(src) for pair, src, _ in tokenized}
    for rows in regenerated.values():
        for row in rows:
            assert tokens[row.korean] == row.tokens, row.korean


@thorough
def test_a_clause_ends_where_the_table_ends_it(regenerated):
    for rows in regenerated.values():
        for row in rows:
            ends = [int(end) for end in row.clauses.split()]
            assert ends == sorted(set(ends)) and ends[-1] == len(row.tokens), row.korean


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


def test_every_word_of_every_test_occurs_in_training(corpora, vocabularies, tokenized):
    rows = iter(tokenized)
    for name, corpus in corpora.items():
        known = [set(vocabulary.tokens) for vocabulary in vocabularies[name]]
        for pair, src, tgt in itertools.islice(rows, sum(map(len, corpus.splits.values()))):
            assert set(src) <= known[0] and set(tgt) <= known[1], pair
    assert next(rows, None) is None


def test_every_word_of_the_lexicon_occurs(generator, tokenized):
    seen = {token.removeprefix("##") for _, src, _ in tokenized for token in src}
    kinds = ("name", "person", "family", "animal", "noun", "place", "number")
    missing = [e.ko for e in generator.read_lexicon() if e.kind in kinds and e.ko not in seen]
    assert len(missing) <= 30, missing  # spare words, for scenes to come


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


def test_articles_and_marks_are_never_surely_linked_but_for_an_a_that_counts(tokenized):
    for pair, src, tgt in tokenized:
        for j, t in pair.links.sure:
            assert tgt[t] not in {"the", ".", "?", ","}, (pair, tgt[t])
            if tgt[t] in {"a", "an"}:  # 사과 한 개, an apple; 일주일에 두 번, twice a week
                assert src[j] in {"한", "어떤", "일주일"}, (pair, tgt[t])


class Linked:
    """A row's links: which Korean tokens stand for an English one, surely or possibly."""

    def __init__(self, row):
        self.ko, self.en, self.text = row.tokens, row.target, row.korean
        self.sure, self.possible = {}, {}
        for link in row.links.split():
            source, sign, target = re.fullmatch(r"(\d+)([-?])(\d+)", link).groups()
            self.possible.setdefault(int(target), set()).add(int(source))
            if sign == "-":
                self.sure.setdefault(int(target), set()).add(int(source))

    def words(self, *english):
        """Where these English words stand, each with the Korean tokens it is surely linked to."""
        for t, word in enumerate(self.en):
            if word.lower() in english:
                yield t, {self.ko[j] for j in self.sure.get(t, ())}


@pytest.fixture(scope="module")
def linked(regenerated):
    return [Linked(row) for rows in regenerated.values() for row in rows]


@thorough
def test_a_subject_or_object_particle_is_linked_with_its_noun_and_only_possibly(linked):
    met = 0
    for row in linked:
        for j, token in enumerate(row.ko):
            last = row.ko[j + 1 : j + 2]
            if token in ("##을", "##를", "##이", "##가") and not last[0].startswith("##"):
                with_it = [t for t, sources in row.possible.items() if j in sources]
                assert not any(j in row.sure.get(t, ()) for t in with_it), (row.text, token)
                noun = {j - 1, j - 2, j - 3}  # 장갑 두 켤레를: its noun or its counter
                assert any(noun & row.possible[t] for t in with_it), (row.text, row.ko[j - 1])
                met += 1
    assert met > 60_000


@thorough
def test_words_that_only_help_are_never_surely_linked(linked):
    """*of* has no Korean word, *did* and *does* only where they are the verb *do*."""
    for row in linked:
        for _, sure in row.words("of"):
            assert not sure, row.text
        for t, sure in row.words("did", "does"):  # but for *do* itself: did the laundry, did well
            assert not sure or row.en[t + 1] not in ("not", "you") and len(sure) <= 2, row.text


# Particles that say *to* before a noun, and the endings that say it of a purpose.
TOWARDS = {"##에", "##에게", "##한테", "##께", "##로", "##으로", "##까지"}
PURPOSE = {"##러", "##려고"}
# After these words *to* marks an infinitive and says nothing of its own.
INFINITIVE = (
    r"want(s|ed)?|decide[sd]?|ha(ve|s|d)|start(s|ed)?|beg[ai]n|supposed|going|learn(s|ed)?|likes?"
)


def wrong_to(row):
    """What breaks the rule of *to*: sure with a particle, or with -(으)러 and -(으)려고 where it is
    a purpose; the *to* of an infinitive is only possible. None if nothing does."""
    purposes = 0
    for t, sure in row.words("to"):
        purposes += bool(sure & PURPOSE)
        if not sure <= TOWARDS | PURPOSE:
            return f"to = {sure}"
        if sure & PURPOSE and re.fullmatch(INFINITIVE, row.en[t - 1]):
            return f"{row.en[t - 1]} to = {sure}"
    said_for = sum(bool(sure & PURPOSE) for _, sure in row.words("for"))
    pairs = zip(row.ko, row.ko[1:])  # -(으)려고 하다 is no purpose: was going to
    if purposes + said_for != sum(a in PURPOSE and not re.match("하|했", b) for a, b in pairs):
        return "a purpose whose ending is not surely linked"
    return None


@thorough
def test_to_is_surely_linked_where_it_is_a_particle_or_a_purpose_and_only_there(linked):
    met = Counter()
    for row in linked:
        assert wrong_to(row) is None, (row.text, row.en, wrong_to(row))
        for _, sure in row.words("to"):
            met["purpose" if sure & PURPOSE else "particle" if sure else "infinitive"] += 1
    assert all(met[kind] > 500 for kind in ("purpose", "particle", "infinitive")), met


@pytest.mark.parametrize(
    ("links", "wrong"),
    [
        ("0-3 1?2 2-1", "a purpose whose ending is not surely linked"),  # went to buy, possible
        ("0-3 1-2 2-1", None),
        ("0-2 1-3 2-1", "to = {'사'}"),
    ],
)
def test_the_rule_of_to_is_seen_to_fail(links, wrong):
    row = types.SimpleNamespace(
        tokens=("사", "##러", "가"), target=("I", "went", "to", "buy"), korean="", links=links
    )
    assert wrong_to(Linked(row)) == wrong


@thorough
def test_a_sentence_of_a_story_has_one_reason_and_is_no_chain(regenerated):
    met = 0
    for name, rows in regenerated.items():
        for row in rows if name != "test_written" else ():
            if row.kind == "story":
                for sentence in " ".join(row.tokens).split(" ."):
                    assert sentence.split().count("##서") <= 1, row.korean
                sentences = row.english.split(". ")
                for sentence in sentences:
                    assert sentence.count(", so ") + sentence.count(", but ") <= 2, row.english
                    met += 1
                for word in ("so", "but"):
                    pattern = rf"^{word} |, {word} "
                    said = [bool(re.search(pattern, s, re.IGNORECASE)) for s in sentences]
                    assert not any(map(all, zip(said, said[1:]))), row.english
    assert met > 30_000


def test_who_goes_somewhere_together_acts_together(generator):
    """I went with Hyunwoo; then *we* ate. Korean has no word for it."""
    speech = generator.Speech(generator.Dice(7), generator.Lexicon(generator.read_lexicon()))
    scenes = [scene for scene in speech.scenes if scene.name == "restaurant"]
    told = 0
    while told < 50:
        speech.start()
        draft = speech.story(5, scenes)
        if draft is None:
            continue
        row = generator.rendered(draft)
        first, *rest = row.english.split(". ")
        together = " with " in first or "we" in first.lower().split()
        assert together and "with" not in " ".join(rest), row.english
        for sentence in rest:
            assert re.match("(We|They|But it|It|So (we|they)|The)\\b", sentence), row.english
        assert "그들" not in row.korean and row.korean.count("우리") <= 2, row.korean
        told += 1


@thorough
def test_nobody_of_the_speaker_s_family_is_with_his_own_family(regenerated):
    mine = r"\bmy (older |younger )?(mother|father|sister|brother|grand\w+|uncle|aunt)\b"
    for rows in regenerated.values():
        for row in rows:
            if re.match(rf"(\w+ \w+, )?{mine}", row.english, re.IGNORECASE):
                assert not re.search(r"\bwith (his|her) family", row.english), row.english


# What a preposition may stand for, beside a particle: a word that says where or how, or the verb
# of which it is a part (came back *in*, put *on*).
SAYS_WHERE = r"앞|안|속|위|아래|밑|옆|근처|때문|뒤|전|중|오랜만|함께|같이|위해|통해"
PART_OF_VERB = (
    r"들러|들르[가-힣]*|들어[가-힣]*|입[가-힣]*|켜[가-힣]*|켰|켤|켭|가|갔|갈"
    r"|[가-힣]*하[가-힣]*|[가-힣]*했|[가-힣]*할"
)


@thorough
def test_a_preposition_is_surely_linked_to_a_particle_or_to_a_word_of_place(linked):
    met = Counter()
    for row in linked:
        for t, sure in row.words("in", "into", "from", "by"):
            for token in sure - {"처음", "##와", "새벽"}:
                fits = token.startswith("##") or re.fullmatch(f"{SAYS_WHERE}|{PART_OF_VERB}", token)
                assert fits, (row.text, row.en[t], token)
                met[row.en[t]] += 1
    assert all(met[word] > 100 for word in ("in", "from", "by")), met


@thorough
def test_in_of_early_in_the_morning_has_no_korean_word_of_its_own(linked):
    met = 0
    for row in linked:
        for t, sure in row.words("in"):
            if row.en[t - 1 : t + 3] == ("early", "in", "the", "morning"):
                assert not sure, row.text
                assert any(row.ko[j] == "아침" for j in row.possible[t]), row.text
                met += 1
    assert met > 500


@thorough
def test_the_second_word_of_a_verb_is_surely_linked_to_the_verb(linked):
    """throw *away* is 버리다, turn *on* 켜다, turn *off* 끄다, pick *up* 줍다."""
    verbs = {
        ("throw", "away"): "버[가-힣]*",
        ("threw", "away"): "버[가-힣]*",
        ("turn", "on"): "켜[가-힣]*|켰|켤|켭",
        ("turned", "on"): "켜[가-힣]*|켰",
        ("turn", "off"): "끄[가-힣]*|껐|끌|끕|꺼[가-힣]*",
        ("turned", "off"): "끄[가-힣]*|껐",
        ("picked", "up"): "줍|주웠|주워|주우[가-힣]*",
    }
    met = Counter()
    for row in linked:
        for t, sure in row.words("away", "on", "off", "up"):
            verb = verbs.get(row.en[t - 1 : t + 1])
            if verb:
                assert any(re.fullmatch(verb, token) for token in sure), (row.text, sure)
                met[row.en[t - 1 : t + 1]] += 1
    assert set(met) == set(verbs), met


@thorough
def test_not_have_to_and_will_are_surely_linked_to_what_expresses_them(linked):
    met = Counter()
    for row in linked:
        for t, sure in row.words("not", "have", "has", "will", "if"):
            word = row.en[t].lower()
            met[word] += 1
            if word == "not":
                denies = r"(##)?(않|안|못|말|없|마|아니|아닙)[가-힣]*"
                assert any(re.fullmatch(denies, token) for token in sure), (row.text, sure)
            elif word in ("have", "has") and "##야" in sure:
                # -아야 하다: the obligation, and who says it and when
                assert row.en[t + 1] == "to" and len(sure) == 2, (row.text, sure)
                met["to"] += 1
            elif word == "will":  # said once in Korean, at the end
                assert all(re.fullmatch("것|거|##겠", token) for token in sure), (row.text, sure)
            elif word == "if":
                assert sure & {"##면", "##도", "와"}, (row.text, sure)
    assert all(met[word] > 100 for word in ("not", "to", "will")), met


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


@thorough
def test_a_sentence_keeps_one_level_of_politeness(regenerated):
    for name, rows in regenerated.items():
        for row in rows if name != "test_written" else ():
            ends = [a for a, b in zip(row.tokens, row.tokens[1:]) if b in (".", "?")]
            polite = {end.endswith(("니다", "니까", "요", "시오", "시다")) for end in ends}
            assert len(polite) == 1, row.korean
            pairs = zip(row.tokens, row.tokens[1:])
            words = {a for a, b in pairs if b not in ("##지", "##고")}  # 내지 않았다 is no "my"
            assert not ({"저", "제"} & words and False in polite), row.korean
            mine = {a for a, b in zip(row.tokens, row.tokens[1:]) if b in ("##는", "##도")}
            assert not ({"내", "너"} & words and True in polite), row.korean
            assert not ("나" in mine and True in polite), row.korean


@thorough
def test_giving_to_an_elder_is_expressed_with_deurida(regenerated):
    """할머니께 드렸다, never 줬다."""
    met = 0
    for rows in regenerated.values():
        for row in rows:
            for part in row.parts():
                words = part.split()
                if "##께" in words:
                    given = r"(빌려|보여|사|지어)?(주|줬|줄|줘|준)"
                    assert not any(re.fullmatch(given, word) for word in words), row.korean
                    met += any("드리" in word or "드렸" in word for word in words)
    assert met > 30


@thorough
def test_a_compound_with_hada_is_denied_after_its_stem(regenerated, generator):
    """공부하지 못했다, never 못 공부했다."""
    verbs = [e.ko for e in generator.read_lexicon() if e.kind == "verb" and e.ko[-1] == "하"]
    stems = tuple(stem[:-1] + end for stem in verbs if len(stem) > 1 for end in "하했해합한할")
    met = 0
    for rows in regenerated.values():
        for row in rows:
            for before, token in zip(row.tokens, row.tokens[1:]):
                if before == "못":
                    assert not token.startswith(stems), row.korean
                met += before == "##지" and token.startswith("못")
    assert met > 5


@thorough
def test_what_is_compared_in_size_differs_in_size(regenerated, generator):
    """코끼리는 오리보다 더 큽니다."""
    entries = generator.read_lexicon()
    sizes = {e.ko: int(e.more["size"]) for e in entries if "size" in e.more}
    met = 0
    for row in regenerated["train"]:
        one, two = row.tokens[0], row.tokens[2]
        compared = row.kind == "comparison" and {"bigger", "smaller"} & set(row.target)
        if compared and one in sizes and two in sizes:
            assert ("bigger" in row.target) == (sizes[one] > sizes[two]), row.korean
            met += 1
    assert met > 20


@thorough
def test_nobody_flies_to_where_there_is_no_airport(regenerated, generator):
    there = {e.ko for e in generator.read_lexicon() if "air-place" in e.classes}
    met = 0
    for rows in regenerated.values():
        for row in rows:
            for part in row.parts():
                words = part.split()
                if "비행기" in words and any(w[0] in "가갔갈간" for w in words):
                    assert there & set(words), row.korean
                    met += 1
    assert met > 50


@thorough
def test_one_before_a_counter_is_surely_its_article(regenerated):
    """고양이 한 마리 is a cat: "a" stands for 한, also in the sentences that no grammar made."""
    counters = {
        "개",
        "권",
        "마리",
        "명",
        "잔",
        "조각",
        "시간",
        "켤레",
        "대",
        "통",
        "장",
        "달",
        "곡",
    }
    met = Counter()
    for name, rows in regenerated.items():
        for row in rows:
            sure = {tuple(map(int, link.split("-"))) for link in row.links.split() if "-" in link}
            for j, (token, after) in enumerate(zip(row.tokens, row.tokens[1:])):
                if token == "한" and after in counters:
                    targets = {row.target[t] for k, t in sure if k == j}
                    assert targets & {"a", "an", "A", "An", "one"}, (row.korean, targets)
                    met[name == "test_written"] += 1
    assert met[True] >= 5 and met[False] > 100


def test_articles_fit_the_sound_that_follows(tokenized):
    for pair, _, tgt in tokenized:
        for article, word in zip(tgt, tgt[1:]):
            vowel = word[0].lower() in "aeiou" and not word.startswith(("uni", "one", "use"))
            vowel = vowel or word == "hour"
            if article in ("a", "an"):
                assert (article == "an") == vowel, pair.tgt


@thorough
def test_a_stands_before_no_plural(regenerated, generator):
    nouns = [e for e in generator.read_lexicon() if e.kind in ("noun", "animal", "person")]
    plurals = {e.plural() for e in nouns} - {e.en for e in nouns}
    for rows in regenerated.values():
        for row in rows:
            for article, word in zip(row.target, row.target[1:]):
                assert article not in ("a", "an") or word not in plurals, row.english


@thorough
def test_times_agree_with_tenses(regenerated):
    for name, rows in regenerated.items():
        for row in rows if name != "test_written" else ():
            words, first = {w.lower() for w in row.target}, row.tokens[0]
            if first in ("어제", "그저께", "지난") and row.kind not in ("reported", "question"):
                assert not {"will", "won't"} & words, row.korean
            if (
                first in ("내일", "모레") and row.kind == "clause"
            ):  # is going to meet, has a meeting
                future = {"will", "won't", "have", "has", "is", "am", "are"}
                assert future & words, row.korean


def test_neither_british_spelling_nor_a_number_before_one_thing(tokenized):
    british = {"colour", "neighbour", "theatre", "cinema", "film", "practise", "biscuit"}
    for pair, _, tgt in tokenized:
        assert not british & set(tgt), pair
        for before, word in zip(tgt, tgt[1:]):
            after_one = {"yesterday", "tomorrow", "every", ".", ",", "of"}
            assert before != "one" or word in after_one, pair


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
