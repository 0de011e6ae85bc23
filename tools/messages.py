"""Keep the translations: collect the site's strings, check that none is missing, compile.

    python tools/messages.py collect|check|compile

Babel does in Python what needs GNU gettext elsewhere. The one tool that uses the environment.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
_KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


def messages_collect() -> None:
    """Bring every language's file up to date; new strings stand in it without a translation."""
    found = messages_found()
    for file in _catalogues():
        catalog = _read(file)
        found.creation_date = catalog.creation_date  # an unchanged file stays as it is
        catalog.update(found, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        with file.open("wb") as target:
            write_po(
                target, catalog, width=100, sort_output=True, omit_header=False, no_location=True
            )


def messages_compile() -> None:
    """Write the compiled file beside each language's file."""
    for file in _catalogues():
        file.with_suffix(".mo").write_bytes(_compiled(_read(file)))


def messages_check() -> list[str]:
    """Return a line for each string that is missing, and each file that is not compiled."""
    return [problem for file in _catalogues() for problem in _problems(file)]


def _problems(file: Path) -> Iterator[str]:
    catalog = _read(file)
    place = file.relative_to(ROOT)
    for message in messages_found():
        if message.id:
            yield from (f"{place}: {text}" for text in _message_problems(catalog, message))
    compiled = file.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != _compiled(catalog):
        yield f"{place} is not compiled: python tools/messages.py compile"


def _message_problems(catalog: Catalog, message: Message) -> Iterator[str]:
    known = catalog.get(message.id, message.context)
    texts = (
        ()
        if known is None
        else known.string
        if isinstance(known.string, tuple)
        else (known.string,)
    )
    if not all(texts):
        yield f"no translation of {message.id!r}"
        return
    if known is not None:
        yield from (f"{message.id!r}: {error}" for error in known.check(catalog))


def messages_found() -> Catalog:
    """Return every string that code and templates mark for translation."""
    catalog = Catalog(charset="utf-8")
    for file in _sources():
        for line, function, texts in _extract(file):
            context, ids = _ids(function, texts)
            flags = ("python-format",) if any("%(" in text for text in ids) else ()
            catalog.add(
                ids if len(ids) > 1 else ids[0],
                locations=[(str(file.relative_to(ROOT)), line)],
                flags=flags,
                context=context,
            )
    return catalog


def _extract(file: Path) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    source = file.read_text(encoding="utf-8")
    if file.suffix == ".html":
        # What Django makes of a template is Python but for its indentation.
        lines = templatize(source, origin=str(file)).splitlines()
        source = "\n".join(line.strip() for line in lines)
    found = extract_python(BytesIO(source.encode()), _KEYWORDS, (), {"encoding": "utf-8"})
    for line, function, texts, _ in found:
        given = tuple(text for text in _all_of(texts) if text)
        if given:
            yield line, str(function), given


def _all_of(texts: object) -> tuple[str, ...]:
    """Babel gives one text bare and several in a tuple, whatever its types say."""
    return tuple(texts) if isinstance(texts, tuple | list) else (str(texts),)


def _ids(function: str, texts: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    count = 2 if "ngettext" in function or "npgettext" in function else 1
    if function.startswith(("pgettext", "npgettext")):
        return texts[0], texts[1 : 1 + count]
    return None, texts[:count]


def _sources() -> Iterator[Path]:
    yield from sorted((ROOT / "studyapp").rglob("*.py"))
    yield from sorted((ROOT / "templates").rglob("*.html"))


def _catalogues() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def _read(file: Path) -> Catalog:
    with file.open("rb") as source:
        return read_po(source, locale=file.parent.parent.name)


def _compiled(catalog: Catalog) -> bytes:
    target = BytesIO()
    write_mo(target, catalog)
    return target.getvalue()


def main(task: str) -> int:
    """Run one task; the exit code is 1 where the check found something."""
    settings.configure()
    if task == "collect":
        messages_collect()
    elif task == "compile":
        messages_compile()
    problems = messages_check() if task == "check" else []
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
