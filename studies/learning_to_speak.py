"""A translator while it learns to speak: what it says of the same sentences after few updates, more
and many, and where it looks.

    python -m studies.learning_to_speak                   # data/runs/10_learning.json

Two runs of one thread. On Multi30k the preset "quick" for 2,400 updates, about six minutes with
bf16: twenty sentences that were written for this book, translated with greedy search. On ko-en-easy
the model of chapter 5 for 1,000 updates, about a minute: four sentences of the test split, where it
looks while it is fed the reference. Weights are in hundredths. A run that is in the file already is
not made again, and one of Multi30k that was interrupted goes on where it stopped.
"""

import dataclasses
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from torch import Tensor

from attnlib.data import Pair, format_links
from attnlib.data.sources import BUNDLED_CORPORA
from attnlib.device import seed_everything
from attnlib.model import Seq2Seq, make_seq2seq
from attnlib.training import fit
from attnlib.translator import (
    CHECKPOINT_FILE,
    DEFAULT_PRESETS,
    Checkpoint,
    LengthLimit,
    Translator,
    make_batches,
    make_vocabularies,
    read_json,
    write_json,
)

from . import attention_chapter, common, records, runner

# Nobody's captions: the record may be given away, as Multi30k may not. German, below it English.
TEXT = """
Ein Hund schläft.
A dog is sleeping.
Zwei Kinder essen Eis.
Two children are eating ice cream.
Eine Frau trinkt Kaffee.
A woman is drinking coffee.
Ein Mann repariert ein altes Fahrrad.
A man is repairing an old bicycle.
Drei Mädchen tanzen auf einer Bühne.
Three girls are dancing on a stage.
Ein kleiner Junge springt in einen See.
A little boy is jumping into a lake.
Zwei Fußballspieler kämpfen um den Ball.
Two soccer players are fighting for the ball.
Ein brauner Hund trägt einen Stock im Maul.
A brown dog is carrying a stick in its mouth.
Eine alte Frau verkauft Blumen auf dem Markt.
An old woman is selling flowers at the market.
Ein Mann mit Hut spielt vor einem Café Gitarre.
A man with a hat is playing the guitar in front of a café.
Im Park spielen viele Kinder mit einem roten Ball.
In the park many children are playing with a red ball.
Eine Familie sitzt am Strand und schaut auf das Meer.
A family is sitting on the beach, looking at the sea.
Auf der Straße wartet eine Gruppe von Menschen auf den Bus.
On the street a group of people is waiting for the bus.
Ein Bauarbeiter steht auf einer Leiter und streicht eine Wand.
A construction worker is standing on a ladder, painting a wall.
Ein Junge, der ein blaues Hemd trägt, läuft durch das Wasser.
A boy who is wearing a blue shirt is running through the water.
Zwei Männer in orangen Westen arbeiten nachts an den Gleisen.
Two men in orange vests are working on the tracks at night.
Eine Frau in einem weißen Kleid liest ihrer Tochter ein Buch vor.
A woman in a white dress is reading a book to her daughter.
Ein Radfahrer fährt einen steilen Berg hinunter, während Zuschauer jubeln.
A cyclist is riding down a steep mountain while spectators cheer.
Ein kleiner Hund, der einen roten Ball im Maul hat, läuft durch den Schnee.
A small dog that has a red ball in its mouth is running through the snow.
Eine junge Frau mit langen Haaren steht neben ihrem Pferd und lächelt in die Kamera.
A young woman with long hair is standing beside her horse, smiling at the camera.
"""
LINES = TEXT.strip().splitlines()
SENTENCES = tuple(Pair(src, tgt) for src, tgt in zip(LINES[::2], LINES[1::2]))
STAGES = {
    "multi30k-de-en": (100, 300, 900, 2400),
    "ko-en-easy": (25, 50, 100, 200, 400, 1000),
}
EVERY = {"multi30k-de-en": 100, "ko-en-easy": 25}  # updates between two looks at a model
RANGES = ((5, 7), (9, 11), (14, 17), (21, 25))  # source tokens of the four Korean sentences
Look = Callable[[Translator], dict[str, Any]]


def hundredths(weights: Tensor | None) -> list[list[int]]:
    """Weights (T, S) as whole numbers."""
    assert weights is not None
    return (100 * weights).round().int().tolist()  # type: ignore[no-any-return]


class Album:
    """What a translator says at every stage, kept in a folder, where a stopped run finds it."""

    def __init__(self, corpus: str, look: Look, folder: Path | None = None) -> None:
        self.look, self.stages, self.update = look, STAGES[corpus], 0
        self.file = folder / "stages.json" if folder else None
        there = read_json(self.file) if self.file and self.file.is_file() else []
        self.pages = {page["update"]: page for page in there}

    def watch(self, update: int) -> None:
        """``fit`` tells after every update how many there were."""
        self.update = update

    def score(self, translator: Translator) -> float:
        """``fit`` asks how good the model is: the newest is the best."""
        if self.update in self.stages:
            self.pages[self.update] = {"update": self.update, **self.look(translator)}
            if self.file:
                write_json(self.file, list(self.pages.values()))
        return self.update


