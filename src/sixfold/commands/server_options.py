"""Shared by the server commands: the database option, and a check of the installation."""

from typing import Annotated

import typer

Database = Annotated[
    str, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME", envvar="SIXFOLD_DATABASE")
]
DATABASE = "sqlite:///sixfold.db"


_MODULES = (
    "aiosqlite alembic asyncpg httptools httpx itsdangerous litestar msgspec prometheus_client redis segno sqlalchemy "
    "uvicorn websockets"
).split()


def require_server() -> None:
    """Refuse to run with missing dependencies, and say how to repair the installation."""
    from importlib.util import find_spec

    from sixfold.errors import SetupError

    missing = [name for name in _MODULES if not find_spec(name)]
    if missing:
        command = f"pip install --force-reinstall sixfold (missing: {', '.join(missing)})"
        raise SetupError(f"this installation lacks parts of the table server; repair it: {command}")
