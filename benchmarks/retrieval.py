"""How long a search takes: 360,000 x 384 synthetic vectors on one core, beside a plain product.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.retrieval [--rows 360000] [--queries 20]

Aim: under 50 ms a query. The limit is one pass over the same memory by numpy, on the same core.
Processor time is told too, as a core that other work shares is not one core.
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
    search, busy = _medians(lambda at: index.search(asked[at], count=10), queries)
    product, _ = _medians(lambda at: (vectors @ asked[at]).argmax(), queries)
    load = os.getloadavg()[0]
    sys.stdout.write(
        f"{rows} x {WIDTH} vectors, {queries} queries, one core, load {load:.1f}\n"
        f"search, 10 nearest   {search * 1e3:7.1f} ms (median), {busy * 1e3:.1f} ms of the core\n"
        f"plain product        {product * 1e3:7.1f} ms (median)   ratio {search / product:.2f}\n"
        f"aim: under 50 ms     {'reached' if search < 0.05 else 'missed'}; "
        f"by time of the core {'reached' if busy < 0.05 else 'missed'}\n"
    )


def _medians(run: Callable[[int], object], times: int) -> tuple[float, float]:
    """Give the median seconds that passed, and of those this thread had the core."""
    passed, busy = [], []
    for at in range(times):
        start, own = time.perf_counter(), time.thread_time()
        run(at)
        passed.append(time.perf_counter() - start)
        busy.append(time.thread_time() - own)
    return statistics.median(passed), statistics.median(busy)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=360_000)
    parser.add_argument("--queries", type=int, default=20)
    given = parser.parse_args()
    main(given.rows, given.queries)
