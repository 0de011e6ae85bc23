"""A trial by rules, without a model or a network, as a trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import preset_load
from apg_engine.debates.courtroom.holding import courtroom_hold
from apg_engine.errors import ConfigError
from apg_engine.journal import MemoryJournal
from apg_engine.records import Trace
from apg_engine.retrieval.embedder_named import embedder_load
from apg_engine.retrieval.evidence_index import index_open, manifest_read
from apg_engine.spending.prices import prices_packaged


def courtroom_trace(*, claim: str, index: Path, seed: int = 0) -> Trace:
    """Try a claim by rules and give the trace; equal arguments give equal traces, to the byte.

    Args:
        claim: a sentence.
        index: the folder `index build` wrote.
        seed: draws which side a judge reads as the first.

    Raises:
        ConfigError: there is no claim.
        InputError: the folder holds no index.
        ModelSetupError: the index's embedder is not installed.
    """
    config = replace(preset_load("proclaim", claim=claim), seed=seed)
    embedder = embedder_load(manifest_read(index).embedder)
    debate = courtroom_hold(
        config,
        index=index_open(index, embedder),
        cast=cast_build(config, environment={}),
        journal=MemoryJournal(),
        budget=DebateBudget(config.limits, prices=prices_packaged()),
    )
    if debate.trace is None:
        raise ConfigError("debate courtroom", "limits", "no turn was held", "a trial by rules")
    return debate.trace
