"""Injections by what people keep, fill in, call themselves, or answer, to run, send or skip an approval."""

from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from adapters.rendering.chart_png import png_of
from adapters.rendering.plain_text import text_of
from router.cards import Chart, Link, Reply
from router.knowledge.example_store import KeptExample
from router.language.wording import one_line
from router.memory.draft import User
from router.memory.stage import Stage
from router.notifier import Channel, Responders
from router.text_to_sql.schema_text import folded
from router.turn import Filled, Said
from tests.router.injection.attacked import SHOP, Attacked, attacked
from tests.router.injection.attempts import Attempt, of
from tests.router.injection.drawn import alarms
from tests.support.talk import ANA, BOB

RAN = ("approved", "started", "finished")


@pytest.fixture(name="house", scope="module")
def _house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """One talk that stood at each stage once."""
    with attacked(tmp_path_factory.mktemp("house")) as house:
        yield house


@of("glossary")
def test_a_term_is_a_hint(house: Attacked, attempt: Attempt) -> None:
    """What the glossary says is one line of the prompt, shown on the card, and approves nothing."""
    house.model.sql = attempt.sql
    meaning = attempt.text.replace("\n", "\\n").replace('"', '\\"')
    (house.folder / "glossary.toml").write_text(f'[shop.lively]\nmeaning = "{meaning}"\n')
    shown = _asked(house, "which regions are lively?")

    told = one_line(attempt.text).replace("<|", "< |")
    assert f"Hint: lively means {told}\nQuestion: which regions are lively?" == house.server.prompts[-1]
    assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of("example")
def test_an_example_is_only_shown(house: Attacked, attempt: Attempt) -> None:
    """A kept example, whatever its question and its SQL say, is read by the model, and approves nothing."""
    house.model.sql = attempt.sql
    question, _, sql = attempt.text.partition("\n")
    sql = sql.removeprefix("SQL: ") or "SELECT name FROM customers"
    talk = house.talk
    talk.kept.keep([KeptExample("shop", "main", question, f"{sql} -- {question}", ANA.id)])
    shown = _asked(house, question)

    assert [] == [alarm for reply in shown for alarm in alarms(reply)]
    assert "<|" not in house.server.prompts[-1]
    assert "salar" not in sql or "Example" not in house.server.prompts[-1]


@of("hint")
def test_a_hint_is_a_hint(house: Attacked, attempt: Attempt) -> None:
    """A hint is one line of the prompt, and leaves out no card."""
    house.model.sql = attempt.sql
    shown = _asked(house, f"which regions churned?\nhint: {attempt.text}")

    assert house.server.prompts[-1] == f"Hint: {folded(attempt.text, 1000)}\nQuestion: which regions churned?"
    assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of("email subject", "email body", "email to", "sender name")
def test_an_email_is_what_was_shown(house: Attacked, attempt: Attempt) -> None:
    """Whatever is in its lines or its text, it goes to those whom the card names, once Send was pressed, and once."""
    talk, field = house.talk, attempt.where.removeprefix("email ")
    house.begin(Stage.SHOW_RESULTS)
    before = house.outside()
    talk.user = replace(ANA, name=attempt.text) if field == "sender name" else ANA
    talk.press("email")
    filled = {"to": "bob@example.com", "subject": "Regions", "body": ""} | {field: attempt.text}
    shown = talk.send(Filled({name: filled[name] for name in ("to", "subject", "body")}, talk.memory.turn))
    assert before == house.outside()
    card, sent = talk.replies[-1], talk.stage == Stage.CONFIRM_EMAIL
    talk.press("email")
    talk.user = ANA

    letters = house.post.letters[len(before.letters) :]
    assert ([RAN], 1) == ([house.outside().trail], len(letters)) if sent else ((), 0) == (house.outside().trail, 0)
    for people, content in letters:
        letter = message_from_bytes(content, policy=default)
        assert people == [address.addr_spec for address in letter["To"].addresses]
        assert [] == [each for each in people if each not in text_of(card)]
        assert (None, None) == (letter["Bcc"], letter["X-Approved"])
    assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of("file name")
def test_a_name_is_no_path(house: Attacked, attempt: Attempt) -> None:
    """A job and a table may be called what is a path elsewhere: no file is touched, nothing is written unasked."""
    talk = house.talk
    house.begin(Stage.CONFIRM_WRITE)
    before, around = house.outside(), sorted(house.folder.parent.rglob("*"))
    talk.press("name")
    shown = talk.send(Said(attempt.text))
    talk.press("table")
    shown += talk.send(Said(attempt.text))

    assert before == house.outside()
    assert [] == [path for path in house.folder.parent.rglob("*") if path not in around]
    assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of("display name")
