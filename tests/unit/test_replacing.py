"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tesuji.replacing import replacing


def test_a_file_is_there_when_all_has_gone_well(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with replacing(path) as beside:
        beside.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_goes_wrong_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def interrupted() -> None:
        with replacing(path) as beside:
            beside.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_goes_on_to_lead_to_the_file(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    link.symlink_to(path)
    with replacing(link) as beside:
        beside.write_text("new")
    assert path.read_text() == "new"
    assert link.is_symlink()


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    """A pipe, or /dev/null, must not be replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with replacing(pipe) as beside:
        beside.write_text("new")
    reader.join()
    assert read == ["new"]
    assert pipe.is_fifo()
    with pytest.raises(IsADirectoryError), replacing(tmp_path) as beside:
        beside.write_text("new")
