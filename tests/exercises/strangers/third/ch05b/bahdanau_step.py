import torch
from answering import right, wrong


@wrong("the weights that come back are those of the new state, which asks a second time")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    new = cell(torch.cat([word, context.squeeze(1)], dim=-1), state)
    _, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return new, weights


@wrong("the context comes back in place of the weights")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(torch.cat([word, context.squeeze(1)], dim=-1), state), context


@wrong("the cell starts from zeros instead of the state")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    inputs = torch.cat([word, context.squeeze(1)], dim=-1)
    return cell(inputs, torch.zeros_like(state)), weights


@wrong("a third thing is returned: the context as well")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    new = cell(torch.cat([word, context.squeeze(1)], dim=-1), state)
    return new, weights, context


@wrong("the new dimension is put before the batch: the sentences become queries of one sentence")
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.unsqueeze(0), keys, keys, mask)
    return cell(torch.cat([word, context[:, 0]], dim=-1), state), weights


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    asked = attend(query=state[:, None, :], keys=keys, values=keys, mask=mask)
    seen = asked[0][:, 0]
    inputs = torch.hstack((word, seen))
    return cell(inputs, state), asked[1]


@right
def bahdanau_step(word, state, keys, mask, attend, cell):
    context, weights = attend(state.view(len(state), 1, -1), keys, keys, mask)
    E = word.shape[1]
    inputs = word.new_zeros(len(word), E + context.shape[-1])
    inputs[:, :E] = word
    inputs[:, E:] = context.flatten(1)
    new_state = cell(inputs, state)
    return new_state, weights
