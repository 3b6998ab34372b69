"""Two processes whose work does not look at the stop. Ctrl-C ends it as a command line would; a folder keeps the marks.

It is run as a program of its own, since it is interrupted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from tesuji.arena.pool import Pool


def begin_and_never_end(mark: Path, _stopped: Callable[[], bool]) -> int:
    mark.touch()
    time.sleep(1000)
    return 0


def main() -> None:
    folder = Path(sys.argv[1])
    try:
        with Pool[Path, int](2, begin_and_never_end) as pool:
            pool.run([folder / "1", folder / "2"], print)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
