"""A statement its speaker makes only to call it false: in `It holds. That is not true.`, say."""

from __future__ import annotations

import re

from apg_engine.matching.index import CorpusIndex, Unit, is_public_turn

# The whole sentence, so that `That is wrong and must be mended` disowns nothing.
_DISOWNS = re.compile(
    r"\W*(?:(?:but|no|yet|well),? )?(?:that|this|it|which)(?: (?:claim|statement|sentence|figure))?"
    r"(?:'s|\u2019s| is| was)(?: (?:simply|plainly|just|flatly|all|quite))?"
    r" (?:false|wrong|untrue|incorrect|mistaken|(?:a|an outright) lie|a myth|"
    r"not (?:true|so|correct|right|the case))\s*[.!]+\W*"
    r"|\W*(?:ale )?to(?: jest| są)? (?:nieprawda|fałsz|nieprawdziwe|kłamstwo|mit|błąd)"
    r"\s*[.!]+\W*",
    re.IGNORECASE,
)


def disowning(index: CorpusIndex, unit: Unit) -> Unit | None:
    """Give the sentence right after one of a public turn that calls it false, if there is one."""
    if not is_public_turn(unit):
        return None
    said = index.of_item(unit.item)
    following = next((other for other in said if other.start > unit.start), None)
    return following if following and _DISOWNS.fullmatch(following.text) else None
