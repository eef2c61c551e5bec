"""Chapter 10 on the learner's own parts: only what is right is used, and it can be undone."""

import inspect
import sys
import types
from collections import Counter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

import nbformat
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

from attnbook.exercises.engine import all_exercises
from attnbook.yours import adapters, parts
from attnbook.yours.adapters import PARTS
from attnbook.yours.parts import use_yours
from attnlib import metrics, search, training
from attnlib.data import Batches, WordVocabulary, make_batch
from attnlib.device import seed_everything
from attnlib.model import make_seq2seq
from attnlib.translator import Translator
from attnlib.translator import translator as translating

CHAPTERS = Path(__file__).parents[2] / "chapters"
WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]


def answers(chapter: str, folder: Path, *cells: str) -> Path:
    """A notebook with a set-up cell and exercises, as a learner would save it."""
    setup = "import torch\nfrom attnbook import exercise\nraise SystemExit"
    notebook = new_notebook(cells=[new_code_cell(setup, metadata={"tags": ["setup"]})])
    for cell in cells:
        notebook.cells.append(new_code_cell(cell, metadata={"tags": ["exercise"]}))
    path = folder / f"{chapter}_test.ipynb"
    nbformat.write(notebook, path)
    return path


def run_everything() -> tuple[list[float], list[Any], float]:
    """What chapter 10 does, in small: losses of a training, translations, BLEU."""
    seed_everything(3)
    vocabulary = WordVocabulary.build([" ".join(WORDS)])
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(2, 7, (40,), generator=generator).tolist()
    texts = [" ".join(WORDS[i % 8] for i in range(k, k + n)) for k, n in enumerate(lengths)]
    ids = [vocabulary.encode(text) for text in texts]
    model = make_seq2seq(
        len(vocabulary), len(vocabulary), embedding_size=16, hidden_size=16, shared_embedding=True
    )
    recipe = training.Recipe(
        updates=30, learning_rate=1e-2, warmup=5, clip=0.5, validate_every=30, precision="fp32"
    )
    batches = Batches(ids, ids, max_tokens=60, seed=1)
    history = training.fit(
        model, batches, recipe, valid=[make_batch(ids[:9], ids[:9])], progress=False
    )
    reader = Translator(model, vocabulary, vocabulary)
    translations = [t for beam in (1, 3) for t in reader.translate(texts[:8], beam)]
    losses = [*history.train_loss, *history.valid_loss]
    # A model this small has no 4-grams right, and then there is nothing to count.
    score = metrics.corpus_bleu([f"{text} a" for text in texts], texts).score
    return losses, translations, score


