"""The peers trained for the same minutes, as far as it can be tested where none is installed."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from attnlib.data import load_corpus, normalize
from attnlib.translator import DEFAULT_PRESETS
from studies.peers import children, quality, recipes
from studies.peers.clock import Clock

pytestmark = pytest.mark.thorough

HERE = Path(quality.__file__).parent


# The clock ---------------------------------------------------------------------------------------


class Processor:
    """Time that passes only where it is said."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_a_training_is_saved_at_equal_parts_and_ends_with_the_last() -> None:
    now = Processor()
    clock, saved = Clock(minutes=3.0, parts=3, now=now), []

    def save() -> str:
        now.seconds += 500  # nobody's training
        saved.append(update)
        return f"at {update}"

    for update in range(100):
        if clock.over(update, save):
            break
        now.seconds += 25
    # 60, 120 and 180 seconds are over after 3, 5 and 8 updates of 25.
    assert saved == [3, 5, 8]
    assert clock.marks == [
        {"minutes": 1.25, "update": 3, "checkpoint": "at 3"},
        {"minutes": round(125 / 60, 3), "update": 5, "checkpoint": "at 5"},
        {"minutes": round(200 / 60, 3), "update": 8, "checkpoint": "at 8"},
    ]


def test_what_comes_before_the_first_question_is_not_counted() -> None:
    now = Processor()
    clock = Clock(minutes=1.0, parts=1, now=now)
    now.seconds += 10_000
    assert not clock.over(0, str)
    now.seconds += 61
    assert clock.over(1, str)


# The recipes -------------------------------------------------------------------------------------


def test_quicks_recipe_is_the_preset_as_far_as_a_peer_can_be_configured(tmp_path: Path) -> None:
    quick = DEFAULT_PRESETS["quick"]
    given = tmp_path, tmp_path, 1600, 7
    opennmt = recipes.opennmt(recipes.QUICK, *given)
    joey = recipes.joey(recipes.QUICK, *given)
    encoder, decoder = joey["model"]["encoder"], joey["model"]["decoder"]
    training = joey["training"]
    assert quick.hidden_size == opennmt["hidden_size"] == decoder["hidden_size"]
    assert quick.hidden_size == 2 * encoder["hidden_size"] and encoder["bidirectional"]
    widths = opennmt["word_vec_size"], decoder["embeddings"]["embedding_dim"]
    assert widths == (quick.embedding_size,) * 2
    assert [quick.dropout] == opennmt["dropout"] and quick.dropout == decoder["hidden_dropout"]
    assert quick.batch_tokens == opennmt["batch_size"] == training["batch_size"]
    recipe = quick.recipe
    assert recipe.label_smoothing == opennmt["label_smoothing"] == training["label_smoothing"]
    assert recipe.clip == opennmt["max_grad_norm"] == training["clip_grad_norm"]
    assert recipe.warmup == opennmt["warmup_steps"] == training["learning_rate_warmup"]
    assert recipe.learning_rate == training["learning_rate"]
    assert opennmt["seed"] == joey["random_seed"] == 7


