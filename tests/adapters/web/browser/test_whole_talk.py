"""The whole bot from a person's view: `icc-bot web` on the sample database, with a model that answers by a script."""

import csv
import sqlite3
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.adapters.web.browsing import BOX, opened, press, say, served
from tests.platforms.ollama import Answer, Ollama

CUSTOMERS = "SELECT id, name, segment FROM customers ORDER BY id LIMIT 45"
RUN = "Run on Tarn & Trail (sample company)"
COMMAND = ("-m", "bot", "web", "--no-browser", "--port", "0")


def shown(page: Page) -> list[list[str]]:
    """Return the cells of the one table on the page."""
    rows = page.locator(".result tbody tr")
    return [row.locator("td").all_inner_texts() for row in rows.all()]


@pytest.mark.usefixtures("samples_at_home")
def test_a_question_becomes_sql_rows_pages_and_a_file_and_the_talk_goes_on_after_a_restart(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ask, look at the SQL, run it, turn the page, sort, download, ask again, restart the bot, draw, stop, go on."""
    home = tmp_path / "home"
    never = Event()
    with Ollama(script=lambda prompt: CUSTOMERS) as model:
        monkeypatch.chdir(tmp_path)
        environment = {"ICC_BOT_HOME": str(home), "OLLAMA_BASE_URL": model.url}
        with served(*COMMAND, **environment) as (address, _):
            page = opened(browser, address, viewport={"width": 1280, "height": 1000})
            say(page, "Which customers do we have?")
            expect(page.locator("figure.code pre")).to_contain_text("FROM customers")
            press(page, RUN)
            expect(page.locator(".count")).to_contain_text("rows 1 to 20 of 45")
            with sqlite3.connect(home / "samples" / "company.db") as company:
                rows = [[str(cell) for cell in row] for row in company.execute(CUSTOMERS)]
            company.close()
            assert shown(page) == rows[:20]

            press(page, "Next")
            expect(page.locator(".count")).to_contain_text("rows 21 to 40 of 45")
            assert shown(page) == rows[20:40]
            page.get_by_title("Sort by id").click()
            expect(page.locator("th").first).to_have_attribute("aria-sort", "ascending")
            page.get_by_title("Sort by id").click()
            expect(page.locator("th").first).to_have_attribute("aria-sort", "descending")
            assert shown(page) == rows[:24:-1]
            with page.expect_download() as download:
                press(page, "Download")
                page.get_by_role("menuitem", name="CSV").click()
            with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
                assert sorted(list(csv.reader(file))[1:], key=lambda row: int(row[0])) == rows

            say(page, "How many customers are there per segment?")
            expect(page.get_by_role("button", name=RUN, exact=True)).to_be_visible()
            page.reload()
            expect(page.locator(".bubble")).to_have_count(2)
            assert shown(page) == rows[:24:-1]
            page.goto("about:blank")

        with served(*COMMAND, **environment) as (address, _):
            page.goto(address)
            page.get_by_role("link", name="Which customers do we have?").click()
            press(page, RUN)
            expect(page.locator(".result")).to_have_count(2)
            expect(page.locator(".stands .count").last).to_contain_text("of 45")
            expect(page.locator(".progress")).to_be_empty()
            say(page, "chart")
            # The query is that of the question before, so that the rows are called by what it does.
            title = "Id, name and segment of customers, first 45 by id"
            drawn = page.get_by_role("img", name=f"Bar chart of id: {title} (45 values")
            expect(drawn.locator("text").first).to_be_visible()
            page.reload()
            expect(drawn.locator("text").first).to_be_visible()

            model.enqueue(Answer(CUSTOMERS, waits=never))
            say(page, "Which customers came last year?")
            expect(page.locator(".progress")).to_contain_text("Writing the SQL")
            press(page, "Stop")
            expect(page.get_by_text("Stopped")).to_be_visible()
            expect(page.locator(".progress")).to_be_empty()
            expect(page.locator(BOX)).to_be_editable()
            page.context.close()
