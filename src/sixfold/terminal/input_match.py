"""Match typed text to legal moves: case-insensitive, with or without the verb, or by an unambiguous prefix."""

from collections.abc import Sequence


def candidates(legal: Sequence[str], typed: str) -> list[str]:
    """The legal moves that match: an exact match if there is one, else prefix matches, with or without the verb."""
    text = " ".join(typed.split()).casefold()
    full = [(move, move.casefold()) for move in legal]
    forms = [*full, *((move, form.partition(" ")[2]) for move, form in full if " " in form)]
    exact = [move for move, form in forms if form == text]
    return (
        exact
        or [move for move, form in full if form.startswith(text)]
        or [move for move, form in forms if form.startswith(text)]
    )


def match_move(legal: Sequence[str], typed: str) -> str:
    """The only legal move that matches; otherwise the typed text, for the rules to explain what is wrong with it."""
    moves = candidates(legal, typed)
    return moves[0] if len(moves) == 1 else typed.strip()
