"""A hint: what the strongest bot would do, and why, in one sentence that a player would say."""

from dataclasses import dataclass, field

from sixfold.bots import Budget, make
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.engine.notation import read
from sixfold.games.dice import rules as dice
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.language import say

STRONGEST = "level5"


@dataclass(frozen=True)
class Hint:
    """A move, and the reason as a sentence's key with its words; a symbol is its letter."""

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
    """What the strongest bot would do in this position of a seat, with its reason."""
    bot = make(STRONGEST, view.name, view.players)
    move = bot.choose(view, budget or Budget(), chance)
    key, words = reason(view, move)
    return Hint(move, key, words)


def reason(view: View, move: str) -> tuple[str, dict[str, str]]:
    """Why somebody would make a move: the first reason that holds, the most telling ones first."""
    if move in ("keep", "swap", "renew", "reroll"):
        return f"hint_{move}", {}
    assert view.seat is not None
    before = view.values[view.seat]
    after = values_after(view, move)
    goal = {"travel": 18, "cards": 10, "dice": 7}[view.name]
    won = {"travel": 18, "cards": 7, "dice": 7}[view.name]
    raised = [symbol for symbol in range(6) if after[symbol] > before[symbol]]
    if min(after) >= won:
        return "hint_goal", {}
    full = [symbol for symbol in raised if after[symbol] == goal]
    if full and view.name != "dice":
        return "hint_bonus", {"symbol": SYMBOLS[full[0]], "goal": str(goal)}
    if not raised:
        return "hint_nothing", {}
    # The lowest symbol that the move raises; among equals one that a joker goes to, and the one that it raises most.
    jokers = {SYMBOLS.index(word[-1]) for word in move.split() if ">" in word}
    symbol = min(raised, key=lambda one: (before[one], one not in jokers, before[one] - after[one]))
    words = {"symbol": SYMBOLS[symbol], "before": str(before[symbol]), "after": str(after[symbol])}
    if before[symbol] == min(before):
        return ("hint_joker" if symbol in jokers else "hint_lowest"), words
    return "hint_raise", words


def values_after(view: View, move: str) -> list[int]:
    """The six values of the player in turn after a move, before anything is drawn or rolled."""
    game = view.guess(Seeded(0)).copy()
    game.chance = None
    number = read(view.rules, move)
    if view.rules is dice:
        # D5: the next player rolls at once; only the marks are looked at.
        dice.earn(game.state, number)
        dice.mark(game.state)
    else:
        game.play_number(number)
    assert view.seat is not None
    return game.values[view.seat]
