"""What participants read of a study: written page by page, language by language, and looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from studyapp.domain.passages import Passage, TextPage
from studyapp.domain.texts import language_check
from studyapp.errors import MeasureError, StudyAppError, WordingError
from studyapp.pages.framing import frame_allow, frames_show
from studyapp.pages.participant_forms import background_questions, measure_questions
from studyapp.pages.participant_frame import prose
from studyapp.pages.participant_questions import questions_render
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.pages.researcher_text_forms import PAGE_TITLES, WordsForm, passage_label
from studyapp.selectors.cohorts import cohort_tokens
from studyapp.selectors.language_names import language_name
from studyapp.selectors.wording import (
    LanguageRow,
    PagePreview,
    TextSheet,
    page_preview,
    study_languages,
    text_pages,
    text_sheet,
)
from studyapp.services.study import texts_write, translation_remove


@dataclass(frozen=True, slots=True)
class PageLine:
    """One page of a study in one language, in the list of all."""

    page: TextPage
    title: str
    passages: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LanguagePanel:
    """One language of a study with its pages."""

    code: str
    name: str
    is_own: bool
    version: str
    missing: int
    pages: tuple[PageLine, ...]


class WordsPage(OneStudyPage):
    """All pages in all languages, with what lacks."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """List them; a language that is asked for is begun on its first page."""
        asked = request.GET.get("language")
        if asked is None:
            return self._show()
        try:
            language_check(asked.strip())
        except MeasureError as error:
            return self._show(problem=str(error), asked=asked, status=400)
        return redirect("words-edit", slug=slug, language=asked.strip(), page=TextPage.CONSENT)

    def _show(self, *, problem: str = "", asked: str = "", status: int = 200) -> HttpResponse:
        panels = [_panel(self.study.id, row) for row in study_languages(self.study.id)]
        return self.page("words.html", panels=panels, problem=problem, asked=asked, status=status)


class _OneWordsPage(OneStudyPage):
    """One page of a study in one language."""

    @property
    def text_page(self) -> TextPage:
        """The page of the address."""
        return TextPage(self.kwargs["page"])

    @property
    def language(self) -> str:
        """The language of the address."""
        return str(self.kwargs["language"])

    @cached_property
    def cohorts(self) -> tuple[str, ...]:
        """The study's cohorts, by whose eyes a page may be seen."""
        return tuple(cohort_tokens(self.study.id))

    @property
    def cohort(self) -> str:
        """The cohort that was asked for, or the first."""
        asked = self.request.GET.get("cohort", "")
        return asked if asked in self.cohorts else self.cohorts[0]


