import torch
from answering import right, wrong
from torch.nn import functional as F

from attnlib.model import last_real, reverse_real


@wrong("the backward states are not turned round again")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    final = torch.cat([last_real(forth, mask), last_real(back, mask)], dim=-1)
    return torch.cat([forth, back], dim=-1), final


@wrong("a plain flip of the inputs: the backward layer reads the padding first")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(inputs.flip(1))
    back = back.flip(1)
    final = torch.cat([last_real(forth, mask), back[:, 0]], dim=-1)
    return torch.cat([forth, back], dim=-1), final


@wrong("the layers' own last states: they have read the padding")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, last = forward_layer(inputs)
    back, first = backward_layer(reverse_real(inputs, mask))
    final = torch.cat([last[0], first[0]], dim=-1)
    return torch.cat([forth, reverse_real(back, mask)], dim=-1), final


@wrong("the backward final state is asked after the second turn: it has read one word")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    back = reverse_real(back, mask)
    states = torch.cat([forth, back], dim=-1)
    return states, last_real(states, mask)


@wrong("the backward layer reads the words forward")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(inputs)
    final = torch.cat([last_real(forth, mask), back[:, 0]], dim=-1)
    return torch.cat([forth, back], dim=-1), final


@wrong("the forward layer is used for both directions")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = forward_layer(reverse_real(inputs, mask))
    final = torch.cat([last_real(forth, mask), last_real(back, mask)], dim=-1)
    return torch.cat([forth, reverse_real(back, mask)], dim=-1), final


@wrong("backward stands before forward")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    final = torch.cat([last_real(back, mask), last_real(forth, mask)], dim=-1)
    return torch.cat([reverse_real(back, mask), forth], dim=-1), final


@wrong("the two directions are added instead of put side by side")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    return forth + reverse_real(back, mask), last_real(forth, mask) + last_real(back, mask)


@wrong("the forward final state is that of the first word")
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    forth, _ = forward_layer(inputs)
    back, _ = backward_layer(reverse_real(inputs, mask))
    back = reverse_real(back, mask)
    states = torch.cat([forth, back], dim=-1)
    return states, states[:, 0]


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    rows, finals = [], []
    for sentence, real in zip(inputs, mask):
        words = sentence[real].unsqueeze(0)
        forth, last = forward_layer(words)
        back, first = backward_layer(words.flip(1))
        both = torch.cat([forth, back.flip(1)], dim=-1)[0]
        rows.append(F.pad(both, (0, 0, 0, len(real) - len(both))))
        finals.append(torch.cat([last[0, 0], first[0, 0]]))
    states = torch.stack(rows)
    return states, torch.stack(finals)


@right
def read_both_ways(forward_layer, backward_layer, inputs, mask):
    lengths = mask.sum(1)
    rows = torch.arange(len(inputs))
    forth = forward_layer(inputs)[0]
    back = backward_layer(reverse_real(inputs, mask))[0]
    back = reverse_real(back, mask)
    final = torch.cat([forth[rows, lengths - 1], back[:, 0]], dim=1)
    return torch.cat([forth, back], dim=2), final
