import torch
from answering import right, wrong


@wrong("the kernels are divided by their sum, which is 0 far away from all keys")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    kernel = torch.exp(-squares / bandwidth**2 / 2)
    return (kernel @ values) / kernel.sum(1)


@wrong("a small number in the denominator: far away the answer is 0")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    kernel = torch.exp(-squares / bandwidth**2 / 2)
    return (kernel @ values) / (kernel.sum(1) + 1e-9)


@wrong("the half in the kernel is forgotten")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    return torch.softmax(-squares / bandwidth**2, dim=1) @ values


@wrong("the bandwidth is not squared")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    return torch.softmax(-squares / bandwidth / 2, dim=1) @ values


@wrong("multiplied by the bandwidth instead of divided")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    return torch.softmax(-squares * bandwidth**2 / 2, dim=1) @ values


@wrong("the softmax over the queries, not over the keys")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    return torch.softmax(-squares / bandwidth**2 / 2, dim=0) @ values


@wrong("the minus sign is missing: far keys count most")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).sum(-1)
    return torch.softmax(squares / bandwidth**2 / 2, dim=1) @ values


@wrong("the distance itself, not its square")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = torch.cdist(query, keys)
    return torch.softmax(-distance / bandwidth / 2, dim=1) @ values


@wrong("the differences of the coordinates are summed before they are squared")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = (query[:, None] - keys[None]).sum(-1) ** 2
    return torch.softmax(-squares / bandwidth**2 / 2, dim=1) @ values


@wrong("only the first coordinate")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = (query[:, None, 0] - keys[None, :, 0]) ** 2
    return torch.softmax(-squares / bandwidth**2 / 2, dim=1) @ values


@wrong("the mean over the coordinates instead of their sum")
def nadaraya_watson(query, keys, values, bandwidth):
    squares = ((query[:, None] - keys[None]) ** 2).mean(-1)
    return torch.softmax(-squares / bandwidth**2 / 2, dim=1) @ values


@right
def nadaraya_watson(query, keys, values, bandwidth):
    answers = []
    for point in query:
        logs = torch.stack([-0.5 * ((point - key) / bandwidth).pow(2).sum() for key in keys])
        kernel = (logs - logs.max()).exp()
        answers.append((kernel * values).sum() / kernel.sum())
    return torch.stack(answers)


@right
def nadaraya_watson(query, keys, values, bandwidth):
    u = (query.unsqueeze(1) - keys) / bandwidth
    scores = -torch.einsum("tsd,tsd->ts", u, u) / 2
    return torch.einsum("ts,s->t", scores.softmax(-1), values)
