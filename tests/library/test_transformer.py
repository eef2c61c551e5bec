"""The Transformer: torch's with the same weights, and the same one step at a time."""

import itertools

import pytest
import torch
from torch import nn

from attnlib.data import BOS, EOS, Batches, WordVocabulary, make_batch
from attnlib.model import (
    EncoderStack,
    MultiHeadAttention,
    Transformer,
    describe,
    make_seq2seq,
    sinusoidal_positions,
)
from attnlib.search import beam_search, exhaustive_search, greedy_search, sample_search
from attnlib.training import Recipe, Trainable, fit
from attnlib.translator import CARD_FILE, TranslationModel, Translator, read_json
from attnlib.translator.page import export_page

SIZES = {"hidden_size": 12, "num_heads": 3, "feedforward_size": 20, "num_layers": 2}
LONGEST = 4  # tokens of a hypothesis, its end among them


def make(src_size=11, tgt_size=9, seed=3, **options):
    torch.manual_seed(seed)
    return Transformer(src_size, tgt_size, **{**SIZES, "dropout": 0.0, **options})


def batch_of_two():
    return make_batch([[4, 5, 6, 7, 8], [9, 10]], [[4, 5, 6], [7]])


# torch's -----------------------------------------------------------------------------------------


def torch_transformer(norm_first=True):
    """nn.Transformer of the same sizes: the two stacks, without embeddings and output layer."""
    options = {"dropout": 0.0, "batch_first": True, "norm_first": norm_first}
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(12, 3, 20, **options),
        2,
        nn.LayerNorm(12),
        enable_nested_tensor=False,
    )
    return nn.Transformer(12, 3, 2, 2, 20, custom_encoder=encoder, **options)


def pairs_of_weights(model, other):
    """Every parameter of the two stacks, and of nn.Transformer the same one or a slice of one."""
    theirs = dict(other.named_parameters())
    names = {"cross_attn": "multihead_attn", "feed_forward.0": "linear1", "out": "out_proj"}
    names["feed_forward.2"] = "linear2"
    for name, parameter in model.named_parameters():
        if "embed" in name or name.startswith("output"):
            continue
        *path, part, kind = name.split(".")
        if part in ("query", "key", "value"):
            prefix = ".".join(names.get(one, one) for one in path)
            third = ("query", "key", "value").index(part)
            whole = theirs[f"{prefix}.in_proj_{kind}"]
            yield parameter, whole, slice(12 * third, 12 * third + 12)
        else:
            full = f".{name}"
            for here, there in names.items():
                full = full.replace(f".{here}.", f".{there}.")
            yield parameter, theirs[full[1:]], slice(None)


@pytest.mark.parametrize("way", ["ours to torch's", "torch's to ours"])
def test_features_and_gradients_are_those_of_torch_with_the_same_weights(way):
    model, other = make().double(), torch_transformer().double()
    copied = 0
    with torch.no_grad():
        for ours, theirs, part in pairs_of_weights(model, other):
            if way == "ours to torch's":
                theirs[part] = ours
            else:
                ours.copy_(theirs[part])
            copied += ours.numel()
    assert copied == sum(parameter.numel() for parameter in other.parameters())
    batch = batch_of_two()
    features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in)
    expected = other(
        model.encoder.embedded(batch.src),
        model.decoder.embedded(batch.tgt_in),
        tgt_mask=torch.ones(4, 4).triu(1) > 0,  # True = may not
        src_key_padding_mask=~batch.src_mask,
        memory_key_padding_mask=~batch.src_mask,
    )
    torch.testing.assert_close(features[batch.tgt_mask], expected[batch.tgt_mask])
    upstream = torch.randn_like(features) * batch.tgt_mask.unsqueeze(-1)
    sums = [(one * upstream).sum() for one in (features, expected)]
    triples = list(pairs_of_weights(model, other))
    gradients = torch.autograd.grad(sums[0], [ours for ours, _, _ in triples])
    wanted = torch.autograd.grad(sums[1], [theirs for _, theirs, _ in triples])
    for gradient, whole, (_, _, part) in zip(gradients, wanted, triples):
        torch.testing.assert_close(gradient, whole[part])
    assert not torch.equal(torch_transformer(False).double()(*[expected] * 2), expected)


