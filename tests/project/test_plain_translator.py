"""The translator without attention that chapter 3 opens with."""

import json
from pathlib import Path

import pytest
import torch

from attnlib.data import bundled_directory, load_corpus
from attnlib.model import PlainDecoder, make_seq2seq
from attnlib.translator import CARD_FILE, WEIGHTS_FILE, Translator, make_vocabularies, read_tensors
from studies import plain_translator as program

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
SHIPPED = bundled_directory().parent / "ko-en-plain"


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return Translator.load(SHIPPED, "cpu")


def right(translator: Translator, shortest: int, longest: int) -> float:
    """The share of test sentences of so many tokens that come out without a mistake."""
    tokenize = translator.src_vocabulary.tokenize
    pairs = [
        pair
        for pair in load_corpus(program.CORPUS).test
        if shortest <= len(tokenize(pair.src)) <= longest
    ]
    found = translator.translate([pair.src for pair in pairs], beam_size=1)
    return sum(one.text == pair.tgt for one, pair in zip(found, pairs)) / len(pairs)


def test_it_has_no_attention_and_hands_on_128_numbers(shipped: Translator) -> None:
    assert isinstance(shipped.model.decoder, PlainDecoder)
    assert shipped.model.decoder.attention is None
    assert shipped.model.decoder.bridge.in_features == 128


def test_it_was_trained_on_the_data_as_they_are_now(shipped: Translator) -> None:
    corpus = load_corpus(program.CORPUS)
    assert shipped.about["corpus's checksum"] == corpus.fingerprint()[:12]
    for mine, today in zip(
        (shipped.src_vocabulary, shipped.tgt_vocabulary), make_vocabularies(corpus, None)
    ):
        assert mine.tokens == today.tokens


def test_it_writes_short_sentences_well_and_long_ones_not(shipped: Translator) -> None:
    assert right(shipped, 4, 10) > 0.7
    assert right(shipped, 41, 50) < 0.05


def test_it_names_no_folder_of_its_maker() -> None:
    assert "/" not in json.dumps(json.loads((SHIPPED / CARD_FILE).read_text("utf-8"))["about"])


def test_what_is_shipped_is_the_translator_in_half_the_bytes(tmp_path: Path) -> None:
    vocabularies = make_vocabularies(load_corpus(program.CORPUS), None)
    torch.manual_seed(0)
    model = make_seq2seq(*map(len, vocabularies), decoder="plain", hidden_size=8, embedding_size=8)
    Translator(model, *vocabularies, {"made": "here"}).save(tmp_path / "run")
    program.ship(tmp_path / "run", tmp_path / "out")
    tensors, _ = read_tensors(tmp_path / "out" / WEIGHTS_FILE)
    assert {table.dtype for table in tensors.values()} == {torch.float16}
    loaded = Translator.load(tmp_path / "out", "cpu")
    assert loaded.about == {"made": "here"}
    for name, table in model.named_parameters():
        assert loaded.model.get_parameter(name).equal(table.half().float())
