"""A translator turns strings into strings, keeps its promises when saved, and runs no code."""

import json
import os
import pickle

import pytest
import torch

import attnlib.files
from attnlib.data import SubwordVocabulary, WordVocabulary, make_batch
from attnlib.files import StorageError
from attnlib.model import make_seq2seq
from attnlib.translator import CARD, WEIGHTS, Translator

WORDS = ["The dog sleeps.", "A cat sees the dog.", "Cats sleep."]


def make(attention=True, seed=0, subwords=False):
    torch.manual_seed(seed)
    if subwords:
        one = SubwordVocabulary.build(WORDS, 60)
        model = make_seq2seq(
            len(one), len(one), embedding_size=8, hidden_size=8, shared_embedding=True
        )
        return Translator(model, one, one, {"corpus": "x"})
    src, tgt = WordVocabulary.build(WORDS), WordVocabulary.build(["왼쪽 개 가 잔다 ."])
    decoder = "luong" if attention else "plain"
    model = make_seq2seq(len(src), len(tgt), decoder=decoder, embedding_size=8, hidden_size=8)
    return Translator(model, src, tgt, {"corpus": "x"})


@pytest.mark.parametrize("beam", [1, 3])
def test_the_order_and_number_of_sentences_change_no_translation(beam):
    translator = make()
    together = translator.translate(WORDS, beam, batch_size=2)
    for sentence, translation in zip(WORDS, together):
        alone = translator.translate(sentence, beam)
        assert alone.src == translation.src == sentence
        assert alone.text == translation.text and alone.tgt_tokens == translation.tgt_tokens
        assert alone.score == pytest.approx(translation.score, abs=1e-4)
    assert [t.src for t in translator.translate(WORDS[::-1], beam)] == WORDS[::-1]


@pytest.mark.parametrize("beam", [1, 3])
def test_the_score_is_the_models_own_log_probability(beam):
    translator = make()
    translation = translator.translate(WORDS[1], beam, alpha=0.0)
    ids = [translator.tgt_vocabulary.index[token] for token in translation.tgt_tokens]
    finished = translation.tgt_tokens[-1] == "<eos>"
    body = ids[:-1] if finished else ids
    batch = make_batch([translator.src_vocabulary.encode(WORDS[1])], [body])
    logits, weights = translator.model(batch.src, batch.src_mask, batch.tgt_in)
    log_probs = logits.log_softmax(-1)[0, range(len(ids)), ids]
    assert translation.score == pytest.approx(log_probs.sum().item(), abs=1e-4)
    assert torch.allclose(translation.weights, weights[0, : len(ids)], atol=1e-5)


def test_weights_have_a_row_a_target_token_and_a_column_a_source_token():
    for translation in make().translate(WORDS, 2):
        assert translation.weights.shape == (
            len(translation.tgt_tokens),
            len(translation.src_tokens),
        )
        assert torch.allclose(translation.weights.sum(1), torch.ones(len(translation.tgt_tokens)))
        assert translation.src_tokens[-1] == "<eos>"
    assert make(attention=False).translate(WORDS[0]).weights is None


def test_an_empty_sentence_is_translated_by_an_empty_one():
    first, empty, last = make().translate(["The dog sleeps.", "  ", "Cats sleep."], 2)
    assert empty.text == "" and empty.tgt_tokens == [] and first.src_tokens[0] == "the"
    assert last.src == "Cats sleep."
    assert make().translate([]) == []


@pytest.mark.parametrize("beam", [0, -1, 2.5, True])
def test_a_beam_below_one_is_refused(beam):
    with pytest.raises(ValueError, match="beam must be a whole number of at least 1, got"):
        getattr(Translator.translate, "__wrapped__", Translator.translate)(make(), WORDS, beam)


