"""``python -m attnlib assign``: chapters for a class, as notebooks to fill in.

They hold no output: whoever runs a cell sees its own, and no figure answers a prediction before it
was made. They need nothing beside them but the installed package, which brings its data along; a
link to a chapter that is not handed out becomes plain text.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from attnlib.files import write_bytes
from attnlib.translator.cli import Parser

from ...contents import CHAPTERS
from . import nbgrader

#: A notebook as JSON has it.
NotebookJson = dict[str, Any]

_BOOK = Path(__file__).resolve().parents[3] / "chapters"
_HINT = re.compile(
    r"<details><summary>(?:Hint \d+|Solution idea)</summary>.*?</details>\n?", re.DOTALL
)
_LINK = re.compile(r"\[([^\]]+)\]\(((?:solutions/)?\w+\.ipynb)(?:#[^)]*)?\)")
README = """\
# Your notebooks

{listed}

They need Python 3.10 or newer and the book's package. `python -m attnlib doctor` says whether all
is there, and what to do where something is missing. Open a notebook with JupyterLab, run its cells
from the top, and write each exercise in the place of `raise NotImplementedError`: below the cell
you see at once whether it is right, and if not, why. Save, and hand in the `.ipynb` files under
their names. Your progress is kept in `progress.json` beside them; it need not be handed in.
"""


def select_notebooks(names: Sequence[str]) -> list[str]:
    """The notebooks that are named, in order; all without a name.

    A name is that of a notebook, which is one sitting: ``05b_two_decoders``, ``05b`` or ``5b``. So
    are ``05`` and ``10``, as the tables of courses write them; ``5`` is all of chapter 5.
    """
    known: dict[str, list[str]] = {}
    for number, chapter in CHAPTERS.items():
        short = number.removeprefix("0")
        whole = set() if short == number else {short[0]}
        for name in {chapter.notebook, number, short} | whole:
            known.setdefault(name, []).append(chapter.notebook)
    for name in names:
        if name not in known:
            available = f"{min(CHAPTERS)} to {max(CHAPTERS)[:2]}"
            raise ValueError(f"there is no chapter {name!r} to hand out; there are {available}")
    return sorted({notebook for name in names or known for notebook in known[name]})


def for_class(
    notebook: NotebookJson, present: Iterable[str], hints: bool = True, outputs: bool = False
) -> NotebookJson:
    """A chapter as a class gets it.

    Args:
        notebook: the book's own; it stays as it is.
        present: the notebooks that will lie beside it, whose links work.
        hints: keep the hints of its exercises.
        outputs: keep what its cells printed and drew when the book was built.
    """
    present_files = {f"{name}.ipynb" for name in present}

    def replace_link(match: re.Match[str]) -> str:
        return match[0] if match[2] in present_files else match[1]

    copy: NotebookJson = json.loads(json.dumps(notebook))
    for cell in copy["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            source = _LINK.sub(replace_link, source)
            cell["source"] = source if hints else _HINT.sub("", source).rstrip("\n")
        elif not outputs:
            cell.update(outputs=[], execution_count=None)
    return copy


def as_bytes(notebook: NotebookJson) -> bytes:
    """A notebook as Jupyter would save it."""
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def command(argv: Sequence[str]) -> int:
    """``python -m attnlib assign``: write the notebooks, or the sources of a course of nbgrader."""
    args = _parse_args(argv)
    names = select_notebooks(args.chapters)
    written: dict[Path, bytes] = {}
    for name in names:
        original = _read(_BOOK / f"{name}.ipynb")
        copy = for_class(original, names, not args.no_hints, args.outputs)
        if args.nbgrader:
            solution = _BOOK / "solutions" / f"{name}.ipynb"
            copy = nbgrader.source(copy, _read(solution)) if solution.is_file() else copy
            written[args.folder / "source" / name / f"{name}.ipynb"] = as_bytes(copy)
        else:
            written[args.folder / f"{name}.ipynb"] = as_bytes(copy)
    if args.nbgrader:
        config = args.folder / nbgrader.CONFIG_NAME
        if not config.exists():  # a course may have its own
            written[config] = nbgrader.CONFIG.encode()
    else:
        titles = {name: CHAPTERS[name.partition("_")[0]].title for name in names}
        listed = "\n".join(f"- {name}.ipynb: {title}" for name, title in titles.items())
        written[args.folder / "README.md"] = README.format(listed=listed).encode()
    _write(written)
    for path in written:
        print(path)
    return 0


def _read(path: Path) -> NotebookJson:
    try:
        notebook: NotebookJson = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        where = "the package leaves notebooks out, and a copy of the book has them"
        raise ValueError(f"{path} does not exist: {where} (make book)") from None
    except ValueError as error:
        raise ValueError(f"{path} is not a notebook: {error}; make book builds it") from None
    return notebook


def _write(files: dict[Path, bytes]) -> None:
    """Write all files, none of which exists: somebody's work may stand in it."""
    for path in files:
        if path.exists():
            raise ValueError(f"{path} exists and is left as it is; name a folder without it")
    for path, content in files.items():
        write_bytes(path, content)


def _parse_args(argv: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog="python -m attnlib assign",
        description="Hand out chapters to a class, as notebooks or as a course of nbgrader.",
        epilog="A notebook that exists is never overwritten.",
    )
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="where to put them")
    add("chapters", nargs="*", metavar="CHAPTER", help="05b is a file, 5 all of chapter 5 (all)")
    add("--no-hints", action="store_true", help="leave out the hints of the exercises")
    add("--outputs", action="store_true", help="keep what the cells printed and drew")
    add("--nbgrader", action="store_true", help="FOLDER is a course of nbgrader: fill its source")
    args, rest = parser.parse_known_args(argv)
    if any(word.startswith("-") for word in rest):
        parser.error(f"assign knows no {' '.join(rest)}")
    args.chapters += rest  # those after an option, which argparse itself gives up on
    if _is_chapter(args.folder) and not Path(args.folder).exists():
        parser.error(
            f"the first argument is the folder to fill, and {args.folder} names a chapter: "
            f"assign FOLDER {' '.join([args.folder, *args.chapters])}, say, or ./{args.folder} for "
            "a folder of that name"
        )
    args.folder = Path(args.folder)
    return args


def _is_chapter(name: str) -> bool:
    try:
        return bool(select_notebooks([name]))
    except ValueError:
        return False
