"""What does a GPU make of attnlib? Training, search, quality against minutes, tests, notebooks.

    python -m studies.gpu                     # all parts that are missing, ten minutes of them
    python -m studies.gpu --minutes 60        # more of them
    python -m studies.gpu --only quick tests  # parts whose names begin so
    python -m studies.gpu --device cpu --tiny --only "training quick"   # does the program work?

Each part runs in a process of its own and is written to data/results/gpu.json when it is
done; where time is up, the next call goes on, with a translator in the middle of its training too
(its checkpoint lies in --folder). A part that failed says so in the file and is tried again.
Without a GPU this ends in one sentence and with exit code 2.

training: tokens a second (source and target, with their ends) of ``fit``, by the clock, making of
batches included; utilisation is useful operations (studies/peers/useful.py) over the rate of a
large matrix product in the same precision. search: sentences a second of 30 steps, random weights.
quick, full: the presets on Multi30k; updates are equally long, so minutes are shared out by them.
"""

import argparse
import dataclasses
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

from attnlib.data import Batches, pad
from attnlib.device import best_device
from attnlib.model import evaluating, make_seq2seq
from attnlib.search import beam_search, greedy_search
from attnlib.training import Recipe, fit
from attnlib.translator import CHECKPOINT_FILE, Translator, presets_for, train_translator

from . import records
from .machine import describe
from .peers.program import Work
from .peers.useful import update_flops

ROOT = Path(__file__).resolve().parents[1]
#: name → words of a vocabulary, embedding, hidden, padded positions of a batch, longest sentence
SIZES = {
    "quick": (4000, 256, 384, 900, 20),
    "full": (4000, 256, 512, 1200, 20),
    "large": (16000, 512, 1024, 16000, 50),
}
TINY = (50, 8, 8, 60, 6)
PRECISIONS = ("fp32", "tf32", "bf16")
SEARCHES = {"greedy": 1, "beam": 5}
NOTEBOOKS = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
PARTS = (
    *(f"training {size} {precision}" for size in SIZES for precision in PRECISIONS),
    *(f"search {kind} {rows}" for kind in SEARCHES for rows in (128, 1024)),
    "quick",
    "full",
    "tests",
    *(f"notebook {name}" for name in NOTEBOOKS),
)
TAIL = 300  # characters of what a failed part said last


def wait(device: torch.device) -> None:
    """Until the device has done all it was told."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def precise(precision: str) -> str:
    """Let fp32 be fp32, or its products TF32; returns the name that attnlib knows."""
    exact = precision != "tf32"
    torch.set_float32_matmul_precision("highest" if exact else "high")
    torch.backends.cudnn.allow_tf32 = not exact
    return "bf16" if precision == "bf16" else "fp32"


def rate_of_products(device: torch.device, precision: str, tiny: bool) -> float:
    """Operations a second of a large matrix product, the best of five."""
    size, kind = 64 if tiny else 8192, torch.bfloat16 if precision == "bf16" else torch.float32
    one = torch.randn(size, size, device=device, dtype=kind)
    best = 0.0
    for _ in range(5):
        wait(device)
        began = time.perf_counter()
        for _ in range(10):
            one @ one
        wait(device)
        best = max(best, 10 * 2 * size**3 / (time.perf_counter() - began))
    return best


def training(given: argparse.Namespace, size: str, precision: str) -> dict[str, Any]:
    """Tokens a second of ``fit``, the second time."""
    device, known = torch.device(given.device), precise(precision)
    words, embedding, hidden, tokens, longest = TINY if given.tiny else SIZES[size]
    draw = torch.Generator().manual_seed(1)
    count = 200 if given.tiny else 20_000
    lengths = torch.randint(longest // 2, longest + 1, (count,), generator=draw).tolist()
    src = [torch.randint(4, words, (n,), generator=draw).tolist() for n in lengths]
    batches = Batches(src, src, max_tokens=tokens)
    torch.manual_seed(0)
    widths = {"embedding_size": embedding, "hidden_size": hidden}
    model = make_seq2seq(words, words, dropout=0.1, shared_embedding=True, **widths).to(device)
    taken = 0.0
    for updates in (10, 4 if given.tiny else 200):  # the first ones are not counted
        recipe = Recipe(updates=updates, validate_every=updates, precision=known)
        wait(device)
        began = time.perf_counter()
        fit(model, batches, recipe, progress=False)
        wait(device)
        taken = time.perf_counter() - began
    seen, epoch = [], 0
    while len(seen) < updates:
        seen += [target for _, target in batches.unpadded_batches(epoch)]
        epoch += 1
    pairs = [(len(ids) + 1, len(ids) + 1) for batch in seen[:updates] for ids in batch]
    work = Work(words, words, embedding, hidden, output=embedding)
    best = rate_of_products(device, precision, given.tiny)
    return {
        "tokens a second": round(sum(s + t for s, t in pairs) / taken),
        "milliseconds an update": round(1000 * taken / updates, 3),
        "operations a second": update_flops(work, pairs) / taken,
        "of a large product": best,
        "utilisation": round(update_flops(work, pairs) / taken / best, 4),
        "largest memory": torch.cuda.max_memory_allocated() if device.type == "cuda" else None,
        "parameters": sum(p.numel() for p in model.parameters()),
    }


def search(given: argparse.Namespace, kind: str, rows: str) -> dict[str, Any]:
    """Sentences a second, of the size of quick and with random weights, which never end."""
    device, size, steps = torch.device(given.device), SEARCHES[kind], 5 if given.tiny else 30
    words, embedding, hidden, _, longest = TINY if given.tiny else SIZES["quick"]
    count = 8 if given.tiny else int(rows)
    torch.manual_seed(0)
    model = make_seq2seq(
        words, words, embedding_size=embedding, hidden_size=hidden, shared_embedding=True
    ).to(device)
    src, mask = (
        table.to(device) for table in pad(torch.randint(4, words, (count, longest)).tolist())
    )
    paces = []
    with evaluating(model):
        for _ in range(6):
            wait(device)
            began = time.perf_counter()
            memory = model.encode(src, mask)
            start = (model.step, memory, model.decoder.start(memory))
            lengths = {"max_length": steps, "min_length": steps - 1}
            if size == 1:
                greedy_search(*start, **lengths)
            else:
                beam_search(*start, **lengths, beam_size=size)
            wait(device)
            paces.append(count / (time.perf_counter() - began))
    paces = sorted(paces[1:])  # the first one warms up
    return {"sentences a second": round(paces[2], 1), "from": paces[0], "to": paces[-1]}


def translator(given: argparse.Namespace, name: str) -> dict[str, Any]:
    """Train a preset, or go on with it; BLEU of validation by minutes, and of test."""
    corpus = "ko-en" if given.tiny else "multi30k-de-en"
    preset, folder = presets_for(corpus)[name], given.folder / name
    if given.tiny:
        recipe = dataclasses.replace(preset.recipe, updates=4, validate_every=2)
        preset = dataclasses.replace(preset, recipe=recipe)
    resume = (folder / CHECKPOINT_FILE).is_file()
    _, history = train_translator(corpus, preset, folder, resume=resume, progress=False)
    made, test = Translator.load(folder), records.corpus_or_exit(corpus).split("test")
    test = test[:4] if given.tiny else test
    each = history.seconds / history.updates / 60
    return {
        "updates": history.updates,
        "minutes": history.seconds / 60,
        "validation, greedy": [
            {"minutes": update * each, "BLEU": bleu}
            for update, bleu in zip(history.validated_at, history.score)
        ],
        "test, greedy": made.bleu(test, 1),
        "test, beam 5": made.bleu(test, 5),
    }


def pytest(*arguments: str) -> dict[str, Any]:
    """pytest's closing line, and whether all went well."""
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    lines = answer.stdout.strip().splitlines()
    return {"green": answer.returncode == 0, "said": lines[-1] if lines else answer.stderr[-TAIL:]}


