"""What Teams asks the bot for, other than clicks: each is answered as Teams wants it."""

import uuid
from dataclasses import replace

import pytest

from adapters.rendering.controls import QuestionRef
from adapters.teams import controls as actions
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.activities import invoke
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.world import Message


def asked(site: TeamsSite, message: Message, name: str, value: object, user: str = "ana") -> Post:
    """Send an invoke about a message, and return what came of it."""
    with site.teams.lock:
        made = invoke(site.teams, name, value, message, site.teams.person(user))
    retries, site.teams.retries = site.teams.retries, ()
    post = site.teams.send(made).wait()
    site.teams.retries = retries
    return post


def found(site: TeamsSite, message: Message, menu: QuestionRef, user: str = "ana") -> list[dict[str, str]]:
    """Return what a search of a menu finds, typed into a message."""
    post = asked(site, message, "application/search", {"dataset": str(menu), "queryText": "i"}, user)
    results: list[dict[str, str]] = post.body["value"]["results"]
    return results


def asked_in(message: Message) -> QuestionRef:
    """Return which question a message asks, as its first button tells."""
    return actions.asked_in(
        next(part["data"] for part in parts_of(message.card) if isinstance(part.get("data"), dict))
    )[1]


@pytest.mark.parametrize("name", ["suggestedActions/submit", "composeExtension/query", "tab/fetch"])
def test_what_is_not_offered(site: TeamsSite, name: str) -> None:
    """B14: what no message of the bot offers is answered as not there, and breaks nothing."""
    _, table = site.ran("SELECT name FROM regions")
    post = asked(site, table, name, {"data": {"actionValue": {"reaction": "like"}}})
    assert post.status == 501
    site.teams.posts.remove(post)
    site.press(table, "Done")


def test_a_search_by_somebody_of_another_company(site: TeamsSite) -> None:
    """Entries of a menu are for the company that it was made for."""
    menu = site.shown(site.ask("How many stools?", "mia"), "Which database is it about?")
    own = asked_in(menu)
    other = QuestionRef(replace(own.key, team=str(uuid.uuid4())), own.turn, own.card)
    assert [2, 0] == [len(found(site, menu, each)) for each in (own, other)]


def test_a_search_in_another_conversation(site: TeamsSite) -> None:
    """Entries of a menu are for the conversation that it stands in, and for the question that stands there."""
    menu = site.shown(site.ask("How many stools?", "mia", "mia"), "Which database is it about?")
    elsewhere = site.shown(site.ask("revenue by region?"), "Run on")
    own = asked_in(menu)
    assert [2, 0] == [len(found(site, each, own, who)) for each, who in ((menu, "mia"), (elsewhere, "ana"))]
    assert [] == found(site, menu, replace(own, turn=own.turn + 1), "mia")
