"""What whoever presses sees at once, and everybody after that."""

import sqlite3
import time
from pathlib import Path

from adapters.chat.surface import Posted
from adapters.teams.handed import Handed
from router.memory import ThreadKey
from tests.adapters.teams.talks.house import House, Town, founded, told
from tests.platforms.teams import Message, shown
from tests.platforms.teams.world import ADAPTIVE

DAYS = 86_400


def demand_same(house: House, message: Message) -> None:
    """Fail unless everybody comes to see the same card."""
    house.teams.wait(lambda: all(card == message.card for card in message.seen.values()))


def test_a_click_that_took(house: House) -> None:
    """The answer to a click is its card with nothing to press, and who pressed what; so is what all have then."""
    asked = house.ask("revenue by region?")
    approval = house.shown(asked, "Run this on")
    post = house.teams.press(approval, "Run", user="ana").wait()
    assert (post.body["statusCode"], post.body["type"]) == (200, ADAPTIVE)
    assert "Run · Ana" in told(post)
    assert "Action.Execute" not in str(post.body["value"])
    house.shown(asked, "CSV")
    demand_same(house, approval)
    assert "✓ Run · Ana" in shown(approval)


def test_a_result_keeps_its_buttons(house: House) -> None:
    """CSV leaves the result as it is, for whoever pressed as well."""
    asked, table = house.ran("SELECT name FROM regions")
    house.press(table, "CSV")
    house.shown(asked, "csv")
    demand_same(house, table)
    assert "Action.Execute" in str(table.card)


def forgetful(town: Town) -> tuple[Message, Message]:
    """Have a question and a result of a bot that ends, so that the next one knows nobody yet."""
    with town.at_work() as house:
        _, table = house.ran("SELECT name FROM regions", where="sales")
        return house.shown(house.ask("revenue by region?"), "Run this on"), table


def test_a_click_that_takes_its_time(tmp_path: Path) -> None:
    """Whoever waits sees what is being done, with nothing to press; after that everybody has the same, also no news."""
    with founded(tmp_path / "house") as town:
        approval, table = forgetful(town)
        teams = town.teams
        with town.at_work() as house:
            teams.fail("member", "slow", times=3, seconds=1.0)
            presses = [(table, "CSV", "ana"), (approval, "Run", "bob")]
            posts = [teams.press(message, name, user=user) for message, name, user in presses]
            answers = [post.wait() for post in posts]
            assert [each.body["type"] for each in answers] == [ADAPTIVE] * 2
            assert "Action.Execute" not in str([each.body for each in answers])
            assert "Working on it… · CSV · Ana" in told(answers[0])
            assert "Running… · Bob" in told(answers[1])
            teams.wait_message("bob", "Ana started this conversation")
            teams.wait_message("sales", "File: ", after=table)
            for message, name in ((table, "CSV"), (approval, "Run")):
                demand_same(house, message)
                assert name in [action["title"] for part in message.card["body"] for action in part.get("actions", [])]
            house.press(approval, "Run")
            house.shown(approval, "CSV")
            assert "✓ Run · Ana" in shown(approval)
            house.demand_sound()


def test_a_card_of_a_bot_that_was_killed(tmp_path: Path) -> None:
    """What one process showed to whoever pressed and did not come to show to all, the next one draws for everybody."""
    with founded(tmp_path / "house") as town:
        approval, _ = forgetful(town)
        handed = Handed(town.folder / "home" / "teams-handed.sqlite")
        at = Posted(approval.conversation.id, approval.id)
        handed.note(at, at)
        handed.close()
        approval.seen["ana"] = {"type": "AdaptiveCard", "version": "1.5", "body": []}
        with town.at_work() as house:
            demand_same(house, approval)
            house.press(approval, "Run")
            house.shown(approval, "CSV")
        left = Handed(town.folder / "home" / "teams-handed.sqlite")
        assert left.noted() == []
        left.close()


