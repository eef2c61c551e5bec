"""The programs of the recorded runs: what each computes by itself, against another way to it."""

import hashlib
import itertools
import math

import pytest
import torch

from attnlib.data import Pair, bundled_directory, load_corpus, make_batch
from attnlib.model import MultiHeadAttention
from attnlib.translator import Translator
from studies import (
    alignment_baselines,
    attention_chapter,
    attention_time,
    character_sampling,
    characters,
    common,
    explanation,
    forcing_captions,
    gpt_chapter,
    memory,
    models,
    records,
    tense,
    vote,
    word_by_word,
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
        [memory.size(cell, memory.make_network(cell)) for cell in memory.CELLS],
        [count(tense.make_network(v).cells) for v in tense.VARIANTS],
        [count(attention_chapter.make_model(v, 78, 85)) for v in ("luong", "none", "bahdanau")],
    ]
    for each in sizes:
        assert max(each) <= 1.05 * min(each), each


def test_a_cut_of_the_gradient_changes_nothing_that_is_read_where_the_state_is_handed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(characters, "UPDATES", 2)

    def read(cut: int, handed_on: bool) -> tuple[float, float]:
        torch.manual_seed(1)
        model = characters.CharRNN("lstm", len(characters.prose().letters))
        first, second = characters.trained(model, 1e-2, lambda n: {}, cut, handed_on)["train_bits"]
        return first, second

    whole, cut, reset = read(64, True), read(8, True), read(8, False)
    assert cut[0] == whole[0] and cut[1] != whole[1]
    assert reset[0] != whole[0]


@pytest.mark.parametrize("variant", ["rnn", "rnn-orthogonal", "rnn-identity"])
def test_a_plain_network_starts_as_its_variant_requires(variant: str) -> None:
    torch.manual_seed(1)
    network, eye = memory.make_network(variant), torch.eye(66)
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
    network = memory.make_network(variant)
    assert ((network.bias_ih_l0 + network.bias_hh_l0)[gate] == bias).all()


def test_a_network_that_diverges_has_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "EVERY", 2)
    monkeypatch.setitem(memory.UPDATES, "adding", 4)
    assert memory.train("adding", "rnn-identity", 20, 1e30, 1)["curve"] == [None, None]


def test_a_recorded_gate_computes_the_recorded_memory() -> None:
    network = tense.train("lstm-3", 1e-2, 3, 1)
    text = "Tomorrow, Minsu will go to the market. He"
    saved = tense.gates(network, text)
    i, f, g, _, c = (torch.tensor(saved[name]) for name in "ifgoc")
    assert torch.allclose(f[1:] * c[:-1] + i[1:] * g[1:], c[1:], atol=4e-3)
    assert torch.allclose(c[1:], tense.memories(network, text), atol=1e-3)
    assert saved["tokens"] == ["<sos>", *tense.material()[0].tokenize(text)]


def test_a_memory_with_nothing_patched_is_read_as_it_is() -> None:
    network = tense.train("lstm-3", 1e-2, 3, 1)
    tested = tense.stories("Yesterday", tense.FUTURE)[1:]
    found = tense.patched(network)
    assert found["nothing"] == pytest.approx(tense.p_will(network, tested), abs=2e-4)
    assert set(found) == {"unit", "nothing", "first", "next ten", "all but the first", "all"}
    assert 0 <= found["unit"] < tense.UNITS["lstm"]


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
    assert (found["rows"], found["after"]) == (6, 0.0)
    planted = fed[-10:]
    assert (planted[2][:, 0] == 4 + (batch.tgt_out[:, 2] - 4 + 1) % 10).all()
    assert planted[1][:, 0].equal(batch.tgt_out[:, 1])
    counted = forcing.recovery(model, batch)
    assert (counted["forced"], counted["free"], counted["whole"]) == (1, 1, 1)
    assert counted["before the first mistake"] == forcing.LONGEST
    assert (counted["after a right third digit"], counted["after a wrong third digit"]) == (1, 0)


