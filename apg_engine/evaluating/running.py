"""Have systems judge claims; every judgment is a row on disk, and none is made twice."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from apg_engine.debates.budget import (
    DebateBudget,
    DebateLimits,
    ScopeSpentError,
    request_estimate,
)
from apg_engine.debates.scoped_journal import LockedJournal
from apg_engine.disk import file_write
from apg_engine.errors import InputError
from apg_engine.evaluating.claims import LabelledClaim
from apg_engine.evaluating.opinions import (
    NO_ALLOWANCE,
    Allowance,
    EvaluationStoppedError,
    Sitting,
    System,
)
from apg_engine.evaluating.resumed_budget import ResumedBudget
from apg_engine.evaluating.rows import EvaluationRows, Row
from apg_engine.journal_file import FileJournal
from apg_engine.json_data import json_load
from apg_engine.spending.budget import Limits
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import calls_spent

SETTINGS: Final = "settings.json"
JOURNALS: Final = "journals"
_UNLIMITED: Final = Limits()
_UNSAFE: Final = re.compile(r"[^\w.-]")


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What is to be judged, by whom, how often.

    Attributes:
        data: what the claims are and where their hash is from, as JSON.
        seeds: 0 to `seeds` - 1.
        equal_to: for a system's name, the one whose calls and tokens it may take, claim by claim.
        limits: of the whole evaluation.
        concurrency: claims at a time.
    """

    systems: tuple[System, ...]
    claims: tuple[LabelledClaim, ...]
    data: Mapping[str, Any]
    prices: PriceTable
    seeds: int = 1
    equal_to: Mapping[str, str] | None = None
    limits: Limits = _UNLIMITED
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """The rows of the folder, and why it stopped before the end, if it did."""

    rows: tuple[Row, ...]
    stopped: str


def evaluation_run(
    plan: EvaluationPlan, *, folder: Path, on_row: Callable[[Row, int, int], None] | None = None
) -> EvaluationOutcome:
    """Make every row that is not there yet; systems one after the other, claims at once.

    Args:
        plan: what to do.
        folder: rows, settings, and a journal for each row.
        on_row: told each new row, and how many of how many there are.

    Raises:
        InputError: the folder holds other claims or other settings, or another process works in it.
        JournalError: a journal was changed.
    """
    with EvaluationRows(folder) as rows:
        _settings_keep(folder, plan)
        run = _Run(plan, folder, rows, on_row)
        for system in plan.systems:
            if not run.stopped:
                run.hold(system)
        return EvaluationOutcome(rows.rows, run.stopped)


