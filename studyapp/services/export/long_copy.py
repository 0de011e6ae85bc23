"""The long table by PostgreSQL's COPY: the database writes the lines, Python passes them on.

Django's rows cost eleven times as much as COPY (measured: 400,000 rows of 20 columns), this one to
two times. The statement is written by hand, since only so one pass resolves positions into arms,
makes texts formula-safe and writes times; `long_lines` is the same table for every database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.db import connection

from studyapp.domain.measures import MeasureKind
from studyapp.seams import analysis
from studyapp.services.export.head import StudyHead
from studyapp.services.export.long_lines import PAIR_ITEM
from studyapp.services.export.people import Portion

_LINES: Final = 4000
_TABLES: Final = {
    name: f"studyapp_{name}"
    for name in ("participant", "assignment", "response", "exposure", "change")
}
_PEOPLE: Final = """
people AS (
  SELECT p.id, p.background, {code} AS code, c.name AS cohort, c.source, {language} AS language,
    CASE WHEN p.completed_at IS NULL THEN 'partial' ELSE 'complete' END AS status,
    CASE WHEN p.is_test THEN 'true' ELSE 'false' END AS is_test,
    CASE WHEN p.is_bot THEN 'true' ELSE 'false' END AS is_bot,
    {background_at} AS background_at
  FROM {participant} p JOIN cohorts c ON c.id = p.cohort_id
  WHERE p.id IN ({selected})
)"""
_BACKGROUND: Final = """
  SELECT people.id AS pk, 0 AS trial, b.place, '' AS side,
    people.code, people.cohort, people.language, NULL AS scenario, NULL::int AS trial_order,
    b.name AS measure, %(background)s AS kind, NULL AS arm, NULL AS position,
    {value} AS value, NULL AS left_arm, NULL AS presented_at, people.background_at AS answered_at,
    people.status, people.is_test, people.is_bot, %(mode)s AS models, people.source,
    NULL AS pair_token, NULL::bigint AS dwell_visible_ms, NULL::bigint AS n_changes
  FROM people JOIN questions b ON people.background ? b.key"""
_ANSWERS: Final = """
  SELECT people.id AS pk, a."order" AS trial, m.place, r.side,
    people.code, people.cohort, people.language, s.key AS scenario, a."order"::int AS trial_order,
    m.name AS measure, m.kind AS kind, {arm} AS arm, NULLIF(r.side, '') AS position,
    {value} AS value, {left_arm} AS left_arm, {presented_at} AS presented_at,
    {answered_at} AS answered_at, people.status, people.is_test, people.is_bot, s.mode AS models,
    people.source, s.token AS pair_token, e.ms AS dwell_visible_ms,
    COALESCE(n.number, 0) AS n_changes
  FROM people
  JOIN {assignment} a ON a.participant_id = people.id
  JOIN {response} r ON r.assignment_id = a.id
  JOIN measures m ON m.key = r.measure
  JOIN scenarios s ON s.id = a.scenario_id
  LEFT JOIN seen e ON e.assignment_id = a.id
    AND e.item = CASE r.side WHEN '' THEN %(pair_item)s ELSE r.side END
  LEFT JOIN changed n ON n.assignment_id = a.id
    AND n.field = CASE r.side WHEN '' THEN r.measure ELSE r.measure || '.' || r.side END"""
_SEEN: Final = """
seen AS (
  SELECT e.assignment_id, e.item, SUM(e.visible_ms) AS ms
  FROM {exposure} e JOIN {assignment} a ON a.id = e.assignment_id
  WHERE a.participant_id IN (SELECT id FROM people)
    AND e.item IN ('left', 'right', %(pair_item)s)
  GROUP BY e.assignment_id, e.item
),
changed AS (
  SELECT c.assignment_id, c.field, COUNT(*) AS number
  FROM {change} c JOIN {assignment} a ON a.id = c.assignment_id
  WHERE a.participant_id IN (SELECT id FROM people)
  GROUP BY c.assignment_id, c.field
)"""
_ATTENTION: Final = """
attention AS (
  SELECT a.participant_id,
    CASE WHEN bool_and(r.value = m.correct) THEN 'true' ELSE 'false' END AS passed
  FROM {assignment} a JOIN {response} r ON r.assignment_id = a.id
  JOIN measures m ON m.key = r.measure
  WHERE m.correct <> '' AND a.participant_id IN (SELECT id FROM people)
  GROUP BY a.participant_id
)"""
_LINE: Final = """
SELECT %(study)s AS study, %(design_hash)s AS design_hash, code AS participant_id,
  NULLIF(cohort, '') AS cohort, NULLIF(language, '') AS language, scenario, trial_order, measure,
  kind, arm, position, NULLIF(value, '') AS value, left_arm, presented_at, answered_at, status,
  is_test, is_bot, models, source, pair_token, dwell_visible_ms, n_changes,
  attention.passed AS attention_pass
FROM ({rows}) AS rows LEFT JOIN attention ON attention.participant_id = rows.pk
ORDER BY pk, trial, place, side"""


def long_copy(head: StudyHead, portion: Portion) -> Iterator[tuple[bytes, int]]:
    """Yield a portion's lines as bytes of the table, with the number of lines in each piece."""
    if not head.cohorts:
        return
    sql, values = long_select(head, portion)
    with (
        connection.cursor() as cursor,
        # Django's own wrapper for debugging knows no values here.
        cursor.cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT csv)", values) as copy,
    ):
        yield from _pieces(copy)


