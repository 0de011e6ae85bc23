"""Debates from elsewhere: each format read from a sample of our own, each near miss refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apg_engine.errors import TraceError
from apg_engine.records import Trace
from apg_engine.traces import import_trace, trace_to_bytes
from tests.apg_engine.traces.foreign_samples import (
    TRANSCRIPT,
    agents,
    chat,
    courtroom,
    discussion,
    evaluation,
)
from tests.apg_engine.traces.samples import Document, as_bytes, imported


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in trace.turns]


# OpenAI chat messages
def test_chat_messages_become_context_turns_and_documents() -> None:
    trace = imported(chat(), file_name="chat.json")
    assert trace.source.format == "openai-chat"
    assert trace.crisis_context == "Two bakers share one oven."
    assert said(trace) == [
        ("rye", "Rye bread needs the oven for 3 hours."),
        ("assistant", "Rolls need 1 hour."),
        ("assistant", "No answer."),
    ]
    assert [d.text for d in trace.documents] == ["The oven holds 40 loaves."]
    assert trace.turns[1].evidence == (trace.documents[0].id,)
    assert trace.title == "chat.json"
    assert trace.conflict_level == ""
    assert trace.warnings == (
        "[3].content[1] is image_url and was left out",
        "[4] holds no text and was left out",
        "[5] is a refusal",
    )


@pytest.mark.parametrize(
    "wrap",
    [
        lambda messages: as_bytes({"messages": messages, "model": "m"}),
        lambda messages: as_bytes([{"messages": messages}]),
        lambda messages: b"\n".join(as_bytes(message) for message in messages),
        lambda messages: b"\n\n".join(as_bytes(message) for message in messages) + b"\r\n",
    ],
    ids=["object", "list of one conversation", "JSON Lines", "JSON Lines with blank lines"],
)
def test_chat_messages_come_in_several_wrappings(wrap: Callable[[object], bytes]) -> None:
    trace = import_trace(wrap(chat()), file_name="chat.jsonl")
    assert said(trace) == said(imported(chat()))


def test_of_several_conversations_one_is_chosen_by_number() -> None:
    other = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}]
    lines = as_bytes({"messages": chat()}) + b"\n" + as_bytes({"messages": other})
    with pytest.raises(TraceError, match="found 2 debates; allowed: one debate, or an entry"):
        import_trace(lines, file_name="chat.jsonl")
    second = import_trace(lines, file_name="chat.jsonl", entry=2)
    assert said(second) == [("user", "Hello."), ("assistant", "Hi.")]
    with pytest.raises(TraceError, match="2 debates and no number 3"):
        import_trace(lines, file_name="chat.jsonl", entry=3)


def test_content_may_be_a_list_of_plain_texts_and_refusals() -> None:
    parts = ["Rye first.", {"type": "refusal", "refusal": "No more."}]
    trace = imported([{"role": "assistant", "content": parts}])
    assert said(trace) == [("assistant", "Rye first.\nNo more.")]
    assert trace.warnings == ("[0].content[1] is a refusal",)


# mallm
@pytest.mark.parametrize("wrap", [lambda entry: entry, lambda entry: [entry]])
def test_a_mallm_discussion_stands_in_order_of_its_message_ids(
    wrap: Callable[[Document], object],
) -> None:
    trace = imported(wrap(discussion()))
    assert trace.source.format == "mallm"
    assert said(trace) == [("a1", "Rye goes first."), ("a2", "The flour comes at 6.")]
    assert [(a.name, a.mandate) for a in trace.agents] == [
        ("Baker", "Bakes rye."),
        ("Miller", "Mills."),
    ]
    assert trace.title == "ovens, e7"
    assert trace.question == "Who bakes first?"
    assert trace.crisis_context == "Agree on a plan.\n\nOne oven.\nForty loaves."


def test_older_mallm_names_are_read() -> None:
    entry = {
        "exampleId": "old",
        "instruction": "Agree.",
        "input": "Who bakes?",
        "context": None,
        "personas": None,
        "globalMemory": [
            {"messageId": 0, "agentId": "a", "persona": "Baker", "text": "Rye."},
            {"messageId": 1, "agentId": "b", "persona": "Miller", "text": "Flour."},
        ],
    }
    trace = imported([entry])
    assert said(trace) == [("a", "Rye."), ("b", "Flour.")]
    assert [a.name for a in trace.agents] == ["Baker", "Miller"]


# ucl-dark
def test_a_transcript_of_two_debaters_hides_who_argues_for_the_correct_answer() -> None:
    trace = imported(courtroom())
    assert trace.source.format == "ucl-dark-transcript"
    assert said(trace) == [
        ("Debater A", "Cats like bread."),
        ("Debater B", "Feathers lay there."),
        ("Judge", "What of the window?"),
        ("Debater B", "Crows eat bread."),
    ]
    assert trace.question == "Who ate the bread?"
    assert trace.title == "The sill"
    assert trace.turns[1].private_trace == "Stress feathers."
    assert [d.text for d in trace.documents] == ["A crow sat on the sill. The bread was gone."]
    assert {a.name: a.mandate for a in trace.agents} == {
        "Debater A": "argue for the answer: The cat",
        "Debater B": "argue for the answer: The crow",
        "Judge": "",
    }
    assert "correct" not in trace_to_bytes(trace).decode()


def test_debaters_without_names_are_called_by_their_side() -> None:
    trace = imported(courtroom() | {"names": {}, "swap": False, "story": None, "responses": None})
    assert said(trace)[:2] == [
        ("Debater A", "Feathers lay there."),
        ("Debater B", "Cats like bread."),
    ]
    assert trace.documents == ()


# AutoGen
def test_autogen_messages_become_turns_thoughts_and_documents() -> None:
    trace = imported(agents())
    assert trace.source.format == "autogen-agentchat"
    assert trace.question == "Plan the oven."
    assert said(trace) == [
        ("rye", "Rye needs 3 hours."),
        ("rolls", "Rolls need 1 hour."),
        ("rye", '{\n  "first": "rye"\n}'),
    ]
    assert trace.turns[0].private_trace == "I want three hours."
    assert trace.turns[0].evidence == ("document-1",)
    assert trace.turns[2].private_trace == ""
    assert trace.warnings == (
        "[5].content holds images; they were left out",
        "[7] asks to stop and was left out",
    )


@pytest.mark.parametrize(
    "wrap",
    [
        lambda thread: {"messages": thread, "stop_reason": "done"},
        lambda thread: {"type": "RoundRobinManagerState", "message_thread": thread},
        lambda thread: {
            "type": "TeamState",
            "version": "1.0.0",
            "agent_states": {
                "rye": {"type": "ChatAgentContainerState", "agent_state": {}},
                "RoundRobinGroupChatManager": {"message_thread": thread},
            },
        },
    ],
    ids=["task result", "manager state", "team state"],
)
def test_autogen_threads_are_found_where_they_are_saved(
    wrap: Callable[[object], object],
) -> None:
    assert said(imported(wrap(agents()))) == said(imported(agents()))


def test_a_user_who_speaks_later_is_a_party() -> None:
    thread = [*agents(), agents()[0] | {"content": "What of me?"}]
    assert said(imported(thread))[-1] == ("user", "What of me?")


# Inspect
def test_a_sample_of_an_inspect_log_is_a_debate_of_its_models() -> None:
    trace = imported(evaluation())
    assert trace.source.format == "inspect-log"
    assert trace.title == "oven, sample s1, epoch 1"
    assert trace.question == "Plan the oven."
    assert trace.crisis_context == "Two bakers share one oven."
    assert said(trace) == [("m/one", "Rye needs 3 hours."), ("m/two", "Rolls need 1 hour.")]
    assert trace.turns[0].private_trace == "Rye is slow."
    assert trace.turns[1].evidence == ("document-1",)
    assert trace.warnings == ("samples[0].messages[3] holds no text and was left out",)


def test_an_unfinished_inspect_log_is_warned_of() -> None:
    trace = imported(evaluation() | {"status": "error"})
    assert trace.warnings[0] == "status is 'error': the log may be incomplete"


def test_of_several_samples_one_is_chosen() -> None:
    log = evaluation()
    log["samples"].append(log["samples"][0] | {"id": "s2"})
    data = as_bytes(log)
    with pytest.raises(TraceError, match="samples: found 2 debates"):
        import_trace(data, file_name="log.json")
    trace = import_trace(data, file_name="log.json", entry=2)
    assert trace.title == "oven, sample s2, epoch 1"


# Speaker lines
def test_lines_that_name_a_speaker_begin_turns() -> None:
    trace = import_trace(TRANSCRIPT.encode(), file_name="oven.md")
    assert trace.source.format == "speaker-lines"
    assert trace.title == "The oven"
    assert trace.crisis_context == "One oven stands in the hall.\nIt is hot by 6."
    assert said(trace) == [
        ("Rye baker", "Rye needs 3 hours.\nNote: the dough is ready."),
        ("Roll baker", "Rolls need 1 hour.\n\n```\nTimer: 60\nTimer: 90\n```"),
        ("Rye baker", "Then rolls go first."),
        ("Roll baker", "https://example.org says: yes."),
    ]
    assert trace.warnings == ("'Note' opens one line only; it was read as text, not as a speaker",)


def test_emphasis_list_marks_and_headings_are_no_part_of_a_name() -> None:
    text = "- __Ann__: One.\n### Ben:\nTwo.\n* Ann: Three.\n**Ben:** Four."
    trace = import_trace(text.encode(), file_name="a.md")
    assert said(trace) == [("Ann", "One."), ("Ben", "Two."), ("Ann", "Three."), ("Ben", "Four.")]


def test_names_that_speak_once_each_are_speakers_where_nobody_speaks_twice() -> None:
    trace = import_trace("Żaneta:\nTak.\nDr. O'Neil (chair): No.".encode(), file_name="a.txt")
    assert said(trace) == [("Żaneta", "Tak."), ("Dr. O'Neil (chair)", "No.")]
    assert trace.title == "a.txt"


def test_characters_that_break_storage_are_replaced_in_plain_text_too() -> None:
    trace = import_trace(b"Ann: A\0B.\nBen: C.\n", file_name="a.txt")
    assert said(trace)[0] == ("Ann", "A\ufffdB.")
    assert trace.warnings == (": 1 NUL or lone surrogate became U+FFFD",)


@pytest.mark.parametrize(
    "document", [chat(), discussion(), courtroom(), agents(), evaluation()], ids=range(5)
)
def test_every_foreign_debate_can_be_kept_in_the_own_format(document: object) -> None:
    trace = imported(document)
    assert import_trace(trace_to_bytes(trace), file_name="copy.json") == trace


def test_a_wide_colon_names_a_speaker_with_no_space_behind_it() -> None:
    text = "安娜\uff1a我们必须关闭它。\n**健**\uff1a 不行。\n"
    trace = import_trace(text.encode(), file_name="debate.txt")

    assert [turn.text for turn in trace.turns] == ["我们必须关闭它。", "不行。"]
    assert [agent.name for agent in trace.agents] == ["安娜", "健"]