@pytest.mark.thorough
def test_the_solutions_stand_in_for_every_part_and_compute_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every answer of the solution notebooks is in use, and nothing comes out differently."""
    monkeypatch.setattr(torch, "set_num_threads", lambda n: None)
    called: Counter[str] = Counter()
    read = parts._answers

    def counted(path: Path, wanted: Any) -> dict[str, Any]:
        def count(name: str, function: Any) -> Any:
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                called[name] += 1
                return function(*args, **kwargs)

            return wrapper

        answers = read(path, wanted)
        return {
            name: (state, function and count(name, function))
            for name, (state, function) in answers.items()
        }

    before = run_everything()
    monkeypatch.setattr(parts, "_answers", counted)
    with use_yours(CHAPTERS / "solutions") as yours:
        after = run_everything()
    assert yours.states == {part.exercise: "right" for part in PARTS}
    assert {part.exercise for part in PARTS} - set(called) == set()
    assert after[0] == pytest.approx(before[0], abs=1e-4)
    assert after[2] == pytest.approx(before[2], abs=1e-6)
    for one, other in zip(before[1], after[1]):
        assert (one.text, one.tgt_tokens) == (other.text, other.tgt_tokens)
        torch.testing.assert_close(one.weights, other.weights, atol=1e-3, rtol=1e-3)
        assert one.score == pytest.approx(other.score, abs=1e-3)


SOFTMAX = """
@exercise
def safe_softmax(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, lowest).softmax(-1).masked_fill(~mask, 0.0)
"""
WRONG = "@exercise\ndef brevity_penalty(hypothesis_length, reference_length):\n    return 1.0"
BLANK = "@exercise\ndef ngram_counts(tokens, n):\n    raise NotImplementedError"


def test_only_right_answers_are_used_and_everything_can_be_undone(tmp_path: Path) -> None:
    from attnlib import masking, metrics
    from attnlib.model import attention

    answers("05", tmp_path, SOFTMAX)
    answers("09", tmp_path, WRONG, BLANK)
    old = masking.masked_softmax
    penalty, counts = metrics.brevity_penalty, metrics.ngram_counts
    with use_yours(tmp_path) as yours:
        assert masking.masked_softmax is attention.masked_softmax is not old
        assert metrics.brevity_penalty is penalty
        assert metrics.ngram_counts is counts
        given = torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[True, False]]])
        assert masking.masked_softmax(*given).tolist() == [[[1.0, 0.0]]]
    assert masking.masked_softmax is attention.masked_softmax is old
    states = {name: state for name, state in yours.states.items() if state != "not attempted"}
    assert states == {"safe_softmax": "right", "brevity_penalty": "wrong"}
    text = repr(yours)
    assert "✓ weights" in text and "safe_softmax (chapter 05): yours" in text
    assert "brevity_penalty (chapter 09): the book's: yours is not right yet" in text
    assert "ngram_counts</code>, chapter 09" in yours._repr_html_()


def test_a_cell_that_cannot_be_run_is_wrong_and_leaves_the_others_alone(tmp_path: Path) -> None:
    broken = "@exercise\ndef ngram_counts(tokens n):\n    pass"
    raising = "@exercise\ndef brevity_penalty(hypothesis_length, of=nowhere):\n    pass"
    answers("05", tmp_path, SOFTMAX)
    answers("09", tmp_path, broken, raising)
    with use_yours(tmp_path) as yours:
        assert yours.states["safe_softmax"] == "right"
        assert yours.states["ngram_counts"] == yours.states["brevity_penalty"] == "wrong"
        assert yours.states["corpus_bleu"] == "not attempted"


def test_the_cell_can_be_run_any_number_of_times_and_is_undone_at_once(tmp_path: Path) -> None:
    """Chapter 10 drops what use_yours gives; a later restore, by whomever, undoes all of it."""
    from attnlib import masking

    answers("05", tmp_path, SOFTMAX)
    library = masking.masked_softmax
    use_yours(tmp_path)
    second = use_yours(tmp_path)
    assert masking.masked_softmax.__wrapped__ is library  # one patch, and not one on another
    third = use_yours(tmp_path)
    second.restore()
    third.restore()
    assert masking.masked_softmax is library
    use_yours(tmp_path)
    (tmp_path / "09_test.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"09_test\.ipynb is not a notebook"):
        use_yours(tmp_path)
    assert masking.masked_softmax is library, "a call that fails has undone it, too"
    with pytest.raises(ValueError, match="holds no chapter"):
        use_yours(tmp_path / "elsewhere")


def test_what_was_imported_meanwhile_is_given_back_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attnlib import masking

    library = masking.masked_softmax
    notebook = types.ModuleType("__main__")
    notebook.before = library  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "__main__", notebook)
    answers("05", tmp_path, SOFTMAX)
    with use_yours(tmp_path):
        exec("from attnlib.masking import masked_softmax as mine", vars(notebook))
        assert vars(notebook)["mine"] is notebook.before is not library  # type: ignore[attr-defined]
    assert vars(notebook)["mine"] is notebook.before is library  # type: ignore[attr-defined]


def test_a_part_that_asks_for_more_than_the_exercise_goes_to_the_library() -> None:
    library, calls = search.beam_search, []

    def mine(step: Any, memory: Any, state: Any, max_length: int, **options: Any) -> Any:
        calls.append(options)
        return [4], -1.0

    replaced = adapters._sentence_by_sentence(mine, library)
    with pytest.raises(ValueError, match="n_best"):  # the library's own complaint
        replaced(lambda *_: None, torch.zeros(1, 1), None, max_length=3, n_best=9, beam_size=1)
    assert calls == []


def test_a_learners_beam_is_asked_for_few_sentences_only() -> None:
    class Memory(NamedTuple):
        mask: torch.Tensor

    def step(tokens: torch.Tensor, memory: Any, state: Any) -> Any:
        return (
            torch.tensor([-9.0, -9, -9, -1, -0.5]).log_softmax(0).expand(*tokens.shape, 5),
            state,
            None,
        )

    calls = []

    def mine(*given: Any, **options: Any) -> Any:
        calls.append(options)
        return [4], -2.0

    replaced = adapters._few_sentences(mine, search.beam_search)
    for count in (adapters.MAX_SENTENCES, adapters.MAX_SENTENCES + 1):
        memory = Memory(torch.ones(count, 3, dtype=torch.bool))
        results = replaced(
            step, memory, torch.zeros(count, 1), max_length=4, alpha=1.0, penalty="power"
        )
        assert [best.tokens for [best] in results] != []
    assert len(calls) == adapters.MAX_SENTENCES
    assert results[0][0].tokens != [4]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.exercise)
def test_a_part_reaches_every_place_and_leaves_every_place(part: adapters.Part) -> None:
    def places(function: Any) -> set[tuple[str, str]]:
        """Where attnlib has a function: module and name, class and name."""
        result = set()
        for module, known in list(sys.modules.items()):
            if module.split(".")[0] == "attnlib":
                for name, value in vars(known).items():
                    result |= {(module, name)} if value is function else set()
                    if inspect.isclass(value):
                        inside = {(name, n) for n, v in vars(value).items() if v is function}
                        result |= inside
        return result

    assert part.exercise in all_exercises()[part.chapter]
    before = {target: resolve_name(target) for target in part.targets}
    known = {target: places(function) for target, function in before.items()}
    assert all(known.values()), "nothing in attnlib has it"
    for target, adapt in part.targets.items():
        parts._patch(target, lambda *given: given, adapt)
        assert places(before[target]) == set()
    parts.restore()
    assert {target: places(function) for target, function in before.items()} == known
    assert translating.beam_search is search.beam_search


def test_an_answer_may_use_the_last_state_of_a_layer_and_double_precision() -> None:
    """The exercise's layers have one last state; the translator's, LSTMs, have two."""

    def mine(forward_layer: Any, backward_layer: Any, inputs: torch.Tensor, mask: Any) -> Any:
        rows, final = [], []
        for row, n in zip(inputs.double(), mask.sum(1).tolist()):
            ahead, last = forward_layer(row[:n])
            back, first = backward_layer(row[:n].flip(0))
            both = torch.cat([ahead, back.flip(0)], dim=1)
            rows.append(torch.cat([both, both.new_zeros(len(row) - n, both.shape[1])]))
            final.append(torch.cat([last[0], first[0]]))
        return torch.stack(rows), torch.stack(final)

    from attnlib.model import read_both_ways

    torch.manual_seed(1)
    inputs, mask = torch.randn(2, 4, 3), torch.tensor([[True] * 4, [True] * 2 + [False] * 2])
    for kind in (torch.nn.LSTM, torch.nn.GRU):
        layers = [kind(3, 5, batch_first=True) for _ in range(2)]
        states, final = adapters._both_ways(mine, read_both_ways)(*layers, inputs, mask)
        right, right_final = read_both_ways(*layers, inputs, mask)
        torch.testing.assert_close(states[mask].float(), right[mask])
        torch.testing.assert_close(final.float(), right_final)


def test_an_answer_that_calls_the_librarys_function_does_not_call_itself(tmp_path: Path) -> None:
    from attnlib import model

    body = "\n@exercise\ndef last_real(x, mask):\n    from attnlib import model\n"
    answers("03", tmp_path, body + "    return model.last_real(x, mask)")
    with use_yours(tmp_path) as yours:
        assert yours.states["last_real"] == "right"
        states, mask = (
            torch.arange(6.0).view(2, 3, 1),
            torch.tensor([[True] * 3, [True] + [False] * 2]),
        )
        assert model.last_real(states, mask).tolist() == [[2.0], [3.0]]
