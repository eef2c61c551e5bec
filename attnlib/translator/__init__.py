"""Text in, text and alignment out: what makes a tool of what the chapters taught."""

from typing import TYPE_CHECKING

__all__ = [
    "BEST_FILE",
    "BUNDLED_PRESETS",
    "CARD_FILE",
    "CHECKPOINT_FILE",
    "Checkpoint",
    "DEFAULT_PRESETS",
    "LengthLimit",
    "Preset",
    "Processes",
    "Translation",
    "TranslationModel",
    "Translator",
    "WEIGHTS_FILE",
    "digest",
    "load_weights",
    "make_batches",
    "make_vocabularies",
    "presets_for",
    "read_json",
    "read_tensors",
    "train_translator",
    "write_json",
    "write_tensors",
]

if TYPE_CHECKING:  # what editors and type checkers see
    from .checkpoints import BEST_FILE, CHECKPOINT_FILE, Checkpoint
    from .distributed import Processes
    from .presets import (
        BUNDLED_PRESETS,
        DEFAULT_PRESETS,
        Preset,
        make_batches,
        make_vocabularies,
        presets_for,
        train_translator,
    )
    from .storage import (
        digest,
        load_weights,
        read_json,
        read_tensors,
        write_json,
        write_tensors,
    )
    from .translation import Translation
    from .translator import CARD_FILE, WEIGHTS_FILE, LengthLimit, TranslationModel, Translator
else:
    from ..lazy import lazy_exports

    _MODULE_BY_NAME = {
        "checkpoints": "BEST_FILE CHECKPOINT_FILE Checkpoint",
        "distributed": "Processes",
        "presets": "BUNDLED_PRESETS DEFAULT_PRESETS Preset make_batches make_vocabularies "
        "presets_for train_translator",
        "storage": "digest load_weights read_json read_tensors write_json write_tensors",
        "translation": "Translation",
        "translator": "CARD_FILE WEIGHTS_FILE LengthLimit TranslationModel Translator",
    }
    __getattr__, __dir__ = lazy_exports(
        __name__, {name: home for home, names in _MODULE_BY_NAME.items() for name in names.split()}
    )
