import torch
from answering import right, wrong


def draw_word(logits, temperature, chance):
    """Exercise 1.4, as the learner has solved it."""
    ends = torch.softmax(logits / temperature, dim=0).cumsum(0)
    return min(int((ends <= chance).sum()), len(logits) - 1)


@wrong("the new tokens are appended to the caller's list")
def go_on(network, ids, temperature, chances):
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        ids.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return ids


@wrong("text = ids is a second name, not a copy")
def go_on(network, ids, temperature, chances):
    text = ids
    states, state = network(torch.tensor([text]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text += [token]
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the new tokens alone, without the beginning")
def go_on(network, ids, temperature, chances):
    states, state = network(torch.tensor([ids]))
    text = []
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the state is not handed on: each token is read as the first of a text")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, _ = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
        states, _ = network(torch.tensor([[token]]))
    return text


@wrong("every turn reads on from the state behind the beginning")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
        states, _ = network(torch.tensor([[token]]), state)
    return text


@wrong("never reads what it has drawn: all draws are from the same logits")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    logits = network.output(states[0, -1])
    for chance in chances:
        text.append(draw_word(logits, temperature, chance))
    return text


@wrong("the first of the states instead of the last")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[0, 0]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the last token of the beginning is read twice")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    _, state = network(torch.tensor([ids]))
    token = ids[-1]
    for chance in chances:
        states, state = network(torch.tensor([[token]]), state)
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
    return text


@wrong("reads the last token only, the beginning before it is forgotten")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([[ids[-1]]]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the whole text again at every turn, and from the state that has read it already")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([text]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([text]), state)
    return text


@wrong("the likeliest token: chances are only counted")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for _ in chances:
        token = int((network.output(states[0, -1]) / temperature).argmax())
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("its own random numbers (multinomial), not the chances")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for _ in range(len(chances)):
        p = torch.softmax(network.output(states[0, -1]) / temperature, dim=0)
        token = torch.multinomial(p, 1).item()
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("chance and temperature in the wrong order for draw_word")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), chance, temperature)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the temperature is forgotten: 1.0 always")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), 1.0, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("divided by the temperature here, and once more in draw_word")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        logits = network.output(states[0, -1]) / temperature
        token = draw_word(logits, temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("a softmax before draw_word, which does one itself")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        p = network.output(states[0, -1]).softmax(0)
        token = draw_word(p, temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("logits (1, V) into draw_word: its softmax runs over the batch")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(network.output(states[:, -1]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the states themselves are drawn from: the output layer is left out")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        token = draw_word(states[0, -1], temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("one token too few: the first chance is left out")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    for n in range(1, len(chances)):
        token = draw_word(network.output(states[0, -1]), temperature, chances[n])
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the chances are taken out of the caller's list")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]))
    while chances:
        token = draw_word(network.output(states[0, -1]), temperature, chances.pop(0))
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("the beginning is read without a batch, the next token with one")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor(ids))
    for chance in chances:
        token = draw_word(network.output(states[-1]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


@wrong("starts from a state of 320 numbers, whatever the network's size")
def go_on(network, ids, temperature, chances):
    text = list(ids)
    states, state = network(torch.tensor([ids]), torch.zeros(1, 1, 320))
    for chance in chances:
        token = draw_word(network.output(states[0, -1]), temperature, chance)
        text.append(token)
        states, state = network(torch.tensor([[token]]), state)
    return text


# Written as wrong, "a tensor comes back, not a list". It is brought to a list, for the rules and
# for the rest of the chapter.
@right
def go_on(network, ids, temperature, chances):
    text = torch.tensor(ids)
    states, state = network(text.unsqueeze(0))
    for chance in chances:
        token = torch.tensor([draw_word(network.output(states[0, -1]), temperature, chance)])
        text = torch.cat([text, token])
        states, state = network(token.unsqueeze(0), state)
    return text


@right
def go_on(network, ids, temperature, chances):
    text = ids[:]
    states, state = network(torch.tensor([text]))
    for chance in chances:
        logits = network.output(states)[0, -1]
        text.append(draw_word(logits, temperature, chance))
        states, state = network(torch.tensor([text[-1:]]), state)
    return text


@right
def go_on(network, ids, temperature, chances):
    # Slow, but simple: read everything anew for each token.
    for chance in chances:
        states, _ = network(torch.tensor([ids]))
        ids = ids + [draw_word(network.output(states[0, -1]), temperature, chance)]
    return list(ids)


@right
def go_on(network, ids, temperature, chances):
    state, read, text = None, ids, [*ids]
    with torch.no_grad():
        for chance in chances:
            _, state = network(torch.tensor(read).unsqueeze(0), state)
            logits = network.output(state[0, 0])
            token = draw_word(logits, temperature, chance)
            text, read = text + [token], [token]
    return text
