import torch
from answering import right, wrong


@wrong("rows as a flat list: it pairs sentences with new places")
def reorder(state, parents):
    rows = torch.arange(len(parents))
    return {name: x[rows, parents] for name, x in state.items()}


@wrong("the parents of the first sentence for all")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[:, parents[0]] for name, x in state.items()}


@wrong("every sentence with the parents of all: x[:, parents]")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[:, parents] for name, x in state.items()}


@wrong("the batch is reordered, not the places")
def reorder(state, parents):
    places = torch.arange(parents.shape[1])
    return {name: x[parents, places] for name, x in state.items()}


@wrong("only the first tensor of the dictionary")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents] for name, x in list(state.items())[:1]}


@wrong("a list of tensors: the names are lost")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    return [x[rows, parents] for x in state.values()]


@wrong("the caller's dictionary is changed")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    for name in state:
        state[name] = state[name][rows, parents]
    return state


@wrong("flattened to B · K without the offset of the sentence")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x.flatten(0, 1)[parents] for name, x in state.items()}


@wrong("the parents are sorted first")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    return {name: x[rows, parents.sort(1).values] for name, x in state.items()}


@wrong("puts place k where its parent stood instead of fetching the parent")
def reorder(state, parents):
    rows = torch.arange(len(parents)).unsqueeze(1)
    result = {}
    for name, x in state.items():
        result[name] = torch.zeros_like(x)
        result[name][rows, parents] = x[:, : parents.shape[1]]
    return result


@right
def reorder(state, parents):
    moved = {}
    for name, x in state.items():
        moved[name] = torch.stack([x[b][parents[b]] for b in range(len(parents))])
    return moved


@right
def reorder(state, parents):
    def fetch(x):
        index = parents.reshape(*parents.shape, *[1] * (x.ndim - 2))
        return x.gather(1, index.expand(*parents.shape, *x.shape[2:]))

    return dict(zip(state, map(fetch, state.values())))
