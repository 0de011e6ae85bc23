"""Files with some bytes changed or their end cut off, from given dice."""

from __future__ import annotations

import random
from collections.abc import Iterator


def bytes_changed(data: bytes, dice: random.Random, *, times: int) -> Iterator[bytes]:
    """Yield the data with a few bytes replaced, a fifth of them cut; the first four bytes stay."""
    for _ in range(times):
        changed = bytearray(data)
        for _ in range(dice.randint(1, 4)):
            changed[dice.randrange(4, len(changed))] ^= dice.randint(1, 255)
        if dice.random() < 0.2:
            del changed[dice.randrange(4, len(changed)) :]
        yield bytes(changed)
