"""How long a search takes: 360,000 x 384 synthetic vectors on one core, beside a plain product.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.retrieval [--rows 360000] [--queries 20]

Aim: under 50 ms a query. The limit is one pass over the same memory by numpy, on the same core.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from apg_engine.retrieval.embedding import WIDTH
from apg_engine.retrieval.vector_index import vector_index


def main(rows: int, queries: int) -> None:
    """Measure and print."""
    dice = np.random.default_rng(7)
    vectors = dice.standard_normal((rows, WIDTH), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    asked = [vectors[dice.integers(rows)] for _ in range(queries)]
    index = vector_index(vectors)
    search = _median(lambda at: index.search(asked[at], count=10), queries)
    product = _median(lambda at: (vectors @ asked[at]).argmax(), queries)
    load = os.getloadavg()[0]
    sys.stdout.write(
        f"{rows} x {WIDTH} vectors, {queries} queries, one core, load {load:.1f}\n"
        f"search, 10 nearest   {search * 1e3:7.1f} ms (median)\n"
        f"plain product        {product * 1e3:7.1f} ms (median)   ratio {search / product:.2f}\n"
        f"aim: under 50 ms     {'reached' if search < 0.05 else 'missed'}\n"
    )


def _median(run: Callable[[int], object], times: int) -> float:
    seconds = []
    for at in range(times):
        start = time.perf_counter()
        run(at)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=360_000)
    parser.add_argument("--queries", type=int, default=20)
    given = parser.parse_args()
    main(given.rows, given.queries)
