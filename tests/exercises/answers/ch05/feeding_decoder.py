"""Answers to exercise ``feeding_decoder``, as learners write them."""

import torch
from answering import right, wrong


@wrong("It reads word 2, and behind it s̃_1, which step 1 returned")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    nothing = torch.zeros(words.shape[0], weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], nothing], dim=1), state)
        context, alpha = attend(state.unsqueeze(1), keys, keys, mask)
        vectors.append(torch.tanh(torch.cat([context.squeeze(1), state], dim=1) @ weight.T))
        looks.append(alpha)
    return torch.stack(vectors, dim=1), torch.cat(looks, dim=1)


@wrong("left columns of W_c belong to the context")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    s_tilde = torch.zeros(words.shape[0], weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], s_tilde], dim=1), state)
        context, alpha = attend(state[:, None], keys, keys, mask)
        s_tilde = torch.tanh(torch.cat([state, context[:, 0]], dim=1) @ weight.T)
        vectors.append(s_tilde)
        looks.append(alpha)
    return torch.stack(vectors, dim=1), torch.cat(looks, dim=1)


@wrong("s̃ takes the place of the state as well")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    s_tilde = torch.zeros(words.shape[0], weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], s_tilde], dim=1), state)
        context, alpha = attend(state[:, None], keys, keys, mask)
        state = s_tilde = torch.tanh(torch.cat([context[:, 0], state], dim=1) @ weight.T)
        vectors.append(s_tilde)
        looks.append(alpha)
    return torch.stack(vectors, dim=1), torch.cat(looks, dim=1)


@right
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    B, T, _ = words.shape
    vectors = [torch.zeros(B, weight.size(0), dtype=words.dtype)]
    looks = []
    for t in range(T):
        state = cell(torch.cat((words[:, t], vectors[-1]), 1), state)
        context, alpha = attend(state.view(B, 1, -1), keys, keys, mask)
        both = torch.cat((context[:, 0], state), 1)
        vectors.append(torch.nn.functional.linear(both, weight).tanh())
        looks.append(alpha[:, 0])
    return torch.stack(vectors[1:], 1), torch.stack(looks, 1)


@right
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    def step(t, old, before):
        new = cell(torch.cat([words[:, t], before], -1), old)
        context, alpha = attend(new.unsqueeze(1), keys, keys, mask)
        he = context.shape[-1]
        s_tilde = context.squeeze(1) @ weight[:, :he].T + new @ weight[:, he:].T
        return new, torch.tanh(s_tilde), alpha

    before, found = words.new_zeros(words.shape[0], weight.shape[0]), []
    for t in range(words.shape[1]):
        state, before, alpha = step(t, state, before)
        found.append((before, alpha.squeeze(1)))
    return tuple(torch.stack(list(part), dim=1) for part in zip(*found))


@wrong("which W_c and the tanh make")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    s_tilde = words.new_zeros(len(words), len(weight))
    vectors, looks = [], []
    for word in words.unbind(1):
        state = cell(torch.cat([word, s_tilde], dim=-1), state)
        _, weights = attend(state.unsqueeze(1), keys, keys, mask)
        context = (weights @ keys).squeeze(1)
        s_tilde = torch.tanh(torch.cat([context, state], dim=-1) @ weight.T)
        vectors.append(s_tilde)
        looks.append(weights)
    return torch.stack(vectors, dim=1), torch.cat(looks, dim=1)
