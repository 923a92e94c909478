"""Whole games between perfect play and other policies, with every decision evaluated by the exact values."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixfold.engine.steps import steps_of
from sixfold.games.dice import rules as dice
from sixfold.games.dice.moves import joker_of, jokers_in
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.generator import seed_word, stream
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.solve.play.approximation import Guess
from sixfold.solve.play.expectimax import (
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
from sixfold.solve.positions.outcomes import lay_out, scoring_state, sheet_after
from sixfold.solve.positions.sheets import marks
from sixfold.solve.positions.state_space import Numbering, TurnTables
from sixfold.solve.values.file import Values
from sixfold.system import available_cores

draw_die = steps_of(dice).draw

# Players. All but the last two reroll when their policy values that more than keeping the roll.
PLAYERS = ("perfect", "no_jokers", "greedy", "approximation", "three_rolls", "one_roll")
POLICIES = np.array([BEST, NO_JOKERS, GREEDY, GUESS, BEST, BEST])
PERFECT, THREE_ROLLS, ONE_ROLL = 0, 4, 5

PHASES = 3
LEADS = 41
MARK_BINS = 17
SHARE = 500


class Tally(NamedTuple):
    """Statistics over games of perfect play."""

    turns: np.ndarray  # games by their number of turns
    rolls: np.ndarray  # decisions by rolls made, phase, marks gained by keeping, and kept or rerolled
    leads: np.ndarray  # turns by phase and lead in marks: count and sum of chances
    jokers: np.ndarray  # scored rolls by size of the largest group: count, count with a joker, and sum of its gains
    targets: np.ndarray  # jokers by the number of rows lower than their target's


def empty_tally() -> Tally:
    """A tally of zeros."""
    return Tally(
        np.zeros(200, np.int64), np.zeros((2, PHASES, MARK_BINS, 2), np.int64), np.zeros((PHASES, LEADS, 2)),
        np.zeros((5, 3)), np.zeros(6, np.int64),
    )  # fmt: skip


@compiled
def phase_of(mine: int) -> int:
    """The phase of a sheet: 0 to 13 marks, 14 to 27, or 28 to 41."""
    return marks(mine) // 14


@compiled
def count_turn(tally: Tally, mine: int, theirs: int, chance: float) -> None:
    """Count the lead and the chance of the player about to roll."""
    lead = min(max(marks(mine) - marks(theirs) + LEADS // 2, 0), LEADS - 1)
    phase = (marks(mine) + marks(theirs)) // 28
    tally.leads[phase, lead, 0] += 1
    tally.leads[phase, lead, 1] += chance


@compiled
def count_jokers(tally: Tally, state: np.record, mine: int, move: int, gain: float) -> None:
    """Count whether a roll was scored with jokers, their gain, and their target rows."""
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
    """A player's move, its exact worth, and the worth of the best move.

    ``exact`` and ``own`` hold the worth of the next rolls during a turn, by the values and by the player's policy.
    """
    me = state.turn
    mine, theirs = sheet_of(state, me), sheet_of(state, 1 - me)
    shown, roll = dice_of(state, 1 - me), dice_of(state, me)
    policy = POLICIES[player]
    if state.rolls == 1:
        look_ahead_quickly(numbering, turns, block, mine, theirs, numbering.roll_of[shown], places, exact)
        if policy == BEST:
            own[:] = exact
        else:
            look_ahead(numbering, block, guess, policy, trial, mine, theirs, shown, own)
    best, best_worth = choose(numbering, block, guess, BEST, trial, mine, theirs, shown, roll)
    move, own_worth = best, best_worth
    if policy != BEST:
        move, own_worth = choose(numbering, block, guess, policy, trial, mine, theirs, shown, roll)
    reroll = state.rolls < dice.ROLLS and own[state.rolls] > own_worth
    if player == THREE_ROLLS:
        reroll = state.rolls < dice.ROLLS
    elif player == ONE_ROLL:
        reroll = False
    if state.rolls < dice.ROLLS:
        best_worth = max(best_worth, exact[state.rolls])
    if reroll:
        return dice.REROLL, exact[state.rolls], best_worth
    lay_out(trial[0], mine, shown, roll)
    return move, worth(numbering, block, sheet_after(trial[0], mine, move), theirs, numbering.roll_of[roll]), best_worth


@compiled
def count_decision(
    numbering: Numbering, block: np.ndarray, guess: Guess, tally: Tally, trial: np.ndarray, state: np.record,
    move: int, worth_of_move: float,
) -> None:  # fmt: skip
    """Count a decision of perfect play."""
    me = state.turn
    mine, theirs = sheet_of(state, me), sheet_of(state, 1 - me)
    shown, roll = dice_of(state, 1 - me), dice_of(state, me)
    scoring_move = move
    if move == dice.REROLL:
        scoring_move, _ = choose(numbering, block, guess, BEST, trial, mine, theirs, shown, roll)
    lay_out(trial[0], mine, shown, roll)
    marks_gained = min(marks(sheet_after(trial[0], mine, scoring_move)) - marks(mine), MARK_BINS - 1)
    if state.rolls < dice.ROLLS:
        tally.rolls[state.rolls - 1, phase_of(mine), marks_gained, int(move == dice.REROLL)] += 1
    if move != dice.REROLL:
        plain_worth = worth(numbering, block, sheet_after(trial[0], mine, dice.SCORE), theirs, numbering.roll_of[roll])
        count_jokers(tally, trial[0], mine, move, worth_of_move - plain_worth)


@compiled_with_arrays
def play_games(
    numbering: Numbering, turns: TurnTables, block: np.ndarray, guess: Guess, begin: np.ndarray, trial: np.ndarray,
    players: np.ndarray, seed: np.uint64, first: int, counting: bool, tally: Tally, places: np.ndarray,
    wins: np.ndarray, losses: np.ndarray,
) -> None:  # fmt: skip
    """Play the games of a seed from number ``first`` on; player 0 of ``players`` starts the even ones.

    ``wins[game]`` is whether player 0 of ``players`` won, ``losses[game, player]`` the total cost of their decisions.
    """
    scratch = begin.copy()
    state = scratch[0]
    generator = np.empty(1, dtype=np.uint64)
    exact, own = np.empty(dice.ROLLS), np.empty(dice.ROLLS)
    for game in range(wins.size):
        scratch[0] = begin[0]
        generator[0] = stream(seed, first + game)
        offset = (first + game) % 2
        turn_count = 0
        while state.phase != OVER:
            if state.phase == CHANCE:
                draw_die(state, generator)
                continue
            player = (state.turn + offset) % 2
            move, got, best = decide(numbering, turns, block, guess, trial, state, players[player], exact, own, places)
            losses[game, player] += best - got
            if state.rolls == 1:
                turn_count += 1
                if counting:
                    count_turn(tally, sheet_of(state, state.turn), sheet_of(state, 1 - state.turn), exact[0])
            if counting:
                count_decision(numbering, block, guess, tally, trial, state, move, got)
            dice.act(state, move)
        wins[game] = (state.turn + offset) % 2 == 0
        tally.turns[min(turn_count, tally.turns.size - 1)] += 1


@dataclass(frozen=True)
class Match:
    """Games between two players: who won, the cost of each player's decisions, and statistics."""

    wins: np.ndarray
    losses: np.ndarray
    tally: Tally


