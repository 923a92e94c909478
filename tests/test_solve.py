"""The solution of the two-player dice game: its equation, numbering and file, against rule book and brute force."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixfold.engine.game import Game
from sixfold.games.dice import rules as dice
from sixfold.solve.positions.outcomes import covers, scoring_state, turns
from sixfold.solve.positions.sheets import (
    FULL,
    Variant,
    all_rolls,
    all_sheets,
    are_ascending,
    canonical,
    code,
    first_sheet,
    row,
)
from sixfold.solve.positions.state_space import TIES, StateSpace, all_pairs, build_state_space, ties, value_at
from sixfold.solve.values import proof, solver
from sixfold.solve.values.equation import UNIT, column_value, make_side, prepare, roll_thrice
from sixfold.solve.values.file import ValueFileError, Values
from sixfold.solve.values.solver import Cpu
from tests.brute_dice import BruteForceSolver
from tests.clauses import clause

pytestmark = pytest.mark.xdist_group("solve")

# Every row in its last strip but one box: the end of the true game.
END_GAME = Variant(boxes=2)
SMALL = Variant(symbols=2, boxes=4, dice=2)


def quiet(stage: str, done: int, number: int) -> None:
    """Nobody listens."""


def word(numbers: tuple[int, ...]) -> int:
    return int(code(np.array(numbers)))


def solved(variant: Variant) -> tuple[StateSpace, np.ndarray]:
    """A game solved in memory."""
    space = build_state_space(variant)
    pairs = all_pairs(space.numbering)
    values = np.zeros(space.numbering.base[-1], dtype=np.int32)
    cores = Cpu(space, values)
    for level in range(len(pairs.level_at) - 2, -1, -1):
        some = slice(pairs.level_at[level], pairs.level_at[level + 1])
        cores.solve(pairs.first[some], pairs.second[some])
    return space, values


@pytest.fixture(scope="module")
def end_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The value file of the end game."""
    path = tmp_path_factory.mktemp("values") / "end.values"
    solver.solve(END_GAME, path, "cpu", quiet)
    return path


@clause("D11")
def test_the_sheets_are_those_the_strips_allow() -> None:
    sheets = all_sheets(Variant())
    assert len(sheets) == 53_390
    assert are_ascending(sheets).sum() == 574
    rolls, chance = all_rolls(Variant())
    assert len(rolls) == 126
    assert chance.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "variant",
    [
        Variant(False, symbols=2, boxes=7, dice=2),
        Variant(True, symbols=2, boxes=3, dice=4),
        Variant(True, symbols=2, boxes=4, dice=3),
        Variant(False, symbols=3, boxes=2, dice=2),
        Variant(False, symbols=4, boxes=1, dice=2),
        # Hardly a turn marks anything: rounding by one unit goes a long way.
        Variant(False, symbols=2, boxes=2, dice=1),
    ],
)
def test_reduced_games_agree_with_exact_fractions(variant: Variant) -> None:
    space, values = solved(variant)
    brute = BruteForceSolver(variant.symbols, variant.dice, dice.BOXES - variant.boxes, variant.split_jokers)
    assert len(brute.values) == (len(space.numbering.sheets) - 1) ** 2 * len(space.numbering.rolls)
    for (mine, theirs, shown), exact in brute.values.items():
        roll = int(space.numbering.roll_of[word(shown)])
        found = values[value_at(space.numbering, word(mine), word(theirs), roll)] / UNIT
        assert found == pytest.approx(float(exact), abs=1e-7), (mine, theirs, shown)


def test_the_values_do_not_depend_on_the_names_of_the_symbols() -> None:
    space, values = solved(Variant(symbols=3, boxes=3, dice=3))
    numbering = space.numbering
    chance = np.random.default_rng(1)
    for _ in range(200):
        mine, theirs = (int(sheet) for sheet in chance.choice(numbering.sheets[numbering.sheets != FULL], 2))
        shown = int(chance.choice(numbering.rolls))
        found = set()
        for order in permutations(range(3)):
            names = (*order, 3, 4, 5)
            renamed = [word(tuple(int(row(number, at)) for at in names)) for number in (mine, theirs, shown)]
            at = value_at(numbering, renamed[0], renamed[1], int(numbering.roll_of[renamed[2]]))
            found.add(int(values[at]))
        assert len(found) == 1


