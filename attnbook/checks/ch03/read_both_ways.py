"""Exercise 3.9: ``read_both_ways``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import attnlib
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnlib import masking


def read_both_ways(
    forward_layer: Layer, backward_layer: Layer, inputs: Tensor, mask: Tensor
) -> tuple[Tensor, Tensor]:
    """States [→h_j ; ←h_j] (B, S, 2H) and final states [→h_S ; ←h_1] (B, 2H), padding ignored."""
    ahead, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    final = [attnlib.model.last_real(ahead, mask), attnlib.model.last_real(back, mask)]
    states = [ahead, attnlib.model.reverse_real(back, mask)]
    return torch.cat(states, dim=-1), torch.cat(final, dim=-1)


Layer = Callable[[Tensor], tuple[Tensor, Tensor]]


def _reader(seed: int, features: int, width: int) -> Layer:
    """A small recurrent layer, as torch's: states (B, S, H), and the state after the last step."""
    make = normal(seed)
    from_input, from_state, bias = make(features, width), make(width, width) / width, make(width)

    def layer(inputs: Tensor) -> tuple[Tensor, Tensor]:
        if inputs.dim() == 2:  # one sentence without a batch, as torch's layers allow
            alone, last = layer(inputs.unsqueeze(0))
            return alone[0], last[:, 0]
        state = inputs.new_zeros(len(inputs), width)
        states = []
        for t in range(inputs.shape[1]):
            state = torch.tanh(
                inputs[:, t] @ from_input.to(inputs) + state @ from_state.to(inputs)
                + bias.to(inputs)
            )  # fmt: skip
            states.append(state)
        return torch.stack(states, 1), state.unsqueeze(0)

    return layer


def _readers() -> Inputs:
    for seed, (features, width, lengths) in enumerate(
        [(1, 2, [3]), (2, 3, [3, 1]), (4, 3, [4, 2, 5, 1])]
    ):
        longest = max(lengths) + (len(lengths) < 4)
        yield {
            "forward_layer": _reader(10 + seed, features, width),
            "backward_layer": _reader(20 + seed, features, width),
            "inputs": normal(30 + seed)(len(lengths), longest, features),
            "mask": masking.lengths_to_mask(torch.tensor(lengths), longest),
        }


