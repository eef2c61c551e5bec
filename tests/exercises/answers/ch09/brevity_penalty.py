"""Answers to exercise ``brevity_penalty``, as learners write them."""

from answering import wrong


@wrong("harsher of the two")
def brevity_penalty(hypothesis_length, reference_length):
    return min(1.0, hypothesis_length / reference_length)


@wrong("upside down")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length < reference_length:
        return math.exp(1 - hypothesis_length / reference_length)
    return 1.0


@wrong("It raises ZeroDivisionError: division by zero")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("who says nothing at all gets 0")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    return min(1.0, math.exp(1 - reference_length / max(hypothesis_length, 1)))
