"""Exercise 3.7: ``every_step_inputs``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def every_step_inputs(embedded: Tensor, final: Tensor) -> Tensor:
    """Decoder inputs [E y ; c] (B, T, E + M) of embedded (B, T, E) and final (B, M)."""
    context = final.unsqueeze(1).expand(-1, embedded.shape[1], -1)
    return torch.cat([embedded, context], dim=-1)


def _list(x: Tensor) -> list[Any]:
    return [round(number, 2) for number in x.tolist()]


def _embedded_and_final() -> Inputs:
    yield {
        "embedded": torch.tensor([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]),
        "final": torch.tensor([[7.0, 7.5], [8.0, 8.5]]),
    }
    make = normal(6)
    yield {"embedded": make(1, 1, 2), "final": make(1, 3)}
    yield {"embedded": make(3, 2, 1), "final": make(3, 1)}
    yield {"embedded": make(2, 5, 4), "final": make(2, 3).requires_grad_()}
    yield {"embedded": make(3, 4, 2).requires_grad_(), "final": make(3, 5)}


def _the_word_first(call: Call) -> str | None:
    size = call.embedded.shape[-1]
    for b, (row, right) in enumerate(zip(call.result[..., :size], call.embedded)):
        for t, (given, word) in enumerate(zip(row, right)):
            if not torch.allclose(given, word, atol=1e-5):
                return (
                    f"At step {t} of sentence {b} the first {size} numbers are {_list(given)}, and "
                    f"the word is {_list(word)}."
                )
    return None


def _same_at_every_step(call: Call) -> str | None:
    context = call.result[..., call.embedded.shape[-1] :]
    for b, (row, final) in enumerate(zip(context, call.final)):
        for t, given in enumerate(row):
            if torch.allclose(given, final, atol=1e-5):
                continue
            others = [o for o, f in enumerate(call.final) if torch.allclose(given, f, atol=1e-5)]
            whose = f", the final state of sentence {others[0]}" if others else ""
            return (
                f"At step {t} of sentence {b} stands {_list(given)} beside the word{whose}; this "
                f"sentence's final state is {_list(final)}."
            )
    return None


def _beside(context: Any) -> Any:
    """Beside every word stands something else than the final state, made of it."""
    return lambda embedded, final: every_step_inputs(embedded, context(final))


def _in_line(order: Any) -> Any:
    """Words (B, T, E) and final states (B, 1, M) in line, in an order."""
    return lambda embedded, final: torch.cat(order(embedded, final.unsqueeze(1)), dim=1)


def _first_step_only(embedded: Any, final: Any) -> Any:
    context = torch.zeros(*embedded.shape[:2], final.shape[1])
    context[:, 0] = final
    return torch.cat([embedded, context], dim=-1)


def _cropped_sum(embedded: Any, final: Any) -> Any:
    size = min(embedded.shape[-1], final.shape[-1])
    return embedded[..., :size] + final[:, :size].unsqueeze(1)


FINAL: dict[str, Any] = {
    "All sentences are given the first one's final state.": lambda final: final[:1].expand_as(
        final
    ),
    "All sentences are given the last one's final state.": lambda final: final[-1:].expand_as(
        final
    ),
    "The sentences' final states are exchanged: each row keeps its own.": lambda final: final.flip(
        0
    ),
    "All sentences are given the mean of the batch: a sentence must not feel its neighbours.": (
        lambda final: final.mean(0).expand_as(final)
    ),
    "All sentences are given the sum of the batch: a sentence must not feel its neighbours.": (
        lambda final: final.sum(0).expand_as(final)
    ),
    "The final state goes through a tanh here. It stands beside the word as it is.": torch.tanh,
    "The final state goes through a sigmoid here. It stands beside the word as it is.": (
        torch.sigmoid
    ),
    "The final state goes through a softmax here. It stands beside the word as it is.": (
        lambda final: final.softmax(-1)
    ),
    "Beside the word stands nothing but zeros: the final state is not used.": torch.zeros_like,
}
WORDS_AND_FINAL: dict[str, Any] = {
    "The context comes first here. The word comes first, then the context.": (
        lambda embedded, final: every_step_inputs(embedded, final).roll(final.shape[1], -1)
    ),
    "Only the first step is given the context: later steps get zeros. Every step needs the "
    "context.": _first_step_only,
    "Only the last step is given the context: the others get zeros. Every step needs the "
    "context.": lambda embedded, final: _first_step_only(embedded.flip(1), final).flip(1),
    "The context is given step by step, divided by their number. Every step needs the context, "
    "whole.": lambda embedded, final: every_step_inputs(embedded, final / embedded.shape[1]),
    "The rows are mixed up: some steps get the final state of another sentence of the batch. "
    "repeat() copies the whole table, row after row; unsqueeze and expand keep each row with its "
    "sentence.": lambda embedded, final: torch.cat(
        [embedded, final.repeat(embedded.shape[1], 1).view(*embedded.shape[:2], -1)], -1
    ),
    "Word and final state go through a tanh here. They stand as they are.": (
        lambda embedded, final: every_step_inputs(embedded, final).tanh()
    ),
    "final.unsqueeze(0) is (1, B, M): step t would get the final state of sentence t. "
    "final.unsqueeze(1) is (B, 1, M).": lambda embedded, final: torch.cat(
        [embedded, final.unsqueeze(0).expand(len(embedded), -1, -1)], -1
    ),
    "final is (B, M), the words are (B, T, E): cat needs as many dimensions of both. "
    "final.unsqueeze(1) has the missing one.": (
        lambda embedded, final: torch.cat([embedded, final], dim=-1)
    ),
    "final.unsqueeze(1) is (B, 1, M): one step. cat does not repeat it by itself; .expand(-1, T, "
    "-1) does.": lambda embedded, final: torch.cat([embedded, final.unsqueeze(1)], dim=-1),
    "Only the first word is kept. Every step has its word, and the context beside it.": (
        lambda embedded, final: torch.cat([embedded[:, 0], final], dim=-1)
    ),
    "Only the last word is kept. Every step has its word, and the context beside it.": (
        lambda embedded, final: torch.cat([embedded[:, -1], final], dim=-1)
    ),
    "The words of a sentence are averaged. Every step has its word, and the context beside it.": (
        lambda embedded, final: torch.cat([embedded.mean(1), final], dim=-1)
    ),
    "The steps come first, (T, B, E + M). The batch does: stack the steps along dimension 1.": (
        lambda embedded, final: every_step_inputs(embedded, final).transpose(0, 1)
    ),
    "The words are not there: this is the final state alone, at every step.": (
        lambda embedded, final: final.unsqueeze(1).expand(-1, embedded.shape[1], -1)
    ),
    "The context stands beside the word twice.": (
        lambda embedded, final: every_step_inputs(every_step_inputs(embedded, final), final)
    ),
}
ADDED = "The context is added to the word. It stands beside it: the last dimension grows."
STEP = (
    "The context is put in line with the words as one more step. It belongs beside each word: the "
    "last dimension grows, not the second."
)

CHECK = Exercise(
    "every_step_inputs",
    reference=every_step_inputs,
    inputs=_embedded_and_final,
    rules={
        "first comes the word": _the_word_first,
        "beside every word stands its own sentence's final state": _same_at_every_step,
    },
    mistakes=[
        *WORDS_AND_FINAL.items(),
        *((told, _beside(context)) for told, context in FINAL.items()),
        (ADDED, lambda embedded, final: embedded + final.unsqueeze(1)),
        (ADDED, _cropped_sum),
        (STEP, _in_line(lambda words, final: [final, words])),
        (STEP, _in_line(lambda words, final: [words, final])),
        (STEP, _in_line(lambda words, final: [final[..., : words.shape[-1]], words])),
        (STEP, _in_line(lambda words, final: [words, final[..., : words.shape[-1]]])),
        (
            STEP,
            _in_line(
                lambda words, final: [words, F.pad(final, (0, words.shape[-1] - final.shape[-1]))]
            ),
        ),
    ],
)
