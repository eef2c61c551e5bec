"""Answers to exercise ``score_parameters``, as learners write them."""

from answering import wrong


@wrong("The vector v is missing")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * query_size + hidden_size * key_size


@wrong("rows times columns")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size + key_size
    return hidden_size * (query_size + key_size + 1)


@wrong("one vector is put behind the other")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * query_size * key_size + hidden_size


@wrong("a bias too many")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    layer = (query_size + key_size) * hidden_size + hidden_size
    return layer + hidden_size


@wrong("A dot product has nothing to learn, and you count 2")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind in ("dot", "scaled_dot"):
        return query_size
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + hidden_size


@wrong("query and key of the same size")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * 2 * query_size + hidden_size
