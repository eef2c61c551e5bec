"""A batch of one, a length of one, more than eight: inputs that are made of a check's own."""

from typing import Any

import pytest
import torch
from answering import EXERCISES, sampled, written
from torch import Tensor

from attnbook.exercises import Exercise
from attnbook.exercises.judge import RIGHT, WRONG, judge
from attnbook.exercises.values import tensors
from attnbook.exercises.variants import MANY, variants

VARIED = [check for check in EXERCISES if variants(check)]


def _inputs() -> list[dict[str, Any]]:
    return [{"x": torch.arange(2.0 * n).view(2, n)} for n in (2, 3)]


MEANS = Exercise(lambda x: x.mean(1), _inputs, name="f")


def verdict_on(body: str) -> Any:
    return judge(MEANS, written(f"def f(x):\n    {body}"))


def test_dimensions_of_the_same_size_are_cut_to_one_and_made_longer_together() -> None:
    shapes = {where: tuple(given["x"].shape) for where, given in variants(MEANS)}
    assert shapes == {
        "where dimension 0 of x is 1": (1, 2),
        "where dimension 0 of x is 9": (9, 2),
        "where dimension 1 of x is 1": (2, 1),
        "where dimension 1 of x is 9": (2, 9),
    }


def test_what_the_book_refuses_or_finds_no_number_for_is_no_input() -> None:
    def pairs(x: Tensor) -> Tensor:
        if len(x) > 8:
            raise ValueError("too many")
        return x.std(1)  # of one number there is none

    made = [where for where, _ in variants(Exercise(pairs, _inputs, name="f"))]
    assert made == ["where dimension 0 of x is 1", "where dimension 1 of x is 9"]


def test_what_goes_wrong_there_alone_is_reported_with_the_dimension() -> None:
    assert verdict_on("return x.mean(1)").state == RIGHT
    text = verdict_on("return x.mean(1).squeeze()").diagnosis
    assert text.startswith(
        "Everything else is right, but where dimension 0 of x is 1: The shape is ()"
    )
    verdict = verdict_on("return x[:, :8].sum(1) / x.shape[1]")
    assert verdict.diagnosis.startswith(
        "Everything else is right, but where dimension 1 of x is 9: At ["
    )
    assert verdict.failing["x"].shape == (2, 9)
    text = verdict_on("return torch.eye(8)[: len(x)].sum(1) * x.mean(1)").diagnosis
    assert "where dimension 0 of x is 9: It raises RuntimeError" in text


@pytest.mark.parametrize("check", sampled(VARIED))
def test_an_answer_that_knows_no_size_above_eight_is_refused(check: Exercise) -> None:
    if not any(where.endswith(str(MANY)) for where, _ in variants(check)):
        pytest.skip("some input of the check is as large, or none can be made")

    def small(**given: Any) -> Any:
        if max(max(x.shape, default=0) for x in tensors(given)) > 8:
            raise IndexError("beyond the table")
        return check.reference(**given)

    names = ", ".join(list(check.inputs())[0])
    pairs = ", ".join(f"{name}={name}" for name in names.split(", "))
    code = f"def {check.name}({names}):\n    return small({pairs})"
    assert judge(check, written(code, small=small)).state == WRONG
