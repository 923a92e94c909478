"""The browser's pages, as they were built: held in memory, compressed once, and index.html for every other address."""

import gzip
import mimetypes
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler

from sixfold.table import TableRefused

YEAR = "public, max-age=31536000, immutable"
NOT_BUILT = b"The pages are not built yet. In a checkout run: make pages\n"
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
_SQUEEZED = ("text/", "application/", "image/svg")


@dataclass(frozen=True)
class Page:
    """A file as it is sent."""

    body: bytes
    squeezed: bytes | None
    media_type: str
    keep: str


def page(name: str, body: bytes) -> Page:
    """A file, compressed where that makes it smaller."""
    ending = name[name.rfind(".") :]
    media_type = _TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    squeezed = gzip.compress(body, 9, mtime=0) if media_type.startswith(_SQUEEZED) else None
    # Names under assets/ carry a hash of what is in them.
    return Page(body, squeezed, media_type, YEAR if name.startswith("assets/") else "no-cache")


def _files(folder: Traversable, prefix: str = "") -> dict[str, Page]:
    found: dict[str, Page] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _files(entry, f"{prefix}{entry.name}/")
        else:
            found[prefix + entry.name] = page(prefix + entry.name, entry.read_bytes())
    return found


@cache
def pages() -> dict[str, Page]:
    """All pages by their path, read once."""
    folder = resources.files("sixfold.server").joinpath("pages")
    return _files(folder) if folder.is_dir() else {"index.html": Page(NOT_BUILT, None, "text/plain", "no-cache")}


def pages_router() -> HTTPRouteHandler:
    @get(["/", "/{path:path}"], include_in_schema=False, name="pages")
    async def show(request: Request[Any, Any, Any]) -> Response[bytes]:
        """A built file, or the page that finds out by itself what its address means."""
        name = request.url.path.strip("/")
        if name == "api" or (name.startswith(("api/", "assets/")) and name not in pages()):
            raise TableRefused("no_page")
        found = pages().get(name) or pages()["index.html"]
        headers = {"Cache-Control": found.keep, "Vary": "Accept-Encoding"}
        if found.squeezed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(found.squeezed, headers=headers, media_type=found.media_type)
        return Response(found.body, headers=headers, media_type=found.media_type)

    return show
