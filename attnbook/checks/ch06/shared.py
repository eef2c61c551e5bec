"""What checks of chapter 6 share."""

from __future__ import annotations

import torch

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call


def query_and_keys(seed: int) -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0], [0.0, 3.0]]]),
        "keys": torch.tensor([[[3.0, 1.0], [-1.0, 0.0]]]),
    }
    yield {
        "query": torch.tensor([[[1.0, 2.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[3.0, 0.0, 5.0, 1.0], [0.0, -1.0, 0.0, 4.0]]]),
    }
    make = normal(seed)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4)}
    yield {"query": make(2, 3, 7), "keys": make(2, 5, 7)}
    yield {"query": make(3, 4, 6), "keys": make(3, 2, 6)}


def own_pair_only(call: Call) -> str | None:
    rows, steps = call.query.shape[:2]
    for b in {0, rows - 1}:
        for t in range(steps):
            for s in range(call.keys.shape[1]):
                one = {"query": call.query[b : b + 1, t : t + 1]}
                alone = float(call(keys=call.keys[b : b + 1, s : s + 1], **one))
                here = float(call.result[b, t, s])
                if abs(alone - here) > 1e-4 * max(1.0, abs(alone)):
                    return (
                        f"At [{b}, {t}, {s}] stands {here:.3f}. Given alone, query {t} and key "
                        f"{s} of sentence {b} get {alone:.3f}: a score is made of its own query "
                        "and its own key."
                    )
    return None