def long_select(head: StudyHead, portion: Portion) -> tuple[str, dict[str, Any]]:
    """Return the statement of a portion's lines, ready to be read, and its values."""
    values = _Values()
    selected, given = portion.people.order_by().values("pk").query.sql_with_params()
    for at, value in enumerate(given):
        selected = selected.replace("%s", values.add(value, f"given_{at}"), 1)
    values.found |= _constants(head)
    parts = [
        f"cohorts(id, name, source) AS ({_cohorts(head, values)})",
        f"scenarios(id, key, mode, token) AS ({_scenarios(head, values)})",
        f"measures(key, name, place, kind, correct) AS ({_measures(head, values)})",
        f"questions(key, name, place) AS ({_questions(head, values)})",
        _filled(_PEOPLE, selected=selected),
        _filled(_SEEN),
        _filled(_ATTENTION),
    ]
    rows = f"{_filled(_BACKGROUND)} UNION ALL {_filled(_ANSWERS, **_sides(head))}"
    return f"WITH {','.join(parts)} {_LINE.format(rows=rows)}", values.found


class _Values:
    """Collects the values of a statement under names of their own."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def add(self, value: Any, name: str = "") -> str:
        key = name or f"value_{len(self.found)}"
        self.found[key] = value
        return f"%({key})s"

    def table(self, rows: Sequence[Sequence[Any]], types: Sequence[str]) -> str:
        """Write constant rows; the first line has the types, and no row is one too."""
        nothing = ", ".join(f"NULL::{kind}" for kind in types)
        lines = [
            ", ".join(f"{self.add(cell)}::{kind}" for cell, kind in zip(row, types, strict=True))
            for row in rows
        ]
        filled = " UNION ALL ".join(f"SELECT {line}" for line in lines)
        return filled or f"SELECT {nothing} WHERE false"


def _constants(head: StudyHead) -> dict[str, Any]:
    return {
        "study": analysis.cell(head.slug) or None,
        "design_hash": analysis.cell(head.design_hash) or None,
        "mode": head.mode,
        "background": analysis.BACKGROUND,
        "pair_item": PAIR_ITEM,
        "reference": analysis.cell(head.reference_arm),
        "treatment": analysis.cell(head.treatment_arm),
        "unsafe": analysis.UNSAFE_START,
        "passed": analysis.PASSED,
        "failed": analysis.FAILED,
    }


def _cohorts(head: StudyHead, values: _Values) -> str:
    rows = [(pk, analysis.cell(row.name), row.source) for pk, row in head.cohorts.items()]
    return values.table(rows, ("bigint", "text", "text"))


def _scenarios(head: StudyHead, values: _Values) -> str:
    rows = [
        (pk, analysis.cell(row.key), row.mode, row.pair_token) for pk, row in head.scenarios.items()
    ]
    return values.table(rows, ("bigint", "text", "text", "text"))


def _measures(head: StudyHead, values: _Values) -> str:
    right: Mapping[str, str] = head.attention
    rows = [
        (key, analysis.cell(key), place, measure.kind.value, right.get(key, ""))
        for place, (key, measure) in enumerate(head.measures.items())
    ]
    return values.table(rows, ("text", "text", "int", "text", "text"))


def _questions(head: StudyHead, values: _Values) -> str:
    rows = [
        (key, f"{analysis.BACKGROUND_PREFIX}{key}", place)
        for place, key in enumerate(head.background)
    ]
    return values.table(rows, ("text", "text", "int"))


def _sides(head: StudyHead) -> dict[str, str]:
    """Where an arm is named; in a blind export only where it stood."""
    if head.blind:
        return {"arm": "NULL", "left_arm": "NULL", "value": _value(left="r.value")}
    treatment, reference = "%(treatment)s", "%(reference)s"
    rated = (
        f"CASE WHEN (r.side = 'left') = a.treatment_is_left THEN {treatment} ELSE {reference} END"
    )
    chosen = (
        f"CASE WHEN (r.value = 'left') = a.treatment_is_left THEN {treatment} ELSE {reference} END"
    )
    return {
        "arm": f"CASE WHEN r.side = '' THEN NULL ELSE {rated} END",
        "left_arm": f"CASE WHEN a.treatment_is_left THEN {treatment} ELSE {reference} END",
        "value": _value(left=chosen),
    }


def _value(*, left: str) -> str:
    kinds = MeasureKind
    return (
        f"CASE WHEN m.kind IN ('{kinds.RATING}', '{kinds.CONFIDENCE}') THEN r.value"
        f" WHEN m.kind = '{kinds.ATTENTION}'"
        " THEN CASE WHEN r.value = m.correct THEN %(passed)s ELSE %(failed)s END"
        f" WHEN m.kind = '{kinds.CHOICE}' AND r.value IN ('left', 'right') THEN {left}"
        f" ELSE {_safe('r.value')} END"
    )


def _filled(template: str, **parts: str) -> str:
    usual = {
        **_TABLES,
        "code": _safe("p.code"),
        "language": _safe("p.language"),
        "value": _safe("people.background ->> b.key"),
        "background_at": _iso("p.background_at"),
        "presented_at": _iso("a.pair_opened_at"),
        "answered_at": _iso("r.answered_at"),
    }
    return template.format(**usual | parts)


def _safe(text: str) -> str:
    return f"CASE WHEN {text} ~ %(unsafe)s THEN '''' || ({text}) ELSE {text} END"


def _iso(moment: str) -> str:
    utc = f"date_trunc('milliseconds', {moment} AT TIME ZONE 'UTC')"
    return f"""to_char({utc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')"""


def _pieces(copy: Any) -> Iterator[tuple[bytes, int]]:
    """COPY hands over one line at a time; they end with LF, and a bundle's with CR LF."""
    lines: list[bytes] = []
    for line in copy:
        lines.append(bytes(line)[:-1])
        if len(lines) == _LINES:
            yield b"\r\n".join(lines) + b"\r\n", len(lines)
            lines = []
    if lines:
        yield b"\r\n".join(lines) + b"\r\n", len(lines)
