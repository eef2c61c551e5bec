"""Answers to exercise ``reorder``, as learners write them."""

from answering import wrong


@wrong("comes back as it was")
def reorder(state, parents):
    return state


@wrong("parents of the first one")
def reorder(state, parents):
    return {k: v.index_select(1, parents[0]) for k, v in state.items()}


@wrong("One index too few")
def reorder(state, parents):
    return {k: v[parents] for k, v in state.items()}


@wrong("(line 4 of the cell")
def reorder(state, parents):
    return {
        name: x.gather(1, parents.unsqueeze(-1).expand(-1, -1, x.shape[2]))
        for name, x in state.items()
    }
