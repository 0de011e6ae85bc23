"""How many participants does one server carry, and how near is that to what the machine can do?

`python -m benchmarks.serve` starts a private PostgreSQL and gunicorn as it is deployed, lets N
people go the whole way at once, and prints requests a second, percentiles, errors and lost answers,
and the load generator's own share of the CPU, which it takes from the same cores. In the same run
a view on the same server and database is asked for as many queries and as large an answer (the
limit), and with `--otree PATH` an oTree 6 with a survey of as many pages (the peer). Nothing is
asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.private_database import database_new
from benchmarks.process_time import cpu_seconds
from benchmarks.serve_otree import PeerError, peer_running, project_write
from benchmarks.tables import line_print, table_print
from studyapp.management.simulating.site import port_free, site_running
from tests.private_servers import Server, postgres_start, slot_take

ROOT: Final = Path(__file__).resolve().parent.parent
_AIM_OF_LIMIT, _AIM_OF_PEER, _AIM_P95 = 0.5, 3.0, 1 / 3
_STUDY: Final = (
    "from studyapp.models import Study; from tests.sample_study import sample_study; "
    "s = sample_study(slug='served'); Study.objects.update(is_test=False); "
    "print(s.study.pk, s.link)"
)
_STORED: Final = (
    "from studyapp.models import Participant, Response; "
    "done = Participant.objects.filter(completed_at__isnull=False); "
    "print(done.count(), Response.objects.count())"
)


@dataclass(frozen=True, slots=True)
class Load:
    """What the load generator measured; pages are answers with a body, others redirects."""

    name: str
    finished: int
    requests: Sequence[Sequence[Any]]
    plan: Sequence[Sequence[int]]
    seconds: float
    cpu_seconds: float
    server_cpu_seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.requests) / self.seconds

    @property
    def pages(self) -> float:
        """Pages a second: answers with status 200."""
        return sum(int(row[1]) == 200 for row in self.requests) / self.seconds

    def milliseconds(self, share: float) -> float:
        """Return a percentile of the answer time."""
        times = sorted(row[2] for row in self.requests)
        return float(1000 * times[min(len(times) - 1, int(share * len(times)))])

    @property
    def errors(self) -> int:
        """Answers that are no page and no redirect."""
        return sum(row[1] not in (200, 302, 303, 307) for row in self.requests)


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    slot = slot_take()
    postgres = postgres_start(slot)
    try:
        with tempfile.TemporaryDirectory() as place:
            _measure(options, Path(place), postgres)
    finally:
        postgres.stop()
        slot.lock.close()
    return 0


@dataclass(frozen=True, slots=True)
class Generator:
    """Runs the load generator; its files lie in `folder`."""

    folder: Path

    def run(self, kind: str, url: str, links: Sequence[str], *extra: str, people: int) -> Load:
        """Let people go through; `extra` are further options of the generator."""
        web = f"WEB_BIND={urlsplit(url).netloc}"
        before = cpu_seconds(web)
        known = self.folder / "links.json"
        known.write_text(json.dumps(list(links)))
        command = [
            *(sys.executable, "-m", "benchmarks.serve_load", kind, "--url", url),
            *("--links", str(known), "--people", str(people), *extra),
        ]
        done = subprocess.run(  # noqa: S603 (our own)
            command, cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"the load generator failed: {done.stderr[-2000:]}")
        used = cpu_seconds(web) - before
        return Load(kind, **json.loads(done.stdout), server_cpu_seconds=used)


def _measure(options: argparse.Namespace, folder: Path, postgres: Server) -> None:
    generator, people = Generator(folder), options.people
    at_once = ("--concurrency", str(options.concurrency))
    plan = folder / "plan.json"
    _environment_set(folder, postgres)
    _manage("migrate", "--no-input", "-v", "0")
    _manage("collectstatic", "--no-input", "-v", "0")
    key, link = _manage("shell", "--no-imports", "-v", "0", "-c", _STUDY).split()
    with site_running() as url:
        warm = generator.run("site", url, [link], "--concurrency", "1", people=5)
        counted = generator.run("site", url, [link], "--concurrency", "1", "--count", people=1)
        before = _stored()
        site = generator.run("site", url, [link], *at_once, people=people)
        after = _stored()
        plan.write_text(json.dumps(counted.plan))
        limit = generator.run("limit", url, [key], *at_once, "--plan", str(plan), people=people)
    lost = people * before[1] // before[0] - (after[1] - before[1])
    loads = [site, limit]
    if options.otree:
        loads += _peer(options, generator, postgres, pages=_pages(counted))
    _tell(loads, people=people, lost=lost, warm=warm)


def _peer(
    options: argparse.Namespace, generator: Generator, postgres: Server, *, pages: int
) -> list[Load]:
    otree, folder, people = Path(options.otree), generator.folder, options.people
    database = database_new(postgres) if options.peer_on_postgres else ""
    at_once = ("--concurrency", str(options.concurrency))
    try:
        project_write(otree, folder, pages=pages, words=options.peer_words)
        with peer_running(
            otree, folder, port=port_free(), database=database, people=people + 5
        ) as (url, links):
            generator.run("otree", url, links[people:], "--concurrency", "1", people=5)
            return [generator.run("otree", url, links[:people], *at_once, people=people)]
    except (PeerError, OSError, subprocess.CalledProcessError) as error:
        line_print(f"the peer was not measured: {error}")
        return []


def _pages(load: Load) -> int:
    """How many forms a participant sends: as many pages the peer's survey has."""
    return sum(row[0] == "POST" for row in load.requests)


