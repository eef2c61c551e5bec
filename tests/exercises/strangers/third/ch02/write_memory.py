import torch
from answering import right, wrong


@wrong("the gates of the two products are swapped: input on the old, forget on the new")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    kept = torch.sigmoid(input_sum) * cell
    new = torch.sigmoid(forget_sum) * torch.tanh(candidate_sum)
    return kept + new


@wrong("the candidate goes through a sigmoid, like the gates")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = (torch.sigmoid(s) for s in (input_sum, forget_sum, candidate_sum))
    return f * cell + i * g


@wrong("the sums are used as they are, without a bend")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return forget_sum * cell + input_sum * candidate_sum


@wrong("tanh for all three, gates as well")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return torch.tanh(forget_sum) * cell + torch.tanh(input_sum) * torch.tanh(candidate_sum)


@wrong("one tanh round the whole result, as for the hidden state")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    c = torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    return torch.tanh(c)


@wrong("1 − forget as the input's share: a GRU's mix, the input gate is not used")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    f = torch.sigmoid(forget_sum)
    return f * cell + (1 - f) * torch.tanh(candidate_sum)


@wrong("the forget gate read as how much is forgotten: 1 − f keeps")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    f = torch.sigmoid(forget_sum)
    return (1 - f) * cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)


@wrong("the old memory is written in place")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    cell *= torch.sigmoid(forget_sum)
    cell += torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    return cell


@wrong("the old memory is left out of its product: f + i·g")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return torch.sigmoid(forget_sum) + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)


@right
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    forget = 1 / (1 + (-forget_sum).exp())
    write = 1 / (1 + (-input_sum).exp())
    return torch.addcmul(forget * cell, write, candidate_sum.tanh())


@right
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    gates = torch.stack([forget_sum, input_sum]).sigmoid()
    contents = torch.stack([cell, candidate_sum.tanh()])
    return (gates * contents).sum(0)
