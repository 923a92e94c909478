"""Records of whole games (docs/rules/record.md): writing, reading, and checking against the rules."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as brief
from typing import Any

from sixfold.engine.game import Game, full_options, rules_of
from sixfold.engine.notation import Refused
from sixfold.errors import SetupError, UserError
from sixfold.system import atomic_file

FORMAT = "sixfold/1"


class RecordError(UserError):
    """A malformed record or one that breaks a rule; the message names the event, the reason and the clause."""


@dataclass(frozen=True)
class Replay:
    """A valid record: the game after its last event, and the number of legal moves at each decision."""

    game: Game
    legal: list[int]


def of(game: Game, names: Sequence[str] | None = None, legal: Sequence[int] | None = None) -> dict[str, Any]:
    """The record of a game, finished or not."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "game": game.name,
        "players": game.players,
        "options": game.options,
    }
    if names is not None:
        record["names"] = list(names)
    record["events"] = list(game.events)
    if legal is not None:
        record["legal"] = list(legal)
    result = game.result
    record["result"] = result and {"places": result.places, "values": result.values}
    return record


def begin(record: object) -> Game:
    """Validate a record's header and return its game before the first event."""
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    for key in ("format", "game", "players", "options", "events", "result"):
        if key not in record:
            raise RecordError(f"{key!r} is missing")
    if record["format"] != FORMAT:
        raise RecordError(f"the format is {brief(record['format'])}, not {FORMAT!r}")
    if not isinstance(record["game"], str) or type(record["players"]) is not int:
        raise RecordError("'game' is a name and 'players' a whole number")
    if not isinstance(record["options"], dict):
        raise RecordError("'options' is an object that names every option with its value")
    try:
        rules = rules_of(record["game"], record["players"])
        options = full_options(rules, record["options"])
    except SetupError as error:
        raise RecordError(str(error)) from None
    missing = [name for name in rules.OPTIONS if name not in record["options"]]
    if missing:
        raise RecordError(f"'options' does not name {', '.join(missing)}")
    if not isinstance(record["events"], list):
        raise RecordError("'events' is a list of texts")
    for number, event in enumerate(record["events"], start=1):
        if not isinstance(event, str):
            raise RecordError(f"event {number}: {brief(event)} is no text (record)")
    _check_names(record)
    return Game(rules, rules.start(record["players"], **options))


def _check_names(record: Mapping[str, Any]) -> None:
    names = record.get("names")
    if names is None:
        return
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError("'names' is a list of texts")
    if len(names) != record["players"]:
        raise RecordError(f"there are {len(names)} names for {record['players']} players")


def walk(game: Game, events: Iterable[str]) -> Iterator[tuple[str, int | None]]:
    """Apply the events of a record to its game: yields each event, and for a player's the number of legal moves."""
    for event in events:
        choices = None if game.turn is None else game.choices()
        try:
            game.apply(event)
        except Refused as refused:
            raise RecordError(f"event {len(game.events) + 1}: {refused}") from None
        yield event, choices


def steps(record: Mapping[str, Any]) -> Iterator[tuple[str, Game, int | None]]:
    """Replay a record: yields each event, the game after it, and for a player's event the number of legal moves."""
    game = begin(record)
    for event, choices in walk(game, record["events"]):
        yield event, game, choices


def replay(record: object, visit: Callable[[str, Game, int | None], None] | None = None) -> Replay:
    """Replay a whole record and check its ``result`` and ``legal`` entries. ``visit`` is called before the first event,
    with an empty text, and after every event."""
    game = begin(record)
    assert isinstance(record, dict)
    if visit is not None:
        visit("", game, None)
    legal: dict[int, int] = {}
    for number, (event, choices) in enumerate(walk(game, record["events"]), start=1):
        if choices is not None:
            legal[number] = choices
        if visit is not None:
            visit(event, game, choices)
    _check_result(record["result"], game)
    if record.get("legal") is not None:
        _check_legal(record["legal"], legal)
    return Replay(game, list(legal.values()))


def _check_result(claimed: object, game: Game) -> None:
    actual = of(game)["result"]
    if not _same(claimed, actual):
        only_places = isinstance(claimed, dict) and game.over and _same(claimed.get("values"), actual["values"])
        clause = game.rules.RANKING_CLAUSE if only_places else game.rules.END_CLAUSE
        raise RecordError(f"'result' has to be {json.dumps(actual)}, to which the events lead ({clause})")


def _same(claimed: object, actual: object) -> bool:
    """Equality of JSON values, where true, 1 and 1.0 all differ; extra keys in ``claimed`` are ignored."""
    if isinstance(actual, list):
        return isinstance(claimed, list) and len(claimed) == len(actual) and all(map(_same, claimed, actual))
    if isinstance(actual, dict):
        return isinstance(claimed, dict) and all(key in claimed and _same(claimed[key], actual[key]) for key in actual)
    return type(claimed) is type(actual) and claimed == actual


def _check_legal(claimed: object, actual: Mapping[int, int]) -> None:
    if not isinstance(claimed, list) or len(claimed) != len(actual):
        raise RecordError(f"'legal' has to be a list of {len(actual)} numbers, one for each event of a player (record)")
    for claimed_count, (number, moves) in zip(claimed, actual.items(), strict=True):
        if not _same(claimed_count, moves):
            raise RecordError(
                f"event {number}: 'legal' says {brief(claimed_count)} moves, but there were {moves} (record)"
            )


def playthrough(record: object) -> Iterator[str]:
    """A readable transcript: every event, and the position at every decision."""
    game = begin(record)
    assert isinstance(record, dict)
    options = ", ".join(f"{name} {str(value).lower()}" for name, value in game.options.items())
    yield f"{game.name}, {game.players} players" + (f", {options}" if options else "")
    if record.get("names"):
        yield "  ".join(f"player {player}: {name}" for player, name in enumerate(record["names"]))
    for event, _ in walk(game, record["events"]):
        yield event
        if game.turn is not None or game.over:
            yield f"\n{game}\n"
    if game.result is None:
        yield "The record ends before the game does."
        return
    for player, place in enumerate(game.result.places):
        yield f"player {player}: place {place}"


def read_lines(path: Path) -> Iterator[tuple[int, object, int]]:
    """Each line of a file of records with its number and size; a line that is not JSON yields a ``RecordError``."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield number, json.loads(line.decode("utf-8")), len(line)
            except (ValueError, RecursionError) as error:
                yield number, RecordError(f"not a JSON object in UTF-8: {error}"), len(line)


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records atomically, one JSON object per line."""
    with atomic_file(path) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
