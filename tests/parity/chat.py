"""A talk in a chat platform: what people do there, and what of its messages they see after each step."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from time import monotonic, sleep

from sqlalchemy import select

from adapters.chat.approvers import OPEN_THREAD
from bot.wiring.bot import Bot
from router.interactions.persistent_buttons import is_persistent
from router.notifier import Channel, Responders
from router.schedules.schedule import ScheduleState
from router.storage.tables import proposals, schedules
from tests.parity.site import WRITABLE, ParitySite, plainly, wait
from tests.parity.transcript import Transcript
from tests.support.talk import Clock

DIALOG = "dialog"
"""Stands for the id of a message where a dialog is open over the chat."""

NOTICE = re.compile(
    rf"Ana needs your approval on \*[^*\n]+\*(: [^\n]+|\.)\n\n{OPEN_THREAD}"
    r"|✓ Approved by (you|Ana|Bob) \(Ana asked\)|No longer needed: Ana changed or withdrew this\."
)
"""What an approver reads in their own chat: it is no part of the talk."""


SETTLES_SECONDS = 5.0
"""Seconds within which everybody sees as answered what was answered: Teams draws that after the answer to the press."""


class Chat(ABC):
    """Plays one talk in a thread of its own; what a platform does is told by its own class."""

    def __init__(self, site: ParitySite, bot: Bot) -> None:
        self.site, self.bot = site, bot
        self.names: tuple[str, ...] = ("shop",)
        self.who = "ana"
        self.private = False
        self.reach = Responders()
        self.begun = False
        site.clock.now = Clock().now
        self._jobs, self._schedules = self._all_jobs(), self._all_schedules()
        self._proposals = self._all_proposals()
        (site.folder / "glossary.toml").unlink(missing_ok=True)
        self._before: dict[str, Transcript] = {}
        self.standing = ""
        """The id of the message that can be pressed."""
        self.results: set[str] = set()
        """The ids of results, whose buttons hold whatever was asked since."""

    @property
    def help(self) -> Channel | None:
        """The place where people can be asked on the platform."""
        return None

    @abstractmethod
    def begin(self) -> None:
        """Take note of what there is before the talk."""

    @abstractmethod
    def write(self, text: str) -> None:
        """Type a line into the thread."""

    @abstractmethod
    def offers(self, answer: str) -> bool:
        """Return whether the question that stands can be answered so by a press."""

    @abstractmethod
    def click(self, answer: str) -> None:
        """Press the button of an answer."""

    @abstractmethod
    def choose(self, answers: list[str]) -> None:
        """Choose in the menu."""

    @abstractmethod
    def click_lasting(self, answer: str) -> None:
        """Press or choose an answer that holds whatever was asked since, in the last message that has it."""

    @abstractmethod
    def send(self, values: dict[str, str]) -> None:
        """Put these values into the form, and send it."""

    @abstractmethod
    def read(self) -> Iterable[tuple[str, Transcript]]:
        """Wait until the bot has done, and return what it says since the talk began, with the messages' ids."""

    def complaints(self) -> list[object]:
        """Return what the platform refused or disliked during the talk."""
        return []

    def say(self, text: str) -> str:
        """Type a line."""
        self._begin()
        self.write(text)
        return self._shown(asks=False)

    def press(self, answers: list[str]) -> str:
        """Press a button of the question that stands, or choose in its menu."""
        if is_persistent(answers[0]):
            self._press_lasting(answers[0])
            return self._shown(asks=False)
        if answers[0].startswith("menu:"):
            self.choose(answers)
        else:
            self.click(answers[0])
        return self._shown()

    def fill(self, values: dict[str, str]) -> str:
        """Send the form of the question that stands, with these values in it."""
        self.send(values)
        return self._shown()

    def look(self) -> str:
        """Nobody opens a thread here."""
        raise AssertionError("a chat platform tells nobody that a thread is looked at")

    def due(self) -> str:
        """Have run what is due, and wait until that is over."""
        timer, schedules = self.bot.timer, self.bot.services.schedules
        assert timer
        assert schedules
        timer.look()
        self.wait(
            lambda: (
                not any(
                    each.holder or (each.standing == ScheduleState.RUNS and each.due <= self.site.clock.now)
                    for each in schedules.every()
                )
            )
        )
        return self._shown(asks=False)

    def wait(self, found: Callable[[], bool]) -> None:
        """Wait until something is so."""
        wait(found)

    def direct(self, word: str, rest: str) -> None:
        """Change what is around the talk."""
        match word:
            case "connections":
                self.names = tuple(name.strip() for name in rest.split(","))
            case "as":
                self.who = rest.lower()
            case "private":
                self.private = True
            case "humans":
                channels = tuple(filter(None, (self.help,))) if rest == "channel" else ()
                self.reach = Responders(channels, "help@example.com" if rest == "email" else "")
                self.bot.services.humans.reach = self.reach
            case "channel":
                pass  # talks are held in a channel from the beginning
            case "mail" if not rest and not self.begun:
                assert self.site.mails
            case "undrawn":
                assert not self.offers(rest), f"{rest} can be pressed"
            case _:
                self.site.direct(word, rest, self.bot)

    def _press_lasting(self, answer: str) -> None:
        """Press a button below news, or choose in the list; the talk has the numbers in their order."""

        def real(found: re.Match[str]) -> str:
            every = self._all_schedules() if found[1] == "T" else self._all_proposals()
            return [id for id in every if id not in (*self._schedules, *self._proposals)][int(found[2]) - 1]

        self.click_lasting(re.sub(r"\b([TG])-(\d+)\b", real, answer))

    def _begin(self) -> None:
        if not self.begun:
            self.site.post.be("", "")
            self.bot.services.humans.reach = self.reach
            if set(self.names) & set(WRITABLE):
                self.site.renew(self.bot)
            self.begin()
            self.begun = True

    def _shown(self, *, asks: bool = True) -> str:
        """Return what is new, and the question that stands; a stranger has no eye for that, unless it changed.

        `asks`: whether what was done asks it again even if its message stays the same; typed words never do, as the
        question comes in a new message, or what they asked is answered beside it.
        """
        ends = monotonic() + SETTLES_SECONDS
        while True:
            now = dict(self.read())
            standing = [id for id, transcript in now.items() if transcript.asks and id not in self.results]
            dialog = DIALOG in standing  # it is over whatever stands, and shows the same
            if dialog or len(standing) <= 1:
                break
            assert monotonic() < ends, [now[id].text for id in standing]
            sleep(0.05)
        for transcript in now.values():
            self.require_framed(transcript)
        self.standing = DIALOG if dialog else next(iter(standing), "")
        new = []
        for id, transcript in sorted(now.items(), key=lambda each: self.drawn_at(each[0])):
            before = self._before.get(id)
            became = before is not None and self.became_another(before, transcript)
            changed = id in self.results and before is not None and before.text != transcript.text
            self.require_folded(before, transcript)
            if before is None and dialog and id in standing and id != DIALOG:
                continue
            if before is None or became or changed:
                new += [transcript.text]
            elif id != self.standing and id not in self.results:
                self.require_kept(before, transcript)
        if before := self._before.get(self.standing):
            question = now[self.standing].text
            new += [question] if (self.who == "ana" and asks) or before.text != question else []
        self._before = now
        return self._numbered(plainly("\n\n".join(filter(None, new))))

    def _all_jobs(self) -> list[str]:
        """Return the numbers of all jobs that the bot ever had, in the order of their asking."""
        return [job.id for job in reversed(self.bot.services.jobs.ledger.latest(10_000))]

    def _all_schedules(self) -> list[str]:
        """Return the numbers of everything that was ever repeated, in the order of their asking."""
        with self.bot.database.reading() as connection:
            return [id for (id,) in connection.execute(select(schedules.c.id).order_by(schedules.c.created))]

    def _all_proposals(self) -> list[str]:
        """Return the numbers of everything that was ever proposed for the glossary, in the order of their asking."""
        with self.bot.database.reading() as connection:
            return [id for (id,) in connection.execute(select(proposals.c.id).order_by(proposals.c.number))]

    def _numbered(self, text: str) -> str:
        """Return a text in which the jobs have numbers from 1 on, as they were asked for in this talk."""
        for before, now in (
            (self._jobs, self._all_jobs()),
            (self._schedules, self._all_schedules()),
            (self._proposals, self._all_proposals()),
        ):
            for n, id in enumerate([id for id in now if id not in before], 1):
                text = text.replace(id, f"{id[0]}-{n}")
        return text

    def drawn_at(self, id: str) -> int:
        """Return the place of a message among all as people see them come, where that is not how they stand."""
        return 0

    def became_another(self, before: Transcript, after: Transcript) -> bool:
        """Return whether something else took the place of a question: an answered one says how it was answered."""
        return before.asks and not after.asks and not after.decided

    def require_framed(self, transcript: Transcript) -> None:
        """Fail where something stands around the bot's cards that nobody said."""
        assert transcript.frame == [], transcript

    def require_folded(self, before: Transcript | None, after: Transcript) -> None:
        """Fail where SQL is folded below what did not come of it, or is lost where something else took its place."""
        if before is not None and not after.sql:
            assert after.folded == (before.sql or before.folded), f"{after} is left of {before}"
        else:
            assert not after.sql or not after.folded, after
            seen = [sql for transcript in self._before.values() for sql in (*transcript.sql, *transcript.folded)]
            assert set(after.folded) <= set(seen), after

    def require_kept(self, before: Transcript, after: Transcript) -> None:
        """Fail where a message that was answered shows other than what it was about, and how it was answered."""
        closed = bool(after.decided) and not before.decided  # a card that lasts, such as one of the glossary
        if not before.asks and not closed:
            assert after.parts == before.parts, f"{after.parts} are left of {before.parts}"
            assert bool(after.decided) == bool(before.decided), after
        elif not after.asks:  # else it stands below a dialog, or was drawn again
            lost = [part for part in after.parts if part not in before.answered]
            assert lost == [], f"{lost} were not in {before.parts}"
            assert after.decided, after
