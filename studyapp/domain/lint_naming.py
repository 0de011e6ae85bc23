"""Places where a text names itself, its model or its arm, and so tells what it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class NamingKind(StrEnum):
    """What a text gives away."""

    MODEL = "model"
    MACHINE = "machine"
    ARM = "arm"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Naming:
    """One telling phrase: `found` as it stands in the text, `quote` with what is around it."""

    kind: NamingKind
    found: str
    quote: str


_MODELS: Final = (
    r"(?:chat)?gpt[-\u2011 ]?\d[\w.-]*|chatgpt|gpt|o[134]-(?:mini|preview)|openai|anthropic|claude"
    r"|gemini|gemma|bard|palm[- ]?2|llama[- ]?\d?[\w.]*|mistral|mixtral|qwen[\w.]*|deepseek[\w-]*"
    r"|grok|copilot|cohere|command[- ]r\+?|phi-\d|smollm[\w-]*|ollama|hugging ?face"
)
_MACHINE: Final = (
    r"as an? (?:ai|artificial intelligence|(?:large )?language model|llm|chatbot|assistant)"
    r"|i(?: am|'m|\u2019m) an? (?:ai|(?:large )?language model|llm|chatbot|(?:ai )?assistant)"
    r"|(?:large )?language model|ai[- ](?:model|assistant|generated|written)"
    r"|(?:my|our) training data|knowledge cut-?off|i cannot (?:browse|assist|help with that)"
    r"|here is (?:the|your) (?:revised|synthesi[sz]ed|final) (?:text|report|synthesis)"
    r"|jako (?:model językowy|sztuczna inteligencja|asystent)|model(?:em|u)? językow\w+"
    r"|sztuczn\w+ inteligencj\w+"
)
_ARMS: Final = (
    r"apg(?: report)?|active provenance gate|provenance (?:gate|fidelity)|divergence report"
    r"|baseline (?:report|text|draft|synthesis)|(?:un)?gated (?:report|text|draft)|first draft"
    r"|(?:synthesis|report) (?:was|is) (?:audited|gated)|the (?:auditor|proposer)"
    r"|pf ?[=:]? ?\d[\d.,]*|raport (?:apg|rozbieżności)|bramk\w+ proweniencji"
)
# "They report a shortage" names no report: here case matters.
_POSITIONS: Final = (
    r"(?-i:Reports? [AB])|(?:left|right)-hand report|the other report|(?-i:[Rr]aport\w* [AB])"
)
_KINDS: Final = (
    (NamingKind.MACHINE, _MACHINE),
    (NamingKind.MODEL, _MODELS),
    (NamingKind.ARM, _ARMS),
    (NamingKind.POSITION, _POSITIONS),
)
_AROUND: Final = 40


def namings_find(
    text: str, *, arms: Collection[str] = (), models: Collection[str] = (), debate: str = ""
) -> tuple[Naming, ...]:
    """Find every telling phrase of a text, in the order of the text.

    Args:
        text: the report, in markdown.
        arms: names of the study's arms.
        models: names of the models that wrote or judged the pair.
        debate: all that participants read of the debate. A phrase that the debate uses as well,
            such as a party's name, tells nothing.
    """
    known = debate.casefold()
    found = [
        (start, naming)
        for start, naming in _all(text, arms=arms, models=models)
        if naming.found.casefold() not in known
    ]
    return tuple(naming for _, naming in sorted(found, key=lambda pair: pair[0]))


def _all(
    text: str, *, arms: Collection[str], models: Collection[str]
) -> Iterator[tuple[int, Naming]]:
    patterns = [*_KINDS, (NamingKind.ARM, _either(arms)), (NamingKind.MODEL, _either(models))]
    seen: list[range] = []
    for kind, pattern in patterns:
        if not pattern:
            continue
        for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE):
            if not any(match.start() in place for place in seen):
                seen.append(range(*match.span()))
                yield match.start(), Naming(kind, match.group(), _quote(text, *match.span()))


def _either(names: Collection[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)


def _quote(text: str, start: int, end: int) -> str:
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    quote = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{quote}{'…' if last < len(text) else ''}"
