"""Logs as JSON, one object a line; cookies, tokens, keys and bodies are never handed to the log."""

import json
import logging
import sys
from typing import Any

_USUAL = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _USUAL}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=repr)


def set_up(level: str = "INFO") -> None:
    """Everything goes to the error stream, from this program and from the libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for library in ("alembic", "sqlalchemy", "litestar", "httpx"):
        logging.getLogger(library).setLevel("WARNING")
    # It has a warning for everything that is no HTTP, which strangers can send as often as they like.
    logging.getLogger("uvicorn").setLevel("ERROR")
