"""Tables as people have them: each is read as it was meant, or refused with what to do about it."""

import csv
import io
import os
import unicodedata
import warnings
from pathlib import Path

import pytest

from attnlib.data import Corpus, CorpusError, CorpusWarning, Pair, load_corpus
from attnlib.data.sources import rows
from attnlib.data.text import normalize

SENTENCES = [(f"문장 {n} 입니다", f"this is sentence {n}") for n in range(40)]
PAIRS = sorted(Pair(*sides) for sides in SENTENCES)


def lines_of(sentences=SENTENCES, start: str = "", end: str = "\n") -> str:
    return "".join(f"{start}{src}\t{tgt}{end}" for src, tgt in sentences)


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str | bytes, name: str = "mine.tsv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def every(corpus: Corpus) -> list[Pair]:
    return sorted(pair for pairs in corpus.splits.values() for pair in pairs)


def noted(path: Path) -> tuple[Corpus, str]:
    """The corpus, and the one warning that reading it gave."""
    with pytest.warns(CorpusWarning) as caught:
        corpus = load_corpus(path)
    (one,) = caught
    assert str(one.message).startswith(f"{path}: ") and "\n" not in str(one.message)
    return corpus, str(one.message).removeprefix(f"{path}: ")


def refused(path: Path | str) -> str:
    with pytest.raises(CorpusError) as caught:
        load_corpus(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# Read as it was meant ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        lines_of() + "\n",
        "\n \n" + lines_of(end="\n\n\u3000\n") + "\t\n",
        lines_of(end="\r"),
        lines_of(end="\r").removesuffix("\r"),
        lines_of(SENTENCES[:-1], end="\r") + lines_of(SENTENCES[-1:], end="\r\n"),
        lines_of(end="\r\n\r\n"),
        "\ufeff" + lines_of(SENTENCES[:20]) + "\ufeff" + lines_of(SENTENCES[20:]),
        unicodedata.normalize("NFD", lines_of()),
        lines_of().replace("문장 ", "\u200b문장\u00a0 "),
    ],
    ids=[
        "blank-end",
        "blanks",
        "CR",
        "CR-but-last",
        "CR-then-CRLF",
        "CRLF-blanks",
        "two-BOMs",
        "NFD",
        "unseen",
    ],
)
def test_what_cannot_be_seen_changes_no_pair(write, content: str) -> None:
    assert every(load_corpus(write(content))) == PAIRS


@pytest.mark.parametrize("name", ["fra.txt", "DATA.TSV", "data.Tsv", "DATA.TXT"])
def test_a_table_is_known_by_its_ending_in_letters_of_any_size(write, name: str) -> None:
    corpus = load_corpus(write(lines_of(), name))
    assert every(corpus) == PAIRS and corpus.name == name[:-4]


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_is_read_as_the_csv_module_wrote_it(write, mark: str, end: str) -> None:
    sentences = [*SENTENCES, ('he said "a, b; c"', "'quoted', \"twice\""), ("over\ntwo", "lines")]
    with io.StringIO() as file:
        csv.writer(file, delimiter=mark, lineterminator=end).writerows(sentences)
        content = file.getvalue()
    expected = sorted([*PAIRS, Pair(*sentences[-2]), Pair("over two", "lines")])
    assert every(load_corpus(write(content, "mine.csv"))) == expected


@pytest.mark.parametrize("cell", ["{}, {}", "{}", '"{}, {}; {}"', '"{}; {}"'])
def test_what_stands_between_the_columns_of_a_csv_is_seen_in_all_of_its_lines(write, cell) -> None:
    """Excel writes semicolons where a comma stands in numbers, and then quotes no comma."""
    rows = [
        (cell.format(src, *"ab"), tgt + ", too" * (n % 2)) for n, (src, tgt) in enumerate(SENTENCES)
    ]  # no quotes around the commas
    expected = sorted(Pair(src.strip('"'), tgt) for src, tgt in rows)
    content = "".join(f"{src};{tgt}\n" for src, tgt in rows)
    assert every(load_corpus(write(content, "mine.csv"))) == expected


@pytest.mark.parametrize(
    "header",
    [
        ("source", "target"),
        ("src", "tgt"),
        ("ko", "en"),
        ("Korean", "English"),
        ("원문", "번역문"),
        ("한국어", "영어"),
        ("korean_text", "english_text"),
        ("English words/sentences", "French words"),
        ("Question", "Answer"),
        ("id", "text"),
    ],
)
def test_a_first_row_that_names_the_columns_is_left_out_and_said(write, header) -> None:
    corpus, said = noted(write(lines_of([header, *SENTENCES])))
    assert every(corpus) == PAIRS
    assert said == f"line 1 ({header[0]} and {header[1]}) names the columns and is left out"


