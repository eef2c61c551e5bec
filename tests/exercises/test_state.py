"""What an answer keeps between calls, and what it sets for the whole notebook: told in every
exercise, and never where it changes no result."""

import random
from typing import Any

import numpy as np
import pytest
import torch
from answering import EXERCISES, sampled, written
from torch import nn

from attnbook.exercises import Exercise
from attnbook.exercises.engine import find
from attnbook.exercises.judge import RIGHT, WRONG, Verdict, judge
from attnbook.exercises.seeds import SEEDS_UNCHANGED
from attnbook.exercises.state import NO_STATE
from attnbook.exercises.trial import SETTINGS_UNCHANGED

KEEPS = "The function keeps something between calls: "

#: What remembers a result in a wrong way: by the form of the arguments, or for good.
SHAPES = """
memo = {{}}
def form(x):
    if isinstance(x, torch.Tensor):
        return tuple(x.shape)
    if isinstance(x, (list, tuple)):
        return tuple(map(form, x))
    return form(list(x.values())) if isinstance(x, dict) else type(x)
def {name}({names}):
    key_ = form([{names}])
    if key_ not in memo:
        memo[key_] = reference_({names})
    return memo[key_]
"""
BEFORE = """
last = []
def {name}({names}):
    last.append(reference_({names}))
    return last[max(0, len(last) - 2)]
"""


def keeping(code: str, check: Exercise) -> Verdict:
    names = ", ".join(list(check.inputs())[0])
    code = code.format(name=check.name, names=names)
    space: dict[str, Any] = {"torch": torch, "reference_": check.reference}
    exec(compile(code, "<cell>", "exec"), space)
    return judge(check, space[check.name])


@pytest.mark.parametrize("check", sampled(EXERCISES))
@pytest.mark.parametrize(("name", "code"), [("memo", SHAPES), ("last", BEFORE)])
def test_what_is_kept_is_reported_in_every_exercise(name: str, code: str, check: Exercise) -> None:
    """A memo by the shapes of the arguments, and the result of the call before."""
    verdict = keeping(code, check)
    assert (verdict.state, verdict.rule) == (WRONG, NO_STATE), verdict.diagnosis
    assert verdict.diagnosis.startswith(f"{KEEPS}`{name}` is outside the function")


def test_a_memo_that_asks_for_one_argument_alone_is_reported() -> None:
    code = """
memo = {{}}
def {name}({names}):
    return memo.setdefault(tuple(tokens), reference_({names}))
"""
    verdict = keeping(code, find("ngram_counts"))
    assert (verdict.state, verdict.rule) == (WRONG, NO_STATE), verdict.diagnosis


# An exercise of its own ---------------------------------------------------------------------------


def _inputs() -> list[dict[str, Any]]:
    return [{"x": torch.tensor([1.0, 3.0])}, {"x": torch.tensor([2.0, 4.0, 6.0])}]


SQUARES = Exercise(lambda x: [float(y) ** 2 for y in x], _inputs, name="f")


def verdict_on(code: str, check: Exercise = SQUARES, **names: object) -> Verdict:
    return judge(check, written(code, **names))


STATES = {
    "outside": (
        "def f(x):\n    for y in x:\n        found.append(float(y) ** 2)\n    return found",
        "`found` is outside the function and is still filled from the previous call.",
    ),
    "default": (
        "def f(x, found=[]):\n    found += [float(y) ** 2 for y in x]\n    return found",
        "the default of `found` is made once, with the def, and is still filled from the previous "
        "call",
    ),
    "counter": (
        "def f(x):\n    global total\n    total += 1\n    return [total * float(y)**2 for y in x]",
        "`total` is outside the function and still has the value from the previous call.",
    ),
    "attribute": (
        "def f(x):\n    f.memo = getattr(f, 'memo', [float(y) ** 2 for y in x])\n    return f.memo",
        "`f.memo` stays on the function and is there in the next call.",
    ),
    "helper": (
        "def add(y):\n    found.append(float(y) ** 2)\n"
        "def f(x):\n    [add(y) for y in x]\n    return found",
        "`found` is outside the function and is still filled from the previous call.",
    ),
    "new global": (
        "def f(x):\n    global first\n    if 'first' not in globals():\n"
        "        first = [float(y) ** 2 for y in x]\n    return first",
        "`first` is outside the function and still contains what earlier calls put there.",
    ),
    "iterator": (
        "def f(x):\n    step = next(steps)\n    return [step * float(y) ** 2 for y in x]",
        "`steps` is outside the function and continues where the previous call ended.",
    ),
}


@pytest.mark.parametrize("kind", STATES)
def test_what_is_kept_is_named_with_where_it_stands(kind: str) -> None:
    code, text = STATES[kind]
    space: dict[str, Any] = {
        "torch": torch,
        "found": [],
        "total": 0,
        "steps": iter(range(1, 999)),
        "__name__": "cell",
    }
    exec(compile(code, "<cell>", "exec"), space)
    verdict = judge(SQUARES, space["f"])
    assert (verdict.state, verdict.rule) == (WRONG, NO_STATE), verdict
    assert verdict.diagnosis.startswith(KEEPS + text), verdict.diagnosis
    assert verdict.expected != verdict.got != ""


HARMLESS = [
    "def f(x):\n    calls.append(1)\n    return [float(y) ** 2 for y in x]",
    "def f(x):\n    key = tuple(x.tolist())\n"
    "    return memo.setdefault(key, [y ** 2 for y in key])",
    "import functools\n@functools.lru_cache\ndef square(y):\n    return y ** 2\n"
    "def f(x):\n    return [square(float(y)) for y in x]",
    "def f(x, power=2):\n    return [float(y) ** power for y in x]",
    "def f(x):\n    state = torch.get_rng_state()\n    torch.manual_seed(3)\n"
    "    torch.set_rng_state(state)\n    return [float(y) ** 2 for y in x]",
    "def f(x):\n    with torch.no_grad():\n        return [float(y) ** 2 for y in x]",
]


