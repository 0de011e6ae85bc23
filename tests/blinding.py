"""One participant's whole way, searched for leaks by the code of `manage.py check_blinding`."""

from __future__ import annotations

from studyapp.management.blinding.crawl import Crawl, Got
from studyapp.management.blinding.leak_words import word_leaks
from studyapp.management.visiting.browser import InnerBrowser
from studyapp.models import Study
from studyapp.selectors.blinding import blind_study


def crawled(link: str) -> list[Got]:
    """Go from the link to the last page, and return every answer of the site on the way."""
    crawl = Crawl(InnerBrowser(), right={}, seen=set())
    crawl.take_part(link)
    return crawl.got


def leaks(*answers: Got) -> list[str]:
    """List what answers give away of the only study there is; empty if nothing."""
    study = blind_study(Study.objects.get())
    return [
        str(leak)
        for got in answers
        for leak in word_leaks(got.answer, got.page, study, is_finished=got.is_finished)
    ]
