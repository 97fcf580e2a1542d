"""Cards as the presser sees them at once, and everybody after that."""

import sqlite3
from pathlib import Path

from adapters.chat.reply_sender import COPY_ANSWERED
from adapters.teams.clicks import UNKNOWN_BUTTON
from router.memory.thread import ThreadKey
from router.storage.database import DATABASE_FILE
from tests.adapters.teams.talks.site import TeamsCompany, TeamsSite, buttons_in, founded, has_button
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message


def forgetful(company: TeamsCompany) -> tuple[Message, Message]:
    """Have a question and a result of a bot that ends, so that the next one knows nobody yet."""
    with company.at_work() as site:
        _, table = site.ran("SELECT name FROM regions", where="sales")
        return site.shown(site.ask("revenue by region?"), "Run on"), table


def test_a_message_of_a_hundred_days_ago(tmp_path: Path) -> None:
    """Buttons of what is forgotten say that they are old, and do nothing."""
    with founded(tmp_path / "site") as company:
        approval, _ = forgetful(company)
        file = sqlite3.connect(company.folder / "home" / DATABASE_FILE, isolation_level=None)
        file.execute("UPDATE messages SET at = datetime('now', '-100 days')")
        with company.at_work() as site:
            site.teams.wait(lambda: file.execute("SELECT count(*) FROM messages").fetchone() == (0,))
            runs = site.runs()
            assert UNKNOWN_BUTTON == site.press(approval, "Run")
            assert site.runs() == runs
        file.close()


def test_a_click_before_the_bot_knows_its_own_message(site: TeamsSite) -> None:
    """A button can be pressed before Teams has told the bot that its message is there; the click counts."""
    for seconds in (0.1, 0.8):
        site.teams.fail("send", "slow", times=2, seconds=seconds)
        site.teams.fail("update", "slow", seconds=seconds)
        asked = site.ask(f"revenue by region, known after {seconds} seconds?")
        said = site.press(site.shown(asked, "Run on"), "Run")
        assert said != UNKNOWN_BUTTON
        site.shown(asked, "CSV")


def doubled(site: TeamsSite, known: Message) -> Message:
    """Return a copy of a message that Teams took twice, as the answer to the first post was lost."""
    copy = Message(site.teams.world.message_id(), known.conversation, dict(known.activity), "bot", known.root)
    known.conversation.messages[copy.id] = copy
    return copy


def test_a_message_that_teams_doubled(site: TeamsSite) -> None:
    """Of a question that stands there twice, as Teams took it without an answer, both copies are closed."""
    asked = site.ask("revenue by region, twice?")
    known, runs = site.shown(asked, "Run on"), site.runs()
    copy = doubled(site, known)
    site.press(copy, "Run")
    site.shown(asked, "CSV")
    site.teams.wait(lambda: not has_button(copy, "Run"))
    assert "North | 1235.75" in shown(known)
    assert not [each for each in (known, copy) if {"Run on Shop", "Edit", "Cancel"} & set(buttons_in(each.card))]
    assert site.runs() == runs + 1


def test_a_copy_that_is_pressed_after_the_other_one(site: TeamsSite) -> None:
    """The copy of a card that was answered is closed by anybody's next press, which does nothing else."""
    for answer, becomes in (("Run", "North | 1235.75"), ("Cancel", "Cancel · Ana")):
        asked = site.ask(f"revenue by region, {answer} of two?")
        known = site.shown(asked, "Run on")
        copy = doubled(site, known)
        site.press(known, answer)
        site.teams.wait(lambda known=known, becomes=becomes: becomes in shown(known))
        runs = site.runs()
        assert COPY_ANSWERED == site.press(copy, "Run", user="bob")
        site.teams.wait(lambda copy=copy: not has_button(copy, "Run"))
        assert site.runs() == runs


def submit(site: TeamsSite, message: Message, name: str, user: str) -> None:
    """Press a button in a client that knows no Action.Execute."""
    actions = [action for part in message.card["body"] for action in part.get("actions", [])]
    data = next(action["fallback"]["data"] for action in actions if action["title"].partition(" on ")[0] == name)
    probe = site.teams.press(message, "Cancel", user="bob").wait().activity
    who = site.teams.person(user)
    sender = {"id": who.id, "name": who.name, "aadObjectId": who.aad}
    more = {"type": "message", "id": site.teams.world.message_id(), "from": sender, "value": data}
    site.teams.send({name: held for name, held in probe.items() if name != "name"} | more).wait()


def test_a_client_that_knows_no_execute(site: TeamsSite) -> None:
    """A click that comes as a message counts like any other; a person who may not is told so in their own chat."""
    asked = site.ask("revenue by region?")
    approval, runs = site.shown(asked, "Run on"), site.runs()
    submit(site, approval, "Run", "carla")
    site.teams.wait_message("carla", "Ana started this conversation")
    assert site.runs() == runs
    submit(site, approval, "Run", "ana")
    site.shown(asked, "CSV")
    site.teams.wait(lambda: "North | 1235.75" in shown(approval) and not has_button(approval, "Run"))
    assert site.runs() == runs + 1


def test_a_click_after_the_app_was_taken_away(site: TeamsSite) -> None:
    """A button that is left in a chat without the bot does nothing, and breaks nothing."""
    teams = site.teams
    teams.group("leaving").members.append(teams.person("ana"))
    asked = site.ask("revenue by region?", where="leaving")
    approval, runs = site.shown(asked, "Run on"), site.runs()
    place = teams.conversation("leaving").id
    key = ThreadKey("teams", teams.tenant, place, f"{place}#teams:{teams.person('ana').aad}")
    assert site.bot.router.memory(key)
    for post in teams.uninstall("leaving", "ana"):
        post.wait()
    teams.wait(lambda: site.bot.router.memory(key) is None)
    assert UNKNOWN_BUTTON == site.press(approval, "Run")
    assert site.runs() == runs
