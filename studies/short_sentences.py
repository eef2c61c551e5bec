"""The recorded runs of chapter 3: its translator of short sentences, and ten times the updates.

    python -m studies.short_sentences                    # data/runs/03_short.json

The chapter trains a translator without attention on the sentences of at most ten Korean tokens in
500 updates. A run here is that training from another seed, with as many updates or ten times as
many, and counts what the chapter counts: test sentences without a mistake, those of new pairs of a
verb and an object, those longer than any in training, and wrong ones that are sentences of the
training. The model is the library's, from the weights that torch's own initialization draws.
"""

import random
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from attnlib.data import EOS, make_batch
from attnlib.device import seed_everything
from attnlib.model import Seq2Seq, make_seq2seq

from . import common, records, runner
from .seq2seq_chapter import open_gates, written

UPDATES = 500
BATCH = 64
LONGEST = 10  # Korean tokens of a sentence to learn from
RATE = 5e-3
FORGET_BIAS = 3.0
OPTIONS: dict[str, Any] = {"embedding_size": 64, "hidden_size": 128, "tied_output": False}
Ids = list[tuple[list[int], list[int]]]


def id_pairs(split: str, shortest: int = 1, longest: int = LONGEST) -> Ids:
    corpus, src, tgt, _ = common.encoded_corpus()
    pairs = [(src.encode(pair.src), tgt.encode(pair.tgt)) for pair in corpus.split(split)]
    return [pair for pair in pairs if shortest <= len(pair[0]) <= longest]


def make_model() -> Seq2Seq:
    _, src, tgt, _ = common.encoded_corpus()
    model = make_seq2seq(len(src), len(tgt), decoder="plain", bidirectional=False, **OPTIONS)
    for module in model.modules():
        if isinstance(module, nn.Embedding | nn.Linear | nn.LSTM):
            module.reset_parameters()
    for layer in (*model.encoder.layers, model.decoder.rnn):
        open_gates(layer, FORGET_BIAS)
    return model


def train(model: Seq2Seq, pairs: Ids, updates: int, seed: int) -> float:
    """As the chapter's loop does; returns the mean loss of the last fifty updates."""
    draw, losses = random.Random(seed), []
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, updates)
    for _ in range(updates):
        src, tgt = map(list, zip(*draw.choices(pairs, k=BATCH)))
        batch = make_batch(src, tgt)
        logits = model(batch.src, batch.src_mask, batch.tgt_in)[0]
        loss = F.cross_entropy(logits[batch.tgt_mask], batch.tgt_out[batch.tgt_mask])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    last = losses[-50:]
    return sum(last) / len(last)


def counted(model: Seq2Seq, pairs: Ids, learned: Ids) -> dict[str, int]:
    """Translations that are the reference, and wrong ones that are sentences of the training."""
    known = {tuple(target) for _, target in learned}
    rows = written(model, [source for source, _ in pairs], 50).tolist()
    texts = [row[: row.index(EOS)] if EOS in row else row for row in rows]
    wrong = [text for text, (_, target) in zip(texts, pairs) if text != target]
    copied = sum(tuple(text) in known for text in wrong)
    return {"of": len(pairs), "right": len(pairs) - len(wrong), "copied": copied}


def run(times: int, seed: int) -> dict[str, Any]:
    learned = id_pairs("train")
    seed_everything(seed)
    model = make_model()
    loss = train(model, learned, times * UPDATES, seed)
    tests = {
        "known": id_pairs("test"),
        "longer": id_pairs("test", LONGEST + 1, 2 * LONGEST),
        "new": id_pairs("test_composition"),
    }
    counts = {name: counted(model, pairs, learned) for name, pairs in tests.items()}
    return {"date": records.today(), "loss": round(loss, 4), **counts}


def header() -> dict[str, Any]:
    return {
        "what": "Sentences without a mistake by a translator without attention that learned from "
        "sentences of at most ten tokens, and wrong ones that are sentences of the training.",
        "command": "python -m studies.short_sentences",
        "corpus": common.EASY,
        "updates": UPDATES,
        **records.origin(),
    }


SERIES = runner.Series("03_short", {"times": (1, 10)}, run, header, data=lambda times: common.EASY)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
