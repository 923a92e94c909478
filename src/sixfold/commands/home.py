"""``sixfold`` alone: the games in the browser, served by this computer for itself."""

import socket
import threading
import time
import webbrowser
from pathlib import Path

from sixfold.commands.common import language_of
from sixfold.commands.serving import need_server
from sixfold.language import say

HOST = "127.0.0.1"
# A browser keeps what it knows by address and port, so it is the same one every time, as long as it is free.
PORT = 8642
PATIENCE = 180.0


def home(wanted: int = PORT) -> None:
    """Serve the games, on the port that is wanted or a free one, and open them in the browser."""
    need_server()
    import platformdirs

    from sixfold.commands.serve import run_server
    from sixfold.server.settings import Settings

    tongue = language_of(None)
    port = _free(wanted)
    if port is None:
        if _is_ours(wanted):
            _open(wanted, tongue)
            return
        port = _free(0)
    assert port is not None
    place = platformdirs.user_data_path("sixfold")
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    print(say("home_starting", tongue), flush=True)
    threading.Thread(target=_open_when_ready, args=(port, tongue), daemon=True).start()
    settings = Settings(_database(place), requests_a_minute=0, own_process=True)
    run_server(settings, HOST, port, level="WARNING")


def _database(place: Path) -> str:
    return f"sqlite:///{place / 'sixfold.db'}"


def _free(port: int) -> int | None:
    """The port, or any free one for 0; None where somebody is there already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return None
        found: int = probe.getsockname()[1]
        return found


def _is_ours(port: int) -> bool:
    """Does a table server answer there?"""
    import httpx

    try:
        answer = httpx.get(f"http://{HOST}:{port}/api/levels", timeout=2)
        return answer.status_code == 200 and "level1" in answer.json()
    except (httpx.HTTPError, ValueError):
        return False


def _open_when_ready(port: int, tongue: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if _free(port) is None and _is_ours(port):
            _open(port, tongue)
            return
        time.sleep(0.2)


def _open(port: int, tongue: str) -> None:
    url = f"http://{HOST}:{port}"
    print(say("home_open", tongue, url=url), flush=True)
    webbrowser.open(url)
