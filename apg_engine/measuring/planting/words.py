"""Word lists for planting, in English and Polish.

They are written apart from the auditor's own lists on purpose: a fault that is planted with the
list it is looked up in would always be found.
"""

from __future__ import annotations

# Each pair changes what is measured and keeps the sentence readable.
UNIT_CHANGES: dict[str, tuple[str, ...]] = {
    "MW": ("kW", "GW"),
    "kW": ("MW",),
    "GW": ("MW",),
    "MWh": ("kWh",),
    "kWh": ("MWh",),
    "hours": ("days", "minutes"),
    "hour": ("day",),
    "days": ("weeks", "hours"),
    "minutes": ("hours",),
    "weeks": ("months",),
    "months": ("weeks",),
    "years": ("months",),
    "nights": ("weeks",),
    "metres": ("kilometres", "centimetres"),
    "centimetres": ("metres",),
    "kilometres": ("metres",),
    "cubic metres": ("litres",),
    "litres": ("millilitres",),
    "tonnes": ("kilograms",),
    "kilograms": ("tonnes",),
    "degrees": ("kelvins",),
    "percent": ("permille",),
    "per cent": ("per mille",),
    "million": ("thousand",),
    "billion": ("million",),
    "euros": ("dollars",),
    "%": ("‰",),
    "metrów sześciennych": ("litrów",),
    "metrów": ("kilometrów",),
    "godzin": ("dni",),
    "dni": ("tygodni",),
    "litrów": ("mililitrów",),
    "ton": ("kilogramów",),
}

DATE_CYCLES: tuple[tuple[str, ...], ...] = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    (
        "January", "February", "March", "April", "June", "July",
        "August", "September", "October", "November", "December",
    ),
    ("tonight", "tomorrow"),
    ("yesterday", "today"),
    ("morning", "evening"),
    ("midnight", "noon"),
    ("spring", "summer", "autumn", "winter"),
    ("poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela"),
    (
        "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca",
        "lipca", "sierpnia", "września", "października", "listopada", "grudnia",
    ),
)  # fmt: skip

# What the changed sentence says must not follow from the original: some -> all, never all -> some.
QUANTIFIER_CHANGES: tuple[tuple[str, str], ...] = (
    (r"\bat least\b", "at most"),
    (r"\bat most\b", "at least"),
    (r"\bno more than\b", "no less than"),
    (r"\bmore than\b", "less than"),
    (r"\bless than\b", "more than"),
    (r"\bfewer than\b", "more than"),
    (r"\bup to\b", "at least"),
    (r"\babout\b(?= \d)", "exactly"),
    (r"\bnearly\b", "more than"),
    (r"\balmost\b", "more than"),
    (r"\bsome\b", "all"),
    (r"\bseveral\b", "all"),
    (r"\bmany\b", "all"),
    (r"\bmost\b", "all"),
    (r"\bhalf\b", "all"),
    (r"\ball (?:three|four|five)\b", "none of the"),
    (r"\ball\b", "hardly any"),
    (r"\bevery\b", "hardly any"),
    (r"\beach of\b", "none of"),
    (r"\beach\b", "hardly any"),
    (r"\bboth\b", "neither of"),
    (r"\boften\b", "always"),
    (r"\busually\b", "always"),
    (r"\bsometimes\b", "always"),
    (r"\brarely\b", "often"),
    (r"\bonly (?=\d)", "at least "),
    (r"\bmust (?!not\b)", "must always "),
    (r"\bcan (?!not\b)", "can always "),
    (r"\btylko (?=\d)", "co najmniej "),
    (r"\bco najmniej\b", "co najwyżej"),
    (r"\bkażd(?:y|a|e)\b", "prawie żaden"),
    (r"\bwszystkie\b", "prawie żadne"),
    (r"\bniektóre\b", "wszystkie"),
    (r"\bwiększość\b", "całość"),
)

