"""A browser for the pages: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome")


def do_without(lacking: str) -> NoReturn:
    """A test that needs a browser is skipped, or fails where there must be one."""
    if os.environ.get("FIELDPOST_REQUIRE_BROWSER"):
        pytest.fail(lacking, pytrace=False)
    pytest.skip(lacking)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window; skips if there is none, unless FIELDPOST_REQUIRE_BROWSER says that there must be."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if found is None:
        lacking = "no Chromium with Playwright is installed (apt-get install chromium, pip install playwright)"
        do_without(lacking)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Screen:
    """A page on a screen, and everything that went wrong there."""

    page: Any
    trouble: list[str] = field(default_factory=list)

    def __call__(self, script: str) -> Any:
        return self.page.evaluate(script)

    def text(self, name: str) -> str:
        return str(self.page.inner_text(f"#{name}"))

    def click(self, name: str) -> None:
        self.page.click(f"#{name}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    @property
    def step(self) -> int:
        """The step shown, counted from 1 as the page does."""
        return int(self.page.evaluate("replay.step.number")) + 1


@contextmanager
def shown(
    browser: Any, file: Path, *, wide: int = 1280, high: int = 800, link: str = "", **more: Any
) -> Iterator[Screen]:
    """A file on a screen of that size; whatever the console, the script or the network says is trouble."""
    context = browser.new_context(viewport={"width": wide, "height": high}, **more)
    context.set_default_timeout(8_000)
    screen = Screen(context.new_page())
    screen.page.on("console", lambda said: said.type in ("error", "warning") and screen.trouble.append(said.text))
    screen.page.on("pageerror", lambda error: screen.trouble.append(str(error)))
    screen.page.on("request", lambda asked: asked.url.startswith(("http", "ws")) and screen.trouble.append(asked.url))
    screen.page.goto(file.as_uri() + link, timeout=30_000)  # a whole campaign, on a machine with other work
    yield screen
    context.close()
    assert screen.trouble == []
