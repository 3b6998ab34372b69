"""What happens while the engine thinks: analysis, its end, interrupts, pondering, and the clock."""

from __future__ import annotations

import re
import time

import pytest

from tests.gtp.conversation import PATIENCE, Live, answers
from tesuji import Go, Search, parse_engine
from tesuji.gtp import thinker as thinker_module
from tesuji.gtp.clock import Allowance
from tesuji.gtp.lead import ScoreLeads
from tesuji.gtp.thinker import Settings, Thinker, is_decided, is_unstable
from tesuji.search import RootMove

LZ = re.compile(
    r"info move ([A-HJ]\d|pass) visits (\d+) winrate (\d{1,5}) prior (\d{1,5}) lcb (\d{1,5}) order (\d+)"
    r" pv (?:[A-HJ]\d|pass)(?: [A-HJ]\d| pass)*"
)
KATA = re.compile(
    r"info move ([A-HJ]\d|pass) visits (\d+) utility (-?[01]\.\d{6}) winrate ([01]\.\d{6})"
    r" scoreMean (-?\d+\.\d\d) scoreLead (-?\d+\.\d\d) prior ([01]\.\d{6})"
    r" lcb ([01]\.\d{6}) order (?P<order>\d+) pv (?:[A-HJ]\d|pass)(?: [A-HJ]\d| pass)*"
)
SABAKI = re.compile(
    r"info move ([A-HJ]\d|pass) visits (\d+) winrate (\d{1,5})"
    r" scoreMean (-?\d+\.\d\d) scoreLead (-?\d+\.\d\d) prior (\d{1,5})"
    r" lcb (\d{1,5}) order (\d+) pv (?:[A-HJ]\d|pass)(?: [A-HJ]\d| pass)*"
)
PATTERNS = {"lz-": LZ, "kata-": KATA, "": SABAKI}


def infos(line: str) -> list[str]:
    return ["info " + part for part in line.removeprefix("info ").split(" info ")]


# Lizzie, Sabaki and KataGo's friends; the interrupting line may be empty, and is never lost.
@pytest.mark.parametrize("command", ["lz-analyze 5", "kata-analyze b 5", "analyze B 5", "lz-analyze w interval 5"])
@pytest.mark.parametrize("interrupt", ["protocol_version", "", "# a comment", "nosuch"])
def test_any_line_ends_an_analysis(command: str, interrupt: str) -> None:
    pattern = PATTERNS[command.partition("analyze")[0]]
    with Live() as engine:
        engine.send(f"17 {command}")
        assert engine.line() == "=17"
        for _ in range(2):
            moves = [pattern.fullmatch(info) for info in infos(engine.line())]
            assert all(moves)
        engine.send(interrupt)
        rest = engine.lines_until_empty()
        assert all(line.startswith("info ") for line in rest)
        expected = {"protocol_version": ["= 2"], "nosuch": ["? unknown command 'nosuch'"]}.get(interrupt)
        if expected is not None:
            assert engine.lines_until_empty() == expected
        assert engine.ask("5 name") == ["=5 tesuji"]


def test_the_end_of_the_input_ends_an_analysis() -> None:
    with Live() as engine:
        engine.send("kata-analyze 1")
        engine.line()


def test_what_analysis_lists() -> None:
    with Live(size=5, engine="uct") as engine:
        engine.send("kata-analyze b 5 maxmoves 3 ownership true rootInfo true")
        engine.line()
        line = engine.line()
        moves, _, more = line.partition(" rootInfo ")
        assert len(infos(moves)) == 3
        root, _, ownership = more.partition(" ownership ")
        assert re.fullmatch(r"visits \d+ winrate [01]\.\d{6}", root)
        assert len(ownership.split()) == 25
        assert all(-1 <= float(value) <= 1 for value in ownership.split())
        engine.send("lz-analyze b 5 avoid b A1,B1,C1 1 allow b C3,D3,A1 1 minmoves 10")
        engine.lines_until_empty()
        engine.line()
        shown = {info.split()[2] for info in infos(engine.line())}
        assert shown == {"C3", "D3"}


