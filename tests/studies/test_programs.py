"""The programs of the recorded runs: what each computes by itself, against another way to it."""

import hashlib
import math
from pathlib import Path

import pytest
import torch

from attnlib.data import Batches, bundled_directory, load_corpus, make_batch
from attnlib.model import MultiHeadAttention
from attnlib.translator import write_tensors
from studies import (
    alignment_baselines,
    attention_chapter,
    attention_time,
    characters,
    common,
    contributions,
    gpt_chapter,
    lstm_chapter,
    models,
    multi30k,
    query_gradient,
    records,
    single_unit,
    tense,
)
from studies import teacher_forcing_chapter as forcing

pytestmark = pytest.mark.thorough


def test_bleu_of_all_is_not_the_mean_of_the_ranges_and_a_range_may_be_empty() -> None:
    texts, references = ["a b c d e", "a b c d"], ["a b c d e", "a b c x"]
    found = records.measured(texts, [3, 12], references, [(1, 10), (11, 20), (21, 30)])
    assert found["sentences"] == 2 and found["exact"] == 0.5
    by_length = found["by_length"]
    assert by_length["sentences"] == [1, 1, 0] and by_length["exact"] == [1.0, 0.0, None]
    assert by_length["bleu"][0] == 100.0 and by_length["bleu"][2] is None
    assert 0 < by_length["bleu"][1] < found["bleu"] < 100


def test_every_sentence_of_a_test_falls_into_a_range_of_lengths() -> None:
    for name, buckets in records.BUCKETS_OF.items():
        lengths = set(common.tokens(load_corpus(name).test, name))
        assert all(any(low <= n <= high for low, high in buckets) for n in lengths), name


def test_models_that_are_compared_have_parameters_within_five_per_cent() -> None:
    def count(model: torch.nn.Module) -> int:
        return sum(p.numel() for p in model.parameters())

    sizes = [
        [count(characters.CharRNN(v, 62)) for v in ("rnn", "lstm")] + [count(gpt_chapter.GPT(62))],
        [lstm_chapter.size(v, lstm_chapter.make_network(v)) for v in lstm_chapter.VARIANTS],
        [lstm_chapter.size(v, lstm_chapter.make_network(v)) for v in lstm_chapter.GATES],
        [count(tense.make_network(v).cells) for v in tense.VARIANTS],
        [count(attention_chapter.make_model(v, 78, 85)) for v in ("general", "general-feeding")],
    ]
    for each in sizes:
        assert max(each) <= 1.05 * min(each), each


@pytest.mark.parametrize("variant", ["rnn", "rnn-orthogonal", "rnn-identity"])
def test_a_plain_network_starts_as_its_variant_requires(variant: str) -> None:
    torch.manual_seed(1)
    network, eye = lstm_chapter.make_network(variant), torch.eye(66)
    product = network.weight_hh_l0 @ network.weight_hh_l0.T
    assert torch.allclose(product, eye, atol=1e-5) == (variant != "rnn")
    assert network.mode == ("RNN_RELU" if variant == "rnn-identity" else "RNN_TANH")
    if variant == "rnn-identity":
        assert network.weight_hh_l0.equal(eye)
        assert not (network.bias_ih_l0 + network.bias_hh_l0).any()
        assert 0 < network.weight_ih_l0.std() < 0.002


@pytest.mark.parametrize(
    ("variant", "gate", "bias"),
    [
        ("lstm-3", slice(32, 64), 3),
        ("lstm-3-shut", slice(0, 32), -3),
        ("lstm-1997-shut", slice(0, 37), -3),
        ("lstm-1997", slice(37, 74), 100),
        ("gru-3", slice(37, 74), 3),
    ],
)
def test_a_gate_starts_with_the_bias_of_its_variant(variant: str, gate: slice, bias: int) -> None:
    torch.manual_seed(1)
    network = lstm_chapter.make_network(variant)
    assert ((network.bias_ih_l0 + network.bias_hh_l0)[gate] == bias).all()


