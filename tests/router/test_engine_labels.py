"""Labels, greetings and questions to begin with, as replies bring them to every platform."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Chart, Code, File, Form, Reply, Table
from router.turn import Said
from tests.platforms.ollama import Ollama
from tests.support.shop import build_shop
from tests.support.talk import Talk, llm_at

SQL = "SELECT status, SUM(total) AS total FROM orders GROUP BY status ORDER BY status"
CONNECTIONS = """
default = "shop"
[connections.shop]
id = 1
url = "sqlite:///shop.sqlite"
examples = ["What is open?", "Who ordered most?"]
sensitivity = "Confidential"
[connections.secret]
id = 2
url = "sqlite:///shop.sqlite"
readers = ["somebody@else.com"]
examples = ["Who earns most?"]
[connections.plain]
id = 3
url = "sqlite:///shop.sqlite"
examples = ["What is open?"]
"""


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk over one database with a label, and one without."""
    build_shop(tmp_path / "shop.sqlite")
    (tmp_path / "connections.toml").write_text(CONNECTIONS)
    with Ollama(script=lambda prompt: SQL) as server:
        talk = Talk(tmp_path, partial(llm_at, server.url))
        yield talk
        talk.close()


def holding(replies: list[Reply], kind: type) -> list[Reply]:
    return [reply for reply in replies if any(isinstance(card, kind) for card in reply.cards)]


def test_what_is_labelled(talk: Talk) -> None:
    """SQL, the form that edits it, rows, charts and files of a labelled database carry its label; words do not."""
    talk.say("which orders are open?")
    talk.press("edit")
    talk.fill(sql=SQL)
    talk.press("yes")
    talk.press("chart")
    talk.press("csv")
    talk.press("done")

    for kind in (Code, Form, Table, Chart, File):
        assert {"Confidential"} == {reply.sensitivity for reply in holding(talk.replies, kind)}, kind
    assert "" == talk.replies[-1].sensitivity


def test_rows_keep_the_label_of_where_they_came_from(talk: Talk) -> None:
    """Who goes on to another database sees its SQL without a label, and the earlier rows with theirs."""
    talk.say("which orders are open?")
    talk.press("yes")
    talk.press("database")
    talk.say("plain")
    asked = talk.send(Said("which orders are open?"))[-1]

    assert ("", True) == (asked.sensitivity, bool(holding([asked], Code)))


def test_questions_to_begin_with(talk: Talk) -> None:
    """At the beginning, replies bring the examples of what the person may read, each once; later, none."""
    begun = talk.send(Said("hello"))[-1]
    asked = talk.send(Said("which orders are open?"))[-1]

    assert (("What is open?", "Who ordered most?"), ()) == (begun.suggestions, asked.suggestions)


def test_a_report_of_totals_is_labelled(talk: Talk) -> None:
    """It is a sentence alone, and that tells values; of either database."""
    for said in ("compare", "SELECT id FROM orders"):
        talk.say(said)
    for pressed in ("menu:plain", "yes", "same", "menu:shop", "yes", "change"):
        talk.press(pressed)
    talk.fill(reporting="aggregates")
    talk.press("compare")
    told = [reply for reply in talk.replies if reply.working and "All totals are the same" in text_of(reply)]
    assert ["Confidential"] == [reply.sensitivity for reply in told]
