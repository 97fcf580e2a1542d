"""Sentences about repeating, and others that say nothing of the kind."""

import pytest

from router.stages.schedule import time_typed
from router.understanding.schedule_wishes import schedule_wish_of
from tests.support.rows import every_row


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("repeat this", {}),
        ("send me this every morning", {"every": "day", "at": "08:00", "to": "me"}),
        ("run this daily at 7pm if it changed", {"every": "day", "at": "19:00", "condition": "changed"}),
        ("run it every night, only if there are rows", {"every": "day", "at": "22:00", "condition": "rows"}),
        (
            "mail it to ana@example.com every Friday at 16:00 as excel",
            {"every": "week", "day": "fri", "at": "16:00", "to": "email", "people": "ana@example.com", "form": "xlsx"},
        ),
        (
            "send this to bob@example.com and ana@example.com every Tuesday at noon",
            {"every": "week", "day": "tue", "at": "12:00", "to": "email", "people": "bob@example.com, ana@example.com"},
        ),
        ("repeat it hourly if changed", {"every": "hour", "condition": "changed"}),
        ("every workday at 8 only if there are rows", {"every": "workday", "at": "08:00", "condition": "rows"}),
        ("post this here every weekday at 8:15", {"every": "workday", "at": "08:15", "to": "thread"}),
        ("schedule this for the first of the month at 6 am", {"every": "month", "date": "1", "at": "06:00"}),
        ("repeat this daily at 9 in #sales", {"every": "day", "at": "09:00", "to": "channel", "channel": "sales"}),
        (
            "every day at 8 to bob@x.com, not to ana@x.com",
            {"every": "day", "at": "08:00", "to": "email", "people": "bob@x.com"},
        ),
        ("can you repeat this on mondays at 8", {"every": "week", "day": "mon", "at": "08:00"}),
        ("jeden Montag um 8 Uhr wiederholen", {"every": "week", "day": "mon", "at": "08:00"}),
        ("envoie-moi ça tous les lundis à 9h", {"every": "week", "day": "mon", "at": "09:00", "to": "me"}),
    ],
)
def test_sentences_about_repeating(text: str, said: dict[str, str]) -> None:
    """What they say is read; what they do not say is left to be asked."""
    found = schedule_wish_of(text)
    assert found is not None
    people = ", ".join(each for each in found.mail.recipients() if each != "me")
    assert said == found.said() | ({"people": people} if people else {})
    assert not found.unknown


@every_row(
    "text",
    [
        "",
        "every month",
        "daily",
        "every Sunday",
        "revenue by month",
        "how many orders do we get every Monday",
        "send me the revenue every Monday",
        "show me the orders of the last week",
        "show every order on Monday",
        "write it to backup.customers every day",
        "mail it to ana@example.com",
        "send it to me",
        "run it again",
        "refresh",
        "repeat the question for the south",
        "repeat this for the south",
        "schedule of deliveries for this week",
        "repeat " * 60,
    ],
)
def test_other_sentences(text: str) -> None:
    """A question with a day in it stays a question."""
    assert schedule_wish_of(text) is None


@pytest.mark.parametrize("text", ["every month", "daily", "every Sunday", "at 9", "only if it changed"])
def test_an_answer(text: str) -> None:
    """A person who was asked for a time may answer with less."""
    assert schedule_wish_of(text, asked=True) is not None


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("8", "08:00"),
        ("8:05", "08:05"),
        ("14.30", "14:30"),
        (" 7 pm", "19:00"),
        ("12am", "00:00"),
        ("12:15 p.m.", "12:15"),
        ("24:00", ""),
        ("8:60", ""),
        ("13pm", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_times_of_day(text: str, time: str) -> None:
    """A time is read as people write it."""
    assert time == time_typed(text)


@pytest.mark.parametrize("time", ["25:00", "8:75", "15am"])
def test_what_is_no_time_of_day(time: str) -> None:
    """It is kept, so that it can be told."""
    found = schedule_wish_of(f"repeat this every day at {time}")
    assert found is not None
    assert ("day", "", (f"at {time}",)) == (found.when.every, found.when.at, found.when.undone)


def test_what_else_a_sentence_says() -> None:
    """What is understood of it is kept, and the rest can be said."""
    found = schedule_wish_of("repeat this every day at 2:30 for the south")
    assert found is not None
    assert ("day", "02:30", ("for the south",)) == (found.when.every, found.when.at, found.unread)
