"""What is logged and how: a line of text or of JSON each, with the id of its request.

Neither documents nor keys come into it: of an error that nobody foresaw only its kind and the lines of code are told.
"""

import json
import logging
import re
import sys
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

from engine.config import Settings
from engine.interfaces.request_id import request_id

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_HIDDEN = "***"


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Have everything that is logged written to stderr (or a stream) as the settings say."""
    handler = logging.StreamHandler(stream or sys.stderr)
    parts = [*vars(settings).values(), *settings.endpoints.values()]
    secrets = [getattr(part, "api_key", "") for part in parts]
    secrets += re.findall("(?<=:)[^:@/]+(?=@)", settings.database.url)
    handler.setFormatter(Lines(settings.logging.format == "json", [key for key in secrets if key]))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    # Others' libraries tell at INFO what they send where; only this program's own lines are kept clean.
    for room in ("engine", "storage", "pages", "asgi"):
        logging.getLogger(room).setLevel(settings.logging.level)


class Lines(logging.Formatter):
    """Writes a record as a line, without what may not be told."""

    def __init__(self, as_json: bool, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._as_json, self._secrets = as_json, secrets

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname, "logger": record.name, "message": record.getMessage(),
            "request_id": request_id(),
        }  # fmt: skip
        told |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info and record.exc_info[0]:
            told["exception"] = record.exc_info[0].__name__
            told["traceback"] = "".join(traceback.format_tb(record.exc_info[2]))
        line = json.dumps(told, ensure_ascii=False, default=str) if self._as_json else _as_text(told)
        for secret in self._secrets:
            line = line.replace(secret, _HIDDEN)
        return line


def _as_text(told: dict[str, Any]) -> str:
    first = f"{told.pop('time')} {told.pop('level')} {told.pop('logger')}: {told.pop('message')}"
    lines = told.pop("traceback", "")
    rest = " ".join(f"{name}={value}" for name, value in told.items() if value is not None)
    return f"{first} {rest}".rstrip() + (f"\n{lines}" if lines else "")
