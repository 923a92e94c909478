"""Whole games between perfect play and other ways to play, by the rule book; every decision is judged by the values."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.games.dice.moves import joker_of, jokers_in
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.generator import below, seed_word, stream
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.solve.play.approximation import Guess
from sixfold.solve.play.choosing import (
    BEST,
    GREEDY,
    GUESS,
    NO_JOKERS,
    choose,
    dice_of,
    look_ahead,
    look_ahead_quickly,
    sheet_of,
    worth,
)
from sixfold.solve.positions.book import Numbering, TurnTables
from sixfold.solve.positions.outcomes import after, before_scoring, lay_out
from sixfold.solve.positions.sheets import marks
from sixfold.solve.values.file import Values
from sixfold.system import all_cores

# Ways to play. All but the last two roll again when that is worth more to them than keeping the roll.
PLAYERS = ("perfect", "no_jokers", "greedy", "approximation", "three_rolls", "one_roll")
TASTES = np.array([BEST, NO_JOKERS, GREEDY, GUESS, BEST, BEST])
PERFECT, THREE_ROLLS, ONE_ROLL = 0, 4, 5

PHASES = 3
LEADS = 41
MOST_MARKS = 17
SHARE = 500


class Tally(NamedTuple):
    """What is counted along games of perfect play."""

    turns: np.ndarray  # games by their number of turns
    rolls: np.ndarray  # decisions by rolls made, phase, marks that keeping gives, and kept or not
    leads: np.ndarray  # turns by phase and lead in marks: how many, and the sum of chances
    jokers: np.ndarray  # scored rolls by size of the largest group: how many, with a joker, and the sum of its gains
    targets: np.ndarray  # jokers by how many rows are lower than their target's


def empty_tally() -> Tally:
    """Nothing is counted yet."""
    return Tally(
        np.zeros(200, np.int64), np.zeros((2, PHASES, MOST_MARKS, 2), np.int64), np.zeros((PHASES, LEADS, 2)),
        np.zeros((5, 3)), np.zeros(6, np.int64),
    )  # fmt: skip


@compiled
def phase_of(mine: int) -> int:
    """A third of the sheet: 0 to 13 marks, 14 to 27, 28 to 41."""
    return marks(mine) // 14


@compiled
def count_turn(tally: Tally, mine: int, theirs: int, chance: float) -> None:
    """The lead of the player about to roll, and the chance."""
    lead = min(max(marks(mine) - marks(theirs) + LEADS // 2, 0), LEADS - 1)
    phase = (marks(mine) + marks(theirs)) // 28
    tally.leads[phase, lead, 0] += 1
    tally.leads[phase, lead, 1] += chance


@compiled
def count_jokers(tally: Tally, state: np.record, mine: int, move: int, gain: float) -> None:
    """Whether a roll was scored with jokers, what they gained, and which rows they went to."""
    size = 0
    for symbol in range(6):
        size = max(size, int(state.dice[0, symbol]))
    tally.jokers[size, 0] += 1
    if jokers_in(move) == 0:
        return
    tally.jokers[size, 1] += 1
    tally.jokers[size, 2] += gain
    if jokers_in(move) == 1:
        _, _, target = joker_of(move, 0)
        lower = 0
        for symbol in range(6):
            lower += state.marks[0, symbol] < state.marks[0, target]
        tally.targets[lower] += 1


@compiled_with_arrays
def decide(
    numbering: Numbering, turns: TurnTables, block: np.ndarray, guess: Guess, trial: np.ndarray, state: np.record,
    player: int, exact: np.ndarray, own: np.ndarray, places: np.ndarray,
) -> tuple[int, float, float]:  # fmt: skip
    """A player's move, its worth by the values, and the worth of the best move.

    ``exact`` and ``own`` keep what the next rolls are worth, by the values and to the player, through a turn.
    """
    me = state.turn
    mine, theirs = sheet_of(state, me), sheet_of(state, 1 - me)
    shown, roll = dice_of(state, 1 - me), dice_of(state, me)
    taste = TASTES[player]
    if state.rolls == 1:
        look_ahead_quickly(numbering, turns, block, mine, theirs, numbering.roll_of[shown], places, exact)
        if taste == BEST:
            own[:] = exact
        else:
            look_ahead(numbering, block, guess, taste, trial, mine, theirs, shown, own)
    best, best_worth = choose(numbering, block, guess, BEST, trial, mine, theirs, shown, roll)
    move, own_worth = best, best_worth
    if taste != BEST:
        move, own_worth = choose(numbering, block, guess, taste, trial, mine, theirs, shown, roll)
    again = state.rolls < dice.ROLLS and own[state.rolls] > own_worth
    if player == THREE_ROLLS:
        again = state.rolls < dice.ROLLS
    elif player == ONE_ROLL:
        again = False
    if state.rolls < dice.ROLLS:
        best_worth = max(best_worth, exact[state.rolls])
    if again:
        return dice.REROLL, exact[state.rolls], best_worth
    lay_out(trial[0], mine, shown, roll)
    return move, worth(numbering, block, after(trial[0], mine, move), theirs, numbering.roll_of[roll]), best_worth


@compiled
def count_decision(
    numbering: Numbering, block: np.ndarray, guess: Guess, tally: Tally, trial: np.ndarray, state: np.record,
    move: int, gained: float,
) -> None:  # fmt: skip
    """Count a decision of perfect play."""
    me = state.turn
    mine, theirs = sheet_of(state, me), sheet_of(state, 1 - me)
    shown, roll = dice_of(state, 1 - me), dice_of(state, me)
    kept = move
    if move == dice.REROLL:
        kept, _ = choose(numbering, block, guess, BEST, trial, mine, theirs, shown, roll)
    lay_out(trial[0], mine, shown, roll)
    made = min(marks(after(trial[0], mine, kept)) - marks(mine), MOST_MARKS - 1)
    if state.rolls < dice.ROLLS:
        tally.rolls[state.rolls - 1, phase_of(mine), made, int(move == dice.REROLL)] += 1
    if move != dice.REROLL:
        plain = worth(numbering, block, after(trial[0], mine, dice.SCORE), theirs, numbering.roll_of[roll])
        count_jokers(tally, trial[0], mine, move, gained - plain)


@compiled_with_arrays
def play_games(
    numbering: Numbering, turns: TurnTables, block: np.ndarray, guess: Guess, begin: np.ndarray, trial: np.ndarray,
    players: np.ndarray, seed: np.uint64, first: int, counting: bool, tally: Tally, places: np.ndarray,
    wins: np.ndarray, losses: np.ndarray,
) -> None:  # fmt: skip
    """Play games number ``first`` and following of a seed; player 0 of ``players`` begins the even ones.

    ``wins[game]`` says whether player 0 of ``players`` won, ``losses[game, player]`` what their decisions cost.
    """
    scratch = begin.copy()
    state = scratch[0]
    generator = np.empty(1, dtype=np.uint64)
    exact, own = np.empty(dice.ROLLS), np.empty(dice.ROLLS)
    for game in range(wins.size):
        scratch[0] = begin[0]
        generator[0] = stream(seed, first + game)
        starter = (first + game) % 2
        made = 0
        while state.phase != OVER:
            if state.phase == CHANCE:
                dice.receive(state, below(generator, 6))
                continue
            player = (state.turn + starter) % 2
            move, got, best = decide(numbering, turns, block, guess, trial, state, players[player], exact, own, places)
            losses[game, player] += best - got
            if state.rolls == 1:
                made += 1
                if counting:
                    count_turn(tally, sheet_of(state, state.turn), sheet_of(state, 1 - state.turn), exact[0])
            if counting:
                count_decision(numbering, block, guess, tally, trial, state, move, got)
            dice.act(state, move)
        wins[game] = (state.turn + starter) % 2 == 0
        tally.turns[min(made, tally.turns.size - 1)] += 1


@dataclass(frozen=True)
class Match:
    """Games between two ways to play: who won, what each one's decisions cost, and what was counted."""

    wins: np.ndarray
    losses: np.ndarray
    tally: Tally


