"""Tables as people have them: each is read as it was meant, or refused with what to do about it."""

import csv
import io
import os
import unicodedata
import warnings
from pathlib import Path

import pytest

from attnlib.data import Corpus, CorpusError, CorpusWarning, Pair, load_corpus
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
        lines_of(end="\r\n\r\n"),
        "\ufeff" + lines_of(SENTENCES[:20]) + "\ufeff" + lines_of(SENTENCES[20:]),
        unicodedata.normalize("NFD", lines_of()),
        lines_of().replace("문장 ", "\u200b문장\u00a0 "),
    ],
    ids=["blank-end", "blanks", "CRLF-blanks", "two-BOMs", "NFD", "unseen"],
)
def test_what_cannot_be_seen_changes_no_pair(write, content: str) -> None:
    assert every(load_corpus(write(content))) == PAIRS


@pytest.mark.parametrize("name", ["fra.txt", "DATA.TSV"])
def test_a_table_is_known_by_its_ending_in_letters_of_any_size(write, name: str) -> None:
    corpus = load_corpus(write(lines_of(), name))
    assert every(corpus) == PAIRS and corpus.name == name[:-4]


@pytest.mark.parametrize(("mark", "end"), [(",", "\n"), (";", "\r\n")])
def test_csv_is_read_as_the_csv_module_wrote_it(write, mark: str, end: str) -> None:
    sentences = [*SENTENCES, ('he said "a, b; c"', "'quoted', \"twice\""), ("over\ntwo", "lines")]
    with io.StringIO() as file:
        csv.writer(file, delimiter=mark, lineterminator=end).writerows(sentences)
        content = file.getvalue()
    expected = sorted([*PAIRS, Pair(*sentences[-2]), Pair("over two", "lines")])
    assert every(load_corpus(write(content, "mine.csv"))) == expected


@pytest.mark.parametrize("cell", ["{}, {}", '"{}, {}; {}"'])
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
        ("ko", "en"),
        ("한국어", "영어"),
        ("English words/sentences", "French words"),
    ],
)
def test_a_first_row_that_names_the_columns_is_left_out_and_reported(write, header) -> None:
    corpus, warning = noted(write(lines_of([header, *SENTENCES])))
    assert every(corpus) == PAIRS
    assert warning == f"line 1 ({header[0]} and {header[1]}) names the columns and is left out"


@pytest.mark.parametrize(
    "first",
    [
        ("It is.", "Es ist."),
        ("Where is the English text?", "Wo ist der englische Text?"),
    ],
)
def test_a_first_row_of_sentences_is_a_pair(write, first) -> None:
    assert Pair(*first) in every(load_corpus(write(lines_of([first, *SENTENCES]))))


def excel(cell: str) -> str:
    """A cell as Excel writes it into "Text (tab delimited)"."""
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in '",\t\n') else cell


def test_quotes_around_cells_are_taken_off_where_all_are_written_so(write) -> None:
    sentences = [*SENTENCES, ('he said "no"', "a, b"), ('""a" b', "odd")]
    content = "".join(f'{excel(src)}\t{excel(tgt)}\tof "me"\r\n' for src, tgt in sentences)
    corpus, warning = noted(write(content))
    assert every(corpus) == sorted([*PAIRS, *(Pair(*each) for each in sentences[-2:])])
    assert warning == "the quotes around cells, as in line 41, are taken off"


def test_a_table_of_which_every_cell_is_quoted_loses_the_quotes_and_an_empty_cell_is_empty(
    write,
) -> None:
    content = "".join(f'"{src}"\t"{tgt}"\n' for src, tgt in SENTENCES)
    assert every(noted(write(content))[0]) == PAIRS
    assert "1 row lacks a target (line 41)" in refused(write(content + '"문장"\t""\n'))


