"""Answers to exercise ``reorder``, as learners write them."""

from answering import wrong


@wrong("(line 4 of the cell")
def reorder(state, parents):
    return {
        name: x.gather(1, parents.unsqueeze(-1).expand(-1, -1, x.shape[2]))
        for name, x in state.items()
    }
