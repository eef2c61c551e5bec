"""A translator turns strings into strings, keeps its promises when saved, and runs no code."""

import json
import math
import os
import pickle
import random
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from attnlib.data import Links, Pair, SubwordVocabulary, WordVocabulary, make_batch
from attnlib.files import StorageError
from attnlib.metrics import corpus_bleu
from attnlib.model import Seq2Seq, describe, make_attention, make_seq2seq
from attnlib.search import Hypothesis
from attnlib.translator import (
    CARD_FILE,
    WEIGHTS_FILE,
    LengthLimit,
    Translator,
    digest,
    read_json,
    read_tensors,
    write_tensors,
)
from attnlib.translator import translator as module

ROOT = Path(__file__).parents[2]
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


@pytest.mark.parametrize("alpha", [0.0, 1.0, 0.5])
@pytest.mark.parametrize("beam", [1, 2, 3])
def test_the_score_means_the_same_at_every_beam(beam, alpha):
    """log P(Y|X) / |Y|^alpha: it used to be a plain sum at beam 1, whatever alpha was."""
    translator = make()
    translation = translator.translate(WORDS[1], beam, alpha=alpha)
    ids = [translator.tgt_vocabulary.index[token] for token in translation.tgt_tokens]
    finished = translation.tgt_tokens[-1] == "<eos>"
    body = ids[:-1] if finished else ids
    batch = make_batch([translator.src_vocabulary.encode(WORDS[1])], [body])
    logits, weights = translator.model(batch.src, batch.src_mask, batch.tgt_in)
    log_probs = logits.log_softmax(-1)[0, range(len(ids)), ids]
    expected = log_probs.sum().item() / len(ids) ** alpha
    assert len(ids) > 1 and translation.score == pytest.approx(expected, abs=1e-4)
    assert torch.allclose(translation.weights, weights[0, : len(ids)], atol=1e-5)


@pytest.mark.parametrize("beam", [1, 3])
def test_a_limit_of_its_own_is_what_a_translator_keeps_saved_or_not(tmp_path, beam):
    one = make()
    with torch.no_grad():
        one.model.output.bias[3] = -1e4
    vocabularies = one.src_vocabulary, one.tgt_vocabulary
    translator = Translator(one.model, *vocabularies, limit=LengthLimit(1.5, 3))
    translator.save(tmp_path)
    for this in (translator, Translator.load(tmp_path, "cpu")):
        for translation in this.translate(WORDS, beam):
            n = len(translation.src_tokens)
            assert len(translation.tgt_tokens) == 3 * n // 2 + 3


@pytest.mark.parametrize("pairs, longer", [(999, 0), (1000, 1), (2999, 2)])
def test_a_learnt_limit_is_the_smallest_that_only_one_pair_in_a_thousand_exceeds(pairs, longer):
    draw = random.Random(pairs)
    src = [draw.randint(2, 40) for _ in range(pairs)]
    lengths = [(s, max(1, round(s * draw.gauss(1.3, 0.2)))) for s in src]
    limit = LengthLimit.learn(lengths)
    assert limit.ratio == pytest.approx(sum(t for _, t in lengths) / sum(src), abs=1e-3)
    assert sum(t > limit.tokens(s) for s, t in lengths) <= longer
    tighter = limit._replace(offset=limit.offset - 1)
    assert sum(t > tighter.tokens(s) for s, t in lengths) > longer


def test_an_empty_sentence_is_translated_by_an_empty_one():
    first, empty, last = make().translate(["The dog sleeps.", "  ", "Cats sleep."], 2)
    assert empty.text == "" and empty.tgt_tokens == [] and first.src_tokens[0] == "the"
    assert last.src == "Cats sleep."
    assert make().translate([]) == []


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("attention", [True, False])
def test_several_sentences_are_translated_one_by_one_and_joined(attention, alpha):
    translator = make(attention)
    alone = translator.translate(WORDS, 2, alpha=alpha)
    joined, again = translator.translate([" ".join(WORDS), "  " + "\n".join(WORDS)], 2, alpha=alpha)
    assert joined.src == " ".join(WORDS) and joined[1:4] == again[1:4]
    assert joined.text == " ".join(one.text for one in alone)
    assert joined.src_tokens == sum((one.src_tokens for one in alone), [])
    assert joined.tgt_tokens == sum((one.tgt_tokens for one in alone), [])
    # Their probabilities are multiplied.
    total = sum(one.score * len(one.tgt_tokens) ** alpha for one in alone)
    expected = total / len(joined.tgt_tokens) ** alpha
    assert joined.score == pytest.approx(expected, abs=1e-4)
    if not attention:
        assert joined.weights is None
        return
    assert torch.allclose(joined.weights.sum(1), torch.ones(len(joined.tgt_tokens)))
    row = column = 0
    for one in alone:
        rows, columns = one.weights.shape
        block = joined.weights[row : row + rows, column : column + columns]
        assert torch.allclose(block, one.weights, atol=1e-5)
        row, column = row + rows, column + columns
    assert joined.weights.shape == (row, column)


