"""Teacher forcing on real captions, and two shares of the model's own words: chapter 7b's record.

    python -m studies.forcing_captions                # data/runs/07_captions.json

Multi30k German → English, the preset "quick", three seeds, about 15 minutes of one thread each
where own words are mixed in (one coin a token; the most probable word), 8 by teacher forcing. Every
way has the preset's learning rate, which was chosen for teacher forcing, and equal updates.

BLEU, greedy and with a beam of 5, on the validation split and the test. And what scheduled sampling
is for, *recovery*: the first three words of a reference are given and the model goes on greedily,
once with the right third word and once with that of another caption in its place, the same for all
models. How many of the reference's other words does it still say?
"""

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from attnlib.data import BOS, EOS, Pair, pad
from attnlib.training import constant_schedule
from attnlib.translator import Translator

from . import multi30k, records, runner
from .models import PRESETS, like

WAYS = {  # way → its name, and how often the word that is fed is the reference's
    "gold": ("always the reference's word (teacher forcing)", 1.0),
    "quarter": ("its own word with probability 1/4", 0.75),
    "half": ("its own word with probability 1/2", 0.5),
}
GIVEN, SHORTEST = 3, 6  # words of a reference that are given, and that it must have
BATCH = 100
Words = list[str]


def planted(references: Sequence[str]) -> list[tuple[int, Words, Words]]:
    """Which references are long enough, their words, and three words of which the last is wrong."""
    draw, found = random.Random(0), []
    words = [text.split() for text in references]
    others = [some[GIVEN - 1] for some in words if len(some) >= SHORTEST]
    for n, some in enumerate(words):
        if len(some) >= SHORTEST:
            wrong = draw.choice([word for word in others if word not in some])
            found.append((n, some, [*some[: GIVEN - 1], wrong]))
    return found


@torch.no_grad()
def continued(translator: Translator, sources: Sequence[str], begun: Sequence[Words]) -> list[str]:
    """What the model writes after the words that it is given, greedily."""
    model, vocabulary, texts = translator.model.eval(), translator.tgt_vocabulary, list[str]()
    for low in range(0, len(sources), BATCH):
        some = sources[low : low + BATCH]
        src, mask = pad([[*translator.src_vocabulary.encode(text), EOS] for text in some])
        given = [vocabulary.encode(" ".join(words)) for words in begun[low : low + BATCH]]
        memory = model.encode(src, mask)
        state, fed = model.decoder.start(memory), torch.full((len(src), 1), BOS)
        rows: list[list[int]] = [[] for _ in given]
        for t in range(2 * src.shape[1] + 10):
            log_probs, state, _ = model.step(fed, memory, state)
            own = log_probs.squeeze(1).argmax(-1).tolist()
            nexts = [g[t] if t < len(g) else word for g, word in zip(given, own)]
            for row, word, prefix in zip(rows, nexts, given):
                if t >= len(prefix) and EOS not in row:
                    row.append(word)
            fed = torch.tensor(nexts).unsqueeze(1)
        texts += [vocabulary.decode([word for word in row if word != EOS]) for row in rows]
    return texts


def bare(words: Sequence[str]) -> Counter[str]:
    stripped = (word.strip(".,!\"'").lower() for word in words)
    return Counter(word for word in stripped if word)


def kept(texts: Sequence[str], rest: Sequence[Words]) -> float:
    """The share of the words that remain of the references which the texts have."""
    wanted = [bare(words) for words in rest]
    found = sum((bare(text.split()) & words).total() for text, words in zip(texts, wanted))
    return round(found / sum(words.total() for words in wanted), 4)


def recovery(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Words kept after a right and after a wrong third word; how often the right one follows."""
    chosen = planted([pair.tgt for pair in pairs])
    sources = [pairs[n].src for n, _, _ in chosen]
    rest = [words[GIVEN:] for _, words, _ in chosen]
    right = continued(translator, sources, [words[:GIVEN] for _, words, _ in chosen])
    wrong = continued(translator, sources, [begun for _, _, begun in chosen])
    third = [words[GIVEN - 1 : GIVEN] for _, words, _ in chosen]
    return {
        "captions": len(chosen),
        "words": sum(map(len, rest)),
        "after the right word": kept(right, rest),
        "after a wrong word": kept(wrong, rest),
        "the third word said later": kept(wrong, third),
        "...and after the right word": kept(right, third),  # said a second time
    }


def run(out: Path, variant: str, seed: int) -> dict[str, Any]:
    corpus = records.corpus_or_exit("multi30k-de-en")
    preset, share = like(PRESETS["quick"], seed=seed), WAYS[variant][1]
    options: Any = {} if share == 1 else {"teacher_forcing": constant_schedule(share)}
    folder = out / f"quick-{seed}" if share == 1 else out / f"quick-{variant}-{seed}"
    translator, history = multi30k.train(corpus, preset, folder, **options)
    texts = multi30k.translations(translator, corpus, ("valid", "test"))
    return {
        "command": f"python -m studies.forcing_captions --variants {variant} --seeds {seed}",
        **records.circumstances(preset.recipe.precision, "torch", "tokenizers", "sacrebleu"),
        "updates": history.updates,
        "training minutes": round(history.seconds / 60, 1),
        "train loss": [round(loss, 3) for loss in history.train_loss],
        "valid loss": [round(loss, 3) for loss in history.valid_loss],
        "bleu": multi30k.figures(texts, corpus),
        "recovery": recovery(translator, corpus.test),
    }


def header() -> dict[str, Any]:
    return {
        "what": "Multi30k German-English, the preset quick: teacher forcing and two shares of the "
        "model's own words, recorded for chapter 7b. Losses are nats per piece, of validation "
        "teacher-forced. Recovery, on the test: the share of a reference's words from the fourth "
        "on that the model says after the first three, with the right third word and with that of "
        "another caption. Nothing was chosen.",
        "command": "python -m studies.forcing_captions",
        "corpus": "multi30k-de-en",
        "split": "test",
        "variants": {way: about for way, (about, _) in WAYS.items()},
    }


def series(out: Path) -> runner.Series:
    return runner.Series("07_captions", {"variant": list(WAYS)}, partial(run, out), header)


if __name__ == "__main__":
    out = runner.option("--out", type=Path, default=Path("runs/multi30k"))
    runner.main(__doc__, series, out, say="{variant} {seed}: {bleu} {recovery}".format_map)
