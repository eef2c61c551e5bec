"""Answers to exercise ``attentional_vector``, as learners write them."""

from answering import wrong


@wrong("The state comes first here")
def attentional_vector(context, state, weight):
    import torch

    both = torch.cat((state, context), dim=2)
    return torch.tanh(torch.nn.functional.linear(both, weight))


@wrong("Where is the tanh")
def attentional_vector(context, state, weight):
    import torch

    return torch.cat([context, state], -1) @ weight.transpose(0, 1)


@wrong("The tanh comes last")
def attentional_vector(context, state, weight):
    import torch

    return torch.tanh(torch.cat([context, state], dim=-1)) @ weight.T


@wrong("This is a softmax")
def attentional_vector(context, state, weight):
    import torch

    logits = torch.cat([context, state], dim=-1) @ weight.T
    return torch.softmax(logits, dim=-1)


@wrong("Only the context is used")
def attentional_vector(context, state, weight):
    width = context.size(-1)
    return (context @ weight[:, :width].T).tanh()


@wrong("The shape")
def attentional_vector(context, state, weight):
    import torch

    both = torch.cat([context, state], dim=1)
    return torch.tanh(both)
