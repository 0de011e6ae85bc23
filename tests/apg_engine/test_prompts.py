from __future__ import annotations

import hashlib
import re
from importlib.resources import files

import pytest

from apg_engine.prompting import prompt_load

NAMES = ("propose", "repair", "audit")


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_a_file_with_name_version_and_hash(name: str) -> None:
    prompt = prompt_load(name)
    data = files("apg_engine").joinpath("prompts", f"{name}.txt").read_bytes()

    assert prompt.name == name
    assert prompt.version >= 1
    assert prompt.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_every_slot_is_filled_and_none_is_filled_twice(name: str) -> None:
    prompt = prompt_load(name)
    slots = set(re.findall(r"\{\{(\w+)\}\}", prompt.system + prompt.user))

    messages = prompt.messages(**dict.fromkeys(slots, "{{again}} {{evidence}}"))

    assert [message.role for message in messages] == ["system", "user"]
    filled = " ".join(message.content for message in messages)
    assert filled.count("{{again}} {{evidence}}") == len(
        re.findall(r"\{\{\w+\}\}", prompt.system + prompt.user)
    )


@pytest.mark.parametrize("name", ["propose", "repair"])
def test_the_proposer_has_no_other_mode_and_a_closed_world(name: str) -> None:
    system = prompt_load(name).system.lower()

    assert "closed world" in system
    for allowed in ("compress", "expose", "deduce"):
        assert allowed in system
    assert "always" in system
    for way_out in ("no consensus", "if the parties do not agree", "cannot agree"):
        assert way_out not in system


def test_what_others_wrote_is_declared_material() -> None:
    for name in NAMES:
        assert "never an" in " ".join(prompt_load(name).system.split())
