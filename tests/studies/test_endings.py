"""One training that is ended several times, and the mean of the weights with which it ended."""

import dataclasses
from pathlib import Path

import pytest
import torch

from attnlib.data import Corpus, Pair, Splits
from attnlib.files import StorageError
from attnlib.translator import DEFAULT_PRESETS, Preset, Translator, train_translator
from studies import endings
from studies.models import like

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]


@pytest.fixture
def corpus() -> Corpus:
    pairs = [Pair(f"ein {word} {word[0]}", f"a {word}") for word in WORDS]
    splits = Splits({"train": lambda: pairs, "valid": lambda: pairs[:2]})
    return Corpus("eight pairs", splits, "de", "en")


@pytest.fixture
def preset() -> Preset:
    full = DEFAULT_PRESETS["full"]
    recipe = dataclasses.replace(
        full.recipe, updates=9, warmup=2, validate_every=3, precision="fp32"
    )
    small = {"embedding_size": 8, "hidden_size": 8, "subwords": 60, "batch_tokens": 30}
    return dataclasses.replace(full, recipe=recipe, **small)


def weights(translator: Translator) -> torch.Tensor:
    return torch.cat([p.detach().flatten() for p in translator.model.parameters()])


def last(folder: Path) -> torch.Tensor:
    """The weights at a run's end, which need not be its best."""
    tensors, _ = endings.read_tensors(folder / endings.CHECKPOINT_FILE)
    found = [t for name, t in sorted(tensors.items()) if name.startswith("model.")]
    return torch.cat([tensor.flatten() for tensor in found])


def test_trunk_and_ending_are_one_training(corpus: Corpus, preset: Preset, tmp_path: Path) -> None:
    """The learning rate falls as if nobody had stopped; only the seed makes endings differ."""
    train_translator(corpus, preset, tmp_path / "straight", progress=False)
    endings.train_trunk(corpus, preset, tmp_path)
    for seed in (1, 2):
        endings.train_ending(corpus, like(preset, seed=seed), tmp_path)
    straight, trunk, same, other = (
        last(tmp_path / name) for name in ("straight", "trunk", "ending-1", "ending-2")
    )
    assert torch.allclose(same, straight, atol=1e-6)
    assert not torch.allclose(other, straight, atol=1e-4)
    assert not torch.allclose(trunk, straight, atol=1e-4)


def test_an_ending_knows_its_own_settings_and_is_not_made_again(
    corpus: Corpus, preset: Preset, tmp_path: Path
) -> None:
    endings.train_trunk(corpus, preset, tmp_path)
    second = like(preset, seed=2)
    assert endings.train_ending(corpus, second, tmp_path).updates == 9
    about = Translator.load(tmp_path / "ending-2").about
    assert about["recipe"] == dataclasses.asdict(second.recipe)
    made = (tmp_path / "ending-2" / endings.CHECKPOINT_FILE).read_bytes()
    endings.train_ending(corpus, second, tmp_path)
    assert (tmp_path / "ending-2" / endings.CHECKPOINT_FILE).read_bytes() == made
    another = dataclasses.replace(second, dropout=0.05)
    with pytest.raises(StorageError, match="was begun with"):
        endings.train_ending(corpus, another, tmp_path)


def test_the_mean_is_of_all_weights_and_leaves_them_alone(
    corpus: Corpus, preset: Preset, tmp_path: Path
) -> None:
    made = []
    for seed in (1, 2, 3):
        short = endings.trunk_of(like(preset, seed=seed))
        made.append(train_translator(corpus, short, tmp_path / str(seed), progress=False)[0])
    each = [weights(translator).clone() for translator in made]
    mixed = endings.mean(made)
    assert torch.allclose(weights(mixed), torch.stack(each).mean(0), atol=1e-6)
    assert all(torch.equal(weights(t), old) for t, old in zip(made, each))
    assert not torch.allclose(each[0], each[1], atol=1e-4)


def test_endings_need_a_number_of_updates(preset: Preset) -> None:
    timed = dataclasses.replace(preset.recipe, updates=None, minutes=1.0)
    with pytest.raises(ValueError, match="a number of updates, not minutes"):
        endings.trunk_of(dataclasses.replace(preset, recipe=timed))
