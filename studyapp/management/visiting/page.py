"""A page as a browser reads it: its forms with what they offer, links, names and text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

_TEXT_KINDS: Final = frozenset({"text", "number", "email", "search", "tel", "url", "textarea"})
_CHOICE_KINDS: Final = frozenset({"radio", "checkbox", "select"})
_LOADING: Final = frozenset({"link", "script", "img", "source"})
_BUTTON_KINDS: Final = frozenset({"submit", "image"})


@dataclass
class Field:
    """One field that a person fills in: what it offers by value, with labels, or a free text.

    `chosen` holds what the page came with; `asked` is the text of what is asked, where known.
    """

    name: str
    kind: str
    offered: dict[str, str] = field(default_factory=dict)
    chosen: list[str] = field(default_factory=list)
    required: bool = False
    asked: str = ""

    @property
    def is_text(self) -> bool:
        """Whether anything may be written."""
        return self.kind in _TEXT_KINDS


@dataclass
class Button:
    """A button that sends a form; `is_main` is the one that leads on."""

    name: str
    value: str
    classes: frozenset[str]

    @property
    def is_main(self) -> bool:
        """Whether this is the page's main button."""
        return "button" in self.classes and "is-secondary" not in self.classes


@dataclass
class Form:
    """A form: where it goes, its fixed values, its fields and its buttons."""

    action: str
    method: str
    attributes: dict[str, str]
    hidden: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)

    @property
    def main_button(self) -> Button | None:
        """The button that leads on."""
        return next((button for button in self.buttons if button.is_main), None)


class Page(HTMLParser):
    """Everything a page holds, collected in one pass.

    `attributes` lists (tag, name, value), `ids` every id, `links` (address, classes), `assets` what
    the page loads, `data` its data attributes by name, in order.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[tuple[str, frozenset[str]]] = []
        self.assets: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.comments: list[str] = []
        self.data: dict[str, list[str]] = {}
        self._form: Form | None = None
        self._by_id: dict[str, Form] = {}
        self._late: list[tuple[str, Button]] = []
        self._open: list[Field] = []
        self._question: list[str] | None = None
        self._label: tuple[Field, str] | None = None
        self._for = ""
        self.feed(html)
        self.close()
        for name, button in self._late:
            if name in self._by_id:
                self._by_id[name].buttons.append(button)

    @property
    def main_form(self) -> Form | None:
        """The form that leads on: sent by POST, with a main button."""
        sent = [form for form in self.forms if form.method == "post" and form.main_button]
        return sent[0] if sent else None

    @property
    def main_link(self) -> str:
        """The address of the button-like link that leads on, if there is one."""
        found = (
            address
            for address, classes in self.links
            if "button" in classes and "is-secondary" not in classes
        )
        return next(found, "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag holds."""
        given = {name: value or "" for name, value in attrs}
        self._note(tag, given)
        if tag == "form":
            self._form = _form_new(given)
            self.forms.append(self._form)
            self._by_id[given.get("id", "")] = self._form
        elif tag == "legend":
            self._question = []
        elif tag == "label":
            self._for = given.get("for", "")
        else:
            self._control(tag, given)

    def handle_endtag(self, tag: str) -> None:
        """Close what the tag closes."""
        if tag == "form":
            self._form = None
        elif tag in ("textarea", "select") and self._open:
            self._open.pop()
        elif tag == "fieldset":
            self._question = None
        elif tag == "label":
            self._for = ""

    def handle_data(self, data: str) -> None:
        """Note visible text, and whose label it is."""
        self.texts.append(data)
        if self._open and self._open[-1].kind == "textarea":
            self._open[-1].chosen = ["".join([*self._open[-1].chosen, data])]
        text = " ".join(data.split())
        if text and self._label is not None and self._for:
            owner, value = self._label
            owner.offered[value] = f"{owner.offered.get(value, '')} {text}".strip()
        elif text and self._question is not None:
            self._question.append(text)

    def handle_comment(self, data: str) -> None:
        """Note a comment."""
        self.comments.append(data)

    def _note(self, tag: str, given: Mapping[str, str]) -> None:
        self.attributes += [(tag, name, value) for name, value in given.items()]
        for name, value in given.items():
            if name.startswith("data-"):
                self.data.setdefault(name, []).append(value)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.links.append((given["href"], _classes(given)))
        elif tag in _LOADING:
            self.assets += [given[name] for name in ("href", "src") if name in given]

    def _control(self, tag: str, given: Mapping[str, str]) -> None:
        if tag == "button" or (tag == "input" and given.get("type") in _BUTTON_KINDS):
            self._button(given)
        elif self._form is None or "disabled" in given:
            return
        elif tag == "input":
            self._input(self._form, given)
        elif tag in ("textarea", "select") and "name" in given:
            entry = self._field(self._form, given["name"], tag, given)
            self._open.append(entry)
        elif tag == "option" and self._open:
            self._open[-1].offered[given.get("value", "")] = ""
            if "selected" in given:
                self._open[-1].chosen.append(given.get("value", ""))

    def _input(self, form: Form, given: Mapping[str, str]) -> None:
        kind, name = given.get("type", "text"), given.get("name", "")
        if not name:
            return
        if kind not in _TEXT_KINDS | _CHOICE_KINDS:
            form.hidden[name] = given.get("value", "")
            return
        entry = self._field(form, name, kind, given)
        value = given.get("value", "on" if kind in _CHOICE_KINDS else "")
        if kind in _CHOICE_KINDS:
            entry.offered.setdefault(value, "")
            self._label = (entry, value)
            if "checked" in given:
                entry.chosen.append(value)
        elif value:
            entry.chosen = [value]

    def _field(self, form: Form, name: str, kind: str, given: Mapping[str, str]) -> Field:
        entry = form.fields.setdefault(name, Field(name, kind))
        entry.required |= "required" in given
        if self._question is not None:
            entry.asked = " ".join(self._question)
        return entry

    def _button(self, given: Mapping[str, str]) -> None:
        if given.get("type", "submit") not in _BUTTON_KINDS:
            return
        button = Button(given.get("name", ""), given.get("value", ""), _classes(given))
        if "form" in given:
            self._late.append((given["form"], button))
        elif self._form is not None:
            self._form.buttons.append(button)


def _form_new(given: Mapping[str, str]) -> Form:
    return Form(given.get("action", ""), given.get("method", "get").lower(), dict(given))


def _classes(given: Mapping[str, str]) -> frozenset[str]:
    return frozenset(given.get("class", "").split())
