"""Answers to exercise ``feeding_decoder``, as learners write them."""

import torch
from answering import wrong


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
