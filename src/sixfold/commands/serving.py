"""What the commands around the server share: the database's default, and the extra that they need."""

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
    """Say what to install where the extra is missing, or a part of it."""
    from importlib.util import find_spec

    from sixfold.errors import SetupError

    missing = [name for name in _PARTS if not find_spec(name)]
    if missing:
        why = f"missing: {', '.join(missing)}"
        raise SetupError(f"the table server is an extra; install it: pip install 'sixfold[server]' ({why})")
