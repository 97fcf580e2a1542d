"""What is repeated on the page: by the browser's clock, live in the open thread, listed and stopped beside it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.adapters.web.browsing import BOX, opened, press, say, served
from tests.platforms.ollama import Ollama
from tests.support.due_schedules import make_due
from tests.support.shop import write_connections

pytestmark = pytest.mark.thorough


COMMAND = ("-m", "bot", "web", "--no-browser", "--port", "0")


def test_rows_come_by_themselves(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked in a sentence, shown in the open thread while something else stands to be answered, stopped in the list."""
    home = tmp_path / "home"
    connections = write_connections(tmp_path, ["shop"])
    with Ollama(script=lambda prompt: "SELECT name FROM regions ORDER BY name") as model:
        monkeypatch.chdir(tmp_path)
        environment = {
            "ICC_BOT_HOME": str(home),
            "ICC_BOT_CONNECTIONS": str(connections),
            "OLLAMA_BASE_URL": model.url,
            "SQL_MODEL_NAME": "qwen2.5-coder:7b",
        }
        with served(*COMMAND, **environment) as (address, _):
            page = opened(browser, address, timezone_id="Europe/Vienna")
            say(page, "What are the regions called?")
            press(page, "Run on Shop")
            expect(page.locator(".stands .count")).to_contain_text("2 rows")
            press(page, "More")
            page.get_by_role("menuitem", name="Repeat this").click()
            expect(page.locator("[data-field=at] input, input[data-field=at]")).to_have_value("08:00")
            # Fields stand below one another, without room in between.
            page.get_by_role("button", name="Preview", exact=True).click(trial=True)  # once the dialog is open wholly
            form = page.locator(".q-dialog .form").bounding_box()
            assert form is not None
            assert 300 < form["height"] < 700
            menu = page.locator(".q-dialog .q-select").first.bounding_box()
            assert menu is not None
            assert menu["height"] < 60  # what is chosen and the arrow beside it are in one line
            press(page, "Preview")
            expect(page.get_by_text("Every day at 08:00 (Europe/Vienna)")).to_be_visible()
            press(page, "Start")
            expect(page.get_by_text("This is repeated every day at 08:00")).to_be_visible()
            make_due(home)
            # Whatever is asked to be repeated has the bot look for what is due.
            say(page, "repeat this every hour")
            press(page, "Start")
            expect(page.get_by_role("button", name="Stop repeating", exact=True)).to_be_visible()
            expect(page.get_by_text("· every day at 08:00")).to_be_visible()
            press(page, "Stop repeating")
            expect(page.get_by_text("You stopped this")).to_be_visible()
            expect(page.locator(BOX)).to_be_editable()

            page.goto(address.rstrip("/") + "/schedules")
            listed = page.locator(".repeated [role=group]")
            expect(listed).to_have_count(1)
            expect(listed).to_contain_text("every hour")
            press(page, "Stop")
            expect(page.locator(".repeated")).to_contain_text("You stopped this")
            expect(listed).to_have_count(0)
            page.context.close()
