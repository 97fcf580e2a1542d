"""The verified examples of a bot, opened where everything is built."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime

from bot.embeddings import embedder
from bot.settings import Settings
from router.catalog.tables import Tables
from router.knowledge.example_store import ExampleStore
from router.knowledge.examples import Examples
from router.knowledge.vectors import Vectors

FILE = "examples.sqlite"
"""Where they lie in the house."""


def opened_examples(settings: Settings, tables: Tables, clock: Callable[[], datetime], stack: ExitStack) -> Examples:
    """Return the examples, whose file is closed with the stack."""
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = ExampleStore(settings.home / FILE, clock)
    stack.callback(store.close)
    embed = embedder(settings)
    return Examples(store, tables, clock, Vectors(settings.embedding_model, embed, store) if embed else None)
