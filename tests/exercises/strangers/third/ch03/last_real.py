import torch
from answering import right, wrong


@wrong("one position too far: the length is taken for the last index")
def last_real(x, mask):
    columns = mask.sum(1).clamp(max=x.shape[1] - 1)
    return x[torch.arange(len(x)), columns]


@wrong("the first real state")
def last_real(x, mask):
    columns = mask.int().argmax(1)
    return x[torch.arange(len(x)), columns]


@wrong("the mean of the real states")
def last_real(x, mask):
    m = mask.unsqueeze(-1)
    return (x * m).sum(1) / m.sum(1)


@wrong("counts the real ones down the columns: sum over the batch")
def last_real(x, mask):
    columns = (mask.sum(0)[: len(x)] - 1).clamp(0, x.shape[1] - 1)
    return x[torch.arange(len(columns)), columns]


@wrong("the values are copied out by item(), so no gradient gets back")
def last_real(x, mask):
    rows = []
    for row, length in zip(x, mask.sum(1).tolist()):
        rows.append(torch.tensor([number.item() for number in row[length - 1]]))
    return torch.stack(rows)


@wrong("keeps the dimension of the steps: (B, 1, F)")
def last_real(x, mask):
    columns = (mask.sum(1) - 1)[:, None, None].expand(-1, 1, x.shape[2])
    return x.gather(1, columns)


@right
def last_real(x, mask):
    return torch.stack([states[real][-1] for states, real in zip(x, mask)])


@right
def last_real(x, mask):
    after = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], dim=1)
    last = (mask & ~after).to(x.dtype)
    return torch.einsum("bs,bsf->bf", last, x)
