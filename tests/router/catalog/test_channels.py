"""Channels: where the bot answers, who sees results there, and what a second click is told."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.cards import File, Reply, Table
from router.catalog.connection import Channels
from router.catalog.connections_file import read_connections
from router.errors import SettingsError
from router.memory.stage import Stage
from router.turn import Pressed, Said
from tests.platforms.ollama import Ollama
from tests.support.shop import write_connections
from tests.support.talk import ANA, BOB, KEY, Talk, llm_at

QUESTION = "Which regions are there?"
SQL = "SELECT name FROM regions ORDER BY name"


@pytest.fixture(name="server")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SQL) as server:
        yield server


def talk_with(extra: str, folder: Path, server: Ollama) -> Talk:
    talk = Talk(folder, partial(llm_at, server.url), ("shop",), extra)
    talk.shared = True
    return talk


def test_the_file_says_which_channels(tmp_path: Path) -> None:
    """[channels] names where the bot answers, and where results are private."""
    path = write_connections(tmp_path, ["shop"], '[channels]\nallowed = ["slack:C1"]\nprivate = ["*"]\n')

    assert read_connections(path, {}).channels == Channels(frozenset({"slack:C1"}), frozenset({"*"}))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("channels = 3", "channels: input should be an object."),
        ('[channels]\nallowed = ["C1"]', 'allowed must be a list such as ["slack:C0123ABCD"], or ["*"] for all.'),
        ("[channels]\nprivate = 1", "private: input should be a valid array."),
        ("[channels]\nalowed = []", 'there is no key "alowed"; write "allowed".'),
    ],
)
def test_wrong_channels_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    """What cannot be a list of channels is a problem with its remedy."""
    path = write_connections(tmp_path, ["shop"], f"{text}\n")
    with pytest.raises(SettingsError) as raised:
        read_connections(path, {})

    assert [problem.split(": ", 1)[1] for problem in raised.value.problems] == [sentence]


def test_the_bot_keeps_out_of_other_channels(tmp_path: Path, server: Ollama) -> None:
    """Where it may not answer, it tells the person alone, and asks neither a model nor a database."""
    talk = talk_with('[channels]\nallowed = ["test:elsewhere"]\n', tmp_path, server)
    [reply] = talk.send(Said(QUESTION))

    assert (reply.to, reply.turn, talk.stage, server.prompts) == (ANA.id, 0, Stage.START, [])
    assert reply.refused.startswith("I don't answer in this channel")
    talk.close()


@pytest.mark.parametrize("extra", ['[channels]\nprivate = ["test:"]\n', '[channels]\nprivate = ["*"]\n'])
def test_private_rows_are_for_the_asker(tmp_path: Path, server: Ollama, extra: str) -> None:
    """In a private channel, the SQL is for all and the rows and files are for the asker, until they share the rows."""
    talk = talk_with(extra, tmp_path, server)
    asked = talk.send(Said(QUESTION))[-1]
    ran = talk.send(Pressed("yes", talk.memory.turn))[-1]
    [file] = [r for r in talk.send(Pressed("csv", talk.memory.turn)) if isinstance(r.cards[0], File)]
    [shared] = [r for r in talk.send(Pressed("share", talk.memory.turn)) if table_in(r) and r.working]

    assert ("", ANA.id, ANA.id, "") == (asked.to, ran.to, file.to, shared.to)
    talk.close()


def test_a_private_connection_keeps_its_rows_private(tmp_path: Path, server: Ollama) -> None:
    """A connection can be private wherever it is asked, but not where the asker is alone anyway."""
    talk = talk_with("", tmp_path, server)
    path = tmp_path / "connections.toml"
    path.write_text(path.read_text() + "private = true\n")
    talk.send(Said(QUESTION))
    ran = talk.send(Pressed("yes", talk.memory.turn))[-1]
    talk.shared = False
    looked = talk.send(Pressed("csv", talk.memory.turn))[-1]

    assert (ANA.id, "") == (ran.to, looked.to)
    talk.close()


def test_a_team_is_forgotten_with_its_rows(tmp_path: Path, server: Ollama) -> None:
    """Deleting a team's threads deletes their results and ratings too."""
    talk = talk_with("", tmp_path, server)
    talk.say(QUESTION)
    talk.press("yes")
    answer = talk.memory.answer
    assert answer is not None
    talk.router.history.rate(BOB, answer.result.id, good=True)

    assert talk.router.history.forget("other", "") == 0
    assert talk.router.history.forget("test", "") == 1
    assert (talk.router.memory(KEY), talk.services.results.results.exists(answer.result)) == (None, False)
    assert talk.services.feedback.ratings() == []
    talk.close()


def table_in(reply: Reply) -> bool:
    return any(isinstance(card, Table) for card in reply.cards)
