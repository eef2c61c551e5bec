"""Checks of chapter 3: padded batches, an encoder, a decoder, and the loop that translates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from .. import batches, masking, recurrent
from ..vocabulary import BOS, EOS, PAD
from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]
Layer = Callable[[Tensor], tuple[Tensor, Tensor]]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def _list(x: Tensor) -> list[Any]:
    return [round(number, 2) for number in x.tolist()]


# 3.1 ---------------------------------------------------------------------------------------------


def _lengths() -> Inputs:
    yield {"lengths": torch.tensor([1, 2]), "size": None}
    yield {"lengths": torch.tensor([2, 3]), "size": 3}
    yield {"lengths": torch.tensor([1, 4, 2]), "size": 6}
    yield {"lengths": torch.tensor([5]), "size": None}


def _positions(lengths: Tensor, size: int | None) -> Tensor:
    return torch.arange(int(lengths.max()) if size is None else size)


def _as_many_as_lengths(call: Call) -> str | None:
    for length, row in zip(call.lengths.tolist(), call.result):
        if int(row.sum()) != length:
            return (
                f"A row of length {length} has {int(row.sum())} real positions in the mask. "
                "Count from 0: which is the last real position?"
            )
    return None


LENGTHS_TO_MASK = Exercise(
    "lengths_to_mask",
    reference=masking.lengths_to_mask,
    inputs=_lengths,
    rules={"every row has as many True as its length": _as_many_as_lengths},
    mistakes=[
        Mistake(
            "The mask is the wrong way round: in this book True marks a real token, not padding.",
            lambda lengths, size: _positions(lengths, size) >= lengths.unsqueeze(1),
        ),
        Mistake(
            "One position too many is real. Positions count from 0, so the last one of a row of "
            "length n is n − 1.",
            lambda lengths, size: _positions(lengths, size) <= lengths.unsqueeze(1),
        ),
        Mistake(
            "Only the last real token is marked. All positions before it are real as well.",
            lambda lengths, size: _positions(lengths, size) == lengths.unsqueeze(1) - 1,
        ),
        Mistake(
            "The padding stands in front here. In this book it comes last.",
            lambda lengths, size: (_positions(lengths, size) < lengths.unsqueeze(1)).flip(1),
        ),
        Mistake(
            "size is not used: a batch may be padded further than its longest row.",
            lambda lengths, size: _positions(lengths, None) < lengths.unsqueeze(1),
        ),
        Mistake(
            "Rows and columns are swapped: a row for each sentence, a column for each position.",
            lambda lengths, size: (_positions(lengths, size) < lengths.unsqueeze(1)).T,
        ),
    ],
)


# 3.2 ---------------------------------------------------------------------------------------------


def _sentences() -> Inputs:
    yield {"sentences": [[5, 6], [7]]}
    yield {"sentences": [[8, 9, 10], [4], [6, 5]]}
    yield {"sentences": [[4, 5], [6, 7]]}
    yield {"sentences": [[1, 12, 7, 9, 4, 11]]}


def _padded(sentences: list[list[int]], filler: int = PAD, left: bool = False) -> Tensor:
    size = max(map(len, sentences))
    fill = [[filler] * (size - len(sentence)) for sentence in sentences]
    return torch.tensor([f + s if left else s + f for s, f in zip(sentences, fill)])


def _mask(sentences: list[list[int]]) -> Tensor:
    return masking.lengths_to_mask(torch.tensor([len(sentence) for sentence in sentences]))


def _sentences_are_there(call: Call) -> str | None:
    table, mask = call.result
    if mask.dtype != torch.bool or table.shape != mask.shape:
        return None  # the comparison with the reference has the sentence for that
    for number, (sentence, row, real) in enumerate(zip(call.sentences, table, mask)):
        if row[real].tolist() != sentence:
            return (
                f"Where the mask of row {number} is True the table has {row[real].tolist()}; the "
                f"sentence is {sentence}."
            )
    return None


PAD_SENTENCES = Exercise(
    "pad",
    reference=batches.pad,
    inputs=_sentences,
    rules={"the mask picks the sentence out of its row": _sentences_are_there},
    mistakes=[
        Mistake(
            "The mask is the wrong way round: True marks a real token.",
            lambda sentences: (_padded(sentences), ~_mask(sentences)),
        ),
        Mistake(
            "The padding stands in front of the sentences. In this book it comes last, so that a "
            "network that reads from the left meets the words first.",
            lambda sentences: (_padded(sentences, left=True), _mask(sentences).flip(1)),
        ),
        Mistake(
            "The short rows are filled with EOS. Padding has a number of its own, PAD.",
            lambda sentences: (_padded(sentences, filler=EOS), _mask(sentences)),
        ),
        Mistake(
            "Long sentences have been cut to the shortest one. Short ones are filled up instead.",
            lambda sentences: (
                torch.tensor([s[: min(map(len, sentences))] for s in sentences]),
                torch.ones(len(sentences), min(map(len, sentences))).bool(),
            ),
        ),
        Mistake(
            "Everything is marked as real, the padding too.",
            lambda sentences: (
                _padded(sentences),
                torch.ones_like(_padded(sentences), dtype=torch.bool),
            ),
        ),
    ],
)


# 3.3 ---------------------------------------------------------------------------------------------


def _pairs() -> Inputs:
    yield {"src": [[10, 11]], "tgt": [[20]]}
    yield {"src": [[10, 11], [12]], "tgt": [[20], [21, 22, 23]]}
    yield {"src": [[9, 8, 7], [6, 5], [4]], "tgt": [[14, 15], [16, 17], [18]]}


Pairs = list[list[int]]


def _batch(
    src: Pairs, goes_in: Callable[[list[int]], list[int]], out: Callable[[list[int]], list[int]],
    tgt: Pairs, ends: bool = True,
) -> tuple[Tensor, ...]:  # fmt: skip
    source, source_mask = batches.pad([[*s, EOS] if ends else s for s in src])
    tgt_in, tgt_mask = batches.pad([goes_in(t) for t in tgt])
    tgt_out, _ = batches.pad([out(t) for t in tgt])
    return source, source_mask, tgt_in, tgt_out, tgt_mask


def _cut_after_padding(src: Pairs, tgt: Pairs) -> tuple[Tensor, ...]:
    source, source_mask = batches.pad([[*s, EOS] for s in src])
    table, mask = batches.pad([[BOS, *t, EOS] for t in tgt])
    return source, source_mask, table[:, :-1], table[:, 1:], mask[:, :-1]


def _no_end_is_read(call: Call) -> str | None:
    for row in call.result[2].tolist():
        if EOS in row:
            return (
                f"The decoder is fed {row}: EOS ({EOS}) is among its inputs. After the end there "
                "is nothing to predict. Was the last column cut off after the padding?"
            )
    return None


def _shifted_by_one(call: Call) -> str | None:
    for given, wanted, real in zip(*call.result[2:]):
        before, after = given[real].tolist(), wanted[real].tolist()
        if before[1:] != after[:-1]:
            return (
                f"Fed {before}, to be predicted {after}: what is predicted at one step should be "
                "what is fed at the next."
            )
    return None


MAKE_BATCH = Exercise(
    "make_batch",
    reference=lambda src, tgt: tuple(batches.make_batch(src, tgt)),
    inputs=_pairs,
    rules={
        "the decoder is never fed the end": _no_end_is_read,
        "what is predicted at a step is fed at the next": _shifted_by_one,
    },
    mistakes=[
        Mistake(
            "Short rows feed EOS to the decoder: the last column was cut off after the padding, "
            "and only the longest sentence has its EOS there. Shift each sentence before you pad.",
            _cut_after_padding,
        ),
        Mistake(
            "tgt_in and tgt_out are exchanged: BOS is fed, EOS is predicted.",
            lambda src, tgt: _batch(src, lambda t: [*t, EOS], lambda t: [BOS, *t], tgt),
        ),
        Mistake(
            "Input and goal are the same row: the decoder would learn to copy the word it has just "
            "been given. The goal is shifted by one.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t], lambda t: [BOS, *t], tgt),
        ),
        Mistake(
            "The source has no EOS. The encoder should see where the sentence stops.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t], lambda t: [*t, EOS], tgt, ends=False),
        ),
        Mistake(
            "Both target rows hold BOS and EOS: each has one of the two, which makes them equally "
            "long and shifted by one.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t, EOS], lambda t: [BOS, *t, EOS], tgt),
        ),
        Mistake(
            "The goal has no EOS: nobody tells this model to stop.",
            lambda src, tgt: _batch(src, lambda t: [BOS, *t[:-1]], lambda t: t, tgt),
        ),
    ],
)


# 3.4 ---------------------------------------------------------------------------------------------


def _states() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [9.0]], [[3.0], [4.0], [5.0]]]),
        "mask": torch.tensor([[True, True, False], [True, True, True]]),
    }
    make = _random(3)
    yield {"x": make(3, 5, 4), "mask": masking.lengths_to_mask(torch.tensor([3, 4, 1]), 5)}
    yield {"x": make(2, 4, 4), "mask": masking.lengths_to_mask(torch.tensor([4, 2]))}


def _at(shift: int) -> Callable[[Tensor, Tensor], Tensor]:
    def pick(x: Tensor, mask: Tensor) -> Tensor:
        where = (mask.sum(1) - 1 + shift).clamp(0, x.shape[1] - 1)
        return x[torch.arange(len(x)), where]

    return pick


def _padding_is_not_read(call: Call) -> str | None:
    touched = call.x.masked_fill(~call.mask.unsqueeze(-1), 7.0)
    if torch.allclose(call(x=touched), call.result):
        return None
    return "When only the numbers at padding change, the result changes: padding has been read."


LAST_REAL = Exercise(
    "last_real",
    reference=recurrent.last_real,
    inputs=_states,
    rules={"what stands at padding does not matter": _padding_is_not_read},
    mistakes=[
        Mistake(
            "This is x[:, −1], the last column of the table. For every row but the longest that is "
            "padding.",
            lambda x, mask: x[:, -1],
        ),
        Mistake(
            "One position too far: a row of length n ends at position n − 1.",
            _at(1),
        ),
        Mistake("One position too early: this is the last real state but one.", _at(-1)),
        Mistake("This is the first position, not the last.", lambda x, mask: x[:, 0]),
        Mistake(
            "This is the mean of the real states. Asked for is one of them.",
            lambda x, mask: (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True),
        ),
        Mistake(
            "All rows are read where the longest one ends. Each has a last position of its own.",
            lambda x, mask: x[:, int(mask.sum(1).max()) - 1],
        ),
        Mistake(
            "This is the largest number of each feature, not the last.",
            lambda x, mask: x.masked_fill(~mask.unsqueeze(-1), -torch.inf).amax(1),
        ),
    ],
)


# 3.5 ---------------------------------------------------------------------------------------------


def _rows() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [3.0], [0.0]]]),
        "mask": torch.tensor([[True, True, True, False]]),
    }
    make = _random(4)
    yield {"x": make(2, 4, 2), "mask": masking.lengths_to_mask(torch.tensor([4, 2]))}
    yield {"x": make(3, 6, 3), "mask": masking.lengths_to_mask(torch.tensor([1, 5, 3]), 6)}


def _undoes_itself(call: Call) -> str | None:
    again = call(x=call.result)
    if torch.allclose(again, call.x):
        return None
    return "Reversed twice it is not what it was before. Has something been lost or moved?"


REVERSE_REAL = Exercise(
    "reverse_real",
    reference=recurrent.reverse_real,
    inputs=_rows,
    rules={"reversed twice it is as before": _undoes_itself},
    mistakes=[
        Mistake(
            "The whole row is reversed, so that padding comes first. Only the real tokens change "
            "places.",
            lambda x, mask: x.flip(1),
        ),
        Mistake(
            "The whole row is reversed and then the padding's places are blanked: some real tokens "
            "are gone.",
            lambda x, mask: x.flip(1) * mask.unsqueeze(-1),
        ),
        Mistake(
            "The features of each token are reversed, not the order of the tokens.",
            lambda x, mask: x.flip(-1),
        ),
        Mistake(
            "One position too far: position 0 takes its token from position n − 1.",
            lambda x, mask: x.gather(
                1,
                torch.where(
                    mask,
                    (mask.sum(1, keepdim=True) - torch.arange(x.shape[1])).clamp(0, x.shape[1] - 1),
                    torch.arange(x.shape[1]),
                )
                .unsqueeze(-1)
                .expand_as(x),
            ),
        ),
        Mistake(
            "The real tokens are right; the padding is not as it was. It stays where it stands.",
            lambda x, mask: recurrent.reverse_real(x, mask).masked_fill(~mask.unsqueeze(-1), 0.0),
        ),
        Mistake("Nothing has been reversed.", lambda x, mask: x),
    ],
)


# 3.6 ---------------------------------------------------------------------------------------------


def _reader(seed: int, features: int, width: int) -> Layer:
    """A small recurrent layer, as torch's: states (B, S, H) and the state after the last step."""
    make = _random(seed)
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
            "inputs": _random(30 + seed)(len(lengths), max(lengths) + 1, size),
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
        return x.flip(1) if flip else recurrent.reverse_real(x, mask)

    ahead, back = forward_layer(inputs)[0], backward_layer(reverse(inputs))[0]
    ends = back[:, -1] if flip or last else recurrent.last_real(back, mask)
    back = reverse(back) if turn else back
    if not first:
        ends = recurrent.last_real(back, mask)
    parts = [ahead, back], [ahead[:, -1] if last else recurrent.last_real(ahead, mask), ends]
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