def test_the_best_move_comes_first_and_visits_grow() -> None:
    with Live(size=5) as engine:
        engine.send("kata-analyze 5")
        engine.line()
        first, second = infos(engine.line()), infos(engine.line())
        engine.send("")
    for moves in (first, second):
        found = [KATA.fullmatch(info) for info in moves]
        assert [int(match["order"]) for match in found if match] == list(range(len(moves)))
    assert int(second[0].split()[4]) > int(first[0].split()[4])


def _leads(engine: Live, command: str) -> dict[str, float]:
    engine.send(command)
    engine.line()
    found = [KATA.fullmatch(info) for info in infos(engine.line())]
    engine.send("")
    engine.lines_until_empty()
    return {match[1]: float(match[6]) for match in found if match}


def test_the_lead_is_the_movers_and_counts_komi() -> None:
    """Black owns the whole of this board, and whatever White does now is lost."""
    with Live(size=5) as engine:
        for column in "ABCDE":
            for row in (2, 4):
                engine.ask(f"play b {column}{row}")
        engine.ask("komi 3")
        black = _leads(engine, "kata-analyze b 5")
        white = _leads(engine, "kata-analyze w 5")
        assert all(lead == pytest.approx(22, abs=1) for lead in black.values())
        assert all(lead == pytest.approx(-22, abs=1) for lead in white.values())
        engine.ask("komi -3")
        assert all(lead == pytest.approx(28, abs=1) for lead in _leads(engine, "kata-analyze b 5").values())


def test_a_move_that_is_seldom_looked_at_is_not_shown_unless_asked_for() -> None:
    with Live(size=5) as engine:
        for line in ("play b B1", "play b A2", "play b C2", "play w B2"):
            engine.ask(line)
        engine.send("lz-analyze b 100")
        engine.line()
        visits = [int(info.split()[4]) for info in infos(engine.line())]
        assert min(visits) >= 0.02 * max(visits)
        engine.send("lz-analyze b 5 minmoves 21")
        engine.lines_until_empty()
        engine.line()
        assert len(infos(engine.line())) == 21


@pytest.mark.parametrize("restriction", ["allow b A1,B1 1", "avoid w A1 1 avoid b C3,C2,C4,B3,D3 2 allow b C3,E5 1"])
def test_a_genmove_keeps_to_what_is_allowed(restriction: str) -> None:
    with Live(size=5) as engine:
        *_, play = engine.ask(f"kata-genmove_analyze b 5 {restriction}")
        assert play in ({"play A1", "play B1"} if restriction.startswith("allow") else {"play E5"})


def test_nothing_allowed_is_an_error() -> None:
    for command in ("analyze", "genmove_analyze"):
        (answer,) = answers([f"kata-{command} b 5 allow b C3 1 avoid b C3 1"], size=5)
        assert answer == "? avoid and allow leave no legal move"


def test_analysis_moves_nothing_and_serves_the_move_after_it() -> None:
    with Live(playouts=30) as engine:
        before = engine.ask("showboard")
        engine.send("lz-analyze 5")
        engine.line()
        engine.line()
        assert engine.ask("showboard")[-1:] != ["="]
        engine.lines_until_empty()
        assert engine.ask("showboard") == before
        assert engine.ask("genmove b")[0].startswith("= ")


@pytest.mark.parametrize("dialect", ["lz-", "kata-", ""])
def test_no_line_ends_a_genmove(dialect: str) -> None:
    pattern = PATTERNS[dialect]
    with Live(playouts=None, seconds=0.5, early_stop=False) as engine:
        began = time.monotonic()
        engine.send(f"9 {dialect}genmove_analyze b 5")
        engine.send("name")
        engine.send("")
        lines = engine.lines_until_empty()
        assert time.monotonic() - began >= 0.5
        assert lines[0] == "=9"
        assert len(lines) > 3
        assert all(pattern.fullmatch(info) for line in lines[1:-1] for info in infos(line))
        assert re.fullmatch(r"play [A-HJ]\d", lines[-1])
        assert engine.lines_until_empty() == ["= tesuji"]
        move = lines[-1].split()[1]
        assert engine.ask(f"play w {move}")[0].startswith("? illegal move"), "the move has been made"