@given(st.lists(st.integers(0, 7), min_size=6, max_size=6), st.lists(st.integers(0, 7), min_size=6, max_size=6))
def test_the_canonical_form_is_one_renaming_of_both_sheets(mine: list[int], theirs: list[int]) -> None:
    my_rows, their_rows, order = canonical(word(tuple(mine)), word(tuple(theirs)))
    places = [int(row(order, at)) for at in range(6)]
    pairs = [(mine[at], theirs[at]) for at in places]
    assert sorted(places) == list(range(6))
    assert pairs == sorted(zip(mine, theirs, strict=True))
    assert [(row(my_rows, at), row(their_rows, at)) for at in range(6)] == pairs


def results_by_playing(mine: tuple[int, ...], shown: int, roll: int, split_jokers: bool) -> set[int]:
    """Every sheet that a roll can give, by playing every move in a game."""
    states = scoring_state(split_jokers)
    state = states[0]
    state.marks[0] = mine
    for symbol in range(6):
        state.dice[0, symbol], state.dice[1, symbol] = row(roll, symbol), row(shown, symbol)
    found = set()
    game = Game(dice, states)
    for move in game.legal():
        played = game.copy()
        played.play(move)
        found.add(word(tuple(played.values[0])))
    return found


@clause("D6", "D7", "D8", "D9", "D10", "D11", "D12")
@pytest.mark.parametrize("split_jokers", [False, True])
@pytest.mark.parametrize(
    "mine", [(0, 0, 0, 0, 0, 0), (0, 1, 2, 3, 3, 3), (1, 2, 4, 5, 6, 6), (3, 4, 6, 6, 6, 6), (4, 5, 6, 6, 7, 7)]
)
def test_turns_are_those_of_the_rule_book(mine: tuple[int, ...], split_jokers: bool) -> None:
    rolls, _ = all_rolls(Variant())
    table = turns(word(mine), rolls, split_jokers)
    for shown in range(0, len(rolls), 9):
        for roll in range(len(rolls)):
            which = table.cells[roll, table.columns[shown]]
            members = table.members[table.bounds[which] : table.bounds[which + 1]]
            assert set(table.outcome_roll[members]) == {roll}
            kept = {int(sheet) for sheet in table.successors[table.outcome_successor[members]]}
            played = results_by_playing(mine, int(rolls[shown]), int(rolls[roll]), split_jokers)
            assert kept <= played
            assert all(any(covers(best, sheet) for best in kept) for sheet in played)
            assert not any(covers(one, other) for one in kept for other in kept if one != other)
            assert (table.idle[roll] == which) == (kept == {word(mine)})


def test_a_column_alone_is_worth_what_all_columns_together_say() -> None:
    """What a thread of a card works out is what a core works out."""
    space, values = solved(SMALL)
    numbering, tables = space.numbering, space.turns
    side = make_side(tables, len(numbering.rolls))
    for which, mine in enumerate(numbering.classes[:-1]):
        theirs = int(numbering.classes[0])
        mover, watcher, _ = canonical(int(mine), theirs)
        form = which * TIES + ties(mover, watcher)
        prepare(numbering, tables, values, watcher, form, side)
        roll_thrice(numbering.chance, numbering.columns[form], side)
        for column in range(numbering.columns[form]):
            alone = column_value(tables, numbering.chance, side.best, form, column)
            assert alone == pytest.approx(side.value[column], abs=1)


def test_the_kernel_of_a_card_solves_what_the_cores_solve(tmp_path: Path) -> None:
    """In Numba's simulator, which must be chosen before Numba is loaded and runs plain Python."""
    program = (
        "import sys; from pathlib import Path\n"
        "from sixfold.solve.values import cuda, solver; from sixfold.solve.positions.sheets import Variant\n"
        "cuda.BLOCKS = 2\n"
        "for device in ('cpu', 'cuda'):\n"
        "    solver.solve(Variant(symbols=2, boxes=1, dice=2), Path(sys.argv[1], device), device, lambda *told: None)"
    )
    simulator = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], env=simulator, check=True)
    assert (tmp_path / "cpu").read_bytes() == (tmp_path / "cuda").read_bytes()


