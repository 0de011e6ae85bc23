"""Run the gate over many debates at once; every run is a folder that can be resumed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from apg_engine.batch.rows import EndedRun, run_row, sentence_lines
from apg_engine.batch.tables import BatchTables
from apg_engine.config import GateConfig, Language
from apg_engine.errors import EngineError
from apg_engine.journal import CallJournal, CallRecord
from apg_engine.kept_folder import LockedFolder
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.provenance.run_directory import RunDirectory, ended_otherwise_refuse
from apg_engine.provenance.run_files import MANIFEST
from apg_engine.provenance.verification import run_load
from apg_engine.records import Trace
from apg_engine.results import Outcome
from apg_engine.spending.budget import Budget, BudgetSpentError, GuardedJournal
from apg_engine.spending.estimates import call_estimate, trace_size
from apg_engine.spending.pace import Pace
from apg_engine.spending.prices import PriceTable
from apg_engine.traces import ConflictRule

_LANGUAGES: dict[str, Language] = {"en": "en", "pl": "pl"}


class BatchStoppedError(EngineError):
    """The batch is to stop; this run makes no further call."""


@dataclass(frozen=True, slots=True)
class Job:
    """One debate of a batch, and the name its run has."""

    name: str
    trace: Trace


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """How a batch runs.

    Attributes:
        config: of every run; texts are written in the debate's language where the engine has it.
        environment: where keys are read from.
        concurrency: calls at a time, over all runs.
        prices: for costs.
        budget: shared by all runs.
        pace: shared by all runs.
        rule: how conflict levels are told; None keeps what the traces say.
        prov: also export each run's history.
    """

    config: GateConfig
    environment: Mapping[str, str]
    concurrency: int
    prices: PriceTable
    budget: Budget
    pace: Pace | None = None
    rule: ConflictRule | None = None
    prov: bool = False


@dataclass(slots=True)
class BatchOutcome:
    """How a batch ended: runs by outcome, what failed and why, and whether it was stopped."""

    ended: dict[str, Outcome] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    stopped: str = ""


def batch_run(
    jobs: Sequence[Job],
    *,
    plan: BatchPlan,
    folder: Path,
    on_ended: Callable[[int, int], None] | None = None,
) -> BatchOutcome:
    """Run every job that has not ended yet, and tell each run in the tables as it ends.

    A run that fails leaves the others alone. When the budget is spent, no further call is made;
    started again with a larger one, the batch goes on and repeats no recorded call.

    Args:
        jobs: the debates, each name once.
        plan: how to run them.
        folder: where runs and tables go.
        on_ended: is told how many of how many runs have ended.

    Raises:
        InputError: the folder's tables are not those of a batch, or another one is at work in it.
    """
    with LockedFolder(folder):
        return _batch_run(jobs, _Batch(plan, folder, BatchTables(folder)), on_ended)


def _batch_run(
    jobs: Sequence[Job], batch: _Batch, on_ended: Callable[[int, int], None] | None
) -> BatchOutcome:
    # More runs than calls at a time: a run that waits its turn keeps the last slots busy, where
    # whole runs in a row would leave most of them idle while the last ones end.
    with ThreadPoolExecutor(2 * batch.concurrency, thread_name_prefix="run") as pool:
        # Long debates first: one of them alone at the end would hold everything up.
        order = sorted(jobs, key=lambda job: -trace_size(job.trace))
        waiting = {pool.submit(batch.run, job): job for job in order}
        try:
            batch.collect(waiting, on_ended)
        except BaseException:
            batch.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return batch.outcome


class _Batch:
    def __init__(self, plan: BatchPlan, folder: Path, tables: BatchTables) -> None:
        self._plan, self._folder, self._tables = plan, folder, tables
        self.outcome = BatchOutcome()
        self.stop = threading.Event()
        self._slots = threading.Semaphore(plan.concurrency)

    @property
    def concurrency(self) -> int:
        """How many calls may be made at a time."""
        return self._plan.concurrency

    def run(self, job: Job) -> EndedRun:
        """Run one job, or load it if it has ended; called in a thread."""
        path = self._folder / "runs" / job.name
        if (path / MANIFEST).exists():
            ended_otherwise_refuse(path, self._config(job.trace))
            stored = run_load(path)
            return EndedRun(job.name, stored.trace, stored.result, stored.records)
        config = self._config(job.trace)
        models = models_from_config(config, environment=self._plan.environment)
        with RunDirectory(path, job.trace) as directory:
            journal = directory.journal()
            turned = _TurnJournal(journal, self._slots, self.stop)
            guarded = self._guarded(turned, job.trace)
            try:
                result = gate(job.trace, config=config, models=models, journal=guarded)
            finally:
                guarded.release()
                turned.release()
            directory.write(result, prov=self._plan.prov)
        return EndedRun(job.name, job.trace, result, journal.records)

    def collect(
        self, waiting: dict[Future[EndedRun], Job], on_ended: Callable[[int, int], None] | None
    ) -> None:
        """Take up each run as it ends; only this thread writes the tables."""
        total, left = len(waiting), set(waiting)
        while left:
            done, left = wait(left, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(waiting[future], future)
            if on_ended:
                on_ended(total - len(left), total)

    def _take(self, job: Job, future: Future[EndedRun]) -> None:
        try:
            run = future.result()
        except BudgetSpentError as error:
            self.outcome.stopped = str(error)
            self.stop.set()
        except BatchStoppedError:
            return
        except (EngineError, OSError) as error:
            self.outcome.failed[job.name] = str(error)
        else:
            self.outcome.ended[job.name] = run.result.outcome
            if job.name not in self._tables.names:
                row = run_row(run, prices=self._plan.prices, rule=self._plan.rule)
                self._tables.append(row, sentence_lines(run))

    def _config(self, trace: Trace) -> GateConfig:
        language = _LANGUAGES.get(trace.language, self._plan.config.language)
        return replace(self._plan.config, language=language)

    def _guarded(self, journal: CallJournal, trace: Trace) -> GuardedJournal:
        return GuardedJournal(
            journal,
            budget=self._plan.budget,
            estimate=call_estimate(self._plan.config, trace, prices=self._plan.prices),
            prices=self._plan.prices,
            pace=self._plan.pace,
        )


class _TurnJournal:
    """A journal that makes a run wait its turn for each new call, until the batch is to stop."""

    def __init__(
        self, journal: CallJournal, slots: threading.Semaphore, stop: threading.Event
    ) -> None:
        self._journal, self._slots, self._stop = journal, slots, stop
        self._holds = False

    def find(self, sequence: int) -> CallRecord | None:
        """Give a recorded call, or wait until a new one may be made.

        Raises:
            BatchStoppedError: the batch is to stop, so it may not be made.
        """
        record = self._journal.find(sequence)
        if record is None:
            self._slots.acquire()
            self._holds = True
            if self._stop.is_set():
                raise BatchStoppedError("the batch is stopping")
        return record

    def append(self, record: CallRecord) -> None:
        """Keep a call, and let another run make its own."""
        self._journal.append(record)
        self.release()

    def release(self) -> None:
        """Give the turn back, also where a call was never recorded."""
        if self._holds:
            self._holds = False
            self._slots.release()
