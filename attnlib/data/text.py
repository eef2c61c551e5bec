"""What a person types, made plain: one spelling of what looks the same.

Vocabularies, tables and the command line read every text through ``normalize``, and
``page/assets/tokens.js`` follows it rule for rule.
"""

import unicodedata

JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner: spelling in Hindi, Persian and emoji


def normalize(text: str) -> str:
    """A text as all others are written: what looks the same is the same.

    What cannot be seen goes: format characters (a byte order mark, a soft hyphen, a zero-width
    space; Unicode's Cf) and control characters (Cc), but joiners inside a word, which are part of
    its spelling. Every run of white space (a tab, a no-break or ideographic space) becomes one
    space, none at the ends. Letters and their marks are composed (NFC, Unicode Annex 15).

    >>> normalize("\\ufeff Ein\\u00a0\\tHund la\\u0308u\\u00adft\\u3000")
    'Ein Hund läuft'
    """
    if not text.isprintable():  # as nearly all are: what is dropped here is never printable
        text = "".join(c for c in text if c in JOINERS or c.isspace() or not _hidden(c))
        inside = [False, *(unicodedata.category(c)[0] in "LMNS" for c in text), False]
        joins = (before and after for before, after in zip(inside, inside[2:]))
        text = "".join(c for c, kept in zip(text, joins) if kept or c not in JOINERS)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf")
