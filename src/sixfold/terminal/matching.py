"""Moves as people type them: in any case, without the first word, or only as much as is needed."""

from collections.abc import Sequence


def candidates(legal: Sequence[str], typed: str) -> list[str]:
    """The moves that may be meant: the one that is written so, else those that go on so, with or without their verb."""
    text = " ".join(typed.split()).casefold()
    whole = [(move, move.casefold()) for move in legal]
    spoken = [*whole, *((move, short.partition(" ")[2]) for move, short in whole if " " in short)]
    exact = [move for move, said in spoken if said == text]
    return (
        exact
        or [move for move, said in whole if said.startswith(text)]
        or [move for move, said in spoken if said.startswith(text)]
    )


def matching(legal: Sequence[str], typed: str) -> str:
    """The only move that may be meant; otherwise what was typed, for the rules to say what is wrong with it."""
    found = candidates(legal, typed)
    return found[0] if len(found) == 1 else typed.strip()
