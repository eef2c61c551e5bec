import torch
from answering import right, wrong


@wrong("the answer c is not taken off: row j is α_j v_j")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * values


@wrong("the hard lookup gets the value in the row of the winner")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        result = torch.zeros_like(values)
        result[scores.argmax()] = values[scores.argmax()]
        return result
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - weights @ values)


@wrong("exponentials by hand, which are infinite for large scores")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    e = scores.exp()
    weights = e / e.sum()
    return weights[:, None] * (values - weights @ values)


@wrong("only the diagonal of the Jacobian: α(1 − α) v")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return (weights * (1 - weights)).unsqueeze(1) * values


@wrong("the mean of the values in place of the answer c")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - values.mean(0))


@wrong("the factor is squared: α_j is there twice")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0).unsqueeze(1)
    return weights**2 * (values - (weights * values).sum(0))


@wrong("summed over the numbers of the value: one number a key")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros(len(scores))
    weights = scores.softmax(0)
    return (weights.unsqueeze(1) * (values - weights @ values)).sum(1)


@wrong("transposed: (H, S)")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values.T)
    weights = scores.softmax(0)
    return (weights.unsqueeze(1) * (values - weights @ values)).T


@right
def lookup_gradient(scores, values, kind):
    if kind != "soft":
        return torch.zeros(values.shape)
    w = torch.softmax(scores, dim=-1)
    jacobian = torch.diag(w) - torch.outer(w, w)
    return jacobian @ values


@right
def lookup_gradient(scores, values, kind):
    rows = torch.zeros_like(values)
    if kind == "hard":
        return rows
    w = torch.softmax(scores, dim=-1)
    for j in range(len(scores)):
        for k in range(len(scores)):
            slope = w[j] * (1 - w[j]) if j == k else -w[j] * w[k]
            rows[j] = rows[j] + slope * values[k]
    return rows