@pytest.mark.parametrize("fed", [False, True])
def test_in_luongs_order_the_new_state_asks_and_what_predicts_is_bahdanaus(fed: bool) -> None:
    torch.manual_seed(0)
    name = "luong-order-fed" if fed else "luong-order"
    model = attention_chapter.make_model(name, 12, 12).eval()
    batch = make_batch([[4, 5, 6, 7], [8, 9]], [[5, 6], [7, 8, 9]])
    memory = model.encode(batch.src, batch.src_mask)
    all_at_once, stepped = (
        way(batch.tgt_in, memory) for way in (model.decoder, model.decoder.loop)
    )
    for one, other in zip(all_at_once, stepped):
        assert torch.allclose(one, other, atol=1e-6)
    start = model.decoder.start(memory)
    _, first, weights = model.decoder.step(batch.tgt_in[:, :1], memory, start)
    attend = model.decoder.attention
    expected = attend(first["hidden"], memory.states, memory.states, memory.mask)[1]
    assert torch.allclose(weights, expected)
    moved = memory.states + 1
    other = memory._replace(states=moved, prepared=model.decoder.prepare(moved))
    _, second, _ = model.decoder.step(batch.tgt_in[:, :1], other, start)
    assert second["hidden"].equal(first["hidden"])  # no context has been read yet
    later = [model.decoder.step(batch.tgt_in[:, 1:2], memory, s)[1] for s in (first, second)]
    assert later[0]["hidden"].equal(later[1]["hidden"]) != fed


def test_the_rows_of_a_model_are_what_it_computes_and_a_search_needs_the_word_to_be_there() -> None:
    easy = common.encoded_corpus()
    torch.manual_seed(0)
    model = attention_chapter.make_model("luong", len(easy.src), len(easy.tgt)).eval()
    pairs = easy.corpus.test[:6]
    rows = explanation.Rows(Translator(model, easy.src, easy.tgt), pairs)
    predicted = []
    for pair in pairs:
        batch = make_batch([easy.src.encode(pair.src)], [easy.tgt.encode(pair.tgt)])
        words = model(batch.src, batch.src_mask, batch.tgt_in)[0][0].argmax(-1)
        predicted += [words[t] for t in {t for _, t in pair.links.sure}]
    assert rows.word.equal(torch.stack(predicted))
    allowed = rows.real & ~rows.peak
    alone = rows.one_position(allowed, rows.states)
    assert (rows.search(allowed, rows.states) | ~alone).all()  # what one position does is found
    assert rows.search(rows.real, rows.states).all()  # the model's own peak is among them


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


def test_a_dictionary_translates_every_word_in_its_place_and_copies_what_it_does_not_know() -> None:
    pairs = [("Das Haus.", "The house."), ("Das Buch.", "The book."), ("Ein Buch.", "A book.")]
    model = word_by_word.Model1([Pair(src, tgt) for src, tgt in pairs])
    for _ in range(20):
        model.one_round()
        sums = model.t.new_zeros(len(set(model.of_source.tolist())))
        assert torch.allclose(sums.index_add(0, model.of_source, model.t), torch.ones_like(sums))
    best = model.dictionary()
    assert (best["das"], best["Haus"], best["Buch"], best["ein"]) == ("the", "house", "book", "a")
    assert word_by_word.translate("Ein Haus, das Brot.", best | {".": "."}) == "A house, the Brot."


def test_a_wrong_third_word_is_of_another_caption_and_what_follows_is_counted_once() -> None:
    texts = ["A man in a red hat sits.", "Two dogs run over a field.", "Too short a one."]
    found = forcing_captions.planted(texts)
    assert [(n, begun[:2]) for n, _, begun in found] == [(0, ["A", "man"]), (1, ["Two", "dogs"])]
    assert [begun[2] for _, _, begun in found] == ["run", "in"]
    assert forcing_captions.kept(["A hat, a hat!", ""], [["a", "hat."], ["runs"]]) == 0.6667


