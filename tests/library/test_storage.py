"""Files are whole or absent, and a damaged one is named in a sentence."""

import errno
import os

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from attnlib.files import StorageError, write_bytes
from attnlib.model import describe
from attnlib.translator import load_weights, read_json, read_tensors, write_json, write_tensors


def test_tensors_and_their_metadata_come_back(tmp_path):
    tensors = {"a": torch.randn(2, 3), "b": torch.tensor(7), "c": torch.randn(4, 4).T}
    write_tensors(tmp_path / "deep" / "x.safetensors", tensors, {"한국": [1, None, 0.1]})
    again, about = read_tensors(tmp_path / "deep" / "x.safetensors")
    assert about == {"한국": [1, None, 0.1]}
    assert all(torch.equal(again[name], tensor) for name, tensor in tensors.items())


def test_lists_in_lists_without_end_beside_tensors_are_refused_in_a_sentence(tmp_path):
    metadata = {"attnlib": "[" * 100_000 + "]" * 100_000}
    save_file({"a": torch.zeros(1)}, tmp_path / "x.safetensors", metadata)
    with pytest.raises(StorageError, match=r"x\.safetensors"):
        read_tensors(tmp_path / "x.safetensors")


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, broken):
    path = tmp_path / "x.json"
    write_json(path, "old")

    def full(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, broken, full)
    with pytest.raises(
        StorageError, match=r"cannot write .*x\.json: No space left.*free some space"
    ):
        write_bytes(path, b"new")
    assert read_json(path) == "old" and [p.name for p in tmp_path.iterdir()] == ["x.json"]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    write_json(path, "old")

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_bytes(path, b"new")
    assert read_json(path) == "old" and [p.name for p in tmp_path.iterdir()] == ["x.json"]


def test_a_folder_that_is_a_file_cannot_be_written_into(tmp_path):
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    with pytest.raises(StorageError, match="cannot write .*taken"):
        write_json(tmp_path / "taken" / "x.json", 1)


@pytest.mark.parametrize("keep", [0, 4, 60, -1])
def test_a_file_of_tensors_that_was_cut_short_is_named(tmp_path, keep):
    path = tmp_path / "x.safetensors"
    write_tensors(path, {"a": torch.randn(50)}, {"k": 1})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StorageError, match=r"x\.safetensors is damaged .*again"):
        read_tensors(path)


def test_missing_and_broken_files_are_named(tmp_path):
    with pytest.raises(StorageError, match=r"cannot read .*no\.safetensors: there is no such file"):
        read_tensors(tmp_path / "no.safetensors")
    with pytest.raises(StorageError, match=r"cannot read .*no\.json"):
        read_json(tmp_path / "no.json")
    for content in (b'{"a": ', b"\xff\xfe"):
        (tmp_path / "x.json").write_bytes(content)
        with pytest.raises(StorageError, match=r"x\.json is damaged"):
            read_json(tmp_path / "x.json")


def test_weights_of_another_architecture_change_nothing():
    model = nn.Linear(2, 3)
    before = model.weight.detach().clone()
    for wrong in (
        {"weight": torch.zeros(3, 2)},
        {"weight": torch.zeros(3, 2), "bias": torch.zeros(4)},
        {"weight": torch.zeros(3, 2), "bias": torch.zeros(3), "extra": torch.zeros(1)},
    ):
        with pytest.raises(
            StorageError, match="file x belongs to another architecture: (bias|extra)"
        ):
            load_weights(model, wrong, "file x")
        assert torch.equal(model.weight, before)


def test_a_description_names_every_part_with_its_settings_and_the_kind_of_all_else():
    model = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.5))
    model.table, model.rule, model.sizes, model._secret = {"a": 1}, max, (1, 2), 3
    assert describe(model) == {
        **{"model": "Sequential", "model.table": "dict", "model.sizes": (1, 2)},
        "model.rule": "builtin_function_or_method",
        **{"model.0": "Linear", "model.0.in_features": 2, "model.0.out_features": 3},
        **{"model.1": "Dropout", "model.1.p": 0.5, "model.1.inplace": False},
    }
    for register in (model[0].register_forward_hook, model[0].register_forward_pre_hook):
        hook = register(lambda *_: None)
        assert describe(model)["model.0.hooks"] == "functions"
        hook.remove()
