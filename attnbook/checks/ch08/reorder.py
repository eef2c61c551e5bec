"""Exercise 8.7: ``reorder``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def reorder(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
    """The state of each new place's parent. state: name → (B, K, …), parents (B, K')."""
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in state.items()}


# reorder ------------------------------------------------------------------------------------------


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


def _reorder(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in state.items()}


def _own_parent(call: Call) -> str | None:
    for name, after in call.result.items():
        before = call.state[name]
        for b in range(len(call.parents)):
            for k, parent in enumerate(call.parents[b].tolist()):
                if torch.equal(after[b, k], before[b, parent]):
                    continue
                told = (
                    f'Sentence {b}, new place {k}: its parent is {parent}, but "{name}" is not '
                    f"that of place {parent} of sentence {b}"
                )
                for other in range(len(before)):
                    for place in range(before.shape[1]):
                        if torch.equal(after[b, k], before[other, place]):
                            return f"{told}. It is that of place {place} of sentence {other}."
                return f"{told}, and of no other place, either."
    return None


def _all_but(left: str) -> Callable[..., dict[str, Tensor]]:
    def wrong(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
        return {**_reorder(state, parents), left: state[left]}

    return wrong


def _moved(how: str) -> Callable[..., dict[str, Tensor]]:
    """The states moved in a wrong way."""

    def wrong(state: dict[str, Tensor], parents: Tensor) -> dict[str, Tensor]:
        (rows, new), found = parents.shape, {}
        for name, x in state.items():
            flat = x.flatten(0, 1)
            if how == "flat":
                found[name] = flat[parents]
            elif how == "pairs":  # the first fails as the learner's does, where the sizes differ
                found[name] = x[torch.arange(rows), parents]
            elif how == "sentences":
                found[name] = x[parents, torch.arange(new)]
            elif how == "all":
                found[name] = x[:, parents]
            elif how == "gather":
                found[name] = x.gather(1, parents)
            elif how == "flat parents":
                found[name] = x[:, parents.flatten()]
            elif how == "laid in a row":
                found[name] = _reorder({name: x}, parents)[name].flatten(0, 1)
            elif how == "sorted":
                found[name] = _reorder({name: x}, parents.sort(1).values)[name]
            elif how == "flat by new":
                found[name] = flat[parents + new * torch.arange(rows).unsqueeze(1)]
            elif how == "overwritten":
                x = x.clone()
                for b in range(rows):
                    for k in range(new):
                        x[b, k] = x[b, parents[b, k]]
                found[name] = x[:, :new]
            elif how == "last":
                found[name] = x[:, parents[-1]]
            else:  # the inverse
                x = x.clone() if how == "inverse" else torch.zeros_like(x)
                x[torch.arange(rows).unsqueeze(1), parents] = state[name][:, :new]
                found[name] = x
        return found

    return wrong


CHECK = Exercise(
    "reorder",
    reference=reorder,
    inputs=_states,
    rules={"every prefix has the state of its parent, in its own sentence": _own_parent},
    gradients=(),  # a search only looks ahead; nothing goes back through that
    mistakes=[
        (
            "Only the hidden state is reordered. Everything that a prefix carries along moves with "
            "it: cell, coverage, and whatever else the state holds.",
            lambda state, parents: {
                name: x[torch.arange(len(parents)).unsqueeze(1), parents] if name == "hidden" else x
                for name, x in state.items()
            },
        ),
        (
            "The state comes back as it was. Place k of the result belongs to the prefix whose "
            "parent is parents[b, k].",
            lambda state, parents: dict(state),
        ),
        (
            "Every sentence is reordered by the parents of the first one.",
            lambda state, parents: {name: x[:, parents[0]] for name, x in state.items()},
        ),
        (
            "The parents number places of the beam (dimension 1), not sentences (dimension 0).",
            lambda state, parents: {name: x[parents[:, 0]] for name, x in state.items()},
        ),
        (
            "One index too few: state[parents] takes whole sentences, and the result has a "
            "dimension too many. Which sentence does row b of the parents belong to?",
            lambda state, parents: {name: x[parents] for name, x in state.items()},
        ),
        *(
            (
                "This is the inverse: place parents[k] is given the state of place k. Asked for is "
                "that place k *gets* the state of place parents[k].",
                _moved(how),
            )
            for how in ("inverse", "inverse of zeros")
        ),
        (
            "The places are copied one after the other inside one tensor, so a parent may have "
            "been overwritten before it is read. Read from the old tensor, write into a new one.",
            _moved("overwritten"),
        ),
        (
            "Every sentence gets states of the first one. Row b of the parents belongs to sentence "
            "b; where sentences and places are laid in one row, that begins at b × K.",
            _moved("flat"),
        ),
        (
            "In the flattened row sentence b begins at b × K, with K the number of *old* places. "
            "Here the number of new ones is taken.",
            _moved("flat by new"),
        ),
        *(
            (told, _moved(how))
            for how, told in (
                ("last", "Every sentence is reordered by the parents of the last one."),
                (
                    "pairs",
                    "The numbers of the sentences lie in a row, and so belong to the new "
                    "*places*. Sentence b belongs to the whole row b of the parents: make them a "
                    "column, unsqueeze(1).",
                ),
                (
                    "sentences",
                    "The parents are taken for numbers of sentences: they stand first in "
                    "the index. x[b, k] is place k of sentence b.",
                ),
                (
                    "all",
                    "Every sentence is reordered by the parents of all, so there is a "
                    "dimension too many. Row b of the parents belongs to sentence b alone.",
                ),
                (
                    "gather",
                    "gather wants an index of as many dimensions as the tensor, and of its sizes "
                    "behind the second: x[rows, parents] with a column of row numbers needs none.",
                ),
                (
                    "flat parents",
                    "The parents of all sentences are laid in a row, and each sentence takes them "
                    "all. Row b of the parents belongs to sentence b alone.",
                ),
                (
                    "laid in a row",
                    "The prefixes of all sentences are laid in a row: a dimension for the "
                    "sentences and one for the places are asked for.",
                ),
                (
                    "sorted",
                    "The parents are sorted: place k belongs to parents[b, k], in their order.",
                ),
            )
        ),
        (
            "The names are lost: a dictionary with the same names as state is asked for.",
            lambda state, parents: list(_reorder(state, parents).values()),
        ),
        (
            "Only the first tensor comes back. Everything that the state holds moves along.",
            lambda state, parents: _reorder(dict(list(state.items())[:1]), parents),
        ),
        (
            "Only one tensor comes back: a dictionary of all that state holds is asked for.",
            lambda state, parents: next(iter(_reorder(state, parents).values())),
        ),
        *(
            (
                f'"{name}" is left as it was. Everything that a prefix carries along moves with '
                "it.",
                _all_but(name),
            )
            for name in ("cell", "hidden")
        ),
    ],
)
