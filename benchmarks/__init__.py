"""Measurements, each a command: `python -m benchmarks.NAME --help`."""
