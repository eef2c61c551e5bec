"""Answers to exercise ``make_batch``, as learners write them."""

from answering import wrong


@wrong("A row of tgt_out is [23, 22, 21, 3]")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    tgt_in, t_mask = pad([[2] + x for x in tgt])
    tgt_out, _ = pad([x[::-1] + [3] for x in tgt])
    return s, s_mask, tgt_in, tgt_out, t_mask


def _shifted(tgt):
    from attnlib.data import pad

    tgt_in, mask = pad([[2, *x] for x in tgt])
    return tgt_in, pad([[*x, 3] for x in tgt])[0], mask


@wrong("The row [2, 20, 0, 0] of tgt_in has the mask [1, 0, 0, 0]")
def make_batch(src, tgt):
    from attnlib.data import pad

    tgt_in, tgt_out, mask = _shifted(tgt)
    longest = mask.all(dim=1, keepdim=True)
    return *pad([[*x, 3] for x in src]), tgt_in, tgt_out, mask & (longest | (tgt_in == 2))
