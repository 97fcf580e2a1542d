"""The page over a scripted core, from a person's view."""

import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from secrets import token_hex

import pytest
from playwright.sync_api import Browser, Page, expect

from adapters.rendering.plain_text import count_of
from adapters.web.log import TalkLog
from router.cards import Reply, Text
from router.storage.database import home_database
from tests.adapters.web.browsing import BOX, Address, opened, press, say
from tests.adapters.web.scripted_core import CLOSED, GONE, NASTY, rows


def test_data_is_never_read_as_html(page: Page) -> None:
    """A cell, a title or a sentence that looks like HTML is shown as it is."""
    say(page, NASTY)
    expect(page.locator(".thread.now")).to_have_text(NASTY)
    page.wait_for_url("**/t/*")
    page.reload()
    expect(page.locator(".bubble")).to_have_text(NASTY)
    assert page.title().startswith(NASTY[:40])
    say(page, "table")
    expect(page.locator(".result td").filter(has_text="<img")).to_have_text(NASTY)
    say(page, "text")
    expect(page.locator(".text.problem")).to_contain_text(NASTY)
    expect(page.locator(".text strong")).to_have_text("revenue")
    expect(page.locator(".text code")).to_have_text("orders")
    assert page.evaluate("document.body.dataset.broken") is None


def test_a_table_aligns_numbers_marks_nulls_and_sorts_by_its_heads(page: Page) -> None:
    """The head that was sorted down offers up, and what comes back takes the table's place."""
    say(page, "table")
    expect(page.locator(".null")).to_have_text("NULL")
    assert page.locator("td.number").first.evaluate("cell => getComputedStyle(cell).textAlign") == "right"
    expect(page.locator("th.number")).to_have_attribute("aria-sort", "descending")
    expect(page.locator(".count")).to_have_text(count_of(rows(0)))
    page.get_by_title("Sort by revenue").click()
    expect(page.locator(".text").first).to_have_text("You pressed sort:2:up@r1.")
    assert page.locator(".result").count() == 1


def test_the_next_page_takes_the_place_of_the_last_and_keeps_the_keyboard(page: Page) -> None:
    """After Next by keyboard there is one table, and the focus is on the new Next."""
    say(page, "table")
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".count")).to_contain_text("rows 6 to 10")
    assert page.locator(".result").count() == 1
    page.wait_for_function("document.activeElement.dataset.answer === 'next'")


def test_a_file_is_downloaded_and_only_by_its_place_in_the_talk(page: Page, address: Address) -> None:
    """CSV starts a download and leaves a link; a place where no file was shown gives none."""
    say(page, "table")
    with page.expect_download() as started:
        press(page, "CSV")
    assert Path(started.value.path()).read_text() == "name,revenue\nAalto Oy,1000.50\n"
    assert started.value.suggested_filename == "rows.csv"
    link = page.locator("a.file").get_attribute("href") or ""
    assert fetched(page, address, link) == 200
    for wrong in (
        link.replace("/files/", "/files/x"),
        link[:-1] + "7",
        "/files/../page.secret",
        f"{link}/../../page.secret",
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetched(page, address, wrong)
        assert refused.value.code == 404
        refused.value.close()


def fetched(page: Page, address: Address, path: str) -> int:
    """Ask for the path as it is, as the tab's browser; a browser itself would set a path right."""
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in page.context.cookies())
    request = urllib.request.Request(address.rstrip("/") + path, headers={"Cookie": cookies})
    with urllib.request.urlopen(request) as answer:
        return int(answer.status)


def test_rows_are_read_again_for_whoever_opens_the_talk_later(page: Page) -> None:
    """A reload shows the rows again, or the sentence why there are none."""
    say(page, "table")
    expect(page.locator(".result tbody tr")).to_have_count(5)
    say(page, "gone")
    expect(page.locator(".text.problem")).to_have_text(GONE)
    page.reload()
    expect(page.locator(".result tbody tr")).to_have_count(5)
    expect(page.locator(".text.problem")).to_have_text(GONE)
    expect(page.locator(".stands [data-answer]")).to_have_count(3)


def test_a_file_is_refused_to_whom_its_rows_are_closed(page: Page, address: Address) -> None:
    """Its address answers 403 with the reason, and so does the talk."""
    say(page, "closed")
    refused = page.locator(".shown:has(.text.problem)")
    expect(refused.locator(".text.problem")).to_have_text(CLOSED)
    page.wait_for_url("**/t/*")
    thread, number = page.url.rpartition("/")[2], str(refused.get_attribute("id")).removeprefix("m")
    answer = page.request.get(f"{address}files/{thread}/{number}/0")
    assert (answer.status, answer.text()) == (403, CLOSED)
    expect(page.locator("a.file")).to_have_count(0)


