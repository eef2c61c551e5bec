"""Answers to exercise ``bahdanau_step``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The context stands before the word")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([context.squeeze(1), word], dim=1), state), weights


@wrong("The first sentence's [word ; context] is")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(context.squeeze(1), state), weights


@wrong("not the gradient that comes back to state")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([word, context.squeeze(1).detach()], dim=-1), state), weights


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    look = attend(state[:, None, :], keys, keys, mask)
    inputs = torch.cat((word.unsqueeze(1), look[0]), dim=2)[:, 0]
    return [cell(inputs, state).double(), look[1]]


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(torch.stack([state], dim=1), keys, keys, mask)
    inputs = torch.stack([torch.cat([w, c[0]]) for w, c in zip(word, context)])
    return cell(inputs, state), weights


@wrong("As inputs the cell was given")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([word, torch.tanh(context).squeeze(1)], dim=-1), state), weights
