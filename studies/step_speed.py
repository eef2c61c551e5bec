"""What does a training step take, and what has it gained against another version of attnlib?

    python -m studies.step_speed                       # this version, all cases
    python -m studies.step_speed --against ../before   # beside a checkout of another version
    python -m studies.step_speed --cases quick --avx2  # as on a processor without AVX-512

Each version trains in a process of its own, on one thread, on the same batches (random words, the
lengths of Multi30k); the processes take a step in turns, so that whatever else the machine does
falls on both. Seconds are of the processor, not of the clock. Printed: the median step, its ratio
to the other version's with the spread, the share of forward and loss, backward, and optimiser,
and the largest memory.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = {"embedding_size": 256, "hidden_size": 512, "output_size": 512, "tied_output": False}
QUICK = {
    "embedding_size": 256,
    "hidden_size": 384,
    "dropout": 0.2,
    "source_in_memory": True,
    "shared_embedding": True,
}
FEEDING = {**WORDS, "input_feeding": True}
BAHDANAU = {**WORDS, "decoder": "bahdanau", "attention": "additive", "cell": "gru"}
#: case → vocabularies, sentences, source and target positions, the model
CASES: dict[str, tuple[int, int, int, int, int, dict[str, Any]]] = {
    "quick": (4000, 4000, 49, 18, 18, QUICK),
    "words": (7881, 5948, 128, 14, 14, WORDS),
    **{
        f"words, {kind}": (7881, 5948, 128, 14, 14, {**WORDS, "attention": kind})
        for kind in ("dot", "concat", "additive")
    },
    "words, feeding": (7881, 5948, 128, 14, 14, FEEDING),
    "words, concat, feeding": (7881, 5948, 128, 14, 14, {**FEEDING, "attention": "concat"}),
    "words, bahdanau": (7881, 5948, 128, 14, 14, BAHDANAU),
    "long, concat, feeding": (7881, 5948, 128, 100, 100, {**FEEDING, "attention": "concat"}),
    "long, bahdanau": (7881, 5948, 128, 100, 100, BAHDANAU),
}
AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
}


def steps(case: str, precision: str) -> Iterator[dict[str, float]]:
    """Train without end: seconds of each part of a step, the loss, and the largest memory."""
    import torch

    from attnlib.data import Batch
    from attnlib.device import autocast
    from attnlib.model import make_seq2seq
    from attnlib.training import batch_loss

    src_size, tgt_size, rows, source, target, options = CASES[case]
    torch.manual_seed(0)
    model = make_seq2seq(src_size, tgt_size, **options)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), fused=True)
    real = [
        torch.arange(size) < torch.randint(size - 2, size + 1, (rows, 1))
        for size in (source, target)
    ]
    src, tgt_in, tgt_out = (
        torch.randint(4, words, (rows, size))
        for words, size in ((src_size, source), (tgt_size, target), (tgt_size, target))
    )
    batch = Batch(src, real[0], tgt_in, tgt_out, real[1])
    while True:
        clock = [time.process_time()]
        with autocast(precision, "cpu"):
            loss = batch_loss(model, batch, 0.1)
        clock.append(time.process_time())
        optimizer.zero_grad()
        loss.backward()
        clock.append(time.process_time())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        clock.append(time.process_time())
        mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        parts = dict(
            zip(("forward", "backward", "optimiser"), (b - a for a, b in zip(clock, clock[1:])))
        )
        yield {**parts, "step": clock[3] - clock[0], "MiB": mebibytes, "loss": loss.item()}


def start(folder: Path, case: str, given: argparse.Namespace) -> "subprocess.Popen[str]":
    """A process that trains with the attnlib in a folder, a step for every line it is sent."""
    kind = AVX2 if given.avx2 else {}
    environment = {**os.environ, **kind, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder)}
    command = [sys.executable, str(Path(__file__).resolve()), "--work", "--cases", case]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*command, "--precision", given.precision],
        cwd=folder,
        env=environment,
        stdin=pipe,
        stdout=pipe,
        encoding="utf-8",
    )


def compare(case: str, folders: list[Path], given: argparse.Namespace) -> None:
    """Print what a step of a case takes in each version."""
    processes = [start(folder, case, given) for folder in folders]
    found: list[list[dict[str, float]]] = [[] for _ in folders]
    for turn in range(given.steps + 1):
        for process, rows in zip(processes, found):
            assert process.stdin and process.stdout
            process.stdin.write("\n")
            process.stdin.flush()
            row = json.loads(process.stdout.readline())
            if turn:  # the first step is not counted
                rows.append(row)
    for process in processes:
        process.communicate()
    for folder, rows in zip(folders, found):
        ratios = [one["step"] / other["step"] for one, other in zip(rows, found[0])]
        middle = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
        shares = ", ".join(
            f"{name} {middle[name] / middle['step']:.0%}" for name in list(middle)[:3]
        )
        print(
            f"| {case} | {folder.name} | {1000 * middle['step']:.0f} ms | "
            f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) | "
            f"{shares} | {middle['MiB']:.0f} MiB |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--against", type=Path, help="a checkout of another version, the ratio's 1")
    parser.add_argument("--steps", type=int, default=7, help="counted steps of each version (7)")
    parser.add_argument("--precision", choices=("fp32", "bf16"), default="fp32")
    parser.add_argument("--avx2", action="store_true", help="use neither AVX-512 nor bf16")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        training = steps(given.cases[0], given.precision)
        for _ in sys.stdin:
            print(json.dumps(next(training)), flush=True)
        return
    kind = "AVX2 alone, imitated" if given.avx2 else "all that the processor has"
    print(f"one thread, {given.precision}, {kind}; medians of {given.steps} steps in turns\n")
    head = ["case", "version", "step", "ratio", "shares", "largest memory"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    folders = [given.against.resolve()] if given.against else []
    for case in given.cases:
        compare(case, [*folders, Path(__file__).resolve().parents[1]], given)


if __name__ == "__main__":
    main()
