"""The plan behind docs/strength.md: which bots meet at which table, and the page that is made of the results."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sixfold.arena import text
from sixfold.arena.run import RESULTS
from sixfold.arena.schedule import Settings
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


def read_results(runs: Path) -> list[dict[str, Any]]:
    """The results of all tables that are played to the end."""
    found = []
    for table in TABLES:
        path = runs / table / RESULTS
        if path.exists():
            try:
                found.append(json.loads(path.read_text(encoding="utf-8")))
            except ValueError as error:
                raise SetupError(f"{path} is no JSON: {error}") from None
    if not found:
        raise SetupError(f"there are no results in {runs}; leave out --render to play")
    return found


def check_page(page: Path) -> tuple[str, str]:
    """What people wrote before and after the results; refuses a page that has no place for results."""
    old = page.read_text(encoding="utf-8") if page.exists() else NEW_PAGE
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SetupError(f"{page} has no lines {BEGIN} and {END}, so there is no place for the results")
    return before, after


def write_page(page: Path, results: list[dict[str, Any]]) -> None:
    """Put the results into the page, between its two marks; what people wrote around them stays."""
    before, after = check_page(page)
    with whole_file(page) as file:
        file.write("\n".join([before + BEGIN, *measured(results), END + after]))


def measured(results: list[dict[str, Any]]) -> list[str]:
    """The measured part of the page."""
    games = sum(result["games"] for result in results)
    lines = [
        "",
        f"{games:,} games. Made by `sixfold strength`; [the arena](arena.md) says how games, intervals and ratings "
        "come about. The rating of `greedy` is 0 at every table. Intervals are 95%.",
    ]
    for result in results:
        lines += ["", f"## {result['game'].capitalize()}, {result['players']} players", "", _circumstances(result), ""]
        lines += [*text.markdown(text.bots_table(result)), "", *text.markdown(text.pairs_table(result))]
    return [*lines, ""]


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
