"""The judge: what is blank, what a name means, which kinds are alike, whose mistake it is."""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch
from answering import EXERCISES, written

from attnbook.exercises import Call, Exercise, engine
from attnbook.exercises.judge import BLANK, RIGHT, WRONG, Verdict, judge
from attnbook.exercises.values import cast_like


def made(reference, inputs, rules=None, **more) -> Exercise:
    return Exercise(reference, lambda: inputs, rules or {}, name="f", **more)


def verdict_on(check: Exercise, body: str, arguments: str = "x", **names: object) -> Verdict:
    return judge(check, written(f"def f({arguments}):\n    {body}", **names))


TENSORS = [{"x": torch.tensor([1.0, 3.0])}, {"x": torch.tensor([2.0, 4.0, 6.0])}]
TWICE = made(lambda x: 2 * x, TENSORS)

# What is blank -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "return 2 * x.bool().unsqueeze(0) & torch.ones(2, 2).tril()",
        "return torch.nn.Module()(x)",
    ],
)
def test_a_not_implemented_error_of_others_is_an_error_with_its_line(body: str) -> None:
    verdict = verdict_on(TWICE, body)
    assert (verdict.state, verdict.rule) == (WRONG, "it runs")
    assert verdict.diagnosis.startswith("It raises ")
    assert "(line 2 of the cell's function)" in verdict.diagnosis


@pytest.mark.parametrize(
    "inside",
    [
        "[\n        1 / 0 for _ in [x]]",
        "sum([\n        sum(\n            1 / 0 for _ in [x]) for _ in [x]])",
    ],
)
def test_what_goes_wrong_inside_a_comprehension_is_reported_with_the_line_where_it_stands(
    inside: str,
) -> None:
    """On every Python: from 3.12 on a comprehension is no function of its own."""
    line = 2 + inside[: inside.index("1 / 0")].count("\n")
    text = verdict_on(SQUARE, f"return {inside}").diagnosis
    assert (
        text
        == f"It raises ZeroDivisionError: division by zero (line {line} of the cell's function)"
    )


def test_a_raise_of_the_learners_own_is_blank_wherever_it_stands() -> None:
    assert verdict_on(TWICE, "y = [2 * z for z in x]\n    raise NotImplementedError").state == BLANK
    code = "def part(x):\n    raise NotImplementedError\ndef f(x):\n    return part(x)"
    assert judge(TWICE, written(code)).state == BLANK


# What the name means -----------------------------------------------------------------------------

FACTORIAL = made(lambda x: 1 if x == 0 else x * FACTORIAL.reference(x - 1), [{"x": 3}, {"x": 5}])
RECURSIVE = "return 1 if x == 0 else x * f(x - 1)"


def notebook(monkeypatch: pytest.MonkeyPatch, check: Exercise) -> dict[str, object]:
    monkeypatch.setattr(engine, "find", lambda name: check)
    monkeypatch.setattr(engine, "verdicts", {})
    return {"exercise": engine.exercise, "torch": torch}


def test_an_answer_that_calls_itself_is_right_on_its_first_run(monkeypatch) -> None:
    names = notebook(monkeypatch, FACTORIAL)
    exec(f"@exercise\ndef f(x):\n    {RECURSIVE}", names)
    assert engine.verdicts["f"].state == RIGHT
    assert names["f"](4) == 24


def test_the_books_function_left_by_a_blank_cell_answers_nothing(monkeypatch) -> None:
    names = notebook(monkeypatch, TWICE)
    exec("@exercise\ndef f(x):\n    raise NotImplementedError", names)
    assert names["f"] is TWICE.reference
    exec("@exercise\ndef f(x):\n    return f(x)", names)
    assert engine.verdicts["f"].state == WRONG
    assert "it calls itself again and again" in engine.verdicts["f"].diagnosis


def test_after_judging_a_name_means_what_it_meant() -> None:
    names = {"f": "what stood here"}
    exec(f"def g(x):\n    {RECURSIVE}", names)
    judge(FACTORIAL, names["g"])
    assert names["f"] == "what stood here"
    del names["f"]
    judge(FACTORIAL, names["g"])
    assert "f" not in names