def test_a_network_that_diverges_has_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lstm_chapter, "EVERY", 2)
    monkeypatch.setattr(lstm_chapter, "learning_rate", lambda variant, task: 1e30)
    monkeypatch.setitem(lstm_chapter.UPDATES, "adding", 4)
    assert lstm_chapter.train("adding", "rnn-identity", 20, 1)["curve"] == [None, None]


def test_a_recorded_gate_computes_the_recorded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tense, "UPDATES", 3)
    network = tense.train("lstm-3", 1)
    text = "Tomorrow, Minsu will go to the market. He"
    saved = tense.gates(network, text)
    i, f, g, _, c = (torch.tensor(saved[name]) for name in "ifgoc")
    assert torch.allclose(f[1:] * c[:-1] + i[1:] * g[1:], c[1:], atol=4e-3)
    assert torch.allclose(c[1:], tense.memories(network, text), atol=1e-3)
    assert saved["tokens"] == ["<sos>", *tense.material()[0].tokenize(text)]


def test_padding_changes_no_reading_and_a_flipped_sign_only_the_last_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    *_, test = single_unit.material()
    monkeypatch.setattr(single_unit, "UPDATES", 2)
    network = single_unit.train(1)
    few = single_unit.Sentences(*(part[:40] for part in test))
    expected, cells = single_unit.read(network, few)
    turned = single_unit.read(network, few, 3)[1]
    for n, length in enumerate(few.lengths.tolist()):
        alone = single_unit.Sentences(
            few.tokens[n : n + 1, :length], few.lengths[n : n + 1], few.asks[n : n + 1]
        )
        one, its_cells = single_unit.read(network, alone)
        assert bool(one) == bool(expected[n])
        assert torch.allclose(its_cells[0], cells[n, :length], atol=1e-5)
        assert turned[n, : length - 1].equal(cells[n, : length - 1])
        assert not turned[n, length - 1].equal(cells[n, length - 1])


def test_accuracy_is_also_counted_from_the_end() -> None:
    mask = torch.tensor([[True, True, True], [True, True, False]])
    right = torch.tensor([[True, False, True], [True, False, True]])  # the last is padding
    assert forcing.by_rest(right, mask) == [0.5, 0.5, 1.0]


def constant_model(kind: type, probabilities: list[float]):
    """A model of the task that predicts the same words after everything, and what it is fed."""
    model = forcing.reverse_model(kind)
    torch.nn.init.zeros_(model.output.weight)
    model.output.bias.data = torch.tensor(probabilities).log()
    fed: list = []
    read = model.decoder.read
    model.decoder.read = lambda tokens: [fed.append(tokens), read(tokens)][1]
    return model, fed


def test_one_draw_per_position_is_the_same_for_all_rows_of_a_batch() -> None:
    model, fed = constant_model(forcing.PositionDraws, [1e-9] * 5 + [1.0] + [1e-9] * 8)
    src, mask = torch.full((8, 3), 4), torch.ones(8, 3, dtype=torch.bool)
    tgt_in = torch.full((8, 200), 9)
    model.train().features(src, mask, tgt_in, 0.25, torch.Generator().manual_seed(0))
    read = torch.cat(fed, dim=1)
    assert (read == read[:1]).all() and set(read[0].tolist()) == {5, 9}
    assert abs((read[0, 1:] == 9).double().mean() - 0.25) < 0.1
    assert forcing.KINDS["half-position"] is forcing.PositionDraws


