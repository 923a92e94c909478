"""The built web pages: held in memory, compressed once, with index.html for every unknown path."""

import gzip
from dataclasses import dataclass
from functools import cache
from typing import Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler

from sixfold.pages import FOLDER, INDEX, is_page, media_type
from sixfold.table import TableRefused

YEAR = "public, max-age=31536000, immutable"
NOT_BUILT = b"The pages of Sixfold are not built yet. In a checkout run: make pages\n"
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
    kind = media_type(name)
    compressed = gzip.compress(body, 9, mtime=0) if kind.startswith(_COMPRESSIBLE) else None
    # Names under assets/ contain a hash of their content.
    return Page(body, compressed, kind, YEAR if name.startswith("assets/") else "no-cache")


@cache
def pages() -> dict[str, Page]:
    """All pages by their path, read once."""
    if not FOLDER.is_dir():
        return {INDEX: Page(NOT_BUILT, None, "text/plain", "no-cache")}
    names = (path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())
    return {name: page(name, (FOLDER / name).read_bytes()) for name in names}


def pages_router() -> HTTPRouteHandler:
    @get(["/", "/{path:path}"], include_in_schema=False, name="pages")
    async def show(request: Request[Any, Any, Any]) -> Response[bytes]:
        """A built file, or the page that finds out by itself what its address means."""
        name = request.url.path.strip("/")
        if name not in pages() and not is_page(name):
            raise TableRefused("no_page")
        file = pages().get(name) or pages()[INDEX]
        headers = {"Cache-Control": file.cache_control, "Vary": "Accept-Encoding"}
        if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(file.compressed, headers=headers, media_type=file.media_type)
        return Response(file.body, headers=headers, media_type=file.media_type)

    return show