def test_a_message_of_a_hundred_days_ago(tmp_path: Path) -> None:
    """Buttons of what is forgotten say that they are old, and do nothing."""
    with founded(tmp_path / "house") as town:
        approval, _ = forgetful(town)
        file = sqlite3.connect(town.folder / "home" / "teams-shown.sqlite", isolation_level=None)
        file.execute("UPDATE shown SET at = ?", (time.time() - 100 * DAYS,))
        with town.at_work() as house:
            house.teams.wait(lambda: file.execute("SELECT count(*) FROM shown").fetchone() == (0,))
            runs = house.runs()
            assert "I do not know any more" in house.press(approval, "Run")
            assert house.runs() == runs
        file.close()


def test_a_click_before_the_bot_knows_its_own_message(house: House) -> None:
    """A button can be pressed before Teams has told the bot that its message is there; the click counts."""
    for seconds in (0.1, 0.8):
        house.teams.fail("send", "slow", times=2, seconds=seconds)
        house.teams.fail("update", "slow", seconds=seconds)
        asked = house.ask(f"revenue by region, known after {seconds} seconds?")
        said = house.press(house.shown(asked, "Run this on"), "Run")
        assert "I do not know" not in said
        house.shown(asked, "CSV")


def test_a_message_that_teams_doubled(house: House) -> None:
    """Of a question that stands there twice, since Teams took it without an answer, both copies show the decision."""
    asked = house.ask("revenue by region, twice?")
    known, runs = house.shown(asked, "Run this on"), house.runs()
    place = known.conversation
    copy = Message(house.teams.world.message_id(), place, dict(known.activity), "bot", known.root)
    place.messages[copy.id] = copy
    house.press(copy, "Run")
    house.shown(asked, "CSV")
    house.teams.wait(lambda: all("✓ Run · Ana" in shown(each) for each in (known, copy)))
    assert house.runs() == runs + 1


def submit(house: House, message: Message, name: str, user: str) -> None:
    """Press a button in a client that knows no Action.Execute."""
    actions = [action for part in message.card["body"] for action in part.get("actions", [])]
    data = next(action["fallback"]["data"] for action in actions if action["title"] == name)
    probe = house.teams.press(message, "Edit", user="bob").wait().activity
    who = house.teams.person(user)
    sender = {"id": who.id, "name": who.name, "aadObjectId": who.aad}
    more = {"type": "message", "id": house.teams.world.message_id(), "from": sender, "value": data}
    house.teams.send({name: held for name, held in probe.items() if name != "name"} | more).wait()


def test_a_client_that_knows_no_execute(house: House) -> None:
    """A click that comes as a message counts like any other; whoever may not is told so in their own chat."""
    asked = house.ask("revenue by region?")
    approval, runs = house.shown(asked, "Run this on"), house.runs()
    submit(house, approval, "Run", "carla")
    house.teams.wait_message("carla", "Ana started this conversation")
    assert house.runs() == runs
    submit(house, approval, "Run", "ana")
    house.shown(asked, "CSV")
    house.teams.wait(lambda: "✓ Run · Ana" in shown(approval))
    assert house.runs() == runs + 1


def test_a_click_after_the_app_was_taken_away(house: House) -> None:
    """A button that is left in a chat without the bot does nothing, and breaks nothing."""
    teams = house.teams
    teams.group("leaving").members.append(teams.person("ana"))
    asked = house.ask("revenue by region?", where="leaving")
    approval, runs = house.shown(asked, "Run this on"), house.runs()
    place = teams.conversation("leaving").id
    key = ThreadKey("teams", teams.tenant, place, f"{place}#teams:{teams.person('ana').aad}")
    assert house.bot.router.memory(key)
    for post in teams.uninstall("leaving", "ana"):
        post.wait()
    teams.wait(lambda: house.bot.router.memory(key) is None)
    assert "I do not know any more" in house.press(approval, "Run")
    assert house.runs() == runs
