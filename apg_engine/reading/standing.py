"""Which corpus sentences can be read on their own, and which may be shown to a participant."""

from __future__ import annotations

import re

from apg_engine.matching.index import Unit
from apg_engine.matching.tokens import is_question
from apg_engine.records import BlockKind, ItemKind

# Words that would tell a participant which report they are reading, or how it came about.
BLINDING = re.compile(
    r"\b(?:gates?|gated|apg|baselines?|pf|provenance fidelity|thresholds?|iterations?|hints?|"
    r"proposer|auditor)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|ours|you|your|yours|myself|ourselves|"
    r"ja|mój|moja|nasz\w*|nam|nas|wasz\w*|jesteśmy|musimy|chcemy|uważamy)\b|\b(?:I|we|you)['\u2019]",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"(?:but|however|and|or|so|thus|therefore|hence|then|also|yet|still|instead|otherwise|"
    r"consequently|while|although|though|as|given|despite|since|because|if|when|whereas|accordingly|moreover|furthermore|additionally|nevertheless|nonetheless|"
    r"this|that|these|those|it|its|they|their|he|she|his|her|such|here|there|both|neither|"
    r"ale|jednak|więc|zatem|to|ten|ta|te|tego|jest|ich|jego|jej|dlatego)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:(?:until|by|since|from) then|this|these|those|the latter|the former|the same|such|them|"
    r"their|he|she|him|her|as well|do tego czasu|ten|tego|tych|takie)\b",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[*_`\[\]<>|#{}\\\"“”„«»\n]|https?:")
_WORD = re.compile(r"\w+")


def is_shown(unit: Unit) -> bool:
    """Tell whether a participant may read the sentence: public, plain, and not unblinding."""
    return (
        unit.item.kind is not ItemKind.PRIVATE
        and unit.item.segments[_ordinal(unit) - 1].block in {BlockKind.PARAGRAPH, BlockKind.BULLET}
        and not _MARKED.search(unit.text)
        and not BLINDING.search(unit.text)
    )


def word_count(text: str) -> int:
    """Count the words of a text."""
    return len(_WORD.findall(text))


def is_statement(unit: Unit, *, least: int = 5, most: int = 45) -> bool:
    """Tell whether the sentence is a whole statement of a length that can be quoted."""
    text = unit.text
    whole = text.endswith((".", "!", "。")) and not text.endswith("...") and not is_question(text)
    return whole and (text[0].isupper() or text[0].isdigit()) and least <= word_count(text) <= most


def stands_alone(unit: Unit, *, least: int = 6, most: int = 40) -> bool:
    """Tell whether the sentence can be lifted out as it is: impersonal and leaning on nothing."""
    return is_shown(unit) and is_statement(unit, least=least, most=most) and reads_alone(unit.text)


def reads_alone(text: str) -> bool:
    """Tell whether a sentence is impersonal and leans on no sentence before it."""
    return not (_PERSONAL.search(text) or _LEANING.match(text) or _POINTING.search(text))


def _ordinal(unit: Unit) -> int:
    return int(unit.address.partition(".")[2])


def place_of(unit: Unit) -> tuple[int, int]:
    """Give a sentence's place in the order of speaking."""
    return unit.item.turn, unit.start
