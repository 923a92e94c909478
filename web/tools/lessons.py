"""Makes lesson.json from lesson.txt in the folders of web/src/games: what a learner sees at each step, by the rules.

Run with --check it only says whether the files are up to date.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sixfold.table import Seat, Setup, Table, events, make, table_view

FOLDERS = Path(__file__).parents[1] / "src" / "games"
GAMES = tuple(sorted(path.parent.name for path in FOLDERS.glob("*/lesson.txt")))
LEARNER = 0
_CHANCE = ("deal", "open", "draw", "roll")
# A learner needs the moves of the step only; all the others of a seat's view would be most of the file.
_OF_MOVES = ("legal", "previews", "earned")


def lines(game: str) -> list[str]:
    """A lesson as it is written, without comments."""
    text = (FOLDERS / game / "lesson.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def new_table(game: str, deal: list[str]) -> Table:
    """A table of the learner and a bot, dealt as the lesson has it."""
    seats = [Seat("person", "You", "learner", portrait="fox"), Seat("bot", "Mira", level="level1", portrait="mira")]
    setup = Setup(game=game, players=2, rounds=1, first=LEARNER, takeover=None)
    start = events.Begin(at=0, seat=LEARNER, guest="learner", first=LEARNER, deal=deal)
    return Table([make(setup, seats, b"lesson", 0, "learner"), start])


def happen(table: Table, lines: list[str]) -> None:
    """A decision and the chance that follows it: what is drawn at the end of a turn is an event of its own."""
    seat = int(lines[0].split(" ")[0])
    who: dict[str, Any] = {"at": 0, "seat": seat}
    who |= {"guest": "learner"} if seat == LEARNER else {"bot": True}
    drawn = [line for line in lines if line.startswith("draw ")]
    if lines[0].endswith(" keep"):
        table.apply(events.Keep(events=lines, **who))
        return
    table.apply(events.Move(events=[line for line in lines if line not in drawn], key="", commitment="", **who))
    if drawn:
        table.apply(events.Draw(at=0, seat=seat, events=drawn))


def grouped(written: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The deal, then every step: what is told, or a decision with the chance that follows it."""
    at = 0
    while at < len(written):
        head, group = written[at], [written[at]]
        told = head.startswith(">")
        while not told and at + len(group) < len(written) and written[at + len(group)].split(" ")[0] in _CHANCE:
            group.append(written[at + len(group)])
        at += len(group)
        yield head, group


def steps(game: str) -> Iterator[dict[str, Any]]:
    """Every step of a lesson: the word of its sentence, where the light falls, the learner's view, and what to do."""
    groups = grouped(lines(game))
    table = new_table(game, next(groups)[1])
    for head, group in groups:
        mark, _, rest = head.partition(" ")
        if mark == ">":
            word, part = rest.split(" ")
            yield {"word": word, "part": part, "moves": [], "view": shown(table, [])}
            continue
        if mark == "!":
            word, event = rest.split(" ", 1)
            moves = alike(table, event.partition(" ")[2])
            yield {"word": word, "part": "", "moves": moves, "view": shown(table, moves)}
            group = [event, *group[1:]]
        happen(table, group)
    assert table.result is not None
    assert table.result["places"][LEARNER] == 1


def alike(table: Table, move: str) -> list[str]:
    """The move of a step, and the same piece played otherwise where it comes to the same."""
    view = table_view(table, LEARNER)
    effect = dict(zip(view["legal"], view["previews"], strict=True))
    word, *rest = move.split(" ")
    other = " ".join([word, rest[0][::-1], *rest[1:]]) if word == "play" else move
    return list(dict.fromkeys(one for one in (move, other) if effect[one] == effect[move]))


def shown(table: Table, moves: list[str]) -> dict[str, Any]:
    """What the learner sees, with the moves that this step is about."""
    view = table_view(table, LEARNER)
    wanted = [at for at, move in enumerate(view["legal"]) if _of_step(move, moves)]
    view |= {name: [view[name][at] for at in wanted] for name in _OF_MOVES if view[name]}
    cells = {word for move in view["legal"] for word in move.split(" ")[2:]}
    view["lines"] = {cell: told for cell, told in view["lines"].items() if cell in cells}
    view["commitment"] = ""
    return view


def _of_step(move: str, moves: list[str]) -> bool:
    """Is a move offered in this step: it, the other order of its card, the plain choices beside it."""
    if not moves:
        return False
    word = moves[0].split(" ")[0]
    if word == "place":
        return move in moves
    if word == "play":
        return sorted(move) == sorted(moves[0])
    return " " not in move or move in moves


def made(game: str) -> str:
    """The file of a lesson."""
    return json.dumps(list(steps(game)), separators=(",", ":"), ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    stale = []
    for game in GAMES:
        path = FOLDERS / game / "lesson.json"
        if "--check" in arguments:
            stale += [f"{game}/{path.name}"] * (not path.exists() or path.read_text(encoding="utf-8") != made(game))
        else:
            path.write_text(made(game), encoding="utf-8")
    if stale:
        print(f"{', '.join(stale)}: not what the rules make of lesson.txt; run: npm run lessons", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
