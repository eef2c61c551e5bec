"""Answers to exercise ``dot_score``, as learners write them."""

import torch
from answering import right, wrong


@wrong("the reader has to guess")
def dot_score(query, keys):
    return torch.bmm(query, keys.mT)


@wrong("Compare the sizes first")
def dot_score(query, keys):
    return (query[:, :, None, :] * keys[:, None, :, :]).sum(-1)


@wrong("It has an answer for a query of 2 numbers and keys of 4")
def dot_score(query, keys):
    n = min(query.shape[-1], keys.shape[-1])
    return query[..., :n] @ keys[..., :n].transpose(-1, -2)


@wrong("It has an answer for a query of 2 numbers and keys of 1")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1] and keys.shape[-1] > 1:
        raise ValueError(f"{query.shape[-1]} and {keys.shape[-1]} numbers")
    return torch.einsum("btsh->bts", query.unsqueeze(2) * keys.unsqueeze(1))


@wrong("Name both sizes")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError("wrong sizes")
    return query @ keys.transpose(1, 2)


@wrong("raises AssertionError")
def dot_score(query, keys):
    assert query.shape[-1] == keys.shape[-1]
    return query @ keys.transpose(1, 2)


@wrong("query t belongs in row t")
def dot_score(query, keys):
    if query.size(-1) != keys.size(-1):
        raise ValueError(f"query has {query.size(-1)} numbers, keys {keys.size(-1)}")
    return torch.einsum("bsh,bth->bst", keys, query)


@wrong("These are weights")
def dot_score(query, keys):
    if query.size(-1) != keys.size(-1):
        raise ValueError(f"query has {query.size(-1)} numbers, keys {keys.size(-1)}")
    return torch.softmax(torch.einsum("bth,bsh->bts", query, keys), dim=2)


@wrong("This is the cosine")
def dot_score(query, keys):
    if query.size(-1) != keys.size(-1):
        raise ValueError(f"query has {query.size(-1)} numbers, keys {keys.size(-1)}")
    return torch.cosine_similarity(query.unsqueeze(2), keys.unsqueeze(1), dim=-1)


@wrong("a mean of products")
def dot_score(query, keys):
    if query.size(-1) != keys.size(-1):
        raise ValueError(f"query has {query.size(-1)} numbers, keys {keys.size(-1)}")
    return torch.einsum("bth,bsh->bts", query, keys) / query.size(-1)


@wrong("4 is missing")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if a != b:
        raise ValueError(f"query has size {a}, keys have size {a}")
    return torch.einsum("bth,bsh->bts", query, keys)


@wrong("The keys of the first sentence serve all sentences")
def dot_score(query, keys):
    if query.size(-1) != keys.size(-1):
        raise ValueError(f"query has {query.size(-1)} numbers, keys {keys.size(-1)}")
    return query @ keys[0].T


@wrong("every row shows its scores")
def dot_score(query, keys):
    if query.size(-1) != keys.size(-1):
        raise ValueError(f"query has {query.size(-1)} numbers, keys {keys.size(-1)}")
    scores = torch.einsum("bh,bsh->bs", query[:, 0], keys)
    return scores.unsqueeze(1).repeat(1, query.shape[1], 1)


@wrong("No gradient comes back")
def dot_score(query, keys):
    hq, hk = query.shape[-1], keys.shape[-1]
    if hq != hk:
        raise ValueError(f"{tuple(query.shape)} does not fit {tuple(keys.shape)}")
    rows = [[[float(torch.dot(s, h)) for h in k] for s in q] for q, k in zip(query, keys)]
    return torch.tensor(rows)


@wrong("No gradient comes back")
def dot_score(query, keys):
    import numpy as np

    if query.size(2) != keys.size(2):
        raise ValueError("query size %d differs from key size %d" % (query.size(2), keys.size(2)))
    return np.einsum("bth,bsh->bts", query.double().numpy(), keys.double().numpy())


@right
def dot_score(query, keys):
    hq, hk = query.shape[-1], keys.shape[-1]
    if hq != hk:
        raise ValueError(f"{tuple(query.shape)} does not fit {tuple(keys.shape)}")
    rows = [torch.stack([k @ s for s in q]) for q, k in zip(query, keys)]
    return torch.stack(rows)


@right
def dot_score(query, keys):
    if query.size(2) != keys.size(2):
        raise ValueError("query size %d differs from key size %d" % (query.size(2), keys.size(2)))
    return torch.einsum("bth,bsh->bts", query.double(), keys.double())


@wrong("Which dimension must be equal")
def dot_score(query, keys):
    if query.shape[1] != keys.shape[1]:
        raise ValueError(f"{query.shape[1]} and {keys.shape[1]} do not fit")
    return query @ keys.transpose(1, 2)


@wrong("Is the f before the string missing?")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError("{query.shape[-1]} and {keys.shape[-1]} do not fit")
    return query @ keys.transpose(1, 2)


@wrong("The keys are not transposed")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(f"{query.shape[-1]} and {keys.shape[-1]} do not fit")
    return torch.matmul(query, keys)
