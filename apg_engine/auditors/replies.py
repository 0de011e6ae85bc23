"""Reading a judge's reply: bound to the ids that were asked, and nothing salvaged by guessing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ALLOWED_VERDICTS = ("supported", "contradicted", "not_enough_information", "undetermined")
_FENCE = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n")
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_HEAD = re.compile(r'\A\s*\{\s*"verdicts"\s*:\s*\[')
_BAD_ESCAPE = re.compile(r"\\'")


@dataclass(frozen=True, slots=True)
class Cited:
    """One piece of evidence a judge names; nothing is verified yet."""

    address: str
    quote: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One well-formed verdict of a judge."""

    sentence_id: str
    verdict: str
    evidence_for: tuple[Cited, ...]
    evidence_against: tuple[Cited, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply gave: one verdict per id at most, and what was wrong with the rest.

    `faults` has an entry for each asked id without a verdict; `notes` lists what was ignored.
    """

    judged: Mapping[str, Judged]
    faults: Mapping[str, str]
    notes: tuple[str, ...]


def reply_read(text: str, asked: Sequence[str]) -> Reading:
    """Read a judge's reply to the sentences with these ids.

    Fences are stripped and complete entries of a cut reply are kept. An id that is missing, or
    comes twice, or has a value outside the list, has no verdict; an id nobody asked about is
    ignored and noted. Text the judge echoes is never looked at.
    """
    entries, complaint = _entries(text)
    counts = Counter(_id_of(entry) for entry in entries)
    judged: dict[str, Judged] = {}
    faults: dict[str, str] = {}
    for entry in entries:
        sentence_id = _id_of(entry)
        if sentence_id in asked:
            found = _judged(entry, sentence_id)
            if counts[sentence_id] > 1:
                faults[sentence_id] = f"{counts[sentence_id]} verdicts for one id"
            elif isinstance(found, str):
                faults[sentence_id] = found
            else:
                judged[sentence_id] = found
    for sentence_id in asked:
        if sentence_id not in judged:
            faults.setdefault(sentence_id, complaint or "no verdict for this id")
    extra = sorted(str(name) for name in counts if name not in asked)
    notes = (f"verdicts for ids that were not asked: {', '.join(extra)}",) if extra else ()
    return Reading(judged, faults, notes)


def _entries(text: str) -> tuple[list[Any], str]:
    """Give the entries of `verdicts` and, if the reply is not whole, what is wrong with it."""
    plain = text.strip()
    fence = _FENCE.match(plain)
    if fence:
        # A cut reply has lost its closing fence.
        plain = plain[fence.end() :].removesuffix("```").strip()
    # \' is no JSON escape, but judges write it; it can only mean the character itself.
    plain = _BAD_ESCAPE.sub("'", plain) if not _is_json(plain) else plain
    try:
        whole = _loads(plain)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _TwiceError):
            return [], str(error)
        return _cut_entries(plain)
    if not isinstance(whole, dict) or not isinstance(whole.get("verdicts"), list):
        return [], "the reply is no object with a list of verdicts"
    return whole["verdicts"], ""


def _is_json(text: str) -> bool:
    try:
        _loads(text)
    except _TwiceError:
        return True
    except (ValueError, RecursionError):
        return False
    return True


class _TwiceError(ValueError):
    """An object has one key twice: which value is meant cannot be known."""


def _loads(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _TwiceError("the reply has an object with one key twice")
    return found


def _cut_entries(text: str) -> tuple[list[Any], str]:
    """Keep the complete entries of a reply that was cut off; prose around JSON is no reply."""
    head = _HEAD.match(text)
    if head is None:
        return [], "the reply is not JSON"
    entries = list(_decoded(text, head.end()))
    rest = text[entries[-1][1] if entries else head.end() :]
    if re.match(r"\s*\]", rest):
        return [], "the reply holds more than one JSON object"
    return [entry for entry, _ in entries], "the reply ends before this id"


def _decoded(text: str, at: int) -> Iterator[tuple[Any, int]]:
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    while True:
        between = _BETWEEN.match(text, at)
        try:
            entry, at = decoder.raw_decode(text, between.end() if between else at)
        except (ValueError, RecursionError):
            return
        yield entry, at


def _id_of(entry: Any) -> str:
    value = entry.get("id") if isinstance(entry, dict) else None
    return value if isinstance(value, str) else f"(no id: {type(value).__name__})"


def _judged(entry: Mapping[str, Any], sentence_id: str) -> Judged | str:
    verdict = entry.get("verdict")
    if verdict not in ALLOWED_VERDICTS:
        return f"verdict {repr(verdict)[:60]} is none of {', '.join(ALLOWED_VERDICTS)}"
    evidence_for = _cited(entry.get("evidence_for"))
    evidence_against = _cited(entry.get("evidence_against"))
    if evidence_for is None or evidence_against is None:
        return "evidence is not a list of address and quote"
    reason = entry.get("reason")
    return Judged(
        sentence_id=sentence_id,
        verdict=verdict,
        evidence_for=evidence_for,
        evidence_against=evidence_against,
        reason=reason if isinstance(reason, str) else "",
    )


def _cited(value: Any) -> tuple[Cited, ...] | None:
    if not isinstance(value, list):
        return None
    found = []
    for one in value:
        if not isinstance(one, dict):
            return None
        address, quote = one.get("address"), one.get("quote")
        if not isinstance(address, str) or not isinstance(quote, str):
            return None
        found.append(Cited(address, quote))
    return tuple(found)