@pytest.mark.parametrize("code", HARMLESS)
def test_what_changes_no_result_is_no_fault(code: str) -> None:
    space: dict[str, Any] = {"torch": torch, "calls": [], "memo": {}}
    exec(compile(code, "<cell>", "exec"), space)
    assert judge(SQUARES, space["f"]).state == RIGHT


def test_a_wrong_answer_that_draws_or_counts_is_reported_its_own_mistake() -> None:
    verdict = verdict_on(
        "def f(x):\n    calls.append(1)\n    return [float(y) for y in x]", calls=[]
    )
    assert "4 is expected" in verdict.diagnosis or "9 is expected" in verdict.diagnosis
    verdict = verdict_on(
        "def f(x):\n    return [float(y) + random.random() for y in x]", random=random
    )
    assert verdict.rule != NO_STATE


def test_a_generator_in_the_arguments_draws_the_same_again() -> None:
    def drawn(n: int, generator: torch.Generator) -> torch.Tensor:
        return torch.rand(n, generator=generator)

    def inputs() -> list[dict[str, Any]]:
        return [{"n": n, "generator": torch.Generator().manual_seed(n)} for n in (1, 2)]

    rules = {"numbers are below 1": lambda call: bool((call.result < 1).all())}
    check = Exercise(drawn, inputs, rules, compare=False, name="f")
    code = "def f(n, generator):\n    return torch.rand(n, generator=generator)"
    assert verdict_on(code, check).state == RIGHT
    kept = code.replace("return torch", "held.append(torch") + ")\n    return held[0]"
    assert verdict_on(kept, check, held=[]).rule == NO_STATE


def test_what_two_calls_give_is_reported_where_nothing_can_be_noticed() -> None:
    hidden = iter([1.0] * 4 + [float(i) for i in range(99)])
    check = Exercise(lambda x: 1.0, lambda: [{"x": i} for i in range(4)], name="f")
    verdict = verdict_on("def f(x):\n    return float(draw())", check, draw=hidden.__next__)
    assert verdict.state == WRONG
    assert verdict.diagnosis.startswith("Two calls with the same arguments give different results")


# Seeds and modes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("torch.manual_seed(0)", "torch.Generator().manual_seed(…)"),
        ("random.seed(0)", "random.Random(…)"),
        ("np.random.seed(0)", "np.random.default_rng(…)"),
    ],
)
def test_a_right_answer_that_sets_a_seed_is_reported_so(line: str, own: str) -> None:
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()
    code = f"def f(x):\n    {line}\n    return [float(y) ** 2 for y in x]"
    verdict = verdict_on(code, random=random, np=np)
    assert (verdict.state, verdict.rule) == (WRONG, SEEDS_UNCHANGED)
    assert verdict.diagnosis.endswith(f"A generator of its own does no harm, {own}.")
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]


@pytest.mark.parametrize(
    ("line", "name", "now"),
    [
        ("torch.set_grad_enabled(False)", "torch.set_grad_enabled", torch.is_grad_enabled),
        (
            "torch.set_default_dtype(torch.float64)",
            "torch.set_default_dtype",
            torch.get_default_dtype,
        ),
        ("torch.set_num_threads(3)", "torch.set_num_threads", torch.get_num_threads),
        ("np.seterr(all='raise')", "np.seterr", np.geterr),
        ("import warnings; warnings.simplefilter('error')", "warnings.simplefilter", lambda: 0),
        (
            "torch.set_deterministic_debug_mode(1)",
            "torch.use_deterministic_algorithms",
            torch.get_deterministic_debug_mode,
        ),
        (
            "torch.autograd.set_detect_anomaly(True)",
            "torch.autograd.set_",
            torch.is_anomaly_enabled,
        ),
    ],
)
def test_a_mode_that_an_answer_sets_is_put_back_and_named(line: str, name: str, now: Any) -> None:
    before = now()
    code = f"def f(x):\n    {line}\n    return [float(y) ** 2 for y in x]"
    verdict = verdict_on(code, np=np)
    assert (verdict.state, verdict.rule) == (WRONG, SETTINGS_UNCHANGED)
    assert verdict.diagnosis.startswith(f"It calls {name}")
    assert now() == before
    wrong = verdict_on(code.replace("** 2", "** 3"), np=np)
    assert wrong.rule != SETTINGS_UNCHANGED, "what is wrong with the result comes first"


@pytest.mark.parametrize(
    ("line", "fault"), [("eval()", True), ("train()", False), ("train(False)", True)]
)
def test_a_network_that_is_left_in_another_mode_is_reported(line: str, fault: bool) -> None:
    network = nn.Sequential(nn.Linear(1, 1), nn.Dropout(0.0))
    check = Exercise(
        lambda network, x: network(x), lambda: [{"network": network, "x": torch.ones(1)}], name="f"
    )
    verdict = verdict_on(f"def f(network, x):\n    network.{line}\n    return network(x)", check)
    assert network.training and network[1].training
    assert (verdict.rule == SETTINGS_UNCHANGED) == fault
    if fault:
        assert verdict.diagnosis == (
            "It leaves the network in a different mode, by network.eval(): undo that."
        )
    undone = f"network.{line}\n    y = network(x)\n    network.train()\n    return y"
    undone = f"def f(network, x):\n    {undone}"
    assert verdict_on(undone, check).state == RIGHT
