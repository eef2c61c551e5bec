"""What torch writes down or transforms: tracing, exporting, compiling, vmap, forward derivatives.

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
from attnlib.masking import lengths_to_mask, masked_softmax
from attnlib.model import KINDS, last_real, make_attention, make_seq2seq, reverse_real

warnings.simplefilter("ignore")
torch.manual_seed(0)
MODELS = {
    "plain": {"decoder": "plain"},
    **{kind: {"attention": kind} for kind in KINDS},
    "one way": {"bidirectional": False, "cell": "gru"},
    "input feeding": {"input_feeding": True},
    "bahdanau": {"decoder": "bahdanau"},
}
LOOPS = ("input feeding", "bahdanau")
EXPORTED = ("plain", "concat", *LOOPS)  # the others differ in the score alone

def make(name):
    return make_seq2seq(12, 11, embedding_size=8, hidden_size=8, **MODELS[name]).eval()

def batch(b, s, t):
    lengths = torch.arange(b) % s + 1
    return torch.randint(4, 12, (b, s)), lengths_to_mask(lengths, s), torch.randint(4, 11, (b, t))

def tensors(b=2, s=5, t=3, kind="general"):
    width = 4 if "dot" in kind else 6
    lengths = torch.arange(b) % s + 1
    sizes = (b, t, 4), (b, s, width), (b, s, 7)
    return *(torch.randn(size) for size in sizes), lengths_to_mask(lengths, s)

def same(result, expected):
    result, expected = ((x,) if isinstance(x, torch.Tensor) else x for x in (result, expected))
    for a, b in zip(result, expected, strict=True):
        assert a is b is None or torch.allclose(a, b, atol=1e-6), (a, b)

class First(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *given):
        return self.model(*given)[0]

def traced(name):
    model = First(make(name))
    trace = torch.jit.trace(model, batch(3, 5, 4), check_trace=False)
    other = batch(2, 7, 4 if name in LOOPS else 6)  # a loop is written down step by step
    same(trace(*other), model(*other))

def exported(name):
    """...for every number of sentences; torch itself unrolls its recurrent layers over time."""
    model, rows = make(name), Dim("B")
    program = export(model, batch(3, 5, 4), dynamic_shapes=({0: rows},) * 3)
    other = batch(7, 5, 4)
    same(program.module()(*other), model(*other))

def exported_attention(kind):
    """...for every number of sentences, of target and of source words."""
    attention = make_attention(kind, 4, 4 if "dot" in kind else 6, 8)
    b, s, t = Dim("B"), Dim("S"), Dim("T")
    shapes = ({0: b, 1: t}, {0: b, 1: s}, {0: b, 1: s}, {0: b, 1: s})
    program = export(attention, tensors(kind=kind), dynamic_shapes=shapes)
    other = tensors(4, 9, 8, kind)
    same(program.module()(*other), attention(*other))

def compiled(name):
    """...in one graph: nothing in it may hang on a value."""
    x, mask = torch.randn(2, 4, 3), lengths_to_mask(torch.tensor([4, 2]))
    calls = {"reverse_real": reverse_real, "last_real": last_real,
             "masked_softmax": lambda x, mask: masked_softmax(x, mask.unsqueeze(2), 1)}
    call = calls[name]
    same(torch.compile(call, backend="eager", fullgraph=True)(x, mask), call(x, mask))

def compiled_attention(kind):
    attention, given = make_attention(kind, 4, 4 if "dot" in kind else 6, 8), tensors(kind=kind)
    same(torch.compile(attention, backend="eager", fullgraph=True)(*given), attention(*given))

def mapped(name):
    """...over a dimension before the batch."""
    x, mask = torch.randn(2, 4, 3), lengths_to_mask(torch.tensor([4, 2]))
    calls = {"reverse_real": reverse_real, "last_real": last_real,
             "masked_softmax": lambda x, mask: masked_softmax(x, mask.unsqueeze(2), 1)}
    found = func.vmap(calls[name])(x.expand(3, -1, -1, -1), mask.expand(3, -1, -1))
    same(found, calls[name](x, mask).expand_as(found))

def mapped_attention(kind):
    attention, given = make_attention(kind, 4, 4 if "dot" in kind else 6, 8), tensors(kind=kind)
    result = func.vmap(attention)(*(x.expand(3, *x.shape) for x in given))
    same(result, [x.expand(3, *x.shape) for x in attention(*given)])

def without_values(name):
    """On the device meta, where tensors have shapes and nothing else."""
    with torch.device("meta"):
        model = make(name)
        logits, _ = model(torch.ones(2, 5).long(), torch.ones(2, 5).bool(), torch.ones(2, 4).long())
    assert logits.shape == (2, 4, 11)

WIDE = ("reverse_real", "last_real", "masked_softmax")
CASES = {
    traced: MODELS, exported: EXPORTED, exported_attention: KINDS, compiled: WIDE,
    compiled_attention: KINDS, mapped: WIDE, mapped_attention: KINDS, without_values: MODELS,
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
KINDS = ("dot", "scaled_dot", "general", "concat", "additive")
MODELS = ("plain", *KINDS, "one way", "input feeding", "bahdanau")
FUNCTIONS = ("reverse_real", "last_real", "masked_softmax")


@pytest.fixture(scope="module")
def errors() -> dict[str, str]:
    answer = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8")
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", MODELS)
def test_a_trace_of_a_model_translates_other_sentences(name, errors):
    assert errors[f"traced {name}"] == ""


@pytest.mark.parametrize("name", ["plain", "concat", "input feeding", "bahdanau"])
def test_an_exported_model_takes_any_number_of_sentences(name, errors):
    assert errors[f"exported {name}"] == ""


@pytest.mark.parametrize("kind", KINDS)
def test_exported_attention_takes_tensors_of_any_lengths(kind, errors):
    assert errors[f"exported_attention {kind}"] == ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_reads_a_mask_is_compiled_in_one_graph(name, errors):
    assert errors[f"compiled {name}"] == ""


@pytest.mark.parametrize("kind", KINDS)
def test_attention_is_compiled_in_one_graph(kind, errors):
    assert errors[f"compiled_attention {kind}"] == ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_reads_a_mask_works_under_vmap(name, errors):
    assert errors[f"mapped {name}"] == ""


@pytest.mark.parametrize("kind", KINDS)
def test_attention_works_under_vmap(kind, errors):
    assert errors[f"mapped_attention {kind}"] == ""


@pytest.mark.parametrize("name", MODELS)
def test_a_model_on_the_device_meta_shows_its_output_shapes(name, errors):
    assert errors[f"without_values {name}"] == ""
