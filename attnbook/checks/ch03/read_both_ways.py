"""Exercise 3.6: ``read_both_ways``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import attnlib
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import masking

Layer = Callable[[Tensor], tuple[Tensor, Tensor]]


def _reader(seed: int, features: int, width: int) -> Layer:
    """A small recurrent layer, as torch's: states (B, S, H) and the state after the last step."""
    make = normal(seed)
    from_input, from_state = make(features, width), make(width, width) / width

    def layer(inputs: Tensor) -> tuple[Tensor, Tensor]:
        state = inputs.new_zeros(len(inputs), width)
        states = []
        for t in range(inputs.shape[1]):
            state = torch.tanh(inputs[:, t] @ from_input + state @ from_state)
            states.append(state)
        return torch.stack(states, 1), state.unsqueeze(0)

    return layer


def _readers() -> Inputs:
    for seed, (size, lengths) in enumerate([(1, [3, 1]), (3, [4, 2, 3]), (2, [2])]):
        yield {
            "forward_layer": _reader(10 + seed, size, size),
            "backward_layer": _reader(20 + seed, size, size),
            "inputs": normal(30 + seed)(len(lengths), max(lengths) + 1, size),
            "mask": masking.lengths_to_mask(torch.tensor(lengths), max(lengths) + 1),
        }


def _alone_or_together(call: Call) -> str | None:
    n = int(call.mask[-1].sum())
    states, final = call.result
    alone, alone_final = call(inputs=call.inputs[-1:, :n], mask=call.mask[-1:, :n])
    if not torch.allclose(alone_final[0], final[-1], atol=1e-5):
        half = final.shape[-1] // 2
        forward_is_right = torch.allclose(alone_final[0, :half], final[-1, :half], atol=1e-5)
        which = "backward" if forward_is_right else "forward"
        return (
            f"The last sentence has another {which} final state alone than in the padded batch. "
            "Where does padding come in?"
        )
    if not torch.allclose(alone[0], states[-1, :n], atol=1e-5):
        return (
            "The last sentence has other states alone than in the padded batch: is the backward "
            "layer fed padding before the words?"
        )
    return None


def _both(
    forward_layer: Layer, backward_layer: Layer, inputs: Tensor, mask: Tensor,
    *, swap: bool = False, turn: bool = True, flip: bool = False, last: bool = False,
    first: bool = True,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Reading both ways, right or with one thing wrong."""

    def reverse(x: Tensor) -> Tensor:
        return x.flip(1) if flip else attnlib.model.reverse_real(x, mask)

    ahead, back = forward_layer(inputs)[0], backward_layer(reverse(inputs))[0]
    ends = back[:, -1] if flip or last else attnlib.model.last_real(back, mask)
    back = reverse(back) if turn else back
    if not first:
        ends = attnlib.model.last_real(back, mask)
    parts = [ahead, back], [ahead[:, -1] if last else attnlib.model.last_real(ahead, mask), ends]
    if swap:
        parts = parts[0][::-1], parts[1][::-1]
    return torch.cat(parts[0], -1), torch.cat(parts[1], -1)


def _wrong(**what: bool) -> Callable[..., tuple[Tensor, Tensor]]:
    def function(
        forward_layer: Layer, backward_layer: Layer, inputs: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        return _both(forward_layer, backward_layer, inputs, mask, **what)

    return function


def _shapes(call: Call) -> str | None:
    for name, got, right in zip(("states", "final states"), call.result, call.expected):
        if got.shape != right.shape:
            return f"The {name} have shape {tuple(got.shape)}; expected is {tuple(right.shape)}."
    return None


def _as_the_book_where_real(call: Call) -> str | None:
    """What stands in the states at padding is left open, so the results are compared here."""
    (states, final), (expected, wanted) = call.result, call.expected
    if not torch.allclose(final, wanted, atol=1e-5):
        return "The final states are not [→h_S ; ←h_1]: what each reader knows after its last word."
    if not torch.allclose(states[call.mask], expected[call.mask], atol=1e-5):
        return "The states are not [→h_j ; ←h_j]: at word j stands what was read up to word j."
    return None


CHECK = Exercise(
    "read_both_ways",
    reference=_wrong(),
    inputs=_readers,
    rules={
        "the states are (B, S, 2H), the final states (B, 2H)": _shapes,
        "a sentence is read alike alone and in a padded batch": _alone_or_together,
        "the states at real words and the final states are the book's": _as_the_book_where_real,
    },
    compare=False,
    mistakes=[
        Mistake(
            "The whole rows are flipped, so that the backward layer meets padding before the "
            "words. Only the real tokens change places.",
            _wrong(flip=True),
        ),
        Mistake(
            "The backward states are still in the order in which they were made: turn them back, "
            "so that position j has what was read at word j.",
            _wrong(turn=False),
        ),
        Mistake(
            "The final state of the backward layer is taken at the last word, where it has read "
            "one word only. It ends at the first.",
            _wrong(first=False),
        ),
        Mistake(
            "The final states are those of the last column, which is padding for the short rows.",
            _wrong(last=True),
        ),
        Mistake(
            "The halves are exchanged: forward comes first, [→h ; ←h].",
            _wrong(swap=True),
        ),
        Mistake(
            "One layer reads in both directions. Each direction has its own.",
            lambda forward_layer, backward_layer, inputs, mask: _both(
                forward_layer, forward_layer, inputs, mask
            ),
        ),
        Mistake(
            "Both layers read from left to right.",
            lambda forward_layer, backward_layer, inputs, mask: (
                torch.cat([forward_layer(inputs)[0], backward_layer(inputs)[0]], -1),
                torch.cat(
                    [
                        attnlib.model.last_real(layer(inputs)[0], mask)
                        for layer in (forward_layer, backward_layer)
                    ],
                    -1,
                ),
            ),
        ),
    ],
)
