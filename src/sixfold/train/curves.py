"""How nets grew, as pictures: ratings over the games that they learned from, by the logs of their trainings."""

from math import log10
from pathlib import Path

import msgspec

from sixfold import charts
from sixfold.errors import SetupError
from sixfold.system import whole_file

LOGS = "*-[0-9].jsonl"
# A net that wins everything is so much better, or more.
SUREST = 0.999


class Measure(msgspec.Struct):
    """What is drawn of a line of a log; the first net that is measured is the oldest itself."""

    round: int
    games: int
    oldest: float = 0.5


MEASURES = msgspec.json.Decoder(Measure)


def ratings(log: Path) -> dict[float, float]:
    """By millions of games, on the Elo scale; the oldest net stands at 0.

    Where a training went on from an earlier one, so does its log; the oldest net of the later part is the last one of
    the part before.
    """
    try:
        measures = MEASURES.decode_lines(log.read_bytes())
    except msgspec.DecodeError as error:
        raise SetupError(f"{log} is no log of a training: {error}") from None
    found = {}
    learned = games = rounds = 0
    base = rating = 0.0
    for measure in measures:
        if measure.round <= rounds:
            learned, base = learned + games, rating
        games, rounds = measure.games, measure.round
        share = min(max(measure.oldest, 1 - SUREST), SUREST)
        rating = base + 400 * log10(share / (1 - share))
        found[(learned + games) / 1e6] = rating
    return found


def draw(folder: Path) -> list[Path]:
    """One picture for each game that has logs in a folder, beside them."""
    games: dict[str, dict[str, dict[float, float]]] = {}
    for log in sorted(folder.glob(LOGS)):
        game, _, players = log.stem.rpartition("-")
        if line := ratings(log):
            games.setdefault(game, {})[f"{players} players"] = line
    drawn = []
    for game, series in games.items():
        values = [value for line in series.values() for value in line.values()]
        picture = folder / f"{game}.svg"
        with whole_file(picture) as file:
            title = f"{game}: rating of the net, the oldest at 0"
            span = (min(values), max(*values, 1.0))
            file.write(charts.lines(title, "millions of games", series, span, "{:g}".format))
        drawn.append(picture)
    return drawn
