"""A trial in its folder, from the first call to the gated judgment; and its forks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import (
    CourtroomConfig,
    courtroom_config_from_dict,
    courtroom_config_to_dict,
)
from apg_engine.debates.courtroom.holding import Conduct, courtroom_hold
from apg_engine.debates.courtroom.judgment import judgment_gate
from apg_engine.debates.courtroom.library import Index
from apg_engine.debates.debate_directory import (
    GATE,
    INFLUENCE,
    SETUP,
    DebateDirectory,
    record_bytes,
)
from apg_engine.debates.ended_debate import debate_read
from apg_engine.debates.forks import influence_tell, row_checked, rows_copy
from apg_engine.debates.record_json import record_to_dict
from apg_engine.debates.records import NOTHING_WITHHELD, Withheld
from apg_engine.debates.scoped_journal import LockedJournal
from apg_engine.disk import file_write
from apg_engine.errors import InputError
from apg_engine.journal import CallRecord
from apg_engine.models import models_from_config
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import calls_spent

SYSTEM = "courtroom"


@dataclass(frozen=True, slots=True)
class Shelf:
    """An index, and how a setup names it: where it lies and the hash of what it holds."""

    index: Index
    named: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fork:
    """What a fork takes out, and the rows it starts with."""

    withheld: Withheld = NOTHING_WITHHELD
    copied: tuple[CallRecord, ...] = ()


_ANEW = Fork()
_ALONE = Conduct()


def courtroom_run(
    config: CourtroomConfig,
    *,
    shelf: Shelf,
    out: Path,
    environment: Mapping[str, str],
    prices: PriceTable,
    fork: Fork = _ANEW,
    conduct: Conduct = _ALONE,
) -> dict[str, Any]:
    """Hold a trial in a folder, or go on with one that was interrupted, and gate its judgment.

    Args:
        config: of the trial.
        shelf: what evidence is sought in.
        out: the folder; setup, journal, record and trace, and the run of the gate in `gate/`.
        environment: where keys are read from.
        prices: for what calls cost.
        fork: what is taken out, for a fork.
        conduct: whether runs and judges wait for each other.

    Returns:
        The trial's record, as it is written to `debate.json`.

    Raises:
        InputError: the folder holds another debate.
        ModelSetupError: a model cannot be built; nothing is written then.
        ConfigError: the judges are no independent panel.
    """
    cast = cast_build(config, environment=environment)
    # A key the gate lacks is found before the debate is paid for.
    models_from_config(config.gate, environment=environment)
    setup = setup_of(config, shelf.named, fork.withheld)
    with DebateDirectory(out, setup) as directory:
        journal = directory.journal()
        rows_copy(fork.copied, journal)
        budget = DebateBudget(config.limits, prices=prices)
        debate = courtroom_hold(
            config,
            index=shelf.index,
            cast=cast,
            journal=LockedJournal(journal),
            budget=budget,
            withheld=fork.withheld,
            conduct=conduct,
        )
        gated = judgment_gate(
            debate,
            path=out / GATE,
            config=config.gate,
            court=cast.seats["court"],
            budget=budget,
            environment=environment,
        )
        record = record_to_dict(
            system=SYSTEM,
            setup=setup,
            floor=debate.floor,
            end=debate.stop,
            spent=calls_spent(journal.records, prices=prices),
            more={**debate.details, "switched_rows": debate.block, "gate": gated},
        )
        directory.write(record, debate.trace)
    return record


def courtroom_fork(
    source: Path,
    *,
    index_of: Callable[[Mapping[str, Any]], Index],
    out: Path,
    withheld: Withheld,
    environment: Mapping[str, str],
    prices: PriceTable,
    row: int | None = None,
) -> dict[str, Any]:
    """Try a claim again without an exhibit or a turn, from the first call that was shown it.

    An exhibit is taken out of both runs; a turn out of the first one, whose turns it counts.

    Args:
        source: folder of a trial that has ended.
        index_of: opens the index a setup was held over.
        out: folder of the fork; `influence.json` is written into it.
        withheld: what is taken out.
        environment: where keys are read from.
        prices: for what calls cost.
        row: of the first run, the first row that is made anew.

    Returns:
        What the thing taken out changed.

    Raises:
        InputError: the source is no ended trial, nobody was shown that, or the row is later than
            the first one that was.
    """
    setup, before, records = debate_read(source, system=SYSTEM)
    firsts = _first_rows(before, withheld)
    firsts["first"] = row_checked(row, first=firsts["first"])
    config = courtroom_config_from_dict(
        {key: one for key, one in setup.items() if key not in {"system", "library", "withheld"}},
        file_name=str(source / SETUP),
    )
    copied = (one for one in records if one.sequence < firsts[_run_of(before, one.sequence)])
    after = courtroom_run(
        config,
        shelf=Shelf(index_of(setup), setup["library"]),
        out=out,
        environment=environment,
        prices=prices,
        fork=Fork(withheld, tuple(copied)),
    )
    told = {
        "row": min(firsts.values()),
        **influence_tell(before, after),
        "is_verdict_changed": _decided(before) != _decided(after),
        "confidence_change": _confidence_change(before, after),
    }
    file_write(out / INFLUENCE, record_bytes(told))
    return told


def setup_of(
    config: CourtroomConfig, library: Mapping[str, str], withheld: Withheld = NOTHING_WITHHELD
) -> dict[str, Any]:
    """Give what makes a trial this trial, as JSON: a folder is kept to it."""
    return {
        "system": SYSTEM,
        **courtroom_config_to_dict(config),
        "library": dict(library),
        "withheld": sorted(withheld.ids),
    }


def _decided(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """A verdict is its finding; how sure the court is of it is told apart."""
    return record["verdict"]["finding"], record["gate"]["outcome"]


def _confidence_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> float | None:
    one, other = (record["verdict"]["confidence"] for record in (before, after))
    return None if one is None or other is None else float(other - one)


def _first_rows(record: Mapping[str, Any], withheld: Withheld) -> dict[str, int]:
    """Give, for each run, the first row that was shown something that is taken out."""
    beyond = max((call["row"] for call in record["calls"]), default=0) + 1
    firsts = {"first": beyond, "switched": beyond}
    shown: set[str] = set()
    for call in record["calls"]:
        run = _run_of(record, call["row"])
        ids = {one["id"] for one in call["exposures"] if one["shown"]}
        shown |= ids
        if ids & {one for one in withheld.ids if run == "first" or not one.startswith("T")}:
            firsts[run] = min(firsts[run], call["row"])
    for missing in sorted(withheld.ids - shown):
        raise InputError("fork", "taken out", missing, ", ".join(sorted(shown)) or "nothing")
    return firsts


def _run_of(record: Mapping[str, Any], row: int) -> str:
    first, last = record["switched_rows"] or (0, -1)
    return "switched" if first <= row <= last else "first"
