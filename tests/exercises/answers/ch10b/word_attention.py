"""Answers to exercise ``word_attention``, as learners write them."""

import torch
from answering import wrong


def tables(src_words, tgt_words):
    src = torch.nn.functional.one_hot(torch.tensor(src_words)).float()
    return src, torch.nn.functional.one_hot(torch.tensor(tgt_words)).float()


@wrong("Row 0 sums to 2.00")
def word_attention(weights, src_words, tgt_words):
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for t, wt in enumerate(tgt_words):
        for s, ws in enumerate(src_words):
            out[wt, ws] += weights[t, s]
    return out


@wrong("two dimensions swapped")
def word_attention(weights, src_words, tgt_words):
    T, S = max(tgt_words) + 1, max(src_words) + 1
    out = torch.zeros(T, S)
    for i in range(T):
        row = weights[torch.tensor(tgt_words) == i].mean(0)
        for j in range(S):
            out[i, j] = row[torch.tensor(src_words) == j].sum()
    return out.T


@wrong("at [0, 0] stands")
def word_attention(weights, src_words, tgt_words):
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for t, wt in enumerate(tgt_words):
        for s, ws in enumerate(src_words):
            out[wt, ws] += weights[t, s]
    return out.softmax(1)


@wrong("does not mend it")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    result = (tgt / tgt.sum(0)).T @ weights @ (src / src.sum(0))
    return result / result.sum(1, keepdim=True)
