"""Exercise 1.2: ``unroll``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.shared import cell
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
    end = torch.tensor([[True, True, False]])
    yield {"cell": cell(3, 1, 1), "inputs": make(1, 2, 1), "state": None, "mask": None}
    yield {"cell": cell(3, 1, 1), "inputs": make(1, 3, 1), "state": None, "mask": end}
    real = torch.arange(5) < torch.tensor([[5], [2], [3]])
    for state in (None, make(3, 4).tanh()):
        yield {"cell": cell(4, 2, 4), "inputs": make(3, 5, 2), "state": state, "mask": real}
    yield {"cell": cell(5, 3, 2), "inputs": make(2, 4, 3), "state": make(2, 2), "mask": None}
    real = torch.arange(6) < torch.tensor([[6], [0], [4]])  # a row of padding keeps its zeros
    yield {"cell": cell(6, 3, 2), "inputs": make(3, 6, 3), "state": None, "mask": real}


Both = tuple[Tensor, Tensor]


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
        start = 0 * states[b, 0] if call.state is None else call.state[b]
        before = states[b, t - 1] if t else start
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


def _loop(given: str = "last", kept: str = "last", listed: str = "kept") -> Callable[..., Both]:
    """The loop, with another state that the cell is given, that padding keeps, or in the list."""

    def unrolled(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
        known, states = {"first": state, "last": state, "nothing": None}, []
        for t in range(inputs.shape[1]):
            new = cell(inputs[:, t], known[given])
            old = torch.zeros_like(new) if known[kept] is None else known[kept]
            known["last"] = new if mask is None else torch.where(mask[:, t, None], new, old)
            states.append(known["last"] if listed == "kept" else new)
        return torch.stack(states, dim=1), known["last"]

    return unrolled


def _masked(change: Callable[[Tensor], Tensor]) -> Callable[..., Both]:
    """The right loop, with another mask where there is one."""
    return lambda cell, inputs, state, mask: unroll(
        cell, inputs, state, None if mask is None else change(mask)
    )


def _first_real(mask: Tensor) -> Tensor:
    return torch.cat([torch.ones_like(mask[:, :1]), mask[:, 1:]], dim=1)


def _backward(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
    states, last = _masked(lambda mask: mask.flip(1))(cell, inputs.flip(1), state, mask)
    return states.flip(1), last


def _without_last(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
    states, _ = unroll(cell, inputs, state, mask)
    return torch.cat([states[:, :-1], states[:, -2:-1]], dim=1), states[:, -2]


def _raw_last(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
    states, _ = unroll(cell, inputs, state, mask)
    return states, cell(inputs[:, -1], states[:, -2])


def _old_listed(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
    states, last = unroll(cell, inputs, state, mask)
    first = torch.zeros_like(last) if state is None else state
    return torch.cat([first[:, None], states[:, :-1]], dim=1), last


def _time_first(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
    states, last = unroll(cell, inputs, state, mask)
    return states.transpose(0, 1), last


def _raw_list(cell: Any, inputs: Tensor, state: Any, mask: Any) -> Both:
    """As if the first word were always real: a state is kept only where there is one."""
    real = mask if mask is None or state is not None else _first_real(mask)
    return _loop(listed="new")(cell, inputs, state, real)


_FROM_FIRST = "The state is not handed on: every word starts from the state at the beginning."
_UNUSED = "The state that was given is not used: reading begins from zeros."
_RAW = (
    "The list holds the states from before the choice: at padding too the state that was kept "
    "belongs into it."
)

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
            lambda cell, inputs, state, mask: unroll(cell, inputs, state),
        ),
        (
            "The mask is the wrong way round: True marks a real token, and there the new state "
            "counts.",
            _masked(torch.logical_not),
        ),
        (
            "At padding the state becomes zero: everything read is lost. It should stay what it "
            "was.",
            _loop(kept="nothing"),
        ),
        (_FROM_FIRST, _loop(given="first", kept="first")),
        (_FROM_FIRST, _loop(given="first")),
        ("The state is not handed on: every word starts from nothing.", _loop(given="nothing")),
        (_UNUSED, lambda cell, inputs, state, mask: unroll(cell, inputs, None, mask)),
        (_UNUSED, lambda cell, inputs, state, mask: _masked(_first_real)(cell, inputs, None, mask)),
        ("This reads from the last word to the first.", _backward),
        (
            "As soon as one sentence has ended nothing more is read of any: the mask chooses "
            "sentence by sentence (torch.where).",
            _masked(lambda mask: mask.all(0).expand_as(mask)),
        ),
        (
            "As long as one sentence goes on all are read on, their padding too: the mask chooses "
            "sentence by sentence (torch.where).",
            _masked(lambda mask: mask.any(0).expand_as(mask)),
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
            _masked(_first_real),
        ),
        ("The list holds the states *before* each word, one step too early.", _old_listed),
        (
            "The states come with time first, (T, B, H). Batch first: stack them along dim=1.",
            _time_first,
        ),
        (_RAW, _loop(listed="new")),
        (_RAW, _raw_list),
    ],
)
