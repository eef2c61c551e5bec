"""Whether the gradients that come back through a learner's function are the reference's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .spec import Function
from .tracing import detach_hints
from .values import deep_copy, difference, path_text, tensors, tensors_by_path


class GradientComparison(NamedTuple):
    """Whether there were gradients to compare, and how they differ; None where they do not."""

    compared: bool
    difference: str | None


def compare_gradients(
    learner: Function,
    reference: Function,
    arguments: Mapping[str, Any],
    names: Sequence[str] | None = None,
    source: Any = None,
) -> GradientComparison:
    """Compare the gradients of two functions; the difference is of the first tensor that has one.

    Every float tensor in the arguments is compared (``names`` chooses among them), and every weight
    that a function among them uses, as far as a gradient comes back to it through the reference.
    ``source`` is the function in which to search for the cause.
    """
    chosen = set(arguments if names is None else names)
    with torch.enable_grad():
        right = _GradientTrace(reference, arguments, chosen)
        if not right.outputs:
            return GradientComparison(False, None)
    message = _gradient_difference(learner, right, arguments, chosen, source)
    return GradientComparison(True, message)


def _gradient_difference(
    learner: Function,
    right: _GradientTrace,
    arguments: Mapping[str, Any],
    chosen: set[str],
    source: Any,
) -> str | None:
    """A sentence on the first tensor whose gradient is not that of ``right``."""
    with torch.enable_grad():
        expected = right.gradients(right.hidden)
        mine = _GradientTrace(learner, arguments, chosen)
        try:
            got = mine.gradients(right.hidden)
        except RuntimeError as error:  # torch: an in-place change of a tensor that backward needs
            return _OVERWRITTEN if "inplace" in str(error) else f"There is no gradient: {error}"
    labels = [*right.leaves, *[_hidden_label(arguments)] * len(right.hidden)]
    reached = [label for label, gradient in zip(labels, expected) if bool(gradient.any())]
    lost = [x for x, g, e in zip(labels, got, expected) if bool(e.any()) and not bool(g.any())]

    def cause() -> str:
        hints = detach_hints(source or learner, lambda: _GradientTrace(learner, arguments, chosen))
        return f". In your function, {', and '.join(hints[:2])}." if hints else f".{_NO_GRADIENT}"

    if lost:
        where = "the result" if lost == reached else _join(lost)
        through = "through" if lost == reached else "to"
        return f"No gradient comes back {through} {where}{_TRAINED * (lost == reached)}{cause()}"
    for name, mine_, theirs in zip(labels, got, expected):
        if bool((mine_.isnan() & ~theirs.isnan()).any()):
            return _NOT_A_NUMBER.format(name) + (_ROOT if mine.has_root else _MASKED)
        if message := difference(torch.where(theirs.isnan(), theirs, mine_), theirs, 1e-4):
            head = f"The values are right, but not the gradient that comes back to {name}: "
            return f"{head}{message[0].lower()}{message[1:].rstrip('.')}{cause()}"
    return None


_TRAINED = ", so nothing could be trained with it"
_OVERWRITTEN = (
    "The values are right, but no gradient can go back: a tensor that the backward pass needs is "
    "overwritten after it was used. Make a new one; a slice such as x[:, t] is a part of x, and "
    "x[:, t].clone() is not."
)
_NOT_A_NUMBER = "The values are right, but the gradient that comes back to {} is not a number. "
_MASKED = "Masking a value after it has become NaN or ∞ helps the forward pass only: mask before."
_ROOT = (
    "A root has an infinite slope at 0, and neither a mask nor a square after it helps: 0 times ∞ "
    "is not a number. Do without the root, or keep 0 out of it."
)
_NO_GRADIENT = " Whole numbers, comparisons and newly made tensors have none: is one on the way?"


def _join(names: Sequence[str]) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]


def _hidden_label(arguments: Mapping[str, Any]) -> str:
    """What weights that are no argument belong to."""
    return (
        f"the weights that {_join([k for k, v in arguments.items() if callable(v)] or ['it'])} uses"
    )


class _GradientTrace:
    """A call with arguments that want gradients, and the ways that lead back from its result."""

    def __init__(self, function: Function, arguments: Mapping[str, Any], chosen: set[str]) -> None:
        copies = deep_copy(dict(arguments))
        self.leaves = {
            path_text(path): x.requires_grad_()
            for path, x in tensors_by_path(copies)
            if path[0] in chosen and x.is_floating_point()
        }
        self.outputs = [x for x in tensors(function(**copies)) if x.requires_grad]

    @property
    def hidden(self) -> list[Tensor]:
        """Tensors with a gradient that are no argument: weights that a function brings along."""
        known = {id(leaf) for leaf in self.leaves.values()}
        variables = [getattr(step, "variable", None) for step in self._steps()]
        leaves = {
            id(leaf): leaf for leaf in variables if leaf is not None and id(leaf) not in known
        }
        return list(leaves.values())

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
        todo, visited = [x.grad_fn for x in self.outputs], set()
        while todo:
            step = todo.pop()
            if step is None or step in visited:
                continue
            visited.add(step)
            yield step
            todo += [before for before, _ in step.next_functions]

    def gradients(self, hidden: Sequence[Tensor]) -> list[Tensor]:
        """Of a sum of all results, each number with a weight of its own, for every leaf."""
        leaves = [*self.leaves.values(), *hidden]
        if not self.outputs:
            return [torch.zeros_like(x) for x in leaves]
        weights = [
            torch.linspace(0.5, 1.5, x.numel(), dtype=x.dtype, device=x.device).view(x.shape)
            for x in self.outputs
        ]
        # The sum itself, not its parts with their weights: for those torch imports sympy, and where
        # the time limit ends that import, the module stays half loaded.
        sums = [(x * weight).sum() for x, weight in zip(self.outputs, weights)]
        total = sum(sums[1:], sums[0])
        gradients = torch.autograd.grad(total, leaves, retain_graph=True, allow_unused=True)
        return [torch.zeros_like(x) if g is None else g for x, g in zip(leaves, gradients)]
