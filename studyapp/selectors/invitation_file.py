"""Invitations as a file for a mail merge, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from studyapp.domain.invitations import COLUMNS
from studyapp.seams.analysis import text_escape
from studyapp.selectors.cohorts import InvitationRow


def invitations_csv(rows: Sequence[InvitationRow], *, address: Callable[[str], str]) -> bytes:
    """Return the list as CSV, UTF-8 with a byte order mark; `address` makes a link of a token."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow((*COLUMNS, "state", "link"))
    for row in rows:
        years = "" if row.experience_years is None else str(row.experience_years)
        texts = (row.name, row.role, years, row.credential, row.state, address(row.token))
        writer.writerow(text_escape(text) for text in texts)
    return buffer.getvalue().encode("utf-8-sig")
