"""One JSON line per log record, without what would name or follow a participant."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

# Personal links, invitations, trial links and cohort links carry their token in the path.
_TOKEN_IN_PATH = re.compile(r"/(?P<kind>[impst])/[A-Za-z0-9_-]+")
# What a panel's link says of a person stands behind the path.
_QUERY_OF_TOKEN = re.compile(r"(?P<path>/\(token\)[^\s?]*)\?[^\s\"']+")
# PostgreSQL and SQLite errors quote the refused row: answers and tokens.
_ROW_IN_ERROR = re.compile(r"^(?P<label>DETAIL|CONTEXT):.*$", re.MULTILINE)


class JsonFormatter(logging.Formatter):
    """Write time (UTC, ISO 8601), level, logger, message and, if there is one, the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON."""
        line = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        if record.exc_info:
            line["traceback"] = redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def redact(text: str) -> str:
    """Return `text` without tokens of links, their parameters, and quoted database rows."""
    without_tokens = _TOKEN_IN_PATH.sub(r"/\g<kind>/(token)", text)
    without_tokens = _QUERY_OF_TOKEN.sub(r"\g<path>?(left out)", without_tokens)
    return _ROW_IN_ERROR.sub(r"\g<label>: (left out)", without_tokens)
