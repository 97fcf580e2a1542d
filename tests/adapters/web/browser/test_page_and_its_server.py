"""What becomes of the page when its server is killed, and when others may reach it."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.adapters.web.browsing import Address, context_of, gallery, opened, press, say, until

pytestmark = pytest.mark.thorough


@pytest.mark.thorough
def test_a_talk_goes_on_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    """A killed server loses neither the talk nor the words that it worked on: the next one begins them again."""
    with gallery(tmp_path) as (address, process):
        page = opened(browser, address)
        say(page, "sql")
        expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
        say(page, "work")
        expect(page.locator(".progress")).to_contain_text("SQL")
        path = page.url.removeprefix(address)
        process.kill()
    with gallery(tmp_path) as (address, _):
        page.goto(address)
        page.locator(".thread").click()
        expect(page.locator(".bubble")).to_have_text(["sql", "work"])
        press(page, "Stop")
        expect(page.locator(".text").last).to_have_text("You said: work")
        assert page.url == address + path
        press(page, "Run")
        expect(page.locator(".result")).to_be_visible()
        page.context.close()


def test_with_a_token_everybody_talks_for_themselves(browser: Browser, tmp_path: Path) -> None:
    """Open to others, the page lets nobody in without the token, and shows nobody another's talk."""
    with gallery(tmp_path, "public") as (address, _):
        ada, bob = opened(browser, address), opened(browser, address)
        assert "token" not in ada.url
        expect(ada.locator(".databases")).to_have_count(0)
        say(ada, "table")
        with ada.expect_download():
            press(ada, "CSV")
        link = ada.locator("a.file").get_attribute("href") or ""
        bob.goto(ada.url)
        expect(bob.get_by_role("heading", name="What would you like to know?")).to_be_visible()
        expect(bob.locator(".thread")).to_have_count(0)
        file = address.rstrip("/") + link
        assert bob.request.get(file).status == 404
        assert ada.request.get(file).status == 200
        stranger = browser.new_context()
        assert stranger.request.get(ada.url).status == 401
        for context in (ada.context, bob.context, stranger):
            context.close()


def test_on_loopback_nobody_comes_in_without_the_token(browser: Browser, address: Address) -> None:
    """Neither page, files, parts nor sockets answer a stranger; who puts the printed link in is there, and stays."""
    context = context_of(browser)
    page = context.new_page()
    page.goto(f"{address}t/nobodys")
    expect(page.get_by_role("heading", name="This page needs its token")).to_be_visible()
    for path in ("", "mail", "schedules", "files/a/1/0", "page/page.js", "_nicegui_ws/socket.io/?EIO=4", "favicon.ico"):
        assert context.request.get(address + path).status == 401
    socket = "new Promise(done => { new WebSocket(%r).onclose = event => done(event.code) })"
    assert page.evaluate(socket % f"{address.replace('http', 'ws')}_nicegui_ws/socket.io/?EIO=4&transport=websocket")
    page.get_by_label("The link").fill("something-else")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("This token is not known here.")).to_be_visible()
    page.get_by_label("The link").fill(address.link)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    assert page.url == address
    (cookie,) = [cookie for cookie in context.cookies() if cookie["name"].startswith("icc_identity")]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Strict", -1)
    again = context.new_page()
    again.goto(address)
    again.wait_for_function("window.did_handshake")
    context.close()


def test_the_browser_is_opened_without_telling_the_token(browser: Browser, tmp_path: Path) -> None:
    """It is started with the name of a file that nobody else can read, which leads in; the file ends with the page."""
    told = tmp_path / "told"
    command = f"{sys.executable} -c 'import sys; open(sys.argv[1], \"a\").write(sys.argv[2])' {told} %s"
    with gallery(tmp_path, "open", BROWSER=command) as (address, _):
        until(lambda: told.exists() and told.read_text() != "")
        lead = tmp_path / "open-page.html"
        assert told.read_text() == lead.as_uri()
        assert lead.stat().st_mode & 0o777 == 0o600
        page = context_of(browser).new_page()
        page.goto(told.read_text())
        page.wait_for_function("window.did_handshake")
        assert page.url == address
        page.context.close()
    assert not lead.exists()
