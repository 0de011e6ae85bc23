"""A small open study with two debates and their frozen pairs, stored without running the gate."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from studyapp.domain.digest import json_sha256
from studyapp.models import Cohort, DebateTrace, Scenario, StimulusPair, Study

DEMO: Final = Path(__file__).resolve().parent.parent / "fixtures" / "demo_study.json"
THEN: Final = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

_HARBOUR_FIRST: Final = """\
## Recommendation

Two pumps stand on Quay Street and one at the hospital. All parties gladly support this plan,
which keeps everybody safe.

## Reasons

- The forecast of 3.7 m is above the dyke's 3.2 m.
- The Waterworks can wait until the morning.

In short, the plan is **balanced** and can start at once."""
_HARBOUR_SECOND: Final = """\
## Recommendation

One pump stands at the hospital, one at the waterworks and one on Quay Street.

## Reasons

- The hospital gives up its reserve, if the Waterworks send their technician.
- The Waterworks need one pump before midnight.

The Harbour Office asked for **two** pumps and did not say whether one is enough."""
_RIVER_FIRST: Final = """\
## Recommendation

The parties agree to share the river fairly: 16 units for the farms, 14 for the plant and 10 for
the fish.

## Reasons

- Everybody gives up a little.
- The dam may release water sooner than planned.

Together, they found a fair way."""
_RIVER_SECOND: Final = """\
## Where the parties stand

The three parties ask for 53 units, and there are 40. They did not agree on a way to share them.

## What each party holds

- The Growers' Union asks for 20 units.
- The Power Plant asks for 18 units.
- The River Trust asks for 15 units.

Nobody said what would happen if the plant ran at half its power."""
_HARBOUR: Final[dict[str, Any]] = {
    "title": "The flooded harbour",
    "crisis_context": (
        "A storm tide is expected at **02:40**. The town owns three mobile pumps. The harbour "
        "quarter, the hospital and the waterworks have each asked for two of them.\n\n"
        "The lorry that moves the pumps can make one round before the tide."
    ),
    "question": "Where should the three pumps stand when the tide arrives?",
    "agents": [
        {"id": "a1", "name": "Harbour Office", "mandate": "Keeps 1,200 residents safe."},
        {"id": "a2", "name": "Hospital Board", "mandate": "Runs the emergency ward."},
        {"id": "a3", "name": "Waterworks", "mandate": "Supplies drinking water to the town."},
    ],
    "turns": [
        (
            "a1",
            (
                "The harbour dyke holds 3.2 m. The forecast is 3.6 m. Without two pumps, Quay "
                "Street stands under water by three in the morning."
            ),
        ),
        (
            "a2",
            (
                "Our basement holds the power supply of the ward. One pump keeps it dry up to "
                "3.8 m; a second one is a reserve and no more."
            ),
        ),
        (
            "a3",
            (
                "We can do with one pump, if it is running before midnight. Without it we shut "
                "down the filters, and the town has water for nine hours."
            ),
        ),
        (
            "a1",
            (
                "If the hospital gives up its reserve, two are left for the quay and one for you. "
                "That is three in all."
            ),
        ),
        (
            "a2",
            (
                "We agree to give up the reserve, if the Waterworks send their technician to us "
                "should the first pump fail."
            ),
        ),
        ("a3", "We agree. Our technician can be at the ward within fifteen minutes."),
    ],
    "shocks": [
        (3, "epistemic_shift", "medium", "The weather service raises the forecast to **3.7 m**."),
        (5, "cascading_risk", "high", "The road to the waterworks will be closed from 01:00."),
    ],
    "documents": [
        ("d1", "axiom", "No party may be left without drinking water for more than a day."),
        ("d2", "document", "Pump data sheet: 180 m³ per hour, 400 kg, diesel for six hours."),
    ],
    "pair": (_HARBOUR_FIRST, _HARBOUR_SECOND),
}
_RIVER: Final[dict[str, Any]] = {
    "title": "Water in a dry summer",
    "crisis_context": (
        "The river carries 40 units of water a day, half of the usual amount. Three users draw "
        "from it. No rain is expected for twelve days."
    ),
    "question": "How should the 40 units a day be shared?",
    "agents": [
        {"id": "a1", "name": "Growers' Union", "mandate": "Speaks for 310 farms."},
        {"id": "a2", "name": "Power Plant", "mandate": "Cools the only power plant nearby."},
        {"id": "a3", "name": "River Trust", "mandate": "Protects the river and its fish."},
    ],
    "turns": [
        ("a1", "The harvest needs 20 units a day. Below that, the orchards die this year."),
        ("a2", "Cooling takes 18 units. With less we must shut the plant down by law."),
        ("a3", "The river needs 15 units left in it, or the fish will not survive the heat."),
        (
            "a1",
            (
                "20, 18 and 15 make 53. There are 40. Somebody has to give way, and it cannot be "
                "us: trees do not grow back in a year."
            ),
        ),
        ("a2", "It cannot be us either. The hospital depends on our power."),
        ("a3", "We have given way three summers in a row. Not again."),
    ],
    "shocks": [
        (2, "zero_sum", "high", "The upstream dam will release nothing for two weeks."),
        (5, "ad_hominem", "low", "A leaflet accuses the River Trust of *hating farmers*."),
    ],
    "documents": [],
    "pair": (_RIVER_FIRST, _RIVER_SECOND),
}
DEBATES: Final = (_HARBOUR, _RIVER)


@dataclass(frozen=True, slots=True)
class SampleStudy:
    """What a test needs to know of the stored study."""

    study: Study
    cohort: Cohort

    @property
    def link(self) -> str:
        return f"/s/{self.cohort.token}/"


def sample_study(
    *,
    slug: str = "sample",
    state: str = "open",
    quota: int | None = None,
    debates: int = 2,
    turns: int | None = None,
) -> SampleStudy:
    """Store a study in the demo study's words; `turns` makes the debates longer."""
    definition = json.loads(DEMO.read_text(encoding="utf-8"))
    study = Study.objects.create(
        slug=slug,
        title="Secret working title",
        state=state,
        kind="demo",
        is_test=True,
        seed=20261130,
        measures=definition["measures"],
        background=definition["background"],
        texts=definition["texts"],
        created_at=THEN,
    )
    cohort = Cohort.objects.create(study=study, name="open", quota=quota)
    for position in range(debates):
        _scenario_add(study, position=position, turns=turns)
    return SampleStudy(study, cohort)


