"""The ledger: what the five notes claim from which the book comes, and what the book shows."""

from .entries import FILE, VERDICTS, Claim, Note, parse

__all__ = ["Claim", "FILE", "Note", "VERDICTS", "parse"]
