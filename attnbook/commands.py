"""The book's commands of the command line, which finds them by the entry points of pyproject.toml.

The first line of each is what ``python -m attnlib --help`` says of it. What a command needs is
imported when it runs.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


def assign(arguments: Sequence[str]) -> int:
    """Hand out chapters to a class, as notebooks or as a course of nbgrader."""
    with _packages_of_lab("assign"):
        from .grading.classroom.assign import command

        return command(arguments)


def doctor(arguments: Sequence[str]) -> int:
    """Tell what this computer has, and what to do where something is off."""
    from .doctor import command

    return command(arguments)


def grade(arguments: Sequence[str]) -> int:
    """Run notebooks and tell which of their exercises are right."""
    with _packages_of_lab("grade"):
        from .grading.grade import command

        return command(arguments)


@contextmanager
def _packages_of_lab(name: str) -> Iterator[None]:
    """Raise ValueError, of which the command line makes one sentence, where a package is missing
    that the extra [lab] of pyproject.toml brings."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if str(problem.name).startswith(("attnlib", "attnbook")):
            raise
        missing = f"{name} needs the packages of [lab], and {problem.name} is missing"
        raise ValueError(f'{missing}: pip install "attnlib[lab]"') from None