def test_the_residual_of_the_file_is_small_and_notices_a_wrong_value(end_game: Path) -> None:
    values = Values(end_game)
    values.load_all()
    space = build_state_space(END_GAME)
    unpacked = values.unpack()
    found = proof.residual(space, unpacked)
    assert 0 < found.largest < 1e-6
    assert found.values == len(unpacked)
    unpacked[len(unpacked) // 2] += UNIT // 100_000
    assert proof.residual(space, unpacked).largest > 9e-6


@clause("D12")
def test_one_more_mark_never_hurts(end_game: Path) -> None:
    values = Values(end_game)
    values.load_all()
    assert proof.largest_drop(values) < 1e-6


def test_solving_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "CHECKPOINT_SECONDS", 0.0)
    solver.solve(SMALL, tmp_path / "whole", "cpu", quiet)

    def interrupt(stage: str, done: int, number: int) -> None:
        if stage == "pairs" and done > number // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.solve(SMALL, tmp_path / "halves", "cpu", interrupt)
    assert not (tmp_path / "halves").exists()
    resumed = []
    solver.solve(SMALL, tmp_path / "halves", "cpu", lambda stage, done, number: resumed.append((stage, done)))
    pairs = len(all_pairs(build_state_space(SMALL).numbering).first)
    assert min(done for stage, done in resumed if stage == "pairs") > pairs // 4
    assert (tmp_path / "halves").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["halves", "whole"]


def test_solving_survives_being_killed(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from sixfold.solve.values import solver; from sixfold.solve.positions.sheets import Variant\n"
        "solver.CHECKPOINT_SECONDS = 0.0\n"
        "def tell(stage, done, number):\n"
        "    if stage == 'pairs' and done > number // 2: print('half', flush=True); sys.stdin.read()\n"
        "solver.solve(Variant(symbols=2, boxes=4, dice=2), Path(sys.argv[1]), 'cpu', tell)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "values")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        process.send_signal(signal.SIGKILL)
    assert [path.name for path in tmp_path.iterdir()] == ["values.part"]
    solver.solve(SMALL, tmp_path / "values", "cpu", quiet)
    solver.solve(SMALL, tmp_path / "whole", "cpu", quiet)
    assert (tmp_path / "values").read_bytes() == (tmp_path / "whole").read_bytes()


def test_another_games_unfinished_values_are_not_taken(tmp_path: Path) -> None:
    path = solver.checkpoint_path(tmp_path / "values")
    solver.Checkpoint(path, SMALL, build_state_space(SMALL).numbering)
    with pytest.raises(ValueFileError, match="another solution"):
        solver.solve(Variant(True, symbols=2, boxes=4, dice=2), tmp_path / "values", "cpu", quiet)


def damages(whole: bytes) -> Iterator[tuple[bytes, str]]:
    """Value files that are no longer what they were, and what is said about them."""
    yield whole[:-1], "cut off"
    yield whole + b"\0", "too long"
    yield whole[:5000], "tables"
    yield whole[:100], "first page"
    yield b"", "not a file of values"
    yield b"x" + whole[1:], "not a file of values"
    for at, said in ((30, "first page"), (4200, "tables"), (len(whole) - 1, "values of class")):
        yield whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], said


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    solver.solve(SMALL, tmp_path / "values", "cpu", quiet)
    Values(tmp_path / "values").load_all()
    for damaged, said in damages((tmp_path / "values").read_bytes()):
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(ValueFileError, match=said):
            Values(tmp_path / "damaged").load_all()


def test_a_file_says_what_was_solved(end_game: Path) -> None:
    space, values = solved(END_GAME)
    file = Values(end_game)
    file.load_all()
    assert np.abs(file.unpack() - values).max() / UNIT < 5e-7
    begin = first_sheet(END_GAME)
    for shown in file.numbering.rolls.tolist():
        exact = values[value_at(space.numbering, begin, begin, int(space.numbering.roll_of[shown]))] / UNIT
        assert file.chance(begin, begin, shown) == pytest.approx(exact, abs=5e-7)
