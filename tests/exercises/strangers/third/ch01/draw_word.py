import numpy as np
import torch
from answering import right, wrong


@wrong("a chance exactly on an end still draws the piece to the left")
def draw_word(logits, temperature, chance):
    ends = torch.softmax(logits / temperature, 0).cumsum(0)
    return int((ends < chance).sum())


@wrong("multiplied by the temperature")
def draw_word(logits, temperature, chance):
    ends = torch.softmax(logits * temperature, 0).cumsum(0)
    return int((ends <= chance).sum())


@wrong("the temperature is not used")
def draw_word(logits, temperature, chance):
    ends = torch.softmax(logits, 0).cumsum(0)
    return int((ends <= chance).sum())


@wrong("the probabilities are divided by the temperature, after the softmax")
def draw_word(logits, temperature, chance):
    ends = (torch.softmax(logits, 0) / temperature).cumsum(0)
    return min(int((ends <= chance).sum()), len(logits) - 1)


@wrong("lays the tokens on the line from the most probable to the least")
def draw_word(logits, temperature, chance):
    p, order = torch.softmax(logits / temperature, 0).sort(descending=True)
    place = min(int((p.cumsum(0) <= chance).sum()), len(logits) - 1)
    return int(order[place])


@wrong("the token whose probability is the nearest to chance, without adding up")
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits / temperature, 0)
    return int((p - chance).abs().argmin())


@wrong("always the most probable token; chance is not used")
def draw_word(logits, temperature, chance):
    return int(torch.softmax(logits / temperature, 0).argmax())


@wrong("draws with torch's own chance instead of the given one")
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits / temperature, 0)
    return int(torch.multinomial(p, 1))


@wrong("one token too early: the piece before")
def draw_word(logits, temperature, chance):
    ends = torch.softmax(logits / temperature, 0).cumsum(0)
    return max(int((ends <= chance).sum()) - 1, 0)


@wrong("the probability of the drawn token, not its number")
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits / temperature, 0)
    token = min(int((p.cumsum(0) <= chance).sum()), len(p) - 1)
    return float(p[token])


@right
def draw_word(logits, temperature, chance):
    p = torch.softmax(logits / temperature, 0).tolist()
    left = 0.0
    for token, share in enumerate(p):
        left += share
        if chance < left:
            return token
    return len(p) - 1


@right
def draw_word(logits, temperature, chance):
    scaled = logits.numpy() / temperature
    e = np.exp(scaled - scaled.max())
    ends = np.cumsum(e / e.sum())
    return min(int(np.searchsorted(ends, chance, side="right")), len(ends) - 1)
