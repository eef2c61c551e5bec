import torch
from answering import right, wrong
from torch import nn
from torch.nn import functional as F


@wrong("zero_grad is forgotten: the gradients of all updates add up")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    logits = network.output(states)
    loss = F.cross_entropy(logits.transpose(1, 2), targets)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("zero_grad between backward and step: the step finds no gradient")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    loss.backward()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("clipped after the step, when it is too late")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    return loss.item(), state.detach()


@wrong("not clipped at all")
def training_step(network, optimizer, inputs, targets, state):
    optimizer.zero_grad()
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).flatten(0, 1), targets.flatten())
    loss.backward()
    optimizer.step()
    return loss.item(), state.detach()


@wrong("the state comes back with its history")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state


@wrong("detached, but the result of detach is thrown away")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    state.detach()
    return loss.item(), state


@wrong("detaches the state that comes in, which is None at the beginning")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state.detach())
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


# Written as wrong, "the loss comes back as a tensor with its graph, not as a number". It is brought
# to a number, for the rules and for the rest of the chapter: nothing holds the graph.
@right
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss, state.detach()


@wrong("item() at once: a number has no backward")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets).item()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss, state.detach()


@wrong("logits (B, T, V) into cross_entropy as they are: it takes T for the vocabulary")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("reshaped to (B, V, T) where it should be transposed: the logits get mixed")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    logits = network.output(states)
    batch, length, size = logits.shape
    loss = F.cross_entropy(logits.reshape(batch, size, length), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("the sum over all targets, not the mean")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    logits = network.output(states).flatten(0, 1)
    loss = F.cross_entropy(logits, targets.flatten(), reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("only the last token of each row is guessed")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states[:, -1]), targets[:, -1])
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("a softmax before cross_entropy, which does one itself")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    p = network.output(states).softmax(dim=-1)
    loss = F.cross_entropy(p.transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("the optimizer takes no step")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    return loss.item(), state.detach()


@wrong("shifted a second time: the targets are the inputs moved by one already")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    logits = network.output(states)[:, :-1]
    loss = F.cross_entropy(logits.transpose(1, 2), targets[:, 1:])
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


@wrong("the last of the states, (B, H), comes back without the dimension in front")
def training_step(network, optimizer, inputs, targets, state):
    states, _ = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), states[:, -1].detach()


@wrong("the loss is read off after the step, from a second pass")
def training_step(network, optimizer, inputs, targets, state):
    states, last = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        states, last = network(inputs, state)
        loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    return loss.item(), last


@wrong("the state comes first in the pair")
def training_step(network, optimizer, inputs, targets, state):
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return state.detach(), loss.item()


@right
def training_step(network, optimizer, inputs, targets, state):
    optimizer.zero_grad()
    states, state = network(inputs, state)
    logits = network.output(states)
    loss = F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.reshape(-1))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), max_norm=1.0)
    optimizer.step()
    return loss.item(), state.detach()


@right
def training_step(network, optimizer, inputs, targets, state):
    states, last = network(inputs, state)
    loss = 0.0
    for t in range(inputs.shape[1]):
        loss = loss + F.cross_entropy(network.output(states[:, t]), targets[:, t])
    loss = loss / inputs.shape[1]
    network.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return float(loss), last.detach().clone()


@right
def training_step(network, optimizer, inputs, targets, state):
    states, last = network(inputs, state)
    log_p = torch.log_softmax(network.output(states), dim=-1)
    loss = -log_p.gather(2, targets.unsqueeze(2)).mean()
    optimizer.zero_grad()
    loss.backward()
    squares = sum(p.grad.square().sum() for p in network.parameters())
    norm = squares.sqrt()
    if norm > 1:
        for p in network.parameters():
            p.grad /= norm
    optimizer.step()
    return loss.item(), last.data
