"""The page "The games in numbers", made of what was counted."""

from pathlib import Path

from sixfold import charts
from sixfold.games import packages
from sixfold.research.counting import GREEDY, TURNS, Count, strong_bot
from sixfold.system import whole_file

# A turn is drawn while at least this share of the games has it.
SHARE_DRAWN = 0.2


def percent(found: Count, name: str) -> str:
    """A share in percent with half of its 95% interval."""
    return f"{100 * found.mean(name):.1f}% ± {100 * found.half_width(name):.1f}"


def points(found: Count, name: str) -> str:
    """A difference of two chances, in points of a hundred."""
    return f"{100 * found.mean(name):+.1f} ± {100 * found.half_width(name):.1f}"


def number(found: Count, name: str) -> str:
    return f"{found.mean(name):.2f} ± {found.half_width(name):.2f}"


def write(page: Path, counted: dict[tuple[str, int], Count], games: int) -> None:
    """The page, and its pictures in a folder beside it."""
    pictures = page.with_suffix("")
    pictures.mkdir(parents=True, exist_ok=True)
    text = [
        "# The games in numbers",
        "",
        f"Made by `sixfold numbers --games {games}`: so many deals at every table, each played once among strong "
        "players and twice between strong and greedy ones, who sit in alternate seats and then exchange them. ± is "
        "half of a 95% interval. Chances are the net's; with more than two players a chance is the share of the "
        "others that one will be ahead of.",
    ]
    for (game, players), found in counted.items():
        picture = pictures / f"{game}-{players}.svg"
        with whole_file(picture) as file:
            file.write(_growth(f"{game}, {players} players: values at the beginning of a turn", found))
        text += ["", f"## {game.capitalize()}, {players} players", "", f"Strong is `{strong_bot(game, players)}`.", ""]
        text += ["| | |", "| --- | ---: |", *(f"| {what} | {value} |" for what, value in rows(game, players, found))]
        text += ["", f"![values turn by turn]({pictures.name}/{picture.name})"]
    with whole_file(page) as file:
        file.write("\n".join(text) + "\n")


def rows(game: str, players: int, found: Count) -> list[tuple[str, str]]:
    """What there is to say about a table."""
    lines = [("turns of a player", number(found, "turns"))]
    for seat in range(players):
        what = "who begins" if seat == 0 else f"seat {seat}"
        lines.append((f"{what} is ahead of this share of the others", percent(found, f"seat {seat}")))
    for who, name in (("winner", "the winner"), ("other", "somebody else")):
        lines.append((f"lowest value of {name} in the end", number(found, f"{who} rank 0")))
    lines += [
        ("strong is ahead of greedy", percent(found, "strong ahead")),
        ("play decides: strong is ahead from both seats", percent(found, "play decides")),
        ("the deal decides: the same seat is ahead, whoever sits there", percent(found, "the deal decides")),
    ]
    choices = packages()[game].rules.CHOICES
    special = [("bonus", "a bonus turn, where one can be had"), ("joker", "the best joker against none")]
    if choices:
        special.append(("choice", f"{choices[1]} instead of {choices[0]}"))
    lines += [
        (f"worth of {what}, points of chance", points(found, name)) for name, what in special if found.number(name)
    ]
    if found.number("choice"):
        lines.append((f"{choices[1]} is the better choice", percent(found, "choice taken")))
    if found.number("greedy agrees"):
        lines += [
            ("greedy would do what strong does", percent(found, "greedy agrees")),
            ("what greedy's move loses, points of chance", points(found, "greedy loses")),
        ]
        for what, name in (
            ("gains", "steps gained by a move"),
            ("lifts the lowest", "moves that lift a lowest symbol"),
        ):
            show = number if what == "gains" else percent
            lines += [(f"{name}, {who}", show(found, f"{who} {what}")) for who in ("strong", GREEDY)]
    return lines


def _growth(title: str, found: Count) -> str:
    """The picture of how values grow turn by turn."""
    drawn = [turn for turn in range(TURNS) if found.number(f"lowest {turn}") >= SHARE_DRAWN * found.number("lowest 0")]
    names = {"mean of the six": "mean", "the lowest": "lowest"}
    series = {name: {turn + 1.0: found.mean(f"{key} {turn}") for turn in drawn} for name, key in names.items()}
    most = max(1.0, *(value for line in series.values() for value in line.values()))
    return charts.lines(title, "turn", series, (0.0, most), "{:g}".format)
