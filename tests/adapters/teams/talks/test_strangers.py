"""People of other companies in conversations of the own one, and people nobody knows: a sentence, and nothing else."""

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from adapters.chat.gate import STRANGER
from tests.adapters.teams.talks.house import REVENUE, House
from tests.adapters.teams.talks.test_invokes import asked_in, found
from tests.platforms.ollama import Answer
from tests.platforms.teams.world import Person

ELSEWHERE = "99999999-0000-0000-0000-000000000000"


def of_elsewhere(person: Person) -> None:
    """Have somebody be of another company."""
    person.tenant = ELSEWHERE


def of_nowhere(person: Person) -> None:
    """Have somebody be without an account, in a meeting of the own company."""
    person.role, person.aad = "anonymous", ""


STRANGERS = pytest.mark.parametrize("eve", [of_elsewhere, of_nowhere], ids=["elsewhere", "anonymous"], indirect=True)


@pytest.fixture
def eve(house: House, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody new who has Ana's address; Teams opens no chat with them."""
    be: Callable[[Person], None] = request.param
    eve = house.teams.person(f"eve-{request.node.name}", "Eve", "ana@example.com")
    be(eve)
    yield eve
    house.teams.wait_posted()
    for call in [call for call in house.teams.refused if call.method == "create"]:
        house.teams.calls.remove(call)


@STRANGERS
def test_a_question(house: House, eve: Person) -> None:
    """A question of a stranger is not asked, whatever address they have."""
    prompts = len(house.model.history)
    asked = house.ask("revenue by region?", eve.key)
    house.shown(asked, STRANGER)
    assert prompts == len(house.model.history)
    assert [STRANGER] == house.said(asked)


@STRANGERS
def test_a_click(house: House, eve: Person) -> None:
    """What a stranger presses is not taken, and stands for who asked."""
    asked = house.ask("revenue by region?")
    approval, runs = house.shown(asked, "Run this on"), house.runs()
    house.teams.join("General", eve.key)
    assert STRANGER == house.press(approval, "Run", eve.key)
    assert runs == house.runs()
    house.press(approval, "Run")
    house.shown(asked, "CSV")


@STRANGERS
def test_stop(house: House, eve: Person) -> None:
    """What a stranger presses ends nothing."""
    event = Event()
    house.slow["slowly"] = Answer(REVENUE, waits=event)
    house.teams.join("General", eve.key)
    asked = house.ask("revenue, slowly?")
    try:
        assert STRANGER == house.press(house.shown(asked, "Writing the SQL"), "Stop", eve.key)
    finally:
        event.set()
    house.shown(asked, "Run this on")


@STRANGERS
def test_a_thumb(house: House, eve: Person) -> None:
    """The thumb of a stranger is not kept."""
    _, table = house.ran(f"SELECT name FROM regions WHERE id = 1 AND name <> 'no {eve.role}'")
    house.teams.join("General", eve.key)
    for user in (eve.key, "ana"):
        house.teams.feedback(table, "like" if user == "ana" else "dislike", user=user).wait()
    assert [True] == [good for about, _, good in house.bot.tools.feedback.ratings() if f"'no {eve.role}'" in about.sql]


@STRANGERS
def test_a_search(house: House, eve: Person) -> None:
    """What a stranger types into a menu finds nothing."""
    menu = house.shown(house.ask("How many stools?", "mia"), "Which database is it about?")
    house.teams.join("General", eve.key)
    assert [2, 0] == [len(found(house, menu, asked_in(menu), user)) for user in ("mia", eve.key)]


def test_a_guest(house: House) -> None:
    """Whom the own company invited is answered, and their address opens nothing."""
    house.teams.person("gina", "Gina", "ana@example.com").role = "guest"
    house.shown(house.ask("revenue by region?", "gina"), "There is no database")
