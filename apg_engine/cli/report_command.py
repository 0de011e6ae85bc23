"""`report`: a finished run for people, as Markdown or HTML, in English or Polish."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.model_options import LANGUAGES
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.disk import file_write
from apg_engine.provenance.verification import StoredRun, run_load
from apg_engine.reporting.markdown import published_text, report_markdown
from apg_engine.reporting.page import page_render
from apg_engine.result_json import result_to_dict

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def report_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("report", help="tell a finished run")
    parser.add_argument("run", type=Path, metavar="RUN", help="the folder `gate` wrote")
    parser.add_argument("--language", choices=LANGUAGES, help="default: the run's")
    parser.add_argument("--format", choices=("md", "html"), default="md")
    parser.add_argument(
        "--published", action="store_true", help="only the text people read, without its grounds"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write here, not to the terminal")
    parser.add_argument("--json", action="store_true", help="print the run's record as JSON")


def report_run(options: argparse.Namespace) -> ExitStatus:
    """Verify the run, then tell it; a run that does not hold is not told.

    Raises:
        InputError: there is no finished run, or it does not hold.
    """
    run = run_load(options.run)
    text = _text(run, options)
    if options.out is None:
        sys.stdout.write(text)
    else:
        file_write(options.out, text.encode("utf-8", "surrogatepass"))
    return OF_OUTCOME[run.result.outcome]


def _text(run: StoredRun, options: argparse.Namespace) -> str:
    if options.json:
        return json.dumps(result_to_dict(run.result), ensure_ascii=False) + "\n"
    language = options.language or run.result.config.language
    title = run.trace.title
    if options.published:
        markdown = published_text(run.result, language=language) + "\n"
    else:
        markdown = report_markdown(
            run.result, title=title, question=run.trace.question, language=language
        )
    if options.format == "html":
        return page_render(markdown, title=title, language=language)
    return markdown
