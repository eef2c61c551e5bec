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
import json, pathlib, sys
import numpy as np, pandas as pd, torch
for room in ("data", "training", "device", "masking", "metrics", "model", "search"):
    exec(f"from attnlib.{room} import *")
from attnlib.data.sources import is_table
from attnlib.translator.sentences import max_sentences_per_text
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

def smoothed(share):
    one = Batches(lists, lists, batch_size=2)
    (batch,) = one.epoch(0)
    weight, y = torch.eye(9), torch.tensor([1, 2])
    return batch_loss(model, batch, share), token_cross_entropy(weight[:2], y, share)

def seeded(seed):
    seed_everything(seed)
    return torch.rand(2).tolist()

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

def drawn(seed):
    seed_everything(seed)
    return torch.rand(2).tolist()

for call in json.load(sys.stdin):
    try:
        results.append(repr(eval(call)))
    except Exception as problem:
        results.append(f"{call}: {problem!r}")
print(json.dumps(results))
"""
#: What others have, and the same in Python's own.
PAIRS = [
    ("pad(rows)", "pad(lists)"),
    ("make_batch(rows, pd.Series(lists, index=[7, 3]))", "make_batch(lists, lists)"),
    (
        "kept(Batches(pd.Series(rows, index=[7, 3]), lists, max_tokens=nine, seed=i(3)))",
        "kept(Batches(lists, lists, max_tokens=9, seed=3))",
    ),
    ("[*bucket_by_length(pd.Series([3, 1, 2], index=[5, 6, 7]), i(2))]", "[[1, 2], [0]]"),
    ("tokens(series, i(1))", "tokens(texts, 1)"),
    ("WordVocabulary(np.array(words.tokens)).encode('the dog')", "words.encode('the dog')"),
    ("max_sentences_per_text(series)", "1"),
    ("words.decode(torch.tensor([4, 5, 3]))", "words.decode([4, 5, 3])"),
    ("pieces.decode(pd.Series([4, 5], index=[1, 0]))", "pieces.decode([4, 5])"),
    ("drawn(i(1))", "drawn(1)"),
    (
        "Recipe(updates=i(3), learning_rate=f(0.5), embedding_rate=i(2), warmup=np.uint8(1),"
        " final_rate=f(0.25), label_smoothing=torch.tensor(0.5), clip=np.float16(2),"
        " validate_every=i(2), patience=torch.tensor(4), seed=np.array(5))",
        "Recipe(updates=3, learning_rate=0.5, embedding_rate=2, warmup=1, final_rate=0.25,"
        " label_smoothing=0.5, clip=2.0, validate_every=2, patience=4, seed=5)",
    ),
    ("constant_schedule(f(0.5))(i(3))", "constant_schedule(0.5)(3)"),
    ("smoothed(f(0.5))", "smoothed(0.5)"),
    ("is_table(pathlib.Path('x.CSV'))", "is_table('x.CSV')"),
    ("seeded(i(3))", "seeded(3)"),
    ("linear_decay(f(0.25), floor=np.float64(0.5))(i(1))", "linear_decay(0.25, floor=0.5)(1)"),
    ("answer(series)", "answer(texts)"),
    ("translator.translate(np.str_('the cat'))", "translator.translate('the cat')"),
    ("translator.bleu(zip(series, texts), i(1))", "translator.bleu([(s, s) for s in texts], 1)"),
    (
        "translator.bleu(pd.DataFrame({'a': texts, 'b': texts}).values)",
        "translator.bleu([[s, s] for s in texts])",
    ),
    (
        "Translator(model, words, words, limit=LengthLimit(f(1.5), i(4))).limit",
        "LengthLimit(1.5, 4)",
    ),
    (
        "LengthLimit.learn(np.array([[4, 4], [6, 6], [5, 8]]))",
        "LengthLimit.learn([(4, 4), (6, 6), (5, 8)])",
    ),
    ("Translator(model, words, words, {'sentences': i(2)}).max_sentences", "2"),
    ("Translator(model, words, words, {'guesses below': -2}).min_log_prob", "-2.0"),
    (
        "make_seq2seq(i(9), i(8), hidden_size=torch.tensor(4), attention='concat',"
        " attention_size=i(2), dropout=f(0.5), tied_output=np.bool_(True)).architecture",
        "make_seq2seq(9, 8, hidden_size=4, attention='concat', attention_size=2, dropout=0.5,"
        " tied_output=True).architecture",
    ),
    ("describe(DotAttention(i(2), i(2)))", "describe(DotAttention(2, 2))"),
    ("lengths_to_mask(torch.tensor([1, 2]), i(3))", "lengths_to_mask(torch.tensor([1, 2]), 3)"),
    *(
        (f"searched({search}, {limits})", f"searched({search}, [3, 2])")
        for search in ("greedy_search", "beam_search", "exhaustive_search", "sample_search")
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
        "corpus_bleu(texts, references, lowercase=np.bool_(True))",
        "corpus_bleu(texts, references, lowercase=True)",
    ),
    (
        "sentence_bleu(np.str_('a b'), np.array(['a c', 'a b']))",
        "sentence_bleu('a b', ['a c', 'a b'])",
    ),
    ("corpus_chrf(series, np.array(references))", "corpus_chrf(texts, references)"),
    (
        "bootstrap_interval(series, references, level=f(0.5), **quick)",
        "bootstrap_interval(texts, references, level=0.5, samples=5, seed=2)",
    ),
    (
        "paired_bootstrap(series, np.array(references), references, **quick)",
        "paired_bootstrap(texts, references, references, samples=5, seed=2)",
    ),
    ("ngram_counts(['a', 'b', 'a'], i(2))", "ngram_counts(['a', 'b', 'a'], 2)"),
    *(
        (f"{measure}({weights}, gold)", f"{measure}(shares, gold)")
        for measure in ("best_shift", "probability_mass")
        for weights in ("np.array(shares)", "[torch.tensor(row) for row in shares]")
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
