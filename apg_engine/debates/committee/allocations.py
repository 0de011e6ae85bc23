"""Requests and plans in a turn's own words, and the arithmetic that checks them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from apg_engine.debates.committee.scenario import Scenario, Share
from apg_engine.segmentation.segments import segments_find

_ASKS = (
    r"(?:must|should|needs?|requires?|has to|have to|ought to)"
    r"(?:(?!\b(?:not|if|unless|instead|less|without)\b)[^.;:,\d])*?"
)


def request_in(text: str, scenario: Scenario, party: str) -> int | None:
    """Give the last amount a text asks for the load of a module, or None.

    `The control ring must receive at least 28 MWh` is a request; what is asked under a condition
    or denied is not.
    """
    share = scenario.share_of(party)
    pattern = re.compile(
        rf"\b{_words(share.load)} {_ASKS}(\d+) {re.escape(scenario.unit)}", re.IGNORECASE
    )
    found = [int(match[1]) for match in pattern.finditer(text)]
    return found[-1] if found else None


def plan_in(text: str, scenario: Scenario) -> dict[str, int] | None:
    """Give the last plan of a text that has an amount for every load, or None."""
    # Sentences are cut only where there can be one with a plan.
    if not all(share.load in text.lower() for share in scenario.shares):
        return None
    found = [
        amounts
        for sentence in _sentences(text)
        if (amounts := _amounts(sentence, scenario)) and len(amounts) == len(scenario.shares)
    ]
    return found[-1] if found else None


def plan_faults(text: str, scenario: Scenario) -> Iterator[str]:
    """Say where a plan shares out more than there is, or a request alone exceeds it."""
    plan = plan_in(text, scenario)
    if plan is not None and sum(plan.values()) > scenario.budget:
        yield f"shares out {sum(plan.values())} of {scenario.budget} {scenario.unit}"
    for share in scenario.shares:
        asked = request_in(text, scenario, share.party)
        if asked is not None and asked > scenario.budget:
            yield f"asks {asked} of {scenario.budget} {scenario.unit} for {share.load}"


def requests_last(said: Iterable[tuple[str, str]], scenario: Scenario) -> dict[str, int]:
    """Give each module's last request for its own load, from (module, text) in order."""
    last: dict[str, int] = {}
    for party, text in said:
        plan = plan_in(text, scenario)
        asked = plan[party] if plan else request_in(text, scenario, party)
        if asked is not None:
            last[party] = asked
    return last


def plan_shared(said: Iterable[tuple[str, str]], scenario: Scenario) -> Mapping[str, int]:
    """Give the plan that is every module's last one and fits the budget; else nothing."""
    last: dict[str, dict[str, int]] = {}
    for party, text in said:
        plan = plan_in(text, scenario)
        if plan:
            last[party] = plan
    plans = list(last.values())
    agreed = len(plans) == len(scenario.shares) and all(plan == plans[0] for plan in plans)
    return plans[0] if agreed and sum(plans[0].values()) <= scenario.budget else {}


def _sentences(text: str) -> Iterator[str]:
    return (text[segment.start : segment.end] for segment in segments_find(text))


def _amounts(sentence: str, scenario: Scenario) -> dict[str, int]:
    return {
        share.party: int(match[1])
        for share in scenario.shares
        if (match := _for(share, scenario).search(sentence))
    }


def _for(share: Share, scenario: Scenario) -> re.Pattern[str]:
    unit = re.escape(scenario.unit)
    return re.compile(
        rf"\b(\d+) {unit}(?: of \w+)? (?:for|to) {_words(share.load)}\b", re.IGNORECASE
    )


def _words(load: str) -> str:
    return re.escape(load)


def arithmetic_holds(sentence: str, requests: Mapping[str, int], scenario: Scenario) -> bool:
    """Tell whether every amount of a sentence follows from the requests on the table.

    A sentence about one load may name that load's last request; one about all of them their sum,
    the budget, and the difference. A number without the budget's unit is not settled here.
    """
    unit = re.escape(scenario.unit)
    amounts = [int(number) for number in re.findall(rf"\b(\d+)(?: {unit}| more\b)", sentence)]
    if not amounts or len(re.findall(r"\d+", sentence)) != len(amounts):
        return False
    named = [share for share in scenario.shares if share.load in sentence.lower()]
    if named:
        return len(named) == 1 and {requests.get(named[0].party)} == set(amounts)
    total = sum(requests.values())
    whole = len(requests) == len(scenario.shares)
    return whole and set(amounts) <= {total, scenario.budget, total - scenario.budget}
