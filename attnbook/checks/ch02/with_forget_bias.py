"""Exercise 2.3: ``with_forget_bias``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import rounded
from attnbook.exercises import Call, Exercise


def with_forget_bias(bias_ih: Any, bias_hh: Any, value: Any) -> Any:
    """New (bias_ih, bias_hh), each (4H,), whose forget gate adds up to value."""
    units = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[units : 2 * units] = value
    bias_hh[units : 2 * units] = 0.0
    return bias_ih, bias_hh


def _bias_inputs() -> Inputs:
    yield {
        "bias_ih": torch.tensor([0.1, 0.2, 0.3, 0.4]),
        "bias_hh": torch.tensor([-0.1, 0.7, -0.3, 0.1]),
        "value": 1.0,
    }
    make = normal(1)
    yield {"bias_ih": make(12), "bias_hh": make(12), "value": 3.0}
    yield {"bias_ih": make(20), "bias_hh": make(20), "value": -1.5}


def _sums_to_value(call: Call) -> bool | str:
    total = (call.result[0] + call.result[1]).chunk(4)[1]
    return bool((total - call.value).abs().max() < 1e-5) or (
        "What the forget gate adds is the sum of its two biases: here "
        f"{rounded(total)}, where {call.value:g} is wanted."
    )


def _others_stay(call: Call) -> str | None:
    for name, result in zip(("bias_ih", "bias_hh"), call.result):
        for gate, before, after in zip("ifgo", call.arguments[name].chunk(4), result.chunk(4)):
            if gate != "f" and not torch.equal(before, after):
                return f"The block of {gate} in {name} has changed. Only the forget gate's may."
    return None


def _where_asked(call: Call) -> bool | str:
    first, second = (bias.chunk(4)[1] for bias in call.result)
    return bool((first - call.value).abs().max() < 1e-5) or (
        "The sum of the two is right, but asked for is the value in bias_ih and 0 in bias_hh: "
        f"yours are {rounded(first)} and {rounded(second)}."
    )


CHECK = Exercise(
    with_forget_bias,
    inputs=_bias_inputs,
    rules={
        "the biases of the other gates stay": _others_stay,
        "the forget gate's two biases sum to the value": _sums_to_value,
        "the value stands in bias_ih": _where_asked,
    },
    varied=False,  # of four gates
    gradients=(),  # where a training begins; nothing goes back through that
    mistakes={
        "The value is added to the random bias that stood there. It should replace it.": (
            lambda bias_ih, bias_hh, value: with_forget_bias(
                bias_ih, bias_hh, bias_ih.chunk(4)[1] + value
            )
        ),
    },
)
