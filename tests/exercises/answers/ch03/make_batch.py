"""Answers to exercise ``make_batch``, as learners write them."""

from answering import wrong


@wrong("cut off after the padding")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    t, t_mask = pad([[2] + x + [3] for x in tgt])
    return s, s_mask, t[:, :-1], t[:, 1:], t_mask[:, 1:]


@wrong("Short rows feed EOS")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    t, t_mask = pad([[2] + x + [3] for x in tgt])
    return s, s_mask, t[:, :-1], t[:, 1:], t_mask[:, :-1]


@wrong("are exchanged")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    tgt_out, t_mask = pad([[2] + x for x in tgt])
    tgt_in, _ = pad([x + [3] for x in tgt])
    return s, s_mask, tgt_in, tgt_out, t_mask


@wrong("Input and goal are the same row")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    t, t_mask = pad([[2] + x for x in tgt])
    return s, s_mask, t, t.clone(), t_mask


@wrong("The source has no EOS")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad(src)
    tgt_in, t_mask = pad([[2] + x for x in tgt])
    tgt_out, _ = pad([x + [3] for x in tgt])
    return s, s_mask, tgt_in, tgt_out, t_mask


@wrong("Both target rows hold BOS and EOS")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    t, t_mask = pad([[2] + x + [3] for x in tgt])
    return s, s_mask, t, t, t_mask


@wrong("nobody tells this model to stop")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    tgt_in, _ = pad([[2] + x[:-1] for x in tgt])
    tgt_out, t_mask = pad(tgt)
    return s, s_mask, tgt_in, tgt_out, t_mask


@wrong("what is predicted at one step should be")
def make_batch(src, tgt):
    from attnlib.data import pad

    s, s_mask = pad([x + [3] for x in src])
    tgt_in, t_mask = pad([[2] + x for x in tgt])
    tgt_out, _ = pad([x[::-1] + [3] for x in tgt])
    return s, s_mask, tgt_in, tgt_out, t_mask
