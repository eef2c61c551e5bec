"""Exercise 5.3: ``attentional_vector``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand, cat, each, first_step, last_step, softmax, told
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal, same
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def attentional_vector(context: Tensor, state: Tensor, weight: Tensor) -> Tensor:
    """s̃ = tanh(W_c [c ; s]). context (B, T, He), state (B, T, Hd), weight (O, He + Hd)."""
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight.T)


def _context_state_weight() -> Inputs:
    yield {
        "context": torch.tensor([[[1.0]]]),
        "state": torch.tensor([[[0.5]]]),
        "weight": torch.tensor([[1.0, 0.0], [0.2, 0.4]]),
    }
    make = normal(3)
    yield {"context": make(2, 3, 4), "state": make(2, 3, 4), "weight": make(4, 8)}
    yield {"context": make(2, 3, 2), "state": make(2, 3, 2), "weight": make(4, 4)}
    yield {"context": make(2, 3, 4), "state": make(2, 3, 5), "weight": make(6, 9)}
    last = {"context": make(3, 2, 5), "state": make(3, 2, 3), "weight": 0.5 * make(6, 8)}
    yield {**last, "state": last["state"].clone().requires_grad_()}
    yield {name: x.double().requires_grad_(name == "context") for name, x in last.items()}


def _added(vector: Tensor, state: Tensor) -> Tensor:
    size = min(vector.shape[-1], state.shape[-1])
    return cat(vector[..., :size] + state[..., :size], vector[..., size:])


def _halves(where: Callable[[Tensor, Tensor, Tensor], int]) -> Callable[..., Tensor]:
    """The matrix cut in two at a column, and each half applied to as many features as it has."""

    def answer(context: Tensor, state: Tensor, weight: Tensor) -> Tensor:
        cut = where(context, state, weight)
        left, right = weight[:, :cut], weight[:, cut:]
        one, two = min(left.shape[1], context.shape[2]), min(right.shape[1], state.shape[2])
        of_context = context[..., :one] @ left[:, :one].T
        return torch.tanh(of_context + state[..., :two] @ right[:, :two].T)

    return answer


def _each_bent(context: Tensor, state: Tensor, weight: Tensor) -> list[Tensor]:
    of_context, of_state = weight.split([context.shape[-1], state.shape[-1]], dim=1)
    return [torch.tanh(context @ of_context.T), torch.tanh(state @ of_state.T)]


def _within_one(call: Call) -> str | None:
    largest = float(call(context=10 * call.context, state=10 * call.state).abs().max())
    if largest <= 1.0 + 1e-6:
        return None
    return (
        f"With context and state ten times as large there is a {largest:.2f} in the result. "
        "What keeps s̃ between −1 and 1?"
    )


def _odd(call: Call) -> str | None:
    there, back = call.result, call(context=-call.context, state=-call.state)
    if torch.allclose(there, -back, atol=1e-5):
        return None
    one, other = (float(x.flatten()[0]) for x in (there, back))
    return (
        "Context and state with the opposite sign should give s̃ with the opposite sign: W_c has "
        f"no bias and tanh(−a) = −tanh(a). The first number is {one:.4g}, and then {other:.4g}."
    )


def _one_feature(call: Call, b: int, t: int, o: int) -> str:
    both, row = cat(call.context, call.state)[b, t], call.weight[o]
    return (
        f"[c ; s] is {shown(both)} there, row {o} of W_c is {shown(row)}, their product is "
        f"{shown((row @ both).item())}, and its tanh {shown(torch.tanh(row @ both).item())}"
    )


_BELOW = (
    "Context and state are put below one another, as more steps: [c ; s] has both in one row, so "
    "concatenate along the last dimension."
)

CHECK = Exercise(
    "attentional_vector",
    reference=attentional_vector,
    inputs=_context_state_weight,
    rules={
        "every number lies between −1 and 1": _within_one,
        "the opposite sign goes in, the opposite sign comes out": _odd,
        "every step has its own context and state": agrees("sentence", "step", "feature"),
        "every feature is the tanh of a row of W_c times [c ; s]": by_hand(_one_feature),
    },
    mistakes=[
        (
            "The state comes first here: the left columns of W_c belong to the context.",
            lambda context, state, weight: attentional_vector(state, context, weight),
        ),
        (
            "Only the context is used: the state belongs into s̃ as well.",
            lambda context, state, weight: attentional_vector(context, 0 * state, weight),
        ),
        (
            "Only the state is used: the context belongs into s̃ as well.",
            lambda context, state, weight: attentional_vector(0 * context, state, weight),
        ),
        *told(
            _BELOW,
            lambda context, state, weight: (torch.cat([context, state], dim=1) @ weight.T).tanh(),
            lambda context, state, weight: torch.cat(_each_bent(context, state, weight), dim=1),
        ),
        (
            "Two things. Context and state are put below one another, as more steps: [c ; s] has "
            "both in one row. And W_c has not been used: it multiplies that row.",
            lambda context, state, weight: torch.cat([context, state], dim=1).tanh(),
        ),
        (
            "W_c is applied from the wrong side: row o of W_c makes feature o, so it is "
            "[c ; s] @ W_cᵀ.",
            lambda context, state, weight: (cat(context, state) @ weight).tanh(),
        ),
        (
            "W_c has not been used: these are just the context and the state.",
            lambda context, state, weight: cat(context, state).tanh(),
        ),
        (
            "The tanh comes last: first concatenate, then multiply by W_c, then bend.",
            lambda context, state, weight: cat(context, state).tanh() @ weight.T,
        ),
        (
            "Context and state are bent one by one. The tanh takes the sum of both products.",
            lambda context, state, weight: sum(_each_bent(context, state, weight)),
        ),
        *each(
            lambda bend: lambda context, state, weight: bend(cat(context, state) @ weight.T),
            ("Where is the tanh?", same),
            ("This bends with a sigmoid. The formula says tanh.", torch.sigmoid),
            ("This bends with a ReLU. The formula says tanh.", torch.relu),
            *told(
                "This is a softmax: s̃ is a vector of features, the softmax comes after W_s.",
                softmax,
                lambda both: both.tanh().softmax(-1),
            ),
            ("There are two tanhs. The formula has one.", lambda both: both.tanh().tanh()),
        ),
        *each(
            lambda change: (
                lambda context, state, weight: attentional_vector(change(context), state, weight)
            ),
            ("The context of the first step is used for every step.", first_step),
            ("The context of the last step is used for every step.", last_step),
            ("The contexts of the first sentence are used for every sentence.", first_for_all),
            ("The tanh of the context goes in. There is one tanh, around the product.", torch.tanh),
        ),
        *each(
            lambda change: (
                lambda context, state, weight: attentional_vector(context, change(state), weight)
            ),
            *told(
                "The state of the step before is used: s̃_t is made of c_t and s_t.",
                lambda state: torch.cat([0 * state[:, :1], state[:, :-1]], dim=1),
                lambda state: state.roll(1, 1),
            ),
            ("The state of the first step is used for every step.", first_step),
            ("The state of the last step is used for every step.", last_step),
            ("The states of the first sentence are used for every sentence.", first_for_all),
            ("The tanh of the state goes in. There is one tanh, around the product.", torch.tanh),
        ),
        (
            "The state is added once more behind the tanh: the formula has it inside only.",
            lambda context, state, weight: _added(
                attentional_vector(context, state, weight), state
            ),
        ),
        *each(
            lambda after: (
                lambda context, state, weight: after(attentional_vector(context, state, weight))
            ),
            *told(
                "Only the vector of the last step comes back; all T are asked for.",
                lambda vector: vector[:, -1],
                lambda vector: vector[:, -1:],
            ),
            ("Only the first step's vector comes back; all T are asked for.", lambda x: x[:, 0]),
            ("The result is (B, O, T): step t belongs in row t.", lambda x: x.transpose(1, 2)),
        ),
        *told(
            "W_c is cut in the wrong place: its first He columns belong to the context, and He is "
            "context.shape[-1].",
            _halves(lambda context, state, weight: weight.shape[1] // 2),
            _halves(lambda context, state, weight: (weight.shape[1] + 1) // 2),
            _halves(lambda context, state, weight: state.shape[-1]),
            _halves(lambda context, state, weight: min(weight.shape)),
        ),
    ],
)
