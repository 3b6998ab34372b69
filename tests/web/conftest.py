"""A real server and a real browser for the tests of the page."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.running import RunningServer, running_server

PATIENCE = 30_000  # milliseconds: the machine may be busy with other things
IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


# For one file: Playwright keeps an event loop running in this thread, beside which other tests could not run theirs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium. Where TESUJI_BROWSER names one it must be there."""
    program = os.environ.get("TESUJI_BROWSER") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if program is None:
        pytest.skip("there is no Chromium here: apt install chromium, or name one with TESUJI_BROWSER")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


PageOpener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: RunningServer) -> Iterator[PageOpener]:
    """Opens a page of the server. In the end no script on it may have failed."""
    complaints: list[str] = []
    with contextlib.ExitStack() as stack:

        def opener(path: str = "/", *, address: str | None = None, width: int = 1200, dark: bool = False) -> Page:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
            )
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto((address or server.address).rstrip("/") + path)
            page.wait_for_selector("#connection:text-is('connected')")
            return page

        yield opener
    assert complaints == []


@pytest.fixture
def picture() -> Callable[[Page, str], None]:
    """Keeps a picture of a page for the README and the docs: `TESUJI_SCREENSHOTS=1 pytest tests/web`."""

    def take(page: Page, name: str) -> None:
        if os.environ.get("TESUJI_SCREENSHOTS"):
            IMAGES.mkdir(exist_ok=True)
            whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
            # A page has few colours: so the picture is a third as large, and looks the same.
            few_colours = whole.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, 5, dither=Image.Dither.NONE)
            few_colours.save(IMAGES / f"{name}.png", optimize=True)

    return take
