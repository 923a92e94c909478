"""Render modes of the environments: text or SVG."""

from sixfold.engine.game import Game
from sixfold.engine.svg import render_svg

MODES = ("human", "ansi", "svg")


def render(game: Game, mode: str | None) -> str | None:
    """The position as text, which is printed in human mode, or as SVG."""
    if mode == "svg":
        return render_svg(game)
    if mode == "ansi":
        return str(game)
    if mode == "human":
        print(game)
    return None
