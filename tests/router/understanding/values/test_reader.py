"""Reading a sentence that asks to write a result or to e-mail it: by rules, and a model that is held to it."""

import json
from collections.abc import Iterator

import pytest

from bot.models import ollama_server
from router.errors import AgentAway, Stopped
from router.llm.call import Requester
from router.llm.client import Llm
from router.text_to_sql.question import Model
from router.understanding.values.forms import MailValues, WriteValues, mail_values
from router.understanding.values.reader import read_writing
from tests.platforms.ollama import Answer, Ollama
from tests.router.understanding.values.cases import CONNECTIONS, MAILINGS, WRITINGS, Case, said
from tests.support.rows import every_row

MODEL = "qwen3:8b"
SENTENCES = (*WRITINGS, *MAILINGS)
BEYOND = "this belongs where ana keeps her lists, topten"
"""A sentence whose table no rule finds."""


def away() -> Model:
    raise AgentAway("There is no model.")


def read(sentence: Case, llm: Llm | None = None) -> WriteValues | MailValues:
    reader = away if llm is None else lambda: llm
    if isinstance(sentence.values, WriteValues):
        return read_writing(sentence.say, reader, Requester("ana"), CONNECTIONS)
    return mail_values(sentence.say)


@pytest.fixture(name="server")
def _server() -> Iterator[Ollama]:
    with Ollama({MODEL: 32768}) as running:
        yield running


@pytest.fixture(name="llm")
def _llm(server: Ollama) -> Llm:
    return Llm(
        ollama_server.chat(server.url, MODEL, 512, 30.0), MODEL, remedies=ollama_server.remedies(server.url, MODEL)
    )


@every_row("sentence", [s for s in SENTENCES if not s.beyond])
def test_values_are_found(sentence: Case) -> None:
    """Without a model, everything that the sentence says is found, and nothing else."""
    assert said(sentence.values) == said(read(sentence))


@every_row("sentence", [s for s in SENTENCES if s.beyond])
def test_what_is_not_sure_is_left_open(sentence: Case) -> None:
    """Each value is right or empty, and one is empty."""
    found, right = said(read(sentence)), said(sentence.values)

    assert right != found
    assert [] == [each for each, wanted in zip(found, right, strict=True) if each and each != wanted]


@every_row("sentence", SENTENCES)
def test_a_model_that_makes_things_up_changes_nothing(server: Ollama, llm: Llm, sentence: Case) -> None:
    """What only the model says is dropped, as are confirmations, and databases that are not there."""
    invented = {"table": "q9_invented", "schema": "ok", "database": "payroll"}
    server.script = lambda prompt: json.dumps(
        invented | {"to": ["eve@example.net", "yes"], "subject": "Okay", "body": "x"}
    )

    assert read(sentence) == read(sentence, llm)


def test_a_model_reads_what_rules_leave(server: Ollama, llm: Llm) -> None:
    """The table that no rule finds comes from the model, spelled as the person wrote it."""
    server.enqueue('{"table": "TOPTEN", "schema": "", "database": ""}')

    assert WriteValues(table="topten") == read_writing(BEYOND, lambda: llm, Requester("ana"), CONNECTIONS)


def test_a_model_does_not_overrule(server: Ollama, llm: Llm) -> None:
    """What a rule has read stays, and its words are given to no other field."""
    server.enqueue('{"table": "kpis", "schema": "kpis", "database": "warehouse"}')
    wish = read_writing("save as kpis where Ana looks for the warehouse", lambda: llm, Requester("ana"), CONNECTIONS)

    assert "kpis" == wish.table
    assert "" == wish.schema


def test_a_model_is_not_asked_needlessly(server: Ollama, llm: Llm) -> None:
    """Where the rules have all, or no word is left that could be a value, no model is asked."""
    for text in ("write it to backup.customers", "save it", "ok", "put it in the warehouse please"):
        read_writing(text, lambda: llm, Requester("ana"), CONNECTIONS)

    assert [] == server.history


def test_the_prompt_names_databases_and_nothing_else_of_them(server: Ollama, llm: Llm) -> None:
    """The model is told the names and labels of the databases, and the sentence."""
    server.enqueue("{}")
    read_writing(BEYOND, lambda: llm, Requester("ana"), {"dwh": "Data Warehouse"})
    system, user = (message["content"] for message in server.history[0]["messages"])

    assert "The databases are: dwh (Data Warehouse)" in system
    assert f"Sentence: {BEYOND}" == user


@pytest.mark.parametrize(
    "answer",
    [Answer("no", status=500), Answer("out of memory", status=500), "no JSON", "[1, 2]"],
)
def test_a_model_that_fails_costs_nothing(server: Ollama, llm: Llm, answer: str | Answer) -> None:
    """Whatever becomes of the model, what the rules read is there."""
    server.enqueue(answer, answer)
    wish = read_writing(f"{BEYOND}, in the warehouse, replace it", lambda: llm, Requester("ana"), CONNECTIONS)

    assert WriteValues("warehouse", mode="drop") == wish


def test_stop_ends_the_reading(server: Ollama, llm: Llm) -> None:
    """A person who presses Stop while the model reads is not given half a wish."""
    with pytest.raises(Stopped):
        read_writing(BEYOND, lambda: llm, Requester("ana", stopped=lambda: True), CONNECTIONS)


@pytest.mark.parametrize(
    "text", ["", "   ", "?", "\0\0", "“", "''", "a@", "@", "to", "subject", "x" * 5000, "table " * 500]
)
def test_odd_texts_say_nothing(text: str) -> None:
    """Texts without a request give empty wishes, and no error."""
    assert "" == read_writing(text, away, Requester("ana"), CONNECTIONS).table
    assert () == mail_values(text).recipients()
