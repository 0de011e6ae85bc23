"""A preregistration for people: Markdown to read, and to deposit beside the JSON.

The words around the data are in the language that is asked for; what a study itself says, and
every key, stay as they were frozen. The same data in the same language give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _


def preregistration_markdown(found: Mapping[str, Any], *, language: str) -> str:
    """Write a preregistration as Markdown.

    Args:
        found: its data, as `selectors.preregistration` returns it.
        language: of the headings, one of the site's.
    """
    parts = (_head, _design, _cohorts, _analysis, _questions, _texts, _seed)
    with translation.override(language):
        return "\n".join(line for part in parts for line in part(found)) + "\n"


def _head(found: Mapping[str, Any]) -> Iterator[str]:
    study = found["study"]
    yield f"# {_('Preregistration')}: {study['title']}"
    yield ""
    yield _item(
        _("Study"),
        _("`%(slug)s`, version %(version)s of `%(family)s`") % study,
    )
    yield _item(_("Launched"), found["registered_at"])
    yield _item(_("Design hash (SHA-256)"), f"`{found['design_sha256']}`")
    if study["test"]:
        yield f"- {_('A test study: its answers are no findings.')}"


def _design(found: Mapping[str, Any]) -> Iterator[str]:
    arms = found["arms"]
    yield from _heading(_("What is compared"))
    yield _item(_("Arms"), _("%(reference)s (reference), %(treatment)s (treatment)") % arms)
    yield _item(_("Every difference"), found["difference"])
    for row in found["scenarios"]:
        title = f" ({row['title']})" if row["title"] else ""
        hashes = _("debate `%(debate)s`, pair `%(pair)s`") % {
            "debate": row["trace_sha256"],
            "pair": row["pair_sha256"],
        }
        place = f"{_('Scenario')} `{row['key']}`{title}"
        yield _item(place, f"{_writers(row['texts'])}; {hashes}")


def _writers(mode: str) -> str:
    words = {
        "own": _("own texts"),
        "live": _("texts of language models"),
        "offline": _("texts of rules"),
    }
    return words.get(mode, mode)


def _cohorts(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _heading(_("Participants"))
    planned = found["planned_n"]
    yield _item(_("Planned N"), _none() if planned is None else planned)
    for row in found["cohorts"]:
        yield _item(f"{_('Cohort')} `{row['name']}`", _places(row))
    for row in found["screening"]:
        yield _item(f"{_('Screening')} `{row.get('key', '')}`", _line(row.get("question", "")))
    for key, value in found["rules"].items():
        yield _item(f"{_('Rule')} `{key}`", value)


def _places(cohort: Mapping[str, Any]) -> str:
    quota = cohort["quota"]
    limit = _("no limit") if quota is None else _("places: %(quota)s") % {"quota": quota}
    return limit + "".join(f", {key}: {cohort[key]}" for key in ("kind", "link") if key in cohort)


def _analysis(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _heading(_("Analysis"))
    yield _item(_("Primary outcome"), _listed(found["primary"]))
    yield _item(_("Tests"), _listed(found["tests"]))
    rules = [
        " ".join(f"{key}={value}" for key, value in row.items()) for row in found["exclusions"]
    ]
    yield _item(_("Exclusion rules"), _listed(rules))
    for key, value in found["plan"].items():
        if key not in ("primary", "family", "exclusions"):
            yield _item(_plan_word(key), value)


def _plan_word(key: str) -> str:
    words = {
        "preregistered": _("Preregistered elsewhere"),
        "note": _("Note"),
        "equivalence_bound": _("Bound of equivalence"),
        "ordered": _("Ordered answers"),
        "groups": _("Groups"),
        "calibration": _("Calibration"),
        "limits": _("Limits"),
    }
    return words.get(key, f"`{key}`")


def _questions(found: Mapping[str, Any]) -> Iterator[str]:
    parts = ((_("Measures"), "measures"), (_("Background questions"), "background"))
    for title, rows in parts:
        yield from _heading(title)
        for row in found[rows]:
            kind = f" ({row['kind']})" if "kind" in row else ""
            yield _item(f"`{row['key']}`{kind}", _line(row.get("question", "")))


def _texts(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _heading(_("Texts that participants read"))
    for key, value in found["texts"].items():
        yield f"**{key}**"
        yield ""
        for line in value if isinstance(value, list) else [value]:
            yield from (f"> {row}".rstrip() for row in str(line).splitlines())
        yield ""
    if found["translations"]:
        yield _("Translations: %(languages)s; their words stand in the JSON.") % {
            "languages": ", ".join(found["translations"])
        }


def _seed(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _heading(_("Seed"))
    yield _item(_("SHA-256 of `<nonce>:<seed>`"), f"`{found['seed_sha256']}`")
    if found["seed"] is None:
        yield f"- {_('Seed and nonce are told once the arm key is unsealed.')}"
    else:
        yield _item(_("Seed and nonce"), f"{found['seed']}, `{found['seed_nonce']}`")


def _heading(title: str) -> tuple[str, str, str]:
    return "", f"## {title}", ""


def _item(name: str, value: object) -> str:
    return f"- {name}: {value}"


def _none() -> str:
    return _("none stated")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or _none()


def _line(text: str) -> str:
    return " ".join(str(text).split())
