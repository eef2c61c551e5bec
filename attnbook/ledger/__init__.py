"""The ledger: what the five notes claim from which the book comes, and what the book shows."""

from .entries import FILE, VERDICTS, Claim, Note, parse
from .table import Claims, claims

__all__ = ["Claim", "Claims", "FILE", "Note", "VERDICTS", "claims", "parse"]
