"""One table as one file: a writer for each form, each fed from the table on disk."""
