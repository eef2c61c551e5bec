"""Exercise 7.1: ``accuracy_by_position``."""

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, generator
from attnbook.checks.rules import by_hand
from attnbook.exercises import Call, Exercise


def accuracy_by_position(written: Tensor, gold: Tensor, mask: Tensor) -> Tensor:
    """Share of right tokens at each position. All (B, T), mask True = real token → (T,)."""
    return ((written == gold) & mask).sum(0) / mask.sum(0)


def _written_and_gold() -> Inputs:
    yield {
        "written": torch.tensor([[5, 6], [7, 0]]),
        "gold": torch.tensor([[5, 8], [7, 0]]),
        "mask": torch.tensor([[True, True], [True, False]]),
    }
    # Word 0 may be real, and any word may stand at padding: the mask alone decides.
    for seed, rows, length, low, padding in ((1, 4, 5, 4, 0), (2, 6, 3, 0, 1), (3, 5, 4, 0, 0)):
        draw = generator(seed)
        gold = torch.randint(low, low + 3, (rows, length), generator=draw)
        lengths = torch.randint(1, length + 1, (rows,), generator=draw)
        lengths[0] = length
        mask = torch.arange(length) < lengths.unsqueeze(1)
        written = torch.randint(low, low + 3, (rows, length), generator=draw)
        written[1:, -1] = padding  # right by chance, where it does not count
        yield {"written": written, "gold": gold.masked_fill(~mask, padding), "mask": mask}


def _padding_is_no_answer(call: Call) -> str | None:
    for written, gold in ((9, call.gold), (call.gold, call.gold), (8, torch.tensor(8))):
        changed = {
            "written": torch.where(call.mask, call.written, written),
            "gold": torch.where(call.mask, call.gold, gold),
        }
        if not torch.allclose(call(**changed), call.result):
            return (
                "When other words stand at padding, the accuracy changes. There is no right answer "
                "there: count real tokens only, above and below the line, as the mask says."
            )
    return None


def _one_position(call: Call, t: int) -> str:
    real = call.mask[:, t]
    right = int(((call.written == call.gold)[:, t] & real).sum())
    return f"real tokens at position {t}: {int(real.sum())}, right ones: {right}"


#: A wrong share, by where both tables have the same word, and the mask.
_SHARES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "It is divided by the number of sentences. At a late position fewer sentences are left: divide "
    "by how many still have a real token there.": lambda same, mask: (same & mask).float().mean(0),
    "This is the accuracy of each sentence: the sum runs along the positions. Which dimension "
    "holds the sentences?": lambda same, mask: (same & mask).sum(1) / mask.sum(1),
    "After a first mistake all later tokens of a sentence count as wrong. Each position is judged "
    "by itself.": lambda same, mask: (same & mask).cumprod(1).sum(0) / mask.sum(0),
}


def _share(share: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda written, gold, mask: share(written == gold, mask)


CHECK = Exercise(
    accuracy_by_position,
    inputs=_written_and_gold,
    rules={
        "what stands at padding does not count": _padding_is_no_answer,
        "the accuracy is the share of the real tokens that are right": by_hand(_one_position),
    },
    mistakes={
        **{diagnosis: _share(share) for diagnosis, share in _SHARES.items()},
        "Word 0 is taken for padding. What is real is said by the mask, not by the words.": (
            lambda written, gold, mask: accuracy_by_position(written, gold, gold != 0)
        ),
    },
)
