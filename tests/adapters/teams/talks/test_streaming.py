"""Talks in which progress is written as a stream, which Teams has in personal chats."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from adapters.chat import progress
from adapters.teams.streams import Streams
from tests.adapters.slack.talks.site import REVENUE
from tests.adapters.teams.talks.bot_process import alive
from tests.adapters.teams.talks.site import TeamsCompany, TeamsSite, founded
from tests.platforms.ollama import Answer
from tests.platforms.teams.looking import shown
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.talking import Place
from tests.platforms.teams.world import Message, Stream

SLOWLY = "slowly"
"""A word in questions that the model answers once it is let."""


@pytest.fixture
def company(tmp_path: Path) -> Iterator[TeamsCompany]:
    """A Teams whose refusals are looked at by the tests themselves."""
    with founded(tmp_path / "site") as company:
        yield company


@contextmanager
def held(site: TeamsCompany) -> Iterator[Event]:
    """Let the model answer slow questions only once this is set, at the end of the block at the latest."""
    let = Event()
    site.slow[SLOWLY] = Answer(REVENUE, waits=let)
    try:
        yield let
    finally:
        let.set()


def streaming(site: TeamsCompany, where: Place = "ana") -> tuple[Message, Stream]:
    """Ask something slow; returns what was asked and the stream that has begun."""
    before = len(site.teams.streams)
    asked = site.ask(f"revenue by region, {SLOWLY}?", where=where)
    site.teams.wait(lambda: len(site.teams.streams) > before)
    return asked, site.teams.streams[-1]


def bots(teams: Teams, asked: Message) -> list[Message]:
    """Return what stands of the bot below what was asked."""
    return [each for each in teams.messages(asked.conversation, by="bot") if int(each.id) > int(asked.id)]


def test_an_answer_ends_the_stream_of_its_progress(site: TeamsSite) -> None:
    """Parts that inform, a second apart, become one message with card, buttons and the AI mark; typing first."""
    typing = len(site.teams.typing)
    with held(site) as let:
        asked, stream = streaming(site)
        site.teams.wait(lambda: len(stream.kinds) > 1)
        let.set()
        answer = site.shown(asked, "Run on")
    assert (answer.id, answer.streaming, stream.final) == (stream.id, False, True)
    assert set(stream.kinds[:-1]) == {"informative"}
    assert stream.kinds[-1] == "final"
    assert (stream.rapid, stream.dropped) == (0, [])
    assert [each["type"] for each in answer.activity["entities"]] == ["streaminfo", "https://schema.org/Message"]
    assert bots(site.teams, asked) == [answer]
    assert site.teams.typing[typing:] == [site.teams.conversation("ana").id]
    site.press(answer, "Run")
    result = site.shown(asked, "CSV")
    assert result.activity["channelData"] == {"feedbackLoop": {"type": "custom"}}


def test_a_stop_by_word_ends_the_stream(site: TeamsSite) -> None:
    """What is said about a stop stands in the message of the stream, under a word of its own."""
    with held(site):
        asked, stream = streaming(site)
        site.ask("stop", where="ana")
        stopped = site.shown(asked, "Stopped.")
    assert (stopped.id, stopped.text, stream.final, stream.rapid) == (stream.id, "My answer:", True, 0)
    site.press(stopped, "Cancel")


@pytest.mark.parametrize("where", ["board", "General"])
def test_where_others_are_one_message_is_changed(site: TeamsSite, where: str) -> None:
    """In group chats and channels, progress is an ordinary message with a Stop."""
    streams = len(site.teams.streams)
    with held(site):
        asked = site.ask(f"revenue by region, {SLOWLY}?", where=where)
        progress = site.shown(asked, "Stop")
    assert site.shown(asked, "Run on").id == progress.id
    assert len(site.teams.streams) == streams


def test_the_stop_of_teams_is_a_stop(company: TeamsCompany) -> None:
    """Who presses Stop in Teams ends the turn, is told so in the usual words, and nothing of the stream is left."""
    with company.at_work() as site, held(site):
        asked, stream = streaming(site)
        site.teams.stop(stream.message)
        told = site.shown(asked, "Stopped.")
        board = site.ask(f"revenue by region, {SLOWLY}?", where="board")
        site.press(site.shown(board, "Stop"), "Stop")
        usual = site.shown(board, "Stopped.")
        assert shown(told) == shown(usual)
        assert bots(site.teams, asked) == [told]
        again = site.ask("revenue by region, anew?", where="ana")
        site.shown(again, "Run on")


def test_an_answer_that_was_ready_is_shown_in_spite_of_stop(
    company: TeamsCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the bot hears of Stop only by the answer, the answer is a message of its own, once."""
    monkeypatch.setattr(progress, "PROGRESS_PACE_SECONDS", 60.0)
    with company.at_work() as site, held(site) as let:
        asked, stream = streaming(site)
        site.teams.stop(stream.message)
        let.set()
        answer = site.shown(asked, "Run on")
        assert bots(site.teams, asked) == [answer]


