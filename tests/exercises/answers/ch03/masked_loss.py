"""Answers to exercise ``seq2seq_loss``, as learners write them."""

import torch
from answering import right, wrong
from torch import nn
from torch.nn import functional as F

from attnlib.data import PAD
from attnlib.model import last_real


def start(model, context):
    hidden, cell = torch.tanh(model.bridge(context)).chunk(2, dim=-1)
    return hidden.unsqueeze(0).contiguous(), cell.unsqueeze(0).contiguous()


def logits_of(model, words, state):
    states, _ = model.decoder(model.embed_tgt(words), state)
    return model.output(model.head(states).tanh())


@wrong("Is the context each row's last *real* state?")
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    states, _ = model.encoder(model.embed_src(src))
    logits = logits_of(model, tgt_in, start(model, states[:, -1]))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


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


@right  # packed, and padding told by its number
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    rows = nn.utils.rnn.pack_padded_sequence(
        model.embed_src(src), src_mask.sum(1).cpu(), batch_first=True, enforce_sorted=False
    )
    _, (hidden, _) = model.encoder(rows)
    logits = logits_of(model, tgt_in, start(model, hidden[0]))
    return F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD)


@right  # the mask as weights
def seq2seq_loss(model, src, src_mask, tgt_in, tgt_out, tgt_mask):
    context = last_real(model.encoder(model.embed_src(src))[0], src_mask)
    log_probs = logits_of(model, tgt_in, start(model, context)).log_softmax(-1)
    of_words = log_probs.gather(2, tgt_out.unsqueeze(2)).squeeze(2)
    return -(of_words * tgt_mask).sum() / tgt_mask.sum()
