"""Files where the bot has no address of its own: each is offered, and put where its person allows it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.adapters.teams.talks.offers import (
    CSV,
    REGIONS,
    again,
    arrived,
    changed,
    csv_offered,
    offer_to,
    said_in,
)
from tests.adapters.teams.talks.site import TeamsSite, founded
from tests.platforms.teams.looking import shown
from tests.platforms.teams.troubles import Troubles


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamsSite]:
    """A bot without a public address."""
    with founded(tmp_path_factory.mktemp("consent") / "site") as company, company.at_work(TEAMS_PUBLIC_URL="") as site:
        yield site


@pytest.fixture
def home(shared_home: TeamsSite) -> Iterator[TeamsSite]:
    """That bot, for one talk; Teams refuses and dislikes nothing but what the talk wants."""
    teams = shared_home.teams
    teams.wait_posted()
    calls, faults, posts = len(teams.calls), len(teams.faults), len(teams.posts)
    teams.troubles = Troubles()
    yield shared_home
    shared_home.require_sound(calls, faults, posts)


def test_a_file_is_offered_and_arrives(home: TeamsSite) -> None:
    """In a personal chat CSV is offered below; once allowed, all of it is put, and stands where the offer stood."""
    asked, _, offer = csv_offered(home)
    assert int(home.shown(asked, "offered below").id) < int(offer.id)
    content, name = said_in(offer), offer.attachments[0]["name"]
    assert ["acceptContext", "declineContext", "description", "sizeInBytes"] == sorted(content)
    assert {"token"} == content["acceptContext"].keys()
    assert str(home.folder) not in str(offer.activity)
    assert home.teams.consent(offer).wait().status == 200
    text = arrived(home, offer)
    assert text.split() == CSV
    assert home.teams.files[-1].size == content["sizeInBytes"]
    assert home.teams.files[-1].name == name


def test_a_private_result_is_handed_over_where_it_is(home: TeamsSite) -> None:
    """Private rows are shown in the asker's own chat, and their file is offered below them."""
    asked = home.ask(REGIONS, "petra")
    home.press(home.shown(asked, "Run on"), "Run", "petra")
    table = home.teams.wait_message("petra", "CSV")
    home.press(table, "CSV", "petra")
    offer = offer_to(home, "petra", table)
    home.teams.wait_message("petra", "offered below", after=table)
    home.teams.consent(offer).wait()
    assert arrived(home, offer).split() == CSV


def test_declined(home: TeamsSite) -> None:
    """Who declines is told that nothing was handed over; nothing is put, and the offer is gone."""
    _, _, offer = csv_offered(home)
    uploads = len(home.teams.asked("upload"))
    post = home.teams.consent(offer, accept=False).wait()
    home.teams.wait(lambda: "was not handed over, as you wished" in shown(offer))
    assert (post.status, said_in(offer)) == (200, {})
    assert len(home.teams.asked("upload")) == uploads


def test_an_answer_that_comes_again(home: TeamsSite) -> None:
    """An answer that Teams delivers again, also later or under another id, counts once."""
    asked, _, offer = csv_offered(home)
    uploads, files = len(home.teams.asked("upload")), len(home.teams.files)
    post = home.teams.consent(offer)
    others = [home.teams.redeliver(post), home.teams.redeliver(post, later=True), again(home, post)]
    assert arrived(home, offer).split() == CSV
    decline = again(home, post, value=changed(post, action="decline"))
    assert [200] * 4 == [each.wait().status for each in (*others, decline)]
    home.teams.wait_posted()
    assert (len(home.teams.asked("upload")), len(home.teams.files)) == (uploads + 1, files + 1)
    assert [each for each in home.said(asked) if "I do not know that offer" in each] == []
    assert len(home.teams.file_infos(offer)) == 1


def test_answers_that_were_made_up(home: TeamsSite) -> None:
    """A token that was not made here, or that stands for somebody else's file, gets nothing but a sentence."""
    _, _, offer = csv_offered(home)
    home.teams.wait_message("eve", after=home.ask("hello", "eve", "eve"))
    uploads = len(home.teams.asked("upload"))
    person = home.teams.person("eve")
    eve = {"id": person.id, "name": person.name, "aadObjectId": person.aad}
    theirs = home.teams.conversation("eve")
    post = home.teams.consent(csv_offered(home)[2], accept=False).wait()
    right = changed(post, action="accept", context=said_in(offer)["acceptContext"])
    right["uploadInfo"] = {"uploadUrl": f"{home.teams.root}/upload/x", "uniqueId": "x", "contentUrl": "x", "name": "x"}
    last = home.teams.messages("eve")[-1]
    own = {"id": theirs.id, "conversationType": "personal", "tenantId": home.teams.tenant}
    assert again(home, post, value=right, conversation=own, **{"from": eve}).status == 200
    home.teams.wait_message("eve", "I do not know that offer", after=last)
    made_up: tuple[Any, ...] = (
        changed(post, action="accept", context={"token": "made up"}),
        changed(post, action="accept", context={"token": None}),
        changed(post, action="accept", context="made up"),
        changed(post, action="accept", context=None),
        {},
        [],
        None,
        "made up",
    )
    for value in made_up:
        last = home.teams.messages("ana")[-1]
        assert again(home, post, value=value).status == 200, value
        home.teams.wait_message("ana", "I do not know that offer", after=last)
    last = home.teams.messages("ana")[-1]
    again(home, post, value=right | {"uploadInfo": {}})
    home.teams.wait_message("ana", "did not say where", after=last)
    assert len(home.teams.asked("upload")) == uploads
    home.teams.consent(offer).wait()
    assert arrived(home, offer).split() == CSV


def test_somebody_else_in_the_same_chat(home: TeamsSite) -> None:
    """An answer that comes from somebody else is refused, and the file stays offered to its person."""
    _, _, offer = csv_offered(home)
    uploads = len(home.teams.asked("upload"))
    home.teams.consent(offer, user="mallory").wait()
    home.teams.wait_message("ana", "offered to somebody else", after=offer)
    assert len(home.teams.asked("upload")) == uploads
    home.teams.consent(offer).wait()
    assert arrived(home, offer).split() == CSV
