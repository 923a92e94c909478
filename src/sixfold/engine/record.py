"""The record of a whole game (docs/rules/record.md): written, read back and checked against the rules."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as brief
from typing import Any

from sixfold.engine.game import Game, full_options, rules_of
from sixfold.engine.notation import Refused
from sixfold.errors import SetupError, UserError
from sixfold.system import whole_file

FORMAT = "sixfold/1"


class RecordError(UserError):
    """A record that is damaged or breaks a rule; the message names the event, the reason and the clause."""


@dataclass(frozen=True)
class Replay:
    """A record that holds: the game at its end, and how many moves there were at each decision."""

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
    """The game of a record before its first event; refuses what cannot be played at all."""
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


def steps(record: object) -> Iterator[tuple[str, Game, int | None]]:
    """Replay a record: each event, the game after it, and, for a player's event, how many moves there were."""
    game = begin(record)
    assert isinstance(record, dict)
    for number, event in enumerate(record["events"], start=1):
        choices = None if game.turn is None else game.choices()
        try:
            game.apply(event)
        except Refused as refused:
            raise RecordError(f"event {number}: {refused}") from None
        yield event, game, choices


def replay(record: object) -> Replay:
    """Replay a whole record and compare what it says about itself: ``result`` and ``legal``."""
    game = begin(record)
    assert isinstance(record, dict)
    legal: dict[int, int] = {}
    for number, (_, after, choices) in enumerate(steps(record), start=1):
        game = after
        if choices is not None:
            legal[number] = choices
    _check_result(record["result"], game)
    if record.get("legal") is not None:
        _check_legal(record["legal"], legal)
    return Replay(game, list(legal.values()))


def _check_result(said: object, game: Game) -> None:
    true = of(game)["result"]
    if not _same(said, true):
        only_places = isinstance(said, dict) and game.over and _same(said.get("values"), true["values"])
        clause = game.rules.PLACES if only_places else game.rules.END
        raise RecordError(f"'result' has to be {json.dumps(true)}, to which the events lead ({clause})")


def _same(said: object, true: object) -> bool:
    """Equal as JSON, so that true is not 1 and 1.0 is not 1; keys that nobody asked for are ignored."""
    if isinstance(true, list):
        return isinstance(said, list) and len(said) == len(true) and all(map(_same, said, true))
    if isinstance(true, dict):
        return isinstance(said, dict) and all(key in said and _same(said[key], true[key]) for key in true)
    return type(said) is type(true) and said == true


def _check_legal(said: object, true: Mapping[int, int]) -> None:
    if not isinstance(said, list) or len(said) != len(true):
        raise RecordError(f"'legal' has to be a list of {len(true)} numbers, one for each event of a player (record)")
    for one, (number, moves) in zip(said, true.items(), strict=True):
        if not _same(one, moves):
            raise RecordError(f"event {number}: 'legal' says {brief(one)} moves, but there were {moves} (record)")


def playthrough(record: object) -> Iterator[str]:
    """A game to read: every event, and the position whenever a player has to decide."""
    game = begin(record)
    assert isinstance(record, dict)
    options = ", ".join(f"{name} {str(value).lower()}" for name, value in game.options.items())
    yield f"{game.name}, {game.players} players" + (f", {options}" if options else "")
    if record.get("names"):
        yield "  ".join(f"player {player}: {name}" for player, name in enumerate(record["names"]))
    for event, after, _ in steps(record):
        game = after
        yield event
        if after.turn is not None or after.over:
            yield f"\n{after}\n"
    if game.result is None:
        yield "The record ends before the game does."
        return
    for player, place in enumerate(game.result.places):
        yield f"player {player}: place {place}"


def read_lines(path: Path) -> Iterator[tuple[int, object, int]]:
    """Every line of a file of records with its number and size; for one that is no JSON the error in its place."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield number, json.loads(line.decode("utf-8")), len(line)
            except (ValueError, RecursionError) as error:
                yield number, RecordError(f"not a JSON object in UTF-8: {error}"), len(line)


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records, one JSON object to a line; the file appears only when it is complete."""
    with whole_file(path) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
