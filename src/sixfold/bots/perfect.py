"""The bot that knows the solution of the two-player dice game by heart."""

from sixfold import notation
from sixfold.bots import Budget
from sixfold.chance import Seeded
from sixfold.games import SetupError, View
from sixfold.rules import dice
from sixfold.solve.odds import Odds
from sixfold.solve.sheets import code
from sixfold.solve.values import Values, open_values


def seen(view: View) -> tuple[int, int, int, int, int]:
    """Both sheets, the opponent's dice and the roll of the player in turn as codes, and the number of rolls made."""
    state = view.state
    me = int(state.turn)
    words = (state.marks[me], state.marks[1 - me], state.dice[1 - me], state.dice[me])
    mine, theirs, shown, roll = (int(code(numbers)) for numbers in words)
    return mine, theirs, shown, roll, int(state.rolls)


class Perfect:
    """Never makes a mistake; needs the value file (``sixfold solve dice``)."""

    def __init__(self, game: str, players: int) -> None:
        if (game, players) != (dice.NAME, 2):
            raise SetupError("the bot 'perfect' plays only the dice game with two players")
        self._values: dict[bool, Values] = {}

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        split = view.options["split_jokers"]
        if split not in self._values:
            self._values[split] = open_values(split)
        mine, theirs, shown, roll, rolls = seen(view)
        return notation.write(dice, Odds(self._values[split], mine, theirs, shown).best(roll, rolls))
