"""What a table asks of a game's rules beyond playing a move."""

from types import ModuleType

from sixfold.engine.game import Game, View, rules_of
from sixfold.games.shared.symbols import FIRST_DECISION


def version(game: str) -> int:
    """The version of a game's rules."""
    return int(rules_of(game).VERSION)


def most_rounds(rules: ModuleType, most: int) -> int:
    """C17, D14: the travel edition is played in single games."""
    return most if rules.SERIES else 1


def default_rounds(rules: ModuleType, players: int) -> int:
    """D14: where nothing else is agreed, as many games as players, so that everybody starts once; otherwise one."""
    return players if rules.END == "D13" else 1


def choosing(game: Game) -> bool:
    """T16, C13: is a private choice open?"""
    return bool(game.rules.CHOICES) and int(game.states["phase"][0]) == game.rules.CHOOSE


def declined(game: Game, line: str) -> bool:
    """T16, C13: is this line the choice that nobody else hears of?"""
    return bool(game.rules.CHOICES) and line.partition(" ")[2] == game.rules.CHOICES[0]


def deciding(game: Game) -> bool:
    """Is it an ordinary decision of a turn, not a choice at its end?"""
    return int(game.states["phase"][0]) == FIRST_DECISION


def whose(game: Game) -> int:
    """The player whose turn it is, also while chance has to speak."""
    return int(game.states["turn"][0])


def shown_by(game: Game, line: str) -> list[str] | None:
    """C13: the hand that a player is about to show to everybody with this move."""
    player, _, move = line.partition(" ")
    if move != "renew":
        return None
    hand, size = game.fields["hand"][int(player)], game.fields["hand_size"][int(player)]
    return [game.rules.ITEMS[card] for card in hand[:size]]


def over_why(game: Game) -> str | None:
    """T18, T19, C15, D13: why a game is over."""
    if not game.over:
        return None
    if game.rules.END == "T18":
        return "all_18" if any(min(row) == game.rules.GOAL for row in game.values) else "no_room"
    return {"C15": "chips_home", "D13": "boxes_full"}[game.rules.END]


def view(game: Game, player: int | None) -> View:
    """What a player may know. T16, C13: for everybody else an open choice is the end of the turn like any other."""
    if choosing(game) and player != whose(game):
        game = game.copy()
        game.apply(f"{game.turn} {game.rules.CHOICES[0]}")
    return game.view(player)
