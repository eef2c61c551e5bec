"""Answers to exercise ``attention_step``, as learners write them."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("The mask is not used")
def attention_step(state, encoder_states, mask, weight):
    scores = torch.einsum("bh,bsh->bs", state, encoder_states)
    alpha = F.softmax(scores, dim=1)
    context = torch.einsum("bs,bsh->bh", alpha, encoder_states)
    return torch.tanh(F.linear(torch.cat((context, state), 1), weight)), alpha


@wrong("Padding has already taken its share")
def attention_step(state, encoder_states, mask, weight):
    alpha = torch.einsum("bsh,bh->bs", encoder_states, state).softmax(-1)
    alpha = alpha.masked_fill(~mask, 0.0)
    context = torch.einsum("bs,bsh->bh", alpha, encoder_states)
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), alpha


@wrong("Are these the scores, from before the softmax")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states * state.unsqueeze(1)).sum(-1) * mask
    context = (scores.unsqueeze(1) @ encoder_states).squeeze(1)
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), scores


@wrong("divided by √H")
def attention_step(state, encoder_states, mask, weight):
    attn_mask = mask.unsqueeze(1)
    context = F.scaled_dot_product_attention(
        state.unsqueeze(1), encoder_states, encoder_states, attn_mask=attn_mask
    ).squeeze(1)
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1) / state.shape[-1] ** 0.5
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), alpha


@wrong("goes to the word with the largest score")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = encoder_states[torch.arange(len(state)), alpha.argmax(-1)]
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), alpha


@wrong("the left half of W_c belongs to the context")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (alpha.unsqueeze(-1) * encoder_states).sum(1)
    return torch.tanh(torch.cat([state, context], -1) @ weight.T), alpha


@wrong("Where is the tanh?")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (alpha.unsqueeze(-1) * encoder_states).sum(1)
    return torch.cat([context, state], -1) @ weight.T, alpha


@wrong("By hand: the states times their weights add up")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (alpha.unsqueeze(-1) * encoder_states).sum(1)
    return torch.sigmoid(torch.cat([context, state], -1) @ weight.T), alpha


@wrong("By hand: the dot products of its state")
def attention_step(state, encoder_states, mask, weight):
    scores = F.cosine_similarity(encoder_states, state.unsqueeze(1), dim=-1)
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (alpha.unsqueeze(-1) * encoder_states).sum(1)
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), alpha


@wrong("s̃ changes with the padding")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
    shown = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (scores.softmax(-1).unsqueeze(-1) * encoder_states).sum(1)
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), shown


@right
def attention_step(state, encoder_states, mask, weight):
    vectors, rows = [], []
    for s, h, real in zip(state, encoder_states, mask):
        powers = torch.exp(h @ s) * real
        alpha = powers / powers.sum()
        vectors.append(torch.tanh(weight @ torch.cat([alpha @ h, s])))
        rows.append(alpha)
    return torch.stack(vectors), torch.stack(rows)


@right
def attention_step(state, encoder_states, mask, weight):
    H = state.shape[1]
    scores = torch.einsum("bsh,bh->bs", encoder_states, state)
    alpha = torch.softmax(torch.where(mask, scores, torch.tensor(-1e9)), dim=1)
    context = torch.einsum("bs,bsh->bh", alpha, encoder_states)
    return (context @ weight[:, :H].T + state @ weight[:, H:].T).tanh(), alpha


@right
def attention_step(state, encoder_states, mask, weight):
    query = state.unsqueeze(1) * state.shape[-1] ** 0.5
    context = F.scaled_dot_product_attention(
        query, encoder_states, encoder_states, attn_mask=mask.unsqueeze(1)
    )
    scores = (query * encoder_states).sum(-1) / state.shape[-1] ** 0.5
    alpha = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return F.linear(torch.cat([context[:, 0], state], -1), weight).tanh(), alpha


@right
def attention_step(state, encoder_states, mask, weight):
    alpha = torch.bmm(encoder_states, state.unsqueeze(2)).squeeze(2).softmax(1) * mask
    alpha = alpha / alpha.sum(1, keepdim=True)
    context = torch.bmm(alpha.unsqueeze(1), encoder_states).squeeze(1)
    return [torch.tanh(torch.cat((context, state), dim=1).matmul(weight.t())), alpha]
