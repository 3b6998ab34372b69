"""Players by name, and what is said about a bad engines.toml."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji import ArgumentError, Go, Othello, SpecError
from tesuji.arena.catalog import load_engines, resolve_player
from tesuji.arena.gtp_dialects import DIALECTS
from tesuji.arena.gtp_program import GtpProgram
from tesuji.arena.players import Budget, EnginePlayer
from tesuji.errors import TesujiError

BUDGET = Budget(playouts=1000)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str) -> Path:
    path = Path("engines.toml")
    path.write_text(text, encoding="utf-8")
    return path


def program(name: str, budget: Budget = BUDGET) -> GtpProgram:
    player = resolve_player(name, budget, load_engines())
    assert isinstance(player, GtpProgram)
    return player


def test_ready_entries() -> None:
    catalog = load_engines()
    assert set(catalog) == {"gnugo", "fuego", "pachi", "gtp-rhino", "edax", "castro"}
    for entry in catalog.values():
        assert entry.install
        assert entry.dialect in DIALECTS


def test_names_specs_and_command_lines() -> None:
    catalog = load_engines()
    assert resolve_player("@gnugo", BUDGET, catalog) == resolve_player("gnugo", BUDGET, catalog)
    engine = resolve_player("uct(c=0.5)", BUDGET, catalog)
    assert isinstance(engine, EnginePlayer)
    assert engine.budget == BUDGET
    direct = resolve_player("gtp:/opt/my engine/run --level 3 'a b'", BUDGET, catalog)
    assert isinstance(direct, GtpProgram)
    assert direct.command == ("/opt/my", "engine/run", "--level", "3", "a b")
    assert resolve_player("gtp:gnugo", BUDGET, catalog, timeout=3) == GtpProgram(command=("gnugo",), timeout=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@gnugoo", "no program is called 'gnugoo'; .* did you mean 'gnugo'"),
        ("gnugoo", "gnugoo.* did you mean 'gnugo'"),
        ("gtp:", "is empty"),
        ("gtp:gnugo 'mode", "cannot be read: No closing quotation"),
    ],
)
def test_what_names_nobody(text: str, message: str) -> None:
    with pytest.raises((ArgumentError, SpecError), match=message):
        resolve_player(text, BUDGET, load_engines())


def test_the_budget_goes_where_an_entry_asks_for_it() -> None:
    assert program("pachi").command[-4:] == ("{seed}", "-t", "=1000", "threads=1")
    assert program("pachi", Budget(seconds=0.5, threads=4)).command[-3:] == ("-t", "0.5", "threads=4")
    assert "time -i 1000" in program("castro").setup
    assert not any("{" in text for text in program("castro").setup)
    timed = program("castro", Budget(cpu_seconds=3, threads=2))
    assert "time -m 1.5" in timed.setup
    assert not any("time -i" in text for text in timed.setup)
    of_its_own_clock = program("fuego", Budget(cpu_seconds=3, threads=2)).setup
    assert of_its_own_clock[-3:] == ("sg_param time_mode cpu", "go_param timelimit 1.5", "go_param timelimit 3")
    assert program("fuego", Budget(seconds=2)).setup[-2:] == ("sg_param time_mode real", "go_param timelimit 2")
    assert not any("sg_param" in text for text in program("fuego").setup)
    assert program("gnugo").timeout == 60
    assert program("gnugo", Budget(seconds=100)).timeout == 200, "a budget is no hang"


def test_what_a_program_takes_of_the_budget_is_known() -> None:
    assert program("pachi").budget == Budget(playouts=1000)
    assert program("pachi", Budget(cpu_seconds=3, threads=2)).budget == Budget(seconds=1.5, threads=2)
    assert program("fuego", Budget(cpu_seconds=3, threads=2)).budget == Budget(cpu_seconds=3, threads=2)
    assert program("gnugo").budget is None
    assert program("edax").budget is None, "it is told the threads, which is no limit"
    assert resolve_player("gtp:pachi", BUDGET, load_engines()) == GtpProgram(command=("pachi",))


def test_a_program_needs_no_budget_but_an_engine_does() -> None:
    player = resolve_player("pachi", None, load_engines())
    assert isinstance(player, GtpProgram)
    assert player.command[-2:] == ("-s", "{seed}")
    with pytest.raises(ArgumentError, match="needs a budget"):
        resolve_player("uct", None, load_engines())


def test_a_file_adds_and_overrides() -> None:
    path = write('[gnugo]\ncommand = "/opt/gnugo --mode gtp"\n[mine]\ncommand = "mine"\ntimeout = 5\nids = false\n')
    for catalog in (load_engines(), load_engines(path)):
        assert catalog["gnugo"].command == "/opt/gnugo --mode gtp"
        assert catalog["gnugo"].install == "apt install gnugo", "keys that the file does not name stay"
        assert catalog["mine"].player(BUDGET) == GtpProgram(command=("mine",), timeout=5, ids=False)
        assert "fuego" in catalog


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[a]\ncommand = "x"\nname =\n', r"engines.toml is no TOML: .*line 3"),
        ('command = "x"', "engines.toml: 'command' stands outside a table"),
        ("[a]\n", r"engines.toml, \[a\]: the command line is missing"),
        ('[a]\ncommand = " "', r"engines.toml, \[a\]: the command line is missing"),
        ('[a]\ncomand = "x"', r"\[a\]: there is no key 'comand'; .* did you mean 'command'"),
        ("[a]\ncommand = 3", r"\[a\]: command must be a text, not 3"),
        ('[a]\ncommand = "x"\nsetup = "y"', "setup must be a list of texts"),
        ('[a]\ncommand = "x"\nsetup = [1]', "setup must be a list of texts"),
        ('[a]\ncommand = "x"\nsetup = ["a\\nb"]', r"\[a\]: a set-up command must be one line"),
        ('[a]\ncommand = "x"\ntimeout = true', "timeout must be a number of seconds, not True"),
        ('[a]\ncommand = "x"\ntimeout = -1', r"\[a\]: timeout must be positive"),
        ('[a]\ncommand = "x"\nids = 1', "ids must be true or false"),
        ('[a]\ncommand = "x"\ndialect = "chess"', r"\[a\]: there is no dialect 'chess'"),
        ('[a]\ncommand = "x {playouts}"', r"command: \{playouts\} means nothing here; known are \{seed\}"),
        ('[a]\ncommand = "x"\nsetup = ["x {visits}"]', r"setup: \{visits\} means nothing here; known are \{playouts\}"),
        ('[a]\ncommand = "x \'y"', r"\[a\]: .*No closing quotation"),
        ('["a b"]\ncommand = "x"', "a name has letters"),
        ("a = " + "[" * 100_000, "is no TOML: maximum recursion depth"),
    ],
)
def test_a_bad_file_is_told_with_its_entry(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        load_engines(write(text))


def test_a_file_that_cannot_be_read() -> None:
    with pytest.raises(ArgumentError, match=r"cannot read the engines in nowhere.toml: No such file"):
        load_engines(Path("nowhere.toml"))
    Path("binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ArgumentError, match=r"binary.toml: it is no UTF-8 text"):
        load_engines(Path("binary.toml"))
    with pytest.raises(ArgumentError, match="cannot read the engines in"):
        load_engines(Path())


@given(text=st.text(max_size=80))
def test_any_text_is_a_player_or_an_error_of_ours(text: str) -> None:
    with contextlib.suppress(TesujiError):
        resolve_player(text, BUDGET, load_engines())


def test_a_wrong_path_says_how_to_get_the_program() -> None:
    write('[gnugo]\ncommand = "/no/such/gnugo --mode gtp"')
    with pytest.raises(ArgumentError, match=r"there is no program '/no/such/gnugo': .* To get it: apt install gnugo"):
        program("gnugo").check(Go(9))
    write('[far-away]\ncommand = "/no/such/pachi -d 0"\ninstall = "ask around"')
    with pytest.raises(ArgumentError, match=r"the player pachi: .* To get it: ask around"):
        program("gtp:/no/such/pachi -t =500").check(Go(9))
    with pytest.raises(ArgumentError, match=r"the player other: there is no program [^.]*$"):
        program("gtp:/no/such/other -t =500").check(Go(9))
    write('[gnugo]\ncommand = "sh -c gnugo"')
    with pytest.raises(ArgumentError, match=r"the player gnugo: it plays go, not othello$"):
        program("gnugo").check(Othello())
