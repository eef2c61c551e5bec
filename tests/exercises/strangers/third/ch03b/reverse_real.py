import torch
from answering import right, wrong


@wrong("the features are turned, not the tokens")
def reverse_real(x, mask):
    result = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        result[b, :n] = x[b, :n].flip(1)
    return result


@wrong("n − j instead of n − 1 − j: shifted by one place")
def reverse_real(x, mask):
    lengths = mask.sum(1, keepdim=True)
    j = torch.arange(x.shape[1]).expand(len(x), -1)
    source = torch.where(mask, (lengths - j).clamp(max=x.shape[1] - 1), j)
    return x.gather(1, source.unsqueeze(-1).expand_as(x))


@wrong("the batch is turned: sentence 0 becomes the last")
def reverse_real(x, mask):
    return torch.where(mask.unsqueeze(-1), x.flip(0), x)


@wrong("all rows by the length of the first")
def reverse_real(x, mask):
    n = int(mask[0].sum())
    result = x.clone()
    result[:, :n] = x[:, :n].flip(1)
    return result


@right
def reverse_real(x, mask):
    lengths = mask.sum(dim=1)
    order = [[n - 1 - j if j < n else j for j in range(x.shape[1])] for n in lengths.tolist()]
    return x[torch.arange(len(x))[:, None], torch.tensor(order)]
