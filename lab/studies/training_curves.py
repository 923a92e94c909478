"""Learning curves as SVG: ratings over the number of training games, from training logs."""

from math import log10
from pathlib import Path

import msgspec

from lab.studies import charts
from sixfold.errors import SetupError
from sixfold.system import atomic_file

LOGS = "*-[0-9].jsonl"
# Win shares are clipped to this, to keep ratings finite.
MAX_SHARE = 0.999


class Measure(msgspec.Struct):
    """The plotted part of a log line; the first measured net is itself the oldest."""

    round: int
    games: int
    oldest: float = 0.5


MEASURES = msgspec.json.Decoder(Measure)


def ratings(log: Path) -> dict[float, float]:
    """Elo ratings by millions of games; the oldest net is at 0.

    If a training continues an earlier one, so does its log; the oldest net of the later part is the last of the
    earlier.
    """
    try:
        measures = MEASURES.decode_lines(log.read_bytes())
    except msgspec.DecodeError as error:
        raise SetupError(f"{log} is no log of a training: {error}") from None
    ratings_by_games = {}
    earlier_games = games = rounds = 0
    base = rating = 0.0
    for measure in measures:
        if measure.round <= rounds:
            earlier_games, base = earlier_games + games, rating
        games, rounds = measure.games, measure.round
        share = min(max(measure.oldest, 1 - MAX_SHARE), MAX_SHARE)
        rating = base + 400 * log10(share / (1 - share))
        ratings_by_games[(earlier_games + games) / 1e6] = rating
    return ratings_by_games


def draw(folder: Path) -> list[Path]:
    """Draw a chart for each game that has logs in a folder, next to them."""
    games: dict[str, dict[str, dict[float, float]]] = {}
    for log in sorted(folder.glob(LOGS)):
        game, _, players = log.stem.rpartition("-")
        if line := ratings(log):
            games.setdefault(game, {})[f"{players} players"] = line
    charts_written = []
    for game, series in games.items():
        values = [value for line in series.values() for value in line.values()]
        path = folder / f"{game}.svg"
        with atomic_file(path) as file:
            title = f"{game}: rating of the net, the oldest at 0"
            span = (min(values), max(*values, 1.0))
            file.write(charts.lines(title, "millions of games", series, span, "{:g}".format))
        charts_written.append(path)
    return charts_written
