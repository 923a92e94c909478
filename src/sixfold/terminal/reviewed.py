"""A review in words, for the screen: marks beside moves, candidates of a step, a curve and sums."""

from collections.abc import Iterable, Sequence

from sixfold.language import say
from sixfold.review.shapes import Account, Decision, Review, Step
from sixfold.review.text import SIGNS, chart

MOST_CANDIDATES = 5
HEIGHT = 6


def number(value: float, language: str, sign: str = "") -> str:
    """With one digit behind the point or comma."""
    written = f"{value:{sign}.1f}"
    return written if language == "en" else written.replace(".", ",")


def sign(step: Step | None) -> str:
    """What stands behind a move that has a mark."""
    return f" {SIGNS[step.mark]}" if isinstance(step, Decision) and step.mark else ""


def verdict(step: Step, language: str) -> str:
    """A step in one line."""
    if not isinstance(step, Decision):
        return say("review_luck", language, luck=number(step.luck, language, "+"))
    if step.forced or step.best == step.move:
        return say("review_forced" if step.forced else "review_best", language)
    cost = number(step.cost, language)
    if step.mark is None:
        return say("review_little", language, cost=cost, best=step.best)
    mark = say(f"review_sign_{step.mark}", language)
    if step.margin is not None:
        return say("review_decided", language, mark=mark, best=step.best)
    return say("review_marked", language, mark=mark, cost=cost, best=step.best)


def told(step: Step, language: str) -> Iterable[str]:
    """A step with the best moves of a decision and their chances, and always the played one, with an arrow."""
    yield verdict(step, language)
    if isinstance(step, Decision):
        for at, one in enumerate(step.candidates):
            if at < MOST_CANDIDATES or one.move == step.move:
                yield f"{'→' if one.move == step.move else ' '} {number(one.chance, language):>5}  {one.move}"


def sums(review: Review, names: Sequence[str], language: str) -> Iterable[str]:
    """Everybody's curve and sums."""
    for account in review.accounts:
        name = names[account.player]
        if account.player:
            yield ""
        if account.player == 0 or review.players > 2:
            yield say("review_curve", language, name=name)
            chances = [review.begin[account.player], *(chances[account.player] for chances in review.curve)]
            yield from chart(chances, HEIGHT)
            yield ""
        yield from _account(account, name, language)


def _account(account: Account, name: str, language: str) -> Iterable[str]:
    yield say("review_counts", language, name=name, **{mark: str(times) for mark, times in account.marks.items()})
    lost, mean = number(account.lost, language), number(account.mean_cost, language)
    yield say("review_lost", language, lost=lost, decisions=str(account.decisions), mean=mean)
    luck, even = number(account.luck, language, "+"), number(account.even, language)
    yield say("review_even", language, luck=luck, begin=number(account.begin, language), even=even)
