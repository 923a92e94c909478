"""The travel edition in a terminal: the board with both scores beside it, and the rack below."""

from sixfold.games.contract import Scene, Span
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.terminal import Line, beside, choices, half, heading, item, items, sheet
from sixfold.games.shared.text import HIDDEN
from sixfold.games.travel import AREAS
from sixfold.games.travel.board import LENGTHS, ROWS
from sixfold.games.travel.rules import CHOICES
from sixfold.language import say

BOARD_WIDTH = 51
SCORES_WIDTH = 26


def draw(scene: Scene) -> list[Line]:
    scores: list[Line] = []
    for player in range(scene.position.players):
        scores += [heading(scene, player, SCORES_WIDTH), *sheet(scene, player, AREAS)]
    return beside([*_board(scene), [], *_racks(scene)], scores, BOARD_WIDTH)


def _board(scene: Scene) -> list[Line]:
    lines = []
    for row, length, letters in zip(ROWS, LENGTHS, scene.position.board, strict=True):
        line = [Span(f"{row} ", "faint"), Span("  " * (max(LENGTHS) - length))]
        for number, letter in enumerate(letters, start=1):
            line += _cell(scene, f"{row}{number}", letter)
        lines.append(line)
    return lines


def _cell(scene: Scene, cell: str, letter: str) -> Line:
    """A cell: the symbol on it, the symbol picked for it, or the points that a half would bring there."""
    tile, *cells = scene.picked or ("",)
    if cell in cells:
        return _edged(cell, half(tile[cells.index(cell)], cell), "⟨⟩")
    if letter != ".":
        return _edged("", half(letter), "()") if cell in scene.marked else half(letter)
    if cell in scene.offers:
        points = scene.offers[cell]
        brings = f"{points}" if points > 9 else f"+{points}" if points else "  "
        return [Span("▐", "free", cell), Span(brings, "free", cell), Span("▌", "free", cell)]
    return [Span(" ·· ", "faint")]


def _edged(pick: str, spans: Line, edges: str) -> Line:
    """A symbol with different edges, to mark what is new."""
    return [Span(edges[0], "strong", pick), spans[1], Span(edges[1], "strong", pick)]


def _racks(scene: Scene) -> list[Line]:
    """The viewer's tiles, the others' tiles where they are visible, and the number of tiles left."""
    position = scene.position
    if position.phase == "choose":
        return [choices(scene, CHOICES), items(position.racks[position.turn])]
    mine = scene.player
    tiles: Line = []
    for name in position.racks[mine] if mine is not None else ():
        picked = scene.picked[:1] == (name,)
        edges = ("⟨", "⟩") if picked else (" ", " ")
        tiles += [Span(edges[0], "strong"), *item(name, (name, name)), Span(edges[1], "strong")]
    others = [rack for player, rack in enumerate(position.racks) if player != mine and HIDDEN not in rack]
    bag = [Span(say("bag", scene.language, number=position.bag), "faint")]
    return [*([tiles] if tiles else []), *(items(rack) for rack in others), bag]


def steps(move: str) -> list[tuple[str, ...]]:
    """The tile, then the cell of its first symbol, then that of its second; for a double either comes first."""
    words = move.split(" ")
    if len(words) == 1:
        return [(move,)]
    (first, second), here, there = tuple(words[1]), words[2], words[3]
    ways = [(first, second, here, there), (second, first, there, here)]
    in_order = [way for way in ways if SYMBOLS.index(way[0]) <= SYMBOLS.index(way[1])]
    return [
        (f"{first_letter}{second_letter}", cell, next_cell) for first_letter, second_letter, cell, next_cell in in_order
    ]
