"""Rights hold at once: what is saved in connections.toml counts for the next press, and for rows that were kept."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Chart, File, Table, Text
from router.errors import NotFound
from router.jobs.job_entry import JobState
from router.jobs.payloads import WRITE_DATA
from router.memory.draft import User
from router.memory.stage import Stage
from router.schedules.schedule import ScheduleState
from router.turn import Filled
from tests.support.mail_servers import post_office
from tests.support.rows import every_row
from tests.support.shop import BLOCKS, build_backup, build_shop
from tests.support.talk import ANA, BOB, Talk

SQL = "SELECT status, COUNT(*) AS pieces FROM orders GROUP BY status ORDER BY status"
GONE = 'There is no connection "shop" that you may use (any more). Nothing was done.'
SHUT = "These rows are not shown any more: what they were read from may not be read today."
NOT_ANA = 'readers = ["bob@example.com"]\n'
NO_ORDERS = 'tables = ["regions", "customers"]\n'


CARLA = User("test:carla", "Carla", "carla@example.com")


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk over the shop, a copy of it, and a backup that Ana may write to."""
    for name in ("shop", "vault"):
        build_shop(tmp_path / f"{name}.sqlite")
    build_backup(tmp_path / "backup.sqlite")
    save(tmp_path)
    with post_office() as post:
        talk = Talk(tmp_path, model, mail_config=post.mail_config())
        yield talk
        talk.close()


def save(folder: Path, shop: str = "", others: str = "") -> None:
    """Save the file with these rights for the shop."""
    blocks = (BLOCKS["shop"] + shop, BLOCKS["backup"], others)
    (folder / "connections.toml").write_text("\n".join(blocks))


def events(talk: Talk, *names: str) -> list[str]:
    """Return those of these events that are on the trail."""
    lines = map(json.loads, (talk.folder / "audit.jsonl").read_text(encoding="utf-8").splitlines())
    return [each["event"] for each in lines if each["event"] in names]


def asked(talk: Talk) -> str:
    """Ask, as far as the card with Run."""
    talk.say(SQL)
    return talk.press("menu:shop")


def ran(talk: Talk) -> str:
    """Run a query."""
    asked(talk)
    shown = talk.press("yes")
    assert Stage.SHOW_RESULTS == talk.stage
    return shown


def test_a_press_after_the_asker_lost_the_right(talk: Talk) -> None:
    """What is approved then is refused, and nothing is run."""
    asked(talk)
    save(talk.folder, NOT_ANA)
    assert GONE in talk.press("yes")
    assert [] == events(talk, "started")


def test_a_press_after_the_approver_lost_the_right(talk: Talk) -> None:
    """An approver whose address was taken out approves nothing; one who was put in does."""
    save(talk.folder, 'approvers = ["bob@example.com"]\n')
    talk.shared = True
    asked(talk)
    save(talk.folder, 'approvers = ["carla@example.com"]\n')
    talk.user = BOB
    talk.press("yes")
    assert [] == events(talk, "started")
    talk.user = User("test:carla", "Carla", "carla@example.com")
    talk.press("yes")
    assert ["started"] == events(talk, "started")


def test_an_approver_who_may_not_read_is_told_no_names(talk: Talk) -> None:
    """A person who may not read a database does not learn who approves for it, nor what it is called."""
    save(talk.folder, 'readers = ["ana@example.com"]\napprovers = ["carla@example.com"]\n')
    talk.shared = True
    asked(talk)
    talk.user = BOB
    said = talk.press("yes")
    assert ("carla@example.com" in said, "Shop" in said) == (False, False)


def test_a_file_that_is_not_in_order_takes_no_rights(talk: Talk) -> None:
    """The talk goes on by the last good one."""
    asked(talk)
    (talk.folder / "connections.toml").write_text(BLOCKS["shop"] + "raeders = []\n")
    talk.press("yes")
    assert Stage.SHOW_RESULTS == talk.stage


def test_a_schedule_that_comes_due(talk: Talk) -> None:
    """It is paused where its owner may not read any more, and where its table was taken away."""
    for shop, words in ((NOT_ANA, GONE), (NO_ORDERS, "orders is not among those that this connection may read")):
        save(talk.folder)
        ran(talk)
        talk.say("repeat this every hour")
        talk.press("yes")
        save(talk.folder, shop)
        talk.clock.now += timedelta(hours=1)
        (told,) = [text_of(reply) for reply in talk.due()]
        assert words in told
        assert talk.services.schedules
        schedule = talk.services.schedules.of(ANA.id)[-1]
        assert ScheduleState.PAUSED == schedule.standing
        talk.services.schedules.stop(schedule.id)
        talk.press("restart")


