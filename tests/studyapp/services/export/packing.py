"""Exports as files in a test's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studyapp.domain.export_options import BUNDLE, file_name, options_load
from studyapp.models import Study
from studyapp.services.export.bundle import bundle_pack, tables_write
from studyapp.services.export.single_file import file_write


def packed(study: Study, folder: Path, **switches: Any) -> Path:
    """Write an export of everybody, unless switches say otherwise, and return its file."""
    options = options_load({"data": "both", **switches})
    work = folder / f"work-{len(list(folder.iterdir()))}"
    work.mkdir()
    written = tables_write(study_id=study.pk, options=options, folder=work)
    path = work / file_name(study.slug, options)
    if options.form == BUNDLE:
        with path.open("w+b") as target:
            bundle_pack(written, target)
    else:
        file_write(written, path)
    return path
