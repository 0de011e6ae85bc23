"""Decide whose answers count: no test data, no bots, nobody whom the team left out."""

from __future__ import annotations

from dataclasses import replace

from analysis.dataset import Dataset, LeftOut, first_seen, pairs_of
from analysis.errors import BundleError
from analysis.records import EXCLUSIONS_FILE
from analysis.saying import say


def dataset_settle(
    dataset: Dataset, *, strict: bool, include_test: bool, include_bots: bool
) -> Dataset:
    """Leave out test and bot rows, and whom the team left out; say so.

    Args:
        dataset: The answers as read.
        strict: Refuse data with incomplete pairs instead of leaving those pairs out.
        include_test: Keep rows marked as test data beside real ones.
        include_bots: Keep rows marked as a bot's.

    Raises:
        BundleError: No answer is left, or `strict` is set and a pair is incomplete.
    """
    if not dataset.rows:
        raise BundleError(
            file=dataset.source.file, place="", found="no answers", allowed="at least one answer"
        )
    dataset = _flagged(dataset, "test", keep=include_test)
    dataset = _flagged(dataset, "bot", keep=include_bots)
    if any(row.models == "offline" for row in dataset.rows):
        dataset = replace(dataset, notices=(*dataset.notices, say("offline")))
    if any(row.models == "own" for row in dataset.rows):
        dataset = replace(dataset, notices=(*dataset.notices, say("own")))
    dataset = _decided(dataset)
    if strict:
        _refuse_incomplete(dataset)
    return dataset


def _flagged(dataset: Dataset, flag: str, *, keep: bool) -> Dataset:
    """Leave flagged participants out, unless everyone is: then analyse, and say it loudly."""
    ids = first_seen(row.participant_id for row in dataset.rows if getattr(row, f"is_{flag}"))
    if not ids:
        return dataset
    everyone = len(ids) == len(dataset.participants)
    if everyone or keep:
        share = say("part", count=len(ids), all=len(dataset.participants))
        notice = say(f"no_findings_{flag}", share=say("all") if everyone else share)
        return replace(dataset, notices=(*dataset.notices, notice))
    out = frozenset(ids)
    return replace(
        dataset,
        rows=tuple(row for row in dataset.rows if row.participant_id not in out),
        left_out=(*dataset.left_out, LeftOut(say(f"out_{flag}"), ids)),
    )


def _decided(dataset: Dataset) -> Dataset:
    """Leave out whom the team decided to leave out, each counted under the first decision."""
    reasons: dict[str, list[str]] = {}
    present, seen = set(dataset.participants), set[str]()
    for row in dataset.records.exclusions:
        if row.participant_id in present and row.participant_id not in seen:
            seen.add(row.participant_id)
            reasons.setdefault(row.reason or row.rule, []).append(row.participant_id)
    if not seen:
        return dataset
    if seen == present:
        raise BundleError(
            file=dataset.source.file,
            place=EXCLUSIONS_FILE,
            found="every participant left out",
            allowed="somebody left to analyse",
        )
    return replace(
        dataset,
        rows=tuple(row for row in dataset.rows if row.participant_id not in seen),
        left_out=(
            *dataset.left_out,
            *(LeftOut(reason, tuple(sorted(ids))) for reason, ids in reasons.items()),
        ),
    )


def _refuse_incomplete(dataset: Dataset) -> None:
    for pairs in pairs_of(dataset):
        if pairs.incomplete:
            raise BundleError(
                file=dataset.source.file,
                place=f"scenario {pairs.scenario}, measure {pairs.measure}",
                found=f"{len(pairs.incomplete)} incomplete pairs",
                allowed="a rating for both arms from everyone (--strict is set)",
                ids=pairs.incomplete,
            )
