"""Exercise 5.7: ``first_state``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand, each, softmax, told
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal, same
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def first_state(states: Tensor, weight: Tensor) -> Tensor:
    """s_0 = tanh(W_s ←h_1). states (B, S, 2H) = [→h_j ; ←h_j], weight (D, H) → (B, D)."""
    backward = states[:, 0].chunk(2, dim=-1)[1]  # (B, H)
    return torch.tanh(backward @ weight.T)


def _states_and_weight() -> Inputs:
    yield {
        "states": torch.tensor([[[0.1, 0.9], [0.3, 0.5]]]),
        "weight": torch.tensor([[1.0]]),
    }
    make = normal(5)
    yield {"states": make(2, 4, 6), "weight": make(5, 3)}
    yield {"states": make(3, 5, 8), "weight": make(4, 4)}
    yield {"states": make(3, 4, 10).requires_grad_(), "weight": 0.5 * make(2, 5)}
    yield {"states": make(2, 3, 6).double(), "weight": make(4, 3).double().requires_grad_()}


def _of_half(half: Any) -> Any:
    """The solution with something else than the backward half of the first position."""
    return lambda states, weight: torch.tanh(half(states[:, 0], weight) @ weight.T)


def _of_position(pick: Any) -> Any:
    """The solution with something else than the first position."""
    return lambda states, weight: torch.tanh(pick(states).chunk(2, dim=-1)[1] @ weight.T)


def _bent(bend: Any) -> Any:
    """The solution with something else than tanh."""
    return lambda states, weight: bend(states[:, 0].chunk(2, dim=-1)[1] @ weight.T)


def _later_positions(call: Call) -> str | None:
    longer = torch.cat([call.states, call.states], dim=1).detach().clone()
    longer[:, 1:] += 1.0
    changed = call(states=longer)
    if torch.allclose(changed, call.result, atol=1e-6):
        return None
    one, other = (float(x.flatten()[0]) for x in (call.result, changed))
    return (
        "With the same first position, and other and more positions behind it, the first number "
        f"goes from {one:.4g} to {other:.4g}."
    )


def _forward_half(call: Call) -> str | None:
    touched = call.states.detach().clone()
    touched[..., : touched.shape[-1] // 2] += 1.0
    if torch.allclose(call(states=touched), call.result, atol=1e-6):
        return None
    return "The result changes with →h, the left half of the states. Which half is ←h?"


def _own_sentence(call: Call) -> str | None:
    for b in range(len(call.states)):
        alone = call(states=call.states[b : b + 1])
        if not torch.allclose(alone[0], call.result[b], atol=1e-5):
            return f"Sentence {b} gets another state alone than it gets in the batch of all."
    return None


def _within_one(call: Call) -> str | None:
    largest = float(call(states=20 * call.states).abs().max())
    if largest <= 1.0 + 1e-6:
        return None
    return (
        f"With states twenty times as large there is a {largest:.2f} in the result. What keeps "
        "s_0 between −1 and 1?"
    )


def _one_feature(call: Call, b: int, d: int) -> str:
    backward = call.states[b, 0].chunk(2)[1]
    row = call.weight[d]
    return (
        f"←h_1 is {shown(backward)}, row {d} of W_s is {shown(row)}, their product is "
        f"{shown((row @ backward).item())}, and its tanh {shown(torch.tanh(row @ backward).item())}"
    )


CHECK = Exercise(
    "first_state",
    reference=first_state,
    inputs=_states_and_weight,
    rules={
        "what follows the first position does not matter": _later_positions,
        "the forward states do not matter": _forward_half,
        "every sentence has a state of its own": _own_sentence,
        "every number lies between −1 and 1": _within_one,
        "the result is the backward state of the first position, times W_s, in a tanh": agrees(
            "sentence", "feature"
        ),
        "every feature is the tanh of a row of W_s times ←h_1": by_hand(_one_feature),
    },
    mistakes=[
        (
            "This is the forward state of the last position, and in a padded batch that is "
            "padding. The formula asks for the backward state of the first.",
            lambda states, weight: torch.tanh(states[:, -1].chunk(2, dim=-1)[0] @ weight.T),
        ),
        (
            "The tanh comes last: first multiply by W_s, then bend.",
            lambda states, weight: states[:, 0].chunk(2, dim=-1)[1].tanh() @ weight.T,
        ),
        *each(
            _of_position,
            (
                "This is the backward state of the last position: it has read one word only, and "
                "in a padded batch not even a word. Where does reading from right to left end?",
                lambda h: h[:, -1],
            ),
            (
                "This is the mean of the backward states, padding included. The formula asks for "
                "one of them.",
                lambda h: h.mean(1),
            ),
            (
                "This is the sum of the backward states, padding included. The formula asks for "
                "one of them.",
                lambda h: h.sum(1),
            ),
            ("This is the largest number of all positions, not of one.", lambda h: h.amax(1)),
            ("This is the second position: the first one is number 0.", lambda h: h[:, 1]),
            ("The dimension of the positions is still there: it is (B, D).", lambda h: h[:, :1]),
            ("All positions come back: the formula asks for the first, ←h_1.", same),
            (
                "This is the first sentence's state at every position, not every sentence's at "
                "the first: dimension 0 is the batch.",
                lambda h: h[0],
            ),
            (
                "The first sentence's state stands for every sentence.",
                lambda h: first_for_all(h[:, 0]),
            ),
            (
                "The mean over the sentences stands for every sentence.",
                lambda h: h[:, 0].mean(0).expand_as(h[:, 0]),
            ),
        ),
        *each(
            _of_half,
            (
                "This is the forward state of the first position: it has read one word. Which half "
                "is the backward one?",
                lambda h, weight: h.chunk(2, dim=-1)[0],
            ),
            *told(
                "The two directions are added up, or averaged. The formula asks for one, ←h.",
                lambda h, weight: sum(h.chunk(2, dim=-1)),
                lambda h, weight: sum(h.chunk(2, dim=-1)) / 2,
            ),
            *told(
                "Every second feature is taken, as if the directions took turns. [→h ; ←h] has "
                "them one behind the other.",
                lambda h, weight: h[..., 1::2],
                lambda h, weight: h[..., 0::2],
            ),
            *told(
                "The cut is at D, the rows of W_s. The halves of the states are H = 2H / 2 wide.",
                lambda h, weight: h[..., min(weight.shape) :][..., : weight.shape[1]],
                lambda h, weight: h[..., len(weight) :],
                lambda h, weight: h[..., -len(weight) :],
            ),
            (
                "Both directions are used: ←h is the right half of the last dimension.",
                lambda h, weight: h,
            ),
            (
                "The features of ←h run backwards here: only the reading does.",
                lambda h, weight: h.chunk(2, dim=-1)[1].flip(-1),
            ),
        ),
        (
            "W_s is applied from the wrong side: row d of W_s makes feature d, so it is "
            "h @ weight.T.",
            lambda states, weight: torch.tanh(states[:, 0].chunk(2, dim=-1)[1] @ weight),
        ),
        (
            "W_s has not been used.",
            lambda states, weight: torch.tanh(states[:, 0].chunk(2, dim=-1)[1]),
        ),
        *each(
            _bent,
            ("Where is the tanh?", same),
            ("This bends with a sigmoid. The formula says tanh.", torch.sigmoid),
            ("This bends with a ReLU. The formula says tanh.", torch.relu),
            ("This is a softmax. The formula says tanh.", softmax),
            ("There are two tanhs. The formula has one.", lambda x: x.tanh().tanh()),
            ("The result is (D, B): a row should be a sentence.", lambda x: x.tanh().T),
            ("A dimension too many at the front: it is (B, D).", lambda x: x.tanh().unsqueeze(0)),
        ),
    ],
)
