"""The recorded runs of chapter 2's story: does a network still know that it all began *tomorrow*?

    python -m studies.tense                       # data/runs/02_tense.json

A plain RNN from two initial matrices, an LSTM with two forget biases and a GRU, of parameters
within 5 %, learn to predict the next word of the English stories of ko-en that begin with
*Yesterday,* or *Tomorrow,*: sixteen of each an update, 400 updates, ten seeds; three seeds once
more with three times the updates. Seed 0, which is not reported, tries every rate of ``RATES`` with
each cell; the one with the lowest loss on the validation split, as much of each first word, is the
one with which the others learn, so its runs must be made first, as they are.

Then each reads a sentence about one of six people, *Minsu will go to the market. He*, and the
probability of *will* as the next word is kept, for both first words. ``apart``: how far two
readings lie apart after each word that differ in their first word alone, as a share of the distance
after that word: of an LSTM its cell states, of the others their states. ``loss``: nats per word of
the stories that it learned from, of those of the validation split, and of those of the test split.
``patched``, of an LSTM: the same probability in seventeen stories of yesterday where, before the
last word, numbers of the cell state are exchanged for those of the story of tomorrow; they are
ordered by how much they differ in the eighteenth story. The run that the chapter opens with keeps
every gate besides.
"""

import math
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.data import BOS, EOS, UNK, WordVocabulary, bundled_directory, pad
from attnlib.device import seed_everything

from . import records, runner

TEXT = "stories"
FIRST = ("Yesterday", "Tomorrow")
UPDATES = (400, 1200)
LONGER = (1, 2, 3)  # the seeds with more updates
EACH = 16  # stories of each first word in an update
EMBED = 32
VARIANTS = {
    "rnn": "plain RNN",
    "rnn-orthogonal": "RNN, orthogonal",
    "lstm-0": "LSTM, forget bias 0",
    "lstm-3": "LSTM, forget bias 3",
    "gru": "GRU",
}
BATCH_SIZE = 500  # stories whose loss is measured in one batch
UNITS = {"rnn": 109, "gru": 58, "lstm": 48}
RATES = (3e-3, 1e-2, 2e-2, 3e-2, 6e-2, 1.2e-1)
CHOOSING = 0  # the seed that tries every rate, and is not reported
SHOWN = ("lstm-3", 7)  # the run whose gates are kept
PEOPLE = {"Minsu": "He", "Jiho": "He", "Junho": "He", "Sora": "She", "Yuna": "She", "Eunji": "She"}
FUTURE = (
    "will go to the market",
    "will go to the library with Sujin and borrow three books",
    "will meet a friend at the theater and watch a movie",
)


Begun = dict[str, list[list[int]]]


def begun(split: str) -> dict[str, list[str]]:
    """The stories of a split by their first word, Yesterday or Tomorrow."""
    path = bundled_directory().parent / TEXT / f"{split}.txt"
    texts = path.read_text(encoding="utf-8").splitlines()
    return {first: [text for text in texts if text.startswith(f"{first},")] for first in FIRST}


@cache
def material() -> tuple[WordVocabulary, Begun]:
    """The vocabulary of the stories to learn from, and their token numbers by the first word."""
    texts = begun("train")
    words = WordVocabulary.build([text for stories in texts.values() for text in stories])
    return words, encoded(words, texts)


@cache
def unseen(split: str) -> Begun:
    """The stories of a split that are of words that the vocabulary has."""
    words = material()[0]
    found = encoded(words, begun(split))
    return {first: [ids for ids in stories if UNK not in ids] for first, stories in found.items()}


def encoded(words: WordVocabulary, texts: dict[str, list[str]]) -> Begun:
    return {
        first: [[BOS, *words.encode(text), EOS] for text in stories]
        for first, stories in texts.items()
    }


class Network(NamedTuple):
    embedding: nn.Embedding
    cells: nn.Module
    output: nn.Linear

    def parameters(self) -> list[nn.Parameter]:
        return [parameter for part in self for parameter in part.parameters()]


@torch.no_grad()
def make_network(variant: str) -> Network:
    words, _ = material()
    kind, _, bias = variant.partition("-")
    units = UNITS[kind]
    make = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}[kind]
    embedding, cells = nn.Embedding(len(words), EMBED), make(EMBED, units, batch_first=True)
    if bias == "orthogonal":
        nn.init.orthogonal_(cells.weight_hh_l0)
    elif bias:
        cells.bias_ih_l0[units : 2 * units] = float(bias)
        cells.bias_hh_l0[units : 2 * units] = 0.0
    return Network(embedding, cells, nn.Linear(units, len(words)))


