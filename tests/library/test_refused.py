"""What the library refuses: the first sentence that a user reads who calls it wrongly.

refused.tsv has a call a line, and how the ValueError begins that it raises: with the name of the
argument, and what was expected. The tests' own checks of types would refuse many of them first, so
all are made in a process of their own, where nothing checks but the library.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("refused.tsv").read_text("utf-8").splitlines()
]
PROGRAM = """
import json, math, sys, warnings
import torch
from torch import nn, ones, tensor, zeros
for package in ("data", "model", "search", "training", "metrics", "masking", "device"):
    exec(f"from attnlib.{package} import *")
from attnlib.figures import as_array, attention_heatmap
from attnlib.translator import Checkpoint, LengthLimit, Translator
from attnlib.translator.sentences import max_sentences_per_text, split_sentences
from attnlib.translator.typed import truecase, tokenize_input

warnings.simplefilter("ignore")
nan, inf = math.nan, math.inf

def true(*size):
    return ones(*size) > 0

def step(tokens, memory, state):
    return zeros(*tokens.shape, 5).log_softmax(-1), state, None

start, up_to_3 = (step, None, zeros(1, 1)), {"max_length": 3}
model = make_seq2seq(8, 8, embedding_size=4, hidden_size=4)
batch, one = make_batch([[4, 5]], [[6]]), Batches([[4]], [[4]], batch_size=1)
real, hole = lengths_to_mask(tensor([4, 2])), tensor([[1, 1, 1, 1], [1, 0, 1, 0]]) > 0
words = WordVocabulary.build(["a b c d"])
translator = Translator(model, words, words)
query, keys = zeros(2, 3, 4), zeros(2, 5, 4)
outcomes = []
for call in json.load(sys.stdin):
    try:
        outcomes.append(["", repr(eval(call))])
    except Exception as problem:
        outcomes.append([type(problem).__name__, str(problem)])
print(json.dumps(outcomes))
"""


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list[str]]:
    calls = [call for call, _ in ROWS]
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(calls),
        capture_output=True,
        encoding="utf-8",
    )
    assert answer.returncode == 0, answer.stderr
    return dict(zip(calls, json.loads(answer.stdout)))


@pytest.mark.parametrize("call, expected", ROWS, ids=[call for call, _ in ROWS])
def test_a_call_that_makes_no_sense_is_refused_in_a_sentence(call, expected, outcomes):
    kind, sentence = outcomes[call]
    assert kind in ("ValueError", "SearchBudgetError"), sentence
    assert sentence.startswith(expected)