def test_a_vote_is_measured_with_its_length() -> None:
    pairs = [Pair("Ein Hund.", "A dog runs fast here."), Pair("Eine Katze.", "A cat.")]
    found = vote.measured(["A dog.", ""], pairs)
    assert (found["words"], found["ratio"], found["empty"]) == (1.0, 0.2857, 0.5)
    assert vote.measured([pair.tgt for pair in pairs], pairs)["bleu"] == 100


def test_characters_that_a_search_writes_are_those_of_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"READ": 9, "WRITTEN": 7, "PLACES": 3}.items():
        monkeypatch.setattr(character_sampling, name, value)
    character_sampling.passages.cache_clear()
    torch.manual_seed(0)
    network = characters.CharRNN("lstm", len(characters.prose().letters)).eval()
    read, _ = character_sampling.passages()
    written = character_sampling.write(network, "greedy", 1)
    logits, _ = network(torch.cat([read, written], 1)[:, :-1])
    assert (logits[:, 8:].argmax(-1) == written).all()
    assert written.shape == (3, 7) == character_sampling.write(network, "p0.9", 1).shape
    character_sampling.passages.cache_clear()
    assert character_sampling.repeated("abc" * 20) > 0.9
    assert character_sampling.repeated("the quick brown fox") == 0


def test_the_order_of_attention_changes_neither_parameters_nor_their_first_values() -> None:
    preset = models.PRESETS["quick"]
    made = []
    for name in ("bahdanau", "luong order"):
        torch.manual_seed(0)
        made.append(models.maker(name, "quick", preset)(50))
    before, after = (model.state_dict() for model in made)
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    batch = make_batch([[5, 6, 7]], [[8, 9]])
    logits = [model.eval()(batch.src, batch.src_mask, batch.tgt_in)[0] for model in made]
    assert not torch.allclose(*logits)


def test_the_hmm_sums_over_all_alignments() -> None:
    torch.manual_seed(0)
    t = torch.rand(5, 5).double()
    jumps = torch.rand(2 * alignment_baselines.WIDEST + 1).double()
    src, tgt = torch.tensor([[1, 2, 3], [4, 2, 0]]), torch.tensor([[1, 2, 3, 4], [2, 1, 0, 0]])
    found = alignment_baselines.posteriors(src, tgt, t, jumps)
    empty, anywhere = alignment_baselines.P_EMPTY, alignment_baselines.P_ANYWHERE
    for row, (f, e) in enumerate([([1, 2, 3], [1, 2, 3, 4]), ([4, 2], [2, 1])]):
        size, total, links = len(f), 0.0, torch.zeros(4, 3).double()
        for way in itertools.product(range(size), repeat=len(e)):
            p = torch.ones(()).double() / size
            for i, j in enumerate(way):
                if i:
                    widths = jumps[torch.arange(size) - way[i - 1] + alignment_baselines.WIDEST]
                    p = p * ((1 - anywhere) * widths[j] / widths.sum() + anywhere / size)
                p = p * ((1 - empty) * t[f[j], e[i]] + empty * t[0, e[i]])
            total += p
            for i, j in enumerate(way):
                word = (1 - empty) * t[f[j], e[i]]
                links[i, j] += p * word / (word + empty * t[0, e[i]])
        assert torch.allclose(found[0][row], links / total)
        words, moves = found[0][row].sum() + found[1][row].sum(), found[2][row].sum()
        assert torch.allclose(
            torch.stack([words, moves]), torch.tensor([len(e), len(e) - 1.0]).double()
        )


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


def test_the_fused_attention_equals_multi_head_attention() -> None:
    torch.manual_seed(1)
    module, x = MultiHeadAttention(8, 2), torch.randn(1, 5, 8)
    torch.testing.assert_close(attention_time.fused(module, x), module(x, x)[0])
