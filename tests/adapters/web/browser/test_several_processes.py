"""The page over several processes: some take in and show, others work, over one PostgreSQL; each has its own home."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.adapters.web.browsing import Address, opened, press, say, served, until
from tests.platforms.ollama import Answer, Ollama
from tests.support.postgres import PostgresDatabase
from tests.support.replicas import CONNECTIONS
from tests.support.shop import build_shop

FRONT = ("-m", "bot", "web", "--no-browser", "--port", "0", "--concurrency", "0")
TAKEN_UP_MS = 45_000
"""What a killed worker left is begun again by then."""


@dataclass
class Site:
    """Where the processes run; `secret` is the page's, which all that show it share."""

    folder: Path
    environment: dict[str, str]
    homes: int = 0
    secret: Path | None = field(default=None)

    def home(self) -> Path:
        """Return a fresh home."""
        self.homes += 1
        home = self.folder / f"home-{self.homes}"
        home.mkdir()
        if self.secret:
            shutil.copy(self.secret, home)
        return home

    @contextmanager
    def front(self) -> Iterator[Address]:
        """Begin a process that takes in and shows, and does not know where the shop is."""
        home = self.home()
        with served(*FRONT, **self.environment, ICC_BOT_HOME=str(home)) as (address, _):
            self.secret = home / "page.secret"
            yield address

    @contextmanager
    def worker(self) -> Iterator["subprocess.Popen[bytes]"]:
        """Begin a process that works, and return once it does."""
        log = self.folder / f"worker-{self.homes}.log"
        own = {"ICC_BOT_HOME": str(self.home()), "SHOP_URL": f"sqlite:///{self.folder / 'shop.sqlite'}"}
        command = [sys.executable, "-m", "bot", "worker", "--queues", "web"]
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, env={**os.environ, **self.environment, **own}, stdout=out, stderr=subprocess.STDOUT
            )
        try:
            until(lambda: "icc-bot works on talks on the page." in log.read_text() or process.poll() is not None)
            assert process.poll() is None, log.read_text()
            yield process
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture
def site(tmp_path: Path, postgres: PostgresDatabase, model: Ollama) -> Site:
    build_shop(tmp_path / "shop.sqlite")
    (tmp_path / "connections.toml").write_text(CONNECTIONS)
    environment = {
        "ICC_BOT_CONNECTIONS": str(tmp_path / "connections.toml"),
        "ICC_BOT_DATABASE_URL": postgres.owner_url,
        "OLLAMA_BASE_URL": model.url,
        "SQL_MODEL_NAME": "qwen2.5-coder:7b",
    }
    return Site(tmp_path, environment)


@pytest.fixture
def model() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: "SELECT id, name FROM regions ORDER BY id") as started:
        yield started


def look(page: Page, words: str) -> None:
    """Open the talk that began with these words."""
    page.reload()
    page.wait_for_function("window.did_handshake")
    page.get_by_role("link", name=words).click()
    expect(page.locator(".bubble").first).to_have_text(words)


@pytest.mark.thorough
def test_two_tabs_at_two_processes_show_one_talk(browser: Browser, site: Site, model: Ollama) -> None:
    """What is said at one is seen at the other, answered there, and worked on by a third; files come from either."""
    never = Event()
    with site.front() as one, site.front() as other, site.worker():
        here, there = opened(browser, one), opened(browser, other)
        say(here, "Which regions are there?")
        expect(here.get_by_role("button", name="Run on Shop", exact=True)).to_be_visible()
        look(there, "Which regions are there?")
        press(there, "Run on Shop")
        for page in (here, there):
            expect(page.locator(".result tbody tr")).to_have_count(2)
            expect(page.locator(".progress")).to_be_empty()
        with there.expect_download() as download:
            press(there, "Download")
            there.get_by_role("menuitem", name="CSV").click()
        assert Path(download.value.path()).read_text("utf-8-sig").startswith('"id","name"')
        expect(here.locator("a.file")).to_be_visible()

        model.enqueue(Answer("SELECT 1", waits=never))
        say(there, "How many regions are there?")
        expect(here.locator(".progress")).to_contain_text("Writing the SQL")
        expect(here.locator(".bubble")).to_have_count(2)
        say(here, "and customers")
        expect(here.locator(".hint")).to_contain_text("I'm still working on your last message.")
        press(here, "Stop")
        for page in (here, there):
            expect(page.get_by_text("Stopped")).to_be_visible()
            expect(page.locator(".progress")).to_be_empty()
        never.set()
        here.locator(".listed:has(.now)").get_by_role("button").click()
        here.get_by_role("menuitem", name="Delete").click()
        here.get_by_role("dialog").get_by_role("button", name="Delete").click()
        for page, address in ((here, one), (there, other)):
            page.wait_for_url(address)
            expect(page.locator(".thread")).to_have_count(0)
        for page in (here, there):
            page.context.close()


@pytest.mark.thorough
def test_a_worker_that_dies_is_replaced(browser: Browser, site: Site, model: Ollama) -> None:
    """Words wait where nobody works; what a killed worker had begun is answered by the next one, once."""
    never = Event()
    model.enqueue(Answer("SELECT 1", waits=never))
    with site.front() as one, site.front() as other:
        here = opened(browser, one)
        say(here, "Which regions are there?")
        expect(here.locator(".progress")).to_contain_text("I have this, and begin as soon as")
        with site.worker() as first:
            expect(here.locator(".progress")).to_contain_text("Writing the SQL")
            until(lambda: not model.left)
            first.kill()
        there = opened(browser, other)
        look(there, "Which regions are there?")
        expect(there.locator(".progress")).to_contain_text("One moment")
        began = time.monotonic()
        with site.worker():
            run = here.get_by_role("button", name="Run on Shop", exact=True)
            expect(run).to_be_visible(timeout=TAKEN_UP_MS)
            assert time.monotonic() - began < TAKEN_UP_MS / 1000
            expect(there.get_by_role("button", name="Run on Shop", exact=True)).to_have_count(1)
            expect(there.locator(".bubble")).to_have_count(1)
            expect(there.locator(".progress")).to_be_empty()
        never.set()
        for page in (here, there):
            page.context.close()


@pytest.mark.thorough
def test_a_connection_that_was_cut(browser: Browser, site: Site, postgres: PostgresDatabase) -> None:
    """A process that heard nothing for a moment shows what it missed as soon as it is connected again."""
    with site.front() as one, site.front() as other, site.worker():
        here, there = opened(browser, one), opened(browser, other)
        say(here, "Which regions are there?")
        expect(here.get_by_role("button", name="Run on Shop", exact=True)).to_be_visible()
        look(there, "Which regions are there?")
        postgres.cut_off()
        say(here, "How many regions are there?")
        for page in (here, there):
            expect(page.locator(".bubble")).to_have_count(2)
            expect(page.locator(".stands figure.code")).to_have_count(1)
            expect(page.locator(".progress")).to_be_empty()
            page.context.close()
