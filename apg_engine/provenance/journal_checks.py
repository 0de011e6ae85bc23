"""Do a run's drafts stand in its journal, and does the journal give the same result again?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apg_engine.calls import CallStatus
from apg_engine.errors import EngineError, JournalError, JournalMismatchError
from apg_engine.journal import CallRecord
from apg_engine.kept_folder import JOURNAL
from apg_engine.llm.cached import CACHE_VARIABLE
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.provenance.faults import Fault, shown, values_compare
from apg_engine.provenance.run_files import RESULT
from apg_engine.records import Trace
from apg_engine.result_json import result_to_dict
from apg_engine.results import GateResult


def journal_check(result: GateResult, records: Sequence[CallRecord]) -> Iterator[Fault]:
    """Check that calls are numbered without a gap and that each draft was really given."""
    numbers = [record.sequence for record in records]
    if numbers != list(range(1, len(records) + 1)):
        yield Fault(JOURNAL, "sequence", shown(numbers), f"1 to {len(records)} without a gap")
    given = [
        record.reply.strip()
        for record in records
        if record.role == "proposer" and record.status == CallStatus.OK
    ]
    for at, pair in enumerate(result.pairs):
        if pair.draft not in given[at : at + 1]:
            place = f"proposer's call {at + 1}"
            held = shown(given[at]) if at < len(given) else "no reply"
            yield Fault(JOURNAL, place, held, f"the draft of pairs[{at}]")


def replay_check(
    trace: Trace, result: GateResult, records: Sequence[CallRecord]
) -> Iterator[Fault]:
    """Run the gate again on the recorded replies, without a model, and compare everything."""
    journal = _Recorded(records)
    try:
        models = models_from_config(result.config, environment=_Keyless())
        again = gate(trace, config=result.config, models=models, journal=journal)
    except JournalMismatchError as error:
        yield Fault(JOURNAL, "replay", str(error), "the requests this engine would make")
        return
    except EngineError as error:
        yield Fault(RESULT, "config", str(error), "a configuration that can be run again")
        return
    if journal.used < len(records):
        told = f"{len(records)} calls, of which {journal.used} are asked for"
        yield Fault(JOURNAL, "replay", told, "as many calls as the run makes")
    yield from values_compare(RESULT, "", result_to_dict(result), result_to_dict(again))


class _Recorded:
    """A journal that only gives back; a call that was not recorded is not made."""

    def __init__(self, records: Sequence[CallRecord]) -> None:
        self._by_number = {record.sequence: record for record in records}
        self.used = 0

    def find(self, sequence: int) -> CallRecord | None:
        """Give a record.

        Raises:
            JournalMismatchError: it was not recorded.
        """
        if sequence not in self._by_number:
            raise JournalMismatchError(f"the journal ends before call {sequence}")
        self.used = max(self.used, sequence)
        return self._by_number[sequence]

    def append(self, record: CallRecord) -> None:
        """Refuse: nothing new is recorded.

        Raises:
            JournalError: always.
        """
        raise JournalError(f"call {record.sequence} was made in a replay")


class _Keyless(Mapping[str, str]):
    """An environment in which every key is set, to a word: no server is asked in a replay."""

    def __getitem__(self, name: str) -> str:
        if name == CACHE_VARIABLE:
            raise KeyError(name)
        return "not-needed"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0
