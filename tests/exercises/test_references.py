"""The references, which take the place of a blank or wrong answer: each computes its exercise.

A learner who leaves an exercise out goes on with the reference. So it must return what the
chapter's solution returns, also for arguments that no check has, and refuse what that refuses.
"""

import contextlib
import copy
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from programs import load
from torch import Tensor

from attnbook.checks.ch08.shared import random_step, start
from attnbook.exercises.engine import find

mutants = load(Path(__file__).with_name("mutants.py"))
SOLUTIONS = {solution.exercise: solution for solution in mutants.solutions()}


#: States of a single number are spread over any width, by either in its own way.
SPREAD = {("bptt", "states: 1 cut")}


def by_the_book(name: str):
    """The solution that the chapter prints."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(SOLUTIONS[name].setup, "<setup>", "exec"), names)
    names["exercise"] = lambda function: function
    exec(compile(SOLUTIONS[name].source, "<solution>", "exec"), names)
    return names[name]


def variants(given: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Arguments as they are, with other numbers, and of a size that may not fit the others."""
    yield "as it is", given
    for name, value in given.items():
        if isinstance(value, Tensor):
            if value.is_floating_point():
                yield f"{name}: others", {**given, name: value.detach().flip(0) + 0.25}
            for dim, size in enumerate(value.shape):
                yield f"{name}: {dim} twice", {**given, name: torch.cat([value, value], dim)}
                if size > 1:
                    yield f"{name}: {dim} cut", {**given, name: value.narrow(dim, 0, size - 1)}
        elif type(value) is int:
            yield f"{name}: {value + 1}", {**given, name: value + 1}
        elif isinstance(value, list) and len(value) > 1:
            yield f"{name}: cut", {**given, name: value[:-1]}


def outcome(function: Any, given: dict[str, Any]) -> Any:
    """What comes back, or the exception."""
    torch.manual_seed(0)
    own = {k: v if callable(v) else copy.deepcopy(v) for k, v in given.items() if not graph(v)}
    try:
        return function(**own, **{k: v.detach().clone() for k, v in given.items() if graph(v)})
    except Exception as problem:
        return problem


def graph(value: Any) -> bool:
    return isinstance(value, Tensor) and value.grad_fn is not None


def parts(value: Any) -> list[Any]:
    """All tensors of a result in their order; what is a number, as a tensor."""
    if isinstance(value, list | tuple):
        return [part for one in value for part in parts(one)]
    if isinstance(value, dict):
        return [part for key in sorted(value, key=str) for part in [key, *parts(value[key])]]
    return [value if isinstance(value, str | type(None)) else torch.as_tensor(value).double()]


def same(one: Any, other: Any) -> bool:
    pairs = parts(one), parts(other)
    return len(pairs[0]) == len(pairs[1]) and all(
        a.shape == b.shape and torch.allclose(a, b, atol=1e-4, equal_nan=True)
        if isinstance(a, Tensor) and isinstance(b, Tensor)
        else a == b
        for a, b in zip(*pairs)
    )


@pytest.mark.parametrize("name", SOLUTIONS)
@pytest.mark.filterwarnings("ignore")
def test_a_reference_returns_and_refuses_what_the_solution_does(name: str) -> None:
    solution, reference = by_the_book(name), find(name).reference
    for given in find(name).inputs():
        for what, changed in variants(dict(given)):
            expected, found = outcome(solution, changed), outcome(reference, changed)
            if isinstance(found, Exception):  # it may also refuse what the solution broadcasts
                assert what != "as it is" or isinstance(expected, Exception), found
            else:
                assert not isinstance(expected, Exception), (what, expected, found)
                assert same(expected, found) or (name, what) in SPREAD, (what, expected, found)


def test_the_beam_of_a_blank_is_the_beam_of_the_solution_on_any_model() -> None:
    """...also where a beam that takes more endings at the last step finds another sentence."""
    solution, reference = by_the_book("beam_tokens"), find("beam_tokens").reference
    for seed in range(60):
        for longest, k, alpha, kind in (
            (2 + seed % 4, 3, 1.0, "power"),
            (2 + seed % 3, 2, 1.0, "gnmt"),
            (3, 1 + seed % 4, -0.5, "power"),
        ):
            given = {"step": random_step(1000 + seed), **start(), "max_length": longest}
            given |= {"beam_size": k, "alpha": alpha, "penalty": kind}
            tokens, log_prob = reference(**given)
            assert (tokens, pytest.approx(log_prob, abs=1e-5)) == solution(**given)
