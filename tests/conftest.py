"""Settings that all tests share."""

import gc

from hypothesis import settings

# The same examples in every run: a red test stays red until it is mended. To look further:
# pytest --hypothesis-profile=explore
settings.register_profile("tesuji", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile("tesuji")


def pytest_unconfigure() -> None:
    """Hypothesis leaves the garbage collector a callback, and that keeps the positions of all tests alive for so long
    that nanobind says they were leaked."""
    gc.callbacks.clear()
