"""The decoders look when and where their papers say; padding and batches change nothing."""

import pytest
import torch
from torch import nn

from attnlib.data import BOS, make_batch
from attnlib.model import (
    Encoder,
    LuongDecoder,
    Seq2Seq,
    make_seq2seq,
)

MODELS = {
    "plain": {"decoder": "plain"},
    "plain, every step": {"decoder": "plain", "every_step": True},
    "luong": {"decoder": "luong"},
    "luong, one way": {"decoder": "luong", "bidirectional": False, "cell": "rnn"},
    "luong, source in memory": {"decoder": "luong", "source_in_memory": True},
    "luong, input feeding": {"decoder": "luong", "input_feeding": True},
    "bahdanau": {"decoder": "bahdanau", "attention": "additive", "cell": "gru"},
    "bahdanau, lstm": {"decoder": "bahdanau", "attention": "concat", "cell": "lstm"},
}
SRC, TGT = [[4, 5, 6, 7], [8, 9], [10]], [[4, 5], [6, 7, 8], [9]]


def make(name, **more):
    return make_seq2seq(12, 11, embedding_size=6, hidden_size=8, **MODELS[name], **more).eval()


def run(model, batch):
    return model.features(batch.src, batch.src_mask, batch.tgt_in)


@pytest.mark.parametrize("name", MODELS)
def test_a_batch_gives_every_sentence_what_it_gets_alone(name):
    model, batch = make(name), make_batch(SRC, TGT)
    features, weights = run(model, batch)
    for row, (src, tgt) in enumerate(zip(SRC, TGT)):
        alone, alone_weights = run(model, make_batch([src], [tgt]))
        assert torch.allclose(features[row, : len(tgt) + 1], alone[0], atol=1e-6)
        if weights is not None:
            assert torch.allclose(
                weights[row, : len(tgt) + 1, : len(src) + 1], alone_weights[0], atol=1e-6
            )
            assert (weights[row, :, len(src) + 1 :] == 0).all()


@pytest.mark.parametrize("name", MODELS)
def test_one_pass_over_all_steps_equals_a_step_at_a_time(name):
    model, batch = make(name), make_batch(SRC, TGT)
    together, weights = model(batch.src, batch.src_mask, batch.tgt_in)
    memory = model.encode(batch.src, batch.src_mask)
    state = model.decoder.start(memory)
    for t in range(batch.tgt_in.shape[1]):
        log_probs, state, weight = model.step(batch.tgt_in[:, t : t + 1], memory, state)
        assert torch.allclose(log_probs[:, 0], together[:, t].log_softmax(-1), atol=1e-5)
        assert (weight is None) == (weights is None)
        if weight is not None:
            assert torch.allclose(weight[:, 0], weights[:, t], atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_the_fused_layer_gets_its_first_state_without_gaps(name):
    """cuDNN refuses any other ("rnn: hx is not contiguous"); the processor takes all."""
    model, given = make(name), []
    model.decoder.rnn.register_forward_pre_hook(lambda layer, arguments: given.append(arguments))
    batch = make_batch(SRC, TGT)
    run(model, batch)
    assert len(given) == (name != "luong, input feeding" and not name.startswith("bahdanau"))
    for _, state in given:
        assert all(part.is_contiguous() for part in (state if type(state) is tuple else [state]))


@pytest.mark.parametrize("name", MODELS)
def test_hypotheses_side_by_side_do_not_see_each_other(name):
    model, batch = make(name), make_batch(SRC, TGT)
    memory = model.encode(batch.src, batch.src_mask)
    first = model.decoder.start(memory)
    _, state, _ = model.step(torch.full((3, 1), BOS), memory, first)
    tokens = torch.tensor([[4, 5, 6], [7, 8, 9], [10, 4, 7]])  # (B, K)
    wide = {key: value.expand(-1, 3, -1) for key, value in state.items()}
    log_probs, new, _ = model.step(tokens, memory, wide)
    for k in range(3):
        alone, alone_state, _ = model.step(tokens[:, k : k + 1], memory, state)
        assert torch.allclose(log_probs[:, k], alone[:, 0], atol=1e-5)
        assert all(torch.allclose(new[key][:, k], alone_state[key][:, 0], atol=1e-6) for key in new)


@pytest.mark.parametrize("name", MODELS)
def test_nothing_after_a_target_position_changes_it(name):
    model, batch = make(name), make_batch(SRC, TGT)
    features, _ = run(model, batch)
    changed = batch.tgt_in.clone()
    changed[:, 2:] = 10
    later, _ = model.features(batch.src, batch.src_mask, changed)
    assert torch.allclose(features[:, :2], later[:, :2], atol=1e-6)
    assert not torch.allclose(features[0, 2], later[0, 2])


@pytest.mark.parametrize("name", MODELS)
def test_every_parameter_gets_a_gradient(name):
    model, batch = make(name).train(), make_batch(SRC, TGT)
    logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
    logits.pow(2).sum().backward()
    idle = [n for n, p in model.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0]
    assert idle == []


def weights_at(model, tokens):
    """Attention weights of the second step when its input token is ``tokens[:, 1]``."""
    batch = make_batch([[4, 5, 6, 7]], [[4]])
    _, weights = model.features(batch.src, batch.src_mask, torch.tensor([tokens]))
    return weights[0, 1]


def test_luongs_query_comes_after_the_last_word_and_bahdanaus_before():
    luong, bahdanau = make("luong"), make("bahdanau")
    assert not torch.allclose(weights_at(luong, [BOS, 4]), weights_at(luong, [BOS, 9]))
    assert torch.equal(weights_at(bahdanau, [BOS, 4]), weights_at(bahdanau, [BOS, 9]))


def states_after(model, poke):
    """The decoder's recurrent states after one and two steps, with the memory's states poked."""
    batch = make_batch([[4, 5, 6, 7]], [[4, 5]])
    memory = model.encode(batch.src, batch.src_mask)
    state, seen = model.decoder.start(memory), []
    states = memory.states + poke
    memory = memory._replace(states=states, prepared=model.decoder.prepare(states))
    for t in range(2):
        _, state, _ = model.decoder.step(batch.tgt_in[:, t : t + 1], memory, state)
        seen.append(state["hidden"])
    return seen


def test_the_context_enters_bahdanaus_state_at_once_and_luongs_never():
    for name, at_once, next_step in [
        ("bahdanau", True, True),
        ("luong", False, False),
        ("luong, input feeding", False, True),
    ]:
        model = make(name)
        (one, two), (poked_one, poked_two) = states_after(model, 0.0), states_after(model, 0.5)
        assert torch.allclose(one, poked_one) is not at_once, name
        assert torch.allclose(two, poked_two) is not next_step, name


def test_a_plain_decoder_sees_only_the_final_state():
    model, batch = make("plain, every step"), make_batch(SRC, TGT)
    memory = model.encode(batch.src, batch.src_mask)
    other = memory._replace(states=torch.randn_like(memory.states))
    assert torch.equal(
        model.decoder(batch.tgt_in, memory)[0], model.decoder(batch.tgt_in, other)[0]
    )
    other = memory._replace(final=torch.randn_like(memory.final))
    assert not torch.allclose(
        model.decoder(batch.tgt_in, memory)[0], model.decoder(batch.tgt_in, other)[0]
    )
    state = model.decoder.start(
        memory
    )  # the same one: the final state is an input of the step, too
    steps = [model.decoder.step(batch.tgt_in[:, :1], one, state)[0] for one in (memory, other)]
    assert not torch.allclose(*steps)


def test_the_memory_is_the_state_plus_the_projected_embedding():
    encoder = make("luong, source in memory").encoder
    src, mask = torch.tensor([[4, 5, 6]]), torch.ones(1, 3, dtype=torch.bool)
    states, final = encoder(src, mask)
    added = torch.stack([encoder.from_embedding.weight @ encoder.embed.weight[i] for i in src[0]])
    encoder.from_embedding = None
    bare, same_final = encoder(src, mask)
    assert torch.allclose(states - bare, added, atol=1e-6) and torch.equal(final, same_final)


class Coins:
    """Which inputs a decoder is really given, step by step."""

    def __init__(self, model):
        self.tokens, self.read = [], model.decoder.read
        model.decoder.read = self

    def __call__(self, tokens):
        self.tokens.append(tokens)
        return self.read(tokens)


def test_without_teacher_forcing_the_model_reads_its_own_words():
    model, batch = make("luong"), make_batch(SRC, TGT)
    coins = Coins(model)
    features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in, teacher_forcing=0.0)
    guesses = model.output(features).argmax(-1)
    assert torch.equal(torch.cat(coins.tokens, 1)[:, 0], batch.tgt_in[:, 0])
    assert torch.equal(torch.cat(coins.tokens, 1)[:, 1:], guesses[:, :-1])


