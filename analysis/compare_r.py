"""Run the core again in R, where Rscript is found, and set both answers side by side.

R's stats package is enough: its exact tests give up with ties, so that the distribution of the
signed sum is convolved in R too.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.dataset import Dataset, pairs_of
from analysis.errors import AnalysisError
from analysis.results.core import rating_row

_SECONDS: Final = 120
# Numbers come in by standard input, one line for each arm; the answer is one line of JSON.
_SCRIPT: Final = """
lines <- readLines(file("stdin"))
x <- as.numeric(strsplit(lines[1], " ")[[1]]); y <- as.numeric(strsplit(lines[2], " ")[[1]])
num <- function(v) if (length(v) != 1 || is.na(v)) "null" else sprintf("%.15g", v)
safe <- function(e) tryCatch(suppressWarnings(e), error = function(c) NA)
t <- safe(t.test(y, x, paired = TRUE))
has <- !all(is.na(t))
d <- y - x
w <- safe(wilcox.test(y, x, paired = TRUE, exact = FALSE, correct = FALSE))
signed <- function(size, up) {
  if (length(size) == 0) return(NA)
  f <- 1
  for (w in size) f <- (c(f, rep(0, w)) + c(rep(0, w), f)) / 2
  at <- abs(2 * (seq_along(f) - 1) - sum(size))
  min(1, sum(f[at >= abs(2 * sum(size[up]) - sum(size)) - 1e-9]))
}
k <- d[d != 0]
p <- if (length(k)) signed(abs(k), k > 0) else 1
e <- signed(2 * rank(abs(k)), k > 0)
s <- safe(binom.test(sum(d > 0), sum(d != 0))$p.value)
cat(sprintf('{"t": %s, "p": %s, "ci_low": %s, "ci_high": %s, "w_plus": %s, "wilcoxon_p": %s,
"sign_flip_p": %s, "sign_test_p": %s, "version": "%s"}',
  num(if (has) t$statistic else NA), num(if (has) t$p.value else NA),
  num(if (has) t$conf.int[1] else NA), num(if (has) t$conf.int[2] else NA),
  num(if (all(is.na(w))) NA else w$statistic), num(e), num(p), num(s),
  paste(R.version$major, R.version$minor, sep = ".")))
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure as computed here and by R; `r` is null where R gave none."""

    scenario: str
    measure: str
    name: str
    ours: float | None
    r: float | None

    @property
    def agrees(self) -> bool:
        """Equal to nine digits, or undefined here and in R."""
        if self.ours is None or self.r is None:
            return self.ours is self.r
        return abs(self.ours - self.r) <= 1e-9 * max(1.0, abs(self.r))


def rscript() -> str | None:
    """Where Rscript is, if it is anywhere."""
    return shutil.which("Rscript")


def compare_r(dataset: Dataset, *, program: str) -> Iterator[Comparison]:
    """Compare every rating measure.

    Args:
        dataset: The study.
        program: Path of Rscript.

    Raises:
        AnalysisError: R failed or answered something else.
    """
    for pairs in pairs_of(dataset):
        row = rating_row(pairs)
        found = _run(program, pairs.reference, pairs.treatment)
        ci = row.t_test.ci
        ours = {
            "t": row.t_test.t,
            "p": row.t_test.p,
            "ci_low": None if ci is None else ci.low,
            "ci_high": None if ci is None else ci.high,
            "w_plus": row.wilcoxon.w_plus,
            "wilcoxon_p": row.wilcoxon.p,
            "sign_flip_p": row.sign_flip.p,
            "sign_test_p": row.sign_test.p,
        }
        for name, value in ours.items():
            yield Comparison(pairs.scenario, pairs.measure, name, value, found[name])


def compare_text(rows: Iterator[Comparison]) -> str:
    """The comparison as a table."""
    lines = [f"{'':<28}{'here':>22}{'R':>22}"]
    for row in rows:
        name = f"{row.scenario}: {row.measure}, {row.name}"
        verdict = "agrees" if row.agrees else "not computed" if row.r is None else "DIFFERS"
        lines.append(f"{name:<28}{_text(row.ours):>22}{_text(row.r):>22}  {verdict}")
    return "\n".join(lines) + "\n"


def _text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.12g}"


def _run(
    program: str, reference: tuple[int, ...], treatment: tuple[int, ...]
) -> dict[str, float | None]:
    data = "\n".join(" ".join(map(str, values)) for values in (reference, treatment)) + "\n"
    try:
        done = subprocess.run(  # noqa: S603 # the program's path comes from the search path
            [program, "--vanilla", "-e", _SCRIPT],
            input=data, capture_output=True, text=True, timeout=_SECONDS, check=True,
        )  # fmt: skip
        found = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise AnalysisError(f"R could not be asked: {error}") from error
    return {key: value for key, value in found.items() if key != "version"}
