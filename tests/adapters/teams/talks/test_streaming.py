"""Talks in which progress is written as a stream, which Teams has in personal chats."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from adapters.chat import ticker
from adapters.teams.streams import Streams
from tests.adapters.teams.talks.house import REVENUE, House, Town, founded
from tests.adapters.teams.talks.living import alive
from tests.platforms.ollama import Answer
from tests.platforms.teams import Message, Teams, shown
from tests.platforms.teams.talking import Place
from tests.platforms.teams.world import Stream

SLOWLY = "slowly"
"""A word in questions that the model answers once it is let."""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A Teams whose refusals are looked at by the tests themselves."""
    with founded(tmp_path / "house") as town:
        yield town


@contextmanager
def held(house: Town) -> Iterator[Event]:
    """Let the model answer slow questions only once this is set, at the end of the block at the latest."""
    let = Event()
    house.slow[SLOWLY] = Answer(REVENUE, waits=let)
    try:
        yield let
    finally:
        let.set()


def streaming(house: Town, where: Place = "ana") -> tuple[Message, Stream]:
    """Ask something slow; returns what was asked and the stream that has begun."""
    before = len(house.teams.streams)
    asked = house.ask(f"revenue by region, {SLOWLY}?", where=where)
    house.teams.wait(lambda: len(house.teams.streams) > before)
    return asked, house.teams.streams[-1]


def bots(teams: Teams, asked: Message) -> list[Message]:
    """Return what stands of the bot below what was asked."""
    return [each for each in teams.messages(asked.conversation, by="bot") if int(each.id) > int(asked.id)]


def test_an_answer_ends_the_stream_of_its_progress(house: House) -> None:
    """Parts that inform, a second apart, become one message with the card, its buttons and the AI mark; no typing."""
    typing = len(house.teams.typing)
    with held(house) as let:
        asked, stream = streaming(house)
        house.teams.wait(lambda: len(stream.kinds) > 1)
        let.set()
        answer = house.shown(asked, "Run this on")
    assert (answer.id, answer.streaming, stream.final) == (stream.id, False, True)
    assert set(stream.kinds[:-1]) == {"informative"}
    assert stream.kinds[-1] == "final"
    assert (stream.rapid, stream.dropped) == (0, [])
    assert [each["type"] for each in answer.activity["entities"]] == ["streaminfo", "https://schema.org/Message"]
    assert bots(house.teams, asked) == [answer]
    assert house.teams.typing[typing:] == []
    house.press(answer, "Run")
    result = house.shown(asked, "CSV")
    assert result.activity["channelData"] == {"feedbackLoop": {"type": "default"}}


def test_a_stop_by_word_ends_the_stream(house: House) -> None:
    """What is said about a stop stands in the message of the stream, under a word of its own."""
    with held(house):
        asked, stream = streaming(house)
        house.ask("stop", where="ana")
        stopped = house.shown(asked, "Stopped.")
    assert (stopped.id, stopped.text, stream.final, stream.rapid) == (stream.id, "My answer:", True, 0)
    house.press(stopped, "Cancel")


@pytest.mark.parametrize("where", ["board", "General"])
def test_where_others_are_one_message_is_changed(house: House, where: str) -> None:
    """In group chats and channels, progress is an ordinary message with a Stop."""
    streams = len(house.teams.streams)
    with held(house):
        asked = house.ask(f"revenue by region, {SLOWLY}?", where=where)
        progress = house.shown(asked, "Stop")
    assert house.shown(asked, "Run this on").id == progress.id
    assert len(house.teams.streams) == streams


def test_the_stop_of_teams_is_a_stop(town: Town) -> None:
    """Who presses Stop in Teams ends the turn, is told so in the usual words, and nothing of the stream is left."""
    with town.at_work() as house, held(house):
        asked, stream = streaming(house)
        house.teams.stop(stream.message)
        told = house.shown(asked, "Stopped.")
        board = house.ask(f"revenue by region, {SLOWLY}?", where="board")
        house.press(house.shown(board, "Stop"), "Stop")
        usual = house.shown(board, "Stopped.")
        assert shown(told) == shown(usual)
        assert bots(house.teams, asked) == [told]
        again = house.ask("revenue by region, anew?", where="ana")
        house.shown(again, "Run this on")


