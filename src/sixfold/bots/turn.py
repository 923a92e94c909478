"""A bot's whole turn: its move and, where the move leads to one, its private choice."""

import threading

from sixfold.bots import Bot, Budget, make
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View

# T16, C13: a longer thought about the choice would reveal that there is one.
CHOICE_MS = 10
_thread_local = threading.local()


def decide_turn(level: str, view: View, budget: Budget, chance: Seeded) -> tuple[str, str | None]:
    """A bot's move and, if the move leads to a private choice, that choice too; both are played at once."""
    bot = _bot(level, view.name, view.players)
    move = bot.choose(view, budget, chance)
    # A choice depends only on what the seat sees, so any guess of the rest will do.
    after = view.guess(Seeded(0))
    after.chance = None
    after.play(move)
    if not after.choosing:
        return move, None
    milliseconds = CHOICE_MS if budget.milliseconds is None else min(budget.milliseconds, CHOICE_MS)
    return move, bot.choose(after.view(view.turn), Budget(milliseconds, budget.iterations), chance)


def _bot(level: str, game: str, players: int) -> Bot:
    """A bot of this thread; each is created once."""
    bots: dict[tuple[str, str, int], Bot] = _thread_local.__dict__.setdefault("bots", {})
    key = (level, game, players)
    if key not in bots:
        bots[key] = make(*key)
    return bots[key]
