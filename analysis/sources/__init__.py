"""Readers, one form of file each."""
