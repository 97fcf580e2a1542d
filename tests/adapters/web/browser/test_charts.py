"""Charts on the page, as the browser draws them."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.adapters.web.browsing import Address, opened, say
from tests.adapters.web.scripted_core import NASTY

pytestmark = pytest.mark.thorough


INSIDE = """svg => {
  const whole = svg.getBoundingClientRect();
  // The legend's later pages are hidden beside it.
  return [...svg.querySelectorAll("text")].filter(text => !text.closest("[clip-path]")).every(text => {
    const box = text.getBoundingClientRect();
    return box.left >= whole.left - 1 && box.right <= whole.right + 1 && box.bottom <= whole.bottom + 1;
  });
}"""


def test_values_are_read_under_the_pointer_and_never_as_html(page: Page) -> None:
    """A long label is whole there, and one that looks like HTML is text; 0.1 + 0.2 is 0.3."""
    say(page, "bars")
    chart = page.locator("figure.chart")
    chart.locator("text", has_text="Aalto Oy").wait_for()
    box = chart.locator("svg").bounding_box()
    assert box
    expect(chart.locator("text", has_text="<img src")).to_be_visible()
    for height, words in ((0.32, "Großhandelsgesellschaft mbH"), (0.8, NASTY)):
        page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * height)
        expect(chart.get_by_text(words, exact=False).last).to_be_visible()
    expect(chart.get_by_text("0.3", exact=True).last).to_be_visible()
    assert page.evaluate("document.body.dataset.broken") is None


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.thorough)])
def test_all_words_of_a_chart_are_inside_it(browser: Browser, address: Address, width: int) -> None:
    """On a phone and on a laptop no label is cut off, and the page does not scroll sideways."""
    page = opened(browser, address, viewport={"width": width, "height": 844})
    for number, words in enumerate(("bars", "line", "crowd")):
        say(page, words)
        svg = page.locator("figure.chart svg").nth(number)
        expect(svg.locator("text").first).to_be_visible()
        assert svg.evaluate(INSIDE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()
