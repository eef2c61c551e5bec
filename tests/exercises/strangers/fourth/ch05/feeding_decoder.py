import torch
from answering import right, wrong


@wrong("the context is fed back, not the attentional vector")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = context.squeeze(1)
        vectors.append(torch.tanh(torch.cat([fed, state], dim=-1) @ weight.T))
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the cell gets [s̃; word], in the wrong order")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([fed, words[:, t]], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("W_c gets [state; context], in the wrong order")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([state, context.squeeze(1)], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the old state asks, before the cell (Bahdanau's order)")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("no tanh around W_c [c; s]")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.cat([context.squeeze(1), state], dim=-1) @ weight.T
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("nothing is fed: the zeros of the beginning at every step")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        s_tilde = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(s_tilde)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the state is not carried: every step starts from s_0")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        new = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(new.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), new], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the attentional vector takes the place of the state, too")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        state = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        fed = state
        vectors.append(state)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the mask is not handed on")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, None)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("W_c is not transposed")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("stacked along dimension 0: time comes before the batch")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors), torch.stack(looks)


@wrong("the weights keep the dimension of the one query: (B, T, 1, S)")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights)
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("zeros like the state at the beginning: s̃ has the size O, not Hd")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = torch.zeros_like(state)
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("s̃_0 is made of the first state, where it should be 0")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    context, _ = attend(state.unsqueeze(1), keys, keys, mask)
    fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("s̃ is detached before it is fed: no gradient goes back through the feeding")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed.detach()], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the states come back, not the attentional vectors")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    states, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        states.append(state)
        looks.append(weights.squeeze(1))
    return torch.stack(states, dim=1), torch.stack(looks, dim=1)


@wrong("the weights come first in the pair")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(looks, dim=1), torch.stack(vectors, dim=1)


@wrong("lists come back, unstacked")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return vectors, looks


@wrong("only the last vector and its weights")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
    return fed, weights.squeeze(1)


@wrong("a loop over words: that is over the sentences, not over time")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for word in words:
        state = cell(torch.cat([word, fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("one step too few: the loop begins at 1")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(1, words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("squeeze() without a dimension drops the batch, too, where it is 1")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze())
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("asks with unsqueeze(0): one sentence with B queries")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(state.unsqueeze(0), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(0), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(0))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("the fed vector s̃_{t−1} asks, not the state")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    fed = words.new_zeros(len(words), weight.shape[0])
    vectors, looks = [], []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, weights = attend(fed.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(fed)
        looks.append(weights.squeeze(1))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)


@wrong("all states first, without feeding, then attention for all of them at once")
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    nothing = words.new_zeros(len(words), weight.shape[0])
    states = []
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t], nothing], dim=-1), state)
        states.append(state)
    s = torch.stack(states, dim=1)
    context, weights = attend(s, keys, keys, mask)
    return torch.tanh(torch.cat([context, s], dim=-1) @ weight.T), weights


@right
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    batch, length, _ = words.shape
    s_tilde = torch.zeros(batch, weight.size(0), dtype=words.dtype)
    all_vectors, all_weights = [], []
    for word in words.unbind(dim=1):
        state = cell(torch.cat((word, s_tilde), dim=1), state)
        context, alpha = attend(state[:, None], keys, keys, mask)
        both = torch.cat((context[:, 0], state), dim=1)
        s_tilde = torch.tanh(torch.nn.functional.linear(both, weight))
        all_vectors.append(s_tilde)
        all_weights.append(alpha[:, 0])
    return torch.stack(all_vectors, 1), torch.stack(all_weights, 1)


@right
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    out = []
    looks = []
    size = keys.shape[2]
    fed = weight.new_zeros(words.shape[0], weight.shape[0])
    for t in range(words.shape[1]):
        state = cell(torch.cat([words[:, t, :], fed], -1), state)
        c, a = attend(state.unsqueeze(1), keys, keys, mask)
        # W_c [c; s] is the sum of two products
        pre = c @ weight[:, :size].T + state.unsqueeze(1) @ weight[:, size:].T
        out.append(torch.tanh(pre))  # (B, 1, O)
        looks.append(a)
        fed = out[-1].squeeze(1)
    return torch.cat(out, dim=1), torch.cat(looks, dim=1)


@right
def feeding_decoder(words, state, keys, mask, attend, cell, weight):
    def step(t, state, fed):
        if t == words.shape[1]:
            return [], []
        state = cell(torch.cat([words[:, t], fed], dim=-1), state)
        context, alpha = attend(state.unsqueeze(1), keys, keys, mask)
        fed = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.t())
        vectors, looks = step(t + 1, state, fed)
        return [fed, *vectors], [alpha.squeeze(1), *looks]

    vectors, looks = step(0, state, torch.zeros(len(words), len(weight)).to(words))
    return torch.stack(vectors, dim=1), torch.stack(looks, dim=1)
