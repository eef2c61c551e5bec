"""One training or translation, in a process of its own; started by ``quality`` alone.

    python -m studies.peers.trainer train FOLDER
    python -m studies.peers.trainer translate FOLDER CHECKPOINT SPLIT BEAM

FOLDER/job.json says which program, its settings, its minutes and where the text lies.
"""

import functools
import importlib
import json
import sys
from pathlib import Path

import torch

from .child import lstm
from .clock import Clock


def main() -> None:
    job, place, *given = sys.argv[1:]
    folder = Path(place)
    about = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    torch.set_num_threads(1)
    # The checkpoints of both peers hold more than tensors, and come from this very program.
    torch.load = functools.partial(torch.load, weights_only=False)
    program = importlib.import_module(f".train_{about['program']}", __package__)
    settings, text = about["settings"], Path(about["text"])
    if job == "train":
        clock, (_, core) = Clock(about["minutes"], about["parts"]), lstm()
        before = core([])["flops_per_second"]
        found = {**program.train(settings, folder, clock), "marks": clock.marks}
        rates = before, core([])["flops_per_second"]
        found["lstm_gflops"] = [round(rate / 1e9, 1) for rate in rates]
        (folder / "trained.json").write_text(json.dumps(found), encoding="utf-8")
        return
    checkpoint, split, beam = given
    lines = program.translate(settings, folder, checkpoint, text, split, int(beam))
    name = f"{split}-{beam}-{checkpoint}.txt"
    (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
