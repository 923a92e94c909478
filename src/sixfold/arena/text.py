"""Results as plain text and Markdown tables."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sixfold.arena.runner import Progress

Table = tuple[list[str], list[list[str]]]


def short(name: str) -> str:
    """A short display name: the class name of a custom bot."""
    return name.rpartition(":")[2]


def percent(share: list[float]) -> str:
    """Format a share with its interval: 63.5% [58.1, 68.6]."""
    mean, low, high = (100 * value for value in share)
    return f"{mean:.1f}% [{low:.1f}, {high:.1f}]"


def place(values: list[float]) -> str:
    """Format a mean place with its interval."""
    mean, low, high = values
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def bots_table(results: dict[str, Any]) -> Table:
    """The table of bots, strongest first."""
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
    """The table of pairings: how often the first bot finishes ahead of the second."""
    two_players = results["players"] == 2
    heads = ["bot", "against", "win rate [95%]" if two_players else "ahead [95%]", "mean place [95%]", "games"]
    rows = [
        [*map(short, pair["bots"]), percent(pair["ahead"]), place(pair["mean_place"]), str(pair["games"])]
        for pair in results["pairs"]
    ]
    if two_players:
        return [head for head in heads if head != "mean place [95%]"], [[*row[:3], row[4]] for row in rows]
    return heads, rows


def lines(table: Table) -> list[str]:
    """Format a table in aligned columns; the first is text, the others are numbers."""
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
    """Format a table in Markdown."""
    heads, rows = table
    rules = ["---"] + ["---:"] * (len(heads) - 1)
    return [f"| {' | '.join(row)} |" for row in [heads, rules, *rows]]


def title(results: dict[str, Any]) -> str:
    """A one-line description of a run."""
    options = [name for name, value in results["options"].items() if value]
    budget = results["budget"] or "each bot's own budget"
    parts = [f"{results['game']}, {results['players']} players", *options, f"{results['games']:,} games", budget]
    return "; ".join([*parts, f"seed {results['seed']}"])


def faults(results: dict[str, Any], limit: int = 10) -> list[str]:
    """The first few faults for which bots forfeited."""
    texts = [fault["text"] for fault in results["faults"]]
    rest = [f"… and {len(texts) - limit} more, all in the results"] if len(texts) > limit else []
    return texts[:limit] + rest


def progress(state: "Progress") -> str:
    """A one-line progress report: games done, speed, time left and win rates."""
    rates = ", ".join(f"{bot} {100 * rate:.1f}%" for bot, rate in state.win_rates.items())
    return f"{state.done} of {state.total} games, {speed(state)}; {rates}"


def speed(state: "Progress") -> str:
    """Speed and time left, or a status until they are known."""
    if state.speed is None:
        return "the bots are getting ready" if state.began is None else "playing"
    return f"{state.speed:.2g} a second, {duration(state.seconds_left)} left"


def duration(seconds: float | None) -> str:
    """Format seconds as hours, minutes and seconds."""
    if seconds is None:
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
