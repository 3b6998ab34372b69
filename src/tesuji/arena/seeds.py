"""Seeds from seeds."""

from __future__ import annotations

import hashlib


def derive_seed(seed: int, *labels: int | str) -> int:
    """A seed for one purpose, from the one seed of the whole: neighbours have nothing in common."""
    text = ":".join(str(label) for label in (seed, *labels))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
