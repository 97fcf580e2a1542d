"""`icc-bot forget`: deletes what is kept of a person, of a talk, or of talks that are old."""

from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.state import database_of, results_of, talk_named, threads_of, was_started
from router.errors import JobFailed
from router.language.wording import counted
from router.memory.thread import Memory, ThreadKey
from router.storage.clock import now
from router.storage.database import Database
from router.storage.erasure import Erased, acted_in, erase_older, erase_person, erase_thread
from router.storage.threads import KeptThreads

NOT_DELETED_HINT = (
    "Not deleted: the audit trail, which nobody can change; what was posted in Slack, in Teams or by e-mail; backups; "
    "and, where there are any, lines of the log and prompt_logs/."
)


def forget(settings: Settings, say: Say, *, person: str = "", thread: str = "", days: int | None = None) -> int:
    """Delete what is kept of a person, of a talk, or of whatever is older than so many days."""
    if not was_started(settings):
        raise JobFailed(f"No bot has kept anything in {settings.home}. Nothing was deleted.")
    with closing(database_of(settings)) as database, closing(threads_of(settings, database)) as threads:
        before = now() - timedelta(days=days or 0)
        own, others = _talks(database, threads, person, thread, before)
        talks = sum(threads.load(key) is not None for key in own)
        steps: list[Callable[[], Erased]] = [partial(_erase_talk, database, threads, key) for key in own]
        if person:
            steps.append(partial(erase_person, database, person))
        elif not thread:
            steps.append(partial(erase_older, database, before))
        erased, results = Erased(), results_of(settings, database, now)
        for erase in steps:
            part = erase()
            for result in part.results:
                results.delete(result)
            erased.add(part)
    say(_summary(talks, erased))
    for key in others:
        say(
            f"In the talk {key}, which another person began, they did something too; what they said there stays. "
            f'To delete all of it: icc-bot forget --thread "{key}"'
        )
    if settings.base_url:
        say("BASE_URL is set, so that jobs and rows lie where the jobs API runs: run this command there, too.")
    say(NOT_DELETED_HINT)
    return 0


def _talks(
    database: Database, threads: KeptThreads, person: str, thread: str, before: datetime
) -> tuple[list[ThreadKey], list[ThreadKey]]:
    """Return the talks to delete, and those of others in which the person did or said something."""
    if thread:
        return [talk_named(thread)], []
    own, others, acted = [], [], acted_in(database, person) if person else set()
    for key in threads.every():
        memory = threads.load(key)
        if memory and _is_meant(memory, person, before):
            own.append(key)
        elif str(key) in acted:
            others.append(key)
    return own, others


def _is_meant(memory: Memory, person: str, before: datetime) -> bool:
    if person:
        return memory.owner is not None and memory.owner.id == person
    return memory.asked is not None and memory.asked < before


def _erase_talk(database: Database, threads: KeptThreads, key: ThreadKey) -> Erased:
    threads.forget(key)
    return erase_thread(database, key)


def _summary(talks: int, erased: Erased) -> str:
    what = [counted(talks, "talk")] if talks else []
    what += [counted(len(erased.results), "result")] if erased.results else []
    what += [f"{count} of {name}" for name, count in sorted(erased.rows.items())]
    return f"Deleted: {', '.join(what)}." if what else "Nothing of it is kept."
