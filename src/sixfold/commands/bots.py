"""``sixfold bots``: our bots as a process of their own, through the server's documented interface."""

import secrets
import time
from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.server_options import require_server

PAUSE = 0.25


def bots(
    server: Annotated[str, typer.Option(metavar="URL", help="the server, such as http://127.0.0.1:8000")],
    token_file: Annotated[Path, typer.Option(metavar="FILE", help="a file with the token of `sixfold bot-token`")],
    think: Annotated[float, typer.Option(help="milliseconds to think about a move", min=1)] = 500,
    turns: Annotated[int, typer.Option(help="stop after this many moves; 0 to go on", min=0)] = 0,
) -> None:
    """Think for the bots of a server that runs with --no-bots."""
    require_server()
    import httpx

    from sixfold.bots import Budget
    from sixfold.bots.levels import warm_up
    from sixfold.bots.turn import decide_turn
    from sixfold.engine.chance import Seeded
    from sixfold.errors import SetupError
    from sixfold.table.positions import view_of

    token = token_file.read_text(encoding="utf-8").strip()
    # Compile before taking a turn: it takes longer than the lease of a turn.
    warm_up()
    played = 0
    with httpx.Client(base_url=server, headers={"Authorization": f"Bearer {token}"}, timeout=10) as client:
        while not turns or played < turns:
            try:
                response = client.post("/api/worker/turns")
                if response.status_code == 401:
                    raise SetupError("the server does not accept this token")
                response.raise_for_status()
                turn = response.json()
                if turn is None:
                    time.sleep(PAUSE)
                    continue
                view, chance = view_of(turn["view"]["position"]), Seeded(secrets.randbits(63))
                move, then = decide_turn(turn["level"], view, Budget(think), chance)
                turn_key = {name: turn[name] for name in ("table", "seat", "version")}
                answer = client.post("/api/worker/moves", json={**turn_key, "move": move, "then": then})
                played += answer.status_code == 200
            except httpx.InvalidURL as error:
                raise SetupError(f"{server!r} is no address of a server: {error}") from None
            except httpx.HTTPError as error:
                # A restarting server is back soon, and the turn is offered again when its lease expires.
                print(f"the server cannot be reached ({type(error).__name__}); trying again", flush=True)
                time.sleep(1)
    print(f"{played} moves played")
