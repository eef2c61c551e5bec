"""Whether the gradients that come back through a learner's function are the reference's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .spec import Function
from .tracing import cut_off
from .values import copied, difference, tensors


def gradients_differ(
    learner: Function,
    reference: Function,
    given: Mapping[str, Any],
    names: Sequence[str] | None = None,
    written: Any = None,
) -> str | None:
    """A sentence on the first tensor to which another gradient comes back.

    "" where all are the reference's, and None where nothing can be differentiated.

    Every tensor of decimal numbers in the arguments is looked at (``names`` chooses among them),
    and every weight that a function among them uses, as far as a gradient comes back to it
    through the reference. ``written`` is the function in which the cause is looked for.
    """
    chosen = set(given if names is None else names)
    with torch.enable_grad():
        right = _Way(reference, given, chosen)
        if not right.outputs:
            return None
        expected = right.gradients(right.hidden)
        mine = _Way(learner, given, chosen)
        try:
            got = mine.gradients(right.hidden)
        except RuntimeError as problem:  # torch: an in-place change of a tensor that backward needs
            return _OVERWRITTEN if "inplace" in str(problem) else f"No gradient comes: {problem}"
    labels = [*right.leaves, *[_hidden_in(given)] * len(right.hidden)]
    reached = [label for label, wanted in zip(labels, expected) if bool(wanted.any())]
    lost = [x for x, g, e in zip(labels, got, expected) if bool(e.any()) and not bool(g.any())]

    def cause() -> str:
        found = cut_off(written or learner, lambda: _Way(learner, given, chosen))
        return f". In your function, {', and '.join(found[:2])}." if found else f".{_ASKED}"

    if lost:
        where = "the result" if lost == reached else _listed(lost)
        through = "through" if lost == reached else "to"
        return f"No gradient comes back {through} {where}{_TRAINED * (lost == reached)}{cause()}"
    for name, mine_, theirs in zip(labels, got, expected):
        if bool((mine_.isnan() & ~theirs.isnan()).any()):
            return _NOT_A_NUMBER.format(name) + (_ROOT if mine.has_root else _MASKED)
        if told := difference(torch.where(theirs.isnan(), theirs, mine_), theirs, 1e-4):
            head = f"The values are right, but not the gradient that comes back to {name}: "
            return f"{head}{told[0].lower()}{told[1:].rstrip('.')}{cause()}"
    return ""


_TRAINED = ", so nothing could be trained with it"
_OVERWRITTEN = (
    "The values are right, but no gradient can go back: a tensor that the way back needs is "
    "written into after it was used. Make a new one; a slice such as x[:, t] is a part of x, and "
    "x[:, t].clone() is not."
)
_NOT_A_NUMBER = "The values are right, but the gradient that comes back to {} is not a number. "
_MASKED = (
    "What is masked after it has become NaN or ∞ is right on the way forward only: mask before."
)
_ROOT = (
    "A root has an infinite slope at 0, and neither a mask nor a square behind it helps: 0 times ∞ "
    "is not a number. Do without the root, or keep 0 out of it."
)
_ASKED = " Whole numbers, comparisons and tensors that are made anew have none: is one on the way?"


def _listed(names: Sequence[str]) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]


def _hidden_in(given: Mapping[str, Any]) -> str:
    """What weights that are no argument belong to."""
    return (
        f"the weights that {_listed([k for k, v in given.items() if callable(v)] or ['it'])} uses"
    )


class _Way:
    """A call with arguments that want gradients, and the ways that lead back from its result."""

    def __init__(self, function: Function, given: Mapping[str, Any], chosen: set[str]) -> None:
        mine = copied(dict(given))
        self.leaves = {
            label: x.requires_grad_()
            for name in mine
            if name in chosen
            for label, x in _named(name, mine[name])
            if x.is_floating_point()
        }
        self.outputs = [x for x in tensors(function(**mine)) if x.requires_grad]

    @property
    def hidden(self) -> list[Tensor]:
        """Tensors with a gradient that are no argument: weights that a function brings along."""
        known = {id(leaf) for leaf in self.leaves.values()}
        met = [getattr(step, "variable", None) for step in self._steps()]
        found = {id(leaf): leaf for leaf in met if leaf is not None and id(leaf) not in known}
        return list(found.values())

    @property
    def has_root(self) -> bool:
        """Whether a root is taken on the way: ``sqrt``, or a power below 1."""
        for step in self._steps():
            power = getattr(step, "_saved_exponent", 1)
            if step.name().startswith("Sqrt") or isinstance(power, float) and 0 < power < 1:
                return True
        return False

    def _steps(self) -> Iterator[Any]:
        """What a gradient goes back through, each once."""
        todo, seen = [x.grad_fn for x in self.outputs], set()
        while todo:
            step = todo.pop()
            if step is None or step in seen:
                continue
            seen.add(step)
            yield step
            todo += [before for before, _ in step.next_functions]

    def gradients(self, hidden: Sequence[Tensor]) -> list[Tensor]:
        """Of a sum of all results, each number with a weight of its own, for every leaf."""
        wanted = [*self.leaves.values(), *hidden]
        if not self.outputs:
            return [torch.zeros_like(x) for x in wanted]
        weights = [
            torch.linspace(0.5, 1.5, x.numel(), dtype=x.dtype, device=x.device).view(x.shape)
            for x in self.outputs
        ]
        # The sum itself, not its parts with their weights: for those torch imports sympy, and where
        # the time limit ends that import, the module stays half loaded.
        sums = [(x * weight).sum() for x, weight in zip(self.outputs, weights)]
        total = sum(sums[1:], sums[0])
        found = torch.autograd.grad(total, wanted, retain_graph=True, allow_unused=True)
        return [torch.zeros_like(x) if g is None else g for x, g in zip(wanted, found)]


def _named(name: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    """The tensors in an argument, each with the words by which Python reaches it."""
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, (Mapping, list, tuple)):
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, part in parts:
            yield from _named(f"{name}[{key!r}]", part)
