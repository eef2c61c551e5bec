"""Answers to exercise ``go_on``, as learners write them."""

import torch
from answering import wrong


def draw_word(logits, temperature, chance):
    """The learner's answer to the exercise before."""
    return int(((logits / temperature).softmax(-1).cumsum(-1) <= chance).sum())


@wrong("The argument ids was changed by the call.")
def go_on(network, ids, temperature, chances):
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        ids.append(draw_word(network.output(states[0, -1]), temperature, chance))
        states, state = network(torch.tensor([[ids[-1]]]), state)
    return ids


@wrong("The temperature is not used.")
def go_on(network, ids, temperature, chances):
    ids = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        ids.append(draw_word(network.output(states[0, -1]), 1.0, chance))
        states, state = network(torch.tensor([[ids[-1]]]), state)
    return ids


@wrong("That is not a draw.")
def go_on(network, ids, temperature, chances):
    ids = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        logits = network.output(states[0, -1]) / temperature
        ids.append(int(logits.softmax(-1).argmax()))
        states, state = network(torch.tensor([[ids[-1]]]), state)
    return ids


@wrong("something else is random")
def go_on(network, ids, temperature, chances):
    ids = list(ids)
    states, state = network(torch.tensor([ids]))
    for _ in chances:
        p = (network.output(states[0, -1]) / temperature).softmax(-1)
        ids.append(torch.distributions.Categorical(p).sample().item())
        states, state = network(torch.tensor([[ids[-1]]]), state)
    return ids
