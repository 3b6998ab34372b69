"""The page on deception, in a real browser: what it shows is what the search knows."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import tesuji
from tests.web.conftest import PATIENCE, PageOpener

expect.set_options(timeout=PATIENCE)

FIGURE_1 = tesuji.TreeGame([[1, 1, 0], [[1, 0]]])
ENGINES = {
    "plain": "uct(c=0.1)",
    "discounted": "uct(c=0.1)+discounted(decay=0.9)",
    "accelerated": "uct(c=0.1)+accelerated(decay=0.9)",
}


def go_to(page: Page, playouts: int) -> None:
    # Connected is not answered: before the figure is there the slider does nothing.
    expect(page.locator("[data-rule]")).to_have_count(3)
    page.locator("#slider").fill(str(playouts))
    expect(page.locator("#number")).to_have_text(str(playouts))


@pytest.mark.parametrize("playouts", [1, 7, 20, 100])
def test_values_are_those_of_a_search(open_page: PageOpener, playouts: int) -> None:
    page = open_page("/learn")
    go_to(page, playouts)
    for rule, engine in ENGINES.items():
        search = tesuji.Search(FIGURE_1, engine, seed=2)
        search.run(playouts=playouts)
        for move in search.glance():
            text = page.inner_text(f"#value-{rule}-{move.move + 1}")
            value = f"{move.value:.3f}" if move.visits else "not tried"
            assert text == f"{'BC'[move.move]}: {value}, {move.visits} visits"


def test_plain_uct_is_deceived_for_longer(open_page: PageOpener, picture: Callable[[Page, str], None]) -> None:
    page = open_page("/learn")
    expect(page.locator("#choice-plain")).to_have_text("nothing known yet")
    go_to(page, 30)
    expect(page.locator("#choice-plain")).to_have_text("would play B, which is lost")
    expect(page.locator("#choice-accelerated")).to_have_text("would play C, which is won")
    expect(page.locator("#choice-discounted")).to_have_text("would play C, which is won")
    picture(page, "learn")
    leaves = page.locator("#figure-plain .leaf-text").all_text_contents()
    assert [leaf[0] for leaf in leaves] == list("DEFHI")
    assert [leaf[1] == "+" for leaf in leaves] == [True, True, False, True, False], "not said by its colour alone"
    page.click("#final")
    expect(page.locator("#choice-plain")).to_have_text("would play C, which is won")
    # All values are the first player's, whoever moves to a node: here D, F, H and I, then G.
    shown = {number: page.locator(f"#figure-plain [data-value='{number}']") for number in (3, 5, 7, 8)}
    assert {number: value.text_content() for number, value in shown.items()} == {
        3: "1.00",
        5: "0.00",
        7: "1.00",
        8: "0.00",
    }
    assert float(page.locator("#figure-plain [data-value='6']").text_content() or 0) > 0.9


def test_step_by_step_and_by_itself(open_page: PageOpener) -> None:
    page = open_page("/learn")
    expect(page.locator("[data-rule]")).to_have_count(3)
    page.click("#next")
    page.click("#next")
    page.click("#previous")
    expect(page.locator("#number")).to_have_text("1")
    page.click("#play")
    expect(page.locator("#number")).to_have_text(re.compile(r"^([3-9]|\d\d+)$"))
    page.click("#play")
    page.click("#first")
    expect(page.locator("#number")).to_have_text("0")


def test_another_tree_and_other_numbers(open_page: PageOpener) -> None:
    page = open_page("/learn")
    page.select_option("#tree", "ladder")
    expect(page.locator("#slider")).to_have_attribute("max", "700")
    go_to(page, 200)
    expect(page.locator("#choice-plain")).to_contain_text("lost")
    expect(page.locator("#choice-accelerated")).to_contain_text("won")
    page.fill("#decay", "5")
    page.locator("#decay").blur()
    expect(page.locator("#message")).to_contain_text("decay")
    page.fill("#decay", "0.5")
    page.locator("#decay").blur()
    expect(page.locator("[data-rule='accelerated'] .spec")).to_contain_text("decay=0.5")
    assert page.inner_text("#message") == ""
