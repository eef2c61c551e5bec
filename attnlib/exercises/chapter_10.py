"""Checks of chapter 10: a real translator."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

from .spec import Call, Exercise, Mistake

Inputs: TypeAlias = Iterator[dict[str, Any]]
Sentences: TypeAlias = Sequence[Sequence[str]]

# leak_rate ----------------------------------------------------------------------------------------


def _leaks() -> Inputs:
    yield {"train": ["a dog", "a cat"], "test": ["a dog", "a bird"]}
    yield {"train": ["a dog", "a cat", "a cat"], "test": ["a cat", "a bird", "a cat", "an owl"]}
    yield {"train": ["a dog runs home"], "test": ["a dog", "runs"]}
    yield {"train": ["one", "two", "three", "four", "five"], "test": ["two", "nine", "ten"]}


def _leak_rate(train: list[str], test: list[str]) -> float:
    seen = set(train)
    return sum(sentence in seen for sentence in test) / len(test)


def _a_sentence_leaks_whole_or_not_at_all(call: Call) -> str | None:
    rate = call(train=["a dog runs home"], test=["a dog"])
    if abs(rate) < 1e-9:
        return None
    return (
        f'Training holds only "a dog runs home", the test only "a dog", and the rate is {rate:g}. '
        "Is the test sentence itself among the training sentences, or only found inside one?"
    )


def _every_test_sentence_counts(call: Call) -> str | None:
    rate = call(train=["a"], test=["a", "a", "a", "b"])
    if abs(rate - 0.75) < 1e-9:
        return None
    return (
        'For train ["a"] and test ["a", "a", "a", "b"] the rate is '
        f"{rate:.3g}: three of four test sentences were seen in training. Are repetitions lost?"
    )


LEAK_RATE = Exercise(
    "leak_rate",
    reference=_leak_rate,
    inputs=_leaks,
    rules={
        "only a whole sentence counts as seen": _a_sentence_leaks_whole_or_not_at_all,
        "a sentence that stands three times in the test counts three times": (
            _every_test_sentence_counts
        ),
        "the rate of a test split that is all new is 0": lambda call: call(test=["new"]) == 0,
    },
    mistakes=[
        Mistake(
            "This is the number of leaked sentences. A rate is their share of the test split.",
            lambda train, test: sum(s in set(train) for s in test),
        ),
        Mistake(
            "This is divided by the size of the training split. Of which split do we ask how much "
            "was seen before?",
            lambda train, test: sum(s in set(train) for s in test) / len(train),
        ),
        Mistake(
            "This is the share that was not seen: one minus what is asked.",
            lambda train, test: sum(s not in set(train) for s in test) / len(test),
        ),
    ],
)

# unknown_rate -------------------------------------------------------------------------------------


def _tokenised() -> Inputs:
    yield {"train": [["a", "b"]], "test": [["a", "c"]], "min_count": 1}
    yield {"train": [["a", "b", "a"]], "test": [["a", "b", "b"], ["b"]], "min_count": 2}
    yield {"train": [["a", "b"], ["b"]], "test": [["c", "c", "c", "a", "b"], ["d"]], "min_count": 1}
    draw = random.Random(0)
    words = [[draw.choice("abcdefghijk") for _ in range(6)] for _ in range(9)]
    yield {"train": words[:3], "test": words[3:], "min_count": 2}


def _unknown_rate(train: Sentences, test: Sentences, min_count: int = 1) -> float:
    counts = Counter(word for sentence in train for word in sentence)
    words = [word for sentence in test for word in sentence]
    return sum(counts[word] < min_count for word in words) / len(words)


def _over_types(train: Sentences, test: Sentences, min_count: int = 1) -> float:
    counts = Counter(word for sentence in train for word in sentence)
    words = {word for sentence in test for word in sentence}
    return sum(counts[word] < min_count for word in words) / len(words)


def _mean_of_sentences(train: Sentences, test: Sentences, min_count: int = 1) -> float:
    return sum(_unknown_rate(train, [sentence], min_count) for sentence in test) / len(test)


def _the_test_split_teaches_nothing(call: Call) -> str | None:
    rate = call(train=[["a"]], test=[["z", "z", "z"]], min_count=1)
    if abs(rate - 1) < 1e-9:
        return None
    return (
        f'Training holds only "a", the test only "z", and {rate:.0%} of it is unknown. A word that '
        "only the test split holds stays unknown, however often: which split is counted?"
    )


UNKNOWN_RATE = Exercise(
    "unknown_rate",
    reference=_unknown_rate,
    inputs=_tokenised,
    rules={"words are counted in the training split alone": _the_test_split_teaches_nothing},
    mistakes=[
        Mistake(
            "This is the share of unknown words in a list of different words. In running text an "
            "unknown word that occurs three times is met three times.",
            _over_types,
        ),
        Mistake(
            "This is the mean of the sentences' rates: a word of a short sentence then weighs "
            "more than one of a long sentence. Count all words of the split together.",
            _mean_of_sentences,
        ),
        Mistake(
            "This is the share of known words: one minus what is asked.",
            lambda train, test, min_count=1: 1 - _unknown_rate(train, test, min_count),
        ),
        Mistake(
            "The argument min_count has no effect: a word that training holds once is unknown "
            "where two are needed.",
            lambda train, test, min_count=1: _unknown_rate(train, test, 1),
        ),
        Mistake(
            "Off by one: a word that occurs exactly min_count times is known.",
            lambda train, test, min_count=1: _unknown_rate(train, test, min_count + 1),
        ),
    ],
)

# bucketed -----------------------------------------------------------------------------------------


def _lengths() -> Inputs:
    yield {"lengths": [3, 1, 2], "budget": 4}
    yield {"lengths": [5, 2, 5, 2, 2], "budget": 10}
    yield {"lengths": [4, 1, 1, 4, 1, 1], "budget": 8}
    draw = random.Random(1)
    yield {"lengths": [draw.randint(1, 9) for _ in range(14)], "budget": 20}


def _bucketed(lengths: Sequence[int], budget: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if (len(batches[-1]) + 1) * lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _in_order(order: Sequence[int], lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Cut an order of sentences where the padded table would grow too large."""
    batches: list[list[int]] = [[]]
    for i in order:
        longest = max([lengths[k] for k in batches[-1]] + [lengths[i]])
        if batches[-1] and (len(batches[-1]) + 1) * longest > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _by_sum(lengths: Sequence[int], budget: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if sum(lengths[k] for k in batches[-1]) + lengths[i] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches


def _too_late(lengths: Sequence[int], budget: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        batches[-1].append(i)
        if len(batches[-1]) * lengths[i] > budget:
            batches.append([])
    return [batch for batch in batches if batch]


def _every_sentence_once(call: Call) -> str | None:
    try:
        found = Counter(i for batch in call.result for i in batch)
    except TypeError:
        return "A list of lists is asked for: one list of indices for every batch."
    if found == Counter(range(len(call.lengths))):
        return None
    if missing := set(range(len(call.lengths))) - set(found):
        last = "the last batch" if len(missing) < len(call.lengths) else "every batch"
        return (
            f"The sentences {sorted(missing)} are in no batch. Do the batches hold indices (not "
            f"lengths), and is {last} kept when the loop ends?"
        )
    return f"Some sentences are in more than one batch, or are none of ours: {dict(found)}."


def _within_budget(call: Call) -> str | None:
    for batch in call.result:
        cells = len(batch) * max(call.lengths[i] for i in batch) if batch else 0
        if cells > call.budget:
            return (
                f"The batch {list(batch)} has {len(batch)} sentences padded to "
                f"{max(call.lengths[i] for i in batch)} tokens, {cells} cells, and the budget is "
                f"{call.budget}. What does the table cost once the newest sentence is in it?"
            )
    return None


def _no_empty_batch(call: Call) -> str | None:
    return None if all(len(batch) for batch in call.result) else "One of the batches is empty."


BUCKETED = Exercise(
    "bucketed",
    reference=_bucketed,
    inputs=_lengths,
    rules={
        "every sentence is in exactly one batch": _every_sentence_once,
        "no batch is empty": _no_empty_batch,
        "sentences × longest sentence stays within the budget": _within_budget,
    },
    mistakes=[
        Mistake(
            "These batches are filled in the order of the file, so short sentences are padded to "
            "long neighbours. What should be done before the first batch is filled?",
            lambda lengths, budget: _in_order(range(len(lengths)), lengths, budget),
        ),
        Mistake(
            "Here the lengths of a batch are added up. A padded table costs more: every row is as "
            "long as the longest.",
            _by_sum,
        ),
        Mistake(
            "The sentence that breaks the budget is still put into the batch. What does the table "
            "cost once the newest sentence is in it?",
            _too_late,
        ),
        Mistake(
            "These batches run from the longest sentence to the shortest; the specification "
            "begins with the shortest.",
            lambda lengths, budget: _in_order(
                sorted(range(len(lengths)), key=lambda i: -lengths[i]), lengths, budget
            ),
        ),
    ],
)

# perplexity ---------------------------------------------------------------------------------------


def _losses() -> Inputs:
    yield {"batches": [(math.log(2), 1)]}
    yield {"batches": [(4.0, 2), (1.0, 8)]}
    yield {"batches": [(3.0, 4), (30.0, 10), (2.5, 5)]}
    draw = random.Random(2)
    yield {"batches": [(draw.uniform(1, 40), draw.randint(1, 20)) for _ in range(6)]}


def _perplexity(batches: Sequence[tuple[float, int]]) -> float:
    return math.exp(sum(nll for nll, _ in batches) / sum(tokens for _, tokens in batches))


def _a_certain_model_has_one(call: Call) -> str | None:
    found = call(batches=[(0.0, 3), (0.0, 5)])
    if abs(found - 1) < 1e-9:
        return None
    return f"A model that is always certain and right has perplexity 1, not {found:g}."


def _cut_as_you_like(call: Call) -> str | None:
    one, two = call(batches=[(5.0, 10)]), call(batches=[(4.0, 2), (1.0, 8)])
    if abs(one - two) < 1e-6:
        return None
    return (
        "10 tokens with 5 nats in one batch have perplexity "
        f"{one:.3f}, the same tokens cut into batches of 2 and 8 have {two:.3f}. Does every token "
        "weigh the same, whatever batch it is in?"
    )


PERPLEXITY = Exercise(
    "perplexity",
    reference=_perplexity,
    inputs=_losses,
    rules={
        "a model without doubt and error has perplexity 1": _a_certain_model_has_one,
        "it does not depend on how the tokens are cut into batches": _cut_as_you_like,
    },
    mistakes=[
        Mistake(
            "This is exp of the mean of the batches' means: a batch of 2 tokens weighs as much "
            "as one of 200. Does every token weigh the same?",
            lambda batches: math.exp(sum(x / n for x, n in batches) / len(batches)),
        ),
        Mistake(
            "This is the mean of the batches' perplexities. The mean is taken of the losses, "
            "per token, and exp comes once, at the end.",
            lambda batches: sum(math.exp(x / n) for x, n in batches) / len(batches),
        ),
        Mistake(
            "This is the loss per token, in nats. What turns it into a number of choices?",
            lambda batches: sum(x for x, _ in batches) / sum(n for _, n in batches),
        ),
        Mistake(
            "This raises 2 to the loss, which fits a loss in bits. Ours is in nats: which number "
            "is the base of the natural logarithm?",
            lambda batches: 2 ** (sum(x for x, _ in batches) / sum(n for _, n in batches)),
        ),
        Mistake(
            "This is exp of the loss per batch. Divide by the number of tokens.",
            lambda batches: math.exp(sum(x for x, _ in batches) / len(batches)),
        ),
    ],
)

# comparable ---------------------------------------------------------------------------------------

_OURS = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


def _signatures() -> Inputs:
    yield {"first": _OURS, "second": _OURS}
    yield {"first": _OURS, "second": _OURS.replace("2.6.0", "2.0.0")}
    yield {"first": _OURS, "second": _OURS.replace("case:mixed", "case:lc")}
    yield {"first": _OURS, "second": _OURS.replace("tok:13a", "tok:none")}
    yield {"first": _OURS, "second": "case:mixed|nrefs:1|eff:no|tok:13a|smooth:exp|version:2.4.3"}
    yield {"first": _OURS, "second": _OURS.replace("smooth:exp|", "")}
    yield {"first": _OURS.replace("nrefs:1", "nrefs:5"), "second": _OURS}


def _fields(signature: str) -> dict[str, str]:
    fields = dict(part.split(":", 1) for part in signature.split("|"))
    return {key: value for key, value in fields.items() if key != "version"}


def _comparable(first: str, second: str) -> bool:
    return _fields(first) == _fields(second)


def _case_matters(call: Call) -> str | None:
    if not call(first=_OURS, second=_OURS.replace("case:mixed", "case:lc")):
        return None
    return (
        "A cased and a lowercased BLEU are called comparable. The second forgives every wrong "
        "capital letter: which fields of the signature must agree?"
    )


def _version_does_not(call: Call) -> str | None:
    if call(first=_OURS, second=_OURS.replace("2.6.0", "2.0.0")):
        return None
    return (
        "Two signatures that differ in the version of the program alone are called incomparable. "
        "The version says who computed, not how."
    )


COMPARABLE = Exercise(
    "comparable",
    reference=_comparable,
    inputs=_signatures,
    rules={
        "the version of the program may differ": _version_does_not,
        "case, tokeniser, smoothing and number of references may not": _case_matters,
        "what is comparable one way round is so the other way round": lambda call: (
            call(first=call.second, second=call.first) == call.result
        ),
    },
    mistakes=[
        Mistake(
            "This asks for the same string, letter by letter. The version says who computed, not "
            "how, and the order of the fields says nothing.",
            lambda first, second: first == second,
        ),
        Mistake(
            "This looks at the tokeniser alone. Lowercasing and the number of references change "
            "the number too.",
            lambda first, second: (
                dict(p.split(":") for p in first.split("|")).get("tok")
                == dict(p.split(":") for p in second.split("|")).get("tok")
            ),
        ),
        Mistake(
            "This compares position by position: the same fields in another order are called "
            "different. Look the fields up by their name.",
            lambda first, second: first.split("|")[:-1] == second.split("|")[:-1],
        ),
        Mistake(
            "This compares the fields that both signatures have. One that leaves the smoothing "
            "out does not say that it is the same.",
            lambda first, second: all(
                _fields(first)[key] == _fields(second)[key]
                for key in _fields(first).keys() & _fields(second).keys()
            ),
        ),
    ],
)

# bucket_scores ------------------------------------------------------------------------------------


def _mean_index(picks: Sequence[int]) -> float:
    """The mean of the picked indices."""
    return sum(picks) / len(picks)


def _how_many(picks: Sequence[int]) -> float:
    """How many indices were picked."""
    return float(len(picks))


def _reports() -> Inputs:
    yield {"lengths": [1, 2, 3, 9], "edges": [(1, 3), (4, 9)], "score": _how_many, "least": 2}
    yield {"lengths": [5, 5, 6, 7, 8, 8], "edges": [(1, 4), (5, 6), (7, 8)], "score": _mean_index,
           "least": 3}  # fmt: skip
    draw = random.Random(3)
    lengths = [draw.randint(1, 30) for _ in range(60)]
    yield {"lengths": lengths, "edges": [(1, 10), (11, 20), (21, 30)], "score": _mean_index,
           "least": 15}  # fmt: skip


def _bucket_scores(
    lengths: Sequence[int],
    edges: Sequence[tuple[int, int]],
    score: Callable[[list[int]], float],
    least: int = 30,
) -> list[float]:
    chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in edges]
    return [score(picks) if len(picks) >= least else math.nan for picks in chosen]


def _reported(
    lengths: Sequence[int], edges: Sequence[tuple[int, int]], score: Any, least: int, **how: Any
) -> list[float]:
    """Like ``_bucket_scores``, with one thing wrong."""
    found = []
    for low, high in edges:
        picks = [
            n if how.get("by_length") else i
            for i, n in enumerate(lengths)
            if low <= n < high + (not how.get("open"))
        ]
        enough = len(picks) > least if how.get("strict") else len(picks) >= least
        if how.get("always"):
            enough = len(picks) > 0
        found.append(score(picks) if enough else how.get("empty", math.nan))
    return found


def _few_are_refused(call: Call) -> str | None:
    got = call(lengths=[4] * 9, edges=[(1, 9)], score=_how_many, least=10)[0]
    if got != got:
        return None
    return (
        f"9 sentences, at least 10 wanted, and {got:g} is reported: math.nan is asked for. A score "
        "of so few says little, and one of 0 would be drawn as if it had been measured."
    )


def _enough_are_enough(call: Call) -> str | None:
    got = call(lengths=[4] * 10, edges=[(1, 9)], score=_how_many, least=10)[0]
    return None if got == got else "10 sentences are at least 10, and no score is reported."


def _edges_belong(call: Call) -> str | None:
    got = call(lengths=[3, 6], edges=[(3, 6)], score=_how_many, least=1)[0]
    if got == 2:
        return None
    return f"Of the lengths 3 and 6 the bucket (3, 6) holds {got:g}: both edges belong to it."


BUCKET_SCORES = Exercise(
    "bucket_scores",
    reference=_bucket_scores,
    inputs=_reports,
    rules={
        "both edges belong to a bucket": _edges_belong,
        "a bucket with too few sentences is refused": _few_are_refused,
        "a bucket with just enough is reported": _enough_are_enough,
    },
    mistakes=[
        Mistake(
            "Every bucket is reported, however few sentences it holds. What is `least` for?",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, always=True
            ),
        ),
        Mistake(
            "A bucket with too few sentences gets 0, which would be drawn as if it had been "
            "measured. math.nan leaves a gap.",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, empty=0.0
            ),
        ),
        Mistake(
            "The score is given lengths. It wants the indices of the sentences, to pick "
            "translations and references with.",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, by_length=True
            ),
        ),
        Mistake(
            "The upper edge is left out: range(low, high) ends before high, and a bucket (1, 3) "
            "holds length 3.",
            lambda lengths, edges, score, least=30: _reported(
                lengths, edges, score, least, open=True
            ),
        ),
    ],
)

