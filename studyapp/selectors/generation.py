"""A run as the researcher's page tells it: draft by draft, sentence by sentence, call by call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from studyapp.domain.markup import prose_render
from studyapp.domain.warnings import warnings_tell
from studyapp.models import GenerationRun, ModelCall, RunState, Scenario
from studyapp.seams import engine
from studyapp.selectors.spending import RunSpent, charges_spent, spent_sum
from studyapp.selectors.stage_words import stage_word

_REPORT_HEADING: Final = 3
_PROPOSER: Final = "proposer"


@dataclass(frozen=True, slots=True)
class QuoteView:
    """Words of the debate at their address; `anchor` is where the trace page shows them."""

    address: str
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class SentenceView:
    """One sentence of a draft with its verdict; a heading or joining phrase has none."""

    text: str
    kind: str
    is_claim: bool
    label: str
    tone: str
    reason: str
    decided_by: str
    claimed: str
    supporting: tuple[QuoteView, ...]
    opposing: tuple[QuoteView, ...]


@dataclass(frozen=True, slots=True)
class DraftView:
    """One proposer-auditor pair: the draft, what was found, what the next pair was told."""

    number: int
    sentences: tuple[SentenceView, ...]
    supported: int
    total: int
    passed: bool
    judged: bool
    hint: str


@dataclass(frozen=True, slots=True)
class CallView:
    """One recorded model call."""

    sequence: int
    role: str
    status: str
    attempts: int
    spent: RunSpent
    request_sha256: str
    at: datetime


@dataclass(frozen=True, slots=True)
class IterationView:
    """One proposer-auditor pair as far as its calls are recorded; `words` of its draft."""

    number: int
    words: int
    audits: int
    spent: RunSpent


@dataclass(frozen=True, slots=True)
class StoryView:
    """How a finished run came to its result."""

    outcome: str
    reason: str
    detail: str
    drafts: tuple[DraftView, ...]
    report_html: SafeString
    has_contrast: bool
    warnings: tuple[str, ...]
    models: tuple[str, ...]
    wrote_offline: bool
    judged_offline: bool


@dataclass(frozen=True, slots=True)
class RunView:
    """Everything a run's page shows; `story` is there once the run is finished."""

    id: int
    scenario_key: str
    scenario_title: str
    state: str
    stage: str
    pair_number: int
    pairs_allowed: int
    threshold_percent: int
    proposer: str
    auditor: str
    attempts: int
    error: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    calls: tuple[CallView, ...]
    spent: RunSpent
    iterations: tuple[IterationView, ...]
    story: StoryView | None

    @property
    def doing(self) -> str:
        """What it is at, in words."""
        return stage_word(self.stage)

    @property
    def prompt_tokens(self) -> int:
        """Tokens sent to models, as far as these told."""
        return sum(call.spent.prompt_tokens or 0 for call in self.calls)

    @property
    def completion_tokens(self) -> int:
        """Tokens received from models, as far as these told."""
        return sum(call.spent.completion_tokens or 0 for call in self.calls)

    @property
    def is_live(self) -> bool:
        """Whether a worker is expected to change it soon."""
        return self.state in (RunState.QUEUED, RunState.RUNNING)

    @property
    def can_retry(self) -> bool:
        """Whether the researcher may queue it again."""
        return self.state in (RunState.FAILED, RunState.CANCELLED)


def run_find(*, study_id: int, run_id: int) -> RunView | None:
    """Return a run of a study, or None if the study has no such run."""
    scenarios = Scenario.objects.filter(study_id=study_id, run_id=run_id)
    scenario = scenarios.select_related("run").first()
    if scenario is None or scenario.run is None:
        return None
    return _run_view(scenario, scenario.run)


def preset_config(name: str) -> dict[str, Any]:
    """Return the configuration of a preset: `offline` or `paper`.

    Raises:
        DefinitionError: there is no preset of that name.
    """
    return engine.config_preset(name)


