"""The card game in a terminal: each player's chips and face-up cards side by side, and the hand below."""

from sixfold.games.cards import AREAS
from sixfold.games.cards.rules import CHOICES
from sixfold.games.contract import Scene, Span
from sixfold.games.shared.terminal import Line, choices, heading, item, items, row_of, sheet
from sixfold.games.shared.text import HIDDEN
from sixfold.language import say

WIDTH = 20


def draw(scene: Scene) -> list[Line]:
    position = scene.position
    players = [
        [heading(scene, player, WIDTH - 1), items(position.open[player]), *sheet(scene, player, AREAS)]
        for player in range(position.players)
    ]
    discards = sum(position.discards.values())
    piles = Span(say("piles", scene.language, pile=position.pile, discards=discards), "faint")
    return [*row_of(players, WIDTH), [], *_hand(scene), [], [piles]]


def _hand(scene: Scene) -> list[Line]:
    """The viewer's hand, where C8 the picked half is scored first; without a viewer, all visible hands."""
    position = scene.position
    if position.phase == "choose":
        return [choices(scene, CHOICES), items(position.hands[position.turn])]
    if scene.player is None:
        seen = [player for player, hand in enumerate(position.hands) if hand and HIDDEN not in hand]
        return [[Span(f"{scene.names[player]}: "), *items(position.hands[player])] for player in seen]
    line: Line = []
    for name in position.hands[scene.player]:
        ways = (name, name[::-1])
        picked = bool(scene.picked) and scene.picked[0] in ways
        edges = ("⟨", "⟩") if picked else (" ", " ")
        line += [Span(edges[0], "strong"), *item(name, ways), Span(f"{edges[1]}  ", "strong")]
    return [line]


def steps(move: str) -> list[tuple[str, ...]]:
    """One half of a card; its symbol is scored first."""
    return [(move.split(" ")[-1],)]