def test_goguis_interrupt_ends_a_genmove() -> None:
    with Live(playouts=None, seconds=1000.0) as engine:
        engine.send("genmove b")
        time.sleep(0.1)
        engine.send("# interrupt")
        assert re.fullmatch(r"= [A-HJ]\d", engine.lines_until_empty()[0])


def test_an_error_in_an_analysis_is_an_answer() -> None:
    assert answers(["kata-analyze 5 interval", "name"]) == ["? syntax error: 'interval' wants 1 more words", "= tesuji"]


# ---- pondering and tree reuse


def _visits(engine: Live) -> int:
    return sum(int(word) for word in " ".join(engine.ask("tesuji-visits")).split() if word.isdigit())


def test_pondering_thinks_while_nobody_asks() -> None:
    with Live(ponder=True, playouts=20) as engine:
        engine.ask("genmove b")
        deadline = time.monotonic() + PATIENCE
        while _visits(engine) < 500 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert _visits(engine) >= 500
        assert re.fullmatch(r"= [A-HJ]\d", engine.ask("genmove w")[0])


def test_without_pondering_nothing_happens() -> None:
    with Live(playouts=20) as engine:
        engine.ask("genmove b")
        time.sleep(0.2)
        assert _visits(engine) <= 40


@pytest.mark.parametrize("reuse", [True, False])
def test_the_tree_is_kept_from_move_to_move(reuse: bool) -> None:
    with Live(playouts=400, reuse=reuse, size=5, early_stop=False) as engine:
        engine.ask("genmove b")
        engine.ask("genmove w")
        search = engine.session.thinker._search
        known = 0 if search is None else sum(move.visits for move in search.glance())
        assert (known > 0) == reuse


def test_an_undone_move_is_forgotten_by_the_search() -> None:
    with Live(playouts=100, size=5) as engine:
        for line in ("genmove b", "undo", "genmove b", "play w pass", "play b pass", "genmove w"):
            assert engine.ask(line)[0].startswith("=")
        engine.ask("undo")
        assert engine.session.thinker._search is None, "what came before a position is no part of it, but of the rules"


# ---- when to stop


def _moves(*visits_and_values: tuple[int, float]) -> list[RootMove]:
    return [RootMove(number, visits, value) for number, (visits, value) in enumerate(visits_and_values)]


def test_a_lead_that_cannot_be_caught_up_is_decided() -> None:
    moves = _moves((100, 0.5), (60, 0.6))
    assert is_decided(moves, 39)
    assert not is_decided(moves, 40)
    assert not is_decided(_moves((100, 0.5)), 1)


def test_a_rival_of_better_value_makes_the_root_unstable() -> None:
    assert is_unstable(_moves((100, 0.5), (60, 0.6)))
    assert not is_unstable(_moves((100, 0.5), (60, 0.4)))
    assert not is_unstable(_moves((100, 0.5), (30, 0.9)))


def _settings(playouts: int | None, **how: bool) -> Settings:
    return Settings(engine=parse_engine("uct(c=0.2)"), playouts=playouts, max_memory="64MB", **how)


def _capture(thinker: Thinker) -> Search:
    """A board with a capture that nobody would miss."""
    return thinker.new_search(Go.from_stones(black=["B1", "A2", "C2"], white=["B2"], size=5), seed=1)


def _think(playouts: int | None, *, allowance: Allowance | None = None, **how: bool) -> tuple[int, str]:
    """The visits after a thought, and the move."""
    thinker = Thinker(_settings(playouts, **how))
    result = thinker.think(_capture(thinker), began=time.monotonic(), allowance=allowance)
    return result.visits, result.position.format_move(result.best_move)


def test_early_stop_spends_less_and_chooses_the_same() -> None:
    whole, early = _think(4000, early_stop=False), _think(4000)
    assert whole[0] == 4000
    assert early[0] < 4000
    assert early[1] == whole[1]


