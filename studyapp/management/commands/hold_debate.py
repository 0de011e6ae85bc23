"""Have a debate held for a study: by the crisis committee, or a claim on trial."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp import tasks
from studyapp.errors import StudyAppError
from studyapp.models import Study
from studyapp.selectors.debate_choices import (
    COMMITTEE,
    COURTROOM,
    EMBEDDERS,
    PRESETS,
    SCENARIOS,
    SPEAKERS,
    Caps,
    CommitteeWish,
    TrialWish,
    config_file,
)
from studyapp.selectors.debates import debate_find
from studyapp.services.debates import (
    Trunk,
    WantedDebate,
    branch_execute,
    committee_request,
    debate_request,
    trials_request,
)
from studyapp.services.study import UploadedFile


class Command(BaseCommand):
    """Queue the debate for workers, or hold it in this process."""

    help = "Have a debate held for a study; workers do it unless --here is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study and what is debated."""
        parser.add_argument("slug")
        parser.add_argument("system", choices=(COMMITTEE, COURTROOM))
        parser.add_argument("--scenario", choices=SCENARIOS, default=SCENARIOS[0])
        parser.add_argument("--turns", type=int, default=12, help="a multiple of three")
        parser.add_argument("--claim", default="", help="what is tried")
        parser.add_argument("--corpus", type=Path, help="JSON Lines a trial finds evidence in")
        parser.add_argument("--embedder", choices=EMBEDDERS, default=EMBEDDERS[0])
        parser.add_argument("--preset", choices=PRESETS, default=PRESETS[0])
        parser.add_argument("--rounds", type=int, default=10, help="most rounds of a trial")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--speakers", choices=SPEAKERS, default=SPEAKERS[0])
        parser.add_argument("--config", type=Path, help="YAML as `apg_engine debate` takes it")
        parser.add_argument("--max-calls", type=int)
        parser.add_argument("--max-tokens", type=int)
        parser.add_argument("--max-cost", type=float)
        parser.add_argument("--here", action="store_true", help="work in this process")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask for the debate and have it held."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        try:
            trunk = _asked(study.pk, options)
        except StudyAppError as error:
            raise CommandError(str(error), returncode=2) from error
        if options["here"]:
            _hold(trunk)
        else:
            tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)
        self._tell(study, trunk)

    def _tell(self, study: Study, trunk: Trunk) -> None:
        debate = debate_find(study_id=study.pk, debate_id=trunk.debate_id)
        if debate is None:
            raise CommandError(f"debate {trunk.debate_id} is gone")
        ended = f", {debate.result.reason}" if debate.result else ""
        self.stdout.write(f"study {study.slug}: debate {trunk.debate_id} {debate.row.state}{ended}")
        if debate.row.error:
            raise CommandError(debate.row.error)


def _hold(trunk: Trunk) -> None:
    """Do what workers would, branch by branch."""
    waiting = [trunk.branch_id]
    while waiting:
        woken = branch_execute(branch_id=waiting.pop(0), now=timezone.now, environment=os.environ)
        waiting.extend(woken)


def _asked(study_id: int, options: Mapping[str, Any]) -> Trunk:
    who: dict[str, Any] = {"study_id": study_id, "actor_id": None, "now": timezone.now()}
    if options["config"]:
        return debate_request(wanted=_of_file(options), **who)
    caps = Caps(options["max_calls"], options["max_tokens"], options["max_cost"])
    chosen = {"seed": options["seed"], "speakers": options["speakers"], "caps": caps}
    if options["system"] == COMMITTEE:
        given = {"scenario": options["scenario"], "turns": options["turns"]}
        return committee_request(wish=CommitteeWish(**given, **chosen), **who)
    given = {name: options[name] for name in ("preset", "rounds", "embedder")}
    (trunk,) = trials_request(
        claims=[options["claim"]], corpus=_corpus(options), wish=TrialWish(**given, **chosen), **who
    )
    return trunk


def _of_file(options: Mapping[str, Any]) -> WantedDebate:
    path: Path = options["config"]
    system = options["system"]
    config = config_file(
        system, _bytes(path).decode(errors="replace"), file_name=str(path), claim=options["claim"]
    )
    if system == COMMITTEE:
        return WantedDebate(system, path.name[:40], config)
    return WantedDebate(system, path.name[:40], config, _corpus(options), options["embedder"])


def _corpus(options: Mapping[str, Any]) -> UploadedFile:
    path: Path | None = options["corpus"]
    if path is None:
        raise CommandError("a trial needs --corpus FILE", returncode=2)
    return UploadedFile(path.name, _bytes(path))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
