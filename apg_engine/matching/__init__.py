"""Comparing a sentence with the corpus, token by token, with offsets kept."""
