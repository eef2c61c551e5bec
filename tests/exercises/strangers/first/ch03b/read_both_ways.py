"""Answers to exercise ``read_both_ways``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F

import attnlib


@wrong("the whole table is turned: the backward reader meets the padding first")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(inputs.flip(1))
    back = back.flip(1)
    final = torch.cat([attnlib.model.last_real(there, mask), back[:, 0]], dim=-1)
    return torch.cat([there, back], dim=-1), final


@wrong("the backward states are not turned round again")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    last = attnlib.model.last_real
    return torch.cat([there, back], -1), torch.cat([last(there, mask), last(back, mask)], -1)


@wrong("the last backward state after turning: it has read one word")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    states = torch.cat([there, attnlib.model.reverse_real(back, mask)], dim=-1)
    return states, attnlib.model.last_real(states, mask)


@wrong("the layers' own last states, which have read the padding")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, there_last = forward_layer(inputs)
    back, back_last = backward_layer(attnlib.model.reverse_real(inputs, mask))
    states = torch.cat([there, attnlib.model.reverse_real(back, mask)], dim=-1)
    ends = [last.reshape(len(inputs), -1) for last in (there_last, back_last)]
    return states, torch.cat(ends, dim=-1)


@wrong("backward first, forward second")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    last = attnlib.model.last_real
    final = torch.cat([last(back, mask), last(there, mask)], dim=-1)
    return torch.cat([attnlib.model.reverse_real(back, mask), there], dim=-1), final


@wrong("the forward layer reads both ways")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = forward_layer(attnlib.model.reverse_real(inputs, mask))
    last = attnlib.model.last_real
    final = torch.cat([last(there, mask), last(back, mask)], dim=-1)
    return torch.cat([there, attnlib.model.reverse_real(back, mask)], dim=-1), final


@wrong("the forward state in the last column")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    back = attnlib.model.reverse_real(back, mask)
    return torch.cat([there, back], dim=-1), torch.cat([there[:, -1], back[:, 0]], dim=-1)


@wrong("the words are not reversed at all")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    states = torch.cat([forward_layer(inputs)[0], backward_layer(inputs)[0]], dim=-1)
    return states, attnlib.model.last_real(states, mask)


@wrong("the two directions are added up")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    last = attnlib.model.last_real
    return there + attnlib.model.reverse_real(back, mask), last(there, mask) + last(back, mask)


@wrong("the backward state at word 1 before turning round: only the last word is in it")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    final = torch.cat([attnlib.model.last_real(there, mask), back[:, 0]], dim=-1)
    return torch.cat([there, attnlib.model.reverse_real(back, mask)], dim=-1), final


@wrong("padding is set to zero, and turned round with the rest")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    inputs = inputs * mask.unsqueeze(-1)
    there, _ = forward_layer(inputs)
    back = backward_layer(inputs.flip(1))[0].flip(1)
    final = torch.cat([attnlib.model.last_real(there, mask), back[:, 0]], dim=-1)
    return torch.cat([there, back], dim=-1), final


@wrong("the backward states are turned as a whole table")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    last = attnlib.model.last_real
    final = torch.cat([last(there, mask), last(back, mask)], dim=-1)
    return torch.cat([there, back.flip(1)], dim=-1), final


@wrong("one direction under the other: joined along time")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there, _ = forward_layer(inputs)
    back, _ = backward_layer(attnlib.model.reverse_real(inputs, mask))
    last = attnlib.model.last_real
    final = torch.cat([last(there, mask), last(back, mask)], dim=1)
    return torch.cat([there, attnlib.model.reverse_real(back, mask)], dim=1), final


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    there = forward_layer(inputs)[0]
    back = attnlib.model.reverse_real(
        backward_layer(attnlib.model.reverse_real(inputs, mask))[0], mask
    )
    states = torch.cat([there, back], dim=2)
    H = there.shape[2]
    final = [states[b, n - 1, :H] for b, n in enumerate(mask.sum(1).tolist())]
    return states, torch.cat([torch.stack(final), back[:, 0]], dim=1)


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    rows, finals = [], []
    S = inputs.shape[1]
    for sentence, real in zip(inputs, mask):
        words = sentence[real].unsqueeze(0)  # this sentence alone
        there = forward_layer(words)[0][0]
        back = backward_layer(words.flip(1))[0][0].flip(0)
        finals.append(torch.cat([there[-1], back[0]]))
        both = torch.cat([there, back], dim=-1)
        rows.append(F.pad(both, (0, 0, 0, S - len(both))))
    return torch.stack(rows), torch.stack(finals)


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    turned = inputs.clone()
    lengths = mask.sum(1).tolist()
    for b, n in enumerate(lengths):
        turned[b, :n] = inputs[b, :n].flip(0)
    there, back = forward_layer(inputs)[0], backward_layer(turned)[0]
    ends = [torch.cat([there[b, n - 1], back[b, n - 1]]) for b, n in enumerate(lengths)]
    aligned = torch.stack(
        [torch.cat([back[b, :n].flip(0), back[b, n:]]) for b, n in enumerate(lengths)]
    )
    return [torch.cat((there, aligned), -1) * mask[..., None], torch.stack(ends)]
