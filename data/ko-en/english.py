"""English spelling (American): plurals, verb forms, comparatives, articles and pronouns."""

from __future__ import annotations

VOWEL_LETTERS = "aeiou"
# Verbs whose last consonant doubles before -ed and -ing.
DOUBLING = {
    "swim",
    "run",
    "get",
    "plan",
    "sit",
    "stop",
    "cut",
    "put",
    "shop",
    "trip",
    "begin",
    "clap",
    "scrub",
    "shut",
}
PAST = {
    "be": "was",
    "become": "became",
    "begin": "began",
    "blow": "blew",
    "break": "broke",
    "bring": "brought",
    "build": "built",
    "buy": "bought",
    "catch": "caught",
    "choose": "chose",
    "come": "came",
    "cut": "cut",
    "dig": "dug",
    "do": "did",
    "draw": "drew",
    "drink": "drank",
    "drive": "drove",
    "eat": "ate",
    "fall": "fell",
    "feed": "fed",
    "feel": "felt",
    "find": "found",
    "fly": "flew",
    "forget": "forgot",
    "get": "got",
    "give": "gave",
    "go": "went",
    "grow": "grew",
    "hang": "hung",
    "have": "had",
    "hurt": "hurt",
    "keep": "kept",
    "know": "knew",
    "leave": "left",
    "lend": "lent",
    "lie": "lay",
    "light": "lit",
    "lose": "lost",
    "make": "made",
    "meet": "met",
    "oversleep": "overslept",
    "put": "put",
    "read": "read",
    "ride": "rode",
    "ring": "rang",
    "run": "ran",
    "say": "said",
    "see": "saw",
    "sell": "sold",
    "send": "sent",
    "set": "set",
    "shut": "shut",
    "sing": "sang",
    "sit": "sat",
    "sleep": "slept",
    "speak": "spoke",
    "stand": "stood",
    "swim": "swam",
    "take": "took",
    "teach": "taught",
    "tell": "told",
    "think": "thought",
    "throw": "threw",
    "wake": "woke",
    "wear": "wore",
    "win": "won",
    "write": "wrote",
}
# Past participles that differ from the past.
PARTICIPLE = {
    "be": "been",
    "come": "come",
    "do": "done",
    "draw": "drawn",
    "drink": "drunk",
    "eat": "eaten",
    "fly": "flown",
    "go": "been",
    "give": "given",
    "ride": "ridden",
    "run": "run",
    "see": "seen",
    "sing": "sung",
    "swim": "swum",
    "take": "taken",
    "wear": "worn",
    "write": "written",
    "grow": "grown",
    "become": "become",
}
# first, second, third person: subject, object, possessive
PRONOUNS = {
    "1sg": ("I", "me", "my"),
    "2": ("you", "you", "your"),
    "1pl": ("we", "us", "our"),
    "pl": ("they", "them", "their"),
    "m": ("he", "him", "his"),
    "f": ("she", "her", "her"),
    "n": ("it", "it", "its"),
}
NEGATED = {"can": "can't", "will": "won't", "cannot": "can't"}  # else + n't


def plural(noun: str) -> str:
    """The regular plural: apples, boxes, dictionaries, storybooks."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWEL_LETTERS:
        return noun[:-1] + "ies"
    return noun + "s"


def third_person(verb: str) -> str:
    """He reads, goes, studies, watches."""
    irregular = {"have": "has", "do": "does", "go": "goes", "be": "is"}
    return irregular.get(verb) or plural(verb)


def past_form(verb: str) -> str:
    """The past: cooked, liked, studied, planned, went."""
    if verb in PAST:
        return PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWEL_LETTERS:
        return verb[:-1] + "ied"
    return verb + (verb[-1] if verb in DOUBLING else "") + "ed"


def participle(verb: str) -> str:
    """The past participle: cooked, eaten, been."""
    return PARTICIPLE.get(verb) or past_form(verb)


def ing_form(verb: str) -> str:
    """The -ing form: reading, writing, swimming, lying."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if verb in DOUBLING else "") + "ing"


def comparative(adjective: str) -> str:
    """bigger, easier, more expensive."""
    if adjective.endswith("y"):
        return adjective[:-1] + "ier"
    if len(adjective) <= 6 and adjective not in ("useful", "famous", "modern", "boring"):
        if adjective.endswith("e"):
            return adjective + "r"
        short = adjective[-1] not in "wlytrkcdhp" and adjective[-2] in VOWEL_LETTERS
        doubled = short and adjective[-3] not in VOWEL_LETTERS
        return adjective + (adjective[-1] if doubled else "") + "er"
    return "more " + adjective


def be(agrees: str, past_tense: bool) -> str:
    """am, are, is; was, were."""
    if past_tense:
        return "was" if agrees in ("1sg", "3sg") else "were"
    return {"1sg": "am", "3sg": "is"}.get(agrees, "are")


def contracted(auxiliary: str) -> str:
    """didn't, isn't, can't, won't."""
    return NEGATED.get(auxiliary) or auxiliary + "n't"


def article(next_word: str) -> str:
    """ "an" before a vowel that is heard as one, "a" otherwise: an apple, a university."""
    word = next_word.lower()
    if word.startswith(("uni", "use", "one", "eu")):
        return "a"
    if word.startswith(("hour", "honest")):
        return "an"
    return "an" if word[0] in VOWEL_LETTERS else "a"
