"""The built web pages: held in memory, compressed once, with index.html for every unknown path."""

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
_COMPRESSIBLE = ("text/", "application/", "image/svg")


@dataclass(frozen=True)
class Page:
    """A file ready to send."""

    body: bytes
    compressed: bytes | None
    media_type: str
    cache_control: str


def page(name: str, body: bytes) -> Page:
    """A file, compressed where that makes it smaller."""
    ending = name[name.rfind(".") :]
    media_type = _TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(body, 9, mtime=0) if media_type.startswith(_COMPRESSIBLE) else None
    # Names under assets/ contain a hash of their content.
    return Page(body, compressed, media_type, YEAR if name.startswith("assets/") else "no-cache")


def _files(folder: Traversable, prefix: str = "") -> dict[str, Page]:
    files: dict[str, Page] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            files |= _files(entry, f"{prefix}{entry.name}/")
        else:
            files[prefix + entry.name] = page(prefix + entry.name, entry.read_bytes())
    return files


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
        file = pages().get(name) or pages()["index.html"]
        headers = {"Cache-Control": file.cache_control, "Vary": "Accept-Encoding"}
        if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(file.compressed, headers=headers, media_type=file.media_type)
        return Response(file.body, headers=headers, media_type=file.media_type)

    return show
