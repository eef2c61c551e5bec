"""Answers to exercise ``shares``, as learners write them."""

from answering import wrong


@wrong("The largest share is 1")
def shares(amounts):
    return amounts / max(amounts)


@wrong("This is the mean")
def shares(amounts):
    return amounts / amounts.numel()


@wrong("This is the softmax")
def shares(amounts):
    return amounts.exp() / amounts.exp().sum()


@wrong("] sum to 100.00.")
def shares(amounts):
    return 100 * amounts / amounts.sum()
