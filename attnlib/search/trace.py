"""What a beam search did, told hypothesis by hypothesis: the tree that chapter 8 draws."""

import math
from collections.abc import Iterator
from typing import Any

from torch import Tensor

from .loop import Found, Past
from .step import Task


def records(
    history: list[Past], done: list[tuple[Tensor, Found]], size: int, task: Task
) -> Iterator[dict[str, Any]]:
    """The hypotheses of a beam search, parents before children, for drawing the tree."""
    keys = ("sentence", "id", "parent", "step", "token", "log_prob", "status")
    best = set()
    for rows, found in done:
        for b, end, slot, ended in zip(rows.tolist(), *(x[:, 0].tolist() for x in found[2:])):
            best.add(f"{b}.{end}.{slot}" + "$" * ended)
    nodes: list[tuple] = [(b, f"{b}.0.0", None, 0, task.bos, 0.0) for b in range(len(task.limits))]
    for t, past in enumerate(history, 1):
        for b, parents, tokens, totals, ended in zip(*(x.tolist() for x in past[:5])):
            for slot, (parent, token, total) in enumerate(zip(parents, tokens, totals)):
                nodes.append((b, f"{b}.{t}.{slot}", f"{b}.{t - 1}.{parent}", t, token, total))
            for slot, total in enumerate(ended):
                above = f"{b}.{t - 1}.{slot}"
                nodes.append((b, above + "$", above, t, task.eos, total))
    for node in nodes:
        ended, slot = node[1][-1] == "$", int(node[1].strip("$").split(".")[-1])
        status = "finished" if ended else "live" if slot < size else "pruned"
        if node[-1] > -math.inf:
            yield dict(zip(keys, (*node, "best" if node[1] in best else status)))
