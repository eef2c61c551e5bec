"""Exercise 3.6: ``read_both_ways``."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

import attnlib
from attnbook.checks.inputs import Inputs, drawn, normal
from attnbook.checks.rules import calls_to, first_unlike
from attnbook.exercises import Call, Exercise
from attnlib import masking

Layer = Callable[[Tensor], tuple[Tensor, Tensor]]


def read_both_ways(
    forward_layer: Layer, backward_layer: Layer, inputs: Tensor, mask: Tensor
) -> tuple[Tensor, Tensor]:
    """States [→h_j ; ←h_j] (B, S, 2H) and final states [→h_S ; ←h_1] (B, 2H), padding ignored."""
    ahead, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    final = [attnlib.model.last_real(ahead, mask), attnlib.model.last_real(back, mask)]
    states = [ahead, attnlib.model.reverse_real(back, mask)]
    return torch.cat(states, dim=-1), torch.cat(final, dim=-1)


def _readers() -> Inputs:
    for seed, (features, width, lengths) in enumerate(
        [(1, 2, [3]), (2, 3, [3, 1]), (4, 3, [4, 2, 5, 1])]
    ):
        reader = partial(nn.RNN, features, width, batch_first=True)
        longest = max(lengths) + (len(lengths) < 4)
        yield {
            "forward_layer": drawn(reader, 10 + seed),
            "backward_layer": drawn(reader, 20 + seed),
            "inputs": normal(30 + seed)(len(lengths), longest, features),
            "mask": masking.lengths_to_mask(torch.tensor(lengths), longest),
        }


def _shapes(call: Call) -> str | None:
    for name, result, expected in zip(("states", "final states"), call.result, call.expected):
        if result.shape != expected.shape:
            message = (
                f"The {name} have shape {tuple(result.shape)}; expected is {tuple(expected.shape)}."
            )
            *before, rows, width = expected.shape
            if result.shape == (*before, rows, width // 2):
                message += (
                    " Concatenate the two directions, 2H numbers: do not add or average them, "
                    "and keep both."
                )
            elif result.shape == (*before, 2 * rows, width // 2):
                message += (
                    " The two directions are joined along the wrong dimension: take the last."
                )
            return message
    return None


def _misread(call: Call) -> str | None:
    """Which step of a layer reads another word than it should, where the layer gets all at once."""
    turned = attnlib.model.reverse_real(call.inputs, call.mask)
    for direction, expected in (("forward", call.inputs), ("backward", turned)):
        calls = calls_to(call, f"{direction}_layer")
        if not calls:
            return f"The {direction} layer reads nothing. Each direction has its own layer."
        got = calls[0][0]
        if got.shape != expected.shape:
            return None
        for b, j in ((got != expected).any(-1) & call.mask).nonzero().tolist():
            n = int(call.mask[b].sum())
            positions = [i for i, x in enumerate(call.inputs[b]) if torch.equal(x, got[b, j])]
            what = f"word {positions[0]}" if positions else "a vector that is none of its words"
            if positions and positions[0] >= n:
                what = "padding"
            position = j if direction == "forward" else n - 1 - j
            return (
                f"Sentence {b} has words 0 to {n - 1}. Step {j} of the {direction} layer reads "
                f"{what}; it should read word {position}."
            )
    return None


def _words_states(call: Call) -> str | None:
    """The states at padding may hold anything."""
    (states, _), (right, _), mask = call.result, call.expected, call.mask
    if not first_unlike(states[mask], right[mask]):
        return None
    width = right.shape[-1] // 2
    if not first_unlike(states[mask], right[mask].roll(width, -1)):
        return "The halves are exchanged: forward comes first, [→h ; ←h]."
    if misread := _misread(call):
        return misread
    wrong = ~torch.isclose(states, right, atol=1e-5) & mask.unsqueeze(-1)
    b, j, unit = wrong.nonzero()[0].tolist()
    direction = "forward" if unit < width else "backward"
    turned = " Reverse the backward states again, within each sentence, as you did with the words."
    return (
        f"The {direction} half of the states of sentence {b} at word {j} is not the state of the "
        f"{direction} layer after it has read up to that word." + turned * (unit >= width)
    )


READS = {
    "forward": "It should be what the forward layer knows after the last word, →h_S.",
    "backward": "It should be what the backward layer knows when it has read all words, back to "
    "the first: ←h_1.",
}


def _final_states(call: Call) -> str | None:
    (_, got), (states, right), mask = call.result, call.expected, call.mask
    width = right.shape[-1] // 2
    if torch.allclose(got, right, atol=1e-5):
        return None
    if torch.allclose(got, right.roll(width, -1), atol=1e-5):
        return "The halves of the final states are exchanged: forward comes first."
    halves = (part.split(width, -1) for part in (got, right, states))
    for direction, half, expected, known in zip(READS, *halves):
        wrong = ~torch.isclose(half, expected, atol=1e-5)
        if not bool(wrong.any()):
            continue
        one_word = ", where this layer has read only one word" * (direction == "backward")
        for place, state in (
            (f"the last word{one_word}", attnlib.model.last_real(known, mask)),
            ("the first position", known[:, 0]),
            ("the last column, which is padding for short rows", known[:, -1]),
        ):
            if torch.allclose(half, state, atol=1e-5):
                return f"Your {direction} final state is the one at {place}. {READS[direction]}"
        b = int(wrong.any(1).nonzero()[0])
        return f"The {direction} final state of sentence {b} is wrong. {READS[direction]}"
    return None


CHECK = Exercise(  # the states at padding may hold anything: the rules compare the others
    read_both_ways,
    inputs=_readers,
    rules={
        "the states are (B, S, 2H), the final states (B, 2H)": _shapes,
        "the states at word j are →h_j and ←h_j": _words_states,
        "the final states are what each layer knows when it has read all words": _final_states,
    },
    compare=False,
    differentiated_part=lambda arguments, result: (result[0][arguments["mask"]], result[1]),
)
