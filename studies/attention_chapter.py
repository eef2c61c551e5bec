"""The recorded runs of chapter 5: translators that differ in one thing each, three seeds of all.

    python -m studies.attention_chapter                  # data/runs/05_attention.json
    python -m studies.attention_chapter --corpus ko-en   # data/runs/05_attention_ko-en.json
    python -m studies.attention_chapter --try-rates      # data/runs/05_rates.json

All variants have the same encoder, batches, updates and one thread. "luong", "none" and "bahdanau"
have parameters within 5 %, "bahdanau" and "luong-order-fed" the same number: see ``orders`` for the
pair that differs in the order alone. The learning rate is the chapter's; those of ``ORDERS`` have
the best of ``RATES``, by the validation loss of a seed that is not reported otherwise
(``--try-rates``, to be run first). Nothing was chosen on the test split.
"""

from functools import partial
from typing import Any

from torch import Tensor

from attnlib.data import Batches
from attnlib.model import (
    Attention,
    BahdanauDecoder,
    Encoder,
    LuongDecoder,
    PlainDecoder,
    Seq2Seq,
)

from . import common, records, runner
from .orders import LuongOrderDecoder

WIDTH = 128  # of embeddings, of encoder states, and of the Luong decoder's state
PLAIN = 108  # width of the state of the decoder without attention, which reads more
STATE = 72  # of Bahdanau's decoder, which also reads the context, and of the same in Luong's order
INNER = 64  # of the additive score in Luong's decoder
UPDATES = {"ko-en-easy": 1000, "ko-en": 3000}
RATE, RATES = 4e-3, (2e-3, 4e-3, 8e-3, 1.6e-2, 3.2e-2)  # the chapter's, and those tried
ORDERS = ("bahdanau", "luong-order", "luong-order-fed")  # each at the best rate tried
LONGER = 3000  # updates of what is "-longer"
SHORT = 20  # the longest source that "short" is trained on


class UniformAttention(Attention):
    """All real positions weigh the same: the context is the mean state, at every step."""

    def scores(self, query: Tensor, prepared: Tensor) -> Tensor:
        return query.new_zeros(*query.shape[:2], prepared.shape[1])


def make_model(variant: str, src_size: int, tgt_size: int) -> Seq2Seq:
    """A model of the chapter; the chapter's own ``make_model`` makes "luong" and "none" alike."""
    source, target = common.tables(src_size, tgt_size, WIDTH)
    encoder = Encoder(source, WIDTH, cell="lstm", dropout=0.2)
    kind: dict[str, Any] = {"cell": "lstm", "dropout": 0.2}
    decoder: PlainDecoder | LuongDecoder | BahdanauDecoder
    if variant.startswith("none"):
        decoder = PlainDecoder(target, WIDTH, PLAIN, WIDTH, every_step=True, **kind)
    elif variant == "bahdanau":
        decoder = BahdanauDecoder(target, WIDTH, STATE, WIDTH, **kind)
    elif variant.startswith("luong-order"):
        fed = variant.endswith("fed")
        decoder = LuongOrderDecoder(target, WIDTH, STATE, WIDTH, fed=fed, **kind)
    else:
        kind |= {"attention": "dot"}
        if variant == "additive":
            kind |= {"attention": "additive", "attention_size": INNER}
        decoder = LuongDecoder(target, WIDTH, WIDTH, WIDTH, **kind)
        if variant.startswith("uniform"):
            decoder.attention = UniformAttention(WIDTH, WIDTH)
    return common.joined(encoder, decoder, target)


VARIANTS = {
    "luong": "Luong, dot score",
    "none": "no attention: the last states start the decoder and are part of every input",
    "none-longer": "no attention, three times the updates",
    "short": f"Luong, dot score, trained on at most {SHORT} source tokens",
    "uniform": "Luong, all weights equal",
    "uniform-longer": "the same, three times the updates",
    "additive": "Luong, additive score",
    "bahdanau": "Bahdanau, additive score: attend, recurrent step, predict",
    "luong-order": "the same in Luong's order: recurrent step, attend, predict",
    "luong-order-fed": "the same, and each step reads the context of the step before",
}


