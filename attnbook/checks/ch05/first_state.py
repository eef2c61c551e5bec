"""Exercise 5.7: ``first_state``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand
from attnbook.checks.shared import Inputs, agrees, normal, relatives, same
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


def _first(
    states: Tensor,
    weight: Tensor,
    *,
    pick: Callable[[Tensor], Tensor] = lambda states: states[:, 0],
    half: Callable[[Tensor, Tensor], Tensor] = lambda both, _: both.chunk(2, dim=-1)[1],
    through: Callable[[Tensor, Tensor], Tensor] = lambda state, weight: state @ weight.T,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
    after: Callable[[Tensor], Tensor] = same,
) -> Tensor:
    """Bahdanau's first state (2015, appendix A.2.2), and what it is with one part wrong."""
    return after(bend(through(half(pick(states), weight), weight)))


def _half(which: int) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda both, weight: both.chunk(2, dim=-1)[which]


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


_LAST_BACKWARD = (
    "This is the backward state of the last position: it has read one word only, and in a padded "
    "batch not even a word. Where does reading from right to left end?"
)
_LAST_FORWARD = (
    "This is the forward state of the last position, and in a padded batch that is padding. The "
    "formula asks for the backward state of the first."
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
            _LAST_FORWARD,
            lambda states, weight: _first(
                states, weight, pick=lambda s: s[:, -1], half=_half(0)
            ),
        ),
        (
            "The tanh comes last: first multiply by W_s, then bend.",
            lambda states, weight: _first(
                states, weight, half=lambda both, _: both.chunk(2, dim=-1)[1].tanh(), bend=same
            ),
        ),
        *relatives(
            _first,
            pick={
                _LAST_BACKWARD: lambda states: states[:, -1],
                "This is the mean of the backward states, padding included. The formula asks for "
                "one of them.": lambda states: states.mean(1),
                "This is the sum of the backward states, padding included. The formula asks for "
                "one of them.": lambda states: states.sum(1),
                "This takes the largest number of all positions. The formula asks for the state "
                "of one.": lambda states: states.amax(1),
                "This is the second position: the first one is number 0.":
                    lambda states: states[:, 1],
                "The dimension of the positions is still there: the result is (B, D).":
                    lambda states: states[:, :1],
                "All positions come back: the formula asks for the first, ←h_1.": same,
                "This is the first sentence's state at every position, not every sentence's at "
                "the first: dimension 0 is the batch.": lambda states: states[0],
                "The first sentence's state stands for every sentence.":
                    lambda states: states[:1, 0].expand(len(states), -1),
                "The mean over the sentences stands for every sentence.":
                    lambda states: states[:, 0].mean(0, keepdim=True).expand(len(states), -1),
            },
            half={
                "This is the forward state of the first position: it has read one word. Which half "
                "is the backward one?": _half(0),
                "The two directions are added up. The formula asks for the backward one.":
                    lambda both, weight: sum(both.chunk(2, dim=-1)),
                "The mean of the two directions is taken. The formula asks for the backward one.":
                    lambda both, weight: sum(both.chunk(2, dim=-1)) / 2,
                "Every second feature is taken, as if the directions took turns. [→h ; ←h] has "
                "them one behind the other.": lambda both, weight: both[..., 1::2],
                "Every second feature is taken, as if the directions took turns: [→h ; ←h] has "
                "them one behind the other.": lambda both, weight: both[..., 0::2],
                "The cut is at D, the rows of W_s. The halves of the states are H = 2H / 2 wide.":
                    lambda both, weight: both[..., min(weight.shape) :][..., : weight.shape[1]],
                "The cut is at D, the rows of W_s: the halves of the states are H = 2H / 2 wide.":
                    lambda both, weight: both[..., weight.shape[0] :],
                "The cut is at the last D features: the halves of the states are H = 2H / 2 wide.":
                    lambda both, weight: both[..., -weight.shape[0] :],
                "Both directions are used: ←h is the right half of the last dimension.":
                    lambda both, weight: both,
                "The features of ←h run backwards here: only the reading does.":
                    lambda both, weight: both.chunk(2, dim=-1)[1].flip(-1),
            },
            through={
                "W_s is applied from the wrong side: row d of W_s makes feature d, so it is "
                "h @ weight.T.": torch.matmul,
                "W_s has not been used.": lambda state, weight: state,
            },
            bend={
                "Where is the tanh?": same,
                "This bends with a sigmoid. The formula says tanh.": torch.sigmoid,
                "This bends with a ReLU. The formula says tanh.": torch.relu,
                "This is a softmax. The formula says tanh.": lambda x: x.softmax(-1),
                "There are two tanhs, one in the other. The formula has one.":
                    lambda x: x.tanh().tanh(),
            },
            after={
                "The result is (D, B): a row should be the state of one sentence, (B, D).":
                    lambda state: state.transpose(0, -1),
                "A dimension too many at the front: the result is (B, D).":
                    lambda state: state.unsqueeze(0),
            },
        ),
    ],
)  # fmt: skip
