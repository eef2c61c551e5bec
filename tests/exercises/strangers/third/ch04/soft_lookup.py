import torch
from answering import right, wrong


@wrong("a mean of the products: divided by how many keys there are")
def soft_lookup(similarities, values, kind):
    if kind == "ratio":
        return (similarities * values).mean()
    return (similarities.exp() * values).mean()


@wrong("the exponentials are not divided by their sum")
def soft_lookup(similarities, values, kind):
    if kind == "ratio":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.exp()
    return weights @ values


@wrong("ratio and softmax are mixed up")
def soft_lookup(similarities, values, kind):
    if kind == "softmax":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.softmax(0)
    return weights @ values


@wrong("the kind is not looked at: always a softmax")
def soft_lookup(similarities, values, kind="softmax"):
    return similarities.softmax(0) @ values


@wrong("the values are normalized instead of the similarities")
def soft_lookup(similarities, values, kind):
    if kind == "ratio":
        return similarities @ (values / values.sum())
    return similarities @ values.softmax(0)


@wrong("the ratio is taken first, and the softmax of the ratios")
def soft_lookup(similarities, values, kind):
    weights = similarities / similarities.sum()
    if kind == "softmax":
        weights = weights.softmax(0)
    return weights @ values


@wrong("the weighted values, not yet summed")
def soft_lookup(similarities, values, kind):
    if kind == "ratio":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.softmax(0)
    return weights * values


@wrong("divided by the largest similarity, not by the sum")
def soft_lookup(similarities, values, kind):
    if kind == "ratio":
        weights = similarities / similarities.max()
    else:
        weights = similarities.softmax(0)
    return (weights * values).sum()


@wrong("the value of the most similar key alone: a hard lookup")
def soft_lookup(similarities, values, kind):
    return values[similarities.argmax()]


@wrong("the exponentials are divided by the sum of the similarities")
def soft_lookup(similarities, values, kind):
    top = similarities if kind == "ratio" else similarities.exp()
    return (top / similarities.sum()) @ values


@wrong("two is the base of the power, not e")
def soft_lookup(similarities, values, kind):
    top = similarities if kind == "ratio" else 2.0**similarities
    return (top / top.sum()) @ values


@right
def soft_lookup(similarities, values, kind):
    shift = similarities.max()
    total = answer = 0.0
    for s, v in zip(similarities, values):
        weight = s if kind == "ratio" else (s - shift).exp()
        total = total + weight
        answer = answer + weight * v
    return answer / total


@right
def soft_lookup(similarities, values, kind):
    weigh = {
        "ratio": lambda s: s / s.sum(),
        "softmax": lambda s: torch.exp(s - torch.logsumexp(s, 0)),
    }[kind]
    return torch.einsum("s,s->", weigh(similarities), values)
