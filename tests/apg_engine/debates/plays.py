"""A small debate for tests of the loop: two parties who ask each for one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apg_engine import CallJournal, MemoryJournal
from apg_engine.calls import ChatReply
from apg_engine.debates.budget import DebateBudget, DebateLimits
from apg_engine.debates.calls import Asking, DebateCalls, Question, answer_needed
from apg_engine.debates.floor import Floor, Said
from apg_engine.debates.material import Piece
from apg_engine.debates.records import NOTHING_WITHHELD, Party, Withheld
from apg_engine.debates.stopping import Standing
from apg_engine.debates.turn_loop import DebateEnd, rounds_hold
from apg_engine.debates.voices import Voice
from apg_engine.llm.protocol import ChatModel
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.prompting import Prompt
from apg_engine.records import ItemKind
from apg_engine.spending.prices import prices_packaged

PARTIES = (Party("mill", "Mill"), Party("farm", "Farm"))
PROMPT = Prompt("talk", 1, "0" * 64, "You speak for {{who}}.", "{{material}}\n{{again}}\nSpeak.")
CONTEXT = Piece(ItemKind.CONTEXT, "C1", "The river carries 30 litres a second.")
NEWS = Piece(ItemKind.DOCUMENT, "gauge", "The gauge at the weir read 28 litres on Monday.")
SENTENCES = (
    "The wheel needs at least 18 litres a second to turn at all.",
    "The orchard needs 20 litres a second until the apples are picked.",
    "Grain for 40 villages waits in the loft while the wheel stands still.",
    "Young trees die within 6 days without water on this gravel.",
    "A night shift could grind everything if the sluice opened at dusk.",
    "Trees may drink by day, and the orchard closes its ditch at sunset.",
)


class Talk:
    """Each party says one thing a round."""

    def __init__(self, floor: Floor, voices: dict[str, Voice]) -> None:
        self.floor, self.voices = floor, voices
        self.standing: list[Standing] = []

    def round_open(self, round_: int) -> None:
        return

    def speakers(self, round_: int) -> Iterable[Party]:
        return self.floor.parties

    def speak(self, party: Party, round_: int) -> None:
        question = Question(PROMPT, {"who": party.name}, (CONTEXT, NEWS, *self.floor.pieces()))
        asking = Asking(party.id, round_, "turn")
        answer = self.floor.calls.ask(asking, self.voices[party.id], question)
        self.floor.admit(answer_needed(answer), Said(party.id))

    def round_close(self, round_: int, standing: Standing) -> Standing:
        self.standing.append(standing)
        return standing


def scripts(*answers: str | ChatReply) -> dict[str, ChatModel]:
    """Deal answers to the parties in turn."""
    return {
        party.id: ScriptedModel(answers[at :: len(PARTIES)], name=f"script of {party.id}")
        for at, party in enumerate(PARTIES)
    }


def talk(
    models: dict[str, ChatModel],
    *,
    rounds: int = 3,
    journal: CallJournal | None = None,
    limits: DebateLimits | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
    context_tokens: int = 0,
    play: type[Talk] = Talk,
) -> tuple[Floor, DebateEnd]:
    """Hold the small debate."""
    budget = DebateBudget(limits or DebateLimits(), prices=prices_packaged())
    calls = DebateCalls(journal or MemoryJournal(), budget=budget, withheld=withheld)
    floor = Floor(PARTIES, calls)
    voices = {
        name: Voice(model, max_tokens=64, context_tokens=context_tokens)
        for name, model in models.items()
    }
    return floor, rounds_hold(play(floor, voices), floor=floor, rounds=rounds)


def texts(floor: Floor) -> Sequence[str]:
    """Give what was said, in order."""
    return [turn.text for turn in floor.turns]