@pytest.mark.parametrize(
    "first",
    [
        ("It is.", "Es ist."),
        ("I am Korean.", "Ich bin aus Korea."),
        ("source", "Quelle"),
        ("Where is the English text?", "Wo ist der englische Text?"),
    ],
)
def test_a_first_row_of_sentences_is_a_pair(write, first) -> None:
    assert Pair(*first) in every(load_corpus(write(lines_of([first, *SENTENCES]))))


def test_the_header_of_a_csv_is_no_pair_either(write) -> None:
    corpus, said = noted(write("Korean,English\n" + lines_of().replace("\t", ","), "mine.csv"))
    assert every(corpus) == PAIRS and "names the columns" in said


def excel(cell: str) -> str:
    """A cell as Excel writes it into "Text (tab delimited)"."""
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in '",\t\n') else cell


def test_quotes_around_cells_are_taken_off_where_all_are_written_so(write) -> None:
    sentences = [*SENTENCES, ('he said "no"', "a, b"), ('""a" b', "odd")]
    content = "".join(f"{excel(src)}\t{excel(tgt)}\r\n" for src, tgt in sentences)
    corpus, said = noted(write(content))
    assert every(corpus) == sorted([*PAIRS, *(Pair(*each) for each in sentences[-2:])])
    assert said == "the quotes around cells, as in line 41, are taken off"


def test_a_table_of_which_every_cell_is_quoted_loses_the_quotes_and_an_empty_cell_is_empty(
    write,
) -> None:
    content = "".join(f'"{src}"\t"{tgt}"\n' for src, tgt in SENTENCES)
    assert every(noted(write(content))[0]) == PAIRS
    assert "line 41: the target is empty" in refused(write(content + '"문장"\t""\n'))


