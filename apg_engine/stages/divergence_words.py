"""The fixed words of a Divergence Report for people, in English and Polish."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Sentence patterns of one language."""

    lead: str
    lead_without_question: str
    ends_apart: str
    agreed: str
    given: str
    nothing_agreed: str
    common: str
    unresolved: str
    whether: str
    quoted: str
    asserts: str
    denies_one: str
    denies_many: str
    unanswered: str
    arithmetic: str
    no_settlement: str
    positions: str
    position: str
    missing: str
    gap_by_party: str
    gap: str
    no_gaps: str
    turn: str
    turns: str
    both: str
    joint: str


ENGLISH = Words(
    lead="**The record does not settle the question put to the parties:** {question}",
    lead_without_question="**The record does not settle the matter the parties debated.**",
    ends_apart="{parties} end the debate with different answers, and no settlement is stated that"
    " all of them accept.",
    agreed="What is agreed",
    given="{facts}",
    nothing_agreed="The parties state no fact in common.",
    common="{parties} state alike ({turns}): {fact}",
    unresolved="What remains unresolved",
    whether="Whether {claim}",
    quoted="The claim “{claim}”",
    asserts="{party} asserts it ({turns}).",
    denies_one="{parties} denies it.",
    denies_many="{parties} deny it.",
    unanswered="The others do not accept it.",
    arithmetic="Taken together, the parties ask for {sum}{measure} ({terms}); {total}{measure}"
    " are available, so {missing}{measure} are missing.",
    no_settlement="No party states a division or compromise that would resolve this, and nothing"
    " in the record supports one.",
    positions="Where each party stands",
    position="**{party}:** “{quote}” ({turns})",
    missing="What evidence is missing",
    gap_by_party="{party} points out: “{quote}” ({turns})",
    gap="{quote}",
    no_gaps="The record names no source that would decide between these positions.",
    turn="turn {n}",
    turns="turns {n}",
    both="and",
    joint="and",
)

POLISH = Words(
    lead="**Zapis debaty nie rozstrzyga pytania postawionego stronom:** {question}",
    lead_without_question="**Zapis debaty nie rozstrzyga sprawy, o którą toczył się spór.**",
    ends_apart="Strony ({parties}) kończą debatę z różnymi odpowiedziami i w zapisie nie ma"
    " rozwiązania, które przyjęłyby wszystkie.",
    agreed="Co jest wspólne",
    given="{facts}",
    nothing_agreed="Strony nie podają żadnego wspólnego faktu.",
    common="Zgodnie stwierdzają to {parties} ({turns}): {fact}",
    unresolved="Co pozostaje nierozstrzygnięte",
    whether="Kwestia: „{claim}”",
    quoted="Kwestia: „{claim}”",
    asserts="Za: {party} ({turns}).",
    denies_one="Przeciw: {parties}.",
    denies_many="Przeciw: {parties}.",
    unanswered="Pozostałe strony tego nie przyjmują.",
    arithmetic="Łącznie strony żądają {sum}{measure} ({terms}); dostępne jest {total}{measure},"
    " brakuje więc {missing}{measure}.",
    no_settlement="Żadna ze stron nie podaje podziału ani kompromisu, który by to rozwiązał, i nic"
    " w zapisie za takim nie przemawia.",
    positions="Stanowiska stron",
    position="**{party}:** „{quote}” ({turns})",
    missing="Jakich danych brakuje",
    gap_by_party="{party} zwraca uwagę: „{quote}” ({turns})",
    gap="{quote}",
    no_gaps="Zapis nie wskazuje źródła, które rozstrzygałoby między tymi stanowiskami.",
    turn="wypowiedź {n}",
    turns="wypowiedzi {n}",
    both="i",
    joint="i",
)

WORDS = {"en": ENGLISH, "pl": POLISH}
