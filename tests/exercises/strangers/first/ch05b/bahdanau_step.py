"""Answers to exercise ``bahdanau_step``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("Luong's order: the new state asks")
def bahdanau_step(word, state, keys, mask, attend, cell):
    empty = torch.zeros(len(word), keys.shape[-1])
    new = cell(torch.cat([word, empty], dim=-1), state)
    _, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return new, weights


@wrong("the context first, the word second")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([context.squeeze(1), word], dim=-1), state), weights


@wrong("(weights, state)")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return weights, cell(torch.cat([word, context.squeeze(1)], dim=-1), state)


@wrong("the mask is not handed on")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, None)
    return cell(torch.cat([word, context.squeeze(1)], dim=-1), state), weights


@wrong("the mask turned round, as for nn.MultiheadAttention")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, ~mask)
    return cell(torch.cat([word, context.squeeze(1)], dim=-1), state), weights


@wrong("the old state is returned")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    cell(torch.cat([word, context.squeeze(1)], dim=-1), state)
    return state, weights


@wrong("attends twice: the weights are those of the new state")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, _ = attend(state.unsqueeze(1), keys, keys, mask)
    new = cell(torch.cat([word, context.squeeze(1)], dim=-1), state)
    return new, attend(new.unsqueeze(1), keys, keys, mask)[1]


@wrong("the mean of the keys for a context")
def bahdanau_step(word, state, keys, mask, attend, cell):
    _, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([word, keys.mean(1)], dim=-1), state), weights


@wrong("the word is left out, as in the note: zeros in its place")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([torch.zeros_like(word), context.squeeze(1)], dim=-1), state), weights


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    look = attend(state[:, None, :], keys, keys, mask)
    inputs = torch.cat((word.unsqueeze(1), look[0]), dim=2)[:, 0]
    new = cell(inputs, state)
    return [new, look[1]]


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    (B, E), He = word.shape, keys.shape[2]
    context, weights = attend(state.view(B, 1, -1), keys, keys, mask)
    inputs = word.new_empty(B, E + He)
    inputs[:, :E] = word
    inputs[:, E:] = context.reshape(B, He)
    return cell(inputs, state), weights


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    query = torch.stack([state], dim=1)
    context, weights = attend(query, keys, keys, mask)
    inputs = torch.stack([torch.cat([w, c[0]]) for w, c in zip(word, context)])
    return cell(inputs, state), weights
