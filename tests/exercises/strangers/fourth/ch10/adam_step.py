import math

import torch
from answering import right, wrong


@wrong("only the mean is corrected")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    return parameter - rate * mean_hat / (square.sqrt() + 1e-8), mean, square


@wrong("only the square is corrected")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean / (square_hat.sqrt() + 1e-8), mean, square


@wrong("epsilon inside the root")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat + 1e-8).sqrt(), mean, square


@wrong("plus: up the hill")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter + rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("-= changes the caller's parameter")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    with torch.no_grad():
        parameter -= rate * mean_hat / (square_hat.sqrt() + 1e-8)
    return parameter, mean, square


@wrong("mul_ and add_ change the caller's running means")
def adam_step(parameter, gradient, mean, square, step, rate):
    with torch.no_grad():
        mean.mul_(0.9).add_(gradient, alpha=0.1)
        square.mul_(0.98).addcmul_(gradient, gradient, value=0.02)
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("beta 2 is torch's default, 0.999")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.999**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the betas are exchanged")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.98 * mean + 0.02 * gradient
    square = 0.9 * square + 0.1 * gradient**2
    mean_hat = mean / (1 - 0.98**step)
    square_hat = square / (1 - 0.9**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the betas are exchanged in the corrections only")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.98**step)
    square_hat = square / (1 - 0.9**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the same beta, 0.9, for both")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.9 * square + 0.1 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.9**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the gradient is not squared")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the mean is squared, not the gradient")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * mean**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("steps counted from 0: 1 − β⁰ is 0 at the first update")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9 ** (step - 1))
    square_hat = square / (1 - 0.98 ** (step - 1))
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("one step too many in the corrections")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9 ** (step + 1))
    square_hat = square / (1 - 0.98 ** (step + 1))
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the correction multiplies where it should divide")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean * (1 - 0.9**step)
    square_hat = square * (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the correction by 1 − β, without the power of t")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9)
    square_hat = square / (1 - 0.98)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("β · t where β to the power of t is meant")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9 * step)
    square_hat = square / (1 - 0.98 * step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("no root")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat + 1e-8), mean, square


@wrong("the root first, the correction after it")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    root = square.sqrt() / (1 - 0.98**step)
    return parameter - rate * mean_hat / (root + 1e-8), mean, square


@wrong("no epsilon: 0 / 0 where the gradient has always been 0")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / square_hat.sqrt(), mean, square


@wrong("epsilon 10e-8 is ten times too large")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 10e-8), mean, square


@wrong("epsilon is added to the root of the square before the correction")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    size = rate * math.sqrt(1 - 0.98**step) / (1 - 0.9**step)
    return parameter - size * mean / (square.sqrt() + 1e-8), mean, square


@wrong("epsilon is added to the whole fraction")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / square_hat.sqrt() + 1e-8, mean, square


@wrong("old and new are exchanged: 0.1 of the old mean, 0.9 of the gradient")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.1 * mean + 0.9 * gradient
    square = 0.02 * square + 0.98 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the step is made with the means from before it")
def adam_step(parameter, gradient, mean, square, step, rate):
    new_mean = 0.9 * mean + 0.1 * gradient
    new_square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), new_mean, new_square


@wrong("the old means come back")
def adam_step(parameter, gradient, mean, square, step, rate):
    m = 0.9 * mean + 0.1 * gradient
    v = 0.98 * square + 0.02 * gradient**2
    m_hat = m / (1 - 0.9**step)
    v_hat = v / (1 - 0.98**step)
    return parameter - rate * m_hat / (v_hat.sqrt() + 1e-8), mean, square


@wrong("only the parameter comes back")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8)


@wrong("square before mean in what comes back")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), square, mean


@wrong("one square for the whole tensor, not one for every number")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * (gradient**2).mean()
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("always the sign of the gradient times the rate, which is the first step only")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    return parameter - rate * gradient.sign(), mean, square


@wrong("the gradient itself is divided by the root, the mean is not used")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * gradient / (square_hat.sqrt() + 1e-8), mean, square


@wrong("a fresh torch.optim.Adam each time: the given means are ignored")
def adam_step(parameter, gradient, mean, square, step, rate):
    p = parameter.detach().clone().requires_grad_()
    p.grad = gradient.detach().clone()
    optimizer = torch.optim.Adam([p], lr=rate, betas=(0.9, 0.98), eps=1e-8)
    optimizer.step()
    state = optimizer.state[p]
    return p.detach(), state["exp_avg"], state["exp_avg_sq"]


@wrong("sums instead of means: the new gradient is not weighted by 1 − β")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + gradient
    square = 0.98 * square + gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("the rate is forgotten")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("precedence: only the new part is divided by 1 − β to the power of t")
def adam_step(parameter, gradient, mean, square, step, rate):
    new_mean = 0.9 * mean + 0.1 * gradient
    new_square = 0.98 * square + 0.02 * gradient**2
    mean_hat = 0.9 * mean + 0.1 * gradient / (1 - 0.9**step)
    square_hat = 0.98 * square + 0.02 * gradient**2 / (1 - 0.98**step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), new_mean, new_square


@wrong("β ^ t is an exclusive or in Python, and no number of a float")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9 ^ step)
    square_hat = square / (1 - 0.98 ^ step)
    return parameter - rate * mean_hat / (square_hat.sqrt() + 1e-8), mean, square


@wrong("math.sqrt of a tensor of several numbers")
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return parameter - rate * mean_hat / (math.sqrt(square_hat) + 1e-8), mean, square


@right
def adam_step(parameter, gradient, mean, square, step, rate):
    b1, b2, eps = 0.9, 0.98, 1e-8
    m = b1 * mean + (1 - b1) * gradient
    v = b2 * square + (1 - b2) * gradient * gradient
    m_hat, v_hat = m / (1 - b1**step), v / (1 - b2**step)
    return parameter - rate * m_hat / (torch.sqrt(v_hat) + eps), m, v


@right
def adam_step(parameter, gradient, mean, square, step, rate):
    mean = torch.lerp(mean, gradient, 0.1)
    square = square.mul(0.98).addcmul(gradient, gradient, value=0.02)
    root = square.sqrt() / math.sqrt(1 - math.pow(0.98, step))
    moved = torch.addcdiv(parameter, mean, root + 1e-8, value=-rate / (1 - 0.9**step))
    return moved, mean, square


@right
def adam_step(parameter, gradient, mean, square, step, rate):
    # One number after the other, along the flattened tensors.
    new = [[], [], []]
    flat = (t.flatten() for t in (parameter, gradient, mean, square))
    for theta, g, m, v in zip(*flat):
        m = 0.9 * m + 0.1 * g
        v = 0.98 * v + 0.02 * g**2
        move = (m / (1 - 0.9**step)) / ((v / (1 - 0.98**step)) ** 0.5 + 1e-8)
        for numbers, number in zip(new, (theta - rate * move, m, v)):
            numbers.append(number)
    return [torch.stack(numbers).view(parameter.shape) for numbers in new]


@right
def adam_step(parameter, gradient, mean, square, step, rate):
    # torch's own, with the given means put into its memory.
    p = torch.nn.Parameter(parameter.detach().clone())
    p.grad = gradient.detach().clone()
    optimizer = torch.optim.Adam([p], lr=rate, betas=(0.9, 0.98), eps=1e-8)
    optimizer.state[p] = {
        "step": torch.tensor(float(step - 1)),
        "exp_avg": mean.detach().clone(),
        "exp_avg_sq": square.detach().clone(),
    }
    optimizer.step()
    return p.detach(), optimizer.state[p]["exp_avg"], optimizer.state[p]["exp_avg_sq"]
