"""What a person types, made plain: one spelling of what looks the same, one sentence at a time.

Vocabularies, tables and the command line read every text through ``normalize``, a translator
through ``split_sentences``, too; ``page/assets/text.js`` follows both rule for rule.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from ..names import require

JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner: spelling in Hindi, Persian and emoji

#: What a point follows without ending a sentence. Of those that are words, too ("no.", "art."),
#: only before a number; those that often end one ("etc.", "usw.", "Inc.") are left out.
ABBREVIATIONS = (
    "bzw|ca|dr|dipl|evtl|fr|frl|ggf|hr|hrsg|ing|inkl|jh|jhd|mio|mrd|nr|prof|sog|st|str|tel|vgl"
    "|approx|capt|dept|fig|gov|lt|messrs|mme|mr|mrs|ms|mt|rev|sgt|vs"
)
BEFORE_NUMBERS = "abb|abs|art|bd|ch|chap|kap|no|nos|pp|sec|vol"

_END = re.compile(
    r"(?:(?P<mark>[.!?…।॥؟۔]+)|[。！？｡]+)(?P<closed>[)\]}\"'”’»“›」』）】]*)(?P<gap> ?)"
)
_OPENING = re.compile(r"[(\[{\"'“„‘‚«»‹¿¡—–-]*")
#: What goes on with the sentence behind speech in quotation marks or brackets: a particle of
#: Japanese (but no word that begins like one, とても or はい), "said so" in Korean.
_GOES_ON = re.compile(
    "って|など|なんて|みたい|まで|と(?!ても|っても|ころ|き|にかく|もかく|りあえず|うとう)"
    "|は(?!い|じめ|や|は|っきり)|を|が(?!んば|っか)|に(?!ほん|わ|げ|や|っこり)|の(?!ち|ん)"
    "|も(?!う|し|の|ちろん|っと)|で(?!は|も|き|すが|すから)|だ(?=[。、とろっ])|から(?!だ|す)"
    "|(?:이?라[고는며]|하[고며])(?= |$)"
)
_SHORT = re.compile(r"(?:\w\.)*\w|\d\d|[IVX]+")  # z.B, e.g, J (Smith), 3 (Mai), 31, VIII
_ABBREVIATION, _BEFORE_NUMBER = re.compile(ABBREVIATIONS), re.compile(BEFORE_NUMBERS)


_HALF = re.compile("[\ud800-\udfff]")  # of a letter: not Unicode text


def normalize(text: str) -> str:
    """A text as all others are written: what looks the same is the same.

    What cannot be seen goes: format characters (a byte order mark, a soft hyphen, a zero-width
    space; Unicode's Cf) and control characters (Cc), but joiners inside a word, which are part of
    its spelling. Every run of white space (a tab, a no-break or ideographic space) becomes one
    space, none at the ends. Letters and their marks are composed (NFC, Unicode Annex 15).

    Raises ValueError for what is no text: a gap of pandas (None, NaN), a list of tokens.

    >>> normalize("\\ufeff Ein\\u00a0\\tHund la\\u0308u\\u00adft\\u3000")
    'Ein Hund läuft'
    """
    check_text("text", text)
    if not text.isprintable():  # as nearly all are: what is dropped here is never printable
        text = "".join(c for c in text if c in JOINERS or c.isspace() or not _hidden(c))
        inside = [False, *(unicodedata.category(c)[0] in "LMNS" for c in text), False]
        joins = (before and after for before, after in zip(inside, inside[2:]))
        text = "".join(c for c, kept in zip(text, joins) if kept or c not in JOINERS)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf")


def check_text(name: str, text: Any) -> None:
    """Raise ValueError for what is no text.

    >>> check_text("sentences[3]", float("nan"))
    Traceback (most recent call last):
    ValueError: sentences[3] must be a string, got nan
    """
    require(isinstance(text, str), name, "a string", text)


def texts_of(sentences: Any, name: str = "sentences") -> list[str]:
    """One text or several, as a list. Raises ValueError for what is no text, and says which.

    >>> texts_of("a dog"), texts_of(("a dog", "a cat"))
    (['a dog'], ['a dog', 'a cat'])
    """
    if isinstance(sentences, str):
        sentences = [sentences]
    several = isinstance(sentences, Iterable) and getattr(sentences, "ndim", 1) == 1
    several = several and not isinstance(sentences, (bytes, bytearray, Mapping))
    require(several, name, "a string or several", sentences)
    texts = list(sentences)
    for number, text in enumerate(texts):
        if not isinstance(text, str):  # looked at first: a sentence is made for what is wrong alone
            check_text(f"{name}[{number}]", text)
        if half := _HALF.search(text):
            why = f"it holds {half[0]!r}, which is no letter; decode it as UTF-8"
            raise ValueError(f"{name}[{number}] is not Unicode text: {why}")
    return [str(text) for text in texts]  # numpy's strings are a kind of their own


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each normalized; of a blank text none.

    A sentence ends with ``. ! ? …`` (or what Hindi, Urdu and Arabic have for it), closing quotes
    and brackets, a space, and before what can begin another: a capital, a letter of a script
    without capitals, or a digit; a text without any capital begins sentences with small letters,
    too. The space may be missing between a small letter and a capital ("rennt.Eine"), and always
    is after ``。！？``. A point does not end a sentence after an abbreviation, a single letter
    ("z. B.", "J. Smith") or an ordinal ("am 3. Mai", "Heinrich VIII."), so neither after a number
    of one or two digits that ends one: then two sentences stay together. Nor does speech end the
    sentence that tells of it: 「行く。」と言った。

    >>> split_sentences('Dr. Weiß kommt am 3. Mai. "Gut!" sagt er. Wir warten.')
    ['Dr. Weiß kommt am 3. Mai.', '"Gut!" sagt er.', 'Wir warten.']
    """
    text, found, start = normalize(text), list[str](), 0
    small = text == text.lower()
    for end in _END.finditer(text):
        if _ends(text[max(start, end.start() - 20) : end.start()], end, text, small):
            found.append(text[start : end.end()].rstrip())
            start = end.end()
    return [*found, text[start:]] if text[start:] else found


def _ends(before: str, end: re.Match[str], text: str, small: bool) -> bool:
    """Whether a mark ends a sentence, and another one follows."""
    if end["closed"] and _GOES_ON.match(text, end.end()):
        return False
    opening = _OPENING.match(text, end.end())
    after = text[opening.end() :][:1] if opening else ""
    if not end["mark"]:  # 。 ends without more
        return end.end() < len(text)
    if not end["gap"]:
        last = before[-2:]
        return len(last) == 2 and all(c.isalpha() and c.islower() for c in last) and after.isupper()
    begins = after.isdecimal() or after.isalpha() and (not after.islower() or small)
    if not begins or end["mark"] != ".":
        return begins
    word = _OPENING.sub("", before.rpartition(" ")[2], count=1)
    numbered = after.isdecimal() and _BEFORE_NUMBER.fullmatch(word.lower())
    return not (numbered or _SHORT.fullmatch(word) or _ABBREVIATION.fullmatch(word.lower()))


def sentences_at_once(texts: Iterable[str]) -> int:
    """How many sentences a model that learns from some texts learns to translate at once.

    As many as all texts have but the longest in a hundred, which do not teach it.

    >>> sentences_at_once(["Ich bin da."] * 200 + ["Er kommt. Sie geht."])
    1
    """
    counts = sorted(len(split_sentences(text)) for text in texts_of(texts, "texts"))
    require(bool(counts), "texts", "at least one text", counts)
    return counts[99 * (len(counts) - 1) // 100]


def lower_first(text: str) -> str:
    """A text whose first letter is small, as it stands inside a sentence.

    A letter that would not come back by ``upper_first`` (ẞ, İ) stays as it is.

    >>> lower_first("Ein Hund"), upper_first("ein Hund")
    ('ein Hund', 'Ein Hund')
    """
    first = text[:1].lower()
    return first + text[1:] if first.upper() == text[:1] else text


def upper_first(text: str) -> str:
    """A text whose first letter is a capital, as it begins a sentence, where that has one."""
    first = text[:1].upper()
    return first + text[1:] if first.lower() == text[:1] else text


def capitalized(text: str) -> str:
    """A text in which each word begins with a capital.

    >>> capitalized("ein rot-weißer hund.")
    'Ein Rot-Weißer Hund.'
    """
    return re.sub(r"[^\W\d_]+", lambda word: upper_first(word[0]), text)
