"""The peer: an oTree 6 server with a survey of as many pages, from an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

_KEY: Final = "benchmark"
_START_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.5
_FIELDS: Final = (
    "models.StringField(choices=['left', 'right'], widget=widgets.RadioSelect, label='Which?')",
    "models.IntegerField(choices=[1, 2, 3, 4, 5], widget=widgets.RadioSelect, label='How much?')",
    "models.LongStringField(blank=True, label='In your own words')",
)
_PAGE: Final = """\
{{{{ block title }}}}Page {number}{{{{ endblock }}}}
{{{{ block content }}}}
{text}
{{{{ formfields }}}}
{{{{ next_button }}}}
{{{{ endblock }}}}
"""
_END: Final = (
    "{{ block title }}The end{{ endblock }}{{ block content }}<p>The end.</p>{{ endblock }}"
)


class PeerError(Exception):
    """The peer could not be started; the message holds its last words."""


def project_write(otree: Path, folder: Path, *, pages: int, words: int) -> None:
    """Write an oTree project whose survey has `pages` pages with a form, and a last one."""
    subprocess.run(  # noqa: S603 (named by who measures)
        [str(otree), "startproject", "peer", "--noinput"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    project, app = folder / "peer", folder / "peer" / "survey"
    app.mkdir()
    (app / "__init__.py").write_text(_app(pages), encoding="utf-8")
    text = "<p>" + "word " * words + "</p>"
    for number in range(1, pages + 1):
        page = _PAGE.format(number=number, text=text)
        (app / f"Page{number}.html").write_text(page, encoding="utf-8")
    (app / "End.html").write_text(_END, encoding="utf-8")
    settings = project / "settings.py"
    config = (
        "\nSESSION_CONFIGS = [dict(name='survey', app_sequence=['survey'], "
        "num_demo_participants=1)]\n"
    )
    settings.write_text(settings.read_text(encoding="utf-8") + config, encoding="utf-8")


@contextmanager
def peer_running(
    otree: Path, folder: Path, *, port: int, database: str, people: int
) -> Iterator[tuple[str, list[str]]]:
    """Start oTree as for production; yield its address and the links of `people` participants.

    Raises:
        PeerError: it did not start.
    """
    environment = {
        **{key: os.environ[key] for key in ("HOME", "LANG") if key in os.environ},
        "PATH": f"{otree.parent}{os.pathsep}{os.environ['PATH']}",
        # Whoever measures finds the processes of a server, and what they started, by it.
        "WEB_BIND": f"127.0.0.1:{port}",
        "OTREE_PRODUCTION": "1",
        "OTREE_AUTH_LEVEL": "STUDY",
        "OTREE_ADMIN_PASSWORD": _KEY,
        "OTREE_REST_KEY": _KEY,
        **({"DATABASE_URL": database} if database else {}),
    }
    log = folder / "otree.log"
    project = folder / "peer"
    with log.open("wb") as told:
        process = subprocess.Popen(  # noqa: S603 (named by who measures)
            [str(otree), "prodserver", f"127.0.0.1:{port}"],
            cwd=project,
            env=environment,
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        yield url, _links(url, people, log)
    finally:
        os.killpg(process.pid, 15)
        process.wait(timeout=20)


def _links(url: str, people: int, log: Path) -> list[str]:
    session = _session(url, people, log)
    found = _ask(f"{url}/api/sessions/{session}", None)
    return [f"/InitializeParticipant/{row['code']}" for row in found["participants"]]


def _session(url: str, people: int, log: Path) -> str:
    """Ask for a session until the server answers; return its code."""
    deadline = time.monotonic() + _START_SECONDS
    body = {"session_config_name": "survey", "num_participants": people}
    while True:
        try:
            return str(_ask(f"{url}/api/sessions", body)["code"])
        except OSError as error:
            if time.monotonic() > deadline:
                raise PeerError(f"oTree: {error}\n{log.read_text()[-2000:]}") from error
            time.sleep(_POLL_SECONDS)


def _ask(url: str, body: dict[str, object] | None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    headers = {"otree-rest-key": _KEY, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data=data, headers=headers)  # noqa: S310 (loopback)
    with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310 (loopback)
        return dict(json.loads(reply.read()))


def _app(pages: int) -> str:
    numbers = range(1, pages + 1)
    fields = [
        f"    q{number}_{at} = {kind}" for number in numbers for at, kind in enumerate(_FIELDS)
    ]
    classes = [
        f"class Page{number}(Page):\n    form_model = 'player'\n    form_fields = "
        f"{[f'q{number}_{at}' for at in range(len(_FIELDS))]}\n"
        for number in numbers
    ]
    return "\n".join([
        "from otree.api import *",
        "class C(BaseConstants):",
        "    NAME_IN_URL = 'survey'",
        "    PLAYERS_PER_GROUP = None",
        "    NUM_ROUNDS = 1",
        "class Subsession(BaseSubsession):\n    pass",
        "class Group(BaseGroup):\n    pass",
        "class Player(BasePlayer):",
        *fields,
        *classes,
        "class End(Page):\n    pass",
        f"page_sequence = [{', '.join(f'Page{number}' for number in numbers)}, End]",
    ])  # fmt: skip
