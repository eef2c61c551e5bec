"""Answers to exercise ``feeding_decoder``, as learners write them."""

import torch
from answering import wrong


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
