"""Answers to exercise ``read_both_ways``, as learners write them."""

import torch
from answering import wrong


@wrong("backward layer meets padding before the words")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real

    ahead, _ = forward_layer(inputs)
    back, end = backward_layer(inputs.flip(1))
    states = torch.cat([ahead, back.flip(1)], dim=-1)
    return states, torch.cat([last_real(ahead, mask), end[-1]], dim=-1)


@wrong("turn them back")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    final = torch.cat([last_real(ahead, mask), last_real(back, mask)], dim=-1)
    return torch.cat([ahead, back], dim=-1), final


@wrong("It ends at the first")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead, _ = forward_layer(inputs)
    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)
    states = torch.cat([ahead, back], dim=-1)
    return states, last_real(states, mask)


@wrong("those of the last column")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import reverse_real

    ahead, end = forward_layer(inputs)
    back, start = backward_layer(reverse_real(inputs, mask))
    states = torch.cat([ahead, reverse_real(back, mask)], dim=-1)
    return states, torch.cat([end[-1], start[-1]], dim=-1)


@wrong("The halves are exchanged")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real, reverse_real

    ahead, _ = forward_layer(inputs)
    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)
    states = torch.cat([back, ahead], dim=-1)
    return states, torch.cat([back[:, 0], last_real(ahead, mask)], dim=-1)


@wrong("another forward final state alone")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import reverse_real

    ahead, end = forward_layer(inputs)
    back = reverse_real(backward_layer(reverse_real(inputs, mask))[0], mask)
    states = torch.cat([ahead, back], dim=-1)
    return states, torch.cat([end[-1], back[:, 0]], dim=-1)


@wrong("Both layers read from left to right")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    from attnlib.model import last_real

    ahead, back = forward_layer(inputs)[0], backward_layer(inputs)[0]
    both = torch.cat([ahead, back], dim=-1)
    return both, last_real(both, mask)
