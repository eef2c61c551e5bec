"""Exercise 8.3: ``reorder``."""

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def reorder(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
    """The state of each new place's parent. state: name → (B, K, …), parents (B, K')."""
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in state.items()}


def _states() -> Inputs:
    yield {
        "state": {"hidden": torch.tensor([[[1.0], [2.0]]]), "cell": torch.tensor([[[5.0], [6.0]]])},
        "parents": torch.tensor([[1, 1]]),
    }
    yield {
        "state": {"hidden": torch.arange(6.0).view(2, 3, 1), "cell": -torch.arange(6.0).view(2, 3)},
        "parents": torch.tensor([[1, 2], [2, 0]]),
    }
    generator = torch.Generator().manual_seed(4)
    for b, k, new in ((2, 3, 3), (3, 2, 4), (2, 4, 2), (1, 3, 3)):
        yield {
            "state": {
                "hidden": torch.randn(b, k, 5, generator=generator),
                "cell": torch.randn(b, k, 5, generator=generator),
                "score": torch.randn(b, k, generator=generator),
                "looked_at": torch.rand(b, k, 6, 7, generator=generator),
            },
            "parents": torch.randint(k, (b, new), generator=generator),
        }


def _own_parent(call: Call) -> str | None:
    for name, after in call.result.items():
        before = call.state[name]
        as_it_was = torch.equal(after, before)
        for b in range(len(call.parents)):
            for k, parent in enumerate(call.parents[b].tolist()):
                if torch.equal(after[b, k], before[b, parent]):
                    continue
                if as_it_was:
                    return (
                        f'"{name}" comes back unchanged. Everything that a prefix carries moves '
                        "with it: place k gets what its parent, place parents[b, k], had."
                    )
                return (
                    f'Sentence {b}, new place {k}: its parent is {parent}, but "{name}" is not '
                    f"that of place {parent} of sentence {b}."
                )
    return None


def _rows(parents: Tensor) -> Tensor:
    """The numbers of the sentences, as a column."""
    return torch.arange(len(parents)).unsqueeze(1)


#: What a wrong function makes of each tensor of the state and the parents.
_MOVED: dict[str, list[Callable[[Tensor, Tensor], Tensor]]] = {
    "Every sentence is reordered by the parents of the first one.": [
        lambda x, parents: x[:, parents[0]],
    ],
    "An index is missing: state[parents] takes whole sentences, so the result has a dimension too "
    "many. Which sentence does row b of the parents belong to?": [lambda x, parents: x[parents]],
    "This is the inverse: place parents[k] gets the state of place k. It is place k that must "
    "*get* the state of place parents[k].": [
        lambda x, parents: x.index_put((_rows(parents), parents), x[:, : parents.shape[1]]),
        lambda x, parents: torch.zeros_like(x).index_put(
            (_rows(parents), parents), x[:, : parents.shape[1]]
        ),
    ],
    "Every sentence gets states of the first one. Row b of the parents belongs to sentence b; if "
    "you lay sentences and places in one row, its places begin at b × K.": [
        lambda x, parents: x.flatten(0, 1)[parents],
    ],
}


def _each(move: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., dict[str, Tensor]]:
    return lambda state, parents: {name: move(x, parents) for name, x in state.items()}


CHECK = Exercise(
    reorder,
    inputs=_states,
    rules={"every prefix has the state of its parent, in its own sentence": _own_parent},
    gradients=(),  # a search only looks ahead; nothing goes back through that
    mistakes={diagnosis: [_each(move) for move in moves] for diagnosis, moves in _MOVED.items()},
)
