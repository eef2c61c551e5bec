import torch
from answering import right, wrong


@wrong("the condition is the wrong way round: the wrong ones are mirrored")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, 1.0, -1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("only the query is mirrored, the keys stay")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys


@wrong("only the keys are mirrored, the query stays")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query, keys * sign[:, None, None]


@wrong("of the keys only the wanted one is mirrored")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    new_query, new_keys = query.clone(), keys.clone()
    for n in range(len(query)):
        if right[n]:
            new_query[n] = -query[n]
            new_keys[n, wanted[n]] = -keys[n, wanted[n]]
    return new_query, new_keys


@wrong("all keys but the wanted one are mirrored")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    new_query, new_keys = query.clone(), keys.clone()
    for n in range(len(query)):
        if right[n]:
            new_query[n] = -query[n]
            for j in range(keys.shape[1]):
                if j != wanted[n]:
                    new_keys[n, j] = -keys[n, j]
    return new_query, new_keys


@wrong("mirrors in place: the caller's tensors are changed")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    query[right] *= -1
    keys[right] *= -1
    return query, keys


@wrong("new names for the same tensors: the caller's are changed all the same")
def beat_concat(score, query, keys, wanted):
    new_query, new_keys = query, keys
    guess = score(query, keys).argmax(dim=-1)
    for n in range(len(wanted)):
        if guess[n] == wanted[n]:
            new_query[n] = -new_query[n]
            new_keys[n] = -new_keys[n]
    return new_query, new_keys


@wrong("argmin: the key with the lowest score counts as the answer")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmin(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("argmax along the examples, not along the keys")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(0) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("argmax without a dimension: one number for the whole batch")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax() == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("the factor is (N, 1) for the keys, too, where it needs (N, 1, 1)")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0).unsqueeze(1)
    return query * sign, keys * sign


@wrong("the factor is (N,) and is multiplied with (N, H) as it is")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign, keys * sign


@wrong("where without dimensions of size 1: the condition is (N,)")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    return torch.where(right, -query, query), torch.where(right, -keys, keys)


@wrong("the right ones are multiplied by 0, not by −1")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = (~right).to(query.dtype)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("only the mirrored examples come back, the others are dropped")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    return -query[right], -keys[right]


@wrong("the examples change their places: mirrored ones first, the others behind them")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    new_query = torch.cat([-query[right], query[~right]])
    new_keys = torch.cat([-keys[right], keys[~right]])
    return new_query, new_keys


@wrong("the mirror images are added behind the examples: 2N")
def beat_concat(score, query, keys, wanted):
    return torch.cat([query, -query]), torch.cat([keys, -keys])


@wrong("the two come back in the wrong order")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return keys * sign[:, None, None], query * sign[:, None]


@wrong("only the query comes back")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None]


@wrong("right means a weight above a half, not the highest score")
def beat_concat(score, query, keys, wanted):
    weights = score(query, keys).softmax(-1)
    right = weights[torch.arange(len(wanted)), wanted] > 0.5
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("right means that the wanted key has a positive score")
def beat_concat(score, query, keys, wanted):
    scores = score(query, keys)
    right = scores.gather(1, wanted.unsqueeze(1)).squeeze(1) > 0
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@wrong("the score is asked without the dimension of the examples: (H,) and (S, H)")
def beat_concat(score, query, keys, wanted):
    new_query, new_keys = [], []
    for q, k, w in zip(query, keys, wanted):
        right = score(q, k).argmax(-1) == w
        new_query.append(-q if right else q)
        new_keys.append(-k if right else k)
    return torch.stack(new_query), torch.stack(new_keys)


@wrong("mirrored is taken for reversed: the keys in the opposite order")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    new_query = torch.where(right[:, None], query.flip(1), query)
    new_keys = torch.where(right[:, None, None], keys.flip(1), keys)
    return new_query, new_keys


@wrong("mirrors until nothing is right: an even score never gets there")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    while right.any():
        sign = torch.where(right, -1.0, 1.0)
        query, keys = query * sign[:, None], keys * sign[:, None, None]
        right = score(query, keys).argmax(-1) == wanted
    return query, keys


@wrong("one decision for all: mirrored only if every example is right")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    if right.all():
        return -query, -keys
    return query.clone(), keys.clone()


@wrong("one decision for all: everything mirrored if any example is right")
def beat_concat(score, query, keys, wanted):
    right = score(query, keys).argmax(-1) == wanted
    if right.any():
        return -query, -keys
    return query.clone(), keys.clone()


@wrong("the factor from the mirrored score: what is right after the mirroring")
def beat_concat(score, query, keys, wanted):
    right = score(-query, -keys).argmax(-1) == wanted
    sign = torch.where(right, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


# Written as wrong, "detached copies: no gradient comes back to the given tensors". Examples are
# chosen here, by an argmax, and nothing is trained through that.
@right
def beat_concat(score, query, keys, wanted):
    new_query, new_keys = query.detach().clone(), keys.detach().clone()
    right = score(query, keys).argmax(-1) == wanted
    new_query[right] = -new_query[right]
    new_keys[right] = -new_keys[right]
    return new_query, new_keys


@wrong("random signs instead of the score's answers")
def beat_concat(score, query, keys, wanted):
    sign = torch.where(torch.rand(len(query)) < 0.5, -1.0, 1.0)
    return query * sign[:, None], keys * sign[:, None, None]


@right
def beat_concat(score, query, keys, wanted):
    correct = score(query, keys).argmax(-1).eq(wanted)
    flipped_query = torch.where(correct[:, None], -query, query)
    flipped_keys = torch.where(correct[:, None, None], -keys, keys)
    return flipped_query, flipped_keys


@right
def beat_concat(score, query, keys, wanted):
    answers = score(query, keys).max(dim=1).indices
    out_query, out_keys = [], []
    for n in range(query.size(0)):
        if answers[n].item() == wanted[n].item():
            out_query.append(query[n].neg())
            out_keys.append(keys[n].neg())
        else:
            out_query.append(query[n])
            out_keys.append(keys[n])
    return torch.stack(out_query), torch.stack(out_keys)


@right
def beat_concat(score, query, keys, wanted):
    new_query, new_keys = query.clone(), keys.clone()
    hits = torch.argmax(score(query, keys), dim=-1) == wanted
    new_query[hits] *= -1
    new_keys[hits] *= -1
    return new_query, new_keys


@right
def beat_concat(score, query, keys, wanted):
    # With no_grad for the decision only; the factor is a tensor of whole numbers.
    with torch.no_grad():
        s = 1 - 2 * (score(query, keys).argmax(-1) == wanted).long()
    return torch.einsum("n,nh->nh", s.to(query), query), keys * s.view(-1, 1, 1)
