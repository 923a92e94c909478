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
    """D7: the groups that can be set apart, and those that were, with the rows that they go to."""
    line: Line = []
    for group in scene.picked:
        if group.startswith(TO):
            line += [Span(" ▸ "), *half(group[1]), Span("  ")]
        elif group[0] in SYMBOLS:
            line += [Span(f"⟨{group[1]}×{symbol(group[0])}⟩", "strong")]
    for group in scene.offers:
        if group[0] in SYMBOLS:
            label = say("pick_joker", scene.language, dice=f"{group[1]}×{symbol(group[0])}")
            line += button(scene, group, label)
    return line


def steps(move: str) -> list[tuple[str, ...]]:
    """Each joker's dice and then its row, in any order of jokers; then the scoring itself."""
    word, *jokers = move.split(" ")
    picks = [(group, f"{TO}{row}") for group, row in (joker.split(TO) for joker in jokers)]
    orders = [picks, picks[::-1]] if len(picks) > 1 else [picks]
    return [(*(pick for joker in order for pick in joker), word) for order in orders]
