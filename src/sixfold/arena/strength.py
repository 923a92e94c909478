"""The plan behind docs/strength.md: which bots meet at which table, and the page that is made of the results."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sixfold import charts
from sixfold.arena import text
from sixfold.arena.run import RESULTS
from sixfold.arena.schedule import Settings, read_budget
from sixfold.bots import Budget
from sixfold.bots.levels import level_of
from sixfold.errors import SetupError
from sixfold.games import packages
from sixfold.system import whole_file

TABLES = {f"{name}-{players}": (name, players) for name, game in packages().items() for players in game.facts.PLAYERS}

# The first bot stands at 0 in the ratings.
BOTS = ("greedy", "random", "level1", "level2", "level3", "level4", "level5")

# Each level against the one below, and enough else to join all bots in one fit.
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

# How much longer thinking brings: the search with a net against the net alone, at so many milliseconds a move.
THINKING = ("netsearch", "net")
MILLISECONDS = (10, 30, 100, 300, 1000)

PICTURE = "thinking.svg"

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
NEW_PAGE = f"# Strength\n\n{BEGIN}\n{END}\n"


def tables(wanted: Iterable[str]) -> list[str]:
    """The tables to play at; all if none is named."""
    chosen = list(dict.fromkeys(wanted)) or list(TABLES)
    for name in chosen:
        if name not in TABLES:
            raise SetupError(f"there is no table {name!r}; choose from {', '.join(TABLES)}")
    return chosen


def settings(table: str, games: int, seed: int) -> Settings:
    """What is played at a table. Every bot keeps to its own budget: that is what a level is."""
    game, players = TABLES[table]
    return Settings(game, BOTS, players, games, seed=seed, pairings=PAIRINGS).checked()


def thinking_run(table: str, milliseconds: int) -> str:
    """The name of a run over thinking time."""
    return f"{table}-{milliseconds}ms"


def thinking(chosen: Iterable[str], games: int, seed: int) -> dict[str, Settings]:
    """The runs over thinking time, at the tables where level 5 is such a search."""
    runs = {}
    for table in chosen:
        game, players = TABLES[table]
        for milliseconds in MILLISECONDS if level_of(game, players, 5).bot == THINKING[0] else ():
            run = Settings(game, THINKING, players, games, budget=Budget(milliseconds), seed=seed)
            runs[thinking_run(table, milliseconds)] = run.checked()
    return runs


def read_results(runs: Path, names: Iterable[str] = TABLES) -> list[dict[str, Any]]:
    """The results of all those runs that are played to the end."""
    found = []
    for name in names:
        path = runs / name / RESULTS
        if path.exists():
            try:
                found.append(json.loads(path.read_text(encoding="utf-8")))
            except ValueError as error:
                raise SetupError(f"{path} is no JSON: {error}") from None
    return found


def read_thinking(runs: Path) -> list[dict[str, Any]]:
    """The results over thinking time."""
    return read_results(runs, (thinking_run(table, time) for table in TABLES for time in MILLISECONDS))


def check_page(page: Path) -> tuple[str, str]:
    """What people wrote before and after the results; refuses a page that has no place for results."""
    old = page.read_text(encoding="utf-8") if page.exists() else NEW_PAGE
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SetupError(f"{page} has no lines {BEGIN} and {END}, so there is no place for the results")
    return before, after


def write_page(page: Path, runs: Path) -> None:
    """Put the results into the page, between its two marks; what people wrote around them stays."""
    before, after = check_page(page)
    results, over_time = read_results(runs), read_thinking(runs)
    if not results and not over_time:
        raise SetupError(f"there are no results in {runs}; leave out --render to play")
    picture = page.with_suffix("") / PICTURE
    if over_time:
        picture.parent.mkdir(exist_ok=True)
        with whole_file(picture) as file:
            file.write(_drawn(over_time))
    with whole_file(page) as file:
        shown = f"{picture.parent.name}/{picture.name}"
        file.write("\n".join([before + BEGIN, *measured(results, over_time, shown), END + after]))


def measured(results: list[dict[str, Any]], over_time: list[dict[str, Any]], picture: str) -> list[str]:
    """The measured part of the page."""
    games = sum(result["games"] for result in [*results, *over_time])
    lines = [
        "",
        f"{games:,} games. Made by `sixfold strength`; [the arena](arena.md) says how games, intervals and ratings "
        "come about. The rating of `greedy` is 0 at every table. Intervals are 95%.",
    ]
    for result in results:
        lines += ["", f"## {result['game'].capitalize()}, {result['players']} players", "", _circumstances(result), ""]
        lines += [*text.markdown(text.bots_table(result)), "", *text.markdown(text.pairs_table(result))]
    return [*lines, *(_over_time(over_time, picture) if over_time else ()), ""]


def _drawn(results: list[dict[str, Any]]) -> str:
    """The picture of what longer thinking brings."""
    series: dict[str, dict[float, float]] = {}
    for result in results:
        time = read_budget(result["budget"]).milliseconds or 0.0
        series.setdefault(_named(result), {})[time] = result["pairs"][0]["ahead"][0]
    across = "milliseconds that a move may take"
    return charts.lines(f"{THINKING[0]} ahead of {THINKING[1]}", across, series, logarithmic=True)


def _named(result: dict[str, Any]) -> str:
    return f"{result['game']}, {result['players']} players"


def _over_time(results: list[dict[str, Any]], picture: str) -> list[str]:
    """How often the search with a net is ahead of the net alone, by the time it had for a move."""
    first, second = THINKING
    heads = ["table", "at most", "ms/move", "ahead [95%]", "games"]
    rows = []
    for result in results:
        used = next(bot["time"]["mean"] for bot in result["bots"] if bot["bot"] == first)
        (pair,) = result["pairs"]
        rows.append([_named(result), result["budget"], f"{used:.3g}", text.percent(pair["ahead"]), str(pair["games"])])
    lines = ["", "## Over thinking time", "", f"`{first}` against `{second}`, `sixfold strength --thinking`.", ""]
    lines += [*text.markdown((heads, rows)), "", *map(_circumstances, results[:1])]
    return [*lines, "", f"![what longer thinking brings]({picture})"]


def _circumstances(result: dict[str, Any]) -> str:
    """When, where and how much."""
    days = sorted({session["date"][:10] for session in result["sessions"]})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    machines = sorted({f"{session['processor']}, {session['cores']} cores" for session in result["sessions"]})
    workers = sorted({str(session["workers"]) for session in result["sessions"]})
    parts = result.get("bots_and_rules") or {"code": result["sources"]}
    known = ", ".join(f"{name} {digest}" for name, digest in parts.items())
    return (
        f"{when}; {result['games']:,} games; {' and '.join(machines)}, {' and '.join(workers)} games at once; "
        f"seed {result['seed']}; bots and rules: {known}."
    )
