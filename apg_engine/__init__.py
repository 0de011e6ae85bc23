"""Prompts, models, gate and audit: the Active Provenance Gate as a library."""
