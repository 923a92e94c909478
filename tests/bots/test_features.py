"""What nets are told: nothing hidden, and the same whatever the symbols are called and however the board lies."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sixfold.bots.net import features_of
from sixfold.games.dice.moves import joker, joker_of, jokers_in, two_jokers
from sixfold.games.shared.generator import below, stream
from sixfold.games.shared.symbols import CHANCE, NONE, OVER
from sixfold.games.travel import rules as travel
from sixfold.games.travel.board import CELL_INDEX, CELLS, PAIR_INDEX, PAIRS, ROWS
from sixfold.games.travel.moves import KEEP
from tests.clauses import clause

TABLES = [("travel", 2), ("cards", 2), ("cards", 3), ("cards", 4), ("dice", 3), ("dice", 4)]


def told(features: Any, state: np.record, seat: int) -> np.ndarray:
    """What a net is told, in an array that was full of something else."""
    out = np.full(features.input_count(int(state.players)), 99, dtype=np.int8)
    small = np.full(features.SCRATCH8_SIZE, 55, dtype=np.int8)
    work = np.full(features.SCRATCH32_SIZE, 77, dtype=np.int32)
    features.write_inputs(state, seat, out, small, work, np.full(6, 3, dtype=np.uint64))
    return out


def steps(rules: Any, players: int, seed: int) -> Iterator[tuple[np.ndarray, str, int]]:
    """A random game: the state before each move and each item drawn, and which it is."""
    states, generator = rules.start(players), np.array([stream(np.uint64(seed), 0)], dtype=np.uint64)
    state = states[0]
    for _ in range(300):
        if state.phase == OVER:
            return
        if state.phase == CHANCE:
            item = int(rules.item_at(state, below(generator, rules.pool_size(state))))
            yield states, "receive", item
            rules.receive(state, item)
        else:
            move = int(rules.nth(state, below(generator, rules.count(state))))
            yield states, "act", move
            rules.act(state, move)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_nothing_hidden_is_told(game: str, players: int) -> None:
    features = features_of(game, players)
    seen = 0
    for states, _, _ in steps(features.rules, players, 3):
        for seat in range(players):
            view = states.copy()
            features.rules.hide(view[0], seat)
            assert np.array_equal(told(features, states[0], seat), told(features, view[0], seat))
            seen += view.tobytes() != states.tobytes()
    assert seen > 50 or game == "dice"


@clause("T16", "C13")
@pytest.mark.parametrize(("game", "players"), TABLES[:4])
def test_that_another_player_may_choose_is_not_told(game: str, players: int) -> None:
    features = features_of(game, players)
    rules: Any = features.rules
    chosen = 0
    for seed in range(20):
        for states, _, _ in steps(rules, players, seed):
            if states[0].phase == rules.CHOOSE:
                after = states.copy()
                rules.act(after[0], rules.KEEP)
                chosen += 1
                for seat in range(players):
                    same = np.array_equal(told(features, states[0], seat), told(features, after[0], seat))
                    assert same == (seat != states[0].turn)
    assert chosen > 5


def renamed_item(rules: Any, names: list[int], item: int) -> int:
    if rules.NAME == "dice":
        return names[item]
    table, items = (rules.TILE_OF, rules.TILES) if rules.NAME == "travel" else (rules.CARD_OF, rules.CARDS)
    return int(table[names[items[item, 0]], names[items[item, 1]]])


def renamed_play(rules: Any, names: list[int], move: int) -> int:
    """A move of the card or dice game with other names for the symbols."""
    if rules.NAME == "cards":
        return move if move >= rules.KEEP else names[move // 6] * 6 + names[move % 6]
    groups = sorted(
        (names[symbol], size, names[target])
        for symbol, size, target in (joker_of(move, which) for which in range(jokers_in(move)))
    )
    if len(groups) == 2:
        (a, _, x), (b, _, y) = groups
        return int(two_jokers(a, x, b, y))
    return int(joker(*groups[0])) if groups else move


def same_game(game: str, players: int, item_of: Callable[[int], int], move_of: Callable[[int], int]) -> None:
    """Play a game and its image side by side, and look at both from every seat."""
    features = features_of(game, players)
    rules: Any = features.rules
    image = rules.start(players)
    for states, what, number in steps(rules, players, 5):
        for seat in range(players):
            assert np.array_equal(told(features, states[0], seat), told(features, image[0], seat))
        if what == "act":
            assert rules.allowed(image[0], move_of(number))
            rules.act(image[0], move_of(number))
        else:
            rules.receive(image[0], item_of(number))


@pytest.mark.parametrize(("game", "players"), TABLES[1:])
@pytest.mark.parametrize("names", [[1, 2, 3, 4, 5, 0], [3, 1, 5, 0, 4, 2]])
def test_renaming_the_symbols_changes_nothing(game: str, players: int, names: list[int]) -> None:
    rules: Any = features_of(game, players).rules
    same_game(
        game, players, lambda item: renamed_item(rules, names, item), lambda move: renamed_play(rules, names, move)
    )


def cube(cell: int) -> tuple[int, int, int]:
    """A cell's three coordinates, 0 in the middle."""
    row, number = ROWS.index(CELLS[cell][0]), int(CELLS[cell][1:]) - 1
    down = row - 5
    right = number - 5 - min(down, 0)
    return right, down, -right - down


