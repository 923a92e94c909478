"""Hints: the strongest bot's move with a one-sentence reason."""

from dataclasses import dataclass, field

from sixfold.bots import Budget, make
from sixfold.engine.annotations import bonus
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
    """Why a move is good: the first reason that holds, checked in order of importance."""
    if f"hint_{move}" in sentences(LANGUAGES[0]):
        return f"hint_{move}", {}
    assert view.seat is not None
    game = packages()[view.name]
    number = read(view.rules, move)
    then = view.guess(Seeded(0))
    then.chance = None
    then.play_number(number)
    before, after = view.values[view.seat], then.values[view.seat]
    raised = [symbol for symbol in range(len(view.rules.VALUES)) if after[symbol] > before[symbol]]
    if min(after) >= game.facts.GOAL:
        return "hint_goal", {}
    full = [symbol for symbol in raised if after[symbol] == game.facts.LAST]
    if full and bonus(then):
        return "hint_bonus", {"symbol": view.rules.VALUES[full[0]], "goal": str(game.facts.LAST)}
    if not raised:
        return "hint_nothing", {}
    # The lowest symbol that the move raises; ties go to a joker's target, then to the largest gain.
    favours = getattr(game.annotations, "favours", None)
    jokers = {symbol for symbol in raised if favours is not None and favours(number, symbol)}
    symbol = min(
        raised, key=lambda candidate: (before[candidate], candidate not in jokers, before[candidate] - after[candidate])
    )
    words = {"symbol": view.rules.VALUES[symbol], "before": str(before[symbol]), "after": str(after[symbol])}
    if before[symbol] == min(before):
        return ("hint_joker" if symbol in jokers else "hint_lowest"), words
    return "hint_raise", words
