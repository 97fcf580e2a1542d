"""What surrounds the talk: greetings, questions to begin with, labels, changed messages, and the bot's leaving."""

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from router.memory.thread import ThreadKey
from tests.adapters.slack.talks.site import REVENUE
from tests.adapters.teams.talks.site import TeamsSite, buttons_in, has_button, opened
from tests.platforms.ollama import Answer
from tests.platforms.teams.looking import shown
from tests.platforms.teams.troubles import Troubles
from tests.platforms.teams.world import Message
from tests.support.shop import build_shop

EXAMPLES = ["What was the revenue by region last year?", "Which customers ordered most?", "How many orders are open?"]
CONNECTIONS = f"""
[connections.shop]
id = 1
label = "Shop"
url = "sqlite:///shop.sqlite"
examples = {EXAMPLES}
sensitivity = "Confidential"
[connections.payroll]
id = 2
label = "Payroll"
url = "sqlite:///shop.sqlite"
readers = ["otto@example.com"]
examples = ["Who earns most?"]
[connections.plain]
id = 3
label = "Plain"
url = "sqlite:///shop.sqlite"
readers = ["petra@example.com"]
"""


@pytest.fixture(scope="module")
def labelled_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamsSite]:
    """A site over databases with examples and a label."""
    folder = tmp_path_factory.mktemp("words")
    build_shop(folder / "shop.sqlite")
    (folder / "connections.toml").write_text(f'default = "shop"\n{CONNECTIONS}')
    with opened(folder) as site:
        yield site


@pytest.fixture
def site(labelled_house: TeamsSite) -> Iterator[TeamsSite]:
    """The site, for one talk: Teams refused nothing, disliked nothing, and was answered within a second."""
    teams = labelled_house.teams
    teams.wait_posted()
    calls, faults, posts = len(teams.calls), len(teams.faults), len(teams.posts)
    teams.troubles = Troubles()
    yield labelled_house
    labelled_house.slow.clear()
    labelled_house.require_sound(calls, faults, posts)


def offered(message: Message) -> list[str]:
    """Return what the buttons below a message write."""
    actions = (message.activity.get("suggestedActions") or {}).get("actions", [])
    assert {"imBack"} >= {each["type"] for each in actions}
    return [each["value"] for each in actions]


def labels(message: Message) -> dict[str, Any]:
    """Return the one entity that holds the labels of a message, empty if it has none."""
    found = [each for each in message.activity.get("entities", []) if each["type"] == "https://schema.org/Message"]
    assert len(found) <= 1  # Teams refuses a second one
    return found[0] if found else {}


def test_the_welcome(site: TeamsSite) -> None:
    """Who adds the bot is greeted once, with examples of what they may read; a team is told to mention it."""
    for _ in range(2):
        site.teams.install("otto", "otto")
        site.teams.install("sales", "otto")
        site.teams.wait_posted()
    (alone,) = site.teams.wait(lambda: site.teams.messages("otto", by="bot"))
    assert [*EXAMPLES[:2], "help"] == offered(alone)
    (others,) = site.teams.wait(lambda: site.teams.messages("sales", by="bot"))
    assert "Mention me" in shown(others)
    assert [] == offered(others)


def test_labels_of_sql_and_rows(site: TeamsSite) -> None:
    """SQL and rows of a labelled database carry its label and the AI mark, also once they are drawn again."""
    asked, table = site.ran("revenue by region?", where="board")
    site.press(table, "Done")
    farewell = site.shown(asked, "Mention me for")
    assert {"CSV", "Done"} <= set(buttons_in(table.card))  # a result keeps its buttons
    assert not has_button(table, "Run")
    drawn = [m for m in site.teams.messages("board", by="bot") if int(m.id) > int(asked.id) and m.card]
    assert table in drawn
    assert ["SUM(" in str(table.edits), "SUM(" in str(table.activity)] == [True, True]  # the SQL, then its rows
    for message in drawn:
        for activity in (message.activity, *message.edits):
            if "SUM(" in str(activity) or "1235.75" in str(activity):
                (entity,) = activity["entities"]
                assert ("Confidential", "CreativeWork") == (entity["usageInfo"]["name"], entity["usageInfo"]["@type"])
                assert ["AIGeneratedContent"] == entity["additionalType"]
        assert "Confidential" in shown(message)
    assert {"loop": "default"} == {"loop": table.activity["channelData"]["feedbackLoop"]["type"]}
    assert {} == labels(farewell)


def test_a_question_that_is_taken_back(site: TeamsSite) -> None:
    """Who deletes the message that is being worked on ends the work; another one's deletion ends nothing."""
    event = Event()
    site.slow["taken back"] = Answer(REVENUE, waits=event)
    try:
        earlier = site.ask("help", "max", "max")
        site.shown(earlier, "question")
        asked = site.ask("revenue by region, taken back?", "max", "max")
        site.teams.wait(lambda: any("taken back" in prompt for prompt in site.model.prompts))
        site.teams.remove(earlier).wait()
        site.teams.remove(asked).wait()
        site.shown(asked, "Withdrawn: the question was deleted.")
        assert not event.is_set()
    finally:
        event.set()


@pytest.mark.parametrize("where", ["moa", "parting"])
def test_a_chat_that_the_bot_was_taken_out_of(site: TeamsSite, where: str) -> None:
    """Uninstalling deletes what is kept of that chat, and of no other; a new installation is greeted again."""
    if where == "parting":
        site.teams.group("parting").members.append(site.teams.person("moa"))
    _, gone = site.ran("revenue by region?", "moa", where)
    _, stays = site.ran("revenue by region?", "moa", "General")
    assert [True, True] == [remembered(site, gone), remembered(site, stays)]
    site.teams.uninstall(where, "moa")
    site.teams.wait(lambda: not remembered(site, gone))
    assert remembered(site, stays)
    said = len(site.teams.messages(where, by="bot"))
    site.teams.install(where, "moa")
    site.teams.wait(lambda: len(site.teams.messages(where, by="bot")) == said + 1)
    assert "Hi!" in shown(site.teams.messages(where, by="bot")[-1])


def remembered(site: TeamsSite, message: Message) -> bool:
    """Return whether anything is kept of the talk that a message of Moa's stands in."""
    place, moa = message.conversation, site.teams.person("moa").aad
    thread = {"channel": f"{place.id};messageid={message.root}", "groupChat": f"{place.id}#teams:{moa}"}
    key = ThreadKey("teams", site.teams.tenant, place.id, thread.get(place.kind, place.id))
    return site.bot.router.memory(key) is not None
