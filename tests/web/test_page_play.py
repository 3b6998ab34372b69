"""The page to play on, in a real browser: whole games of each kind, and everything a person can press."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.web.conftest import PATIENCE, PageOpener
from tests.web.running import impatient_server, running_server
from tesuji.sgf import SgfGame

expect.set_options(timeout=PATIENCE)


def begin(page: Page, game: str, **choices: str) -> None:
    page.select_option("#game", game)
    for name, value in {"engine": "uct", **choices}.items():
        if page.locator(f"#{name}").evaluate("element => element.tagName") == "SELECT":
            page.select_option(f"#{name}", value)
        else:
            page.fill(f"#{name}", value)
    page.click("#begin")
    expect(page.locator("#board[aria-busy=true]")).to_have_count(0)


def is_over(page: Page) -> bool:
    return bool(re.search("wins|draw", page.inner_text("#status")))


def wait_for_turn(page: Page) -> None:
    """Until it is the person's turn, or the game is over."""
    expect(page.locator("#board[aria-busy=false]")).to_be_visible()


def moves_of(page: Page) -> list[str]:
    return re.findall(r"\d+\. (\S+)", page.inner_text("#moves"))


def play_on(page: Page, dice: random.Random, *, passes_from: int = 1000) -> None:
    """Random legal moves until the game is over; after so many moves the person passes."""
    for _ in range(200):
        wait_for_turn(page)
        if is_over(page):
            return
        cells = page.locator(".cell.legal").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
        if cells and len(moves_of(page)) < passes_from:
            page.click(f'[data-cell="{dice.choice(cells)}"]')
        else:
            page.click("#pass")
    raise AssertionError("the game does not end")


def test_a_whole_game_of_othello(open_page: PageOpener) -> None:
    page = open_page()
    begin(page, "othello", budget="playouts:300")
    assert page.locator("[data-legal]").count() == 4
    play_on(page, random.Random(1))
    assert len(moves_of(page)) >= 60
    expect(page.locator("#status")).to_have_text(re.compile(r"(Black|White) wins, \d+ : \d+|draw"))


def test_a_whole_game_of_havannah_with_the_swap(open_page: PageOpener) -> None:
    page = open_page()
    page.select_option("#game", "havannah")
    page.check("#swap")
    begin(page, "havannah", size="4", person="1", budget="playouts:300")
    wait_for_turn(page)
    page.click("#pass:text-is('Swap')")
    wait_for_turn(page)
    assert moves_of(page)[1] == "swap"
    play_on(page, random.Random(2))
    expect(page.locator("#status")).to_have_text(re.compile("wins by a (ring|bridge|fork)|draw"))


def test_a_whole_game_of_go(open_page: PageOpener, picture: Callable[[Page, str], None]) -> None:
    """The person passes once the board is full enough, and the engine agrees in the end."""
    page = open_page()
    begin(page, "go", size="9", komi="6.5", budget="playouts:300", engine="uct+playout=knowledge")
    play_on(page, random.Random(3), passes_from=40)
    expect(page.locator("#status")).to_have_text(re.compile(r"[BW]\+[\d.]+: (Black|White) wins|resigns"))
    picture(page, "play")


def test_wrong_clicks_say_why_and_change_nothing(open_page: PageOpener) -> None:
    page = open_page()
    begin(page, "go", size="9", budget="playouts:300")
    page.click('[data-cell="40"]')
    wait_for_turn(page)
    before = moves_of(page)
    page.click('[data-cell="40"]')
    expect(page.locator("#message")).to_contain_text("the point is occupied by Black")
    assert moves_of(page) == before
    assert page.locator("[data-last]").count() == 1
    page.fill("#engine", "uct(c=-1)")
    page.click("#begin")
    expect(page.locator("#message")).to_contain_text("c of uct must be")
    page.fill("#engine", "uct+model=/etc/passwd")
    page.click("#begin")
    expect(page.locator("#message")).to_contain_text("model must be")
    assert moves_of(page) == before


