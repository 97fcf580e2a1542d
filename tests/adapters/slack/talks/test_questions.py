"""From a question to its rows, in channels and in direct messages."""

from tests.adapters.slack.talks.house import REVENUE, House
from tests.platforms.slack import Message, words_of


def approved(house: House, root: Message, user: str = "UANA") -> Message:
    """Press Run in this thread, and return the result."""
    house.slack.press(house.shown(root, "Run"), "Run", user=user)
    return house.shown(root, "CSV")


def test_from_a_mention_to_the_rows_and_goodbye(house: House) -> None:
    """A mention leads to SQL, Run to a table, Done to a goodbye; no question keeps its buttons once it is answered."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run")
    house.slack.press(asked, "Run", user="UANA")
    table = house.shown(root, "CSV")
    assert [[cell["text"] for cell in row] for row in table.blocks[0]["rows"]] == [
        ["name", "revenue"],
        ["North", "1235.75"],
        ["South", "355.75"],
    ]
    house.slack.press(table, "Done", user="UANA")
    house.shown(root, "Goodbye")
    house.slack.wait_delivered()
    buttons = [block for m in house.slack.messages("C1", root) for block in m.blocks if block["type"] == "actions"]
    assert buttons == []


def test_an_answered_question_says_who_and_when(house: House) -> None:
    """What was approved stays readable, without buttons, with the name of who pressed Run and the time."""
    root = house.ask("revenue by region?")
    approved(house, root)
    asked = house.shown(root, "Run")
    said = words_of(asked.blocks)
    assert REVENUE.split(" FROM ")[0] in " ".join(said.split())
    assert "Run · <@UANA> · <!date^" in said


def test_edit_opens_the_form_by_itself(house: House) -> None:
    """Edit opens a modal with the SQL in it; a fault is told on its field, and what is mended is shown again to run."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run")
    house.slack.press(asked, "Edit", user="UANA")
    view = house.slack.wait_view()
    assert "SUM(o.total)" in view.blocks[-1]["element"]["initial_value"]
    broken = "SELECT name FROM nowhere"
    answer = house.slack.submit(view, {"sql": broken})
    assert answer is not None
    assert list(answer["errors"]) == ["sql"]
    assert view.open
    assert view.state["sql"]["sql"]["value"] == broken
    assert house.slack.submit(view, {"sql": "SELECT name FROM regions ORDER BY name"}) is None
    assert not view.open
    again = house.slack.wait_message("C1", "SELECT name FROM regions", thread=root)
    house.slack.wait(lambda: "Run this on" in words_of(again.blocks))
    house.slack.press(again, "Run", user="UANA")
    table = house.shown(root, "CSV")
    assert [row[0]["text"] for row in table.blocks[0]["rows"]] == ["name", "North", "South"]


def test_own_sql_typed_into_a_direct_message(house: House) -> None:
    """SQL sent as a direct message is shown to be approved in a thread under it, and runs."""
    root = house.slack.dm("UANA", "SELECT name FROM regions WHERE id < 2 AND name > 'A'")
    table = approved(house, root)
    assert table.thread == root.ts
    assert [row[0]["text"] for row in table.blocks[0]["rows"]] == ["name", "North"]


def test_a_follow_up_in_the_thread_of_a_direct_message(house: House) -> None:
    """A direct message begins a thread, and a second question in it goes on there."""
    root = house.slack.dm("UANA", "revenue by region?")
    first = approved(house, root)
    house.slack.dm("UANA", "How much revenue did each region bring?", thread=root)
    again = house.slack.wait(
        lambda: [m for m in house.slack.messages("UANA", root) if m.ts > first.ts and "Run this" in words_of(m.blocks)]
    )[0]
    assert again.thread == root.ts
    house.slack.wait(lambda: "[CSV" not in first.text)


def test_a_follow_up_without_a_mention(house: House) -> None:
    """In the thread of a channel, the one who began it goes on without naming the bot."""
    root = house.ask("revenue by region?")
    first = approved(house, root)
    house.slack.say("C1", "How many regions are there?", user="UANA", thread=root)
    house.slack.wait_message("C1", "How many regions", thread=root, after=first)