def test_an_answer_that_was_ready_is_shown_in_spite_of_stop(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bot hears of Stop only by the answer, the answer is a message of its own, once."""
    monkeypatch.setattr(ticker, "PACE", 60.0)
    with town.at_work() as house, held(house) as let:
        asked, stream = streaming(house)
        house.teams.stop(stream.message)
        let.set()
        answer = house.shown(asked, "Run this on")
        assert bots(house.teams, asked) == [answer]


def test_a_long_stream_is_left_before_teams_ends_it(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it has lasted long, the stream becomes an ordinary message with a Stop, which the answer takes over."""
    monkeypatch.setattr("bot.teams.Streams", partial(Streams, lasting=1.5))
    with town.at_work() as house, held(house) as let:
        asked, stream = streaming(house)
        house.teams.wait(lambda: stream.final)
        assert "Stop" in shown(stream.message)
        assert not house.teams.refused
        let.set()
        answer = house.shown(asked, "Run this on")
        assert bots(house.teams, asked) == [answer]
        assert stream.rapid == 0
        house.demand_sound()


def test_a_stream_that_teams_ended_is_an_ordinary_message(town: Town) -> None:
    """After two minutes Teams refuses more; the same message goes on by being changed, and nothing is lost."""
    with town.at_work() as house, held(house) as let:
        asked, stream = streaming(house)
        house.teams.pass_time(130)
        house.teams.wait(lambda: "Stop" in shown(stream.message))
        let.set()
        assert house.shown(asked, "Run this on").id == stream.id
        over = {"Content stream finished due to exceeded streaming time."}
        assert {each.answer["error"]["message"] for each in house.teams.refused} == over
        assert len(bots(house.teams, asked)) == 1


def test_an_end_that_comes_too_late_changes_the_message(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the two minutes are over as the answer comes, the message of the stream is changed into it."""
    monkeypatch.setattr(ticker, "PACE", 60.0)
    with town.at_work() as house, held(house) as let:
        asked, stream = streaming(house)
        house.teams.pass_time(130)
        let.set()
        assert house.shown(asked, "Run this on").id == stream.id
        assert len(bots(house.teams, asked)) == 1


def test_where_teams_allows_no_stream_progress_is_a_message(town: Town) -> None:
    """A refused stream is an ordinary message with a Stop at once, and is not asked for again in that chat."""
    with town.at_work() as house:
        chat = house.teams.conversation("ana").id
        house.teams.fail("send", "403", where=chat, code="ContentStreamNotAllowed")
        for _ in range(2):
            with held(house) as let:
                asked = house.ask(f"revenue by region, {SLOWLY}?", where="ana")
                progress = house.shown(asked, "Stop")
                let.set()
                assert house.shown(asked, "Run this on").id == progress.id
                house.press(house.shown(asked, "Run this on"), "Cancel")
        assert house.teams.streams == []
        house.demand_sound()


@pytest.mark.parametrize(("how", "updates"), [("lose", 1), ("429", 0), ("500", 0)])
def test_the_end_of_a_stream_comes_once(town: Town, how: str, updates: int) -> None:
    """Where the last part fails, or its answer is lost, the message stands there once, with all that it says."""
    with town.at_work() as house, held(house) as let:
        asked, stream = streaming(house)
        house.teams.wait(lambda: len(stream.kinds) > 1)
        house.teams.fail("send", how, where=asked.conversation.id)
        let.set()
        answer = house.shown(asked, "Run this on")
        assert answer.id == stream.id
        assert bots(house.teams, asked) == [answer]
        assert len(house.teams.wait_calls("update", updates)) == updates
        house.press(answer, "Run")
        house.shown(asked, "CSV")


def test_a_stream_is_ended_by_the_next_process(town: Town) -> None:
    """What a killed process was writing becomes the word of the next, in the same message; no progress stays."""
    with held(town), alive(town):
        asked, stream = streaming(town)
        town.teams.wait(lambda: len(stream.kinds) > 1)
    town.slow.clear()
    with town.at_work() as house:
        answer = house.shown(asked, "I was interrupted")
        assert (answer.id, stream.final) == (stream.id, True)
        assert bots(house.teams, asked) == [answer]
        house.press(answer, "Ask it again")
        house.shown(asked, "Run this on")
        house.demand_sound()