def test_heads_attend_as_torch_does_and_their_mean_weights_are_those_it_returns():
    ours, theirs = MultiHeadAttention(12, 3), nn.MultiheadAttention(12, 3, batch_first=True)
    parts = [ours.query, ours.key, ours.value]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]).normal_())
        for part, bias in zip(parts, theirs.in_proj_bias.split(12)):
            part.bias.copy_(bias)
        theirs.out_proj.load_state_dict(ours.out.state_dict())
    x, memory = torch.randn(2, 4, 12), torch.randn(2, 5, 12)
    mask = torch.tensor([[True] * 5, [True, True, False, False, False]])
    context, weights = ours(x, memory, mask.unsqueeze(1))
    expected, mean = theirs(x, memory, memory, key_padding_mask=~mask)
    torch.testing.assert_close((context, weights.mean(1)), (expected, mean))


def test_positions_are_sines_and_cosines_of_the_formula_wherever_a_table_begins():
    table = sinusoidal_positions(40, 6)
    for t, i in itertools.product((0, 1, 39), range(3)):
        angle = torch.tensor(t / 10000 ** (2 * i / 6))
        expected = torch.stack([angle.sin(), angle.cos()])
        torch.testing.assert_close(table[t, 2 * i : 2 * i + 2], expected, atol=1e-5, rtol=0)
    assert torch.equal(sinusoidal_positions(3, 6, first=7), table[7:10])


# Step by step ------------------------------------------------------------------------------------


def test_cached_steps_give_the_log_probabilities_of_teacher_forcing():
    """Four hypotheses of each of two sentences, reordered after every step as a search does it."""
    model, generator = make().double().eval(), torch.Generator().manual_seed(1)
    batch = batch_of_two()
    memory = model.encode(batch.src, batch.src_mask)
    state, written = model.decoder.start(memory), torch.full((2, 1, 0), 0)
    rows = torch.arange(2).unsqueeze(1)
    for _ in range(5):
        tokens = torch.randint(4, 9, written.shape[:2], generator=generator)
        written = torch.cat([written, tokens.unsqueeze(-1)], dim=-1)  # (B, K, t)
        log_probs, state, weights = model.step(tokens, memory, state)
        for k in range(written.shape[1]):
            logits, all_weights = model(batch.src, batch.src_mask, written[:, k])
            torch.testing.assert_close(log_probs[:, k], logits[:, -1].log_softmax(-1))
            torch.testing.assert_close(weights[:, k], all_weights[:, :, -1].mean(1))
        parents = torch.randint(written.shape[1], (2, 4), generator=generator)
        written = written[rows, parents]
        state = [(keys[rows, parents], values[rows, parents]) for keys, values in state]


def test_padding_changes_nothing_and_no_position_sees_a_later_one():
    model, batch = make().eval(), batch_of_two()
    logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
    short = make_batch([[9, 10]], [[7]])
    alone, weights = model(short.src, short.src_mask, short.tgt_in)
    torch.testing.assert_close(alone[0], logits[1, :2])
    assert weights.shape == (1, 3, 2, 3)
    changed = batch.tgt_in.clone()
    changed[:, 2] = 8
    moved = (model(batch.src, batch.src_mask, changed)[0] - logits).abs().amax((0, 2))
    assert (moved[:2] == 0).all() and (moved[2:] > 1e-4).all()


def test_without_positions_an_encoder_sees_a_set_of_tokens():
    torch.manual_seed(0)
    stack, ids = EncoderStack(9, 12, 3, 20, 2, dropout=0.0), torch.tensor([[4, 5, 6]])
    turned = stack(ids.flip(1)).flip(1)
    assert not torch.allclose(stack(ids), turned, atol=1e-3)
    stack.positions = False
    torch.testing.assert_close(stack(ids), stack(ids.flip(1)).flip(1))


# Search ------------------------------------------------------------------------------------------


