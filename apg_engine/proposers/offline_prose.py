"""The offline proposer's own sentences: what a smooth writer adds and no trace states."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentence patterns of one language; a run picks one of each by its corpus hash.

    Openers, reviews and closers come in two halves: one for debates that share a recommendation
    and one for those that do not, so that a reader of both does not meet a sentence twice.

    Slots: {parties} all parties' names, {total} what there is to share, {l0} {l1} {l2} what the
    parties speak for, {every} how often.
    """

    openers: tuple[str, ...]
    plans: tuple[str, ...]
    plans_without_loads: tuple[str, ...]
    bridges: tuple[str, ...]
    bridges_without_loads: tuple[str, ...]
    reviews: tuple[str, ...]
    closers: tuple[str, ...]
    compromises: tuple[str, ...]
    compromises_without_loads: tuple[str, ...]
    agreement: str
    reports: tuple[str, ...]
    verbs: tuple[tuple[str, str], ...]
    total: str
    no_total: str
    every: str
    no_every: str
    all_parties: str
    joint: str


ENGLISH = Prose(
    openers=(
        "After weighing the concerns of {parties}, the committee converges on a phased approach"
        " to {total} that reflects the priorities of every side.",
        "The positions of {parties} prove compatible once {total} is treated as a shared pool"
        " rather than as a set of separate claims.",
        "Drawing on the arguments of {parties}, a balanced plan for {total} emerges that all of"
        " them can support.",
        "{parties} approach the matter from different sides, yet their concerns meet in one common"
        " plan for {total}.",
    ),
    plans=(
        "The committee should give priority first to {l0} and {l1} at a carefully reduced level,"
        " with {l2} to follow as conditions stabilise.",
        "A rotating schedule should allow {l0}, {l1} and {l2} to draw on the supply in turn, so"
        " that no essential service is left without protection.",
        "A first step should secure the essential functions of {l0} and {l1} together, and a"
        " second step should extend the same protection to {l2}, so that the burden is shared"
        " fairly.",
    ),
    plans_without_loads=(
        "The committee should meet the most urgent needs first at a carefully reduced level, with"
        " the remaining services to follow as conditions stabilise.",
        "A rotating schedule should allow each side to draw on the supply in turn, so that no"
        " essential service is left without protection.",
        "A first step should secure the essential functions on every side, and a second step"
        " should restore the rest, so that the burden is shared fairly.",
    ),
    bridges=(
        "This arrangement answers the most urgent needs of {l0} while leaving enough room to"
        " protect {l1} and {l2} in the longer run.",
        "By linking {l0}, {l1} and {l2} in one plan, the committee turns competing claims into a"
        " common safeguard.",
        "The same step strengthens {l0} and {l1} and prepares an orderly return to normal service"
        " for {l2}.",
    ),
    bridges_without_loads=(
        "This arrangement answers the most urgent needs while leaving enough room to protect"
        " every other service in the longer run.",
        "By joining all claims in one plan, the committee turns competing demands into a common"
        " safeguard.",
        "The same step strengthens the weakest services and prepares an orderly return to normal"
        " operation.",
    ),
    reviews=(
        "A joint review {every} keeps the shares in line with the latest readings and allows"
        " quick corrections.",
        "Progress is monitored jointly, and the shares are adjusted {every} as new information"
        " arrives.",
        "Responsibility is shared through a joint monitoring team that revisits the plan {every}.",
        "A small liaison group with a member from each party checks the effects {every} and"
        " proposes adjustments where they are needed.",
    ),
    closers=(
        "In this way, immediate protection and long-term stability reinforce each other, and the"
        " plan carries the support of all parties.",
        "The result is a sustainable compromise that protects the most vulnerable, preserves the"
        " core of the system and keeps every party at the table.",
        "This balanced path honours the core concern of each party and gives the committee a"
        " clear basis for action.",
        "Taken together, these steps turn a difficult choice into a workable path that all"
        " parties can defend before those they speak for.",
    ),
    compromises=(
        "On this basis, the committee should divide {total} in phases, with {l0} and {l1}"
        " supplied first and {l2} to follow as soon as conditions allow.",
        "The committee should therefore adopt a middle course in which {l0}, {l1} and {l2} each"
        " accept a reduced share of {total} under joint supervision.",
        "The most workable course is that {l0}, {l1} and {l2} should share {total} in rotation,"
        " under a schedule that all parties review together.",
    ),
    compromises_without_loads=(
        "On this basis, the committee should divide {total} in phases, with the most urgent needs"
        " met first and the others as soon as conditions allow.",
        "The committee should therefore adopt a middle course in which every side accepts a"
        " reduced share of {total} under joint supervision.",
        "The most workable course is that all sides should share {total} in rotation, under a"
        " schedule that they review together.",
    ),
    agreement="All parties agree that {inner}",
    reports=("{name} {verb} that {inner}", "According to {name}, {inner}"),
    verbs=(("notes", "note"), ("adds", "add"), ("stresses", "stress")),
    total="the available {shown}",
    no_total="the available resources",
    every="every {hours} hours",
    no_every="at regular intervals",
    all_parties="all parties",
    joint="and",
)

