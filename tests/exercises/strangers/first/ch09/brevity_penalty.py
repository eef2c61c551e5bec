"""Answers to exercise ``brevity_penalty``, written from its statement alone."""

import math

from answering import right, wrong


@wrong("the fraction is turned round")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - hypothesis_length / reference_length)


@wrong("an empty hypothesis is a division by zero")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("what is too long is rewarded: no case for c ≥ r")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("the plain ratio, without the exponential")
def brevity_penalty(hypothesis_length, reference_length):
    return min(1.0, hypothesis_length / reference_length) if reference_length else 1.0


@wrong("what is too long is punished, too")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    a, b = sorted((hypothesis_length, reference_length))
    return math.exp(1 - b / a) if a else 1.0


@wrong("whole-number division")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length // hypothesis_length)


@wrong("the difference of the lengths, not their ratio")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    return min(1.0, math.exp(hypothesis_length - reference_length))


@wrong("two empty texts are given 1")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length >= reference_length:
        return 1.0
    if hypothesis_length == 0:
        return 0.0
    return math.exp(1 - reference_length / hypothesis_length)


@right
def brevity_penalty(hypothesis_length, reference_length):
    c, r = hypothesis_length, reference_length
    return math.exp(min(0.0, 1 - r / c)) if c > 0 else 0.0


@right
def brevity_penalty(hypothesis_length, reference_length):
    if not hypothesis_length:
        return 0
    if hypothesis_length >= reference_length:
        return 1
    return math.e / math.e ** (reference_length / hypothesis_length)
