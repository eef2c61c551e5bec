"""A translator turns strings into strings, whatever is typed, and says what it cannot know."""

import random
from pathlib import Path

import pytest
import torch
from library.small_translator import WORDS, make
from torch import nn

from attnlib.data import Pair, WordVocabulary, make_batch
from attnlib.metrics import corpus_bleu
from attnlib.model import Seq2Seq
from attnlib.search import Hypothesis
from attnlib.translator import LengthLimit, Translator
from attnlib.translator import translator as module

ROOT = Path(__file__).parents[2]


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
    assert translator.translate([], beam) == []


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
    whole = translator.translate(line, 1, single_sentence=True)
    typed = translator.translate(line, 1)
    assert whole.src_tokens == [*translator.src_vocabulary.tokenize(line), "<eos>"]
    assert whole.src_tokens.count("<eos>") == 1 and typed.src_tokens.count("<eos>") == 2
    assert "<unk>" in whole.src_tokens and "<unk>" not in typed.src_tokens
    long = "the dog sees " * 90
    assert len(translator.translate(long, 1, single_sentence=True).src_tokens) == 271


@pytest.mark.parametrize("beam", [1, 3])
def test_bleu_takes_pairs_and_tuples_and_reads_each_source_as_one_sentence(beam):
    translator = make(subwords=True)
    texts = [(f"{text} Cats sleep.", "The dog sees a cat today .") for text in WORDS]
    sources, references = zip(*texts)
    found = translator.translate(sources, beam, single_sentence=True)
    expected = corpus_bleu([one.text for one in found], references).score
    assert translator.bleu([Pair(*both) for both in texts], beam) == expected > 0
    assert translator.bleu(texts, beam) == expected


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
    expected = {
        "Зебра.": (unknown,),
        "The zebra sleeps.": (),
        "The dog sleeps. Зебра. Cats sleep. Зебра.": (f"sentences 2, 4: {unknown}",),
        "😀": (unknown,),
        "": (),
    }
    translations = make().translate([*expected], 1)
    assert [one.notes for one in translations] == [*expected.values()]


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
