"""Serves the built pages as static files with the standard library."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sixfold.errors import SetupError
from sixfold.pages import FOLDER, INDEX, is_page, media_type


def page_server(host: str, port: int) -> ThreadingHTTPServer:
    if not (FOLDER / INDEX).is_file():
        raise SetupError("the pages are not built yet; in a checkout run: make pages")
    return ThreadingHTTPServer((host, port), partial(_PageHandler, directory=str(FOLDER)))


class _PageHandler(SimpleHTTPRequestHandler):
    """Serves the built files, and the page at every other address, as the table server does."""

    def translate_path(self, path: str) -> str:
        file = Path(super().translate_path(path))
        name = file.relative_to(FOLDER).as_posix()
        return str(FOLDER / INDEX if not file.is_file() and is_page(name) else file)

    def guess_type(self, path: object) -> str:
        return media_type(str(path))

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the player."""