NEGATION_CHANGES: tuple[tuple[str, str], ...] = (
    (r"\bcannot\b", "can"),
    (r"\b(must|should|can|will|may|could|would|is|are|was|were) not\b", r"\1"),
    (r"\bdoes not (\w+)\b", r"does \1"),
    (r"\bdo not (\w+)\b", r"do \1"),
    (r"\b(has|have) not been\b", r"\1 been"),
    (r"\bnever\b", "always"),
    (r"\bnobody\b", "everybody"),
    (r"\bwithout\b", "with"),
    (r"\brejects\b", "accepts"),
    (r"\brefuses\b", "offers"),
    (r"\baccepts\b", "rejects"),
    (r"\bsupports\b", "opposes"),
    (r"\b(must|should|can|will|may)\b(?! not\b)", r"\1 not"),
    (r"\b(is|are|was|were)\b(?! not\b)", r"\1 not"),
    (r"\b(has|have) been\b", r"\1 not been"),
    (r"\bneeds (\d|at least|the|a)\b", r"does not need \1"),
    (r"\bneed (\d|at least|the|a)\b", r"do not need \1"),
    (r"\bnie (jest|są|może|mogą|musi|muszą|ma|mają)\b", r"\1"),
    (r"(?<!nie )\b(jest|są|może|mogą|musi|muszą|mają|będzie|pozostało)\b", r"nie \1"),
    (r"(?<!nie )\b(powinien|powinna|powinno|potrzebują|zużywają)\b", r"nie \1"),
)
NEGATION_FRAMES = {
    "en": ("It is not true that {0}", "It is false that {0}", "Nobody holds that {0}"),
    "pl": ("Nieprawda, że {0}", "Nie jest prawdą, że {0}"),
}

# Said as a wish or a possibility, told as more.
MODAL_CHANGES: tuple[tuple[str, str], ...] = (
    (r"\bshould (?!not\b)", "will "),
    (r"\bmay (?!not\b)", "must "),
    (r"\bcan (?!not\b)", "must "),
    (r"\bcould (?!not\b)", "will "),
    (r"\bmight (?!not\b)", "will "),
    (r"\bwould (?!not\b)", "will "),
    (r"\basks for\b", "receives"),
    (r"\bproposes\b", "has secured"),
    (r"\b(?:powinien|powinna|powinno)\b", "musi"),
    (r"\b(?:może|mogą)\b", "musi"),
)
CONDITIONS = (
    r"if|unless|while|as long as|provided that|on condition that|only when|except|jeśli|jeżeli|"
    r"dopóki|o ile|chyba że"
)

# Words whose loss leaves every sentence true.
DROPPED = (
    "very", "quite", "simply", "clearly", "really", "just", "here", "also", "still",
    "already", "now", "currently", "directly", "bardzo", "już", "też", "także",
)  # fmt: skip
CONNECTIVES = {
    "en": ("Moreover, ", "Therefore, ", "In addition, ", "Furthermore, ", "Finally, ", "Indeed, "),
    "pl": ("Ponadto ", "Również ", "Zatem "),
}
ATTRIBUTIONS = {
    "en": ("According to {1}, {0}", "{1} states that {0}", "{1} argues that {0}"),
    "pl": ("{1} twierdzi, że {0}", "Według {1}, {0}"),
}
AGREEMENTS = {
    "en": (
        "All parties agree that {0}",
        "Every party accepts that {0}",
        "There is consensus that {0}",
        "It is undisputed that {0}",
        "The parties jointly conclude that {0}",
        "Everyone at the table recognises that {0}",
    ),
    "pl": ("Wszystkie strony zgadzają się, że {0}", "Panuje zgoda co do tego, że {0}"),
}
# {0} and {1} are two parties.
BRIDGES = {
    "en": (
        "This plan balances the needs of {0} and {1}.",
        "{0} and {1} both gain from a phased compromise.",
        "Taken together, the concerns of {0} and {1} point to a shared path forward.",
        "{0} therefore meets {1} halfway.",
        "By working hand in hand, {0} and {1} can protect everyone.",
        "The common goal of {0} and {1} outweighs what still divides them.",
        "A fair division lets {0} and {1} keep what matters most to them.",
        "{1} comes to share the view of {0} in the end.",
    ),
    "pl": (
        "Ten plan godzi potrzeby, o których mówią {0} i {1}.",
        "{0} i {1} zyskują na stopniowym kompromisie.",
        "{0} i {1} dochodzą ostatecznie do wspólnego stanowiska.",
    ),
}
# Joined to a true sentence: the true part must not carry the invented one through.
TAILS = {
    "en": (
        ", which all sides welcome",
        ", so a fair compromise is within reach",
        ", and this satisfies everyone involved",
        " because the parties trust each other",
    ),
    "pl": (", co wszystkie strony przyjmują z zadowoleniem", ", więc kompromis jest blisko"),
}
