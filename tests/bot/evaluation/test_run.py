"""Measuring a model on questions whose answers are known."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot.evaluation.answers import read_answers
from bot.evaluation.exam import has_same_rows
from bot.evaluation.questions import read_talks
from bot.evaluation.run import SAMPLE_QUESTIONS_FILE, Wanted, evaluate
from bot.settings.environment import Settings
from router.errors import SettingsError
from tests.platforms.ollama import Answer, Ollama
from tests.support.in_process import run_here
from tests.support.shop import build_shop

GOLDEN: list[dict[str, Any]] = [
    {"id": "names", "question": "Which regions are there?", "sql": "SELECT name FROM regions"},
    {"id": "count", "question": "How many regions are there?", "sql": "SELECT count(*) FROM regions"},
    {
        "id": "order",
        "question": "Regions from the last to the first",
        "sql": "SELECT name FROM regions ORDER BY id DESC",
    },
    {
        "id": "both",
        "question": "Which is the first region?",
        "sql": "SELECT name FROM regions WHERE id = 1",
        "alternatives": ["SELECT id, name FROM regions WHERE id = 1"],
    },
]
SAID = {
    "Which regions": "SELECT r.name FROM regions AS r ORDER BY 1 DESC",
    "How many": "SELECT count(*), 1 FROM regions",
    "from the last": "SELECT name FROM regions ORDER BY id",
    "the first region": "SELECT id, name FROM regions WHERE id = 1",
}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Four questions on the shop."""
    build_shop(tmp_path / "shop.sqlite")
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps({"database": "shop.sqlite"} | golden) for golden in GOLDEN))
    return path


@pytest.fixture
def server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: next((sql for words, sql in SAID.items() if words in prompt), "None")) as running:
        yield running


def test_what_is_right_and_what_is_not(settings: Settings, questions: Path) -> None:
    """Right is what has the rows of one of the right queries; for the rest it is told how it differs."""
    said: list[str] = []
    out = questions.with_name("out.jsonl")
    assert 0 == evaluate(settings, Wanted(questions, out=out), said.append)
    answers = read_answers(out).given
    assert {"names": "", "count": "other columns", "order": "other order", "both": ""} == {
        id: answer.fault for id, answer in answers.items()
    }
    assert [True, False, False, False] == [answer.first for answer in answers.values()]
    assert all(answer.runs and answer.seconds > 0 and answer.read > answer.written > 0 for answer in answers.values())
    assert "2 of 4 questions are answered rightly: 50.0% (standard error 25.0%)." in said


def test_the_command(settings: Settings, questions: Path, tmp_path: Path) -> None:
    """`icc-bot eval` asks as many questions as it is told, in that way, and compares what it kept."""
    for way in ("plain", "shipped"):
        words = ("--questions", str(questions), "--limit", "1", "--set", f"way={way}", "--out", f"{way}.jsonl")
        assert "1 questions of questions.jsonl:" in run_here(tmp_path, {}, "eval", *words).stdout
    compared = run_here(tmp_path, {}, "eval", "--compare", "plain.jsonl", "shipped.jsonl")
    assert compared.stdout.startswith("1 questions in both:")
    refused = run_here(tmp_path, {}, "eval", "--talks", "--examples", str(questions))
    assert (2, True) == (refused.returncode, "--examples goes with questions" in refused.stderr)


def test_a_run_goes_on(settings: Settings, questions: Path, server: Ollama) -> None:
    """A question that was answered is not asked again, one whose line was half written is; another run is refused."""
    out = questions.with_name("out.jsonl")
    evaluate(settings, Wanted(questions, out=out), str)
    asked = len(server.history)
    out.write_bytes(out.read_bytes()[:-9])
    evaluate(settings, Wanted(questions, out=out), str)
    assert asked + 1 == len(server.history)
    assert 4 == len(read_answers(out).given)
    with pytest.raises(SettingsError, match="of another run"):
        evaluate(settings, Wanted(questions, out=out, options={"way": "plain"}), str)


def test_what_is_done_for_a_question_can_be_left_out(settings: Settings, questions: Path, server: Ollama) -> None:
    """SQL that repair would mend fails without it, once if one try is allowed; who is no chooser is not followed."""
    server.script = lambda prompt: "SELECT Name_ FROM region"
    out = questions.with_name("out.jsonl")
    options = {"repair": "off", "tries": "1", "orchestrator": "model"}
    evaluate(settings, Wanted(questions, limit=1, out=out, options=options), str)
    (answer,) = read_answers(out).given.values()
    assert (answer.runs, answer.repairs) == (False, ())
    assert [True, True, False] == ["format" in body for body in server.history]  # it was asked to choose, in vain


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"repairs": "off"}, 'There is no option "repairs"; there are repair, '),
        ({"repair": "no"}, 'repair is one of on, off, not "no".'),
        ({"tries": "4"}, 'tries is one of 1, 2, 3, not "4".'),
        ({"orchestrator": "chance"}, 'orchestrator is one of rules, model, not "chance".'),
        ({"way": "odd"}, 'way is one of shipped, plain, not "odd".'),
        ({"way": "plain", "repair": "off"}, "way=plain takes no other option"),
    ],
)
def test_options_that_there_are_not(settings: Settings, options: dict[str, str], expected: str) -> None:
    """It is said which there are, before anything is asked."""
    with pytest.raises(SettingsError) as caught:
        evaluate(settings, Wanted(options=options), str)
    assert expected in str(caught.value)


