"""Answers to exercise ``seq2seq_loss``, as learners write them."""

import torch
from answering import right, wrong
from torch import nn
from torch.nn import functional as F

from attnlib.data import EOS, PAD
from attnlib.model import last_real


def start(model, context):
    hidden, cell = torch.tanh(model.bridge(context)).chunk(2, dim=-1)
    return hidden.unsqueeze(0).contiguous(), cell.unsqueeze(0).contiguous()


def logits_of(model, words, state):
    states, _ = model.decoder(model.embed_tgt(words), state)
    return model.output(model.head(states).tanh())


@wrong("last column of the encoder's states")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    logits = logits_of(model, tgt_in, start(model, states[:, -1]))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("last column of the encoder's states")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    _, (hidden, _) = model.encoder(model.embed_src(src))
    logits = logits_of(model, tgt_in, start(model, hidden[-1]))
    return F.nll_loss(logits.log_softmax(-1)[tgt_mask], tgt_out[tgt_mask])


@wrong("goes over every position, padding too")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return F.cross_entropy(logits.transpose(1, 2), tgt_out)


@wrong("divide by the number of real tokens")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    losses = F.cross_entropy(logits.transpose(1, 2), tgt_out, reduction="none")
    losses[~tgt_mask] = 0.0
    return losses.mean()


@wrong("set to 0 and still counted")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context)).masked_fill(~tgt_mask.unsqueeze(2), 0)
    return F.cross_entropy(logits.transpose(1, 2), tgt_out)


@wrong("Every *token* counts the same")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    rows = zip(logits, tgt_out, tgt_mask)
    return torch.stack([F.cross_entropy(row[m], words[m]) for row, words, m in rows]).mean()


@wrong("fed tgt_out")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_out, start(model, context))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("to copy what it has been given")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return F.cross_entropy(logits[tgt_mask], tgt_in[tgt_mask])


@wrong("Where is the tanh of the bridge?")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    state = tuple(half[None].contiguous() for half in model.bridge(context).chunk(2, -1))
    logits = logits_of(model, tgt_in, state)
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("Where is the tanh behind the head?")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    states, _ = model.decoder(model.embed_tgt(tgt_in), start(model, context))
    logits = model.output(model.head(states))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the softmax itself: here it is made twice")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    probabilities = logits_of(model, tgt_in, start(model, context)).softmax(-1)
    return F.cross_entropy(probabilities[tgt_mask], tgt_out[tgt_mask])


@wrong("Hidden and cell state are exchanged")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    hidden, cell = start(model, context)
    logits = logits_of(model, tgt_in, (cell, hidden))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("The decoder's first cell state is zeros")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    hidden, _ = start(model, context)
    logits = logits_of(model, tgt_in, (hidden, torch.zeros_like(hidden)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("The decoder starts from zeros")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.decoder(model.embed_tgt(tgt_in))
    logits = model.output(torch.tanh(model.head(states)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the bridge is not used, and in a short row they have read padding")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    _, state = model.encoder(model.embed_src(src))
    logits = logits_of(model, tgt_in, state)
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("The sum is divided by the number of sentences")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask], reduction="sum") / src.shape[0]


@wrong("The mean is asked for")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return nn.CrossEntropyLoss(reduction="sum")(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the mask is the wrong way round")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return F.cross_entropy(logits[~tgt_mask], tgt_out[~tgt_mask])


@wrong("The end token is left out of the mean")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    words = tgt_mask & (tgt_out != EOS)
    return F.cross_entropy(logits[words], tgt_out[words])


@wrong("has layers and no method")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    logits, _ = model.decode(tgt_in, model.start(model.encode(src)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("the pass is what you are to write")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    return F.cross_entropy(model(src, tgt_in)[tgt_mask], tgt_out[tgt_mask])


@wrong("No gradient comes back")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return torch.tensor(F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask]).item())


@wrong("exp of the mean")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, start(model, context))
    return torch.exp(F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask]))


@wrong("first hidden state, and its cell state is zeros")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in, (context[None], torch.zeros_like(context)[None]))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@wrong("Shifted a second time")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    logits = logits_of(model, tgt_in[:, :-1], start(model, context))
    return F.cross_entropy(logits[tgt_mask[:, 1:]], tgt_out[:, 1:][tgt_mask[:, 1:]])


@wrong("chunk(2, dim=-1) halves the numbers of each")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    halves = torch.tanh(model.bridge(context)).reshape(2, 1, len(src), -1)
    logits = logits_of(model, tgt_in, tuple(halves))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


@right  # packed, and padding told by its number
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    rows = nn.utils.rnn.pack_padded_sequence(
        model.embed_src(src), src_mask.sum(1).cpu(), batch_first=True, enforce_sorted=False
    )
    _, (hidden, _) = model.encoder(rows)
    logits = logits_of(model, tgt_in, start(model, hidden[0]))
    return F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD)


@right  # sentence by sentence, step by step
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    total = 0.0
    for b in range(len(src)):
        states, _ = model.encoder(model.embed_src(src[b : b + 1, : int(src_mask[b].sum())]))
        state = start(model, states[:, -1])
        for t in range(int(tgt_mask[b].sum())):
            out, state = model.decoder(model.embed_tgt(tgt_in[b : b + 1, t : t + 1]), state)
            logits = model.output(torch.tanh(model.head(out[0, 0])))
            total = total - logits.log_softmax(-1)[tgt_out[b, t]]
    return total / tgt_mask.sum()


@right  # the mask as weights
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    log_probs = logits_of(model, tgt_in, start(model, context)).log_softmax(-1)
    of_words = log_probs.gather(2, tgt_out.unsqueeze(2)).squeeze(2)
    return -(of_words * tgt_mask).sum() / tgt_mask.sum()