def test_what_comes_of_a_question_takes_its_place(page: Page) -> None:
    """Below the rows, the SQL of the card is folded; a card that was answered in words keeps no buttons."""
    say(page, "sql")
    expect(page.locator("pre .k").first).to_have_text("WITH")
    press(page, "Run")
    expect(page.locator(".shown")).to_have_count(1)
    expect(page.locator(".shown:has(.result) .fold pre")).to_contain_text("WITH yearly")
    expect(page.get_by_role("button", name="Run", exact=True)).to_have_count(0)
    say(page, "sql")
    expect(page.get_by_role("button", name="Run", exact=True)).to_have_count(1)
    say(page, "something else")
    expect(page.locator(".stands .text").last).to_have_text("You said: something else")
    expect(page.get_by_role("button", name="Run", exact=True)).to_have_count(1)


def test_a_menu_of_many_is_searched_by_typing_and_sends_all_that_is_ticked(page: Page) -> None:
    """Two entries are ticked already; a third is found among 150 by its name. Answers go back as they came."""
    say(page, "many")
    page.locator(".menu input").fill("149")
    page.get_by_role("option", name="table_149").click()
    page.keyboard.press("Escape")
    press(page, "OK")
    expect(page.locator(".text").last).to_have_text("You said: menu:table_3 menu:table_5 menu:table_149")


def test_a_form_demands_what_is_not_optional_and_sends_the_edited_sql(page: Page) -> None:
    """The empty field is named; the optional one may stay empty."""
    say(page, "form")
    editor = page.locator(".cm-content")
    expect(editor).to_contain_text("WITH yearly")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("SELECT 1 AS ünï😀")
    expect(editor).to_have_text("SELECT 1 AS ünï😀")
    press(page, "Check it")
    expect(page.locator(".form .problem:visible")).to_have_text("Please fill in: Name.")
    page.get_by_role("textbox", name="Name").fill("Ada")
    press(page, "Check it")
    expect(page.locator(".text").last).to_have_text(
        "You said: filled {'sql': 'SELECT 1 AS ünï😀', 'name': 'Ada', 'note': ''}"
    )


def test_work_is_shown_in_every_tab_can_be_stopped_and_loses_nothing_typed(page: Page) -> None:
    """A second tab sees the progress; what is sent meanwhile stays in the box; Stop ends the work in both."""
    say(page, "work")
    expect(page.locator(".progress")).to_contain_text("Writing the SQL…")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".progress")).to_contain_text("Writing the SQL…")
    say(page, "and another thing")
    expect(page.get_by_text("I'm still working on your last message")).to_be_visible()
    expect(page.locator(BOX)).to_have_value("and another thing")
    expect(page.locator(".bubble")).to_have_count(1)
    other.get_by_role("button", name="Stop").click()
    for tab in (page, other):
        expect(tab.locator(".text").last).to_have_text("You said: work")
        expect(tab.locator(".progress")).to_be_empty()


def test_a_long_talk_shows_its_end_and_the_rest_on_demand(page: Page, address: Address, folder: Path) -> None:
    """A hundred entries are drawn at once; the earlier ones come above them, in order."""
    thread = token_hex(4)  # the gallery outlives a try that a busy machine spoilt
    with closing(home_database(folder)) as database:
        log = TalkLog(database)
        log.begin(thread, "os:me", "A long talk")
        for number in range(130):
            log.say(thread, f"number {number}")
        log.show(thread, Reply((Text("And now?"),), turn=1))
    page.goto(f"{address}t/{thread}")
    expect(page.locator(".bubble")).to_have_count(99)
    expect(page.get_by_text("And now?")).to_be_in_viewport()
    press(page, "Show earlier messages")
    expect(page.locator(".bubble")).to_have_text([f"number {number}" for number in range(130)])
    expect(page.get_by_role("button", name="Show earlier messages")).to_be_hidden()


@pytest.mark.thorough
def test_a_phone_shows_no_more_than_its_width(browser: Browser, address: Address) -> None:
    """At 390 pixels only tables and code scroll sideways; the list of talks slides in from its button."""
    page = opened(browser, address, viewport={"width": 390, "height": 844})
    for words in ("sql", "table", "wide", "many", "form"):
        say(page, words)
        expect(page.locator(".bubble").last).to_have_text(words)
        expect(page.locator(".stands")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    link = page.locator(".thread.now")
    expect(link).not_to_be_in_viewport()
    page.get_by_role("button", name="Conversations").click()
    expect(link).to_be_in_viewport()
    page.context.close()
