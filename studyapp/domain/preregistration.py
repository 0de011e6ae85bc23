"""A preregistration for people: Markdown to read, and to deposit beside the JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_NONE = "none stated"


def preregistration_markdown(found: Mapping[str, Any]) -> str:
    """Write a preregistration as Markdown.

    Args:
        found: its data, as `selectors.preregistration` returns it.
    """
    parts = (_head, _design, _cohorts, _analysis, _questions, _texts, _seed)
    return "\n".join(line for part in parts for line in part(found)) + "\n"


def _head(found: Mapping[str, Any]) -> Iterator[str]:
    study = found["study"]
    yield f"# Preregistration: {study['title']}"
    yield ""
    yield f"- Study: `{study['slug']}`, version {study['version']} of `{study['family']}`"
    yield f"- Launched: {found['registered_at']}"
    yield f"- Design hash (SHA-256): `{found['design_sha256']}`"
    if study["test"]:
        yield "- A test study: its answers are no findings."


def _design(found: Mapping[str, Any]) -> Iterator[str]:
    arms = found["arms"]
    yield from ("", "## What is compared", "")
    yield f"- Arms: {arms['reference']} (reference), {arms['treatment']} (treatment)"
    yield f"- Every difference: {found['difference']}"
    for row in found["scenarios"]:
        title = f" ({row['title']})" if row["title"] else ""
        yield (
            f"- Scenario `{row['key']}`{title}: {_writers(row['texts'])}; debate "
            f"`{row['trace_sha256']}`, pair `{row['pair_sha256']}`"
        )


def _writers(mode: str) -> str:
    words = {"own": "own texts", "live": "texts of language models", "offline": "texts of rules"}
    return words.get(mode, mode)


def _cohorts(found: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## Participants", "")
    planned = found["planned_n"]
    yield f"- Planned N: {_NONE if planned is None else planned}"
    for row in found["cohorts"]:
        places = "no limit" if row["quota"] is None else f"{row['quota']} places"
        more = "".join(f", {key}: {row[key]}" for key in ("kind", "link") if key in row)
        yield f"- Cohort `{row['name']}`: {places}{more}"
    for row in found["screening"]:
        yield f"- Screening `{row.get('key', '')}`: {_line(row.get('question', ''))}"
    for key, value in found["rules"].items():
        yield f"- Rule `{key}`: {value}"


def _analysis(found: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## Analysis", "")
    yield f"- Primary outcome: {_listed(found['primary'])}"
    yield f"- Tests: {_listed(found['tests'])}"
    rules = [
        " ".join(f"{key}={value}" for key, value in row.items()) for row in found["exclusions"]
    ]
    yield f"- Exclusion rules: {_listed(rules)}"
    for key, value in found["plan"].items():
        if key not in ("primary", "family", "exclusions"):
            yield f"- {key.replace('_', ' ').capitalize()}: {value}"


def _questions(found: Mapping[str, Any]) -> Iterator[str]:
    for title, rows in (("Measures", "measures"), ("Background questions", "background")):
        yield from ("", f"## {title}", "")
        for row in found[rows]:
            kind = f" ({row['kind']})" if "kind" in row else ""
            yield f"- `{row['key']}`{kind}: {_line(row.get('question', ''))}"


def _texts(found: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## Texts that participants read", "")
    for key, value in found["texts"].items():
        yield f"**{key}**"
        yield ""
        for line in value if isinstance(value, list) else [value]:
            yield from (f"> {row}".rstrip() for row in str(line).splitlines())
        yield ""
    if found["translations"]:
        yield f"Translations: {', '.join(found['translations'])}; their words stand in the JSON."


def _seed(found: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## Seed", "")
    yield f"- SHA-256 of `<nonce>:<seed>`: `{found['seed_sha256']}`"
    if found["seed"] is None:
        yield "- Seed and nonce are told once the arm key is unsealed."
    else:
        yield f"- Seed {found['seed']}, nonce `{found['seed_nonce']}`"


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or _NONE


def _line(text: str) -> str:
    return " ".join(str(text).split())
