"""Clocks, and what they allow a move to take."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gtp.conversation import Live
from tesuji.games.registry import make_game
from tesuji.gtp.clock import NO_LIMIT, Clock, TimeSettings
from tesuji.gtp.player import moves_left

ABSOLUTE = TimeSettings(kind="absolute", main=10)
CANADIAN = TimeSettings(kind="canadian", main=10, period=30, stones=3)
BYOYOMI = TimeSettings(kind="byoyomi", main=10, period=5, periods=2)


def test_without_a_limit_anything_is_allowed() -> None:
    assert Clock.begin(NO_LIMIT).allowance(moves_left=10, lag=0.1) is None
    assert Clock.begin(NO_LIMIT).after_move(1000) == Clock.begin(NO_LIMIT)


def test_absolute_time_runs_out() -> None:
    clock = Clock.begin(ABSOLUTE).after_move(4)
    assert (clock.seconds, clock.count) == (6, 0)
    assert (clock.after_move(7).seconds, clock.after_move(7).count) == (0, 0)
    allowance = clock.after_move(7).allowance(moves_left=5, lag=0.1)
    assert allowance is not None
    assert (allowance.target, allowance.limit) == (0, 0)


def test_what_is_kept_is_for_the_end_of_absolute_time_alone() -> None:
    for settings, is_kept in ((ABSOLUTE, True), (CANADIAN, False), (BYOYOMI, False)):
        clock = Clock.begin(settings)
        with_all, with_less = (clock.allowance(moves_left=1, lag=0, kept=kept) for kept in (0, 3))
        assert with_all is not None
        assert with_less is not None
        assert with_all.target - with_less.target == pytest.approx(3 if is_kept else 0)


def test_moves_that_take_longer_than_meant_make_the_next_ones_shorter() -> None:
    """As on a machine that is busy with other things: the time for a long game is kept in hand."""
    with Live() as engine:
        player = engine.session.player
        player.set_time(TimeSettings(kind="absolute", main=1000))
        player.spend(0, 5.0, planned=5.0)
        as_meant = player.allowance(0)
        player.set_time_left(0, 1000, 0)
        player.spend(0, 5.0, planned=1.0)
        late = player.allowance(0)
        assert as_meant is not None
        assert late is not None
        assert late.target < as_meant.target - 0.8, "a part of four seconds for this move, and for 27 more"


# Black has the upper part of the board, White the lower one, and nothing is left to play for.
SETTLED = [
    *(f"play b {column}{row}" for column in "ABCDEFGHJ" for row in (5, 7)),
    *(f"play w {column}{row}" for column in "ABCDEFGHJ" for row in (4, 2)),
]


def test_a_look_at_the_board_has_to_fit_into_the_time() -> None:
    """It decides on a pass; but playouts for it, at every move of a late game, can cost more than there is."""
    with Live(playouts=20) as engine:
        for line in (*SETTLED, "time_settings 1000 0 0"):
            engine.ask(line)
        player = engine.session.player
        assert engine.ask("reg_genmove b") != ["= pass"]
        assert engine.ask("genmove b") == ["= pass"]
        engine.ask("undo")
        player._look_seconds = 1e3
        assert engine.ask("genmove b") != ["= pass"], "too slow the last time"
        assert player._look_seconds < 1e3, "it may have been slow only once"
        engine.ask("undo")
        player._look_seconds = 40.0
        engine.ask("play w pass")
        assert engine.ask("genmove b") == ["= pass"], "after a pass it may take longer"


def test_a_board_that_was_set_up_is_as_late_as_one_that_was_played(tmp_path: Path) -> None:
    file = tmp_path / "settled.sgf"
    black, white = ("".join(f"[{column}{row}]" for column in "abcdefghi" for row in rows) for rows in ("ce", "fh"))
    file.write_text(f"(;SZ[9]KM[7.5]AB{black}AW{white}PL[B])")
    allowances = []
    for lines in (SETTLED, [f"loadsgf {file}"]):
        with Live(playouts=20) as engine:
            for line in (*lines, "time_settings 1000 0 0"):
                assert engine.ask(line)[0].startswith("=")
            allowances.append(engine.session.player.allowance(0))
            assert engine.ask("genmove b") == ["= pass"]
    assert allowances[0] == allowances[1]


def test_canadian_overtime_begins_anew_with_its_last_stone() -> None:
    clock = Clock.begin(CANADIAN).after_move(12)
    assert (clock.seconds, clock.count) == (28, 2)
    clock = clock.after_move(8)
    assert (clock.seconds, clock.count) == (20, 1)
    clock = clock.after_move(1)
    assert (clock.seconds, clock.count) == (30, 3)


def test_a_period_of_byo_yomi_comes_back_unless_it_was_used_up() -> None:
    clock = Clock.begin(BYOYOMI).after_move(12)
    assert (clock.seconds, clock.count) == (5, 2)
    assert clock.after_move(4.9) == clock
    assert clock.after_move(6).count == 1


def test_without_main_time_overtime_begins_at_once() -> None:
    clock = Clock.begin(TimeSettings(kind="canadian", period=30, stones=3))
    assert (clock.seconds, clock.count) == (30, 3)
    # As Lizzie sets it: so many seconds for every stone.
    allowance = Clock.begin(TimeSettings(kind="canadian", period=2, stones=1)).allowance(moves_left=40, lag=0.1)
    assert allowance is not None
    assert 1.5 < allowance.target == allowance.limit < 1.9


def test_what_byo_yomi_grants_is_used() -> None:
    in_main, in_overtime = Clock.begin(BYOYOMI), Clock.begin(BYOYOMI).after_move(11)
    for clock in (in_main, in_overtime):
        allowance = clock.allowance(moves_left=40, lag=0.1)
        assert allowance is not None
        assert 4 < allowance.target < 5


@st.composite
def _settings(draw: st.DrawFn) -> TimeSettings:
    seconds = st.floats(0.1, 1000)
    kind = draw(st.sampled_from(["absolute", "canadian", "byoyomi"]))
    if kind == "absolute":
        return TimeSettings(kind="absolute", main=draw(seconds))
    count = draw(st.integers(1, 25))
    main, period = draw(st.one_of(st.just(0.0), seconds)), draw(seconds)
    if kind == "canadian":
        return TimeSettings(kind="canadian", main=main, period=period, stones=count)
    return TimeSettings(kind="byoyomi", main=main, period=period, periods=count)


@given(settings=_settings(), lag=st.floats(0, 1), moves=st.integers(1, 200), uses_limit=st.booleans())
def test_a_player_who_keeps_to_it_never_loses_on_time(
    settings: TimeSettings, lag: float, moves: int, uses_limit: bool
) -> None:
    """Every move takes what it may, and the lag besides where there is time for it."""
    clock = Clock.begin(settings)
    for number in range(moves):
        allowance = clock.allowance(moves_left=moves - number, lag=lag)
        assert allowance is not None
        assert 0 <= allowance.target <= allowance.limit
        spent = allowance.limit if uses_limit else allowance.target
        if spent > 0:
            spent += lag
        available = clock.seconds + (settings.period if clock.count == 0 else 0)
        assert spent <= available
        clock = clock.after_move(spent)
        if settings.kind == "byoyomi":
            assert clock.count in (0, settings.periods), "no period is lost"


@given(settings=_settings(), seconds=st.floats(0, 1e8), count=st.integers(0, 100_000), spent=st.floats(0, 1e8))
def test_whatever_the_controller_says_there_is_an_allowance(
    settings: TimeSettings, seconds: float, count: int, spent: float
) -> None:
    clock = Clock.begin(settings).set_left(seconds, count)
    for state in (clock, clock.after_move(spent), clock.after_move(spent).after_move(spent)):
        allowance = state.allowance(moves_left=1, lag=0.1)
        assert allowance is not None
        assert 0 <= allowance.target <= allowance.limit


@pytest.mark.parametrize("game", ["go", "othello", "havannah"])
def test_moves_are_left_until_the_end(game: str) -> None:
    position, left = make_game(game), []
    for plies in range(55):
        left.append(moves_left(position, plies))
        position = position.play(position.legal_moves()[plies % 3 % len(position.legal_moves())])
        if position.is_over:
            break
    assert left == sorted(left, reverse=True)
    assert left[0] > left[-1] >= 1
