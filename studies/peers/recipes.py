"""The settings of each program when all are trained for the same minutes (``quality``).

Two recipes a program, so that nobody has to believe that one was picked to lose: "its own", an
example of the program's own documents for an attentional translator of two small RNNs, and
"quick's", the sizes and the optimizer of the preset ``quick`` as far as the program has them.
Both read and write the same pieces of words, one token each.
"""

import math
from pathlib import Path
from typing import Any

Settings = dict[str, Any]

OWN, QUICK = "its own", "quick's"
#: Adam's rate in ``quick``: the peak, and updates to get there.
PEAK, WARMUP = 4e-3, 200


def opennmt(recipe: str, text: Path, folder: Path, updates: int, seed: int) -> Settings:
    """The file that onmt_train reads.

    Its own: what docs/source/quickstart.md trains, the program's defaults: two layers of 500,
    input feeding, general attention, SGD with rate 1, 64 sentences. Of quick's it has no linear
    decay: noamwd rises, falls with the root of the update, and here is halved four times in the
    last three eighths; and no rate of its own for embeddings.
    """
    given: Settings = {
        "data": {
            name: {"path_src": str(text / f"{split}.de"), "path_tgt": str(text / f"{split}.en")}
            for name, split in (("corpus_1", "train"), ("valid", "valid"))
        },
        "src_vocab": str(text / "pieces.de"),
        "tgt_vocab": str(text / "pieces.en"),
        "save_model": str(folder / "model"),
        "world_size": 1,
        "gpu_ranks": [],
        "seed": seed,
        # Workers would be other processes, whose time is not counted. The clock ends the training.
        "num_workers": 0,
        "train_steps": 10**6,
        "valid_steps": 10**6,
        "report_every": 50,
        "save_checkpoint_steps": 10**6,
    }
    if recipe == OWN:
        return given
    return given | {
        "src_vocab": str(text / "pieces"),
        "tgt_vocab": str(text / "pieces"),
        "share_vocab": True,
        "share_embeddings": True,
        "encoder_type": "brnn",
        "layers": 1,
        "word_vec_size": 256,
        "hidden_size": 384,
        "input_feed": 0,
        "global_attention": "general",
        "bridge": True,
        "dropout": [0.1],
        "label_smoothing": 0.1,
        "batch_type": "tokens",
        "batch_size": 900,
        "normalization": "tokens",
        "optim": "adam",
        "adam_beta2": 0.98,
        "max_grad_norm": 1.0,
        "decay_method": "noamwd",
        "warmup_steps": WARMUP,
        "learning_rate": PEAK * math.sqrt(384 * WARMUP),
        "learning_rate_decay": 0.5,
        "start_decay_steps": 5 * updates // 8,
        "decay_steps": max(updates // 8, 1),
    }


def joey(recipe: str, text: Path, folder: Path, updates: int, seed: int) -> Settings:
    """The file that joeynmt reads.

    Its own: configs/iwslt_deen_bahdanau.yaml of its repository, the smallest and quickest of its
    examples of German to English: LSTMs of 256, input feeding, Adam with rate .001, 64 sentences;
    letters keep their case. Of quick's it has no linear decay (its exponential
    one cannot be made): the rate rises and falls with the root of the update; and no batches by
    length.
    """
    side = {"level": "word", "lowercase": False, "voc_min_freq": 1}
    lstm: Settings = {"type": "recurrent", "rnn_type": "lstm", "num_layers": 1}
    given: Settings = {
        "name": "multi30k",
        "model_dir": str(folder),
        "use_cuda": False,
        "random_seed": seed,
        "data": {
            "train": str(text / "train"),
            "dev": str(text / "valid"),
            "test": str(text / "test"),
            "dataset_type": "plain",
            "src": {**side, "lang": "de"},
            "trg": {**side, "lang": "en"},
        },
        "testing": {"beam_size": 5, "beam_alpha": 1.0, "batch_size": 50, "max_output_length": 100},
    }
    # The clock ends the training.
    training: Settings = {
        "optimizer": "adam",
        "epochs": 10**6,
        "validation_freq": 10**6,
        "logging_freq": 50,
        "keep_best_ckpts": -1,
        "print_valid_sents": [],
        "shuffle": True,
        "batch_type": "sentence",
    }
    if recipe == OWN:
        words = {"embedding_dim": 256, "scale": False}
        return given | {
            "training": training
            | {
                "learning_rate": 0.001,
                "learning_rate_min": 0.00005,
                "batch_size": 64,
                "scheduling": "plateau",
                "patience": 0,
                "decrease_factor": 0.5,
                "early_stopping_metric": "ppl",
            },
            "model": {
                "encoder": {
                    **lstm,
                    "embeddings": words,
                    "hidden_size": 256,
                    "bidirectional": True,
                    "dropout": 0.0,
                },
                "decoder": {
                    **lstm,
                    "embeddings": words,
                    "hidden_size": 256,
                    "dropout": 0.2,
                    "hidden_dropout": 0.2,
                    "input_feeding": True,
                    "init_hidden": "last",
                    "attention": "luong",
                },
            },
        }
    for name in ("src", "trg"):
        given["data"][name] |= {"voc_file": str(text / "pieces")}
    words = {"embedding_dim": 256, "scale": False, "dropout": 0.1}
    return given | {
        "normalization": "tokens",
        "training": training
        | {
            "learning_rate": PEAK,
            "learning_rate_min": 1e-8,
            "learning_rate_warmup": WARMUP,
            "scheduling": "warmupinversesquareroot",
            "adam_betas": [0.9, 0.98],
            "clip_grad_norm": 1.0,
            "label_smoothing": 0.1,
            "normalization": "tokens",
            "batch_type": "token",
            "batch_size": 900,
        },
        "model": {
            "tied_embeddings": True,
            "encoder": {
                **lstm,
                "embeddings": words,
                "hidden_size": 192,
                "bidirectional": True,
                "dropout": 0.1,
            },
            "decoder": {
                **lstm,
                "embeddings": words,
                "hidden_size": 384,
                "dropout": 0.1,
                "hidden_dropout": 0.1,
                "input_feeding": False,
                "init_hidden": "bridge",
                "attention": "luong",
            },
        },
    }


def d2l(recipe: str, text: Path, folder: Path, updates: int, seed: int) -> Settings:
    """What §11.4.3 of the book trains: GRUs of 256 in two layers, Bahdanau's attention, Adam with
    rate .005, 128 sentences; all cut or filled to one length, here 40 pieces, there 9 words."""
    return {
        "text": str(text),
        "seed": seed,
        "embed_size": 256,
        "num_hiddens": 256,
        "num_layers": 2,
        "dropout": 0.2,
        "lr": 0.005,
        "batch_size": 128,
        "num_steps": 40,
    }
