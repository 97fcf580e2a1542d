"""Many talks at once."""

from threading import Event

from tests.adapters.slack.talks.site import REVENUE, SlackSite
from tests.platforms.ollama import Answer


def test_ten_threads_that_wait_for_the_model_delay_nobody(site: SlackSite) -> None:
    """While ten threads wait for the model, another talk goes from SQL to its rows, each payload taken in a second."""
    event = Event()
    site.slow["slowly"] = Answer(REVENUE, waits=event)
    try:
        waiting = [site.ask(f"revenue, slowly, number {n}?", user="UBOB") for n in range(10)]
        for root in waiting:
            site.shown(root, "Writing the SQL")
        root = site.ask("SELECT name FROM regions ORDER BY name", user="UANA")
        site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
        table = site.shown(root, "CSV")
        site.download(table, "CSV")
        site.slack.wait(lambda: [file for file in site.slack.files if file.thread == root.ts])
        site.idle(root, turns=3)
        site.slack.press(site.shown(root, "Done"), "Done", user="UANA")
        site.shown(root, "Mention me for")
        assert not event.is_set()
    finally:
        event.set()
        site.slow.clear()
    for root in waiting:
        site.shown(root, "Run on")


def test_a_button_that_is_pressed_as_soon_as_it_is_seen(site: SlackSite) -> None:
    """Who sees an answer before the bot heard that it arrived may press its buttons at once."""
    site.slack.fail("chat.postMessage", "slow", seconds=0.7, times=2)
    root = site.ask("SELECT name FROM regions ORDER BY name")
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    site.slack.press(site.shown(root, "CSV"), "Done", user="UANA")
    site.shown(root, "Mention me for")
    assert [m.text for m in site.slack.messages("C1", root) if m.ephemeral_to] == []
