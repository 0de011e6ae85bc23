"""Figures of choices, of the design's balance and of reading times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Final

from analysis.report.drawing import Dot, Drawing, Label, Line, Rect, Shape
from analysis.report.figures import (
    FAINT,
    INK,
    REFERENCE_COLOR,
    SOFT,
    TREATMENT_COLOR,
    listed,
)
from analysis.report.words import Words
from analysis.results.core import ChoiceRow
from analysis.results.design import DesignCheck

_WIDTH: Final = 640.0


def choices(rows: Sequence[ChoiceRow], arms: tuple[str, str], words: Words) -> Drawing:
    """Each choice as one bar of counts, treatment first."""
    order = (arms[1], "both", "neither", arms[0])
    colors = {
        arms[1]: TREATMENT_COLOR,
        "both": "#9aa5b1",
        "neither": FAINT,
        arms[0]: REFERENCE_COLOR,
    }
    left, right, y = 170.0, 620.0, 24.0
    shapes: list[Shape] = []
    said = []
    for row in rows:
        shapes.append(Label(left - 10, y + 16, f"{row.scenario}: {row.measure}", INK, 12, "end"))
        at = left
        for answer in order:
            count = row.counts[answer]
            width = (right - left) * count / max(1, row.n)
            if not count:
                continue
            shapes.append(Rect(at, y, max(0.5, width - 1), 22, colors[answer]))
            ink = INK if answer in {"neither", "both"} else "#ffffff"
            shapes.append(Label(at + width / 2, y + 16, str(count), ink, 12, "middle", bold=True))
            at += width
        counts = {words.answer(answer): count for answer, count in row.counts.items()}
        said.append(f"{row.scenario} {row.measure}: {listed(counts)}")
        y += 32
    place = left
    for answer in order:
        name = words(answer) if answer in {"neither", "both"} else answer
        shapes += [
            Rect(place, y + 8, 12, 12, colors[answer]),
            Label(place + 17, y + 18, name, SOFT, 12),
        ]
        place += 40 + 7.2 * len(name)
    return Drawing(_WIDTH, y + 34, words("choices_title"), "; ".join(said), tuple(shapes))


def balance(check: DesignCheck, words: Words) -> Drawing:
    """How often each arm stood left, and at which place each scenario came."""
    left, right, y = 170.0, 620.0, 24.0
    shapes: list[Shape] = []
    said = []
    for design in check.scenarios:
        for kind, counts in (("left", design.left), ("order", design.order)):
            total = sum(counts.values())
            name = f"{design.scenario}: {words(f'balance_{kind}')}"
            shapes.append(Label(left - 10, y + 15, name, INK, 12, "end"))
            at = left
            palette = (REFERENCE_COLOR, TREATMENT_COLOR, "#009e73", "#cc79a7", "#56b4e9", "#9aa5b1")
            if kind == "order":
                palette = ("#52606d", "#9aa5b1", FAINT, "#7b8794", "#3e4c59", "#e4e7eb")
            for place, (key, count) in enumerate(counts.items()):
                width = (right - left) * count / max(1, total)
                if count:
                    shapes.append(Rect(at, y, max(0.5, width - 1), 20, palette[place % 6]))
                    ink = INK if palette[place % 6] in {FAINT, "#9aa5b1", "#e4e7eb"} else "#ffffff"
                    label = f"{key}: {count}"
                    shapes.append(Label(at + width / 2, y + 15, label, ink, 11.5, "middle"))
                at += width
            said.append(f"{name}: {', '.join(f'{k} {c}' for k, c in counts.items())}")
            y += 28
        y += 8
    return Drawing(_WIDTH, y + 6, words("balance_title"), "; ".join(said), tuple(shapes))


def reading_times(times: dict[str, list[float]], words: Words) -> Drawing:
    """Seconds from the first sight of a pair to the last answer, one dot a participant."""
    left, right, y = 170.0, 610.0, 30.0
    longest = max([60.0, *(max(values) for values in times.values())])
    shapes: list[Shape] = []
    said = []
    for scenario, values in times.items():
        stacks: Counter[int] = Counter()
        cells = [int(seconds / longest * 72) for seconds in sorted(values)]
        rise = min(5.4, 44.0 / max(Counter(cells).values()))
        for cell in cells:
            x = left + (cell + 0.5) / 73 * (right - left)
            shapes.append(Dot(x, y + 44 - rise * stacks[cell], 2.6, TREATMENT_COLOR))
            stacks[cell] += 1
        shapes.append(Line(left, y + 49, right, y + 49, FAINT))
        shapes.append(Label(left - 10, y + 46, scenario, INK, 12, "end"))
        middle = words.fixed(median(values), 0)
        said.append(words("times_said", scenario=scenario, n=len(values), median=middle))
        y += 62
    for part in range(5):
        seconds = longest * part / 4
        text = f"{seconds / 60:.1f} min"
        shapes.append(Label(left + (right - left) * part / 4, y + 10, text, SOFT, 11, "middle"))
    return Drawing(_WIDTH, y + 24, words("times_title"), "; ".join(said), tuple(shapes))
