"""Answers to exercise ``leave_one_out``, as learners write them."""

import torch
from answering import right, wrong


@wrong("nothing is left out")
def leave_one_out(keys, values, bandwidth):
    d2 = torch.cdist(keys, keys) ** 2
    return torch.softmax(-d2 / (2 * bandwidth**2), 1) @ values


@wrong("to make it 0 changes nothing")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = -d2 / (2 * bandwidth**2)
    e = e * (1 - torch.eye(len(keys)))
    return torch.softmax(e, 1) @ values


@wrong("no longer sum to 1")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    w = torch.softmax(-d2 / (2 * bandwidth**2), 1)
    w = w - torch.diag(torch.diag(w))
    return w @ values


@wrong("left after the softmax, are 0")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    w = torch.softmax(-d2 / (2 * bandwidth**2), 1) * (1 - torch.eye(len(keys)))
    return (w / w.sum(1, keepdim=True)) @ values


@wrong("the wrong way round")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    others = ~torch.eye(len(keys), dtype=torch.bool)
    e = (-d2 / (2 * bandwidth**2)).masked_fill(others, float("-inf"))
    return torch.softmax(e, 1) @ values


@wrong("Two points at one place are two points")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (2 * bandwidth**2)).masked_fill(d2 == 0, float("-inf"))
    return torch.softmax(e, 1) @ values


@wrong("runs over the queries")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (2 * bandwidth**2)).fill_diagonal_(float("-inf"))
    return torch.softmax(e, 0) @ values


@wrong("The predictions themselves are asked for")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (2 * bandwidth**2)).fill_diagonal_(float("-inf"))
    return ((torch.softmax(e, 1) @ values - values) ** 2).mean()


@wrong("The 2 is missing")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / bandwidth**2).fill_diagonal_(float("-inf"))
    return torch.softmax(e, 1) @ values


@wrong("The bandwidth is not squared")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (2 * bandwidth)).fill_diagonal_(float("-inf"))
    return torch.softmax(e, 1) @ values


@wrong("0/0 is not a number")
def leave_one_out(keys, values, bandwidth):
    k = torch.exp(-(torch.cdist(keys, keys) ** 2) / (2 * bandwidth**2))
    k = k * (1 - torch.eye(len(keys)))
    return (k @ values) / k.sum(1)


@wrong("Far from all others the answer is 0 here")
def leave_one_out(keys, values, bandwidth):
    k = torch.exp(-(torch.cdist(keys, keys) ** 2) / (2 * bandwidth**2))
    k = k * (1 - torch.eye(len(keys)))
    return (k @ values) / (k.sum(1) + 1e-8)


@wrong("keeps a little weight")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (2 * bandwidth**2)).fill_diagonal_(-10)
    return torch.softmax(e, 1) @ values


@wrong("or all of it where the others are farther still")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = -d2 / (2 * bandwidth**2) - 1e9 * torch.eye(len(keys))
    return torch.softmax(e, 1) @ values


@wrong("Do without the root")
def leave_one_out(keys, values, bandwidth):
    u = ((keys[:, None] - keys[None]) ** 2).sum(2) ** 0.5 / bandwidth
    e = (-(u**2) / 2).masked_fill(torch.eye(len(keys)).bool(), float("-inf"))
    return torch.softmax(e, 1) @ values


@wrong("the weight of point 1 should be 0.982; yours is")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (3 * bandwidth**2)).fill_diagonal_(float("-inf"))
    return torch.softmax(e, 1) @ values


@wrong("it looked itself up")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    w = torch.softmax(-d2 / (2 * bandwidth**2), 1)
    return (w @ values + values) / 2


@wrong("When every value is 5, a prediction is")
def leave_one_out(keys, values, bandwidth):
    d2 = ((keys[:, None] - keys[None]) ** 2).sum(2)
    e = (-d2 / (2 * bandwidth**2)).fill_diagonal_(float("-inf"))
    return torch.softmax(e, 1) @ values * 2


@wrong("No gradient comes back")
def leave_one_out(keys, values, bandwidth):
    found = []
    for i in range(len(keys)):
        rest = [j for j in range(len(keys)) if j != i]
        log_k = [-float(((keys[i] - keys[j]) ** 2).sum()) / (2 * bandwidth**2) for j in rest]
        k = torch.tensor(log_k).softmax(0)
        found.append(sum(float(a) * float(values[j]) for a, j in zip(k, rest)))
    return torch.tensor(found)


@right
def leave_one_out(keys, values, bandwidth):
    found = []
    for i in range(len(keys)):
        rest = torch.arange(len(keys)) != i
        d2 = ((keys[rest] - keys[i]) ** 2).sum(1)
        found.append(torch.softmax(-d2 / (2 * bandwidth**2), 0) @ values[rest])
    return torch.stack(found)


@right
def leave_one_out(keys, values, bandwidth):
    log_k = torch.distributions.Normal(0.0, 1.0).log_prob((keys[:, None] - keys) / bandwidth)
    e = log_k.sum(-1) + torch.diag(torch.full((len(keys),), -torch.inf))
    return (e.softmax(1) * values).sum(1)
