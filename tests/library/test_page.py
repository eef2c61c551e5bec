"""The page of a translator: what its JavaScript computes is what the library computes.

The scripts run in node here; tests/web has them in a browser. Where there is no node, what needs it
is skipped.
"""

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
import torch

from attnlib.data import (
    SubwordVocabulary,
    WordVocabulary,
    bundled_directory,
    load_corpus,
    normalize,
)
from attnlib.data.text import lower_first, upper_first
from attnlib.files import StorageError
from attnlib.model import make_seq2seq
from attnlib.translator import LengthLimit, Translator
from attnlib.translator.cli.parser import main
from attnlib.translator.page import export_page
from attnlib.translator.page.export import _words
from attnlib.translator.sentences import split_sentences
from attnlib.translator.typed import truecase

HERE = Path(__file__).parents[1] / "page"
SHIPPED = bundled_directory().parent
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

KINDS = ("dot", "scaled_dot", "general", "concat", "additive")
CELLS = ("rnn", "lstm", "gru")
MODELS = [
    {"decoder": "luong", "attention": kind, "cell": cell, "input_feeding": feeding}
    for cell, (kind, feeding) in zip(
        itertools.cycle(CELLS), itertools.product(KINDS, (False, True))
    )
]
MODELS += [
    {"decoder": "bahdanau", "attention": kind, "cell": cell}
    for cell, kind in zip(itertools.cycle(CELLS), KINDS)
]
MODELS += [{"decoder": "plain", "cell": cell, "every_step": cell != "rnn"} for cell in CELLS]
MODELS += [
    {"bidirectional": False},
    {"source_in_memory": True},
    {"shared_embedding": True},
    {"tied_output": False, "output_size": 5},
    {"attention": "concat", "encoder_size": 6, "decoder_size": 10, "attention_size": 3},
    {"attention": "general", "encoder_size": 4, "decoder_size": 6, "embedding_size": 12},
]
WORDS = ["The dog sleeps .", "A cat sees the dog and two birds .", "cats sleep", "the 3 zebras"]
SENTENCES = [*WORDS, "Dogs", "a b c the cat the dog sees the bird cats sleep a dog and the cat ."]


def node(*arguments: str, given: object) -> list:
    """The answer of one of the programs in tests/page."""
    run = subprocess.run(
        ["node", str(HERE / arguments[0]), *arguments[1:]],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def tiny(seed: int = 0, subwords: bool = False, **options) -> Translator:
    """A translator that never learned anything, with weights large enough to prefer something."""
    torch.manual_seed(seed)
    words = SubwordVocabulary.build(WORDS, 60) if subwords else WordVocabulary.build(WORDS)
    sizes = {"embedding_size": 8, "hidden_size": 8}
    model = make_seq2seq(len(words), len(words), **sizes | options)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4.0)
    return Translator(model, words, words, {"corpus": "x"}, LengthLimit(1.5, 4))


def asked_of_pages(folder: Path, cases: list) -> list:
    """What the library and the pages of some translators say, (expected, answer) of each sentence.

    A case is a translator, its sentences, and the options of the search. node runs once for all.
    """
    jobs = []
    for number, (translator, sentences, options) in enumerate(cases):
        page = folder / f"{number}.html"
        export_page(translator, page, bits=32)
        jobs.append({"page": str(page), "asked": [[text, options] for text in sentences]})
    answers = node("translate.js", given=jobs)
    pairs = []
    for (translator, sentences, options), page_answers in zip(cases, answers, strict=True):
        search = {"beam_size" if name == "beam" else name: x for name, x in options.items()}
        expected = translator.translate(list(sentences), **search)
        pairs.append([*zip(expected, page_answers, strict=True)])
    return pairs


def assert_same(translator: Translator, expected, answer) -> None:
    numbers = [translator.tgt_vocabulary.index[token] for token in expected.tgt_tokens]
    assert answer["numbers"] == numbers and answer["text"] == expected.text
    ends, sentences = (side.count("<eos>") for side in (expected.tgt_tokens, expected.src_tokens))
    assert answer["finished"] == (ends == sentences)
    assert answer["score"] == pytest.approx(expected.score, rel=1e-5, abs=1e-4)
    if expected.weights is None:
        assert set(answer["weights"]) == {None}
    else:
        assert torch.allclose(torch.tensor(answer["weights"]), expected.weights, atol=1e-4)


@pytest.fixture(scope="module")
def of_every_kind(tmp_path_factory) -> list:
    torch.set_num_threads(1)
    cases = [(tiny(**made), SENTENCES, {"beam": beam}) for made in MODELS for beam in (1, 5)]
    return [*zip(cases, asked_of_pages(tmp_path_factory.mktemp("pages"), cases))]


