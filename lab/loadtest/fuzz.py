"""Fuzzing: malformed, unauthorised, untimely, repeated and illegal messages."""

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from lab.loadtest.players import guests
from sixfold.games import packages
from sixfold.server.protocol import MOST_BYTES
from sixfold.table import ACTIONS

WAIT_SECONDS = 20
AT_ONCE = 50
_EXAMPLES = [game.notation.EXAMPLE for game in packages().values()]
_TEXTS = ("", "0", *_EXAMPLES, "keep", "{0}", "\u0000", "ÿ🎲", "x" * 39, f"1 {_EXAMPLES[-1]}")
_JUNK: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, [], {}, [[]], "", "\u202e", "a" * 3000)


@dataclass
class FuzzCounts:
    """Counts of the messages sent and how the server reacted."""

    sent: int = 0
    accepted: int = 0
    silent: int = 0
    internal: int = 0
    changed: int = 0
    refused: dict[str, int] = field(default_factory=dict)


def nonsense(dice: random.Random, repeated: str) -> str | bytes:
    """A message that must be refused: the table is in play, and the sender is never entitled to any of this."""
    kind = dice.randrange(8)
    if kind == 0:
        return dice.randbytes(dice.randrange(1, 200))
    if kind == 1:
        return "".join(chr(dice.choice((dice.randrange(32, 127), dice.randrange(0xA0, 0xD800)))) for _ in range(40))
    if kind == 2:
        return json.dumps(dice.choice(_JUNK))
    if kind == 3:
        return json.dumps({"do": "move", "move": "x" * dice.randrange(MOST_BYTES, 4 * MOST_BYTES)})
    if kind == 4:
        return repeated
    message: dict[str, Any] = {"do": dice.choice(("move", "undo", "sit", "bot", "open", "start", "ready", "back"))}
    message |= {name: dice.choice(_TEXTS) for name in ("move", "name", "level", "id") if dice.random() < 0.5}
    if kind == 5:
        message[dice.choice(("do", "seat", "version", "move", "key", "guest", "bot", "at"))] = dice.choice(_JUNK)
        message["do"] = message["do"] if message["do"] not in ACTIONS else "move"
    if kind == 6:
        message |= {"seat": dice.randrange(4), "version": dice.randrange(1000)}
    text = json.dumps(message, ensure_ascii=dice.random() < 0.5)
    if kind == 7:
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice('{}[]",:x') + text[at + 1 :]
    return text


async def fuzz(url: str, number: int, seed: int, progress: Callable[[], None]) -> FuzzCounts:
    """Send nonsense to tables in play as the player not in turn, as a stranger, and anonymously."""
    counts, dice = FuzzCounts(), random.Random(seed)
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        one, two, stranger = await guests(client, 3)
        for game in packages():
            table = await _start_table(client, game, one, two)
            before = await _fetch_table(client, table, one)
            turn = before["views"][0]["turn"]
            waiting = two if turn == 0 else one
            repeated = await _play_until_turn_passes(client, url, table, two if turn == 1 else one, counts)
            before = await _fetch_table(client, table, one)
            turn = before["views"][0]["turn"]
            waiting = two if turn == 0 else one
            for cookie in (waiting, stranger, ""):
                await _send(url, table, cookie, number // (3 * len(packages())) + 1, dice, repeated, counts, progress)
            after = await _fetch_table(client, table, one)
            counts.changed += before != after
    return counts


async def _start_table(client: httpx.AsyncClient, game: str, one: str, two: str) -> str:
    body = {"game": game, "public": True, "takeover": None}
    table: str = (await client.post("/api/tables", json=body, headers={"Cookie": one})).json()["id"]
    for cookie, do in ((two, "sit"), (one, "start")):
        (
            await client.post(f"/api/tables/{table}/actions", json={"do": do}, headers={"Cookie": cookie})
        ).raise_for_status()
    return table


async def _fetch_table(client: httpx.AsyncClient, table: str, cookie: str) -> dict[str, Any]:
    answer: dict[str, Any] = (await client.get(f"/api/tables/{table}", headers={"Cookie": cookie})).json()
    return answer


async def _play_until_turn_passes(
    client: httpx.AsyncClient, url: str, table: str, cookie: str, counts: FuzzCounts
) -> str:
    """Play legal moves until the turn passes; returns the last message, to be sent again."""
    message = ""
    while True:
        view = (await _fetch_table(client, table, cookie))["views"][0]
        if view["turn"] != view["seat"]:
            return message
        move = next((move for move in view["legal"] if move != "reroll"), view["legal"][0])
        action = {"do": "move", "move": move, "id": f"replay {view['version']}", "version": view["version"]}
        message = json.dumps(action)
        headers = {"Cookie": cookie}
        (await client.post(f"/api/tables/{table}/actions", json=action, headers=headers)).raise_for_status()


async def _send(
    url: str,
    table: str,
    cookie: str,
    number: int,
    dice: random.Random,
    repeated: str,
    counts: FuzzCounts,
    progress: Callable[[], None],
) -> None:
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    headers = {"Cookie": cookie} if cookie else {}
    async with connect(address, additional_headers=headers, compression=None, max_size=2**22) as socket:
        await socket.recv()
        for start in range(0, number, AT_ONCE):
            batch = min(AT_ONCE, number - start)
            for _ in range(batch):
                await socket.send(nonsense(dice, repeated))
                counts.sent += 1
                progress()
            await _count_answers(socket, batch, counts)


async def _count_answers(socket: ClientConnection, number: int, counts: FuzzCounts) -> None:
    for _ in range(number):
        try:
            answer = {"type": "presence"}
            while answer["type"] == "presence":
                answer = json.loads(await asyncio.wait_for(socket.recv(), WAIT_SECONDS))
        except TimeoutError:
            counts.silent += 1
            return
        if answer["type"] == "refused" and answer["reason"]:
            counts.internal += answer["key"] == "internal"
            counts.refused[answer["key"]] = counts.refused.get(answer["key"], 0) + 1
        else:
            counts.accepted += 1
