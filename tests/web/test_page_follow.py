"""The page that follows matches, in a real browser, while games are played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import tesuji
from tests.web.conftest import PATIENCE, PageOpener
from tests.web.running import running_server
from tesuji.arena.store import Store
from tesuji.errors import StoreError
from tesuji.games import make_game
from tesuji.web.follow import find_start, replay, standing
from tesuji.web.messages import ShowMatch

expect.set_options(timeout=PATIENCE)


def play(path: Path, game: tesuji.Position, games: int) -> tesuji.MatchResult:
    return tesuji.match(
        game, "uct(c=0.7)", "uct", playouts=20, games=games, seed=3, openings="random:4", store=path, jobs=1
    )


def test_a_match_that_goes_on(open_page: PageOpener, tmp_path: Path, picture: Callable[[Page, str], None]) -> None:
    path = tmp_path / "results.db"
    play(path, tesuji.Othello(), 4)
    play(path, tesuji.Havannah(4), 2)
    with running_server("--store", str(path)) as server:
        page = open_page("/follow", address=server.address)
        expect(page.locator("#matches tr")).to_have_count(3)
        page.click("[data-match] >> nth=0 >> button")
        expect(page.locator("#standing")).to_contain_text("in 4 games")
        page.focus("[data-match] >> nth=1 >> button")
        result = play(path, tesuji.Othello(), 12)
        expect(page.locator("#standing")).to_contain_text("in 12 games")
        expect(page.locator("[data-match] >> nth=1 >> button")).to_be_focused()
        expect(page.locator("[data-match] >> nth=0 >> td >> nth=4")).to_have_text("12")
        interval = f"95% interval {result.interval.low:.1f}% to {result.interval.high:.1f}%"
        expect(page.locator("#standing")).to_contain_text(f"A has {result.percentage:.1f}% of the points")
        expect(page.locator("#standing")).to_contain_text(interval)
        expect(page.locator("#standing")).to_contain_text(
            f"{result.wins} won, {result.draws} drawn, {result.losses} lost"
        )
        page.click("[data-game='11'] button")
        record = result.records[11]
        expect(page.locator("#number")).to_contain_text(f"move {len(record.moves)}, ")
        picture(page, "follow")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#number")).to_contain_text(f"move {len(record.moves) - 1}, ")
        page.click("#first")
        expect(page.locator("#number")).to_contain_text("the start")
        assert page.locator("#board circle.black, #board circle.white").count() == 4


def test_no_look_before_the_last_one_is_answered(open_page: PageOpener, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    play(path, tesuji.Othello(), 2)
    asked: list[str | bytes] = []

    answers: list[tuple[WebSocketRoute, str | bytes]] = []

    def delay(connection: WebSocketRoute) -> None:
        server = connection.connect_to_server()

        def ask(message: str | bytes) -> None:
            asked.append(message)
            server.send(message)

        connection.on_message(ask)
        server.on_message(lambda message: answers.append((connection, message)))

    with running_server("--store", str(path)) as server:
        page = open_page("/follow", address=server.address)
        page.route_web_socket("**/ws/follow", delay)
        page.reload()
        page.wait_for_timeout(5000)
        assert len(asked) == 1
        for connection, message in answers:
            connection.send(message)
        expect(page.locator("[data-match]")).to_have_count(1)
        page.wait_for_timeout(3000)
        assert len(asked) == 2


def test_without_a_store(open_page: PageOpener) -> None:
    page = open_page("/follow")
    expect(page.locator("#message")).to_contain_text("tesuji web --store")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("othello", {}),
        ("havannah", {"size": 10, "swap": True}),
        ("go", {"size": 19, "komi": 0.5, "handicap": 9}),
        ("go", {"size": 9, "komi": 7, "superko": False}),
        ("go", {"size": 5, "komi": -3.5}),
    ],
)
def test_starts_are_found_by_their_fingerprint(game: str, options: dict[str, Any]) -> None:
    start = make_game(game, **options)
    assert find_start(game, start.fingerprint()) == start


def test_an_unknown_start_is_shown_as_moves(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    start = tesuji.Go(9).play("E5").play("C3")
    result = tesuji.match(start, "uct", "uct(c=0.5)", playouts=2, games=2, seed=1, store=path, jobs=1)
    game = replay(path, result.plan.digest, 0)
    assert game["start"] is None
    assert "not known here" in game["note"]
    assert len(game["moves"]) == len(result.records[0].moves)


def test_reading_changes_nothing_and_needs_a_store(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    result = play(path, tesuji.Othello(), 2)
    before = path.read_bytes()
    message = ShowMatch(type="match", match=result.plan.digest)
    assert standing(path, message)["games"] == 2
    assert standing(path, message.model_copy(update={"seen": 2}))["same"]
    assert path.read_bytes() == before
    with Store(path, read_only=True) as store, pytest.raises(StoreError, match="readonly"):
        store.save(result.plan, result.records[0])
    (tmp_path / "other.db").write_text("no database at all" * 100)
    for name in ("missing.db", "other.db"):
        with pytest.raises(StoreError):
            Store(tmp_path / name, read_only=True)
    assert not (tmp_path / "missing.db").exists()
