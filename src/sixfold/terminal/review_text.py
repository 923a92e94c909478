"""A review as text: marks beside moves, candidates of a step, the curve and a summary."""

from collections.abc import Iterable, Sequence

from sixfold.language import say
from sixfold.review.model import Account, Decision, Review, Step
from sixfold.review.text import SIGNS, chart

MAX_CANDIDATES = 5
HEIGHT = 6


def decimal(value: float, language: str, sign: str = "") -> str:
    """A number with one decimal place, in the language's notation."""
    formatted = f"{value:{sign}.1f}"
    return formatted if language == "en" else formatted.replace(".", ",")


def mark_suffix(step: Step | None) -> str:
    """The suffix of a move that has a mark."""
    return f" {SIGNS[step.mark]}" if isinstance(step, Decision) and step.mark else ""


def verdict(step: Step, language: str) -> str:
    """Describe a step in one line."""
    if not isinstance(step, Decision):
        return say("review_luck", language, luck=decimal(step.luck, language, "+"))
    if step.forced or step.best == step.move:
        return say("review_forced" if step.forced else "review_best", language)
    cost = decimal(step.cost, language)
    if step.mark is None:
        return say("review_little", language, cost=cost, best=step.best)
    mark = say(f"review_sign_{step.mark}", language)
    if step.margin is not None:
        return say("review_decided", language, mark=mark, best=step.best)
    return say("review_marked", language, mark=mark, cost=cost, best=step.best)


def step_lines(step: Step, language: str) -> Iterable[str]:
    """Describe a step; for a decision also the best moves with their chances and, with an arrow, the played one."""
    yield verdict(step, language)
    if isinstance(step, Decision):
        for rank, candidate in enumerate(step.candidates):
            if rank < MAX_CANDIDATES or candidate.move == step.move:
                arrow = "→" if candidate.move == step.move else " "
                yield f"{arrow} {decimal(candidate.chance, language):>5}  {candidate.move}"


def summary_lines(review: Review, names: Sequence[str], language: str) -> Iterable[str]:
    """Each player's curve and account."""
    for account in review.accounts:
        name = names[account.player]
        if account.player:
            yield ""
        if account.player == 0 or review.players > 2:
            yield say("review_curve", language, name=name)
            chances = [review.begin[account.player], *(chances[account.player] for chances in review.curve)]
            yield from chart(chances, HEIGHT)
            yield ""
        yield from _account_lines(account, name, language)


def _account_lines(account: Account, name: str, language: str) -> Iterable[str]:
    yield say("review_counts", language, name=name, **{mark: str(times) for mark, times in account.marks.items()})
    lost, mean = decimal(account.lost, language), decimal(account.mean_cost, language)
    yield say("review_lost", language, lost=lost, decisions=str(account.decisions), mean=mean)
    luck, even = decimal(account.luck, language, "+"), decimal(account.even, language)
    yield say("review_even", language, luck=luck, begin=decimal(account.begin, language), even=even)
