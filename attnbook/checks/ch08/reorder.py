"""Exercise 8.7: ``reorder``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# reorder ------------------------------------------------------------------------------------------


def _states() -> Inputs:
    yield {
        "state": {"hidden": torch.tensor([[[1.0], [2.0]]]), "cell": torch.tensor([[[5.0], [6.0]]])},
        "parents": torch.tensor([[1, 1]]),
    }
    generator = torch.Generator().manual_seed(4)
    for b, k, new in ((2, 3, 3), (3, 2, 4), (2, 4, 2)):
        yield {
            "state": {
                "hidden": torch.randn(b, k, 5, generator=generator),
                "cell": torch.randn(b, k, 5, generator=generator),
                "looked_at": torch.rand(b, k, 2, 3, generator=generator),
            },
            "parents": torch.randint(k, (b, new), generator=generator),
        }


def _reorder(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in state.items()}


def _own_parent(call: Call) -> str | None:
    for name, after in call.result.items():
        for b in range(len(call.parents)):
            for k, parent in enumerate(call.parents[b].tolist()):
                if not torch.equal(after[b, k], call.state[name][b, parent]):
                    return (
                        f'Sentence {b}, new place {k}: its parent is {parent}, but "{name}" is '
                        f"not that of place {parent} of sentence {b}."
                    )
    return None


CHECK = Exercise(
    "reorder",
    reference=_reorder,
    inputs=_states,
    rules={"every prefix has the state of its parent, in its own sentence": _own_parent},
    mistakes=[
        Mistake(
            "Only the hidden state is reordered. Everything that a prefix carries along moves with "
            "it: cell, coverage, and whatever else the state holds.",
            lambda state, parents: {
                name: x[torch.arange(len(parents)).unsqueeze(1), parents] if name == "hidden" else x
                for name, x in state.items()
            },
        ),
        Mistake(
            "The state comes back as it was. Place k of the result belongs to the prefix whose "
            "parent is parents[b, k].",
            lambda state, parents: dict(state),
        ),
        Mistake(
            "Every sentence is reordered by the parents of the first one.",
            lambda state, parents: {name: x[:, parents[0]] for name, x in state.items()},
        ),
        Mistake(
            "The parents number places of the beam (dimension 1), not sentences (dimension 0).",
            lambda state, parents: {name: x[parents[:, 0]] for name, x in state.items()},
        ),
        Mistake(
            "One index too few: state[parents] takes whole sentences, and the result has a "
            "dimension too many. Which sentence does row b of the parents belong to?",
            lambda state, parents: {name: x[parents] for name, x in state.items()},
        ),
        Mistake(
            "This is the inverse: place parents[k] is given the state of place k. Asked for is "
            "that place k *gets* the state of place parents[k].",
            lambda state, parents: {
                name: _scattered(x, parents, parents.shape[1]) for name, x in state.items()
            },
        ),
    ],
)


def _scattered(x: Tensor, parents: Tensor, places: int) -> Tensor:
    result = torch.zeros_like(x)
    for b in range(len(parents)):
        for k in range(min(places, x.shape[1])):
            result[b, parents[b, k]] = x[b, k]
    return result
