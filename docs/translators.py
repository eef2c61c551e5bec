"""The translators that come along, each as a page that translates in the reader's browser."""

from pathlib import Path
from typing import NamedTuple

from .links import ROOT

EXAMPLES = "examples.tsv"  # whoever has sentences to begin with is meant to be a page
BLIND = "ko-en-without"  # has no attention, and is shown beside the Korean one
#: Chapters that lead to a page, and from which language it translates.
CHAPTERS = {"05": "ko", "08": "ko", "10": "de"}
LANGUAGES = {"de": "German", "en": "English", "fr": "French", "ko": "Korean"}


class Shown(NamedTuple):
    """A translator and the page that it becomes."""

    folder: Path
    page: str

    @property
    def source(self) -> str:
        return self.folder.name.split("-")[0]

    @property
    def languages(self) -> str:
        """As a reader says it: ``Korean to English``."""
        names = self.folder.name.split("-")[:2]
        return " to ".join(LANGUAGES.get(name, name) for name in names)


def shown(data: Path = ROOT / "data") -> list[Shown]:
    """The translators that become pages, the one of the front page first: the German one, which
    more visitors can read."""
    folders = [path.parent for path in data.glob("*/translator.json")]
    folders = [folder for folder in folders if (folder / EXAMPLES).is_file()]
    folders.sort(key=lambda folder: (not folder.name.startswith("de"), folder.name))
    names = ["translator.html", *(f"translator-{folder.name}.html" for folder in folders[1:])]
    return [Shown(folder, name) for folder, name in zip(folders, names)]


def of_chapter(number: str, all_shown: list[Shown]) -> Shown | None:
    """The translator to which a chapter leads; None where it leads to none."""
    notebook = CHAPTERS.get(number)
    return next((translator for translator in all_shown if translator.source == notebook), None)


def write(out: Path, all_shown: list[Shown]) -> None:
    """Write their pages into a folder, as ``python -m attnlib export`` does."""
    from attnlib.translator import Translator
    from attnlib.translator.page import export_page, read_examples

    out.mkdir(parents=True, exist_ok=True)
    for folder, name in all_shown:
        blind = folder.parent / BLIND
        beside = blind.name.split("-")[:2] == folder.name.split("-")[:2] and blind.is_dir()
        baseline = Translator.load(blind, "cpu") if beside else None
        examples = read_examples(folder)
        translator = Translator.load(folder, "cpu")
        export_page(translator, out / name, examples=examples, baseline=baseline)
