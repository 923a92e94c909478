"""The measurements behind docs/strength.md: which bots play at which table, and the page with the results."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab.studies import charts
from sixfold.arena import text
from sixfold.arena.runner import RESULTS_FILE
from sixfold.arena.schedule import Settings, read_budget
from sixfold.bots import Budget
from sixfold.bots.levels import level_of
from sixfold.errors import SetupError
from sixfold.games import packages
from sixfold.system import atomic_file

TABLES = {f"{name}-{players}": (name, players) for name, game in packages().items() for players in game.facts.PLAYERS}

# The first bot has rating 0.
BOTS = ("greedy", "random", "level1", "level2", "level3", "level4", "level5")

# Each level against the one below, and enough other pairings to connect all bots in one fit.
PAIRINGS = (
    ("level5", "level4"),
    ("level4", "level3"),
    ("level3", "level2"),
    ("level2", "level1"),
    ("level1", "random"),
    ("level5", "greedy"),
    ("level3", "greedy"),
    ("greedy", "random"),
    ("level5", "random"),
)

# The effect of thinking time: the search with a net against the net alone, by milliseconds per move.
THINKING = ("netsearch", "net")
MILLISECONDS = (10, 30, 100, 300, 1000)

CHART_FILE = "thinking.svg"

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
NEW_PAGE = f"# Strength\n\n{BEGIN}\n{END}\n"


def tables(names: Iterable[str]) -> list[str]:
    """The tables to play at; all if none are named."""
    chosen = list(dict.fromkeys(names)) or list(TABLES)
    for name in chosen:
        if name not in TABLES:
            raise SetupError(f"there is no table {name!r}; choose from {', '.join(TABLES)}")
    return chosen


def settings(table: str, games: int, seed: int) -> Settings:
    """The settings for a table. Every bot uses its own budget, which is part of a level's definition."""
    game, players = TABLES[table]
    return Settings(game, BOTS, players, games, seed=seed, pairings=PAIRINGS).checked()


def thinking_run(table: str, milliseconds: int) -> str:
    """The name of a run over thinking time."""
    return f"{table}-{milliseconds}ms"


def thinking(chosen: Iterable[str], games: int, seed: int) -> dict[str, Settings]:
    """The runs over thinking time, at the tables where level 5 is a search with a net."""
    runs = {}
    for table in chosen:
        game, players = TABLES[table]
        for milliseconds in MILLISECONDS if level_of(game, players, 5).bot == THINKING[0] else ():
            run = Settings(game, THINKING, players, games, budget=Budget(milliseconds), seed=seed)
            runs[thinking_run(table, milliseconds)] = run.checked()
    return runs


def read_results(runs: Path, names: Iterable[str] = TABLES) -> list[dict[str, Any]]:
    """The results of all finished runs among those named."""
    results = []
    for name in names:
        path = runs / name / RESULTS_FILE
        if path.exists():
            try:
                results.append(json.loads(path.read_text(encoding="utf-8")))
            except ValueError as error:
                raise SetupError(f"{path} is no JSON: {error}") from None
    return results


def read_thinking(runs: Path) -> list[dict[str, Any]]:
    """The results over thinking time."""
    return read_results(runs, (thinking_run(table, time) for table in TABLES for time in MILLISECONDS))


def check_page(page: Path) -> tuple[str, str]:
    """The handwritten text before and after the results; refuses a page without the two markers."""
    old = page.read_text(encoding="utf-8") if page.exists() else NEW_PAGE
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SetupError(f"{page} has no lines {BEGIN} and {END}, so there is no place for the results")
    return before, after


def write_page(page: Path, runs: Path) -> None:
    """Write the results into the page between its two markers, keeping the text around them."""
    before, after = check_page(page)
    results, over_time = read_results(runs), read_thinking(runs)
    if not results and not over_time:
        raise SetupError(f"there are no results in {runs}; leave out --render to play")
    chart = page.with_suffix("") / CHART_FILE
    if over_time:
        chart.parent.mkdir(exist_ok=True)
        with atomic_file(chart) as file:
            file.write(_chart(over_time))
    with atomic_file(page) as file:
        chart_path = f"{chart.parent.name}/{chart.name}"
        file.write("\n".join([before + BEGIN, *measured(results, over_time, chart_path), END + after]))


def measured(results: list[dict[str, Any]], over_time: list[dict[str, Any]], chart: str) -> list[str]:
    """The measured part of the page."""
    games = sum(result["games"] for result in [*results, *over_time])
    lines = [
        "",
        f"{games:,} games. Made by `python -m lab strength`; [the arena](arena.md) says how games, intervals and "
        "ratings come about. The rating of `greedy` is 0 at every table. Intervals are 95%.",
    ]
    for result in results:
        lines += ["", f"## {result['game'].capitalize()}, {result['players']} players", "", _provenance(result), ""]
        lines += [*text.markdown(text.bots_table(result)), "", *text.markdown(text.pairs_table(result))]
    return [*lines, *(_over_time(over_time, chart) if over_time else ()), ""]


def _chart(results: list[dict[str, Any]]) -> str:
    """The chart of strength over thinking time."""
    series: dict[str, dict[float, float]] = {}
    for result in results:
        time = read_budget(result["budget"]).milliseconds or 0.0
        series.setdefault(_label(result), {})[time] = result["pairs"][0]["ahead"][0]
    x_label = "milliseconds that a move may take"
    return charts.lines(f"{THINKING[0]} ahead of {THINKING[1]}", x_label, series, logarithmic=True)


def _label(result: dict[str, Any]) -> str:
    return f"{result['game']}, {result['players']} players"


def _over_time(results: list[dict[str, Any]], chart: str) -> list[str]:
    """The section on how often the search with a net beats the net alone, by time per move."""
    first, second = THINKING
    heads = ["table", "at most", "ms/move", "ahead [95%]", "games"]
    rows = []
    for result in results:
        used = next(bot["time"]["mean"] for bot in result["bots"] if bot["bot"] == first)
        (pair,) = result["pairs"]
        rows.append([_label(result), result["budget"], f"{used:.3g}", text.percent(pair["ahead"]), str(pair["games"])])
    lines = ["", "## Over thinking time", "", f"`{first}` against `{second}`, `python -m lab strength --thinking`.", ""]
    lines += [*text.markdown((heads, rows)), "", *map(_provenance, results[:1])]
    return [*lines, "", f"![what longer thinking brings]({chart})"]


def _provenance(result: dict[str, Any]) -> str:
    """When and where a run was played, and what was measured."""
    days = sorted({session["date"][:10] for session in result["sessions"]})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    machines = sorted({f"{session['processor']}, {session['cores']} cores" for session in result["sessions"]})
    workers = sorted({str(session["workers"]) for session in result["sessions"]})
    digests = result.get("bots_and_rules") or {"code": result["sources"]}
    listed = ", ".join(f"{name} {digest}" for name, digest in digests.items())
    return (
        f"{when}; {result['games']:,} games; {' and '.join(machines)}, {' and '.join(workers)} games at once; "
        f"seed {result['seed']}; bots and rules: {listed}."
    )