def test_there_is_one_coin_a_token_and_it_falls_as_often_as_asked():
    model = make("luong")
    batch = make_batch([[4, 5]] * 200, [[0] * 20] * 200)  # no model guesses padding at first
    coins = Coins(model)
    with torch.no_grad():
        model.output.bias[0] = -1e3  # so that gold (0) and guess always differ
        model.features(
            batch.src, batch.src_mask, batch.tgt_in, 0.75, torch.Generator().manual_seed(1)
        )
    gold = (torch.cat(coins.tokens, 1)[:, 1:] == 0).float()
    assert gold.mean().item() == pytest.approx(0.75, abs=0.02)
    # One coin a sentence or a step would make rows or columns all gold or all guessed.
    assert gold.mean(1).std() < 0.15 and gold.mean(0).std() < 0.08
    assert (gold.mean(1) < 1).float().mean() > 0.95


def test_no_gradient_passes_through_a_guess():
    model, batch = make("luong"), make_batch(SRC, TGT)
    features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in, teacher_forcing=0.0)
    features.sum().backward()
    assert model.output.bias.grad is None


def test_encoder_decoder_and_output_each_have_a_width_of_their_own():
    model = make_seq2seq(
        12,
        11,
        attention="concat",
        embedding_size=5,
        encoder_size=6,
        decoder_size=8,
        output_size=7,
        attention_size=3,
        tied_output=False,
    )
    options = {"attention": "concat", "attention_size": 3}
    decoder = LuongDecoder(nn.Embedding(11, 5), 6, 8, 7, **options)
    byhand = Seq2Seq(Encoder(nn.Embedding(12, 5), 6), decoder, nn.Linear(7, 11))
    shapes = [(name, p.shape) for name, p in model.named_parameters()]
    assert shapes == [(name, p.shape) for name, p in byhand.named_parameters()]
    batch = make_batch(SRC, TGT)
    assert model(batch.src, batch.src_mask, batch.tgt_in)[0].shape == (3, 4, 11)


def test_new_embeddings_are_as_wide_as_logits_want_them():
    table = make_seq2seq(4000, 4, embedding_size=64).encoder.embed.weight
    assert table.std().item() == pytest.approx(1 / 8, rel=0.02)


def test_one_table_can_serve_source_target_and_output():
    shared = make_seq2seq(9, 9, embedding_size=4, hidden_size=4, shared_embedding=True)
    assert shared.encoder.embed.weight is shared.decoder.embed.weight is shared.output.weight
    apart = make_seq2seq(9, 9, embedding_size=4, hidden_size=4, tied_output=False)
    assert apart.output.weight is not apart.decoder.embed.weight
