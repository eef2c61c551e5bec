"""Exercise 5.3: ``attentional_vector``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand, cat
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal, relatives, same
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
    context, state, weight = make(3, 2, 5), make(3, 2, 3), 0.5 * make(6, 8)
    yield {"context": context, "state": state.requires_grad_(), "weight": weight}
    yield {"context": context.double().requires_grad_(), "state": state.detach().double(),
           "weight": weight.double()}  # fmt: skip


def _vector(
    context: Tensor,
    state: Tensor,
    weight: Tensor,
    *,
    of_context: Callable[[Tensor], Tensor] = same,
    of_state: Callable[[Tensor], Tensor] = same,
    join: Callable[[Tensor, Tensor], Tensor] = cat,
    through: Callable[[Tensor, Tensor], Tensor] = lambda both, weight: both @ weight.T,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
    after: Callable[[Tensor, Tensor], Tensor] = same,
) -> Tensor:
    """Luong's attentional vector (2015, equation 5), and what it is with one part wrong."""
    both = join(of_context(context), of_state(state))
    return after(bend(through(both, weight)), state)


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
        *relatives(
            _vector,
            join={
                "The state comes first here: the left columns of W_c belong to the context.":
                    lambda context, state: cat(state, context),
                "Only the context is used: the state belongs into s̃ as well.":
                    lambda context, state: cat(context, torch.zeros_like(state)),
                "Only the state is used: the context belongs into s̃ as well.":
                    lambda context, state: cat(torch.zeros_like(context), state),
                _BELOW: lambda context, state: torch.cat([context, state], dim=1),
            },
            through={
                "W_c is applied from the wrong side: row o of W_c makes feature o, so it is "
                "[c ; s] @ W_cᵀ.": torch.matmul,
                "W_c has not been used: these are just the context and the state.":
                    lambda both, weight: both,
            },
            bend={
                "Where is the tanh?": same,
                "This bends with a sigmoid. The formula says tanh.": torch.sigmoid,
                "This bends with a ReLU. The formula says tanh.": torch.relu,
                "This is a softmax: s̃ is a vector of features, the softmax comes after W_s.":
                    lambda x: x.softmax(-1),
                "A softmax follows the tanh: s̃ is a vector of features, the softmax comes after "
                "W_s.": lambda x: x.tanh().softmax(-1),
                "There are two tanhs around the product. The formula has one.":
                    lambda x: x.tanh().tanh(),
            },
            of_context={
                "The context of the first step is used for every step.":
                    lambda context: context[:, :1].expand_as(context),
                "The context of the last step is used for every step.":
                    lambda context: context[:, -1:].expand_as(context),
                "The contexts of the first sentence are used for every sentence.": first_for_all,
                "The mean of the contexts of all steps is used for every step.":
                    lambda context: context.mean(1, keepdim=True).expand_as(context),
                "The tanh of the context goes in. There is one tanh, around the product.":
                    torch.tanh,
            },
            of_state={
                "The state of the step before is used: s̃_t is made of c_t and s_t.":
                    lambda state: torch.cat([torch.zeros_like(state[:, :1]), state[:, :-1]], dim=1),
                "The state of the step before is used (and at first the last one): s̃_t is made of "
                "c_t and s_t.": lambda state: state.roll(1, 1),
                "The state of the first step is used for every step.":
                    lambda state: state[:, :1].expand_as(state),
                "The state of the last step is used for every step.":
                    lambda state: state[:, -1:].expand_as(state),
                "The states of the first sentence are used for every sentence.": first_for_all,
                "The tanh of the state goes in. There is one tanh, around the product.":
                    torch.tanh,
            },
            after={
                "The state is added once more behind the tanh: the formula has it inside only.":
                    _added,
                "Only the vector of the last step comes back; all T are asked for.":
                    lambda vector, state: vector[:, -1],
                "Only the vector of the last step comes back; all T are asked for, (B, T, O).":
                    lambda vector, state: vector[:, -1:],
                "Only the vector of the first step comes back; all T are asked for.":
                    lambda vector, state: vector[:, 0],
                "The result is (B, O, T): step t belongs in row t.":
                    lambda vector, state: vector.transpose(1, 2),
            },
        ),
        (
            _BELOW,
            lambda context, state, weight: torch.cat(
                [
                    torch.tanh(context @ weight[:, : context.shape[-1]].T),
                    torch.tanh(state @ weight[:, context.shape[-1] :].T),
                ],
                dim=1,
            ),
        ),
        (
            "The tanh comes last: first concatenate, then multiply by W_c, then bend.",
            lambda context, state, weight: torch.tanh(cat(context, state)) @ weight.T,
        ),
        (
            "Context and state are bent one by one. The tanh takes the sum of both products.",
            lambda context, state, weight: (
                torch.tanh(context @ weight[:, : context.shape[-1]].T)
                + torch.tanh(state @ weight[:, context.shape[-1] :].T)
            ),
        ),
        *(
            (
                "W_c is cut in the wrong place: its first He columns belong to the context, and "
                "He is context.shape[-1].",
                _halves(where),
            )
            for where in (
                lambda context, state, weight: weight.shape[1] // 2,
                lambda context, state, weight: (weight.shape[1] + 1) // 2,
                lambda context, state, weight: state.shape[-1],
                lambda context, state, weight: min(weight.shape),
            )
        ),
    ],
)  # fmt: skip
