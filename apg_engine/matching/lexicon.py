"""Word lists the rules rest on, in English and Polish."""

from __future__ import annotations

from apg_engine.word_sets import word_set

# Words that may come or go between a sentence and its near-verbatim source.
LIGHT = word_set("""
    a an the that also thus therefore hence moreover furthermore additionally accordingly
    however nevertheless nonetheless consequently overall finally indeed then so please
    meanwhile
    jednak jednakże że iż również także zatem więc ponadto dlatego wreszcie
    """)

# Adverbs whose loss leaves the rest true. No adjective and no noun: those restrict.
DROPPABLE = word_set("""
    very quite still now already here currently simply really clearly directly certainly
    obviously evidently plainly truly surely
    bardzo już też jeszcze teraz obecnie oczywiście naprawdę wyraźnie właśnie
    """)

# Phrases in front of a sentence that add nothing to what it states.
CONNECTIVES = (
    "in addition", "as a result", "for this reason", "at the same time", "in the end", "in short",
    "on this basis", "in other words", "to this end", "as a consequence", "in turn", "in practice",
    "on the other hand", "after all", "in sum", "w rezultacie", "z tego powodu", "jednocześnie",
    "w związku z tym", "na tej podstawie", "innymi słowy", "z drugiej strony", "w efekcie",
)  # fmt: skip

NEGATIONS = word_set("""
    no nay not never none nobody nothing neither nor without lack lacks lacking fail fails failed
    unable impossible deny denies denied false
    nie nigdy nikt nic żaden żadna żadne żadnego żadnej bez ani brak niemożliwe
    """)

QUANTIFIERS = word_set("""
    all every each any some most many few a-few little a-little several both only half majority
    minority at least more less fewer exactly nearly almost about approximately up maximum minimum
    entire entirely whole partly partially fully always sometimes often rarely usually
    wszystkie wszyscy wszystkich każdy każda każde niektóre niektórzy większość wiele kilka oba
    obie tylko połowa najmniej najwyżej więcej mniej zawsze czasem często rzadko prawie około
    """)

# Words that turn a statement into something weaker, conditional or possible.
MODALS = word_set("""
    should must may might could would can will shall ought cannot need needs
    powinien powinna powinno powinny musi muszą może mogą mógłby mogłaby należy trzeba
    """)
CONDITIONS = word_set("""
    if unless whether provided until except although though while otherwise assuming suppose
    hypothetically
    jeśli jeżeli chyba dopóki o ile pod warunkiem zakładając gdyby
    """) - {"o", "ile", "pod", "warunkiem"}
HEDGES = word_set("""
    perhaps possibly maybe allegedly supposedly reportedly apparently likely unlikely probably
    być może rzekomo podobno prawdopodobnie
    """) - {"być"}

# Somebody says so: the sentence reports a claim and does not make it.
REPORTING = word_set("""
    claim claims claimed argue argues argued assert asserts asserted assertion allege alleges
    suggest suggests suggested believe believes believed say says said state states stated
    insist insists insisted imply implies implied assume assumes assumed pretend pretends
    maintain maintains contend contends
    twierdzi twierdzą uważa uważają sugeruje sugerują zakłada zakładają mówi mówią
    """)

REJECTIONS = word_set("""
    reject rejects rejected oppose opposes opposed refuse refuses refused unacceptable
    indefensible untenable object objects veto vetoes
    odrzuca odrzucają sprzeciwia sprzeciwiają odmawia niedopuszczalne
    """)

# The statement is said to be untrue.
DISPROVING = word_set(
    "wrong false untrue forged fake fabricated mistaken myth rumour rumor hypothesis fałsz błędne"
)

# Hoped, feared or pictured, or true on a condition that these words open.
UNREAL = word_set("""
    hope hopes hoped fear fears feared wish wishes wished dream dreams dreamt imagine imagined
    picture think thinks thought guess guesses guessed expect expects expected told fantasy theory
    speculation proposal option scenario pending subject condition case
    ma nadzieję obawia obawiają marzenie wyobraźmy myśli sądzi podobno teoretycznie wariant
    """) - {"ma"}

