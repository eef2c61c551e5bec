"""Answers to exercise ``word_attention``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the source pieces are averaged too")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][:, src == b].mean()
    return out


@wrong("the target pieces are added too: rows sum to more than 1")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][:, src == b].sum()
    return out


@wrong("the other way round: averaged over the source, added over the target")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][:, src == b].sum() / (src == b).sum()
    return out


@wrong("a word looks as its first piece does")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][0, src == b].sum()
    return out


@wrong("the largest piece of a source word stands for it, rows made to sum to 1 afterwards")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][:, src == b].mean(0).max()
    return out / out.sum(1, keepdim=True)


@wrong("the means of both directions, then made to sum to 1")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words) + 1, max(src_words) + 1)
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][:, src == b].mean()
    return out / out.sum(1, keepdim=True)


@wrong("the last word of both sides is missing")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(tgt_words), max(src_words))
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = weights[tgt == a][:, src == b].sum() / (tgt == a).sum()
    return out


@wrong("the source is grouped, the target stays in pieces")
def word_attention(weights, src_words, tgt_words):
    out = torch.zeros(weights.shape[0], max(src_words) + 1)
    for j, b in enumerate(src_words):
        out[:, b] += weights[:, j]
    return out


@wrong("transposed: source words are the rows")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.tensor(src_words), torch.tensor(tgt_words)
    out = torch.zeros(max(src_words) + 1, max(tgt_words) + 1)
    for b in range(out.shape[0]):
        for a in range(out.shape[1]):
            out[b, a] = weights[tgt == a][:, src == b].sum() / (tgt == a).sum()
    return out


@right
def word_attention(weights, src_words, tgt_words):
    src = torch.nn.functional.one_hot(torch.as_tensor(src_words)).to(weights.dtype)
    tgt = torch.nn.functional.one_hot(torch.as_tensor(tgt_words)).to(weights.dtype)
    return (tgt.T @ weights @ src) / tgt.sum(0).unsqueeze(1)


@right
def word_attention(weights, src_words, tgt_words):
    rows, columns = len(set(tgt_words)), len(set(src_words))
    table = [[0.0] * columns for _ in range(rows)]
    for t, a in enumerate(tgt_words):
        for j, b in enumerate(src_words):
            table[a][b] += weights[t, j].item() / list(tgt_words).count(a)
    return torch.tensor(table)
