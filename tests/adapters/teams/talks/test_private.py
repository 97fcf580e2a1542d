"""Results that are for the asker alone, and conversations in which the bot does not answer."""

import json
from pathlib import Path

import pytest

from tests.adapters.teams.talks.links import PUBLIC, fetched, file_of
from tests.adapters.teams.talks.site import TeamsSite, buttons_in, founded
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
    """Tell whether a table was ever shown to everybody."""
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


def test_a_chart_of_private_rows(site: TeamsSite) -> None:
    """A chart of them is for the asker alone as well."""
    asked, table = ran(site, "ana", "secret", "SELECT name, id * 7 AS weight FROM regions")
    site.press(table, "Chart")
    chart = site.teams.wait_message("ana", "South 14", after=table)
    assert "Chart." in str(chart.card)
    assert "South" not in seen_in(site, asked)


@WHERE
def test_share_shows_the_table_to_all(site: TeamsSite, user: str, where: str) -> None:
    """The asker shares the rows with a press; then they stand in the thread, with nothing to press."""
    asked, table = ran(site, user, where)
    site.press(table, "Share in channel", user, sure="Everybody in this channel will see these rows. Share them?")
    shared = site.shown(asked, "\n20\n")
    assert "Action.Execute" not in str(shared.card)
    site.press(table, "Done", user)
    assert {"CSV", "Done"} <= set(buttons_in(table.card))  # a result keeps its buttons


def test_a_follow_up_beside_a_private_result(site: TeamsSite) -> None:
    """What is typed below a private result is a talk of that chat: nothing of it is told in the channel."""
    asked, table = ran(site, "petra", "General")
    said = len(site.said(asked))
    again = site.ask("SELECT name FROM regions", "petra", "petra")
    site.press(site.shown(again, "Run on"), "Run", "petra")
    assert "North\nSouth" in shown(site.shown(again, "CSV"))
    site.press(table, "Done", "petra")
    site.teams.wait_message("petra", "Mention me for", after=again)
    assert len(site.said(asked)) == said


def test_a_channel_that_is_not_allowed(tmp_path: Path) -> None:
    """Where connections.toml does not let the bot answer, who asks is told so, alone, and nothing is asked or run."""
    with founded(tmp_path / "site") as company:
        file = company.folder / "connections.toml"
        file.write_text(file.read_text().replace("[channels]", '[channels]\nallowed = ["teams:19:board@thread.v2"]'))
        with company.at_work() as site:
            asked = site.ask("revenue by region?")
            told = site.teams.wait_message("ana", "I don't answer in this channel")
            assert "Write to me in a direct message instead" in told.text
            site.teams.wait_posted()
            assert site.model.history == []
            assert site.said(asked) == []
            for where in ("board", "ana"):
                site.shown(site.ask("revenue by region?", where=where), "Run on")
            site.demand_sound()
