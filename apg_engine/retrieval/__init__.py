"""Finding evidence: documents in chunks, vectors of their texts, and the index over them."""
