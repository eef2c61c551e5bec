import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the old state asks: Bahdanau's order")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, new], dim=-1) @ W_c.T)
    return made, new, weights


@wrong("the state stands before the context")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([state, context], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("no tanh")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.cat([context, state], dim=-1) @ W_c.T
    return made, state, weights


@wrong("the mask is forgotten")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("the mask the wrong way round")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("padding gets the score 0 in place of −∞")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, 0.0).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("the weights are masked after the softmax and do not sum to 1")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.softmax(-1) * mask
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("softmax over the batch")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(0)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("no matrix: the bare dot product")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = (state.unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("the state before the step is returned")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    before = state
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, before, weights


@wrong("the attentional vector and the state are swapped in what is returned")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return state, made, weights


@wrong("the word is put before the context instead of the state behind it")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, word], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("scaled by the root of the keys' size")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    scores = scores / keys.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("the cell gets its arguments the other way round")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(state, word)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("two steps: the cell is called a second time for the vector")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, cell(word, state)], dim=-1) @ W_c.T)
    return made, state, weights


@wrong("the scores are returned in place of the weights")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, state], dim=-1) @ W_c.T)
    return made, state, scores


@wrong("the old state stands in the vector beside the context")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    old = state
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    made = torch.tanh(torch.cat([context, old], dim=-1) @ W_c.T)
    return made, state, weights


@right
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    after = cell(word, state)
    scores = torch.einsum("bh,he,bse->bs", after, W_a, keys)
    scores = torch.where(mask, scores, torch.tensor(-math.inf))
    weights = torch.softmax(scores, dim=1)
    context = torch.einsum("bs,bse->be", weights, keys)
    He = keys.shape[2]
    return torch.tanh(F.linear(context, W_c[:, :He]) + F.linear(after, W_c[:, He:])), after, weights


@right
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    after = cell(word, state)
    vectors, rows = [], []
    for s, h, real in zip(after, keys, mask):
        e = h[real] @ (W_a.T @ s)
        alpha = torch.zeros(len(h), dtype=e.dtype)
        alpha[real] = (e - e.logsumexp(0)).exp()
        rows.append(alpha)
        vectors.append(torch.tanh(W_c @ torch.cat([alpha @ h, s])))
    return torch.stack(vectors), after, torch.stack(rows)
