"""The recorded runs of chapter 1's real prose: networks that read and write Shakespeare by letters.

    python -m studies.characters                          # data/runs/01_characters.json
    python -m studies.characters --series 01_rates        # data/runs/01_rates.json
    python -m studies.characters --series 01b_truncation  # data/runs/01b_truncation.json

A plain RNN and an LSTM with as many parameters, within 5 %, three seeds each.

The text is cut at nine tenths; what follows is never learned from. Thirty-two readers begin at
equal distances in the first part and read on, 64 characters an update; the state is carried over,
the gradient is not. While it learns, the network is asked to write, from the same chances each
time. Settings are usual ones and were not chosen; no dropout.

The learning rate is one of them, 3e-3 for both. ``01_rates`` asks whether that decides who reads
better: seed 4 reads with every rate of ``RATES``, the same for both networks, and the rate with the
fewest bits on the unread tenth is the one with which seeds 1 to 3 then read.

``01b_truncation`` asks what is lost where back-propagation is cut: within the 64 characters of an
update of the LSTM the chain is cut every 8. The state is handed on across a cut, or begins again at
zero there. Everything else is the same, the characters of an update included; the rate is that of
``01_rates``, whose runs are those of 64 characters with the state handed on.
"""

import math
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.data import bundled_directory
from attnlib.device import seed_everything

from . import records, runner

NAME = "shakespeare"
VARIANTS = {"rnn": "plain RNN, 320 units", "lstm": "LSTM, 152 units, forget bias 1"}
WIDTH = {"rnn": 320, "lstm": 152}
EMBEDDING = 64
READERS, PIECE = 32, 64  # streams, and characters of each in an update
UPDATES = 3000
RATE = 3e-3  # falls along a straight line to zero
RATES = (1.5e-3, 3e-3, 6e-3, 1e-2, 2e-2)
CHOOSING = 4  # the seed that tries every rate, and is not reported
CHOSEN = {"rnn": 1e-2, "lstm": 6e-3}  # by that seed
CUTS = (8,)  # characters through which a gradient passes
STATES = ("handed on", "reset")  # at a cut
MEASURED_AT = (0, 30, 100, 300, 1000, 3000)  # updates after which it is measured and writes
TEMPERATURES = (0.5, 1.0)
WRITTEN = 240  # characters
CONTEXTS = (1, 2, 4, 8, 16, 32, 64, 128)  # characters that are read before one is predicted
PLACES = 2000  # in the unread tenth at which that is asked


class Prose(NamedTuple):
    """The characters that occur, and the text as their numbers: to learn from, and unread."""

    letters: str
    train: Tensor
    valid: Tensor


@cache
def prose() -> Prose:
    path = bundled_directory().parent / NAME / f"{NAME}.txt"
    text = path.read_text(encoding="utf-8")
    letters = "".join(sorted(set(text)))
    ids = torch.tensor([letters.index(letter) for letter in text])
    cut = len(ids) * 9 // 10
    return Prose(letters, ids[:cut], ids[cut:])


class CharRNN(nn.Module):
    """Characters in, for each the logits of the next one and the state to read on with."""

    def __init__(self, variant: str, letters: int) -> None:
        super().__init__()
        width, kind = WIDTH[variant], {"rnn": nn.RNN, "lstm": nn.LSTM}[variant]
        self.embed = nn.Embedding(letters, EMBEDDING)
        self.rnn = kind(EMBEDDING, width, batch_first=True)
        self.output = nn.Linear(width, letters)
        if variant == "lstm":
            with torch.no_grad():
                self.rnn.bias_ih_l0[width : 2 * width] = 1.0
                self.rnn.bias_hh_l0[width : 2 * width] = 0.0

    def forward(self, ids: Tensor, state: Any = None) -> tuple[Tensor, Any]:
        hidden, state = self.rnn(self.embed(ids), state)
        return self.output(hidden), state


def detached(state: Any) -> Any:
    """The state without its history: this far back, and no further, the gradient goes."""
    return tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()


