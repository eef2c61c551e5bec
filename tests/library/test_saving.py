"""A saved translator loads as it was or is refused in a sentence, and loading runs no code."""

import json
import math
import pickle
import random

import pytest
import torch
from library.small_translator import WORDS, make
from safetensors.torch import save_file
from torch import nn

from attnlib.data import WordVocabulary
from attnlib.files import StorageError
from attnlib.model import Seq2Seq, describe, make_attention, make_seq2seq
from attnlib.translator import (
    CARD_FILE,
    WEIGHTS_FILE,
    Translator,
    digest,
    read_json,
    read_tensors,
    write_tensors,
)
from attnlib.translator import translator as module

KINDS = [
    {"decoder": "plain", "every_step": True},
    {"decoder": "luong", "attention": "concat", "input_feeding": True, "cell": "gru"},
    {"decoder": "luong", "attention": "scaled_dot", "source_in_memory": True},
    {"decoder": "bahdanau", "attention": "additive", "cell": "rnn", "tied_output": False},
    {"decoder": "luong", "bidirectional": False, "shared_embedding": True},
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_save_writes_loads_as_it_was_dropout_and_all(tmp_path, kind):
    one = WordVocabulary.build(WORDS)
    sizes = {"embedding_size": 8, "hidden_size": 8, "dropout": 0.5}
    translator = Translator(make_seq2seq(len(one), len(one), **sizes, **kind), one, one)
    before = torch.get_rng_state()
    translator.save(tmp_path)
    assert torch.equal(torch.get_rng_state(), before)
    again = Translator.load(tmp_path, "cpu")
    assert describe(again.model) == describe(translator.model)
    assert again.model.decoder.dropout.p == 0.5 and not again.model.training
    assert again.src_vocabulary is again.tgt_vocabulary
    assert [t[:4] for t in again.translate(WORDS)] == [t[:4] for t in translator.translate(WORDS)]


class OwnVocabulary(WordVocabulary):
    """A class that no folder knows."""


def with_attention(kind):
    def change(translator):
        translator.model.decoder.attention = make_attention(kind, 8, 8)

    return change


def by_hand(translator):
    model = translator.model
    translator.model = Seq2Seq(model.encoder, model.decoder, model.output)


NOT_SAVED = {
    "was built by hand": by_hand,
    "attention is DotAttention and would be GeneralAttention": with_attention("dot"),
    "dropout.p is 0.5 and would": lambda t: setattr(t.model.decoder.dropout, "p", 0.5),
    "output.weight is .* and would be gone": lambda t: setattr(
        t.model.output, "weight", nn.Parameter(t.model.output.weight.clone())
    ),
    "decoder.step is function": lambda t: setattr(t.model.decoder, "step", lambda *given: None),
    "float64 and would be .*float32": lambda t: t.model.double(),
    "a vocabulary must be": lambda t: setattr(t.src_vocabulary, "__class__", OwnVocabulary),
    "about must be what JSON can": lambda t: setattr(t, "about", {"weights": torch.ones(1)}),
}


@pytest.mark.parametrize("why", NOT_SAVED)
def test_what_would_not_load_as_it_is_is_not_saved(tmp_path, why):
    translator = make()
    NOT_SAVED[why](translator)
    with pytest.raises(ValueError, match=why):
        translator.save(tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_a_translator_is_loaded_onto_the_device_that_is_named_or_the_best(tmp_path, monkeypatch):
    make().save(tmp_path)
    assert Translator.load(tmp_path, "meta").device.type == "meta"  # tensors without memory
    monkeypatch.setattr(module, "best_device", lambda: torch.device("meta"))
    assert Translator.load(tmp_path).device.type == "meta"
    assert Translator.load(tmp_path, "cpu").device.type == "cpu"


def write_card(folder, card):
    """Put a card there as a stranger could, who knows how the weights name it."""
    tensors, _ = read_tensors(folder / WEIGHTS_FILE)
    write_tensors(folder / WEIGHTS_FILE, tensors, {CARD_FILE: digest(card)})
    (folder / CARD_FILE).write_text(json.dumps(card), encoding="utf-8")


def break_card(**changes):
    def change(folder):
        write_card(folder, {**read_json(folder / CARD_FILE), **changes})

    return change


def break_weights(value, kind=torch.float32):
    def change(folder):
        tensors, about = read_tensors(folder / WEIGHTS_FILE)
        name = min(tensors)
        tensors[name] = torch.full_like(tensors[name], value).to(kind)
        write_tensors(folder / WEIGHTS_FILE, tensors, about)

    return change


DAMAGE = {
    "no folder": (lambda f: [p.unlink() for p in f.iterdir()] and f.rmdir(), "there is no folder"),
    "another format": (break_card(format=99), "not a translator of format 1"),
    "another architecture": (
        break_card(architecture={"hidden_size": 4, "embedding_size": 8}),
        "belongs to another architecture",
    ),
    "a limit without end": (break_card(limit=[2, 10**12]), "json is damaged .*limit must be"),
    "numbers as tokens": (
        break_card(src_vocabulary={"kind": "words", "tokens": [0, 1, 2, 3, 4]}),
        "tokens must be a list of strings",
    ),
    "brackets without end": (
        lambda f: (f / CARD_FILE).write_text("[" * 200_000, encoding="utf-8"),
        r"json is damaged .*(recursion|Stack overflow)",  # the second since Python 3.14
    ),
    "another card": (
        lambda f: (f / CARD_FILE).write_text(
            (f / CARD_FILE).read_text("utf-8").replace("dog", "dot")
        ),
        "translator.json is not what model.safetensors beside it was written with",
    ),
    "weights without a number": (break_weights(math.nan), r"safetensors holds numbers in .* that"),
    "whole weights": (break_weights(1, torch.int64), "no weights: .* is of torch.int64"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_folder_is_named_in_a_sentence(tmp_path, name):
    damage, message = DAMAGE[name]
    make().save(tmp_path / "t")
    damage(tmp_path / "t")
    with pytest.raises(StorageError, match=message):
        Translator.load(tmp_path / "t")


SLOW = {"Regex": "(a|a|aa)+$"}
SPLIT = {"type": "Split", "pattern": SLOW, "behavior": "Isolated", "invert": False}


def parts(tokenizer):
    return tokenizer["pre_tokenizer"]["pretokenizers"]


FOREIGN = {
    "a pattern that takes for ever": lambda t: parts(t).__setitem__(1, SPLIT),
    "an added token": lambda t: t.update(added_tokens=[{"id": 5, "content": "dog"}]),
    "another decoder": lambda t: t.update(decoder={"type": "Fuse"}),
    "a file for a vocabulary": lambda t: t["model"].update(vocab="/etc/passwd", merges="x"),
    "merges of nothing": lambda t: t["model"].update(merges=[["x", "y"]]),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_tokenizer_that_this_library_never_writes_is_not_even_built(tmp_path, name, monkeypatch):
    translator = make(subwords=True)
    translator.save(tmp_path)
    card = read_json(tmp_path / CARD_FILE)
    FOREIGN[name](card["src_vocabulary"]["tokenizer"])
    write_card(tmp_path, card)
    monkeypatch.delattr("tokenizers.Tokenizer.from_str")
    with pytest.raises(StorageError, match="json is damaged .*this is not a vocabulary"):
        Translator.load(tmp_path, "cpu")


def test_a_tokenizer_without_what_older_versions_left_out_is_the_same(tmp_path):
    translator = make(subwords=True)
    translator.save(tmp_path)
    card = read_json(tmp_path / CARD_FILE)
    model = card["src_vocabulary"]["tokenizer"]["model"]
    model["merges"] = [" ".join(pair) for pair in model["merges"]]
    for name in ("ignore_merges", "byte_fallback", "dropout"):
        del model[name]
    write_card(tmp_path, card)
    again = Translator.load(tmp_path, "cpu")
    assert again.translate(WORDS[0]).score == translator.translate(WORDS[0]).score


@pytest.mark.parametrize("subwords", [False, True])
@pytest.mark.parametrize("file", [CARD_FILE, WEIGHTS_FILE])
def test_a_single_bit_that_was_flipped_is_noticed_wherever_it_matters(tmp_path, file, subwords):
    translator = make(subwords=subwords)
    translator.save(tmp_path)
    content = (tmp_path / file).read_bytes()
    weights = {name: p.clone() for name, p in translator.model.named_parameters()}
    card, harmless = read_json(tmp_path / CARD_FILE), 0
    rng = random.Random(0)
    for _ in range(30):
        place, bit = rng.randrange(len(content)), 1 << rng.randrange(8)
        changed = bytearray(content)
        changed[place] ^= bit
        (tmp_path / file).write_bytes(changed)
        try:
            again = Translator.load(tmp_path, "cpu")
        except StorageError as problem:
            assert file in str(problem)
        else:  # a space, say, became another one
            harmless += 1
            assert read_json(tmp_path / CARD_FILE) == card
            assert all(torch.equal(p, weights[n]) for n, p in again.model.named_parameters())
    assert harmless < 10


def test_weights_from_elsewhere_without_a_digest_are_taken_as_they_are(tmp_path):
    translator = make()
    translator.save(tmp_path)
    save_file(dict(translator.model.named_parameters()), tmp_path / WEIGHTS_FILE)
    again = Translator.load(tmp_path, "cpu")
    assert again.translate(WORDS[0]).score == translator.translate(WORDS[0]).score


def test_a_model_without_numbers_is_not_saved(tmp_path):
    translator = make()
    with torch.no_grad():
        translator.model.encoder.embed.weight[0, 0] = math.nan
    with pytest.raises(StorageError, match=r"the model holds numbers in encoder.embed.weight"):
        translator.save(tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_loading_runs_no_code(tmp_path):
    class Bomb:
        def __reduce__(self):
            return open, (str(tmp_path / "exploded"), "w")

    make().save(tmp_path / "t")
    (tmp_path / "t" / WEIGHTS_FILE).write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(StorageError, match="is damaged"):
        Translator.load(tmp_path / "t")
    assert not (tmp_path / "exploded").exists()
