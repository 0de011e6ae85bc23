"""Check the forms of what a manifest says beyond its required keys, so that no reader stumbles.

A bundle may be edited by hand, and a plan of the wrong form must be refused by its place in the
manifest, not end in a traceback or be passed over.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from analysis.errors import BundleError
from analysis.schema import CONFIDENCE, KINDS, RATING, WIDEST_SCALE

_COUNTS: Final = (
    "recruited", "consented", "background", "complete", "screened_out", "withdrawn",
)  # fmt: skip


def forms_check(manifest: Mapping[str, Any], *, file: str) -> None:
    """Check study, arms, measures, plan, participants and pairs of a manifest.

    Raises:
        BundleError: A value of another form than the schema's, with its place.
    """
    for key, (fits, allowed) in _FORMS.items():
        _check(manifest, key, fits, allowed, file=file, place=key)
    plan = manifest.get("plan") or {}
    for key, (fits, allowed) in _PLAN.items():
        _check(plan, key, fits, allowed, file=file, place=f"plan, {key}")
    _bound_check(plan, manifest["measures"], file=file)


def _bound_check(
    plan: Mapping[str, Any], measures: Sequence[Mapping[str, Any]], *, file: str
) -> None:
    """Every difference lies within a bound as wide as the scale: anything would be equivalent."""
    scales = [measure["scale"] for measure in measures if measure.get("scale")]
    widest = max((high - low for low, high in scales), default=math.inf)
    allowed = f"less than the width of the scale, {widest}"
    place = "plan, equivalence_bound"
    _check(plan, "equivalence_bound", lambda b: b < widest, allowed, file=file, place=place)


def _check(
    values: Mapping[str, Any],
    key: str,
    fits: Callable[[Any], bool],
    allowed: str,
    *,
    file: str,
    place: str,
) -> None:
    if key in values and not fits(values[key]):
        raise BundleError(file=file, place=place, found=repr(values[key])[:120], allowed=allowed)


def _study(value: Any) -> bool:
    return _mapping(value) and all(_text(value.get(key)) for key in ("slug", "title"))


def _arms(value: Any) -> bool:
    return _texts(value) and len(value) == 2 and value[0] != value[1] and all(value)


def _measures(value: Any) -> bool:
    return isinstance(value, list) and all(
        _mapping(m) and _text(m.get("key")) and m.get("kind") in KINDS and _scale(m) for m in value
    )


def _scale(measure: Mapping[str, Any]) -> bool:
    scale = measure.get("scale")
    if scale is None:
        return measure["kind"] not in (RATING, CONFIDENCE)
    return isinstance(scale, list) and len(scale) == 2 and all(map(_whole, scale)) and _rises(scale)


def _rises(scale: list[int]) -> bool:
    return 0 < scale[1] - scale[0] <= WIDEST_SCALE


def _participants(value: Any) -> bool:
    return _mapping(value) and all(_count(value[key]) for key in _COUNTS if key in value)


def _pairs(value: Any) -> bool:
    return _mapping(value) and all(
        _mapping(pair) and _share(pair.get("fidelity_difference")) for pair in value.values()
    )


def _share(value: Any) -> bool:
    return value is None or (_number(value) and -1 <= value <= 1)


def _exclusions(value: Any) -> bool:
    return isinstance(value, list) and all(_mapping(e) and _text(e.get("rule")) for e in value)


def _groups(value: Any) -> bool:
    return _mapping(value) and all(
        _mapping(rule)
        and _text(rule.get("of"))
        and _mapping(rule.get("levels"))
        and all(map(_texts, rule["levels"].values()))
        for rule in value.values()
    )


def _calibration(value: Any) -> bool:
    return _mapping(value) and all(_text(value.get(key)) for key in ("rating", "choice"))


def _translation(value: Any) -> bool:
    return _mapping(value) and all(map(_text, value.values()))


def _bound(value: Any) -> bool:
    return _number(value) and value > 0


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _count(value: Any) -> bool:
    return _whole(value) and value >= 0


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


# Whole numbers of JSON may be larger than any float.
_LARGEST: Final = sys.float_info.max
_Form = tuple[Callable[[Any], bool], str]
_FORMS: Final[Mapping[str, _Form]] = {
    "study": (_study, 'an object with "slug" and "title"'),
    "arms": (_arms, "two different names"),
    "measures": (
        _measures,
        (
            f'objects with "key", "kind" ({", ".join(KINDS)}) and for a rating '
            f'"scale": [low, high], at most {WIDEST_SCALE} apart'
        ),
    ),
    "kind": (_text, "a sentence"),
    "design_hash": (_text, "a text"),
    "files": (_mapping, "an object of file names"),
    "plan": (lambda value: value is None or _mapping(value), "an object"),
    "participants": (_participants, f"an object of counts ({', '.join(_COUNTS)})"),
    "pairs": (_pairs, 'an object by scenario, "fidelity_difference" from -1 to 1 or null'),
    "blind": (_flag, "true or false"),
    "translations": (
        lambda value: _mapping(value) and all(map(_translation, value.values())),
        "an object by language of an object of texts",
    ),
}
_LIST: Final[_Form] = (_texts, "a list of texts")
_PLAN: Final[Mapping[str, _Form]] = {
    "preregistered": (_flag, "true or false"),
    "note": (_text, "a text"),
    "equivalence_bound": (_bound, "scale points above 0"),
    "family": _LIST,
    "primary": _LIST,
    "ordered": _LIST,
    "limits": _LIST,
    "groups": (_groups, 'an object of {"of": measure, "levels": {group: [answers]}}'),
    "calibration": (_calibration, 'an object with "rating" and "choice"'),
    "exclusions": (_exclusions, 'a list of {"rule": .., "value": ..}'),
}