@pytest.mark.parametrize("arguments", [{}, {"attention": False}, {"subwords": True}])
def test_a_saved_translator_is_the_same_translator(tmp_path, arguments):
    translator = make(**arguments)
    translator.save(tmp_path / "t")
    again = Translator.load(tmp_path / "t", "cpu")
    assert [t[:4] for t in again.translate(WORDS, 2)] == [
        t[:4] for t in translator.translate(WORDS, 2)
    ]
    assert again.about == {"corpus": "x"} and not again.model.training
    assert (again.src_vocabulary is again.tgt_vocabulary) is bool(arguments.get("subwords"))
    assert sorted(p.name for p in (tmp_path / "t").iterdir()) == [WEIGHTS, CARD]


def test_translating_leaves_the_model_in_the_mode_it_was_in():
    translator = make()
    translator.model.train()
    translator.translate(WORDS)
    assert translator.model.training


def test_a_full_disk_while_saving_leaves_the_translator_that_was_there(tmp_path, monkeypatch):
    old = make(seed=1)
    old.save(tmp_path)

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(attnlib.files.os, "fsync", full)
    with pytest.raises(StorageError, match=r"cannot write .*model\.safetensors: No space left"):
        make(seed=2).save(tmp_path)
    monkeypatch.undo()
    assert Translator.load(tmp_path).translate(WORDS[0]).score == old.translate(WORDS[0]).score


def break_card(**changes):
    def change(folder):
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        (folder / CARD).write_text(json.dumps({**card, **changes}), encoding="utf-8")

    return change


DAMAGE = {
    "no folder": (lambda f: [p.unlink() for p in f.iterdir()] and f.rmdir(), "there is no folder"),
    "no card": (lambda f: (f / CARD).unlink(), r"translator\.json is missing"),
    "no weights": (lambda f: (f / WEIGHTS).unlink(), r"model\.safetensors is missing"),
    "card cut short": (lambda f: (f / CARD).write_text("{", encoding="utf-8"), r"json is damaged"),
    "weights cut short": (lambda f: os.truncate(f / WEIGHTS, 500), r"safetensors is damaged"),
    "another format": (break_card(format=99), "not a translator of format 1"),
    "another architecture": (
        break_card(architecture={"hidden_size": 4, "embedding_size": 8}),
        "belongs to another architecture",
    ),
    "unknown option": (break_card(architecture={"wings": 2}), r"json is damaged"),
    "unknown decoder": (break_card(architecture={"decoder": "x"}), r"json is damaged"),
    "no vocabulary": (break_card(src_vocabulary={}), r"json is damaged"),
    "a list": (
        lambda f: (f / CARD).write_text("[]", encoding="utf-8"),
        "not a translator of format",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_folder_is_named_in_a_sentence(tmp_path, name):
    damage, message = DAMAGE[name]
    make().save(tmp_path / "t")
    damage(tmp_path / "t")
    with pytest.raises(StorageError, match=message):
        Translator.load(tmp_path / "t")


def test_a_plain_translator_of_the_first_edition_still_loads(tmp_path):
    translator = make(attention=False)
    translator.save(tmp_path)
    card = json.loads((tmp_path / CARD).read_text(encoding="utf-8"))
    card["architecture"]["attention"] = "general"  # was written down and never used
    (tmp_path / CARD).write_text(json.dumps(card), encoding="utf-8")
    again = Translator.load(tmp_path, "cpu")
    assert again.translate("left dog") == translator.translate("left dog")


def test_loading_runs_no_code(tmp_path):
    class Bomb:
        def __reduce__(self):
            return open, (str(tmp_path / "exploded"), "w")

    make().save(tmp_path / "t")
    (tmp_path / "t" / WEIGHTS).write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(StorageError, match="is damaged"):
        Translator.load(tmp_path / "t")
    assert not (tmp_path / "exploded").exists()


def test_vocabularies_of_the_wrong_size_are_refused():
    translator = make()
    with pytest.raises(ValueError, match="the model was made for vocabularies of"):
        Translator(translator.model, translator.tgt_vocabulary, translator.src_vocabulary)


def test_bleu_of_its_own_translations_is_a_hundred():
    translator = make(subwords=True)
    own = [(t.src, t.text) for t in translator.translate(WORDS, 1) if len(t.text.split()) > 4]
    assert own and translator.bleu(own) == pytest.approx(100.0)
