"""The fixed words of a run's report, in English and Polish."""

from __future__ import annotations

from dataclasses import dataclass

from apg_engine.records import Label, SentenceKind
from apg_engine.results import Outcome


@dataclass(frozen=True, slots=True)
class ReportWords:
    """Headings, labels and sentence patterns of one language."""

    outcomes: dict[Outcome, str]
    caveat: str
    offline: str
    question: str
    reason: str
    proposer: str
    auditor: str
    policy: str
    threshold: str
    warnings: str
    published: str
    nothing_published: str
    history: str
    history_head: tuple[str, str, str, str]
    history_note: str
    measure: str
    roles: dict[str, str]
    coverage: str
    not_counted: str
    corrected: str
    not_corrected: str
    sentences: str
    sentences_of: str
    original_language: str
    labels: dict[Label, str]
    kinds: dict[SentenceKind, str]
    supporting: str
    opposing: str
    nearest: str
    conflicts: str
    arithmetic: str
    denial: str
    denied: str
    agreed: str
    gaps: str
    no_source: str
    told: str
    told_before: str
    baseline: str
    proof: str
    none: str


ENGLISH = ReportWords(
    outcomes={
        Outcome.SYNTHESIS: "A synthesis passed and was published.",
        Outcome.DIVERGENCE: "No draft passed; a Divergence Report was published.",
        Outcome.NOT_JUDGED: "The run could not be judged; nothing was published.",
    },
    caveat="PF says how much of a text the debate states. It does not say what is true.",
    offline="rules, no language model",
    question="Question",
    reason="Reason",
    proposer="Proposer",
    auditor="Auditor",
    policy="Policy",
    threshold="Threshold",
    warnings="Warnings",
    published="Published text",
    nothing_published="Nothing was published.",
    history="PF by pair",
    history_head=("Pair", "PF (policy paper)", "PF (policy strict)", "All sentences"),
    history_note=(
        "The policy of the run steered it. The policy paper asks whether the debate states a "
        "sentence, so one party's claim told alone can pass; the policy strict refuses agreement "
        "that a party does not share and claims that a party denies. The last column counts every "
        "sentence, also those that claim nothing, and serves for comparison only."
    ),
    measure="{auditor} {role}: first draft {initial}, last draft {terminal}.",
    roles={"steered": "steered", "measured": "measured, and steered nothing"},
    coverage="Stances of the debate in the draft of pair {n}: {covered} of {stances}.",
    not_counted="not counted",
    corrected="PF corrected for the auditor's card"
    " ({data_set}, {domain}): {value} [{low}, {high}].",
    not_corrected="No corrected PF: {reason}.",
    sentences="Sentences",
    sentences_of="Of the draft of pair {n}.",
    original_language="",
    labels={
        Label.SUPPORTED: "supported",
        Label.CONTRADICTED: "contradicted",
        Label.NOT_ENOUGH_INFORMATION: "not enough information",
        Label.UNDETERMINED: "undetermined",
        Label.NOT_AUDITED: "not audited",
    },
    kinds={
        SentenceKind.CLAIM: "claim",
        SentenceKind.HEADING: "heading, not counted",
        SentenceKind.COURTESY: "courtesy, not counted",
        SentenceKind.LEAD_IN: "lead-in, not counted",
        SentenceKind.FRAGMENT: "fragment, not counted",
        SentenceKind.DUPLICATE: "duplicate, not counted",
    },
    supporting="for",
    opposing="against",
    nearest="nearest",
    conflicts="Conflicting sources",
    arithmetic="Demands of {asked} {measure} ({terms}) meet {available} {measure}; "
    "{missing} {measure} are missing.",
    denial="Denied:",
    denied="denies it",
    agreed="Agreed facts",
    gaps="Missing evidence",
    no_source="no party states it",
    told="What the proposer was told",
    told_before="Before pair {n}",
    baseline="First draft",
    proof="Hashes",
    none="none",
)

POLISH = ReportWords(
    outcomes={
        Outcome.SYNTHESIS: "Synteza przeszła kontrolę i została opublikowana.",
        Outcome.DIVERGENCE: "Żaden szkic nie przeszedł kontroli; opublikowano raport rozbieżności.",
        Outcome.NOT_JUDGED: "Przebiegu nie udało się ocenić; niczego nie opublikowano.",
    },
    caveat="PF mówi, jaką część tekstu stwierdza debata. Nie mówi, co jest prawdą.",
    offline="reguły, bez modelu językowego",
    question="Pytanie",
    reason="Powód",
    proposer="Autor szkiców",
    auditor="Audytor",
    policy="Zasada",
    threshold="Próg",
    warnings="Ostrzeżenia",
    published="Opublikowany tekst",
    nothing_published="Niczego nie opublikowano.",
    history="PF w kolejnych parach",
    history_head=("Para", "PF (zasada paper)", "PF (zasada strict)", "Wszystkie zdania"),
    history_note=(
        "Przebiegiem sterowała jego zasada. Zasada paper pyta, czy debata podaje dane zdanie, "
        "więc samo twierdzenie jednej strony może przejść; zasada strict odrzuca zgodę, której "
        "któraś strona nie podziela, i twierdzenia, którym strona przeczy. Ostatnia kolumna liczy "
        "każde zdanie, także takie, które niczego nie twierdzi, i służy tylko porównaniu."
    ),
    measure="{auditor} {role}: pierwszy szkic {initial}, ostatni szkic {terminal}.",
    roles={"steered": "sterował", "measured": "mierzył i niczym nie sterował"},
    coverage="Stanowiska debaty w szkicu z pary {n}: {covered} z {stances}.",
    not_counted="nie policzono",
    corrected="PF poprawione o kartę audytora ({data_set}, {domain}): {value} [{low}, {high}].",
    not_corrected="Brak poprawionego PF: {reason}.",
    sentences="Zdania",
    sentences_of="Szkic z pary {n}.",
    original_language="Uzasadnienia podano w języku audytora.",
    labels={
        Label.SUPPORTED: "poparte",
        Label.CONTRADICTED: "sprzeczne",
        Label.NOT_ENOUGH_INFORMATION: "za mało informacji",
        Label.UNDETERMINED: "nierozstrzygnięte",
        Label.NOT_AUDITED: "bez audytu",
    },
    kinds={
        SentenceKind.CLAIM: "twierdzenie",
        SentenceKind.HEADING: "nagłówek, nie liczy się",
        SentenceKind.COURTESY: "grzeczność, nie liczy się",
        SentenceKind.LEAD_IN: "wprowadzenie, nie liczy się",
        SentenceKind.FRAGMENT: "fragment, nie liczy się",
        SentenceKind.DUPLICATE: "powtórzenie, nie liczy się",
    },
    supporting="za",
    opposing="przeciw",
    nearest="najbliżej",
    conflicts="Sprzeczne źródła",
    arithmetic="Żądania {asked} {measure} ({terms}) wobec {available} {measure}; "
    "brakuje {missing} {measure}.",
    denial="Zaprzeczono:",
    denied="zaprzecza",
    agreed="Wspólne fakty",
    gaps="Brakujące dane",
    no_source="żadna strona tego nie stwierdza",
    told="Co przekazano autorowi szkiców",
    told_before="Przed parą {n}",
    baseline="Pierwszy szkic",
    proof="Skróty",
    none="brak",
)

REPORT_WORDS = {"en": ENGLISH, "pl": POLISH}
