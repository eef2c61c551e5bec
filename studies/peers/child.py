"""One measured process: it gets ready, then does a round of its work for every line it is sent.

    python -m studies.peers.child PROGRAM JOB FOLDER '{"score": "general", …}'

PROGRAM is a module beside this one (with_PROGRAM), "lstm" or "sacrebleu"; FOLDER holds what the
driver has prepared. A line of the driver is the list of the batches to work on, the answer a line
of JSON with the seconds of the processor and of the clock. Started by ``studies.peers`` alone.
"""

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from .program import Batch, Program, Work
from .useful import lstm_flops

CLASSES = {"attnlib": "Attnlib", "opennmt": "OpenNMT", "joey": "Joey", "d2l": "D2L"}
Answer = dict[str, Any]
Job = Callable[[list[int]], Answer]


def load(name: str, work: Work) -> Program:
    torch.manual_seed(1)
    module = importlib.import_module(f".with_{name}", __package__)
    made: Program = getattr(module, CLASSES[name])(work)
    return made


def training(name: str, folder: Path, work: Work) -> tuple[Answer, Job]:
    """Updates on the batches of a corpus, or on one of the given size (memory)."""
    batches = [Batch(*tensors) for tensors in torch.load(folder / "batches.pt")]
    program = load(name, work)

    def updates(chosen: list[int]) -> Answer:
        return {"loss": [program.update(batches[number]) for number in chosen]}

    return {"parameters": program.parameters()}, updates


def decoding(name: str, folder: Path, work: Work, beam: int, steps: int) -> tuple[Answer, Job]:
    """Fixed numbers of steps: random weights seldom end a sentence."""
    batches = torch.load(folder / "sources.pt")
    program = load(name, work)

    def search(chosen: list[int]) -> Answer:
        lengths = [len(words) for n in chosen for words in program.decode(*batches[n], beam, steps)]
        return {"sentences": len(lengths), "shortest": min(lengths), "longest": max(lengths)}

    return {"parameters": program.parameters()}, search


def bleu(name: str, folder: Path, tokenize: str) -> tuple[Answer, Job]:
    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    if name == "sacrebleu":
        import sacrebleu

        def score() -> float:
            given = texts["hypotheses"], [texts["references"]]
            return sacrebleu.corpus_bleu(*given, tokenize=tokenize, force=True).score
    else:
        from attnlib.metrics import corpus_bleu

        def score() -> float:
            return corpus_bleu(texts["hypotheses"], texts["references"], tokenize=tokenize).score

    return {}, lambda chosen: {"score": score()}


def lstm() -> tuple[Answer, Job]:
    """nn.LSTM forward and backward at sizes where oneDNN is at its best."""
    layers = []
    for batch, steps, width in ((128, 20, 512), (128, 50, 512), (128, 20, 1024)):
        layer = torch.nn.LSTM(width, width, batch_first=True)
        inputs = torch.randn(batch, steps, width, requires_grad=True)
        layers.append((layer, inputs, lstm_flops(batch, steps, width)))

    def best(chosen: list[int]) -> Answer:
        rates = []
        for layer, inputs, flops in layers:
            began = time.process_time()
            layer(inputs)[0].sum().backward()
            rates.append(flops / (time.process_time() - began))
        return {"flops_per_second": max(rates)}

    return {}, best


def main() -> None:
    program, job, folder, given = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what a peer prints is no answer
    torch.set_num_threads(1)
    options = json.loads(given)
    work = {"work": Work(**options.pop("work"))} if "work" in options else {}
    jobs: dict[str, Any] = {"training": training, "decoding": decoding, "bleu": bleu}
    if program == "lstm":  # whatever the others do
        about, run = lstm()
    else:
        about, run = jobs[job](program, Path(folder), **work, **options)
    print(json.dumps(about), file=answers)
    for line in sys.stdin:
        clock, processor = time.perf_counter(), time.process_time()
        answer = run(json.loads(line))
        answer["cpu"] = time.process_time() - processor
        answer["wall"] = time.perf_counter() - clock
        answer["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main()
