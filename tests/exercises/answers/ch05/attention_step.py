"""Answers to exercise ``attention_step``, as learners write them."""

import torch
from answering import wrong
from torch.nn import functional as F


@wrong("Are these the scores, from before the softmax")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states * state.unsqueeze(1)).sum(-1) * mask
    context = (scores.unsqueeze(1) @ encoder_states).squeeze(1)
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), scores


@wrong("goes to the word with the largest score")
def attention_step(state, encoder_states, mask, weight):
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
    alpha = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = encoder_states[torch.arange(len(state)), alpha.argmax(-1)]
    return torch.tanh(torch.cat([context, state], -1) @ weight.T), alpha


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
