"""Text in, text and alignment out: what makes a tool of what the chapters taught."""

# ruff: noqa: F403 (type checkers alone follow the stars)

from typing import TYPE_CHECKING

_NAMES_BY_MODULE = {
    "checkpoints": "BEST_FILE CHECKPOINT_FILE Checkpoint",
    "distributed": "Processes",
    "limits": "LengthLimit",
    "presets": "BUNDLED_PRESETS DEFAULT_PRESETS Preset make_batches make_vocabularies presets_for "
    "train_translator",
    "storage": "digest load_weights read_json read_tensors write_json write_tensors",
    "translation": "Translation",
    "translator": "CARD_FILE WEIGHTS_FILE TranslationModel Translator",
}
_MODULE_BY_NAME = {
    name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()
}
__all__ = sorted(_MODULE_BY_NAME)

if TYPE_CHECKING:  # what editors and type checkers see
    from .checkpoints import *
    from .distributed import *
    from .limits import *
    from .presets import *
    from .storage import *
    from .translation import *
    from .translator import *
else:
    from ..lazy import lazy_exports

    __getattr__, __dir__ = lazy_exports(__name__, _MODULE_BY_NAME)
