"""The core rows: for each scenario and measure the description, the tests and the choices."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from analysis.dataset import (
    DEFAULT_BOUND,
    Choices,
    Dataset,
    LeftOut,
    Pairs,
    background_of,
    choices_of,
    pairs_of,
)
from analysis.saying import Fixed, Saying, say
from analysis.schema import UNDECIDED
from analysis.stats.binomial import Share, share
from analysis.stats.describe import Description, correlation, describe
from analysis.stats.effects import Effect, d_z
from analysis.stats.equivalence import Tost, tost
from analysis.stats.exact import SignFlip, SignTest, Wilcoxon, sign_flip, sign_test, wilcoxon
from analysis.stats.paired import PairedT, paired_t

_TOO_FEW_FOR_EXACT: Final = 5  # 2 of 32 sign patterns are more than .05


@dataclass(frozen=True, slots=True)
class RatingRow:
    """Everything about one rating measure in one scenario, on the same complete pairs."""

    scenario: str
    measure: str
    scale: tuple[int, int]
    n: int
    incomplete: tuple[str, ...]
    reference: Description
    treatment: Description
    difference: Description
    r: float | None
    t_test: PairedT
    d_z: Effect
    wilcoxon: Wilcoxon
    sign_flip: SignFlip
    sign_test: SignTest
    tost: Tost


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice in one scenario: counts by answer, and each arm's share of all and of deciders.

    Deciders are those who named an arm; `neither` and `both` leave that denominator.
    """

    scenario: str
    measure: str
    n: int
    counts: dict[str, int]
    reference: Share
    treatment: Share
    reference_of_deciders: Share
    treatment_of_deciders: Share


@dataclass(frozen=True, slots=True)
class Core:
    """The core rows of a dataset and what must be said about the data."""

    dataset: Dataset
    ratings: tuple[RatingRow, ...]
    choices: tuple[ChoiceRow, ...]
    background: dict[str, dict[str, int]]

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Participants kept out of everything, by rule."""
        return self.dataset.left_out


def core(dataset: Dataset) -> Core:
    """Compute the core rows, with the equivalence bound that the dataset's plan states."""
    return Core(
        dataset=dataset,
        ratings=tuple(rating_row(pairs, bound=dataset.bound) for pairs in pairs_of(dataset)),
        choices=tuple(choice_row(choices) for choices in choices_of(dataset)),
        background={
            measure: dict(Counter(answers.values()).most_common())
            for measure, answers in background_of(dataset).items()
        },
    )


def rating_row(pairs: Pairs, *, bound: float = DEFAULT_BOUND) -> RatingRow:
    """Describe and test one measure on its complete pairs."""
    differences = pairs.differences
    span = pairs.scale[1] - pairs.scale[0]
    test = paired_t(differences)
    return RatingRow(
        scenario=pairs.scenario,
        measure=pairs.measure,
        scale=pairs.scale,
        n=len(pairs.ids),
        incomplete=pairs.incomplete,
        reference=describe(pairs.reference, scale=pairs.scale),
        treatment=describe(pairs.treatment, scale=pairs.scale),
        difference=describe(differences, scale=(-span, span)),
        r=correlation(pairs.reference, pairs.treatment),
        t_test=test,
        d_z=d_z(test),
        wilcoxon=wilcoxon(differences),
        sign_flip=sign_flip(differences),
        sign_test=sign_test(differences),
        tost=tost(differences, bound=bound),
    )


def row_warnings(row: RatingRow) -> tuple[Saying, ...]:
    """What must be said beside a row; empty for most."""
    if not row.n or row.n > _TOO_FEW_FOR_EXACT:
        return ()
    least = Fixed(2.0 ** (1 - row.n), 4, bare=True)
    return (say("few_pairs", n=row.n, least=least),)


def choice_row(choices: Choices) -> ChoiceRow:
    """Count one choice and test each arm's share against one half."""
    found = Counter(choices.answers.values())
    reference, treatment = (found[arm] for arm in choices.arms)
    n, deciders = len(choices.answers), reference + treatment
    return ChoiceRow(
        scenario=choices.scenario,
        measure=choices.measure,
        n=n,
        counts={answer: found[answer] for answer in (*choices.arms, *UNDECIDED)},
        reference=share(reference, n),
        treatment=share(treatment, n),
        reference_of_deciders=share(reference, deciders),
        treatment_of_deciders=share(treatment, deciders),
    )
