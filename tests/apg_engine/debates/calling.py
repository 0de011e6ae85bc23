"""A line of calls to scripted models."""

from __future__ import annotations

from typing import Any

from apg_engine import MemoryJournal
from apg_engine.debates.budget import DebateBudget, DebateLimits
from apg_engine.debates.calls import Asking, DebateCalls, Question
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer
from apg_engine.debates.scoped_journal import LockedJournal
from apg_engine.debates.voices import Voice
from apg_engine.journal import CallJournal
from apg_engine.prompting import Prompt
from apg_engine.records import ItemKind
from apg_engine.spending.prices import PriceTable, prices_packaged

PROMPT = Prompt("judge", 1, "0" * 64, "You judge as {{who}}.", "{{again}}{{material}}\nJudge.")

EXHIBIT = Piece(ItemKind.DOCUMENT, "d1", "The bridge carries 12 tonnes. It was tested in May.")


def line(
    journal: CallJournal | None = None,
    limits: DebateLimits | None = None,
    prices: PriceTable | None = None,
) -> DebateCalls:
    budget = DebateBudget(limits or DebateLimits(), prices=prices or prices_packaged())
    return DebateCalls(LockedJournal(journal or MemoryJournal()), budget=budget)


def question(who: str = "one") -> Question:
    return Question(PROMPT, {"who": who}, (EXHIBIT,))


def judge(calls: DebateCalls, model: Any, *, role: str = "judge", round_: int = 0) -> Answer:
    return calls.ask(Asking(role, round_, "ballot"), Voice(model, max_tokens=60), question())
