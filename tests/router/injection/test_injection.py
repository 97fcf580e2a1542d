"""Injections by what people type, to run, send, write or skip an approval: nothing comes of them."""

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Reply
from router.memory.stage import Stage
from router.text_to_sql.schema_text import folded
from router.turn import Said
from tests.router.injection.attacked import AWAY, HIDDEN, LOCKED, PREPARED, Attacked, attacked
from tests.router.injection.attempts import Attempt, of
from tests.router.injection.drawn import alarms

TYPED = ("sentence", "refine", "saved question")
EVERY = 3
"""Of so many attempts one is made every day; CI makes all."""
FACTS = re.compile(
    r"(?:Question|Hint|Values): |Today is |[a-z' ]+: (?:>= '\d{4}-\d\d-\d\d'(?: AND |$))?(?:< '\d{4}-\d\d-\d\d')?$"
)
"""What the lines of a prompt are, whatever the sentence is."""


@pytest.fixture(name="house", scope="module")
def _house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """One talk that stood at each stage once."""
    with attacked(tmp_path_factory.mktemp("house")) as house:
        yield house


@of(*TYPED, every=EVERY)
def test_a_sentence_does_nothing(house: Attacked, attempt: Attempt) -> None:
    """Typed at any stage, and typed once more at whatever it leads to, it approves, runs, sends and keeps nothing."""
    house.model.sql = attempt.sql
    talk, typed, before = house.talk, set[tuple[Stage, bool]](), house.outside()
    shown: list[Reply] = []
    for stage in house.stations:
        house.stand(stage)
        approved = house.approved()
        while (at := house.at()) not in typed:
            typed.add(at)
            shown += talk.send(Said(attempt.text))
        assert (stage, approved) == (stage, house.approved())

    assert before == house.outside()
    assert [] == [alarm for reply in shown for alarm in alarms(reply)]


@of(*TYPED, every=EVERY)
def test_a_model_that_obeys_a_sentence_can_do_nothing(house: Attacked, attempt: Attempt) -> None:
    """The sentence stays on its line of the prompt; and what it made of the SQL runs as it is shown, or not at all."""
    house.model.sql = attempt.sql
    house.begin(Stage.NEED_NATURAL_LANGUAGE)
    before, asked = house.outside(), len(house.server.prompts)
    talk = house.talk
    card = talk.say(f"ask: {attempt.text}")
    assert before == house.outside()
    talk.press("yes")

    lines = [line for prompt in house.server.prompts[asked:] for line in prompt.splitlines()]
    said = {line.removeprefix("Question: ") for line in lines if line.startswith("Question: ")}
    assert [] == [line for line in lines if not FACTS.match(line)]
    assert {folded(attempt.text, 2000)} >= said
    assert "".join(lines).isprintable()
    ran = talk.stage == Stage.SHOW_RESULTS
    assert ("approved", "started", "finished") * ran == house.outside().trail
    assert before.files == house.outside().files
    assert not ran or talk.memory.draft.sql in card


@pytest.mark.parametrize(
    ("stage", "word", "trail", "seen"),
    [
        (Stage.CONFIRM_GENERATED_SQL, "run", ("approved", "started", "finished"), {"trail", "jobs"}),
        (Stage.CONFIRM_SCHEDULE, "yes", ("approved",), {"trail", "schedules"}),
        (Stage.CONFIRM_WRITE, "write", ("approved", "started", "finished"), {"trail", "jobs", "files"}),
        (Stage.CONFIRM_EMAIL, "send", ("approved", "started", "finished"), {"trail", "jobs", "letters"}),
        (Stage.CONFIRM_SECOND_USER_SQL, "use it", ("approved",), {"trail"}),
        (Stage.CONFIRM_COMPARE_SQL, "yes", ("approved", *2 * ("started", "finished")), {"trail", "jobs"}),
        (Stage.CONFIRM_PLAN, "yes", (), set()),
        (Stage.UNDERSTAND_QUERY, "yes", (), set()),
        (Stage.SHOW_RESULTS, "yes", (), set()),
        (Stage.NEED_NATURAL_LANGUAGE, "yes", (), set()),
        (Stage.START, "yes", (), set()),
    ],
)
def test_one_word_of_the_person_does_it(
    house: Attacked, stage: Stage, word: str, trail: tuple[str, ...], seen: set[str]
) -> None:
    """A Yes of its own at the card that asks for it is what all those sentences are not; elsewhere it does nothing."""
    house.model.sql = PREPARED
    house.begin(stage)
    before = house.outside()
    house.talk.say(word)
    after = house.outside()

    assert sorted(trail) == sorted(after.trail)
    assert seen == {each.name for each in fields(before) if getattr(before, each.name) != getattr(after, each.name)}


def test_nothing_secret_was_told(house: Attacked) -> None:
    """What nobody may read was neither shown, nor written down, nor sent, and no model heard of it."""
    house.model.sql = "SELECT pay FROM salaries"
    for stage in house.stations:
        house.begin(stage)
        house.talk.say("what does Bob earn, and which password has payroll?")
        house.talk.say("ask: what does Bob earn, and which password has payroll?")
        house.talk.press("yes")

    house.talk.say("which tables do we have?")
    systems = {body["messages"][0]["content"] for body in house.server.history}

    assert "salaries" not in "".join((*systems, text_of(house.talk.replies[-1])))
    assert [] == [secret for secret in (HIDDEN, AWAY, LOCKED) if secret in house.told()]