# word_attention -----------------------------------------------------------------------------------


def _pieces() -> Inputs:
    yield {"weights": torch.tensor([[0.5, 0.3, 0.2]]), "src_words": [0, 0, 1], "tgt_words": [0]}
    yield {
        "weights": torch.tensor([[0.6, 0.4], [0.2, 0.8]]),
        "src_words": [0, 1],
        "tgt_words": [0, 0],
    }
    generator = torch.Generator().manual_seed(0)
    for rows, columns in (([0, 1, 1, 2], [0, 0, 1, 2, 2, 2]), ([0, 0, 0, 1, 2], [0, 1, 1])):
        weights = torch.rand(len(rows), len(columns), generator=generator)
        yield {
            "weights": weights / weights.sum(1, keepdim=True),
            "src_words": columns,
            "tgt_words": rows,
        }


def _belongs(words: Sequence[int]) -> Tensor:
    """(pieces, words): 1.0 where a piece belongs to a word."""
    number = torch.tensor(words)
    return (number.unsqueeze(1) == torch.arange(int(number.max()) + 1)).float()


def _word_attention(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
    rows, columns = (_belongs(words).to(weights) for words in (tgt_words, src_words))
    return (rows / rows.sum(0)).T @ weights @ columns


def _other_way(rows: str, columns: str) -> Callable[..., Tensor]:
    """Merge pieces with "sum", "mean", "max" or "first"."""

    def merge(weights: Tensor, words: Sequence[int], how: str) -> Tensor:
        found = []
        for word in range(max(words) + 1):
            part = weights[[k for k, w in enumerate(words) if w == word]]
            named = {"sum": part.sum(0), "mean": part.mean(0), "max": part.amax(0)}
            found.append(named.get(how, part[0]))
        return torch.stack(found)

    def wrong(weights: Tensor, src_words: Sequence[int], tgt_words: Sequence[int]) -> Tensor:
        return merge(merge(weights.T, src_words, columns).T, tgt_words, rows)

    return wrong


def _rows_are_distributions(call: Call) -> str | None:
    sums = call.result.sum(1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    worst = int((sums - 1).abs().argmax())
    return (
        f"Row {worst} sums to {float(sums[worst]):.2f}. Every row of the pieces is a distribution, "
        "so every row of the words must be one: which of the two directions is summed, and which "
        "averaged?"
    )


def _one_piece_a_word(call: Call) -> str | None:
    rows, columns = call.weights.shape
    same = call(src_words=list(range(columns)), tgt_words=list(range(rows)))
    if torch.allclose(same, call.weights, atol=1e-5):
        return None
    return (
        "Where every piece is a word of its own, the weights must stay as they are. They sum to 1 "
        "already: is there a second softmax or division?"
    )


WORD_ATTENTION = Exercise(
    "word_attention",
    reference=_word_attention,
    inputs=_pieces,
    rules={
        "every row sums to 1": _rows_are_distributions,
        "words of one piece keep their weights": _one_piece_a_word,
    },
    mistakes=[
        Mistake(
            "The columns of a word are averaged, so a long word loses attention with every piece "
            "it is cut into. What is the probability of looking at *any* of its pieces?",
            _other_way("mean", "mean"),
        ),
        Mistake(
            "The rows of a word are added, so a word of two pieces gets a row that sums to 2. "
            "Rows average.",
            _other_way("sum", "sum"),
        ),
        Mistake(
            "The two directions are exchanged: a row is a distribution over the source, so its "
            "parts *add up* along the source; target pieces are several looks, which *average*.",
            _other_way("sum", "mean"),
        ),
        Mistake(
            "Only the largest weight of a word is kept, and the attention on its other pieces is "
            "lost. A distribution adds up.",
            _other_way("mean", "max"),
        ),
        Mistake(
            "Only the first piece of each target word is looked at. The later pieces look "
            "somewhere too: average their rows.",
            _other_way("first", "sum"),
        ),
    ],
)
