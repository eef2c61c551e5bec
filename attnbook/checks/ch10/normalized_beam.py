"""Exercise 10.5: ``normalized_beam``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, only_a_part
from attnbook.exercises import Call, Exercise


def normalized_beam(
    step: Step, state: Tensor, max_length: int, beam_size: int = 5, alpha: float = 1.0
) -> Answer:
    """The words of the best ending and its score, log P / n**alpha; n tokens, the end included."""
    last, total, written = torch.tensor([BOS]), torch.zeros(1), [[]]
    best, best_score = None, -math.inf
    for t in range(1, max_length + 1):
        log_probs, state = step(last, state)
        totals = total.unsqueeze(1) + log_probs
        endings = totals[:, EOS].tolist()
        totals[:, [PAD, BOS, EOS]] = -math.inf
        total, places = totals.flatten().topk(beam_size)
        for words, ending in zip(written, endings):
            if ending > total[-1] and ending / t**alpha > best_score:
                best, best_score = words, ending / t**alpha
        parents, last = places // totals.shape[1], places % totals.shape[1]
        written = [[*written[k], word] for k, word in zip(parents.tolist(), last.tolist())]
        state = state[parents]
    if best is None:
        return written[0], float(total[0]) / max_length**alpha
    return best, best_score


Answer: TypeAlias = tuple[list[int], float]
Step: TypeAlias = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
PAD, BOS, EOS = 0, 2, 3
SIZE = 9  # of the toy models' vocabulary: pad, unk, sos, eos and five words
ROWS = 997


def _toy(seed: int, ending: Any = 0.0) -> Step:
    """A random model whose state is a number that all tokens so far have made: a wrong state or a
    wrong token is noticed. ``ending`` is added to the logit of eos."""
    rows = 1.5 * torch.randn(ROWS, SIZE, generator=torch.Generator().manual_seed(seed))
    rows[:, EOS] += ending
    rows = rows.log_softmax(-1)

    def step(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        if not isinstance(tokens, Tensor) or tokens.is_floating_point() or tokens.dim() != 1:
            raise ValueError("step wants tokens (K,), a tensor of whole numbers")
        if len(tokens) != len(state):
            raise ValueError(
                f"step is given {len(tokens)} tokens and {len(state)} states: one of each for "
                "every prefix that is alive"
            )
        made = (31 * state + 7 * tokens.unsqueeze(1) + 1) % ROWS
        return rows[made[:, 0]], made

    return step


def _given(step: Step, longest: int, k: int, alpha: Any) -> dict[str, Any]:
    state = torch.zeros(1, 1, dtype=torch.long)
    return {"step": step, "state": state, "max_length": longest, "beam_size": k, "alpha": alpha}


#: (seed, added to the logit of eos, max_length, beam_size, alpha), chosen so that each of the
#: mistakes below differs from the reference and from each other one at least twice.
CASES = (
    (0, -41.0, 2, 1, 1.0),
    (1, 0.0, 3, 2, 0.0),
    (1, -0.5, 3, 2, 1.0),
    (2, -0.5, 4, 3, 0.6),
    (3, -40.0, 3, 2, 1.0),
    (143, 0.5, 5, 4, 1.5),
    (159, 1.0, 6, 4, 1.0),
    (294, 1.0, 6, 3, 1.0),
    (322, 0.0, 4, 3, -0.5),
    (333, 0.5, 5, 2, 1.0),
    (6, 0.0, 5, 5, 0.6),
    (7, 0.0, 5, 5, 0.0),
)


def _to_search() -> Inputs:
    for seed, ending, longest, k, alpha in CASES:
        yield _given(_toy(seed, ending), longest, k, alpha)


def _with(flaw: str) -> Any:
    """The beam search with one flaw."""

    def wrong(
        step: Any, state: Tensor, max_length: int, beam_size: int = 5, alpha: Any = 1.0
    ) -> Any:
        last, total, written = torch.tensor([BOS]), torch.zeros(1), [[]]
        size, ended = 1 if flaw == "greedy" else beam_size, []
        for t in range(1, max_length + (flaw != "one less")):
            log_probs, new = step(last, state)
            totals = log_probs + (0 if flaw == "last step" else total.unsqueeze(1))
            endings = totals[:, EOS].tolist()
            totals[:, [] if flaw == "banned" else [PAD, BOS]] = -math.inf
            with_endings = totals.flatten().clone()
            if flaw != "eos lives":
                totals[:, EOS] = -math.inf
            total, places = totals.flatten().topk(size)
            if flaw == "own best" and len(totals) > 1:
                total, tokens = totals.max(1)
                places = torch.arange(len(totals)) * totals.shape[1] + tokens
            parents, last = places // totals.shape[1], places % totals.shape[1]
            stays = torch.arange(len(parents)).clamp(max=len(new) - 1)
            follow = stays if flaw == "words stay" else parents
            grown = [[*written[k], w] for k, w in zip(follow.tolist(), last.tolist())]
            bar = {"above best": total[0], "all": -math.inf}.get(flaw, total[-1])
            if flaw == "two k":
                bar = with_endings.topk(2 * size).values[-1] - 1e-6
            n = {"without eos": max(t - 1, 1), "eos twice": t + 1}.get(flaw, t)
            divisor = {
                "alpha is 1": n,
                "no division": 1,
                "times alpha": max(n * alpha, 1e-9),
                "multiplied": n**-alpha,
            }.get(flaw, n**alpha)
            for words, ending in zip(grown if flaw == "grown" else written, endings):
                if ending > bar:
                    words = [*words, EOS] if flaw == "with eos" else words
                    ended.append((ending / divisor, words, ending))
            written = grown
            state = new[stays if flaw == "state stays" else parents]
            state = new if flaw == "state as it comes" else state
            if ended and (flaw == "first" or flaw == "count" and len(ended) >= beam_size):
                break
        alive = float(total[0]) / max_length**alpha, written[0], float(total[0])
        if flaw == "compete":
            ended.append(alive)
        if flaw == "nothing" and not ended:
            return [], -math.inf
        by = 2 if flaw == "by the sum" else 0
        best = (min if flaw == "worst" else max)(ended or [alive], key=lambda one: one[by])
        return best[1], best[2 if flaw == "sum returned" and ended else 0]

    return wrong


# Rules --------------------------------------------------------------------------------------------


def _of_words(call: Call) -> str | None:
    strange = [x for x in call.result[0] if x in (PAD, BOS, EOS) or not 0 <= x < SIZE]
    if not strange:
        return None
    return (
        f"{strange[0]} is among the tokens {list(call.result[0])}: PAD (0), BOS (2) and EOS (3) "
        "are no words, and the end is not written."
    )


def _log_prob(call: Call, tokens: list[int], ended: bool) -> Any:
    """What the model gives to tokens, and to the end behind them, when it reads them one by one."""
    state, total = call.state, 0.0
    for last, token in zip([BOS, *tokens], [*tokens, EOS] if ended else tokens):
        log_probs, state = call.step(torch.tensor([last]), state)
        total += float(log_probs[0, token])
    return total


def _own_score(call: Call) -> str | None:
    tokens, got = list(call.result[0]), float(call.result[1])
    if len(tokens) > call.max_length:
        return (
            f"{len(tokens)} tokens are written where max_length is {call.max_length}. Each "
            "survivor has its own list: words + [w] makes one, append writes into that of all."
        )
    ended = len(tokens) < call.max_length
    n, total = len(tokens) + ended, _log_prob(call, tokens, ended)
    if math.isclose(total / n**call.alpha, got, rel_tol=1e-4, abs_tol=1e-4):
        return None
    read = f"{tokens} and the end" if ended else f"{tokens}"
    told = f"The model, reading {read} one by one, gives them log P = {total:.3f}; with n = {n} "
    told += f"tokens and alpha = {call.alpha:g} the score is {total / n**call.alpha:.3f}, and "
    told += f"{got:.3f} is returned. "
    known = {
        total: "That is the sum: it is divided by n ** alpha, also where nothing has ended.",
        -total / n**call.alpha: "The sign is turned: a sum of log-probabilities is never above 0.",
        math.exp(total / n**call.alpha): "That is its exponential: the score is a log-probability.",
        0.0: "The sum is lost: the totals of the survivors go on to the next step.",
        total * n**call.alpha: "The sum is divided by n ** alpha, not multiplied.",
        total / n: "alpha is the exponent of n.",
        total / (n * call.alpha or 1): "alpha is the exponent of n, and no factor.",
    }
    belong = "If the sum is right, whose words are these? Of place p among K × V, p // V is the "
    belong += "parent and p % V the word. If the words are right, what else is in the sum?"
    seen = (why for value, why in known.items() if math.isclose(value, got, rel_tol=1e-4))
    return told + next(seen, belong)


def _best(call: Call) -> str | None:
    mine, right = list(call.result[0]), list(call.expected[0])
    if mine == right:
        return None
    told = f"A beam of {call.beam_size} with alpha = {call.alpha:g} ends with {right}, score "
    told += f"{call.expected[1]:.3f}; {mine} comes back, score {float(call.result[1]):.3f}."
    if float(call.result[1]) > call.expected[1]:
        told += " Yours scores higher, but does not count: an ending counts behind the words of a "
        told += "survivor, and where its sum is above that of the last survivor of its step."
    elif len(mine) == call.max_length > len(right):
        told += " That has not ended, and comes back only where nothing has that counts. Is the "
        told += "log-probability of EOS kept before its column is set to −∞?"
    elif len(mine) == call.max_length:
        told += " Nothing has ended: the best of the survivors is asked for, the first of them."
    elif len(mine) < call.max_length:
        told += " Both end: keep the highest score of all that end, whenever that is."
    return told


CHECK = Exercise(
    "normalized_beam",
    reference=normalized_beam,
    inputs=_to_search,
    rules={
        "only words are among the tokens": _of_words,
        "the score is log P of its tokens and the end, divided by n to the alpha": _own_score,
        "the ending that counts and has the highest score is found": _best,
    },
    mistakes=only_a_part(normalized_beam, "the words", "their score")
    + [
        (told, _with(flaw))
        for flaw, told in {
            "greedy": "This is greedy search: beam_size has no effect.",
            "own best": "Every prefix keeps its own best word. The K best are chosen among the "
            "K × V continuations of *all* prefixes: flatten before topk.",
            "last step": "The log-probabilities of the earlier words are lost: add the total of "
            "every prefix to its row before topk.",
            "state stays": "The states do not follow: place k goes on from what stood in place k. "
            "A survivor goes on from its parent's state, state[parents].",
            "state as it comes": "The states do not follow: they stand as step returned them. A "
            "survivor goes on from its parent's state, state[parents].",
            "words stay": "The words do not follow: a survivor's words are its *parent's* words "
            "and the new one.",
            "eos lives": "A prefix that has ended lives on as a survivor. Set EOS to −∞ before "
            "topk; its ending is kept aside.",
            "banned": "PAD or BOS is written: set these to −∞ as well before topk.",
            "all": "Every ending counts here, however unlikely. It counts only where it is above "
            "the last of the K survivors; so a beam of one is greedy search.",
            "two k": "An ending counts here where it is among the best 2K continuations, as in "
            "some libraries. Asked for is another bar: its sum is above that of the last survivor.",
            "grown": "The words of an ending are taken after they have grown: place k then holds "
            "a survivor's words, one too many. Look at the endings before the words are replaced.",
            "above best": "An ending counts only above the *first* survivor here. It counts where "
            "it is above the last of the K.",
            "first": "It stops when the first prefix ends. A later ending may have a better score: "
            "go on to max_length.",
            "count": "It stops when K prefixes have ended. A later ending may have a better score: "
            "go on to max_length.",
            "one less": "One step is missing: range(1, max_length) ends before max_length, and "
            "max_length counts the end.",
            "without eos": "The end is not counted in the length: what ends at step t has t "
            "tokens, the end among them.",
            "eos twice": "The length is one too many: what ends at step t has t tokens, the end "
            "among them.",
            "no division": "alpha has no effect: the endings are ranked by the plain sum, which "
            "likes short ones.",
            "alpha is 1": "The sum is divided by the length, whatever alpha is: t ** alpha.",
            "times alpha": "The sum is divided by alpha · t. The length is raised to a *power*: "
            "t ** alpha, which is 1 for alpha = 0.",
            "multiplied": "The sum is multiplied by the length. It is negative: that makes long "
            "ones worse still. Divide.",
            "by the sum": "The best ending is chosen by its sum, and divided afterwards. Divide "
            "first: the division is what decides.",
            "worst": "The *lowest* score wins here.",
            "sum returned": "The sum is returned. Asked for is the score, divided.",
            "with eos": "EOS is among the tokens. Its log-probability counts, it is not written.",
            "nothing": "Where nothing has ended nothing comes back. Asked for is then the best "
            "prefix, with total / max_length ** alpha.",
            "compete": "A prefix that has not ended competes with those that have. It comes back "
            "only where nothing has ended.",
        }.items()
    ],
)
