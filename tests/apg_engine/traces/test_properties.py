"""What holds for every trace and every document, shown on invented ones."""

from __future__ import annotations

import copy
import json
import unicodedata
from collections.abc import Callable
from typing import Any, cast

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apg_engine.errors import TraceError
from apg_engine.records import Agent, Document, Severity, Shock, ShockKind, Source, Trace, Turn
from apg_engine.traces import (
    import_trace,
    trace_from_dict,
    trace_schema,
    trace_sha256,
    trace_to_bytes,
    trace_to_dict,
)
from tests.apg_engine.traces.foreign_samples import agents, chat, courtroom, discussion, evaluation
from tests.apg_engine.traces.samples import own_document, trajectory

# No deadline: builders and CI share few cores, and no test here is about time.
PROPERTY = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
SCHEMA = trace_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SAMPLES: list[Callable[[], object]] = [
    trajectory,
    chat,
    discussion,
    courtroom,
    agents,
    evaluation,
]

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
filled = texts.filter(
    lambda text: any(not c.isspace() and unicodedata.category(c) != "Cf" for c in text)
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
own_fields = st.sampled_from(sorted(cast("dict[str, object]", SCHEMA["properties"])))


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    agents = draw(st.lists(filled, min_size=1, max_size=3, unique=True))
    documents = draw(st.lists(filled, max_size=3, unique=True))
    evidence = st.lists(st.sampled_from(documents), unique=True) if documents else st.just([])
    size = draw(st.integers(1, 5))
    return Trace(
        title=draw(filled),
        language=draw(st.sampled_from(["en", "pl", "de-CH"])),
        crisis_context=draw(texts),
        question=draw(texts),
        agents=tuple(Agent(agent, draw(filled), draw(texts)) for agent in agents),
        turns=tuple(
            Turn(
                number,
                draw(st.sampled_from(agents)),
                draw(filled),
                draw(texts),
                draw(st.booleans()),
                tuple(draw(evidence)),
            )
            for number in range(1, size + 1)
        ),
        documents=tuple(
            Document(name, draw(st.sampled_from(["axiom", "document"])), draw(filled))
            for name in documents
        ),
        shocks=tuple(
            draw(
                st.lists(
                    st.builds(
                        Shock,
                        turn=st.integers(1, size),
                        kind=st.sampled_from(ShockKind),
                        severity=st.sampled_from(Severity),
                        text=filled,
                    ),
                    max_size=3,
                )
            )
        ),
        conflict_level=draw(st.sampled_from(["low", "high", ""])),
        source=Source(draw(filled), draw(filled), draw(st.just("0" * 64))),
        warnings=tuple(draw(st.lists(texts, max_size=2))),
    )


@PROPERTY
@given(traces())
def test_every_trace_survives_writing_and_reading(trace: Trace) -> None:
    data = trace_to_bytes(trace)
    assert import_trace(data, file_name="copy.json") == trace
    assert trace_to_bytes(import_trace(data, file_name="copy.json")) == data
    assert trace_from_dict(trace_to_dict(trace), file_name="copy.json") == trace
    assert VALIDATOR.is_valid(trace_to_dict(trace))


@PROPERTY
@given(traces(), traces())
def test_traces_of_one_hash_have_one_content(first: Trace, second: Trace) -> None:
    contents = [
        {k: v for k, v in trace_to_dict(trace).items() if k not in {"source", "warnings"}}
        for trace in (first, second)
    ]
    assert (trace_sha256(first) == trace_sha256(second)) == (contents[0] == contents[1])


@PROPERTY
@given(json_values)
def test_arbitrary_json_is_read_or_refused_and_never_crashes(value: object) -> None:
    import_or_refuse(as_escaped(value))


@PROPERTY
@given(st.binary(max_size=40))
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    import_or_refuse(data)


@PROPERTY
@given(st.text(st.sampled_from("Ann Ben:\n*#-_`{[ 1."), max_size=60))
def test_arbitrary_transcripts_are_read_or_refused(text: str) -> None:
    import_or_refuse(text.encode())


@PROPERTY
@given(own_fields, json_values)
def test_any_value_in_any_field_is_read_as_the_schema_says_or_refused(
    field: str, value: object
) -> None:
    document = own_document(**{field: value})
    accepted = import_or_refuse(as_escaped(document))
    # The schema never refuses what the reader accepts: it is published as the whole shape.
    assert not accepted or VALIDATOR.is_valid(document)


@PROPERTY
@given(st.data(), json_values)
def test_any_value_anywhere_in_a_foreign_debate_is_read_or_refused(
    data: st.DataObject, value: object
) -> None:
    sample = data.draw(st.sampled_from(SAMPLES))
    document = copy.deepcopy(sample())
    holder, key = data.draw(st.sampled_from(list(_places(document))))
    holder[key] = value
    import_or_refuse(as_escaped(document))


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a document."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    else:
        return []
    return [(value, key) for key, _ in pairs] + [p for _, inner in pairs for p in _places(inner)]


def as_escaped(document: object) -> bytes:
    return json.dumps(document).encode()


def import_or_refuse(data: bytes) -> bool:
    """True if the bytes are a trace that can be hashed and stored, false if they are refused."""
    try:
        trace = import_trace(data, file_name="any.json")
    except TraceError as error:
        refusal = error
    else:
        assert trace_to_bytes(trace)
        assert len(trace_sha256(trace)) == 64
        return True
    assert refusal.file == "any.json"
    assert refusal.place
    assert refusal.allowed
    assert str(refusal).encode()
    return False
