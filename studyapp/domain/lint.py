"""What in a pair of texts may tell participants which is which: a warning before a study opens."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from studyapp.domain.lint_naming import Naming, namings_find
from studyapp.domain.lint_shape import ShapeRow, shapes_compare


@dataclass(frozen=True, slots=True)
class PairTexts:
    """A pair as the lint reads it; `debate` is all that participants read of the debate."""

    reference: str
    treatment: str
    debate: str


@dataclass(frozen=True, slots=True)
class PairLint:
    """What was found in a pair: telling phrases of each text, and all counts side by side."""

    reference: tuple[Naming, ...]
    treatment: tuple[Naming, ...]
    shape: tuple[ShapeRow, ...]

    @property
    def telling_shape(self) -> tuple[ShapeRow, ...]:
        """The counts that tell the texts apart."""
        return tuple(row for row in self.shape if row.is_telling)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not (self.reference or self.treatment or self.telling_shape)


def pair_lint(texts: PairTexts, *, arms: Collection[str], models: Collection[str]) -> PairLint:
    """Lint a pair.

    Args:
        texts: both texts and their debate.
        arms: names of the study's arms.
        models: names of the models that wrote or judged the pair.
    """
    reference, treatment = (
        namings_find(text, arms=arms, models=models, debate=texts.debate)
        for text in (texts.reference, texts.treatment)
    )
    return PairLint(reference, treatment, shapes_compare(texts.reference, texts.treatment))


def lint_notes(lint: PairLint) -> tuple[str, ...]:
    """Say in a line each what was found, without saying which text it is."""
    return tuple(_notes(lint))


def _notes(lint: PairLint) -> Iterator[str]:
    for naming in (*lint.reference, *lint.treatment):
        yield f"a text names its {naming.kind}: {naming.quote}"
    for row in lint.telling_shape:
        larger, smaller = max(row.reference, row.treatment), min(row.reference, row.treatment)
        yield f"{row.count}: {larger} against {smaller}"
