"""Answers to exercise ``luong_step``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The *old* state asks")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    new = cell(word, state)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("[s ; c] instead of [c ; s]")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = ((new @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([new, context], -1) @ W_c.T), new, weights


@wrong("Was the mask forgotten")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    weights = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("the wrong way round: it marks the real words")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
    weights = scores.masked_fill(mask, -1e9).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("The tanh is missing")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.cat([context, new], -1) @ W_c.T, new, weights


@wrong("squeeze() takes away every dimension")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze()
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("after the softmax, so padding has taken its share")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    weights = torch.softmax((keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1), dim=-1) * mask
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("The old state comes back")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), state, weights


@wrong("squeeze(1)")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = (new @ W_a).unsqueeze(1) @ keys.transpose(1, 2)
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(-1)
    context = (weights @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("No gradient comes back")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = (keys.detach() @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys.detach()).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@right
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    scores = torch.einsum("bh,he,bse->bs", new, W_a, keys)
    weights = torch.where(mask, scores, -1e30).softmax(1)
    context = (weights[..., None] * keys).sum(1)
    c_columns, s_columns = W_c.split([keys.shape[-1], state.shape[-1]], dim=1)
    return [torch.tanh(context @ c_columns.T + new @ s_columns.T), new, weights]


@right
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    new = cell(word, state)
    found, looks = [], []
    for s, h, real in zip(new, keys, mask):
        e = torch.exp(h @ (W_a.T @ s) - (h @ (W_a.T @ s))[real].max()) * real
        alpha = e / e.sum()
        looks.append(alpha)
        found.append(torch.tanh(W_c @ torch.cat([alpha @ h, s])))
    return torch.stack(found), new, torch.stack(looks)


# Mistakes that nobody has foreseen: the rules say what does not hold.


def rest(word, state, keys, cell, W_c, weigh):
    new = cell(word, state)
    weights = weigh(new)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, new], -1) @ W_c.T), new, weights


@wrong("changes with what stands at padding")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    def weigh(new):
        scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
        return (scores - 3.0 * ~mask).softmax(-1)

    return rest(word, state, keys, cell, W_c, weigh)


@wrong("The weights of a sentence sum to")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    def weigh(new):
        scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
        return scores.sigmoid() * mask

    return rest(word, state, keys, cell, W_c, weigh)


@wrong("The weights do not change with the word")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    def weigh(new):
        return keys.norm(dim=-1).masked_fill(~mask, -torch.inf).softmax(-1)

    return rest(word, state, keys, cell, W_c, weigh)


@wrong("what follows W_c [c ; s]?")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    def weigh(new):
        scores = (keys @ (new @ W_a).unsqueeze(-1)).squeeze(-1)
        return scores.masked_fill(~mask, -torch.inf).softmax(-1)

    output, new, weights = rest(word, state, keys, cell, W_c, weigh)
    return 5 * output, new, weights


@wrong("stands among the weights, and a weight lies between 0 and 1")
def luong_step(word, state, keys, mask, cell, W_a, W_c):
    state = cell(word, state)
    scores = torch.einsum("bh,he,bse->bs", state, W_a, keys).masked_fill(~mask, -1e9)
    context = torch.einsum("bs,bse->be", scores.softmax(-1), keys)
    return torch.tanh(torch.cat([context, state], -1) @ W_c.T), state, scores
