"""Blocks, then sentences, with offsets into the original text."""
