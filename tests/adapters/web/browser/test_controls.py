"""Menus, dialogs, folds and outcomes of cards, and what can be done with conversations, from a person's view."""

import pytest
from playwright.sync_api import Page, expect

from tests.adapters.web.browsing import Address, press, say

pytestmark = pytest.mark.thorough


def test_a_card_shows_few_buttons_and_a_menu_goes_by_keyboard(page: Page) -> None:
    """Downloads are one menu, further ways another; arrows and Enter choose; another person's button is not drawn."""
    say(page, "ways")
    buttons = page.locator(".stands .buttons > .q-btn")
    expect(buttons).to_have_text(["Run on Sales", "Download ▾", "⋯"])
    page.get_by_role("button", name="Download", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem")).to_have_text(["CSV", "Excel"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Excel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".text").last).to_have_text("You said: xlsx")


def test_a_form_opens_at_the_first_press_and_loses_nothing_typed(page: Page) -> None:
    """Fields that do not apply are hidden, what is missing is said at its field, and typed addresses are all sent."""
    say(page, "ways")
    press(page, "More")
    page.get_by_role("menuitem", name="E-mail").click()
    form = page.locator(".q-dialog .form")
    expect(form).to_be_visible()
    expect(form.get_by_text("Key")).to_be_hidden()
    expect(form.get_by_text("Channel")).to_have_count(0)
    form.get_by_text("Add rows").click()
    expect(form.get_by_text("Several with commas")).to_be_visible()
    form.locator(".people input").fill("bob@example.com")
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".problem:visible")).to_have_text("Please fill in: Key.")
    expect(page.locator(".bubble")).to_have_count(1)
    form.get_by_label("Key").fill("id")
    form.get_by_role("button", name="Send").click()
    expect(page.locator(".text").last).to_have_text(
        "You said: filled {'mode': 'append', 'key': 'id', 'at': '08:00', 'people': 'ana@example.com, bob@example.com'}"
    )
    expect(form).to_have_count(0)


def test_what_others_will_see_is_asked_first(page: Page) -> None:
    """Cancel leaves the card as it is; Share sends the press."""
    say(page, "ways")
    for name in ("Cancel", "Share"):
        press(page, "More")
        page.get_by_role("menuitem", name="Share").click()
        expect(page.get_by_role("dialog")).to_contain_text("Everybody will see these rows.")
        page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".text").last).to_have_text("You said: share")


def test_a_card_that_was_acted_upon_shows_its_outcome_alone(page: Page) -> None:
    """The folded SQL stays, below the rows; warnings and buttons are gone."""
    say(page, "ways")
    expect(page.get_by_role("heading", name="The five largest *customers*")).to_be_visible()
    expect(page.locator("figure.code")).to_be_hidden()
    page.get_by_text("Show the SQL").click()
    expect(page.locator("figure.code pre")).to_be_visible()
    expect(page.locator(".steps li")).to_have_text(["Joins orders to customers.", "Keeps five."])
    press(page, "Run on Sales")
    expect(page.locator(".result")).to_be_visible()
    expect(page.get_by_text("The model guessed.")).to_have_count(0)
    expect(page.get_by_text("Show the SQL")).to_be_visible()


def test_the_last_question_is_changed_and_asked_again(page: Page) -> None:
    """The pencil stands at the last one alone; Escape leaves it, a press asks in the new words."""
    say(page, "sql")
    expect(page.locator(".stands")).to_have_count(1)
    say(page, "text")
    expect(page.locator(".bubble")).to_have_count(2)
    pencils = page.locator(".pencil:visible")
    expect(pencils).to_have_count(1)
    box = page.get_by_role("textbox", name="The question")
    pencils.last.click()
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".bubble").last).to_have_text("text")
    pencils.last.click()
    box.fill("table")
    press(page, "Ask again")
    expect(page.locator(".bubble")).to_have_text(["sql", "table"])
    expect(page.locator(".result")).to_be_visible()


def test_conversations_are_found_renamed_and_deleted(page: Page, address: Address) -> None:
    """Delete says what goes and asks first; then nothing of it is listed, and the page is a new conversation."""
    say(page, "text")
    expect(page.locator(".stands")).to_have_count(1)
    row = page.locator(".listed:has(.now)")
    row.get_by_role("button").click()
    page.get_by_role("menuitem", name="Rename").click()
    expect(page.get_by_role("dialog").get_by_label("Title")).to_be_focused()
    page.get_by_role("dialog").get_by_label("Title").fill("Unheard-of name")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.locator(".thread.now")).to_have_text("Unheard-of name")
    page.get_by_label("Search conversations").fill("unheard")
    expect(page.locator(".thread")).to_have_count(1)
    row.get_by_role("button").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("It can't be undone.")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url(address)
    expect(page.get_by_role("link", name="Unheard-of name")).to_have_count(0)
