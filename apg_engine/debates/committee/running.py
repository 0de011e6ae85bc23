"""A debate of the committee in its folder, from the first call to the gate; and its forks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.calls import Asking
from apg_engine.debates.committee.config import CommitteeConfig, committee_config_from_dict
from apg_engine.debates.committee.holding import cast_build, committee_hold, setup_of
from apg_engine.debates.debate_directory import (
    GATE,
    INFLUENCE,
    SETUP,
    DebateDirectory,
    record_bytes,
)
from apg_engine.debates.ended_debate import debate_read
from apg_engine.debates.forks import influence_tell, row_checked, rows_copy, shown_first
from apg_engine.debates.gate_run import debate_gate
from apg_engine.debates.record_json import record_to_dict
from apg_engine.debates.records import NOTHING_WITHHELD, Withheld
from apg_engine.disk import file_write
from apg_engine.journal import CallRecord
from apg_engine.models import models_from_config
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import calls_spent

SYSTEM = "committee"


def committee_run(
    config: CommitteeConfig,
    *,
    out: Path,
    environment: Mapping[str, str],
    prices: PriceTable,
    withheld: Withheld = NOTHING_WITHHELD,
    copied: tuple[CallRecord, ...] = (),
    on_ask: Callable[[Asking], None] | None = None,
) -> dict[str, Any]:
    """Hold a debate in a folder, or go on with one that was interrupted, and gate its trace.

    Args:
        config: of the debate.
        out: the folder; setup, journal, record and trace, and the run of the gate in `gate/`.
        environment: where keys are read from.
        prices: for what calls cost.
        withheld: what a fork takes out.
        copied: rows a fork starts with.
        on_ask: told before each call.

    Returns:
        The debate's record, as it is written to `debate.json`.

    Raises:
        InputError: the folder holds another debate.
        ModelSetupError: a model cannot be built; nothing is written then.
    """
    cast = cast_build(config, environment=environment)
    # A key the gate lacks is found before the debate is paid for.
    models_from_config(config.gate, environment=environment)
    with DebateDirectory(out, setup_of(config, withheld)) as directory:
        journal = directory.journal()
        rows_copy(copied, journal)
        budget = DebateBudget(config.limits, prices=prices)
        debate = committee_hold(
            config, cast=cast, journal=journal, budget=budget, withheld=withheld, on_ask=on_ask
        )
        gated = debate_gate(
            debate.trace,
            path=out / GATE,
            config=config.gate,
            budget=budget,
            environment=environment,
        )
        record = record_to_dict(
            system=SYSTEM,
            setup=setup_of(config, withheld),
            floor=debate.floor,
            end=debate.end,
            spent=calls_spent(journal.records, prices=prices),
            more={**debate.details, "gate": gated},
        )
        directory.write(record, debate.trace)
    return record


def committee_fork(
    source: Path,
    *,
    out: Path,
    withheld: Withheld,
    environment: Mapping[str, str],
    prices: PriceTable,
    row: int | None = None,
) -> dict[str, Any]:
    """Run a debate again from one row on without a turn, a shock or an axiom.

    Args:
        source: folder of a debate that has ended.
        out: folder of the fork; `influence.json` is written into it.
        withheld: what is taken out.
        environment: where keys are read from.
        prices: for what calls cost.
        row: the first row that is made anew; by default the first that was shown what is withheld.

    Returns:
        What the thing taken out changed.

    Raises:
        InputError: the source is no ended debate of the committee, nobody was shown that, or the
            row is later than the first one that was.
    """
    setup, before, records = debate_read(source, system=SYSTEM)
    first = row_checked(row, first=shown_first(before, withheld))
    config = committee_config_from_dict(
        {key: value for key, value in setup.items() if key not in {"system", "withheld"}},
        file_name=str(source / SETUP),
    )
    after = committee_run(
        config,
        out=out,
        environment=environment,
        prices=prices,
        withheld=withheld,
        copied=tuple(one for one in records if one.sequence < first),
    )
    told = {"row": first, **influence_tell(before, after)}
    file_write(out / INFLUENCE, record_bytes(told))
    return told
