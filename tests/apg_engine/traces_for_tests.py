"""Small traces, written for tests."""

from __future__ import annotations

from dataclasses import replace

from apg_engine import Agent, Document, Severity, Shock, ShockKind, Source, Trace, Turn

AGENTS = (
    Agent("water", "Water Board", "keep the pumping station running"),
    Agent("clinic", "Clinic Trust", "keep the clinic running"),
)


def trace_of(
    *texts: str,
    context: str = "Only 40 MW of power remain in the valley until Friday.",
    documents: tuple[Document, ...] = (),
    shocks: tuple[Shock, ...] = (),
    private: tuple[str, ...] = (),
    language: str = "en",
) -> Trace:
    """A debate of two parties that speak in turn."""
    turns = tuple(
        Turn(
            number,
            AGENTS[(number - 1) % 2].id,
            text,
            private_trace=private[number - 1] if number <= len(private) else "",
        )
        for number, text in enumerate(texts, start=1)
    )
    return Trace(
        title="The valley",
        language=language,
        crisis_context=context,
        question="How should the 40 MW be shared?",
        agents=AGENTS,
        turns=turns,
        documents=documents,
        shocks=shocks,
        conflict_level="",
        source=Source("apg-trace", "valley.json", "0" * 64),
    )


def two_sided() -> Trace:
    """Two demands that exceed the total, each denied by the other party."""
    return trace_of(
        "The pumping station must receive at least 26 MW.",
        "The clinic must receive at least 22 MW. The Clinic Trust rejects 26 MW for the pumping"
        " station.",
        "The Water Board rejects 22 MW for the clinic."
        " The flow of the river has not been measured.",
        "The clinic must receive at least 22 MW, because 30 patients cannot be moved.",
        shocks=(
            Shock(3, ShockKind.ZERO_SUM, Severity.HIGH, "A cable test shows that 40 MW is all."),
        ),
    )


def agreeing() -> Trace:
    """Both parties close on one recommendation."""
    plan = "The council should give 24 MW to the pumping station and 16 MW to the clinic."
    return trace_of(
        "The pumping station needs 26 MW in the first night.",
        "The clinic needs 22 MW as long as the old boiler runs.",
        f"The pumping station can run on 24 MW after the first night. {plan}",
        f"The clinic can run on 16 MW without the old boiler. {plan}",
    )


def renamed(trace: Trace, words: dict[str, str]) -> Trace:
    """The same debate in other words, names included."""

    def new(text: str) -> str:
        for old, fresh in words.items():
            text = text.replace(old, fresh)
        return text

    return replace(
        trace,
        title=new(trace.title),
        crisis_context=new(trace.crisis_context),
        question=new(trace.question),
        agents=tuple(Agent(a.id, new(a.name), new(a.mandate)) for a in trace.agents),
        turns=tuple(
            replace(t, text=new(t.text), private_trace=new(t.private_trace)) for t in trace.turns
        ),
        documents=tuple(replace(d, text=new(d.text)) for d in trace.documents),
        shocks=tuple(replace(s, text=new(s.text)) for s in trace.shocks),
    )