def cell_at(place: tuple[int, int, int]) -> int:
    return next(cell for cell in range(91) if cube(cell) == place)


def turned(cell: int) -> int:
    """The board turned by one corner, clockwise."""
    x, y, z = cube(cell)
    return cell_at((-y, -z, -x))


def mirrored(cell: int) -> int:
    """Left and right exchanged."""
    x, y, z = cube(cell)
    return cell_at((z, y, x))


@pytest.mark.parametrize("image", [turned, mirrored, lambda cell: mirrored(turned(turned(cell)))])
def test_turning_and_mirroring_the_board_changes_nothing(image: Callable[[int], int]) -> None:
    """T1: the corners carry the symbols, so that these go round with the board."""
    corners = [CELL_INDEX[name] for name in ("a1", "a6", "f11", "k6", "k1", "f1")]
    names = [corners.index(image(corner)) for corner in corners]

    def move_of(move: int) -> int:
        if move >= KEEP:
            return move
        pair, first, second = move // 36, names[move % 36 // 6], names[move % 6]
        here, there = (image(int(cell)) for cell in PAIRS[pair])
        if (here, there) in PAIR_INDEX:
            return PAIR_INDEX[here, there] * 36 + first * 6 + second
        return PAIR_INDEX[there, here] * 36 + second * 6 + first

    same_game("travel", 2, lambda item: renamed_item(travel, names, item), move_of)


@clause("C8")
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_position_that_a_move_leads_to_is_among_those_to_choose_from(game: str, players: int) -> None:
    features = features_of(game, players)
    rules: Any = features.rules
    sight = np.zeros(features.BOARD_FEATURES_SIZE, dtype=np.int8)
    legal = np.zeros(rules.MAX_LEGAL, dtype=np.int16)
    left_out = 0
    for states, what, _ in steps(rules, players, 9):
        if what == "act":
            features.prepare(states[0], sight)
            found = [
                features.candidate(states[0], sight, which)[0] for which in range(features.candidate_count(players))
            ]
            moves = [move for move in found if move != NONE]
            all_moves = legal[: rules.legal(states[0], legal)].tolist()
            assert set(moves) <= set(all_moves)
            found_behind = {behind(rules, states, move) for move in moves}
            assert found_behind == {behind(rules, states, move) for move in all_moves}
            left_out += len(all_moves) - len(moves)
            if game == "cards":
                assert len(found_behind) == len(moves)
    assert (left_out > 0) == (game == "cards")


def behind(rules: Any, states: np.ndarray, move: int) -> bytes:
    """The position behind a move."""
    after = states.copy()
    rules.act(after[0], move)
    return after.tobytes()


@clause("T5", "T9", "T12", "T13")
def test_the_gains_of_the_own_tiles_are_those_of_their_best_places() -> None:
    """Reckoned anew: every tile on every pair of cells, both ways round."""
    features: Any = features_of("travel", 2)

    def best_gain(state: np.record, seat: int, tile: int) -> int:
        scores, found = state.score[seat], 0
        low = int(scores.min())
        for pair in range(len(PAIRS)):
            if travel.is_spot(state, pair):
                for a, b in (travel.TILES[tile], travel.TILES[tile][::-1]):
                    points, more = (
                        int(travel.points(state, cell, NONE, symbol))
                        for cell, symbol in zip(PAIRS[pair], (a, b), strict=True)
                    )
                    if a == b:
                        found = max(found, features.worth(scores[a], low, points + more))
                    else:
                        gain = features.worth(scores[a], low, points) + features.worth(scores[b], low, more)
                        found = max(found, gain)
        return found

    first = 6 * features.BY_SYMBOL + 18
    for number, (states, _, _) in enumerate(steps(travel, 2, 7)):
        for seat in range(2 if number % 9 == 0 else 0):
            rack = [int(tile) for tile in states[0].rack[seat] if tile != NONE]
            gains = sorted((min(best_gain(states[0], seat, tile) // 2, 127) for tile in rack), reverse=True)
            assert told(features, states[0], seat)[first : first + 6].tolist() == gains + [0] * (6 - len(gains))