LARGER = ("luong",)  # what is trained on the larger corpus


def rate_of(variant: str) -> float:
    """Of the decoders that differ in their order the best of ``RATES``, by ``05_rates``."""
    tried = records.read(records.path_of("05_rates"), ("variant", "rate", "seed"))
    losses = {rate: run["valid loss"] for (name, rate, _), run in tried.items() if name == variant}
    return min(losses, key=lambda rate: losses[rate]) if variant in ORDERS else RATE


def run(corpus: str, variant: str, seed: int) -> dict[str, Any]:
    """Trained like all others, but for those that are trained for longer."""
    updates = LONGER if variant.endswith("longer") else UPDATES[corpus]
    translator, _ = common.train(
        partial(make_model, variant),
        common.recipe(updates, seed, learning_rate=rate_of(variant)),
        at_most=SHORT if variant == "short" else None,
        corpus=corpus,
    )
    return {
        "parameters": common.used(translator.model),
        "updates": updates,
        "rate": rate_of(variant),
        "date": records.today(),
        **common.evaluate(translator, corpus=corpus),
        "others": common.evaluate_others(translator, corpus),
    }


def run_rate(corpus: str, variant: str, rate: float, seed: int) -> dict[str, Any]:
    """The loss, in nats per token of the validation split, after training at a rate."""
    given = common.encoded_corpus(corpus)
    sides = (
        [given.src.encode(p.src) for p in given.corpus.valid],
        [given.tgt.encode(p.tgt) for p in given.corpus.valid],
    )
    recipe = common.recipe(UPDATES[corpus], seed, learning_rate=rate)
    valid = list(Batches(*sides, batch_size=100, seed=0).epoch(0))
    _, history = common.train(partial(make_model, variant), recipe, corpus=corpus, valid=valid)
    return {"date": records.today(), "valid loss": round(history.valid_loss[-1], 4)}


def variants(corpus: str, rates: bool = False) -> dict[str, str]:
    """What is trained on a corpus."""
    # The rates of these are those of others.
    left_out = ("none-longer", "short", "uniform", "uniform-longer") if rates else ()
    chosen = VARIANTS if corpus == common.EASY else LARGER
    return {name: VARIANTS[name] for name in chosen if name not in left_out}


def header(corpus: str, rates: bool) -> dict[str, Any]:
    options = (" --try-rates" if rates else "") + (
        "" if corpus == common.EASY else f" --corpus {corpus}"
    )
    measured = {"buckets": records.BUCKETS_OF[corpus], "batch": 32, "search": "greedy"}
    return {
        "command": "python -m studies.attention_chapter" + options,
        "corpus": corpus,
        "split": "valid" if rates else "test",
        **({"updates": UPDATES[corpus]} if rates else measured),
        **records.origin(),
        "variants": variants(corpus, rates),
    }


def series(corpus: str, try_rates: bool = False) -> runner.Series:
    axes: dict[str, Any] = {"variant": list(variants(corpus, try_rates))}
    if try_rates:
        axes["rate"] = RATES
    return runner.Series(
        common.record_of("05_rates" if try_rates else "05_attention", corpus),
        axes,
        partial(run_rate if try_rates else run, corpus),
        partial(header, corpus, try_rates),
        # Only without attention did the fourth rate leave the loss above 0.01.
        skip=lambda variant, *rest: try_rates and rest[0] == RATES[-1] and variant != "none",
        data=lambda *values: corpus,
        seeds=(4,) if try_rates else (1, 2, 3),
    )


if __name__ == "__main__":
    try_rates = runner.option("--try-rates", action="store_true")
    runner.main(__doc__, series, common.corpus_option(), try_rates)
