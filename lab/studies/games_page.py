"""Writes the page "The games in numbers" from the statistics."""

from pathlib import Path

from lab.studies import charts
from lab.studies.game_stats import GREEDY, TURNS, Count, strong_bot
from sixfold.games import packages
from sixfold.system import atomic_file

# A turn is plotted while at least this share of the games reaches it.
SHARE_DRAWN = 0.2


def percent(count: Count, name: str) -> str:
    """A share in percent with half the width of its 95% interval."""
    return f"{100 * count.mean(name):.1f}% ± {100 * count.half_width(name):.1f}"


def points(count: Count, name: str) -> str:
    """A difference of two chances, in percentage points."""
    return f"{100 * count.mean(name):+.1f} ± {100 * count.half_width(name):.1f}"


def number(count: Count, name: str) -> str:
    return f"{count.mean(name):.2f} ± {count.half_width(name):.2f}"


def write(page: Path, counts: dict[tuple[str, int], Count], games: int) -> None:
    """Write the page, and its charts into a folder next to it."""
    charts_folder = page.with_suffix("")
    charts_folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "# The games in numbers",
        "",
        f"Made by `python -m lab numbers --games {games}`: so many deals at every table, each played once among strong "
        "players and twice between strong and greedy ones, who sit in alternate seats and then exchange them. ± is "
        "half of a 95% interval. Chances are the net's; with more than two players a chance is the share of the "
        "others that one will be ahead of.",
    ]
    for (game, players), count in counts.items():
        chart = charts_folder / f"{game}-{players}.svg"
        with atomic_file(chart) as file:
            file.write(_growth(f"{game}, {players} players: values at the beginning of a turn", count))
        lines += ["", f"## {game.capitalize()}, {players} players", "", f"Strong is `{strong_bot(game, players)}`.", ""]
        lines += ["| | |", "| --- | ---: |", *(f"| {what} | {value} |" for what, value in rows(game, players, count))]
        lines += ["", f"![values turn by turn]({charts_folder.name}/{chart.name})"]
    with atomic_file(page) as file:
        file.write("\n".join(lines) + "\n")


def rows(game: str, players: int, count: Count) -> list[tuple[str, str]]:
    """The rows of the table for a game and number of players."""
    lines = [("turns of a player", number(count, "turns"))]
    for seat in range(players):
        what = "who begins" if seat == 0 else f"seat {seat}"
        lines.append((f"{what} is ahead of this share of the others", percent(count, f"seat {seat}")))
    for who, name in (("winner", "the winner"), ("other", "somebody else")):
        lines.append((f"lowest value of {name} in the end", number(count, f"{who} rank 0")))
    lines += [
        ("strong is ahead of greedy", percent(count, "strong ahead")),
        ("play decides: strong is ahead from both seats", percent(count, "play decides")),
        ("the deal decides: the same seat is ahead, whoever sits there", percent(count, "the deal decides")),
    ]
    choices = packages()[game].rules.CHOICES
    special = [("bonus", "a bonus turn, where one can be had"), ("joker", "the best joker against none")]
    if choices:
        special.append(("choice", f"{choices[1]} instead of {choices[0]}"))
    lines += [
        (f"worth of {what}, points of chance", points(count, name)) for name, what in special if count.number(name)
    ]
    if count.number("choice"):
        lines.append((f"{choices[1]} is the better choice", percent(count, "choice taken")))
    if count.number("greedy agrees"):
        lines += [
            ("greedy would do what strong does", percent(count, "greedy agrees")),
            ("what greedy's move loses, points of chance", points(count, "greedy loses")),
        ]
        for what, name in (
            ("gains", "steps gained by a move"),
            ("lifts the lowest", "moves that lift a lowest symbol"),
        ):
            show = number if what == "gains" else percent
            lines += [(f"{name}, {who}", show(count, f"{who} {what}")) for who in ("strong", GREEDY)]
    return lines


def _growth(title: str, count: Count) -> str:
    """The chart of how values grow turn by turn."""
    turns = [turn for turn in range(TURNS) if count.number(f"lowest {turn}") >= SHARE_DRAWN * count.number("lowest 0")]
    names = {"mean of the six": "mean", "the lowest": "lowest"}
    series = {name: {turn + 1.0: count.mean(f"{key} {turn}") for turn in turns} for name, key in names.items()}
    highest = max(1.0, *(value for line in series.values() for value in line.values()))
    return charts.lines(title, "turn", series, (0.0, highest), "{:g}".format)
