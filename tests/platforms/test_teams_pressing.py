"""People press and fill in what stands in cards of the stand-in for Teams, as far as Teams' client lets them."""

from typing import Any

import pytest

from tests.platforms.teams.cards.filling import Impossible
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import ADAPTIVE, Card
from tests.platforms.teams_bot import Invoked, activity, bot, connector, show

RUN = {"type": "Action.Execute", "title": "Run", "verb": "run", "id": "r", "data": {"q": 1}}
LIMIT = {"type": "Input.Number", "id": "limit", "min": 1, "max": 99, "isRequired": True, "errorMessage": "1 to 99"}
DATABASE = {
    "type": "Input.ChoiceSet",
    "id": "db",
    "label": "Database",
    "value": "s",
    "choices": [{"title": "Sales", "value": "s"}, {"title": "Staff", "value": "f"}],
}
TABLE = {
    "type": "Input.ChoiceSet",
    "id": "table",
    "style": "filtered",
    "choices": [],
    "choices.data": {"type": "Data.Query", "dataset": "tables", "associatedInputs": "auto"},
}


def card(*body: Any, **more: Any) -> Card:
    """Return a card of these elements."""
    return {"type": "AdaptiveCard", "version": "1.5", "body": list(body), **more}


def with_card(made: Card) -> Any:
    """Return what answers each invoke with this card."""

    def invoked(told: dict[str, Any]) -> Invoked:
        return 200, {"statusCode": 200, "type": ADAPTIVE, "value": made}

    return invoked


async def test_a_click_shows_its_card_to_the_clicker_alone() -> None:
    """All see it once the message is updated."""
    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = with_card(card({"type": "TextBlock", "text": "Running"}))
            message = await show(teams, "board", card(actions=[RUN]))
            post = teams.press(message, "Run")
            await teams.awaited.wait_posted(post)

            assert [made.told[0]["value"]] == [{"action": {**RUN, "data": {"q": 1}}, "trigger": "manual"}]
            assert (made.told[0]["name"], made.told[0]["replyToId"]) == ("adaptiveCard/action", message.id)
            assert await teams.awaited.wait_message("board", "Running", user="alex") is message
            assert message.card_for("sam") == card(actions=[RUN])
            async with connector(teams) as client:
                await client.conversations.update_activity(message.conversation.id, message.id, activity("Done"))
            assert message.card_for("alex") is None
            assert post.ok
            assert teams.faults == []


@pytest.mark.parametrize(
    ("name", "fill"),
    [
        ("Run", {}),
        ("Run", {"limit": "100"}),
        ("Run", {"limit": "many"}),
        ("Run", {"limit": "5", "db": "nowhere"}),
        ("Run", {"limit": "5", "db": ["s", "f"]}),
        ("Run", {"limit": "5", "nothing": "x"}),
        ("Stop", {}),
        ("Off", {"limit": "5"}),
        ("Hidden", {"limit": "5"}),
        ("Open", {"limit": "5"}),
    ],
)
async def test_what_no_person_could_do_is_impossible(name: str, fill: dict[str, Any]) -> None:
    """The client does not send it, so that the bot is not told."""
    others = [
        {**RUN, "title": "Off", "verb": "off", "id": "o", "isEnabled": False},
        {"type": "Action.OpenUrl", "title": "Open", "url": "https://example.com"},
    ]
    hidden = {"type": "ActionSet", "isVisible": False, "actions": [{**RUN, "title": "Hidden", "verb": "h", "id": "h"}]}
    with Teams() as teams:
        message = await show(teams, "alex", card(LIMIT, DATABASE, hidden, actions=[RUN, *others]))
        with pytest.raises(Impossible):
            teams.press(message, name, fill=fill)
        assert teams.posts == []


async def test_typeahead_asks_the_bot_and_offers_what_it_says() -> None:
    """Only what was offered can be chosen."""

    def invoked(told: dict[str, Any]) -> Invoked:
        found = {"results": [{"title": "Orders", "value": "o"}]}
        return 200, {"statusCode": 200, "type": "application/vnd.microsoft.search.searchResponse", "value": found}

    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = invoked
            message = await show(teams, "alex", card(TABLE, actions=[RUN]))
            with pytest.raises(Impossible):
                teams.press(message, "Run", fill={"table": "Orders"})
            found = await teams.awaited.search(message, "table", "ord", fill={"db": "s"})
            made.invoked = with_card(card())
            teams.press(message, "Run", fill={"table": "Orders"})
            await teams.awaited.wait_posted()
            made.invoked = lambda told: (200, {"results": []})
            nothing = await teams.awaited.search(await show(teams, "alex", card(TABLE)), "table", "x")

    asked = {"queryText": "ord", "queryOptions": {"skip": 0, "top": 15}, "dataset": "tables", "data": {"db": "s"}}
    assert found == [{"title": "Orders", "value": "o"}]
    assert made.told[0]["value"] == asked
    assert made.told[1]["value"]["action"]["data"] == {"q": 1, "table": "o"}
    assert nothing == []
    assert ["means nothing to Teams" in each for each in teams.faults] == [True]


@pytest.mark.parametrize("answer", [(200, None), (200, {"ok": True}), (200, {"statusCode": 200, "type": ADAPTIVE})])
async def test_an_answer_that_means_nothing_is_a_fault(answer: Invoked) -> None:
    """The clicker would see that something went wrong."""
    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = lambda told: answer
            message = await show(teams, "alex", card(actions=[RUN]))
            await teams.awaited.wait_posted(teams.press(message, "Run"))

    assert len(teams.faults) == 1
    assert message.seen == {}
