import torch
from answering import right, wrong


@wrong("the message names no number")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError("query and keys have different sizes")
    return query @ keys.transpose(1, 2)


@wrong("an assertion, so the error is no ValueError")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    assert a == b, f"query has {a} numbers and keys have {b}"
    return query @ keys.transpose(1, 2)


@wrong("the larger one is cut so that the sizes fit")
def dot_score(query, keys):
    H = min(query.shape[-1], keys.shape[-1])
    return query[..., :H] @ keys[..., :H].transpose(1, 2)


@wrong("the message is returned, not raised")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        return ValueError(f"sizes differ: {query.shape[-1]} and {keys.shape[-1]}")
    return query @ keys.transpose(1, 2)


@wrong("keys by queries: (B, S, T)")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(f"sizes differ: {query.shape[-1]} and {keys.shape[-1]}")
    return keys @ query.transpose(1, 2)


@wrong("scaled by the root of H")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(f"sizes differ: {query.shape[-1]} and {keys.shape[-1]}")
    return query @ keys.transpose(1, 2) / query.shape[-1] ** 0.5


@wrong("only the query's size is named")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(f"the keys do not have the query's size, {query.shape[-1]}")
    return query @ keys.transpose(1, 2)


@wrong("the f of the f-string is forgotten: the message has names in braces")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if a != b:
        raise ValueError("query has {a} numbers, keys have {b}")
    return query @ keys.transpose(1, 2)


@wrong("asks for query < keys only, so a query that is larger is not refused")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if a < b:
        raise ValueError(f"query has {a} numbers, keys have {b}")
    return query @ keys.transpose(1, 2)


@right
def dot_score(query, keys):
    sizes = {query.size(-1), keys.size(-1)}
    if len(sizes) == 2:
        raise ValueError("no dot product of {} and {} numbers".format(*sizes))
    return torch.einsum("bth,bsh->bts", query, keys)


@right
def dot_score(query, keys):
    try:
        return torch.stack([q.matmul(k.T) for q, k in zip(query, keys)])
    except RuntimeError as error:
        raise ValueError(f"H is {query.shape[2]} here and {keys.shape[2]} there") from error