def every_hypothesis(model, src):
    """All that four tokens and their end can say, best first: tokens and log-probability."""
    hypotheses = []
    for length in range(LONGEST):
        for words in itertools.product((1, 4, 5, 6), repeat=length):
            given = torch.tensor([[BOS, *words]])
            log_probs = model(src, src > 0, given)[0].log_softmax(-1)[0]
            target = torch.tensor([*words, EOS]).unsqueeze(1)
            hypotheses.append((list(words), float(log_probs.gather(1, target).sum())))
    return sorted(hypotheses, key=lambda one: -one[1])


@torch.no_grad()
def test_every_search_agrees_with_all_hypotheses_scored_at_once():
    model, src = make(tgt_size=7, seed=5).double().eval(), torch.tensor([[4, 5, 6, EOS]])
    known = every_hypothesis(model, src)
    memory = model.encode(src, src > 0)
    options = {"max_length": LONGEST}
    given = (model.step, memory, model.decoder.start(memory))
    [[exact]] = exhaustive_search(*given, **options)
    (wide,) = beam_search(*given, beam_size=400, n_best=3, **options)
    for hypotheses in ([exact], wide):
        expected = known[: len(hypotheses)]
        assert [one.tokens for one in hypotheses] == [tokens for tokens, _ in expected]
        torch.testing.assert_close(
            [one.log_prob for one in hypotheses], [log_prob for _, log_prob in expected]
        )
    drawn = sample_search(
        *given, samples=100, generator=torch.Generator().manual_seed(1), **options
    )[0]
    greedy = greedy_search(*given, **options)[0]
    ended = [one for one in (*drawn, *greedy) if one.finished]
    assert len({tuple(one.tokens) for one in ended}) > 3
    scores = {tuple(tokens): log_prob for tokens, log_prob in known}
    for one in ended:
        assert one.log_prob == pytest.approx(scores[tuple(one.tokens)])
        assert one.weights.shape == (len(one.tokens) + 1, 4)


# Training, saving --------------------------------------------------------------------------------

WORDS = ["one two three", "two one", "three two", "one", "two", "three one two"]


def translator(**options):
    one = WordVocabulary.build(WORDS)
    return Translator(make(len(one), len(one), **options), one, one)


def recurrent():
    one = WordVocabulary.build(WORDS)
    return Translator(make_seq2seq(len(one), len(one), embedding_size=4, hidden_size=4), one, one)


def test_fit_trains_it_and_the_translator_saves_and_loads_it(tmp_path):
    one = translator()
    sources = [one.src_vocabulary.encode(text) for text in WORDS]
    batches = Batches(sources, sources, batch_size=6)
    rates = {"learning_rate": 1e-2, "warmup": 10, "label_smoothing": 0.0}
    recipe = Recipe(updates=40, validate_every=10, precision="fp32", **rates)
    history = fit(one.model, batches, recipe, progress=False)
    assert isinstance(one.model, Trainable) and isinstance(one.model, TranslationModel)
    assert history.train_loss[-1] < history.train_loss[0] / 2
    one.save(tmp_path)
    assert read_json(tmp_path / CARD_FILE)["architecture"]["factory"] == "transformer"
    again = Translator.load(tmp_path, "cpu")
    assert describe(again.model) == describe(one.model)
    assert again.model.architecture == one.model.architecture
    for beam in (1, 3):
        for translation, expected in zip(again.translate(WORDS, beam), one.translate(WORDS, beam)):
            assert translation[:4] == expected[:4]
            torch.testing.assert_close(translation.weights, expected.weights)


def test_a_shared_table_is_one_parameter_and_loads_as_one(tmp_path):
    one = translator(shared_embedding=True)
    table = one.model.output.weight
    assert one.model.encoder.embed.weight is table is one.model.decoder.embed.weight
    one.save(tmp_path)
    again = Translator.load(tmp_path, "cpu").model
    assert again.encoder.embed.weight is again.output.weight


def test_a_page_is_refused_for_it_since_a_page_computes_recurrent_models_only(tmp_path):
    for given in (
        {"translator": translator()},
        {"translator": recurrent(), "baseline": translator()},
    ):
        with pytest.raises(ValueError, match="^translator must be one whose model is a Seq2Seq"):
            export_page(**given, path=tmp_path / "page.html")
    assert not any(tmp_path.iterdir())
