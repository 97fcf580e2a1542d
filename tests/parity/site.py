"""The site that every talk is played at: its databases, the people who may read them, and a scripted model."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from bot.wiring.bot import Bot
from router.storage.tables import inbox
from tests.platforms.ollama import Answer, Ollama
from tests.support.mail_servers import SENDER, PostOffice, post_office
from tests.support.shop import BLOCKS, build_archive, build_backup, write_connections
from tests.support.talk import Clock

SETS = (
    ("shop",),
    ("shop", "archive"),
    ("shop", "archive", "wide"),
    ("shop", "backup"),
    ("shop", "backup", "depot"),
    ("shop", "backup", "store", "shelf"),
    ("school",),
    ("mill",),
    ("archive", "school"),
    ("shop", "backup", "warehouse"),
    ("shop", "warehouse"),
    ("archive", "school", "mill"),
    ("shop", "vault"),
    ("shop", "depot", "warehouse"),
    ("shop", "backup", "depot", "warehouse"),
    ("outlet",),
    ("warehouse", "backup"),
    ("wide",),
)
"""The databases of the talks: for each set there is an Ana who may read these, so that one bot serves all talks."""

WRITABLE = {
    "backup": ("backup.sqlite", build_backup),
    "shelf": ("shelf.sqlite", build_backup),
    "depot": ("depot.duckdb", build_archive),
    "store": ("store.duckdb", build_archive),
}
"""The files of the databases that talks write to, and what makes them again."""

PEOPLE = ("ana", "bob")


@dataclass
class ParitySite:
    """The folder of a bot, its model, its mail server and its time."""

    folder: Path
    model: Ollama
    post: PostOffice
    mails: bool
    """True if the bot knows the mail server."""
    state: str = ""
    """The address of the PostgreSQL in which the bot keeps its state; empty if that lies in files."""
    clock: Clock = field(default_factory=Clock)

    def direct(self, word: str, rest: str, bot: Bot) -> None:
        """Change what is around a talk."""
        name = rest or "shop"
        file = self.folder / (WRITABLE[name][0] if name in WRITABLE else f"{name}.sqlite")
        away = self.folder / "away"
        match word:
            case "model":
                failure = Answer("out of order", status=500)
                self.model.enqueue(failure if rest == "!500" else rest.replace("\\n", "\n"))
            case "later":
                self.clock.now += timedelta(days=int(rest))
            case "at":
                self.clock.now = datetime.fromisoformat(f"{rest}+00:00")
            case "gone":
                file.rename(away)
                bot.services.catalog.refresh(name)
            case "spoilt":
                file.rename(away)
                file.write_text("this is no database" * 500)
                bot.services.catalog.refresh(name)
            case "there":
                away.rename(file)
            case "glossary":
                (self.folder / "glossary.toml").write_text(rest.replace("\\n", "\n"))
            case "mail":
                assert self.mails
                self.post.be(*rest.partition(" ")[::2])
            case _:
                raise AssertionError(f"there is no direction @{word} on a platform")

    def renew(self, bot: Bot) -> None:
        """Make the databases that were written to as they were at first."""
        for name, (file, build) in WRITABLE.items():
            (self.folder / file).unlink(missing_ok=True)
            build(self.folder / file)
            bot.services.catalog.refresh(name)

    def environment(self) -> dict[str, str]:
        """Return what the bot's environment says of its mail server and its state."""
        mail = {"SMTP_URL": f"smtp://localhost:{self.post.port}?starttls=no", "EMAIL_FROM": SENDER}
        return {**(mail if self.mails else {}), **({"ICC_BOT_DATABASE_URL": self.state} if self.state else {})}

    def rest(self, bot: Bot, platform: str) -> None:
        """Wait until everything that the bot was told is answered."""
        left = select(inbox.c.number).where(inbox.c.platform == platform, inbox.c.heard.is_not(None))
        with bot.database.reading() as connection:
            wait(lambda: connection.execute(left).first() is None)


def email(person: str, names: tuple[str, ...]) -> str:
    """Return the address of a person who may read these databases."""
    return f"{person}.{SETS.index(names)}@example.com"


def plainly(text: str) -> str:
    """Return a text with the addresses of people, and the port of the mail server, as the talks have them.

    On a busy machine rows take a second, which is said beside their number.
    """
    text = re.sub(r"( rows?), \d+ s\)", r"\1)", text)
    text = re.sub(r"localhost:\d+", "…", re.sub(r"(ana|bob)\.\d+@", r"\1@", text))
    return re.sub(r"(ana@example\.com)(?:, \1)+(?: and \d more)?", r"\1", text)


def person(name: str, names: tuple[str, ...]) -> str:
    """Return the id of a person who may read these databases."""
    return f"{name}{SETS.index(names)}"


def wait(found: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something is so; fail where it does not come."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "the bot did not come to an end"
        time.sleep(0.003)


@contextmanager
def founded(folder: Path, private: str, mails: bool, more: str = "", state: str = "") -> Iterator[ParitySite]:
    """Build the databases; results are for the asker alone in the channel `private`, `more` are further connections."""
    write_connections(folder, list(BLOCKS))
    blocks = [f'[channels]\nprivate = ["{private}"]\n'] if private else []
    for name, block in BLOCKS.items():
        readers = [email(each, names) for names in SETS if name in names for each in PEOPLE]
        writers = [email("ana", names) for names in SETS if name in names]
        for right in ("writers", "teachers"):
            block = block.replace(f'{right} = ["ana@example.com"]', f"{right} = {writers}")
        approvers = [email("bob", names) for names in SETS if name in names]
        block = block.replace('["bob@example.com"]', str(approvers))
        blocks.append(f"{block}readers = {readers}\n")
    (folder / "connections.toml").write_text("".join(blocks) + more)
    with Ollama(script=lambda prompt: "No answer was prepared.") as model, post_office() as post:
        yield ParitySite(folder, model, post, mails, state)
