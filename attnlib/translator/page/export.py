"""One HTML file from a translator: its weights as text, and the JavaScript that computes with them.

The scripts in ``assets`` do in the browser what the library does here, by the same rules: tokens,
recurrent cells, attention, greedy and beam search. They are classic scripts without imports, so
the file also works where it is opened from a disk.
"""

import base64
import json
import math
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...checks import as_number, require
from ...data import CorpusError, Vocabulary, as_text_list
from ...data.sources import read_lines
from ...files import StorageError, write_bytes
from ...model import Seq2Seq
from ..translator import Translator

SCRIPTS = ("text", "tokens", "model", "search", "translator", "tree", "page")
#: Marks a page of ours, which may be overwritten.
PAGE_MARKER = "<!-- written by python -m attnlib export -->"
EXAMPLES = "examples.tsv"  # beside a translator's weights: SENTENCE, or SENTENCE<TAB>GLOSS
_PARTS = Path(__file__).with_name("assets")


def export_page(
    translator: Translator,
    path: Path | str,
    *,
    bits: int = 8,
    examples: Iterable[str] = (),
    baseline: Translator | None = None,
) -> int:
    """Write a translator as one HTML file and return its size in bytes.

    With 8 bits, each row of a matrix is kept as whole numbers of −127 to 127 and one scale, a
    quarter of the bytes: w_ij ≈ s_i n_ij with s_i = max_j |w_ij| / 127. With 32 nothing is rounded,
    and the page finds the same translations as ``Translator.translate``.

    Arguments: path, ending in .html; bits, of each weight, 8 or 32; examples, sentences to
    begin with, each alone or followed by a tab and a gloss; baseline, a translator of the same
    languages that has no attention, to be compared with. Raises ValueError for what does not fit
    and StorageError where the file cannot be written or is another's.
    """
    path = Path(path)
    require(as_number(bits) in (8, 32), "bits", "8 or 32", bits)
    ends = path.suffix.lower() in (".html", ".htm")
    require(ends, "path", "a name that ends in .html", path.name)
    translators = [translator, *([baseline] if baseline else [])]
    for model in (each.model for each in translators):
        expected = "one whose model is a Seq2Seq, the only one that a page can compute"
        require(isinstance(model, Seq2Seq), "translator", expected, type(model).__name__)
    plain = baseline is None or baseline.model.decoder.attention is None
    require(plain, "baseline", "a translator that has no attention", "one with attention")
    existing = path.read_text(encoding="utf-8", errors="replace") if path.exists() else None
    if existing is not None and PAGE_MARKER not in existing[:500]:
        raise StorageError(f"{path} is no page of a translator: choose another name, or remove it")
    models = [_export_model(each, bits) for each in translators]
    lines = as_text_list(examples, "examples")
    pairs = [[part.strip() for part in line.split("\t", 1)] for line in lines if line.strip()]
    data = {"models": models, "examples": pairs}
    content = _page(data).encode("utf-8")
    write_bytes(path, content)
    return len(content)


def read_examples(folder: Path) -> list[str]:
    """The lines of the ``examples.tsv`` that a translator brings along, if it does.

    Raises CorpusError for a file that is no text, and for a link: who made the folder would choose
    which file of yours the page shows.
    """
    path = folder / EXAMPLES
    if path.is_symlink():
        raise CorpusError(f"{path} is a link; put the file there itself if it may be shown")
    expected = "write an example a line: SENTENCE, or SENTENCE<TAB>GLOSS"
    return read_lines(path, expected) if path.is_file() else []


def _page(data: dict[str, Any]) -> str:
    """The page around some data."""
    scripts = "".join(f"<script>\n{_read_asset(f'{name}.js')}</script>\n" for name in SCRIPTS)
    # Escaped so that no text inside the JSON can end the <script> element.
    literal = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    literal = literal.replace("<", "\\u003c")
    parts = {
        "mark": PAGE_MARKER,
        "style": _read_asset("page.css"),
        "data": literal,
        "scripts": scripts,
    }
    return Template(_read_asset("page.html")).substitute(parts)


def _read_asset(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _export_model(translator: Translator, bits: int) -> dict[str, Any]:
    """All that the page needs to know of a translator, as JSON can hold it."""
    card, bound = translator.card(), translator.min_log_prob
    tables = dict(translator.model.named_parameters())
    return {
        "architecture": card["architecture"],
        "limit": card["limit"],
        "corpus": card["about"].get("corpus"),
        "about": {
            "learned": translator.training_domain,
            "sentences": translator.max_sentences,
            "guesses": bound if math.isfinite(bound) else None,
        },
        "parameters": sum(table.numel() for table in tables.values()),
        "source": _words(translator.src_vocabulary),
        "target": card["tgt_vocabulary"] and _words(translator.tgt_vocabulary),
        "tensors": {name: _quantize(name, table.detach(), bits) for name, table in tables.items()},
    }


def _words(vocabulary: Vocabulary) -> dict[str, Any]:
    description = vocabulary.to_json()
    if description["kind"] == "words":
        return description
    merges = description["tokenizer"]["model"]["merges"]  # pairs, or "a b" in older versions
    pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]
    return {"kind": "subwords", "tokens": vocabulary.tokens, "merges": pairs}


def _quantize(name: str, table: Tensor, bits: int) -> dict[str, Any]:
    """A tensor as text: float32, or whole numbers with a scale for each row of a matrix."""
    values = table.float().cpu()
    require(bool(values.isfinite().all()), "the model", f"finite weights in {name}", "NaN or ∞")
    if bits == 32 or values.dim() == 1:
        return {"shape": [*values.shape], "values": _to_base64(values)}
    scales = values.abs().amax(1, keepdim=True).clamp_min(1e-30) / 127
    whole = (values / scales).round().to(torch.int8)
    return {"shape": [*values.shape], "values": _to_base64(whole), "scales": _to_base64(scales)}


def _to_base64(values: Tensor) -> str:
    # JavaScript's typed arrays read little-endian numbers.
    little = np.ascontiguousarray(values.numpy())
    return base64.b64encode(little.astype(little.dtype.newbyteorder("<")).tobytes()).decode("ascii")
