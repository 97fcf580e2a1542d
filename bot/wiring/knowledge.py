"""Opens what people teach the bot: the glossary, verified examples, and examples of intents."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.models.ollama_server import OLLAMA_URL, client_options
from bot.settings.environment import Settings, connections_file
from router.catalog.connection import Connections
from router.catalog.tables import Tables
from router.knowledge.embeddings import Embed, Vectors
from router.knowledge.example_store import ExampleStore
from router.knowledge.examples import Examples
from router.knowledge.glossary import Glossary
from router.knowledge.glossary_changes import GlossaryChanges, Proposals
from router.storage.clock import Clock
from router.storage.database import Database
from router.understanding.choice_log import ChoiceLog
from router.understanding.classifier import weigh
from router.understanding.intent_vectors import IntentVectors
from router.understanding.site_examples import SiteExamples

INTENTS_FILE = "intents.toml"
GLOSSARY_FILE = "glossary.toml"
EMBEDDING_TIMEOUT_SECONDS = 30.0
"""Seconds for one request; a question waits less, see `router.knowledge.embeddings`."""


def embedder(settings: Settings) -> Embed | None:
    """Return what makes vectors, None if no model is named; its library is loaded at the first call."""
    name = settings.embedding_model
    if not name:
        return None

    @cache
    def made() -> Embed:
        if name.startswith("openai:"):
            from langchain_openai import OpenAIEmbeddings

            return OpenAIEmbeddings(
                model=name.removeprefix("openai:"),
                base_url=None if settings.model_base_url is None else str(settings.model_base_url),
                api_key=settings.model_api_key or (lambda: "none"),
                check_embedding_ctx_length=False,  # other servers take texts, not OpenAI's tokens
                timeout=EMBEDDING_TIMEOUT_SECONDS,
                max_retries=0,
            ).embed_documents
        from langchain_ollama import OllamaEmbeddings

        url = OLLAMA_URL if settings.ollama_base_url is None else str(settings.ollama_base_url)
        return OllamaEmbeddings(
            model=name, base_url=url, client_kwargs=client_options(url, EMBEDDING_TIMEOUT_SECONDS)
        ).embed_documents

    return lambda texts: made()(texts)


def _beside_connections(settings: Settings, name: str, demo: bool) -> Path:
    file = None if demo else connections_file(settings)
    return (file.parent if file else settings.home) / name


# Intents.


@dataclass(frozen=True, slots=True)
class OpenedIntents:
    """The classifier with the site's examples, and what people chose if it asked back."""

    intents: SiteExamples
    choices: ChoiceLog


def intents_file(settings: Settings, demo: bool = False) -> Path:
    """Return where own examples are: beside connections.toml, or in the bot's home if there is none."""
    return _beside_connections(settings, INTENTS_FILE, demo)


def intents_of(settings: Settings, database: Database, clock: Clock, demo: bool = False) -> OpenedIntents:
    """Return both."""
    choices = ChoiceLog(database, clock)
    embed = embedder(settings)
    meanings = IntentVectors(Vectors(settings.embedding_model, embed, choices)) if embed else None
    return OpenedIntents(SiteExamples(intents_file(settings, demo), meanings), choices)


# Examples and the glossary.


def examples_of(settings: Settings, database: Database, tables: Tables, clock: Clock) -> Examples:
    """Return the examples that are kept in a database."""
    store = ExampleStore(database, clock)
    embed = embedder(settings)
    return Examples(store, tables, weigh, Vectors(settings.embedding_model, embed, store).nearest if embed else None)


def glossary_file(settings: Settings, demo: bool = False) -> Path:
    """Return where the glossary is: beside connections.toml, or in the bot's home if there is none."""
    return _beside_connections(settings, GLOSSARY_FILE, demo)


def glossary_of(
    settings: Settings, database: Database, connections: Connections, demo: bool, clock: Clock
) -> GlossaryChanges:
    """Return the glossary with what is proposed for it."""
    return GlossaryChanges(Glossary(glossary_file(settings, demo), connections), Proposals(database, clock))
