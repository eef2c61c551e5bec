"""What an exercise is: a reference, inputs to try, and rules that read like a specification."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Function: TypeAlias = Callable[..., Any]


class Call(ABC):
    """One call of the learner's function, as a rule sees it.

    ``call.result`` is what came back, ``call.expected`` what the reference returns, and each
    argument is an attribute of its own name. Results are of the reference's kind: a float64
    tensor, an array, a number of numpy, a list for a tuple have been brought to it.
    """

    result: Any
    expected: Any

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.arguments = dict(arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.arguments:
            raise AttributeError(f"this call has no argument {name!r}")
        return self.arguments[name]

    @abstractmethod
    def __call__(self, **changed: Any) -> Any:
        """The learner's result with some arguments changed: ``call(mask=other)``."""

    @abstractmethod
    def without_comparison(self, **changed: Any) -> Any:
        """Like a call, where more than one result is right: it need not be the reference's."""

    @abstractmethod
    def error(self, **changed: Any) -> BaseException | None:
        """What the learner's function raises for changed arguments, whatever the reference does."""


Rule: TypeAlias = Callable[[Call], "bool | str | None"]


#: Known wrong implementations, by the diagnosis for whoever computes the same.
Mistakes: TypeAlias = Mapping[str, Function | Sequence[Function]]


@dataclass(frozen=True)
class Exercise:
    """A function to write, and how to tell whether it is right.

    ``inputs()`` yields dictionaries of keyword arguments; they are tried from the smallest to the
    largest. ``rules`` maps a sentence of the specification to a test of one call, which returns
    True or None (it holds), False, or a sentence that diagnoses the failure. Where the reference
    raises an exception for an input, so must the learner's function, and no rule is asked. That the
    function returns something of the right kind and shape, leaves its arguments and the notebook
    alone and keeps nothing between calls need not be written; nor, unless ``compare`` is False,
    that it equals the reference to ``tolerance``; nor that the gradients which come back through it
    are the reference's, for every argument in which that can be differentiated. ``gradients`` names
    the only arguments of which this is asked: () where nobody would go back through the result;
    ``differentiated_part`` picks, of arguments and a result, what is differentiated, where a part
    is left open. ``mistakes`` maps a diagnosis to the known wrong implementation that computes the
    same, or to several of them. ``seconds`` is the time limit of all calls. ``varied`` is False
    where no further inputs may be made of these, with one or more than eight along a dimension
    (``variants.py``). ``name`` is the reference's own, unless another is given.
    """

    reference: Function
    inputs: Callable[[], Iterable[Mapping[str, Any]]]
    rules: Mapping[str, Rule] = field(default_factory=dict)
    mistakes: Mistakes = field(default_factory=dict)
    gradients: Sequence[str] | None = None
    differentiated_part: Callable[[Mapping[str, Any], Any], Any] = lambda arguments, result: result
    compare: bool = True
    tolerance: float = 1e-5
    seconds: float = 10.0
    varied: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.reference.__name__)

    def known_mistakes(self) -> list[tuple[str, Function]]:
        """Each known wrong implementation after its diagnosis."""
        return [
            (diagnosis, mistake)
            for diagnosis, some in self.mistakes.items()
            for mistake in ([some] if callable(some) else some)
        ]
