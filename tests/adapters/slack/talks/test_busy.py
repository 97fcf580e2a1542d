"""Many talks at once."""

from threading import Event

from tests.adapters.slack.talks.house import REVENUE, House
from tests.platforms.ollama import Answer


def test_ten_threads_that_wait_for_the_model_delay_nobody(house: House) -> None:
    """While ten threads wait for the model, another talk goes from SQL to its rows, each payload taken in a second."""
    event = Event()
    house.slow["slowly"] = Answer(REVENUE, waits=event)
    try:
        waiting = [house.ask(f"revenue, slowly, number {n}?", user="UBOB") for n in range(10)]
        for root in waiting:
            house.shown(root, "Writing the SQL")
        root = house.ask("SELECT name FROM regions ORDER BY name", user="UANA")
        house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
        table = house.shown(root, "CSV")
        house.slack.press(table, "CSV", user="UANA")
        house.slack.wait(lambda: [file for file in house.slack.files if file.thread == root.ts])
        house.idle(root, turns=3)
        house.slack.press(house.shown(root, "Done"), "Done", user="UANA")
        house.shown(root, "Goodbye")
        assert not event.is_set()
    finally:
        event.set()
        house.slow.clear()
    for root in waiting:
        house.shown(root, "Run this on")


def test_a_button_that_is_pressed_as_soon_as_it_is_seen(house: House) -> None:
    """Who sees an answer before the bot heard that it arrived may press its buttons at once."""
    house.slack.fail("chat.postMessage", "slow", seconds=0.7, times=2)
    root = house.ask("SELECT name FROM regions ORDER BY name")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    house.slack.press(house.shown(root, "CSV"), "Done", user="UANA")
    house.shown(root, "Goodbye")
    assert [m.text for m in house.slack.messages("C1", root) if m.ephemeral_to] == []