def test_a_model_that_is_away(settings: Settings, questions: Path, server: Ollama) -> None:
    """The run ends with what to mend; what was answered is kept, and asked no more."""
    out, said = questions.with_name("out.jsonl"), list[str]()
    server.enqueue(SAID["Which regions"], Answer("", status=404))
    assert 1 == evaluate(settings, Wanted(questions, out=out), said.append)
    assert said[-1].endswith(f"\n1 answers are kept in {out}; run it again to go on.")
    assert 0 == evaluate(settings, Wanted(questions, out=out), said.append)
    assert 4 == len(read_answers(out).given)
    server.enqueue(Answer("", status=404))
    assert 1 == evaluate(settings, Wanted(questions), said.append)
    assert said[-1].endswith(
        "\nNothing was kept; with a file that is named by --out, the next run goes on where this one ends."
    )


@pytest.mark.thorough
def test_the_questions_that_ship(settings: Settings) -> None:
    """They are asked on the sample company, and every right query of theirs runs and finds something."""
    said: list[str] = []
    assert 0 == evaluate(settings, Wanted(), said.append)
    assert 24 == len(read_talks(SAMPLE_QUESTIONS_FILE))
    assert not [line for line in said if "was left out" in line]
    assert any(line.split()[:2] == ["sample", "24"] for line in "\n".join(said).splitlines())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("nonsense", "line 1: "),
        ("[]", "valid dictionary"),
        ('{"question": "?"}', "sql: Field required"),
        ('{"question": "?", "sql": "SELECT 1"}', 'either "database"'),
        ('{"question": "?", "sql": "SELECT 1", "database": "a", "connection": "b"}', 'either "database"'),
        ('{"question": "?", "sql": "SELECT 1", "database": "nowhere.sqlite"}', "there is no file"),
        ('{"question": "?", "sql": "SELECT 1", "connection": "a", "alternatives": "b"}', "valid tuple"),
        ("", "holds no question"),
    ],
)
def test_questions_that_cannot_be_read(line: str, expected: str, tmp_path: Path) -> None:
    """It is said what is wrong, in which line."""
    path = tmp_path / "questions.jsonl"
    path.write_text(line)
    with pytest.raises(SettingsError, match=expected):
        read_talks(path)


@pytest.mark.parametrize(
    ("right", "found", "expected"),
    [
        ([(1, "a"), (2, "b")], [(2.0, "b"), (Decimal(1), "a")], True),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(1,)], [(1,), (1,)], False),
        ([(None,)], [("None",)], False),
        ([(True,)], [(1,)], True),
        ([("1",)], [(1,)], False),
        ([(float("nan"),)], [(float("nan"),)], True),
        ([(123456.4,)], [(123456.0,)], True),
        ([(1234.5,)], [(1234.6,)], False),
    ],
)
def test_same_rows(right: list[tuple[Any, ...]], found: list[tuple[Any, ...]], expected: bool) -> None:
    """Rows are counted, numbers compared to six digits."""
    assert expected == has_same_rows(right, found, in_order=False)


def test_examples_are_shown_but_for_the_question_itself(settings: Settings, questions: Path, server: Ollama) -> None:
    """The model sees what is near; neither the question that is asked, nor another wording with the same query."""
    examples = questions.with_name("examples.jsonl")
    rest: list[dict[str, Any]] = [
        {"question": "How many regions are there?", "sql": "SELECT count(*) FROM regions"},
        {"question": "How many regions exist there?", "sql": "select  COUNT(*) from regions;"},
        {"question": "How many customers and regions are there?", "sql": "SELECT count(*) FROM regions, customers"},
        {"question": "How many planets of regions are there?", "sql": "SELECT count(*) FROM planets"},
    ]
    examples.write_text("\n".join(json.dumps({"database": "shop.sqlite"} | each) for each in rest))
    wanted = Wanted(questions, examples=examples)
    evaluate(settings, wanted, [].append)
    (asked,) = [prompt for prompt in server.prompts if prompt.rstrip().endswith("How many regions are there?")][-1:]

    assert ["Example: How many customers and regions are there?"] == [
        line for line in asked.splitlines() if line.startswith("Example:")
    ]
    assert "SELECT COUNT(*) FROM regions CROSS JOIN customers" in asked
