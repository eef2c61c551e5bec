"""The registry of exercises, which ``attnbook/__init__`` hands in and ``exercises`` asks.

So the engine imports no check, and a check is imported when it is first asked for.
"""

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Registry(Protocol):
    """Where exercises come from: the package ``attnbook.checks`` is one."""

    def names_by_chapter(self) -> dict[str, dict[str, int]]:
        """The exercises of each chapter ("05") in its order, with the minutes that each takes."""

    def load(self, chapter: str, name: str) -> Any:
        """An ``Exercise``. Imports nothing of any other."""


_registries: list[Registry] = []


def register(registry: Registry) -> None:
    """From now on exercises come from this registry."""
    _registries[:] = [registry]


def registered() -> Registry:
    """The registry that was handed in."""
    return _registries[0]
