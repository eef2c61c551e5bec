"""Answers to exercise ``write_memory``, as learners write them."""

from answering import wrong


@wrong("The sums are used as they are")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return cell * f + i * g


@wrong("The candidate is not bent")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return cell * f.sigmoid() + g * i.sigmoid()


@wrong("nothing negative can be written")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return f.sigmoid() * cell + i.sigmoid() * g.sigmoid()


@wrong("The two gates are exchanged")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return i.sigmoid() * cell + f.sigmoid() * g.tanh()


@wrong("that is one gate for both")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    import torch

    i, f, g = input_sum, forget_sum, candidate_sum
    return torch.lerp(g.tanh(), cell, f.sigmoid())


@wrong("f = 1 keeps the memory")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return cell - f.sigmoid() * cell + i.sigmoid() * g.tanh()


@wrong("the tanh comes when it is read")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return (f.sigmoid() * cell + i.sigmoid() * g.tanh()).tanh()
