"""The travel edition played on at random by Hypothesis, against a slow and independent account of it."""

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sixfold import Game, Seeded, start
from sixfold.games.travel.board import CELLS
from tests.positions import in_bag, rack, symbol_on

STEPS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
PLACE = {
    cell: ("abcdefghijk".index(cell[0]), abs("abcdefghijk".index(cell[0]) - 5) + 2 * int(cell[1:])) for cell in CELLS
}
CELL = {place: cell for cell, place in PLACE.items()}


def slow_points(board: dict[str, str], cell: str, other: str) -> int:
    """T9, T10 by walking over the plane: what a cell scores when the tile's other half lies on another."""
    points = 0
    for down, right in STEPS:
        row, along = PLACE[cell]
        line = []
        while (row + down, along + right) in CELL:
            row, along = row + down, along + right
            line.append(CELL[row, along])
        if line[:1] == [other]:
            continue
        for step in line:
            if board.get(step) != board[cell]:
                break
            points += 1
    return points


class Travel(RuleBasedStateMachine):
    """Keeps its own board, scores and bonus turns, and compares after every decision."""

    @initialize(seed=st.integers(0, 2**64 - 1), open_racks=st.booleans())
    def begin(self, seed: int, open_racks: bool) -> None:
        self.game: Game = start("travel", chance=Seeded(seed), open_racks=open_racks)
        self.all_tiles = in_bag(start("travel"))
        self.board = {cell: symbol_on(self.game, cell) for cell in CELLS if symbol_on(self.game, cell) != "."}
        self.scores = [dict.fromkeys("RGBOYP", 0), dict.fromkeys("RGBOYP", 0)]
        self.tiles: list[str] = []
        self.bonus = 0

    def play(self, move: str) -> None:
        player = self.game.turn
        assert player is not None
        before = self.bonus
        events = self.game.play(move)
        assert events[0] == f"{player} {move}"
        if not move.startswith("place"):
            assert self.game.turn == 1 - player
            return
        _, letters, first, second = move.split()
        self.tiles.append("".join(sorted(letters, key="RGBOYP".index)))
        self.board[first], self.board[second] = letters[0], letters[1]
        arrived = 0
        for cell, other in ((first, second), (second, first)):
            symbol = self.board[cell]
            old = self.scores[player][symbol]
            self.scores[player][symbol] = min(18, old + slow_points(self.board, cell, other))
            arrived += old < 18 and self.scores[player][symbol] == 18
        self.bonus = before + arrived
        if self.game.over:
            return
        if self.bonus:
            self.bonus -= 1
            assert (self.game.turn, len(events)) == (player, 1)
        elif self.game.turn == player:
            assert list(self.game.legal()) == ["keep", "swap"]
        else:
            assert events[-1].startswith(f"draw {player} ")

    @precondition(lambda self: not self.game.over)
    @rule(which=st.integers(0, 10**6))
    def any_move(self, which: int) -> None:
        moves = self.game.legal()
        self.play(moves[which % len(moves)])

    @precondition(lambda self: not self.game.over)
    @rule(which=st.integers(0, 10**6))
    def a_move_that_scores(self, which: int) -> None:
        """The best of a few, so that scores reach 18 and bonus turns come."""
        moves = self.game.legal()
        few = [moves[(which + 7919 * number) % len(moves)] for number in range(12)]

        def gain(move: str) -> int:
            trial = self.game.copy()
            trial.chance = None
            player = trial.turn
            assert player is not None
            trial.play(move)
            return sum(trial.values[player])

        self.play(max(few, key=gain))

    @precondition(lambda self: self.game.over)
    @rule(seed=st.integers(0, 2**64 - 1), open_racks=st.booleans())
    def another_game(self, seed: int, open_racks: bool) -> None:
        self.begin(seed, open_racks)

    @invariant()
    def tiles_are_conserved(self) -> None:
        held = Counter(rack(self.game, 0).split()) + Counter(rack(self.game, 1).split())
        assert held + in_bag(self.game) + Counter(self.tiles) == self.all_tiles
        assert in_bag(self.game).total() == self.game.rules.pool_size(self.game.state)
        assert not self.game.state.aside_size

    @invariant()
    def the_board_and_the_scores_are_right(self) -> None:
        assert {cell: symbol_on(self.game, cell) for cell in CELLS if symbol_on(self.game, cell) != "."} == self.board
        assert self.game.values == [[scores[symbol] for symbol in "RGBOYP"] for scores in self.scores]

    @invariant()
    def racks_are_full_between_turns(self) -> None:
        if not self.game.over:
            other = 1 - (self.game.turn or 0)
            assert len(rack(self.game, other).split()) == 6

    @invariant()
    def the_game_ends_when_and_only_when_it_must(self) -> None:
        free = set(CELLS) - set(self.board)
        pair_left = any(
            CELL.get((PLACE[cell][0] + down, PLACE[cell][1] + right)) in free for cell in free for down, right in STEPS
        )
        full = any(set(scores.values()) == {18} for scores in self.scores)
        assert self.game.over == (full or not pair_left)


TestTravel = Travel.TestCase
TestTravel.settings = settings(max_examples=10, stateful_step_count=60, deadline=None)