def match(
    values: Values, turns: TurnTables, guess: Guess, players: tuple[str, str], games: int, seed: int,
    counting: bool = False, on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Match:  # fmt: skip
    """Play games on all cores; each player starts half of them. The same seed gives the same games."""
    first_state = dice.start(2, split_jokers=values.variant.split_jokers)
    first_state[0].marks[:2] = dice.BOXES - values.variant.boxes
    player_ids = np.array([PLAYERS.index(player) for player in players])
    wins, losses = np.zeros(games, dtype=np.bool_), np.zeros((games, 2))

    def play_share(first: int) -> Tally:
        tally = empty_tally()
        places = np.empty((int(np.diff(turns.successor_at).max()), 3), dtype=np.int64)
        games_slice = slice(first, first + SHARE)
        trial = scoring_state(values.variant.split_jokers)
        play_games(
            values.numbering, turns, values.block, guess, first_state, trial, player_ids, seed_word(seed), first,
            counting, tally, places, wins[games_slice], losses[games_slice],
        )  # fmt: skip
        return tally

    total = empty_tally()
    with ThreadPoolExecutor(available_cores()) as pool:
        for done, tally in enumerate(pool.map(play_share, range(0, games, SHARE)), start=1):
            total = Tally(*(total_part + part for total_part, part in zip(total, tally, strict=True)))
            on_progress(min(done * SHARE, games), games)
    return Match(wins, losses, total)
