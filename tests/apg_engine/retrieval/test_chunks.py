from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apg_engine.retrieval.chunks import Document, chunks_cut

LONG = " ".join(f"Station {number} reports a flow of {number * 3} litres." for number in range(60))


def test_a_short_document_is_one_chunk() -> None:
    (chunk,) = chunks_cut(Document("d1", "Flow", "Two pumps run. One rests."))
    assert (chunk.id, chunk.text) == ("d1#c0", "Two pumps run. One rests.")


def test_chunks_end_with_sentences_and_share_whole_ones() -> None:
    document = Document("d1", "Flow", LONG)
    chunks = chunks_cut(document, limit=300, shared=60)
    assert all(len(chunk.text) <= 300 and chunk.text.endswith("litres.") for chunk in chunks)
    for before, after in pairwise(chunks):
        assert 0 < before.end - after.start <= 60
        assert LONG[after.start :].startswith("Station")


def test_nothing_is_shared_where_nothing_may_be() -> None:
    chunks = chunks_cut(Document("d1", "", LONG), limit=300, shared=0)
    assert " ".join(chunk.text for chunk in chunks) == LONG


@given(st.text(max_size=400), st.integers(20, 90), st.integers(0, 19))
def test_every_chunk_is_a_piece_of_its_document(text: str, limit: int, shared: int) -> None:
    chunks = chunks_cut(Document("d", "", text), limit=limit, shared=shared)
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(len(chunk.text) <= limit for chunk in chunks)
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))


def test_equal_texts_of_two_documents_share_a_hash_and_no_id() -> None:
    one, two = (chunks_cut(Document(name, "", "The same words."))[0] for name in ("a", "b"))
    assert one.sha256 == two.sha256
    assert one.id != two.id


def test_chunks_that_share_all_of_themselves_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot share"):
        chunks_cut(Document("d", "", "Words."), limit=50, shared=50)
