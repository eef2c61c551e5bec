"""What an exercise is: a reference, inputs to try, and rules that read like a specification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

Function: TypeAlias = Callable[..., Any]


class Call:
    """One call of the learner's function, as a rule sees it.

    ``call.result`` is what came back, ``call.expected`` what the reference returns, and each
    argument is an attribute of its own name. ``call(mask=other)`` calls the learner's function
    again with some arguments changed, ``call.error(mask=other)`` tells what it raises then (None
    where it raises nothing, whatever the reference does).

    Results are of the reference's kind: a float64 tensor, an array, a number of numpy, a list
    for a tuple have been brought to it before a rule sees them.
    """

    def __init__(
        self, learner: Function, reference: Function, arguments: Mapping[str, Any], result: Any
    ) -> None:
        self.arguments, self.result = dict(arguments), result
        self._learner, self._reference = learner, reference

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.arguments:
            raise AttributeError(f"this call has no argument {name!r}")
        return self.arguments[name]

    @cached_property
    def expected(self) -> Any:
        """What the reference returns for the same arguments."""
        return self._reference(**self.arguments)

    def __call__(self, **changed: Any) -> Any:
        return self._learner(**{**self.arguments, **changed})

    def error(self, **changed: Any) -> BaseException | None:
        """The exception that the learner's function raises for changed arguments, if any."""
        try:
            self(**changed)
        except Exception as problem:
            return problem
        return None


Rule: TypeAlias = Callable[[Call], "bool | str | None"]


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation that we know: whoever computes the same is told this sentence."""

    diagnosis: str
    function: Function


@dataclass(frozen=True)
class Exercise:
    """A function to write, and how to tell whether it is right.

    ``inputs()`` yields dictionaries of keyword arguments; they are tried from the smallest to the
    largest. ``rules`` maps a sentence of the specification to a test of one call, which returns
    True or None (it holds), False, or a sentence that diagnoses the failure. Where the reference
    raises an exception for an input, so must the learner's function, and no rule is asked. That
    the function returns something of the right kind and shape, with a gradient where the
    reference's has one, and leaves its arguments alone need not be written; nor, unless
    ``compare`` is False, that it equals the reference to ``tolerance``.
    ``seconds`` is the time limit of all calls together.
    """

    name: str
    reference: Function
    inputs: Callable[[], Iterable[Mapping[str, Any]]]
    rules: Mapping[str, Rule] = field(default_factory=dict)
    mistakes: Sequence[Mistake] = ()
    compare: bool = True
    tolerance: float = 1e-5
    seconds: float = 10.0
