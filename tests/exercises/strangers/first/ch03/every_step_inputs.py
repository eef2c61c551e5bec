"""Answers to exercise ``every_step_inputs``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the context first, the word second")
def every_step_inputs(embedded, final):
    beside = final.unsqueeze(1).expand(-1, embedded.shape[1], -1)
    return torch.cat([beside, embedded], dim=-1)


@wrong("repeat and view mix the sentences")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    return torch.cat([embedded, final.repeat(T, 1).view(B, T, -1)], dim=-1)


@wrong("the context at the first step only")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    beside = torch.zeros(B, T, final.shape[1])
    beside[:, 0] = final
    return torch.cat([embedded, beside], dim=-1)


@wrong("the first sentence's context for all")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    return torch.cat([embedded, final[0].expand(B, T, -1)], dim=-1)


@wrong("the mean of all contexts")
def every_step_inputs(embedded, final):
    B, T, _ = embedded.shape
    return torch.cat([embedded, final.mean(0).expand(B, T, -1)], dim=-1)


@wrong("one step more: the context as a word in front")
def every_step_inputs(embedded, final):
    E = embedded.shape[2]
    return torch.cat([final[:, :E].unsqueeze(1), embedded], dim=1)


@wrong("added, not put side by side")
def every_step_inputs(embedded, final):
    M = min(embedded.shape[2], final.shape[1])
    return embedded[..., :M] + final[:, :M].unsqueeze(1)


@wrong("no gradient reaches the encoder")
def every_step_inputs(embedded, final):
    beside = final.detach().unsqueeze(1).expand(-1, embedded.shape[1], -1)
    return torch.cat([embedded, beside], dim=-1)


@wrong("expanded along the wrong dimension, works for B = T: step t gets sentence t")
def every_step_inputs(embedded, final):
    beside = final.unsqueeze(0).expand(embedded.shape[0], -1, -1)
    return torch.cat([embedded, beside], dim=-1)


@wrong("only the first word is kept, beside the context")
def every_step_inputs(embedded, final):
    return torch.cat([embedded[:, 0], final], dim=-1)


@wrong("a tanh over the context, as in the bridge")
def every_step_inputs(embedded, final):
    beside = torch.tanh(final).unsqueeze(1).expand(-1, embedded.shape[1], -1)
    return torch.cat([embedded, beside], dim=-1)


@wrong("steps first: (T, B, E + M)")
def every_step_inputs(embedded, final):
    return torch.stack([torch.cat([word, final], dim=-1) for word in embedded.unbind(1)])


@right
def every_step_inputs(embedded, final):
    steps = []
    for t in range(embedded.shape[1]):
        steps.append(torch.cat([embedded[:, t], final], dim=1))
    return torch.stack(steps, dim=1)


@right
def every_step_inputs(embedded, final):
    B, T, E = embedded.shape
    result = embedded.new_zeros(B, T, E + final.shape[1])
    result[:, :, :E] = embedded
    result[:, :, E:] = final[:, None]
    return result


@right
def every_step_inputs(embedded, final):
    T = embedded.shape[1]
    beside = final.repeat_interleave(T, dim=0).reshape(len(final), T, final.shape[1])
    return torch.cat((embedded, beside), 2)
