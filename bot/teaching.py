"""Builds what people teach the bot."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from bot.connections_file import connections_file
from bot.settings import Settings
from router.catalog.connection import Connections
from router.knowledge.glossary import Glossary
from router.knowledge.lessons import Lessons
from router.knowledge.proposals import Proposals

GLOSSARY_FILE, PROPOSALS_FILE = "glossary.toml", "proposals.sqlite"


def glossary_file(settings: Settings, demo: bool = False) -> Path:
    """Return where the glossary is: beside connections.toml, or in the house where there is none."""
    file = None if demo else connections_file(settings)
    return (file.parent if file else settings.home) / GLOSSARY_FILE


def taught_here(
    settings: Settings, connections: Connections, demo: bool, clock: Callable[[], datetime], stack: ExitStack
) -> Lessons:
    """Return the glossary with what is proposed for it; it is closed with the stack."""
    proposals = Proposals(settings.home / PROPOSALS_FILE, clock)
    stack.callback(proposals.close)
    return Lessons(Glossary(glossary_file(settings, demo), connections), proposals)
