"""From a configuration to the two models of a run."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from pathlib import Path

from apg_engine.auditors.ensemble import EnsembleAuditor, Member
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.ladder_nli import VetoedLadder
from apg_engine.auditors.llm import AUDITOR_PROMPTS, ModelAuditor
from apg_engine.auditors.nli import NliAuditor
from apg_engine.auditors.nli_folder import pair_scorer_load
from apg_engine.auditors.nli_settings import NliSettings, settings_read
from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.card import CalibrationCard
from apg_engine.calibration.card_files import card_read, ladder_card
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.calibration.permit import gate_permit
from apg_engine.calibration.weights import card_weight
from apg_engine.config import GateConfig, ModelSpec
from apg_engine.errors import ModelSetupError
from apg_engine.llm.cached import CACHE_VARIABLE, CachedModel
from apg_engine.llm.endpoint_pace import paces_of
from apg_engine.llm.protocol import ChatModel
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.prompting import prompt_load
from apg_engine.proposers.model import PROPOSER_PROMPTS, ModelProposer
from apg_engine.proposers.offline import OfflineProposer
from apg_engine.proposers.protocol import Proposer
from apg_engine.roles import Models

# Servers on one's own machine ask for no key, but the SDK insists on one.
_NO_KEY = "none"


def models_from_config(config: GateConfig, *, environment: Mapping[str, str]) -> Models:
    """Build proposer and auditor.

    Args:
        config: names the models and the environment variables their keys stand in.
        environment: where keys are read from.

    Raises:
        ModelSetupError: a key or a package is missing.
    """
    prompts: list[str] = []
    proposer = _proposer(config.proposer, environment, prompts)
    auditor = _auditor(config.auditor, environment, prompts, config.language)
    card = card_find(config.auditor)
    is_model = config.auditor.kind != "offline"
    measurer = config.measured_by
    return Models(
        proposer=proposer,
        auditor=auditor,
        prompts=tuple(prompts),
        card=card,
        measurer=_auditor(measurer, environment, prompts, config.language) if measurer else None,
        warnings=_permit(auditor, card, forced=config.forced_auditor) if is_model else (),
    )


def auditor_build(
    spec: ModelSpec, *, environment: Mapping[str, str], language: str = "en"
) -> Auditor:
    """Build an auditor alone, without asking whether it may steer a gate.

    Raises:
        ModelSetupError: a key, a file or a package is missing.
    """
    return _auditor(spec, environment, [], language)


def card_find(spec: ModelSpec) -> CalibrationCard | None:
    """Give an auditor's card: the one that is named, or the one that comes with the ladder.

    Raises:
        CardError: the file cannot be read as a card.
    """
    if spec.card:
        return card_read(Path(spec.card))
    return ladder_card() if spec.kind == "offline" and not spec.path else None


def _permit(auditor: Auditor, card: CalibrationCard | None, *, forced: str) -> tuple[str, ...]:
    if card is None:
        return ("the auditor has no calibration card",)
    said = gate_permit(card, auditor=auditor.name, forced=forced)
    return (said,) if said else ()


def _proposer(spec: ModelSpec, environment: Mapping[str, str], prompts: list[str]) -> Proposer:
    if spec.kind == "offline":
        return OfflineProposer()
    prompts.extend(prompt_load(name).label for name in PROPOSER_PROMPTS)
    model = chat_model_build(spec, "proposer", environment)
    return ModelProposer(
        model,
        temperature=spec.temperature,
        max_tokens=spec.max_tokens,
        context_tokens=spec.context_tokens,
    )


def _auditor(
    spec: ModelSpec, environment: Mapping[str, str], prompts: list[str], language: str
) -> Auditor:
    match spec.kind:
        case "offline":
            return VetoedLadder(_nli(spec)) if spec.path else LadderAuditor()
        case "nli":
            return _nli(spec)
        case "ensemble":
            members = [_member(one, environment, prompts, language) for one in spec.members]
            return EnsembleAuditor(members, rule=spec.rule)
        case "openai" | "scripted":
            prompts.extend(
                label
                for label in (prompt_load(name).label for name in AUDITOR_PROMPTS)
                if label not in prompts
            )
            model = chat_model_build(spec, "auditor", environment)
            return ModelAuditor(
                model,
                temperature=spec.temperature,
                max_tokens=spec.max_tokens,
                context_tokens=spec.context_tokens,
            )


def _member(
    spec: ModelSpec, environment: Mapping[str, str], prompts: list[str], language: str
) -> Member:
    auditor = _auditor(spec, environment, prompts, language)
    weight = card_weight(card_find(spec), auditor_sha256=auditor_sha256(auditor), language=language)
    return Member(auditor, weight)


def _nli(spec: ModelSpec) -> NliAuditor:
    settings = settings_read(Path(spec.thresholds)) if spec.thresholds else NliSettings()
    return NliAuditor(pair_scorer_load(Path(spec.path)), settings)


def chat_model_build(spec: ModelSpec, role: str, environment: Mapping[str, str]) -> ChatModel:
    """Build a chat model alone; with `APG_CALL_CACHE` set, its replies are kept in that folder.

    Raises:
        ModelSetupError: a key or a package is missing.
    """
    if spec.kind == "scripted":
        return ScriptedModel(spec.script, name=spec.name or f"scripted {role}")
    key = _key(spec, role, environment)
    try:
        # The SDK takes half a second to import; who gates offline does not pay for it.
        from apg_engine.llm.openai_client import OpenAIModel, Surroundings
    except ImportError as error:
        raise ModelSetupError(f"{role}: the package {error.name} is not installed") from error
    paces = paces_of(environment)
    around = Surroundings(time.monotonic, time.sleep, random.SystemRandom(), paces)
    model = OpenAIModel(spec, key=key, surroundings=around)
    folder = environment.get(CACHE_VARIABLE)
    return CachedModel(model, Path(folder)) if folder else model


def _key(spec: ModelSpec, role: str, environment: Mapping[str, str]) -> str:
    if not spec.api_key_env:
        if not spec.base_url:
            raise ModelSetupError(f"{role}: name the variable that holds the key (api_key_env)")
        return _NO_KEY
    key = environment.get(spec.api_key_env, "").strip()
    if not key:
        raise ModelSetupError(f"{role}: the environment variable {spec.api_key_env} is not set")
    return key
