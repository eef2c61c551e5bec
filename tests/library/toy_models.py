"""Toy language models for the tests of search: every hypothesis of theirs can be listed."""

import itertools
import math

import torch

PAD, BOS, EOS = 0, 2, 3
WORDS = (1, 4, 5)  # the vocabulary is 0 … 5: pad, a word, sos, eos, two words
SIZE, SOURCE = 6, 3


class ToyModel:
    """B random language models in which every prefix has its own distribution and attention.

    The state is the number that spells the prefix in base 6, so the model also notices a state
    that was not reordered together with its tokens.
    """

    def __init__(self, seed, sentences=1, longest=4, sharpness=1.5, real=SOURCE, never=0.0):
        draw = torch.Generator().manual_seed(seed)
        shape = (sentences, SIZE**longest)
        logits = sharpness * torch.randn(*shape, SIZE, generator=draw)
        if never:  # so large a share of the tokens has probability 0
            banned = torch.rand(*shape, SIZE, generator=draw) < never
            banned.scatter_(-1, logits.argmax(-1, keepdim=True), False)
            logits = logits.masked_fill(banned, -math.inf)
        self.log_probs = logits.log_softmax(-1)
        scores = 2 * torch.randn(*shape, SOURCE, generator=draw)
        scores[..., real:] = -math.inf
        self.weights = scores.softmax(-1)
        self.calls = []
        self.state = torch.zeros(sentences, 1, dtype=torch.long)
        self.memory = torch.arange(sentences)

    def step(self, tokens, memory, state):
        self.calls.append(tuple(tokens.shape))
        assert memory.shape == tokens.shape[:1]
        state = state * SIZE + torch.where(tokens == BOS, 0, tokens)
        rows = memory.unsqueeze(1).expand(state.shape)
        return self.log_probs[rows, state], state, self.weights[rows, state]

    def sentence_steps(self):
        return sum(sentences for sentences, _ in self.calls)

    def search(self, function, **options):
        return function(self.step, self.memory, self.state, **options)

    def log_prob(self, sentence, tokens):
        """log P of tokens, and the weights of every step, one lookup at a time."""
        total, prefix, looks = 0.0, 0, []
        for token in tokens:
            total += float(self.log_probs[sentence, prefix, token])
            looks.append(self.weights[sentence, prefix].tolist())
            prefix = prefix * SIZE + token
        return total, looks

    def brute_force(self, longest, alpha=0.0, penalty="gnmt", shortest=0, sentence=0):
        """All finished hypotheses of at most ``longest`` tokens, best first, as (score, words)."""
        ranked = []
        for count in range(shortest, longest):
            for words in itertools.product(WORDS, repeat=count):
                total, _ = self.log_prob(sentence, [*words, EOS])
                n = count + 1
                score = total / (n**alpha if penalty == "power" else ((5 + n) / 6) ** alpha)
                ranked.append((score, list(words)))
        return sorted(ranked, reverse=True)


def fixed_step(*probs):
    table = torch.tensor(probs).log()
    return lambda tokens, memory, state: (table.expand(*tokens.shape, len(probs)), state, None)
