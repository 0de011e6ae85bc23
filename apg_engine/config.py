"""How one run of the gate is set: models, threshold, pairs, policy, language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, Self, get_args
from urllib.parse import urlsplit

from apg_engine.errors import ConfigError
from apg_engine.records import Policy

ModelKind = Literal["offline", "openai", "scripted", "nli", "ensemble"]
EnsembleRule = Literal["unanimous", "majority", "veto"]
Language = Literal["en", "pl"]
PRESETS = ("offline", "paper")
_PROPOSER_KINDS: tuple[ModelKind, ...] = ("offline", "openai", "scripted")
_MEMBER_KINDS: tuple[ModelKind, ...] = (*_PROPOSER_KINDS, "nli")

# The paper's footnote and its repository's commands name these two; its compatible endpoint is
# documented by the provider. Temperature 0.5 and 8192 tokens for both roles (paper, section IV).
_PAPER_URL = "https://generativelanguage.googleapis.com/v1beta/openai/"
_PAPER_PROPOSER = "gemini-3-flash-preview"
_PAPER_AUDITOR = "gemini-3.1-pro-preview"
_PAPER_KEY = "GEMINI_API_KEY"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One model of a run.

    Attributes:
        kind: offline (rules), openai (any compatible endpoint) or scripted (given answers); for
            an auditor also nli (a local cross-encoder) or ensemble (several judges).
        name: the model's name at the endpoint; for the other kinds a label.
        base_url: the endpoint; empty means the SDK's own default.
        api_key_env: name of the environment variable with the key; never the key itself.
        timeout_seconds: longest wait for one try.
        deadline_seconds: longest time for a call with all its tries.
        attempts: most tries of a call.
        context_tokens: tokens the model can read and write in one call; 0 if that is not known.
        script: the answers of a scripted model, in order.
        path: folder of a cross-encoder, as the auditor (nli) or as a veto of the ladder (offline).
        thresholds: file of its calibrated thresholds.
        card: file of the auditor's calibration card.
        members: the judges of an ensemble.
        rule: how their labels are combined.
    """

    kind: ModelKind = "offline"
    name: str = ""
    base_url: str = ""
    api_key_env: str = ""
    temperature: float = 0.0
    max_tokens: int = 8192
    timeout_seconds: float = 120.0
    deadline_seconds: float = 600.0
    attempts: int = 5
    script: tuple[str, ...] = ()
    path: str = ""
    thresholds: str = ""
    card: str = ""
    members: tuple[ModelSpec, ...] = ()
    rule: EnsembleRule = "veto"
    context_tokens: int = 0


@dataclass(frozen=True, slots=True)
class GateConfig:
    """One run of the gate.

    Attributes:
        threshold_percent: PF a draft needs, in whole percent.
        pairs: proposer-auditor pairs, so 3 means two repairs.
        policy: what counts as supported: `paper`, what the corpus entails; `strict`, no agreement
            that a party does not share and nothing that a party denies.
        forced_auditor: name of an auditor that is to steer although its calibration card does not
            put it above the claim-only control.
        measured_by: a second auditor that judges the first and the last draft and steers nothing.
    """

    threshold_percent: int = 95
    pairs: int = 3
    proposer: ModelSpec = field(default_factory=ModelSpec)
    auditor: ModelSpec = field(default_factory=ModelSpec)
    policy: Policy = "paper"
    language: Language = "en"
    forced_auditor: str = ""
    measured_by: ModelSpec | None = None

    @classmethod
    def preset(cls, name: str) -> Self:
        """Give a named configuration: `offline` or `paper`.

        Raises:
            ConfigError: there is no preset of that name.
        """
        if name == "offline":
            return cls()
        if name == "paper":
            return cls(proposer=_paper(_PAPER_PROPOSER), auditor=_paper(_PAPER_AUDITOR))
        raise ConfigError("configuration", "preset", repr(name), " or ".join(PRESETS))


def _paper(name: str) -> ModelSpec:
    return ModelSpec(
        kind="openai", name=name, base_url=_PAPER_URL, api_key_env=_PAPER_KEY, temperature=0.5
    )


def config_to_dict(config: GateConfig) -> dict[str, Any]:
    """Give a configuration as JSON."""
    data = asdict(config)
    roles = [role for role in ("proposer", "auditor", "measured_by") if data[role]]
    return data | {role: _spec_listed(data[role]) for role in roles}


