"""A person at the real page: plays the talks of `tests/bench/whole_talks.py` in a browser."""

import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page

from tests.adapters.web.browsing import say
from tests.parity.site import ParitySite

QUIET_SECONDS, SILENT_SECONDS = 0.5, 6.0
"""Seconds in which nothing changes on the page once the bot has done, and once it has done without a question."""

DONE_SECONDS = 120
"""Seconds after which the bot is not waited for any more."""

STATE = """
[...document.querySelectorAll('.entries .stands')].map(entry => entry.inert).pop(),
document.querySelector('.progress').innerText, document.querySelector('.entries').innerHTML.length
"""
"""Whether the question that stands takes no answers (nothing if none stands), what is being done, and how much."""


class Over(Exception):
    """Raised where a talk goes on in a way that the page does not have: another person, another time."""


class PageHand:
    """Types, presses and fills in; `working` is called once for each line, while the bot works on it."""

    def __init__(self, page: Page, site: ParitySite, working: Callable[[], None]) -> None:
        self.page, self.site, self.working = page, site, working

    @property
    def standing(self) -> Locator:
        """The entry that asks."""
        return self.page.locator(".entries .stands").last

    def offered(self) -> list[str]:
        """Return the answers of buttons, and of menus their entries, as they are written, in small letters."""
        found = [each.get_attribute("data-answer") or "" for each in self.standing.locator("[data-answer]").all()]
        for menu in self._menus():
            menu.click()
            entries = self.page.locator(".q-menu .q-item")
            entries.first.wait_for()
            found += [f"menu:{each.casefold()}" for each in entries.all_inner_texts()]
            self.page.keyboard.press("Escape")
        return found

    def fields(self) -> list[str]:
        """Return the names of the fields of the form that stands."""
        return [each.get_attribute("data-field") or "" for each in self.standing.locator("[data-field]").all()]

    def say(self, text: str) -> str:
        """Type a line."""
        say(self.page, text)
        self.page.wait_for_timeout(700)
        if self.page.locator(".progress").inner_text():
            self.working()
        return self._done()

    def press(self, answers: list[str]) -> str:
        """Press a button, or choose in the menu."""
        (answer,) = answers
        if answer.startswith("menu:"):
            self._choose(next(iter(self._menus())), answer.removeprefix("menu:"))
            answer = "ok"
        self.standing.locator(f'[data-answer="{answer}"]').first.click()
        return self._done()

    def fill(self, values: dict[str, str]) -> str:
        """Put these values into fields of the form, and send it."""
        for name, value in values.items():
            field = self.standing.locator(f'[data-field="{name}"]')
            if field.evaluate("element => element.matches('input, textarea')"):
                field.fill(value)
            else:
                self._choose(field, value)
        return self.press(["submit"])

    def due(self) -> str:
        """The page's time is the real one."""
        raise Over

    def direct(self, word: str, rest: str) -> None:
        """The databases are there; anything else there is not."""
        if word != "connections":
            raise Over(word, rest)

    def _menus(self) -> list[Locator]:
        return self.standing.locator(".ask:not(.form) .menu").all()

    def _choose(self, menu: Locator, words: str) -> None:
        menu.click()
        entries = self.page.locator(".q-menu .q-item")
        entries.first.wait_for()
        texts = [each.casefold() for each in entries.all_inner_texts()]
        entries.nth(next(n for n, each in enumerate(texts) if words.casefold() in each)).click()

    def _done(self) -> str:
        """Wait until the bot asks something, or is silent, and nothing changes any more."""
        end, before, since = time.monotonic() + DONE_SECONDS, None, time.monotonic()
        while time.monotonic() < end:
            now = self.page.evaluate(f"[{STATE}]")
            asks = now[0] is False
            if now != before or now[1]:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > (QUIET_SECONDS if asks else SILENT_SECONDS):
                break
            self.page.wait_for_timeout(50)
        return ""
