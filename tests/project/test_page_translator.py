"""The Korean–English translators that come along for a page: with attention, and one without."""

import json
from pathlib import Path

import pytest
import torch

from attnlib.data import UNK, bundled_directory, load_corpus
from attnlib.translator import CARD_FILE, WEIGHTS_FILE, Translator, read_tensors
from attnlib.translator.page import export_page, read_examples

pytestmark = pytest.mark.thorough

SHIPPED = bundled_directory().parent / "ko-en-attention"
BESIDE = SHIPPED.with_name("ko-en-without")
both = pytest.mark.parametrize("folder", [SHIPPED, BESIDE], ids=lambda folder: folder.name)


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return Translator.load(SHIPPED, "cpu")


@both
def test_it_was_trained_on_the_data_as_they_are_now(folder: Path) -> None:
    about = Translator.load(folder, "cpu").about
    assert about["corpus"] == "ko-en"
    assert about["corpus's checksum"] == load_corpus("ko-en").fingerprint()[:12]


@both
def test_it_is_kept_in_half_precision_and_names_no_folder_of_its_maker(folder: Path) -> None:
    tensors, _ = read_tensors(folder / WEIGHTS_FILE)
    assert {table.dtype for table in tensors.values()} == {torch.float16}
    assert "/" not in json.dumps(json.loads((folder / CARD_FILE).read_text("utf-8"))["about"])


def test_the_one_beside_it_was_trained_alike_and_has_no_attention(shipped: Translator) -> None:
    beside = Translator.load(BESIDE, "cpu")
    assert beside.model.decoder.attention is None
    assert beside.about["recipe"] == shipped.about["recipe"]
    assert beside.src_vocabulary.tokens == shipped.src_vocabulary.tokens


def test_it_writes_most_sentences_of_the_grammar_as_the_grammar_does(shipped: Translator) -> None:
    pairs = load_corpus("ko-en").test[:60]
    found = shipped.translate([pair.src for pair in pairs], beam_size=1)
    assert sum(one.text == pair.tgt for one, pair in zip(found, pairs)) > 0.7 * len(pairs)


def test_its_examples_are_read_and_the_last_one_shows_an_unknown_word(shipped: Translator) -> None:
    sentences = [line.split("\t")[0] for line in read_examples(SHIPPED)]
    unknown = [shipped.src_vocabulary.encode(text).count(UNK) for text in sentences]
    assert len(sentences) >= 5 and unknown == [0] * (len(sentences) - 1) + [1]


def test_its_page_is_small_and_brings_the_examples(shipped: Translator, tmp_path: Path) -> None:
    page = tmp_path / "ko-en.html"
    assert export_page(shipped, page, examples=read_examples(SHIPPED)) < 2_000_000
    assert "친구가 만든 김밥은" in page.read_text(encoding="utf-8")
