"""Measuring a model on talks of several turns."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.evaluation.answers import read_answers
from bot.evaluation.questions import read_talks
from bot.evaluation.run import Wanted, evaluate
from bot.settings.environment import Settings
from router.errors import SettingsError
from tests.platforms.ollama import Ollama
from tests.support.shop import build_shop

TALK: dict[str, Any] = {
    "id": "regions",
    "held_out": True,
    "turns": [
        {"say": "Which regions are there?", "kind": "first", "sql": "SELECT name FROM regions"},
        {"say": "how many is that?", "kind": "count", "sql": "SELECT count(*) FROM regions"},
    ],
}
OTHER: dict[str, Any] = {
    "id": "own",
    "turns": [
        {"say": "How many regions are there?", "kind": "first", "sql": "SELECT count(*) FROM regions"},
        {"say": "Which regions are there?", "kind": "new", "sql": "SELECT name FROM regions"},
    ],
}
SAID = {
    "Question: Which regions are there?": "SELECT name FROM regions",
    "Question: How many regions are there?": "SELECT count(*) FROM regions",
}


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Two talks on the shop."""
    build_shop(tmp_path / "shop.sqlite")
    path = tmp_path / "talks.jsonl"
    path.write_text("\n".join(json.dumps({"database": "shop.sqlite"} | talk) for talk in (TALK, OTHER)))
    return path


@pytest.fixture
def server() -> Iterator[Ollama]:
    """A model that answers full questions only."""

    def answer(prompt: str) -> str:
        question = prompt[prompt.rindex("Question: ") :]
        return next((sql for words, sql in SAID.items() if words in question), "None")

    with Ollama(script=answer) as running:
        yield running


def test_a_talk_is_led(settings: Settings, talks: Path, server: Ollama) -> None:
    """Each question below another one is shown with that and its query; the rows above are counted without a model."""
    said: list[str] = []
    out = talks.with_name("out.jsonl")
    assert 0 == evaluate(settings, Wanted(talks, talks=True, out=out), said.append)
    answers = read_answers(out).given
    assert {
        "regions.1": "Which regions are there?",
        "regions.2": "how many is that?",
        "own.1": "How many regions are there?",
        "own.2": "Which regions are there?",
    } == {id: answer.question for id, answer in answers.items()}
    assert all(answer.right for answer in answers.values())
    prompts = [str(call["messages"][-1]["content"]) for call in server.history if "messages" in call]
    asked_before = "Asked before: How many regions are there?\nSELECT COUNT(*) FROM regions\nQuestion: Which"
    assert (3, 1) == (len(prompts), sum(asked_before in prompt for prompt in prompts))
    assert "2 of 2 talks are right from the first turn to the last: 100%." in said
    assert "1 of 1 talks of those held out are right from the first turn to the last: 100%." in said
    assert "1 of 1 follow-ups were understood as such." in said
    assert "0 of 3 questions of their own were taken for one." in said


def test_a_turn_takes_the_path_of_the_bot(settings: Settings, talks: Path, server: Ollama) -> None:
    """A sentence taken for no question is wrong, and asks the model nothing."""
    turns = [
        {"say": "Which regions are there?", "sql": "SELECT name FROM regions"},
        {"say": "thanks", "sql": "SELECT 1"},
    ]
    talks.write_text(json.dumps({"id": "path", "database": "shop.sqlite", "turns": turns}))
    said: list[str] = []
    out = talks.with_name("out.jsonl")
    evaluate(settings, Wanted(talks, talks=True, out=out), said.append)
    first, second = read_answers(out).given.values()
    assert ("Which regions are there?", "ask_data", "") == (first.question, first.intent, first.fault)
    assert ("", "small_talk", "taken for small_talk") == (second.sql, second.intent, second.fault)
    assert 1 == sum("messages" in call for call in server.history)
    assert "0 of 2 turns were asked back about; the likely answer was taken." in said


def test_a_talk_goes_on(settings: Settings, talks: Path, server: Ollama) -> None:
    """A talk that was left in the middle goes on with what was answered before."""
    out = talks.with_name("out.jsonl")
    evaluate(settings, Wanted(talks, talks=True, out=out), str)
    whole, asked = out.read_text().splitlines(keepends=True), len(server.history)
    out.write_text("".join(whole[:2]))
    evaluate(settings, Wanted(talks, talks=True, out=out), str)
    assert [json.loads(line)["question"] for line in whole[1:]] == [
        json.loads(line)["question"] for line in out.read_text().splitlines()[1:]
    ]
    assert len(server.history) < 2 * asked


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[]", "valid dictionary"),
        ('{"turns": []}', "turns: List should have at least 1 item"),
        ('{"connection": "a", "turns": [{"say": "b"}]}', "turns.0.sql: Field required"),
        ('{"turns": [{"say": "b", "sql": "c"}]}', "it needs either"),
        ("", "holds no question"),
        ("\n".join(['{"id": 1, "connection": "a", "turns": [{"say": "b", "sql": "c"}]}'] * 2), "already"),
    ],
)
def test_talks_that_cannot_be_read(tmp_path: Path, line: str, problem: str) -> None:
    """A fault in a file of talks is said with its line."""
    path = tmp_path / "talks.jsonl"
    path.write_text(line)
    with pytest.raises(SettingsError, match=problem):
        read_talks(path)
