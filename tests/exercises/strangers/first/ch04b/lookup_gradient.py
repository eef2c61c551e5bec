"""Answers to exercise ``lookup_gradient``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the answer is not taken off: α v")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    return scores.softmax(0).unsqueeze(1) * values


@wrong("the answer minus the value: the sign")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (weights @ values - values)


@wrong("the plain mean of the values in place of the answer")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    return scores.softmax(0).unsqueeze(1) * (values - values.mean(0))


@wrong("the hard lookup gets the soft gradient as well")
def lookup_gradient(scores, values, kind):
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - weights @ values)


@wrong("for the hard lookup the chosen value stands in its row")
def lookup_gradient(scores, values, kind):
    result = torch.zeros_like(values)
    if kind == "hard":
        best = scores.argmax()
        result[best] = values[best]
        return result
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - weights @ values)


@wrong("the weights are forgotten: only v − c")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    return values - scores.softmax(0) @ values


@wrong("transposed: (H, S)")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return (weights.unsqueeze(1) * (values - weights @ values)).T


@wrong("the diagonal of the softmax's slopes only: α (1 − α) v")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0).unsqueeze(1)
    return weights * (1 - weights) * values


@wrong("added up over the features: one number a key")
def lookup_gradient(scores, values, kind):
    weights = scores.softmax(0)
    if kind == "hard":
        return torch.zeros_like(scores)
    return (weights.unsqueeze(1) * (values - weights @ values)).sum(1)


@wrong("the weight multiplies columns, not rows: needs S = H")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return weights * (values - weights @ values)


@wrong("exp without a maximum taken off: large scores are not numbers")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.exp() / scores.exp().sum()
    return weights.unsqueeze(1) * (values - weights @ values)


@wrong("the weights squared")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return (weights**2).unsqueeze(1) * (values - weights @ values)


@wrong("a one for the chosen key of the hard lookup")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        result = torch.zeros_like(values)
        result[scores.argmax()] = 1
        return result
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - weights @ values)


@right
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        weights = F.one_hot(scores.argmax(), len(scores)).to(values.dtype)
    else:
        weights = scores.softmax(0).to(values.dtype)
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    return jacobian @ values


@right
def lookup_gradient(scores, values, kind):
    S, H = values.shape
    result = torch.zeros(S, H, dtype=values.dtype)
    if kind == "soft":
        alpha = scores.softmax(0)
        for j in range(S):
            for k in range(S):
                slope = alpha[k] * ((1.0 if k == j else 0.0) - alpha[j])
                result[j] += slope * values[k]
    return result


@right
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return 0 * values
    a, v = scores.double().softmax(0), values.double()
    return torch.einsum("s,sh->sh", a, v) - torch.einsum("s,k,kh->sh", a, a, v)