@torch.no_grad()
def bits(model: CharRNN, text: Tensor) -> float:
    """Bits a character of a text that is read from its beginning."""
    state, total = None, 0.0
    for low in range(0, len(text) - 1, 2000):
        piece = text[low : low + 2001]
        logits, state = model(piece[None, :-1], state)
        total += F.cross_entropy(logits[0], piece[1:], reduction="sum").item()
    return round(total / (len(text) - 1) / math.log(2), 4)


@torch.no_grad()
def bits_by_context(model: CharRNN, text: Tensor) -> list[float]:
    """Bits a character where only so many characters before it are read, at the same places."""
    most = min(CONTEXTS[-1], len(text) // 2)
    places = torch.linspace(most, len(text) - 1, PLACES).long()
    found = []
    for context in CONTEXTS:
        before = places.unsqueeze(1) + torch.arange(-min(context, most), 0)  # (places, context)
        logits = torch.cat([model(some)[0][:, -1] for some in text[before].split(250)])
        found.append(round(F.cross_entropy(logits, text[places]).item() / math.log(2), 4))
    return found


@torch.no_grad()
def write(model: CharRNN, letters: str, temperature: float) -> str:
    """What the network writes after an empty line; the same chances whatever it has learned."""
    chances = torch.rand(WRITTEN, generator=torch.Generator().manual_seed(0))
    ids, state, text = torch.tensor([[letters.index("\n")]]), None, ""
    for chance in chances:
        logits, state = model(ids, state)
        reached = (logits[0, -1] / temperature).softmax(0).cumsum(0)
        number = min(int((reached < chance).sum()), len(letters) - 1)
        ids, text = torch.tensor([[number]]), text + letters[number]
    return text


def measure(model: CharRNN, update: int) -> dict[str, Any]:
    letters, _, valid = prose()
    written = {str(temperature): write(model, letters, temperature) for temperature in TEMPERATURES}
    return {"update": update, "bits": bits(model, valid), "written": written}


def learn(
    model: nn.Module,
    next_loss: Callable[[int], Tensor],
    measure: Callable[[int], dict[str, Any]],
    rate: float,
    warmup: int = 1,
    clip: float | None = None,
) -> dict[str, Any]:
    """Train by Adam, and measure the model before, at ``MEASURED_AT``, and after.

    ``next_loss`` is given the number of the update, from 1. The rate rises for ``warmup`` updates
    and falls along a straight line to zero.
    """
    optimizer = torch.optim.Adam(model.parameters(), rate)
    looks, losses = [measure(0)], []
    for update in range(1, UPDATES + 1):
        optimizer.param_groups[0]["lr"] = rate * min(update / warmup, 1 - (update - 1) / UPDATES)
        loss = next_loss(update)
        optimizer.zero_grad()
        loss.backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item() / math.log(2))
        if update in MEASURED_AT:
            looks.append(measure(update))
    every = max(UPDATES // 30, 1)
    means = [sum(losses[n : n + every]) / every for n in range(0, len(losses), every)]
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "date": records.today(),
        "train_bits": [round(mean, 3) for mean in means],  # means of a thirtieth of the run
        "looks": looks,
    }


def trained(
    model: CharRNN,
    rate: float,
    measure: Callable[[int], dict[str, Any]],
    cut: int = PIECE,
    handed_on: bool = True,
) -> dict[str, Any]:
    """Train on the prose; the gradient is cut every so many characters, perhaps the state, too."""
    _, train, _ = prose()
    length = (len(train) - 1) // READERS  # of what one of them reads
    source, target = (text[: READERS * length].view(READERS, -1) for text in (train, train[1:]))
    state: Any = None

    def next_loss(update: int) -> Tensor:
        nonlocal state
        low = (update - 1) * PIECE % (length - PIECE)
        if low < PIECE:  # from the beginning again
            state = None
        losses = []
        for start in range(low, low + PIECE, cut):
            logits, state = model(source[:, start : start + cut], state)
            state = detached(state) if handed_on else None
            part = target[:, start : start + cut]
            losses.append(F.cross_entropy(logits.transpose(1, 2), part))
        return torch.stack(losses).mean()

    return learn(model, next_loss, measure, rate, clip=1.0)


