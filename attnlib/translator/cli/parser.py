"""The command line: ``python -m attnlib corpus|train|evaluate|translate|export``, and what other
packages add by entry points of the group ``attnlib.commands``: functions of a list of arguments.

Results go to standard output, sentences and progress to standard error. A user's mistake ends in
one sentence and a status of 1 or 2.
"""

import argparse
import math
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

from . import commands
from .terminal import escape_control_chars, print_note

COMMANDS = {
    "corpus": "show a corpus: its splits and its first sentences",
    "train": "train a translator into a folder",
    "evaluate": "translate a split of the corpus and print BLEU",
    "translate": "translate sentences from the arguments or from standard input",
    "export": "write a translator as one HTML file that translates in a browser",
}
NO_MEMORY = "the memory of this computer is not enough"
CORPUS = (
    "ko-en, ko-en-easy, multi30k-de-en, multi30k-fr-en, or the path of a table of your own: a .tsv "
    "or .txt whose lines are SOURCE<TAB>TARGET, or a .csv, in UTF-8"
)
TRANSLATOR = "what train filled (the small German-English translator that comes along)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status; 130 after Ctrl-C, as shells have it."""
    argv = list(sys.argv[1:] if argv is None else argv)
    # Threads that wait for each other soon sleep: on busy cores a training was 16 times slower
    # without. OpenMP reads this when torch is loaded, which is later.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    for stream in (sys.stdout, sys.stderr):  # Hangul, where a pipe has another encoding
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        args = _parse_args(argv)
        with warnings.catch_warnings():
            warnings.filterwarnings("default", category=UserWarning, module=r"attnlib\b")
            # What is to be known of a corpus: one sentence, without the line of our code.
            warnings.showwarning = lambda message, *where: print_note(message)
            status: int = args.run(args)
        sys.stdout.flush()  # raises BrokenPipeError here and not at exit
        return status
    except SystemExit as end:  # argparse: 0 after --help, 2 after a usage error
        return int(end.code or 0)
    except KeyboardInterrupt as stop:
        print_note(f"stopped{stop}")
        return 130
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (ValueError, OSError, FloatingPointError, MemoryError) as error:
        message = escape_control_chars(" ".join(str(error).split())) or NO_MEMORY
        print(f"attnlib: {message}", file=sys.stderr)
        return 1
    except RuntimeError as error:  # which torch raises for that, too
        if "memory" not in str(error):
            raise
        print(f"attnlib: {NO_MEMORY}", file=sys.stderr)
        return 1


def _parse_args(argv: list[str]) -> argparse.Namespace:
    parser, before, after = make_parser(), argv, list[str]()
    if argv[:1] == ["translate"] and "--" in argv:  # after it everything is a sentence
        end = argv.index("--")
        before, after = argv[:end], argv[end + 1 :]
    args, rest = parser.parse_known_args(before)
    is_option = [word for word in rest if re.fullmatch(r"-[^\s\d]\S*", word)]
    if args.command == "translate" and not is_option:
        if args.directory is None and after and os.path.isdir(after[0]):
            args.directory = after.pop(0)
        # And those after an option, which argparse itself gives up on.
        args.sentences += [*rest, *after]
    elif rest and args.command in COMMANDS:
        hint = " (-- goes before sentences)" if args.command == "translate" else ""
        parser.error(f"{args.command} knows no {' '.join(rest)}{hint}")
    args.argv = argv
    return args


def make_parser() -> argparse.ArgumentParser:
    """The whole grammar of the command line."""
    parser = Parser(prog="python -m attnlib", description="From a corpus to a translator.")
    # Of the package, which is loaded by now; no package imports from a higher layer.
    version = f"attnlib {sys.modules['attnlib'].__version__}"
    parser.add_argument(
        "-V", "--version", action="version", version=version, help="print the version"
    )
    added = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = added.add_parser(name, help=text, description=text.capitalize() + ".")
        command.set_defaults(run=getattr(commands, name))
        add_arguments(name, command)
    for name, plugin in plugin_commands().items():
        text = str(plugin.__doc__).partition("\n")[0]
        other = added.add_parser(name, help=text[:1].lower() + text[1:-1], add_help=False)
        other.set_defaults(run=partial(_run_plugin, plugin))
    return parser


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command to its parser."""
    add = parser.add_argument
    if name == "corpus":
        add("corpus", metavar="NAME_OR_TABLE", help=CORPUS)
        add("--head", type=int, default=3, metavar="N", help="pairs to show (3)")
    elif name == "train":
        add_train_arguments(parser)
    elif name == "evaluate":
        add("directory", type=Path, metavar="DIR", help="what train filled")
        add("--split", default="test", metavar="NAME", help="(test)")
        add("--corpus", metavar="NAME_OR_TABLE", help="another corpus than it was trained on")
    elif name == "translate":
        add("directory", nargs="?", metavar="DIR", help=TRANSLATOR)
        add("sentences", nargs="*", metavar="SENTENCE")
        add("--align", action="store_true", help="draw where the translation looked")
    else:
        add("directory", nargs="?", metavar="DIR", help=TRANSLATOR)
        add("--page", type=Path, required=True, metavar="FILE", help="what to write, *.html")
    if name in ("evaluate", "translate"):
        add("--beam", type=int, default=5, metavar="K", help="hypotheses kept (5)")


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--corpus", required=True, metavar="NAME_OR_TABLE", help=CORPUS)
    kinds = "none, dot, scaled_dot, general, concat, additive or bahdanau (general)"
    add("--attention", default="general", metavar="KIND", help=kinds)
    add("--out", type=Path, required=True, metavar="DIR", help="the folder to fill")
    add("--resume", action="store_true", help="go on with the run in the folder")
    add("--seed", type=int, default=1, metavar="S", help="(1)")
    add("--precision", choices=("fp32", "bf16"), help="(what is faster here; fp32 for ko-en)")
    length = parser.add_mutually_exclusive_group(required=True).add_argument
    length("--updates", type=int, metavar="N", help="train for N updates")
    length("--minutes", type=positive_float, metavar="M", help="train for M minutes")
    length("--preset", choices=("quick", "full"), help="train by a recipe")


def plugin_commands() -> dict[str, Callable[[list[str]], int]]:
    """Commands that other packages bring, by name: functions of the arguments after it."""
    entries = {entry.name: entry for entry in entry_points(group="attnlib.commands")}
    return {name: entries[name].load() for name in sorted(entries.keys() - COMMANDS.keys())}


def _run_plugin(command: Callable[[list[str]], int], args: argparse.Namespace) -> int:
    return command(args.argv[1:])


class Parser(argparse.ArgumentParser):
    """argparse, but a usage error is one sentence."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        if "argument COMMAND" in message and not plugin_commands():
            message += f"; {sys.executable} lacks the book, which .venv/bin/python has"
        self.exit(2, f"attnlib: {message}; {self.prog} --help explains\n")


def positive_float(text: str) -> float:
    """An argument type: a number larger than 0.

    >>> positive_float("2.5")
    2.5
    """
    with suppress(ValueError):
        if 0 < float(text) < math.inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"must be a number larger than 0, got {text!r}")
