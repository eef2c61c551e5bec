"""Korean spelling: particles that look at the final consonant, and the conjugation of verbs.

A conjugated form is returned as the pieces it is cut into for the translation model: the first
piece carries the meaning (and the tense that has melted into it), the others are endings.
"먹었습니다" is ("먹었", "습니다") and "갑니다" is ("갑", "니다").
"""

from __future__ import annotations

from typing import NamedTuple

VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CODAS = ["", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"]


def split(syllable: str) -> tuple[int, str, str]:
    """Onset number, vowel and final consonant of one Hangul syllable."""
    code = ord(syllable) - 0xAC00
    return code // 588, VOWELS[code % 588 // 28], CODAS[code % 28]


def join(onset: int, vowel: str, coda: str = "") -> str:
    """The syllable made of the three; the inverse of `split`."""
    return chr(0xAC00 + onset * 588 + VOWELS.index(vowel) * 28 + CODAS.index(coda))


def coda(word: str) -> str:
    """Final consonant of the last syllable, "" after a vowel."""
    return split(word[-1])[2]


def set_coda(word: str, consonant: str) -> str:
    """The word with this final consonant on its last syllable ("" takes it away)."""
    onset, vowel, _ = split(word[-1])
    return word[:-1] + join(onset, vowel, consonant)


# kind -> (after a consonant, after a vowel)
PARTICLES = {
    "topic": ("은", "는"),
    "subject": ("이", "가"),
    "object": ("을", "를"),
    "with": ("과", "와"),
    "by": ("으로", "로"),
    "from": ("에서", "에서"),
    "at": ("에", "에"),
    "at, as for": ("에는", "에는"),
    "to": ("에게", "에게"),
    "to (spoken)": ("한테", "한테"),
    "from (somebody)": ("에게서", "에게서"),
    "every": ("마다", "마다"),
    "also": ("도", "도"),
    "only": ("만", "만"),
    "of": ("의", "의"),
    "since": ("부터", "부터"),
    "until": ("까지", "까지"),
    "than": ("보다", "보다"),
    "honoured also": ("께서도", "께서도"),
    "honoured topic": ("께서는", "께서는"),
    "honoured subject": ("께서", "께서"),
    "honoured to": ("께", "께"),
}


def particle(word: str, kind: str) -> str:
    """The form of a particle after this word: 책을, 사과를, 지하철로 (not 지하철으로)."""
    closed, open_ = PARTICLES[kind]
    final = coda(word)
    if kind == "by" and final == "ㄹ":
        return open_
    return closed if final else open_


class Verb(NamedTuple):
    """A Korean verb or adjective: its stem and the way in which it is irregular."""

    stem: str
    kind: str = ""  # irregular ㅂ, ㄷ, ㅅ, ㅎ, 르, 뵙; 시 for a stem with the honorific
    adjective: bool = False


HONOURED = {"먹": "드시", "마시": "드시", "자": "주무시", "계시": "계시", "말하": "말씀하시"}


# What is done for somebody one looks up to has a verb of its own: 할머니를 뵙다, 도와드리다.
HUMBLE = {
    "만나": Verb("뵙", "뵙"),
    "돕": Verb("도와드리"),
    "데려오": Verb("모셔오"),
    "전화하": Verb("전화드리"),
}


def humble(verb: Verb) -> Verb:
    """The verb for an object or a receiver one looks up to: 뵙다, 사 드리다 (of 사 주다)."""
    if verb.stem.endswith("주"):
        return verb._replace(stem=verb.stem[:-1] + "드리")
    return HUMBLE.get(verb.stem, verb)


def honoured(verb: Verb) -> Verb:
    """The verb with -(으)시-, for a subject one looks up to."""
    if verb.stem in HONOURED:
        return Verb(HONOURED[verb.stem], "시", verb.adjective)
    return Verb(eu(verb, drop_l=True) + "시", "시", verb.adjective)


def eu(verb: Verb, drop_l: bool = False) -> str:
    """The stem before endings in -(으)-: 먹으, 가, 들으, 도우, 만들 (만드 before ㄴ, ㅂ, ㅅ)."""
    stem = verb.stem
    final = coda(stem)
    if not final:
        return stem
    if verb.kind == "뵙":  # 뵙고, but 뵈러
        return set_coda(stem, "")
    if verb.kind == "ㅂ":
        return set_coda(stem, "") + "우"
    if verb.kind == "ㄷ":
        return set_coda(stem, "ㄹ") + "으"
    if verb.kind == "ㅅ":
        return set_coda(stem, "") + "으"
    if verb.kind == "ㅎ":
        return set_coda(stem, "")
    if final == "ㄹ":
        return set_coda(stem, "") if drop_l else stem
    return stem + "으"


def infinitive(verb: Verb) -> str:
    """The -아/-어 form, contracted as it is written: 먹어, 가, 봐, 마셔, 해, 들어, 도와."""
    stem = verb.stem
    if verb.kind == "ㅂ":
        return set_coda(stem, "") + ("와" if stem in ("돕", "곱") else "워")
    if verb.kind == "ㄷ":
        stem = set_coda(stem, "ㄹ")
    if verb.kind == "ㅅ":
        return set_coda(stem, "") + ("아" if split(stem[-1])[1] in "ㅏㅗ" else "어")
    onset, vowel, final = split(stem[-1])
    if verb.kind == "ㅎ":
        return stem[:-1] + join(onset, "ㅒ" if vowel == "ㅑ" else "ㅐ")
    if verb.kind == "르":
        before = stem[-2]
        return stem[:-2] + set_coda(before, "ㄹ") + ("라" if split(before)[1] in "ㅏㅗ" else "러")
    if final:
        return stem + ("아" if vowel in "ㅏㅑㅗ" else "어")
    if stem[-1] == "하":
        return stem[:-1] + "해"
    if vowel == "ㅡ":
        bright = len(stem) > 1 and split(stem[-2])[1] in "ㅏㅗ"
        return stem[:-1] + join(onset, "ㅏ" if bright else "ㅓ")
    contracted = {"ㅗ": "ㅘ", "ㅜ": "ㅝ", "ㅣ": "ㅕ", "ㅚ": "ㅙ"}
    if vowel in contracted:
        return stem[:-1] + join(onset, contracted[vowel])
    return stem if vowel in "ㅏㅓㅐㅔㅕ" else stem + "어"


def past(verb: Verb) -> str:
    """The past stem: 먹었, 갔, 봤, 마셨, 했."""
    return set_coda(infinitive(verb), "ㅆ")


def with_n(verb: Verb) -> str:
    """-(으)ㄴ: 먹은, 간, 만든, 들은; of an adjective 큰, 긴, 추운, 빨간, 맛있는."""
    if verb.adjective and verb.stem.endswith(("있", "없")):
        return verb.stem + "는"
    return set_coda(eu(verb, drop_l=True), "ㄴ")


def with_l(verb: Verb) -> str:
    """-(으)ㄹ: 먹을, 갈, 만들, 들을."""
    base = eu(verb)
    return base if coda(base) == "ㄹ" else set_coda(base, "ㄹ")


def with_neun(verb: Verb) -> tuple[str, str]:
    """-는, a clause that describes a noun: 먹는, 가는, 만드는."""
    return (set_coda(verb.stem, "") if coda(verb.stem) == "ㄹ" else verb.stem), "는"


def present(verb: Verb, register: str, question: bool) -> tuple[str, str]:
    """The present tense at the end of a sentence, in one of the three registers."""
    stem, final = verb.stem, coda(verb.stem)
    if register == "formal":
        if final in ("", "ㄹ"):
            return set_coda(stem, "ㅂ"), "니까" if question else "니다"
        return stem, "습니까" if question else "습니다"
    if register == "polite":
        # -(으)시어요 is written -(으)세요.
        return (stem[:-1] + "세" if verb.kind == "시" else infinitive(verb)), "요"
    if question:
        return (set_coda(stem, "") if final == "ㄹ" else stem), "니"
    if verb.adjective:
        return stem, "다"
    if final in ("", "ㄹ"):
        return set_coda(stem, "ㄴ"), "다"
    return stem, "는다"


def connected(verb: Verb, ending: str, past_tense: bool) -> tuple[str, ...]:
    """A verb that leads to the next clause; the pieces of its last word.

    go -고, jiman -지만, gi -기, daga -다가 after the bare stem; seo -아서, ya -아야, do -아도;
    myeon -(으)면, myeonseo -(으)면서, ryeogo -(으)려고, reo -(으)러; nikka -(으)니까; neunde
    -는데 or -(으)ㄴ데. Only jiman, neunde, nikka and go have a past.
    """
    if past_tense:
        return past(verb), {"nikka": "으니까", "neunde": "는데", "go": "고", "jiman": "지만"}[
            ending
        ]
    if ending in ("go", "jiman", "gi", "giro", "daga"):
        return verb.stem, {"go": "고", "jiman": "지만", "daga": "다가"}.get(
            ending, "기" if ending == "gi" else "기로"
        )
    if ending in ("seo", "ya", "do"):
        return infinitive(verb), {"seo": "서", "ya": "야", "do": "도"}[ending]
    if ending == "nikka":
        return eu(verb, drop_l=True), "니까"
    if ending == "neunde":
        if verb.adjective and not verb.stem.endswith(("있", "없")):
            return with_n(verb), "데"
        return with_neun(verb)[0], "는데"
    marks = {"myeon": "면", "myeonseo": "면서", "ryeogo": "려고", "reo": "러"}
    return eu(verb), marks[ending]


def past_final(verb: Verb, register: str, question: bool) -> tuple[str, str]:
    """The past tense at the end of a sentence."""
    if register == "formal":
        return past(verb), "습니까" if question else "습니다"
    if register == "polite":
        return past(verb), "어요"
    return past(verb), "니" if question else "다"


def be_noun(noun: str, register: str, question: bool) -> str:
    """The copula -이다 after a noun: 학생입니다, 의사예요, 학생이에요, 의사다."""
    final = coda(noun)
    if register == "formal":
        return "입니까" if question else "입니다"
    if register == "polite":
        return "이에요" if final else "예요"
    return "이다" if final else "다"
