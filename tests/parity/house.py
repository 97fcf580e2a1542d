"""What every talk is played in: the databases, the people who may read them, a model that is told what to answer."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from bot.wiring import Bot
from tests.platforms.ollama import Answer, Ollama
from tests.shop import BLOCKS, write_connections
from tests.talk import Clock

SETS = (("shop",), ("shop", "archive"), ("shop", "archive", "wide"))
"""The databases of the talks: for each set there is an Ana who may read these, so that one bot serves all talks."""

PEOPLE = ("ana", "bob")


@dataclass
class House:
    """The folder of a bot, its model and its time."""

    folder: Path
    model: Ollama
    clock: Clock = field(default_factory=Clock)

    def direct(self, word: str, rest: str, bot: Bot) -> None:
        """Change what is around a talk."""
        shop, away = self.folder / "shop.sqlite", self.folder / "away"
        match word:
            case "model":
                failure = Answer("out of order", status=500)
                self.model.enqueue(failure if rest == "!500" else rest.replace("\\n", "\n"))
            case "later":
                self.clock.now += timedelta(days=int(rest))
            case "gone":
                shop.rename(away)
                bot.tools.catalog.refresh("shop")
            case "there":
                away.rename(shop)
            case _:
                raise AssertionError(f"there is no direction @{word} on a platform")

    def rest(self, platform: str) -> None:
        """Wait until everything that the bot was told is answered."""
        path = self.folder / "home" / f"{platform}-inbox.sqlite"
        with closing(sqlite3.connect(path)) as file:
            wait(lambda: file.execute("SELECT count(*) FROM events WHERE heard IS NOT NULL").fetchone() == (0,))


def email(person: str, names: tuple[str, ...]) -> str:
    """Return the address of a person who may read these databases."""
    return f"{person}.{len(names)}@example.com"


def person(name: str, names: tuple[str, ...]) -> str:
    """Return the id of a person who may read these databases."""
    return f"{name}{len(names)}"


def wait(found: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so; fail where it does not come."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "the bot did not come to an end"
        time.sleep(0.003)


@contextmanager
def founded(folder: Path, private: str) -> Iterator[House]:
    """Build the databases; results are for the asker alone in the channel `private`."""
    write_connections(folder, list(SETS[-1]))
    blocks = [f'[channels]\nprivate = ["{private}"]\n'] if private else []
    for name in SETS[-1]:
        readers = [email(each, names) for names in SETS if name in names for each in PEOPLE]
        blocks.append(f"{BLOCKS[name]}readers = {readers}\n")
    (folder / "connections.toml").write_text("".join(blocks))
    with Ollama(script=lambda prompt: "No answer was prepared.") as model:
        yield House(folder, model)
