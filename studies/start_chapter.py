"""The recorded runs of chapter 0: does its network read the place, or guess it?

    python -m studies.start_chapter                  # data/runs/00_swap.json

The network of the chapter, trained as there, and three times as long, three seeds each; about five
minutes of one thread. In every test sentence that names a place behind *in the* or *at the*, the
Korean noun of the place is exchanged for that of each other place, and the network is asked again,
given the same English words before: how probable is the old place still, and how probable the new
one? A network that reads the place must follow it. Swaps for a place of the same preposition are
counted apart, since after *in the* no cafe can follow; of the others it is also asked whether the
preposition follows.
"""

import dataclasses
from typing import Any

import torch

from attnlib.data import Pair, load_corpus, make_batch
from attnlib.device import seed_everything
from attnlib.model import make_seq2seq
from attnlib.training import fit
from attnlib.translator import Translator, make_batches, make_vocabularies, presets_for

from . import common, records, runner

PLACES = {"in": {"library": "도서관", "park": "공원"}}
PLACES["at"] = {"cafe": "카페", "market": "시장", "store": "가게"}
WORDS = {word: (two, noun) for two, some in PLACES.items() for word, noun in some.items()}
UPDATES = 700


def train(updates: int, seed: int) -> Translator:
    """As the chapter trains its network."""
    corpus = load_corpus(common.EASY)
    preset = presets_for(corpus)["quick"]
    src, tgt = make_vocabularies(corpus, None)
    seed_everything(seed)
    model = make_seq2seq(len(src), len(tgt), **preset.architecture("general"))
    batches, _ = make_batches(corpus, src, tgt, preset.batch_tokens, seed=seed)
    changes: Any = {"updates": updates, "validate_every": updates, "seed": seed}
    changes |= {"warmup": updates // 4, "learning_rate": 4.5e-3}
    fit(model, batches, dataclasses.replace(preset.recipe, **changes), progress=False)
    model.eval()
    return Translator(model, src, tgt)


@torch.no_grad()
def swapped(translator: Translator, pair: Pair) -> list[dict[str, Any]]:
    """What each swap of a place in this sentence does to the words that are read after it."""
    src, tgt = translator.src_vocabulary, translator.tgt_vocabulary
    tokens, words, found = src.tokenize(pair.src), tgt.tokenize(pair.tgt), []
    gold = tgt.encode(pair.tgt)
    for t, word in enumerate(words):
        preposition, noun = WORDS.get(word, ("", ""))
        if t < 2 or words[t - 2 : t] != [preposition, "the"]:
            continue
        at = next(j for j, i in pair.links.sure if i == t)
        assert tokens[at] == noun, (tokens, noun)
        others = [other for other in WORDS if other != word]
        ids = src.encode(pair.src)
        changed = [[*ids[:at], *src.encode(WORDS[o][1]), *ids[at + 1 :]] for o in others]
        batch = make_batch([ids, *changed], [gold] * (1 + len(others)))
        p = translator.model(batch.src, batch.src_mask, batch.tgt_in)[0].softmax(-1)
        for n, other in enumerate(others, 1):
            new_preposition = WORDS[other][0]
            found.append(
                {
                    "same": new_preposition == preposition,
                    "old before": p[0, t, gold[t]],
                    "old after": p[n, t, gold[t]],
                    "new after": p[n, t, tgt.encode(other)[0]],
                    "old preposition before": p[0, t - 2, gold[t - 2]],
                    "old preposition after": p[n, t - 2, gold[t - 2]],
                    "new preposition after": p[n, t - 2, tgt.encode(new_preposition)[0]],
                }
            )
    return found


def run(times: int, seed: int) -> dict[str, Any]:
    translator = train(times * UPDATES, seed)
    pairs = load_corpus(common.EASY).test
    found = [row for pair in pairs for row in swapped(translator, pair)]

    def means(rows: list[dict[str, Any]], names: list[str]) -> dict[str, float]:
        told = {name: sum(float(row[name]) for row in rows) / len(rows) for name in names}
        return {"swaps": len(rows)} | {name: round(mean, 4) for name, mean in told.items()}

    places, prepositions = list(found[0])[1:4], list(found[0])[4:]
    same = [row for row in found if row["same"]]
    others = [row for row in found if not row["same"]]
    return {
        "date": records.today(),
        "all": means(found, places),
        "same preposition": means(same, places),
        "other preposition": means(others, prepositions),
    }


def header() -> dict[str, Any]:
    return {
        "what": "Mean probabilities of the old and the new place before and after the Korean noun "
        "of the place is exchanged, given the same English words before.",
        "command": "python -m studies.start_chapter",
        "corpus": common.EASY,
        "split": "test",
        "updates": UPDATES,
        **records.origin(),
    }


SERIES = runner.Series("00_swap", {"times": (1, 3)}, run, header, data=lambda times: common.EASY)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
