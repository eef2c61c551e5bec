"""Answers to exercise ``training_step``, as learners write them."""

from answering import right, wrong
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


@right
def training_step(network, optimizer, inputs, targets, state):
    states, last = network(inputs, state)
    logits = network.output(states)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach(), last.detach()


@right
def training_step(network, optimizer, inputs, targets, state):
    network.zero_grad(set_to_none=False)
    states, last = network(inputs, state)
    log_p = network.output(states).log_softmax(-1)
    loss = -log_p.gather(2, targets.unsqueeze(2)).mean()
    loss.backward()
    norm = sum(p.grad.square().sum() for p in network.parameters()).sqrt()
    if norm > 1:
        for p in network.parameters():
            p.grad = p.grad / norm
    optimizer.step()
    return float(loss), last.detach().clone()
