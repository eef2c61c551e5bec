"""The book's commands of the command line, which finds them by the entry points of pyproject.toml.

The first line of each is what ``python -m attnlib --help`` says of it. What a command needs is
imported when it runs.
"""

from collections.abc import Sequence


def assign(arguments: Sequence[str]) -> int:
    """Hand out chapters to a class, as notebooks or as a course of nbgrader."""
    from .grading.classroom.assign import command

    return command(arguments)


def doctor(arguments: Sequence[str]) -> int:
    """Tell what this computer has, and what to do where something is off."""
    from .doctor import command

    return command(arguments)


def grade(arguments: Sequence[str]) -> int:
    """Run notebooks and tell which of their exercises are right."""
    from .grading.grade import command

    return command(arguments)
