"""The translator with attention that chapters 5b and 5c look into."""

import json
from pathlib import Path

import pytest

from attnlib.data import WordVocabulary, bundled_directory, load_corpus, make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.model import DotAttention, LuongDecoder
from attnlib.translator import CARD_FILE, Translator
from studies import attention_translator

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
SHIPPED = bundled_directory().parent / "ko-en-easy-attention"
CORPUS = "ko-en-easy"


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return Translator.load(SHIPPED, "cpu")


def test_it_is_the_model_of_chapter_5(shipped: Translator) -> None:
    built = attention_translator.make_model(
        len(shipped.src_vocabulary), len(shipped.tgt_vocabulary)
    )
    shapes = {name: table.shape for name, table in built.state_dict().items()}
    assert {name: table.shape for name, table in shipped.model.state_dict().items()} == shapes
    assert isinstance(shipped.model.decoder, LuongDecoder)
    assert type(shipped.model.decoder.attention) is DotAttention


def test_its_vocabularies_are_those_of_the_training_split_as_it_is_now(shipped: Translator) -> None:
    corpus = load_corpus(CORPUS)
    korean = WordVocabulary.build((p.src for p in corpus.train), pieces=corpus.src_pieces)
    english = WordVocabulary.build(p.tgt for p in corpus.train)
    assert shipped.src_vocabulary.tokens == korean.tokens
    assert shipped.tgt_vocabulary.tokens == english.tokens


def test_it_translates_and_aligns_as_its_page_says(shipped: Translator) -> None:
    pairs = load_corpus(CORPUS).valid[:100]
    found = shipped.translate([pair.src for pair in pairs], beam_size=1)
    assert sum(one.text == pair.tgt for one, pair in zip(found, pairs)) >= 90
    links = []
    for pair in pairs:
        src = shipped.src_vocabulary.encode(pair.src)
        tgt = shipped.tgt_vocabulary.encode(pair.tgt)
        batch = make_batch([src], [tgt])
        _, weights = shipped.model.eval()(batch.src, batch.src_mask, batch.tgt_in)
        links.append(links_from_weights(weights[0, : len(tgt), : len(src)].detach()))
    assert 0.03 < aer(links, [pair.links for pair in pairs]) < 0.15


def test_it_names_no_folder_of_its_maker() -> None:
    assert "/" not in json.dumps(
        json.loads((SHIPPED / CARD_FILE).read_text("utf-8")).get("about", {})
    )
