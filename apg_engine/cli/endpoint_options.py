"""The options that name a chat model behind one endpoint, for debates and evaluations."""

from __future__ import annotations

import argparse

from apg_engine.config import ModelSpec

_USUAL = 0.5
_LONGEST_ANSWER = 1024


def endpoint_options_add(parser: argparse.ArgumentParser, *, speaks_for: str) -> None:
    """Declare the options."""
    parser.add_argument("--model", metavar="NAME", help=f"speaks for {speaks_for} (default: rules)")
    parser.add_argument("--model-base-url", metavar="URL")
    parser.add_argument("--model-key-env", metavar="NAME", help="variable with the key")
    parser.add_argument("--model-temperature", type=float, metavar="T")
    parser.add_argument("--model-context", type=int, metavar="N", help="tokens it can read")


def endpoint_spec(options: argparse.Namespace, name: str, *, usual: float = _USUAL) -> ModelSpec:
    """Give the specification of a model at the endpoint the options name.

    Args:
        options: as they were given.
        name: of the model.
        usual: its temperature where none is given.
    """
    return ModelSpec(
        kind="openai",
        name=name,
        base_url=options.model_base_url or "",
        api_key_env=options.model_key_env or "",
        temperature=usual if options.model_temperature is None else options.model_temperature,
        max_tokens=_LONGEST_ANSWER,
        context_tokens=options.model_context or 0,
    )
