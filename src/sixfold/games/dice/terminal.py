"""The dice game in a terminal: each player's dice and sheet side by side, and below what can be done with the roll."""

from sixfold.games.contract import Scene, Span
from sixfold.games.dice import AREAS
from sixfold.games.dice.rules import ROLLS
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.terminal import Line, button, half, heading, row_of, sheet, symbol
from sixfold.language import say

WIDTH = 20
TO = ">"


def draw(scene: Scene) -> list[Line]:
    position = scene.position
    players = []
    for player in range(position.players):
        dice = [span for letter in position.dice[player] for span in half(letter)]
        rows = sheet(scene, player, AREAS, TO if player == scene.player else "")
        players.append([heading(scene, player, WIDTH - 1), dice, [], *rows])
    rolls = [] if position.phase == "over" else [Span(say("roll_of", scene.language, roll=position.rolls, rolls=ROLLS))]
    return [*row_of(players, WIDTH), [], rolls, _jokers(scene), _buttons(scene)]


def _buttons(scene: Scene) -> Line:
    return [span for word in ("score", "reroll") for span in button(scene, word, say(f"pick_{word}", scene.language))]


def _jokers(scene: Scene) -> Line:
    """D7: the groups that have been set apart with their target rows, and those that can be."""
    line: Line = []
    for pick in scene.picked:
        if pick.startswith(TO):
            line += [Span(" ▸ "), *half(pick[1]), Span("  ")]
        elif pick[0] in SYMBOLS:
            line += [Span(f"⟨{pick[1]}×{symbol(pick[0])}⟩", "strong")]
    for pick in scene.offers:
        if pick[0] in SYMBOLS:
            label = say("pick_joker", scene.language, dice=f"{pick[1]}×{symbol(pick[0])}")
            line += button(scene, pick, label)
    return line


def steps(move: str) -> list[tuple[str, ...]]:
    """Each joker's dice and then its row, with the jokers in any order; then the scoring itself."""
    word, *jokers = move.split(" ")
    picks = [(pick, f"{TO}{row}") for pick, row in (joker.split(TO) for joker in jokers)]
    orders = [picks, picks[::-1]] if len(picks) > 1 else [picks]
    return [(*(step for joker in order for step in joker), word) for order in orders]
