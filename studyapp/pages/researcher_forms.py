"""The researcher's forms: uploads of debates and definitions, and how to generate texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from studyapp.services.study import UploadedFile, is_shared

_INPUT = {"class": "input"}


class _ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class DebatesField(forms.FileField):
    """One or more trace files, none above the size limit."""

    widget = _ManyFiles(attrs={"class": "input", "multiple": True})

    def __init__(self, **options: Any) -> None:
        """Let empty files in: what reads them says which of several it is."""
        super().__init__(allow_empty_file=True, **options)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Check each file; return their bytes."""
        uploads = (data if isinstance(data, list | tuple) else [data]) or [None]
        checked = [super(DebatesField, self).clean(upload, initial) for upload in uploads]
        return [_read(upload) for upload in checked if upload]


class DefinitionField(forms.FileField):
    """One definition file."""

    widget = forms.FileInput(attrs={"class": "input", "accept": ".json,.zip"})

    def __init__(self, **options: Any) -> None:
        """Let an empty file in: what reads it says what was expected."""
        super().__init__(allow_empty_file=True, **options)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Check the file; return its bytes."""
        upload = super().clean(data, initial)
        return _read(upload) if upload else None


class DebatesForm(forms.Form):
    """Debates to add to a study."""

    debates = DebatesField(
        label=_("Debate files"),
        help_text=_(
            "In this site's trace format or another one it reads. Several at once. Participants do "
            "not read what a file calls its debate; you can give each a title for them."
        ),
        error_messages={"required": _("Choose at least one debate file")},
    )

    @property
    def files_read(self) -> Sequence[UploadedFile]:
        """The uploaded debates."""
        return list(self.cleaned_data["debates"])


class StudyForm(DebatesForm):
    """A study about uploaded debates, with the demo study's questions."""

    title = forms.CharField(
        label=_("Title"),
        help_text=_("For you and your colleagues. Participants read another title."),
        max_length=200,
        widget=forms.TextInput(attrs=_INPUT),
        error_messages={"required": _("Enter a title")},
    )
    field_order = ("title", "debates")


class DefinitionForm(DebatesForm):
    """A study from a definition file and the debates it names."""

    definition = DefinitionField(
        label=_("Definition file"),
        help_text=_(
            "JSON in the form of fixtures/demo_study.json, or the zip of a shared study, which "
            "holds its debates."
        ),
        error_messages={"required": _("Choose a definition file")},
    )
    field_order = ("definition", "debates")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Ask for debates only where the definition does not hold them."""
        super().__init__(*args, **kwargs)
        self.fields["debates"].required = False

    def clean(self) -> dict[str, Any]:
        """Refuse a definition alone."""
        cleaned = super().clean() or {}
        definition = cleaned.get("definition")
        if definition is not None and not is_shared(definition) and not cleaned.get("debates"):
            self.add_error("debates", _("Choose at least one debate file"))
        return cleaned


class PairsForm(forms.Form):
    """A file of texts that researchers bring."""

    pairs = DefinitionField(
        label=_("File of texts"),
        help_text=_(
            "CSV with the columns scenario, arm and text, or JSON with a list of such objects, in "
            "UTF-8. Each scenario named needs a text for both arms; all are stored or none."
        ),
        error_messages={"required": _("Choose a file of texts")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the two kinds of file."""
        super().__init__(*args, **kwargs)
        self.fields["pairs"].widget.attrs["accept"] = ".csv,.json"


class GenerateForm(forms.Form):
    """Which models write and check the texts.

    Presets only: a page where staff could name an endpoint and a variable of the server's
    environment would send any of its secrets anywhere.
    """

    preset = forms.ChoiceField(
        label=_("Models"),
        choices=(
            ("offline", _("Offline rules: no language model, free, the same every time")),
            ("paper", _("The paper's two models: paid, needs GEMINI_API_KEY on the server")),
        ),
        initial="offline",
        widget=forms.RadioSelect,
    )


def _read(upload: Any) -> UploadedFile:
    limit = settings.TRACE_MAX_BYTES
    if upload.size is not None and upload.size > limit:
        raise forms.ValidationError(
            _("%(name)s: the file: found %(size)s bytes; allowed: at most %(limit)s bytes"),
            params={"name": upload.name, "size": upload.size, "limit": limit},
        )
    return UploadedFile(name=str(upload.name), data=upload.read())
