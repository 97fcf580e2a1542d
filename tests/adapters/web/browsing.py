"""Servers and browsers for the page's tests: started for real, and ended with them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

QUIET = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
QUIET += ["--disable-background-networking", "--disable-component-update"]
expect.set_options(timeout=15_000)  # a busy machine is slow, not wrong
BOX = ".composer textarea"


class Address(str):
    """The address of a page, with a slash at its end."""

    link: str
    """The link that was printed: the address with the token."""


@contextmanager
def served(*command: str, **environment: str) -> Iterator[tuple[Address, subprocess.Popen[str]]]:
    """Run a Python command that serves the page, and yield the address of what it prints, and the process."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | environment
    with subprocess.Popen([sys.executable, *command], env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            said = ""
            for line in process.stdout:
                said += line
                if found := re.search(r"http://\S+", line):
                    address = Address(found[0].partition("?")[0])
                    address.link = found[0]
                    yield address, process
                    break
            else:
                pytest.fail(f"The page did not start: {said}")
        finally:
            process.terminate()
            assert process.wait(20) in (0, -signal.SIGKILL)


@contextmanager
def gallery(folder: Path, *words: str, **environment: str) -> Iterator[tuple[Address, subprocess.Popen[str]]]:
    """Serve the page over the scripted core."""
    with served("-m", "tests.adapters.web.scripted_core", str(folder), *words, **environment) as running:
        yield running


def until(found: Callable[[], bool]) -> None:
    """Wait until something is so; fail where it does not come."""
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium; the test is skipped where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROME_PATH") or next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium on this machine: install one, or name it in CHROME_PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        try:
            yield browser
        finally:
            browser.close()


def opened(browser: Browser, address: Address, **options: object) -> Page:
    """Open the page in a browser of its own, and wait until it is alive."""
    return alive(context_of(browser, **options), address)


def context_of(browser: Browser, **options: object) -> BrowserContext:
    """Return a browser with cookies and a memory of its own."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(15_000)
    return context


def alive(context: BrowserContext, address: str) -> Page:
    """Open the page in a new tab, by its link where it has one, and wait until it is alive."""
    page = context.new_page()
    page.goto(address.link if isinstance(address, Address) else address)
    page.wait_for_function("window.did_handshake")
    return page


def say(page: Page, words: str) -> None:
    """Type the words and send them with Enter."""
    page.fill(BOX, words)
    page.press(BOX, "Enter")


def press(page: Page, name: str) -> None:
    """Press the button of this name."""
    page.get_by_role("button", name=name, exact=True).click()
