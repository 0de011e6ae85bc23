"""A whole design as one file: written to be shared, read to be used again or forked."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, Final

from studyapp.domain.definition import FORMAT, VERSION
from studyapp.domain.definition_file import definition_parse
from studyapp.domain.produced import produced_is_told
from studyapp.errors import DefinitionError
from studyapp.models import Cohort, Study
from studyapp.selectors.arm_key import seed_is_secret
from studyapp.services.study.uploads import UploadedFile

_DEFINITION: Final = "study.json"
_DEBATES: Final = "debates"
_PRODUCED: Final = "produced.json"
_FILES_MOST: Final = 200
# What zipfile lets through for a file that is none, is packed otherwise, encrypted, cut or changed.
_BROKEN_ZIP: Final = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError),
    zlib.error,
)
# The same moment for every file, so that the same design gives the same bytes.
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SharedStudy:
    """What a shared file holds: the definition, and the debates it names.

    `produced` says by a debate's file name how a site held it, for those that one held.
    """

    definition: UploadedFile
    debates: tuple[UploadedFile, ...]
    produced: Mapping[str, Any]


def study_share(*, study_id: int, target: IO[bytes]) -> None:
    """Write a study's definition with its debates as a zip; no link, no answer, no generated text.

    Whoever loads it gets links of their own, and generates texts or brings some.
    """
    shared = study_shared(study_id=study_id)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        _file_add(archive, _DEFINITION, shared.definition.data)
        for debate in shared.debates:
            _file_add(archive, f"{_DEBATES}/{debate.name}", debate.data)
        if shared.produced:
            _file_add(archive, _PRODUCED, _json_bytes(shared.produced))


def study_shared(*, study_id: int) -> SharedStudy:
    """Return what a shared file of a study holds."""
    study = Study.objects.get(pk=study_id)
    scenarios = study.scenarios.select_related("trace").order_by("position")
    return SharedStudy(
        UploadedFile(_DEFINITION, _json_bytes(definition_data(study))),
        tuple(UploadedFile(f"{row.key}.json", _json_bytes(row.trace.content)) for row in scenarios),
        {f"{row.key}.json": row.trace.produced for row in scenarios if row.trace.produced},
    )


def definition_data(study: Study) -> dict[str, Any]:
    """Return a study's definition as the JSON data that would create it."""
    optional = {
        "screening": study.screening,
        "translations": study.translations,
        "rules": study.rules,
        "quota": study.quota,
        "plan": study.plan,
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "slug": study.slug[:40],
        "title": study.title,
        "kind": study.kind,
        "test": study.is_test,
        "seed": _seed(study),
        "arms": {"reference": study.reference_arm, "treatment": study.treatment_arm},
        "cohorts": [cohort_data(cohort) for cohort in study.cohorts.order_by("pk")],
        "scenarios": [
            {
                "key": scenario.key,
                "title": scenario.title,
                "trace": f"{_DEBATES}/{scenario.key}.json",
            }
            for scenario in study.scenarios.select_related("trace").order_by("position")
        ],
        "measures": study.measures,
        "background": study.background,
        "texts": study.texts,
        **{key: value for key, value in optional.items() if value},
    }


def cohort_data(cohort: Cohort) -> dict[str, Any]:
    """Return a cohort as a definition writes it: its name, its quota, and what is set."""
    own = {
        "kind": cohort.kind,
        "link": cohort.link_kind,
        "panel": cohort.panel,
        "background": cohort.background,
        "instructions": cohort.instructions,
        "time_pressure": cohort.time_pressure,
    }
    return {
        "name": cohort.name,
        "quota": cohort.quota,
        **{key: value for key, value in own.items() if value},
    }


def shared_read(*, file: UploadedFile, most_bytes: int) -> SharedStudy:
    """Take a shared file apart.

    Raises:
        DefinitionError: it is no zip, holds no definition, or is larger unpacked than allowed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            _size_check(archive, file.name, most_bytes)
            files = {info.filename: archive.read(info) for info in archive.infolist()}
    except _BROKEN_ZIP as error:
        raise _refusal(
            file.name, "the file", str(error), "a zip that `share_study` wrote"
        ) from error
    if _DEFINITION not in files:
        raise _refusal(file.name, _DEFINITION, "nothing", "the definition")
    debates = tuple(
        UploadedFile(name.removeprefix(f"{_DEBATES}/"), data)
        for name, data in files.items()
        if name.startswith(f"{_DEBATES}/") and not name.endswith("/")
    )
    definition = UploadedFile(f"{file.name}: {_DEFINITION}", files[_DEFINITION])
    produced = _produced_read(files[_PRODUCED], file.name) if _PRODUCED in files else {}
    return SharedStudy(definition, debates, produced)


def is_shared(file: UploadedFile) -> bool:
    """Say whether a file is a zip, by its first bytes."""
    return file.data.startswith(b"PK\x03\x04")


def _produced_read(data: bytes, file_name: str) -> dict[str, Any]:
    """Read how debates were held; nobody here saw it, so it is marked as told."""
    told = definition_parse(data, file_name=f"{file_name}: {_PRODUCED}")
    if not all(produced_is_told(one) for one in told.values()):
        raise _refusal(file_name, _PRODUCED, "another shape", "what `share_study` wrote")
    return {name: {**one, "told_by": "shared file"} for name, one in told.items()}


def _seed(study: Study) -> int | None:
    """A study that has or will have a seal keeps its seed: for its fork another one is drawn."""
    return None if seed_is_secret(study) else study.seed


def _json_bytes(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()


def _file_add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, date_time=_MOMENT)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def _size_check(archive: zipfile.ZipFile, name: str, most_bytes: int) -> None:
    """What a zip says of its sizes is checked by zipfile as it is read."""
    infos = archive.infolist()
    total = sum(info.file_size for info in infos)
    if len(infos) > _FILES_MOST or total > most_bytes:
        found = f"{len(infos)} files of {total} bytes"
        raise _refusal(
            name, "the file", found, f"{_FILES_MOST} files of {most_bytes} bytes at most"
        )


def _refusal(file: str, place: str, found: str, allowed: str) -> DefinitionError:
    return DefinitionError(file=file, place=place, found=found, allowed=allowed)
