"""A review as text: the curve, the steps that mattered, and the totals."""

from collections.abc import Iterable, Sequence

from sixfold.review.model import Account, Decision, Draw, Review

WIDTH = 72
HEIGHT = 8
BLOCKS = " ▁▂▃▄▅▆▇█"
SIGNS = {"slip": "?!", "mistake": "?", "blunder": "??"}
MOMENTS = 5

JUDGES = {
    "values": "the exact values",
    "approximation": "the approximation of the solution",
    "net": "the net, playing on in many worlds",
    "playouts": "playouts",
}


def chart(chances: Sequence[float], height: int = HEIGHT) -> list[str]:
    """A bar chart of chances in points, in rows from 100 down to 0."""
    width = min(WIDTH, len(chances))
    sampled = [chances[at * (len(chances) - 1) // max(width - 1, 1)] for at in range(width)]
    rows = []
    for row in range(height - 1, -1, -1):
        levels = [min(max(chance / 100 * height - row, 0.0), 1.0) for chance in sampled]
        label = {height - 1: "100", height // 2 - 1: " 50", 0: "  0"}.get(row, "   ")
        rows.append(f"{label} │{''.join(BLOCKS[round(level * 8)] for level in levels)}")
    return rows


def place(share: float, players: int) -> float:
    """The expected place of a player who finishes ahead of this share of the others, in points."""
    return 1 + (players - 1) * (1 - share / 100)


def name(review: Review, player: int) -> str:
    return review.names[player] if review.names else f"player {player}"


def lines(review: Review) -> Iterable[str]:
    """The whole report."""
    yield f"{review.game}, {review.players} players, judged by {JUDGES[review.judged_by]}"
    if review.players > 2:
        yield "A point is a hundredth of the share of the others that a player finishes ahead of."
    for player in range(review.players if review.players > 2 else 1):
        yield f"\n{name(review, player)}'s chance, event by event"
        height = HEIGHT if review.players == 2 else HEIGHT // 2
        yield from chart([review.begin[player], *(chances[player] for chances in review.curve)], height)
    yield from _decisions(review)
    yield from _draws(review)
    for account in review.accounts:
        yield from _totals(review, account)


def _decisions(review: Review) -> Iterable[str]:
    marked = [step for step in review.steps if isinstance(step, Decision) and step.mark]
    yield "\nDecisions" if marked else "\nNo decision cost enough for a mark."
    for step in marked:
        assert step.mark is not None
        prefix = f"{step.number:4} {name(review, step.player)}: {step.move} {SIGNS[step.mark]}"
        if step.margin is not None:
            margin = f"{step.margin:.1f} steps of margin"
            yield f"{prefix}  {step.mark}, with the game decided: {margin}; better: {step.best}"
            continue
        error = f" ± {step.error:.1f}" if step.error else ""
        chances = f"{step.chance:.1f} instead of {step.best_chance:.1f}"
        yield f"{prefix}  {step.mark}, cost {step.cost:.1f}{error} ({chances}); better: {step.best}"


def _draws(review: Review) -> Iterable[str]:
    draws = [step for step in review.steps if isinstance(step, Draw)]
    yield "\nThe luckiest and unluckiest"
    for step in sorted(sorted(draws, key=lambda draw: -abs(draw.luck))[:MOMENTS], key=lambda draw: draw.number):
        error = f" ± {step.error:.1f}" if step.error else ""
        yield f"{step.number:4} {step.event}  {step.luck:+.1f}{error} for {name(review, step.player)}"


def _totals(review: Review, account: Account) -> Iterable[str]:
    marks = ", ".join(f"{number} {mark}{'s' if number != 1 else ''}" for mark, number in account.marks.items())
    yield f"\n{name(review, account.player)}: {marks}"
    yield (
        f"  lost {account.lost:.2f} points in {account.decisions} decisions that were not forced, "
        f"{account.mean_cost:.2f} each; luck {account.luck:+.2f}"
        + (f" ± {account.luck_error:.2f}" if account.luck_error else "")
    )
    if account.result is None or account.gap is None:
        yield "  The record ends before the game does."
        return
    yield (
        f"  {account.result:.2f} in the end - {account.begin:.2f} before = {account.luck:+.2f} luck "
        f"- {account.lost:.2f} lost + {account.others_lost:.2f} lost by others {account.gap:+.2f} unexplained"
    )
    even = f"  with even luck: {account.even:.2f}"
    yield even + (f", place {place(account.even, review.players):.2f}" if review.players > 2 else "")
