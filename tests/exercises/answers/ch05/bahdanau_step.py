"""Answers to exercise ``bahdanau_step``, as learners write them."""

from answering import wrong


@wrong("Luong's order")
def bahdanau_step(word, state, keys, mask, attend, cell):
    new = cell(word, state)
    context, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return new, weights


@wrong("The context stands before the word")
def bahdanau_step(word, state, keys, mask, attend, cell):
    import torch

    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([context.squeeze(1), word], dim=1), state), weights


@wrong("The word itself is the query")
def bahdanau_step(word, state, keys, mask, attend, cell):
    import torch

    context, weights = attend(word.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([word, context.squeeze(1)], dim=1), state), weights


@wrong("The previous word is missing")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(context.squeeze(1), state), weights


@wrong("The context never enters the step")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    state = cell(word, state)
    return state, weights


@wrong("Was the mask handed on")
def bahdanau_step(word, state, keys, mask, attend, cell):
    import torch

    everything = torch.ones(mask.shape, dtype=torch.bool)
    context, weights = attend(state.unsqueeze(1), keys, keys, everything)
    return cell(torch.cat([word, context.squeeze(1)], -1), state), weights
