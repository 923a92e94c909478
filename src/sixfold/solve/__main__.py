"""Solve and report without anything but NumPy and Numba, in plain lines: ``python -m sixfold.solve --help``."""

import argparse
import sys
import time
from pathlib import Path

from sixfold.solve.book import write_book
from sixfold.solve.proof import difference
from sixfold.solve.report import write_numbers
from sixfold.solve.sheets import Variant
from sixfold.solve.solving import solve
from sixfold.solve.teaching import save_guess, shipped, teach
from sixfold.solve.values import ValueFileError, Values


class Lines:
    """Progress as lines: one for every stage, and one every few seconds."""

    def __init__(self) -> None:
        self.stage = ""
        self.begun = self.said = time.monotonic()

    def tell(self, stage: str, done: int, number: int) -> None:
        now = time.monotonic()
        if stage != self.stage:
            self.stage, self.begun = stage, now
        elif done < number and now < self.said + 5:
            return
        self.said = now
        spent = now - self.begun
        left = f", about {spent / done * (number - done):.0f} s left" if 0 < done < number and spent > 1 else ""
        print(f"{stage}: {done} of {number} in {spent:.1f} s{left}", flush=True)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m sixfold.solve", description=__doc__)
    parser.add_argument("values", type=Path, help="the value file; it is made if it is not there")
    parser.add_argument("--split-jokers", action="store_true", help="the other reading of D9")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write the report into this folder")
    parser.add_argument("--teach", type=Path, metavar="FILE", help="write the approximation that the values teach")
    parser.add_argument("--against", type=Path, metavar="FILE", help="say how far another value file differs")
    parser.add_argument("--games", type=int, default=1_000_000, help="games of perfect play against itself")
    parser.add_argument("--fewer", type=int, default=100_000, help="games of each other way to play")
    given = parser.parse_args(words)
    lines = Lines()
    begun = time.monotonic()
    try:
        book = None
        if not given.values.exists():
            book = solve(Variant(given.split_jokers), given.values, given.device, lines.tell)
            print(f"solved in {time.monotonic() - begun:.1f} s", flush=True)
        values = Values(given.values)
        if given.against:
            other = Values(given.against)
            values.get_all_ready()
            other.get_all_ready()
            print(f"the largest difference is {difference(values, other)}")
        if given.teach:
            values.get_all_ready()
            save_guess(given.teach, teach(values, lambda done, number: lines.tell("teaching", done, number)))
        if given.report:
            guess = shipped()[1]
            write_numbers(
                values, book or write_book(values.variant), guess, given.report, given.games, given.fewer, lines.tell
            )
    except ValueFileError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
