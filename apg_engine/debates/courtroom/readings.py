"""What the roles answer, read from JSON; and the schemas they are asked with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from apg_engine.debates.answers import (
    UnreadableAnswerError,
    choice_read,
    number_read,
    object_read,
    text_read,
    texts_read,
)
from apg_engine.debates.courtroom.admission import Weight
from apg_engine.debates.courtroom.ballots import DIMENSIONS, SCORE_MOST
from apg_engine.debates.courtroom.verdicts import Finding

YES_NO: Final = ("yes", "no")
ABSTAIN: Final = "ABSTAIN"
_LONG: Final = 2000
_LINE: Final = 400
_MOST_CITED: Final = 60


@dataclass(frozen=True, slots=True)
class Preparation:
    """What counsel plans in private before a turn.

    Attributes:
        gap: what its case lacks.
        gives_way: whether it gives up its side.
        motion: a flagged item it moves to admit; empty for none.
        field: of the expert it asks for, with the question; both empty for none.
    """

    gap: str = ""
    gives_way: bool = False
    motion: str = ""
    field: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Reflection:
    """How counsel scores its own turn, each in 0 to 1, and what it still needs to find."""

    logic: float
    novelty: float
    rebuttal: float
    discovery_need: str = ""

    @property
    def score(self) -> float:
        """The paper's s_ref = 0.4 l + 0.3 n + 0.3 b."""
        return 0.4 * self.logic + 0.3 * self.novelty + 0.3 * self.rebuttal


@dataclass(frozen=True, slots=True)
class Review:
    """What the critic finds: which premises are settled, and whether all is said."""

    settled: tuple[str, ...]
    resolved: bool


@dataclass(frozen=True, slots=True)
class Opinion:
    """A judge's answer; `finding` is None for an abstention."""

    finding: Finding | None
    scores: Mapping[str, float]
    cited: tuple[str, ...]
    reason: str


def premises_read(text: str, *, most: int) -> tuple[str, ...]:
    """Read the premises of a claim.

    Raises:
        UnreadableAnswerError: there is none, or one is empty or too long.
    """
    found = texts_read(object_read(text), "premises", most=most)
    if not found or not all(one.strip() and len(one) <= _LINE for one in found):
        raise UnreadableAnswerError(f"premises are {found!r:.60}; allowed: 1 to {most} sentences")
    return tuple(" ".join(one.split()) for one in found)


def query_read(text: str) -> str:
    """Read a search query.

    Raises:
        UnreadableAnswerError: it is absent or too long.
    """
    return " ".join(text_read(object_read(text), "query", most=_LINE).split())


def weights_read(text: str, *, ids: Collection[str]) -> dict[str, Weight]:
    """Read the court's weights, one for each item it was shown and none for others.

    Raises:
        UnreadableAnswerError: an item is missing, stands twice or was not shown.
    """
    rows = object_read(text).get("weights")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnreadableAnswerError("weights is no list of objects")
    found = [text_read(row, "id", most=_LINE) for row in rows]
    if sorted(found) != sorted(ids):
        raise UnreadableAnswerError(f"weights are of {found!r:.120}; allowed: {sorted(ids)}")
    return {
        id_: Weight(
            number_read(row, "relevance", least=0.0, most=1.0),
            number_read(row, "credibility", least=0.0, most=1.0),
        )
        for id_, row in zip(found, rows, strict=True)
    }


def preparation_read(text: str, *, flagged: Sequence[str]) -> Preparation:
    """Read counsel's plan.

    Raises:
        UnreadableAnswerError: a field is absent, or the motion is for something not on the docket.
    """
    data = object_read(text)
    motion = text_read(data, "motion", most=_LINE, empty=True)
    if motion and motion not in flagged:
        raise UnreadableAnswerError(
            f"motion is {motion!r:.40}; allowed: {', '.join(flagged) or 'nothing'}"
        )
    wants = choice_read(data, "expert", YES_NO) == "yes"
    field = text_read(data, "field", most=_LINE, empty=not wants)
    question = text_read(data, "question", most=_LINE, empty=not wants)
    return Preparation(
        gap=text_read(data, "gap", most=_LINE, empty=True),
        gives_way=choice_read(data, "position", ("hold", "give_way")) == "give_way",
        motion=motion,
        field=field if wants else "",
        question=question if wants else "",
    )


def grant_read(text: str) -> bool:
    """Read whether the court grants a witness.

    Raises:
        UnreadableAnswerError: it is neither of the two words.
    """
    return choice_read(object_read(text), "ruling", ("granted", "denied")) == "granted"


