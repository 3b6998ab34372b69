"""Files that are replaced as a whole or not at all: an interrupt or a full disk leaves the old one as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """A place beside a file to write to; what was written there takes the file's place once all has gone well."""
    target = Path(path).resolve()  # of a link, not the link itself
    if target.exists() and not target.is_file():
        yield target  # a pipe, /dev/null, or a folder, which will say so
        return
    beside = target.with_name(target.name + ".new")
    try:
        yield beside
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