def test_an_error_about_a_move_forgets_no_new_game(open_page: PageOpener) -> None:
    page = open_page()
    begin(page, "go", size="9", budget="playouts:300")
    page.click('[data-cell="40"]')
    wait_for_turn(page)
    page.select_option("#game", "othello")
    page.evaluate("""() => {
      document.querySelector('[data-cell="40"]').dispatchEvent(new MouseEvent("click"));
      document.querySelector("#begin").click();
    }""")
    expect(page.locator("#message")).to_contain_text("occupied")
    expect(page.locator(".cell")).to_have_count(64)
    page.locator(".cell.legal").first.click()
    wait_for_turn(page)
    before = moves_of(page)
    page.reload()
    expect(page.locator("#moves")).to_contain_text("2. ")
    assert moves_of(page) == before
    assert page.input_value("#budget") == "playouts:300"


def test_undo_hint_score_and_resign(open_page: PageOpener) -> None:
    page = open_page()
    begin(page, "go", size="9", budget="playouts:300")
    for number in range(2):
        wait_for_turn(page)
        page.locator(".cell.legal").nth(40 - number).click()
    wait_for_turn(page)
    assert len(moves_of(page)) == 4
    page.click("#undo")
    expect(page.locator("#moves")).to_have_text(re.compile(r"^1\. E5\s+2\. \w+$"))
    page.click("#hint")
    expect(page.locator("#hints")).to_contain_text("Hint: ")
    assert page.locator("[data-hint]").count() == 1
    page.click("#score")
    expect(page.locator("#hints")).to_contain_text("as it stands")
    page.click("#resign")
    expect(page.locator("#status")).to_have_text("White wins: Black resigns")
    page.click("#undo")
    wait_for_turn(page)
    assert len(moves_of(page)) == 2


def test_handicap_and_the_other_colour(open_page: PageOpener) -> None:
    page = open_page()
    begin(page, "go", size="13", handicap="4", komi="0.5", person="0", budget="playouts:300")
    wait_for_turn(page)
    assert len(moves_of(page)) == 1, "White, the engine, begins"
    assert page.locator("circle.black:not(.ghost)").count() == 4
    begin(page, "go", size="19", handicap="0", person="1", budget="playouts:300")
    wait_for_turn(page)
    assert len(moves_of(page)) == 1
    expect(page.locator("#status")).to_have_text("Your move, White")


def test_the_keyboard_alone(open_page: PageOpener) -> None:
    page = open_page()
    begin(page, "havannah", size="4", budget="playouts:300")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('cell')"):
            break
    middle = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert middle == "d4, empty"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "e4, empty"
    page.keyboard.press("Enter")
    wait_for_turn(page)
    assert moves_of(page)[0] == "e4"
    page.keyboard.press("u")
    expect(page.locator("#moves")).to_have_text("no moves yet")


def test_sgf_both_ways(open_page: PageOpener, tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[1]SZ[9]KM[5.5]AB[cc][gg]PL[W];W[ee];B[];W[dc])")
    page = open_page()
    page.set_input_files("#file", record)
    expect(page.locator("#moves")).to_contain_text("1. E5 2. pass 3. D7")
    wait_for_turn(page)
    page.click('[data-cell="0"]')
    wait_for_turn(page)
    with page.expect_download() as download:
        page.click("#save")
    saved = SgfGame.read(download.value.path())
    assert saved.komi == 5.5
    line = saved.line()
    assert [step.before.format_move(step.move) for step in line[:4]] == ["E5", "pass", "D7", "A9"]
    assert [step.player for step in line] == [1, 0, 1, 0, 1]
    assert saved.position(0).native.cells().count(0) == 2
    record.write_text("(;GM[1]SZ[9];B[zz])")
    page.set_input_files("#file", record)
    expect(page.locator("#message")).to_contain_text("'zz' is no SGF move here")
    record.write_text("x" * 200_000)
    page.set_input_files("#file", record)
    expect(page.locator("#message")).to_contain_text("too large")
    record.write_bytes(bytes(range(128, 256)) * 700)
    page.set_input_files("#file", record)
    expect(page.locator("#message")).to_contain_text("it is not text")
    before = moves_of(page)
    page.click("#undo")
    wait_for_turn(page)
    assert moves_of(page) == before[:3], "the connection was never lost"