def match(
    values: Values, turns: TurnTables, guess: Guess, players: tuple[str, str], games: int, seed: int,
    counting: bool = False, tell: Callable[[int, int], None] = lambda done, all: None,
) -> Match:  # fmt: skip
    """Play games on all cores; each way to play begins half of them. The same seed plays the same games."""
    begin = dice.start(2, split_jokers=values.variant.split_jokers)
    begin[0].marks[:2] = dice.BOXES - values.variant.boxes
    who = np.array([PLAYERS.index(player) for player in players])
    wins, losses = np.zeros(games, dtype=np.bool_), np.zeros((games, 2))

    def share(first: int) -> Tally:
        tally = empty_tally()
        places = np.empty((int(np.diff(turns.successor_at).max()), 3), dtype=np.int64)
        some = slice(first, first + SHARE)
        trial = before_scoring(values.variant.split_jokers)
        play_games(
            values.numbering, turns, values.block, guess, begin, trial, who, seed_word(seed), first, counting, tally,
            places, wins[some], losses[some],
        )  # fmt: skip
        return tally

    total = empty_tally()
    with ThreadPoolExecutor(all_cores()) as pool:
        for done, tally in enumerate(pool.map(share, range(0, games, SHARE)), start=1):
            total = Tally(*(one + other for one, other in zip(total, tally, strict=True)))
            tell(min(done * SHARE, games), games)
    return Match(wins, losses, total)
