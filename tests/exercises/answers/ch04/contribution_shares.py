"""Answers to exercise ``contribution_shares``, as learners write them."""

from answering import wrong


@wrong("These are the weights themselves")
def contribution_shares(weights, values):
    return weights / weights.sum(2, True)


@wrong("are not divided by their sum")
def contribution_shares(weights, values):
    return (weights[..., None] * values[:, None]).norm(dim=-1)


@wrong("The weights are not used")
def contribution_shares(weights, values):
    length = values.norm(dim=2)
    share = length / length.sum(1, keepdim=True)
    return share[:, None].repeat(1, weights.shape[1], 1)


@wrong("the root is missing")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).pow(2).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("added with their signs")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("The absolute entries are added")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).norm(p=1, dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("over the queries")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts / parts.sum(1, keepdim=True)


@wrong("made a thousand times shorter")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts.softmax(-1)
