from __future__ import annotations

import numpy as np
import pytest

from apg_engine.retrieval.embedding import WIDTH, Embedder, HashedWords
from apg_engine.retrieval.minilm import minilm_load
from apg_engine.retrieval.novelty import novelty_of
from apg_engine.retrieval.vector_index import vector_index

NEAR = "The vaccine lowers the risk of severe illness."
ALSO_NEAR = "Severe illness is less likely after vaccination."
FAR = "The bridge was closed to lorries on Tuesday."


def embedders() -> list[Embedder]:
    return [HashedWords(), minilm_load()]


@pytest.mark.parametrize("embedder", embedders(), ids=lambda embedder: embedder.name)
def test_rows_have_unit_length_and_do_not_depend_on_their_neighbours(embedder: Embedder) -> None:
    together = embedder.embed([NEAR, FAR, ALSO_NEAR])
    assert together.shape == (3, WIDTH)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(together[2], embedder.embed([ALSO_NEAR])[0])


@pytest.mark.parametrize("embedder", embedders(), ids=lambda embedder: embedder.name)
def test_a_text_about_the_same_is_nearer(embedder: Embedder) -> None:
    query, near, far = embedder.embed([NEAR, ALSO_NEAR, FAR])
    assert query @ near > query @ far + 0.1


def test_no_text_and_an_empty_text_have_vectors_too() -> None:
    assert HashedWords().embed([]).shape == (0, WIDTH)
    assert not HashedWords().embed(["…"]).any()


def test_the_model_knows_a_paraphrase_where_words_do_not() -> None:
    # The float weights give 0.7553 for this pair; int8 may differ a little.
    one, two = minilm_load().embed(["A man is eating food.", "A man is eating a piece of bread."])
    assert float(one @ two) == pytest.approx(0.755, abs=0.03)


def test_new_is_what_nothing_admitted_and_nothing_before_it_says() -> None:
    found = novelty_of([NEAR, FAR, FAR], [NEAR], HashedWords())
    assert found[0] == pytest.approx(0.0, abs=1e-6)
    assert found[1] > 0.5
    assert found[2] == pytest.approx(0.0, abs=1e-6)


def test_everything_is_new_beside_nothing() -> None:
    assert novelty_of([NEAR], [], HashedWords()) == [1.0]


def test_the_index_finds_what_one_product_finds() -> None:
    dice = np.random.default_rng(3)
    rows = dice.normal(size=(500, WIDTH)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    query = rows[7]
    expected = np.argsort(-(rows @ query), kind="stable")[:5].tolist()
    assert [near.row for near in vector_index(rows).search(query, count=5)] == expected
    assert vector_index(rows[:0]).search(query, count=5) == []
