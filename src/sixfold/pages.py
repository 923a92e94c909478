"""The built web pages: one page that finds out by itself what its address means, and the files that it loads."""

import mimetypes
from pathlib import Path

FOLDER = Path(__file__).parent / "server" / "pages"
INDEX = "index.html"
_TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}


def media_type(name: str) -> str:
    """A file's type, whatever this computer thinks of its ending."""
    return _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def is_page(path: str) -> bool:
    """Whether an address that is not a file leads to the page; requests to a server and lost files do not."""
    return path != "api" and not path.startswith(("api/", "assets/"))