@pytest.mark.parametrize("other", ['"No," he said.', 'he said "no"', '"a" and "b"', 'a "', '"'])
def test_quotes_stay_where_one_cell_has_others(write, other: str) -> None:
    sentences = [*SENTENCES, ('"Halt!"', '"Stop!"'), ("문장", other + " x")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = load_corpus(write(lines_of(sentences)))
    assert every(corpus) == sorted([*PAIRS, *(Pair(*each) for each in sentences[-2:])])


def test_where_some_quotes_are_a_spreadsheets_and_some_are_not_that_is_said(write) -> None:
    sentences = [*SENTENCES, ("문장", '"He said ""no"""'), ("다른 문장", 'he said "no"')]
    corpus, said = noted(write(lines_of(sentences)))
    assert Pair(*sentences[-2]) in every(corpus)
    assert "line 41 has quotes as a spreadsheet" in said and "line 42 has others" in said


@pytest.mark.parametrize("entity", ["&quot;", "&#39;", "&#x27;", "&amp;", "&lt;"])
def test_html_entities_are_named_once(write, entity: str) -> None:
    more = [(f"문장 {entity} {n}", "other") for n in range(3)]
    _, said = noted(write(lines_of([*SENTENCES, *more])))
    assert said.startswith(f"it has HTML entities ({entity} in line 41), learnt as they are")


def test_an_ampersand_is_no_entity(write) -> None:
    load_corpus(write(lines_of([*SENTENCES, ("R&D; Q&A", "AT&T;")])))


# Refused -----------------------------------------------------------------------------------------


def without(lines: dict[int, str]) -> str:
    """The table with some lines in the place of others, by their number."""
    return "".join(
        lines.get(n, f"{src}\t{tgt}") + "\n" for n, (src, tgt) in enumerate(SENTENCES, 1)
    )


def test_all_rows_that_lack_something_are_named_in_one_sentence(write) -> None:
    three = dict.fromkeys((7, 21, 34), "문장\t")
    assert refused(path := write(without(three))) == (
        f"{path}: 3 rows lack a target (lines 7, 21, 34); fill it in or remove these lines"
    )
    assert "line 21: the target is empty; fill it in or remove the line" in refused(
        write(without({21: "문장\t\u200b\tlicence"}))
    )
    assert refused(write(without({**three, 3: "no tab", 9: "\tx", 10: "\ty"}))) == (
        f"{path}: 1 row lacks a tab (line 3), 3 rows lack a target (lines 7, 21, 34), 2 rows lack "
        "a source (lines 9, 10); write source<TAB>target or remove these lines"
    )
    many = refused(write(without(dict.fromkeys(range(10, 31), "no tab"))))
    assert "21 rows lack a tab (lines 10, 11, 12, 13, 14 and 16 more)" in many


def test_a_file_without_any_tab_is_told_so_and_not_line_by_line(write) -> None:
    text = "".join(f"{src} {tgt}\n" for src, tgt in SENTENCES)
    assert refused(path := write(text)) == f"{path}: no row has a tab; write source<TAB>target"
    assert "no row has a second column" in refused(write(text, "mine.csv"))


@pytest.mark.parametrize(
    ("broken", "line"),
    [({5: '문장\t"one', 6: 'two"'}, 5), ({5: '"하나', 6: '둘"\tone two'}, 5)],
)
def test_a_cell_that_goes_on_in_the_next_line_is_named(write, broken, line: int) -> None:
    assert f"a cell of line {line} seems to go on in the next" in refused(write(without(broken)))


def test_a_line_without_a_tab_between_others_is_no_broken_cell(write) -> None:
    assert "go on" not in refused(write(without({5: "no tab"})))


def pandas_like(index: bool, header: bool) -> str:
    """What ``DataFrame.to_csv(sep="\\t")`` writes."""
    first = "\t" * index + "korean\tenglish\n" if header else ""
    return first + "".join(f"{n}\t" * index + f"{s}\t{t}\n" for n, (s, t) in enumerate(SENTENCES))


def test_the_header_and_the_index_of_pandas_are_known_for_what_they_are(write) -> None:
    said = refused(write(pandas_like(index=True, header=True)))
    assert "line 1 looks like the header that pandas writes, and column 1 like its index" in said
    assert said.endswith("write the table with to_csv(…, index=False, header=False)")
    said = refused(path := write(pandas_like(index=True, header=False)))
    assert "column 1 has no sentences (numbers, nothing, or the same in every row)" in said
    assert said.endswith(f"keep columns 2 and 3: cut -f2,3 {path} > text.tsv")
    assert every(noted(write(pandas_like(index=False, header=True)))[0]) == PAIRS


def test_what_the_remedy_writes_is_a_table(write, tmp_path: Path) -> None:
    ids = [(str(n), src, str(900 + n), tgt) for n, (src, tgt) in enumerate(SENTENCES)]
    path = write("".join("\t".join(row) + "\n" for row in ids), "tatoeba's own.tsv")
    said = refused(path)
    assert "keep columns 2 and 4: cut -f2,4 " in said
    command = said.partition(": cut")[2]
    assert os.system(f"cd '{tmp_path}' && cut{command}") == 0
    assert every(load_corpus(tmp_path / "text.tsv")) == PAIRS


def test_ids_under_an_unknown_header_and_in_a_csv_are_found_too(write) -> None:
    header = "번호\tKorean sentence\tother\n"
    assert "keep columns 2 and 3" in refused(write(header + pandas_like(True, False)))
    content = pandas_like(index=True, header=False).replace("\t", ",")
    assert refused(write(content, "mine.csv")).endswith("every row); keep columns 2 and 3")


@pytest.mark.parametrize("gap", ["{}\t\t{}", "\t{}\t{}", "{}\t \t7\t{}", "kor\t{}\teng\t{}"])
def test_columns_of_nothing_are_cut_away_by_the_remedy(write, tmp_path: Path, gap: str) -> None:
    path = write("".join(gap.format(*pair) + "\n" for pair in SENTENCES))
    said = refused(path)
    assert "has no sentences (numbers, nothing, or the same in every row); keep columns" in said
    assert os.system(f"cd '{tmp_path}' && cut{said.partition(': cut')[2]}") == 0
    assert every(load_corpus(tmp_path / "text.tsv")) == PAIRS


def test_a_table_of_which_all_pairs_share_a_sentence_is_told_so(write) -> None:
    said = refused(write(lines_of([("eng", src) for src, _ in SENTENCES])))
    assert "has 1 unrelated sentence pairs, for its 40 pairs share sentences; at least 3" in said


def test_numbers_that_are_to_be_translated_are_only_said(write) -> None:
    corpus, said = noted(write(lines_of([(str(n), f"number {n}") for n in range(30)])))
    assert len(every(corpus)) == 30 and said == "every source is a number alone, or the same"


def test_a_few_numbers_are_no_index(write) -> None:
    load_corpus(write(lines_of([("1", "one"), ("2", "two"), *SENTENCES])))


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("corpus.dat", "rename it to corpus.tsv if its lines are source<TAB>target"),
        ("corpus.TXT.gz", "unpack it first"),
        ("fra-eng.zip", "unpack it first"),
        ("table.xlsx", "save its sheet as CSV UTF-8"),
        ("corpus", "rename it to corpus.tsv"),
    ],
)
def test_a_file_that_is_no_table_by_its_name_is_told_how_to_become_one(
    write, name: str, remedy: str
) -> None:
    said = refused(path := write(lines_of(), name))
    assert said.startswith(f"{path}: a table's name ends in .tsv, .txt, .csv") and remedy in said


