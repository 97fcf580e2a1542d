"""What is typed and not sent."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.adapters.web.browsing import BOX, Address, gallery, opened, say

pytestmark = pytest.mark.thorough


def test_a_draft_stays_with_the_talk_that_began_in_its_tab(page: Page, address: Address) -> None:
    """After the first question the tab is the thread's: a reload finds the next draft, a new conversation none."""
    say(page, "text")
    expect(page.locator(".stands")).to_have_count(1)
    expect(page.locator(BOX)).to_have_value("")
    page.fill(BOX, "half a question")
    page.reload()
    expect(page.locator(BOX)).to_have_value("half a question")
    page.goto(address)
    page.wait_for_function("window.did_handshake")
    expect(page.locator(BOX)).to_have_value("")


@pytest.mark.thorough
def test_what_is_typed_while_the_server_is_dead_is_found_again(browser: Browser, tmp_path: Path) -> None:
    """A draft that no server saw is in the box of its thread once the page is served again."""
    with gallery(tmp_path) as (address, process):
        page = opened(browser, address)
        say(page, "text")
        expect(page.locator(".stands")).to_have_count(1)
        process.kill()
        process.wait()
        page.fill(BOX, "typed for nobody")
        page.evaluate("window.before = true")
    with gallery(tmp_path, str(urlsplit(address).port)):
        page.wait_for_function("!window.before && window.did_handshake")  # the page itself looks for its server
        expect(page.locator(BOX)).to_have_value("typed for nobody")
        page.context.close()
