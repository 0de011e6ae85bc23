"""From filled-in sheets to agreement, a truth people share, and the auditor's card."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from apg_engine.annotation.agreement import cohen_kappa, krippendorff_alpha
from apg_engine.annotation.sheet import Item, Judgement, SheetError, sheet_read
from apg_engine.calibration.card import GENRE_OF_TRACES, CalibrationCard
from apg_engine.measuring.cases import Case, Truth, evidence_corpus
from apg_engine.measuring.claim_only import claim_only_tally
from apg_engine.measuring.judging import Judged, contradiction_tally, support_tally

_TRUTHS = {
    Judgement.SUPPORTED: Truth.SUPPORTED,
    Judgement.CONTRADICTED: Truth.REFUTED,
    Judgement.NOT_ENOUGH: Truth.NOT_ENOUGH,
}
Sheet = Mapping[str, Judgement | None]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two raters on the sentences both judged; `agreed` of `n`, and Cohen's kappa."""

    first: str
    second: str
    agreed: int
    n: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Annotation:
    """What raters said, together.

    Attributes:
        raters: names of the sheets.
        sentences: on the blind sheet.
        judged: with a judgement of one rater at least.
        settled: with a judgement that more raters gave than any other.
        pairs: every two raters.
        alpha: Krippendorff's, over all raters; None with one rater or one category.
        truths: what most raters say, by sentence.
    """

    raters: tuple[str, ...]
    sentences: int
    judged: int
    settled: int
    pairs: tuple[PairAgreement, ...]
    alpha: float | None
    truths: Mapping[str, Truth]


def annotation_read(items: Sequence[Item], paths: Sequence[Path]) -> Annotation:
    """Read the raters' sheets, a file each.

    Raises:
        SheetError: a sheet cannot be read, or holds a sentence of other runs.
    """
    known = {item.id for item in items}
    sheets: list[Sheet] = []
    for path in paths:
        sheet = sheet_read(path)
        strange = sorted(set(sheet) - known)
        if strange:
            raise SheetError(str(path), "id", strange[0], "a sentence of these runs")
        sheets.append(sheet)
    units = [[sheet.get(item.id) for sheet in sheets] for item in items]
    truths = {
        item.id: truth
        for item, unit in zip(items, units, strict=True)
        if (truth := _majority(unit)) is not None
    }
    names = [path.name for path in paths]
    return Annotation(
        raters=tuple(names),
        sentences=len(items),
        judged=sum(any(unit) for unit in units),
        settled=len(truths),
        pairs=tuple(_pairs(names, units)),
        alpha=krippendorff_alpha(units) if len(paths) > 1 else None,
        truths=truths,
    )


def _majority(unit: Sequence[Judgement | None]) -> Truth | None:
    """Give what most say; where two judgements tie, or most are unsure, nothing is settled."""
    ranked = Counter(said for said in unit if said is not None).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return _TRUTHS.get(ranked[0][0])


def _pairs(
    names: Sequence[str], units: Sequence[Sequence[Judgement | None]]
) -> list[PairAgreement]:
    found = []
    for one, other in combinations(range(len(names)), 2):
        both = [(u[one], u[other]) for u in units]
        said = [(str(a), str(b)) for a, b in both if a is not None and b is not None]
        agreed = sum(a == b for a, b in said)
        found.append(PairAgreement(names[one], names[other], agreed, len(said), cohen_kappa(said)))
    return found


def annotation_card(
    items: Sequence[Item],
    annotation: Annotation,
    *,
    auditor: str,
    auditor_sha256: str,
    language: str,
    date: str,
) -> CalibrationCard:
    """Write the card of the auditor that judged the runs, against what most raters say.

    Args:
        items: the sentences with the auditor's verdicts.
        annotation: the raters' sheets.
        auditor: its name.
        auditor_sha256: what it was, exactly.
        language: of the debates.
        date: day of the reading, YYYY-MM-DD.
    """
    judged = [
        Judged(_case(item, annotation.truths[item.id]), item.verdict)
        for item in items
        if item.id in annotation.truths
    ]
    cases = [one.case for one in judged]
    refuted = any(case.truth is Truth.REFUTED for case in cases)
    alpha = "none" if annotation.alpha is None else f"{annotation.alpha:.3f}"
    return CalibrationCard(
        auditor=auditor,
        auditor_sha256=auditor_sha256,
        data_set=f"annotation by {len(annotation.raters)} raters",
        data_sha256=_cases_sha256(cases),
        genre=GENRE_OF_TRACES,
        language=language,
        date=date,
        support=support_tally(judged),
        contradiction=contradiction_tally(judged) if refuted else None,
        claim_only=claim_only_tally(cases),
        note=f"majority of raters; Krippendorff's alpha {alpha}; sentences of gated drafts",
    )


def _case(item: Item, truth: Truth) -> Case:
    return Case(item.id, item.sentence, evidence_corpus(()), truth, group=item.group)


def _cases_sha256(cases: Sequence[Case]) -> str:
    rows = sorted([case.id, case.claim, case.truth.value] for case in cases)
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