def reflection_read(text: str) -> Reflection:
    """Read a reflection.

    Raises:
        UnreadableAnswerError: a score is no number from 0 to 1.
    """
    data = object_read(text)
    return Reflection(
        logic=number_read(data, "logic", least=0.0, most=1.0),
        novelty=number_read(data, "novelty", least=0.0, most=1.0),
        rebuttal=number_read(data, "rebuttal", least=0.0, most=1.0),
        discovery_need=text_read(data, "discovery_need", most=_LINE, empty=True),
    )


def review_read(text: str, *, premises: Sequence[str]) -> Review:
    """Read the critic's review; the question is settled only if every premise is.

    Raises:
        UnreadableAnswerError: a premise is missing or unknown.
    """
    data = object_read(text)
    rows = data.get("premises")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnreadableAnswerError("premises is no list of objects")
    states = {
        choice_read(row, "id", premises): choice_read(row, "state", ("open", "settled"))
        for row in rows
    }
    if len(states) != len(premises) or len(rows) != len(premises):
        raise UnreadableAnswerError(f"premises are {list(states)}; allowed: each of {premises}")
    settled = tuple(one for one in premises if states[one] == "settled")
    said = choice_read(data, "resolved", YES_NO) == "yes"
    return Review(settled, said and len(settled) == len(premises))


def opinion_read(text: str, *, exhibits: Collection[str]) -> Opinion:
    """Read a judge's answer.

    Raises:
        UnreadableAnswerError: a word, a score or a cited exhibit is not what it must be.
    """
    data = object_read(text)
    finding = choice_read(data, "finding", (Finding.SUPPORT, Finding.REFUTE, ABSTAIN))
    scores = data.get("scores")
    if not isinstance(scores, dict) or set(scores) != set(DIMENSIONS):
        raise UnreadableAnswerError(f"scores are {scores!r:.80}; allowed: {', '.join(DIMENSIONS)}")
    cited = texts_read(data, "cited", most=_MOST_CITED)
    unknown = [one for one in cited if one not in exhibits]
    if unknown:
        raise UnreadableAnswerError(f"cited names {unknown[0]!r:.40}, which is no exhibit here")
    return Opinion(
        finding=None if finding == ABSTAIN else Finding(finding),
        scores={name: number_read(scores, name, least=0, most=SCORE_MOST) for name in DIMENSIONS},
        cited=tuple(dict.fromkeys(cited)),
        reason=text_read(data, "reason", most=_LONG),
    )


def object_schema(**properties: Any) -> dict[str, Any]:
    """Give the JSON Schema of an object with exactly these properties."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


TEXT: Final = {"type": "string"}
SHARE: Final = {"type": "number", "minimum": 0, "maximum": 1}


def words_schema(*words: str) -> dict[str, Any]:
    """Give the schema of one of some words."""
    return {"type": "string", "enum": list(words)}


def list_schema(of: Mapping[str, Any]) -> dict[str, Any]:
    """Give the schema of a list."""
    return {"type": "array", "items": dict(of)}


PREMISES_SCHEMA: Final = object_schema(premises=list_schema(TEXT))
QUERY_SCHEMA: Final = object_schema(query=TEXT)
WEIGHTS_SCHEMA: Final = object_schema(
    weights=list_schema(object_schema(id=TEXT, relevance=SHARE, credibility=SHARE))
)
PREPARATION_SCHEMA: Final = object_schema(
    gap=TEXT,
    position=words_schema("hold", "give_way"),
    motion=TEXT,
    expert=words_schema(*YES_NO),
    field=TEXT,
    question=TEXT,
)
GRANT_SCHEMA: Final = object_schema(ruling=words_schema("granted", "denied"))
REFLECTION_SCHEMA: Final = object_schema(
    logic=SHARE, novelty=SHARE, rebuttal=SHARE, discovery_need=TEXT
)
REVIEW_SCHEMA: Final = object_schema(
    premises=list_schema(object_schema(id=TEXT, state=words_schema("open", "settled"))),
    resolved=words_schema(*YES_NO),
)
OPINION_SCHEMA: Final = object_schema(
    finding=words_schema(Finding.SUPPORT, Finding.REFUTE, ABSTAIN),
    scores=object_schema(
        **{name: {"type": "number", "minimum": 0, "maximum": SCORE_MOST} for name in DIMENSIONS}
    ),
    cited=list_schema(TEXT),
    reason=TEXT,
)
