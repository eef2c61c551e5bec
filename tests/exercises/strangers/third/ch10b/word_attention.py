import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the mean in both directions: the mean of the block")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.mean()
    return result


@wrong("the sum in both directions")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum()
    return result


@wrong("divided by the pieces of the source word")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum() / (src == b).sum()
    return result


@wrong("the largest look of the pieces")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.max()
    return result


@wrong("the sum over the source's pieces, and of the looks the strongest instead of the mean")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum(1).max()
    return result


@wrong("the first piece of the target word looks for all of it")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block[0].sum()
    return result


@wrong("the result lies the other way: source words by target words")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum() / (tgt == a).sum()
    return result.T


@wrong("the two lists are swapped")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(tgt_words), torch.as_tensor(src_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum() / (tgt == a).sum()
    return result


@wrong("the last word is left out: the largest number is taken for the count")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()), int(src.max()))
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum() / (tgt == a).sum()
    return result


@wrong("as many rows and columns as pieces, where the last ones stay 0")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(len(tgt), len(src))
    for a in range(int(tgt.max()) + 1):
        for b in range(int(src.max()) + 1):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum() / (tgt == a).sum()
    return result


@wrong("the rows are normalized with a softmax at the end")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.sum() / (tgt == a).sum()
    return result.softmax(-1)


@wrong("every second target piece is left out: one row a word, by the last piece")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block[-1].sum()
    return result


@wrong("means, then rows divided by their sums to make it come out")
def word_attention(weights, src_words, tgt_words):
    src, tgt = torch.as_tensor(src_words), torch.as_tensor(tgt_words)
    result = torch.zeros(int(tgt.max()) + 1, int(src.max()) + 1)
    for a in range(len(result)):
        for b in range(result.shape[1]):
            block = weights[tgt == a][:, src == b]
            result[a, b] = block.mean()
    return result / result.sum(1, keepdim=True)


@right
def word_attention(weights, src_words, tgt_words):
    src = F.one_hot(torch.as_tensor(src_words)).to(weights.dtype)
    tgt = F.one_hot(torch.as_tensor(tgt_words)).to(weights.dtype)
    return (tgt / tgt.sum(0)).T @ weights @ src


@right
def word_attention(weights, src_words, tgt_words):
    src, tgt = [int(j) for j in src_words], [int(t) for t in tgt_words]
    table = [[0.0] * (max(src) + 1) for _ in range(max(tgt) + 1)]
    for t, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            table[tgt[t]][src[j]] += weight / tgt.count(tgt[t])
    return torch.tensor(table)
