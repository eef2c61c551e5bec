"""A learner's function carries the gradients that the book's own carries, and is told where not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from answering import EXERCISES, sampled, written
from torch import Tensor

from attnbook.exercises import Exercise
from attnbook.exercises.gradients import compare_gradients
from attnbook.exercises.judge import RIGHT, WRONG, Verdict, judge
from attnbook.exercises.trial import GRADIENTS
from attnbook.exercises.values import deep_copy, tensors, tensors_by_path

GOES_BACK = [check for check in EXERCISES if check.gradients is None]
NOBODY_GOES_BACK = [check for check in EXERCISES if check.gradients is not None]


def cut(value: Any, path: tuple[Any, ...]) -> Any:
    """A value in which the tensor at the end of a path is detached."""
    if not path:
        return value.detach() if isinstance(value, Tensor) else value  # an argument may be None
    parts = dict(value.items() if isinstance(value, dict) else enumerate(value))
    parts[path[0]] = cut(parts[path[0]], path[1:])
    return parts if isinstance(value, dict) else type(value)(parts.values())


def reached(check: Exercise) -> list[tuple[Any, ...]]:
    """The tensors in its arguments to which a gradient comes back through the reference."""
    paths: dict[tuple[Any, ...], None] = {}
    for given in map(deep_copy, check.inputs()):
        leaves = {p: x for p, x in tensors_by_path(given) if x.is_floating_point()}
        if not leaves:
            continue
        for leaf in leaves.values():
            leaf.requires_grad_()
        outputs = [x for x in tensors(check.reference(**given)) if x.requires_grad]
        weights = [torch.linspace(0.5, 1.5, x.numel()).view(x.shape).to(x) for x in outputs]
        if outputs:
            some = torch.autograd.grad(outputs, list(leaves.values()), weights, allow_unused=True)
            paths |= {p: None for p, g in zip(leaves, some) if g is not None and bool(g.any())}
    return list(paths)


def answer(check: Exercise, function: Callable[..., Any]) -> Verdict:
    names = list(check.inputs())[0]
    pairs = ", ".join(f"{name}={name}" for name in names)
    code = f"def {check.name}({', '.join(names)}):\n    return made({pairs})"
    return judge(check, written(code, made=function))


@pytest.mark.parametrize("check", sampled(GOES_BACK))
def test_an_answer_that_cuts_one_argument_off_is_refused(check: Exercise) -> None:
    for path in reached(check):

        def severed(path: tuple[Any, ...] = path, **given: Any) -> Any:
            return check.reference(**cut(given, path))

        verdict = answer(check, severed)
        assert verdict.state == WRONG and "the gradient" in verdict.rule, path


@pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad")
@pytest.mark.parametrize("check", NOBODY_GOES_BACK, ids=lambda check: check.name)
def test_where_nobody_goes_back_a_plain_result_is_right(check: Exercise) -> None:
    """Although torch could: it computes a gradient itself, measures, draws, searches, ..."""

    def plain(**given: Any) -> Any:
        with torch.no_grad():
            return check.reference(**given)

    assert answer(check, plain).state == RIGHT
    assert reached(check), "no need to say that nobody goes back"


# The engine, with exercises of its own ------------------------------------------------------------

INPUTS = [{"x": torch.tensor([0.5, 2.0]), "w": torch.tensor([3.0, 1.0])}]
STEP = Exercise(lambda x, w: (torch.tanh(x * w), x.sum()), lambda: INPUTS, name="f")
LOSS = Exercise(lambda x, w: (x * w).square().sum(), lambda: INPUTS, varied=False, name="f")


def verdict_on(check: Exercise, body: str, **names: object) -> Verdict:
    return judge(check, written(f"def f(x, w):\n    {body}", **names))


def test_a_right_answer_in_another_style_keeps_its_gradients_and_leaves_the_inputs() -> None:
    verdict = verdict_on(STEP, "return (x * w).tanh(), x.sum()")
    assert verdict.state == RIGHT and verdict.checked[-1] == GRADIENTS
    assert verdict_on(LOSS, "return (x.double() * w).pow(2).sum()").state == RIGHT
    assert not any(x.requires_grad for x in INPUTS[0].values())


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("return (x * w).square().sum().item()", "the result, so nothing could be trained"),
        (
            "return (x.data * w).square().sum()",
            "No gradient comes back to x. In your function, .data cuts it off (line 2).",
        ),
        ("with torch.no_grad():\n        return (x * w).square().sum()", "inside torch.no_grad()"),
        ("return torch.tensor(np.square((x * w).numpy()).sum())", "from an array of numpy"),
        ("return cutting(x, w)", ".detach() cuts it off (line 2)."),
        (
            "return torch.tensor(6.25) if x[0] < w[0] else x",
            "Whole numbers, comparisons and newly made tensors",
        ),
    ],
)
def test_the_verdict_names_the_argument_and_what_cuts_it_off(body: str, text: str) -> None:
    def cutting(x: Tensor, w: Tensor) -> Tensor:
        return (x.detach() * w).square().sum()

    verdict = verdict_on(LOSS, body, np=np, cutting=cutting)
    assert (verdict.rule, verdict.checked) == (GRADIENTS, ())
    assert text in verdict.diagnosis, verdict.diagnosis
    assert verdict.arguments == ("x = torch.tensor([0.5, 2.0])", "w = torch.tensor([3.0, 1.0])")
    assert (verdict.expected, verdict.got) == ("", "")


def test_a_part_that_is_cut_off_is_reported_by_the_numbers() -> None:
    verdict = verdict_on(STEP, "return torch.tanh(x * w), x.detach().sum()")
    assert verdict.diagnosis.startswith(
        "The values are right, but not the gradient that comes back to x: at ["
    )
    assert verdict.diagnosis.endswith("In your function, .detach() cuts it off (line 2).")


def test_a_gradient_that_is_no_number_and_a_tensor_that_is_written_over_are_reported() -> None:
    root = Exercise(
        lambda x, w: x.clamp(min=1).sqrt() * w,
        lambda: [{"x": torch.tensor([0.0, 4.0]), "w": torch.ones(2)}],
        name="f",
    )
    assert verdict_on(root, "return x.clamp(min=1).pow(0.5) * w").state == RIGHT
    text = verdict_on(root, "return torch.where(x > 1, x.sqrt(), 1 + 0 * x) * w").diagnosis
    assert "the gradient that comes back to x is not a number" in text
    assert "A root has an infinite slope at 0" in text
    log = replace(root, reference=lambda x, w: x.clamp(min=1).log() * w)
    text = verdict_on(log, "return x.log().masked_fill(x < 1, 0.0) * w").diagnosis
    assert "mask before" in text
    text = verdict_on(
        LOSS,
        "y = x.exp()\n    z = y * w\n    y[0] = 0\n"
        "    return z.log().square().sum() if x is y else "
        "(z.sum() * 0 + (x * w).square().sum())",
    ).diagnosis
    assert "overwritten after it was used" in text


def test_the_values_come_first_and_then_the_gradients_of_all_inputs() -> None:
    inputs = [{"x": torch.ones(1), "w": torch.ones(1)}, {"x": torch.ones(3), "w": torch.ones(3)}]
    check = Exercise(lambda x, w: (x * w).sum(), lambda: inputs, name="f")
    verdict = verdict_on(check, "return (x.detach() * w).sum() + (len(x) > 1)")
    assert verdict.rule != GRADIENTS
    verdict = verdict_on(check, "return ((x if len(x) < 2 else x.detach()) * w).sum()")
    assert verdict.rule == GRADIENTS and verdict.arguments[0] == "x = torch.tensor([1.0, 1.0, 1.0])"


def test_a_gradient_must_also_reach_the_weights_that_an_argument_brings_along() -> None:
    table = torch.eye(2).requires_grad_()
    given = {"layer": lambda x: table @ x, "x": torch.ones(2)}

    def cutting(layer: Any, x: Tensor) -> Tensor:
        return layer(x).detach() + x - x.detach()

    right = lambda layer, x: layer(x)  # noqa: E731
    assert compare_gradients(right, right, given) == (True, None)
    text = compare_gradients(cutting, right, given).difference
    assert text is not None and "to the weights that layer uses" in text
    assert table.grad is None


def test_only_what_is_named_is_compared_and_nothing_where_nothing_can_be() -> None:
    cutting = lambda x, w: x * w.detach()  # noqa: E731
    product = lambda x, w: x * w  # noqa: E731
    assert compare_gradients(cutting, product, INPUTS[0], ["x"]) == (True, None)
    assert compare_gradients(cutting, product, INPUTS[0], ["w"]).difference
    number = lambda x, w: float(x.detach().sum())  # noqa: E731
    assert compare_gradients(cutting, number, INPUTS[0]) == (False, None)
    assert compare_gradients(cutting, product, INPUTS[0], []) == (False, None)