def test_a_move_that_is_proven_lost_ends_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    thinker = Thinker(_settings(400))
    search = _capture(thinker)
    moves = [RootMove(0, 10**6, 0.0, "loss"), RootMove(1, 10, 0.5), RootMove(2, 9, 0.5)]
    monkeypatch.setattr(search, "glance", lambda: moves)
    assert thinker.think(search, began=time.monotonic()).visits == 400
    moves[1] = RootMove(1, 1000, 0.5)
    assert thinker.think(search, began=time.monotonic()).visits < 800, "the others are decided"


def test_a_clock_without_time_still_gets_a_move() -> None:
    visits, move = _think(None, allowance=Allowance(target=0.0, limit=0.0))
    assert visits >= 1
    assert move


@pytest.mark.parametrize(("unstable", "more_time"), [(True, True), (True, False), (False, True)])
def test_an_unstable_root_gets_more_time_and_no_more_than_the_limit(
    monkeypatch: pytest.MonkeyPatch, unstable: bool, more_time: bool
) -> None:
    monkeypatch.setattr(thinker_module, "is_unstable", lambda _: unstable)
    thinker = Thinker(_settings(None, early_stop=False, more_time=more_time))
    began = time.monotonic()
    thinker.think(_capture(thinker), began=began, allowance=Allowance(target=0.05, limit=0.3))
    is_extended = unstable and more_time
    assert thinker.planned_seconds == (0.3 if is_extended else 0.05)
    assert time.monotonic() - began >= thinker.planned_seconds


@pytest.mark.parametrize(
    ("engine", "early_stop", "limit", "planned"),
    [
        ("uct", True, 1.0, 0.125),
        ("uct", True, 0.11, 0.11),
        ("uct", False, 1.0, 0.1),
        ("uct+final=value", True, 1.0, 0.1),
    ],
)
def test_where_searches_end_early_the_others_may_take_longer(
    monkeypatch: pytest.MonkeyPatch, engine: str, early_stop: bool, limit: float, planned: float
) -> None:
    monkeypatch.setattr(thinker_module, "is_decided", lambda *_: False)
    thinker = Thinker(Settings(engine=parse_engine(engine), early_stop=early_stop, more_time=False, max_memory="64MB"))
    thinker.think(_capture(thinker), began=time.monotonic(), allowance=Allowance(target=0.1, limit=limit))
    assert thinker.planned_seconds == pytest.approx(planned)


def test_commands_that_wait_for_another_have_their_own_time() -> None:
    began = time.monotonic()
    assert len(answers(["genmove b", "genmove w"], playouts=None, seconds=0.3, early_stop=False)) == 2
    assert time.monotonic() - began >= 0.6


def test_playouts_are_a_limit_beside_the_clock() -> None:
    assert _think(50, allowance=Allowance(target=1000.0, limit=1000.0), early_stop=False)[0] == 50


@pytest.mark.slow
def test_a_game_by_the_clock_is_not_lost_on_time() -> None:
    """Both sides have five seconds for the whole game, and the time is taken from outside."""
    for game in ("go", "othello", "havannah"):
        spent = [0.0, 0.0]
        with Live(playouts=None, game=game, lag=0.01) as engine:
            engine.ask("time_settings 5 0 0")
            for number in range(300):
                player = number % 2
                colour = "bw"[player] if game != "havannah" else "wb"[player]
                began = time.monotonic()
                (answer,) = engine.ask(f"genmove {colour}")
                spent[player] += time.monotonic() - began
                if not re.fullmatch(r"= [A-Ja-j]\d+", answer):
                    break
        assert max(spent) < 5, game


def test_leads_are_kept_only_of_what_is_shown() -> None:
    position = Go(5)
    leads = ScoreLeads(position, seed=1)
    for number in range(30):  # every line of a long analysis has other variations
        search = Search(position, "uct", seed=number)
        assert len(leads.of(search.run(playouts=60).moves)) == 26
    assert len(leads._means) <= 11
