"""Take a study's answers out: as a bundle, or one table as one file."""

from studyapp.services.export.bundle import ExportReceipt, bundle_export, bundle_write
from studyapp.services.export.single_file import file_export

__all__ = ["ExportReceipt", "bundle_export", "bundle_write", "file_export"]
