"""From names and models to systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from apg_engine.auditors.known_pairs import known_pairs_load
from apg_engine.auditors.nli_scoring import PairScorer
from apg_engine.config import ModelSpec
from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import ROLES as COURT_ROLES
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.voices import Voice, voice_build
from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import Advisor, ModelAdvisor, RuleAdvisor
from apg_engine.evaluating.claims import Label, LabelledClaim
from apg_engine.evaluating.controls import ClaimOnly, Majority
from apg_engine.evaluating.debaters import Arguer, ModelArguer, RuleArguer
from apg_engine.evaluating.exhibits import ExhibitSource
from apg_engine.evaluating.opinions import System
from apg_engine.evaluating.panels import Panel, Single
from apg_engine.evaluating.stance import Rule, RuleReader, StanceReader
from apg_engine.evaluating.standard_debate import Debaters, StandardDebate
from apg_engine.evaluating.trial import ABLATIONS, Trial
from apg_engine.retrieval.evidence_index import EvidenceIndex
from apg_engine.spending.prices import PriceTable

# Judges of the vote, by the role a model is named for.
JUDGES: Final = ("judge_a", "judge_b", "judge_c")
# Every role a model can be named for: of panels, of the standard debate and of a court.
ROLES: Final = tuple(
    dict.fromkeys(("single", "affirmative", "negative", "judge", *JUDGES, *COURT_ROLES))
)


@dataclass(frozen=True, slots=True)
class Bench:
    """What systems are built of.

    Attributes:
        exhibits: where texts come from; None for controls alone.
        labels: what may be found.
        training: claims that controls learn from.
        reader: of the offline variants; the rules by default.
        model: speaks for every role that is not in `roles`; None for the offline variants.
        roles: models by role: single, affirmative, negative, judge, judge_a to judge_c.
        samples: of self-consistency and of a vote without an allowance.
        rounds: of the standard debate.
        index: what a court seeks evidence in; `index_sha256` is its hash.
        court: configuration of a court; its claim and seed are replaced.
        environment: where keys are read from.
        load: loads the cross-encoder of courts, which all of them may share.
    """

    labels: tuple[Label, ...]
    environment: Mapping[str, str]
    prices: PriceTable
    exhibits: ExhibitSource | None = None
    training: tuple[LabelledClaim, ...] = ()
    reader: StanceReader | None = None
    model: ModelSpec | None = None
    roles: Mapping[str, ModelSpec] = field(default_factory=dict)
    samples: int = 5
    rounds: int = 3
    index: EvidenceIndex | None = None
    index_sha256: str = ""
    court: CourtroomConfig | None = None
    load: Callable[[Path], PairScorer] = known_pairs_load

    def spec(self, role: str) -> ModelSpec | None:
        """Which model speaks for a role; None where rules do."""
        return self.roles.get(role, self.model)


def system_build(name: str, bench: Bench) -> System:
    """Build a system.

    Raises:
        ConfigError: there is no such system, or the bench lacks what it needs.
        ModelSetupError: a key or a package is missing.
    """
    if name not in _BUILDERS:
        raise ConfigError("evaluation", "--system", repr(name), ", ".join(_BUILDERS))
    return _BUILDERS[name](bench)


def specs_of(bench: Bench) -> Sequence[ModelSpec]:
    """Give every model that may be asked."""
    court = bench.court.roles.values() if bench.court else ()
    return [*([bench.model] if bench.model else []), *bench.roles.values(), *court]


def _single(bench: Bench) -> System:
    return Single(_advisor(bench, "single"), _exhibits(bench, "single"), bench.labels)


def _self_consistency(bench: Bench) -> System:
    return Panel(
        "self_consistency",
        [_advisor(bench, "single")],
        _exhibits(bench, "self_consistency"),
        bench.labels,
        samples=bench.samples,
        prices=bench.prices,
    )


def _vote(bench: Bench) -> System:
    """Judges of several models where roles name them; offline, one for each rule."""
    if any(bench.spec(role) for role in JUDGES):
        advisors = [_advisor(bench, role) for role in JUDGES]
        samples = max(bench.samples, len(advisors))
    else:
        advisors = [RuleAdvisor(RuleReader([rule])) for rule in Rule]
        advisors += [RuleAdvisor(bench.reader)] if bench.reader else []
        samples = len(advisors)
    return Panel(
        "vote",
        advisors,
        _exhibits(bench, "vote"),
        bench.labels,
        samples=samples,
        prices=bench.prices,
    )


def _mad(bench: Bench) -> System:
    debaters = Debaters(
        _arguer(bench, "affirmative"), _arguer(bench, "negative"), _advisor(bench, "judge")
    )
    exhibits = _exhibits(bench, "mad")
    return StandardDebate(debaters, exhibits, bench.labels, rounds=bench.rounds)


def _trial(name: str, bench: Bench) -> System:
    """Try claims in court, perhaps without a part that its configuration has."""
    if Label.NOT_ENOUGH in bench.labels:
        raise ConfigError(name, "--task", "three-way", "binary: a court finds for one of two sides")
    if bench.index is None or bench.court is None:
        raise ConfigError(name, "--index", "nothing", "a folder that `index build` wrote")
    parts = ABLATIONS[name]
    config = replace(bench.court, ablations=parts, quorum=min(bench.court.quorum, parts.judges))
    cast = cast_build(config, environment=bench.environment, load=bench.load)
    return Trial(name, config, cast, bench.index, digest=bench.index_sha256)


def _advisor(bench: Bench, role: str) -> Advisor:
    spec = bench.spec(role)
    if spec is None:
        return RuleAdvisor(bench.reader or RuleReader())
    return ModelAdvisor(_voice(spec, role, bench))


def _arguer(bench: Bench, role: str) -> Arguer:
    spec = bench.spec(role)
    if spec is None:
        return RuleArguer(bench.reader or RuleReader())
    return ModelArguer(_voice(spec, role, bench))


def _voice(spec: ModelSpec, role: str, bench: Bench) -> Voice:
    return voice_build(spec, role=role, environment=bench.environment)


def _exhibits(bench: Bench, name: str) -> ExhibitSource:
    if bench.exhibits is None:
        raise ConfigError(name, "--index", "nothing", "a folder that `index build` wrote")
    return bench.exhibits


_BUILDERS: Final[Mapping[str, Callable[[Bench], System]]] = {
    **{name: partial(_trial, name) for name in ABLATIONS},
    "single": _single,
    "self_consistency": _self_consistency,
    "vote": _vote,
    "mad": _mad,
    "majority": lambda bench: Majority(bench.training, bench.labels),
    "claim_only": lambda bench: ClaimOnly(bench.training, bench.labels),
}
SYSTEMS: Final = tuple(_BUILDERS)
