"""What the commands around the server share: the database's default, and a look at what they need."""

from typing import Annotated

import typer

Database = Annotated[
    str, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME", envvar="SIXFOLD_DATABASE")
]
DATABASE = "sqlite:///sixfold.db"


_PARTS = (
    "aiosqlite alembic asyncpg httptools httpx itsdangerous litestar msgspec prometheus_client redis segno sqlalchemy "
    "uvicorn websockets"
).split()


def need_server() -> None:
    """Say how to repair an installation in which something is missing."""
    from importlib.util import find_spec

    from sixfold.errors import SetupError

    missing = [name for name in _PARTS if not find_spec(name)]
    if missing:
        how = f"pip install --force-reinstall sixfold (missing: {', '.join(missing)})"
        raise SetupError(f"this installation lacks parts of the table server; repair it: {how}")