def test_a_line_of_a_corpus_is_one_sentence_read_as_it_stands():
    translator = make()
    line = "THE DOG SLEEPS. Cats sleep."
    whole, typed = (
        translator.translate(line, 1, single_sentence=True),
        translator.translate(line, 1),
    )
    assert whole.src_tokens == [*translator.src_vocabulary.tokenize(line), "<eos>"]
    assert whole.src_tokens.count("<eos>") == 1 and typed.src_tokens.count("<eos>") == 2
    assert "<unk>" in whole.src_tokens and "<unk>" not in typed.src_tokens
    long = "the dog sees " * 90
    assert len(translator.translate(long, 1, single_sentence=True).src_tokens) == 271
    reference = [(line, "왼쪽 개 가 잔다 .")]
    for beam in (1, 3):
        expected = translator.translate(line, beam, single_sentence=True).text
        assert translator.bleu(reference, beam) == corpus_bleu([expected], [reference[0][1]]).score


class Scripted(Translator):
    """Writes what a test tells it to; ``requests`` is what it had to read."""

    def __init__(self, script, about, log_prob=None):
        one = make()
        super().__init__(one.model, one.src_vocabulary, one.tgt_vocabulary, about)
        self.tgt_vocabulary = WordVocabulary.build(script.values())
        self.script, self.requests, self.log_prob = script, [], log_prob or {}

    def _search(self, sentences, beam, alpha):
        requests = [" ".join(tokens) for tokens in sentences]
        self.requests += requests
        hypotheses = []
        for text in requests:
            log_prob = self.log_prob.get(text, -1.0)
            tokens = self.tgt_vocabulary.encode(self.script[text])
            hypotheses.append(Hypothesis(tokens, log_prob, log_prob, True, None))
        return hypotheses


BOTH = "the dog sleeps . <unk> sleep ."  # "Cats" is known at the beginning alone


@pytest.mark.parametrize(
    ("both", "log_prob", "learned", "text", "requests"),
    [
        ("One. He.", -1.0, 2, "One. He.", 3),  # it knows who sleeps: from the sentence before
        ("One.", -0.1, 2, "One. Two.", 3),  # here a sentence is lost
        ("One. He.", -1.6, 2, "One. He.", 3),  # 5 tokens of -0.32, and 6 of -0.33
        ("One. He.", -1.7, 2, "One. Two.", 3),  # 5 tokens of -0.34
        ("One. He.", -1.0, 1, "One. Two.", 2),
        ("One. He.", -1.0, None, "One. Two.", 2),
        ("One. He.", -1.0, "2", "One. Two.", 2),  # a card may be a stranger's
    ],
)
def test_several_sentences_at_once_are_kept_if_none_is_lost_and_they_are_the_more_probable_ones(
    both, log_prob, learned, text, requests
):
    script = {"the dog sleeps .": "One.", "cats sleep .": "Two.", BOTH: both}
    translator = Scripted(script, {"sentences": learned}, {BOTH: log_prob})
    assert translator.translate("The dog sleeps. Cats sleep.").text == text
    assert len(translator.requests) == requests


@pytest.mark.parametrize("subwords", [False, True])
def test_it_does_not_matter_how_a_sentence_is_typed(subwords):
    translator = make(subwords=subwords)
    expected = translator.translate("A cat sees the dog.", 1)
    for typed in (
        "a cat sees the dog.",
        "A CAT SEES THE DOG.",
        "A Cat Sees The Dog.",
        "\ufeffA\u00a0cat\tsees  the \u200bdog.\n",
    ):
        translation = translator.translate(typed, 1)
        assert translation.src == typed and translation.text == expected.text
        assert translation.src_tokens == expected.src_tokens


def test_what_is_mostly_unknown_is_reported_for_each_sentence():
    unknown = "most of its letters are unknown to this translator"
    translations = make().translate(
        ["Зебра.", "The zebra sleeps.", "The dog sleeps. Зебра. Cats sleep. Зебра.", "😀", ""], 1
    )
    assert [one.notes for one in translations] == [
        (unknown,),
        (),
        (f"sentences 2, 4: {unknown}",),
        (unknown,),
        (),
    ]


def test_a_sentence_of_any_length_is_cut_and_the_cut_reported():
    note = "only its first 250 tokens are translated: it is too long"
    for text in ("the dog sees " * 90, "x" * 10**5):
        translation = make().translate(text, 1)
        assert note in translation.notes and len(translation.src_tokens) <= 251
        assert len(translation.tgt_tokens) <= 2 * 251 + 10
    assert make().translate("the dog sees a cat. " * 60, 1).notes == ()  # in sixty sentences