# Kinds of numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (torch.tensor([0.5], dtype=torch.float64), torch.tensor([0.5])),
        (np.array([0.5]), torch.tensor([0.5])),
        (np.array([1, 2], dtype=np.uint8)[::-1], torch.tensor([2, 1])),
        (torch.tensor([2, 1]), torch.tensor([2.0, 1.0])),
        (2, torch.tensor(2.0)),
        (2.0, torch.tensor(2)),
        (np.float32(0.5), 0.5),
        (torch.tensor(True), True),
        (3.0, 3),
        (3, 3.0),
        ([0.5, 1], (0.5, 1.0)),
        (torch.tensor([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        ({"a": np.int64(1)}, Counter(a=1)),
        ([torch.ones(1).double(), np.float64(1)], (torch.ones(1), 1.0)),
    ],
)
def test_results_are_brought_to_the_kind_of_the_books(got, expected) -> None:
    same = cast_like(got, expected)
    assert type(same) is type(expected)
    if isinstance(expected, torch.Tensor):
        assert same.dtype == expected.dtype and torch.equal(same, expected)
    else:
        assert same == expected
        if isinstance(expected, (tuple, list)):
            assert list(map(type, same)) == list(map(type, expected))


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (True, 1),
        (0.5, 1),
        (torch.tensor([0.5]), torch.tensor([1])),
        (torch.tensor([1.0]), torch.tensor([True])),
    ],
)
def test_what_is_of_another_kind_stays_so(got, expected) -> None:
    assert cast_like(got, expected) is got


def test_rules_see_the_books_kind_and_never_stumble_over_the_learners() -> None:
    def doubled(call: Call) -> bool:
        return torch.allclose(call(x=2 * call.x), 2 * call.result)

    mean = made(lambda x: x.mean(), TENSORS, {"it is linear": doubled}, gradients=())
    for body in (
        "return x.mean().item()",
        "return x.double().mean()",
        "return np.mean(x.numpy())",
        "return np.asarray(x).mean(keepdims=True)[0]",
    ):
        verdict = verdict_on(mean, body, np=np)
        assert (verdict.state, verdict.diagnosis) == (RIGHT, ""), body


def test_the_chapter_is_given_the_books_kind_in_the_precision_of_each_call(monkeypatch) -> None:
    inputs = [{"x": torch.ones(2)}, {"x": torch.ones(4, dtype=torch.float64)}]
    names = notebook(monkeypatch, made(lambda x: 2 * x, inputs, gradients=())) | {"np": np}
    exec("@exercise\ndef f(x):\n    'Doc.'\n    return 2 * x.numpy()", names)
    assert engine.verdicts["f"].state == RIGHT and names["f"].__doc__ == "Doc."
    for dtype in (torch.float16, torch.float32, torch.float64):
        assert names["f"](torch.ones(3, dtype=dtype)).dtype == dtype


# No empty diagnosis ------------------------------------------------------------------------------


def test_a_rule_without_words_is_reported_by_the_call_that_broke_it() -> None:
    odd = made(
        lambda x, n: x * n,
        [{"x": 1, "n": 1}],
        {"n = 3 triples": lambda call: call(n=3) == 3 * call.x},
    )
    verdict = verdict_on(odd, "return x * min(n, 2)", "x, n")
    assert verdict.rule == "n = 3 triples"
    assert verdict.diagnosis == "With n = 3: 2 is returned, where 3 is expected."


def test_a_rule_without_a_message_that_no_comparison_explains_still_gives_a_diagnosis() -> None:
    loose = made(
        lambda x: x, [{"x": 2}], {"it is odd": lambda call: call.result % 2 == 1}, compare=False
    )
    verdict = verdict_on(loose, "return 4")
    assert verdict.diagnosis == "For this input it is not true that it is odd."


