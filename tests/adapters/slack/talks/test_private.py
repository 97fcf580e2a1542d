"""Results that are for the asker alone, and channels in which the bot does not answer."""

import json

import pytest

from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message

NUMBERS = "SELECT n FROM numbers ORDER BY n"


def asked(site: SlackSite, user: str, channel: str) -> tuple[Message, Message]:
    """Run a query in a channel, and return the root of the thread and the result."""
    root = site.ask(NUMBERS, user=user, channel=channel)
    site.slack.press(site.shown(root, "Run on"), "Run", user=user)
    table = site.slack.wait_message(user, "50 rows", after=root)
    site.idle(root, turns=2)
    return root, table


def seen_in(site: SlackSite, root: Message) -> str:
    """Return everything that everybody reads in a thread."""
    told = [m for m in site.slack.messages(root.channel, root) if not m.ephemeral_to]
    return json.dumps([[m.text, m.blocks] for m in told], ensure_ascii=False)


@pytest.mark.parametrize(("user", "channel"), [("UPETRA", "C1"), ("UANA", "CSECRET")])
def test_rows_go_to_the_asker(site: SlackSite, user: str, channel: str) -> None:
    """Where the connection or the channel is private, the rows go to the asker, and the thread says so without them."""
    root, table = asked(site, user, channel)
    assert "Only you can see this." in words_of(table.blocks)
    assert "data_table" in [block["type"] for block in table.blocks]
    site.shown(root, "The result went to the person who asked")
    assert "data_table" not in seen_in(site, root)


def test_next_and_files_stay_private(site: SlackSite) -> None:
    """Sorting, CSV and Chart of a private result stay in the direct message."""
    root, table = asked(site, "UPETRA", "C1")
    site.download(table, "CSV", user="UPETRA")
    file = site.slack.wait(lambda: [f for f in site.slack.files if f.channel == table.channel])[-1]
    assert file.content.decode("utf-8-sig").split()[-1] == "50"
    site.idle(root, turns=3)
    site.slack.dm("UPETRA", "sort by n desc", thread=table)
    newest = site.slack.wait(
        lambda: [
            m
            for m in site.slack.messages("UPETRA")
            if '"text": "n"}], [{"type": "raw_number", "value": 50' in json.dumps(m.blocks)
        ]
    )[-1]
    site.idle(root, turns=4)
    assert newest.channel == table.channel
    assert "data_table" not in seen_in(site, root)
    assert [f for f in site.slack.files if f.channel == "C1" and f.thread == root.ts] == []


def test_a_channel_that_is_not_allowed(site: SlackSite) -> None:
    """Where connections.toml does not let the bot answer, who asks is told so, alone, and nothing is asked or run."""
    prompts = len(site.model.history)
    root = site.ask("revenue by region?", channel="CFORBIDDEN")
    assert "direct message" in site.told("UANA", "I don't answer in this channel", after=root).text
    site.slack.wait_delivered()
    assert len(site.model.history) == prompts
    assert [m for m in site.slack.messages("CFORBIDDEN", root) if m.bot_id and not m.ephemeral_to] == []