TAKEN = [
    pytest.param(NOT_ANA, GONE, id="reader"),
    pytest.param(NO_ORDERS, SHUT, id="table"),
    pytest.param(None, GONE, id="connection"),
]
"""What is taken away, and what is said of the rows."""


def take(talk: Talk, shop: str | None) -> None:
    """Take a right away, or (None) the whole connection."""
    if shop is None:
        (talk.folder / "connections.toml").write_text(BLOCKS["backup"])
    else:
        save(talk.folder, shop)


@pytest.mark.parametrize(("shop", "said"), TAKEN)
@pytest.mark.parametrize("press", ["sort:1:down", "csv", "xlsx", "chart", "write", "email"])
def test_rows_that_were_kept(talk: Talk, press: str, shop: str | None, said: str) -> None:
    """No page, file, chart, table or e-mail is made of them, and the person is told why and what to do."""
    ran(talk)
    jobs = len(talk.services.jobs.ledger.latest())
    take(talk, shop)
    before = len(talk.replies)
    talk.press(press)
    if press == "write":
        talk.fill(table="states")
    if press == "email":
        talk.fill(to=ANA.email, subject="Orders")
        talk.press("email")
    cards = [card for reply in talk.replies[before:] for card in reply.cards]
    assert not [card for card in cards if isinstance(card, Table | File | Chart) and card.connection == "shop"]
    assert said in "\n".join(text_of(reply) for reply in talk.replies[before:])
    assert jobs == len(talk.services.jobs.ledger.latest())


@pytest.mark.parametrize(("shop", "said"), TAKEN)
def test_cards_of_the_past(talk: Talk, shop: str | None, said: str) -> None:
    """A table, a chart and a file that were shown before are a sentence now, and come back with the right."""
    ran(talk)
    for press in ("chart", "csv"):
        talk.press(press)
    cards = [
        card
        for reply in talk.replies
        for card in reply.cards
        if isinstance(card, Table | File | Chart) and card.connection
    ]
    assert {Table, Chart, File} == set(map(type, cards))
    assert [True] * len(cards) == [not isinstance(talk.router.history.redraw(ANA, card), Text) for card in cards]
    take(talk, shop)
    drawn = [talk.router.history.redraw(ANA, card) for card in cards]
    assert [True] * len(cards) == [isinstance(card, Text) and said in card.body for card in drawn]
    save(talk.folder)
    assert [False] * len(cards) == [isinstance(talk.router.history.redraw(ANA, card), Text) for card in cards]


def test_rows_of_a_comparison(talk: Talk) -> None:
    """Rows of two databases need the right to both."""
    save(talk.folder, others=BLOCKS["vault"].replace('approvers = ["bob@example.com"]\n', ""))
    ran(talk)
    talk.press("compare")
    talk.press("same")
    talk.press("menu:vault")
    talk.press("yes")
    talk.press("accept")
    talk.press("differences")
    talk.press("yes")
    assert Stage.SHOW_RESULTS == talk.stage
    answer = talk.memory.answer
    assert answer
    shelf = talk.services.results.seen_by(ANA)
    assert answer.result == shelf.ref(answer.result)
    save(talk.folder, others=BLOCKS["vault"] + 'readers = ["bob@example.com"]\n')
    with pytest.raises(NotFound, match='There is no connection "vault"'):
        shelf.page(answer.result)
    save(talk.folder, others=BLOCKS["vault"] + 'tables = ["regions"]\n')
    with pytest.raises(NotFound, match="orders is not among those"):
        shelf.page(answer.result)


def test_a_write_that_was_approved_and_not_begun(talk: Talk) -> None:
    """The worker asks once more: a job that waited for the next start writes no rows of a table that was taken away."""
    ran(talk)
    talk.press("write")
    talk.fill(table="states")
    talk.press("write")
    (written,) = [each for each in talk.services.jobs.ledger.latest() if each.request.kind == "write_data"]
    assert JobState.DONE == written.state
    save(talk.folder, NO_ORDERS)
    job = replace(WRITE_DATA.job(written.request), table="again")
    done = talk.services.jobs.run(WRITE_DATA.request(job, "key"), lambda entry, doing: None)
    assert (JobState.FAILED, True) == (done.state, done.error.startswith(SHUT))