def test_a_guess_is_reported_by_the_bound_in_the_card():
    translator = make()
    score = translator.translate(WORDS[0], 2).score
    for bound, noted in [(score - 0.01, False), (score + 0.01, True), (True, False), ("x", False)]:
        translator.about = {"corpus": "multi30k-de-en", "guesses below": bound}
        notes = translator.translate(WORDS[0], 2, alpha=0.3).notes  # whatever alpha is
        note = "probably a guess: this translator learned captions of photographs"
        assert notes == ((note,) if noted else ())


@pytest.mark.parametrize(
    ("corpus", "learned"),
    [
        ("multi30k-fr-en", "captions of photographs"),
        ("ko-en-easy", "sentences of a small grammar"),
        ("some/where/my.tsv", "the sentences of my.tsv"),
        ("\x1b[31mred\n.tsv", "the sentences of [31mred .tsv"),  # nothing that moves a cursor
        (None, ""),
    ],
)
def test_what_a_translator_learned_is_on_its_card(corpus, learned):
    translator = make()
    translator.about = {"corpus": corpus}
    assert translator.training_domain == learned


def test_the_translator_that_comes_along_knows_when_it_guesses():
    """Its bound was chosen on half of 600 captions and 100 sentences (data/TRANSLATORS.md)."""
    translator = Translator.load(ROOT / "data" / "de-en", "cpu")
    lines = (ROOT / "data" / "de-en" / "examples.tsv").read_text("utf-8").splitlines()
    others = Path(__file__).with_name("guessing.txt").read_text("utf-8").splitlines()
    captions = translator.translate([line.split("\t")[0] for line in lines])
    (guessed,) = (one for one in captions if one.notes)  # and it is one:
    assert guessed.text == "Three men building a house of wood and drinking by a coffee."
    guesses = translator.translate(others[::5])
    assert sum(map(bool, (one.notes for one in guesses))) >= 0.8 * len(guesses)


@pytest.mark.parametrize("beam", [1, 2])
def test_translating_leaves_every_part_in_the_mode_it_was_in(beam, monkeypatch):
    translator = make()
    translator.model.train()
    translator.model.encoder.eval()
    modes = [part.training for part in translator.model.modules()]
    translator.translate(WORDS, beam)
    assert [part.training for part in translator.model.modules()] == modes

    def interrupted(*given, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "greedy_search" if beam == 1 else "beam_search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        translator.translate(WORDS, beam)
    assert [part.training for part in translator.model.modules()] == modes


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


def test_of_a_compiled_model_what_was_compiled_is_taken():
    one, compiled = make(), nn.Module()
    compiled._orig_mod = one.model  # as torch.compile has it
    init = getattr(Translator.__init__, "__wrapped__", Translator.__init__)
    init(again := Translator.__new__(Translator), compiled, one.src_vocabulary, one.tgt_vocabulary)
    assert again.model is one.model


class Own(nn.Module):
    """A model that is no Seq2Seq, and has what a translator asks for: so has chapter 11b's."""

    encode, step = Seq2Seq.encode, Seq2Seq.step

    def __init__(self, model):
        super().__init__()
        self.encoder, self.decoder, self.output = model.encoder, model.decoder, model.output


def test_a_model_of_ones_own_translates_where_it_has_the_same_parts():
    one = make()
    own = Translator(Own(one.model), one.src_vocabulary, one.tgt_vocabulary)
    assert [t[:4] for t in own.translate(WORDS)] == [t[:4] for t in one.translate(WORDS)]


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
    "a file for a folder": (
        lambda f: [p.unlink() for p in f.iterdir()] and f.rmdir() or f.touch(),
        "t is a file; name the folder in which it lies",
    ),
    "no folder": (lambda f: [p.unlink() for p in f.iterdir()] and f.rmdir(), "there is no folder"),
    "no card": (lambda f: (f / CARD_FILE).unlink(), r"translator\.json is missing"),
    "card cut short": (
        lambda f: (f / CARD_FILE).write_text("{", encoding="utf-8"),
        r"json is damaged",
    ),
    "weights cut short": (lambda f: os.truncate(f / WEIGHTS_FILE, 500), r"safetensors is damaged"),
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


SPLIT = {
    "type": "Split",
    "pattern": {"Regex": "(a|a|aa)+$"},
    "behavior": "Isolated",
    "invert": False,
}


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


def test_bleu_takes_the_pairs_of_a_corpus_and_tuples():
    translator = make(subwords=True)
    texts = [(w, "The dog sees a cat today .") for w in WORDS]
    pairs = [Pair(src, tgt, Links(frozenset(), frozenset())) for src, tgt in texts]
    expected = corpus_bleu([t.text for t in translator.translate(WORDS, 1)], [t for _, t in texts])
    assert translator.bleu(pairs, 1) == translator.bleu(texts, 1) == expected.score
