"""When a query is repeated, as people type it below a result and at the cards of a schedule."""

import pytest

from router.memory.stage import Stage
from tests.router.schedules.test_repeating import SQL, only, repeated, schedules_of
from tests.support.talk import Talk


def stage(talk: Talk) -> Stage:
    return talk.memory.stage


@pytest.mark.parametrize(
    ("typed", "cron", "words"),
    [
        ("repeat this every day except sunday at 8", "0 8 * * 1,2,3,4,5,6", "every day but Sunday at 08:00"),
        ("repeat this every 15th at 8", "0 8 15 * *", "on the 15th of every month at 08:00"),
        ("mon, wed and fri at 7:30", "30 7 * * 1,3,5", "every Monday, Wednesday and Friday at 07:30"),
        ("repeat this on the last day of the month at 6pm", "0 18 L * *", "on the last day of every month at 18:00"),
        ("répète ça chaque premier lundi du mois à 9h", "0 9 * * 1#1", "on the first Monday of every month at 09:00"),
        ("jeden letzten Freitag im Monat um 16 Uhr wiederholen", "0 16 * * 5L", "on the last Friday of every month"),
        ("repeat this each month on the 31st at 8", "0 8 31 * *", "on the 31st of every month that has one at 08:00"),
    ],
)
def test_a_rhythm_is_kept_and_said(talk: Talk, typed: str, cron: str, words: str) -> None:
    """What was typed is shown before anything is approved, and runs like that."""
    schedule = repeated(talk, typed)
    assert cron == schedule.plan.timing.cron
    assert words in schedule.plan.timing.words


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("mail it tomorrow at 9", "I can't do that: “tomorrow”."),
        ("every other week", "I can't do that: “every other week”."),
        ("repeat this every monday at 8 from next week on", "I can't do that: “from next week on”."),
        ("repeat this every day at 9 IST", "Not used: “IST”."),
        ("repeat this daily at 9 and 17", "I can't do that: “at 9 and 17”."),
        ("repeat this every day at 9 for the south", "Not used: “for the south”."),
        ("repeat this every day at 25:00", "I can't do that: “at 25:00”."),
    ],
)
def test_what_is_not_done_of_a_sentence_is_said(talk: Talk, typed: str, said: str) -> None:
    """The form opens with what was read; nothing can be approved yet."""
    talk.say(SQL)
    talk.press("yes")
    assert said in talk.say(typed)
    assert stage(talk) == Stage.SCHEDULE


def test_a_sentence_changes_the_days(talk: Talk) -> None:
    """At the card, days take the place of the others; where some are taken away, the form asks for all."""
    talk.say(SQL)
    talk.press("yes")
    assert "Every workday at 08:00" in talk.say("repeat this on weekdays at 8")
    assert "Every Sunday at 08:00" in talk.say("sundays")
    assert "On the 15th of every month at 07:00" in talk.say("on the 15th at 7")
    assert "Say all of the days" in talk.say("not on friday")
    assert stage(talk) == Stage.SCHEDULE


def test_back_offers_no_second_start(talk: Talk) -> None:
    """What is repeated already cannot be begun twice by going back."""
    repeated(talk)
    talk.say("back")
    assert stage(talk) != Stage.CONFIRM_SCHEDULE
    assert [only(talk)] == list(schedules_of(talk).every())
