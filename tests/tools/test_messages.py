"""Every string of the site has a translation, and the compiled files are those of the sources."""

from __future__ import annotations

from tools import messages


def test_the_collection_finds_strings_of_templates_and_code() -> None:
    found = messages.messages_found()
    assert found.get("Agree and start") is not None  # a template
    assert found.get("Download the bundle of the chosen study") is not None  # Python
    assert any("python-format" in message.flags for message in found)  # with a variable
    assert any(message.pluralizable for message in found)


def test_every_string_has_a_translation_and_the_compiled_files_are_those_of_the_sources() -> None:
    assert messages.messages_check() == []
