"""Results as plain text: the same tables wherever they are shown."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sixfold.arena.run import Progress

Table = tuple[list[str], list[list[str]]]


def short(name: str) -> str:
    """A bot of somebody's own is known by its class."""
    return name.rpartition(":")[2]


def percent(share: list[float]) -> str:
    """A share with its interval: 63.5% [58.1, 68.6]."""
    mean, low, high = (100 * value for value in share)
    return f"{mean:.1f}% [{low:.1f}, {high:.1f}]"


def place(values: list[float]) -> str:
    """A mean place with its interval."""
    mean, low, high = values
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def bots_table(results: dict[str, Any]) -> Table:
    """Strongest first."""
    heads = [
        "bot",
        "rating",
        "± 95%",
        "win rate [95%]",
        "mean place [95%]",
        "games",
        "ms/move",
        "99% below",
        "faults",
    ]
    if results["players"] == 2:
        heads.remove("mean place [95%]")
    rows = []
    for bot in sorted(results["bots"], key=lambda bot: -bot["rating"]):
        row = [short(bot["bot"]), f"{bot['rating']:.0f}", f"{1.96 * bot['error']:.0f}", percent(bot["win_rate"])]
        if results["players"] > 2:
            row.append(place(bot["mean_place"]))
        times = [f"{bot['time'][key]:.3g}" for key in ("mean", "p99")] if bot["time"] else ["–", "–"]
        rows.append([*row, str(bot["games"]), *times, str(bot["faults"])])
    return heads, rows


def pairs_table(results: dict[str, Any]) -> Table:
    """Every pairing: how often the first finishes ahead of the second."""
    two = results["players"] == 2
    heads = ["bot", "against", "win rate [95%]" if two else "ahead [95%]", "mean place [95%]", "games"]
    rows = [
        [*map(short, pair["bots"]), percent(pair["ahead"]), place(pair["mean_place"]), str(pair["games"])]
        for pair in results["pairs"]
    ]
    if two:
        return [head for head in heads if head != "mean place [95%]"], [[*row[:3], row[4]] for row in rows]
    return heads, rows


def lines(table: Table) -> list[str]:
    """A table in columns; the first column is text, the others are figures."""
    heads, rows = table
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heads, *rows]
    ]


def markdown(table: Table) -> list[str]:
    """A table for a document."""
    heads, rows = table
    rules = ["---"] + ["---:"] * (len(heads) - 1)
    return [f"| {' | '.join(row)} |" for row in [heads, rules, *rows]]


def title(results: dict[str, Any]) -> str:
    """What was played, in a line."""
    options = [name for name, value in results["options"].items() if value]
    budget = results["budget"] or "each bot's own budget"
    parts = [f"{results['game']}, {results['players']} players", *options, f"{results['games']:,} games", budget]
    return "; ".join([*parts, f"seed {results['seed']}"])


def faults(results: dict[str, Any], most: int = 10) -> list[str]:
    """What bots did for which they lost, the first few of them."""
    found = [fault["text"] for fault in results["faults"]]
    more = [f"… and {len(found) - most} more, all in the results"] if len(found) > most else []
    return found[:most] + more


def progress(state: "Progress") -> str:
    """Games done, speed, time left and win rates, in a line."""
    rates = ", ".join(f"{bot} {100 * rate:.1f}%" for bot, rate in state.win_rates.items())
    return f"{state.done} of {state.total} games, {pace(state)}; {rates}"


def pace(state: "Progress") -> str:
    """Speed and time left, as soon as they can be said."""
    if state.speed is None:
        return "the bots are getting ready" if state.began is None else "playing"
    return f"{state.speed:.2g} a second, {duration(state.seconds_left)} left"


def duration(seconds: float | None) -> str:
    """Hours, minutes and seconds."""
    if seconds is None:
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
