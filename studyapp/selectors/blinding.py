"""What a study must keep from its participants, and which side was drawn in each trial."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from studyapp.domain.markup import prose_render
from studyapp.domain.rules import rules_load
from studyapp.errors import UnknownLinkError
from studyapp.models import Assignment, Scenario, Study
from studyapp.selectors.lint import public_texts

_REPORT_HEADING: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]+")
# A thought shorter than this may stand in a speech as well.
_THOUGHT: Final = 40


@dataclass(frozen=True, slots=True)
class PairForms:
    """Every form in which a pair's texts may stand on a page: rendered, escaped, as written."""

    reference: tuple[str, ...]
    treatment: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlindStudy:
    """What pages are held against.

    `names` are words and phrases that tell what is compared or who wrote it; `digests` hashes of
    runs, pairs and debates; `thoughts` private traces that the study does not show; `debate_words`
    all words of the debates, in lower case, which tell nothing; `keys` the rows' primary keys.
    """

    names: tuple[str, ...]
    digests: tuple[str, ...]
    thoughts: tuple[str, ...]
    debate_words: frozenset[str]
    keys: frozenset[str]
    pairs: Mapping[str, PairForms]


@dataclass(frozen=True, slots=True)
class TrialSide:
    """Which way round a trial is shown."""

    scenario: str
    order: int
    treatment_is_left: bool


def blind_study(study: Study) -> BlindStudy:
    """Read what a study must keep to itself."""
    scenarios = list(study.scenarios.select_related("trace", "pair", "run").order_by("position"))
    shows_private = rules_load(study.rules).shows_private
    return BlindStudy(
        names=tuple(sorted(set(_names(study, scenarios)))),
        digests=tuple(sorted({digest for row in scenarios for digest in _digests(row)})),
        thoughts=() if shows_private else tuple(_thoughts(scenarios)),
        debate_words=frozenset(
            word.lower()
            for row in scenarios
            for text in public_texts(row.trace.content)
            for word in _WORD.findall(text)
        ),
        keys=frozenset(key for row in scenarios for key in _keys(row)),
        pairs={row.key: _forms(row) for row in scenarios if row.pair is not None},
    )


def trial_sides(study: Study) -> dict[str, TrialSide]:
    """Return the side of every trial by its token."""
    rows = Assignment.objects.filter(participant__study=study).values_list(
        "token", "scenario__key", "order", "treatment_is_left"
    )
    return {
        token: TrialSide(scenario, order, treatment_is_left)
        for token, scenario, order, treatment_is_left in rows
    }


def trial_side(token: str) -> TrialSide:
    """Return the side of one trial.

    Raises:
        UnknownLinkError: no trial has this token.
    """
    rows = Assignment.objects.filter(token=token)
    found = rows.values_list("scenario__key", "order", "treatment_is_left").first()
    if found is None:
        raise UnknownLinkError("no trial has this token: the site has another database")
    return TrialSide(*found)


def _names(study: Study, scenarios: list[Scenario]) -> Iterator[str]:
    yield from (study.reference_arm, study.treatment_arm)
    for row in scenarios:
        if row.pair is not None:
            yield from row.pair.manifest["models"]["names"]
        yield from (row.trace.source_file, row.trace.source_format)


def _digests(row: Scenario) -> Iterator[str]:
    yield row.trace.sha256
    if row.pair is not None:
        manifest: Mapping[str, Any] = row.pair.manifest
        yield row.pair.sha256
        yield from (value for key, value in manifest.items() if key.endswith("sha256"))


def _keys(row: Scenario) -> Iterator[str]:
    for key in (row.pk, row.trace_id, row.pair_id, row.run_id):
        if key is not None:
            yield str(key)


def _thoughts(scenarios: list[Scenario]) -> Iterator[str]:
    for row in scenarios:
        said = "\n".join(public_texts(row.trace.content))
        for turn in row.trace.content["turns"]:
            thought = str(turn["private_trace"]).strip()[:_THOUGHT]
            if thought and thought not in said:
                yield thought


def _forms(row: Scenario) -> PairForms:
    if row.pair is None:
        raise ValueError(f"{row.key} has no pair")
    return PairForms(_shown(row.pair.reference_text), _shown(row.pair.treatment_text))


def _shown(text: str) -> tuple[str, ...]:
    rendered = prose_render(text, heading=_REPORT_HEADING)
    return tuple(dict.fromkeys((rendered, html.escape(text), text)))
