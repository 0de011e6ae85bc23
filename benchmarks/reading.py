"""How fast a long debate paints and scrolls on a slow phone: 200 turns, 300 kB, Chromium throttled.

The site runs as deployed, on a SQLite file of its own. The phone is Chromium with its CPU slowed
down and its network shaped (both by the DevTools protocol), cache cold. Control, same run: the same
page with every turn laid out at once.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.tables import line_print, progress_print, table_print
from studyapp.management.simulating.site import site_running

ROOT: Final = Path(__file__).resolve().parent.parent
_AIM_SECONDS: Final = 2.0
_SLOW_4G: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
_STUDY: Final = """
from studyapp.models import DebateTrace
from tests.sample_study import sample_study
study = sample_study(slug='read', debates=1, turns={turns})
trace = DebateTrace.objects.get()
said = (
    '**Point {{0}}.** The tide of day {{0}} does not wait for us, and {{1}} units are left.'
    '\\n\\n- first: {{2}}\\n- second: _{{3}}_\\n\\n'
)
words = ('keep the quay dry ' * 3, 'who pays ' * 3)
for place, turn in enumerate(trace.content['turns']):
    part = 0
    while len(turn['text'].encode()) < {each}:
        turn['text'] += said.format(place * 31 + part, part * 7, *words)
        part += 1
DebateTrace.objects.update(content=trace.content, sha256='b' * 64)
print(study.link, sum(len(turn['text'].encode()) for turn in trace.content['turns']))
"""
_EVERY_TURN: Final = ".is-long .turn, .is-long .news { content-visibility: visible !important; }"
_PAINTS: Final = """() => new Promise(done => {
    let largest = 0;
    new PerformanceObserver(list => list.getEntries().forEach(e => largest = e.startTime))
        .observe({type: 'largest-contentful-paint', buffered: true});
    setTimeout(() => done([
        performance.getEntriesByName('first-contentful-paint')[0].startTime, largest,
        performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd]), 500);
})"""
_SCROLL: Final = """() => new Promise(done => {
    const times = []; let last = performance.now(); const start = last;
    const frame = now => {
        times.push(now - last); last = now; scrollBy(0, 80);
        if (now - start < 4000) requestAnimationFrame(frame); else done(times);
    };
    requestAnimationFrame(frame);
})"""


@dataclass(frozen=True, slots=True)
class Reading:
    """One visit, in milliseconds: first and largest paint, end of loading, frames of a scroll."""

    first_paint: float
    largest_paint: float
    loaded: float
    frames: Sequence[float]


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 0 whatever came of it."""
    options = _parser().parse_args(arguments)
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if chromium is None:
        raise SystemExit("needs chromium on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        link, size = _study_build(Path(folder), options)
        with site_running() as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            found = _measure(browser, url, link, options)
            browser.close()
    line_print(
        f"{options.turns} turns, {size} bytes; CPU slowed down {options.cpu} times, "
        f"1.6 Mbit/s, 150 ms; median of {options.repeat} visits"
    )
    table_print(
        ("page", "first paint", "largest paint", "loaded", "frame p50", "p95", "worst"), found
    )
    line_print(f"aim: first paint below {_AIM_SECONDS:.0f} s, frames of 17 ms")
    return 0


def _measure(
    browser: Browser, url: str, link: str, options: argparse.Namespace
) -> list[tuple[str, ...]]:
    context = browser.new_context(
        base_url=url, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True,
        device_scale_factor=2, bypass_csp=True,
    )  # fmt: skip
    address = _to_debate(context.new_page(), link)
    rows = []
    for name, style in (("as served", ""), ("every turn laid out", _EVERY_TURN)):
        visits = []
        for number in range(options.repeat):
            progress_print(f"{name}: visit {number + 1}")
            visits.append(_visit(context, address, style=style, cpu=options.cpu))
        rows.append(_row(name, visits))
    return rows


def _visit(context: BrowserContext, address: str, *, style: str, cpu: float) -> Reading:
    page = context.new_page()
    if style:
        page.add_init_script(
            "document.addEventListener('readystatechange', () => {"
            "if (document.head && !document.getElementById('x')) {"
            "const s = document.createElement('style'); s.id = 'x';"
            f"s.textContent = {style!r}; document.head.append(s); }}}})"
        )
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    network.send("Network.emulateNetworkConditions", dict(_SLOW_4G))
    network.send("Emulation.setCPUThrottlingRate", {"rate": cpu})
    page.goto(address)
    first, largest, loaded = page.evaluate(_PAINTS)
    frames = page.evaluate(_SCROLL)
    page.close()
    return Reading(first, largest, loaded, frames)


def _row(name: str, visits: Sequence[Reading]) -> tuple[str, ...]:
    frames = sorted(frame for visit in visits for frame in visit.frames)
    return (
        name,
        f"{median(visit.first_paint for visit in visits) / 1000:.2f} s",
        f"{median(visit.largest_paint for visit in visits) / 1000:.2f} s",
        f"{median(visit.loaded for visit in visits) / 1000:.2f} s",
        f"{frames[len(frames) // 2]:.0f} ms",
        f"{frames[int(len(frames) * 0.95)]:.0f} ms",
        f"{frames[-1]:.0f} ms",
    )


def _to_debate(page: Page, link: str) -> str:
    page.goto(link)
    page.check("#agree")
    page.click("main .actions button >> nth=0")
    for name in ("age_group", "field", "llm_literacy"):
        page.check(f"#{name}")
    for _ in range(2):
        with page.expect_navigation():
            page.click("main .actions button >> nth=0")
    page.wait_for_selector("#turn-1")
    address = page.url
    page.close()
    return address


def _study_build(folder: Path, options: argparse.Namespace) -> tuple[str, int]:
    os.environ |= {
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "INSECURE_HTTP": "1",
        "VAR_DIR": str(folder),
        "ALLOWED_HOSTS": "127.0.0.1",
        "PYTHONWARNINGS": "ignore",
    }
    _manage("migrate", "--no-input", "-v", "0")
    _manage("collectstatic", "--no-input", "-v", "0")
    code = _STUDY.format(turns=options.turns, each=options.bytes // options.turns)
    link, size = _manage("shell", "--no-imports", "-v", "0", "-c", code).split()
    return link, int(size)


def _manage(*arguments: str) -> str:
    done: Any = subprocess.run(  # noqa: S603 (our own)
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{arguments[0]}: {done.stderr[-2000:]}")
    return str(done.stdout)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--bytes", type=int, default=300_000, help="of the debate's text")
    parser.add_argument("--cpu", type=float, default=6.0, help="how many times slower")
    parser.add_argument("--repeat", type=int, default=5)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
