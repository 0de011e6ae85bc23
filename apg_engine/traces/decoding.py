"""From a file's bytes to a JSON document whose texts can be stored, printed and hashed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from apg_engine.errors import TraceError
from apg_engine.traces.json_field import shortened

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A JSON document free of characters that break storage, and what had to be replaced."""

    document: object
    warnings: tuple[str, ...]


def text_from_bytes(data: bytes, *, file_name: str, max_bytes: int) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises:
        TraceError: the file is over the size limit or not UTF-8.
    """
    if len(data) > max_bytes:
        raise TraceError(
            file_name, "the whole file", f"{len(data)} bytes", f"at most {max_bytes} bytes"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TraceError(
            file_name, f"byte {error.start}", f"byte 0x{error.object[error.start]:02x}", "UTF-8"
        ) from error


def json_lines_from_text(text: str, *, file_name: str) -> Decoded | None:
    """Parse JSON Lines into a list; None where the text is not several objects on their lines.

    Raises:
        TraceError: a line after the first is not one whole JSON document.
    """
    # Not splitlines: JSON texts may hold U+2028 and other characters that it splits at.
    lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) < 2 or not _is_whole(lines[0][1]):
        return None
    decoded = [json_from_text(line, file_name=f"{file_name}: line {n}") for n, line in lines]
    warnings = (
        f"line {n}: {warning}"
        for (n, _), part in zip(lines, decoded, strict=True)
        for warning in part.warnings
    )
    return Decoded([part.document for part in decoded], tuple(warnings))


def json_from_text(text: str, *, file_name: str) -> Decoded:
    """Parse strict JSON: one document, no key twice, no NaN or Infinity.

    A raw NUL and a lone surrogate become U+FFFD with a warning: PostgreSQL stores no NUL and UTF-8
    has no surrogates, so keeping them would fail much later and name no place.

    Raises:
        TraceError: the text is not such a document, or nested too deeply to read.
    """
    try:
        document = json.loads(
            text.replace("\0", REPLACEMENT),
            object_pairs_hook=lambda pairs: _without_duplicates(pairs, file_name),
            parse_constant=lambda name: _refuse_constant(name, file_name),
        )
    except json.JSONDecodeError as error:
        raise _syntax_error(error, file_name) from error
    except RecursionError as error:
        raise _too_deep(file_name) from error
    except ValueError as error:  # an integer of thousands of digits
        raise TraceError(file_name, "a number", str(error), "numbers of a usual size") from error
    cleaned = clean_document(document, file_name=file_name)
    raw = text.count("\0")
    if raw == 0:
        return cleaned
    return Decoded(cleaned.document, (f"{raw} NUL bytes became U+FFFD", *cleaned.warnings))


def clean_document(document: object, *, file_name: str) -> Decoded:
    """Replace NUL and lone surrogates in every text of a parsed document.

    Raises:
        TraceError: the document is nested too deeply to read.
    """
    warnings: list[str] = []
    try:
        return Decoded(_cleaned(document, "", warnings), tuple(warnings))
    except RecursionError as error:
        raise _too_deep(file_name) from error


def clean_text(text: str) -> str:
    """The text with U+FFFD in place of NUL and lone surrogates; length in characters is kept."""
    if "\0" not in text and text.isascii():
        return text
    return "".join(REPLACEMENT if _breaks_storage(char) else char for char in text)


def _is_whole(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _breaks_storage(char: str) -> bool:
    return char == "\0" or "\ud800" <= char <= "\udfff"


def _cleaned(value: object, place: str, warnings: list[str]) -> object:
    match value:
        case str():
            return _cleaned_text(value, place, warnings)
        case list():
            return [_cleaned(item, f"{place}[{i}]", warnings) for i, item in enumerate(value)]
        case dict():
            return {
                key: _cleaned(item, f"{place}.{ascii(key)[1:-1]}".lstrip("."), warnings)
                for key, item in value.items()
            }
        case _:
            return value


def _cleaned_text(text: str, place: str, warnings: list[str]) -> str:
    cleaned = clean_text(text)
    if cleaned != text:
        count = sum(before != after for before, after in zip(text, cleaned, strict=True))
        warnings.append(f"{place}: {count} NUL or lone surrogate became U+FFFD")
    return cleaned


def _without_duplicates(pairs: list[tuple[str, object]], file_name: str) -> dict[str, object]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
    raise TraceError(file_name, f"an object's field {shortened(twice)}", "it twice", "it once")


def _refuse_constant(name: str, file_name: str) -> object:
    raise TraceError(file_name, "a number", name, "finite numbers")


def _syntax_error(error: json.JSONDecodeError, file_name: str) -> TraceError:
    at_end = error.doc[error.pos :].strip() == ""
    found = "the end of the file" if at_end else f"broken JSON ({error.msg})"
    return TraceError(
        file_name, f"line {error.lineno}, column {error.colno}", found, "one whole JSON document"
    )


def _too_deep(file_name: str) -> TraceError:
    return TraceError(file_name, "the document", "lists or objects nested too deeply", "a trace")