@pytest.mark.parametrize("other", ['"No," he said.', '"a" and "b"', '"'])
def test_quotes_stay_where_one_cell_has_others(write, other: str) -> None:
    sentences = [*SENTENCES, ('"Halt!"', '"Stop!"'), ("문장", other + " x")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = load_corpus(write(lines_of(sentences)))
    assert every(corpus) == sorted([*PAIRS, *(Pair(*each) for each in sentences[-2:])])


# Refused -----------------------------------------------------------------------------------------


def without(lines: dict[int, str]) -> str:
    """The table with some lines in the place of others, by their number."""
    return "".join(
        lines.get(n, f"{src}\t{tgt}") + "\n" for n, (src, tgt) in enumerate(SENTENCES, 1)
    )


def test_all_rows_that_lack_something_are_named_in_one_sentence(write) -> None:
    three = dict.fromkeys((7, 21, 34), "문장\t")
    path = write(without({**three, 3: "no tab", 9: "\tx", 10: "\ty"}))
    assert refused(path) == (
        f"{path}: 1 row lacks a tab (line 3), 3 rows lack a target (lines 7, 21, 34), 2 rows lack "
        "a source (lines 9, 10); write source<TAB>target or remove these lines"
    )
    path = write(without({21: "문장\t\u200b\tlicence"}))
    assert refused(path).startswith(f"{path}: 1 row lacks a target (line 21); write ")
    many = refused(write(without(dict.fromkeys(range(10, 31), "no tab"))))
    assert "21 rows lack a tab (lines 10, 11, 12, 13, 14 and 16 more)" in many
    assert "lack a second column" in refused(write("a b\nc d\n", "mine.csv"))


@pytest.mark.parametrize(
    ("row", "column", "text"),
    [
        ("{n}\t{src}\t{m}\t{tgt}", 1, "2 and 4"),  # as Tatoeba writes its sentence pairs
        ("{src}\t\t{tgt}", 2, "1 and 3"),
    ],
)
@pytest.mark.parametrize("header", ["", "번호\tKorean sentence\tother\tmore\n"])
def test_a_side_of_ids_or_nothing_is_refused_where_other_columns_hold_the_text(
    write, row: str, column: int, text: str, header: str
) -> None:
    sides = [row.format(n=n, m=900 + n, src=src, tgt=tgt) for n, (src, tgt) in enumerate(SENTENCES)]
    message = refused(write(header + "\n".join(sides)))
    assert f"column {column} has no sentences (numbers, nothing, or the same in" in message
    assert message.endswith(f"; keep columns {text}")


def test_a_table_of_which_all_pairs_share_a_sentence_is_refused(write) -> None:
    error = refused(write(lines_of([("eng", src) for src, _ in SENTENCES])))
    assert "has 1 unrelated sentence pairs, for its 40 pairs share sentences; at least 3" in error


def test_numbers_that_are_to_be_translated_are_only_noted(write) -> None:
    corpus, warning = noted(write(lines_of([(str(n), f"number {n}") for n in range(30)])))
    assert len(every(corpus)) == 30 and warning == "every source is a number alone, or the same"
    load_corpus(write(lines_of([("1", "one"), ("2", "two"), *SENTENCES])))  # a few are no index


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("corpus.dat", "rename it to corpus.tsv if its lines are source<TAB>target"),
        ("table.xlsx", "unpack it, or save its sheet as CSV UTF-8"),
    ],
)
def test_the_error_for_a_file_that_is_no_table_by_its_name_gives_the_remedy(
    write, name: str, remedy: str
) -> None:
    error = refused(path := write(lines_of(), name))
    assert error.startswith(f"{path}: a table's name ends in .tsv, .txt, .csv") and remedy in error


def test_a_misspelt_name_is_still_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'multi30k-de-en'?" in refused("multi30k-de")
    assert "got ''" in refused("")
    assert "is a folder" in refused(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00\xff", "a ZIP file or a spreadsheet; unpack it, or save"),
        (b"\n<!DOCTYPE html>\n<html>", "a web page; download the file itself"),
        ("한국어\tKorean\n".encode("cp949"), "line 1: byte 0xc7 is not UTF-8"),
    ],
)
def test_what_is_no_text_in_utf_8_is_named_for_what_it_is(write, content: bytes, words) -> None:
    assert words in refused(write(content))


@pytest.mark.parametrize("content", ['a,b\n"c" d,e\n', 'a,b\nc,"d\n', f"a,b\nc,{'d' * 200_000}\n"])
def test_csv_that_is_none_is_one_sentence(write, content: str) -> None:
    message = refused(write(content, "mine.csv"))
    assert "this is not CSV" in message and "save it anew, or as a .tsv" in message


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("name", ["mine.tsv", "mine.csv"])
def test_a_pipe_a_device_or_a_folder_is_never_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for make in (
        lambda: os.mkfifo(path),
        lambda: path.symlink_to("/dev/zero"),
        lambda: path.symlink_to(tmp_path),
    ):
        make()
        assert f"{path} cannot be read: it is a folder, a pipe or a device" in refused(path)
        path.unlink()


# Splits ------------------------------------------------------------------------------------------


def test_pairs_that_are_the_same_after_normalization_share_a_split(write) -> None:
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


def test_a_group_that_is_larger_than_a_test_set_should_be_is_reported(write) -> None:
    labels = [(f"sentence {n}", f"label {n % 5}") for n in range(200)]
    path = write(lines_of(labels))
    with pytest.warns(CorpusWarning) as caught:
        corpus = load_corpus(path)
    assert len(corpus.test) == len(corpus.valid) == 40
    assert sorted(str(one.message) for one in caught) == [
        f"{path}: {name} has 40 of 200 pairs, not 10: 40 pairs that share sentences stay together"
        for name in ("test", "valid")
    ]
