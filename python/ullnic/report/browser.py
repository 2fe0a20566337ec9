# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that takes the picture of the page for the README, and tests the page."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright

from ullnic.apt import BROWSERS
from ullnic.errors import UllnicError
from ullnic.toolchain import which

# The same picture on every machine; a container's /dev/shm is small.
ARGUMENTS = ("--force-color-profile=srgb", "--font-render-hinting=none", "--disable-dev-shm-usage")
REMEDY = (
    "install Debian's package chromium, or: .venv/bin/playwright install --with-deps chromium; "
    "or name one: ULLNIC_CHROMIUM=/path/to/chrome"
)


def find_chromium() -> str | None:
    """$ULLNIC_CHROMIUM, else the first on PATH; None: only Playwright's own may exist."""
    chosen = os.environ.get("ULLNIC_CHROMIUM")
    if chosen and not which(chosen):
        raise UllnicError(f"ULLNIC_CHROMIUM={chosen} is not a program", "unset it, or name a Chromium")
    return chosen or next(filter(None, map(which, BROWSERS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    arguments = [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]  # root has no sandbox
    program = find_chromium()
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=program, args=arguments)
        except Error as error:
            cause = f"{program} does not start: {error.message.splitlines()[0]}" if program else "there is no Chromium"
            raise UllnicError(cause, REMEDY) from error
        try:
            yield browser
        finally:
            browser.close()


def new_page(browser: Browser, width: int, height: int, dark: bool = False) -> Page:
    """A page in its own window; `page.context.close()` ends it. Sizes in pixels."""
    scheme = "dark" if dark else "light"
    return browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()


def screenshot(path: Path, picture: Path, width: int, height: int, dark: bool = False) -> None:
    """A PNG of the top of the page."""
    with chromium() as browser:
        page = new_page(browser, width, height, dark)
        page.goto(path.resolve().as_uri())
        page.screenshot(path=picture)
