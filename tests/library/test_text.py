"""What looks the same is the same text; several sentences are told apart."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib.data.text import normalize


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
