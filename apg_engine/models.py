"""From a configuration to the two models of a run."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.llm import AUDITOR_PROMPTS, ModelAuditor
from apg_engine.auditors.protocol import Auditor
from apg_engine.config import GateConfig, ModelSpec
from apg_engine.errors import ModelSetupError
from apg_engine.llm.protocol import ChatModel
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.machine import Models
from apg_engine.prompting import prompt_load
from apg_engine.proposers.model import PROPOSER_PROMPTS, ModelProposer
from apg_engine.proposers.offline import OfflineProposer
from apg_engine.proposers.protocol import Proposer

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
    return Models(
        proposer=_proposer(config.proposer, environment, prompts),
        auditor=_auditor(config.auditor, environment, prompts),
        prompts=tuple(prompts),
    )


def _proposer(spec: ModelSpec, environment: Mapping[str, str], prompts: list[str]) -> Proposer:
    if spec.kind == "offline":
        return OfflineProposer()
    prompts.extend(prompt_load(name).label for name in PROPOSER_PROMPTS)
    model = _chat_model(spec, "proposer", environment)
    return ModelProposer(model, temperature=spec.temperature, max_tokens=spec.max_tokens)


def _auditor(spec: ModelSpec, environment: Mapping[str, str], prompts: list[str]) -> Auditor:
    if spec.kind == "offline":
        return LadderAuditor()
    prompts.extend(prompt_load(name).label for name in AUDITOR_PROMPTS)
    model = _chat_model(spec, "auditor", environment)
    return ModelAuditor(model, temperature=spec.temperature, max_tokens=spec.max_tokens)


def _chat_model(spec: ModelSpec, role: str, environment: Mapping[str, str]) -> ChatModel:
    if spec.kind == "scripted":
        return ScriptedModel(spec.script, name=spec.name or f"scripted {role}")
    key = _key(spec, role, environment)
    try:
        # The SDK takes half a second to import; who gates offline does not pay for it.
        from apg_engine.llm.openai_client import OpenAIModel, Surroundings
    except ImportError as error:
        raise ModelSetupError(f"{role}: the package {error.name} is not installed") from error
    around = Surroundings(time.monotonic, time.sleep, random.SystemRandom())
    return OpenAIModel(spec, key=key, surroundings=around)


def _key(spec: ModelSpec, role: str, environment: Mapping[str, str]) -> str:
    if not spec.api_key_env:
        if not spec.base_url:
            raise ModelSetupError(f"{role}: name the variable that holds the key (api_key_env)")
        return _NO_KEY
    key = environment.get(spec.api_key_env, "").strip()
    if not key:
        raise ModelSetupError(f"{role}: the environment variable {spec.api_key_env} is not set")
    return key
