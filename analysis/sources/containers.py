"""The files of a bundle, in a zip or in its folder, and the bytes of any one file."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from analysis.errors import BundleError

_MAX_BYTES: Final = 500_000_000
_ZIP_HEAD: Final = b"PK\x03\x04"
# What zipfile lets through for a file that is packed otherwise, encrypted, cut or changed.
_BROKEN: Final = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, ValueError),
    *(EOFError, OSError, zlib.error),
)


@dataclass(frozen=True, slots=True)
class BundleFiles:
    """The files of one bundle; `form` is `bundle` for a zip and `folder` for a folder."""

    name: str
    form: str
    read: Callable[[str], bytes]
    has: Callable[[str], bool]


def is_zip(data: bytes) -> bool:
    """Tell a zip by its first bytes."""
    return data.startswith(_ZIP_HEAD)


@contextmanager
def zip_files(path: Path) -> Iterator[BundleFiles]:
    """Open a bundle's zip.

    Raises:
        BundleError: No whole zip, or one with a file of more than 500 MB.
    """
    with _opened(path) as archive:
        names = frozenset(archive.namelist())
        yield BundleFiles(path.name, "bundle", partial(_member, archive, path), names.__contains__)


def folder_files(path: Path) -> BundleFiles:
    """The files of an unpacked bundle."""
    return BundleFiles(
        path.name, "folder", partial(_folder_file, path), lambda name: (path / name).is_file()
    )


def file_bytes(path: Path) -> bytes:
    """Read one file.

    Raises:
        BundleError: It is not there, cannot be read, or has more than 500 MB.
    """
    try:
        _size_check(path, path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise BundleError(
            file=str(path),
            place="",
            found=error.strerror or "an error",
            allowed="a file that can be read",
        ) from error


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _BROKEN as error:
        raise _broken(path, error) from error


def _member(archive: zipfile.ZipFile, path: Path, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError as error:
        found = ", ".join(archive.namelist()) or "nothing"
        raise BundleError(
            file=path.name, place="", found=found, allowed=f"{name} at the top of the zip"
        ) from error
    _size_check(path, info.file_size)
    try:
        return archive.read(info)
    except _BROKEN as error:
        raise _broken(path, error) from error


def _broken(path: Path, error: Exception) -> BundleError:
    return BundleError(file=path.name, place="", found=str(error), allowed="a whole zip file")


def _folder_file(path: Path, name: str) -> bytes:
    file = path / name
    if not file.is_file():
        raise BundleError(
            file=path.name, place="", found=f"no {name}", allowed="the folder of a bundle"
        )
    return file_bytes(file)


def _size_check(path: Path, size: int) -> None:
    if size > _MAX_BYTES:
        raise BundleError(
            file=path.name, place="", found=f"{size} bytes", allowed=f"at most {_MAX_BYTES} bytes"
        )
