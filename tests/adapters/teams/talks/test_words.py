"""What surrounds the talk: greetings, questions to begin with, labels, changed messages, and the bot's leaving."""

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from adapters.teams.edits import LATE, OLD
from router.memory import ThreadKey
from tests.adapters.teams.talks.house import REVENUE, House, opened
from tests.platforms.ollama import Answer
from tests.platforms.teams import Message, shown
from tests.platforms.teams.activities import installation
from tests.platforms.teams.troubles import Troubles
from tests.shop import build_shop

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
DOES = "you ask in your own words"


@pytest.fixture(scope="module")
def labelled_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house over databases with examples and a label."""
    folder = tmp_path_factory.mktemp("words")
    build_shop(folder / "shop.sqlite")
    (folder / "connections.toml").write_text(f'default = "shop"\n{CONNECTIONS}')
    with opened(folder) as house:
        yield house


@pytest.fixture
def house(labelled_house: House) -> Iterator[House]:
    """The house, for one talk: Teams refused nothing, disliked nothing, and was answered within a second."""
    teams = labelled_house.teams
    teams.wait_posted()
    calls, faults, posts = len(teams.calls), len(teams.faults), len(teams.posts)
    teams.troubles = Troubles()
    yield labelled_house
    labelled_house.slow.clear()
    labelled_house.demand_sound(calls, faults, posts)


def offered(message: Message) -> list[str]:
    """Return what the buttons below a message write."""
    actions = (message.activity.get("suggestedActions") or {}).get("actions", [])
    assert {"imBack"} >= {each["type"] for each in actions}
    return [each["value"] for each in actions]


def labels(message: Message) -> dict[str, Any]:
    """Return the one entity that holds the labels of a message, empty where it has none."""
    found = [each for each in message.activity.get("entities", []) if each["type"] == "https://schema.org/Message"]
    assert len(found) <= 1  # Teams refuses a second one
    return found[0] if found else {}


@pytest.mark.parametrize("words", ["Hi", "hello!", "Help", "What can you do?"])
def test_a_greeting_says_what_the_bot_can_do(house: House, words: str) -> None:
    """Whoever says hello or asks for help hears what the bot can do, and finds questions; no model is asked."""
    before = len(house.model.prompts)
    told = house.shown(house.ask(words, "bob", "bob"), "question")
    assert "SQL" in shown(told)
    assert [*EXAMPLES[:2], "help"] == offered(told)
    assert before == len(house.model.prompts)


def test_a_suggestion_is_a_question(house: House) -> None:
    """What a suggestion writes comes back as a message, and is answered like any other."""
    told = house.shown(house.ask("Hi", "carla", "carla"), DOES)
    asked = house.ask(offered(told)[0], "carla", "carla")
    sql = house.shown(asked, "Run this on")
    assert [] == offered(sql)


@pytest.mark.parametrize("where", ["General", "board"])
@pytest.mark.parametrize("words", ["", "Hi", "help"])
def test_a_mention_alone(house: House, words: str, where: str) -> None:
    """A mention with nothing, or a greeting, is answered with what the bot can do; nothing is suggested to others."""
    told = house.shown(house.ask(words, where=where), "question")
    assert "SQL" in shown(told)
    assert [] == offered(told)


def test_hello_before_a_question_that_stands(house: House) -> None:
    """A greeting in the middle is answered, and the question is asked again; nothing is run."""
    house.shown(house.ask("revenue by region?", "lars", "lars"), "Run this on")
    runs = house.runs()
    again = house.shown(house.ask("hello", "lars", "lars"), "Run this on")
    assert DOES in shown(again)
    assert runs == house.runs()


def test_the_welcome(house: House) -> None:
    """Who adds the bot is greeted once, with examples of what they may read; a team is told to mention it."""
    for _ in range(2):
        house.teams.install("otto", "otto")
        house.teams.install("sales", "otto")
        house.teams.wait_posted()
    (alone,) = house.teams.wait(lambda: house.teams.messages("otto", by="bot"))
    assert [*EXAMPLES[:2], "help"] == offered(alone)
    (others,) = house.teams.wait(lambda: house.teams.messages("sales", by="bot"))
    assert "Mention me" in shown(others)
    assert [] == offered(others)


def test_labels_of_sql_and_rows(house: House) -> None:
    """SQL and rows of a labelled database carry its label and the AI mark, also once they are drawn anew."""
    asked, table = house.ran("revenue by region?", where="board")
    house.press(table, "Done")
    house.shown(asked, "Goodbye")
    house.teams.wait(lambda: "✓ Done" in shown(table))
    drawn = [m for m in house.teams.messages("board", by="bot") if int(m.id) > int(asked.id) and m.card]
    assert len(drawn) >= 2
    for message in drawn:
        for activity in (message.activity, *message.edits):
            if "SUM(" in str(activity) or "1235.75" in str(activity):
                (entity,) = activity["entities"]
                assert ("Confidential", "CreativeWork") == (entity["usageInfo"]["name"], entity["usageInfo"]["@type"])
                assert ["AIGeneratedContent"] == entity["additionalType"]
        assert "Confidential" in shown(message)
    assert {"loop": "default"} == {"loop": table.activity["channelData"]["feedbackLoop"]["type"]}
    assert {} == labels(house.shown(asked, "Goodbye"))


def test_no_label_where_none_is_given(house: House) -> None:
    """A database without a label gives the AI mark alone."""
    began = house.ask("Hi", "petra", "petra")
    house.press(house.shown(began, "Other database"), "Other database", "petra")
    house.shown(began, "Which database is it about?")
    house.shown(house.ask("Plain", "petra", "petra"), "Shall I write the SQL")
    sql = house.shown(house.ask("revenue by region?", "petra", "petra"), "Run this on Plain")
    assert ["AIGeneratedContent"] == labels(sql)["additionalType"]
    assert "usageInfo" not in labels(sql)


def test_a_changed_question(house: House) -> None:
    """Who changes a message that was taken hears to send it anew, once; the question that stands stays."""
    asked = house.ask("revenue by region?", "mia", "mia")
    house.shown(asked, "Run this on")
    house.teams.edit(asked, "revenue by month?").wait()
    told = house.shown(asked, "Please send it as a new message")
    assert LATE.format("“revenue by month?”") in shown(told)
    assert [] == [prompt for prompt in house.model.prompts if "revenue by month" in prompt]


def test_a_mention_that_is_put_in_later(house: House) -> None:
    """A message that names the bot only since it was changed is answered like a new one."""
    asked = house.teams.say("General", "revenue by region?", user="ana", mention=False)
    asked.activity["text"] = f"<at>{house.teams.bot_name}</at> {asked.text}"
    house.teams.edit(asked, "revenue by region?").wait()
    assert "SUM(" in shown(house.shown(asked, "Run this on"))


def test_an_old_message_that_is_changed(house: House) -> None:
    """Of a message that is older than what is remembered nobody knows whether it was taken: its edit asks nothing."""
    asked = house.teams.say("General", "revenue by region?", user="ana", mention=False)
    old = str(int(asked.id) - 7 * 86_400_000)
    asked.activity["text"] = f"<at>{house.teams.bot_name}</at> {asked.text}"
    house.teams.edit(asked, "a week ago?").wait()
    house.shown(asked, "You asked: a week ago?")
    prompts = len(house.model.prompts)
    house.teams.send(asked.activity | {"id": old}).wait()
    told = house.teams.wait_message("ana", "a week ago?")
    assert OLD.format("“a week ago?”") in shown(told)
    assert prompts == len(house.model.prompts)


def test_a_question_that_is_taken_back(house: House) -> None:
    """Who deletes the message that is being worked on ends the work; another one's deletion ends nothing."""
    event = Event()
    house.slow["taken back"] = Answer(REVENUE, waits=event)
    try:
        earlier = house.ask("help", "max", "max")
        house.shown(earlier, "question")
        asked = house.ask("revenue by region, taken back?", "max", "max")
        house.teams.wait(lambda: any("taken back" in prompt for prompt in house.model.prompts))
        house.teams.remove(earlier).wait()
        house.teams.remove(asked).wait()
        house.shown(asked, "Stopped")
        assert not event.is_set()
    finally:
        event.set()