def surprise(network: Network, stories: list[list[int]]) -> Tensor:
    """Mean cross-entropy of the words, in nats."""
    ids, mask = pad(stories)
    states, _ = network.cells(network.embedding(ids[:, :-1]))
    return F.cross_entropy(network.output(states[mask[:, 1:]]), ids[:, 1:][mask[:, 1:]])


@torch.no_grad()
def losses(network: Network, stories_by_word: Begun) -> list[float]:
    """Nats per word of all the stories that begin with each first word."""
    means = []
    for stories in stories_by_word.values():
        total = 0.0
        for low in range(0, len(stories), BATCH_SIZE):
            batch = stories[low : low + BATCH_SIZE]
            total += surprise(network, batch).item() * sum(len(ids) - 1 for ids in batch)
        means.append(total / sum(len(ids) - 1 for ids in stories))
    return means


def train(variant: str, rate: float, updates: int, seed: int) -> Network:
    """Adam, its rate falling to a tenth in a straight line; gradients clipped at 1."""
    _, stories = material()
    generator = seed_everything(seed)
    network = make_network(variant)
    parameters = network.parameters()
    optimizer = torch.optim.Adam(parameters, rate)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
    for _ in range(updates):
        drawn = {f: torch.randint(len(s), (EACH,), generator=generator) for f, s in stories.items()}
        loss = surprise(network, [stories[f][n] for f, chosen in drawn.items() for n in chosen])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        slower.step()
    return network


@torch.no_grad()
def p_will(network: Network, texts: list[str]) -> float:
    """The mean probability of "will" as the next word."""
    words, _ = material()
    found = []
    for text in texts:
        states, _ = network.cells(network.embedding(torch.tensor([[BOS, *words.encode(text)]])))
        found.append(network.output(states[0, -1]).softmax(-1)[words.index["will"]])
    return round(torch.stack(found).mean().item(), 4)


def stories(first: str, clauses: tuple[str, ...]) -> list[str]:
    return [f"{first}, {name} {clause}. {he}" for name, he in PEOPLE.items() for clause in clauses]


@torch.no_grad()
def memories(network: Network, text: str) -> Tensor:
    """The cell state after each word (T, H), of a network without one its state; <sos> left out."""
    words, _ = material()
    state, kept = network.cells(network.embedding(torch.tensor([[BOS]])))[1], []
    for token in words.encode(text):
        _, state = network.cells(network.embedding(torch.tensor([[token]])), state)
        kept.append((state[1] if isinstance(state, tuple) else state)[0, 0])
    return torch.stack(kept)


def apart(network: Network) -> list[float]:
    """The distance of two readings after each word, by that after the first; mean of six people."""
    found = []
    for name, he in PEOPLE.items():
        pair = [memories(network, f"{first}, {name} {FUTURE[0]}. {he}") for first in FIRST]
        found.append((pair[0] - pair[1]).norm(dim=1))
    mean = torch.stack(found).mean(0)
    return [round(share, 4) for share in (mean / mean[0]).tolist()]


@torch.no_grad()
def patched(network: Network) -> dict[str, Any]:
    """The probability of "will" after stories of yesterday with numbers of tomorrow's memory."""
    words, _ = material()
    example, *tested = zip(*(stories(first, FUTURE) for first in FIRST))
    one, other = (memories(network, text)[-2] for text in example)  # [-1] has read the last word
    ranked = (one - other).abs().argsort(descending=True)
    exchanged = {"nothing": ranked[:0], "first": ranked[:1], "next ten": ranked[1:11]}
    exchanged |= {"all but the first": ranked[1:], "all": ranked}
    found = dict.fromkeys(exchanged, 0.0)
    for pair in tested:
        (*_, end), states = words.encode(pair[0]), []
        for text in pair:
            ids = torch.tensor([[BOS, *words.encode(text)[:-1]]])
            states.append(network.cells(network.embedding(ids))[1])
        for name, units in exchanged.items():
            hidden, memory = states[0][0], states[0][1].clone()
            memory[..., units] = states[1][1][..., units]
            read, _ = network.cells(network.embedding(torch.tensor([[end]])), (hidden, memory))
            chances = network.output(read[0, -1]).softmax(-1)
            found[name] += chances[words.index["will"]].item() / len(tested)
    return {"unit": ranked[0].item(), **{name: round(p, 4) for name, p in found.items()}}


