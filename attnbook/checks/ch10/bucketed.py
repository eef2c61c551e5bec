"""Exercise 10.3: ``bucketed``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# bucketed -----------------------------------------------------------------------------------------


def _lengths() -> Inputs:
    yield {"lengths": [3, 1, 2], "budget": 4}
    yield {"lengths": [5, 2, 5, 2, 2], "budget": 10}
    yield {"lengths": [4, 1, 1, 4, 1, 1], "budget": 8}
    draw = random.Random(1)
    yield {"lengths": [draw.randint(1, 9) for _ in range(14)], "budget": 20}


def _bucketed(lengths: Sequence[int], budget: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _in_order(order: Sequence[int], lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Cut an order of sentences where the padded table would grow too large."""
    batches: list[list[int]] = [[]]
    for i in order:
        longest = max([lengths[k] for k in batches[-1]] + [lengths[i]])
        if batches[-1] and (len(batches[-1]) + 1) * longest > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _by_sum(lengths: Sequence[int], budget: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if sum(lengths[k] for k in batches[-1]) + lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _too_late(lengths: Sequence[int], budget: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        batches[-1].append(i)
        if len(batches[-1]) * lengths[i] > budget:
            batches.append([])
    return [batch for batch in batches if batch]


def _every_sentence_once(call: Call) -> str | None:
    try:
        found = Counter(i for batch in call.result for i in batch)
    except TypeError:
        return "A list of lists is asked for: one list of indices for every batch."
    if found == Counter(range(len(call.lengths))):
        return None
    if missing := set(range(len(call.lengths))) - set(found):
        last = "the last batch" if len(missing) < len(call.lengths) else "every batch"
        return (
            f"The sentences {sorted(missing)} are in no batch. Do the batches hold indices (not "
            f"lengths), and is {last} kept when the loop ends?"
        )
    return f"Some sentences are in more than one batch, or are none of ours: {dict(found)}."


def _within_budget(call: Call) -> str | None:
    for batch in call.result:
        cells = len(batch) * max(call.lengths[i] for i in batch) if batch else 0
        if cells > call.budget:
            return (
                f"The batch {list(batch)} has {len(batch)} sentences padded to "
                f"{max(call.lengths[i] for i in batch)} tokens, {cells} cells, and the budget is "
                f"{call.budget}. What does the table cost once the newest sentence is in it?"
            )
    return None


def _no_empty_batch(call: Call) -> str | None:
    return None if all(len(batch) for batch in call.result) else "One of the batches is empty."


CHECK = Exercise(
    "bucketed",
    reference=_bucketed,
    inputs=_lengths,
    rules={
        "every sentence is in exactly one batch": _every_sentence_once,
        "no batch is empty": _no_empty_batch,
        "sentences × longest sentence stays within the budget": _within_budget,
    },
    mistakes=[
        Mistake(
            "These batches are filled in the order of the file, so short sentences are padded to "
            "long neighbours. What should be done before the first batch is filled?",
            lambda lengths, budget: _in_order(range(len(lengths)), lengths, budget),
        ),
        Mistake(
            "Here the lengths of a batch are added up. A padded table costs more: every row is as "
            "long as the longest.",
            _by_sum,
        ),
        Mistake(
            "The sentence that breaks the budget is still put into the batch. What does the table "
            "cost once the newest sentence is in it?",
            _too_late,
        ),
        Mistake(
            "These batches run from the longest sentence to the shortest; the specification "
            "begins with the shortest.",
            lambda lengths, budget: _in_order(
                sorted(range(len(lengths)), key=lambda i: -lengths[i]), lengths, budget
            ),
        ),
    ],
)
