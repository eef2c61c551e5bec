"""Answers to exercise ``adam_step``, as learners write them."""

import torch
from answering import right, wrong


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


@right
def adam_step(parameter, gradient, mean, square, step, rate):
    new_mean = mean.clone().mul_(0.9).add_(gradient, alpha=0.1)
    new_square = square.clone().mul_(0.98).addcmul_(gradient, gradient, value=0.02)
    size = rate / (1 - 0.9**step)
    root = (new_square / (1 - 0.98**step)).sqrt().add_(1e-8)
    return parameter - size * new_mean / root, new_mean, new_square


@right
def adam_step(parameter, gradient, mean, square, step, rate):
    copy = torch.nn.Parameter(parameter.clone())
    copy.grad = gradient.clone()
    adam = torch.optim.Adam([copy], lr=rate, betas=(0.9, 0.98))
    adam.state[copy] = {
        "step": torch.tensor(float(step - 1)),
        "exp_avg": mean.clone(),
        "exp_avg_sq": square.clone(),
    }
    adam.step()
    return copy.detach(), adam.state[copy]["exp_avg"], adam.state[copy]["exp_avg_sq"]
