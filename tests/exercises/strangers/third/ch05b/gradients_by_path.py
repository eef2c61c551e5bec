import torch
from answering import right, wrong


@wrong("the two are swapped: what is detached is taken for what flows")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    keys = torch.autograd.grad(decode(states.detach(), states[-1]), x, retain_graph=True)[0]
    last = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return keys, last


@wrong("nothing is detached: twice the whole gradient")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    loss = decode(states, states[-1])
    whole = torch.autograd.grad(loss, x)[0]
    return whole, whole


@wrong("the gradients with respect to the states, not to x")
def gradients_by_path(encode, decode, x):
    states = encode(x).detach()
    keys = states.clone().requires_grad_()
    last = states[-1].clone().requires_grad_()
    to_keys, to_last = torch.autograd.grad(decode(keys, last), [keys, last])
    spread = torch.zeros_like(states)
    spread[-1] = to_last
    return to_keys, spread


@wrong("the last row is cut off the keys' gradient, as if it belonged to the other path only")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    keys = torch.cat([states[:-1], states[-1:].detach()])
    a = torch.autograd.grad(decode(keys, states[-1].detach()), x, retain_graph=True)[0]
    b = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return a, b


@wrong("zeros in place of the path that is closed: another loss, not the same one detached")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    zero = torch.zeros_like(states)
    a = torch.autograd.grad(decode(states, zero[-1]), x, retain_graph=True)[0]
    b = torch.autograd.grad(decode(zero, states[-1]), x)[0]
    return a, b


@wrong("the first state is taken for the last")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    a = torch.autograd.grad(decode(states, states[0].detach()), x, retain_graph=True)[0]
    b = torch.autograd.grad(decode(states.detach(), states[0]), x)[0]
    return a, b


@wrong("the second path is found as a whole minus a whole: the whole gradient in the second place")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    a = torch.autograd.grad(decode(states, states[-1].detach()), x, retain_graph=True)[0]
    b = torch.autograd.grad(decode(states, states[-1]), x)[0]
    return a, b


@wrong("backward twice without clearing: the second has the first in it")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    decode(states, states[-1].detach()).backward(retain_graph=True)
    a = x.grad.clone()
    decode(states.detach(), states[-1]).backward()
    return a, x.grad


@wrong("one tensor: the sum of both")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    a = torch.autograd.grad(decode(states, states[-1].detach()), x, retain_graph=True)[0]
    b = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return a + b


@wrong("the gradient is added into both results by one x.grad that is the same tensor")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    decode(states, states[-1].detach()).backward(retain_graph=True)
    a = x.grad
    decode(states.detach(), states[-1]).backward()
    return a, x.grad


@right
def gradients_by_path(encode, decode, x):
    results = []
    for closed in (1, 0):
        fresh = x.detach().clone().requires_grad_()
        states = encode(fresh)
        roads = [states, states[-1]]
        roads[closed] = roads[closed].detach()
        decode(*roads).backward()
        results.append(fresh.grad)
    return tuple(results)


@right
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    keys = states.detach().requires_grad_()
    last = states[-1].detach().requires_grad_()
    to_keys, to_last = torch.autograd.grad(decode(keys, last), (keys, last))
    (a,) = torch.autograd.grad(states, x, grad_outputs=to_keys, retain_graph=True)
    (b,) = torch.autograd.grad(states[-1], x, grad_outputs=to_last)
    return a, b
