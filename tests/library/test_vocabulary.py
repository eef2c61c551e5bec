"""Vocabularies undo themselves and follow the written rule."""

import functools
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib.data import (
    BOS,
    EOS,
    PAD,
    SPECIAL_TOKENS,
    UNK,
    SubwordVocabulary,
    Vocabulary,
    WordVocabulary,
    normalize,
)
from attnlib.data.text import upper_first
from attnlib.translator.typed import truecase

LINES = [
    "A man sleeps in a green room.",
    "The man didn't see Minsu, the dog!",
    "Minsu eats 3 apples in the room?",
    "Ein Mann schläft, sagt Minsu.",
]


def test_special_tokens_come_first_and_decoding_gives_the_line_again():
    assert (PAD, UNK, BOS, EOS) == (0, 1, 2, 3)
    for vocabulary in (WordVocabulary.build(LINES), SubwordVocabulary.build(LINES, 80)):
        assert tuple(vocabulary.tokens[:4]) == SPECIAL_TOKENS
        for line in LINES:
            assert vocabulary.decode([BOS, *vocabulary.encode(line), EOS, PAD]) == line


@given(st.text(alphabet="abcäßABCÄ ,.'0한국ı\t\u00a0\u0308", max_size=30))
def test_subwords_undo_themselves_on_any_text_of_known_letters(text):
    vocabulary = SubwordVocabulary.build(["abcäßABCÄ ,.'0한국ı aa bb ẍ b\u0308 .\u0308 ÖÜöü"], 80)
    assert set(normalize(text)) - {" "} <= set("".join(vocabulary.tokens))
    assert vocabulary.decode(vocabulary.encode(text)) == upper_first(normalize(text))


LINES_OF_THE_WORLD = [
    "मैं हिन्दी में किताब पढ़ता हूँ।",  # Hindi: vowel signs are marks
    "ผมอ่านหนังสือที่บ้าน",  # Thai: so are vowels and tones
    "Tôi đọc một quyển sách ở nhà.",
    "می\u200cخواهم کتاب بخوانم.",  # Persian: a joiner inside a word
    "나는 집에서 책을 읽었다.",
]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("line", LINES_OF_THE_WORLD)
def test_marks_belong_to_their_letter_in_every_script_and_form(line, form):
    typed = unicodedata.normalize(form, line)
    words = WordVocabulary.build([typed])
    assert words.decode(words.encode(typed)) == normalize(line)
    assert len(words.encode(line)) == len(re.findall(r"[^\s.।]+|[.।]", normalize(line)))
    subwords = SubwordVocabulary.build([typed] * 9, 200)
    assert subwords.decode(subwords.encode(line)) == normalize(line)
    # What is met often is one piece, whatever marks it has.
    assert len(subwords.encode(typed)) == len(words.encode(line))


def test_every_mark_of_unicode_belongs_to_its_letter():
    words = WordVocabulary([*SPECIAL_TOKENS, "b"])
    for point in range(0x110000):
        if unicodedata.category(chr(point))[0] == "M":
            assert words.tokenize(f"b q{chr(point)}z.") == ["b", "<unk>", "<unk>"], hex(point)


@pytest.mark.parametrize("kind", ["words", "subwords"])
def test_a_sentence_in_one_case_is_read_in_the_case_that_is_known(kind):
    lines = ["Ein Hund rennt.", "Der Hund sieht Minsu und die NASA.", "Und wie er rennt."] * 5
    build = WordVocabulary.build if kind == "words" else SubwordVocabulary.build
    known = functools.partial(truecase, vocabulary=build(lines))
    for text in ("der Hund sieht Minsu und die NASA.", "und rennt."):
        for typed in (text.upper(), text.lower(), text.title()):
            assert known(typed) == text
    for text in ("Der Hund SIEHT Minsu.", "그는 갔다.", "3.", ""):  # case of its own, or none
        assert known(text) == text


WORD = st.sampled_from(["dog", "Minsu", "didn't", "1,000.50", "10:30", "3.5", "well-known", "학교"])
QUOTES = st.sampled_from(["()", "[]", '""', "„“", "“”", "‘’"])
UNIT = st.one_of(
    WORD,
    st.builds(lambda one, end: one + end, WORD, st.sampled_from([".", ",", "!", "%", "…", ":"])),
    st.builds(
        lambda inside, q: q[0] + " ".join(inside) + q[1],
        st.lists(WORD, min_size=1, max_size=3),
        QUOTES,
    ),
    st.sampled_from(["/", "&", "€", "-"]),
)


@given(st.lists(UNIT, min_size=1, max_size=8))
def test_words_undo_themselves_on_any_text_that_is_written_plainly(units):
    text = " ".join(units)
    text = text[:1].upper() + text[1:]
    vocabulary = WordVocabulary.build([text])
    assert vocabulary.decode(vocabulary.encode(text)) == text


@given(st.text(alphabet="aBß1 .,:%-'/&()[]\"„“”‘’#", max_size=20))
def test_words_write_any_other_text_plainly_once_and_for_all(text):
    vocabulary = WordVocabulary.build([text])
    plain = vocabulary.decode(vocabulary.encode(text))
    assert plain.replace(" ", "").lower() == text.replace(" ", "").lower()
    assert vocabulary.decode(vocabulary.encode(plain)) == plain


