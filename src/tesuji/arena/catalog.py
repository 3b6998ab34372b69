"""Players by name: `engines.toml` says how to run other programs, and a spec names our own engines."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from tesuji.arena.cluster_player import PREFIX as CLUSTER_PREFIX
from tesuji.arena.cluster_player import parse_cluster_player
from tesuji.arena.gtp_program import DEFAULT_TIMEOUT, GtpProgram
from tesuji.arena.players import Budget, EnginePlayer, PlayerSpec, needed
from tesuji.engines import parse_engine
from tesuji.errors import ArgumentError, SpecError, shown, suggestion
from tesuji.games.own import AnyPosition

USER_FILE: Final = Path("engines.toml")
COMMAND_PREFIX: Final = "gtp:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
# The seed stays in the text until the game is known.
_PLACEHOLDERS: Final = ("playouts", "seconds", "cpu_seconds", "clock", "threads", "seed")


@dataclass(frozen=True, kw_only=True)
class CatalogEntry:
    """A program as `engines.toml` describes it; what depends on the budget is still open."""

    name: str
    command: str
    options: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    dialect: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    ids: bool = True
    install: str = ""

    def player(self, budget: Budget | None) -> GtpProgram:
        """The program with this budget. Options and commands that ask for what the budget does not say are left out."""
        values = {} if budget is None else _values(budget)
        options = _filled(self.options, values)
        return GtpProgram(
            name=self.name,
            command=(*shlex.split(self.command), *(part for option in options for part in shlex.split(option))),
            setup=_filled(self.setup, values),
            dialect=self.dialect,
            timeout=max(self.timeout, 2 * _longest(budget)),
            ids=self.ids,
            install=self.install,
            budget=self._taken(values),
        )

    def _taken(self, values: Mapping[str, float | str]) -> Budget | None:
        """What the program takes of the budget; None where that is no limit."""
        asked_for = {name for text in (*self.options, *self.setup) for name in _PLACEHOLDER.findall(text)} - {"clock"}
        if "cpu_seconds" in asked_for & values.keys():
            asked_for.discard("seconds")
        taken: dict[str, Any] = {name: value for name, value in values.items() if name in asked_for}
        return Budget(**taken) if taken.keys() - {"threads"} else None


Catalog = Mapping[str, CatalogEntry]

# What a key may hold, and how to say it.
_KEYS: Final[dict[str, tuple[type | tuple[type, ...], str]]] = {
    "command": (str, "a text"),
    "options": (list, "a list of texts"),
    "setup": (list, "a list of texts"),
    "dialect": (str, "a text"),
    "timeout": ((int, float), "a number of seconds"),
    "ids": (bool, "true or false"),
    "install": (str, "a text"),
}


def load_engines(path: Path | None = None) -> Catalog:
    """The programs that come with tesuji, and those of a file: of `path`, else of ./engines.toml where there is one.

    An entry of the file adds a program. Under a known name its keys override ours, one by one.
    """
    own = resources.files("tesuji.arena") / "engines.toml"
    tables = _read_tables(own.read_text(encoding="utf-8"), "tesuji's own engines.toml")
    entries = {name: _entry(name, table, "tesuji's own engines.toml") for name, table in tables.items()}
    file = path if path is not None else USER_FILE
    if path is None and not file.exists():
        return entries
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ArgumentError(f"cannot read the engines in {file}: {reason}") from None
    for name, table in _read_tables(text, str(file)).items():
        entries[name] = _entry(name, {**tables.get(name, {}), **table}, str(file))
    return entries


def _read_tables(text: str, source: str) -> dict[str, dict[str, Any]]:
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:  # its message has the line
        raise ArgumentError(f"{source} is no TOML: {error}") from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ArgumentError(f"{source}: {name!r} stands outside a table: write it under a name such as [my-engine]")
    return tables


def _entry(name: str, table: dict[str, Any], source: str) -> CatalogEntry:
    where = f"{source}, [{name}]"
    if _NAME.fullmatch(name) is None:
        raise ArgumentError(f"{where}: a name has letters, digits, '-', '_' and '.' only")
    for key, value in table.items():
        if key not in _KEYS:
            raise ArgumentError(
                f"{where}: there is no key {key!r}; known are {', '.join(_KEYS)}{suggestion(key, _KEYS)}"
            )
        _check_value(f"{where}: {key}", value, *_KEYS[key])
        _check_placeholders(f"{where}: {key}", value, ("seed",) if key == "command" else _PLACEHOLDERS)
    if not table.get("command", "").strip():
        raise ArgumentError(f'{where}: the command line is missing: write command = "..."')
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    entry = CatalogEntry(name=name, **values)
    try:
        for budget in (
            None,
            Budget(playouts=1),
            Budget(seconds=1),
            Budget(cpu_seconds=1),
        ):  # finds what is wrong with the values
            entry.player(budget)
    except (ArgumentError, ValueError) as error:
        raise ArgumentError(f"{where}: {error}") from None
    return entry


def _check_value(where: str, value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    is_right = isinstance(value, kind) and (isinstance(value, bool) == (kind is bool))
    if isinstance(value, list):
        is_right = is_right and all(isinstance(text, str) for text in value)
    if not is_right:
        raise ArgumentError(f"{where} must be {wanted}, not {shown(value)}")


def _check_placeholders(where: str, value: object, known: tuple[str, ...]) -> None:
    for text in value if isinstance(value, list) else [value]:
        for placeholder in _PLACEHOLDER.findall(str(text)):
            if placeholder not in known:
                names = ", ".join(f"{{{name}}}" for name in known)
                raise ArgumentError(f"{where}: {{{placeholder}}} means nothing here; known are {names}")


def _values(budget: Budget) -> dict[str, float | str]:
    """What the placeholders stand for; one that the budget does not say is missing."""
    values: dict[str, float | str | None] = {"playouts": budget.playouts, "threads": budget.threads}
    if budget.seconds is not None:
        values |= {"seconds": budget.seconds, "clock": "real"}
    elif budget.cpu_seconds is not None:
        values |= {"seconds": budget.cpu_seconds / budget.threads, "cpu_seconds": budget.cpu_seconds, "clock": "cpu"}
    return {name: value for name, value in values.items() if value is not None}


def _longest(budget: Budget | None) -> float:
    return 0.0 if budget is None else max(budget.seconds or 0.0, budget.cpu_seconds or 0.0)


def _filled(templates: tuple[str, ...], values: Mapping[str, float | str]) -> tuple[str, ...]:
    filled = []
    for template in templates:
        names = [name for name in _PLACEHOLDER.findall(template) if name != "seed"]
        if all(name in values for name in names):
            text = template
            for name in names:
                value = values[name]
                text = text.replace(f"{{{name}}}", f"{value:g}" if isinstance(value, float) else str(value))
            filled.append(text)
    return tuple(filled)


def resolve_player(
    text: str,
    budget: Budget | None,
    catalog: Catalog,
    *,
    timeout: float | None = None,
    start: AnyPosition | None = None,
) -> PlayerSpec:
    """The player that a text names: `gtp:COMMAND LINE`, `@name` or a name of the catalog, or the spec of an engine.

    An engine behind `cluster(n=8)+` plays on so many simulated machines.

    A program takes of the budget what its entry knows to pass on; beyond that it plays as strongly as it plays.
    `timeout` is the longest wait for an answer of a program, in seconds. `start` says which engine is the `best`.
    """
    if text.startswith(CLUSTER_PREFIX):
        return parse_cluster_player(text, needed(budget), start=start)
    if text.startswith(COMMAND_PREFIX):
        program = _program_of_command(text.removeprefix(COMMAND_PREFIX), catalog)
    elif text.removeprefix("@") in catalog:
        program = catalog[text.removeprefix("@")].player(budget)
    elif text.startswith("@"):
        known = ", ".join(catalog)
        raise ArgumentError(f"no program is called {shown(text[1:])}; known are {known}{suggestion(text[1:], catalog)}")
    else:
        try:
            engine = parse_engine(text, position=start)
        except SpecError as error:
            close = suggestion(text, catalog)
            raise SpecError(f"{error}{close}") if close else error from None
        return EnginePlayer(engine=engine, budget=needed(budget))
    return program if timeout is None else replace(program, timeout=timeout)


def _program_of_command(text: str, catalog: Catalog) -> GtpProgram:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise ArgumentError(f"the command line {shown(text)} cannot be read: {error}") from None
    # A program of the catalog with options of one's own is got in the same way.
    same = (entry for entry in catalog.values() if entry.install and shlex.split(entry.command)[:1] == command[:1])
    return GtpProgram(command=tuple(command), install=next((entry.install for entry in same), ""))
