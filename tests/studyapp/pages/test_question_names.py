"""What a page calls its own fields and places, no question may be called."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from studyapp.domain.question_keys import is_reserved
from studyapp.models import Study
from tests.studyapp.entering import SCREENING, live_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db


def pages() -> Iterator[Walker]:
    """Walk to each page with questions."""
    study = live_study()
    Study.objects.update(screening=SCREENING, rules={"evidence_links": True})
    walker = Walker().get(study.link).send()
    for ending in ("/questions-first/", "/about-you/", "/reports/"):
        yield walker.walk_to("", ending)


def is_a_question_s(name: str, keys: set[str]) -> bool:
    return any(name == key or name.startswith((f"{key}.", f"{key}-")) for key in keys)


def test_no_page_has_a_name_that_a_question_may_have() -> None:
    study = None
    for page in pages():
        study = study or Study.objects.get()
        rows = (*study.measures, *study.background, *study.screening)
        keys = {str(row["key"]) for row in rows}
        names = [row for row in page.page.attributes if row[1] == "name" and row[0] != "meta"]
        found = {value for _tag, _name, value in names} | set(page.page.ids)
        free = {name for name in found if not is_reserved(name) and not is_a_question_s(name, keys)}
        assert free == set(), page.address