def test_opennmts_rate_rises_to_the_peak_of_quick_and_ends_near_its_last(tmp_path: Path) -> None:
    updates, recipe = 1600, DEFAULT_PRESETS["quick"].recipe
    given = recipes.opennmt(recipes.QUICK, tmp_path, tmp_path, updates, 1)

    def rate(step: int) -> float:
        """``noamwd_decay`` of onmt.utils.optimizers, times the rate."""
        rises = min(step**-0.5, step * given["warmup_steps"] ** -1.5)
        over = max(step - given["start_decay_steps"] + given["decay_steps"], 0)
        halved = given["learning_rate_decay"] ** (over // given["decay_steps"])
        return given["learning_rate"] * given["hidden_size"] ** -0.5 * rises * halved

    assert max(map(rate, range(1, updates))) == pytest.approx(recipe.learning_rate)
    assert rate(recipe.warmup) == pytest.approx(recipe.learning_rate)
    # As near to the straight line as it comes.
    for step in range(updates // 3, updates, 10):
        line = recipe.learning_rate_at(step, step / updates)
        assert 0.3 * line < rate(step) < 2 * line, step
    last = recipe.learning_rate_at(updates, 1.0)
    assert 0.5 * last < rate(updates) < 2 * last


# Text and scores ---------------------------------------------------------------------------------


def small_corpus() -> Any:
    """In the place of Multi30k, with a space in its sources that is no space between words."""
    corpus = load_corpus("ko-en-easy")
    spaced = corpus.train[0]._replace(src="하나\u00a0둘")
    return SimpleNamespace(
        train=[spaced, *corpus.train[:300]],
        valid=[spaced, *corpus.valid[:19]],
        test=corpus.test[:20],
    )


def test_what_the_peers_read_is_the_text_of_the_corpus(tmp_path: Path) -> None:
    corpus = small_corpus()
    vocabulary = quality.pieces(tmp_path, corpus)

    def lines(name: str) -> list[str]:
        return (tmp_path / name).read_text(encoding="utf-8").split("\n")[:-1]

    assert lines("valid.raw") == [pair.src for pair in corpus.valid]
    for split in ("train", "valid", "test"):
        pairs = getattr(corpus, split)
        for language, texts in (("de", [p.src for p in pairs]), ("en", [p.tgt for p in pairs])):
            found = [
                vocabulary.detokenize(line.split(" ")) for line in lines(f"{split}.{language}")
            ]
            assert [normalize(text) for text in texts] == found
            assert all(line.split() == line.split(" ") for line in lines(f"{split}.{language}"))
    sides = {side: set(" ".join(lines(f"train.{side}")).split()) for side in ("de", "en")}
    assert set(lines("pieces.de")) == sides["de"] and set(lines("pieces.en")) == sides["en"]
    assert sorted(lines("pieces")) == sorted(sides["de"] | sides["en"])
    references = [pair.tgt for pair in corpus.valid]
    assert quality.bleu(lines("valid.en"), vocabulary, references) == 100.0
    with pytest.raises(children.ChildError, match="19 translations of 20 sentences"):
        quality.bleu(lines("valid.en")[1:], vocabulary, references)


# Runs --------------------------------------------------------------------------------------------

MARKS = [
    {"minutes": 3.0, "update": 100, "checkpoint": "first"},
    {"minutes": 6.0, "update": 200, "checkpoint": "second"},
    {"minutes": 9.0, "update": 300, "checkpoint": "third"},
]


class Faked(quality.Run):
    """A run whose processes are played: the second checkpoint translates best."""

    def __init__(self, row: str, out: Path, corpus: Any, vocabulary: Any) -> None:
        super().__init__(row, 1, out, 9.0)
        self.corpus, self.vocabulary, self.jobs = corpus, vocabulary, []

    def child(self, folder: Path, *job: str) -> None:
        self.jobs.append((folder.name, *job))
        if job[0] == "train":
            settings = json.loads((folder / "job.json").read_text(encoding="utf-8"))
            marks = [{**MARKS[0], "minutes": 0.4}] if settings["parts"] == 1 else MARKS
            found = {"parameters": 5, "lstm_gflops": [1.0, 1.0], "marks": marks}
            (folder / "trained.json").write_text(json.dumps(found), encoding="utf-8")
            return
        _, checkpoint, split, beam = job
        wrong = {"first": 10, "second": 2, "third": 5}[checkpoint] - (beam == "5")
        lines = [" ".join(self.vocabulary.tokenize(p.tgt)) for p in getattr(self.corpus, split)]
        lines[:wrong] = ["▁no"] * wrong
        path = folder / f"{split}-{beam}-{checkpoint}.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def faked(tmp_path: Path) -> Any:
    corpus = small_corpus()
    vocabulary = quality.pieces(tmp_path / "text", corpus)
    return lambda row: Faked(row, tmp_path, corpus, vocabulary)


def test_the_checkpoint_is_chosen_on_the_validation_split(faked: Any) -> None:
    run = faked("joey, its own")
    row = run.result(run.corpus, run.vocabulary)
    assert row["best_update"] == 200 and row["scheduled_updates"] is None
    valid = [mark["valid greedy"] for mark in row["marks"]]
    assert valid[0] < valid[2] < valid[1] and row["test greedy"] < row["test beam 5"] < 100
    tested = [job for job in run.jobs if "test" in job]
    assert [job[1:] for job in tested] == [
        ("translate", "second", "test", "1"),
        ("translate", "second", "test", "5"),
    ]


def test_a_schedule_is_as_long_as_the_minutes(faked: Any) -> None:
    run = faked("opennmt, quick's")
    row = run.result(run.corpus, run.vocabulary)
    assert row["scheduled_updates"] == int(0.95 * 100 * 9.0 / 0.4)
    settings = json.loads((run.folder / "job.json").read_text(encoding="utf-8"))["settings"]
    assert settings["start_decay_steps"] == 5 * row["scheduled_updates"] // 8


def test_what_is_there_is_not_made_again_and_what_was_stopped_is(faked: Any) -> None:
    run = faked("joey, its own")
    run.folder.mkdir()
    (run.folder / "half").write_text("a training that was stopped", encoding="utf-8")
    first = run.result(run.corpus, run.vocabulary)
    assert not (run.folder / "half").exists()
    (run.folder / "test-5-second.txt").unlink()
    again = faked("joey, its own")
    second = again.result(again.corpus, again.vocabulary)
    assert {**second, "machine": None} == {**first, "machine": None}  # its load may have changed
    assert [job[1:] for job in again.jobs] == [("translate", "second", "test", "5")]


def test_a_new_row_takes_the_place_of_the_old_one_and_other_minutes_begin_anew(
    tmp_path: Path,
) -> None:
    def row(program: str, recipe: str, seed: int = 1, **more: Any) -> dict[str, Any]:
        return {"program": program, "recipe": recipe, "seed": seed, **more}

    rows = [row("attnlib", recipes.QUICK), row("joey", recipes.QUICK, 2)]
    found = quality.merged(rows, row("joey", recipes.QUICK, 2, new=True))
    assert found == [rows[0], row("joey", recipes.QUICK, 2, new=True)]
    found = quality.merged(found, row("joey", recipes.OWN))
    assert [(each["recipe"], each["seed"]) for each in found[1:]] == [
        (recipes.OWN, 1),
        (recipes.QUICK, 2),
    ]
    file = tmp_path / "quality.json"
    assert quality.kept(file, 9.0) == []
    file.write_text(json.dumps({"minutes": 9.0, "results": found}), encoding="utf-8")
    assert quality.kept(file, 9.0) == found and quality.kept(file, 6.0) == []


def test_the_record_names_what_made_it_and_gives_all_the_same_minutes() -> None:
    record = json.loads((quality.RESULTS / "quality.json").read_text(encoding="utf-8"))
    assert record["command"] == "python -m studies.peers.quality"
    assert set(record["versions"]) >= {"attnlib", "opennmt", "joey", "d2l", "sacrebleu"}
    assert record["results"][0]["program"] == "attnlib" and len(record["results"]) > 1
    for row in record["results"]:
        name = f"{row['program']}, {row['recipe']}"
        assert row["marks"][-1]["minutes"] == pytest.approx(record["minutes"], rel=0.02), name
        best = max(row["marks"], key=lambda mark: mark["valid greedy"])
        assert best["update"] == row["best_update"], name
        assert ("test beam 5" in row) == (row["program"] not in quality.GREEDY), name
        assert f"--minutes {record['minutes']:g} --seed {row['seed']}" in row["command"], name


def test_a_peer_trains_without_anything_of_attnlib() -> None:
    ask = "import sys, studies.peers.trainer; print('attnlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], cwd=HERE.parents[1], capture_output=True)
    assert run.stdout.split() == [b"False"]
    for name in ("opennmt", "joey", "d2l"):
        assert "attnlib" not in (HERE / f"train_{name}.py").read_text(encoding="utf-8")