def test_records_of_other_games(open_page: PageOpener, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text("f5 d6 c3\n")
    page = open_page()
    page.select_option("#game", "othello")
    page.select_option("#person", "1")
    page.set_input_files("#file", record)
    expect(page.locator("#moves")).to_contain_text("1. f5 2. d6 3. c3")
    wait_for_turn(page)
    with page.expect_download() as download:
        page.click("#save")
    assert Path(download.value.path()).read_text() == "f5 d6 c3\n"


def test_a_lost_connection_comes_back_with_the_game(open_page: PageOpener) -> None:
    """The server itself is ended and started again: it has nothing to remember."""
    with running_server() as first:
        port = first.port
        page = open_page(address=first.address)
        begin(page, "othello", budget="playouts:300")
        page.locator("[data-legal]").first.wait_for()
        page.locator(".cell.legal").first.click()
        wait_for_turn(page)
        before = moves_of(page)
    expect(page.locator("#connection")).to_contain_text("lost")
    page.locator(".cell.legal").first.click()
    expect(page.locator("#message")).to_contain_text("connection is lost")
    with running_server(port=port):
        expect(page.locator("#connection")).to_have_text("connected")
        expect(page.locator("#message")).to_have_text("")
        wait_for_turn(page)
        assert moves_of(page) == before
        page.locator(".cell.legal").first.click()
        wait_for_turn(page)
        assert len(moves_of(page)) >= len(before) + 2
        page.reload()
        wait_for_turn(page)
        assert len(moves_of(page)) >= len(before) + 2


def test_a_full_house_keeps_no_game_from_going_on(open_page: PageOpener) -> None:
    with running_server("--sessions", "1") as server:
        page = open_page(address=server.address)
        begin(page, "othello", budget="playouts:300")
        page.locator(".cell.legal").first.click()
        wait_for_turn(page)
        before = moves_of(page)
        page.goto(server.address + "static/icon.svg")
        attempts: list[WebSocket] = []
        page.on("websocket", lambda attempt: attempts.append(attempt))  # noqa: PLW0108  Playwright marks what it calls
        with server.talk("learn"):
            page.goto(server.address)
            expect(page.locator("#message")).to_contain_text("all 1 places are taken")
            page.reload()
            expect(page.locator("#message")).to_contain_text("all 1 places are taken")
            attempts.clear()
            page.wait_for_timeout(4000)
            assert len(attempts) < 8, "it asks less and less often"
        wait_for_turn(page)
        assert moves_of(page) == before


def test_a_page_that_sleeps_wakes_with_its_reader(open_page: PageOpener) -> None:
    with impatient_server(idle=1.0) as server:
        page = open_page(address=server.address)
        begin(page, "othello", budget="playouts:300")
        expect(page.locator("#connection")).to_contain_text("asleep")
        page.locator(".cell.legal").first.click()
        expect(page.locator("#connection")).to_have_text("connected")
        expect(page.locator("#moves")).to_contain_text("2. ")
        assert page.inner_text("#message") == ""


@pytest.mark.parametrize("dark", [False, True])
def test_a_phones_width(open_page: PageOpener, picture: Callable[[Page, str], None], dark: bool) -> None:
    page = open_page(width=380, dark=dark)
    begin(page, "go", size="9", budget="playouts:300")
    page.click('[data-cell="40"]')
    wait_for_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    page.fill("#engine", "puct(c=1.25)+model=go9+playout=knowledge+playout-cap=1000")
    page.click("#begin")
    expect(page.locator("#players")).to_contain_text("playout-cap=1000")
    players = page.locator("#players")
    assert players.evaluate("element => element.scrollWidth <= element.clientWidth")
    page.click('[data-cell="40"]')
    wait_for_turn(page)
    size = page.locator('[data-cell="0"] .aim').bounding_box()
    assert size is not None
    assert size["width"] >= 24, "wide enough for a finger"
    if dark:
        picture(page, "play-phone")
