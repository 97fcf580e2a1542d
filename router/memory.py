"""What the bot remembers of one thread: plain values that travel as JSON."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal


class Stage(StrEnum):
    """Where a talk stands. The values are stored: they are never renamed."""

    START = "START"
    ASK_SQL_METHOD = "ASK_SQL_METHOD"
    NEED_NATURAL_LANGUAGE = "NEED_NATURAL_LANGUAGE"
    NEED_USER_SQL = "NEED_USER_SQL"
    CHOOSE_CONNECTION = "CHOOSE_CONNECTION"
    CHOOSE_SCHEMA = "CHOOSE_SCHEMA"
    CHOOSE_TABLES = "CHOOSE_TABLES"
    WRITE_SQL = "WRITE_SQL"
    CHECK_SQL = "CHECK_SQL"
    CONFIRM_GENERATED_SQL = "CONFIRM_GENERATED_SQL"
    CONFIRM_USER_SQL = "CONFIRM_USER_SQL"
    EXECUTE_SQL = "EXECUTE_SQL"
    SHOW_RESULTS = "SHOW_RESULTS"
    NEED_WRITE_OR_EMAIL = "NEED_WRITE_OR_EMAIL"
    DONE = "DONE"


@dataclass(frozen=True, slots=True)
class User:
    """A person on a platform; `id` has the platform's name in front ("slack:U123")."""

    id: str
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class ThreadKey:
    """One conversation; its string is the store's key."""

    platform: str
    team: str
    channel: str
    thread: str

    def __str__(self) -> str:
        return "/".join(part.replace("/", "%2F") for part in (self.platform, self.team, self.channel, self.thread))
