"""A scenario's debate and pair as a researcher looks at them, private traces included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from studyapp.domain.lint import PairLint
from studyapp.domain.markup import prose_render, speech_render
from studyapp.domain.warnings import warnings_tell
from studyapp.models import Scenario, StimulusPair
from studyapp.seams import engine
from studyapp.selectors.cast import CastRow, cast_rows
from studyapp.selectors.debate_words import stop_word
from studyapp.selectors.lint import lints_get

_REPORT_HEADING = 3
_TURN_HEADING = 4


@dataclass(frozen=True, slots=True)
class ShapeView:
    """Counts of one text."""

    words: int
    headings: int
    bullets: int


@dataclass(frozen=True, slots=True)
class ReportView:
    """One text of a pair under its arm: for researchers only."""

    arm: str
    html: SafeString
    shape: ShapeView


@dataclass(frozen=True, slots=True)
class PairView:
    """A frozen pair with what its manifest says."""

    scenario_key: str
    scenario_title: str
    reports: tuple[ReportView, ReportView]
    has_contrast: bool
    sha256: str
    outcome: str
    source_file: str
    source_sha256: str
    models: tuple[str, ...]
    wrote_offline: bool
    judged_offline: bool
    warnings: tuple[str, ...]
    lint: PairLint


@dataclass(frozen=True, slots=True)
class PassageView:
    """One addressed text of a debate."""

    address: str
    label: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class TurnStory:
    """A turn with the news before it, and what its speaker thought in private."""

    shocks: tuple[PassageView, ...]
    public: PassageView
    private: PassageView | None
    private_is_boilerplate: bool
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProducedView:
    """How a debate was held, where this site or one like it held it.

    `is_told` says that a shared file told it, and nobody here has seen it happen.
    """

    system: str
    preset: str
    seed: int
    cast: tuple[CastRow, ...]
    why: str
    model_calls: int
    is_told: bool


@dataclass(frozen=True, slots=True)
class TraceStory:
    """A whole debate for a researcher; addresses are those that verdicts name."""

    scenario_key: str
    title: str
    question: str
    language: str
    conflict_level: str
    context: PassageView
    agents: tuple[tuple[str, str], ...]
    turns: tuple[TurnStory, ...]
    late_shocks: tuple[PassageView, ...]
    documents: tuple[PassageView, ...]
    source_format: str
    source_file: str
    source_sha256: str
    sha256: str
    warnings: tuple[str, ...]
    produced: ProducedView | None


def pair_find(*, study_id: int, key: str) -> PairView | None:
    """Return the frozen pair of a scenario, or None if there is none."""
    scenarios = Scenario.objects.filter(study_id=study_id, key=key)
    scenario = scenarios.select_related("pair", "study").first()
    if scenario is None or scenario.pair is None:
        return None
    return _pair_view(scenario, scenario.pair)


def trace_find(*, study_id: int, key: str) -> TraceStory | None:
    """Return the debate of a scenario, or None if the study has no such scenario."""
    scenarios = Scenario.objects.filter(study_id=study_id, key=key)
    scenario = scenarios.select_related("trace").first()
    return None if scenario is None else _trace_story(scenario)


def _pair_view(scenario: Scenario, pair: StimulusPair) -> PairView:
    manifest = pair.manifest
    texts = {"reference": pair.reference_text, "treatment": pair.treatment_text}
    arms = {"reference": scenario.study.reference_arm, "treatment": scenario.study.treatment_arm}
    reference, treatment = (
        ReportView(
            arm=arms[role],
            html=SafeString(prose_render(texts[role], heading=_REPORT_HEADING)),
            shape=ShapeView(**manifest["texts"][role]),
        )
        for role in ("reference", "treatment")
    )
    return PairView(
        scenario_key=scenario.key,
        scenario_title=scenario.label,
        reports=(reference, treatment),
        has_contrast=pair.has_contrast,
        sha256=pair.sha256,
        outcome=manifest["outcome"],
        source_file=manifest.get("source", {}).get("file", ""),
        source_sha256=manifest.get("source", {}).get("sha256", ""),
        models=tuple(manifest["models"]["names"]),
        wrote_offline=manifest["models"]["mode"] == engine.OFFLINE,
        judged_offline=manifest["models"].get("auditor_offline", False),
        warnings=warnings_tell(manifest["warnings"]),
        lint=lints_get([pair.sha256], arms=(reference.arm, treatment.arm))[pair.sha256],
    )


def _trace_story(scenario: Scenario) -> TraceStory:
    trace, content = scenario.trace, scenario.trace.content
    names = {agent["id"]: agent["name"] for agent in content["agents"]}
    shocks = _shocks(content["shocks"])
    turns = tuple(_turn(turn, names, shocks) for turn in content["turns"])
    return TraceStory(
        scenario_key=scenario.key,
        title=trace.title,
        question=content["question"],
        language=trace.language,
        conflict_level=trace.conflict_level,
        context=_passage("C1", "Situation", content["crisis_context"]),
        agents=tuple((agent["name"], agent["mandate"]) for agent in content["agents"]),
        turns=turns,
        late_shocks=tuple(passage for group in shocks.values() for passage in group),
        documents=_documents(content["documents"]),
        source_format=trace.source_format,
        source_file=trace.source_file,
        source_sha256=trace.source_sha256,
        sha256=trace.sha256,
        warnings=tuple(trace.warnings),
        produced=_produced(trace.produced) if trace.produced else None,
    )


def _produced(told: Mapping[str, Any]) -> ProducedView:
    return ProducedView(
        system=told["system"],
        preset=told["preset"],
        seed=told["seed"],
        cast=cast_rows((one["role"], one["name"], one["offline"]) for one in told["speakers"]),
        why=stop_word(told["stop"]["reason"]),
        model_calls=told["model_calls"],
        is_told=told.get("told_by", "") != "",
    )


def _shocks(rows: list[Mapping[str, Any]]) -> dict[int, list[PassageView]]:
    found: dict[int, list[PassageView]] = {}
    for number, row in enumerate(rows, start=1):
        label = f"{row['kind'].replace('_', ' ')}, {row['severity']}"
        found.setdefault(row["turn"], []).append(_passage(f"S{number}", label, row["text"]))
    return found


def _turn(
    turn: Mapping[str, Any], names: Mapping[str, str], shocks: dict[int, list[PassageView]]
) -> TurnStory:
    number, private = turn["number"], turn["private_trace"]
    return TurnStory(
        shocks=tuple(shocks.pop(number, ())),
        public=_passage(f"T{number}", names[turn["speaker"]], turn["text"]),
        private=_passage(f"P{number}", "in private", private) if private.strip() else None,
        private_is_boilerplate=turn["private_is_boilerplate"],
        evidence=tuple(turn["evidence"]),
    )


def _documents(rows: list[Mapping[str, str]]) -> tuple[PassageView, ...]:
    # The corpus gives documents with one text one address.
    distinct: dict[str, Mapping[str, str]] = {}
    for row in rows:
        distinct.setdefault(" ".join(row["text"].split()), row)
    return tuple(
        _passage(f"A{number}", f"{row['kind']} {row.get('title') or row['id']}", row["text"])
        for number, row in enumerate(distinct.values(), start=1)
    )


def _passage(address: str, label: str, text: str) -> PassageView:
    return PassageView(address, label, SafeString(speech_render(text, heading=_TURN_HEADING)))