# One of two: neither is stated.
ALTERNATIVES = word_set("or either lub albo bądź")

# Anywhere in the same sentence, these change what a quoted part of it means.
SCOPING = (
    NEGATIONS | CONDITIONS | HEDGES | REPORTING | REJECTIONS | DISPROVING | UNREAL | ALTERNATIVES
)

RECOMMENDING = word_set("""
    should must ought recommend recommends recommended propose proposes proposed
    powinien powinna powinno powinny musi muszą należy zaleca zalecają rekomenduje rekomendują
    proponuje proponują
    """)

STOPWORDS = (
    LIGHT
    | MODALS
    | word_set("""
        of in on at to for from by with as is are was were be been being has have had do does did
        it its this that these those and or but he she they them their his her we our us you your
        i my me who whom which what where when how why there here than into over under between
        through during before after above below out off again further once own same such just
        very via per upon within across against among toward towards because since
        i oraz lub ale w we z ze na do od dla po przed przez o się jest są był była było były
        być to ten ta te tego tej tym tych jak jako że co który która które których ich jego jej
        """)
)

NUMBER_WORDS = {
    word: str(value)
    for value, words in {
        1: "one jeden jedna jedno",
        2: "two dwa dwie dwóch",
        3: "three trzy trzech",
        4: "four cztery czterech",
        5: "five pięć pięciu",
        6: "six sześć sześciu",
        7: "seven siedem siedmiu",
        8: "eight osiem ośmiu",
        9: "nine dziewięć dziewięciu",
        10: "ten dziesięć dziesięciu",
        11: "eleven jedenaście",
        12: "twelve dwanaście",
        13: "thirteen trzynaście",
        14: "fourteen czternaście",
        15: "fifteen piętnaście",
        16: "sixteen szesnaście",
        17: "seventeen siedemnaście",
        18: "eighteen osiemnaście",
        19: "nineteen dziewiętnaście",
        20: "twenty dwadzieścia",
        30: "thirty trzydzieści",
        40: "forty czterdzieści",
        50: "fifty pięćdziesiąt",
        60: "sixty sześćdziesiąt",
        70: "seventy siedemdziesiąt",
        80: "eighty osiemdziesiąt",
        90: "ninety dziewięćdziesiąt",
        100: "hundred sto",
        1000: "thousand tysiąc",
    }.items()
    for word in words.split()
}

# Spelled units that are one unit for the reader.
UNITS = {
    "percent": "%",
    "percentage": "%",
    "procent": "%",
    "procentu": "%",
    "hour": "hours",
    "hrs": "hours",
    "hr": "hours",
    "minute": "minutes",
    "mins": "minutes",
    "day": "days",
    "week": "weeks",
    "month": "months",
    "year": "years",
    "megawatt": "mw",
    "megawatts": "mw",
    "milliwatt": "milliw",
    "milliwatts": "milliw",
    "kilowatt": "kw",
    "kilowatts": "kw",
    "litre": "litres",
    "liter": "litres",
    "liters": "litres",
    "tonne": "tonnes",
    "ton": "tonnes",
    "tons": "tonnes",
    "metre": "metres",
    "meter": "metres",
    "meters": "metres",
    "kilometre": "km",
    "kilometres": "km",
    "kilometers": "km",
}
MEASURES = frozenset(UNITS.values()) | word_set("""
    mwh kwh gwh gw w kg mg g t m metres meters km cm mm m2 m3 l ml ms s h min doses beds
    patients people households vehicles trucks crews
    milliw milliwh milliv millia millij millipa millihz kbit mbit gbit tbit megalitres megagrams
    teams units ha hectares eur usd pln zł €  $ £ million
    billion thousand godzin godziny dni tygodni ton osób pacjentów łóżek dawek
    """)

DATES = word_set("""
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    today tomorrow yesterday tonight
    poniedziałek wtorek środa czwartek piątek sobota niedziela poniedziałku wtorku środę środy
    czwartku piątku sobotę soboty niedzielę niedzieli stycznia lutego marca kwietnia maja czerwca
    lipca sierpnia września października listopada grudnia dziś dzisiaj jutro wczoraj
    """) - {"may"}
