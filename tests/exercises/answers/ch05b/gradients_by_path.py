"""Answers to exercise ``gradients_by_path``, as learners write them."""

import torch
from answering import wrong


@wrong("element 0 of tensors does not require grad")
def gradients_by_path(encode, decode, x):
    states = encode(x)
    first = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return first, torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
