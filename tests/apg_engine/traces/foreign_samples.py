"""One small debate of our own in each foreign format."""

from __future__ import annotations

from tests.apg_engine.traces.samples import Document


def chat() -> list[Document]:
    return [
        {"role": "system", "content": "Two bakers share one oven."},
        {"role": "user", "name": "rye", "content": "Rye bread needs the oven for 3 hours."},
        {"role": "tool", "tool_call_id": "c1", "content": "The oven holds 40 loaves."},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Rolls need 1 hour."},
                {"type": "image_url", "image_url": {"url": "https://example.org/oven.png"}},
            ],
        },
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c2"}]},
        {"role": "assistant", "content": None, "refusal": "No answer."},
    ]


def discussion() -> Document:
    return {
        "dataset": "ovens",
        "exampleId": "e7",
        "instruction": "Agree on a plan.",
        "coordinatorId": "c",
        "personas": [
            {"agentId": "a1", "model": "m", "persona": "Baker", "personaDescription": "Bakes rye."},
            {"agentId": "a2", "model": "m", "persona": "Miller", "personaDescription": "Mills."},
        ],
        "paradigm": "debate",
        "input": ["Who bakes first?"],
        "context": ["One oven.", "Forty loaves."],
        "finalAnswer": "Rye",
        "references": [],
        "globalMemory": [
            {
                "message_id": 1,
                "turn": 1,
                "agent_id": "a2",
                "persona": "Miller",
                "contribution": "feedback",
                "message": "The flour comes at 6.",
                "agreement": False,
                "solution": None,
                "memory_ids": [0],
                "additional_args": {},
            },
            {
                "message_id": 0,
                "turn": 1,
                "agent_id": "a1",
                "persona": "Baker",
                "contribution": "draft",
                "message": "Rye goes first.",
                "agreement": None,
                "solution": "Rye",
                "memory_ids": [],
                "additional_args": {},
            },
        ],
        "agentMemory": [],
    }


def courtroom() -> Document:
    return {
        "index": 3,
        "question": "Who ate the bread?",
        "story": "A crow sat on the sill. The bread was gone.",
        "story_title": "The sill",
        "answers": {"correct": "The crow", "incorrect": "The cat"},
        "names": {"correct": "Debater B", "incorrect": "Debater A", "cross_examiner": None},
        "swap": True,
        "rollout_type": "quality_sim",
        "rounds": [
            {"type": "sim", "correct": "Feathers lay there.", "incorrect": "Cats like bread."},
            {
                "type": "sim",
                "correct": "Crows eat bread.",
                "incorrect": None,
                "judge": "What of the window?",
            },
        ],
        "responses": [
            {
                "type": "sim",
                "correct": "<thinking>\nStress feathers.\n</thinking><argument>x</argument>",
            },
        ],
    }


def agents() -> list[Document]:
    def message(kind: str, source: str, content: object) -> Document:
        return {
            "source": source,
            "models_usage": None,
            "metadata": {},
            "content": content,
            "type": kind,
        }

    return [
        message("TextMessage", "user", "Plan the oven."),
        message("ThoughtEvent", "rye", "I want three hours."),
        message("ToolCallRequestEvent", "rye", [{"id": "1", "name": "look", "arguments": "{}"}]),
        message(
            "ToolCallExecutionEvent",
            "rye",
            [{"content": "The oven holds 40 loaves.", "name": "look", "call_id": "1"}],
        ),
        message("TextMessage", "rye", "Rye needs 3 hours."),
        message("MultiModalMessage", "rolls", ["Rolls need 1 hour.", {"data": "AAAA"}]),
        message("StructuredMessage[Plan]", "rye", {"first": "rye"}),
        message("StopMessage", "rye", "TERMINATE"),
    ]


def evaluation() -> Document:
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "oven", "model": "m/one"},
        "samples": [
            {
                "id": "s1",
                "epoch": 1,
                "input": "Plan the oven.",
                "target": "rye",
                "messages": [
                    {"role": "system", "content": "Two bakers share one oven."},
                    {"role": "user", "content": "Plan the oven.", "source": "input"},
                    {
                        "role": "assistant",
                        "model": "m/one",
                        "content": [
                            {"type": "reasoning", "reasoning": "Rye is slow."},
                            {"type": "text", "text": "Rye needs 3 hours."},
                        ],
                    },
                    {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]},
                    {"role": "tool", "content": "The oven holds 40 loaves.", "function": "look"},
                    {"role": "assistant", "model": "m/two", "content": "Rolls need 1 hour."},
                ],
            }
        ],
    }


TRANSCRIPT = """# The oven

One oven stands in the hall.
It is hot by 6.

**Rye baker:** Rye needs 3 hours.
Note: the dough is ready.

**Roll baker:** Rolls need 1 hour.

```
Timer: 60
Timer: 90
```

**Rye baker**: Then rolls go first.
**Roll baker:** https://example.org says: yes.
"""