class WordsEditPage(_OneWordsPage):
    """The words of one page, to write or to translate, beside what participants will see."""

    def get(self, request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the form."""
        sheet = self._sheet()
        return self._show(sheet, self._form(sheet))

    def post(self, request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Store the words, or say why not; then nothing typed is lost."""
        sheet = self._sheet()
        form = self._form(sheet, data=request.POST)
        if form.is_valid() and self._write(form):
            return redirect(request.get_full_path())
        return self._show(self._sheet(), form, status=400)

    def _sheet(self) -> TextSheet:
        return text_sheet(self.study.id, page=self.text_page, language=self.language)

    def _form(self, sheet: TextSheet, data: Mapping[str, Any] | None = None) -> WordsForm:
        return WordsForm(
            sheet.passages, is_own=self._is_own, is_frozen=self.study.is_frozen, data=data
        )

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        """The study's languages, its own first."""
        return tuple(row.code for row in study_languages(self.study.id))

    @property
    def _is_own(self) -> bool:
        return self._languages[0] == self.language

    def _write(self, form: WordsForm) -> bool:
        try:
            changed = texts_write(
                study_id=self.study.id,
                page=self.text_page,
                language=self.language,
                sent=form.sent(),
                seen=self.request.POST.get("seen", ""),
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except WordingError as error:
            form.refuse(error.problems)
            return False
        except StudyAppError as error:
            form.add_error(None, str(error))
            return False
        messages.success(self.request, self._told(changed))
        return True

    def _told(self, changed: int) -> str:
        if not changed:
            return _("Nothing was changed.")
        rows = {row.code: row for row in study_languages(self.study.id)}
        version = rows[self.language].version if self.language in rows else ""
        return _("Stored. The version of the consent text is now %(version)s.") % {
            "version": version
        }

    def _show(self, sheet: TextSheet, form: WordsForm, status: int = 200) -> HttpResponseBase:
        pages = _page_lines(self.study.id, self.language)
        response = self.page(
            "words_edit.html",
            form=form,
            seen=sheet.seen,
            title=PAGE_TITLES[self.text_page],
            text_page=self.text_page,
            language=self.language,
            language_name=language_name(self.language),
            is_own=self._is_own,
            languages=[(code, language_name(code)) for code in self._languages],
            pages=pages,
            cohorts=self.cohorts,
            cohort=self.cohort,
            status=status,
        )
        return frames_show(self.request, response)


class WordsPreviewPage(_OneWordsPage):
    """One page as a cohort reads it; what a form sends is shown, and stored nowhere."""

    def get(self, request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show what is stored."""
        return self._show(None)

    def post(self, request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show what was sent."""
        return self._show({name: str(value) for name, value in request.POST.items()})

    def _show(self, sent: Mapping[str, str] | None) -> HttpResponseBase:
        found = page_preview(
            self.study.id,
            page=self.text_page,
            language=self.language,
            cohort=self.cohort,
            sent=sent,
        )
        spoken = self.language if self.language in dict(settings.LANGUAGES) else "en"
        with translation.override(spoken):
            response = _preview(self.request, found, self.text_page)
        return frame_allow(self.request, response)


class TranslationRemoveAction(StudyAction):
    """A translation taken out."""

    def act(self) -> str:
        """Take it out."""
        translation_remove(
            study_id=self.study.id,
            language=self.kwargs["language"],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The translation was taken out. The log keeps its words.")

    def back(self) -> HttpResponse:
        """Lead back to the list of texts."""
        return redirect("study-words", slug=self.study.slug)


def _panel(study_id: int, row: LanguageRow) -> LanguagePanel:
    return LanguagePanel(
        code=row.code,
        name=language_name(row.code),
        is_own=row.is_own,
        version=row.version,
        missing=len(row.gaps),
        pages=_page_lines(study_id, row.code),
    )


def _page_lines(study_id: int, language: str) -> tuple[PageLine, ...]:
    return tuple(
        PageLine(
            row.page,
            str(PAGE_TITLES[row.page]),
            row.passages,
            tuple(_gap_name(passage) for passage in row.missing),
        )
        for row in text_pages(study_id, language=language)
    )


def _gap_name(passage: Passage) -> str:
    key = passage.path[1] if len(passage.path) > 2 else ""
    return f"{key}: {passage_label(passage)}" if key else passage_label(passage)


def _preview(request: HttpRequest, found: PagePreview | None, page: TextPage) -> HttpResponse:
    """Render with the templates that participants get."""
    if found is None:
        return render(request, "researcher/words_unready.html")
    words = found.words
    context: dict[str, Any] = {"texts": words.texts, "page": page}
    if page is TextPage.CONSENT:
        context |= {"about": prose(words.texts.about), "version": found.version}
        return render(request, "participant/landing.html", context)
    context["title"] = PAGE_TITLES[page]
    context |= _content(found)
    return render(request, "researcher/words_preview.html", context)


def _content(found: PagePreview) -> dict[str, Any]:
    """What stands on the page, in the shapes of the participant's own pages."""
    words = found.words
    texts: dict[TextPage, str] = {
        TextPage.INSTRUCTIONS: words.instructions,
        TextPage.DEBRIEF: words.texts.debrief,
        TextPage.COHORTS: found.own_instructions,
    }
    questions = {
        TextPage.SCREENING: background_questions(words.screening, {}, {}),
        TextPage.BACKGROUND: background_questions(words.background, {}, {}),
        TextPage.MEASURES: measure_questions(words.measures, {}, {}),
        TextPage.COHORTS: background_questions(words.background, {}, {}),
    }
    text: SafeString | str = prose(texts[found.page]) if found.page in texts else ""
    titles = found.titles if found.page is TextPage.SCENARIOS else ()
    asked = questions_render(questions.get(found.page, ()))
    return {"prose": text, "questions": asked, "titles": titles}