@pytest.mark.parametrize(
    "text, tokens",
    [
        ('He said "hi" to us.', ["he", "said", '"', "hi", '"', "to", "us", "."]),
        ("It cost 1,000.50 won at 10:30.", ["it", "cost", "1,000.50", "won", "at", "10:30", "."]),
        ("Rooms 1, 2 and 3.", ["rooms", "1", ",", "2", "and", "3", "."]),
        ("Er rief „halt“ und lief.", ["er", "rief", "„", "halt", "“", "und", "lief", "."]),
        ('"A", "b" (c)', ['"', "A", '"', ",", '"', "b", '"', "(", "c", ")"]),
    ],
)
def test_quotes_and_numbers_come_back_as_they_were(text, tokens):
    vocabulary = WordVocabulary.build([text])
    assert vocabulary.tokenize(text) == tokens
    assert vocabulary.decode(vocabulary.encode(text)) == text


class Letters(Vocabulary):
    """A vocabulary of one's own: each letter a token."""

    def __init__(self):
        self.tokens = [*SPECIAL_TOKENS, *"abc "]
        self.index = {token: number for number, token in enumerate(self.tokens)}

    def tokenize(self, text):
        return list(text)

    def detokenize(self, tokens):
        return "".join(tokens)

    def to_json(self):
        return {}


def test_what_three_methods_describe_is_a_vocabulary():
    letters = Letters()
    assert letters.encode("cab x") == [6, 4, 5, 7, UNK] and len(letters) == 8
    assert letters.decode([BOS, 6, 4, 5, EOS, PAD]) == "cab"
    assert repr(letters) == "Letters(8 tokens)"
    for vocabulary in (letters, WordVocabulary.build(LINES), SubwordVocabulary.build(LINES, 80)):
        assert isinstance(vocabulary, Vocabulary)
    assert not isinstance(["a", "b"], Vocabulary)


def test_a_name_keeps_its_capital_and_a_first_word_does_not():
    vocabulary = WordVocabulary.build(LINES)
    assert vocabulary.tokenize("The man saw Minsu.")[:2] == ["the", "man"]
    for typed in ("minsu eats.", "Minsu eats."):
        assert vocabulary.tokenize(typed) == ["Minsu", "eats", "."]
    assert "The" not in vocabulary.index and "minsu" not in vocabulary.index


def test_words_are_cut_longest_match_first_into_known_pieces():
    pieces = ["학", "학교", "##교", "##에", "##에서", "##서"]
    vocabulary = WordVocabulary.build(["학교에서 학교"], pieces=pieces)
    assert vocabulary.tokenize("학교에서") == ["학교", "##에서"]
    assert vocabulary.detokenize(["학교", "##에서", "."]) == "학교에서."


def test_a_word_that_cannot_be_cut_is_one_unknown_token():
    vocabulary = WordVocabulary([*SPECIAL_TOKENS, "학교", "##에서"])
    assert vocabulary.tokenize("학교에서 병원에서 .") == ["학교", "##에서", "<unk>", "<unk>"]
    assert vocabulary.encode("병원") == [UNK]


def test_rare_words_are_left_out_most_frequent_first():
    vocabulary = WordVocabulary.build(["x b a b a b", "x c"], min_count=2)
    assert vocabulary.tokens[4:] == ["b", "a", "x"]


def test_the_letters_of_a_special_token_in_a_text_are_only_letters():
    subwords = SubwordVocabulary.build(["<eos> eos <pad> " * 3], 40)
    assert (
        EOS not in subwords.encode("<eos>") and subwords.decode(subwords.encode("<eos>")) == "<eos>"
    )
    assert EOS not in WordVocabulary.build(["<eos> x"]).encode("<eos>")


def test_building_twice_gives_the_same_numbers():
    assert SubwordVocabulary.build(LINES, 60).tokens == SubwordVocabulary.build(LINES, 60).tokens
    assert WordVocabulary.build(LINES).tokens == WordVocabulary.build(reversed(LINES)).tokens


# More kinds of letters than there is room for ----------------------------------------------------

MANY = [
    *(
        "".join(map(chr, range(0x4E00 + n, 0x4E00 + n + 20))) + " she is so very young"
        for n in range(0, 3000, 10)
    ),
    *["1 she is so very young"] * 9,
]


@pytest.mark.parametrize("size", [5, 100, 4000])
def test_a_vocabulary_never_has_more_pieces_than_its_size(size):
    """15,800 kinds of letters and a size of 4,000 were 15,914 pieces, none of them a word's."""
    vocabulary = SubwordVocabulary.build(MANY, size)
    assert len(vocabulary) <= size
    if size >= 100:
        assert vocabulary.tokenize("1 she is young")[1:] == ["▁she", "▁is", "▁young"]


def test_of_too_many_letters_the_most_frequent_are_known_the_same_at_every_call():
    lines = ["1 a b c d e f", "1 a b c d e", "1 a b c d", "1 a a z y x w"]
    vocabulary = SubwordVocabulary.build(lines, 16)
    letters = {token for token in vocabulary.tokens if len(token) == 1}
    assert letters == set("▁1abcdef"), "f, of those that stand there once, as it is the first"
    for size in (14, 300):
        first, again = (SubwordVocabulary.build(MANY, size).to_json() for _ in range(2))
        assert first == again, "a run that is resumed finds its vocabulary again"
