"""Sets of ratings that a study may use by name, each with its source and licence beside it.

A set is in here word for word only where its licence allows that and both could be confirmed.
What was looked at and left out: the Muenster Epistemic Trustworthiness Inventory (Hendriks,
Kienhues, Bromme), because the Open Test Archive gives it under CC BY-NC-ND 3.0; the Trust in
Automation Scale (Jian, Bisantz, Drury 2000) and the fluency scales of consumer research, because no
licence for their items could be confirmed. A study may bring any set whose terms it has settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studyapp.errors import MeasureError

OWN: Final = "own items, not validated"


@dataclass(frozen=True, slots=True)
class Instrument:
    """A set of ratings with one scale; `reversed_items` count from 1 and score against the others.

    `tool` is what stands in for the slot `[tool]` of the items where a study does not say.
    """

    key: str
    title: str
    origin: str
    licence: str
    anchors: tuple[str, ...]
    items: tuple[str, ...]
    reversed_items: tuple[int, ...] = ()
    tool: str = ""


TXAI: Final = Instrument(
    key="txai",
    title="Trust Scale for the XAI Context",
    origin=(
        "Hoffman, Mueller, Klein, Litman (2023), Measures for explainable AI, Frontiers in "
        "Computer Science 5:1096257, doi:10.3389/fcomp.2023.1096257; validated by Perrig, "
        "Scharowski, Bruehlmann (2023) and Scharowski et al. (2024), arXiv:2403.00582"
    ),
    licence="CC BY 4.0; verbatim, with the word for [tool] filled in",
    # The scale as published runs from agreement to disagreement; 5 is agreement in the data.
    anchors=(
        "I disagree strongly",
        "I disagree somewhat",
        "I'm neutral about it",
        "I agree somewhat",
        "I agree strongly",
    ),
    items=(
        "I am confident in the [tool]. I feel that it works well.",
        "The outputs of the [tool] are very predictable.",
        "The [tool] is very reliable. I can count on it to be correct all the time.",
        "I feel safe that when I rely on the [tool] I will get the right answers.",
        "The [tool] is efficient in that it works very quickly.",
        "I am wary of the [tool].",
        "The [tool] can perform the task better than a novice human user.",
        "I like using the system for decision making.",
    ),
    reversed_items=(6,),
    tool="tool that wrote this report",
)
TRUST: Final = Instrument(
    key="report-trust",
    title="Trust in a report",
    origin=OWN,
    licence="GPL-3.0-or-later, as this project",
    anchors=("Not at all", "A little", "Moderately", "Very much", "Completely"),
    items=(
        "I would pass on what this report says without checking it first.",
        "This report tells me where its statements come from as far as I need to know.",
        "I would expect to find a mistake in this report if I looked for one.",
    ),
    reversed_items=(3,),
)
FLUENCY: Final = Instrument(
    key="report-fluency",
    title="Fluency of a report",
    origin=OWN,
    licence="GPL-3.0-or-later, as this project",
    anchors=("Not at all", "A little", "Moderately", "Very much", "Completely"),
    items=(
        "I understood each sentence of this report at the first reading.",
        "The sentences of this report follow well from one another.",
        "I had to go back in this report to make sense of it.",
    ),
    reversed_items=(3,),
)
INSTRUMENTS: Final = {row.key: row for row in (TXAI, TRUST, FLUENCY)}


def instruments_expand(rows: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Replace each row `{"use": key}` by the instrument's items; other rows stay as they are.

    A study stores the items themselves, so that its design hash covers their wording. Of such a
    row, `tool` fills the slot of the items and `required` holds for each of them.

    Raises:
        MeasureError: no instrument has this name.
    """
    return tuple(item for row in rows for item in _expanded(row))


def is_verbatim(label: str) -> bool:
    """Say whether an item belongs to a published set, whose words are not ours to change."""
    published = (row for row in INSTRUMENTS.values() if row.origin != OWN)
    return any(label.startswith(f"{row.title}, item ") for row in published)


def _expanded(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "use" not in row:
        yield row
        return
    instrument = INSTRUMENTS.get(str(row["use"]))
    if instrument is None:
        raise MeasureError(f"measures: use is {row['use']!r}; allowed are {', '.join(INSTRUMENTS)}")
    tool = str(row.get("tool", instrument.tool))
    for number, item in enumerate(instrument.items, start=1):
        yield {
            "key": f"{instrument.key}-{number}",
            "kind": "rating",
            "question": item.replace("[tool]", tool),
            "anchors": list(instrument.anchors),
            "required": row.get("required", True),
            "instrument": _label(instrument, number),
        }


def _label(instrument: Instrument, number: int) -> str:
    turned = ", reversed" if number in instrument.reversed_items else ""
    place = f"item {number} of {len(instrument.items)}{turned}"
    return f"{instrument.title}, {place}. {instrument.origin}. {instrument.licence}"
