"""Answers to exercise ``split_concat``, as learners write them."""

from answering import right, wrong


@wrong("The two are exchanged")
def split_concat(weight, query_size):
    return weight[:, query_size:], weight[:, :query_size]


@wrong("cut in the middle")
def split_concat(weight, query_size):
    half = weight.shape[1] // 2
    return weight[:, : weight.shape[1] - half], weight[:, weight.shape[1] - half :]


@wrong("The rows are cut")
def split_concat(weight, query_size):
    return weight[0:query_size, :], weight[query_size:, :]


@wrong("Both are transposed")
def split_concat(weight, query_size):
    both = weight.T
    return both[:query_size], both[query_size:]


@wrong("one column too late")
def split_concat(weight, query_size):
    columns = range(query_size + 1, weight.shape[1])
    return weight[:, :query_size], weight[:, list(columns)]


@wrong("as many columns as the query has")
def split_concat(weight, query_size):
    return weight[:, :query_size], weight[:, -query_size:]


@wrong("in the opposite order")
def split_concat(weight, query_size):
    first = weight[:, :query_size]
    return first, weight[:, query_size:].flip(1)


@wrong("taken from the right")
def split_concat(weight, query_size):
    return weight[:, -query_size:], weight[:, :-query_size]


@wrong("no more columns than the query has")
def split_concat(weight, query_size):
    parts = weight.split(query_size, dim=1)
    return parts[0], parts[1]


@wrong("The first ends one column too late")
def split_concat(weight, query_size):
    return weight[:, : query_size + 1], weight[:, query_size:]


@wrong("cut in the middle")
def split_concat(weight, query_size):
    half = weight.shape[1] // 2
    return weight[:, :half], weight[:, half:]


@wrong("which columns does s meet?")
def split_concat(weight, query_size):
    return 2 * weight[:, :query_size], weight[:, query_size:]


@right
def split_concat(weight, query_size):
    return weight.split([query_size, weight.shape[1] - query_size], dim=1)


@right
def split_concat(weight, query_size):
    columns = weight.numpy().T
    return [columns[:query_size].T, columns[query_size:].T]
