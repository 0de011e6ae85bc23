"""How far a debate is, read from its recorded calls alone: what was said, sought, weighed, voted.

The engine derives the debate from the same rows, so that a page which reads them shows nothing
that did not happen, whichever workers are at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from apg_engine.debates.answers import UnreadableAnswerError, object_read
from apg_engine.debates.committee.config import CommitteeConfig
from apg_engine.debates.committee.holding import shocks_scheduled
from apg_engine.debates.courtroom.admission import Weight
from apg_engine.debates.courtroom.config import CourtroomConfig
from apg_engine.debates.courtroom.holding import calls_most
from apg_engine.spending.prices import prices_packaged
from studyapp.seams.debates.setting import COURTROOM, config_load, specs_of

_OK: Final = "ok"
_SWITCHED_RUN: Final = "1.1"


class StepKind(StrEnum):
    """What a recorded call was for, as a page tells it; news is no call, but comes between them."""

    TURN = "turn"
    SEARCH = "search"
    WEIGHTS = "weights"
    BALLOT = "ballot"
    REVIEW = "review"
    PRIVATE = "private"
    NEWS = "news"


_KIND_OF: Final[Mapping[str, StepKind]] = {
    **dict.fromkeys(("turn", "argue", "testify", "announce"), StepKind.TURN),
    **dict.fromkeys(("query", "refine"), StepKind.SEARCH),
    "weigh": StepKind.WEIGHTS,
    "judge": StepKind.BALLOT,
    "review": StepKind.REVIEW,
}


@dataclass(frozen=True, slots=True)
class CallRow:
    """What a page needs of a recorded call; `purpose` is empty for an auditor's."""

    sequence: int
    role: str
    round: int
    purpose: str
    status: str
    reply: str


@dataclass(frozen=True, slots=True)
class WeighedItem:
    """An item the court weighed, and what became of it: admitted, flagged or discarded."""

    id: str
    weight: float
    admission: str


@dataclass(frozen=True, slots=True)
class Step:
    """One recorded call, or the news that came before it.

    Attributes:
        is_switched: whether it belongs to the run with exchanged counsel.
        role: who was asked; of news, its kind.
        text: words of a turn or of news, a query, a ballot's finding, premises the critic finds
            settled.
        items: what was weighed.
        is_failed: whether the call gave nothing that could be used.
        is_replaced: whether the same was asked again; the later one counts.
    """

    sequence: int
    is_switched: bool
    kind: StepKind
    role: str
    round: int
    text: str = ""
    items: tuple[WeighedItem, ...] = ()
    is_failed: bool = False
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class SpentSum:
    """What calls to models have used; the cost is None where a price is not known."""

    calls: int
    tokens: int
    cost: float | None


def steps_read(
    calls: Sequence[CallRow], *, system: str, config: Mapping[str, Any]
) -> tuple[Step, ...]:
    """Read recorded calls, which come in the order of their numbers."""
    block = _switched_block(calls, system, config)
    steps = [_step(call, is_switched=call.sequence in block) for call in calls if call.purpose]
    later = [*steps[1:], None][: len(steps)]
    told = [
        _replaced(step, after) if after else step for step, after in zip(steps, later, strict=True)
    ]
    return tuple(_with_news(told, config_load(system, config)))


def switched_branches(system: str, config: Mapping[str, Any]) -> Callable[[str], bool]:
    """Tell of branches, by name, whether they belong to the run with exchanged counsel.

    A trial forks into its two runs first, and what these fork into bears their name.
    """
    loaded = config_load(system, config)
    forks = isinstance(loaded, CourtroomConfig) and loaded.ablations.role_switching
    return lambda name: forks and name.partition("/")[0] == _SWITCHED_RUN


def spent_sum(
    spent: Mapping[str, Mapping[str, Any]], *, system: str, config: Mapping[str, Any]
) -> SpentSum:
    """Add up what a debate's budget has booked."""
    rows = spent.values()
    prices = prices_packaged()
    asked = [one for one in specs_of(config_load(system, config)) if one.kind == "openai"]
    known = all(prices.find(model=one.name, base_url=one.base_url) for one in asked)
    return SpentSum(
        calls=sum(row["calls"] for row in rows),
        tokens=sum(row["tokens"] for row in rows),
        cost=sum(row["cost"] for row in rows) if known else None,
    )


def _switched_block(calls: Sequence[CallRow], system: str, config: Mapping[str, Any]) -> range:
    """Find the numbers set aside for the switched run: they follow those of the miner."""
    loaded = config_load(system, config) if system == COURTROOM else None
    if not isinstance(loaded, CourtroomConfig) or not loaded.ablations.role_switching:
        return range(0)
    first = max((call.sequence for call in calls if call.purpose == "mine"), default=0) + 1
    return range(first, first + calls_most(loaded))


def _with_news(steps: Iterable[Step], config: object) -> Iterable[Step]:
    """Put each shock before the first call of the turn it comes before."""
    drawn = shocks_scheduled(config) if isinstance(config, CommitteeConfig) else ()
    waiting, turn = {one.shock.turn: one.shock for one in drawn}, 1
    for step in steps:
        if shock := waiting.pop(turn, None):
            yield Step(
                step.sequence,
                is_switched=False,
                kind=StepKind.NEWS,
                role=shock.kind,
                round=step.round,
                text=shock.text,
            )
        yield step
        turn += step.kind is StepKind.TURN and not (step.is_failed or step.is_replaced)


def _step(call: CallRow, *, is_switched: bool) -> Step:
    kind = _KIND_OF.get(call.purpose, StepKind.PRIVATE)
    step = Step(
        call.sequence, is_switched, kind, call.role, call.round, is_failed=call.status != _OK
    )
    if step.is_failed or kind is StepKind.PRIVATE:
        return step
    if kind is StepKind.TURN:
        return replace(step, text=call.reply.strip(), is_failed=not call.reply.strip())
    try:
        return _with_answer(step, object_read(call.reply))
    except (UnreadableAnswerError, KeyError, TypeError, ValueError):
        return replace(step, is_failed=True)


def _with_answer(step: Step, answer: Mapping[str, Any]) -> Step:
    match step.kind:
        case StepKind.WEIGHTS:
            return replace(step, items=tuple(_weighed(answer["weights"])))
        case StepKind.BALLOT:
            return replace(step, text=str(answer["finding"]))
        case StepKind.REVIEW:
            settled = [row["id"] for row in answer["premises"] if row["state"] == "settled"]
            return replace(step, text=", ".join(settled))
        case _:
            return replace(step, text=str(answer["query"]))


def _weighed(rows: Iterable[Mapping[str, Any]]) -> Iterable[WeighedItem]:
    for row in rows:
        weight = Weight(float(row["relevance"]), float(row["credibility"]))
        yield WeighedItem(str(row["id"]), round(weight.value, 2), weight.admission.value)


def _replaced(step: Step, after: Step) -> Step:
    """Mark what was asked again: the same role, for the same, with nothing between."""
    same = (step.role, step.round, step.kind, step.is_switched) == (
        after.role,
        after.round,
        after.kind,
        after.is_switched,
    )
    is_again = same and step.kind not in (StepKind.WEIGHTS, StepKind.SEARCH, StepKind.PRIVATE)
    return replace(step, is_replaced=is_again or (same and step.is_failed))
