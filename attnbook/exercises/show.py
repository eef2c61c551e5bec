"""What a learner sees: a verdict, as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .judge import BLANK, RIGHT, WRONG, Verdict

STATE_SYMBOLS = {BLANK: "○", WRONG: "✗", RIGHT: "✓"}
# Okabe and Ito's colours; the mark and the words say the same without them.
STATE_COLORS = {BLANK: "#767676", WRONG: "#b04a00", RIGHT: "#00684c"}
_BLOCK = "border-left:4px solid {colour};padding:.3em .8em;margin:.3em 0;overflow-wrap:anywhere"


#: So many lines of text are a verdict on a wrong answer at most.
MAX_LINES = 8
_AGAIN = "Yours on this input again: exercise.mine(**exercise.failing)."
_GOES_ON = "The chapter continues with the book's own function."


def _statements(arguments: Sequence[str]) -> str:
    """One line that can be copied and run."""
    code = "; ".join(text for text in arguments if not text.startswith("#"))
    return "  ".join([code, *(text for text in arguments if text.startswith("#"))])


def _truncate(printed: str, lines: int) -> str:
    """The beginning of what was printed, and how much more there is."""
    every = printed.rstrip().splitlines()
    rest = len(every) - lines
    shown = [line if len(line) <= 200 else line[:199] + "…" for line in every[:lines]]
    return "\n".join(shown) + f" … ({rest} more lines)" * (rest > 0)


class Feedback:
    """A verdict that notebooks show as HTML and all else as text."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def _lines(self) -> list[tuple[str, str]]:
        """Labels and texts; no label: a sentence of its own."""
        v = self.verdict
        if v.state == BLANK:
            return [("", "Write the body, run the cell, and read here what it does.")]
        if v.state == RIGHT:
            tried = f"Tried on {v.inputs} inputs. Checked:"
            return [("", tried), *(("•", rule) for rule in v.checked)]
        labeled = (
            ("", v.diagnosis),
            ("does not hold", v.rule),
            ("for", _statements(v.arguments)),
            ("expected", v.expected),
            ("got", v.got),
        )
        lines = [(label, text) for label, text in labeled if text]
        last = [_AGAIN] * bool(v.arguments) + [_GOES_ON] * v.replaced
        if v.printed.strip():
            lines.append(("printed", _truncate(v.printed, MAX_LINES - len(lines) - 1 - bool(last))))
        return lines + [("", " ".join(last))] * bool(last)

    def __repr__(self) -> str:
        v = self.verdict
        lines = [f"{STATE_SYMBOLS[v.state]} {v.name}: {v.state}"]
        for label, text in self._lines():
            head = f"{label} " if label == "•" else f"{label}: " if label else ""
            lines.append(f"  {head}" + text.replace("\n", "\n    "))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        v = self.verdict
        block = _BLOCK.format(colour=STATE_COLORS[v.state])
        head = f"{STATE_SYMBOLS[v.state]} {escape(v.name)}"
        head = f"<strong style='color:{STATE_COLORS[v.state]}'>{head}</strong>"
        parts = [f"<div role='status' style='{block}'>{head}: {v.state}"]
        for label, text in self._lines():
            if label in ("for", "expected", "got", "printed"):
                body = f"<code style='white-space:pre-wrap'>{escape(text)}</code>"
            else:
                body = escape(text)
            before = f"{label} " if label == "•" else f"<em>{label}:</em> " if label else ""
            parts.append(f"<br>{before}{body}")
        return "".join(parts) + "</div>"
