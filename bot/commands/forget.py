"""`icc-bot forget`: deletes what is kept of a person, of a talk, or of talks that are old."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from datetime import timedelta

from bot.settings.environment import Settings
from bot.wiring.state import begun, database_of, results_of, threads_of
from router.errors import JobFailed
from router.jobs.results.store import Results
from router.language.wording import counted
from router.memory.thread import ThreadKey, key_from
from router.storage.clock import now
from router.storage.database import Database
from router.storage.erasure import Erased, acted_in, erase_older, erase_person, erase_thread
from router.storage.threads import KeptThreads

Say = Callable[[str], None]

STAYS = (
    "Not deleted: the audit trail, which nobody can change; what was posted in Slack, in Teams or by e-mail; backups; "
    "and, where there are any, lines of the log and prompt_logs/."
)


class Forgetting:
    """What is kept, and what has been deleted of it."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        if not begun(settings):
            raise JobFailed(f"No bot has kept anything in {settings.home}. Nothing was deleted.")
        self.database: Database = stack.enter_context(closing(database_of(settings)))
        self.threads: KeptThreads = stack.enter_context(closing(threads_of(settings, self.database)))
        self.results: Results = results_of(settings, self.database, now)
        self.erased, self.talks = Erased(), 0

    def talk(self, key: ThreadKey) -> None:
        """Delete a talk."""
        known = self.threads.load(key) is not None
        self.threads.forget(key)
        self._count(erase_thread(self.database, key))
        self.talks += known

    def talks_of(self, person: str) -> tuple[list[ThreadKey], list[ThreadKey]]:
        """Return the talks that a person began, and those of others in which they did or said something."""
        own, others, acted = [], [], acted_in(self.database, person)
        for key in self.threads.every():
            memory = self.threads.load(key)
            if memory and memory.owner and memory.owner.id == person:
                own.append(key)
            elif str(key) in acted:
                others.append(key)
        return own, others

    def older(self, days: float) -> list[ThreadKey]:
        """Return the talks whose last question is so old."""
        before = now() - timedelta(days=days)
        found = []
        for key in self.threads.every():
            memory = self.threads.load(key)
            if memory and memory.asked and memory.asked < before:
                found.append(key)
        return found

    def person(self, person: str) -> None:
        """Delete what a person did in whatever talk."""
        self._count(erase_person(self.database, person))

    def rest(self, days: float) -> None:
        """Delete what is as old and belongs to no talk."""
        self._count(erase_older(self.database, now() - timedelta(days=days)))

    def _count(self, erased: Erased) -> None:
        for result in erased.results:
            self.results.delete(result)
        for path in erased.files:
            path.unlink(missing_ok=True)
        self.erased.add(erased)


def forget(settings: Settings, say: Say, *, person: str = "", thread: str = "", days: int | None = None) -> int:
    """Delete what is kept of a person, of a talk, or of whatever is older than so many days."""
    with ExitStack() as stack:
        kept = Forgetting(settings, stack)
        others: Iterable[ThreadKey] = ()
        if person:
            own, others = kept.talks_of(person)
            for key in own:
                kept.talk(key)
            kept.person(person)
        elif thread:
            kept.talk(_key(thread))
        elif days is not None:
            for key in kept.older(days):
                kept.talk(key)
            kept.rest(days)
        _tell(kept, say)
        for key in others:
            say(
                f"In the talk {key}, which another person began, they did something too; what they said there stays. "
                f'To delete all of it: icc-bot forget --thread "{key}"'
            )
    if settings.base_url:
        say("BASE_URL is set, so that jobs and rows lie where the jobs API runs: run this command there, too.")
    say(STAYS)
    return 0


def _key(thread: str) -> ThreadKey:
    try:
        return key_from(thread)
    except ValueError:
        raise JobFailed(
            f'"{thread}" names no talk: it is PLATFORM/TEAM/CHANNEL/THREAD, as `icc-bot jobs show` and the audit trail '
            "have it."
        ) from None


def _tell(kept: Forgetting, say: Say) -> None:
    rows = kept.erased.rows
    what = [counted(kept.talks, "talk")] if kept.talks else []
    what += [counted(len(kept.erased.results), "result")] if kept.erased.results else []
    what += [f"{count} of {name}" for name, count in sorted(rows.items())]
    say(f"Deleted: {', '.join(what)}." if what else "Nothing of it is kept.")
