"""Human-labelled sets as cases: Check-COVID, FEVER-symmetric, negation and number sets.

The data stand beside the checkout and are not distributed with it; each set's own page names its
source and licence.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apg_engine.measuring.cases import Case, Truth, evidence_corpus
from apg_engine.measuring.measurement import CaseSet

_COVID = Path("check-covid/Check-COVID")
_TRUTHS = {
    "support": Truth.SUPPORTED,
    "supports": Truth.SUPPORTED,
    "entailment": Truth.SUPPORTED,
    "refute": Truth.REFUTED,
    "refutes": Truth.REFUTED,
    "contradiction": Truth.REFUTED,
    "notenoughinfo": Truth.NOT_ENOUGH,
    "not enough info": Truth.NOT_ENOUGH,
    "neutral": Truth.NOT_ENOUGH,
    # Two classes only: whether it is refuted or open is not said.
    "not_entailment": Truth.NOT_ENOUGH,
}
_NEGATIONS = re.compile(r"\b(?:not|no|never|cannot)\b|n't\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One row of a set, before it has a corpus of its own."""

    id: str
    claim: str
    evidence: tuple[str, ...]
    truth: Truth
    group: str


def sets_read(data: Path, *, limit: int, seed: int) -> Iterator[CaseSet]:
    """Read every set, at most `limit` cases of each, drawn with a seed."""
    covid_training = _covid(data, [_COVID / "train" / "covidCheck_train_composed+extracted.json"])
    medical = "biomedical abstracts"
    for name, rows in (
        ("Check-COVID test, gold rationale", covid_gold(data, "test")),
        ("Check-COVID dev, gold rationale", covid_gold(data, "dev")),
        ("Check-COVID test, whole abstract, support or refute", _covid_abstract(data)),
        ("Check-COVID test, numbers and times", _covid_challenge(data)),
    ):
        yield _set(name, medical, rows, covid_training, limit=limit, seed=seed)
    encyclopedic = "encyclopedia"
    training = _fever(data, "dev")
    yield _set(
        "FEVER-symmetric 0.2 test", encyclopedic, _fever(data, "test"), training,
        limit=limit, seed=seed,
    )  # fmt: skip
    seen = "nli_minilm_int8 was fine-tuned on these rows: its figures here are no test of it."
    changes = _set(
        "VitaminC sample, numbers and changes", encyclopedic, _vitaminc(data), (),
        limit=limit, seed=seed,
    )  # fmt: skip
    yield replace(changes, note=seen)
    for name in ("MNLI", "SNLI", "RTE"):
        rows = _negation(data, name)
        negated = _set(f"negated {name}", "sentence pairs", rows, (), limit=limit, seed=seed)
        yield replace(negated, note=seen)


def covid_gold(data: Path, split: str) -> list[Labelled]:
    """Read a split of Check-COVID with the rationale each label rests on."""
    folder = _COVID / split
    return _covid(
        data,
        [folder / f"covidCheck_{split}_{part}.json" for part in ("composed", "extracted")],
    )


def cases_of(rows: Sequence[Labelled]) -> tuple[Case, ...]:
    """Give each row a corpus of its own."""
    return tuple(
        Case(row.id, row.claim, evidence_corpus(row.evidence), row.truth, row.group) for row in rows
    )


def _set(
    name: str,
    genre: str,
    rows: Sequence[Labelled],
    training: Sequence[Labelled],
    *,
    limit: int,
    seed: int,
) -> CaseSet:
    drawn = list(rows)
    if 0 < limit < len(drawn):
        drawn = random.Random(seed).sample(drawn, limit)
        name = f"{name} (sample {limit} of {len(rows)})"
    return CaseSet(name, genre, "en", cases_of(drawn), training=cases_of(training))


def _covid(data: Path, files: Sequence[Path]) -> list[Labelled]:
    abstracts = {row["cord_id"]: row["abstract"] for row in _lines(data / _COVID / "corpus.json")}
    found = []
    for file in files:
        for row in _lines(data / file):
            places = sorted(place["sent_index"] for place in row["evidence_set"])
            rationale = " ".join(abstracts[row["cord_id"]][place] for place in places)
            found.append(_row(row["id"], row["claim"], (rationale,), row["label"], row["cord_id"]))
    return found


def _covid_abstract(data: Path) -> list[Labelled]:
    abstracts = {row["cord_id"]: row["abstract"] for row in _lines(data / _COVID / "corpus.json")}
    return [
        Labelled(row.id, row.claim, (" ".join(abstracts[row.group]),), row.truth, row.group)
        for row in covid_gold(data, "test")
        # "Not enough" is said of a rationale, not of the abstract it is taken from.
        if row.truth is not Truth.NOT_ENOUGH
    ]


def _covid_challenge(data: Path) -> list[Labelled]:
    folder = _COVID / "variants_for_experiments" / "challenge_subset"
    names = [
        f"covidCheck_test_{part}_noNEI_{sort}.json"
        for part in ("composed", "extracted")
        for sort in ("numeric", "temporal")
    ]
    distinct = {row.id: row for row in _covid(data, [folder / name for name in names])}
    return list(distinct.values())


def _fever(data: Path, split: str) -> list[Labelled]:
    path = data / "fever-symmetric" / "symmetric_v0.2" / f"fever_symmetric_{split}.jsonl"
    return [
        # An id names a claim family; its twins carry a running number behind it.
        _row(f"{row['id']}-{n}", row["claim"], (row["evidence"],), row["gold_label"],
             str(row["id"])[:9])
        for n, row in enumerate(_lines(path))
    ]  # fmt: skip


def _vitaminc(data: Path) -> list[Labelled]:
    rows = {
        (row["claim"], row["evidence"]): row
        for path in sorted((data / "vitaminc-sample").glob("*.jsonl"))
        for row in _lines(path)
    }
    return [
        _row(f"{row['id']}-{n}", row["claim"], (row["evidence"],), row["label"], row["id"])
        for n, row in enumerate(rows.values())
    ]


def _negation(data: Path, name: str) -> list[Labelled]:
    path = data / "negation-nli" / "data" / "new_benchmarks" / "clean_data" / f"{name}.txt"
    with path.open(encoding="latin-1", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        _row(str(n), row["Hypothesis"], (row["Text"],), row["gold_label"],
             " ".join(_NEGATIONS.sub("", row["Text"]).split()[:6]))
        for n, row in enumerate(rows)
    ]  # fmt: skip


def _row(name: str, claim: str, evidence: tuple[str, ...], label: str, group: str) -> Labelled:
    return Labelled(name, claim, evidence, _TRUTHS[label.strip().casefold()], group)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
