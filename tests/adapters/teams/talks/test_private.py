"""Results that are for the asker alone, and conversations in which the bot does not answer."""

import json

import pytest

from tests.adapters.teams.talks.links import PUBLIC, fetched, file_of
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message

NUMBERS = "SELECT n FROM numbers ORDER BY n"
WHERE = pytest.mark.parametrize(("user", "where"), [("petra", "General"), ("petra", "board"), ("ana", "secret")])


def ran(site: TeamsSite, user: str, where: str, sql: str = NUMBERS) -> tuple[Message, Message]:
    """Run a query there, and return what was asked and the result, which stands in the person's own chat."""
    asked = site.ask(sql, user, where)
    site.press(site.shown(asked, "Run on"), "Run", user)
    table = site.teams.wait_message(user, "CSV", after=asked)
    site.shown(asked, "The result went to the person who asked")
    return asked, table


def seen_in(site: TeamsSite, asked: Message) -> str:
    """Return everything that everybody reads in a thread, with what it was before it was changed."""
    told = [m for m in site.teams.messages(asked.conversation, asked.root or None) if int(m.id) >= int(asked.id)]
    return json.dumps([[m.activity, *m.edits] for m in told], ensure_ascii=False)


def cells(site: TeamsSite, asked: Message) -> bool:
    """Return whether a table was ever shown to everybody."""
    return '"TableCell"' in seen_in(site, asked)


@WHERE
def test_rows_go_to_the_asker(site: TeamsSite, user: str, where: str) -> None:
    """Where the connection or the channel is private, pages, files and charts of a result stay with the asker."""
    asked, table = ran(site, user, where)
    assert "Only you can see this." in shown(table)
    assert "\n20\n" in shown(table)
    site.press(table, "Next", user)
    site.teams.wait(lambda: "\n21\n" in shown(table))
    status, text = fetched(site, file_of(site, table, user))
    assert (status, text.split()[0], text.split()[-1]) == (200, '"n"', "50")
    assert not cells(site, asked)
    assert PUBLIC not in seen_in(site, asked)
