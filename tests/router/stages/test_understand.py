"""The record of a question back about what a sentence means."""

import json

import pytest

from router.memory.stage import Stage
from tests.support.talk import Talk


def test_the_audit_trail_tells_why_it_was_asked_back(talk: Talk) -> None:
    """It has the sentence, and the categories that came nearest with their shares, the likely one first."""
    talk.say("regions, file or so")
    assert Stage.UNDERSTAND_QUERY == talk.stage
    lines = map(json.loads, (talk.folder / "audit.jsonl").read_text(encoding="utf-8").splitlines())
    asked = next(each for each in lines if each["event"] == "asked_back")
    result = talk.memory.understanding.classification_result
    assert "regions, file or so" == asked["question"]
    assert [f"{category} {share:.2f}" for category, share in result] == asked["likely"].split(", ")
    assert talk.memory.understanding.clarification is not None


@pytest.mark.parametrize(
    "question",
    ["what's the total?", "and the average?", "how many is that?", "zz1044 who are the people?", "only 2024"],
)
def test_a_question_below_rows_is_the_models(talk: Talk, question: str) -> None:
    """It is asked as it is typed, and the model is shown the question and the SQL before it."""
    for line in ("list all regions by number", "yes", question):
        talk.say(line)
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert question == talk.memory.draft.question
    assert talk.memory.draft.follows


def test_a_question_after_the_end_follows_the_last_rows(talk: Talk) -> None:
    """Somebody who is done and asks how many there are means the rows on show."""
    for line in ("list all regions by number", "yes", "done", "how many are there?"):
        talk.say(line)
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert talk.memory.draft.follows
