"""Answers to exercise ``every_step_inputs``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the context stands before the word")
def every_step_inputs(embedded, final):
    context = final.unsqueeze(1).expand(-1, embedded.shape[1], -1)
    return torch.cat([context, embedded], dim=-1)


@wrong("repeat and view mix the sentences: a row gets other sentences' states")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    context = final.repeat(T, 1).view(B, T, -1)
    return torch.cat([embedded, context], dim=2)


@wrong("only the first step gets the context, the others zeros")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    context = torch.zeros(B, T, final.shape[1])
    context[:, 0] = final
    return torch.cat([embedded, context], dim=-1)


@wrong("added instead of put beside")
def every_step_inputs(embedded, final):
    return embedded + final.unsqueeze(1)


@wrong("every row gets the state of the first sentence")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    return torch.cat([embedded, final[0].expand(B, T, -1)], dim=-1)


@wrong("the state is put after the last word, along the steps")
def every_step_inputs(embedded, final):
    return torch.cat([embedded, final.unsqueeze(1)], dim=1)


@wrong("the state is detached: no gradient reaches the encoder")
def every_step_inputs(embedded, final):
    context = final.detach().unsqueeze(1).repeat(1, embedded.size(1), 1)
    return torch.cat([embedded, context], dim=-1)


@right
def every_step_inputs(embedded, final):
    steps = [torch.cat([embedded[:, t], final], dim=1) for t in range(embedded.shape[1])]
    return torch.stack(steps, dim=1)


@right
def every_step_inputs(embedded, final):
    B, T, E = embedded.shape
    out = embedded.new_empty(B, T, E + final.shape[1])
    out[..., :E] = embedded
    out[..., E:] = final[:, None]
    return out
