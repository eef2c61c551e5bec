"""The translator that comes along is the one whose quality the README and chapter 10 say."""

import hashlib
import json

import pytest

from attnlib.data import bundled_directory, load_corpus
from attnlib.translator import CARD_FILE, WEIGHTS_FILE, Translator

pytestmark = pytest.mark.thorough

SHIPPED = bundled_directory().parent / "de-en"
RECORD = SHIPPED.parent / "runs" / "10_student.json"


def test_the_translator_that_comes_along_is_the_recorded_one() -> None:
    """Anybody who trains it anew must record it anew: its BLEU is said in README."""
    runs = {run["variant"]: run for run in json.loads(RECORD.read_text("utf-8"))["runs"]}
    content = (SHIPPED / WEIGHTS_FILE).read_bytes()
    assert hashlib.sha256(content).hexdigest() == runs["ship"]["sha256"]
    translator = Translator.load(SHIPPED)
    size = sum(table.numel() for table in translator.model.parameters())
    assert size == runs["student"]["parameters"] <= 3_000_000


@pytest.mark.network("multi30k-de-en")
def test_the_translator_that_comes_along_translates_as_well_as_its_record_says() -> None:
    runs = {run["variant"]: run for run in json.loads(RECORD.read_text("utf-8"))["runs"]}
    pairs = load_corpus("multi30k-de-en").test
    greedy = Translator.load(SHIPPED, "cpu").bleu(pairs, 1)
    assert greedy == pytest.approx(runs["ship"]["bleu"]["test greedy"], abs=0.05)


def test_the_translator_that_comes_along_names_no_folder_of_its_maker() -> None:
    assert "/" not in json.dumps(json.loads((SHIPPED / CARD_FILE).read_text("utf-8"))["about"])
