"""What looks the same is the same text; several sentences are told apart."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib.data import load_corpus, normalize
from attnlib.data.text import lower_first, upper_first
from attnlib.translator.sentences import ABBREVIATIONS, split_sentences


@pytest.mark.parametrize(
    "typed, plain",
    [
        ("Ein\u00a0Hund läuft.", "Ein Hund läuft."),  # no-break space
        ("Ein\tHund\u3000 läuft.\r\n", "Ein Hund läuft."),  # tab, ideographic space, line end
        ("\ufeffEin \u200bHund lä\u00aduft\u2060.", "Ein Hund läuft."),  # what cannot be seen
        ("Ein Hund la\u0308uft.", "Ein Hund läuft."),  # decomposed letters
        ("Ein Hund la\u200b\u0308uft.", "Ein Hund läuft."),  # … and something between them
        ("Ein\x00 Hund\x1b läuft.", "Ein Hund läuft."),  # control characters
        (unicodedata.normalize("NFD", "나는 책을"), "나는 책을"),
        (" \u200b\u3000\t", ""),
        ("क्\u200dष", "क्\u200dष"),  # joiners inside a word are spelling
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("क\u200d \u200cष.\u200d", "क ष."),  # … and nothing at its edges
    ],
)
def test_what_looks_the_same_becomes_the_same_text(typed, plain):
    assert normalize(typed) == plain


@given(st.text())
def test_a_normalized_text_is_left_as_it_is(text):
    plain = normalize(text)
    assert normalize(plain) == plain
    assert plain == plain.strip() and unicodedata.is_normalized("NFC", plain)


@given(st.text(), st.sampled_from("\u200b\ufeff\u00ad\u2060\x07"), st.integers(0, 9))
def test_what_cannot_be_seen_changes_nothing_wherever_it_stands(text, hidden, place):
    assert normalize(text[:place] + hidden + text[place:]) == normalize(text)


@given(st.text(), st.sampled_from("\t\u00a0\u3000\u2009\x85 "))
def test_any_white_space_is_one_space(text, blank):
    assert normalize(text.replace(" ", blank * 2)) == normalize(text)


TEXTS = [
    "Ein Hund läuft durch den Schnee.|Eine Frau liest ein Buch.",
    "Ein Mann schläft.|Ein Kind lacht!|Wer weint?|Niemand.",
    "Die Frau lacht!|Der Junge springt in den See.",
    "Er ging …|Dann kam sie.",
    "Dr. Weiß und Prof. Dr. Maier kommen.|Sie sind da.",
    "Wir haben z. B. Hunde, d. h. Tiere.|Und z.B. Katzen.",
    "Er kommt am 3. Mai.|Am 4. Juni geht er.",
    "Heinrich VIII. Tudor war König.|Er starb.",
    "J. R. R. Tolkien wrote it.|Mr. Smith, e.g. Tom, read it vs. Mrs. Hill.",
    "Siehe Nr. 5 und Kap. 3, ca. 20 Seiten.|2 Hunde bellen.",
    "See No. 5 there.|No.|I will not.",
    '"Halt!" rief er.|"Warum?" fragte sie.|(Er schwieg.)|„Geh!“|Sie ging.',
    "Es war 1999.|Alle tanzten.",
    "Er zahlte 1.000.50 Euro.|Wirklich?!|Ja...|Nein.",
    "ein hund läuft. |eine frau liest.|und jetzt?|nichts, z. b. so.",  # without any capital
    "Ein Hund (klein, bzw. jung) läuft, usw.|Er bellt.",
    "Ein Mann schläft.|Ein Kind lacht.",
    "¿Dónde está?|¡Aquí!|«Oui.»|«Non.»",
    "나는 책을 읽었다.|그는 잤다.|정말?|네!",
    "私は行った。|彼は来た！|本当？|「はい。」|終わり",
    "「行きます。」と言った。|彼は『行く！』って叫んだ。|「本当？」は変だ。|（たぶん。）です。",
    "「行きます。」|彼は言った。|「行くぞ！」|とてもうれしい。|「雨？」|はい。|「雪！」|でも行く。",
    '"갑니다." 하고 말했다.|“정말?” 이라고 물었다.|"알았어." |하늘이 맑다.',
    "मैं घर गया।|वह सो गया।",
    "Привет.|Как дела?",
    "Ein Hund läuft. 😀",
    "Visit www.example.com or node.js today.",
    "z.B. Hunde bellen.|U.S.A. Today schreibt.",
    "Ein Hund",
    "...",
    "3. Mai",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_cut_where_a_sentence_ends_and_another_begins(text):
    parts = [part.strip() for part in text.split("|")]
    assert split_sentences(" ".join(parts)) == parts
    assert split_sentences("\u00a0\t".join(parts) + "\n") == parts
    assert split_sentences(text.upper().replace("|", " ")) == [part.upper() for part in parts] or (
        "e.g." in text or "bzw" in text or "VIII" in text or "www" in text or "rief" in text
    )


@pytest.mark.parametrize(
    "text", ["Ein Mann schläft.Ein Kind lacht!Die Frau auch.", "行った。来た。"]
)
def test_where_no_space_is_missed_none_is_needed(text):
    assert "".join(split_sentences(text)) == text and len(split_sentences(text)) in (2, 3)


@given(st.text('aB1 .!?…。"„“()z', max_size=40))
def test_nothing_is_lost_by_cutting_and_nothing_is_left_to_cut(text):
    parts = split_sentences(text)
    assert "".join(parts).replace(" ", "") == normalize(text).replace(" ", "")
    assert all(part and part == part.strip() for part in parts)
    assert split_sentences("") == split_sentences(" \u200b\n") == []


@pytest.mark.parametrize("short", ABBREVIATIONS.split("|"))
def test_no_abbreviation_ends_a_sentence(short):
    assert len(split_sentences(f"Es war {short}. Müller. Er ging.")) == 2


def test_the_stories_of_the_bundled_corpus_have_as_many_sentences_in_both_languages():
    for pair in load_corpus("ko-en").valid:
        assert len(split_sentences(pair.src)) == len(split_sentences(pair.tgt)), pair.src


@given(st.characters(exclude_categories=["Cs", "Cn"]))
def test_a_first_letter_that_is_changed_can_be_changed_back(letter):
    for there, back in ((lower_first, upper_first), (upper_first, lower_first)):
        assert there(letter + "x") == letter + "x" or back(there(letter + "x")) == letter + "x"
    assert lower_first("") == upper_first("") == ""
