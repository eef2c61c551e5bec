"""Answers to exercise ``read_both_ways``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The backward states are turned back, as the words were")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    final = torch.cat([last_real(ahead, mask), last_real(back, mask)], dim=-1)
    return torch.cat([ahead, back], dim=-1), final


@wrong("has read one word only")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead, _ = forward_layer(inputs)
    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)
    states = torch.cat([ahead, back], dim=-1)
    return states, last_real(states, mask)


@wrong("The halves are exchanged")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead, _ = forward_layer(inputs)
    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)
    states = torch.cat([back, ahead], dim=-1)
    return states, torch.cat([back[:, 0], last_real(ahead, mask)], dim=-1)


@wrong("neither added nor averaged")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead = forward_layer(inputs)[0]
    back = backward_layer(reverse_real(inputs, mask))[0]
    final = (last_real(ahead, mask) + last_real(back, mask)) / 2
    return (ahead + reverse_real(back, mask)) / 2, final


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    states, final = [], []
    for row, n in zip(inputs, mask.sum(1).tolist()):  # alone, and without a batch
        ahead, last = forward_layer(row[:n])
        back, first = backward_layer(row[:n].flip(0))
        both = torch.cat([ahead, back.flip(0)], dim=1)
        states.append(torch.cat([both, torch.full((len(row) - n, both.shape[1]), 7.0)]))
        final.append(torch.cat([last[0], first[0]]))
    return torch.stack(states), torch.stack(final)


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    finals, rows = [], torch.zeros(*mask.shape, 2 * forward_layer(inputs)[0].shape[2])
    for b, n in enumerate(mask.sum(1).tolist()):
        ahead, last = forward_layer(inputs[b : b + 1, :n])
        back, first = backward_layer(inputs[b : b + 1, :n].flip(1))
        rows[b, :n] = torch.cat([ahead[0], back[0].flip(0)], dim=-1)
        finals.append(torch.cat([last[0, 0], first[0, 0]]))
    return rows.double(), torch.stack(finals)
