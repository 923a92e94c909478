"""Referee for the travel edition (T1 to T20)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from .common import (
    Referee,
    Refusal,
    Values,
    canonical,
    check_sorted,
    check_tiles,
    is_pair,
    lowest,
    pairs,
    refuse,
    sample,
    zeros,
)

Cell = tuple[int, int]  # row 0 to 10 from the top, number from 1 at the left

ROW_LENGTHS = (6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6)
CELLS: list[Cell] = [(row, n) for row, length in enumerate(ROW_LENGTHS) for n in range(1, length + 1)]
NAMES: dict[Cell, str] = {(row, n): "abcdefghijk"[row] + str(n) for row, n in CELLS}
CELL_OF: dict[str, Cell] = {name: cell for cell, name in NAMES.items()}
CORNERS: dict[Cell, str] = {
    CELL_OF[name]: symbol
    for name, symbol in {"a1": "R", "a6": "G", "f11": "B", "k6": "O", "k1": "Y", "f1": "P"}.items()
}
TILES = pairs(same=True)
TOP = 18
RACK = 6


def below(cell: Cell, side: int) -> Cell:
    """The cell below left (side 0) or below right (side 1), by the sentence in the record's notation."""
    row, number = cell
    longer = row < 10 and ROW_LENGTHS[row + 1] > ROW_LENGTHS[row]
    return (row + 1, number + side if longer else number - 1 + side)


def all_directions() -> list[dict[Cell, Cell]]:
    """For each of the six directions: from a cell to its neighbour there, where the board has one."""
    right = {(row, n): (row, n + 1) for row, n in CELLS}
    below_left = {cell: below(cell, 0) for cell in CELLS}
    below_right = {cell: below(cell, 1) for cell in CELLS}
    forward = [{a: b for a, b in step.items() if b in CELLS} for step in (right, below_left, below_right)]
    return forward + [{b: a for a, b in step.items()} for step in forward]


DIRECTIONS = all_directions()


def neighbours(cell: Cell) -> set[Cell]:
    """The cells next to a cell."""
    return {step[cell] for step in DIRECTIONS if cell in step}


PAIRS: list[tuple[Cell, Cell]] = [(a, b) for a in CELLS for b in sorted(neighbours(a)) if a < b]


def points(board: dict[Cell, str], cell: Cell, other: Cell) -> int:
    """T9, T10: what the symbol on `cell` scores when the tile's other half lies on `other`."""
    total = 0
    for step in DIRECTIONS:
        here = step.get(cell)
        if here == other:
            continue
        while here is not None and board.get(here) == board[cell]:
            total += 1
            here = step.get(here)
    return total


def corners_touched(first: Cell, second: Cell) -> set[Cell]:
    """T6: the printed corners next to either cell."""
    return {corner for corner in CORNERS if corner in neighbours(first) | neighbours(second)}


