"""A whole talk in Slack as people have most of them: a question, its SQL, Run, the rows, and Done."""

import time
from collections.abc import Callable

from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message

CHANNELS = [f"C{number}" for number in range(100, 120)]

SQL = (
    "SELECT r.name AS region, COUNT(*) AS orders, SUM(o.total) AS revenue FROM orders o "
    "JOIN customers c ON c.id = o.customer_id JOIN regions r ON r.id = c.region_id "
    "WHERE o.total > {number} GROUP BY r.name ORDER BY revenue DESC"
)
"""A question that is SQL itself, so that no model is asked."""

RUN, DONE, OVER = "Run on Shop", "Done", "next question"


def whole_talk(slack: Slack, number: int, question: str = SQL) -> None:
    """Have it, and return once the bot has said that it is done, and nothing more comes."""
    channel, user = CHANNELS[number % len(CHANNELS)], f"U{number % 50}"
    with slack.lock:
        root = slack.say(channel, question.format(number=number), user=user, mention=True)

    def newest(words: str) -> Message | None:
        with slack.lock:
            said = slack.messages(channel, root.ts, by=slack.bot_user)
        return next((each for each in reversed(said) if words in f"{each.text} {each.blocks}"), None)

    for button in (RUN, DONE):
        slack.press(_until(lambda button=button: newest(button)), button, user=user)  # type: ignore[misc]
    _until(lambda: newest(OVER))
    count = -1
    while count != len(slack.calls):
        count = len(slack.calls)
        time.sleep(0.03)


def _until(found: Callable[[], Message | None], seconds: float = 60) -> Message:
    """Return what is found, once it is."""
    end = time.monotonic() + seconds
    while (message := found()) is None:
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)
    return message
