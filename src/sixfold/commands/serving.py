"""What the commands around the server share: the database's default, and the extra that they need."""

from typing import Annotated

import typer

Database = Annotated[
    str, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME", envvar="SIXFOLD_DATABASE")
]
DATABASE = "sqlite:///sixfold.db"


def need_server() -> None:
    """Say what to install where the extra is missing."""
    from importlib.util import find_spec

    from sixfold.games import SetupError

    missing = [name for name in ("litestar", "sqlalchemy", "alembic", "uvicorn", "websockets") if not find_spec(name)]
    if missing:
        raise SetupError(f"{', '.join(missing)} missing; install the extra: pip install 'sixfold[server]'")