@pytest.mark.parametrize("attention", [False, True])
def test_a_wrong_digit_is_planted_in_rows_that_are_right_without_it(attention: bool) -> None:
    torch.manual_seed(1)
    model = forcing.reverse_model(attention=attention)
    forcing.train_reverse(model, 3, 1, None)
    batch = forcing.digits_batch(6, seed=3, shortest=forcing.LONGEST)
    found = forcing.after_planting(model, batch)
    assert (found["rows"], found["of"], found["after"]) == (0, 6, None)
    with torch.no_grad():  # a decoder that copies what it reads next, whatever that is
        fed: list = []

        def loop(tgt_in, memory, given):
            features = [torch.nn.functional.one_hot(batch.tgt_out[:, 0], 14).float()]
            for t in range(1, 11):
                fed.append(given(t, features[-1].unsqueeze(1)))
                wrong = (fed[-1][:, 0] != batch.tgt_out[:, t - 1]).unsqueeze(1)
                right = torch.nn.functional.one_hot(batch.tgt_out[:, t], 14).float()
                features.append(torch.where(wrong, right.roll(1, 1), right))
            return torch.stack(features, 1), None

        model.decoder.loop, model.output = loop, torch.nn.Identity()
    found = forcing.after_planting(model, batch)
    # The wrong third digit makes the fourth wrong, and that the next: every one of them is lost.
    assert (found["rows"], found["after"], found["end"]) == (6, 0.0, 0.0)
    planted = fed[-10:]
    assert (planted[2][:, 0] == 4 + (batch.tgt_out[:, 2] - 4 + 1) % 10).all()
    assert planted[1][:, 0].equal(batch.tgt_out[:, 1]) and len(found["at"]) == 8


def test_local_attention_with_a_window_as_wide_as_the_source_is_global() -> None:
    torch.manual_seed(0)
    whole, local = (
        attention_chapter.make_model(name, 12, 12).eval() for name in ("luong", "local-m")
    )
    local.load_state_dict(whole.state_dict())
    src, tgt = torch.randint(4, 12, (3, 9)), torch.randint(4, 12, (3, 7))
    given = (src, torch.ones(3, 9, dtype=torch.bool), tgt)
    for ours, expected in zip(local(*given), whole(*given)):
        assert torch.allclose(ours, expected, atol=1e-6)


@pytest.mark.parametrize("name", ["local-m", "local-p"])
def test_local_attention_is_zero_outside_its_window_and_alike_step_by_step(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention_chapter, "REACH", 2)
    torch.manual_seed(0)
    model = attention_chapter.make_model(name, 12, 12).eval()
    lengths = torch.tensor([9, 5])
    src, tgt = torch.randint(4, 12, (2, 9)), torch.randint(4, 12, (2, 8))
    mask = torch.arange(9) < lengths.unsqueeze(1)
    with torch.no_grad():
        memory = model.encode(src, mask)
        features, weights = model.decoder(tgt, memory)
        stepped = model.decoder.loop(tgt, memory)
        hidden, _ = model.decoder.run(
            model.decoder.read(tgt).unsqueeze(1), model.decoder.start(memory)
        )
    assert torch.allclose(features, stepped[0], atol=1e-6)
    assert torch.allclose(weights, stepped[1], atol=1e-6)
    sums, seen = weights.sum(-1), weights > 0
    assert not seen[1, :, 5:].any() and (seen.sum(-1) <= 5).all() and seen.any(-1).all()
    if name == "local-m":
        assert torch.allclose(sums, torch.ones_like(sums))
        assert seen[0, 3].nonzero().flatten().tolist() == [1, 2, 3, 4, 5]
        assert seen[1, 7].nonzero().flatten().tolist() == [2, 3, 4]  # t = 7, and five words
        return
    center = lengths.view(-1, 1, 1) * model.decoder.predictor(hidden.squeeze(1))
    away = torch.arange(9) - center
    assert (away.abs()[seen] <= 2).all() and (sums < 1).all()
    scores = hidden.squeeze(1) @ memory.states.transpose(1, 2)
    scores = scores.masked_fill((away.abs() > 2) | ~mask.unsqueeze(1), float("-inf"))
    expected = scores.softmax(-1) * torch.exp(-(away**2) / 2)  # σ = D/2 = 1
    assert torch.allclose(weights, expected, atol=1e-6)


