"""Bots for the arena's tests: two honest ones, and one for every way to misbehave."""

import os
import time
from pathlib import Path

from sixfold.bots import Budget
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games.shared.symbols import NONE


class First:
    """Always the first legal move."""

    def __init__(self, game: str, players: int) -> None:
        self.moves = 0

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        self.moves += 1
        return self.move(view, chance)

    def move(self, view: View, chance: Seeded) -> str:
        return view.legal()[0]


class Again(First):
    """The same bot under another name."""


class Careful(First):
    """Looks one move ahead: the better of its own worst values, then a coin."""

    def move(self, view: View, chance: Seeded) -> str:
        def worth(move: str) -> tuple[list[int], int]:
            game = view.guess(Seeded(7))
            game.play(move)
            assert view.turn is not None
            return sorted(game.values[view.turn]), chance.below(1000)

        return max(view.legal(), key=worth)


class Raises(First):
    """Fails in its third move."""

    def move(self, view: View, chance: Seeded) -> str:
        if self.moves == 3:
            raise RuntimeError("no idea")
        return view.legal()[0]


class Leaves(First):
    """Tries to end the program."""

    def move(self, view: View, chance: Seeded) -> str:
        raise SystemExit(3)


class Cheats(First):
    """Plays a move that is not legal."""

    def move(self, view: View, chance: Seeded) -> str:
        return "score R4>G" if self.moves == 2 else view.legal()[0]


class Mumbles(First):
    """Returns no move at all."""

    def move(self, view: View, chance: Seeded) -> str:
        return None  # type: ignore[return-value]


class Stalls(First):
    """Never answers a second time."""

    def move(self, view: View, chance: Seeded) -> str:
        while self.moves == 2:
            time.sleep(0.01)
        return view.legal()[0]


class CrashesAtOnce(First):
    """Takes its process down in its first move."""

    def move(self, view: View, chance: Seeded) -> str:
        os._exit(7)


class StallsAtOnce(First):
    """Never answers at all."""

    def move(self, view: View, chance: Seeded) -> str:
        while True:
            time.sleep(0.01)


class Crashes(First):
    """Takes its process down in its second move."""

    def move(self, view: View, chance: Seeded) -> str:
        if self.moves == 2:
            os._exit(7)
        return view.legal()[0]


class Counted(First):
    """Leaves a trace of every game it begins, and takes its time if it is told to."""

    def move(self, view: View, chance: Seeded) -> str:
        if self.moves == 1:
            folder = Path(os.environ["SIXFOLD_TEST_TRACES"])
            (folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(float(os.environ["SIXFOLD_TEST_PAUSE"]))
        return view.legal()[0]


class Peeks(First):
    """Fails where it is given more than it may know."""

    def move(self, view: View, chance: Seeded) -> str:
        assert type(view) is View
        assert view.seat == view.turn
        others = [player for player in range(view.players) if player != view.seat]
        assert all((view.state.hand[player] == NONE).all() for player in others)
        return view.legal()[0]


class Nobody:
    """Looks on at a game and does nothing."""

    def thinking_started(self, seat: int, events: list[str]) -> None: ...
    def thinking_stopped(self) -> None: ...
