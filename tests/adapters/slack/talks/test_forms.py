"""Forms that open at the first press below a result: a wrong field is said on its field, and nothing is left behind."""

from collections.abc import Iterator

import pytest

from tests.adapters.slack.talks.scene import SlackScene, slack_place
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message, View
from tests.support.writing_scene import Place

REGIONS = "SELECT id, name FROM regions ORDER BY id"


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Slack]]:
    """One bot for all talks here."""
    with (
        slack_place(tmp_path_factory.mktemp("forms") / "site") as (place, slack),
        SlackScene(place, slack=slack).at_work(),
    ):
        yield place, slack


def opened(slack: Slack, label: str) -> tuple[Message, View, list[str]]:
    """Run a query, press a button below its rows, and return the rows, the form, and all messages of the thread."""
    root = slack.say("C1", REGIONS, user="UANA", mention=True)
    slack.press(slack.wait_message("C1", "Run on Shop", thread=root), "Run", user="UANA")
    table = slack.wait_message("C1", "CSV", thread=root)
    before = [each.ts for each in slack.messages("C1", root)]
    slack.press(table, label, user="UANA")
    return table, slack.wait_view(), before


def test_a_preview_stays_while_older_rows_are_drawn(company: tuple[Place, Slack]) -> None:
    """The chart comes below it, and Send still sends; what is begun below older rows closes it where it stands."""
    place, slack = company
    place.post.letters.clear()
    root = slack.say("C1", "SELECT status, SUM(total) AS total FROM orders GROUP BY status", user="UANA", mention=True)
    slack.press(slack.wait_message("C1", "Run on Shop", thread=root), "Run", user="UANA")
    table = slack.wait_message("C1", "CSV", thread=root)
    slack.press(table, "Email", user="UANA")
    assert slack.submit(slack.wait_view(), {"to": "bob@example.com"}, user="UANA") is None
    preview = slack.wait_message("C1", "Send", thread=table.thread, after=table)
    slack.press(table, "Chart", user="UANA")
    drawn = slack.wait_message("C1", "Chart", thread=table.thread, after=preview)
    assert "Send this e-mail?" in words_of(preview.blocks)
    slack.press(table, "Compare", user="UANA")
    asked = slack.wait_message("C1", "What should I compare it with?", thread=table.thread, after=drawn)
    slack.wait(lambda: "Left for something else" in words_of(preview.blocks))
    assert [table.ts, preview.ts, drawn.ts, asked.ts] == [each.ts for each in slack.messages("C1", root)][-4:]
    assert [] == place.post.letters


@pytest.mark.parametrize(
    ("label", "wrong"), [("Email", {"to": "the boss"}), ("Write", {"database": "Backup", "table": "ok"})]
)
def test_a_form_that_is_closed_leaves_nothing(company: tuple[Place, Slack], label: str, wrong: dict[str, str]) -> None:
    """Whether something in it was wrong or not: no message stands for it, and the next question is a question."""
    _, slack = company
    table, view, before = opened(slack, label)
    answer = slack.submit(view, dict(wrong), user="UANA")
    assert answer is not None
    slack.wait_delivered()
    assert before == [each.ts for each in slack.messages("C1", table.thread) if not each.deleted]
    closed = slack.close(view)
    assert closed is not None
    slack.wait_delivered()
    slack.press(table, label, user="UANA")
    slack.close(slack.wait_view())
    slack.wait_delivered()
    assert table.thread
    slack.say("C1", REGIONS, user="UANA", thread=table.thread, mention=True)
    card = slack.wait_message("C1", "Run on Shop", thread=table.thread, after=table)
    said = [each.ts for each in slack.messages("C1", table.thread) if each.bot_id and not each.deleted]
    assert [table.ts, card.ts] == said
