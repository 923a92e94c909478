"""Shared by the commands that need ``sixfold[server]``: the database option, and a check of the installation."""

from typing import Annotated

import typer

from sixfold.errors import SetupError

Database = Annotated[
    str, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME", envvar="SIXFOLD_DATABASE")
]
DATABASE = "sqlite:///sixfold.db"


_MODULES = (
    "aiosqlite alembic asyncpg httptools httpx itsdangerous litestar prometheus_client redis segno sqlalchemy "
    "uvicorn websockets"
).split()


def missing_server_modules() -> list[str]:
    """The modules of ``sixfold[server]`` that are not installed."""
    from importlib.util import find_spec

    return [name for name in _MODULES if not find_spec(name)]


def require_server() -> None:
    """Refuse to run without the packages of ``sixfold[server]``, and say how to install them."""
    if missing := missing_server_modules():
        raise SetupError(
            f"tables on the network need more packages: pip install 'sixfold[server]' (missing: {', '.join(missing)})"
        )