def _spec_listed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give tuples as lists, as JSON has them."""
    members = [_spec_listed(member) for member in data["members"]]
    return {**data, "script": list(data["script"]), "members": members}


def config_from_dict(data: Mapping[str, Any]) -> GateConfig:
    """Read a configuration; absent fields keep their defaults.

    Raises:
        ConfigError: a field is unknown or holds a value that is not allowed.
    """
    if not isinstance(data, Mapping):
        raise ConfigError("configuration", "content", type(data).__name__, "an object")
    _known(data, GateConfig, "configuration")
    default = GateConfig()
    return GateConfig(
        threshold_percent=_whole(data, "threshold_percent", default.threshold_percent, 1, 100),
        pairs=_whole(data, "pairs", default.pairs, 1, 11),
        proposer=_spec(data.get("proposer", {}), "proposer", _PROPOSER_KINDS),
        auditor=_spec(data.get("auditor", {}), "auditor", get_args(ModelKind)),
        policy=_choice(data, "policy", "paper", get_args(Policy)),
        language=_choice(data, "language", "en", get_args(Language)),
        forced_auditor=_text(data, "forced_auditor"),
        measured_by=_measurer(data.get("measured_by")),
    )


def _measurer(data: object) -> ModelSpec | None:
    return None if data is None else _spec(data, "measured_by", get_args(ModelKind))


def _spec(data: object, role: str, kinds: tuple[ModelKind, ...]) -> ModelSpec:
    if not isinstance(data, Mapping):
        raise ConfigError("configuration", role, type(data).__name__, "an object")
    _known(data, ModelSpec, role)
    spec = ModelSpec(
        kind=_choice(data, "kind", "offline", kinds, role),
        name=_text(data, "name", role),
        base_url=_url(_text(data, "base_url", role), role),
        api_key_env=_text(data, "api_key_env", role),
        temperature=_number(data, "temperature", 0.0, 0.0, 2.0, role),
        max_tokens=_whole(data, "max_tokens", 8192, 1, 1_000_000, role),
        timeout_seconds=_number(data, "timeout_seconds", 120.0, 0.05, 3600.0, role),
        deadline_seconds=_number(data, "deadline_seconds", 600.0, 0.05, 86_400.0, role),
        attempts=_whole(data, "attempts", 5, 1, 20, role),
        script=_script(data.get("script", ())),
        path=_text(data, "path", role),
        thresholds=_text(data, "thresholds", role),
        card=_text(data, "card", role),
        members=_members(data.get("members", ()), role),
        rule=_choice(data, "rule", "veto", get_args(EnsembleRule), role),
        context_tokens=_whole(data, "context_tokens", 0, 0, 100_000_000, role),
    )
    _complete(spec, role)
    return spec


def _members(value: object, role: str) -> tuple[ModelSpec, ...]:
    if not isinstance(value, list | tuple):
        raise ConfigError("configuration", f"{role}.members", type(value).__name__, "a list")
    return tuple(
        _spec(member, f"{role}.members[{at}]", _MEMBER_KINDS) for at, member in enumerate(value)
    )


def _complete(spec: ModelSpec, role: str) -> None:
    if spec.kind == "openai" and not spec.name:
        raise ConfigError("configuration", f"{role}.name", "nothing", "the model's name")
    if spec.kind == "nli" and not spec.path:
        raise ConfigError("configuration", f"{role}.path", "nothing", "the model's folder")
    if (spec.kind == "ensemble") != bool(spec.members):
        found = f"{len(spec.members)} members of a model of kind {spec.kind}"
        allowed = "judges of an ensemble, at least one, and of no other kind"
        raise ConfigError("configuration", f"{role}.members", found, allowed)


def _known(data: Mapping[str, Any], record: type, place: str) -> None:
    allowed = [f.name for f in fields(record)]
    unknown = sorted(set(data) - set(allowed))
    if unknown:
        raise ConfigError("configuration", place, ", ".join(unknown), ", ".join(allowed))


def _choice(
    data: Mapping[str, Any], key: str, default: str, allowed: tuple[Any, ...], within: str = ""
) -> Any:
    value = data.get(key, default)
    if value not in allowed:
        raise ConfigError("configuration", _place(within, key), repr(value), ", ".join(allowed))
    return value


def _text(data: Mapping[str, Any], key: str, within: str = "") -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise ConfigError("configuration", _place(within, key), repr(value), "text")
    return value


def _whole(
    data: Mapping[str, Any], key: str, default: int, least: int, most: int, within: str = ""
) -> int:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        allowed = f"a whole number from {least} to {most}"
        raise ConfigError("configuration", _place(within, key), repr(value), allowed)
    return value


def _number(
    data: Mapping[str, Any], key: str, default: float, least: float, most: float, within: str = ""
) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        allowed = f"a number from {least:g} to {most:g}"
        raise ConfigError("configuration", _place(within, key), repr(value), allowed)
    return float(value)


def _place(within: str, key: str) -> str:
    return f"{within}.{key}" if within else key


def _script(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(answer, str) for answer in value):
        raise ConfigError("configuration", "script", type(value).__name__, "a list of answers")
    return tuple(value)


def _url(value: str, role: str) -> str:
    if not value:
        return ""
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError("configuration", f"{role}.base_url", repr(value), "an http(s) address")
    if parts.username or parts.password or "key=" in parts.query.lower():
        # The address is written to journals and results; a key in it would leak.
        raise ConfigError(
            "configuration", f"{role}.base_url", "an address with a secret in it", "api_key_env"
        )
    return value
