"""Answers to exercise ``word_attention``, as learners write them."""

import torch
from answering import wrong


@wrong("columns of a word are averaged")
def word_attention(weights, src_words, tgt_words):
    T, S = max(tgt_words) + 1, max(src_words) + 1
    rows = []
    for t in range(T):
        r = torch.stack([weights[k] for k, w in enumerate(tgt_words) if w == t]).mean(0)
        cells = []
        for s in range(S):
            cells.append(r[[k for k, w in enumerate(src_words) if w == s]].mean())
        rows.append(torch.stack(cells))
    return torch.stack(rows)


@wrong("rows of a word are added")
def word_attention(weights, src_words, tgt_words):
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for t, wt in enumerate(tgt_words):
        for s, ws in enumerate(src_words):
            out[wt, ws] += weights[t, s]
    return out


@wrong("two directions are exchanged")
def word_attention(weights, src_words, tgt_words):
    T, S = max(tgt_words) + 1, max(src_words) + 1
    out = torch.zeros(T, S)
    for t, wt in enumerate(tgt_words):
        for s, ws in enumerate(src_words):
            out[wt, ws] += weights[t, s] / src_words.count(ws)
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


@wrong("Only the first piece of each target word")
def word_attention(weights, src_words, tgt_words):
    T, S = max(tgt_words) + 1, max(src_words) + 1
    out = torch.zeros(T, S)
    for i in range(T):
        row = weights[tgt_words.index(i)]
        for j in range(S):
            out[i, j] = row[torch.tensor(src_words) == j].sum()
    return out


@wrong("a second softmax")
def word_attention(weights, src_words, tgt_words):
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for t, wt in enumerate(tgt_words):
        for s, ws in enumerate(src_words):
            out[wt, ws] += weights[t, s]
    return out.softmax(1)
