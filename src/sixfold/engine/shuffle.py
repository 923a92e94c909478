"""Verifiable shuffles: outcomes derived from a key that is committed to before the deal and revealed after the game."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sixfold.engine.game import Game
from sixfold.engine.record import RecordError, begin, walk
from sixfold.games.shared.symbols import kind_at, total

_WORDS = 1 << 64


def commitment(key: bytes) -> str:
    """The commitment published before the deal: the key's SHA-256 in hexadecimal."""
    return hashlib.sha256(key).hexdigest()


def below(key: bytes, what: str, index: int, limit: int) -> int:
    """A uniformly distributed number from 0 to limit - 1.

    HMAC-SHA-256 of the text ``<what> <index> <attempt>``; its first eight bytes, big-endian, are taken modulo the
    limit. Words in the last incomplete run of the limit would favour small numbers, so they are rejected.
    """
    fair = _WORDS - _WORDS % limit
    attempt = 0
    while True:
        digest = hmac.digest(key, f"{what} {index} {attempt}".encode(), "sha256")
        word = int.from_bytes(digest[:8], "big")
        if word < fair:
            return word % limit
        attempt += 1


class Keyed:
    """Outcomes derived from a key: the n-th draw or die of a game depends only on the key, n and the pool."""

    def __init__(self, key: bytes, drawn: int = 0) -> None:
        self.key = key
        self.drawn = drawn

    def pick(self, weights: np.ndarray) -> int:
        index = below(self.key, "draw", self.drawn, int(total(weights)))
        self.drawn += 1
        return int(kind_at(weights, index))

    def __repr__(self) -> str:
        # The key must not leak into a log through an error message.
        return f"<Keyed, {self.drawn} drawn>"


def start_seat(key: bytes, seats: int) -> int:
    """The starting seat, derived from the same key."""
    return below(key, "start", 0, seats)


def items_drawn(events: list[str]) -> int:
    """The number of items that chance has supplied in these events."""
    return sum([event.count(" ") - 1 for event in events if not event[0].isdigit()])


def verify(record: Mapping[str, Any]) -> bool:
    """Check that every draw and roll follows from the record's key; returns False if the record has no shuffle."""
    shuffle = record.get("shuffle")
    if shuffle is None:
        return False
    key = _key(shuffle)
    start = shuffle.get("start")
    if start is not None:
        _check_start(key, start)
    game = begin(record)
    game.chance = Keyed(key)
    game.resolve_chance()
    for _ in walk(game, _moves(game, record["events"])):
        game.resolve_chance()
    if len(game.events) != len(record["events"]):
        raise RecordError(f'after the last event the key gives "{game.events[len(record["events"])]}"')
    return True


def _moves(game: Game, events: list[str]) -> Iterator[str]:
    """The players' events of a record; chance's must be those of the game."""
    for index, event in enumerate(events):
        if index == len(game.events):
            yield event
        elif game.events[index] != event:
            raise RecordError(f'event {index + 1}: "{event}" does not follow from the key: "{game.events[index]}"')


def _key(shuffle: object) -> bytes:
    if not isinstance(shuffle, dict) or not all(isinstance(shuffle.get(name), str) for name in ("commitment", "key")):
        raise RecordError("'shuffle' is an object with 'commitment' and 'key'")
    try:
        key = bytes.fromhex(shuffle["key"])
    except ValueError:
        raise RecordError("the shuffle's 'key' is written in hexadecimal digits") from None
    if commitment(key) != shuffle["commitment"]:
        raise RecordError("the shuffle's key is not the one that was committed to before the deal")
    return key


def _check_start(key: bytes, start: object) -> None:
    if not isinstance(start, dict) or not all(isinstance(start.get(name), int) for name in ("seats", "seat")):
        raise RecordError("the shuffle's 'start' is an object with 'seats' and 'seat'")
    if not 1 <= start["seats"] <= 1000 or start_seat(key, start["seats"]) != start["seat"]:
        raise RecordError(f"seat {start['seat']} as the one that begins does not follow from the key")
