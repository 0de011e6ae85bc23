"""The wide table from the long one: one line for each participant and scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from studyapp.seams import analysis

_AT = {name: place for place, name in enumerate(analysis.LONG_COLUMNS)}


def wide_lines(long: Path, columns: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of the wide table; cells stay formula-safe as they are.

    Ratings stand in `<measure>_<arm>`, other answers in `<measure>`. Participants with background
    answers only have no line.

    Args:
        long: the long table, each participant's lines together.
        columns: the wide table's columns after the ids.
    """
    with analysis.csv_read(long) as lines:
        next(lines)
        for _, person in groupby(lines, key=itemgetter(_AT["participant_id"])):
            yield from _person_lines(person, columns)


def _person_lines(answers: Iterator[list[str]], columns: Sequence[str]) -> Iterator[list[str]]:
    background: dict[str, str] = {}
    trials: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for line in answers:
        value, scenario = line[_AT["value"]], line[_AT["scenario"]]
        if line[_AT["kind"]] == analysis.BACKGROUND:
            background[line[_AT["measure"]]] = value
            continue
        if scenario not in trials:
            trials[scenario] = ({name: line[_AT[name]] for name in analysis.WIDE_ID_COLUMNS}, {})
        ids, given = trials[scenario]
        given[_column(line)] = value
        ids["answered_at"] = max(ids["answered_at"], line[_AT["answered_at"]])
    for ids, given in trials.values():
        cells = background | given
        yield [*ids.values(), *(cells.get(name, "") for name in columns)]


def _column(line: Sequence[str]) -> str:
    measure = analysis.text_unescape(line[_AT["measure"]])
    if line[_AT["kind"]] != analysis.RATING:
        return measure
    return f"{measure}_{analysis.text_unescape(line[_AT['arm']])}"
