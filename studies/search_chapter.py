"""The recorded runs of chapter 8: one small translator, trained for a short, a middling and a long
time, three seeds each, searched in many ways.

    python -m studies.search_chapter                  # data/runs/08_search.json

Everything is measured on the validation split with one thread; the test split is not touched.
"""

from collections.abc import Sequence
from typing import Any

import torch

from attnlib.data import EOS, Corpus, Pair, pad
from attnlib.metrics import corpus_bleu
from attnlib.model import Seq2Seq, make_seq2seq
from attnlib.search import (
    Hypothesis,
    SearchBudgetError,
    beam_search,
    exhaustive_search,
    greedy_search,
)
from attnlib.translator import Translator

from . import common, records, runner

UPDATES = (600, 1200, 2400)
WIDTHS = (2, 5, 10, 20, 50)
ALPHAS = (0.0, 1.0)
SHORT = 16  # source tokens of the sentences that are searched exactly
NODES = 1000  # prefixes that an exact search may expand before it gives the sentence up


def make_model(src_size: int, tgt_size: int) -> Seq2Seq:
    """Luong's decoder, general score, 64 wide: the model of the chapter."""
    return make_seq2seq(src_size, tgt_size, embedding_size=64, hidden_size=64, dropout=0.1)


class Searcher:
    """The validation sentences, encoded once, ready to be searched."""

    def __init__(self, translator: Translator, pairs: Sequence[Pair]) -> None:
        self.translator, self.model, self.pairs = translator, translator.model, pairs
        ids = [translator.src_vocabulary.encode(pair.src) for pair in pairs]
        src, mask = pad([[*sentence, EOS] for sentence in ids])
        with torch.no_grad():
            self.memory = self.model.encode(src, mask)
            self.state = self.model.decoder.start(self.memory)
        self.limits = [2 * (len(sentence) + 1) + 10 for sentence in ids]

    def greedy(self) -> list[Hypothesis]:
        found = greedy_search(self.model.step, self.memory, self.state, max_length=self.limits)
        return [hypotheses[0] for hypotheses in found]

    def beam(self, width: int, **options: Any) -> list[Hypothesis]:
        found = beam_search(
            self.model.step,
            self.memory,
            self.state,
            max_length=self.limits,
            beam_size=width,
            **options,
        )
        return [hypotheses[0] for hypotheses in found]

    def measured(self, found: Sequence[Hypothesis]) -> dict[str, float]:
        """BLEU, tokens written per token of the reference, share of empty translations."""
        vocabulary = self.translator.tgt_vocabulary
        texts = [vocabulary.decode(h.tokens) for h in found]
        tokens = sum(len(vocabulary.encode(pair.tgt)) for pair in self.pairs)
        return {
            "bleu": round(corpus_bleu(texts, [pair.tgt for pair in self.pairs]).score, 2),
            "ratio": round(sum(len(h.tokens) for h in found) / tokens, 4),
            "empty": round(sum(not h.tokens for h in found) / len(found), 4),
        }


def search_errors(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Exact search of the short sentences, and for how many a beam finds something else."""
    chosen, exact, given_up = [], [], 0
    for pair in pairs:
        if len(translator.src_vocabulary.encode(pair.src)) > SHORT:
            continue
        one = Searcher(translator, [pair])
        start = (one.model.step, one.memory, one.state)
        try:
            [[best]] = exhaustive_search(*start, max_length=one.limits, max_nodes=NODES)
        except SearchBudgetError:
            given_up += 1
            continue
        chosen.append(pair)
        exact.append(best)
    searcher = Searcher(translator, chosen)
    errors = {}
    for width in (1, *WIDTHS):
        found = searcher.greedy() if width == 1 else searcher.beam(width)
        errors[str(width)] = sum(h.log_prob < e.log_prob - 1e-3 for h, e in zip(found, exact))
    return {
        "sentences": len(chosen),
        "given_up": given_up,
        "errors": errors,
        "empty": sum(not e.tokens for e in exact),
        "exact": searcher.measured(exact),
    }


def evaluate(translator: Translator, corpus: Corpus) -> dict[str, Any]:
    searcher = Searcher(translator, corpus.valid)
    greedy = searcher.greedy()
    sweep = [{"k": 1, "alpha": 0.0, **searcher.measured(greedy)}]
    for width in WIDTHS:
        for alpha in ALPHAS:
            found = searcher.beam(width, alpha=alpha)
            sweep.append({"k": width, "alpha": alpha, **searcher.measured(found)})
    return {"sweep": sweep, "search": search_errors(translator, corpus.valid)}


def run(updates: int, seed: int) -> dict[str, Any]:
    translator, _ = common.train(make_model, common.recipe(updates, seed))
    return {
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "date": records.today(),
        **evaluate(translator, common.encoded_corpus().corpus),
    }


def header() -> dict[str, Any]:
    return {
        "command": "python -m studies.search_chapter",
        "corpus": "ko-en-easy",
        "split": "valid",
        "sentences": len(common.encoded_corpus().corpus.valid),
        "batch": 32,
        "penalty": "gnmt",
        "exact_search": {"source_tokens": SHORT, "max_nodes": NODES},
        **records.origin(),
    }


SERIES = runner.Series(
    "08_search", {"updates": UPDATES}, run, header, data=lambda updates: common.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say=lambda run: f"{run['updates']} {run['seed']} done")