@pytest.mark.parametrize("asked", ["my corpus.ko", "my corpus.en", "my corpus"])
def test_the_two_files_of_a_moses_corpus_are_joined_by_the_command_that_is_named(
    write, tmp_path: Path, asked: str
) -> None:
    for side, language in enumerate(("ko", "en")):
        write("".join(pair[side] + "\n" for pair in SENTENCES), f"my corpus.{language}")
    said = refused(tmp_path / asked)
    assert f"{tmp_path / asked} is one side of two" in said
    assert os.system(said.rpartition("both: ")[2]) == 0
    corpus = load_corpus(tmp_path / "my corpus.tsv")
    ko_first = asked.endswith("ko")
    assert every(corpus if ko_first else corpus.swapped()) == PAIRS


def test_a_misspelt_name_is_still_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'multi30k-de-en'?" in refused("multi30k-de")
    assert "got ''" in refused("")
    assert "is a folder" in refused(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00\xff", "a ZIP file or a spreadsheet; unpack it, or save"),
        (b"\x1f\x8b\x08\x00\xff", "packed by gzip; unpack it first"),
        (b"\n<!DOCTYPE html>\n<html>", "a web page; download the file itself"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "git lfs pull"),
        ("한국어\tKorean\n".encode("cp949"), "line 1: byte 0xc7 is not UTF-8"),
        (b"a\tb\rc\td\re\t\xff\r", "line 3: byte 0xff is not UTF-8"),
    ],
)
def test_what_is_no_text_in_utf_8_is_named_for_what_it_is(write, content: bytes, words) -> None:
    assert words in refused(write(content))


@pytest.mark.parametrize("content", ['a,b\n"c" d,e\n', 'a,b\nc,"d\n', f"a,b\nc,{'d' * 200_000}\n"])
def test_csv_that_is_none_is_one_sentence(write, content: str) -> None:
    assert "this is not CSV" in refused(write(content, "mine.csv"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("name", ["mine.tsv", "mine.csv"])
def test_a_pipe_a_device_or_a_folder_is_never_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for make, what in [
        (lambda: os.mkfifo(path), "a pipe or a device"),
        (lambda: path.symlink_to("/dev/zero"), "a pipe or a device"),
        (lambda: path.symlink_to(path), "symbolic links"),
        (lambda: path.symlink_to(tmp_path), "a folder"),
    ]:
        make()
        assert f"{path} cannot be read" in (said := refused(path)) and what in said
        path.unlink()


def test_what_no_memory_holds_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "endless.tsv"
    with open(path, "wb") as file:
        file.truncate(2**40)  # zeros that take no room on the disk
    assert "is larger than 2 GiB" in refused(path)


# Splits ------------------------------------------------------------------------------------------


def test_twins_that_look_the_same_never_part(write) -> None:
    """Of 40 pairs that each stood there twice, once in NFD, 4 of 4 test pairs were in training."""
    ways = (
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: "\u200b" + text,
        lambda text: text.replace(" ", "  "),
        lambda text: text[:2] + "\u00ad" + text[2:],
    )
    for change in ways:
        twins = [(change(src), f"other {tgt}") for src, tgt in SENTENCES]
        corpus = load_corpus(write(lines_of([*SENTENCES, *twins])))
        assert len(corpus.test) >= 4
        held, seen = corpus.test + corpus.valid, corpus.train
        assert not {normalize(p.src) for p in held} & {normalize(p.src) for p in seen}


def test_a_group_that_is_larger_than_a_test_set_should_be_is_said(write) -> None:
    labels = [(f"sentence {n}", f"label {n % 5}") for n in range(200)]
    path = write(lines_of(labels))
    with pytest.warns(CorpusWarning) as caught:
        corpus = load_corpus(path)
    assert len(corpus.test) == len(corpus.valid) == 40
    assert sorted(str(one.message) for one in caught) == [
        f"{path}: {name} has 40 of 200 pairs, not 10: 40 pairs that share sentences stay together"
        for name in ("test", "valid")
    ]


def test_the_rows_of_a_table_carry_their_lines(write) -> None:
    path = write("a\tb\n\n\nc\td\n")
    assert [row.line for row in rows.read_rows(path)] == [1, 4]
