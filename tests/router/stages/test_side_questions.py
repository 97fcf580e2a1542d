"""Sentences that need no query: where they are answered, and that nothing is lost by them."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from router.memory.stage import Stage
from tests.platforms.ollama import Ollama
from tests.support.mail_servers import PostOffice
from tests.support.talk import Talk, llm_at

SQL = "SELECT id, name FROM regions"


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SQL) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama, post: PostOffice) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url), mail_config=post.mail_config())
    yield talk
    talk.close()


def kept(talk: Talk) -> dict[str, Any]:
    """Return what is remembered, but for what goes on with each message."""
    return asdict(replace(talk.memory, turn=0, asked=None))


@pytest.mark.parametrize(
    ("lines", "stage"),
    [
        (["compare two queries"], Stage.ASK_FIRST_SQL_METHOD),
        (["compare two queries", "ask in words"], Stage.NEED_FIRST_NATURAL_LANGUAGE),
        (["list the regions by number", "edit"], Stage.NEED_USER_SQL),
        (["list the regions by number"], Stage.CONFIRM_GENERATED_SQL),
        (["list the regions by number, then mail it to ana@example.com"], Stage.CONFIRM_PLAN),
        (["list the regions by number", "yes", "repeat"], Stage.SCHEDULE),
        (["list the regions by number", "yes", "email", "bob@elsewhere.org"], Stage.NEED_EMAIL_DETAILS),
        (["list the regions by number", "yes", "email", "me"], Stage.CONFIRM_EMAIL),
    ],
)
def test_a_side_question_is_answered_beside_the_card(talk: Talk, lines: list[str], stage: Stage) -> None:
    """Thanks, and questions about the data or the bot are answered; the card is not shown again."""
    for line in lines:
        talk.say(line)
    before, turn = kept(talk), talk.memory.turn
    for said, answer in (
        ("thanks", "You are welcome."),
        ("perfect, thank you!", "You are welcome."),
        ("what columns does orders have?", "*orders* (about 8 rows)"),
        ("is it raining in Vienna?", "That is outside of what I can do"),
    ):
        assert answer in talk.say(said), said
        assert (stage, "", True) == (talk.stage, talk.replies[-1].refused, talk.replies[-1].beside), said
        assert (before, turn) == (kept(talk), talk.memory.turn), said


@pytest.mark.parametrize(
    "said",
    [
        "stop repeating that",
        "stop the monday report",
        "please delete the schedule",
        "unschedule the weekly mail",
        "no more monday report",
    ],
)
def test_who_ends_a_repetition_sees_what_is_repeated(talk: Talk, said: str) -> None:
    """No form opens to repeat anything."""
    talk.say("list the regions by number")
    talk.say("yes")
    assert "You have no schedules" in talk.say(said)
    assert Stage.SHOW_RESULTS == talk.stage


@pytest.mark.parametrize("lines", [(), ("hello", "write it for me"), ("list the regions by number", "yes")])
def test_ok_is_answered_where_nothing_else_is_asked(talk: Talk, lines: tuple[str, ...]) -> None:
    """At the greeting, at the question and under rows it is taken for read, and is no refusal."""
    for line in lines:
        talk.say(line)
    for said in ("ok", "Good.", "got it", "i see")[: 4 if lines else 1]:
        stage = talk.stage
        assert talk.say(said).startswith("All right."), said
        assert (stage if lines else Stage.ASK_SQL_METHOD, "") == (talk.stage, talk.replies[-1].refused), said


def test_the_question_stands_where_an_aside_fails(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    """What went wrong is in the log, under the id that the person is told; they can go on."""
    for line in ("list the regions by number", "yes", "repeat"):
        talk.say(line)
    with closing(sqlite3.connect(talk.folder / "icc-bot.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE jobs SET state = 'of another version'")
    asked = talk.replies[-1].cards[-1]

    told = re.search(r"error ([0-9a-f]{8})", talk.say("is my export job done?"))
    assert asked == talk.replies[-1].cards[-1]
    assert told
    assert f"error {told[1]} while taking an answer" in caplog.text


def test_a_part_of_a_question_is_told_from_a_whole_one(talk: Talk) -> None:
    """Where nothing was asked before, the whole of it is asked for; what is whole is asked."""
    for part in ("only for Germany", "and by month?", "same for last year", "sort by revenue"):
        assert "there is none here that it could follow" in talk.say(part), part
    talk.press("way:ask_data")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    for whole in (
        "revenue by region",
        "top 10 customers",
        "orders in March",
        "customers without orders",
        "Umsatz 2023",
    ):
        talk.say("cancel")
        talk.say(whole)
        assert (Stage.CONFIRM_GENERATED_SQL, whole) == (talk.stage, talk.memory.draft.question), whole


def test_no_table_is_hidden_by_another_one_s_name(talk: Talk) -> None:
    """Tables that a word of the question is like are shown; the others are named, and so is what is left out."""
    (file,) = (path for path in talk.folder.iterdir() if path.name.startswith("shop."))
    with closing(sqlite3.connect(file)) as shop:
        shop.executescript("CREATE TABLE Table1 (id INTEGER); CREATE VIRTUAL TABLE search USING fts5 (body)")
    answer = talk.say("which tables do we have?")
    assert [] == [name for name in ("Table1", "customers", "orders", "numbers", "regions") if name not in answer]
    assert "Left out: search, search_config" in answer
    assert "(a virtual table, as of a full-text search, or a part of one)" in answer
    assert "(about 0 rows)" in talk.say("what columns does Table1 have?")