def _run_view(scenario: Scenario, run: GenerationRun) -> RunView:
    rows = list(run.calls.order_by("sequence"))
    calls = tuple(_call_view(row) for row in rows)
    config = run.config
    return RunView(
        id=run.pk,
        scenario_key=scenario.key,
        scenario_title=scenario.label,
        state=run.state,
        stage=run.stage,
        pair_number=run.pair_number,
        pairs_allowed=config["pairs"],
        threshold_percent=config["threshold_percent"],
        proposer=_model_label(config["proposer"]),
        auditor=_model_label(config["auditor"]),
        attempts=run.attempts,
        error=run.error,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
        calls=calls,
        spent=spent_sum(call.spent for call in calls),
        iterations=_iterations(rows, calls),
        story=None if run.result is None else _story(engine.result_load(run.result)),
    )


def _model_label(spec: Mapping[str, Any]) -> str:
    kind, name = spec["kind"], spec["name"]
    if kind == "offline":
        return gettext("offline rules (no language model)")
    temperature = gettext("temperature %(value)s") % {"value": spec["temperature"]}
    return f"{name} ({kind}, {temperature})"


def _call_view(row: ModelCall) -> CallView:
    charge = engine.Charge(row.record["request"].get("model"), row.record.get("usage"))
    return CallView(
        sequence=row.sequence,
        role=row.role,
        status=row.record.get("status", ""),
        attempts=len(row.record.get("attempts", ())),
        spent=charges_spent([charge]),
        request_sha256=row.request_sha256,
        at=row.created_at,
    )


def _iterations(rows: Sequence[ModelCall], calls: Sequence[CallView]) -> tuple[IterationView, ...]:
    """Group recorded calls: each of the proposer begins a pair."""
    starts = [place for place, row in enumerate(rows) if row.role == _PROPOSER]
    ends = [*starts[1:], len(rows)]
    return tuple(
        IterationView(
            number=number,
            words=len(str(rows[start].record["reply"]).split()),
            audits=end - start - 1,
            spent=spent_sum(call.spent for call in calls[start:end]),
        )
        for number, (start, end) in enumerate(zip(starts, ends, strict=False), start=1)
    )


def _story(result: engine.GateResult) -> StoryView:
    threshold = result.config.threshold_percent
    models = result.models
    return StoryView(
        outcome=result.outcome,
        reason=result.reason,
        detail=result.detail,
        drafts=tuple(_draft(pair, threshold) for pair in result.pairs),
        report_html=SafeString(prose_render(result.apg_text, heading=_REPORT_HEADING)),
        has_contrast=result.has_contrast,
        warnings=warnings_tell(result.warnings),
        models=tuple(dict.fromkeys((models.proposer, models.auditor))),
        wrote_offline=models.proposer_offline,
        judged_offline=models.auditor_offline,
    )


def _draft(pair: Any, threshold: int) -> DraftView:
    verdicts = {verdict.sentence_id: verdict for verdict in pair.verdicts}
    fidelity = pair.fidelity
    return DraftView(
        number=pair.number,
        sentences=tuple(_sentence(row, verdicts.get(row.id)) for row in pair.sentences),
        supported=fidelity.supported if fidelity else 0,
        total=fidelity.total if fidelity else 0,
        passed=fidelity is not None and fidelity.passes(threshold),
        judged=fidelity is not None,
        hint=pair.hint,
    )


def _sentence(sentence: Any, verdict: Any) -> SentenceView:
    label = str(verdict.label) if verdict else ""
    return SentenceView(
        text=sentence.text,
        kind=str(sentence.kind),
        is_claim=str(sentence.kind) == "claim",
        label=label.replace("_", " "),
        tone=_TONES.get(label, ""),
        reason=verdict.reason if verdict else "",
        decided_by=verdict.decided_by if verdict else "",
        claimed=verdict.claimed if verdict else "",
        supporting=_quotes(verdict.supporting) if verdict else (),
        opposing=_quotes(verdict.opposing) if verdict else (),
    )


_TONES = {"supported": "good", "contradicted": "error"} | dict.fromkeys(
    ("not_enough_information", "undetermined", "not_audited"), "warning"
)


def _quotes(quotes: Any) -> tuple[QuoteView, ...]:
    return tuple(
        QuoteView(quote.address, quote.address.partition(".")[0], quote.text) for quote in quotes
    )
