"""A gate result as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from apg_engine.calibration.card import card_from_dict, card_to_dict
from apg_engine.calibration.fidelity import CalibratedFidelity
from apg_engine.config import config_from_dict, config_to_dict
from apg_engine.errors import CardError, ResultError
from apg_engine.field_types import misfits_find
from apg_engine.records import (
    Counts,
    Coverage,
    Fidelity,
    Label,
    Opinion,
    Preservation,
    Quote,
    Sentence,
    SentenceKind,
    Verdict,
)
from apg_engine.results import GateResult, LeftOut, Measure, ModelNames, Outcome, Pair

RESULT_SCHEMA = "apg-gate-result"
RESULT_VERSION = 1
_NOT_TRUSTED = "the file is not one this version wrote"


def result_to_dict(result: GateResult) -> dict[str, Any]:
    """Give a result as JSON-ready data; `result_from_dict` gives an equal result back."""
    data = asdict(result)
    data["config"] = config_to_dict(result.config)
    data["card"] = card_to_dict(result.card) if result.card else None
    return {"schema": RESULT_SCHEMA, "version": RESULT_VERSION, **_listed(data)}


def result_from_dict(data: Mapping[str, Any]) -> GateResult:
    """Read a result back.

    Raises:
        ResultError: it has another schema or version, or a field is missing or of another type.
    """
    found = f"{data.get('schema')!r} version {data.get('version')!r}"
    if (data.get("schema"), data.get("version")) != (RESULT_SCHEMA, RESULT_VERSION):
        allowed = f"{RESULT_SCHEMA} version {RESULT_VERSION}"
        raise ResultError("gate result", "schema", found, allowed)
    try:
        result = _result(data)
    except (KeyError, TypeError, ValueError, AttributeError, CardError) as error:
        raise ResultError("gate result", "fields", repr(error), _NOT_TRUSTED) from error
    for misfit in misfits_find(result):
        raise ResultError("gate result", "fields", misfit, "a value of the type that was written")
    return result


def _result(data: Mapping[str, Any]) -> GateResult:
    rest = {k: v for k, v in data.items() if k not in {"schema", "version"}}
    return GateResult(
        **{
            **rest,
            "outcome": Outcome(data["outcome"]),
            "pairs": tuple(_pair(pair) for pair in data["pairs"]),
            "warnings": tuple(data["warnings"]),
            "models": ModelNames(**data["models"]),
            "config": config_from_dict(data["config"]),
            "prompts": tuple(data["prompts"]),
            "card": card_from_dict(data["card"], file_name="card") if data.get("card") else None,
            "measures": tuple(_measure(measure) for measure in data.get("measures", ())),
            "left_out": tuple(
                LeftOut(**{**left, "addresses": tuple(left["addresses"])})
                for left in data.get("left_out", ())
            ),
        }
    )


def _pair(data: Mapping[str, Any]) -> Pair:
    calibrated, preserved = data.get("calibrated"), data.get("preserved")
    return Pair(
        **{
            **data,
            "sentences": tuple(_sentence(sentence) for sentence in data["sentences"]),
            "verdicts": tuple(_verdict(verdict) for verdict in data["verdicts"]),
            "fidelity": _fidelity(data["fidelity"]),
            "counts": _counts(data.get("counts")),
            "coverage": _coverage(data.get("coverage")),
            "preserved": Preservation(**preserved) if preserved is not None else None,
            "confirmation": tuple(_verdict(verdict) for verdict in data.get("confirmation", ())),
            "confirmed": _fidelity(data.get("confirmed")),
            "calibrated": CalibratedFidelity(**calibrated) if calibrated is not None else None,
        }
    )


def _fidelity(data: Mapping[str, Any] | None) -> Fidelity | None:
    return None if data is None else Fidelity(**data)


def _counts(data: Mapping[str, Any] | None) -> Counts | None:
    return None if data is None else Counts(**{k: Fidelity(**v) for k, v in data.items()})


def _coverage(data: Mapping[str, Any] | None) -> Coverage | None:
    if data is None:
        return None
    listed = {key: tuple(data[key]) for key in ("stances", "covered")}
    return Coverage(**{**data, **listed})


def _measure(data: Mapping[str, Any]) -> Measure:
    counted = {key: _counts(data[key]) for key in ("initial", "terminal")}
    return Measure(**{**data, **counted})


def _sentence(data: Mapping[str, Any]) -> Sentence:
    return Sentence(**{**data, "kind": SentenceKind(data["kind"])})


def _verdict(data: Mapping[str, Any]) -> Verdict:
    quotes = {
        key: tuple(Quote(**quote) for quote in data[key])
        for key in ("supporting", "opposing", "nearest")
    }
    people = {key: tuple(data[key]) for key in ("asserts", "denies")}
    people["flags"] = tuple(data.get("flags", ()))
    opinions = tuple(
        Opinion(**{**opinion, "label": Label(opinion["label"])})
        for opinion in data.get("opinions", ())
    )
    return Verdict(
        **{**data, **quotes, **people, "label": Label(data["label"]), "opinions": opinions}
    )


def _listed(value: Any) -> Any:
    """Turn tuples into lists and enums into their values, so that JSON gives back the same."""
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(inner) for inner in value]
    return value.value if isinstance(value, Outcome | Label | SentenceKind) else value
