"""What tells what free sentences want, opened where everything is built."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.connections_file import connections_file
from bot.embeddings import embedder
from bot.settings import Settings
from router.intents.choices import Choices
from router.intents.meanings import Meanings
from router.intents.own import Intents
from router.knowledge.vectors import Vectors

INTENTS_FILE, CHOICES_FILE = "intents.toml", "intents.sqlite"


@dataclass(frozen=True, slots=True)
class OpenedIntents:
    """The classifier with the examples of the house, and what people chose where it asked back."""

    intents: Intents
    choices: Choices


def intents_file(settings: Settings, demo: bool = False) -> Path:
    """Return where own examples are: beside connections.toml, or in the house where there is none."""
    file = None if demo else connections_file(settings)
    return (file.parent if file else settings.home) / INTENTS_FILE


def opened_intents(
    settings: Settings, clock: Callable[[], datetime], stack: ExitStack, demo: bool = False, logs: bool = True
) -> OpenedIntents:
    """Return both; their file is closed with the stack. `logs`: the log has what is wrong with own examples."""
    choices = Choices(settings.home / CHOICES_FILE, clock)
    stack.callback(choices.close)
    embed = embedder(settings)
    meanings = Meanings(Vectors(settings.embedding_model, embed, choices)) if embed else None
    return OpenedIntents(Intents(intents_file(settings, demo), meanings, logs), choices)