def test_a_rule_that_stumbles_leaves_the_word_to_the_comparison_where_there_is_one() -> None:
    check = made(
        lambda x: {"a": x, "b": x + 1},
        [{"x": 1}],
        {"c": lambda call: call.result["a"] / (call.result["b"] - 1) > 0},
    )
    verdict = verdict_on(check, "return {'a': x, 'b': x}")
    assert verdict.diagnosis == "1 is returned in element 'b', where 2 is expected."
    check = replace(check, compare=False)
    assert verdict_on(check, "return {'a': x}").rule == "c"
    assert "KeyError" in verdict_on(check, "return {'a': x}").diagnosis


# Refusals ----------------------------------------------------------------------------------------


def _root(x: float) -> float:
    if x < 0:
        raise ValueError("x must not be negative")
    return x**0.5


def test_an_error_is_the_learners_and_never_the_books() -> None:
    def refuses(call: Call) -> bool:
        return isinstance(call.error(x=-1.0), ValueError)

    check = made(_root, [{"x": 4.0}], {"x < 0 is refused": refuses})
    assert verdict_on(check, "return abs(x) ** 0.5").rule == "x < 0 is refused"
    right = "if x < 0: raise ValueError\n    return x ** 0.5"
    assert verdict_on(check, right).state == RIGHT


def test_where_the_book_refuses_an_input_so_must_the_learner() -> None:
    check = made(_root, [{"x": 4.0}, {"x": -1.0}])
    right = "if x < 0: raise ValueError('another sentence')\n    return x ** 0.5"
    assert verdict_on(check, right).state == RIGHT
    verdict = verdict_on(check, "return abs(x) ** 0.5")
    assert verdict.diagnosis == (
        "Here a ValueError should be raised (x must not be negative), but 1 was returned."
    )
    verdict = verdict_on(check, "return 4 ** 0.5 if x > 0 else {}[x]")
    assert "but it raises KeyError: -1.0 (line 2" in verdict.diagnosis


# Arguments ---------------------------------------------------------------------------------------


def test_switching_on_the_callers_gradients_is_a_change_of_an_argument() -> None:
    slope = made(lambda x: 2 * x, TENSORS, gradients=())
    body = "{}\n    return torch.autograd.grad(x.square().sum(), x)[0]"
    verdict = verdict_on(slope, body.format("x.requires_grad_()"))
    assert verdict.rule == "it leaves its arguments as they were"
    assert "requires_grad is now different" in verdict.diagnosis
    assert verdict_on(slope, body.format("x = x.detach().requires_grad_()")).state == RIGHT
    assert not any(given["x"].requires_grad for given in TENSORS)


def test_the_call_that_failed_is_the_one_that_is_shown() -> None:
    check = made(lambda x, n: x * n, [{"x": 2, "n": 1}], {"n = 0": lambda call: call(n=0) == 0})
    verdict = verdict_on(check, "return x * n // n", "x, n")
    assert verdict.arguments == ("x = 2", "n = 0")
    assert (verdict.expected, verdict.got) == ("", ""), "two lines that read the same"
    verdict = verdict_on(check, "return x * n if n else None", "x, n")
    assert (verdict.arguments[1], verdict.expected, verdict.got) == ("n = 0", "0", "None")
    verdict = verdict_on(TWICE, "x /= 2\n    return 4 * x")
    assert verdict.expected == "{'x after the call': [1, 3]}"
    assert verdict.got == "{'x after the call': [0.5, 1.5]}"


@pytest.mark.parametrize(
    ("value", "body", "text"),
    [
        (torch.ones(2), "x /= 2", "/= writes into it (line 2): x = x / … makes a new tensor, x"),
        (torch.ones(2), "x.add_(1)", ".add_() writes into it (line 2): without the underscore, .a"),
        (torch.ones(2), "x[0] = 2", "[…] = writes into it (line 2): work on x.clone()."),
        (torch.ones(2), "x.fill_(9)", "work on x.clone(), because torch has no .fill()."),
        (torch.ones(2), "k = 2; k *= 2; y = [k]\n    y.sort()\n    x[0] = 4", "[…] = writes into"),
        (torch.ones(2), "x.data.sub_(1)", ".sub_() writes into it (line 2)"),
        ([torch.ones(2)], "x[0].mul_(2)", "without the underscore, .mul(…) makes a new tensor."),
        ([[1], [2]], "x[0].append(2)", "work on copies, [list(x) for x in x]."),
        ([1, 2], "x.pop()", ".pop() writes into it (line 2): work on a copy, list(x)."),
        ({"a": 1}, "x['b'] = 3", "work on a copy, dict(x)."),
        ([1, 2], "change(x)", "by the call (line 2). Work on a copy, list(x)."),
    ],
)
def test_what_writes_into_an_argument_is_named_and_what_to_do_instead(value, body, text) -> None:
    check = made(lambda x: 1, [{"x": value}])
    verdict = verdict_on(check, f"{body}\n    return 1", change=list.clear)
    assert verdict.diagnosis.startswith("The argument x was changed by the call")
    assert text in verdict.diagnosis, verdict.diagnosis


