"""The record of a question back about what a sentence means."""

import json

from router.memory.stage import Stage
from tests.support.talk import Talk


def test_the_audit_trail_tells_why_it_was_asked_back(talk: Talk) -> None:
    """It has the sentence, and the categories that came nearest with their shares, the likely one first."""
    talk.say("tell me about regions")
    assert Stage.UNDERSTAND_QUERY == talk.stage
    lines = map(json.loads, (talk.folder / "audit.jsonl").read_text(encoding="utf-8").splitlines())
    asked = next(each for each in lines if each["event"] == "asked_back")
    result = talk.memory.understanding.classification_result
    assert "tell me about regions" == asked["question"]
    assert [f"{category} {share:.2f}" for category, share in result] == asked["likely"].split(", ")
    assert talk.memory.understanding.clarification is not None
