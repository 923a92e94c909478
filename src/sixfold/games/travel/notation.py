"""Moves of the travel edition as text (docs/rules/record.md)."""

from sixfold.games.contract import Refusal
from sixfold.games.shared.notation import no_item
from sixfold.games.shared.symbols import SYMBOLS, first_of, second_of
from sixfold.games.travel.board import CELL_INDEX, CELLS, PAIR_INDEX, PAIRS
from sixfold.games.travel.moves import KEEP, pair_of, way_of
from sixfold.games.travel.rules import CHOICES

EXAMPLE = "place RG c4 c5"


def format_move(move: int) -> str:
    if move >= KEEP:
        return CHOICES[move - KEEP]
    here, there = PAIRS[pair_of(move)]
    way = way_of(move)
    return f"place {SYMBOLS[first_of(way)]}{SYMBOLS[second_of(way)]} {CELLS[here]} {CELLS[there]}"


def diagnose(text: str) -> Refusal | None:
    """T1, T5: what is wrong with a tile or its cells."""
    words = text.split(" ")
    if words[0] != "place" or len(words) != 4:
        return None
    _, tile, first, second = words
    refusal = no_item(tile)
    if refusal:
        return refusal
    for cell in (first, second):
        if cell not in CELL_INDEX:
            return Refusal("no_cell", "T1", {"cell": cell})
    if (CELL_INDEX[second], CELL_INDEX[first]) in PAIR_INDEX:
        return Refusal("cell_order", "record", {"example": f"place {tile[1]}{tile[0]} {second} {first}"})
    return Refusal("not_adjacent", "T5", {"first": first, "second": second})
