"""Time `analysis/ttest.py` against scipy and pingouin on the same CSV: whole process, cold.

Each program is a process of its own that reads the N=33 study's long file and prints p values of
the paired t and the Wilcoxon test for both scenarios; ours prints its whole table. The order
changes from round to round, the best of all rounds counts. The core rows of a large made-up study
and the full report are timed too. Nothing is asserted.

    python benchmarks/ttest.py [ROUNDS]
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "fixtures" / "n33" / "long.csv"
sys.path.insert(0, str(ROOT))

_READ = f"""
import csv
rows = [r for r in csv.DictReader(open({str(DATA)!r}, encoding="utf-8")) if r["kind"] == "rating"]
def arm(s, a):
    mine = [r for r in rows if (r["scenario"], r["arm"]) == (s, a)]
    found = {{r["participant_id"]: int(r["value"]) for r in mine}}
    return [found[p] for p in sorted(found)]
"""
_SCIPY = (
    _READ
    + """
from scipy import stats
for s in ("s009", "s026"):
    x, y = arm(s, "baseline"), arm(s, "apg")
    print(s, stats.ttest_rel(y, x).pvalue, stats.wilcoxon(y, x).pvalue)
"""
)
_PINGOUIN = (
    _READ
    + """
import pingouin as pg
for s in ("s009", "s026"):
    x, y = arm(s, "baseline"), arm(s, "apg")
    print(s, pg.ttest(y, x, paired=True)["p_val"].iloc[0], pg.wilcoxon(y, x)["p_val"].iloc[0])
"""
)
_PROGRAMS = {
    "ours": [sys.executable, str(ROOT / "analysis" / "ttest.py")],
    "scipy": [sys.executable, "-c", _SCIPY],
    "pingouin": [sys.executable, "-c", _PINGOUIN],
}


def main(rounds: int) -> None:
    """Time everything and print the ratios."""
    best = dict.fromkeys(_PROGRAMS, (float("inf"), float("inf")))
    order = random.Random(1)
    for _ in range(rounds):
        names = list(_PROGRAMS)
        order.shuffle(names)
        for name in names:
            wall, busy = _seconds(_PROGRAMS[name])
            best[name] = (min(best[name][0], wall), min(best[name][1], busy))
    for name, (wall, busy) in best.items():
        ratios = f"{wall / best['ours'][0]:5.2f} x ours, processor {busy / best['ours'][1]:5.2f} x"
        _say(f"{name:<12}{wall * 1000:8.0f} ms  {busy * 1000:8.0f} ms of processor   {ratios}")
    _say(f"core rows, 1,000 participants x 50 scenarios: {_core_seconds():.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "analysis", "report", str(DATA.parent), "--out", folder]
        _say(f"full report of N=33 (HTML, Markdown, JSON, PDF): {_seconds(command)[0]:.2f} s")


def _seconds(command: list[str]) -> tuple[float, float]:
    """Wall clock and processor time of one process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603 # our own
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, busy


def _core_seconds() -> float:
    """Descriptives, t, Wilcoxon, sign flip and binomials; making and reading the data is apart."""
    from analysis.dataset import Choices, Pairs
    from analysis.results.core import choice_row, rating_row

    dice = random.Random(7)
    arms, ids = ("baseline", "apg"), tuple(f"p{i:04d}" for i in range(1000))

    def ratings() -> tuple[int, ...]:
        return tuple(dice.randint(1, 5) for _ in ids)

    pairs = [
        Pairs(f"s{k}", "trust", (1, 5), arms, ids, ratings(), ratings(), ()) for k in range(50)
    ]
    answers = (*arms, "neither", "both")
    choices = [
        Choices(f"s{k}", "faithful", arms, {p: dice.choice(answers) for p in ids})
        for k in range(50)
    ]
    start = time.perf_counter()
    for entry in pairs:
        rating_row(entry)
    for choice in choices:
        choice_row(choice)
    return time.perf_counter() - start


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