def _shapes(call: Call) -> str | None:
    if [isinstance(part, Tensor) for part in call.result] != [True, True]:
        return "Two tensors are asked for: the states, and the final states."
    for name, got, right in zip(("states", "final states"), call.result, call.expected):
        if got.shape != right.shape:
            told = f"The {name} have shape {tuple(got.shape)}; expected is {tuple(right.shape)}."
            *rows, width = right.shape
            doubled = [size * (1 + (i == len(rows) - 1)) for i, size in enumerate(rows)]
            if got.shape == (*rows, width // 2):
                told += (
                    " The two directions stand beside each other, 2H numbers: they are neither "
                    "added nor averaged, and both are there."
                )
            elif got.shape == (*doubled, width // 2):
                told += " The two directions are joined along the wrong dimension: take the last."
            elif got.shape == (1, *right.shape):
                told += " A layer's last state is (1, B, H): one dimension too many."
            return told
    return None


def _readings(call: Call) -> dict[str, Tensor]:
    """States (B, S, H) that a learner may have made on the way; the right ones come first."""
    forward, backward, x, mask = call.arguments.values()

    def back(layer: Layer) -> Tensor:
        return attnlib.model.reverse_real(layer(attnlib.model.reverse_real(x, mask))[0], mask)

    turned = backward(attnlib.model.reverse_real(x, mask))[0]
    return {
        "forward": forward(x)[0],
        "backward": back(backward),
        "unturned": turned,
        "turned whole": turned.flip(1),
        "flipped": backward(x.flip(1))[0].flip(1),
        "flipped, unturned": backward(x.flip(1))[0],
        "flipped, turned real": attnlib.model.reverse_real(backward(x.flip(1))[0], mask),
        "blanked": backward((x * mask.unsqueeze(-1)).flip(1))[0].flip(1),
        "backward layer from the left": backward(x)[0],
        "forward layer from the right": back(forward),
    }


_TURN = "turn them back, so that position j has what was read at word j."
STATES = {
    "unturned": "The backward states are still in the order in which they were made: " + _TURN,
    "flipped, unturned": "The whole rows are flipped, so that the backward layer meets padding "
    "before the words; and its states are still in the order in which they were made.",
    "turned whole": "The backward states are turned as whole rows, so that padding comes first. "
    "Only those of real tokens change places.",
    "flipped": "The whole rows are flipped, so that the backward layer meets padding before the "
    "words. Only the real tokens change places.",
    "flipped, turned real": "The whole rows are flipped, so that the backward layer meets padding "
    "before the words. Only the real tokens change places.",
    "blanked": "The padding has been set to 0 and stands before the words when the backward layer "
    "reads: zeros are read, too, and change its state. Only the real tokens change places.",
    "backward layer from the left": "Both layers read from left to right.",
    "forward layer from the right": "One layer reads in both directions. Each direction has its "
    "own.",
}
ENDS = {
    "at the last word": "it is taken at the last word",
    "at the first word": "it is taken at the first position",
    "in the last column": "it is taken in the last column, which is padding for short rows",
    "where the longest ends": "it is taken where the longest row ends",
    "mean": "it is the mean of the states",
}


def _where_real(got: Tensor, right: Tensor, mask: Tensor) -> bool:
    return torch.allclose(got[mask], right[mask], atol=1e-5)


def _words_states(call: Call) -> str | None:
    """What stands in the states at padding is left open."""
    states, mask, width = call.result[0], call.mask, call.expected[0].shape[-1] // 2
    made = _readings(call)
    if _where_real(states, call.expected[0], mask):
        return None
    halves = states[..., :width], states[..., width:]
    if _where_real(states, torch.cat([made["backward"], made["forward"]], -1), mask):
        return "The halves are exchanged: forward comes first, [→h ; ←h]."
    if _where_real(halves[0], made["forward"], mask):
        for name, told in STATES.items():
            if _where_real(halves[1], made[name], mask):
                return told
    for name, half, direction in zip(("first", "last"), halves, ("forward", "backward")):
        for b, (got, right, real) in enumerate(zip(half, made[direction], mask)):
            for j in range(int(real.sum())):
                if not torch.allclose(got[j], right[j], atol=1e-5):
                    return (
                        f"The states of sentence {b} at word {j}: their {name} half is not what "
                        f"the {direction} layer knows when it has read up to that word."
                    )
    return None


def _ends(states: Tensor, mask: Tensor) -> dict[str, Tensor]:
    """States (B, S, H) at the places where a learner may take the final one."""
    masked = states * mask.unsqueeze(-1)
    return {
        "at the last word": attnlib.model.last_real(states, mask),
        "at the first word": states[:, 0],
        "in the last column": states[:, -1],
        "where the longest ends": states[:, int(mask.sum(1).max()) - 1],
        "mean": masked.sum(1) / mask.sum(1, keepdim=True),
    }


_READS = {
    "forward": "It should be what the forward layer knows after the last word, →h_S.",
    "backward": "It should be what the backward layer knows when it has read all words, back to "
    "the first: ←h_1.",
}


def _final_states(call: Call) -> str | None:
    got, right = call.result[1], call.expected[1]
    width = right.shape[-1] // 2
    if torch.allclose(got, right, atol=1e-5):
        return None
    if torch.allclose(got, right.roll(width, -1), atol=1e-5):
        return "The halves of the final states are exchanged: forward comes first."
    made = _readings(call)
    told: list[str] = []
    for direction, half, wanted in zip(_READS, got.split(width, -1), right.split(width, -1)):
        if torch.allclose(half, wanted, atol=1e-5):
            continue
        # the backward layer's states in the order of the words, then in that of their making
        places = [(place, state, "") for place, state in _ends(made[direction], call.mask).items()]
        if direction == "backward":
            own = ", of its states in the order in which they were made"
            places += [(*found, own) for found in _ends(made["unturned"], call.mask).items()]
        for place, state, order in places:
            if not told and torch.allclose(half, state, atol=1e-5):
                where = ENDS[place] + order
                if direction == "backward" and place == "at the last word" and not order:
                    where += ", where this layer has read one word only"
                told.append(f"The {direction} final state: {where}. {_READS[direction]}")
        if not told:
            b = int((~torch.isclose(half, wanted, atol=1e-5)).any(1).nonzero()[0])
            told.append(f"The {direction} final state of sentence {b} is another. "
                        + _READS[direction])  # fmt: skip
    return told[0]


def _alone_or_together(call: Call) -> str | None:
    n = int(call.mask[-1].sum())
    states, final = call.result
    alone, alone_final = call(inputs=call.inputs[-1:, :n], mask=call.mask[-1:, :n])
    same_states = torch.allclose(alone[0], states[-1, :n], atol=1e-5)
    if same_states and torch.allclose(alone_final[0], final[-1], atol=1e-5):
        return None
    what = "final state" if same_states else "states"
    return f"The last sentence has another {what} alone than in the padded batch."


def _both(
    forward_layer: Layer, backward_layer: Layer, inputs: Tensor, mask: Tensor
) -> tuple[Tensor, Tensor]:
    ahead = forward_layer(inputs)[0]
    back = backward_layer(attnlib.model.reverse_real(inputs, mask))[0]
    final = [attnlib.model.last_real(states, mask) for states in (ahead, back)]
    states = torch.cat([ahead, attnlib.model.reverse_real(back, mask)], -1)
    return states, torch.cat(final, -1)


CHECK = Exercise(  # what stands in the states at padding is left open: the rules compare
    "read_both_ways",
    reference=read_both_ways,
    inputs=_readers,
    rules={
        "the states are (B, S, 2H), the final states (B, 2H)": _shapes,
        "at word j stand →h_j and ←h_j": _words_states,
        "the final states are what each layer knows when it has read all words": _final_states,
        "a sentence is read alike alone and in a padded batch": _alone_or_together,
    },
    compare=False,
    counts=lambda given, result: (result[0][given["mask"]], result[1]),
    mistakes=[
        (
            "The states are exchanged with the final states: the states come first.",
            lambda forward_layer, backward_layer, inputs, mask: _both(
                forward_layer, backward_layer, inputs, mask
            )[::-1],
        ),
    ],
)
