"""English spelling: plurals, verb forms and articles."""

from __future__ import annotations

VOWEL_LETTERS = "aeiou"
# Verbs whose last consonant doubles before -ed and -ing.
DOUBLING = {"swim", "run", "get", "plan", "sit", "stop", "travel", "cut", "put"}


def plural(noun: str) -> str:
    """The regular plural: apples, boxes, dictionaries, storybooks."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWEL_LETTERS:
        return noun[:-1] + "ies"
    return noun + "s"


def third_person(verb: str) -> str:
    """He reads, goes, studies, watches."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    return plural(verb)


def past_form(verb: str) -> str:
    """The regular past: cooked, liked, studied, travelled."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWEL_LETTERS:
        return verb[:-1] + "ied"
    return verb + (verb[-1] if verb in DOUBLING else "") + "ed"


def ing_form(verb: str) -> str:
    """The -ing form: reading, writing, swimming."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if verb in DOUBLING else "") + "ing"


def article(next_word: str) -> str:
    """ "an" before a vowel that is heard as one, "a" otherwise: an apple, a university."""
    word = next_word.lower()
    if word.startswith(("uni", "use", "one", "eu")):
        return "a"
    if word.startswith(("hour", "honest")):
        return "an"
    return "an" if word[0] in VOWEL_LETTERS else "a"
