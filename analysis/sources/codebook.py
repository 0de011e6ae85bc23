"""Read a bundle's codebook."""

from __future__ import annotations

from analysis import schema
from analysis.errors import BundleError
from analysis.schema import CodebookRow
from analysis.sources.tables import table_read


def codebook_rows(data: bytes) -> tuple[CodebookRow, ...]:
    """Read `codebook.csv`; text cells come back as they were written.

    Raises:
        BundleError: The columns are not those of the schema.
    """
    table = table_read(data, file=schema.CODEBOOK_FILE)
    if table.head != schema.CODEBOOK_COLUMNS:
        raise BundleError(
            file=table.file,
            place="row 1",
            found=", ".join(table.head),
            allowed=", ".join(schema.CODEBOOK_COLUMNS),
        )
    return tuple(CodebookRow(*map(schema.text_unescape, cells)) for _, cells in table.rows)
