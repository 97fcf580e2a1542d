"""Results that are for the asker alone, and conversations in which the bot does not answer."""

import json
from pathlib import Path

import pytest

from tests.adapters.teams.talks.house import House, founded
from tests.adapters.teams.talks.links import PUBLIC, fetched, file_of
from tests.platforms.teams import Message, shown

NUMBERS = "SELECT n FROM numbers ORDER BY n"
WHERE = pytest.mark.parametrize(("user", "where"), [("petra", "General"), ("petra", "board"), ("ana", "secret")])


def ran(house: House, user: str, where: str, sql: str = NUMBERS) -> tuple[Message, Message]:
    """Run a query there, and return what was asked and the result, which stands in the person's own chat."""
    asked = house.ask(sql, user, where)
    house.press(house.shown(asked, "Run this on"), "Run", user)
    table = house.teams.wait_message(user, "CSV", after=asked)
    house.shown(asked, "The result went to the person who asked")
    return asked, table


def seen_in(house: House, asked: Message) -> str:
    """Return everything that everybody reads in a thread, with what it was before it was changed."""
    told = [m for m in house.teams.messages(asked.conversation, asked.root or None) if int(m.id) >= int(asked.id)]
    return json.dumps([[m.activity, *m.edits] for m in told], ensure_ascii=False)


def cells(house: House, asked: Message) -> bool:
    """Tell whether a table was ever shown to everybody."""
    return '"TableCell"' in seen_in(house, asked)


@WHERE
def test_rows_go_to_the_asker(house: House, user: str, where: str) -> None:
    """Where the connection or the channel is private, pages, files and charts of a result stay with the asker."""
    asked, table = ran(house, user, where)
    assert "Only you can see this." in shown(table)
    assert "\n20\n" in shown(table)
    house.press(table, "Next", user)
    house.teams.wait(lambda: "\n21\n" in shown(table))
    status, text = fetched(house, file_of(house, table, user))
    assert (status, text.split()[0], text.split()[-1]) == (200, '"n"', "50")
    assert not cells(house, asked)
    assert PUBLIC not in seen_in(house, asked)


def test_a_chart_of_private_rows(house: House) -> None:
    """A chart of them is for the asker alone as well."""
    asked, table = ran(house, "ana", "secret", "SELECT name, id * 7 AS weight FROM regions")
    house.press(table, "Chart")
    chart = house.teams.wait_message("ana", "South 14", after=table)
    assert "Chart." in str(chart.card)
    assert "South" not in seen_in(house, asked)


@WHERE
def test_share_shows_the_table_to_all(house: House, user: str, where: str) -> None:
    """The asker shares the rows with a press; then they stand in the thread, with nothing to press."""
    asked, table = ran(house, user, where)
    house.press(table, "Share in channel", user)
    shared = house.shown(asked, "\n20\n")
    assert "Action.Execute" not in str(shared.card)
    house.press(table, "Done", user)
    house.teams.wait(lambda: f"Done · {user.title()}" in shown(table))


def test_a_follow_up_beside_a_private_result(house: House) -> None:
    """What is typed below a private result is a talk of that chat: nothing of it is told in the channel."""
    asked, table = ran(house, "petra", "General")
    said = len(house.said(asked))
    again = house.ask("SELECT name FROM regions", "petra", "petra")
    house.press(house.shown(again, "Run this on"), "Run", "petra")
    assert "North\nSouth" in shown(house.shown(again, "CSV"))
    house.press(table, "Done", "petra")
    house.teams.wait_message("petra", "Goodbye", after=again)
    assert len(house.said(asked)) == said


def test_a_channel_that_is_not_allowed(tmp_path: Path) -> None:
    """Where connections.toml does not let the bot answer, who asks is told so, alone, and nothing is asked or run."""
    with founded(tmp_path / "house") as town:
        file = town.folder / "connections.toml"
        file.write_text(file.read_text().replace("[channels]", '[channels]\nallowed = ["teams:19:board@thread.v2"]'))
        with town.at_work() as house:
            asked = house.ask("revenue by region?")
            told = house.teams.wait_message("ana", "I do not answer in this channel")
            assert "Write to me in a direct message instead" in told.text
            house.teams.wait_posted()
            assert house.model.history == []
            assert house.said(asked) == []
            for where in ("board", "ana"):
                house.shown(house.ask("revenue by region?", where=where), "Run this on")
            house.demand_sound()