def test_a_database_that_is_away(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    """A person who picks it is told so and picks another one; it is there again without a restart."""
    file = talk.folder / "shop.sqlite"
    file.rename(file.with_suffix(".away"))
    assert "Shop is away: I cannot open its database. Nothing was done" in asked(talk)
    talk.press("menu:backup")
    talk.say("select name from places")
    assert "Hall" in talk.press("yes")
    file.with_suffix(".away").rename(file)
    talk.press("restart")
    ran(talk)


PAYROLL = """
[connections.payroll]
id = 5
label = "Payroll"
url = "sqlite:///vault.sqlite"
readers = ["bob@example.com"]
"""


@every_row(
    ("typed", "question"),
    [
        ("how many orders in payroll?", "how many orders?"),
        ("how many orders in Payroll?", "how many orders?"),
        ("how many orders in the payroll database?", "how many orders?"),
        ("payroll: how many orders per status?", "how many orders per status?"),
        ("wie viele orders gibt es in der Payroll-Datenbank?", "wie viele orders gibt es?"),
    ],
)
def test_a_database_that_the_person_may_not_read_is_not_answered_from_another(
    tmp_path: Path, typed: str, question: str
) -> None:
    """They are told in the words for one that is not there, and choose where the question goes; nothing was asked."""
    folder = tmp_path / str(abs(hash(typed)))
    folder.mkdir()
    build_shop(folder / "shop.sqlite")
    (folder / "connections.toml").write_text('default = "shop"\n' + BLOCKS["shop"] + PAYROLL)
    talk = Talk(folder, model)
    said = talk.say(typed)

    assert re.search("I know no database “payroll” that you may read.", said, re.IGNORECASE), said
    assert "choose where I ask your question instead" in said
    assert talk.options() == ("menu:shop",)
    assert talk.memory.draft.question == question
    assert "no model" not in said
    talk.close()


def test_what_is_refused_leaves_the_card_of_an_approver_good(talk: Talk) -> None:
    """A person who may not say Yes changes nothing: not by a press, nor by what is filled in or typed, nor too late."""
    save(talk.folder, 'approvers = ["bob@example.com"]\n')
    talk.shared = True
    asked(talk)
    number = talk.memory.turn
    for user, given in ((ANA, "yes"), (CARLA, "yes"), (CARLA, "no"), (CARLA, "edit")):
        talk.user = user
        assert re.search("can't approve|may approve|started this conversation", talk.press(given, number))
    talk.user = ANA
    talk.say("yes")
    talk.clock.now += timedelta(days=8)
    talk.press("yes", number)
    talk.clock.now -= timedelta(days=8)
    assert number == talk.memory.turn

    talk.user = BOB
    talk.press("yes", number)
    assert Stage.SHOW_RESULTS == talk.stage
    assert ["approved"] == events(talk, "approved")


def test_what_the_asker_fills_in_leaves_the_card_of_an_approver_good(talk: Talk) -> None:
    """Where rows are to be deleted, the asker who may not say Yes neither writes nor spoils the card."""
    talk.change("backup", approvers=frozenset({"bob@example.com"}))
    talk.say("SELECT name, name AS country FROM regions")
    talk.press("menu:shop")
    talk.press("yes")
    talk.press("write")
    talk.fill(table="places", mode="truncate")
    assert Stage.CONFIRM_WRITE == talk.stage
    number = talk.memory.turn
    for table in ("places", "wrong"):
        assert "You can't approve what is written to Backup" in talk.fill(table=table)
    talk.say("hm")
    assert number == talk.memory.turn

    talk.user = BOB
    assert "Emptied `main.places`" in text_of(talk.send(Filled({"table": "places"}, number))[-1])


def test_writing_asks_the_rights_of_reading(talk: Talk) -> None:
    """A table outside is neither looked at nor written, there or not, in the same words; nor is a hidden column."""
    talk.change("backup", tables=("places", "new_*"), columns_hidden=("country",))
    talk.say("SELECT name, name AS country FROM regions")
    talk.press("menu:shop")
    talk.press("yes")
    talk.press("write")
    assert "towns" not in talk.options()
    said = [talk.fill(table=table) for table in ("archive", "towns")]
    assert said[0] == said[1].replace("towns", "archive")
    assert "Rows may not be written into a table" in said[0]
    shown = talk.fill(table="places")
    assert "country" not in shown.replace("country (text) →", "")
