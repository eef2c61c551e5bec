"""Answers to exercise ``adam_step``, as learners write them."""

from answering import wrong


@wrong("The means are not corrected")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    return parameter - rate * mean / (square.sqrt() + 1e-8), mean, square


@wrong("yours is 2")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = (0.9 * mean + 0.1 * gradient) / (1 - 0.9**step)
    square = (0.98 * square + 0.02 * gradient**2) / (1 - 0.98**step)
    return parameter - rate * mean / (square.sqrt() + 1e-8), mean, square


@wrong("not squared")
def adam_step(parameter, gradient, mean, square, step, rate):
    m = 0.9 * mean + (1 - 0.9) * gradient
    v = 0.98 * square + (1 - 0.98) * gradient
    return parameter - rate * (m / (1 - 0.9**step)) / ((v / (1 - 0.98**step)) ** 0.5 + 1e-8), m, v


@wrong("Below the line ε is missing")
def adam_step(parameter, gradient, mean, square, step, rate):
    m = 0.9 * mean + 0.1 * gradient
    v = 0.98 * square + 0.02 * gradient**2
    return parameter - rate * (m / (1 - 0.9**step)) / (v / (1 - 0.98**step)).sqrt(), m, v
