import torch
from answering import right, wrong


@wrong("one coin for the whole table")
def mix_inputs(gold, own, share, generator):
    return gold if torch.rand((), generator=generator) < share else own


@wrong("one coin for each sentence")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(len(gold), 1, generator=generator) < share
    return torch.where(coins, gold, own)


@wrong("the coin the wrong way round: own with probability share")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator) < share
    return torch.where(coins, own, gold)


@wrong("a fair coin, whatever the share")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator) < 0.5
    return torch.where(coins, gold, own)


@wrong("the first part of every row is gold and the rest is own")
def mix_inputs(gold, own, share, generator):
    cut = round(share * gold.shape[1])
    return torch.cat([gold[:, :cut], own[:, cut:]], dim=1)


@wrong("writes into gold")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator) < share
    gold[~coins] = own[~coins]
    return gold


@wrong("a product with the coins, which are floats: the tokens are no whole numbers any more")
def mix_inputs(gold, own, share, generator):
    coins = (torch.rand(gold.shape, generator=generator) < share).float()
    return coins * gold + (1 - coins) * own


@right
def mix_inputs(gold, own, share, generator):
    result = own.clone()
    coins = torch.rand(gold.shape, generator=generator) < share
    result[coins] = gold[coins]
    return result


@right
def mix_inputs(gold, own, share, generator):
    rows = []
    for g, o in zip(gold.tolist(), own.tolist()):
        coins = torch.rand(len(g), generator=generator).tolist()
        rows.append([a if coin < share else b for a, b, coin in zip(g, o, coins)])
    return torch.tensor(rows, dtype=gold.dtype)
