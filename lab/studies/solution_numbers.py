"""The figures of docs/dice-solved.md, computed from a value file and written as JSON."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lab.studies.matches import LEADS, Match, match
from sixfold.games.dice import rules as dice
from sixfold.solve.play.approximation import Guess, shipped_digest
from sixfold.solve.play.expectimax import BEST, look_ahead
from sixfold.solve.play.odds import dice_text, read_dice, read_sheet
from sixfold.solve.positions.outcomes import scoring_state
from sixfold.solve.positions.sheets import row
from sixfold.solve.positions.state_space import StateSpace
from sixfold.solve.values.file import Values
from sixfold.solve.values.proof import largest_drop, residual
from sixfold.system import atomic_file

HABITS = ("no_jokers", "three_rolls", "one_roll", "greedy")
SEED = 2012

ProgressCallback = Callable[[str, int, int], None]


def first_turn(values: Values, guess: Guess) -> dict[str, Any]:
    """The value of starting: by the second player's dice (D3), on average, and with a hidden start (D15)."""
    numbering = values.numbering
    shown = {dice_text(int(roll)): values.chance(0, 0, int(roll)) for roll in numbering.rolls}
    roll_worth = np.zeros(dice.ROLLS)
    look_ahead(
        numbering, values.block, guess, BEST, scoring_state(values.variant.split_jokers), 0, 0, 0, roll_worth
    )  # fmt: skip
    kinds: dict[str, list[float]] = {}
    for roll, chance in zip(numbering.rolls, numbering.chance, strict=True):
        kind = "".join(
            str(number) for number in sorted((int(row(roll, at)) for at in range(6)), reverse=True) if number
        )
        kinds.setdefault(kind, [0.0, 0.0])
        kinds[kind][0] += float(chance)
        kinds[kind][1] += float(chance) * shown[dice_text(int(roll))]
    return {
        "printed": float(sum(numbering.chance * np.array(list(shown.values())))),
        "hidden": float(roll_worth[0]),
        "by_dice": {kind: {"chance": share, "value": total / share} for kind, (share, total) in kinds.items()},
    }


def loss(games: Match, player: int) -> dict[str, float]:
    """The average cost of a player's decisions per game, and how often that player won."""
    costs = games.losses[:, player]
    wins = games.wins if player == 0 else ~games.wins
    return {
        "games": len(costs),
        "loss": float(costs.mean()),
        "error": float(costs.std() / np.sqrt(len(costs))),
        "wins": float(wins.mean()),
        "wins_error": float(wins.std() / np.sqrt(len(costs))),
    }


def perfect_games(
    values: Values, space: StateSpace, guess: Guess, games: int, on_progress: ProgressCallback
) -> dict[str, Any]:
    """Perfect play against itself: the start player's win rate, to compare with the prediction, and statistics."""
    played = match(
        values, space.turns, guess, ("perfect", "perfect"), games, SEED, True, for_stage(on_progress, "perfect")
    )
    start_player_won = played.wins == (np.arange(games) % 2 == 0)
    tally = played.tally
    return {
        "games": games,
        "start_player_wins": float(start_player_won.mean()),
        "error": float(start_player_won.std() / np.sqrt(games)),
        "largest_loss": float(played.losses.max()),
        "turns": tally.turns[: int(np.flatnonzero(tally.turns).max()) + 1].tolist(),
        "rolls": tally.rolls.tolist(),
        "leads": {"middle": LEADS // 2, "sums": tally.leads.tolist()},
        "jokers": tally.jokers.tolist(),
        "targets": tally.targets.tolist(),
    }


def for_stage(on_progress: ProgressCallback, stage: str) -> Callable[[int, int], None]:
    return lambda done, number: on_progress(stage, done, number)


def example(values: Values, mine: str, theirs: str, shown: str) -> dict[str, Any]:
    """A position in the notation of ``sixfold odds``, with its chance."""
    my_sheet, their_sheet = (read_sheet(values, text, "a sheet") for text in (mine, theirs))
    chance = values.chance(my_sheet, their_sheet, read_dice(values, shown, "dice"))
    return {"mine": mine, "theirs": theirs, "shown": shown, "chance": chance}


EXAMPLES = [
    ("331021", "123002", "RRBP"),
    ("000000", "000000", "RGBO"),
    ("000000", "000000", "RRRR"),
    ("111111", "111111", "RGBO"),
    ("333333", "333333", "RGBO"),
    ("444444", "444444", "RGBO"),
    ("666666", "666666", "RGBO"),
    ("777776", "777776", "RGBO"),
    ("777776", "777776", "PPPP"),
    ("333330", "222222", "RGBO"),
    ("666663", "555555", "RGBO"),
]


def report(
    values: Values, space: StateSpace, guess: Guess, games: int, fewer: int, on_progress: ProgressCallback
) -> dict[str, Any]:
    """All figures, from ``games`` of perfect play and ``fewer`` games for each other player."""
    values.load_all(for_stage(on_progress, "file"))
    result: dict[str, Any] = {
        "options": {"split_jokers": values.variant.split_jokers},
        "sheets": len(values.numbering.sheets),
        "classes": len(values.numbering.classes),
        "file": values.path.stat().st_size,
        "residual": asdict(residual(space, values.unpack(), for_stage(on_progress, "residual"))),
        "first_turn": first_turn(values, guess),
        "largest_drop": largest_drop(values, for_stage(on_progress, "marks")),
        "examples": [example(values, *words) for words in EXAMPLES],
        "perfect": perfect_games(values, space, guess, games, on_progress),
        "habits": {},
    }
    for habit in (*HABITS, "approximation"):
        played = match(
            values, space.turns, guess, (habit, "perfect"), fewer, SEED, False, for_stage(on_progress, habit)
        )
        result["habits"][habit] = loss(played, 0)
    result["habits"]["approximation"]["digest"] = shipped_digest()
    return result


def numbers_path(folder: Path, split_jokers: bool) -> Path:
    """The file with the numbers for a reading of the joker rule."""
    return folder / f"dice-solved{'-split_jokers' if split_jokers else ''}.json"


def write_numbers(
    values: Values, space: StateSpace, guess: Guess, folder: Path, games: int, fewer: int, on_progress: ProgressCallback
) -> None:
    """Write the report on a value file into a folder."""
    numbers = report(values, space, guess, games, fewer, on_progress)
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_file(numbers_path(folder, values.variant.split_jokers)) as file:
        json.dump(numbers, file, indent=1)