@torch.no_grad()
def gates(network: Network, text: str) -> dict[str, Any]:
    """Every gate and the memory along a text, each (T, H), and its tokens."""
    words, _ = material()
    cells, rows = network.cells, []
    hidden = memory = torch.zeros(UNITS["lstm"])
    for token in [BOS, *words.encode(text)]:
        x = network.embedding(torch.tensor(token))
        seen = cells.weight_ih_l0 @ x + cells.bias_ih_l0
        i, f, g, o = (seen + cells.weight_hh_l0 @ hidden + cells.bias_hh_l0).chunk(4)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        memory = f * memory + i * g
        hidden = o * memory.tanh()
        rows.append(torch.stack([i, f, g, o, memory]))
    kept = {
        name: [[round(x, 3) for x in row] for row in values.tolist()]
        for name, values in zip("ifgoc", torch.stack(rows, dim=1))
    }
    return {"tokens": ["<sos>", *words.tokenize(text)], **kept}


def run(variant: str, rate: float, updates: int, seed: int) -> dict[str, Any]:
    network = train(variant, rate, updates, seed)
    measured = {
        "parameters": sum(p.numel() for p in network.cells.parameters()),
        "after_future": [p_will(network, stories(first, FUTURE)) for first in FIRST],
        "apart": apart(network),
    }
    parts = {"train": material()[1], "valid": unseen("valid"), "unseen": unseen("test")}
    found = {name: losses(network, part) for name, part in parts.items()}
    measured["loss"] = {name: [round(x, 4) for x in both] for name, both in found.items()}
    measured["perplexity"] = {
        name: [round(math.exp(x), 3) for x in both] for name, both in found.items()
    }
    if variant.startswith("lstm"):
        measured["patched"] = patched(network)
    if (variant, seed, updates) == (*SHOWN, UPDATES[0]):
        text = f"Minsu {FUTURE[0]}. He"
        measured["gates"] = {first: gates(network, f"{first}, {text}") for first in FIRST}
    return {"date": records.today(), **measured}


def chosen(variant: str) -> float | None:
    """The rate with the lowest validation loss of the seed that chooses; None before its runs."""
    runs = records.read(records.path_of(SERIES.name), SERIES.key)
    found = {
        rate: sum(run["loss"]["valid"])
        for (name, rate, _, seed), run in runs.items()
        if (name, seed) == (variant, CHOOSING) and "valid" in run["loss"]
    }
    return min(found, key=lambda rate: found[rate]) if len(found) == len(RATES) else None


def skip(variant: str, rate: float, updates: int, seed: int) -> bool:
    if seed == CHOOSING:
        return updates != UPDATES[0]
    return rate != chosen(variant) or (updates != UPDATES[0] and seed not in LONGER)


def header() -> dict[str, Any]:
    return {
        "what": "Probability of “will” after a first word, yesterday or tomorrow, and a sentence "
        "in the future about one of six people (mean of 18 texts). Pairs: after Yesterday, "
        "after Tomorrow. apart: distance of two readings that differ in the first word alone, "
        "after each word, by that after the first. loss: nats per word of all stories, after "
        "Yesterday, after Tomorrow; unseen: of the test split. patched: probability of “will” "
        "after Yesterday with numbers of the memory after Tomorrow (mean of 17 texts), unit: the "
        "number that differs most, from 0.",
        "command": "python -m studies.tense",
        "corpus": "data/stories: English stories that begin with Yesterday, or Tomorrow,",
        "stories": {first: len(texts) for first, texts in material()[1].items()},
        "unseen stories": {first: len(texts) for first, texts in unseen("test").items()},
        "updates": UPDATES,
        "rates": {"tried": RATES, "by seed": CHOOSING},
        "variants": VARIANTS,
        **records.origin(),
    }


SERIES = runner.Series(
    "02_tense",
    {"variant": list(VARIANTS), "rate": RATES, "updates": UPDATES},
    run,
    header,
    skip=skip,
    data=lambda *values: TEXT,
    seeds=range(CHOOSING, 11),
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
