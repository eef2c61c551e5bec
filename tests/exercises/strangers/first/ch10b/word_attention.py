"""Answers to exercise ``word_attention``, written from its statement alone."""

import torch
from answering import right, wrong


def tables(src_words, tgt_words):
    src = torch.nn.functional.one_hot(torch.tensor(src_words)).float()
    return src, torch.nn.functional.one_hot(torch.tensor(tgt_words)).float()


@wrong("mean over the source pieces as well")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    return (tgt / tgt.sum(0)).T @ weights @ (src / src.sum(0))


@wrong("sum over the target pieces as well")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    return tgt.T @ weights @ src


@wrong("adds target pieces and averages source pieces")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    return tgt.T @ weights @ (src / src.sum(0))


@wrong("transposed: source words in rows")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    return ((tgt / tgt.sum(0)).T @ weights @ src).T


@wrong("mean over both, then every row made to sum to 1")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    result = (tgt / tgt.sum(0)).T @ weights @ (src / src.sum(0))
    return result / result.sum(1, keepdim=True)


@wrong("only the first piece of a target word looks")
def word_attention(weights, src_words, tgt_words):
    src, _tgt = tables(src_words, tgt_words)
    first = [tgt_words.index(w) for w in range(max(tgt_words) + 1)]
    return weights[first] @ src


@wrong("the table keeps the size of the pieces")
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    return tgt @ ((tgt / tgt.sum(0)).T @ weights @ src) @ src.T


@right
def word_attention(weights, src_words, tgt_words):
    src, tgt = tables(src_words, tgt_words)
    return (tgt / tgt.sum(0)).T @ weights @ src
