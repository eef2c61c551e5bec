"""Answers to exercise ``soft_lookup``, as learners write them."""

import torch
from answering import right, wrong


@wrong("Both kinds are the ratio here")
def soft_lookup(similarities, values, kind):
    weights = similarities / torch.sum(similarities)
    return torch.sum(weights * values)


@wrong("Both kinds are the softmax here")
def soft_lookup(similarities, values, kind):
    powers = torch.exp(similarities)
    return (powers / powers.sum() * values).sum()


@wrong("two kinds are exchanged")
def soft_lookup(similarities, values, kind):
    if kind == "softmax":
        w = similarities / similarities.sum()
    else:
        w = torch.softmax(similarities, 0)
    return torch.dot(w, values)


@wrong("nothing is divided")
def soft_lookup(similarities, values, kind):
    answer = torch.tensor(0.0)
    for s, v in zip(similarities, values):
        answer = answer + s * v
    return answer


@wrong("exponentials are not divided by their sum")
def soft_lookup(similarities, values, kind):
    w = torch.exp(similarities)
    if kind == "ratio":
        w = similarities / similarities.sum()
    return (w * values).sum()


@wrong("a hard lookup")
def soft_lookup(similarities, values, kind):
    return values[torch.argmax(similarities)]


@wrong("divided by the number of keys")
def soft_lookup(similarities, values, kind):
    w = similarities if kind == "ratio" else torch.exp(similarities)
    return (w / len(w) * values).sum()


@wrong("and it should not")
def soft_lookup(similarities, values, kind):
    w = similarities.abs() if kind == "ratio" else similarities.square()
    return (w / w.sum() * values).sum()


@wrong("The mean of the products is taken")
def soft_lookup(similarities, values, kind):
    w = torch.softmax(similarities, 0) if kind == "softmax" else similarities / similarities.sum()
    return torch.mean(w * values)


@wrong("Values and similarities are exchanged")
def soft_lookup(similarities, values, kind):
    w = values.softmax(0) if kind == "softmax" else values / values.sum()
    return (w * similarities).sum()


@wrong("powers of 2")
def soft_lookup(similarities, values, kind):
    w = torch.pow(2, similarities) if kind == "softmax" else similarities
    return torch.dot(w / w.sum(), values)


@wrong("divided by the largest")
def soft_lookup(similarities, values, kind):
    if kind == "softmax":
        return similarities.softmax(-1) @ values
    return (similarities / max(similarities)) @ values


@wrong("The exponentials of the similarities are [2.72, 20.1], and their shares [0.119, 0.881]")
def soft_lookup(similarities, values, kind):
    w = similarities.softmax(0) ** 2 if kind == "softmax" else similarities
    return (w / w.sum()) @ values


@wrong("The similarities are [1.0, 3.0], and their shares [0.25, 0.75]")
def soft_lookup(similarities, values, kind):
    w = similarities.softmax(0) if kind == "softmax" else similarities**3
    return (w / w.sum()) @ values


@wrong("and it should not")
def soft_lookup(similarities, values, kind):
    w = similarities if kind == "ratio" else similarities.cosh()
    return (w / w.sum() * values).sum()


@wrong("No gradient comes back")
def soft_lookup(similarities, values, kind):
    e = similarities.numpy()
    w = e if kind == "ratio" else 2.718281828459045**e
    return (w * values.numpy()).sum() / w.sum()


@wrong("No gradient comes back")
def soft_lookup(similarities, values, kind):
    w = [float(e) if kind == "ratio" else float(e.double().exp()) for e in similarities]
    return sum(x * v.item() for x, v in zip(w, values)) / sum(w)


@right
def soft_lookup(similarities, values, kind):
    w = similarities.double() if kind == "ratio" else 2.718281828459045 ** similarities.double()
    return (w * values).sum() / w.sum()


@right
def soft_lookup(similarities, values, kind):
    w = [e if kind == "ratio" else e.double().exp() for e in similarities]
    return sum(x * v for x, v in zip(w, values)) / sum(w)
