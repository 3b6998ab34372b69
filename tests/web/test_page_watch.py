"""The page that shows the search at work, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

import tesuji
from tests.web.conftest import PATIENCE, PageOpener

expect.set_options(timeout=PATIENCE)


def set_up(page: Page, game: str, first: str, second: str = "", **choices: str) -> None:
    page.select_option("#game", game)
    for name, value in choices.items():
        page.select_option(f"#{name}", value)
    page.fill("#engine0", first)
    page.fill("#engine1", second)
    page.click("#begin")
    expect(page.locator("[data-engine]")).to_have_count(2 if second else 1)
    expect(page.locator("[data-engine='0'] h2")).to_have_text(str(tesuji.parse_engine(first, position=tesuji.Go())))


def playouts(page: Page, engine: int = 0) -> int:
    found = re.match(r"([\d,]+) playouts", page.inner_text(f"[data-figures='{engine}']"))
    return int(found[1].replace(",", "")) if found else 0


def test_steps_are_the_playouts_of_a_search_with_this_seed(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "othello", "uct", "uct+accelerated(k=2)")
    page.click("#step1")
    expect(page.locator("[data-figures='1']")).to_contain_text("1 playouts")
    page.click("#step100")
    for engine, spec in enumerate(("uct", "uct+accelerated(k=2)")):
        expect(page.locator(f"[data-figures='{engine}']")).to_contain_text("101 playouts")
        expected = tesuji.Search(tesuji.Othello(), spec, seed=1).run(playouts=101)
        labels = page.locator(f"[data-engine='{engine}'] .heat-text").all_text_contents()
        assert sorted(map(int, labels)) == sorted(entry.visits for entry in expected.moves if entry.visits)
    assert page.locator("[data-engine='0'] polyline").count() == 4


def test_live_search_starts_and_stops(open_page: PageOpener, picture: Callable[[Page, str], None]) -> None:
    page = open_page("/watch")
    set_up(page, "go", "uct", "uct+accelerated(k=3)", size="9")
    page.click("[data-engine='0'] [data-cell='40']")
    expect(page.locator("[data-engine='1'] [data-last='40']")).to_have_count(1)
    page.click("#run")
    expect(page.locator("#status")).to_have_text("searching for White")
    seen = [0]
    while len(seen) < 4:
        now = playouts(page)
        if now > seen[-1]:
            seen.append(now)
    page.click("#stop")
    expect(page.locator("#status")).to_contain_text("stopped")
    at_stop = playouts(page)
    assert abs(at_stop - playouts(page, 1)) <= 4000, "both engines stay in step"
    picture(page, "watch")
    for shown, mark in (("value", ".heat-text"), ("line", "[data-line]"), ("ownership", "[data-owner]")):
        page.click(f"[data-shown='{shown}']")
        expect(page.locator(f"[data-engine='0'] {mark}").first).to_be_visible()
    assert playouts(page) == at_stop
    page.click("#back")
    expect(page.locator("[data-last]")).to_have_count(0)


def test_the_board_can_be_pressed_while_it_is_drawn(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "othello", "uct")
    page.click("#run")
    page.locator("[data-engine='0'] .cell.legal").first.hover()
    page.mouse.down()
    before = playouts(page)
    while playouts(page) <= before + 4000:  # several drawings
        pass
    page.mouse.up()
    expect(page.locator("[data-engine='0'] [data-last]")).to_have_count(1)


def test_the_keyboard_keeps_its_place_on_the_board(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "go", "uct", "uct(c=0.4)", size="9")
    place = page.locator("[data-engine='1'] [data-cell='40']")
    place.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-engine='1'] [data-last='41']")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-engine='0'] [data-last='50']")).to_have_count(1)


def test_charts_on_a_phone(open_page: PageOpener) -> None:
    """Letters as large as elsewhere, and all names to be seen, even where all lines end at the bottom."""
    page = open_page("/watch", width=380)
    set_up(page, "othello", "uct")
    page.click("#step100")
    expect(page.locator("[data-figures='0']")).to_contain_text("100 playouts")
    page.evaluate("""async () => {
      const { drawChart } = await import("/static/chart.js");
      const series = [..."abcdef"].map((label) => ({ label, colour: "#000", dash: "", points: [[1, 0]] }));
      drawChart(document.querySelector("svg.chart"), { series, xLabel: "playouts", title: "a chart" });
    }""")
    chart = page.locator("svg.chart").first.bounding_box()
    assert chart is not None
    for name in "abcdef":
        box = page.locator("svg.chart text", has_text=re.compile(f"^{name}$")).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= chart["y"] + chart["height"] + 1
        assert box["height"] >= 11


def test_priors_of_a_model(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "othello", "puct(c=1.0)+model=othello")
    page.click("#step100")
    expect(page.locator("[data-figures='0']")).to_contain_text("100 playouts")
    page.click("[data-shown='prior']")
    labels = page.locator("[data-engine='0'] .heat-text").all_text_contents()
    assert sum(map(int, labels)) in range(95, 106), "shares in percent"


def test_the_tree_is_opened_and_saved(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "othello", "uct")
    page.click("#step1000")
    expect(page.locator("[data-figures='0']")).to_contain_text("1,000 playouts")
    page.click("[data-engine='0'] summary")
    expected = tesuji.Search(tesuji.Othello(), "uct", seed=1).run(playouts=1000)
    first = expected.moves[0]
    button = page.locator(f"[data-path='{first.text}'] > button")
    expect(button).to_have_text(re.compile(rf"{first.text}\s+{first.visits}\b"))
    button.click()
    answer = tesuji.Othello().play(first.move).format_move(first.pv[1])
    expect(page.locator(f"[data-path='{first.text} {answer}']")).to_be_visible()
    with page.expect_download() as download:
        page.click("[data-save='0']")
    tree = json.loads(Path(download.value.path()).read_text())
    assert tree["engine"] == "uct"
    assert tree["root"]["visits"] == 1000
    assert {child["move"]: child["visits"] for child in tree["root"]["children"]} == {
        entry.text: entry.visits for entry in expected.moves
    }


def test_a_question_about_the_tree_does_not_end_the_search(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "othello", "uct")
    page.click("#run")
    expect(page.locator("[data-figures='0']")).to_contain_text("playouts")
    page.click("[data-engine='0'] summary")
    expect(page.locator("[data-tree='0'] li")).to_have_count(4)
    before = playouts(page)
    expect(page.locator("#stop")).to_be_enabled()
    while playouts(page) <= before:
        pass
    page.click("#stop")


def test_what_makes_no_sense_changes_nothing(open_page: PageOpener) -> None:
    page = open_page("/watch")
    set_up(page, "othello", "uct")
    page.click("#run")
    expect(page.locator("[data-figures='0']")).to_contain_text("playouts")
    page.fill("#engine0", "uct(c=-1)")
    page.click("#begin")
    expect(page.locator("#message")).to_contain_text("c of uct must be")
    before = playouts(page)
    while playouts(page) <= before:
        pass
    page.click("#stop")
    expect(page.locator("#status")).to_contain_text("stopped")
