"""Writings and e-mails whose process is killed at random moments, on whatever chat platform.

In each round a person approves a writing and an e-mail, and the real program is killed, often more than once, before
it may come to an end. What is in the table, in the mailbox, in the ledger and in the threads must then be one story.
"""

import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from router.jobs.audit_check import verify
from router.jobs.job_entry import JobState
from tests.support.writing_scene import SLOW, Scene, until

ROWS = 400
"""Of a writing; each takes about a millisecond."""
STEP = 0.05
"""Seconds that the mail server takes for each step."""
WRITE, SEND, RESEND = "Write this?", "Send this e-mail?", "may or may not have gone out"
WRITTEN, SENT = "✓ Added", "✓ Sent to"


@dataclass
class Round:
    """A writing and an e-mail of their own, the n-th."""

    number: int
    writing: Scene
    mailing: Scene

    @property
    def table(self) -> str:
        """The table that is written to."""
        return f"slow_{self.number}"

    @property
    def recipient(self) -> str:
        """To whom the e-mail goes."""
        return f"bob{self.number}@example.com"

    def prepare(self) -> None:
        """Go on up to both questions for an approval."""
        made = SLOW.replace("ticks", f"ticks_{self.number}").replace("slowly", f"slowly_{self.number}")
        with closing(sqlite3.connect(self.writing.place.folder / "backup.sqlite", timeout=20)) as database:
            database.executescript(made.replace("slow ", f"{self.table} "))
        talk = self.writing
        talk.ran(f"SELECT n FROM many WHERE n <= {ROWS}")
        assert {} == talk.fill_in("Write", database="Backup", table=self.table, mode="append")
        talk.shown(WRITE)
        talk = self.mailing
        talk.ran("SELECT id, name FROM regions")
        assert {} == talk.fill_in("Email", to=self.recipient)
        talk.shown(SEND)

    def approve(self) -> None:
        """Press both."""
        self.writing.press("Write", wait=False)
        self.mailing.press("Send", wait=False)

    def over(self) -> bool:
        """Return whether both people know what became of it, or are asked once more."""
        return bool(self.written() and self.sent())

    def is_settled(self) -> bool:
        """Return whether that is the last word: a press that the killed bot left is worked on some time later."""
        return not self.writing.place.works() and self.over()

    def written(self) -> str:
        """Return what the person was told last of the writing."""
        return _told(self.writing, {WRITTEN: "DONE", WRITE: "ASKED"})

    def sent(self) -> str:
        """Return what the person was told last of the e-mail."""
        return _told(self.mailing, {SENT: "DONE", "may have gone out": "UNSURE", RESEND: "UNSURE", SEND: "ASKED"})

    def faults(self) -> list[str]:
        """Return where what was told, done and noted are not one story."""
        place, found = self.writing.place, []
        ((rows,),) = place.rows("backup", f"SELECT count(*) FROM {self.table}")
        letters = sum(self.recipient in to for to, _ in place.post.letters)
        write = [job.state for job in place.jobs("write_data") if job.request.payload["table"] == self.table]
        send = [job.state for job in place.jobs("send_email") if self.recipient in job.request.payload["recipients"]]
        story = (self.written(), rows, [str(state) for state in write])
        if story not in (("DONE", ROWS, ["DONE"]), ("ASKED", 0, [])):
            found.append(f"writing {self.number}: {story}")
        story = (self.sent(), letters, [str(state) for state in send])
        fine = (("DONE", 1, ["DONE"]), ("ASKED", 0, []), ("UNSURE", 0, ["UNSURE"]), ("UNSURE", 1, ["UNSURE"]))
        if story not in fine:
            found.append(f"e-mail {self.number}: {story}")
        for scene, words in ((self.writing, WRITTEN), (self.mailing, SENT)):
            if scene.count(words) > 1:
                found.append(f"{words} is told {scene.count(words)} times in round {self.number}")
        return found


def _told(scene: Scene, words: dict[str, str]) -> str:
    """Return what the newest message that can be pressed says."""
    for text in reversed(scene.said()):
        if found := next((state for each, state in words.items() if each in text), ""):
            return "" if found == "ASKED" and scene.decided(text) else found
    return ""


def kill(scene: Callable[[], Scene], kills: int, seed: int) -> Counter[str]:
    """Kill the program so many times, and return what became of the jobs; fails where that is not one story."""
    dice, done, number = random.Random(seed), 0, 0
    ends: Counter[str] = Counter()
    faults: list[str] = []
    place = scene().place
    place.post.takes = STEP
    while done < kills:
        number += 1
        here = Round(number, scene(), scene())
        with here.writing.alive():
            here.prepare()
            here.approve()
            time.sleep(dice.uniform(0.0, 0.9))
        done += 1
        while done < kills and dice.random() < 0.4:
            with here.writing.alive():
                time.sleep(dice.uniform(0.0, 0.6))
            done += 1
        with here.writing.at_work():
            until(here.over, 60)
            here.writing.settle()
            until(here.is_settled)
        faults += here.faults()
        ends.update([f"write {here.written()}", f"e-mail {here.sent()}"])
    assert [] == faults, faults
    assert () == verify(place.folder / "home" / "audit.jsonl").broken
    assert [] == [job.id for job in place.jobs() if job.state in (JobState.QUEUED, JobState.RUNNING, JobState.SENDING)]
    ends["kills"] = done
    return ends
