"""The figures of a report: discrete answers as what they are, colour-blind safe, said in words too.

Colours are Okabe and Ito's, with light and dark apart so that a grey print still tells them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from analysis.dataset import Pairs
from analysis.report.drawing import Anchor, Dot, Drawing, Label, Line, Rect, Shape
from analysis.report.words import Words
from analysis.results.core import RatingRow

INK, SOFT, FAINT = "#1f2933", "#616e7c", "#cbd2d9"
MOST_COUNTED: Final = 11  # steps of a scale whose counts are written out
_TALLEST: Final = 400.0
_MOST_NAMES: Final = 13
_MOST_KEYS: Final = 10
_MOST_LINES: Final = 40
_ALONG: Final = (0.5, 0.28, 0.72, 0.4, 0.6, 0.18, 0.82)
_Point = tuple[float, float]
_LEAST_COLUMN: Final = 16.0
REFERENCE_COLOR, TREATMENT_COLOR = "#d55e00", "#0072b2"
# From low to high ratings: orange over grey to blue, symmetric in lightness.
_LIKERT: Final = {
    2: ("#b35806", "#2166ac"),
    3: ("#b35806", "#d9d9d9", "#2166ac"),
    4: ("#b35806", "#f1a340", "#92c5de", "#2166ac"),
    5: ("#b35806", "#f1a340", "#d9d9d9", "#92c5de", "#2166ac"),
    7: ("#7f3b08", "#b35806", "#f1a340", "#d9d9d9", "#92c5de", "#4393c3", "#2166ac"),
}
_WIDTH: Final = 640.0
_LEAST_BLOCK: Final = 3.0  # blocks lower than this blur: draw one bar


def slopes(pairs: Pairs, words: Words) -> Drawing:
    """Each pair of ratings as a line from reference to treatment, as wide as it is frequent."""
    low, high = pairs.scale
    left, right, top = 150.0, 490.0, 46.0
    step = min(58.0, _TALLEST / (high - low))
    bottom = top + (high - low) * step

    def y(rating: float) -> float:
        return bottom - (rating - low) * step

    counts = Counter(zip(pairs.reference, pairs.treatment, strict=True))
    levels = range(low, high + 1, _every(high - low))
    shapes: list[Shape] = [Line(left, y(r), right, y(r), "#eef1f4") for r in levels]
    most = max(counts.values(), default=1)
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    for (before, after), count in ordered:
        width = 1.5 + 8 * count / max(most, 6)
        shapes.append(Line(left, y(before), right, y(after), _direction(after - before), width))
    if len(ordered) <= _MOST_LINES:
        ends = [((left, y(b)), (right, y(a)), str(count)) for (b, a), count in ordered]
        shapes += _line_numbers(ends)
    shapes += _slope_axes(pairs, y, left, right)
    up = sum(c for (b, a), c in counts.items() if a > b)
    down = sum(c for (b, a), c in counts.items() if a < b)
    level = sum(counts.values()) - up - down
    legend = words("slopes_legend", up=up, down=down, level=level, treatment=pairs.arms[1])
    shapes.append(Label(_WIDTH / 2, bottom + 40, legend, SOFT, 12, "middle"))
    detail = "; ".join(f"{b} > {a}: {c}" for (b, a), c in sorted(counts.items()))
    title = words("slopes_title", measure=pairs.measure, scenario=pairs.scenario)
    return Drawing(_WIDTH, bottom + 56, title, f"{legend}. {detail}.", tuple(shapes))


def _line_numbers(ends: Sequence[tuple[_Point, _Point, str]]) -> list[Shape]:
    """Write a number on each line, where it covers no other number if there is such a place."""
    taken: list[_Point] = []
    shapes: list[Shape] = []
    for (x1, y1), (x2, y2), text in ends:
        places = [(x1 + at * (x2 - x1), y1 + at * (y2 - y1)) for at in _ALONG]
        x, y = max(places, key=lambda place: min(1.0, _room(place, taken)))
        taken.append((x, y))
        shapes.append(Label(x, y + 4, text, INK, 12, "middle", bold=True, halo=True))
    return shapes


def _room(place: _Point, taken: Sequence[_Point]) -> float:
    """Distance to the nearest number, in widths of one; above 1 they do not touch."""
    return min((math.hypot((place[0] - x) / 20, (place[1] - y) / 15) for x, y in taken), default=9)


def differences(row: RatingRow, words: Words) -> Drawing:
    """Differences as stacks, one block a participant while they fit, with mean and interval."""
    counts = row.difference.counts
    most = max(1, *counts.values())
    block = min(14.0, 190.0 / most)
    left, right, base = 60.0, 580.0, 40.0 + most * block
    column = (right - left) / len(counts)
    zero = left + (-min(counts) + 0.5) * column
    shapes: list[Shape] = [
        Line(zero, 14, zero, base - counts[0] * block - 18, SOFT, 1, dashed=True),
        Line(left, base, right, base, SOFT),
    ]
    for place, (difference, count) in enumerate(counts.items()):
        centre = left + (place + 0.5) * column
        name = f"{difference:+d}" if difference else "0"
        if difference % _every(max(counts) - min(counts)) == 0:
            shapes.append(Label(centre, base + 18, name, INK, 12, "middle"))
        if count:
            shapes += _stack(centre, base, count, block, _direction(difference), column)
    shapes += _mean_mark(row, left, column, base + 34)
    test = row.t_test
    text = words(
        "differences_mean",
        mean=words.fixed(test.mean, sign=True),
        ci=words.bracket(test.ci),
        n=row.n,
    )
    shapes.append(Label(_WIDTH / 2, base + 62, text, SOFT, 12, "middle"))
    title = words("differences_title", measure=row.measure, scenario=row.scenario)
    detail = ", ".join(f"{d:+d}: {c}" for d, c in counts.items() if c)
    return Drawing(_WIDTH, base + 76, title, f"{text}. {detail}.", tuple(shapes))


def likert(rows: Sequence[RatingRow], arms: tuple[str, str], words: Words) -> Drawing:
    """Ratings of both arms as bars that diverge from the middle of the scale."""
    height, gap, centre, half = 22.0, 30.0, 385.0, 235.0
    shapes: list[Shape] = []
    y, said = 40.0, []
    for row in rows:
        shapes.append(Label(10, y + 2, f"{row.scenario}: {row.measure}", INK, 12.5, bold=True))
        y += 12
        for arm, described in ((arms[1], row.treatment), (arms[0], row.reference)):
            shapes.append(Label(140, y + 16, arm, INK, 12, "end"))
            shapes += _likert_bar(list(described.counts.values()), y, height, centre, half)
            counts = described.counts
            if len(counts) > MOST_COUNTED:
                counts = {rating: count for rating, count in counts.items() if count}
            said.append(f"{row.scenario} {row.measure} {arm}: {listed(counts)}")
            y += gap
        y += 22
    # Below the bars, whose middle carries a number.
    shapes.insert(0, Line(centre, 30, centre, y - 20, SOFT, 1, dashed=True))
    shapes += _likert_key(rows[0].scale, y, words)
    return Drawing(_WIDTH, y + 34, words("likert_title"), ". ".join(said) + ".", tuple(shapes))


def forest(rows: Sequence[RatingRow], words: Words) -> Drawing:
    """d_z of every measure with its interval."""
    shown = [row for row in rows if row.d_z.value is not None and row.d_z.ci is not None]
    ends = [abs(v) for row in shown if row.d_z.ci for v in (row.d_z.ci.low, row.d_z.ci.high)]
    reach = max(0.6, *ends) * 1.08 if ends else 1.0
    left, right, top, step = 200.0, 500.0, 30.0, 30.0
    bottom = top + len(shown) * step

    def x(value: float) -> float:
        return left + (value + reach) / (2 * reach) * (right - left)

    shapes: list[Shape] = [Line(x(0), top - 8, x(0), bottom, SOFT, 1, dashed=True)]
    said = []
    for place, row in enumerate(shown):
        y, effect = top + place * step + 10, row.d_z
        if effect.value is None or effect.ci is None:
            continue
        text = f"{words.fixed(effect.value)} {words.bracket(effect.ci)}"
        shapes += [
            Label(left - 12, y + 4, f"{row.scenario}: {row.measure}", INK, 12, "end"),
            Line(x(effect.ci.low), y, x(effect.ci.high), y, INK, 2),
            Dot(x(effect.value), y, 5.5, TREATMENT_COLOR),
            Label(right + 12, y + 4, text, INK, 12),
        ]
        said.append(f"{row.scenario} {row.measure}: {text}")
    shapes.append(Line(left, bottom, right, bottom, SOFT))
    step_of = next(step for step in (0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 1e9) if reach <= 4 * step)
    for place in range(-4, 5):
        tick = place * step_of
        if abs(tick) <= reach:
            shapes.append(Line(x(tick), bottom, x(tick), bottom + 4, SOFT))
            shapes.append(Label(x(tick), bottom + 18, words.fixed(tick, 1), SOFT, 11, "middle"))
    shapes.append(Label((left + right) / 2, bottom + 38, words("forest_axis"), SOFT, 12, "middle"))
    return Drawing(_WIDTH, bottom + 50, words("forest_title"), "; ".join(said), tuple(shapes))


def _direction(difference: int) -> str:
    return TREATMENT_COLOR if difference > 0 else REFERENCE_COLOR if difference < 0 else "#9aa5b1"


def _slope_axes(
    pairs: Pairs, y: Callable[[float], float], left: float, right: float
) -> list[Shape]:
    low, high = pairs.scale
    shapes: list[Shape] = []
    sides = ((left, pairs.arms[0], pairs.reference, -1), (right, pairs.arms[1], pairs.treatment, 1))
    for place, arm, ratings, side in sides:
        anchor: Anchor = "end" if side < 0 else "start"
        color = REFERENCE_COLOR if side < 0 else TREATMENT_COLOR
        shapes.append(Label(place, 20, arm, color, 13, "middle", bold=True))
        named = range(low, high + 1, _every(high - low))
        shapes += [Dot(place, y(rating), 4.0, INK) for rating in {*named, *ratings}]
        for rating in named:
            count = ratings.count(rating)
            text = f"{rating}  (n = {count})" if side > 0 else f"(n = {count})  {rating}"
            text = text if named.step == 1 else str(rating)
            shapes.append(Label(place + 12 * side, y(rating) + 4, text, INK, 12, anchor))
    return shapes


def _stack(
    centre: float, base: float, count: int, block: float, color: str, column: float
) -> list[Shape]:
    size = min(column * 0.62, 40.0)
    left, top = centre - size / 2, base - count * block
    shapes: list[Shape] = []
    if column >= _LEAST_COLUMN:
        shapes.append(Label(centre, top - 6, str(count), SOFT, 11, "middle"))
    if block < _LEAST_BLOCK:
        return [*shapes, Rect(left, top, size, count * block, color)]
    levels = range(1, count + 1)
    return [*shapes, *(Rect(left, base - n * block, size, block - 1.4, color) for n in levels)]


def _mean_mark(row: RatingRow, left: float, column: float, y: float) -> list[Shape]:
    test, lowest = row.t_test, min(row.difference.counts)
    if test.mean is None:
        return []

    def x(value: float) -> float:
        return left + (value - lowest + 0.5) * column

    shapes: list[Shape] = []
    if test.ci is not None:
        ends = (test.ci.low, test.ci.high)
        shapes.append(Line(x(ends[0]), y, x(ends[1]), y, INK, 2.5))
        shapes += [Line(x(end), y - 4, x(end), y + 4, INK, 2) for end in ends]
    return [*shapes, Dot(x(test.mean), y, 5.5, INK)]


def _likert_bar(
    counts: Sequence[int], y: float, height: float, centre: float, half: float
) -> list[Shape]:
    total, colors = max(1, sum(counts)), _palette(len(counts))
    widths = [2 * half * count / total * 0.5 for count in counts]
    middle = len(counts) // 2
    below = sum(widths[:middle]) + (widths[middle] / 2 if len(counts) % 2 else 0)
    at = centre - below
    shapes: list[Shape] = []
    for count, width, color in zip(counts, widths, colors, strict=True):
        if count:
            shapes.append(Rect(at, y, max(0.5, width - 0.8), height, color))
            ink = "#ffffff" if color in {"#b35806", "#2166ac", "#7f3b08", "#4393c3"} else INK
            if width >= 7.5 * len(str(count)):
                shapes.append(Label(at + width / 2, y + 15, str(count), ink, 11.5, "middle"))
        at += width
    return shapes


def _likert_key(scale: tuple[int, int], y: float, words: Words) -> list[Shape]:
    values = range(scale[0], scale[1] + 1)
    shapes: list[Shape] = [Label(140, y + 10, words("likert_key"), SOFT, 12, "end")]
    width = min(46.0, 460.0 / len(values))
    for place, (value, color) in enumerate(zip(values, _palette(len(values)), strict=True)):
        x = 150.0 + width * place
        if len(values) > _MOST_KEYS:
            # Too many to name each: a band of colours with its ends.
            shapes.append(Rect(x, y, width, 12, color))
            if value in scale:
                shapes.append(Label(x, y + 26, str(value), SOFT, 12))
            continue
        shapes += [Rect(x, y, 12, 12, color), Label(x + 17, y + 11, str(value), SOFT, 12)]
    return shapes


def _every(span: int) -> int:
    """Name every value of a short scale, and every fifth, tenth or so of a long one."""
    steps = (step * tens for tens in (1, 10, 100, 1000, 10_000) for step in (1, 2, 5))
    return next(step for step in steps if span <= _MOST_NAMES * step)


def _palette(levels: int) -> Sequence[str]:
    if levels in _LIKERT:
        return _LIKERT[levels]
    # Other scales: from orange to blue through grey, in equal steps.
    ends = ((179, 88, 6), (217, 217, 217), (33, 102, 172))
    colors = []
    for place in range(levels):
        at = 2 * place / max(1, levels - 1)
        a, b = ends[int(min(at, 1.999))], ends[int(min(at, 1.999)) + 1]
        part = at - int(min(at, 1.999))
        colors.append(
            "#" + "".join(f"{round(p + (q - p) * part):02x}" for p, q in zip(a, b, strict=True))
        )
    return colors


def listed(counts: Mapping[int, int] | Mapping[str, int]) -> str:
    """`1 2, 2 8, ..`: what a bar shows, in words."""
    return ", ".join(f"{key} {count}" for key, count in counts.items())
