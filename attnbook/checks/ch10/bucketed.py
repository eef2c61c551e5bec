"""Exercise 10.2: ``bucketed``."""

import random
from collections import Counter
from collections.abc import Sequence

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def bucketed(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Batches of similar lengths: list of lists of indices, each at most budget padded cells."""
    batches = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _lengths() -> Inputs:
    yield {"lengths": [3, 1, 2], "budget": 4}
    yield {"lengths": [2, 2], "budget": 4}
    yield {"lengths": [5, 2, 5, 2, 2], "budget": 10}
    yield {"lengths": [6, 3, 7, 4], "budget": 7}
    yield {"lengths": [4, 1, 1, 4, 1, 1], "budget": 8}
    yield {"lengths": [1] * 12, "budget": 12}
    draw = random.Random(1)
    yield {"lengths": [draw.randint(1, 9) for _ in range(14)], "budget": 20}


def _every_sentence_once(call: Call) -> str | None:
    counts = Counter(i for batch in call.result for i in batch)
    if counts == Counter(range(len(call.lengths))):
        return None
    if counts == Counter(call.lengths):
        return "The batches contain lengths. Return the *indices* of the sentences."
    got = sorted(counts.elements())
    return f"Return the indices 0 to {len(call.lengths) - 1}, each once; you return {got}."


def _in_their_order(call: Call) -> str | None:
    order = [i for batch in call.result for i in batch]
    for before, after in zip(order, order[1:]):
        if (call.lengths[before], before) > (call.lengths[after], after):
            return (
                f"Sentence {before} (length {call.lengths[before]}) comes before sentence {after} "
                f"(length {call.lengths[after]}): the shortest come first, and equal ones keep "
                "their order."
            )
    return None


def _as_full_as_can_be(call: Call) -> str | None:
    for batch, after in zip(call.result, call.result[1:]):
        cells = (len(batch) + 1) * call.lengths[after[0]]
        if cells <= call.budget:
            return (
                f"After the batch {list(batch)} a new one begins with sentence {after[0]} (length "
                f"{call.lengths[after[0]]}). With it the table would have {len(batch) + 1} × "
                f"{call.lengths[after[0]]} = {cells} cells, not more than the budget of "
                f"{call.budget}: it still belongs to that batch."
            )
    return None


def _within_budget(call: Call) -> str | None:
    for batch in call.result:
        cells = len(batch) * max(call.lengths[i] for i in batch) if batch else 0
        if cells > call.budget:
            return (
                f"The batch {list(batch)} has {len(batch)} sentences padded to "
                f"{max(call.lengths[i] for i in batch)} tokens, {cells} cells, and the budget is "
                f"{call.budget}. Every row is as long as the longest, and the newest sentence is "
                f"also a row: the lengths alone add up to {sum(call.lengths[i] for i in batch)}."
            )
    return None


def _no_empty_batch(call: Call) -> str | None:
    if all(len(batch) for batch in call.result):
        return None
    return (
        "One of the batches is empty. Begin a new one only for a sentence that does not fit into "
        "the last, and put that sentence in first."
    )


CHECK = Exercise(
    bucketed,
    inputs=_lengths,
    rules={
        "every sentence is in exactly one batch": _every_sentence_once,
        "no batch is empty": _no_empty_batch,
        "the shortest come first, equal ones in their order": _in_their_order,
        "sentences × longest sentence stays within the budget": _within_budget,
        "a new batch begins only where the sentence does not fit": _as_full_as_can_be,
    },
    mistakes={
        "The last batch is missing: when the loop ends, it is not in the list yet.": (
            lambda lengths, budget: bucketed(lengths, budget)[:-1]
        ),
    },
)
