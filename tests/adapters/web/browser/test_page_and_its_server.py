"""What becomes of the page when its server is killed, and when others may reach it."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.adapters.web.browsing import gallery, opened, press, say


def test_a_talk_goes_on_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    """A killed server loses neither the talk nor the question: opening the thread has the core show it again."""
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
        expect(page.locator(".text").last).to_have_text("You said: opened")
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
        file = address.partition("/?")[0] + link
        assert bob.request.get(file).status == 404
        assert ada.request.get(file).status == 200
        stranger = browser.new_context()
        assert stranger.request.get(ada.url).status == 401
        for context in (ada.context, bob.context, stranger):
            context.close()
