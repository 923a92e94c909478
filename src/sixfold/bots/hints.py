"""A hint: what the strongest bot would do, and why, in one sentence that a player would say."""

from dataclasses import dataclass, field

from sixfold.bots import Budget, make
from sixfold.engine.chance import Seeded
from sixfold.engine.explaining import bonus
from sixfold.engine.game import View
from sixfold.engine.notation import read
from sixfold.games import packages
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.language import LANGUAGES, say, sentences

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
    if f"hint_{move}" in sentences(LANGUAGES[0]):
        return f"hint_{move}", {}
    assert view.seat is not None
    game = packages()[view.name]
    number = read(view.rules, move)
    then = view.guess(Seeded(0))
    then.chance = None
    then.play_number(number)
    before, after = view.values[view.seat], then.values[view.seat]
    raised = [symbol for symbol in range(6) if after[symbol] > before[symbol]]
    if min(after) >= game.facts.GOAL:
        return "hint_goal", {}
    full = [symbol for symbol in raised if after[symbol] == game.facts.LAST]
    if full and bonus(then):
        return "hint_bonus", {"symbol": SYMBOLS[full[0]], "goal": str(game.facts.LAST)}
    if not raised:
        return "hint_nothing", {}
    # The lowest symbol that the move raises; among equals one that a joker goes to, and the one that it raises most.
    favours = getattr(game.explaining, "favours", None)
    jokers = {symbol for symbol in raised if favours is not None and favours(number, symbol)}
    symbol = min(raised, key=lambda one: (before[one], one not in jokers, before[one] - after[one]))
    words = {"symbol": SYMBOLS[symbol], "before": str(before[symbol]), "after": str(after[symbol])}
    if before[symbol] == min(before):
        return ("hint_joker" if symbol in jokers else "hint_lowest"), words
    return "hint_raise", words
