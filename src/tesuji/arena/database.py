"""An SQLite file of results: opened, checked, written in transactions, with errors in plain words."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Self

from tesuji.errors import StoreError

_BUSY_SECONDS = 60


class Database:
    """An open file; without a path it lives in memory and is forgotten.

    One process writes, one transaction a game: whenever it is killed, the file holds exactly what was saved. Others may
    look at it meanwhile, `read_only`.
    """

    #: What a subclass says of its files; another number of the first two is another kind of file.
    APPLICATION_ID: ClassVar[int]
    SCHEMA_VERSION: ClassVar[int]
    SCHEMA: ClassVar[str]

    def __init__(self, path: Path | str | None = None, *, must_exist: bool = False, read_only: bool = False) -> None:
        self.name = "the store in memory" if path is None else str(path)
        self._path = None if path is None else Path(path)
        if self._path is not None:
            _check_place(self._path, must_exist=must_exist or read_only)
        with self._errors():
            # Every statement is a transaction of its own unless begun otherwise.
            self._database = sqlite3.connect(
                _place(self._path, read_only=read_only),
                timeout=_BUSY_SECONDS, isolation_level=None, uri=read_only,
            )  # fmt: skip
        try:
            with self._errors():
                tables = self._check_kind()
                if not read_only:
                    self._set_up(tables)
        except BaseException:
            self._database.close()
            raise

    def _check_kind(self) -> int:
        """The number of tables, where the file is one of ours; none where it is new."""
        self._database.row_factory = sqlite3.Row
        tables = self._number("SELECT count(*) FROM sqlite_schema")
        kind, version = self._number("PRAGMA application_id"), self._number("PRAGMA user_version")
        if tables and kind != self.APPLICATION_ID:
            raise StoreError(f"{self.name} is an SQLite file of something else: name another file")
        if tables and version != self.SCHEMA_VERSION:
            raise StoreError(
                f"{self.name} was written by another version of tesuji (its form is {version}, here it is "
                f"{self.SCHEMA_VERSION}): name another file, or use that version"
            )
        return tables

    def _set_up(self, tables: int) -> None:
        database = self._database
        (state,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise StoreError(f"{self.name} is damaged ({state}): take a copy from before, or name another file")
        database.execute("PRAGMA journal_mode = WAL")
        # In WAL mode this is safe against the death of the process at any moment; only a power failure may cost the
        # last games, which are then played again.
        database.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            with self.transaction():
                if not self._number("SELECT count(*) FROM sqlite_schema"):  # nobody else was faster
                    for statement in self.SCHEMA.split(";\n"):
                        database.execute(statement)
                    database.execute(f"PRAGMA application_id = {self.APPLICATION_ID}")
                    database.execute(f"PRAGMA user_version = {self.SCHEMA_VERSION}")

    def _number(self, query: str) -> int:
        return int(self._database.execute(query).fetchone()[0])

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.name} cannot be used as a store: {error}") from None
        except sqlite3.Error as error:
            raise StoreError(f"{self.name} is no store of results, or it is damaged: {error}") from None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self._errors():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def _check_still_there(self) -> None:
        """SQLite goes on writing to a file that somebody has deleted, and all would be lost in the end."""
        if self._path is not None and not self._path.exists():
            raise StoreError(f"{self.name} was deleted while it was in use: its games are lost, start again")

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _place(path: Path | None, *, read_only: bool) -> str:
    """Where SQLite finds the file. A whole path: some short names mean something else to it, `:memory:` for one."""
    if path is None:
        return ":memory:"
    return f"{path.resolve().as_uri()}?mode=ro" if read_only else str(path.absolute())


def _check_place(path: Path, *, must_exist: bool) -> None:
    """Says in plain words what SQLite would say obscurely."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file for the store")
    if must_exist and not path.exists():
        raise StoreError(f"there is no store {path}")
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent} for the store: make it first")