@pytest.mark.parametrize("name", ["luong", "general", "none"])
def test_the_gradients_of_all_paths_add_up_to_the_whole_gradient(name: str) -> None:
    torch.manual_seed(0)
    batch = make_batch([[4, 5, 6, 7], [8, 9]], [[5, 6], [7, 8, 9]])
    model = attention_chapter.make_model(name, 12, 12).eval()
    table = model.encoder.embed.weight
    other = table.detach().clone().requires_grad_()
    model.encoder.embed.weight = torch.nn.Parameter(other)  # not the target's
    table = model.encoder.embed.weight

    def back(choose) -> torch.Tensor:
        memory = choose(model.encode(batch.src, batch.src_mask))
        loss = model.output(model.decoder(batch.tgt_in, memory)[0]).logsumexp(-1).sum()
        found = torch.autograd.grad(loss, table, allow_unused=True)[0]
        return torch.zeros_like(table) if found is None else found

    names = ("values", "keys", "last state")
    parts = [
        back(lambda memory, way=way: contributions.gradient_paths(memory)[way]) for way in names
    ]
    assert torch.allclose(sum(parts), back(lambda memory: memory), atol=1e-5)
    assert [bool(part.any()) for part in parts] == [name != "none", name != "none", True]


def test_weights_are_permuted_uniformly_and_padding_stays_zero() -> None:
    weights = torch.tensor([[[0.5, 0.3, 0.2, 0.0], [0.1, 0.2, 0.3, 0.4]]]).transpose(0, 1)
    mask = torch.tensor([[True, True, True, False], [True] * 4])
    lots = torch.Generator().manual_seed(0)
    orders = torch.stack([contributions.in_another_order(weights, mask, lots) for _ in range(300)])
    assert orders.sort(-1).values.equal(weights.sort(-1).values.expand_as(orders))
    assert not orders[:, 0, :, 3].any()
    first = (orders.argmax(-1) == weights.argmax(-1)).double().mean(0).flatten()
    assert abs(first[0] - 1 / 3) < 0.1 and abs(first[1] - 1 / 4) < 0.1  # as often as by chance


def test_ibm_model_1_learns_which_word_translates_which() -> None:
    """House, book and their articles: the example of every text on IBM Model 1."""
    das, haus, buch, ein = 4, 5, 6, 7
    the, house, book, a = 4, 5, 6, 7
    pairs = [([das, haus], [the, house]), ([das, buch], [the, book]), ([ein, buch], [a, book])]
    t = torch.full((8, 8), 1 / 8)
    for _ in range(20):
        t = alignment_baselines.one_round(pairs, t)
        assert torch.allclose(t[[das, haus, buch, ein]].sum(1), torch.ones(4))
    assert t[das, the] > 0.8 and t[buch, book] > 0.8
    assert alignment_baselines.linked(t, [das, haus], [the, house]) == {(0, 0), (1, 1)}
    t[das, [the, house]], t[0, [the, house]] = torch.tensor([0.8, 0.2]), torch.tensor([0.2, 0.2])
    once = alignment_baselines.one_round([([das], [the, house])], t)
    assert once[das, the] == pytest.approx(0.8 / 1.3)  # das has 0.8 of the, and half of house