READ_BOTH_WAYS = Exercise(
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
                        recurrent.last_real(layer(inputs)[0], mask)
                        for layer in (forward_layer, backward_layer)
                    ],
                    -1,
                ),
            ),
        ),
    ],
)


# 3.7 ---------------------------------------------------------------------------------------------


def _final_and_weight() -> Inputs:
    yield {
        "final": torch.tensor([[1.0]]),
        "weight": torch.tensor([[0.5], [-2.0]]),
        "bias": torch.tensor([0.0, 1.0]),
    }
    make = _random(5)
    yield {"final": make(2, 4), "weight": make(8, 4), "bias": make(8)}
    yield {"final": make(3, 6), "weight": make(4, 6), "bias": make(4)}


def _start(final: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    return torch.tanh(final @ weight.T + bias).chunk(2, dim=-1)


BRIDGE = Exercise(
    "bridge",
    reference=_start,
    inputs=_final_and_weight,
    rules={
        "every number lies between −1 and 1": lambda call: (
            None
            if max(float(part.abs().max()) for part in call(final=9 * call.final)) <= 1
            else "Some number is larger than 1. What keeps the first state between −1 and 1?"
        )
    },
    mistakes=[
        Mistake(
            "Hidden and cell state are exchanged: the upper rows of the weight make the hidden "
            "state.",
            lambda final, weight, bias: _start(final, weight, bias)[::-1],
        ),
        Mistake(
            "Where is the bias?",
            lambda final, weight, bias: _start(final, weight, 0 * bias),
        ),
        Mistake(
            "Where is the tanh?",
            lambda final, weight, bias: (final @ weight.T + bias).chunk(2, dim=-1),
        ),
        Mistake(
            "Every second number goes to the cell state here. The first half of the numbers is the "
            "hidden state, the second half the cell state.",
            lambda final, weight, bias: (
                torch.tanh(final @ weight.T + bias)[:, ::2],
                torch.tanh(final @ weight.T + bias)[:, 1::2],
            ),
        ),
        Mistake(
            "The cell state is a copy of the hidden state; it has rows of its own in the weight.",
            lambda final, weight, bias: (_start(final, weight, bias)[0],) * 2,
        ),
        Mistake(
            "The bias is added after the tanh.",
            lambda final, weight, bias: (torch.tanh(final @ weight.T) + bias).chunk(2, dim=-1),
        ),
    ],
)


# 3.8 ---------------------------------------------------------------------------------------------


def _embedded_and_final() -> Inputs:
    yield {
        "embedded": torch.tensor([[[1.0], [2.0]], [[3.0], [4.0]]]),
        "final": torch.tensor([[7.0], [8.0]]),
    }
    make = _random(6)
    yield {"embedded": make(2, 3, 4), "final": make(2, 4)}
    yield {"embedded": make(3, 2, 5), "final": make(3, 2)}


def _same_at_every_step(call: Call) -> str | None:
    context = call.result[..., call.embedded.shape[-1] :]
    for row, final in zip(context, call.final):
        for t, given in enumerate(row):
            if not torch.allclose(given, final):
                return (
                    f"At step {t} stands {_list(given)} beside the word; this sentence's final "
                    f"state is {_list(final)}."
                )
    return None


def _beside(embedded: Tensor, final: Tensor) -> Tensor:
    return torch.cat([embedded, final.unsqueeze(1).expand(-1, embedded.shape[1], -1)], dim=-1)


def _first_step_only(embedded: Tensor, final: Tensor) -> Tensor:
    result = _beside(embedded, final)
    result[:, 1:, embedded.shape[-1] :] = 0.0
    return result


EVERY_STEP_INPUTS = Exercise(
    "every_step_inputs",
    reference=_beside,
    inputs=_embedded_and_final,
    rules={"beside every word stands its own sentence's final state": _same_at_every_step},
    mistakes=[
        Mistake(
            "The context comes first here. The word comes first, then the context.",
            lambda embedded, final: torch.cat(
                [final.unsqueeze(1).expand(-1, embedded.shape[1], -1), embedded], dim=-1
            ),
        ),
        Mistake(
            "Only the first step is given the context: later steps get zeros. Every step needs it.",
            _first_step_only,
        ),
        Mistake(
            "The rows are mixed up: some steps get the final state of another sentence of the "
            "batch. repeat() copies the whole table, row after row; unsqueeze and expand keep each "
            "row with its sentence.",
            lambda embedded, final: torch.cat(
                [embedded, final.repeat(embedded.shape[1], 1).view(*embedded.shape[:2], -1)], -1
            ),
        ),
        Mistake(
            "All sentences are given the first one's final state.",
            lambda embedded, final: _beside(embedded, final[:1].expand(len(final), -1)),
        ),
        Mistake(
            "All sentences are given the mean of the batch: a sentence must not feel its "
            "neighbours.",
            lambda embedded, final: _beside(
                embedded, final.mean(0, keepdim=True).expand(len(final), -1)
            ),
        ),
        Mistake(
            "The context is added to the word. It stands beside it: the last dimension grows.",
            lambda embedded, final: embedded + final.unsqueeze(1),
        ),
        Mistake(
            "The context is stacked behind the words as one more step. It belongs beside each "
            "word: the last dimension grows, not the second.",
            lambda embedded, final: torch.cat(
                [
                    embedded,
                    torch.nn.functional.pad(
                        final, (0, embedded.shape[-1] - final.shape[-1])
                    ).unsqueeze(1),
                ],
                dim=1,
            ),
        ),
    ],
)


# 3.9 ---------------------------------------------------------------------------------------------

Stepper = Callable[[int, int], tuple[Tensor, int]]


def _writer(answer: list[int], size: int) -> Stepper:
    """A decoder that writes the answer: it must be fed its own last token and its own state."""

    def step(token: int, state: int) -> tuple[Tensor, int]:
        logits = torch.zeros(size)
        before = BOS if state == 0 else answer[(state - 1) % len(answer)]
        if int(token) == before:
            logits[answer[state % len(answer)]] = 2.0
        else:  # it was fed something else than what it wrote
            logits[4 + (int(token) + state) % (size - 4)] = 1.0
        logits[PAD] = -5.0
        return logits, state + 1

    step.__name__ = f"a decoder that writes {answer}"
    return step


def _decoders() -> Inputs:
    for answer, longest in (([5, EOS], 4), ([6, 4, 7, EOS], 9), ([5, 5, 6, 8], 6), ([EOS], 3)):
        yield {"step": _writer(answer, 9), "state": 0, "bos": BOS, "eos": EOS,
               "max_length": longest}  # fmt: skip


def _greedy(
    step: Stepper, state: int, bos: int, eos: int, max_length: int,
    *, keep_state: bool = True, feed: bool = True, stop: bool = True, worst: bool = False,
    extra: int = 0,
) -> list[int]:  # fmt: skip
    tokens: list[int] = []
    token, now = bos, state
    for _ in range(max_length + extra):
        logits, new = step(token, now)
        now = new if keep_state else state
        best = int(logits.argmin() if worst else logits.argmax())
        if best == eos and stop:
            break
        tokens.append(best)
        token = best if feed else bos
    return tokens


def _no_end_in_it(call: Call) -> str | None:
    if call.eos in call.result:
        return (
            f"{call.result} holds the end, {call.eos}. It says that the sentence is over; it is no "
            "word of it. What should happen when it comes?"
        )
    return None


def _calls_no_more(call: Call) -> str | None:
    seen = [0]

    def counted(token: int, state: int) -> tuple[Tensor, int]:
        seen.append(state + 1)  # the state of these decoders counts their steps
        return call.step(token, state)  # type: ignore[no-any-return]

    call(step=counted)
    if max(seen) <= min(len(call.expected) + 1, call.max_length):
        return None
    return f"It takes {max(seen)} steps for {len(call.expected)} tokens. Does it stop at the end?"


GREEDY_DECODE = Exercise(
    "greedy_decode",
    reference=lambda step, state, bos, eos, max_length: _greedy(step, state, bos, eos, max_length),
    inputs=_decoders,
    rules={
        "the end is not part of the sentence": _no_end_in_it,
        "no step is taken after the end": _calls_no_more,
    },
    mistakes=[
        Mistake(
            "EOS is part of the result. It says that the sentence is over; it is no word of it.",
            lambda step, state, bos, eos, max_length: (
                (found := _greedy(step, state, bos, eos, max_length))
                + [eos] * (len(found) < max_length)
            ),
        ),
        Mistake(
            "It never stops at EOS: only max_length ends the sentence.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, stop=False
            ),
        ),
        Mistake(
            "Every step starts from the first state. A step gives back a new state, which the next "
            "one needs.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, keep_state=False
            ),
        ),
        Mistake(
            "Every step is fed the start token. After the first, the decoder reads what it has "
            "just written.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, feed=False
            ),
        ),
        Mistake(
            "BOS is part of the result. It is only there to start the decoder.",
            lambda step, state, bos, eos, max_length: [
                bos, *_greedy(step, state, bos, eos, max_length)
            ],
        ),
        Mistake(
            "The least probable token is taken. Greedy takes the most probable one.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, worst=True
            ),
        ),
        Mistake(
            "A sentence that does not end has one token more than max_length.",
            lambda step, state, bos, eos, max_length: _greedy(
                step, state, bos, eos, max_length, extra=1
            ),
        ),
    ],
)  # fmt: skip
