"""Answers to exercise ``read_both_ways``, as learners write them."""

import torch
from answering import wrong


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
