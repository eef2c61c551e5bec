"""What the library takes from numpy, pandas and torch: their numbers, rows and texts do what
Python's own do, and what is kept of them is Python's own.

The tests' own checks of types would refuse some of them first, so all calls are made in a process
where nothing checks but the library.
"""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import dataclasses, json, pathlib, sys
import numpy as np, pandas as pd, torch
for room in ("data", "training", "device"):
    exec(f"from attnlib.{room} import *")
from attnlib.presets import BUNDLED, make_vocabularies
from attnlib.translator import Limit, Translator
from attnlib.model import make_seq2seq

i, f = np.int64, np.float32
rows, lists = [np.array([4, 5]), np.array([6], np.uint8)], [[4, 5], [6]]
texts = ["the cat sat.", "a dog ran."]
series = pd.Series(texts, index=[7, 3])  # rows that were filtered keep their labels
words, pieces = WordVocabulary.build(texts), SubwordVocabulary.build(texts, 40)
torch.manual_seed(0)
model = make_seq2seq(len(words), len(words), embedding_size=4, hidden_size=4)
translator = Translator(model, words, words, limit=Limit(1.0, 3))
told = []

def kept(batches):
    return batches.tokens, batches.size, batches.seed, batches.src, batches.tgt, batches.plan(1)

def tokens(*build):
    return WordVocabulary.build(*build).tokens, SubwordVocabulary.build(*build[:1], 30).tokens

def answer(sentences, *how, **more):
    found = translator.translate(sentences, *how, **more)
    return [(one.text, round(one.score, 4)) for one in found]

def smoothed(share):
    one = Batches(lists, lists, size=2)
    (batch,) = one.epoch(0)
    weight, y = torch.eye(9), torch.tensor([1, 2])
    pieces = linear_cross_entropy(weight[:2], weight, None, y, share)
    return batch_loss(model, batch, share), token_cross_entropy(weight[:2], y, share), pieces

def seeded(seed):
    seed_device(seed, "cpu")
    return torch.rand(2).tolist()

def drawn(seed):
    seed_everything(seed)
    return torch.rand(2).tolist()

for call in json.load(sys.stdin):
    try:
        told.append(repr(eval(call)))
    except Exception as problem:
        told.append(f"{call}: {problem!r}")
print(json.dumps(told))
"""
#: What others have, and the same in Python's own.
PAIRS = [
    ("pad(rows)", "pad(lists)"),
    ("pad(torch.tensor([[4, 5]]))", "pad([[4, 5]])"),
    ("pad(np.array([[4, 5], [6, 7]]))", "pad([[4, 5], [6, 7]])"),
    ("pad(((4, 5), (6,)))", "pad(lists)"),
    ("make_batch(rows, pd.Series(lists, index=[7, 3]))", "make_batch(lists, lists)"),
    (
        "make_batch([torch.tensor([4, 5]), [i(6)]], (iter(x) for x in lists))",
        "make_batch(*[lists] * 2)",
    ),
    ("kept(Batches(rows, rows, size=i(2)))", "kept(Batches(lists, lists, size=2))"),
    (
        "kept(Batches(pd.Series(rows, index=[7, 3]), lists, tokens=torch.tensor(9), seed=i(3)))",
        "kept(Batches(lists, lists, tokens=9, seed=3))",
    ),
    ("[*Batches(lists, lists, size=2).epoch(i(2))]", "[*Batches(lists, lists, size=2).epoch(2)]"),
    ("[*batches_by_length(pd.Series([3, 1, 2], index=[5, 6, 7]), i(2))]", "[[1, 2], [0]]"),
    ("[*batches_by_length(torch.tensor([3, 1, 2]), 2)]", "[[1, 2], [0]]"),
    ("tokens(series, i(1))", "tokens(texts, 1)"),
    ("tokens(np.array(texts))", "tokens(texts)"),
    ("WordVocabulary(np.array(words.tokens)).encode('the dog')", "words.encode('the dog')"),
    ("SubwordVocabulary.build(texts, i(30)).tokens", "SubwordVocabulary.build(texts, 30).tokens"),
    ("sentences_at_once(series)", "1"),
    ("words.decode(torch.tensor([4, 5, 3]))", "words.decode([4, 5, 3])"),
    ("words.decode(np.array([4, 5]))", "words.decode([4, 5])"),
    ("pieces.decode(pd.Series([4, 5], index=[1, 0]))", "pieces.decode([4, 5])"),
    ("pieces.decode([i(4), torch.tensor(5)])", "pieces.decode([4, 5])"),
    ("drawn(i(1))", "drawn(1)"),
    ("drawn(torch.tensor(1))", "drawn(1)"),
    (
        "Recipe(updates=i(3), learning_rate=f(0.5), embedding_rate=i(2), warmup=np.uint8(1),"
        " final_rate=f(0.25), label_smoothing=torch.tensor(0.5), clip=np.float16(2),"
        " validate_every=i(2), patience=torch.tensor(4), seed=np.array(5))",
        "Recipe(updates=3, learning_rate=0.5, embedding_rate=2, warmup=1, final_rate=0.25,"
        " label_smoothing=0.5, clip=2.0, validate_every=2, patience=4, seed=5)",
    ),
    ("Recipe(minutes=f(0.5))", "Recipe(minutes=0.5)"),
    (
        "dataclasses.replace(BUNDLED['quick'], embedding_size=i(3), hidden_size=i(4),"
        " dropout=f(0.5), batch_tokens=torch.tensor(5), subwords=i(30))",
        "dataclasses.replace(BUNDLED['quick'], embedding_size=3, hidden_size=4, dropout=0.5,"
        " batch_tokens=5, subwords=30)",
    ),
    ("constant(f(0.5))(i(3))", "constant(0.5)(3)"),
    ("smoothed(f(0.5))", "smoothed(0.5)"),
    ("smoothed(torch.tensor(0.5))", "smoothed(0.5)"),
    ("is_table(pathlib.Path('x.CSV'))", "is_table('x.CSV')"),
    ("seeded(i(3))", "seeded(3)"),
    ("linear(f(0.25), floor=np.float64(0.5))(i(1))", "linear(0.25, floor=0.5)(1)"),
    ("exponential(torch.tensor(0.5))(i(2))", "exponential(0.5)(2)"),
    ("inverse_sigmoid(i(3))(torch.tensor(2))", "inverse_sigmoid(3)(2)"),
    ("perplexity(f(2.0), i(4))", "perplexity(2.0, 4)"),
    ("answer(series)", "answer(texts)"),
    ("answer(np.array(texts), i(3), alpha=f(0.5), batch_size=i(1))", "answer(texts, 3, alpha=0.5)"),
    ("translator.translate(np.str_('the cat'))", "translator.translate('the cat')"),
    ("translator.bleu(zip(series, texts), i(1))", "translator.bleu([(s, s) for s in texts], 1)"),
    (
        "translator.bleu(pd.DataFrame({'a': texts, 'b': texts}).values)",
        "translator.bleu([[s, s] for s in texts])",
    ),
    ("Translator(model, words, words, limit=Limit(f(1.5), i(4))).limit", "Limit(1.5, 4)"),
    ("Limit.learn(np.array([[4, 4], [6, 6], [5, 8]]))", "Limit.learn([(4, 4), (6, 6), (5, 8)])"),
    ("Translator(model, words, words, {'sentences': i(2)}).sentences_at_once", "2"),
    ("Translator(model, words, words, {'guesses below': -2}).guesses_below", "-2.0"),
]


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
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
def test_numbers_rows_and_texts_of_other_libraries_do_what_pythons_own_do(others, own, told):
    assert told[others] == told[own]
