import math

import torch
from answering import right, wrong
from torch import nn
from torch.nn import functional as F

from attnlib.data import PAD
from attnlib.model import last_real


@wrong("the last column of the encoder's states, padding or not")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(states[:, -1])).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the encoder's own final hidden state, which has read the padding")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    _, (h, c) = model.encoder(model.embed_src(src))
    hidden, cell = torch.tanh(model.bridge(h)).chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the mean over all positions: padding is predicted, too")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten())


@wrong("losses of padding are set to 0, but divided by all positions")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    losses = F.cross_entropy(logits.transpose(1, 2), tgt_out, reduction="none")
    return (losses * tgt_mask).mean()


@wrong("a mean for each sentence, then the mean of these")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    losses = []
    for row, goal, real in zip(logits, tgt_out, tgt_mask):
        losses.append(F.cross_entropy(row[real], goal[real]))
    return torch.stack(losses).mean()


@wrong("the sum of the real tokens' losses")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask], reduction="sum")


@wrong("logits of padding are multiplied by 0, and guess evenly there")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out))) * tgt_mask.unsqueeze(-1)
    return F.cross_entropy(logits.transpose(1, 2), tgt_out)


@wrong("no tanh behind the bridge")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = model.bridge(last_real(states, src_mask)).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("no tanh behind the head")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(model.head(out))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the halves of the bridge are swapped: cell first, hidden second")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    cell, hidden = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("view instead of chunk: hidden and cell of different sentences get mixed")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask)))
    hidden, cell = first.view(2, 1, len(src), -1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden, cell))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("chunk without a dimension cuts the first one, which is 1")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden, cell))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("hidden and cell without the layers' dimension in front: (B, H)")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask)))
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the bridge is left out: the encoder's state and a cell of zeros")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    hidden = last_real(states, src_mask).unsqueeze(0)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden, torch.zeros_like(hidden)))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the decoder does not get a first state: it never hears of the source")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the decoder is fed tgt_out, the very words that it should predict")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_out), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("shifted a second time: logits without the last step, targets without the first")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))[:, :-1]
    mask = tgt_mask[:, 1:]
    return F.cross_entropy(logits[mask], tgt_out[:, 1:][mask])


@wrong("a softmax before cross_entropy")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    p = model.output(torch.tanh(model.head(out))).softmax(-1)
    return F.cross_entropy(p[tgt_mask], tgt_out[tgt_mask])


@wrong("in bits, not in nats")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask]) / math.log(2)


@wrong("a number comes back (item): nothing can be trained with it")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask]).item()


@wrong("the source goes through the embedding of the target")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_tgt(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("writes −100 into the caller's tgt_out")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    tgt_out[~tgt_mask] = -100
    return F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten())


@wrong("rows are packed unsorted, without enforce_sorted=False")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    rows = nn.utils.rnn.pack_padded_sequence(
        model.embed_src(src), src_mask.sum(1), batch_first=True
    )
    _, (last, _) = model.encoder(rows)
    hidden, cell = torch.tanh(model.bridge(last)).chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("padding of the source is set to 0 before it is read, but still read")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    words = model.embed_src(src) * src_mask.unsqueeze(-1)
    _, (last, _) = model.encoder(words)
    hidden, cell = torch.tanh(model.bridge(last)).chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the mean of the real states is the context, not the last of them")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    real = src_mask.unsqueeze(-1)
    context = (states * real).sum(1) / real.sum(1)
    hidden, cell = torch.tanh(model.bridge(context)).unsqueeze(0).chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@right
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    # Packed: the encoder stops in time, no row needs to be picked.
    rows = nn.utils.rnn.pack_padded_sequence(
        model.embed_src(src), src_mask.sum(1), batch_first=True, enforce_sorted=False
    )
    _, (last, _) = model.encoder(rows)
    hidden, cell = torch.tanh(model.bridge(last)).chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    losses = F.cross_entropy(logits.transpose(1, 2), tgt_out, reduction="none")
    return (losses * tgt_mask).sum() / tgt_mask.sum()


@right
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    # One sentence after the other, cut to its length.
    total, count = 0.0, 0
    for b in range(len(src)):
        s, t = int(src_mask[b].sum()), int(tgt_mask[b].sum())
        states, _ = model.encoder(model.embed_src(src[b : b + 1, :s]))
        both = torch.tanh(model.bridge(states[:, -1:]))  # (1, 1, 2H)
        size = both.shape[-1] // 2
        start = both[..., :size].contiguous(), both[..., size:].contiguous()
        wrote, _ = model.decoder(model.embed_tgt(tgt_in[b : b + 1, :t]), start)
        log_p = model.output(model.head(wrote[0]).tanh()).log_softmax(-1)
        for n in range(t):
            total = total - log_p[n, tgt_out[b, n]]
        count += t
    return total / count


@right
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    first = torch.tanh(model.bridge(last_real(states, src_mask))).unsqueeze(0)
    hidden, cell = first.chunk(2, dim=-1)
    out, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(out)))
    return F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD)
