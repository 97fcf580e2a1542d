"""People of other companies in conversations of the own one, and people nobody knows: a sentence, and nothing else."""

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from adapters.chat.admission import STRANGER
from tests.adapters.slack.talks.site import REVENUE
from tests.adapters.teams.talks.site import TeamsSite
from tests.adapters.teams.talks.test_invokes import asked_in, found
from tests.platforms.ollama import Answer
from tests.platforms.teams.world import Person
from tests.support.ratings import ratings_of

ELSEWHERE = "99999999-0000-0000-0000-000000000000"


def of_elsewhere(person: Person) -> None:
    """Have somebody be of another company."""
    person.tenant = ELSEWHERE


def of_nowhere(person: Person) -> None:
    """Have somebody be without an account, in a meeting of the own company."""
    person.role, person.aad = "anonymous", ""


STRANGERS = pytest.mark.parametrize("eve", [of_elsewhere, of_nowhere], ids=["elsewhere", "anonymous"], indirect=True)


@pytest.fixture
def eve(site: TeamsSite, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody new who has Ana's address; Teams opens no chat with them."""
    be: Callable[[Person], None] = request.param
    eve = site.teams.person(f"eve-{request.node.name}", "Eve", "ana@example.com")
    be(eve)
    yield eve
    site.teams.wait_posted()
    for call in [call for call in site.teams.refused if call.method == "create"]:
        site.teams.calls.remove(call)


@STRANGERS
def test_a_question(site: TeamsSite, eve: Person) -> None:
    """A question of a stranger is not asked, whatever address they have."""
    prompts = len(site.model.history)
    asked = site.ask("revenue by region?", eve.key)
    site.shown(asked, STRANGER)
    assert prompts == len(site.model.history)
    assert [STRANGER] == site.said(asked)


@STRANGERS
def test_a_click(site: TeamsSite, eve: Person) -> None:
    """What a stranger presses is not taken, and stands for who asked."""
    asked = site.ask("revenue by region?")
    approval, runs = site.shown(asked, "Run on"), site.runs()
    site.teams.join("General", eve.key)
    assert STRANGER == site.press(approval, "Run", eve.key)
    assert runs == site.runs()
    site.press(approval, "Run")
    site.shown(asked, "CSV")


@STRANGERS
def test_stop(site: TeamsSite, eve: Person) -> None:
    """What a stranger presses ends nothing."""
    event = Event()
    site.slow["slowly"] = Answer(REVENUE, waits=event)
    site.teams.join("General", eve.key)
    asked = site.ask("revenue by region, slowly?")
    try:
        assert STRANGER == site.press(site.shown(asked, "Writing the SQL"), "Stop", eve.key)
    finally:
        event.set()
    site.shown(asked, "Run on")


@STRANGERS
def test_a_thumb(site: TeamsSite, eve: Person) -> None:
    """The thumb of a stranger is not kept."""
    _, table = site.ran(f"SELECT name FROM regions WHERE id = 1 AND name <> 'no {eve.role}'")
    site.teams.join("General", eve.key)
    for user in (eve.key, "ana"):
        site.teams.feedback(table, "like" if user == "ana" else "dislike", user=user).wait()
    assert [True] == [good for about, _, good in ratings_of(site.bot.database) if f"'no {eve.role}'" in about.sql]


@STRANGERS
def test_a_search(site: TeamsSite, eve: Person) -> None:
    """What a stranger types into a menu finds nothing."""
    asked = site.ask("How many did we sell in May?", "mia")
    site.press(site.shown(asked, "Which database is it about?"), "Wide", "mia")
    menu = site.shown(asked, "There are 400 tables")
    site.teams.join("General", eve.key)
    assert [15, 0] == [len(found(site, menu, asked_in(menu), user)) for user in ("mia", eve.key)]


def test_a_guest(site: TeamsSite) -> None:
    """Whom the own company invited is told alone that no database is open to guests; their address opens nothing."""
    site.teams.person("gina", "Gina", "ana@example.com").role = "guest"
    asked = site.ask("revenue by region?", "gina")
    site.teams.wait_message("", "You're a guest here, and no database is open to guests.", after=asked)
    assert [] == site.said(asked)
