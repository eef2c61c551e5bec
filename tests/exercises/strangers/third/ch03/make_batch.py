import torch
from answering import right, wrong

from attnlib import data
from attnlib.data import BOS, EOS, PAD


@wrong("BOS in front of the goal as well")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    tgt_in, tgt_mask = data.pad([[BOS, *y] for y in tgt])
    tgt_out, _ = data.pad([[BOS, *y, EOS] for y in tgt])
    return table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("no EOS behind the source")
def make_batch(src, tgt):
    table, src_mask = data.pad(src)
    tgt_in, tgt_mask = data.pad([[BOS, *y] for y in tgt])
    tgt_out, _ = data.pad([[*y, EOS] for y in tgt])
    return table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("BOS in front of the source, too")
def make_batch(src, tgt):
    table, src_mask = data.pad([[BOS, *x, EOS] for x in src])
    tgt_in, tgt_mask = data.pad([[BOS, *y] for y in tgt])
    tgt_out, _ = data.pad([[*y, EOS] for y in tgt])
    return table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("the decoder's input ends with EOS: one token longer than the goal")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    tgt_in, tgt_mask = data.pad([[BOS, *y, EOS] for y in tgt])
    tgt_out, _ = data.pad([[*y, EOS] for y in tgt])
    return table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("tgt_in and tgt_out are returned the other way round")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    tgt_in, tgt_mask = data.pad([[BOS, *y] for y in tgt])
    tgt_out, _ = data.pad([[*y, EOS] for y in tgt])
    return table, src_mask, tgt_out, tgt_in, tgt_mask


@wrong("padded first: EOS is put behind the padding of the short sentences")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    plain, mask = data.pad(tgt)
    B = len(tgt)
    tgt_in = torch.cat([torch.full((B, 1), BOS), plain], dim=1)
    tgt_out = torch.cat([plain, torch.full((B, 1), EOS)], dim=1)
    tgt_mask = torch.cat([torch.ones(B, 1, dtype=torch.bool), mask], dim=1)
    return table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("input and goal cut from one padded table: EOS is read by the decoder in short rows")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    whole, mask = data.pad([[BOS, *y, EOS] for y in tgt])
    return table, src_mask, whole[:, :-1], whole[:, 1:], mask[:, 1:]


@wrong("the mask of the target is that of the source")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    tgt_in, _ = data.pad([[BOS, *y] for y in tgt])
    tgt_out, _ = data.pad([[*y, EOS] for y in tgt])
    return table, src_mask, tgt_in, tgt_out, src_mask


@wrong("the special tokens are appended to the caller's own lists")
def make_batch(src, tgt):
    for x in src:
        x.append(EOS)
    table, src_mask = data.pad(src)
    tgt_in, tgt_mask = data.pad([[BOS, *y] for y in tgt])
    for y in tgt:
        y.append(EOS)
    tgt_out, _ = data.pad(tgt)
    return table, src_mask, tgt_in, tgt_out, tgt_mask


@wrong("the mask leaves EOS out, since it is not a word: mask of the bare sentences plus a False")
def make_batch(src, tgt):
    table, src_mask = data.pad([[*x, EOS] for x in src])
    tgt_in, tgt_mask = data.pad([[BOS, *y] for y in tgt])
    tgt_out, _ = data.pad([[*y, EOS] for y in tgt])
    return table, src_mask, tgt_in, tgt_out, tgt_mask & (tgt_out != EOS)


@right
def make_batch(src, tgt):
    def table(rows):
        width = max(map(len, rows))
        filled = [row + [PAD] * (width - len(row)) for row in rows]
        real = [[True] * len(row) + [False] * (width - len(row)) for row in rows]
        return torch.tensor(filled), torch.tensor(real)

    x, x_mask = table([list(s) + [EOS] for s in src])
    before, mask = table([[BOS] + list(s) for s in tgt])
    after, _ = table([list(s) + [EOS] for s in tgt])
    return x, x_mask, before, after, mask


@right
def make_batch(src, tgt):
    x, x_mask = data.pad([s + [EOS] for s in src])
    goal, mask = data.pad([s + [EOS] for s in tgt])
    shifted = torch.roll(goal, 1, dims=1)
    shifted[:, 0] = BOS
    shifted[shifted == EOS] = PAD
    return x, x_mask, shifted, goal, mask