def make(given: argparse.Namespace) -> dict[str, Any]:
    """One part, in this process."""
    kind, *rest = given.part.split()
    if kind in ("training", "search"):
        return {"training": training, "search": search}[kind](given, *rest)
    if kind == "tests":
        return pytest("-m", "gpu", "tests/library")
    if kind == "notebook":
        return pytest("--nbval-lax", "-p", "no:cacheprovider", f"chapters/{rest[0]}.ipynb")
    if best_device().type != torch.device(given.device).type:
        raise SystemExit(f"trainings take the best device, {best_device().type}")
    return translator(given, kind)


def run(part: str, given: argparse.Namespace, seconds: float) -> dict[str, Any] | None:
    """What a part found, in a process of its own; None where its time was up."""
    options = ["--device", given.device, "--folder", str(given.folder), *["--tiny"] * given.tiny]
    with subprocess.Popen(
        [sys.executable, "-m", "studies.gpu", "--part", part, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as child:
        try:
            said, complained = child.communicate(timeout=max(seconds, 1))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)  # a training saves and stops
            try:
                child.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                child.kill()
            return None
    if child.returncode:
        return {"failed": complained.strip()[-TAIL:]}
    return json.loads(said.splitlines()[-1])


def read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"parts": {}}


def write(file: Path, record: dict[str, Any], device: torch.device) -> None:
    """The record with its machine, whole or not at all."""
    gpu = None
    if device.type == "cuda":
        gpu = {
            "name": torch.cuda.get_device_name(device),
            "capability": torch.cuda.get_device_capability(device),
            "CUDA": torch.version.cuda,
            "cuDNN": torch.backends.cudnn.version(),
        }
    head = {"command": "python -m studies.gpu", "machine": describe(False), "gpu": gpu}
    head["machine"].pop("threads", None)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(json.dumps({**head, **record}, indent=1) + "\n", encoding="utf-8")
    new.replace(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cuda", help="cuda, or cpu to try the program")
    parser.add_argument("--only", nargs="+", default=[""], help="parts whose names begin so")
    parser.add_argument("--minutes", type=float, default=10.0, help="of this call (10)")
    parser.add_argument("--file", type=Path, default=ROOT / "data/results/gpu.json")
    parser.add_argument("--folder", type=Path, default=Path("runs/gpu"), help="of trainings")
    parser.add_argument("--tiny", action="store_true", help="sizes that say nothing, in seconds")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    device = torch.device(given.device)
    if device.type == "cuda" and not torch.cuda.is_available():
        print("torch finds no GPU of CUDA here, and nothing was measured", file=sys.stderr)
        return 2
    if given.part:
        print(json.dumps(make(given)))
        return 0
    wanted = [part for part in PARTS if part.startswith(tuple(given.only))]
    end, left = time.monotonic() + 60 * given.minutes, 0
    for part in wanted:
        record = read(given.file)
        if part in record["parts"] and "failed" not in record["parts"][part]:
            continue
        seconds = end - time.monotonic()
        found = run(part, given, seconds) if seconds > 0 else None
        left += found is None
        if found is not None:
            record["parts"][part] = found
            write(given.file, record, device)
            print(f"{part}: {json.dumps(found)}", flush=True)
    if left:
        print(f"time is up with {left} parts left: the same command goes on", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