@pytest.mark.parametrize("where", ["moa", "parting"])
def test_a_chat_that_the_bot_was_taken_out_of(house: House, where: str) -> None:
    """Uninstalling deletes what is kept of that chat, and of no other; whoever adds the bot anew is greeted anew."""
    if where == "parting":
        house.teams.group("parting").members.append(house.teams.person("moa"))
    _, gone = house.ran("revenue by region?", "moa", where)
    _, stays = house.ran("revenue by region?", "moa", "General")
    assert [True, True] == [remembered(house, gone), remembered(house, stays)]
    house.teams.uninstall(where, "moa")
    house.teams.wait(lambda: not remembered(house, gone))
    assert remembered(house, stays)
    said = len(house.teams.messages(where, by="bot"))
    house.teams.install(where, "moa")
    house.teams.wait(lambda: len(house.teams.messages(where, by="bot")) == said + 1)
    assert "Hello" in shown(house.teams.messages(where, by="bot")[-1])


def remembered(house: House, message: Message) -> bool:
    """Tell whether anything is kept of the talk that a message of Moa's stands in."""
    place, moa = message.conversation, house.teams.person("moa").aad
    thread = {"channel": f"{place.id};messageid={message.root}", "groupChat": f"{place.id}#teams:{moa}"}
    key = ThreadKey("teams", house.teams.tenant, place.id, thread.get(place.kind, place.id))
    return house.bot.router.memory(key) is not None


def test_an_upgrade_takes_nothing_away(house: House) -> None:
    """A new version of the app is no leaving: the talk goes on where it stood."""
    _, table = house.ran("revenue by region?", "moa", "General")
    told = installation(house.teams, "remove-upgrade", table.conversation, house.teams.person("moa"))
    assert house.teams.send(told).wait().ok
    house.press(table, "Done", "moa")
    house.shown(table, "Goodbye")
    assert remembered(house, table)
