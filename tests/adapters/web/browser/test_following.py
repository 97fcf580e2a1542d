"""Which part of the talk is in sight, and who decides it."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.adapters.web.browsing import alive, press, say

pytestmark = pytest.mark.thorough


LATE = """
  // What takes its height late: the browser moves the page a little, and before it tells so, the entry grows.
  scrollBy(0, -1);
  document.querySelector(".stands .text").style.paddingBottom = "200px";
"""
CLEAR = """name => {
  const button = document.querySelector(`.stands [data-answer="${name}"]`)?.getBoundingClientRect();
  return button && button.top >= 52 && button.bottom <= document.querySelector(".foot").getBoundingClientRect().top;
}"""

CLEAR_LAST = CLEAR.replace(".stands [", ".entries > :last-child [")


@pytest.fixture
def page(page: Page) -> Page:
    """A tab of a laptop's size on the gallery's empty page."""
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


def test_a_question_after_a_tall_table_shows_its_buttons(page: Page) -> None:
    """Run is above the box that one types into, though the entry takes its height only after it was shown."""
    for number in range(3):
        say(page, "tall")
        expect(page.locator(".result")).to_have_count(number + 1)
        say(page, "and now?")
        page.wait_for_function(CLEAR, arg="yes")
    page.evaluate(LATE)
    page.wait_for_function(CLEAR, arg="yes")


def test_who_scrolls_is_left_where_they_are_until_they_say_something(page: Page, context: BrowserContext) -> None:
    """What another tab says moves nobody who has scrolled away; one's own words show their answer."""
    say(page, "tall")
    expect(page.locator(".result")).to_have_count(1)
    say(page, "and now?")
    page.wait_for_function(CLEAR, arg="yes")
    page.mouse.move(700, 300)
    page.mouse.wheel(0, -900)
    page.wait_for_function("!iccFollowing")
    other = alive(context, page.url)
    say(other, "from elsewhere")
    expect(page.locator(".bubble")).to_have_count(3)
    expect(page.locator(".stands .text")).to_have_text("You said: from elsewhere")
    expect(page.locator(".stands")).not_to_be_in_viewport()
    say(page, "and here?")
    expect(page.locator(".bubble")).to_have_count(4)
    page.wait_for_function(CLEAR, arg="yes")


def test_what_a_dialog_or_a_menu_brought_is_in_sight(page: Page) -> None:
    """A person who sends a form, or chooses from the menu, of a result far above sees what came of it, at the end."""
    say(page, "held")
    expect(page.locator(".result")).to_have_count(1)
    for number in range(2):
        say(page, "tall")
        expect(page.locator(".result")).to_have_count(number + 2)
    for words in ("filled", "share@r1"):
        page.mouse.move(700, 300)
        page.mouse.wheel(0, -3000)
        page.wait_for_function("!iccFollowing && scrollY === 0")
        if words == "filled":
            press(page, "E-mail")
            page.locator(".q-dialog [data-answer=submit]").click()
        else:
            press(page, "More")
            page.get_by_role("menuitem", name="Share").click()
        expect(page.locator(".stands > .text").last).to_contain_text(f"You said: {words}")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.wait_for_function(CLEAR_LAST, arg="yes")