def _tell(loads: Sequence[Load], *, people: int, lost: int, warm: Load) -> None:
    cores = os.cpu_count() or 1
    one, five, fifteen = os.getloadavg()
    line_print(
        f"{people} people on {cores} cores; load average {one:.1f}, {five:.1f}, {fifteen:.1f}"
    )
    head = ("what", "finished", "requests/s", "pages/s", "p50 ms", "p95 ms", "p99 ms", "errors",
            "web CPU ms/request", "generator's CPU")  # fmt: skip
    table_print(head, [_row(load, cores) for load in loads])
    site, limit = loads[0], loads[1]
    share = site.rate / limit.rate
    line_print(f"of the limit: {share:.2f} (aim {_AIM_OF_LIMIT})")
    line_print(f"lost answers: {lost}; statuses {dict(Counter(row[1] for row in site.requests))}")
    line_print(f"one at a time: p50 {warm.milliseconds(0.5):.0f} ms")
    for peer in loads[2:]:
        line_print(f"pages a second to oTree's: {site.pages / peer.pages:.1f} (aim {_AIM_OF_PEER})")
        p95 = site.milliseconds(0.95) / peer.milliseconds(0.95)
        line_print(f"p95 to oTree's: {p95:.2f} (aim {_AIM_P95:.2f})")


def _row(load: Load, cores: int) -> tuple[str, ...]:
    share = load.cpu_seconds / load.seconds / cores
    return (
        load.name,
        str(load.finished),
        f"{load.rate:.0f}",
        f"{load.pages:.0f}",
        *(f"{load.milliseconds(part):.0f}" for part in (0.5, 0.95, 0.99)),
        str(load.errors),
        f"{1000 * load.server_cpu_seconds / len(load.requests):.1f}",
        f"{share:.0%} of {cores} cores",
    )


def _environment_set(folder: Path, postgres: Server) -> None:
    """Name everything the site needs; the processes below inherit it."""
    os.environ |= {
        "DATABASE_URL": database_new(postgres),
        "SECRET_KEY": secrets.token_urlsafe(48),
        "INSECURE_HTTP": "1",
        "VAR_DIR": str(folder),
        "ALLOWED_HOSTS": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "benchmarks.serve_settings",
        "PYTHONWARNINGS": "ignore",
    }


def _stored() -> tuple[int, int]:
    people, answers = _manage("shell", "--no-imports", "-v", "0", "-c", _STORED).split()
    return int(people), int(answers)


def _manage(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 (our own)
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.stderr[-2000:]}")
    return done.stdout


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=200)
    parser.add_argument("--otree", help="the program `otree` of an environment of its own")
    parser.add_argument(
        "--peer-on-postgres", action="store_true", help="oTree on PostgreSQL, needs psycopg2 there"
    )
    parser.add_argument("--peer-words", type=int, default=1500, help="words on each of its pages")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
