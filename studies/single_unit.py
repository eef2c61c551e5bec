"""The recorded runs of chapter 2's single unit: does one number of an LSTM hold the question?

    python -m studies.single_unit                       # data/runs/02_single_unit.json

Ten seeds, trained as in the chapter; about two minutes of one thread in
all (estimated). An LSTM of 32 units learns to predict the next word of English sentences of ko-en,
half of them questions. The unit that tells questions from statements best *on the way* is looked
for among sentences of the validation split; what is then said of it is measured on those of the
test split, which had no say in the choice. Turned: just before the last word is read, the unit's
cell state changes its sign, and with it, perhaps, the end mark that the network expects.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.data import BOS, WordVocabulary, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.model import LSTMCell

from . import records, runner

UNITS = 32
UPDATES = 600
LONGEST = 14  # words of a sentence
CORPUS = "ko-en"


class Sentences(NamedTuple):
    """Token numbers without the end mark (B, T), where they are real, and which are questions."""

    tokens: Tensor
    lengths: Tensor
    asks: Tensor


@cache
def material() -> tuple[WordVocabulary, list[list[int]], Sentences, Sentences]:
    """Vocabulary and training sentences as in the chapter; those to choose by and to measure on."""
    corpus = load_corpus(CORPUS)
    english = [pair.tgt for pair in corpus.train if len(pair.tgt.split()) <= LONGEST]
    questions = [text for text in english if text.endswith("?")]
    statements = [text for text in english if text.endswith(".")][:: len(english) // len(questions)]
    texts = questions + statements[: len(questions)]
    words = WordVocabulary.build(texts)
    ids = [words.encode(text) for text in texts]
    return words, ids, *(sentences(words, split) for split in (corpus.valid, corpus.test))


def sentences(words: WordVocabulary, pairs: Sequence[Any]) -> Sentences:
    texts = [pair.tgt for pair in pairs if len(pair.tgt.split()) <= LONGEST]
    ids = [[BOS, *words.encode(text)[:-1]] for text in texts]
    tokens = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in ids], batch_first=True)
    asks = torch.tensor([text.endswith("?") for text in texts])
    return Sentences(tokens, torch.tensor([len(row) for row in ids]), asks)


class Network(NamedTuple):
    embedding: nn.Embedding
    cell: LSTMCell
    predict: nn.Linear
    end_marks: tuple[int, int]  # the numbers of "?" and "."


def train(seed: int) -> Network:
    """The chapter's language model: forget gates that start open, 32 sentences an update."""
    words, ids, _, _ = material()
    generator = seed_everything(seed)
    embedding, reader = nn.Embedding(len(words), UNITS), nn.LSTM(UNITS, UNITS, batch_first=True)
    with torch.no_grad():
        reader.bias_ih_l0[UNITS : 2 * UNITS] = 1.0
        reader.bias_hh_l0[UNITS : 2 * UNITS] = 0.0
    predict = nn.Linear(UNITS, len(words))
    parameters = [*embedding.parameters(), *reader.parameters(), *predict.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=1e-2)
    for _ in range(UPDATES):
        chosen = [ids[n] for n in torch.randint(len(ids), (32,), generator=generator)]
        batch = make_batch(chosen, chosen)
        hidden, _ = reader(embedding(batch.tgt_in))
        loss = F.cross_entropy(predict(hidden[batch.tgt_mask]), batch.tgt_out[batch.tgt_mask])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
    cell = LSTMCell(UNITS, UNITS)
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    cell.load_state_dict({name: getattr(reader, f"{name}_l0") for name in names})
    return Network(embedding, cell, predict, (words.index["?"], words.index["."]))


@torch.no_grad()
def read(network: Network, given: Sentences, turned: int | None = None) -> tuple[Tensor, Tensor]:
    """Whether "?" is expected after each sentence (B,), and its cell states (B, T, H).

    The sign of the ``turned`` unit's cell state is changed before the last word is read.
    """
    embedding, cell, predict, (question, stop) = network
    x, rows = embedding(given.tokens), len(given.tokens)
    h, c, ends = torch.zeros(rows, UNITS), torch.zeros(rows, UNITS), torch.zeros(rows, UNITS)
    cells = []
    for t in range(x.shape[1]):
        last = given.lengths == t + 1
        if turned is not None:
            c[:, turned] = torch.where(last, -c[:, turned], c[:, turned])
        h, c = cell(x[:, t], (h, c))
        cells.append(c.clone())  # which a turn at the next step must not reach
        ends = torch.where(last.unsqueeze(1), h, ends)
    logits = predict(ends)
    return logits[:, question] > logits[:, stop], torch.stack(cells, 1)


def contrast(given: Sentences, cells: Tensor) -> Tensor:
    """Of each unit (H,): distance of questions and statements by the spread within the two.

    A sentence counts by the mean of its cell states from the second word on; the first step reads
    <sos>.
    """
    steps = torch.arange(given.tokens.shape[1])
    real = (steps >= 2) & (steps < given.lengths.unsqueeze(1))
    middle = (cells * real.unsqueeze(2)).sum(1) / real.sum(1, keepdim=True).clamp(min=1)
    yes, no = middle[given.asks], middle[~given.asks]
    return ((yes.mean(0) - no.mean(0)) / (yes.var(0) + no.var(0)).sqrt()).abs()


def shares(given: Sentences, changed: Tensor) -> list[float]:
    """Of questions, and of statements."""
    return [round(changed[kind].double().mean().item(), 3) for kind in (given.asks, ~given.asks)]


def measure(network: Network, choose: Sentences, test: Sentences) -> dict[str, Any]:
    """The unit, chosen on one set of sentences, and what it does on the other."""
    units = contrast(choose, read(network, choose)[1]).argsort(descending=True).tolist()
    expected, _ = read(network, test)
    turned = [shares(test, read(network, test, unit)[0] != expected) for unit in units]
    return {
        "right": shares(test, expected == test.asks),
        "unit": units[0],
        "turned": turned[0],
        "turned_each": turned,
    }


def run(updates: int, seed: int) -> dict[str, Any]:
    del updates  # all have the same number
    *_, choose, test = material()
    return {"date": records.today(), **measure(train(seed), choose, test)}


def header() -> dict[str, Any]:
    _, ids, choose, test = material()
    counts = {
        name: {"questions": int(part.asks.sum()), "statements": int((~part.asks).sum())}
        for name, part in (("valid, chosen by", choose), ("test, measured on", test))
    }
    return {
        "what": "One unit of an LSTM of 32 that reads English sentences, chosen by its contrast on "
        "the validation split and measured on the test split. Shares are pairs: of questions, of "
        "statements. turned: end marks that change when the unit's sign is turned before the last "
        "word; turned_each: with each unit alone, in the order of contrast.",
        "command": "python -m studies.single_unit",
        "corpus": f"{CORPUS}, English, at most {LONGEST} words",
        "sentences": {"train": len(ids), **counts},
        **records.origin(),
    }


SERIES = runner.Series(
    "02_single_unit",
    {"updates": (UPDATES,)},
    run,
    header,
    data=lambda updates: CORPUS,
    seeds=range(1, 11),
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
