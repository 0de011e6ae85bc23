"""Paired analysis of a study's answers."""
