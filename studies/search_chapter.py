"""The recorded runs of chapter 8: one small translator, trained for a short, a middling and a long
time, three seeds each, searched in many ways.

    python -m studies.search_chapter                  # data/runs/08_search.json
    python -m studies.search_chapter --updates 600 --seeds 1

A run that is in the file already is not made again, so the program can be stopped at any time.
Everything is measured on the validation split with one thread, and greedy search and a beam of five
also on the composition test; the test split is not touched.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attnlib.data import EOS, Corpus, Pair, make_batch, pad
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

from . import easy_runs, records, runner

UPDATES = (600, 1200, 2400)
WIDTHS = (2, 5, 10, 20, 50)
ALPHAS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
BETAS = (0.2, 1.0)  # of the coverage penalty, with a beam of 10
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
        src, self.mask = pad([[*sentence, EOS] for sentence in ids])
        with torch.no_grad():
            self.memory = self.model.encode(src, self.mask)
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
            src_mask=self.mask,
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

    def log_probs(self, targets: Sequence[Sequence[int]]) -> Tensor:
        """log P of given translations (B,), the end of the sentence included."""
        sources = [self.translator.src_vocabulary.encode(pair.src) for pair in self.pairs]
        batch = make_batch(sources, [list(target) for target in targets])
        with torch.no_grad():
            logits, _ = self.model(batch.src, batch.src_mask, batch.tgt_in)
        gains = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
        return gains.masked_fill(~batch.tgt_mask, 0).sum(1)


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
    sweep = [{"k": 1, "alpha": 0.0, "beta": 0.0, **searcher.measured(greedy)}]
    for width in WIDTHS:
        for alpha in ALPHAS:
            found = searcher.beam(width, alpha=alpha)
            sweep.append({"k": width, "alpha": alpha, "beta": 0.0, **searcher.measured(found)})
    for beta in BETAS:
        for alpha in ALPHAS[:6]:
            found = searcher.beam(10, alpha=alpha, beta=beta)
            sweep.append({"k": 10, "alpha": alpha, "beta": beta, **searcher.measured(found)})
    means = {
        str(width): searcher.measured(searcher.beam(width, alpha=1.0, penalty="power"))
        for width in WIDTHS
    }
    empty = searcher.log_probs([[] for _ in corpus.valid])
    gold = searcher.log_probs([translator.tgt_vocabulary.encode(p.tgt) for p in corpus.valid])
    found_5 = torch.tensor([h.log_prob for h in searcher.beam(5)])
    others = {}
    for name, pairs in easy_runs.other_tests(corpus.name).items():
        search = Searcher(translator, pairs)
        found = {"greedy": search.greedy(), "beam_5": search.beam(5)}
        others[name] = {way: search.measured(hypotheses) for way, hypotheses in found.items()}
    return {
        "sweep": sweep,
        "mean_log_prob": means,  # s(Y) = log P(Y) / |Y|
        "empty_beats_reference": round(float((empty > gold).double().mean()), 4),
        "empty_beats_beam_5": round(float((empty > found_5).double().mean()), 4),
        "search": search_errors(translator, corpus.valid),
        "others": others,
    }


def run(updates: int, seed: int) -> dict[str, Any]:
    translator, _ = easy_runs.train(make_model, easy_runs.recipe(updates, seed))
    return {
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "date": records.today(),
        **evaluate(translator, easy_runs.numbers().corpus),
    }


def head() -> dict[str, Any]:
    return {
        "command": "python -m studies.search_chapter",
        "corpus": "ko-en-easy",
        "split": "valid",
        "sentences": len(easy_runs.numbers().corpus.valid),
        "batch": 32,
        "penalty": "gnmt",
        "exact_search": {"source_tokens": SHORT, "max_nodes": NODES},
        **records.origin(),
    }


SERIES = runner.Series(
    "08_search", {"updates": UPDATES}, run, head, data=lambda updates: easy_runs.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say=lambda run: f"{run['updates']} {run['seed']} done")
