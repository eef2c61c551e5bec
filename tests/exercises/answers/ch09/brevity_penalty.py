"""Answers to exercise ``brevity_penalty``, as learners write them."""

from answering import wrong


@wrong("harsher of the two")
def brevity_penalty(hypothesis_length, reference_length):
    return min(1.0, hypothesis_length / reference_length)


@wrong("c and r have changed places")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    c, r = reference_length, hypothesis_length
    if c == 0:
        return 0.0
    return 1.0 if c >= r else math.exp(1 - r / c)


@wrong("grows beyond 1")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length == 0:
        return 0.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("upside down")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length < reference_length:
        return math.exp(1 - hypothesis_length / reference_length)
    return 1.0


@wrong("The 1 is missing")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length < reference_length:
        return math.exp(-reference_length / hypothesis_length)
    return 1.0


@wrong("With c = 0 it raises")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("too long is punished as well")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    short, long = sorted([hypothesis_length, reference_length])
    return math.exp(1 - long / short) if short else 0.0


@wrong("half the length")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    share = hypothesis_length / reference_length
    return min(1.0, share**0.5)
