"""Exercise 1.2: ``unroll``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.shared import cell, loop
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def unroll(cell: Any, inputs: Any, state: Any = None, mask: Any = None) -> Any:
    """All states (B, T, H) and the last (B, H); where mask (B, T) is False the state is kept."""
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        state = new
        states.append(state)
    return torch.stack(states, dim=1), state


def _sentences() -> Inputs:
    make = normal(2)
    yield {"cell": cell(3, 1, 1), "inputs": make(1, 2, 1), "state": None, "mask": None}
    yield {
        "cell": cell(3, 1, 1),
        "inputs": make(1, 3, 1),
        "state": None,
        "mask": torch.tensor([[True, True, False]]),
    }
    lengths = torch.tensor([[5], [2], [3]])
    for state in (None, make(3, 4).tanh()):
        yield {
            "cell": cell(4, 2, 4),
            "inputs": make(3, 5, 2),
            "state": state,
            "mask": torch.arange(5) < lengths,
        }
    yield {"cell": cell(5, 3, 2), "inputs": make(2, 4, 3), "state": make(2, 2), "mask": None}
    yield {  # a row of nothing but padding keeps the zeros that it began with
        "cell": cell(6, 3, 2),
        "inputs": make(3, 6, 3),
        "state": None,
        "mask": torch.arange(6) < torch.tensor([[6], [0], [4]]),
    }


def _alike(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one, other, atol=1e-5)


def _starts_with_the_cell(call: Call) -> str | None:
    """Without a mask every state is the cell's, of the word and of the state before."""
    states = call(mask=None)[0]
    state = call.state
    for t in range(call.inputs.shape[1]):
        state = call.cell(call.inputs[:, t], state)
        if not _alike(states[:, t], state):
            return (
                f"Without a mask states[:, {t}] should be cell(inputs[:, {t}], "
                f"{f'states[:, {t - 1}]' if t else 'state'}), which is "
                f"{float(state[0, 0]):.4g} at [0, 0]; there stands {float(states[0, t, 0]):.4g}."
            )
    return None


def _along_time(call: Call) -> str | None:
    """The cell is given inputs[:, t]; whoever loops over the batch gives it a whole sentence."""
    given: list[Tensor] = []

    def listening(x: Tensor, state: Tensor | None) -> Tensor:
        given.append(x)
        return call.arguments["cell"](x, state)  # type: ignore[no-any-return]

    call.error(cell=listening)  # the learner's function alone
    sentence, words = call.inputs[0], call.inputs[:, 0]
    if not given or given[0].shape != sentence.shape or not _alike(given[0], sentence):
        return None
    if sentence.shape == words.shape and _alike(sentence, words):
        return None
    return (
        f"The cell is given the {len(sentence)} words of one sentence at once. The loop runs over "
        "dimension 0, the batch: time is dimension 1, and step t reads inputs[:, t]."
    )


def _deaf_to_padding(call: Call) -> str | None:
    if call.mask is None or bool(call.mask.all()):
        return None
    other = torch.where(call.mask.unsqueeze(2), call.inputs, call.inputs + 1)
    before, after = call.result[1], call(inputs=other)[1]
    if _alike(before, after):
        return None
    moved = float((before - after).abs().max())
    return (
        f"When only padding changes, the last state changes by {moved:.2f}. Padding (mask False) "
        "must not be read: which state stays?"
    )


def _keeps(call: Call) -> str | None:
    if call.mask is None:
        return None
    states = call.result[0]
    for b, t in (~call.mask).nonzero().tolist():
        before = (
            states[b, t - 1] if t else (0 * states[b, 0] if call.state is None else call.state[b])
        )
        if not _alike(states[b, t], before):
            return (
                f"mask[{b}, {t}] is False, so the state of sentence {b} should stay what it was, "
                f"{float(before[0]):.4g} in its first number; it becomes "
                f"{float(states[b, t, 0]):.4g}."
            )
    return None


def _each_by_its_own_mask(call: Call) -> str | None:
    """A sentence is read alike, whatever the others in its batch are."""
    for b in range(len(call.inputs)):
        rows = slice(b, b + 1)
        alone = call(
            inputs=call.inputs[rows],
            state=None if call.state is None else call.state[rows],
            mask=None if call.mask is None else call.mask[rows],
        )
        if not _alike(alone[0][0], call.result[0][b]):
            return (
                f"Sentence {b} gets other states in the batch than when it is read alone: does "
                "the padding of another sentence stop it?"
            )
    return None


def _ends_with_last(call: Call) -> str | None:
    if _alike(call.result[0][:, -1], call.result[1]):
        return None
    return (
        "The last of the states and the last state differ. What goes into the list is the state "
        "after the choice at padding, and the last state is the last of the list."
    )


def _can_learn(call: Call) -> str | None:
    """The state that the cell is given at the last word still hangs on the words before it."""
    count = call.inputs.shape[1]
    if count < 3 or call.mask is not None:
        return None
    seen: list[Tensor | None] = []

    def listening(x: Tensor, state: Tensor | None) -> Tensor:
        seen.append(state)
        return call.cell(x, state)

    start = None if call.state is None else call.state[:1]
    call(cell=listening, inputs=call.inputs[:1].clone().requires_grad_(), state=start)
    mine = seen[:-count]  # the book's own function came after
    if not mine or mine[-1] is None or mine[-1].requires_grad:
        return None
    return (
        "The state that is handed on carries no gradient back to the words before it: is it "
        "detached? Nothing could be learned over more than one step."
    )