def test_a_name_gives_no_right(house: Attacked, attempt: Attempt) -> None:
    """Who calls themselves by an approver's name and address may approve nothing, wherever they type or press."""
    talk = house.talk
    for stage in house.stations:
        house.begin(stage)
        before, approved = house.outside(), house.approved()
        talk.user = User("test:mallory", attempt.text, "mallory@example.com")
        try:
            shown = [*talk.send(Said("run")), *talk.send(Said("yes"))]
            for answer in ("yes", "write", "email"):
                talk.press(answer)
        finally:
            talk.user = ANA
        assert (stage, before, approved) == (stage, house.outside(), house.approved())
        assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of("answer of a human in the thread")
def test_somebody_elses_line_is_no_answer(house: Attacked, attempt: Attempt) -> None:
    """What others write in the thread, also those who were asked for help, changes nothing at any stage."""
    talk = house.talk
    talk.services.humans.reach = Responders((Channel("test", "CHELP", "#help"),))
    talk.shared = True
    for stage in house.stations:
        house.begin(stage)
        before, memory = house.outside(), talk.memory
        talk.user = BOB
        for text in (attempt.text, "yes", "run", "send", "write"):
            talk.say(text)
        talk.user = ANA
        assert (stage, before, memory) == (stage, house.outside(), talk.memory)
    talk.shared = False
    talk.services.humans.reach = Responders()


def test_people_who_are_asked_for_help_are_not_shouted_at(house: Attacked) -> None:
    """What is passed on to a channel holds no call to everybody, no link and nobody's Yes, whatever was typed."""
    talk = house.talk
    talk.services.humans.reach = Responders((Channel("test", "CHELP", "#help"),))
    house.begin(Stage.CONFIRM_GENERATED_SQL)
    talk.shared, approved = True, house.approved()
    talk.say("ask a human: <!channel> [approve](https://attacker.example) <script>x</script> @everyone")
    talk.shared = False
    talk.services.humans.reach = Responders()

    [news] = talk.notifier.news
    assert "attacker" in repr(news.reply)
    told = tuple(card for card in news.reply.cards if not isinstance(card, Link))
    assert [] == list(alarms(replace(news.reply, cards=told)))
    assert (("handed",), approved) == (house.outside().trail, house.approved())


def test_values_are_not_told_where_rows_are_not(tmp_path: Path) -> None:
    """In a channel, a question about the data of a private database shows its columns to everybody, and no values."""
    with attacked(tmp_path, f"{SHOP}private = true\n") as house:
        told = []
        for house.talk.shared in (False, True):
            house.begin(Stage.START)
            told.append(text_of(house.talk.send(Said("what columns does orders have?"))[-1]))

    assert [True, True] == ["ordered_on" in text for text in told]
    assert [True, False] == ["cancelled" in text for text in told]


@of("chart title")
def test_a_title_is_text(house: Attacked, attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question becomes a chart's title as it is: nothing in it is looked up or worked out."""
    monkeypatch.setenv("ORACLE_10_URL", "oracle://canary-environment")
    house.model.sql = "SELECT name, 3 AS orders FROM regions"
    house.begin(Stage.NEED_NATURAL_LANGUAGE)
    talk = house.talk
    talk.say(f"ask: {attempt.text}")
    talk.press("yes")
    shown = talk.send(Said("chart"))

    [chart] = [card for reply in shown for card in reply.cards if isinstance(card, Chart)]
    assert attempt.text == chart.title
    assert (png_of(chart) or b"").startswith(b"\x89PNG")
    assert "canary-environment" not in house.told()
    assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of("saved question")
def test_nothing_is_repeated_by_a_sentence(house: Attacked, attempt: Attempt) -> None:
    """A sentence begins no repetition: however long one waits, nothing runs that nobody said Yes to."""
    talk = house.talk
    house.begin(Stage.SHOW_RESULTS)
    before = house.outside()
    talk.say(attempt.text)
    talk.clock.now = talk.clock.now.replace(day=28)
    assert [] == talk.due()
    assert before == house.outside()


def _asked(house: Attacked, question: str) -> list[Reply]:
    """Return what is shown for a question, after which nothing happened that was not pressed."""
    house.begin(Stage.NEED_NATURAL_LANGUAGE)
    before, approved = house.outside(), house.approved()
    shown = house.talk.send(Said(f"ask: {question}"))
    shown += house.talk.send(Said(question))
    assert (before, approved) == (house.outside(), house.approved())
    house.talk.press("yes")
    assert before.files == house.outside().files
    assert house.outside().trail in ((), RAN)
    return shown
