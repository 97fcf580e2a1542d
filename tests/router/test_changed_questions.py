"""Questions whose message is changed or deleted: what is taken back, what stays, and what a kill leaves."""

from dataclasses import replace

import pytest

from adapters.rendering.plain_text import text_of
from router.engine import Router
from router.errors import PutOff
from router.interactions.changed_questions import RUN_ALREADY, WITHDRAWN_CHANGED, WITHDRAWN_DELETED
from router.jobs.cancellation import WITHDRAWN, Stopping
from router.memory.stage import Stage
from router.turn import Changed, Incoming, Pressed, Said
from tests.platforms.ollama import Ollama
from tests.support.talk import BOB, KEY, Talk

QUERY = "SELECT name FROM regions"
OTHER = "SELECT id FROM regions"


def texts(talk: Talk, given: Said | Changed | Pressed, event: str) -> list[str]:
    """Return what is shown for an input, without progress."""
    shown = [text_of(reply) for reply in talk.send(given, event)]
    return [text for text in shown if not text.endswith("…")]


def test_a_question_before_it_is_run(talk: Talk) -> None:
    """Its card is withdrawn and the new words are asked in its place, under the same message."""
    texts(talk, Said(QUERY), "e1")
    before = talk.memory.turn
    said = texts(talk, Changed("e1", OTHER), "e1 changed 2")
    assert said[0] == WITHDRAWN_CHANGED
    assert OTHER in said[-1]
    assert talk.memory.turn > before
    assert texts(talk, Changed("e1", OTHER), "e1 changed 3") == []
    assert [each.event for each in talk.memory.questions] == ["e1"]
    assert WITHDRAWN_CHANGED in texts(talk, Changed("e1", QUERY), "e1 changed 4")


def test_the_old_button_runs_nothing(talk: Talk) -> None:
    """A person who presses Run of the withdrawn card hears that it is old."""
    texts(talk, Said(QUERY), "e1")
    old = talk.memory.turn
    texts(talk, Changed("e1", OTHER), "e1 changed 2")
    assert "earlier step" in texts(talk, Pressed("yes", old), "e2")[-1]
    assert talk.memory.stage == Stage.CONFIRM_USER_SQL


def test_a_question_that_was_run(talk: Talk) -> None:
    """Its result stays; the new words are asked as a question of their own."""
    texts(talk, Said(QUERY), "e1")
    texts(talk, Said("run"), "e2")
    said = texts(talk, Changed("e1", OTHER), "e1 changed 2")
    assert RUN_ALREADY in said[-1]
    assert OTHER in said[-1]
    assert [past.answer.draft.sql for past in talk.memory.results] == [QUERY]


def test_a_question_that_is_deleted(talk: Talk) -> None:
    """Its card is withdrawn, and the talk is where it was before; once it was run, it stays."""
    texts(talk, Said(QUERY), "e1")
    assert texts(talk, Changed("e1"), "e1 deleted") == [WITHDRAWN_DELETED]
    assert talk.memory.stage == Stage.START
    texts(talk, Said(OTHER), "e2")
    texts(talk, Said("run"), "e3")
    assert texts(talk, Changed("e2"), "e2 deleted") == [RUN_ALREADY]


def test_a_follow_up_goes_back_to_the_result(talk: Talk) -> None:
    """What was asked below a result and is taken back leaves that result as it was."""
    texts(talk, Said(QUERY), "e1")
    texts(talk, Said("run"), "e2")
    texts(talk, Said(OTHER), "e3")
    assert talk.memory.stage == Stage.CONFIRM_USER_SQL
    texts(talk, Changed("e3"), "e3 deleted")
    assert talk.memory.stage == Stage.SHOW_RESULTS
    assert talk.memory.answer is not None
    assert talk.memory.answer.draft.sql == QUERY


