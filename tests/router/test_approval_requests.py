"""Approvals that wait for somebody else: kept once, listed for who may give them, and closed."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.rendering.plain_text import text_of
from router.approval_requests import ApprovalRequest, ApprovalRequests, Notice
from router.cards import Approver, Buttons, Waiting
from router.memory.draft import User
from router.memory.stage import Stage
from router.storage.database import Database
from router.turn import Opened, Said
from tests.support.databases import database_of
from tests.support.talk import ANA, BOB, KEY, Talk

QUERY = "SELECT name FROM regions"
OTHER = "SELECT id FROM regions"
CID = User("test:cid", "Cid", "cid@example.com")


@pytest.fixture(name="requests")
def _requests(talk: Talk) -> ApprovalRequests:
    """Return the requests of a talk in which Bob approves what Ana asks."""
    talk.change("shop", approvers=frozenset({"bob@example.com"}))
    assert talk.services.approvals
    return talk.services.approvals


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """The database that several processes share."""
    with database_of(request, tmp_path) as opened:
        yield opened


def open_now(requests: ApprovalRequests) -> list[str]:
    return [each.digest for each in requests.find_unnotified("test")]


def test_a_request_is_kept_once(talk: Talk, requests: ApprovalRequests) -> None:
    """However often its card is shown; another SQL text is another request, and ends the first."""
    talk.say(QUERY)
    [first] = open_now(requests)
    talk.say("help")
    talk.send(Opened())
    assert open_now(requests) == [first]
    talk.say(OTHER)
    [second] = open_now(requests)
    assert first != second


def test_what_waits_for_whom(talk: Talk, requests: ApprovalRequests) -> None:
    """Approvers see what waits for them, with who asks; others see nothing, and a right that is taken away is."""
    talk.say(QUERY)
    [waiting] = requests.waiting_for(BOB, "test", "")
    assert (waiting.key, waiting.connection, waiting.asker, waiting.asked) == (KEY, "Shop", "Ana", talk.clock.now)
    assert requests.waiting_for(ANA, "test", "") == ()
    assert requests.waiting_for(CID, "test", "") == ()
    assert requests.waiting_for(BOB, "slack", "") == ()
    assert requests.waiting_for(User(BOB.id, BOB.name, BOB.email, guest=True), "test", "") == ()
    talk.change("shop", approvers=frozenset({"cid@example.com"}))
    assert requests.waiting_for(BOB, "test", "") == ()
    talk.clock.now += timedelta(days=8)
    assert requests.waiting_for(CID, "test", "") == ()


@pytest.mark.parametrize("database", ["server"], indirect=True)
def test_two_processes_tell_nobody_twice(database: Database) -> None:
    """One tells a person at a time; what one could not do, or was killed at, the other does."""
    begun = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
    here, there = (ApprovalRequests(database, {}, clock=lambda: begun) for _ in range(2))
    here.stand(KEY, [ApprovalRequest(KEY, "d", ANA, "shop", "query", "regions", (BOB.email,), begun)])
    [request] = here.find_unnotified(KEY.platform)
    notice = here.begin_notice(request, BOB.id)
    assert notice
    assert there.begin_notice(request, BOB.id) is None
    here.give_back(notice)
    assert there.begin_notice(request, BOB.id) == notice
    later = ApprovalRequests(database, {}, clock=lambda: begun + timedelta(minutes=2))
    assert later.begin_notice(request, BOB.id) == notice


def test_what_was_approved(talk: Talk, requests: ApprovalRequests) -> None:
    """It waits no more; who was told of it is told who approved it."""
    talk.say(QUERY)
    [request] = requests.find_unnotified("test", KEY)
    notice = requests.begin_notice(request, BOB.id)
    assert notice == Notice(request, BOB.id, "", "")
    requests.posted(replace(notice, channel="D1", message="1.0"))
    assert requests.begin_notice(request, BOB.id) == Notice(request, BOB.id, "D1", "1.0")
    talk.user = BOB
    talk.press("yes")
    assert talk.memory.stage == Stage.SHOW_RESULTS
    assert requests.waiting_for(BOB, "test", "") == ()
    [over] = requests.outdated("test", KEY)
    assert (over.request.state, over.request.decider and over.request.decider.id) == ("approved", BOB.id)
    requests.mark_settled(over)
    assert requests.outdated("test", KEY) == ()


def test_what_was_withdrawn(talk: Talk, requests: ApprovalRequests) -> None:
    """A question that is cancelled waits for nobody; asked again, it is a request of its own."""
    talk.say(QUERY)
    [first] = requests.find_unnotified("test")
    talk.say("cancel")
    assert requests.find_unnotified("test") == ()
    talk.say(QUERY)
    [second] = requests.find_unnotified("test")
    assert (second.digest, second.number > first.number) == (first.digest, True)


def test_the_card_names_the_approvers(talk: Talk, requests: ApprovalRequests) -> None:
    """Run is shown to them alone, as they are listed; where everybody may, to everybody."""
    [*_, reply] = talk.send(Said(QUERY))
    assert Waiting((Approver("bob@example.com"),)) in reply.cards
    buttons = next(card for card in reply.cards if isinstance(card, Buttons))
    assert [(each.answer, each.only) for each in buttons.options if each.only] == [("yes", ("bob@example.com",))]
    talk.change("shop", approvers=frozenset({"*"}))
    [*_, reply] = talk.send(Said(OTHER))
    assert not any(isinstance(card, Waiting) for card in reply.cards)
    talk.change("shop", approvers=frozenset())
    [*_, reply] = talk.send(Said(QUERY))
    assert "Nobody may approve this yet" in text_of(reply)


def test_what_is_forgotten(talk: Talk, requests: ApprovalRequests) -> None:
    """A team that takes the app away takes its requests with it; old ones go by themselves."""
    talk.say(QUERY)
    requests.forget("test", "other")
    assert len(requests.find_unnotified("test")) == 1
    requests.forget("test", "")
    assert requests.find_unnotified("test") == ()
    talk.say(OTHER)
    talk.clock.now += timedelta(days=31)
    requests.expire()
    talk.clock.now -= timedelta(days=31)
    assert requests.find_unnotified("test") == ()
