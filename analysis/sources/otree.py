"""Read an oTree export (all apps, wide): one line a participant, one round a scenario.

Columns are `participant.code`, `participant._is_bot`, `session.is_demo` and, for each app and
round, `<app>.<round>.player.<field>`. A round's fields are those of a wide table: `<measure>_<arm>`
for ratings and any other name for choices and texts. `scenario`, `left_arm` and `trial_order` are
taken from fields of these names; without `scenario` a round is called `<app>.<round>`.
"""

from __future__ import annotations

import re
from typing import Final

from analysis.sources.tables import Table
from analysis.sources.wide import rated_measures

_FIELD: Final = re.compile(r"(?P<round>\w+\.\d+)\.player\.(?P<field>\w+)")
_PERSON: Final = "participant.code"
# oTree writes these for every player; they answer nothing.
_OWN: Final = frozenset({"id_in_group", "role", "payoff"})


def is_otree(head: tuple[str, ...]) -> bool:
    """Tell an oTree export by its participant column and its rounds."""
    return _PERSON in head and any(_FIELD.fullmatch(name) for name in head)


def otree_table(table: Table, arms: tuple[str, str]) -> Table:
    """Unfold rounds into the lines of a wide table; row numbers stay those of the export."""
    fields = _fields(table.head)
    names = tuple(dict.fromkeys(field for field, _ in fields.values()))
    own = ("participant_id", "is_bot", "is_test", "scenario")
    head = (*own, *(name for name in names if name != "scenario"))
    measures = rated_measures(head, arms)
    rated = [f"{measure}_{arm}" for measure in measures for arm in arms]
    lines = []
    for number, cells in table.rows:
        values = dict(zip(table.head, cells, strict=True))
        for round_ in dict.fromkeys(place for _, place in fields.values()):
            line = _line(values, fields, round_)
            if any(line.get(name) for name in rated):
                lines.append((number, tuple(line.get(name, "") for name in head)))
    return Table(table.file, head, tuple(lines))


def _fields(head: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Column to (field, round)."""
    found = {}
    for name in head:
        match = _FIELD.fullmatch(name)
        if match and match["field"] not in _OWN:
            found[name] = (match["field"], match["round"])
    return found


def _line(
    values: dict[str, str], fields: dict[str, tuple[str, str]], round_: str
) -> dict[str, str]:
    line = {
        "participant_id": values[_PERSON],
        "is_bot": values.get("participant._is_bot", ""),
        "is_test": values.get("session.is_demo", ""),
    }
    line |= {field: values[column] for column, (field, place) in fields.items() if place == round_}
    line["scenario"] = line.get("scenario") or round_
    return line
