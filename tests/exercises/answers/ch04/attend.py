"""Answers to exercise ``attend``, as learners write them."""

import torch
from answering import wrong


@wrong("The mask is the wrong way around")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.permute(0, 2, 1))
    scores = scores.masked_fill(mask[:, None, :], float("-inf"))
    w = torch.softmax(scores, -1)
    return torch.bmm(w, values), w


@wrong("The softmax is taken over the queries")
def attend(query, keys, values, mask):
    scores = torch.einsum("bth,bsh->bts", query, keys)
    scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    w = torch.softmax(scores, dim=1)
    return torch.einsum("bts,bsd->btd", w, values), w


@wrong("the context and the weights")
def attend(query, keys, values, mask):
    scores = (query @ keys.transpose(1, 2)).masked_fill(~mask.unsqueeze(1), -torch.inf)
    return scores.softmax(-1) @ values


@wrong("Take the softmax over the keys")
def attend(query, keys, values, mask):
    scores = (query @ keys.transpose(1, 2)).masked_fill(~mask.unsqueeze(1), -torch.inf)
    w = scores.flatten().softmax(0).view(scores.shape)
    return w @ values, w
