"""What a beam search did, hypothesis by hypothesis: the tree that chapter 8 draws."""

import math
from collections.abc import Iterator
from typing import Any

from ..data import BOS, EOS
from .loop import FinishedBatches, StepRecord

KEYS = ("sentence", "id", "parent", "step", "token", "log_prob", "status")


def trace_nodes(
    history: list[StepRecord], done: FinishedBatches, size: int
) -> Iterator[dict[str, Any]]:
    """The hypotheses of a beam search, parents before children, for drawing the tree."""
    best = set()
    for sentences, hypotheses in done:
        columns = (column[:, 0].tolist() for column in hypotheses[2:])
        for b, end, slot, finished in zip(sentences.tolist(), *columns):
            best.add(f"{b}.{end}.{slot}" + "$" * finished)

    def node(b: int, name: str, parent: str | None, *rest: Any) -> Iterator[dict[str, Any]]:
        step, token, log_prob, status = rest
        values = b, name, parent, step, token, log_prob, "best" if name in best else status
        if log_prob > -math.inf:
            yield dict(zip(KEYS, values))

    for b in history[0].sentences.tolist() if history else ():
        yield from node(b, f"{b}.0.0", None, 0, BOS, 0.0, "live")
    for t, record in enumerate(history, 1):
        assert record.finished is not None  # every step of a beam has it
        fields = (record.sentences, record.parents, record.tokens, record.total, record.finished)
        for b, parents, tokens, totals, finished in zip(*(field.tolist() for field in fields)):
            for slot, (parent, token, total) in enumerate(zip(parents, tokens, totals)):
                name, above = f"{b}.{t}.{slot}", f"{b}.{t - 1}.{parent}"
                status = "live" if slot < size else "pruned"
                yield from node(b, name, above, t, token, total, status)
            for slot, total in enumerate(finished):
                above = f"{b}.{t - 1}.{slot}"
                yield from node(b, above + "$", above, t, EOS, total, "finished")
