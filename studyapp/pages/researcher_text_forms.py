"""The form of one page's words: a field for each passage, grouped by the question it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from studyapp.domain.passages import ANCHORS, OPTIONS, Passage, Shape, TextPage

PAGE_TITLES: Final[Mapping[TextPage, Promise]] = {
    TextPage.CONSENT: _("Information and consent"),
    TextPage.SCREENING: _("Screening and comprehension"),
    TextPage.BACKGROUND: _("Background questions"),
    TextPage.INSTRUCTIONS: _("Instructions"),
    TextPage.SCENARIOS: _("Titles of the debates"),
    TextPage.MEASURES: _("Questions about the reports"),
    TextPage.DEBRIEF: _("Debrief"),
    TextPage.COHORTS: _("Cohorts' own words"),
}
_LABELS: Final[Mapping[str, Promise]] = {
    "title": _("Title that participants read"),
    "about": _("What the study is about"),
    "consent": _("Statements before the consent"),
    "agreement": _("What is agreed to with a tick"),
    "contact": _("Contact"),
    "minutes": _("Minutes that it takes"),
    "language": _("Language of these words"),
    "instructions": _("Instructions"),
    "debrief": _("What is told at the end"),
    "question": _("Question"),
    "hint": _("Hint below the question"),
}
_HINTS: Final[Mapping[Shape, Promise]] = {
    Shape.PROSE: _("Markdown."),
    Shape.LINES: _("One statement in each line."),
    Shape.TAG: _("A tag such as en, pl or pt-BR."),
}
_ROWS: Final = {Shape.PROSE: 12, Shape.LINES: 8}
# One line each, but often a long one.
_LONG: Final = ("agreement", "contact", "question", "hint")
_ROWS_OF_LONG: Final = 2
# Where a question's words lie deeper: cohorts, name, background, key, field.
_DEPTH_OF_COHORT: Final = 5


@dataclass(frozen=True, slots=True)
class PassageView:
    """A field with the study's own words, and with what is stored where that is another."""

    field: forms.BoundField
    own: str
    stored: str
    is_missing: bool
    is_fixed: bool


@dataclass(frozen=True, slots=True)
class PassageGroup:
    """The fields of one question, or of what stands alone; then `name` is empty."""

    name: str
    passages: tuple[PassageView, ...]


class WordsForm(forms.Form):
    """Every passage of a page; `seen` is the mark of the page as it was opened."""

    def __init__(
        self,
        passages: Sequence[Passage],
        *,
        is_own: bool,
        is_frozen: bool = False,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Make a field for each passage; what is frozen can be read and copied, not changed."""
        super().__init__(data)
        self._passages, self._is_own = passages, is_own
        for passage in passages:
            self.fields[passage.name] = _field(passage)
            self.fields[passage.name].widget.attrs["readonly"] = is_frozen

    def sent(self) -> dict[str, str]:
        """Return what was entered, by passage."""
        return {name: str(value) for name, value in self.cleaned_data.items()}

    def refuse(self, problems: Mapping[str, str]) -> None:
        """Say what cannot be stored, each at its field."""
        for name, problem in problems.items():
            self.add_error(name or None, problem)

    def groups(self) -> Iterator[PassageGroup]:
        """Group the fields for the page."""
        found: dict[str, list[PassageView]] = {}
        for passage in self._passages:
            found.setdefault(_group(passage), []).append(self._view(passage))
        for name, views in found.items():
            yield PassageGroup(name, tuple(views))

    def _view(self, passage: Passage) -> PassageView:
        field = self[passage.name]
        entered = str(field.value() or "").replace("\r\n", "\n").strip()
        return PassageView(
            field=field,
            own="" if self._is_own else passage.own,
            stored=passage.text if self.is_bound and entered != passage.text else "",
            is_missing=passage.is_missing,
            is_fixed=passage.is_fixed,
        )


def passage_label(passage: Passage) -> str:
    """Name a passage for people."""
    *_above, field = passage.path
    point = passage.path[-2] if len(passage.path) > 1 else ""
    if point == ANCHORS:
        return _("Point %(number)s") % {"number": field}
    if point == OPTIONS:
        return _("Answer “%(value)s”") % {"value": field}
    if passage.page is TextPage.SCENARIOS:
        return _("Title of “%(key)s”") % {"key": field}
    return str(_LABELS[field])


def _group(passage: Passage) -> str:
    path = passage.path
    if passage.page is TextPage.COHORTS:
        return f"{path[1]}: {path[3]}" if len(path) >= _DEPTH_OF_COHORT else path[1]
    return path[1] if passage.page.value == path[0] != TextPage.SCENARIOS.value else ""


def _field(passage: Passage) -> forms.CharField:
    return forms.CharField(
        label=passage_label(passage),
        help_text=str(_HINTS.get(passage.shape, "")),
        initial=passage.text,
        required=False,
        disabled=passage.is_fixed,
        strip=False,
        widget=_widget(passage),
    )


def _widget(passage: Passage) -> forms.Widget:
    rows = _ROWS.get(passage.shape, _ROWS_OF_LONG if passage.path[-1] in _LONG else 0)
    if rows:
        return forms.Textarea(attrs={"class": "textarea is-free", "dir": "auto", "rows": rows})
    attrs = {"class": "input is-full", "dir": "auto"}
    if passage.shape is Shape.NUMBER:
        attrs["inputmode"] = "numeric"
    return forms.TextInput(attrs=attrs)
