"""Hints: the strongest bot's move with a one-sentence reason."""

from dataclasses import dataclass, field

from sixfold.bots import Budget, make
from sixfold.bots.reasons import build_explain, make_workspace, reasons_of
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.engine.notation import read
from sixfold.games import packages
from sixfold.language import LANGUAGES, say, sentences


def strongest(game: str) -> str:
    """The bot that gives hints: the highest level, or the tree search for a game without levels."""
    return "level5" if packages()[game].has_levels else "search"


@dataclass(frozen=True)
class Hint:
    """A move and its reason, as a sentence key with parameters; a symbol is given by its letter."""

    move: str
    key: str
    words: dict[str, str] = field(default_factory=dict)

    def sentence(self, language: str = "en") -> str:
        """The reason in one sentence."""
        words = dict(self.words)
        if "symbol" in words:
            words["symbol"] = say(f"symbol_{words['symbol']}", language)
        return say(self.key, language, **words)


def hint(view: View, chance: Seeded, budget: Budget | None = None) -> Hint:
    """The strongest bot's move for this view, with its reason."""
    bot = make(strongest(view.name), view.name, view.players)
    move = bot.choose(view, budget or Budget(), chance)
    key, words = reason(view, move)
    return Hint(move, key, words)


def reason(view: View, move: str) -> tuple[str, dict[str, str]]:
    """Why a move of the player in turn is good; a sentence about the very move comes first."""
    if f"hint_{move}" in sentences(LANGUAGES[0]):
        return f"hint_{move}", {}
    package = packages()[view.name]
    workspace = make_workspace(package)
    which = build_explain(package)(view.states, workspace, read(view.rules, move))
    found = reasons_of(package)[which].filled(workspace.words.tolist())
    return found.key, found.words