# Known mistakes ----------------------------------------------------------------------------------

NUMBERS = [{"x": 1}, {"x": 2}, {"x": 30}]
SQUARE = made(lambda x: x * x, NUMBERS, mistakes={"You double it.": lambda x: 2 * x})


def test_a_near_relative_of_a_mistake_gets_its_sentence_only_where_it_computes_the_same() -> None:
    assert verdict_on(SQUARE, "return x + x").diagnosis == "You double it."
    relative = "return 2 * [0, 1, 2][x] if x < 3 else {}[x]"  # the same, and raises on the largest
    assert verdict_on(SQUARE, relative).diagnosis == "You double it."
    assert verdict_on(SQUARE, "return 2 if x == 1 else 7").diagnosis.startswith("2 is returned")


def test_a_mistake_that_raises_where_the_function_does_not_is_another_mistake() -> None:
    doubles = "You double small numbers."
    check = made(lambda x: x * x, NUMBERS, mistakes={doubles: lambda x: 2 * [0, 1, 2][x]})
    assert verdict_on(check, "return 2 * [0, 1, 2][x]").diagnosis == doubles
    assert verdict_on(check, "return 2 * x").diagnosis.startswith("2 is returned")


def test_a_mistake_that_no_input_shows_needs_the_same_broken_rule() -> None:
    rules = {
        "negative numbers too": lambda call: call(x=-2) == 4 or "Below 0 it is wrong.",
        "and nothing": lambda call: call(x=0) == 0 or "0 is wrong.",
    }
    mistakes = {"Is the sign lost?": lambda x: x * abs(x)}
    check = made(lambda x: x * x, NUMBERS, rules, mistakes=mistakes)
    assert verdict_on(check, "return x * abs(x)").diagnosis == "Is the sign lost?"
    assert verdict_on(check, "return x * x if x else 1").diagnosis == "0 is wrong."


# Small things ------------------------------------------------------------------------------------


SLOW_TO_IMPORT = """
import sys
from attnbook.exercises import engine
from attnbook.exercises.judge import judge
for chapter in engine.all_exercises().values():
    for check in list(chapter.values())[:2]:
        if check.name == "search_weights":
            continue  # a learner's optimizer imports them
        for _, mistake in check.known_mistakes()[:1]:
            space = {"mistake": mistake}
            exec(f"def {check.name}(**given):\\n    return mistake(**given)", space)
            assert judge(check, space[check.name]).state == "wrong"

@engine.exercise
def shares(amounts):
    return amounts / amounts.sum()

heavy = "torch._inductor", "torch._dynamo", "sympy", "IPython", "matplotlib.pyplot"
print([name for name in heavy if name in sys.modules])
"""


def test_no_verdict_lets_a_learner_wait_for_an_import() -> None:
    command = [sys.executable, "-c", SLOW_TO_IMPORT]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.stdout.startswith("✓ shares: right"), done.stdout + done.stderr
    assert done.stdout.endswith("\n[]\n"), done.stdout


# Rules -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_every_rule_reads_as_a_sentence_of_its_own(check: Exercise) -> None:
    """It stands behind "does not hold:", without the rule that comes before it in the check."""
    for rule in check.rules:
        assert rule.split()[0] not in {"it", "its", "they", "their", "together", "and"}, rule
        assert not re.search(r"(?<!as it) is$", rule), rule