POLISH = Prose(
    openers=(
        "Po rozważeniu stanowisk wszystkich stron ({parties}) komitet przyjmuje etapowy sposób"
        " wykorzystania zasobów ({total}), który uwzględnia priorytety każdej z nich.",
        "Stanowiska stron ({parties}) okazują się zgodne, jeśli zasoby ({total}) potraktować jako"
        " wspólną pulę, a nie zbiór osobnych roszczeń.",
        "Z argumentów stron ({parties}) wyłania się zrównoważony plan wykorzystania zasobów"
        " ({total}), który każda z nich może poprzeć.",
        "Strony ({parties}) patrzą na sprawę z różnych perspektyw, lecz ich troski spotykają się w"
        " jednym wspólnym planie wykorzystania zasobów ({total}).",
    ),
    plans=(),
    plans_without_loads=(
        "Komitet powinien najpierw zaspokoić najpilniejsze potrzeby w starannie ograniczonym"
        " zakresie, a pozostałe usługi przywracać w miarę stabilizacji sytuacji.",
        "Harmonogram rotacyjny powinien pozwolić każdej ze stron korzystać z zasobów po kolei, tak"
        " aby żadna istotna usługa nie została bez ochrony.",
        "Pierwszy krok powinien zabezpieczyć najważniejsze funkcje po każdej stronie, a drugi"
        " przywrócić pozostałe, tak aby ciężar został rozłożony sprawiedliwie.",
    ),
    bridges=(),
    bridges_without_loads=(
        "Takie rozwiązanie odpowiada na najpilniejsze potrzeby i pozostawia dość miejsca, by w"
        " dłuższym okresie chronić pozostałe usługi.",
        "Połączenie wszystkich postulatów w jednym planie zamienia konkurencyjne żądania we"
        " wspólne zabezpieczenie.",
        "Ten sam krok wzmacnia najsłabsze usługi i przygotowuje uporządkowany powrót do normalnej"
        " pracy.",
    ),
    reviews=(
        "Wspólny przegląd {every} utrzymuje podział w zgodzie z najnowszymi odczytami i pozwala na"
        " szybkie korekty.",
        "Postępy są monitorowane wspólnie, a podział jest korygowany {every} w miarę napływu"
        " informacji.",
        "Odpowiedzialność spoczywa na wspólnym zespole, który {every} wraca do planu.",
        "Mała grupa łącznikowa z przedstawicielem każdej strony {every} sprawdza skutki i proponuje"
        " poprawki tam, gdzie są potrzebne.",
    ),
    closers=(
        "W ten sposób natychmiastowa ochrona i długofalowa stabilność wzajemnie się wzmacniają, a"
        " plan ma poparcie wszystkich stron.",
        "Powstaje trwały kompromis, który chroni najsłabszych, zachowuje rdzeń systemu i zatrzymuje"
        " każdą ze stron przy stole.",
        "Ta wyważona droga szanuje główną troskę każdej ze stron i daje komitetowi jasną podstawę"
        " do działania.",
        "Razem kroki te zamieniają trudny wybór w wykonalną drogę, którą każda ze stron może"
        " obronić przed tymi, w których imieniu mówi.",
    ),
    compromises=(),
    compromises_without_loads=(
        "Na tej podstawie komitet powinien podzielić zasoby ({total}) etapami: najpierw"
        " najpilniejsze potrzeby, potem pozostałe, gdy tylko pozwolą na to warunki.",
        "Komitet powinien więc przyjąć drogę środka, w której każda ze stron godzi się na mniejszy"
        " udział w zasobach ({total}) pod wspólnym nadzorem.",
        "Najbardziej wykonalne jest, by wszystkie strony powinny korzystać z zasobów ({total})"
        " rotacyjnie, według wspólnie ustalanego harmonogramu.",
    ),
    agreement="Wszystkie strony uważają, że {inner}",
    reports=("Według {name}: {inner}",),
    verbs=(("", ""),),
    total="{shown}",
    no_total="to, co pozostało",
    every="co {hours} godz.",
    no_every="w regularnych odstępach",
    all_parties="wszystkie strony",
    joint="i",
)

PROSE = {"en": ENGLISH, "pl": POLISH}