def _never_updated(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
    return torch.stack(states, dim=1), states[-1]


def _backward(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    turned = None if mask is None else mask.flip(1)
    states, last = loop(cell, inputs.flip(1), state, turned)
    return states.flip(1), last


def _for_all(cell: Any, inputs: Tensor, state: Any, mask: Any, rule: Any) -> tuple[Tensor, Tensor]:
    if mask is not None:
        mask = rule(mask, dim=0).expand_as(mask)
    return loop(cell, inputs, state, mask)


def _not_carried(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states, last = [], state
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        old = torch.zeros_like(new) if last is None else last
        last = new if mask is None else torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(last)
    return torch.stack(states, dim=1), states[-1]


def _without_last(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states, _ = loop(cell, inputs, state, mask)
    return torch.cat([states[:, :-1], states[:, -2:-1]], dim=1), states[:, -2]


def _raw_last(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states, last = loop(cell, inputs, state, mask)
    before = states[:, -2] if inputs.shape[1] > 1 else state
    return states, cell(inputs[:, -1], before)


def _first_real(mask: Tensor | None) -> Tensor | None:
    if mask is not None:
        mask = mask.clone()
        mask[:, 0] = True
    return mask


def _first_is_real(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    return loop(cell, inputs, state, _first_real(mask))


def _old_listed(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states, last = loop(cell, inputs, state, mask)
    first = torch.zeros_like(last) if state is None else state
    return torch.cat([first.unsqueeze(1), states[:, :-1]], dim=1), last


def _raw_list(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        states.append(new)
        old = torch.zeros_like(new) if state is None else state
        state = new if mask is None else torch.where(mask[:, t].unsqueeze(1), new, old)
    return torch.stack(states, dim=1), state


CHECK = Exercise(
    "unroll",
    reference=unroll,
    inputs=_sentences,
    rules={
        "each step reads one word of every sentence": _along_time,
        "what stands at padding changes nothing": _deaf_to_padding,
        "the last state is the last of all states": _ends_with_last,
        "without a mask each state is made of the one before": _starts_with_the_cell,
        "every sentence of a batch is read as if it were alone": _each_by_its_own_mask,
        "where the mask is False the state stays": _keeps,
        "the gradient goes back from state to state": _can_learn,
    },
    mistakes=[
        (
            "The mask is not used: the network reads on through the padding.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, padded="read"),
        ),
        (
            "The mask is the wrong way round: True marks a real token, and there the new state "
            "counts.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, padded="swapped"),
        ),
        (
            "At padding the state becomes zero: everything read is lost. It should stay what it "
            "was.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, padded="zero"),
        ),
        (
            "The state is not handed on: every word starts from the state at the beginning.",
            _never_updated,
        ),
        (
            "The state is not handed on: every word starts from nothing.",
            lambda cell, inputs, state, mask: loop(cell, inputs, state, mask, hand_on=False),
        ),
        (
            "The state that was given is not used: reading begins from zeros.",
            lambda cell, inputs, state, mask: loop(cell, inputs, None, mask),
        ),
        (
            "This reads from the last word to the first.",
            _backward,
        ),
        (
            "The state is not handed on: every word starts from the state at the beginning.",
            _not_carried,
        ),
        (
            "As soon as one sentence has ended nothing more is read of any: the mask chooses "
            "sentence by sentence (torch.where).",
            lambda cell, inputs, state, mask: _for_all(cell, inputs, state, mask, torch.all),
        ),
        (
            "As long as one sentence goes on all are read on, their padding too: the mask chooses "
            "sentence by sentence (torch.where).",
            lambda cell, inputs, state, mask: _for_all(cell, inputs, state, mask, torch.any),
        ),
        ("The last word is not read.", _without_last),
        (
            "The last state is the cell's, from before the choice: where the last word is padding "
            "it is the one that was kept.",
            _raw_last,
        ),
        (
            "The first word is read even where the mask says that it is padding: then the state "
            "stays zero, or what was given.",
            _first_is_real,
        ),
        (
            "The state that was given is not used: reading begins from zeros.",
            lambda cell, inputs, state, mask: _first_is_real(cell, inputs, None, mask),
        ),
        (
            "The list holds the states *before* each word, one step too early.",
            _old_listed,
        ),
        (
            "The states come with time first, (T, B, H). Batch first: stack them along dim=1.",
            lambda cell, inputs, state, mask: (
                lambda two: (two[0].transpose(0, 1).contiguous(), two[1])
            )(loop(cell, inputs, state, mask)),
        ),
        (
            "The list holds the states from before the choice: at padding too the state that was "
            "kept belongs into it.",
            _raw_list,
        ),
        (
            "The list holds the states from before the choice: at padding too the state that was "
            "kept belongs into it.",
            lambda cell, inputs, state, mask: _raw_list(
                cell, inputs, state, _first_real(mask) if state is None else mask
            ),
        ),
    ],
)