def test_a_change_approves_nothing(talk: Talk) -> None:
    """Words that would be a Yes, had they been typed, run nothing: also if the card before it waits for one."""
    texts(talk, Said(QUERY), "e1")
    texts(talk, Said(OTHER), "e2")
    texts(talk, Changed("e2", "run"), "e2 changed 2")
    assert talk.memory.answer is None
    texts(talk, Changed("e1", "yes"), "e1 changed 2")
    assert talk.memory.answer is None


def test_whatever_was_no_question_changes_nothing(talk: Talk) -> None:
    """Neither another message, nor somebody else's change, is worked on."""
    texts(talk, Said(QUERY), "e1")
    turn = talk.memory.turn
    assert texts(talk, Changed("e0", OTHER), "e0 changed 2") == []
    talk.user = BOB
    assert texts(talk, Changed("e1", OTHER), "e1 changed 2") == []
    assert talk.memory.turn == turn


def test_a_kill_between_taking_back_and_asking_anew(talk: Talk) -> None:
    """The change comes again, and asks; nothing is said twice."""
    texts(talk, Said(QUERY), "e1")
    asked = talk.store.load(KEY)
    assert asked is not None
    texts(talk, Changed("e1", OTHER), "e1 changed 2")
    memory = talk.memory
    # As it was saved after the card was withdrawn.
    memory.stage, memory.draft, memory.seen = Stage.START, memory.questions[-1].before.draft, ["e1"]
    memory.questions = [replace(asked.questions[0], withdrawn=True)]
    talk.store.save(KEY, memory)
    talk.router = Router(talk.store, talk.services)
    said = texts(talk, Changed("e1", OTHER), "e1 changed 2")
    assert WITHDRAWN_CHANGED not in said
    assert OTHER in said[-1]


@pytest.mark.parametrize("run", [False, True], ids=["at the card", "below its result"])
@pytest.mark.parametrize("question", [QUERY, "which regions are there?"], ids=["sql", "words"])
def test_the_same_question_asked_again(talk: Talk, server: Ollama, question: str, run: bool) -> None:
    """Each message has a card of its own: what is done to the later one takes back that, and nothing else."""
    server.enqueue(*[QUERY] * 3)
    texts(talk, Said(question), "e1")
    if run:
        texts(talk, Said("run"), "e2")
    texts(talk, Said(question), "e3")
    assert [each.event for each in talk.memory.questions] == ["e1", "e3"]
    old = talk.memory.turn
    said = texts(talk, Changed("e3", OTHER), "e3 changed 2")
    assert said[0] == WITHDRAWN_CHANGED
    assert OTHER in said[-1]
    assert "earlier step" in texts(talk, Pressed("yes", old), "e4")[-1]
    assert WITHDRAWN_DELETED in texts(talk, Changed("e3"), "e3 deleted")
    assert talk.memory.stage == (
        Stage.SHOW_RESULTS if run else Stage.CONFIRM_USER_SQL if question == QUERY else Stage.CONFIRM_GENERATED_SQL
    )
    # The first message is at hand again: it is taken back too, unless it was run.
    assert texts(talk, Changed("e1"), "e1 deleted") == [RUN_ALREADY if run else WITHDRAWN_DELETED]
    assert talk.memory.stage == (Stage.SHOW_RESULTS if run else Stage.START)


def test_a_question_whose_sql_is_being_written(talk: Talk, server: Ollama) -> None:
    """The router tells so; what is stopped for a change says nothing, and leaves the step as a kill does."""
    server.enqueue(QUERY, QUERY)
    seen: list[bool] = []
    stopping = Stopping()

    def post(reply: object) -> None:
        if "Writing the SQL" in str(reply):
            seen.append(talk.router.is_drafting(KEY, "e1"))
            stopping.stop(WITHDRAWN)

    with pytest.raises(PutOff):
        talk.router.turn(Incoming(KEY, talk.user, Said("which regions are there?"), "e1"), post, stopping)
    assert seen == [True]
    assert talk.memory.stage == Stage.WRITE_SQL
    said = texts(talk, Changed("e1", "which customers are there?"), "e1 changed 2")
    assert said[0] == WITHDRAWN_CHANGED
    assert talk.memory.draft.question == "which customers are there?"
