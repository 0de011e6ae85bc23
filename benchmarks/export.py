"""How much slower than COPY is an export, and does it stay small and linear?

`python -m benchmarks.export` fills a study in a PostgreSQL of its own with 10,000 participants and
40 answers each, and exports it. Every figure is printed beside the time that COPY of the same
SELECT takes in the same run, and beside COPY of a plain join without any of the work (positions
into arms, formula-safe texts, times). `--sizes 1,2,4` repeats the long CSV for a tenth of the
people times each, to see whether time grows linearly; `--full` goes up to 4 million rows.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.full_study import ANSWERS, database_running, django_start, study_fill
from benchmarks.tables import line_print, table_print

_AIM_RATIO = 5.0
_AIM_MB = 200
_FULL = 100_000  # people with 4 million answers


def main(arguments: Sequence[str]) -> int:
    """Run the command, or one measured step of it in a process of its own."""
    options = _parser().parse_args(arguments)
    if options.step:
        return _step(options)
    with database_running():
        sizes = [int(size) for size in options.sizes.split(",")]
        if sizes != [0]:
            people = _FULL // max(sizes) if options.full else options.people // 10
            _linear_print([(size, people * size) for size in sizes], options.repeat)
        if options.forms:
            _forms_print(options.people, options.forms.split(","), options.repeat)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--sizes", default="1,2,4", help="0: do not ask whether it is linear")
    parser.add_argument("--full", action="store_true", help="the largest size has 4 million rows")
    parser.add_argument(
        "--forms", default="bundle,csv_excel,jsonl,parquet,xlsx,sav", help="empty: none"
    )
    parser.add_argument("--repeat", type=int, default=3, help="the quickest of so many counts")
    parser.add_argument("--step", choices=("copy", "plain", "export"), help=argparse.SUPPRESS)
    parser.add_argument("--study", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--form", default="csv", help=argparse.SUPPRESS)
    return parser


def _linear_print(sizes: Sequence[tuple[int, int]], repeat: int) -> None:
    rows = []
    for size, people in sizes:
        study = study_fill(people)
        seconds, peak = _measured("export", study, repeat=repeat)
        copy, _ = _measured("copy", study, repeat=repeat)
        number = people * ANSWERS
        rows.append([
            f"{size}x", f"{number:,}", f"{seconds:.1f}", f"{1e6 * seconds / number:.1f}",
            f"{seconds / copy:.1f}", f"{peak:.0f}",
        ])  # fmt: skip
    line_print("Long CSV by size")
    table_print(("size", "rows", "s", "us a row", "x COPY", "peak MB"), rows)
    line_print()


def _forms_print(people: int, forms: Sequence[str], repeat: int) -> None:
    study = study_fill(people)
    copy, _ = _measured("copy", study, repeat=repeat)
    plain, _ = _measured("plain", study, repeat=repeat)
    rows = [["COPY of the same SELECT", f"{copy:.1f}", "1.0", "", ""],
            ["COPY of a plain join", f"{plain:.1f}", f"{plain / copy:.1f}", "", ""]]  # fmt: skip
    long, peak = _measured("export", study, repeat=repeat)
    rows.append(_row("long CSV", long, copy, long, peak))
    for form in forms:
        seconds, top = _measured("export", study, form, repeat=repeat)
        rows.append(_row(form, seconds, copy, long, top))
    line_print(f"{people:,} participants, {people * ANSWERS:,} answers")
    table_print(("what", "s", "x COPY", "x long CSV", "peak MB"), rows)
    line_print(
        f"long CSV: {long / copy:.1f} x COPY (aim: at most {_AIM_RATIO}), {long / plain:.1f} x a "
        f"plain join, peak {peak:.0f} MB (aim: under {_AIM_MB})"
    )


def _row(name: str, seconds: float, copy: float, long: float, peak: float) -> list[str]:
    return [name, f"{seconds:.1f}", f"{seconds / copy:.1f}", f"{seconds / long:.1f}", f"{peak:.0f}"]


def _measured(step: str, study: int, form: str = "csv", *, repeat: int) -> tuple[float, float]:
    """Run one step in processes of its own; return the quickest one's seconds, the peak in MB."""
    runs = [_run(step, study, form) for _ in range(repeat)]
    return min(seconds for seconds, _ in runs), max(peak for _, peak in runs)


def _run(step: str, study: int, form: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.export", "--step", step]
    command += ["--study", str(study), "--form", form]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (ours)
    if done.returncode != 0:
        raise SystemExit(f"{step} {form} ended with {done.returncode}: {done.stderr[-2000:]}")
    seconds, peak = done.stdout.split()[-2:]
    return float(seconds), float(peak)


def _step(options: argparse.Namespace) -> int:
    django_start()
    act: dict[str, Callable[[Path], None]] = {
        "copy": lambda folder: _copy(folder, _same_select(options.study)),
        "plain": lambda folder: _copy(folder, (_PLAIN, {"study": options.study})),
        "export": lambda folder: _export(folder, options.study, options.form),
    }
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        act[options.step](Path(folder))
        seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line_print(f"{seconds:.3f} {peak:.0f}")
    return 0


_PLAIN = """
SELECT p.code, p.language, c.name, s.key, a."order", r.measure, r.side, r.value,
  a.treatment_is_left, a.pair_opened_at, r.answered_at, p.completed_at, p.is_test, p.is_bot
FROM studyapp_participant p
JOIN studyapp_cohort c ON c.id = p.cohort_id
JOIN studyapp_assignment a ON a.participant_id = p.id
JOIN studyapp_scenario s ON s.id = a.scenario_id
JOIN studyapp_response r ON r.assignment_id = a.id
WHERE p.study_id = %(study)s
ORDER BY p.id, a."order", r.measure, r.side"""


def _same_select(study_id: int) -> tuple[str, dict[str, Any]]:
    """The statement of the export, over all its people at once."""
    from studyapp.domain.export_options import ExportOptions
    from studyapp.models import Study
    from studyapp.services.export.head import study_head
    from studyapp.services.export.long_copy import long_select
    from studyapp.services.export.people import Portion, people_of

    study = Study.objects.get(pk=study_id)
    people = people_of(study, ExportOptions(data="both"))
    return long_select(study_head(study), Portion(people, 0, 0))


def _copy(folder: Path, select: tuple[str, dict[str, Any]]) -> None:
    """COPY to a file as psycopg does it best: bytes, straight through."""
    from django.db import connection

    sql, values = select
    statement = f"COPY ({sql}) TO STDOUT (FORMAT csv, HEADER)"
    with (
        (folder / "copy.csv").open("wb") as file,
        connection.cursor() as cursor,
        cursor.cursor.copy(statement, values) as copy,
    ):
        for data in copy:
            file.write(data)


def _export(folder: Path, study_id: int, form: str) -> None:
    from studyapp.domain.export_options import BUNDLE, ExportOptions
    from studyapp.services.export.bundle import bundle_pack, tables_write
    from studyapp.services.export.single_file import file_write

    options = ExportOptions(form=form, data="both")
    written = tables_write(study_id=study_id, options=options, folder=folder)
    if form != BUNDLE:
        file_write(written, folder / "export")
        return
    with (folder / "export").open("w+b") as target:
        bundle_pack(written, target)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
