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
#: What others have, and the same in Python's own.
PAIRS = [
    ("make_batch(rows, pd.Series(lists, index=[7, 3]))", "make_batch(lists, lists)"),
    (
        "kept(Batches(pd.Series(rows, index=[7, 3]), lists, max_tokens=nine, seed=i(3)))",
        "kept(Batches(lists, lists, max_tokens=9, seed=3))",
    ),
    ("tokens(series, i(1))", "tokens(texts, 1)"),
    ("words.decode(torch.tensor([4, 5, 3]))", "words.decode([4, 5, 3])"),
    (
        "Recipe(updates=i(3), learning_rate=f(0.5), embedding_rate=i(2), warmup=np.uint8(1),"
        " final_rate=f(0.25), label_smoothing=torch.tensor(0.5), clip=np.float16(2),"
        " validate_every=i(2), patience=torch.tensor(4), seed=np.array(5))",
        "Recipe(updates=3, learning_rate=0.5, embedding_rate=2, warmup=1, final_rate=0.25,"
        " label_smoothing=0.5, clip=2.0, validate_every=2, patience=4, seed=5)",
    ),
    ("linear_decay(f(0.25), floor=np.float64(0.5))(i(1))", "linear_decay(0.25, floor=0.5)(1)"),
    ("answer(series)", "answer(texts)"),
    ("translator.translate(np.str_('the cat'))", "translator.translate('the cat')"),
    (
        "translator.bleu(pd.DataFrame({'a': texts, 'b': texts}).values)",
        "translator.bleu([[s, s] for s in texts])",
    ),
    (
        "Translator(model, words, words, limit=LengthLimit(f(1.5), i(4))).limit",
        "LengthLimit(1.5, 4)",
    ),
    (
        "make_seq2seq(i(9), i(8), hidden_size=torch.tensor(4), attention='concat',"
        " attention_size=i(2), dropout=f(0.5), tied_output=np.bool_(True)).architecture",
        "make_seq2seq(9, 8, hidden_size=4, attention='concat', attention_size=2, dropout=0.5,"
        " tied_output=True).architecture",
    ),
    ("lengths_to_mask(torch.tensor([1, 2]), i(3))", "lengths_to_mask(torch.tensor([1, 2]), 3)"),
    *(
        (f"searched({search}, {limits})", f"searched({search}, [3, 2])")
        for search in ("beam_search", "exhaustive_search")
        for limits in ("torch.tensor([3, 2])", "[i(3), torch.tensor(2)]")
    ),
    (
        "searched(beam_search, 3, beam_size=i(2), n_best=i(1), alpha=f(0.5), min_length=i(1))",
        "searched(beam_search, 3, beam_size=2, n_best=1, alpha=0.5, min_length=1)",
    ),
    (
        "searched(sample_search, 3, samples=i(2), top_k=i(2), top_p=f(0.5), temperature=f(0.5))",
        "searched(sample_search, 3, samples=2, top_k=2, top_p=0.5, temperature=0.5)",
    ),
    ("length_penalty(i(7), f(1.0))", "length_penalty(7, 1.0)"),
    (
        "corpus_bleu(series, pd.Series(references, index=[9, 8]))",
        "corpus_bleu(texts, references)",
    ),
    (
        "corpus_bleu(texts, [pd.Series([r, r], index=[4, 3]) for r in references])",
        "corpus_bleu(texts, references)",
    ),
    (
        "sentence_bleu(np.str_('a b'), np.array(['a c', 'a b']))",
        "sentence_bleu('a b', ['a c', 'a b'])",
    ),
    (
        "bootstrap_interval(series, references, level=f(0.5), **quick)",
        "bootstrap_interval(texts, references, level=0.5, samples=5, seed=2)",
    ),
    ("aer(torch.tensor([[0, 0], [1, 0]]), gold)", "aer({(0, 0), (1, 0)}, gold)"),
    (
        "mapped(torch.tensor(shares), np.array(['a', 'b']), pd.Series(['c', 'd'], index=[5, 4]),"
        " gold=([(i(0), i(0))], torch.tensor([[0, 0], [1, 0]])))",
        "mapped(shares, ['a', 'b'], ['c', 'd'], gold=({(0, 0)}, {(1, 0)}))",
    ),
]


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
