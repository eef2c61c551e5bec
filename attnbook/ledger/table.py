"""The ledger as a reader sees it: a table in a notebook, lines elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape

from attnlib.checks import check_name

from .entries import FILE, VERDICTS, Claim, parse

_STYLE = "text-align:left;vertical-align:top;white-space:normal"
_WRAP = "word-break:keep-all;overflow-wrap:anywhere"  # Korean between words, formulas anywhere
_HEADS = {"claim": 26, "in the note's words": 26, "the book": 36, "see": 12}


class Claims:
    """Some claims of the ledger, in its order: to go through, and to show."""

    def __init__(self, chosen: Iterable[Claim]) -> None:
        self._chosen = tuple(chosen)

    def __len__(self) -> int:
        return len(self._chosen)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._chosen)

    def count(self) -> dict[str, int]:
        """How many claims have each verdict."""
        counts = Counter(claim.verdict for claim in self)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    def __repr__(self) -> str:
        lines = []
        for claim in self:
            lines += [f"{claim.name}  (note {claim.note.number}) {claim.text}"]
            lines += [f"     “{original}”" for original in claim.originals]
            lines += [f"     The book {claim.verdict}: {claim.shown}"]
            lines += [f"     {claim.natural}"] if claim.natural else []
            lines += [f"     {', '.join(claim.links)}"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = "".join(
            f"<th scope='col' style='{_STYLE};width:{width}%'>{head}</th>"
            for head, width in _HEADS.items()
        )
        rows = "".join(f"<tr>{_row(claim)}</tr>" for claim in self)
        body = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
        return f"<table style='width:100%'>{body}</table>"


def _row(claim: Claim) -> str:
    originals = "<br>".join(f"“{_words(original)}”" for original in claim.originals)
    natural = f"<br><em>Why it is natural:</em> {escape(claim.natural)}" if claim.natural else ""
    where = f" (note {claim.note.number})"
    shown = f"<strong>{claim.verdict}:</strong> {escape(claim.shown)}{natural}"
    links = "<br>".join(f"<a href='{link}'>{cell}</a>" for cell, link in claim.links.items())
    cells = (
        f"<td style='{_STYLE}'><strong>{claim.name}</strong>{where} {escape(claim.text)}</td>",
        f"<td style='{_STYLE};{_WRAP}' lang='ko'>{originals}</td>",
        f"<td style='{_STYLE}'>{shown}</td>",
        f"<td style='{_STYLE}'>{links}</td>",
    )
    return "".join(cells)


def _words(original: str) -> str:
    """A quotation as HTML: formulas stay as they are written, or they would be set in type."""
    if "\\" in original and "$" not in original:
        return f"<code>{escape(original)}</code>"
    return re.sub(r"\$(.+?)\$", r"<code>\1</code>", escape(original))


@cache
def _ledger() -> tuple[Claim, ...]:
    return tuple(parse(FILE.read_text(encoding="utf-8")))


def claims(verdict: str = "", note: str = "") -> Claims:
    """The claims of the five notes and what the book makes of them; all of them, or a part.

    Args:
        verdict: those with this one: "corrects", "sharpens", "confirms", "leaves open".
        note: those of this note: "000" to "004".

    >>> len(claims())
    86
    >>> [claim.name for claim in claims("corrects", note="001")]
    ['S18']
    """
    everything = _ledger()
    if verdict:
        check_name("verdict", verdict, list(VERDICTS))
    if note:
        check_name("note", note, list(dict.fromkeys(claim.note.number for claim in everything)))
    return Claims(
        claim
        for claim in everything
        if verdict in ("", claim.verdict) and note in ("", claim.note.number)
    )
