"""The sentences of a text, for a translator that learned to translate one at a time.

``page/assets/text.js`` follows ``split_sentences`` rule for rule.
"""

import re
from collections.abc import Iterable

from ..checks import require
from ..data import as_text_list, normalize

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
    text, sentences, start = normalize(text), list[str](), 0
    small = text == text.lower()
    for end in _END.finditer(text):
        if _is_sentence_end(text[max(start, end.start() - 20) : end.start()], end, text, small):
            sentences.append(text[start : end.end()].rstrip())
            start = end.end()
    return [*sentences, text[start:]] if text[start:] else sentences


def _is_sentence_end(before: str, end: re.Match[str], text: str, small: bool) -> bool:
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


def max_sentences_per_text(texts: Iterable[str]) -> int:
    """How many sentences a model that learns from some texts learns to translate at once.

    As many as all texts have but the longest in a hundred, which do not teach it.

    >>> max_sentences_per_text(["Ich bin da."] * 200 + ["Er kommt. Sie geht."])
    1
    """
    counts = sorted(len(split_sentences(text)) for text in as_text_list(texts, "texts"))
    require(bool(counts), "texts", "at least one text", counts)
    return counts[99 * (len(counts) - 1) // 100]
