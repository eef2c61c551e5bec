"""Answers to exercise ``training_step``, as learners write them."""

from answering import wrong
from torch import nn
from torch.nn import functional as F


@wrong("backward() adds to what is there")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("Clip it to 1 after backward() and before step()")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item(), state.detach()


@wrong("does zero_grad() come after it")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.zero_grad()
    optimizer.step()
    return loss.item(), state.detach()


@wrong("F.cross_entropy takes the logits")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    p = network.output(states).softmax(-1)
    loss = F.cross_entropy(p.transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()