def settings_read(folder: Path) -> dict[str, Any]:
    """Read what a folder's rows were made with.

    Raises:
        InputError: it holds no evaluation.
    """
    path = folder / SETTINGS
    try:
        data = json_load(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(str(path), "file", str(error), "settings of an evaluation") from error
    if not _is_settings(data):
        raise InputError(str(path), "content", repr(data)[:60], "settings of an evaluation")
    return dict(data)


def _is_settings(data: object) -> bool:
    if not isinstance(data, dict) or not isinstance(data.get("data"), dict):
        return False
    systems = data.get("systems")
    return isinstance(systems, dict) and all(
        isinstance(one, dict) and isinstance(one.get("offline"), bool) for one in systems.values()
    )


class _Run:
    def __init__(
        self,
        plan: EvaluationPlan,
        folder: Path,
        rows: EvaluationRows,
        on_row: Callable[[Row, int, int], None] | None,
    ) -> None:
        self._plan, self._folder, self._rows, self._on_row = plan, folder, rows, on_row
        self._budget = DebateBudget(DebateLimits(run=plan.limits), prices=plan.prices)
        self._stop = threading.Event()
        self.stopped = ""
        self._done = Counter(row.system for row in rows.rows)
        self._begun: frozenset[Path] = frozenset()
        if plan.limits != _UNLIMITED:
            self._count_earlier()

    def hold(self, system: System) -> None:
        """Make the rows of one system."""
        jobs = [
            (claim, seed)
            for seed in range(self._plan.seeds)
            for claim in self._plan.claims
            if self._rows.find((claim.id, system.name, seed)) is None
        ]
        with ThreadPoolExecutor(self._plan.concurrency, thread_name_prefix="claim") as pool:
            waiting = [pool.submit(self._judge, system, *job) for job in jobs]
            try:
                for future in as_completed(waiting):
                    self._take(future.result())
            except BaseException:
                self._stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _judge(self, system: System, claim: LabelledClaim, seed: int) -> Row | None:
        """Judge one claim in a thread; None where the budget holds no further call."""
        if self._stop.is_set():
            return None
        path = self._journal_path(claim.id, system.name, seed, make=True)
        journal = FileJournal(path)
        sitting = Sitting(
            seed=seed,
            journal=LockedJournal(journal),
            budget=ResumedBudget(self._budget) if path in self._begun else self._budget,
            allowance=self._allowance(system, claim, seed),
        )
        try:
            opinion = system.decide(claim, sitting)
        except (ScopeSpentError, EvaluationStoppedError) as error:
            self.stopped = str(error)
            self._stop.set()
            return None
        spent = calls_spent(journal.records, prices=self._plan.prices)
        return Row(claim.id, system.name, seed, claim.label, opinion, spent)

    def _take(self, row: Row | None) -> None:
        if row is None:
            return
        self._rows.append(row)
        if self._on_row is not None:
            self._done[row.system] += 1
            of_all = len(self._plan.claims) * self._plan.seeds
            self._on_row(row, self._done[row.system], of_all)

    def _allowance(self, system: System, claim: LabelledClaim, seed: int) -> Allowance:
        name = (self._plan.equal_to or {}).get(system.name)
        if name is None:
            return NO_ALLOWANCE
        row = self._rows.find((claim.id, name, seed))
        if row is None:
            place = f"{claim.id}, {name}, seed {seed}"
            allowed = f"a row of {name}, which {system.name} is to take no more than"
            raise InputError(str(self._folder), place, "nothing", allowed)
        return Allowance(row.spent.calls, row.tokens)

    def _count_earlier(self) -> None:
        """Count what earlier commands have paid for, also for claims they did not come to end."""
        self._begun = frozenset((self._folder / JOURNALS).glob("*/*/*.jsonl"))
        for path in self._begun:
            for record in FileJournal(path).records:
                estimate = request_estimate(record.request, prices=self._plan.prices)
                self._budget.run.count(self._budget.used(record, estimate))

    def _journal_path(self, item: str, system: str, seed: int, *, make: bool = False) -> Path:
        digest = hashlib.sha256(item.encode()).hexdigest()[:8]
        name = f"{_UNSAFE.sub('_', item)[:80]}-{digest}.jsonl"
        folder = self._folder / JOURNALS / system / str(seed)
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        return folder / name


def _settings_keep(folder: Path, plan: EvaluationPlan) -> None:
    """Keep the settings, and refuse to mix two kinds of claims or of one system in one folder."""
    path = folder / SETTINGS
    known = settings_read(folder) if path.exists() else {"data": dict(plan.data), "systems": {}}
    if known["data"] != dict(plan.data):
        raise InputError(str(path), "data", "other claims", "the same claims, or a new --out")
    for system in plan.systems:
        own = json.loads(json.dumps(_settings(system, plan)))
        if known["systems"].setdefault(system.name, own) != own:
            raise InputError(
                str(path), system.name, "other settings", "the same settings, or a new --out"
            )
    file_write(path, (json.dumps(known, ensure_ascii=False, indent=1) + "\n").encode())


def _settings(system: System, plan: EvaluationPlan) -> dict[str, Any]:
    equal_to = (plan.equal_to or {}).get(system.name)
    return {**system.settings, "offline": system.offline, "equal_to": equal_to}
