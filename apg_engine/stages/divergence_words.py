"""The fixed words of a Divergence Report for people, in English and Polish."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Sentence patterns of one language; none needs a party's name to be singular or plural."""

    lead: str
    lead_without_question: str
    ends_apart: str
    agreed: str
    nothing_agreed: str
    agree_that: str
    agree_quote: str
    everyone: str
    unresolved: str
    whether: str
    claim: str
    asserted: str
    denied: str
    unanswered: str
    arithmetic: str
    nothing_demanded: str
    takes_clauses: bool
    positions: str
    position: str
    missing: str
    gap_of_party: str
    no_gaps: str
    turn: str
    turns: str
    joint: str


ENGLISH = Words(
    lead="**The record does not settle the question put to the parties:** {question}",
    lead_without_question="**The record does not settle the matter the parties debated.**",
    ends_apart="The record closes without a recommendation that {parties} all state.",
    agreed="What is agreed",
    nothing_agreed="The record holds no fact that several parties state in common.",
    agree_that="{parties} state that {fact} ({turns})",
    agree_quote="{parties} state: “{fact}” ({turns})",
    everyone="all parties",
    takes_clauses=True,
    unresolved="What remains unresolved",
    whether="Whether {claim}",
    claim="“{claim}”",
    asserted="Asserted by {parties}",
    denied="; denied by {parties}.",
    unanswered="; no other party states it.",
    arithmetic="Taken together, these demands come to {sum}{measure} ({terms}). Only"
    " {total}{measure} are available, so {missing}{measure} are missing.",
    nothing_demanded="The record holds no recommendation of any party.",
    positions="Where each party stands",
    position="**{party}:** “{quote}”",
    missing="What evidence is missing",
    gap_of_party="“{quote}” ({party}, {turns})",
    no_gaps="The record names no source that would decide between these positions.",
    turn="turn {n}",
    turns="turns {n}",
    joint="and",
)

POLISH = Words(
    lead="**Zapis debaty nie rozstrzyga pytania postawionego stronom:** {question}",
    lead_without_question="**Zapis debaty nie rozstrzyga sprawy, o którą toczył się spór.**",
    ends_apart="Zapis kończy się bez zalecenia, które podawałyby wszystkie strony ({parties}).",
    agreed="Co jest wspólne",
    nothing_agreed="W zapisie nie ma faktu, który podawałoby kilka stron zgodnie.",
    agree_that="Zgodnie stwierdzają to {parties}: „{fact}” ({turns})",
    agree_quote="Zgodnie stwierdzają to {parties}: „{fact}” ({turns})",
    everyone="wszystkie strony",
    takes_clauses=False,
    unresolved="Co pozostaje nierozstrzygnięte",
    whether="„{claim}”",
    claim="„{claim}”",
    asserted="Za: {parties}",
    denied="; przeciw: {parties}.",
    unanswered="; żadna inna strona tego nie stwierdza.",
    arithmetic="Łącznie te żądania wynoszą {sum}{measure} ({terms}). Dostępne jest tylko"
    " {total}{measure}, brakuje więc {missing}{measure}.",
    nothing_demanded="W zapisie nie ma rekomendacji żadnej ze stron.",
    positions="Stanowiska stron",
    position="**{party}:** „{quote}”",
    missing="Jakich danych brakuje",
    gap_of_party="„{quote}” ({party}, {turns})",
    no_gaps="Zapis nie wskazuje źródła, które rozstrzygałoby między tymi stanowiskami.",
    turn="wypowiedź {n}",
    turns="wypowiedzi {n}",
    joint="i",
)

WORDS = {"en": ENGLISH, "pl": POLISH}