def german(out: Path, seed: int) -> dict[str, Any]:
    """The preset quick for longer, and what it makes of SENTENCES."""
    name = "multi30k-de-en"
    corpus, preset, folder = (
        records.corpus_or_exit(name),
        DEFAULT_PRESETS["quick"],
        out / f"speaking-{seed}",
    )
    changes: Any = {"updates": STAGES[name][-1], "validate_every": EVERY[name], "seed": seed}
    recipe = dataclasses.replace(preset.recipe, **changes)
    src, tgt = make_vocabularies(corpus, preset.subwords)
    seed_everything(seed)
    model = make_seq2seq(len(src), len(tgt), **preset.architecture("general"))
    batches, valid = make_batches(corpus, src, tgt, preset.batch_tokens, seed)
    translator = Translator(model, src, tgt, limit=LengthLimit.learn(batches.lengths))

    def look(translator: Translator) -> dict[str, Any]:
        translations = translator.translate([pair.src for pair in SENTENCES], beam_size=1)
        sentences = [
            {"text": one.text, "tokens": one.tgt_tokens, "weights": hundredths(one.weights)}
            for one in translations
        ]
        return {"valid bleu": round(translator.bleu(corpus.valid, 1), 2), "sentences": sentences}

    album = Album(name, look, folder)
    history = fit(
        model,
        batches,
        recipe,
        valid=valid,
        score=lambda _: album.score(translator),
        after_update=album.watch,
        checkpoint=Checkpoint(folder, resume=(folder / CHECKPOINT_FILE).is_file()),
        progress=sys.stderr.isatty(),
    )
    losses = dict(zip(history.validated_at, history.valid_loss))
    return {
        **records.circumstances(recipe.precision, "torch", "tokenizers"),
        "minutes": round(history.seconds / 60, 1),
        "recipe": dataclasses.asdict(recipe),
        "sentences": [
            {"src": pair.src, "reference": pair.tgt, "tokens": [*src.tokenize(pair.src), "<eos>"]}
            for pair in SENTENCES
        ],
        "stages": [
            page | {"valid loss": round(losses[update], 3)} for update, page in album.pages.items()
        ],
    }


def chosen(pairs: Sequence[Pair]) -> list[Pair]:
    """The first pair of every range of lengths."""
    encode = common.encoded_corpus().src.encode
    return [
        next(pair for pair in pairs if low <= len(encode(pair.src)) <= high) for low, high in RANGES
    ]


def korean(out: Path, seed: int) -> dict[str, Any]:
    """Chapter 5's model, and where it looks: the heat map that becomes clear."""
    name, easy = "ko-en-easy", common.encoded_corpus()
    test, some = easy.corpus.test, chosen(easy.corpus.test)

    def look(translator: Translator) -> dict[str, Any]:
        weights = common.all_weights(translator, some)
        texts = translator.translate([pair.src for pair in some], beam_size=1)
        gold = [pair.links for pair in test]
        scores = records.alignment(common.all_weights(translator, test), gold)
        sentences = [{"text": one.text, "weights": hundredths(w)} for one, w in zip(texts, weights)]
        return {"aer": scores["aer"], "sentences": sentences}

    album = Album(name, look)
    recipe = common.recipe(STAGES[name][-1], seed, validate_every=EVERY[name])

    def make(src_size: int, tgt_size: int) -> Seq2Seq:
        return attention_chapter.make_model("luong", src_size, tgt_size)

    _, history = common.train(make, recipe, score=album.score, after_update=album.watch)
    return {
        **records.circumstances(recipe.precision, "torch"),
        "minutes": round(history.seconds / 60, 1),
        "recipe": dataclasses.asdict(recipe),
        "sentences": [
            {
                "src": pair.src,
                "reference": pair.tgt,
                "tokens": easy.src.tokenize(pair.src),
                "reference tokens": easy.tgt.tokenize(pair.tgt),
                "links": format_links(pair.links) if pair.links else "",
            }
            for pair in some
        ],
        "stages": list(album.pages.values()),
    }


WAYS = {"multi30k-de-en": german, "ko-en-easy": korean}


def run(out: Path, corpus: str, seed: int) -> dict[str, Any]:
    command = f"python -m studies.learning_to_speak --corpus {corpus}"
    return {"command": command, **WAYS[corpus](out, seed)}


def header() -> dict[str, Any]:
    return {
        "what": "Two translators at several stages of their training: what they say, and their "
        "attention weights in hundredths, a row for every target token. On Multi30k the rows are "
        "of what is said (with its end, where there is one); on ko-en-easy of the reference, "
        "without the end.",
        "command": "python -m studies.learning_to_speak",
        "search": "greedy",
        "stages": STAGES,
    }


def series(out: Path) -> runner.Series:
    axes = {"corpus": list(STAGES)}
    return runner.Series(
        "10_learning",
        axes,
        partial(run, out),
        header,
        separators=(",", ":"),
        seeds=(1,),
        data=lambda corpus: corpus if corpus in BUNDLED_CORPORA else None,
    )


def main() -> None:
    out = runner.option("--out", type=Path, default=Path("runs/multi30k"))
    runner.main(__doc__, series, out, say="{corpus}, seed {seed}: {minutes} minutes".format_map)


if __name__ == "__main__":
    main()
