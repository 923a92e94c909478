"""Logs as JSON Lines. Cookies, tokens, keys and bodies are never logged."""

import json
import logging
import sys
from typing import Any

_STANDARD_FIELDS = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD_FIELDS}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=repr)


def set_up(level: str = "INFO") -> None:
    """Send the logs of this program and of its libraries to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for library in ("alembic", "sqlalchemy", "litestar", "httpx"):
        logging.getLogger(library).setLevel("WARNING")
    # It warns about every request that is not HTTP, which anyone could use to flood the log.
    logging.getLogger("uvicorn").setLevel("ERROR")
