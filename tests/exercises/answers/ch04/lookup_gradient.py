"""Answers to exercise ``lookup_gradient``, as learners write them."""

import torch
from answering import wrong


@wrong("If score 0 is raised a little")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    a = torch.softmax(scores / 2, 0)
    return 2 * a[:, None] * (values - a @ values)
