"""What a study decided beforehand about its analysis, checked when the study is built.

The plan is part of the design, goes into the bundle as it stands, and is read by `analysis`; the
keys are described there, in the schema of the bundle. All of them are optional.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from studyapp.domain.background import BackgroundQuestion
from studyapp.domain.measures import COMPARED, Measure, MeasureKind
from studyapp.errors import PlanError

# Rule to the smallest value it takes, or None for a rule without one.
EXCLUSION_RULES: Final[Mapping[str, int | None]] = {
    "incomplete": None,
    "too_fast": 1,
    "straight_lining": 2,
    "attention": 0,
    "minimum_exposure": 1,
    "scroll_coverage": 0,
}
# Rules about what was looked at, and the items each knows (the bundle's paradata).
_ITEM_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "minimum_exposure": ("trace", "report", "pair"),
    "scroll_coverage": ("trace", "report"),
}
_BACKGROUND: Final = "background."
_TEXT_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class PlanScope:
    """What a plan may name: measures, background questions, scenario keys, its own groups."""

    measures: Sequence[Measure]
    background: Sequence[BackgroundQuestion]
    scenarios: Sequence[str]
    groups: tuple[str, ...] = ()

    def tests(self) -> list[str]:
        """Name every test of the study: `<scenario>.<measure>`."""
        asked = [measure for measure in self.measures if measure.kind in COMPARED]
        return [f"{scenario}.{measure.key}" for scenario in self.scenarios for measure in asked]

    def of_kind(self, kind: MeasureKind) -> list[str]:
        """Name the measures of a kind."""
        return [measure.key for measure in self.measures if measure.kind is kind]

    def answers(self) -> dict[str, list[str]]:
        """Name each background measure as the bundle does, with its answers."""
        return {
            f"{_BACKGROUND}{question.key}": [option.value for option in question.options]
            for question in self.background
        }


def plan_check(plan: Mapping[str, Any], scope: PlanScope) -> None:
    """Refuse a plan that says something analysis could not follow.

    Raises:
        PlanError: says at which key, what was found and what is allowed.
    """
    groups = plan.get("groups")
    if isinstance(groups, Mapping):
        scope = replace(scope, groups=tuple(groups))
    for key, value in plan.items():
        check = _CHECKS.get(key)
        if check is None:
            raise _refusal("plan", key, f"the keys {', '.join(_CHECKS)}")
        check(f"plan: {key}", value, scope)
    outside = [name for name in plan.get("primary", ()) if name not in plan.get("family", (name,))]
    if outside:
        raise _refusal("plan: primary", outside[0], "a test of the plan's family")


def _refusal(place: str, found: object, allowed: str) -> PlanError:
    return PlanError(place=place, found=repr(found)[:80], allowed=allowed)


def _flag(place: str, value: object, _: PlanScope) -> None:
    if not isinstance(value, bool):
        raise _refusal(place, value, "true or false")


def _text(place: str, value: object, _: PlanScope) -> None:
    if not isinstance(value, str) or not 0 < len(value.strip()) <= _TEXT_LIMIT:
        raise _refusal(place, value, f"text of 1 to {_TEXT_LIMIT} characters")


def _texts(place: str, value: object, scope: PlanScope) -> None:
    for item in _listed(place, value):
        _text(place, item, scope)


def _bound(place: str, value: object, scope: PlanScope) -> None:
    """Equivalence inside a bound as wide as the scale would hold for any answers."""
    widest = min((len(m.anchors) - 1 for m in scope.measures if m.anchors), default=0)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < float(str(value)) < widest:
        raise _refusal(place, value, f"scale points above 0 and below {widest}")


def _tests(place: str, value: object, scope: PlanScope) -> None:
    known = scope.tests()
    allowed = f"<scenario>.<measure>, each once: {', '.join(known) or 'the study has none yet'}"
    _names(place, value, known, allowed)


def _ordered(place: str, value: object, scope: PlanScope) -> None:
    known = [*scope.answers(), *scope.groups]
    _names(place, value, known, ", ".join(known) or "a background question of the study")


def _calibration(place: str, value: object, scope: PlanScope) -> None:
    row = _mapping(place, value)
    known = {
        "rating": scope.of_kind(MeasureKind.RATING),
        "choice": scope.of_kind(MeasureKind.CHOICE),
    }
    if set(row) != set(known) or any(row[key] not in names for key, names in known.items()):
        raise _refusal(place, value, '{"rating": a rating measure, "choice": a choice measure}')


def _groups(place: str, value: object, scope: PlanScope) -> None:
    known = scope.answers()
    for name, rule in _mapping(place, value).items():
        here = f"{place}: {name}"
        row = _mapping(here, rule)
        if set(row) != {"of", "levels"} or row["of"] not in list(known):
            raise _refusal(here, rule, f'{{"of": one of {", ".join(known)}, "levels": {{..}}}}')
        levels = _mapping(here, row["levels"])
        members = [item for level in levels.values() for item in _listed(here, level)]
        if len(levels) < 2:
            raise _refusal(here, row["levels"], "two groups of answers or more")
        _names(here, members, known[row["of"]], f"each once: {', '.join(known[row['of']])}")


def _exclusions(place: str, value: object, _: PlanScope) -> None:
    for entry in _listed(place, value):
        rule, least = _rule(place, entry)
        given, kinds = entry.get("value"), _ITEM_KINDS.get(rule)
        if kinds and entry.get("item_kind") not in kinds:
            raise _refusal(place, entry, f'{rule} with an "item_kind" of {", ".join(kinds)}')
        if rule == "scroll_coverage":
            if not (isinstance(given, int | float) and not _flagged(given) and 0 < given <= 1):
                raise _refusal(place, entry, f'{rule} with a "value" above 0, at most 1')
            continue
        if least is None and given is not None:
            raise _refusal(place, entry, f"{rule} without a value")
        if least is not None and not (_whole(given) and given >= least):
            raise _refusal(place, entry, f'{rule} with a whole "value" from {least}')


def _rule(place: str, entry: object) -> tuple[str, int | None]:
    rule = entry.get("rule") if isinstance(entry, Mapping) else None
    keys = set(entry) if isinstance(entry, Mapping) else set()
    allowed = {"rule", "value"} | ({"item_kind"} if rule in tuple(_ITEM_KINDS) else set())
    if rule not in tuple(EXCLUSION_RULES) or keys - allowed:
        known = ", ".join(EXCLUSION_RULES)
        raise _refusal(place, entry, f'{{"rule": one of {known}, "value": a whole number}}')
    return str(rule), EXCLUSION_RULES[str(rule)]


def _flagged(value: object) -> bool:
    return isinstance(value, bool)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _names(place: str, value: object, known: Collection[str], allowed: str) -> None:
    names = _listed(place, value)
    wrong = [name for name in names if name not in known or names.count(name) > 1]
    if wrong or not names:
        raise _refusal(place, wrong[0] if wrong else names, allowed)


def _listed(place: str, value: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _refusal(place, value, "a list")
    return value


def _mapping(place: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _refusal(place, value, "a JSON object")
    return value


_Check = Callable[[str, object, PlanScope], None]
_CHECKS: Final[Mapping[str, _Check]] = {
    "preregistered": _flag,
    "note": _text,
    "primary": _tests,
    "family": _tests,
    "equivalence_bound": _bound,
    "exclusions": _exclusions,
    "ordered": _ordered,
    "groups": _groups,
    "calibration": _calibration,
    "limits": _texts,
}