def test_a_long_stream_is_left_before_teams_ends_it(company: TeamsCompany, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it has lasted long, the stream becomes an ordinary message with a Stop, which the answer takes over."""
    monkeypatch.setattr("bot.commands.teams.Streams", partial(Streams, lasting=1.5))
    with company.at_work() as site, held(site) as let:
        asked, stream = streaming(site)
        site.teams.wait(lambda: stream.final)
        assert "Stop" in shown(stream.message)
        assert not site.teams.refused
        let.set()
        answer = site.shown(asked, "Run on")
        assert bots(site.teams, asked) == [answer]
        assert stream.rapid == 0
        site.demand_sound()


def test_a_stream_that_teams_ended_is_an_ordinary_message(company: TeamsCompany) -> None:
    """After two minutes Teams refuses more; the same message goes on by being changed, and nothing is lost."""
    with company.at_work() as site, held(site) as let:
        asked, stream = streaming(site)
        site.teams.pass_time(130)
        site.teams.wait(lambda: "Stop" in shown(stream.message))
        let.set()
        assert site.shown(asked, "Run on").id == stream.id
        over = {"Content stream finished due to exceeded streaming time."}
        assert {each.answer["error"]["message"] for each in site.teams.refused} == over
        assert len(bots(site.teams, asked)) == 1


def test_an_end_that_comes_too_late_changes_the_message(company: TeamsCompany, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the two minutes are over as the answer comes, the message of the stream is changed into it."""
    monkeypatch.setattr(progress, "PROGRESS_PACE_SECONDS", 60.0)
    with company.at_work() as site, held(site) as let:
        asked, stream = streaming(site)
        site.teams.pass_time(130)
        let.set()
        assert site.shown(asked, "Run on").id == stream.id
        assert len(bots(site.teams, asked)) == 1


def test_where_teams_allows_no_stream_progress_is_a_message(company: TeamsCompany) -> None:
    """A refused stream is an ordinary message with a Stop at once, and is not asked for again in that chat."""
    with company.at_work() as site:
        chat = site.teams.conversation("ana").id
        site.teams.fail("send", "403", 2, where=chat, code="ContentStreamNotAllowed")  # typing, and the stream
        for _ in range(2):
            with held(site) as let:
                asked = site.ask(f"revenue by region, {SLOWLY}?", where="ana")
                progress = site.shown(asked, "Stop")
                let.set()
                assert site.shown(asked, "Run on").id == progress.id
                site.press(site.shown(asked, "Run on"), "Cancel")
        assert site.teams.streams == []
        site.demand_sound()


@pytest.mark.parametrize(("how", "updates"), [("lose", 1), ("429", 0), ("500", 0)])
def test_the_end_of_a_stream_comes_once(company: TeamsCompany, how: str, updates: int) -> None:
    """Where the last part fails, or its answer is lost, the message stands there once, with all that it says."""
    with company.at_work() as site, held(site) as let:
        asked, stream = streaming(site)
        site.teams.wait(lambda: len(stream.kinds) > 1)
        site.teams.fail("send", how, where=asked.conversation.id)
        let.set()
        answer = site.shown(asked, "Run on")
        assert answer.id == stream.id
        assert bots(site.teams, asked) == [answer]
        assert len(site.teams.wait_calls("update", updates)) == updates
        site.press(answer, "Run")
        site.shown(asked, "CSV")


@pytest.mark.thorough
def test_a_stream_is_ended_by_the_next_process(company: TeamsCompany) -> None:
    """What a killed process was writing becomes the word of the next, in the same message; no progress stays."""
    with held(company), alive(company):
        asked, stream = streaming(company)
        company.teams.wait(lambda: len(stream.kinds) > 1)
    company.slow.clear()
    with company.at_work() as site:
        answer = site.shown(asked, "Run on")
        assert (answer.id, stream.final) == (stream.id, True)
        assert bots(site.teams, asked) == [answer]
        site.demand_sound()
