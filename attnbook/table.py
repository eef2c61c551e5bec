"""The table that ``progress()`` shows: what is done, by exercise."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from .exercises import engine
from .exercises.judge import BLANK, RIGHT
from .exercises.show import COLOUR, MARK


class Table:
    """What is done, by name."""

    def __init__(self, states: Mapping[str, str]) -> None:
        self.states = dict(states)

    def _summary(self) -> str:
        done = sum(state == RIGHT for state in self.states.values())
        return f"{done} of {len(self.states)} exercises are right"

    def __repr__(self) -> str:
        rows = [f"{MARK[state]} {name}: {state}" for name, state in self.states.items()]
        return "\n".join([*rows, self._summary()])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='color:{COLOUR[state]}'>{MARK[state]}</td>"
            f"<td style='text-align:left'><code>{escape(name)}</code></td><td>{state}</td></tr>"
            for name, state in self.states.items()
        )
        return f"<table>{rows}</table><p>{self._summary()}.</p>"


def progress() -> Table:
    """The exercises of the chapters that were begun here, and what became of each."""
    done = engine.verdicts
    chapters = engine.names_by_chapter().values()
    begun = [names for names in chapters if any(name in done for name in names)]
    names = [name for chapter in begun for name in chapter]
    return Table({name: done[name].state if name in done else BLANK for name in names})