@needs_node
@pytest.mark.parametrize(
    "number", range(len(MODELS)), ids=lambda n: "-".join(map(str, MODELS[n].values()))
)
def test_the_page_translates_as_the_library_does(number, of_every_kind):
    for (translator, _, _), pairs in of_every_kind[2 * number : 2 * number + 2]:
        for expected, answer in pairs:
            assert_same(translator, expected, answer)


@needs_node
def test_the_beam_keeps_the_librarys_rules_at_every_width_and_penalty(tmp_path):
    translators = [tiny(seed=seed, subwords=True, shared_embedding=True) for seed in (1, 2)]
    options = [{"beam": k, "alpha": a} for k in (1, 2, 40) for a in (-0.7, 0.6)]
    cases = [(translator, SENTENCES, how) for translator in translators for how in options]
    for (translator, _, _), pairs in zip(cases, asked_of_pages(tmp_path, cases)):
        for expected, answer in pairs:
            assert_same(translator, expected, answer)


@needs_node
def test_eight_bits_are_a_quarter_of_the_bytes_and_little_else(tmp_path):
    translator = Translator.load(SHIPPED / "ko-en-attention", "cpu")
    pages = {bits: tmp_path / f"{bits}.html" for bits in (8, 32)}
    sizes = {bits: export_page(translator, page, bits=bits) for bits, page in pages.items()}
    weights = sum(p.numel() for p in translator.model.parameters()) * 4 * 4 / 3  # as base64
    assert sizes[32] - sizes[8] == pytest.approx(0.75 * weights, rel=0.05)
    sentences = [pair.src for pair in load_corpus("ko-en-easy").test[:60]]
    requests = [[text, {"beam": 1}] for text in sentences]
    jobs = [{"page": str(page), "asked": requests} for page in pages.values()]
    found = node("translate.js", given=jobs)
    rounded, exact = ([one["text"] for one in answers] for answers in found)
    assert exact == [one.text for one in translator.translate(sentences, beam_size=1)]
    assert sum(a == b for a, b in zip(rounded, exact)) > 0.8 * len(sentences)


@needs_node
def test_a_beginning_that_somebody_wrote_is_kept_and_gone_on_from(tmp_path):
    translator = tiny(attention="general", decoder="luong")
    ((first, *_),) = asked_of_pages(tmp_path, [(translator, SENTENCES[1:], {"beam": 1})])
    expected, answer = first
    ways = [*(answer["numbers"][:n] for n in range(1, len(answer["numbers"]))), [6, 9]]
    requests = [[expected.src, {"beam": 1, "written": way}] for way in ways]
    *own, other = node(
        "translate.js", given=[{"page": str(tmp_path / "0.html"), "asked": requests}]
    )[0]
    for again in own:  # its own beginning changes nothing
        assert again["numbers"] == answer["numbers"]
        assert again["logProb"] == pytest.approx(answer["logProb"], abs=1e-4)
    assert own and other["numbers"][:2] == [6, 9]
    # What follows is what the model thinks most probable after these two.
    src = torch.tensor([[*translator.src_vocabulary.encode(expected.src), 3]])
    tgt_in = torch.tensor([[2, *other["numbers"][:-1]]])
    log_probs = translator.model.eval()(src, src > 0, tgt_in)[0].log_softmax(-1)[0]
    taken = log_probs[range(len(other["numbers"])), other["numbers"]].sum().item()
    assert other["logProb"] == pytest.approx(taken, abs=1e-4)
    log_probs[:, [0, 2]] = -torch.inf
    assert log_probs[2:].argmax(-1).tolist() == other["numbers"][2:]


# Tokens ------------------------------------------------------------------------------------------

ODD = [
    "",
    "   ",
    "\u00a0x\u2003y\x1cz\x85\ufeffw",
    "Don't, don’t; it's 1,000.50 12:3",
    "ein-zwei -drei- 3.",
    "„Gut“, sagte “er” (nie) [so] … 5%!",
    "Straße ŉ ǅ ﬁ İstanbul ΣΑΣ ß",
    "학교에서 책을 읽었습니다.",
    "日本語 и русский 🙂👍🏽 e\u0301 x_y",
    "▁ a▁b <eos> </script>",
    "42nd ² ½ Ⅷ ٣٤",
    "la\u0308uft a\u200b\u0308 \u00adx\x00y",
    "मैं हिन्दी पढ़ता हूँ।",
    "می\u200cخواهم کتاب؟",
    "क\u200d \u200cष. a\u200d\u200db",
    "ผมอ่านที่บ้าน",
    "1\u0301 \u0301a .\u0323b",
]


def vocabularies() -> list:
    shipped = [Translator.load(SHIPPED / name, "cpu") for name in ("de-en", "ko-en-plain")]
    odd = WordVocabulary.build([*ODD, *WORDS], pieces=["학교", "##에서", "##를"])
    small = SubwordVocabulary.build([*ODD[3:], *WORDS], 120)
    return [*(t.src_vocabulary for t in shipped), *(t.tgt_vocabulary for t in shipped), odd, small]


