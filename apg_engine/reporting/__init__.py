"""A run told to an engineer or a reviewer: what was published, and every ground for it."""
