import torch
from answering import right, wrong


@wrong("nothing is masked: each point looks itself up")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    return (-squares / (2 * bandwidth**2)).softmax(-1) @ values


@wrong("the diagonal gets the score 0, which is the best score there is")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), 0.0)
    return scores.softmax(-1) @ values


@wrong("masked after the softmax: the others' weights do not sum to 1")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    weights = (-squares / (2 * bandwidth**2)).softmax(-1)
    weights = weights.masked_fill(torch.eye(len(keys), dtype=torch.bool), 0.0)
    return weights @ values


@wrong("all points at the same place are forbidden, not only the point itself")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(squares == 0, float("-inf"))
    return scores.softmax(-1) @ values


@wrong("the mask is turned round: only the point itself is allowed")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(~torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("the bandwidth is not squared")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("the half is missing: u² instead of u²/2")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / bandwidth**2
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("the minus is missing: far points count most")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("distances that are not squared")
def leave_one_out(keys, values, bandwidth):
    scores = -torch.cdist(keys, keys) / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("only the first coordinate of the keys is looked at")
def leave_one_out(keys, values, bandwidth):
    squares = (keys[:, :1] - keys[:, :1].T) ** 2
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("the mean over the coordinates, where the squares must be added")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).mean(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("softmax over dimension 0: the weights of a query do not sum to 1")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(0) @ values


@wrong("kernels and their sum by hand: 0/0 for a point far from all others")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    kernels = torch.exp(-squares / (2 * bandwidth**2))
    kernels = kernels * (1 - torch.eye(len(keys)))
    return kernels @ values / kernels.sum(-1)


@wrong("eye times −∞: 0 · ∞ is not a number")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2) + torch.eye(len(keys)) * float("-inf")
    return scores.softmax(-1) @ values


@wrong("a root that is squared again: its slope at distance 0 is infinite, the gradient NaN")
def leave_one_out(keys, values, bandwidth):
    distance = ((keys.unsqueeze(1) - keys) ** 2).sum(-1).sqrt()
    scores = -((distance / bandwidth) ** 2) / 2
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("the predictions pass through item(): no gradient comes back")
def leave_one_out(keys, values, bandwidth):
    predictions = []
    for i in range(len(keys)):
        others = [j for j in range(len(keys)) if j != i]
        squares = ((keys[others] - keys[i]) ** 2).sum(-1)
        weights = (-squares / (2 * bandwidth**2)).softmax(0)
        predictions.append((weights @ values[others]).item())
    return torch.tensor(predictions, dtype=values.dtype)


@wrong("only the points before it: those behind are forgotten")
def leave_one_out(keys, values, bandwidth):
    predictions = []
    for i in range(len(keys)):
        squares = ((keys[:i] - keys[i]) ** 2).sum(-1)
        weights = (-squares / (2 * bandwidth**2)).softmax(0)
        predictions.append(weights @ values[:i])
    return torch.stack(predictions)


@wrong("the point's neighbor is left out, too: off by one in the slice")
def leave_one_out(keys, values, bandwidth):
    predictions = []
    for i in range(len(keys)):
        others = torch.cat([keys[:i], keys[i + 2 :]])
        known = torch.cat([values[:i], values[i + 2 :]])
        squares = ((others - keys[i]) ** 2).sum(-1)
        predictions.append((-squares / (2 * bandwidth**2)).softmax(0) @ known)
    return torch.stack(predictions)


@wrong("a mask for fifty points")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(50, dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values


@wrong("a column (S, 1) comes back")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values.unsqueeze(1)


@wrong("one average of all predictions, a single number")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return (scores.softmax(-1) @ values).mean()


@wrong("the errors, prediction minus value, in place of the predictions")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), float("-inf"))
    return scores.softmax(-1) @ values - values


@wrong("each point is moved far away in the caller's keys, and never moved back")
def leave_one_out(keys, values, bandwidth):
    predictions = []
    with torch.no_grad():
        for i in range(len(keys)):
            place = keys[i].clone()
            keys[i] = 1e6
            squares = ((keys - place) ** 2).sum(-1)
            predictions.append((-squares / (2 * bandwidth**2)).softmax(0) @ values)
    return torch.stack(predictions)


@wrong("−1e9 on the diagonal: a point whose neighbors are farther than that looks itself up")
def leave_one_out(keys, values, bandwidth):
    squares = ((keys.unsqueeze(1) - keys) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), -1e9)
    return scores.softmax(-1) @ values


@right
def leave_one_out(keys, values, bandwidth):
    predictions = []
    for i in range(len(keys)):
        others = torch.cat([keys[:i], keys[i + 1 :]])
        known = torch.cat([values[:i], values[i + 1 :]])
        squares = ((others - keys[i]) ** 2).sum(dim=1)
        weights = torch.softmax(-squares / (2 * bandwidth**2), dim=0)
        predictions.append((weights * known).sum())
    return torch.stack(predictions)


@right
def leave_one_out(keys, values, bandwidth):
    u = (keys[:, None, :] - keys[None, :, :]) / bandwidth
    scores = -0.5 * u.square().sum(-1)
    scores.fill_diagonal_(-torch.inf)
    return torch.einsum("ts,s->t", scores.softmax(1), values)


@right
def leave_one_out(keys, values, bandwidth):
    scores = -torch.cdist(keys, keys).pow(2) / (2 * bandwidth**2)
    same = torch.arange(len(keys)).unsqueeze(1) == torch.arange(len(keys))
    scores = torch.where(same, torch.full_like(scores, -torch.inf), scores)
    e = (scores - scores.max(1, keepdim=True).values).exp()
    return (e @ values) / e.sum(1)
