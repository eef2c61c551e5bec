"""Answers to exercise ``first_state``, as learners write them."""

import torch
from answering import right, wrong


@wrong("backward state of the last position")
def first_state(states, weight):
    H = states.size(2) // 2
    return torch.tanh(states[:, -1, H:] @ weight.T)


@wrong("forward state of the first position")
def first_state(states, weight):
    H = states.size(2) // 2
    return torch.tanh(states[:, 0, :H] @ weight.T)


@wrong("forward state of the last position")
def first_state(states, weight):
    forward, _ = states[:, -1].chunk(2, dim=1)
    return (forward @ weight.T).tanh()


@wrong("Where is the tanh")
def first_state(states, weight):
    H = weight.shape[1]
    return states[:, 0, H:] @ weight.T


@wrong("mean of the backward states")
def first_state(states, weight):
    H = weight.shape[1]
    return torch.tanh(states[:, :, H:].mean(dim=1) @ weight.T)


@wrong("The cut is at D")
def first_state(states, weight):
    H = weight.shape[1]
    start = min(weight.shape[0], H)
    return torch.tanh(states[:, 0, start : start + H] @ weight.T)


@wrong("No gradient comes back")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, 0, H:].detach() @ weight.T)


@wrong("first sentence's state stands for every sentence")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[0, :1, H:] @ weight.T).expand(len(states), -1)


@right
def first_state(states, weight):
    both = states.double()
    return torch.tanh(both[:, 0, both.shape[-1] // 2 :] @ weight.double().T)


@right
def first_state(states, weight):
    return torch.stack(
        [torch.tanh(weight @ sentence[0][-weight.shape[1] :]) for sentence in states]
    )


@wrong("By hand: ←h_1 is")
def first_state(states, weight):
    return -torch.tanh(states[:, 0].chunk(2, dim=-1)[1] @ weight.T)
