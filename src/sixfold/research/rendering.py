"""A game as text or picture, for the environments."""

from sixfold.engine.drawing import svg
from sixfold.engine.game import Game

MODES = ("human", "ansi", "svg")


def render(game: Game, mode: str | None) -> str | None:
    """The text of a position, printed for humans, or its drawing."""
    if mode == "svg":
        return svg(game)
    if mode == "ansi":
        return str(game)
    if mode == "human":
        print(game)
    return None
