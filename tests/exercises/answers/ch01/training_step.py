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


@wrong("Clip it to 1 after backward() and before step()")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
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


@wrong("optimizer.step() is never called")
def training_step(network, optimizer, inputs, targets, state):
    optimizer.zero_grad()
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), max_norm=1)
    return loss.item(), state.detach()


@wrong("Hand on state.detach()")
def training_step(network, optimizer, inputs, targets, state):
    optimizer.zero_grad()
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), max_norm=1)
    optimizer.step()
    return loss.item(), state


@wrong("which changes the direction")
def training_step(network, optimizer, inputs, targets, state):
    optimizer.zero_grad()
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_value_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("is each parameter clipped for itself?")
def training_step(network, optimizer, inputs, targets, state):
    optimizer.zero_grad()
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).flatten(0, 1), targets.flatten())
    loss.backward()
    for parameter in network.parameters():
        nn.utils.clip_grad_norm_(parameter, 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("The state that was given is not used")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("tokens and places are mixed up")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    logits = network.output(states)
    loss = F.cross_entropy(logits.view(logits.size(0), logits.size(2), logits.size(1)), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("The losses of the tokens are added up.")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).mT, targets, reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
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


@wrong("The loss comes from a second pass")
def training_step(network, optimizer, inputs, targets, state):
    def loss_and_last():
        states, last = network(inputs, state)
        return F.cross_entropy(network.output(states).transpose(1, 2), targets), last.detach()

    optimizer.zero_grad()
    loss_and_last()[0].backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    loss, last = loss_and_last()
    return loss.item(), last


@wrong("The state comes from a second pass")
def training_step(network, optimizer, inputs, targets, state):
    states, _ = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), network(inputs, state)[1].detach()


@wrong("Shifted a second time")
def training_step(network, optimizer, inputs, targets, state):
    states, last = network(inputs[:, :-1], state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets[:, 1:])
    _, last = network(inputs[:, -1:], last)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), last.detach()


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