def run(variant: str, seed: int, rate: float = RATE) -> dict[str, Any]:
    letters, _, valid = prose()
    seed_everything(seed)
    model = CharRNN(variant, len(letters))
    run = trained(model, rate, partial(measure, model))
    looks = run.pop("looks")
    return {**run, "bits_by_context": bits_by_context(model, valid), "looks": looks}


def run_truncated(variant: str, cut: int, state: str, seed: int) -> dict[str, Any]:
    letters, _, valid = prose()
    seed_everything(seed)
    model = CharRNN(variant, len(letters))
    run = trained(model, CHOSEN[variant], lambda update: {}, cut, state == STATES[0])
    del run["looks"]
    return {**run, "bits": bits(model, valid), "bits_by_context": bits_by_context(model, valid)}


@cache
def counted() -> dict[str, float]:
    """Bits a character of who counts: all alike, by frequency, and by the character before."""
    letters, train, valid = prose()
    ones, twos = Counter(train.tolist()), Counter(zip(train.tolist(), train[1:].tolist()))
    before, after = valid[:-1].tolist(), valid[1:].tolist()
    size = len(letters)
    single = sum(math.log2((ones[b] + 1) / (len(train) + size)) for b in after)
    pairs = sum(math.log2((twos[a, b] + 1) / (ones[a] + size)) for a, b in zip(before, after))
    found = {"all alike": math.log2(size), "frequency": -single / len(after)}
    found["the character before"] = -pairs / len(after)
    return {name: round(value, 4) for name, value in found.items()}


def header() -> dict[str, Any]:
    letters, train, valid = prose()
    return {
        "what": "Networks that read data/shakespeare/shakespeare.txt by characters. Bits a "
        "character, of the last tenth, which is not learned from; what is written after so many "
        "updates, by temperature.",
        "command": "python -m studies.characters",
        "characters": {"different": len(letters), "train": len(train), "valid": len(valid)},
        "counted": counted(),
        "updates": UPDATES,
        "an update": [READERS, PIECE],
        "learning rate": RATE,
        "contexts": CONTEXTS,
        **records.origin(),
        "variants": VARIANTS,
    }


def header_of_rates() -> dict[str, Any]:
    rates = {"tried": RATES, "by seed": CHOOSING, "chosen": CHOSEN}
    command = "python -m studies.characters --series 01_rates"
    return {**header(), "command": command, "learning rate": rates}


def header_of_truncation() -> dict[str, Any]:
    what = (
        "Networks that read data/shakespeare/shakespeare.txt by characters, the gradient cut every "
        "so many of them, the state handed on across a cut or reset. Bits a character, of the last "
        "tenth, which is not learned from: of all, and where so many characters before are read."
    )
    command = "python -m studies.characters --series 01b_truncation"
    return {**header(), "what": what, "command": command, "learning rate": CHOSEN}


SERIES = {
    "01_characters": runner.Series(
        "01_characters", {"variant": list(VARIANTS)}, run, header, data=lambda variant: NAME
    ),
    "01_rates": runner.Series(
        "01_rates",
        {"variant": list(VARIANTS), "rate": RATES},
        lambda variant, rate, seed: run(variant, seed, rate),
        header_of_rates,
        skip=lambda variant, rate, seed: seed != CHOOSING and rate != CHOSEN[variant],
        data=lambda *values: NAME,
        seeds=(CHOOSING, 1, 2, 3),
    ),
    "01b_truncation": runner.Series(
        "01b_truncation",
        {"variant": ["lstm"], "cut": CUTS, "state": STATES},
        run_truncated,
        header_of_truncation,
        data=lambda *values: NAME,
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default="01_characters")
    say = "{variant} {seed}: {minutes} minutes".format_map
    runner.main(__doc__, lambda series: SERIES[series], which, say=say)
