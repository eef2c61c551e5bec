"""Writing on with a network that knows characters, by search and by sampling: chapter 8b's record.

    python -m studies.character_sampling              # data/runs/08_characters.json

The LSTM of chapter 1 (``characters.py``, 3,000 updates at its chosen rate, one seed) reads 100
characters at each of 40 places of the unread tenth of Shakespeare and writes 300 more: by greedy
search, by a beam, by sampling at several temperatures, and from the nucleus. Beside that stands
what Shakespeare wrote there. How much repeats what stood before in the same passage, how many words
are words of the training text, and how probable it is for another network, that of a seed which
does not write. About eight minutes of one thread. Nothing was chosen.
"""

import math
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnlib.device import seed_everything
from attnlib.search import beam_search, greedy_search, sample_search

from . import characters, records, runner

READ, WRITTEN, PLACES = 100, 300, 40  # characters, and passages
RUN = 12  # characters: a run of so many that stood before in the passage counts as repeated
JUDGE = 4  # the seed of the network that judges
SPECIAL = 4  # tokens of the search that are no characters

WAYS: dict[str, tuple[str, Callable[..., Any], dict[str, Any]]] = {
    "greedy": ("the most probable character", greedy_search, {}),
    "beam": ("a beam of 10", beam_search, {"beam_size": 10, "alpha": 0.0}),
    "t0.5": ("sampling at T = 0.5", sample_search, {"temperature": 0.5}),
    "t0.7": ("sampling at T = 0.7", sample_search, {"temperature": 0.7}),
    "t1": ("sampling at T = 1", sample_search, {}),
    "t1.5": ("sampling at T = 1.5", sample_search, {"temperature": 1.5}),
    "k5": ("sampling among the 5 most probable", sample_search, {"top_k": 5}),
    "p0.9": ("sampling from the nucleus, p = 0.9", sample_search, {"top_p": 0.9}),
}


@cache
def trained(seed: int) -> characters.CharRNN:
    seed_everything(seed)
    model = characters.CharRNN("lstm", len(characters.prose().letters))
    characters.trained(model, characters.CHOSEN["lstm"], lambda update: {})
    return model.eval()


@cache
def passages() -> tuple[Tensor, Tensor]:
    """What is read, and how Shakespeare goes on."""
    unread = characters.prose().valid
    starts = torch.linspace(0, len(unread) - READ - WRITTEN, PLACES).long()
    both = unread[starts.unsqueeze(1) + torch.arange(READ + WRITTEN)]
    return both[:, :READ], both[:, READ:]


def write(model: characters.CharRNN, way: str, seed: int) -> Tensor:
    """What the network writes after each passage (PLACES, WRITTEN)."""
    _, find, how = WAYS[way]
    read, _ = passages()
    if find is sample_search:
        how = {**how, "generator": torch.Generator().manual_seed(seed)}

    def step(tokens: Tensor, last: Tensor, state: tuple[Tensor, Tensor]) -> Any:
        """Tokens and states (B, K, …); the first token stands for the last character read."""
        ids = torch.where(tokens < SPECIAL, last, tokens - SPECIAL).reshape(-1, 1)
        logits, new = model(ids, tuple(part.flatten(0, 1).unsqueeze(0) for part in state))
        logits = F.pad(logits, (SPECIAL, 0), value=-math.inf).view(*tokens.shape, -1)
        return (
            logits.log_softmax(-1),
            tuple(part[0].unflatten(0, tokens.shape) for part in new),
            None,
        )

    with torch.no_grad():
        _, state = model(read[:, :-1])
        begun = tuple(part[0].unsqueeze(1) for part in state)
        found = find(step, read[:, -1:], begun, max_length=WRITTEN + 1, **how)
    return torch.tensor([best[0].tokens[:WRITTEN] for best in found]) - SPECIAL


@torch.no_grad()
def surprise(judge: characters.CharRNN, texts: Tensor) -> float:
    """Bits a character for a network that has read the passage."""
    whole = torch.cat([passages()[0], texts], 1)
    logits = judge(whole[:, :-1])[0][:, READ - 1 :]
    return round(F.cross_entropy(logits.transpose(1, 2), texts).item() / math.log(2), 3)


@cache
def known_words() -> frozenset[str]:
    letters, train, _ = characters.prose()
    return frozenset(re.findall(r"[a-z]+", "".join(letters[i] for i in train).lower()))


def repeated(text: str) -> float:
    """The share of runs of characters that stood before in the same text."""
    runs = [text[i : i + RUN] for i in range(len(text) - RUN + 1)]
    return 1 - len(set(runs)) / len(runs)


def measured(judge: characters.CharRNN, ids: Tensor) -> dict[str, Any]:
    letters = characters.prose().letters
    texts = ["".join(letters[i] for i in row) for row in ids.tolist()]
    words = [word for text in texts for word in re.findall(r"[a-z]+", text.lower())]
    return {
        "repeated": round(sum(map(repeated, texts)) / len(texts), 4),
        "known words": round(sum(word in known_words() for word in words) / len(words), 4),
        "different words": len(set(words)),
        "bits": surprise(judge, ids),
        "example": texts[0],
    }


def run(way: str, seed: int) -> dict[str, Any]:
    ids = passages()[1] if way == "human" else write(trained(seed), way, seed)
    return {"date": records.today(), **measured(trained(JUDGE), ids)}


def header() -> dict[str, Any]:
    return {
        "what": "How chapter 1's LSTM goes on with Shakespeare, 300 characters after each of 40 "
        "passages. repeated: of all runs of 12 characters, those that stood before in the same "
        "text; known words: occur in the training text; bits a character for the network of "
        "another seed; different words, in all 40.",
        "command": "python -m studies.character_sampling",
        "judge": {"seed": JUDGE},
        **records.origin(),
        "variants": {"human": "Shakespeare"} | {way: about for way, (about, *_) in WAYS.items()},
    }


SERIES = runner.Series(
    "08_characters",
    {"variant": ["human", *WAYS]},
    run,
    header,
    data=lambda variant: characters.NAME,
    seeds=(1,),
)


if __name__ == "__main__":
    say = "{variant} {seed}: {repeated} {known words} {different words} {bits}".format_map
    runner.main(__doc__, SERIES, say=say)
