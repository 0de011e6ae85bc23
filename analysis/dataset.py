"""The answers of one study as analysis sees them, and the pairs and choices drawn from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from analysis.records import Records
from analysis.schema import BACKGROUND, CHOICE, RATING, CodebookRow, LongRow

DEFAULT_BOUND: Final = 0.5  # scale points; a plan in the manifest may state another


@dataclass(frozen=True, slots=True)
class Source:
    """Where the data came from: file name as given, its SHA-256 and its format."""

    file: str
    sha256: str
    format: str


@dataclass(frozen=True, slots=True)
class Measure:
    """What was asked: its key, its kind, and for a rating the ends of its scale."""

    key: str
    kind: str
    scale: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Participants whose answers a rule kept out of every measure."""

    rule: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One study's answers, checked.

    `arms` is (reference, treatment); every difference is treatment minus reference. `rows` holds
    the analysed answers, `left_out` who is missing from them and why, `notices` what a reader
    must be told before any number. `plan` is what the manifest says was decided beforehand;
    `codebook` and `manifest` are empty for a plain CSV, `records` where nothing is told of how
    people took part. In a `blind` study no arm is known: left and right stand for the arms, and no
    outcome may be computed.
    """

    source: Source
    study: str
    title: str
    kind: str
    design_hash: str
    arms: tuple[str, str]
    measures: tuple[Measure, ...]
    scenarios: tuple[str, ...]
    rows: tuple[LongRow, ...]
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    plan: Mapping[str, Any] = field(default_factory=dict)
    codebook: tuple[CodebookRow, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    records: Records = field(default_factory=Records)
    blind: bool = False

    @property
    def bound(self) -> float:
        """The equivalence bound in scale points that the plan states, or the default."""
        return float(self.plan.get("equivalence_bound", DEFAULT_BOUND))

    @property
    def fidelity(self) -> dict[str, float]:
        """PF of the treatment minus PF of the reference by scenario, where the manifest has it."""
        return {
            scenario: float(pair["fidelity_difference"])
            for scenario, pair in self.manifest.get("pairs", {}).items()
            if pair.get("fidelity_difference") is not None
        }

    @property
    def participants(self) -> tuple[str, ...]:
        """Ids of everyone with an analysed answer, in the order of the file."""
        return tuple(dict.fromkeys(row.participant_id for row in self.rows))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Complete pairs of ratings of one measure in one scenario, matched by participant id.

    `ids`, `reference` and `treatment` run in parallel, sorted by id, so that the order of the
    file cannot matter. `incomplete` lists participants with one half only.
    """

    scenario: str
    measure: str
    scale: tuple[int, int]
    arms: tuple[str, str]
    ids: tuple[str, ...]
    reference: tuple[int, ...]
    treatment: tuple[int, ...]
    incomplete: tuple[str, ...]

    @property
    def differences(self) -> tuple[int, ...]:
        """Treatment minus reference, one for each pair."""
        return tuple(t - r for r, t in zip(self.reference, self.treatment, strict=True))


@dataclass(frozen=True, slots=True)
class Choices:
    """Answers to one choice in one scenario: participant id to arm, `neither` or `both`."""

    scenario: str
    measure: str
    arms: tuple[str, str]
    answers: dict[str, str]


def pairs_of(dataset: Dataset) -> tuple[Pairs, ...]:
    """Match ratings into pairs, for each scenario and rating measure that has any."""
    cells: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for row in dataset.rows:
        if row.kind == RATING:
            people = cells.setdefault((row.scenario, row.measure), {})
            people.setdefault(row.participant_id, {})[row.arm] = int(row.value)
    return tuple(
        _pairs(dataset, scenario, measure, cells[scenario, measure.key])
        for scenario in dataset.scenarios
        for measure in dataset.measures
        if (scenario, measure.key) in cells
    )


def choices_of(dataset: Dataset) -> tuple[Choices, ...]:
    """Collect the choices, for each scenario and choice measure that has any."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in dataset.rows:
        if row.kind == CHOICE:
            cells.setdefault((row.scenario, row.measure), {})[row.participant_id] = str(row.value)
    return tuple(
        Choices(scenario, measure.key, dataset.arms, dict(sorted(answers.items())))
        for scenario in dataset.scenarios
        for measure in dataset.measures
        if (answers := cells.get((scenario, measure.key)))
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """How one participant met one scenario; empty or null where it was not recorded.

    `seconds` runs from the first sight of the pair to the last answer.
    """

    participant: str
    scenario: str
    cohort: str
    left_arm: str
    order: int | None
    seconds: float | None


def trials_of(dataset: Dataset) -> dict[tuple[str, str], Trial]:
    """Collect trials by (scenario, participant)."""
    rows: dict[tuple[str, str], list[LongRow]] = {}
    for row in dataset.rows:
        if row.scenario:
            rows.setdefault((row.scenario, row.participant_id), []).append(row)
    return {key: _trial(answers) for key, answers in rows.items()}


def background_of(dataset: Dataset) -> dict[str, dict[str, str]]:
    """Collect background answers: measure key (with its prefix) to participant id to answer."""
    answers: dict[str, dict[str, str]] = {}
    for row in dataset.rows:
        if row.kind == BACKGROUND:
            answers.setdefault(row.measure, {})[row.participant_id] = str(row.value)
    return answers


def pressure_of(dataset: Dataset) -> dict[tuple[str, str], str]:
    """Collect time pressure by (scenario, participant), where it was recorded.

    What a trial says wins over what its participant says.
    """
    records = dataset.records
    people = {row.participant_id: row.time_pressure for row in records.participants}
    trials = {(row.scenario, row.participant_id): row.time_pressure for row in records.assignments}
    found = {key: trials.get(key) or people.get(key[1], "") for key in trials_of(dataset)}
    return {key: level for key, level in found.items() if level}


def first_seen(names: Iterable[str]) -> tuple[str, ...]:
    """Keep each name once, in the order of its first appearance."""
    return tuple(dict.fromkeys(names))


def _trial(rows: list[LongRow]) -> Trial:
    first = rows[0]
    orders = [row.trial_order for row in rows if row.trial_order is not None]
    lefts = [row.left_arm for row in rows if row.left_arm]
    shown = [row.presented_at for row in rows if row.presented_at]
    answered = [row.answered_at for row in rows if row.answered_at]
    return Trial(
        participant=first.participant_id,
        scenario=first.scenario,
        cohort=first.cohort,
        left_arm=lefts[0] if lefts else "",
        order=orders[0] if orders else None,
        seconds=_seconds(min(shown), max(answered)) if shown and answered else None,
    )


def _seconds(start: str, end: str) -> float | None:
    try:
        passed = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    except (ValueError, TypeError):  # no ISO 8601, or one with and one without a time zone
        return None
    return passed.total_seconds()


def _pairs(
    dataset: Dataset, scenario: str, measure: Measure, people: dict[str, dict[str, int]]
) -> Pairs:
    reference, treatment = dataset.arms
    complete = sorted(person for person, halves in people.items() if len(halves) == 2)
    return Pairs(
        scenario=scenario,
        measure=measure.key,
        scale=measure.scale,
        arms=dataset.arms,
        ids=tuple(complete),
        reference=tuple(people[person][reference] for person in complete),
        treatment=tuple(people[person][treatment] for person in complete),
        incomplete=tuple(sorted(person for person, halves in people.items() if len(halves) == 1)),
    )
