"""The translators in data/: each is the one that its record, page or chapter describes."""

import hashlib
import json
from pathlib import Path

import pytest
import torch

from attnlib.data import UNK, bundled_directory, load_corpus, make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.model import DotAttention, LuongDecoder, PlainDecoder, make_seq2seq
from attnlib.translator import CARD_FILE, WEIGHTS_FILE, Translator, make_vocabularies, read_tensors
from attnlib.translator.page import export_page, read_examples
from studies import attention_translator, plain_translator

pytestmark = pytest.mark.thorough

DATA = bundled_directory().parent
#: Those that learned a bundled corpus, by the folder: chapters 3, 5b and 5c, and the page.
CORPORA = {
    "ko-en-plain": "ko-en-easy",
    "ko-en-easy-attention": "ko-en-easy",
    "ko-en-attention": "ko-en",
    "ko-en-without": "ko-en",
}


def share_right(translator: Translator, pairs: list) -> float:
    """The share of pairs that greedy search translates without a mistake."""
    found = translator.translate([pair.src for pair in pairs], beam_size=1)
    return sum(one.text == pair.tgt for one, pair in zip(found, pairs)) / len(pairs)


@pytest.mark.parametrize("name", ["de-en", *CORPORA])
def test_it_names_no_folder_of_its_maker(name: str) -> None:
    card = json.loads((DATA / name / CARD_FILE).read_text("utf-8"))
    assert "/" not in json.dumps(card.get("about", {}))


@pytest.mark.parametrize("name", CORPORA)
def test_it_was_trained_on_the_data_as_they_are_now(name: str) -> None:
    translator, corpus = Translator.load(DATA / name, "cpu"), load_corpus(CORPORA[name])
    today = make_vocabularies(corpus, None)
    assert translator.src_vocabulary.tokens == today[0].tokens
    assert translator.tgt_vocabulary.tokens == today[1].tokens
    checksum = translator.about.get("corpus's checksum", corpus.fingerprint()[:12])
    assert checksum == corpus.fingerprint()[:12]


# German to English, which the README and chapter 10 speak of -------------------------------------


def test_the_german_english_translator_is_the_recorded_one() -> None:
    """Anybody who trains it anew must record it anew: its BLEU is said in README."""
    content = (DATA / "de-en" / WEIGHTS_FILE).read_bytes()
    assert hashlib.sha256(content).hexdigest() == recorded("ship")["sha256"]
    model = Translator.load(DATA / "de-en").model
    size = sum(table.numel() for table in model.parameters())
    assert size == recorded("student")["parameters"] <= 3_000_000


@pytest.mark.network("multi30k-de-en")
def test_the_german_english_translator_translates_as_well_as_its_record() -> None:
    greedy = Translator.load(DATA / "de-en", "cpu").bleu(load_corpus("multi30k-de-en").test, 1)
    assert greedy == pytest.approx(recorded("ship")["bleu"]["test greedy"], abs=0.05)


def recorded(variant: str) -> dict:
    runs = json.loads((DATA / "runs" / "10_student.json").read_text("utf-8"))["runs"]
    return {run["variant"]: run for run in runs}[variant]


# Without attention, which chapter 3 opens with ---------------------------------------------------


def test_the_plain_translator_writes_short_sentences_well_and_long_ones_not() -> None:
    translator = Translator.load(DATA / "ko-en-plain", "cpu")
    assert isinstance(translator.model.decoder, PlainDecoder)
    assert translator.model.decoder.bridge.in_features == 128
    tokenize, short, long = translator.src_vocabulary.tokenize, [], []
    for pair in load_corpus("ko-en-easy").test:
        length = len(tokenize(pair.src))
        short += [pair] if 4 <= length <= 10 else []
        long += [pair] if 41 <= length <= 50 else []
    assert share_right(translator, short) > 0.7 and share_right(translator, long) < 0.05


def test_what_is_shipped_is_the_translator_in_half_the_bytes(tmp_path: Path) -> None:
    vocabularies = make_vocabularies(load_corpus("ko-en-easy"), None)
    torch.manual_seed(0)
    model = make_seq2seq(*map(len, vocabularies), decoder="plain", hidden_size=8, embedding_size=8)
    Translator(model, *vocabularies, {"made": "here"}).save(tmp_path / "run")
    plain_translator.ship(tmp_path / "run", tmp_path / "out")
    tensors, _ = read_tensors(tmp_path / "out" / WEIGHTS_FILE)
    assert {table.dtype for table in tensors.values()} == {torch.float16}
    loaded = Translator.load(tmp_path / "out", "cpu")
    assert loaded.about == {"made": "here"}
    for name, table in model.named_parameters():
        assert loaded.model.get_parameter(name).equal(table.half().float())


# With attention, which chapters 5b and 5c look into ----------------------------------------------


def test_the_translator_with_attention_is_the_model_of_chapter_5_and_aligns() -> None:
    translator = Translator.load(DATA / "ko-en-easy-attention", "cpu")
    sizes = len(translator.src_vocabulary), len(translator.tgt_vocabulary)
    built = attention_translator.make_model(*sizes).state_dict()
    weights = translator.model.state_dict()
    assert {name: table.shape for name, table in weights.items()} == {
        name: table.shape for name, table in built.items()
    }
    assert isinstance(translator.model.decoder, LuongDecoder)
    assert type(translator.model.decoder.attention) is DotAttention
    pairs, links = load_corpus("ko-en-easy").valid[:100], []
    assert share_right(translator, pairs) >= 0.9
    for pair in pairs:
        src = translator.src_vocabulary.encode(pair.src)
        tgt = translator.tgt_vocabulary.encode(pair.tgt)
        batch = make_batch([src], [tgt])
        _, attention = translator.model.eval()(batch.src, batch.src_mask, batch.tgt_in)
        links.append(links_from_weights(attention[0, : len(tgt), : len(src)].detach()))
    assert 0.03 < aer(links, [pair.links for pair in pairs]) < 0.15


# On the page, with attention and without ---------------------------------------------------------


def test_the_translators_of_the_page_were_trained_alike_but_for_attention() -> None:
    names = ("ko-en-attention", "ko-en-without")
    own, beside = (Translator.load(DATA / name, "cpu") for name in names)
    assert own.model.decoder.attention is not None and beside.model.decoder.attention is None
    assert own.about["recipe"] == beside.about["recipe"]
    for name in names:
        tensors, _ = read_tensors(DATA / name / WEIGHTS_FILE)
        assert {table.dtype for table in tensors.values()} == {torch.float16}
    assert share_right(own, load_corpus("ko-en").test[:60]) > 0.7


def test_the_page_is_small_and_its_last_example_shows_an_unknown_word(tmp_path: Path) -> None:
    translator = Translator.load(DATA / "ko-en-attention", "cpu")
    examples, page = read_examples(DATA / "ko-en-attention"), tmp_path / "ko-en.html"
    sentences = [line.split("\t")[0] for line in examples]
    unknown = [translator.src_vocabulary.encode(text).count(UNK) for text in sentences]
    assert len(sentences) >= 5 and unknown == [0] * (len(sentences) - 1) + [1]
    assert export_page(translator, page, examples=examples) < 2_000_000
    assert "저는 민준이 구운 빵을" in page.read_text(encoding="utf-8")
