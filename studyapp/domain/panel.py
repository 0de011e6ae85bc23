"""Panels that send participants: which parameter names a person, and where they go afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, urlsplit

from studyapp.domain.panel_id import panel_id_read
from studyapp.errors import MeasureError

COMPLETE: Final = "complete"
NO_CONSENT: Final = "no_consent"
OUTCOMES: Final = (COMPLETE, "screened_out", "failed_attention", NO_CONSENT)
EARLIER: Final = "_earlier"
PROVIDERS: Final = ("prolific", "sona", "generic")
_PARAMETER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
# What panels leave where they should have put somebody's id: {{%PROLIFIC_PID%}}, %SURVEY_CODE%,
# ${e://Field/ID}, [%ID%], and MTurk's word for a preview.
_UNREPLACED: Final = re.compile(r"\{\{|\$\{|\[%|%[A-Z][A-Z_]*%|\AASSIGNMENT_ID_NOT_AVAILABLE\Z")
_VALUE_LIMIT: Final = 200


@dataclass(frozen=True, slots=True)
class PanelLink:
    """How a panel's link is read and answered.

    `id_parameter` names the person; `captures` are further parameters that are kept. `redirect` is
    an https address with `{code}`, `{id}` and the captured parameters in braces, or empty where
    participants only get a code. `codes` holds a code for each outcome.
    """

    provider: str
    id_parameter: str
    captures: tuple[str, ...]
    redirect: str
    codes: Mapping[str, str]

    def address(self, outcome: str, external_id: str, captured: Mapping[str, object]) -> str:
        """Return where somebody goes after an outcome; see `redirect_url`."""
        plain = {name: value for name, value in captured.items() if isinstance(value, str)}
        return redirect_url(self, outcome=outcome, external_id=external_id, captured=plain)


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a panel's link says of who comes: their id, and the captured parameters it had.

    `is_unreplaced` says that the panel left its placeholder in the link, as in its own preview:
    whoever comes so is a test.
    """

    external_id: str = ""
    captured: Mapping[str, str] = field(default_factory=dict)
    is_unreplaced: bool = False

    @property
    def is_unnamed(self) -> bool:
        """Whether the id is missing, so that it must be asked for."""
        return not self.external_id and not self.is_unreplaced


def panel_load(row: Mapping[str, object]) -> PanelLink:
    """Read a cohort's stored panel.

    Raises:
        MeasureError: a key is missing or holds something that is not allowed.
    """
    provider = row.get("provider")
    if provider not in PROVIDERS:
        raise MeasureError(f"panel: provider is {provider!r}; allowed are {', '.join(PROVIDERS)}")
    filled = {**_PRESETS[str(provider)], **row}
    captures = filled["captures"]
    if not isinstance(captures, list | tuple):
        raise MeasureError("panel: captures must be a list of parameter names")
    link = PanelLink(
        provider=str(provider),
        id_parameter=_parameter(filled["id_parameter"]),
        captures=tuple(_parameter(name) for name in captures),
        redirect=str(filled["redirect"]),
        codes=_codes(filled.get("codes")),
    )
    _redirect_check(link)
    return link


def redirect_url(
    link: PanelLink, *, outcome: str, external_id: str, captured: Mapping[str, str]
) -> str:
    """Fill the redirect for an outcome, every value URL-encoded; empty where there is none.

    A redirect without `{code}` cannot tell outcomes apart and would credit everybody, as SONA's
    does: it is for completion only.
    """
    if outcome != COMPLETE and "{code}" not in link.redirect:
        return ""
    values = {**captured, "id": external_id, "code": link.codes[outcome]}
    return _PLACEHOLDER.sub(lambda found: quote(values.get(found[1], ""), safe=""), link.redirect)


def is_placeholder(value: str) -> bool:
    """Say whether a panel left its placeholder in the link, as `{{%PROLIFIC_PID%}}`."""
    return _UNREPLACED.search(value) is not None


def arrival_read(link: PanelLink, query: Mapping[str, str]) -> Arrival:
    """Read the parameters of a panel's link; what cannot be an id is none."""
    named = query.get(link.id_parameter, "")
    captured = {
        name: query[name].replace("\x00", "").strip()[:_VALUE_LIMIT]
        for name in link.captures
        if query.get(name) and not is_placeholder(query[name])
    }
    if is_placeholder(named):
        return Arrival("", captured, is_unreplaced=True)
    return Arrival(panel_id_read(link.provider, named), captured)


def is_new_session(kept: Mapping[str, object], captured: Mapping[str, str]) -> bool:
    """Say whether a panel sent somebody with other parameters than those kept."""
    return bool(captured) and any(kept.get(name) != value for name, value in captured.items())


def sessions_join(kept: Mapping[str, object], captured: Mapping[str, str]) -> dict[str, object]:
    """Put a new session's parameters first, and those before it into the list `_earlier`.

    No parameter begins with an underscore, so the list cannot be taken for one.
    """
    last = {name: value for name, value in kept.items() if name != EARLIER}
    earlier = kept.get(EARLIER, [])
    return {**last, **captured, EARLIER: [*(earlier if isinstance(earlier, list) else []), last]}


def link_query(link: PanelLink) -> str:
    """Return the parameters to paste into a panel, with the placeholders that it replaces."""
    marks = _MARKS.get(link.provider, "{{{{{name}}}}}")
    names = (link.id_parameter, *link.captures)
    return "&".join(f"{name}={marks.format(name=_MARK_NAMES.get(name, name))}" for name in names)


# Doubled braces stand for one in str.format.
_MARKS: Final = {"prolific": "{{{{%{name}%}}}}", "sona": "%{name}%"}
_MARK_NAMES: Final = {"survey_code": "SURVEY_CODE"}
_PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    "prolific": {
        "id_parameter": "PROLIFIC_PID",
        "captures": ["STUDY_ID", "SESSION_ID"],
        "redirect": "https://app.prolific.com/submissions/complete?cc={code}",
    },
    "sona": {"id_parameter": "survey_code", "captures": [], "redirect": ""},
    "generic": {"id_parameter": "id", "captures": [], "redirect": ""},
}


def _parameter(value: object) -> str:
    if not isinstance(value, str) or not _PARAMETER.fullmatch(value):
        raise MeasureError(f"panel: {value!r} is no parameter name; allowed are A-Z, a-z, 0-9, _")
    return value


def _codes(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or set(value) != set(OUTCOMES):
        raise MeasureError(f"panel: codes needs exactly the keys {', '.join(OUTCOMES)}")
    codes = {key: str(value[key]).strip() for key in OUTCOMES}
    if not all(codes.values()) or len(set(codes.values())) != len(codes):
        raise MeasureError("panel: codes must be four different texts")
    return codes


def _redirect_check(link: PanelLink) -> None:
    if not link.redirect:
        return
    known = {"code", "id", *link.captures}
    unknown = sorted(set(_PLACEHOLDER.findall(link.redirect)) - known)
    if not link.redirect.startswith("https://") or unknown or _is_host_open(link.redirect):
        raise MeasureError(
            f"panel: redirect is {link.redirect!r}; allowed is an https address with, after its "
            f"host, {', '.join(f'{{{name}}}' for name in sorted(known))}"
        )


def _is_host_open(redirect: str) -> bool:
    """Say whether what a link brings could choose the site to which people are sent."""
    try:
        host = urlsplit(redirect).netloc
    except ValueError:
        return True
    return not host or "{" in host or "\\" in host
