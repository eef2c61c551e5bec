"""What torch writes down or transforms: tracing, exporting, compiling, vmap, the device meta.

All of it happens in a process of its own, for the tests' checks of shapes are in its way.
"""

import json
import subprocess
import sys

import pytest

PROGRAM = '''
import json, warnings
import torch
from torch import func, nn
from torch.export import Dim, export
from attnlib.masking import lengths_to_mask
from attnlib.model import make_attention, make_seq2seq

warnings.simplefilter("ignore")
torch.manual_seed(0)
MODELS = {
    "plain": {"decoder": "plain"},
    "concat": {"attention": "concat"},
    "input feeding": {"input_feeding": True},
    "bahdanau": {"decoder": "bahdanau"},
}

def make(name):
    return make_seq2seq(12, 11, embedding_size=8, hidden_size=8, **MODELS[name]).eval()

def batch(b):
    mask = lengths_to_mask(torch.arange(b) % 5 + 1, 5)
    return torch.randint(4, 12, (b, 5)), mask, torch.randint(4, 11, (b, 4))

def tensors(b=2, s=5, t=3):
    mask = lengths_to_mask(torch.arange(b) % s + 1, s)
    return *(torch.randn(size) for size in ((b, t, 4), (b, s, 6), (b, s, 7))), mask

def same(result, expected):
    for a, b in zip(result, expected, strict=True):
        assert a is b is None or torch.allclose(a, b, atol=1e-6), (a, b)

class Logits(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *given):
        return self.model(*given)[0]

def traced(name):
    model = Logits(make(name))
    trace = torch.jit.trace(model, batch(3), check_trace=False)
    other = batch(7)
    same([trace(*other)], [model(*other)])

def exported(name):
    model, other = make(name), batch(7)
    program = export(model, batch(3), dynamic_shapes=({0: Dim("B")},) * 3)
    same(program.module()(*other), model(*other))

def on_meta(name):
    """Where tensors have shapes and nothing else."""
    with torch.device("meta"):
        model = make(name)
        logits, _ = model(torch.ones(2, 5).long(), torch.ones(2, 5).bool(), torch.ones(2, 4).long())
    assert logits.shape == (2, 4, 11)

def attention(way):
    """For every number of sentences, of target and of source words."""
    attention, other = make_attention("general", 4, 6, 8), tensors(4, 9, 8)
    if way == "exported":
        b, s, t = Dim("B"), Dim("S"), Dim("T")
        shapes = ({0: b, 1: t}, {0: b, 1: s}, {0: b, 1: s}, {0: b, 1: s})
        result = export(attention, tensors(), dynamic_shapes=shapes).module()(*other)
    elif way == "compiled":
        result = torch.compile(attention, backend="eager", fullgraph=True)(*other)
    else:
        many = func.vmap(attention)(*(x.expand(3, *x.shape) for x in other))
        result = [x[2] for x in many]
    same(result, attention(*other))

CASES = {
    traced: MODELS, exported: MODELS, on_meta: MODELS,
    attention: ("exported", "compiled", "mapped"),
}
errors = {}
for case, names in CASES.items():
    for name in names:
        try:
            case(name)
            errors[f"{case.__name__} {name}"] = ""
        except Exception as problem:
            errors[f"{case.__name__} {name}"] = f"{type(problem).__name__}: {problem}"
print(json.dumps(errors))
'''


@pytest.fixture(scope="module")
def errors() -> dict[str, str]:
    answer = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8")
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


@pytest.mark.parametrize("model", ["plain", "concat", "input feeding", "bahdanau"])
@pytest.mark.parametrize("how", ["traced", "exported", "on_meta"])
def test_a_model_is_recorded_for_any_number_of_sentences(how, model, errors):
    assert errors[f"{how} {model}"] == ""


@pytest.mark.parametrize("how", ["exported", "compiled", "mapped"])
def test_attention_is_recorded_for_tensors_of_any_lengths(how, errors):
    assert errors[f"attention {how}"] == ""
