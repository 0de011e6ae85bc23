"""The reader of webhooks in docs/api.md, run as it stands there, on messages of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import time_machine

from studyapp.services.notices import delivery_attempt, webhook_test
from tests.sample_study import THEN
from tests.studyapp.services.notices.telling import Post, Receiver, live_study, webhook_of

pytestmark = pytest.mark.django_db

Reader = Callable[[str, dict[str, str], bytes], dict[str, Any]]
_PAGE: Final = Path(__file__).resolve().parents[4] / "docs" / "api.md"
_NOW: Final = THEN + timedelta(days=1)


@pytest.fixture(autouse=True)
def at_now() -> Iterator[None]:
    with time_machine.travel(_NOW, tick=False):
        yield


@pytest.fixture
def reader() -> Reader:
    section = _PAGE.read_text().partition("## Webhooks")[2].partition("\n## ")[0]
    (example,) = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - it is our own page
    return names["message_read"]  # type: ignore[no-any-return]


def _sent(*, ago: timedelta = timedelta()) -> tuple[str, dict[str, str], bytes]:
    """Return secret, headers and body of a message that the site has sent."""
    study, receiver = live_study().study, Receiver()
    made, now = webhook_of(study), _NOW - ago
    delivery = webhook_test(study_id=study.pk, webhook_id=made.id, actor_id=None, now=now)
    delivery_attempt(delivery_id=delivery, now=lambda: now, post=receiver.post, mail=Post().mail)
    ((_, body, headers),) = receiver.got
    return made.secret, dict(headers), body


def test_a_message_of_the_site_is_read(reader: Reader) -> None:
    assert reader(*_sent())["type"] == "test"


def test_one_signature_of_several_is_enough(reader: Reader) -> None:
    secret, headers, body = _sent()
    headers["webhook-signature"] = f"v1,AAAA {headers['webhook-signature']}"
    assert reader(secret, headers, body)["data"] == {"study": "sample"}


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_a_changed_header_is_refused(reader: Reader, name: str) -> None:
    secret, headers, body = _sent()
    changed = str(int(_NOW.timestamp()) + 1) if name == "webhook-timestamp" else headers[name] + "x"
    with pytest.raises(ValueError, match="signature"):
        reader(secret, {**headers, name: changed}, body)


def test_a_changed_body_is_refused(reader: Reader) -> None:
    secret, headers, body = _sent()
    with pytest.raises(ValueError, match="signature"):
        reader(secret, headers, body.replace(b"sample", b"simple"))


def test_a_message_that_is_sent_again_later_is_refused(reader: Reader) -> None:
    with pytest.raises(ValueError, match="five minutes"):
        reader(*_sent(ago=timedelta(minutes=6)))
