"""Examples found by what they mean, where a model makes vectors; where none does, by their words."""

import logging
from dataclasses import replace
from threading import Event

import pytest

from bot.wiring.knowledge import embedder
from router.knowledge.embeddings import Vectors
from router.knowledge.example_store import ExampleStore, KeptExample
from router.storage.database import Database
from tests.platforms.ollama import Ollama, counted
from tests.support.bot_settings import settings_of
from tests.support.talk import Clock
from tests.support.writing_scene import until

KEPT = ("orders that are open", "names of regions")


@pytest.fixture(name="store")
def _store(database: Database) -> ExampleStore:
    return ExampleStore(database, Clock())


@pytest.mark.parametrize(("name", "path"), [("letters", "/api/embed"), ("openai:letters", "/v1/embeddings")])
def test_vectors_of_examples_are_made_once(store: ExampleStore, name: str, path: str) -> None:
    """The first question finds none and has them made; later ones, also of another process, ask for their own only."""
    with Ollama(models={"letters": 1}) as server:
        said = {"EMBEDDING_MODEL_NAME": name, "OLLAMA_BASE_URL": server.url, "MODEL_BASE_URL": f"{server.url}/v1"}
        embed = embedder(settings_of(said))
        assert embed
        vectors = Vectors(name, embed, store, 20.0)
        assert vectors.nearest("open orders", KEPT) is None
        until(lambda: len(store.vectors(name)) == 2)
        (found,) = until(lambda: vectors.nearest("the open orders are", KEPT))
        before = len(server.requests)
        assert [found] == Vectors(name, embed, store, 20.0).nearest("the open orders are", KEPT)
    assert (0, True) == (found[1], 0.8 <= found[0] <= 1.0)
    assert [path] == server.requests[before:]


def test_without_a_server_words_do(store: ExampleStore, caplog: pytest.LogCaptureFixture) -> None:
    """A server that is away is told of once, and is left alone for a while."""
    with Ollama() as server:
        pass
    embed = embedder(settings_of({"EMBEDDING_MODEL_NAME": "letters", "OLLAMA_BASE_URL": server.url}))
    assert embed
    vectors = Vectors("letters", embed, store)
    with caplog.at_level(logging.WARNING, "icc_bot"):
        assert vectors.nearest("open orders", KEPT) is None
        until(lambda: caplog.records)
        assert vectors.nearest("open orders", KEPT) is None
    assert ["letters makes no vectors"] == [each.getMessage()[:24] for each in caplog.records]


def test_nobody_waits_for_a_slow_server(store: ExampleStore) -> None:
    """A vector that does not come in time is done without, and the server is left alone for a while."""
    slow, asked = Event(), list[list[str]]()

    def embed(texts: list[str]) -> list[list[float]]:
        asked.append(texts)
        if texts == ["slow"]:
            slow.wait(60)
        return [counted(text) for text in texts]

    vectors = Vectors("letters", embed, store, 0.05)
    vectors.nearest("orders", KEPT)
    until(lambda: len(store.vectors("letters")) == 2)
    assert vectors.nearest("slow", KEPT) is None
    assert vectors.nearest("orders", KEPT) is None
    slow.set()
    until(lambda: len(asked) > 1)
    assert [list(KEPT), ["slow"]] == asked


def test_vectors_go_with_their_examples(store: ExampleStore) -> None:
    """What a model made of a question is deleted with the last example that asks it."""
    one = KeptExample("shop", "main", "Which orders are open?", "SELECT 1")
    other = replace(one, connection="archive")
    store.keep([one, other])
    store.keep_vectors("letters", {one.question: b"1234"})
    store.remove(one.id)
    assert [one.question] == list(store.vectors("letters"))
    store.remove(other.id)
    assert {} == store.vectors("letters")
