"""What in a study's texts may tell participants which is which."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.cache import cache
from django.utils.translation import gettext_noop

from studyapp.domain.digest import json_sha256
from studyapp.domain.lint import PairLint, PairTexts, pair_lint
from studyapp.models import Scenario, StimulusPair

# What the rules call the counts, so that translators find them.
COUNT_WORDS: Final = (
    *(gettext_noop("words"), gettext_noop("sentences"), gettext_noop("paragraphs")),
    *(gettext_noop("headings"), gettext_noop("list items"), gettext_noop("numbers")),
    *(gettext_noop("citations"), gettext_noop("quotes"), gettext_noop("emphases")),
)


@dataclass(frozen=True, slots=True)
class ScenarioLint:
    """What was found in the pair of one scenario."""

    key: str
    lint: PairLint


def study_lint(study_id: int) -> tuple[ScenarioLint, ...]:
    """Lint all pairs of a study, in the order of its scenarios."""
    rows = Scenario.objects.filter(study_id=study_id, pair__isnull=False).order_by("position")
    found = list(
        rows.values_list("key", "pair__sha256", "study__reference_arm", "study__treatment_arm")
    )
    if not found:
        return ()
    arms = (found[0][2], found[0][3])
    lints = lints_get([row[1] for row in found], arms=arms)
    return tuple(ScenarioLint(row[0], lints[row[1]]) for row in found)


def lints_get(pairs: Collection[str], *, arms: tuple[str, str]) -> dict[str, PairLint]:
    """Lint pairs, named by their SHA-256, in one query at most.

    A pair's hash covers the debate, both texts and the models' names, so that each pair is read
    only once by a process. `arms` are (reference, treatment).
    """
    keys = {_key(sha256, arms): sha256 for sha256 in pairs}
    lints = {keys[key]: lint for key, lint in cache.get_many(keys).items()}
    missing = set(pairs) - set(lints)
    if missing:
        rows = StimulusPair.objects.filter(sha256__in=missing).select_related("trace")
        fresh = {row.sha256: _lint(row, arms) for row in rows}
        cache.set_many({_key(sha256, arms): lint for sha256, lint in fresh.items()})
        lints |= fresh
    return lints


def _key(sha256: str, arms: tuple[str, str]) -> str:
    return f"lint:{json_sha256([sha256, *arms])}"


def _lint(pair: StimulusPair, arms: tuple[str, str]) -> PairLint:
    return pair_lint(
        PairTexts(
            reference=pair.reference_text,
            treatment=pair.treatment_text,
            debate="\n".join(public_texts(pair.trace.content)),
        ),
        arms=arms,
        models=pair.manifest["models"]["names"],
    )


def public_texts(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield all that participants read of a debate, when private traces are not shown."""
    yield from (content["crisis_context"], content["question"])
    for agent in content["agents"]:
        yield from (agent["name"], agent["mandate"])
    for group in ("turns", "shocks", "documents"):
        yield from (row["text"] for row in content[group])
    yield from (row["title"] for row in content["documents"] if "title" in row)
