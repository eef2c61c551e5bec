import torch
from answering import right, wrong


@wrong("adds 1 to the sum, to be on the safe side of a division by zero")
def shares(amounts):
    return amounts / (amounts.sum() + 1)


@wrong("divides by the length of the vector (its norm)")
def shares(amounts):
    return amounts / amounts.norm()


@wrong("rounds to two digits, as in the example of the text")
def shares(amounts):
    return (amounts / amounts.sum() * 100).round() / 100


@wrong("whole-number division")
def shares(amounts):
    return amounts // amounts.sum()


@wrong("returns a list of Python numbers, not a tensor")
def shares(amounts):
    total = sum(amounts.tolist())
    return [a / total for a in amounts.tolist()]


@wrong("the running sum is the divisor, so each share is only of what came before")
def shares(amounts):
    return amounts / amounts.cumsum(0)


@right
def shares(amounts):
    total = 0.0
    for amount in amounts:
        total = total + amount
    return torch.stack([amount / total for amount in amounts])


@right
def shares(amounts):
    return amounts / torch.einsum("n->", amounts)
