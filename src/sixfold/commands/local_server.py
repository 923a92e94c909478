"""``sixfold`` without a command: serves the games locally and opens them in the browser.

With ``sixfold[server]`` it is a table server. Without it, the pages are served as static files: games against bots and
among people at one device run in the browser.
"""

import socket
import threading
import time
import webbrowser
from pathlib import Path

from sixfold.commands.cli_support import language_of
from sixfold.commands.server_options import missing_server_modules
from sixfold.language import say

HOST = "127.0.0.1"
# Browsers store data per origin, so the port stays the same as long as it is free.
PORT = 8642
START_SECONDS = 180.0


def serve_and_open(requested_port: int = PORT) -> None:
    """Serve the games on the requested port, or on a free one, and open them in the browser."""
    language = language_of(None)
    port = _bindable_port(requested_port)
    if port is None:
        if _is_sixfold(requested_port):
            _open_browser(requested_port, language)
            return
        port = _bindable_port(0)
    assert port is not None
    if missing_server_modules():
        _serve_pages(port, language)
    else:
        _serve_tables(port, language)


def _serve_tables(port: int, language: str) -> None:
    import platformdirs

    from sixfold.commands.serve import run_server
    from sixfold.server.settings import Settings

    folder = platformdirs.user_data_path("sixfold")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    print(say("home_starting", language), flush=True)
    threading.Thread(target=_open_when_ready, args=(port, language), daemon=True).start()
    settings = Settings(_database(folder), requests_a_minute=0, own_process=True)
    run_server(settings, HOST, port, level="WARNING")


def _database(folder: Path) -> str:
    return f"sqlite:///{folder / 'sixfold.db'}"


def _serve_pages(port: int, language: str) -> None:
    from sixfold.commands.static_pages import page_server

    with page_server(HOST, port) as server:
        print(say("home_static", language), flush=True)
        _open_browser(port, language)
        server.serve_forever()


def _bindable_port(port: int) -> int | None:
    """The port, or any free one for 0; None if it is in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return None
        bound_port: int = probe.getsockname()[1]
        return bound_port


def _is_sixfold(port: int) -> bool:
    """Whether our pages are served on this port."""
    from urllib.request import urlopen

    try:
        with urlopen(f"http://{HOST}:{port}/", timeout=2) as answer:
            return b"Sixfold" in answer.read(10_000)
    except OSError:
        return False


def _open_when_ready(port: int, language: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if _bindable_port(port) is None and _is_sixfold(port):
            _open_browser(port, language)
            return
        time.sleep(0.2)


def _open_browser(port: int, language: str) -> None:
    url = f"http://{HOST}:{port}"
    print(say("home_open", language, url=url), flush=True)
    webbrowser.open(url)
