"""Answers to exercise ``nadaraya_watson``, as learners write them."""

import torch
from answering import right, wrong


@wrong("0/0 is not a number")
def nadaraya_watson(query, keys, values, bandwidth):
    u = torch.cdist(query, keys) / bandwidth
    k = torch.exp(-(u**2) / 2)
    return (k * values).sum(1) / k.sum(1)


@wrong("The 2 is missing")
def nadaraya_watson(query, keys, values, bandwidth):
    u = (query[:, None] - keys[None]) / bandwidth
    return torch.softmax(-(u**2).sum(2), 1) @ values


@wrong("The bandwidth is not squared")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.softmax(-0.5 * d2 / bandwidth, 1) @ values


@wrong("The distance is not squared")
def nadaraya_watson(query, keys, values, bandwidth):
    d = ((query[:, None] - keys[None]) ** 2).sum(2) ** 0.5
    return torch.softmax(-0.5 * d / bandwidth**2, 1) @ values


@wrong("Far keys weigh more")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.softmax(d2 / (2 * bandwidth**2), 1) @ values


@wrong("runs over the queries")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.softmax(-d2 / (2 * bandwidth**2), 0) @ values


@wrong("the nearest key alone")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.stack([values[row.argmin()] for row in d2])


@wrong("are not divided by their sum")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.exp(-d2 / (2 * bandwidth**2)) @ values


@wrong("Far from all keys the answer is 0 here")
def nadaraya_watson(query, keys, values, bandwidth):
    k = torch.exp(-((torch.cdist(query, keys) / bandwidth) ** 2) / 2)
    return torch.nan_to_num(k @ values / k.sum(1))


@wrong("a small number was added below the line")
def nadaraya_watson(query, keys, values, bandwidth):
    k = torch.exp(-((torch.cdist(query, keys) / bandwidth) ** 2) / 2)
    return k @ values / (k.sum(1) + 1e-8)


@wrong("are averaged")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys) ** 2).mean(-1)
    return torch.softmax(-d2 / (2 * bandwidth**2), 1) @ values


@wrong("Only the first coordinate")
def nadaraya_watson(query, keys, values, bandwidth):
    d = query[:, 0, None] - keys[:, 0]
    return torch.softmax(-(d**2) / (2 * bandwidth**2), 1) @ values


@wrong("so that they cancel")
def nadaraya_watson(query, keys, values, bandwidth):
    d = query.sum(1, keepdim=True) - keys.sum(1)
    return torch.softmax(-(d**2) / (2 * bandwidth**2), 1) @ values


@wrong("The 2 is squared, too")
def nadaraya_watson(query, keys, values, bandwidth):
    return torch.softmax(-((torch.cdist(query, keys) / (2 * bandwidth)) ** 2), 1) @ values


@wrong("multiplied by the bandwidth")
def nadaraya_watson(query, keys, values, bandwidth):
    return torch.softmax(-((torch.cdist(query, keys) * bandwidth) ** 2) / 2, 1) @ values


@wrong("lie at distances [1.0, 2.0] from query 0, u = [0.667, 1.33]")
def nadaraya_watson(query, keys, values, bandwidth):
    return torch.softmax(-((torch.cdist(query, keys) / bandwidth) ** 3) / 2, 1) @ values


@wrong("When every value is 5, a prediction is")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys) ** 2).sum(-1)
    return torch.softmax(-d2 / (2 * bandwidth**2), 1) @ values * 2


@wrong("should get that key's value")
def nadaraya_watson(query, keys, values, bandwidth):
    return torch.softmax(1 / (1 + torch.cdist(query, keys)), 1) @ values


@wrong("No gradient comes back")
def nadaraya_watson(query, keys, values, bandwidth):
    rows = []
    for x in query.double():
        log_k = -((x - keys.double()) ** 2).sum(-1) / (2 * bandwidth**2)
        k = (log_k - log_k.max()).exp()
        rows.append((k * values).sum().item() / k.sum().item())
    return torch.tensor(rows, dtype=torch.double)


@right
def nadaraya_watson(query, keys, values, bandwidth):
    log_k = torch.distributions.Normal(0.0, 1.0).log_prob((query[:, None] - keys) / bandwidth)
    return log_k.sum(-1).softmax(1).matmul(values[:, None]).squeeze(1)


@right
def nadaraya_watson(query, keys, values, bandwidth):
    rows = []
    for x in query.double():
        log_k = -((x - keys.double()) ** 2).sum(-1) / (2 * bandwidth**2)
        k = (log_k - log_k.max()).exp()
        rows.append((k * values).sum() / k.sum())
    return torch.stack(rows)