@needs_node
def test_texts_are_cut_and_joined_letter_for_letter_as_in_python(tmp_path):
    sentences = [*ODD, *(pair.src for pair in load_corpus("ko-en").test[:200])]
    sentences += [pair.tgt for pair in load_corpus("ko-en").test[:200]]
    for vocabulary in vocabularies():
        given = {"vocabulary": _words(vocabulary), "texts": sentences}
        for text, answer in zip(sentences, node("tokens.js", given=given), strict=True):
            numbers = vocabulary.encode(text)
            assert answer["numbers"] == numbers, text
            assert answer["text"] == vocabulary.decode(numbers), text


MARKS_AND_WORDS = (
    '. ! ? … ... ?! 。 ！ । ؟ ) “ ” " „ ( - , z.B. d.h Dr. Mr. Nr. no. Kap. usw. 3. 31. 100. J. '
    "VIII. "
    "」 』 ） 「 と言う とても って は はい だ。 のち 하고 라고 "
    "Hund hund eine Eine HUND 나는 갔다 私は गया 3 ß Ǆ ǅ e\u0301 \u0301 क\u200dष \u200d 😀 ❤\ufe0f"
)
HIDDEN = "\u00a0\t\u3000\x1c\x85\x00\u00ad\u200b\ufeff"


@needs_node
def test_texts_are_made_plain_and_cut_into_sentences_as_in_python():
    draw = random.Random(5)
    pieces = [*MARKS_AND_WORDS.split(" "), *HIDDEN, " ", " ", ""]
    texts = ["".join(draw.choices(pieces, k=draw.randint(0, 12))) for _ in range(4000)]
    texts += [" ".join(draw.choices(pieces, k=draw.randint(2, 12))) for _ in range(4000)]
    texts += [*ODD, *Path(__file__).with_name("guessing.txt").read_text("utf-8").splitlines()]
    assert sum(len(split_sentences(text)) > 1 for text in texts) > 1000
    for text, answer in zip(texts, node("texts.js", given={"texts": texts}), strict=True):
        assert answer == [normalize(text), split_sentences(text)], text


@needs_node
def test_a_sentence_in_one_case_is_read_in_the_same_case_as_in_python():
    lines = [pair.src for pair in load_corpus("ko-en").test[:20]]
    lines += [pair.tgt for pair in load_corpus("ko-en").test[:20]]
    lines += ["Ein rot-weißer Hund.", "Die NASA und O'Neill, Ⅷ.", "don’t ΣΑΣ ǅ İx", "straße ŉx"]
    texts = [form(line) for line in lines for form in (str, str.upper, str.lower, str.title)]
    for vocabulary in vocabularies():
        given = {"vocabulary": _words(vocabulary), "texts": texts}
        for text, (_, _, answer) in zip(texts, node("texts.js", given=given), strict=True):
            assert answer == truecase(text, vocabulary), text


@needs_node
def test_what_is_typed_carelessly_or_at_length_is_translated_as_by_the_library(tmp_path):
    texts = [
        "The dog sleeps. A cat sees the dog! Cats sleep.",
        "the dog sleeps",
        "THE DOG SLEEPS.",
        "\ufeffThe\u00a0dog\tsleeps .",
        "",
        " \u200b",
        "Привет, мир. The dog sleeps.",
        "the dog sees " * 100,
        "x" * 6000,
    ]
    cases = []
    subwords = {"subwords": True, "shared_embedding": True}
    for seed, at_once, kind in [(0, 1, {}), (1, 3, subwords), (1, 3, {"decoder": "plain"})]:
        translator = tiny(seed, **kind)
        translator.about |= {"sentences": at_once, "guesses below": -0.5}
        cases += [(translator, texts, {"beam": 1}), (translator, texts[:-2], {"beam": 3})]
    messages = {
        "unknown": "most of its letters are unknown to this translator",
        "long": "only its first 250 tokens are translated: it is too long",
        "guess": "probably a guess: this translator learned the sentences of x",
    }
    seen = set()
    for (translator, _, _), pairs in zip(cases, asked_of_pages(tmp_path, cases)):
        for expected, answer in pairs:
            if not expected.tgt_tokens:
                assert answer["numbers"] == [] and answer["text"] == ""
                continue
            assert_same(translator, expected, answer)
            notes = {messages[one["note"]] for one in answer["notes"]}
            assert {
                note.partition(": ")[2] if note.startswith("sentence") else note
                for note in expected.notes
            } == notes
            seen |= notes
    assert seen == {*messages.values()}