def test_the_bundled_prose_is_the_text_that_its_readme_describes() -> None:
    folder = bundled_directory().parent / "shakespeare"
    content = (folder / "shakespeare.txt").read_bytes()
    readme = (folder.parent / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(content).hexdigest() in readme and "karpathy/char-rnn" in readme
    letters, train, valid = characters.prose()
    assert len(train) + len(valid) == 299_868 and len(letters) == 62
    text = "".join(letters[n] for n in [*train[-30:].tolist(), *valid[:30].tolist()])
    assert text in content.decode("utf-8")


def test_bits_are_those_of_the_whole_text_however_it_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(characters, "CONTEXTS", (1, 3))
    monkeypatch.setattr(characters, "PLACES", 9)
    torch.manual_seed(0)
    model, (_, train, _) = characters.CharRNN("rnn", 62), characters.prose()
    text = train[:4500]  # read in three pieces
    logits = model(text[None, :-1])[0][0]
    whole = torch.nn.functional.cross_entropy(logits, text[1:]).item() / math.log(2)
    assert characters.bits(model, text) == pytest.approx(whole, abs=1e-3)
    torch.nn.init.zeros_(model.output.weight)
    torch.nn.init.zeros_(model.output.bias)
    assert characters.bits(model, text) == pytest.approx(math.log2(62), abs=1e-3)
    assert characters.bits_by_context(model, text) == [pytest.approx(math.log2(62), abs=1e-3)] * 2


def test_the_tiny_transformer_computes_step_by_step_what_it_computes_in_parallel() -> None:
    torch.manual_seed(1)
    shape = {"size": 16, "layers": 2, "inner": 24, "heads": 4, "dropout": 0.3}
    model = models.Tiny(12, **shape).eval()
    batch = make_batch([[4, 5, 6], [7]], [[8, 9], [10, 11]])
    logits = model.output(model.features(*batch[:3])[0])
    memory = model.encode(batch.src, batch.src_mask)
    state = model.decoder.start(memory)
    for t in range(3):
        found, state, _ = model.step(batch.tgt_in[:, t : t + 1], memory, state)
        torch.testing.assert_close(found[:, 0], logits[:, t].log_softmax(-1))
    short = make_batch([[7]], [[10, 11]])  # without the padding
    alone = model.output(model.features(*short[:3])[0])
    torch.testing.assert_close(alone[0], logits[1])
    assert model.output.weight is model.encoder.embed.weight
    drops = {module.p for module in model.modules() if isinstance(module, torch.nn.Dropout)}
    heads = [m for m in model.modules() if isinstance(m, torch.nn.MultiheadAttention)]
    assert drops == {0.0, 0.3} and {one.dropout for one in heads} == {0.0} and len(heads) == 6


def test_large_batches_have_the_budget_of_the_presets_and_the_published_rate() -> None:
    for name, (updates, _) in models.UPDATES.items():
        whole = models.PRESETS[name].recipe.updates * models.PRESETS[name].batch_tokens
        assert abs(whole - updates * models.LARGE) < models.LARGE
    recipe = models.settings("tiny", "published", models.PRESETS["published"]).recipe
    assert [recipe.learning_rate_at(n - 1, 0.0) for n in (1, 2000, 8000)] == [2.5e-6, 5e-3, 2.5e-3]
    tried = models.settings("large batches", "quick", models.PRESETS["quick"], 0.01)
    assert tried.recipe.learning_rate == 0.01 and tried.batch_tokens == models.LARGE


def test_the_mean_of_weights_is_taken_at_the_ends_of_epochs(tmp_path: Path) -> None:
    batches = Batches([[4]] * 5, [[4]] * 5, batch_size=2)
    assert multi30k.ends_of_epochs(batches, 7) == [3, 6]
    paths = [tmp_path / f"{n}.safetensors" for n in (1, 2)]
    for path, number in zip(paths, (1.0, 4.0)):
        write_tensors(path, {"w": torch.full((2,), number)})
    assert multi30k.mean_of_weights(paths)["w"].tolist() == [2.5, 2.5]


def test_trials_of_a_learning_rate_stay_where_a_run_is_added(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    multi30k.save(path, trial={"learning rate": 0.1})
    multi30k.save(path, {"preset": "full", "model": "tiny", "seed": 1})
    multi30k.save(path, trial={"learning rate": 0.2})
    assert [trial["learning rate"] for trial in multi30k.trials(path)] == [0.1, 0.2]
    assert list(multi30k.read(path)) == [("full", "tiny", 1)]


def test_the_gradient_at_the_query_is_that_of_autograd() -> None:
    generator = torch.Generator().manual_seed(1)
    query = torch.randn(1, 6, generator=generator, dtype=torch.double)
    keys = torch.randn(1, 5, 6, generator=generator, dtype=torch.double)
    weigh = torch.autograd.functional.jacobian(lambda q: (keys[0] @ q / 2).softmax(-1), query[0])
    torch.testing.assert_close(query_gradient.norms(query, keys, 2.0)[0], weigh.norm())


def test_the_fused_attention_equals_multi_head_attention() -> None:
    torch.manual_seed(1)
    module, x = MultiHeadAttention(8, 2), torch.randn(1, 5, 8)
    torch.testing.assert_close(attention_time.fused(module, x), module(x, x)[0])
