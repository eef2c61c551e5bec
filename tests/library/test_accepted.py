"""What the library takes from numpy, pandas and torch: their numbers, rows and texts do what
Python's own do, and what is kept of them is Python's own.

The tests' own checks of types would refuse some of them first, so all calls are made in a process
where nothing checks but the library. accepted.tsv has in each line a call with what others have,
and the same in Python's own.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PAIRS = [
    line.split("\t")
    for line in Path(__file__).with_name("accepted.tsv").read_text("utf-8").splitlines()
]
PROGRAM = """
import json, sys
import numpy as np, pandas as pd, torch
for room in ("data", "training", "device", "masking", "metrics", "model", "search"):
    exec(f"from attnlib.{room} import *")
from attnlib.translator import LengthLimit, Translator
from attnlib.figures import attention_heatmap

i, f = np.int64, np.float32
rows, lists = [np.array([4, 5]), np.array([6], np.uint8)], [[4, 5], [6]]
texts = ["the cat sat.", "a dog ran."]
nine = torch.tensor(9)
series = pd.Series(texts, index=[7, 3])  # rows that were filtered keep their labels
words, pieces = WordVocabulary.build(texts), SubwordVocabulary.build(texts, 40)
torch.manual_seed(0)
model = make_seq2seq(len(words), len(words), embedding_size=4, hidden_size=4)
translator = Translator(model, words, words, limit=LengthLimit(1.0, 3))
results = []

def kept(batches):
    limits = batches.max_tokens, batches.batch_size
    return limits, batches.seed, batches.src, batches.tgt, batches.batch_indices(1)

def tokens(*build):
    return WordVocabulary.build(*build).tokens, SubwordVocabulary.build(*build[:1], 30).tokens

def answer(sentences, *how, **more):
    translations = translator.translate(sentences, *how, **more)
    return [(one.text, round(one.score, 4)) for one in translations]

table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()

def step(tokens, memory, state):
    return table.expand(*tokens.shape, 5), state, None

def searched(search, limits, **more):
    torch.manual_seed(0)
    found = search(step, torch.zeros(2), None, max_length=limits, **more)
    return [answers[0][:2] for answers in found]

def mapped(weights, src, tgt, **more):
    ax = attention_heatmap(weights, src, tgt, **more)
    return [label.get_text() for label in ax.get_xticklabels()], len(ax.patches)

hypotheses, references = texts, ["the cat sat down.", "a dog ran."]
gold, shares = parse_links("0-0 1-1"), [[0.75, 0.25], [0.25, 0.75]]
quick = {"samples": i(5), "seed": i(2)}

for call in json.load(sys.stdin):
    try:
        results.append(repr(eval(call)))
    except Exception as problem:
        results.append(f"{call}: {problem!r}")
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    calls = [call for pair in PAIRS for call in pair]
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        input=json.dumps(calls),
        capture_output=True,
        encoding="utf-8",
    )
    assert answer.returncode == 0, answer.stderr
    return dict(zip(calls, json.loads(answer.stdout)))


@pytest.mark.parametrize("others, own", PAIRS, ids=[others for others, _ in PAIRS])
def test_numbers_rows_and_texts_of_other_libraries_do_what_pythons_own_do(others, own, results):
    assert results[others] == results[own]