@needs_node
def test_letters_digits_and_white_space_are_what_python_calls_them():
    """Every letter that both know: node and Python may be of different years of Unicode."""
    points = [p for p in range(0x110000) if unicodedata.category(chr(p)) not in ("Cn", "Cs", "Co")]
    answers = node("letters.js", given=points)
    word, space = re.compile(r"\w"), re.compile(r"\s")
    wrong = []
    for point, (is_word, is_space, small, large, known) in zip(points, answers, strict=True):
        letter = chr(point)
        mine = (bool(word.match(letter)), bool(space.match(letter)))
        mine += (lower_first(letter), upper_first(letter))
        known = known and "Cn" not in map(unicodedata.category, small + large)
        wrong += [hex(point)] if known and (is_word, is_space, small, large) != mine else []
    assert wrong == []


# The file ----------------------------------------------------------------------------------------


def test_the_page_is_one_file_that_asks_for_nothing(tmp_path):
    examples = ["A dog.\tein <b>Hund</b>", "", "Cats"]
    size = export_page(tiny(), tmp_path / "page.html", examples=examples)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(text.encode()) == size
    assert not re.search(
        r"https?://(?!www.w3.org/2000/svg)|<img|\bsrc=|@import|url\(|fetch\(|XMLHttp|import\(", text
    )
    assert "default-src 'none'" in text and 'type="module"' not in text
    (json_text,) = re.findall(r'<script id="data"[^>]*>(.*?)</script>', text, re.DOTALL)
    data = json.loads(json_text)
    assert data["examples"] == [["A dog.", "ein <b>Hund</b>"], ["Cats"]]
    (model,) = data["models"]
    assert model["limit"] == [1.5, 4]
    assert text.count("</script>") == text.count("<script")


def test_a_page_may_be_written_anew_but_never_over_something_else(tmp_path):
    page, other = tmp_path / "page.html", tmp_path / "mine.html"
    first = export_page(tiny(), page)
    assert export_page(tiny(), page, bits=32) > first
    other.write_text("<p>years of work</p>", encoding="utf-8")
    with pytest.raises(StorageError, match="mine.html is no page of a translator: choose another"):
        export_page(tiny(), other)
    assert other.read_text(encoding="utf-8") == "<p>years of work</p>"
    with pytest.raises(ValueError, match="ends in .html, got 'page.pdf'"):
        export_page(tiny(), tmp_path / "page.pdf")
    for name in ("page.HTML", "Page.Htm"):
        assert export_page(tiny(), tmp_path / name) == (tmp_path / name).stat().st_size == first


def test_what_cannot_be_a_page_is_refused_before_anything_is_written(tmp_path):
    broken = tiny()
    with torch.no_grad():
        broken.model.output.bias[0] = torch.nan
    for translator, options, message in [
        (tiny(), {"bits": 16}, r"bits must be 8 or 32, got 16"),
        (tiny(), {"baseline": tiny()}, "baseline must be a translator that has no attention"),
        (broken, {}, "finite weights in output.bias"),
        (tiny(), {"examples": ["A dog.", float("nan")]}, r"examples\[1\] must be a str"),
    ]:
        with pytest.raises(ValueError, match=message):
            unchecked = getattr(export_page, "__wrapped__", export_page)
            unchecked(translator, tmp_path / "page.html", **options)
    assert [*tmp_path.iterdir()] == []


def test_the_command_writes_a_page_and_reports_its_size(tmp_path, capsys):
    tiny().save(tmp_path / "model")
    (tmp_path / "model" / "examples.tsv").write_text("A dog.\ta gloss\nCats sleep.\n", "utf-8")
    page = tmp_path / "out.html"
    assert main(["export", str(tmp_path / "model"), "--page", str(page)]) == 0
    size = page.stat().st_size / 1e6
    assert capsys.readouterr().out == f"{page}: {size:.1f} MB; open it in a browser\n"
    assert "a gloss" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")
def test_a_translator_cannot_choose_which_file_of_yours_its_page_shows(tmp_path, capsys):
    """An examples.tsv that was a link put /etc/passwd into the page."""
    tiny().save(tmp_path / "model")
    (tmp_path / "secret").write_text("root:x:0:0\n", encoding="utf-8")
    own = tmp_path / "model" / "examples.tsv"
    for name in ("secret", "none", ".."):  # also a link to nowhere, and to a folder
        own.symlink_to(tmp_path / name)
        assert main(["export", str(tmp_path / "model"), "--page", str(tmp_path / "x.html")]) == 1
        assert capsys.readouterr().err.startswith(f"attnlib: {own} is a link; put the file there")
        own.unlink()
    assert not (tmp_path / "x.html").exists()


@needs_node
def test_the_scripts_pass_their_own_tests():
    tests = sorted(map(str, HERE.glob("*.test.js")))
    assert len(tests) >= 3
    run = subprocess.run(["node", "--test", *tests], capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stdout[-6000:]