def trace_content(debate: dict[str, Any], *, number: int, turns: int | None) -> dict[str, Any]:
    """Return a debate in the project's trace format, as a stored trace holds it."""
    spoken = debate["turns"]
    count = turns or len(spoken)
    return {
        "format": "apg-trace",
        "version": 1,
        "title": debate["title"] if number <= len(DEBATES) else f"{debate['title']} {number}",
        "language": "en",
        "crisis_context": debate["crisis_context"],
        "question": debate["question"],
        "agents": debate["agents"],
        "turns": [
            {
                "number": place + 1,
                "speaker": spoken[place % len(spoken)][0],
                "text": spoken[place % len(spoken)][1],
                "private_trace": f"PRIVATE THOUGHT {place}",
                "private_is_boilerplate": False,
                "evidence": [],
            }
            for place in range(count)
        ],
        "documents": [
            {"id": key, "kind": kind, "text": text} for key, kind, text in debate["documents"]
        ],
        "shocks": [
            {"turn": turn, "kind": kind, "severity": severity, "text": text}
            for turn, kind, severity, text in debate["shocks"]
        ],
        "conflict_level": "low",
        "source": {"format": "apg-trace", "file_name": "sample.json", "sha256": "0" * 64},
        "warnings": [],
    }


def _scenario_add(study: Study, *, position: int, turns: int | None) -> None:
    debate = DEBATES[position % len(DEBATES)]
    content = trace_content(debate, number=position + 1, turns=turns)
    sha256 = json_sha256(content)
    trace = DebateTrace.objects.filter(sha256=sha256).first() or DebateTrace.objects.create(
        title=content["title"],
        content=content,
        sha256=sha256,
        source_format="apg-trace",
        source_file="sample.json",
        source_sha256="0" * 64,
        created_at=THEN,
    )
    reference, treatment = debate["pair"]
    pair = StimulusPair.objects.create(
        trace=trace,
        reference_text=reference,
        treatment_text=treatment,
        has_contrast=True,
        manifest={"models": {"mode": "offline", "names": ["offline proposer", "ladder auditor"]}},
        sha256=json_sha256([sha256, reference, treatment]),
        created_at=THEN,
    )
    Scenario.objects.create(
        study=study,
        trace=trace,
        pair=pair,
        key=f"scenario-{position + 1}",
        title=content["title"],
        position=position + 1,
    )