class Travel(Referee):
    """A game of the travel edition. Phases: deal, place, choice, draw, over."""

    OPTIONS = ("open_racks",)
    PLAYERS = range(2, 3)

    def __init__(self, players: int, options: Mapping[str, bool]) -> None:
        super().__init__(players, options)
        self.board: dict[Cell, str] = dict(CORNERS)
        self.bag = Counter({tile: 2 if tile[0] == tile[1] else 3 for tile in TILES})  # T2
        self.racks: list[Counter[str]] = [Counter(), Counter()]
        self.scores: list[Values] = [zeros(), zeros()]
        self.turn = 0  # turns finished so far, both players together
        self.first_corner: set[Cell] = set()
        self.bonus = 0  # bonus turns still due
        self.bonus_turn = False
        self.swapping = False
        self.phase = "deal"

    def all_values(self) -> list[Values]:
        """The scores."""
        return self.scores

    def free_pairs(self) -> list[tuple[Cell, Cell]]:
        """All pairs of adjacent free cells, in board order (T5, T18)."""
        return [(a, b) for a, b in PAIRS if a not in self.board and b not in self.board]

    def allowed_first(self, first: Cell, second: Cell) -> bool:
        """T6: in the first round a corner is touched, by the second player another one than by the first."""
        return self.turn >= 2 or bool(corners_touched(first, second) - self.first_corner)

    def swap_offered(self) -> bool:
        """T16: no tile left shows a lowest symbol, and the bag holds six."""
        shown = {symbol for tile in self.racks[self.player].elements() for symbol in tile}
        return not shown & lowest(self.scores[self.player]) and self.bag.total() >= RACK

    def choices(self) -> list[str]:
        """All placements in every spelling, or keep and swap."""
        if self.phase == "choice":
            return [f"{self.player} keep", f"{self.player} swap"]
        if self.phase != "place":
            return []
        held = set(self.racks[self.player].elements())
        ways = sorted({way for tile in held for way in (tile, tile[::-1])})
        return [
            f"{self.player} place {way} {NAMES[a]} {NAMES[b]}"
            for a, b in self.free_pairs()
            if self.allowed_first(a, b)
            for way in ways
        ]

    def move(self, words: list[str]) -> None:
        """A placement, or the choice at the end of the turn."""
        if words[0] == "place":
            self.place(words[1], CELL_OF[words[2]], CELL_OF[words[3]])
        else:
            self.swapping = words[0] == "swap"
            self.phase = "draw"

    def place(self, letters: str, first: Cell, second: Cell) -> None:
        """T5, T9 to T14, T18, T19: lay the tile, score both halves, see what comes next."""
        self.racks[self.player] -= Counter([canonical(letters)])
        self.board[first], self.board[second] = letters[0], letters[1]
        if self.turn == 0:
            self.first_corner = corners_touched(first, second)
        scores = self.scores[self.player]
        for cell, other in ((first, second), (second, first)):
            symbol = self.board[cell]
            before = scores[symbol]
            scores[symbol] = min(TOP, before + points(self.board, cell, other))
            if before < TOP and scores[symbol] == TOP:
                self.bonus += 1
        if all(score == TOP for score in scores.values()):
            self.end("T19")
        elif not self.free_pairs():
            self.end("T18")
        elif self.bonus:
            self.bonus -= 1
            self.bonus_turn = True
        else:
            self.phase = "choice" if self.swap_offered() else "draw"

    def explain(self, words: list[str]) -> Refusal:
        """Name the clause that an event breaks where a player has to choose."""
        if self.phase == "choice":
            return Refusal("T16", f"player {self.player} chooses between keep and swap here")
        if words[:2] != [str(self.player), "place"]:
            clause = "T13" if self.bonus_turn else "T16" if words[1:] in (["keep"], ["swap"]) else "record"
            return Refusal(clause, f"player {self.player} has to place a tile")
        if len(words) != 5 or not is_pair(words[2]) or not {words[3], words[4]} <= set(CELL_OF):
            return Refusal("record", "a placement is two letters and two cells")
        return self.explain_place(words[2], CELL_OF[words[3]], CELL_OF[words[4]])

    def explain_place(self, letters: str, first: Cell, second: Cell) -> Refusal:
        """Name the clause that a placement breaks (T5, T6, record)."""
        for cell in (first, second):
            if cell in self.board:
                return Refusal("T5", f"{NAMES[cell]} is taken")
        if first not in neighbours(second):
            return Refusal("T5", f"{NAMES[first]} and {NAMES[second]} are not adjacent")
        if first > second:
            return Refusal("record", "the cells are not in board order")
        if not self.racks[self.player][canonical(letters)]:
            return Refusal("T5", f"{canonical(letters)} is not in the rack")
        if not self.allowed_first(first, second):
            return Refusal("T6", "in the first round a tile touches a corner, and each player another one")
        return Refusal("record", "not a legal placement")

    def due(self) -> tuple[str, int, int, str]:
        """Which chance event comes now: its word, its player, how many tiles, by which clause."""
        if self.phase == "deal":
            return "deal", self.player, RACK, "T4"
        if self.swapping:
            return "draw", self.player, RACK, "T16"
        return "draw", self.player, RACK - self.racks[self.player].total(), "T15"

    def chance(self, words: list[str]) -> None:
        """T4, T15, T16: tiles come out of the bag; after a swap the old ones then go back."""
        word, player, count, clause = self.due()
        if words[:2] != [word, str(player)]:
            refuse("T16" if words[1:] in (["keep"], ["swap"]) else "record", f"'{word} {player}' expected")
        tiles = check_tiles(words[2:], TILES, count, clause)
        check_sorted(words[2:])
        if not tiles <= self.bag:
            refuse("T2", f"not in the bag: {' '.join((tiles - self.bag).elements())}")
        self.bag -= tiles
        if self.swapping:
            self.bag += self.racks[player]
            self.racks[player] = Counter()
        self.racks[player] += tiles
        self.after_chance()

    def after_chance(self) -> None:
        """The next deal, or the next player's turn."""
        self.player = 1 - self.player
        if self.phase == "deal" and self.player == 1:
            return
        if self.phase == "draw":
            self.turn += 1
        self.phase = "place"
        self.swapping = False
        self.bonus_turn = False

    def random_chance(self, rng: random.Random) -> str:
        """Tiles drawn blindly."""
        word, player, count, _ = self.due()
        return " ".join([word, str(player), *sample(rng, self.bag, count)])
